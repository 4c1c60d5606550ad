//! Absences that people announce for all of their tables.

use crate::absence::attendance::{Attendance, procedure_among, resettle};
use crate::model::{
    Contact, Desk, Games, NotDone, Result, Stored, contest, in_play, random, refuse_if, retime,
    seat_of, stage_shown, window_pace,
};
use crate::record::{Event, News, Notice, Part, Secrecy, opening_now, record, reseat};
use letters::{AbsenceRefused, OverrideRefused, Refused, SeatRefused};
use rules::Seat;
use store::{
    AwayRow, PresenceRow, SeatRow, Seats, Touched, WindowRow, absences, people, places, traces,
    votes, windows,
};
use tables::absence::{Away as AwayRule, LONGEST_AWAY};
use tables::{
    Absence, AccountId, Address, PersonId, PersonSettings, Stage, TableCode, Time, Timing,
};

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
) -> Result<()> {
    let away = AwayRow { from_at: from, until_at: until };
    check_period(from, until, now)?;
    set_away(desk, account, Some(away), now).await
}

/// Ends the person's absence at all of their tables; does nothing if they are not away.
/// Refused if they sit at no table.
pub async fn not_away(desk: &Desk, account: &AccountId, now: Time) -> Result<()> {
    set_away(desk, account, None, now).await
}

/// `None` if the person has announced no absence; otherwise its period.
pub async fn away_of(desk: &Desk, account: &AccountId) -> Stored<Option<AwayRow>> {
    let mut db = desk.store.read().await?;
    let Some(person) = people::person(&mut db, account).await? else { return Ok(None) };
    absences::away(&mut db, &person).await
}

/// Returns the person's absence, and the rule that each of their tables applies to it.
pub async fn whereabouts(desk: &Desk, account: &AccountId, now: Time) -> Stored<Whereabouts> {
    let mut db = desk.store.read().await?;
    let Some(person) = people::person(&mut db, account).await? else {
        return Ok(Whereabouts::default());
    };
    let away = absences::away(&mut db, &person).await?.filter(|away| away.until_at > now);
    let mut tables = Vec::new();
    for code in places::tables_of(&mut db, account, now).await? {
        let seats = db.seats(&code).await?;
        if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
            let absence = absences::absence(&mut db, &code).await?;
            tables.push((code, absence.away));
        }
    }
    Ok(Whereabouts { away, tables })
}

