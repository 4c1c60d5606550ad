//! The votes of a table, and the extensions and pauses that people have demanded.

use sqlx::{AssertSqlSafe, FromRow};

use crate::database::{Result, Session};
use crate::delivery::obstacles::{ShownAt, is_free, was_refused};
use crate::rows::{Count, Flag, OrBeforeFirst};
use crate::table::tables::{StoredEdition, Touched};
use rules::Seat;
use tables::{
    Address, CallNumber, PersonId, Span, TableCode, Time, VoteNumber, VoteOutcome, WindowNumber,
};

/// A vote of a table.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct VoteRow {
    /// The number of the vote at the table, from 0.
    pub number: VoteNumber,
    pub opened_at: Time,
    pub closes_at: Time,
    /// The window that was open.
    pub opened_in: WindowNumber,
    /// The proposed decision, as JSON.
    pub what: String,
    /// The proposer.
    pub person: PersonId,
    /// The player whose seat somebody else is to take, `None` for other votes.
    pub about: Option<PersonId>,
    /// The reason, in the proposer's words, empty without one.
    pub reason: String,
    /// True if one vote besides the proposer's is enough.
    #[sqlx(try_from = "Flag")]
    pub second: bool,
    /// The outcome, `None` while the vote is open.
    pub ended: Option<VoteOutcome>,
}

/// A voice in a vote.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct VoiceRow {
    pub person: PersonId,
    #[sqlx(try_from = "Flag")]
    pub yes: bool,
}

/// The post of a vote that must be drawn anew.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct StaleVote {
    pub code: TableCode,
    pub number: VoteNumber,
    #[sqlx(flatten)]
    pub at: ShownAt,
    /// The number of times that the vote has been stirred.
    #[sqlx(try_from = "Count<u64>")]
    pub stirred: u64,
}

/// The id of the public letter about an open vote.
const LETTER: &str = "votes.code || '-vote-' || votes.number || '-all'";

/// Returns the votes of a table, in order.
pub async fn all(db: &mut Session, code: &TableCode) -> Result<Vec<VoteRow>> {
    let text =
        "select number, opened_at, closes_at, opened_in, what, person, about, reason, second,
             ended
         from votes where code = $1 order by number";
    db.rows(text, (code,)).await
}

/// Returns the voices in a vote of those who are still players.
pub async fn voices(
    db: &mut Session,
    code: &TableCode,
    number: VoteNumber,
) -> Result<Vec<VoiceRow>> {
    let text = "select voices.person, yes from voices
         join seats on seats.code = voices.code and seats.person = voices.person
         where voices.code = $1 and number = $2 order by voices.person";
    db.rows(text, (code, number)).await
}

/// Returns the tables of an edition with a vote that is due: it has expired, or the window that followed
/// has been announced.
pub async fn due_votes(
    db: &mut Session,
    edition: &StoredEdition,
    now: Time,
    limit: u32,
) -> Result<Vec<TableCode>> {
    // SQLite evaluates cross joins in their written order: few votes are open, and there are many tables.
    let text = "select distinct votes.code from votes
         cross join tables
         left join windows on windows.code = votes.code and windows.number = open_window
         where ended is null and tables.code = votes.code and game = $1 and edition = $2 and data = $3
             and (votes.closes_at <= $4
                 or (stage = 'over' and open_window = opened_in)
                 or (open_window <> opened_in and opens_at <= $4))
         order by votes.code limit $5";
    let values = (&edition.game, &edition.name, &edition.data, now, Count(limit));
    db.column(text, values).await
}

/// Returns the time at which the next vote at a table of an edition is due.
pub async fn next_vote_due(db: &mut Session, edition: &StoredEdition) -> Result<Option<Time>> {
    let text = "select min(case
             when stage = 'over' and open_window = opened_in then votes.opened_at
             when open_window <> opened_in and opens_at < votes.closes_at then opens_at
             else votes.closes_at end)
         from votes
         cross join tables
         left join windows on windows.code = votes.code and windows.number = open_window
         where ended is null and tables.code = votes.code and game = $1 and edition = $2 and data = $3";
    let values = (&edition.game, &edition.name, &edition.data);
    Ok(db.value(text, values).await?.flatten())
}

/// Returns the time by which people have extended a window.
pub async fn extended(db: &mut Session, code: &TableCode, number: WindowNumber) -> Result<Span> {
    let text = "select extended from windows where code = $1 and number = $2";
    Ok(db.value(text, (code, number)).await?.unwrap_or(Span::ZERO))
}

/// Returns the time for which people have paused a table.
pub async fn paused(db: &mut Session, code: &TableCode) -> Result<Span> {
    let text = "select paused from tables where code = $1";
    Ok(db.value(text, (code,)).await?.unwrap_or(Span::ZERO))
}

/// Returns the posts of votes to be drawn anew, in places with this prefix.
pub async fn stale_votes(
    db: &mut Session,
    scheme: &str,
    now: Time,
    limit: u32,
) -> Result<Vec<StaleVote>> {
    let (refused, free) = (
        was_refused!("outbox.address", "outbox.arrived"),
        is_free!("outbox.address", "outbox.arrived", "$3"),
    );
    let text = format!(
        "select votes.code, votes.number, outbox.address as place, arrived as message,
             votes.stirred, {refused} as refused
         from votes join outbox on letter = {LETTER}
         where votes.shown < votes.stirred and arrived is not null
             and outbox.address like $1 and {free}
         order by votes.code, votes.number limit $2"
    );
    // Only constant texts are put into the statement.
    db.rows(AssertSqlSafe(text), (format!("{scheme}%"), Count(limit), now)).await
}

