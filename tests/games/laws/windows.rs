//! The opening, closing and ending of windows. A declaration is at fault only if its author was warned.

use std::cell::RefCell;
use std::collections::BTreeSet;

use rules::ask::largest_first;
use rules::contest::Resolution;
use rules::interview::Asked;
use rules::playout::{self, Room};
use rules::{
    Answer, Contest, Declaration, Entry, Item, Outcome, Ruling, Seat, Shape, Suppose, Value,
};

use crate::laws::lawful::{Lawful, Table, chance, dice, games, play, random, rulings, spoil};

pub(crate) fn every_game_ends_and_asks_no_seat_twice_in_one_window<G: Lawful>() {
    for game in games::<G>(1) {
        let (options, seats) = G::table(game);
        let mut asked = BTreeSet::new();
        let played = play::<G>(
            game,
            |contest, seat, declaration| {
                assert!(asked.insert((contest.round(), seat)), "game {game}: {seat} asked twice");
                Some(declaration)
            },
            |_, resolution| {
                let skipped = rulings(resolution).find(|ruling| ruling.outcome == Outcome::Skipped);
                assert_eq!(skipped, None, "game {game}: a complete declaration was skipped");
            },
        );
        assert!(played.windows <= G::most_windows(&options), "game {game}: {}", played.windows);
        assert_eq!(played.standing.len(), seats, "game {game}");
    }
}

pub(crate) fn nobody_is_asked_inside_of_a_part<G: Lawful>() {
    for game in games::<G>(4) {
        play::<G>(
            game,
            |contest, seat, declaration| {
                assert!(!contest.is_asked_in_part(), "game {game}: {seat}");
                Some(declaration)
            },
            |_, _| {},
        );
    }
}

pub(crate) fn a_play_out_on_the_fly_ends_too<G: Lawful>() {
    let mut room = Room::default();
    for game in games::<G>(1) {
        let (options, seats) = G::table(game);
        let played =
            playout::quick::<G>(&options, &dice(game), &mut random(game), &mut room, |_| {});
        assert!(played.windows <= G::most_windows(&options), "game {game}: {}", played.windows);
        assert_eq!(played.standing.len(), seats, "game {game}");
    }
}

/// True if a turn was skipped because of its declaration.
fn is_fault(ruling: &Ruling) -> bool {
    ruling.outcome == Outcome::Skipped && ruling.fault.is_some()
}

pub(crate) fn only_a_declaration_that_was_sealed_as_faulty_is_a_fault<G: Lawful>() {
    let mut faults = 0;
    for game in games::<G>(4) {
        let mut mischief = chance(game, "spoil");
        let sealed_faulty = RefCell::new(BTreeSet::new());
        play::<G>(
            game,
            |contest, seat, declaration| {
                if mischief.below(10) == 0 {
                    return None;
                }
                let declaration = spoil::<G>(&declaration, &mut mischief);
                if !contest.interview(seat, &declaration).faults.is_empty() {
                    let returns = contest.procedure().fault.is_none();
                    assert!(G::FAULT.is_some() || returns, "game {game}: {declaration:?}");
                    sealed_faulty.borrow_mut().insert(seat);
                }
                Some(declaration)
            },
            |_, resolution| {
                let cites = |ruling: &Ruling| Some(ruling.clause.as_str()) == G::FAULT;
                for ruling in rulings(resolution).filter(|ruling| is_fault(ruling) || cites(ruling))
                {
                    let sealed_faulty = sealed_faulty.borrow().contains(&ruling.seat);
                    assert!(sealed_faulty && is_fault(ruling), "game {game}: {ruling:?}");
                    assert!(cites(ruling), "game {game}: {ruling:?}");
                    faults += 1;
                }
                sealed_faulty.borrow_mut().clear();
            },
        );
    }
    assert!(faults > 100 || G::FAULT.is_none(), "{faults} faults were met");
}

pub(crate) fn a_default_is_always_legal<G: Lawful>() {
    for game in games::<G>(4) {
        play::<G>(
            game,
            |contest, seat, declaration| {
                for declared in [Declaration::default(), declaration] {
                    for asked in contest.interview(seat, &declared).asked {
                        assert_default(&asked);
                    }
                }
                // Nobody declares anything but their presence.
                Some(Declaration::default())
            },
            |_, resolution| {
                let bad = [Outcome::Returned, Outcome::Skipped];
                let bad = rulings(resolution).find(|ruling| bad.contains(&ruling.outcome));
                assert_eq!(bad, None, "game {game}: a default was not legal");
            },
        );
    }
}

fn assert_default(asked: &Asked) {
    let question = &asked.question;
    let pays = matches!(question.shape, Shape::Pay { .. });
    assert_eq!(pays, question.suppose == Suppose::LargestFirst, "{question:?}");
    match (&question.shape, &question.suppose) {
        (Shape::Choose { options, .. }, Suppose::This(id)) => {
            assert!(options.contains(id), "{question:?}");
        }
        // If every option is barred, the phase passes.
        (Shape::Choose { options, barred }, _) => {
            assert!(!options.is_empty() || !barred.is_empty(), "{question:?}");
        }
        // A standing order to pay is carried out only if it is needed and possible.
        (Shape::Pay { cost: Some(cost), purse, limit }, _) if !asked.standing => {
            assert!(largest_first(*cost, purse, *limit).is_some(), "{question:?}");
        }
        (Shape::Pick { options, min, .. }, _) => assert!(options.len() >= usize::from(*min)),
        (Shape::Number { min, max }, _) => assert!(min <= max),
        _ => {}
    }
}

