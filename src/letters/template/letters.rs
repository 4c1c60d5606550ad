//! All templates, ready to write.
//!
//! The sources of templates: those built in, and an operator's folder that may replace single letters.
//!
//! A file of `templates/<folder>/` has letters in both languages. Lines without a prefix belong to both; a
//! line that begins with `ja| ` or `en| ` belongs to that language only. A line such as `=== closed` begins
//! the letter of that name; a file without such a line is the letter of the file's name. A line such as `---
//! seats(it)` begins a macro, which ends at the next empty line. A file of `templates/<folder>/<lang>/` is
//! one letter in one language.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use include_dir::{Dir, include_dir};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, UndefinedBehavior};
use serde::Serialize;
use serde_json::Value as Json;

use crate::template::{EACH_GAME, filters};
use crate::{Reader, TypedLetter};
use games::GAMES;
use games::any::AnyGame;
use rules::text::Lang;

/// The folder of the templates shared by all games.
pub const DESK: &str = "desk";

/// The folder of the templates for events at a table and for other letters written by name.
pub const TABLE: &str = "table";

/// The folder of the templates for Discord only.
pub const DISCORD: &str = "discord";

/// The file of a game's picture template, after the game's key.
pub(crate) const PICTURE: &str = "/board.svg";

/// The file of a game's score table template, after the game's key.
pub(crate) const SCORES: &str = "/scores.html";

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

/// The result of writing a letter.
pub type Result<T, E = LetterFault> = std::result::Result<T, E>;

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
type TemplateSources = BTreeMap<String, TemplateSource>;

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
    pub fn of_sample(&self, reader: &Reader, sample: &Sample) -> Result<String> {
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
    ) -> Result<String> {
        let template = template_name(scope, reader.lang, name);
        self.render(&template, reader, Value::from(Serde(&context)))
    }

    pub(crate) fn render(&self, template: &str, reader: &Reader, context: Value) -> Result<String> {
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
    ) -> Result<String> {
        let rendered = self.say_all(template, reader, vec![(name, argument)])?;
        Ok(rendered.concat())
    }

    /// Calls several macros of a template in order, and returns their texts.
    pub(crate) fn say_all(
        &self,
        template: &str,
        reader: &Reader,
        macros: Vec<(&str, Value)>,
    ) -> Result<Vec<String>> {
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
    pub fn write<T: TypedLetter>(&self, reader: &Reader, letter: &T) -> Result<String> {
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

impl Letters {
    /// Returns the letters that are built in. Each template is compiled at its first use.
    pub fn built_in() -> Self {
        static LETTERS: LazyLock<Letters> = LazyLock::new(|| Letters::of(BUILT_IN.clone()));
        LETTERS.clone()
    }

    /// Returns the built-in letters with single ones replaced from an operator's folder. The folder is laid
    /// out like `templates/`, or has a file for a letter in one language, such as `desk/ja/help.md`. A file
    /// that replaces no letter is a fault.
    pub fn with_folder(folder: &Path) -> Result<Self> {
        Self::with_folder_for(folder, GAMES)
    }

    /// Returns the letters for these games, as [`Self::with_folder`]; a game without built-in letters takes
    /// all of them from the folder.
    pub fn with_folder_for(folder: &Path, games: &[&dyn AnyGame]) -> Result<Self> {
        let built_in = &*BUILT_IN;
        let of = |game: &dyn AnyGame| format!("{}/", game.key());
        let mut brought: Vec<String> = games.iter().map(|game| of(*game)).collect();
        brought.retain(|game| !built_in.keys().any(|name| name.starts_with(game)));
        let mut own = TemplateSources::new();
        let may_be = |name: &str| {
            built_in.contains_key(name) || brought.iter().any(|game| name.starts_with(game))
        };
        gather_own(&mut own, folder, "", &may_be)?;
        let names: Vec<String> = own.keys().cloned().collect();
        let letters = Self::of(built_in.clone().into_iter().chain(own).collect());
        letters.compile(names.iter())?;
        Ok(letters)
    }

    fn of(sources: TemplateSources) -> Self {
        let sources = Arc::new(sources);
        let mut env = environment();
        let loaded = Arc::clone(&sources);
        env.set_loader(move |name| Ok(loaded.get(name).map(|source| source.text.clone())));
        Self::with(env, sources)
    }

    /// Compiles templates, so that their faults are found before their use.
    pub(crate) fn compile<'n>(&self, names: impl Iterator<Item = &'n String>) -> Result<()> {
        for name in names {
            self.env.get_template(name).map_err(|error| self.fault(&error))?;
        }
        Ok(())
    }
}

fn environment() -> Environment<'static> {
    let mut env = bare_environment();
    env.set_auto_escape_callback(|name| {
        if name.ends_with(PICTURE) || name.ends_with(SCORES) {
            AutoEscape::Html
        } else {
            AutoEscape::Custom("letter".into())
        }
    });
    env
}

