//! Reserves: an alternative counts if the first answer to a part cannot stand.

use kit::stages::{Stage, Stages};
use kit::toy::{P1, P2, Toy, contest, line, position, said};
use rules::*;

/// Returns a declaration with alternatives in reserve for a part, in order.
fn or_else(first: &str, part: &str, reserves: &[&str]) -> Declaration {
    let mut declaration = said(first);
    let reserves = reserves.iter().map(|text| said(text)).collect();
    declaration.set(part.parse().unwrap(), Answer::InReserve(reserves));
    declaration
}

#[expect(clippy::needless_pass_by_value, reason = "a declaration is written where it is closed")]
fn close(contest: &mut Contest<Toy>, p1: Declaration, p2: Declaration) -> Vec<String> {
    let declared = BySeat::new(2, |seat| Some(if seat == P1 { p1.clone() } else { p2.clone() }));
    contest.close(declared).unwrap().entries.iter().map(line).collect()
}

const TAX: &str = "tax.pay=gold*1";

#[test]
fn it_is_a_part_of_the_declaration_like_any_answer() {
    let declaration = or_else("act.way=drop act.dropped=1", "act", &["act.way=draw"]);
    let json = serde_json::to_string(&declaration).unwrap();
    let held = r#""act":{"in-reserve":[{"act.way":{"given":{"choice":"draw"}}}]}"#;
    assert!(json.contains(held), "{json}");
    assert_eq!(serde_json::from_str::<Declaration>(&json).unwrap(), declaration);
}

#[test]
fn the_first_that_can_stand_counts_and_a_ruling_says_no_more() {
    let first = format!("{TAX} act.way=place act.card=5 act.pay=gold*3");
    let declaration = or_else(&first, "act", &["act.way=place act.card=4", "act.way=draw"]);
    let mut contest = contest();
    let found = contest.interview(P1, &declaration);
    assert_eq!((found.faults.len(), found.superfluous.len()), (0, 0), "{found:?}");
    assert_eq!((found.reserves[0].passed, found.reserves[0].asked.len()), (2, 3));
    // The alternative that cannot stand either is told.
    let faults: Vec<&Key> = found.reserves[0].faults.iter().map(|fault| &fault.key).collect();
    assert_eq!(faults, [&Key::new("act", "card")]);
    let before = contest.state().gold[P1];
    let lines = close(&mut contest, declaration, said("tax.pay=gold*1 act.way=drop act.dropped=2"));
    assert_eq!(
        lines,
        [
            "Taxed { seat: P1, gold: 1 }",
            "P1 act InReserve T9",
            "Drew { seat: P1, card: Some(5) }",
            "Taxed { seat: P2, gold: 1 }",
        ]
    );
    // The alternative passed over has cost nothing.
    assert_eq!(contest.state().gold[P1], before - 1);
}

#[test]
fn what_was_passed_over_is_told_to_its_player_alone() {
    let declaration = or_else("act.way=place act.card=5", "act", &["act.way=draw"]);
    let mut contest = contest();
    let declared = BySeat::new(2, |_| Some(declaration.clone()));
    let resolution = contest.close(declared).unwrap();
    let ruling = resolution.entries.iter().find_map(|entry| match &entry.item {
        Item::Ruling(ruling) if ruling.outcome == Outcome::InReserve => Some(ruling.clone()),
        _ => None,
    });
    let ruling = ruling.unwrap();
    assert_eq!(ruling.fault.as_ref().unwrap().key, Key::new("act", "card"));
    let public = ruling.seen_by(Viewer::Public, Sealing::Open).unwrap();
    assert_eq!((public.value, public.fault), (None, None));
    assert_eq!(ruling.seen_by(Viewer::Seat(P2), Sealing::Hidden), None);
}

#[test]
fn what_stands_needs_no_reserve() {
    let plain = format!("{TAX} act.way=drop act.dropped=1");
    let held = or_else(&plain, "act", &["act.way=draw"]);
    let (mut with, mut without) = (contest(), contest());
    let other = said("act.way=draw");
    let told = close(&mut with, held, other.clone());
    assert_eq!(told, close(&mut without, said(&plain), other));
    assert_eq!(with.state(), without.state());
}

#[test]
fn it_is_a_fault_only_if_none_could_stand() {
    let first = format!("{TAX} act.way=place act.card=5");
    let declaration = or_else(&first, "act", &["act.way=place act.card=4"]);
    let mut contest = contest();
    assert_eq!(contest.interview(P1, &declaration).faults.len(), 1);
    let lines = close(&mut contest, declaration, said("act.way=draw"));
    assert_eq!(lines[0], "P1  Skipped T5.4");
}

#[test]
fn what_others_make_impossible_falls_back_too() {
    // 3 is affordable until the gold is given away.
    let mut contest = contest();
    let first = format!("{TAX} act.way=place act.card=3 act.pay=gold*3");
    let declaration = or_else(&first, "act", &["act.way=draw"]);
    assert_eq!(contest.interview(P1, &declaration).reserves[0].passed, 0);
    for _ in 0..2 {
        contest.act(Act { seat: P1, declaration: said("now.do=give now.to=P2") }).unwrap();
    }
    let lines = close(&mut contest, declaration, said("act.way=drop act.dropped=2"));
    assert_eq!(
        lines[1..3],
        ["P1 act InReserve T9".to_owned(), "Drew { seat: P1, card: Some(5) }".to_owned()]
    );
}

#[test]
fn a_part_without_a_frame_of_its_own_falls_back_too() {
    let state = Stages::bare(&<Stages as Game>::Options::default(), 3);
    assert_eq!(state.stage, Stage::Turn);
    let mut contest = Contest::<Stages>::at(state, Dice::new([3; 32], "stages"));
    let declaration = or_else("strike.whom=P1", "strike", &["strike.whom=P3"]);
    assert_eq!(contest.interview(P1, &declaration).faults, []);
    let declared = BySeat::new(3, |seat| (seat == P1).then(|| declaration.clone()));
    contest.close(declared).unwrap();
    assert_eq!(contest.state().stage, Stage::Reaction { on: Seat::new(2) });
}

#[test]
fn what_is_asked_in_advance_can_have_something_in_reserve() {
    let declaration = or_else("react.if-large=fly", "react", &["react.if-large=stop"]);
    let found = contest().interview(P1, &declaration);
    assert_eq!((found.remarks.len(), found.superfluous.len()), (0, 0));
    assert_eq!(found.reserves[0].passed, 1);
}

#[test]
fn a_contest_that_is_taken_up_again_falls_back_alike() {
    let declaration = or_else("act.way=place act.card=5", "act", &["act.way=place act.card=3"]);
    let mut contest = Contest::<Toy>::at(position(), Dice::new([3; 32], "toy"));
    let declared = BySeat::new(2, |seat| (seat == P1).then(|| declaration.clone()));
    contest.close(declared).unwrap();
    // The other seats are asked first to stop the act, and no event of it is posted before that.
    assert!(contest.is_suspended());
    let mut again = Contest::<Toy>::load(&contest.save(), Dice::new([3; 32], "toy")).unwrap();
    let pass = || BySeat::new(2, |seat| (seat == P2).then(|| said("react#1.answer=pass")));
    let told = contest.close(pass()).unwrap().entries;
    let lines: Vec<String> = told.iter().map(line).collect();
    assert!(lines.contains(&"P1 act InReserve T9".to_owned()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("Placed { seat: P1, card: 3")), "{lines:?}");
    assert_eq!(again.close(pass()).unwrap().entries.len(), told.len());
    assert_eq!(again.state(), contest.state());
}
