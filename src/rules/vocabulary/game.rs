//! What a game is, to the rest of the house: a handful of functions that ask.

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use smol_str::SmolStr;

use crate::engine::referee::{Play, Referee};
use crate::vocabulary::declaration::{Declaration, Value};
use crate::vocabulary::question::Question;
use crate::vocabulary::seat::{BySeat, Seat, Side, Viewer};
use crate::vocabulary::window::{Sealing, WindowKind};

/// The clauses under which a game has the general procedure of deadlines.
#[derive(Clone, Copy, Debug)]
pub struct Procedure {
    /// What the root window is for that begins at this state.
    pub kind: WindowKind,
    /// Nothing declared at the deadline.
    pub missing: &'static str,
    /// True if a window may close as soon as everybody has sealed.
    pub closes_early: bool,
    /// True if people are asked; if not, their standing orders answer, and the window closes as it
    /// opens.
    pub asks_people: bool,
    /// What may be known of the sealings while a window is open.
    pub sealing: Sealing,
    /// True if a turn without a declaration is skipped; if not, everything counts as left out.
    pub skips_missing: bool,
    /// A choice left out.
    pub left_out: &'static str,
    /// A payment left out.
    pub payment: &'static str,
    /// A fault that skips the turn.
    pub fault: &'static str,
    /// A part returned.
    pub returned: &'static str,
    /// What a skipped turn still has to do.
    pub duty: &'static str,
    /// A choice left out that standing orders answer.
    pub ordered: &'static str,
    /// What is said in case another answer cannot stand.
    pub in_reserve: &'static str,
    /// Every outcome is a ruling.
    pub ruling: &'static str,
    /// Declarations are sealed.
    pub sealed: &'static str,
    /// Everybody is shown the times in advance.
    pub times: &'static str,
    /// The form in which a declaration can be written.
    pub text: &'static str,
}

/// A place in the final standing. Equal places share a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub seat: Seat,
    /// The rank, from 1.
    pub rank: u8,
    /// The score; none for who is ranked without one.
    pub score: Option<i64>,
}

/// A game: rules written once, as straight-line code that asks the [`Referee`].
pub trait Game: Sized + Clone + Debug + Send + Sync + 'static {
    /// The one word for it: the folder in `data`, `templates` and `tests/stories`, and what a host types.
    const KEY: &'static str;

    /// What a host can set for a table.
    type Options: Clone + Debug + Default + Serialize + DeserializeOwned + Send + Sync;
    /// Where the game stands, or as much of it as a viewer may know. It is kept as JSON and
    /// hashed: no map without an order of its own, and what is read is what was written.
    type State: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// A fact for the letter and the journal.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// How many can play.
    fn seats() -> RangeInclusive<usize>;

    /// The table before anything is dealt.
    fn bare(options: &Self::Options, seats: usize) -> Self::State;

    fn setup(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// One root window: everybody's turn, from the sealed declarations.
    fn round(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// One seat's turn: the interview's entry.
    fn turn(state: &mut Self::State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// What a seat does at once and before everybody's eyes while a window is open, asked like a
    /// turn; what is sealed in the window stays sealed. Once that leaves nobody who is
    /// [asked](Self::asked), the window closes. Most games have no such thing, and ask nothing.
    fn act(_: &mut Self::State, _: Seat, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    /// True if this, as the last that was done at once, can be taken back as long as the window is
    /// open; if not, by which clause, if the rules have one. In most games what is done stands.
    fn may_take_back(_: &Declaration) -> Result<(), Option<&'static str>> {
        Err(None)
    }

    /// True if what is done at once shows something hidden or uses something up, and stands: whoever is
    /// about to do it is asked once more. Most games have no such thing.
    fn is_for_good(_: &Declaration) -> bool {
        false
    }

    /// What a seat can leave as standing orders, for as long as it likes: asked like a turn, over what
    /// the seat knows now, about whatever may come. What is left out there, the seat is asked when it
    /// comes. Most questions of most games take no orders, and nothing is asked.
    fn orders(_: &Self::State, _: Seat, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    /// What these orders say to a question that the seat is asked; `seen` is what it knows. They are
    /// asked by the keys of what they answer, unless a game reads them otherwise.
    fn ordered(_seen: &Self::State, orders: &Declaration, question: &Question) -> Option<Value> {
        orders.get(&question.key.clone().nth(1))?.value().cloned()
    }

    /// True if what an act tells needs no letter of its own, as the picture of the table shows it.
    fn is_shown(_: &Self::Event) -> bool {
        false
    }

    /// A move of the GM's, asked like the rest.
    fn amend(state: &mut Self::State, referee: &mut Referee<'_, Self>) -> Play<()>;

    /// The game is over as it stands, before its end: from now on it has a standing.
    fn finish(state: &mut Self::State);

    /// What nobody knows of every deck changes places among itself: nobody who has seen what
    /// came of a window can use that when it is asked anew. A card that everybody or a single
    /// seat knows to lie where it lies stays there, and so does everything that lies in no deck.
    fn reshuffle(state: &mut Self::State, referee: &mut Referee<'_, Self>);

    /// The seats that are asked to declare in the coming round.
    fn asked(state: &Self::State) -> BySeat<bool>;

    /// The side of each seat. What a side shares of what it hides, [`Self::seen_by`] shows its seats.
    /// Most games have no sides.
    fn sides(state: &Self::State) -> BySeat<Option<Side>> {
        Self::asked(state).map(|_, _| None)
    }

    /// The state as this viewer may know it: what is hidden lies face down.
    fn seen_by(state: &Self::State, viewer: Viewer) -> Self::State;

    /// The event as this viewer may know it; for [`Viewer::All`], as it is.
    fn event_seen_by(
        state: &Self::State,
        event: &Self::Event,
        viewer: Viewer,
    ) -> Option<Self::Event>;

    /// The procedure's clauses, under this table's options.
    fn procedure(state: &Self::State) -> Procedure;

    /// The final standing, once the game is over.
    fn standing(state: &Self::State) -> Option<Vec<Place>>;

    /// What a designer would count of an event: a group, and the id of a piece or a number.
    fn tally(event: &Self::Event, count: &mut dyn FnMut(&'static str, SmolStr));

    /// All that can be counted so: what never comes up among others of its group is counted as 0.
    fn countable() -> Vec<(&'static str, SmolStr)> {
        Vec::new()
    }
}

/// How a player without a person decides: given a question and what that seat may know,
/// never the state.
pub trait Policy<G: Game>: Send {
    /// A turn of this seat begins, or a window opens for it. `look` shows what the seat knows;
    /// a policy that does not care need not look.
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> G::State);

    /// Answers. A policy never answers with anything that is not offered.
    fn reply(&mut self, offer: &crate::engine::ask::Offer<'_>) -> crate::engine::ask::Reply;
}