/// The templates that are built in.
static BUILT_IN: LazyLock<TemplateSources> = LazyLock::new(|| {
    let mut sources = TemplateSources::new();
    gather(&TEMPLATES, &mut sources);
    sources
});

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../templates");

/// The prefix of a line that begins a letter.
const LETTER: &str = "=== ";

/// The prefix of a line that begins a macro, which ends at the next empty line.
const MACRO: &str = "--- ";

/// Returns the letters of a file with both languages in one of them, each with its name.
pub fn in_one_language(text: &str, name: &str, lang: Lang) -> Vec<(String, String)> {
    let letters = letters_of(text, name, lang).into_iter();
    letters.map(|(name, source)| (name, source.text)).collect()
}

/// Returns the lines of a file with their numbers, with the macros in the syntax of the engine.
fn lines_of(text: &str) -> Vec<(usize, Cow<'_, str>)> {
    let mut lines = Vec::new();
    let mut is_within = false;
    for (before, line) in text.lines().chain([""]).enumerate() {
        if line.is_empty() && std::mem::take(&mut is_within) {
            lines.push((before, Cow::from("{%- endmacro %}")));
        }
        let head = line.strip_prefix(MACRO);
        is_within |= head.is_some();
        let begun = head.map(|head| Cow::from(format!("{{% macro {head} %}}")));
        lines.push((before + 1, begun.unwrap_or(Cow::from(line))));
    }
    lines.pop();
    lines
}

fn letters_of(text: &str, name: &str, lang: Lang) -> Vec<(String, TemplateSource)> {
    let mut letters = vec![(name.to_owned(), TemplateSource::default())];
    let mut gaps = Vec::new();
    for (number, line) in &lines_of(text) {
        let (number, line) = (*number, &**line);
        if let Some(name) = line.strip_prefix(LETTER) {
            // The empty line before the next letter belongs to neither.
            gaps.pop();
            for number in gaps.drain(..) {
                letters.last_mut().expect("there is one").1.push(number, "");
            }
            letters.push((name.trim().to_owned(), TemplateSource::default()));
            continue;
        }
        if line.is_empty() {
            gaps.push(number);
            continue;
        }
        let of = |lang: Lang| line.strip_prefix(lang.code())?.strip_prefix('|');
        let line = match Lang::ALL.into_iter().find_map(|lang| Some((lang, of(lang)?))) {
            None => line,
            Some((of, words)) if of == lang => words.strip_prefix(' ').unwrap_or(words),
            Some(_) => continue,
        };
        let letter = &mut letters.last_mut().expect("there is one").1;
        for number in gaps.drain(..) {
            letter.push(number, "");
        }
        letter.push(number, line);
    }
    let letter = &mut letters.last_mut().expect("there is one").1;
    for number in gaps {
        letter.push(number, "");
    }
    // The text before the first letter is a description of the file.
    if letters.len() > 1 {
        letters.remove(0);
    }
    letters
}

