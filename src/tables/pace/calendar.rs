//! Instants and the local clock of a zone.
//!
//! A local time is a number too: the milliseconds since 1970 that an instant would have if the
//! zone were UTC. No function here fails: far from our time a zone is taken for UTC.

use chrono::{DateTime, MappedLocalTime, NaiveDateTime, Offset as _, TimeZone as _};
use chrono_tz::Tz;

use super::DAY;
use super::day::Quiet;

/// The year 10000, and as far before 1970: no calendar is asked beyond.
const FAR: i64 = 253_402_300_800_000;

/// No zone has ever moved its clock further than this, over the date line included.
const FURTHEST: i64 = 2 * DAY;

fn naive(at: i64) -> Option<NaiveDateTime> {
    let near = (-FAR..FAR).contains(&at).then_some(at)?;
    Some(DateTime::from_timestamp_millis(near)?.naive_utc())
}

/// What the local clock is ahead of UTC at an instant.
fn offset(zone: Tz, at: i64) -> i64 {
    let seconds = |utc| i64::from(zone.offset_from_utc_datetime(&utc).fix().local_minus_utc());
    naive(at).map_or(0, |utc| seconds(utc) * 1000)
}

/// The local time of an instant.
pub(super) fn local(zone: Tz, at: i64) -> i64 {
    at.saturating_add(offset(zone, at))
}

/// The day of a local time, counted from 1970.
pub(super) fn day(local: i64) -> i64 {
    local.div_euclid(DAY)
}

/// The day of the week, from Monday as 0. The first day of 1970 was a Thursday.
pub(super) fn from_monday(day: i64) -> i64 {
    day.saturating_add(3).rem_euclid(7)
}

/// What the clock shows, in milliseconds since midnight.
fn clock(local: i64) -> i64 {
    local.rem_euclid(DAY)
}

/// The instant of a local time. Of a time that comes twice it is the earlier; of one that the
/// clock leaves out, the first instant after the gap.
pub(super) fn instant(zone: Tz, local: i64) -> i64 {
    let Some(wanted) = naive(local) else { return local };
    match zone.from_local_datetime(&wanted) {
        MappedLocalTime::Single(at) => at.timestamp_millis(),
        MappedLocalTime::Ambiguous(one, other) => {
            one.timestamp_millis().min(other.timestamp_millis())
        }
        MappedLocalTime::None => {
            first(local - FURTHEST, local + FURTHEST, |at| self::local(zone, at) >= local)
        }
    }
}

/// The first number above `below` of which something is true, if it is true of `upto` and stays
/// true once it has become so.
fn first(mut below: i64, mut upto: i64, is: impl Fn(i64) -> bool) -> i64 {
    while upto - below > 1 {
        let middle = below + (upto - below) / 2;
        if is(middle) {
            upto = middle;
        } else {
            below = middle;
        }
    }
    upto
}

/// Whether an instant lies in quiet hours.
pub(super) fn is_quiet(zone: Tz, quiet: Quiet, at: i64) -> bool {
    quiet.has(clock(local(zone, at)))
}

/// A night has at most so many pieces: the clock may change within it, and change back.
const PIECES: usize = 8;

/// The first instant from this one on that lies in no quiet hours.
pub(super) fn quiet_ends(zone: Tz, quiet: Quiet, mut at: i64) -> i64 {
    for _ in 0..PIECES {
        if !is_quiet(zone, quiet, at) {
            break;
        }
        let left = clock(quiet.to.milliseconds() - clock(local(zone, at)));
        let (end, now) = (at.saturating_add(left), offset(zone, at));
        at = if offset(zone, end) == now {
            end
        } else {
            first(at, end, |later| offset(zone, later) != now)
        };
    }
    at
}

/// The first instant of the quiet hours in which this one lies.
pub(super) fn quiet_begins(zone: Tz, quiet: Quiet, mut at: i64) -> i64 {
    for _ in 0..PIECES {
        if !is_quiet(zone, quiet, at) {
            return at.saturating_add(1);
        }
        let gone = clock(clock(local(zone, at)) - quiet.from.milliseconds());
        let (begin, now) = (at.saturating_sub(gone), offset(zone, at));
        if offset(zone, begin) == now {
            // The clock may just have been put to this time, or the hours may end where they begin.
            at = begin.saturating_sub(1);
        } else {
            at = first(begin, at, |later| offset(zone, later) == now).saturating_sub(1);
        }
    }
    at
}
