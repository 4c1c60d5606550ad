//! What a game master decides.
//!
//! An override is rehearsed before it is made: the very work that would be done is done and undone
//! again, and what would be different then is shown. It has a reason, an entry in the log and one in
//! the journal, and can itself be undone as long as nothing else has followed from it. Nothing that
//! was is ever changed: a window that is asked or resolved again is a window of its own.

mod bench;
mod calls;
mod deciding;
mod edit;
mod history;
mod image;
mod judge;
mod log;
mod propose;
mod read;
mod rehearsing;
mod seats;
mod show;
mod spent;
mod telling;
mod windows;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::see::Past;
use super::{Desk, Guest, NotDone, Sight};
use crate::letters::{Changes, Refused};
use crate::rules::{Declaration, Entry, Seat};
use crate::time::Time;

use deciding::Done;
use rehearsing::Rehearsing;

pub use bench::{Bench, Case, Opened};
pub(super) use deciding::{Deciding, Voted};
pub(super) use history::undoes;
pub use judge::Change;
pub use log::Logged;
pub(super) use log::read as read_override;
pub use propose::Proposal;
pub use read::{DecreeFault, Reply, Verb, Wish, check as check_words, complete, read, write};
pub use show::log;
pub(super) use windows::NEVER;

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
        window: i64,
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
        number: i64,
        /// The round it begins, as players know it: counted from 0, which is the deal.
        #[serde(default)]
        round: Option<u32>,
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
    Undo { number: i64 },
}

impl Override {
    /// The seats that it is about.
    fn seats(&self) -> Vec<Seat> {
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
    fn fits_forming(&self) -> bool {
        let is_seat = matches!(self, Self::Invite { .. } | Self::Kick { .. });
        is_seat || matches!(self, Self::Cancel | Self::Say { .. } | Self::Undo { .. })
    }

    /// Whether a table that stands still goes on doing so, with another window.
    fn keeps_pause(&self) -> bool {
        matches!(self, Self::Void | Self::Judge { .. } | Self::Edit { .. } | Self::Rollback { .. })
    }
}

/// Who is told of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notified {
    Public,
    /// Those whose seats it is about.
    Private,
}

impl Notified {
    fn word(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// An override that is to be made.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What is decided.
    pub what: Override,
    /// Who takes the seat, where somebody does.
    pub guest: Option<Guest>,
    pub reason: String,
    /// Who is told.
    pub notified: Notified,
    /// [`Rehearsal::foundation`]: it is made on that, or not at all.
    pub foundation: Option<String>,
    /// [`Rehearsal::changes`], as they were shown, for the log.
    pub shown: Changes,
}

/// Who is told of an override, as far as that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Audience {
    /// Everybody: it cannot be kept from the table.
    Everybody {
        because: Because,
    },
    /// Everybody, or these alone.
    Choice {
        /// Who is told where the table is not.
        alone: Vec<Seat>,
    },
    Alone {
        alone: Vec<Seat>,
    },
}

impl Audience {
    /// Whether it can be kept from the table.
    pub fn may_be_quiet(&self) -> bool {
        !matches!(self, Self::Everybody { .. })
    }

    /// Whether the table can be told.
    pub fn may_be_public(&self) -> bool {
        !matches!(self, Self::Alone { .. })
    }
}

/// Why everybody is told of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// Who decides plays here.
    Playing,
    /// All dice are thrown again.
    Dice,
    /// The window is asked on other ground, or again.
    Asked,
    /// The window is closed.
    Closed,
    /// It is told with a result.
    Result,
    /// The table is over by it.
    Over,
    /// Whoever wants may take a seat.
    Sought,
    /// Nobody is looked at who does not know it.
    Watched,
}

/// An override that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number at the table, from 0.
    pub number: i64,
    /// Whether it had been made before: it counts once.
    pub before: bool,
    /// Whether it was put to the vote instead, as it needs a second voice: the number is that of the
    pub vote: bool,
    /// Whether it can never be undone.
    pub is_final: bool,
}

