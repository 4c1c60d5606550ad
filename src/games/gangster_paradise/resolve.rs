//! P4, P5.6: handling an act step by step.

use super::cards::Card;
use super::chain::{AnnouncedAct, Chain, ChainStep, Pause, Way};
use super::hands::{beauty_takes, discard, lose};
use super::happening::Happening;
use super::state::{Referee, State, WindowStage};
use super::{aftermath, damage, looks, trades, victory};

/// Handles the remaining steps of the act, until a player is asked, the game is won, or no step is left.
pub(super) fn run(state: &mut State, referee: &mut Referee<'_>) {
    while let Some(step) = state.chain.as_mut().and_then(|chain| chain.queue.pop_front()) {
        if handle(state, step, referee) == Pause::Asks || state.stage == WindowStage::Won {
            break;
        }
    }
    let is_done = state.chain.as_ref().is_some_and(|chain| chain.queue.is_empty());
    if state.stage == WindowStage::Won || is_done && !matches!(state.stage, WindowStage::Choice(_))
    {
        finish(state, referee);
    }
}

/// Applies the part of an act that its player can foresee: cards are spent, bullets are fired, and nobody is
/// hit.
pub(super) fn foresee(state: &mut State, referee: &mut Referee<'_>) {
    while let Some(step) = state.chain.as_mut().and_then(|chain| chain.queue.pop_front()) {
        if matches!(step, ChainStep::Use | ChainStep::Shot(_) | ChainStep::Field) {
            handle(state, step, referee);
        }
    }
    state.chain = None;
}

/// Ends the act.
fn finish(state: &mut State, referee: &mut Referee<'_>) {
    let Some(chain) = state.chain.take() else { return };
    if state.stage == WindowStage::Won || victory::check(state, referee) {
        return;
    }
    state.turn.is_ended |= chain.act.end;
    state.stage = WindowStage::Turn;
}

fn handle(state: &mut State, step: ChainStep, referee: &mut Referee<'_>) -> Pause {
    match step {
        ChainStep::Use => use_card(state, referee),
        ChainStep::Shot(number) => damage::fire(state, number, referee),
        ChainStep::Damage(unit) => return damage::handle(state, unit, referee),
        ChainStep::Torture { by } => return aftermath::torture(state, by, referee),
        ChainStep::Blast => aftermath::blast(state, referee),
        ChainStep::Cook => aftermath::cook(state, referee),
        ChainStep::Bury => aftermath::bury(state, referee),
        ChainStep::Deaths => aftermath::deaths(state, referee),
        ChainStep::Check => {
            victory::check(state, referee);
        }
        ChainStep::Look { count } => return looks::look(state, count, referee),
        ChainStep::Steal { count } => return looks::steal(state, count, referee),
        ChainStep::Field => looks::work_on_field(state, referee),
        ChainStep::Alcohol => trades::alcohol(state, referee),
        ChainStep::Trick { seat, card } => return trades::trick(state, seat, card, referee),
        ChainStep::Swap => trades::swap(state, referee),
    }
    Pause::GoesOn
}

/// Uses the card unless another player takes it: it stays in the hand, is spent or lies in front (P0), and
/// its steps follow.
fn use_card(state: &mut State, referee: &mut Referee<'_>) {
    let Some(act) = state.chain.as_ref().map(|chain| chain.act.clone()) else { return };
    let Some(card) = act.card else {
        let steps = trades::steps(state, &act);
        put_first(state, steps);
        return;
    };
    if is_taken(state, &act, card, referee) {
        return;
    }
    referee.cite("P1.1");
    let player = &mut state.players[act.by];
    player.note_use(card);
    if is_spent(card) {
        discard(state, act.by, card);
        referee.tell(Happening::Spent { seat: act.by, card });
    } else if card == Card::TheEndorser {
        // P9.18: the card is laid down before its own instant death.
        referee.cite("P9.18");
        lose(state, act.by, card);
        state.players[act.by].front.push(card);
        referee.tell(Happening::LaidBefore { seat: act.by, card });
    }
    put_first(state, steps(&act, card));
}

/// Puts steps in front of the queue.
pub(super) fn put_first(state: &mut State, steps: Vec<ChainStep>) {
    if let Some(chain) = &mut state.chain {
        chain.put_first(steps);
    }
}

/// True if the card in use is taken: by BEAUTY, who answers the use, or then by TRICKSTER, who answers its
/// peek.
fn is_taken(state: &mut State, act: &AnnouncedAct, card: Card, referee: &mut Referee<'_>) -> bool {
    beauty_takes(state, act.by, card, referee) || looks::is_tricked(state, act, card, referee)
}

/// 使い捨て
fn is_spent(card: Card) -> bool {
    use Card::{Journalist, Killer, Phantom, Police, Snatcher, Spy};
    matches!(card, Spy | Police | Snatcher | Journalist | Killer | Phantom)
}

/// The steps of a card used in its user's turn.
fn steps(act: &AnnouncedAct, card: Card) -> Vec<ChainStep> {
    let tail = [ChainStep::Bury, ChainStep::Deaths, ChainStep::Check];
    let with_tail = |step| std::iter::once(step).chain(tail).collect();
    let look = |count| with_tail(ChainStep::Look { count });
    match card {
        Card::Spy => look(if act.way == Some(Way::Take) { 2 } else { 3 }),
        Card::Police => look(3),
        Card::Journalist | Card::Detective => look(2),
        Card::SniperRifle if act.shots.is_empty() => look(2),
        Card::Snatcher | Card::Stealer => vec![ChainStep::Steal { count: 1 }],
        Card::Phantom | Card::Negotiator => vec![ChainStep::Steal { count: 2 }],
        Card::Hustler | Card::Gunsmith | Card::TheDon => vec![ChainStep::Field],
        _ => (1..).zip(&act.shots).map(|(number, _)| ChainStep::Shot(number)).collect(),
    }
}

/// Announces an act, and starts its chain.
pub(super) fn announce(state: &mut State, act: AnnouncedAct, referee: &mut Referee<'_>) {
    referee.tell(Happening::Announced { seat: act.by, act: act.clone() });
    state.chain = Some(Chain::of(act));
}
