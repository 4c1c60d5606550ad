//! Each letter with what it needs, so that no caller can forget any of it.

use minijinja::value::{Serde, Value};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::views::{Heard, Moment, QuestionView, decided, ruling_of, turns};
use super::{DESK, LetterFault, Letters, Reader, template_name};
use crate::rules::text::{Misread, Reading, Why};
use crate::rules::{Asked, Clause, Entry, Fault, Interview, Key, Outcome, Ruling, Seat, window};
use crate::tables::absence::{Deed, Minimum, Unmet};

/// A window opens.
#[derive(Clone, Debug, Serialize)]
pub struct Opening<'a> {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    /// Whether it is a window within a root window: only what is open there is asked.
    pub suspended: bool,
    /// Who is asked.
    pub asked: &'a [Seat],
    /// When it closes (締め切り); none where it closes as soon as all have sealed.
    pub closes: Option<Moment>,
    /// When the result is announced (告知).
    pub announced: Option<Moment>,
    /// Whether it may close early.
    pub early: bool,
    /// The clause by which the turn of who declares nothing is skipped; none if everything goes by
    /// default.
    pub missing: Option<&'a Clause>,
    /// Whether where everybody stands is told with it; not below a result, which has told it.
    pub position: bool,
    /// The state as its readers may know it.
    pub report: &'a Json,
}

/// How a declaration was read, for its author alone.
#[derive(Clone, Debug)]
pub struct Echo<'a> {
    /// Whose.
    pub seat: Seat,
    /// What the interview makes of it.
    pub interview: &'a Interview,
    /// What of its text could not be read.
    pub unread: &'a [Unread],
    /// Sealed, or a draft.
    pub sealed: bool,
    /// Whether a game master has decided that nothing of it counts.
    pub skipped: bool,
    /// When the window closes.
    pub closes: Option<Moment>,
    /// Whether it closes on a full quarter of an hour once all have sealed, and not at once.
    pub on_a_quarter: bool,
    /// The receipt given for the seal.
    pub receipt: Option<&'a str>,
}

/// A piece of a declaration's text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// That piece of the text.
    pub text: String,
    /// The part it stands in, if it stands in any.
    pub section: Option<Key>,
    /// `unknown`, `not-here`, `not-asked`, `section-twice`, `no-section`, `too-many`, `tacit`,
    /// `several` or `moot`.
    pub why: &'static str,
    /// What would be legal there and looks like it, best first.
    pub nearest: Vec<SmolStr>,
}

impl Unread {
    /// Everything of a text that was not read: what was not understood, and what stands behind a
    /// fault of its part.
    pub fn of(reading: &Reading) -> Vec<Self> {
        let moot = reading.moot.iter().map(|misread| Self { why: "moot", ..misread.into() });
        reading.misread.iter().map(Self::from).chain(moot).collect()
    }
}

impl From<&Misread> for Unread {
    fn from(misread: &Misread) -> Self {
        Self {
            text: misread.text.clone(),
            section: misread.section.clone(),
            why: match misread.why {
                Why::Unknown => "unknown",
                Why::NotHere => "not-here",
                Why::NotAsked => "not-asked",
                Why::SectionTwice => "section-twice",
                Why::NoSection => "no-section",
                Why::TooMany => "too-many",
                Why::Tacit => "tacit",
                Why::Several => "several",
            },
            nearest: misread.nearest.clone(),
        }
    }
}

/// How far a seat is with its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Progress {
    /// Nothing declared.
    Nothing,
    /// A draft: it counts at the deadline as it stands.
    Draft,
    /// Sealed.
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
    pub progress: Progress,
    /// What they have left open, as [`open_questions`](super::open_questions) gives it.
    pub open: &'a Json,
    /// What becomes of them if they send nothing; none if something is there that counts.
    pub fate: Option<Deed>,
    /// The clause by which their turn would be skipped.
    pub missing: Option<&'a Clause>,
    /// Whether they are the last one who is waited for.
    pub last: bool,
}

/// A player sits down.
#[derive(Clone, Debug, Serialize)]
pub struct Welcome<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// What the table is called where its dice are keyed.
    pub table: &'a str,
    /// How many seats there are.
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
    /// Which.
    pub seat: Seat,
    /// What, in hex digits.
    pub value: &'a str,
    /// The words that it was chosen by, if they have just been said.
    pub words: Option<&'a str>,
    /// Whether it can still be chosen.
    pub open: bool,
}

