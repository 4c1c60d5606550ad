//! The program, serving the test game: this very binary, in a process of its own.

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

/// Set where the process is to be the program.
const IS_PROGRAM: &str = "SHIMEKIRI_TEST_IS_PROGRAM";

/// A folder laid out like `templates/`, with the letters of the test game.
const LETTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/discord/letters");

/// `shimekiri serve`, but for the list of games.
pub(super) fn serving(url: &str) -> Command {
    let this = std::env::current_exe().unwrap();
    let (_, module) = module_path!().split_once("::").unwrap();
    let words = format!("--exact {module}::serves --nocapture");
    let mut command = shimekiri_at(this.to_str().unwrap(), url, &words);
    command.env(IS_PROGRAM, "1").env("SHIMEKIRI_LETTERS_FOLDER", LETTERS);
    command
}

/// No test, but what the process does that [`serving`] starts.
#[tokio::test(flavor = "multi_thread")]
async fn serves() {
    if std::env::var_os(IS_PROGRAM).is_none() {
        return;
    }
    let config = Config::read(std::env::vars_os()).unwrap();
    let token = BotToken::read(|name| std::env::var(name).ok());
    terminal::log::start(&config.log);
    let args = ServeArguments { lang: Some(Lang::En), ..ServeArguments::default() };
    let ended = serve::run(&args, &config, GAMES, token, &mut std::io::stderr()).await;
    assert_eq!(ended.unwrap(), Exit::Fine);
}