/// Asserts that standing orders change no declared answer, are possible in the window that they answer in,
/// and cause no skipped turn.
pub(crate) fn standing_orders_fill_what_is_left_out_and_nothing_else<G: Lawful>() {
    for game in games::<G>(4) {
        let mut window = 0;
        play::<G>(
            game,
            |contest, seat, declaration| {
                window += 1;
                let orders = some_orders(contest, seat, window);
                assert_eq!(contest.ordering(seat, &orders).faults, [], "game {game}");
                for said in [Declaration::default(), declaration] {
                    let filled = contest.with_orders(seat, &said, &orders);
                    assert_eq!(filled.without_orders(), said, "game {game}");
                    let faults = |said: &Declaration| contest.interview(seat, said).faults;
                    assert_eq!(faults(&filled), faults(&said), "game {game}");
                    let again = contest.with_orders(seat, &filled, &orders);
                    assert_eq!(again, filled, "game {game}");
                    let none = contest.with_orders(seat, &filled, &Declaration::default());
                    assert_eq!(none, said, "game {game}");
                }
                Some(contest.with_orders(seat, &Declaration::default(), &orders))
            },
            |_, resolution| {
                let skipped = rulings(resolution).find(|ruling| ruling.outcome == Outcome::Skipped);
                assert_eq!(skipped, None, "game {game}: orders were at fault");
            },
        );
    }
}

/// Returns orders of a seat, with another option for every question in each window, or none.
fn some_orders<G: Lawful>(contest: &Contest<G>, seat: Seat, window: usize) -> Declaration {
    let mut orders = Declaration::default();
    for asked in contest.ordering(seat, &orders).asked {
        let (Shape::Choose { options, .. } | Shape::Pick { options, .. }) = &asked.question.shape
        else {
            continue;
        };
        if let Some(option) = options.get(window % (options.len() + 1)) {
            orders.set(asked.question.key, Answer::Given(Value::Choice(option.clone())));
        }
    }
    orders
}

/// Asserts that with a reserve for every part, possible answers are carried out as without reserves, and
/// impossible ones fall back on them; no turn is skipped because of that, and the same seed gives the same
/// game.
pub(crate) fn what_is_in_reserve_counts_where_what_is_said_first_cannot_stand_and_nowhere_else<
    G: Lawful,
>() {
    let mut fell_back = 0;
    for game in games::<G>(4) {
        let (mut table, _) = Table::<G>::open(game);
        while !table.is_over() {
            table.act();
            let declared = playout::declarations(&table.contest, &mut table.policies);
            let held = declared
                .map(|seat, said| said.as_ref().map(|said| in_reserve(&table.contest, seat, said)));
            let (mut plain, mut again) = (table.contest.clone(), table.contest.clone());
            let without = plain.close(declared).unwrap();
            let with = table.contest.close(held.clone()).unwrap();
            assert_eq!(again.close(held).unwrap().entries, with.entries, "game {game}");
            let skipped = rulings(&with).find(|ruling| ruling.outcome == Outcome::Skipped);
            assert_eq!(skipped, None, "game {game}");
            let fell: Vec<&Ruling> =
                rulings(&with).filter(|ruling| ruling.outcome == Outcome::InReserve).collect();
            if let Some(first) = fell.first() {
                let is_theirs = |ruling: &Ruling| ruling.seat == first.seat;
                assert!(rulings(&without).any(is_theirs), "game {game}: {first:?}");
            } else {
                assert_eq!(but_for_faults(&with), but_for_faults(&without), "game {game}");
                assert_eq!(table.contest.state(), plain.state(), "game {game}");
            }
            fell_back += fell.len();
        }
    }
    assert!(fell_back >= G::FALLS_BACK || G::FAULT.is_none(), "{fell_back}");
}

/// Returns the entries without the faults of returned answers: if nothing was possible, the fault is that of
/// the last reserve.
fn but_for_faults<E: Clone>(resolution: &Resolution<E>) -> Vec<Entry<E>> {
    let mut entries = resolution.entries.clone();
    for entry in &mut entries {
        match &mut entry.item {
            Item::Ruling(ruling) if ruling.outcome == Outcome::Returned => ruling.fault = None,
            _ => {}
        }
    }
    entries
}

/// Returns the declaration with another choice in reserve for each part that has one.
fn in_reserve<G: Lawful>(contest: &Contest<G>, seat: Seat, said: &Declaration) -> Declaration {
    let mut held = said.clone();
    for asked in contest.interview(seat, said).asked {
        let (key, part) = (&asked.question.key, asked.question.key.whole());
        let Shape::Choose { options, .. } = &asked.question.shape else { continue };
        let other = options
            .iter()
            .find(|option| asked.answer != Some(Answer::Given(Value::Choice((*option).clone()))));
        let Some(other) = other.filter(|_| held.reserves(&part).is_empty()) else { continue };
        let mut reserve = Declaration::default();
        reserve.set(key.clone(), Answer::Given(Value::Choice(other.clone())));
        held.set(part, Answer::InReserve(vec![reserve]));
    }
    held
}
