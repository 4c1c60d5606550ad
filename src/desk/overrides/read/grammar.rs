//! The parsers, writers and completions of decisions, generated from the list of decisions.

use crate::model::overrides::overrides;
use crate::model::{Judgement, Override, Verb};
use crate::overrides::gm_view::Particle;
use crate::overrides::read::arguments::{
    AbsenceSaid, Argument, Chosen, ClockSaid, Deadline, DecisionMade, Declared, LastAct, MoveSaid,
    OwnWords, PaceSaid, PartNamed, Somebody, Taken, Until, WindowBack,
};
use crate::overrides::read::reader::{
    ArgumentForm, Completing, DecisionFault, MOST, OverrideReader, OverrideRequest, OverrideWriter,
    Result, WINDOW, mark, quote, trim,
};
use rules::question::Shape;
use rules::text::{Completion, Lang, Lexicon, fold, read_one};
use rules::{Faces, Key, Seat, Thrown, Value};
use tables::Stage;
use tables::vocabulary::behind;

macro_rules! grammar {
    (
        window { $($(#[$wdoc:meta])* $window:ident $({ $($wkind:ident($woption:literal): ($($wfield:ident: $wtype:ty),*)),+ })?)* }
        turn { $($(#[$doc:meta])* $turn:ident {
            $whose:ident($seat:literal): ($_:ident: $seat_type:ty) $(, $kind:ident($option:literal): ($($field:ident: $type:ty),*))*
        })* }
        table { $($(#[$tdoc:meta])* $table:ident $({ $($tkind:ident($toption:literal): ($($tfield:ident: $ttype:ty),*)),+ })?)* }
    ) => {
        impl Verb {
            /// Returns the arguments, with their names for front ends that ask for them one by one.
            pub fn arguments(self) -> Vec<(&'static str, ArgumentForm)> {
                let mut all = match self {
                    $(Self::$window => vec![$($(($woption, <$wkind as Argument>::FORM),)+)?],)*
                    $(Self::$turn => vec![
                        (WINDOW, ArgumentForm::Window),
                        ($seat, <$whose as Argument>::FORM),
                        $(($option, <$kind as Argument>::FORM),)*
                    ],)*
                    $(Self::$table => vec![$($(($toption, <$tkind as Argument>::FORM),)+)?],)*
                };
                // An argument without a name is never typed.
                all.retain(|(name, _)| !name.is_empty());
                all
            }
        }

        #[expect(unused_parens, reason = "some arguments are several fields")]
        impl OverrideReader<'_> {
            pub(super) fn read(mut self) -> Result<OverrideRequest> {
                let what = match self.verb {
                    $(Verb::$window => {
                        $($(let ($($wfield),*) = self.next::<$wkind>($woption)?;)+)?
                        Override::$window $({ $($($wfield,)*)+ })?
                    })*
                    $(Verb::$turn => {
                        let (seat, window) = self.whose::<$whose>($seat)?;
                        $(let ($($field),*) = self.next::<$kind>($option)?;)*
                        match self.in_words.take() {
                            Some((seat, words)) => {
                                Override::InWords { window, verb: self.verb, seat, words }
                            }
                            None => {
                                let change = Judgement::$turn { seat, $($($field,)*)* };
                                Override::Judge { window, change }
                            }
                        }
                    })*
                    $(Verb::$table => {
                        $($(let ($($tfield),*) = self.next::<$tkind>($toption)?;)+)?
                        Override::$table $({ $($($tfield,)*)+ })?
                    })*
                };
                self.end()?;
                Ok(OverrideRequest { what, guest: self.guest })
            }
        }

        impl Completing<'_> {
            /// Returns the completions of the next argument as the error; `Ok` if no argument is left.
            pub(super) fn behind(&mut self) -> Result<(), Vec<Completion>> {
                match self.reader.verb {
                    $(Verb::$window => { $($(self.next::<$wkind>($woption)?;)+)? })*
                    $(Verb::$turn => {
                        self.whose::<$whose>($seat)?;
                        $(self.next::<$kind>($option)?;)*
                    })*
                    $(Verb::$table => { $($(self.next::<$tkind>($toption)?;)+)? })*
                }
                Ok(())
            }
        }

        impl OverrideWriter<'_> {
            /// Returns the verb and the arguments in order.
            pub(super) fn pieces(&mut self, what: &Override) -> Option<(Verb, Vec<String>)> {
                Some(match what {
                    $(Override::$window $({ $($($wfield,)*)+ })? => {
                        (Verb::$window, vec![$($(
                            <$wkind as Argument>::write(self, &($(Clone::clone($wfield)),*))?,
                        )+)?])
                    })*
                    Override::Judge { window, change } => {
                        let last = self.judge(*window, change.seat())?;
                        match change {
                            $(Judgement::$turn { seat, $($($field,)*)* } => {
                                (Verb::$turn, vec![
                                    last,
                                    <$whose as Argument>::write(self, seat)?,
                                    $(<$kind as Argument>::write(self, &($(Clone::clone($field)),*))?,)*
                                ])
                            })*
                        }
                    }
                    Override::InWords { window, verb, seat, words } => {
                        let last = self.judge(*window, Some(*seat))?;
                        (*verb, vec![last, seat.to_string(), words.clone()])
                    }
                    Override::Tried { what } => return self.pieces(what),
                    $(Override::$table $({ $($($tfield,)*)+ })? => {
                        (Verb::$table, vec![$($(
                            <$tkind as Argument>::write(self, &($(Clone::clone($tfield)),*))?,
                        )+)?])
                    })*
                })
            }
        }

        impl Override {
            /// Returns the seats that the decision is about.
            pub(crate) fn seats(&self) -> Vec<Seat> {
                let seats: &[Vec<Seat>] = match self {
                    Self::InWords { seat, .. } => &[vec![*seat]],
                    Self::Tried { what } => &[what.seats()],
                    $(Self::$window $({ $($($wfield,)*)+ })? => {
                        &[$($(<$wkind as Argument>::seats(&($(Clone::clone($wfield)),*)),)+)?]
                    })*
                    Self::Judge { change, .. } => &[change.seat().into_iter().collect()],
                    $(Self::$table $({ $($($tfield,)*)+ })? => {
                        &[$($(<$tkind as Argument>::seats(&($(Clone::clone($tfield)),*)),)+)?]
                    })*
                };
                seats.concat()
            }
        }
    };
}

overrides!(grammar);

/// A die, and its new face. The only die of a seat need not be named.
pub(super) struct DieAndFace;

impl Argument for DieAndFace {
    type Value = (Key, Value);
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, (Key, Value)> {
        let (case, seat) = reader.turn()?;
        let mut thrown = case.thrown().ok_or(DecisionFault::Hidden)?;
        thrown.retain(|die| die.seat == seat);
        if text.is_empty() {
            return Err(reader.lacks());
        }
        let (lexicon, lang) = (reader.gm_view.sight.game.lexicon(), reader.gm_view.lang);
        let called = |die: &Thrown| name(lexicon, &thrown, die, lang);
        let Some((die, behind)) = named(lexicon, &thrown, text) else {
            let dice = thrown.iter().map(called).collect();
            return Err(DecisionFault::NoDie { said: quote(text), dice });
        };
        if Particle::Again.strip(behind).is_some_and(str::is_empty) {
            let shows = case.contest.throw_again(die, reader.attempt());
            return Ok(((die.key.clone(), shows), ""));
        }
        let shape = shape(&die.faces);
        let shows = read_one(behind, &shape, &reader.gm_view.sight.words()).map_err(|_| {
            let (quoted, is_named, die) = (quote(behind), behind.len() < text.len(), called(die));
            DecisionFault::NoFace {
                said: quoted,
                die,
                is_named,
                faces: faces(lexicon, &shape, lang),
            }
        })?;
        Ok(((die.key.clone(), shows), ""))
    }

    fn write(writer: &OverrideWriter<'_>, (key, shows): &(Key, Value)) -> Option<String> {
        Some(format!("{key}: {}", writer.value(shows)))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let Ok((case, whose)) = completing.reader.turn() else { return Vec::new() };
        let (lexicon, lang) = (completing.reader.gm_view.sight.game.lexicon(), completing.lang);
        let mut thrown = case.thrown().unwrap_or_default();
        thrown.retain(|die| die.seat == whose);
        let shown = |die: &Thrown| faces(lexicon, &shape(&die.faces), lang).into_iter();
        let is_named = input.contains([':', '：']);
        let Some((die, rest)) = is_named.then(|| named(lexicon, &thrown, input)).flatten() else {
            let name = |die| format!("{}: ", name(lexicon, &thrown, die, lang));
            let mut found = completing.words(input, thrown.iter().map(name));
            if let [die] = thrown.as_slice() {
                found.extend(completing.words(input, shown(die)));
            }
            return found;
        };
        completing.words(rest, shown(die).chain([Particle::Again.word(lang).to_owned()]))
    }
}

impl OverrideReader<'_> {
    /// Returns an attempt number that no window of the table has. The number changes with each decision, so
    /// repeated dry runs show the same throw until the next decision.
    fn attempt(&self) -> u32 {
        let decided = u32::try_from(self.gm_view.decided.len()).unwrap_or(u32::MAX);
        u32::MAX - decided
    }
}

/// Returns the die at the beginning of a text, by the longest of its names, and the rest of the text.
fn named<'d, 't>(
    lexicon: &Lexicon,
    thrown: &'d [Thrown],
    text: &'t str,
) -> Option<(&'d Thrown, &'t str)> {
    let all =
        thrown.iter().flat_map(|die| names(lexicon, thrown, die).map(move |name| (die, name)));
    let stands = |(die, name): (&'d Thrown, String)| Some((die, trim(behind(text, &name)?)));
    let named = all.filter_map(stands).min_by_key(|(_, rest)| rest.len());
    named.or(match thrown {
        [die] => Some((die, text)),
        _ => None,
    })
}

/// Returns the name of a die: that of its question, with its part if the name alone is ambiguous.
fn name(lexicon: &Lexicon, thrown: &[Thrown], die: &Thrown, lang: Lang) -> String {
    let label = lexicon.label(&die.key, lang);
    let is_alone =
        thrown.iter().filter(|other| lexicon.label(&other.key, lang) == label).count() < 2;
    if is_alone { label.to_owned() } else { format!("{} {label}", mark(lexicon, &die.key, lang)) }
}

/// Returns all names of a die, including its key, which is never shown.
fn names<'a>(
    lexicon: &'a Lexicon,
    thrown: &'a [Thrown],
    die: &'a Thrown,
) -> impl Iterator<Item = String> + 'a {
    let both = Lang::ALL.into_iter().map(move |lang| name(lexicon, thrown, die, lang));
    both.chain([die.key.to_string()])
}

/// Returns the names of a die's faces: each alone for a die with several at a time, the first for numbers.
fn faces(lexicon: &Lexicon, shape: &Shape, lang: Lang) -> Vec<String> {
    match shape {
        Shape::Choose { options, .. } | Shape::Pick { options, .. } => {
            options.iter().map(|id| lexicon.name(id, lang).to_owned()).collect()
        }
        &Shape::Number { min, max } => {
            (min..=max).take(MOST).map(|number| number.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the shape of a question for the faces of a die.
fn shape(faces: &Faces) -> Shape {
    match faces.clone() {
        Faces::One(options) => Shape::Choose { options, barred: Vec::new() },
        Faces::Several { options, count } => {
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            Shape::Pick { options, min: count, max: count }
        }
        Faces::Number { least, most } => Shape::Number { min: least, max: most },
    }
}

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
        match reader.gm_view.sight.stage {
            Stage::Forming => Ok((None, text)),
            // A single word is a name, and the seat is missing.
            _ if text.split_whitespace().nth(1).is_none() => Err(reader.lacks()),
            _ => reader.seat(text).map(|(seat, behind)| (Some(seat), behind)),
        }
    }

    fn of_option(reader: &mut OverrideReader<'_>, input: &str) -> Result<Option<Seat>> {
        match reader.gm_view.sight.stage {
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
    fn of_option(reader: &mut OverrideReader<'_>, input: &str) -> Result<Vec<Seat>> {
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
        let policies = reader.gm_view.sight.game.policies();
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
        let policies = completing.reader.gm_view.sight.game.policies();
        completing.words(input, policies.into_iter().map(ToOwned::to_owned))
    }
}
