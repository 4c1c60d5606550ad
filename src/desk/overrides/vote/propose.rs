//! Proposals of votes.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, announced_stage, contest, window_pace};
use crate::model::overrides::Override;
use crate::model::vote::{Vote, about};
use crate::overrides::making::{count_open, count_up};
use crate::overrides::taking_back::take_back_act;
use crate::overrides::vote::count::voters;
use crate::overrides::vote::open::{ProposeVote, tell_open};
use letters::{OverrideRefused, Refused, VoteRefused};
use rules::Seat;
use store::{SeatRow, Session, StoreError, Touched, WindowRow, absences, people};
use tables::ids::{AccountId, TableCode};
use tables::time::Time;
use tables::{Absence, Pace, Stage};

/// A proposal of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Motion {
    /// The open window closes later.
    Extend {
        /// The new deadline; `None` for one window's length more.
        closes: Option<Time>,
    },
    /// The table is paused.
    Pause { until: Time },
    /// The table resumes: an objection to its pause.
    Resume,
    /// A house player takes a seat.
    Replace { seat: Seat },
    /// Windows have another pace, from the next one on.
    Pace(Box<Pace>),
    /// Missing players are treated differently, from the next window on.
    Absence(Absence),
    /// The last act in the open window is taken back.
    TakeBack,
    /// The table is ended as a draw.
    Draw,
}

/// Proposes a vote, and votes for it. A vote that needs no other voice is carried out immediately.
/// Refused if the account has no seat, the vote could not be carried out now, or a vote of the same kind
/// is open.
pub async fn propose_vote(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    motion: Motion,
    now: Time,
) -> Result<Vote, NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let moving = Moving { games: desk.games, code, account, motion, now };
    desk.carry_out(moving).await
}

struct Moving {
    games: Games,
    code: TableCode,
    account: AccountId,
    motion: Motion,
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
        let what = match self.motion.clone() {
            Motion::Extend { closes } => {
                let pace = window_pace(&touched.table, &window);
                let next = || pace.deadline(window.closes_at);
                Override::Extend { closes: closes.unwrap_or_else(next) }
            }
            Motion::Pause { until } => Override::Pause { until },
            Motion::Resume => Override::Resume,
            Motion::Replace { seat } if seat == own => return Err(VoteRefused::NoVoice.into()),
            Motion::Replace { seat } => {
                let policies = game.policies();
                let policy = (*policies.last().ok_or(OverrideRefused::NoPolicy)?).to_owned();
                Override::House { seat, policy }
            }
            Motion::Pace(pace) => Override::Pace { pace },
            Motion::Absence(absence) => Override::Absence { absence },
            Motion::TakeBack => self.of_last_act(&mut touched, &seats, &window).await?,
            Motion::Draw => Override::End,
        };
        self.check_voices(&mut touched, &seats, &what).await?;
        let now = self.now;
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
    /// Returns the decision to take back the last act, if that is possible.
    async fn of_last_act(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        window: &WindowRow,
    ) -> Result<Override, NotDone> {
        let table = touched.table.clone();
        let game = self.games.of(&table)?;
        let contest = contest(touched.session(), game, &table, seats, window).await;
        let contest = contest.map_err(StoreError::from)?;
        take_back_act(&mut *contest.copy())?;
        Ok(Override::of_last_act(&*contest))
    }

    /// Refuses a vote of a single voter about the seat of a player who is there.
    async fn check_voices(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        what: &Override,
    ) -> Result<(), NotDone> {
        let Some(seat) = about(what) else { return Ok(()) };
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
