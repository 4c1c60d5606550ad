//! Happenings in えいつく: the facts that letters show and the journal stores.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use super::cards::{Budget, Budgets, EventCard, Family, HandCard, Role, Slot};
use super::state::{Hands, Kind, Placed, Score, State};
use rules::{ItemCounter, Piece, Seat, Viewer};

/// A fact. A part that the viewer may not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    /// E1.4: the opening hand without the roles.
    Dealt { seat: Seat, budgets: Budgets, events: ArrayVec<Option<EventCard>, 4> },
    /// E1.4: a die for a role's family; `None` leaves the choice to the player.
    Threw { seat: Seat, die: u32, family: Option<Family> },
    /// E1.4, E1.5: a role of the opening hand.
    DealtRole { seat: Seat, family: Family, card: Option<Role> },
    /// E1.6: a die for the turn order.
    ThrewForOrder { seat: Seat, die: u32 },
    /// E1.6: the turn order.
    Ordered { order: ArrayVec<Seat, 8> },
    /// E2.1: a turn begins.
    TurnBegan { turn: u8 },
    /// E3.1: the income; `None` if the supply is empty.
    Income { seat: Seat, budget: Option<Budget> },
    /// E5.13: met a strike and destroyed a role, or paid, or had no role.
    Struck { seat: Seat, owner: Seat, slot: Option<Slot>, destroyed: Option<Placed>, paid: Budgets },
    /// An event is destroyed, because its time is over or it is used up.
    Spent { seat: Seat, card: EventCard },
    /// E5.15: destroyed an event with a change of plan.
    Turned { seat: Seat, owner: Seat, card: EventCard, slot: Option<Slot> },
    /// E3.2: laid an event.
    Laid {
        seat: Seat,
        card: EventCard,
        owner: Option<Seat>,
        slot: Option<Slot>,
        number: Option<u8>,
        replaced: Option<Placed>,
    },
    /// E3.3, E5.5, E5.12: drew events.
    DrewEvents { seat: Seat, cards: ArrayVec<Option<EventCard>, 4> },
    /// E3.3: placed a role.
    PlacedRole { seat: Seat, role: Role, slot: Slot, paid: Budgets, replaced: Option<Placed> },
    /// E3.6, E5.12: drew a role.
    DrewRole { seat: Seat, family: Family, card: Option<Role> },
    /// E3.6: took a budget card, and put these cards on the field for it.
    Took { seat: Seat, budget: Budget, put: Budgets },
    /// E5.12: put cards back on their decks, in this order.
    PutBack { seat: Seat, of: Kind, cards: ArrayVec<Option<HandCard>, 4> },
    /// E3.8: took back the budget cards put on the field.
    TookBack { seat: Seat, budgets: Budgets },
    /// E3.8: words in the role.
    Roleplay { seat: Seat, text: String },
    /// E3.8: released the film.
    Released { seat: Seat, turn: u8, title: Option<String> },
    /// E6: the scores.
    Scored { scores: ArrayVec<Score, 6> },
}

impl Happening {
    /// Filters the fact for a viewer: the cards drawn or put back are known to their player only (E2.5),
    /// their number is public (E2.6).
    pub fn seen_by(&self, state: &State, viewer: Viewer) -> Option<Self> {
        let mut seen = self.clone();
        let open = state.options.hands == Hands::Open || viewer == Viewer::All;
        match &mut seen {
            Self::Dealt { seat, events: cards, .. } | Self::DrewEvents { seat, cards }
                if !open && viewer != Viewer::Seat(*seat) =>
            {
                cards.iter_mut().for_each(|card| *card = None);
            }
            Self::DealtRole { seat, card, .. } | Self::DrewRole { seat, card, .. }
                if !open && viewer != Viewer::Seat(*seat) =>
            {
                *card = None;
            }
            Self::PutBack { seat, cards, .. } if !open && viewer != Viewer::Seat(*seat) => {
                cards.iter_mut().for_each(|card| *card = None);
            }
            _ => {}
        }
        Some(seen)
    }

    /// Counts the statistics for a game designer: a group and a word of the group.
    pub fn tally(&self, count: &mut ItemCounter<'_>) {
        match self {
            Self::Laid { seat, card, .. } => count(Some(*seat), "event", card.id()),
            Self::PlacedRole { seat, role, .. } => {
                count(Some(*seat), "role", role.id());
                count(Some(*seat), "set", SmolStr::new_static("3B"));
            }
            Self::DrewEvents { seat, .. } => count(Some(*seat), "set", SmolStr::new_static("3A")),
            Self::DrewRole { seat, .. } => count(Some(*seat), "scout", SmolStr::new_static("4A")),
            Self::Took { seat, budget, .. } => count(
                Some(*seat),
                "scout",
                SmolStr::new_static(match budget {
                    Budget::Small => "4B",
                    Budget::Medium => "4C",
                    Budget::Large => "4D",
                }),
            ),
            Self::TookBack { seat, .. } => count(Some(*seat), "end", SmolStr::new_static("5A")),
            Self::Released { seat, .. } => count(Some(*seat), "end", SmolStr::new_static("5B")),
            Self::Struck { seat, destroyed: Some(_), .. } => {
                count(Some(*seat), "way", SmolStr::new_static("A"));
            }
            Self::Struck { seat, paid, .. } if paid.count() > 0 => {
                count(Some(*seat), "way", SmolStr::new_static("B"));
            }
            _ => {}
        }
    }

    /// Returns every group and word that [`Self::tally`] can count.
    pub fn countable() -> Vec<(&'static str, SmolStr)> {
        let events = EventCard::ALL.iter().map(|card| ("event", card.id()));
        let roles = Role::all().map(|role| ("role", role.id()));
        let sections = [
            ("set", ["3A", "3B"].as_slice()),
            ("scout", &["4A", "4B", "4C", "4D"]),
            ("end", &["5A", "5B"]),
            ("way", &["A", "B"]),
        ];
        let ways = sections
            .into_iter()
            .flat_map(|(group, ids)| ids.iter().map(move |id| (group, SmolStr::new_static(id))));
        events.chain(roles).chain(ways).collect()
    }
}
