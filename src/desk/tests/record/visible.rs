//! Nobody is shown another player's secret by an event.

use crate::model::{Override, Struck};
use crate::record::{Event, Secrecy, Undone};
use games::GAMES;
use games::any::{AnyContest, AnyGame};
use kit::time::{span, time};
use kit::toy::{P1, P2, said};
use kit::toy_game::{HIDDEN, TOY};
use rules::{Act, Declaration, Dice, Round, Seat, Viewer};
use tables::absence::{Away, Condition, Deed};
use tables::{Absence, CloseReason, EndKind, HoldReason, OverrideNumber, WindowNumber};

const SEATS: usize = 4;

fn opened(game: &dyn AnyGame) -> (Box<dyn AnyContest>, Event) {
    let seats = *game.seats().start();
    // A game without options accepts none.
    let options = [serde_json::json!({}), serde_json::Value::Null];
    let dice = || Dice::new([7; 32], "table");
    let dealt = options.iter().find_map(|options| game.open(options, seats, dice()).ok());
    let (contest, told) = dealt.unwrap();
    let (entries, state) = (told.entries, hex::encode(contest.state_hash()));
    (contest, Event::Dealt { number: WindowNumber::FIRST, entries, state })
}

/// Returns every subset of the seats.
fn some() -> impl Iterator<Item = Vec<Seat>> {
    let chosen = |set: usize| Seat::all(SEATS).filter(move |seat| set >> seat.index() & 1 == 1);
    (0..1_usize << SEATS).map(move |set| chosen(set).collect())
}

fn viewers() -> impl Iterator<Item = Viewer> {
    [Viewer::Public].into_iter().chain(Seat::all(SEATS).map(Viewer::Seat))
}

/// Returns all events that show which seats have not sealed.
fn about(seats: &[Seat]) -> Vec<Event> {
    let (number, until) = (WindowNumber::new(1), time(9));
    let (missing, late, all) = (seats.to_vec(), seats.to_vec(), seats.to_vec());
    let struck = |seat: &Seat| Struck {
        seat: *seat,
        condition: Condition::NothingSent,
        deed: Deed::Skipped,
        misses: 1,
        most: 2,
        inactive: false,
        openly: false,
        public: false,
    };
    let sealed = Seat::all(SEATS).filter(|seat| !seats.contains(seat));
    let closed = Event::Closed {
        number,
        round: Round::FIRST,
        why: CloseReason::Deadline,
        awaited: seats.to_vec(),
        openly: false,
        sealed: sealed.map(|seat| (Some(seat), format!("{:02x}", 9 - seat.index()))).collect(),
        announced: time(9),
        opens: time(0),
        closes: time(9),
        drafts: "5ec2e7".to_owned(),
        entries: Vec::new(),
        state: "5ec2e7".to_owned(),
    };
    let mut events = vec![
        Event::PutOff { number, missing, away: all, closes: until },
        Event::Grace { number, late, openly: false, step: None, until },
        Event::Struck { number, struck: seats.iter().map(struck).collect() },
        closed,
    ];
    events.extend(seats.first().map(|seat| Event::Back { seat: *seat }));
    events
}

/// The seats that an event names.
fn named(event: &Event) -> Vec<Seat> {
    match event {
        Event::PutOff { missing, away, .. } => [missing.clone(), away.clone()].concat(),
        Event::Grace { late, .. } => late.clone(),
        Event::Struck { struck, .. } => struck.iter().map(|struck| struck.seat).collect(),
        Event::Closed { awaited, sealed, .. } => {
            awaited.iter().copied().chain(sealed.iter().filter_map(|(seat, _)| *seat)).collect()
        }
        Event::Back { seat } => vec![*seat],
        _ => Vec::new(),
    }
}

