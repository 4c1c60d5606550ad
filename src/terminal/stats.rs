//! `shimekiri stats`: statistics of the tables that are over.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::counted::plot::{Chart, WinShare, ends};
use super::counted::{NamedGroup, game_name, named};
use super::misuse::{self, Misuse};
use super::services::open;
use super::texts::{Uncounted, UnwritablePicture};
use super::why::why;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use desk::{
    Days, Desk, Ends, GameStatistics, PersonStatistics, PlayerResult, RatedPlayer, Statistics,
    StatisticsFilter, clock,
};
use games::GAMES;
use rules::text::Lang;
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
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Runs the verb. Tables or JSON go to `out`, complaints to `complaints`.
pub async fn run(
    args: &StatsArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let (statistics, plot) = match found(args, config).await {
        Ok(found) => found,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    // The chart comes first, since the reader of `out` may stop reading.
    if let Some((game, mut file)) = statistics.games.first().zip(plot) {
        file.write_all(picture(game, &voice).as_bytes())?;
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *out, &statistics)?;
        out.write_all(b"\n")?;
    } else if statistics.tables.all() == 0 {
        let which = NoTables { person: args.person.as_deref(), game: args.game.as_deref() };
        out.write_all(voice.say(VERB, "none", &which).as_bytes())?;
    } else {
        out.write_all(voice.say(VERB, "report", &report(&statistics, &voice)).as_bytes())?;
    }
    Ok(Exit::Fine)
}

/// Returns the statistics with the names of all tallies.
fn report<'a>(statistics: &'a Statistics, voice: &TerminalText) -> StatisticsReport<'a> {
    let game = |game: &'a GameStatistics| {
        let tallies = named(&game.game, &game.tallies, voice.lang);
        ReportedGame { statistics: game, tallies }
    };
    let Statistics { tables, games, people } = statistics;
    StatisticsReport { tables, games: games.iter().map(game).collect(), people }
}

/// The filter that matches no table.
#[derive(Debug, Serialize)]
struct NoTables<'a> {
    person: Option<&'a str>,
    game: Option<&'a str>,
}

/// The data of the template.
#[derive(Debug, Serialize)]
struct StatisticsReport<'a> {
    tables: &'a Ends,
    games: Vec<ReportedGame<'a>>,
    people: &'a [PersonStatistics],
}

/// A game's statistics with the names of its tallies.
#[derive(Debug, Serialize)]
struct ReportedGame<'a> {
    #[serde(flatten)]
    statistics: &'a GameStatistics,
    tallies: Vec<NamedGroup>,
}

/// The data of the texts in a game's chart.
#[derive(Debug, Serialize)]
struct DrawnGame<'a> {
    game: String,
    tables: u32,
    days: Option<&'a Days>,
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
    let plot = args.plot.as_ref().filter(|_| !statistics.games.is_empty());
    let plot = plot.map(|path| {
        let unwritable = |error: io::Error| UnwritablePicture {
            path: path.display().to_string(),
            why: why(&error),
        };
        File::create(path).map_err(|error| Misuse::from(unwritable(error)))
    });
    Ok((statistics, plot.transpose()?))
}

/// Draws the chart of the scores and of the shares of seats and players.
fn picture(game: &GameStatistics, voice: &TerminalText) -> String {
    let say = |what: &str, it: &DrawnGame<'_>| voice.say(VERB, what, it).trim().to_owned();
    let of_side = |what: &str, it: &PlayerResult| voice.say(VERB, what, it).trim().to_owned();
    let line = |side: &PlayerResult| WinShare {
        name: of_side("who", side),
        plays: !matches!(side.who, RatedPlayer::Seat(_)),
        share: side.share,
        expected: Some(side.expected),
        label: of_side("plot_share", side),
    };
    let (named, days) = (game_name(&game.game, voice.lang), game.days.as_ref());
    let it = DrawnGame { game: named, tables: game.tables, days };
    let shared = Some(game.tables).filter(|tables| *tables == game.shared);
    let ends = |tables: u32| ends(&game.game, &game.tallies, tables.into(), voice.lang);
    let (shares_of, lines) = match shared.and_then(ends) {
        Some((title, lines)) => (Some(title), lines),
        None => (None, game.seats.iter().chain(&game.players_by_name).map(line).collect()),
    };
    let chart = Chart {
        title: say("plot_title", &it),
        subtitle: say("plot_subtitle", &it),
        scores: game.scores.as_ref(),
        shares_of,
        lines,
        plays: say("plot_plays", &it),
    };
    chart.draw(voice)
}
