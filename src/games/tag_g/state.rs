//! The state of タッグルールG, and its filter for viewers.

use serde::{Deserialize, Serialize};

use super::cards::{Card, Character, Deck, Tower};
use super::decks::Packed;
use super::options::{Options, PLAYERS, SeatList, Team};
use super::things::{Aim, Lasting, Means, Unit};
use crate::cards::deck::distinct;
use crate::pieces::pieces;
use rules::{BySeat, Seat, Side, Viewer};

/// タッグルールG as a game of the engine.
#[derive(Clone, Copy, Debug)]
pub struct TagG;

/// The engine's referee for this game.
pub(super) type Referee<'r> = rules::Referee<'r, TagG>;

pieces! {
    /// A phase that the players of the first two turns skip (T2.4).
    Phase {
        /// ドロー
        Draw => "draw-phase",
        /// メイン
        Main => "main-phase",
    }
}

pieces! {
    /// The choice of the side that has won the die (T2.2).
    Order {
        /// 先攻
        First => "first",
        /// 後攻
        Second => "second",
    }
}

pieces! {
    /// A way of ending a game (T6.2).
    Way {
        /// All players of the other sides are defeated.
        LastSide => "last-side",
        /// All undefeated players have been defeated at the same moment.
        Draw => "draw",
        /// The host has ended the game: more players undefeated, then more stamina.
        Count => "count",
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// `None` in a draw.
    pub winner: Option<Team>,
    pub way: Way,
}

/// The kind of the open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowStage {
    /// Everybody fills in the form of the setup (T2.7).
    Setup,
    /// A player acts, and seals the attacks of the turn (T7.1).
    Turn,
    /// The attacked sides answer (T7.2).
    Reaction,
    Over,
}

/// The answers to the form of the setup (T2.7).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wishes {
    /// The deck of the player's own.
    pub own: Option<Packed>,
    /// The ready-made decks by preference.
    pub decks: Vec<Deck>,
    pub order: Option<Order>,
    /// The sides in the order that the winner of three sides and more chooses.
    pub teams: Vec<Team>,
    /// The first player of the side.
    pub who: Option<Seat>,
    pub skip: Option<Phase>,
    /// The order of opponents who are equal in everything (T2.5).
    pub equal: Vec<Seat>,
}

/// Cards of a player; `None` for one that the viewer may not know.
pub type Cards = Vec<Option<Card>>;

/// A player with the piles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// `None` before the deal.
    pub character: Option<Card>,
    /// The deck of the player's own, or a changed ready-made one; empty for one as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_deck: Vec<Card>,
    /// The ready-made deck.
    pub deck: Option<Deck>,
    pub wishes: Wishes,
    /// スタミナ: the deck and the life, its top at the end.
    pub stamina: Cards,
    /// The number of cards lowest in stamina that everybody knows, as they were healed.
    #[serde(default)]
    pub healed: usize,
    /// The number of cards of stamina before the first hand (T2.5).
    pub start: usize,
    pub hand: Cards,
    /// The damage pile, face up, its top at the end.
    pub damage: Cards,
    /// The discard pile, face up.
    pub discard: Cards,
    /// 反感: resentment, face up.
    pub resentment: Cards,
    /// The cards that have left the game (T6.3).
    pub gone: Cards,
    pub defeated: bool,
}

impl From<Packed> for Player {
    fn from(Packed { character, cards }: Packed) -> Self {
        let stamina: Cards = cards.into_iter().map(Some).collect();
        Self { character: Some(character), start: stamina.len(), stamina, ..Self::default() }
    }
}

impl Player {
    /// A player with a ready-made deck, unshuffled.
    pub(super) fn of(options: &Options, deck: Deck, seat: Seat) -> Self {
        Self { deck: Some(deck), ..Self::from(Packed::of(options, deck, seat)) }
    }

    /// The values printed on the character card.
    pub fn printed(&self) -> Option<&Character> {
        self.character.as_ref()?.character()
    }

