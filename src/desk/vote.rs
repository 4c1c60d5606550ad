//! Votes of the table: whoever sits there proposes something, and two thirds of those who do have to
//! agree.
//!
//! A vote is open until its time has come or the window has closed in which it was opened, and no
//! longer than it can pass. When it passes, what it says is carried out at once, by the very work of
//! what a game master decides. A voice can be changed until then. The journal has what was carried
//! out; a vote that came to nothing has changed nothing.

mod ballot;
mod count;
mod propose;
mod read;
mod show;

use serde::{Deserialize, Serialize};

use super::gm::{Deciding, Voted};
use super::letter::{Notice, Part};
use super::{Desk, Games, NotDone, Override, pace, read_json};
use crate::letters::Tally;
use crate::rules::Seat;
use crate::store::{SeatRow, Session, StoreError, Touched, VoteRow};
use crate::tables::Stage;
use crate::time::{Span, Time};

pub use ballot::{Ballot, Balloted};
pub use propose::Motion;
pub(super) use propose::{Proposing, has_others};
pub use read::{VoteFault, check as check_words, read, words_of};

/// How long a vote is open at most.
const LONGEST: Span = Span::days(1);

/// A vote of a table, as everybody there sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Its number at the table, from 0.
    pub number: i64,
    /// Where the one sits who proposed it, if they sit there still.
    pub by: Option<Seat>,
    /// What the table decides if it passes.
    pub what: Override,
    /// Why, in their words, if they gave any.
    pub reason: String,
    /// When it closes.
    pub closes: Time,
    /// How many agree.
    pub yes: usize,
    /// How many do not.
    pub no: usize,
    /// How many have to agree.
    pub needed: usize,
    /// Whether one voice beside that of who proposed it is enough.
    pub second: bool,
    /// What came of it; none while it is open.
    pub outcome: Option<Outcome>,
}

/// What came of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It has passed, and is carried out.
    Passed,
    /// So many do not agree that it cannot pass any more.
    Rejected,
    /// Its time is over.
    Expired,
    /// The window has closed, or what was to be decided cannot be any more.
    Overtaken,
}

impl Outcome {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Overtaken => "overtaken",
        }
    }

    fn of(word: &str) -> Result<Self, StoreError> {
        let all = [Self::Passed, Self::Rejected, Self::Expired, Self::Overtaken];
        let found = all.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| StoreError::Unreadable(format!("{word:?} comes of no vote")))
    }
}

impl Vote {
    /// How it stands.
    pub fn tally(&self) -> Tally {
        Tally { yes: self.yes, no: self.no, needed: self.needed }
    }

    /// A vote as it stands.
    pub(super) async fn of(
        session: &mut Session,
        code: &str,
        seats: &[SeatRow],
        row: &VoteRow,
    ) -> Result<Self, StoreError> {
        let what: Override = read_json(&row.what)?;
        let count = count::Count::of(session, code, seats, row, &what).await?;
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
            outcome: row.ended.as_deref().map(Outcome::of).transpose()?,
        })
    }
}

impl Desk {
    /// The votes of a table, in order.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn votes(&self, code: &str) -> Result<Vec<Vote>, StoreError> {
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
pub(super) async fn close_due(touched: &mut Touched<'_>, now: Time) -> Result<bool, StoreError> {
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
) -> Result<Option<Outcome>, StoreError> {
    let open = touched.open_window().await?;
    let is_same = touched.table.open_window == row.opened_in;
    let is_over = touched.table.stage == Stage::Over && is_same;
    let is_past = !is_same && open.is_some_and(|open| open.opens_at <= now);
    if is_over || is_past {
        return Ok(Some(Outcome::Overtaken));
    }
    Ok((row.closes_at <= now).then_some(Outcome::Expired))
}

/// Ends a vote and tells it.
async fn end(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    outcome: Outcome,
    now: Time,
) -> Result<Vote, StoreError> {
    touched.end_vote(row.number, outcome.word()).await?;
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
    let (seats, zone) = (touched.seats().await?, pace(&touched.table)?.zone);
    let notice = Notice { seats: &seats, zone, contest: None, id, send_at: now };
    notice.post(touched, |_| vec![Part::Vote { vote: vote.clone() }]).await
}

async fn ended(
    touched: &mut Touched<'_>,
    row: &VoteRow,
    outcome: Outcome,
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
    let count = count::Count::of(touched.session(), &code, &seats, row, &what).await?;
    if count.has_passed() {
        return carry_out(touched, games, row, what, now).await;
    }
    if count.is_hopeless() {
        return end(touched, row, Outcome::Rejected, now).await;
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
    let vote = ended(touched, row, Outcome::Passed).await?;
    let voted = Voted { vote: vote.clone(), about: row.about.clone() };
    let deciding = Deciding::of_the_table(games, touched.table.code.clone(), what, voted, now);
    match deciding.make(touched, &row.person).await {
        Ok(_) => touched.end_vote(row.number, Outcome::Passed.word()).await.map(|()| vote),
        Err(NotDone::Store(error)) => Err(error),
        // Nothing was changed: what keeps it from being carried out is found before.
        Err(_) => end(touched, row, Outcome::Overtaken, now).await,
    }
}
