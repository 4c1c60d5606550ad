//! The windows, in order; and W9, missing and faulty declarations.

use super::state::{Referee, State, WindowStage};
use super::{decks, initiative, prepare, rest, steps};
use rules::{Key, Label, Play, Procedure, Sealing, Seat, WindowKind};

/// Resolves a window, up to the next one in which a player is asked.
pub(super) fn round(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let asked = state.asked();
    let order = if state.stage == WindowStage::Rest {
        rest::in_order(state)
    } else {
        asked.seats().collect()
    };
    for seat in order {
        if asked[seat] {
            referee.turn(state, seat)?;
        }
    }
    match state.stage {
        WindowStage::Decks => prepare::deal(state, referee),
        WindowStage::Prepare => begin_frame(state, referee),
        WindowStage::Step { second } => steps::close(state, second, referee),
        WindowStage::Response { second } => steps::resolve(state, second, referee),
        WindowStage::Rest => {
            referee.cite("W8.2");
            referee.cite("W8.4");
            rest::adjust_late(state, referee);
            begin_frame(state, referee);
        }
        WindowStage::Over => {}
    }
    Ok(())
}

fn begin_frame(state: &mut State, referee: &mut Referee<'_>) {
    initiative::begin(state, referee);
    steps::open(state, false, referee);
}

/// Asks a seat for its declaration in the open window.
pub(super) fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    match state.stage {
        WindowStage::Decks => decks::choose(state, seat, referee),
        WindowStage::Rest => rest::rest(state, seat, referee),
        _ if referee.is_skipped(seat) || !state.asked()[seat] => Ok(()),
        WindowStage::Prepare => prepare::prepare(state, seat, referee),
        WindowStage::Step { .. } => steps::declare(state, seat, referee),
        WindowStage::Response { .. } => steps::respond(state, seat, referee),
        WindowStage::Over => Ok(()),
    }
}

/// Shuffles the decks, whose order nobody knows.
pub(super) fn reshuffle(state: &mut State, referee: &mut Referee<'_>) {
    for seat in state.characters.seats() {
        let deck = &mut state.characters[seat].deck;
        referee.shuffle(&Label::of(seat, Key::new("deck", "order")), deck);
    }
}

/// W9: the clauses of the procedure.
pub(super) fn procedure(state: &State) -> Procedure {
    let kind = match state.stage {
        WindowStage::Decks | WindowStage::Prepare => WindowKind::Setup,
        WindowStage::Response { .. } => WindowKind::Reaction,
        WindowStage::Step { .. } | WindowStage::Rest | WindowStage::Over => WindowKind::Turn,
    };
    Procedure {
        kind,
        missing: "W9.1",
        closes_early: true,
        asks_people: true,
        // W5.1
        sealing: Sealing::Hidden,
        skips_missing: false,
        left_out: "W9.2",
        payment: "W9.2",
        fault: Some("W9.4"),
        returned: "W9.3",
        duty: if state.stage == WindowStage::Decks { "W3.4" } else { "W8.3" },
        ordered: "W9.5",
        in_reserve: "W9.5",
        ruling: "W9.6",
        sealed: "W5.1",
        times: "W8.4",
        text: "W9.5",
    }
}
