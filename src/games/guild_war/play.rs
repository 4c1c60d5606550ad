//! The additions to the rules of ギルドウォー that this program needs to play it.

use serde_json::Value as Json;

use super::happening::Happening;
use super::options::{Absences, Copies, DeckStyle, Event, Games, Options, Size};
use super::state::{GuildWar, State};
use super::{policies, report};
use crate::canvas::Canvas;
use crate::cards::deck::distinct;
use crate::playable::{CardsBefore, GameOption, MakePolicy, Misfit, Playable};
use rules::{Piece, Seat};

impl Playable for GuildWar {
    const POLICIES_VERSION: u32 = 2;
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[
        ("baseline", |chance| policies::baseline(chance)),
        ("house", |chance| policies::house(chance)),
    ];
    const OPTIONS: &'static [GameOption] = &[
        GameOption::new("size", "W1.1", Size::VALUES),
        GameOption::new("deck", "W1.2", DeckStyle::VALUES),
        GameOption::new("games", "W1.3", Games::VALUES),
        GameOption::new("event", "W1.4", Event::VALUES),
        GameOption::new("copies", "W11.1", Copies::VALUES),
        GameOption::new("absences", "W2.2", Absences::VALUES),
    ];

    /// W1.1: a size is for one number of seats.
    fn misfit(options: &Options, seats: usize) -> Option<Misfit> {
        let right = options.size.seats();
        (seats != right).then(|| Misfit {
            key: "size",
            value: options.size.word(),
            clause: "W1.1",
            least: right,
            most: right,
        })
    }

    fn report(seen: &State) -> Json {
        report::report(seen)
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        report::board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let character = &seen.characters[seat];
        let held = distinct(character.cards().chain(character.gear.iter().copied()));
        CardsBefore { held: held.iter().map(Piece::id).collect(), on_table: Vec::new() }
    }

    /// W2.2, W4.3: the clause of a decision made for a guild.
    fn decided_by(event: &Happening) -> Option<&'static str> {
        match event {
            Happening::Declared { bot: true, .. } => Some("W2.2"),
            Happening::FrameBegan { by_die: true, .. } => Some("W4.3"),
            _ => None,
        }
    }
}