    /// The known cards of the hand.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> {
        self.hand.iter().copied().flatten()
    }

    /// The known cards of the hand in the order of the set.
    pub(super) fn sorted_hand(&self) -> Vec<Card> {
        let mut hand: Vec<Card> = self.cards().collect();
        hand.sort_unstable();
        hand
    }

    /// The known cards of the hand in the order of the set, equal cards once.
    pub(super) fn distinct_hand(&self) -> Vec<Card> {
        distinct(self.cards())
    }

    /// Takes a card out of the hand. True if it was there.
    pub(super) fn give_up(&mut self, card: Card) -> bool {
        let place = self.hand.iter().position(|held| *held == Some(card));
        place.map(|place| self.hand.remove(place)).is_some()
    }
}

/// A permanent on the field.
#[expect(clippy::struct_excessive_bools, reason = "each is set by itself")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permanent {
    pub unit: Unit,
    pub owner: Seat,
    pub controller: Seat,
    /// The player whose character wears or rides it.
    pub worn_by: Option<Seat>,
    /// The damage of this turn (T4.15).
    pub damage: u16,
    /// True if it has attacked in this turn.
    pub attacked: bool,
    /// True if it has blocked in this turn.
    pub blocked: bool,
    /// True if it has been the target of an attack in this turn.
    pub aimed: bool,
    /// True if its next upkeep is not paid (T7.1).
    pub let_go: bool,
}

/// A declared attack that is not resolved yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedAttack {
    /// The number in the turn, from 1.
    pub number: u8,
    pub by: Means,
    pub on: Aim,
}

/// An answer to an attack (T7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Block(Unit),
    Defend(Card),
}

/// The turn under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The number, from 1; 0 before the first.
    pub number: u16,
    pub seat: Seat,
    pub skip: Option<Phase>,
    /// The number of fights and spells spent (T3.4).
    pub fights: u8,
    pub spells: u8,
    pub extra_drawn: bool,
    /// The towers of the magic used in this turn (T3.6).
    pub towers: Vec<Tower>,
    /// The attacks to come.
    pub attacks: Vec<PlannedAttack>,
    /// The means of attacks without a target, which a die decides; only while a draft is checked.
    #[serde(skip)]
    pub unaimed: Vec<Means>,
    /// The cards to discard, known to the side alone.
    pub discards: Vec<Card>,
}

/// The state of a game, or the part of it that a viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The options of the table.
    pub options: Options,
    pub stage: WindowStage,
    pub players: BySeat<Player>,
    /// The permanents, the first to come first.
    pub field: Vec<Permanent>,
    /// The changes that last for a while.
    pub lasting: Vec<Lasting>,
    /// The sides in the order of their turns (T2.6).
    pub teams: Vec<Team>,
    /// The players of each side whose turns of this round are still to come.
    pub queues: [Vec<Seat>; PLAYERS],
    pub turn: Turn,
    /// `None` until the game is over.
    pub result: Option<GameResult>,
    /// The number of shuffles in the open window.
    #[serde(default)]
    pub throws: u8,
    /// The answers sealed in the window that is being resolved; never stored.
    #[serde(skip)]
    pub(super) answers: Vec<(Seat, u8, Answer)>,
    /// The players who could not move a card from stamina; never stored.
    #[serde(skip)]
    pub(super) falling: Vec<Seat>,
}

impl State {
    /// A state in the first turn, with a ready-made deck for each seat in the order of the set, unshuffled
    /// stamina and empty hands. The GM builds a position from it.
    pub(super) fn bare(options: &Options, seats: usize) -> Self {
        let decks: Vec<Deck> = options.set.decks().collect();
        let of = |seat: Seat| decks[seat.index() * 2 % decks.len()];
        let player = |seat| Player::of(options, of(seat), seat);
        let mut state = Self {
            options: options.clone(),
            stage: WindowStage::Turn,
            players: BySeat::new(seats, player),
            field: Vec::new(),
            lasting: Vec::new(),
            teams: options.format.teams().to_vec(),
            queues: Default::default(),
            turn: Turn::of(Seat::new(0), 3),
            result: None,
            throws: 0,
            answers: Vec::new(),
            falling: Vec::new(),
        };
        let team = state.team(Seat::new(0));
        state.queues[team.index()] = state.members(team).into_iter().skip(1).collect();
        state
    }

    /// The side of a seat (T1.1).
    pub fn team(&self, seat: Seat) -> Team {
        self.options.format.team(seat)
    }

