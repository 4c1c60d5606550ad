//! The parts of a declaration, by their names.

use crate::desk::overrides::bench::Case;
use crate::desk::overrides::read::misread::DecreeFault;
use crate::desk::overrides::read::{DecreeReader, quote};
use crate::rules::text::{Lang, Lexicon, NamedPart};
use crate::rules::{Declaration, Key, Seat};

impl DecreeReader<'_> {
    /// The part that a text names: by its mark or its label, with its number from the second on, or
    /// by an answer within it.
    pub(in crate::desk) fn part(
        &self,
        case: &Case,
        seat: Seat,
        rest: &str,
    ) -> Result<Key, DecreeFault> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let lexicon = self.bench.sight.game.lexicon();
        let parts = parts(case, seat);
        let named = NamedPart::read(rest);
        let part = parts.iter().find(|part| named.names(part, lexicon));
        if let (Some(part), number @ 1..) = (part, named.number.unwrap_or(1)) {
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
pub(in crate::desk) fn parts(case: &Case, seat: Seat) -> Vec<Key> {
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
pub(in crate::desk) fn mark(lexicon: &Lexicon, part: &Key, lang: Lang) -> String {
    let mark = lexicon.mark(&part.section, lang).unwrap_or(&part.section);
    if part.number == 1 { mark.to_owned() } else { format!("{mark}#{}", part.number) }
}
