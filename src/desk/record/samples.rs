//! Samples of every part of a letter with a template of its own name, for the check of the letters.

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::model::overrides::Override;
use crate::record::event::{Event, LATER, SOON};
use crate::record::letter::{Letter, Part};
use letters::{Sample, SealProgress, declared_answers, open_questions, samples};
use rules::text::Lang;
use rules::{Clause, Interview, Key, Round, Seat};
use tables::ResultForm;
use tables::absence::Deed;
use tables::ids::WindowNumber;
use tables::time::Span;

/// Returns each part as sent to everybody, to the seat concerned and to another seat; of these overrides, the
/// parts sent to the seat whose declaration they change.
pub(crate) fn letter_samples(decided: Vec<Override>) -> Vec<Sample> {
    let entered = decided.into_iter().filter_map(|what| match what {
        Override::Judge { change, .. } => Some(Part::Entered { change }),
        _ => None,
    });
    let events = Event::samples().into_iter().map(Part::Event);
    let parts: Vec<Part> = events.chain(others()).chain(entered).collect();
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

/// Returns the parts of letters that are not events.
fn others() -> Vec<Part> {
    let (seat, closes) = (Seat::new(0), SOON);
    let mut all = vec![
        Part::Welcome {
            seats: 2,
            table: "t".to_owned(),
            commitment: "5eed".to_owned(),
            values: vec![(seat, "00ff".to_owned())],
            house: vec![Seat::new(1)],
            options: Lang::ALL.map(|lang| (lang, "3".to_owned())).into(),
        },
        Part::Late { closed: SOON },
        Part::StandIn { seat, until: LATER },
        Part::Unbegun { empty: false },
        Part::Unbegun { empty: true },
        Part::Announcement { announced: LATER },
        Part::Shut { closed: SOON, announced: LATER },
        Part::Relocated,
        Part::Opened {
            number: WindowNumber::new(3),
            round: Round::new(2),
            suspended: false,
            closes,
        },
        Part::Opened { number: WindowNumber::FIRST, round: Round::DEAL, suspended: true, closes },
        Part::Called { seat, closes },
        Part::Invited { seat: None, closes: None },
        Part::Invited { seat: Some(seat), closes: Some(closes) },
        Part::Gone { seat },
        Part::SideLine { by: seat },
        Part::SideChanged { by: seat },
    ];
    let drafted = samples::interview(&[]);
    for (interview, faults, superfluous) in [
        (&drafted, samples::faults([]), Vec::new()),
        (&drafted, Vec::new(), Vec::new()),
        (&Interview::default(), Vec::new(), vec![Key::new("3", "card")]),
    ] {
        let heard = declared_answers(interview);
        all.push(Part::BecameDraft { heard, faults, superfluous });
    }
    let open = open_questions(&samples::interview(&samples::faults([])));
    for progress in [SealProgress::Nothing, SealProgress::Draft, SealProgress::Sealed] {
        for left in [Span::hours(26), Span::seconds(1)] {
            let fates = [Deed::PutOff, Deed::Grace, Deed::ByHouse, Deed::Skipped, Deed::ByDefault];
            all.extend(fates.into_iter().flat_map(|fate| {
                [false, true].map(|openly| Part::Reminder {
                    closes,
                    left,
                    progress,
                    number: WindowNumber::new(3),
                    open: if openly { Json::Null } else { open.clone() },
                    faults: if left > Span::hours(1) { samples::faults([]) } else { Vec::new() },
                    fate: Some(fate),
                    missing: (!openly).then(|| Clause::new("E4.1")),
                    last: !openly,
                    openly,
                    partners: if openly { vec![seat, Seat::new(1)] } else { Vec::new() },
                })
            }));
        }
    }
    all
}
