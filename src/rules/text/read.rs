//! The parser of a text as a declaration, guided by the interview's questions.
//!
//! Anybody can write a text, so [`Limits`] bound the work and not the content. Real declarations stay far below
//! them.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use smol_str::SmolStr;
use strum::{IntoStaticStr, VariantNames};

use crate::text::fold::{NUMBER_WORDS, NUMERALS, is_bracket, is_break, is_bullet, is_space};
use crate::text::pieces::Fit;
use crate::text::{Folded, Lang, Words};
use crate::{Answer, Asked, Declaration, Fault, Forms, Interview, Key, Question, Shape, Value};

/// The number of options above which nearly any word is an option.
const ANYTHING: usize = 16;

/// The maximum number of pieces that are parsed again.
const AGAIN: usize = 8;

/// Parses a text as an addition to a draft; if both answer a question, the text counts. Misread pieces do not
/// affect the other answers.
pub fn read(text: &str, draft: &Declaration, form: Forms<'_>, words: &Words<'_>) -> Reading {
    let mut reader = DeclarationReader::new(text, draft, form, words);
    reader.read_all();
    reader.finish()
}

/// Parses a text about a draft, as [`read`] does. If a piece stays unread, the text may answer the first open
/// question, or belong to one part as a whole: new answers to a part replace all earlier ones.
pub fn read_anew(text: &str, draft: &Declaration, form: Forms<'_>, words: &Words<'_>) -> Reading {
    let found = form(draft);
    let read_in = |draft: &Declaration, part: &Key| {
        let mark = words.lexicon().mark(&part.section, Lang::En).unwrap_or(&part.section);
        let reading = read(&format!("{mark}#{}: {text}", part.number), draft, form, words);
        Reading { numbered: false, ..reading }
    };
    if let Some(open) = found.open().next() {
        let key = &open.question.key;
        let answer = read_in(draft, key);
        let answers_it = answer.lines.first().is_some_and(|read| read.key == *key);
        // A pass would leave out whatever is asked, so it counts only in a part that has answers already.
        let mut marked = found.asked.iter().filter(|asked| !asked.question.is_list());
        let is_alone = marked.all(|asked| place(&asked.question.key) == place(key));
        let is_begun = is_alone || !draft.of_part(&key.whole()).is_empty();
        let says = is_begun || answer.lines.iter().any(|read| read.answer != Answer::LeftOut);
        let named = words.parts_at_the_ends(text);
        let is_of_another = !named.is_empty() && !named.contains(&key.section);
        if answers_it && says && answer.is_whole() && !is_of_another {
            return answer;
        }
    }
    let reading = read(text, draft, form, words);
    if reading.is_whole() {
        let before = without_what_follows(draft, &found, &reading, form);
        return if before == *draft || reading.numbered {
            reading
        } else {
            read(text, &before, form, words)
        };
    }
    // A question asked in advance that can be left out, or that takes nearly any option, is meant only with
    // its mark.
    let is_anything = |asked: &Asked| {
        let options = options(&asked.question).unwrap_or_default();
        matches!(asked.question.shape, Shape::Pick { .. }) && options.len() > ANYTHING
    };
    let parts = found.asked.iter().filter(|asked| !asked.is_idle() && !is_anything(asked));
    let parts = parts.map(|asked| asked.question.key.whole());
    let parts: BTreeSet<Key> = parts.filter(|part| part.number == 1).collect();
    // A name that opens one of the parts, or that the text ends with, means that part.
    let mut named = words.parts_named_in(text);
    named.append(&mut words.parts_closed_by(text));
    named.retain(|section| parts.iter().any(|part| part.section == *section));
    let stands = |part: Key| {
        if named.iter().any(|section| *section != part.section)
            || words.lacks_name(text, &part.section)
        {
            return None;
        }
        let mut before = draft.clone();
        before.retain(|key| key.section != part.section || key.number == 1);
        let answer = read_in(&before, &part);
        // A player's own words fit any part.
        let is_text = |read: &Read| matches!(&read.answer, Answer::Given(Value::Text(_)));
        let is_there =
            answer.lines.iter().all(|read| read.key.section == part.section && !is_text(read));
        // "No event" leaves out the part of events.
        let says = answer.lines.iter().any(|read| read.answer != Answer::LeftOut)
            || answer.verbs.contains(&part.section)
            || named.contains(&part.section);
        let is_meant = is_there && says && !is_of_another(text, &answer, words);
        (is_meant && answer.is_whole()).then_some(answer)
    };
    let mut standing: Vec<Reading> = parts.into_iter().filter_map(stands).collect();
    if standing.len() > 1 {
        // The part in which the piece is legal is meant.
        standing.retain(|answer| form(&answer.declaration).is_as_sound_as(&found));
    }
    match (standing.pop(), standing.is_empty()) {
        (Some(answer), true) => answer,
        _ => reading,
    }
}

