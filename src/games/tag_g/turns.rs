//! T2.5, T2.6: the order of the sides, and of the players of a side; T3: the phases of a turn before and after its
//! main phase.

use super::cards::{Card, Moment};
use super::defeat;
use super::edition::EDITION;
use super::effects::{self, Use};
use super::happening::{Criterion, Happening, Why};
use super::options::{SeatList, Team};
use super::piles::{self, DISCARD};
use super::state::{Phase, Referee, State, Turn, WindowStage};
use super::things::{Aim, Means, Unit, Until};
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
        let seat = next(state, referee);
        begin(state, seat, referee);
        let asks_nothing = excess(state, seat) == 0 && !may_draw(state, seat);
        let is_idle = state.turn.skip == Some(Phase::Main) && asks_nothing;
        if state.is_living(seat) && state.result.is_none() && !is_idle {
            state.stage = WindowStage::Turn;
            return;
        }
    }
}

/// T2.6: the player of the next turn. The turn of a defeated player does not exist; what lasts until then ends
/// where it would have begun (T6.4).
fn next(state: &mut State, referee: &mut Referee<'_>) -> Seat {
    referee.cite("T2.6");
    let mut is_first = state.turn.number == 0;
    let mut team = if is_first { state.teams[0] } else { state.team(state.turn.seat) };
    loop {
        let stays = is_first || !state.options.takes_turns();
        if !stays || state.queues[team.index()].is_empty() && !is_first {
            let place = state.teams.iter().position(|known| *known == team).unwrap_or(0);
            team = state.teams[(place + 1) % state.teams.len()];
        }
        is_first = false;
        if state.queues[team.index()].is_empty() {
            order(state, team, referee);
        }
        let seat = state.queues[team.index()].remove(0);
        if state.is_living(seat) {
            return seat;
        }
        expire(state, Until::TurnOf(seat));
    }
}

/// T3.11: ends what lasts until then.
fn expire(state: &mut State, until: Until) {
    state.lasting.retain(|lasting| lasting.until != until);
}

/// T2.5: the criteria in their order; the named first player (T2.3) has at least the opening hand of the others.
const CRITERIA: [Criterion; 4] =
    [Criterion::Speed, Criterion::Hand, Criterion::Named, Criterion::Stamina];

/// T2.5: orders the players of a side for its round.
fn order(state: &mut State, team: Team, referee: &mut Referee<'_>) {
    referee.cite("T2.5");
    let named = named(state, team);
    let key = |seat: Seat| {
        let player = &state.players[seat];
        let number = |number| i16::try_from(number).unwrap_or(i16::MAX);
        let hand = player.printed().map_or(0, |character| character.hand);
        let is_other = i16::from(Some(seat) != named);
        let speed = state.speed(Aim::Character(seat));
        // A defeated player is ordered last, without a turn.
        (player.defeated, [-speed, -number(hand), is_other, number(player.start)])
    };
    let mut seats = state.members(team);
    seats.sort_by_key(|seat| key(*seat));
    let living: SeatList = seats.iter().copied().filter(|seat| state.is_living(*seat)).collect();
    let mut by = Criterion::Alone;
    for pair in living.windows(2) {
        let ((_, one), (_, other)) = (key(pair[0]), key(pair[1]));
        let place = one.iter().zip(other).position(|(one, other)| *one != other);
        by = by.max(place.map_or(Criterion::Foes, |place| CRITERIA[place]));
    }
    if by == Criterion::Foes {
        by = ask_foes(state, team, &mut seats, |one, other| key(one) == key(other), referee);
    }
    state.queues[team.index()] = seats.to_vec();
    if !living.is_empty() {
        let seats = seats.into_iter().filter(|seat| state.is_living(*seat)).collect();
        referee.tell(Happening::RoundOrdered { team, seats, by });
    }
}

/// T2.3: the named first player of the side that begins, in its first round.
fn named(state: &State, team: Team) -> Option<Seat> {
    let begins = state.turn.number == 0 && state.teams.first() == Some(&team);
    let speaker = state.members(team).first().copied()?;
    state.players[speaker].wishes.who.filter(|_| begins)
}

/// T2.5: orders players who are equal in everything as the next opponent has declared, else by die.
fn ask_foes(
    state: &State,
    team: Team,
    seats: &mut SeatList,
    is_equal: impl Fn(Seat, Seat) -> bool,
    referee: &mut Referee<'_>,
) -> Criterion {
    let foes = state.turn_order(seats[0]).into_iter().filter(|seat| state.team(*seat) != team);
    let wish = foes.map(|foe| &state.players[foe].wishes.equal).find(|wish| !wish.is_empty());
    let place = |seat: Seat| wish.and_then(|wish| wish.iter().position(|named| *named == seat));
    let mut by = Criterion::Foes;
    let groups = seats.chunk_by_mut(|one, other| is_equal(*one, *other));
    for equal in groups.filter(|equal| equal.len() > 1) {
        if equal.iter().all(|seat| place(*seat).is_none()) {
            by = Criterion::Die;
            referee.shuffle(&Label::of(equal[0], Key::new("equal", "order")), equal);
        }
        equal.sort_by_key(|seat| place(*seat).unwrap_or(usize::MAX));
    }
    by
}

/// T3.1, T3.2: the setup phase and the normal draw.
fn begin(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    state.turn = Turn::of(seat, state.turn.number + 1);
    state.stage = WindowStage::Turn;
    expire(state, Until::TurnOf(seat));
    skip(state, seat, referee);
    let (number, skips) = (state.turn.number, state.turn.skip);
    referee.tell(Happening::TurnBegan { seat, number, skips });
    referee.cite("T3.1");
    for unit in state.controlled(seat) {
        upkeep(state, seat, unit, referee);
    }
    for unit in state.controlled(seat) {
        for effect in unit.card.at(Moment::Setup) {
            if state.permanent(unit).is_some() {
                let by = Use::plain(seat, Means::Unit(unit));
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
    expire(state, Until::Turn);
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
