//! The output of a verb, and faults of the input: one sentence each, with the nearest valid input.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::texts::{
    BadFile, FileExists, HeldAtOnce, Nameless, NoChair, NoName, NoOption, NoOptionValue,
    OptionIdle, OptionMisfit, OptionsMisread, PageUnwritable, UnknownGame, UnknownPolicy,
    UnreadFile, UnwritablePicture, WrongPeople, WrongSeats,
};
use super::{Exit, TerminalText};
use desk::FileFault;
use games::any::{AnyGame, Misfit, TableOptionsError};
use games::simulation::PlanError;
use games::{GAMES, find, options_line};
use letters::TypedLetter;
use rules::data::nearest;
use rules::{Seat, text};

/// The reason why a verb ends early.
#[derive(Debug)]
pub(super) enum Stopped {
    Misuse(Misuse),
    Broken(io::Error),
}

/// The end of a verb.
pub(super) type Done<T = Exit> = Result<T, Stopped>;

impl From<Misuse> for Stopped {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Explains a misuse, and returns the exit of the program.
pub(super) fn explained(
    done: Done,
    voice: &TerminalText,
    complaints: &mut dyn Write,
) -> io::Result<Exit> {
    match done {
        Ok(exit) => Ok(exit),
        Err(Stopped::Misuse(misuse)) => {
            complaints.write_all(misuse.written(voice).as_bytes())?;
            Ok(misuse.exit())
        }
        Err(Stopped::Broken(error)) => Err(error),
    }
}

/// The output of a verb, with the texts in the reader's language.
pub(super) struct Console<'a> {
    pub(super) voice: &'a TerminalText,
    pub(super) out: &'a mut (dyn Write + Send),
}

impl Console<'_> {
    pub(super) fn say(&mut self, text: &impl TypedLetter) -> Done {
        self.write(&self.voice.text(text))
    }

    pub(super) fn write(&mut self, text: &str) -> Done {
        self.out.write_all(text.as_bytes())?;
        Ok(Exit::Fine)
    }

    pub(super) fn line(&mut self, line: &str) -> Done {
        self.write(&format!("{line}\n"))
    }

    /// Writes a document: as JSON, or else as its text.
    pub(super) fn document(
        &mut self,
        json: bool,
        document: &impl Serialize,
        text: impl FnOnce() -> Done<String>,
    ) -> Done {
        if !json {
            return self.write(&text()?);
        }
        self.line(&serde_json::to_string_pretty(document).map_err(io::Error::other)?)
    }
}

/// A fault of the input, with the text that explains it.
#[derive(Debug)]
pub(super) struct Misuse {
    name: &'static str,
    sees: Json,
}

impl<T: TypedLetter> From<T> for Misuse {
    fn from(text: T) -> Self {
        Self { name: T::NAME, sees: json!(text) }
    }
}

impl Misuse {
    /// Returns the text.
    pub(super) fn written(&self, text: &TerminalText) -> String {
        text.say("misuse", self.name, &self.sees)
    }

    /// Returns the exit of a program with this fault.
    pub(super) fn exit(&self) -> Exit {
        match self.name {
            "full_database" | "unreachable_database" => Exit::Later,
            // The input was right, but the file is faulty.
            "bad_file" | "copy_faulty" => Exit::Finding,
            _ => Exit::Misuse,
        }
    }

    /// Returns the fault of a file that cannot be read.
    pub(super) fn unread(file: &str, error: &io::Error) -> Self {
        UnreadFile { file, why: error.into() }.into()
    }

    /// Returns the fault of a file that cannot be created, or exists already.
    pub(super) fn unmade(file: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return FileExists { file }.into();
        }
        PageUnwritable { file, why: error.into() }.into()
    }

    /// Creates the file of a chart.
    pub(super) fn chart(path: &Path) -> Result<File, Self> {
        File::create(path).map_err(|error| {
            UnwritablePicture { path: path.display().to_string(), why: (&error).into() }.into()
        })
    }

    /// Returns the fault of a table's file with a bad line.
    pub(super) fn bad_file(file: &str, fault: &FileFault) -> Self {
        BadFile { file, line: fault.line, why: fault.why.clone() }.into()
    }

    /// Returns the fault of a number of players that the game does not allow.
    pub(super) fn seats(game: &dyn AnyGame, requested: usize) -> Self {
        let (least, most) = (*game.seats().start(), *game.seats().end());
        WrongSeats { game: game.key(), least, most, said: requested }.into()
    }
}

/// Finds the game of a key.
pub(super) fn game(input: &str) -> Result<&'static dyn AnyGame, Misuse> {
    find(input).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        UnknownGame { said: input, nearest: nearest(input, known.iter().copied()), known }.into()
    })
}

