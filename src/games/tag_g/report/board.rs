//! The picture of the table, laid out.

use serde::Deserialize;
use serde_json::{Error, Value as Json};

use super::super::options::Team;
use crate::canvas::{Canvas, Drawn, PlayerRow, SideBoard};
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

type Table<'a> = Drawn<'a, Report, Words>;

/// Lays the picture out.
///
/// # Errors
/// If the report or the words lack something.
pub(in crate::tag_g) fn board(canvas: &Canvas<'_>) -> Result<Json, Error> {
    canvas.lay_out(|table: &Table<'_>| table.board())
}

impl Table<'_> {
    fn board(&self) -> SideBoard<Team, PlayerRow> {
        let sides = self.report.teams.iter().map(|side| {
            let member = |seat: &Seat| (&self.report.players[seat.index()], side);
            (side.id, side.members.iter().map(member).collect())
        });
        let high = self.canvas.either(196.0, 140.0);
        self.canvas.sides(high, sides, |(player, side), y| self.row(player, side, y))
    }

    fn row(&self, player: &Player, side: &Side, y: f64) -> PlayerRow {
        let (room, wide) = self.canvas.either((330.0, 570.0), (300.0, 900.0));
        let [first, second, third] = self.canvas.either([112.0, 142.0, 172.0], [68.0, 96.0, 124.0]);
        let field = side.field.iter().filter(|permanent| permanent.controller == player.seat);
        let field: Vec<String> = field.map(|permanent| self.permanent(permanent)).collect();
        let hand = self.canvas.names(player.hand.iter().flatten());
        let field = field.join(" / ");
        let lines = [(self.piles(player), wide, first), (field, wide, second), (hand, wide, third)];
        self.canvas.player_row((player.seat, y), player.character.as_ref(), room, lines)
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
        if player.defeated {
            return words.defeated.clone();
        }
        let speed = player.speed.map(|speed| format!("{}{speed}", words.speed));
        let count = |word: &String, number: usize| format!("{word}{number}");
        let piles = [
            count(&words.hand, player.hand.len()),
            count(&words.damage, player.damage.len()),
            count(&words.discard, player.discard.len()),
        ];
        let resented = (player.resented > 0).then(|| count(&words.resented, player.resented));
        speed.into_iter().chain(piles).chain(resented).collect::<Vec<_>>().join("  ")
    }
}
