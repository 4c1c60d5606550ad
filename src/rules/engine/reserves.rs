//! The parts of a run with alternatives in reserve: if the first answer to a part cannot stand, the part is
//! asked again with the next.
//!
//! A frame asks again: the innermost frame that heard all answers to the part, so that no effect of the
//! answers passed over remains.

use crate::{Fault, Key, Seat};

/// A part with alternatives in reserve that has been heard.
#[derive(Clone, Debug)]
pub(crate) struct Reserved {
    pub(crate) seat: Seat,
    pub(crate) part: Key,
    /// The number of answers passed over because they could not stand.
    pub(crate) passed: usize,
    /// The fault of the first answer.
    pub(crate) fault: Option<Fault>,
    /// The frame that first heard the part: later frames have higher numbers.
    frame: usize,
}

/// The reserves of a run.
#[derive(Debug, Default)]
pub(crate) struct Reserves {
    heard: Vec<Reserved>,
    /// The number of frames begun.
    frames: usize,
    /// The frames that have not ended, outermost first.
    open: Vec<usize>,
    /// The part to ask again.
    falls_back: Option<usize>,
}

impl Reserves {
    fn position(&self, seat: Seat, part: &Key) -> Option<usize> {
        self.heard.iter().position(|of| of.seat == seat && of.part == *part)
    }

    /// Returns the number of answers of a part that were passed over, `None` if the part was not heard.
    pub(crate) fn passed(&self, seat: Seat, part: &Key) -> Option<usize> {
        self.position(seat, part).map(|at| self.heard[at].passed)
    }

    /// Adds a part when it is heard for the first time.
    pub(crate) fn hear(&mut self, seat: Seat, part: Key) {
        let frame = self.open.last().copied().unwrap_or_default();
        self.heard.push(Reserved { seat, part, passed: 0, fault: None, frame });
    }

    /// Passes over the present answer of a part, which cannot stand. True if one of the `held` alternatives
    /// is left and an open frame can ask the part again.
    pub(super) fn fall_back(&mut self, seat: Seat, fault: &Fault, held: usize) -> bool {
        let Some(at) = self.position(seat, &fault.key.whole()) else { return false };
        let outermost = self.open.first().copied();
        let reserved = &mut self.heard[at];
        let is_within = outermost.is_some_and(|outermost| outermost <= reserved.frame);
        let falls_back = is_within && reserved.passed < held;
        if falls_back {
            reserved.passed += 1;
            reserved.fault.get_or_insert_with(|| fault.clone());
            self.falls_back = Some(at);
        }
        falls_back
    }

    /// Begins a frame within the open ones.
    pub(crate) fn begin(&mut self) -> usize {
        self.frames += 1;
        self.open.push(self.frames);
        self.frames
    }

    /// Ends the innermost frame.
    pub(crate) fn end(&mut self) {
        self.open.pop();
    }

    /// True if this frame must ask again, as it has heard the whole part that falls back. Parts heard in
    /// inner frames start anew.
    pub(super) fn asks_again(&mut self, frame: usize) -> bool {
        let Some(at) = self.falls_back.filter(|at| self.heard[*at].frame >= frame) else {
            return false;
        };
        self.heard[at].frame = frame;
        self.heard.retain(|of| of.frame <= frame);
        self.falls_back = None;
        true
    }

    /// Returns the parts of a frame with answers passed over.
    pub(super) fn passed_in(&self, frame: usize) -> Vec<Reserved> {
        let is_passed = |of: &&Reserved| of.frame == frame && of.passed > 0;
        self.heard.iter().filter(is_passed).cloned().collect()
    }

    /// Returns the parts with answers passed over.
    pub(crate) fn passed_over(&self) -> impl Iterator<Item = &Reserved> {
        self.heard.iter().filter(|of| of.passed > 0)
    }
}