/// Returns events that are public facts.
fn open_facts() -> Vec<Event> {
    let (seat, number) = (P2, WindowNumber::FIRST);
    vec![
        Event::SettingsChanged {
            game: "toy".to_owned(),
            edition: "1".to_owned(),
            data: "da7a".to_owned(),
            options: serde_json::Value::Null,
            chairs: SEATS,
            policies: 1,
        },
        Event::Seated { seat, house: Some("random".to_owned()), who: None },
        Event::Left { seat, anew: true },
        Event::Due { seats: vec![P1, seat] },
        Event::Replaced { seat, house: "random".to_owned() },
        Event::Extended {
            number,
            closes: time(9),
            outage: span(5),
            paused: true,
            locked: false,
            before: time(4),
        },
        Event::Away { seat, away: Some((time(1), time(2))), rule: Away::Skip },
        Event::StoodIn { seat, until: Some(time(2)) },
        Event::Absence { absence: Absence::default() },
        Event::Taken { seat, closes: Some(time(9)) },
        Event::Over { how: EndKind::Ended, seed: "5eed".to_owned(), reason: None },
    ]
}

#[test]
fn what_is_nobodys_secret_everybody_is_told_whole() {
    for (event, viewer) in
        open_facts().iter().flat_map(|event| viewers().map(move |of| (event, of)))
    {
        let seen = event.visible_to(viewer, &Secrecy::HIDDEN);
        assert_eq!(seen.as_ref(), Some(event), "{viewer:?}");
    }
}

#[test]
fn who_sees_everything_sees_it_whole() {
    for event in some().flat_map(|seats| about(&seats)).chain(open_facts()) {
        assert_eq!(event.visible_to(Viewer::All, &Secrecy::HIDDEN).as_ref(), Some(&event));
    }
}

#[test]
fn where_it_is_not_told_who_has_sealed_nobody_is_named_but_to_themselves() {
    let ((open, _), (hidden, _)) = (opened(TOY), opened(HIDDEN));
    let secrecies = [Secrecy::seen(true, &*open), Secrecy::seen(false, &*hidden), Secrecy::HIDDEN];
    for event in some().flat_map(|seats| about(&seats)) {
        for (viewer, secrecy) in viewers().flat_map(|viewer| secrecies.map(|of| (viewer, of))) {
            let Some(seen) = event.visible_to(viewer, &secrecy) else { continue };
            let others = named(&seen).into_iter().filter(|seat| Viewer::Seat(*seat) != viewer);
            assert_eq!(others.collect::<Vec<_>>(), [], "{viewer:?}: {event:?}");
        }
    }
}

#[test]
fn whom_it_is_about_always_learns_of_it() {
    let (hidden, _) = opened(HIDDEN);
    let secrecy = Secrecy::seen(false, &*hidden);
    for event in some().flat_map(|seats| about(&seats)) {
        // The seats without a seal are shown in the result after the close.
        let is_closed = matches!(event, Event::Closed { .. });
        for seat in named(&event).into_iter().filter(|_| !is_closed) {
            let seen = event.visible_to(Viewer::Seat(seat), &secrecy);
            assert!(seen.is_some_and(|seen| named(&seen).contains(&seat)), "{seat}: {event:?}");
        }
    }
}

#[test]
fn where_it_is_told_who_has_sealed_everybody_is_named() {
    let (open, _) = opened(TOY);
    let secrecy = Secrecy::seen(false, &*open);
    for event in some().flat_map(|seats| about(&seats)) {
        // Struck seats are shown in the result.
        if matches!(event, Event::Struck { .. }) {
            continue;
        }
        for viewer in viewers() {
            let seen = event.visible_to(viewer, &secrecy).map(|seen| named(&seen));
            assert_eq!(seen, Some(named(&event)), "{viewer:?}: {event:?}");
        }
    }
}

