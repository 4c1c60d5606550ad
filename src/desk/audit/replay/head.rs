//! The heads of a journal: the hashes by which posts name its entries.

use crate::record::event::Event;
use letters::PostedHead;
use rules::Round;
use rules::receipt::Head;
use store::JournalRow;

/// The hash of each journal entry, and the last root window announced by then, counted from 0, which is the
/// deal; `None` before the deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads(Vec<([u8; 32], Option<Round>)>);

impl Heads {
    /// Appends the next entry.
    pub(crate) fn hear(&mut self, row: &JournalRow, happened: &Event) {
        let before = self.0.last().and_then(|(_, window)| *window);
        let window = match happened {
            Event::Dealt { .. } => Some(Round::DEAL),
            Event::Closed { round, .. } => Some(*round),
            _ => before,
        };
        let mut hash = [0; 32];
        // An invalid hash matches no head; the invalid hash itself is reported as a difference.
        let _ = hex::decode_to_slice(&row.hash, &mut hash);
        self.0.push((hash, window));
    }

    /// Returns two heads whose order of posting contradicts the journal, the first posted first.
    pub fn disordered<'a>(&self, heads: &'a [Head]) -> Option<(&'a Head, &'a Head)> {
        let place = |head: &Head| self.0.iter().position(|(hash, _)| head.is_of(hash));
        let found: Vec<(usize, &Head)> =
            heads.iter().filter_map(|head| Some((place(head)?, head))).collect();
        let wrong = found.windows(2).find(|pair| pair[1].0 < pair[0].0)?;
        Some((wrong[0].1, wrong[1].1))
    }

    /// Looks up each head in the journal.
    pub fn hold(&self, heads: &[Head]) -> Vec<PostedHead> {
        let of = |head: &Head| self.0.iter().find(|(hash, _)| head.is_of(hash));
        let posted = |head: &Head| {
            let window = of(head).map(|(_, window)| window.map_or(-1, |round| round.get().into()));
            // The whole hash is posted only at the end, and nothing can follow it.
            let last = self.0.last().is_some_and(|(hash, _)| head.is_of(hash));
            let followed = head.is_whole() && window.is_some() && !last;
            PostedHead { said: head.to_string(), found: window.is_some(), window, followed }
        };
        heads.iter().map(posted).collect()
    }
}
