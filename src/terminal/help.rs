//! The texts of `--help` in the reader's language, followed by the games, the variables and the exit codes.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::OsString;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command};
use serde_json::Value as Json;

use super::texts::{
    GameLine, HelpOfPlay, HelpOfProgram, HelpOfServe, HelpOfSimulate, MisusedWords, NoGame,
    NumberWanted, OptionToChoose, WordFault,
};
use super::{TerminalText, language};
use desk::health::Build;
use games::GAMES;
use games::any::{AnyGame, SetOption};
use letters::{Letters, Reader};
use rules::text::Lang;

/// The version and the commit of the program.
pub(super) const BUILD: Build =
    Build { version: env!("CARGO_PKG_VERSION"), commit: env!("BUILD_COMMIT") };

/// The output of `shimekiri --version`: the version and the commit.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("BUILD_COMMIT"), ")");

/// The Japanese texts of the command line: of the program, of its verbs and of their arguments. The English
/// ones are the doc comments of the arguments.
const JAPANESE: &str = include_str!("../../templates/terminal/ja/help.toml");

/// The layout of help in Japanese.
const LAYOUT: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}";

/// The texts by verb and argument; `common` and `program` count as verbs, and `""` as the verb itself.
type Texts = BTreeMap<String, BTreeMap<String, String>>;

/// A test reads them all.
static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| toml::from_str(JAPANESE).expect("a built-in file"));

/// Returns the language before the command line is parsed: the one in `--lang`, or the host's, or this
/// machine's.
pub fn language_of(words: &[OsString], host: Option<Lang>) -> Lang {
    let mut words = words.iter().filter_map(|word| word.to_str());
    let mut chosen = None;
    while let Some(word) = words.next() {
        chosen = match word.split_once('=') {
            Some(("--lang", lang)) => lang.parse().ok(),
            _ if word == "--lang" => words.next().and_then(|lang| lang.parse().ok()),
            _ => chosen,
        };
    }
    language(chosen.or(host))
}

/// Returns the words of the command line, with `help VERB` as `VERB --help`.
pub fn in_order(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let at = verb_at(&words);
    if words.get(at).is_some_and(|word| word == "help") {
        words.remove(at);
        let behind = verb_at(&words) + 1;
        words.insert(behind.min(words.len()), OsString::from("--help"));
    }
    words
}

/// Returns the place of the verb: behind leading options.
fn verb_at(words: &[OsString]) -> usize {
    let mut at = 1;
    while let Some(option) = words.get(at).filter(|word| word.to_string_lossy().starts_with('-')) {
        at += if option == "--lang" || option == "--data" { 2 } else { 1 };
    }
    at.min(words.len())
}

/// Returns the command line with texts in a language and with the additional help.
///
/// # Panics
/// Never: the words are part of the program, and a test reads them all.
pub fn with_words(command: Command, lang: Lang) -> Command {
    let voice = TerminalText::new(lang);
    let mut command =
        command.after_help(voice.text(&HelpOfProgram { games: games(lang) }).trim_end().to_owned());
    for (verb, below) in [
        ("play", voice.text(&HelpOfPlay { games: games(lang) })),
        ("simulate", voice.text(&HelpOfSimulate { games: games(lang) })),
        ("serve", voice.text(&HelpOfServe {})),
    ] {
        let below = below.trim_end().to_owned();
        command = command.mut_subcommand(verb, |verb_of| verb_of.after_help(below));
    }
    if lang == Lang::Ja {
        let verbs: Vec<String> =
            command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
        // Clap's own help command has only an English text.
        let help = Command::new("help").about(text("common", "help-verb").unwrap_or_default());
        command = in_japanese(command, "program").disable_help_subcommand(true).subcommand(help);
        for verb in verbs {
            command = command.mut_subcommand(&verb, |of| in_japanese(of, &verb));
        }
    }
    command
}

/// Returns the sentence for a fault of the command line.
pub fn misuse(lang: Lang, words: &[OsString], error: &clap::Error) -> String {
    let text = TerminalText::new(lang);
    let texts = |kind| texts_of(error, kind).unwrap_or_default();
    let arg = texts(ContextKind::InvalidArg);
    let is_of = |name: &str| arg.iter().any(|arg| arg.starts_with(name));
    let verb = words.get(verb_at(words)).and_then(|verb| verb.to_str());
    let verb =
        verb.filter(|verb| TEXTS.contains_key(*verb) && !matches!(*verb, "program" | "common"));
    // If no game is named, the sentence lists the games.
    if error.kind() == ErrorKind::MissingRequiredArgument && is_of("<GAME>") {
        let games = GAMES.iter().map(|game| game.key()).collect();
        return text.text(&NoGame { games, verb });
    }
    let (value, before) = (texts(ContextKind::InvalidValue), texts(ContextKind::PriorArg));
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => WordFault::NoVerb,
        ErrorKind::UnknownArgument => WordFault::NoArgument,
        ErrorKind::MissingRequiredArgument => WordFault::Lacks,
        ErrorKind::ArgumentConflict if before.is_empty() || before == arg => WordFault::Twice,
        ErrorKind::ArgumentConflict => WordFault::Conflict,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.concat().is_empty() => {
            WordFault::NoValue
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => WordFault::WrongValue,
        _ => WordFault::Other,
    };
    let langs = || Lang::ALL.map(|lang| lang.code().to_owned()).to_vec();
    let takes_langs = is_of("--lang") && matches!(kind, WordFault::NoValue | WordFault::WrongValue);
    let known = texts_of(error, ContextKind::ValidValue).filter(|known| !known.is_empty());
    let known = known.or_else(|| takes_langs.then(langs)).unwrap_or_default();
    let suggested =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let nearest = suggested.into_iter().find_map(|kind| texts_of(error, kind)?.pop());
    let arg = [arg, texts(ContextKind::InvalidSubcommand)].concat().join(" ");
    let number = error.source().filter(|_| kind == WordFault::WrongValue);
    let number = number.and_then(|why| number_wanted(&why.to_string()));
    let value = value.concat();
    text.text(&MisusedWords { kind, verb, arg, value, known, before, nearest, number })
}

