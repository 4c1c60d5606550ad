//! Policies with fixed answers, written `house:deck.line=shade`.

use smol_str::SmolStr;

use super::plan::PlanError;
use crate::answer::{option_of, pick_of};
use crate::cards::hash::unmarked;
use rules::{Game, Key, Offer, Policy, Reply, Seat};

/// The answer that leaves a question out.
const NOTHING: &str = "-";

/// A policy of a plan: its name, and its fixed answers.
pub(super) struct SeatPolicy<'a> {
    pub(super) name: &'a str,
    pub(super) fixed: Vec<(Key, SmolStr)>,
}

impl<'a> SeatPolicy<'a> {
    /// Parses `NAME`, or `NAME:QUESTION=ANSWER` with any number of fixed answers.
    ///
    /// # Errors
    /// If a fixed answer has another form.
    pub(super) fn read(input: &'a str) -> Result<Self, PlanError> {
        let mut parts = input.split(':');
        let name = parts.next().unwrap_or_default();
        let fixed = parts.map(|part| {
            let (key, answer) = part.split_once('=')?;
            Some((key.parse().ok()?, SmolStr::new(answer)))
        });
        let fixed: Option<_> = fixed.collect();
        fixed.map(|fixed| Self { name, fixed }).ok_or_else(|| PlanError::Policy(input.into()))
    }
}

/// A policy that gives its fixed answers wherever they are legal.
pub(super) struct FixedPolicy<G: Game> {
    pub(super) policy: Box<dyn Policy<G>>,
    pub(super) fixed: Vec<(Key, SmolStr)>,
}

impl<G: Game> Policy<G> for FixedPolicy<G> {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> G::State) {
        self.policy.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let fixed = self.fixed.iter().find(|(key, _)| key == offer.key);
        let reply = fixed.and_then(|(_, answer)| match answer.as_str() {
            NOTHING => Some(Reply::LeftOut),
            answer => {
                let is_it = |id: &str| id == answer || unmarked(id) == answer;
                pick_of(offer, is_it).or_else(|| option_of(offer, is_it))
            }
        });
        reply.unwrap_or_else(|| self.policy.reply(offer))
    }
}
