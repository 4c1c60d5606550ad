//! Contests of any game.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde::Deserialize;
use serde_json::Value as Json;
use smol_str::SmolStr;

use rules::contest::{Held, Resolution};
use rules::dice::Stream;
use rules::{
    Act, Answer, BySeat, Clause, Contest, Declaration, Entry, Game, Interview, Item, Key, Label,
    Place, Press, Procedure, Round, Saved, Seat, Side, Thrown, Value, Viewer, playout,
};

use crate::playable::{CardsBefore, Playable, RANDOM, policy};

/// The result of a deal, the close of a window, an act or a move of the GM's.
#[derive(Clone, Debug)]
pub struct Told {
    /// The events and rulings in order, unfiltered; [`AnyContest::seen`] filters them for a viewer.
    pub entries: Vec<Entry<Json>>,
    /// The clauses met.
    pub met: BTreeSet<Clause>,
    /// The final standing, if the game is over.
    pub standing: Option<Vec<Place>>,
}

/// One contest of some game.
pub trait AnyContest: Debug + Send + Sync {
    /// The number of seats.
    fn seats(&self) -> usize;
    /// Returns the seats that are asked in the open window.
    fn asked(&self) -> Vec<Seat>;
    /// Returns the clauses of the procedure, under this table's options.
    fn procedure(&self) -> Procedure;
    /// The side of each seat; none in most games.
    fn sides(&self) -> BySeat<Option<Side>>;
    /// The other seats of a seat's side, in order; none in a game without sides.
    fn partners(&self, seat: Seat) -> Vec<Seat> {
        let sides = self.sides();
        let Some(side) = sides[seat] else { return Vec::new() };
        let is_partner = |of: &Seat| *of != seat && sides[*of] == Some(side);
        sides.seats().filter(is_partner).collect()
    }
    /// Returns what an act puts at stake as far as this viewer can know, beside the actor's draft. `None` if
    /// the player is asked for no confirmation.
    fn at_stake(
        &self,
        viewer: Viewer,
        draft: &Declaration,
        act: &Declaration,
    ) -> Option<&'static str>;
    /// Returns the number of the open root window, counted from 0, which is the deal.
    fn round(&self) -> Round;
    /// True if the open window belongs to a root window that is being resolved.
    fn is_suspended(&self) -> bool;
    /// Checks a seat's draft against the state as the seat may know it.
    fn interview(&self, seat: Seat, draft: &Declaration) -> Interview;
    /// `None` if this viewer can know nothing of the draft. Checks a seat's draft against the state as this
    /// viewer may know it.
    fn interview_known_to(
        &self,
        viewer: Viewer,
        seat: Seat,
        draft: &Declaration,
    ) -> Option<Interview>;
    /// Returns the report of the state after these drafts, run in order on the view of a seat; `None` in the
    /// middle of a root window.
    fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<Json>;
    /// True if anything is hidden from this viewer.
    fn hides_from(&self, viewer: Viewer) -> bool;
    /// True if this viewer knows all that a seat knows.
    fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool;
    /// Interviews a seat about its standing orders: the questions that they can answer, and their parsed
    /// text.
    fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview;
    /// Returns a seat's declaration, with the answers of its standing orders to the questions that it leaves
    /// out.
    fn with_orders(
        &self,
        seat: Seat,
        declaration: &Declaration,
        orders: &Declaration,
    ) -> Declaration;
    /// Takes the declarations of the closed window.
    fn close(&mut self, declared: BySeat<Option<Declaration>>) -> Result<Told, Held>;
    /// Interviews a seat about an immediate act, as far as the act is declared.
    fn acting(&self, seat: Seat, declaration: &Declaration) -> Interview;
    /// Carries out an immediate act of a seat. An act that lacks an answer or is at fault is refused with its
    /// interview.
    fn act(&mut self, act: Act) -> Result<Told, Interview>;
    /// `None` if the policy does nothing, or no policy has this name. Lets a policy choose an immediate act.
    fn act_by(&self, seat: Seat, policy: &str, chance: Stream) -> Option<Act>;
    /// `None` if the policy does nothing. Lets the game's strongest policy, which plays for missing players,
    /// choose an immediate act.
    fn act_by_house(&self, seat: Seat, chance: Stream) -> Option<Act>;
    /// Returns the number of acts in the open window.
    fn acts_done(&self) -> usize;
    /// Returns the acts of a seat in the open window, after the first `behind` acts of all seats.
    fn acts_of(&self, seat: Seat, behind: usize) -> Vec<&Declaration>;
    /// Returns the seats that have acted in the open window, in the order of seats.
    fn actors(&self) -> BTreeSet<Seat>;
    /// Returns the seats that have kept the open window by acting: every actor if nothing is sealed in the
    /// window, otherwise none.
    fn kept_by_acts(&self) -> BTreeSet<Seat> {
        let mut opened = self.copy();
        opened.forget_acts();
        if opened.is_open_handed() { self.actors() } else { BTreeSet::new() }
    }
    /// True if nothing is sealed in the open window, because every question in it is an immediate, open act.
    fn is_open_handed(&self) -> bool {
        let none = Declaration::default();
        self.asked().first().is_some_and(|seat| {
            let acts = !self.acting(*seat, &none).asked.is_empty();
            acts && self.interview(*seat, &none).asked.is_empty()
        })
    }
    /// True if the GM has decided that a seat's turn of the open root window is skipped.
    fn is_skipped(&self, seat: Seat) -> bool;
    /// Returns the answers that every asked seat can give by one press, as publicly known: those to the only
    /// question, or the pass on a reaction window.
    fn common_answers(&self) -> Vec<Press>;
    /// Returns the immediate acts that some seat can do, as publicly known, in the order of the game's words.
    fn common_acts(&self) -> Vec<Press>;
    /// `None` if the open window has no act; otherwise the seat of the last act.
    fn last_actor(&self) -> Option<Seat>;
    /// Undoes the last act of the open window. `Err` if the act stands, with the clause of the game's rules,
    /// `None` if they have none.
    fn take_back(&mut self) -> Result<(), Option<&'static str>>;
    /// Undoes all acts of the open window.
    fn forget_acts(&mut self);
    /// Clones the contest.
    fn copy(&self) -> Box<dyn AnyContest>;
    /// Returns the state as the letters show it to this viewer, with `dealing`: true during the deal.
    fn report(&self, viewer: Viewer) -> Json;
    /// Returns the ids of the cards that a seat holds, and of those on the table that concern it.
    fn cards_before(&self, seat: Seat) -> CardsBefore;
    /// `None` until the game is over; otherwise the final standing.
    fn standing(&self) -> Option<Vec<Place>>;
    /// `None` if the game carries nothing over; otherwise the state for the next game of its kind in the same
    /// channel.
    fn carried(&self) -> Option<Json>;
    /// `None` if no policy has this name. Lets a policy declare for a seat.
    fn declare(&self, seat: Seat, policy: &str, chance: Stream) -> Option<Declaration>;
    /// Sets the answer to a question of this root window, as decided by the GM.
    fn force(&mut self, seat: Seat, key: Key, answer: Answer);
    /// Sets a die of this root window, as decided by the GM; [`Label`] reads the labels of [`Self::thrown`].
    fn set_die(&mut self, label: &Label, value: Value);
    /// Skips a seat's turn of this root window, as decided by the GM.
    fn skip(&mut self, seat: Seat);
    /// Reverses the GM's decision to skip a seat's turn of this root window.
    fn unskip(&mut self, seat: Seat);
    /// Returns a part of a seat's declaration, as decided by the GM.
    fn return_part(&mut self, seat: Seat, key: &Key);
    /// Discards the GM's decisions since the last window closed.
    fn forget_decisions(&mut self);
    /// Returns every die that the resolution of the open window meets with these declarations, in order.
    fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown>;
    /// Returns the value of a die in another attempt. Nothing is changed.
    fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value;
    /// Reopens the open root window under another attempt, whose number is never used again at this table.
    /// `None` unless the deal is repeated.
    fn ask_again(&mut self, attempt: u32) -> Result<Option<Told>, Held>;
    /// Returns the attempt number of the open root window, counted from 0.
    fn attempt(&self) -> u32;
    /// Interviews the GM about a move, as far as this viewer may know the state.
    fn rehearse(&self, declaration: &Declaration, viewer: Viewer) -> Interview;
    /// Returns the events of a dry run of a GM's move, as far as this viewer may know the state.
    fn foresee(&self, declaration: &Declaration, viewer: Viewer) -> Vec<Entry<Json>>;
    /// True if two moves of the GM's have the same effect, as far as this viewer may know the state.
    fn comes_to_the_same(&self, one: &Declaration, other: &Declaration, viewer: Viewer) -> bool;
    /// Carries out a move of the GM's.
    fn amend(&mut self, declaration: &Declaration) -> Result<Told, Interview>;
    /// Ends the game in the state at the opening of the open root window.
    fn finish(&mut self);
    /// Serializes the contest; `AnyGame::load` restores it.
    fn save(&self) -> Saved;
    /// Returns the hash of the current state; [`Contest::state_hash`] defines the hashed bytes.
    fn state_hash(&self) -> [u8; 32];
    /// Returns the hash of the state at the opening of the open window, as [`Contest::opening_hash`] defines
    /// it.
    fn opening_hash(&self) -> [u8; 32];
    /// Filters stored entries for this viewer. An event that this game cannot parse is left out, because its
    /// secrets are unknown.
    fn seen(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>>;
    /// True if the picture of the table shows everything in these entries of an act, so that they need no
    /// letter.
    fn is_shown(&self, entries: &[Entry<Json>]) -> bool;
}

/// A newly dealt contest, and the result of its deal.
pub type OpenedContest = (Box<dyn AnyContest>, Told);

/// Delegates methods to the contest's own methods of the same name.
macro_rules! by_its_own {
    () => {};
    (fn $name:ident(&mut $this:ident $(, $given:ident: $type:ty)*) $(-> $gives:ty)?; $($more:tt)*) => {
        fn $name(&mut $this $(, $given: $type)*) $(-> $gives)? {
            Self::$name($this $(, $given)*)
        }
        by_its_own! { $($more)* }
    };
    (fn $name:ident(&$this:ident $(, $given:ident: $type:ty)*) $(-> $gives:ty)?; $($more:tt)*) => {
        fn $name(&$this $(, $given: $type)*) $(-> $gives)? {
            Self::$name($this $(, $given)*)
        }
        by_its_own! { $($more)* }
    };
}

impl<G: Playable> AnyContest for Contest<G> {
    by_its_own! {
        fn asked(&self) -> Vec<Seat>;
        fn round(&self) -> Round;
        fn is_suspended(&self) -> bool;
        fn interview(&self, seat: Seat, draft: &Declaration) -> Interview;
        fn interview_known_to(&self, viewer: Viewer, seat: Seat, draft: &Declaration)
            -> Option<Interview>;
        fn hides_from(&self, viewer: Viewer) -> bool;
        fn knows_all_of(&self, viewer: Viewer, seat: Seat) -> bool;
        fn comes_to_the_same(&self, one: &Declaration, other: &Declaration, viewer: Viewer) -> bool;
        fn ordering(&self, seat: Seat, orders: &Declaration) -> Interview;
        fn with_orders(&self, seat: Seat, declaration: &Declaration, orders: &Declaration)
            -> Declaration;
        fn acting(&self, seat: Seat, declaration: &Declaration) -> Interview;
        fn is_skipped(&self, seat: Seat) -> bool;
        fn acts_done(&self) -> usize;
        fn acts_of(&self, seat: Seat, behind: usize) -> Vec<&Declaration>;
        fn actors(&self) -> BTreeSet<Seat>;
        fn common_answers(&self) -> Vec<Press>;
        fn last_actor(&self) -> Option<Seat>;
        fn take_back(&mut self) -> Result<(), Option<&'static str>>;
        fn forget_acts(&mut self);
        fn force(&mut self, seat: Seat, key: Key, answer: Answer);
        fn set_die(&mut self, label: &Label, value: Value);
        fn skip(&mut self, seat: Seat);
        fn unskip(&mut self, seat: Seat);
        fn return_part(&mut self, seat: Seat, key: &Key);
        fn forget_decisions(&mut self);
        fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown>;
        fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value;
        fn attempt(&self) -> u32;
        fn rehearse(&self, declaration: &Declaration, viewer: Viewer) -> Interview;
        fn finish(&mut self);
        fn save(&self) -> Saved;
        fn state_hash(&self) -> [u8; 32];
        fn opening_hash(&self) -> [u8; 32];
    }

