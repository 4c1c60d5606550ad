//! What has happened is written into the journal and put to those who may know it.

use chrono_tz::Tz;

use crate::desk::record::event::Secrecy;
use crate::desk::record::event::{Event, record};
use crate::desk::record::letter::{Notice, Part};
use crate::games::any::AnyContest;
use crate::rules::{Round, Seat, Viewer};
use crate::store::{SeatRow, StoreError, Touched};
use crate::tables::CloseReason;
use crate::time::Time;

/// Something that has just happened, and how it is told.
pub(in crate::desk) struct News<'a> {
    pub(in crate::desk) event: Event,
    pub(in crate::desk) seats: &'a [SeatRow],
    pub(in crate::desk) zone: Tz,
    /// By whose rules it is decided what may be known; none where nothing of it is a secret of the
    /// game.
    pub(in crate::desk) contest: Option<&'a dyn AnyContest>,
    /// Whether its letters show where everything stands.
    pub(in crate::desk) is_shown: bool,
    /// What its letters say below it.
    pub(in crate::desk) below: Vec<Part>,
    /// Those who are told alone as well, where everybody else reads of it in a public place.
    pub(in crate::desk) about: &'a [Seat],
    /// Never before this time.
    pub(in crate::desk) send_at: Time,
}

impl<'a> News<'a> {
    /// What everybody is told at once, as nothing of it is a secret of the game.
    pub(in crate::desk) fn of(event: Event, seats: &'a [SeatRow], zone: Tz, now: Time) -> Self {
        let (contest, is_shown, below, about) = (None, false, Vec::new(), &[][..]);
        Self { event, seats, zone, contest, is_shown, below, about, send_at: now }
    }

    /// Writes into the journal that it happened now, and tells everybody what they may know of it,
    /// in letters whose ids begin so.
    pub(in crate::desk) async fn tell(
        self,
        touched: &mut Touched<'_>,
        id: &str,
        now: Time,
    ) -> Result<(), StoreError> {
        record(touched, &self.event, now)?;
        let secrecy = Secrecy::of(&touched.table, self.contest);
        let parts = |you: Option<Seat>| {
            let mut parts = self.event.told_to(you, &secrecy);
            if !parts.is_empty() {
                parts.extend(self.below.iter().cloned());
            }
            parts
        };
        let notice = Notice {
            seats: self.seats,
            zone: self.zone,
            contest: self.contest.filter(|_| self.is_shown),
            // Letters of one moment go out in the order of their ids: what happened first is told
            // first.
            id: format!("{id}-{:08}", touched.table.entries),
            send_at: self.send_at,
        };
        notice.post(touched, &parts).await?;
        if touched.table.place.is_none() || self.about.is_empty() {
            return Ok(());
        }
        let own =
            |seat: Seat| if self.about.contains(&seat) { parts(Some(seat)) } else { Vec::new() };
        notice.post_to_each(touched, own).await
    }
}

impl Event {
    /// What letters say of it to a seat, or in public: nothing if they are not to know it.
    pub(in crate::desk) fn told_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let seen = self.visible_to(you.map_or(Viewer::Public, Viewer::Seat), secrecy);
        seen.map(Self::parts).unwrap_or_default()
    }

    /// What letters say to a seat, or in public, of what it has brought, and why it closed that
    /// brought it.
    pub(in crate::desk) fn result_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let told = self.told_to(you, secrecy);
        if matches!(told.last(), Some(Part::Result { .. })) { told } else { Vec::new() }
    }

    /// What letters say of it, what it has brought last.
    fn parts(mut self) -> Vec<Part> {
        match self {
            Self::Dealt { entries, .. } => {
                vec![Part::Result { window: Round::DEAL, entries, at_once: false }]
            }
            Self::Acted { window, entries, .. } => {
                vec![Part::Result { window, entries, at_once: true }]
            }
            Self::Closed { window, why, ref mut entries, ref mut sealed, .. } => {
                // The hashes stand below the result, with the head of the journal.
                sealed.clear();
                let entries = std::mem::take(entries);
                let result = Part::Result { window, entries, at_once: false };
                // What a game master closed is told with their decision.
                let closed = (why != CloseReason::Host).then_some(Part::Event(self));
                closed.into_iter().chain([result]).collect()
            }
            told => vec![Part::Event(told)],
        }
    }
}
