//! The interface of a game: a handful of functions that ask.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use smol_str::SmolStr;

use crate::{
    BySeat, Declaration, Play, Question, Referee, Sealing, Seat, Side, Value, Viewer, WindowKind,
};

/// The settings of the general deadline procedure at a state, and the clauses that it cites.
#[derive(Clone, Copy, Debug)]
pub struct Procedure {
    /// The kind of the root window that begins at this state.
    pub kind: WindowKind,
    /// The clause for nothing declared at the deadline.
    pub missing: &'static str,
    /// True if a window may close as soon as all seats have sealed.
    pub closes_early: bool,
    /// True if people are asked. If not, their standing orders answer, and the window closes as soon as it
    /// opens.
    pub asks_people: bool,
    /// The public knowledge of the sealings while a window is open.
    pub sealing: Sealing,
    /// True if a turn without a declaration is skipped. If not, all its questions count as left out.
    pub skips_missing: bool,
    /// The clause for a choice left out.
    pub left_out: &'static str,
    /// The clause for a payment left out.
    pub payment: &'static str,
    /// The clause for a fault that skips the turn. `None` if a faulty part is returned alone: every question of
    /// such a game stands in a part or counts as missing.
    pub fault: Option<&'static str>,
    /// The clause for a part returned.
    pub returned: &'static str,
    /// The clause for the duties that a skipped turn still has.
    pub duty: &'static str,
    /// The clause for a choice left out that standing orders answer.
    pub ordered: &'static str,
    /// The clause for answers in reserve.
    pub in_reserve: &'static str,
    /// The clause by which every outcome is a ruling.
    pub ruling: &'static str,
    /// The clause by which declarations are sealed.
    pub sealed: &'static str,
    /// The clause by which the times are shown in advance.
    pub times: &'static str,
    /// The clause for the written form of a declaration.
    pub text: &'static str,
}

/// A place in the final standing. Equal places share a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub seat: Seat,
    /// The rank, from 1.
    pub rank: u8,
    /// The score, `None` for a seat that is ranked without one.
    pub score: Option<i64>,
}

/// A game: rules written once, as straight-line code that asks the [`Referee`].
pub trait Game: Sized + Clone + Debug + Send + Sync + 'static {
    /// The key of the game: its folder in `data`, `templates` and `tests/stories`, and the word a host types.
    const KEY: &'static str;

    /// The options that a host can set for a table.
    type Options: Clone + Debug + Default + Serialize + DeserializeOwned + Send + Sync;
    /// The state of the game, or the part of it that a viewer may know. It is stored as JSON and hashed: it
    /// has no map without an order of its own, and serialization must be lossless.
    type State: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// An event for the letter and the journal.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// Returns the possible numbers of players.
    fn seats() -> RangeInclusive<usize>;

    /// Returns the state of the table before the deal.
    fn bare(options: &Self::Options, seats: usize) -> Self::State;

    fn setup(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// Plays one root window: the turns of all seats, from the sealed declarations.
    fn round(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// Plays one seat's turn. The interview starts here.
    fn turn(state: &mut Self::State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// Does an act of a seat, immediately and in public, while a window is open. It is asked like a turn, and
    /// sealed declarations stay sealed. If no seat is [asked](Self::asked) afterwards, the window closes.
    /// Most games have no acts, and ask nothing.
    fn act(_: &mut Self::State, _: Seat, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    /// Returns `Ok` if this act, as the last one done, can be taken back while the window is open; if not,
    /// the clause that forbids it, if there is one. In most games acts stand.
    fn may_take_back(_: &Declaration) -> Result<(), Option<&'static str>> {
        Err(None)
    }

    /// Returns what an act of a player with this draft puts at stake, as the templates have it: something
    /// hidden is shown, or something is used up, and the player is asked to confirm it. `None` if the act asks
    /// for no confirmation, as all acts of most games. The state is the one that the viewer of the act may
    /// know.
    fn at_stake(
        _seen: &Self::State,
        _draft: &Declaration,
        _act: &Declaration,
    ) -> Option<&'static str> {
        None
    }

    /// Asks for the standing orders of a seat, like a turn: with the knowledge of the seat now, about later
    /// turns. A question left out here is asked when it comes up. Most questions of most games take no
    /// orders, and nothing is asked.
    fn orders(_: &Self::State, _: Seat, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    /// Returns the answer of these orders to a question that the seat is asked; `seen` is the state as the
    /// seat sees it. By default, orders have the keys of the questions they answer.
    fn ordered(_seen: &Self::State, orders: &Declaration, question: &Question) -> Option<Value> {
        orders.get(&question.key.clone().nth(1))?.value().cloned()
    }

    /// True if an event of an act needs no letter of its own, as the picture of the table shows it.
    fn is_shown(_: &Self::Event) -> bool {
        false
    }

    /// Applies a move of the GM, asked like a turn.
    fn amend(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// Ends the game early, as it stands: afterwards it has a standing.
    fn finish(state: &mut Self::State);

    /// Shuffles the cards of each deck whose place nobody knows, so that nobody who saw the result of a
    /// window can use it when the window is opened anew. A card keeps its place if any seat knows it, and so
    /// does everything outside of decks.
    fn reshuffle(state: &mut Self::State, referee: &mut Referee<'_, Self>);

    /// Returns the seats that are asked to declare in the coming round.
    fn asked(state: &Self::State) -> BySeat<bool>;

    /// Returns the side of each seat. [`Self::seen_by`] shows the seats of a side its shared secrets. Most
    /// games have no sides.
    fn sides(state: &Self::State) -> BySeat<Option<Side>> {
        Self::asked(state).map(|_, _| None)
    }

    /// Returns the state as this viewer may know it, with hidden cards face down.
    fn seen_by(state: &Self::State, viewer: Viewer) -> Self::State;

    /// Returns the event as this viewer may know it, unchanged for [`Viewer::All`], `None` if it is hidden.
    fn event_seen_by(
        state: &Self::State,
        event: &Self::Event,
        viewer: Viewer,
    ) -> Option<Self::Event>;

    /// Returns the procedure under this table's options.
    fn procedure(state: &Self::State) -> Procedure;

    /// Returns the final standing, `None` while the game is on.
    fn standing(state: &Self::State) -> Option<Vec<Place>>;

    /// Counts the items of an event for statistics: the seat that used the piece or made the choice, `None` if
    /// nobody did; a group; and the id of the piece, or a number.
    fn tally(event: &Self::Event, count: &mut ItemCounter<'_>);

    /// Returns all countable items: an item that never comes up is counted as 0 in its group.
    fn countable() -> Vec<(&'static str, SmolStr)> {
        Vec::new()
    }
}

/// The counter of items of events ([`Game::tally`]).
pub type ItemCounter<'a> = dyn FnMut(Option<Seat>, &'static str, SmolStr) + 'a;

/// A decision maker for a seat without a person. It gets a question and the seat's view, never the state.
pub trait Policy<G: Game>: Send {
    /// Tells the policy that a turn of this seat begins, or that a window opens for it. `look` returns the
    /// seat's view; a policy may ignore it.
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> G::State);

    /// Returns an answer to the offer, always one of those offered.
    fn reply(&mut self, offer: &crate::engine::ask::Offer<'_>) -> crate::engine::ask::Reply;
}
