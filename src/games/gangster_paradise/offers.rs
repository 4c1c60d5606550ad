//! P3.5: trades as they are proposed and answered; P9.4: requests for consent.

use super::cards::Card;
use super::chain::{AnnouncedAct, TRICKS, Trade};
use super::edition::EDITION;
use super::hands::{draw, pass};
use super::happening::Happening;
use super::resolve;
use super::state::{Proposal, Referee, Request, State, WindowStage, ask_openly as ask};
use rules::{Play, Seat};

/// P3.5: true if one more trade can be proposed in this turn.
pub(super) fn may_propose(state: &State) -> bool {
    !state.turn.no_trades && state.turn.proposed < EDITION.turn.proposals
}

/// The index of the unanswered proposal to a seat; `None` if there is none.
pub(super) fn proposal_to(state: &State, seat: Seat) -> Option<usize> {
    if state.stage != WindowStage::Turn {
        return None;
    }
    state.turn.proposals.iter().position(|proposal| proposal.trade.partner == seat)
}

/// The cards of a hand that can be given: all but the life (P9.2).
fn giveable(state: &State, seat: Seat) -> Vec<Card> {
    state.players[seat].cards().filter(|card| !card.is_life()).collect()
}

/// The fitting cards that a hand has or may have: if part of the hand is unknown, any fitting card.
fn perhaps_held(state: &State, seat: Seat, is_it: impl Fn(Card) -> bool) -> Vec<Card> {
    let player = &state.players[seat];
    let known = player.cards().filter(|card| is_it(*card));
    let others = Card::ALL.iter().copied().filter(|card| player.unknown() > 0 && is_it(*card));
    known.chain(others).collect()
}

/// True if a seat may have the cards that a proposal asks for, as far as its hand is known.
pub(super) fn may_accept(state: &State, seat: Seat) -> bool {
    let Some(place) = proposal_to(state, seat) else { return false };
    let has = giveable(state, seat).len() + state.players[seat].unknown();
    usize::from(state.turn.proposals[place].wants) <= has
}

/// P3.5: asks for the partner, the cards to give, and the number of cards wanted.
pub(super) fn propose(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let is_free = |other: &Seat| proposal_to(state, *other).is_none();
    let others: Vec<Seat> = state.from(seat).into_iter().skip(1).filter(is_free).collect();
    let Some(on) = referee.choose(seat, &ask("on", "P3.5"), &others)? else { return Ok(()) };
    let cards = giveable(state, seat);
    let gives = ask("cards", "P3.5").or_nothing();
    let cards = referee.pick(seat, &gives, &cards, cards.len(), cards.len())?;
    // A trade must move at least one card.
    let least = i64::from(cards.is_empty());
    let held = i64::try_from(state.players[on].hand.len()).unwrap_or(least);
    let Some(wants) = referee.number(seat, &ask("wants", "P3.5"), least, held.max(least))? else {
        return Ok(());
    };
    let held = |card: &Card| state.players[seat].holds(*card);
    let decoys: Vec<Card> = [Card::Gangster, Card::Vanguard].into_iter().filter(held).collect();
    // The reaction window asks the others only.
    let mut answers = state.players[seat].answers.clone();
    if !decoys.is_empty() {
        let against = ask("decoy", "P6.5").or_nothing();
        answers.against_alcohol = referee.choose(seat, &against, &decoys)?;
    }
    let tricks: Vec<Card> = TRICKS.into_iter().filter(held).collect();
    answers.uses.retain(|used| !TRICKS.contains(used));
    if !tricks.is_empty() {
        let ask = ask("tricks", "P6.5").or_nothing();
        let picked = referee.pick(seat, &ask, &tricks, tricks.len(), tricks.len())?;
        if picked.len() > 1 {
            referee.cite("P9.16");
        }
        answers.uses.extend(picked);
    }
    referee.cite("P3.5");
    let wants = u8::try_from(wants).unwrap_or(0);
    let gives: Vec<Option<Card>> = cards.iter().copied().map(Some).collect();
    let trade = Trade { partner: on, gives: gives.clone(), gets: Vec::new() };
    state.turn.proposals.push(Proposal { trade, wants, answers });
    state.turn.proposed += 1;
    referee.tell(Happening::Proposed { seat, on, cards: gives, wants });
    Ok(())
}

/// P3.5: withdraws a proposal of the turn player's.
pub(super) fn withdraw(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let partners: Vec<Seat> =
        state.turn.proposals.iter().map(|proposal| proposal.trade.partner).collect();
    let Some(on) = referee.choose(seat, &ask("on", "P3.5"), &partners)? else { return Ok(()) };
    drop_proposal(state, on, referee);
    Ok(())
}

/// P3.5: declines the proposal to this partner.
pub(super) fn decline(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    drop_proposal(state, seat, referee);
}

fn drop_proposal(state: &mut State, on: Seat, referee: &mut Referee<'_>) {
    if let Some(place) = proposal_to(state, on) {
        state.turn.proposals.remove(place);
        referee.cite("P3.5");
        referee.tell(Happening::Declined { seat: state.active, on });
    }
}

