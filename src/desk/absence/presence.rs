//! Who is there in the open window, as far as everybody is told.

use crate::desk::absence::attendance::Attendance;
use crate::rules::Seat;
use crate::store::{SeatRow, StoreError};
use crate::tables::absence::Condition;

/// Who is there in the open window. Where it is not told who has sealed, it is not told either who
/// is late or no longer waited for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Those for whom no window waits any more.
    pub inactive: Vec<Seat>,
    /// Those who are away at its deadline.
    pub away: Vec<Seat>,
    /// Those for whom somebody stands in.
    pub stood_in: Vec<Seat>,
    /// By how many windows' lengths it was put off.
    pub put_off: u32,
    /// Whether its deadline has come, and those who are late may still seal.
    pub grace: bool,
    pub late: Vec<Seat>,
}

impl Presence {
    /// Whether the window waits for a seat that is asked, as far as that is told.
    pub fn waits_for(&self, seat: Seat) -> bool {
        !self.inactive.contains(&seat) && !self.away.contains(&seat)
    }
}

impl Presence {
    /// Who is there in a window in which everybody stands so, among the people who sit there.
    pub(in crate::desk) fn of(
        attendance: &Attendance,
        seats: &[SeatRow],
        named: bool,
    ) -> Result<Self, StoreError> {
        let late = attendance.late()?;
        let people: Vec<Seat> =
            seats.iter().filter(|row| row.house.is_none()).map(|row| row.seat).collect();
        let those = |condition: Condition| -> Vec<Seat> {
            let is = |seat: &Seat| attendance.absent(*seat) == Some(condition);
            people.iter().copied().filter(is).collect()
        };
        Ok(Self {
            inactive: if named { those(Condition::Inactive) } else { Vec::new() },
            away: those(Condition::Away),
            stood_in: those(Condition::Delegated),
            put_off: attendance.lateness.put_off,
            grace: late.is_some(),
            late: if named { late.unwrap_or_default() } else { Vec::new() },
        })
    }
}
