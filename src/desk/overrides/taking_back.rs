//! The taking back of the last act in the open window.

use crate::model::desk::NotDone;
use crate::model::overrides::{Override, Verb};
use crate::overrides::deciding::{Done, Run};
use crate::overrides::decision::Remark;
use crate::overrides::vote::lapse;
use crate::window::act::keep_acts;
use crate::window::resolve::settle;
use games::any::AnyContest;
use letters::{OverrideRefused, Refused};

impl Override {
    /// Returns the decision that takes back the last act in the open window.
    pub(crate) fn of_last_act(contest: &dyn AnyContest) -> Self {
        Self::TakeBack { seat: contest.last_actor(), act: contest.acts_done() }
    }
}

/// Takes back the last act in the open window. Declarations in the window stay.
pub(crate) async fn take_back(run: &mut Run<'_, '_>) -> Result<Done, NotDone> {
    let mut window = run.announced_window().await?;
    let (_, mut contest) = run.contest(&window).await?;
    take_back_act(&mut *contest, &run.deciding.decision.what)?;
    let own = run.deciding.voted.as_ref().map(|voted| voted.vote.number);
    lapse(run.touched, Verb::TakeBack, own, run.deciding.now).await?;
    keep_acts(run.touched, &*contest, &mut window).await?;
    settle(run.touched, &*contest, &window, run.deciding.now).await?;
    Ok(Done::default().with(Remark::Posted))
}

/// Takes back the last act in the open window, if the decision is about it. Refused for an act that ended all
/// questions, and so closes the window.
pub(crate) fn take_back_act(contest: &mut dyn AnyContest, what: &Override) -> Result<(), Refused> {
    if contest.last_actor().is_none() {
        return Err(OverrideRefused::NoAct.into());
    }
    if *what != Override::of_last_act(contest) {
        return Err(Refused::MovedOn);
    }
    if contest.asked().is_empty() {
        return Err(Refused::NotNow);
    }
    contest.take_back().map_err(|clause| OverrideRefused::ActStands(clause).into())
}
