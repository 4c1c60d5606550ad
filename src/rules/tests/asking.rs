//! Questions, answers, defaults, acts and suspensions.

use kit::stages::Stages;
use kit::toy::{P1, P2, Toy, close, contest, line, position, said};
use rules::*;

fn open(contest: &Contest<Toy>, seat: Seat, text: &str) -> Vec<String> {
    let interview = contest.interview(seat, &said(text));
    interview.open().map(|asked| asked.question.key.to_string()).collect()
}

#[test]
fn an_act_is_done_at_once_and_what_was_sealed_still_counts() {
    let mut contest = contest();
    assert_eq!(contest.interview(P1, &said("tax.pay=gold*1")).faults, []);
    let give = Act { seat: P2, declaration: said("now.do=give now.to=P1") };
    let told = contest.act(give).unwrap().entries;
    assert_eq!(told.iter().map(line).collect::<Vec<_>>(), ["Gave { seat: P2, to: P1 }"]);
    assert_eq!((contest.state().gold[P1], contest.state().gold[P2]), (5, 3));
    assert_eq!(contest.asked(), [P1, P2]);
    contest.act(Act { seat: P2, declaration: said("now.do=rest") }).unwrap();
    assert_eq!(contest.asked(), [P1]);
    let told = close(&mut contest, "tax.pay=gold*1 react.if-large=pass act.way=draw", "none");
    assert_eq!(told.first().unwrap(), "Taxed { seat: P1, gold: 1 }");
    assert_eq!(contest.asked(), [P1, P2]);
}

#[test]
fn what_is_not_said_whole_or_cannot_be_done_is_no_act() {
    let mut contest = contest();
    for text in
        ["", "now.do=-", "now.do=give", "now.do=give now.to=P2", "now.do=steal", "act.way=draw"]
    {
        let act = Act { seat: P2, declaration: said(text) };
        assert!(contest.act(act).is_err(), "{text}");
    }
    contest.act(Act { seat: P2, declaration: said("now.do=rest") }).unwrap();
    assert!(contest.act(Act { seat: P2, declaration: said("now.do=rest") }).is_err());
    assert_eq!(contest.state().gold[P1], 4);
}

#[test]
fn whoever_takes_a_contest_up_again_finds_what_was_done_in_it() {
    let mut contest = contest();
    let opened = contest.save();
    contest.act(Act { seat: P1, declaration: said("now.do=give now.to=P2") }).unwrap();
    contest.act(Act { seat: P2, declaration: said("now.do=rest") }).unwrap();
    let mut again = Contest::<Toy>::load(&contest.save(), Dice::new([3; 32], "toy")).unwrap();
    assert_eq!(again.state(), contest.state());
    assert_eq!(again.save(), contest.save());
    // The snapshot is still that of the opening, and undoing the acts returns to it.
    assert_eq!(again.save().root, opened.root);
    again.forget_acts();
    assert_eq!(again.save(), opened);
}

#[test]
fn what_was_done_last_is_taken_back_as_far_as_the_game_allows_it() {
    let mut contest = contest();
    let opened = contest.save();
    assert_eq!((contest.last_actor(), contest.take_back()), (None, Err(None)));
    contest.act(Act { seat: P1, declaration: said("now.do=give now.to=P2") }).unwrap();
    let one = contest.save();
    contest.act(Act { seat: P2, declaration: said("now.do=give now.to=P1") }).unwrap();
    assert_eq!(contest.last_actor(), Some(P2));
    contest.take_back().unwrap();
    assert_eq!((contest.save(), contest.last_actor()), (one, Some(P1)));
    contest.take_back().unwrap();
    assert_eq!(contest.save(), opened);
    contest.act(Act { seat: P2, declaration: said("now.do=rest") }).unwrap();
    let rests = contest.save();
    assert_eq!(contest.take_back(), Err(Some("T7")));
    assert_eq!(contest.save(), rests);
}

#[test]
fn the_interview_unfolds_with_the_answers() {
    let contest = contest();
    assert_eq!(open(&contest, P1, ""), ["tax.pay", "react.if-large", "act.way"]);
    assert_eq!(
        open(&contest, P1, "tax.pay=gold*1 react.if-large=stop act.way=place"),
        ["act.card"]
    );
    let complete = "tax.pay=gold*1 react.if-large=stop act.way=place act.card=3 act.pay=gold*3";
    assert!(contest.interview(P1, &said(complete)).is_complete());
    assert!(contest.interview(P1, &said("act.way=draw act.card=3")).superfluous.len() == 1);
}