/// Ends the person's absence, also a future one, and lets all of their tables wait for them again.
/// Refused if they sit at no table, or were neither away nor inactive anywhere.
pub async fn back_everywhere(desk: &Desk, account: &AccountId, now: Time) -> Result<()> {
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
pub async fn back_at(desk: &Desk, code: &TableCode, account: &AccountId, now: Time) -> Result<()> {
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
) -> Result<()> {
    let about = (desk.games, account.to_owned(), away, now);
    desk.carry_out(about, |&(games, ref account, away, now), db| {
        Box::pin(async move {
            let Some(person) = people::person(db, account).await? else {
                return Err(Refused::NotSeated.into());
            };
            let mut tables = traces::kept_tables(db, &person).await?;
            tables.retain(|table| table.seat.is_some());
            refuse_if(tables.is_empty(), Refused::NotSeated)?;
            let before = absences::away(db, &person).await?;
            if before == away {
                return Ok(());
            }
            match away {
                Some(away) => absences::keep_away(db, &person, away).await?,
                None => drop(absences::drop_away(db, &person).await?),
            }
            // Tables are locked in the order of their codes, against deadlocks.
            tables.sort_by(|a, b| a.code.cmp(&b.code));
            for table in tables {
                let tx = db.touch(&table.code, now).await?;
                if let (Some(seat), Some(mut tx)) = (table.seat, tx) {
                    tell_away(&mut tx, games, seat, away).await?;
                }
            }
            Ok(())
        })
    })
    .await
}

/// Lets a table wait for an inactive person again; does nothing if they are not inactive.
/// Refused if there is no such table, they do not sit there, or no game is played there.
pub async fn back(desk: &Desk, code: &TableCode, account: &AccountId, now: Time) -> Result<Seat> {
    Ok(coming_back(desk, code, account, now).await?.0)
}

/// Carries out [`back`]; also returns true if the person was inactive.
async fn coming_back(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<(Seat, bool)> {
    desk.at_table(code, now, (desk.games, account.to_owned()), |&(games, ref account), tx| {
        Box::pin(async move {
            let code = tx.table.code.clone();
            let person = people::person(tx.db, account).await?;
            let seats = tx.seats().await?;
            let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
            let seat = seat_of(tx.db, &code, account, own, tx.now).await?;
            let seat = seat.ok_or(Refused::NotSeated)?;
            in_play(stage_shown(tx).await?)?;
            if tx.table.stage == Stage::Over {
                // The record is complete, and nobody may learn so before the announcement.
                return Ok((seat, false));
            }
            let presences = absences::presences(tx.db, &code).await?;
            let row = presences.into_iter().find(|row| row.seat == seat);
            let gone = row.filter(|row| row.inactive_at.is_some());
            if let Some(row) = &gone {
                come_back(tx, games, row).await?;
                resettle(tx, games).await?;
            }
            Ok((seat, gone.is_some()))
        })
    })
    .await
}

/// Returns the absence settings of a table.
pub async fn absence(desk: &Desk, code: &TableCode) -> Stored<Absence> {
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
fn check_period(from: Time, until: Time, now: Time) -> Result<(), Refused> {
    let is_one = now < until && from < until && until - from.max(now) <= LONGEST_AWAY;
    if is_one { Ok(()) } else { Err(AbsenceRefused::NoPeriod.into()) }
}

/// Announces at a table in play that a seat is away, or back.
async fn tell_away(
    tx: &mut Touched<'_>,
    games: Games,
    seat: Seat,
    away: Option<AwayRow>,
) -> Stored<()> {
    if tx.table.stage != Stage::Playing {
        return Ok(());
    }
    let away = away.map(|away| (away.from_at, away.until_at));
    let absence = absences::absence(tx.db, &tx.table.code).await?;
    announce(tx, Event::Away { seat, away, rule: absence.away }, "away").await?;
    resettle(tx, games).await
}

/// Records an event and announces it to everybody at the table, outside of quiet hours.
pub(crate) async fn announce(tx: &mut Touched<'_>, event: Event, id: &str) -> Stored<()> {
    let (seats, pace) = (tx.seats().await?, &tx.table.pace);
    let send_at = pace.out_of_quiet(tx.now);
    let news = News { send_at, ..News::of(event, &seats, tx.now) };
    news.tell(tx, id).await
}

/// Lets windows wait for a seat again. If seals are secret, only the seat itself is notified, as it was of
/// its inactivity.
pub(crate) async fn come_back(tx: &mut Touched<'_>, games: Games, row: &PresenceRow) -> Stored<()> {
    let back = Event::Back { seat: row.seat };
    absences::attend(tx, PresenceRow { misses: 0, inactive_at: None, ..row.clone() });
    let (Ok(game), Some(window)) = (games.of(&tx.table), tx.open_window().await?) else {
        return record(tx, &back);
    };
    let seats = tx.seats().await?;
    let contest = contest(tx.db, game, &tx.table, &seats, &window).await?;
    let (pace, own) = (&tx.table.pace, [row.seat]);
    let is_named = Secrecy::of(&tx.table, Some(&*contest)).is_named();
    let news = News { contest: Some(&*contest), ..News::of(back, &seats, tx.now) };
    let news = if is_named {
        News { send_at: pace.out_of_quiet(tx.now), ..news }
    } else {
        News { about: &own, ..news }
    };
    news.tell(tx, "back").await
}

/// Sets the absence settings of a table from its next window on, and announces them in play.
pub(crate) async fn set(tx: &mut Touched<'_>, absence: Absence) -> Stored<()> {
    keep(tx, absence).await?;
    tx.stir();
    let event = Event::Absence { absence };
    match tx.table.stage {
        Stage::Playing => announce(tx, event, "absence").await,
        Stage::Forming | Stage::Over => record(tx, &event),
    }
}

/// Stores the absence settings for the windows that follow.
pub(crate) async fn keep(tx: &mut Touched<'_>, absence: Absence) -> Stored<()> {
    if tx.table.stage == Stage::Playing {
        keep_for_open(tx).await?;
    }
    absences::keep_absence(tx, absence).await
}

/// Stores for the open window the absence settings in force when it opened.
async fn keep_for_open(tx: &mut Touched<'_>) -> Stored<()> {
    let Some(window) = tx.open_window().await? else { return Ok(()) };
    let attendance = Attendance::of(tx, &window).await?;
    absences::keep_lateness(tx, attendance.lateness);
    Ok(())
}

/// Makes somebody the substitute for the person's seat until a time, in place of any earlier one. The
/// substitute is sent the seat's letters; the player can still play the seat.
/// Refused if the person does not sit there, no game is played there, the substitute has another seat
/// there, or the period has ended or is too long.
pub async fn delegate(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    to: Contact,
    until: Time,
    now: Time,
) -> Result<Seat> {
    check_period(now, until, now)?;
    let about = (desk.games, account.to_owned(), to, random::person(), until);
    desk.at_table(code, now, about, |&(games, ref account, ref to, ref drawn, until), tx| {
        Box::pin(async move {
            let (code, seats) = (tx.table.code.clone(), tx.seats().await?);
            let seat = own_seat(tx, &seats, account).await?;
            let language = to.language.code();
            let known = people::person(tx.db, &to.account).await?;
            let sits = |row: &SeatRow| row.is_of(known.as_ref());
            let stands_in = absences::substitutes(tx.db, &code).await?;
            let elsewhere = stands_in.iter().any(|row| {
                row.seat != seat && row.until_at > tx.now && Some(&row.person) == known.as_ref()
            });
            let former = store::tables::all_former_seats(tx.db, &code).await?;
            let has_sat_elsewhere =
                former.iter().any(|row| row.seat != seat && Some(&row.person) == known.as_ref());
            if seats.iter().any(sits) || elsewhere || has_sat_elsewhere {
                // The substitute would know the secrets of two seats.
                return Err(AbsenceRefused::OtherSeat.into());
            }
            let person = match known {
                // A known person has set their own language.
                Some(known) => known,
                None => people::meet(tx.db, &to.account, language, drawn).await?,
            };
            absences::stand_in(tx, seat, &person, &to.address, until).await?;
            let stood_in = Event::StoodIn { seat, until: Some(until) };
            announce(tx, stood_in, "stood-in").await?;
            let presences = absences::presences(tx.db, &code).await?;
            let inactive = presences.into_iter().find(|row| row.seat == seat);
            if let Some(row) = inactive.filter(|row| row.inactive_at.is_some()) {
                come_back(tx, games, &row).await?;
            }
            resettle(tx, games).await?;
            brief(tx, games, &seats, (seat, until)).await?;
            Ok(seat)
        })
    })
    .await
}

/// `None` if the seat has no substitute; otherwise the substitute's address and the end of the
/// substitution.
pub async fn substitute(
    desk: &Desk,
    code: &TableCode,
    seat: Seat,
    now: Time,
) -> Stored<Option<(Address, Time)>> {
    let rows = absences::substitutes(&mut desk.store.read().await?, code).await?;
    let row = rows.into_iter().find(|row| row.seat == seat && row.until_at > now);
    Ok(row.map(|row| (row.address, row.until_at)))
}

/// Ends the substitution of the person's seat.
/// Refused if they do not sit there, or have no substitute.
pub async fn dismiss_substitute(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<Seat> {
    desk.at_table(code, now, (desk.games, account.to_owned()), |&(games, ref account), tx| {
        Box::pin(async move {
            let seats = tx.seats().await?;
            let seat = own_seat(tx, &seats, account).await?;
            refuse_if(!stand_back(tx, seat).await?, AbsenceRefused::NoSubstitute)?;
            resettle(tx, games).await?;
            Ok(seat)
        })
    })
    .await
}

/// Sends the substitute the seat's view of the open window and its questions.
async fn brief(
    tx: &mut Touched<'_>,
    games: Games,
    seats: &[SeatRow],
    (seat, until): (Seat, Time),
) -> Stored<()> {
    let (Ok(game), Some(window)) = (games.of(&tx.table), tx.open_window().await?) else {
        return Ok(());
    };
    let contest = contest(tx.db, game, &tx.table, seats, &window).await?;
    let mut parts = vec![Part::StandIn { seat, until }];
    let among = procedure_among(seats, &contest.procedure());
    parts.extend(opening_now(&tx.table, &window, &*contest, &among, tx.now));
    let notice = Notice {
        seats,
        contest: Some(&*contest),
        id: format!("stand-in-{}", tx.table.entries),
        // The window is shown to nobody before it opens.
        send_at: tx.now.max(window.opens_at),
    };
    notice
        .post_to_substitutes(tx, None, &|of| {
            if of == seat { parts.clone() } else { Vec::new() }
        })
        .await
}

/// Ends the substitution of a seat and announces this; returns false if there was none.
pub(crate) async fn stand_back(tx: &mut Touched<'_>, seat: Seat) -> Stored<bool> {
    let event = Event::StoodIn { seat, until: None };
    let seats = tx.seats().await?;
    let notice = Notice::of(&seats, format!("stand-back-{}", tx.table.entries), tx.now);
    let own = |of: Seat| (of == seat).then(|| Part::Event(event.clone())).into_iter().collect();
    notice.post_to_substitutes(tx, None, &own).await?;
    if !absences::stand_back(tx, seat).await? {
        return Ok(false);
    }
    announce(tx, event, "stood-in").await?;
    Ok(true)
}

/// Returns the person's seat at a table in play.
async fn own_seat(tx: &mut Touched<'_>, seats: &[SeatRow], account: &AccountId) -> Result<Seat> {
    let person = people::person(tx.db, account).await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref())).ok_or(Refused::NotSeated)?;
    in_play(tx.table.stage)?;
    Ok(own.seat)
}

/// `None` if the deadline was not extended; otherwise the new deadline. Seats the guest in the open window, and
/// drops the calls for players for the seat. `drawn` is the id of a person whom the store does not know yet.
pub(crate) async fn take_over(
    tx: &mut Touched<'_>,
    games: Games,
    seat: Seat,
    guest: &Contact,
    drawn: &PersonId,
    window: &WindowRow,
) -> Result<Option<Time>> {
    let language = guest.language.code();
    let person = people::meet(tx.db, &guest.account, language, drawn).await?;
    let seats = tx.seats().await?;
    if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::SitsHere.into());
    }
    let row = row_of(&seats, seat)?;
    refuse_other_side(tx, games, &seats, window, &[(&person, seat)]).await?;
    withdraw_declaration(tx, seat).await?;
    let row = SeatRow {
        person: Some(person),
        house: None,
        salt: None,
        name: guest.name.clone(),
        address: Some(guest.address.clone()),
        language: Some(language.to_owned()),
        settings: PersonSettings::default(),
        ..row
    };
    reseat(tx, &row).await?;
    for call in votes::calls(tx.db, &tx.table.code).await?.iter().filter(|call| call.is_of(seat)) {
        votes::drop_call(tx, call.number).await?;
    }
    let closes = put_off(tx, window, seat).await?;
    introduce(tx, games, &[seat]).await?;
    Ok(closes)
}

