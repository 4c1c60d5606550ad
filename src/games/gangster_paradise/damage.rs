//! P5: shots, damage effects, and HERO.

use super::cards::{Card, Category, Life};
use super::chain::{
    AnnouncedAct, ChainStep, ChoiceKind, DamageHit, DamageUnit, Decoyed, Decoys, Effect, Lost,
    Ordinal, Pause, PrivateChoice, Shot, Way,
};
use super::edition::EDITION;
use super::hands::{beauty_takes, discard, lose, random, reacting_holder};
use super::happening::Happening;
use super::state::{Referee, State, WindowStage};
use rules::Seat;

/// P5.1: the damage effects of one shot.
pub(super) fn units(state: &State, act: &AnnouncedAct, shot: Shot) -> Vec<DamageUnit> {
    let Some(card) = act.card else { return Vec::new() };
    let unit = |effect, count, card| DamageUnit {
        by: act.by,
        on: shot.on,
        effect,
        count,
        card,
        number: None,
    };
    let (kill, count) = match card {
        Card::Magnum => (Effect::InstantDeath, 1),
        Card::RocketLauncher => (Effect::InstantDeath, 3),
        Card::TheEndorser => (Effect::InstantDeath, if shot.on == act.by { 1 } else { 2 }),
        Card::AssaultRifle if act.way == Some(Way::Discard) => (Effect::Discard, 2),
        Card::SniperRifle => (Effect::Kill, 2),
        Card::Killer => (Effect::Kill, kills(state, act.by)),
        _ => (Effect::Kill, 1),
    };
    let mut units = vec![unit(kill, count, card)];
    if card == Card::Shotgun && state.are_neighbours(act.by, shot.on) {
        units.push(unit(Effect::Discard, 1, card));
    }
    match shot.bullet {
        Some(bullet @ Card::ApBullet) => units.push(unit(Effect::Discard, 1, bullet)),
        Some(bullet @ Card::DumdumBullet) => units.push(unit(Effect::Discard, 2, bullet)),
        _ => {}
    }
    units
}

/// P5.2: the number of KILLER's kills.
fn kills(state: &State, by: Seat) -> u8 {
    let player = &state.players[by];
    let is_black = player.revealed && player.is_alive() && player.life() == Some(Life::Black);
    if is_black { EDITION.effect.kills_of_black } else { EDITION.effect.kills }
}

/// The damage effects of an act by their numbers, which are public (P5.1).
pub(super) fn effects(state: &State, act: &AnnouncedAct) -> Vec<(Ordinal, DamageUnit)> {
    let units = act.shots.iter().flat_map(|shot| units(state, act, *shot));
    Ordinal::all().zip(units).collect()
}

/// The most damage effects that an act can have: every bullet shot in one volley (P9.14).
pub(super) fn most_effects() -> Vec<Ordinal> {
    let adds = |card: &Card| matches!(card, Card::ApBullet | Card::DumdumBullet);
    let added = bullets().filter(adds).count();
    Ordinal::all().take(bullets().count() + added).collect()
}

/// Every bullet in the game (P1.1).
pub(super) fn bullets() -> impl Iterator<Item = Card> {
    let kinds = Card::ALL.iter().copied().filter(|card| card.is_bullet());
    kinds.flat_map(|card| std::iter::repeat_n(card, card.printed().copies))
}

/// P5.6, P9.14: spends a bullet, and queues its effects. A bullet for a dead player stays in the hand.
pub(super) fn fire(state: &mut State, number: u8, referee: &mut Referee<'_>) {
    let Some(act) = state.chain.as_ref().map(|chain| chain.act.clone()) else { return };
    let place = usize::from(number) - 1;
    let Some(&shot) = act.shots.get(place) else { return };
    if !state.players[shot.on].is_alive() {
        referee.cite("P9.14");
        return;
    }
    if let Some(card) = shot.bullet {
        if !discard(state, act.by, card) {
            return;
        }
        state.turn.has_shot |= card.is_bullet();
        referee.tell(Happening::Spent { seat: act.by, card });
    }
    referee.cite("P5.1");
    referee.cite("P5.6");
    if act.card == Some(Card::TheEndorser) {
        referee.cite("P6.6");
    }
    let is_any_dead = state.players.iter().any(|(_, player)| !player.is_alive());
    if act.card == Some(Card::Shotgun) && is_any_dead {
        // Neighbours are determined without the dead.
        referee.cite("P7.5");
        referee.cite("P9.18");
    }
    // An unfired shot keeps its numbers.
    let before: usize = act.shots[..place].iter().map(|shot| units(state, &act, *shot).len()).sum();
    let numbers = Ordinal::all().skip(before);
    let units = units(state, &act, shot).into_iter().zip(numbers);
    let units = units.map(|(unit, number)| DamageUnit { number: Some(number), ..unit });
    let units: Vec<DamageUnit> = units.collect();
    let Some(chain) = &mut state.chain else { return };
    chain.shot = number;
    let after = [
        ChainStep::Torture { by: act.by },
        ChainStep::Blast,
        ChainStep::Cook,
        ChainStep::Bury,
        ChainStep::Deaths,
        ChainStep::Check,
    ];
    chain.put_first(units.into_iter().map(ChainStep::Damage).chain(after).collect::<Vec<_>>());
}

