//! The colours of a text at a terminal: headings, the person's own seat, rulings, suits and kinds of card.

use std::env;
use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

/// Lines that begin with these marks are headings of their styles.
const HEADINGS: [(&[char], Style); 2] =
    [(&['◆'], Style::new().bold()), (&['●', '■', '▼'], AnsiColor::Cyan.on_default())];

/// The brackets of a ruling, and their style.
const RULINGS: [(char, char); 2] = [('〔', '〕'), ('[', ']')];
const RULING: Style = AnsiColor::Yellow.on_default();

/// The words of kinds of card, with their styles.
const WORDS: [(&str, Style); 6] = [
    ("♥", AnsiColor::Red.on_default()),
    ("♦", AnsiColor::Red.on_default()),
    ("RED", AnsiColor::Red.on_default()),
    ("BLUE", AnsiColor::Blue.on_default()),
    ("PURPLE", AnsiColor::Magenta.on_default()),
    ("GRAY", AnsiColor::BrightBlack.on_default()),
];

/// The style of the person's own seat.
const OWN: Style = AnsiColor::Green.on_default().bold();

/// True if the output is to be coloured: without a choice, at a terminal that can, unless `NO_COLOR` is set.
pub(super) fn is_wanted(choice: ColorChoice) -> bool {
    let can = || {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdout().is_terminal() && !is_dumb && !is_set("NO_COLOR")
    };
    match choice {
        ColorChoice::Auto => can(),
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    }
}

/// Returns a text in colours, for the person at this seat, such as `P1`.
pub(super) fn paint(text: &str, own: Option<&str>) -> String {
    let lines = text.split('\n').map(|line| {
        let begins = |marks: &[char]| line.trim_start().starts_with(marks);
        match HEADINGS.iter().find(|(marks, _)| begins(marks)) {
            Some((_, style)) => format!("{style}{line}{style:#}"),
            None => paint_words(line, own),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn paint_words(line: &str, own: Option<&str>) -> String {
    let mut painted = String::new();
    let (mut rest, mut before) = (line, ' ');
    while let Some(first) = rest.chars().next() {
        let styles = WORDS.iter().copied().chain(own.map(|own| (own, OWN)));
        // A word of letters is not part of a longer one.
        let stands = |word: &str| {
            let goes_on = |sign: char| sign.is_ascii_alphanumeric();
            let after = rest[word.len()..].chars().next().unwrap_or(' ');
            !word.starts_with(goes_on) || !goes_on(before) && !goes_on(after)
        };
        let found = { styles }.find(|(word, _)| rest.starts_with(word) && stands(word));
        let ruling = RULINGS.iter().find(|(open, _)| first == *open);
        let ruling = ruling.and_then(|(_, close)| Some(rest.find(*close)? + close.len_utf8()));
        let (length, style) = match (found, ruling) {
            (Some((word, style)), _) => (word.len(), style),
            (None, Some(length)) => (length, RULING),
            (None, None) => (first.len_utf8(), Style::new()),
        };
        let (word, behind) = rest.split_at(length);
        painted.push_str(&format!("{style}{word}{style:#}"));
        before = word.chars().next_back().unwrap_or(' ');
        rest = behind;
    }
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_suits_and_the_own_seat_are_coloured_and_nothing_else() {
        let red = AnsiColor::Red.on_default();
        let painted = paint("◆ Turn 1\nP1: ♥10 ♠4\nP12 P1: REDO [E4.1]", Some("P1"));
        let bold = Style::new().bold();
        let wanted = format!(
            "{bold}◆ Turn 1{bold:#}\n{OWN}P1{OWN:#}: {red}♥{red:#}10 ♠4\nP12 {OWN}P1{OWN:#}: REDO {RULING}[E4.1]{RULING:#}"
        );
        assert_eq!(painted, wanted);
        assert_eq!(paint("nothing of these", None), "nothing of these");
    }
}
