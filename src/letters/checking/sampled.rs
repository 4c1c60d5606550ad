//! Samples of values shared by many letters.

use chrono_tz::Tz;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::checking::samples;
use crate::decision::ShownDecision;
use crate::template::typed::{Draw, Sampled, sampled_from};
use crate::template::views::{
    DeclaredAnswers, HistoryLine, Moment, QuestionView, SectionView, TurnView,
};
use rules::data::Why;
use rules::{Fault, Key, Round, Ruling, Seat};
use tables::ids::{OverrideNumber, TableCode};
use tables::time::Span;

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
