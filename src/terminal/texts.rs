//! The texts of the terminal with their data: each is a macro of a template in `templates/terminal/`.

use serde::Serialize;

use desk::{Heading, LeftOut, Unfit};
use discord::NoToken;
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
        pub(super) said: &'a str,
        pub(super) nearest: Option<&'a str>,
        pub(super) known: Vec<&'a str>,
    }
    "no_game" pub(super) struct NoGame<'a> {
        pub(super) games: Vec<&'a str> = [vec!["one", "another"]],
        pub(super) verb: Option<&'a str>,
    }
    "unknown_policy" pub(super) struct UnknownPolicy<'a> {
        pub(super) game: &'a str,
        pub(super) said: &'a str,
        pub(super) nearest: Option<&'a str>,
        pub(super) known: &'a [&'a str],
    }
    "seats" pub(super) struct WrongSeats<'a> {
        pub(super) game: &'a str,
        pub(super) least: usize,
        pub(super) most: usize,
        pub(super) said: usize,
    }
    "seats_and_policies" pub(super) struct SeatsAndPolicies {
        pub(super) seats: usize,
        pub(super) policies: usize,
    }
    "no_sets" pub(super) struct NoSets<'a> { pub(super) game: &'a str, pub(super) file: &'a str }
    "no_decks" pub(super) struct NoDecks<'a> { pub(super) game: &'a str }
    "unknown_deck" pub(super) struct UnknownDeck<'a> {
        pub(super) said: &'a str,
        pub(super) nearest: Option<&'a str>,
        pub(super) known: Vec<&'a str>,
    }
    "bad_set" pub(super) struct BadSet<'a> {
        pub(super) file: &'a str,
        pub(super) faults: Vec<String> = [vec!["s.toml:1: x".to_owned(), "s.toml:2: y".to_owned()]],
    }
    "picture_kind" pub(super) struct NotSvg { pub(super) path: String }
    "take_alone" pub(super) struct TakenWithoutTable {}
    "unwritable" pub(super) struct UnwritablePicture { pub(super) path: String, pub(super) why: Why }
    "other_charset" pub(super) struct OtherCharset { pub(super) charset: String }
    "options_line" pub(super) struct OptionsMisread { pub(super) fault: OptionsFault }
    "options" pub(super) struct NoOption<'a> {
        pub(super) game: &'a str,
        pub(super) said: &'a str,
        pub(super) nearest: Option<&'a str>,
        pub(super) known: &'a [&'a str],
    }
    "option_value" pub(super) struct NoOptionValue<'a> {
        pub(super) option: &'a str,
        pub(super) said: &'a str,
        pub(super) nearest: Option<&'a str>,
        pub(super) known: &'a [&'a str],
    }
    "misfit" pub(super) struct OptionMisfit {
        pub(super) option: String,
        pub(super) clause: &'static str,
        pub(super) least: usize,
        pub(super) most: usize,
        pub(super) said: usize,
    }
    "idle" pub(super) struct OptionIdle {
        pub(super) option: String,
        pub(super) clause: &'static str,
        pub(super) with: &'static str,
        pub(super) values: &'static [&'static str],
    }
    "held" pub(super) struct HeldAtOnce { pub(super) why: String }
    "newer_database" pub(super) struct NewerDatabase<'a> {
        pub(super) url: &'a str,
        pub(super) found: i64,
        pub(super) known: i64,
    }
    "older_database" pub(super) struct OlderDatabase<'a> { pub(super) url: &'a str }
    "foreign_database" pub(super) struct ForeignDatabase<'a> { pub(super) url: &'a str }
    "unreachable_database" pub(super) struct UnreachableDatabase<'a> {
        pub(super) url: &'a str,
        pub(super) why: Why,
    }
    "no_database" pub(super) struct NoDatabase<'a> { pub(super) url: &'a str, pub(super) why: Why }
    "no_database_yet" pub(super) struct NoDatabaseYet<'a> { pub(super) url: &'a str }
    "full_database" pub(super) struct FullDatabase<'a> { pub(super) url: &'a str }
    "half_database" pub(super) struct HalfDatabase<'a> {
        pub(super) url: &'a str,
        pub(super) lacking: String,
    }
    "no_health" pub(super) struct NoHealth { pub(super) address: String, pub(super) why: Why }
    "letters" pub(super) struct BadLetters { pub(super) why: String }
    "nothing_to_resume" pub(super) struct NothingToResume<'a> { pub(super) name: &'a str }
    "pace" pub(super) struct NoPace<'a> { pub(super) said: &'a str, pub(super) why: String }
    "nameless" pub(super) struct Nameless {}
    "name" pub(super) struct NoName { pub(super) said: String, pub(super) longest: usize }
    "chair" pub(super) struct NoChair<'a> {
        pub(super) said: &'a str,
        pub(super) seats: Vec<&'static str> = [vec!["P1", "P2"]],
    }
    "people" pub(super) struct WrongPeople { pub(super) said: usize, pub(super) seats: usize }
    "refused" pub(super) struct NotJoined {
        pub(super) why: String,
        pub(super) has_no_seat: bool,
    }
    "backup_exists" pub(super) struct FileExists<'a> { pub(super) file: &'a str }
    "backup_failed" pub(super) struct BackupFailed<'a> {
        pub(super) file: &'a str,
        pub(super) why: Why,
    }
    "no_backups" pub(super) struct NoBackups { pub(super) folder: String, pub(super) why: Why }
    "backups_kept" pub(super) struct BackupsKept<'a> {
        pub(super) file: &'a str,
        pub(super) why: Why,
    }
    "backed_up" pub(super) struct BackedUp<'a> { pub(super) file: &'a str }
    "copy_faulty" pub(super) struct CopyFaulty<'a> { #[serde(flatten)] pub(super) copy: CopyLooked<'a> }
    "restored" pub(super) struct CopyRestored<'a> { #[serde(flatten)] pub(super) copy: CopyLooked<'a> }
    "copy_checked" pub(super) struct CopyChecked<'a> { #[serde(flatten)] pub(super) copy: CopyLooked<'a> }
    "database_in_use" pub(super) struct DatabaseInUse<'a> { pub(super) url: &'a str }
    "database_holds" pub(super) struct DatabaseHolds<'a> {
        pub(super) url: &'a str,
        pub(super) held: i64,
        pub(super) embedded: bool,
    }
    "not_restored" pub(super) struct NotRestored<'a> {
        pub(super) file: &'a str,
        pub(super) url: &'a str,
        pub(super) why: Why,
    }
    "no_such_table" pub(super) struct NoSuchTable<'a> { pub(super) said: &'a str }
    "other_rules" pub(super) struct OtherRules<'a> { pub(super) code: &'a TableCode }
    "heads_disordered" pub(super) struct HeadsDisordered {
        pub(super) later: String,
        pub(super) sooner: String,
    }
    "unverified" pub(super) struct Unverified<'a> { pub(super) code: &'a str, pub(super) why: String }
    "unexported" pub(super) struct Unexported<'a> { pub(super) code: &'a TableCode, pub(super) why: Why }
    "not_over" pub(super) struct NotOver<'a> { pub(super) code: &'a TableCode }
    "page_of_other_rules" pub(super) struct PageOfOtherRules<'a> { pub(super) code: &'a TableCode }
    "untold" pub(super) struct Untold<'a> { pub(super) code: &'a TableCode, pub(super) why: String }
    "not_as_told" pub(super) struct NotAsTold<'a> { pub(super) said: &'a str }
    "page_unwritable" pub(super) struct PageUnwritable<'a> {
        pub(super) file: &'a str,
        pub(super) why: Why,
    }
    "page_written" pub(super) struct PageWritten<'a> { pub(super) file: &'a str }
    "serving" pub(super) struct Serving<'a> { pub(super) url: &'a str, pub(super) discord: bool }
    "invitation" pub(super) struct InvitationLink { pub(super) link: String }
    "unreached" pub(super) struct Unreached<'a> { pub(super) why: &'a str }
    "not_wanted" pub(super) struct NotWanted { pub(super) token: bool, pub(super) why: String }
    "ready" pub(super) struct ReadyToServe<'a> {
        pub(super) url: &'a str,
        pub(super) made: bool,
        pub(super) discord: bool,
    }
    "no_japanese_font" pub(super) struct NoJapaneseFont {}
    "font" pub(super) struct BadFont { pub(super) why: String }
    "no_bot" pub(super) struct NoBot<'a> { pub(super) game: &'a str }
    "no_token" pub(super) struct TokenMisplaced { #[serde(flatten)] pub(super) fault: NoToken }
    "no_application" pub(super) struct NoApplication {}
    "no_id" pub(super) struct NoId<'a> { pub(super) said: &'a str }
    "no_api" pub(super) struct NoApi { pub(super) why: String }
    "unread" pub(super) struct UnreadFile<'a> { pub(super) file: &'a str, pub(super) why: Why }
    "bad_file" pub(super) struct BadFile<'a> {
        pub(super) file: &'a str,
        pub(super) line: usize,
        pub(super) why: Unfit,
    }
    "other_edition" pub(super) struct OtherEdition<'a> {
        pub(super) file: &'a str,
        pub(super) of: Heading,
        pub(super) known: Option<String>,
    }
    "still_running" pub(super) struct StillRunning<'a> { pub(super) code: &'a TableCode }
    "here_already" pub(super) struct HereAlready<'a> { pub(super) code: &'a TableCode }
    "not_taken_up" pub(super) struct NotTakenUp<'a> { pub(super) code: &'a TableCode, pub(super) why: Why }
    "uncounted" pub(super) struct Uncounted { pub(super) why: Why }
}

