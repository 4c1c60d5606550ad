//! The facts of ギルドウォー that letters show and the journal stores.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use super::deeds::{Action, Deed};
use super::effects::Stat;
use super::forecast::Verdict;
use super::set::{Card, Line, TableSet};
use super::state::{Guild, Moment, Order, State, WinningWay, is_of};
use crate::cards::deck::Copies;
use rules::{ItemCounter, Piece, Seat, Viewer};

/// One die of the initiative (W4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Die {
    pub seat: Seat,
    pub shows: u8,
}

/// An attack in its pool (W7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PooledAttack {
    pub seat: Seat,
    pub deed: Deed,
    pub power: i16,
}

/// A fact. A part that the viewer may not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    // --- Prepare ---
    /// W3.1, W3.2: a character is set, a hand drawn, and HP laid.
    Entered { seat: Seat, line: Line, card: Card, cards: Vec<Option<Card>>, hp: usize },
    /// W3.3: a card of the hand is set; another may go to the discard pile for it.
    Set { seat: Seat, card: Card, instead: Option<Card> },

    // --- Initiative ---
    /// W4.1: the last throw of a frame's dice, and the choice of the guild, possibly made by die (W4.3).
    FrameBegan { frame: u8, dice: Vec<Die>, chooser: Guild, first: Guild, by_die: bool },

    // --- Steps ---
    /// W5.1: an action declared in the step of the own guild. `bot`: it was played for an absent guild
    /// (W2.2).
    Declared {
        seat: Seat,
        deed: Deed,
        target: Option<Seat>,
        discarded: Option<Card>,
        #[serde(default)]
        bot: bool,
    },
    /// W6.1: a response.
    Responded { seat: Seat, deed: Deed, target: Option<Seat> },
    /// W2.2: a guild has used no card in this number of frames in a row.
    WasAbsent { guild: Guild, times: u8, lost: bool },

    // --- Effects of cards ---
    /// W12.2: a value is changed.
    Modified { seat: Seat, stat: Stat, amount: i16, until: Moment, step: bool },
    /// W12.3: this number of cards of the deck has become HP.
    Healed { seat: Seat, count: u8 },
    /// W12.4: cards are drawn.
    Drew { seat: Seat, cards: Vec<Option<Card>> },
    /// W12.5: cards of the hand are discarded by die.
    LostCards { seat: Seat, cards: Vec<Card> },
    /// W12.6
    Disabled { seat: Seat, until: Moment },
    /// W12.7
    Hid { seat: Seat, until: Moment },
    /// W12.8
    Covered { seat: Seat, by: Seat },
    /// W12.9
    Broke { seat: Seat, card: Card },
    /// W12.10
    Poisoned { seat: Seat, rests: u8 },
    /// W12.11
    Cleansed { seat: Seat },

    // --- Resolution ---
    /// W7.3 to W7.6: a pool, with the HP cards that it takes.
    Struck {
        seat: Seat,
        magic: bool,
        attacks: Vec<PooledAttack>,
        power: i16,
        agi: i16,
        def: i16,
        verdict: Verdict,
        damage: u8,
        cards: Vec<Card>,
    },
    /// W12.7, W7.6: an attack is lost, as its target hides or is down.
    Averted { seat: Seat, on: Seat },
    /// W7.6
    Fell { seat: Seat },

    // --- Rest ---
    /// W12.10: poison costs HP cards.
    PoisonStruck { seat: Seat, cards: Vec<Card> },
    /// W8.1: a level is raised; the card of the level before goes to the discard pile.
    LeveledUp { seat: Seat, card: Card, before: Card },
    /// W8.1: a card of the hand is set as HP, face down.
    LaidHp { seat: Seat },
    /// W8.1: a card is used at rest.
    UsedAtRest { seat: Seat, deed: Deed, target: Option<Seat> },
    /// W8.3: the hand is adjusted.
    Adjusted { seat: Seat, cards: Vec<Card> },

    /// W2: a game is over. `opener`: the guild of the first step of its first frame.
    Ended { winner: Option<Guild>, way: WinningWay, frame: u8, opener: Guild },
    /// W2.4: a match of several games is over.
    MatchEnded { winner: Option<Guild>, wins: [u8; 2] },
    /// W13.6: the deck of a player's own, shown at the end of the match.
    DeckShown { seat: Seat, cards: Vec<Copies<Card>> },
}

impl Happening {
    /// The event of a declaration.
    pub(super) fn declared(seat: Seat, action: Action, bot: bool) -> Self {
        let Action { deed, target, discarded } = action;
        Self::Declared { seat, deed, target, discarded, bot }
    }

    /// Filters the fact for a viewer: drawn cards are shown to their guild only (W13.1).
    pub fn seen_by(&self, _: &State, viewer: Viewer) -> Option<Self> {
        let mut seen = self.clone();
        match &mut seen {
            Self::Entered { seat, cards, .. } | Self::Drew { seat, cards }
                if !is_of(viewer, Guild::of(*seat)) =>
            {
                cards.fill(None);
            }
            _ => {}
        }
        Some(seen)
    }

    /// Counts the statistics for a game designer: a group and a word of the group.
    pub fn tally(&self, count: &mut ItemCounter<'_>) {
        match self {
            Self::Ended { winner, way, frame, opener } => {
                if let Some(winner) = winner {
                    let order = if winner == opener { Order::First } else { Order::Second };
                    count(None, "winner-order", order.id());
                }
                count(None, "ended", way.id());
                count(
                    None,
                    "winner",
                    winner.map_or(SmolStr::new_static("draw"), |guild| guild.id()),
                );
                count(None, "frames", SmolStr::new(frame.to_string()));
            }
            Self::Entered { seat, line, .. } => count(Some(*seat), "line", line.id()),
            Self::Declared { seat, deed, .. } | Self::UsedAtRest { seat, deed, .. } => {
                count(Some(*seat), "used", deed.id());
            }
            Self::Responded { seat, deed, .. } => count(Some(*seat), "response", deed.id()),
            Self::Struck { verdict, attacks, .. } => {
                count(None, "verdict", verdict.id());
                let size = if attacks.len() > 1 { "pooled" } else { "alone" };
                count(None, "pools", SmolStr::new_static(size));
            }
            _ => {}
        }
    }

    /// Returns the named groups and words that [`Self::tally`] can count.
    pub fn countable() -> Vec<(&'static str, SmolStr)> {
        let ways = WinningWay::ALL.iter().map(|way| ("ended", way.id()));
        let verdicts = Verdict::ALL.iter().map(|verdict| ("verdict", verdict.id()));
        let set = TableSet::default();
        let lines = set.lines().map(|line| ("line", line.id()));
        let skills = set.cards().filter(|card| card.usable().is_some());
        let skills = skills.flat_map(|card| ["used", "response"].map(|group| (group, card.id())));
        let pools = ["pooled", "alone"].map(|size| ("pools", SmolStr::new_static(size)));
        let orders = Order::ALL.iter().map(|order| ("winner-order", order.id()));
        ways.chain(orders).chain(verdicts).chain(lines).chain(skills).chain(pools).collect()
    }
}
