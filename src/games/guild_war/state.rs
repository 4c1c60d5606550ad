//! The state of ギルドウォー, and its filter for viewers.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::deeds::Action;
use super::edition::EDITION;
use super::effects::Stat;
use super::forecast::Forecast;
use super::options::Options;
use super::set::{Card, Line, Slot, Stats};
use crate::cards::deck::distinct;
use crate::pieces::pieces;
use rules::{BySeat, Seat, Side, Viewer};

/// Guild War as a game of the engine.
#[derive(Clone, Copy, Debug)]
pub struct GuildWar;

/// The engine's referee for this game.
pub(super) type Referee<'r> = rules::Referee<'r, GuildWar>;

/// The maximum number of players (W1.1).
pub const PLAYERS: usize = 6;

/// Some seats, in an order.
pub type SeatList = ArrayVec<Seat, PLAYERS>;

pieces! {
    /// A guild (W0).
    Guild {
        /// P1, P3, P5
        A => "guild-a",
        /// P2, P4, P6
        B => "guild-b",
    }
}

impl Guild {
    /// The guild of a seat (W1.1).
    pub fn of(seat: Seat) -> Self {
        Self::ALL[seat.index() % Self::ALL.len()]
    }

    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    pub fn side(self) -> Side {
        Side::new(self.index())
    }
}

pieces! {
    /// The choice of the guild that has won the initiative (W4.1).
    Order {
        /// 先攻
        First => "first",
        /// 後攻
        Second => "second",
    }
}

pieces! {
    /// A way of ending a game.
    WinningWay {
        /// W2.1: all members of a guild are down.
        AllDown => "all-down",
        /// W2.2: a guild could not connect its frame.
        FrameLost => "frame-lost",
        /// W2.3: the winner has fewer members down.
        FewerDown => "fewer-down",
        /// W2.3: the winner has lost fewer HP.
        LessLoss => "less-loss",
        /// W2.4: the guild has won more games of the match.
        MoreWins => "more-wins",
        /// W2.3: a draw.
        Draw => "draw",
    }
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// `None` in a draw.
    pub winner: Option<Guild>,
    pub way: WinningWay,
}

/// The kind of the open window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WindowStage {
    /// All players choose a deck (W3.4).
    Decks,
    /// Gear is set, and captains choose the order (W3.4).
    Prepare,
    /// A guild acts (W5.1).
    Step {
        second: bool,
    },
    /// The other guild responds to the declared actions (W6.1).
    Response {
        second: bool,
    },
    /// W8.1
    Rest,
    Over,
}

/// A step of the game, counted from the first step of the first frame (W7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(u8);

impl Moment {
    fn of(frame: u8, second: bool) -> Self {
        Self(2 * frame + u8::from(second))
    }

    /// The same step of the next frame.
    pub(super) fn of_next_frame(self) -> Self {
        Self(self.0 + 2)
    }

    /// The frame of the step, from 1.
    pub fn frame(self) -> u8 {
        self.0 / 2
    }

    /// True for the second step of a frame.
    pub fn is_second(self) -> bool {
        self.0 % 2 == 1
    }
}

/// A change of a value (W12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    pub stat: Stat,
    pub amount: i16,
    /// The last step in which the change counts.
    pub until: Moment,
}

