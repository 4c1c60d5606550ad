//! The questions of the GM's moves, each move a section of its own.

use rules::ask::Several;
use rules::{Ask, BySeat, Game, Key, Piece, Play, Referee, Seat};

/// The seat that stands for the GM, who has none, in the questions of a move.
const GM: Seat = Seat::new(0);

/// The questions of a game's moves, with their clause.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves(pub(crate) &'static str);

/// The section and the name of a question.
type Name = (&'static str, &'static str);

impl Moves {
    fn ask(self, (section, name): Name) -> Ask {
        Ask::new(Key::new(section, name), self.0).or_nothing()
    }

    /// Asks for one of several options.
    pub(crate) fn choose<G: Game, T: Piece>(
        self,
        name: Name,
        options: &[T],
        referee: &mut Referee<'_, G>,
    ) -> Play<Option<T>> {
        referee.choose(GM, &self.ask(name), options)
    }

    /// Asks for a player.
    pub(crate) fn who<G: Game, P>(
        self,
        section: &'static str,
        players: &BySeat<P>,
        referee: &mut Referee<'_, G>,
    ) -> Play<Option<Seat>> {
        let seats: Vec<Seat> = players.seats().collect();
        self.choose((section, "who"), &seats, referee)
    }

    /// Asks for up to `most` options in order.
    pub(crate) fn pick<G: Game, T: Piece>(
        self,
        name: Name,
        options: &[T],
        most: usize,
        referee: &mut Referee<'_, G>,
    ) -> Play<Several<T>> {
        referee.pick(GM, &self.ask(name), options, options.len(), most)
    }

    /// Asks for a number from the least to the most.
    pub(crate) fn number<G: Game, N: TryFrom<i16>>(
        self,
        name: Name,
        (least, most): (i16, i16),
        referee: &mut Referee<'_, G>,
    ) -> Play<Option<N>> {
        let given = referee.number(GM, &self.ask(name), least.into(), most.into())?;
        Ok(given.and_then(|given| N::try_from(i16::try_from(given).ok()?).ok()))
    }
}