    fn seats(&self) -> usize {
        G::asked(self.state()).count()
    }

    fn procedure(&self) -> Procedure {
        self.procedure()
    }

    fn sides(&self) -> BySeat<Option<Side>> {
        G::sides(self.state())
    }

    fn at_stake(
        &self,
        viewer: Viewer,
        draft: &Declaration,
        act: &Declaration,
    ) -> Option<&'static str> {
        G::at_stake(&G::seen_by(self.state(), viewer), draft, act)
    }

    fn close(&mut self, declared: BySeat<Option<Declaration>>) -> Result<Told, Held> {
        let resolution = self.close(declared)?;
        Ok(resolved(self, resolution))
    }

    fn act(&mut self, act: Act) -> Result<Told, Interview> {
        let resolution = self.act(act)?;
        Ok(resolved(self, resolution))
    }

    fn act_by(&self, seat: Seat, name: &str, chance: Stream) -> Option<Act> {
        let mut policy = policy::<G>(name, chance)?;
        self.act_by(seat, &mut *policy)
    }

    fn act_by_house(&self, seat: Seat, chance: Stream) -> Option<Act> {
        let strongest = G::POLICIES.last().map_or(RANDOM, |(name, _)| name);
        AnyContest::act_by(self, seat, strongest, chance)
    }