    /// The players of a side, by seat.
    pub fn members(&self, team: Team) -> SeatList {
        self.players.seats().filter(|seat| self.team(*seat) == team).collect()
    }

    /// The undefeated players of a side, by seat.
    pub fn living(&self, team: Team) -> SeatList {
        self.members(team).into_iter().filter(|seat| self.is_living(*seat)).collect()
    }

    pub fn is_living(&self, seat: Seat) -> bool {
        !self.players[seat].defeated
    }

    /// The undefeated players in turn order from a seat's side on: the seat, its partners, then the sides that
    /// follow (T10.3).
    pub fn turn_order(&self, from: Seat) -> SeatList {
        let team = self.team(from);
        let place = self.teams.iter().position(|known| *known == team).unwrap_or(0);
        let (before, after) = self.teams.split_at(place.min(self.teams.len()));
        let teams = after.iter().chain(before);
        let mut order: SeatList = teams.flat_map(|team| self.living(*team)).collect();
        if let Some(place) = order.iter().position(|seat| *seat == from) {
            order[..=place].rotate_right(1);
        }
        order
    }

    /// The undefeated partners of a seat, in turn order.
    pub fn partners(&self, seat: Seat) -> SeatList {
        let team = self.team(seat);
        let is_one = |other: &Seat| *other != seat && self.team(*other) == team;
        self.turn_order(seat).into_iter().filter(is_one).collect()
    }

    /// The undefeated opponents of a seat, in turn order.
    pub fn foes(&self, seat: Seat) -> SeatList {
        let opponents = self.opponents(seat);
        self.turn_order(seat).into_iter().filter(|other| opponents.contains(other)).collect()
    }

    pub fn permanent(&self, unit: Unit) -> Option<&Permanent> {
        self.field.iter().find(|permanent| permanent.unit == unit)
    }

    /// The permanents that a player controls.
    pub(super) fn controlled(&self, seat: Seat) -> Vec<Unit> {
        let own = self.field.iter().filter(|permanent| permanent.controller == seat);
        own.map(|permanent| permanent.unit).collect()
    }

    /// The summons that a player controls.
    pub(super) fn summons(&self, seat: Seat) -> impl Iterator<Item = Unit> + use<> {
        self.controlled(seat).into_iter().filter(|unit| unit.is_summon())
    }

    /// The opponents of a seat, by seat.
    pub(super) fn opponents(&self, seat: Seat) -> SeatList {
        let team = self.team(seat);
        self.players.seats().filter(|other| self.team(*other) != team).collect()
    }

    pub(super) fn permanent_mut(&mut self, unit: Unit) -> Option<&mut Permanent> {
        self.field.iter_mut().find(|permanent| permanent.unit == unit)
    }

    /// True if a viewer knows what the side of a seat knows (T1.2).
    pub(super) fn is_known(&self, viewer: Viewer, seat: Seat) -> bool {
        match viewer {
            Viewer::All => true,
            Viewer::Seat(of) => self.team(of) == self.team(seat),
            Viewer::Public => false,
        }
    }

    /// Filters the state for a viewer: stamina lies face down, and hands and plans are known to their side
    /// (T1.2).
    #[must_use]
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        if viewer == Viewer::All {
            return seen;
        }
        for (seat, player) in seen.players.iter_mut() {
            player.stamina.fill(None);
            player.gone.fill(None);
            if !self.is_known(viewer, seat) {
                player.own_deck.clear();
                player.hand.fill(None);
                player.wishes = Wishes::default();
            }
        }
        if !self.is_known(viewer, self.turn.seat) {
            seen.turn.discards.clear();
        }
        for permanent in &mut seen.field {
            permanent.let_go &= self.is_known(viewer, permanent.controller);
        }
        seen
    }

    /// The side of each seat.
    pub(super) fn sides(&self) -> BySeat<Option<Side>> {
        self.players.map(|seat, _| Some(self.team(seat).side()))
    }
}

impl Turn {
    /// The turn of a seat before anything happens in it.
    pub(super) fn of(seat: Seat, number: u16) -> Self {
        Self {
            number,
            seat,
            skip: None,
            fights: 0,
            spells: 0,
            extra_drawn: false,
            towers: Vec::new(),
            attacks: Vec::new(),
            unaimed: Vec::new(),
            discards: Vec::new(),
        }
    }
}
