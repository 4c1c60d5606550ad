//! `shimekiri simulate`: policies play many games, for a designer's statistics.
//!
//! The games are spread over all cores. The counts follow from the seed alone; the measured times are
//! separate from them.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{ArgPredicate, PossibleValuesParser, TypedValueParser};
use serde::Serialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::check::sets;
use super::counted::plot::{WinShare, chart};
use super::misuse::{self, Console, Done, Misuse, explained};
use super::texts::{BadSet, NoSets, NotSvg, NotTwoValues, SeatsAndPolicies};
use super::{Exit, TerminalText};
use games::any::AnyGame;
use games::simulation::{Mode, Plan, Side};
use rules::text::Lang;

mod comparison;
mod pairings;
pub(crate) mod playing;
mod values;

use comparison::ComparisonDocument;
use pairings::PairingsDocument;
use playing::measure;
pub use playing::{SimulationDocument, SimulationTiming, play};

const VERB: &str = "simulate";
/// The default number of games.
const GAMES_PLAYED: u64 = 1000;

/// The arguments of `shimekiri simulate`.
#[derive(Clone, Debug, clap::Args)]
pub struct SimulateArguments {
    /// The game
    pub game: String,
    /// The number of games [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// The policy of all seats, or a list with one for each seat: house,greedy,greedy [default:
    /// random; house with --decks]
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "random",
        default_value_if("decks", ArgPredicate::IsPresent, "house"),
        hide_default_value = true,
        value_delimiter = ','
    )]
    pub policy: Vec<String>,
    /// True to move the policies on by one seat from game to game [default: true for a list]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    pub rotate: Option<bool>,
    /// The way in which bots answer: on the fly, or declared as people do
    #[arg(long, default_value = "quick", value_parser = mode_parser())]
    pub mode: Mode,
    /// The seed of all dice and shuffles, as a number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// The number of players [default: as many as the list has, or 4]
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Options of the game, as NAME=VALUE or in words; can be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// The set of cards, a file
    #[arg(long, value_name = "FILE.toml")]
    pub set: Option<PathBuf>,
    /// Instead: every pairing of these ready-made decks, so many games each; all, or a list
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["plot", "rotate"])]
    pub decks: Vec<String>,
    /// Also: the results of seats with and without each card or choice
    #[arg(long, conflicts_with = "decks")]
    pub worth: bool,
    /// Instead: the plan with one option at two values, and the difference: NAME=A,B
    #[arg(long, value_name = "NAME=A,B", conflicts_with_all = ["decks", "plot", "worth"])]
    pub compare: Option<String>,
    /// One JSON document instead of tables
    #[arg(long)]
    pub json: bool,
    /// Rows of comma-separated values instead of tables: table, name, measure, value, 95 % from, to
    #[arg(long, conflicts_with_all = ["json", "decks"])]
    pub csv: bool,
    /// Also draw a chart to this file
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
}

fn mode_parser() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(["quick", "sealed"])
        .map(|word| if word == "sealed" { Mode::Sealed } else { Mode::Quick })
}

/// Runs the verb. Tables or JSON go to `out`, complaints to `complaints`.
pub fn run(
    args: &SimulateArguments,
    lang: Lang,
    out: &mut (dyn Write + Send),
    complaints: &mut dyn Write,
) -> io::Result<Exit> {
    let voice = &TerminalText::new(lang);
    explained(count(args, &mut Console { voice, out }), voice, complaints)
}

/// Counts many games.
pub(super) fn count(args: &SimulateArguments, console: &mut Console<'_>) -> Done {
    let voice = console.voice;
    let (game, plan) = read(args, voice)?;
    if !args.decks.is_empty() {
        let games = args.games.unwrap_or(GAMES_PLAYED);
        let document = pairings::play(&args.decks, game, plan, games, voice.lang)?;
        return tell_pairings(&document, args, console);
    }
    if let Some(option) = &args.compare {
        return compare(option, args, console);
    }
    // A fault of the chart's path is reported before the long computation.
    if let Some(path) = &args.plot
        && path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("svg"))
    {
        return Err(Misuse::from(NotSvg { path: path.display().to_string() }).into());
    }
    let plot = args.plot.as_deref().map(Misuse::chart).transpose()?;
    let measured = measure(game, &plan, args.games.unwrap_or(GAMES_PLAYED));
    let (statistics, timing) = measured.map_err(|error| misuse::unplayable(game, error))?;
    let finding = !statistics.unfinished().is_empty();
    let document =
        SimulationDocument { game: game.key(), plan, statistics: statistics.summary(), timing };
    // The chart comes first, since the reader of the output may stop reading.
    if let Some(mut file) = plot {
        file.write_all(plot_svg(&document, voice).as_bytes())?;
    }
    if args.csv {
        console.write(&values::of_simulation(&document).map_err(io::Error::other)?)?;
    } else {
        let report = Report { worth: args.worth, document: &document };
        console.document(args.json, &document, || Ok(voice.say(VERB, "report", &report)))?;
    }
    Ok(if finding { Exit::Finding } else { Exit::Fine })
}

/// The data of the template for a simulation.
#[derive(Debug, Serialize)]
struct Report<'a> {
    /// True to show the results with and without each card or choice.
    worth: bool,
    #[serde(flatten)]
    document: &'a SimulationDocument,
}

