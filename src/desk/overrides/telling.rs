//! The audience and the letters of an override.

use crate::model::desk::NotDone;
use crate::model::overrides::{Judgement, Override};
use crate::model::people::seat_of;
use crate::overrides::deciding::{Deciding, Done, Run};
use crate::overrides::decision::Audience;
use crate::record::event::{Event, Secrecy, Undone};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{OverrideRow, SeatRow, StoreError, overrides, people, read_json};
use tables::{NEVER, Notified, Stage};

/// Returns the parts of public letters about the override.
pub(crate) fn parts(deciding: &Deciding) -> Vec<Part> {
    parts_for(deciding, &event(deciding), None)
}

/// Returns the seat of the decider, or for which they stand in; `None` if they do not play.
pub(crate) async fn plays(run: &mut Run<'_, '_>) -> Result<Option<Seat>, NotDone> {
    if run.deciding.voted.is_some() {
        return Ok(None);
    }
    let account = &run.deciding.gm.account;
    let person = people::person(run.touched.session(), account).await?;
    let seats = run.touched.seats().await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
    Ok(seat_of(run.touched.session(), &run.deciding.code, account, own, run.deciding.now).await?)
}

/// Returns the wished audience. Refused for a private override that must be public.
pub(crate) fn notified(deciding: &Deciding, audience: &Audience) -> Result<Notified, Refused> {
    match (audience, deciding.decision.notified) {
        (Audience::Everybody { .. }, Notified::Private) => Err(OverrideRefused::NotQuietly.into()),
        (Audience::Alone { .. }, _) => Ok(Notified::Private),
        (_, notified) => Ok(notified),
    }
}

/// Returns the undone decision; `None` if the override is not an undo.
pub(crate) fn undoes(
    deciding: &Deciding,
    overrides: &[OverrideRow],
) -> Result<Option<Undone>, StoreError> {
    let Override::Undo { number } = deciding.decision.what else { return Ok(None) };
    let row = overrides.iter().find(|row| row.number == number);
    let undone = |row: &OverrideRow| {
        let public = row.notice == Notified::Public;
        Ok(Undone { what: read_json(&row.what)?, public })
    };
    row.map(undone).transpose()
}

/// Returns the public event of the override.
fn event(deciding: &Deciding) -> Event {
    Event::Overridden {
        number: deciding.number,
        window: deciding.window,
        what: deciding.decision.what.clone(),
        voted: deciding.voted.is_some(),
        reason: deciding.decision.reason.clone(),
        alone: None,
        undone: deciding.undoes.clone(),
        closes: None,
        by: String::new(),
        shown: None,
    }
}

/// Returns the event of the override, with the seats of a private notification, and with the current
/// deadline after an undo.
pub(crate) async fn event_for(
    run: &mut Run<'_, '_>,
    done: &Done,
    audience: &Audience,
    notified: Notified,
) -> Result<Event, NotDone> {
    let mut event = event(run.deciding);
    if let Event::Overridden { window, what, alone, closes, .. } = &mut event {
        *window = done.window.or(run.touched.table.open_window);
        *alone = match (notified, audience) {
            (Notified::Private, Audience::Choice { alone } | Audience::Alone { alone }) => {
                Some(alone.clone())
            }
            _ => None,
        };
        let open = run.touched.open_window().await?;
        let is_open = run.touched.table.stage == Stage::Playing && run.touched.table.held.is_none();
        let open = open.filter(|open| is_open && open.opens_at <= run.deciding.now);
        let is_undone = matches!(what, Override::Undo { .. });
        *closes = open.filter(|open| is_undone && open.closes_at < NEVER).map(|w| w.closes_at);
    }
    Ok(event)
}

/// Returns the parts of letters about the event, for a seat or the public.
fn parts_for(deciding: &Deciding, event: &Event, you: Option<Seat>) -> Vec<Part> {
    match &deciding.voted {
        Some(voted) => vec![Part::Vote { vote: voted.vote.clone() }],
        None => event.told_to(you, &Secrecy::HIDDEN),
    }
}

/// Notifies the table, or the seats of a private notification.
pub(crate) async fn notify(
    run: &mut Run<'_, '_>,
    done: &Done,
    event: &Event,
) -> Result<(), NotDone> {
    let seats = run.touched.seats().await?;
    let notice = Notice::of(&seats, format!("override-{}", run.deciding.number), run.deciding.now);
    let parts = |you: Option<Seat>| {
        let mut parts = parts_for(run.deciding, event, you);
        parts.extend(done.added.clone().filter(|_| !parts.is_empty()));
        parts
    };
    if matches!(event, Event::Overridden { alone: Some(_), .. }) {
        notice.post_to_each(run.touched, |seat| parts(Some(seat))).await?;
    } else {
        notice.post(run.touched, parts).await?;
    }
    let own = Notice { id: format!("override-{}-own", run.deciding.number), ..notice };
    Ok(own
        .post_to_each(run.touched, |seat| entered(run.deciding, seat).into_iter().collect())
        .await?)
}

/// Returns the part for a seat whose declaration was made or returned by the decision.
pub(crate) fn entered(deciding: &Deciding, seat: Seat) -> Option<Part> {
    let Override::Judge { change, .. } = &deciding.decision.what else { return None };
    let is_own = matches!(change, Judgement::Declare { .. } | Judgement::Return { .. });
    (is_own && change.seat() == Some(seat)).then(|| Part::Entered { change: change.clone() })
}

/// Notifies former players who have left the table by the override, except those who watch it and have
/// been notified.
pub(crate) async fn dismiss(
    run: &mut Run<'_, '_>,
    before: &[SeatRow],
    done: &Done,
    notified: Notified,
) -> Result<(), NotDone> {
    let (code, place) = (run.touched.table.code.clone(), run.touched.table.place.clone());
    let is_told = place.is_none() && (done.notified.is_some() || notified == Notified::Public);
    let onlookers = if is_told {
        overrides::onlookers(run.touched.session(), &code).await?
    } else {
        Vec::new()
    };
    let after = run.touched.seats().await?;
    let stays = |row: &&SeatRow| {
        let looks_on = onlookers.iter().any(|onlooker| onlooker.person == row.person);
        looks_on || after.iter().any(|other| other.person == row.person)
    };
    let gone: Vec<Seat> = before.iter().filter(|row| !stays(row)).map(|row| row.seat).collect();
    let notice = Notice::of(before, format!("override-{}-gone", done.number), run.deciding.now);
    let parts = |seat| if gone.contains(&seat) { parts(run.deciding) } else { Vec::new() };
    Ok(notice.post_to_each(run.touched, parts).await?)
}
