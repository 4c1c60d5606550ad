//! The windows that were closed and announced: their results and their acts.

use serde_json::Value as Json;

use crate::model::desk::Desk;
use crate::model::load::contest;
use crate::model::overrides::Override;
use crate::record::event::{Event, Secrecy};
use crate::record::history::History;
use crate::view::line::{line, pending};
use crate::view::see::Sight;
use rules::{Entry, Round, Seat, Viewer};
use store::{StoreError, Touched, WindowRow, overrides, read_json};
use tables::TableSetting;
use tables::ids::{EntryNumber, TableCode, WindowNumber};
use tables::time::Time;

/// The result of a window that was closed and announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    /// The log entries that the viewer may know.
    pub entries: Vec<Entry<Json>>,
}

/// A window that was closed and announced, in retrospect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedWindowView {
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    /// True if the window belonged to a root window that was being resolved.
    pub suspended: bool,
    /// The seats that the window had waited for, as far as this is public.
    pub awaited: Vec<Seat>,
    /// The number of seats that the window had waited for, as far as this is public.
    pub missing: usize,
    /// True if nothing was sealed in the window, because everything asked was done by acts.
    pub openly: bool,
}

impl ClosedWindowView {
    fn of(event: &Event, row: &WindowRow, secrecy: &Secrecy<'_>) -> Option<Self> {
        let Event::Closed { awaited: all, .. } = event else { return None };
        let missing = if secrecy.is_counted() { all.len() } else { 0 };
        match event.visible_to(Viewer::Public, secrecy)? {
            Event::Closed { number, round, awaited, openly, .. } => {
                // A deal that asks anybody is a root window that is being resolved.
                let suspended = row.root != number || round == Round::DEAL;
                Some(Self { round, suspended, awaited, missing, openly })
            }
            _ => None,
        }
    }
}

/// The number of journal entries that are searched first for a window that closed a moment ago.
const LAST: u32 = 16;

/// `None` if the window was not closed or is not announced; otherwise the window in retrospect.
pub async fn gone(
    desk: &Desk,
    code: &TableCode,
    number: WindowNumber,
    now: Time,
) -> Result<Option<ClosedWindowView>, StoreError> {
    let mut session = desk.store.read().await?;
    let Some(table) = session.table(code).await? else { return Ok(None) };
    let Some(row) = session.window(code, number).await? else { return Ok(None) };
    let open = session.window(code, table.open_window).await?;
    let pending = pending(&mut session, code, open.as_ref(), now).await?;
    if pending.contains(&number) {
        return Ok(None);
    }
    for from in [table.entries.saturating_sub(LAST), 0].map(EntryNumber::new) {
        for entry in session.journal(code, from).await? {
            let event: Event = read_json(&entry.body)?;
            if matches!(event, Event::Closed { number: closed, .. } if closed == number) {
                let contest = match desk.games.of(&table) {
                    Ok(game) => {
                        let seats = session.seats(code).await?;
                        Some(contest(&mut session, game, &table, &seats, &row).await?)
                    }
                    Err(_) => None,
                };
                let secrecy = Secrecy::of(&table, contest.as_deref());
                return Ok(ClosedWindowView::of(&event, &row, &secrecy));
            }
        }
    }
    Ok(None)
}

/// Returns the results of a table so far, as far as they have been announced and the viewer may know
/// them. Results that do not count any more are left out.
pub async fn past(desk: &Desk, sight: &Sight, now: Time) -> Result<Vec<Past>, StoreError> {
    let Some(play) = &sight.play else { return Ok(Vec::new()) };
    let viewer = sight.viewer();
    let mut session = desk.store.read().await?;
    let Some(table) = session.table(&sight.code).await? else { return Ok(Vec::new()) };
    let open = session.window(&sight.code, table.open_window).await?;
    let pending = pending(&mut session, &sight.code, open.as_ref(), now).await?;
    let counts = line(&mut session, &table).await?;
    let is_counted = |number: WindowNumber| counts.contains(&number) && !pending.contains(&number);
    let is_before = |number: WindowNumber| counts.first().is_some_and(|first| number <= *first);
    let secrecy = Secrecy::of(&table, Some(&*play.contest));
    let mut past: Vec<Past> = Vec::new();
    let mut acted = false;
    let history = History::load(&mut session, &sight.code).await?;
    for event in history.standing() {
        let follows_act = std::mem::take(&mut acted);
        match event {
            // The game was dealt again.
            Event::Dealt { number, .. } if is_before(*number) => past.clear(),
            Event::Acted { number, .. } if is_counted(*number) => acted = true,
            Event::Closed { number, .. } if is_counted(*number) => {}
            _ => continue,
        }
        let seen = event.visible_to(viewer, &secrecy).and_then(Event::brought);
        let Some((round, entries)) = seen else { continue };
        match past.last_mut() {
            // Acts come before the result of the same window.
            Some(last) if follows_act && last.round == round => last.entries.extend(entries),
            _ => past.push(Past { round, entries }),
        }
    }
    Ok(past)
}

/// Returns the last result of a table, announced or not, as everybody will see it.
pub(crate) async fn last(
    touched: &mut Touched<'_>,
    sight: &Sight,
) -> Result<Option<Past>, StoreError> {
    let Some(play) = &sight.play else { return Ok(None) };
    let Some(open) = touched.open_window().await? else { return Ok(None) };
    let last = History::load(touched.session(), &sight.code).await?.into_opening(&open);
    let secrecy = Secrecy::of(&touched.table, Some(&*play.contest));
    let seen = last.and_then(|last| last.visible_to(Viewer::Public, &secrecy)?.brought());
    Ok(seen.map(|(round, entries)| Past { round, entries }))
}

/// Returns the log entries of the acts in an announced window after the first `behind` ones, as far as no
/// letter shows them and the viewer may know them; and the number of acts by now.
pub async fn acts(
    desk: &Desk,
    sight: &Sight,
    window: Option<WindowNumber>,
    behind: usize,
) -> Result<(Vec<Entry<Json>>, usize), StoreError> {
    let Some(play) = &sight.play else { return Ok((Vec::new(), behind)) };
    let (mut acts, mut count) = (Vec::new(), 0);
    let secrecy = Secrecy::seen(sight.settings.has(TableSetting::CountOnly), &*play.contest);
    let history = History::load(&mut desk.store.read().await?, &sight.code).await?;
    for event in history.standing() {
        let Event::Acted { number, entries, .. } = event else { continue };
        if Some(*number) != window {
            continue;
        }
        count += 1;
        if count > behind && play.contest.is_shown(entries) {
            let seen = event.visible_to(sight.viewer(), &secrecy).and_then(Event::brought);
            acts.extend(seen.into_iter().flat_map(|(_, entries)| entries));
        }
    }
    Ok((acts, count))
}

/// True if an act at the table has ever been taken back.
pub async fn has_taken_back(desk: &Desk, code: &TableCode) -> Result<bool, StoreError> {
    for row in overrides::all(&mut desk.store.read().await?, code).await? {
        if matches!(read_json(&row.what)?, Override::TakeBack { .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}
