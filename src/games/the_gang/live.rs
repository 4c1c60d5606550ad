//! G2.4: live chips, taken one by one.

use arrayvec::ArrayVec;

use super::happening::Happening;
use super::state::{PLAYERS, Referee, Star, State, WindowStage, ask_openly};
use super::{challenges, chips};
use rules::{Bar, Play, Seat};

/// True if a player takes part in this round's live chips.
fn takes_part(state: &State, seat: Seat) -> bool {
    state.stage == WindowStage::Taking && !state.players[seat].fixed
}

fn has_moves(state: &State, seat: Seat) -> bool {
    state.players[seat].moves < state.options.moves.get()
}

/// True if a player has a chip and no moves left to change it (G2.4).
pub(super) fn is_out_of_moves(state: &State, seat: Seat) -> bool {
    takes_part(state, seat) && !has_moves(state, seat) && state.held(seat).is_some()
}

/// The chips that a player can take: from the middle or from others, except fixed ones (G5.11). A player
/// without moves and without a chip can still take one from the middle.
pub(super) fn takeable(state: &State, seat: Seat) -> ArrayVec<Star, PLAYERS> {
    if !takes_part(state, seat) {
        return ArrayVec::new();
    }
    let free = |star: &Star| match state.holder(*star) {
        None => has_moves(state, seat) || state.held(seat).is_none(),
        Some(holder) => holder != seat && has_moves(state, seat) && !state.players[holder].fixed,
    };
    state.stars().filter(free).collect()
}

/// The chips that cannot be taken, with the reasons.
fn bars(state: &State, seat: Seat) -> ArrayVec<Bar<Star>, PLAYERS> {
    let bar = |option: Star| match state.holder(option) {
        Some(holder) if holder == seat => None,
        Some(holder) if state.players[holder].fixed => {
            Some(Bar { option, why: "fixed", clause: "G5.11" })
        }
        _ if !has_moves(state, seat) => Some(Bar { option, why: "no-moves", clause: "G2.4" }),
        _ => None,
    };
    let free = takeable(state, seat);
    state.stars().filter(|star| !free.contains(star)).filter_map(bar).collect()
}

/// True if a player can put a chip back.
pub(super) fn may_return(state: &State, seat: Seat) -> bool {
    takes_part(state, seat) && has_moves(state, seat) && state.held(seat).is_some()
}

/// True if a player can say OK: the player holds a chip and has not said OK.
pub(super) fn may_say_ok(state: &State, seat: Seat) -> bool {
    takes_part(state, seat) && state.held(seat).is_some() && !state.players[seat].ok
}

/// G2.1: takes a chip; the previous one goes back into the middle.
pub(super) fn take(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let stars = takeable(state, seat);
    let ask = ask_openly("star", "G2.4").of(state.street.colour());
    let star = referee.choose_barring(seat, &ask, &stars, &bars(state, seat))?;
    let Some(star) = star else { return Ok(()) };
    referee.cite("G2.1");
    let (from, street) = (state.holder(star), state.street.index());
    if let Some(from) = from {
        state.players[from].chips[street] = None;
    }
    let back = state.players[seat].chips[street].replace(star);
    referee.tell(Happening::Took { seat, star, from, back });
    count_move(state, seat);
    challenges::fix(state, referee);
    Ok(())
}

/// G2.1: puts the held chip back into the middle.
pub(super) fn put_back(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("G2.1");
    if let Some(star) = state.players[seat].chips[state.street.index()].take() {
        referee.tell(Happening::PutBack { seat, star });
    }
    count_move(state, seat);
}

/// G2.4.1: counts a move, which clears every OK.
fn count_move(state: &mut State, seat: Seat) {
    state.players[seat].moves = state.players[seat].moves.saturating_add(1);
    clear_oks(state);
}

/// Clears every OK.
pub(super) fn clear_oks(state: &mut State) {
    for (_, player) in state.players.iter_mut() {
        player.ok = false;
    }
}

/// G2.4.1: says OK.
pub(super) fn say_ok(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("G2.4.1");
    state.players[seat].ok = true;
    referee.tell(Happening::Okayed { seat });
}

/// G2.4.2: gives out the remaining chips if not all players have a chip and have said OK.
pub(super) fn close(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("G2.4");
    if state.asked().iter().any(|(_, asked)| *asked) {
        referee.cite("G2.4.2");
    }
    chips::give_rest(state, referee);
}
