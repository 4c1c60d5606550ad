//! Letters about the settings of a table.

use minijinja::value::Value;
use serde::Serialize;

use crate::checking::samples;
use crate::table::HostName;
use crate::template::letters::{DESK, DISCORD, LetterFault, Letters, template_name};
use crate::template::reader::Reader;
use crate::template::typed::{letters, sampled, sampled_from, sampled_variants};
use crate::template::views::Moment;
use crate::write::GameName;
use games::any::{AnyGame, GameOption, Misfit};
use games::cards::sets;
use games::options_line::OptionsFault;
use rules::text::Lang;
use strum::IntoEnumIterator;
use tables::ids::TableCode;
use tables::{TableSetting, TableSettings};

/// The template of a game's options, with a macro for each value of each option.
pub(super) const OPTIONS: &str = "options";

/// The template of the names of paces, with a macro for each preset.
pub(super) const PRESETS: &str = "presets";

letters! {
    /// The letter about the settings of a table.
    LETTERS in DISCORD;

    /// The settings of a table.
    "settings" pub struct Settings<'a> {
        /// The code that people type to name the table.
        pub code: &'a TableCode,
        pub host: HostName,
        pub chairs: usize,
        /// The number of occupied chairs.
        pub taken: usize,
        /// The pace, in words.
        pub pace: &'a str,
        /// The pace from the next window on, in words; `None` if it does not change.
        pub next_pace: Option<String>,
        /// The absence policy, in words.
        pub absence: &'a str,
        /// The first deadlines of a game that begins now.
        pub closings: Vec<Moment>,
        /// The game's options, each with its clause.
        pub options: Vec<OptionLine>,
        /// The options as one line of input; empty if the game has none.
        pub line: String,
        /// The language of public letters: `ja` or `en`.
        pub language: &'static str = ["ja", "en"],
        /// True if the game hides who has sealed.
        pub hidden: bool,
        /// The settings that are on.
        pub settings: &'a TableSettings,
        /// The settings that the reader may change.
        pub editable: Editable,
    }
}

letters! {
/// The letters about options that cannot be set.
MISFITS in DESK;

/// A line that is no options of the game.
"options_fault" pub struct OptionsMisread<'a> { pub fault: &'a OptionsFault }

/// An option that does not allow the number of players.
"misfit" pub struct OptionMisfit<'a> {
    /// The value of the option, in words.
    pub words: &'a str,
    /// The clause of the limit.
    pub clause: &'a str,
    pub least: usize,
    pub most: usize,
    /// The number of players.
    pub said: usize,
}

/// An option that counts only with another value of another option.
"idle" pub struct OptionIdle<'a> {
    /// The value of the option, in words.
    pub words: &'a str,
    /// The clause of the option.
    pub clause: &'a str,
    /// The values of the other option, in words.
    pub with: &'a [String],
}}

sampled! {
    /// An option and its value.
    pub struct OptionLine {
        /// The value of the option, in words.
        pub words: String,
        /// The clause of the option.
        pub clause: &'static str,
    }
}

/// The settings that a reader may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Editable {
    Nothing,
    /// The absence policy only.
    Absence,
    Everything,
}

sampled_from! {
    OptionsFault: samples::options_faults();
    TableSettings: TableSetting::iter()
        .flat_map(|of| [true, false].map(|on| TableSettings::default().with(of, on)))
        .collect::<Vec<_>>();
}

sampled_variants! { Editable { Everything, Absence, Nothing } }

/// Returns the name of the macro for a value of an option.
pub(super) fn macro_of(key: &str, value: &str) -> String {
    format!("{key}_{value}").replace('-', "_")
}

impl Letters {
    /// Writes the value of an option in words.
    pub fn option(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        key: &str,
        value: &str,
    ) -> Result<String, LetterFault> {
        let template = template_name(game.key(), reader.lang, OPTIONS);
        let text = if key == sets::OPTION {
            let set = game.set().or_else(|| game.sets()?.called(value));
            let name = set.map_or(value, |set| set.name(reader.lang));
            self.say(&template, reader, key, Value::from(name))?
        } else {
            self.say(&template, reader, &macro_of(key, value), Value::UNDEFINED)?
        };
        Ok(text.trim().to_owned())
    }

    /// Writes that an option does not allow the number of players.
    pub fn misfit(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        (misfit, requested): (&Misfit, usize),
    ) -> Result<String, LetterFault> {
        let Misfit { key, value, clause, least, most } = *misfit;
        let words = &self.option(reader, game, key, value)?;
        self.write(reader, &OptionMisfit { words, clause, least, most, said: requested })
    }

    /// Writes that an option has no effect with the value of another.
    pub fn idle(
        &self,
        reader: &Reader,
        game: &dyn AnyGame,
        (option, value): (&GameOption, &str),
    ) -> Result<String, LetterFault> {
        let words = &self.option(reader, game, option.key, value)?;
        let (key, values) = option.with.unwrap_or((option.key, option.values));
        let with = values.iter().map(|value| self.option(reader, game, key, value));
        let with = &with.collect::<Result<Vec<_>, LetterFault>>()?;
        self.write(reader, &OptionIdle { words, clause: option.clause, with })
    }

    /// Writes the name of a pace preset.
    pub fn preset(&self, reader: &Reader, key: &str) -> Result<String, LetterFault> {
        let template = template_name(DISCORD, reader.lang, PRESETS);
        let text = self.say(&template, reader, key, Value::UNDEFINED)?;
        Ok(text.trim().to_owned())
    }

    /// Writes the name of a game.
    pub fn game_name(&self, game: &'static dyn AnyGame, lang: Lang) -> Result<String, LetterFault> {
        let reader = Reader::new(game, lang);
        self.write(&reader, &GameName {})
    }
}
