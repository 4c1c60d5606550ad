//! The deadlines, announcements and reminders of a pace, for windows of each kind, with defaults for what the
//! pace does not give.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate};

use crate::pace::calendar::{LocalTime, instant, is_quiet, local, quiet_begins, quiet_ends};
use crate::pace::{ALLOWED_WITHIN, CloseDelay, Day, Holidays, LAST_CALLED, REMINDED};
use crate::time::{DAY, HOUR, Span, Time};
use crate::{Announce, Every, ExceptedDays, KindPace, LastCall, Pace, Tick, TimeOfDay, Weekdays};
use rules::{Sealing, WindowKind};

/// The steps of the clock for early closes while sealings are hidden, the longest first.
const STEPS: [Span; 10] = [
    Span::minutes(15),
    Span::minutes(10),
    Span::minutes(5),
    Span::minutes(2),
    Span::minutes(1),
    Span::seconds(30),
    Span::seconds(15),
    Span::seconds(10),
    Span::seconds(5),
    Span::seconds(2),
];

/// The shortest step, for windows that are open for a moment.
const LEAST_STEP: Span = Span::seconds(1);

/// The minimum number of steps in a window, so that it can close early.
const STEPS_IN_WINDOW: i64 = 10;

/// The number of days searched for a time of day: a week, the day before, to which the clock may have been
/// put back, and the day after.
const LOOKED_THROUGH: i64 = 9;

impl Pace {
    /// Returns the deadline of a window that opens at this time, always after it. A local time that comes
    /// twice is the earlier one; a time that the clock leaves out is the first instant after the gap. A
    /// deadline that is not a given time of day waits for the end of quiet hours. A deadline on an excepted
    /// day moves to the same time of the next allowed day; a period never moves.
    pub fn deadline(&self, opens: Time) -> Time {
        let soonest = opens + self.least.max(Span::INSTANT);
        let deadline = match &self.every {
            Every::Period(period) => self.last_tick(soonest, (opens + *period).max(soonest)),
            Every::Days(days) => self.days_later(opens, (*days).into(), soonest),
            Every::Times { times, days } => {
                let days_through = LOOKED_THROUGH + self.except.looked_through();
                self.next_in(times, *days, soonest, days_through, |at| self.allows(at))
            }
        };
        // At the end of all time no instant comes later.
        deadline.max(opens + Span::INSTANT)
    }

    /// Returns the last moment from `soonest` to `latest` at which a window can close, out of quiet hours.
    fn last_tick(&self, soonest: Time, latest: Time) -> Time {
        let times = self.tick.times();
        let yesterday = local(self.zone, latest).day().later(-1);
        let last = self.instants(&times, Weekdays::DAILY, yesterday, 2);
        let last = last.filter(|at| (soonest..=latest).contains(at)).max();
        self.out_of_quiet(last.unwrap_or(latest))
    }

    /// Returns the first moment from an instant on at which a window can close early.
    fn first_tick(&self, opens: Time, from: Time, sealing: Sealing) -> Time {
        match &self.tick {
            _ if sealing == Sealing::Open => from,
            Tick::Any => full(from, self.free_step(opens)),
            tick => self.next_of(&tick.times(), Weekdays::DAILY, from),
        }
    }

    /// Returns the step of the clock, from the full hour on, for early closes of a window that opens at this
    /// time while sealings are hidden, `None` if the host has set times of day.
    pub fn step(&self, opens: Time) -> Option<Span> {
        match self.tick {
            Tick::Any => Some(self.free_step(opens)),
            Tick::Hourly => Some(HOUR),
            Tick::Times(_) => None,
        }
    }

    fn free_step(&self, opens: Time) -> Span {
        let length = self.deadline(opens) - opens;
        let step = STEPS.into_iter().find(|step| *step * STEPS_IN_WINDOW <= length);
        step.unwrap_or(LEAST_STEP)
    }

    /// Returns the same local time this many days later, or more if that is too soon.
    fn days_later(&self, opens: Time, days: i64, soonest: Time) -> Time {
        let local = local(self.zone, opens);
        let after = |days| self.out_of_quiet(instant(self.zone, local + DAY * days));
        // Clock changes shorten a number of days by two at most.
        let whole = ((soonest - opens) / DAY).saturating_sub(2);
        let from = days.max(1).max(whole);
        let last = from.saturating_add(5 + self.except.looked_through());
        let late_enough = (from..last).map(after).find(|at| *at >= soonest && self.allows(*at));
        late_enough.unwrap_or(soonest)
    }

    /// Returns the next of these times of day from an instant on, or that instant if there are none.
    fn next_of(&self, times: &[TimeOfDay], days: Weekdays, soonest: Time) -> Time {
        self.next_in(times, days, soonest, LOOKED_THROUGH, |_| true)
    }

