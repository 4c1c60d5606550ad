//! Which parts of a run something is held in reserve for, and how far each has come.

use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::Fault;
use crate::vocabulary::seat::Seat;

/// A part for which something is held in reserve, once anything of it was heard.
#[derive(Clone, Debug)]
pub(crate) struct Reserved {
    pub(crate) seat: Seat,
    pub(crate) part: Key,
    /// How many were passed over, as they could not stand.
    pub(crate) passed: usize,
    /// Why the first was.
    pub(crate) fault: Option<Fault>,
    /// The frame in which it was heard first: later ones have higher numbers.
    frame: usize,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct Reserves {
    heard: Vec<Reserved>,
    /// The number of frames that have begun.
    frames: usize,
    /// Those that have not ended, outermost first.
    open: Vec<usize>,
    /// The part that is to be asked again.
    falls_back: Option<usize>,
}

impl Reserves {
    fn position(&self, seat: Seat, part: &Key) -> Option<usize> {
        self.heard.iter().position(|of| of.seat == seat && of.part == *part)
    }

    /// How many of a part were passed over, if it was heard.
    pub(crate) fn passed(&self, seat: Seat, part: &Key) -> Option<usize> {
        self.position(seat, part).map(|at| self.heard[at].passed)
    }

    /// Something of a part is heard for the first time.
    pub(crate) fn hear(&mut self, seat: Seat, part: Key) {
        let frame = self.open.last().copied().unwrap_or_default();
        self.heard.push(Reserved { seat, part, passed: 0, fault: None, frame });
    }

    /// What was heard of a part cannot stand, and so much is held in reserve for it: whether a frame
    /// that has not ended is to ask it again with the next.
    pub(crate) fn fall_back(&mut self, seat: Seat, fault: &Fault, held: usize) -> bool {
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

    /// A frame begins, within those that have not ended.
    pub(crate) fn begin(&mut self) -> usize {
        self.frames += 1;
        self.open.push(self.frames);
        self.frames
    }

    /// The innermost frame ends.
    pub(crate) fn end(&mut self) {
        self.open.pop();
    }

    /// True if this frame is to ask again, as all was heard within it of the part that falls back. What
    /// else was heard in frames within is tried anew.
    pub(crate) fn asks_again(&mut self, frame: usize) -> bool {
        let Some(at) = self.falls_back.filter(|at| self.heard[*at].frame >= frame) else {
            return false;
        };
        self.heard[at].frame = frame;
        self.heard.retain(|of| of.frame <= frame);
        self.falls_back = None;
        true
    }

    /// The parts of a frame of which something was passed over.
    pub(crate) fn passed_in(&self, frame: usize) -> Vec<Reserved> {
        let is_passed = |of: &&Reserved| of.frame == frame && of.passed > 0;
        self.heard.iter().filter(is_passed).cloned().collect()
    }

    /// The parts of which something was passed over.
    pub(crate) fn passed_over(&self) -> impl Iterator<Item = &Reserved> {
        self.heard.iter().filter(|of| of.passed > 0)
    }
}
