//! The heads of a journal: which of its entries a post was made at.

use crate::record::event::Event;
use letters::PostedHead;
use rules::Round;
use rules::receipt::Head;
use store::JournalRow;

/// The hash of each entry of a journal, and the root window that had been told by then, counted
/// from 0, which is the deal; none before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heads(Vec<([u8; 32], Option<Round>)>);

impl Heads {
    /// Takes up the next entry.
    pub(crate) fn hear(&mut self, row: &JournalRow, happened: &Event) {
        let before = self.0.last().and_then(|(_, window)| *window);
        let window = match happened {
            Event::Dealt { .. } => Some(Round::DEAL),
            Event::Closed { round, .. } => Some(*round),
            _ => before,
        };
        let mut hash = [0; 32];
        // One that is none is no head either; that it is none is a difference.
        let _ = hex::decode_to_slice(&row.hash, &mut hash);
        self.0.push((hash, window));
    }

    /// Two of these heads that the journal has the other way round: one, and another that stands
    /// behind it and was posted before it.
    pub fn disordered<'a>(&self, heads: &'a [Head]) -> Option<(&'a Head, &'a Head)> {
        let place = |head: &Head| self.0.iter().position(|(hash, _)| head.is_of(hash));
        let found: Vec<(usize, &Head)> =
            heads.iter().filter_map(|head| Some((place(head)?, head))).collect();
        let wrong = found.windows(2).find(|pair| pair[1].0 < pair[0].0)?;
        Some((wrong[0].1, wrong[1].1))
    }

    /// Which of these heads the journal has.
    pub fn hold(&self, heads: &[Head]) -> Vec<PostedHead> {
        let of = |head: &Head| self.0.iter().find(|(hash, _)| head.is_of(hash));
        let posted = |head: &Head| {
            let window = of(head).map(|(_, window)| window.map_or(-1, |round| round.get().into()));
            // The whole hash is told at the end, and nothing can follow that.
            let last = self.0.last().is_some_and(|(hash, _)| head.is_of(hash));
            let followed = head.is_whole() && window.is_some() && !last;
            PostedHead { said: head.to_string(), found: window.is_some(), window, followed }
        };
        heads.iter().map(posted).collect()
    }
}
