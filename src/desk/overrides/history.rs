//! The history of a table: rollbacks, undos and the end.

use crate::model::desk::NotDone;
use crate::model::load::window_pace;
use crate::model::overrides::{Override, undoes};
use crate::overrides::deciding::{Done, Run};
use crate::overrides::decision::{Because, Remark};
use crate::overrides::image::ChangedRows;
use crate::overrides::{edit, telling, windows};
use crate::record::event::{Event, Secrecy, record};
use crate::record::history::History;
use crate::record::letter::OPENING;
use crate::record::tell;
use crate::table::end::end_after;
use crate::window::act::keep_acts;
use crate::window::next::NextWindow;
use crate::window::resolve::settle;
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{OverrideRow, StoreError, Touched, absences, overrides, read_json, votes};
use tables::ids::{EntryNumber, OverrideNumber, WindowNumber};
use tables::time::Time;
use tables::{EndKind, HoldReason, NEVER, Stage, TableSetting, Timing};

/// The fraction of a window below which passed time is not given back: 1/1000.
const MISSED: i64 = 1_000;

/// Rolls back to the opening of a window's root window. All dice are new from there on, and the unknown
/// part of the decks is shuffled, so that nobody profits from what they have seen.
pub(crate) async fn roll_back(
    run: &mut Run<'_, '_>,
    number: WindowNumber,
) -> Result<Done, NotDone> {
    let open = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
    let origin = run.touched.window(number).await?.ok_or(OverrideRefused::NoWindow)?;
    let root = run.touched.window(origin.root).await?.ok_or(OverrideRefused::NoWindow)?;
    if origin.opens_at > run.deciding.now {
        if origin.number == open.number {
            return Err(Refused::NotYet.into());
        }
        return Err(OverrideRefused::NoWindow.into());
    }
    let mut remarks = windows::lost(run, &open).await?;
    remarks.extend([Remark::Posted, Remark::Revealed]);
    let (seats, mut contest) = run.contest(&root).await?;
    let attempt = run.touched.table.windows;
    let dealt = contest.ask_again(attempt).map_err(|held| StoreError::Failed(held.to_string()))?;
    let number = run.touched.table.next_window();
    let dealt = dealt.map(|dealt| Event::Dealt {
        number,
        entries: dealt.entries,
        state: hex::encode(contest.state_hash()),
    });
    if let Some(dealt) = &dealt {
        record(run.touched, dealt, run.deciding.now)?;
    }
    // The letters of the opening stay valid if the open window itself is asked again.
    if root.number != open.number {
        overrides::burn_opening(run.touched, open.number).await?;
    }
    if open.opens_at > run.deciding.now {
        windows::leave_unannounced(run.touched);
    }
    let head = tell::journal_head(run.touched);
    let next =
        NextWindow { follows: root.follows, ..NextWindow::of(&seats, &*contest, run.deciding.now) };
    let table = run.touched.table.clone();
    let secrecy = Secrecy::of(&table, Some(&*contest));
    let parts = |you: Option<Seat>| {
        let result = dealt.iter().flat_map(|dealt| dealt.told_to(you, &secrecy));
        telling::parts(run.deciding).into_iter().chain(result).chain([head.clone()]).collect()
    };
    next.open(run.touched, parts).await?;
    Ok(Done { remarks, ..Done::notified(Because::Dice) })
}

