//! The facts of タッグルールG that letters show and the journal stores.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use super::cards::{Card, Deck, TableSet};
use super::decks::Clash;
use super::options::Team;
use super::state::{Answer, Cards, Order, Phase, PlannedAttack, State, Way};
use super::things::{Aim, Influence, Means, Thing, Unit, Until};
use crate::cards::deck::Copies;
use crate::pieces::pieces;
use rules::{ItemCounter, Piece, Seat, Viewer};

pieces! {
    /// The reason why an attack is returned (T4.1).
    ReturnReason {
        /// The target is no longer there.
        NoTarget => "no-target-left",
        /// The means are no longer there.
        NoMeans => "no-means-left",
        /// The target has become too fast.
        TooFast => "too-fast-now",
        /// The cost cannot be paid.
        Unpaid => "cannot-pay-now",
    }
}

pieces! {
    /// The occasion on which cards of a hand are discarded.
    Why {
        /// T3.9
        Limit => "limit",
        /// The cost of a card or of riding (T3.8).
        Cost => "cost",
        Effect => "effect",
    }
}

pieces! {
    /// The criterion that has decided the order of a side (T2.5).
    Criterion {
        Alone => "alone",
        /// T2.3
        Named => "named",
        Speed => "speed",
        Hand => "opening-hand",
        Stamina => "stamina",
        Foes => "foes",
        Die => "die",
    }
}

/// A fact. A part that the viewer may not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    // --- Setup ---
    /// T2.1: a deck is chosen, and the first hand drawn. `deck`: a ready-made one; `by_die`: by die.
    Dealt {
        seat: Seat,
        character: Card,
        deck: Option<Deck>,
        by_die: bool,
        cards: Cards,
        stamina: usize,
    },
    /// T2.1: a deck gives way to another, which the side alone learns. `deck`: `None` for the own deck.
    DeckGaveWay { seat: Seat, deck: Option<Deck>, over: Vec<Clash> },
    /// T2.1: no ready-made deck goes with the partners' decks, so one is changed, which the side alone learns.
    DeckFilled { seat: Seat, deck: Deck, cards: Vec<Copies<Card>> },
    /// T2.2: the order of the sides.
    SidesOrdered { winner: Team, teams: Vec<Team>, order: Option<Order>, by_die: bool },
    /// T2.4
    Skips { seat: Seat, phase: Phase, by_die: bool },

    // --- Turns ---
    /// T2.5: the order of a side in its next turns, with the criterion that has decided it.
    RoundOrdered { team: Team, seats: Vec<Seat>, by: Criterion },
    /// T3.1
    TurnBegan { seat: Seat, number: u16, skips: Option<Phase> },
    /// T3.1: an upkeep is paid with cards of stamina.
    UpkeepPaid { seat: Seat, unit: Unit, cards: Cards },
    /// T3.1: an upkeep is not paid; the permanent goes.
    UpkeepUnpaid { seat: Seat, unit: Unit, let_go: bool },
    /// T3.2: cards are drawn. `damage`: from the damage pile.
    Drew { seat: Seat, cards: Cards, damage: bool, extra: bool },
    /// T3.3: a card is played.
    Played { seat: Seat, card: Card, on: Option<Thing>, wearer: Option<Seat> },
    /// T3.7: an ability is used.
    Used { seat: Seat, unit: Unit, on: Option<Thing> },
    /// T3.8: a summon is ridden.
    Rode { seat: Seat, unit: Unit },
    /// A permanent comes into play.
    CameIn { seat: Seat, unit: Unit, wearer: Option<Seat> },
    /// Stamina is paid as a cost.
    Paid { seat: Seat, cards: Cards },
    /// Cards of a hand are discarded.
    Discarded { seat: Seat, cards: Cards, why: Why },

    // --- Attacks ---
    /// T7.1: the attacks of a turn are declared.
    Declared { seat: Seat, attacks: Vec<PlannedAttack> },
    /// T4.10: an attack is over. `before`: the damage before reductions; `left`: the stamina of a character,
    /// or the defence that is left to a summon.
    Struck {
        number: u8,
        seat: Seat,
        by: Means,
        on: Aim,
        blocker: Option<Unit>,
        defender: Option<Seat>,
        defence: Option<Card>,
        before: i16,
        less: i16,
        left: i16,
        cards: Cards,
    },
    /// T4.4: an attack ends without damage, as its means or its target has gone.
    CameToNothing { number: u8, seat: Seat, by: Means, on: Aim },
    /// T7.4: an attack cannot be made, and is returned.
    AttackReturned { number: u8, seat: Seat, by: Means, on: Aim, why: ReturnReason },
    /// T5.7: an answer does not count, and is returned. Visible to its side alone.
    AnswerReturned { number: u8, seat: Seat, answer: Answer },

    // --- Effects ---
    /// Damage by an effect. `left` as in an attack.
    Damaged { on: Aim, amount: u8, left: i16, cards: Cards },
    /// The cards of a character go under the stamina, the last one highest.
    Healed { on: Aim, amount: usize, cards: Cards },
    /// A card of a discard pile comes into a hand.
    TookBack { seat: Seat, card: Card, of: Seat },
    /// T3.10: cards become resentment. `stamina`: from stamina.
    Resented { seat: Seat, cards: Cards, stamina: bool },
    /// A change for a while.
    Changed { on: Aim, is: Influence, until: Until },
    /// T4.16: a permanent is destroyed. `damage`: it goes to the damage pile; `gone`: it leaves the game.
    Destroyed { unit: Unit, owner: Seat, damage: bool, gone: bool },

    // --- Defeat ---
    /// T6.1
    Fell { seat: Seat, conceded: bool },
    /// T6.3: a partner gets control of a permanent.
    Inherited { seat: Seat, unit: Unit },
    /// T6.2: the game is over. `opener`: the side of the first turn.
    Ended { winner: Option<Team>, way: Way, turns: u16, opener: Team },
    /// T2.1: the deck of a player's own, or a changed ready-made one, shown at the end.
    DeckShown { seat: Seat, character: Card, deck: Option<Deck>, cards: Vec<Copies<Card>> },
}

