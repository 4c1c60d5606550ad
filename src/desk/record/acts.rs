//! The acts in the windows of a table, as its journal has them.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::overrides::{Override, undone};
use crate::record::event::Event;
use tables::ids::{EntryNumber, WindowNumber};

/// Returns the entries of a journal with acts that have been taken back.
pub(crate) fn taken_back<'a>(
    journal: impl Iterator<Item = (EntryNumber, &'a Event)> + Clone,
) -> BTreeSet<EntryNumber> {
    let decided = journal.clone().filter_map(|(_, event)| match event {
        Event::Overridden { number, what, .. } => Some((*number, what)),
        _ => None,
    });
    let undone = undone(&decided.collect());
    let mut acts: BTreeMap<WindowNumber, Vec<EntryNumber>> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (entry, event) in journal {
        match event {
            Event::Acted { number, .. } => acts.entry(*number).or_default().push(entry),
            Event::Overridden {
                number,
                window: Some(window),
                what: Override::TakeBack { .. },
                ..
            } if undone.get(number).is_none_or(Option::is_none) => {
                taken.extend(acts.get_mut(window).and_then(Vec::pop));
            }
            _ => {}
        }
    }
    taken
}
