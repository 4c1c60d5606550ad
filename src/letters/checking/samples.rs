//! Samples of everything that letters show, for the check of the templates and its tests.

use std::sync::LazyLock;

use chrono::DateTime;
use chrono_tz::Tz;
use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::template::typed::sampled_from;
use crate::template::views::{HistoryLine, SectionView, TurnView};
use crate::template::{DeclaredAnswers, Draw, QuestionView, Sampled};
use crate::{Moment, ShownDecision, samples};
use games::any::AnyGame;
use games::options_line::{OptionsFault, ValueName};
use rules::data::Why;
use rules::question::Lapse;
use rules::{
    Answer, Asked, Cast, Clause, Entry, Fault, HeldInReserve, Interview, Item, Key, Outcome,
    Question, Reason, Round, Ruling, Seat, Value,
};
use tables::ids::{OverrideNumber, TableCode};
use tables::time::{Span, Time};
use tables::{Absence, Pace};

/// The names of two players.
pub const NAMES: [&str; 2] = ["アキ", "Ben"];

/// The samples that depend on no game and on no template.
#[derive(Deserialize)]
struct Samples {
    /// A fault for every reason but the games' own; the last is a decision of a game master.
    faults: Vec<Fault>,
    /// A value of every kind.
    values: Vec<Value>,
    /// A die of every kind.
    thrown: Vec<Cast>,
    /// A ruling of every outcome but of a part that was sent back, as its player may know it.
    rulings: Vec<Ruling>,
    /// The rulings about skipped turns.
    skips: Vec<Ruling>,
    /// A question of every shape and every default.
    questions: Vec<Question>,
    /// Answers to the questions from the second on.
    answers: Vec<Answer>,
    absences: Vec<Absence>,
    /// A pace of every rhythm, each with defaults and with all settings changed.
    paces: Vec<String>,
}

static SAMPLES: LazyLock<Samples> = LazyLock::new(|| {
    let samples = include_str!("../../../templates/desk/samples.json");
    serde_json::from_str(samples).expect("a built-in file")
});

/// Returns a fault for every reason. `barred` are the words of the games' own reasons.
pub fn faults<'a>(barred: impl IntoIterator<Item = &'a str>) -> Vec<Fault> {
    let mut faults = SAMPLES.faults.clone();
    let decided = faults.pop();
    for why in barred {
        let reason = Reason::Barred { input: "actor-award".into(), why: why.into() };
        faults.push(Fault { reason, ..faults[faults.len() % 2].clone() });
    }
    faults.extend(decided);
    faults
}

/// Returns a note for every word of the games' own notes.
pub fn notes<'a>(noted: impl IntoIterator<Item = &'a str>) -> Vec<Fault> {
    let pieces = || vec!["actor-award".into(), "actor-6".into()];
    let reason = |why: &str| Reason::Noted { pieces: pieces(), why: why.into() };
    let note = |why| Fault { reason: reason(why), ..SAMPLES.faults[0].clone() };
    noted.into_iter().map(note).collect()
}

/// Returns a value of every kind.
pub(crate) fn values() -> &'static [Value] {
    &SAMPLES.values
}

/// Returns a die of every kind.
pub(crate) fn thrown() -> &'static [Cast] {
    &SAMPLES.thrown
}

/// Returns sample absence policies.
pub fn absences() -> &'static [Absence] {
    &SAMPLES.absences
}

/// Returns a pace of every rhythm, each with defaults and with all settings changed.
///
/// # Panics
/// Never: the lines are part of the program.
pub fn paces() -> Vec<Pace> {
    let read = |line: &String| Pace::read(line, Tz::UTC).expect("a pace of a built-in file");
    SAMPLES.paces.iter().map(read).collect()
}

/// Returns a ruling of every outcome, as its player may know it, and one for each fault.
pub fn rulings(faults: &[Fault]) -> Vec<Ruling> {
    let returned = faults.iter().map(|fault| Ruling {
        key: Some(Key::part("3").nth(2)),
        outcome: Outcome::Returned,
        value: None,
        fault: Some(Box::new(fault.clone())),
        ..SAMPLES.rulings[0].clone()
    });
    SAMPLES.rulings.iter().cloned().chain(returned).chain(SAMPLES.skips.iter().cloned()).collect()
}

/// Returns an interview with a question of every shape and every default, answered and unanswered.
pub fn interview(faults: &[Fault]) -> Interview {
    let Samples { questions, answers, .. } = &*SAMPLES;
    let asked = |question: &Question, answer: Option<&Answer>| Asked {
        question: question.clone(),
        answer: answer.cloned(),
        standing: false,
        lapse: Lapse::Returned,
    };
    let open = questions.iter().map(|question| asked(question, None));
    let answered = questions[1..].iter().zip(answers);
    let answered = answered.map(|(question, answer)| asked(question, Some(answer)));
    let held = |question| vec![asked(question, Some(&answers[0]))];
    Interview {
        asked: open.chain(answered).collect(),
        faults: faults.to_vec(),
        remarks: faults.first().cloned().into_iter().collect(),
        notes: faults.last().cloned().into_iter().collect(),
        superfluous: vec![Key::part("4").nth(2), Key::new("chance", "use")],
        reserves: vec![HeldInReserve {
            part: Key::part("3"),
            asked: questions[1..3].iter().map(held).collect(),
            passed: usize::from(!faults.is_empty()),
            fault: faults.first().cloned(),
            faults: faults.last().cloned().into_iter().collect(),
        }],
        missing: Some(Clause::new("E4.1")),
    }
}

/// Returns a sample time of a sample day.
pub fn moment() -> Moment {
    let at = DateTime::from_timestamp_secs(1_795_262_700).unwrap_or_default();
    Moment::new(&at.with_timezone(&Tz::Asia__Tokyo), "Asia/Tokyo")
}

