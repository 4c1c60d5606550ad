//! The picture of the table, laid out.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value as Json};

use super::super::state::Team;
use crate::canvas::{Canvas, Drawn, Line};
use rules::Seat;

/// The fields of a report that the layout needs.
#[derive(Deserialize)]
struct Report {
    players: Vec<Player>,
    teams: Vec<Side>,
}

#[derive(Deserialize)]
struct Side {
    id: Team,
    members: Vec<Seat>,
    field: Vec<Permanent>,
}

#[derive(Deserialize)]
struct Permanent {
    unit: String,
    controller: Seat,
    speed: Option<i16>,
    attack: Option<i16>,
    defence: Option<i16>,
    damage: u16,
}

#[derive(Deserialize)]
struct Player {
    seat: Seat,
    character: Option<String>,
    speed: Option<i16>,
    stamina: usize,
    hand: Vec<Option<String>>,
    damage: Vec<Option<String>>,
    discard: Vec<Option<String>>,
    resented: usize,
    defeated: bool,
}

/// The picture's own words.
#[derive(Deserialize)]
struct Words {
    speed: String,
    hand: String,
    damage: String,
    discard: String,
    resented: String,
    defeated: String,
}

/// The picture, laid out.
#[derive(Serialize)]
struct Board {
    width: f64,
    height: f64,
    /// The width and height of a row.
    row: [f64; 2],
    teams: Vec<TeamPlace>,
}

/// A side: the position of its name, and its members.
#[derive(Serialize)]
struct TeamPlace {
    id: Team,
    y: f64,
    rows: Vec<PlayerRow>,
}

/// A row of the picture: one player.
#[derive(Serialize)]
struct PlayerRow {
    seat: Seat,
    y: f64,
    name: Option<Line>,
    character: Option<Line>,
    stamina: usize,
    piles: Option<Line>,
    field: Option<Line>,
    /// The visible cards of the hand.
    hand: Option<Line>,
}

type Table<'a> = Drawn<'a, Report, Words>;

/// Lays the picture out.
///
/// # Errors
/// If the report or the words lack something.
pub(in crate::tag_g) fn board(canvas: &Canvas<'_>) -> Result<Json, Error> {
    canvas.lay_out(|table: &Table<'_>| table.board())
}

impl Table<'_> {
    fn board(&self) -> Board {
        let high = self.canvas.either(196.0, 140.0);
        let mut y = self.canvas.either(110.0, 92.0);
        let mut teams = Vec::new();
        for side in &self.report.teams {
            let top = y;
            y += 50.0;
            let mut rows = Vec::new();
            for seat in &side.members {
                rows.push(self.row(&self.report.players[seat.index()], side, y));
                y += high;
            }
            teams.push(TeamPlace { id: side.id, y: top + 34.0, rows });
            y += 8.0;
        }
        let width = self.canvas.either(620.0, 1080.0);
        let row = [self.canvas.either(600.0, 1016.0), high - 8.0];
        Board { width, height: y + 8.0, row, teams }
    }

    fn row(&self, player: &Player, side: &Side, y: f64) -> PlayerRow {
        let room = self.canvas.either(330.0, 300.0);
        let wide = self.canvas.either(570.0, 900.0);
        let name = self.canvas.player(player.seat, 31.0, room);
        let character = player.character.as_ref().map(|card| self.canvas.letters.name(card));
        let [first, second, third] = self.canvas.either([112.0, 142.0, 172.0], [68.0, 96.0, 124.0]);
        let line =
            |text: String, at: f64| (!text.is_empty()).then(|| self.fitted(&text, wide).at(at));
        let field = side.field.iter().filter(|permanent| permanent.controller == player.seat);
        let field: Vec<String> = field.map(|permanent| self.permanent(permanent)).collect();
        PlayerRow {
            seat: player.seat,
            y,
            name: name.map(|name| name.at(36.0)),
            character: character
                .map(|card| self.canvas.line(&card, 29.0, room).at(self.canvas.either(74.0, 36.0))),
            stamina: player.stamina,
            piles: line(self.piles(player), first),
            field: line(field.join(" / "), second),
            hand: line(self.names(player.hand.iter().flatten()), third),
        }
    }

    /// A line of the text, cut to this width.
    fn fitted(&self, text: &str, room: f64) -> Line {
        const SIZE: f64 = 25.0;
        Line { y: 0.0, size: SIZE, text: self.canvas.letters.fit(text, SIZE, room) }
    }

    fn names<'c>(&self, cards: impl IntoIterator<Item = &'c String>) -> String {
        let names: Vec<String> =
            cards.into_iter().map(|card| self.canvas.letters.name(card)).collect();
        names.join(" / ")
    }

    /// A permanent, a summon with its values.
    fn permanent(&self, permanent: &Permanent) -> String {
        let name = self.canvas.letters.name(&permanent.unit);
        let Permanent { speed, attack, defence, damage, .. } = permanent;
        match (speed, attack, defence) {
            (Some(speed), Some(attack), Some(defence)) => {
                let left = i32::from(*defence) - i32::from(*damage);
                format!("{name} {speed}/{attack}/{left}")
            }
            _ => name,
        }
    }

    /// The speed of a player, and the piles by number.
    fn piles(&self, player: &Player) -> String {
        let words = &self.words;
        let count = |word: &String, number: usize| format!("{word}{number}");
        let mut piles = vec![
            count(&words.hand, player.hand.len()),
            count(&words.damage, player.damage.len()),
            count(&words.discard, player.discard.len()),
        ];
        if let Some(speed) = player.speed {
            piles.insert(0, format!("{}{speed}", words.speed));
        }
        if player.resented > 0 {
            piles.push(count(&words.resented, player.resented));
        }
        if player.defeated {
            piles = vec![words.defeated.clone()];
        }
        piles.join("  ")
    }
}
