//! What somebody may know of what happens at a table. It is decided here and nowhere else.

use serde_json::Value as Json;

use crate::desk::model::struck::Struck;
use crate::desk::record::event::Event;
use crate::games::any::AnyContest;
use crate::rules::{Act, Declaration, Entry, Sealing, Seat, Viewer};
use crate::store::TableRow;
use crate::tables::HoldReason;
use crate::tables::absence::{Condition, Deed};

/// What a table keeps secret, by its game and as its host has set it.
#[derive(Clone, Copy, Debug)]
pub(in crate::desk) struct Secrecy<'a> {
    /// By whose rules it is played; none where that is not known, and everything is hidden.
    contest: Option<&'a dyn AnyContest>,
    /// Whether it is only told how many have sealed.
    count_only: bool,
}

impl<'a> Secrecy<'a> {
    /// Where nothing is known of the table.
    pub(in crate::desk) const HIDDEN: Self = Self { contest: None, count_only: true };

    pub(in crate::desk) fn of(table: &TableRow, contest: Option<&'a dyn AnyContest>) -> Self {
        Self { contest, count_only: table.count_only }
    }

    /// Of what somebody looks at.
    pub(in crate::desk) fn seen(count_only: bool, contest: &'a dyn AnyContest) -> Self {
        Self { contest: Some(contest), count_only }
    }

    fn sealing(&self) -> Sealing {
        self.contest.map_or(Sealing::Hidden, |contest| contest.procedure().sealing)
    }

    /// Whether it is told how many have sealed.
    pub(in crate::desk) fn is_counted(&self) -> bool {
        self.sealing() == Sealing::Open
    }

    /// Whether it is told who has sealed and who has not.
    pub(in crate::desk) fn is_named(&self) -> bool {
        self.is_counted() && !self.count_only
    }

    /// What the game lets be seen.
    fn entries(&self, entries: &[Entry<Json>], viewer: Viewer) -> Vec<Entry<Json>> {
        self.contest.map(|contest| contest.seen(entries, viewer)).unwrap_or_default()
    }

    /// What was sealed: nothing if nobody is told how many have. Where only their number is told, no
    /// seat is named, and the order tells nothing.
    pub(in crate::desk) fn sealed(
        &self,
        sealed: &[(Option<Seat>, String)],
    ) -> Vec<(Option<Seat>, String)> {
        if !self.is_counted() {
            return Vec::new();
        }
        let named = |(seat, hash): &(Option<Seat>, String)| {
            (seat.filter(|_| !self.count_only), hash.clone())
        };
        let mut sealed: Vec<_> = sealed.iter().map(named).collect();
        sealed.sort();
        sealed
    }
}

impl Event {
    /// What of it somebody may know; none if they are not to know that it happened. Who sees
    /// everything sees it whole.
    pub(in crate::desk) fn visible_to(
        &self,
        viewer: Viewer,
        secrecy: &Secrecy<'_>,
    ) -> Option<Self> {
        if viewer == Viewer::All {
            return Some(self.clone());
        }
        let is_own = |seat: Seat| viewer == Viewer::Seat(seat);
        // Where it is not told who has sealed, nobody else is named.
        let told = |seats: &[Seat]| -> Vec<Seat> {
            seats.iter().copied().filter(|seat| secrecy.is_named() || is_own(*seat)).collect()
        };
        let mut seen = self.clone();
        match &mut seen {
            // What could be guessed by what the head of the journal does not tell yet.
            Self::Formed { salt, .. } => salt.clear(),
            // Who knew the values of others could choose the dice by their own.
            Self::Joined { seat, value, .. } => *value = value.take().filter(|_| is_own(*seat)),
            Self::Kept { seat, value } => {
                if !is_own(*seat) {
                    value.clear();
                }
            }
            Self::Dealt { entries, state, .. } => {
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::Closed { awaited, sealed, entries, state, .. } => {
                if !secrecy.is_named() {
                    awaited.clear();
                }
                *sealed = secrecy.sealed(sealed);
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::Acted { act, entries, state, .. } => {
                if !is_own(act.seat) {
                    *act = Act { seat: act.seat, said: Declaration::default() };
                }
                *entries = secrecy.entries(entries, viewer);
                state.clear();
            }
            Self::PutOff { missing, away, .. } => {
                (*missing, *away) = (told(missing), told(away));
            }
            Self::Grace { late, .. } => *late = told(late),
            Self::Struck { struck, .. } => {
                struck.retain(|struck| is_own(struck.seat) || struck.public && struck.is_news());
                if struck.is_empty() {
                    return None;
                }
            }
            // Who was inactive had not sealed.
            Self::Back { seat } => {
                if !secrecy.is_named() && !is_own(*seat) {
                    return None;
                }
            }
            // What failed may name what is hidden.
            Self::Held { why, .. } => {
                let word = HoldReason::from(std::mem::take(why)).into_str();
                word.clone_into(why);
            }
            Self::Overridden { alone, undone, .. } => match alone {
                Some(alone) if !alone.iter().copied().any(is_own) => return None,
                Some(_) => {}
                // What was kept from the table is not told by its undoing.
                None => *undone = undone.take().filter(|undone| undone.public),
            },
            Self::Settled { .. }
            | Self::Left { .. }
            | Self::Due { .. }
            | Self::Replaced { .. }
            | Self::Extended { .. }
            | Self::Away { .. }
            | Self::StoodIn { .. }
            | Self::Absence { .. }
            | Self::Taken { .. }
            | Self::Over { .. } => {}
        }
        Some(seen)
    }
}

impl Struck {
    /// Whether others learn something by it: that somebody had not sealed and was skipped, the
    /// result tells them.
    fn is_news(&self) -> bool {
        let plain = matches!(self.condition, Condition::NothingSent | Condition::Delegated);
        self.inactive || !plain || self.deed != Deed::Skipped
    }
}
