//! The files of a table that is over. The files go to the place of the table in a letter of their own, after
//! the letter about the end, and are made when the own letter is sent.

use crate::record::letter::{Letter, Part};
use crate::record::notice::Notice;
use store::{SeatRow, StoreError, Touched};
use tables::TableSetting;
use tables::time::Time;

/// Posts the letter with the files, if the table wants them there, after the letter about the end, whose id
/// begins with `end` and which is sent at the same time.
pub(crate) async fn post(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    end: &str,
    send_at: Time,
) -> Result<(), StoreError> {
    if touched.table.place.is_none() || !touched.table.settings.has(TableSetting::Files) {
        return Ok(());
    }
    let notice = Notice::of(seats, format!("{end}-files"), send_at);
    notice.post(touched, |_| vec![Part::Files]).await
}

impl Letter {
    /// True if the letter carries the files of its table.
    pub fn brings_files(&self) -> bool {
        self.parts.contains(&Part::Files)
    }
}