/// Checks that a game has a policy.
pub(super) fn policy(game: &dyn AnyGame, input: &str) -> Result<(), Misuse> {
    let name = input.split(':').next().unwrap_or_default();
    if game.policies().contains(&name) { Ok(()) } else { Err(unknown_policy(game, input)) }
}

/// Returns the fault of a policy that the game does not have.
pub(super) fn unknown_policy(game: &dyn AnyGame, input: &str) -> Misuse {
    let known = &game.policies()[..];
    let nearest = nearest(input, known.iter().copied());
    UnknownPolicy { game: game.key(), said: input, nearest, known }.into()
}

/// Returns the misuse of a plan that does not fit the game. Seats and policies have been checked before.
pub(super) fn unplayable(game: &dyn AnyGame, error: PlanError) -> Misuse {
    match error {
        PlanError::Seats { seats: requested, .. } => Misuse::seats(game, requested),
        PlanError::Policy(input) => unknown_policy(game, &input),
        PlanError::Options(why) => unopened(game, &TableOptionsError::Options(why)),
    }
}

/// The maximum length of a name, in characters: that of a Discord nickname.
pub(super) const LONGEST_NAME: usize = 32;

/// Checks the name of a player, which must differ from the names of seats. At a table with several people, a
/// name is required.
pub(super) fn name(input: &str, needed: bool) -> Result<(), Misuse> {
    if input.is_empty() && needed {
        return Err(Nameless {}.into());
    }
    let plain = input.trim() == input && !input.contains(char::is_control);
    if plain && input.chars().count() <= LONGEST_NAME && input.parse::<Seat>().is_err() {
        return Ok(());
    }
    let input = input.chars().filter(|c| !c.is_control()).take(2 * LONGEST_NAME).collect();
    Err(NoName { said: input, longest: LONGEST_NAME }.into())
}

/// Checks the number of people among the players.
pub(super) fn people(requested: usize, seats: usize) -> Result<(), Misuse> {
    let fits = (1..=seats).contains(&requested);
    if fits { Ok(()) } else { Err(WrongPeople { said: requested, seats }.into()) }
}

/// Parses the chair of a new table.
pub(super) fn chair(input: &str, seats: usize) -> Result<Seat, Misuse> {
    let named = text::fold(input.trim()).to_uppercase();
    let chair = named.parse::<Seat>().ok().filter(|chair| chair.index() < seats);
    let all = || Seat::all(seats).map(Seat::name).collect();
    chair.ok_or_else(|| NoChair { said: input, seats: all() }.into())
}

/// Parses the options of a table, each typed as NAME=VALUE or as the name of its value, or several in a line.
pub(super) fn options(game: &dyn AnyGame, input: &[String]) -> Result<Json, Misuse> {
    // The state of a continued game is not an option for hosts.
    let all: Vec<_> = game.options(&Json::Null).iter().map(|set| set.option).collect();
    for input in input {
        let Some((name, value)) = input.split_once('=') else { continue };
        let (name, value) = (name.trim(), value.trim());
        let Some(option) = all.iter().find(|option| option.key == name) else {
            let known: Vec<&str> = all.iter().map(|option| option.key).collect();
            return Err(no_option(game, name, &known));
        };
        if !option.values.contains(&value) {
            let (known, nearest) = (option.values, nearest(value, option.values.iter().copied()));
            return Err(NoOptionValue { option: name, said: value, nearest, known }.into());
        }
    }
    // Two values of an option are a fault also if each is typed by itself.
    let options = options_line::read(game, &input.join(","));
    Ok(Json::Object(options.map_err(|fault| OptionsMisread { fault })?))
}

/// Returns the fault of an option or a value that does not exist.
fn no_option(game: &dyn AnyGame, input: &str, known: &[&str]) -> Misuse {
    let nearest = nearest(input, known.iter().copied());
    NoOption { game: game.key(), said: input, nearest, known }.into()
}

/// Returns the fault of options with which no table can be opened.
pub(super) fn unopened(game: &dyn AnyGame, error: &TableOptionsError) -> Misuse {
    match error {
        TableOptionsError::Seats { seats: requested, .. } => Misuse::seats(game, *requested),
        TableOptionsError::Misfit { misfit, seats: requested, .. } => {
            let Misfit { key, value, clause, least, most } = *misfit;
            let option = format!("{key}={value}");
            OptionMisfit { option, clause, least, most, said: *requested }.into()
        }
        TableOptionsError::Idle { option, value, .. } => {
            let (with, values) = option.with.unwrap_or((option.key, option.values));
            let option_value = format!("{}={value}", option.key);
            OptionIdle { option: option_value, clause: option.clause, with, values }.into()
        }
        // Names and values have been checked before.
        TableOptionsError::Options(why) => no_option(game, why, &[]),
        TableOptionsError::Held(held) => HeldAtOnce { why: held.to_string() }.into(),
    }
}
