//! The commands: one manifest each in `commands/`, with Discord's own field names and both languages. The
//! terminal has the same verbs.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use rules::data::{DataFault, built_in, nearest, parse};
use rules::text::{Lang, fold};

/// Lists each command with the name of its manifest.
macro_rules! commands {
    ($($command:ident => $name:literal,)*) => {
        /// A command, named after its manifest in `commands/`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command { $($command,)* }

        impl Command {
            /// All commands, in the order in which help shows them.
            pub const ALL: &'static [Self] = &[$(Self::$command,)*];

            /// The name of the manifest's file: the command's name, after its group's if several groups have
            /// a command of this name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$command => $name,)* }
            }

            /// The manifest's file and text.
            pub fn source(self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$command => (
                        concat!("commands/", $name, ".toml"),
                        include_str!(concat!("../../commands/", $name, ".toml")),
                    ),)*
                }
            }
        }
    };
}

commands! {
    Declare => "declare",
    Act => "act",
    Same => "same",
    Seal => "seal",
    Withdraw => "withdraw",
    Orders => "orders",
    Next => "next",
    Side => "side",
    Questions => "questions",
    Hand => "hand",
    Card => "card",
    Deck => "deck",
    Show => "show",
    Log => "log",
    Why => "why",
    Receipt => "receipt",
    Verify => "verify",
    Rules => "rules",
    New => "new",
    Join => "join",
    Take => "take",
    List => "list",
    Settings => "settings",
    Absence => "absence",
    Away => "away",
    Back => "back",
    Substitute => "substitute",
    Vote => "vote",
    GmWindow => "gm_window",
    GmTurn => "gm_turn",
    GmTable => "gm_table",
    GmSeat => "gm_seat",
    My => "my",
    Me => "me",
    Dashboard => "dashboard",
    Start => "start",
    Move => "move",
    Leave => "leave",
    Resume => "resume",
    Close => "close",
    End => "end",
    Gm => "gm",
    Help => "help",
    Privacy => "privacy",
    Export => "export",
    Erase => "erase",
    Check => "check",
    Defaults => "defaults",
    Quit => "quit",
}

/// A manifest, field by field as Discord documents it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The command's group on Discord.
    pub under: Option<String>,
    /// `None` for everywhere; otherwise the only place that accepts the command.
    pub only: Option<CommandPlace>,
    pub name: String,
    pub description: String,
    pub name_localizations: BTreeMap<String, String>,
    pub description_localizations: BTreeMap<String, String>,
    /// Aliases of the command at a terminal, in any language.
    #[serde(default)]
    pub also: Vec<String>,
    /// The permissions required to see the command, as Discord's number in decimal digits.
    pub default_member_permissions: Option<String>,
    #[serde(default)]
    pub options: Vec<CommandOption>,
}

impl Manifest {
    /// Returns the name in a language.
    pub fn called(&self, lang: Lang) -> &str {
        localized(lang, &self.name, &self.name_localizations)
    }

    /// Returns the description in a language.
    pub fn described(&self, lang: Lang) -> &str {
        localized(lang, &self.description, &self.description_localizations)
    }

    /// Returns the subcommands on Discord.
    pub fn below(&self) -> impl Iterator<Item = &CommandOption> {
        self.options.iter().filter(|option| option.kind == OptionKind::Subcommand)
    }

    /// True if the word names a subcommand, in any language.
    pub fn is_below(&self, word: &str) -> bool {
        let word = fold(word);
        self.below().any(|option| {
            option.name == word || option.name_localizations.values().any(|name| *name == word)
        })
    }
}

/// Returns the text in a language: `own` is English, `others` has the other languages.
fn localized<'a>(lang: Lang, own: &'a str, others: &'a BTreeMap<String, String>) -> &'a str {
    others.get(lang.code()).map_or(own, String::as_str)
}

/// A place that accepts a command.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum CommandPlace {
    Terminal,
    Discord,
}

/// An argument of a command.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandOption {
    #[serde(rename = "type")]
    pub kind: OptionKind,
    pub name: String,
    pub name_localizations: BTreeMap<String, String>,
    /// Aliases of the argument at a terminal, in any language.
    #[serde(default)]
    pub also: Vec<String>,
    pub description: String,
    pub description_localizations: BTreeMap<String, String>,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub autocomplete: bool,
    #[serde(default)]
    pub choices: Vec<ArgumentChoice>,
    /// A list of further choices that the manifest does not contain.
    pub choices_from: Option<ListedCommand>,
    pub min_value: Option<i64>,
    pub max_value: Option<i64>,
    pub max_length: Option<u32>,
    /// The arguments of a subcommand.
    #[serde(default)]
    pub options: Vec<CommandOption>,
}

