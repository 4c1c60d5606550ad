//! W7: the resolution of a step, clause by clause.

use super::deeds::{Action, Deed};
use super::edition::EDITION;
use super::effects::{Attack, Effect, Stat};
use super::forecast::{Forecast, Judgement, Verdict};
use super::happening::{Happening, PooledAttack};
use super::set::{Card, Scope};
use super::state::{Guild, Referee, SeatList, State};
use super::verbs::{self, Source};
use rules::Seat;

/// A character with its action in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doing {
    pub seat: Seat,
    pub action: Action,
}

/// The declared actions of a guild.
pub(super) fn plans(state: &State, guild: Guild) -> Vec<Doing> {
    let of = |seat: Seat| state.characters[seat].plan.map(|action| Doing { seat, action });
    state.members(guild).into_iter().filter_map(of).collect()
}

/// An attack in progress.
#[derive(Clone, Debug)]
pub(super) struct Blow {
    by: Seat,
    deed: Deed,
    /// W11.3: the power, in the units of ATK.
    power: i16,
    damage: u8,
    sure: bool,
    pierces: bool,
    hit: &'static [Effect],
}

/// An attack and the target that it was declared on.
#[derive(Clone, Debug)]
struct AimedBlow {
    blow: Blow,
    magic: bool,
    is_single: bool,
    on: Seat,
}

/// W7.2: the attacks of one kind on one target.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    pub on: Seat,
    magic: bool,
    blows: Vec<Blow>,
}

impl Pool {
    /// The effects that follow if the pool hits.
    pub(super) fn hits(&self) -> impl Iterator<Item = &'static Effect> {
        self.blows.iter().flat_map(|blow| blow.hit)
    }
}

/// Resolves a step: the declared actions, and the responses to them.
pub(super) fn step(
    state: &mut State,
    actions: &[Doing],
    responses: &[Doing],
    referee: &mut Referee<'_>,
) {
    referee.cite("W7.1");
    // W7.1: responses first, by seat, then the effects of the acting guild that are not attacks.
    let mut covers = Vec::new();
    for doing in responses.iter().chain(actions) {
        lend(state, *doing, &mut covers, referee);
    }
    let aimed = aimed(state, actions);
    // W7.2: a coverer who falls to the other attacks covers nobody from magic (W12.8).
    for magic in [false, true] {
        let (pools, averted) = pools(state, &aimed, &covers, magic);
        for (seat, on) in averted {
            referee.cite("W12.7");
            referee.tell(Happening::Averted { seat, on });
        }
        for pool in pools {
            if state.characters[pool.on].down {
                referee.cite("W13.5");
                for blow in &pool.blows {
                    referee.tell(Happening::Averted { seat: blow.by, on: pool.on });
                }
            } else {
                strike(state, &pool, referee);
            }
        }
    }
}

/// W12.8: the characters covered in this step, each with its coverer.
pub(super) type Covers = Vec<(Seat, Seat)>;

/// W7.1: applies the effects of an action that are not attacks.
fn lend(state: &mut State, doing: Doing, covers: &mut Covers, referee: &mut Referee<'_>) {
    let Deed::Card(card) = doing.action.deed else { return };
    let Some(usable) = card.usable() else { return };
    let source = Source { by: doing.seat, now: state.now() };
    for effect in usable.effects.iter().filter(|effect| effect.attack().is_none()) {
        for on in reached(state, doing, usable.scope) {
            if on == doing.seat && usable.scope == Scope::OneAlly {
                referee.cite("W11.8");
            }
            if *effect == Effect::Cover {
                covers.push((on, doing.seat));
            }
            verbs::apply(state, source, on, effect, referee);
        }
    }
}

/// The characters that an action reaches, without those that are down (W11.8).
pub(super) fn reached(state: &State, doing: Doing, scope: Scope) -> SeatList {
    let guild = Guild::of(doing.seat);
    let mut reached: SeatList = match scope {
        Scope::OneEnemy | Scope::OneAlly => doing.action.target.into_iter().collect(),
        Scope::Oneself => std::iter::once(doing.seat).collect(),
        Scope::Party => state.standing(guild),
        Scope::AllEnemies => state.standing(guild.other()),
    };
    reached.retain(|seat| !state.characters[*seat].down);
    reached
}

