//! The wrapping of lines that are wider than the terminal, between words.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Characters that must not begin a line.
const NEVER_FIRST: &str = "\u{3001}\u{3002}\u{ff0c}\u{ff0e}\u{30fb}\u{ff1a}\u{ff1b}\u{ff09}\u{300d}\
     \u{300f}\u{3011}\u{3015}\u{ff01}\u{ff1f}\u{2026}\u{30fc},.:;)!?";

/// Brackets that must not end a line.
const NEVER_LAST: &str = "\u{ff08}\u{300c}\u{300e}\u{3010}\u{3014}";

/// Wraps a text to this many columns. Continued lines have the indent of their first line.
pub(super) fn wrap(text: &str, columns: usize) -> String {
    text.lines().map(|line| wrap_line(line, columns)).collect::<Vec<_>>().join("\n")
}

fn wrap_line(line: &str, columns: usize) -> String {
    let rest = line.trim_start();
    let margin = &line[..line.len() - rest.len()];
    // If the indent leaves too little room, the terminal wraps.
    if line.width() <= columns || margin.width() * 2 > columns {
        return line.to_owned();
    }
    let mut wrapped = String::new();
    let mut row = String::new();
    for word in words(rest) {
        let is_full = margin.width() + row.width() + word.trim_end().width() > columns;
        if is_full && !row.is_empty() {
            wrapped.push_str(margin);
            wrapped.push_str(row.trim_end());
            wrapped.push('\n');
            row.clear();
        }
        row.push_str(word);
    }
    wrapped.push_str(margin);
    wrapped.push_str(row.trim_end());
    wrapped
}

/// Splits a line where it may be wrapped: after a space, and on either side of a wide character, except
/// before [`NEVER_FIRST`] and after [`NEVER_LAST`].
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut before) = (0, None::<char>);
    for (at, here) in line.char_indices() {
        let is_wide = |sign: char| sign.width() == Some(2);
        let opens = |sign: char| NEVER_LAST.contains(sign);
        let ends = before.is_some_and(|before| {
            let is_gap = before.is_whitespace() && !here.is_whitespace();
            let is_between = is_wide(before) || is_wide(here);
            is_gap || is_between && !opens(before) && !NEVER_FIRST.contains(here)
        });
        if ends && at > start {
            words.push(&line[start..at]);
            start = at;
        }
        before = Some(here);
    }
    words.push(&line[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_between_words() {
        let text = "  two words and high numbers\nshort";
        assert_eq!(wrap(text, 16), "  two words and\n  high numbers\nshort");
        assert_eq!(wrap("『役者』を1枚ドロー。終わり", 14), "『役者』を1枚\nドロー。終わり");
        assert_eq!(wrap("一二三、四", 6), "一二\n三、四");
    }

    #[test]
    fn nothing_is_lost() {
        let text = "　・行動順番：P1 → P2 → abcdefghijklmnopqrstuvwxyz【予算・大(3)】";
        for columns in 8..60 {
            let wrapped = wrap(text, columns);
            let signs =
                |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(signs(&wrapped), signs(text), "{columns}");
        }
    }
}
