//! The page of a table that is over: one file without a network, to step through the game as the public, as
//! each seat, or with everything shown.
//!
//! The desk decides the knowledge of each viewer ([`Retold`]), and the letters write it. This module lays it
//! out with the templates of `templates/page/`, which escape every value; and the page allows no script but
//! its own.
//!
//! The same table gives the same page on every machine.

#[cfg(test)]
mod test_page;

use std::collections::{BTreeMap, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_width::UnicodeWidthChar;

use crate::audit::retell::retell;
use crate::record::event::Event;
use crate::record::letter::{Letter, Part};
use crate::{Desk, NotDone, Retold, Revealed, Seen, Step, StepKind, Validity, log_of_decisions};
use letters::{
    Decided, LetterFault, Letters, Moment, PictureRoom, PictureText, Reader, RulingLine, Typeface,
    WindowName, bare_environment, follow, plain,
};
use rules::text::{self, Lang, Words};
use rules::{Clause, Item, Ruling, Seat, Viewer};
use tables::ResultForm;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// The templates of the page.
const TEMPLATES: &[(&str, &str)] = &[
    ("page.html", include_str!("../../templates/page/page.html")),
    ("sheet.html", include_str!("../../templates/page/sheet.html")),
    ("ja/words.html", include_str!("../../templates/page/ja/words.html")),
    ("en/words.html", include_str!("../../templates/page/en/words.html")),
];
const STYLE: &str = include_str!("../../templates/page/page.css");
const SCRIPT: &str = include_str!("../../templates/page/page.js");

/// The reason why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageFault {
    /// The table cannot be retold.
    #[error(transparent)]
    NotDone(#[from] NotDone),
    /// A template of the letters failed.
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

/// Returns the page of a table in this language first, by default the table's own; `None` if no end of the
/// table has been announced at this time.
///
/// # Errors
/// If the table cannot be retold, or a letter cannot be written.
pub async fn of_table(
    desk: &Desk,
    letters: &Letters,
    code: &TableCode,
    lang: Option<Lang>,
    now: Time,
) -> Result<Option<String>, PageFault> {
    let Some(retold) = retell(desk, code, now).await? else { return Ok(None) };
    Ok(Some(write(&retold, letters, lang.unwrap_or(retold.language))?))
}

/// Returns the page of a retold table, in this language first.
///
/// # Errors
/// If a letter cannot be written.
///
/// # Panics
/// If a template of the page is at fault, which the tests rule out.
pub fn write(retold: &Retold, letters: &Letters, lang: Lang) -> Result<String, LetterFault> {
    let templates = templates();
    let mut data = Data::default();
    let mut titles = Titles::new();
    let (mut fates, mut log) = (Vec::new(), Vec::new());
    for shown in Lang::ALL {
        let sheets = Sheets::new(retold, letters, shown);
        let mut all = Vec::new();
        for index in 0..retold.steps.len() {
            let mut of_step = Vec::new();
            for viewer in retold.viewers() {
                let sheet = sheets.sheet(index, viewer, &mut data)?;
                of_step.push(data.lines.add(&render(&templates, shown, &sheet, false)));
                if viewer == Viewer::All {
                    titles.entry(shown.code()).or_default().push(sheet.title.clone());
                }
                if viewer == Viewer::All && shown == lang {
                    log.push(render(&templates, shown, &sheet, true));
                    fates.push(sheet.fate);
                }
            }
            all.push(of_step);
        }
        data.sheets.insert(shown.code(), all);
    }
    let names =
        Lang::ALL.into_iter().map(|lang| Ok((lang.code(), letters.game_name(retold.game, lang)?)));
    let (of_steps, parts) = divided(&titles);
    let steps = of_steps.into_iter().enumerate().map(|(step, part)| PageStep {
        title: titles.iter().map(|(lang, of)| (*lang, &of[step])).collect(),
        fate: fates[step],
        part,
    });
    let page = Page {
        lang: lang.code(),
        code: &retold.code,
        game: names.collect::<Result<_, LetterFault>>()?,
        views: retold.viewers().into_iter().map(|viewer| view(retold, viewer)).collect(),
        parts,
        steps: steps.collect(),
        log,
        cards: cards(retold),
        players: Seat::all(retold.chairs).map(|seat| player(retold, seat)).collect(),
        commitment: &retold.commitment,
        seed: &retold.seed,
        style: STYLE,
        style_hash: hash(STYLE),
        script: SCRIPT,
        script_hash: hash(SCRIPT),
        data: data.embedded(),
    };
    let written = templates.get_template("page.html");
    let written = written.and_then(|template| template.render(Value::from(Serde(&page))));
    Ok(written.expect("a built-in template"))
}

/// The titles of the steps in each language.
type Titles = BTreeMap<&'static str, Vec<Title>>;

/// The name of a part of the game in each language.
type PartName = BTreeMap<&'static str, String>;

/// Returns the number of each step's part of the game, and the names of the parts. A step without a window
/// belongs to the part before it, or else to the one after it.
fn divided(titles: &Titles) -> (Vec<usize>, Vec<PartName>) {
    let count = titles.values().map(Vec::len).max().unwrap_or_default();
    let named = |step: usize| -> PartName {
        titles.iter().map(|(lang, titles)| (*lang, titles[step].window.part.clone())).collect()
    };
    let is_named = |step: &usize| named(*step).values().any(|part| !part.is_empty());
    let mut parts: Vec<PartName> = Vec::new();
    let mut of_steps = Vec::new();
    for step in 0..count {
        let of = (0..=step).rfind(is_named).or_else(|| (step..count).find(is_named));
        let part = of.map(named).unwrap_or_default();
        if parts.last() != Some(&part) {
            parts.push(part);
        }
        of_steps.push(parts.len() - 1);
    }
    (of_steps, parts)
}

fn templates() -> Environment<'static> {
    let mut templates = bare_environment();
    for (name, text) in TEMPLATES {
        templates.add_template(name, text).expect("a built-in template");
    }
    templates
}

fn render(templates: &Environment<'_>, lang: Lang, sheet: &Sheet, log: bool) -> String {
    let context = SheetOfPage { lang: lang.code(), sheet, log };
    let written = templates.get_template("sheet.html");
    let written = written.and_then(|template| template.render(Value::from(Serde(&context))));
    written.expect("a built-in template")
}

/// The fields of the template of the page.
#[derive(Debug, Serialize)]
struct Page<'a> {
    lang: &'static str,
    code: &'a TableCode,
    game: BTreeMap<&'static str, String>,
    views: Vec<PageView>,
    parts: Vec<PartName>,
    steps: Vec<PageStep<'a>>,
    log: Vec<String>,
    cards: Vec<PageCard<'a>>,
    players: Vec<PagePlayer>,
    commitment: &'a str,
    seed: &'a str,
    style: &'static str,
    style_hash: String,
    script: &'static str,
    script_hash: String,
    data: String,
}

