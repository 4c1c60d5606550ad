//! The arguments of `shimekiri play`.

use crate::misuse;
use clap::ColorChoice;
use games::GAMES;
use rules::Seat;
use rules::seat::NoSuchSeat;
use rules::text;
use tables::ResultForm;

/// The arguments of `shimekiri play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArguments {
    /// The game; not with --resume or --table
    #[arg(conflicts_with_all = ["resume", "table"])]
    pub game: Option<String>,
    /// Continue your newest unfinished table
    #[arg(long, conflicts_with = "table")]
    pub resume: bool,
    /// Join the table with this code, or continue there
    #[arg(long, value_name = "CODE")]
    pub table: Option<String>,
    /// With --table, take over this seat, such as P2, if it needs a replacement or you are invited
    #[arg(long, value_name = "SEAT", requires = "table", value_parser = seat)]
    pub take: Option<Seat>,
    /// The seat to sit on, such as P2, if it is free [default: the first free seat]
    #[arg(long = "seat", value_name = "SEAT", conflicts_with_all = ["resume", "take"])]
    pub chair: Option<String>,
    /// Your name at the table; use the same name to come back
    #[arg(
        long = "as",
        visible_alias = "name",
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub name: String,
    /// Words of your own to mix into the seed [default: drawn at random]
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["resume", "take"])]
    pub value: Option<String>,
    /// The number of players, including you [default: 4, or the nearest that the game is for]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "table"])]
    pub seats: Option<usize>,
    /// How many of them are people: with more than one, the table waits for "start", anybody may take
    /// a free seat until then, and bots take the rest
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["resume", "table"])]
    pub people: usize,
    /// Begin as soon as every seat is taken, instead of waiting for "start"
    #[arg(long, conflicts_with_all = ["resume", "table"])]
    pub begin_when_full: bool,
    /// The form of results: short (what changed) or full (the whole form of the source)
    #[arg(long, value_name = "FORM", default_value_t, conflicts_with_all = ["resume", "table"])]
    pub results: ResultForm,
    /// When windows close: 10m, 2h, "daily 21:00", "weekdays 22:00", …
    /// [default: 7d, or the configured pace with more than one person]
    #[arg(long, value_name = "PACE", conflicts_with_all = ["resume", "table"])]
    pub pace: Option<String>,
    /// The seed of all dice and shuffles, as a number [default: drawn at random]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "table"])]
    pub seed: Option<u64>,
    /// Colours: always, never, or where the terminal can [default: auto]
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub color: ColorChoice,
    /// The policy of the bots: random, or one of the game
    #[arg(long, value_name = "POLICY", default_value = "house")]
    pub house: String,
    /// Options of the game, as NAME=VALUE or in words; can be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", conflicts_with_all = ["resume", "table"])]
    pub options: Vec<String>,
}

impl PlayArguments {
    /// Returns the number of players: the requested one, or else the default of the game with its options.
    pub(super) fn chairs(&self) -> usize {
        let game = self.game.as_deref().and_then(games::find).unwrap_or(GAMES[0]);
        let options = || misuse::options(game, &self.options).unwrap_or_default();
        self.seats.unwrap_or_else(|| game.seats_for(&options()))
    }
}

/// Parses a seat.
fn seat(input: &str) -> Result<Seat, NoSuchSeat> {
    text::fold(input.trim()).to_uppercase().parse()
}
