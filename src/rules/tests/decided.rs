//! Decisions of a GM: the next run applies them, and nothing else changes.

use kit::toy::{Event, P1, P2, Toy, close, contest, line, position, said};
use rules::contest::{Held, Resolution};
use rules::*;

const DRAW: &str = "tax.pay=gold*1 act.way=draw";
const PLACE_1: &str = "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1";
/// A declared card that the seat does not hold: a fault.
const FAULT: &str = "tax.pay=gold*2 act.way=place act.card=5";

const DRAWN: [&str; 2] = ["Taxed { seat: P2, gold: 1 }", "Drew { seat: P2, card: Some(5) }"];

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

fn choice(id: &str) -> Answer {
    Answer::Given(Value::Choice(id.into()))
}

/// A GM's decision about a contest.
type Decide = fn(&mut Contest<Toy>);

/// Returns the outcomes and reasons of this window's rulings, as the seat itself sees them.
fn reasons(resolution: &Resolution<Event>) -> Vec<(Outcome, Reason)> {
    let rulings = resolution.entries.iter().filter_map(|entry| match &entry.item {
        Item::Ruling(ruling) => Some(ruling),
        Item::Event(_) => None,
    });
    rulings
        .filter_map(|ruling| Some((ruling.outcome.clone(), ruling.fault.clone()?.reason)))
        .collect()
}

fn declared(p1: &str, p2: &str) -> BySeat<Option<Declaration>> {
    let texts = [p1, p2];
    BySeat::new(2, |seat| (texts[seat.index()] != "none").then(|| said(texts[seat.index()])))
}

// --- Whole turns ---

#[test]
fn a_turn_is_skipped_although_it_was_declared() {
    let mut contest = contest();
    contest.skip(P1);
    let resolution = contest.close(declared(PLACE_1, DRAW)).unwrap();
    let lines: Vec<String> = resolution.entries.iter().map(line).collect();
    let skipped =
        ["P1  Skipped T5.7", "P1 tax.pay LargestFirst T5.3", "Taxed { seat: P1, gold: 1 }"];
    assert_eq!(lines, [&skipped[..], &DRAWN].concat());
    assert_eq!(reasons(&resolution), [(Outcome::Skipped, Reason::Decided)]);
    assert!(resolution.met.contains(&Clause::new("T5.7")));
}

#[test]
fn a_turn_without_a_declaration_is_played_with_everything_left_out() {
    let mut contest = contest();
    contest.set_die(&Label::of(P1, key("act.way")), Value::Choice("draw".into()));
    contest.unskip(P1);
    let resolution = contest.close(declared("none", "none")).unwrap();
    let lines: Vec<String> = resolution.entries.iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "P1  Unskipped T5.7",
            "P1 tax.pay LargestFirst T5.3",
            "Taxed { seat: P1, gold: 1 }",
            "P1 act.way ByDie T5.2",
            "Drew { seat: P1, card: Some(5) }",
            "P2  Skipped T5.1",
            "P2 tax.pay LargestFirst T5.3",
            "Taxed { seat: P2, gold: 1 }",
        ]
    );
    assert_eq!(reasons(&resolution), [(Outcome::Unskipped, Reason::Decided)]);
}

#[test]
fn a_fault_that_does_not_cost_the_turn_returns_its_part() {
    let mut contest = contest();
    contest.unskip(P2);
    let lines = close(&mut contest, DRAW, FAULT);
    assert_eq!(
        lines[2..],
        ["Taxed { seat: P2, gold: 2 }", "P2 act Returned T5.5", "P2  Unskipped T5.7"]
    );
    assert_eq!(contest.state().gold[P2], 2);
}

#[test]
fn what_needs_no_decision_is_not_changed_by_one() {
    let mut plain = contest();
    let expected = close(&mut plain, DRAW, DRAW);
    let mut decided = contest();
    decided.unskip(P1);
    decided.return_part(P2, &key("nothing.here"));
    assert_eq!(close(&mut decided, DRAW, DRAW), expected);
    assert_eq!(decided.save(), plain.save());
}

#[test]
fn of_two_decisions_about_a_turn_the_later_counts() {
    let first = |decide: Decide| {
        let mut contest = contest();
        decide(&mut contest);
        close(&mut contest, DRAW, "none").remove(0)
    };
    let played = "Taxed { seat: P1, gold: 1 }";
    let decide = |contest: &mut Contest<Toy>| {
        contest.skip(P1);
        contest.unskip(P1);
    };
    assert_eq!(first(decide), played);
    let decide = |contest: &mut Contest<Toy>| {
        contest.unskip(P1);
        contest.skip(P1);
    };
    assert_eq!(first(decide), "P1  Skipped T5.7");
}

