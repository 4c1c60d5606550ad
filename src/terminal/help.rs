//! What `--help` says: the words of the command line in the reader's language, and below them the
//! games, the variables and the exit codes.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use serde_json::{Value as Json, json};

use super::{TerminalText, language};
use crate::games::GAMES;
use crate::rules::text::Lang;

/// What `shimekiri --version` says: the version, and of which commit it was built.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_COMMIT"), ")");

/// The commit of which it was built.
pub const COMMIT: &str = env!("BUILD_COMMIT");

/// The words of the command line in Japanese: of the program, of its verbs and of what each takes.
/// In English they stand beside what they are about.
const JAPANESE: &str = include_str!("../../templates/terminal/ja/help.toml");

/// What stands above and before what a verb takes, in Japanese.
const LAYOUT: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

/// By verb, and of each what it takes; `""` is the program or the verb itself.
type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// A test reads them all.
static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| toml::from_str(JAPANESE).expect("a built-in file"));

/// The language of the command line before it has been read: the one that it names, or the host's,
/// or this machine's.
pub fn language_of(words: &[OsString], host: Option<Lang>) -> Lang {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let mut said = None;
    while let Some(word) = words.next() {
        said = match word.split_once('=') {
            Some(("--lang", lang)) => lang.parse().ok(),
            _ if word == "--lang" => words.next().and_then(|lang| lang.parse().ok()),
            _ => said,
        };
    }
    language(said.or(host))
}

/// The words of the command line, with `help VERB` as `VERB --help`: they are the same.
pub fn with_help_said(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    if words.get(1).is_some_and(|word| word == "help") {
        words.remove(1);
        let is_verb = |word: &OsString| !word.to_string_lossy().starts_with('-');
        let behind = if words.get(1).is_some_and(is_verb) { 2 } else { 1 };
        words.insert(behind, OsString::from("--help"));
    }
    words
}

/// The command line, with its words in this language and what is to be known beside it.
///
/// # Panics
/// Never: the words are part of the program, and a test reads them all.
pub fn with_words(command: Command, lang: Lang) -> Command {
    let voice = TerminalText::new(lang);
    let below = |verb: &str| voice.say("help", verb, &known()).trim_end().to_owned();
    let mut command = command.after_help(below("program"));
    for verb in ["play", "simulate", "serve"] {
        command = command.mut_subcommand(verb, |verb_of| verb_of.after_help(below(verb)));
    }
    if lang == Lang::Ja {
        let verbs: Vec<String> =
            command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        // Its own one says what it is for in English only.
        let help = Command::new("help").about(text("common", "help-verb").unwrap_or_default());
        command = in_japanese(command, "program").disable_help_subcommand(true).subcommand(help);
        for verb in verbs {
            command = command.mut_subcommand(&verb, |of| in_japanese(of, &verb));
        }
    }
    command
}

/// What is wrong with the words of the command line, in the reader's language; nothing where clap
/// says it well itself.
pub fn misuse(lang: Lang, words: &[OsString], error: &clap::Error) -> Option<String> {
    let said = |kind: ContextKind| match error.get(kind)? {
        ContextValue::String(text) => Some(vec![text.clone()]),
        ContextValue::Strings(texts) => Some(texts.clone()),
        ContextValue::StyledStr(text) => Some(vec![text.to_string()]),
        ContextValue::StyledStrs(texts) => Some(texts.iter().map(ToString::to_string).collect()),
        ContextValue::Number(number) => Some(vec![number.to_string()]),
        _ => None,
    };
    let arg = said(ContextKind::InvalidArg);
    let is_of = |name: &str| arg.iter().flatten().any(|arg| arg.starts_with(name));
    let verb = words.get(1).and_then(|verb| verb.to_str());
    let verb =
        verb.filter(|verb| TEXTS.contains_key(*verb) && !matches!(*verb, "program" | "common"));
    // Whoever names no game is told which there are.
    if error.kind() == ErrorKind::MissingRequiredArgument && is_of("<GAME>") {
        let games: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        let it = json!({ "games": games, "verb": verb });
        return Some(TerminalText::new(lang).say("misuse", "no_game", &it));
    }
    if lang == Lang::En {
        return None;
    }
    let langs = || is_of("--lang").then(|| Lang::ALL.map(|lang| lang.code().to_owned()).to_vec());
    let suggested =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let it = json!({
        "kind": format!("{:?}", error.kind()),
        "verb": verb,
        "arg": &arg,
        "subcommand": said(ContextKind::InvalidSubcommand),
        "value": said(ContextKind::InvalidValue),
        "known": said(ContextKind::ValidValue).or_else(langs),
        "before": said(ContextKind::PriorArg),
        "nearest": suggested.into_iter().find_map(said),
    });
    Some(TerminalText::new(lang).say("help", "misuse", &it))
}

