//! Saved contests: a loaded contest goes on like one that was never saved.

use serde_json::Value as Json;

use kit::toy::{Event, P1, P2, State, Toy, position, said};
use rules::contest::{Held, Resolution};
use rules::*;

fn dice() -> Dice {
    Dice::new([3; 32], "toy")
}

/// A step of a contest.
enum Step {
    /// The close of a window with these declarations; `none` declares nothing.
    Close(&'static str, &'static str),
    /// A GM's answer to a question of this seat.
    Force(Seat, &'static str),
    /// A GM's value of a die of this seat.
    Rig(Seat, &'static str, &'static str),
    /// A move of the GM.
    Amend(&'static str),
    /// A GM's decision to skip this seat's turn, or not to.
    Skip(Seat, bool),
    /// A part of this seat's declaration sent back by the GM.
    SendBack(Seat, &'static str),
    /// The window opened anew.
    Anew(u32),
}
use Step::{Amend, Anew, Close, Force, Rig, SendBack, Skip};

fn take(contest: &mut Contest<Toy>, step: &Step) -> Option<Resolution<Event>> {
    match *step {
        Close(p1, p2) => {
            let texts = [p1, p2];
            let declared = BySeat::new(2, |seat| {
                (texts[seat.index()] != "none").then(|| said(texts[seat.index()]))
            });
            return Some(contest.close(declared).unwrap());
        }
        Force(seat, text) => {
            for (key, answer) in said(text).iter() {
                contest.force(seat, key.clone(), answer.clone());
            }
        }
        Rig(seat, key, id) => {
            contest.set_die(&Label::of(seat, key.parse().unwrap()), Value::Choice(id.into()));
        }
        Amend(text) => drop(contest.amend(&said(text)).unwrap()),
        Skip(seat, true) => contest.skip(seat),
        Skip(seat, false) => contest.unskip(seat),
        SendBack(seat, key) => contest.return_part(seat, &key.parse().unwrap()),
        Anew(attempt) => return contest.ask_again(attempt).unwrap(),
    }
    None
}

fn told(resolution: Option<Resolution<Event>>) -> Option<(Json, usize, Option<Vec<Place>>)> {
    let resolution = resolution?;
    let entries = serde_json::to_value(&resolution.entries).unwrap();
    Some((entries, resolution.met.len(), resolution.standing))
}

fn assert_same(loaded: &Contest<Toy>, never_saved: &Contest<Toy>) {
    assert_eq!(loaded.state(), never_saved.state());
    assert_eq!(loaded.state_hash(), never_saved.state_hash());
    assert_eq!(loaded.save(), never_saved.save());
    assert_eq!(loaded.asked(), never_saved.asked());
    assert_eq!(loaded.round(), never_saved.round());
    assert_eq!(loaded.attempt(), never_saved.attempt());
    assert_eq!(loaded.standing(), never_saved.standing());
    for seat in [P1, P2] {
        for text in ["", "react.answer=stop", "act.way=place act.card=1"] {
            let draft = said(text);
            assert_eq!(loaded.interview(seat, &draft), never_saved.interview(seat, &draft));
        }
    }
}

/// Takes the steps with a contest that is never saved, and with one that is saved and loaded before and after
/// each step.
fn assert_nothing_changes(mut never_saved: Contest<Toy>, steps: &[Step]) -> Contest<Toy> {
    let mut loaded = Contest::load(&never_saved.save(), dice()).unwrap();
    assert_same(&loaded, &never_saved);
    for step in steps {
        let here = told(take(&mut loaded, step));
        assert_eq!(here, told(take(&mut never_saved, step)));
        loaded = Contest::load(&loaded.save(), dice()).unwrap();
        assert_same(&loaded, &never_saved);
    }
    loaded
}

fn at(state: State) -> Contest<Toy> {
    Contest::at(state, dice())
}

const PLACE_1: &str = "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1";
const PLACE_2: &str = "tax.pay=gold*1 act.way=place act.card=2 act.pay=gold*2";
const DRAW: &str = "tax.pay=gold*1 act.way=draw";

#[test]
fn within_the_deal() {
    let (contest, _) = Contest::<Toy>::open(&(), 2, dice()).unwrap();
    assert!(contest.is_suspended());
    let steps = [Close("bid.gold=6 bid.motto=hi", "none"), Close(DRAW, "none")];
    let contest = assert_nothing_changes(contest, &steps);
    assert_eq!(contest.state().motto[P1], "hi");
}

#[test]
fn within_a_suspension_over_two_windows() {
    let steps = [
        Close(PLACE_1, PLACE_2),
        Close("none", "react.answer=pass"),
        Close("react#2.answer=stop react#2.why=no", "none"),
        Close(DRAW, DRAW),
    ];
    let contest = assert_nothing_changes(at(position()), &steps);
    assert_eq!(contest.round(), Round::new(3));
}

#[test]
fn after_an_override() {
    let steps = [
        Rig(P2, "act.way", "draw"),
        Force(P1, "act.way=draw"),
        Force(P1, PLACE_1),
        Close("none", "tax.pay=gold*1"),
        Force(P2, "react.answer=pass"),
        // The last decision counts.
        Force(P2, "react.answer=stop"),
        Close("none", "react.answer=pass"),
        Amend("gold.who=P2 gold.count=9"),
        Close(DRAW, DRAW),
    ];
    assert_nothing_changes(at(position()), &steps);
}

#[test]
fn after_a_decision_about_a_turn() {
    let steps = [
        Skip(P2, true),
        SendBack(P1, "tax.pay"),
        Close(PLACE_1, PLACE_2),
        // P2's turn has not come yet.
        Skip(P2, false),
        SendBack(P2, "act"),
        Close("none", "react.answer=pass"),
        Skip(P1, true),
        Anew(3),
        Close(DRAW, "none"),
    ];
    assert_nothing_changes(at(position()), &steps);
    let (contest, _) = Contest::<Toy>::open(&(), 2, dice()).unwrap();
    let contest = assert_nothing_changes(contest, &[Anew(1), Close("none", "bid.gold=2")]);
    assert_eq!((contest.round(), contest.attempt()), (Round::FIRST, 1));
}

/// A contest saved before a GM could decide about turns and parts.
#[test]
fn what_was_written_before_is_read_and_written_the_same() {
    let said = r#"{"window":1,"attempt":0,"answers":{"declared":[{"act.card":{"given":{"choice":"1"}},"act.pay":{"given":{"payment":[["gold",1]]}},"act.way":{"given":{"choice":"place"}},"tax.pay":{"given":{"payment":[["gold",1]]}}},null],"later":[{},{}],"asked":[],"forced":[{},{}],"dice":{}},"decided":{"forced":[{},{}],"dice":{}},"posted":{"entries":1,"hash":"HASH"},"suspended":true}"#;
    let saved = suspended();
    let hash = &serde_json::from_str::<Json>(&saved.said).unwrap()["posted"]["hash"];
    let said = said.replace("HASH", hash.as_str().unwrap());
    assert_eq!(saved.said, said);
    let mut contest = load(saved.root, said).unwrap();
    contest.unskip(P2);
    take(&mut contest, &Close("none", "none")).unwrap();
}

#[test]
fn an_override_of_what_was_asked_is_heard_by_the_next_run_only() {
    let steps = [Close(PLACE_1, "none"), Force(P2, "react.answer=stop")];
    let mut contest = assert_nothing_changes(at(position()), &steps);
    assert!(contest.is_suspended(), "the window is open until it is closed");
    let resolution = take(&mut contest, &Close("none", "none")).unwrap();
    assert!(
        resolution.entries.iter().any(|entry| entry.item == Item::Event(Event::Stopped { by: P2 }))
    );
}

#[test]
fn after_the_end() {
    let mut state = position();
    state.round = 4;
    let contest = assert_nothing_changes(at(state), &[Close(DRAW, DRAW)]);
    assert!(contest.standing().is_some());
    assert!(contest.asked().is_empty());
}

fn suspended() -> Saved {
    let mut contest = at(position());
    take(&mut contest, &Close(PLACE_1, "none"));
    contest.save()
}

fn load(root: String, said: String) -> Result<Contest<Toy>, LoadError> {
    Contest::load(&Saved { root, said }, dice())
}

#[test]
fn what_does_not_begin_with_what_was_posted_is_held() {
    let saved = suspended();
    let mut said: Json = serde_json::from_str(&saved.said).unwrap();
    said["posted"]["hash"] = "00".repeat(32).into();
    let differs = LoadError::Held(Held::Differs { round: Round::new(1) });
    assert_eq!(load(saved.root.clone(), said.to_string()).unwrap_err(), differs);

    // The root is changed so that nobody would be asked any more.
    let mut root: Json = serde_json::from_str(&saved.root).unwrap();
    root["hands"][0] = Json::Array(Vec::new());
    assert_eq!(load(root.to_string(), saved.said).unwrap_err(), differs);
}

#[test]
fn what_cannot_be_read_says_which_and_why() {
    let unreadable = |root: &str, said: &str| match load(root.to_owned(), said.to_owned()) {
        Err(LoadError::Unreadable { what, error }) => (what, error),
        other => panic!("{other:?}"),
    };
    let saved = suspended();
    assert_eq!(unreadable("{", &saved.said).0, "root");
    assert_eq!(unreadable(&saved.root, "{}").0, "said");
    let more = saved.said.replacen('{', "{\"more\":1,", 1);
    assert!(unreadable(&saved.root, &more).1.contains("more"));
    let larger = at(Toy::bare(&(), 3)).save().said;
    assert_eq!(unreadable(&saved.root, &larger).0, "said");
    let nobody = saved.said.replace("\"asked\":[]", "\"asked\":[[200,\"act.way\"]]");
    assert!(unreadable(&saved.root, &nobody).1.contains("200"));
    for decided in [r#""turnouts":{"2":"skipped"}"#, r#""sent_back":[[2,"act"]]"#] {
        let said = saved.said.replace(r#""decided":{"#, &format!(r#""decided":{{{decided},"#));
        assert!(unreadable(&saved.root, &said).1.contains("another size"));
    }
}

#[test]
fn the_same_contest_is_written_as_the_same_bytes() {
    assert_eq!(suspended(), suspended());
    let said = suspended().said;
    assert!(said.starts_with(r#"{"window":1,"attempt":0,"answers":{"declared":[{"#), "{said}");
}
