//! Dice, and the order of decks when a window is asked again.

use rules::{Contest, Thrown, Value};

use crate::laws::lawful::{Lawful, Table, below, events, games};

pub(crate) fn a_die_shows_what_it_is_said_to_and_can_be_decided_to_show_anything_it_may<
    G: Lawful,
>() {
    let mut thrown_at_all = 0;
    for game in games::<G>(80) {
        let (mut table, _) = Table::<G>::open(game);
        while !table.is_over() {
            table.act();
            let declared = table.declared();
            let before = table.contest.save();
            let thrown = table.contest.thrown(declared.clone());
            assert_eq!(table.contest.save(), before, "game {game}");
            thrown_at_all += thrown.len();
            let rig = |contest: &mut Contest<G>, die: &Thrown, shown: &Value| {
                contest.set_die(&die.label.parse().unwrap(), shown.clone());
            };
            if !thrown.is_empty() {
                let die = &thrown[below(&mut table.mischief, thrown.len())];
                let face = table.face(&die.faces);
                let mut other = table.contest.clone();
                rig(&mut other, die, &face);
                let again = other.thrown(declared.clone());
                let again = again.iter().find(|again| again.label == die.label).unwrap();
                assert_eq!((&again.faces, &again.showed), (&die.faces, &face), "game {game}");
                other.close(declared.clone()).unwrap();
            }
            let mut same = table.contest.clone();
            for die in &thrown {
                rig(&mut same, die, &die.showed);
            }
            let here = table.contest.close(declared.clone()).unwrap().entries;
            assert_eq!(same.close(declared).unwrap().entries, here, "game {game}");
            assert_eq!(same.state(), table.contest.state(), "game {game}");
        }
    }
    assert!(thrown_at_all > G::THROWN, "{thrown_at_all}");
}

/// The knowledge of the decks follows from the shown events alone.
pub(crate) fn a_window_that_is_asked_anew_lets_known_cards_lie_and_shuffles_the_rest<G: Lawful>() {
    let (mut known, mut large, mut changed) = (0, 0, 0);
    for game in games::<G>(40) {
        let (mut table, dealt) = Table::<G>::open(game);
        let (options, seats) = G::table(game);
        let mut memory = G::memory(&options, seats);
        let mut told = vec![dealt];
        loop {
            told.iter().flat_map(events).for_each(|event| G::hear(&mut memory, event));
            if table.is_over() {
                break;
            }
            if !table.contest.is_suspended() {
                let of = |attempt| {
                    let mut contest = table.contest.clone();
                    assert!(contest.ask_again(attempt).unwrap().is_none());
                    contest.state().clone()
                };
                let (before, anew, other) = (table.contest.state(), of(1), of(2));
                assert_eq!(anew, of(1), "game {game}");
                let rest = G::without_decks;
                assert_eq!(rest(&anew), rest(before), "game {game}: everything else stays");
                let decks = [before, &anew, &other].map(G::decks);
                assert_eq!(decks[0].len(), memory.len(), "game {game}");
                for (deck, memory) in memory.iter().enumerate() {
                    let [before, anew, other] = [0, 1, 2].map(|of| &decks[of][deck]);
                    assert_eq!(before.len(), memory.len(), "game {game}: nothing goes untold");
                    for (place, card) in memory.iter().enumerate() {
                        let Some(card) = card else { continue };
                        assert_eq!(before[place], *card, "game {game}: the memory is right");
                        assert_eq!(anew[place], *card, "game {game}: known cards stay");
                        known += 1;
                    }
                    let sorted = |deck: &[_]| {
                        let mut cards = deck.to_vec();
                        cards.sort();
                        cards
                    };
                    assert_eq!(sorted(before), sorted(anew), "game {game}");
                    if memory.iter().filter(|card| card.is_none()).count() >= 8 {
                        large += 1;
                        changed += u32::from(before != anew && anew != other);
                    }
                }
            }
            told = table.act();
            let declared = table.declared();
            told.push(table.contest.close(declared).unwrap());
        }
    }
    assert!(known > G::KNOWN || G::KNOWN == 0, "{known} known cards were met");
    assert!(changed * 100 > large * 99, "{changed} of {large} were shuffled");
}