/// The fields of the template of a sheet.
#[derive(Debug, Serialize)]
struct SheetOfPage<'a> {
    lang: &'static str,
    sheet: &'a Sheet,
    log: bool,
}

/// A step: its title in each language, its fate, and the number of its part of the game.
#[derive(Debug, Serialize)]
struct PageStep<'a> {
    title: BTreeMap<&'static str, &'a Title>,
    fate: &'static str,
    part: usize,
}

/// A view of the table.
#[derive(Debug, Serialize)]
struct PageView {
    id: &'static str,
    name: String,
    is_bot: bool,
}

fn view(retold: &Retold, viewer: Viewer) -> PageView {
    let of_nobody = |id| PageView { id, name: String::new(), is_bot: false };
    match viewer {
        Viewer::Public => of_nobody("public"),
        Viewer::Seat(seat) => {
            let is_bot = retold.bots.contains(&seat);
            PageView { id: seat.name(), name: called(retold, seat), is_bot }
        }
        Viewer::All => of_nobody("all"),
    }
}

/// A card of the game, in both languages.
#[derive(Debug, Serialize)]
struct PageCard<'a> {
    clause: &'a Clause,
    ja: CardOnPage<'a>,
    en: CardOnPage<'a>,
}

#[derive(Debug, Serialize)]
struct CardOnPage<'a> {
    name: &'a str,
    text: &'a str,
}

fn cards(retold: &Retold) -> Vec<PageCard<'_>> {
    let words = retold.game.lexicon();
    let cards = retold.game.cards().listed(words).map(|card| {
        let card_in = |lang| CardOnPage { name: words.name(&card.id, lang), text: card.text(lang) };
        PageCard { clause: &card.clause, ja: card_in(Lang::Ja), en: card_in(Lang::En) }
    });
    cards.collect()
}

/// A player.
#[derive(Debug, Serialize)]
struct PagePlayer {
    chair: &'static str,
    name: String,
    is_bot: bool,
}

fn player(retold: &Retold, seat: Seat) -> PagePlayer {
    let is_bot = retold.bots.contains(&seat);
    PagePlayer { chair: seat.name(), name: name(retold, seat), is_bot }
}

