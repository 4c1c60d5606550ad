//! What somebody sets for all of their tables: in which zone they live, when they are not to be
//! called, and how they are.

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr};

use crate::Quiet;
use crate::time::Time;

/// What somebody sets for all of their tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PersonSettings {
    /// As whose clocks they are told times; none: as their table's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
    /// When nobody is to call them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quiet: Option<Quiet>,
    pub way: CallWay,
    pub moments: CallMoments,
}

/// How somebody is called.
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
    /// By the post of a window that opens, and by a message before its deadline.
    #[default]
    Usual,
    /// By a message to them alone.
    Message,
    /// In the thread of the table.
    Thread,
    /// Not at all.
    Nothing,
}

/// When somebody is called.
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
    /// As a window opens, and before its deadline as often as its table's pace has it.
    #[default]
    Usual,
    /// As a window opens, and once before its deadline.
    Both,
    /// As a window opens.
    Opening,
    /// Once before a deadline.
    Deadline,
}

/// Something to which somebody is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTo {
    /// A window opens.
    Opening,
    /// Its deadline comes near.
    Reminder {
        /// True if nobody is reminded of it after that.
        is_last: bool,
    },
    /// Everybody else has sealed.
    LastAwaited,
}

impl PersonSettings {
    /// In which zone they are told times of a table of this one.
    pub fn zone_at(&self, table: Tz) -> Tz {
        self.zone.unwrap_or(table)
    }

    /// True if they are called to it at all.
    pub fn is_called(&self, to: CallTo) -> bool {
        let by_moments = match (self.moments, to) {
            (CallMoments::Usual, _)
            | (CallMoments::Both | CallMoments::Opening, CallTo::Opening) => true,
            (CallMoments::Both | CallMoments::Deadline, CallTo::Reminder { is_last }) => is_last,
            _ => false,
        };
        self.way != CallWay::Nothing && by_moments
    }

    /// When they are called who would be at this time, at a table of this zone: out of their quiet
    /// hours, unless it is too late then.
    pub fn called_at(&self, at: Time, too_late: Time, table: Tz) -> Time {
        let awake = self.quiet.map_or(at, |quiet| quiet.ends(self.zone_at(table), at));
        if awake < too_late { awake } else { at }
    }

    /// True if the post of a window with these times calls them; otherwise a letter of their own does,
    /// if they are called at all.
    pub fn is_called_by_post(&self, opens: Time, closes: Time, table: Tz) -> bool {
        let is_way = matches!(self.way, CallWay::Usual | CallWay::Thread);
        is_way && self.is_called(CallTo::Opening) && self.called_at(opens, closes, table) == opens
    }

    /// True if they are called in the thread of the table, where it has one.
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

    /// A row for each choice: whether they are called as it opens, by a reminder that is not the last,
    /// by the last, and as the last one who is awaited.
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
        // Midnight of Tokyo is three in the afternoon.
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
