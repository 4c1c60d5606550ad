//! Letters about a table: who sits there, how far everybody is, its deadlines and its end.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::views::Moment;
use super::{DESK, LetterFault, Letters, Reader};
use crate::rules::Round;
use crate::rules::{Clause, Seat, window};
use crate::tables::Outage;
use crate::tables::absence::Deed;

/// How far a seat is with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SealProgress {
    Nothing,
    /// A draft: it counts at the deadline as it stands.
    Draft,
    Sealed,
}

/// The deadline is near.
#[derive(Clone, Debug, Serialize)]
pub struct Deadline<'a> {
    /// When the window closes.
    pub closes: Moment,
    /// How long that is from now, in milliseconds.
    pub left: i64,
    /// How far the reader is.
    pub progress: SealProgress,
    /// What they have left open, as [`open_questions`](super::open_questions) gives it.
    pub open: &'a Json,
    /// What becomes of them if they send nothing; none if something is there that counts.
    pub fate: Option<Deed>,
    /// The clause by which their turn would be skipped.
    pub missing: Option<&'a Clause>,
    /// Whether they are the last one who is waited for.
    pub last: bool,
    /// Whether nothing is sealed in the window, as all that is asked is done openly and at once.
    pub openly: bool,
}

/// A player sits down.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// What the table is called where its dice are keyed.
    pub table: &'a str,
    pub seats: usize,
    /// The reader's seat.
    pub you: Option<Seat>,
    /// The hash of the seed, by which the dice can be checked afterwards.
    pub commitment: Option<&'a str>,
    /// What each seat has mixed into the seed, in hex digits.
    pub values: &'a [(Seat, String)],
}

/// What a seat has mixed into the seed of the dice.
#[derive(Clone, Debug, Serialize)]
pub struct MixedIn<'a> {
    pub seat: Seat,
    /// What, in hex digits.
    pub value: &'a str,
    /// The words that it was chosen by, if they have just been said.
    pub words: Option<&'a str>,
    /// Whether it can still be chosen.
    pub open: bool,
    /// What has been promised and not told yet, in hex digits; empty if all promises have ended, and
    /// none if nothing is owed.
    pub owes: Option<&'a str>,
}

/// A table waits for its players.
#[derive(Clone, Debug, Serialize)]
pub struct FormingTable<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    pub chairs: &'a [Seat],
    /// Those on which somebody sits.
    pub taken: &'a [Seat],
    /// Where the reader sits.
    pub you: Option<Seat>,
    /// Whether it is the reader's table.
    pub host: bool,
    /// The pace, in words.
    pub pace: &'a str,
    /// What becomes of those who are missing, in words.
    pub absence: &'a str,
    /// The hash of the seed.
    pub commitment: &'a str,
    /// What the reader has mixed into it, in hex digits.
    pub value: Option<&'a str>,
    /// Whether the game begins as soon as somebody takes the last chair.
    pub begins_when_full: bool,
}

/// How far everybody is with the open window.
#[derive(Clone, Debug, Serialize)]
pub struct WindowProgress {
    /// Each seat the reader may know of.
    pub seats: Vec<SeatProgress>,
    /// Whether nothing is sealed in it, as all that is asked is done openly and at once.
    pub openly: bool,
    /// Whether the game hides who has sealed.
    pub hidden: bool,
    /// Whether it closes on a full quarter of an hour once all have sealed, and not at once.
    pub on_a_quarter: bool,
    /// Of those who are asked, how many have sealed, where that is all that is told of others.
    pub count: Option<SealedCount>,
    /// When the window closes.
    pub closes: Option<Moment>,
    /// When it closes before that, as nobody is waited for any more.
    pub settles: Option<Moment>,
    /// When the result is announced, if that is not when it closes.
    pub announced: Option<Moment>,
}

/// How many have sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SealedCount {
    /// So many have.
    pub sealed: usize,
    /// So many are asked.
    pub asked: usize,
}

/// How far a seat is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SeatProgress {
    pub seat: Seat,
    pub progress: window::Progress,
}

/// A table waits for its host.
#[derive(Clone, Debug, Serialize)]
pub struct TableWaits<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// A word for why: `outage` or `rules`.
    pub why: &'a str,
    /// When it goes on by itself, where that is known.
    pub until: Option<Moment>,
}

/// How a table came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// The game was played to its end.
    Played,
    /// It was ended before that.
    Ended,
    /// The table has agreed that nobody wins.
    Drawn,
    /// It was called off: nothing of it counts.
    Cancelled,
}

impl EndKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Played, Self::Ended, Self::Drawn, Self::Cancelled];
}

/// A table is over.
#[derive(Clone, Debug, Serialize)]
pub struct TableEnded<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    pub how: EndKind,
    /// The seed of its dice.
    pub seed: &'a str,
    /// The head of its journal, in hex digits.
    pub head: &'a str,
    /// Why it was ended, in the host's words.
    pub reason: Option<&'a str>,
    /// Whether the reader is told how they can have its files, which are posted nowhere.
    pub files: bool,
}

