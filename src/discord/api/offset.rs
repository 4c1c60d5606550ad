//! The offset between this machine's clock and Discord's, by the `Date` of its responses. Deadlines follow
//! this clock, and people's Discord clients show theirs.

use std::sync::atomic::{AtomicI64, Ordering};

use chrono::DateTime;
use tables::time::{Span, Time};

/// The least offset that is reported.
const TOLD: Span = Span::seconds(2);

/// The part of a second that a `Date` leaves out.
const UNKNOWN: Span = Span::from_milliseconds(999);

/// The longest duration of a request that is used to estimate the offset.
const SLOW: Span = Span::seconds(1);

/// The clock offset by the latest responses, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct ClockOffset(AtomicI64);

impl ClockOffset {
    /// Returns the least lead of this machine's clock over Discord's; negative if this clock is slow.
    pub(super) fn get(&self) -> Span {
        Span::from_milliseconds(self.0.load(Ordering::Relaxed))
    }

    /// Updates the offset by the `Date` of a response, with this clock's times of the request and of the
    /// response.
    pub(super) fn learn(&self, date: &str, (asked, came): (Time, Time)) {
        let Ok(date) = DateTime::parse_from_rfc2822(date) else { return };
        if came < asked || came - asked > SLOW {
            return;
        }
        let date = Time::from_milliseconds(date.timestamp_millis());
        let now = offset(date, asked, came);
        let before = self.0.swap(now.milliseconds(), Ordering::Relaxed);
        let was_told = is_told(Span::from_milliseconds(before));
        match (was_told, is_told(now)) {
            (false, true) => tracing::error!(
                milliseconds = now.milliseconds(),
                "the clock of this machine differs from Discord's: the times shown to people are \
                 off by as much; see whether it is set by NTP"
            ),
            (true, false) => tracing::info!("the clock of this machine agrees with Discord's"),
            _ => {}
        }
    }
}

/// True if an offset is reported.
fn is_told(offset: Span) -> bool {
    offset >= TOLD || Span::ZERO - offset >= TOLD
}

/// Returns the least offset between this clock, which showed `asked` and `came`, and Discord's, which showed
/// the second `date` between them.
fn offset(date: Time, asked: Time, came: Time) -> Span {
    let (least, most) = (asked - (date + UNKNOWN), came - date);
    if least > Span::ZERO {
        least
    } else if most < Span::ZERO {
        most
    } else {
        Span::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 November 2026, 12:00:00 UTC.
    const DATE: &str = "Fri, 20 Nov 2026 12:00:00 GMT";
    const NOON: i64 = 1_795_176_000_000;

    fn learned(asked: i64, came: i64) -> i64 {
        let clock = ClockOffset::default();
        let at = |after: i64| Time::from_milliseconds(NOON + after);
        clock.learn(DATE, (at(asked), at(came)));
        clock.get().milliseconds()
    }

    #[test]
    fn a_clock_that_may_agree_agrees() {
        for (asked, came) in [(0, 0), (900, 1100), (-100, 50), (999, 1500)] {
            assert_eq!(learned(asked, came), 0, "{asked} {came}");
        }
    }

    #[test]
    fn a_clock_that_differs_is_ahead_or_behind_by_what_is_sure() {
        assert_eq!(learned(10_000, 10_200), 9_001);
        assert_eq!(learned(-10_000, -9_800), -9_800);
    }

    #[test]
    fn an_answer_that_was_slow_or_is_no_date_says_nothing() {
        assert_eq!(learned(10_000, 12_000), 0);
        let clock = ClockOffset::default();
        clock.learn("noon", (Time::from_milliseconds(0), Time::from_milliseconds(1)));
        assert_eq!(clock.get(), Span::ZERO);
    }

    #[test]
    fn two_seconds_are_told() {
        let logged = [1_999, 2_000, -1_999, -2_000].map(|ms| is_told(Span::from_milliseconds(ms)));
        assert_eq!(logged, [false, true, false, true]);
    }
}
