//! The texts of the terminal with their data: each is a macro of a template in `templates/terminal/`.

use serde::Serialize;

use desk::{Heading, LeftOut, Unfit};
use discord::NoToken;
use discord::permissions::Permission;
use games::options_line::OptionsFault;
use letters::template::typed::{Draw, LetterForm, Sampled, letters, sampled, sampled_variants};
use rules::data::Why;
use tables::ids::TableCode;

/// Returns all texts except the reports over many games, whose data cannot be sampled.
pub(super) fn forms() -> impl Iterator<Item = &'static LetterForm> {
    [MISUSE, FILE, CONFIG, INVITE, HELP].into_iter().flatten()
}

letters! {
    /// Faults of the input, and confirmations.
    MISUSE in "misuse";

    "unknown_game" pub(super) struct UnknownGame<'a> {
        pub said: &'a str,
        pub nearest: Option<&'a str>,
        pub known: Vec<&'a str>,
    }
    "no_game" pub(super) struct NoGame<'a> {
        pub games: Vec<&'a str> = [vec!["one", "another"]],
        pub verb: Option<&'a str>,
    }
    "unknown_policy" pub(super) struct UnknownPolicy<'a> {
        pub game: &'a str,
        pub said: &'a str,
        pub nearest: Option<&'a str>,
        pub known: &'a [&'a str],
    }
    "seats" pub(super) struct WrongSeats<'a> {
        pub game: &'a str,
        pub least: usize,
        pub most: usize,
        pub said: usize,
    }
    "seats_and_policies" pub(super) struct SeatsAndPolicies {
        pub seats: usize,
        pub policies: usize,
    }
    "no_sets" pub(super) struct NoSets<'a> { pub game: &'a str, pub file: &'a str }
    "no_data_file" pub(super) struct NoDataFile<'a> {
        pub file: &'a str,
        pub known: Vec<&'a str>,
    }
    "no_decks" pub(super) struct NoDecks<'a> { pub game: &'a str }
    "unknown_deck" pub(super) struct UnknownDeck<'a> {
        pub said: &'a str,
        pub nearest: Option<&'a str>,
        pub known: Vec<&'a str>,
    }
    "bad_set" pub(super) struct BadSet<'a> {
        pub file: &'a str,
        pub faults: Vec<String> = [vec!["s.toml:1: x".to_owned(), "s.toml:2: y".to_owned()]],
    }
    "picture_kind" pub(super) struct NotSvg { pub path: String }
    "two_values" pub(super) struct NotTwoValues<'a> { pub option: &'a str }
    "take_alone" pub(super) struct TakenWithoutTable {}
    "unwritable" pub(super) struct UnwritablePicture { pub path: String, pub why: Why }
    "other_charset" pub(super) struct OtherCharset { pub charset: String }
    "options_line" pub(super) struct OptionsMisread { pub fault: OptionsFault }
    "options" pub(super) struct NoOption<'a> {
        pub game: &'a str,
        pub said: &'a str,
        pub nearest: Option<&'a str>,
        pub known: &'a [&'a str],
    }
    "option_value" pub(super) struct NoOptionValue<'a> {
        pub option: &'a str,
        pub said: &'a str,
        pub nearest: Option<&'a str>,
        pub known: &'a [&'a str],
    }
    "misfit" pub(super) struct OptionMisfit {
        pub option: String,
        pub clause: &'static str,
        pub least: usize,
        pub most: usize,
        pub said: usize,
    }
    "idle" pub(super) struct OptionIdle {
        pub option: String,
        pub clause: &'static str,
        pub with: &'static str,
        pub values: &'static [&'static str],
    }
    "held" pub(super) struct HeldAtOnce { pub why: String }
    "newer_database" pub(super) struct NewerDatabase<'a> {
        pub url: &'a str,
        pub found: i64,
        pub known: i64,
    }
    "older_database" pub(super) struct OlderDatabase<'a> { pub url: &'a str }
    "foreign_database" pub(super) struct ForeignDatabase<'a> { pub url: &'a str }
    "unreachable_database" pub(super) struct UnreachableDatabase<'a> {
        pub url: &'a str,
        pub why: Why,
    }
    "no_database" pub(super) struct NoDatabase<'a> { pub url: &'a str, pub why: Why }
    "no_database_yet" pub(super) struct NoDatabaseYet<'a> { pub url: &'a str }
    "full_database" pub(super) struct FullDatabase<'a> { pub url: &'a str }
    "half_database" pub(super) struct HalfDatabase<'a> { pub url: &'a str, pub lacking: String }
    "no_health" pub(super) struct NoHealth { pub address: String, pub why: Why }
    "letters" pub(super) struct BadLetters { pub why: String }
    "nothing_to_resume" pub(super) struct NothingToResume<'a> { pub name: &'a str }
    "pace" pub(super) struct NoPace<'a> { pub said: &'a str, pub why: String }
    "nameless" pub(super) struct Nameless {}
    "name" pub(super) struct NoName { pub said: String, pub longest: usize }
    "chair" pub(super) struct NoChair<'a> {
        pub said: &'a str,
        pub seats: Vec<&'static str> = [vec!["P1", "P2"]],
    }
    "people" pub(super) struct WrongPeople { pub said: usize, pub seats: usize }
    "refused" pub(super) struct NotJoined { pub why: String, pub has_no_seat: bool }
    "backup_exists" pub(super) struct FileExists<'a> { pub file: &'a str }
    "backup_failed" pub(super) struct BackupFailed<'a> { pub file: &'a str, pub why: Why }
    "no_backups" pub(super) struct NoBackups { pub folder: String, pub why: Why }
    "backups_kept" pub(super) struct BackupsKept<'a> { pub file: &'a str, pub why: Why }
    "backed_up" pub(super) struct BackedUp<'a> { pub file: &'a str }
    "copy_faulty" pub(super) struct CopyFaulty<'a> { #[serde(flatten)] pub copy: CopyLooked<'a> }
    "restored" pub(super) struct CopyRestored<'a> { #[serde(flatten)] pub copy: CopyLooked<'a> }
    "copy_checked" pub(super) struct CopyChecked<'a> { #[serde(flatten)] pub copy: CopyLooked<'a> }
    "database_in_use" pub(super) struct DatabaseInUse<'a> { pub url: &'a str }
    "database_holds" pub(super) struct DatabaseHolds<'a> {
        pub url: &'a str,
        pub held: i64,
        pub embedded: bool,
    }
    "not_restored" pub(super) struct NotRestored<'a> {
        pub file: &'a str,
        pub url: &'a str,
        pub why: Why,
    }
    "no_such_table" pub(super) struct NoSuchTable<'a> { pub said: &'a str }
    "other_rules" pub(super) struct OtherRules<'a> { pub code: &'a TableCode }
    "heads_disordered" pub(super) struct HeadsDisordered { pub later: String, pub sooner: String }
    "unverified" pub(super) struct Unverified<'a> { pub code: &'a str, pub why: String }
    "unexported" pub(super) struct Unexported<'a> { pub code: &'a TableCode, pub why: Why }
    "not_over" pub(super) struct NotOver<'a> { pub code: &'a TableCode }
    "page_of_other_rules" pub(super) struct PageOfOtherRules<'a> { pub code: &'a TableCode }
    "untold" pub(super) struct Untold<'a> { pub code: &'a TableCode, pub why: String }
    "not_as_told" pub(super) struct NotAsTold<'a> { pub said: &'a str }
    "page_unwritable" pub(super) struct PageUnwritable<'a> { pub file: &'a str, pub why: Why }
    "page_written" pub(super) struct PageWritten<'a> { pub file: &'a str }
    "serving" pub(super) struct Serving<'a> { pub url: &'a str, pub discord: bool }
    "invitation" pub(super) struct InvitationLink { pub link: String }
    "unreached" pub(super) struct Unreached<'a> { pub why: &'a str }
    "not_wanted" pub(super) struct NotWanted { pub token: bool, pub why: String }
    "ready" pub(super) struct ReadyToServe<'a> {
        pub url: &'a str,
        pub made: bool,
        pub discord: bool,
    }
    "no_japanese_font" pub(super) struct NoJapaneseFont {}
    "font" pub(super) struct BadFont { pub why: String }
    "no_bot" pub(super) struct NoBot<'a> { pub game: &'a str }
    "no_token" pub(super) struct TokenMisplaced { #[serde(flatten)] pub fault: NoToken }
    "no_application" pub(super) struct NoApplication {}
    "no_id" pub(super) struct NoId<'a> { pub said: &'a str }
    "no_api" pub(super) struct NoApi { pub why: String }
    "unread" pub(super) struct UnreadFile<'a> { pub file: &'a str, pub why: Why }
    "bad_file" pub(super) struct BadFile<'a> { pub file: &'a str, pub line: usize, pub why: Unfit }
    "other_edition" pub(super) struct OtherEdition<'a> {
        pub file: &'a str,
        pub of: Heading,
        pub known: Option<String>,
    }
    "still_running" pub(super) struct StillRunning<'a> { pub code: &'a TableCode }
    "here_already" pub(super) struct HereAlready<'a> { pub code: &'a TableCode }
    "not_taken_up" pub(super) struct NotTakenUp<'a> { pub code: &'a TableCode, pub why: Why }
    "uncounted" pub(super) struct Uncounted { pub why: Why }
}

