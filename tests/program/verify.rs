//! The independent verification of a game's file: by the program on another machine, and by another program
//! that was written from the documents alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use desk::TableFile;
use games::GAMES;
use games::any::TableOptionsError;
use kit::database::Database;
use kit::program::{Running, code_in, shimekiri};
use serde_json::Value as Json;

/// The number of bytes that are changed, one at a time.
const CHANGES: usize = 30;

/// The end of a game's last letter.
const END: &str = "Seed:";

/// The text of a window without seals.
const OPENLY: &str = "you can do now";

/// The option with which only the host closes windows, whatever bot players do.
const HELD: &str = "early=off";

/// The window at which the host ends a game in the suite: with options, and without. The first game is played
/// to its end.
const LONGEST: [usize; 2] = [3, 7];

/// The setup of a table, as arguments of the terminal.
#[derive(Debug)]
struct Mode {
    game: &'static str,
    seats: usize,
    options: Vec<String>,
}

/// Returns setups of every game: the fewest players and default options, and then the fewest and the most in
/// turn, with the values of each option in turn, until those of the longest option were used. An option that
/// has no effect with the others is left out.
fn modes() -> Vec<Mode> {
    let of = |game: &'static dyn games::any::AnyGame| {
        let ends = [*game.seats().start(), *game.seats().end()];
        let plain = Mode { game: game.key(), seats: ends[0], options: Vec::new() };
        let options = game.options(&Json::Null);
        let most = options.iter().map(|set| set.option.values.len()).max().unwrap_or_default();
        let set = (0..most).map(move |turn| {
            let others = options.iter().filter(|set| !HELD.starts_with(set.option.key));
            let values = others.map(|set| {
                let values = set.option.values;
                format!("{}={}", set.option.key, values[turn % values.len()])
            });
            let held = options.iter().any(|set| HELD.starts_with(set.option.key));
            let mut options: Vec<String> = values.chain(held.then(|| HELD.to_owned())).collect();
            let read = |options: &[String]| -> Json {
                games::options_line::read(game, &options.join(",")).unwrap().into()
            };
            let mut said = read(&options);
            let is_idle = |said: &Json| match game.check_options(said, game.seats_for(said)) {
                Err(TableOptionsError::Idle { option, .. }) => Some(option.key),
                _ => None,
            };
            while let Some(idle) = is_idle(&said) {
                options.retain(|option| !option.starts_with(&format!("{idle}=")));
                said = read(&options);
            }
            let end = ends[(turn + 1) % 2];
            let is_for_it = game.check_options(&said, end).is_ok();
            let seats = if is_for_it { end } else { game.seats_for(&said) };
            Mode { game: game.key(), seats, options }
        });
        std::iter::once(plain).chain(set).collect::<Vec<_>>()
    };
    GAMES.iter().flat_map(|game| of(*game)).collect()
}

/// Returns the game master's decisions in a window, before the host seals.
fn decisions(window: usize) -> &'static [&'static str] {
    match window {
        1 => &["gm rule It stands.", "gm yes the rules are silent"],
        2 => &["gm die P1 last set action: again", "gm yes it fell off the table"],
        3 => &["gm choose P2 5A", "gm yes they told me", "gm skip P2 last", "gm yes as agreed"],
        4 => &["gm rollback 3", "gm yes all of it was misread"],
        5 => &["gm skip P1", "gm yes as agreed"],
        _ => &[],
    }
}

/// Plays a game with decisions of the game master, and returns the code of its table.
fn play(url: &str, mode: &Mode) -> String {
    let Mode { game, seats, options } = mode;
    let words = format!("play {game} --seats {seats} --lang en --as kaede --house random");
    let mut command = shimekiri(url, &words);
    command.args(["--value", "a word of my own"]);
    command.args(options.iter().flat_map(|option| ["--option", option]));
    let mut running = Running::start(command);
    let mut said = running.hear("Deadline:");
    'game: for window in 0.. {
        for decision in decisions(window).chunks(2) {
            running.type_lines(decision);
            // A decision without effect is refused, and so is any after bots have played to the end.
            // An attempt that a player could not know to be impossible is on record.
            let tried = "The attempt is on record";
            let answers = ["Done: GM action #", "no action to carry out yet", tried, END];
            said += &running.hear_one_of(&answers);
            if said.ends_with(END) {
                break 'game;
            }
        }
        let longest = LONGEST[usize::from(options.is_empty())];
        let is_whole = options.is_empty() && *game == GAMES[0].key();
        if !is_whole && window == kit::cases(longest, usize::MAX) {
            running.type_lines(&["gm end", "gm yes the evening is over"]);
            running.hear(END);
            break;
        }
        running.type_lines(&["questions"]);
        // Windows that wait for bot players alone close by themselves, up to the end.
        let asked = ["Still open", "Everything is filled in", "nothing to choose now", OPENLY, END];
        let heard = running.hear_one_of(&asked);
        let only_acts = heard.ends_with(OPENLY);
        said += &heard;
        if said.ends_with(END) {
            break;
        }
        // An empty declaration is sealed by the second command.
        running.type_lines(&["seal", "seal"]);
        if only_acts || !options.is_empty() {
            running.type_lines(&["close", "close"]);
        }
        said += &running.hear_one_of(&["Deadline:", END]);
        if said.ends_with(END) {
            break;
        }
    }
    assert_eq!(running.end().1, Some(0));
    code_in(&said).to_owned()
}