letters! {
    /// Texts about a table in a file.
    FILE in "file";

    "exported" pub(super) struct Exported<'a> {
        pub(super) code: &'a TableCode,
        pub(super) file: &'a str,
        pub(super) lines: usize,
        pub(super) secrets: bool,
    }
    "imported" pub(super) struct Imported<'a> {
        pub(super) code: &'a TableCode,
        pub(super) file: &'a str,
        pub(super) secrets: bool,
        pub(super) left_out: LeftOut,
    }
}

letters! {
    /// Faults of values that the configuration only carries.
    CONFIG in "config";

    "pace" pub(super) struct ConfiguredPace<'a> {
        pub(super) key: &'a str,
        pub(super) place: String,
        pub(super) said: String,
        pub(super) why: String,
    }
    "folder" pub(super) struct ConfiguredFolder<'a> {
        pub(super) key: &'a str,
        pub(super) place: String,
        pub(super) said: String,
        pub(super) why: Why,
    }
}

letters! {
    /// The text of the bot's invitation.
    INVITE in "invite";

    "invite" pub(super) struct Invitation<'a> {
        pub(super) link: String,
        pub(super) together: u64,
        pub(super) permissions: Vec<PermissionLine<'a>>,
        pub(super) intents: &'a [&'a str],
        pub(super) scopes: &'a [&'a str],
    }
}