/// True if a text gives a piece as an answer in a part named after another piece of its kind, without that
/// name.
pub(super) fn is_of_another(text: &str, reading: &Reading, words: &Words<'_>) -> bool {
    let named = words.parts_named_in(text);
    reading.lines.iter().any(|read| {
        let part = &read.key.section;
        !named.contains(part) && words.is_another(part, &read.answer)
    })
}

/// Returns the draft without the answers to parts that follow from a part begun anew, and that are asked only
/// because of it.
fn without_what_follows(
    draft: &Declaration,
    found: &Interview,
    reading: &Reading,
    form: Forms<'_>,
) -> Declaration {
    let mut before = draft.clone();
    for asked in &found.asked {
        let key = &asked.question.key;
        let is_first = found.asked.iter().find(|it| it.question.key.whole() == key.whole());
        let begins = key.number == 1 && is_first.is_some_and(|first| first.question.key == *key);
        if !begins || !reading.lines.iter().any(|read| read.key == *key) {
            continue;
        }
        let mut bare = draft.clone();
        bare.retain(|other| other.section != key.section);
        let bare = form(&bare);
        let is_asked = |part: &Key| bare.asked.iter().any(|it| it.question.key.whole() == *part);
        before.retain(|other| {
            other.section != key.section || other.number == 1 || is_asked(&other.whole())
        });
    }
    before
}

/// A mark of a section.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) section: SmolStr,
    /// The occurrence, if the mark gives it: `3#2:`.
    pub(super) number: Option<u8>,
    /// The place at which the text of the section begins.
    pub(super) after: usize,
    /// True if the mark has neither a colon nor a letter of the section's alternatives.
    pub(super) bare: bool,
}

impl Mark {
    /// Returns the mark of a section that is not in the text.
    pub(super) fn plain(section: SmolStr) -> Self {
        Self { section, number: None, after: 0, bare: false }
    }
}

/// A stretch of text whose section cannot be parsed, or not yet.
pub(super) struct Deferred {
    pub(super) mark: Mark,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) why: UnreadReason,
}

/// A part whose reserves are being parsed.
pub(super) struct HoldingBack {
    pub(super) place: SectionPlace,
    /// The answers to the part before, in order.
    pub(super) before: Vec<Declaration>,
    /// The place of the last reserve word.
    pub(super) word: Range<usize>,
}

/// A verb in the text.
#[derive(Clone, Debug)]
pub(super) struct SaidVerb {
    pub(super) place: Range<usize>,
    /// The pieces and parts that the verb belongs to.
    pub(super) of: Vec<SmolStr>,
    /// The numbers that the verb gives.
    pub(super) says: Vec<(Key, i64)>,
}

/// An occurrence of a section.
pub(super) type SectionPlace = (SmolStr, u8);

