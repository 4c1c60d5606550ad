//! How far a window is put off for somebody, and how often.

use crate::tables::Pace;
use crate::time::{Span, Time};

/// The longest time that somebody can be away, or be stood in for: nobody is gone without end.
pub const LONGEST_AWAY: Span = Span::days(60);

/// A window is put off by so many windows' lengths at most, for whomever and by whomever: nobody's
/// absence stops a table for ever.
pub const MOST_PUT_OFF: u32 = 3;

/// How often a window can be put off on demand, by its game masters and by votes together, in windows'
/// lengths: whoever has a good reason finds room for a weekend in daily windows, and whoever presses
/// it again and again comes to an end. What is put off for those who are missing counts for itself.
pub const MOST_EXTENDED: u32 = 2;

/// A window can be put off on demand by so much in any case: an evening of short
/// windows can go on the next day.
pub const LEAST_ROOM: Span = Span::days(1);

/// How long a table may stand still at a time: what stands still without an end is
/// dead.
pub const LONGEST_PAUSE: Span = Span::days(30);

/// For so long after a table was paused its players can object to that.
pub const OBJECTION: Span = Span::days(1);

/// How long a table may stand still on demand in all: as long as one person can be
/// away. That is enough for a summer and a new year; a pause after a pause is no end either.
pub const MOST_PAUSED: Span = LONGEST_AWAY;

/// By how much more a window can be put off on demand that closes at this time and
/// has been put off by so much.
pub fn room(pace: &Pace, closes: Time, extended: Span) -> Span {
    let first = closes - extended;
    let last = (0..MOST_EXTENDED).fold(first, |last, _| pace.deadline(last));
    (last.max(first + LEAST_ROOM) - closes).max(Span::ZERO)
}

/// A window that is put off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// Its new deadline.
    pub closes: Time,
    /// By how many windows' lengths it has been put off by then, in all.
    pub times: u32,
}

/// Puts a deadline off by a window's length of the pace, and by another as long as it does not lie
/// after `beyond`. `None`: it has been put off as often as can be, `times` times.
///
/// A window's length is what the pace makes of it: where windows close at 21:00, a deadline is put
/// off to 21:00, whether or not the clock is changed before.
pub fn put_off(pace: &Pace, closes: Time, times: u32, beyond: Time, now: Time) -> Option<PutOff> {
    let mut put_off = PutOff { closes, times };
    while put_off.times < MOST_PUT_OFF
        && (put_off.times == times || put_off.closes <= beyond.max(now))
    {
        put_off.closes = pace.deadline(put_off.closes);
        put_off.times += 1;
    }
    let is_later = put_off.times > times && put_off.closes > now;
    is_later.then_some(put_off)
}
