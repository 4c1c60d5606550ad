//! T3: the phases of a turn before and after its main phase.

use super::cards::{Card, Moment};
use super::edition::EDITION;
use super::effects::{self, Source, Use};
use super::happening::{Happening, Why};
use super::lasting::Until;
use super::piles::{self, DISCARD};
use super::state::{Phase, Referee, State, Turn, WindowStage};
use super::things::Unit;
use super::{cycle, defeat};
use rules::{Key, Label, Seat};

/// Ends the turn under way, and begins the following ones, up to a window in which a player is asked.
pub(super) fn advance(state: &mut State, referee: &mut Referee<'_>) {
    loop {
        if state.turn.number > 0 && state.result.is_none() {
            end(state, referee);
        }
        if state.result.is_some() {
            return;
        }
        let seat = cycle::next(state, referee);
        begin(state, seat, referee);
        let asks_nothing = excess(state, seat) == 0 && !may_draw(state, seat);
        let is_idle = state.turn.skip == Some(Phase::Main) && asks_nothing;
        if state.is_living(seat) && state.result.is_none() && !is_idle {
            state.stage = WindowStage::Turn;
            return;
        }
    }
}

/// T3.1, T3.2: the setup phase and the normal draw.
fn begin(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    state.turn = Turn::of(seat, state.turn.number + 1);
    state.stage = WindowStage::Turn;
    cycle::expire(state, Until::TurnOf(seat));
    skip(state, seat, referee);
    let (number, skips) = (state.turn.number, state.turn.skip);
    referee.tell(Happening::TurnBegan { seat, number, skips });
    referee.cite("T3.1");
    for unit in controlled(state, seat) {
        upkeep(state, seat, unit, referee);
    }
    for unit in controlled(state, seat) {
        for effect in unit.card.at(Moment::Setup) {
            if state.permanent(unit).is_some() {
                let by = Use::plain(seat, Source::Unit(unit));
                effects::carry_out(state, by, effect, None, referee);
            }
        }
    }
    let goes_on = state.is_living(seat) && state.result.is_none();
    if goes_on && state.turn.skip != Some(Phase::Draw) {
        draw(state, seat, referee);
        defeat::settle(state, referee);
    }
}

/// T2.4: the players of the first two turns skip a phase.
fn skip(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    if state.turn.number > 2 {
        return;
    }
    referee.cite("T2.4");
    let chosen = state.players[seat].wishes.skip;
    let die = || {
        let label =
            Label::of(seat, Key::new("skip", "phase").nth(1 + u8::from(state.turn.number == 2)));
        referee.throw(&label, 2).map_or(Phase::Draw, |shows| Phase::ALL[shows as usize - 1])
    };
    let phase = chosen.unwrap_or_else(die);
    state.turn.skip = Some(phase);
    referee.tell(Happening::Skips { seat, phase, by_die: chosen.is_none() });
}

fn controlled(state: &State, seat: Seat) -> Vec<Unit> {
    let own = state.field.iter().filter(|permanent| permanent.controller == seat);
    own.map(|permanent| permanent.unit).collect()
}

/// T3.1: pays the upkeep of a permanent, or lets it go.
fn upkeep(state: &mut State, seat: Seat, unit: Unit, referee: &mut Referee<'_>) {
    let cost = usize::from(unit.card.upkeep);
    let Some(permanent) = state.permanent_mut(unit).filter(|_| cost > 0) else { return };
    let let_go = std::mem::take(&mut permanent.let_go);
    if let_go || state.players[seat].stamina.len() < cost {
        piles::leave(state, unit);
        referee.cite("T7.1");
        return referee.tell(Happening::UpkeepUnpaid { seat, unit, let_go });
    }
    let cards = piles::move_stamina(state, seat, cost, DISCARD);
    referee.tell(Happening::UpkeepPaid { seat, unit, cards });
}

/// T3.2: the normal draw, from the top of the damage pile if there is one.
fn draw(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("T3.2");
    let player = &mut state.players[seat];
    if let Some(card) = player.damage.pop() {
        player.hand.push(card);
        let cards = vec![card];
        referee.tell(Happening::Drew { seat, cards, damage: true, extra: false });
    } else {
        piles::draw(state, seat, 1, false, referee);
    }
}

/// T3.2: true if the extra draw of the turn can still be made.
pub(super) fn may_draw(state: &State, seat: Seat) -> bool {
    let is_open = !state.turn.extra_drawn && state.turn.skip != Some(Phase::Draw);
    is_open && !state.players[seat].stamina.is_empty()
}

/// T3.2: makes the extra draw.
pub(super) fn draw_more(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("T3.2");
    state.turn.extra_drawn = true;
    piles::draw(state, seat, EDITION.draw.extra, true, referee);
}

/// T3.9: the number of cards above the limit of a hand.
pub(super) fn excess(state: &State, seat: Seat) -> usize {
    state.players[seat].hand.len().saturating_sub(state.hand_limit(seat))
}

/// T3.9, T3.11: the discard phase, and the end of the turn.
fn end(state: &mut State, referee: &mut Referee<'_>) {
    let seat = state.turn.seat;
    if state.is_living(seat) {
        discard(state, seat, referee);
    }
    referee.cite("T3.11");
    cycle::expire(state, Until::Turn);
    for permanent in &mut state.field {
        permanent.damage = 0;
        (permanent.attacked, permanent.blocked, permanent.aimed) = (false, false, false);
    }
    effects::sweep(state, referee);
    defeat::settle(state, referee);
}

fn discard(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let sealed = std::mem::take(&mut state.turn.discards);
    let excess = excess(state, seat);
    if excess == 0 {
        return;
    }
    referee.cite("T3.9");
    let player = &mut state.players[seat];
    let held: Vec<Card> =
        sealed.into_iter().take(excess).filter(|card| player.give_up(*card)).collect();
    let cards: Vec<Option<Card>> = held.into_iter().map(Some).collect();
    player.discard.extend(&cards);
    let missing = excess - cards.len();
    if !cards.is_empty() {
        referee.tell(Happening::Discarded { seat, cards, why: Why::Limit });
    }
    if missing > 0 {
        piles::discard_by_die(state, seat, missing, Why::Limit, referee);
    }
}
