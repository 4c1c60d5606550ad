//! P3.5, P6.5: answers to a settled trade, and the trade itself.

use super::cards::Card;
use super::chain::{AnnouncedAct, ChainStep, ChoiceKind, Pause, PrivateChoice, TRICKS, Trade};
use super::hands::{beauty_takes, discard, pass, pass_before, reacts};
use super::happening::Happening;
use super::state::{Referee, SeatList, State, WindowStage};
use rules::Seat;

/// P6.5: the steps of a trade: ALCOHOL, then TRICKSTER and PHANTOM of the turn player, the other party, and
/// the outsiders in turn order; then the swap.
pub(super) fn steps(state: &State, act: &AnnouncedAct) -> Vec<ChainStep> {
    let partner = act.trade.as_ref().map(|trade| trade.partner);
    let outsiders = state.from(act.by).into_iter().skip(1);
    let outsiders = outsiders.filter(|seat| Some(*seat) != partner);
    let order: SeatList = std::iter::once(act.by).chain(partner).chain(outsiders).collect();
    let tricks = order.into_iter().flat_map(|seat| {
        let used = state.players[seat].answers.uses.iter().filter(|card| TRICKS.contains(card));
        used.map(move |card| ChainStep::Trick { seat, card: *card })
    });
    let steps = std::iter::once(ChainStep::Alcohol).chain(tricks);
    steps.chain([ChainStep::Swap, ChainStep::Check]).collect()
}

/// The trade in the current chain.
fn trade(state: &mut State) -> Option<&mut Trade> {
    state.chain.as_mut()?.act.trade.as_mut()
}

/// True if a player has this card for use in the trade: not one that is traded itself.
fn has_beside(state: &State, seat: Seat, card: Card) -> bool {
    let trade = state.chain.as_ref().and_then(|chain| chain.act.trade.as_ref());
    let active = state.active;
    let is_traded = trade.is_some_and(|trade| {
        (seat == active || seat == trade.partner) && trade.given_by(seat).contains(&Some(card))
    });
    reacts(state, seat) && state.players[seat].holds(card) && !is_traded
}

/// P6.5: ALCOHOL stops the trade, unless the turn player discards a decoy.
pub(super) fn alcohol(state: &mut State, referee: &mut Referee<'_>) {
    let uses = |seat: &Seat| {
        *seat != state.active
            && state.players[*seat].answers.uses(Card::Alcohol)
            && has_beside(state, *seat, Card::Alcohol)
    };
    let Some(seat) = state.from(state.active).into_iter().find(uses) else { return };
    referee.cite("P6.5");
    discard(state, seat, Card::Alcohol);
    let on = Some(state.active);
    referee.tell(Happening::Reacted { seat, card: Card::Alcohol, on });
    if is_prevented(state, referee) {
        return;
    }
    referee.cite("P9.16");
    state.turn.no_trades = true;
    referee.tell(Happening::TradeStopped { seat: state.active });
    if let Some(chain) = &mut state.chain {
        chain.queue.retain(|step| *step == ChainStep::Check);
    }
}

/// True if the turn player discards a decoy against ALCOHOL: a promised one if there is no other; the trade
/// goes on without it.
fn is_prevented(state: &mut State, referee: &mut Referee<'_>) -> bool {
    let active = state.active;
    let player = &state.players[active];
    let Some(card) = player.answers.against_alcohol.filter(|card| player.holds(*card)) else {
        return false;
    };
    let held = player.count(|other| other == card);
    discard(state, active, card);
    referee.tell(Happening::MadeDecoy { seat: active, card });
    if let Some(trade) = trade(state) {
        let promised = trade.gives.iter().filter(|other| **other == Some(card)).count();
        let place = trade.gives.iter().position(|other| *other == Some(card));
        if let Some(place) = place.filter(|_| promised == held) {
            trade.gives.remove(place);
        }
    }
    true
}

/// P6.5: uses TRICKSTER or PHANTOM of one player. A card whose condition is no longer met counts as not used.
pub(super) fn trick(state: &mut State, seat: Seat, card: Card, referee: &mut Referee<'_>) -> Pause {
    let Some((active, partner)) = parties(state) else { return Pause::GoesOn };
    let is_usable = has_beside(state, seat, card);
    let Some(trade) = trade(state).filter(|_| is_usable) else { return Pause::GoesOn };
    if card == Card::Phantom {
        return if trade.is_large() { plunder(state, seat, referee) } else { Pause::GoesOn };
    }
    let is_party = seat == active || seat == partner;
    if is_party && !trade.given_by(seat).is_empty() {
        referee.cite("P6.5");
        let on = Some(if seat == active { partner } else { active });
        referee.tell(Happening::Reacted { seat, card, on });
        if !beauty_takes(state, seat, card, referee)
            && let Some(trade) = self::trade(state)
        {
            *trade.given_by_mut(seat) = vec![Some(card)];
        }
    }
    Pause::GoesOn
}

/// The turn player and the partner of the trade.
fn parties(state: &State) -> Option<(Seat, Seat)> {
    let act = &state.chain.as_ref()?.act;
    Some((act.by, act.trade.as_ref()?.partner))
}

/// Shows the traded cards to PHANTOM's user, who takes two of them.
fn plunder(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Pause {
    let Some((active, partner)) = parties(state) else { return Pause::GoesOn };
    referee.cite("P6.5");
    referee.tell(Happening::Reacted { seat, card: Card::Phantom, on: Some(active) });
    if beauty_takes(state, seat, Card::Phantom, referee) {
        return Pause::GoesOn;
    }
    discard(state, seat, Card::Phantom);
    let seen = trade(state).map(|trade| [&trade.gives[..], &trade.gets[..]].concat());
    let (what, seen) = (ChoiceKind::Plunder, seen.unwrap_or_default());
    referee.tell(Happening::IsToChoose { seat, what });
    state.stage =
        WindowStage::Choice(PrivateChoice { of: seat, on: partner, what, count: 2, seen });
    Pause::Asks
}

/// Moves PHANTOM's cards out of the trade, and out of the hands of its parties.
pub(super) fn take_of_trade(
    state: &mut State,
    seat: Seat,
    cards: &[Card],
    referee: &mut Referee<'_>,
) {
    let Some((active, partner)) = parties(state) else { return };
    for card in cards {
        let Some(trade) = trade(state) else { return };
        let is_it = |other: &Option<Card>| *other == Some(*card);
        let of_partner = !trade.gives.iter().any(is_it);
        let from = if of_partner { partner } else { active };
        let given = trade.given_by_mut(from);
        let Some(place) = given.iter().position(is_it) else { continue };
        given.remove(place);
        if from != seat {
            pass_before(state, from, seat, *card, &[active, partner]);
        }
    }
    referee.cite("P9.16");
    let cards = cards.iter().copied().map(Some).collect();
    referee.tell(Happening::Plundered { seat, on: partner, cards });
}

/// Swaps the cards.
pub(super) fn swap(state: &mut State, referee: &mut Referee<'_>) {
    let Some((active, partner)) = parties(state) else { return };
    let Some(Trade { gives, gets, .. }) = trade(state).cloned() else { return };
    for (from, to, cards) in [(active, partner, &gives), (partner, active, &gets)] {
        for card in cards.iter().flatten() {
            pass(state, from, to, *card);
        }
    }
    referee.cite("P3.5");
    referee.cite("P9.9");
    if !state.players[partner].is_alive() {
        // A dead partner may be given cards.
        referee.cite("P9.16");
    }
    referee.tell(Happening::Swapped { seat: active, on: partner, gives, gets });
}
