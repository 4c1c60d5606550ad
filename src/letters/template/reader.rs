//! For whom a letter is written: which game, which language, and what everything is called; players'
//! own words are told so that they can do no harm.

use chrono_tz::Tz;

use games::any::AnyGame;
use rules::Seat;
use rules::text::{Lang, Lexicon};

/// What shows beside a letter how its table stands, so that the letter need not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    #[default]
    Nothing,
    /// A post, which tells the deadline and who has declared.
    Post,
    /// A post with a picture of the table.
    Picture,
}

/// For whom a letter is written.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The game's one word.
    pub game: &'static str,
    pub lang: Lang,
    /// What the game's things are called.
    pub words: &'static Lexicon,
    /// What the players are called, by seat. Who has no name is called P1 and so on.
    pub names: Vec<String>,
    /// True if times are written as stamps, which each reader is shown in their own zone.
    pub stamps: bool,
    /// True if the letter is shown as it is written, without any mark-up.
    pub plain: bool,
    /// What shows beside the letter how the table stands.
    pub beside: Beside,
    /// The year in which it is read, if that is known: times of another one are told with theirs.
    pub year: Option<i32>,
    /// The zone in which times are told that no calendar has been held against yet.
    pub zone: Tz,
}

impl PartialEq for Reader {
    fn eq(&self, other: &Self) -> bool {
        let how = |one: &Self| (one.game, one.lang, one.stamps, one.plain, one.beside, one.year);
        let whose = |one: &Self| (how(one), one.zone);
        whose(self) == whose(other)
            && std::ptr::eq(self.words, other.words)
            && self.names == other.names
    }
}

impl Reader {
    /// A reader at a table where nobody has a name.
    pub fn new(game: &dyn AnyGame, lang: Lang) -> Self {
        Self {
            game: game.key(),
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

    /// Sets the year in which they read: times of another year are told with theirs.
    #[must_use]
    pub fn in_the_year(mut self, year: Option<i32>) -> Self {
        self.year = year;
        self
    }

    /// Sets the zone in which times are told.
    #[must_use]
    pub fn in_zone(mut self, zone: Tz) -> Self {
        self.zone = zone;
        self
    }

    /// Writes times as stamps, which Discord shows in each reader's own zone.
    #[must_use]
    pub fn with_stamps(mut self) -> Self {
        self.stamps = true;
        self
    }

    /// Shows a letter as it is written, as in a terminal.
    #[must_use]
    pub fn in_plain_text(mut self) -> Self {
        self.plain = true;
        self
    }

    /// Sets what shows beside the letter how the table stands.
    #[must_use]
    pub fn beside(mut self, beside: Beside) -> Self {
        self.beside = beside;
        self
    }

    /// Players' own words, so that they do no harm where this letter is read.
    pub(crate) fn harmless(&self, text: &str) -> String {
        if self.plain { plain(text) } else { harmless(text) }
    }

    /// What a seat is called, shown harmlessly.
    pub(crate) fn seat(&self, seat: Seat) -> String {
        let name = self.names.get(seat.index()).map(|name| self.harmless(name).trim().to_owned());
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| seat.name().to_owned())
    }

    /// What an id is called: a seat by its player, anything else by the game's words.
    pub(crate) fn name(&self, id: &str) -> String {
        match seat_of(id) {
            Some(seat) => self.seat(seat),
            None => self.words.name(id, self.lang).to_owned(),
        }
    }
}

/// The seat that goes by this id.
pub(crate) fn seat_of(id: &str) -> Option<Seat> {
    Seat::all(rules::seat::MAX_SEATS).find(|seat| seat.name() == id)
}

/// A text on one line in which nothing pings, formats, hides or turns around. What would do so
/// becomes its full-width twin, which reads the same in every medium and needs no escaping back.
pub(crate) fn harmless(text: &str) -> String {
    let tamed: String = text.chars().filter_map(shown).map(tame).collect();
    // What looks like an address becomes a link by itself.
    tamed.replace("://", "：//")
}

/// A text for where nothing pings or formats: every sign that has a shape stays as it is.
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
        // Mentions, markdown, links, and the escape that would undo an escape.
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

/// Characters without a shape: zero width, and those that turn the direction of writing.
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
    use crate::template::reader::{harmless, plain};

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
