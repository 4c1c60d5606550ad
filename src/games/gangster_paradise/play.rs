//! The additions to the rules of ギャングスターパラダイス that this program needs to play it.

use serde_json::Value as Json;

use super::options::{Games, Legends, MaxRounds};
use super::policies::{House, Shooter};
use super::state::{GangsterParadise, State};
use super::{board, report};
use crate::canvas::Canvas;
use crate::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use crate::switch::Switch;
use rules::{Piece, Seat};

impl Playable for GangsterParadise {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] =
        &[("shooter", |_| Box::new(Shooter)), ("house", |_| Box::<House>::default())];
    const OPTIONS: &'static [GameOption] = &[
        GameOption { key: "legends", clause: "P1.2", values: Legends::VALUES },
        GameOption { key: "unused_to_deck", clause: "P1.2", values: Switch::VALUES },
        GameOption { key: "max_rounds", clause: "P2.4", values: MaxRounds::VALUES },
        GameOption { key: "tournament_rules", clause: "P2.5", values: Switch::VALUES },
        GameOption { key: "undertaker_after_doctor", clause: "P6.3", values: &["missed", "picks"] },
        GameOption { key: "exposure_in_round_1", clause: "P6.8", values: Switch::VALUES },
        GameOption { key: "games", clause: "P8.1", values: Games::VALUES },
        GameOption { key: "betrayal_with_four", clause: "P9.7", values: &["all", "colours"] },
        GameOption { key: "reactions", clause: "P9.11", values: &["window", "harm", "orders"] },
    ];

    fn report(seen: &State) -> Json {
        report::report(seen)
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let mut held: Vec<_> = seen.players[seat].cards().map(|card| card.id()).collect();
        held.dedup();
        let mut on_table: Vec<_> = seen.field.iter().map(Piece::id).collect();
        on_table.dedup();
        CardsBefore { held, on_table }
    }
}