/// What an override would make of a table.
#[derive(Debug)]
pub struct Rehearsal {
    /// The table now.
    pub before: Standing,
    /// The table then; none where that is seen only once it has been decided.
    pub after: Option<Standing>,
    /// Who is told.
    pub audience: Audience,
    /// What is told of it beside, as far as whoever decides may know.
    pub foreseen: Vec<Entry<Json>>,
    /// What is to be thought of.
    pub remarks: Vec<Remark>,
    /// The hash of the journal on which it was rehearsed, in hex digits.
    pub foundation: String,
}

/// A table, and what its last window brought.
#[derive(Debug)]
pub struct Standing {
    /// As everybody sees it.
    pub sight: Sight,
    /// What was resolved last, announced or not.
    pub last: Option<Past>,
}

/// What is to be thought of before an override is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "thinks", rename_all = "kebab-case")]
pub enum Remark {
    /// What has been posted stays posted.
    Posted,
    /// What was revealed since stays known: all dice are thrown anew, and what nobody knows of the
    /// decks is shuffled.
    Revealed,
    /// What was shown since stays known, while dice and decks are what they were again.
    Known,
    /// What these have declared in the open window does not count.
    Lost { seats: Vec<Seat> },
    /// What somebody has declared in the window that it is about does not count.
    Replaced { seat: Seat },
    /// Somebody comes to know what is secret to these, and knows it still when it is undone.
    Secrets { seats: Vec<Seat> },
    /// Who decides plays here, and everybody is told.
    Playing { seat: Seat },
    /// What the window brings is not seen before it is decided: nobody sees what is sealed in it, and
    /// who plays here not what would be drawn and thrown, nor what house players would do.
    Unseen {
        /// Who has not sealed, where that may be known.
        missing: Vec<Seat>,
    },
    /// A house player plays on, and a player can be sought for the seat.
    Seek { seat: Seat },
    /// The result of the window that closes is announced later, at this time. The close itself is told at once.
    Announced { announced: Time },
    /// It is told with the result that it changes, and not before that is announced.
    WithResult {
        /// When; none while a game master looks at the result again.
        announced: Option<Time>,
    },
    /// It cannot be undone.
    Final,
    /// What it brings is told at once: only a rollback, with new dice, takes it back.
    OnlyRollback,
    /// It can be undone until what it brings is told.
    UntilTold,
    /// Who decides plays here: it is put to the vote, and one other voice is enough.
    SecondVoice { seat: Seat },
}

impl Desk {
    /// Shows what an override would make of a table. Nothing is changed.
    ///
    /// # Errors
    /// As [`Self::decide`].
    pub async fn rehearse(
        &self,
        code: &str,
        gm: &Gm,
        what: Override,
        guest: Option<Guest>,
        now: Time,
    ) -> Result<Rehearsal, NotDone> {
        let (reason, notified, foundation) = (String::new(), Notified::Public, None);
        let decision =
            Decision { what, guest, reason, notified, foundation, shown: Changes::default() };
        self.store.write(Rehearsing(self.deciding(code, gm, decision, now))).await?
    }

    /// Makes an override.
    ///
    /// # Errors
    /// If it is no game master of the table who asks, no reason is given, it cannot be made now, or
    /// the table is not any more as it was when it was rehearsed.
    pub async fn decide(
        &self,
        code: &str,
        gm: &Gm,
        decision: Decision,
        now: Time,
    ) -> Result<Made, NotDone> {
        if decision.reason.trim().is_empty() {
            return Err(Refused::NoReason.into());
        }
        self.store.write(self.deciding(code, gm, decision, now)).await?
    }

    fn deciding(&self, code: &str, gm: &Gm, decision: Decision, now: Time) -> Deciding {
        let (games, code, gm) = (self.games, code.to_owned(), gm.clone());
        let drawn = [super::draw::id(), super::draw::id()];
        Deciding { games, code, gm, decision, drawn, voted: None, number: 0, undoes: None, now }
    }
}
