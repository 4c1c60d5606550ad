//! A person's data in the database, for their export or its erasure.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::rows::{Flag, logged_by};
use crate::table::tables::Touched;
use crate::table::transfer::{Cell, Row};
use rules::Seat;
use tables::{AccountId, Address, Pace, PersonId, TableCode, Time, WindowNumber};

logged_by!(KeptDeclaration: code);

/// A table at which a person plays, or of which they are the host.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct KeptTable {
    pub code: TableCode,
    pub is_host: Flag,
    /// Their seat, from 0, `None` if they do not play.
    pub seat: Option<Seat>,
    /// The address of their letters.
    pub address: Option<Address>,
}

/// A person's complete declaration in a window, for nobody else.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct KeptDeclaration {
    pub code: TableCode,
    /// The window, from 0.
    pub number: WindowNumber,
    /// Their seat, from 0.
    pub seat: Seat,
    /// 0 for a draft.
    pub sealed: Flag,
    /// The salt of the sealing, in hex digits.
    pub salt: Option<String>,
    /// The hash of the sealing, in hex digits.
    pub hash: Option<String>,
    /// The answers, as JSON.
    pub answers: String,
}

/// A seat that a person had before somebody else took it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct FormerSeat {
    pub code: TableCode,
    /// The seat, from 0.
    pub seat: Seat,
    /// Their name at the table, empty for P1 and so on.
    pub name: String,
    /// Their last name after a rename, `None` without one.
    pub shown_as: Option<String>,
    /// The address of their letters.
    pub address: Option<Address>,
}

impl FormerSeat {
    /// Returns the last name of the person at the table.
    pub fn called(&self) -> &str {
        self.shown_as.as_ref().unwrap_or(&self.name)
    }
}

/// A letter whose content is still stored.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Unsent {
    pub letter: String,
    /// The content, as JSON.
    pub body: String,
}

const TABLES: &str =
    "select tables.code, game, formed_at, case when host = $1 then 1 else 0 end as is_host,
         seat, name, shown_as, address, value
     from tables left join seats on seats.code = tables.code and person = $1
     where host = $1 or person = $1 order by formed_at, tables.code";

const FORMER_SEATS: &str =
    "select code, seat, name, shown_as, address from former_seats where person = $1
     order by code, seat, until";

/// The declarations of the seats that a person has or had, in the windows of that time.
const DECLARATIONS: &str =
    "select declarations.code, number, declarations.seat, answers, sealed, complete,
         declarations.salt, hash
     from declarations join seats
         on seats.code = declarations.code and seats.seat = declarations.seat
     where person = $1 and number >= coalesce((select max(until) from former_seats former
         where former.code = seats.code and former.seat = seats.seat), 0)
     union all
     select declarations.code, number, declarations.seat, answers, sealed, complete,
         declarations.salt, hash
     from declarations join former_seats
         on former_seats.code = declarations.code and former_seats.seat = declarations.seat
     where person = $1 and since <= number and number < until
     order by 1, 2";

/// The kinds of a person's data, each with its query by the person's id and, if needed, the present time: the
/// letters to this person alone that may have arrived, and the close of no window before its announcement.
const KEPT: [(&str, &str); 17] = [
    ("tables", TABLES),
    ("left", FORMER_SEATS),
    ("declarations", DECLARATIONS),
    (
        "letters",
        "select letter, send_at, sent_at, body from outbox
         where send_at <= $2 and address in (select address from seats where person = $1
             union select address from substitutes where person = $1
             union select address from calls where person = $1)
         order by send_at, letter",
    ),
    (
        "attendance",
        "select code, seat, misses, put_off, inactive_at from attendance where person = $1
         order by code, seat",
    ),
    (
        "windows",
        "select code, number, seat, kept, case when at <= $2 then at end as at, counts
         from reputation
         where person = $1
             and (at is null or at <= $2 or kept in ('early', 'in-time', 'late'))
         order by code, number, seat",
    ),
    ("dashboards", "select place, message from dashboards where person = $1 order by place"),
    (
        "orders",
        "select code, seat, since, answers from orders where person = $1
         order by code, seat, since",
    ),
    (
        "next_declarations",
        "select code, seat, kind, drafted_in, answers from next_declarations where person = $1
         order by code, seat, kind",
    ),
    (
        "side_lines",
        "select code, seat, at, words from side_lines where person = $1 order by code, number",
    ),
    (
        "stands_in",
        "select code, seat, address, until_at from substitutes where person = $1
         order by code, seat",
    ),
    ("asked_for", "select code, seat, address from calls where person = $1 order by code, number"),
    ("sent_away_from", "select code from sent_away where person = $1 order by code"),
    (
        "game_master_of",
        "select code from game_masters join people on account = who where person = $1
         order by code",
    ),
    (
        "decided",
        "select code, number, at, reason, vote, what from overrides where person = $1
         order by code, number",
    ),
    (
        "proposed",
        "select code, number, opened_at, reason, what from votes where person = $1
         order by code, number",
    ),
    ("voices", "select code, number, yes from voices where person = $1 order by code, number"),
];

