//! The decisions of a game master.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use games::any::AnyContest;
use rules::{Declaration, Key, Label, Round, Seat, Value};
use tables::{Absence, AccountId, OverrideNumber, Pace, Time, WindowNumber};

/// A game master who addresses the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gm {
    /// The account outside of this program.
    pub account: AccountId,
    /// The roles of the account, such as `discord:role:1`.
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

/// Every decision of a game master, in order. An entry lists its arguments and the fields that they become:
/// `PolicyName("policy"): (policy: String)` is parsed and written by `PolicyName`
/// (`crate::overrides::read::arguments`), is called `policy` in the manifest of its command
/// (`commands/gm_*.toml`, with its texts), and is stored in the field `policy`. Decisions about a turn
/// concern the open window or the last closed one.
macro_rules! overrides {
    ($make:ident) => {
        $make! {
            window {
                /// The open window closes at another time.
                Extend { Deadline("time"): (closes: Time) }
                /// The open window closes now.
                Close
                /// The table is paused, until this time at the latest.
                Pause { Until("time"): (until: Time) }
                /// A paused table goes on.
                Resume
                /// No declarations are taken before an unlock; the clock runs on or stops.
                Lock { ClockSaid("clock"): (stops: bool) }
                /// A locked table takes declarations again.
                Unlock
                /// The open window is asked again.
                Void
                /// The last act in the open window is taken back. Its seat and the number of acts are
                /// derived, never typed.
                TakeBack { LastAct(""): (seat: Option<Seat>, act: usize) }
                /// The result of a window is not announced before it is published.
                Hold
                /// The held result of a window is announced now.
                Publish
            }
            turn {
                /// A seat makes this declaration.
                Declare { SeatNamed("seat"): (seat: Seat), Declared("text"): (answers: Declaration) }
                /// The late declaration of a seat counts.
                AcceptLate { SeatNamed("seat"): (seat: Seat) }
                /// A part of a seat's declaration is returned (差し戻し).
                Return { SeatNamed("seat"): (seat: Seat), PartNamed("part"): (part: Key) }
                /// A seat's turn is skipped.
                Skip { SeatNamed("seat"): (seat: Seat) }
                /// A seat's turn is not skipped.
                Unskip { SeatNamed("seat"): (seat: Seat) }
                /// A die shows another value: a seat's die, or one of the whole table.
                Die {
                    SeatOrTable("seat"): (seat: Option<Seat>),
                    DieAndFace("text"): (key: Key, shows: Value)
                }
                /// The decider answers questions in place of a player or of the dice.
                Choose { SeatNamed("seat"): (seat: Seat), Chosen("text"): (answers: Declaration) }
            }
            table {
                /// A move of the game master, in the game's own words.
                Edit { MoveSaid("text"): (said: Declaration) }
                /// Windows have another pace, from the next one on.
                Pace { PaceSaid("text"): (pace: Box<Pace>) }
                /// Missing players are treated differently, from the next window on.
                Absence { AbsenceSaid("text"): (absence: Absence) }
                /// A ruling in words (審査員裁定).
                Rule { OwnWords("text"): (words: String) }
                /// Another player takes a seat.
                Replace { SeatNamed("seat"): (seat: Seat), Somebody("user"): () }
                /// A bot player takes a seat.
                House { SeatNamed("seat"): (seat: Seat), PolicyName("policy"): (policy: String) }
                /// Two players exchange their seats.
                Swap { SeatNamed("seat"): (a: Seat), SeatNamed("other"): (b: Seat) }
                /// A seat is offered to whoever wants to take it.
                Call { SeatNamed("seat"): (seat: Seat) }
                /// The offer of a seat and all invitations to it end.
                Recall { SeatNamed("seat"): (seat: Seat) }
                /// A person is invited to play; before the game begins, on any seat.
                Invite { SeatOnceBegun("seat"): (seat: Option<Seat>), Somebody("user"): () }
                /// The player of a seat is sent away.
                Kick { SeatNamed("seat"): (seat: Seat) }
                /// The player of a seat becomes the table's host.
                Host { SeatNamed("seat"): (seat: Seat) }
                /// The table goes back to a window; its round is counted from 0, which is the deal.
                Rollback { WindowBack("window"): (number: WindowNumber, round: Option<Round>) }
                /// The table is ended, and scored as it stands.
                End
                /// The table is called off, without a result.
                Cancel
                /// A message in the table's name, to these seats or to the whole table.
                Say { SeatsCalled("to"): (to: Vec<Seat>), OwnWords("text"): (words: String) }
                /// The game master sees sealed declarations from now on.
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
        /// A decision of a game master.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "does", rename_all = "kebab-case")]
        pub enum Override {
            $($(#[$wdoc])* $window $({ $($($wfield: $wtype,)*)+ })?,)*
            /// A window is resolved with a change to its declarations or dice.
            Judge {
                /// The number of the window: the open one, or the last closed one.
                window: WindowNumber,
                /// The change.
                change: Judgement,
            },
            $($(#[$tdoc])* $table $({ $($($tfield: $ttype,)*)+ })?,)*
            /// A judgement typed by a playing game master, who does not see the questions of the seat: the
            /// words are parsed once the decision is made, and replaced by the judgement.
            InWords {
                /// The number of the window.
                window: WindowNumber,
                /// The kind of judgement.
                verb: Verb,
                seat: Seat,
                words: String,
            },
            /// A decision that failed on hidden information: it changes nothing, and is announced like a
            /// successful one.
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
            /// All verbs, in the order of [`Override`].
            pub const ALL: &'static [Self] =
                &[$(Self::$window,)* $(Self::$turn,)* $(Self::$table,)*];
        }

        /// A change to a declaration, a turn or a die of a window.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "is", rename_all = "kebab-case")]
        pub enum Judgement {
            $($(#[$doc])* $turn { $($($field: $type,)*)+ },)*
        }

        impl Override {
            /// Returns the word for the decision.
            pub fn verb(&self) -> Verb {
                match self {
                    $(Self::$window { .. } => Verb::$window,)*
                    Self::Judge { change, .. } => change.verb(),
                    $(Self::$table { .. } => Verb::$table,)*
                    Self::InWords { verb, .. } => *verb,
                    Self::Tried { what } => what.verb(),
                }
            }
        }

        impl Judgement {
            /// Returns the word for the judgement.
            pub fn verb(&self) -> Verb {
                match self { $(Self::$turn { .. } => Verb::$turn,)* }
            }

            /// Returns the seat of the judgement, `None` for a die of the whole table.
            pub fn seat(&self) -> Option<Seat> {
                match self { $(Self::$turn { seat, .. } => (*seat).into(),)* }
            }
        }
    };
}

overrides!(enums);

impl Judgement {
    /// Applies the judgement to the contest. Judgements about a whole declaration do not concern the contest.
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

/// Returns the undo states that change once `by` undoes `number`: each decision with the number of the
/// decision that undoes it, `None` if it stands again.
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
            // Only earlier decisions can be undone.
            Some(Override::Undo { number: undid }) if undid < number => number = undid,
            _ => return undone,
        }
    }
}

/// Returns the undo state of each decision that an undo is about: the number of the undoing decision, `None`
/// if the decision stands again.
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
