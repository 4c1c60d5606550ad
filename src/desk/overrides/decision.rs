//! A decision of a game master: rehearsal, making and notification.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::overrides::Override;
use crate::model::people::Guest;
use crate::view::past::Past;
use crate::view::see::Sight;
use letters::template::typed::{Draw, letters, sampled_from};
use letters::{ChangedLine, Changes, DESK, ShownDecision};
use rules::{Entry, Seat};
use tables::Notified;
use tables::ids::OverrideNumber;
use tables::time::Time;

/// An override to be made.
#[derive(Clone, Debug)]
pub struct Decision {
    pub what: Override,
    /// The person who takes a seat; `None` for other decisions.
    pub guest: Option<Guest>,
    pub reason: String,
    /// The notified people.
    pub notified: Notified,
    /// [`Rehearsal::foundation`]: the decision is refused on any other state.
    pub foundation: Option<String>,
    /// [`Rehearsal::changes`] as they were shown, for the log.
    pub shown: Changes,
}

impl From<Override> for Decision {
    /// A public decision without a reason.
    fn from(what: Override) -> Self {
        Self {
            what,
            guest: None,
            reason: String::new(),
            notified: Notified::Public,
            foundation: None,
            shown: Changes::default(),
        }
    }
}

/// The audience of an override, as far as there is a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Audience {
    /// The whole table, without a choice.
    Everybody {
        because: Because,
    },
    /// The whole table, or only these seats.
    Choice {
        /// The seats of a private notification.
        alone: Vec<Seat>,
    },
    Alone {
        alone: Vec<Seat>,
    },
}

impl Audience {
    /// True if the decision can be private.
    pub fn may_be_quiet(&self) -> bool {
        !matches!(self, Self::Everybody { .. })
    }

    /// True if the decision can be public.
    pub fn may_be_public(&self) -> bool {
        !matches!(self, Self::Alone { .. })
    }
}

/// The reason why everybody is notified of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The decider plays at the table.
    Playing,
    /// All dice are thrown again.
    Dice,
    /// The window is asked again, or from another state.
    Asked,
    /// The window is closed.
    Closed,
    /// The decision is announced with a result.
    Result,
    /// The decision ends the table.
    Over,
    /// A seat is offered to whoever wants it.
    Sought,
    /// Game masters see secrets only with everybody's knowledge.
    Watched,
    /// The decision governs the windows of all players.
    Applied,
    /// Everybody has seen the act that is taken back.
    Seen,
}

/// An override that has been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// The number of the override at the table, from 0.
    pub number: OverrideNumber,
    /// True if the override had been made before: it counts once.
    pub before: bool,
    /// True if the override was put to the vote instead, as it needs a second voice: the number is that of
    /// the vote.
    pub vote: bool,
    /// True if the override can never be undone.
    pub is_final: bool,
}

/// The dry run of an override.
#[derive(Debug)]
pub struct Rehearsal {
    /// The table before the override.
    pub before: TableSnapshot,
    /// The table after the override; `None` if that stays hidden before the decision.
    pub after: Option<TableSnapshot>,
    /// The possible audience.
    pub audience: Audience,
    /// The events beyond the public view, as far as the decider may know them.
    pub foreseen: Vec<Entry<Json>>,
    /// The remarks for the decider.
    pub remarks: Vec<Remark>,
    /// The hash of the journal at the dry run, in hex digits.
    pub foundation: String,
}

/// A table, and the result of its last window.
#[derive(Debug)]
pub struct TableSnapshot {
    /// The public view.
    pub sight: Sight,
    /// The last resolved window, announced or not.
    pub last: Option<Past>,
}

