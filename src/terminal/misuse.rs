//! Faults of the input: one sentence each, with the nearest valid input.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::texts::{
    BadFile, FileExists, HeldAtOnce, Nameless, NoChair, NoName, NoOption, NoOptionValue,
    OptionMisfit, OptionsMisread, PageUnwritable, UnknownGame, UnknownPolicy, UnreadFile,
    WrongPeople, WrongSeats,
};
use super::{Exit, TerminalText};
use desk::FileFault;
use games::any::{AnyGame, Misfit, TableOptionsError};
use games::simulation::PlanError;
use games::{GAMES, find, options_line};
use letters::TypedLetter;
use rules::data::nearest;
use rules::{Seat, text};

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
    pub(super) fn told(&self, text: &TerminalText) -> String {
        text.say("misuse", self.name, &self.sees)
    }

    pub(super) fn complain(
        &self,
        text: &TerminalText,
        complaints: &mut dyn Write,
    ) -> io::Result<Exit> {
        complaints.write_all(self.told(text).as_bytes())?;
        Ok(self.exit())
    }

    /// Returns the exit of a program with this fault.
    pub(super) fn exit(&self) -> Exit {
        match self.name {
            "full_database" | "unreachable_database" => Exit::Later,
            // The input was right, but the file is faulty.
            "bad_file" => Exit::Finding,
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

    /// Returns the fault of a table's file with a bad line.
    pub(super) fn bad_file(file: &str, fault: &FileFault) -> Self {
        BadFile { file, line: fault.line, why: fault.why.clone() }.into()
    }

    /// Returns the fault of a number of players that the game does not allow.
    pub(super) fn seats(game: &dyn AnyGame, said: usize) -> Self {
        let (least, most) = (*game.seats().start(), *game.seats().end());
        WrongSeats { game: game.key(), least, most, said }.into()
    }
}

/// Finds the game of a key.
pub(super) fn game(said: &str) -> Result<&'static dyn AnyGame, Misuse> {
    find(said).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        UnknownGame { said, nearest: nearest(said, known.iter().copied()), known }.into()
    })
}

/// Checks that a game has a policy.
pub(super) fn policy(game: &dyn AnyGame, said: &str) -> Result<(), Misuse> {
    let name = said.split(':').next().unwrap_or_default();
    if game.policies().contains(&name) { Ok(()) } else { Err(unknown_policy(game, said)) }
}

/// Returns the fault of a policy that the game does not have.
pub(super) fn unknown_policy(game: &dyn AnyGame, said: &str) -> Misuse {
    let known = &game.policies()[..];
    let nearest = nearest(said, known.iter().copied());
    UnknownPolicy { game: game.key(), said, nearest, known }.into()
}

/// Returns the misuse of a plan that does not fit the game. Seats and policies have been checked before.
pub(super) fn unplayable(game: &dyn AnyGame, error: PlanError) -> Misuse {
    match error {
        PlanError::Seats { said, .. } => Misuse::seats(game, said),
        PlanError::Policy(said) => unknown_policy(game, &said),
        PlanError::Options(why) => unopened(game, &TableOptionsError::Options(why)),
    }
}

/// The maximum length of a name, in characters: that of a Discord nickname.
pub(super) const LONGEST_NAME: usize = 32;

/// Checks the name of a player, which must differ from the names of seats. At a table with several people, a
/// name is required.
pub(super) fn name(said: &str, needed: bool) -> Result<(), Misuse> {
    if said.is_empty() && needed {
        return Err(Nameless {}.into());
    }
    let plain = said.trim() == said && !said.contains(char::is_control);
    if plain && said.chars().count() <= LONGEST_NAME && said.parse::<Seat>().is_err() {
        return Ok(());
    }
    let said = said.chars().filter(|c| !c.is_control()).take(2 * LONGEST_NAME).collect();
    Err(NoName { said, longest: LONGEST_NAME }.into())
}

/// Checks the number of people among the players.
pub(super) fn people(said: usize, seats: usize) -> Result<(), Misuse> {
    let fits = (1..=seats).contains(&said);
    if fits { Ok(()) } else { Err(WrongPeople { said, seats }.into()) }
}

/// Parses the chair of a new table.
pub(super) fn chair(said: &str, seats: usize) -> Result<Seat, Misuse> {
    let named = text::fold(said.trim()).to_uppercase();
    let chair = named.parse::<Seat>().ok().filter(|chair| chair.index() < seats);
    let all = || Seat::all(seats).map(Seat::name).collect();
    chair.ok_or_else(|| NoChair { said, seats: all() }.into())
}

/// Parses the options of a table, each typed as NAME=VALUE or as the name of its value, or several in a line.
pub(super) fn options(game: &dyn AnyGame, said: &[String]) -> Result<Json, Misuse> {
    // The state of a continued game is not an option for hosts.
    let all: Vec<_> = game.options(&Json::Null).iter().map(|set| set.option).collect();
    for said in said {
        let Some((name, value)) = said.split_once('=') else { continue };
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
    let options = options_line::read(game, &said.join(","));
    Ok(Json::Object(options.map_err(|fault| OptionsMisread { fault })?))
}

/// Returns the fault of an option or a value that does not exist.
fn no_option(game: &dyn AnyGame, said: &str, known: &[&str]) -> Misuse {
    let nearest = nearest(said, known.iter().copied());
    NoOption { game: game.key(), said, nearest, known }.into()
}

/// Returns the fault of options with which no table can be opened.
pub(super) fn unopened(game: &dyn AnyGame, error: &TableOptionsError) -> Misuse {
    match error {
        TableOptionsError::Seats { said, .. } => Misuse::seats(game, *said),
        TableOptionsError::Misfit { misfit, said, .. } => {
            let Misfit { key, value, clause, least, most } = *misfit;
            let option = format!("{key}={value}");
            OptionMisfit { option, clause, least, most, said: *said }.into()
        }
        TableOptionsError::Options(why) => {
            // The message of the options' parser quotes the input, and then all valid inputs.
            let mut quoted = why.split('`').skip(1).step_by(2);
            let said = quoted.next().unwrap_or(why);
            no_option(game, said, &quoted.collect::<Vec<&str>>())
        }
        TableOptionsError::Held(held) => HeldAtOnce { why: held.to_string() }.into(),
    }
}
