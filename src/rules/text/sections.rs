//! The sections of a text, including those that cannot be parsed.

use smol_str::SmolStr;

use crate::text::leftover::means_nothing;
use crate::text::marks::Within;
use crate::text::nearest::nearest;
use crate::text::read::{DeclarationReader, Deferred, Mark, part};
use crate::text::reading::UnreadReason;
use crate::text::scan::{is_bracket, is_break, is_space};
use crate::text::words::{Edge, Hit, Meaning};

impl DeclarationReader<'_> {
    pub(super) fn open(&mut self, section: SmolStr, number: u8) {
        self.hold_back(Some(&(section.clone(), number)));
        self.opened.insert(section.clone(), number);
        self.here = Some((section, number));
        self.only = None;
        self.last = None;
    }

    /// Opens a section, or defers its text if it cannot be parsed now.
    pub(super) fn enter(&mut self, mark: Mark, start: usize, end: usize) -> usize {
        self.numbered |= mark.number.is_some();
        match self.number_for(&mark) {
            Ok(number) => {
                let after = mark.after;
                self.open(mark.section, number);
                // `3A` is the name of an alternative as well as a mark and a letter.
                match self.open_fit(start) {
                    Some((question, fit)) if fit.legal && fit.end > after => {
                        let end = fit.end;
                        self.add(question, fit.piece, start..end);
                        end
                    }
                    _ => {
                        // The mark of a list is its label, too.
                        self.only = self.list_asked().map(|question| question.key.clone());
                        after
                    }
                }
            }
            Err(why) => {
                let stop = self.next_mark(mark.after, end);
                self.deferred.push(Deferred { mark, start, end: stop, why });
                stop
            }
        }
    }

    /// Returns a mark here, even after a dash as a bullet.
    pub(super) fn mark_behind_dash(&self, at: usize) -> Option<Mark> {
        let dash = self.text.char(at) == Some('-') && self.text.is_line_start(at);
        let at = if dash { self.text.skip(at + 1, is_space) } else { at };
        self.mark(at, Within::Pieces)
    }

    /// Returns the place of the next mark.
    pub(super) fn next_mark(&self, from: usize, end: usize) -> usize {
        let gap = |c: char| is_break(c) || is_bracket(c);
        let mut at = self.text.skip(from, gap);
        while at < end && self.mark(at, Within::Pieces).is_none() {
            let word = self.text.skip(at, |c| !gap(c));
            at = self.text.skip(word.max(at + 1), gap);
        }
        at.min(end)
    }

    /// Skips words before any section, mostly greetings.
    pub(super) fn skip_preface(&mut self, at: usize, end: usize) -> usize {
        if let Some(after) = self.skip_unasked_part(at, end) {
            return after;
        }
        if let Some(after) = self.noise(at) {
            self.note_verb(at..after);
            return after;
        }
        let line = self.text.line_end(at).min(end);
        let word = self.text.skip(at, |c| !is_break(c) && !is_bracket(c));
        let stop = self.next_mark(word, line);
        let known = |hit: &Hit<'_>| {
            let says = matches!(hit.meaning, Meaning::Piece { .. }) || hit.meaning.leaves_out();
            says && hit.edge != Edge::Torn
        };
        let is_heading =
            self.text.chars()[at..word].ends_with(&[':']) || self.text.char(word) == Some(':');
        let begins = self.word_begins(at);
        let is_known = self.words.hits(&self.text, at).iter().any(known);
        let (why, near) = if self.found.asked.is_empty() {
            let why = if is_known { UnreadReason::NotAsked } else { UnreadReason::Unknown };
            (why, Vec::new())
        } else if is_heading || is_known {
            (UnreadReason::NoSection, Vec::new())
        } else {
            // The missing section is not the fault of an unknown word.
            (
                UnreadReason::Unknown,
                nearest(&self.text.chars()[begins..word], &self.legal_here(), self.words),
            )
        };
        self.miss(begins..stop.max(at + 1), None, why, &near);
        stop
    }

    /// Skips a line that begins with the name of a part that is not asked now. Returns its end, `None` if the
    /// line begins otherwise.
    pub(super) fn skip_unasked_part(&mut self, at: usize, end: usize) -> Option<usize> {
        self.text.is_line_start(at).then_some(())?;
        let hits = self.words.hits(&self.text, at);
        let clean = hits.iter().filter(|hit| hit.edge == Edge::Clean);
        let longest = clean.max_by_key(|hit| (hit.word.len(), !means_nothing(hit.meaning)))?;
        let Meaning::Section { id, colon: false } = longest.meaning else { return None };
        let is_number = longest.word.iter().all(char::is_ascii_digit);
        (!is_number && !self.is_asked(id)).then_some(())?;
        let section = part(id, 1);
        let stop = self.next_mark(longest.end, self.text.line_end(at).min(end));
        self.miss(at..stop, Some(section), UnreadReason::NotAsked, &[]);
        Some(stop)
    }

    pub(super) fn has_read(&self, section: &SmolStr, number: u8) -> bool {
        self.answered.keys().any(|key| key.section == *section && key.number == number)
    }

    /// Parses a section that is not asked for a piece that cannot be played now, and marks it as misread if
    /// it has none.
    pub(super) fn give_up(&mut self, deferred: Deferred) {
        let Deferred { mark, start, end, why } = deferred;
        if self.says_nothing(mark.after, end) {
            return;
        }
        let next = self.opened.get(&mark.section).map_or(1, |number| number.saturating_add(1));
        let place = (mark.section.clone(), mark.number.unwrap_or(next));
        let first = self.text.skip(mark.after, |c| is_break(c) || is_bracket(c));
        if let Some((question, fit)) = self.hidden(first, &place) {
            self.open(place.0, place.1);
            let after = fit.end;
            self.add(question, fit.piece, first..after);
            self.read_range(after, end);
        } else {
            self.miss(start..end, Some(part(&mark.section, 1)), why, &[]);
        }
    }

    /// True for a heading with nothing under it, or a part left out.
    pub(super) fn says_nothing(&self, from: usize, end: usize) -> bool {
        let mut at = from;
        loop {
            at = self.text.skip(at, |c| is_break(c) || is_bracket(c));
            if at >= end {
                return true;
            }
            let hits = self.words.hits(&self.text, at);
            let clean = hits.iter().filter(|hit| hit.edge == Edge::Clean);
            // `A` is an English article, and an alternative.
            let longest = clean.max_by_key(|hit| (hit.word.len(), !means_nothing(hit.meaning)));
            let says_nothing =
                |hit: &&Hit<'_>| means_nothing(hit.meaning) || hit.meaning.leaves_out();
            match longest.filter(says_nothing) {
                Some(hit) => at = hit.end,
                None => return false,
            }
        }
    }
}
