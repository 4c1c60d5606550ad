//! The picture of the table, laid out.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value as Json};

use super::super::state::Guild;
use crate::canvas::{Canvas, Drawn, PlayerRow, SideBoard, count};
use rules::Seat;

/// The fields of a report that the layout needs.
#[derive(Deserialize)]
struct Report {
    players: Vec<Player>,
}

#[derive(Deserialize)]
struct Player {
    seat: Seat,
    guild: Guild,
    card: Option<String>,
    hp: usize,
    vit: usize,
    atk: Option<i16>,
    matk: Option<i16>,
    def: Option<i16>,
    agi: Option<i16>,
    gear: Vec<String>,
    hand: Vec<Option<String>>,
    down: bool,
    disabled: Option<Json>,
    hidden: Option<Json>,
    poison: usize,
}

/// The picture's own words.
#[derive(Deserialize)]
struct Words {
    down: String,
    disabled: String,
    hidden: String,
    poison: String,
}

/// A row of the picture: one player.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    of: PlayerRow,
    hp: Vec<HpCard>,
}

/// The place of an HP card, present or lost.
#[derive(Serialize)]
struct HpCard {
    x: f64,
    y: f64,
    lies: bool,
}

type Table<'a> = Drawn<'a, Report, Words>;

/// The number of HP cards side by side.
const HP_IN_ROW: usize = 7;

/// Lays the picture out.
///
/// # Errors
/// If the report or the words lack something.
pub(in crate::guild_war) fn board(canvas: &Canvas<'_>) -> Result<Json, Error> {
    canvas.lay_out(|table: &Table<'_>| table.board())
}

impl Table<'_> {
    fn board(&self) -> SideBoard<Guild, Row> {
        let sides = Guild::ALL.iter().map(|&id| {
            (id, self.report.players.iter().filter(|player| player.guild == id).collect())
        });
        let high = self.canvas.either(226.0, 132.0);
        self.canvas.sides(high, sides, |player, y| self.row(player, y))
    }

    fn row(&self, player: &Player, y: f64) -> Row {
        let (room, wide) = self.canvas.either((270.0, 570.0), (300.0, 620.0));
        // The number of cards stands beside the hand.
        let beside = self.canvas.either(450.0, wide);
        let [first, second, third] = self.canvas.either([130.0, 164.0, 204.0], [66.0, 90.0, 116.0]);
        let gear = self.canvas.names(&player.gear);
        let hand = self.canvas.names(player.hand.iter().flatten());
        let lines =
            [(self.values(player), wide, first), (gear, wide, second), (hand, beside, third)];
        let of = self.canvas.player_row((player.seat, y), player.card.as_ref(), room, lines);
        Row { of, hp: self.hp(player) }
    }

    /// The current values and states of a character.
    fn values(&self, player: &Player) -> String {
        let values =
            [("ATK", player.atk), ("MATK", player.matk), ("DEF", player.def), ("AGI", player.agi)];
        let known = values.iter().filter_map(|(name, value)| Some(format!("{name} {}", (*value)?)));
        let states = Some(self.states(player)).filter(|states| !states.is_empty());
        states.into_iter().chain(known).collect::<Vec<String>>().join("  ")
    }

    /// The states of a character.
    fn states(&self, player: &Player) -> String {
        let words = &self.words;
        let poison = format!("{}{}", words.poison, player.poison);
        let states = [
            (player.down, &words.down),
            (player.disabled.is_some(), &words.disabled),
            (player.hidden.is_some(), &words.hidden),
            (player.poison > 0, &poison),
        ];
        let shown: Vec<&str> =
            states.iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word.as_str()).collect();
        shown.join(" / ")
    }

    fn hp(&self, player: &Player) -> Vec<HpCard> {
        let (left, top) = self.canvas.either((366.0, 16.0), (770.0, 18.0));
        let card = |at: usize| HpCard {
            x: left + 32.0 * count(at % HP_IN_ROW),
            y: top + 44.0 * count(at / HP_IN_ROW),
            lies: at < player.hp,
        };
        (0..player.vit.max(player.hp)).map(card).collect()
    }
}