/// Restores the table as before an override, if nothing has followed from it.
pub(crate) async fn undo(run: &mut Run<'_, '_>, number: OverrideNumber) -> Result<Done, NotDone> {
    let overrides = overrides::all_at(run.touched).await?;
    let row =
        overrides.iter().find(|row| row.number == number).ok_or(OverrideRefused::NoOverride)?;
    if row.undone.is_some() {
        return Err(OverrideRefused::Undone.into());
    }
    let image = row.image.as_ref().ok_or(OverrideRefused::Final)?;
    let changed: ChangedRows = read_json(image)?;
    let what = read_json::<Override>(&row.what)?;
    if let Err(followed) = refuse_followed(run, &overrides, row).await {
        // A lock that holds is lifted regardless of later decisions.
        let holds = || run.touched.table.held.as_ref().is_some_and(HoldReason::is_lock);
        let is_lock = matches!(what, Override::Lock { .. }) && changed.held().is_some();
        if !(is_lock && holds()) {
            return Err(followed);
        }
        mark_undone(run.touched, &overrides, number, run.deciding.number).await?;
        return windows::unlock(run).await;
    }
    let closed = what == Override::Close;
    mark_undone(run.touched, &overrides, number, run.deciding.number).await?;
    if closed {
        return take_back_close(run, &changed, row.at).await;
    }
    if changed.reopens() {
        return reopen(run, &changed, row.at).await;
    }
    changed.restore(run.touched, run.deciding.now).await?;
    if run.touched.table.stage == Stage::Forming {
        return Ok(Done::default().with(Remark::Posted));
    }
    let window = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if changed.held_back() {
        let opens = changed.opens().unwrap_or(run.deciding.now).max(run.deciding.now);
        windows::release(run, &window, opens, Vec::new()).await?;
        return Ok(Done::default().with(Remark::Posted));
    }
    if let Some(held) = changed.held() {
        // The clock of a plain lock ran on, unless the deadline has passed.
        if held != HoldReason::Lock || window.closes_at <= run.deciding.now {
            run.touched.time(later(run, window.timing(), row.at));
        }
        if held == HoldReason::Pause {
            let paused = votes::paused(run.touched.session(), &run.deciding.code).await?;
            votes::keep_paused(run.touched, paused + (run.deciding.now - row.at)).await?;
        }
    }
    if run.touched.table.stage == Stage::Playing && window.opens_at <= run.deciding.now {
        let mut window = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
        let (_, contest) = run.contest(&window).await?;
        if matches!(what, Override::TakeBack { .. }) {
            keep_acts(run.touched, &*contest, &mut window).await?;
        }
        settle(run.touched, &*contest, &window, run.deciding.now).await?;
    }
    Ok(Done::default().with(Remark::Posted))
}

/// Asks a window again that a decision has closed, as long as the result is unannounced: in a new window
/// from the same state, with the same declarations and the remaining time.
async fn take_back_close(
    run: &mut Run<'_, '_>,
    changed: &ChangedRows,
    since: Time,
) -> Result<Done, NotDone> {
    let next = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
    if next.opens_at <= run.deciding.now {
        return Err(OverrideRefused::OnlyRollback.into());
    }
    let closed = next.follows.ok_or(OverrideRefused::NoWindow)?;
    let window = run.touched.window(closed).await?.ok_or(OverrideRefused::NoWindow)?;
    overrides::burn_opening(run.touched, next.number).await?;
    overrides::burn_struck(run.touched, closed).await?;
    windows::leave_unannounced(run.touched);
    changed.restore_settings(run.touched).await?;
    let timing = Timing { opens: run.deciding.now, ..later(run, window.timing(), since) };
    let (seats, contest) = run.contest(&window).await?;
    let asked = NextWindow {
        root: (window.root != window.number).then_some(window.root),
        follows: window.follows,
        timing: Some(timing),
        ..NextWindow::of(&seats, &*contest, run.deciding.now)
    };
    let head = tell::journal_head(run.touched);
    asked
        .open(run.touched, |_| [telling::parts(run.deciding), vec![head.clone()]].concat())
        .await?;
    absences::open_reputation(run.touched, closed).await?;
    edit::take_over(run, &*contest, closed, &[]).await?;
    changed.hold_again(run.touched).await?;
    Ok(Done::notified(Because::Asked))
}

/// Refuses to undo a decision with consequences. An undone decision is not a consequence.
async fn refuse_followed(
    run: &mut Run<'_, '_>,
    overrides: &[OverrideRow],
    row: &OverrideRow,
) -> Result<(), NotDone> {
    let closed = read_json::<Override>(&row.what)? == Override::Close;
    let journal = run.touched.session().journal(&run.deciding.code, EntryNumber::FIRST).await?;
    let mut entries = run.touched.table.entries;
    // Each undo directly after its decision is skipped together with the decision.
    while entries != row.entries {
        let newest = overrides.iter().find(|other| other.entries == entries);
        let Some(newest) = newest.filter(|newest| newest.number > row.number) else {
            return Err(OverrideRefused::OnlyRollback.into());
        };
        let undid = match read_json(&newest.what)? {
            Override::Undo { number } => overrides.iter().find(|other| other.number == number),
            // Holding a result back is not a consequence of its closing.
            Override::Hold if closed => Some(newest),
            _ => None,
        };
        let Some(undid) = undid.filter(|undid| undid.number > row.number) else {
            let is_final = newest.image.is_none();
            let newer = OverrideRefused::NewerFirst(newest.number);
            return Err(if is_final { OverrideRefused::OnlyRollback } else { newer }.into());
        };
        let last = journal.iter().find(|entry| entry.hash == undid.foundation);
        entries = last.map_or(0, |last| last.entry.next().get());
    }
    Ok(())
}

