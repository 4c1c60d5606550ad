//! A person's data in the database, for their export or its erasure.

use std::sync::Arc;

use serde::Serialize;
use sqlx::{FromRow, query_as};

use crate::database::{Result, Session};
use crate::rows::{Flag, as_json, logged_by};
use crate::table::tables::Touched;
use rules::Seat;
use tables::{
    AccountId, Address, OverrideNumber, Pace, PersonId, TableCode, Time, VoteNumber, WindowNumber,
};

logged_by!(KeptDeclaration: code, KeptOverride: code);

/// A table that a person hosts or plays at, with the data about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptTable {
    pub code: TableCode,
    pub game: String,
    /// The time at which the table was formed.
    pub formed_at: Time,
    /// 1 if the person is its host.
    pub is_host: Flag,
    /// Their seat, from 0, `None` if they only host.
    pub seat: Option<Seat>,
    /// Their name at the table, empty for P1 and so on.
    pub name: Option<String>,
    /// The address of their letters.
    pub address: Option<Address>,
    /// Their value in the seed, in hex digits.
    pub value: Option<String>,
}

/// A person's complete declaration in a window, for nobody else.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptDeclaration {
    pub code: TableCode,
    /// The window, from 0.
    pub number: WindowNumber,
    /// Their seat, from 0.
    pub seat: Seat,
    /// 0 for a draft.
    pub sealed: Flag,
    /// 1 if no question was left open.
    pub complete: Flag,
    /// The salt of the sealing, in hex digits.
    pub salt: Option<String>,
    /// The hash of the sealing, in hex digits.
    pub hash: Option<String>,
    /// The answers, as JSON.
    #[serde(serialize_with = "as_json")]
    pub answers: String,
}

/// A letter to one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptLetter {
    pub letter: String,
    /// The earliest time of sending.
    pub send_at: Time,
    pub sent_at: Option<Time>,
    /// The content as JSON, empty once it has been sent and is not updated.
    #[serde(serialize_with = "as_json")]
    pub body: String,
}

/// A seat that a person had before somebody else took it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct FormerSeat {
    pub code: TableCode,
    /// The seat, from 0.
    pub seat: Seat,
    /// Their name at the table, empty for P1 and so on.
    pub name: String,
    /// The address of their letters.
    pub address: Option<Address>,
}

/// A decision of a person as a game master.
#[derive(Clone, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptOverride {
    pub code: TableCode,
    /// The number of the decision at the table, from 0.
    pub number: OverrideNumber,
    /// The time of the decision.
    pub at: Time,
    /// The reason, in their words.
    pub reason: String,
    /// The number of the vote that they had proposed, `None` if it was not a vote.
    pub vote: Option<VoteNumber>,
    /// The decision, as JSON.
    #[serde(serialize_with = "as_json")]
    pub what: String,
}

/// A letter whose content is still stored.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Unsent {
    pub letter: String,
    /// The content, as JSON.
    pub body: String,
}

/// Returns the language of an account, `None` if it is unknown.
pub async fn language_of(session: &mut Session, account: &AccountId) -> Result<Option<String>> {
    let text = "select language from people where account = $1";
    session.value(text, (account,)).await
}

/// Returns the tables that a person hosts or plays at, the oldest first.
pub async fn kept_tables(session: &mut Session, person: &PersonId) -> Result<Vec<KeptTable>> {
    let text =
        "select tables.code, game, formed_at, case when host = $1 then 1 else 0 end as is_host,
             seat, name, address, value
         from tables left join seats on seats.code = tables.code and person = $1
         where host = $1 or person = $1 order by formed_at, tables.code";
    session.rows(text, (person,)).await
}

/// Returns a person's declarations, in order.
pub async fn kept_declarations(
    session: &mut Session,
    person: &PersonId,
) -> Result<Vec<KeptDeclaration>> {
    let text = "select declarations.code, number, declarations.seat, answers, sealed, complete,
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
    session.rows(text, (person,)).await
}

/// Returns the declaration of a seat in a window, for the person who declares for it.
pub async fn kept_declaration(
    session: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
) -> Result<Option<KeptDeclaration>> {
    let text = "select code, number, seat, answers, sealed, complete, salt, hash from declarations
         where code = $1 and number = $2 and seat = $3";
    session.row(text, (code, number, seat)).await
}

/// Returns the seats that a person has left to others.
pub async fn former_seats(session: &mut Session, person: &PersonId) -> Result<Vec<FormerSeat>> {
    let text = "select code, seat, name, address from former_seats where person = $1
         order by code, seat, until";
    session.rows(text, (person,)).await
}

/// Returns a person's decisions as a game master, in order.
pub async fn kept_overrides(session: &mut Session, person: &PersonId) -> Result<Vec<KeptOverride>> {
    let text = "select code, number, at, what, reason, vote from overrides where person = $1
         order by code, number";
    session.rows(text, (person,)).await
}

/// Returns the tables at which an account is an appointed game master.
pub async fn appointed_at(session: &mut Session, account: &AccountId) -> Result<Vec<TableCode>> {
    let text = "select code from game_masters where who = $1 order by code";
    session.column(text, (account,)).await
}

