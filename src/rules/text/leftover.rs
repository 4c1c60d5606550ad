//! The rest of a text: a player's own words, words without meaning, and words that are not understood.

use std::ops::Range;

use smol_str::SmolStr;

use crate::text::fold::{is_bracket, is_break, is_bullet, is_one_word, is_space};
use crate::text::pieces::{LONGEST, nearest};
use crate::text::read::{MISREAD, SaidVerb, is_text, legal, part, place};
use crate::text::sections::{Within, means_nothing};
use crate::text::words::VerbMeaning;
use crate::text::{DeclarationReader, Edge, Hit, Meaning, Misread, UnreadReason};
use crate::{Answer, Declaration, Key, Question, Shape, TextForm, Value};

/// The maximum number of alternatives shown for a misplaced piece.
pub(super) const FEW: usize = 6;

/// True if a declaration names one of these pieces or answers in one of these parts, also in reserve.
fn says_any(declaration: &Declaration, of: &[SmolStr]) -> bool {
    declaration.iter().any(|(key, answer)| {
        let names = match (answer, answer.value()) {
            (Answer::InReserve(all), _) => all.iter().any(|declaration| says_any(declaration, of)),
            (_, Some(Value::Choice(id))) => of.contains(id),
            (_, Some(Value::Picks(ids))) => ids.iter().any(|id| of.contains(id)),
            (_, Some(Value::Payment(pieces))) => pieces.iter().any(|(id, _)| of.contains(id)),
            _ => false,
        };
        names || of.contains(&key.section)
    })
}

