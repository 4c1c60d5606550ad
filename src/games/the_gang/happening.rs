//! Happenings in ザ・ギャング: the facts that letters show and the journal stores.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use strum::VariantNames;

use super::cards::{Card, Value};
use super::extra_cards::{Challenge, Extra, Specialist};
use super::ranking::Ranking;
use super::state::{About, Guess, PLAYERS, Pocket, Shown, Star, State, Street};
use rules::{ItemCounter, Piece, Seat, Viewer};

/// A seat's wish or chip; `None` without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    pub seat: Seat,
    pub star: Option<Star>,
}

/// The way a decision was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Only one alternative was left.
    Only,
    Die,
    /// The house policy decided.
    Policy,
    /// All players gave the same answer.
    All,
    Most,
}

/// A fact. A part that the viewer may not know is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, VariantNames)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Happening {
    // --- The deal ---
    /// G1.2, G7.1: a heist begins, with these extra cards in effect.
    HeistBegan { heist: u8, challenges: ArrayVec<Challenge, 10>, specialist: Option<Specialist> },
    /// G1.2: a pocket.
    Dealt { seat: Seat, cards: Pocket },
    /// G6.9, G6.11: the pocket before and after the Con Artist.
    Redealt { seat: Seat, first: Pocket, cards: Pocket },
    /// G6.3: the Investor.
    ToldFaces { seat: Seat, count: u8 },
    /// G6.8: the Math Whiz.
    ToldSum { seat: Seat, sum: u8 },
    /// G6.6: the Coordinator.
    Passed { seat: Seat, to: Seat, card: Option<Card> },

    // --- Rounds ---
    /// G1.2: a round begins with these cards; without chips it is over immediately (G5.1, G5.5).
    StreetBegan { street: Street, cards: ArrayVec<Card, 5>, chips: bool },
    /// G5.12: a pocket was exchanged.
    Redrew { seat: Seat, by: Challenge, discarded: Pocket, cards: Pocket },
    /// G5.8: the chips of these rounds were taken away.
    Cleared { streets: ArrayVec<Street, 4> },
    /// G2.3: the wishes of a pass.
    Wished {
        street: Street,
        pass: u8,
        passes: u8,
        wishes: ArrayVec<Wish, PLAYERS>,
        contested: ArrayVec<Star, PLAYERS>,
    },
    /// G5.11: a chip is fixed from now on.
    Fixed { seat: Seat, star: Star, by: Challenge },
    /// G2.3.3: a contested chip goes by die to one of the players who wished for it.
    WonLot { seat: Seat, star: Star, among: ArrayVec<Seat, PLAYERS> },
    /// G2.3.3, G2.4.2, G2.5: a player got one of the remaining chips. `wished`: true if the player had wished
    /// for another.
    GotLeft {
        seat: Seat,
        star: Star,
        way: Way,
        #[serde(default)]
        wished: bool,
    },
    /// G2.2: a round is over, with these chips.
    Settled { street: Street, chips: ArrayVec<Wish, PLAYERS> },

    // --- Live chips ---
    /// G2.4: took a chip, from a player or from the middle, and put another one back.
    Took { seat: Seat, star: Star, from: Option<Seat>, back: Option<Star> },
    /// G2.4: put the chip back into the middle.
    PutBack { seat: Seat, star: Star },
    /// G2.4.1: said OK.
    Okayed { seat: Seat },

    // --- Specialists ---
    /// G6.12: a proposal.
    Proposed { seat: Seat, card: Specialist, user: Seat, on: Option<Seat>, value: Option<Value> },
    /// G6.12: agreed.
    Agreed { seat: Seat },
    /// G6.12.1: objected, which refuses the proposal.
    Objected { seat: Seat },
    /// G6.12.2: withdrew the proposal.
    Withdrew { seat: Seat },
    /// G6.12: a specialist takes effect, because all players have agreed or none has objected.
    Used { card: Specialist, user: Seat, on: Option<Seat>, value: Option<Value>, agreed: bool },
    /// G6.2: the Getaway Driver.
    ToldRanking { seat: Seat, ranking: Ranking },
    /// G6.4: the Mastermind.
    ToldCount { seat: Seat, value: Value, count: u8 },
    /// G6.5, G6.7: a card comes into the pocket.
    Drew { seat: Seat, card: Option<Card> },
    /// G6.5, G6.7: a card goes out of the pocket, face down.
    Discarded { seat: Seat, card: Option<Card> },
    /// G6.1: the Informant.
    ShowedCard { seat: Seat, to: Seat, card: Option<Card> },
    /// G6.12: an unused specialist is put away.
    PutAway { card: Specialist },

    // --- The showdown ---
    /// G3.1: a pocket is shown.
    Shown(Shown),
    /// G5.13: a guess about the hand of this player is asked for.
    GuessBegan { about: About, seat: Seat },
    /// G5.13: a player's answer.
    Guessed { seat: Seat, guess: Guess },
    /// G5.13, G5.13.1: the group's guess.
    GuessSettled { about: About, guess: Guess, way: Way },
    /// G5.13.2: a guess is checked.
    GuessProved { about: About, guess: Guess, right: bool },
    /// G3.2: a heist is over. `order`: true if the order of the red chips was right.
    HeistEnded { heist: u8, success: bool, order: bool, vaults: u8, alarms: u8 },

    // --- The piles ---
    /// G4.2: an extra card goes to the bottom of its pile.
    WentUnder { card: Extra },
    /// G4.2.2: a pile is shuffled.
    Reshuffled { pile: Pile },
    /// G4.2: an extra card comes into effect.
    Revealed { card: Extra, permanent: bool },

    // --- A move of the GM's ---
    /// G7.4: a card of a pocket was needed elsewhere, and another of the deck replaces it.
    Replaced { seat: Seat, card: Option<Card>, by: Option<Card> },
    /// G7.4: the places of these cards are hidden; a holder of one is dealt another.
    Sought { cards: ArrayVec<Card, 20> },

    /// G1.3: the game is over.
    Ended { won: bool, vaults: u8, alarms: u8, heists: u8 },
}

