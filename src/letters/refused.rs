//! What cannot be done now, and why.

use serde::Serialize;
use serde_json::Value as Json;

use crate::ids::OverrideNumber;
use crate::letters::template::letters::{DESK, LetterFault, Letters};
use crate::letters::template::reader::Reader;
use crate::letters::template::typed::{Draw, LetterForm, Sampled, letter};
use crate::rules::Seat;
use crate::tables::absence::{Minimum, Unmet};

/// Why something cannot be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refused {
    /// Nothing is asked of the reader.
    NotAsked,
    /// The window has closed.
    Closed,
    /// The window has closed in which they would have done something at once.
    TooLateToAct,
    /// The declaration holds a fault: a seal on it is asked about once.
    Faulty,
    /// The declaration says nothing: a seal on it is asked about once.
    Empty,
    /// The text is too long.
    TooLong,
    /// Nothing is declared in that section.
    NothingThere,
    NothingDeclared,
    /// Nothing of what they declared the last time can be said again.
    NothingToRepeat,
    /// Nothing belongs behind that word.
    Alone,
    /// Nothing of that line can be read, and it is like the word for a command.
    Mistyped,
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
    /// It cannot be kept from the table.
    NotQuietly,
    /// Who wants to see a result before it is announced plays, or has not opened the seals.
    NoPreview,
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
    /// No result waits to be announced.
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
    NewerFirst(OverrideNumber),
    /// The decision would change nothing.
    Nothing,
    /// Nothing is asked of the seat that it is about.
    SeatNotAsked,
    /// The table is not over.
    NotOver,
    /// Somebody has kept a promise: nobody comes, goes or chooses anything before the game begins.
    Fixed,
    /// This seat has promised a value, and is to tell it first.
    Promised(Seat),
    /// It is not what the reader has promised.
    NotPromised,
    /// The host has not asked for promises to be kept yet.
    NotDue,
    /// It looks like a promise, and is none.
    NoPromise,
}

impl Refused {
    pub const ALL: [Self; 81] = [
        Self::NotAsked,
        Self::Closed,
        Self::TooLateToAct,
        Self::Faulty,
        Self::Empty,
        Self::TooLong,
        Self::NothingThere,
        Self::NothingDeclared,
        Self::Alone,
        Self::Mistyped,
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
        Self::NotQuietly,
        Self::NoPreview,
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
        Self::NewerFirst(OverrideNumber::new(1)),
        Self::Nothing,
        Self::SeatNotAsked,
        Self::NotOver,
        Self::Fixed,
        Self::Promised(Seat::new(1)),
        Self::NotPromised,
        Self::NotDue,
        Self::NoPromise,
    ];
}

/// What a template sees of something that cannot be done. Of a reason that says more, its word comes
/// first, and then what it says, which is a number, a seat, or what is not met.
#[derive(Debug, Serialize)]
struct CannotBeDone<'a> {
    why: String,
    said: &'a str,
    number: Option<u64>,
    unmet: Json,
    seat: Json,
}

letter! {
    DESK, "refused", CannotBeDone<'a> {
        why: String,
        said: &'a str,
        number: Option<u64>,
        unmet: Json,
        seat: Json,
    }
}

/// The letter about what cannot be done.
pub(crate) const LETTERS: &[LetterForm] = &[LetterForm::of::<CannotBeDone<'_>>()];

impl<'a> CannotBeDone<'a> {
    fn new(refused: Refused, said: &'a str) -> Self {
        let (why, more) = match serde_json::to_value(refused).unwrap_or_default() {
            Json::Object(told) => told.into_iter().next().unwrap_or_default(),
            why => (why.as_str().unwrap_or_default().to_owned(), Json::Null),
        };
        let number = more.as_u64().map(|number| number + 1);
        Self { why, said, number, unmet: more.clone(), seat: more }
    }
}

impl Sampled for CannotBeDone<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self::new(draw.one_of(&Refused::ALL), "E9.9")
    }
}

impl Letters {
    /// Something that cannot be done now, and what was said.
    pub fn refused(
        &self,
        reader: &Reader,
        refused: Refused,
        said: &str,
    ) -> Result<String, LetterFault> {
        self.write(reader, &CannotBeDone::new(refused, said))
    }
}
