//! The deadlines, announcements and reminders of a pace, for windows of each kind: as the pace says,
//! and else as is supposed.

use std::collections::BTreeSet;

use super::calendar::{Day, LocalTime, instant, is_quiet, local, quiet_begins, quiet_ends};
use super::day::{TimeOfDay, Weekdays};
use super::kinds::{KindPace, Tick};
use super::{Announce, CloseDelay, Every, ExceptedDays, LAST_CALLED, LastCall, Pace, REMINDED};
use crate::time::{DAY, HOUR, Span, Time};
use rules::{Sealing, WindowKind};

/// Steps of the clock on which a window may close where sealings are hidden, the longest first.
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

/// The least of them, for windows that are open for a moment.
const LEAST_STEP: Span = Span::seconds(1);

/// They lie no further apart than this part of the time for which the window is open, so that it can
/// close early.
const STEPS_IN_WINDOW: i64 = 10;

/// How many days are looked through for a time of day: a week, the day before, into which the
/// clock may have been put back, and the day after.
const LOOKED_THROUGH: i64 = 9;

impl Pace {
    /// The deadline of a window that opens at this time, always after it. Of a local time that
    /// comes twice it is the earlier; of one that the clock leaves out, the first instant after
    /// the gap. A deadline that nobody has stated as a time of day waits for the end of quiet
    /// hours. One that would fall on an excepted day is at the same time of the next day that is none;
    /// a period is as long as it is.
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
        // At the end of all time nothing comes after anything.
        deadline.max(opens + Span::INSTANT)
    }

    /// The last moment of two, out of quiet hours, on which a window can close.
    fn last_tick(&self, soonest: Time, latest: Time) -> Time {
        let times = self.tick.times();
        let yesterday = local(self.zone, latest).day().later(-1);
        let last = self.instants(&times, Weekdays::DAILY, yesterday, 2);
        let last = last.filter(|at| (soonest..=latest).contains(at)).max();
        self.out_of_quiet(last.unwrap_or(latest))
    }

    /// The first moment from an instant on on which a window can close early.
    fn first_tick(&self, opens: Time, from: Time, sealing: Sealing) -> Time {
        match &self.tick {
            Tick::Any if sealing == Sealing::Open => from,
            Tick::Any => full(from, self.free_step(opens)),
            tick => self.next_of(&tick.times(), Weekdays::DAILY, from),
        }
    }

    /// The step of the clock, from the full hour on, on which a window that opens at this time can close
    /// early where sealings are hidden; none where the host has named times of day.
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

    /// The same local time so many days later, or so many more that it is not too soon.
    fn days_later(&self, opens: Time, days: i64, soonest: Time) -> Time {
        let local = local(self.zone, opens);
        let after = |days| self.out_of_quiet(instant(self.zone, local + DAY * days));
        // Clock changes make of so many days at most two less.
        let whole = ((soonest - opens) / DAY).saturating_sub(2);
        let from = days.max(1).max(whole);
        let last = from.saturating_add(5 + self.except.looked_through());
        let late_enough = (from..last).map(after).find(|at| *at >= soonest && self.allows(*at));
        late_enough.unwrap_or(soonest)
    }

    /// The next of these times of day from an instant on. Without any it is that instant.
    fn next_of(&self, times: &[TimeOfDay], days: Weekdays, soonest: Time) -> Time {
        self.next_in(times, days, soonest, LOOKED_THROUGH, |_| true)
    }

    /// The next of these times of day that will do, within so many days.
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

    /// These times of day on so many days.
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

    /// When the result of a window is announced that opened and closed at these times. Announced at
    /// a time of day, that is the next time it comes, but never longer after the close than the
    /// pace has it after its own deadline: where that is an hour from 21:00 to 22:00, a window that
    /// closes at 19:00 is announced at 20:00, and one that is put off to 22:30 at 23:30.
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

    /// When a window closes early in which the last seal was set at this time, if its deadline
    /// has not come before. Where sealings are hidden it is on a full step of the clock, or on the
    /// ticks of its kind, so that the time says nothing.
    pub fn early_close(&self, opens: Time, last_seal: Time, sealing: Sealing) -> Time {
        self.early_close_after(opens, last_seal, sealing).0
    }

    /// The same, and what it waits for behind the last seal, in order.
    pub fn early_close_after(
        &self,
        opens: Time,
        last_seal: Time,
        sealing: Sealing,
    ) -> (Time, BTreeSet<CloseDelay>) {
        let soonest = opens + self.settles_after;
        let cooled = last_seal + self.cool_down.max(Span::ZERO);
        let (mut close, mut delays) = (cooled.max(soonest), BTreeSet::new());
        let first = if soonest > cooled { CloseDelay::LeastTime } else { CloseDelay::CoolDown };
        delays.extend((close > last_seal).then_some(first));
        // Quiet hours may begin before a tick, and end before another.
        for _ in 0..4 {
            let awake = self.out_of_quiet(close);
            let tick = self.first_tick(opens, awake, sealing);
            delays.extend((awake > close).then_some(CloseDelay::Quiet));
            delays.extend((tick > awake).then_some(CloseDelay::Tick));
            close = tick;
        }
        (close, delays)
    }

    /// True if the deadline of a window that opened at this time has moved past excepted days.
    pub fn is_moved_by_excepted_days(&self, opens: Time) -> bool {
        let without = Self { except: ExceptedDays::default(), ..self.clone() };
        !self.except.is_none() && self.deadline(opens) != without.deadline(opens)
    }

    /// When the deadline of a window is called to mind: between its opening and its close, in
    /// order, each once. In quiet hours none is, but at their end if the window is still open
    /// then, or else at their beginning if it was open already.
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

    /// From when on somebody is told that they are the last one who is waited for in a window with
    /// these times; none if nobody is.
    pub fn last_call(&self, opens: Time, closes: Time) -> Option<Time> {
        let after = match self.last_call {
            LastCall::Supposed => (closes - opens) / LAST_CALLED,
            LastCall::After(after) => after,
            LastCall::Never => return None,
        };
        Some(opens + after.max(Span::ZERO))
    }

    /// The deadline of a window that nobody kept for so long while it was open, put off by
    /// as much.
    pub fn extended(&self, closes: Time, outage: Span) -> Time {
        self.out_of_quiet(closes + outage.max(Span::ZERO))
    }

    /// The first instant from this one on at which somebody may be called.
    pub fn out_of_quiet(&self, at: Time) -> Time {
        self.quiet.map_or(at, |quiet| quiet_ends(self.zone, quiet, at))
    }
}

