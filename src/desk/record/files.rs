//! The files of a table that is over: they are brought to where it was played, in a letter of their
//! own behind the one that tells its end, and are made when that is sent.

use crate::record::letter::{Letter, Notice, Part};
use store::{SeatRow, StoreError, Touched};
use tables::time::Time;

/// Puts the letter into the outbox that brings them, if they are wanted there: behind the one that
/// tells the end, whose id begins so and which is sent at that time.
pub(crate) async fn post(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    end: &str,
    send_at: Time,
) -> Result<(), StoreError> {
    if touched.table.place.is_none() || !touched.table.files {
        return Ok(());
    }
    let (id, zone) = (format!("{end}-files"), touched.table.pace.zone);
    let notice = Notice { seats, zone, contest: None, id, send_at };
    notice.post(touched, |_| vec![Part::Files]).await
}

impl Letter {
    /// True if it brings the files of its table.
    pub fn brings_files(&self) -> bool {
        self.parts.contains(&Part::Files)
    }
}
