//! Presses: the acts and answers that take one press.

use kit::toy::{P1, P2, Toy, position, said};
use rules::{Act, Contest, Dice};

#[test]
fn what_one_or_another_can_do_is_there_once() {
    let mut contest = Contest::<Toy>::at(position(), Dice::new([3; 32], "toy"));
    let acts = |contest: &Contest<Toy>| {
        let all = contest.common_acts();
        all.into_iter().map(|press| (press.options.join(" "), press.whole)).collect::<Vec<_>>()
    };
    // The act asks for a receiver next.
    let both = [("rest".to_owned(), true), ("give".to_owned(), false)];
    assert_eq!(acts(&contest), both);
    contest.act(Act { seat: P1, declaration: said("now.do=rest") }).unwrap();
    assert_eq!(acts(&contest), both);
    contest.act(Act { seat: P2, declaration: said("now.do=rest") }).unwrap();
    assert_eq!(acts(&contest), []);
}

#[test]
fn who_is_asked_several_things_needs_a_form() {
    let contest = Contest::<Toy>::at(position(), Dice::new([3; 32], "toy"));
    assert_eq!(contest.common_answers(), []);
}