/// The first full step of the clock from an instant on.
fn full(at: Time, step: Span) -> Time {
    match at.beyond(step) {
        Span::ZERO => at,
        over if at > Time::END - (step - over) => at - over,
        over => at + (step - over),
    }
}

/// The longest reaction that is supposed.
const REACTION: Span = Span::hours(12);

/// The longest choice that is supposed.
const CHOICE: Span = Span::hours(6);

/// Whoever may let a window pass is called when this part of it has passed.
const CALLED: i64 = 12;

impl Pace {
    /// The pace of the windows of this kind.
    #[must_use]
    pub fn of(self, kind: WindowKind) -> Self {
        let Some(KindPace { length, least, tick }) = self.kind(kind) else { return self };
        // Whoever may let it pass is called once, soon after it has opened.
        let (reminded, last_call) = if kind.is_optional() {
            (length - length / CALLED, LastCall::Never)
        } else {
            (length / REMINDED, self.last_call)
        };
        let reminders = vec![reminded];
        // What is announced at a time of day is announced so once a turn.
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

    /// What is said or supposed of a kind; none where its windows are paced as turns are.
    pub fn kind(&self, kind: WindowKind) -> Option<KindPace> {
        self.kinds.get(&kind).cloned().or_else(|| self.supposed(kind))
    }

    /// What is supposed of a kind of which nothing is said: reactions and choices are shorter than
    /// turns that take days.
    pub fn supposed(&self, kind: WindowKind) -> Option<KindPace> {
        let most = match kind {
            WindowKind::Setup | WindowKind::Turn => return None,
            WindowKind::Reaction => REACTION,
            WindowKind::Choice => CHOICE,
        };
        Some(KindPace::supposed(kind, self.usual().min(most)))
    }

    /// The time for which a turn is open as a rule.
    fn usual(&self) -> Span {
        match &self.every {
            Every::Period(period) => *period,
            Every::Days(days) => DAY * i64::from(*days),
            Every::Times { .. } => DAY,
        }
    }
}