/// P1's turn waits for P2; only then the GM decides about P2's own turn, twice.
#[test]
fn a_turn_that_has_not_come_yet_can_be_decided_about_in_a_suspension() {
    let mut contest = contest();
    contest.skip(P2);
    close(&mut contest, PLACE_1, FAULT);
    assert!(contest.is_suspended());
    contest.unskip(P2);
    let lines = close(&mut contest, "none", "react.answer=pass");
    assert_eq!(lines[1..3], ["Taxed { seat: P2, gold: 2 }", "P2 act Returned T5.5"]);
}

#[test]
fn a_turn_that_has_been_posted_is_not_skipped_any_more() {
    let mut contest = contest();
    close(&mut contest, PLACE_1, "none");
    contest.skip(P1);
    assert_eq!(
        contest.close(declared("none", "none")).unwrap_err(),
        Held::Differs { round: Round::new(1) }
    );
}

#[test]
fn what_a_skipped_turn_still_has_to_do_can_be_decided() {
    let mut contest = contest();
    let two = Answer::Given(Value::Payment(vec![("gold".into(), 2)]));
    contest.force(P1, key("tax.pay"), two);
    let lines = close(&mut contest, "none", DRAW);
    assert_eq!(
        lines[..3],
        ["P1  Skipped T5.1", "P1 tax.pay Forced T5.7", "Taxed { seat: P1, gold: 2 }"]
    );
}

// --- Parts ---

#[test]
fn a_part_is_sent_back_although_it_could_be_carried_out() {
    let mut contest = contest();
    contest.return_part(P2, &key("act.card"));
    let resolution = contest.close(declared(DRAW, PLACE_1)).unwrap();
    let lines: Vec<String> = resolution.entries.iter().map(line).collect();
    assert_eq!(lines[2..], ["Taxed { seat: P2, gold: 1 }", "P2 act Returned T5.7"]);
    assert_eq!(reasons(&resolution), [(Outcome::Returned, Reason::Decided)]);
}

/// Once its faulty part is sent back, the turn is not skipped.
#[test]
fn a_faulty_part_that_is_sent_back_is_no_fault() {
    let mut contest = contest();
    contest.return_part(P2, &key("act"));
    let lines = close(&mut contest, DRAW, FAULT);
    assert_eq!(lines[2..], ["Taxed { seat: P2, gold: 2 }", "P2 act Returned T5.7"]);
}

#[test]
fn of_a_duty_that_is_sent_back_what_was_said_counts_as_left_out() {
    let mut contest = contest();
    contest.return_part(P2, &key("tax"));
    let resolution = contest.close(declared(DRAW, "tax.pay=gold*3 act.way=draw")).unwrap();
    let lines: Vec<String> = resolution.entries.iter().map(line).collect();
    assert_eq!(lines[2], "P2 tax.pay LargestFirst T5.3");
    assert_eq!(lines[3..], DRAWN.map(|line| line.replace('5', "4")));
    assert_eq!(reasons(&resolution), [(Outcome::LargestFirst, Reason::Decided)]);
}

#[test]
fn nobody_is_asked_for_what_is_sent_back() {
    let mut contest = contest();
    contest.return_part(P2, &key("react"));
    let lines = close(&mut contest, PLACE_1, "none");
    assert_eq!(
        lines[1..3],
        ["P2 react.answer Supposed T5.2", "Placed { seat: P1, card: 1, paid: 1 }"]
    );
}

#[test]
fn of_a_part_sent_back_and_an_answer_decided_in_it_the_later_counts() {
    let last = |decide: Decide| {
        let mut contest = contest();
        decide(&mut contest);
        close(&mut contest, DRAW, DRAW).pop().unwrap()
    };
    let decide = |contest: &mut Contest<Toy>| {
        contest.force(P2, key("act.way"), choice("drop"));
        contest.return_part(P2, &key("act"));
    };
    assert_eq!(last(decide), "P2 act Returned T5.7");
    let decide = |contest: &mut Contest<Toy>| {
        contest.return_part(P2, &key("act"));
        contest.force(P2, key("act.way"), choice("draw"));
    };
    assert_eq!(last(decide), DRAWN[1].replace('5', "4"));
}

