//! What was typed and cannot be carried out: one sentence, with the nearest that would be right.

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
use games::{GAMES, find, options_line};
use letters::TypedLetter;
use rules::data::nearest;
use rules::{Seat, text};

/// What was typed and cannot be carried out: the text that says so.
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
    /// What it says.
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

    /// How a program ends that was told this.
    pub(super) fn exit(&self) -> Exit {
        match self.name {
            "full_database" | "unreachable_database" => Exit::Later,
            // What was typed was right, and what it was to look at is not.
            "bad_file" => Exit::Finding,
            _ => Exit::Misuse,
        }
    }

    /// A file cannot be read at all.
    pub(super) fn unread(file: &str, error: &io::Error) -> Self {
        UnreadFile { file, why: error.into() }.into()
    }

    /// A file cannot be made, or is there already.
    pub(super) fn unmade(file: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists {
            return FileExists { file }.into();
        }
        PageUnwritable { file, why: error.into() }.into()
    }

    /// A file of a table has a bad line.
    pub(super) fn bad_file(file: &str, fault: &FileFault) -> Self {
        BadFile { file, line: fault.line, why: fault.why.clone() }.into()
    }

    /// So many cannot play.
    pub(super) fn seats(game: &dyn AnyGame, said: usize) -> Self {
        let (least, most) = (*game.seats().start(), *game.seats().end());
        WrongSeats { game: game.key(), least, most, said }.into()
    }
}

/// The game that goes by this word.
pub(super) fn game(said: &str) -> Result<&'static dyn AnyGame, Misuse> {
    find(said).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        UnknownGame { said, nearest: nearest(said, known.iter().copied()), known }.into()
    })
}

/// A policy of a game.
pub(super) fn policy(game: &dyn AnyGame, said: &str) -> Result<(), Misuse> {
    if game.policies().contains(&said) { Ok(()) } else { Err(unknown_policy(game, said)) }
}

/// A policy that a game does not have.
pub(super) fn unknown_policy(game: &dyn AnyGame, said: &str) -> Misuse {
    let known = &game.policies()[..];
    let nearest = nearest(said, known.iter().copied());
    UnknownPolicy { game: game.key(), said, nearest, known }.into()
}

/// The longest name, in characters: the longest of a Discord nickname.
pub(super) const LONGEST_NAME: usize = 32;

/// What somebody is called: nobody is taken for a seat or for somebody else. Who plays with others
/// must say it.
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

/// So many of the players are people.
pub(super) fn people(said: usize, seats: usize) -> Result<(), Misuse> {
    let fits = (1..=seats).contains(&said);
    if fits { Ok(()) } else { Err(WrongPeople { said, seats }.into()) }
}

/// The chair that goes by this name at a new table.
pub(super) fn chair(said: &str, seats: usize) -> Result<Seat, Misuse> {
    let named = text::fold(said.trim()).to_uppercase();
    let chair = named.parse::<Seat>().ok().filter(|chair| chair.index() < seats);
    let all = || Seat::all(seats).map(Seat::name).collect();
    chair.ok_or_else(|| NoChair { said, seats: all() }.into())
}

/// The options of a table, each typed as NAME=VALUE or as the name of its value, or several in a line.
pub(super) fn options(game: &dyn AnyGame, said: &[String]) -> Result<Json, Misuse> {
    // What a game goes on from is set by no host.
    let all: Vec<_> = game.options(&Json::Null).iter().map(|set| set.option).collect();
    let mut options = serde_json::Map::new();
    for said in said {
        let Some((name, value)) = said.split_once('=') else {
            let line = options_line::read(game, said).map_err(|fault| OptionsMisread { fault })?;
            options.extend(line);
            continue;
        };
        let (name, value) = (name.trim(), value.trim());
        let Some(option) = all.iter().find(|option| option.key == name) else {
            let known: Vec<&str> = all.iter().map(|option| option.key).collect();
            return Err(no_option(game, name, &known));
        };
        if !option.values.contains(&value) {
            let (known, nearest) = (option.values, nearest(value, option.values.iter().copied()));
            return Err(NoOptionValue { option: name, said: value, nearest, known }.into());
        }
        options.insert(name.to_owned(), value.into());
    }
    Ok(Json::Object(options))
}

/// An option, or a value of one, that there is not.
fn no_option(game: &dyn AnyGame, said: &str, known: &[&str]) -> Misuse {
    let nearest = nearest(said, known.iter().copied());
    NoOption { game: game.key(), said, nearest, known }.into()
}

/// Why a table could not be opened.
pub(super) fn unopened(game: &dyn AnyGame, error: &TableOptionsError) -> Misuse {
    match error {
        TableOptionsError::Seats { said, .. } => Misuse::seats(game, *said),
        TableOptionsError::Misfit { misfit, said, .. } => {
            let Misfit { key, value, clause, least, most } = *misfit;
            let option = format!("{key}={value}");
            OptionMisfit { option, clause, least, most, said: *said }.into()
        }
        TableOptionsError::Options(why) => {
            // The reader of the options quotes what was said, and then everything there is.
            let mut quoted = why.split('`').skip(1).step_by(2);
            let said = quoted.next().unwrap_or(why);
            no_option(game, said, &quoted.collect::<Vec<&str>>())
        }
        TableOptionsError::Held(held) => HeldAtOnce { why: held.to_string() }.into(),
    }
}
