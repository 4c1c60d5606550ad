//! Text folded for comparison: width and case of letters make no difference; and the classes of its
//! characters.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A text folded to NFKC in lower case, with a map from each folded character to the original.
#[derive(Clone, Debug)]
pub struct Folded<'t> {
    original: &'t str,
    chars: Vec<char>,
    /// The byte range of the original for each folded character. Several characters may share one: `㌢` is
    /// `センチ`.
    spans: Vec<Range<usize>>,
}

impl<'t> Folded<'t> {
    /// Folds a text.
    pub fn new(original: &'t str) -> Self {
        let mut folded = Self { original, chars: Vec::new(), spans: Vec::new() };
        let mut rest = original.char_indices().peekable();
        while let Some((start, first)) = rest.next() {
            let mut end = start + first.len_utf8();
            if is_plain(first) && rest.peek().is_none_or(|(_, next)| is_plain(*next)) {
                folded.chars.push(first.to_ascii_lowercase());
                folded.spans.push(start..end);
                continue;
            }
            // A letter and its marks are folded together: only so do ﾌ and ﾟ make プ.
            while let Some(&(at, mark)) = rest.peek().filter(|(_, next)| is_mark(*next)) {
                end = at + mark.len_utf8();
                rest.next();
            }
            for c in original[start..end].nfkc().flat_map(char::to_lowercase) {
                folded.chars.push(c);
                folded.spans.push(start..end);
            }
        }
        folded
    }

    /// Returns the original text.
    pub fn original(&self) -> &'t str {
        self.original
    }

    /// Returns the folded characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Returns the folded character at this index, `None` after the end.
    pub fn char(&self, index: usize) -> Option<char> {
        self.chars.get(index).copied()
    }

    /// Returns the number of folded characters.
    pub fn len(&self) -> usize {
        self.chars.len()
    }

    /// True if there is no folded character.
    pub fn is_empty(&self) -> bool {
        self.chars.is_empty()
    }

    /// Returns the first byte of a folded character in the original; after the last character, the end of the
    /// original.
    pub fn start(&self, index: usize) -> usize {
        self.spans.get(index).map_or(self.original.len(), |span| span.start)
    }

    /// Returns the byte range of the original for these folded characters.
    pub fn span(&self, folded: Range<usize>) -> Range<usize> {
        if folded.is_empty() {
            let start = self.start(folded.start);
            return start..start;
        }
        self.start(folded.start)..self.spans[folded.end - 1].end
    }

    /// Returns the piece of the original for these folded characters.
    pub fn piece(&self, folded: Range<usize>) -> &'t str {
        &self.original[self.span(folded)]
    }

    /// Returns the index of the first folded character at or after this byte of the original.
    pub fn index_at(&self, byte: usize) -> usize {
        self.spans.partition_point(|span| span.start < byte)
    }
}

/// Folds a word for comparison: NFKC, in lower case.
pub fn fold(word: &str) -> String {
    Folded::new(word).chars().iter().collect()
}

/// Folds a name for searching in a text: NFKC, in lower case, with its spaces.
pub(super) fn fold_name(name: &str) -> Vec<char> {
    Folded::new(name).chars
}

/// Folds a word for comparison with names, without spaces.
pub(super) fn fold_word(word: &str) -> Vec<char> {
    fold_name(word).into_iter().filter(|c| !c.is_whitespace()).collect()
}

/// True for the most frequent characters that are not marks and that normalization leaves as they are: ASCII,
/// kana and kanji.
fn is_plain(c: char) -> bool {
    matches!(
        c,
        '\0'..='\x7f'
            | '\u{3001}'..='\u{3002}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fc}'
            | '\u{4e00}'..='\u{9fff}'
    )
}

fn is_mark(c: char) -> bool {
    // The half-width voiced marks are letters to Unicode.
    is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}')
}

/// The numbers from one to ten in kanji.
pub(super) const NUMERALS: [char; 10] =
    ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];

/// The numbers from one to ten in English.
pub(super) const NUMBER_WORDS: [&str; 10] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// True for a space within a line.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() && c != '\n'
}

/// True for a bracket: brackets enclose names and have no meaning.
pub(super) fn is_bracket(c: char) -> bool {
    matches!(
        c,
        '【' | '】'
            | '『'
            | '』'
            | '「'
            | '」'
            | '('
            | ')'
            | '['
            | ']'
            | '<'
            | '>'
            | '"'
            | '“'
            | '”'
            | '〈'
            | '〉'
            | '《'
            | '》'
            | '〔'
            | '〕'
    )
}

/// True for a character between words: spaces, punctuation, bullets, a multiplication sign alone.
pub(super) fn is_break(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            ',' | '、'
                | '。'
                | '・'
                | '/'
                | ';'
                | ':'
                | '.'
                | '!'
                | '?'
                | '+'
                | '&'
                | '|'
                | '='
                | '→'
        )
        || is_bullet(c)
        || matches!(c, '×' | '✕')
}

