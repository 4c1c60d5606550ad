//! Where templates come from: the program itself, and an operator's folder over it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::letters::template::letters::LetterFault;
use crate::letters::template::picture::{PICTURE, SCORES};

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// One template's text and the file it was read from.
#[derive(Clone, Debug)]
pub(in crate::letters) struct TemplateSource {
    pub(in crate::letters) file: String,
    pub(in crate::letters) text: String,
}

/// Templates by name, such as `desk/ja/help.md`.
pub(in crate::letters) type TemplateSources = BTreeMap<String, TemplateSource>;

/// The templates that are built in.
pub(in crate::letters) fn built_in() -> TemplateSources {
    let mut sources = TemplateSources::new();
    gather(&TEMPLATES, &mut sources);
    #[cfg(test)]
    gather_toys(&mut sources);
    sources
}

/// The letters of the games that there are in tests only.
#[cfg(test)]
fn gather_toys(sources: &mut TemplateSources) {
    use crate::games::test_toy::{HIDDEN, LETTERS, TOY};
    use crate::rules::text::Lang;
    for (game, lang) in
        [TOY, HIDDEN].into_iter().flat_map(|game| Lang::ALL.map(|lang| (game, lang)))
    {
        for (name, text) in LETTERS {
            let file = crate::letters::template::letters::template_name(game.key(), lang, name);
            sources.insert(file.clone(), TemplateSource { file, text: text.to_owned() });
        }
    }
}

fn gather(dir: &Dir<'_>, sources: &mut TemplateSources) {
    for file in dir.files() {
        let Some(text) = file.contents_utf8() else { continue };
        let name = file.path().to_string_lossy().replace('\\', "/");
        if is_template(&name) {
            let source =
                TemplateSource { file: format!("templates/{name}"), text: text.to_owned() };
            sources.insert(name, source);
        }
    }
    for dir in dir.dirs() {
        gather(dir, sources);
    }
}

fn is_template(name: &str) -> bool {
    let letter = Path::new(name).extension().is_some_and(|extension| extension == "md");
    letter || name.ends_with(PICTURE) || name.ends_with(SCORES)
}

/// Replaces templates by those in a folder.
pub(in crate::letters) fn replace(
    sources: &mut TemplateSources,
    folder: &Path,
) -> Result<(), LetterFault> {
    replace_within(sources, folder, "")
}

fn replace_within(
    sources: &mut TemplateSources,
    folder: &Path,
    within: &str,
) -> Result<(), LetterFault> {
    let fault = |path: &Path, message: String| LetterFault {
        file: path.display().to_string(),
        line: 1,
        message,
    };
    let entries = fs::read_dir(folder).map_err(|error| fault(folder, error.to_string()))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(|error| fault(folder, error.to_string()))?.path());
    }
    paths.sort();
    for path in paths {
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{within}{last}");
        if path.is_dir() {
            replace_within(sources, &path, &format!("{name}/"))?;
            continue;
        }
        let Some(source) = sources.get_mut(&name) else {
            return Err(fault(&path, format!("there is no letter {name} that it could replace")));
        };
        let text = fs::read_to_string(&path).map_err(|error| fault(&path, error.to_string()))?;
        *source = TemplateSource { file: path.display().to_string(), text };
    }
    Ok(())
}
