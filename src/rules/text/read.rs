//! Reading a text as a declaration, guided by what the interview asks.

use std::collections::BTreeMap;
use std::ops::Range;

use smol_str::SmolStr;

use super::fold::Folded;
use super::marks::{Mark, Within, options};
use super::nearest::nearest;
use super::pieces::{Fit, Piece, added, fit};
use super::scan::{is_bracket, is_break, is_bullet, is_one_word, is_space};
use super::words::{Edge, Hit, Meaning, Words};
use crate::rules::declaration::{Answer, Declaration, Value};
use crate::rules::interview::Interview;
use crate::rules::question::{Key, Question, Shape};

/// What was read in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The draft with everything that the text says.
    pub declaration: Declaration,
    /// What was read where, in the order of the text.
    pub lines: Vec<Read>,
    /// What was not understood, in the order of the text.
    pub misread: Vec<Misread>,
}

/// An answer and the place it was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The question.
    pub key: Key,
    /// How it was read.
    pub answer: Answer,
}

/// A piece of the text that says nothing the rules ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// That piece of the text.
    pub text: String,
    /// The part it stands in, if it stands in any.
    pub section: Option<Key>,
    /// What is wrong with it.
    pub why: Why,
    /// What would be legal there and looks like it, best first.
    pub nearest: Vec<SmolStr>,
}

/// Why a piece of text could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No word of the game.
    Unknown,
    /// A word of the game, but nothing asks for it here.
    NotHere,
    /// A section that nobody asks for now.
    NotAsked,
    /// A section more often than the rules allow.
    SectionTwice,
    /// It stands before any section.
    NoSection,
}

/// Reads a text as an addition to a draft; where both answer a question, the text counts. What
/// can be read is read, whatever else is misread.
pub fn read(
    text: &str,
    draft: &Declaration,
    form: &dyn Fn(&Declaration) -> Interview,
    words: &Words<'_>,
) -> Reading {
    let mut reader = Reader::new(text, draft, form, words);
    reader.read_all();
    reader.finish()
}

/// An occurrence of a section.
pub(super) type Place = (SmolStr, u8);

/// A stretch of text whose section cannot be read, or not yet.
struct Deferred {
    mark: Mark,
    start: usize,
    end: usize,
    why: Why,
}

