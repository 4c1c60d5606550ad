//! Answers to an offer, by option id. An id that is not offered is never answered.

use smol_str::SmolStr;

use rules::ask::{Choice, Options, largest_first};
use rules::{Offer, Picks, Reply};

/// The options of a question that takes one; `None` for any other question.
fn options<'a>(offer: &Offer<'a>) -> Option<&'a dyn Options> {
    match offer.choice {
        Choice::Option(options) => Some(options),
        _ => None,
    }
}

/// True if this option is offered.
pub(crate) fn offers(offer: &Offer<'_>, id: &str) -> bool {
    option(offer, id).is_some()
}

/// This option, if it is offered.
pub(crate) fn option(offer: &Offer<'_>, id: &str) -> Option<Reply> {
    option_of(offer, |offered| offered == id)
}

/// The first option whose id is accepted.
pub(crate) fn option_of(offer: &Offer<'_>, is_it: impl Fn(&str) -> bool) -> Option<Reply> {
    let options = options(offer)?;
    (0..options.count()).find(|&index| is_it(&options.id(index))).map(Reply::Option)
}

/// The first pick whose id is accepted, alone; `None` if no picks are asked for.
pub(crate) fn pick_of(offer: &Offer<'_>, is_it: impl Fn(&str) -> bool) -> Option<Reply> {
    let Choice::Picks { options, .. } = offer.choice else { return None };
    let index = (0..options.count()).find(|&index| is_it(&options.id(index)))?;
    Some(Reply::Picks(Picks::from_elem(index, 1)))
}

/// The first of these ids that is offered.
pub(crate) fn first_of<'i>(
    offer: &Offer<'_>,
    ids: impl IntoIterator<Item = &'i str>,
) -> Option<Reply> {
    ids.into_iter().find_map(|id| option(offer, id))
}

/// The option with the highest liking; `None` if none is offered.
pub(crate) fn best<K: Ord>(offer: &Offer<'_>, liking: impl Fn(&SmolStr) -> K) -> Option<Reply> {
    let options = options(offer)?;
    (0..options.count()).max_by_key(|&index| liking(&options.id(index))).map(Reply::Option)
}

/// A reply with the maximum number of picks, those with the lowest liking first.
pub(crate) fn worst_picks<K: Ord>(offer: &Offer<'_>, liking: impl Fn(&SmolStr) -> K) -> Reply {
    let Choice::Picks { options, max, .. } = offer.choice else { return anything(offer) };
    let mut indices: Vec<usize> = (0..options.count()).collect();
    indices.sort_by_key(|&index| liking(&options.id(index)));
    Reply::Picks(indices.into_iter().take(max.into()).collect())
}

/// A legal reply to an offer in which the policy decides nothing.
pub(crate) fn anything(offer: &Offer<'_>) -> Reply {
    match offer.choice {
        Choice::Option(options) if options.count() > 0 => Reply::Option(0),
        Choice::Picks { options, min, .. } => {
            Reply::Picks((0..options.count().min(min.into())).collect::<Picks>())
        }
        Choice::Payment { cost: Some(cost), purse, limit } => {
            largest_first(cost, purse, limit).map_or(Reply::LeftOut, Reply::Payment)
        }
        Choice::Number { min, .. } => Reply::Number(min),
        _ => Reply::LeftOut,
    }
}