/// Returns the hash by which a browser allows a style or a script.
fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

/// The writer of a table's sheets in one language.
pub(super) struct Sheets<'a> {
    retold: &'a Retold,
    letters: &'a Letters,
    reader: Reader,
    words: Words<'static>,
}

/// The fields of the template of a sheet.
#[derive(Debug, Serialize)]
pub(super) struct Sheet {
    index: usize,
    pub(super) title: Title,
    pub(super) fate: &'static str,
    at: String,
    board: Option<SheetBoard>,
    /// The final scores as a table; empty if the step has none.
    scores: String,
    decided: Vec<SheetLine>,
    declared: Vec<SheetDeclaration>,
    dice: Vec<SheetDie>,
    told: Vec<SheetLine>,
}

/// The title of a step: `dealt`, `closed` or `over`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Title {
    is: &'static str,
    /// The game's name for the closed window.
    pub(super) window: WindowName,
    /// The word for the reason of the closing.
    why: &'static str,
}

/// The pictures of the table while the window was open, and their text.
#[derive(Debug, Serialize)]
struct SheetBoard {
    wide: BoardPicture,
    narrow: BoardPicture,
    alt: String,
    lines: Vec<SheetLine>,
}

/// A picture by its number, with its size.
#[derive(Debug, Serialize)]
struct BoardPicture {
    number: usize,
    width: u32,
    height: u32,
}

#[derive(Debug, Serialize)]
struct SheetDeclaration {
    who: String,
    is_there: bool,
    /// The lines of the declaration; `None` if the viewer does not know it.
    said: Option<Vec<String>>,
    receipt: Option<String>,
    rulings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct SheetDie {
    label: String,
    words: String,
}

/// A line of a letter and its kind: `head`, `part`, `who`, `item` or `line`.
#[derive(Debug, Serialize)]
struct SheetLine {
    is: &'static str,
    text: String,
}

impl<'a> Sheets<'a> {
    pub(super) fn new(retold: &'a Retold, letters: &'a Letters, lang: Lang) -> Self {
        // The year in which the page is read is unknown, so each time is written with its year.
        let reader = retold.reader(lang).in_plain_text().in_the_year(Some(0));
        Self { retold, letters, reader, words: retold.words() }
    }

    /// Returns the sheet of a step for a viewer, and adds its picture to the data of the page.
    pub(super) fn sheet(
        &self,
        index: usize,
        viewer: Viewer,
        data: &mut Data,
    ) -> Result<Sheet, LetterFault> {
        let step = &self.retold.steps[index];
        let seen = step.seen_by(viewer);
        let shown = seen.open.as_ref().or(seen.report.as_ref());
        let board = shown.map(|report| self.board(report, data)).transpose()?;
        let declared = seen.declared.iter().map(|declared| self.declared(declared, &seen));
        let dice = seen.dice.iter().map(|thrown| {
            let words = self.letters.thrown(&self.reader, thrown)?;
            Ok(SheetDie { label: thrown.label.clone(), words })
        });
        Ok(Sheet {
            index,
            title: self.title(step.what, &seen)?,
            fate: match step.fate {
                Validity::Counts => "counts",
                Validity::Anew => "anew",
                Validity::GoneBack => "gone-back",
            },
            at: self.letters.when(&self.reader, &Moment::at(step.at, self.retold.zone))?,
            board,
            scores: self.scores(step, &seen)?,
            decided: lines(&self.decided(&seen)?),
            declared: declared.collect::<Result<_, _>>()?,
            dice: dice.collect::<Result<_, LetterFault>>()?,
            told: lines(&self.letter_text(step, &seen)?),
        })
    }

    fn board(&self, report: &Json, data: &mut Data) -> Result<SheetBoard, LetterFault> {
        let mut picture = |room| {
            let svg = self.letters.picture(&self.reader, report, room, Roomy)?;
            let (svg, [width, height]) = framed(&svg);
            Ok::<_, LetterFault>(BoardPicture { number: data.picture(&svg), width, height })
        };
        let (wide, narrow) = (picture(PictureRoom::Wide)?, picture(PictureRoom::Narrow)?);
        let alt = self.letters.write(&self.reader, &PictureText { report, brief: false })?;
        Ok(SheetBoard { wide, narrow, lines: lines(&alt), alt })
    }

