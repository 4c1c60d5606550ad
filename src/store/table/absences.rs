//! Missing, late and absent players, their substitutes, and the records of windows at all tables. A
//! record is stored at the declaration, and counts once the window's result is announced. A window that the
//! table has gone back from keeps its records, which no longer count.

use serde::Serialize;
use sqlx::{AssertSqlSafe, FromRow, query_as};

use crate::batch::unsaved::About;
use crate::database::{Result, Session, StoreError};
use crate::delivery::places::soonest;
use crate::rows::{Count, LatenessRow, OrBeforeFirst, PresenceRow, ReputationRow};
use crate::table::tables::Touched;
use rules::Seat;
use tables::absence::Keeping;
use tables::{
    Absence, AccountId, Address, PersonId, PersonSettings, TableCode, Time, WindowNumber,
};

/// A substitute, who declares in a player's place.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct SubstituteRow {
    pub seat: Seat,
    pub person: PersonId,
    /// The address of the substitute's letters.
    pub address: Address,
    pub until_at: Time,
    /// The substitute's language.
    pub language: String,
    /// The substitute's settings for all of their tables.
    pub settings: PersonSettings,
}

/// A person's absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct AwayRow {
    pub from_at: Time,
    pub until_at: Time,
}

/// A seat with a substitute.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct StandIn {
    pub code: TableCode,
    /// The seat, from 0.
    pub seat: Seat,
    /// The address of the substitute's letters.
    pub address: Address,
}

/// Returns a table's settings about missing players.
pub async fn absence(db: &mut Session, code: &TableCode) -> Result<Absence> {
    let text = "select absence from tables where code = $1";
    let gone = || StoreError::Unreadable(format!("there is no table {code}"));
    db.value(text, (code,)).await?.ok_or_else(gone)
}

/// Returns the attendance of each seat of a table.
pub async fn presences(db: &mut Session, code: &TableCode) -> Result<Vec<PresenceRow>> {
    let text = "select seats.seat, seats.person,
             coalesce(misses, 0) as misses, coalesce(put_off, 0) as put_off, inactive_at,
             away.from_at as away_from, away.until_at as away_until,
             substitutes.until_at as stood_in_until
         from seats
         left join attendance on attendance.code = seats.code and attendance.seat = seats.seat
             and attendance.person = seats.person
         left join away on away.person = seats.person
         left join substitutes
             on substitutes.code = seats.code and substitutes.seat = seats.seat
             and substitutes.player = seats.person
         where seats.code = $1 order by seats.seat";
    db.rows(text, (code,)).await
}

