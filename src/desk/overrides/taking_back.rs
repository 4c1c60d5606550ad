//! What was done at once is taken back: the last of it, as long as the open window lasts.

use crate::desk::model::desk::NotDone;
use crate::desk::model::overrides::Override;
use crate::desk::overrides::deciding::{Deciding, Done};
use crate::desk::overrides::decision::Remark;
use crate::desk::overrides::vote::lapse;
use crate::desk::window::act::keep_acts;
use crate::desk::window::resolve::settle;
use crate::games::any::AnyContest;
use crate::letters::{OverrideRefused, Refused};
use crate::store::Touched;
use crate::tables::VoteKind;

impl Override {
    /// That the last of what was done at once in the open window is taken back, whatever that is.
    pub(in crate::desk) fn of_last_act(contest: &dyn AnyContest) -> Self {
        Self::TakeBack { seat: contest.last_actor(), act: contest.acts_done() }
    }
}

impl Deciding {
    /// Takes back what was done last in the open window, if that is still what was meant. What has
    /// been declared in the window stays.
    pub(in crate::desk) async fn take_back(
        &self,
        touched: &mut Touched<'_>,
    ) -> Result<Done, NotDone> {
        let mut window = self.announced_window(touched).await?;
        let seats = touched.seats().await?;
        let mut contest = self.contest(touched, &seats, &window).await?;
        if contest.last_actor().is_some() && self.decision.what != Override::of_last_act(&*contest)
        {
            return Err(Refused::MovedOn.into());
        }
        take_back(&mut *contest)?;
        let own = self.voted.as_ref().map(|voted| voted.vote.number);
        lapse(touched, VoteKind::TakeBack, own, self.now).await?;
        keep_acts(touched, &*contest, &mut window).await?;
        settle(touched, &*contest, &window, self.now).await?;
        Ok(Done::default().with(Remark::Posted))
    }
}

/// Takes back what was done last in the open window. What has closed it, as nobody is asked any more,
/// stands.
pub(in crate::desk) fn take_back(contest: &mut dyn AnyContest) -> Result<(), Refused> {
    if contest.last_actor().is_none() {
        return Err(OverrideRefused::NoAct.into());
    }
    if contest.asked().is_empty() {
        return Err(Refused::NotNow);
    }
    contest.take_back().map_err(|clause| OverrideRefused::ActStands(clause).into())
}
