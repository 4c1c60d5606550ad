//! What is held in reserve for a part of a declaration: where what is said first cannot stand, the part
//! is asked again with the next.
//!
//! A frame asks again, the innermost in which all was heard that was said to the part, so that nothing
//! of what is passed over is left behind.

use smol_str::SmolStr;

use crate::engine::interview::Source;
use crate::engine::referee::{Halt, Play, Referee, Run};
use crate::engine::reserves::Reserved;
use crate::vocabulary::game::Game;
use crate::vocabulary::question::Key;
use crate::vocabulary::ruling::{Fault, Outcome, Reason};
use crate::vocabulary::seat::Seat;

/// How far a run has come.
struct RunMark {
    record: usize,
    asked: usize,
    faults: usize,
    remarks: usize,
    tentative: usize,
    section: SmolStr,
}

impl<G: Game> Run<'_, G> {
    /// True if anything is held in reserve by anybody.
    pub(crate) fn has_reserves(&self) -> bool {
        match self {
            Self::Interview(interviewing) => interviewing.has_reserves,
            Self::Adjudication(adjudicating) => adjudicating.has_reserves,
            Self::Quick(_) => false,
        }
    }

    /// How much is held in reserve for a part.
    fn reserves(&self, seat: Seat, part: &Key) -> usize {
        match self {
            Self::Interview(interviewing) if interviewing.seat == seat => {
                match &interviewing.source {
                    Source::Said(said) | Source::Sealed(said, _) => said.reserves(part).len(),
                    Source::Decided(..) => 0,
                }
            }
            Self::Adjudication(adjudicating) => adjudicating.reserves(seat, part),
            Self::Interview(_) | Self::Quick(_) => 0,
        }
    }
}

impl<G: Game> Referee<'_, G> {
    /// How much of what is said to a part was passed over when this is asked of it.
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

    /// True if something is held in reserve for what cannot stand: then a frame asks again. For what
    /// the GM has decided there is nothing.
    pub(crate) fn falls_back(&mut self, seat: Seat, fault: &Fault) -> bool {
        if fault.reason == Reason::Decided || !self.run.has_reserves() {
            return false;
        }
        let held = self.run.reserves(seat, &fault.key.whole());
        self.reserves.fall_back(seat, fault, held)
    }

    /// Carries out a frame, again with the next that is held in reserve as long as something that is
    /// said in it cannot stand.
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

    /// Rules for which parts of a frame what was held in reserve counts: what it is comes to light by
    /// what it brings about, and what it stands for does not.
    fn rule_reserves(&mut self, frame: usize) {
        for Reserved { seat, part, fault, .. } in self.reserves.passed_in(frame) {
            let clause = self.procedure.in_reserve;
            self.rule(seat, part, Outcome::InReserve, None, fault, clause);
        }
    }

    fn mark(&self) -> RunMark {
        let (asked, faults, remarks) = match &self.run {
            Run::Interview(interviewing) => interviewing.came_to(),
            _ => (0, 0, 0),
        };
        let (record, tentative) = (self.record.mark(), self.tentative.len());
        RunMark { record, asked, faults, remarks, tentative, section: self.section.clone() }
    }

    fn rewind(&mut self, mark: &RunMark) {
        self.record.rewind(mark.record);
        self.tentative.truncate(mark.tentative);
        self.section = mark.section.clone();
        if let Run::Interview(interviewing) = &mut self.run {
            interviewing.rewind(mark.asked, mark.faults, mark.remarks);
        }
    }
}
