//! The people of a model: each looks at the table now and then while awake.

use chrono_tz::Tz;
use smol_str::SmolStr;

use rules::Seat;
use rules::dice::Stream;
use tables::Pace;
use tables::ids::AccountId;
use tables::pace::{Quiet, TimeOfDay};
use tables::time::{HOUR, MINUTE, Span, Time};

/// What an hour of waking time is drawn from: so many parts of 1.
const PARTS: u32 = 1 << 30;

/// Somebody at a table.
#[derive(Debug)]
pub(super) struct ModelPerson {
    pub(super) seat: Seat,
    pub(super) account: AccountId,
    /// The policy that they play by.
    pub(super) policy: SmolStr,
    /// The time when they look next.
    pub(super) looks_at: Time,
    /// How often they have looked.
    pub(super) looked: u32,
    /// True if nothing waits for them until the next window opens.
    pub(super) is_done: bool,
    rhythm: Rhythm,
    chance: Stream,
}

/// When somebody looks, as far as that is not chance.
#[derive(Clone, Debug)]
pub(super) struct Rhythm {
    /// The time for which they are awake on average between two looks.
    look: Span,
    /// Their nights are quiet hours of this pace.
    nights: Pace,
}

impl Rhythm {
    /// That of people who sleep from midnight to eight in this zone.
    pub(super) fn new(look: Span, zone: Tz) -> Self {
        let night = |(from, to)| Quiet { from, to };
        let quiet = TimeOfDay::new(0, 0).zip(TimeOfDay::new(8, 0)).map(night);
        Self { look, nights: Pace { quiet, ..Pace::play(HOUR, zone) } }
    }

    /// The first moment from this one on at which they are awake.
    pub(super) fn awake_from(&self, at: Time) -> Time {
        self.nights.out_of_quiet(at)
    }

    /// A length of time that is distributed exponentially, a minute at least.
    fn wait(&self, chance: &mut Stream) -> Span {
        let part = (f64::from(chance.below(PARTS)) + 0.5) / f64::from(PARTS);
        #[expect(clippy::cast_precision_loss, reason = "nobody looks once in 300 years")]
        let look = self.look.milliseconds() as f64;
        #[expect(clippy::cast_possible_truncation, reason = "21 times the mean at most")]
        Span::from_milliseconds((look * -part.ln()).round() as i64).max(MINUTE)
    }
}

impl ModelPerson {
    /// Somebody who has just looked.
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

    /// They look again later: whoever forgets how long they have not looked may as well have looked in
    /// their sleep, and seen nothing.
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

    /// 16 waking hours a day, a look in three of them: so many looks take so many days.
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
