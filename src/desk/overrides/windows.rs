//! Decisions about the open window, and the result of the last one.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::desk::NotDone;
use crate::model::load::window_pace;
use crate::model::open_window::{asked_window, return_unused_pause};
use crate::model::overrides::Override;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::decision::{Because, Remark};
use crate::overrides::{spent, telling};
use crate::record::event::{Event, Secrecy};
use crate::record::history::{Happened, History};
use crate::record::letter::Part;
use crate::record::tell::{self, announcement};
use crate::table::end;
use crate::window::next::NextWindow;
use crate::window::resolve::shut_is_told;
use letters::{OverrideRefused, Refused};
use rules::{Sealing, Seat};
use store::{Touched, WindowRow, overrides, read_json, votes};
use tables::ids::{OverrideNumber, WindowNumber};
use tables::time::Time;
use tables::{HoldReason, Notified, Timing};

/// Marks the open window as never announced, so that no rollback leads to it.
pub(crate) fn leave_unannounced(touched: &mut Touched<'_>) {
    touched.time(Timing::unannounced());
}

pub(crate) async fn extend(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    closes: Time,
) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    if deciding.voted.is_some() && closes <= window.closes_at {
        return Err(OverrideRefused::NoLater.into());
    }
    let extended = spent::extended(touched, &window, closes, deciding.now).await?;
    votes::keep_extended(touched, extended).await?;
    let (timing, pace) =
        (Timing { closes, ..window.timing() }, window_pace(&touched.table, &window));
    touched.time(timing);
    if touched.table.held.is_none() {
        touched.look_at(Some(timing.next(&pace)));
    }
    Ok(Done { beside: announcement(&pace, timing), ..Done::default() })
}

pub(crate) async fn close(deciding: &Deciding, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    let missing = missing(deciding, touched, &window).await?;
    let remarks = telling::parts(deciding);
    end::close(touched, deciding.games, &window, remarks, deciding.now).await?;
    let done = Done { window: Some(window.number), ..Done::notified(Because::Closed) };
    let done = done.with(Remark::Unseen { missing });
    let next = touched.open_window().await?.filter(|_| touched.table.held.is_none());
    Ok(match next {
        Some(next) if next.opens_at > deciding.now => {
            let announced = next.opens_at;
            done.with(Remark::Announced { announced }).with(Remark::UntilTold)
        }
        // The sealed declarations are public now.
        _ => done.with(Remark::OnlyRollback).with(Remark::Final),
    })
}

/// Returns the seats without a seal in a window; empty with hidden sealings.
async fn missing(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
) -> Result<Vec<Seat>, NotDone> {
    let seats = touched.seats().await?;
    let contest = deciding.contest(touched, &seats, window).await?;
    if contest.procedure().sealing == Sealing::Hidden {
        return Ok(Vec::new());
    }
    let progress_rows =
        touched.session().declaration_progress(&deciding.code, window.number).await?;
    let has_sealed = |seat: &Seat| progress_rows.iter().any(|row| row.seat == *seat && row.sealed);
    Ok(window.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect())
}

pub(crate) async fn pause(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    until: Time,
) -> Result<Done, NotDone> {
    deciding.announced_window(touched).await?;
    let paused = spent::paused(touched, until, deciding.now).await?;
    votes::keep_paused(touched, paused).await?;
    touched.hold(HoldReason::Pause, Some(until), deciding.now);
    Ok(Done::default())
}

pub(crate) async fn resume(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
) -> Result<Done, NotDone> {
    match touched.table.held {
        None => Err(OverrideRefused::NotHeld.into()),
        Some(HoldReason::Review) => publish(deciding, touched).await,
        Some(_) => {
            end::resume(touched, deciding.now).await??;
            Ok(Done::default())
        }
    }
}

/// Locks the table. The clock of a paused table stays stopped.
pub(crate) async fn lock(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    stops: bool,
) -> Result<Done, NotDone> {
    deciding.announced_window(touched).await?;
    let paused = match &touched.table.held {
        None => false,
        Some(HoldReason::Pause) => true,
        Some(held) if held.is_lock() => return Err(OverrideRefused::Locked.into()),
        Some(_) => return Err(OverrideRefused::Stopped.into()),
    };
    let since = touched.table.held_at.filter(|_| paused).unwrap_or(deciding.now);
    return_unused_pause(touched, deciding.now).await?;
    let why = if stops || paused { HoldReason::LockAndStop } else { HoldReason::Lock };
    touched.hold(why, None, since);
    Ok(Done::default())
}

pub(crate) async fn unlock(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
) -> Result<Done, NotDone> {
    if touched.table.held.as_ref().is_some_and(HoldReason::is_lock) {
        resume(deciding, touched).await
    } else {
        Err(OverrideRefused::NotLocked.into())
    }
}

pub(crate) async fn void(deciding: &Deciding, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
    let window = asked_window(touched, deciding.now).await?;
    let seats = touched.seats().await?;
    let mut contest = deciding.contest(touched, &seats, &window).await?;
    contest.forget_decisions();
    contest.forget_acts();
    let lost = lost(deciding, touched, &window).await?;
    let next = NextWindow {
        seats: &seats,
        pace: &touched.table.pace.clone(),
        contest: &*contest,
        root: (window.root != window.number).then_some(window.root),
        follows: window.follows,
        opens: deciding.now,
        timing: None,
        known: None,
        now: deciding.now,
    };
    let head = tell::journal_head(touched);
    next.open(touched, |_| [telling::parts(deciding), vec![head.clone()]].concat()).await?;
    Ok(Done { remarks: lost, ..Done::notified(Because::Asked) })
}

