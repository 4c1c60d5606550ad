//! P5.4 to P6.4: the aftermath of a shot: TORTURER, GRENADE, FLASH BANG, THE CHEFISH's pick-up, UNDERTAKER,
//! DOCTOR, and the deaths.

use super::cards::{Card, Life};
use super::chain::{
    ChainStep, ChoiceKind, DamageHit, DamageUnit, Decoyed, Effect, Harm, Lost, Pause, Shot,
};
use super::damage::lose_life;
use super::hands::{beauty_takes, discard, money_of, pick_up, reacts, throw};
use super::happening::Happening;
use super::looks;
use super::options::UndertakerAfterDoctor;
use super::state::{Referee, State};
use rules::Seat;

/// A part of the harm that the shot in the current act has done.
fn harm<T>(state: &State, of: impl Fn(&Harm) -> Vec<T>) -> Vec<T> {
    state.chain.as_ref().map(|chain| of(&chain.harm)).unwrap_or_default()
}

/// P5.4: a player who has dealt damage looks at two cards of the victim, and discards one of them.
pub(super) fn torture(state: &mut State, by: Seat, referee: &mut Referee<'_>) -> Pause {
    let hits = harm(state, |harm| harm.hits.clone());
    let hit = hits.iter().find(|hit| hit.by == by && hit.on != by);
    let player = &state.players[by];
    let is_used =
        player.answers.uses(Card::Torturer) && player.holds(Card::Torturer) && reacts(state, by);
    let Some(DamageHit { on, .. }) = hit.copied().filter(|_| is_used) else { return Pause::GoesOn };
    referee.cite("P5.4");
    referee.tell(Happening::Reacted { seat: by, card: Card::Torturer, on: Some(on) });
    if beauty_takes(state, by, Card::Torturer, referee) {
        return Pause::GoesOn;
    }
    let seen = looks::peek(state, by, on, 2, referee);
    if seen.iter().any(|card| card.is_life()) {
        // A life is seen, but cannot be discarded.
        referee.cite("P5.5");
        referee.cite("P9.12");
    }
    looks::ask(state, by, on, ChoiceKind::Torture, seen, referee)
}

/// Resolves GRENADE and FLASH BANG of the players hit, in turn order from the cause (P4.5).
pub(super) fn blast(state: &mut State, referee: &mut Referee<'_>) {
    let hits = harm(state, |harm| harm.hits.clone());
    let Some(cause) = state.chain.as_ref().map(|chain| chain.cause) else { return };
    if hits.is_empty() {
        // Neither is usable if HERO has cancelled all damage.
        referee.cite("P9.13");
    }
    for seat in state.from(cause) {
        let Some(hit) = hits.iter().find(|hit| hit.on == seat) else { continue };
        let answers = &state.players[seat].answers;
        let (grenade, flash_bang) = (answers.uses(Card::Grenade), answers.uses(Card::FlashBang));
        if !reacts(state, seat) {
            continue;
        }
        if flash_bang && discard(state, seat, Card::FlashBang) {
            cut_turn(state, seat, referee);
        }
        if grenade && discard(state, seat, Card::Grenade) {
            return throw_grenade(state, seat, hit.by, referee);
        }
    }
}

/// P4.5, P7.5: kill 1 on every player, the user too, in turn order from the origin.
fn throw_grenade(state: &mut State, seat: Seat, origin: Seat, referee: &mut Referee<'_>) {
    for clause in ["P4.1", "P4.2", "P4.3", "P4.5", "P7.5", "P9.12"] {
        referee.cite(clause);
    }
    referee.tell(Happening::Reacted { seat, card: Card::Grenade, on: None });
    let unit = |on| DamageUnit {
        by: seat,
        on,
        effect: Effect::Kill,
        count: 1,
        card: Card::Grenade,
        number: None,
    };
    let living = state.living_from(origin);
    let units = living.into_iter().map(|on| ChainStep::Damage(unit(on)));
    let after = [ChainStep::Torture { by: seat }, ChainStep::Blast];
    let steps: Vec<ChainStep> = units.chain(after).collect();
    if let Some(chain) = &mut state.chain {
        chain.cause = seat;
        chain.put_first(steps);
    }
}