letters! {
    /// Texts about a table in a file.
    FILE in "file";

    "exported" pub(super) struct Exported<'a> {
        pub code: &'a TableCode,
        pub file: &'a str,
        pub lines: usize,
        pub secrets: bool,
    }
    "imported" pub(super) struct Imported<'a> {
        pub code: &'a TableCode,
        pub file: &'a str,
        pub secrets: bool,
        pub left_out: LeftOut,
    }
}

letters! {
    /// Faults of values that the configuration only carries.
    CONFIG in "config";

    "pace" pub(super) struct ConfiguredPace<'a> {
        pub key: &'a str,
        pub place: String,
        pub said: String,
        pub why: String,
    }
    "folder" pub(super) struct ConfiguredFolder<'a> {
        pub key: &'a str,
        pub place: String,
        pub said: String,
        pub why: Why,
    }
}

letters! {
    /// The text of the bot's invitation.
    INVITE in "invite";

    "invite" pub(super) struct Invitation<'a> {
        pub link: String,
        pub together: u64,
        pub permissions: &'a [Permission],
        pub intents: &'a [&'a str],
        pub scopes: &'a [&'a str],
    }
}

letters! {
    /// The texts after `--help`, and the faults of the command line.
    HELP in "help";

    "program" pub(super) struct HelpOfProgram<'a> { pub games: Vec<GameLine<'a>> => some_games }
    "play" pub(super) struct HelpOfPlay<'a> { pub games: Vec<GameLine<'a>> }
    "simulate" pub(super) struct HelpOfSimulate<'a> { pub games: Vec<GameLine<'a>> }
    "serve" pub(super) struct HelpOfServe {}
    "misuse" pub(super) struct MisusedWords<'a> {
        pub kind: WordFault,
        pub verb: Option<&'a str>,
        /// The faulty argument, as clap writes it.
        pub arg: String,
        pub value: String,
        /// All valid values.
        pub known: Vec<String>,
        /// The conflicting arguments.
        pub before: Vec<String>,
        pub nearest: Option<String>,
        /// The range of valid numbers; `None` if no number is expected.
        pub number: Option<NumberWanted>,
    }
}