/// Returns the templates of a file, by its path within a folder like `templates/`; empty for other files.
fn templates_of(path: &str, file: &str, text: &str) -> Vec<(String, TemplateSource)> {
    let is_letter = Path::new(path).extension().is_some_and(|extension| extension == "md");
    let place: Vec<&str> = path.split('/').collect();
    let in_both = |folder: &str, name: &str, lang| {
        let letters = letters_of(text, name.trim_end_matches(".md"), lang).into_iter();
        letters
            .map(|(name, letter)| {
                (
                    template_name(folder, lang, &name),
                    TemplateSource { file: file.to_owned(), ..letter },
                )
            })
            .collect::<Vec<_>>()
    };
    match *place.as_slice() {
        [folder, name] if is_letter => {
            Lang::ALL.into_iter().flat_map(|lang| in_both(folder, name, lang)).collect()
        }
        _ if is_letter || path.ends_with(PICTURE) || path.ends_with(SCORES) => {
            let lines = (1..=text.lines().count()).collect();
            let (file, text) = (file.to_owned(), text.to_owned());
            vec![(path.to_owned(), TemplateSource { file, text, lines })]
        }
        _ => Vec::new(),
    }
}

fn gather(dir: &Dir<'_>, sources: &mut TemplateSources) {
    for file in dir.files() {
        let Some(text) = file.contents_utf8() else { continue };
        let path = file.path().to_string_lossy().replace('\\', "/");
        sources.extend(templates_of(&path, &format!("templates/{path}"), text));
    }
    for dir in dir.dirs() {
        gather(dir, sources);
    }
}

/// Gathers the templates in a folder. One that `may_be` rejects is a fault.
fn gather_own(
    own: &mut TemplateSources,
    folder: &Path,
    within: &str,
    may_be: &dyn Fn(&str) -> bool,
) -> Result<()> {
    let fault = |path: &Path, line: usize, message: String| LetterFault {
        file: path.display().to_string(),
        line,
        message,
    };
    let entries = fs::read_dir(folder).map_err(|error| fault(folder, 1, error.to_string()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| fault(folder, 1, error.to_string()))?.path());
    }
    paths.sort();
    for path in paths {
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{within}{last}");
        if path.is_dir() {
            gather_own(own, &path, &format!("{name}/"), may_be)?;
            continue;
        }
        let none = |name: &str| format!("there is no letter {name} that it could replace");
        let text = fs::read_to_string(&path).map_err(|error| fault(&path, 1, error.to_string()))?;
        let found = templates_of(&name, &path.display().to_string(), &text);
        if found.is_empty() {
            return Err(fault(&path, 1, none(&name)));
        }
        for (name, source) in found {
            let line = source.lines.first().copied().unwrap_or(1);
            if !may_be(&name) {
                return Err(fault(&path, line, none(&name)));
            }
            own.insert(name, source);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_letters_in_both_languages() {
        let text = "{# About. #}\n\n=== a\nja| あ\nen| a\n\n{{ x }}\n\n=== b\nen|\n{% if y %}\n";
        let of = |lang| in_one_language(text, "file", lang);
        let letter = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        assert_eq!(of(Lang::Ja), [letter("a", "あ\n\n{{ x }}\n"), letter("b", "{% if y %}\n")]);
        assert_eq!(of(Lang::En), [letter("a", "a\n\n{{ x }}\n"), letter("b", "\n{% if y %}\n")]);
        assert_eq!(letters_of(text, "file", Lang::En)[1].1.lines, [10, 11]);
        assert_eq!(in_one_language("ja| い\n", "file", Lang::Ja), [letter("file", "い\n")]);
        let text = "--- m(x)\nja| あ\nen| a\n\n{{ m(y) }}\n--- n()\nen| b";
        let ja = "{% macro m(x) %}\nあ\n{%- endmacro %}\n\n{{ m(y) }}\n{% macro n() %}\n{%- endmacro %}\n";
        assert_eq!(in_one_language(text, "file", Lang::Ja), [letter("file", ja)]);
        assert_eq!(letters_of(text, "file", Lang::Ja)[0].1.lines, [1, 2, 3, 4, 5, 6, 7]);
    }
}