/// True for a character that may begin a line.
pub(super) fn is_bullet(c: char) -> bool {
    matches!(c, '●' | '○' | '◆' | '◇' | '■' | '□' | '•' | '・' | '※' | '*' | '→')
}

fn is_katakana(c: char) -> bool {
    matches!(c, 'ァ'..='ヺ' | 'ー')
}

/// True if two characters that follow one another belong to one word: Latin letters, digits,
/// katakana. Japanese has no spaces, so kanji and hiragana may be cut anywhere.
pub(super) fn is_one_word(left: char, right: char) -> bool {
    (left.is_ascii_alphanumeric() && right.is_ascii_alphanumeric())
        || (is_katakana(left) && is_katakana(right))
}

impl Folded<'_> {
    /// Returns the first index from `at` whose character is not among these.
    pub(super) fn skip(&self, at: usize, of: impl Fn(char) -> bool) -> usize {
        let rest = self.chars().get(at..).unwrap_or_default();
        at + rest.iter().take_while(|&&c| of(c)).count()
    }

    /// Returns the place after spaces and brackets of the line.
    pub(super) fn skip_inline(&self, at: usize) -> usize {
        self.skip(at, |c| is_space(c) || is_bracket(c))
    }

    /// Returns the end of the line.
    pub(super) fn line_end(&self, at: usize) -> usize {
        self.skip(at, |c| c != '\n')
    }

    /// True if a comma comes before this place, with only spaces and brackets in between.
    pub(super) fn is_behind_comma(&self, at: usize) -> bool {
        let mut before = self.chars()[..at.min(self.len())].iter().rev();
        let last = before.find(|&&c| c == '\n' || !(is_space(c) || is_bracket(c)));
        last.is_some_and(|c| matches!(c, ',' | '、' | ';' | '。'))
    }

    /// True if only spaces, brackets and bullets come before this place on its line.
    pub(super) fn is_line_start(&self, at: usize) -> bool {
        let before = self.chars()[..at.min(self.len())].iter().rev();
        before
            .take_while(|&&c| c != '\n')
            .all(|&c| is_space(c) || is_bracket(c) || is_bullet(c) || c == '-')
    }

    /// Returns the end of this folded name if it is here. Its spaces may be missing, and spaces and brackets
    /// may come within it, but not within a Latin word, a number or signs: `Actor “S.O.S.”` is not `Actors`,
    /// `1 2` is not `12`, and `- 『>` is not an arrow.
    pub(super) fn spells(&self, at: usize, name: &[char]) -> Option<usize> {
        let mut here = at;
        let mut before = None;
        for &next in name {
            if !next.is_whitespace() {
                let is_whole = |last: char| {
                    last.is_ascii_alphabetic() && next.is_ascii_alphabetic()
                        || last.is_ascii_digit() && next.is_ascii_digit()
                        || !last.is_alphanumeric() && !next.is_alphanumeric()
                };
                if !before.is_none_or(is_whole) {
                    here = self.skip(here, |c| c != next && (is_space(c) || is_bracket(c)));
                }
                (self.char(here)? == next).then_some(())?;
                here += 1;
            }
            before = Some(next);
        }
        Some(here)
    }

    /// Parses digits, and returns their end.
    pub(super) fn digits(&self, at: usize) -> Option<(u32, usize)> {
        let end = self.skip(at, |c| c.is_ascii_digit());
        let digits = self.chars().get(at..end)?.iter().filter_map(|c| c.to_digit(10));
        let number = digits.fold(0_u32, |n, digit| n.saturating_mul(10).saturating_add(digit));
        (end > at).then_some((number, end))
    }

    /// Parses a whole number with or without a sign, and returns its end.
    pub(super) fn number(&self, at: usize) -> Option<(i64, usize)> {
        if let Some((number, end)) = self.numeral(at) {
            return Some((i64::from(number), end));
        }
        let minus = matches!(self.char(at), Some('-' | '−'));
        let (number, end) = self.digits(at + usize::from(minus))?;
        let torn = self.char(end).is_some_and(|c| c.is_ascii_alphabetic());
        let number = i64::from(number);
        (!torn).then_some((if minus { -number } else { number }, end))
    }

    /// Parses a count with its multiplication sign, such as `×2`, and returns its end.
    pub(super) fn times(&self, at: usize) -> Option<(u32, usize)> {
        let sign = self.skip_inline(at);
        matches!(self.char(sign)?, '×' | '*' | '✕' | '✖' | 'x').then_some(())?;
        let at = self.skip(sign + 1, is_space);
        self.digits(at).or_else(|| self.written_out(at))
    }

    /// True for a multiplication sign without a count, such as in `大×l`.
    pub(super) fn is_miscounted(&self, at: usize) -> bool {
        let sign = matches!(self.char(self.skip_inline(at)), Some('×' | '*' | '✕' | '✖'));
        sign && self.times(at).is_none()
    }

    /// Parses a number in kanji or in English words, and returns its end: `五`, `two`.
    pub(super) fn numeral(&self, at: usize) -> Option<(u32, usize)> {
        let begins = at == 0 || !is_one_word(self.chars()[at - 1], self.char(at)?);
        let is_it = |word: &&str| {
            let end = at + word.chars().count();
            let spelt = self.chars().get(at..end)?;
            let ends = self.char(end).is_none_or(|c| !c.is_ascii_alphanumeric());
            (ends && word.chars().eq(spelt.iter().copied())).then_some(end)
        };
        let words = NUMBER_WORDS.iter().zip(1..).filter(|_| begins);
        let mut words = words.filter_map(|(word, number)| Some((number, is_it(word)?)));
        words.next().or_else(|| self.written_out(at))
    }

    /// Parses a number in kanji as a count: `二枚`, `二`.
    fn written_out(&self, at: usize) -> Option<(u32, usize)> {
        let digit = self.char(at)?;
        let number = NUMERALS.iter().position(|numeral| *numeral == digit)?;
        let ends = self.char(at + 1).is_none_or(|c| c == '枚' || is_break(c) || is_bracket(c));
        ends.then_some((u32::try_from(number + 1).ok()?, at + 1))
    }

    /// Parses a count after a name and a particle, such as the 1 of `大を1枚`.
    pub(super) fn particle_count(&self, at: usize) -> Option<(u32, usize)> {
        let particle = self.skip_inline(at);
        matches!(self.char(particle)?, 'を' | 'は' | 'が').then_some(())?;
        self.loose_count(particle + 1)
    }

    /// Parses a count without a sign directly after a name, such as the 2 of `大2`.
    pub(super) fn count(&self, at: usize) -> Option<(u32, usize)> {
        self.bare_count(self.skip(at, is_bracket))
    }

    /// Parses a count without a sign after a name and a space, such as the 2 of `large 2`.
    pub(super) fn loose_count(&self, at: usize) -> Option<(u32, usize)> {
        let (count, end) = self.bare_count(self.skip_inline(at))?;
        // `大 2: …` is the next section.
        let next = self.char(self.skip(end, is_space));
        (next != Some(':')).then_some((count, end))
    }

    fn bare_count(&self, at: usize) -> Option<(u32, usize)> {
        let (count, end) = self.digits(at).or_else(|| self.written_out(at))?;
        let next = self.char(end);
        let torn = next.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, ':' | '#'));
        (!torn).then_some((count, end))
    }
}

