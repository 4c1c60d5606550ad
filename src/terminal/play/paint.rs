//! The colours of a text at a terminal: headings, the person's own seat, rulings, suits and kinds of card.

use std::env;
use std::fmt::Write;
use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use rules::Seat;

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

/// The colours of an output.
pub(super) struct Palette {
    /// The person's own seat, such as `P1`; `None` without one.
    own: Option<String>,
}

impl Palette {
    /// Returns the colours for the person at a seat; `None` if the output is to have none. Without a choice it
    /// has colours at a terminal that can show them, unless `NO_COLOR` is set.
    pub(super) fn of(choice: ColorChoice, seat: Option<Seat>) -> Option<Self> {
        let can = || {
            let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            io::stdout().is_terminal() && !is_dumb && !is_set("NO_COLOR")
        };
        let is_wanted = match choice {
            ColorChoice::Auto => can(),
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        is_wanted.then(|| Self { own: seat.map(|seat| seat.to_string()) })
    }

    /// Returns a text in colours.
    pub(super) fn paint(&self, text: &str) -> String {
        let lines = text.split('\n').map(|line| {
            let begins = |marks: &[char]| line.trim_start().starts_with(marks);
            match HEADINGS.iter().find(|(marks, _)| begins(marks)) {
                Some((_, style)) => format!("{style}{line}{style:#}"),
                None => paint_words(line, self.own.as_deref()),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
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
        let _ = write!(painted, "{style}{word}{style:#}");
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
        let palette = Palette::of(ColorChoice::Always, Some(Seat::new(0))).unwrap();
        let painted = palette.paint("◆ Turn 1\nP1: ♥10 ♠4\nP12 P1: REDO [E4.1]");
        let bold = Style::new().bold();
        let wanted = format!(
            "{bold}◆ Turn 1{bold:#}\n{OWN}P1{OWN:#}: {red}♥{red:#}10 ♠4\nP12 {OWN}P1{OWN:#}: REDO {RULING}[E4.1]{RULING:#}"
        );
        assert_eq!(painted, wanted);
        assert_eq!(palette.paint("nothing of these"), "nothing of these");
        assert!(Palette::of(ColorChoice::Never, None).is_none());
    }
}
