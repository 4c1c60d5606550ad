//! The reader of a letter: the game, the language and all names. Players' own words are made harmless.

use chrono_tz::Tz;

use games::any::AnyGame;
use rules::Seat;
use rules::text::{Lang, Lexicon};

/// The post beside a letter that already shows the state of its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    #[default]
    Nothing,
    /// A post with the deadline and the seats that have declared.
    Post,
    /// A post with a picture of the table.
    Picture,
}

/// The reader of a letter.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The game of the table.
    pub game: &'static dyn AnyGame,
    pub lang: Lang,
    /// The game's names of things.
    pub words: &'static Lexicon,
    /// The players' names by seat. A seat without a name is called P1 and so on.
    pub names: Vec<String>,
    /// True if times are written as Discord timestamps, shown to each user in their own zone.
    pub stamps: bool,
    /// True if the letter is shown as plain text, without mark-up.
    pub plain: bool,
    /// The post that already shows the state of the table.
    pub beside: Beside,
    /// The year of reading; `None` if unknown. Times of another year are written with their year.
    pub year: Option<i32>,
    /// The zone for times without a calendar.
    pub zone: Tz,
}

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        let how =
            |one: &Self| (one.game.key(), one.lang, one.stamps, one.plain, one.beside, one.year);
        let whose = |one: &Self| (how(one), one.zone);
        whose(self) == whose(other)
            && std::ptr::eq(self.words, other.words)
            && self.names == other.names
    }
}

impl Reader {
    /// Returns a reader at a table without names.
    pub fn new(game: &'static dyn AnyGame, lang: Lang) -> Self {
        Self {
            game,
            lang,
            words: game.lexicon(),
            names: Vec::new(),
            stamps: false,
            plain: false,
            beside: Beside::Nothing,
            year: None,
            zone: Tz::UTC,
        }
    }

    /// Adds the players' names, by seat.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the year of reading: times of another year are written with their year.
    #[must_use]
    pub fn in_the_year(mut self, year: Option<i32>) -> Self {
        self.year = year;
        self
    }

    /// Sets the zone for times.
    #[must_use]
    pub fn in_zone(mut self, zone: Tz) -> Self {
        self.zone = zone;
        self
    }

    /// Writes times as Discord timestamps, shown to each user in their own zone.
    #[must_use]
    pub fn with_stamps(mut self) -> Self {
        self.stamps = true;
        self
    }

    /// Writes plain text, as in a terminal.
    #[must_use]
    pub fn in_plain_text(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Sets the post that already shows the state of the table.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Self {
        self.beside = beside;
        self
    }

    /// Makes players' own words harmless in the medium of this letter.
    pub(crate) fn harmless(&self, text: &str) -> String {
        if self.plain { plain(text) } else { harmless(text) }
    }

    /// Returns the harmless name of a seat.
    pub(crate) fn seat(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).map(|name| self.harmless(name).trim().to_owned());
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| seat.name().to_owned())
    }

    /// Returns the name of an id: of a seat its player's, otherwise the game's word.
    pub(crate) fn name(&self, id: &str) -> String {
        match seat_of(id) {
            Some(seat) => self.seat(seat),
            None => self.words.name(id, self.lang).to_owned(),
        }
    }
}

/// Returns the seat with this id.
pub(crate) fn seat_of(id: &str) -> Option<Seat> {
    Seat::all(rules::seat::MAX_SEATS).find(|seat| seat.name() == id)
}

/// Returns a text on one line without pings, formatting, or invisible and direction marks. Characters with an
/// effect become their full-width forms, which read the same in every medium and need no unescaping.
pub(crate) fn harmless(text: &str) -> String {
    let tamed: String = text.chars().filter_map(shown).map(tame).collect();
    // A text that looks like an address would become a link.
    tamed.replace("://", "：//")
}

/// Returns a text for a medium without pings and formatting: every visible character stays.
pub fn plain(text: &str) -> String {
    text.chars().filter_map(shown).collect()
}

fn shown(c: char) -> Option<char> {
    match c {
        '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if c.is_control() || is_unseen(c) => None,
        c => Some(c),
    }
}

fn tame(c: char) -> char {
    match c {
        // The characters of mentions, markdown and links, and the escape that would undo an escape.
        '@' => '＠',
        '`' => '｀',
        '*' => '＊',
        '_' => '＿',
        '~' => '～',
        '|' => '｜',
        '<' => '＜',
        '>' => '＞',
        '#' => '＃',
        '[' => '［',
        ']' => '］',
        '\\' => '＼',
        c => c,
    }
}

/// True for characters without a shape: zero-width ones, and those that change the writing direction.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::harmless;
    use crate::plain;

    #[test]
    fn what_is_harmless_stays_as_it_is() {
        let tame = harmless("@everyone **`夜`**\u{202e}x\u{200b}\n<@1> \\_");
        assert_eq!(tame, "＠everyone ＊＊｀夜｀＊＊x ＜＠1＞ ＼＿");
        assert_eq!(harmless(&tame), tame);
        assert_eq!(harmless("「夜明け」(1) 🎬"), "「夜明け」(1) 🎬");
    }

    #[test]
    fn where_nothing_formats_only_what_cannot_be_seen_is_taken_away() {
        let wild = "@a_b*\u{202e}x\u{200b}\n<1>\u{1b}[2J \\_";
        assert_eq!(plain(wild), "@a_b*x <1>[2J \\_");
    }
}