    fn common_acts(&self) -> Vec<Press> {
        let mut acts = self.common_acts();
        let place = |option: &SmolStr| G::lexicon().place(option);
        acts.sort_by_cached_key(|press| press.options.iter().map(place).collect::<Vec<_>>());
        acts
    }

    fn copy(&self) -> Box<dyn AnyContest> {
        Box::new(self.clone())
    }

    fn report(&self, viewer: Viewer) -> Json {
        let mut report = G::report(&G::seen_by(self.state(), viewer));
        report["dealing"] = (self.round() == Round::DEAL).into();
        report
    }

    fn planned(&self, seat: Seat, drafts: &[(Seat, &Declaration)]) -> Option<Json> {
        Some(G::report(&self.planned(seat, drafts)?))
    }

    fn cards_before(&self, seat: Seat) -> CardsBefore {
        G::cards_before(&G::seen_by(self.state(), Viewer::Seat(seat)), seat)
    }

    fn standing(&self) -> Option<Vec<Place>> {
        self.standing().map(<[_]>::to_vec)
    }

    fn carried(&self) -> Option<Json> {
        G::carried(self.state())
    }

    fn declare(&self, seat: Seat, name: &str, chance: Stream) -> Option<Declaration> {
        let mut policy = policy::<G>(name, chance)?;
        Some(playout::declare(self, seat, &mut *policy))
    }

