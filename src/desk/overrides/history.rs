//! The history of a table: rollbacks, undos and the end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::{Override, Result, Stored, refuse_if, retime, undoes, window_pace};
use crate::overrides::decision::{self, Because, Effect, Remark, Run};
use crate::overrides::windows;
use crate::record::{Event, History, OPENING, Secrecy, notice, record, reseat};
use crate::table::start::end_after;
use crate::window::act::keep_acts;
use crate::window::close::settle;
use crate::window::next::NextWindow;
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{
    Cell, OverrideRow, Row, SeatRow, StoreError, Touched, absences, overrides, read_json, transfer,
    votes,
};
use tables::{
    EndKind, EntryNumber, HoldReason, NEVER, OverrideNumber, Stage, TableSetting, Time, Timing,
    WindowNumber,
};

/// The fraction of a window below which passed time is not given back: 1/1000.
const MISSED: i64 = 1_000;

/// Rolls back to the opening of a window's root window. All dice are new from there on, and the unknown
/// part of the decks is shuffled, so that nobody profits from what they have seen.
pub(crate) async fn roll_back(run: &mut Run<'_, '_>, number: WindowNumber) -> Result<Effect> {
    let open = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    let origin = run.tx.window(number).await?.ok_or(OverrideRefused::NoWindow)?;
    let root = run.tx.window(origin.root).await?.ok_or(OverrideRefused::NoWindow)?;
    if origin.opens_at > run.tx.now {
        refuse_if(origin.number == open.number, Refused::NotYet)?;
        return Err(OverrideRefused::NoWindow.into());
    }
    let mut remarks = windows::lost(run, &open).await?;
    remarks.extend([Remark::Posted, Remark::Revealed]);
    let (seats, mut contest) = run.contest(&root).await?;
    let attempt = run.tx.table.windows;
    let dealt = contest.ask_again(attempt).map_err(|held| StoreError::Failed(held.to_string()))?;
    let number = run.tx.table.next_window();
    let dealt = dealt.map(|dealt| Event::Dealt {
        number,
        entries: dealt.entries,
        state: hex::encode(contest.state_hash()),
    });
    if let Some(dealt) = &dealt {
        record(run.tx, dealt)?;
    }
    // The letters of the opening stay valid if the open window itself is asked again.
    if root.number != open.number {
        overrides::burn_unsent(run.tx, &format!("{}-opening", open.number)).await?;
    }
    if open.opens_at > run.tx.now {
        windows::leave_unannounced(run.tx);
    }
    let head = notice::journal_head(run.tx);
    let next =
        NextWindow { follows: root.follows, ..NextWindow::of(&seats, &*contest, run.tx.now) };
    let secrecy = Secrecy::of(&run.tx.table, Some(&*contest));
    let parts = |you: Option<Seat>| {
        let result = dealt.iter().flat_map(|dealt| dealt.told_to(you, &secrecy));
        decision::parts(run.attempt).into_iter().chain(result).chain([head.clone()]).collect()
    };
    next.open(run.tx, &parts).await?;
    Ok(Effect { remarks, ..Effect::notified(Because::Dice) })
}