/// P3.5: declines all proposals and requests unanswered at the close of the window.
pub(super) fn lapse(state: &mut State, referee: &mut Referee<'_>) {
    for proposal in std::mem::take(&mut state.turn.proposals) {
        referee.cite("P3.5");
        let on = proposal.trade.partner;
        referee.tell(Happening::Declined { seat: state.active, on });
    }
    if let Some(request) = state.turn.request.take() {
        referee.cite("P9.4");
        referee.tell(Happening::Answered { seat: request.on, yes: false, paid: None });
    }
}

/// P3.5: accepts a proposal, with the partner's cards: the trade is settled, and the window closes for the
/// reactions. The proposal is dropped if the turn player can no longer keep it.
pub(super) fn accept(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let Some(place) = proposal_to(state, seat) else { return Ok(()) };
    let wants = usize::from(state.turn.proposals[place].wants);
    let mut gets = Vec::new();
    if wants > 0 {
        let cards = perhaps_held(state, seat, |card| !card.is_life());
        let picked = referee.pick(seat, &ask("cards", "P3.5"), &cards, cards.len(), wants)?;
        if picked.len() < wants {
            return Ok(());
        }
        gets = picked.iter().copied().map(Some).collect();
    }
    let Proposal { mut trade, answers, .. } = state.turn.proposals.remove(place);
    referee.cite("P3.5");
    if state.turn.actions == 0 || !holds_promised(state, &trade) {
        referee.tell(Happening::CouldNotKeep { seat: state.active, on: seat });
        return Ok(());
    }
    trade.gets = gets;
    state.turn.actions -= 1;
    state.turn.proposed = state.turn.proposed.saturating_sub(1);
    state.players[state.active].answers = answers;
    let act = AnnouncedAct { trade: Some(trade), ..AnnouncedAct::of(state.active, None) };
    resolve::announce(state, act, referee);
    state.stage = WindowStage::Settled;
    Ok(())
}

/// True if the turn player holds all promised cards. An unknown card of the hand may be any card.
fn holds_promised(state: &State, trade: &Trade) -> bool {
    let mut held = state.players[state.active].hand.clone();
    trade.gives.iter().all(|card| {
        let place = held.iter().position(|held| held == card);
        let place = place.or_else(|| held.iter().position(Option::is_none));
        place.map(|place| held.remove(place)).is_some()
    })
}

/// `None` if no consent is asked of this seat; otherwise the request to this seat.
pub(super) fn request_to(state: &State, seat: Seat) -> Option<Request> {
    state.turn.request.filter(|request| request.on == seat && state.stage == WindowStage::Turn)
}

/// P9.4: true if BARTENDER or CIGAR can ask anybody.
pub(super) fn may_request(state: &State, seat: Seat, card: Card) -> bool {
    state.turn.request.is_none() && !asked(state, seat, card).is_empty()
}

/// The players whom BARTENDER or CIGAR can ask.
fn asked(state: &State, seat: Seat, card: Card) -> Vec<Seat> {
    let others = state.from(seat).into_iter().skip(1);
    others.filter(|other| card != Card::Cigar || state.are_neighbours(seat, *other)).collect()
}

/// P9.4: asks a player for consent; the use is noted now.
pub(super) fn request(
    state: &mut State,
    seat: Seat,
    card: Card,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let asked = asked(state, seat, card);
    let Some(on) = referee.choose(seat, &ask("on", "P9.4"), &asked)? else { return Ok(()) };
    state.turn.request = Some(Request { card, on });
    state.players[seat].note_use(card);
    referee.tell(Happening::Requested { seat, on, card });
    Ok(())
}

/// True if a seat can consent, as far as its hand is known: for BARTENDER with a MONEY CARD, for CIGAR while
/// an action is left.
pub(super) fn may_consent(state: &State, seat: Seat) -> bool {
    request_to(state, seat).is_some_and(|request| match request.card {
        Card::Cigar => state.turn.actions > 0,
        _ => state.players[seat].count(Card::is_money) + state.players[seat].unknown() > 0,
    })
}

/// P9.4: gives consent: the turn player draws one card.
pub(super) fn consent(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let Some(request) = request_to(state, seat) else { return Ok(()) };
    let mut paid = None;
    if request.card == Card::Bartender {
        let mut money = perhaps_held(state, seat, Card::is_money);
        money.sort_unstable();
        money.dedup();
        paid = referee.choose(seat, &ask("money", "P9.4"), &money)?;
        let Some(card) = paid else { return Ok(()) };
        pass(state, seat, state.active, card);
    } else {
        state.turn.actions = state.turn.actions.saturating_sub(1);
    }
    state.turn.request = None;
    referee.cite("P9.4");
    referee.cite("P7.5");
    referee.tell(Happening::Answered { seat, yes: true, paid });
    draw(state, state.active, referee);
    Ok(())
}

/// P9.4: refuses consent.
pub(super) fn refuse(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    state.turn.request = None;
    referee.cite("P9.4");
    referee.tell(Happening::Answered { seat, yes: false, paid: None });
}
