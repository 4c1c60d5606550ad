//! The state of ザ・ギャング, and its filter for viewers (G1.4).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::cards::{Card, Value};
use super::edition::EDITION;
use super::extra_cards::{Challenge, Piles, Specialist};
use super::options::{Chips, Options};
use super::ranking::{Hand, Ranking};
use crate::pieces::pieces;
use rules::{Ask, BySeat, Key, Piece, Seat, Viewer};

/// The Gang as a game of the engine.
#[derive(Clone, Copy, Debug)]
pub struct TheGang;

/// The engine's referee for this game.
pub(super) type Referee<'r> = rules::Referee<'r, TheGang>;

/// The maximum number of players (G1.1).
pub const PLAYERS: usize = 6;

/// The maximum number of passes in a round (G2.3).
pub const PASSES: usize = 5;

pieces! {
    /// A round of a heist, and the colour of its chips (G1.2).
    Street {
        /// ラウンド1: white chips.
        PreFlop => "pre-flop",
        /// ラウンド2: yellow chips.
        Flop => "flop",
        /// ラウンド3: orange chips.
        Turn => "turn",
        /// ラウンド4: red chips.
        River => "river",
    }
}

/// The number of rounds of a heist (G1.2).
const STREETS: usize = Street::ALL.len();

impl Street {
    /// The id of the colour of the round's chips.
    pub fn colour(self) -> &'static str {
        match self {
            Self::PreFlop => "white",
            Self::Flop => "yellow",
            Self::Turn => "orange",
            Self::River => "red",
        }
    }
}

/// The ids of the chips of a colour.
const STARS: [&str; PLAYERS] = ["1", "2", "3", "4", "5", "6"];

/// A chip by its stars, from 1: more stars mean a stronger hand (G2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Star(u8);

impl TryFrom<u8> for Star {
    type Error = String;

    fn try_from(stars: u8) -> Result<Self, String> {
        let known = Self::all(PLAYERS).find(|star| star.0 == stars);
        known.ok_or_else(|| format!("no chip has {stars} stars"))
    }
}

impl From<Star> for u8 {
    fn from(star: Star) -> Self {
        star.0
    }
}

impl Star {
    /// The chips of a colour for this number of players (G1.1).
    pub fn all(players: usize) -> impl DoubleEndedIterator<Item = Self> {
        (1..=PLAYERS.min(players)).filter_map(|stars| u8::try_from(stars).ok()).map(Self)
    }

    /// The number of stars.
    pub fn get(self) -> u8 {
        self.0
    }

    /// The id in `words.toml`.
    pub fn word(self) -> &'static str {
        STARS[usize::from(self.0) - 1]
    }
}

impl Piece for Star {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self.word())
    }
}

/// The open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WindowStage {
    /// Wishes for chips are sealed (G2.3), in this pass of the round, from 1.
    Wishing { pass: u8 },
    /// Chips are taken one by one (G2.4).
    Taking,
    /// The Coordinator: all players seal a card for the left neighbour (G6.6).
    Passing,
    /// A proposal asks a player for a card: the window of chips closes, and sealed wishes do not count
    /// (G6.12.3).
    Interrupted { seat: Seat, pass: u8 },
    /// This player seals the card to show or discard (G6.1, G6.5, G6.7), and then the interrupted pass is
    /// repeated.
    Choosing { seat: Seat, pass: u8 },
    /// All but the holder of the highest red chip agree on a guess (G5.13).
    Guessing { about: About },
    /// The game is over (G1.3).
    Over,
}

pieces! {
    /// The subject of a guess about the hand of the highest red chip.
    About {
        /// G5.4: a value in the pocket.
        Value => "value",
        /// G5.9: the ranking of the hand.
        Ranking => "ranking",
    }
}

/// A guess (G5.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Guess {
    Value(Value),
    Ranking(Ranking),
}

impl Piece for Guess {
    fn id(&self) -> SmolStr {
        match self {
            Self::Value(value) => value.id(),
            Self::Ranking(ranking) => ranking.id(),
        }
    }
}

/// A pocket: two or three cards, and one more during a choice. A card that the viewer may not know is `None`.
pub type Pocket = ArrayVec<Option<Card>, 4>;

/// A player's pocket, chips and answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The pocket cards.
    pub pocket: Pocket,
    /// The chip of each street; that of the current street may still change.
    pub chips: [Option<Star>; STREETS],
    /// True if the chip of this street is fixed (G5.11).
    pub fixed: bool,
    /// True if the player has said OK to the chips as they lie (G2.4.1).
    pub ok: bool,
    /// The moves made in this street (G2.4).
    pub moves: u8,
    /// The published wishes of each street, by pass (G2.3.2).
    pub wishes: [ArrayVec<Option<Star>, PASSES>; STREETS],
    /// The guess, which may still be changed (G5.13).
    pub guess: Option<Guess>,
    /// The owner and the card that the Informant has shown to this player (G6.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informed: Option<(Seat, Card)>,
    /// True if the pocket has been shown (G3.1).
    pub shown: bool,
    /// The sealed wish while a window is being resolved; never stored.
    #[serde(skip)]
    pub(super) wish: Option<Star>,
    /// The sealed card while a window is being resolved; never stored.
    #[serde(skip)]
    pub(super) card: Option<Card>,
}

