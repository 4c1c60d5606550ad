//! How a decision could go on.

use crate::desk::overrides::bench::{Bench, Case};
use crate::desk::overrides::read::words::{OverrideReply, Particle, Verb, verb};
use crate::desk::overrides::read::{dice, fold, names, parts, seat, strip_last};
use crate::rules::question::Shape;
use crate::rules::text::{self, Completion, Lang};
use crate::rules::{Declaration, Interview, Seat};

/// At most so many are given: a menu holds no more.
pub(in crate::desk) const MOST: usize = 25;

/// What may come next in a decision. Of dice nothing is given away that the game master may not
/// know.
pub fn complete(text: &str, bench: &Bench, lang: Lang) -> Vec<Completion> {
    let completing = Completing { text, bench, lang };
    let said = verb(text).filter(|(_, rest)| text.ends_with(' ') || !rest.is_empty());
    let mut found = if let Some((verb, rest)) = said {
        completing.behind(verb, rest)
    } else {
        let verbs = Verb::all().map(|verb| verb.word(lang));
        completing.words(text, verbs.chain(OverrideReply::words(lang)).map(ToOwned::to_owned))
    };
    found.truncate(MOST);
    found
}

struct Completing<'a> {
    text: &'a str,
    bench: &'a Bench,
    lang: Lang,
}

impl Completing<'_> {
    /// The words that begin as the rest of the text does.
    fn words(&self, rest: &str, words: impl Iterator<Item = String>) -> Vec<Completion> {
        let (start, begun) = (self.text.len() - rest.len(), fold(rest));
        let fits = words.filter(|word| fold(word).starts_with(&begun));
        fits.map(|text| Completion { start, text }).collect()
    }

    fn seats(&self, rest: &str) -> Vec<Completion> {
        let all = self.bench.seats().flat_map(|seat| names(self.bench, seat));
        self.words(rest, all.map(ToOwned::to_owned))
    }

    /// What the game's own words can go on with.
    fn game(
        &self,
        rest: &str,
        draft: &Declaration,
        form: &dyn Fn(&Declaration) -> Interview,
    ) -> Vec<Completion> {
        let offset = self.text.len() - rest.len();
        let words = self.bench.sight.words();
        let found = text::complete(rest, draft, form, &words, self.lang).into_iter();
        found.map(|next| Completion { start: next.start + offset, ..next }).collect()
    }

    fn behind(&self, verb: Verb, rest: &str) -> Vec<Completion> {
        match verb {
            Verb::Rollback => {
                let windows = self.bench.windows.iter();
                self.words(rest, windows.map(|opened| opened.name(self.lang)))
            }
            Verb::Undo => {
                let stands = self.bench.decided.iter().filter(|logged| logged.undone.is_none());
                self.words(rest, stands.map(|logged| logged.number.from_one().to_string()))
            }
            Verb::Edit => {
                let Some(play) = &self.bench.sight.play else { return Vec::new() };
                let form = |draft: &Declaration| play.contest.rehearse(draft, self.bench.viewer());
                self.game(rest, &Declaration::default(), &form)
            }
            Verb::Replace
            | Verb::House
            | Verb::Swap
            | Verb::Call
            | Verb::Recall
            | Verb::Invite
            | Verb::Kick => match seat(self.bench, rest) {
                None => self.seats(rest),
                Some((_, rest)) if verb == Verb::Swap => self.seats(rest),
                Some((_, rest)) if verb == Verb::House => {
                    let policies = self.bench.sight.game.policies();
                    self.words(rest, policies.into_iter().map(ToOwned::to_owned))
                }
                Some(_) => Vec::new(),
            },
            Verb::Declare
            | Verb::AcceptLate
            | Verb::Return
            | Verb::Skip
            | Verb::Unskip
            | Verb::Die
            | Verb::Choose => self.judged(verb, rest),
            _ => Vec::new(),
        }
    }

    fn judged(&self, verb: Verb, rest: &str) -> Vec<Completion> {
        let (last, rest) = strip_last(rest);
        let of_table = Particle::Table.strip(rest).filter(|_| verb == Verb::Die);
        let seated = seat(self.bench, rest).map(|(seat, rest)| (Some(seat), rest));
        let Some((whose, rest)) = of_table.map(|rest| (None, rest)).or(seated) else {
            let mut found = self.seats(rest);
            if !last {
                found.extend(
                    self.words(rest, [Particle::Last.word(self.lang).to_owned()].into_iter()),
                );
            }
            return found;
        };
        let (also, rest) = strip_last(rest);
        let Some(case) = self.bench.case(last || also) else { return Vec::new() };
        match (verb, whose) {
            (Verb::Die, whose) => self.die(case, whose, rest),
            (Verb::Return, Some(seat)) => {
                let lexicon = self.bench.sight.game.lexicon();
                let parts = parts::parts(case, seat);
                self.words(rest, parts.iter().map(|part| parts::mark(lexicon, part, self.lang)))
            }
            (Verb::Declare | Verb::Choose, Some(seat)) => {
                let form = |draft: &Declaration| case.contest.interview(seat, draft);
                let declared = case.declared.as_ref().filter(|_| verb == Verb::Choose);
                let draft = declared.and_then(|declared| declared[seat].clone());
                self.game(rest, &draft.unwrap_or_default(), &form)
            }
            _ => Vec::new(),
        }
    }

    fn die(&self, case: &Case, whose: Option<Seat>, rest: &str) -> Vec<Completion> {
        let lexicon = self.bench.sight.game.lexicon();
        let mut thrown = case.thrown().unwrap_or_default();
        thrown.retain(|die| die.seat == whose);
        let several = thrown.len() > 1;
        let named = rest.contains([':', '：']).then(|| dice::named(lexicon, &thrown, rest));
        let Some((die, rest)) = named.flatten() else {
            let name = |die| format!("{}: ", dice::name(lexicon, &thrown, die, self.lang));
            let mut found = self.words(rest, thrown.iter().map(name));
            if let ([die], false) = (thrown.as_slice(), several) {
                found.extend(self.words(rest, self.faces(&dice::shape(&die.faces))));
            }
            return found;
        };
        let again = Particle::Again.word(self.lang).to_owned();
        self.words(rest, self.faces(&dice::shape(&die.faces)).chain([again]))
    }

    fn faces(&self, shape: &Shape) -> std::vec::IntoIter<String> {
        dice::faces(self.bench.sight.game.lexicon(), shape, self.lang).into_iter()
    }
}
