//! The plan of one turn.

use super::aim::PlanInShort;
use super::film::FilmInPlan;
use super::moves::{self, Moves, Nothing};
use super::outlook::Outlook;
use super::strike::{self, StrikeReply};
use super::table::{OtherSeats, Turned};
use crate::eitsuku::cards::Role;
use crate::eitsuku::state::State;
use rules::Seat;
use rules::dice::Stream;

/// The plan of a turn.
#[derive(Debug)]
pub(super) struct PlanOfTurn {
    table: OtherSeats,
    /// The film after the start phase, as far as it can be known.
    film: FilmInPlan,
    aim: PlanInShort,
    /// The moves of the turn.
    pub(super) moves: Moves,
    /// The answers to the strikes that are certain.
    strikes: Vec<StrikeReply>,
    /// The answer to a strike that may come.
    standing: Option<StrikeReply>,
}

impl PlanOfTurn {
    /// Plans the turn that this seat is about to play.
    pub(super) fn new(view: &State, seat: Seat, chance: &mut Stream) -> Self {
        let table = OtherSeats::of(view, seat);
        let mut film = FilmInPlan::of(view, seat);
        film.income();
        let outlook = Outlook::new(&table, chance);
        let mut strikes = Vec::new();
        for _ in 0..strike::coming(view, seat) {
            if film.occupied() > 0 {
                let struck = strike::answer(&film, &outlook);
                struck.befall(&mut film);
                strikes.push(struck);
            }
        }
        let (aim, _) = outlook.best(&film);
        drop(outlook);
        let moves = moves::play(&mut film.clone(), aim, &table, &mut Nothing);
        Self { table, film, aim, moves, strikes, standing: None }
    }

    /// The event that a 方針転換 destroys; `None` if none is worth it.
    pub(super) fn turned(&self) -> Option<Turned> {
        self.table.turned
    }

    /// The liking for a role in the hand.
    pub(super) fn liking(&self, role: Role) -> i16 {
        moves::liking(&self.film, self.aim, role)
    }

    /// The answer to a strike: a planned one, or one more.
    pub(super) fn struck(&mut self, index: usize, known: bool, chance: &mut Stream) -> StrikeReply {
        if let Some(struck) = self.strikes.get(index) {
            return *struck;
        }
        if known {
            // The owner's turn comes first and ends this strike (E5.13): the answer must only leave the moves
            // of this turn open.
            return if self.moves.release { StrikeReply::Pay } else { self.least() };
        }
        if self.film.occupied() == 0 {
            return StrikeReply::Pay;
        }
        let (film, table) = (&self.film, &self.table);
        *self.standing.get_or_insert_with(|| strike::answer(film, &Outlook::new(table, chance)))
    }

    fn least(&self) -> StrikeReply {
        strike::least(&self.film)
    }
}
