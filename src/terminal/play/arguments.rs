//! What can be said to `shimekiri play`.

use crate::rules::Seat;
use crate::rules::seat::NoSuchSeat;
use crate::rules::text::{self, Lang};
use crate::tables::ResultForm;

/// What can be said to `shimekiri play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArguments {
    /// The game, by its word; not with --resume or --table
    #[arg(conflicts_with_all = ["resume", "table"])]
    pub game: Option<String>,
    /// Go on with your newest table that is not over
    #[arg(long, conflicts_with = "table")]
    pub resume: bool,
    /// Join the table of this code, or go on there
    #[arg(long, value_name = "CODE")]
    pub table: Option<String>,
    /// With --table, take this seat, such as P2: a player is sought for it, or you are asked to
    #[arg(long, value_name = "SEAT", requires = "table", value_parser = seat)]
    pub take: Option<Seat>,
    /// What you are called at the table, and known by when you come back
    #[arg(
        long = "as",
        visible_alias = "name",
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub name: String,
    /// Words of your own that are mixed into the dice for your seat [default: drawn]
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["resume", "take"])]
    pub value: Option<String>,
    /// How many play, you among them
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with_all = ["resume", "table"])]
    pub seats: usize,
    /// How many people will play: one begins at once; with more, the table waits for "start", anybody
    /// may sit down on a free chair until then, and house players take the rest
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["resume", "table"])]
    pub people: usize,
    /// Begin as soon as somebody sits on every chair, instead of waiting for "start"
    #[arg(long, conflicts_with_all = ["resume", "table"])]
    pub begin_when_full: bool,
    /// How results are told: short, what changed; or full, the whole form of the source
    #[arg(long, value_name = "FORM", default_value_t, conflicts_with_all = ["resume", "table"])]
    pub results: ResultForm,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
    /// When windows close: 10m, 2h, "daily 21:00", "weekdays 22:00", …
    /// [default: 7d, or the configured pace with more than one person]
    #[arg(long, value_name = "PACE", conflicts_with_all = ["resume", "table"])]
    pub pace: Option<String>,
    /// The number that all chance follows from [default: drawn]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "table"])]
    pub seed: Option<u64>,
    /// Who the others are: random, or a policy of the game
    #[arg(long, value_name = "POLICY", default_value = "house")]
    pub house: String,
    /// An option of the game, as NAME=VALUE; can be said several times
    #[arg(long = "option", value_name = "NAME=VALUE", conflicts_with_all = ["resume", "table"])]
    pub options: Vec<String>,
}

/// A seat, as somebody types it.
fn seat(said: &str) -> Result<Seat, NoSuchSeat> {
    text::fold(said.trim()).to_uppercase().parse()
}
