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
<<<<<<< HEAD
    fn board(&self) -> SideBoard<Guild, Row> {
        let sides = Guild::ALL.iter().map(|&id| {
            (id, self.report.players.iter().filter(|player| player.guild == id).collect())
        });
        let high = self.canvas.either(216.0, 132.0);
        self.canvas.sides(high, sides, |player, y| self.row(player, y))
    }

    fn row(&self, player: &Player, y: f64) -> Row {
        let room = self.canvas.either((270.0, 570.0), (300.0, 620.0));
        let [first, second, third] = self.canvas.either([118.0, 152.0, 190.0], [66.0, 90.0, 116.0]);
        let gear = self.canvas.names(&player.gear);
        let hand = self.canvas.names(player.hand.iter().flatten());
        let lines = [(self.values(player), first), (gear, second), (hand, third)];
        let of = self.canvas.player_row((player.seat, y), player.card.as_ref(), room, lines);
        Row { of, hp: self.hp(player) }
=======
    fn board(&self) -> Board {
        let high = self.canvas.either(226.0, 132.0);
        let mut y = self.canvas.either(110.0, 92.0);
        let mut guilds = Vec::new();
        for &id in Guild::ALL {
            let top = y;
            y += 50.0;
            let members = self.report.players.iter().filter(|player| player.guild == id);
            let mut rows = Vec::new();
            for player in members {
                rows.push(self.row(player, y));
                y += high;
            }
            guilds.push(GuildPlace { id, y: top + 34.0, rows });
            y += 8.0;
        }
        let width = self.canvas.either(620.0, 1080.0);
        let row = [self.canvas.either(600.0, 1016.0), high - 8.0];
        Board { width, height: y + 8.0, row, guilds }
    }

    fn row(&self, player: &Player, y: f64) -> PlayerRow {
        let room = self.canvas.either(270.0, 300.0);
        let name = self.canvas.player(player.seat, 31.0, room);
        let wide = self.canvas.either(570.0, 620.0);
        let card = player.card.as_ref().map(|card| self.canvas.letters.name(card));
        let [first, second, third] = self.canvas.either([130.0, 164.0, 204.0], [66.0, 90.0, 116.0]);
        let line_in = |text: String, room: f64, at: f64| {
            (!text.is_empty()).then(|| self.fitted(&text, room).at(at))
        };
        let line = |text: String, at: f64| line_in(text, wide, at);
        // The number of cards stands beside the hand.
        let beside = self.canvas.either(450.0, wide);
        PlayerRow {
            seat: player.seat,
            y,
            name: name.map(|name| name.at(36.0)),
            card: card
                .map(|card| self.canvas.line(&card, 29.0, room).at(self.canvas.either(74.0, 36.0))),
            values: line(self.values(player), first),
            gear: line(self.names(&player.gear), second),
            hand: line_in(self.names(player.hand.iter().flatten()), beside, third),
            hp: self.hp(player),
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
>>>>>>> e485de10 (letters: let no label of a board be under 12 points on a phone)
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