letters! {
    /// The texts after `--help`, and the faults of the command line.
    HELP in "help";

    "program" pub(super) struct HelpOfProgram<'a> { pub(super) games: Vec<GameLine<'a>> => some_games }
    "play" pub(super) struct HelpOfPlay<'a> { pub(super) games: Vec<GameLine<'a>> }
    "simulate" pub(super) struct HelpOfSimulate<'a> { pub(super) games: Vec<GameLine<'a>> }
    "serve" pub(super) struct HelpOfServe {}
    "misuse" pub(super) struct MisusedWords<'a> {
        pub(super) kind: WordFault,
        pub(super) verb: Option<&'a str>,
        /// The faulty argument, as clap writes it.
        pub(super) arg: String,
        pub(super) value: String,
        /// All valid values.
        pub(super) known: Vec<String>,
        /// The conflicting arguments.
        pub(super) before: Vec<String>,
        pub(super) nearest: Option<String>,
        /// The range of valid numbers; `None` if no number is expected.
        pub(super) number: Option<NumberWanted>,
    }
}

sampled! {
    /// A range of valid numbers.
    pub(super) struct NumberWanted {
        /// True for a whole number.
        pub(super) whole: bool,
        pub(super) least: Option<String> = [None, Some("1".to_owned())],
        pub(super) most: Option<String> = [None, Some("100".to_owned())],
    }

    /// A checked backup of a database.
    pub(super) struct CopyLooked<'a> {
        pub(super) file: &'a str,
        pub(super) url: &'a str,
        pub(super) tables: usize,
        pub(super) by_hash_alone: usize,
        pub(super) faulty: Vec<TableCode>,
    }

    /// A permission that the bot asks for.
    pub(super) struct PermissionLine<'a> {
        pub(super) name: &'a str,
        pub(super) value: u64,
        pub(super) why: &'a str,
    }

    /// A game with its numbers of players, its policies and its options.
    pub(super) struct GameLine<'a> {
        pub(super) key: &'a str,
        pub(super) least: usize,
        pub(super) most: usize,
        pub(super) policies: Vec<&'a str>,
        pub(super) options: Vec<OptionToChoose>,
    }

    /// An option of a game.
    pub(super) struct OptionToChoose {
        pub(super) key: &'static str,
        pub(super) values: &'static [&'static str],
        pub(super) supposed: String,
        /// The meaning of each value, in words.
        pub(super) means: Vec<String>,
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