/// Returns the range of valid numbers, parsed from the parser's message about an invalid one.
fn number_wanted(why: &str) -> Option<NumberWanted> {
    let any = |whole| NumberWanted { whole, least: None, most: None };
    if let Some((_, range)) = why.split_once(" is not in ") {
        let (least, most) = range.split_once("..")?;
        let most = most.trim_start_matches('=');
        // The largest number of the type is not a limit that matters.
        let most =
            Some(most).filter(|most| !most.is_empty() && most.len() < u64::MAX.ilog10() as usize);
        let least = Some(least.to_owned()).filter(|least| !least.is_empty());
        return Some(NumberWanted { least, most: most.map(str::to_owned), ..any(true) });
    }
    if let Some((least, most)) = why.split_once(" to ") {
        let (least, most) = (Some(least.to_owned()), Some(most.to_owned()));
        return Some(NumberWanted { least, most, ..any(false) });
    }
    let is_of = |words: &[&str]| words.iter().any(|words| why.contains(words));
    let whole = ["invalid digit", "cannot parse integer", "number too large", "too large to fit"];
    if is_of(&whole) {
        return Some(NumberWanted { least: Some("0".to_owned()), ..any(true) });
    }
    is_of(&["no number", "invalid float"]).then(|| any(false))
}

/// Returns the texts of a part of clap's error; `None` if the error has no such part.
fn texts_of(error: &clap::Error, kind: ContextKind) -> Option<Vec<String>> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(vec![text.clone()]),
        ContextValue::Strings(texts) => Some(texts.clone()),
        ContextValue::StyledStr(text) => Some(vec![text.to_string()]),
        ContextValue::StyledStrs(texts) => Some(texts.iter().map(ToString::to_string).collect()),
        ContextValue::Number(number) => Some(vec![number.to_string()]),
        _ => None,
    }
}

/// Returns a text in Japanese; `None` if there is none.
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
            // Clap's own text for a default value is English.
            let supposed = common("supposed").replace("{}", &supposed.join(", "));
            let help = format!("{help}{supposed}");
            arg.help(help).hide_default_value(true)
        })
        .arg(asks("help", 'h', ArgAction::Help));
    if has_version { command.arg(asks("version", 'V', ArgAction::Version)) } else { command }
}

/// Returns the games with their seats, policies and options.
fn games(lang: Lang) -> Vec<GameLine<'static>> {
    let letters = Letters::built_in();
    let line = |game: &'static dyn AnyGame| {
        let reader = Reader::new(game, lang);
        let option = |set: SetOption| OptionToChoose {
            key: set.option.key,
            values: set.option.values,
            supposed: set.value,
            // A built-in text; a test writes them all.
            means: set
                .option
                .values
                .iter()
                .map(|value| letters.option(&reader, game, set.option.key, value))
                .collect::<Result<_, _>>()
                .unwrap_or_default(),
        };
        GameLine {
            key: game.key(),
            least: *game.seats().start(),
            most: *game.seats().end(),
            policies: game.policies(),
            options: game.options(&Json::Null).into_iter().map(option).collect(),
        }
    };
    GAMES.iter().map(|game| line(*game)).collect()
}

#[cfg(test)]
mod tests {
    use clap::Subcommand;

    use super::*;

    /// The program's verbs without the program.
    #[expect(clippy::large_enum_variant, reason = "nobody makes one")]
    #[derive(Debug, Subcommand)]
    enum Verbs {
        Play(crate::play::PlayArguments),
        Serve(crate::serve::ServeArguments),
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
    fn help_on_a_verb_is_asked_behind_it() {
        let of = |words: &str| {
            let words = in_order(words.split(' ').map(OsString::from)).into_iter();
            words.map(|word| word.into_string().unwrap()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("shimekiri --lang ja play eitsuku"), "shimekiri --lang ja play eitsuku");
        assert_eq!(of("shimekiri --lang ja"), "shimekiri --lang ja");
        assert_eq!(of("shimekiri --lang ja help play"), "shimekiri --lang ja play --help");
        assert_eq!(of("shimekiri help --lang=ja play"), "shimekiri --lang=ja play --help");
        assert_eq!(of("shimekiri help play --lang ja"), "shimekiri play --help --lang ja");
        assert_eq!(of("shimekiri help --lang ja"), "shimekiri --lang ja --help");
        assert_eq!(of("shimekiri help"), "shimekiri --help");
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
