//! What a game master can decide.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use games::any::AnyContest;
use rules::{Declaration, Key, Label, Round, Seat, Value};
use tables::ids::{AccountId, OverrideNumber, WindowNumber};
use tables::time::Time;
use tables::{Absence, Pace};

/// Who decides, as the desk meets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gm {
    /// Who they are outside of this house.
    pub account: AccountId,
    /// The roles they have there, such as `discord:role:1`.
    pub roles: Vec<String>,
}

impl From<&AccountId> for Gm {
    fn from(account: &AccountId) -> Self {
        Self { account: account.to_owned(), roles: Vec::new() }
    }
}

impl From<&Gm> for Gm {
    fn from(gm: &Gm) -> Self {
        gm.clone()
    }
}

/// Everything that a game master can decide, in order. An entry says what is said of it, one
/// argument after the other, and what that becomes: `PolicyName("policy"): (policy: String)` is read and
/// written by `PolicyName` (`crate::overrides::read::arguments`), is called `policy` in the manifest of its
/// command (`commands/gm_*.toml`, where its words stand as well), and is the field `policy`. What is
/// decided of a turn is about the open window, or about the last one.
macro_rules! overrides {
    ($make:ident) => {
        $make! {
            window {
                /// The open window closes at another time.
                Extend { Deadline("time"): (closes: Time) }
                /// The open window closes now.
                Close
                /// The table stands still, until then at the latest.
                Pause { Until("time"): (until: Time) }
                /// The table goes on.
                Resume
                /// Nothing is taken before it is unlocked; its clock runs on, or stands.
                Lock { ClockSaid("clock"): (stops: bool) }
                /// What is locked takes declarations again.
                Unlock
                /// The open window is asked again.
                Void
                /// What was done last in the open window is taken back: whose act it was, and how many
                /// there were with it. Neither is ever said.
                TakeBack { LastAct(""): (seat: Option<Seat>, act: usize) }
                /// What a window brought is not announced before it is published.
                Hold
                /// What a window brought is announced now.
                Publish
            }
            turn {
                /// A seat declares this.
                Declare { SeatNamed("seat"): (seat: Seat), Declared("text"): (answers: Declaration) }
                /// What a seat declared too late counts.
                AcceptLate { SeatNamed("seat"): (seat: Seat) }
                /// A part of what a seat declared is returned (差し戻し).
                Return { SeatNamed("seat"): (seat: Seat), PartNamed("part"): (part: Key) }
                /// A seat's turn is skipped.
                Skip { SeatNamed("seat"): (seat: Seat) }
                /// A seat's turn is not skipped.
                Unskip { SeatNamed("seat"): (seat: Seat) }
                /// A die shows something else: a seat's, or one of the whole table.
                Die {
                    SeatOrTable("seat"): (seat: Option<Seat>),
                    DieAndFace("text"): (key: Key, shows: Value)
                }
                /// Questions are decided instead of their player, or of the dice that would decide
                /// them.
                Choose { SeatNamed("seat"): (seat: Seat), Chosen("text"): (answers: Declaration) }
            }
            table {
                /// A move of the game master's, in the game's own words.
                Edit { MoveSaid("text"): (said: Declaration) }
                /// Windows close at another pace, from the next one on.
                Pace { PaceSaid("text"): (pace: Box<Pace>) }
                /// Something else becomes of those who are missing, from the next window on.
                Absence { AbsenceSaid("text"): (absence: Absence) }
                /// A ruling in words (審査員裁定).
                Rule { OwnWords("text"): (words: String) }
                /// Somebody else takes a seat.
                Replace { SeatNamed("seat"): (seat: Seat), Somebody("user"): () }
                /// A house player takes a seat.
                House { SeatNamed("seat"): (seat: Seat), PolicyName("policy"): (policy: String) }
                /// Two exchange their seats.
                Swap { SeatNamed("seat"): (a: Seat), OtherSeat("other"): (b: Seat) }
                /// A player is sought for a seat: whoever wants may take it.
                Call { SeatNamed("seat"): (seat: Seat) }
                /// Nobody is sought or asked for a seat any more.
                Recall { SeatNamed("seat"): (seat: Seat) }
                /// Somebody is asked to play; before the game begins on any chair.
                Invite { SeatOnceBegun("seat"): (seat: Option<Seat>), Somebody("user"): () }
                /// Somebody is sent away.
                Kick { SeatNamed("seat"): (seat: Seat) }
                /// The player of a seat becomes the table's host.
                Host { SeatNamed("seat"): (seat: Seat) }
                /// The table goes back to a window; its round is counted from 0, which is the deal.
                Rollback { WindowBack("window"): (number: WindowNumber, round: Option<Round>) }
                /// The table is ended, and scored as it stands.
                End
                /// The table is called off, without a result.
                Cancel
                /// Something is said in the table's name: to these alone, or to everybody.
                Say { SeatsCalled("to"): (to: Vec<Seat>), OwnWords("text"): (words: String) }
                /// The game master sees what is sealed from now on.
                Open
                /// An override is undone.
                Undo { DecisionMade("number"): (number: OverrideNumber) }
            }
        }
    };
}

pub(crate) use overrides;

