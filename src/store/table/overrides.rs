//! The decisions of game masters, the proposals shown to them, and their appointments.

use sqlx::FromRow;

use crate::database::{Result, Session};
use crate::rows::{Count, OrBeforeFirst, logged_by};
use crate::table::tables::Touched;
use rules::{Declaration, Seat};
use tables::{
    AccountId, Address, Notified, OverrideNumber, PersonId, ProposalId, Span, TableCode, Time,
    VoteNumber, WindowNumber,
};

logged_by!(OverrideRow: number, ProposalRow: code);

/// The row of a game master's decision.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct OverrideRow {
    /// The number of the decision at the table, from 0.
    pub number: OverrideNumber,
    /// The time of the decision.
    pub at: Time,
    /// The game master.
    pub person: PersonId,
    /// The decision, as JSON.
    pub what: String,
    /// The reason, in their words.
    pub reason: String,
    /// The recipients of the notice.
    pub notice: Notified,
    /// The head of the journal at the decision, in hex digits.
    pub foundation: String,
    /// The number of journal entries including the decision.
    #[sqlx(try_from = "Count<u32>")]
    pub entries: u32,
    /// The changed data before and after, as JSON, `None` if the decision cannot be undone.
    pub image: Option<String>,
    /// The number of the override that undid it, `None` if it stands.
    pub undone: Option<OverrideNumber>,
    /// The changes shown to the game master before the decision, as JSON.
    pub shown: Option<String>,
    /// The number of the vote that decided it, `None` if a game master did.
    pub vote: Option<VoteNumber>,
    /// The salt of the journal's hashes of the author, the reason and the shown changes, `None` for an erased
    /// person.
    pub salt: Option<String>,
}

/// A person who gets a table's news without a seat.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct OnlookerRow {
    /// The person, `None` if the account is unknown.
    pub person: Option<PersonId>,
    /// The address of their letters.
    pub address: Address,
    /// The language of the person.
    pub language: Option<String>,
}

/// Returns the appointed game masters: accounts, and roles such as `discord:role:1`.
pub async fn game_masters(db: &mut Session, code: &TableCode) -> Result<Vec<String>> {
    let text = "select who from game_masters where code = $1 order by who";
    db.column(text, (code,)).await
}

/// Returns the onlookers of a table with private letters: former players who were not sent away, and game
/// masters without a seat, whose account is their address.
pub async fn onlookers(db: &mut Session, code: &TableCode) -> Result<Vec<OnlookerRow>> {
    let text = "select people.person, address, language
         from former_seats join people on people.person = former_seats.person
         where code = $1 and address is not null
             and former_seats.person not in
                 (select person from seats where code = $1 and person is not null)
             and former_seats.person not in (select person from sent_away where code = $1)
         union
         select people.person, who, language
         from game_masters left join people on account = who
         where code = $1 and who not in
             (select account from seats join people on people.person = seats.person
              where code = $1)
         order by 2";
    db.rows(text, (code,)).await
}

/// Returns the decisions at a table, in order.
pub async fn all(db: &mut Session, code: &TableCode) -> Result<Vec<OverrideRow>> {
    let text =
        "select number, at, person, what, reason, notice, foundation, entries, image, undone,
             vote, shown, salt
         from overrides where code = $1 order by number";
    db.rows(text, (code,)).await
}

/// Returns the number of decisions at a table.
pub async fn decisions(db: &mut Session, code: &TableCode) -> Result<u32> {
    let text = "select count(*) from overrides where code = $1";
    Ok(db.value(text, (code,)).await?.map_or(0, |Count(count)| count))
}

/// Returns the onlookers of the table.
pub async fn onlookers_at(tx: &mut Touched<'_>) -> Result<Vec<OnlookerRow>> {
    if tx.few.is_some_and(|few| !few.onlookers) {
        return Ok(Vec::new());
    }
    onlookers(tx.db, &tx.table.code).await
}

/// Appoints or dismisses a game master.
pub async fn appoint(tx: &mut Touched<'_>, who: &str, may: bool) -> Result<()> {
    let text = if may {
        "insert into game_masters (code, who) values ($1, $2) on conflict (code, who) do nothing"
    } else {
        "delete from game_masters where code = $1 and who = $2"
    };
    tx.few = None;
    tx.write(text, (who,)).await
}

/// Stores an override.
pub async fn keep_override(tx: &mut Touched<'_>, row: &OverrideRow) -> Result<()> {
    let text = "insert into overrides (code, number, at, person, what, reason, notice, foundation,
             entries, image, vote, shown, salt)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    let values = (
        row.number,
        row.at,
        &row.person,
        &row.what,
        &row.reason,
        row.notice,
        &row.foundation,
        Count(row.entries),
        &row.image,
        row.vote,
        &row.shown,
        &row.salt,
    );
    tx.write(text, values).await
}

/// Stores the override that undid this one, `None` if this one counts again.
pub async fn undo(
    tx: &mut Touched<'_>,
    number: OverrideNumber,
    by: Option<OverrideNumber>,
) -> Result<()> {
    let text = "update overrides set undone = $3 where code = $1 and number = $2";
    tx.write(text, (number, by)).await
}

/// Copies the declarations of another window into the open one: those that counted there, and the late
/// one of this seat. Other late declarations stay late, and declarations already in the open window stay.
pub async fn take_over(tx: &mut Touched<'_>, from: WindowNumber, late: Option<Seat>) -> Result<()> {
    let text =
        "insert into declarations (code, number, seat, answers, sealed, complete, salt, hash,
             late)
         select code, $3, seat, answers, sealed, complete, salt, hash,
             case when seat = $4 then 0 else late end
         from declarations where code = $1 and number = $2
         on conflict (code, number, seat) do nothing";
    tx.write(text, (from, OrBeforeFirst(tx.table.open_window), late)).await
}

