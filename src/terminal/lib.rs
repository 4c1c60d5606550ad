//! The verbs of the terminal. Each has a file here, and its texts in `templates/terminal/`.
//!
//! People read only texts of the templates; this folder supplies the data and writes the output.

pub mod backup;
pub mod check;
pub mod completions;
pub mod config;
mod counted;
pub mod export;
pub mod help;
pub mod import;
pub mod invite;
pub mod log;
pub mod mail;
mod misuse;
pub mod play;
pub mod program;
pub mod replay;
pub mod restore;
pub mod serve;
mod services;
pub mod simulate;
pub mod stats;
pub mod story;
mod table_source;
mod texts;
pub mod verify;
mod why;

use std::collections::BTreeSet;
use std::process::ExitCode;

use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use letters::template::typed::SampleStock;
use letters::{TypedLetter, bare_environment, in_one_language, plain};
use rules::text::Lang;

/// The end of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Fine,
    /// The check found a fault.
    Finding,
    /// The input cannot be carried out.
    Misuse,
    /// The input is right but cannot be carried out now; a retry may succeed.
    Later,
}

impl Exit {
    /// Returns the exit code.
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Finding => 1,
            Self::Misuse => 2,
            // The code of `sysexits.h` for a temporary failure.
            Self::Later => 75,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Returns the given language, or that of this machine.
fn language(chosen: Option<Lang>) -> Lang {
    chosen.unwrap_or_else(|| {
        let locale = sys_locale::get_locale().unwrap_or_default();
        if locale.starts_with("ja") { Lang::Ja } else { Lang::En }
    })
}

/// Returns the character set of this machine's locale if it is not UTF-8. A locale without one (`C`, `ja_JP`)
/// tells nothing about the terminal.
fn other_charset(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let value = |name| variable(name).filter(|locale| !locale.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value)?;
    let (_, charset) = locale.split_once('.')?;
    let charset = charset.split('@').next().unwrap_or(charset);
    let is_utf8 = charset.replace('-', "").eq_ignore_ascii_case("utf8");
    (!is_utf8).then(|| charset.to_owned())
}

/// The template of the chart.
const PLOT: (&str, &str) = ("plot.svg", include_str!("../../templates/terminal/plot.svg"));

/// The templates of all verbs, each in both languages.
const TEMPLATES: [(&str, &str); 7] = [
    ("config", include_str!("../../templates/terminal/config.md")),
    ("help", include_str!("../../templates/terminal/help.md")),
    ("invite", include_str!("../../templates/terminal/invite.md")),
    ("misuse", include_str!("../../templates/terminal/misuse.md")),
    ("simulate", include_str!("../../templates/terminal/simulate.md")),
    ("stats", include_str!("../../templates/terminal/stats.md")),
    ("file", include_str!("../../templates/terminal/file.md")),
];

/// The texts of the terminal. A template is a file of macros, one for each text of a verb.
#[derive(Debug)]
struct TerminalText {
    templates: Environment<'static>,
    lang: Lang,
}

impl TerminalText {
    /// # Panics
    /// Never: the templates are part of the program, and the check says each of its texts.
    fn new(lang: Lang) -> Self {
        let mut templates = bare_environment();
        templates.set_auto_escape_callback(|name| match name.rsplit_once('.') {
            Some((_, "svg")) => AutoEscape::Html,
            _ => AutoEscape::None,
        });
        templates.add_filter("fixed", fixed);
        templates.add_filter("percent", |share: f64| format!("{:.1} %", share * 100.0));
        templates.add_filter("bar", bar);
        templates.add_filter("flag", |bit: u32| 1_u64 << bit);
        templates.add_filter("cell", |text: &str| plain(text).replace('|', "｜"));
        templates.add_filter("called", move |id: &str, game: &str| counted::name(id, game, lang));
        let heading = move |group: &str, game: &str| counted::title(group, game, lang);
        templates.add_filter("heading", heading);
        templates.add_filter("game", move |game: &str| counted::game_name(game, lang));
        templates.add_global("lang", lang.code());
        templates.set_loader(move |file| Ok(source_of(file, lang)));
        Self { templates, lang }
    }

    /// Writes a text with aligned tables.
    fn text<T: TypedLetter>(&self, text: &T) -> String {
        self.say(T::FOLDER, T::NAME, text)
    }

    /// Writes the macro `what` of a verb's template with the data `it`, with aligned tables.
    fn say(&self, verb: &str, what: &str, it: &impl Serialize) -> String {
        let written = self.call(&format!("{}/{verb}.md", self.lang), what, it);
        align(written.expect("a built-in template").trim())
    }

