//! The people of a model: each looks at the table now and then while awake.

use chrono_tz::Tz;
use smol_str::SmolStr;

use rules::Seat;
use rules::dice::Stream;
use tables::Pace;
use tables::ids::AccountId;
use tables::pace::{Quiet, TimeOfDay};
use tables::time::{HOUR, MINUTE, Span, Time};

/// The resolution of the random waiting times.
const PARTS: u32 = 1 << 30;

/// A person at a table.
#[derive(Debug)]
pub(super) struct ModelPerson {
    pub(super) seat: Seat,
    pub(super) account: AccountId,
    /// The policy of the person's play.
    pub(super) policy: SmolStr,
    /// The time of the next look.
    pub(super) looks_at: Time,
    /// The number of looks.
    pub(super) looked: u32,
    /// True if nothing waits for the person until the next window opens.
    pub(super) is_done: bool,
    rhythm: Rhythm,
    chance: Stream,
}

/// The distribution of a person's looks.
#[derive(Clone, Debug)]
pub(super) struct Rhythm {
    /// The mean waking time between two looks.
    look: Span,
    /// A pace whose quiet hours are the nights.
    nights: Pace,
}

impl Rhythm {
    /// Creates the rhythm of people who sleep from midnight to eight in a time zone.
    pub(super) fn new(look: Span, zone: Tz) -> Self {
        let night = |(from, to)| Quiet { from, to };
        let quiet = TimeOfDay::new(0, 0).zip(TimeOfDay::new(8, 0)).map(night);
        Self { look, nights: Pace { quiet, ..Pace::play(HOUR, zone) } }
    }

    /// Returns the first waking time from `at` on.
    pub(super) fn awake_from(&self, at: Time) -> Time {
        self.nights.out_of_quiet(at)
    }

    /// Returns a random time with an exponential distribution, one minute at least.
    fn wait(&self, chance: &mut Stream) -> Span {
        let part = (f64::from(chance.below(PARTS)) + 0.5) / f64::from(PARTS);
        #[expect(clippy::cast_precision_loss, reason = "nobody looks once in 300 years")]
        let look = self.look.milliseconds() as f64;
        #[expect(clippy::cast_possible_truncation, reason = "21 times the mean at most")]
        Span::from_milliseconds((look * -part.ln()).round() as i64).max(MINUTE)
    }
}

impl ModelPerson {
    /// Creates a person who looks first at a random time after `now`.
    pub(super) fn new(
        seat: Seat,
        policy: SmolStr,
        rhythm: Rhythm,
        chance: Stream,
        now: Time,
    ) -> Self {
        let account = AccountId::from(format!("model:{seat}"));
        let mut person = Self {
            seat,
            account,
            policy,
            looks_at: now,
            looked: 0,
            is_done: false,
            rhythm,
            chance,
        };
        person.looks_later();
        person
    }

    /// Draws the next look. The exponential distribution has no memory, so looks during sleep are skipped.
    pub(super) fn looks_later(&mut self) {
        self.looked += 1;
        loop {
            self.looks_at += self.rhythm.wait(&mut self.chance);
            if self.rhythm.awake_from(self.looks_at) == self.looks_at {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{Dice, Key, Label};

    fn looks(look: Span, count: usize) -> Vec<Time> {
        let seat = Seat::new(0);
        let chance = Dice::new([3; 32], "t").of_window(0, 0);
        let chance = chance.stream(&Label::of(seat, Key::part("looks")));
        let rhythm = Rhythm::new(look, Tz::UTC);
        let mut person =
            ModelPerson::new(seat, "random".into(), rhythm, chance, Time::from_milliseconds(0));
        let look = |_| {
            let at = person.looks_at;
            person.looks_later();
            at
        };
        (0..count).map(look).collect()
    }

    /// The people are awake 16 hours a day and look once in three hours, which gives the expected days.
    #[test]
    fn whoever_looks_is_awake_and_looks_as_often_as_is_said() {
        let looks = looks(HOUR * 3, 6000);
        let hour = |at: &Time| at.beyond(HOUR * 24).milliseconds() / HOUR.milliseconds();
        assert!(looks.iter().all(|at| (8..24).contains(&hour(at))));
        let days = looks[5999].milliseconds() / (HOUR * 24).milliseconds();
        assert!((1090..1160).contains(&days), "{days} days, and 1125 are expected");
    }

    #[test]
    fn whoever_looks_at_once_looks_every_minute() {
        let looks = looks(Span::ZERO, 100);
        assert_eq!(looks[0], Time::from_milliseconds(0) + HOUR * 8);
        assert!(looks.windows(2).all(|pair| pair[1] - pair[0] == MINUTE));
    }
}
