//! A policy that gives any legal answer, all equally likely: the fuzzer of every game.

use crate::chance::dice::Stream;
use crate::engine::ask::{Choice, Offer, Picks, Pieces, Reply, largest_first, worth};
use crate::vocabulary::game::{Game, Policy};
use crate::vocabulary::question::{Denomination, Suppose};
use crate::vocabulary::seat::Seat;

/// A policy that answers at random.
#[derive(Debug)]
pub struct Random(Stream);

impl Random {
    /// Creates a policy that draws its answers from this stream.
    pub fn new(stream: Stream) -> Self {
        Self(stream)
    }

    /// Returns a random number below `count`.
    ///
    /// # Panics
    /// If there are 2³² or more.
    pub fn index(&mut self, count: usize) -> usize {
        self.0.below(u32::try_from(count).expect("no list is that long")) as usize
    }

    /// Returns random pieces that cover the cost, or the largest first if that takes too many pieces.
    fn payment(&mut self, cost: u32, purse: &[Denomination], limit: Option<u8>) -> Reply {
        let mut paid = Pieces::default();
        let total: u8 = purse.iter().map(|denomination| denomination.count).sum();
        for used in 0..total.min(limit.unwrap_or(u8::MAX)) {
            if worth(purse, paid) >= cost {
                break;
            }
            let mut left = self.index(usize::from(total - used));
            for (paid, denomination) in paid.iter_mut().zip(purse) {
                let free = usize::from(denomination.count - *paid);
                if left < free {
                    *paid += 1;
                    break;
                }
                left -= free;
            }
        }
        if worth(purse, paid) >= cost {
            return Reply::Payment(paid);
        }
        largest_first(cost, purse, limit).map_or(Reply::LeftOut, Reply::Payment)
    }
}

impl<G: Game> Policy<G> for Random {
    fn begin(&mut self, _: Seat, _: &mut dyn FnMut() -> G::State) {}

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        match offer.choice {
            Choice::Option(options) => {
                // Passing is one more answer if it is not an omission.
                let without = usize::from(*offer.suppose == Suppose::Nothing);
                match self.index(options.count() + without) {
                    index if index < options.count() => Reply::Option(index),
                    _ => Reply::LeftOut,
                }
            }
            Choice::Picks { options, min, max } => {
                let span = usize::from(max - min) + 1;
                let count = usize::from(min) + self.index(span);
                let mut picks = Picks::new();
                while picks.len() < count.min(options.count()) {
                    let index = self.index(options.count());
                    if !picks.contains(&index) {
                        picks.push(index);
                    }
                }
                Reply::Picks(picks)
            }
            Choice::Payment { cost, purse, limit } => self.payment(cost.unwrap_or(0), purse, limit),
            Choice::Number { min, max } => {
                let count = usize::try_from(max - min + 1).expect("a small range");
                Reply::Number(min + i64::try_from(self.index(count)).expect("a small range"))
            }
            Choice::Text { .. } => Reply::LeftOut,
        }
    }
}
