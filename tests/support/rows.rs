//! How long a letter is on a phone.

use unicode_width::UnicodeWidthStr;

/// How many half-width columns a phone shows.
const COLUMNS: usize = 40;

/// How a moment looks that Discord writes out in its reader's words, and one that is near.
const WRITTEN_OUT: &str = "2026年11月25日水曜日 21:00";
const FROM_NOW: &str = "4時間後";

/// The rows that a letter takes: full-width signs are two columns wide, marks are not seen, and
/// stamps are written out.
pub(crate) fn rows(letter: &str) -> usize {
    letter.lines().map(|line| seen(line).width_cjk().div_ceil(COLUMNS).max(1)).sum()
}

/// A line as it is read.
fn seen(line: &str) -> String {
    let marks = ["-# ", "### ", "## ", "# ", "> "];
    let line = marks.iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let mut parts = line.split("<t:");
    let mut seen = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (stamp, rest) = part.split_once('>').unwrap_or((part, ""));
        seen.push_str(if stamp.ends_with(":R") { FROM_NOW } else { WRITTEN_OUT });
        seen.push_str(rest);
    }
    seen.replace(['`', '*', '~'], "")
}

#[test]
fn rows_are_counted_as_they_are_seen() {
    for (letter, count) in [
        ("", 0),
        ("a\n\nb", 3),
        (&"a".repeat(40), 1),
        (&"a".repeat(41), 2),
        (&"あ".repeat(20), 1),
        (&"あ".repeat(21), 2),
        (&format!("-# **{}**", "a".repeat(40)), 1),
        ("締め切り：<t:1795396905:F>（<t:1795396905:R>）", 2),
    ] {
        assert_eq!(rows(letter), count, "{letter}");
    }
}