/// Restores the table as before an override, if nothing has followed from it.
pub(crate) async fn undo(run: &mut Run<'_, '_>, number: OverrideNumber) -> Result<Effect> {
    let overrides = overrides::all(run.tx.db, &run.tx.table.code).await?;
    let row =
        overrides.iter().find(|row| row.number == number).ok_or(OverrideRefused::NoOverride)?;
    refuse_if(row.undone.is_some(), OverrideRefused::Undone)?;
    let image = row.image.as_ref().ok_or(OverrideRefused::Final)?;
    let changed: ChangedRows = read_json(image)?;
    let what = read_json::<Override>(&row.what)?;
    if let Err(followed) = refuse_followed(run, &overrides, row).await {
        // A lock that holds is lifted regardless of later decisions.
        let holds = || run.tx.table.held.as_ref().is_some_and(HoldReason::is_lock);
        let is_lock = matches!(what, Override::Lock { .. }) && changed.held().is_some();
        if !(is_lock && holds()) {
            return Err(followed);
        }
        mark_undone(run.tx, &overrides, number, run.attempt.number).await?;
        return windows::unlock(run).await;
    }
    let closed = what == Override::Close;
    mark_undone(run.tx, &overrides, number, run.attempt.number).await?;
    if closed {
        return take_back_close(run, &changed, row.at).await;
    }
    if changed.reopens() {
        return reopen(run, &changed, row.at).await;
    }
    changed.restore(run.tx).await?;
    if run.tx.table.stage == Stage::Forming {
        return Ok(Effect::default().with(Remark::Posted));
    }
    let window = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    if changed.held_back() {
        let opens = changed.opens().unwrap_or(run.tx.now).max(run.tx.now);
        windows::release(run, &window, opens, Vec::new()).await?;
        return Ok(Effect::default().with(Remark::Posted));
    }
    if let Some(held) = changed.held() {
        // The clock of a plain lock ran on, unless the deadline has passed.
        if held != HoldReason::Lock || window.closes_at <= run.tx.now {
            run.tx.time(later(run, window.timing(), row.at));
        }
        if held == HoldReason::Pause {
            let paused = votes::paused(run.tx.db, &run.attempt.code).await?;
            votes::keep_paused(run.tx, paused + (run.tx.now - row.at)).await?;
        }
    }
    if run.tx.table.stage == Stage::Playing && window.opens_at <= run.tx.now {
        let mut window = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
        let (_, contest) = run.contest(&window).await?;
        if matches!(what, Override::TakeBack { .. }) {
            keep_acts(run.tx, &*contest, &mut window).await?;
        }
        settle(run.tx, &*contest, &window).await?;
    }
    Ok(Effect::default().with(Remark::Posted))
}

/// Asks a window again that a decision has closed, as long as the result is unannounced: in a new window
/// from the same state, with the same declarations and the remaining time.
async fn take_back_close(
    run: &mut Run<'_, '_>,
    changed: &ChangedRows,
    since: Time,
) -> Result<Effect> {
    let next = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    refuse_if(next.opens_at <= run.tx.now, OverrideRefused::OnlyRollback)?;
    let closed = next.follows.ok_or(OverrideRefused::NoWindow)?;
    let window = run.tx.window(closed).await?.ok_or(OverrideRefused::NoWindow)?;
    overrides::burn_unsent(run.tx, &format!("{}-opening", next.number)).await?;
    overrides::burn_unsent(run.tx, &format!("{closed}-struck")).await?;
    windows::leave_unannounced(run.tx);
    changed.restore_settings(run.tx).await?;
    let timing = Timing { opens: run.tx.now, ..later(run, window.timing(), since) };
    let (seats, contest) = run.contest(&window).await?;
    let asked = NextWindow {
        root: (window.root != window.number).then_some(window.root),
        follows: window.follows,
        timing: Some(timing),
        ..NextWindow::of(&seats, &*contest, run.tx.now)
    };
    let head = notice::journal_head(run.tx);
    asked.open(run.tx, &|_| [decision::parts(run.attempt), vec![head.clone()]].concat()).await?;
    absences::open_reputation(run.tx, closed).await?;
    windows::take_over(run, &*contest, closed, &[]).await?;
    changed.hold_again(run.tx).await?;
    Ok(Effect::notified(Because::Asked))
}

/// Refuses to undo a decision with consequences. An undone decision is not a consequence.
async fn refuse_followed(
    run: &mut Run<'_, '_>,
    overrides: &[OverrideRow],
    row: &OverrideRow,
) -> Result<()> {
    let closed = read_json::<Override>(&row.what)? == Override::Close;
    let journal = store::tables::journal(run.tx.db, &run.attempt.code, EntryNumber::FIRST).await?;
    let mut entries = run.tx.table.entries;
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
    let passed = run.tx.now - since;
    if passed < (timing.closes - timing.opens) / MISSED {
        return timing;
    }
    Timing { closes: run.tx.table.pace.extended(timing.closes, passed), ..timing }
}

