//! What cannot be done now, and why.

use serde::Serialize;
use serde_json::Value as Json;

use crate::template::letters::{DESK, LetterFault, Letters};
use crate::template::reader::Reader;
use crate::template::typed::{Draw, LetterForm, Sampled, letter};
use rules::Seat;
use rules::seat::SomeSeats;
use tables::absence::{Minimum, Unmet};
use tables::ids::OverrideNumber;

/// Reasons why something cannot be done now: those that many have in common, and those of one kind of
/// thing that is done.
macro_rules! refusals {
    (
        Refused { $($(#[$common_about:meta])* $common:ident,)* }
        $(#[$about:meta] $group:ident $name:ident {
            $($(#[$reason_about:meta])* $reason:ident $(($said:ty): $sample:expr)?,)*
        })*
    ) => {
        /// Why something cannot be done now.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Refused {
            $($(#[$common_about])* $common,)*
            $(#[serde(untagged)] $group($name),)*
        }

        impl Refused {
            /// Each of them once.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$common,)* $($(Self::$group($name::$reason $(($sample))?),)*)*]
            }
        }

        $(
            #[$about]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
            #[serde(rename_all = "kebab-case")]
            pub enum $name {
                $($(#[$reason_about])* $reason $(($said))?,)*
            }

            impl From<$name> for Refused {
                fn from(why: $name) -> Self {
                    Self::$group(why)
                }
            }

            impl PartialEq<$name> for Refused {
                fn eq(&self, why: &$name) -> bool {
                    *self == Self::$group(*why)
                }
            }
        )*
    };
}

refusals! {
    Refused {
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
        /// A table is played in this place already.
        Taken,
        /// No window has been resolved yet.
        NothingRuled,
        /// Only the host can do that.
        NotHost,
        /// Only the host can do that, and who decides beside them.
        NotLeader,
        /// The window has not opened yet.
        NotYet,
        /// The table waits for its rules to be mended.
        Held,
        /// The table is played by an edition that this program does not know.
        OtherEdition,
        /// The table is not any more as it was when it was looked at.
        MovedOn,
        /// Nobody sits there.
        NoSeat,
        /// What was possible a moment ago is no more.
        NotNow,
        /// The decision would change nothing.
        Nothing,
        /// The table is not over.
        NotOver,
    }
    /// Why a declaration is not taken, or what somebody would do at once not done.
    Declaration DeclarationRefused {
        /// Nothing is asked of the reader.
        NotAsked,
        /// The window has closed.
        Closed,
        /// The window has closed in which they would have done something at once.
        TooLateToAct,
        /// The same control has done it before.
        DoneBefore,
        /// The reader was in time, and only those who are late may still seal.
        Frozen,
        /// It came after the close, and is kept for a game master to count it.
        Late,
        /// The table waits for its host.
        Waiting,
        /// The table stands still because a game master wanted it.
        Paused,
        /// A game master lets nothing be taken.
        LockedNow,
        /// The declaration holds a fault: a seal on it is asked about once.
        Faulty,
        /// The declaration says nothing: a seal on it is asked about once.
        Empty,
        /// The text is too long.
        TooLong,
        /// No button can bear all that is said of something done at once.
        TooLongForButtons,
        /// Nothing is declared in that section.
        NothingThere,
        NothingDeclared,
        /// Nothing of what they declared the last time can be said again.
        NothingToRepeat,
        /// Nothing belongs behind that word.
        Alone,
        /// Nothing of that line can be read, and it is like the word for a command.
        Mistyped,
        /// Nothing of that line can be read.
        NotUnderstood,
        /// Nothing can be ordered in this game for as long as one likes.
        NoOrders,
        /// Nothing is ordered in that part.
        NoSuchOrder,
        /// Nothing of what they have declared can be ordered.
        NothingToOrder,
        /// Nothing can be declared for a window to come: there is no other one like the open one.
        NoNext,
        /// Nothing can be declared for a window to come: all is done at once.
        NothingSealed,
        /// The reader has no partners in this game.
        NoSide,
        /// A line to one's side is too long.
        LineTooLong,
    }
    /// Why nobody sits down, takes a seat or tells the value that they promised.
    Seat SeatRefused {
        /// No chair is free.
        Full,
        /// That chair is not free, but these are.
        NotFree(SomeSeats): [Seat::new(1), Seat::new(2)].into_iter().collect(),
        /// There is no such chair at the table, and these are free.
        NoChair(SomeSeats): [Seat::new(1), Seat::new(2)].into_iter().collect(),
        /// The reader would leave, and the game has begun.
        NoLeaving,
        /// The reader sits on that chair already.
        OwnChair(Seat): Seat::new(1),
        /// The reader sits at the table already.
        Seated,
        /// Nobody is sought for that seat, or somebody else is asked to take it.
        NotSought,
        /// Players are sought for several seats, and it is not said which is meant.
        WhichSeat,
        /// The reader has sat at the table before, or stands in for another seat.
        HasLeft,
        /// Who would take a seat has had one of another side, or stands in for one.
        OtherSide,
        /// The reader was sent away from the table.
        SentAway,
        /// The reader has missed more windows than the table's host allows those who join.
        Missed(Unmet): Unmet { minimum: Minimum { missed: 2, of: 10 }, missed: 3 },
        /// Somebody else has: of them no more is told.
        TheyMissed,
        /// Somebody has kept a promise: nobody comes, goes or chooses anything before the game begins.
        Fixed,
        /// It is not what the reader has promised.
        NotPromised,
        /// The host has not asked for promises to be kept yet.
        NotDue,
        /// It looks like a promise, and is none.
        NoPromise,
    }
    /// Why a game does not begin.
    Start StartRefused {
        /// Nobody has sat down yet.
        Nobody,
        /// More people sit at the table than there would be chairs.
        TooFewChairs,
        /// This seat has promised a value, and is to tell it first.
        Promised(Seat): Seat::new(1),
    }
    /// Why nobody goes away, or is stood in for.
    Absence AbsenceRefused {
        /// A time that ends before it begins, has ended already, or is too long.
        NoPeriod,
        /// Who is to stand in sits at the table, or stands in for another seat.
        OtherSeat,
        /// The reader is not away, and every window waits for them.
        NotAway,
        /// Nobody stands in for the reader.
        NoSubstitute,
    }
    /// Why a game master decides nothing.
    Override OverrideRefused {
        /// Only a game master of the table can do that.
        NotGm,
        /// No reason is given.
        NoReason,
        /// It cannot be kept from the table.
        NotQuietly,
        /// Who wants to see a result before it is announced plays, or has not opened the seals.
        NoPreview,
        /// Something has followed from it: only a rollback helps.
        OnlyRollback,
        /// There is no such window.
        NoWindow,
        /// No house player plays like this.
        NoPolicy,
        /// Nobody is picked who could do it.
        NoPerson,
        /// They sit at the table already.
        SitsHere,
        /// Somebody is sought for that seat, or asked, already.
        Sought,
        /// Nothing is asked of the seat that it is about.
        SeatNotAsked,
        /// The table does not wait for its host.
        NotHeld,
        /// The table is locked already.
        Locked,
        NotLocked,
        /// The table stands still already, for another reason.
        Stopped,
        /// There is no such decision.
        NoOverride,
        /// The decision has been undone already.
        Undone,
        /// A newer decision, of this number from 0, has to be undone first.
        NewerFirst(OverrideNumber): OverrideNumber::new(1),
        /// The decision cannot be undone.
        Final,
        /// The time has passed.
        Past,
        /// A pause is never so long.
        TooLongPause,
        /// The vote would put the deadline off to a time that is not later.
        NoLater,
        /// The table, or what it has to announce, is held back already.
        Still,
        /// No result waits to be announced.
        Announced,
        /// The game masters see what is sealed already.
        OpenAlready,
        /// A round is being resolved.
        Suspended,
        /// The move is not legal.
        Unfit,
        /// Nothing of a seat came too late.
        NothingLate,
        /// What was tried could not be made, and everybody has been told that it was tried.
        InVain,
        /// Nothing has been done at once in the open window.
        NoAct,
        /// What was done last stands: by this clause, if the rules have one.
        ActStands(Option<&'static str>): Some("E9.9"),
    }
    /// Why no vote is opened, and no voice given.
    Vote VoteRefused {
        /// No such vote is open.
        NoVote,
        /// A vote of the same kind is open.
        VoteOpen,
        VoteOver,
        NotPaused,
        /// The table has been paused for longer than one can object to it.
        PauseStands,
        /// It is their own seat that the vote is about.
        NoVoice,
        /// Nobody but them could vote about the seat of somebody who is there.
        OneVoice,
    }
    /// Why what was said could not be kept.
    Keeping KeepingRefused {
        /// It could not be kept.
        Unsaved,
        /// It could not be kept for want of room.
        NoRoom,
        /// It could not be kept where nothing may be written.
        ReadOnly,
    }
}

/// What a template sees of something that cannot be done. Of a reason that says more, its word comes
/// first, and then what it says, which is a number, a seat, a clause, or what is not met.
#[derive(Debug, Serialize)]
struct CannotBeDone<'a> {
    why: String,
    said: &'a str,
    number: Option<u64>,
    unmet: Json,
    seat: Json,
    clause: Json,
}

letter! {
    DESK, "refused", CannotBeDone<'a> {
        why: String,
        said: &'a str,
        number: Option<u64>,
        unmet: Json,
        seat: Json,
        clause: Json,
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
        Self { why, said, number, unmet: more.clone(), seat: more.clone(), clause: more }
    }
}

impl Sampled for CannotBeDone<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self::new(draw.one_of(&Refused::all()), "E9.9")
    }
}

impl Letters {
    /// Something that cannot be done now, and what was said.
    pub fn refused(
        &self,
        reader: &Reader,
        refused: impl Into<Refused>,
        said: &str,
    ) -> Result<String, LetterFault> {
        self.write(reader, &CannotBeDone::new(refused.into(), said))
    }
}
