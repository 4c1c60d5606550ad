//! Reserves at work: if the first answer to a part cannot stand, the part is asked again with the next.
//!
//! A frame asks again: the innermost frame that heard all answers to the part, so that no effect of the
//! answers passed over remains.

use smol_str::SmolStr;

use crate::engine::interview::Source;
use crate::engine::referee::{Halt, Play, Referee, Run};
use crate::engine::reserves::Reserved;
use crate::vocabulary::game::Game;
use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::{Fault, Outcome, Reason};
use crate::vocabulary::seat::Seat;

/// The progress of a run, to rewind to.
struct RunMark {
    record: usize,
    /// The numbers of questions, faults, remarks and notes.
    came_to: [usize; 4],
    tentative: usize,
    section: SmolStr,
}

impl<G: Game> Run<'_, G> {
    /// True if any seat has answers in reserve.
    pub(crate) fn has_reserves(&self) -> bool {
        match self {
            Self::Interview(interviewing) => interviewing.has_reserves,
            Self::Adjudication(adjudicating) => adjudicating.has_reserves,
            Self::Quick(_) => false,
        }
    }

    /// Returns the number of alternatives that a seat has in reserve for a part.
    fn reserves(&self, seat: Seat, part: &Key) -> usize {
        match self {
            Self::Interview(interviewing) if interviewing.seat == seat => {
                match &interviewing.source {
                    Source::Declared(declaration) | Source::Sealed(declaration, _) => {
                        declaration.reserves(part).len()
                    }
                    Source::Decided(..) => 0,
                }
            }
            Self::Adjudication(adjudicating) => adjudicating.reserves(seat, part),
            Self::Interview(_) | Self::Quick(_) => 0,
        }
    }
}

impl<G: Game> Referee<'_, G> {
    /// Returns the number of alternatives of a part that were passed over before this question.
    pub(crate) fn passed(&mut self, seat: Seat, key: &Key) -> usize {
        if !self.run.has_reserves() {
            return 0;
        }
        let part = key.whole();
        if let Some(passed) = self.reserves.passed(seat, &part) {
            return passed;
        }
        if self.run.reserves(seat, &part) > 0 {
            self.reserves.hear(seat, part);
        }
        0
    }

    /// True if an alternative is in reserve for an answer that cannot stand: then a frame asks again. A
    /// decision of the GM has no alternative.
    pub(crate) fn falls_back(&mut self, seat: Seat, fault: &Fault) -> bool {
        if fault.reason == Reason::Decided || !self.run.has_reserves() {
            return false;
        }
        let held = self.run.reserves(seat, &fault.key.whole());
        self.reserves.fall_back(seat, fault, held)
    }

    /// Carries out a frame, and again with the next alternative as long as an answer in the frame cannot
    /// stand.
    pub(crate) fn framed<S: Clone, T>(
        &mut self,
        state: &mut S,
        mut body: impl FnMut(&mut S, &mut Self) -> Play<T>,
    ) -> Play<T> {
        if !self.run.has_reserves() {
            return body(state, self);
        }
        let (saved, mark, frame) = (state.clone(), self.mark(), self.reserves.begin());
        let done = loop {
            self.rule_reserves(frame);
            match body(state, self) {
                Err(Halt::FallsBack) if self.reserves.asks_again(frame) => {
                    *state = saved.clone();
                    self.rewind(&mark);
                }
                done => break done,
            }
        };
        self.reserves.end();
        done
    }

    /// Rules for which parts of a frame an alternative counts. The ruling does not show the alternative: its
    /// events do.
    fn rule_reserves(&mut self, frame: usize) {
        for Reserved { seat, part, fault, .. } in self.reserves.passed_in(frame) {
            let clause = self.procedure.in_reserve;
            self.rule(seat, part, Outcome::InReserve, None, fault, clause);
        }
    }

    fn mark(&self) -> RunMark {
        let came_to = match &self.run {
            Run::Interview(interviewing) => interviewing.came_to(),
            _ => [0; 4],
        };
        let (record, tentative) = (self.record.mark(), self.tentative.len());
        RunMark { record, came_to, tentative, section: self.section.clone() }
    }

    fn rewind(&mut self, mark: &RunMark) {
        self.record.rewind(mark.record);
        self.tentative.truncate(mark.tentative);
        self.section = mark.section.clone();
        if let Run::Interview(interviewing) = &mut self.run {
            interviewing.rewind(mark.came_to);
        }
    }
}