/// Why something cannot be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refused {
    /// Nothing is asked of the reader.
    NotAsked,
    /// The window has closed.
    Closed,
    /// The declaration holds a fault: a seal on it is asked about once.
    Faulty,
    /// The declaration says nothing: a seal on it is asked about once.
    Empty,
    /// The text is too long.
    TooLong,
    /// Nothing is declared in that section.
    NothingThere,
    /// Nothing is declared at all.
    NothingDeclared,
    /// There is no such clause.
    NoClause,
    /// There is no such table.
    NoTable,
    /// They do not sit at the table.
    NotSeated,
    /// The game has begun.
    Begun,
    /// The game has not begun.
    NotBegun,
    /// The table is over.
    Over,
    /// No chair is free.
    Full,
    /// Nobody has sat down yet.
    Nobody,
    /// A table is played in this place already.
    Taken,
    /// No window has been resolved yet.
    NothingRuled,
    /// More people sit at the table than there would be chairs.
    TooFewChairs,
    /// Only the host can do that.
    NotHost,
    /// The window has not opened yet.
    NotYet,
    /// The reader was in time, and only those who are late may still seal.
    Frozen,
    /// A time that ends before it begins, has ended already, or is too long.
    NoPeriod,
    /// Who is to stand in sits at the table, or stands in for another seat.
    OtherSeat,
    /// Nobody stands in for the reader.
    NoSubstitute,
    /// The table waits for its rules to be mended.
    Held,
    /// The table waits for its host.
    Waiting,
    /// The table does not wait for its host.
    NotHeld,
    /// The table is played by an edition that this program does not know.
    OtherEdition,
    /// It could not be kept.
    Unsaved,
    /// It could not be kept for want of room.
    NoRoom,
    /// It could not be kept where nothing may be written.
    ReadOnly,
    /// Only a game master of the table can do that.
    NotGm,
    /// No reason is given.
    NoReason,
    /// The table is not any more as it was when it was looked at.
    MovedOn,
    /// Something has followed from it: only a rollback helps.
    OnlyRollback,
    /// There is no such window.
    NoWindow,
    /// Nobody sits there.
    NoSeat,
    /// No house player plays like this.
    NoPolicy,
    /// They sit at the table already.
    SitsHere,
    /// The reader sits at the table already.
    Seated,
    /// Nobody is sought for that seat, or somebody else is asked to take it.
    NotSought,
    /// Somebody is sought for that seat, or asked, already.
    Sought,
    /// Players are sought for several seats, and it is not said which is meant.
    WhichSeat,
    /// The reader has sat at the table before, or stands in for another seat.
    HasLeft,
    /// The reader was sent away from the table.
    SentAway,
    /// There is no such decision.
    NoOverride,
    /// The decision has been undone already.
    Undone,
    /// The decision cannot be undone.
    Final,
    /// The time has passed.
    Past,
    /// A pause is never so long.
    TooLongPause,
    /// The result has been announced.
    Announced,
    /// The game masters see what is sealed already.
    OpenAlready,
    /// A round is being resolved.
    Suspended,
    /// The move is not legal.
    Unfit,
    /// What was possible a moment ago is no more.
    NotNow,
    /// Nobody is picked who could do it.
    NoPerson,
    /// Nothing of a seat came too late.
    NothingLate,
    /// It came after the close, and is kept for a game master to count it.
    Late,
    /// The table stands still because a game master wanted it.
    Paused,
    /// The table, or what it has to announce, is held back already.
    Still,
    /// No such vote is open.
    NoVote,
    /// A vote of the same kind is open.
    VoteOpen,
    /// The vote is over.
    VoteOver,
    /// It is their own seat that the vote is about.
    NoVoice,
    /// Nobody but them could vote about the seat of somebody who is there.
    OneVoice,
    /// The vote would put the deadline off to a time that is not later.
    NoLater,
    /// The reader has missed more windows than the table's host allows those who join.
    Missed(Unmet),
    /// Somebody else has: of them no more is told.
    TheyMissed,
    /// A newer decision, of this number from 0, has to be undone first.
    NewerFirst(i64),
    /// The decision would change nothing.
    Nothing,
    /// Nothing is asked of the seat that it is about.
    SeatNotAsked,
    /// The table is not over.
    NotOver,
}

