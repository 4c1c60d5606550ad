//! The parts of a declaration, by their names.

use crate::overrides::bench::{Bench, Case};
use crate::overrides::read::arguments::{Argument, Taken};
use crate::overrides::read::complete::{ArgumentForm, Completing};
use crate::overrides::read::misread::{DecisionFault, quote};
use crate::overrides::read::reader::OverrideReader;
use crate::overrides::read::write::{OverrideWriter, mark};
use rules::text::{Completion, NamedPart};
use rules::{Declaration, Key, Seat};

/// A part of a seat's declaration.
pub(super) struct PartNamed;

impl Argument for PartNamed {
    type Value = Key;
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Key> {
        let (case, seat) = reader.seat_turn()?;
        Ok((reader.part(case, seat, text)?, ""))
    }

    fn write(_: &OverrideWriter<'_>, part: &Key) -> Option<String> {
        Some(part.to_string())
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let Ok((case, seat)) = completing.reader.seat_turn() else { return Vec::new() };
        let lexicon = completing.reader.bench.sight.game.lexicon();
        let parts = parts(completing.reader.bench, case, seat);
        completing.words(input, parts.iter().map(|part| mark(lexicon, part, completing.lang)))
    }
}

impl OverrideReader<'_> {
    /// Returns the part that a text names: by its mark or label, with a number from the second on, or by an
    /// answer within the part.
    fn part(&mut self, case: &Case, seat: Seat, rest: &str) -> Result<Key, DecisionFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let lexicon = self.bench.sight.game.lexicon();
        let parts = parts(self.bench, case, seat);
        let named = NamedPart::read(rest);
        let part = parts.iter().find(|part| named.names(part, lexicon));
        if let (Some(part), number @ 1..) = (part, named.number.unwrap_or(1)) {
            return Ok(part.clone().nth(number));
        }
        let read = self.text_of_turn((case, seat), rest, &Declaration::default());
        if let Ok(None) = read {
            return Ok(Key::part(""));
        }
        let answered = read.ok().flatten().and_then(|reading| reading.lines.into_iter().next());
        answered.map(|line| line.key.whole()).ok_or_else(|| {
            let parts = parts.iter().map(|part| mark(lexicon, part, self.bench.lang)).collect();
            DecisionFault::NoPart { said: quote(rest), parts }
        })
    }
}

/// Returns the distinct parts that a seat is asked for, in order.
fn parts(bench: &Bench, case: &Case, seat: Seat) -> Vec<Key> {
    let mut parts: Vec<Key> = Vec::new();
    for asked in bench.asked(case, seat, &case.said_by(seat)).asked {
        let part = asked.question.key.whole();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}
