//! Arguments that name seats, people and bot players.

use crate::overrides::read::arguments::{Argument, Taken};
use crate::overrides::read::complete::{ArgumentForm, Completing};
use crate::overrides::read::misread::{DecisionFault, quote};
use crate::overrides::read::reader::OverrideReader;
use crate::overrides::read::words::Particle;
use crate::overrides::read::write::OverrideWriter;
use rules::Seat;
use rules::text::{Completion, fold};
use tables::Stage;

/// The separators between the names of several players.
const BETWEEN: [char; 4] = [' ', ',', '、', '　'];

/// A seat, by its number or its player's name.
pub(super) struct SeatNamed;

impl Argument for SeatNamed {
    type Value = Seat;
    const FORM: ArgumentForm = ArgumentForm::Seat;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Seat> {
        reader.seat(text)
    }

    fn write(_: &OverrideWriter<'_>, seat: &Seat) -> Option<String> {
        Some(seat.to_string())
    }

    fn seats(seat: &Seat) -> Vec<Seat> {
        vec![*seat]
    }
}

/// A seat, or the table as a whole.
pub(super) struct SeatOrTable;

impl Argument for SeatOrTable {
    type Value = Option<Seat>;
    const FORM: ArgumentForm = ArgumentForm::Seat;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Option<Seat>> {
        match Particle::Table.strip(text) {
            Some(behind) => Ok((None, behind)),
            None => reader.seat(text).map(|(seat, behind)| (Some(seat), behind)),
        }
    }

    fn write(writer: &OverrideWriter<'_>, seat: &Option<Seat>) -> Option<String> {
        Some(seat.map_or(Particle::Table.word(writer.lang), Seat::name).to_owned())
    }

    fn seats(seat: &Option<Seat>) -> Vec<Seat> {
        seat.iter().copied().collect()
    }
}

/// A seat once the game has begun; `None` before that, for any seat.
pub(super) struct SeatOnceBegun;

impl Argument for SeatOnceBegun {
    type Value = Option<Seat>;
    const FORM: ArgumentForm = ArgumentForm::Seat;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Option<Seat>> {
        match reader.bench.sight.stage {
            Stage::Forming => Ok((None, text)),
            // A single word is a name, and the seat is missing.
            _ if text.split_whitespace().nth(1).is_none() => Err(reader.lacks()),
            _ => reader.seat(text).map(|(seat, behind)| (Some(seat), behind)),
        }
    }

    fn of_option(
        reader: &mut OverrideReader<'_>,
        input: &str,
    ) -> Result<Option<Seat>, DecisionFault> {
        match reader.bench.sight.stage {
            Stage::Forming => Ok(None),
            _ => SeatNamed::of_option(reader, input).map(Some),
        }
    }

    fn write(_: &OverrideWriter<'_>, seat: &Option<Seat>) -> Option<String> {
        Some(seat.map(|seat| seat.to_string()).unwrap_or_default())
    }

    fn seats(seat: &Option<Seat>) -> Vec<Seat> {
        seat.iter().copied().collect()
    }
}

/// Distinct seats named with an @.
pub(super) struct SeatsCalled;

impl Argument for SeatsCalled {
    type Value = Vec<Seat>;
    const FORM: ArgumentForm = ArgumentForm::Seat;

    fn take<'t>(reader: &mut OverrideReader<'_>, mut text: &'t str) -> Taken<'t, Vec<Seat>> {
        let mut to = Vec::new();
        while let Some(named) = text.strip_prefix(['@', '＠']) {
            let (seat, behind) = reader.seat(named)?;
            if !to.contains(&seat) {
                to.push(seat);
            }
            text = behind;
        }
        Ok((to, text))
    }

    /// Parses names without requiring the @.
    fn of_option(reader: &mut OverrideReader<'_>, input: &str) -> Result<Vec<Seat>, DecisionFault> {
        let names = input.split(BETWEEN).map(|name| name.trim_start_matches('@'));
        let called = names.filter(|name| !name.is_empty()).map(|name| format!("@{name}"));
        let called = called.collect::<Vec<_>>().join(" ");
        let (to, behind) = Self::take(reader, &called)?;
        reader.nothing_in(behind)?;
        Ok(to)
    }

    fn write(_: &OverrideWriter<'_>, to: &Vec<Seat>) -> Option<String> {
        Some(to.iter().map(|seat| format!("@{seat}")).collect::<Vec<_>>().join(" "))
    }

    fn seats(to: &Vec<Seat>) -> Vec<Seat> {
        to.clone()
    }
}

/// The policy of a bot player; by default the last of the game's policies.
pub(super) struct PolicyName;

impl Argument for PolicyName {
    type Value = String;
    const FORM: ArgumentForm = ArgumentForm::Policy;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, String> {
        let policies = reader.bench.sight.game.policies();
        let wanted = fold(text);
        let found = match text {
            "" => policies.last(),
            _ => policies.iter().find(|policy| **policy == wanted),
        };
        let policies = policies.iter().map(ToString::to_string);
        let no_policy =
            || DecisionFault::NoPolicy { said: quote(text), policies: policies.collect() };
        Ok((found.map(ToString::to_string).ok_or_else(no_policy)?, ""))
    }

    fn write(_: &OverrideWriter<'_>, policy: &String) -> Option<String> {
        Some(policy.clone())
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let policies = completing.reader.bench.sight.game.policies();
        completing.words(input, policies.into_iter().map(ToOwned::to_owned))
    }
}
