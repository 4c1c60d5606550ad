//! The resolution of single windows of ザ・ギャング.

use crate::the_gang::cards::{Card, Suit, Value};
use crate::the_gang::extra_cards::{Challenge, Specialist};
use crate::the_gang::happening::{Happening, Way};
use crate::the_gang::options::{Chips, Options, UpToFive};
use crate::the_gang::state::{About, Guess, Hired, Star, State, Street, TheGang, WindowStage};
use rules::contest::Resolution;
use rules::{
    Act, Answer, BySeat, Clause, Contest, Declaration, Dice, Game, Item, Reason, Seat,
    Value as Said, Viewer,
};

type Table = Contest<TheGang>;

const P1: Seat = Seat::new(0);
const P2: Seat = Seat::new(1);
const P3: Seat = Seat::new(2);

/// Three players with two cards each: P1 ♣A ♣K, P2 ♣Q ♣J, P3 ♣10 ♣9.
fn table(options: &Options, build: impl FnOnce(&mut State)) -> Table {
    let mut state = State::bare(options, 3);
    for seat in [P1, P2, P3] {
        (0..2).for_each(|_| state.draw(seat));
    }
    build(&mut state);
    Contest::at(state, Dice::new([5; 32], "gang"))
}

fn one_pass() -> Options {
    Options { passes: serde_json::from_str::<UpToFive>("\"1\"").unwrap(), ..Options::default() }
}

fn live() -> Options {
    Options { chips: Chips::Live, ..Options::default() }
}

fn challenge(state: &mut State, card: Challenge) {
    state.piles.challenges.take_out(card);
    state.challenges.push(card);
}

fn hire(state: &mut State, card: Specialist) {
    state.piles.specialists.take_out(card);
    state.specialist = Some(Hired { card, used: false, user: None, on: None });
}

/// Parses declarations such as `act.do=take act.star=3`.
fn said(text: &str) -> Declaration {
    let mut declaration = Declaration::default();
    for piece in text.split_whitespace() {
        let (key, id) = piece.split_once('=').unwrap();
        declaration.set(key.parse().unwrap(), Answer::Given(Said::Choice(id.into())));
    }
    declaration
}

/// Closes the window with these declarations; an empty text is no declaration.
fn close(table: &mut Table, texts: [&str; 3]) -> Vec<Happening> {
    let declared = BySeat::new(3, |seat| {
        let text = texts[seat.index()];
        (!text.is_empty()).then(|| said(text))
    });
    happened(&table.close(declared).unwrap())
}

fn happened(resolution: &Resolution<Happening>) -> Vec<Happening> {
    let events = resolution.entries.iter().filter_map(|entry| match &entry.item {
        Item::Event(event) => Some(event.clone()),
        Item::Ruling(_) => None,
    });
    events.collect()
}

fn act(table: &mut Table, seat: Seat, text: &str) -> Vec<Happening> {
    let act = Act { seat, declaration: said(text) };
    happened(&table.act(act).unwrap_or_else(|found| panic!("{text}: {found:?}")))
}

fn refused(table: &mut Table, seat: Seat, text: &str) {
    assert!(table.act(Act { seat, declaration: said(text) }).is_err(), "{text}");
}

/// The chips of the round, P1's first; 0 for none.
fn held(table: &Table) -> [u8; 3] {
    [P1, P2, P3].map(|seat| table.state().held(seat).map_or(0, Star::get))
}

// --- G2 ---

#[test]
fn contested_wishes_are_asked_again_and_others_held() {
    let mut table = table(&Options::default(), |_| {});
    close(&mut table, ["chip.star=3", "chip.star=3", "chip.star=2"]);
    assert_eq!((table.state().stage, held(&table)), (WindowStage::Wishing { pass: 2 }, [0, 0, 2]));
    let events = close(&mut table, ["chip.star=3", "chip.star=1", ""]);
    assert!(events.iter().any(|event| matches!(event, Happening::Settled { .. })));
    assert_eq!(table.state().street, Street::Flop);
    let white = [P1, P2, P3].map(|seat| table.state().players[seat].chips[0].unwrap().get());
    assert_eq!(white, [3, 1, 2]);
}

#[test]
fn in_the_last_pass_the_die_decides_and_the_silent_get_what_is_left() {
    let mut table = table(&one_pass(), |_| {});
    let events = close(&mut table, ["chip.star=3", "chip.star=3", ""]);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Happening::WonLot { star, .. } if star.get() == 3))
    );
    let left = |way| {
        let is_it = |event: &&Happening| matches!(event, Happening::GotLeft { way: got, .. } if *got == way);
        events.iter().filter(is_it).count()
    };
    assert_eq!((left(Way::Die), left(Way::Only), left(Way::Policy)), (1, 1, 0));
    assert_eq!(table.state().street, Street::Flop);
}