    /// Returns the faults of the templates: texts that fail on some sample of their data.
    fn faults(&self) -> Vec<String> {
        let stock = SampleStock::default();
        let texts = texts::forms().flat_map(|form| {
            let file = format!("{}/{}.md", self.lang, form.folder);
            form.samples(&stock, usize::MAX)
                .into_iter()
                .map(move |it| (file.clone(), form.name, it))
        });
        let faults = texts.filter_map(|(file, name, it)| {
            let fault = self.call(&file, name, &it).err()?;
            Some(format!("templates/terminal/{file}: `{name}`: {fault:#}"))
        });
        faults.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Draws a picture with the data `it`.
    fn draw(&self, file: &str, it: &impl Serialize) -> String {
        let template = self.templates.get_template(file);
        let drawn = template.and_then(|template| template.render(Value::from(Serde(it))));
        drawn.expect("a built-in template")
    }

    fn call(&self, file: &str, what: &str, it: &impl Serialize) -> Result<String, Error> {
        let mut captured = self.templates.get_template(file)?.render_captured(())?;
        captured.with_state_mut(|state| state.call_macro(what, &[Value::from(Serde(it))]))
    }
}

/// Returns the source of a template in a language; `None` if there is no such file.
fn source_of(file: &str, lang: Lang) -> Option<String> {
    if file == PLOT.0 {
        return Some(PLOT.1.to_owned());
    }
    let verb = file.strip_prefix(lang.code())?.strip_prefix('/')?.strip_suffix(".md")?;
    let (_, text) = TEMPLATES.into_iter().find(|(name, _)| *name == verb)?;
    let (_, source) = in_one_language(text, verb, lang).pop()?;
    Some(source)
}

/// Formats a number with this many decimal places.
fn fixed(number: f64, digits: usize) -> String {
    format!("{number:.digits$}")
}

/// Returns a bar of blocks; `width` columns stand for the whole.
fn bar(part: f64, whole: f64, width: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = if whole > 0.0 { (part / whole * width * 8.0).round() } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few columns")]
    let eighths = eighths as usize;
    // A part above zero is always visible.
    let eighths = if part > 0.0 { eighths.max(1) } else { eighths };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

/// Pads the cells of Markdown tables, so that they form columns in a terminal as well. Numbers are
/// right-aligned if their row of dashes ends in a colon, and full-width characters count as two columns.
fn align(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut aligned = String::new();
    for block in lines.chunk_by(|a, b| a.starts_with('|') == b.starts_with('|')) {
        if !block[0].starts_with('|') {
            aligned.extend(block.iter().flat_map(|line| [line, "\n"]));
            continue;
        }
        let rows: Vec<Vec<&str>> = block
            .iter()
            .map(|row| row.trim().trim_matches('|').split('|').map(str::trim).collect())
            .collect();
        let is_rule = |cell: &str| !cell.is_empty() && cell.chars().all(|c| c == '-' || c == ':');
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column).copied());
        let shape: Vec<(usize, bool)> = (0..columns)
            .map(|column| {
                let width = cells(column).filter(|cell| !is_rule(cell)).map(UnicodeWidthStr::width);
                let right = cells(column).any(|cell| is_rule(cell) && cell.ends_with(':'));
                (width.max().unwrap_or(0).max(3), right)
            })
            .collect();
        for row in &rows {
            for (cell, (width, right)) in row.iter().zip(&shape) {
                let gap = width.saturating_sub(cell.width());
                let cell = match (is_rule(cell), right) {
                    (true, true) => format!("{}:", "-".repeat(width - 1)),
                    (true, false) => "-".repeat(*width),
                    (false, true) => format!("{}{cell}", " ".repeat(gap)),
                    (false, false) => format!("{cell}{}", " ".repeat(gap)),
                };
                aligned.push_str("| ");
                aligned.push_str(&cell);
                aligned.push(' ');
            }
            aligned.push_str("|\n");
        }
    }
    aligned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_the_terminal_says_can_be_said() {
        for lang in Lang::ALL {
            assert_eq!(TerminalText::new(lang).faults(), Vec::<String>::new());
        }
    }

    #[test]
    fn a_character_set_that_is_not_utf8_is_known_by_the_locale() {
        let of = |all: &str, lang: &str| {
            let variable = |name: &str| match name {
                "LC_ALL" => Some(all.to_owned()),
                "LANG" => Some(lang.to_owned()),
                _ => None,
            };
            other_charset(variable)
        };
        assert_eq!(of("ja_JP.eucJP", "ja_JP.UTF-8").as_deref(), Some("eucJP"));
        assert_eq!(of("", "de_DE.ISO-8859-15@euro").as_deref(), Some("ISO-8859-15"));
        for right in ["ja_JP.UTF-8", "en_US.utf8", "C", "ja_JP", ""] {
            assert_eq!(of(right, right), None, "{right}");
        }
    }

    #[test]
    fn tables_stand_in_columns() {
        let table = "数\n| 席 | n |\n|-|-:|\n| P1 | 10 |\n| 全員 | 1234 |\n";
        let aligned = "数\n| 席   |    n |\n| ---- | ---: |\n| P1   |   10 |\n| 全員 | 1234 |\n";
        assert_eq!(align(table), aligned);
    }

    #[test]
    fn a_bar_is_as_long_as_its_part() {
        assert_eq!(bar(0.0, 8.0, 4.0), "");
        assert_eq!(bar(0.01, 8.0, 4.0), "▏");
        assert_eq!(bar(5.0, 8.0, 4.0), "██▌");
        assert_eq!(bar(8.0, 8.0, 4.0), "████");
    }
}
