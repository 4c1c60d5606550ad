//! The places of tables, and the tables of a place or of a person.

use crate::database::{Result, Session};
use crate::rows::Count;
use tables::{AccountId, Address, TableCode, Time};

/// True if the table is not over, or its end is announced only after the time `$2`: the end of a game is
/// stored in a window that opens at the announcement.
macro_rules! not_over {
    () => {
        "(stage <> 'over' or exists (
             select 1 from windows where windows.code = tables.code
                 and number = open_window and opens_at > $2))"
    };
}

/// Orders by the soonest deadline, and tables without one by the newest.
macro_rules! soonest {
    () => {
        " order by coalesce((select closes_at from windows where windows.code = tables.code
                 and number = open_window and closed_at is null and held is null),
             9223372036854775807), formed_at desc, tables.code"
    };
}
pub(crate) use soonest;

/// True for a table of which an account (`$1`) is host, or game master by name; and that is on a server
/// (`$3`), if that is not empty.
macro_rules! watched {
    () => {
        "(host in (select person from people where account = $1)
             or exists (select 1 from game_masters
                 where game_masters.code = tables.code and who = $1))
         and ($3 = '' or place in (select places.place from places where server = $3))"
    };
}

/// Stores the place above a place, and its server.
pub async fn put_place(
    db: &mut Session,
    place: &Address,
    above: &Address,
    server: Option<&str>,
) -> Result<()> {
    let text = "insert into places (place, above, server) values ($1, $2, $3)
         on conflict (place) do update set above = excluded.above, server = excluded.server";
    let server = server.map(ToOwned::to_owned);
    db.write(text, (place, above, server)).await
}

/// Returns the places above those of a server's tables that are not over.
pub async fn above_tables_of(db: &mut Session, server: &str) -> Result<Vec<Address>> {
    let text = "select distinct above from places join tables on tables.place = places.place
         where server = $1 and stage <> 'over' and above is not null order by above";
    db.column(text, (server,)).await
}

/// Returns the tables that are not over in a place, or right below it, the soonest deadline first.
pub async fn tables_around(db: &mut Session, place: &Address, now: Time) -> Result<Vec<TableCode>> {
    let text = concat!(
        "select tables.code from tables left join places on places.place = tables.place
         where (tables.place = $1 or above = $1) and ",
        not_over!(),
        soonest!()
    );
    db.column(text, (place, now)).await
}

/// Returns the last tables of a game that are over and were played in the same channel as a place, or in
/// its threads, the newest first.
pub async fn over_around(db: &mut Session, place: &Address, game: &str) -> Result<Vec<TableCode>> {
    let text = "select code from tables where game = $2 and stage = 'over' and (place = $1
             or place in (select beside.place from places as here join places as beside
                 on beside.above = here.above where here.place = $1))
         order by formed_at desc, code limit 8";
    db.column(text, (place, game)).await
}

/// Returns the tables that are not over and of which an account is host, or game master by name, on a
/// server if one is given, the soonest deadline first.
pub async fn watched_tables(
    db: &mut Session,
    account: &AccountId,
    server: Option<&str>,
    now: Time,
    limit: u32,
) -> Result<Vec<TableCode>> {
    let text = concat!(
        "select code from tables where ",
        watched!(),
        " and ",
        not_over!(),
        soonest!(),
        " limit $4"
    );
    db.column(text, (account, now, server.unwrap_or_default(), Count(limit))).await
}

/// Returns a mark that changes whenever one of these tables may look different.
pub async fn watched_mark(
    db: &mut Session,
    account: &AccountId,
    server: Option<&str>,
    now: Time,
) -> Result<String> {
    let text = concat!(
        "select count(*), cast(coalesce(sum(stirred), 0) as bigint),
             cast(coalesce(sum(entries), 0) as bigint),
             cast(coalesce(sum(case when exists (select 1 from windows
                 where windows.code = tables.code and number = open_window
                     and opens_at <= $2) then 1 else 0 end), 0) as bigint),
             cast(coalesce(sum((select count(*) from obstacles
                 where obstacles.code = tables.code)), 0) as bigint)
         from tables where ",
        watched!(),
        " and ",
        not_over!()
    );
    let values = (account, now, server.unwrap_or_default());
    let mark: Option<(i64, i64, i64, i64, i64)> = db.row(text, values).await?;
    let mark = mark.unwrap_or_default();
    Ok(format!("{}/{}/{}/{}/{}", mark.0, mark.1, mark.2, mark.3, mark.4))
}

/// True if an obstacle stops letters of a table.
pub async fn is_obstructed(db: &mut Session, code: &TableCode) -> Result<bool> {
    let text = "select count(*) from obstacles where code = $1";
    db.counts_any(text, (code,)).await
}

/// Returns the tables that are not over and that an account hosts or plays at, the soonest deadline
/// first.
pub async fn tables_of(db: &mut Session, account: &AccountId, now: Time) -> Result<Vec<TableCode>> {
    let text = concat!(
        "select tables.code from tables join people on account = $1
         where (host = person or exists (select 1 from seats
             where seats.code = tables.code and seats.person = people.person)) and ",
        not_over!(),
        soonest!()
    );
    db.column(text, (account, now)).await
}
