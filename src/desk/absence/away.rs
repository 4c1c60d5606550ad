//! Absences that people announce for all of their tables.

use async_trait::async_trait;

use crate::absence::attendance::{Attendance, resettle};
use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, contest, stage_shown};
use crate::model::people::seat_of;
use crate::record::event::{Event, Secrecy, record};
use crate::record::tell::News;
use letters::{AbsenceRefused, Refused};
use rules::Seat;
use store::{AwayRow, PresenceRow, Session, StoreError, Touched, absences, people, places, traces};
use tables::absence::{Away as AwayRule, LONGEST_AWAY};
use tables::ids::{AccountId, TableCode};
use tables::time::Time;
use tables::{Absence, Stage};

/// Sets the period in which the person is away from all of their tables, in place of any earlier one.
/// Each table applies its host's choice to the deadlines in this period, and announces the absence.
/// Refused if the person sits at no table, or the period has ended already, ends before it begins, or is
/// longer than [`LONGEST_AWAY`].
pub async fn away(
    desk: &Desk,
    account: &AccountId,
    from: Time,
    until: Time,
    now: Time,
) -> Result<(), NotDone> {
    let away = AwayRow { from_at: from, until_at: until };
    check_period(from, until, now)?;
    set_away(desk, account, Some(away), now).await
}

/// Ends the person's absence at all of their tables; does nothing if they are not away.
/// Refused if they sit at no table.
pub async fn not_away(desk: &Desk, account: &AccountId, now: Time) -> Result<(), NotDone> {
    set_away(desk, account, None, now).await
}

/// `None` if the person has announced no absence; otherwise its period.
pub async fn away_of(desk: &Desk, account: &AccountId) -> Result<Option<AwayRow>, StoreError> {
    let mut session = desk.store.read().await?;
    let Some(person) = people::person(&mut session, account).await? else { return Ok(None) };
    absences::away(&mut session, &person).await
}

/// Returns the person's absence, and the rule that each of their tables applies to it.
pub async fn whereabouts(
    desk: &Desk,
    account: &AccountId,
    now: Time,
) -> Result<Whereabouts, StoreError> {
    let mut session = desk.store.read().await?;
    let Some(person) = people::person(&mut session, account).await? else {
        return Ok(Whereabouts::default());
    };
    let away = absences::away(&mut session, &person).await?.filter(|away| away.until_at > now);
    let mut tables = Vec::new();
    for code in places::tables_of(&mut session, account, now).await? {
        let seats = session.seats(&code).await?;
        if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
            let absence = absences::absence(&mut session, &code).await?;
            tables.push((code, absence.away));
        }
    }
    Ok(Whereabouts { away, tables })
}

/// Ends the person's absence, also a future one, and lets all of their tables wait for them again.
/// Refused if they sit at no table, or were neither away nor inactive anywhere.
pub async fn back_everywhere(desk: &Desk, account: &AccountId, now: Time) -> Result<(), NotDone> {
    let mut comes = away_of(desk, account).await?.is_some();
    not_away(desk, account, now).await?;
    for (code, _) in whereabouts(desk, account, now).await?.tables {
        match coming_back(desk, &code, account, now).await {
            Ok((_, came)) => comes |= came,
            Err(NotDone::Refused(Refused::NotBegun | Refused::Over)) => {}
            Err(error) => return Err(error),
        }
    }
    if comes { Ok(()) } else { Err(AbsenceRefused::NotAway.into()) }
}

/// Lets a table wait for the person again, and ends their current absence; a future absence stays.
/// Refused if there is no such table, they do not sit there, or no game is played there.
pub async fn back_at(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<(), NotDone> {
    back(desk, code, account, now).await?;
    match away_of(desk, account).await? {
        Some(away) if away.from_at <= now => not_away(desk, account, now).await,
        _ => Ok(()),
    }
}

async fn set_away(
    desk: &Desk,
    account: &AccountId,
    away: Option<AwayRow>,
    now: Time,
) -> Result<(), NotDone> {
    let going = SettingAway { games: desk.games, account: account.to_owned(), away, now };
    desk.carry_out(going).await
}

/// Lets a table wait for an inactive person again; does nothing if they are not inactive.
/// Refused if there is no such table, they do not sit there, or no game is played there.
pub async fn back(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<Seat, NotDone> {
    Ok(coming_back(desk, code, account, now).await?.0)
}

/// Carries out [`back`]; also returns true if the person was inactive.
async fn coming_back(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<(Seat, bool), NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let coming = ComingBack { games: desk.games, code, account, now };
    desk.carry_out(coming).await
}

/// Returns the absence settings of a table.
pub async fn absence(desk: &Desk, code: &TableCode) -> Result<Absence, StoreError> {
    absences::absence(&mut desk.store.read().await?, code).await
}

/// The absence of a person and its effect on their tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The current or announced absence.
    pub away: Option<AwayRow>,
    /// The person's tables that are not over, the newest first, each with its rule for deadlines during an
    /// absence.
    pub tables: Vec<(TableCode, AwayRule)>,
}

/// Refuses a period that has ended, ends before it begins, or is longer than [`LONGEST_AWAY`].
pub(crate) fn check_period(from: Time, until: Time, now: Time) -> Result<(), Refused> {
    let is_one = now < until && from < until && until - from.max(now) <= LONGEST_AWAY;
    if is_one { Ok(()) } else { Err(AbsenceRefused::NoPeriod.into()) }
}

struct SettingAway {
    games: Games,
    account: AccountId,
    /// `None` ends the absence.
    away: Option<AwayRow>,
    now: Time,
}

#[async_trait]
impl Request for SettingAway {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let Some(person) = people::person(session, &self.account).await? else {
            return Err(Refused::NotSeated.into());
        };
        let mut tables = traces::kept_tables(session, &person).await?;
        tables.retain(|table| table.seat.is_some());
        if tables.is_empty() {
            return Err(Refused::NotSeated.into());
        }
        let before = absences::away(session, &person).await?;
        if before == self.away {
            return Ok(());
        }
        match self.away {
            Some(away) => absences::keep_away(session, &person, away).await?,
            None => drop(absences::drop_away(session, &person).await?),
        }
        // Tables are locked in the order of their codes, against deadlocks.
        tables.sort_by(|a, b| a.code.cmp(&b.code));
        for table in tables {
            let touched = session.touch(&table.code).await?;
            if let (Some(seat), Some(mut touched)) = (table.seat, touched) {
                self.tell(&mut touched, seat).await?;
            }
        }
        Ok(())
    }
}