/// The state of a parse. Places in the text are indices of folded characters.
pub(super) struct DeclarationReader<'a> {
    pub(super) text: Folded<'a>,
    pub(super) words: &'a Words<'a>,
    pub(super) form: Forms<'a>,
    pub(super) declaration: Declaration,
    /// The form after the answers parsed so far.
    pub(super) found: Interview,
    /// The current section.
    pub(super) here: Option<SectionPlace>,
    /// The last opened occurrence of each section.
    pub(super) opened: BTreeMap<SmolStr, u8>,
    /// The questions that this text has answered.
    pub(super) answered: BTreeMap<Key, Question>,
    /// The one question that a label has named.
    pub(super) only: Option<Key>,
    /// The question answered last, which may take more pieces.
    pub(super) last: Option<Key>,
    pub(super) lines: Vec<Read>,
    pub(super) misread: Vec<Misread>,
    pub(super) deferred: Vec<Deferred>,
    pub(super) verbs: Vec<SaidVerb>,
    pub(super) effort: Effort,
    /// The part whose reserves are being parsed.
    pub(super) holding_back: Option<HoldingBack>,
    /// True if a mark gives its number.
    pub(super) numbered: bool,
}

impl<'a> DeclarationReader<'a> {
    pub(super) fn new(
        text: &'a str,
        draft: &Declaration,
        form: Forms<'a>,
        words: &'a Words<'a>,
    ) -> Self {
        let found = form(draft);
        // With a single section, no mark is needed. A list is marked anyway.
        let marked = found.asked.iter().filter(|asked| !asked.question.is_list());
        let mut places = marked.map(|asked| place(&asked.question.key));
        let first = places.next();
        let single = first.filter(|(section, _)| places.all(|(other, _)| other == *section));
        Self {
            text: Folded::new(text),
            words,
            form,
            declaration: draft.clone(),
            opened: single.iter().cloned().collect(),
            here: single,
            found,
            answered: BTreeMap::new(),
            only: None,
            last: None,
            lines: Vec::new(),
            misread: Vec::new(),
            deferred: Vec::new(),
            verbs: Vec::new(),
            effort: Effort::new(DECLARATION),
            holding_back: None,
            numbered: false,
        }
    }

    /// Returns the form with this draft.
    pub(super) fn interview(&self, declaration: &Declaration) -> Interview {
        self.effort.interview();
        (self.form)(declaration)
    }

    /// Parses the text, and then the pieces that depended on later ones: the answers to a card may come
    /// before the card.
    pub(super) fn read_all(&mut self) {
        if self.reads_as_pass() {
            return;
        }
        let end = self.text.len().min(self.effort.characters());
        self.read_range(0, end);
        if end < self.text.len() {
            self.miss(end..self.text.len(), None, UnreadReason::TooLong, &[]);
        }
        // A continuation of the text goes on at its end.
        let (here, last) = (self.here.clone(), self.last.clone());
        // The first answer may ask questions that a reserve does not.
        self.hold_back(None);
        loop {
            let ready = |deferred: &Deferred| self.number_for(&deferred.mark).is_ok();
            if self.effort.is_spent() {
                break;
            }
            let Some(index) = self.deferred.iter().position(ready) else { break };
            let deferred = self.deferred.remove(index);
            if let Ok(number) = self.number_for(&deferred.mark) {
                self.open(deferred.mark.section, number);
                self.read_range(deferred.mark.after, deferred.end);
            }
        }
        for deferred in std::mem::take(&mut self.deferred) {
            self.give_up(deferred);
        }
        self.read_missed_again();
        (self.here, self.last) = (here, last);
    }

    /// Parses misplaced pieces again now that the rest is known: the player may come before the card that is
    /// used on them.
    fn read_missed_again(&mut self) {
        loop {
            let is_early = |misread: &Misread| misread.why == UnreadReason::NotHere;
            let mut early: Vec<Misread> =
                self.misread.iter().filter(|it| is_early(it)).cloned().collect();
            early.truncate(AGAIN);
            let before = early.len();
            early.retain(|misread| !self.reads_now(misread));
            if early.len() == before || self.effort.is_spent() {
                return;
            }
        }
    }