impl DeclarationReader<'_> {
    /// Returns the end of the meaningless words here, `None` if there are none.
    pub(super) fn noise(&self, at: usize) -> Option<usize> {
        let hits = self.words.hits(&self.text, at).into_iter();
        let noise = hits.filter(|hit| means_nothing(hit.meaning) && hit.edge == Edge::Clean);
        noise.map(|hit| hit.end).max()
    }

    /// Stores the verb here, if the words have no other meaning.
    pub(super) fn note_verb(&mut self, place: Range<usize>) {
        let hits = self.words.hits(&self.text, place.start).into_iter();
        let hits: Vec<Hit<'_>> =
            hits.filter(|hit| hit.end == place.end && hit.edge == Edge::Clean).collect();
        let nothing = |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Noise | Meaning::Joint);
        let of = hits.iter().filter_map(|hit| match hit.meaning {
            Meaning::Verb(verb) => Some(verb),
            _ => None,
        });
        let verbs: Vec<&VerbMeaning> = of.collect();
        let of: Vec<SmolStr> = verbs.iter().flat_map(|verb| verb.of.clone()).collect();
        let says = verbs.iter().flat_map(|verb| verb.says.clone()).collect();
        if !of.is_empty() && !hits.iter().any(nothing) {
            self.verbs.push(SaidVerb { place, of, says });
        }
    }

    /// Adds the numbers that the only verb gives.
    pub(super) fn add_what_verbs_say(&mut self) {
        let [verb] = &self.verbs[..] else { return };
        for (key, number) in verb.says.clone() {
            let open = self.found.question(&key).filter(|asked| asked.answer.is_none());
            let Some(question) = open.map(|asked| asked.question.clone()) else { continue };
            let place = self.verbs[0].place.clone();
            self.set(question, Answer::Given(Value::Number(number)), place);
        }
    }

    /// Marks verbs as not understood if their pieces and parts are not in the parts that the text answers.
    pub(super) fn miss_idle_verbs(&mut self) {
        let here = self.here.iter().map(|(section, number)| part(section, *number));
        let parts: Vec<Key> = self.lines.iter().map(|line| line.key.whole()).chain(here).collect();
        let mut declaration = self.declaration.clone();
        declaration.retain(|key| parts.contains(&key.whole()));
        for SaidVerb { place, of, .. } in self.verbs.clone() {
            let is_here = self.here.as_ref().is_some_and(|(section, _)| of.contains(section));
            if !is_here && !says_any(&declaration, &of) {
                let section = self.here.as_ref().map(|(section, number)| part(section, *number));
                self.miss(place, section, UnreadReason::Unknown, &[]);
            }
        }
    }

    pub(super) fn skip_unknown(&mut self, at: usize, end: usize) -> usize {
        if let Some(after) = self.skip_unasked_part(at, end) {
            return after;
        }
        let section = self.here.as_ref().map(|(section, number)| part(section, *number));
        if self.misread.len() > MISREAD {
            // After very many misread words, only the next part is parsed again.
            let stop = self.next_mark(at, end).max(at + 1);
            self.miss(at..stop, section, UnreadReason::Unknown, &[]);
            return stop;
        }
        let is_digit = |at: usize| self.text.char(at).is_some_and(|c| c.is_ascii_digit());
        let gap = |c: char| is_break(c) || is_bracket(c);
        let is_piece = |hit: &&Hit<'_>| {
            let piece = matches!(hit.meaning, Meaning::Piece { .. });
            piece && hit.edge != Edge::Torn && !is_digit(hit.end)
        };
        let hits = self.words.hits(&self.text, at);
        // A known word may be a slip of a longer one only up to the maximum length of a slip.
        let far = if hits.iter().any(|hit| is_piece(&hit)) { at + LONGEST } else { end };
        let mut stop = at + 1;
        while stop < end
            && stop <= far
            && self.text.char(stop).is_some_and(|c| !gap(c))
            && !self.effort.is_spent()
            && !self.resumes(stop)
        {
            stop += 1;
        }
        let begins = self.word_begins(at);
        let word = &self.text.chars()[begins..stop];
        let near = nearest(word, &self.legal_here(), self.words);
        let is_known = |hit: &&Hit<'_>| {
            // `役者大章` is a slip rather than an actor and another word.
            let slip = hit.end < stop && !near.is_empty();
            is_piece(hit) && !slip
        };
        if let Some(stop) = hits.iter().filter(is_known).map(|hit| hit.end).max() {
            let counted = self.text.times(stop).map(|(_, stop)| stop);
            let miscounted = || {
                let sign = self.text.skip_inline(stop) + 1;
                let word = self.text.skip(sign, is_space);
                self.text.skip(word, |c| !gap(c))
            };
            let is_miscounted = self.text.is_miscounted(stop);
            let stop = counted.or_else(|| is_miscounted.then(miscounted)).unwrap_or(stop).min(end);
            if let Some(named) = self.named_instead(&hits) {
                self.miss(at..stop, section, UnreadReason::OneOnly, &[named]);
                return stop;
            }
            let legal = self.open_questions().next().map(legal).unwrap_or_default();
            let near = if legal.len() <= FEW && !is_miscounted { legal } else { Vec::new() };
            self.miss(at..stop, section, UnreadReason::NotHere, &near);
            return stop;
        }
        if self.text_question().is_some() {
            let stop = self.next_mark(stop, self.text.line_end(at).min(end));
            self.miss(begins..stop, section, UnreadReason::Unquoted, &[]);
            return stop;
        }
        // A smiley deserves no complaint.
        let is_word = word.iter().any(|c| c.is_alphanumeric());
        if is_digit(stop - 1) && self.text.is_line_start(at) && self.text.char(stop) == Some(':') {
            // The text of a section that does not exist belongs to no other one.
            stop = self.next_mark(stop, self.text.line_end(at).min(end));
        } else if let Some((_, counted)) = self.text.times(stop) {
            // The count of an unknown word goes with it.
            stop = counted.min(end);
        }
        if let Some(begins) = self.misnumbered(begins..stop) {
            let near = nearest(&self.text.chars()[begins..stop], &self.legal_here(), self.words);
            self.miss(begins..stop, section, UnreadReason::Unknown, &near);
        } else if is_word {
            self.miss(begins..stop, section, UnreadReason::Unknown, &near);
        }
        stop
    }

    /// Returns the option that this text has already named for the same question as the word here, if only
    /// one can be named.
    fn named_instead(&self, hits: &[Hit<'_>]) -> Option<SmolStr> {
        let here = self.here.as_ref()?;
        let is_here = |id: &SmolStr| {
            let is_it =
                |hit: &Hit<'_>| matches!(hit.meaning, Meaning::Piece { id: it, .. } if it == id);
            hits.iter().any(is_it)
        };
        let offers = |question: &Question| match &question.shape {
            Shape::Choose { options, barred } => options.iter().chain(barred).any(is_here),
            _ => false,
        };
        let answered = self.answered.values().filter(|question| place(&question.key) == *here);
        answered.into_iter().find_map(|question| {
            let Some(Answer::Given(Value::Choice(named))) = self.declaration.get(&question.key)
            else {
                return None;
            };
            offers(question).then(|| named.clone())
        })
    }

    /// Returns the start of a piece with a name and a number that do not go together, and removes the answer
    /// read from its name.
    fn misnumbered(&mut self, number: Range<usize>) -> Option<usize> {
        let chars = self.text.chars();
        chars[number.clone()].iter().all(char::is_ascii_digit).then_some(())?;
        let key = self.last.clone()?;
        let read = self.lines.iter().find(|line| line.key == key)?;
        matches!(read.answer, Answer::Given(Value::Choice(_))).then_some(())?;
        let begins = (0..number.start).find(|at| self.text.start(*at) >= read.span.start)?;
        let end = (begins..number.start).rev().find(|at| !is_space(chars[*at]))? + 1;
        let is_next = self.text.span(begins..end) == read.span;
        (is_next && self.words.is_numbered(&chars[begins..end])).then_some(())?;
        self.declaration.remove(&key);
        self.answered.remove(&key);
        self.lines.retain(|line| line.key != key);
        self.last = None;
        self.found = self.interview(&self.declaration);
        Some(begins)
    }

    /// Returns the start of an unknown word whose beginning was taken for a meaningless word, such as the `で`
    /// of `でたらめ`.
    pub(super) fn word_begins(&self, at: usize) -> usize {
        let gap = |c: &char| is_break(*c) || is_bracket(*c);
        let is_cut = |from: &usize| {
            let before = from.checked_sub(1).and_then(|before| self.text.chars().get(before));
            before.is_none_or(gap) && self.noise(*from) == Some(at)
        };
        let chars = &self.text.chars()[..at];
        let near = chars.iter().rev().take(LONGEST).take_while(|c| !gap(c)).count();
        (at - near..at).find(is_cut).unwrap_or(at)
    }

    /// True if the parse can resume in the middle of an unknown word, as Japanese has no spaces.
    fn resumes(&self, at: usize) -> bool {
        let chars = self.text.chars();
        !is_one_word(chars[at - 1], chars[at])
            && self.open_fit(at).is_some_and(|(_, fit)| fit.weight >= 2 && fit.legal)
    }

    /// Returns the possible words here: the options of the open questions, or of the whole section, or of all
    /// questions.
    pub(super) fn legal_here(&self) -> Vec<SmolStr> {
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

    pub(super) fn miss(
        &mut self,
        place: Range<usize>,
        section: Option<Key>,
        why: UnreadReason,
        near: &[SmolStr],
    ) {
        let span = self.text.span(place);
        let whole = &self.text.original()[span.clone()];
        let text = whole.trim();
        let start = span.start + (whole.len() - whole.trim_start().len());
        let span = start..start + text.len();
        let text = text.to_owned();
        // A piece listed several times is named once.
        let mut nearest = near.to_vec();
        nearest.dedup();
        self.misread.push(Misread { span, text, section, why, nearest });
    }
}

/// The quotation marks that may enclose a text.
const QUOTES: [(char, char); 10] = [
    ('『', '』'),
    ('「', '」'),
    ('“', '”'),
    ('【', '】'),
    ('《', '》'),
    ('〈', '〉'),
    ('〔', '〕'),
    ('«', '»'),
    ('｢', '｣'),
    ('"', '"'),
];

impl DeclarationReader<'_> {
    /// True if a text in quotation marks begins here.
    pub(super) fn is_quoted_text(&self, raw: usize) -> bool {
        let rest = &self.text.original()[self.text.start(raw)..];
        opening(rest).is_some_and(|(open, _)| open != '【') && self.before_title(raw) == raw
    }

    /// True if the words here are the player's own. A text of several lines begins in quotation marks, after
    /// its label, or at the start of a line; a stray word after an answer does not begin one.
    pub(super) fn is_own_text(&self, question: &Question, raw: usize) -> bool {
        let Shape::Text { form, .. } = question.shape else { return true };
        form == TextForm::Line
            || self.only.is_some()
            || (form == TextForm::Lines && self.text.is_line_start(raw))
            || opening(&self.text.original()[self.text.start(self.before_title(raw))..]).is_some()
    }

    /// Returns the next question if it asks for a list.
    pub(super) fn list_asked(&self) -> Option<&Question> {
        self.text_question().filter(|question| question.is_list())
    }

    /// Returns the place after words copied from a form: `『映画の公開』【題名】`.
    pub(super) fn before_title(&self, raw: usize) -> usize {
        let behind = || {
            let open = self.text.char(raw)?;
            let pair = QUOTES.iter().find(|(first, _)| *first == open);
            let start = raw + usize::from(pair.is_some());
            let mut end = self.noise(start)?;
            while let Some(after) = self.noise(self.text.skip(end, |c| is_space(c) || c == ',')) {
                end = after;
            }
            if let Some((_, close)) = pair {
                (self.text.char(end)? == *close).then_some(())?;
                end += 1;
            }
            let title = self.text.skip(end, is_space);
            let quoted = QUOTES.iter().any(|(first, _)| self.text.char(title) == Some(*first));
            quoted.then_some(title)
        };
        behind().unwrap_or(raw)
    }

    /// Returns the rest of the line, or the part of it that answers this question, and its end.
    pub(super) fn take_line(
        &self,
        question: &Question,
        raw: usize,
        end: usize,
    ) -> (Option<String>, usize) {
        let stop = self.text.line_end(raw).min(end);
        let reserve = self.reserve_behind(raw, stop);
        let stop = reserve.unwrap_or(stop);
        let (text, after) = self.before_note(question, raw, stop).unwrap_or((stop, stop));
        let from = self.behind_quotes(raw, text).unwrap_or(raw + 1);
        let labelled = (from..text).find(|&at| self.is_other_label(question, at));
        let (text, after) = labelled.map_or((text, after), |at| (at, at));
        let is_gap = |c: char| matches!(c, ' ' | '\u{3000}' | '/');
        // A comma before a reserve does not belong to the title.
        let is_comma = |c: char| reserve.is_some() && matches!(c, ',' | '\u{ff0c}' | '、' | '。');
        let written = self.text.piece(raw..text).trim_end_matches(|c| is_gap(c) || is_comma(c));
        (unquoted(written), after)
    }

    /// Returns the place where the grammar resumes after a text: at a reserve word followed by the mark of a
    /// part. Everything within quotation marks is the player's own.
    fn reserve_behind(&self, raw: usize, stop: usize) -> Option<usize> {
        let from = self.behind_quotes(raw, stop).unwrap_or(raw + 1);
        (from..stop).find(|&at| {
            let before = self.text.char(at - 1);
            let is_apart = before.is_some_and(|c| is_break(c) || is_bracket(c));
            let reserve = || {
                let hits = self.words.hits(&self.text, at).into_iter();
                let hits =
                    hits.filter(|hit| *hit.meaning == Meaning::Reserve && hit.edge == Edge::Clean);
                hits.map(|hit| hit.end).max()
            };
            let opens = |behind: usize| {
                let next = self.text.skip(behind, |c| is_break(c) || is_bracket(c));
                next < stop && self.mark(next, Within::Pieces).is_some()
            };
            is_apart && reserve().is_some_and(opens)
        })
    }

    /// Returns the place after the quotation marks with which a text begins.
    fn behind_quotes(&self, raw: usize, stop: usize) -> Option<usize> {
        let text = self.text.piece(raw..stop);
        let (open, close) = opening(text)?;
        let behind = closing(text, open, close)? + close.len_utf8();
        Some(self.text.index_at(self.text.start(raw) + behind))
    }

    /// Returns the end of a text in quotation marks, if only a note of the form or another quoted text
    /// follows, and the place to go on.
    fn before_note(&self, question: &Question, raw: usize, stop: usize) -> Option<(usize, usize)> {
        let behind = self.behind_quotes(raw, stop)?;
        let next = self.text.skip(behind, is_space);
        let first = self.text.char(next).filter(|_| next < stop)?;
        let other = self.open_questions().any(|other| is_text(other) && other.key != question.key);
        if other && QUOTES.iter().any(|(open, _)| *open == first) {
            return Some((behind, next));
        }
        let is_mark = self.mark(next, Within::Pieces).is_some();
        (!is_mark && self.says_nothing(next, stop)).then_some((behind, stop))
    }

    /// True if the label of another text is here, after a gap.
    fn is_other_label(&self, question: &Question, at: usize) -> bool {
        let gap = self.text.char(at - 1).is_some_and(|c| is_space(c) || c == '/');
        let other = |(other, _): (Question, usize)| is_text(&other) && other.key != question.key;
        gap && self.label(at).is_some_and(other)
    }

    /// Returns the lines up to one that opens another section, and their end.
    pub(super) fn take_block(&self, raw: usize, end: usize) -> (Option<String>, usize) {
        let stop = self.block_end(raw, end);
        let stop = self.reserve_behind(raw, stop).unwrap_or(stop);
        let start = self.text.start(raw);
        let original = self.text.original();
        if let Some((text, length)) = leading_quote(&original[start..]) {
            let close = self.text.index_at(start + length);
            let next =
                self.text.skip(close, |c| is_space(c) || matches!(c, ',' | '、' | '。' | '.'));
            let opens = |at| self.mark(at, Within::Pieces).is_some_and(|mark| !mark.bare);
            if next < stop && opens(next) {
                return (Some(text.to_owned()), close);
            }
        }
        if let Some((text, length)) = quoted_block(&original[start..]) {
            // Within quotation marks a line may look like a mark.
            let close = self.text.index_at(start + length);
            let behind = self.text.skip(close, char::is_whitespace);
            if behind >= stop.min(self.text.len()) {
                return (Some(text.to_owned()), close.max(stop));
            }
        }
        let is_around = |c: char| c.is_whitespace() || matches!(c, ',' | '\u{ff0c}' | '、');
        let written = self.text.piece(raw..stop);
        let written = if stop < end { written.trim_end_matches(is_around) } else { written };
        (unquoted(written), stop)
    }

    fn block_end(&self, raw: usize, end: usize) -> usize {
        let mut at = raw;
        loop {
            let line = self.text.line_end(at);
            if line >= end {
                return end;
            }
            let next = self.text.skip(line, |c| c.is_whitespace() || is_bullet(c) || c == '-');
            let opens = |at| self.mark(at, Within::FreeText).is_some() || self.label(at).is_some();
            if next < end && opens(next) {
                return line;
            }
            at = line + 1;
        }
    }
}