    /// Returns the next of these times of day that `will_do`, within this many days.
    fn next_in(
        &self,
        times: &[TimeOfDay],
        days: Weekdays,
        soonest: Time,
        count: i64,
        will_do: impl Fn(Time) -> bool,
    ) -> Time {
        let from = local(self.zone, soonest).day().later(-1);
        let instants = self.instants(times, days, from, count);
        instants.filter(|at| *at >= soonest && will_do(*at)).min().unwrap_or(soonest)
    }

    /// Returns these times of day on this many days.
    fn instants<'a>(
        &'a self,
        times: &'a [TimeOfDay],
        days: Weekdays,
        from: Day,
        count: i64,
    ) -> impl Iterator<Item = Time> + 'a {
        (0..count)
            .map(move |later| from.later(later))
            .filter(move |day| days.has(day.weekday()))
            .flat_map(|day| times.iter().map(move |time| LocalTime::of(day, time.since_midnight())))
            .map(|local| instant(self.zone, local))
    }

    /// Returns the time of the announcement of a window that opened and closed at these times. A time of day
    /// means its next occurrence, but never a longer wait than after the window's own deadline: if that is an
    /// hour, from 21:00 to 22:00, a window that closes at 19:00 is announced at 20:00, and one that is put
    /// off to 22:30 at 23:30.
    pub fn announced(&self, opened: Time, closed: Time) -> Time {
        match self.announce {
            Announce::AtOnce => self.out_of_quiet(closed),
            Announce::After(after) => self.out_of_quiet(closed + after.max(Span::ZERO)),
            Announce::At(time) => {
                let next = |from| self.next_of(&[time], Weekdays::DAILY, from);
                let deadline = self.deadline(opened);
                let wait = next(deadline) - deadline;
                let at_the_latest = self.out_of_quiet(closed + wait);
                next(closed).min(at_the_latest)
            }
        }
    }

    /// Returns the time of a window's early close after its last seal, if the deadline does not come first.
    /// While sealings are hidden the close waits for the minimum time, and for a full step of the clock or a
    /// tick of its kind, so that the time reveals nothing.
    pub fn early_close(&self, opens: Time, last_seal: Time, sealing: Sealing) -> Time {
        self.early_close_after(opens, last_seal, sealing).0
    }

    /// Returns the time of the early close, and the reasons for the delay after the last seal, in order.
    pub fn early_close_after(
        &self,
        opens: Time,
        last_seal: Time,
        sealing: Sealing,
    ) -> (Time, BTreeSet<CloseDelay>) {
        let soonest = match sealing {
            Sealing::Open => opens,
            Sealing::Hidden => opens + self.settles_after,
        };
        let cooled = last_seal + self.cool_down.max(Span::ZERO);
        let (mut close, mut delays) = (cooled.max(soonest), BTreeSet::new());
        let first = if soonest > cooled { CloseDelay::LeastTime } else { CloseDelay::CoolDown };
        delays.extend((close > last_seal).then_some(first));
        // Quiet hours may begin before one tick, and end before another.
        for _ in 0..4 {
            let awake = self.out_of_quiet(close);
            let tick = self.first_tick(opens, awake, sealing);
            delays.extend((awake > close).then_some(CloseDelay::Quiet));
            delays.extend((tick > awake).then_some(CloseDelay::Tick));
            close = tick;
        }
        (close, delays)
    }

    /// True if excepted days have moved the deadline of a window that opened at this time.
    pub fn is_moved_by_excepted_days(&self, opens: Time) -> bool {
        let without = Self { except: ExceptedDays::default(), ..self.clone() };
        !self.except.is_none() && self.deadline(opens) != without.deadline(opens)
    }

    /// Returns the reminders of a window: between its opening and its close, in order, without duplicates. A
    /// reminder in quiet hours moves to their end if the window is still open then, or else to their
    /// beginning if it was open already.
    pub fn reminders(&self, opens: Time, closes: Time) -> Vec<Time> {
        let is_open = |at: &Time| (opens + Span::INSTANT..closes).contains(at);
        let wanted = self.reminders.iter().map(|before| closes - *before);
        let mut reminders: Vec<Time> = wanted
            .filter(is_open)
            .filter_map(|at| match self.quiet {
                Some(quiet) if is_quiet(self.zone, quiet, at) => {
                    let ends = Some(quiet_ends(self.zone, quiet, at)).filter(is_open);
                    ends.or_else(|| Some(quiet_begins(self.zone, quiet, at)).filter(is_open))
                }
                _ => Some(at),
            })
            .collect();
        reminders.sort_unstable();
        reminders.dedup();
        reminders
    }

    /// Returns the first time at which the last awaited player of a window with these times is called, `None`
    /// if nobody is.
    pub fn last_call(&self, opens: Time, closes: Time) -> Option<Time> {
        let after = match self.last_call {
            LastCall::Supposed => (closes - opens) / LAST_CALLED,
            LastCall::After(after) => after,
            LastCall::Never => return None,
        };
        Some(opens + after.max(Span::ZERO))
    }

    /// Returns the deadline of a window put off by the length of an outage.
    pub fn extended(&self, closes: Time, outage: Span) -> Time {
        self.out_of_quiet(closes + outage.max(Span::ZERO))
    }

    /// Returns the first instant from this one on outside of quiet hours.
    pub fn out_of_quiet(&self, at: Time) -> Time {
        self.quiet.map_or(at, |quiet| quiet_ends(self.zone, quiet, at))
    }
}