/// Reopens the window that was open before an override.
async fn reopen(run: &mut Run<'_, '_>, changed: &ChangedRows, since: Time) -> Result<Effect> {
    let open = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    let mut remarks = windows::lost(run, &open).await?;
    overrides::burn_unsent(run.tx, &format!("{}-opening", open.number)).await?;
    if open.opens_at > run.tx.now {
        windows::leave_unannounced(run.tx);
    }
    changed.restore(run.tx).await?;
    let window = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    // The result of a window resolved anew has been public.
    if open.opens_at <= run.tx.now && open.follows > Some(window.number) {
        remarks.push(Remark::Known);
    }
    let mut timing = window.timing();
    if timing.opens == NEVER {
        return Ok(Effect { remarks, ..Effect::default() });
    }
    if run.tx.table.stage == Stage::Playing {
        timing = later(run, timing, since);
        let pace = window_pace(&run.tx.table, &window);
        retime(run.tx, timing, &pace);
    }
    let (seats, contest) = run.contest(&window).await?;
    let next = NextWindow {
        root: Some(window.root),
        follows: window.follows,
        opens: timing.opens.max(run.tx.now),
        timing: Some(timing),
        ..NextWindow::of(&seats, &*contest, run.tx.now)
    };
    let mut receipts = Some(notice::journal_head(run.tx));
    let (mut last, mut decided) = (None, Vec::new());
    // A window asked again or from another state is shown with the result that opened it.
    if window.opens_at > since || window.follows != open.follows {
        last = History::load(run.tx.db, &run.attempt.code).await?.into_opening(&window);
        decided = windows::judged(run, &window).await?;
    }
    // A window not announced before the decision is announced now.
    if window.opens_at > since {
        receipts = notice::receipts_of_last(run.tx, &*contest, &window).await?;
    }
    let secrecy = Secrecy::of(&run.tx.table, Some(&*contest));
    let report = |you: Option<Seat>| {
        let result = last.as_ref().and_then(|last| last.result_to(you, &secrecy).pop());
        let parts = decided.iter().cloned().chain(decision::parts(run.attempt));
        parts.chain(result).chain(receipts.clone()).collect()
    };
    let id = format!("{}-{OPENING}-{}", window.number, run.tx.table.entries);
    next.tell(run.tx, &id, window.number, timing, &report).await?;
    Ok(Effect { remarks, ..Effect::notified(Because::Asked) })
}

/// Ends the table with the scores of its position, or calls it off.
pub(crate) async fn end(run: &mut Run<'_, '_>, how: EndKind) -> Result<Effect> {
    if run.tx.table.stage == Stage::Over {
        // The end is not announced yet.
        return Err(Refused::NotYet.into());
    }
    let (parts, how, reason) = match &run.attempt.voted {
        Some(_) => (decision::parts(run.attempt), EndKind::Drawn, None),
        None => (Vec::new(), how, Some(run.attempt.decision.reason.as_str())),
    };
    end_after(run.tx, run.attempt.games, parts, how, reason).await?;
    // The seed is public from now on.
    Ok(Effect::notified(Because::Over).with(Remark::Final))
}

/// Shows sealed declarations to the game masters from now on, irrevocably.
pub(crate) async fn open(run: &mut Run<'_, '_>) -> Result<Effect> {
    refuse_if(run.tx.table.settings.has(TableSetting::Open), OverrideRefused::OpenAlready)?;
    run.tx.table.settings.set(TableSetting::Open, true);
    run.tx.keep_settings().await?;
    Ok(Effect::default().with(Remark::Final))
}

/// Stores that a decision is undone by another one, and the changed states of the decisions that the undone
/// one had undone in turn.
async fn mark_undone(
    tx: &mut Touched<'_>,
    overrides: &[OverrideRow],
    number: OverrideNumber,
    by: OverrideNumber,
) -> Result<()> {
    let what = |number| {
        let row = overrides.iter().find(|row| row.number == number)?;
        read_json(&row.what).ok()
    };
    for (number, by) in undoes(number, by, what) {
        overrides::undo(tx, number, by).await?;
    }
    Ok(())
}

/// A kind of rows that an override can change.
struct Kind {
    /// The name of the database table.
    of: &'static str,
    /// The columns that tell the rows of one table from each other.
    key: &'static [&'static str],
    /// True if only the rows of the open window can change.
    is_of_window: bool,
    /// The columns that are restored; empty for whole rows.
    columns: &'static [&'static str],
}

