//! The frames of a referee: for a turn, for an act, and for a deed outside of a turn.

use kit::pieces::words;
use kit::stages::{Options, Stages, State};
use rules::adjudication::{Adjudicated, Answers, adjudicate};
use rules::*;

fn run(
    declared: &str,
    rule: impl FnOnce(&mut State, &mut Referee<'_, Stages>) -> Play<()>,
) -> Adjudicated<Stages> {
    let mut answers = Answers::new(2);
    let answer = Answer::Given(Value::Choice(declared.into()));
    let mut plan = Declaration::default();
    plan.set(Key::part("plan"), answer);
    answers.declared[Seat::new(1)] = Some(plan);
    let dice = Dice::new([7; 32], "frames").of_window(1, 0);
    adjudicate(rule, &Stages::bare(&Options::default(), 2), &answers, dice).unwrap()
}

/// Plays a part in which the second seat answers a question of its plan.
fn carry_out(state: &mut State, referee: &mut Referee<'_, Stages>) -> Play<()> {
    let key = Key::part("plan");
    let body = |state: &mut State, referee: &mut Referee<'_, Stages>| {
        state.turn += 1;
        let ask = Ask::new(key.clone(), "S1").or_nothing();
        referee.choose(Seat::new(1), &ask, &words(["strike"])).map(drop)
    };
    referee.part(&key, state, body).map(drop)
}

/// Returns the seat and outcome of each ruling, with the seat whose turn it is.
fn rulings(run: Adjudicated<Stages>) -> Vec<(Seat, Outcome, Option<Seat>)> {
    let (entries, _) = run.record.into_parts();
    let ruling = |entry: Entry<_>| match entry.item {
        Item::Ruling(ruling) => Some((ruling.seat, ruling.outcome, entry.turn)),
        Item::Event(_) => None,
    };
    entries.into_iter().filter_map(ruling).collect()
}

#[test]
fn what_is_carried_out_for_a_seat_is_returned_under_its_name() {
    let second = Seat::new(1);
    let done = run("surrender", |state, referee| {
        referee.on_behalf(second, |referee| carry_out(state, referee))
    });
    assert_eq!(done.state.turn, 0, "the part was undone");
    assert_eq!(rulings(done), [(second, Outcome::Returned, Some(second))]);
    // Outside of every frame the answer counts as left out, and the part goes on.
    let done = run("surrender", carry_out);
    assert_eq!(done.state.turn, 1);
    assert_eq!(rulings(done), [(second, Outcome::Returned, None)]);
    let done = run("strike", |state, referee| {
        referee.on_behalf(second, |referee| carry_out(state, referee))
    });
    assert_eq!((done.state.turn, rulings(done)), (1, Vec::new()));
}