/// Returns the quotation marks with which a text begins.
fn opening(text: &str) -> Option<(char, char)> {
    let first = text.chars().next()?;
    QUOTES.into_iter().find(|(open, _)| *open == first)
}

/// Returns the quoted text at the beginning, and its length with the marks.
fn leading_quote(text: &str) -> Option<(&str, usize)> {
    let (open, close) = opening(text)?;
    let end = closing(text, open, close)?;
    Some((&text[open.len_utf8()..end], end + close.len_utf8()))
}

/// Returns the quoted text at the beginning, if nothing follows its closing mark on the line, and its length
/// with the marks.
fn quoted_block(text: &str) -> Option<(&str, usize)> {
    let (open, close) = opening(text).filter(|(open, close)| open != close)?;
    let end = closing(text, open, close)?;
    let behind = end + close.len_utf8();
    let rest = text[behind..].lines().next().unwrap_or_default();
    rest.trim().is_empty().then(|| (&text[open.len_utf8()..end], behind))
}

/// Returns the byte of the quotation mark that closes the first one.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        // Straight quotation marks do not nest.
        if c == close && (open != close || at > 0) {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        } else if c == open {
            depth += 1;
        }
    }
    None
}

/// Returns the text without surrounding spaces and without the quotation marks that enclose all of it, `None`
/// if it is empty.
fn unquoted(text: &str) -> Option<String> {
    let text = text.trim();
    let inner = || {
        let (open, close) = opening(text)?;
        let end = closing(text, open, close)?;
        (end + close.len_utf8() == text.len()).then(|| &text[open.len_utf8()..end])
    };
    let inner = inner().unwrap_or(text);
    (!text.is_empty()).then(|| inner.to_owned())
}

