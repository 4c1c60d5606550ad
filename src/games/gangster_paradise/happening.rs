//! Happenings in ギャングスターパラダイス: facts for letters, journal and stories.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use super::cards::{Card, Life};
use super::chain::{AnnouncedAct, ChoiceKind, Effect};
use super::state::{State, Winner, WinningWay, cover_trade};
use rules::{ItemCounter, Piece, Seat, Viewer};

/// A fact. `seat` is the player it is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    // --- Setup (P1) ---
    /// P8.1: a game of the set begins, with these cards on the field and this number in the deck.
    GameBegan {
        game: u8,
        cards: Vec<Card>,
        deck: usize,
    },
    /// P1.2: an opening hand.
    Dealt {
        seat: Seat,
        cards: Vec<Option<Card>>,
    },
    /// P1.3: the player who begins: with THE BOSS shown, or by die.
    Began {
        seat: Seat,
        boss: bool,
    },

    // --- Turns (P2) ---
    TurnBegan {
        seat: Seat,
        round: u8,
        actions: u8,
    },
    /// P2.1: a card of the deck comes into the hand.
    Drew {
        seat: Seat,
        card: Option<Card>,
    },
    /// P2.4: the deck was empty.
    DeckEmpty {
        seat: Seat,
    },
    TurnEnded {
        seat: Seat,
    },
    /// P6.6: THE ENDORSER comes back into the hand.
    CameBack {
        seat: Seat,
        card: Card,
    },
    /// P7.1: the hand of a dead player, at the end of the turn.
    DroppedHand {
        seat: Seat,
        cards: Vec<Card>,
    },

    // --- Immediate deeds (P2.2, P2.5, P3.3) ---
    Bought {
        seat: Seat,
        card: Card,
        paid: Vec<Card>,
    },
    Sold {
        seat: Seat,
        card: Card,
        got: Vec<Card>,
    },
    /// A card of the deck is turned up onto the field.
    TurnedUp {
        cards: Vec<Card>,
    },
    /// P2.2: the cards on the field after the shuffle, and the number of cards in the deck.
    Shuffled {
        seat: Seat,
        cards: Vec<Card>,
        deck: usize,
    },
    /// A card picks up these cards from the field.
    PickedUp {
        seat: Seat,
        card: Card,
        cards: Vec<Card>,
    },
    Showed {
        seat: Seat,
        card: Card,
    },
    /// P2.5: BLACK revealed the life.
    RevealedLife {
        seat: Seat,
    },
    /// A card gave more actions.
    GotAction {
        seat: Seat,
        card: Card,
    },
    /// A crime is laid in front of its user.
    LaidBefore {
        seat: Seat,
        card: Card,
    },
    /// P9.4: a player requested a card with BARTENDER or CIGAR.
    Requested {
        seat: Seat,
        on: Seat,
        card: Card,
    },
    /// P9.4: the answer to a request, and the card paid.
    Answered {
        seat: Seat,
        yes: bool,
        paid: Option<Card>,
    },

    // --- Trades (P3.5, P6.5) ---
    Proposed {
        seat: Seat,
        on: Seat,
        cards: Vec<Option<Card>>,
        wants: u8,
    },
    /// A proposal was declined, withdrawn or not answered.
    Declined {
        seat: Seat,
        on: Seat,
    },
    /// A proposal was accepted, but the turn player no longer has the promised cards.
    CouldNotKeep {
        seat: Seat,
        on: Seat,
    },
    TradeStopped {
        seat: Seat,
    },
    Swapped {
        seat: Seat,
        on: Seat,
        gives: Vec<Option<Card>>,
        gets: Vec<Option<Card>>,
    },
    /// PHANTOM took cards from a trade.
    Plundered {
        seat: Seat,
        on: Seat,
        cards: Vec<Option<Card>>,
    },

    // --- Acts and reactions (P3, P5) ---
    /// An act that other players can answer.
    Announced {
        seat: Seat,
        act: AnnouncedAct,
    },
    /// P3.1: an act sealed to follow another has become impossible, and returns with those after it.
    Returned {
        seat: Seat,
        card: Card,
    },
    /// A reaction: its card and its target.
    Reacted {
        seat: Seat,
        card: Card,
        on: Option<Seat>,
    },
    /// BEAUTY or TRICKSTER takes a card in use.
    TookCard {
        seat: Seat,
        from: Seat,
        card: Card,
    },
    /// A used card goes to the field.
    Spent {
        seat: Seat,
        card: Card,
    },
    /// P5.3: a damage effect is cancelled.
    Cancelled {
        seat: Seat,
        effect: Effect,
        count: u8,
    },
    Peeked {
        seat: Seat,
        on: Seat,
        cards: Vec<Option<Card>>,
    },
    Stole {
        seat: Seat,
        on: Seat,
        cards: Vec<Option<Card>>,
    },
    Gave {
        seat: Seat,
        to: Seat,
        cards: Vec<Option<Card>>,
    },
    /// P6.7: THE DON gives a card of the field.
    GaveFromField {
        seat: Seat,
        to: Seat,
        card: Card,
    },
    /// A player is asked to choose in the middle of an act.
    IsToChoose {
        seat: Seat,
        what: ChoiceKind,
    },
    /// P9.2: a card is seized.
    Seized {
        seat: Seat,
        on: Seat,
        card: Card,
    },
    Published {
        seat: Seat,
        on: Seat,
        cards: Vec<Card>,
    },
    Discarded {
        seat: Seat,
        cards: Vec<Card>,
    },
    /// A use of a card had no effect.
    CameToNothing {
        seat: Seat,
        card: Card,
    },
    MadeDecoy {
        seat: Seat,
        card: Card,
    },
    /// P5.6: the life is lost.
    LostLife {
        seat: Seat,
    },
    /// P7.1: a death, and the cards that drop to the field.
    Died {
        seat: Seat,
        life: Option<Life>,
        by: Option<Seat>,
        cards: Vec<Card>,
    },
    /// P9.8: the kill bonus.
    GotBonus {
        seat: Seat,
        card: Card,
    },
    /// P9.13: FLASH BANG ended the turn.
    TurnCut {
        seat: Seat,
    },

    // --- The end (P7) ---
    /// The winners; none in a drawn game (ノーゲーム). The sides are listed by seat.
    GameEnded {
        game: u8,
        winners: Vec<Winner>,
        sides: Vec<Option<Life>>,
    },
}

