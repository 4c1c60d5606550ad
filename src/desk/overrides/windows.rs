//! Decisions about the open window, and the result of the last one.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    Override, Result, asked_window, refuse_if, retime, return_unused_pause, window_pace,
};
use crate::overrides::decision::{self, Because, Effect, Remark, Run};
use crate::record::notice::{self};
use crate::record::{Event, History, JournalEvent, Part, Secrecy, announcement};
use crate::table::start;
use crate::window::close::{settle, shut_is_told};
use crate::window::next::NextWindow;
use games::any::AnyContest;
use letters::{OverrideRefused, Refused, Spent, VoteRefused};
use rules::{Declaration, Sealing, Seat, Viewer};
use store::{Touched, WindowRow, absences, overrides, people, read_json, votes};
use tables::absence::{LONGEST_PAUSE, MOST_PAUSED, OBJECTION, room};
use tables::{
    HoldReason, Notified, OverrideNumber, Span, Stage, TableSetting, Time, Timing, WindowNumber,
};

/// Marks the open window as never announced, so that no rollback leads to it.
pub(crate) fn leave_unannounced(tx: &mut Touched<'_>) {
    tx.time(Timing::unannounced());
}

pub(crate) async fn extend(run: &mut Run<'_, '_>, closes: Time) -> Result<Effect> {
    let window = run.announced_window().await?;
    refuse_if(run.attempt.voted.is_some() && closes <= window.closes_at, OverrideRefused::NoLater)?;
    let extended = extended(run.tx, &window, closes).await?;
    votes::keep_extended(run.tx, extended).await?;
    let (timing, pace) =
        (Timing { closes, ..window.timing() }, window_pace(&run.tx.table, &window));
    retime(run.tx, timing, &pace);
    Ok(Effect { added: announcement(&pace, timing), ..Effect::default() })
}

pub(crate) async fn close(run: &mut Run<'_, '_>) -> Result<Effect> {
    let window = run.announced_window().await?;
    let missing = missing(run, &window).await?;
    let remarks = decision::parts(run.attempt);
    start::close(run.tx, run.attempt.games, &window, remarks).await?;
    let done = Effect { window: Some(window.number), ..Effect::notified(Because::Closed) };
    let done = done.with(Remark::Unseen { missing });
    let next = run.tx.open_window().await?.filter(|_| run.tx.table.held.is_none());
    Ok(match next {
        Some(next) if next.opens_at > run.tx.now => {
            let announced = next.opens_at;
            done.with(Remark::Announced { announced }).with(Remark::UntilTold)
        }
        // The sealed declarations are public now.
        _ => done.with(Remark::OnlyRollback).with(Remark::Final),
    })
}

/// Returns the seats without a seal in a window; empty with hidden sealings.
async fn missing(run: &mut Run<'_, '_>, window: &WindowRow) -> Result<Vec<Seat>> {
    let (_, contest) = run.contest(window).await?;
    if contest.procedure().sealing == Sealing::Hidden {
        return Ok(Vec::new());
    }
    let progress_rows =
        store::windows::declaration_progress(run.tx.db, &run.attempt.code, window.number).await?;
    let has_sealed = |seat: &Seat| progress_rows.iter().any(|row| row.seat == *seat && row.sealed);
    Ok(window.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect())
}

pub(crate) async fn pause(run: &mut Run<'_, '_>, until: Time) -> Result<Effect> {
    run.announced_window().await?;
    let paused = paused(run.tx, until).await?;
    votes::keep_paused(run.tx, paused).await?;
    run.tx.hold(HoldReason::Pause, Some(until), run.tx.now);
    Ok(Effect::default())
}

pub(crate) async fn resume(run: &mut Run<'_, '_>) -> Result<Effect> {
    match run.tx.table.held {
        None => Err(OverrideRefused::NotHeld.into()),
        Some(HoldReason::Review) => publish(run).await,
        Some(_) => {
            start::resume(run.tx).await??;
            Ok(Effect::default())
        }
    }
}