/// `None` if the deadline stays. Gives an asked seat a whole window; in the grace period, adds it to the
/// late seats.
async fn put_off(tx: &mut Touched<'_>, window: &WindowRow, seat: Seat) -> Result<Option<Time>> {
    if !window.asked.0.contains(&seat) {
        return Ok(None);
    }
    let pace = window_pace(&tx.table, window);
    let closes = window.closes_at.max(pace.deadline(tx.now));
    let timing = Timing { closes, settles: None, ..window.timing() };
    retime(tx, timing, &pace);
    let lateness = absences::lateness(tx.db, &tx.table.code, window.number).await?;
    if let Some(mut row) = lateness
        && let Some(Seats(late)) = &mut row.late
    {
        if !late.contains(&seat) {
            late.push(seat);
        }
        absences::keep_lateness(tx, row);
    }
    Ok((closes > window.closes_at).then_some(closes))
}

/// Refuses a person who would take one of these seats and has had, or stands in for, a seat of another side:
/// they know the secrets of that side.
pub(crate) async fn refuse_other_side(
    tx: &mut Touched<'_>,
    games: Games,
    seats: &[SeatRow],
    window: &WindowRow,
    taking: &[(&PersonId, Seat)],
) -> Result<()> {
    let (game, db, table) = (games.of(&tx.table)?, &mut *tx.db, &tx.table);
    let contest = contest(db, game, table, seats, window).await?;
    let sides = contest.sides();
    if sides.iter().all(|(_, side)| side.is_none()) {
        return Ok(());
    }
    let has = seats.iter().filter_map(|row| Some((row.person.clone()?, row.seat)));
    let had = store::tables::all_former_seats(db, &table.code).await?;
    let had = had.into_iter().map(|row| (row.person, row.seat));
    let stands_in = absences::substitutes(db, &table.code).await?;
    let stands_in = stands_in.into_iter().map(|row| (row.person, row.seat));
    let known: Vec<(PersonId, Seat)> = has.chain(had).chain(stands_in).collect();
    let is_refused = |(person, seat): &(&PersonId, Seat)| {
        known.iter().any(|(of, at)| of == *person && sides[*at] != sides[*seat])
    };
    if taking.iter().any(is_refused) { Err(SeatRefused::OtherSide.into()) } else { Ok(()) }
}

