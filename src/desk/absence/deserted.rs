//! A table at which nobody is there any more: it stops, and asks its host whether it is to go on.

use crate::desk::model::desk::Games;
use crate::desk::model::load::contest;
use crate::desk::model::people::is_erased;
use crate::desk::model::text::read_json;
use crate::desk::record::event::Event;
use crate::games::any::AnyContest;
use crate::ids::{EntryNumber, WindowNumber};
use crate::rules::Seat;
use crate::store::{FilingRow, SeatRow, StoreError, Touched, WindowRow};
use crate::tables::{CloseReason, HoldReason};

/// After so many windows in a row in which nobody was there a table stops.
const WINDOWS: usize = 2;

/// Whether anybody was there in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::desk) enum There {
    /// Somebody was, or somebody or something declared for them.
    Somebody,
    Nobody,
    /// It says nothing: not all people were asked in it.
    Unasked,
}

impl There {
    /// In a window, by who has declared in it, or somebody or something for them, and the contest as
    /// it stood when it opened.
    pub(in crate::desk) fn of(
        seats: &[SeatRow],
        filings: &[FilingRow],
        contest: &dyn AnyContest,
        window: &WindowRow,
    ) -> Self {
        let people = people(seats);
        let has_acted = || contest.actors().iter().any(|seat| people.contains(seat));
        if is_any_of(filings, &people) || has_acted() {
            return Self::Somebody;
        }
        // Within a round one player may be asked alone, while the others are there.
        let is_whole = window.root == window.number && !people.is_empty();
        let is_whole = is_whole && !window.kind.is_optional();
        let all = is_whole && people.iter().all(|seat| window.asked.0.contains(seat));
        if all { Self::Nobody } else { Self::Unasked }
    }
}

/// Whether nobody was there in this window, which is closing for that reason, nor in the one before
/// it, nor anybody or anything that declared for them. A table of house players alone waits for
/// nobody, and one that has lost its host could ask nobody.
pub(in crate::desk) async fn is_deserted(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    why: CloseReason,
    was_there: There,
) -> Result<bool, StoreError> {
    if why == CloseReason::Host || was_there == There::Somebody {
        return Ok(false);
    }
    let host = touched.table.host.clone();
    let account = touched.session().account_of(&host).await?;
    if account.as_ref().is_none_or(is_erased) {
        return Ok(false);
    }
    let code = touched.table.code.clone();
    let stopped = stopped(touched).await?;
    let (mut empty, mut row, mut was_there) = (0, window.clone(), was_there);
    loop {
        match was_there {
            There::Somebody => return Ok(false),
            There::Nobody => empty += 1,
            There::Unasked => {}
        }
        if empty == WINDOWS {
            return Ok(true);
        }
        // Who lets it go on was there.
        let before = if stopped.contains(&row.number) { None } else { row.follows };
        let Some(before) = before else { return Ok(false) };
        let closed = touched.session().closed(&code, before).await?;
        if closed.is_some_and(|(_, why)| why == CloseReason::Host) {
            return Ok(false);
        }
        let Some(window) = touched.session().window(&code, before).await? else {
            return Ok(false);
        };
        row = window;
        was_there = there(touched, games, &row).await?;
    }
}

async fn there(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
) -> Result<There, StoreError> {
    let seats = touched.seats().await?;
    let code = touched.table.code.clone();
    let filings = touched.session().filings(&code, window.number).await?;
    if is_any_of(&filings, &people(&seats)) {
        return Ok(There::Somebody);
    }
    let table = touched.table.clone();
    let Ok(game) = games.of(&table) else { return Ok(There::Unasked) };
    let Ok(contest) = contest(touched.session(), game, &table, &seats, window).await else {
        return Ok(There::Unasked);
    };
    Ok(There::of(&seats, &filings, &*contest, window))
}

/// The seats of people.
fn people(seats: &[SeatRow]) -> Vec<Seat> {
    seats.iter().filter(|row| row.person.is_some()).map(|row| row.seat).collect()
}

/// Whether any of these seats has declared.
fn is_any_of(filings: &[FilingRow], seats: &[Seat]) -> bool {
    filings.iter().any(|row| seats.contains(&row.seat))
}

/// The windows at which it has stopped before.
async fn stopped(touched: &mut Touched<'_>) -> Result<Vec<WindowNumber>, StoreError> {
    let code = touched.table.code.clone();
    let mut stopped = Vec::new();
    for row in touched.session().journal(&code, EntryNumber::FIRST).await? {
        if let Event::Held { number, why, .. } = read_json(&row.body)?
            && why == HoldReason::Deserted.into_str()
        {
            stopped.push(number);
        }
    }
    Ok(stopped)
}
