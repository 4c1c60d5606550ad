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
        GameOption::new("legends", "P1.2", Legends::VALUES),
        GameOption::new("unused_to_deck", "P1.2", Switch::VALUES),
        GameOption::new("max_rounds", "P2.4", MaxRounds::VALUES),
        GameOption::new("tournament_rules", "P2.5", Switch::VALUES),
        GameOption::new("undertaker_after_doctor", "P6.3", &["missed", "picks"]),
        GameOption::new("exposure_in_round_1", "P6.8", Switch::VALUES),
        GameOption::new("games", "P8.1", Games::VALUES),
        GameOption::new("betrayal_with_four", "P9.7", &["all", "colours"]),
        GameOption::new("reactions", "P9.11", &["window", "harm", "orders"]),
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
