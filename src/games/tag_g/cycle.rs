//! T2.5, T2.6: the order of the sides, and of the players of a side.

use super::happening::{Criterion, Happening};
use super::lasting::Until;
use super::state::{Referee, SeatList, State, Team};
use super::things::Aim;
use rules::{Key, Label, Seat};

/// T2.6: the player of the next turn. The turn of a defeated player does not exist; what lasts until then ends
/// where it would have begun (T6.4).
pub(super) fn next(state: &mut State, referee: &mut Referee<'_>) -> Seat {
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
pub(super) fn expire(state: &mut State, until: Until) {
    state.lasting.retain(|lasting| lasting.until != until);
}

/// T2.5: orders the players of a side for its round.
fn order(state: &mut State, team: Team, referee: &mut Referee<'_>) {
    referee.cite("T2.5");
    let named = named(state, team);
    let mut seats = state.members(team);
    let mut by = Criterion::Alone;
    let key = |seat: Seat| {
        let player = &state.players[seat];
        let hand = player.printed().map_or(0, |character| character.hand);
        let speed = state.speed(Aim::Character(seat));
        // A defeated player is ordered last, without a turn.
        (player.defeated, -speed, std::cmp::Reverse(hand), Some(seat) != named, player.start)
    };
    seats.sort_by_key(|seat| key(*seat));
    let living: SeatList = seats.iter().copied().filter(|seat| state.is_living(*seat)).collect();
    for pair in living.windows(2) {
        let (one, other) = (key(pair[0]), key(pair[1]));
        let criterion = if one.1 != other.1 {
            Criterion::Speed
        } else if one.2 != other.2 {
            Criterion::Hand
        } else if one.3 != other.3 {
            Criterion::Named
        } else if one.4 != other.4 {
            Criterion::Stamina
        } else {
            Criterion::Foes
        };
        by = by.max(criterion);
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
    let mut begin = 0;
    while begin < seats.len() {
        let first = seats[begin];
        let count = seats[begin..].iter().take_while(|seat| is_equal(first, **seat)).count();
        let equal = &mut seats[begin..begin + count];
        if count > 1 {
            let label = Label::of(first, Key::new("equal", "order"));
            if equal.iter().all(|seat| place(*seat).is_none()) {
                by = Criterion::Die;
                referee.shuffle(&label, equal);
            }
            equal.sort_by_key(|seat| place(*seat).unwrap_or(usize::MAX));
        }
        begin += count;
    }
    by
}
