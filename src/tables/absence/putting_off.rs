//! How far a window is put off for somebody, and how often.

use crate::tables::Pace;

/// A window is put off by so many windows' lengths at most, for whomever and by whomever: nobody's
/// absence stops a table for ever.
pub const MOST_PUT_OFF: i64 = 3;

/// A window that is put off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// Its new deadline.
    pub closes: i64,
    /// By how many windows' lengths it has been put off by then, in all.
    pub times: i64,
}

/// Puts a deadline off by a window's length of the pace, and by another as long as it does not lie
/// after `beyond`. `None`: it has been put off as often as can be, `times` times.
///
/// A window's length is what the pace makes of it: where windows close at 21:00, a deadline is put
/// off to 21:00, whether or not the clock is changed before.
pub fn put_off(pace: &Pace, closes: i64, times: i64, beyond: i64, now: i64) -> Option<PutOff> {
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
