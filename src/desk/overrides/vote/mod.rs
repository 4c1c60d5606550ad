//! Votes of the table: whoever sits there proposes something, and two thirds of those who do have to
//! agree.
//!
//! A vote is open until its time has come or the window has closed in which it was opened, and no
//! longer than it can pass. When it passes, what it says is carried out at once, by the very work of
//! what a game master decides. A voice can be changed until then. The journal has what was carried
//! out; a vote that came to nothing has changed nothing.

pub(crate) mod ballot;
pub(crate) mod count;
pub(crate) mod propose;
pub(crate) mod read;
pub(crate) mod show;

use crate::model::desk::{Desk, NotDone};
use crate::model::load::Games;
use crate::model::overrides::Override;
use crate::model::vote::Vote;
use crate::overrides::deciding::{Deciding, Voted};
use crate::record::letter::{Notice, Part};
use letters::VoteTally;
use rules::contest::acts_in;
use store::{SeatRow, Session, StoreError, Touched, VoteRow, WindowRow, read_json};
use tables::ids::{TableCode, VoteNumber};
use tables::time::{Span, Time};
use tables::{Stage, VoteKind, VoteOutcome};

/// How long a vote is open at most.
const LONGEST: Span = Span::days(1);

impl Vote {
    /// How it stands.
    pub fn tally(&self) -> VoteTally {
        VoteTally { yes: self.yes, no: self.no, needed: self.needed }
    }

    /// A vote as it stands.
    pub(crate) async fn of(
        session: &mut Session,
        code: &TableCode,
        seats: &[SeatRow],
        row: &VoteRow,
    ) -> Result<Self, StoreError> {
        let what: Override = read_json(&row.what)?;
        let count = count::VoteCount::of(session, code, seats, row, &what).await?;
        let by = seats.iter().find(|seat| seat.person.as_ref() == Some(&row.person));
        Ok(Self {
            number: row.number,
            by: by.map(|row| row.seat),
            what,
            reason: row.reason.clone(),
            closes: row.closes_at,
            yes: count.yes,
            no: count.no,
            needed: count.needed(),
            second: row.second,
            outcome: row.ended,
        })
    }
}

impl Desk {
    /// The votes of a table, in order.
    pub async fn votes(&self, code: &TableCode) -> Result<Vec<Vote>, StoreError> {
        let mut session = self.store.read().await?;
        let seats = session.seats(code).await?;
        let mut votes = Vec::new();
        for row in session.votes(code).await? {
            votes.push(Vote::of(&mut session, code, &seats, &row).await?);
        }
        Ok(votes)
    }
}

/// Ends what is open at a table and is over by now, and tells it. False: nothing is.
pub(crate) async fn close_due(touched: &mut Touched<'_>, now: Time) -> Result<bool, StoreError> {
    let mut any = false;
    for row in touched.votes().await? {
        if row.ended.is_none()
            && let Some(outcome) = over(touched, &row, now).await?
        {
            end(touched, &row, outcome, now).await?;
            any = true;
        }
    }
    Ok(any)
}

/// What a vote has come to without anybody's doing. A window that has closed counts as such once
/// what follows from it is announced: nobody learns by a vote that everybody has sealed.
async fn over(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    now: Time,
) -> Result<Option<VoteOutcome>, StoreError> {
    let open = touched.open_window().await?;
    let is_same = touched.table.open_window == Some(row.opened_in);
    let is_over = touched.table.stage == Stage::Over && is_same;
    let is_past = !is_same && open.as_ref().is_some_and(|open| open.opens_at <= now);
    if is_over || is_past || is_same && has_acted_since(open.as_ref(), row)? {
        return Ok(Some(VoteOutcome::Overtaken));
    }
    Ok((row.closes_at <= now).then_some(VoteOutcome::Expired))
}

/// Whether something has been done at once since it was proposed to take back what was the last: it
/// is never about another act.
fn has_acted_since(open: Option<&WindowRow>, row: &VoteRow) -> Result<bool, StoreError> {
    match (open, read_json(&row.what)?) {
        (Some(open), Override::TakeBack { act, .. }) => {
            let done = acts_in(&open.said);
            Ok(done.map_err(|error| StoreError::Unreadable(error.to_string()))? != act)
        }
        _ => Ok(false),
    }
}

/// Ends the open vote of a kind, but for the one that is being carried out: it is about something
/// that is no more.
pub(crate) async fn lapse(
    touched: &mut Touched<'_>,
    kind: VoteKind,
    but: Option<VoteNumber>,
    now: Time,
) -> Result<(), StoreError> {
    let is_it = |row: &VoteRow| row.kind == kind && row.ended.is_none() && Some(row.number) != but;
    for row in touched.votes().await?.into_iter().filter(is_it) {
        end(touched, &row, VoteOutcome::Overtaken, now).await?;
    }
    Ok(())
}

/// Ends a vote and tells it.
async fn end(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    outcome: VoteOutcome,
    now: Time,
) -> Result<Vote, StoreError> {
    touched.end_vote(row.number, outcome).await?;
    let vote = ended(touched, row, outcome).await?;
    tell(touched, format!("vote-{}-ended", row.number), &vote, now).await?;
    Ok(vote)
}

/// Tells everybody, in quiet hours too: a vote is not open for long.
async fn tell(
    touched: &mut Touched<'_>,
    id: String,
    vote: &Vote,
    now: Time,
) -> Result<(), StoreError> {
    let (seats, zone) = (touched.seats().await?, touched.table.pace.zone);
    let notice = Notice { seats: &seats, zone, contest: None, id, send_at: now };
    notice.post(touched, |_| vec![Part::Vote { vote: vote.clone() }]).await
}

async fn ended(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    outcome: VoteOutcome,
) -> Result<Vote, StoreError> {
    let (code, seats) = (touched.table.code.clone(), touched.seats().await?);
    let vote = Vote::of(touched.session(), &code, &seats, row).await?;
    Ok(Vote { outcome: Some(outcome), ..vote })
}

/// Carries a vote out if enough agree by now, and ends it if they cannot any more.
async fn count_up(
    touched: &mut Touched<'_>,
    games: Games,
    row: &VoteRow,
    now: Time,
) -> Result<Vote, StoreError> {
    let (code, seats) = (touched.table.code.clone(), touched.seats().await?);
    let what: Override = read_json(&row.what)?;
    let count = count::VoteCount::of(touched.session(), &code, &seats, row, &what).await?;
    if count.has_passed() {
        return carry_out(touched, games, row, what, now).await;
    }
    if count.is_hopeless() {
        return end(touched, row, VoteOutcome::Rejected, now).await;
    }
    Vote::of(touched.session(), &code, &seats, row).await
}

async fn carry_out(
    touched: &mut Touched<'_>,
    games: Games,
    row: &VoteRow,
    what: Override,
    now: Time,
) -> Result<Vote, StoreError> {
    let vote = ended(touched, row, VoteOutcome::Passed).await?;
    let voted = Voted { vote: vote.clone(), about: row.about.clone() };
    let deciding = Deciding::of_the_table(games, touched.table.code.clone(), what, voted, now);
    match Box::pin(deciding.make(touched, &row.person)).await {
        Ok(_) => touched.end_vote(row.number, VoteOutcome::Passed).await.map(|()| vote),
        Err(NotDone::Store(error)) => Err(error),
        // Nothing was changed: what keeps it from being carried out is found before.
        Err(_) => end(touched, row, VoteOutcome::Overtaken, now).await,
    }
}
