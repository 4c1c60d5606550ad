//! One of everything that letters tell by the template of its name, for the letters' own check.

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::desk::model::overrides::Override;
use crate::desk::model::struck::Struck;
use crate::desk::record::event::Event;
use crate::desk::record::letter::{Letter, Part};
use crate::ids::WindowNumber;
use crate::letters::samples;
use crate::letters::{HELD, Sample, SealProgress, declared_answers, open_questions};
use crate::rules::{Clause, Interview, Key, Round, Seat};
use crate::tables::absence::{Away, Condition, Deed};
use crate::tables::{Absence, CloseReason, EndKind, ResultForm};
use crate::time::{Span, Time};

const SOON: Time = Time::from_milliseconds(1_795_262_700_000);
const LATER: Time = Time::from_milliseconds(1_795_363_200_000);
const RULES: [Away; 4] = [Away::Extend, Away::House, Away::Skip, Away::Substitute];

/// Each as it is told to everybody, to whom it is about, and to somebody else; of these decisions, what
/// is told alone to whose declaration they change.
pub(in crate::desk) fn letter_samples(decided: Vec<Override>) -> Vec<Sample> {
    let entered = decided.into_iter().filter_map(|what| match what {
        Override::Judge { change, .. } => Some(Part::Entered { change }),
        _ => None,
    });
    let events = events().into_iter().map(Part::Event);
    let parts: Vec<Part> = events.chain(others()).chain(entered).collect();
    let readers = [None, Some(Seat::new(0)), Some(Seat::new(1))];
    let told = readers.into_iter().flat_map(|seat| {
        let letter = letter(seat);
        parts.iter().map(move |part| letter.sample(part)).collect::<Vec<_>>()
    });
    let mut told: Vec<Sample> = told.collect();
    // What is set is told in one line, which is checked by itself.
    for sample in told.iter_mut().filter(|sample| sample.name == "absence") {
        sample.context["absence"] = "grace 1h".into();
    }
    told
}

fn letter(seat: Option<Seat>) -> Letter {
    Letter {
        code: "K7Q2T".into(),
        game: String::new(),
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

/// Everything that happens and is told so.
fn events() -> Vec<Event> {
    let (one, other, number) = (Seat::new(0), Seat::new(1), WindowNumber::new(3));
    let lists = [vec![], vec![one], vec![one, other]];
    let flags = [false, true];
    let mut all = vec![
        Event::Due { seats: vec![one, other] },
        Event::Back { seat: one },
        Event::Away { seat: one, away: None, rule: Away::Skip },
        Event::Absence { absence: Absence::default() },
        Event::StoodIn { seat: one, until: None },
        Event::StoodIn { seat: one, until: Some(LATER) },
        Event::Taken { seat: one, closes: None },
        Event::Taken { seat: one, closes: Some(SOON) },
    ];
    let away = |rule| Event::Away { seat: one, away: Some((SOON, LATER)), rule };
    all.extend(RULES.map(away));
    let extended = |(paused, locked)| {
        let outage = Span::hours(26);
        Event::Extended { number, closes: SOON, outage, paused, locked }
    };
    all.extend([(false, false), (true, false), (false, true)].map(extended));
    for some in &lists {
        let (awaited, missing, late) = (some.clone(), some.clone(), some.clone());
        let whys = [CloseReason::Deadline, CloseReason::AllSealed, CloseReason::Host];
        all.extend(
            whys.into_iter()
                .flat_map(|why| flags.map(|openly| closed(why, awaited.clone(), openly))),
        );
        all.extend(lists.clone().map(|away| Event::PutOff {
            number,
            missing: missing.clone(),
            away,
            closes: SOON,
        }));
        all.extend([(false, false), (false, true), (true, false)].map(|(openly, on_a_quarter)| {
            Event::Grace { number, late: late.clone(), openly, on_a_quarter, until: SOON }
        }));
    }
    for why in HELD {
        let held = |until| Event::Held { number, why: why.to_owned(), until };
        all.extend([None, Some(SOON)].map(held));
    }
    for reason in [None, Some("rain".to_owned())] {
        let over = |how| Event::Over { how, seed: "5eed".to_owned(), reason: reason.clone() };
        all.extend(EndKind::ALL.map(over));
    }
    all.extend(strikes().map(|struck| Event::Struck { number, struck: vec![struck] }));
    all
}

fn closed(why: CloseReason, awaited: Vec<Seat>, openly: bool) -> Event {
    Event::Closed {
        number: WindowNumber::new(3),
        window: Round::new(2),
        why,
        awaited,
        openly,
        sealed: Vec::new(),
        announced: SOON,
        entries: Vec::new(),
        state: String::new(),
    }
}

/// Every deed in every condition that it can come to, of each the first and the last miss.
fn strikes() -> impl Iterator<Item = Struck> {
    let conditions =
        [Condition::NothingSent, Condition::Delegated, Condition::Away, Condition::Inactive];
    let deeds = [Deed::Skipped, Deed::ByDefault, Deed::ByHouse];
    let misses = [(0, 2, false), (1, 2, false), (2, 2, true), (3, 0, false)];
    let all = conditions.into_iter().flat_map(move |condition| deeds.map(|deed| (condition, deed)));
    let all = all.flat_map(move |what| misses.map(|missed| (what, missed)));
    all.flat_map(|((condition, deed), (misses, most, inactive))| {
        let seat = Seat::new(0);
        [false, true].map(|openly| Struck {
            seat,
            condition,
            deed,
            misses,
            most,
            inactive,
            openly,
            public: true,
        })
    })
}

/// What else letters bring.
fn others() -> Vec<Part> {
    let (seat, closes) = (Seat::new(0), SOON);
    let mut all = vec![
        Part::Welcome {
            seats: 2,
            table: "t".to_owned(),
            commitment: "5eed".to_owned(),
            values: vec![(seat, "00ff".to_owned())],
            house: vec![Seat::new(1)],
        },
        Part::Late { closed: SOON },
        Part::StandIn { seat, until: LATER },
        Part::Unbegun,
        Part::Announcement { announced: LATER },
        Part::Shut { closed: SOON, announced: LATER },
        Part::Relocated,
        Part::Opened {
            number: WindowNumber::new(3),
            window: Round::new(2),
            suspended: false,
            closes,
        },
        Part::Opened { number: WindowNumber::FIRST, window: Round::DEAL, suspended: true, closes },
        Part::Called { seat, closes },
        Part::Invited { seat: None, closes: None },
        Part::Invited { seat: Some(seat), closes: Some(closes) },
        Part::Gone { seat },
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
                    fate: Some(fate),
                    missing: (!openly).then(|| Clause::new("E4.1")),
                    last: !openly,
                    openly,
                })
            }));
        }
    }
    all
}
