//! Text folded for comparison: width and case of letters make no difference.

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

#[cfg(test)]
mod tests {
    use crate::text::fold::*;

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
}
