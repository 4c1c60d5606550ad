//! How well policies play: `cargo bench --bench policies`, or `-- GAME` for one game alone.
//!
//! Nothing here is timed: what is counted follows from the seed, on every machine.

#[allow(dead_code, reason = "a bench uses a part of it")]
#[path = "figures/mod.rs"]
mod figures;

use clap::Parser;
use serde_json::{Value as Json, json};
use shimekiri::games::find;
use shimekiri::games::simulation::{Mode, Plan, Share, Summary};
use shimekiri::terminal::simulate::play;

use figures::{Figures, thousands};

/// How well policies play
#[derive(Debug, Parser)]
struct Arguments {
    /// Which games' policies play; all if nothing is said
    games: Vec<String>,
    /// How many games of えいつく are played for a figure
    #[arg(long, default_value_t = 4000)]
    eitsuku: u64,
    /// How many of The Gang
    #[arg(long, default_value_t = 1000)]
    the_gang: u64,
    /// Cargo says so
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    let wanted =
        |game: &str| arguments.games.is_empty() || arguments.games.iter().any(|it| it == game);
    if wanted("eitsuku") {
        eitsuku(arguments.eitsuku)?;
    }
    if wanted("the_gang") {
        the_gang(arguments.the_gang)?;
    }
    Ok(())
}

/// What comes of so many games.
fn played(game: &str, games: u64, policies: &[&str], options: Json) -> Result<Summary, String> {
    let game = find(game).ok_or("there is no such game")?;
    let policies: Vec<_> = policies.iter().map(|&name| name.into()).collect();
    let rotate = policies.windows(2).any(|pair| pair[0] != pair[1]);
    let plan = Plan { seed: 1, mode: Mode::Quick, policies, rotate, options };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let counted = play(game, &plan, games, threads, &|_| {}).map_err(|why| why.to_string())?;
    Ok(counted.summary())
}

/// A share in percent, with the ends of its 95 % interval.
fn percent(share: &Share) -> String {
    let [value, low, high] = [share.value, share.low, share.high].map(|part| 100.0 * part);
    format!("{value:.1} % ({low:.1}–{high:.1})")
}

/// One seat against three others.
fn eitsuku(games: u64) -> Result<(), String> {
    let mut figures = Figures::new("policies of eitsuku", "bench --bench policies -- eitsuku");
    for (one, others) in [("house", "greedy"), ("house", "random"), ("greedy", "random")] {
        let summary = played("eitsuku", games, &[one, others, others, others], Json::Null)?;
        let side = summary.policies.iter().find(|side| side.name == one).ok_or("nobody played")?;
        let what = format!("wins of one `{one}` among three `{others}`, {} games", count(games));
        figures.add([what, percent(&side.share)]);
    }
    figures.tell()
}

/// Heists that players carry out.
fn the_gang(games: u64) -> Result<(), String> {
    let heads = ["policy, mode", "3 players", "4", "5", "6"];
    let command = "bench --bench policies -- the_gang";
    let mut figures = Figures::with_heads("policies of the_gang", command, &heads);
    let rows = [
        ("house", "basic"),
        ("house", "advanced"),
        ("house", "professional"),
        ("house", "master"),
        ("random", "basic"),
        ("random", "master"),
    ];
    for (policy, mode) in rows {
        let mut row = vec![format!("`{policy}`, {mode}, {} games", count(games))];
        for seats in 3..=6 {
            let summary = played("the_gang", games, &vec![policy; seats], json!({ "mode": mode }))?;
            let heists = summary.tallies.iter().find(|group| group.group == "heists");
            let won = heists.and_then(|group| group.members.iter().find(|one| one.id == "won"));
            let share = won.map_or(0.0, |won| won.share.value);
            row.push(format!("{:.1} %", 100.0 * share));
        }
        figures.add(row);
    }
    figures.tell()
}

fn count(games: u64) -> String {
    thousands(usize::try_from(games).unwrap_or(usize::MAX))
}
