//! The meaning of a line that is only the name of a card, and of lines that cannot stand.

use std::cell::Cell;

use games::any::{AnyContest, AnyGame};
use games::meaning::{LineMeaning, Listening};
use rules::text::{Lang, Reading, Words, read_typed, write};
use rules::{BySeat, Contest, Declaration, Fault, Interview, Key, Seat};

use crate::laws::lawful::{Lawful, chance, games, play, spoil};

/// The inverse of the share of names that each seat types in each window.
const SHARE: usize = 13;

/// The number of names typed in a run of the law.
const TYPED: usize = 3 * SHARE;

/// The inverse of the share of drafts over which lines are typed.
const DRAFTS: u32 = 8;

/// Asserts that the name of a card, typed in any open window, carries out nothing immediately, and asks for
/// the card's effect with a question mark.
pub(crate) fn the_name_of_a_card_alone_does_nothing_at_once<G: Lawful>() {
    let game = games::find(G::KEY).unwrap();
    let names = game.cards().all().flat_map(|card| game.lexicon().names(&card.id));
    let names: Vec<&str> = names.collect();
    let (mut seen, read) = (None, Cell::new(0));
    for number in games::<G>(8) {
        if read.get() >= TYPED {
            break;
        }
        play::<G>(
            number,
            |contest, _, declaration| {
                let window = (number, contest.round(), contest.acts_done());
                if read.get() < TYPED && seen.replace(window) != Some(window) {
                    for seat in Seat::all(G::table(number).1) {
                        let some = names.iter().skip(read.get() % SHARE).step_by(SHARE);
                        type_names(game, contest, seat, some.copied());
                        read.set(read.get() + 1);
                    }
                }
                Some(declaration)
            },
            |_, _| {},
        );
    }
    assert!(read.get() > TYPED / 2, "in {} windows", read.get());
}

fn type_names<'n, G: Lawful>(
    game: &'static dyn AnyGame,
    contest: &Contest<G>,
    seat: Seat,
    names: impl Iterator<Item = &'n str>,
) {
    let seats = AnyContest::seats(contest);
    let words = Words::new(game.lexicon(), &BySeat::new(seats, |_| Vec::new())).of(seat);
    let form = |said: &Declaration| contest.interview(seat, said);
    let acting = |said: &Declaration| contest.acting(seat, said);
    let ordering = |orders: &Declaration| contest.ordering(seat, orders);
    let with_orders =
        |said: &Declaration, orders: &Declaration| contest.with_orders(seat, said, orders);
    let listening = Listening {
        game,
        words: &words,
        form: &form,
        acting: &acting,
        ordering: &ordering,
        with_orders: &with_orders,
        draft: &Declaration::default(),
    };
    for name in names {
        let meant = listening.meaning(name);
        assert!(
            !matches!(meant, LineMeaning::Acts(_)),
            "{seat} in {}: {name}: {meant:?}",
            contest.round()
        );
        let asked = listening.meaning(&format!("{name}?"));
        assert!(matches!(asked, LineMeaning::Card(_)), "{seat} in {}: {name}?", contest.round());
    }
}

/// Asserts that a line typed over a legal draft is not understood, refused, or makes no part faulty that the
/// draft answers.
pub(crate) fn a_typed_line_spoils_no_legal_part_of_a_draft<G: Lawful>() {
    let game = games::find(G::KEY).unwrap();
    let (mut refused, mut kept) = (0, 0);
    for number in games::<G>(32) {
        let mut mischief = chance(number, "lines");
        play::<G>(
            number,
            |contest, seat, draft| {
                if mischief.below(DRAFTS) > 0 {
                    return Some(draft);
                }
                let names = BySeat::new(AnyContest::seats(contest), |_| Vec::new());
                let words = Words::new(game.lexicon(), &names).of(seat);
                let form = |said: &Declaration| contest.interview(seat, said);
                let spoilt = spoil::<G>(&draft, &mut mischief);
                for lang in Lang::ALL {
                    let whole = write(&spoilt, &form(&spoilt), &words, lang);
                    for line in whole.lines().chain([whole.as_str()]) {
                        let reading = read_typed(line, &draft, &form, &words);
                        assert_spoils_nothing(&reading, &draft, &form, line);
                        refused += u32::from(!reading.refused.is_empty());
                        kept += u32::from(reading.is_whole());
                    }
                }
                Some(draft)
            },
            |_, _| {},
        );
    }
    assert!(refused > 0 && kept > 0, "{refused} refused, {kept} kept");
}

fn assert_spoils_nothing(
    reading: &Reading,
    draft: &Declaration,
    form: &dyn Fn(&Declaration) -> Interview,
    line: &str,
) {
    if reading.lines.is_empty() {
        assert_eq!(reading.declaration, *draft, "{line}");
        return;
    }
    let parts = |found: &Interview| {
        let whole = |fault: &Fault| fault.key.whole();
        found.faults.iter().chain(&found.remarks).map(whole).collect::<Vec<Key>>()
    };
    let (before, after) = (parts(&form(draft)), parts(&form(&reading.declaration)));
    for part in reading.lines.iter().map(|read| read.key.whole()) {
        let was_legal = !draft.of_part(&part).is_empty() && !before.contains(&part);
        assert!(!was_legal || !after.contains(&part), "{part} of {line}: {reading:?}");
    }
}