    fn title(&self, what: StepKind, seen: &Seen) -> Result<Title, LetterFault> {
        Ok(match what {
            StepKind::Dealt => Title { is: "dealt", ..Title::default() },
            StepKind::Over { .. } => Title { is: "over", ..Title::default() },
            StepKind::Closed { suspended, why, .. } => {
                let after = seen.report.as_ref();
                let name = |open| self.letters.window(&self.reader, open, suspended, after);
                let window = seen.open.as_ref().map(name).transpose()?.unwrap_or_default();
                Title { is: "closed", window, why: why.into_str() }
            }
        })
    }

    fn scores(&self, step: &Step, seen: &Seen) -> Result<String, LetterFault> {
        let report = seen.report.as_ref().filter(|_| step.is_scored());
        let table = report.map(|report| self.letters.score_table(&self.reader, report));
        Ok(table.transpose()?.unwrap_or_default())
    }

    /// Returns the text of the decisions: in full if everything is shown, otherwise as the table was shown
    /// them.
    fn decided(&self, seen: &Seen) -> Result<String, LetterFault> {
        let zone = self.retold.zone;
        let (whole, shown): (Vec<_>, Vec<_>) =
            seen.decided.iter().cloned().partition(|logged| logged.whole);
        let mut text = String::new();
        if !whole.is_empty() {
            let name = |account: &AccountId| plain(self.retold.called(account));
            text = log_of_decisions(&whole, self.letters, &self.reader, zone, name)?;
        }
        for logged in shown {
            let decision = logged.what.shown(&logged.reason, zone);
            let number = Some(logged.number.from_one());
            follow(
                &mut text,
                &self
                    .letters
                    .write(&self.reader, &Decided { number, alone: false, decision: &decision })?,
            );
        }
        Ok(text)
    }

    fn declared(&self, declared: &Revealed, seen: &Seen) -> Result<SheetDeclaration, LetterFault> {
        let lang = self.reader.lang;
        let lines = declared.said.as_ref().map(|(answers, interview)| {
            let text = text::write(answers, interview, &self.words, lang);
            text.lines().map(plain).filter(|line| !line.trim().is_empty()).collect()
        });
        let rulings = seen.entries.iter().filter_map(|entry| match &entry.item {
            Item::Ruling(ruling) if ruling.seat == declared.seat => Some(ruling),
            _ => None,
        });
        let ruled = |ruling: &Ruling| self.letters.write(&self.reader, &RulingLine { ruling });
        let rulings: Result<Vec<String>, LetterFault> = rulings.map(ruled).collect();
        Ok(SheetDeclaration {
            who: called(self.retold, declared.seat),
            is_there: declared.is_there,
            said: lines,
            receipt: declared.receipt.map(|receipt| receipt.code()),
            rulings: rulings?.into_iter().map(|ruling| ruling.trim().to_owned()).collect(),
        })
    }

    /// Returns the text of the step's letter, without the bare closing, which the title says.
    fn letter_text(&self, step: &Step, seen: &Seen) -> Result<String, LetterFault> {
        let mut parts = seen.parts.clone();
        parts.retain(|part| match part {
            Part::Event(Event::Closed { awaited, .. }) => !awaited.is_empty(),
            Part::Result { .. } => seen.report.is_some(),
            _ => true,
        });
        if step.is_scored() && self.scores(step, seen)?.is_empty() {
            parts.insert(0, Part::Scores);
        }
        let Retold { code, game, zone, names, head, .. } = self.retold;
        let letter = Letter {
            code: code.clone(),
            game: game.key().to_owned(),
            card_set: game.set().map(|set| set.hash.to_string()),
            seat: None,
            language: self.reader.lang.code().to_owned(),
            zone: *zone,
            year: None,
            names: names.clone(),
            report: seen.report.clone().unwrap_or_default(),
            head: head.clone(),
            results: ResultForm::Full,
            in_thread: false,
            parts,
        };
        letter.write_for(self.letters, &self.reader)
    }
}

/// The mark of a line in a list.
const ITEM: char = '\u{30fb}';

/// Splits a letter into lines, each with its kind by its first character.
fn lines(text: &str) -> Vec<SheetLine> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let line = |line: &str| match line.chars().next() {
        Some('◆') => SheetLine { is: "head", text: line.to_owned() },
        Some('●') => SheetLine { is: "part", text: line.to_owned() },
        Some('▼') => SheetLine { is: "who", text: line.to_owned() },
        _ if line.trim_start().starts_with(ITEM) => {
            SheetLine { is: "item", text: line.trim_start().to_owned() }
        }
        _ => SheetLine { is: "line", text: line.to_owned() },
    };
    lines.map(line).collect()
}

/// The font families of a picture, readable on common machines.
const FAMILIES: &str = "'BIZ UDPGothic', 'Hiragino Sans', 'Yu Gothic', Meiryo, 'Noto Sans CJK JP', \
                        'Noto Sans JP', sans-serif";