/// Runs the program. Returns its output and its exit code.
fn say(url: &str, words: &str) -> (String, Option<i32>) {
    Running::start(shimekiri(url, words)).end()
}

pub(crate) fn export(database: &Database, code: &str) -> PathBuf {
    let file = database.folder.path().join(format!("{code}.jsonl"));
    let (told, ended) = say(&database.url, &format!("export {code} {} --lang en", file.display()));
    assert_eq!(ended, Some(0), "{told}");
    file
}

/// Returns the report of the other verifier on files, and true if it found no fault; `None` if it cannot be
/// run.
pub(crate) fn other(files: &[PathBuf]) -> Option<(String, bool)> {
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify.py");
    let run = Command::new("python3").arg(verifier).args(files).output();
    let Ok(output) = run else {
        #[expect(clippy::print_stderr, reason = "whoever runs the tests should know")]
        {
            eprintln!("skipped: this machine has no Python");
        }
        return None;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((said + &String::from_utf8_lossy(&output.stderr), output.status.success()))
}

/// Plays a game and verifies its file without the database of the game.
fn is_as_it_was_told(mode: &Mode, database: &Database, elsewhere: &Database) {
    let code = play(&database.url, mode);
    let file = export(database, &code);
    let verify = format!("verify {} --lang en", file.display());
    let (told, ended) = say("sqlite:/nowhere/at/all.db", &verify);
    assert!(ended == Some(0) && told.contains("OK:"), "{told}");
    if let Some((said, is_sound)) = other(std::slice::from_ref(&file)) {
        assert!(is_sound && said.starts_with("OK"), "{mode:?}: {said}");
    }
    let (told, ended) = say(&elsewhere.url, &format!("import {} --lang en", file.display()));
    assert_eq!(ended, Some(0), "{told}");
    let (told, ended) = say(&elsewhere.url, &format!("verify {code} --lang en"));
    assert!(ended == Some(0) && told.contains("OK:"), "{told}");
}

/// Each game mostly waits for its letters, so several are played concurrently.
#[tokio::test(flavor = "multi_thread", worker_threads = 5)]
async fn a_game_of_every_mode_is_as_it_was_told() {
    let mut games = Vec::new();
    for mode in modes() {
        games.push((mode, Database::fresh().await, Database::fresh().await));
    }
    // A running game blocks its thread, so all databases exist before.
    let played = games.into_iter().map(|(mode, database, elsewhere)| async move {
        is_as_it_was_told(&mode, &database, &elsewhere);
    });
    played.collect::<tokio::task::JoinSet<()>>().join_all().await;
}

#[tokio::test]
async fn every_changed_byte_is_noticed_by_both() {
    let database = Database::fresh().await;
    let mode = modes().remove(0);
    let code = play(&database.url, &mode);
    let file = export(&database, &code);
    let bytes = std::fs::read(&file).unwrap();
    assert!(TableFile::read(&bytes).is_ok());
    let changed = |change: usize| {
        let mut changed = bytes.clone();
        changed[bytes.len() * change / CHANGES] ^= 1 << (change % 7);
        changed
    };
    for change in 0..CHANGES {
        assert!(TableFile::read(&changed(change)).is_err(), "change {change}");
    }
    let batches: Vec<usize> = (0..CHANGES).collect();
    for batch in batches.chunks(50) {
        let write = |change: &usize| {
            let path = database.folder.path().join(format!("changed-{change}.jsonl"));
            std::fs::write(&path, changed(*change)).unwrap();
            path
        };
        let files: Vec<PathBuf> = batch.iter().map(write).collect();
        let Some((said, is_sound)) = other(&files) else { return };
        let is_ok = said.lines().any(|line| line.starts_with("OK"));
        assert!(!is_sound && !is_ok, "{said}");
        assert_eq!(said.lines().count(), files.len(), "{said}");
        for file in files {
            std::fs::remove_file(file).unwrap();
        }
    }
}
