//! The clock's look at a table: at a deadline that has come, a reminder, or nothing yet.

use futures_util::FutureExt;

use crate::model::{Desk, Games, Unloaded, edition, window_pace};
use crate::overrides::making;
use crate::record::{Part, hold};
use crate::table::start::{end_after, resume};
use crate::window::close::{Closing, LoadedWindow, Striking};
use crate::window::next::extend;
use crate::window::remind::Reminding;
use store::{
    FirstTouch, OtherClocks, OutageRow, Result, Session, StoreError, Touched, WholeWindow, Work,
    processes, said_ahead, votes,
};
use tables::pace::OutageRule;
use tables::{CloseReason, Due, EndKind, HoldReason, Pace, Span, Stage, TableCode, Time};

/// The result of a look at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickOutcome {
    /// A window was closed and resolved.
    Closed(CloseReason),
    /// The seats that had not sealed were reminded.
    Reminded,
    /// The deadline was moved, because no process had run then.
    Extended,
    /// The deadline was extended for missing players, or late seats may still seal.
    MoreTime,
    /// The table ended by itself, because nobody had begun it.
    Unbegun,
    /// A vote ended.
    Voted,
    /// The table waits for its host.
    Waiting,
    /// Nothing was due: another process was faster, it is too early, or this program does not know the
    /// edition of the table.
    Nothing,
}

/// Returns the tables that are due for a look, the longest due first, and then those with a vote that is
/// due; at most `limit` of both for each game. Only editions that this program knows are included.
pub async fn due(desk: &Desk, now: Time, limit: u32) -> Result<Vec<TableCode>> {
    let mut db = desk.store.read().await?;
    let mut due = Vec::new();
    for game in desk.games.0 {
        due.extend(store::tables::due(&mut db, &edition(*game), now, limit).await?);
        let voted = votes::due_votes(&mut db, &edition(*game), now, limit).await?;
        due.extend(voted.into_iter().filter(|code| !due.contains(code)).collect::<Vec<_>>());
    }
    Ok(due)
}

/// Returns the time when the next table is due, `None` if there is none.
pub async fn next_due(desk: &Desk) -> Result<Option<Time>> {
    let mut db = desk.store.read().await?;
    let mut next: Option<Time> = None;
    for game in desk.games.0 {
        let of_game = store::tables::next_due(&mut db, &edition(*game)).await?;
        let of_votes = votes::next_vote_due(&mut db, &edition(*game)).await?;
        next = next.into_iter().chain(of_game).chain(of_votes).min();
    }
    Ok(next)
}

/// Looks at a table and does the work that is due.
/// Fails if the result cannot be written; the work is then still due.
pub async fn look(desk: &Desk, code: &TableCode, now: Time) -> Result<TickOutcome> {
    let look = Look { games: desk.games, code: code.to_owned(), now };
    let work = Work::new(look, |look, db| Box::pin(look.work(db)))
        .beginning_with(|look| Some(FirstTouch::Unseen { code: &look.code, with_state: true }));
    let looked = desk.store.write(work).await;
    let what = match looked {
        Err(error @ (StoreError::Unreadable(_) | StoreError::Failed(_))) => {
            HoldReason::Rules(error.to_string())
        }
        looked => return looked,
    };
    // A retry would not help, and must not keep the clock from other tables.
    let held = desk.store.write_about((code.to_owned(), what, now), |(code, what, now), db| {
        Box::pin(async move {
            let Some(mut tx) = db.touch(code, *now).await? else {
                return Ok(TickOutcome::Nothing);
            };
            if tx.table.stage != Stage::Playing || tx.table.held.is_some() {
                return Ok(TickOutcome::Nothing);
            }
            let Some(window) = tx.open_window().await? else {
                return Ok(TickOutcome::Nothing);
            };
            let seats = tx.seats().await?;
            hold(&mut tx, &seats, window.number, what.clone()).await?;
            Ok(TickOutcome::Waiting)
        })
    });
    held.await
}

/// Reads the clocks of the other processes and of the database server.
pub async fn other_clocks(desk: &Desk, process: &str) -> Result<OtherClocks> {
    processes::other_clocks(&mut desk.store.read().await?, process).await
}

/// Records the heartbeat of a process that keeps the deadlines. Returns the outage that ends with it, if
/// all processes were silent for longer than `silence`.
pub async fn beat(
    desk: &Desk,
    process: &str,
    now: Time,
    silence: Span,
) -> Result<Option<OutageRow>> {
    let about = (process.to_owned(), now, silence);
    let beaten = desk.store.write_about(about, |(process, now, silence), to| {
        processes::beat(to, process, *now, *silence).boxed()
    });
    beaten.await
}

/// Records the end of a process that kept the deadlines.
pub(crate) async fn end(desk: &Desk, process: &str, now: Time) -> Result<()> {
    let about = (process.to_owned(), now);
    let ended = desk
        .store
        .write_about(about, |(process, now), to| processes::end(to, process, *now).boxed());
    ended.await
}

struct Look {
    games: Games,
    code: TableCode,
    now: Time,
}