/// Returns the first full step of the clock from an instant on.
fn full(at: Time, step: Span) -> Time {
    match at.beyond(step) {
        Span::ZERO => at,
        over if at > Time::END - (step - over) => at - over,
        over => at + (step - over),
    }
}

/// The maximum default length of a reaction.
const REACTION: Span = Span::hours(12);

/// The maximum default length of a choice.
const CHOICE: Span = Span::hours(6);

/// The divisor that gives the part of an optional window before its players are called.
const CALLED: i64 = 12;

impl Pace {
    /// Returns the pace of the windows of this kind.
    #[must_use]
    pub fn of(self, kind: WindowKind) -> Self {
        let Some(KindPace { length, least, tick }) = self.kind(kind) else { return self };
        // The players of an optional window are called once, soon after its opening.
        let (reminded, last_call) = if kind.is_optional() {
            (length - length / CALLED, LastCall::Never)
        } else {
            (length / REMINDED, self.last_call)
        };
        let reminders = vec![reminded];
        // Announcements at a time of day are for turns only.
        let announce = match self.announce {
            Announce::At(_) => Announce::AtOnce,
            announce => announce,
        };
        let every = Every::Period(length);
        Self {
            every,
            announce,
            least: Span::ZERO,
            settles_after: least,
            tick,
            reminders,
            last_call,
            ..self
        }
    }

    /// Returns the given or default pace of a kind, `None` if its windows have the pace of turns.
    pub fn kind(&self, kind: WindowKind) -> Option<KindPace> {
        self.kinds.get(&kind).cloned().or_else(|| self.supposed(kind))
    }

    /// Returns the default pace of a kind: reactions and choices are shorter than turns that take days.
    pub fn supposed(&self, kind: WindowKind) -> Option<KindPace> {
        let most = match kind {
            WindowKind::Setup | WindowKind::Turn => return None,
            WindowKind::Reaction => REACTION,
            WindowKind::Choice => CHOICE,
        };
        Some(KindPace::supposed(kind, self.usual().min(most)))
    }

    /// Returns the usual length of a turn.
    fn usual(&self) -> Span {
        match &self.every {
            Every::Period(period) => *period,
            Every::Days(days) => DAY * i64::from(*days),
            Every::Times { .. } => DAY,
        }
    }
}

/// The number of years in which every date comes on every day of the week.
const CYCLE: i32 = 28;

impl Pace {
    /// True if a deadline can fall on the day of this instant.
    pub fn allows(&self, at: Time) -> bool {
        self.except.is_none()
            || !local(self.zone, at).day().date().is_some_and(|day| self.except.has(day))
    }

    /// True if among any `ALLOWED_WITHIN` consecutive days a window can close on at least one.
    pub fn leaves_days(&self) -> bool {
        let dated = self.except.dates.iter().filter_map(|dates| dates.ends());
        let around = Days::new(ALLOWED_WITHIN.into());
        let mut stretches = dated.filter_map(|(from, to)| {
            Some((from.checked_sub_days(around)?, to.checked_add_days(around)?))
        });
        let (first, last) = Holidays::built_in().years();
        let every_year = NaiveDate::from_ymd_opt(first, 1, 1).zip(NaiveDate::from_ymd_opt(
            last.saturating_add(CYCLE),
            12,
            31,
        ));
        self.except.dates.is_empty()
            || stretches.all(|stretch| self.leaves_days_in(stretch))
                && every_year.is_none_or(|years| self.leaves_days_in(years))
    }

    fn leaves_days_in(&self, (from, to): (NaiveDate, NaiveDate)) -> bool {
        let weekdays = match &self.every {
            Every::Times { days, .. } => *days,
            Every::Period(_) | Every::Days(_) => Weekdays::DAILY,
        };
        let allowed =
            |day: NaiveDate| weekdays.has(Day::of(day).weekday()) && !self.except.has(day);
        let mut in_a_row = 0;
        from.iter_days().take_while(|day| *day <= to).all(|day| {
            in_a_row = if allowed(day) { 0 } else { in_a_row + 1 };
            in_a_row < ALLOWED_WITHIN
        })
    }
}
