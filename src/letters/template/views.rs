//! The views of templates: plain data sorted for reading, with no rules.

use chrono::{DateTime, Datelike, TimeZone, Timelike};
use chrono_tz::Tz;
use serde::Serialize;
use serde_json::Value as Json;
use smol_str::SmolStr;
use strum::VariantNames;

use crate::Reader;
use games::any::AnyGame;
use rules::question::Lapse;
use rules::text::{Misread, Reading, UnreadReason};
use rules::{
    Answer, Asked, Clause, Entry, Fault, Interview, Item, Key, Outcome, Ruling, Seat, Shape,
    Suppose, Value,
};
use tables::time::{Span, Time};

/// A point in time in the calendar of a zone. The template chooses the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// The seconds since 1970-01-01 UTC.
    pub unix: i64,
    pub year: i32,
    /// The month, from 1, which is January.
    pub month: u32,
    /// The day of the month, from 1.
    pub day: u32,
    /// The day of the week, from 0, which is Monday.
    pub weekday: u32,
    /// The time of day, such as 21:05, or 21:05:30 if the seconds are not zero.
    pub clock: String,
    /// The name of the zone.
    pub zone: String,
}

impl Moment {
    /// Returns a time in the calendar of a zone.
    pub fn at(time: Time, zone: Tz) -> Self {
        let at = DateTime::from_timestamp_millis(time.milliseconds()).unwrap_or_default();
        let at = at.with_timezone(&zone);
        Self::new(&at, at.format("%Z").to_string())
    }

    /// Returns the end of a period of days in the calendar of a zone: midnight becomes the last minute of the
    /// day before.
    pub fn end_at(time: Time, zone: Tz) -> Self {
        let told = Self::at(time, zone);
        if told.clock == "00:00" { Self::at(time - Span::minutes(1), zone) } else { told }
    }

    /// Returns a time in the calendar of its zone.
    pub fn new<Z: TimeZone>(at: &DateTime<Z>, zone: impl Into<String>) -> Self {
        let seconds = match at.second() {
            0 => String::new(),
            seconds => format!(":{seconds:02}"),
        };
        Self {
            unix: at.timestamp(),
            year: at.year(),
            month: at.month(),
            day: at.day(),
            weekday: at.weekday().num_days_from_monday(),
            clock: format!("{:02}:{:02}{seconds}", at.hour(), at.minute()),
            zone: zone.into(),
        }
    }
}

/// The consecutive entries of one seat's turn, or outside of all turns.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TurnView<'a> {
    pub(crate) seat: Option<Seat>,
    /// True if the turn was skipped, so that missing answers are expected.
    pub(crate) skipped: bool,
    pub(crate) sections: Vec<SectionView<'a>>,
}

/// The consecutive entries of one section.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SectionView<'a> {
    pub(crate) section: &'a str,
    pub(crate) entries: Vec<HistoryLine<'a>>,
}

/// An event or a ruling; the other is `None`.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct HistoryLine<'a> {
    pub(crate) event: Option<&'a Json>,
    pub(crate) ruling: Option<&'a Ruling>,
    /// The clause of an event that decided something without an answer; `None` for other events.
    pub(crate) clause: Option<&'static str>,
}

impl<'a> HistoryLine<'a> {
    /// Returns the clause of the decision.
    pub(crate) fn cites(&self) -> Option<&str> {
        self.clause.or_else(|| Some(self.ruling?.clause.as_str()))
    }

    fn of(game: &dyn AnyGame, item: &'a Item<Json>) -> Self {
        match item {
            Item::Ruling(ruling) => Self { event: None, ruling: Some(ruling), clause: None },
            Item::Event(event) => {
                let clause = game.decided_by(event);
                Self { event: Some(event), ruling: None, clause }
            }
        }
    }
}

/// Returns the record by turns and sections, in order.
pub(crate) fn turns<'a>(reader: &Reader, entries: &'a [Entry<Json>]) -> Vec<TurnView<'a>> {
    let mut turns: Vec<TurnView<'a>> = Vec::new();
    for entry in entries {
        if turns.last().is_none_or(|turn| turn.seat != entry.turn) {
            turns.push(TurnView { seat: entry.turn, skipped: false, sections: Vec::new() });
        }
        let turn = turns.last_mut().expect("one was pushed");
        turn.skipped |= ruling_of(entry).is_some_and(|ruling| ruling.outcome == Outcome::Skipped);
        let sections = &mut turn.sections;
        if sections.last().is_none_or(|section| section.section != entry.section) {
            sections.push(SectionView { section: &entry.section, entries: Vec::new() });
        }
        let section = sections.last_mut().expect("one was pushed");
        section.entries.push(HistoryLine::of(reader.game, &entry.item));
    }
    turns
}