/// P9.13: FLASH BANG finishes this chain and ends the turn.
fn cut_turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("P9.13");
    referee.tell(Happening::Reacted { seat, card: Card::FlashBang, on: None });
    referee.tell(Happening::TurnCut { seat: state.active });
    state.turn.is_ended = true;
    if stop_shots(state) {
        referee.cite("P9.14");
    }
}

/// Removes the unfired shots, whose bullets stay in the hand. True if there were any.
fn stop_shots(state: &mut State) -> bool {
    let Some(chain) = &mut state.chain else { return false };
    let all = chain.queue.len();
    chain.queue.retain(|step| !matches!(step, ChainStep::Shot(_)));
    chain.queue.len() < all
}

/// P6.4: THE CHEFISH's user picks up a MONEY CARD if a decoy was made.
pub(super) fn cook(state: &mut State, referee: &mut Referee<'_>) {
    let Some(chain) = &state.chain else { return };
    let by = chain.act.by;
    if chain.act.card != Some(Card::TheChefish) {
        return;
    }
    referee.cite("P6.4");
    if chain.harm.decoys.is_empty() {
        return;
    }
    let money = money_of(&state.field, state.players[by].answers.money);
    let cards: Vec<Card> = money.into_iter().filter(|card| pick_up(state, by, *card)).collect();
    referee.tell(Happening::PickedUp { seat: by, card: Card::TheChefish, cards });
}

/// P6.1 to P6.3: resolves UNDERTAKER and DOCTOR, in turn order from the turn player.
pub(super) fn bury(state: &mut State, referee: &mut Referee<'_>) {
    let decoys = harm(state, |harm| harm.decoys.clone());
    let dead = harm(state, |harm| harm.lost.clone());
    if decoys.is_empty() && dead.is_empty() {
        return;
    }
    if decoys.is_empty() {
        referee.cite("P6.2");
    }
    // UNDERTAKER takes from the field as of the declaration.
    referee.cite("P6.3");
    let field = state.field.clone();
    let picks = state.options.undertaker_after_doctor == UndertakerAfterDoctor::Picks;
    let mut waits = None;
    for seat in state.from(state.active) {
        if is_burying(state, seat) && !bury_with(state, seat, &field, !picks, referee) {
            waits = Some(seat);
        }
        heal(state, seat, &decoys, referee);
    }
    if let Some(seat) = waits.filter(|_| picks) {
        let field = state.field.clone();
        bury_with(state, seat, &field, true, referee);
    }
}

/// True if the player uses UNDERTAKER now: its holder picks the moment (P6.1).
fn is_burying(state: &State, seat: Seat) -> bool {
    let player = &state.players[seat];
    let shot = state.chain.as_ref().map_or(1, |chain| chain.shot.max(1));
    player.answers.undertaker.is_some()
        && player.answers.undertaker_at <= shot
        && player.holds(Card::Undertaker)
        && player.may_use(Card::Undertaker)
        && reacts(state, seat)
}

/// True if UNDERTAKER has found its card, or this is the last look.
fn bury_with(
    state: &mut State,
    seat: Seat,
    field: &[Card],
    is_last: bool,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("P6.1");
    let money = money_of(field, state.players[seat].answers.undertaker);
    let card = Card::Undertaker;
    if money.is_none() {
        if is_last {
            referee.tell(Happening::CameToNothing { seat, card });
        }
        return false;
    }
    referee.tell(Happening::Reacted { seat, card, on: None });
    if beauty_takes(state, seat, card, referee) {
        return true;
    }
    state.players[seat].note_use(card);
    let cards: Vec<Card> = money.into_iter().filter(|money| pick_up(state, seat, *money)).collect();
    referee.tell(Happening::PickedUp { seat, card, cards });
    true
}

