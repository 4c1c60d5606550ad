//! Samples of everything that letters show, for the check of the templates and its tests.

use chrono_tz::Tz;
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
    Answer, Asked, Cast, Clause, Denomination, Entry, Fault, Fell, HeldInReserve, Interview, Item,
    Key, Label, ListFault, Outcome, Question, Reason, Round, Ruling, Seat, Shape, Suppose,
    TextForm, Value,
};
use tables::Absence;
use tables::absence::{Away, Inactive, Minimum};
use tables::ids::{OverrideNumber, TableCode};
use tables::time::{Span, Time};

/// The names of two players.
pub const NAMES: [&str; 2] = ["アキ", "Ben"];

/// Returns the id of a piece. An id without a name in the games is shown unchanged.
fn piece(id: &'static str) -> SmolStr {
    SmolStr::new_static(id)
}

/// Returns a fault for every reason. `barred` are the words of the games' own reasons.
pub fn faults<'a>(barred: impl IntoIterator<Item = &'a str>) -> Vec<Fault> {
    let (named, offered) = (vec![piece("actor-6")], vec![piece("actor-1"), piece("actor-2")]);
    let mut reasons = vec![
        Reason::NotOffered { input: named.clone(), offered },
        Reason::NotOffered { input: named, offered: Vec::new() },
        Reason::TooLittle { cost: 7, paid: 5 },
        Reason::NotHeld { piece: piece("large"), held: 0 },
        Reason::TooMany { limit: 5, count: 6 },
        Reason::Unaffordable { cost: 8, purse: 7 },
        Reason::OutOfRange { min: 1, max: 6, input: 9 },
        Reason::TooLong { max: 60, length: 75 },
        Reason::Unfitting,
        Reason::NotAsked,
    ];
    let wrong = [
        ListFault::Unknown { near: None },
        ListFault::Unknown { near: Some("Cut In".into()) },
        ListFault::TooMany { limit: 4, count: 5 },
        ListFault::Given,
        ListFault::Useless,
        ListFault::OneCharacter,
    ];
    reasons.extend(wrong.map(|wrong| Reason::Listed {
        line: Some(3),
        input: "3x Cutin".to_owned(),
        wrong,
    }));
    let wrong = [
        ListFault::Size { least: 30, most: 60, count: 28 },
        ListFault::Alone,
        ListFault::NoCharacter,
    ];
    reasons.extend(wrong.map(|wrong| Reason::Listed { line: None, input: String::new(), wrong }));
    for why in barred {
        reasons.push(Reason::Barred { input: piece("actor-award"), why: why.into() });
    }
    let (card, part) = (Key::new("3", "card"), Key::part("3").nth(2));
    let fault = |(key, reason): (&Key, Reason)| Fault {
        key: key.clone(),
        reason,
        clause: Clause::new("E4.4"),
    };
    let mut faults: Vec<Fault> =
        [&card, &part].into_iter().cycle().zip(reasons).map(fault).collect();
    faults.push(Fault { key: part, reason: Reason::Decided, clause: Clause::new("E4.7") });
    faults
}

/// Returns a note for every word of the games' own notes.
pub fn notes<'a>(noted: impl IntoIterator<Item = &'a str>) -> Vec<Fault> {
    let pieces = || vec![piece("actor-award"), piece("actor-6")];
    let reason = |why: &str| Reason::Noted { pieces: pieces(), why: why.into() };
    let note = |why| Fault {
        key: Key::new("3", "card"),
        reason: reason(why),
        clause: Clause::new("E4.4"),
    };
    noted.into_iter().map(note).collect()
}

/// Returns a value of every kind.
pub(crate) fn values() -> Vec<Value> {
    vec![
        Value::Choice(piece("actor-5")),
        Value::Choice(piece("P2")),
        Value::Picks(vec![piece("actor-2"), piece("composer-1")]),
        Value::Picks(Vec::new()),
        Value::Payment(vec![(piece("medium"), 2), (piece("large"), 1)]),
        Value::Payment(Vec::new()),
        Value::Number(6),
        Value::Text("夜明けの役者".into()),
    ]
}

