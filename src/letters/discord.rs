//! Letters that there are on Discord only.

use std::collections::BTreeMap;

use crate::table::{HostName, WindowProgress};
use crate::template::letters::DISCORD;
use crate::template::typed::{Draw, always, letters, sampled};
use crate::template::views::Moment;
use games::GAMES;
use rules::window::Progress;
use rules::{Round, Seat};
use tables::ids::TableCode;

letters! {
    /// Letters that there are on Discord only.
    LETTERS in DISCORD;

    /// The post of a table.
    "post" pub struct PostText {
        pub stage: &'static str = ["playing", "forming", "over"],
        pub code: TableCode,
        /// True if its window has given way to another.
        pub past: bool,
        /// True if its window has closed.
        pub closed: bool,
        pub held: Option<&'static str> = [None, Some("outage"), Some("rules")],
        /// True if its game masters see what is sealed.
        pub open: bool,
        pub sought: Vec<Seat>,
        pub chairs: Vec<Seat>,
        /// The chairs of each side; none where there are no sides.
        pub sides: Vec<Vec<Seat>>,
        pub taken: Vec<Seat>,
        pub house: Vec<Seat>,
        /// True if it is the post in which the table waits for its players.
        pub gathering: bool,
        /// What is played otherwise than as usual, in words.
        pub options: Vec<String>,
        /// How its window ended, if it did.
        pub gone: Option<EndedWindow>,
        pub pace: String,
        pub absence: String,
        pub presence: WhoIsThere,
        pub window: Option<Round> => always,
        pub suspended: bool,
        pub standing: Option<WindowProgress> => always,
        pub announced: Option<Moment> => always,
        /// How the table stands, where no picture shows it.
        pub table: Option<String>,
        pub commitment: String,
        pub begins_when_full: bool,
        pub host: HostName,
        /// The ids of those who are named at its head.
        pub asked: Vec<String>,
    }

    /// What stands on a button.
    "label" pub struct ButtonLabel<'a> {
        pub wish: &'a str = [
            "end", "close", "agree-to-draw", "join", "leave", "start", "declare", "hand", "show", "why",
            "always", "leave-as-host",
            "side",
            "again",
            "erase", "read", "back", "not-away", "take-back", "decide", "quietly", "undo", "take",
            "yes", "no",
        ],
    }

    /// A control has no meaning any more.
    "moved" pub struct MovedOn {}

    /// What was typed and could not be kept.
    "typed" pub struct TypedInVain<'a> { pub lines: Vec<&'a str> }

    /// What somebody can do next, by what they are at a table.
    "help" pub struct HelpAtTable {
        pub code: Option<TableCode>,
        pub stage: Option<&'static str> = [Some("playing"), Some("forming"), Some("over")],
        pub held: Option<&'static str> = [None, Some("outage")],
        pub host: bool,
        pub seat: Option<Seat>,
        pub openly: bool,
        /// What every command is called, by its name.
        pub called: BTreeMap<&'static str, String> => command_names,
        pub commands: Vec<String>,
    }

    /// A declaration is sealed.
    "sealed" pub struct SealedNote {}

    /// A letter tells nothing any more.
    "settled" pub struct SettledSince {}

    /// It is done.
    "done" pub struct DoneNote {}

    /// A game cannot be played with these options.
    "options" pub struct OptionsUnfit { pub why: String }

    /// There are no tables outside of a server.
    "no_server" pub struct NoServer {}

    /// A game cannot be played by so many.
    "seats" pub struct SeatsUnfit { pub least: usize, pub most: usize, pub said: usize }

    /// It is not plain which table is meant.
    "which" pub struct WhichTable {
        pub tables: Vec<TableInThread>,
        /// The number of those that are left out.
        pub more: usize,
    }

    /// Something could not be done.
    "failed" pub struct FailedNote { pub forbidden: bool }

    /// What the thread of a table is called.
    "thread" pub struct ThreadName<'a> { pub host: &'a str }

    /// A table is formed.
    "formed" pub struct FormedAt<'a> { pub code: &'a TableCode, pub thread: String }

    /// A table is played where its host is, as no thread can be made there.
    "threadless" pub struct Threadless {}

    /// What the bot is missing where a table was formed, or is to be.
    "lacking" pub struct PermissionsLacking {
        pub channel: String,
        pub missing: Vec<MissingPermission>,
        pub formed: bool,
    }

    /// Somebody may not form tables on this server.
    "may_not_form" pub struct MayNotForm<'a> { pub role: &'a str }

    /// A role is called to a new table.
    "call" pub struct RoleCalled<'a> { pub role: &'a str, pub host: &'a str }

    /// It could not be called.
    "uncalled" pub struct RoleUncalled<'a> { pub role: &'a str }

    /// What is set for a server.
    "defaults" pub struct DefaultsShown<'a> {
        pub pace: Option<String> = [Some("2h".to_owned())],
        pub absence: Option<String>,
        pub language: Option<&'a str> = [None, Some("en"), Some("ja")],
        pub begins_when_full: bool,
        pub hosts: Option<&'a str>,
        pub call: Option<&'a str>,
    }

    /// Somebody has sat down.
    "joined" pub struct SatDown<'a> { pub code: &'a TableCode, pub seat: Seat, pub begun: bool }

    /// Somebody has taken a seat that was sought for.
    "taken" pub struct TookSeat<'a> { pub code: &'a TableCode, pub seat: Seat }

    /// Somebody has left their seat.
    "left" pub struct LeftSeat<'a> { pub code: &'a TableCode, pub seat: Seat, pub host: bool }

    /// The tables that are played here.
    "list" pub struct TablesHere {
        pub tables: Vec<ListedTable>,
        /// The number of those that are left out.
        pub more: usize,
    }

    /// Somebody is too fast.
    "wait" pub struct TooFast { pub most: u32 }

    /// What is kept about people.
    "privacy" pub struct PrivacyNotice { pub export: String, pub erase: String }

    /// What is kept about somebody comes with it.
    "export" pub struct KeptAsFile { pub known: bool }

    /// Somebody is asked whether they are to be forgotten, and told what becomes of their tables.
    "erase" pub struct EraseAsked { pub known: bool, pub tables: Vec<ListedTable> }

    /// Somebody is forgotten.
    "erased" pub struct ErasedNote { pub known: bool }

    /// How the bot is set up on a server.
    "setup" pub struct SetupShown {
        pub channels: Vec<CheckedChannel>,
        /// True if the other channels could not be looked at.
        pub unseen: bool,
        pub stuck: bool,
        pub late: bool,
        pub told: bool,
        pub pictures: bool,
    }

    /// What came of posting a dashboard.
    "dashboard" pub struct DashboardCame<'a> {
        pub came: &'a str = ["posted", "nothing", "forbidden"],
    }

    /// Somebody is called in a thread, as they take no letters, or has come.
    "knock" pub struct PingedInThread { pub user: String, pub read: bool }

    /// A letter is somebody else's.
    "not_yours" pub struct NotYours {}

    /// A table goes on elsewhere.
    "relocated" pub struct GoesOnAt<'a> { pub code: &'a TableCode, pub thread: String }

    /// What stands on the panel of a table's settings, by its name, with a value that it tells.
    "setting" pub struct SettingCaption<'a> {
        pub what: &'a str = [
            "games", "seats", "pace", "options", "write", "rewrite", "count",
            "names", "open", "blind", "files", "no_files", "begin_when_full", "begin_by_host",
            "results_short", "results_full", "pace_title", "pace_label", "pace_hint", "absence",
            "rewrite_absence", "absence_title", "absence_label", "absence_hint", "chairs",
            "language",
        ],
        pub value: &'a str = ["ja", "en"],
    }

    /// A file of a table, or why it is missing.
    "file" pub struct BroughtFile<'a> {
        pub what: &'a str = ["table", "page"],
        pub code: &'a TableCode,
        pub name: &'a str,
        pub missing: Option<&'static str> = [None, Some("large"), Some("failed"), Some("refused")],
    }

    /// Who stands in for somebody, until when, and why somebody cannot.
    "substitute" pub struct StandsIn<'a> {
        pub code: &'a TableCode,
        pub user: Option<String>,
        pub until: Option<Moment> => always,
        pub refused: Option<&'static str> = [None, Some("bot")],
    }

    /// The field in which a game master says why.
    "reason" pub struct ReasonField<'a> {
        pub what: &'a str = ["title", "label", "hint"],
        /// True if it is told.
        pub told: bool,
    }

    /// A seat that is offered.
    "seat" pub struct OfferedSeat { pub seat: Seat }

    /// A window that is offered.
    "opened" pub struct OfferedWindow { pub window: Round }

    /// Somebody, or who has a role, may decide beside the host, or no more.
    "appointed" pub struct MayDecide { pub who: String, pub role: bool, pub may: bool }

    /// What keeps letters from arriving.
    "obstacle" pub struct ObstacleText<'a> {
        pub code: &'a TableCode,
        pub why: &'a str = [
            "gone", "forbidden", "locked", "closed", "unreachable", "files", "refused",
        ],
        pub channel: Option<String>,
        pub user: Option<String>,
        pub permissions: Vec<&'static str>,
        /// True if the obstacle is overcome.
        pub mended: bool,
    }

    /// Discord does not take the words of a message.
    "words" pub struct WordsRefused {}
}

