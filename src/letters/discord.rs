//! Letters that exist only on Discord.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;

use crate::template::Draw;
use crate::template::typed::{always, letters, sampled};
use crate::{DISCORD, EndedWindow, HostName, Moment, Presence, WindowProgress};
use games::GAMES;
use rules::window::Progress;
use rules::{Round, Seat};
use tables::ids::TableCode;
use tables::{TableSetting, TableSettings};

letters! {
    /// Letters that exist only on Discord.
    LETTERS in DISCORD;

    /// The post of a table.
    "post" pub struct PostText {
        pub stage: &'static str = ["playing", "forming", "over"],
        pub code: TableCode,
        /// True if a later window has replaced the post's window.
        pub past: bool,
        /// True if the post's window has closed.
        pub closed: bool,
        pub held: Option<&'static str> = [None, Some("outage"), Some("rules")],
        pub sought: Vec<Seat>,
        pub chairs: Vec<Seat>,
        /// The chairs of each side; empty in a game without sides.
        pub sides: Vec<Vec<Seat>>,
        pub taken: Vec<Seat>,
        pub house: Vec<Seat>,
        /// True if the post belongs to a table that waits for its players.
        pub gathering: bool,
        /// The options that differ from their defaults, in words.
        pub options: Vec<String>,
        /// The end of the post's window; `None` if it has not ended.
        pub gone: Option<EndedWindow>,
        pub pace: String,
        pub absence: String,
        pub presence: Presence,
        pub window: Option<Round> => always,
        pub suspended: bool,
        pub standing: Option<WindowProgress> => always,
        pub announced: Option<Moment> => always,
        /// The state of the table in words; `None` if a picture shows it.
        pub table: Option<String>,
        pub commitment: String,
        pub settings: TableSettings,
        pub host: HostName,
        /// The Discord ids of the users mentioned at the top.
        pub asked: Vec<String>,
    }

    /// The text of a button.
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

    /// The note on a control that has no effect any more.
    "moved" pub struct MovedOn {}

    /// Typed lines that could not be stored.
    "typed" pub struct TypedInVain<'a> { pub lines: Vec<&'a str> }

    /// The next steps of a user, by their role at a table.
    "help" pub struct HelpAtTable {
        pub code: Option<TableCode>,
        pub stage: Option<&'static str> = [Some("playing"), Some("forming"), Some("over")],
        pub held: Option<&'static str> = [None, Some("outage")],
        pub host: bool,
        pub seat: Option<Seat>,
        pub openly: bool,
        /// The names of all commands as users see them, by key.
        pub called: BTreeMap<&'static str, String> => command_names,
        pub commands: Vec<String>,
    }

    /// The note that a declaration is sealed.
    "sealed" pub struct SealedNote {}

    /// The note that replaces a letter that no longer applies.
    "settled" pub struct SettledSince {}

    /// The note on an action done.
    "done" pub struct DoneNote {}

    /// Options that a game does not allow.
    "options" pub struct OptionsUnfit { pub why: String }

    /// The note that tables exist only on servers.
    "no_server" pub struct NoServer {}

    /// A number of players that a game does not allow.
    "seats" pub struct SeatsUnfit { pub least: usize, pub most: usize, pub said: usize }

    /// A command that does not say which table is meant.
    "which" pub struct WhichTable {
        pub tables: Vec<TableInThread>,
        /// The number of tables left out.
        pub more: usize,
    }

    /// An action that failed.
    "failed" pub struct FailedNote { pub forbidden: bool }

    /// The name of a table's thread.
    "thread" pub struct ThreadName<'a> { pub host: &'a str }

    /// The note that a table is formed.
    "formed" pub struct FormedAt<'a> { pub code: &'a TableCode, pub thread: String }

    /// A table played in its host's channel, as no thread can be created there.
    "threadless" pub struct Threadless {}

    /// The permissions that the bot lacks in the channel of a table.
    "lacking" pub struct PermissionsLacking {
        pub channel: String,
        pub missing: Vec<MissingPermission>,
        pub formed: bool,
    }

    /// A user who may not form tables on this server.
    "may_not_form" pub struct MayNotForm<'a> { pub role: &'a str }

    /// A role pinged for a new table.
    "call" pub struct RoleCalled<'a> { pub role: &'a str, pub host: &'a str }

    /// A role that could not be pinged.
    "uncalled" pub struct RoleUncalled<'a> { pub role: &'a str }

    /// The defaults of a server.
    "defaults" pub struct DefaultsShown<'a> {
        pub pace: Option<String> = [Some("2h".to_owned())],
        pub absence: Option<String>,
        pub language: Option<&'a str> = [None, Some("en"), Some("ja")],
        pub begin: Option<&'a str> = [None, Some("full"), Some("host")],
        pub hosts: Option<&'a str>,
        pub call: Option<&'a str>,
    }

    /// A user who has taken a seat at a forming table.
    "joined" pub struct SatDown<'a> { pub code: &'a TableCode, pub seat: Seat, pub begun: bool }

    /// A user who has taken a seat that looked for a player.
    "taken" pub struct TookSeat<'a> { pub code: &'a TableCode, pub seat: Seat }

    /// A user who has left their seat.
    "left" pub struct LeftSeat<'a> { pub code: &'a TableCode, pub seat: Seat, pub host: bool }

    /// The tables played on this server.
    "list" pub struct TablesHere {
        pub tables: Vec<ListedTable>,
        /// The number of tables left out.
        pub more: usize,
    }

    /// A user who exceeds the rate limit.
    "wait" pub struct TooFast { pub most: u32 }

    /// The stored data about users.
    "privacy" pub struct PrivacyNotice { pub export: String, pub erase: String }

    /// The note with the file of a user's stored data.
    "export" pub struct KeptAsFile { pub known: bool }

    /// The confirmation of erasing a user, with the effect on their tables.
    "erase" pub struct EraseAsked { pub known: bool, pub tables: Vec<ListedTable> }

    /// The note that a user is erased.
    "erased" pub struct ErasedNote { pub known: bool }

    /// The state of the bot's setup on a server.
    "setup" pub struct SetupShown {
        pub channels: Vec<CheckedChannel>,
        /// True if the bot could not see the other channels.
        pub unseen: bool,
        pub stuck: bool,
        pub late: bool,
        pub told: bool,
        pub pictures: bool,
    }

    /// The result of posting a dashboard.
    "dashboard" pub struct DashboardCame<'a> {
        pub came: &'a str = ["posted", "nothing", "forbidden"],
    }

    /// A ping in a thread for a user who accepts no direct messages; `read` is true if they have come.
    "knock" pub struct PingedInThread { pub user: String, pub read: bool }

    /// The note that a letter belongs to another user.
    "not_yours" pub struct NotYours {}

    /// A table that goes on in another thread.
    "relocated" pub struct GoesOnAt<'a> { pub code: &'a TableCode, pub thread: String }

    /// A text on the settings panel, by its name, with the value that it shows.
    "setting" pub struct SettingCaption<'a> {
        pub what: &'a str = [
            "games", "seats", "pace", "options", "write", "rewrite", "pace_title", "pace_label",
            "pace_hint", "absence", "rewrite_absence", "absence_title", "absence_label",
            "absence_hint", "chairs", "language",
        ].into_iter().chain(TableSetting::iter().map(|of| of.into_str())).collect::<Vec<_>>(),
        pub value: &'a str = ["ja", "en", "on", "off"],
    }

    /// A file of a table, or the reason why the file is missing.
    "file" pub struct BroughtFile<'a> {
        pub what: &'a str = ["table", "page"],
        pub code: &'a TableCode,
        pub name: &'a str,
        pub missing: Option<&'static str> = [None, Some("large"), Some("failed"), Some("refused")],
    }

    /// The substitute for a user and the end of the substitution, or why a user cannot be one.
    "substitute" pub struct StandsIn<'a> {
        pub code: &'a TableCode,
        pub user: Option<String>,
        pub until: Option<Moment> => always,
        pub refused: Option<&'static str> = [None, Some("bot")],
    }

    /// The field for a game master's reason.
    "reason" pub struct ReasonField<'a> {
        pub what: &'a str = ["title", "label", "hint"],
        /// True if the reason is shown to others.
        pub told: bool,
    }

    /// An offered seat.
    "seat" pub struct OfferedSeat { pub seat: Seat }

    /// An offered window.
    "opened" pub struct OfferedWindow { pub window: Round }

    /// A user or a role that was appointed or dismissed as game master.
    "appointed" pub struct MayDecide { pub who: String, pub role: bool, pub may: bool }

    /// An obstacle that keeps letters from arriving.
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

    /// A message that Discord rejects for its words.
    "words" pub struct WordsRefused {}
}

sampled! {
    /// A table, and the thread in which it is played.
    pub struct TableInThread { pub code: TableCode, pub thread: Option<String> }

    /// A permission that the bot lacks, and its purpose.
    pub struct MissingPermission { pub name: &'static str, pub why: &'static str }

    /// A channel with the permissions that the bot lacks there.
    pub struct CheckedChannel {
        pub channel: String,
        pub missing: Vec<MissingPermission>,
        /// True if the channel no longer exists.
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

/// Returns sample names of the commands in the help letter.
fn command_names(_: &mut Draw<'_>) -> BTreeMap<&'static str, String> {
    let names = "act away close declare end hand join leave log my new resume seal settings show start \
                 substitute withdraw";
    names.split(' ').map(|name| (name, name.to_owned())).collect()
}
