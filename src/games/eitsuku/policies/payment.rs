//! Payments of the policies: the cheapest, with the least useful pieces.

use crate::eitsuku::cards::Budgets;
use rules::ask::Choice;
use rules::{Offer, Reply};

/// The preference among equally cheap payments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefer {
    /// Many small pieces: large ones are worth more within the five cards of a turn (E3.7).
    Small,
    /// Few large pieces: the rest of the five cards is needed in the scout phase.
    Large,
}

/// The cheapest payment with at most `limit` pieces; `None` if there is none.
pub(super) fn payment(cost: u32, purse: Budgets, limit: u8, prefer: Prefer) -> Option<Budgets> {
    let mut best: Option<((u32, i16), Budgets)> = None;
    for large in 0..=purse.large.min(limit) {
        for medium in 0..=purse.medium.min(limit - large) {
            let paid = Budgets { small: 0, medium, large };
            let open = cost.saturating_sub(paid.worth());
            let Ok(small) = u8::try_from(open) else { continue };
            let paid = Budgets { small, ..paid };
            if small > purse.small || paid.count() > limit {
                continue;
            }
            let pieces = i16::from(paid.count());
            let rank = (paid.worth(), if prefer == Prefer::Small { -pieces } else { pieces });
            if best.is_none_or(|(before, _)| rank < before) {
                best = Some((rank, paid));
            }
        }
    }
    best.map(|(_, paid)| paid)
}

/// Replies to a payment with the cheapest, left out if it cannot be paid.
pub(super) fn pay(offer: &Offer<'_>, prefer: Prefer) -> Reply {
    let Choice::Payment { cost: Some(cost), purse, limit } = offer.choice else {
        return Reply::LeftOut;
    };
    let count = |index: usize| purse.get(index).map_or(0, |denomination| denomination.count);
    let purse = Budgets { small: count(0), medium: count(1), large: count(2) };
    payment(cost, purse, limit.unwrap_or(u8::MAX), prefer)
        .map_or(Reply::LeftOut, |paid| Reply::Payment([paid.small, paid.medium, paid.large, 0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paid(cost: u32, (small, medium, large): (u8, u8, u8), limit: u8) -> Option<(u8, u8, u8)> {
        let purse = Budgets { small, medium, large };
        payment(cost, purse, limit, Prefer::Small).map(|paid| (paid.small, paid.medium, paid.large))
    }

    #[test]
    fn it_pays_no_more_than_it_must_and_keeps_the_large_ones() {
        assert_eq!(paid(4, (5, 2, 2), 5), Some((4, 0, 0)));
        assert_eq!(paid(7, (3, 2, 2), 5), Some((3, 2, 0)));
        assert_eq!(paid(8, (6, 2, 1), 5), Some((3, 1, 1)));
        assert_eq!(paid(4, (0, 0, 2), 5), Some((0, 0, 2)));
        assert_eq!(paid(6, (6, 0, 0), 5), None);
    }
}