    /// Parses a misplaced piece in its part. True if it answers a question now.
    fn reads_now(&mut self, misread: &Misread) -> bool {
        let Some(part) = &misread.section else { return false };
        let (missed, place) = (self.misread.clone(), place(part));
        if !self.has_read(&place.0, place.1) || self.holding_back.is_some() {
            return false;
        }
        self.misread.retain(|other| other != misread);
        let count = self.misread.len();
        (self.here, self.only, self.last) = (Some(place), None, None);
        let start = self.text.index_at(misread.span.start);
        let end = self.text.index_at(misread.span.end);
        self.read_range(start, end);
        let reads = self.misread.len() == count;
        if !reads {
            self.misread = missed;
        }
        reads
    }

    pub(super) fn finish(mut self) -> Reading {
        self.hold_back(None);
        self.drop_broken_payments();
        self.add_what_verbs_say();
        self.miss_idle_verbs();
        self.lines.sort_by_key(|line| line.span.start);
        self.misread.sort_by_key(|misread| misread.span.start);
        self.cut_misread();
        let faulty: Vec<SectionPlace> =
            self.found.faults.iter().map(|fault| place(&fault.key)).collect();
        let is_moot = |misread: &Misread| {
            let is_number = misread.text.bytes().all(|byte| byte.is_ascii_digit());
            let is_known = misread.why == UnreadReason::NotHere
                || is_number && misread.why == UnreadReason::Unknown;
            is_known && misread.section.as_ref().is_some_and(|part| faulty.contains(&place(part)))
        };
        let (moot, misread) = self.misread.into_iter().partition(is_moot);
        let verbs = self.verbs.into_iter().flat_map(|verb| verb.of).collect();
        Reading {
            declaration: self.declaration,
            lines: self.lines,
            misread,
            verbs,
            moot,
            refused: Vec::new(),
            numbered: self.numbered,
        }
    }

    /// Removes a payment with a misread part: it counts as left out, not as a smaller payment.
    fn drop_broken_payments(&mut self) {
        let counts = |misread: &Misread| {
            // A known piece of another kind is not a part of a payment.
            let digits = misread.why != UnreadReason::NotHere;
            let counts =
                |c: &char| *c == '×' || digits && (c.is_ascii_digit() || NUMERALS.contains(c));
            let folded = Folded::new(&misread.text);
            let word: String = folded.chars().iter().collect();
            folded.chars().iter().any(counts) || digits && NUMBER_WORDS.contains(&word.as_str())
        };
        let whole = self.text.original();
        let mut broken = Vec::new();
        for misread in &mut self.misread {
            let slip = matches!(
                misread.why,
                UnreadReason::Unknown | UnreadReason::NotHere | UnreadReason::TooMany
            );
            let Some(section) = misread.section.as_ref().filter(|_| slip && counts(misread)) else {
                continue;
            };
            let beside = |line: &&Read| {
                let pays = matches!(&line.answer, Answer::Given(Value::Payment(_)));
                let first = line.span.start.min(misread.span.start);
                let last = line.span.end.max(misread.span.end);
                // A piece before the payment that resembles another option was meant as that option.
                let of_it = misread.nearest.is_empty() || misread.span.start > line.span.start;
                let one_line = !whole[first..last].contains('\n');
                pays && of_it && one_line && place(&line.key) == place(section)
            };
            let Some(line) = self.lines.iter().find(beside) else { continue };
            broken.push(line.key.clone());
            if misread.why != UnreadReason::TooMany {
                misread.why = UnreadReason::Payment;
            }
        }
        if broken.is_empty() {
            return;
        }
        for key in &broken {
            self.declaration.remove(key);
        }
        self.lines.retain(|line| !broken.contains(&line.key));
        self.found = self.interview(&self.declaration);
    }

    pub(super) fn read_range(&mut self, from: usize, end: usize) {
        let mut at = from;
        while at < end {
            if self.effort.is_spent() {
                let section = self.here.as_ref().map(|(section, number)| part(section, *number));
                self.miss(at..end, section, UnreadReason::TooLong, &[]);
                break;
            }
            at = self.step(at, end).max(at + 1);
        }
        self.only = None;
    }