/// Stores a message that replaces the post of a vote.
pub async fn note_vote_post(db: &mut Session, stale: &StaleVote, message: &str) -> Result<()> {
    let text = format!(
        "update outbox set arrived = $3 where arrived = $4 and letter in (
             select {LETTER} from votes where code = $1 and number = $2)"
    );
    // Only the name of a letter is put into the statement.
    let values = (&stale.code, stale.number, message, &stale.at.message);
    db.write(AssertSqlSafe(text), values).await
}

/// Stores the state that the post of a vote shows.
pub async fn note_vote_shown(db: &mut Session, stale: &StaleVote) -> Result<()> {
    let text = "update votes set shown = $3 where code = $1 and number = $2 and shown < $3";
    db.write(text, (&stale.code, stale.number, Count(stale.stirred))).await
}

/// Opens a vote.
pub async fn open_vote(tx: &mut Touched<'_>, row: &VoteRow) -> Result<()> {
    let text =
        "insert into votes (code, number, opened_at, closes_at, opened_in, what, person, about,
             reason, second, stirred, shown)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, 0)";
    tx.few = None;
    let values = (
        row.number,
        row.opened_at,
        row.closes_at,
        row.opened_in,
        &row.what,
        &row.person,
        &row.about,
        &row.reason,
        Flag(row.second),
    );
    tx.write(text, values).await
}

/// Stores a voice, replacing an earlier one of the same person.
pub async fn keep_voice(
    tx: &mut Touched<'_>,
    number: VoteNumber,
    person: &PersonId,
    yes: bool,
) -> Result<()> {
    let text = "insert into voices (code, number, person, yes) values ($1, $2, $3, $4)
         on conflict (code, number, person) do update set yes = excluded.yes";
    tx.write(text, (number, person, Flag(yes))).await
}

/// Schedules a redraw of a vote's post.
pub async fn stir_vote(tx: &mut Touched<'_>, number: VoteNumber) -> Result<()> {
    let text = "update votes set stirred = stirred + 1 where code = $1 and number = $2";
    tx.write(text, (number,)).await
}

/// Ends a vote. A passed vote can still end otherwise, if its decision cannot be carried out.
pub async fn end_vote(tx: &mut Touched<'_>, number: VoteNumber, how: VoteOutcome) -> Result<()> {
    let text = "update votes set ended = $3, stirred = stirred + 1
         where code = $1 and number = $2 and (ended is null or ended = 'passed')";
    tx.write(text, (number, how)).await
}

/// Stores the time by which people have extended the open window.
pub async fn keep_extended(tx: &mut Touched<'_>, extended: Span) -> Result<()> {
    let text = "update windows set extended = $3 where code = $1 and number = $2";
    tx.write(text, (OrBeforeFirst(tx.table.open_window), extended)).await
}

/// Stores the time for which people have paused the table.
pub async fn keep_paused(tx: &mut Touched<'_>, paused: Span) -> Result<()> {
    tx.write("update tables set paused = $2 where code = $1", (paused,)).await
}

/// An offer of a seat.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct CallRow {
    /// The number of the call at the table.
    pub number: CallNumber,
    /// The seat, from 0, `None` before the game begins, for any seat.
    pub seat: Option<Seat>,
    /// The only person who may take the seat, `None` if anybody may.
    pub person: Option<PersonId>,
    /// The address of that person's letters.
    pub address: Option<Address>,
}

impl CallRow {
    /// True if the call is for this seat.
    pub fn is_of(&self, seat: Seat) -> bool {
        self.seat == Some(seat)
    }
}

/// Returns the offered seats of a table, the oldest call first.
pub async fn calls(db: &mut Session, code: &TableCode) -> Result<Vec<CallRow>> {
    let text = "select number, seat, person, address from calls where code = $1 order by number";
    db.rows(text, (code,)).await
}

/// True if a person had a seat at a table that somebody else has taken since.
pub async fn has_left(db: &mut Session, code: &TableCode, person: &PersonId) -> Result<bool> {
    let text = "select count(*) from former_seats where code = $1 and person = $2";
    db.counts_any(text, (code, person)).await
}

/// Stores a call.
pub async fn call(tx: &mut Touched<'_>, row: &CallRow) -> Result<()> {
    let text =
        "insert into calls (code, number, seat, person, address) values ($1, $2, $3, $4, $5)";
    tx.write(text, (row.number, row.seat, &row.person, &row.address)).await
}

/// Deletes a call.
pub async fn drop_call(tx: &mut Touched<'_>, number: CallNumber) -> Result<()> {
    tx.write("delete from calls where code = $1 and number = $2", (number,)).await
}

/// Deletes every call of the table.
pub async fn drop_calls(tx: &mut Touched<'_>) -> Result<()> {
    tx.write("delete from calls where code = $1", ()).await
}

/// Exchanges the calls for two seats.
pub async fn exchange_calls(tx: &mut Touched<'_>, a: Seat, b: Seat) -> Result<()> {
    let text = "update calls set seat = case when seat = $2 then $3 else $2 end
         where code = $1 and seat in ($2, $3)";
    tx.write(text, (a, b)).await
}

/// Returns the people who may not sit down at the table again.
pub async fn sent_away(tx: &mut Touched<'_>) -> Result<Vec<PersonId>> {
    let text = "select person from sent_away where code = $1 order by person";
    tx.db.column(text, (&tx.table.code,)).await
}

/// Bars a person from sitting down at the table again, or lifts that.
pub async fn send_away(tx: &mut Touched<'_>, person: &PersonId, away: bool) -> Result<()> {
    let text = if away {
        "insert into sent_away (code, person) values ($1, $2)
         on conflict (code, person) do nothing"
    } else {
        "delete from sent_away where code = $1 and person = $2"
    };
    tx.write(text, (person,)).await
}
