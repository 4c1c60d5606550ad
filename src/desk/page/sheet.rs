//! A sheet: one step of a table for one viewer, in words.

use serde::Serialize;
use serde_json::Value as Json;

use super::board::{Roomy, framed};
use super::data::{Data, called};
use crate::model::Written;
use crate::record::{Event, Letter, Part};
use crate::{Retold, Revealed, Seen, Step, StepKind, Validity, log_of_decisions};
use letters::{
    Decided, LetterFault, Letters, Moment, PictureRoom, PictureText, Reader, RulingLine,
    WindowName, follow, plain,
};
use rules::text::{self, Lang, Words};
use rules::{Item, Ruling, Viewer};
use tables::{AccountId, ResultForm};

/// The writer of a table's sheets in one language.
pub(super) struct Sheets<'a> {
    retold: &'a Retold,
    letters: &'a Letters,
    pub(super) reader: Reader,
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
pub(super) struct SheetLine {
    pub(super) is: &'static str,
    text: String,
}

impl<'a> Sheets<'a> {
    pub(super) fn new(retold: &'a Retold, letters: &'a Letters, lang: Lang) -> Self {
        // The year in which the page is read is unknown, so each time is written with its year.
        let reader = retold.reader(lang).in_plain_text().in_the_year(Some(0));
        Self { retold, letters, reader, words: retold.words() }
    }

    /// Returns the sheet of a step for a viewer, and adds its picture to the data of the page.
    pub(super) fn sheet(&self, index: usize, viewer: Viewer, data: &mut Data) -> Written<Sheet> {
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
            dice: dice.collect::<Written<_>>()?,
            told: lines(&self.letter_text(step, &seen)?),
        })
    }

    fn board(&self, report: &Json, data: &mut Data) -> Written<SheetBoard> {
        let mut picture = |room| {
            let svg = self.letters.picture(&self.reader, report, room, Roomy)?;
            let (svg, [width, height]) = framed(&svg);
            Ok::<_, LetterFault>(BoardPicture { number: data.picture(&svg), width, height })
        };
        let (wide, narrow) = (picture(PictureRoom::Wide)?, picture(PictureRoom::Narrow)?);
        let alt = self.letters.write(&self.reader, &PictureText { report, brief: false })?;
        Ok(SheetBoard { wide, narrow, lines: lines(&alt), alt })
    }

    fn title(&self, what: StepKind, seen: &Seen) -> Written<Title> {
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

    fn scores(&self, step: &Step, seen: &Seen) -> Written {
        let report = seen.report.as_ref().filter(|_| step.is_scored());
        let table = report.map(|report| self.letters.score_table(&self.reader, report));
        Ok(table.transpose()?.unwrap_or_default())
    }

    /// Returns the text of the decisions: in full if everything is shown, otherwise as the table was shown
    /// them.
    fn decided(&self, seen: &Seen) -> Written {
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

    fn declared(&self, declared: &Revealed, seen: &Seen) -> Written<SheetDeclaration> {
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
        let rulings: Written<Vec<String>> = rulings.map(ruled).collect();
        Ok(SheetDeclaration {
            who: called(self.retold, declared.seat),
            is_there: declared.is_there,
            said: lines,
            receipt: declared.receipt.map(|receipt| receipt.code()),
            rulings: rulings?.into_iter().map(|ruling| ruling.trim().to_owned()).collect(),
        })
    }

    /// Returns the text of the step's letter, without the bare closing, which the title says.
    fn letter_text(&self, step: &Step, seen: &Seen) -> Written {
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
pub(super) fn lines(text: &str) -> Vec<SheetLine> {
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