/// Returns a die of every kind.
pub fn thrown() -> Vec<Cast> {
    let options = vec![piece("actor-2"), piece("composer-1"), piece("actor-5")];
    let die = |seat: Option<Seat>, key: Key, fell| Cast {
        window: 1,
        attempt: 0,
        label: Label { seat, key, act: None }.to_string(),
        fell,
        decided: false,
    };
    let (own, card) = (Some(Seat::new(1)), Key::new("3", "card").nth(2));
    let one = Fell::One { options: options.clone(), shows: options[0].clone() };
    let several = Fell::Several { shows: options[..2].to_vec(), options };
    vec![
        die(own, card.clone(), one),
        die(own, card, several),
        die(None, Key::part("3"), Fell::Number { least: 1, most: 6, shows: 4 }),
        die(None, Key::new("deck", "actor"), Fell::Order((0..15).rev().collect())),
    ]
}

/// Returns a ruling of every outcome, as its player may know it, and one for each fault.
pub fn rulings(faults: &[Fault]) -> Vec<Ruling> {
    use Outcome::{
        ByDie, Forced, LargestFirst, Only, Ordered, Returned, Skipped, Supposed, Trimmed, Unskipped,
    };
    let seat = Seat::new(0);
    let ruling = |outcome, key: Key, value: Option<Value>, fault: Option<Fault>| Ruling {
        seat,
        key: Some(key),
        outcome,
        value,
        fault: fault.map(Box::new),
        clause: Clause::new("E4.2"),
    };
    let (card, pay) = (Key::new("3", "card"), Key::new("3", "pay"));
    let paid = Some(Value::Payment(vec![(piece("medium"), 2), (piece("large"), 1)]));
    let chosen = Some(Value::Choice(piece("actor-5")));
    let mut rulings: Vec<Ruling> = [ByDie, Only, Supposed, Ordered, Forced]
        .into_iter()
        .map(|outcome| ruling(outcome, card.clone(), chosen.clone(), None))
        .collect();
    rulings.push(ruling(LargestFirst, pay.clone(), paid.clone(), None));
    rulings.push(ruling(Trimmed, pay, paid, None));
    rulings
        .extend(values().into_iter().map(|value| ruling(ByDie, card.clone(), Some(value), None)));
    for fault in faults {
        let part = Key::part("3").nth(2);
        rulings.push(ruling(Returned, part, None, Some(fault.clone())));
    }
    let missing = ruling(Skipped, card, None, None);
    rulings.push(Ruling { key: None, clause: Clause::new("E4.1"), ..missing.clone() });
    let fault = faults.first().cloned().map(Box::new);
    rulings.push(Ruling { key: None, clause: Clause::new("E4.4"), fault, ..missing.clone() });
    let decided = faults.iter().find(|fault| fault.reason == Reason::Decided);
    let decided = Ruling {
        key: None,
        clause: Clause::new("E4.7"),
        fault: decided.cloned().map(Box::new),
        ..missing
    };
    rulings.push(decided.clone());
    rulings.push(Ruling { outcome: Unskipped, ..decided });
    rulings
}