#[test]
fn what_was_sealed_is_told_as_far_as_it_is_told_who_has() {
    let ((open, _), (hidden, _)) = (opened(TOY), opened(HIDDEN));
    let event = about(&[P2]).remove(3);
    let sealed = |secrecy| match event.visible_to(Viewer::Public, &secrecy) {
        Some(Event::Closed { sealed, state, .. }) => {
            assert_eq!(state, "", "of it what is hidden could be guessed");
            sealed
        }
        other => panic!("{other:?}"),
    };
    let hashes = ["09", "07", "06"].map(str::to_owned);
    let seats = [0, 2, 3].map(|index| Some(Seat::new(index)));
    let all: Vec<_> = seats.into_iter().zip(hashes.clone()).collect();
    assert_eq!(sealed(Secrecy::seen(false, &*open)), all);
    let [one, two, three] = hashes;
    let counted = [three, two, one].map(|hash| (None, hash));
    assert_eq!(sealed(Secrecy::seen(true, &*open)), counted, "the order tells nothing");
    assert_eq!(sealed(Secrecy::seen(false, &*hidden)), []);
    assert_eq!(sealed(Secrecy::HIDDEN), []);
}

#[test]
fn who_was_struck_is_told_where_others_learn_by_it() {
    let (open, _) = opened(TOY);
    let secrecy = Secrecy::seen(false, &*open);
    let Event::Struck { struck, .. } = about(&[P1]).remove(2) else { panic!("the third is it") };
    let told = |struck: Struck| {
        let struck = vec![struck];
        Event::Struck { number: WindowNumber::new(1), struck }
            .visible_to(Viewer::Seat(P2), &secrecy)
            .is_some()
    };
    let is_told = |public, inactive| told(Struck { inactive, public, ..struck[0] });
    assert!(is_told(true, true), "it is waited for no more");
    let public = Struck { public: true, ..struck[0] };
    assert!(told(Struck { condition: Condition::Away, ..public }), "that it is away");
    assert!(told(Struck { deed: Deed::ByHouse, ..public }), "that the house plays for it");
    assert!(!is_told(true, false), "the result tells it");
    let delegated = Struck { condition: Condition::Delegated, ..public };
    assert!(!told(delegated), "nor whether somebody stood in for it");
    assert!(!is_told(false, true) && !is_told(false, false));
}

/// The game's rules decide which of its entries are visible; the state is never shown.
#[test]
fn of_what_a_game_has_brought_each_sees_what_the_game_shows() {
    for game in GAMES.iter().copied().chain([TOY, HIDDEN]) {
        let (contest, dealt) = opened(game);
        let secrecy = Secrecy::seen(false, &*contest);
        let Event::Dealt { number, entries, state } = dealt.clone() else { unreachable!() };
        let act = Act { seat: P1, declaration: Declaration::default() };
        let mut closed = about(&[]).remove(3);
        if let Event::Closed { entries: told, .. } = &mut closed {
            told.clone_from(&entries);
        }
        let acted =
            Event::Acted { number, round: Round::FIRST, act, entries: entries.clone(), state };
        for viewer in viewers().take(game.seats().start() + 1) {
            for event in [&dealt, &acted, &closed] {
                let seen = event.visible_to(viewer, &secrecy).unwrap();
                let hidden = event.visible_to(viewer, &Secrecy::HIDDEN).unwrap();
                let (Event::Dealt { state, .. }
                | Event::Acted { state, .. }
                | Event::Closed { state, .. }) = &seen
                else {
                    panic!("{seen:?}")
                };
                assert_eq!(state, "");
                assert_eq!(seen.brought().unwrap().1, contest.seen(&entries, viewer));
                assert_eq!(hidden.brought().unwrap().1, [], "nobody can say what may be known");
            }
        }
        assert_eq!(dealt.visible_to(Viewer::All, &secrecy), Some(dealt));
    }
}

#[test]
fn what_somebody_said_at_once_is_their_own() {
    let (contest, _) = opened(TOY);
    let act = Act { seat: P1, declaration: said("bid.gold=6") };
    let acted = Event::Acted {
        number: WindowNumber::FIRST,
        round: Round::FIRST,
        act: act.clone(),
        entries: Vec::new(),
        state: String::new(),
    };
    for viewer in viewers() {
        let seen = acted.visible_to(viewer, &Secrecy::seen(false, &*contest)).unwrap();
        let Event::Acted { act: seen, .. } = seen else { panic!("{seen:?}") };
        assert_eq!(seen == act, viewer == Viewer::Seat(P1), "{viewer:?}");
    }
}