impl CommandOption {
    /// Returns the name in a language.
    pub fn called(&self, lang: Lang) -> &str {
        localized(lang, &self.name, &self.name_localizations)
    }

    /// Returns the description in a language.
    pub fn described(&self, lang: Lang) -> &str {
        localized(lang, &self.description, &self.description_localizations)
    }
}

/// A value that can be picked for an argument.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ArgumentChoice {
    pub name: String,
    pub name_localizations: BTreeMap<String, String>,
    pub value: String,
}

/// A list of choices from outside the manifests.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ListedCommand {
    /// All games.
    Games,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum OptionKind {
    /// A subcommand, not an argument.
    Subcommand,
    String,
    /// A whole number.
    Integer,
    User,
    Role,
    /// A user or a role.
    Mentionable,
}

/// The manifests of the command groups, each a file name and its text.
const GROUPS: [(&str, &str); 4] = [
    ("commands/table.toml", include_str!("../../commands/table.toml")),
    ("commands/data.toml", include_str!("../../commands/data.toml")),
    ("commands/setup.toml", include_str!("../../commands/setup.toml")),
    ("commands/gm.toml", include_str!("../../commands/gm.toml")),
];

/// The manifests of the groups.
///
/// # Panics
/// If a built-in manifest is faulty, which `shimekiri check` and a test rule out.
pub fn groups() -> &'static [Manifest] {
    static MANIFESTS: LazyLock<Vec<Manifest>> = LazyLock::new(|| {
        GROUPS.into_iter().map(|(file, text)| built_in(parse(file, text))).collect()
    });
    &MANIFESTS
}

/// The manifests of all commands.
static MANIFESTS: LazyLock<Vec<Result<Manifest, DataFault>>> = LazyLock::new(|| {
    let sources = Command::ALL.iter().map(|command| command.source());
    sources.map(|(file, text)| parse(file, text)).collect()
});

impl Command {
    /// The commands whose subcommands are the actions of a game master.
    pub const OF_GAME_MASTERS: [Self; 4] =
        [Self::GmWindow, Self::GmTurn, Self::GmTable, Self::GmSeat];

    /// The manifest.
    ///
    /// # Panics
    /// If the built-in manifests are faulty, which `shimekiri check` and a test rule out.
    pub fn manifest(self) -> &'static Manifest {
        MANIFESTS[self as usize].as_ref().unwrap_or_else(|fault| panic!("built-in data: {fault}"))
    }

    /// Returns the command's full name on Discord in a language, with its group's name first.
    pub fn called(self, lang: Lang) -> String {
        let manifest = self.manifest();
        let group = groups().iter().find(|group| Some(&group.name) == manifest.under.as_ref());
        let names = group.into_iter().chain([manifest]).map(|manifest| manifest.called(lang));
        names.collect::<Vec<_>>().join(" ")
    }

    /// Returns the commands that can be typed in a place.
    pub fn at(place: CommandPlace) -> impl Iterator<Item = Self> {
        let here = move |command: &Self| command.manifest().only.is_none_or(|only| only == place);
        Self::ALL.iter().copied().filter(here)
    }

    /// Returns the command with this name or alias in a place, in any language.
    pub fn find(place: CommandPlace, word: &str) -> Option<Self> {
        Self::at(place).find(|command| command.words_in(place).any(|name| name == word))
    }

    /// Returns every word that names a command in a place.
    pub fn words(place: CommandPlace) -> impl Iterator<Item = &'static str> {
        Self::at(place).flat_map(move |command| command.words_in(place))
    }

    /// Returns the command word in a place that is most like `word`, if more than half of it is.
    pub fn nearest(place: CommandPlace, word: &str) -> Option<&'static str> {
        nearest(word, Self::words(place))
    }

    /// Returns every word that names the command in a place, in any language.
    fn words_in(self, place: CommandPlace) -> impl Iterator<Item = &'static str> {
        let manifest = self.manifest();
        let called = manifest.name_localizations.values().filter(|name| **name != manifest.name);
        let also = manifest.also.iter().filter(move |_| place == CommandPlace::Terminal);
        std::iter::once(&manifest.name).chain(called).chain(also).map(String::as_str)
    }
}

/// The languages of every manifest besides English.
const LANGUAGES: [&str; 1] = ["ja"];
/// The longest name, in characters (Discord's limit).
const NAME: usize = 32;
/// The longest description, in characters (Discord's limit).
const DESCRIPTION: usize = 100;

/// Returns every fault in the manifests.
pub fn check() -> Vec<DataFault> {
    let commands = Command::ALL.iter().zip(&*MANIFESTS);
    let commands = commands.flat_map(|(command, manifest)| {
        check_one(command.source(), command.name(), manifest.as_ref())
    });
    let groups = GROUPS.iter().flat_map(|(file, text)| {
        let name = file.strip_prefix("commands/").and_then(|name| name.strip_suffix(".toml"));
        check_one((file, text), name.unwrap_or_default(), parse(file, text).as_ref())
    });
    commands.chain(groups).collect()
}

