//! G6.12: proposals to use a specialist.

use arrayvec::ArrayVec;

use super::cards::Value;
use super::extra_cards::Specialist;
use super::happening::Happening;
use super::specialists;
use super::state::{PLAYERS, Proposal, Referee, State, WindowStage, ask_openly};
use rules::{Play, Seat};

/// The specialist that a proposal can use: in effect, and not used yet; `None` outside chip windows.
pub(super) fn usable(state: &State) -> Option<Specialist> {
    let in_chips = matches!(state.stage, WindowStage::Wishing { .. } | WindowStage::Taking);
    let hired = state.specialist.filter(|hired| in_chips && !hired.used);
    hired.map(|hired| hired.card).filter(|card| !card.acts_at_once())
}

/// True if the specialist in effect has already acted.
pub(super) fn is_used_up(state: &State) -> bool {
    let in_chips = matches!(state.stage, WindowStage::Wishing { .. } | WindowStage::Taking);
    in_chips && state.specialist.is_some_and(|hired| hired.used)
}

/// G6.12: asks for the user, and for the target or the value. The proposal is made only if all answers are
/// given.
pub(super) fn propose(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    // An interview asks these questions for a used specialist, too.
    let Some(card) = state.specialist.map(|hired| hired.card) else { return Ok(()) };
    let mut seats: ArrayVec<Seat, PLAYERS> = state.players.seats().collect();
    let Some(user) = referee.choose(seat, &ask_openly("user", "G6.12"), &seats)? else {
        return Ok(());
    };
    let (mut on, mut value) = (None, None);
    match card {
        Specialist::Informant => {
            seats.retain(|other| *other != user);
            on = referee.choose(seat, &ask_openly("on", "G6.1"), &seats)?;
            if on.is_none() {
                return Ok(());
            }
        }
        Specialist::Mastermind => {
            value = referee.choose(seat, &ask_openly("value", "G6.4"), Value::ALL)?;
            if value.is_none() {
                return Ok(());
            }
        }
        _ => {}
    }
    referee.cite("G6.12.2");
    let agreed = std::iter::once(seat).collect();
    state.proposal = Some(Proposal { by: seat, user, on, value, agreed });
    referee.tell(Happening::Proposed { seat, card, user, on, value });
    Ok(())
}

/// G6.12: records an agreement; the proposal takes effect once all players have agreed.
pub(super) fn agree(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let Some(proposal) = &mut state.proposal else { return };
    proposal.agreed.push(seat);
    let all = proposal.agreed.len() == state.players.count();
    referee.tell(Happening::Agreed { seat });
    if all {
        take_effect(state, true, referee);
    }
}

/// G6.12.1: refuses the proposal by one objection.
pub(super) fn object(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("G6.12.1");
    state.proposal = None;
    referee.tell(Happening::Objected { seat });
}

/// G6.12.2: withdraws the proposal.
pub(super) fn withdraw(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("G6.12.2");
    state.proposal = None;
    referee.tell(Happening::Withdrew { seat });
}

/// G6.12.1: at the close of a window, applies a proposal without objections.
pub(super) fn lapse(state: &mut State, referee: &mut Referee<'_>) {
    if state.proposal.is_some() {
        referee.cite("G6.12.1");
        take_effect(state, false, referee);
    }
}

fn take_effect(state: &mut State, agreed: bool, referee: &mut Referee<'_>) {
    let Some(Proposal { user, on, value, .. }) = state.proposal.take() else { return };
    let Some(hired) = &mut state.specialist else { return };
    (hired.used, hired.user, hired.on) = (true, Some(user), on);
    let card = hired.card;
    referee.cite("G6.12");
    referee.tell(Happening::Used { card, user, on, value, agreed });
    specialists::act(state, card, user, value, referee);
}

/// G6.12: puts an unused specialist away before the showdown.
pub(super) fn put_away(state: &mut State, referee: &mut Referee<'_>) {
    if let Some(card) = state.specialist.filter(|hired| !hired.used).map(|hired| hired.card) {
        referee.cite("G6.12");
        referee.tell(Happening::PutAway { card });
    }
}