/// Returns the attacks of actions, each with its target.
fn aimed(state: &State, actions: &[Doing]) -> Vec<AimedBlow> {
    let mut aimed = Vec::new();
    for doing in actions {
        for (blow, magic, scope) in blows(state, *doing) {
            let is_single = scope.is_single();
            let on = reached(state, *doing, scope).into_iter();
            aimed.extend(on.map(|on| AimedBlow { blow: blow.clone(), magic, is_single, on }));
        }
    }
    aimed
}

/// W7.1, W7.2: the attacks with or without magic, pooled by target; and the averted attacks, each with its
/// target.
fn pools(
    state: &State,
    aimed: &[AimedBlow],
    covers: &Covers,
    magic: bool,
) -> (Vec<Pool>, Vec<(Seat, Seat)>) {
    let (mut pools, mut averted): (Vec<Pool>, _) = (Vec::new(), Vec::new());
    for AimedBlow { blow, is_single, on, .. } in aimed.iter().filter(|aimed| aimed.magic == magic) {
        let on = if *is_single { covered(state, *on, covers) } else { *on };
        // W12.7: an attack on several targets reaches a hidden character.
        if *is_single && state.is_hidden(on) {
            averted.push((blow.by, on));
            continue;
        }
        match pools.iter_mut().find(|pool| pool.on == on) {
            Some(pool) => pool.blows.push(blow.clone()),
            None => pools.push(Pool { on, magic, blows: vec![blow.clone()] }),
        }
    }
    pools.sort_by_key(|pool| pool.on);
    (pools, averted)
}

/// Returns all pools of these actions in the current state, by target, those without magic first: a forecast.
pub(super) fn foreseen_pools(state: &State, actions: &[Doing], covers: &Covers) -> Vec<Pool> {
    let aimed = aimed(state, actions);
    let mut all = [false, true].map(|magic| pools(state, &aimed, covers, magic).0).concat();
    all.sort_by_key(|pool| (pool.on, pool.magic));
    all
}

/// Returns the forecast of a step, with the responses that are drafted.
pub(super) fn foreseen(state: &State, guild: Guild, referee: &mut Referee<'_>) -> Vec<Forecast> {
    let mut after = state.clone();
    let response = |seat: Seat| state.characters[seat].sealed.map(|action| Doing { seat, action });
    let responses: Vec<Doing> =
        state.members(guild.other()).into_iter().filter_map(response).collect();
    let (actions, mut covers) = (plans(state, guild), Covers::new());
    for doing in responses.iter().chain(&actions) {
        lend(&mut after, *doing, &mut covers, referee);
    }
    forecasts(&after, &actions, &covers)
}

/// Returns the forecast of all pools of these actions in the current state.
pub(super) fn forecasts(state: &State, actions: &[Doing], covers: &Covers) -> Vec<Forecast> {
    let pools = foreseen_pools(state, actions, covers);
    let forecast = |pool: &Pool| {
        let Pool { on, magic, .. } = *pool;
        Forecast { on, magic, judged: judge(state, pool) }
    };
    pools.iter().map(forecast).collect()
}

/// W12.8: the character that an attack on a single target hits.
fn covered(state: &State, target: Seat, covers: &Covers) -> Seat {
    let by = covers.iter().rev().find(|(on, _)| *on == target).map(|(_, by)| *by);
    by.filter(|by| !state.characters[*by].down).unwrap_or(target)
}

/// The attacks of an action, each with true for magic, and its scope.
fn blows(state: &State, doing: Doing) -> Vec<(Blow, bool, Scope)> {
    let Doing { seat: by, action } = doing;
    match action.deed {
        Deed::Normal => vec![normal_attack(state, by)],
        Deed::Card(card) => {
            let Some(usable) = card.usable() else { return Vec::new() };
            let attacks = usable.effects.iter().filter_map(Effect::attack);
            let blow = |attack| (blow(state, by, card, attack), attack.is_magic(), usable.scope);
            attacks.map(blow).collect()
        }
    }
}

/// W5.4: a normal attack, with the value that the weapon names.
fn normal_attack(state: &State, by: Seat) -> (Blow, bool, Scope) {
    let weapon = state.characters[by].weapon().and_then(Card::equipment);
    let with = weapon.map_or(Stat::Atk, |weapon| weapon.normal);
    let blow = Blow {
        by,
        deed: Deed::Normal,
        power: state.stat(by, with),
        damage: EDITION.resolution.normal,
        sure: false,
        pierces: false,
        hit: &[],
    };
    (blow, with == Stat::Matk, Scope::OneEnemy)
}