/// Returns all rows about a person by kind, without anything about others or not yet announced.
pub async fn kept(db: &mut Session, person: &PersonId, now: Time) -> Result<Map<String, Json>> {
    let mut kept = Map::new();
    for (kind, text) in KEPT {
        let rows: Vec<Row> = if text.contains("$2") {
            db.rows(text, (person, now)).await?
        } else {
            db.rows(text, (person,)).await?
        };
        kept.insert(kind.to_owned(), rows.into_iter().map(shown).collect());
    }
    Ok(kept)
}

/// Returns a row with the content of its columns of JSON; a single column stands for the row.
fn shown(row: Row) -> Json {
    let cell = |(column, cell): (String, Cell)| match (column.as_str(), cell) {
        ("answers" | "body" | "what", Cell::Text(text)) => {
            (column, serde_json::from_str(&text).unwrap_or_default())
        }
        (_, cell) => (column, json!(cell)),
    };
    let row: Map<String, Json> = row.0.into_iter().map(cell).collect();
    if row.len() == 1 { row["code"].clone() } else { row.into() }
}

/// Returns the tables of a person.
pub async fn kept_tables(db: &mut Session, person: &PersonId) -> Result<Vec<KeptTable>> {
    db.rows(TABLES, (person,)).await
}

/// Returns every declaration of a person.
pub async fn kept_declarations(
    db: &mut Session,
    person: &PersonId,
) -> Result<Vec<KeptDeclaration>> {
    db.rows(DECLARATIONS, (person,)).await
}

/// Returns the seats that a person had before somebody else took them.
pub async fn former_seats(db: &mut Session, person: &PersonId) -> Result<Vec<FormerSeat>> {
    db.rows(FORMER_SEATS, (person,)).await
}

/// Returns the reasons of a person's decisions as a game master, each with its table.
pub async fn decided(db: &mut Session, person: &PersonId) -> Result<Vec<(TableCode, String)>> {
    db.rows("select code, reason from overrides where person = $1", (person,)).await
}

/// Returns the reasons of a person's proposals to their tables, each with its table.
pub async fn proposed(db: &mut Session, person: &PersonId) -> Result<Vec<(TableCode, String)>> {
    db.rows("select code, reason from votes where person = $1", (person,)).await
}

/// Returns the addresses at which a person was invited to a seat.
pub async fn invited_at(db: &mut Session, person: &PersonId) -> Result<Vec<Address>> {
    let text = "select address from calls where person = $1 and address is not null";
    db.column(text, (person,)).await
}

/// Returns the language of an account, `None` if it is unknown.
pub async fn language_of(db: &mut Session, account: &AccountId) -> Result<Option<String>> {
    let text = "select language from people where account = $1";
    db.value(text, (account,)).await
}

/// Returns the declaration of a seat in a window, for the person who declares for it.
pub async fn kept_declaration(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
) -> Result<Option<KeptDeclaration>> {
    let text = "select code, number, seat, answers, sealed, complete, salt, hash from declarations
         where code = $1 and number = $2 and seat = $3";
    db.row(text, (code, number, seat)).await
}

/// The erasure of a person's data.
/// Replaces an account by an anonymous one, so that nothing leads from it to the person, and returns the
/// person, `None` if the account is unknown.
pub async fn disown(
    db: &mut Session,
    account: &AccountId,
    nobody: &AccountId,
) -> Result<Option<PersonId>> {
    let text =
        "update people set account = $2, settings = '{}' where account = $1 returning person";
    db.value(text, (account, nobody)).await
}

/// Deletes what is kept of a person apart from their tables, and their name on former seats.
pub async fn forget(db: &mut Session, person: &PersonId) -> Result<()> {
    for statement in [
        "delete from away where person = $1",
        "delete from attendance where person = $1",
        "delete from orders where person = $1",
        "delete from next_declarations where person = $1",
        "delete from side_lines where person = $1",
        "delete from calls where person = $1",
        "delete from sent_away where person = $1",
        "delete from reputation where person = $1",
        "delete from dashboards where person = $1",
        "delete from voices where person = $1",
        "update votes set reason = '', stirred = stirred + 1 where person = $1",
        "update former_seats set name = '', shown_as = null, address = null, salt = null
         where person = $1",
    ] {
        db.write(statement, (person,)).await?;
    }
    Ok(())
}

/// Deletes every letter to an address, and the obstacles of these letters.
pub async fn burn_letters(db: &mut Session, address: &Address) -> Result<()> {
    for statement in [
        "delete from outbox where address = $1",
        "delete from mail where address = $1",
        // A letter about an obstacle contains the address, too.
        "delete from outbox where letter like '%-obstacle-% ' || $1 || '-guest'",
        "delete from obstacles where cause like '% ' || $1",
        "delete from barred where place = $1",
    ] {
        db.write(statement, (address,)).await?;
    }
    Ok(())
}

