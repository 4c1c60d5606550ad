//! The list of games, with the test games.

use games::any::{AnyContest, AnyGame, TableOptionsError};
use games::playable::Edition;
use kit::stages_game::STAGES;
use kit::toy::{P1, Toy, position, said};
use kit::toy_game::{HIDDEN, TOY};
use rules::{BySeat, Contest, Dice, Entry, Item, Sealing, Viewer};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

#[test]
fn its_words_can_be_read() {
    assert_eq!(TOY.check_data(), []);
}

#[test]
fn its_sealings_are_open_or_hidden() {
    let dice = || Dice::new([1; 32], "toy");
    let sealing = |game: &dyn AnyGame| {
        let (contest, _) = game.open(&Json::Null, 2, dice()).unwrap();
        game.load(&contest.save(), dice()).unwrap().procedure().sealing
    };
    assert_eq!((sealing(TOY), sealing(HIDDEN)), (Sealing::Open, Sealing::Hidden));
    assert_ne!(TOY.key(), HIDDEN.key());
}

#[test]
fn an_edition_is_its_name_and_its_files_in_order() {
    let files = [("b", "2"), ("a", "締")];
    let edition = Edition::of("6.1", files.to_vec());
    let bytes = "a\n3\n締b\n1\n2";
    assert_eq!((edition.name.as_str(), edition.data), ("6.1", Sha256::digest(bytes).into()));
}

#[test]
fn what_cannot_be_dealt_is_refused_before_it_is() {
    assert_eq!(TOY.check_options(&Json::Null, 2), Ok(()));
    let open = |options: &Json, seats| TOY.open(options, seats, Dice::new([1; 32], "toy"));
    for (options, seats) in [(Json::Null, 5), (Json::Null, 1), ("fast".into(), 2)] {
        let refused = TOY.check_options(&options, seats).unwrap_err();
        assert_eq!(open(&options, seats).unwrap_err(), refused);
    }
}

#[test]
fn of_a_kept_record_everybody_sees_what_they_may_know() {
    let mut state = position();
    state.round = 1;
    let mut contest: Box<dyn AnyContest> =
        Box::new(Contest::<Toy>::at(state, Dice::new([3; 32], "toy")));
    let draw = said("tax.pay=gold*1 act.way=draw");
    let told = contest.close(BySeat::new(2, |seat| (seat == P1).then(|| draw.clone()))).unwrap();
    let mut whole = told.entries;
    assert_eq!(contest.seen(&whole, Viewer::All), whole);
    let public = contest.seen(&whole, Viewer::Public);
    assert_ne!(public, whole);

    let lost = Item::Event("an event of another time".into());
    whole.push(Entry { turn: None, section: "act".into(), item: lost });
    assert_eq!(contest.seen(&whole, Viewer::Public), public);
}

#[test]
fn the_words_of_stages_can_be_read() {
    assert_eq!(STAGES.check_data(), []);
}

/// An option that does not fit the number of seats is refused with its clause, and no other option is.
#[test]
fn an_option_is_held_against_the_number_of_seats() {
    let pairs = serde_json::json!({ "sides": "pairs" });
    assert_eq!(STAGES.check_options(&pairs, 4), Ok(()));
    for said in [2, 3] {
        let refused = STAGES.check_options(&pairs, said).unwrap_err();
        let TableOptionsError::Misfit { misfit, .. } = &refused else { panic!("{refused}") };
        assert_eq!((misfit.clause, misfit.least, misfit.most), ("S2", 4, 4));
        assert_eq!(
            refused.to_string(),
            format!("sides=pairs is for 4 to 4 seats (S2), not {said}")
        );
        assert_eq!(STAGES.check_options(&Json::Null, said), Ok(()));
    }
    // For display, an option is accepted with any number of seats.
    assert_eq!(STAGES.options(&pairs)[0].value, "pairs");
}