#[test]
fn the_house_policy_chooses_for_the_silent_by_their_cards() {
    let mut table = table(&one_pass(), |_| {});
    close(&mut table, ["", "", ""]);
    let white = [P1, P2, P3].map(|seat| table.state().players[seat].chips[0].unwrap().get());
    assert_eq!(white, [3, 2, 1]);
}

#[test]
fn live_chips_are_taken_from_the_middle_and_from_others_until_all_say_ok() {
    let mut table = table(&live(), |_| {});
    act(&mut table, P1, "act.do=take act.star=3");
    act(&mut table, P2, "act.do=take act.star=2");
    act(&mut table, P2, "act.do=ok");
    act(&mut table, P3, "act.do=take act.star=2");
    assert_eq!(held(&table), [3, 0, 2]);
    assert!(!table.state().players[P2].ok, "a move clears every OK");
    refused(&mut table, P2, "act.do=ok");
    refused(&mut table, P2, "act.do=take");
    act(&mut table, P2, "act.do=take act.star=1");
    act(&mut table, P2, "act.do=return");
    refused(&mut table, P2, "act.do=take act.star=3");
    act(&mut table, P2, "act.do=take act.star=1");
    refused(&mut table, P2, "act.do=return");
    for seat in [P1, P2, P3] {
        assert!(!table.asked().is_empty());
        act(&mut table, seat, "act.do=ok");
    }
    assert!(table.asked().is_empty());
    close(&mut table, ["", "", ""]);
    assert_eq!(table.state().street, Street::Flop);
}

// --- G5 ---

#[test]
fn a_fixed_chip_stays_and_its_owner_is_not_asked() {
    let mut table = table(&Options::default(), |state| challenge(state, Challenge::NoiseSensors));
    close(&mut table, ["chip.star=1", "chip.star=3", "chip.star=3"]);
    assert_eq!((held(&table), table.asked()), ([1, 0, 0], vec![P2, P3]));
    let faults = table.interview(P2, &said("chip.star=1")).remarks;
    assert_eq!(faults[0].clause, Clause::new("G7.3"));
    close(&mut table, ["", "chip.star=1", "chip.star=2"]);
    assert_eq!((held(&table), table.state().stage), ([1, 0, 2], WindowStage::Wishing { pass: 3 }));
}

/// Builds the river, with a board that gives P3 a pair of tens, P1 no more than an ace and P2 no more than a
/// queen.
fn river(state: &mut State) {
    let values = [Value::Two, Value::Four, Value::Six, Value::Eight, Value::Ten];
    let suits = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Spades, Suit::Hearts];
    for (suit, value) in suits.into_iter().zip(values) {
        let card = Card::Of(suit, value);
        state.deck.retain(|other| *other != Some(card));
        state.board.push(card);
    }
    state.street = Street::River;
}

#[test]
fn the_order_of_the_red_chips_is_held_against_the_hands() {
    for (texts, order) in [
        (["chip.star=2", "chip.star=1", "chip.star=3"], true),
        (["chip.star=3", "chip.star=1", "chip.star=2"], false),
    ] {
        let mut table = table(&Options::default(), river);
        let events = close(&mut table, texts);
        let ended = events.iter().find_map(|event| match event {
            Happening::HeistEnded { success, order, .. } => Some((*success, *order)),
            _ => None,
        });
        assert_eq!(ended, Some((order, order)));
        let state = table.state();
        assert_eq!((state.vaults, state.alarms), (u8::from(order), u8::from(!order)));
        assert_eq!((state.heist, state.street), (2, Street::PreFlop));
        assert_eq!(state.showdown.as_ref().unwrap().rows.len(), 3);
    }
}