/// A remark to the decider before an override is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "thinks", rename_all = "kebab-case")]
pub enum Remark {
    /// Posted messages stay posted.
    Posted,
    /// Revealed information stays known: all dice are thrown anew, and the unknown part of the decks is
    /// shuffled.
    Revealed,
    /// Shown information stays known, while dice and decks return to their former state.
    Known,
    /// The declarations of these seats in the open window are lost.
    Lost { seats: Vec<Seat> },
    /// The declaration of this seat in the judged window is replaced.
    Replaced { seat: Seat },
    /// Secrets of these seats become known to another player, even after an undo.
    Secrets { seats: Vec<Seat> },
    /// The decider plays at the table, and everybody is notified.
    Playing { seat: Seat },
    /// The result of the window is hidden before the decision: sealed declarations from everybody, and future
    /// dice and bot players' choices from a playing decider.
    Unseen {
        /// The seats without a seal, if that is public.
        missing: Vec<Seat>,
    },
    /// A bot player plays on, and the seat can be offered to a player.
    Seek { seat: Seat },
    /// The result of the closing window is announced later, at this time; the closing itself is announced
    /// immediately.
    Announced { announced: Time },
    /// The decision is announced with the result that it changes, not before.
    WithResult {
        /// The time of the announcement; `None` while a game master reviews the result.
        announced: Option<Time>,
    },
    /// The decision cannot be undone.
    Final,
    /// The result is announced immediately: only a rollback, with new dice, takes it back.
    OnlyRollback,
    /// The decision can be undone until its result is announced.
    UntilTold,
    /// The decider plays at the table: the decision is put to the vote, and needs one other voice.
    SecondVoice { seat: Seat },
}

letters! {
    /// The letters of a dry run.
    LETTERS in DESK;

    /// The changes of a decision, the remarks and the audience.
    "rehearsed" pub struct RehearsedDecision<'a> {
        pub decision: &'a ShownDecision<'a>,
        pub changes: &'a [ChangedLine],
        pub remarks: &'a [Remark] => some_remarks,
        pub audience: &'a Audience,
    }

    /// The choices after a dry run, by the possible audience.
    "confirming" pub struct ConfirmingDecision<'a> { pub audience: &'a Audience }
}

sampled_from! { Audience: Audience::samples(); }

/// Draws each remark alone, and all together.
fn some_remarks<'a>(draw: &mut Draw<'_>) -> &'a [Remark] {
    let all = Remark::samples();
    let each: Vec<Vec<Remark>> = all.iter().map(|one| vec![one.clone()]).collect();
    Vec::leak(draw.one_of(&[&each[..], &[all]].concat()))
}

impl Remark {
    /// Returns a sample of each remark.
    pub fn samples() -> Vec<Self> {
        let (seat, seats) = (Seat::new(0), vec![Seat::new(0), Seat::new(1)]);
        let announced = Time::from_milliseconds(1_795_262_700_000);
        vec![
            Self::Posted,
            Self::Revealed,
            Self::Known,
            Self::Lost { seats: seats.clone() },
            Self::Replaced { seat },
            Self::Secrets { seats: seats.clone() },
            Self::Playing { seat },
            Self::Unseen { missing: seats },
            Self::Announced { announced },
            Self::WithResult { announced: Some(announced) },
            Self::WithResult { announced: None },
            Self::Seek { seat },
            Self::Final,
            Self::OnlyRollback,
            Self::UntilTold,
            Self::SecondVoice { seat },
        ]
    }
}

impl Audience {
    /// Returns a sample of each audience.
    pub fn samples() -> Vec<Self> {
        let (some, none) = (vec![Seat::new(0)], Vec::new());
        let everybody = Because::ALL.map(|because| Self::Everybody { because });
        let others = [some, none]
            .map(|alone| [Self::Choice { alone: alone.clone() }, Self::Alone { alone }]);
        everybody.into_iter().chain(others.concat()).collect()
    }
}

impl Because {
    const ALL: [Self; 10] = [
        Self::Playing,
        Self::Dice,
        Self::Asked,
        Self::Closed,
        Self::Result,
        Self::Over,
        Self::Sought,
        Self::Watched,
        Self::Applied,
        Self::Seen,
    ];
}
