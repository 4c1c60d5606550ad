//! The state of えいつく as its letters show it.

use serde_json::{Value as Json, json};

use super::cards::{Family, Role, Slot};
use super::edition::EDITION;
use super::state::State;
use super::{end, scoring};
use rules::Seat;

/// Reports a state that is filtered for its viewer.
pub(super) fn report(seen: &State) -> Json {
    let players: Vec<Json> =
        seen.players.iter().map(|(seat, _)| report_player(seen, seat)).collect();
    json!({
        "turn": seen.turn,
        // E1.1: the letter remarks on fewer players than recommended.
        "few": seen.players.count() < EDITION.players.recommended,
        "order": seen.order,
        "supply": seen.supply,
        "decks": {
            "actor": seen.roles[0].len(),
            "writer": seen.roles[1].len(),
            "composer": seen.roles[2].len(),
            "director": seen.roles[3].len(),
            "event": seen.events.len(),
        },
        "players": players,
        "over": seen.over,
        "scores": if seen.over { json!(scoring::scores(seen)) } else { Json::Null },
    })
}

/// E7: the プレイヤー現在状況 of one player in the result.
fn report_player(seen: &State, seat: Seat) -> Json {
    let player = &seen.players[seat];
    let slots: Vec<Json> = Slot::ALL
        .iter()
        .map(|&slot| {
            let placed = player.slot(slot).map(|placed| {
                let family: Family = slot.family();
                let role = Role { family, number: placed.number };
                json!({ "role": role, "award": player.awards(slot), "promoter": placed.promoter })
            });
            json!({ "slot": slot, "placed": placed })
        })
        .collect();
    json!({
        "seat": seat,
        "hand": {
            "budgets": player.budgets,
            "roles": player.role_cards(),
            "roles_down": player.roles.down,
            "events": player.event_cards(),
            "events_down": player.events.down,
        },
        "slots": slots,
        "laid": player.laid,
        "put": player.put,
        "film": player.film,
        "ready": end::is_ready(seen, seat),
        "worth": scoring::worth(seen, seat),
        "adjusted": player.adjusted,
    })
}
