//! The trust in the clock of this process while other processes disagree about the time.
//!
//! A process with a wrong clock would shift every deadline, so it keeps none. The clock of the database
//! server decides. Without a server, the other processes do: a heartbeat that changes while this process
//! looks was given just now.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use store::{APART, OtherClocks};
use tables::time::{Span, Time};

/// The trust in the clock of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    Right,
    /// Undecided: other processes may be running with another time.
    Unsure,
    /// The clock is ahead of the others by this span, or behind them if the span is negative.
    Wrong(Span),
}

/// The heartbeats of other processes, as this process has seen them.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    /// The last heartbeat of each process, and the local time of its last change, `None` before the first.
    beats: BTreeMap<String, (Time, Option<Time>)>,
    /// The start of the unsure state.
    unsure_since: Option<Instant>,
}

impl Witnesses {
    /// Judges a clock that reads `now`, among processes that beat in the interval `every` and are gone after
    /// `silence`.
    pub(crate) fn judge(
        &mut self,
        others: &OtherClocks,
        (now, at): (Time, Instant),
        (every, silence): (Duration, Duration),
    ) -> Trust {
        if let Some(server) = others.server
            && is_apart(now, server, Span::ZERO)
        {
            return Trust::Wrong(now - server);
        }
        self.hear(others, now);
        let moved = self.beats.values().filter_map(|(beat, seen)| Some((*beat, (*seen)?)));
        let wrong = moved.filter(|(beat, seen)| is_apart(*seen, *beat, Span::from(every)));
        let newest = wrong.max_by_key(|(_, seen)| *seen);
        if let Some((beat, seen)) = newest {
            return Trust::Wrong(seen - beat);
        }
        let newest = others.beats.iter().map(|(_, beat)| *beat).max();
        let is_odd = newest.is_some_and(|newest| {
            let is_heard = self.beats.values().any(|(_, seen)| seen.is_some());
            let is_silent = now - newest > Span::from(silence);
            (is_silent || newest - now > APART) && !is_heard && others.server.is_none()
        });
        if !is_odd {
            self.unsure_since = None;
            return Trust::Right;
        }
        // A live process beats twice in this time.
        let since = *self.unsure_since.get_or_insert(at);
        if at - since < every * 2 { Trust::Unsure } else { Trust::Right }
    }

    /// Notes the heartbeats that have changed, and forgets the processes that are gone.
    fn hear(&mut self, others: &OtherClocks, now: Time) {
        let mut beats = BTreeMap::new();
        for (process, beat) in &others.beats {
            let seen = match self.beats.get(process) {
                Some((before, seen)) if before == beat => *seen,
                Some(_) => Some(now),
                None => None,
            };
            beats.insert(process.clone(), (*beat, seen));
        }
        self.beats = beats;
    }
}

/// True if two clocks differ by more than [`APART`], the first read up to `later` after the second.
fn is_apart(here: Time, there: Time, later: Span) -> bool {
    here - there > APART + later || there - here > APART
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(10);
    const SILENCE: Duration = Duration::from_mins(1);

    fn time(seconds: i64) -> Time {
        Time::from_milliseconds(seconds * 1000)
    }

    /// Judges a clock that is ahead by so many seconds once for each of these heartbeats of another process,
    /// ten seconds apart.
    fn judged(ahead: i64, beats: &[i64]) -> Vec<Trust> {
        let (mut witnesses, began) = (Witnesses::default(), Instant::now());
        let mut look = |(nth, beat): (usize, &i64)| {
            let seconds = 10 * u64::try_from(nth).unwrap();
            let beats = vec![("other".to_owned(), time(*beat))];
            let others = OtherClocks { beats, server: None };
            let now = time(1_000_000 + i64::try_from(seconds).unwrap() + ahead);
            let at = began + Duration::from_secs(seconds);
            witnesses.judge(&others, (now, at), (EVERY, SILENCE))
        };
        beats.iter().enumerate().map(&mut look).collect()
    }

    #[test]
    fn a_clock_that_is_ahead_of_others_who_go_on_is_wrong() {
        let hours = 25 * 3600;
        let beats = [1_000_000, 1_000_010, 1_000_020, 1_000_020];
        let wrong = Trust::Wrong(Span::hours(25));
        assert_eq!(judged(hours, &beats)[..3], [Trust::Unsure, wrong, wrong]);
        assert!(matches!(judged(-3600, &beats)[1], Trust::Wrong(_)));
    }

    #[test]
    fn a_clock_that_others_agree_with_is_right_at_once() {
        let beats = [999_995, 1_000_005, 1_000_015];
        assert_eq!(judged(0, &beats), [Trust::Right; 3]);
        assert_eq!(judged(5, &beats), [Trust::Right; 3], "they differ a little");
    }

    #[test]
    fn after_an_outage_nobody_beats_and_the_clock_is_right() {
        let right = judged(0, &[900_000; 4]);
        assert_eq!(right, [Trust::Unsure, Trust::Unsure, Trust::Right, Trust::Right]);
        // A process with a wrong clock left a heartbeat in the future, and is gone.
        let right = judged(0, &[1_100_000; 4]);
        assert_eq!(right, [Trust::Unsure, Trust::Unsure, Trust::Right, Trust::Right]);
    }

    #[test]
    fn the_clock_of_the_server_counts_before_all_others() {
        let mut witnesses = Witnesses::default();
        let mut judge = |now, server| {
            let others = OtherClocks { beats: Vec::new(), server: Some(time(server)) };
            witnesses.judge(&others, (time(now), Instant::now()), (EVERY, SILENCE))
        };
        assert_eq!(judge(1000, 1030), Trust::Right);
        assert_eq!(judge(1000, 1061), Trust::Wrong(Span::seconds(-61)));
    }
}