/// A character with its cards. A card that the viewer may not know is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// `None` before a deck is chosen (W3.4).
    pub line: Option<Line>,
    /// The deck of the player's own; empty for the ready-made one (W1.2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub own_deck: Vec<Card>,
    /// The character card (W3.1).
    pub card: Option<Card>,
    /// The deck, its top at the end.
    pub deck: Vec<Option<Card>>,
    pub hand: Vec<Option<Card>>,
    /// The HP cards, face down (W3.2).
    pub hp: Vec<Option<Card>>,
    /// The number of HP cards laid at the preparation (W2.3).
    pub laid: usize,
    /// The discard pile, face up (W13.4).
    pub discard: Vec<Card>,
    /// The set items and equipment, the first set first (W3.3).
    pub gear: Vec<Card>,
    pub modifiers: Vec<Modifier>,
    /// The number of rests in which each poison will still strike (W12.10).
    pub poison: Vec<u8>,
    /// The last step of 行動不能 (W7.7).
    pub disabled: Option<Moment>,
    /// The last step in which the character is hidden (W12.7).
    pub hidden: Option<Moment>,
    /// True once the character has used a card in this frame (W5.2).
    pub used: bool,
    /// 戦闘不能 (W7.6).
    pub down: bool,
    /// The action declared in the step under way (W5.1).
    pub plan: Option<Action>,
    /// The response sealed in the window that is being resolved; never stored.
    #[serde(skip)]
    pub(super) sealed: Option<Action>,
}

impl Character {
    /// A character of level 1 with HP laid, an unshuffled deck and an empty hand.
    pub(super) fn of(options: &Options, line: Line) -> Self {
        let card = options.set.beginner(line);
        let deck = options.ready_made(line).map(Some).collect();
        let mut character = Self { line: Some(line), card: Some(card), deck, ..Self::default() };
        character.lay_hp();
        character
    }

    /// W3.2: lays HP from the top of the deck, as many as VIT.
    pub(super) fn lay_hp(&mut self) {
        let left = self.deck.len().saturating_sub(self.vit());
        self.hp = self.deck.split_off(left);
        self.laid = self.hp.len();
    }

    /// The values printed on the character card.
    pub fn stats(&self) -> Option<&'static Stats> {
        self.card.and_then(Card::stats)
    }

    pub fn level(&self) -> u8 {
        self.stats().map_or(0, |stats| stats.level)
    }

    pub fn vit(&self) -> usize {
        self.stats().map_or(0, |stats| stats.vit.into())
    }

    pub fn luk(&self) -> usize {
        self.stats().map_or(0, |stats| stats.luk.into())
    }

    /// The number of cards that can be set (W11.2).
    pub fn capacity(&self) -> usize {
        self.stats().map_or(0, |stats| stats.capacity.into())
    }

    /// The visible cards of the hand in the order of the set.
    pub(super) fn sorted_hand(&self) -> Vec<Card> {
        let mut hand: Vec<Card> = self.cards().collect();
        hand.sort_unstable();
        hand
    }

    /// The visible cards of the hand in the order of the set, equal cards once.
    pub(super) fn distinct_hand(&self) -> Vec<Card> {
        distinct(self.cards())
    }

    /// The known cards of the hand.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> {
        self.hand.iter().copied().flatten()
    }

    /// The set weapon; `None` if there is none.
    pub fn weapon(&self) -> Option<Card> {
        self.in_slot(Slot::Weapon).next()
    }

    /// The cards set in a slot, the first set first.
    pub fn in_slot(&self, slot: Slot) -> impl Iterator<Item = Card> {
        let is_there = move |card: &Card| card.equipment().is_some_and(|piece| piece.slot == slot);
        self.gear.iter().copied().filter(is_there)
    }

    /// W2.3: the number of HP lost since the preparation.
    pub fn loss(&self) -> usize {
        self.laid.saturating_sub(self.hp.len())
    }

    /// Takes a card out of the hand.
    pub(super) fn give_up(&mut self, card: Card) {
        if let Some(place) = self.hand.iter().position(|held| *held == Some(card)) {
            self.hand.remove(place);
        }
    }

    /// Takes a card of the hand to the discard pile.
    pub(super) fn throw_away(&mut self, card: Card) {
        self.give_up(card);
        self.discard.push(card);
    }

    /// Moves a set card to the discard pile.
    pub(super) fn take_off(&mut self, card: Card) {
        if let Some(place) = self.gear.iter().position(|set| *set == card) {
            self.gear.remove(place);
            self.discard.push(card);
        }
    }
}