/// A text in Japanese, if there is one.
fn text(verb: &str, of: &str) -> Option<&'static str> {
    TEXTS.get(verb)?.get(of).map(String::as_str)
}

fn in_japanese(command: Command, verb: &str) -> Command {
    let common = |of: &str| text("common", of).unwrap_or_default();
    let asks = |of: &'static str, short: char, action: ArgAction| {
        let arg = Arg::new(of).short(short).long(of).action(action);
        arg.help(common(of)).help_heading(common("options"))
    };
    let has_version = command.get_version().is_some();
    let command = command
        .about(text(verb, "").unwrap_or_default())
        .help_template(LAYOUT.replace("{usage-heading}", common("usage")))
        .subcommand_help_heading(common("verbs"))
        .disable_help_flag(true)
        .disable_version_flag(true)
        .mut_args(|arg| {
            let heading = if arg.is_positional() { "arguments" } else { "options" };
            let id = arg.get_id().as_str();
            let help = text(verb, id).or_else(|| text("common", id));
            let arg = arg.help_heading(common(heading));
            let Some(help) = help else { return arg };
            let supposed: Vec<_> =
                arg.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
            if !arg.get_action().takes_values() || supposed.iter().all(|it| it.is_empty()) {
                return arg.help(help);
            }
            // Clap's own way to say what is supposed is English.
            let supposed = common("supposed").replace("{}", &supposed.join(", "));
            let help = format!("{help}{supposed}");
            arg.help(help).hide_default_value(true)
        })
        .arg(asks("help", 'h', ArgAction::Help));
    if has_version { command.arg(asks("version", 'V', ArgAction::Version)) } else { command }
}

/// What is to be known: the games with what they take, and how the program ends.
fn known() -> Json {
    let game = |game: &dyn crate::games::any::AnyGame| {
        let options = game.options(&Json::Null);
        let options: Vec<Json> = options
            .iter()
            .map(|set| {
                let option = set.option;
                json!({ "key": option.key, "values": option.values, "supposed": set.value })
            })
            .collect();
        let (least, most) = (*game.seats().start(), *game.seats().end());
        json!({
            "key": game.key(), "least": least, "most": most,
            "policies": game.policies(), "options": options,
        })
    };
    let games: Vec<Json> = GAMES.iter().map(|listed| game(*listed)).collect();
    json!({ "games": games })
}

#[cfg(test)]
mod tests {
    use clap::Subcommand;

    use super::*;

    /// The verbs as the program has them, without the program.
    #[expect(clippy::large_enum_variant, reason = "nobody makes one")]
    #[derive(Debug, Subcommand)]
    enum Verbs {
        Play(crate::terminal::play::PlayArguments),
        Serve(crate::terminal::serve::ServeArguments),
    }

    #[test]
    fn the_language_is_the_one_that_is_named() {
        let of = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
            language_of(&words, Some(Lang::En))
        };
        assert_eq!(of("shimekiri play --lang ja"), Lang::Ja);
        assert_eq!(of("shimekiri play --lang=ja --help"), Lang::Ja);
        assert_eq!(of("shimekiri play --lang fr"), Lang::En);
        assert_eq!(of("shimekiri"), Lang::En);
    }

    #[test]
    fn what_is_below_names_every_game_and_policy() {
        let base = Verbs::augment_subcommands(Command::new("shimekiri"))
            .subcommand(Command::new("simulate"));
        for lang in Lang::ALL {
            let mut command = with_words(base.clone(), lang);
            let play = command.find_subcommand_mut("play").unwrap().render_help().to_string();
            for game in GAMES {
                assert!(play.contains(game.key()), "{play}");
                assert!(game.policies().iter().all(|policy| play.contains(policy)), "{play}");
            }
        }
    }
}