impl Refused {
    /// Every reason.
    pub const ALL: [Self; 72] = [
        Self::NotAsked,
        Self::Closed,
        Self::Faulty,
        Self::Empty,
        Self::TooLong,
        Self::NothingThere,
        Self::NothingDeclared,
        Self::NoClause,
        Self::NoTable,
        Self::NotSeated,
        Self::Begun,
        Self::NotBegun,
        Self::Over,
        Self::Full,
        Self::Nobody,
        Self::Taken,
        Self::NothingRuled,
        Self::TooFewChairs,
        Self::NotHost,
        Self::NotYet,
        Self::Frozen,
        Self::NoPeriod,
        Self::OtherSeat,
        Self::NoSubstitute,
        Self::Held,
        Self::Waiting,
        Self::NotHeld,
        Self::OtherEdition,
        Self::Unsaved,
        Self::NoRoom,
        Self::ReadOnly,
        Self::NotGm,
        Self::NoReason,
        Self::MovedOn,
        Self::OnlyRollback,
        Self::NoWindow,
        Self::NoSeat,
        Self::NoPolicy,
        Self::SitsHere,
        Self::Seated,
        Self::NotSought,
        Self::Sought,
        Self::WhichSeat,
        Self::HasLeft,
        Self::SentAway,
        Self::NoOverride,
        Self::Undone,
        Self::Final,
        Self::Past,
        Self::TooLongPause,
        Self::Announced,
        Self::OpenAlready,
        Self::Suspended,
        Self::Unfit,
        Self::NotNow,
        Self::NoPerson,
        Self::NothingLate,
        Self::Late,
        Self::Paused,
        Self::Still,
        Self::NoVote,
        Self::VoteOpen,
        Self::VoteOver,
        Self::NoVoice,
        Self::OneVoice,
        Self::NoLater,
        Self::Missed(Unmet { minimum: Minimum { missed: 2, of: 10 }, missed: 3 }),
        Self::TheyMissed,
        Self::NewerFirst(1),
        Self::Nothing,
        Self::SeatNotAsked,
        Self::NotOver,
    ];
}

/// A table waits for its players.
#[derive(Clone, Debug, Serialize)]
pub struct Forming<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// Every chair.
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
}

/// How far everybody is with the open window.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
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
    /// Which.
    pub seat: Seat,
    /// How far.
    pub progress: window::Progress,
}

/// A table waits for its host.
#[derive(Clone, Debug, Serialize)]
pub struct Waiting<'a> {
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
pub enum End {
    /// The game was played to its end.
    Played,
    /// It was ended before that.
    Ended,
    /// The table has agreed that nobody wins.
    Drawn,
    /// It was called off: nothing of it counts.
    Cancelled,
}

impl End {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Played, Self::Ended, Self::Drawn, Self::Cancelled];
}

/// A table is over.
#[derive(Clone, Debug, Serialize)]
pub struct Ended<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// How.
    pub how: End,
    /// The seed of its dice.
    pub seed: &'a str,
    /// Why it was ended, in the host's words.
    pub reason: Option<&'a str>,
    /// Whether the reader is told how they can have its files, which are posted nowhere.
    pub files: bool,
}

/// What is lost if a table is ended before its end.
#[derive(Clone, Debug, Serialize)]
pub struct Ending<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// The root window that is open; none before the game begins.
    pub window: Option<u32>,
    /// How many people sit there.
    pub taken: usize,
    /// Why, in the host's words; empty for no reason.
    pub reason: &'a str,
}

/// A window has closed, and its result is announced later.
#[derive(Clone, Debug, Serialize)]
pub struct Shut {
    /// When it closed.
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
    /// It is over.
    Over,
    /// It goes on without them.
    Nothing,
}

impl Behind {
    /// Every way.
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
}

/// A closed window and what happened in it.
#[derive(Clone, Debug)]
pub struct Window<'a> {
    /// The root window, counted from 0, which is the deal.
    pub number: u32,
    /// What the reader may know of what happened.
    pub entries: &'a [Entry<Json>],
}

/// Letters of a game.
impl Letters {
    /// A window opens: what is asked of whom until when, and where the game stands.
    pub fn opening(&self, reader: &Reader, opening: &Opening<'_>) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "opening", opening)
    }