/// A specialist in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hired {
    pub card: Specialist,
    /// True if the specialist has acted.
    pub used: bool,
    /// The user, if the specialist has acted by a proposal.
    pub user: Option<Seat>,
    pub on: Option<Seat>,
}

/// A proposal to use the specialist in effect (G6.12).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    pub by: Seat,
    /// The proposed user of the specialist.
    pub user: Seat,
    /// The player to whom the Informant shows a card (G6.1).
    pub on: Option<Seat>,
    /// The value that the Mastermind asks for (G6.4).
    pub value: Option<Value>,
    pub agreed: ArrayVec<Seat, PLAYERS>,
}

/// A shown hand (G3.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    pub seat: Seat,
    /// The red chip; `None` in a position that the GM has built without one.
    pub star: Option<Star>,
    pub pocket: ArrayVec<Card, 4>,
    /// The ranking of the hand with the board.
    pub ranking: Ranking,
    /// The values that make the ranking.
    pub made: ArrayVec<Value, 5>,
    /// The values that only break ties.
    pub kickers: ArrayVec<Value, 5>,
    /// The best five cards.
    pub best: ArrayVec<Card, 5>,
    /// True if the hand is the Muscle's (G6.14).
    pub muscle: bool,
    /// True if the hand is at least as strong as the one shown before (G3.2).
    pub fits: bool,
}

/// The course of a showdown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Showdown {
    pub heist: u8,
    /// The hands shown so far, by ascending red chips.
    pub rows: ArrayVec<Shown, PLAYERS>,
    /// True if the heist has succeeded; `None` until the showdown is over.
    pub success: Option<bool>,
}

impl Showdown {
    /// True if the order of the red chips is right, as far as hands are shown (G3.2).
    pub fn is_in_order(&self) -> bool {
        self.rows.iter().all(|shown| shown.fits)
    }
}

/// A question about an open, immediate act, which is not carried out before its answer.
pub(super) fn ask_openly(name: &'static str, clause: &'static str) -> Ask {
    Ask::new(Key::new("act", name), clause)
}

/// The state of a game, whole or filtered for a viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The host's options.
    pub options: Options,
    /// The heist, counted from 1.
    pub heist: u8,
    pub street: Street,
    /// The open window.
    pub stage: WindowStage,
    /// The deck, its top at the end.
    pub deck: ArrayVec<Option<Card>, 52>,
    /// The number of cards on top of the deck that somebody knows.
    pub known: u8,
    /// The community cards.
    pub board: ArrayVec<Card, 5>,
    pub players: BySeat<Player>,
    /// The number of gold vaults.
    pub vaults: u8,
    /// The number of red alarms.
    pub alarms: u8,
    /// The challenges in effect.
    pub challenges: ArrayVec<Challenge, 10>,
    /// The challenge in effect for the whole game (G4.3).
    pub permanent: Option<Challenge>,
    /// The specialist in effect.
    pub specialist: Option<Hired>,
    /// The open proposal to use the specialist.
    pub proposal: Option<Proposal>,
    /// The group's guesses in this heist (G5.13).
    pub guesses: ArrayVec<Guess, 2>,
    /// The extra cards that are not in effect.
    pub piles: Piles,
    /// The last showdown, or the current one.
    pub showdown: Option<Showdown>,
}

impl State {
    /// A state before the deal of the first heist, with a sorted deck and empty pockets. The GM builds a
    /// position from it.
    pub(super) fn bare(options: &Options, seats: usize) -> Self {
        let mut options = options.clone();
        let piles = options.carried.take().unwrap_or_default();
        let mut state = Self {
            options,
            heist: 1,
            street: Street::PreFlop,
            stage: WindowStage::Taking,
            deck: Card::deck().map(Some).collect(),
            known: 0,
            board: ArrayVec::new(),
            players: BySeat::new(seats, |_| Player::default()),
            vaults: 0,
            alarms: 0,
            challenges: ArrayVec::new(),
            permanent: None,
            specialist: None,
            proposal: None,
            guesses: ArrayVec::new(),
            piles,
            showdown: None,
        };
        state.stage = state.chips_of_pass(1);
        state
    }

    /// The window for the chips of this pass, by the option.
    pub(super) fn chips_of_pass(&self, pass: u8) -> WindowStage {
        match self.options.chips {
            Chips::Sealed => WindowStage::Wishing { pass },
            Chips::Live => WindowStage::Taking,
        }
    }

    /// The number of cards in a pocket (G1.2, G5.10).
    pub fn pocket_size(&self) -> usize {
        let cards = &EDITION.cards;
        let cameras = self.has(Challenge::SecurityCameras);
        if cameras { cards.pocket_with_cameras } else { cards.pocket }
    }

    /// True if a challenge is in effect.
    pub fn has(&self, challenge: Challenge) -> bool {
        self.challenges.contains(&challenge)
    }