sampled! {
    /// A window that is over, on its post.
    pub struct EndedWindow {
        pub window: Round,
        pub suspended: bool,
        pub awaited: Vec<Seat>,
        pub missing: usize,
        pub openly: bool,
    }

    /// Who is there in a window.
    pub struct WhoIsThere {
        pub put_off: u32,
        pub grace: bool,
        pub late: Vec<Seat>,
        pub inactive: Vec<Seat>,
        pub away: Vec<Seat>,
        pub stood_in: Vec<Seat>,
    }

    /// A table, and the thread in which it is played.
    pub struct TableInThread { pub code: TableCode, pub thread: Option<String> }

    /// A permission that the bot is missing, and what for.
    pub struct MissingPermission { pub name: &'static str, pub why: &'static str }

    /// A channel, and what the bot is missing there.
    pub struct CheckedChannel {
        pub channel: String,
        pub missing: Vec<MissingPermission>,
        /// True if there is no such channel any more.
        pub gone: bool,
    }

    /// A table in a list.
    pub struct ListedTable {
        pub code: TableCode,
        pub game: &'static str = [GAMES[0].key()],
        pub thread: Option<String>,
        pub stage: &'static str = ["playing", "forming", "over"],
        pub held: Option<&'static str> = [None, Some("outage")],
        pub host: bool,
        pub seat: Option<Seat>,
        pub taken: usize,
        pub chairs: usize,
        pub progress: Option<Progress>,
        pub closes: Option<Moment>,
        pub announced: Option<Moment>,
    }
}

/// The commands that help names.
fn command_names(_: &mut Draw<'_>) -> BTreeMap<&'static str, String> {
    let names = [
        "act",
        "away",
        "close",
        "declare",
        "end",
        "hand",
        "join",
        "leave",
        "log",
        "my",
        "new",
        "resume",
        "seal",
        "settings",
        "show",
        "start",
        "substitute",
        "withdraw",
    ];
    names.into_iter().map(|name| (name, name.to_owned())).collect()
}
