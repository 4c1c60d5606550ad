//! A person's settings for all of their tables: their time zone, their quiet hours, and the way they are
//! called.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr};

use crate::Quiet;
use crate::time::Time;

/// A person's settings for all of their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PersonSettings {
    /// The time zone of the times shown to the person, `None` for that of each table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
    /// The hours in which the person is not called, `None` if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    pub way: CallWay,
    pub moments: CallMoments,
}

/// The way a person is called.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumCount,
    IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CallWay {
    /// A mention in the post of a window that opens, and a message before its deadline.
    #[default]
    Usual,
    /// A private message.
    Message,
    /// A mention in the thread of the table.
    Thread,
    /// The person is not called.
    Nothing,
}

/// The moments at which a person is called.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    EnumCount,
    IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum CallMoments {
    /// Calls at the opening of a window, and before its deadline as often as the table's pace says.
    #[default]
    Usual,
    /// Calls at the opening of a window, and once before its deadline.
    Both,
    /// One call at the opening of a window.
    Opening,
    /// One call before a deadline.
    Deadline,
}

/// The reason for a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTo {
    /// The opening of a window.
    Opening,
    /// A deadline that comes near.
    Reminder {
        /// True if the reminder is the last one.
        is_last: bool,
    },
    /// The person is the last one awaited.
    LastAwaited,
}

impl PersonSettings {
    /// Returns the time zone of the times shown to the person, for a table in this zone.
    pub fn zone_at(&self, table: Tz) -> Tz {
        self.zone.unwrap_or(table)
    }

    /// True if the person is called for this reason.
    pub fn is_called(&self, to: CallTo) -> bool {
        let by_moments = match (self.moments, to) {
            (CallMoments::Usual, _)
            | (CallMoments::Both | CallMoments::Opening, CallTo::Opening) => true,
            (CallMoments::Both | CallMoments::Deadline, CallTo::Reminder { is_last }) => is_last,
            _ => false,
        };
        self.way != CallWay::Nothing && by_moments
    }

    /// Returns the time of a call due at this time, at a table in this zone: outside of the person's quiet
    /// hours, unless that is too late.
    pub fn called_at(&self, at: Time, too_late: Time, table: Tz) -> Time {
        let awake = self.quiet.map_or(at, |quiet| quiet.ends(self.zone_at(table), at));
        if awake < too_late { awake } else { at }
    }

    /// True if the post of a window with these times calls the person; if not, a letter does, provided that
    /// they are called at all.
    pub fn is_called_by_post(&self, opens: Time, closes: Time, table: Tz) -> bool {
        let is_way = matches!(self.way, CallWay::Usual | CallWay::Thread);
        is_way && self.is_called(CallTo::Opening) && self.called_at(opens, closes, table) == opens
    }

    /// True if the person is called in the thread of the table, if the table has one.
    pub fn is_called_in_thread(&self, to: CallTo) -> bool {
        match self.way {
            CallWay::Thread => true,
            CallWay::Usual => to == CallTo::Opening,
            CallWay::Message | CallWay::Nothing => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz::{Asia__Tokyo, UTC};

    use super::*;
    use crate::TimeOfDay;
    use crate::time::time;

    const H: i64 = 60 * 60 * 1000;

    fn quiet(from: u32, to: u32) -> Quiet {
        let at = |hour: u32| TimeOfDay::new(hour, 0).unwrap();
        Quiet { from: at(from), to: at(to) }
    }

    #[test]
    fn who_sets_nothing_is_called_as_their_table_has_it() {
        let usual = PersonSettings::default();
        for to in [
            CallTo::Opening,
            CallTo::Reminder { is_last: false },
            CallTo::Reminder { is_last: true },
            CallTo::LastAwaited,
        ] {
            assert!(usual.is_called(to), "{to:?}");
        }
        assert_eq!(usual.called_at(time(5), time(9), UTC), time(5));
        assert_eq!(usual.zone_at(Asia__Tokyo), Asia__Tokyo);
        assert_eq!(serde_json::to_string(&usual).unwrap(), r#"{"way":"usual","moments":"usual"}"#);
        assert_eq!(serde_json::from_str::<PersonSettings>("{}").unwrap(), usual);
    }

    /// A row for each choice: true if they are called at the opening, by a reminder before the last, by the
    /// last reminder, and as the last one awaited.
    #[test]
    fn they_are_called_when_they_wish() {
        let called = |way, moments| {
            let settings = PersonSettings { way, moments, ..PersonSettings::default() };
            let to = [
                CallTo::Opening,
                CallTo::Reminder { is_last: false },
                CallTo::Reminder { is_last: true },
                CallTo::LastAwaited,
            ];
            to.map(|to| settings.is_called(to))
        };
        let message = CallWay::Message;
        assert_eq!(called(message, CallMoments::Usual), [true; 4]);
        assert_eq!(called(message, CallMoments::Both), [true, false, true, false]);
        assert_eq!(called(message, CallMoments::Opening), [true, false, false, false]);
        assert_eq!(called(message, CallMoments::Deadline), [false, false, true, false]);
        for moments in [CallMoments::Usual, CallMoments::Both] {
            assert_eq!(called(CallWay::Nothing, moments), [false; 4]);
        }
    }

    #[test]
    fn quiet_hours_are_waited_for_unless_it_is_too_late_then() {
        let night = PersonSettings { quiet: Some(quiet(0, 7)), ..PersonSettings::default() };
        for (at, too_late, called) in [(3, 12, 7), (8, 12, 8), (3, 6, 3), (3, 7, 3)] {
            let called_at = night.called_at(time(at * H), time(too_late * H), UTC);
            assert_eq!(called_at, time(called * H), "{at} {too_late}");
        }
        // Midnight in Tokyo is 15:00 UTC.
        let there = PersonSettings { zone: Some(Asia__Tokyo), ..night };
        assert_eq!(there.called_at(time(3 * H), time(12 * H), UTC), time(3 * H));
        assert_eq!(there.called_at(time(16 * H), time(40 * H), UTC), time(22 * H));
    }

    #[test]
    fn a_post_calls_whom_no_letter_of_their_own_does() {
        let of =
            |way| PersonSettings { way, quiet: Some(quiet(0, 7)), ..PersonSettings::default() };
        for (way, opens, by_post) in [
            (CallWay::Usual, 8, true),
            (CallWay::Usual, 3, false),
            (CallWay::Thread, 8, true),
            (CallWay::Message, 8, false),
            (CallWay::Nothing, 8, false),
        ] {
            let (opens, closes) = (time(opens * H), time(20 * H));
            assert_eq!(of(way).is_called_by_post(opens, closes, UTC), by_post, "{way:?}");
        }
        let opening = CallTo::Opening;
        assert!(of(CallWay::Usual).is_called_in_thread(opening));
        assert!(!of(CallWay::Usual).is_called_in_thread(CallTo::LastAwaited));
        assert!(!of(CallWay::Message).is_called_in_thread(opening));
    }
}
