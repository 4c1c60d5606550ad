//! Samples of every part of a letter with a template of its own name, for the check of the letters.

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::model::overrides::Override;
use crate::record::letter::{Letter, Part};
use letters::{Sample, declared_answers, open_questions, samples};
use rules::data::{BuiltIn, parse_lines};
use rules::{Seat, built_in_file};
use tables::ResultForm;

/// The samples: a part on each line, as letters are stored.
static SAMPLES: BuiltIn<Vec<Part>> =
    BuiltIn::new(|| parse_lines(built_in_file!("templates/table/samples.jsonl")));

/// Returns each part as sent to everybody, to the seat concerned and to another seat; of these overrides, the
/// parts sent to the seat whose declaration they change.
pub(crate) fn letter_samples(decided: &[Override]) -> Vec<Sample> {
    let entered = decided.iter().filter_map(|what| match what {
        Override::Judge { change, .. } => Some(Part::Entered { change: change.clone() }),
        _ => None,
    });
    let parts: Vec<Part> = SAMPLES.iter().cloned().map(of_declaration).chain(entered).collect();
    let readers = [None, Some(Seat::new(0)), Some(Seat::new(1))];
    let samples = readers.into_iter().flat_map(|seat| {
        let letter = letter(seat);
        parts.iter().map(move |part| letter.sample(part)).collect::<Vec<_>>()
    });
    let mut samples: Vec<Sample> = samples.collect();
    // The settings are one line, which is checked separately.
    for sample in samples.iter_mut().filter(|sample| sample.name == "absence") {
        sample.context["absence"] = "grace 1h".into();
    }
    samples
}

fn letter(seat: Option<Seat>) -> Letter {
    Letter {
        code: "K7Q2T".into(),
        game: String::new(),
        card_set: None,
        seat,
        language: String::new(),
        zone: Tz::UTC,
        year: None,
        names: Vec::new(),
        report: Json::Null,
        head: "00ff".to_owned(),
        results: ResultForm::default(),
        in_thread: false,
        parts: Vec::new(),
    }
}

/// Returns a part with the questions or answers of a sample declaration, if it shows them.
fn of_declaration(mut part: Part) -> Part {
    let declared = || samples::interview(&samples::faults([]));
    match &mut part {
        Part::Reminder { open, openly: false, .. } => *open = open_questions(&declared()),
        Part::BecameDraft { heard, .. } if heard.is_null() => {
            *heard = declared_answers(&declared());
        }
        _ => {}
    }
    part
}
