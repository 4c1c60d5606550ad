//! The rules that differ by the kind of decision. A new kind stands in the list of `model::overrides`, and
//! here.

use crate::model::{Override, Result, Stored, is_stuck, refuse_if};
use crate::overrides::decision::{Audience, Because, Effect, Remark, Run};
use crate::overrides::gm_view::seats_of;
use crate::overrides::{history, judge, seats, windows};
use letters::{OverrideRefused, Refused};
use store::{OverrideRow, Touched, WindowRow};
use tables::{EndKind, Notified};

impl Override {
    /// True if the decision is possible before the game begins.
    pub(crate) fn fits_forming(&self) -> bool {
        let is_seat = matches!(self, Self::Invite { .. } | Self::Kick { .. } | Self::Host { .. });
        is_seat || matches!(self, Self::Cancel | Self::Say { .. } | Self::Undo { .. })
    }

    /// True if the effect of the decision, or its refusal, depends on information hidden from players.
    pub(crate) fn stands_on_what_is_hidden(&self) -> bool {
        matches!(self, Self::Judge { .. } | Self::InWords { .. } | Self::Edit { .. })
    }

    /// True if a pause or a lock outlasts this decision, although it opens another window.
    pub(crate) fn keeps_pause(&self) -> bool {
        matches!(self, Self::Void | Self::Judge { .. } | Self::Edit { .. } | Self::Rollback { .. })
    }

    /// True if a vote about the decision passes with all voices only: nobody loses a lead or an act against
    /// their will.
    pub(crate) fn needs_all_voices(&self) -> bool {
        matches!(self, Self::End | Self::TakeBack { .. })
    }
}

/// Carries out the decision.
pub(crate) async fn carry_out(run: &mut Run<'_, '_>) -> Result<Effect> {
    use Override as O;
    match &run.attempt.decision.what {
        O::Extend { closes } => windows::extend(run, *closes).await,
        O::Close => windows::close(run).await,
        O::Pause { until } => windows::pause(run, *until).await,
        O::Resume => windows::resume(run).await,
        O::Lock { stops } => windows::lock(run, *stops).await,
        O::Unlock => windows::unlock(run).await,
        O::Void => windows::void(run).await,
        O::TakeBack { .. } => judge::take_back(run).await,
        O::Hold => windows::hold(run).await,
        O::Publish => windows::publish(run).await,
        O::Judge { window, change } => judge::judge(run, *window, change).await,
        O::Edit { said: moves } => windows::edit(run, moves).await,
        O::Pace { pace } => seats::set_pace(run.tx, pace).await,
        O::Absence { absence } => seats::set_absence(run, *absence).await,
        O::Say { to, .. } if !to.is_empty() => Ok(Effect::default()),
        O::Rule { .. } | O::Say { .. } => Ok(Effect::default().with(Remark::Posted)),
        O::Replace { seat } => seats::replace(run, *seat).await,
        O::House { seat, policy } => seats::house(run, *seat, policy).await,
        O::Swap { a, b } => seats::swap(run, *a, *b).await,
        O::Call { seat } => seats::call(run, *seat).await,
        O::Recall { seat } => seats::recall(run, *seat).await,
        O::Invite { seat } => seats::invite(run, *seat).await,
        O::Kick { seat } => seats::kick(run, *seat).await,
        O::Host { seat } => seats::hand_over(run, *seat).await,
        O::Rollback { number, .. } => history::roll_back(run, *number).await,
        O::End => history::end(run, EndKind::Ended).await,
        O::Cancel => history::end(run, EndKind::Cancelled).await,
        O::Open => history::open(run).await,
        O::Undo { number } => history::undo(run, *number).await,
        O::InWords { .. } => Err(OverrideRefused::Unfit.into()),
        O::Tried { .. } => Ok(Effect::default().with(Remark::Final)),
    }
}

/// Returns the possible audience: decided only here, shown before the override is made, and stored.
pub(crate) fn audience(
    what: &Override,
    overrides: &[OverrideRow],
    done: &Effect,
    plays: bool,
) -> Stored<Audience> {
    // A playing decider's decisions are public.
    let because = if plays { Some(Because::Playing) } else { done.notified };
    if let Some(because) = because {
        return Ok(Audience::Everybody { because });
    }
    Ok(match what {
        Override::Open => Audience::Everybody { because: Because::Watched },
        Override::TakeBack { .. } => Audience::Everybody { because: Because::Seen },
        Override::Pace { .. } | Override::Absence { .. } => {
            Audience::Everybody { because: Because::Applied }
        }
        Override::Say { to, .. } if !to.is_empty() => Audience::Alone { alone: to.clone() },
        Override::Undo { number } => {
            let row = overrides.iter().find(|row| row.number == *number);
            let alone = seats_of(overrides, *number)?;
            // The undo of a private decision is private.
            let is_quiet = row.is_some_and(|row| row.notice == Notified::Private);
            if is_quiet { Audience::Alone { alone } } else { Audience::Choice { alone } }
        }
        what => Audience::Choice { alone: what.seats() },
    })
}

/// Checks that a vote of the table could be carried out now.
pub(crate) async fn check(tx: &mut Touched<'_>, window: &WindowRow, what: &Override) -> Result<()> {
    refuse_if(is_stuck(tx), Refused::Held)?;
    match what {
        Override::Extend { closes } => {
            windows::extended(tx, window, *closes).await?;
            if *closes > window.closes_at { Ok(()) } else { Err(OverrideRefused::NoLater.into()) }
        }
        Override::Pause { until } => windows::paused(tx, *until).await.map(drop),
        Override::Resume => Ok(windows::check_objection(tx)?),
        Override::House { seat, .. } => {
            let seats = tx.seats().await?;
            let sits = seats.iter().any(|row| row.seat == *seat && row.person.is_some());
            if sits { Ok(()) } else { Err(Refused::NoSeat.into()) }
        }
        Override::Pace { pace } => seats::check_pace(tx, pace),
        Override::Absence { absence } => seats::check_absence(tx, *absence).await,
        _ => Ok(()),
    }
}
