//! The state of ギャングスターパラダイス, and its filter for viewers.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::cards::{Card, Life};
use super::chain::{Chain, PrivateChoice, ReactionAnswers, SealedAct, Trade};
use super::edition::EDITION;
use super::hands::known::Known;
use super::options::Options;
use crate::pieces::pieces;
use rules::{Ask, BySeat, Key, Seat, Viewer};

/// Gangster Paradise as a game of the engine.
#[derive(Clone, Copy, Debug)]
pub struct GangsterParadise;

/// The engine's referee for this game.
pub(super) type Referee<'r> = rules::Referee<'r, GangsterParadise>;

/// The maximum number of players (P1.1).
pub const PLAYERS: usize = 7;

/// Some players, in an order.
pub type SeatList = ArrayVec<Seat, PLAYERS>;

/// The open window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowStage {
    /// All players are asked for THE BOSS (P1.3).
    Opening,
    /// The turn player seals an act (P3.1).
    Turn,
    /// A trade has been settled: the window of the turn closes for its answers (P3.5).
    Settled,
    /// The other players declare their reactions (P3.2).
    Reaction,
    /// One player chooses in the middle of an act (P3.4).
    Choice(PrivateChoice),
    /// The game is won: the window closes (P7.4).
    Won,
    Over,
}

/// The number of uses of a card in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    pub card: Card,
    pub times: u8,
}

/// A player's cards, answers and points.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The hand, in the order of the cards, the life among them; `None` for a card that the viewer may not
    /// know.
    pub hand: Vec<Option<Card>>,
    /// The part of the hand that other players know.
    pub known: Known,
    /// The crimes in front of the player (P0).
    pub front: Vec<Card>,
    /// The lost life; `None` while alive (P7.1).
    pub lost: Option<Life>,
    /// True if BLACK has revealed the life (P2.5).
    pub revealed: bool,
    /// The cards used in this turn (P0).
    pub uses: Vec<Uses>,
    /// The player's reactions in this turn.
    pub answers: ReactionAnswers,
    /// The points of the set so far (P8.1).
    pub points: u8,
}

impl Player {
    /// True if the life is not lost.
    pub fn is_alive(&self) -> bool {
        self.lost.is_none()
    }

    /// The known cards of the hand.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> {
        self.hand.iter().copied().flatten()
    }

    /// The number of fitting known cards in the hand.
    pub fn count(&self, is_it: impl Fn(Card) -> bool) -> usize {
        self.cards().filter(|card| is_it(*card)).count()
    }

    /// The number of unknown cards in the hand.
    pub fn unknown(&self) -> usize {
        self.hand.len() - self.cards().count()
    }

    pub fn holds(&self, card: Card) -> bool {
        self.cards().any(|held| held == card)
    }

    /// The side of the life, held or lost; `None` if unknown.
    pub fn life(&self) -> Option<Life> {
        self.lost.or_else(|| self.cards().find_map(Card::life))
    }

    /// The number of uses of a card in this turn.
    pub fn uses(&self, card: Card) -> u8 {
        self.uses.iter().find(|uses| uses.card == card).map_or(0, |uses| uses.times)
    }

    /// True if a card can be used again in this turn (P0).
    pub fn may_use(&self, card: Card) -> bool {
        card.printed().limit.is_none_or(|limit| self.uses(card) < limit)
    }

    /// Counts one more use, and makes the card public while it is in the hand.
    pub(super) fn note_use(&mut self, card: Card) {
        if self.holds(card) {
            self.known.show(&[card]);
        }
        match self.uses.iter_mut().find(|uses| uses.card == card) {
            Some(uses) => uses.times += 1,
            None => self.uses.push(Uses { card, times: 1 }),
        }
    }
}

/// A trade that the turn player has proposed (P3.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The proposed trade, without the partner's cards.
    pub trade: Trade,
    /// The number of cards that the partner is to give.
    pub wants: u8,
    /// The turn player's own reactions to the trade (P6.5).
    pub answers: ReactionAnswers,
}

/// A request of the turn player's (P9.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// BARTENDER or CIGAR.
    pub card: Card,
    pub on: Seat,
}

/// The current turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each happens or not, whatever the others do")]
pub struct CurrentTurn {
    /// The number of actions left.
    pub actions: u8,
    /// True if the turn player has shot in this turn (MAGAZINE).
    pub has_shot: bool,
    /// True if ALCOHOL forbids trades (P6.5).
    pub no_trades: bool,
    /// True if FLASH BANG has ended the turn (P9.13).
    pub is_ended: bool,
    /// True if PORNO has come into a hand in this turn (P1.1).
    pub porno_is_new: bool,
    pub proposals: Vec<Proposal>,
    /// The number of trades proposed in this turn and not made (P3.5).
    pub proposed: u8,
    pub request: Option<Request>,
    /// The acts that the turn player has sealed to follow, in order (P3.1).
    pub following: VecDeque<SealedAct>,
}

pieces! {
    /// A way of winning (P7.2).
    WinningWay {
        /// 人徳
        Virtue => "virtue",
        /// 金銭
        Money => "wealth",
        /// 偉人
        Greats => "greats",
        /// 裏切
        Betrayal => "betrayal",
        /// Victory of the player's side
        Side => "side",
    }
}

/// A winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Winner {
    pub seat: Seat,
    pub way: WinningWay,
    pub points: u8,
}

/// A question about an immediate deed, which is not done before its answer.
pub(super) fn ask_openly(name: &'static str, clause: &'static str) -> Ask {
    Ask::new(Key::new("act", name), clause)
}