    /// What the close of a window brought, and where everybody stands now. Entries and report
    /// are as the reader may know them.
    pub fn result(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
    ) -> Result<String, LetterFault> {
        let context = json!({ "turns": turns(entries), "report": report, "at_once": false });
        self.letter(reader.game, reader, "result", context)
    }

    /// What somebody did at once in an open window.
    pub fn acted(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
    ) -> Result<String, LetterFault> {
        let context = json!({ "turns": turns(entries), "report": report, "at_once": true });
        self.letter(reader.game, reader, "result", context)
    }

    /// To a skipped player: why, by which clause, and what was carried out all the same. `None`
    /// if this seat's turn was not skipped.
    pub fn skip(
        &self,
        reader: &Reader,
        seat: Seat,
        entries: &[Entry<Json>],
    ) -> Result<Option<String>, LetterFault> {
        let of_seat = |ruling: &&Ruling| ruling.seat == seat;
        let skipped = |ruling: &&Ruling| ruling.outcome == Outcome::Skipped;
        let own: Vec<Entry<Json>> =
            entries.iter().filter(|entry| entry.turn == Some(seat)).cloned().collect();
        let ruling = own.iter().filter_map(ruling_of).filter(of_seat).find(skipped);
        let Some(ruling) = ruling else { return Ok(None) };
        let rest: Vec<Entry<Json>> =
            own.iter().filter(|entry| ruling_of(entry) != Some(ruling)).cloned().collect();
        let context = json!({ "seat": seat, "ruling": ruling, "turns": turns(&rest) });
        self.letter(reader.game, reader, "skip", context).map(Some)
    }

    /// The final scores.
    pub fn scores(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "scores", json!({ "report": report }))
    }

    /// A player's own cards. The report is as that seat may know it.
    pub fn hand(&self, reader: &Reader, seat: Seat, report: &Json) -> Result<String, LetterFault> {
        let context = json!({ "seat": seat, "report": report });
        self.letter(reader.game, reader, "hand", context)
    }

    /// Everybody's field, and what lies in the middle, as the reader may know them.
    pub fn board(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "board", json!({ "report": report }))
    }

    /// What the picture of a table says, for those who do not see it: shorter if it is to be brief.
    pub fn alt(&self, reader: &Reader, report: &Json, brief: bool) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "alt", json!({ "report": report, "brief": brief }))
    }

    /// Where everything stands, in the lines of state of stories.
    pub fn position(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "position", json!({ "report": report }))
    }

    /// One event, as a line of a letter.
    pub fn event(&self, reader: &Reader, event: &Json) -> Result<String, LetterFault> {
        let kind = event["kind"].as_str().unwrap_or_default().replace('-', "_");
        let events = template_name(reader.game, reader.lang, "events");
        self.say(&events, reader, &kind, Value::from(Serde(event)))
    }
}