/// Returns the letters to one person that are due by now, in order.
pub async fn kept_letters(
    session: &mut Session,
    person: &PersonId,
    now: Time,
) -> Result<Vec<KeptLetter>> {
    let text = "select letter, send_at, sent_at, body from outbox
         where send_at <= $2 and address in (select address from seats where person = $1
             union select address from substitutes where person = $1
             union select address from calls where person = $1)
         order by send_at, letter";
    session.rows(text, (person, now)).await
}

/// The erasure of a person's data.
/// Replaces an account by an anonymous one, so that nothing leads from it to the person, and returns the
/// person, `None` if the account is unknown.
pub async fn disown(
    session: &mut Session,
    account: &AccountId,
    nobody: &AccountId,
) -> Result<Option<PersonId>> {
    let text =
        "update people set account = $2, settings = '{}' where account = $1 returning person";
    session.value(text, (account, nobody)).await
}

/// Deletes what is kept of a person apart from their tables, and their name on former seats.
pub async fn forget(session: &mut Session, person: &PersonId) -> Result<()> {
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
        "update former_seats set name = '', address = null, salt = null where person = $1",
    ] {
        session.write(statement, (person,)).await?;
    }
    Ok(())
}

/// Deletes every letter to an address, and the obstacles of these letters.
pub async fn burn_letters(session: &mut Session, address: &Address) -> Result<()> {
    for statement in [
        "delete from outbox where address = $1",
        "delete from mail where address = $1",
        // A letter about an obstacle contains the address, too.
        "delete from outbox where letter like '%-obstacle-% ' || $1",
        "delete from obstacles where cause like '% ' || $1",
        "delete from barred where place = $1",
    ] {
        session.write(statement, (address,)).await?;
    }
    Ok(())
}

/// Removes an account from all game masters.
pub async fn dismiss_master(session: &mut Session, account: &AccountId) -> Result<()> {
    session.write("delete from game_masters where who = $1", (account,)).await
}

/// Returns the tables with a decision about the seat of a person.
pub async fn moved_at(session: &mut Session, person: &PersonId) -> Result<Vec<TableCode>> {
    let text = "select distinct code from overrides where image like '%' || $1 || '%'";
    session.column(text, (person,)).await
}

/// Erases the reasons of a person's decisions.
pub async fn burn_reasons(touched: &mut Touched<'_>, person: &PersonId) -> Result<()> {
    let text = "update overrides set reason = '', salt = null where code = $1 and person = $2";
    touched.write(text, (person,)).await
}

/// Deletes the images of the table's decisions and the texts shown for them: the decisions cannot be
/// undone any more.
pub async fn burn_images(touched: &mut Touched<'_>) -> Result<()> {
    for statement in [
        "update overrides set image = null, shown = null where code = $1",
        "update proposals set shown = null where code = $1",
    ] {
        touched.write(statement, ()).await?;
    }
    Ok(())
}

/// Erases the name and the address of a seat, and its late declarations.
pub async fn unname(touched: &mut Touched<'_>, seat: Seat) -> Result<()> {
    for statement in [
        "delete from declarations where code = $1 and seat = $2 and late = 1",
        "update seats set name = '', address = null, salt = null where code = $1 and seat = $2",
    ] {
        touched.write(statement, (seat,)).await?;
    }
    Ok(())
}

/// Gives a seat to a bot player.
pub async fn seat_house(touched: &mut Touched<'_>, seat: Seat, house: &str) -> Result<()> {
    let text =
        "update seats set person = null, house = $3, salt = null where code = $1 and seat = $2";
    touched.write(text, (seat, house)).await
}

/// Makes a person the host.
pub async fn hand_to(touched: &mut Touched<'_>, person: &PersonId) -> Result<()> {
    person.clone_into(&mut touched.table.host);
    touched.write("update tables set host = $2 where code = $1", (person,)).await
}

/// Makes the player of the first occupied seat the host. Returns false if no person sits there.
pub async fn inherit(touched: &mut Touched<'_>) -> Result<bool> {
    let text = "update tables set host = (select person from seats
             where code = $1 and person is not null order by seat limit 1)
         where code = $1 and exists (select 1 from seats
             where code = $1 and person is not null)";
    Ok(touched.changes(text, ()).await? > 0)
}

/// Returns the letters about the table whose content is stored: unsent ones, those at terminals, and those
/// that are updated.
pub async fn unsent(touched: &mut Touched<'_>) -> Result<Vec<Unsent>> {
    let question = query_as(
        "select letter, body from outbox where letter like $1 and body <> ''
         union all select letter, body from mail where code = $2",
    );
    let like = format!("{}-%", touched.table.code);
    touched.session.all(question.bind(like).bind(touched.table.code.clone())).await
}

/// Replaces the content of a letter, in the outbox and at terminals.
pub async fn rewrite(touched: &mut Touched<'_>, unsent: Unsent) -> Result<()> {
    for statement in [
        "update outbox set body = $2 where letter = $1",
        "update mail set body = $2 where letter = $1",
    ] {
        touched.session.write(statement, (&unsent.letter, &unsent.body)).await?;
    }
    Ok(())
}

/// Stores the pace of the table, and the pace from the next window on.
pub async fn keep_paces(
    touched: &mut Touched<'_>,
    pace: Arc<Pace>,
    next: Option<Arc<Pace>>,
) -> Result<()> {
    let text = "update tables set pace = $2, next_pace = $3 where code = $1";
    touched.write(text, (&pace, &next)).await?;
    (touched.table.pace, touched.table.next_pace) = (pace, next);
    Ok(())
}