/// Sends the newly seated players the position and the questions of the open window.
pub(crate) async fn introduce(tx: &mut Touched<'_>, games: Games, to: &[Seat]) -> Result<()> {
    let Some(window) = tx.open_window().await? else { return Ok(()) };
    let (table, seats) = (tx.table.clone(), tx.seats().await?);
    let game = games.of(&table)?;
    let contest = contest(tx.db, game, &table, &seats, &window).await?;
    let notice = Notice {
        contest: Some(&*contest),
        ..Notice::of(&seats, format!("{}-seated-{}", window.number, table.entries), tx.now)
    };
    let among = procedure_among(&seats, &contest.procedure());
    let parts = opening_now(&table, &window, &*contest, &among, tx.now);
    let of_seat = |seat| if to.contains(&seat) { parts.clone() } else { Vec::new() };
    Ok(notice.post_to_each(tx, &of_seat).await?)
}

/// Withdraws the declaration of a seat in the open window, which the previous player made.
pub(crate) async fn withdraw_declaration(tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
    let Some(number) = tx.table.open_window else { return Ok(()) };
    let progress_rows = windows::declaration_progress(tx.db, &tx.table.code, number).await?;
    if progress_rows.iter().any(|progress_row| progress_row.seat == seat) {
        tx.withdraw(seat).await?;
    }
    Ok(())
}

/// Returns the row of a seat.
pub(crate) fn row_of(seats: &[SeatRow], seat: Seat) -> Result<SeatRow, Refused> {
    seats.iter().find(|row| row.seat == seat).cloned().ok_or(Refused::NoSeat)
}
