//! Each letter with what it needs, so that no caller can forget any of it: what a game tells, and how
//! declarations are answered.

use minijinja::value::{Serde, Value};
use serde::Serialize;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;

use crate::letters::rules::clauses;
use crate::letters::template::letters::{DESK, LetterFault, Letters, template_name};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::{
    DeclaredAnswers, HistoryLine, Moment, QuestionView, decided, ruling_of, turns,
};
use crate::rules::Round;
use crate::rules::text::{Example, Misread, Reading, UnreadReason};
use crate::rules::{Asked, Clause, Entry, Fault, Interview, Key, Outcome, Ruling, Seat};
use crate::tables::ResultForm;

/// A window opens.
#[expect(clippy::struct_excessive_bools, reason = "each is told by a sentence of its own")]
#[derive(Clone, Debug, Serialize)]
pub struct WindowOpening<'a> {
    /// The root window, counted from 0, which is the deal.
    pub window: Round,
    /// Whether it is a window within a root window: only what is open there is asked.
    pub suspended: bool,
    pub asked: &'a [Seat],
    /// When it closes (締め切り); none where it closes as soon as all have sealed.
    pub closes: Option<Moment>,
    /// When the result is announced (告知), if that is not when it closes.
    pub announced: Option<Moment>,
    /// Whether the table stands still, and no time runs.
    pub still: bool,
    /// Whether it may close early.
    pub early: bool,
    /// The clause by which the turn of who declares nothing is skipped; none if everything goes by
    /// default.
    pub missing: Option<&'a Clause>,
    /// Whether where everybody stands is told with it; not below a result, which has told it.
    pub position: bool,
    /// The state as its readers may know it.
    pub report: &'a Json,
}

/// How a declaration was read, for its author alone.
#[derive(Clone, Debug)]
pub struct Echo<'a> {
    /// What the interview makes of it.
    pub interview: &'a Interview,
    /// What of its text could not be read.
    pub unread: &'a [UnreadPiece],
    /// Sealed, or a draft.
    pub sealed: bool,
    /// Whether a game master has decided that nothing of it counts.
    pub skipped: bool,
    /// When the window closes.
    pub closing: ClosingTimes,
    /// The receipt given for the seal.
    pub receipt: Option<&'a str>,
}

/// When a window closes, as its players are told.
#[derive(Clone, Debug, Default)]
pub struct ClosingTimes {
    /// Its deadline; none if it is closing now.
    pub closes: Option<Moment>,
    /// When it closes before that, as nobody is waited for any more.
    pub settles: Option<Moment>,
    /// Before when it does not close early: quiet hours.
    pub quiet_until: Option<Moment>,
}

/// A piece of a declaration's text that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadPiece {
    /// That piece of the text.
    pub text: String,
    /// The part it stands in, if it stands in any.
    pub section: Option<Key>,
    /// `unknown`, `not-here`, `not-asked`, `section-twice`, `no-section`, `too-many`, `tacit`,
    /// `several`, `payment`, `too-long` or `moot`.
    pub why: &'static str,
    /// What would be legal there and looks like it, best first.
    pub nearest: Vec<SmolStr>,
}

impl UnreadPiece {
    /// Everything of a text that was not read: what was not understood, and what stands behind a
    /// fault of its part.
    pub fn of(reading: &Reading) -> Vec<Self> {
        let moot = reading.moot.iter().map(|misread| Self { why: "moot", ..misread.into() });
        reading.misread.iter().map(Self::from).chain(moot).collect()
    }
}

impl From<&Misread> for UnreadPiece {
    fn from(misread: &Misread) -> Self {
        Self {
            text: misread.text.clone(),
            section: misread.section.clone(),
            why: match misread.why {
                UnreadReason::Unknown => "unknown",
                UnreadReason::NotHere => "not-here",
                UnreadReason::NotAsked => "not-asked",
                UnreadReason::SectionTwice => "section-twice",
                UnreadReason::NoSection => "no-section",
                UnreadReason::TooMany => "too-many",
                UnreadReason::Tacit => "tacit",
                UnreadReason::Several => "several",
                UnreadReason::TooLong => "too-long",
                UnreadReason::Payment => "payment",
            },
            nearest: misread.nearest.clone(),
        }
    }
}

