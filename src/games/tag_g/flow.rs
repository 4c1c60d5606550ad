//! The windows, in order (T2.6, T7).

use super::happening::Happening;
use super::options::Reaction;
use super::state::{Referee, State, WindowStage};
use super::{defeat, plans, reactions, segment, setup, turns};
use rules::{Key, Label, Play, Procedure, Sealing, Seat, WindowKind};

/// Resolves a window, up to the next one in which a player is asked.
pub(super) fn round(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    referee.cite("T7.8");
    let asked = state.asked();
    for seat in asked.seats() {
        if asked[seat] {
            referee.turn(state, seat)?;
        }
    }
    match state.stage {
        WindowStage::Setup => setup::conclude(state, referee),
        WindowStage::Turn => {
            declare(state, referee);
            fight(state, false, referee);
        }
        WindowStage::Reaction => fight(state, true, referee),
        WindowStage::Over => {}
    }
    state.answers.clear();
    state.throws = 0;
    defeat::conclude(state, referee);
    Ok(())
}

/// T7.1: tells the attacks of the turn.
fn declare(state: &mut State, referee: &mut Referee<'_>) {
    defeat::settle(state, referee);
    let (seat, attacks) = (state.turn.seat, state.turn.attacks.clone());
    if attacks.is_empty() {
        referee.cite("T7.3");
    } else {
        referee.cite("T7.1");
        referee.cite("T10.5");
        referee.tell(Happening::Declared { seat, attacks });
    }
}

/// T7.2: resolves the attacks, up to one that somebody could answer; then the turn ends.
fn fight(state: &mut State, mut is_answered: bool, referee: &mut Referee<'_>) {
    while state.result.is_none() && !state.turn.attacks.is_empty() {
        let is_answerable = |seat| reactions::may_answer(state, seat);
        if !is_answered && state.players.seats().any(is_answerable) {
            referee.cite("T7.2");
            state.stage = WindowStage::Reaction;
            return;
        }
        if state.answers.is_empty() {
            referee.cite("T7.3");
        }
        referee.cite("T7.2");
        let attack = state.turn.attacks.remove(0);
        segment::resolve(state, attack, referee);
        // One window answers all attacks of the turn, or one attack alone.
        is_answered = state.options.reaction == Reaction::Turn;
    }
    turns::advance(state, referee);
}

/// Interviews a seat about the open window.
pub(super) fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    match state.stage {
        _ if referee.is_skipped(seat) || !state.asked()[seat] => Ok(()),
        WindowStage::Setup => setup::form(state, seat, referee),
        WindowStage::Turn => plans::seal(state, seat, referee),
        WindowStage::Reaction => reactions::answer(state, seat, referee),
        WindowStage::Over => Ok(()),
    }
}

/// Shuffles the part of the stamina whose order nobody knows: all but the healed cards.
pub(super) fn reshuffle(state: &mut State, referee: &mut Referee<'_>) {
    for seat in state.players.seats() {
        let player = &mut state.players[seat];
        let unknown = &mut player.stamina[player.healed..];
        referee.shuffle(&Label::of(seat, Key::new("deck", "order")), unknown);
    }
}

/// T7: the clauses of the procedure.
pub(super) fn procedure(state: &State) -> Procedure {
    let kind = match state.stage {
        WindowStage::Setup => WindowKind::Setup,
        WindowStage::Reaction => WindowKind::Reaction,
        WindowStage::Turn | WindowStage::Over => WindowKind::Turn,
    };
    Procedure {
        kind,
        missing: "T7.3",
        closes_early: true,
        asks_people: true,
        sealing: Sealing::Hidden,
        skips_missing: false,
        left_out: if kind == WindowKind::Setup { "T2.7" } else { "T7.3" },
        payment: "T7.3",
        fault: None,
        returned: "T7.4",
        duty: "T7.3",
        ordered: "T7.5",
        in_reserve: "T7.8",
        ruling: "T7.6",
        sealed: "T7.8",
        times: "T7.8",
        text: "T7.8",
    }
}