#[test]
fn a_fault_names_the_question_the_reason_and_the_clause() {
    let fault = |text: &str| contest().interview(P1, &said(text)).faults[0].to_string();
    assert!(fault("act.way=fly").starts_with("act.way: NotOffered"));
    assert!(
        fault("act.way=place act.card=3 act.pay=gold*2")
            .contains("TooLittle { cost: 3, paid: 2 } (T3)")
    );
    assert!(fault("act.way=place act.card=3 act.pay=gold*4").contains("NotHeld"));
    assert!(fault("act.way=place act.card=5").contains("NotOffered"));
    assert!(fault("tax.pay=1").contains("Unfitting"));
}

#[test]
fn what_is_left_out_is_decided_and_ruled() {
    let mut contest = contest();
    contest.set_die(&Label::of(P1, "act.way".parse().unwrap()), Value::Choice("drop".into()));
    contest.set_die(&Label::of(P2, "act.way".parse().unwrap()), Value::Choice("draw".into()));
    let lines = close(&mut contest, "tax.pay=gold*1 act.dropped=1", "tax.pay=gold*2");
    assert_eq!(
        lines,
        [
            "Taxed { seat: P1, gold: 1 }",
            "P1 act.way ByDie T5.2",
            "P1 act.dropped Only T5.2",
            "Taxed { seat: P2, gold: 2 }",
            "P2 act.way ByDie T5.2",
            "Drew { seat: P2, card: Some(5) }",
        ]
    );
    assert!(contest.state().hands[P1].is_empty());
}

#[test]
fn a_skipped_turn_still_has_its_duty() {
    let mut contest = contest();
    let lines = close(&mut contest, "none", "tax.pay=gold*1 act.way=place act.card=5");
    assert_eq!(
        lines,
        [
            "P1  Skipped T5.1",
            "P1 tax.pay LargestFirst T5.3",
            "Taxed { seat: P1, gold: 1 }",
            // A card that is not held is a fault: the whole turn is undone first.
            "P2  Skipped T5.4",
            "P2 tax.pay LargestFirst T5.3",
            "Taxed { seat: P2, gold: 1 }",
        ]
    );
}

#[test]
fn a_reaction_suspends_and_the_re_run_goes_on() {
    let mut contest = contest();
    let place = "tax.pay=gold*1 act.way=place act.card=3 act.pay=gold*3";
    let first =
        close(&mut contest, place, "tax.pay=gold*1 act.way=place act.card=2 act.pay=gold*2");
    assert_eq!(first, ["Taxed { seat: P1, gold: 1 }"]);
    assert_eq!(contest.asked(), [P2]);
    // This test game does on purpose what a game must not do.
    assert!(contest.is_asked_in_part());
    // The reaction's form unfolds too, and knows nothing more.
    assert_eq!(open(&contest, P2, ""), ["react.answer"]);
    let interview = contest.interview(P2, &said("react.answer=stop"));
    assert_eq!(interview.asked.last().unwrap().question.key.to_string(), "react.why");
    let second = close(&mut contest, "none", "react.answer=pass");
    assert_eq!(second, ["Placed { seat: P1, card: 3, paid: 3 }", "Taxed { seat: P2, gold: 1 }"]);
    assert_eq!(contest.asked(), [P1]);
    let third = close(&mut contest, "react#2.answer=stop react#2.why=no", "none");
    assert_eq!(third, ["Stopped { by: P1 }"]);
    assert!(!contest.is_suspended());
    assert_eq!((contest.round(), contest.state().gold[P2]), (Round::new(2), 3));
}

#[test]
fn what_nobody_asked_changes_nothing_that_was_posted() {
    let play = |second: &str, third: &str| {
        let mut contest = contest();
        contest.set_die(&Label::of(P1, "act.way".parse().unwrap()), Value::Choice("place".into()));
        let place = "act.way=place act.card=2 act.pay=gold*2";
        let mut lines = close(&mut contest, "react.if-large=stop", place);
        for (p1, p2) in [("none", second), (third, "none")] {
            lines.extend(close(&mut contest, p1, p2));
        }
        (lines, contest.state().clone())
    };
    let asked = play("react.answer=stop react.why=no", "react#2.answer=pass");
    let more = "act.way=draw tax.pay=gold*3 act.card=1 react.if-large=pass react#2.why=no";
    let unasked = play(
        &format!("react.answer=stop react.why=no {more}"),
        &format!("react#2.answer=pass react.answer=stop {more}"),
    );
    assert_eq!(unasked, asked);
}