impl Happening {
    /// Filters the fact for a viewer: drawn cards are shown to their side alone (T1.2).
    pub fn seen_by(&self, state: &State, viewer: Viewer) -> Option<Self> {
        let is_of = |seat: Seat| state.is_known(viewer, seat);
        let mut seen = self.clone();
        match &mut seen {
            Self::AnswerReturned { seat, .. }
            | Self::DeckGaveWay { seat, .. }
            | Self::DeckFilled { seat, .. }
                if !is_of(*seat) =>
            {
                return None;
            }
            Self::Dealt { seat, cards, .. } | Self::Drew { seat, cards, damage: false, .. }
                if !is_of(*seat) =>
            {
                cards.fill(None);
            }
            _ => {}
        }
        Some(seen)
    }

    /// True for a permanent that comes into play: its card has been published, and the picture shows it.
    pub(super) fn is_shown(&self) -> bool {
        matches!(self, Self::CameIn { .. })
    }

    /// Counts the statistics for a game designer: a group and a word of the group.
    pub fn tally(&self, count: &mut ItemCounter<'_>) {
        match self {
            Self::Ended { winner, way, turns, opener } => {
                if let Some(winner) = winner {
                    let order = if winner == opener { Order::First } else { Order::Second };
                    count(None, "winner-order", order.id());
                }
                count(None, "ended", way.id());
                count(None, "winner", winner.map_or("drawn".into(), |team| team.id()));
                count(None, "turns", SmolStr::new(turns.to_string()));
            }
            Self::Dealt { seat, character, .. } => count(Some(*seat), "character", character.id()),
            Self::Played { seat, card, .. } => count(Some(*seat), "played", card.id()),
            Self::Struck { seat, by, blocker, defender, defence, .. } => {
                let attack = Some(by.card()).filter(|_| matches!(by, Means::Card(_)));
                for (seat, card) in [(Some(*seat), attack), (*defender, *defence)] {
                    if let Some(card) = card {
                        count(seat, "played", card.id());
                    }
                }
                let answer = match (blocker, defence) {
                    (Some(_), _) => "blocked",
                    (_, Some(_)) => "defended",
                    _ => "unanswered",
                };
                count(None, "attacks", SmolStr::new_static(answer));
            }
            Self::AttackReturned { .. } => count(None, "attacks", SmolStr::new_static("returned")),
            _ => {}
        }
    }

    /// Returns the named groups and words that [`Self::tally`] can count.
    pub fn countable() -> Vec<(&'static str, SmolStr)> {
        let set = TableSet::default();
        let ways = Way::ALL.iter().map(|way| ("ended", way.id()));
        let orders = Order::ALL.iter().map(|order| ("winner-order", order.id()));
        let cards = set.cards().map(|card| {
            (if card.character().is_some() { "character" } else { "played" }, card.id())
        });
        let answers = ["blocked", "defended", "unanswered", "returned"];
        let answers = answers.map(|answer| ("attacks", SmolStr::new_static(answer)));
        ways.chain(orders).chain(cards).chain(answers).collect()
    }
}