/// Returns the rulings, and the events that decided something without an answer, in order.
pub(crate) fn decided<'a>(reader: &Reader, entries: &'a [Entry<Json>]) -> Vec<HistoryLine<'a>> {
    let lines = entries.iter().map(|entry| HistoryLine::of(reader.game, &entry.item));
    lines.filter(|line| line.ruling.is_some() || line.clause.is_some()).collect()
}

pub(crate) fn ruling_of(entry: &Entry<Json>) -> Option<&Ruling> {
    match &entry.item {
        Item::Ruling(ruling) => Some(ruling),
        Item::Event(_) => None,
    }
}

/// A question, with all shapes flattened into one struct.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact by itself")]
pub struct QuestionView {
    key: Key,
    clause: Clause,
    default: Clause,
    /// `choose`, `pick`, `pay`, `number` or `text`.
    shape: &'static str,
    /// The distinct legal options.
    options: Vec<SmolStr>,
    min: Option<i64>,
    max: Option<i64>,
    cost: Option<u32>,
    /// The maximum number of pieces.
    limit: Option<u8>,
    /// The pieces to pay with.
    purse: Vec<(SmolStr, u8)>,
    suppose: SupposeView,
    value: Option<Value>,
    /// True if a standing order gave the answer.
    ordered: bool,
    /// True if the question is left out on purpose.
    passed: bool,
    /// True if a die or a default will answer the question in the current state.
    open: bool,
    /// True if the question is asked in advance.
    standing: bool,
    /// The effect on an answer made impossible by others: `returned` or `missing`.
    lapse: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct SupposeView {
    /// `die`, `this`, `largest-first`, `standing` or `nothing`.
    kind: &'static str,
    /// The option of a default, or the section of the standing answer.
    word: Option<SmolStr>,
}

impl QuestionView {
    /// True if the question is asked in advance and has no effect if left out.
    fn is_idle(&self) -> bool {
        self.standing && self.suppose.kind == "nothing"
    }

    pub(crate) fn new(asked: &Asked) -> Self {
        let question = &asked.question;
        let (kind, word) = match &question.suppose {
            Suppose::Die => ("die", None),
            Suppose::This(option) => ("this", Some(option.clone())),
            Suppose::LargestFirst => ("largest-first", None),
            Suppose::Standing(section) => ("standing", Some(section.clone())),
            Suppose::Nothing => ("nothing", None),
        };
        let mut view = Self {
            key: question.key.clone(),
            clause: question.clause.clone(),
            default: question.default.clone(),
            shape: "choose",
            options: Vec::new(),
            min: None,
            max: None,
            cost: None,
            limit: None,
            purse: Vec::new(),
            suppose: SupposeView { kind, word },
            value: asked.answer.as_ref().and_then(Answer::value).cloned(),
            ordered: matches!(asked.answer, Some(Answer::Ordered(_))),
            passed: asked.answer == Some(Answer::LeftOut),
            open: asked.is_open(),
            standing: asked.standing,
            lapse: match asked.lapse {
                Lapse::Returned => "returned",
                Lapse::Missing => "missing",
            },
        };
        view.shaped(&question.shape);
        view
    }

