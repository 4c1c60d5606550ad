//! All templates, ready to write.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, UndefinedBehavior};
use serde::Serialize;
use serde_json::Value as Json;

use crate::template::filters;
use crate::template::reader::Reader;
use crate::template::typed::{EACH_GAME, TypedLetter};
use rules::text::Lang;

/// The folder of the templates shared by all games.
pub const DESK: &str = "desk";

/// The folder of the templates for events at a table and for other letters written by name.
pub const TABLE: &str = "table";

/// The folder of the templates for Discord only.
pub const DISCORD: &str = "discord";

/// A letter written by name: the name of its template, and the fields.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: String,
    pub context: Json,
}

/// A fault in a template, with its location.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct LetterFault {
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    pub message: String,
}

/// The text of a template, with its file.
#[derive(Clone, Debug, Default)]
pub(crate) struct TemplateSource {
    pub(crate) file: String,
    pub(crate) text: String,
    /// The number in the file of each line of the text.
    pub(crate) lines: Vec<usize>,
}

impl TemplateSource {
    pub(crate) fn push(&mut self, number: usize, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(number);
    }
}

/// The templates by name, such as `desk/ja/help.md`.
pub(crate) type TemplateSources = BTreeMap<String, TemplateSource>;

/// All templates, with the filters of one reader.
#[derive(Debug)]
struct ForReader {
    reader: Reader,
    medium: Medium,
    env: Arc<Environment<'static>>,
}

/// The form of what filters write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Medium {
    /// Text that is safe as it is.
    Text,
    /// Text that is escaped within mark-up.
    Markup,
}

/// The maximum number of cached environments.
const CACHED: usize = 16;

/// All templates, ready to write.
#[derive(Clone, Debug)]
pub struct Letters {
    pub(crate) env: Arc<Environment<'static>>,
    /// The environments of the last readers, the last one at the end.
    cached: Arc<Mutex<Vec<ForReader>>>,
    /// The source of each template by its name.
    pub(crate) sources: Arc<TemplateSources>,
}

impl Letters {
    pub(crate) fn with(env: Environment<'static>, sources: Arc<TemplateSources>) -> Self {
        Self { env: Arc::new(env), cached: Arc::default(), sources }
    }

    /// Returns the text of every template by its name, such as `desk/ja/help.md`.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let all = self.sources.iter();
        all.map(|(name, source)| (name.clone(), source.text.clone())).collect()
    }

    /// Writes the letter of a sample by its name.
    pub fn of_sample(&self, reader: &Reader, sample: &Sample) -> Result<String, LetterFault> {
        self.letter(TABLE, reader, &sample.name, &sample.context)
    }

    /// Writes the letter of this name, of a game or of the [`DESK`]. The context has the fields for the
    /// template: those of a [`TypedLetter`], or the context of a [`Sample`].
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

    pub(crate) fn render(
        &self,
        template: &str,
        reader: &Reader,
        context: Value,
    ) -> Result<String, LetterFault> {
        let env = self.for_reader(reader, Medium::Text);
        let rendered = env.get_template(template).and_then(|template| template.render(context));
        let rendered = rendered.map_err(|error| self.fault_in(template, &error))?;
        Ok(rendered.trim_end().to_owned())
    }

    /// Calls one macro of a template, and returns its text.
    pub(crate) fn say(
        &self,
        template: &str,
        reader: &Reader,
        name: &str,
        argument: Value,
    ) -> Result<String, LetterFault> {
        let rendered = self.say_all(template, reader, vec![(name, argument)])?;
        Ok(rendered.concat())
    }

    /// Calls several macros of a template in order, and returns their texts.
    pub(crate) fn say_all(
        &self,
        template: &str,
        reader: &Reader,
        macros: Vec<(&str, Value)>,
    ) -> Result<Vec<String>, LetterFault> {
        let env = self.for_reader(reader, Medium::Text);
        let rendered = env.get_template(template).and_then(|template| {
            let mut template = template.render_captured(())?;
            let mut say = |name, argument| {
                template.with_state_mut(|state| state.call_macro(name, &[argument]))
            };
            macros.into_iter().map(|(name, argument)| say(name, argument)).collect()
        });
        rendered.map_err(|error| self.fault_in(template, &error))
    }

    /// Returns the templates with the filters of a reader.
    pub(crate) fn for_reader(&self, reader: &Reader, medium: Medium) -> Arc<Environment<'static>> {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |one: &ForReader| one.medium == medium && one.reader == *reader;
        if let Some(at) = cached.iter().rposition(is_same) {
            cached[at..].rotate_left(1);
        } else {
            // The environment of another reader has the templates that were compiled for it.
            let mut env = Environment::clone(cached.last().map_or(&self.env, |last| &last.env));
            let made = match medium {
                Medium::Text => Value::from_safe_string,
                Medium::Markup => Value::from,
            };
            filters::add(&mut env, reader, made);
            if cached.len() == CACHED {
                cached.remove(0);
            }
            cached.push(ForReader { reader: reader.clone(), medium, env: Arc::new(env) });
        }
        Arc::clone(&cached[cached.len() - 1].env)
    }

    pub(crate) fn fault(&self, error: &Error) -> LetterFault {
        self.fault_in("templates", error)
    }

    /// Returns the fault at the innermost place named by the error, such as a macro in another file.
    pub(crate) fn fault_in(&self, template: &str, error: &Error) -> LetterFault {
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
        self.fault_at(name, innermost.line().unwrap_or(1), message)
    }

    /// Returns a fault in a line of a template, located in its file; without a file, in `templates/`.
    pub(crate) fn fault_at(&self, name: &str, line: usize, message: String) -> LetterFault {
        let Some(TemplateSource { file, lines, .. }) = self.sources.get(name) else {
            return LetterFault { file: format!("templates/{name}"), line, message };
        };
        let line = lines.get(line.saturating_sub(1)).or(lines.last()).copied().unwrap_or(line);
        LetterFault { file: file.clone(), line, message }
    }
}

impl Letters {
    /// Writes a letter.
    pub fn write<T: TypedLetter>(
        &self,
        reader: &Reader,
        letter: &T,
    ) -> Result<String, LetterFault> {
        let folder = if T::FOLDER == EACH_GAME { reader.game.key() } else { T::FOLDER };
        self.letter(folder, reader, T::NAME, letter)
    }

    /// Returns a fault of a letter's template, in line 1.
    pub(crate) fn fault_of<T: TypedLetter>(&self, reader: &Reader, message: String) -> LetterFault {
        self.fault_at(&template_name(T::FOLDER, reader.lang, T::NAME), 1, message)
    }
}

pub(crate) fn template_name(scope: &str, lang: Lang, name: &str) -> String {
    format!("{scope}/{}/{name}.md", lang.code())
}

/// Adds a letter below another, with a blank line between them.
pub fn follow(text: &mut String, below: &str) {
    text.truncate(text.trim_end().len());
    if !text.is_empty() && !below.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(below);
}

/// Returns an environment with the settings of all templates: a line with only a tag leaves no empty line,
/// and an undefined value is an error.
///
/// # Panics
/// Never: the syntax is a constant.
pub fn bare_environment() -> Environment<'static> {
    let mut env = Environment::new();
    env.set_undefined_behavior(UndefinedBehavior::Strict);
    env.set_syntax(
        minijinja::syntax::SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the delimiters are the usual ones"),
    );
    env.add_filter("counted", |count: i64, thing: &str| {
        format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
    });
    env
}