sampled! {
    /// A range of valid numbers.
    pub(super) struct NumberWanted {
        /// True for a whole number.
        pub whole: bool,
        pub least: Option<String> = [None, Some("1".to_owned())],
        pub most: Option<String> = [None, Some("100".to_owned())],
    }

    /// A checked backup of a database.
    pub(super) struct CopyLooked<'a> {
        pub file: &'a str,
        pub url: &'a str,
        pub tables: usize,
        pub by_hash_alone: usize,
        pub faulty: Vec<TableCode>,
    }

    /// A game with its numbers of players, its policies and its options.
    pub(super) struct GameLine<'a> {
        pub key: &'a str,
        pub least: usize,
        pub most: usize,
        pub policies: Vec<&'a str>,
        pub options: Vec<OptionToChoose>,
    }

    /// An option of a game.
    pub(super) struct OptionToChoose {
        pub key: &'static str,
        pub values: &'static [&'static str],
        pub supposed: String,
        /// The meaning of each value, in words.
        pub means: Vec<String>,
    }
}

/// Samples a list of one game: there is always one.
fn some_games<'a>(draw: &mut Draw<'_>) -> Vec<GameLine<'a>> {
    vec![Sampled::sample(draw)]
}

/// The faults of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WordFault {
    NoVerb,
    NoArgument,
    Lacks,
    Twice,
    Conflict,
    NoValue,
    WrongValue,
    Other,
}

sampled_variants! {
    WordFault { NoVerb, NoArgument, Lacks, Twice, Conflict, NoValue, WrongValue, Other }
}
