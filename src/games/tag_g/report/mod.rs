//! The state of タッグルールG as its letters show it.

pub(super) mod board;

use serde_json::{Value as Json, json};

use super::options::Team;
use super::plans;
use super::reactions;
use super::setup::{self, Served};
use super::state::{Permanent, State, WindowStage};
use super::things::Aim;
use rules::Seat;

/// Reports a state that is filtered for its viewer.
pub(super) fn report(seen: &State) -> Json {
    let asked = seen.asked();
    let players: Vec<Json> =
        seen.players.seats().map(|seat| report_player(seen, seat, asked[seat])).collect();
    let teams = if seen.teams.is_empty() { seen.options.format.teams() } else { &seen.teams };
    let has_begun = seen.turn.number > 0;
    json!({
        "set": seen.options.set.about(),
        "stage": seen.stage,
        "options": seen.options,
        "turn": seen.turn.number,
        "seat": has_begun.then_some(seen.turn.seat),
        "skips": seen.turn.skip,
        "fights": [seen.turn.fights, plans::fights(seen, seen.turn.seat)],
        "spells": [seen.turn.spells, plans::spells(seen, seen.turn.seat)],
        "extra_drawn": seen.turn.extra_drawn,
        "attacks": report_attacks(seen),
        "decks": report_wishes(seen),
        "teams": teams.iter().map(|team| report_team(seen, *team)).collect::<Vec<_>>(),
        "players": players,
        "over": seen.stage == WindowStage::Over,
        "result": seen.result,
    })
}

/// The attacks to come, each with its damage in the current state.
fn report_attacks(seen: &State) -> Vec<Json> {
    let open = reactions::open_attacks(seen).len();
    let attacks = seen.turn.attacks.iter().enumerate();
    let report = |(place, attack): (usize, &super::state::PlannedAttack)| {
        json!({
            "number": attack.number,
            "seat": seen.turn.seat,
            "by": attack.by,
            "on": attack.on,
            "damage": seen.expected(*attack),
            "speed": seen.speed_of(attack.by),
            "open": place < open,
        })
    };
    attacks.map(report).collect()
}

/// The decks that follow from the wishes known to the viewer (T2.1), up to the first deck chosen by die.
fn report_wishes(seen: &State) -> Vec<Json> {
    let mut decks = Vec::new();
    for team in seen.options.format.teams().iter().filter(|_| seen.stage == WindowStage::Setup) {
        let mut given = Vec::new();
        for seat in seen.members(*team) {
            let Served { refused, gets } = setup::serve(seen, seat, &given);
            if refused.is_empty() && gets.is_none() {
                break;
            }
            let refused: Vec<Json> =
                refused.iter().map(|(deck, over)| json!({ "deck": deck, "over": over })).collect();
            let gets_own = matches!(gets, Some((None, _)));
            let deck = gets.as_ref().and_then(|(deck, _)| *deck);
            decks.push(json!({ "seat": seat, "refused": refused, "deck": deck, "own": gets_own }));
            let Some((_, packed)) = gets else { break };
            given.push((seat, packed));
        }
    }
    decks
}

fn report_team(seen: &State, team: Team) -> Json {
    let members = seen.members(team);
    let first = members.first().copied().unwrap_or(Seat::new(0));
    let shapes = seen.field.iter().filter(|permanent| seen.team(permanent.controller) == team);
    json!({
        "id": team,
        "members": members,
        "queue": seen.queues[team.index()].iter().filter(|seat| seen.is_living(**seat)).collect::<Vec<_>>(),
        "towers": seen.towers(first),
        "field": shapes.map(|permanent| report_permanent(seen, permanent)).collect::<Vec<_>>(),
    })
}

fn report_permanent(seen: &State, permanent: &Permanent) -> Json {
    let aim = Aim::Unit(permanent.unit);
    let is_summon = permanent.unit.is_summon();
    let value = |of: i16| is_summon.then_some(of);
    json!({
        "unit": permanent.unit,
        "card": permanent.unit.card,
        "owner": permanent.owner,
        "controller": permanent.controller,
        "worn_by": permanent.worn_by,
        "summon": is_summon,
        "speed": value(seen.speed(aim)),
        "attack": value(seen.attack(permanent.unit)),
        "defence": value(seen.defence(permanent.unit)),
        "damage": permanent.damage,
        "attacked": permanent.attacked,
        "blocked": permanent.blocked,
        "aimed": permanent.aimed,
        "upkeep": permanent.unit.card.upkeep,
        "let_go": permanent.let_go,
    })
}

fn report_player(seen: &State, seat: Seat, asked: bool) -> Json {
    let player = &seen.players[seat];
    let aim = Aim::Character(seat);
    let printed = player.printed();
    let lasting = seen.lasting.iter().filter(|lasting| lasting.on == aim);
    let lasting = lasting.map(|lasting| json!({ "is": lasting.is, "until": lasting.until }));
    json!({
        "seat": seat,
        "team": seen.team(seat),
        "character": player.character,
        "deck": player.deck,
        "own_deck": player.character.is_some() && player.deck.is_none(),
        "speed": printed.map(|_| seen.speed(aim)),
        "fights": printed.map(|_| plans::fights(seen, seat)),
        "spells": printed.map(|_| plans::spells(seen, seat)),
        "opening_hand": printed.map(|it| it.hand),
        "stamina": player.stamina.len(),
        "start": player.start,
        "hand": player.hand,
        "limit": seen.hand_limit(seat),
        "damage": player.damage,
        "discard": player.discard,
        "resentment": player.resentment,
        "resented": seen.resentment(seat),
        "gone": player.gone.len(),
        "lasting": lasting.collect::<Vec<_>>(),
        "defeated": player.defeated,
        "asked": asked,
    })
}
