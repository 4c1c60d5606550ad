//! Storing the parsed answers.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::text::leftover::FEW;
use crate::text::pieces::{ReadPiece, added};
use crate::text::read::{DeclarationReader, SectionPlace, is_text, legal, options, part, place};
use crate::text::reading::{Read, UnreadReason};
use crate::text::scan::{is_bracket, is_break, is_space};
use crate::text::words::{Edge, Hit, Meaning};
use crate::vocabulary::declaration::{Answer, Value};
use crate::vocabulary::question::{Key, Question, Shape};
use smol_str::SmolStr;

impl DeclarationReader<'_> {
    pub(super) fn add(&mut self, question: Question, piece: ReadPiece, place: Range<usize>) {
        let before = self.answered.get(&question.key).and_then(|q| self.declaration.get(&q.key));
        match added(&question, before, piece) {
            Some(answer) => self.set(question, answer, place),
            None => self.miss(place, Some(question.key.whole()), UnreadReason::TooMany, &[]),
        }
    }

    pub(super) fn set(&mut self, question: Question, answer: Answer, place: Range<usize>) {
        let key = question.key.clone();
        let span = self.text.span(place);
        if !self.has_read(&key.section, key.number) {
            // A new answer to a part also replaces its reserves.
            self.declaration.remove(&key.whole());
        }
        self.forget_what_hangs_on(&question, &answer);
        self.declaration.set(key.clone(), answer.clone());
        match self.lines.iter_mut().find(|line| line.key == key) {
            Some(line) if self.answered.contains_key(&key) => {
                line.span = line.span.start.min(span.start)..line.span.end.max(span.end);
                line.answer = answer;
            }
            Some(line) => *line = Read { span, key: key.clone(), answer },
            None => self.lines.push(Read { span, key: key.clone(), answer }),
        }
        self.answered.insert(key.clone(), question);
        self.last = Some(key);
        self.only = None;
        self.found = self.interview(&self.declaration);
    }

    /// Removes the answers that depend on a changed one. A draft's `3B 役者5 大×2` that becomes `3A` has neither
    /// a card nor a payment any more, and one that is typed again as `3B 役者5` has no payment.
    pub(super) fn forget_what_hangs_on(&mut self, question: &Question, answer: &Answer) {
        let key = &question.key;
        let decides = options(question).is_some() && !self.answered.contains_key(key);
        let Some(before) = self.declaration.get(key).filter(|_| decides) else { return };
        let changes = before != answer;
        let here = place(key);
        let is_first = self.questions_of(&here).next().is_some_and(|first| first.key == *key);
        // The same card typed again drops its payment.
        let is_paid = |other: &Question| !is_first && matches!(other.shape, Shape::Pay { .. });
        let behind = self.questions_of(&here).skip_while(|other| other.key != *key).skip(1);
        let behind = behind.filter(|other| changes || is_paid(other));
        // A question asked whatever this answer is does not depend on it.
        let mut without = self.declaration.clone();
        without.remove(key);
        let without = self.interview(&without).asked;
        let is_asked = |other: &&Question| without.iter().any(|asked| asked.question == **other);
        let behind = behind.filter(|other| !is_asked(other));
        let behind: Vec<Key> = behind
            .map(|other| other.key.clone())
            .filter(|other| !self.answered.contains_key(other))
            .collect();
        for other in behind {
            self.declaration.remove(&other);
        }
    }

    /// Parses `-`, `なし` or `pass` as leaving a question out.
    pub(super) fn read_pass(&mut self, at: usize) -> Option<usize> {
        if let Some(end) = self.read_none_of_it(at) {
            return Some(end);
        }
        let question = self.open_questions().next()?.clone();
        let passes = self.words.hits(&self.text, at).into_iter();
        let pass = passes.filter(|hit| hit.meaning.leaves_out() && hit.edge == Edge::Clean);
        let hit = pass.max_by_key(|hit| hit.word.len())?;
        let rest = self.text.char(hit.end);
        // A dash before a word is a bullet or a part of the word.
        let ends = rest.is_none_or(|c| is_break(c) || is_bracket(c));
        let alone = self.text.skip(hit.end, is_space) >= self.text.line_end(hit.end);
        let arrow = self.noise(at).is_some_and(|end| end > hit.end);
        if arrow || (hit.word == ['-'] && !ends) || (is_text(&question) && !alone) {
            return None;
        }
        if self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= hit.word.len()) {
            return None;
        }
        let does = |hit: &Hit<'_>| match hit.meaning {
            Meaning::Verb(verb) => {
                let does = |option: &SmolStr| verb.of.contains(option);
                options(&question).is_some_and(|options| options.iter().any(does))
            }
            _ => false,
        };
        if self.words.hits(&self.text, at).iter().any(does) {
            return None;
        }
        let (end, wants_none) = (hit.end, *hit.meaning == Meaning::Nothing);
        self.leave_out(question, wants_none, at..end);
        Some(end)
    }

    /// Leaves a question out. A word for nothing is misread where the rules demand an answer.
    fn leave_out(&mut self, question: Question, wants_none: bool, place: Range<usize>) {
        if !wants_none || question.can_be_nothing() {
            return self.set(question, Answer::LeftOut, place);
        }
        let legal = legal(&question);
        let near = if legal.len() <= FEW { legal } else { Vec::new() };
        self.miss(place, Some(question.key.whole()), UnreadReason::Needed, &near);
    }

    /// Parses `通す` alone as leaving everything out, if every question can be left out. `なし` keeps the
    /// answers that the draft has.
    pub(super) fn reads_as_pass(&mut self) -> bool {
        let gap = |at| self.text.skip(at, |c| is_break(c) || is_bracket(c));
        let mut begins = gap(0);
        // "Discard none" where no discard is asked leaves out nothing else.
        let is_asked =
            |id: &SmolStr| self.found.asked.iter().any(|asked| asked.question.key.section == *id);
        let is_elsewhere =
            |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Section { id, .. } if !is_asked(id));
        if self.words.hits(&self.text, begins).iter().any(is_elsewhere) {
            return false;
        }
        while let Some(after) = self.noise(begins).filter(|_| self.pass_word(begins).is_none()) {
            begins = gap(after);
        }
        let Some((end, is_nothing)) = self.pass_word(begins) else { return false };
        let is_alone = self.text.skip(end, |c| is_break(c) || is_bracket(c)) >= self.text.len();
        let asked = || self.found.asked.iter().map(|asked| &asked.question);
        let are_several = asked().map(|question| &question.key.section).collect::<BTreeSet<_>>();
        if !is_alone || are_several.len() < 2 {
            return false;
        }
        let open = self.found.asked.iter().filter(|asked| asked.answer.is_none());
        let open = open.map(|asked| &asked.question).filter(|question| question.can_pass());
        let open: Vec<Question> = open.cloned().collect();
        let keeps = is_nothing && !self.declaration.is_empty();
        let can_pass = asked().all(Question::can_pass) || keeps && begins == gap(0);
        if !can_pass || keeps && open.is_empty() {
            return false;
        }
        let left_out = if keeps { open } else { asked().cloned().collect() };
        for question in left_out {
            self.set(question, Answer::LeftOut, begins..end);
        }
        true
    }

    /// Returns the end of a word for passing, and true if the word is for nothing.
    fn pass_word(&self, at: usize) -> Option<(usize, bool)> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let passes = hits.filter(|hit| hit.meaning.leaves_out() && hit.edge == Edge::Clean);
        let is_word = |c: &char| c.is_alphanumeric();
        let words = passes.filter(|hit| hit.word.iter().any(is_word));
        let longest = words.max_by_key(|hit| hit.word.len());
        longest.map(|hit| (hit.end, *hit.meaning == Meaning::Nothing))
    }

    /// Parses `GRENADEなし`: a passing word attached to a choice takes the choice away again, as it does after
    /// the only option of a question (`GRENADE none`).
    fn read_none_of_it(&mut self, at: usize) -> Option<usize> {
        let line = self.lines.last().filter(|line| line.span.end <= self.text.start(at))?;
        matches!(line.answer, Answer::Given(Value::Choice(_))).then_some(())?;
        let question = self.answered.get(&line.key)?.clone();
        let between = &self.text.original()[line.span.end..self.text.start(at)];
        let is_only = options(&question).is_some_and(|options| options.len() == 1);
        let is_beside = between.is_empty() || (is_only && between.trim_matches(' ').is_empty());
        is_beside.then_some(())?;
        let (end, wants_none) = self.pass_word(at)?;
        self.leave_out(question, wants_none, at..end);
        Some(end)
    }

    pub(super) fn read_text(&mut self, raw: usize, end: usize) -> usize {
        let Some(question) = self.text_question().cloned() else { return end };
        let Shape::Text { form, .. } = question.shape else { return end };
        let (text, after) = if form.has_lines() {
            self.take_block(raw, end)
        } else {
            self.take_line(&question, raw, end)
        };
        if let Some(text) = text {
            self.set(question, Answer::Given(Value::Text(text)), raw..after);
        }
        after
    }

    /// Returns the end of a piece here that every answer includes without a word, such as the red of a red chip. Another piece of its kind is misread together with the answer it
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
