//! The effects of the GM's moves beyond the declared cards.

use crate::the_gang::cards::Card;
use crate::the_gang::extra_cards::Challenge;
use crate::the_gang::happening::Happening;
use crate::the_gang::options::{Chips, Options};
use crate::the_gang::state::{About, State, Street, TheGang, WindowStage};
use rules::{Answer, Contest, Declaration, Dice, Entry, Item, Reason, Seat, Value as Said, Viewer};

type Table = Contest<TheGang>;

const P1: Seat = Seat::new(0);
const P2: Seat = Seat::new(1);
const P3: Seat = Seat::new(2);

/// Three players with two cards each: P1 ♣A ♣K, P2 ♣Q ♣J, P3 ♣10 ♣9; ♣8 is next in the deck.
fn table() -> Table {
    let mut state = State::bare(&Options::default(), 3);
    for seat in [P1, P2, P3] {
        (0..2).for_each(|_| state.draw(seat));
    }
    Contest::at(state, Dice::new([5; 32], "gang"))
}

/// Parses declarations such as `board.cards=CQ,S2,S3 pocket.who=P1`.
fn said(text: &str) -> Declaration {
    let mut declaration = Declaration::default();
    for piece in text.split_whitespace() {
        let (key, ids) = piece.split_once('=').unwrap();
        let value = if key.ends_with("cards") {
            Said::Picks(ids.split(',').map(Into::into).collect())
        } else {
            Said::Choice(ids.into())
        };
        declaration.set(key.parse().unwrap(), Answer::Given(value));
    }
    declaration
}

fn happened(entries: &[Entry<Happening>]) -> Vec<Happening> {
    let events = entries.iter().filter_map(|entry| match &entry.item {
        Item::Event(event) => Some(event.clone()),
        Item::Ruling(_) => None,
    });
    events.collect()
}

fn card(id: &str) -> Card {
    Card::all().find(|card| card.word() == id).unwrap()
}

fn pocket(table: &Table, seat: Seat) -> Vec<&'static str> {
    table.state().players[seat].pocket.iter().flatten().map(|card| card.word()).collect()
}

/// Asserts that every card of the deck is in exactly one place.
fn nothing_is_lost(state: &State) {
    let pockets = state.players.iter().flat_map(|(_, player)| player.pocket.iter().flatten());
    let mut cards: Vec<Card> =
        pockets.chain(state.deck.iter().flatten()).chain(&state.board).copied().collect();
    cards.sort_unstable();
    assert_eq!(cards, Card::deck().collect::<Vec<_>>());
}

#[test]
fn whoever_loses_a_card_is_dealt_another() {
    let mut table = table();
    let told = table.amend(&said("board.cards=CQ,SA,SK")).unwrap();
    let replaced = Happening::Replaced { seat: P2, card: Some(card("CQ")), by: Some(card("C8")) };
    assert_eq!(happened(&told.entries), std::slice::from_ref(&replaced));
    assert_eq!(pocket(&table, P2), ["CJ", "C8"]);
    assert_eq!((table.state().street, table.state().board.len()), (Street::Flop, 3));
    nothing_is_lost(table.state());
    // Only the owner sees the cards.
    let covered = Happening::Replaced { seat: P2, card: None, by: None };
    assert_eq!(replaced.seen_by(table.state(), Viewer::Seat(P2)), Some(replaced.clone()));
    assert_eq!(replaced.seen_by(table.state(), Viewer::Seat(P1)), Some(covered));

    let told = table.amend(&said("pocket.who=P1 pocket.cards=C10,CA")).unwrap();
    let replaced = Happening::Replaced { seat: P3, card: Some(card("C10")), by: Some(card("C7")) };
    assert_eq!(happened(&told.entries), [replaced]);
    assert_eq!((pocket(&table, P1), pocket(&table, P3)), (vec!["C10", "CA"], vec!["C9", "C7"]));
    nothing_is_lost(table.state());

    // Known cards on top of the deck stay there.
    table.amend(&said("top.cards=S2,CJ")).unwrap();
    assert_eq!(pocket(&table, P2), ["C8", "C6"]);
    let top: Vec<Card> = table.state().deck.iter().rev().take(2).copied().flatten().collect();
    assert_eq!((top, table.state().known), (vec![card("S2"), card("CJ")], 2));
    nothing_is_lost(table.state());
}

#[test]
fn who_may_not_see_a_card_does_not_learn_where_it_lies() {
    let table = table();
    let sought = |id| vec![Happening::Sought { cards: [card(id)].into_iter().collect() }];
    // The first card lies in a pocket, the second in the deck.
    for id in ["CQ", "S5"] {
        let edit = said(&format!("pocket.who=P3 pocket.cards={id},C10"));
        let both = Happening::Sought { cards: [card(id), card("C10")].into_iter().collect() };
        for viewer in [Viewer::Public, Viewer::Seat(P1)] {
            assert_eq!(happened(&table.foresee(&edit, viewer)), std::slice::from_ref(&both));
        }
        assert_eq!(happened(&table.foresee(&edit, Viewer::Seat(P3))), sought(id));
    }
    // A player knows their own card, but not its replacement.
    let edit = said("board.cards=CA,S2,S3");
    let own = happened(&table.foresee(&edit, Viewer::Seat(P1)));
    assert_eq!(own[0], Happening::Replaced { seat: P1, card: Some(card("CA")), by: None });
    let all = happened(&table.foresee(&edit, Viewer::All));
    assert_eq!(
        all,
        [Happening::Replaced { seat: P1, card: Some(card("CA")), by: Some(card("C8")) }]
    );
}

