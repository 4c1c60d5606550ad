//! The sections of a text with their marks and reserves, including sections that cannot be parsed.

use smol_str::SmolStr;

use crate::text::fold::{fold_name, is_bracket, is_break, is_space};
use crate::text::pieces::{fit, nearest};
use crate::text::read::{Deferred, HoldingBack, is_text, options, part};
use crate::text::{DeclarationReader, Edge, Hit, Mark, Meaning, SectionPlace, UnreadReason};
use crate::{Answer, Declaration, Key, Question, Shape};

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

/// The minimum length of a mark that opens a section without a colon in the middle of a line: shorter words
/// are too common.
const UNMISTAKABLE: usize = 4;

/// The context of a search for marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Within {
    Pieces,
    /// The player's own words, which may look like a mark by chance.
    FreeText,
}

impl DeclarationReader<'_> {
    /// Returns the mark here.
    pub(super) fn mark(&self, at: usize, within: Within) -> Option<Mark> {
        self.effort.look();
        let line_start = self.text.is_line_start(at);
        if within == Within::FreeText && !line_start {
            return None;
        }
        let hits = self.words.hits(&self.text, at);
        let mut best: Option<((bool, usize, bool), Mark)> = None;
        for hit in &hits {
            let Meaning::Section { id, colon } = hit.meaning else { continue };
            let Some(mark) = self.mark_of(id, *colon, hit, at, within, &hits) else { continue };
            let rank = (self.is_asked(id), hit.word.len(), !mark.bare);
            if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                best = Some((rank, mark));
            }
        }
        let (_, mark) = best?;
        if within == Within::FreeText {
            self.would_open(&mark).then_some(())?;
        }
        Some(mark)
    }

    /// True if a mark in a player's own words opens a section.
    fn would_open(&self, mark: &Mark) -> bool {
        match self.number_for(mark) {
            Ok(_) => true,
            // The section may be asked once the rest is parsed.
            Err(_) => !mark.bare && !self.is_asked(&mark.section),
        }
    }

    fn mark_of(
        &self,
        id: &SmolStr,
        wants_colon: bool,
        hit: &Hit<'_>,
        at: usize,
        within: Within,
        hits: &[Hit<'_>],
    ) -> Option<Mark> {
        let text = &self.text;
        let last = *hit.word.last()?;
        let (number, end) = match self.mark_number(hit.end) {
            (None, end) => self.spaced_number(id, hit).unwrap_or((None, end)),
            numbered => numbered,
        };
        let mark = |after, bare| Some(Mark { section: id.clone(), number, after, bare });
        let behind = text.skip_inline(end);
        if text.char(behind) == Some(':') {
            let clock = last.is_ascii_digit() && text.digits(behind + 1).is_some();
            let free = within == Within::FreeText;
            let begins = || text.is_line_start(at) || text.is_behind_comma(at);
            if (wants_colon && !begins()) || (free && clock) {
                return None;
            }
            return mark(self.behind_heading(id, behind + 1), false);
        }
        if wants_colon {
            return None;
        }
        if number.is_none() && self.is_lettered(id, hit, at) {
            return mark(hit.end, false);
        }
        if number.is_some() {
            return self.stands_alone(at, end).then(|| mark(end, false))?;
        }
        if hit.edge == Edge::Torn || !self.is_asked(id) {
            return None;
        }
        self.opens_bare(hit, at, within, hits).then(|| mark(hit.end, true))?
    }

    /// True if no letter or digit is attached before or after the word.
    fn stands_alone(&self, at: usize, end: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.text.char(before));
        let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '#');
        is_apart(before) && is_apart(self.text.char(end))
    }

    /// Parses the `#2` after a mark.
    fn mark_number(&self, end: usize) -> (Option<u8>, usize) {
        let number = || {
            (self.text.char(end)? == '#').then_some(())?;
            let (number, end) = self.text.digits(end + 1)?;
            Some((u8::try_from(number).ok()?, end))
        };
        number().map_or((None, end), |(number, end)| (Some(number), end))
    }

    /// Parses the `2` after a mark in letters and a space, where a part of this number is asked and none of its
    /// answers begins with a number.
    fn spaced_number(&self, id: &SmolStr, hit: &Hit<'_>) -> Option<(Option<u8>, usize)> {
        hit.word.last().is_some_and(|last| last.is_alphabetic()).then_some(())?;
        let at = self.text.skip(hit.end, is_space);
        let (number, end) = self.text.digits(at).filter(|_| at > hit.end)?;
        let number = u8::try_from(number).ok()?;
        let place = (id.clone(), number);
        let mut questions = self.questions_of(&place).peekable();
        questions.peek()?;
        let is_choice = |question: &Question| matches!(question.shape, Shape::Choose { .. });
        let begins = |question: &Question| fit(question, &self.text, at, self.words).is_some();
        let is_plain = questions.all(|question| is_choice(question) && !begins(question));
        (is_plain && self.stands_alone(at, end)).then_some((Some(number), end))
    }

    /// Returns the place after the rest of a heading such as `3:セットフェイズ`.
    fn behind_heading(&self, id: &SmolStr, at: usize) -> usize {
        let start = self.text.skip_inline(at);
        let same = |hit: &Hit<'_>| {
            let Meaning::Section { id: section, .. } = hit.meaning else { return false };
            let letters = hit.word.iter().all(|c| !c.is_ascii_digit());
            section == id && letters && hit.edge == Edge::Clean
        };
        let hits = self.words.hits(&self.text, start);
        let is_piece = |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Piece { .. });
        let piece = hits.iter().filter(|hit| is_piece(hit)).map(|hit| hit.word.len()).max();
        let heading = hits.iter().filter(|hit| same(hit)).max_by_key(|hit| hit.word.len());
        match heading.filter(|hit| piece < Some(hit.word.len())) {
            Some(hit) => hit.end,
            None => at,
        }
    }

    /// True if one of its alternatives directly follows a section's mark, as in `3A`.
    fn is_lettered(&self, id: &SmolStr, hit: &Hit<'_>, at: usize) -> bool {
        let text = &self.text;
        let clean = |hit: &&Hit<'_>| hit.edge == Edge::Clean;
        // A section that is not asked has no alternatives, but its pieces are named after it.
        let called = |piece: &Hit<'_>| {
            matches!(piece.meaning, Meaning::Piece { .. }) && piece.word.len() > hit.word.len()
        };
        let numbered = hit.word.last().is_some_and(char::is_ascii_digit);
        let called = numbered && self.words.hits(text, at).iter().filter(clean).any(called);
        let Some(next) = text.char(hit.end) else { return false };
        if next.is_whitespace() || is_bracket(next) {
            return called && text.is_line_start(at);
        }
        if called {
            return true;
        }
        let first = self.found.asked.iter().find(|asked| asked.question.key.section == *id);
        let options = first.map(|asked| nameable(&asked.question)).unwrap_or_default();
        let groups = self.words.groups(&options);
        let is_alternative = |hit: &Hit<'_>| match hit.meaning {
            Meaning::Piece { group, id } => groups.contains(group) || options.contains(id),
            _ => false,
        };
        self.words.hits(text, hit.end).iter().filter(clean).any(is_alternative)
    }

    /// True if a mark counts without a colon.
    fn opens_bare(&self, hit: &Hit<'_>, at: usize, within: Within, hits: &[Hit<'_>]) -> bool {
        let numbered = hit.word.last().is_some_and(char::is_ascii_digit);
        let unmistakable = !numbered && hit.word.len() >= UNMISTAKABLE;
        let other = |other: &&Hit<'_>| {
            !matches!(other.meaning, Meaning::Section { .. }) && other.edge != Edge::Torn
        };
        let other = hits.iter().filter(other).map(|other| other.word.len()).max();
        if within == Within::FreeText {
            return unmistakable && other < Some(hit.word.len());
        }
        let begins = self.text.is_line_start(at) || !numbered && self.text.is_behind_comma(at);
        if !begins {
            let is_next = self.begins_next(hit, at) && other <= Some(hit.word.len());
            return is_next || unmistakable && other < Some(hit.word.len());
        }
        if other > Some(hit.word.len()) {
            return false;
        }
        // A word that answers an open question is not a mark; but a number with text after it on its line is
        // the line's mark.
        let Some((_, fit)) = self.open_fit(at) else { return true };
        let rest = self.text.skip(fit.end, |c| is_space(c) || is_bracket(c));
        let alone = rest >= self.text.line_end(at);
        fit.weight < hit.word.len() || (numbered && fit.weight == hit.word.len() && !alone)
    }

    /// True if the name of a part to which one more can be added stands behind a whole part of its kind:
    /// `Gear Hood Gear Shoes`.
    fn begins_next(&self, hit: &Hit<'_>, at: usize) -> bool {
        let Meaning::Section { id, .. } = hit.meaning else { return false };
        let before = at.checked_sub(1).and_then(|before| self.text.char(before));
        let follows = self.text.skip(hit.end, is_space) < self.text.line_end(at);
        let is_answered = |question: &Question| self.answered.contains_key(&question.key);
        let is_whole = |here: &SectionPlace| {
            here.0 == *id && self.has_read(id, here.1) && self.questions_of(here).all(is_answered)
        };
        let adds = self.words.lexicon().adding.contains(id);
        adds && follows && before.is_some_and(is_space) && self.here.as_ref().is_some_and(is_whole)
    }

    /// Returns the occurrence of its section that a mark opens.
    pub(super) fn number_for(&self, mark: &Mark) -> Result<u8, UnreadReason> {
        self.effort.look();
        let section = &mark.section;
        if let Some(number) = mark.number {
            let is_asked = self.numbers(section).any(|asked| asked == number);
            return if is_asked { Ok(number) } else { Err(UnreadReason::NotAsked) };
        }
        match self.opened.get(section) {
            None => self.numbers(section).min().ok_or(UnreadReason::NotAsked),
            // Nothing has been read in the section yet: a heading, and then the mark itself.
            Some(&number) if !self.has_read(section, number) => Ok(number),
            Some(&number) => self.number_after(section, number).ok_or(UnreadReason::SectionTwice),
        }
    }

    /// Returns the next asked occurrence of a section.
    pub(super) fn number_after(&self, section: &SmolStr, number: u8) -> Option<u8> {
        self.numbers(section).filter(|&asked| asked > number).min()
    }

    /// Returns every asked occurrence of a section.
    fn numbers(&self, section: &SmolStr) -> impl Iterator<Item = u8> {
        let keys = self.found.asked.iter().map(|asked| &asked.question.key);
        keys.filter(move |key| key.section == *section).map(|key| key.number)
    }

    pub(super) fn is_asked(&self, section: &SmolStr) -> bool {
        self.found.asked.iter().any(|asked| asked.question.key.section == *section)
    }

    /// Returns the question that the label here names, in the section being parsed, and the start of its
    /// answer: `題名: …`.
    pub(super) fn label(&self, at: usize) -> Option<(Question, usize)> {
        let here = self.here.as_ref()?;
        let first = self.questions_of(here).find(|question| is_text(question));
        let next_text = self.text_question().map(|question| &question.key);
        // The first text may be any words, even a label.
        let next_text = next_text.filter(|key| first.is_some_and(|first| first.key != **key));
        let mut best: Option<(usize, bool, &Question, usize)> = None;
        for question in self.questions_of(here) {
            self.effort.look();
            let names = self.words.lexicon().labels_of(&question.key);
            let names = names.into_iter().flat_map(crate::text::lexicon::Names::all);
            for name in names.chain([question.key.name.as_str()]) {
                let word = fold_name(name);
                let Some(end) = self.text.spells(at, &word) else { continue };
                let colon = self.text.skip_inline(end);
                let after = match self.text.char(colon) {
                    Some(':' | '=') => colon + 1,
                    // The next text needs no colon.
                    Some(next)
                        if next != '\n' && colon > end && next_text == Some(&question.key) =>
                    {
                        colon
                    }
                    _ => continue,
                };
                let open = !self.answered.contains_key(&question.key);
                let better =
                    best.is_none_or(|(len, was_open, ..)| (word.len(), open) > (len, was_open));
                if !word.is_empty() && better {
                    best = Some((word.len(), open, question, after));
                }
            }
        }
        best.map(|(_, _, question, after)| (question.clone(), after))
    }
}

/// Returns the options that an answer may name, legal or barred.
fn nameable(question: &Question) -> Vec<SmolStr> {
    let barred = match &question.shape {
        Shape::Choose { barred, .. } => barred.as_slice(),
        _ => &[],
    };
    [options(question).unwrap_or_default(), barred].concat()
}

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

/// True if a word has no meaning by itself.
pub(super) fn means_nothing(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Noise | Meaning::Joint | Meaning::Verb(_))
}