    /// Merges the rest of very many misread pieces into one.
    fn cut_misread(&mut self) {
        let Some(rest) = self.misread.get(MISREAD..).filter(|rest| rest.len() > 1) else { return };
        let end = rest.iter().map(|misread| misread.span.end).max().unwrap_or_default();
        let rest = &rest[0];
        let span = rest.span.start..end;
        let text = self.text.original()[span.clone()].to_owned();
        let (section, why) = (rest.section.clone(), UnreadReason::TooLong);
        self.misread.truncate(MISREAD);
        self.misread.push(Misread { span, text, section, why, nearest: Vec::new() });
    }

    /// Parses the next piece and returns its end.
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
        if new_line && self.list_asked().is_none_or(|list| self.only.as_ref() != Some(&list.key)) {
            self.only = None;
        }
        if let Some(after) = self.read_reserve(next) {
            return after;
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
        let piece = self.piece(next, &here);
        // Passing on the only option of a question begins the section once more.
        let is_offered_else = |question: &Question, fit: &Fit| {
            !fit.legal && options(question).is_some_and(|options| options.len() == 1)
        };
        let rolled = || self.rolled_on(next, &here).filter(|(_, _, fit)| fit.legal);
        let passed = piece.as_ref().filter(|(question, fit)| is_offered_else(question, fit));
        if let Some((number, question, fit)) = passed.and_then(|_| rolled()) {
            self.open(here.0, number);
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        if let Some((question, fit)) = piece {
            if let Some(after) = self.noise(next).filter(|after| *after > fit.end) {
                self.note_verb(next..after);
                return after;
            }
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        if let Some((question, fit)) = self.numbered(next) {
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        if self.text_question().is_some_and(|question| self.is_own_text(question, raw)) {
            return self.read_text(self.before_title(raw), end);
        }
        if let Some((number, question, fit)) = self.rolled_on(next, &here) {
            self.open(here.0, number);
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        if let Some(after) = self.tacit(next, &here) {
            return after;
        }
        if let Some(after) = self.noise(next) {
            self.note_verb(next..after);
            return after;
        }
        if let Some((question, fit)) = self.hidden(next, &here) {
            let after = fit.end;
            self.add(question, fit.piece, next..after);
            return after;
        }
        self.skip_unknown(next, end)
    }
}

/// True if the question asks for the player's own words.
pub(super) fn is_text(question: &Question) -> bool {
    matches!(question.shape, Shape::Text { .. })
}

/// Returns the occurrence of a section that a question belongs to.
pub(super) fn place(key: &Key) -> SectionPlace {
    (key.section.clone(), key.number)
}

/// Returns the key of an occurrence of a section as a whole.
pub(super) fn part(section: &SmolStr, number: u8) -> Key {
    Key { section: section.clone(), number, name: SmolStr::default() }
}

/// Returns the options that an answer can name, payments included.
pub(super) fn legal(question: &Question) -> Vec<SmolStr> {
    match &question.shape {
        Shape::Pay { purse, .. } => purse.iter().map(|kind| kind.id.clone()).collect(),
        _ => options(question).unwrap_or_default().to_vec(),
    }
}

/// Returns the legal options of a choice or a pick.
pub(super) fn options(question: &Question) -> Option<&[SmolStr]> {
    match &question.shape {
        Shape::Choose { options, .. } | Shape::Pick { options, .. } => Some(options),
        _ => None,
    }
}

/// The result of parsing a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The draft with all answers of the text.
    pub declaration: Declaration,
    /// The answers with their places, in the order of the text.
    pub lines: Vec<Read>,
    /// The pieces that were not understood, in the order of the text.
    pub misread: Vec<Misread>,
    /// The pieces and parts of the verbs in the text.
    pub verbs: Vec<SmolStr>,
    /// The pieces that no question asks for because their part is faulty already, in the order of the text.
    /// The interview's faults explain that.
    pub moot: Vec<Misread>,
    /// The fault for which the text was refused, `None` if it counts.
    pub refused: Vec<Fault>,
    /// True if the text gives the number of a part.
    pub numbered: bool,
}

impl Reading {
    /// True if all of the text was understood.
    pub fn is_whole(&self) -> bool {
        self.misread.is_empty() && self.moot.is_empty() && self.refused.is_empty()
    }

    /// True if the text has answers, and all of it is understood.
    pub(super) fn says_all(&self) -> bool {
        self.is_whole() && !self.lines.is_empty()
    }

    /// Returns the answer that counts first. A line in reserve has the key of that answer.
    pub(super) fn first<'r>(&'r self, read: &'r Read) -> &'r Answer {
        self.declaration.get(&read.key).unwrap_or(&read.answer)
    }
}

/// An answer with its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The byte range in the text.
    pub span: Range<usize>,
    pub key: Key,
    pub answer: Answer,
}

/// A piece of the text that answers no question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The byte range in the text.
    pub span: Range<usize>,
    /// The piece of the text.
    pub text: String,
    /// The part that contains the piece, `None` if there is none.
    pub section: Option<Key>,
    /// The reason.
    pub why: UnreadReason,
    /// The legal options similar to the piece, best first.
    pub nearest: Vec<SmolStr>,
}

/// The reason why a piece of text could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum UnreadReason {
    /// The piece is no word of the game.
    Unknown,
    /// The piece is a word of the game, but no question here asks for it.
    NotHere,
    /// The section is not asked now.
    NotAsked,
    /// The section comes more often than the rules allow.
    SectionTwice,
    /// The piece comes before any section.
    NoSection,
    /// The count is more than can ever exist.
    TooMany,
    /// The piece is of the same kind as the one included without a word, which is the nearest.
    Tacit,
    /// Only one piece can be named, and the text has named the nearest.
    OneOnly,
    /// The piece could mean any of the nearest.
    Several,
    /// The piece was not parsed, because the text is too long.
    TooLong,
    /// The piece is a part of a payment, which counts as left out as a whole.
    Payment,
    /// A reserve word has nothing before it or after it.
    ReserveAlone,
    /// The piece chooses nothing, and the rules demand an answer.
    Needed,
    /// The piece could be the player's own words, but nothing marks it as such.
    Unquoted,
}

