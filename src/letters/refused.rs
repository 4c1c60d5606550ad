//! Actions that are refused, and the reasons.

use serde::Serialize;
use serde_json::Value as Json;

use crate::template::typed::{LetterForm, letter};
use crate::template::{Draw, Sampled};
use crate::{DESK, Letters, Reader, Result};
use rules::Seat;
use rules::seat::SomeSeats;
use tables::absence::{Minimum, Unmet};
use tables::ids::OverrideNumber;

/// Defines the reasons for a refusal: those common to many actions, and those of one kind of action.
macro_rules! refusals {
    (
        Refused { $($(#[$common_about:meta])* $common:ident,)* }
        $(#[$about:meta] $group:ident $name:ident {
            $($(#[$reason_about:meta])* $reason:ident $(($data:ty): $sample:expr)?,)*
        })*
    ) => {
        /// The reason why an action is refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Refused {
            $($(#[$common_about])* $common,)*
            $(#[serde(untagged)] $group($name),)*
        }

        impl Refused {
            /// Returns every reason, once each.
            pub fn all() -> Vec<Self> {
                vec![$(Self::$common,)* $($(Self::$group($name::$reason $(($sample))?),)*)*]
            }
        }

        $(
            #[$about]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
            #[serde(rename_all = "kebab-case")]
            pub enum $name {
                $($(#[$reason_about])* $reason $(($data))?,)*
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
        /// The person does not sit at the table.
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
        /// Only the host may do this.
        NotHost,
        /// Only the host, or a person appointed by the host, may do this.
        NotLeader,
        /// The window has not opened yet.
        NotYet,
        /// The table waits for its rules to be fixed.
        Held,
        /// The table is played by an edition that this program does not know.
        OtherEdition,
        /// The table has changed since the person looked at it.
        MovedOn,
        /// The seat is empty.
        NoSeat,
        /// The action is no longer possible.
        NotNow,
        /// The decision would change nothing.
        Nothing,
        /// The table is not over.
        NotOver,
    }
    /// The reason why a declaration or an immediate act is not accepted.
    Declaration DeclarationRefused {
        /// The reader is asked nothing.
        NotAsked,
        /// The window has closed.
        Closed,
        /// The window of the act has closed.
        TooLateToAct,
        /// The same control has done this before.
        DoneBefore,
        /// The reader has met the deadline, and only late seats may still seal.
        Frozen,
        /// The declaration came after the close, and is stored for a game master to count.
        Late,
        /// The table waits for its host.
        Waiting,
        /// A game master has paused the table.
        Paused,
        /// A game master has locked the table.
        LockedNow,
        /// The declaration has a fault: a seal needs a confirmation.
        Faulty,
        /// The declaration is empty: a seal needs a confirmation.
        Empty,
        /// The text is too long.
        TooLong,
        /// The act is too long for the id of a button.
        TooLongForButtons,
        /// No answer is declared in that section.
        NothingThere,
        NothingDeclared,
        /// No part of the last declaration can be repeated.
        NothingToRepeat,
        /// The word takes no arguments.
        Alone,
        /// The line could not be parsed, and resembles a command.
        Mistyped,
        /// The line could not be parsed.
        NotUnderstood,
        /// The player answered no to the last question.
        LeftUndone,
        /// The game has no standing orders.
        NoOrders,
        /// The part has no standing order.
        NoSuchOrder,
        /// No part of the declaration can become a standing order.
        NothingToOrder,
        /// The game has no later window like the open one to declare for.
        NoNext,
        /// All acts are immediate: no later window can be declared for.
        NothingSealed,
        /// The reader has no partners in this game.
        NoSide,
        /// The game has no decks of one's own, with the options of the table.
        NoOwnDeck,
        /// No deck is named to be checked, and none is declared.
        NoDeckGiven,
        /// A line to one's side is too long.
        LineTooLong,
    }
    /// The reason why a seat is not taken or left, or a promised value is not accepted.
    Seat SeatRefused {
        /// No chair is free.
        Full,
        /// The chair is not free, but these are.
        NotFree(SomeSeats): [Seat::new(1), Seat::new(2)].into_iter().collect(),
        /// The table has no such chair; these are free.
        NoChair(SomeSeats): [Seat::new(1), Seat::new(2)].into_iter().collect(),
        /// The reader cannot leave, as the game has begun.
        NoLeaving,
        /// The reader already has that chair.
        OwnChair(Seat): Seat::new(1),
        /// The reader already sits at the table.
        Seated,
        /// The seat looks for no player, or another person is asked to take it.
        NotSought,
        /// Several seats look for players, and the reader named none.
        WhichSeat,
        /// The reader has sat at the table before, or stands in for another seat.
        HasLeft,
        /// The person who would take a seat has had one of another side, or stands in for one.
        OtherSide,
        /// The reader was sent away from the table.
        SentAway,
        /// The reader has missed more windows than the host allows.
        Missed(Unmet): Unmet { minimum: Minimum { missed: 2, of: 10 }, missed: 3 },
        /// Another person has missed more windows than the host allows; no details are shown.
        TheyMissed,
        /// A promised value is revealed: nobody joins, leaves or chooses before the game begins.
        Fixed,
        /// The value is not the one that the reader has promised.
        NotPromised,
        /// The host has not asked for the promised values yet.
        NotDue,
        /// The value looks like a promise but is none.
        NoPromise,
    }
    /// The reason why a game does not begin.
    Start StartRefused {
        /// Nobody has sat down yet.
        Nobody,
        /// More people sit at the table than the new number of chairs.
        TooFewChairs,
        /// This seat has promised a value, and has to reveal it first.
        Promised(Seat): Seat::new(1),
    }
    /// The reason why an absence or a substitute is refused.
    Absence AbsenceRefused {
        /// The period ends before it begins, has already ended, or is too long.
        NoPeriod,
        /// The substitute sits at the table, or stands in for another seat.
        OtherSeat,
        /// The reader is not away, and every window waits for them.
        NotAway,
        /// Nobody stands in for the reader.
        NoSubstitute,
    }
    /// The reason why a decision of a game master is refused.
    Override OverrideRefused {
        /// Only a game master of the table may do this.
        NotGm,
        /// No reason is given.
        NoReason,
        /// The decision cannot be hidden from the table.
        NotQuietly,
        /// The game master plays, or has not opened the seals, so sees no result before it is announced.
        NoPreview,
        /// Later events depend on the event: only a rollback undoes it.
        OnlyRollback,
        /// There is no such window.
        NoWindow,
        /// No bot player has this policy.
        NoPolicy,
        /// No suitable person is picked.
        NoPerson,
        /// The person already sits at the table.
        SitsHere,
        /// A player is already sought or asked for the seat.
        Sought,
        /// The seat is asked nothing.
        SeatNotAsked,
        /// The table does not wait for its host.
        NotHeld,
        /// The table is locked already.
        Locked,
        NotLocked,
        /// The table is already held, for another reason.
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
        /// The pause is too long.
        TooLongPause,
        /// The vote would move the deadline to a time that is not later.
        NoLater,
        /// The table, or its announcement, is already held.
        Still,
        /// No result waits to be announced.
        Announced,
        /// The game masters already see sealed declarations.
        OpenAlready,
        /// A round is being resolved.
        Suspended,
        /// The move is not legal.
        Unfit,
        /// No declaration of a seat came too late.
        NothingLate,
        /// The attempt failed, and everybody was notified of it.
        InVain,
        /// No immediate act was done in the open window.
        NoAct,
        /// The last act cannot be undone: by this clause, if the rules have one.
        ActStands(Option<&'static str>): Some("E9.9"),
    }
    /// The reason why a vote is not opened, or a ballot not counted.
    Vote VoteRefused {
        /// No such vote is open.
        NoVote,
        /// A vote of the same kind is open.
        VoteOpen,
        VoteOver,
        NotPaused,
        /// The table has been paused for too long to object.
        PauseStands,
        /// The vote is about the person's own seat.
        NoVoice,
        /// Nobody else could vote about the seat of a player who is there.
        OneVoice,
    }
    /// The reason why an input could not be stored.
    Keeping KeepingRefused {
        /// Storing failed.
        Unsaved,
        /// Storing failed for lack of space.
        NoRoom,
        /// Storing failed, as the storage is read-only.
        ReadOnly,
    }
}

/// The fields of a template about a refusal. The name of the reason is in `why`, and its data in `of`: seats, a
/// clause, or an unmet minimum; a number is in `number`, too, from 1.
#[derive(Debug, Serialize)]
struct CannotBeDone<'a> {
    why: String,
    said: &'a str,
    number: Option<u64>,
    of: Json,
}

letter! { DESK, "refused", CannotBeDone<'a> { why: String, said: &'a str, number: Option<u64>, of: Json } }

/// The forms of the letter about a refusal.
pub(crate) const LETTERS: &[LetterForm] = &[LetterForm::of::<CannotBeDone<'_>>()];

impl<'a> CannotBeDone<'a> {
    fn new(refused: Refused, detail: &'a str) -> Self {
        let (why, more) = match serde_json::to_value(refused).unwrap_or_default() {
            Json::Object(fields) => fields.into_iter().next().unwrap_or_default(),
            why => (why.as_str().unwrap_or_default().to_owned(), Json::Null),
        };
        let number = more.as_u64().map(|number| number + 1);
        Self { why, said: detail, number, of: more }
    }
}

impl Sampled for CannotBeDone<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self::new(draw.one_of(&Refused::all()), "E9.9")
    }
}

impl Letters {
    /// Writes why an action is refused, with the input that was refused.
    pub fn refused(
        &self,
        reader: &Reader,
        refused: impl Into<Refused>,
        detail: &str,
    ) -> Result<String> {
        self.write(reader, &CannotBeDone::new(refused.into(), detail))
    }
}
