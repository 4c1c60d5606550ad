//! The state of ギルドウォー as its letters show it.

pub(super) mod board;

use serde_json::{Value as Json, json};

use super::edition::EDITION;
use super::effects::Stat;
use super::forecast::Forecast;
use super::resolve;
use super::state::{Guild, Modifier, Moment, State, WindowStage};
use rules::Seat;

/// Reports a state that is filtered for its viewer.
pub(super) fn report(seen: &State) -> Json {
    let asked = seen.asked();
    let players: Vec<Json> =
        seen.characters.seats().map(|seat| report_character(seen, seat, asked[seat])).collect();
    let acting = match seen.stage {
        WindowStage::Step { second } | WindowStage::Response { second } => {
            Some(seen.acting(second))
        }
        _ => None,
    };
    json!({
        "set": seen.options.set.about(),
        "frame": seen.frame,
        "frames": EDITION.frames.last,
        "stage": seen.stage,
        "acting": acting,
        "first": seen.first,
        "options": seen.options,
        "highest_level": seen.highest_level(),
        "guilds": Guild::ALL.iter().map(|guild| report_guild(seen, *guild)).collect::<Vec<_>>(),
        "players": players,
        "pools": report_pools(seen),
        "responding": matches!(seen.stage, WindowStage::Response { .. }),
        "unused": report_unused(seen),
        "game": seen.played + u8::from(seen.stage != WindowStage::Over),
        "games": seen.options.games.most(),
        "over": seen.stage == WindowStage::Over,
        "result": seen.result,
    })
}

/// The attacks planned for the step, before any response: the outcome of each pool in the current state.
fn report_pools(seen: &State) -> Vec<Json> {
    let pools = match seen.stage {
        WindowStage::Step { second } => {
            let plans = resolve::plans(seen, seen.acting(second));
            resolve::forecasts(seen, &plans, &resolve::Covers::new())
        }
        WindowStage::Response { .. } => seen.foreseen.clone(),
        _ => Vec::new(),
    };
    let report = |(place, Forecast { on, magic, judged }): (usize, &Forecast)| {
        // An attack without magic and one by magic add up.
        let so_far = pools[..=place].iter().filter(|pool| pool.on == *on);
        let cost: usize = so_far.map(|pool| usize::from(pool.judged.damage)).sum();
        json!({
            "on": on,
            "magic": magic,
            "power": judged.power,
            "def": judged.def,
            "agi": judged.agi,
            "verdict": judged.verdict,
            "damage": judged.damage,
            "falls": cost >= seen.characters[*on].hp.len(),
        })
    };
    pools.iter().enumerate().map(report).collect()
}

/// W2.2: true if the acting guild loses unless one of its members uses a card in this frame, false if the
/// bot plays one for it; `None` if one has used a card, or plans to, or nobody can.
fn report_unused(seen: &State) -> Option<bool> {
    let WindowStage::Step { second } = seen.stage else { return None };
    let guild = seen.acting(second);
    let has_acted = |seat: &Seat| {
        let character = &seen.characters[*seat];
        character.used || character.plan.is_some()
    };
    let is_free = |seat: &Seat| seen.is_free(*seat);
    let members = seen.members(guild);
    let is_open = !members.iter().any(has_acted) && members.iter().any(is_free);
    is_open.then(|| seen.absences[guild.index()] + 1 >= seen.options.absences.get())
}

fn report_guild(seen: &State, guild: Guild) -> Json {
    let members = seen.members(guild);
    let standing = seen.standing(guild).len();
    json!({
        "id": guild,
        "captain": seen.captain(guild),
        "order": seen.orders[guild.index()],
        "absences": seen.absences[guild.index()],
        "wins": seen.wins[guild.index()],
        "down": members.len() - standing,
        "members": members,
    })
}

/// A step, by its frame and by its position in the frame.
fn report_moment(moment: Moment) -> Json {
    json!({ "frame": moment.frame(), "second": moment.is_second() })
}

fn report_modifier(modifier: Modifier) -> Json {
    let Modifier { stat, amount, until } = modifier;
    json!({ "stat": stat, "amount": amount, "until": report_moment(until) })
}

fn report_character(seen: &State, seat: Seat, asked: bool) -> Json {
    let (character, now) = (&seen.characters[seat], seen.now());
    let has_begun = character.card.is_some();
    let lasting = |until: Option<Moment>| until.filter(|until| *until >= now).map(report_moment);
    let modifiers: Vec<Json> = character
        .modifiers
        .iter()
        .filter(|modifier| modifier.until >= now)
        .copied()
        .map(report_modifier)
        .collect();
    let value = |of| has_begun.then(|| seen.stat(seat, of));
    json!({
        "seat": seat,
        "guild": Guild::of(seat),
        "captain": seen.captain(Guild::of(seat)) == Some(seat),
        "line": character.line,
        "card": character.card,
        "level": character.level(),
        "hp": character.hp.len(),
        "vit": character.vit(),
        "luk": character.luk(),
        "capacity": character.capacity(),
        "atk": value(Stat::Atk),
        "matk": value(Stat::Matk),
        "def": value(Stat::Def),
        "agi": value(Stat::Agi),
        "hand": character.hand,
        "deck": character.deck.len(),
        "discard": character.discard,
        "gear": character.gear,
        "modifiers": modifiers,
        "poison": character.poison.len(),
        "poison_rests": character.poison.iter().max(),
        "disabled": lasting(character.disabled),
        "hidden": lasting(character.hidden),
        "used": character.used,
        "is_captain": seen.captain(Guild::of(seat)) == Some(seat),
        "down": character.down,
        "plan": character.plan,
        "asked": asked,
    })
}
