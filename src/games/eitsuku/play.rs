//! What えいつく adds to its rules to be played in this house.

use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::board;
use super::cards::{EventCard, Family, Role, Slot};
use super::edition::EDITION;
use super::policies::{Greedy, House};
use super::state::{Eitsuku, HeldCards, Player, State};
use crate::games::canvas::Canvas;
use crate::games::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use crate::games::switch::Switch;
use crate::rules::{Piece, Seat};

impl Playable for Eitsuku {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[
        ("greedy", |_| Box::<Greedy>::default()),
        ("house", |chance| Box::new(House::new(chance))),
    ];
    const OPTIONS: &'static [GameOption] = &[
        GameOption { key: "hands", clause: "E2.5", values: &["closed", "open"] },
        GameOption { key: "early", clause: "E2.3", values: Switch::VALUES },
        GameOption { key: "skip", clause: "E4.1", values: Switch::VALUES },
    ];

    fn report(seen: &State) -> Json {
        let players: Vec<Json> =
            seen.players.iter().map(|(seat, player)| report_player(seat, player)).collect();
        json!({
            "turn": seen.turn,
            // E1.1: fewer than recommended gets a remark.
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
            "scores": if seen.over { json!(super::scoring::scores(seen)) } else { Json::Null },
        })
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let player = &seen.players[seat];
        let mut held: Vec<SmolStr> = events_of(player).iter().map(Piece::id).collect();
        held.extend(roles_of(player).iter().map(Piece::id));
        held.dedup();
        // E3.9: who has released has no effect on anybody.
        let active = seen.players.iter().filter(|(seat, _)| seen.is_active(*seat));
        let laid = active.flat_map(|(_, player)| &player.laid).map(|laid| laid.card.id());
        let mut on_table: Vec<SmolStr> = Vec::new();
        for id in laid {
            if !held.contains(&id) && !on_table.contains(&id) {
                on_table.push(id);
            }
        }
        CardsBefore { held, on_table }
    }
}

/// The role cards in a hand, each as often as it is there.
fn roles_of(player: &Player) -> Vec<Role> {
    let held: [u8; 24] = all(&player.roles.known, &player.roles.fresh).try_into().expect("24");
    HeldCards::positions(&held).map(Role::from_index).collect()
}

/// The event cards in a hand, each as often as it is there.
fn events_of(player: &Player) -> Vec<EventCard> {
    let held: [u8; 15] = all(&player.events.known, &player.events.fresh).try_into().expect("15");
    HeldCards::positions(&held).map(|index| EventCard::ALL[index]).collect()
}

fn all(known: &[u8], fresh: &[u8]) -> Vec<u8> {
    known.iter().zip(fresh).map(|(known, fresh)| known + fresh).collect()
}

/// E7: what the result's プレイヤー現在状況 shows.
fn report_player(seat: Seat, player: &Player) -> Json {
    let (roles, events) = (roles_of(player), events_of(player));
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
            "roles": roles,
            "roles_down": player.roles.down,
            "events": events,
            "events_down": player.events.down,
        },
        "slots": slots,
        "laid": player.laid,
        "put": player.put,
        "film": player.film,
        "adjusted": player.adjusted,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::playable::GameFiles;

    #[test]
    fn a_card_tells_what_it_costs() {
        let tells = |id: &str, cost: u32| {
            let card = Eitsuku::cards().of(id).expect("every card has a text");
            let said = card.text(crate::rules::text::Lang::En);
            assert!(said.contains(&format!(" {cost}")), "{id}: {said}");
        };
        for role in Role::all() {
            // E3.3
            tells(role.word(), u32::from(role.number) + EDITION.set.cost_above_number);
        }
        for budget in crate::games::eitsuku::cards::Budget::ALL {
            tells(&budget.id(), EDITION.worth[*budget].into());
        }
    }
}