/// Locks the table. The clock of a paused table stays stopped.
pub(crate) async fn lock(run: &mut Run<'_, '_>, stops: bool) -> Result<Effect> {
    run.announced_window().await?;
    let paused = match &run.tx.table.held {
        None => false,
        Some(HoldReason::Pause) => true,
        Some(held) if held.is_lock() => return Err(OverrideRefused::Locked.into()),
        Some(_) => return Err(OverrideRefused::Stopped.into()),
    };
    let since = run.tx.table.held_at.filter(|_| paused).unwrap_or(run.tx.now);
    return_unused_pause(run.tx).await?;
    let why = if stops || paused { HoldReason::LockAndStop } else { HoldReason::Lock };
    run.tx.hold(why, None, since);
    Ok(Effect::default())
}

pub(crate) async fn unlock(run: &mut Run<'_, '_>) -> Result<Effect> {
    if run.tx.table.held.as_ref().is_some_and(HoldReason::is_lock) {
        resume(run).await
    } else {
        Err(OverrideRefused::NotLocked.into())
    }
}

pub(crate) async fn void(run: &mut Run<'_, '_>) -> Result<Effect> {
    let window = asked_window(run.tx).await?;
    let (seats, mut contest) = run.contest(&window).await?;
    contest.forget_decisions();
    contest.forget_acts();
    let lost = lost(run, &window).await?;
    let next = NextWindow {
        root: (window.root != window.number).then_some(window.root),
        follows: window.follows,
        ..NextWindow::of(&seats, &*contest, run.tx.now)
    };
    let head = notice::journal_head(run.tx);
    next.open(run.tx, &|_| [decision::parts(run.attempt), vec![head.clone()]].concat()).await?;
    Ok(Effect { remarks: lost, ..Effect::notified(Because::Asked) })
}

/// Returns a remark on the declarations of people that are lost with a window.
pub(crate) async fn lost(run: &mut Run<'_, '_>, window: &WindowRow) -> Result<Vec<Remark>> {
    let seats = run.tx.seats().await?;
    let people = seats.iter().filter(|row| row.person.is_some());
    let people: Vec<Seat> = people.map(|row| row.seat).collect();
    lost_by(run, window, &people).await
}

/// Returns a remark on the lost declarations of these seats. If the game hides who has declared, the asked
/// ones among them are named.
pub(crate) async fn lost_by(
    run: &mut Run<'_, '_>,
    window: &WindowRow,
    among: &[Seat],
) -> Result<Vec<Remark>> {
    let (_, contest) = run.contest(window).await?;
    let progress_rows =
        store::windows::declaration_progress(run.tx.db, &run.attempt.code, window.number).await?;
    let seats: Vec<Seat> = if Secrecy::of(&run.tx.table, Some(&*contest)).is_named() {
        let has_declared = |seat: &Seat| progress_rows.iter().any(|row| row.seat == *seat);
        among.iter().copied().filter(has_declared).collect()
    } else {
        among.iter().copied().filter(|seat| window.asked.0.contains(seat)).collect()
    };
    Ok(if seats.is_empty() { Vec::new() } else { vec![Remark::Lost { seats }] })
}

/// Returns the open window, if the result before it has not been announced.
async fn unannounced(run: &mut Run<'_, '_>) -> Result<WindowRow> {
    let window = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    if window.opens_at <= run.tx.now { Err(OverrideRefused::Announced.into()) } else { Ok(window) }
}

pub(crate) async fn hold(run: &mut Run<'_, '_>) -> Result<Effect> {
    let window = unannounced(run).await?;
    refuse_if(run.tx.table.held.is_some(), OverrideRefused::Still)?;
    hold_back(run, &window).await?;
    Ok(Effect::default())
}

/// Holds the result of the last window until its publication.
pub(crate) async fn hold_back(run: &mut Run<'_, '_>, window: &WindowRow) -> Result<()> {
    overrides::burn_unsent(run.tx, &format!("{}-opening", window.number)).await?;
    run.tx.time(Timing::unannounced());
    run.tx.hold(HoldReason::Review, None, run.tx.now);
    Ok(())
}