#[test]
fn the_others_guess_a_value_of_the_highest_red_chip() {
    let mut table = table(&Options::default(), |state| {
        river(state);
        challenge(state, Challenge::RetinaScan);
        challenge(state, Challenge::FingerprintScan);
    });
    close(&mut table, ["chip.star=2", "chip.star=1", "chip.star=3"]);
    assert_eq!(table.state().stage, WindowStage::Guessing { about: About::Value });
    assert_eq!(table.asked(), [P1, P2]);
    assert!(TheGang::seen_by(table.state(), Viewer::Public).players[P3].pocket[0].is_none());
    refused(&mut table, P3, "act.do=guess act.value=ten");
    act(&mut table, P1, "act.do=guess act.value=nine");
    act(&mut table, P2, "act.do=guess act.value=ten");
    act(&mut table, P1, "act.do=guess act.value=ten");
    assert!(table.asked().is_empty());
    let events = close(&mut table, ["", "", ""]);
    let settled = Happening::GuessSettled {
        about: About::Value,
        guess: Guess::Value(Value::Ten),
        way: Way::All,
    };
    assert!(events.contains(&settled), "{events:?}");
    assert_eq!(table.state().stage, WindowStage::Guessing { about: About::Ranking });
    act(&mut table, P1, "act.do=guess act.ranking=flush");
    let events = close(&mut table, ["", "", ""]);
    let wrong =
        events.iter().any(|event| matches!(event, Happening::GuessProved { right: false, .. }));
    assert!(wrong, "{events:?}");
    assert_eq!((table.state().vaults, table.state().alarms), (0, 1));
}

#[test]
fn a_flop_without_faces_lets_the_highest_white_chip_redraw() {
    let mut table = table(&Options::default(), |state| {
        challenge(state, Challenge::LaserTripwires);
        challenge(state, Challenge::Blackout);
    });
    let events = close(&mut table, ["chip.star=3", "chip.star=2", "chip.star=1"]);
    let redrew = events.iter().find(|event| matches!(event, Happening::Redrew { .. })).unwrap();
    let Happening::Redrew { seat, cards, .. } = redrew else { unreachable!() };
    assert_eq!((*seat, cards), (P1, &table.state().players[P1].pocket));
    let Some(Happening::Redrew { cards, discarded, .. }) =
        redrew.seen_by(table.state(), Viewer::Seat(P2))
    else {
        unreachable!()
    };
    assert!(cards.iter().chain(&discarded).all(Option::is_none));
    assert_eq!(table.state().players[P1].chips, [None; 4], "the blackout comes afterwards");
}

// --- G6 ---

#[test]
fn the_informant_shows_a_card_once_all_agree_and_the_pass_comes_again() {
    let mut table = table(&Options::default(), |state| hire(state, Specialist::Informant));
    refused(&mut table, P1, "act.do=propose act.user=P2");
    act(&mut table, P1, "act.do=propose act.user=P2 act.on=P3");
    refused(&mut table, P3, "act.do=propose act.user=P2 act.on=P3");
    act(&mut table, P2, "act.do=agree");
    act(&mut table, P3, "act.do=agree");
    assert!(table.asked().is_empty());
    close(&mut table, ["", "", ""]);
    assert_eq!(table.state().stage, WindowStage::Choosing { seat: P2, pass: 1 });
    assert_eq!(table.asked(), [P2]);
    let events = close(&mut table, ["", "choose.card=CQ", ""]);
    let card = Some(Card::Of(Suit::Clubs, Value::Queen));
    assert_eq!(events, [Happening::ShowedCard { seat: P2, to: P3, card }]);
    assert_eq!(events[0].seen_by(table.state(), Viewer::Seat(P3)), Some(events[0].clone()));
    let hidden = Happening::ShowedCard { seat: P2, to: P3, card: None };
    assert_eq!(events[0].seen_by(table.state(), Viewer::Seat(P1)), Some(hidden));
    let informed = |viewer| table.state().seen_by(viewer).players[P3].informed;
    assert_eq!(informed(Viewer::Seat(P3)), card.map(|card| (P2, card)));
    assert_eq!((informed(Viewer::Seat(P1)), informed(Viewer::Public)), (None, None));
    assert_eq!(table.state().stage, WindowStage::Wishing { pass: 1 });
    refused(&mut table, P1, "act.do=propose act.user=P2 act.on=P3");
}

#[test]
fn what_nobody_objects_to_takes_effect_at_the_close() {
    let mut table = table(&Options::default(), |state| hire(state, Specialist::Jack));
    act(&mut table, P1, "act.do=propose act.user=P2");
    act(&mut table, P3, "act.do=object");
    assert_eq!(table.state().proposal, None);
    act(&mut table, P1, "act.do=propose act.user=P2");
    assert!(!TheGang::procedure(table.state()).closes_early);
    close(&mut table, ["chip.star=3", "chip.star=2", "chip.star=1"]);
    assert_eq!(held(&table), [0, 0, 0], "nothing sealed before counts");
    close(&mut table, ["", "choose.card=J", ""]);
    let pocket = &table.state().players[P2].pocket;
    assert!(pocket.contains(&Some(Card::Jack)) && pocket.len() == 2, "{pocket:?}");
}

