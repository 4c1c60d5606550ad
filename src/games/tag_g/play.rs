//! The additions to the rules of タッグルールG that this program needs to play it.

use serde_json::Value as Json;

use super::cards::Card;
use super::happening::Happening;
use super::options::{Format, Reaction, SecondHand, SoloMore, SoloStamina, SoloTurns};
use super::state::{State, TagG};
use super::{policies, report};
use crate::canvas::Canvas;
use crate::cards::deck::distinct;
use crate::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use rules::{Piece, Seat};

/// The formats with sides of different size.
const UNEVEN: &[&str] = &["3v1", "2v1v1"];

impl Playable for TagG {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[
        ("baseline", |chance| policies::baseline(chance)),
        ("house", |chance| policies::house(chance)),
    ];
    const OPTIONS: &'static [GameOption] = &[
        GameOption::new("format", "T1.1", Format::VALUES),
        GameOption::new("reaction", "T7.2", Reaction::VALUES),
        GameOption::new("second_hand", "T2.2", SecondHand::VALUES),
        GameOption::new("solo_turns", "T2.6", SoloTurns::VALUES).with("format", UNEVEN),
        GameOption::new("solo_stamina", "T10.6", SoloStamina::VALUES).with("format", UNEVEN),
        GameOption::new("solo_hand", "T10.6", SoloMore::VALUES).with("format", UNEVEN),
        GameOption::new("solo_counts", "T10.6", SoloMore::VALUES).with("format", UNEVEN),
    ];

    fn report(seen: &State) -> Json {
        report::report(seen)
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        report::board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let ids = |cards: Vec<Card>| cards.iter().map(Piece::id).collect();
        let player = &seen.players[seat];
        let held = ids(distinct(player.cards().chain(player.character)));
        let on_table = ids(distinct(seen.field.iter().map(|permanent| permanent.unit.card)));
        CardsBefore { held, on_table }
    }

    /// T2.1, T2.2, T2.4: the clause of a decision made in a player's stead.
    fn decided_by(event: &Happening) -> Option<&'static str> {
        match event {
            Happening::Dealt { by_die: true, .. }
            | Happening::SidesOrdered { by_die: true, .. }
            | Happening::Skips { by_die: true, .. } => Some("T2.7"),
            _ => None,
        }
    }
}
