//! Proposals of votes.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, announced_stage, contest};
use crate::model::overrides::Override;
use crate::model::vote::{Vote, about};
use crate::overrides::making::{count_open, count_up};
use crate::overrides::taking_back::take_back_act;
use crate::overrides::vote::count::voters;
use crate::overrides::vote::open::{ProposeVote, tell_open};
use letters::{Refused, VoteRefused};
use store::{SeatRow, Session, StoreError, Touched, WindowRow, absences, people};
use tables::Stage;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// Puts a decision to the vote, and votes for it. A vote that needs no other voice is carried out immediately.
/// Refused if the account has no seat, the vote could not be carried out now, or a vote of the same kind
/// is open.
pub async fn propose_vote(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    what: Override,
    now: Time,
) -> Result<Vote, NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let moving = Moving { games: desk.games, code, account, what, now };
    desk.carry_out(moving).await
}

struct Moving {
    games: Games,
    code: TableCode,
    account: AccountId,
    what: Override,
    now: Time,
}

#[async_trait]
impl Request for Moving {
    type Done = Vote;

    async fn carry_out(&self, session: &mut Session) -> Result<Vote, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        count_open(&mut touched, self.games, self.now).await?;
        let person = people::person(touched.session(), &self.account).await?;
        let seats = touched.seats().await?;
        let own = seats.iter().find(|row| row.is_of(person.as_ref()));
        let (Some(own), Some(person)) = (own.map(|row| row.seat), person) else {
            return Err(Refused::NotSeated.into());
        };
        let game = self.games.of(&touched.table)?;
        let window = announced(&mut touched, self.now).await?;
        if about(&self.what) == Some(own) {
            return Err(VoteRefused::NoVoice.into());
        }
        if matches!(self.what, Override::TakeBack { .. }) {
            let table = touched.table.clone();
            let contest = contest(touched.session(), game, &table, &seats, &window).await;
            take_back_act(&mut *contest.map_err(StoreError::from)?, &self.what)?;
        }
        self.check_voices(&mut touched, &seats).await?;
        let (what, now) = (self.what.clone(), self.now);
        let proposing = ProposeVote { person: &person, what, reason: "", second: false, now };
        let (row, _) = proposing.open(&mut touched, &window).await?;
        let vote = count_up(&mut touched, self.games, &row, self.now).await?;
        if vote.outcome.is_none() {
            tell_open(&mut touched, &row, &vote).await?;
        }
        Ok(vote)
    }
}

impl Moving {
    /// Refuses a vote of a single voter about the seat of a player who is there.
    async fn check_voices(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
    ) -> Result<(), NotDone> {
        let Some(seat) = about(&self.what) else { return Ok(()) };
        let presences = absences::presences(touched.session(), &self.code).await?;
        let row = presences.iter().find(|row| row.seat == seat);
        let is_gone = row.is_some_and(|row| row.inactive_at.is_some());
        let alone = voters(seats, Some(seat)).len() < 2;
        if alone && !is_gone { Err(VoteRefused::OneVoice.into()) } else { Ok(()) }
    }
}

/// Returns the open window, if it has been announced.
async fn announced(touched: &mut Touched<'_>, now: Time) -> Result<WindowRow, NotDone> {
    let open = touched.open_window().await?;
    match announced_stage(&touched.table, open.as_ref(), now) {
        Stage::Forming => return Err(Refused::NotBegun.into()),
        Stage::Over => return Err(Refused::Over.into()),
        Stage::Playing => {}
    }
    let window = open.ok_or(Refused::NotBegun)?;
    if now < window.opens_at {
        return Err(Refused::NotYet.into());
    }
    // A passed deadline is handled by the clock, as for a declaration.
    if touched.table.held.is_none() && !window.timing().takes(now) {
        return Err(Refused::NotYet.into());
    }
    Ok(window)
}
