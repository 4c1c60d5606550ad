//! What えいつく adds to its rules to be played in this house.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::Eitsuku;
use super::cards::{EventCard, Family, Role, Slot};
use super::edition::{self, EDITION, Edition};
use super::happening::Happening;
use super::policies;
use super::state::{HeldCards, Player, State};
use crate::data::{DataFault, built_in};
use crate::games::any::{self, GameOption, Playable};
use crate::games::switch::Switch;
use crate::rules::dice::Stream;
use crate::rules::text::Lexicon;
use crate::rules::{Policy, Seat};

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

    fn sample_events() -> Vec<Happening> {
        super::samples::samples()
    }

    fn check_data() -> Vec<DataFault> {
        Edition::parse(edition::FILE.0, edition::FILE.1).err().into_iter().collect()
    }
}

/// E7: what the result's プレイヤー現在状況 shows.
fn report_player(seat: Seat, player: &Player) -> Json {
    let all = |known: &[u8], fresh: &[u8]| -> Vec<u8> {
        known.iter().zip(fresh).map(|(known, fresh)| known + fresh).collect()
    };
    let roles: Vec<Role> = {
        let held: [u8; 24] = all(&player.roles.known, &player.roles.fresh).try_into().expect("24");
        HeldCards::positions(&held).map(Role::from_index).collect()
    };
    let events: Vec<EventCard> = {
        let held: [u8; 15] =
            all(&player.events.known, &player.events.fresh).try_into().expect("15");
        HeldCards::positions(&held).map(|index| EventCard::ALL[index]).collect()
    };
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
