//! The additions to the rules of ザ・ギャング that this program needs to play it.

use serde_json::Value as Json;

use super::happening::{Happening, Way};
use super::options::UP_TO_FIVE;
use super::state::{State, TheGang};
use super::{board, modes, policies, report};
use crate::canvas::Canvas;
use crate::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use crate::switch::Switch;
use rules::dice::Stream;
use rules::{Piece, Policy, Seat};

impl Playable for TheGang {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] =
        &[("percentile", |_| policies::percentile()), ("house", |_| policies::house())];
    const OPTIONS: &'static [GameOption] = &[
        GameOption::new("mode", "G4.1", &["basic", "advanced", "professional", "master"]),
        GameOption::new("chips", "G2.2", &["sealed", "live"]),
        GameOption::new("passes", "G2.3", UP_TO_FIVE).with("chips", &["sealed"]),
        GameOption::new("moves", "G2.4", UP_TO_FIVE).with("chips", &["live"]),
        GameOption::new("early", "G7.2", Switch::VALUES),
    ];

    /// G7: a silent seat would spoil the heist for all players.
    const HOUSE_FOR_GONE: bool = true;

    /// G6.12: a bot player proposes nothing, and always agrees.
    fn random(chance: Stream) -> Box<dyn Policy<Self>> {
        Box::new(policies::Anything::new(chance))
    }

    fn report(seen: &State) -> Json {
        report::report(seen)
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        board::board(canvas)
    }

    /// Only the Jack of a pocket needs a text beyond poker (G6.13).
    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let pocket = seen.players[seat].pocket.iter().flatten();
        let held = pocket.filter(|card| card.suit().is_none()).map(Piece::id).collect();
        let challenges = seen.challenges.iter().map(Piece::id);
        let specialist = seen.specialist.map(|hired| hired.card.id());
        CardsBefore { held, on_table: challenges.chain(specialist).collect() }
    }

    /// G7.4: the clause of a choice for a missing wish, or by die.
    fn decided_by(event: &Happening) -> Option<&'static str> {
        match event {
            Happening::WonLot { .. } | Happening::GotLeft { wished: true, .. } => Some("G2.3.3"),
            Happening::GotLeft { wished: false, .. } => Some("G2.5"),
            Happening::GuessSettled { way: Way::Most | Way::Die, .. } => Some("G5.13.1"),
            _ => None,
        }
    }

    /// G4.2.1: the piles carry over to the next game of the group.
    fn carried(state: &State) -> Option<Json> {
        // A pile is plain data.
        serde_json::to_value(modes::piles(state)).ok()
    }
}
