//! Ballots, and their results.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::Games;
use crate::model::overrides::{Override, Verb};
use crate::model::vote::{Vote, about};
use crate::overrides::making::count_up;
use crate::overrides::vote;
use crate::overrides::vote::propose::propose_vote;
use letters::{Refused, VoteRefused};
use store::{Session, StoreError, VoteRow, people, read_json, votes};
use tables::ids::{AccountId, TableCode, VoteNumber};
use tables::time::Time;

/// The input of a player about the votes of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ballot {
    /// The question for the open votes.
    Show,
    /// A decision to be put to the vote.
    Propose(Override),
    Voice {
        yes: bool,
        /// The kind of vote; `None` if only one is open.
        kind: Option<Verb>,
    },
}

/// The result of a ballot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Balloted {
    /// The open votes.
    Shown(Vec<Vote>),
    Proposed(Vote),
    /// The voice counts.
    Counted {
        yes: bool,
        vote: Vote,
    },
    /// The ballot fits several votes.
    Several(Vec<Vote>),
}

/// Carries out a ballot.
/// Refused as by [`propose_vote`] and [`give_voice`], or if no such vote is open.
pub async fn ballot(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    ballot: &Ballot,
    now: Time,
) -> Result<Balloted, NotDone> {
    let (yes, kind) = match ballot {
        Ballot::Propose(what) => {
            let vote = propose_vote(desk, code, account, what.clone(), now).await?;
            return Ok(Balloted::Proposed(vote));
        }
        Ballot::Show => return Ok(Balloted::Shown(open_votes(desk, code).await?)),
        Ballot::Voice { yes, kind } => (*yes, *kind),
    };
    let mut open = open_votes(desk, code).await?;
    open.retain(|vote| kind.is_none_or(|kind| vote.what.verb() == kind));
    match open.as_slice() {
        [] => Err(VoteRefused::NoVote.into()),
        [vote] => {
            let vote = give_voice(desk, code, account, vote.number, yes, now).await?;
            Ok(Balloted::Counted { yes, vote })
        }
        _ => Ok(Balloted::Several(open)),
    }
}

async fn open_votes(desk: &Desk, code: &TableCode) -> Result<Vec<Vote>, StoreError> {
    let mut votes = vote::votes(desk, code).await?;
    votes.retain(|vote| vote.outcome.is_none());
    Ok(votes)
}

/// Gives a voice in a vote, in place of the person's former one. A vote that passes is carried out.
/// Refused if the person is not seated, the vote is about their own seat, or is over.
pub async fn give_voice(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    number: VoteNumber,
    yes: bool,
    now: Time,
) -> Result<Vote, NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let voting = Voting { games: desk.games, code, account, number, yes, now };
    desk.carry_out(voting).await
}

struct Voting {
    games: Games,
    code: TableCode,
    account: AccountId,
    number: VoteNumber,
    yes: bool,
    now: Time,
}

#[async_trait]
impl Request for Voting {
    type Done = Vote;

    async fn carry_out(&self, session: &mut Session) -> Result<Vote, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let person = people::person(touched.session(), &self.account).await?;
        let seats = touched.seats().await?;
        let own = seats.iter().find(|row| row.is_of(person.as_ref()));
        let (Some(own), Some(person)) = (own, &person) else {
            return Err(Refused::NotSeated.into());
        };
        self.games.of(&touched.table)?;
        let is_it = |row: &VoteRow| row.number == self.number && row.ended.is_none();
        let row = votes::all_at(&mut touched)
            .await?
            .into_iter()
            .find(is_it)
            .ok_or(VoteRefused::VoteOver)?;
        if count_up(&mut touched, self.games, &row, self.now).await?.outcome.is_some() {
            return Err(VoteRefused::VoteOver.into());
        }
        let window = touched.open_window().await?.ok_or(VoteRefused::VoteOver)?;
        if self.now < window.opens_at {
            return Err(Refused::NotYet.into());
        }
        // A passed deadline is handled by the clock, as for a declaration.
        if touched.table.held.is_none() && !window.timing().takes(self.now) {
            return Err(VoteRefused::VoteOver.into());
        }
        let what: Override = read_json(&row.what)?;
        if about(&what) == Some(own.seat) {
            return Err(VoteRefused::NoVoice.into());
        }
        votes::keep_voice(&mut touched, row.number, person, self.yes).await?;
        votes::stir_vote(&mut touched, row.number).await?;
        Ok(count_up(&mut touched, self.games, &row, self.now).await?)
    }
}
