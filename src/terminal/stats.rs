//! `shimekiri stats`: statistics of the tables that are over.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use serde_json::json;

use super::TerminalText;
use super::counted::plot::{WinShare, chart};
use super::misuse::{self, Console, Done, Misuse};
use super::services::open;
use super::texts::Uncounted;
use super::why::why;
use crate::config::Config;
use desk::{Desk, GameStatistics, PlayerResult, RatedPlayer, Statistics, StatisticsFilter, clock};
use games::GAMES;
use store::Access;

const VERB: &str = "stats";

/// The arguments of `shimekiri stats`.
#[derive(Clone, Debug, clap::Args)]
pub struct StatsArguments {
    /// Only tables of this game
    #[arg(long, value_name = "WORD")]
    pub game: Option<String>,
    /// Only tables of the player with this name (the name at their last table)
    #[arg(long, value_name = "NAME")]
    pub person: Option<String>,
    /// One JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// Also draw a chart of the game with the most tables to this file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

/// Writes tables or JSON, and the chart.
pub(super) async fn run(args: &StatsArguments, config: &Config, console: &mut Console<'_>) -> Done {
    let (statistics, plot) = found(args, config).await?;
    let voice = console.voice;
    // The chart comes first, since the reader of the output may stop reading.
    if let Some((game, mut file)) = statistics.games.first().zip(plot) {
        file.write_all(picture(game, voice).as_bytes())?;
    }
    console.document(args.json, &statistics, || {
        if statistics.tables.all() > 0 {
            return Ok(voice.say(VERB, "report", &statistics));
        }
        let which = json!({ "person": args.person, "game": args.game });
        Ok(voice.say(VERB, "none", &which))
    })
}

/// Returns the statistics, and the file of the chart if there is one.
async fn found(
    args: &StatsArguments,
    config: &Config,
) -> Result<(Statistics, Option<File>), Misuse> {
    if let Some(input) = &args.game {
        misuse::game(input)?;
    }
    let store = open(config, Access::Read).await?;
    let which = StatisticsFilter { game: args.game.clone(), person: args.person.clone() };
    let counted = desk::statistics(&Desk::new(store.clone(), GAMES), &which, clock::now()).await;
    store.close().await;
    let unread = |error: desk::NotDone| -> Misuse { Uncounted { why: why(&error) }.into() };
    let statistics = counted.map_err(unread)?;
    let plot = args.plot.as_deref().filter(|_| !statistics.games.is_empty());
    Ok((statistics, plot.map(Misuse::chart).transpose()?))
}

/// Draws the chart of the scores and of the shares of seats and players.
fn picture(game: &GameStatistics, voice: &TerminalText) -> String {
    let say = |what: &str| voice.say(VERB, what, game).trim().to_owned();
    let of_side = |what: &str, it: &PlayerResult| voice.say(VERB, what, it).trim().to_owned();
    let line = |side: &PlayerResult| WinShare {
        name: of_side("who", side),
        plays: !matches!(side.who, RatedPlayer::Seat(_)),
        share: side.share,
        expected: Some(side.expected),
        label: of_side("plot_share", side),
    };
    let shared = (game.tables == game.shared).then_some(u64::from(game.tables));
    let shared = shared.map(|tables| (&*game.game, &*game.tallies, tables));
    let sides = || game.seats.iter().chain(&game.players_by_name).map(line).collect();
    chart(voice, say, game.scores.as_ref(), shared, sides)
}
