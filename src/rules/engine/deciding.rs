//! What a GM decides about a contest: answers and dice, whole turns and parts of them, a move,
//! and that a window is asked anew.
//!
//! A decision about the resolution is heard by the next run. Where it contradicts an earlier one,
//! the later counts. What a suspension has posted already stays: a decision that would change it
//! holds the table.

use std::collections::BTreeMap;

use crate::chance::die::Label;
use crate::engine::adjudication::{Answers, Turnout, reshuffled};
use crate::engine::contest::{Contest, Decided, Held, Posted, Resolution};
use crate::engine::interview::{Interview, Rehearsed, rehearse};
use crate::engine::throwing::{Thrown, throws};
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::Key;
use crate::vocabulary::record::{Entry, Record};
use crate::vocabulary::round::Round;
use crate::vocabulary::seat::{BySeat, Seat, Viewer};

impl<G: Game> Contest<G> {
    /// The GM decides a question of this root window instead of its player. A part that was sent
    /// back is heard again by that.
    pub fn force(&mut self, seat: Seat, key: Key, answer: Answer) {
        self.decided.sent_back.remove(&(seat, key.whole()));
        self.decided.forced[seat].set(key, answer);
    }

    /// The GM decides a die of this root window: the option it shows, or the number. What it
    /// cannot show it does not.
    pub fn set_die(&mut self, label: &Label, value: Value) {
        self.decided.dice.insert(label.to_string(), value);
    }

    /// The GM decides that a seat's turn of this root window is skipped, whatever it declared.
    pub fn skip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Skipped);
    }

    /// True if the GM has decided that a seat's turn of this root window is skipped.
    pub fn is_skipped(&self, seat: Seat) -> bool {
        let turnout = |turnouts: &BTreeMap<Seat, Turnout>| turnouts.get(&seat).copied();
        let decided = turnout(&self.decided.turnouts).or_else(|| turnout(&self.answers.turnouts));
        decided == Some(Turnout::Skipped)
    }

    /// The GM decides that a seat's turn of this root window is not skipped: of nothing declared
    /// everything counts as left out, and a fault returns its part and costs no more.
    pub fn unskip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Played);
    }

    /// The GM sends a part of a seat's declaration back (差し戻し) although it could be carried
    /// out. Of a duty, what was said counts as left out. What was decided about its questions
    /// counts no more.
    pub fn return_part(&mut self, seat: Seat, key: &Key) {
        let part = key.whole();
        self.decided.forced[seat].remove_part(&part);
        self.decided.sent_back.insert((seat, part));
    }

    /// What the GM has decided since the last window closed counts no more.
    pub fn forget_decisions(&mut self) {
        self.decided = Decided::nothing(self.answers.forced.count());
    }

    /// Every die and every choice by die that the resolution of the open window meets with these
    /// declarations, in order, but those of what was posted before. Shuffles are none of them.
    /// Nothing is changed.
    pub fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown> {
        if self.asked().is_empty() {
            return Vec::new();
        }
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        throws::<G>(self.rule(), &self.root, &self.with(declared), dice, self.posted.entries)
    }

    /// What a die of the open root window shows when it is thrown again, as if that were another
    /// attempt. Nothing is changed.
    pub fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value {
        thrown.again(&self.dice.of_window(self.round.get(), attempt))
    }

    /// What a move of the GM's would be asked, as far as it is said, and as far as this viewer may
    /// know: who does not see a card is not offered it. While a root window is being resolved there
    /// is no move, and nothing is asked.
    pub fn rehearse(&self, said: &Declaration, viewer: Viewer) -> Interview {
        self.rehearsed(said, viewer).found
    }

    /// What a move of the GM's would tell, as far as this viewer may know where things are.
    pub fn foresee(&self, said: &Declaration, viewer: Viewer) -> Vec<Entry<G::Event>> {
        self.rehearsed(said, viewer).record.into_parts().0
    }

    /// True if two moves of the GM's come to the same, as far as this viewer may know where things are.
    pub fn comes_to_the_same(
        &self,
        one: &Declaration,
        other: &Declaration,
        viewer: Viewer,
    ) -> bool {
        self.rehearsed(one, viewer).state == self.rehearsed(other, viewer).state
    }

    /// Carries out a move of the GM's, between two root windows.
    ///
    /// # Errors
    /// It is refused with all its faults, and with all that nobody asked.
    pub fn amend(&mut self, said: &Declaration) -> Result<Resolution<G::Event>, Interview> {
        let Rehearsed { found, state, record } = self.rehearsed(said, Viewer::All);
        if !found.faults.is_empty() || !found.superfluous.is_empty() {
            return Err(found);
        }
        self.stand_at(state);
        let (entries, met) = record.into_parts();
        Ok(Resolution { entries, met, standing: None })
    }

    /// The game is over as it stood when the root window opened. What was said or decided since
    /// then does not count.
    pub fn finish(&mut self) {
        let mut state = self.root.clone();
        G::finish(&mut state);
        self.stand_at(state);
    }

    fn rehearsed(&self, said: &Declaration, viewer: Viewer) -> Rehearsed<G> {
        if self.is_suspended() {
            let mut found = Interview::default();
            found.note_superfluous(said);
            return Rehearsed { found, state: self.root.clone(), record: Record::default() };
        }
        rehearse::<G>(&G::seen_by(&self.now, viewer), said)
    }

    /// The root window that is open is asked again under another attempt. Nothing is declared,
    /// decided or posted in it any more, all its dice are new, and what nobody knows of the decks
    /// changes places ([`Game::reshuffle`]). A contest that is suspended goes back to its root
    /// window, and one that is being dealt is dealt again: only that has anything to tell.
    ///
    /// An attempt is never to come again at a table, not in a later window either: its dice may
    /// have been seen.
    ///
    /// # Errors
    /// If the deal does not come to an end.
    pub fn ask_again(&mut self, attempt: u32) -> Result<Option<Resolution<G::Event>>, Held> {
        let count = self.answers.declared.count();
        self.attempt = attempt;
        self.answers = Answers::new(count);
        self.decided = Decided::nothing(count);
        self.posted = Posted::default();
        self.open.clear();
        self.forget_acts();
        if self.round == Round::DEAL {
            self.stand_at(self.root.clone());
            return self.advance().map(Some);
        }
        let dice = self.dice.of_window(self.round.get(), attempt);
        self.stand_at(reshuffled::<G>(&self.root, dice));
        Ok(None)
    }

    /// The open root window begins at this state, and nothing has been done in it.
    pub(crate) fn stand_at(&mut self, state: G::State) {
        (self.opened, self.acts) = (None, Vec::new());
        self.standing = G::standing(&state);
        self.root = state.clone();
        self.now = state;
    }
}
