//! G5: challenges.

use arrayvec::ArrayVec;

use super::extra_cards::Challenge;
use super::happening::Happening;
use super::state::{PLAYERS, Referee, Star, State, Street};

/// G5.1, G5.5: true if a round has chips.
pub(super) fn has_chips(state: &State, street: Street, referee: &mut Referee<'_>) -> bool {
    let skips = match street {
        Street::PreFlop => Some((Challenge::QuickAccess, "G5.1")),
        Street::Turn => Some((Challenge::HastyGetaway, "G5.5")),
        Street::Flop | Street::River => None,
    };
    let skips = skips.filter(|(challenge, _)| state.has(*challenge));
    if let Some((_, clause)) = skips {
        referee.cite(clause);
    }
    skips.is_none()
}

/// G5.3, G5.7: exchanges the pocket of a white chip's holder, depending on the flop.
pub(super) fn redraw(state: &mut State, referee: &mut Referee<'_>) {
    let faces = state.board.iter().any(|card| card.value().is_face());
    let lowest = state.stars().next().and_then(|star| state.holder_in(Street::PreFlop, star));
    let highest = state.highest(Street::PreFlop);
    for (challenge, clause, acts, holder) in [
        (Challenge::MotionDetector, "G5.3", faces, lowest),
        (Challenge::LaserTripwires, "G5.7", !faces, highest),
    ] {
        if !state.has(challenge) {
            continue;
        }
        referee.cite(clause);
        if let Some(seat) = holder.filter(|_| acts) {
            referee.cite("G5.12");
            let discarded = std::mem::take(&mut state.players[seat].pocket);
            discarded.iter().for_each(|_| state.draw(seat));
            let cards = state.players[seat].pocket.clone();
            referee.tell(Happening::Redrew { seat, by: challenge, discarded, cards });
        }
    }
}

/// G5.8: takes away the chips of the rounds before, when those of a round are laid out.
pub(super) fn clear(state: &mut State, street: Street, referee: &mut Referee<'_>) {
    if !state.has(Challenge::Blackout) {
        return;
    }
    let lies = |before: &Street| {
        state.players.iter().any(|(_, player)| player.chips[before.index()].is_some())
    };
    let streets: ArrayVec<Street, 4> =
        Street::ALL[..street.index()].iter().copied().filter(lies).collect();
    if streets.is_empty() {
        return;
    }
    referee.cite("G5.8");
    for (_, player) in state.players.iter_mut() {
        player.chips[..street.index()].fill(None);
    }
    referee.tell(Happening::Cleared { streets });
}

/// G5.11: fixes a chip that Noise Sensors or the Ventilation Shaft watch with its holder.
pub(super) fn fix(state: &mut State, referee: &mut Referee<'_>) {
    if state.street == Street::River {
        return;
    }
    let stars: ArrayVec<Star, PLAYERS> = state.stars().collect();
    for (by, clause, star) in [
        (Challenge::NoiseSensors, "G5.2", stars.first()),
        (Challenge::VentilationShaft, "G5.6", stars.last()),
    ] {
        let watched = star.copied().filter(|_| state.has(by));
        let held = watched.and_then(|star| Some((star, state.holder(star)?)));
        if let Some((star, seat)) = held.filter(|(_, seat)| !state.players[*seat].fixed) {
            referee.cite(clause);
            referee.cite("G5.11");
            state.players[seat].fixed = true;
            referee.tell(Happening::Fixed { seat, star, by });
        }
    }
}