#[test]
fn a_decision_that_is_kept_from_the_table_is_told_to_those_it_is_about() {
    let skip = Override::Undo { number: OverrideNumber::FIRST };
    let mut event =
        Event::decided(OverrideNumber::new(1), Some(WindowNumber::FIRST), skip, "rain".to_owned());
    let secret = Undone { what: Override::Close, public: false };
    let Event::Overridden { alone, undone, .. } = &mut event else { unreachable!() };
    (*alone, *undone) = (Some(vec![P2]), Some(secret.clone()));
    for viewer in viewers() {
        let seen = event.visible_to(viewer, &Secrecy::HIDDEN);
        assert_eq!(seen.is_some(), viewer == Viewer::Seat(P2), "{viewer:?}");
    }
    assert_eq!(event.visible_to(Viewer::Seat(P2), &Secrecy::HIDDEN).as_ref(), Some(&event));
    // The undoing does not reveal a private override to the table.
    let undone_of = |public| {
        let mut told = event.clone();
        let Event::Overridden { alone, undone, .. } = &mut told else { unreachable!() };
        (*alone, *undone) = (None, Some(Undone { public, ..secret.clone() }));
        match told.visible_to(Viewer::Seat(P2), &Secrecy::HIDDEN) {
            Some(Event::Overridden { undone, .. }) => undone.is_some(),
            other => panic!("{other:?}"),
        }
    };
    assert!(undone_of(true) && !undone_of(false));
}

#[test]
fn what_failed_and_what_chance_hangs_on_is_told_nobody() {
    let seen = |event: &Event, viewer| {
        let seen = event.visible_to(viewer, &Secrecy::HIDDEN).unwrap();
        serde_json::to_string(&seen).unwrap()
    };
    let failed = HoldReason::Rules("P2 holds the jack".to_owned());
    let value = || "5ec2e7".to_owned();
    let events = [
        Event::Held { number: WindowNumber::new(1), why: failed, until: None },
        Event::Joined {
            seat: P2,
            house: None,
            value: Some(value()),
            promise: None,
            who: Some(value()),
        },
        Event::Kept { seat: P2, value: value() },
    ];
    let formed = Event::Formed {
        game: String::new(),
        edition: String::new(),
        data: String::new(),
        options: serde_json::Value::Null,
        chairs: SEATS,
        dice: String::new(),
        commitment: String::new(),
        policies: 1,
        salt: value(),
    };
    for viewer in viewers() {
        assert!(!seen(&formed, viewer).contains("5ec2e7"), "{viewer:?}");
    }
    for event in events {
        for viewer in [Viewer::Public, Viewer::Seat(P1)] {
            let seen = seen(&event, viewer);
            assert!(!seen.contains("jack") && !seen.contains("5ec2e7"), "{seen}");
        }
        let is_own = seen(&event, Viewer::Seat(P2)).contains("5ec2e7");
        assert_eq!(is_own, !matches!(event, Event::Held { .. }));
        if matches!(event, Event::Held { .. }) {
            let Some(Event::Held { why: told, .. }) =
                event.visible_to(Viewer::Public, &Secrecy::HIDDEN)
            else {
                panic!("that it stands still, everybody knows")
            };
            assert_eq!(told, HoldReason::Rules("rules".to_owned()));
        }
    }
}

/// Typed words must be erasable; the journal is not.
#[test]
fn no_reason_goes_into_the_journal() {
    let decided = Event::decided(
        OverrideNumber::new(1),
        Some(WindowNumber::FIRST),
        Override::Close,
        "rain".to_owned(),
    );
    let over =
        Event::Over { how: EndKind::Ended, seed: String::new(), reason: Some("rain".to_owned()) };
    for event in [decided, over] {
        let kept = serde_json::to_string(&event.without_reason()).unwrap();
        assert!(!kept.contains("rain"), "{kept}");
    }
}