/// Removes an account from all game masters.
pub async fn dismiss_master(db: &mut Session, account: &AccountId) -> Result<()> {
    db.write("delete from game_masters where who = $1", (account,)).await
}

/// Returns the tables with a decision about the seat of a person.
pub async fn moved_at(db: &mut Session, person: &PersonId) -> Result<Vec<TableCode>> {
    let text = "select distinct code from overrides where image like '%' || $1 || '%'";
    db.column(text, (person,)).await
}

/// Erases the reasons of a person's decisions.
pub async fn burn_reasons(tx: &mut Touched<'_>, person: &PersonId) -> Result<()> {
    let text = "update overrides set reason = '', salt = null where code = $1 and person = $2";
    tx.write(text, (person,)).await
}

/// Deletes the images of the table's decisions and the texts shown for them: the decisions cannot be
/// undone any more.
pub async fn burn_images(tx: &mut Touched<'_>) -> Result<()> {
    for statement in [
        "update overrides set image = null, shown = null where code = $1",
        "update proposals set shown = null where code = $1",
    ] {
        tx.write(statement, ()).await?;
    }
    Ok(())
}

/// Erases the name and the address of a seat, and its late declarations.
pub async fn unname(tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
    for statement in [
        "delete from declarations where code = $1 and seat = $2 and late = 1",
        "update seats set name = '', shown_as = null, address = null, salt = null
         where code = $1 and seat = $2",
    ] {
        tx.write(statement, (seat,)).await?;
    }
    Ok(())
}

/// Returns the seats of an account at tables on a server that are not over, where its name is another.
pub async fn under_another_name(
    session: &mut Session,
    account: &AccountId,
    server: &str,
    name: &str,
) -> Result<Vec<(TableCode, Seat)>> {
    let text = "select seats.code, seat from seats
         join people on people.person = seats.person and account = $1
         join tables on tables.code = seats.code and stage <> 'over'
         join places on places.place = tables.place and server = $2
         where coalesce(shown_as, name) <> $3 order by seats.code";
    session.rows(text, (account, server, name)).await
}

/// Shows the person on a seat by this name from now on.
pub async fn rename(touched: &mut Touched<'_>, seat: Seat, name: &str) -> Result<()> {
    let text = "update seats set shown_as = $3 where code = $1 and seat = $2";
    touched.write(text, (seat, name)).await
}

/// Gives a seat to a bot player.
pub async fn seat_house(tx: &mut Touched<'_>, seat: Seat, house: &str) -> Result<()> {
    let text =
        "update seats set person = null, house = $3, salt = null where code = $1 and seat = $2";
    tx.write(text, (seat, house)).await
}

/// Makes a person the host.
pub async fn hand_to(tx: &mut Touched<'_>, person: &PersonId) -> Result<()> {
    person.clone_into(&mut tx.table.host);
    tx.write("update tables set host = $2 where code = $1", (person,)).await
}

/// Makes the player of the first occupied seat the host. Returns false if no person sits there.
pub async fn inherit(tx: &mut Touched<'_>) -> Result<bool> {
    let text = "update tables set host = (select person from seats
             where code = $1 and person is not null order by seat limit 1)
         where code = $1 and exists (select 1 from seats
             where code = $1 and person is not null)";
    Ok(tx.changes(text, ()).await? > 0)
}

/// Returns the letters about the table whose content is stored: unsent ones, those at terminals, and those
/// that are updated.
pub async fn unsent(tx: &mut Touched<'_>) -> Result<Vec<Unsent>> {
    let text = "select letter, body from outbox where letter like $1 and body <> ''
         union all select letter, body from mail where code = $2";
    let like = format!("{}-%", tx.table.code);
    tx.db.rows(text, (like, &tx.table.code)).await
}

/// Replaces the content of a letter, in the outbox and at terminals.
pub async fn rewrite(tx: &mut Touched<'_>, unsent: Unsent) -> Result<()> {
    for statement in [
        "update outbox set body = $2 where letter = $1",
        "update mail set body = $2 where letter = $1",
    ] {
        tx.db.write(statement, (&unsent.letter, &unsent.body)).await?;
    }
    Ok(())
}

/// Stores the pace of the table, and the pace from the next window on.
pub async fn keep_paces(
    tx: &mut Touched<'_>,
    pace: Arc<Pace>,
    next: Option<Arc<Pace>>,
) -> Result<()> {
    let text = "update tables set pace = $2, next_pace = $3 where code = $1";
    tx.write(text, (&pace, &next)).await?;
    (tx.table.pace, tx.table.next_pace) = (pace, next);
    Ok(())
}