pub(crate) async fn publish(run: &mut Run<'_, '_>) -> Result<Effect> {
    let window = unannounced(run).await?;
    release(run, &window, run.tx.now, decision::parts(run.attempt)).await?;
    Ok(Effect { reveals: true, ..Effect::notified(Because::Result) }.with(Remark::Final))
}

/// Announces the result of the last window at this time, after these remarks and the decisions about the
/// result.
pub(crate) async fn release(
    run: &mut Run<'_, '_>,
    window: &WindowRow,
    opens: Time,
    mut remarks: Vec<Part>,
) -> Result<()> {
    let (seats, contest) = run.contest(window).await?;
    let last = History::load(run.tx.db, &run.attempt.code).await?.into_opening(window);
    remarks.extend(judged(run, window).await?);
    overrides::burn_unsent(run.tx, &format!("{}-opening", window.number)).await?;
    let receipts = notice::receipts_of_last(run.tx, &*contest, window).await?;
    let next = NextWindow {
        root: Some(window.root),
        follows: window.follows,
        opens,
        ..NextWindow::of(&seats, &*contest, run.tx.now)
    };
    let secrecy = Secrecy::of(&run.tx.table, Some(&*contest));
    let parts = |you: Option<Seat>| {
        let result = last.as_ref().map(|last| last.result_to(you, &secrecy)).unwrap_or_default();
        remarks.iter().cloned().chain(result).chain(receipts.clone()).collect()
    };
    Ok(next.begin(run.tx, window.number, None, &parts).await?)
}