#[test]
fn what_would_leave_a_wrong_number_of_cards_is_refused() {
    let mut table = table();
    table.amend(&said("board.cards=S2,S3,S4")).unwrap();
    let reason = |text: &str| {
        let found = table.clone().amend(&said(text)).unwrap_err();
        found.faults[0].reason.clone()
    };
    let count = |min, max, input| Reason::OutOfRange { min, max, input };
    assert_eq!(reason("board.cards=CQ"), count(3, 5, 1));
    assert_eq!(reason("pocket.who=P1 pocket.cards=CQ"), count(2, 2, 1));
    assert_eq!(reason("pocket.who=P1 pocket.cards=CQ,S9,S8"), count(2, 2, 3));
    let barred = |input: &str, why: &str| Reason::Barred { input: input.into(), why: why.into() };
    let on_the_board = barred("S3", "on-the-board");
    assert_eq!(reason("pocket.who=P1 pocket.cards=CQ,S3"), on_the_board);
    assert_eq!(reason("top.cards=S3"), on_the_board);
    assert_eq!(reason("effect.cards=hacker,muscle"), barred("muscle", "one-specialist"));
    // Two challenges can be in effect.
    table.amend(&said("effect.cards=blackout,security-cameras,hacker")).unwrap();
    let state = table.state();
    assert_eq!(state.challenges[..], [Challenge::Blackout, Challenge::SecurityCameras]);
    for seat in [P1, P2, P3] {
        assert_eq!(pocket(&table, seat).len(), 3);
    }
    table.amend(&said("effect.cards=hacker")).unwrap();
    assert_eq!(pocket(&table, P1), ["CA", "CK"]);
    nothing_is_lost(table.state());
}

/// G2.4.1: the GM's move clears every OK like any other, but counts for no player.
#[test]
fn a_chip_that_is_given_at_a_live_table_is_taken_before_everybodys_eyes() {
    let mut table = table();
    let mut state = table.state().clone();
    state.options.chips = Chips::Live;
    state.stage = WindowStage::Taking;
    for (seat, star) in [(P1, 1), (P3, 2)] {
        state.players[seat].chips[0] = state.stars().find(|held| held.get() == star);
        state.players[seat].ok = true;
    }
    table = Contest::at(state, Dice::new([5; 32], "gang"));
    let told = table.amend(&said("chips.who=P1 chips.star=2")).unwrap();
    let [Happening::Took { seat: P1, star, from: Some(P3), back: Some(back) }] =
        happened(&told.entries)[..]
    else {
        panic!("{told:?}")
    };
    assert_eq!((star.get(), back.get()), (2, 1));
    assert!(table.state().players.iter().all(|(_, player)| !player.ok && player.moves == 0));
    assert_eq!(table.state().held(P3), None);
}

#[test]
fn what_a_specialist_was_asked_for_goes_with_it() {
    let mut table = table();
    table.amend(&said("effect.cards=hacker")).unwrap();
    let mut state = table.state().clone();
    state.draw(P1);
    state.stage = WindowStage::Choosing { seat: P1, pass: 2 };
    table = Contest::at(state, Dice::new([5; 32], "gang"));
    assert_eq!(pocket(&table, P1).len(), 3);
    table.amend(&said("effect.cards=muscle")).unwrap();
    assert_eq!(table.state().stage, WindowStage::Wishing { pass: 2 }, "the wishes are asked for");
    assert_eq!(pocket(&table, P1).len(), 2);
    table.amend(&said("effect.cards=coordinator")).unwrap();
    assert_eq!(table.state().stage, WindowStage::Passing);
    table.amend(&said("effect.cards=muscle")).unwrap();
    assert_eq!(table.state().stage, WindowStage::Wishing { pass: 1 });
    nothing_is_lost(table.state());
}

#[test]
fn what_is_guessed_about_stays_in_effect() {
    let mut state = table().state().clone();
    state.stage = WindowStage::Guessing { about: About::Value };
    let table: Table = Contest::at(state, Dice::new([5; 32], "gang"));
    let faults = table.rehearse(&said("effect.cards=muscle"), Viewer::All).faults;
    let why =
        |reason: &Reason| matches!(reason, Reason::Barred { why, .. } if why == "while-guessing");
    assert!(faults.iter().any(|fault| why(&fault.reason)), "{faults:?}");
}

#[test]
fn nobody_has_a_chip_of_a_round_to_come() {
    let table = table();
    let faults = |street: &str| {
        let said = said(&format!("chips.who=P1 chips.street={street} chips.star=2"));
        table.rehearse(&said, Viewer::All).faults
    };
    assert!(faults("pre-flop").is_empty(), "{:?}", faults("pre-flop"));
    assert_eq!(faults("river").len(), 1);
}