/// The maximum number of misread pieces listed one by one.
pub(super) const MISREAD: usize = 40;

/// The limits of one parse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum number of folded characters. Some characters become many: `㌢` three, `ﷺ` eighteen.
    pub(super) characters: usize,
    /// The maximum number of interviews.
    pub(super) interviews: u32,
    /// The maximum number of searches for a piece, a mark or a label.
    pub(super) looks: u32,
}

/// The limits for a declaration.
pub(super) const DECLARATION: Limits = Limits { characters: 6000, interviews: 250, looks: 30_000 };

/// The limits for an act, whose text is tried under every possible deed.
pub(super) const ACT: Limits = Limits { characters: 400, interviews: 40, looks: 4000 };

/// The work done so far in a parse.
#[derive(Debug)]
pub(super) struct Effort {
    limits: Limits,
    interviews: Cell<u32>,
    looks: Cell<u32>,
}

impl Effort {
    /// Creates a counter with these limits.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, interviews: Cell::new(0), looks: Cell::new(0) }
    }

    /// Returns the maximum number of characters.
    pub(super) fn characters(&self) -> usize {
        self.limits.characters
    }

    /// Counts an interview.
    pub(super) fn interview(&self) {
        self.interviews.set(self.interviews.get() + 1);
    }

    /// Counts a search.
    pub(super) fn look(&self) {
        self.looks.set(self.looks.get() + 1);
    }

    /// Returns the numbers of interviews and searches.
    #[cfg(test)]
    pub(super) fn taken(&self) -> (u32, u32) {
        (self.interviews.get(), self.looks.get())
    }

    /// True if a limit is reached and the parse must stop.
    pub(super) fn is_spent(&self) -> bool {
        self.interviews.get() >= self.limits.interviews || self.looks.get() >= self.limits.looks
    }
}