/// Returns the treatment of missing players in a window.
pub async fn lateness(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Option<LatenessRow>> {
    let text = "select absence, put_off, missed, late, called_at from lateness
         where code = $1 and number = $2";
    db.row(text, (code, number)).await
}

/// Returns a person's absence, `None` if there is none.
pub async fn away(db: &mut Session, person: &PersonId) -> Result<Option<AwayRow>> {
    db.row("select from_at, until_at from away where person = $1", (person,)).await
}

/// Stores a person's absence, replacing an earlier one.
pub async fn keep_away(db: &mut Session, person: &PersonId, away: AwayRow) -> Result<()> {
    let text = "insert into away (person, from_at, until_at) values ($1, $2, $3)
         on conflict (person) do update set from_at = excluded.from_at,
             until_at = excluded.until_at";
    db.write(text, (person, away.from_at, away.until_at)).await
}

/// Deletes a person's absence. Returns false if there was none.
pub async fn drop_away(db: &mut Session, person: &PersonId) -> Result<bool> {
    Ok(db.changes("delete from away where person = $1", (person,)).await? > 0)
}

/// Returns the seats that a person is or was a substitute for.
pub async fn stand_ins(db: &mut Session, person: &PersonId) -> Result<Vec<StandIn>> {
    let text = "select code, seat, address from substitutes where person = $1
         order by code, seat";
    db.rows(text, (person,)).await
}

/// Returns the seat that an account is a substitute for at this time, `None` if there is none.
pub async fn stood_in_by(
    db: &mut Session,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<Option<Seat>> {
    let text = "select substitutes.seat from substitutes
         join people on people.person = substitutes.person
         join seats on seats.code = substitutes.code and seats.seat = substitutes.seat
             and seats.person = player
         where substitutes.code = $1 and account = $2 and until_at > $3
         order by substitutes.seat limit 1";
    db.value(text, (code, account, now)).await
}

/// Returns the tables at which an account is a substitute at this time, and neither host nor player, the
/// soonest deadline first.
pub async fn stood_in_at(
    db: &mut Session,
    account: &AccountId,
    now: Time,
) -> Result<Vec<TableCode>> {
    let text = concat!(
        "select substitutes.code from substitutes
         join people on people.person = substitutes.person
         join seats on seats.code = substitutes.code and seats.seat = substitutes.seat
             and seats.person = player
         join tables on tables.code = substitutes.code
         where account = $1 and until_at > $2 and stage <> 'over' and host <> people.person",
        soonest!()
    );
    db.column(text, (account, now)).await
}

/// Returns the present and former substitutes at a table.
pub async fn substitutes(db: &mut Session, code: &TableCode) -> Result<Vec<SubstituteRow>> {
    let text =
        "select substitutes.seat, substitutes.person, substitutes.address, until_at, language,
             settings
         from substitutes
         join people on people.person = substitutes.person
         join seats on seats.code = substitutes.code and seats.seat = substitutes.seat
             and seats.person = player
         where substitutes.code = $1 order by substitutes.seat";
    db.rows(text, (code,)).await
}

/// Stores the host's settings about missing players.
pub async fn keep_absence(tx: &mut Touched<'_>, absence: Absence) -> Result<()> {
    tx.write("update tables set absence = $2 where code = $1", (absence,)).await
}

/// Stores the attendance of a seat.
pub fn attend(tx: &mut Touched<'_>, row: PresenceRow) {
    tx.unsaved().attend(row);
}

/// Stores the treatment of missing players in the open window.
pub fn keep_lateness(tx: &mut Touched<'_>, row: LatenessRow) {
    if let Some(number) = tx.table.open_window {
        tx.unsaved().keep_lateness(number, row);
    }
}

/// Returns the present and former substitutes at the table.
pub async fn substitutes_at(tx: &mut Touched<'_>) -> Result<Vec<SubstituteRow>> {
    if tx.few.is_some_and(|few| !few.substitutes) {
        return Ok(Vec::new());
    }
    substitutes(tx.db, &tx.table.code).await
}

/// Makes a person the substitute of a seat, replacing a former one.
pub async fn stand_in(
    tx: &mut Touched<'_>,
    seat: Seat,
    person: &PersonId,
    address: &Address,
    until: Time,
) -> Result<()> {
    let text = "insert into substitutes (code, seat, person, address, until_at, player)
         select $1, $2, $3, $4, $5, person from seats
             where code = $1 and seat = $2 and person is not null
         on conflict (code, seat) do update set person = excluded.person,
             player = excluded.player,
             address = excluded.address, until_at = excluded.until_at";
    tx.few = None;
    tx.write(text, (seat, person, address, until)).await
}

/// Removes the substitute of a seat. Returns false if there was none.
pub async fn stand_back(tx: &mut Touched<'_>, seat: Seat) -> Result<bool> {
    Ok(tx.changes("delete from substitutes where code = $1 and seat = $2", (seat,)).await? > 0)
}

/// Returns the attendance of a person in their last windows that count and had been announced by then, the
/// newest first.
pub async fn last_windows(
    db: &mut Session,
    person: &PersonId,
    now: Time,
    limit: u32,
) -> Result<Vec<Keeping>> {
    let text = "select kept from reputation where person = $1 and counts = 1 and at <= $2
         order by at desc, code, number desc, seat limit $3";
    db.column(text, (person, now, Count(limit))).await
}

/// Returns every window with the one whose end opened it, and the one whose sealings count in it.
pub async fn lineage(
    db: &mut Session,
    code: &TableCode,
) -> Result<Vec<(WindowNumber, Option<WindowNumber>, Option<WindowNumber>)>> {
    let text = "select number, follows, again from windows where code = $1 order by number";
    db.rows(text, (code,)).await
}

/// Returns the records of the table's windows.
pub async fn reputation(tx: &mut Touched<'_>) -> Result<Vec<ReputationRow>> {
    let text = "select number, seat, person, kept, at, counts from reputation
         where code = $1 order by number, seat, person";
    tx.db.rows(text, (&tx.table.code,)).await
}

/// Stores a person's record of a window.
pub fn keep_window(tx: &mut Touched<'_>, row: ReputationRow) {
    if let Some(known) = tx.known.as_mut().filter(|known| known.number == row.number) {
        known.noted.extend(row.at.is_none().then_some(row.seat));
    }
    tx.unsaved().keep_window(row);
}

/// Makes the records of these seats in a closed window count from a time, and returns the seats that had
/// one.
pub async fn count_declared(
    tx: &mut Touched<'_>,
    number: WindowNumber,
    seats: &[Seat],
    at: Time,
) -> Result<Vec<Seat>> {
    if seats.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(known) = tx.known.as_ref().filter(|known| known.number == number) {
        let is_noted = |seat: &Seat| known.noted.contains(seat);
        let noted: Vec<Seat> = seats.iter().copied().filter(is_noted).collect();
        tx.unsaved().counted.extend(noted.iter().map(|seat| (number, *seat, at)));
        return Ok(noted);
    }
    let among: Vec<String> = (4..).take(seats.len()).map(|value| format!("${value}")).collect();
    let text = format!(
        "update reputation set at = $3
         where code = $1 and number = $2 and at is null and seat in ({}) returning seat",
        among.join(", ")
    );
    // Only numbers are put into the text.
    let mut question = query_as::<_, (Seat,)>(AssertSqlSafe(text))
        .bind(tx.table.code.clone())
        .bind(number)
        .bind(at);
    for seat in seats {
        question = question.bind(*seat);
    }
    let noted = tx.db.all_about(&tx.table.code, About::Reputation, question).await?;
    Ok(seats.iter().copied().filter(|seat| noted.contains(&(*seat,))).collect())
}

/// Moves the records of a window to the open one, which asks the same again: declarations stay declared,
/// and misses are deleted.
pub async fn open_reputation(tx: &mut Touched<'_>, from: WindowNumber) -> Result<()> {
    tx.known = None;
    let text = "delete from reputation where code = $1 and number = $2 and kept = 'missed'";
    tx.write(text, (from,)).await?;
    let text = "update reputation set number = $3, at = null
         where code = $1 and number = $2 and kept in ('early', 'in-time', 'late')";
    tx.write(text, (from, OrBeforeFirst(tx.table.open_window))).await
}

/// Deletes the records of a seat in the open window.
pub async fn drop_declared(tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
    tx.known = None;
    let text =
        "delete from reputation where code = $1 and number = $2 and seat = $3 and at is null";
    tx.write(text, (OrBeforeFirst(tx.table.open_window), seat)).await
}