/// An earlier run has applied the first decision already.
#[test]
fn a_later_decision_about_a_part_counts_in_a_suspension_too() {
    let last = |first: Decide, then: Decide| {
        let mut contest = contest();
        first(&mut contest);
        close(&mut contest, PLACE_1, DRAW);
        then(&mut contest);
        close(&mut contest, "none", "react.answer=pass").pop().unwrap()
    };
    let (force, send_back): (Decide, Decide) = (
        |contest| contest.force(P2, key("act.way"), choice("draw")),
        |contest| contest.return_part(P2, &key("act")),
    );
    assert_eq!(last(force, send_back), "P2 act Returned T5.7");
    assert_eq!(last(send_back, force), DRAWN[1]);
}

// --- Dice ---

/// Returns each die's label and value.
fn dice_of(contest: &Contest<Toy>, p1: &str, p2: &str) -> Vec<(String, Value)> {
    let thrown = contest.thrown(declared(p1, p2));
    thrown.into_iter().map(|thrown| (thrown.label, thrown.showed)).collect()
}

#[test]
fn every_die_says_what_it_may_show_instead() {
    let mut contest = contest();
    contest.set_die(&Label::of(P1, key("act.way")), Value::Choice("drop".into()));
    contest.set_die(&Label::of(P1, key("act.dropped")), Value::Picks(vec!["3".into(), "1".into()]));
    let before = contest.save();
    let thrown = contest.thrown(declared("tax.pay=gold*1", "none"));
    assert_eq!(contest.save(), before);
    let ways = ["draw", "place", "drop"].map(Into::into).to_vec();
    let cards = vec!["1".into(), "3".into()];
    let die = |name, faces, showed| Thrown {
        label: format!("P1:act.{name}"),
        seat: Some(P1),
        key: key(&format!("act.{name}")),
        faces,
        showed,
    };
    assert_eq!(
        thrown,
        [
            die("way", Faces::One(ways), Value::Choice("drop".into())),
            die(
                "dropped",
                Faces::Several { options: cards, count: 2 },
                Value::Picks(vec!["3".into(), "1".into()])
            ),
        ]
    );
    contest.close(declared("tax.pay=gold*1", "none")).unwrap();
    assert!(contest.state().hands[P1].is_empty());
}

#[test]
fn a_die_is_decided_by_the_label_it_was_told_with() {
    let (mut contest, _) = Contest::<Toy>::open(&(), 2, Dice::new([1; 32], "toy")).unwrap();
    let thrown = contest.thrown(declared("bid.gold=2", "none"));
    let [die] = thrown.as_slice() else { panic!("{thrown:?}") };
    assert_eq!(die.faces, Faces::Number { least: 1, most: 6 });
    let Value::Number(showed) = die.showed else { panic!("{die:?}") };
    contest.set_die(&die.label.parse().unwrap(), Value::Number(7 - showed));
    assert_eq!(dice_of(&contest, "bid.gold=2", "none")[0].1, Value::Number(7 - showed));
    // A value that the die does not have is ignored.
    let mut beyond = contest.clone();
    beyond.set_die(&die.label.parse().unwrap(), Value::Number(7));
    assert_eq!(dice_of(&beyond, "bid.gold=2", "none")[0].1, Value::Number(showed));
    contest.close(declared("bid.gold=2", "none")).unwrap();
    assert_eq!(i64::from(contest.state().gold[P2]), 4 + 7 - showed);
}

#[test]
fn what_was_posted_is_thrown_no_more() {
    let mut contest = contest();
    contest.set_die(&Label::of(P1, key("act.way")), Value::Choice("draw".into()));
    contest.set_die(&Label::of(P2, key("act.way")), Value::Choice("place".into()));
    let first = dice_of(&contest, "tax.pay=gold*1", "tax.pay=gold*1");
    let labels: Vec<&str> = first.iter().map(|(label, _)| label.as_str()).collect();
    // P2 holds one card only, so no die falls for the card.
    assert_eq!(labels, ["P1:act.way", "P2:act.way"]);
    let posted = close(&mut contest, "tax.pay=gold*1", "tax.pay=gold*1");
    assert_eq!(posted[1], "P1 act.way ByDie T5.2");
    assert!(contest.is_suspended());
    // P2's part waits for P1, and may still change.
    assert_eq!(dice_of(&contest, "none", "none"), first[1..]);
}

// --- Asked anew ---