/// The state of a game, or the part of it that a viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The options of the table.
    pub options: Options,
    /// The frame, from 1; 0 before the first.
    pub frame: u8,
    pub stage: WindowStage,
    /// The guild of the first step of this frame (W4.1).
    pub first: Guild,
    /// The guild of the first step of the first frame.
    pub opener: Guild,
    pub characters: BySeat<Character>,
    /// The order that the captain of each guild has left (W4.3).
    pub orders: [Option<Order>; 2],
    /// The number of frames in a row in which each guild has used no card (W2.2).
    pub absences: [u8; 2],
    /// The number of games of the match that are over (W1.3).
    #[serde(default)]
    pub played: u8,
    /// The number of games that each guild has won.
    #[serde(default)]
    pub wins: [u8; 2],
    /// `None` until the match is over.
    pub result: Option<GameResult>,
    /// The forecast of the open responses, in an interview alone; never stored.
    #[serde(skip)]
    pub(super) foreseen: Vec<Forecast>,
}

impl State {
    /// A state at the first step of the first frame, with a line for each seat in the order of the set,
    /// unshuffled decks and empty hands. The GM builds a position from it.
    pub(super) fn bare(options: &Options, seats: usize) -> Self {
        let set = options.set;
        let lines: Vec<Line> = set.lines().collect();
        Self {
            options: options.clone(),
            frame: 1,
            stage: WindowStage::Step { second: false },
            first: Guild::A,
            opener: Guild::A,
            characters: BySeat::new(seats, |seat| {
                Character::of(options, lines[seat.index() % lines.len()])
            }),
            orders: [None; 2],
            absences: [0; 2],
            played: 0,
            wins: [0; 2],
            result: None,
            foreseen: Vec::new(),
        }
    }

    /// The second step of this frame.
    pub(super) fn end_of_frame(&self) -> Moment {
        Moment::of(self.frame, true)
    }

    /// The step under way; at rest, the second one.
    pub(super) fn now(&self) -> Moment {
        let is_first = matches!(
            self.stage,
            WindowStage::Step { second: false } | WindowStage::Response { second: false }
        );
        Moment::of(self.frame, !is_first)
    }

    /// The members of a guild, by seat.
    pub fn members(&self, guild: Guild) -> SeatList {
        self.characters.seats().filter(|seat| Guild::of(*seat) == guild).collect()
    }

    /// The members of a guild that are not down.
    pub fn standing(&self, guild: Guild) -> SeatList {
        let mut members = self.members(guild);
        members.retain(|seat| !self.characters[*seat].down);
        members
    }

    /// The captain of a guild: its first seat (W4.3).
    pub fn captain(&self, guild: Guild) -> Option<Seat> {
        self.members(guild).first().copied()
    }

    /// The guild that acts in a step.
    pub fn acting(&self, second: bool) -> Guild {
        if second { self.first.other() } else { self.first }
    }

    /// W7.7: true if a character is neither down nor disabled.
    pub fn is_able(&self, seat: Seat) -> bool {
        let character = &self.characters[seat];
        !character.down && character.disabled.is_none_or(|until| until < self.now())
    }

    /// W12.7: true if attacks on the character alone do not reach it.
    pub fn is_hidden(&self, seat: Seat) -> bool {
        self.characters[seat].hidden.is_some_and(|until| until >= self.now())
    }

    /// W5.2: true if a character can still use a card in this frame.
    pub fn is_free(&self, seat: Seat) -> bool {
        self.is_able(seat) && !self.characters[seat].used
    }

    /// W7.5: the current value: printed, with gear and modifiers, at least 0.
    pub fn stat(&self, seat: Seat, of: Stat) -> i16 {
        let (character, now) = (&self.characters[seat], self.now());
        let printed = character.stats().map_or(0, |stats| stats.of(of));
        let gear = character.gear.iter().filter_map(|card| card.equipment());
        let of_gear: i16 = gear.filter_map(|piece| piece.bonus.get(&of)).sum();
        let counts = |modifier: &&Modifier| modifier.stat == of && modifier.until >= now;
        let changes: i16 =
            character.modifiers.iter().filter(counts).map(|modifier| modifier.amount).sum();
        (printed + of_gear + changes).max(0)
    }

