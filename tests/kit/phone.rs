//! The height of a letter on a phone, in rows of 40 half-width columns; a full-width character takes two.

use rules::text::Lang;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of a phone, in half-width columns.
const COLUMNS: usize = 40;

/// Returns the number of rows of a letter: with timestamps and mentions as they are shown, without mark-up,
/// and with long lines wrapped.
pub fn rows(text: &str, lang: Lang) -> usize {
    text.trim_end().lines().map(|line| rows_of(&shown(line, lang), COLUMNS)).sum()
}

/// Returns the number of rows of a text at a terminal of this width in half-width columns.
pub fn rows_at(text: &str, columns: usize) -> usize {
    text.trim_end().lines().map(|line| rows_of(line, columns)).sum()
}

/// Returns a line as Discord shows it.
fn shown(line: &str, lang: Lang) -> String {
    let mut text = line.trim_start_matches("-# ").trim_start_matches("## ").replace(['`', '*'], "");
    while let Some(from) = text.find("<t:").or_else(|| text.find("<@")).or_else(|| text.find("<#"))
        && let Some(to) = text[from..].find('>')
    {
        let mark = &text[from..=from + to];
        let words = match (lang, mark.ends_with(":R>"), mark.starts_with("<t:")) {
            (_, _, false) => "@Sakura",
            (Lang::Ja, true, _) => "2時間後",
            (Lang::Ja, false, _) => "2026年11月25日水曜日 21:00",
            (Lang::En, true, _) => "in 2 hours",
            (Lang::En, false, _) => "Wednesday, November 25, 2026 9:00 PM",
        };
        text.replace_range(from..=from + to, words);
    }
    text
}

fn rows_of(line: &str, columns: usize) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in words(line) {
        let wide = word.trim_end().width();
        if used > 0 && used + wide > columns {
            (rows, used) = (rows + 1, 0);
        }
        rows += wide.saturating_sub(1) / columns;
        used = (used + word.width()) % (columns + 1).max(wide + 1);
    }
    rows
}

/// Splits a line where it can be wrapped: between words, and around each wide character.
fn words(line: &str) -> Vec<&str> {
    let is_wide = |sign: char| sign.width() == Some(2);
    let mut words = Vec::new();
    let (mut start, mut before) = (0, 'x');
    for (at, here) in line.char_indices() {
        if at > start && (is_wide(before) || is_wide(here) || before == ' ' && here != ' ') {
            words.push(&line[start..at]);
            start = at;
        }
        before = here;
    }
    words.push(&line[start..]);
    words
}
