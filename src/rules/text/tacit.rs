//! Pieces that every answer includes without a word and that a text may name: the red of a red chip.

use crate::text::read::{DeclarationReader, SectionPlace, UnreadReason, part};
use crate::text::scan::{is_bracket, is_space};
use crate::text::words::{Edge, Hit, Meaning};
use crate::vocabulary::question::Question;

impl DeclarationReader<'_> {
    /// Returns the end of such a piece here. Another piece of its kind is misread together with the answer it
    /// belongs to: a player who types the yellow chip does not mean the red one that they have.
    pub(super) fn tacit(&mut self, at: usize, here: &SectionPlace) -> Option<usize> {
        let of = |question: &Question| question.tacit.clone();
        let tacit = self.questions_of(here).find_map(of)?;
        let groups = self.words.groups(std::slice::from_ref(&tacit));
        let hits = self.words.hits(&self.text, at);
        let of_its_kind = |hit: &Hit<'_>| match hit.meaning {
            Meaning::Piece { group, id } if hit.edge != Edge::Torn && groups.contains(group) => {
                Some((hit.end, *id == tacit))
            }
            _ => None,
        };
        let (end, is_it) = hits.iter().filter_map(of_its_kind).max_by_key(|(end, _)| *end)?;
        if is_it {
            return Some(end);
        }
        let mut next = end;
        while let Some(after) = self.noise(self.behind_gap(next)) {
            next = after;
        }
        let end = self.open_fit(self.behind_gap(next)).map_or(end, |(_, fit)| fit.end);
        self.miss(at..end, Some(part(&here.0, here.1)), UnreadReason::Tacit, &[tacit]);
        Some(end)
    }

    fn behind_gap(&self, at: usize) -> usize {
        self.text.skip(at, |c| is_space(c) || is_bracket(c))
    }
}