/// Letter widths for the widest fonts, as the font of a page's reader is unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roomy;

/// The width of a narrow letter, relative to its height.
const NARROW: f64 = 0.6;

impl Typeface for Roomy {
    fn width(&self, text: &str, size: f64) -> f64 {
        let width = |letter: char| match letter.width() {
            Some(0) | None => 0.0,
            Some(1) => NARROW,
            Some(_) => 1.0,
        };
        text.chars().map(width).sum::<f64>() * size
    }

    /// Drops combining marks that stay separate, as they would overlap their neighbours.
    fn drawable(&self, text: &str) -> String {
        text.nfc().filter(|letter| !is_combining_mark(*letter)).collect()
    }
}

/// Returns a picture with the font families above, and its width and height.
pub(super) fn framed(svg: &str) -> (String, [u32; 2]) {
    let frame = svg.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let mut numbers = frame.into_iter().flat_map(|(frame, _)| frame.split_whitespace()).skip(2);
    let mut next = || numbers.next().and_then(|side| side.parse().ok()).unwrap_or_default();
    let framed = svg.replacen("<svg ", &format!("<svg font-family=\"{FAMILIES}\" "), 1);
    (framed, [next(), next()])
}

/// The data for the page's script.
#[derive(Debug, Default, Serialize)]
pub(super) struct Data {
    /// The distinct lines.
    pub(super) lines: NumberedLines,
    /// The distinct pictures, each a list of line numbers.
    boards: Vec<Vec<usize>>,
    /// The sheets in each language by step and viewer, as line numbers.
    pub(super) sheets: BTreeMap<&'static str, Vec<Vec<Vec<usize>>>>,
}

impl Data {
    /// Stores a picture once, and returns its number.
    pub(super) fn picture(&mut self, svg: &str) -> usize {
        let lines = self.lines.add(svg);
        let known = self.boards.iter().position(|board| *board == lines);
        known.unwrap_or_else(|| {
            self.boards.push(lines);
            self.boards.len() - 1
        })
    }

    /// Returns the JSON for embedding in the page, where no `<` can end its element.
    pub(super) fn embedded(&self) -> String {
        let json = serde_json::to_string(self).expect("lines and numbers");
        json.replace('<', "\\u003c")
    }
}

/// Returns the seat and the name of its player, if any.
pub(super) fn called(retold: &Retold, seat: Seat) -> String {
    format!("{seat} {}", name(retold, seat)).trim_end().to_owned()
}

pub(super) fn name(retold: &Retold, seat: Seat) -> String {
    let name = retold.names.get(seat.index()).map(|name| plain(name));
    name.unwrap_or_default().trim().to_owned()
}

/// The lines and their numbers.
#[derive(Debug, Default)]
pub(super) struct NumberedLines {
    lines: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NumberedLines {
    /// Stores the lines of a text, and returns their numbers. Empty lines and indents are left out.
    pub(super) fn add(&mut self, text: &str) -> Vec<usize> {
        let lines = text.lines().map(|line| line.trim_start_matches([' ', '\t']));
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        lines.into_iter().map(|line| self.number(line)).collect()
    }

    fn number(&mut self, line: &str) -> usize {
        if let Some(number) = self.numbers.get(line) {
            return *number;
        }
        let number = self.lines.len();
        self.lines.push(line.to_owned());
        self.numbers.insert(line.to_owned(), number);
        number
    }
}

impl Serialize for NumberedLines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.lines.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_letter_is_as_wide_as_it_is_high() {
        assert!((Roomy.width("役a", 10.0) - 16.0).abs() < 1e-9);
        assert_eq!(Roomy.drawable("e\u{301}\u{302}x"), "\u{e9}x");
    }

    #[test]
    fn a_picture_says_how_large_it_is() {
        let (svg, size) = framed("<svg viewBox=\"0 0 1280 900\" width=\"1\"/>");
        assert_eq!(size, [1280, 900]);
        assert!(svg.starts_with("<svg font-family=\"'BIZ"), "{svg}");
    }

    #[test]
    fn a_line_is_kept_once() {
        let mut lines = NumberedLines::default();
        assert_eq!(lines.add("<a>\n  <b>\n\n<a>\n"), [0, 1, 0]);
        assert_eq!(lines.add("<b>\n\u{3000}c"), [1, 2]);
        assert_eq!(serde_json::to_string(&lines).unwrap(), "[\"<a>\",\"<b>\",\"\u{3000}c\"]");
    }
}
