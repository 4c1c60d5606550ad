//! Letters: everything the house says, made by templates from events, rulings and views.
//!
//! Templates lie in `templates/<game>/<lang>/` and, for what is the same in every game, in
//! `templates/desk/<lang>/`, for what happens at a table in `templates/table/<lang>/`, and for the
//! declaration panel in `templates/panel/<lang>/`. They hold no rules and see no state; this module
//! puts no sentence together. Players' own words are harmless wherever a template shows them: what is not made by
//! a filter or a macro is tamed when it is written.
//!
//! Every template sees `game`, `lang`, and whether it is read as `plain` text, in a terminal; and
//! these filters:
//!
//! | filter | of | gives |
//! | --- | --- | --- |
//! | `name` | an id | its name in the game's words; of a seat its player's |
//! | `names` | ids | their names in a row; what is none, and so hidden, is left out |
//! | `seat` | a seat | its player's name, or else P1 and so on |
//! | `chair` | a seat | P1 and so on |
//! | `label` | a question's key | what the question is called |
//! | `numbered` | a question's key | the same, and the how-manieth it is from the second on |
//! | `part` | a question's key | what the part is called to which it belongs |
//! | `value` | an answer | the answer as a declaration writes it, such as 大×1 中×2 |
//! | `meaning` | an answer | what it stands for, where its name does not say it, such as of 3A |
//! | `kind` | an event, outcome, reason | the macro that tells it |
//! | `when` | a time, or a [`Moment`] | the words of `desk/<lang>/times.md` for it |
//! | `until` | a time | the same where it ends a stretch of days |
//! | `ping`, `channel` | an id of Discord's | a mention of a person, a link to a channel |
//! | `duration` | milliseconds | the words of `desk/<lang>/times.md` for it |
//!
//! A game's `board.svg`, which draws its table, also sees those of [`Typeface`].

mod absence;
mod calls;
mod checking;
pub mod decrees;
mod mine;
mod pace;
mod panel;
mod receipts;
mod refused;
mod settings;
mod table;
mod template;
#[cfg(test)]
mod test_pace;
mod thrown;
mod verified;
mod votes;
mod write;

use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::Path;

use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use serde::Serialize;
use serde_json::Value as Json;

use crate::rules::text::Lang;

pub use crate::letters::absence::open_questions;
pub use crate::letters::decrees::{
    ChangedLine, Changes, DeclaredLine, Decree, DecreeOf, Move, changed_lines, changes_beside,
};
pub use crate::letters::mine::{OwnTable, WatchedTable};
pub use crate::letters::panel::{Caption, DraftView, PANEL, PanelQuestion};
pub use crate::letters::receipts::{Given, OwnReceipt};
pub use crate::letters::refused::Refused;
pub use crate::letters::settings::{Editable, OptionLine, Settings};
pub use crate::letters::table::{
    Behind, ClosePreview, EndPreview, FormingTable, Goodbye, MixedIn, SealProgress, SealedCount,
    SeatProgress, WindowProgress,
};
pub(crate) use crate::letters::template::harmless::plain;
pub use crate::letters::template::picture::{Typeface, Widths};
pub use crate::letters::template::reader::Reader;
pub use crate::letters::template::views::Moment;
pub use crate::letters::verified::{MixedValue, PlayedAgain, PostedHead, TouchedWindow};
pub use crate::letters::votes::{Ballots, Spent, VoteTally};
pub use crate::letters::write::{ClosingTimes, Echo, UnreadPiece, WindowOpening, WindowResult};
pub use checking::samples;

use template::{filters, picture, sources};

/// The folder of what is the same in every game.
pub const DESK: &str = "desk";

/// The folder of what happens at a table, and of what else letters bring: each is told by the
/// template of its name.
pub const TABLE: &str = "table";

/// The folder of what is said on Discord only.
pub const DISCORD: &str = "discord";

/// Something that a letter tells: by which template, and what that sees.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: String,
    pub context: Json,
}

/// Something wrong in a template, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct LetterFault {
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// All templates, ready to write.
#[derive(Clone, Debug)]
pub struct Letters {
    env: Environment<'static>,
    /// Where each template was read from, by its name.
    files: BTreeMap<String, String>,
}

impl Letters {
    /// The letters that are built in.
    ///
    /// # Panics
    /// If a built-in template is no template at all, which the tests rule out.
    pub fn built_in() -> Self {
        Self::of(sources::built_in()).unwrap_or_else(|fault| panic!("built-in letters: {fault}"))
    }