/// Returns the times of a window with its deadline extended by the time passed since the decision. A
/// quick undo leaves the deadline unchanged.
fn later(run: &Run<'_, '_>, timing: Timing, since: Time) -> Timing {
    let passed = run.deciding.now - since;
    if passed < (timing.closes - timing.opens) / MISSED {
        return timing;
    }
    Timing { closes: run.touched.table.pace.extended(timing.closes, passed), ..timing }
}

/// Reopens the window that was open before an override.
async fn reopen(
    run: &mut Run<'_, '_>,
    changed: &ChangedRows,
    since: Time,
) -> Result<Done, NotDone> {
    let open = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
    let mut remarks = windows::lost(run, &open).await?;
    overrides::burn_opening(run.touched, open.number).await?;
    if open.opens_at > run.deciding.now {
        windows::leave_unannounced(run.touched);
    }
    changed.restore(run.touched, run.deciding.now).await?;
    let window = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
    // The result of a window resolved anew has been public.
    if open.opens_at <= run.deciding.now && open.follows > Some(window.number) {
        remarks.push(Remark::Known);
    }
    let mut timing = window.timing();
    if timing.opens == NEVER {
        return Ok(Done { remarks, ..Done::default() });
    }
    if run.touched.table.stage == Stage::Playing {
        timing = later(run, timing, since);
        run.touched.time(timing);
        if run.touched.table.held.is_none() {
            let next = timing.next(&window_pace(&run.touched.table, &window));
            run.touched.look_at(Some(next));
        }
    }
    let (seats, contest) = run.contest(&window).await?;
    let next = NextWindow {
        root: Some(window.root),
        follows: window.follows,
        opens: timing.opens.max(run.deciding.now),
        timing: Some(timing),
        ..NextWindow::of(&seats, &*contest, run.deciding.now)
    };
    let mut receipts = Some(tell::journal_head(run.touched));
    let (mut last, mut decided) = (None, Vec::new());
    // A window asked again or from another state is shown with the result that opened it.
    if window.opens_at > since || window.follows != open.follows {
        last =
            History::load(run.touched.session(), &run.deciding.code).await?.into_opening(&window);
        decided = windows::judged(run, &window).await?;
    }
    // A window not announced before the decision is announced now.
    if window.opens_at > since {
        receipts = tell::receipts_of_last(run.touched, &*contest, &window).await?;
    }
    let table = run.touched.table.clone();
    let secrecy = Secrecy::of(&table, Some(&*contest));
    let report = |you: Option<Seat>| {
        let result = last.as_ref().and_then(|last| last.result_to(you, &secrecy).pop());
        let parts = decided.iter().cloned().chain(telling::parts(run.deciding));
        parts.chain(result).chain(receipts.clone()).collect()
    };
    let id = format!("{}-{OPENING}-{}", window.number, run.touched.table.entries);
    next.tell(run.touched, &id, window.number, timing, &report).await?;
    Ok(Done { remarks, ..Done::notified(Because::Asked) })
}

/// Ends the table with the scores of its position, or calls it off.
pub(crate) async fn end(run: &mut Run<'_, '_>, how: EndKind) -> Result<Done, NotDone> {
    if run.touched.table.stage == Stage::Over {
        // The end is not announced yet.
        return Err(Refused::NotYet.into());
    }
    let (parts, how, reason) = match &run.deciding.voted {
        Some(_) => (telling::parts(run.deciding), EndKind::Drawn, None),
        None => (Vec::new(), how, Some(run.deciding.decision.reason.as_str())),
    };
    end_after(run.touched, run.deciding.games, parts, how, reason, run.deciding.now).await?;
    // The seed is public from now on.
    Ok(Done::notified(Because::Over).with(Remark::Final))
}

/// Shows sealed declarations to the game masters from now on, irrevocably.
pub(crate) async fn open(run: &mut Run<'_, '_>) -> Result<Done, NotDone> {
    if run.touched.table.settings.has(TableSetting::Open) {
        return Err(OverrideRefused::OpenAlready.into());
    }
    run.touched.table.settings.set(TableSetting::Open, true);
    run.touched.keep_settings().await?;
    Ok(Done::default().with(Remark::Final))
}

/// Stores that a decision is undone by another one, and the changed states of the decisions that the undone
/// one had undone in turn.
async fn mark_undone(
    touched: &mut Touched<'_>,
    overrides: &[OverrideRow],
    number: OverrideNumber,
    by: OverrideNumber,
) -> Result<(), NotDone> {
    let what = |number| {
        let row = overrides.iter().find(|row| row.number == number)?;
        read_json(&row.what).ok()
    };
    for (number, by) in undoes(number, by, what) {
        overrides::undo(touched, number, by).await?;
    }
    Ok(())
}