fn check_one(
    (file, text): (&str, &str),
    name: &str,
    manifest: Result<&Manifest, &DataFault>,
) -> Vec<DataFault> {
    let manifest = match manifest {
        Ok(manifest) => manifest,
        Err(fault) => return vec![fault.clone()],
    };
    let mut faults = Vec::new();
    let mut fault = |key: &str, what: String| faults.push(DataFault::at_key(file, text, key, what));
    let under = manifest.under.as_deref().unwrap_or_default();
    if manifest.name != name && format!("{under}_{}", manifest.name) != name {
        fault("name", format!("the file is called {name}, the command {}", manifest.name));
    }
    let mut texts = vec![(
        (&manifest.name, &manifest.name_localizations),
        (&manifest.description, &manifest.description_localizations),
    )];
    let below = manifest.options.iter().flat_map(|option| &option.options);
    texts.extend(manifest.options.iter().chain(below).map(|option| {
        (
            (&option.name, &option.name_localizations),
            (&option.description, &option.description_localizations),
        )
    }));
    let permissions = manifest.default_member_permissions.as_deref();
    if permissions.is_some_and(|number| number.parse::<u64>().is_err()) {
        fault("default_member_permissions", "permissions are a number in digits".to_owned());
    }
    if manifest.under.as_ref().is_some_and(|under| !file_is_group(under)) {
        fault("under", format!("{name} stands under a group that there is not"));
    }
    for ((name, names), (description, descriptions)) in texts {
        for language in LANGUAGES {
            if !names.contains_key(language) || !descriptions.contains_key(language) {
                fault("name", format!("{name} has no name or no description in {language}"));
            }
        }
        for name in std::iter::once(name).chain(names.values()) {
            if name.is_empty() || name.chars().count() > NAME || name.contains(char::is_whitespace)
            {
                fault("name", format!("a name has 1 to {NAME} characters and no spaces: {name}"));
            }
        }
        for text in std::iter::once(description).chain(descriptions.values()) {
            if text.is_empty() || text.chars().count() > DESCRIPTION {
                fault(
                    "description",
                    format!("a description has 1 to {DESCRIPTION} characters: {text}"),
                );
            }
        }
    }
    faults
}

fn file_is_group(name: &str) -> bool {
    GROUPS.iter().any(|(file, _)| *file == format!("commands/{name}.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifests_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn every_manifest_has_its_command() {
        let mut files: Vec<String> = std::fs::read_dir(kit::in_root("commands"))
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let names = Command::ALL.iter().map(|command| command.name());
        let names = names.chain(groups().iter().map(|group| group.name.as_str()));
        let mut commands: Vec<String> = names.map(|name| format!("{name}.toml")).collect();
        files.sort();
        commands.sort();
        commands.dedup();
        assert_eq!(files, commands);
    }

    #[test]
    fn no_word_names_two_commands() {
        for place in [CommandPlace::Terminal, CommandPlace::Discord] {
            let mut words: Vec<&str> = Command::words(place).collect();
            words.sort_unstable();
            let count = words.len();
            words.dedup();
            assert_eq!(words.len(), count);
            assert_eq!(Command::find(place, "取り下げ"), Some(Command::Withdraw));
        }
        assert_eq!(Command::find(CommandPlace::Discord, "quit"), None);
    }

    #[test]
    fn a_command_goes_by_other_words_at_a_terminal_only() {
        for (word, command) in [("exit", Command::Quit), ("cards", Command::Hand)] {
            assert_eq!(Command::find(CommandPlace::Terminal, word), Some(command));
            assert_eq!(Command::find(CommandPlace::Discord, word), None);
        }
    }

    #[test]
    fn a_slip_of_the_pen_has_its_nearest_word() {
        for (word, meant) in [
            ("clsoe", Some("close")),
            ("sael", Some("seal")),
            ("hepl", Some("help")),
            ("\u{7de0}\u{5207}\u{308a}", Some("\u{7de0}\u{5207}")),
            ("3b", None),
            ("penguin", None),
        ] {
            assert_eq!(Command::nearest(CommandPlace::Terminal, word), meant, "{word}");
        }
    }

    #[test]
    fn a_faulty_manifest_is_told_with_its_line() {
        const FILE: &str = "commands/hand.toml";
        let text = "name = \"hand\"\ndescription = \"x\"\ncolour = 1\n";
        let faults = check_one((FILE, text), "hand", parse(FILE, text).as_ref());
        assert_eq!(faults.len(), 1);
        assert!(
            faults[0].to_string().starts_with("commands/hand.toml:3: unknown field `colour`"),
            "{}",
            faults[0]
        );
    }
}
