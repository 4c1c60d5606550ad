//! A decision of a game master: as it is rehearsed, made and told.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::overrides::Override;
use crate::model::people::Guest;
use crate::view::see::{Past, Sight};
use letters::template::typed::{Draw, letters, sampled_from};
use letters::{ChangedLine, Changes, DESK, ShownDecision};
use rules::{Entry, Seat};
use tables::Notified;
use tables::ids::OverrideNumber;
use tables::time::Time;

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

impl From<Override> for Decision {
    /// The table is told, and nobody has said why.
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
    /// True if it can be kept from the table.
    pub fn may_be_quiet(&self) -> bool {
        !matches!(self, Self::Everybody { .. })
    }

    /// True if the table can be told.
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
    /// Everybody's windows go by it.
    Applied,
    /// Everybody has seen what is taken back.
    Seen,
}

/// An override that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its number at the table, from 0.
    pub number: OverrideNumber,
    /// True if it had been made before: it counts once.
    pub before: bool,
    /// True if it was put to the vote instead, as it needs a second voice: the number is that of the
    /// vote.
    pub vote: bool,
    /// True if it can never be undone.
    pub is_final: bool,
}

/// What an override would make of a table.
#[derive(Debug)]
pub struct Rehearsal {
    /// The table now.
    pub before: TableSnapshot,
    /// The table then; none where that is seen only once it has been decided.
    pub after: Option<TableSnapshot>,
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
pub struct TableSnapshot {
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
    /// The result of the window that closes is announced later, at this time. The close itself is
    /// told at once.
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

letters! {
    /// What a decision would bring, before it is made.
    LETTERS in DESK;

    /// What a decision would change, what is to be thought of, and who is told.
    "rehearsed" pub struct RehearsedDecision<'a> {
        pub decision: &'a ShownDecision<'a>,
        pub changes: &'a [ChangedLine],
        pub remarks: &'a [Remark] => some_remarks,
        pub audience: &'a Audience,
    }

    /// How to go on with a decision that was rehearsed, by who can be told of it.
    "confirming" pub struct ConfirmingDecision<'a> { pub audience: &'a Audience }
}

sampled_from! { Audience: Audience::samples(); }

/// Everything that is to be thought of, alone and all at once.
fn some_remarks<'a>(draw: &mut Draw<'_>) -> &'a [Remark] {
    let all = Remark::samples();
    let each: Vec<Vec<Remark>> = all.iter().map(|one| vec![one.clone()]).collect();
    Vec::leak(draw.one_of(&[&each[..], &[all]].concat()))
}

impl Remark {
    /// Each of them.
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
    /// Everybody who can be told.
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
