//! The evaluation of aims: the same few futures, played with every aim.

use super::aim::PlanInShort;
use super::film::FilmInPlan;
use super::moves::{Draws, play};
use super::table::OtherSeats;
use crate::eitsuku::cards::{Family, ROLES};
use crate::eitsuku::edition::EDITION;
use rules::dice::Stream;

/// The rounds of selection: in each, the remaining aims are played in this many futures in all, and this many
/// aims stay. Most aims show their worth soon; only close ones need many futures.
const ROUNDS: [(usize, usize); 3] = [(2, 10), (8, 3), (16, 1)];
/// The number of futures in the last round.
const FUTURES: usize = ROUNDS[ROUNDS.len() - 1].0;
/// The waits before a release, in turns from now: a longer wait costs more than it can gain.
const WAITS: [u8; 6] = [0, 1, 2, 3, 4, 6];
/// The numbers to aim at; 0 is none.
const NUMBERS: std::ops::RangeInclusive<u8> = 0..=6;
/// The cost of one more turn apart from being late: strikes, and promoters of others.
const RISK: i16 = 2;
/// The value of a film never released (E6.5): less than that of any released film.
const NO_FILM: i16 = -60;

/// A guess at the cards to be drawn, in order.
struct CardsToCome {
    roles: [Vec<usize>; 4],
    events: Vec<usize>,
}

/// A future in play, with the numbers of cards drawn.
struct Drawing<'a> {
    future: &'a CardsToCome,
    drawn: [usize; 4],
    events: usize,
}

impl Draws for Drawing<'_> {
    fn role(&mut self, family: Family) -> Option<usize> {
        let drawn = &mut self.drawn[family.index()];
        *drawn += 1;
        self.future.roles[family.index()].get(*drawn - 1).copied()
    }

    fn event(&mut self) -> Option<usize> {
        self.events += 1;
        self.future.events.get(self.events - 1).copied()
    }
}

/// The futures in which all plans of a turn are tried.
pub(super) struct Outlook<'a> {
    table: &'a OtherSeats,
    futures: Vec<CardsToCome>,
}

impl<'a> Outlook<'a> {
    /// Guesses the futures.
    pub(super) fn new(table: &'a OtherSeats, chance: &mut Stream) -> Self {
        let futures = (0..FUTURES).map(|_| CardsToCome::guess(table, chance)).collect();
        Self { table, futures }
    }

    /// The aim with the best result, and the result.
    pub(super) fn best(&self, film: &FilmInPlan) -> (PlanInShort, i16) {
        let mut field: Vec<(PlanInShort, i16)> = aims(film).map(|aim| (aim, 0)).collect();
        let mut tried = 0;
        for (futures, keep) in ROUNDS {
            for (aim, value) in &mut field {
                let outcomes = self.futures[tried..futures].iter();
                *value += outcomes.map(|future| self.outcome(film, *aim, future)).sum::<i16>();
            }
            field.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
            field.truncate(keep);
            tried = futures;
        }
        field[0]
    }

    /// The score of an aim in one future, less the cost of the wait (E6.3).
    fn outcome(&self, film: &FilmInPlan, aim: PlanInShort, future: &CardsToCome) -> i16 {
        let mut film = *film;
        let mut drawing = Drawing { future, drawn: [0; 4], events: 0 };
        let mut waited = 0;
        loop {
            let moves = play(&mut film, aim, self.table, &mut drawing);
            if moves.release {
                return film.score() + waited * (EDITION.scoring.late - RISK);
            }
            if film.turn > EDITION.flow.turns {
                return NO_FILM;
            }
            waited += 1;
            film.drain();
            film.income();
        }
    }
}

/// Every possible aim from this turn.
fn aims(film: &FilmInPlan) -> impl Iterator<Item = PlanInShort> {
    let turns = WAITS.map(|wait| film.turn + wait).into_iter();
    let untils = turns.filter(|until| *until <= EDITION.flow.turns);
    untils.flat_map(|until| NUMBERS.map(move |number| PlanInShort { number, until, short: false }))
}

impl CardsToCome {
    fn guess(table: &OtherSeats, chance: &mut Stream) -> Self {
        let mut shuffled = |mut cards: Vec<usize>| {
            chance.shuffle(&mut cards);
            cards
        };
        let roles = std::array::from_fn(|family| {
            let first = family * (ROLES / 4);
            shuffled(cards(&table.unseen[first..first + ROLES / 4], first))
        });
        Self { roles, events: shuffled(cards(&table.unseen_events, 0)) }
    }
}

/// The positions of cards, each repeated by its count.
fn cards(counts: &[u8], first: usize) -> Vec<usize> {
    let each = counts.iter().enumerate();
    each.flat_map(|(index, count)| std::iter::repeat_n(first + index, usize::from(*count)))
        .collect()
}