/// Returns an interview with a question of every shape and every default, answered and unanswered.
pub fn interview(faults: &[Fault]) -> Interview {
    let options = vec![piece("actor-1"), piece("actor-2"), piece("actor-2")];
    let purse = vec![
        Denomination { id: piece("small"), worth: 1, count: 5 },
        Denomination { id: piece("medium"), worth: 2, count: 2 },
        Denomination { id: piece("large"), worth: 3, count: 0 },
    ];
    let pay = |cost, limit, purse| Shape::Pay { cost, purse, limit };
    let questions = [
        (
            "1.way",
            Shape::Choose { options: options.clone(), barred: Vec::new() },
            Suppose::Standing(piece("strike")),
        ),
        ("3.card", Shape::Choose { options: options.clone(), barred: Vec::new() }, Suppose::Die),
        ("3.pay", pay(Some(7), Some(5), purse), Suppose::LargestFirst),
        ("4.pay", pay(None, None, Vec::new()), Suppose::LargestFirst),
        ("return.cards", Shape::Pick { options: options.clone(), min: 2, max: 2 }, Suppose::Die),
        ("stack.cards", Shape::Pick { options, min: 0, max: 2 }, Suppose::Nothing),
        (
            "5.end",
            Shape::Choose { options: vec![piece("5A")], barred: vec![piece("5B")] },
            Suppose::This(piece("5A")),
        ),
        ("2.number", Shape::Number { min: 1, max: 6 }, Suppose::Die),
        ("5.title", Shape::Text { max: 60, form: TextForm::Line }, Suppose::Nothing),
    ];
    let answers = [
        Answer::Given(Value::Choice(piece("actor-1"))),
        Answer::Given(Value::Payment(vec![(piece("large"), 1)])),
        Answer::Given(Value::Text("夜明けの役者".into())),
        Answer::LeftOut,
        Answer::Ordered(Some(Value::Choice(piece("actor-1")))),
    ];
    let asked = |(key, shape, suppose): &(&str, Shape, Suppose), answer: Option<Answer>| Asked {
        question: Question {
            seat: Seat::new(0),
            key: key.parse().unwrap_or_else(|_| Key::part("3")),
            clause: Clause::new("E3.3"),
            shape: shape.clone(),
            suppose: suppose.clone(),
            default: Clause::new("E4.2"),
            tacit: None,
        },
        answer,
        standing: false,
        lapse: Lapse::Returned,
    };
    let open = questions.iter().map(|question| asked(question, None));
    let answered = questions[1..]
        .iter()
        .zip(&answers)
        .map(|(question, answer)| asked(question, Some(answer.clone())));
    Interview {
        asked: open.chain(answered).collect(),
        faults: faults.to_vec(),
        remarks: faults.first().cloned().into_iter().collect(),
        notes: faults.last().cloned().into_iter().collect(),
        superfluous: vec![Key::part("4").nth(2), Key::new("chance", "use")],
        reserves: vec![HeldInReserve {
            part: Key::part("3"),
            asked: [&questions[1], &questions[2]]
                .map(|question| vec![asked(question, Some(answers[0].clone()))])
                .to_vec(),
            passed: usize::from(!faults.is_empty()),
            fault: faults.first().cloned(),
            faults: faults.last().cloned().into_iter().collect(),
        }],
        missing: Some(Clause::new("E4.1")),
    }
}

/// Returns a sample time of a sample day.
pub fn moment() -> Moment {
    Moment {
        unix: 1_795_262_700,
        year: 2026,
        month: 11,
        day: 21,
        weekday: 5,
        clock: "21:05".into(),
        zone: "Asia/Tokyo".into(),
    }
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

/// Returns sample absence policies.
pub fn absences() -> Vec<Absence> {
    let mut all = vec![Absence::default()];
    for (at, away) in
        [Away::Extend, Away::House, Away::Skip, Away::Substitute].into_iter().enumerate()
    {
        let inactive = if at % 2 == 0 { Inactive::House } else { Inactive::Skip };
        let count = u8::try_from(at).unwrap_or_default();
        let grace = Span::seconds([0, 5_400, 7_200, 61][at]);
        let minimum = (at > 1).then_some(Minimum { missed: count, of: Minimum::SPANS[at % 2] });
        let allowance = count + 1;
        all.push(Absence { allowance, grace, inactive_after: count, inactive, away, minimum });
    }
    all
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
    Why: WHY.map(|is| Why { is, message: "x".to_owned() });
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

/// The words of all reasons for a failed operation.
const WHY: [Option<&str>; 27] = [
    None,
    Some("full"),
    Some("too-large"),
    Some("denied"),
    Some("read-only"),
    Some("missing"),
    Some("no-folder"),
    Some("folder"),
    Some("address-taken"),
    Some("no-address"),
    Some("database-full"),
    Some("database-read-only"),
    Some("database-unreachable"),
    Some("database-damaged"),
    Some("disk-error"),
    Some("folder-missing"),
    Some("no-place"),
    Some("no-copy"),
    Some("other-kind"),
    Some("damaged"),
    Some("newer"),
    Some("older"),
    Some("foreign"),
    Some("no-program"),
    Some("no-text"),
    Some("connection-refused"),
    Some("unknown"),
];