/// Returns the decisions about the window before this one: the closing, if it was not announced
/// immediately, and the judgements that resolved it anew.
pub(crate) async fn judged(run: &mut Run<'_, '_>, window: &WindowRow) -> Result<Vec<Part>> {
    let Some(last) = window.follows else { return Ok(Vec::new()) };
    // A window asked again from another state has not closed.
    let mut closed = BTreeMap::new();
    for number in store::windows::again(run.tx.db, &run.attempt.code, last).await? {
        if let Some((at, _)) = store::windows::closed(run.tx.db, &run.attempt.code, number).await? {
            closed.insert(number, at);
        }
    }
    let silent = closed_silently(run, &closed).await?;
    let mut parts = Vec::new();
    for row in overrides::all(run.tx.db, &run.tx.table.code).await? {
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
    run: &mut Run<'_, '_>,
    closed: &BTreeMap<WindowNumber, Time>,
) -> Result<Vec<OverrideNumber>> {
    let pace = run.tx.table.pace.clone();
    let (mut known, mut silent) = (BTreeSet::new(), Vec::new());
    for JournalEvent { row, event } in History::load(run.tx.db, &run.attempt.code).await?.0 {
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

/// Returns the total extension of a window that closes at another time. Refused beyond the allowance.
pub(crate) async fn extended(
    tx: &mut Touched<'_>,
    window: &WindowRow,
    closes: Time,
) -> Result<Span> {
    refuse_if(closes <= tx.now, OverrideRefused::Past)?;
    let extended = votes::extended(tx.db, &tx.table.code, window.number).await?;
    let (by, pace) = (closes - window.closes_at, window_pace(&tx.table, window));
    let left = room(&pace, window.closes_at, extended);
    if by > Span::ZERO && by > left {
        Err(Spent::Extension { left }.into())
    } else {
        Ok(extended + by)
    }
}

/// Returns the total pause of a table that pauses until this time. Refused beyond the allowance.
pub(crate) async fn paused(tx: &mut Touched<'_>, until: Time) -> Result<Span> {
    refuse_if(tx.table.held.is_some(), OverrideRefused::Still)?;
    refuse_if(until <= tx.now, OverrideRefused::Past)?;
    refuse_if(until - tx.now > LONGEST_PAUSE, OverrideRefused::TooLongPause)?;
    let paused = votes::paused(tx.db, &tx.table.code).await?;
    let left = (MOST_PAUSED - paused).max(Span::ZERO);
    if until - tx.now > left {
        return Err(Spent::Pause { left }.into());
    }
    Ok(paused + (until - tx.now))
}

/// Refuses objections to a pause that is no longer new.
pub(crate) fn check_objection(tx: &Touched<'_>) -> Result<(), VoteRefused> {
    let table = &tx.table;
    let paused = table.held_at.filter(|_| table.held == Some(HoldReason::Pause));
    let since = paused.ok_or(VoteRefused::NotPaused)?;
    if tx.now - since <= OBJECTION { Ok(()) } else { Err(VoteRefused::PauseStands) }
}

/// Makes the move between two windows: the open one is asked again from the new state, and its
/// declarations count as far as their questions stay the same.
pub(crate) async fn edit(run: &mut Run<'_, '_>, moves: &Declaration) -> Result<Effect> {
    let window = run.announced_window().await?;
    let (seats, mut contest) = run.contest(&window).await?;
    refuse_if(contest.is_suspended(), OverrideRefused::Suspended)?;
    // A decider cannot name hidden things: a refusal would reveal their places.
    let person = people::person(run.tx.db, &run.attempt.gm.account).await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
    let is_open = run.tx.table.settings.has(TableSetting::Open);
    let viewer = if is_open { Viewer::All } else { own.into() };
    refuse_if(!contest.rehearse(moves, viewer).faults.is_empty(), OverrideRefused::Unfit)?;
    // A playing decider is not shown future draws before the decision.
    let plays = own.is_some();
    let foreseen = contest.foresee(moves, if plays { Viewer::Public } else { viewer });
    let before = contest.copy();
    let resolution = contest.amend(moves).map_err(|_| OverrideRefused::Unfit)?;
    let people = seats.iter().filter(|row| row.person.is_some()).map(|row| row.seat);
    let asked = people.filter(|seat| window.asked.0.contains(seat));
    let anew: Vec<Seat> = asked.filter(|seat| is_asked_anew(*seat, &*before, &*contest)).collect();
    let remarks = lost_by(run, &window, &anew).await?;
    let next = NextWindow {
        follows: window.follows,
        // The move leaves everybody's time unchanged.
        timing: Some(window.timing()),
        ..NextWindow::of(&seats, &*contest, run.tx.now)
    };
    let head = notice::journal_head(run.tx);
    let parts = |you: Option<Seat>| {
        let entries = contest.seen(&resolution.entries, you.into());
        let round = contest.round();
        let acted = !entries.is_empty();
        let acted = acted.then_some(Part::Result { round, entries, at_once: true });
        decision::parts(run.attempt).into_iter().chain(acted).chain([head.clone()]).collect()
    };
    next.open(run.tx, &parts).await?;
    take_over(run, &*contest, window.number, &anew).await?;
    // A move may reveal secrets to a playing decider, so these are shown once it is made, to everybody.
    let reveals = contest.procedure().sealing == Sealing::Hidden;
    Ok(Effect { remarks, foreseen, reveals, ..Effect::notified(Because::Asked) })
}

/// Copies the declarations of another window to the open one, except those of these seats.
pub(crate) async fn take_over(
    run: &mut Run<'_, '_>,
    contest: &dyn AnyContest,
    from: WindowNumber,
    anew: &[Seat],
) -> Result<()> {
    overrides::take_over(run.tx, from, None).await?;
    for seat in anew {
        run.tx.withdraw(*seat).await?;
    }
    overrides::count_again(run.tx, from).await?;
    // The additional time for late players counts as used.
    if let Some(lateness) = absences::lateness(run.tx.db, &run.attempt.code, from).await? {
        absences::keep_lateness(run.tx, lateness);
    }
    if run.tx.table.stage == Stage::Playing {
        let window = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
        settle(run.tx, contest, &window).await?;
    }
    Ok(())
}

/// True if a question of the seat is dropped or changed, such as one about the chips of another round.
fn is_asked_anew(seat: Seat, before: &dyn AnyContest, after: &dyn AnyContest) -> bool {
    let asked = |contest: &dyn AnyContest| {
        let asked = contest.interview(seat, &Declaration::default()).asked;
        let questions = asked.into_iter().map(|asked| asked.question);
        questions.map(|question| (question.key, question.tacit)).collect::<Vec<_>>()
    };
    let after = asked(after);
    asked(before).iter().any(|question| !after.contains(question))
}