    /// The built-in letters, single files of which are replaced by those in an operator's
    /// folder, laid out like `templates/`. A file there that replaces nothing is a fault.
    pub fn with_folder(folder: &Path) -> Result<Self, LetterFault> {
        let mut sources = sources::built_in();
        sources::replace(&mut sources, folder)?;
        Self::of(sources)
    }

    fn of(sources: sources::TemplateSources) -> Result<Self, LetterFault> {
        let mut letters = Self { env: environment(), files: BTreeMap::new() };
        for (name, source) in sources {
            letters.files.insert(name.clone(), source.file);
            letters
                .env
                .add_template_owned(name, source.text)
                .map_err(|error| letters.fault(&error))?;
        }
        Ok(letters)
    }

    /// Writes the letter of this name, of a game or of the [`DESK`]. The context is what the
    /// template sees; the methods that take a type of their own cannot forget any of it.
    pub fn letter(
        &self,
        scope: &str,
        reader: &Reader,
        name: &str,
        context: impl Serialize,
    ) -> Result<String, LetterFault> {
        let template = template_name(scope, reader.lang, name);
        self.render(&template, reader, Value::from(Serde(&context)))
    }

    fn render(
        &self,
        template: &str,
        reader: &Reader,
        context: Value,
    ) -> Result<String, LetterFault> {
        let env = self.for_reader(reader);
        let said = env.get_template(template).and_then(|template| template.render(context));
        let said = said.map_err(|error| self.fault_in(template, &error))?;
        Ok(said.trim_end().to_owned())
    }

    /// Writes what one macro of a template says.
    fn say(
        &self,
        template: &str,
        reader: &Reader,
        name: &str,
        argument: Value,
    ) -> Result<String, LetterFault> {
        let said = self.say_all(template, reader, vec![(name, argument)])?;
        Ok(said.concat())
    }

    /// Writes what some macros of a template say, in order.
    fn say_all(
        &self,
        template: &str,
        reader: &Reader,
        macros: Vec<(&str, Value)>,
    ) -> Result<Vec<String>, LetterFault> {
        let env = self.for_reader(reader);
        let said = env.get_template(template).and_then(|template| {
            let mut template = template.render_captured(())?;
            let mut say = |name, argument| {
                template.with_state_mut(|state| state.call_macro(name, &[argument]))
            };
            macros.into_iter().map(|(name, argument)| say(name, argument)).collect()
        });
        said.map_err(|error| self.fault_in(template, &error))
    }

    fn for_reader(&self, reader: &Reader) -> Environment<'static> {
        let mut env = self.env.clone();
        filters::add(&mut env, reader, Value::from_safe_string);
        env
    }

    fn fault(&self, error: &Error) -> LetterFault {
        self.fault_in("templates", error)
    }

    /// The innermost place the error names: a macro of another file, where one was called.
    fn fault_in(&self, template: &str, error: &Error) -> LetterFault {
        let mut innermost = error;
        let mut next = error.source();
        while let Some(source) = next {
            if let Some(source) = source.downcast_ref::<Error>()
                && source.line().is_some()
            {
                innermost = source;
            }
            next = source.source();
        }
        let name = innermost.name().unwrap_or(template);
        let message = match innermost.detail() {
            Some(detail) => format!("{}: {detail}", innermost.kind()),
            None => innermost.kind().to_string(),
        };
        LetterFault { file: self.file(name), line: innermost.line().unwrap_or(1), message }
    }

    /// Where a template was read from, or would have been.
    fn file(&self, name: &str) -> String {
        self.files.get(name).cloned().unwrap_or_else(|| format!("templates/{name}"))
    }
}

fn template_name(scope: &str, lang: Lang, name: &str) -> String {
    format!("{scope}/{}/{name}.md", lang.code())
}

/// For templates as they are written in this house: a line with nothing but a tag leaves none, and
/// what is not there is a fault.
pub(crate) fn bare_environment() -> Environment<'static> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(
        minijinja::syntax::SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the delimiters are the usual ones"),
    );
    env
}

fn environment() -> Environment<'static> {
    let mut env = bare_environment();
    env.set_auto_escape_callback(|name| {
        if name.ends_with(picture::PICTURE) {
            AutoEscape::Html
        } else {
            AutoEscape::Custom("letter".into())
        }
    });
    env
}
