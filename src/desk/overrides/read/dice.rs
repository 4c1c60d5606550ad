//! The dice of a resolution, by the names of their questions.

use crate::desk::model::overrides::Change;
use crate::desk::overrides::bench::Case;
use crate::desk::overrides::read::complete::MOST;
use crate::desk::overrides::read::misread::DecreeFault;
use crate::desk::overrides::read::parts::mark;
use crate::desk::overrides::read::words::Particle;
use crate::desk::overrides::read::{DecreeReader, behind, quote, trim};
use crate::rules::question::Shape;
use crate::rules::text::{Lang, Lexicon, read_one};
use crate::rules::{Faces, Seat, Thrown};

impl DecreeReader<'_> {
    /// Which die, and what it shows. If it is the only one of its seat, it need not be named.
    pub(in crate::desk) fn die(
        &self,
        case: &Case,
        seat: Option<Seat>,
        rest: &str,
    ) -> Result<Change, DecreeFault> {
        let mut thrown = case.thrown().ok_or(DecreeFault::Hidden)?;
        thrown.retain(|die| die.seat == seat);
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let (lexicon, lang) = (self.bench.sight.game.lexicon(), self.bench.lang);
        let called = |die: &Thrown| name(lexicon, &thrown, die, lang);
        let Some((die, behind)) = named(lexicon, &thrown, rest) else {
            let dice = thrown.iter().map(called).collect();
            return Err(DecreeFault::NoDie { said: quote(rest), dice });
        };
        let is_named = behind.len() < rest.len();
        let rest = behind;
        if Particle::Again.strip(rest).is_some_and(str::is_empty) {
            let shows = case.contest.throw_again(die, self.attempt());
            return Ok(Change::Die { seat, key: die.key.clone(), shows });
        }
        let shape = shape(&die.faces);
        let shows = read_one(rest, &shape, &self.bench.sight.words()).map_err(|_| {
            let (said, die) = (quote(rest), called(die));
            DecreeFault::NoFace { said, die, is_named, faces: faces(lexicon, &shape, lang) }
        })?;
        Ok(Change::Die { seat, key: die.key.clone(), shows })
    }

    /// An attempt that no window of the table is, another one with each decision: as often as a
    /// throw is looked at before one is made, it shows the same.
    fn attempt(&self) -> u32 {
        let decided = u32::try_from(self.bench.decided.len()).unwrap_or(u32::MAX);
        u32::MAX - decided
    }
}

/// The die at the beginning of a text, by the longest of its names, and what stands behind it.
pub(in crate::desk) fn named<'d, 't>(
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

/// What a die is called: what it is thrown for, with its part where that alone is no name.
pub(in crate::desk) fn name(
    lexicon: &Lexicon,
    thrown: &[Thrown],
    die: &Thrown,
    lang: Lang,
) -> String {
    let label = lexicon.label(&die.key, lang);
    let is_alone =
        thrown.iter().filter(|other| lexicon.label(&other.key, lang) == label).count() < 2;
    if is_alone { label.to_owned() } else { format!("{} {label}", mark(lexicon, &die.key, lang)) }
}

/// Everything that a die is called. Its key is told by nobody, and understood all the same.
fn names<'a>(
    lexicon: &'a Lexicon,
    thrown: &'a [Thrown],
    die: &'a Thrown,
) -> impl Iterator<Item = String> + 'a {
    let both = Lang::ALL.into_iter().map(move |lang| name(lexicon, thrown, die, lang));
    both.chain([die.key.to_string()])
}

/// What a die can show. Of several at once none is written for them.
pub(in crate::desk) fn faces(lexicon: &Lexicon, shape: &Shape, lang: Lang) -> Vec<String> {
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

/// What is asked for where a die may show this.
pub(in crate::desk) fn shape(faces: &Faces) -> Shape {
    match faces.clone() {
        Faces::One(options) => Shape::Choose { options, barred: Vec::new() },
        Faces::Several { options, count } => {
            let count = u8::try_from(count).unwrap_or(u8::MAX);
            Shape::Pick { options, min: count, max: count }
        }
        Faces::Number { least, most } => Shape::Number { min: least, max: most },
    }
}
