//! Where a game of ギャングスターパラダイス stands, and who may know what of it.

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

/// Gangster Paradise, as the engine plays it.
#[derive(Clone, Copy, Debug)]
pub struct GangsterParadise;

/// Who answers what its rules ask.
pub(super) type Referee<'r> = rules::Referee<'r, GangsterParadise>;

/// At most so many play (P1.1).
pub const PLAYERS: usize = 7;

/// Some players, in an order.
pub type SeatList = ArrayVec<Seat, PLAYERS>;

/// Which window is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindowStage {
    /// Everybody is asked whether they hold THE BOSS and begin (P1.3).
    Opening,
    /// The turn player seals an act (P3.1).
    Turn,
    /// A trade has been settled: the window of the turn closes for its answers (P3.5).
    Settled,
    /// The others say how they react (P3.2).
    Reaction,
    /// Somebody chooses in the middle of an act (P3.4).
    Choice(PrivateChoice),
    /// Somebody has won: the window closes (P7.4).
    Won,
    Over,
}

/// How often somebody has used a card in this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    pub card: Card,
    pub times: u8,
}

/// What is before somebody, and in their hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The hand, in the order of the cards, the life among them; none for a card that the viewer may
    /// not know.
    pub hand: Vec<Option<Card>>,
    /// The part of it that others know.
    pub known: Known,
    /// The crimes that lie before the player (P0).
    pub front: Vec<Card>,
    /// The life, once it is lost (P7.1).
    pub lost: Option<Life>,
    /// True if BLACK has revealed the life (P2.5).
    pub revealed: bool,
    /// What has been used in this turn (P0).
    pub uses: Vec<Uses>,
    /// How the player reacts in this turn.
    pub answers: ReactionAnswers,
    /// The points of the set so far (P8.1).
    pub points: u8,
}

impl Player {
    /// True if the life is not lost.
    pub fn is_alive(&self) -> bool {
        self.lost.is_none()
    }

    /// The cards that are known of the hand.
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> {
        self.hand.iter().copied().flatten()
    }

    /// How many of these are in the hand.
    pub fn count(&self, is_it: impl Fn(Card) -> bool) -> usize {
        self.cards().filter(|card| is_it(*card)).count()
    }

    /// How many cards of the hand are not known.
    pub fn unknown(&self) -> usize {
        self.hand.len() - self.cards().count()
    }

    pub fn holds(&self, card: Card) -> bool {
        self.cards().any(|held| held == card)
    }

    /// The side, where it is known: of the life, held or lost.
    pub fn life(&self) -> Option<Life> {
        self.lost.or_else(|| self.cards().find_map(Card::life))
    }

    /// How often a card has been used in this turn.
    pub fn uses(&self, card: Card) -> u8 {
        self.uses.iter().find(|uses| uses.card == card).map_or(0, |uses| uses.times)
    }

    /// True if a card can be used once more in this turn (P0).
    pub fn may_use(&self, card: Card) -> bool {
        card.printed().limit.is_none_or(|limit| self.uses(card) < limit)
    }

    /// One more use, before everybody's eyes: while the card is still in the hand.
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
    /// What it can be; while it is not answered its partner's cards are not named.
    pub trade: Trade,
    /// How many cards the partner is to give.
    pub wants: u8,
    /// The turn player's own answers to it, if it is made (P6.5).
    pub answers: ReactionAnswers,
}

/// What the turn player asks somebody for (P9.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// BARTENDER or CIGAR.
    pub card: Card,
    pub on: Seat,
}