#[test]
fn a_hacker_who_is_silent_discards_what_was_drawn() {
    let mut table = table(&live(), |state| hire(state, Specialist::Hacker));
    let before = table.state().players[P1].pocket.clone();
    act(&mut table, P3, "act.do=propose act.user=P1");
    act(&mut table, P1, "act.do=agree");
    act(&mut table, P2, "act.do=agree");
    assert_eq!(table.state().players[P1].pocket.len(), 3);
    close(&mut table, ["", "", ""]);
    close(&mut table, ["", "", ""]);
    assert_eq!(
        (&table.state().players[P1].pocket, table.state().stage),
        (&before, WindowStage::Taking)
    );
}

#[test]
fn the_coordinator_lets_everybody_pass_a_card_to_the_left() {
    let mut table = table(&Options::default(), |state| {
        hire(state, Specialist::Coordinator);
        state.stage = WindowStage::Passing;
    });
    let events = close(&mut table, ["pass.card=CA", "pass.card=CQ", "pass.card=C10"]);
    assert_eq!(events.len(), 4, "{events:?}");
    let passed = Card::Of(Suit::Clubs, Value::Ten);
    assert!(table.state().players[P1].pocket.contains(&Some(passed)));
    assert_eq!(table.state().stage, WindowStage::Wishing { pass: 1 });
}

#[test]
fn the_muscle_beats_a_higher_card_of_its_ranking() {
    // P1 and P2 have a high card only, and P1's is higher.
    let mut table = table(&Options::default(), |state| {
        river(state);
        hire(state, Specialist::Muscle);
    });
    act(&mut table, P1, "act.do=propose act.user=P2");
    act(&mut table, P2, "act.do=agree");
    act(&mut table, P3, "act.do=agree");
    close(&mut table, ["chip.star=1", "chip.star=2", "chip.star=3"]);
    assert_eq!((table.state().vaults, table.state().alarms), (1, 0));
}

#[test]
fn a_chip_that_the_gm_gives_is_of_this_round_if_no_other_is_said() {
    let mut table = table(&Options::default(), river);
    table.amend(&said("chips.who=P2 chips.star=3")).unwrap();
    table.amend(&said("chips.who=P1 chips.street=flop chips.star=3")).unwrap();
    let chips = |seat: Seat, street: Street| {
        table.state().players[seat].chips[street.index()].map(Star::get)
    };
    assert_eq!(chips(P2, Street::River), Some(3));
    assert_eq!(chips(P1, Street::Flop), Some(3));
}

#[test]
fn what_cannot_be_done_any_more_is_barred_with_its_reason() {
    let bars = |table: &Table, seat, text: &str| {
        let found = table.acting(seat, &said(text));
        let [fault] = &found.faults[..] else { panic!("{text}: {found:?}") };
        let Reason::Barred { why, .. } = &fault.reason else { panic!("{text}: {fault}") };
        (why.to_string(), fault.clause.to_string())
    };
    let why = |why: &str, clause: &str| (why.to_owned(), clause.to_owned());
    let mut moved = table(&live(), |state| state.players[P1].moves = state.options.moves.get() - 1);
    act(&mut moved, P1, "act.do=take act.star=3");
    for text in ["act.do=take act.star=2", "act.do=return"] {
        assert_eq!(bars(&moved, P1, text), why("no-moves", "G2.4"));
    }
    act(&mut moved, P1, "act.do=ok");
    assert_eq!(bars(&moved, P1, "act.do=return"), why("no-moves", "G2.4"));
    assert!(!moved.acting(P1, &Declaration::default()).is_asking());

    let hired = |state: &mut State| hire(state, Specialist::Mastermind);
    let mut used = table(&Options::default(), hired);
    act(&mut used, P1, "act.do=propose act.user=P2 act.value=king");
    act(&mut used, P2, "act.do=agree");
    act(&mut used, P3, "act.do=agree");
    let again = "act.do=propose act.user=P1 act.value=ace";
    assert_eq!(bars(&used, P2, again), why("specialist-used", "G6.12"));

    let mut jack = table(&Options::default(), |state| hire(state, Specialist::Jack));
    act(&mut jack, P1, "act.do=propose act.user=P1");
    act(&mut jack, P2, "act.do=agree");
    act(&mut jack, P3, "act.do=agree");
    close(&mut jack, ["", "", ""]);
    let found = jack.interview(P1, &said("choose.card=J"));
    let [remark] = &found.remarks[..] else { panic!("{found:?}") };
    assert_eq!((&remark.reason, remark.clause.as_str()), (&barred_jack(), "G6.13"));
}

fn barred_jack() -> Reason {
    Reason::Barred { input: "J".into(), why: "the-jack".into() }
}