/// A closed window and what happened in it.
#[derive(Clone, Debug)]
pub struct WindowResult<'a> {
    /// The root window, counted from 0, which is the deal.
    pub number: Round,
    /// What the reader may know of what happened.
    pub entries: &'a [Entry<Json>],
}

/// What a window is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WindowName {
    /// Of which part of the game it is; empty where there are no parts.
    pub part: String,
    /// What it is there.
    pub name: String,
}

/// Letters of a game.
impl Letters {
    /// A window opens: what is asked of whom until when, and where the game stands.
    pub fn opening(
        &self,
        reader: &Reader,
        opening: &WindowOpening<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "opening", opening)
    }

    /// What a window is called: of which part of the game it is, where there are such parts, and
    /// what it is there. The report is that of its opening, and, once it is closed, of what came of
    /// it.
    pub fn window(
        &self,
        reader: &Reader,
        report: &Json,
        suspended: bool,
        after: Option<&Json>,
    ) -> Result<WindowName, LetterFault> {
        let context = json!({ "report": report, "suspended": suspended, "after": after });
        let said = self.letter(reader.game, reader, "window", context)?;
        let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut lines = lines.map(str::to_owned);
        let (first, second) = (lines.next().unwrap_or_default(), lines.next());
        Ok(match second {
            Some(name) => WindowName { part: first, name },
            None => WindowName { part: String::new(), name: first },
        })
    }

    /// What the close of a window brought, and where everybody stands now, in this form. Entries
    /// and report are as the reader may know them.
    pub fn result(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
        form: ResultForm,
    ) -> Result<String, LetterFault> {
        let (turns, full) = (turns(reader, entries), form == ResultForm::Full);
        let context = json!({ "turns": turns, "report": report, "at_once": false, "full": full });
        self.letter(reader.game, reader, "result", context)
    }

    /// What somebody did at once in an open window.
    pub fn acted(
        &self,
        reader: &Reader,
        entries: &[Entry<Json>],
        report: &Json,
    ) -> Result<String, LetterFault> {
        let turns = turns(reader, entries);
        let context = json!({ "turns": turns, "report": report, "at_once": true, "full": false });
        self.letter(reader.game, reader, "result", context)
    }

    /// To a skipped player: why, by which clause, and what was carried out all the same. `None`
    /// if this seat's turn was not skipped.
    pub fn skip(
        &self,
        reader: &Reader,
        seat: Seat,
        entries: &[Entry<Json>],
    ) -> Result<Option<String>, LetterFault> {
        let of_seat = |ruling: &&Ruling| ruling.seat == seat;
        let skipped = |ruling: &&Ruling| ruling.outcome == Outcome::Skipped;
        let own: Vec<Entry<Json>> =
            entries.iter().filter(|entry| entry.turn == Some(seat)).cloned().collect();
        let ruling = own.iter().filter_map(ruling_of).filter(of_seat).find(skipped);
        let Some(ruling) = ruling else { return Ok(None) };
        let rest: Vec<Entry<Json>> =
            own.iter().filter(|entry| ruling_of(entry) != Some(ruling)).cloned().collect();
        let context = json!({ "seat": seat, "ruling": ruling, "turns": turns(reader, &rest) });
        self.letter(reader.game, reader, "skip", context).map(Some)
    }

    /// The final scores.
    pub fn scores(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "scores", json!({ "report": report }))
    }

    /// A player's own cards. The report is as that seat may know it.
    pub fn hand(&self, reader: &Reader, seat: Seat, report: &Json) -> Result<String, LetterFault> {
        let context = json!({ "seat": seat, "report": report });
        self.letter(reader.game, reader, "hand", context)
    }

    /// Everybody's field, and what lies in the middle, as the reader may know them.
    pub fn board(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "board", json!({ "report": report }))
    }

    /// What the picture of a table says, for those who do not see it: shorter if it is to be brief.
    pub fn alt(&self, reader: &Reader, report: &Json, brief: bool) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "alt", json!({ "report": report, "brief": brief }))
    }

    /// Where everything stands, in the lines of state of stories.
    pub fn position(&self, reader: &Reader, report: &Json) -> Result<String, LetterFault> {
        self.letter(reader.game, reader, "position", json!({ "report": report }))
    }

    /// One event, as a line of a letter.
    pub fn event(&self, reader: &Reader, event: &Json) -> Result<String, LetterFault> {
        let kind = event["kind"].as_str().unwrap_or_default().replace('-', "_");
        let events = template_name(reader.game, reader.lang, "events");
        self.say(&events, reader, &kind, Value::from(Serde(event)))
    }
}

