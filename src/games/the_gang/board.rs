//! The picture of the table, laid out.

use serde::{Deserialize, Serialize};
use serde_json::{Error, Value as Json};

use super::state::Street;
use crate::canvas::{Canvas, Drawn, Line, count};
use rules::Seat;

/// The fields of a report that the layout needs.
#[derive(Deserialize)]
struct Report {
    street: Street,
    effect: Vec<Effect>,
    board: Vec<String>,
    chips: bool,
    middle: Vec<u8>,
    players: Vec<Player>,
    showdown: Option<ShowdownCards>,
    vaults: Vaults,
    alarms: Alarms,
}

#[derive(Deserialize)]
struct Effect {
    id: String,
    kind: String,
    permanent: bool,
    used: bool,
    user: Option<Seat>,
}

#[derive(Deserialize)]
struct Player {
    seat: Seat,
    chips: ChipsInMiddle,
    fixed: bool,
    shown: bool,
    guess: Option<String>,
    pocket: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct ChipsInMiddle {
    white: Option<u8>,
    yellow: Option<u8>,
    orange: Option<u8>,
    red: Option<u8>,
}

#[derive(Deserialize)]
struct ShowdownCards {
    rows: Vec<ShownCards>,
}

#[derive(Deserialize)]
struct ShownCards {
    seat: Seat,
    ranking: String,
    muscle: bool,
    fits: bool,
}

#[derive(Deserialize)]
struct Vaults {
    gold: usize,
    needed: usize,
}

#[derive(Deserialize)]
struct Alarms {
    red: usize,
    most: usize,
}

/// The picture's own words.
#[derive(Deserialize)]
struct Words {
    title: String,
    always: String,
    used: String,
    chips: [String; 4],
    proposal: Option<String>,
}

/// The picture, laid out.
#[derive(Serialize)]
struct Board {
    width: f64,
    height: f64,
    /// The width and height of a row.
    row: [f64; 2],
    /// The position of the heist's number.
    heist: f64,
    /// The number of the open round, from 1, and the index of its chips' colour.
    round: usize,
    colour: usize,
    vaults: Vec<Lamp>,
    alarms: Vec<Lamp>,
    effects: Vec<EffectPlace>,
    /// The number of cards in effect that do not fit.
    left: Option<LeftOutCards>,
    community: Vec<CardPlace>,
    /// The height of the chips in the middle.
    middle: f64,
    middle_chips: Vec<ChipPlace>,
    proposal: Option<ProposalLine>,
    columns: Vec<Column>,
    rows: Vec<PlayerRow>,
}

/// A vault or an alarm; lit if gold or red.
#[derive(Serialize)]
struct Lamp {
    x: f64,
    lit: bool,
}

#[derive(Serialize)]
struct EffectPlace {
    x: f64,
    y: f64,
    width: f64,
    size: f64,
    text: String,
    is_challenge: bool,
}

#[derive(Serialize)]
struct LeftOutCards {
    x: f64,
    number: usize,
}

/// A card or its empty place: its corner, and its drawing.
#[derive(Serialize)]
struct CardPlace {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    center: [f64; 2],
    face: Face,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Face {
    None,
    Down,
    Up { value: String, suit: String, y: f64, size: f64, suit_y: f64, scale: f64 },
}

#[derive(Serialize)]
struct ChipPlace {
    x: f64,
    star: Option<u8>,
    /// True if the chip can still be moved.
    loose: bool,
}

#[derive(Serialize)]
struct ProposalLine {
    y: f64,
    height: f64,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Column {
    x: f64,
    now: bool,
    line: Line,
}

/// The row of a player.
#[derive(Serialize)]
struct PlayerRow {
    y: f64,
    name: Option<Line>,
    shown: Option<ShownPlace>,
    /// The height of the chips.
    level: f64,
    chips: Vec<ChipPlace>,
    guess: Option<Line>,
    pocket: Vec<CardPlace>,
}

#[derive(Serialize)]
struct ShownPlace {
    fits: bool,
    worth: Line,
}

type Table<'a> = Drawn<'a, Report, Words>;

/// Lays out the picture.
///
/// # Errors
/// If the report or the words lack something.
pub(super) fn board(canvas: &Canvas<'_>) -> Result<Json, Error> {
    canvas.lay_out(|table: &Table<'_>| table.board())
}

impl Table<'_> {
    fn board(&self) -> Board {
        let (top, high) = (self.top(), self.high());
        let (effects, left) = self.effects();
        let players = &self.report.players;
        let title = self.canvas.letters.width(&self.words.title, 38.0);
        let foot = self.canvas.either(2.0, 20.0);
        let lamps = |number: usize, lit: usize, first: f64, step: f64| {
            (0..number).map(|at| Lamp { x: first + count(at) * step, lit: at < lit }).collect()
        };
        Board {
            width: self.canvas.either(620.0, 1080.0),
            height: top + count(players.len()) * high + foot,
            row: [self.wide(), high - 10.0],
            heist: self.canvas.either(594.0, 64.0 + title),
            round: self.colour() + 1,
            colour: self.colour(),
            vaults: lamps(self.report.vaults.needed, self.report.vaults.gold, 66.0, 68.0),
            alarms: lamps(self.report.alarms.most, self.report.alarms.red, 316.0, 76.0),
            effects,
            left,
            community: (0..5).map(|at| self.card_on_board(at)).collect(),
            middle: self.middle(),
            middle_chips: self.middle_chips(),
            proposal: self.proposal(),
            columns: self.columns(),
            rows: (0..).zip(players).map(|(at, player)| self.row(player, at)).collect(),
        }
    }

    fn colour(&self) -> usize {
        self.report.street.index()
    }

    fn side(&self) -> f64 {
        self.canvas.either(10.0, 32.0)
    }

    /// The width of a row.
    fn wide(&self) -> f64 {
        self.canvas.either(600.0, 1016.0)
    }

    /// The height of a row, with the gap after it.
    fn high(&self) -> f64 {
        self.canvas.either(176.0, 104.0)
    }

    /// The height of the community cards. The cards in effect lie beside the vaults, or in a row each below
    /// them.
    fn open(&self) -> f64 {
        self.canvas.either(218.0 + 50.0 * count(self.report.effect.len()), 196.0)
    }

    fn middle(&self) -> f64 {
        self.canvas.either(self.open() + 160.0, 200.0)
    }

    /// The height of the proposal, with the gap after it.
    fn proposed(&self) -> f64 {
        let high = self.canvas.either(98.0, 46.0);
        if self.words.proposal.is_some() { high } else { 0.0 }
    }

    /// The height at which the rows begin.
    fn top(&self) -> f64 {
        let chips = if self.report.chips { 130.0 } else { 0.0 };
        self.canvas.either(self.middle() + chips, 352.0) + self.proposed() + 44.0
    }

    /// The cards in effect that fit, and the number of those that do not.
    fn effects(&self) -> (Vec<EffectPlace>, Option<LeftOutCards>) {
        let (mut x, mut y) = (0.0, 0.0);
        let mut placed = Vec::new();
        let all = &self.report.effect;
        for effect in all {
            let place = self.effect(effect);
            if (x + place.width > 500.0 || self.canvas.narrow) && x > 0.0 {
                (x, y) = (0.0, y + 50.0);
            }
            if y >= 100.0 && !self.canvas.narrow {
                break;
            }
            placed.push(EffectPlace { x, y, ..place });
            x += placed.last().map_or(0.0, |place| place.width) + 10.0;
        }
        let left = all.len() - placed.len();
        (placed, (left > 0).then(|| LeftOutCards { x: x.min(470.0), number: left }))
    }

    fn effect(&self, effect: &Effect) -> EffectPlace {
        let name = self.canvas.letters.name(&effect.id);
        let words = match self.note(effect) {
            "" => name,
            note => format!("{name} ({note})"),
        };
        let size = self.canvas.size(&words, 27.0, 430.0);
        let width = self.canvas.letters.width(&words, size) + 52.0;
        let text = self.canvas.letters.fit(&words, size, 440.0);
        let is_challenge = effect.kind == "challenge";
        EffectPlace { x: 0.0, y: 0.0, width, size, text, is_challenge }
    }

    fn note(&self, effect: &Effect) -> &str {
        match effect.user {
            _ if effect.permanent => &self.words.always,
            Some(user) => user.name(),
            None if effect.used && effect.kind == "specialist" => &self.words.used,
            None => "",
        }
    }

    fn card_on_board(&self, at: usize) -> CardPlace {
        let x = self.side() + 4.0 + count(at) * 112.0 + self.canvas.either(16.0, 0.0);
        let face = self.report.board.get(at).map_or(Face::None, |id| up(id, 140.0));
        card(x, self.open(), [102.0, 140.0], face)
    }

    fn middle_chips(&self) -> Vec<ChipPlace> {
        let chip = |(at, star): (usize, &u8)| ChipPlace {
            x: 664.0 + count(at % 6) * 70.0,
            star: Some(*star),
            loose: false,
        };
        self.report.middle.iter().enumerate().map(chip).collect()
    }

    fn proposal(&self) -> Option<ProposalLine> {
        let text = self.words.proposal.as_ref()?;
        let y = self.top() - 44.0 - self.proposed();
        let room = self.wide() - 32.0;
        let lines = self.canvas.letters.wrap(text, 25.0, room, self.canvas.either(3, 1));
        let lines = Line::below(lines, 25.0, y + 29.0, 30.0);
        Some(ProposalLine { y, height: self.proposed() - 4.0, lines })
    }

    /// The position of the chips of a round, in every row.
    fn column(&self, at: usize) -> f64 {
        self.canvas.either(60.0, 404.0) + count(at) * 80.0
    }

    fn is_now(&self, at: usize) -> bool {
        self.report.chips && at == self.colour()
    }

    fn columns(&self) -> Vec<Column> {
        let column = |(at, word): (usize, &String)| Column {
            x: self.side() + self.column(at),
            now: self.is_now(at),
            line: self.canvas.line(word, 26.0, 76.0).at(self.top() - 14.0),
        };
        self.words.chips.iter().enumerate().map(column).collect()
    }

    fn row(&self, player: &Player, at: usize) -> PlayerRow {
        let cards = count(player.pocket.len());
        let card = if cards < 4.0 { 58.0 } else { 52.0 };
        let span = cards * (card + 8.0);
        let room = self.canvas.either(self.wide() - 16.0 - span - 88.0 - 10.0, 278.0);
        let shown = self.shown(player, room);
        let level = if shown.is_some() { 42.0 } else { 58.0 };
        let name = self.canvas.player(player.seat, 33.0, room);
        PlayerRow {
            y: self.top() + count(at) * self.high(),
            name: name.map(|name| name.at(level)),
            shown,
            level: self.canvas.either(126.0, 47.0),
            chips: self.chips(player),
            guess: player.guess.as_ref().map(|guess| self.guess(guess, cards)),
            pocket: pocket(player, self.wide() - 8.0 - span, card),
        }
    }

    /// The ranking of a hand, once it is shown.
    fn shown(&self, player: &Player, room: f64) -> Option<ShownPlace> {
        let shown = self.report.showdown.as_ref().filter(|_| player.shown)?;
        let shown = shown.rows.iter().rfind(|row| row.seat == player.seat)?;
        let letters = self.canvas.letters;
        let mut worth = letters.name(&shown.ranking);
        if shown.muscle {
            worth = format!("{worth} / {}", letters.name("muscle"));
        }
        let size = self.canvas.size(&worth, 27.0, room - 30.0);
        let text = letters.fit(&worth, size, room - 26.0);
        Some(ShownPlace { fits: shown.fits, worth: Line { y: 76.0, size, text } })
    }

    fn chips(&self, player: &Player) -> Vec<ChipPlace> {
        let ChipsInMiddle { white, yellow, orange, red } = player.chips;
        let chip = |(at, star)| ChipPlace {
            x: self.column(at),
            star,
            loose: self.is_now(at) && !player.fixed,
        };
        [white, yellow, orange, red].into_iter().enumerate().map(chip).collect()
    }

    fn guess(&self, guess: &str, cards: f64) -> Line {
        let guess = format!("“{}”", self.canvas.letters.name(guess));
        self.canvas.line(&guess, 27.0, self.canvas.either(225.0, 280.0 - cards * 66.0)).at(56.0)
    }
}

fn pocket(player: &Player, first: f64, width: f64) -> Vec<CardPlace> {
    let place = |(at, id): (usize, &Option<String>)| {
        let face = id.as_ref().map_or(Face::Down, |id| up(id, 80.0));
        card(first + count(at) * (width + 8.0), 7.0, [width, 80.0], face)
    };
    player.pocket.iter().enumerate().map(place).collect()
}

fn card(x: f64, y: f64, [width, height]: [f64; 2], face: Face) -> CardPlace {
    CardPlace { x, y, width, height, center: [width / 2.0, height / 2.0], face }
}

/// The face of a card of this height; the Jack of no suit is `J` alone.
fn up(id: &str, height: f64) -> Face {
    let (suit, value) = if id == "J" { ("", "J") } else { id.split_at(1) };
    Face::Up {
        value: value.to_owned(),
        suit: suit.to_owned(),
        y: height * 0.46,
        size: (height * 0.42).trunc(),
        suit_y: height * 0.73,
        scale: height / 84.0,
    }
}
