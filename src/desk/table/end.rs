//! Ending a table before its game is over, and resuming a held table.

use crate::model::load::{Games, Unloaded, contest, window_pace};
use crate::model::open_window::return_unused_pause;
use crate::record::event::{Event, record};
use crate::record::files;
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::window::extend::extend;
use crate::window::resolve::Closing;
use games::any::AnyContest;
use letters::Refused;
use rules::Round;
use store::{OutageRow, StoreError, Touched, WindowRow, calls, processes, side_lines};
use tables::time::Time;
use tables::{CloseReason, EndKind, HoldReason, Stage};

/// Closes a window now. Its letters begin with `remarks`.
pub(crate) async fn close(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    remarks: Vec<Part>,
    now: Time,
) -> Result<(), StoreError> {
    return_unused_pause(touched, now).await?;
    let (why, shown, announced) = (CloseReason::GameMaster, &[], None);
    let closing = Closing { games, window, why, remarks, shown, announced, now };
    closing.resolve(touched).await?;
    Ok(())
}

/// Ends a table before its game is over, and announces its seed and the reason, if there is one. Drops the
/// calls for players.
pub(crate) async fn end_early(
    touched: &mut Touched<'_>,
    games: Games,
    how: EndKind,
    reason: Option<&str>,
    now: Time,
) -> Result<(), StoreError> {
    end_after(touched, games, Vec::new(), how, reason, now).await
}

/// Ends a table. Its letters begin with `parts`.
pub(crate) async fn end_after(
    touched: &mut Touched<'_>,
    games: Games,
    mut parts: Vec<Part>,
    how: EndKind,
    reason: Option<&str>,
    now: Time,
) -> Result<(), StoreError> {
    let finished = match how {
        EndKind::Ended => finish(touched, games).await?,
        EndKind::Played | EndKind::Drawn | EndKind::Cancelled => None,
    };
    let seed = touched.table.seed.clone();
    let window = touched.table.open_window;
    touched.turn_to(Stage::Over, window, None);
    calls::drop_calls(touched).await?;
    side_lines::drop_side_lines(touched).await?;
    touched.stir();
    let over = Event::Over { how, seed, reason: reason.map(str::to_owned) };
    record(touched, &over, now)?;
    let seats = touched.seats().await?;
    let notice = Notice { contest: finished.as_deref(), ..Notice::of(&seats, "end", now) };
    parts.extend(finished.is_some().then_some(Part::Scores));
    parts.push(Part::Event(over));
    notice.post(touched, |_| parts.clone()).await?;
    // A game that never began has nothing to look back at.
    if window.is_none() { Ok(()) } else { files::post(touched, &seats, "end", now).await }
}

/// Returns the contest as if its game were over, to be scored; `None` if it has not been dealt, or its rules
/// failed.
async fn finish(
    touched: &mut Touched<'_>,
    games: Games,
) -> Result<Option<Box<dyn AnyContest>>, StoreError> {
    let table = touched.table.clone();
    let (Ok(game), Some(window)) = (games.of(&table), touched.open_window().await?) else {
        return Ok(None);
    };
    let seats = touched.seats().await?;
    match contest(touched.session(), game, &table, &seats, &window).await {
        Ok(mut contest) if contest.round() > Round::DEAL => {
            contest.finish();
            Ok(Some(contest))
        }
        Ok(_) | Err(Unloaded::Load(_)) => Ok(None),
        Err(Unloaded::Store(error)) => Err(error),
    }
}

/// Resumes a held table: everybody has the time they had left.
pub(crate) async fn resume(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<Result<(), Refused>, StoreError> {
    let Some(window) = touched.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
    return_unused_pause(touched, now).await?;
    let pace = window_pace(&touched.table, &window);
    if touched.table.held == Some(HoldReason::Lock) && now < window.closes_at {
        // The clock of a locked table has run on, and its deadline stands.
        let look_at = Some(window.timing().next(&pace));
        touched.turn_to(Stage::Playing, Some(window.number), look_at);
        touched.stir();
        return Ok(Ok(()));
    }
    let began_at = if touched.table.held == Some(HoldReason::Outage) {
        let outage = processes::outage_at(touched.session(), window.closes_at).await?;
        outage.map_or(window.closes_at, |outage| outage.began_at)
    } else {
        touched.table.held_at.unwrap_or(now)
    };
    let outage = OutageRow { began_at, ended_at: now };
    extend(touched, &window, &pace, outage, now).await?;
    Ok(Ok(()))
}
