//! Every payment that covers a cost and has no superfluous piece.

use smol_str::SmolStr;

use rules::Denomination;
use rules::ask::most;

/// The maximum number of payments found.
const MOST: usize = 500;

/// A way to pay that a panel offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Payment {
    /// The number of each piece, in the order of the purse.
    pub(super) pieces: Vec<(SmolStr, u8)>,
    /// The value of the payment above the cost.
    pub(super) over: u32,
}

/// Returns the payments: the least overpaid first, then those of the fewest pieces, then the largest.
pub(super) fn payments(cost: u32, purse: &[Denomination], limit: Option<u8>) -> Vec<Payment> {
    let mut kinds: Vec<Denomination> =
        purse.iter().filter(|kind| kind.worth > 0).cloned().collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.worth));
    let mut search = Search { purse, found: Vec::new() };
    search.go_on(cost, &kinds, limit, &mut Vec::new());
    let mut found = search.found;
    let count = |payment: &Payment| payment.pieces.iter().map(|(_, n)| u32::from(*n)).sum::<u32>();
    found.sort_by_key(|payment| (payment.over, count(payment)));
    found
}

struct Search<'a> {
    purse: &'a [Denomination],
    found: Vec<Payment>,
}

impl Search<'_> {
    /// Pays the rest with these kinds, the largest first. The last piece that covers the rest was needed, and
    /// so was every larger one.
    fn go_on(
        &mut self,
        left: u32,
        kinds: &[Denomination],
        limit: Option<u8>,
        paid: &mut Vec<(SmolStr, u8)>,
    ) {
        if left == 0 {
            self.note(paid, 0);
            return;
        }
        let Some((kind, smaller)) = kinds.split_first() else { return };
        if self.found.len() >= MOST || most(kinds, limit) < left {
            return;
        }
        let held = kind.count.min(limit.unwrap_or(u8::MAX));
        let needed = u8::try_from(left.div_ceil(kind.worth)).unwrap_or(u8::MAX);
        for count in (0..=held.min(needed)).rev() {
            let worth = kind.worth * u32::from(count);
            paid.push((kind.id.clone(), count));
            if worth >= left {
                self.note(paid, worth - left);
            } else {
                self.go_on(left - worth, smaller, limit.map(|limit| limit - count), paid);
            }
            paid.pop();
        }
    }

    fn note(&mut self, paid: &[(SmolStr, u8)], over: u32) {
        let count = |id: &SmolStr| paid.iter().find(|(paid, _)| paid == id).map_or(0, |(_, n)| *n);
        let pieces = self.purse.iter().map(|kind| (kind.id.clone(), count(&kind.id)));
        self.found.push(Payment { pieces: pieces.filter(|(_, n)| *n > 0).collect(), over });
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rules::ask::{largest_first, worth};

    fn purse(counts: [u8; 3], worths: [u32; 3]) -> Vec<Denomination> {
        let kinds = ["small", "medium", "large"].into_iter().zip(worths).zip(counts);
        kinds.map(|((id, worth), count)| Denomination { id: id.into(), worth, count }).collect()
    }

    fn shown(payments: &[Payment]) -> Vec<String> {
        let piece = |(id, n): &(SmolStr, u8)| format!("{}{n}", &id[..1]);
        let line = |payment: &Payment| {
            let pieces: Vec<String> = payment.pieces.iter().map(piece).collect();
            format!("{}+{}", pieces.join(" "), payment.over)
        };
        payments.iter().map(line).collect()
    }

    #[test]
    fn the_least_overpaid_come_first() {
        let purse = purse([2, 2, 2], [1, 2, 3]);
        let found = shown(&payments(4, &purse, None));
        assert_eq!(found, ["s1 l1+0", "m2+0", "s2 m1+0", "m1 l1+1", "l2+2"]);
        assert_eq!(shown(&payments(4, &purse, Some(2))), ["s1 l1+0", "m2+0", "m1 l1+1", "l2+2"]);
        assert_eq!(shown(&payments(0, &purse, None)), ["+0"]);
        assert_eq!(payments(13, &purse, None), []);
    }

    proptest! {
        /// Compares with every way to take pieces out of the purse.
        #[test]
        fn every_payment_without_a_piece_too_many_is_found(
            counts in [0_u8..5, 0..5, 0..5],
            worths in [1_u32..5, 1..5, 1..5],
            cost in 1_u32..12,
            limit in proptest::option::of(1_u8..8),
        ) {
            let purse = purse(counts, worths);
            let found = payments(cost, &purse, limit);
            let is_least = |pieces: [u8; 4]| {
                let all = worth(&purse, pieces);
                let within = limit.is_none_or(|limit| pieces.iter().sum::<u8>() <= limit);
                let used = purse.iter().zip(pieces).filter(|(_, n)| *n > 0);
                within && all >= cost && used.into_iter().all(|(kind, _)| all - kind.worth < cost)
            };
            let mut count = 0;
            for small in 0..=counts[0] {
                for medium in 0..=counts[1] {
                    for large in 0..=counts[2] {
                        count += usize::from(is_least([small, medium, large, 0]));
                    }
                }
            }
            prop_assert_eq!(found.len(), count);
            let mut pieces: Vec<_> = found.iter().map(|payment| &payment.pieces).collect();
            pieces.sort();
            pieces.dedup();
            prop_assert_eq!(pieces.len(), count);
            prop_assert!(found.is_sorted_by_key(|payment| payment.over));
            let largest = largest_first(cost, &purse, limit).map(|pieces| worth(&purse, pieces));
            let is_among =
                |largest| found.iter().any(|payment| payment.over == largest - cost);
            prop_assert!(largest.is_none_or(is_among));
        }
    }
}
