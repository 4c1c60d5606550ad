//! P2: the begin and end of turns.

use std::iter::repeat_n;

use super::cards::{Card, Life};
use super::chain::ReactionAnswers;
use super::edition::EDITION;
use super::hands::{discard, draw, gain_openly, pick_up};
use super::happening::Happening;
use super::state::{CurrentTurn, Referee, State, WindowStage};
use super::victory;
use rules::Seat;

/// P2.1: begins a turn: returning cards, the draw, the check.
pub(super) fn begin(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    (state.active, state.stage) = (seat, WindowStage::Turn);
    for (_, player) in state.players.iter_mut() {
        player.uses.clear();
        player.answers = ReactionAnswers::default();
    }
    state.turn = CurrentTurn { actions: actions(state, seat), ..CurrentTurn::default() };
    let (round, actions) = (state.round, state.turn.actions);
    referee.tell(Happening::TurnBegan { seat, round, actions });
    come_back(state, seat, referee);
    referee.cite("P2.1");
    draw(state, seat, referee);
    if state.is_truce() {
        referee.cite("P2.3");
    }
    if victory::check(state, referee) {
        // The draw has decided the game.
        referee.cite("P9.17");
    }
}

/// P2.1: the number of actions of a turn.
fn actions(state: &State, seat: Seat) -> u8 {
    let (numbers, player) = (&EDITION.turn, &state.players[seat]);
    // P9.17: a dead BLACK has no more actions than others.
    let is_black = player.revealed && player.is_alive() && player.life() == Some(Life::Black);
    let of_life = if is_black { numbers.actions_of_black } else { numbers.actions };
    // P7.5
    of_life + u8::from(player.front.contains(&Card::Drug))
}

/// P6.6: returns THE ENDORSER to the hand, also of a dead user.
fn come_back(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let front = &mut state.players[seat].front;
    let Some(place) = front.iter().position(|card| *card == Card::TheEndorser) else { return };
    let card = front.remove(place);
    referee.cite("P6.6");
    gain_openly(state, seat, card);
    referee.tell(Happening::CameBack { seat, card });
}

/// P2.1: ends the turn: the end phase, the check, and the next player's turn.
pub(super) fn end(state: &mut State, referee: &mut Referee<'_>) {
    let seat = state.active;
    reload(state, seat, referee);
    drop_hand(state, seat, referee);
    referee.tell(Happening::TurnEnded { seat });
    if victory::check(state, referee) {
        return;
    }
    let next = state.from(seat).get(1).copied().unwrap_or(seat);
    if next == state.first {
        state.round += 1;
        if state.round > state.options.max_rounds.get() {
            referee.cite("P2.4");
            referee.cite("P9.17");
            victory::win(state, Vec::new());
            return;
        }
        // The new round may make a win possible.
        if victory::check(state, referee) {
            referee.cite("P9.17");
            return;
        }
    }
    begin(state, next, referee);
}

/// The bullets that MAGAZINE takes by default, in this order (P9.10).
const BULLETS: [Card; 4] = [Card::ApBullet, Card::DumdumBullet, Card::Bullet, Card::Vanguard];

/// P1.1, P9.10: MAGAZINE picks up bullets at the end of a turn in which its user has shot.
fn reload(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let player = &state.players[seat];
    let is_used =
        player.is_alive() && player.answers.uses(Card::Magazine) && player.holds(Card::Magazine);
    if !state.turn.has_shot || !is_used {
        return;
    }
    referee.cite("P9.10");
    let wanted = player.answers.reload.clone();
    discard(state, seat, Card::Magazine);
    referee.tell(Happening::Reacted { seat, card: Card::Magazine, on: None });
    let others = BULLETS.into_iter().flat_map(|card| repeat_n(card, card.printed().copies));
    let cards = wanted.into_iter().chain(others).filter(|card| pick_up(state, seat, *card));
    let cards: Vec<Card> = cards.take(EDITION.effect.magazine).collect();
    referee.tell(Happening::PickedUp { seat, card: Card::Magazine, cards });
}

/// P7.1: discards the whole hand of a dead player at the end of their own turn.
fn drop_hand(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    if state.players[seat].is_alive() {
        return;
    }
    referee.cite("P7.1");
    let cards: Vec<Card> = state.players[seat].cards().collect();
    for card in &cards {
        discard(state, seat, *card);
    }
    referee.tell(Happening::DroppedHand { seat, cards });
}