/// The state of a game, whole or filtered for a viewer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The host's options.
    pub options: Options,
    /// The number of the game in the set, from 1 (P8.1).
    pub game: u8,
    /// The number of the round, from 1.
    pub round: u8,
    /// The player who begins every round.
    pub first: Seat,
    /// The turn player.
    pub active: Seat,
    pub stage: WindowStage,
    pub turn: CurrentTurn,
    /// The act that is being handled.
    pub chain: Option<Chain>,
    /// The deck, its top at the end.
    pub deck: Vec<Option<Card>>,
    /// The field, in the order of the cards (P2.6).
    pub field: Vec<Card>,
    pub players: BySeat<Player>,
    /// The winners of the last game.
    pub winners: Vec<Winner>,
    /// The number of throws for random cards in this window; never stored.
    #[serde(skip)]
    pub(super) throws: u8,
}

impl State {
    /// A state before the deal: lives in the order of the sides, and all other cards in the deck. The GM
    /// builds a position from it.
    pub(super) fn bare(options: &Options, seats: usize) -> Self {
        let mut deck: Vec<Option<Card>> = Vec::new();
        for &card in Card::ALL.iter().filter(|card| !card.is_life()) {
            deck.extend(std::iter::repeat_n(Some(card), card.printed().copies));
        }
        let lives = Life::ALL.iter().chain(&Life::ALL[..2]);
        let mut lives = lives.map(|life| Some(life.card()));
        let mut player =
            |_| Player { hand: lives.next().into_iter().collect(), ..Player::default() };
        let first = Seat::new(0);
        Self {
            options: options.clone(),
            game: 1,
            round: 2,
            first,
            active: first,
            stage: WindowStage::Turn,
            turn: CurrentTurn { actions: EDITION.turn.actions, ..CurrentTurn::default() },
            chain: None,
            deck,
            field: Vec::new(),
            players: BySeat::new(seats, &mut player),
            winners: Vec::new(),
            throws: 0,
        }
    }

    /// The players in turn order from this one (P4.3).
    pub fn from(&self, seat: Seat) -> SeatList {
        let count = self.players.count();
        (0..count).map(|step| Seat::new((seat.index() + step) % count)).collect()
    }

    /// The living players, in turn order from this one.
    pub fn living_from(&self, seat: Seat) -> SeatList {
        self.from(seat).into_iter().filter(|seat| self.players[*seat].is_alive()).collect()
    }

    /// P7.5, P9.18: true if these players are neighbours, the dead left aside.
    pub fn are_neighbours(&self, seat: Seat, other: Seat) -> bool {
        let alive = |seat: &Seat| self.players[*seat].is_alive();
        let order = self.from(seat);
        let mut others = order.iter().skip(1).filter(|other| alive(other));
        let next = others.next();
        let last = others.next_back().or(next);
        seat != other && (next == Some(&other) || last == Some(&other))
    }

    /// P2.3: true if damage is barred.
    pub fn is_truce(&self) -> bool {
        let count = self.players.count();
        let last = Seat::new((self.first.index() + count - 1) % count);
        self.round == 1 && self.active != last
    }

    /// The seats that are asked to declare in the open window.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.players.map(|seat, player| match &self.stage {
            WindowStage::Opening => true,
            WindowStage::Turn => seat == self.active,
            WindowStage::Reaction => seat != self.active && player.is_alive(),
            WindowStage::Choice(choice) => seat == choice.of,
            WindowStage::Settled | WindowStage::Won | WindowStage::Over => false,
        })
    }

    /// Ends the game in its current state.
    pub(super) fn finish(&mut self) {
        self.stage = WindowStage::Over;
    }

    /// Filters the state for a viewer: hands are hidden except for shown or seen cards (P9.9), and so are
    /// reactions, sealed following acts, traded cards, and the deck except for a marked back on top (P9.6).
    #[must_use]
    pub(super) fn seen_by(&self, viewer: Viewer) -> Self {
        let mut seen = self.clone();
        if viewer == Viewer::All {
            return seen;
        }
        let is_over = seen.stage == WindowStage::Over;
        let top = seen.deck.pop().flatten().filter(|card| card.is_marked());
        seen.deck.iter_mut().for_each(|card| *card = None);
        if seen.deck.len() < self.deck.len() {
            seen.deck.push(top);
        }
        for (seat, player) in seen.players.iter_mut() {
            if viewer != Viewer::Seat(seat) {
                player.answers = ReactionAnswers::default();
                cover_hand(player, viewer, is_over);
            }
            player.known.cover(viewer);
        }
        if viewer != Viewer::Seat(self.active) {
            seen.turn.following.clear();
        }
        for proposal in &mut seen.turn.proposals {
            cover_trade(&mut proposal.trade, self.active, viewer);
            if viewer != Viewer::Seat(self.active) {
                proposal.answers = ReactionAnswers::default();
            }
        }
        if let Some(trade) = seen.chain.as_mut().and_then(|chain| chain.act.trade.as_mut()) {
            cover_trade(trade, self.active, viewer);
        }
        if let WindowStage::Choice(choice) = &mut seen.stage
            && viewer != Viewer::Seat(choice.of)
        {
            choice.seen.iter_mut().for_each(|card| *card = None);
        }
        seen
    }
}

/// Covers another player's hand. The life is shown once the game is over.
fn cover_hand(player: &mut Player, viewer: Viewer, is_over: bool) {
    let life = player.cards().find(|card| is_over && card.is_life());
    player.known.show(life.as_slice());
    let known = player.known.by(viewer);
    let all = player.hand.len();
    player.hand = known.into_iter().map(Some).collect();
    player.hand.resize(all, None);
}

/// P3.5: covers the cards of a trade for all except its parties.
pub(super) fn cover_trade(trade: &mut Trade, active: Seat, viewer: Viewer) {
    if viewer != Viewer::Seat(active) && viewer != Viewer::Seat(trade.partner) {
        trade.cover();
    }
}
