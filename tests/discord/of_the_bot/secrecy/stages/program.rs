//! The program with the test game: the test binary itself, in a process of its own.

use std::process::Command;

use discord::BotToken;
use games::any::AnyGame;
use rules::text::Lang;
use terminal::Exit;
use terminal::config::Config;
use terminal::serve::{self, ServeArguments};

use kit::program::shimekiri_at;
use kit::stages_game::STAGES;

/// The games of both worlds.
pub(super) const GAMES: &[&dyn AnyGame] = &[STAGES];

/// The environment variable that makes the process the program.
const IS_PROGRAM: &str = "SHIMEKIRI_TEST_IS_PROGRAM";

/// The letters of the test game, in a folder laid out like `templates/`.
const LETTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/discord/letters");

/// Returns the command of `shimekiri serve` with other games.
pub(super) fn serving(url: &str) -> Command {
    let this = std::env::current_exe().unwrap();
    let (_, module) = module_path!().split_once("::").unwrap();
    let words = format!("--exact {module}::serves --nocapture");
    let mut command = shimekiri_at(this.to_str().unwrap(), url, &words);
    command.env(IS_PROGRAM, "1").env("SHIMEKIRI_LETTERS_FOLDER", LETTERS);
    command
}

/// The body of the process that [`serving`] starts; not a test.
#[tokio::test(flavor = "multi_thread")]
async fn serves() {
    if std::env::var_os(IS_PROGRAM).is_none() {
        return;
    }
    let config = Config::read(std::env::vars_os()).unwrap();
    let token = BotToken::read(|name| std::env::var(name).ok());
    terminal::log::start(&config.log);
    let args = ServeArguments { check: false };
    let complaints = &mut std::io::stderr();
    let ended = serve::run(&args, &config, GAMES, token, Lang::En, complaints).await;
    assert_eq!(ended.unwrap(), Exit::Fine);
}