#[test]
fn an_unanswered_reaction_has_its_default() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    let lines = close(&mut contest, "none", "none");
    assert_eq!(
        lines[..2],
        ["P2 react.answer Supposed T5.2", "Placed { seat: P1, card: 1, paid: 1 }"]
    );
}

#[test]
fn a_pass_by_standing_orders_is_told_to_its_seat_alone() {
    let state = Stages::bare(&<Stages as Game>::Options::default(), 3);
    let mut contest = Contest::<Stages>::at(state, Dice::new([3; 32], "stages"));
    let mut passing = Declaration::default();
    passing.set("strike.whom".parse().unwrap(), Answer::Ordered(None));
    let declared = BySeat::new(3, |seat| (seat == P1).then(|| passing.clone()));
    let entries = contest.close(declared).unwrap().entries;
    let ordered = entries.iter().filter_map(|entry| match &entry.item {
        Item::Ruling(ruling) if ruling.outcome == Outcome::Ordered => Some(ruling),
        _ => None,
    });
    let ordered: Vec<&Ruling> = ordered.collect();
    assert_eq!(ordered.iter().map(|it| (it.seat, &it.key)).collect::<Vec<_>>(), [(P1, &None)]);
    assert_eq!(ordered[0].seen_by(Viewer::Public, Sealing::Open), None);
}

#[test]
fn an_override_in_the_middle_is_a_forced_answer() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    contest.force(P2, "react.answer".parse().unwrap(), Answer::Given(Value::Choice("stop".into())));
    let lines = close(&mut contest, "none", "react.answer=pass");
    assert_eq!(lines[..2], ["P2 react.answer Forced T5.7", "Stopped { by: P2 }"]);
}

#[test]
fn an_override_of_what_was_posted_holds_the_table() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    let twice = Answer::Given(Value::Payment(vec![("gold".into(), 2)]));
    contest.force(P1, "tax.pay".parse().unwrap(), twice);
    let held = contest.close(BySeat::new(2, |_| None)).unwrap_err();
    assert_eq!(held, contest::Held::Differs { round: Round::new(1) });
}

#[test]
fn a_forced_answer_shifts_no_other_die() {
    let play = |force: bool| {
        let mut contest = contest();
        if force {
            let way = Answer::Given(Value::Choice("draw".into()));
            contest.force(P1, "act.way".parse().unwrap(), way);
        }
        let lines = close(&mut contest, "tax.pay=gold*1", "tax.pay=gold*1");
        lines.into_iter().skip_while(|line| !line.contains("P2")).collect::<Vec<_>>()
    };
    let (free, forced) = (play(false), play(true));
    assert_eq!(free[1], forced[1], "P2's own die");
}

#[test]
fn the_deal_asks_everybody_at_once() {
    let (mut contest, dealt) = Contest::<Toy>::open(&(), 2, Dice::new([1; 32], "toy")).unwrap();
    assert_eq!(dealt.entries.len(), 1);
    assert_eq!(contest.asked(), [P1, P2]);
    assert_eq!(open(&contest, P2, ""), ["bid.gold"]);
    let lines = close(&mut contest, "bid.gold=6 bid.motto=hi", "none");
    assert_eq!(lines, ["P2 bid.gold ByDie T5.2"]);
    assert_eq!(contest.state().gold[P1], 10);
    assert_eq!(contest.state().motto[P1], "hi");
}

#[test]
fn the_gm_amends_by_questions() {
    let mut contest = contest();
    contest.amend(&said("gold.who=P2 gold.count=9")).unwrap();
    assert_eq!(contest.state().gold[P2], 9);
    let refused = contest.amend(&said("gold.who=P2 gold.count=10")).unwrap_err();
    assert_eq!(refused.faults.len(), 1);
    assert_eq!(contest.state().gold[P2], 9);
}

#[test]
fn an_interview_knows_no_more_than_its_seat() {
    let mut other = position();
    other.hands[P2] = vec![Some(4)];
    other.deck = vec![Some(1), Some(1)];
    for text in ["", "act.way=draw", "act.way=place", "act.way=drop act.dropped=3"] {
        let here = interview::interview::<Toy>(&position(), P1, &said(text));
        assert_eq!(here, interview::interview::<Toy>(&other, P1, &said(text)));
    }
}