/// Returns the text in quotation marks of a kind that the text does not contain.
pub(super) fn quoted(text: &str, first: (char, char)) -> String {
    let free = |(open, close): &(char, char)| !text.contains([*open, *close]);
    let nested = QUOTES.into_iter().filter(|(open, close)| open != close);
    let (open, close) = std::iter::once(first).chain(nested).find(free).unwrap_or(first);
    format!("{open}{text}{close}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_encloses_everything_is_taken_off() {
        let cases = [
            ("『星の海』", "星の海"),
            (" 【星の海】 ", "星の海"),
            ("\"Sea\"", "Sea"),
            ("『A』と『B』", "『A』と『B』"),
            ("『『A』と『B』』", "『A』と『B』"),
            ("\"A\" and \"B\"", "\"A\" and \"B\""),
            ("『』", ""),
            ("』『", "』『"),
            ("『開いたまま", "『開いたまま"),
        ];
        for (text, title) in cases {
            assert_eq!(unquoted(text).as_deref(), Some(title), "{text}");
        }
        assert_eq!(unquoted("　"), None);
    }

    #[test]
    fn a_text_is_quoted_by_what_it_does_not_contain() {
        assert_eq!(quoted("海", ('『', '』')), "『海』");
        assert_eq!(quoted("『海", ('『', '』')), "「『海」");
    }
}
