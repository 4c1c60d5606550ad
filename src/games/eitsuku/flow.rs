//! E2: game flow. A round is one turn of each player, in turn order.

use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Referee, State};
use super::{action, end, scoring, scout, set, start};
use rules::{Play, Procedure, Sealing, Seat, WindowKind};

/// E2.1 to E2.3: resolves the declarations of all players in turn order.
pub(super) fn round(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    for clause in ["E2.1", "E2.3", "E2.5", "E2.6"] {
        referee.cite(clause);
    }
    referee.tell(Happening::TurnBegan { turn: state.turn });
    for seat in state.order.clone() {
        // E3.9: a player who has released is out.
        if state.is_active(seat) {
            referee.turn(state, seat)?;
        } else {
            referee.cite("E3.9");
        }
    }
    // E2.2: all players have released, or the last turn is over.
    if state.active().is_empty() || state.turn == EDITION.flow.turns {
        referee.cite("E2.2");
        state.over = true;
        scoring::tell(state, referee);
    } else {
        state.turn += 1;
    }
    Ok(())
}

/// E3: resolves the five phases of one player's turn.
pub(super) fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let exposure = start::start(state, seat, referee)?;
    action::action(state, seat, referee)?;
    let used = set::set(state, seat, referee)?;
    scout::scout(state, seat, used, referee)?;
    end::end(state, seat, referee)?;
    exposure.ask_in_advance(seat, referee);
    Ok(())
}

/// E4: the clauses of the procedure.
pub(super) fn procedure(state: &State) -> Procedure {
    Procedure {
        kind: WindowKind::Turn,
        missing: "E4.1",
        closes_early: state.options.early.is_on(),
        asks_people: true,
        sealing: Sealing::Open,
        skips_missing: state.options.skip.is_on(),
        left_out: "E4.2",
        payment: "E4.3",
        fault: Some("E4.4"),
        returned: "E4.5",
        duty: "E4.6",
        ordered: "E4.10",
        in_reserve: "E4.11",
        ruling: "E4.7",
        sealed: "E4.8",
        times: "E4.9",
        text: "E7",
    }
}