/// Letters that are the same in every game.
impl Letters {
    /// One ruling, as a line of a letter: with value and reason if the reader may know them.
    pub fn ruling(&self, reader: &Reader, ruling: &Ruling) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ruling", json!({ "ruling": ruling }))
    }

    /// Faults, one line each.
    pub fn faults(&self, reader: &Reader, faults: &[Fault]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "fault", json!({ "faults": faults }))
    }

    /// What could not be read, one line each.
    pub fn misread(&self, reader: &Reader, unread: &[Unread]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "unread", json!({ "unread": unread }))
    }

    /// How a declaration was read, what is left out of it, and what will become of that.
    pub fn echo(&self, reader: &Reader, echo: &Echo<'_>) -> Result<String, LetterFault> {
        let context = json!({
            "seat": echo.seat,
            "heard": Heard::new(echo.interview),
            "unread": echo.unread,
            "sealed": echo.sealed,
            "skipped": echo.skipped,
            "closes": echo.closes,
            "on_a_quarter": echo.on_a_quarter,
            "receipt": echo.receipt,
        });
        self.letter(DESK, reader, "echo", context)
    }

    /// The open questions with what is legal and what happens without an answer. Where nothing has
    /// been said yet and nothing need be, those that can be answered all the same.
    pub fn questions(&self, reader: &Reader, interview: &Interview) -> Result<String, LetterFault> {
        let mut open: Vec<QuestionView> = interview.open().map(QuestionView::new).collect();
        if open.is_empty() && interview.says_nothing() {
            open = interview.asked.iter().map(QuestionView::new).collect();
        }
        self.letter(DESK, reader, "questions", json!({ "questions": open }))
    }

    /// What somebody can do at once, by an example of each thing or by what is asked about the one
    /// that they have begun; and what of their words was not understood.
    pub fn acts(
        &self,
        reader: &Reader,
        interview: &Interview,
        unread: &[Unread],
        examples: &[String],
    ) -> Result<String, LetterFault> {
        let waits = |asked: &&Asked| asked.answer.is_none() && asked.question.is_answerable();
        let asked = interview.asked.iter().filter(waits);
        let questions: Vec<QuestionView> = asked.map(QuestionView::new).collect();
        let context = json!({ "questions": questions, "unread": unread, "examples": examples });
        self.letter(DESK, reader, "acts", context)
    }

    /// Each ruling of a window with its clause, and with its reason where the reader may know it;
    /// and what an event tells that was decided in a player's stead.
    pub fn why(&self, reader: &Reader, entries: &[Entry<Json>]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "why", json!({ "rulings": decided(reader, entries) }))
    }

    /// Everything that happened so far.
    pub fn log(&self, reader: &Reader, windows: &[Window<'_>]) -> Result<String, LetterFault> {
        let windows: Vec<Json> = windows
            .iter()
            .map(|window| json!({ "number": window.number, "turns": turns(window.entries) }))
            .collect();
        self.letter(DESK, reader, "log", json!({ "windows": windows }))
    }

    /// A point in time.
    pub fn when(&self, reader: &Reader, moment: &Moment) -> Result<String, LetterFault> {
        let times = template_name(DESK, reader.lang, "times");
        let said = self.say(&times, reader, "when", Value::from(Serde(moment)))?;
        Ok(said.trim().to_owned())
    }

    /// What can be typed.
    pub fn help(&self, reader: &Reader) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "help", ())
    }

    /// A player sits down.
    pub fn welcome(&self, reader: &Reader, welcome: &Welcome<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "welcome", welcome)
    }

    /// What a seat has mixed into the seed of the dice.
    pub fn mixed_in(&self, reader: &Reader, mixed: &MixedIn<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "mixed_in", mixed)
    }

    /// The deadline is near.
    pub fn deadline(
        &self,
        reader: &Reader,
        deadline: &Deadline<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "deadline", deadline)
    }

    /// The deadline has come, and these had not sealed.
    pub fn closed(&self, reader: &Reader, awaited: &[Seat]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "closed", json!({ "awaited": awaited }))
    }

    /// A window is resolved late: nobody kept its deadline.
    pub fn late(&self, reader: &Reader, closed: &Moment) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "late", json!({ "closed": closed }))
    }

    /// A window has closed, and its result is announced later.
    pub fn shut(&self, reader: &Reader, shut: &Shut) -> Result<String, LetterFault> {
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
    pub fn forming(&self, reader: &Reader, forming: &Forming<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "forming", forming)
    }

    /// How far everybody is with the open window.
    pub fn progress(&self, reader: &Reader, standing: &Standing) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "progress", standing)
    }

    /// A table waits for its host.
    pub fn waiting(&self, reader: &Reader, waiting: &Waiting<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "waiting", waiting)
    }

    /// A table is over.
    pub fn ended(&self, reader: &Reader, ended: &Ended<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ended", ended)
    }

    /// What is lost if a table is ended before its end.
    pub fn ending(&self, reader: &Reader, ending: &Ending<'_>) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ending", ending)
    }

    /// Something that cannot be done now, and what was said.
    pub fn refused(
        &self,
        reader: &Reader,
        refused: Refused,
        said: &str,
    ) -> Result<String, LetterFault> {
        // Of a reason that says more, its word comes first.
        let (why, more) = match json!(refused) {
            Json::Object(told) => told.into_iter().next().unwrap_or_default(),
            why => (why.as_str().unwrap_or_default().to_owned(), Json::Null),
        };
        let number = more.as_i64().map(|number| number + 1);
        let told = json!({ "why": why, "said": said, "number": number, "unmet": more });
        self.letter(DESK, reader, "refused", told)
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
