//! What a host sets for a table, in words.

use minijinja::value::Value;
use serde::Serialize;

use crate::checking::samples;
use crate::table::HostName;
use crate::template::letters::{DESK, DISCORD, LetterFault, Letters, template_name};
use crate::template::reader::Reader;
use crate::template::typed::{letters, sampled, sampled_from};
use crate::template::views::Moment;
use crate::write::GameName;
use games::any::{AnyGame, Misfit};
use games::options_line::OptionsFault;
use rules::text::Lang;
use tables::ResultForm;
use tables::ids::TableCode;

/// The letter of a game that tells its options: a macro for each value of each.
pub(super) const OPTIONS: &str = "options";

/// The letter that tells the names of paces: a macro for each.
pub(super) const PRESETS: &str = "presets";

letters! {
    /// The letter about how a table is set.
    LETTERS in DISCORD;

    /// How a table is set.
    "settings" pub struct Settings<'a> {
        /// What people type to name the table.
        pub code: &'a TableCode,
        pub host: HostName,
        pub chairs: usize,
        /// On how many somebody sits.
        pub taken: usize,
        /// The pace, in words.
        pub pace: &'a str,
        /// The pace from the next window on, in words, if that is another.
        pub next_pace: Option<String>,
        /// What becomes of those who are missing, in words.
        pub absence: &'a str,
        /// The next deadlines, if the game began now.
        pub closings: Vec<Moment>,
        /// The game's options, each with its clause.
        pub options: Vec<OptionLine>,
        /// The options in one line, as it is typed; empty where the game has none.
        pub line: String,
        /// The language of what is public: `ja` or `en`.
        pub language: &'static str = ["ja", "en"],
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// True if people are told only how many have sealed.
        pub count_only: bool,
        /// True if its game masters see what is sealed.
        pub open: bool,
        /// True if its file and its page are posted when it is over.
        pub files: bool,
        /// True if the game begins as soon as somebody takes the last chair.
        pub begins_when_full: bool,
        /// How its results are told.
        pub results: ResultForm,
        /// What of it the reader can change.
        pub editable: Editable,
    }
}

letters! {
    /// The letters about options that cannot be set.
    MISFITS in DESK;

    /// A line that names no options of a game.
    "options_fault" pub struct OptionsMisread<'a> { pub fault: &'a OptionsFault }

    /// An option cannot be played by so many as would play.
    "misfit" pub struct OptionMisfit<'a> {
        /// What it comes to, in words.
        pub words: &'a str,
        /// The clause that says so.
        pub clause: &'a str,
        pub least: usize,
        pub most: usize,
        /// How many would play.
        pub said: usize,
    }
}

sampled! {
    /// An option as it is set.
    pub struct OptionLine {
        /// What it comes to, in words.
        pub words: String,
        /// The clause that it is about.
        pub clause: &'static str,
    }
}

/// What of how a table is set somebody can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Editable {
    Nothing,
    /// What becomes of those who are missing.
    Absence,
    Everything,
}

sampled_from! {
    OptionsFault: samples::options_faults();
    Editable: [Editable::Everything, Editable::Absence, Editable::Nothing];
    ResultForm: [ResultForm::Short, ResultForm::Full];
}

/// The macro that tells a value of an option.
pub(super) fn macro_of(key: &str, value: &str) -> String {
    format!("{key}_{value}").replace('-', "_")
}

impl Letters {
    /// What a value of a game's option comes to.
    pub fn option(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        key: &str,
        value: &str,
    ) -> Result<String, LetterFault> {
        let template = template_name(game.key(), reader.lang, OPTIONS);
        let said = self.say(&template, reader, &macro_of(key, value), Value::UNDEFINED)?;
        Ok(said.trim().to_owned())
    }

    /// That an option cannot be played by so many as would play.
    pub fn misfit(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        (misfit, said): (&Misfit, usize),
    ) -> Result<String, LetterFault> {
        let Misfit { key, value, clause, least, most } = *misfit;
        let words = &self.option(reader, game, key, value)?;
        self.write(reader, &OptionMisfit { words, clause, least, most, said })
    }

    /// What a pace is called that can be picked.
    pub fn preset(&self, reader: &Reader, key: &str) -> Result<String, LetterFault> {
        let template = template_name(DISCORD, reader.lang, PRESETS);
        let said = self.say(&template, reader, key, Value::UNDEFINED)?;
        Ok(said.trim().to_owned())
    }

    /// What a game is called.
    pub fn game_name(&self, game: &dyn AnyGame, lang: Lang) -> Result<String, LetterFault> {
        let reader = Reader::new(game, lang);
        self.write(&reader, &GameName {})
    }
}