/// A reading under way. Places in the text are indices of folded characters.
pub(super) struct Reader<'a> {
    pub(super) text: Folded<'a>,
    pub(super) words: &'a Words<'a>,
    form: &'a dyn Fn(&Declaration) -> Interview,
    said: Declaration,
    /// The form as it stands after what has been read.
    pub(super) found: Interview,
    /// The section being read.
    pub(super) here: Option<Place>,
    /// How often each section has been opened.
    pub(super) opened: BTreeMap<SmolStr, u8>,
    /// What this text has answered, as it was asked.
    pub(super) answered: BTreeMap<Key, Question>,
    /// The one question that a label has named.
    only: Option<Key>,
    /// The question answered last, to which more pieces may be added.
    last: Option<Key>,
    lines: Vec<Read>,
    misread: Vec<Misread>,
    deferred: Vec<Deferred>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        text: &'a str,
        draft: &Declaration,
        form: &'a dyn Fn(&Declaration) -> Interview,
        words: &'a Words<'a>,
    ) -> Self {
        let found = form(draft);
        let mut places = found.asked.iter().map(|asked| place(&asked.question.key));
        // Where only one section is asked, no mark is needed.
        let first = places.next();
        let single = first.filter(|(section, _)| places.all(|(other, _)| other == *section));
        Self {
            text: Folded::new(text),
            words,
            form,
            said: draft.clone(),
            opened: single.iter().cloned().collect(),
            here: single,
            found,
            answered: BTreeMap::new(),
            only: None,
            last: None,
            lines: Vec::new(),
            misread: Vec::new(),
            deferred: Vec::new(),
        }
    }

    /// Reads the text, and then again what could not be read before the rest was known: the
    /// answers to a card may stand before the card.
    pub(super) fn read_all(&mut self) {
        self.read_range(0, self.text.len());
        loop {
            let ready = |deferred: &Deferred| self.number_for(&deferred.mark).is_ok();
            let Some(index) = self.deferred.iter().position(ready) else { break };
            let deferred = self.deferred.remove(index);
            if let Ok(number) = self.number_for(&deferred.mark) {
                self.open(deferred.mark.section, number);
                self.read_range(deferred.mark.after, deferred.end);
            }
        }
    }

    fn finish(mut self) -> Reading {
        for deferred in std::mem::take(&mut self.deferred) {
            let section = Some(part(&deferred.mark.section, 1));
            self.miss(deferred.start..deferred.end, section, deferred.why, &[]);
        }
        self.lines.sort_by_key(|line| line.span.start);
        self.misread.sort_by_key(|misread| misread.span.start);
        Reading { declaration: self.said, lines: self.lines, misread: self.misread }
    }

    fn read_range(&mut self, from: usize, end: usize) {
        let mut at = from;
        while at < end {
            at = self.step(at, end).max(at + 1);
        }
        self.only = None;
    }

    /// Reads what stands next and gives where it ends.
    fn step(&mut self, at: usize, end: usize) -> usize {
        let text_next = self.open_questions().next().is_some_and(is_text);
        // Free text keeps its brackets and bullets.
        let raw = self.text.skip(at, |c| c.is_whitespace() || matches!(c, ':' | ',' | '、' | '。'));
        let new_line = self.text.chars()[at..raw.min(end)].contains(&'\n') || at == 0;
        let next = match text_next {
            false => self.text.skip(at, |c| is_break(c) || is_bracket(c)),
            true if new_line => self.text.skip(raw, |c| is_space(c) || is_bullet(c)),
            true => raw,
        };
        if next >= end {
            return end;
        }
        if new_line {
            self.only = None;
        }
        if let Some(mark) = self.mark_behind_dash(next) {
            return self.enter(mark, next, end);
        }
        let Some(here) = self.here.clone() else { return self.skip_preface(next, end) };
        if let Some((question, after)) = self.label(next) {
            self.answered.remove(&question.key);
            self.only = Some(question.key);
            return after;
        }
        if let Some(after) = self.read_pass(next) {
            return after;
        }
        if text_next && self.is_quoted_text(raw) {
            return self.read_text(raw, end);
        }
        if let Some((question, fit)) = self.piece(next, &here) {
            if let Some(after) = self.noise(next).filter(|after| *after > fit.end) {
                return after;
            }
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        if self.text_question().is_some() {
            return self.read_text(self.before_title(raw), end);
        }
        if let Some((number, question, fit)) = self.rolled_on(next, &here) {
            self.open(here.0, number);
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        self.noise(next).unwrap_or_else(|| self.skip_unknown(next, end))
    }

    // --- Sections ---

    fn open(&mut self, section: SmolStr, number: u8) {
        self.opened.insert(section.clone(), number);
        self.here = Some((section, number));
        self.only = None;
        self.last = None;
    }

    /// Goes into a section, or puts its text aside if it cannot be read now.
    fn enter(&mut self, mark: Mark, start: usize, end: usize) -> usize {
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
                    _ => after,
                }
            }
            Err(why) => {
                let stop = self.next_mark(mark.after, end);
                self.deferred.push(Deferred { mark, start, end: stop, why });
                stop
            }
        }
    }

    /// A mark, also where a dash stands before it as a bullet.
    fn mark_behind_dash(&self, at: usize) -> Option<Mark> {
        let dash = self.text.char(at) == Some('-') && self.text.is_line_start(at);
        let at = if dash { self.text.skip(at + 1, is_space) } else { at };
        self.mark(at, Within::Pieces)
    }

    /// Where the next mark stands.
    fn next_mark(&self, from: usize, end: usize) -> usize {
        let gap = |c: char| is_break(c) || is_bracket(c);
        let mut at = self.text.skip(from, gap);
        while at < end && self.mark(at, Within::Pieces).is_none() {
            let word = self.text.skip(at, |c| !gap(c));
            at = self.text.skip(word.max(at + 1), gap);
        }
        at.min(end)
    }

    /// Words before any section: greetings, mostly.
    fn skip_preface(&mut self, at: usize, end: usize) -> usize {
        if let Some(after) = self.noise(at) {
            return after;
        }
        let line = self.text.line_end(at).min(end);
        let stop = self.next_mark(self.text.skip(at, |c| !is_break(c) && !is_bracket(c)), line);
        self.miss(at..stop.max(at + 1), None, Why::NoSection, &[]);
        stop
    }

    pub(super) fn has_read(&self, section: &SmolStr, number: u8) -> bool {
        self.answered.keys().any(|key| key.section == *section && key.number == number)
    }

    // --- Questions ---

    /// Everything asked in an occurrence of a section, in order.
    pub(super) fn questions_of(
        &self,
        (section, number): &Place,
    ) -> impl Iterator<Item = &Question> {
        let questions = self.found.asked.iter().map(|asked| &asked.question);
        questions.filter(move |q| q.key.section == *section && q.key.number == *number)
    }

    /// What this text has not answered yet in the section being read, in order.
    pub(super) fn open_questions(&self) -> impl Iterator<Item = &Question> {
        let here = self.here.as_ref();
        here.into_iter().flat_map(|here| self.questions_of(here)).filter(|question| {
            let meant = self.only.as_ref().is_none_or(|only| *only == question.key);
            meant && !self.answered.contains_key(&question.key)
        })
    }

    /// The question for free text that comes next.
    fn text_question(&self) -> Option<&Question> {
        self.open_questions().find(|question| is_text(question))
    }

    /// The best piece here for an open question; nothing behind a free text is considered.
    pub(super) fn open_fit(&self, at: usize) -> Option<(Question, Fit)> {
        self.best(at, self.open_questions().take_while(|question| !is_text(question)))
    }

    fn best<'q>(
        &self,
        at: usize,
        questions: impl Iterator<Item = &'q Question>,
    ) -> Option<(Question, Fit)> {
        let fits = questions.filter_map(|q| Some((q, fit(q, &self.text, at, self.words)?)));
        let rank = |fit: &Fit| (fit.weight, fit.legal);
        let best =
            fits.reduce(|best, next| if rank(&next.1) > rank(&best.1) { next } else { best });
        best.map(|(question, fit)| (question.clone(), fit))
    }

    /// The piece here: more of what was answered last, an answer to an open question, or more
    /// of something else that takes several pieces.
    fn piece(&self, at: usize, here: &Place) -> Option<(Question, Fit)> {
        let more = self.best(at, self.unfinished().into_iter()).filter(|(_, fit)| fit.legal);
        more.or_else(|| self.open_fit(at)).or_else(|| {
            let several = |q: &&Question| {
                place(&q.key) == *here && matches!(q.shape, Shape::Pick { .. } | Shape::Pay { .. })
            };
            self.best(at, self.answered.values().filter(several))
        })
    }

    /// The question answered last, if its answer can have more pieces.
    pub(super) fn unfinished(&self) -> Option<&Question> {
        let last = self.last.as_ref().filter(|_| self.only.is_none())?;
        self.answered.get(last).filter(|question| self.takes_more(question))
    }

    fn takes_more(&self, question: &Question) -> bool {
        match (&question.shape, self.said.get(&question.key)) {
            (Shape::Pick { max, .. }, Some(Answer::Given(Value::Picks(picks)))) => {
                picks.len() < usize::from(*max)
            }
            (Shape::Pay { .. }, Some(Answer::Given(_))) => true,
            _ => false,
        }
    }

    /// A piece that begins the next occurrence of the section: `2: ストライキ タイアップ`.
    fn rolled_on(&self, at: usize, here: &Place) -> Option<(u8, Question, Fit)> {
        let number = self.number_after(&here.0, here.1)?;
        if !self.has_read(&here.0, here.1) {
            return None;
        }
        let next = (here.0.clone(), number);
        let first = self.questions_of(&next).next()?;
        let (question, fit) = self.best(at, std::iter::once(first))?;
        Some((number, question, fit))
    }

    // --- Answers ---

    fn add(&mut self, question: Question, piece: Piece, place: Range<usize>) {
        let before = self.answered.get(&question.key).and_then(|q| self.said.get(&q.key));
        let answer = added(&question, before, piece);
        self.set(question, answer, place);
    }

    fn set(&mut self, question: Question, answer: Answer, place: Range<usize>) {
        let key = question.key.clone();
        let span = self.text.span(place);
        self.forget_what_hangs_on(&question, &answer);
        self.said.set(key.clone(), answer.clone());
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
        self.found = (self.form)(&self.said);
    }

    /// A draft's `3B 役者5 大×2` that becomes `3A` has neither a card nor a payment any more.
    fn forget_what_hangs_on(&mut self, question: &Question, answer: &Answer) {
        let key = &question.key;
        let decides = options(question).is_some() && !self.answered.contains_key(key);
        let changes = self.said.get(key).is_some_and(|before| before != answer);
        if !(decides && changes) {
            return;
        }
        let behind: Vec<Key> = self
            .questions_of(&place(key))
            .skip_while(|other| other.key != *key)
            .skip(1)
            .map(|other| other.key.clone())
            .filter(|other| !self.answered.contains_key(other))
            .collect();
        for other in behind {
            self.said.remove(&other);
        }
    }

    /// `-`, `なし`, `pass`.
    fn read_pass(&mut self, at: usize) -> Option<usize> {
        let question = self.open_questions().next()?.clone();
        let passes = self.words.hits(&self.text, at).into_iter();
        let pass = passes.filter(|hit| *hit.meaning == Meaning::Pass && hit.edge == Edge::Clean);
        let hit = pass.max_by_key(|hit| hit.word.len())?;
        let rest = self.text.char(hit.end);
        // A dash before a word is a bullet or a part of it.
        let ends = rest.is_none_or(|c| is_break(c) || is_bracket(c));
        let alone = self.text.skip(hit.end, is_space) >= self.text.line_end(hit.end);
        if (hit.word == ['-'] && !ends) || (is_text(&question) && !alone) {
            return None;
        }
        if self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= hit.word.len()) {
            return None;
        }
        let end = hit.end;
        self.set(question, Answer::LeftOut, at..end);
        Some(end)
    }

    fn read_text(&mut self, raw: usize, end: usize) -> usize {
        let Some(question) = self.text_question().cloned() else { return end };
        let Shape::Text { lines, .. } = question.shape else { return end };
        let (text, after) =
            if lines { self.take_block(raw, end) } else { self.take_line(raw, end) };
        if let Some(text) = text {
            self.set(question, Answer::Given(Value::Text(text)), raw..after);
        }
        after
    }

    // --- What is no answer ---

    /// Where the words that mean nothing end, if some stand here.
    pub(super) fn noise(&self, at: usize) -> Option<usize> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let noise = hits.filter(|hit| *hit.meaning == Meaning::Noise && hit.edge == Edge::Clean);
        noise.map(|hit| hit.end).max()
    }

    fn skip_unknown(&mut self, at: usize, end: usize) -> usize {
        let section = self.here.as_ref().map(|(section, number)| part(section, *number));
        let is_digit = |at: usize| self.text.char(at).is_some_and(|c| c.is_ascii_digit());
        let gap = |c: char| is_break(c) || is_bracket(c);
        let mut stop = at + 1;
        while stop < end && self.text.char(stop).is_some_and(|c| !gap(c)) && !self.resumes(stop) {
            stop += 1;
        }
        let word = &self.text.chars()[at..stop];
        let near = nearest(word, &self.legal_here(), self.words);
        let is_known = |hit: &&Hit<'_>| {
            let piece = matches!(hit.meaning, Meaning::Piece { .. });
            // `役者大章` is rather a slip than an actor and something else.
            let slip = hit.end < stop && !near.is_empty();
            piece && hit.edge != Edge::Torn && !is_digit(hit.end) && !slip
        };
        let hits = self.words.hits(&self.text, at);
        if let Some(stop) = hits.iter().filter(is_known).map(|hit| hit.end).max() {
            let stop = self.text.times(stop).map_or(stop, |(_, stop)| stop);
            // Behind a fault the part is not asked on; the fault says all there is to say.
            let faulty = self.found.faults.iter().map(|fault| Some(fault.key.whole()));
            if !faulty.into_iter().any(|part| part == section) {
                self.miss(at..stop, section, Why::NotHere, &[]);
            }
            return stop;
        }
        // A smiley is not worth a complaint.
        let is_word = word.iter().any(|c| c.is_alphanumeric());
        if is_digit(stop - 1) && self.text.is_line_start(at) && self.text.char(stop) == Some(':') {
            // A section that does not exist: its text belongs to no other one.
            stop = self.next_mark(stop, self.text.line_end(at).min(end));
        }
        if is_word {
            self.miss(at..stop, section, Why::Unknown, &near);
        }
        stop
    }

    /// Whether something can be read again in the middle of an unknown word, as Japanese has no
    /// spaces.
    fn resumes(&self, at: usize) -> bool {
        let chars = self.text.chars();
        !is_one_word(chars[at - 1], chars[at])
            && self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= 2 && fit.legal)
    }

    /// What could be said here: the options of what is open, or of the whole section, or of
    /// everything that is asked.
    fn legal_here(&self) -> Vec<SmolStr> {
        let of = |questions: Vec<&Question>| -> Vec<SmolStr> {
            questions.into_iter().flat_map(legal).collect()
        };
        let open = of(self.open_questions().collect());
        if !open.is_empty() {
            return open;
        }
        let here = self.here.iter().flat_map(|here| self.questions_of(here)).collect();
        let here = of(here);
        if here.is_empty() {
            return of(self.found.asked.iter().map(|asked| &asked.question).collect());
        }
        here
    }

    fn miss(&mut self, place: Range<usize>, section: Option<Key>, why: Why, near: &[SmolStr]) {
        let span = self.text.span(place);
        let whole = &self.text.original()[span.clone()];
        let text = whole.trim();
        let start = span.start + (whole.len() - whole.trim_start().len());
        let span = start..start + text.len();
        let text = text.to_owned();
        self.misread.push(Misread { span, text, section, why, nearest: near.to_vec() });
    }
}

fn is_text(question: &Question) -> bool {
    matches!(question.shape, Shape::Text { .. })
}

/// The occurrence of a section that a question belongs to.
pub(super) fn place(key: &Key) -> Place {
    (key.section.clone(), key.number)
}

fn part(section: &SmolStr, number: u8) -> Key {
    Key { section: section.clone(), number, name: SmolStr::default() }
}

/// What can be named in an answer to a question, payments included.
pub(super) fn legal(question: &Question) -> Vec<SmolStr> {
    match &question.shape {
        Shape::Pay { purse, .. } => purse.iter().map(|kind| kind.id.clone()).collect(),
        _ => options(question).unwrap_or_default().to_vec(),
    }
}