macro_rules! enums {
    (
        window { $($(#[$wdoc:meta])* $window:ident $({ $($wkind:ident($woption:literal): ($($wfield:ident: $wtype:ty),*)),+ })?)* }
        turn { $($(#[$doc:meta])* $turn:ident { $($kind:ident($option:literal): ($($field:ident: $type:ty),*)),+ })* }
        table { $($(#[$tdoc:meta])* $table:ident $({ $($tkind:ident($toption:literal): ($($tfield:ident: $ttype:ty),*)),+ })?)* }
    ) => {
        /// Something that a game master decides.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "does", rename_all = "kebab-case")]
        pub enum Override {
            $($(#[$wdoc])* $window $({ $($($wfield: $wtype,)*)+ })?,)*
            /// A window is resolved otherwise than by what was declared and thrown.
            Judge {
                /// Its number: that of the open window, or of the last one that was closed.
                window: WindowNumber,
                /// What is different.
                change: Judgement,
            },
            $($(#[$tdoc])* $table $({ $($($tfield: $ttype,)*)+ })?,)*
            /// A judgement in words. Whoever plays does not see what the seat is asked: the words are
            /// read once it is made, and it is then what was read.
            InWords {
                /// The number of its window.
                window: WindowNumber,
                /// Which judgement it is.
                verb: Verb,
                seat: Seat,
                words: String,
            },
            /// Something that could not be made, and that whoever tried it could not know to be so: it
            /// changes nothing, and is told like what does.
            Tried {
                what: Box<Override>,
            },
        }

        /// The word for a decision.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(Serialize, Deserialize, strum::EnumCount)]
        #[serde(rename_all = "kebab-case")]
        pub enum Verb { $($window,)* $($turn,)* $($table,)* }

        impl Verb {
            /// Every one, in the order of [`Override`].
            pub const ALL: &'static [Self] =
                &[$(Self::$window,)* $(Self::$turn,)* $(Self::$table,)*];
        }

        /// What is different.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "is", rename_all = "kebab-case")]
        pub enum Judgement {
            $($(#[$doc])* $turn { $($($field: $type,)*)+ },)*
        }

        impl Judgement {
            /// The seat it is about; none for a die of the whole table.
            pub fn seat(&self) -> Option<Seat> {
                match self { $(Self::$turn { seat, .. } => (*seat).into(),)* }
            }
        }
    };
}

overrides!(enums);

impl Override {
    /// True if it can be decided before the game begins.
    pub(crate) fn fits_forming(&self) -> bool {
        let is_seat = matches!(self, Self::Invite { .. } | Self::Kick { .. } | Self::Host { .. });
        is_seat || matches!(self, Self::Cancel | Self::Say { .. } | Self::Undo { .. })
    }

    /// True if what comes of it, or that it cannot be made, depends on what a player may not see.
    pub(crate) fn stands_on_what_is_hidden(&self) -> bool {
        matches!(self, Self::Judge { .. } | Self::InWords { .. } | Self::Edit { .. })
    }

    /// True if a table that stands still goes on doing so, with another window.
    pub(crate) fn keeps_pause(&self) -> bool {
        matches!(self, Self::Void | Self::Judge { .. } | Self::Edit { .. } | Self::Rollback { .. })
    }
}

impl Judgement {
    /// Decides it in the contest. What is about a declaration as a whole is no matter of the
    /// contest.
    pub(crate) fn decide(&self, contest: &mut dyn AnyContest) {
        match self.clone() {
            Self::Declare { .. } | Self::AcceptLate { .. } => {}
            Self::Return { seat, part } => contest.return_part(seat, &part),
            Self::Skip { seat } => contest.skip(seat),
            Self::Unskip { seat } => contest.unskip(seat),
            Self::Die { seat, key, shows } => {
                contest.set_die(&Label { seat, key, act: None }, shows);
            }
            Self::Choose { seat, answers } => {
                for (key, answer) in answers.iter() {
                    contest.force(seat, key.clone(), answer.clone());
                }
            }
        }
    }
}

/// What it makes of decisions that one is undone by another: of each, by which it is undone then.
pub(crate) fn undoes(
    number: OverrideNumber,
    by: OverrideNumber,
    what: impl Fn(OverrideNumber) -> Option<Override>,
) -> Vec<(OverrideNumber, Option<OverrideNumber>)> {
    let (mut number, mut by) = (number, Some(by));
    let mut undone = Vec::new();
    loop {
        undone.push((number, by));
        by = if by.is_some() { None } else { Some(number) };
        match what(number) {
            // Only what came before can be undone.
            Some(Override::Undo { number: undid }) if undid < number => number = undid,
            _ => return undone,
        }
    }
}

/// By which other each of these decisions is undone, or stands again; those that no undoing is about
/// are left out.
pub(crate) fn undone(
    decided: &BTreeMap<OverrideNumber, &Override>,
) -> BTreeMap<OverrideNumber, Option<OverrideNumber>> {
    let what = |number| decided.get(&number).copied().cloned();
    let each = decided.iter().filter_map(|(number, made)| match made {
        Override::Undo { number: of } => Some(undoes(*of, *number, what)),
        _ => None,
    });
    each.flatten().collect()
}
