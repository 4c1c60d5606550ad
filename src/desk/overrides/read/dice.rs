//! The dice of a resolution, by the names of their questions.

use crate::overrides::read::arguments::{Argument, Taken};
use crate::overrides::read::complete::{ArgumentForm, Completing, MOST};
use crate::overrides::read::misread::{DecisionFault, quote};
use crate::overrides::read::reader::{OverrideReader, trim};
use crate::overrides::read::words::Particle;
use crate::overrides::read::write::{OverrideWriter, mark};
use rules::question::Shape;
use rules::text::{Completion, Lang, Lexicon, read_one};
use rules::{Faces, Key, Thrown, Value};
use tables::vocabulary::behind;

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
        let (lexicon, lang) = (reader.bench.sight.game.lexicon(), reader.bench.lang);
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
        let shows = read_one(behind, &shape, &reader.bench.sight.words()).map_err(|_| {
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
        let (lexicon, lang) = (completing.reader.bench.sight.game.lexicon(), completing.lang);
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
        let decided = u32::try_from(self.bench.decided.len()).unwrap_or(u32::MAX);
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