/// Returns a contest after the deal, with a decision about the open window.
fn dealt(seed: u8) -> Contest<Toy> {
    let (mut contest, _) = Contest::<Toy>::open(&(), 2, Dice::new([seed; 32], "toy")).unwrap();
    contest.close(declared("bid.gold=2 bid.motto=hi", "bid.gold=3")).unwrap();
    contest.skip(P1);
    contest
}

#[test]
fn a_window_that_is_asked_anew_has_forgotten_everything_and_shuffled() {
    let before = dealt(1);
    let mut anew = before.clone();
    assert!(anew.ask_again(1).unwrap().is_none());
    assert_eq!((anew.round(), anew.attempt(), anew.asked()), (Round::FIRST, 1, vec![P1, P2]));
    let (was, is) = (before.state(), anew.state());
    assert_ne!(was.deck, is.deck);
    let sorted = |deck: &[Option<u8>]| {
        let mut deck = deck.to_vec();
        deck.sort_unstable();
        deck
    };
    assert_eq!(sorted(&was.deck), sorted(&is.deck));
    assert_eq!((&was.hands, &was.gold, &was.motto), (&is.hands, &is.gold, &is.motto));
    // P1's turn is no longer skipped, and the dice are those of the attempt.
    let lines = close(&mut anew, DRAW, DRAW);
    assert_eq!(lines[0], "Taxed { seat: P1, gold: 1 }");
    assert_eq!((anew.round(), anew.attempt()), (Round::new(2), 1));
}

#[test]
fn the_attempt_and_the_seed_are_all_that_an_order_follows_from() {
    let deck = |seed, attempt| {
        let mut contest = dealt(seed);
        contest.ask_again(attempt).unwrap();
        contest.state().deck.clone()
    };
    assert_eq!(deck(1, 1), deck(1, 1));
    assert_ne!(deck(1, 1), deck(1, 2));
    let mut again = dealt(1);
    again.set_die(&Label::of(P1, key("act.way")), Value::Choice("draw".into()));
    again.ask_again(1).unwrap();
    assert_eq!(again.state().deck, deck(1, 1));
}

#[test]
fn an_attempt_has_dice_of_its_own_up_to_the_end() {
    let thrown = |attempt| {
        let mut contest = dealt(1);
        contest.unskip(P1);
        if attempt > 0 {
            contest.ask_again(attempt).unwrap();
        }
        let mut dice = Vec::new();
        while contest.standing().is_none() {
            let nothing = || BySeat::new(2, |_| Some(Declaration::default()));
            dice.extend(contest.thrown(nothing()));
            contest.close(nothing()).unwrap();
        }
        dice
    };
    assert_eq!(thrown(1), thrown(1));
    assert_ne!(thrown(0), thrown(1));
    assert_ne!(thrown(1), thrown(2));
}

#[test]
fn a_suspended_window_goes_back_to_its_root() {
    let mut contest = contest();
    close(&mut contest, PLACE_1, "none");
    contest.force(P2, key("react.answer"), choice("stop"));
    contest.ask_again(1).unwrap();
    assert!(!contest.is_suspended());
    let root = position();
    assert_eq!((&contest.state().gold, &contest.state().hands), (&root.gold, &root.hands));
    close(&mut contest, PLACE_1, "none");
    assert!(contest.is_suspended(), "P2 is asked again");
}

#[test]
fn a_deal_that_is_made_anew_is_told_again() {
    let (mut contest, _) = Contest::<Toy>::open(&(), 2, Dice::new([1; 32], "toy")).unwrap();
    let before = contest.state().hands.clone();
    let told = contest.ask_again(1).unwrap().unwrap();
    let lines: Vec<String> = told.entries.iter().map(line).collect();
    assert_eq!(lines, ["Dealt"]);
    assert_ne!(contest.state().hands, before);
    assert!(contest.is_suspended());
    assert_eq!((contest.round(), contest.asked()), (Round::DEAL, vec![P1, P2]));
    close(&mut contest, "bid.gold=1", "bid.gold=1");
    assert_eq!((contest.round(), contest.attempt()), (Round::FIRST, 1));
}

// --- Moves ---

#[test]
fn nothing_is_moved_while_a_window_is_being_resolved() {
    let mut contest = contest();
    close(&mut contest, PLACE_1, "none");
    let before = contest.save();
    let gold = said("gold.who=P2 gold.count=9");
    let refused = contest.amend(&gold).unwrap_err();
    assert_eq!(refused, contest.rehearse(&gold, Viewer::All));
    assert_eq!((refused.asked.len(), refused.superfluous.len()), (0, 2));
    assert_eq!(contest.save(), before);
}