#[cfg(test)]
mod tests {
    use super::{fold_name, *};

    fn folded(text: &str) -> String {
        Folded::new(text).chars().iter().collect()
    }

    #[test]
    fn width_and_case_make_no_difference() {
        assert_eq!(folded("３Ａ：役者５　大×１"), "3a:役者5 大×1");
        assert_eq!(folded("ﾌﾟﾛﾓｰﾀｰの介入"), "プロモーターの介入");
        assert_eq!(folded("フ\u{309a}ロ"), "プロ");
        assert_eq!(fold_word("Talk of the Town"), fold_word("talk OF theTown"));
    }

    #[test]
    fn every_character_knows_where_it_comes_from() {
        let text = Folded::new("Aﾌﾟ㌢x");
        assert_eq!(text.chars(), ['a', 'プ', 'セ', 'ン', 'チ', 'x']);
        assert_eq!(text.piece(1..2), "ﾌﾟ");
        assert_eq!(text.piece(3..4), "㌢");
        assert_eq!(text.piece(1..6), "ﾌﾟ㌢x");
        assert_eq!(text.index_at(text.start(5)), 5);
        assert_eq!(text.span(6..6), 11..11);
    }

    #[test]
    fn a_plain_character_is_folded_to_itself_but_for_its_case() {
        for c in ('\0'..=char::MAX).filter(|c| is_plain(*c)) {
            let folded: Vec<char> = [c].into_iter().nfkc().flat_map(char::to_lowercase).collect();
            assert_eq!(folded, [c.to_ascii_lowercase()], "{c}");
            assert!(!is_mark(c), "{c}");
        }
    }

    proptest::proptest! {
        #[test]
        fn spans_lie_on_characters(text in ".*") {
            let folded = Folded::new(&text);
            for index in 0..folded.len() {
                let span = folded.span(index..index + 1);
                proptest::prop_assert!(text.get(span).is_some());
            }
        }
    }

    #[test]
    fn a_name_is_found_however_it_is_spaced_but_not_in_torn_words() {
        let spelt = |text: &str, name: &str| Folded::new(text).spells(0, &fold_name(name));
        assert_eq!(spelt("Talk OF theTown!", "Talk of the Town"), Some(15));
        assert_eq!(spelt("Talk  [of] the Town", "Talk of the Town"), Some(19));
        assert_eq!(spelt("3 A", "3A"), Some(3));
        assert_eq!(spelt("プロ【モ】ーター", "プロモーター"), Some(8));
        assert_eq!(spelt("Actor “S.O.S.”", "Actors"), None);
        assert_eq!(spelt("Actor s", "Actors"), None);
        assert_eq!(spelt("[Actors", "Actors"), None);
        assert_eq!(spelt("1 2", "12"), None);
        assert_eq!(spelt("- 『>", "->"), None);
    }
}