    /// The chips of a colour.
    pub fn stars(&self) -> impl DoubleEndedIterator<Item = Star> + use<> {
        Star::all(self.players.count())
    }

    /// The chip of this round that a player holds; `None` without one.
    pub fn held(&self, seat: Seat) -> Option<Star> {
        self.players[seat].chips[self.street.index()]
    }

    /// The holder of a chip of this round; `None` if it lies in the middle.
    pub fn holder(&self, star: Star) -> Option<Seat> {
        self.holder_in(self.street, star)
    }

    /// The holder of a chip of a round; `None` if it lies in the middle.
    pub fn holder_in(&self, street: Street, star: Star) -> Option<Seat> {
        self.players.seats().find(|&seat| self.players[seat].chips[street.index()] == Some(star))
    }

    /// The chips of this round in the middle.
    pub fn middle(&self) -> ArrayVec<Star, PLAYERS> {
        self.stars().filter(|&star| self.holder(star).is_none()).collect()
    }

    /// The holder of the chip with the most stars in a round; `None` if nobody holds it.
    pub fn highest(&self, street: Street) -> Option<Seat> {
        self.stars().next_back().and_then(|star| self.holder_in(street, star))
    }

    /// The players by ascending red chips (G3.1).
    pub(super) fn by_red_chips(&self) -> ArrayVec<Seat, PLAYERS> {
        let mut seats: ArrayVec<Seat, PLAYERS> = self.players.seats().collect();
        seats.sort_by_key(|&seat| self.players[seat].chips[Street::River.index()]);
        seats
    }

    /// The player whose hand is shown last, by the highest red chip.
    pub(super) fn shown_last(&self) -> Option<Seat> {
        self.by_red_chips().last().copied()
    }

    /// The pocket of a player with the board, as far as they are known.
    pub fn hand(&self, seat: Seat) -> Hand {
        self.players[seat].pocket.iter().flatten().chain(&self.board).copied().collect()
    }

    /// Lays out the chips of a street: no chip is fixed, no OK said, no move made (G2.1).
    pub(super) fn lay_out_chips(&mut self) {
        for (_, player) in self.players.iter_mut() {
            (player.fixed, player.ok, player.moves) = (false, false, 0);
            player.wishes[self.street.index()..].iter_mut().for_each(ArrayVec::clear);
        }
        self.stage = self.chips_of_pass(1);
    }

    /// Draws the top card of the deck into a pocket.
    pub(super) fn draw(&mut self, seat: Seat) {
        self.known = self.known.saturating_sub(1);
        let card = self.deck.pop();
        self.players[seat].pocket.extend(card);
    }

    /// The seats that are asked to declare in the open window.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.players.map(|seat, player| match self.stage {
            WindowStage::Wishing { .. } => !player.fixed,
            WindowStage::Taking => !self.is_well(seat) || self.is_to_answer(seat),
            WindowStage::Passing => true,
            WindowStage::Choosing { seat: chooser, .. } => seat == chooser,
            WindowStage::Guessing { .. } => self.guesser(seat) && !self.is_unanimous(),
            WindowStage::Interrupted { .. } | WindowStage::Over => false,
        })
    }

    /// G2.4.1: true if a player has a chip and has said OK, or holds a fixed chip (G5.11).
    fn is_well(&self, seat: Seat) -> bool {
        let player = &self.players[seat];
        player.fixed || player.ok && self.held(seat).is_some()
    }

    /// G6.12.2: true if a proposal waits for this player's answer.
    pub(super) fn is_to_answer(&self, seat: Seat) -> bool {
        self.proposal.as_ref().is_some_and(|proposal| !proposal.agreed.contains(&seat))
    }

    /// True if a player takes part in the guesses: all but the holder of the highest red chip
    /// (G5.13).
    pub fn guesser(&self, seat: Seat) -> bool {
        self.highest(Street::River) != Some(seat)
    }

    /// True if all guessing players have given the same guess.
    pub(super) fn is_unanimous(&self) -> bool {
        let mut guessers = self.players.iter().filter(|(seat, _)| self.guesser(*seat));
        let first = guessers.next().and_then(|(_, player)| player.guess);
        first.is_some() && guessers.all(|(_, player)| player.guess == first)
    }

    /// The number of red alarms that loses the game.
    pub fn most_alarms(&self) -> u8 {
        EDITION.goals.alarms(self.options.mode)
    }

    /// Ends the game in its current state.
    pub(super) fn finish(&mut self) {
        self.stage = WindowStage::Over;
    }

    /// Filters the state for a viewer: the deck, the piles and the pockets of others lie face down, until
    /// they are shown (G1.4).
    #[must_use]
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        if viewer == Viewer::All {
            return seen;
        }
        seen.deck.iter_mut().for_each(|card| *card = None);
        seen.known = 0;
        seen.piles = self.piles.covered();
        for (seat, player) in seen.players.iter_mut() {
            if viewer == Viewer::Seat(seat) {
                continue;
            }
            (player.wish, player.card, player.informed) = (None, None, None);
            if !player.shown {
                player.pocket.iter_mut().for_each(|card| *card = None);
            }
        }
        seen
    }
}
