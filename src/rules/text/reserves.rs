//! Reserves: the answers to a part if the first answer cannot stand: "3B Actor 5, else 3A".

use crate::text::read::{DeclarationReader, HoldingBack, SectionPlace, part};
use crate::text::reading::UnreadReason;
use crate::text::scan::{is_bracket, is_break};
use crate::text::words::{Edge, Meaning};
use crate::vocabulary::declaration::{Answer, Declaration};
use crate::vocabulary::question::Key;

impl DeclarationReader<'_> {
    /// Parses a reserve word, which precedes a reserve for the current part.
    pub(super) fn read_reserve(&mut self, at: usize) -> Option<usize> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let word = hits.filter(|hit| *hit.meaning == Meaning::Reserve && hit.edge == Edge::Clean);
        let end = word.map(|hit| hit.end).max()?;
        let here = self.here.clone().filter(|(section, number)| self.has_read(section, *number));
        let Some(place) = here.or_else(|| self.declared_place(end)) else {
            // A player's own words may begin like a reserve word.
            self.text_question().is_none().then_some(())?;
            let part = self.here.as_ref().map(part_of);
            self.miss(at..end, part, UnreadReason::ReserveAlone, &[]);
            return Some(end);
        };
        let mut holding = match self.holding_back.take() {
            Some(holding) => holding,
            None => HoldingBack { place: place.clone(), before: Vec::new(), word: at..end },
        };
        holding.word = at..end;
        // The draft's reserves come before the new one.
        let is_new = !self.has_read(&place.0, place.1);
        let before =
            if is_new { self.declaration.reserves(&part_of(&place)).to_vec() } else { Vec::new() };
        holding.before.push(self.take_part(&place));
        holding.before.extend(before);
        self.declaration.remove(&part_of(&place));
        self.holding_back = Some(holding);
        (self.only, self.last) = (None, None);
        self.found = self.interview(&self.declaration);
        Some(end)
    }

    /// Returns the part after a reserve word, if the draft answers it already.
    fn declared_place(&self, after: usize) -> Option<SectionPlace> {
        let next = self.text.skip(after, |c| is_break(c) || is_bracket(c));
        let place = match self.mark_behind_dash(next) {
            Some(mark) => (mark.section.clone(), self.number_for(&mark).ok()?),
            None => self.here.clone()?,
        };
        let declaration = self.declaration.of_part(&part_of(&place));
        let is_given = declaration.iter().any(|(_, answer)| matches!(answer, Answer::Given(_)));
        is_given.then_some(place)
    }

    /// Removes and returns the answers to a part.
    fn take_part(&mut self, (section, number): &SectionPlace) -> Declaration {
        let part = part(section, *number);
        let declaration = self.declaration.of_part(&part);
        for (key, _) in declaration.iter() {
            self.declaration.remove(key);
            self.answered.remove(key);
        }
        declaration
    }

    /// Stores the answers since the last reserve word as a reserve, unless the text goes on with this place.
    pub(super) fn hold_back(&mut self, goes_on: Option<&SectionPlace>) {
        let Some(holding) = self.holding_back.take() else { return };
        if goes_on == Some(&holding.place) {
            self.holding_back = Some(holding);
            return;
        }
        let last = self.take_part(&holding.place);
        let part = part(&holding.place.0, holding.place.1);
        let mut before = holding.before.into_iter();
        let first = before.next().unwrap_or_default();
        let mut reserves: Vec<Declaration> = before.collect();
        if last.is_empty() {
            self.miss(holding.word, Some(part.clone()), UnreadReason::ReserveAlone, &[]);
        } else {
            reserves.push(last);
        }
        self.declaration.extend(first);
        if !reserves.is_empty() {
            self.declaration.set(part, Answer::InReserve(reserves));
        }
        self.found = self.interview(&self.declaration);
        for (key, _) in self.declaration.of_part(&part_of(&holding.place)).iter() {
            if let Some(asked) = self.found.question(key) {
                self.answered.insert(key.clone(), asked.question.clone());
            }
        }
    }
}

fn part_of((section, number): &SectionPlace) -> Key {
    part(section, *number)
}