impl Kind {
    const fn rows(of: &'static str, key: &'static [&'static str]) -> Self {
        Self { of, key, is_of_window: false, columns: &[] }
    }
}

const TABLES: &str = "tables";
const WINDOWS: &str = "windows";
const DECLARATIONS: &str = "declarations";
const SEATS: &str = "seats";
const ATTENDANCE: Kind = Kind::rows("attendance", &["seat"]);

const OF_TABLE: &[&str] = &[
    "stage",
    "open_window",
    "look_at",
    "held",
    "held_at",
    "settings",
    "paused",
    "pace",
    "next_pace",
    "absence",
];
const OF_WINDOW: &[&str] =
    &["said", "opens_at", "closes_at", "settles_at", "reminded_at", "extended"];

/// All kinds, in the order in which they are restored.
const KINDS: [Kind; 7] = [
    Kind { is_of_window: true, ..Kind::rows(DECLARATIONS, &["number", "seat"]) },
    Kind { columns: OF_TABLE, ..Kind::rows(TABLES, &[]) },
    Kind { is_of_window: true, columns: OF_WINDOW, ..Kind::rows(WINDOWS, &["number"]) },
    Kind::rows(SEATS, &["seat"]),
    ATTENDANCE,
    Kind::rows("calls", &["number"]),
    Kind::rows("sent_away", &["person"]),
];

/// The rows of a table, by their kind.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rows(BTreeMap<String, Vec<Row>>);

impl Rows {
    /// Returns the rows that an override can change while this window is open.
    pub(crate) async fn of(tx: &mut Touched<'_>, open: Option<WindowNumber>) -> Stored<Self> {
        let code = tx.table.code.clone();
        let open = open.map(|open| Cell::Number(open.get().into()));
        let mut all = BTreeMap::new();
        for Kind { of, is_of_window, columns, .. } in KINDS {
            let mut rows = transfer::rows_of(tx.db, of, "code", &code).await?;
            rows.retain(|row| !is_of_window || row.0.get("number") == open.as_ref());
            if !columns.is_empty() {
                let is_kept = |column: &str| column == "number" || columns.contains(&column);
                for row in &mut rows {
                    row.0.retain(|column, _| is_kept(column));
                }
            }
            all.insert(of.to_owned(), rows);
        }
        Ok(Self(all))
    }

    /// Returns the rows that do not stand among others.
    fn without(&self, others: &Self) -> Self {
        let only = |(of, rows): (&String, &Vec<Row>)| {
            let rows = rows.iter().filter(|row| !others.kind(of).contains(row));
            (of.clone(), rows.cloned().collect())
        };
        Self(self.0.iter().map(only).filter(|(_, rows): &(_, Vec<_>)| !rows.is_empty()).collect())
    }

    fn kind(&self, of: &str) -> &[Row] {
        self.0.get(of).map_or(&[], Vec::as_slice)
    }

    /// Returns a value of the first row of a kind.
    fn cell(&self, of: &str, column: &str) -> Option<&Cell> {
        self.kind(of).first()?.0.get(column)
    }

    fn held(&self) -> Option<HoldReason> {
        self.cell(TABLES, "held").and_then(Cell::text).map(|held| held.to_owned().into())
    }
}

/// The rows that differ before and after an override.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChangedRows {
    before: Rows,
    after: Rows,
}

impl ChangedRows {
    pub(crate) fn between(before: &Rows, after: &Rows) -> Self {
        Self { before: before.without(after), after: after.without(before) }
    }

    /// True if another window was open before.
    fn reopens(&self) -> bool {
        self.before.cell(TABLES, "open_window") != self.after.cell(TABLES, "open_window")
    }

    /// True if the override has put a result under review.
    fn held_back(&self) -> bool {
        let is_held = |rows: &Rows| rows.held() == Some(HoldReason::Review);
        !is_held(&self.before) && is_held(&self.after) && !self.reopens()
    }