/// Returns a remark on the declarations of people that are lost with a window.
pub(crate) async fn lost(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
) -> Result<Vec<Remark>, NotDone> {
    let seats = touched.seats().await?;
    let people = seats.iter().filter(|row| row.person.is_some());
    let people: Vec<Seat> = people.map(|row| row.seat).collect();
    lost_by(deciding, touched, window, &people).await
}

/// Returns a remark on the lost declarations of these seats. If the game hides who has declared, the asked
/// ones among them are named.
pub(crate) async fn lost_by(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
    among: &[Seat],
) -> Result<Vec<Remark>, NotDone> {
    let seats = touched.seats().await?;
    let contest = deciding.contest(touched, &seats, window).await?;
    let progress_rows =
        touched.session().declaration_progress(&deciding.code, window.number).await?;
    let seats: Vec<Seat> = if Secrecy::of(&touched.table, Some(&*contest)).is_named() {
        let has_declared = |seat: &Seat| progress_rows.iter().any(|row| row.seat == *seat);
        among.iter().copied().filter(has_declared).collect()
    } else {
        among.iter().copied().filter(|seat| window.asked.0.contains(seat)).collect()
    };
    Ok(if seats.is_empty() { Vec::new() } else { vec![Remark::Lost { seats }] })
}

/// Returns the open window, if the result before it has not been announced.
async fn unannounced(deciding: &Deciding, touched: &mut Touched<'_>) -> Result<WindowRow, NotDone> {
    let window = touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if window.opens_at <= deciding.now {
        Err(OverrideRefused::Announced.into())
    } else {
        Ok(window)
    }
}

pub(crate) async fn hold(deciding: &Deciding, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
    let window = unannounced(deciding, touched).await?;
    if touched.table.held.is_some() {
        return Err(OverrideRefused::Still.into());
    }
    hold_back(deciding, touched, &window).await?;
    Ok(Done::default())
}

/// Holds the result of the last window until its publication.
pub(crate) async fn hold_back(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
) -> Result<(), NotDone> {
    overrides::burn_opening(touched, window.number).await?;
    touched.time(Timing::unannounced());
    touched.hold(HoldReason::Review, None, deciding.now);
    Ok(())
}

pub(crate) async fn publish(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
) -> Result<Done, NotDone> {
    let window = unannounced(deciding, touched).await?;
    release(deciding, touched, &window, deciding.now, telling::parts(deciding)).await?;
    Ok(Done { reveals: true, ..Done::notified(Because::Result) }.with(Remark::Final))
}

/// Announces the result of the last window at this time, after these remarks and the decisions about the
/// result.
pub(crate) async fn release(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
    opens: Time,
    mut remarks: Vec<Part>,
) -> Result<(), NotDone> {
    let seats = touched.seats().await?;
    let contest = deciding.contest(touched, &seats, window).await?;
    let last = History::load(touched.session(), &deciding.code).await?.into_opening(window);
    remarks.extend(judged(deciding, touched, window).await?);
    overrides::burn_opening(touched, window.number).await?;
    let receipts = tell::receipts_of_last(touched, &*contest, window).await?;
    let next = NextWindow {
        seats: &seats,
        pace: &touched.table.pace.clone(),
        contest: &*contest,
        root: Some(window.root),
        follows: window.follows,
        opens,
        timing: None,
        known: None,
        now: deciding.now,
    };
    let table = touched.table.clone();
    let secrecy = Secrecy::of(&table, Some(&*contest));
    let parts = |you: Option<Seat>| {
        let result = last.as_ref().map(|last| last.result_to(you, &secrecy)).unwrap_or_default();
        remarks.iter().cloned().chain(result).chain(receipts.clone()).collect()
    };
    Ok(next.announce(touched, window.number, parts).await?)
}

/// Returns the decisions about the window before this one: the closing, if it was not announced
/// immediately, and the judgements that resolved it anew.
pub(crate) async fn judged(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    window: &WindowRow,
) -> Result<Vec<Part>, NotDone> {
    let Some(last) = window.follows else { return Ok(Vec::new()) };
    // A window asked again from another state has not closed.
    let mut closed = BTreeMap::new();
    for number in touched.session().again(&deciding.code, last).await? {
        if let Some((at, _)) = touched.session().closed(&deciding.code, number).await? {
            closed.insert(number, at);
        }
    }
    let silent = closed_silently(deciding, touched, &closed).await?;
    let mut parts = Vec::new();
    for row in overrides::all_at(touched).await? {
        let what: Override = read_json(&row.what)?;
        let counts = match &what {
            Override::Close => silent.contains(&row.number),
            Override::Judge { window, .. } => {
                let is_after = closed.get(window).is_some_and(|closed| row.at >= *closed);
                is_after && *window != last && row.notice == Notified::Public
            }
            _ => false,
        };
        if counts && row.undone.is_none() {
            parts.push(Part::Event(Event::decided(row.number, Some(last), what, row.reason)));
        }
    }
    Ok(parts)
}

/// Returns the numbers of the decisions that closed one of these windows and were not announced before
/// the result.
async fn closed_silently(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    closed: &BTreeMap<WindowNumber, Time>,
) -> Result<Vec<OverrideNumber>, NotDone> {
    let pace = touched.table.pace.clone();
    let (mut known, mut silent) = (BTreeSet::new(), Vec::new());
    for Happened { row, event } in History::load(touched.session(), &deciding.code).await?.0 {
        match event {
            Event::Closed { number, why, announced, .. }
                if shut_is_told(&pace, why, row.at, announced).is_some() =>
            {
                known.insert(number);
            }
            Event::Overridden { number, window: Some(window), what: Override::Close, .. }
                if closed.contains_key(&window) && !known.contains(&window) =>
            {
                silent.push(number);
            }
            _ => {}
        }
    }
    Ok(silent)
}
