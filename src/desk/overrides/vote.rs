//! Votes of the table: a player proposes something, and two thirds of the players must agree.
//!
//! A vote is open until its time has come, its window has closed or it can no longer pass. The vote is
//! counted at each voice, at each change of players and at its end. A vote that passes is carried out
//! immediately, like a decision of a game master. Until then voices can be changed. The journal has the
//! decisions carried out; a failed vote changes nothing.

use crate::model::{Desk, Override, Verb, Vote, about};
use crate::record::{Notice, Part};
use letters::VoteTally;
use rules::Seat;
use rules::contest::acts_in;
use store::{
    Result, SeatRow, Session, StoreError, Touched, VoteRow, WindowRow, read_json, traces, votes,
};
use tables::{PersonId, Stage, TableCode, VoteNumber, VoteOutcome};

impl Vote {
    /// Returns the count of the vote.
    pub fn tally(&self) -> VoteTally {
        VoteTally { yes: self.yes, no: self.no, needed: self.needed }
    }

    /// Returns a vote with its current count.
    pub(crate) async fn of(
        db: &mut Session,
        code: &TableCode,
        seats: &[SeatRow],
        row: &VoteRow,
    ) -> Result<Self> {
        let what: Override = read_json(&row.what)?;
        let count = VoteCount::of(db, code, seats, row, &what).await?;
        let by = seats.iter().find(|seat| seat.is_of(Some(&row.person)));
        let sits = seats.iter().find(|seat| seat.is_of(row.about.as_ref()));
        let about = match (sits, &row.about) {
            (Some(seat), _) => Some(seat.called().to_owned()),
            (None, Some(person)) => {
                let left = traces::former_seats(db, person).await?;
                let left = left.iter().rfind(|left| left.code == *code);
                left.map(|left| left.called().to_owned())
            }
            (None, None) => None,
        };
        Ok(Self {
            number: row.number,
            by: by.map(|row| row.seat),
            about: about.filter(|name| !name.is_empty()),
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

/// Returns the votes of a table, in order.
pub async fn votes(desk: &Desk, code: &TableCode) -> Result<Vec<Vote>> {
    let mut db = desk.store.read().await?;
    let seats = db.seats(code).await?;
    let mut votes = Vec::new();
    for row in votes::all(&mut db, code).await? {
        votes.push(Vote::of(&mut db, code, &seats, &row).await?);
    }
    Ok(votes)
}

/// Returns the current outcome of a vote; `None` if it stays open.
pub(crate) async fn verdict(tx: &mut Touched<'_>, row: &VoteRow) -> Result<Option<VoteOutcome>> {
    let (code, seats) = (tx.table.code.clone(), tx.seats().await?);
    let what: Override = read_json(&row.what)?;
    if is_overtaken(tx, &seats, row, &what).await? {
        return Ok(Some(VoteOutcome::Overtaken));
    }
    let count = VoteCount::of(tx.db, &code, &seats, row, &what).await?;
    Ok(if count.has_passed() {
        Some(VoteOutcome::Passed)
    } else if row.closes_at <= tx.now {
        Some(VoteOutcome::Expired)
    } else {
        count.is_hopeless().then_some(VoteOutcome::Rejected)
    })
}

/// True if the subject of the vote is gone: the window has closed, the seat has another player, or another
/// act was done since. A closed window counts only once its result is announced: no vote reveals that
/// everybody has sealed.
async fn is_overtaken(
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
    row: &VoteRow,
    what: &Override,
) -> Result<bool> {
    let open = tx.open_window().await?;
    let is_same = tx.table.open_window == Some(row.opened_in);
    let is_over = tx.table.stage == Stage::Over && is_same;
    let is_past = !is_same && open.as_ref().is_some_and(|open| open.opens_at <= tx.now);
    if is_over || is_past || is_same && has_acted_since(open.as_ref(), what)? {
        return Ok(true);
    }
    let seat = about(what).and_then(|about| seats.iter().find(|seat| seat.seat == about));
    Ok(seat.is_some_and(|seat| seat.person != row.about))
}

/// True if acts have changed since the proposal to take back the last one, which never applies to another
/// act.
fn has_acted_since(open: Option<&WindowRow>, what: &Override) -> Result<bool> {
    match (open, what) {
        (Some(open), Override::TakeBack { act, .. }) => {
            let done = acts_in(&open.said);
            Ok(done.map_err(|error| StoreError::Unreadable(error.to_string()))? != *act)
        }
        _ => Ok(false),
    }
}

/// Ends the open votes of a kind whose subject is gone, except the one being carried out.
pub(crate) async fn lapse(tx: &mut Touched<'_>, verb: Verb, but: Option<VoteNumber>) -> Result<()> {
    let is_open = |row: &VoteRow| row.ended.is_none() && Some(row.number) != but;
    for row in votes::all(tx.db, &tx.table.code).await?.into_iter().filter(is_open) {
        if read_json::<Override>(&row.what)?.verb() == verb {
            end(tx, &row, VoteOutcome::Overtaken).await?;
        }
    }
    Ok(())
}

/// Ends a vote and announces it.
pub(crate) async fn end(tx: &mut Touched<'_>, row: &VoteRow, how: VoteOutcome) -> Result<Vote> {
    votes::end_vote(tx, row.number, how).await?;
    let vote = ended(tx, row, how).await?;
    tell(tx, format!("vote-{}-ended", row.number), &vote).await?;
    Ok(vote)
}

/// Notifies everybody, even in quiet hours: a vote is open only shortly.
pub(crate) async fn tell(tx: &mut Touched<'_>, id: String, vote: &Vote) -> Result<()> {
    let seats = tx.seats().await?;
    let notice = Notice::of(&seats, id, tx.now);
    notice.post(tx, &|_| vec![Part::Vote { vote: vote.clone() }]).await
}

pub(crate) async fn ended(tx: &mut Touched<'_>, row: &VoteRow, how: VoteOutcome) -> Result<Vote> {
    let (code, seats) = (tx.table.code.clone(), tx.seats().await?);
    let vote = Vote::of(tx.db, &code, &seats, row).await?;
    Ok(Vote { outcome: Some(how), ..vote })
}

/// The count of a vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VoteCount {
    pub(crate) yes: usize,
    pub(crate) no: usize,
    /// The number of voters.
    pub(crate) voters: usize,
    /// True if one vote besides the proposer's is enough.
    pub(crate) second: bool,
    /// True if all must agree.
    pub(crate) all: bool,
}

impl VoteCount {
    pub(crate) async fn of(
        db: &mut Session,
        code: &TableCode,
        seats: &[SeatRow],
        row: &VoteRow,
        what: &Override,
    ) -> Result<Self> {
        let voters = voters(seats, about(what));
        let voices = votes::voices(db, code, row.number).await?;
        let of = |yes: bool| {
            let voices = voices.iter().filter(|voice| voice.yes == yes);
            voices.filter(|voice| voters.contains(&&voice.person)).count()
        };
        let (yes, no) = (of(true), of(false));
        let (second, all) = (row.second, what.needs_all_voices());
        Ok(Self { yes, no, voters: voters.len(), second, all })
    }

    /// Returns the number of votes needed: two thirds of the voters, rounded up; all voters if all must
    /// agree; or two, with the proposer's.
    pub(crate) fn needed(&self) -> usize {
        if self.all {
            return self.voters.max(1);
        }
        let most = (2 * self.voters).div_ceil(3).max(1);
        if self.second { most.min(2) } else { most }
    }

    fn has_passed(&self) -> bool {
        self.yes >= self.needed()
    }

    fn is_hopeless(&self) -> bool {
        self.voters.saturating_sub(self.no) < self.needed()
    }
}

/// Returns the voters: all players except the one whose seat the vote is about.
pub(crate) fn voters(seats: &[SeatRow], about: Option<Seat>) -> Vec<&PersonId> {
    let voters = seats.iter().filter(|row| Some(row.seat) != about);
    voters.filter_map(|row| row.person.as_ref()).collect()
}

/// True if another person than this seat's player sits at the table.
pub(crate) fn has_others(seats: &[SeatRow], seat: Seat) -> bool {
    seats.iter().any(|row| row.seat != seat && row.person.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_thirds_are_rounded_up() {
        let needed = |voters: usize, second: bool, all: bool| {
            VoteCount { yes: 0, no: 0, voters, second, all }.needed()
        };
        let all: Vec<usize> = (1..=8).map(|voters| needed(voters, false, false)).collect();
        assert_eq!(all, [1, 2, 2, 3, 4, 4, 5, 6]);
        let second: Vec<usize> = (1..=8).map(|voters| needed(voters, true, false)).collect();
        assert_eq!(second, [1, 2, 2, 2, 2, 2, 2, 2]);
        let draw: Vec<usize> = (1..=8).map(|voters| needed(voters, false, true)).collect();
        assert_eq!(draw, [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_vote_is_over_once_too_many_do_not_agree() {
        let hopeless = |no: usize, voters: usize| {
            VoteCount { yes: 0, no, voters, second: false, all: false }.is_hopeless()
        };
        assert_eq!([hopeless(1, 2), hopeless(1, 3), hopeless(2, 3)], [true, false, true]);
        assert_eq!([hopeless(1, 4), hopeless(2, 4), hopeless(2, 6)], [false, true, false]);
        assert_eq!([hopeless(1, 6), hopeless(3, 6)], [false, true]);
    }
}