impl SettingAway {
    /// Announces at a table in play that a seat is away, or back.
    async fn tell(&self, touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
        if touched.table.stage != Stage::Playing {
            return Ok(());
        }
        let away = self.away.map(|away| (away.from_at, away.until_at));
        let code = touched.table.code.clone();
        let absence = absences::absence(touched.session(), &code).await?;
        announce(touched, Event::Away { seat, away, rule: absence.away }, "away", self.now).await?;
        resettle(touched, self.games, self.now).await
    }
}

/// Records an event and announces it to everybody at the table, outside of quiet hours.
pub(crate) async fn announce(
    touched: &mut Touched<'_>,
    event: Event,
    id: &str,
    now: Time,
) -> Result<(), StoreError> {
    let (seats, pace) = (touched.seats().await?, &touched.table.pace);
    let send_at = pace.out_of_quiet(now);
    let news = News { send_at, ..News::of(event, &seats, now) };
    news.tell(touched, id, now).await
}

struct ComingBack {
    games: Games,
    code: TableCode,
    account: AccountId,
    now: Time,
}

#[async_trait]
impl Request for ComingBack {
    type Done = (Seat, bool);

    async fn carry_out(&self, session: &mut Session) -> Result<(Seat, bool), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let person = people::person(touched.session(), &self.account).await?;
        let seats = touched.seats().await?;
        let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
        let (session, now) = (touched.session(), self.now);
        let seat = seat_of(session, &self.code, &self.account, own, now).await?;
        let seat = seat.ok_or(Refused::NotSeated)?;
        match stage_shown(&mut touched, now).await? {
            Stage::Forming => return Err(Refused::NotBegun.into()),
            Stage::Over => return Err(Refused::Over.into()),
            // The record is complete, and nobody may learn so before the announcement.
            Stage::Playing if touched.table.stage == Stage::Over => return Ok((seat, false)),
            Stage::Playing => {}
        }
        let presences = absences::presences(touched.session(), &self.code).await?;
        let row = presences.into_iter().find(|row| row.seat == seat);
        let gone = row.filter(|row| row.inactive_at.is_some());
        if let Some(row) = &gone {
            come_back(&mut touched, self.games, row, self.now).await?;
            resettle(&mut touched, self.games, self.now).await?;
        }
        Ok((seat, gone.is_some()))
    }
}

/// Lets windows wait for a seat again. If seals are secret, only the seat itself is notified, as it was of
/// its inactivity.
pub(crate) async fn come_back(
    touched: &mut Touched<'_>,
    games: Games,
    row: &PresenceRow,
    now: Time,
) -> Result<(), StoreError> {
    let back = Event::Back { seat: row.seat };
    absences::attend(touched, PresenceRow { misses: 0, inactive_at: None, ..row.clone() });
    let table = touched.table.clone();
    let (Ok(game), Some(window)) = (games.of(&table), touched.open_window().await?) else {
        return record(touched, &back, now);
    };
    let seats = touched.seats().await?;
    let contest = contest(touched.session(), game, &table, &seats, &window).await?;
    let (pace, own) = (&table.pace, [row.seat]);
    let is_named = Secrecy::of(&table, Some(&*contest)).is_named();
    let news = News { contest: Some(&*contest), ..News::of(back, &seats, now) };
    let news = if is_named {
        News { send_at: pace.out_of_quiet(now), ..news }
    } else {
        News { about: &own, ..news }
    };
    news.tell(touched, "back", now).await
}

/// Sets the absence settings of a table from its next window on, and announces them in play.
pub(crate) async fn set(
    touched: &mut Touched<'_>,
    absence: Absence,
    now: Time,
) -> Result<(), StoreError> {
    keep(touched, absence, now).await?;
    touched.stir();
    let event = Event::Absence { absence };
    match touched.table.stage {
        Stage::Playing => announce(touched, event, "absence", now).await,
        Stage::Forming | Stage::Over => record(touched, &event, now),
    }
}

/// Stores the absence settings for the windows that follow.
pub(crate) async fn keep(
    touched: &mut Touched<'_>,
    absence: Absence,
    now: Time,
) -> Result<(), StoreError> {
    if touched.table.stage == Stage::Playing {
        keep_for_open(touched, now).await?;
    }
    absences::keep_absence(touched, absence).await
}

/// Stores for the open window the absence settings in force when it opened.
async fn keep_for_open(touched: &mut Touched<'_>, now: Time) -> Result<(), StoreError> {
    let Some(window) = touched.open_window().await? else { return Ok(()) };
    let attendance = Attendance::of(touched, &window, now).await?;
    absences::keep_lateness(touched, attendance.lateness);
    Ok(())
}
