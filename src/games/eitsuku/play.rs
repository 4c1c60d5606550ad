//! What えいつく adds to its rules to be played in this house.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use super::Eitsuku;
use super::cards::{EventCard, Family, Role, Slot};
use super::edition::{self, EDITION, Edition};
use super::happening::Happening;
use super::policies;
use super::state::{HeldCards, Player, State};
use crate::data::{DataFault, built_in};
use crate::games::any::{self, CardsBefore, GameOption, Playable};
use crate::games::card_texts::CardTexts;
use crate::games::switch::Switch;
use crate::rules::dice::Stream;
use crate::rules::text::Lexicon;
use crate::rules::{Piece, Policy, Seat};

impl Playable for Eitsuku {
    const WORDS: (&'static str, &'static str) =
        ("data/eitsuku/words.toml", include_str!("../../../data/eitsuku/words.toml"));
    const DATA: &'static [(&'static str, &'static str)] = &[edition::FILE];
    const POLICIES: &'static [&'static str] = policies::NAMES;
    const OPTIONS: &'static [GameOption] = &[
        GameOption { key: "hands", clause: "E2.5", values: &["closed", "open"] },
        GameOption { key: "early", clause: "E2.3", values: Switch::VALUES },
        GameOption { key: "skip", clause: "E4.1", values: Switch::VALUES },
    ];

    const RULES: &'static str = include_str!("../../../docs/rules/eitsuku.md");
    const CARDS: Option<(&'static str, &'static str)> =
        Some(("data/eitsuku/cards.toml", include_str!("../../../data/eitsuku/cards.toml")));

    fn cards() -> &'static CardTexts {
        static CARDS: LazyLock<CardTexts> = LazyLock::new(|| {
            let (words, rules) = (Eitsuku::lexicon(), Eitsuku::RULES);
            let read = |cards| built_in(CardTexts::parse(cards, words, rules));
            Eitsuku::CARDS.map(read).unwrap_or_default()
        });
        &CARDS
    }

    fn edition() -> &'static any::Edition {
        static BUILT_IN: LazyLock<any::Edition> =
            LazyLock::new(|| any::Edition::of(&EDITION.edition, Eitsuku::DATA));
        &BUILT_IN
    }

    fn lexicon() -> &'static Lexicon {
        static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
            let (file, text) = Eitsuku::WORDS;
            built_in(Lexicon::parse(file, text))
        });
        &LEXICON
    }

    fn policy(name: &str, chance: Stream) -> Option<Box<dyn Policy<Self>>> {
        policies::policy(name, chance)
    }

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

    fn sample_events() -> Vec<Happening> {
        super::samples::samples()
    }

    fn check_data() -> Vec<DataFault> {
        Edition::parse(edition::FILE.0, edition::FILE.1).err().into_iter().collect()
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
