//! The parts of a declaration, by their names.

use super::{Case, DecreeFault, Reader, quote};
use crate::rules::text::{Lang, Lexicon, fold};
use crate::rules::{Declaration, Key, Seat};

impl Reader<'_> {
    /// The part that a text names: by its mark or its label, with its number from the second on, or
    /// by an answer within it.
    pub(super) fn part(&self, case: &Case, seat: Seat, rest: &str) -> Result<Key, DecreeFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let lexicon = self.bench.sight.game.lexicon();
        let parts = parts(case, seat);
        let said = squeezed(rest);
        let (name, number) = match said.rsplit_once('#') {
            Some((name, number)) => (name, number.parse().ok()),
            None => (said.as_str(), Some(1)),
        };
        let is_called = |part: &&Key| names(lexicon, part).any(|called| squeezed(&called) == name);
        let named = parts.iter().find(is_called);
        if let (Some(part), Some(number @ 1..)) = (named, number) {
            return Ok(part.clone().nth(number));
        }
        let form = |draft: &Declaration| case.contest.interview(seat, draft);
        let answered = self.text(rest, &Declaration::default(), &form).ok();
        let answered = answered.and_then(|reading| reading.lines.into_iter().next());
        answered.map(|line| line.key.whole()).ok_or_else(|| {
            let parts = parts.iter().map(|part| mark(lexicon, part, self.bench.lang)).collect();
            DecreeFault::NoPart { said: quote(rest), parts }
        })
    }
}

/// The parts that a seat is asked for, in order, each once.
pub(super) fn parts(case: &Case, seat: Seat) -> Vec<Key> {
    let declared = case.declared.as_ref().and_then(|declared| declared[seat].clone());
    let mut parts: Vec<Key> = Vec::new();
    for asked in case.contest.interview(seat, &declared.unwrap_or_default()).asked {
        let part = asked.question.key.whole();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// What a part is called in a declaration, with its number from the second on.
pub(super) fn mark(lexicon: &Lexicon, part: &Key, lang: Lang) -> String {
    let mark = lexicon.mark(&part.section, lang).unwrap_or(&part.section);
    if part.number == 1 { mark.to_owned() } else { format!("{mark}#{}", part.number) }
}

/// Everything that a part is called, but for its number.
fn names(lexicon: &Lexicon, part: &Key) -> impl Iterator<Item = String> {
    let first = part.whole().nth(1);
    let of = move |lang| [mark(lexicon, &first, lang), lexicon.label(&first, lang).to_owned()];
    std::iter::once(part.section.to_string()).chain(Lang::ALL.into_iter().flat_map(of))
}

/// As names are compared: without spaces.
pub(super) fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|c| !c.is_whitespace()).collect()
}
