//! What a game master can decide.

use serde::{Deserialize, Serialize};

use crate::games::any::AnyContest;
use crate::ids::{OverrideNumber, WindowNumber};
use crate::rules::Round;
use crate::rules::{Declaration, Key, Label, Seat, Value};
pub use crate::tables::Notified;
use crate::time::Time;

/// Who decides, as the desk meets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gm {
    /// Who they are outside of this house.
    pub account: String,
    /// The roles they have there, such as `discord:role:1`.
    pub roles: Vec<String>,
}

/// Something that a game master decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "kebab-case")]
pub enum Override {
    /// The open window closes at another time.
    Extend { closes: Time },
    /// The open window closes now.
    Close,
    /// The table stands still.
    Pause {
        /// Until then at the latest.
        until: Time,
    },
    /// The table goes on.
    Resume,
    /// The open window is asked again.
    Void,
    /// What a window brought is not announced before it is published.
    Hold,
    /// What a window brought is announced now.
    Publish,
    /// A window is resolved otherwise than by what was declared and thrown.
    Judge {
        /// Its number: that of the open window, or of the last one that was closed.
        window: WindowNumber,
        /// What is different.
        change: Change,
    },
    /// A move of the game master's, in the game's own words.
    Edit { said: Declaration },
    /// A ruling in words (審査員裁定).
    Rule { words: String },
    /// Somebody else takes a seat.
    Replace { seat: Seat },
    /// A house player takes a seat.
    House {
        seat: Seat,
        /// How it plays.
        policy: String,
    },
    /// Two exchange their seats.
    Swap { a: Seat, b: Seat },
    /// A player is sought for a seat: whoever wants may take it.
    Call { seat: Seat },
    /// Nobody is sought or asked for a seat any more.
    Recall { seat: Seat },
    /// Somebody is asked to play.
    Invite {
        /// On which seat; none before the game begins, where it is any chair.
        seat: Option<Seat>,
    },
    /// Somebody is sent away.
    Kick {
        /// From which seat.
        seat: Seat,
    },
    /// The table goes back to a window.
    Rollback {
        number: WindowNumber,
        /// The round it begins, as players know it: counted from 0, which is the deal.
        #[serde(default)]
        round: Option<Round>,
    },
    /// The table is ended, and scored as it stands.
    End,
    /// The table is called off, without a result.
    Cancel,
    /// Something is said in the table's name.
    Say {
        words: String,
        /// To whom alone; to everybody if nobody is named.
        to: Vec<Seat>,
    },
    /// The game master sees what is sealed from now on.
    Open,
    /// An override is undone.
    Undo { number: OverrideNumber },
}

impl Override {
    /// The seats that it is about.
    pub(in crate::desk) fn seats(&self) -> Vec<Seat> {
        match self {
            Self::Judge { change, .. } => change.seat().into_iter().collect(),
            Self::Replace { seat }
            | Self::House { seat, .. }
            | Self::Call { seat }
            | Self::Recall { seat }
            | Self::Kick { seat } => vec![*seat],
            Self::Invite { seat } => seat.iter().copied().collect(),
            Self::Swap { a, b } => vec![*a, *b],
            Self::Say { to, .. } => to.clone(),
            _ => Vec::new(),
        }
    }

    /// Whether it can be decided before the game begins.
    pub(in crate::desk) fn fits_forming(&self) -> bool {
        let is_seat = matches!(self, Self::Invite { .. } | Self::Kick { .. });
        is_seat || matches!(self, Self::Cancel | Self::Say { .. } | Self::Undo { .. })
    }

    /// Whether a table that stands still goes on doing so, with another window.
    pub(in crate::desk) fn keeps_pause(&self) -> bool {
        matches!(self, Self::Void | Self::Judge { .. } | Self::Edit { .. } | Self::Rollback { .. })
    }
}

/// What is different.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Change {
    /// A seat declares this.
    Declare { seat: Seat, answers: Declaration },
    /// What a seat declared too late counts.
    AcceptLate { seat: Seat },
    /// A part of what a seat declared is returned (差し戻し).
    Return { seat: Seat, part: Key },
    /// A seat's turn is skipped.
    Skip { seat: Seat },
    /// A seat's turn is not skipped.
    Unskip { seat: Seat },
    /// A die shows something else.
    Die {
        /// Whose; none for one of the whole table.
        seat: Option<Seat>,
        /// What it is thrown for.
        key: Key,
        shows: Value,
    },
    /// Questions are decided instead of their player, or of the dice that would decide them.
    Choose { seat: Seat, answers: Declaration },
}

impl Change {
    /// The seat it is about.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Self::Declare { seat, .. }
            | Self::AcceptLate { seat }
            | Self::Return { seat, .. }
            | Self::Skip { seat }
            | Self::Unskip { seat }
            | Self::Choose { seat, .. } => Some(*seat),
            Self::Die { seat, .. } => *seat,
        }
    }

    /// Decides it in the contest. What is about a declaration as a whole is no matter of the
    /// contest.
    pub(in crate::desk) fn decide(&self, contest: &mut dyn AnyContest) {
        match self.clone() {
            Self::Declare { .. } | Self::AcceptLate { .. } => {}
            Self::Return { seat, part } => contest.send_back(seat, &part),
            Self::Skip { seat } => contest.skip(seat),
            Self::Unskip { seat } => contest.unskip(seat),
            Self::Die { seat, key, shows } => contest.rig(&Label { seat, key }, shows),
            Self::Choose { seat, answers } => {
                for (key, answer) in answers.iter() {
                    contest.force(seat, key.clone(), answer.clone());
                }
            }
        }
    }
}
