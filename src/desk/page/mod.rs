//! The page of a table that is over: one file without a network, to step through the game as the public, as
//! each seat, or with everything shown.
//!
//! The desk decides the knowledge of each viewer ([`Retold`]), and the letters write it. This module lays it
//! out with the templates of `templates/page/`, which escape every value; and the page allows no script but
//! its own.
//!
//! The same table gives the same page on every machine.

mod board;
mod curve;
mod data;
mod lines;
mod record;
mod result;
mod sheet;
#[cfg(test)]
mod test_page;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::data::{Data, called, name};
use self::result::Outcome;
use self::sheet::{Sheet, SheetLine, Sheets, Title, lines};
use crate::audit::retell::retell;
use crate::model::Written;
use crate::{Desk, NotDone, Retold};
use letters::{LetterFault, Letters, bare_environment};
use rules::text::Lang;
use rules::{Clause, Seat, Viewer};
use tables::{TableCode, Time};

/// The templates of the page.
const TEMPLATES: &[(&str, &str)] = &[
    ("page.html", include_str!("../../../templates/page/page.html")),
    ("result.html", include_str!("../../../templates/page/result.html")),
    ("sheet.html", include_str!("../../../templates/page/sheet.html")),
    ("ja/words.html", include_str!("../../../templates/page/ja/words.html")),
    ("en/words.html", include_str!("../../../templates/page/en/words.html")),
];
const STYLE: &str = include_str!("../../../templates/page/page.css");
const SCRIPT: &str = concat!(
    include_str!("../../../templates/page/verify.js"),
    include_str!("../../../templates/page/page.js")
);

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
pub fn write(retold: &Retold, letters: &Letters, lang: Lang) -> Written {
    let templates = templates();
    let mut data = Data::new(retold);
    let mut titles = Titles::new();
    let (mut fates, mut log) = (Vec::new(), Vec::new());
    let (mut outcomes, mut codes) = (BTreeMap::new(), BTreeMap::new());
    for shown in Lang::ALL {
        let sheets = Sheets::new(retold, letters, shown);
        let mut all = Vec::new();
        for index in 0..retold.steps.len() {
            let mut of_step = Vec::new();
            for viewer in retold.viewers() {
                let sheet = sheets.sheet(index, viewer, &mut data)?;
                of_step.push(data.lines.add(&sheet_in(&templates, shown, &sheet, false)));
                if viewer == Viewer::All {
                    titles.entry(shown.code()).or_default().push(sheet.title.clone());
                }
                if viewer == Viewer::All && shown == lang {
                    log.push(sheet_in(&templates, shown, &sheet, true));
                    fates.push(sheet.fate);
                }
            }
            all.push(of_step);
        }
        data.sheets.insert(shown.code(), all);
        let outcome = Outcome::new(retold, letters, shown)?;
        let result = result_in(&templates, shown, &outcome);
        data.results.insert(shown.code(), data.lines.add(&result));
        outcomes.insert(shown, (outcome, result));
        let help = lines(&letters.help(&sheets.reader, false, false)?);
        let of_game =
            help.into_iter().enumerate().take_while(|(at, line)| *at == 0 || line.is != "head");
        codes.insert(shown.code(), of_game.map(|(_, line)| line).collect());
    }
    let (outcome, result) = outcomes.remove(&lang).expect("each language is written");
    let data = data.embedded();
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
        game: names.collect::<Written<_>>()?,
        views: retold.viewers().into_iter().map(|viewer| view(retold, viewer)).collect(),
        parts,
        steps: steps.collect(),
        log,
        cards: cards(retold),
        players: Seat::all(retold.chairs).map(|seat| player(retold, seat)).collect(),
        commitment: &retold.commitment,
        seed: &retold.seed,
        outcome,
        result,
        codes,
        style: STYLE,
        style_hash: hash(STYLE),
        script: SCRIPT,
        script_hash: hash(SCRIPT),
        data_hash: hex::encode(Sha256::digest(&data)),
        data,
    };
    Ok(render(&templates, "page.html", &page))
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

fn sheet_in(templates: &Environment<'_>, lang: Lang, sheet: &Sheet, log: bool) -> String {
    render(templates, "sheet.html", &SheetOfPage { lang: lang.code(), sheet, log })
}

fn result_in(templates: &Environment<'_>, lang: Lang, it: &Outcome<'_>) -> String {
    render(templates, "result.html", &ResultOfPage { lang: lang.code(), it })
}

fn render(templates: &Environment<'_>, name: &str, context: &impl Serialize) -> String {
    let written = templates.get_template(name);
    let written = written.and_then(|template| template.render(Value::from(Serde(context))));
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
    outcome: Outcome<'a>,
    result: String,
    /// The notation of declarations, in each language.
    codes: BTreeMap<&'static str, Vec<SheetLine>>,
    style: &'static str,
    style_hash: String,
    script: &'static str,
    script_hash: String,
    /// The hash by which the script notices changes of the data.
    data_hash: String,
    data: String,
}

/// The fields of the template of a sheet.
#[derive(Debug, Serialize)]
struct SheetOfPage<'a> {
    lang: &'static str,
    sheet: &'a Sheet,
    log: bool,
}

/// The fields of the template of a result.
#[derive(Debug, Serialize)]
struct ResultOfPage<'a> {
    lang: &'static str,
    it: &'a Outcome<'a>,
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
