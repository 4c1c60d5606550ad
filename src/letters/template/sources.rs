//! The sources of templates: those built in, and an operator's folder that may replace single letters.
//!
//! A file of `templates/<folder>/` has letters in both languages. Lines without a prefix belong to both; a
//! line that begins with `ja| ` or `en| ` belongs to that language only. A line such as `=== closed` begins
//! the letter of that name; a file without such a line is the letter of the file's name. A line such as `---
//! seats(it)` begins a macro, which ends at the next empty line. A file of `templates/<folder>/<lang>/` is
//! one letter in one language.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use include_dir::{Dir, include_dir};
use minijinja::{AutoEscape, Environment};

use crate::template::letters::{
    LetterFault, Letters, TemplateSource, TemplateSources, bare_environment, template_name,
};
use crate::template::picture::{PICTURE, SCORES};
use games::GAMES;
use games::any::AnyGame;
use rules::text::Lang;

impl Letters {
    /// Returns the letters that are built in. Each template is compiled at its first use.
    pub fn built_in() -> Self {
        static LETTERS: LazyLock<Letters> = LazyLock::new(|| Letters::of(BUILT_IN.clone()));
        LETTERS.clone()
    }

    /// Returns the built-in letters with single ones replaced from an operator's folder. The folder is laid
    /// out like `templates/`, or has a file for a letter in one language, such as `desk/ja/help.md`. A file
    /// that replaces no letter is a fault.
    pub fn with_folder(folder: &Path) -> Result<Self, LetterFault> {
        Self::with_folder_for(folder, GAMES)
    }

    /// Returns the letters for these games, as [`Self::with_folder`]; a game without built-in letters takes
    /// all of them from the folder.
    pub fn with_folder_for(folder: &Path, games: &[&dyn AnyGame]) -> Result<Self, LetterFault> {
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
    pub(crate) fn compile<'n>(
        &self,
        names: impl Iterator<Item = &'n String>,
    ) -> Result<(), LetterFault> {
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
) -> Result<(), LetterFault> {
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
