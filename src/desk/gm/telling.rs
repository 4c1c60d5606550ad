//! Who is told of an override, and what.

use super::deciding::{Deciding, Done};
use super::{Change, Notified, Override};
use crate::desk::letter::{Notice, Part};
use crate::desk::{NotDone, pace};
use crate::rules::Seat;
use crate::store::{SeatRow, Touched};

impl Deciding {
    /// What its letters say of it.
    pub(super) fn part(&self) -> Part {
        if let Some(voted) = &self.voted {
            return Part::Vote { vote: voted.vote.clone() };
        }
        Part::Override {
            number: Some(self.number),
            what: self.decision.what.clone(),
            reason: self.decision.reason.clone(),
        }
    }

    /// Tells the table, or those it is about.
    pub(super) async fn notify(
        &self,
        touched: &mut Touched<'_>,
        done: &Done,
        notified: Notified,
    ) -> Result<(), NotDone> {
        let seats = touched.seats().await?;
        let notice = Notice {
            seats: &seats,
            zone: pace(&touched.table)?.zone,
            contest: None,
            id: format!("override-{}", done.number),
            send_at: self.now,
        };
        match notified {
            Notified::Public => notice.post(touched, |_| vec![self.part()]).await?,
            Notified::Private => {
                let about = |seat| done.seats.contains(&seat).then(|| self.part());
                notice.post_to_each(touched, |seat| about(seat).into_iter().collect()).await?;
            }
        }
        let own = Notice { id: format!("override-{}-own", done.number), ..notice };
        Ok(own.post_to_each(touched, |seat| self.entered(seat).into_iter().collect()).await?)
    }

    /// What a seat alone is told of what counts as its declaration.
    pub(super) fn entered(&self, seat: Seat) -> Option<Part> {
        let Override::Judge { change, .. } = &self.decision.what else { return None };
        let is_own = matches!(change, Change::Declare { .. } | Change::Return { .. });
        (is_own && change.seat() == Some(seat)).then(|| Part::Entered { change: change.clone() })
    }

    /// Tells it those who sat at the table and do not any more.
    pub(super) async fn dismiss(
        &self,
        touched: &mut Touched<'_>,
        before: &[SeatRow],
        done: &Done,
    ) -> Result<(), NotDone> {
        let after = touched.seats().await?;
        let stays = |row: &&SeatRow| after.iter().any(|other| other.person == row.person);
        let gone: Vec<Seat> = before.iter().filter(|row| !stays(row)).map(|row| row.seat).collect();
        let notice = Notice {
            seats: before,
            zone: pace(&touched.table)?.zone,
            contest: None,
            id: format!("override-{}-gone", done.number),
            send_at: self.now,
        };
        let told = |seat| gone.contains(&seat).then(|| self.part()).into_iter().collect();
        Ok(notice.post_to_each(touched, told).await?)
    }
}