/// Letters that are the same in every game.
impl Letters {
    /// One ruling, as a line of a letter: with value and reason if the reader may know them.
    pub fn ruling(&self, reader: &Reader, ruling: &Ruling) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "ruling", json!({ "ruling": ruling }))
    }

    /// Faults, one line each.
    pub fn faults(&self, reader: &Reader, faults: &[Fault]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "fault", json!({ "faults": faults }))
    }

    /// What could not be read, one line each.
    pub fn misread(&self, reader: &Reader, unread: &[UnreadPiece]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "unread", json!({ "unread": unread }))
    }

    /// How a declaration was read, what is left out of it, and what will become of that.
    pub fn echo(&self, reader: &Reader, echo: &Echo<'_>) -> Result<String, LetterFault> {
        let context = json!({
            "heard": DeclaredAnswers::new(echo.interview),
            "unread": echo.unread,
            "sealed": echo.sealed,
            "skipped": echo.skipped,
            "closes": echo.closing.closes,
            "settles": echo.closing.settles,
            "quiet_until": echo.closing.quiet_until,
            "receipt": echo.receipt,
        });
        self.letter(DESK, reader, "echo", context)
    }

    /// The questions that a die or a default will answer, those left out on purpose among them, with
    /// what is legal. Where nothing has been said yet and nothing need be, those that can be
    /// answered all the same.
    pub fn questions(&self, reader: &Reader, interview: &Interview) -> Result<String, LetterFault> {
        let left = |asked: &&Asked| asked.is_left();
        let mut open: Vec<QuestionView> =
            interview.asked.iter().filter(left).map(QuestionView::new).collect();
        if open.is_empty() && interview.says_nothing() {
            let busy = interview.asked.iter().filter(|asked| !asked.is_idle());
            open = busy.map(QuestionView::new).collect();
        }
        self.letter(DESK, reader, "questions", json!({ "questions": open }))
    }

    /// What somebody can do at once, by an example of each thing, or by what is asked about the one
    /// that they have begun; and what of their words was not understood.
    pub fn acts(
        &self,
        reader: &Reader,
        interview: &Interview,
        unread: &[UnreadPiece],
        examples: &[Example],
    ) -> Result<String, LetterFault> {
        let waits = |asked: &&Asked| asked.answer.is_none() && asked.question.is_answerable();
        let asked = interview.asked.iter().filter(waits);
        let questions: Vec<QuestionView> = asked.map(QuestionView::new).collect();
        let context = json!({ "questions": questions, "unread": unread, "examples": examples });
        self.letter(DESK, reader, "acts", context)
    }

    /// Each ruling of a window, with its reason where the reader may know it, and what the clauses
    /// say; and what an event tells that was decided in a player's stead.
    pub fn why(&self, reader: &Reader, entries: &[Entry<Json>]) -> Result<String, LetterFault> {
        let rulings = decided(reader, entries);
        let cited = clauses(reader, rulings.iter().filter_map(HistoryLine::cites));
        self.letter(DESK, reader, "why", json!({ "rulings": rulings, "clauses": cited }))
    }

    /// Everything that happened so far.
    pub fn log(
        &self,
        reader: &Reader,
        windows: &[WindowResult<'_>],
    ) -> Result<String, LetterFault> {
        let windows: Vec<Json> = windows
            .iter()
            .map(
                |window| json!({ "number": window.number, "turns": turns(reader, window.entries) }),
            )
            .collect();
        self.letter(DESK, reader, "log", json!({ "windows": windows }))
    }

    /// A point in time.
    pub fn when(&self, reader: &Reader, moment: &Moment) -> Result<String, LetterFault> {
        let times = template_name(DESK, reader.lang, "times");
        let said = self.say(&times, reader, "when", Value::from(Serde(moment)))?;
        Ok(said.trim().to_owned())
    }

    /// What can be typed: where all that is asked in the open window is done openly and at once,
    /// nothing of declarations.
    pub fn help(&self, reader: &Reader, openly: bool) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "help", json!({ "openly": openly }))
    }
}