fn blow(state: &State, by: Seat, card: Card, attack: &'static Attack) -> Blow {
    Blow {
        by,
        deed: Deed::Card(card),
        power: power(state, by, attack),
        damage: attack.damage,
        sure: attack.sure,
        pierces: attack.pierces,
        hit: &attack.hit,
    }
}

/// W11.3: the printed share of ATK or MATK, rounded down, or the printed power.
fn power(state: &State, by: Seat, attack: &Attack) -> i16 {
    let share = attack
        .percent
        .map(|percent| i32::from(state.stat(by, attack.with)) * i32::from(percent) / 100);
    let printed = attack.power.map(i32::from);
    share.or(printed).and_then(|power| i16::try_from(power).ok()).unwrap_or(0)
}

/// W7.3 to W7.5: the outcome of a pool in the current state.
pub(super) fn judge(state: &State, pool: &Pool) -> Judgement {
    let resolution = &EDITION.resolution;
    let power: i16 = pool.blows.iter().map(|blow| blow.power).sum();
    let [agi, def] = [Stat::Agi, Stat::Def].map(|stat| state.stat(pool.on, stat));
    let excess = power - def;
    let is_critical = excess >= resolution.critical;
    let is_sure = pool.blows.iter().any(|blow| blow.sure);
    let damage_of = |counts: fn(&Blow) -> bool| {
        pool.blows.iter().filter(|blow| counts(blow)).map(|blow| blow.damage).sum::<u8>()
    };
    let (verdict, damage) = if is_critical {
        let more = u8::try_from(excess / resolution.critical).unwrap_or(u8::MAX);
        (Verdict::Critical, damage_of(|_| true).saturating_add(more))
    } else if power <= agi && !is_sure {
        (Verdict::Miss, 0)
    } else if excess > 0 {
        (Verdict::Hit, damage_of(|_| true))
    } else {
        match damage_of(|blow| blow.pierces) {
            0 => (Verdict::Single, resolution.least),
            pierced => (Verdict::Hit, pierced),
        }
    };
    Judgement { power, agi, def, verdict, damage }
}

/// W7.3 to W7.6: resolves a pool, and then the effects of its attacks.
fn strike(state: &mut State, pool: &Pool, referee: &mut Referee<'_>) {
    referee.cite(if pool.magic { "W11.4" } else { "W7.2" });
    for clause in ["W11.3", "W12.1"] {
        referee.cite(clause);
    }
    let Judgement { power, agi, def, verdict, damage } = judge(state, pool);
    referee.cite(match verdict {
        Verdict::Miss => "W7.4",
        Verdict::Single | Verdict::Hit => "W7.5",
        Verdict::Critical => "W7.3",
    });
    // W7.4: an attack that cannot be evaded hits.
    if verdict != Verdict::Miss && power <= agi {
        referee.cite("W7.4");
    }
    let attack = |blow: &Blow| PooledAttack { seat: blow.by, deed: blow.deed, power: blow.power };
    let attacks = pool.blows.iter().map(attack).collect();
    let cards = lose(state, pool.on, damage);
    if !cards.is_empty() {
        referee.cite("W7.6");
        referee.cite("W13.4");
    }
    let (seat, magic) = (pool.on, pool.magic);
    referee.tell(Happening::Struck {
        seat,
        magic,
        attacks,
        power,
        agi,
        def,
        verdict,
        damage,
        cards,
    });
    if fall(state, pool.on, referee) || verdict == Verdict::Miss {
        return;
    }
    for blow in &pool.blows {
        let source = Source { by: blow.by, now: state.now() };
        for effect in blow.hit {
            verbs::apply(state, source, pool.on, effect, referee);
        }
    }
}

/// W7.6: moves this number of HP cards to the discard pile, the last laid first.
pub(super) fn lose(state: &mut State, seat: Seat, damage: u8) -> Vec<Card> {
    let character = &mut state.characters[seat];
    let left = character.hp.len().saturating_sub(damage.into());
    let lost: Vec<Card> = character.hp.drain(left..).rev().flatten().collect();
    character.discard.extend(&lost);
    lost
}

/// W7.6: true if the character falls now, because it has no HP left.
pub(super) fn fall(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> bool {
    let character = &mut state.characters[seat];
    let falls = character.hp.is_empty() && !character.down;
    if falls {
        referee.cite("W7.6");
        character.down = true;
        referee.tell(Happening::Fell { seat });
    }
    falls
}