/// Plays the plan with both values of an option.
fn compare(option: &str, args: &SimulateArguments, console: &mut Console<'_>) -> Done {
    let voice = console.voice;
    let (option, values) = option.split_once('=').unwrap_or((option, ""));
    let both: Vec<String> =
        values.split([',', '、', '，']).map(|it| it.trim().to_owned()).collect();
    let Ok(values) = <[String; 2]>::try_from(both) else {
        return Err(Misuse::from(NotTwoValues { option }).into());
    };
    let games = args.games.unwrap_or(GAMES_PLAYED);
    let measure = |value: &String| {
        let mut args = args.clone();
        args.options.push(format!("{option}={value}"));
        let (game, plan) = read(&args, voice)?;
        let measured = measure(game, &plan, games);
        let (statistics, _) = measured.map_err(|error| misuse::unplayable(game, error))?;
        Ok::<_, Misuse>((game.key(), plan, statistics.summary()))
    };
    let ((game, plan, first), (.., second)) = (measure(&values[0])?, measure(&values[1])?);
    let rows = comparison::compare(&first, &second);
    let unfinished = first.unfinished.len() + second.unfinished.len();
    let option = option.to_owned();
    let document = ComparisonDocument { game, plan, games, option, values, unfinished, rows };
    if args.csv {
        console.write(&values::of_comparison(&document).map_err(io::Error::other)?)?;
    } else {
        console.document(args.json, &document, || Ok(voice.say(VERB, "comparison", &document)))?;
    }
    Ok(if unfinished > 0 { Exit::Finding } else { Exit::Fine })
}

/// Parses the game and the plan.
fn read(
    args: &SimulateArguments,
    voice: &TerminalText,
) -> Result<(&'static dyn AnyGame, Plan), Misuse> {
    let game = bound(misuse::game(&args.game)?, args, voice)?;
    for name in &args.policy {
        misuse::policy(game, name)?;
    }
    let options = match args.options.as_slice() {
        [] => Json::Null,
        input => misuse::options(game, input)?,
    };
    let policies: Vec<SmolStr> = match (args.policy.as_slice(), args.seats) {
        ([all], seats) => {
            let supposed = game.seats_for(&options);
            let (least, most) = (*game.seats().start(), *game.seats().end());
            let requested = seats.unwrap_or(supposed.clamp(least, most));
            if !game.seats().contains(&requested) {
                return Err(Misuse::seats(game, requested));
            }
            vec![all.into(); requested]
        }
        (list, Some(seats)) if seats != list.len() => {
            return Err(SeatsAndPolicies { seats, policies: list.len() }.into());
        }
        (list, _) => list.iter().map(SmolStr::from).collect(),
    };
    let seats = policies.len();
    game.check_options(&options, seats).map_err(|error| misuse::unopened(game, &error))?;
    let options = game.fitted(&options, seats);
    let rotate = args.rotate.unwrap_or(args.policy.len() > 1);
    Ok((game, Plan { seed: args.seed, mode: args.mode, policies, rotate, options }))
}

/// Returns the game, with the set of cards that the arguments name.
fn bound(
    game: &'static dyn AnyGame,
    args: &SimulateArguments,
    voice: &TerminalText,
) -> Result<&'static dyn AnyGame, Misuse> {
    let Some(path) = &args.set else { return Ok(game) };
    let file = &*path.display().to_string();
    let Some(sets) = game.sets() else {
        return Err(NoSets { game: game.key(), file }.into());
    };
    let set = sets::learn(path, sets).map_err(|faults| {
        let faults = faults.iter().map(|fault| fault.written(voice)).collect();
        Misuse::from(BadSet { file, faults })
    })?;
    Ok(game.bound_to(set))
}

/// Writes the statistics of all pairings.
fn tell_pairings(
    document: &PairingsDocument,
    args: &SimulateArguments,
    console: &mut Console<'_>,
) -> Done {
    let voice = console.voice;
    console.document(args.json, document, || Ok(voice.say(VERB, "pairings", document)))?;
    Ok(if document.unfinished > 0 { Exit::Finding } else { Exit::Fine })
}

/// Draws the chart of the scores and the shares.
fn plot_svg(document: &SimulationDocument, voice: &TerminalText) -> String {
    let say = |what: &str| voice.say(VERB, what, document).trim().to_owned();
    let statistics = &document.statistics;
    // A single policy would have all the wins, which is left out.
    let policies = statistics.policies.iter().filter(|_| statistics.policies.len() > 1);
    let sides = (statistics.seats.iter().map(|side| (side, false)))
        .chain(policies.map(|side| (side, true)));
    let line = |(side, plays): (&Side, bool)| WinShare {
        name: side.name.to_string(),
        plays,
        share: side.share,
        expected: Some(side.expected),
        label: voice.say(VERB, "plot_share", side).trim().to_owned(),
    };
    let finished = statistics.games - statistics.unfinished.len() as u64;
    let shared = (finished == statistics.shared).then_some(finished);
    let shared = shared.map(|games| (document.game, &*statistics.tallies, games));
    chart(voice, say, statistics.scores.as_ref(), shared, || sides.map(line).collect())
}