    fn ask_again(&mut self, attempt: u32) -> Result<Option<Told>, Held> {
        let resolution = self.ask_again(attempt)?;
        Ok(resolution.map(|resolution| resolved(self, resolution)))
    }

    fn foresee(&self, declaration: &Declaration, viewer: Viewer) -> Vec<Entry<Json>> {
        seen::<G>(self.state(), &self.foresee(declaration, viewer), viewer)
    }

    fn amend(&mut self, declaration: &Declaration) -> Result<Told, Interview> {
        let resolution = self.amend(declaration)?;
        Ok(resolved(self, resolution))
    }

    fn seen(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>> {
        seen::<G>(self.state(), &read::<G>(entries), viewer)
    }

    fn is_shown(&self, entries: &[Entry<Json>]) -> bool {
        read::<G>(entries).iter().all(|entry| match &entry.item {
            Item::Event(event) => G::is_shown(event),
            Item::Ruling(_) => true,
        })
    }
}

pub(super) fn resolved<G: Game>(contest: &Contest<G>, resolution: Resolution<G::Event>) -> Told {
    let Resolution { entries, met, standing, .. } = resolution;
    Told { entries: seen::<G>(contest.state(), &entries, Viewer::All), met, standing }
}

/// Parses stored entries, without the events that this game cannot parse.
fn read<G: Playable>(entries: &[Entry<Json>]) -> Vec<Entry<G::Event>> {
    let read = |entry: &Entry<Json>| {
        let item = match &entry.item {
            Item::Event(event) => Item::Event(G::Event::deserialize(event).ok()?),
            Item::Ruling(ruling) => Item::Ruling(ruling.clone()),
        };
        Some(Entry { turn: entry.turn, section: entry.section.clone(), item })
    };
    entries.iter().filter_map(read).collect()
}

/// Filters these entries for a viewer.
fn seen<G: Game>(
    state: &G::State,
    entries: &[Entry<G::Event>],
    viewer: Viewer,
) -> Vec<Entry<Json>> {
    let sealing = G::procedure(state).sealing;
    let seen = |entry: &Entry<G::Event>| {
        let item = match &entry.item {
            Item::Event(event) => Item::Event(json(&G::event_seen_by(state, event, viewer)?)),
            Item::Ruling(ruling) => Item::Ruling(ruling.seen_by(viewer, sealing)?),
        };
        Some(Entry { turn: entry.turn, section: entry.section.clone(), item })
    };
    entries.iter().filter_map(seen).collect()
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> Json {
    // Events are plain data: their maps have string keys only.
    serde_json::to_value(value).expect("an event is plain data")
}