/// Returns a record with every event and ruling: outside of turns, and in every section of a turn.
pub fn entries(game: &dyn AnyGame, rulings: &[Ruling]) -> Vec<Entry<Json>> {
    let seat = Some(Seat::new(0));
    let sections = ["1", "2", "3", "4", "5", ""];
    let entry = |turn, section: &'static str, item| Entry {
        turn,
        section: SmolStr::new_static(section),
        item,
    };
    let mut entries: Vec<Entry<Json>> = Vec::new();
    for event in game.sample_events() {
        entries.push(entry(None, "", Item::Event(event)));
    }
    for (event, section) in game.sample_events().into_iter().zip(sections.into_iter().cycle()) {
        entries.push(entry(seat, section, Item::Event(event)));
    }
    if let Some(event) = game.sample_events().into_iter().next() {
        // No game has this section, but an entry in it must not be left out.
        entries.push(entry(seat, "elsewhere", Item::Event(event)));
    }
    for ruling in rulings {
        let section = if ruling.key.is_some() { "3" } else { "" };
        entries.push(entry(seat, section, Item::Ruling(ruling.clone())));
    }
    entries
}

/// Returns a sample of every fault of an options line.
pub fn options_faults() -> Vec<OptionsFault> {
    let unknown = |nearest| OptionsFault::Unknown {
        input: "超超上級@here".to_owned(),
        nearest,
        known: vec![ValueName { ja: "超上級".to_owned(), en: "master".to_owned() }; 2],
    };
    let twice = OptionsFault::Twice { first: "中級".to_owned(), second: "上級".to_owned() };
    vec![unknown(None), unknown(Some("超上級".to_owned())), twice]
}

sampled_from! {
    bool: [true, false];
    u8: [1, 0, 2, 3];
    u32: [1, 0, 2, 3];
    u64: [1, 0, 2, 3];
    usize: [1, 0, 2, 3];
    i64: [3_600_000, 0, -1];
    Seat: [Seat::new(0), Seat::new(1)];
    Key: [Key::new("3", "card"), Key::part("4")];
    Round: [Round::FIRST, Round::DEAL, Round::new(2)];
    OverrideNumber: [OverrideNumber::new(0), OverrideNumber::new(1)];
    // A text that is valid both as a Discord id and as a word.
    &str: ["1"];
    String: ["1".to_owned()];
    TableCode: [TableCode::from("1")];
    SmolStr: ["actor-1", "actor-5", "P1"].map(SmolStr::new_static);
    Json: [Json::Null];
    Time: [Time::from_milliseconds(1_795_262_700_000)];
    Span: [Span::ZERO, Span::seconds(5_461), Span::days(60)];
    Tz: [Tz::UTC];
    Moment: [samples::moment()];
    Why: [
        "", "full", "too-large", "denied", "read-only", "missing", "no-folder", "folder", "address-taken",
        "no-address", "database-full", "database-read-only", "database-unreachable", "database-damaged",
        "disk-error", "folder-missing", "no-place", "no-copy", "other-kind", "damaged", "newer", "older",
        "foreign", "no-program", "no-text", "connection-refused", "unknown",
    ].map(|is| Why { is: Some(is).filter(|is| !is.is_empty()), message: "x".to_owned() });
}

impl Sampled for Fault {
    fn sample(draw: &mut Draw<'_>) -> Self {
        draw.one_of(&draw.stock.faults)
    }
}

impl Sampled for Ruling {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let ruling = draw.one_of(&draw.stock.rulings);
        if bool::sample(draw) { ruling.public() } else { ruling }
    }
}

impl Sampled for ShownDecision<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let decision = draw.one_of(&draw.stock.decisions);
        let (undone, closes) = Option::sample(draw).unzip();
        let undone = undone.map(|()| Box::new(decision.clone()));
        Self { undone, closes, ..decision }
    }
}

impl Sampled for () {
    fn sample(_: &mut Draw<'_>) -> Self {}
}

impl<T: Sampled, U: Sampled> Sampled for (T, U) {
    fn sample(draw: &mut Draw<'_>) -> Self {
        (T::sample(draw), U::sample(draw))
    }
}

impl<T: Sampled> Sampled for Option<T> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        bool::sample(draw).then(|| T::sample(draw))
    }
}

/// Samples of no, one and two items.
impl<T: Sampled> Sampled for Vec<T> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let count = draw.one_of(&[2, 0, 1]);
        (0..count).map(|_| T::sample(draw)).collect()
    }
}

/// Samples of borrowed values are leaked: the check runs once before the program ends.
impl<T: Sampled> Sampled for &[T] {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Vec::leak(Vec::sample(draw))
    }
}

impl<T: Sampled> Sampled for &T {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Box::leak(Box::new(T::sample(draw)))
    }
}

impl Sampled for QuestionView {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let asked = draw.stock.interviews.iter().flat_map(|interview| &interview.asked);
        draw.one_of(&asked.map(Self::new).collect::<Vec<_>>())
    }
}

impl Sampled for DeclaredAnswers {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let interviews = draw.stock.interviews.iter();
        draw.one_of(&interviews.map(Self::new).collect::<Vec<_>>())
    }
}

impl Sampled for HistoryLine<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        Self { event: None, ruling: Some(Sampled::sample(draw)), clause: None }
    }
}

impl Sampled for TurnView<'_> {
    fn sample(draw: &mut Draw<'_>) -> Self {
        let section = SectionView { section: "3", entries: Sampled::sample(draw) };
        let (seat, skipped) = (Sampled::sample(draw), Sampled::sample(draw));
        Self { seat, skipped, sections: vec![section] }
    }
}