    fn shaped(&mut self, shape: &Shape) {
        match shape {
            Shape::Choose { options, .. } => self.options = each_once(options),
            Shape::Pick { options, min, max } => {
                self.shape = "pick";
                self.options = each_once(options);
                (self.min, self.max) = (Some((*min).into()), Some((*max).into()));
            }
            Shape::Pay { cost, purse, limit } => {
                self.shape = "pay";
                (self.cost, self.limit) = (*cost, *limit);
                let there = purse.iter().filter(|kind| kind.count > 0);
                self.purse = there.map(|kind| (kind.id.clone(), kind.count)).collect();
            }
            Shape::Number { min, max } => {
                self.shape = "number";
                (self.min, self.max) = (Some(*min), Some(*max));
            }
            Shape::Text { max, .. } => {
                self.shape = "text";
                self.max = i64::try_from(*max).ok();
            }
        }
    }
}

fn each_once(options: &[SmolStr]) -> Vec<SmolStr> {
    let mut once: Vec<SmolStr> = Vec::new();
    for option in options {
        if !once.contains(option) {
            once.push(option.clone());
        }
    }
    once
}

/// A part of a declaration with its questions, in order.
#[derive(Clone, Debug, Serialize)]
struct PartView {
    key: Key,
    questions: Vec<QuestionView>,
    /// True if any question of the part has an answer.
    said: bool,
    /// The reserves of the part, in order.
    reserves: Vec<Vec<QuestionView>>,
}

/// An interview, sorted by parts for an echo: the answers, and the open questions.
#[derive(Clone, Debug, Serialize)]
pub struct DeclaredAnswers {
    parts: Vec<PartView>,
    faults: Vec<Fault>,
    remarks: Vec<Fault>,
    notes: Vec<Fault>,
    superfluous: Vec<Key>,
    /// The faults that make reserves count in the current state.
    passed: Vec<Fault>,
    /// The faults of reserves that could not count in the current state.
    in_reserve: Vec<Fault>,
    /// True if the declaration is empty, without even a question left out.
    empty: bool,
    /// The clause by which the turn is skipped if nothing is declared.
    missing: Option<Clause>,
}

impl DeclaredAnswers {
    pub(crate) fn new(interview: &Interview) -> Self {
        let mut parts: Vec<PartView> = Vec::new();
        for view in interview.asked.iter().map(QuestionView::new) {
            let said = view.value.is_some();
            // An optional question asked in advance is not shown as left out.
            if !said && view.is_idle() {
                continue;
            }
            let key = view.key.whole();
            if parts.iter().all(|part| part.key != key) {
                let (key, questions, reserves) = (key.clone(), Vec::new(), Vec::new());
                parts.push(PartView { key, questions, said: false, reserves });
            }
            let part = parts.iter_mut().find(|part| part.key == key).expect("it is there");
            // A question asked twice is shown once.
            if part.questions.iter().all(|other| other.key != view.key) {
                part.said |= said;
                part.questions.push(view);
            }
        }
        for held in &interview.reserves {
            let views = |asked: &Vec<Asked>| -> Vec<QuestionView> {
                let views = asked.iter().map(QuestionView::new);
                views.filter(|view| view.value.is_some() || !view.is_idle()).collect()
            };
            let mut all = held.asked.iter().map(views);
            if let Some(part) = parts.iter_mut().find(|part| part.key == held.part) {
                part.questions = all.next().unwrap_or_default();
                part.reserves = all.collect();
                part.said = true;
            }
        }
        let passed = interview.reserves.iter().filter(|held| held.passed > 0);
        Self {
            parts,
            passed: passed.filter_map(|held| held.fault.clone()).collect(),
            in_reserve: interview.reserves.iter().flat_map(|held| held.faults.clone()).collect(),
            faults: interview.faults.clone(),
            remarks: interview.remarks.clone(),
            notes: interview.notes.clone(),
            superfluous: interview.superfluous.clone(),
            empty: interview.says_nothing(),
            missing: interview.missing.clone(),
        }
    }
}

/// A piece of a declaration's text that could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadPiece {
    pub text: String,
    /// The part around the piece; `None` outside of all parts.
    pub section: Option<Key>,
    /// The word of an [`UnreadReason`], `moot` or `refused`.
    pub why: &'static str,
    /// The similar legal pieces, best first.
    pub nearest: Vec<SmolStr>,
    /// The faults of a refused text, none for other reasons.
    pub faults: Vec<Fault>,
}

impl UnreadPiece {
    /// Returns the words of all reasons.
    pub(crate) fn reasons() -> Vec<&'static str> {
        [UnreadReason::VARIANTS, &["moot", "refused"]].concat()
    }

    /// Returns all pieces of a text that do not count: those not understood, those after a fault of their
    /// part, and what was refused for a fault.
    pub fn of(reading: &Reading) -> Vec<Self> {
        let moot = reading.moot.iter().map(|misread| Self { why: "moot", ..misread.into() });
        let refused = (!reading.refused.is_empty()).then(|| Self::refused(&reading.refused));
        reading.misread.iter().map(Self::from).chain(moot).chain(refused).collect()
    }

    fn refused(faults: &[Fault]) -> Self {
        Self {
            text: String::new(),
            section: faults.first().map(|fault| fault.key.whole()),
            why: "refused",
            nearest: Vec::new(),
            faults: faults.to_vec(),
        }
    }
}

impl From<&Misread> for UnreadPiece {
    fn from(misread: &Misread) -> Self {
        Self {
            text: misread.text.clone(),
            section: misread.section.clone(),
            why: misread.why.into_str(),
            nearest: misread.nearest.clone(),
            faults: Vec::new(),
        }
    }
}

/// A length of time in its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct LengthView {
    hours: i64,
    minutes: i64,
    seconds: i64,
}

impl LengthView {
    pub(crate) fn new(span: Span) -> Self {
        let seconds = span / Span::seconds(1);
        Self { hours: seconds / 3600, minutes: seconds / 60 % 60, seconds: seconds % 60 }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;

    use super::*;

    #[test]
    fn a_clock_shows_seconds_where_there_are_any() {
        for (time, clock) in [((21, 0, 0), "21:00"), ((9, 5, 7), "09:05:07")] {
            let at = Utc.with_ymd_and_hms(2026, 11, 21, time.0, time.1, time.2).unwrap();
            assert_eq!(Moment::new(&at, "UTC").clock, clock);
        }
    }
}