/// The turn that is being played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each happens or not, whatever the others do")]
pub struct CurrentTurn {
    /// How many actions are left.
    pub actions: u8,
    /// True if the turn player has shot in it (MAGAZINE).
    pub has_shot: bool,
    /// True if ALCOHOL forbids trades (P6.5).
    pub no_trades: bool,
    /// True if FLASH BANG has ended it (P9.13).
    pub is_ended: bool,
    /// True if PORNO has come into a hand in it (P1.1).
    pub porno_is_new: bool,
    pub proposals: Vec<Proposal>,
    /// The number of trades that were proposed in it and not made (P3.5).
    pub proposed: u8,
    pub request: Option<Request>,
    /// What the turn player has sealed to follow, in order (P3.1).
    pub following: VecDeque<SealedAct>,
}

pieces! {
    /// How a game was won (P7.2).
    WinningWay {
        /// 人徳
        Virtue => "virtue",
        /// 金銭
        Money => "wealth",
        /// 偉人
        Greats => "greats",
        /// 裏切
        Betrayal => "betrayal",
        /// With one's side
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

/// A question about what is done at once: it is not done before it is answered.
pub(super) fn ask_openly(name: &'static str, clause: &'static str) -> Ask {
    Ask::new(Key::new("act", name), clause)
}

/// Where it stands, or as much of it as a viewer may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What the host has set.
    pub options: Options,
    /// Which game of the set, from 1 (P8.1).
    pub game: u8,
    /// Which round, from 1.
    pub round: u8,
    /// Who began, and so begins every round.
    pub first: Seat,
    /// Whose turn it is.
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
    /// Who has won the last game.
    pub winners: Vec<Winner>,
    /// The number of random cards that have been thrown for in this window; never kept.
    #[serde(skip)]
    pub(super) throws: u8,
}

impl State {
    /// Before the deal: lives in the order of the sides, and all other cards in the deck. A position
    /// that the GM builds begins here.
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

    /// The players who live, in turn order from this one.
    pub fn living_from(&self, seat: Seat) -> SeatList {
        self.from(seat).into_iter().filter(|seat| self.players[*seat].is_alive()).collect()
    }

    /// P7.5, P9.18: whether these are neighbours, counted without the dead.
    pub fn are_neighbours(&self, seat: Seat, other: Seat) -> bool {
        let alive = |seat: &Seat| self.players[*seat].is_alive();
        let order = self.from(seat);
        let mut others = order.iter().skip(1).filter(|other| alive(other));
        let next = others.next();
        let last = others.next_back().or(next);
        seat != other && (next == Some(&other) || last == Some(&other))
    }

    /// P2.3: whether damage is barred.
    pub fn is_truce(&self) -> bool {
        let count = self.players.count();
        let last = Seat::new((self.first.index() + count - 1) % count);
        self.round == 1 && self.active != last
    }

    /// Who is asked to declare in the window that is open.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.players.map(|seat, player| match &self.stage {
            WindowStage::Opening => true,
            WindowStage::Turn => seat == self.active,
            WindowStage::Reaction => seat != self.active && player.is_alive(),
            WindowStage::Choice(choice) => seat == choice.of,
            WindowStage::Settled | WindowStage::Won | WindowStage::Over => false,
        })
    }

    /// The game is over as it stands.
    pub(super) fn finish(&mut self) {
        self.stage = WindowStage::Over;
    }

    /// The state as a viewer may know it: hands are hidden but for what was shown or seen (P9.9), and
    /// so are reactions, what is sealed to follow, what is traded, and the deck but for a marked back
    /// on top (P9.6).
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

/// Somebody else's hand. What is over shows who was on which side.
fn cover_hand(player: &mut Player, viewer: Viewer, is_over: bool) {
    let life = player.cards().find(|card| is_over && card.is_life());
    player.known.show(life.as_slice());
    let known = player.known.by(viewer);
    let all = player.hand.len();
    player.hand = known.into_iter().map(Some).collect();
    player.hand.resize(all, None);
}

/// P3.5: the cards of a trade are for its parties.
pub(super) fn cover_trade(trade: &mut Trade, active: Seat, viewer: Viewer) {
    if viewer != Viewer::Seat(active) && viewer != Viewer::Seat(trade.partner) {
        trade.cover();
    }
}