    /// Returns the reason of the pause or lock that the override began; `None` if it began none.
    pub(crate) fn held(&self) -> Option<HoldReason> {
        let held = self.after.held().filter(|_| self.before.held().is_none());
        held.filter(HoldReason::outlasts_window)
    }

    /// Returns the former opening time of the open window; `None` if its row is unchanged.
    pub(crate) fn opens(&self) -> Option<Time> {
        let opens = self.before.cell(WINDOWS, "opens_at").and_then(Cell::number);
        opens.map(Time::from_milliseconds)
    }

    /// Restores the table as before the override. Declarations made since then stay.
    async fn restore(&self, tx: &mut Touched<'_>) -> Result<()> {
        for kind in &KINDS {
            match kind.of {
                TABLES => self.restore_table(tx, OF_TABLE).await?,
                WINDOWS => {
                    for row in self.before.kind(WINDOWS) {
                        transfer::change_row(tx, WINDOWS, kind.key, kind.columns, row).await?;
                    }
                }
                SEATS => {
                    for row in self.before.kind(SEATS) {
                        seat_again(tx, row).await?;
                    }
                }
                _ => self.restore_rows(tx, kind).await?,
            }
        }
        Ok(())
    }

    /// Restores the pace, the treatment of missing players, and the attendance of the seats.
    async fn restore_settings(&self, tx: &mut Touched<'_>) -> Stored<()> {
        self.restore_rows(tx, &ATTENDANCE).await?;
        self.restore_table(tx, &["pace", "next_pace", "absence"]).await
    }

    /// Restores the hold of the table, if there was one.
    async fn hold_again(&self, tx: &mut Touched<'_>) -> Stored<()> {
        if self.before.held().is_none() {
            return Ok(());
        }
        self.restore_table(tx, &["held", "held_at", "look_at"]).await
    }

    async fn restore_table(&self, tx: &mut Touched<'_>, columns: &[&str]) -> Stored<()> {
        for row in self.before.kind(TABLES) {
            transfer::change_row(tx, TABLES, &[], columns, row).await?;
        }
        tx.read_again().await
    }

    /// Restores the rows of a kind, except those that have changed since.
    async fn restore_rows(&self, tx: &mut Touched<'_>, &Kind { of, key, .. }: &Kind) -> Stored<()> {
        let (before, after) = (self.before.kind(of), self.after.kind(of));
        let code = tx.table.code.clone();
        let mut now = transfer::rows_of(tx.db, of, "code", &code).await?;
        for row in after {
            let Some(place) = now.iter().position(|other| other == row) else { continue };
            now.swap_remove(place);
            if of == DECLARATIONS
                && let Some(seat) = seat(row)
            {
                absences::drop_declared(tx, seat).await?;
            }
            transfer::drop_row(tx, of, key, row).await?;
        }
        let is_at =
            |row: &Row, other: &Row| key.iter().all(|key| row.0.get(*key) == other.0.get(*key));
        for row in before.iter().filter(|row| !now.iter().any(|other| is_at(row, other))) {
            transfer::put_row(tx.db, of, row).await?;
        }
        Ok(())
    }
}

fn seat(row: &Row) -> Option<Seat> {
    row.0.get("seat").and_then(Cell::number)?.try_into().ok()
}

/// Seats the player of a stored row. A player dismissed before the game began has to sit down again
/// themselves.
async fn seat_again(tx: &mut Touched<'_>, row: &Row) -> Result<()> {
    let sits = tx.seats().await?.into_iter().find(|sits| Some(sits.seat) == seat(row));
    let Some(sits) = sits else {
        let is_forming = tx.table.stage == Stage::Forming;
        return if is_forming { Ok(()) } else { Err(Refused::NoSeat.into()) };
    };
    let text = |column| row.0.get(column).and_then(Cell::text);
    let row = SeatRow {
        person: text("person").map(Into::into),
        house: text("house").map(ToOwned::to_owned),
        name: text("name").unwrap_or_default().to_owned(),
        shown_as: text("shown_as").map(ToOwned::to_owned),
        salt: text("salt").map(ToOwned::to_owned),
        address: text("address").map(Into::into),
        ..sits
    };
    Ok(reseat(tx, &row).await?)
}