/// One of the two piles (G4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pile {
    Challenges,
    Specialists,
}

/// Turns the cards of a pocket face down.
fn cover(pocket: &mut Pocket) {
    pocket.iter_mut().for_each(|card| *card = None);
}

impl Happening {
    /// Filters the fact for a viewer: cards in a pocket, drawn or discarded are shown to their player, and to
    /// the player whom the rules show them.
    pub fn seen_by(&self, _: &State, viewer: Viewer) -> Option<Self> {
        let mut seen = self.clone();
        let is_for = |seat: Seat| viewer == Viewer::All || viewer == Viewer::Seat(seat);
        match &mut seen {
            Self::Dealt { seat, cards } if !is_for(*seat) => cover(cards),
            Self::Redealt { seat, first, cards }
            | Self::Redrew { seat, discarded: first, cards, .. }
                if !is_for(*seat) =>
            {
                cover(first);
                cover(cards);
            }
            Self::Drew { seat, card } | Self::Discarded { seat, card } if !is_for(*seat) => {
                *card = card.filter(|card| *card == Card::Jack);
            }
            Self::Replaced { seat, card, by } if !is_for(*seat) => (*card, *by) = (None, None),
            Self::Passed { seat, to, card } | Self::ShowedCard { seat, to, card }
                if !is_for(*seat) && !is_for(*to) =>
            {
                *card = None;
            }
            _ => {}
        }
        Some(seen)
    }

    /// True if the picture of the table shows the fact, so that it needs no letter (G2.4).
    pub fn is_shown(&self) -> bool {
        matches!(self, Self::Took { .. } | Self::PutBack { .. } | Self::Okayed { .. })
    }

    /// Counts the statistics for a game designer: a group and a word of the group.
    pub fn tally(&self, count: &mut ItemCounter<'_>) {
        let either = |yes, no, test| SmolStr::new_static(if test { yes } else { no });
        match self {
            Self::HeistEnded { success, order, .. } => {
                count(None, "heists", either("won", "lost", *success));
                count(None, "order", either("right", "wrong", *order));
            }
            Self::Ended { won, .. } => count(None, "games", either("won", "lost", *won)),
            Self::Shown(shown) => count(None, "ranking", shown.ranking.id()),
            Self::Wished { pass, contested, .. } => {
                count(None, "passes", SmolStr::new(pass.to_string()));
                count(None, "wishes", either("different", "contested", contested.is_empty()));
            }
            Self::Settled { .. } => count(None, "rounds", SmolStr::new_static("settled")),
            Self::GuessProved { about, right, .. } => match about {
                About::Value => count(None, "value", either("right", "wrong", *right)),
                About::Ranking => count(None, "guessed-ranking", either("right", "wrong", *right)),
            },
            Self::Revealed { card: Extra::Challenge(card), .. } => {
                count(None, "challenge", card.id());
            }
            Self::Revealed { card: Extra::Specialist(card), .. } => {
                count(None, "specialist", card.id());
            }
            Self::Used { card, user, .. } => count(Some(*user), "used", card.id()),
            _ => {}
        }
    }

    /// Returns the named groups and words that [`Self::tally`] can count.
    pub fn countable() -> Vec<(&'static str, SmolStr)> {
        let rankings = Ranking::ALL.iter().map(|ranking| ("ranking", ranking.id()));
        let challenges = Challenge::ALL.iter().map(|card| ("challenge", card.id()));
        let of_specialists = |group| Specialist::ALL.iter().map(move |card| (group, card.id()));
        let pairs = [
            ("heists", ["won", "lost"]),
            ("order", ["right", "wrong"]),
            ("games", ["won", "lost"]),
            ("wishes", ["different", "contested"]),
            ("value", ["right", "wrong"]),
            ("guessed-ranking", ["right", "wrong"]),
        ];
        let pairs = pairs
            .into_iter()
            .flat_map(|(group, ids)| ids.map(|id| (group, SmolStr::new_static(id))));
        let specialists = of_specialists("specialist").chain(of_specialists("used"));
        rankings.chain(challenges).chain(specialists).chain(pairs).collect()
    }
}