/// What is lost if a table is ended before its end.
#[derive(Clone, Debug, Serialize)]
pub struct EndPreview<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// The root window that is open; none before the game begins.
    pub window: Option<Round>,
    /// How many people sit there.
    pub taken: usize,
    /// Why, in the host's words; empty for no reason.
    pub reason: &'a str,
}

/// A window would be closed now.
#[derive(Clone, Debug, Serialize)]
pub struct ClosePreview<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// The root window that is open.
    pub window: Round,
    /// Whether nothing is sealed in it, as all that is asked is done openly and at once.
    pub openly: bool,
    /// Whose time would be cut short, where that may be known.
    pub awaited: Vec<Seat>,
    /// When its result is told; none if that is at once.
    pub announced: Option<Moment>,
}

/// A window has closed, and its result is announced later.
#[derive(Clone, Debug, Serialize)]
pub struct ClosedUnannounced {
    pub closed: Moment,
    /// When the result is announced.
    pub announced: Moment,
}

/// How the reader leaves a table behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Behind {
    /// They have stood up.
    StoodUp,
    /// It waits for its players.
    Forming,
    /// It goes on.
    Playing,
    Over,
    /// It goes on without them.
    Nothing,
}

impl Behind {
    pub const ALL: [Self; 5] =
        [Self::StoodUp, Self::Forming, Self::Playing, Self::Over, Self::Nothing];
}

/// The reader leaves the terminal.
#[derive(Clone, Debug, Serialize)]
pub struct Goodbye<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// What the reader is known by; empty for who did not say.
    pub name: &'a str,
    /// How they leave the table behind.
    pub behind: Behind,
    /// What becomes of its deadlines while no program runs.
    pub outage: Outage,
}

impl Letters {
    /// A player sits down.
    pub fn welcome(&self, reader: &Reader, welcome: &Welcome<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "welcome", welcome)
    }

    /// What a seat has mixed into the seed of the dice.
    pub fn mixed_in(&self, reader: &Reader, mixed: &MixedIn<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "mixed_in", mixed)
    }

    /// The game is about to begin, and these are to tell the values that they have promised.
    pub fn due(&self, reader: &Reader, seats: &[Seat]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "due", json!({ "seats": seats }))
    }

    /// The deadline is near.
    pub fn deadline(
        &self,
        reader: &Reader,
        deadline: &Deadline<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "deadline", deadline)
    }

    /// The deadline has come, and these had not sealed, or, where all is done openly, were waited
    /// for.
    pub fn closed(
        &self,
        reader: &Reader,
        awaited: &[Seat],
        openly: bool,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "closed", json!({ "awaited": awaited, "openly": openly }))
    }

    /// A window is resolved late: nobody kept its deadline.
    pub fn late(&self, reader: &Reader, closed: &Moment) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "late", json!({ "closed": closed }))
    }

    /// Nobody has begun the table, and it ends by itself.
    pub fn unbegun(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "unbegun", json!({}))
    }

    /// When the result is announced of a window whose deadline has moved.
    pub fn announcement(&self, reader: &Reader, announced: &Moment) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "announcement", json!({ "announced": announced }))
    }

    /// A window has closed, and its result is announced later.
    pub fn shut(&self, reader: &Reader, shut: &ClosedUnannounced) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "shut", shut)
    }

    /// A deadline is moved by so many milliseconds: nobody kept it, or it waited for its host.
    pub fn extended(
        &self,
        reader: &Reader,
        closes: &Moment,
        by: i64,
        paused: bool,
    ) -> Result<String, LetterFault> {
        let extended = json!({ "closes": closes, "by": by, "paused": paused });
        self.letter(DESK, reader, "extended", extended)
    }

    /// A table waits for its players.
    pub fn forming(
        &self,
        reader: &Reader,
        forming: &FormingTable<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "forming", forming)
    }

    /// How far everybody is with the open window.
    pub fn progress(
        &self,
        reader: &Reader,
        standing: &WindowProgress,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "progress", standing)
    }

    /// A table waits for its host.
    pub fn waiting(
        &self,
        reader: &Reader,
        waiting: &TableWaits<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "waiting", waiting)
    }

    /// A table is over.
    pub fn ended(&self, reader: &Reader, ended: &TableEnded<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ended", ended)
    }

    /// What is lost if a table is ended before its end.
    pub fn ending(&self, reader: &Reader, ending: &EndPreview<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ending", ending)
    }

    /// What is to be thought of before a window is closed.
    pub fn closing(
        &self,
        reader: &Reader,
        closing: &ClosePreview<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "closing", closing)
    }

    /// The reader has lost their seat to somebody else.
    pub fn unseated(&self, reader: &Reader, code: &str) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "unseated", json!({ "code": code }))
    }

    /// The reader leaves the terminal.
    pub fn goodbye(&self, reader: &Reader, goodbye: &Goodbye<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "goodbye", goodbye)
    }
}
