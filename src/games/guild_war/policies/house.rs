//! `house`: plans with its guild, from the guild's knowledge.

use super::super::actions::Occasion;
use super::super::deeds::Action;
use super::super::edition::EDITION;
use super::super::effects::{Effect, Stat};
use super::super::resolve::{self, Covers, Doing};
use super::super::state::{Guild, Modifier, SeatList, State, WindowStage};
use super::plan::{harm, lends, options, scope, value};
use super::sight::{SeatView, Ways};
use rules::Seat;

pub(super) static WAYS: Ways = Ways { act, respond, order };

/// The worth of keeping a card for a response, in the first step.
const KEPT: i32 = 90;

/// The harm that a response must save: in the first step it gives up the own action.
const SAVES_FIRST: i32 = 220;
const SAVES_SECOND: i32 = 100;

/// A member of the guild in a plan: its options, and its current choice.
struct Planned {
    seat: Seat,
    options: Vec<Action>,
    chosen: Option<Action>,
    /// The worth of passing.
    retained: i32,
}

/// The action of this seat in the best plan of its guild.
fn act(sight: &mut SeatView) -> Option<Action> {
    let SeatView { seat, view } = sight;
    let is_second = matches!(view.stage, WindowStage::Step { second: true });
    let guild = Guild::of(*seat);
    let mut members = members(view, guild, is_second);
    let mut best: Option<(i32, Vec<Option<Action>>)> = None;
    for focus in view.standing(guild.other()) {
        for planned in &mut members {
            planned.chosen = on(view, planned, focus);
        }
        let value = improve(view, &mut members, is_second);
        if best.as_ref().is_none_or(|(least, _)| value > *least) {
            best = Some((value, members.iter().map(|planned| planned.chosen).collect()));
        }
    }
    let (_, plan) = best?;
    // W2.2: a member has to use a card.
    if plan.iter().all(Option::is_none) {
        let first = members.iter().find(|planned| !planned.options.is_empty())?;
        return first.options.first().copied().filter(|_| first.seat == *seat);
    }
    let place = members.iter().position(|planned| planned.seat == *seat)?;
    plan[place]
}

fn members(view: &State, guild: Guild, is_second: bool) -> Vec<Planned> {
    let free: SeatList =
        view.standing(guild).into_iter().filter(|seat| view.is_free(*seat)).collect();
    let planned = |seat: Seat| {
        let responds = !is_second && !options(view, seat, Occasion::Response).is_empty();
        let retained = if responds { KEPT } else { 0 };
        Planned { seat, options: options(view, seat, Occasion::Step), chosen: None, retained }
    };
    free.into_iter().map(planned).collect()
}

/// The strongest attack of a member on this target, taken alone.
fn on(view: &State, planned: &Planned, focus: Seat) -> Option<Action> {
    let aimed = planned.options.iter().filter(|action| action.target == Some(focus));
    let seat = planned.seat;
    let alone = |action: &&Action| harm(view, &[Doing { seat, action: **action }], &Covers::new());
    aimed.max_by_key(alone).copied()
}

fn worth_of(view: &mut State, members: &[Planned], is_second: bool) -> i32 {
    let doing =
        |planned: &Planned| planned.chosen.map(|action| Doing { seat: planned.seat, action });
    let plan: Vec<Doing> = members.iter().filter_map(doing).collect();
    let retained: i32 =
        members.iter().filter(|it| it.chosen.is_none()).map(|planned| planned.retained).sum();
    retained + value(view, &plan, is_second)
}

/// Exchanges the actions one by one if the plan becomes better. Returns the worth of the plan.
fn improve(view: &mut State, members: &mut [Planned], is_second: bool) -> i32 {
    let mut best = worth_of(view, members, is_second);
    for place in 0..members.len() {
        let count = members[place].options.len();
        for option in 0..=count {
            let tried = members[place].options.get(option).copied();
            let before = std::mem::replace(&mut members[place].chosen, tried);
            let value = worth_of(view, members, is_second);
            if value > best {
                best = value;
            } else {
                members[place].chosen = before;
            }
        }
    }
    best
}

/// The response that saves most; `None` if none saves enough.
fn respond(sight: &mut SeatView) -> Option<Action> {
    let SeatView { seat, view } = sight;
    let WindowStage::Response { second } = view.stage else { return None };
    let attackers = view.members(view.acting(second));
    let planned = |seat: Seat| view.characters[seat].plan.map(|action| Doing { seat, action });
    let doings: Vec<Doing> = attackers.into_iter().filter_map(planned).collect();
    let base = harm(view, &doings, &Covers::new());
    let needed = if second { SAVES_SECOND } else { SAVES_FIRST };
    let mut best = None;
    for action in options(view, *seat, Occasion::Response) {
        let left = harm_after(view, Doing { seat: *seat, action }, &doings);
        let saved = base - left;
        if saved >= needed && best.is_none_or(|(most, _)| saved > most) {
            best = Some((saved, action));
        }
    }
    best.map(|(_, action)| action)
}

/// The harm of the attacks after a response.
fn harm_after(view: &State, doing: Doing, doings: &[Doing]) -> i32 {
    let (mut after, mut covers, mut healed) = (view.clone(), Covers::new(), 0);
    let now = after.now();
    for effect in lends(doing.action) {
        for on in resolve::reached(view, doing, scope(doing.action)) {
            let character = &mut after.characters[on];
            match *effect {
                Effect::Modify { stat, amount, .. } => {
                    character.modifiers.push(Modifier { stat, amount, until: now });
                }
                Effect::Hide { .. } => character.hidden = Some(now),
                Effect::Cover if on != doing.seat => covers.push((on, doing.seat)),
                Effect::Heal { cards } => {
                    let missing = character.vit().saturating_sub(character.hp.len());
                    healed += 80 * i32::try_from(missing.min(cards.into())).unwrap_or(0);
                }
                _ => {}
            }
        }
    }
    harm(&after, doings, &covers) - healed
}

/// W4.3: first if either guild can fell a character immediately, otherwise second.
fn order(sight: &SeatView) -> &'static str {
    let view = &sight.view;
    let is_near = Guild::ALL.iter().any(|guild| can_fell(view, *guild));
    if is_near { "first" } else { "second" }
}

/// True if a guild could fell a character of the other guild with its values alone.
fn can_fell(view: &State, guild: Guild) -> bool {
    let members = view.standing(guild);
    let power: i16 = members
        .iter()
        .map(|seat| view.stat(*seat, Stat::Atk).max(view.stat(*seat, Stat::Matk)))
        .sum();
    view.standing(guild.other()).iter().any(|target| {
        let excess = power - view.stat(*target, Stat::Def);
        let printed = 5 * members.len() / 2;
        let more = usize::try_from(excess / EDITION.resolution.critical).unwrap_or(0);
        let damage = if excess > 0 { printed + more } else { 1 };
        damage >= view.characters[*target].hp.len()
    })
}
