//! How many rows a letter takes on a phone: 40 half-width columns, a full-width sign takes two.

use rules::text::Lang;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many half-width columns a phone shows.
const COLUMNS: usize = 40;

/// How many rows a letter takes: stamps and mentions as they are shown, no mark-up, and a line that
/// does not fit continues in the next row.
pub fn rows(text: &str, lang: Lang) -> usize {
    text.trim_end().lines().map(|line| rows_of(&shown(line, lang))).sum()
}

/// A line as Discord shows it.
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

fn rows_of(line: &str) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in words(line) {
        let wide = word.trim_end().width();
        if used > 0 && used + wide > COLUMNS {
            (rows, used) = (rows + 1, 0);
        }
        rows += wide.saturating_sub(1) / COLUMNS;
        used = (used + word.width()) % (COLUMNS + 1).max(wide + 1);
    }
    rows
}

/// The pieces between which a line is cut: words, and each wide sign by itself.
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
