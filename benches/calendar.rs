//! The days of a whole game by post: `cargo bench --bench calendar`.
//!
//! Nothing is timed: six people of the model, or as many as the game takes, play by the policy `house` and
//! look after 3 waking hours on average, and the results follow from the seed, on every machine.

use std::process::Command;

use games::GAMES;
use serde_json::Value as Json;

use kit::figures::Figures;

/// The number of games for each game and share of people with orders.
const GAMES_PLAYED: &str = "20";

/// The number of people at a table, if the game takes so many.
const PEOPLE: usize = 6;

fn main() -> Result<(), String> {
    let heads = ["game, people with orders", "windows", "days, median", "nine in ten"];
    let mut figures = Figures::with_heads("calendar", "bench --bench calendar", &heads);
    for game in GAMES {
        let played = played(game.key(), PEOPLE.min(*game.seats().end()))?;
        for row in played["rows"].as_array().into_iter().flatten() {
            let what = format!("`{}`, {} %", game.key(), row["orders"]);
            let [windows, median, ninety] =
                ["/windows", "/days/median", "/days/ninety"].map(|at| number(row, at));
            figures.add([what, windows, median, ninety]);
        }
    }
    figures.tell()
}

/// Returns the program's statistics of a game by post.
fn played(game: &str, people: usize) -> Result<Json, String> {
    let people = people.to_string();
    let said =
        ["simulate", game, "--calendar", "--json", "--seats", &people, "--games", GAMES_PLAYED];
    let output = Command::new(kit::program::path())
        .args(said)
        .args(["--policy", "house", "--look", "3"])
        .output()
        .map_err(|why| why.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|why| why.to_string())
}

fn number(row: &Json, at: &str) -> String {
    row.pointer(at).and_then(Json::as_f64).map_or("–".to_owned(), |number| format!("{number:.1}"))
}
