//! A player's own words, titles and role-play, in their original spelling.

use crate::text::marks::Within;
use crate::text::read::{DeclarationReader, is_text};
use crate::text::scan::{is_bracket, is_break, is_bullet, is_space};
use crate::text::words::{Edge, Meaning};
use crate::vocabulary::question::{Question, Shape, TextForm};

/// The quotation marks that may enclose a text.
pub(super) const QUOTES: [(char, char); 10] = [
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
    use crate::text::free::*;

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