/// Notes that the sealings of another window count in the open one.
pub async fn count_again(tx: &mut Touched<'_>, from: WindowNumber) -> Result<()> {
    let text = "update windows set again = $3 where code = $1 and number = $2";
    tx.write(text, (OrBeforeFirst(tx.table.open_window), from)).await
}

/// Stores a late declaration of a seat in a closed window, which does not count.
pub async fn declare_late(
    tx: &mut Touched<'_>,
    number: WindowNumber,
    seat: Seat,
    answers: Declaration,
) -> Result<()> {
    let text = "insert into declarations (code, number, seat, answers, sealed, complete, late)
         values ($1, $2, $3, $4, 0, 0, 1)
         on conflict (code, number, seat) do update set answers = excluded.answers
             where declarations.late = 1";
    tx.write(text, (number, seat, answers)).await
}

/// True if a seat has a late declaration in a window.
pub async fn is_late(tx: &mut Touched<'_>, number: WindowNumber, seat: Seat) -> Result<bool> {
    let text = "select count(*) from declarations
         where code = $1 and number = $2 and seat = $3 and late = 1";
    tx.db.counts_any(text, (&tx.table.code, number, seat)).await
}

/// Stores the answers in the root window before a window.
pub async fn keep_said(tx: &mut Touched<'_>, number: WindowNumber, answers: String) -> Result<()> {
    let text = "update windows set said = $3 where code = $1 and number = $2";
    tx.write(text, (number, answers)).await
}

/// Replaces this journal head by the present one in unsent letters.
pub async fn rehead(tx: &mut Touched<'_>, before: &str) -> Result<()> {
    let text =
        "update outbox set body = replace(body, $2, $3) where letter like $1 and sent_at is null";
    tx.db.write(text, (format!("{}-%", tx.table.code), before, &tx.table.chain)).await
}

/// Deletes the unsent letters about a subject, such as `3-opening`. Returns true if there were any.
pub async fn burn_unsent(tx: &mut Touched<'_>, subject: &str) -> Result<bool> {
    let like = format!("{}-{subject}%", tx.table.code);
    let text = "delete from outbox where letter like $1 and sent_at is null";
    Ok(tx.db.changes(text, (like,)).await? > 0)
}

/// Stores another player of a seat.
pub async fn reseat(tx: &mut Touched<'_>, row: &crate::SeatRow) -> Result<()> {
    let text =
        "insert into former_seats (code, seat, person, name, shown_as, address, salt, since, until)
         select code, seat, person, name, shown_as, address, salt,
             coalesce((select max(until) from former_seats former
                 where former.code = seats.code and former.seat = seats.seat), 0), $3
         from seats where code = $1 and seat = $2 and person is not null and person <> $4";
    let had_orders = tx.few.is_none_or(|few| few.orders);
    let had_next = tx.few.is_none_or(|few| few.next_declarations);
    tx.few = None;
    let values =
        (row.seat, OrBeforeFirst(tx.table.open_window), row.person.clone().unwrap_or_default());
    tx.write(text, values).await?;
    if had_orders {
        let text = "delete from orders where code = $1 and seat = $2";
        tx.write(text, (row.seat,)).await?;
    }
    if had_next {
        let text = "delete from next_declarations where code = $1 and seat = $2";
        tx.write(text, (row.seat,)).await?;
    }
    let text = "update seats set person = $3, house = $4, name = $5, shown_as = $6, address = $7,
             salt = $8
         where code = $1 and seat = $2";
    let crate::SeatRow { seat, person, house, name, shown_as, address, salt, .. } = row;
    tx.write(text, (seat, person, house, name, shown_as, address, salt)).await
}

/// The time for which a proposal is remembered: a table has moved on by then.
const MEMORY: Span = Span::days(1);

/// The row of a proposed decision after its dry run.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct ProposalRow {
    pub proposal: ProposalId,
    pub code: TableCode,
    /// The account that the proposal was shown to.
    pub account: AccountId,
    /// The decision, as JSON.
    pub what: String,
    /// The person who would take a seat, as JSON.
    pub guest: Option<String>,
    /// The head of the journal at the dry run, in hex digits.
    pub foundation: String,
    /// The changes it would make, as JSON.
    pub shown: Option<String>,
}

/// Stores a proposal, and deletes old ones.
pub async fn keep_proposal(db: &mut Session, row: &ProposalRow, now: Time) -> Result<()> {
    db.write("delete from proposals where shown_at < $1", (now - MEMORY,)).await?;
    let text = "insert into proposals (proposal, code, account, what, guest, foundation, shown_at,
             shown)
         values ($1, $2, $3, $4, $5, $6, $7, $8)";
    let values = (
        &row.proposal,
        &row.code,
        &row.account,
        &row.what,
        &row.guest,
        &row.foundation,
        now,
        &row.shown,
    );
    db.write(text, values).await
}

/// Returns a proposal shown to this account.
pub async fn proposal(
    db: &mut Session,
    proposal: &ProposalId,
    account: &AccountId,
) -> Result<Option<ProposalRow>> {
    let text = "select proposal, code, account, what, guest, foundation, shown from proposals
         where proposal = $1 and account = $2";
    db.row(text, (&proposal, account)).await
}

/// Deletes the proposals shown to an account, and those about it.
pub async fn forget_proposals(db: &mut Session, account: &AccountId) -> Result<()> {
    let text = "delete from proposals where account = $1 or guest like '%\"' || $1 || '\"%'";
    db.write(text, (account,)).await
}
