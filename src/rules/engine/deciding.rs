//! The decisions of a GM about a contest: answers and dice, whole turns and parts of them, a move, and a
//! window asked anew.
//!
//! The next run applies a decision. If two decisions contradict each other, the later counts. The posted part
//! of a suspension stays: a decision that would change it holds the table.

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
    /// Answers a question of this root window in the player's place. A part that was sent back is heard
    /// again.
    pub fn force(&mut self, seat: Seat, key: Key, answer: Answer) {
        self.decided.sent_back.remove(&(seat, key.whole()));
        self.decided.forced[seat].set(key, answer);
    }

    /// Sets a die of this root window to an option or a number. A value that the die does not have is
    /// ignored.
    pub fn set_die(&mut self, label: &Label, value: Value) {
        self.decided.dice.insert(label.to_string(), value);
    }

    /// Skips a seat's turn of this root window, whatever the seat declared.
    pub fn skip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Skipped);
    }

    /// True if the GM has skipped a seat's turn of this root window.
    pub fn is_skipped(&self, seat: Seat) -> bool {
        let turnout = |turnouts: &BTreeMap<Seat, Turnout>| turnouts.get(&seat).copied();
        let decided = turnout(&self.decided.turnouts).or_else(|| turnout(&self.answers.turnouts));
        decided == Some(Turnout::Skipped)
    }

    /// Plays a seat's turn of this root window in any case: without a declaration everything counts as left
    /// out, and a fault only returns its part.
    pub fn unskip(&mut self, seat: Seat) {
        self.decided.turnouts.insert(seat, Turnout::Played);
    }

    /// Sends a part of a seat's declaration back (差し戻し) although it could be carried out. The answers to a
    /// duty count as left out. Earlier decisions about the part's questions are dropped.
    pub fn return_part(&mut self, seat: Seat, key: &Key) {
        let part = key.whole();
        self.decided.forced[seat].remove_part(&part);
        self.decided.sent_back.insert((seat, part));
    }

    /// Drops the decisions made since the last window closed.
    pub fn forget_decisions(&mut self) {
        self.decided = Decided::nothing(self.answers.forced.count());
    }

    /// Returns every die and every choice by die in the resolution of the open window with these
    /// declarations, in order, without those already posted and without shuffles. The contest does not
    /// change.
    pub fn thrown(&self, declared: BySeat<Option<Declaration>>) -> Vec<Thrown> {
        if self.asked().is_empty() {
            return Vec::new();
        }
        let dice = self.dice.of_window(self.round.get(), self.attempt);
        throws::<G>(self.rule(), &self.root, &self.with(declared), dice, self.posted.entries)
    }

    /// Returns the value of a die of the open root window under another attempt. The contest does not change.
    pub fn throw_again(&self, thrown: &Thrown, attempt: u32) -> Value {
        thrown.again(&self.dice.of_window(self.round.get(), attempt))
    }

    /// Interviews the GM about a move, as far as this viewer may know: a hidden card is not offered. During
    /// the resolution of a root window no move is possible, and nothing is asked.
    pub fn rehearse(&self, declaration: &Declaration, viewer: Viewer) -> Interview {
        self.rehearsed(declaration, viewer).found
    }

    /// Returns the events of a GM's move, as far as this viewer may know the state.
    pub fn foresee(&self, declaration: &Declaration, viewer: Viewer) -> Vec<Entry<G::Event>> {
        self.rehearsed(declaration, viewer).record.into_parts().0
    }

    /// True if two moves of the GM lead to the same state, as far as this viewer may know the state.
    pub fn comes_to_the_same(
        &self,
        one: &Declaration,
        other: &Declaration,
        viewer: Viewer,
    ) -> bool {
        self.rehearsed(one, viewer).state == self.rehearsed(other, viewer).state
    }

    /// Carries out a move of the GM between two root windows.
    ///
    /// # Errors
    /// If the move has faults, or answers that no question asked for: the interview with all of them.
    pub fn amend(&mut self, declaration: &Declaration) -> Result<Resolution<G::Event>, Interview> {
        let Rehearsed { found, state, record } = self.rehearsed(declaration, Viewer::All);
        if !found.faults.is_empty() || !found.superfluous.is_empty() {
            return Err(found);
        }
        self.stand_at(state);
        let (entries, met) = record.into_parts();
        Ok(Resolution { entries, met, standing: None })
    }

    /// Ends the game at the state of the root window's opening. Later declarations and decisions do not
    /// count.
    pub fn finish(&mut self) {
        let mut state = self.root.clone();
        G::finish(&mut state);
        self.stand_at(state);
    }

    fn rehearsed(&self, declaration: &Declaration, viewer: Viewer) -> Rehearsed<G> {
        if self.is_suspended() {
            let mut found = Interview::default();
            found.note_superfluous(declaration);
            return Rehearsed { found, state: self.root.clone(), record: Record::default() };
        }
        rehearse::<G>(&G::seen_by(&self.now, viewer), declaration)
    }

    /// Opens the root window anew under another attempt. Declarations, decisions and posts of the window are
    /// dropped, its dice are new, and the unknown cards of the decks are shuffled ([`Game::reshuffle`]). A
    /// suspended contest goes back to its root window, and a deal is dealt again: only the deal returns a
    /// resolution.
    ///
    /// An attempt number must never come again at a table, not in a later window either: its dice may have
    /// been seen.
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

    /// Resets the open root window to this state, with no acts done in it.
    pub(crate) fn stand_at(&mut self, state: G::State) {
        (self.opened, self.acts) = (None, Vec::new());
        self.standing = G::standing(&state);
        self.root = state.clone();
        self.now = state;
    }
}