impl Look {
    async fn work(&self, db: &mut Session) -> Result<TickOutcome> {
        let Some(mut tx) = db.touch(&self.code, self.now).await? else {
            return Ok(TickOutcome::Nothing);
        };
        if let Some(set) = self.games.unknown_set(&tx.table.game, tx.table.card_set.as_deref()) {
            set.learn(tx.db).await?;
        }
        if self.games.of(&tx.table).is_err() {
            return Ok(TickOutcome::Nothing);
        }
        let mut whole = tx.whole_window(true).await?;
        let may_vote = whole.as_ref().is_none_or(|whole| whole.few.votes);
        let voted = may_vote && making::count_open(&mut tx, self.games).await?;
        if voted {
            // An override may have moved the times of the window.
            whole = tx.whole_window(true).await?;
        }
        let looked = self.look(&mut tx, whole).await?;
        Ok(if voted && looked == TickOutcome::Nothing { TickOutcome::Voted } else { looked })
    }

    /// Does the work of the clock at the table.
    async fn look(&self, tx: &mut Touched<'_>, whole: Option<WholeWindow>) -> Result<TickOutcome> {
        if tx.table.stage == Stage::Forming {
            return self.end_unbegun(tx).await;
        }
        if tx.table.stage != Stage::Playing {
            // The table is over, and everybody has been told.
            if tx.table.look_at.is_some_and(|look_at| look_at <= tx.now) {
                said_ahead::drop_side_lines(tx).await?;
                tx.look_at(None);
            }
            return Ok(TickOutcome::Nothing);
        }
        if tx.table.held.is_some() {
            return self.end_pause(tx).await;
        }
        let Some(whole) = whole else { return Ok(TickOutcome::Nothing) };
        let pace = tx.table.pace.clone();
        let of_window = window_pace(&tx.table, &whole.window);
        let timing = whole.window.timing();
        match timing.due(&of_window, tx.now) {
            Due::Close(why) => self.close(tx, whole, &pace, why).await,
            Due::Remind => self.remind(tx, whole, &of_window).await,
            Due::Nothing => {
                tx.look_at(Some(timing.next(&of_window)));
                Ok(TickOutcome::Nothing)
            }
        }
    }

    async fn remind(
        &self,
        tx: &mut Touched<'_>,
        whole: WholeWindow,
        pace: &Pace,
    ) -> Result<TickOutcome> {
        let window = whole.window.clone();
        let Some(at) = LoadedWindow::found(tx, self.games, whole)? else {
            return Ok(TickOutcome::Nothing);
        };
        let LoadedWindow { seats, contest, attendance, stored, .. } = at;
        let contest = &*contest.map_err(Unloaded::Load)?;
        let reminding =
            Reminding { window: &window, pace, seats: &seats, contest, stored: &stored };
        reminding.remind(tx, &attendance).await?;
        Ok(TickOutcome::Reminded)
    }

    /// Ends a table that nobody has begun in time, or that stayed empty.
    async fn end_unbegun(&self, tx: &mut Touched<'_>) -> Result<TickOutcome> {
        if tx.table.look_at.is_none_or(|look_at| tx.now < look_at) {
            return Ok(TickOutcome::Nothing);
        }
        let parts = vec![Part::Unbegun { empty: tx.seats().await?.is_empty() }];
        end_after(tx, self.games, parts, EndKind::Cancelled, None).await?;
        Ok(TickOutcome::Unbegun)
    }

    /// Ends a pause whose time is over.
    async fn end_pause(&self, tx: &mut Touched<'_>) -> Result<TickOutcome> {
        let paused = tx.table.held == Some(HoldReason::Pause);
        if !paused || tx.table.look_at.is_none_or(|look_at| tx.now < look_at) {
            return Ok(TickOutcome::Nothing);
        }
        // A held table has an open window.
        let _ = resume(tx).await?;
        Ok(TickOutcome::Extended)
    }

    async fn close(
        &self,
        tx: &mut Touched<'_>,
        whole: WholeWindow,
        pace: &Pace,
        why: CloseReason,
    ) -> Result<TickOutcome> {
        let (games, mut remarks) = (self.games, Vec::new());
        let window = &whole.window.clone();
        let of_window = &pace.clone().of(window.kind);
        if let Some(outage) = whole.outage.filter(|_| why == CloseReason::Deadline) {
            match pace.outage {
                OutageRule::Late => remarks.push(Part::Late { closed: window.closes_at }),
                OutageRule::Extend => {
                    extend(tx, window, of_window, outage).await?;
                    return Ok(TickOutcome::Extended);
                }
                OutageRule::Wait => {
                    hold(tx, &whole.seats, window.number, HoldReason::Outage).await?;
                    return Ok(TickOutcome::Waiting);
                }
            }
        }
        let Some(at) = LoadedWindow::found(tx, games, whole)? else {
            return Ok(TickOutcome::Nothing);
        };
        // In the grace period the deadline has passed, whoever seals in it.
        let why = if at.attendance.late().is_some() { CloseReason::Deadline } else { why };
        let striking = Striking { window, pace: of_window };
        if why == CloseReason::Deadline
            && remarks.is_empty()
            && striking.give_more_time(tx, &at).await?
        {
            return Ok(TickOutcome::MoreTime);
        }
        let closing = Closing { games, window, why, remarks, shown: &[], announced: None };
        let resolved = closing.resolve_at(tx, at).await?;
        Ok(match (resolved, &tx.table.held) {
            (false, _) => TickOutcome::Nothing,
            (true, Some(_)) => TickOutcome::Waiting,
            (true, None) => TickOutcome::Closed(why),
        })
    }
}