/// P6.2: DOCTOR exchanges a MONEY CARD of the hand for the card that was the decoy. Its user may name one of
/// several decoys (P9.12).
fn heal(state: &mut State, seat: Seat, decoys: &[Decoyed], referee: &mut Referee<'_>) {
    let player = &state.players[seat];
    let money: Vec<Card> = player.cards().filter(|card| card.is_money()).collect();
    let card = Card::Doctor;
    let is_used = player.holds(card) && player.may_use(card) && reacts(state, seat);
    let Some(first) = player.answers.doctor.filter(|_| is_used) else { return };
    let Some(paid) = money_of(&money, Some(first)) else { return };
    let named = player.answers.doctor_for;
    let is_meant = |decoyed: &&Decoyed| named.is_none_or(|card| decoyed.card == card);
    let is_there = |decoyed: &&Decoyed| state.field.contains(&decoyed.card);
    let Some(decoyed) = decoys.iter().filter(is_meant).find(is_there) else { return };
    referee.cite("P6.2");
    if named.is_some() {
        referee.cite("P9.12");
    }
    referee.tell(Happening::Reacted { seat, card, on: Some(decoyed.seat) });
    if beauty_takes(state, seat, card, referee) {
        return;
    }
    state.players[seat].note_use(card);
    discard(state, seat, paid);
    referee.tell(Happening::Discarded { seat, cards: vec![paid] });
    pick_up(state, seat, decoyed.card);
    referee.tell(Happening::PickedUp { seat, card, cards: vec![decoyed.card] });
}

/// P7.1: resolves the deaths of this shot, in turn order from the origin; GRAY follows BLACK.
pub(super) fn deaths(state: &mut State, referee: &mut Referee<'_>) {
    let Some(cause) = state.chain.as_ref().map(|chain| chain.act.by) else { return };
    follow(state, referee);
    let lost = harm(state, |harm| harm.lost.clone());
    for seat in state.from(cause) {
        if let Some(death) = lost.iter().find(|lost| lost.seat == seat) {
            die(state, *death, &lost, referee);
        }
    }
    if lost.iter().any(|lost| lost.seat == cause) {
        // The volley stops if the shooter dies, and THE ENDORSER fails (P6.6).
        if stop_shots(state) {
            referee.cite("P9.14");
        }
    }
    if let Some(chain) = &mut state.chain {
        chain.harm = Harm::default();
    }
}

/// P7.3: BLACK's death kills GRAY.
fn follow(state: &mut State, referee: &mut Referee<'_>) {
    let lost = harm(state, |harm| harm.lost.clone());
    let is_black = |lost: &Lost| state.players[lost.seat].lost == Some(Life::Black);
    let gray = |seat: &Seat| state.players[*seat].life() == Some(Life::Gray);
    let gray = state.players.seats().find(gray).filter(|_| lost.iter().any(is_black));
    if let Some(seat) = gray {
        referee.cite("P7.3");
        lose_life(state, seat, None, referee);
    }
}

fn die(state: &mut State, death: Lost, lost: &[Lost], referee: &mut Referee<'_>) {
    let Lost { seat, by } = death;
    let cards: Vec<Card> = state.players[seat].cards().collect();
    for card in &cards {
        discard(state, seat, *card);
    }
    let life = state.players[seat].lost;
    referee.tell(Happening::Died { seat, life, by, cards: cards.clone() });
    // No player earns a bonus for their own death, or while dying.
    referee.cite("P9.15");
    let killer = by.filter(|by| lost.iter().all(|lost| lost.seat != *by));
    if let Some(killer) = killer.filter(|_| !cards.is_empty()) {
        take_bonus(state, killer, &cards, referee);
    }
}

/// P9.8: takes the kill bonus: by the killer's list, or else by die.
fn take_bonus(state: &mut State, killer: Seat, cards: &[Card], referee: &mut Referee<'_>) {
    referee.cite("P9.8");
    let listed = state.players[killer].answers.bonus.iter().find(|card| cards.contains(card));
    let card = match listed {
        Some(card) => *card,
        None => cards[throw(state, killer, cards.len(), referee)],
    };
    pick_up(state, killer, card);
    referee.tell(Happening::GotBonus { seat: killer, card });
    let Some(chain) = &mut state.chain else { return };
    let is_volley = chain.act.card == Some(Card::Machinegun) && chain.act.by == killer;
    if let Some(on) = chain.act.more.filter(|_| is_volley && card.is_bullet()) {
        // P5.1: bullets won during a volley may be added to it.
        chain.act.shots.push(Shot { bullet: Some(card), on });
        let number = u8::try_from(chain.act.shots.len()).expect("there are few bullets");
        chain.queue.push_back(ChainStep::Shot(number));
    }
}