    /// The seats that are asked to declare in the open window.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.characters.map(|seat, character| match self.stage {
            WindowStage::Decks | WindowStage::Prepare => true,
            WindowStage::Step { second } => {
                Guild::of(seat) == self.acting(second) && self.is_free(seat)
            }
            WindowStage::Response { second } => {
                Guild::of(seat) != self.acting(second) && self.is_free(seat)
            }
            WindowStage::Rest => !character.down || self.captain(Guild::of(seat)) == Some(seat),
            WindowStage::Over => false,
        })
    }

    /// W2.3: the result by the current count.
    pub(super) fn by_count(&self) -> GameResult {
        let downs =
            Guild::ALL.iter().map(|guild| self.members(*guild).len() - self.standing(*guild).len());
        let losses = Guild::ALL.iter().map(|guild| {
            let members = self.members(*guild);
            members.iter().map(|seat| self.characters[*seat].loss()).sum::<usize>()
        });
        let (downs, losses): (Vec<usize>, Vec<usize>) = (downs.collect(), losses.collect());
        let fewer = |counts: &[usize]| {
            let order = counts[0].cmp(&counts[1]);
            order.is_ne().then(|| if order.is_lt() { Guild::A } else { Guild::B })
        };
        match (fewer(&downs), fewer(&losses)) {
            (Some(guild), _) => GameResult { winner: Some(guild), way: WinningWay::FewerDown },
            (None, Some(guild)) => GameResult { winner: Some(guild), way: WinningWay::LessLoss },
            (None, None) => GameResult { winner: None, way: WinningWay::Draw },
        }
    }

    /// W2.4: the result of the match by games won; `None` if both guilds have won as many.
    pub(super) fn by_wins(&self) -> Option<GameResult> {
        let [a, b] = self.wins;
        let winner = if a > b { Guild::A } else { Guild::B };
        (a != b).then_some(GameResult { winner: Some(winner), way: WinningWay::MoreWins })
    }

    /// Ends the match in its current state: by games won, else by count.
    pub(super) fn finish(&mut self) {
        if self.stage != WindowStage::Over {
            self.result = Some(self.by_wins().unwrap_or_else(|| self.by_count()));
            self.stage = WindowStage::Over;
        }
    }

    /// Filters the state for a viewer: decks and HP lie face down, hands are known to their guild (W13.1),
    /// and so is the order left by its captain (W4.3).
    #[must_use]
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        if viewer == Viewer::All {
            return seen;
        }
        for (seat, character) in seen.characters.iter_mut() {
            character.deck.iter_mut().for_each(|card| *card = None);
            character.hp.iter_mut().for_each(|card| *card = None);
            if !is_of(viewer, Guild::of(seat)) {
                character.own_deck.clear();
                character.hand.iter_mut().for_each(|card| *card = None);
            }
        }
        for &guild in Guild::ALL {
            if !is_of(viewer, guild) {
                seen.orders[guild.index()] = None;
            }
        }
        seen
    }

    /// The side of each seat.
    pub(super) fn sides(&self) -> BySeat<Option<Side>> {
        self.characters.map(|seat, _| Some(Guild::of(seat).side()))
    }

    /// The highest level of this frame (W8.1).
    pub(super) fn highest_level(&self) -> u8 {
        self.frame * EDITION.frames.level
    }
}

/// True if a viewer has the knowledge of a guild.
pub(super) fn is_of(viewer: Viewer, guild: Guild) -> bool {
    match viewer {
        Viewer::All => true,
        Viewer::Seat(seat) => Guild::of(seat) == guild,
        Viewer::Public => false,
    }
}