/// Handles one damage effect: first HERO, then the effect.
pub(super) fn handle(state: &mut State, unit: DamageUnit, referee: &mut Referee<'_>) -> Pause {
    if unit.card == Card::DumdumBullet {
        // The hand is counted as the effect begins.
        referee.cite("P9.12");
        if state.players[unit.on].hand.len() < EDITION.effect.many_cards {
            return Pause::GoesOn;
        }
    }
    if unit.effect == Effect::Kill && !state.players[unit.on].is_alive() {
        return Pause::GoesOn;
    }
    if is_cancelled(state, unit, referee) {
        return Pause::GoesOn;
    }
    referee.cite("P5.2");
    if unit.effect != Effect::Discard || discardable(state, unit.on) > 0 {
        let DamageUnit { by, on, .. } = unit;
        if let Some(chain) = &mut state.chain {
            chain.harm.hits.push(DamageHit { by, on });
        }
    }
    match unit.effect {
        Effect::Kill => kill(state, unit, referee),
        Effect::InstantDeath => kill_at_once(state, unit, referee),
        Effect::Discard => return make_discard(state, unit.on, unit.count, referee),
    }
    Pause::GoesOn
}

/// P5.3: true if HERO cancels a damage effect of a weapon. If BEAUTY takes HERO, the use is not completed,
/// and the new holder can use HERO on the same effect.
fn is_cancelled(state: &mut State, unit: DamageUnit, referee: &mut Referee<'_>) -> bool {
    if !unit.card.is_of(Category::Weapon) {
        referee.cite("P5.3");
        return false;
    }
    while let Some(seat) = reacting_holder(state, Card::Hero) {
        let answers = &state.players[seat].answers;
        let is_meant = match unit.number {
            Some(number) => answers.hero.contains(&number),
            None => answers.shield.contains(&unit.on),
        };
        if !is_meant || !state.players[seat].may_use(Card::Hero) {
            return false;
        }
        referee.cite("P5.3");
        referee.tell(Happening::Reacted { seat, card: Card::Hero, on: Some(unit.on) });
        if beauty_takes(state, seat, Card::Hero, referee) {
            continue;
        }
        state.players[seat].note_use(Card::Hero);
        referee.tell(Happening::Cancelled { seat, effect: unit.effect, count: unit.count });
        if !state.players[seat].may_use(Card::Hero) {
            discard(state, seat, Card::Hero);
            referee.tell(Happening::Spent { seat, card: Card::Hero });
        }
        return true;
    }
    false
}

/// 殺害: takes a decoy or the life this many times. Kills left after a lost life lapse (P9.12).
fn kill(state: &mut State, unit: DamageUnit, referee: &mut Referee<'_>) {
    for _ in 0..unit.count {
        let Some(card) = decoy(state, unit.on) else {
            referee.cite("P9.12");
            return lose_life(state, unit.on, Some(unit.by), referee);
        };
        referee.cite("P3.4");
        discard(state, unit.on, card);
        referee.tell(Happening::MadeDecoy { seat: unit.on, card });
        if let Some(chain) = &mut state.chain {
            chain.harm.decoys.push(Decoyed { seat: unit.on, card });
        }
    }
}

/// P3.4: the card that is discarded in place of the life; `None` if the life is lost.
fn decoy(state: &State, seat: Seat) -> Option<Card> {
    let player = &state.players[seat];
    let order = match player.answers.decoys {
        Decoys::GangsterFirst => [Card::Gangster, Card::Vanguard],
        Decoys::VanguardFirst => [Card::Vanguard, Card::Gangster],
        Decoys::NoDecoy => return None,
    };
    order.into_iter().find(|card| player.holds(*card))
}

/// Takes the life and lays it face up; the deaths are handled later (P5.6).
pub(super) fn lose_life(
    state: &mut State,
    seat: Seat,
    by: Option<Seat>,
    referee: &mut Referee<'_>,
) {
    let player = &mut state.players[seat];
    if !player.is_alive() {
        return;
    }
    let life = player.cards().find_map(Card::life);
    let Some(life) = life else { return };
    player.lost = Some(life);
    lose(state, seat, life.card());
    referee.cite("P7.1");
    referee.tell(Happening::LostLife { seat });
    if let Some(chain) = &mut state.chain {
        chain.harm.lost.push(Lost { seat, by });
    }
}

/// 即死: discards random cards, with no decoy; the life may be among them.
fn kill_at_once(state: &mut State, unit: DamageUnit, referee: &mut Referee<'_>) {
    let drawn = random(state, unit.on, unit.count.into(), |_| true, referee);
    let (lives, cards): (Vec<Card>, Vec<Card>) = drawn.into_iter().partition(|card| card.is_life());
    for card in &cards {
        discard(state, unit.on, *card);
    }
    if !cards.is_empty() {
        referee.tell(Happening::Discarded { seat: unit.on, cards });
    }
    if !lives.is_empty() {
        lose_life(state, unit.on, None, referee);
    }
}

/// The number of cards that can be discarded: all but the life (P5.5).
fn discardable(state: &State, seat: Seat) -> usize {
    state.players[seat].count(|card| !card.is_life())
}

/// 捨札: asks the player for cards, but never the life (P5.5). Nothing is asked if all cards go.
fn make_discard(state: &mut State, on: Seat, count: u8, referee: &mut Referee<'_>) -> Pause {
    referee.cite("P5.5");
    if discardable(state, on) > count.into() {
        let what = ChoiceKind::Discard;
        let choice = PrivateChoice { of: on, on, what, count, seen: Vec::new() };
        state.stage = WindowStage::Choice(choice);
        referee.cite("P3.4");
        referee.tell(Happening::IsToChoose { seat: on, what });
        return Pause::Asks;
    }
    let cards: Vec<Card> = state.players[on].cards().filter(|card| !card.is_life()).collect();
    for card in &cards {
        discard(state, on, *card);
    }
    if !cards.is_empty() {
        referee.tell(Happening::Discarded { seat: on, cards });
    }
    Pause::GoesOn
}
