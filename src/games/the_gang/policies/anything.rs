//! `random` as a bot player: any legal reply, within the rules for bot players.

use super::super::state::{State, TheGang};
use crate::answer::option;
use rules::dice::Stream;
use rules::playout::Random;
use rules::{Offer, Policy, Reply, Seat};

/// The immediate deeds of a bot player besides agreeing (G6.12): it proposes nothing, and always agrees.
const DEEDS: [&str; 4] = ["take", "return", "ok", "guess"];

/// The random policy, restricted by G6.12.
#[derive(Debug)]
pub(in crate::the_gang) struct Anything {
    random: Random,
}

impl Anything {
    /// Creates the policy with this random stream.
    pub(in crate::the_gang) fn new(chance: Stream) -> Self {
        Self { random: Random::new(chance) }
    }
}

impl Policy<TheGang> for Anything {
    fn begin(&mut self, _: Seat, _: &mut dyn FnMut() -> State) {}

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        if (offer.key.section.as_str(), offer.key.name.as_str()) != ("act", "do") {
            return Policy::<TheGang>::reply(&mut self.random, offer);
        }
        if let Some(agree) = option(offer, "agree") {
            return agree;
        }
        let mut deeds: Vec<Reply> = DEEDS.iter().filter_map(|deed| option(offer, deed)).collect();
        deeds.push(Reply::LeftOut);
        let chosen = self.random.index(deeds.len());
        deeds.swap_remove(chosen)
    }
}