impl Happening {
    /// Filters the fact for a viewer: a card that moves out of sight is shown only to the players who see it
    /// (P3.5, P9.9).
    pub fn seen_by(&self, state: &State, viewer: Viewer) -> Option<Self> {
        let mut seen = self.clone();
        let is_for = |seat: Seat| viewer == Viewer::All || viewer == Viewer::Seat(seat);
        match &mut seen {
            // The holder of an unused UNDERTAKER is shown to nobody else.
            Self::CameToNothing { seat, card: Card::Undertaker } if !is_for(*seat) => return None,
            // A returned act stays sealed.
            Self::Returned { seat, .. } if !is_for(*seat) => return None,
            Self::Drew { seat, card } if !is_for(*seat) => {
                *card = card.filter(|card| card.is_marked());
            }
            Self::Dealt { seat, cards } | Self::Peeked { seat, cards, .. } if !is_for(*seat) => {
                cover(cards);
            }
            Self::Stole { seat, on, cards }
            | Self::Gave { seat, to: on, cards }
            | Self::Proposed { seat, on, cards, .. }
                if !is_for(*seat) && !is_for(*on) =>
            {
                cover(cards);
            }
            // The promised cards are known to both parties only.
            Self::CouldNotKeep { seat, on } if !is_for(*seat) && !is_for(*on) => {
                return Some(Self::Declined { seat: *seat, on: *on });
            }
            Self::Answered { seat, paid, .. } if !is_for(*seat) && !is_for(state.active) => {
                *paid = None;
            }
            Self::Plundered { seat, cards, .. } if !is_for(*seat) => cover(cards),
            Self::Swapped { seat, on, gives, gets } if !is_for(*seat) && !is_for(*on) => {
                cover(gives);
                cover(gets);
            }
            Self::Announced { seat, act } => {
                if let Some(trade) = act.trade.as_mut().filter(|_| viewer != Viewer::All) {
                    cover_trade(trade, *seat, viewer);
                }
            }
            _ => {}
        }
        Some(seen)
    }

    /// True if the picture of the table shows the fact, so that it needs no letter.
    pub fn is_shown(&self) -> bool {
        false
    }

    /// Counts the statistics for a game designer: a group and a word of the group.
    pub fn tally(&self, count: &mut ItemCounter<'_>) {
        match self {
            Self::Announced { seat, act } => {
                if let Some(card) = act.card {
                    count(Some(*seat), "used", card.id());
                }
            }
            Self::Reacted { seat, card, .. } => count(Some(*seat), "reacted", card.id()),
            Self::Died { seat, life: Some(life), .. } => count(Some(*seat), "died", life.id()),
            Self::GameEnded { winners, .. } => {
                for winner in winners {
                    count(None, "ways", winner.way.id());
                }
            }
            _ => {}
        }
    }

    /// Returns the groups and words that [`Self::tally`] can count, except the reactions.
    pub fn countable() -> Vec<(&'static str, SmolStr)> {
        let used = Card::ALL.iter().filter(|card| card.is_sealed());
        let used = used.map(|card| ("used", card.id()));
        let died = Life::ALL.iter().map(|life| ("died", life.id()));
        let ways = WinningWay::ALL.iter().map(|way| ("ways", way.id()));
        used.chain(died).chain(ways).collect()
    }
}

/// Turns cards face down, except marked backs (P9.6).
fn cover(cards: &mut [Option<Card>]) {
    for card in cards {
        *card = card.filter(|card| card.is_marked());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gangster_paradise::options::Options;

    #[test]
    fn a_reaction_that_found_nothing_to_do_is_told_to_its_player_alone() {
        let state = State::bare(&Options::default(), 4);
        let seat = Seat::new(1);
        let nothing = Happening::CameToNothing { seat, card: Card::Undertaker };
        let own = nothing.seen_by(&state, Viewer::Seat(seat));
        assert_eq!(own, Some(nothing.clone()));
        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(0))] {
            assert_eq!(nothing.seen_by(&state, viewer), None);
        }
    }
}
