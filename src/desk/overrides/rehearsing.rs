//! Dry runs of overrides, their proposals, and the making of overrides.

use async_trait::async_trait;
use futures_util::FutureExt;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::overrides::{Gm, Override};
use crate::model::people::Guest;
use crate::model::random;
use crate::overrides::deciding::{Deciding, Done, Run};
use crate::overrides::decision::{
    Audience, Because, Decision, Made, Rehearsal, Remark, TableSnapshot,
};
use crate::overrides::in_words::{self, tells_what_is_hidden};
use crate::overrides::making;
use letters::{OverrideRefused, Refused};
use rules::{Seat, Viewer};
use store::{ProposalRow, Session, StoreError, overrides, read_json, write_json};
use tables::ids::{ProposalId, TableCode};
use tables::time::Time;

/// Returns the dry run of an override. Nothing is changed.
pub async fn rehearse(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    what: Override,
    guest: Option<Guest>,
    now: Time,
) -> Result<Rehearsal, NotDone> {
    let decision = Decision { guest, ..what.into() };
    desk.carry_out(Rehearsing(deciding(desk, code, gm, decision, now))).await
}

/// Stores the decision as it was shown to a game master, and returns the id for making it.
pub async fn propose(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    decision: &Decision,
    now: Time,
) -> Result<ProposalId, StoreError> {
    let row = ProposalRow {
        proposal: random::id().into(),
        code: code.to_owned(),
        account: gm.account.clone(),
        what: write_json(&decision.what)?,
        guest: decision.guest.as_ref().map(write_json).transpose()?,
        foundation: decision.foundation.clone().unwrap_or_default(),
        shown: Some(write_json(&decision.shown)?),
    };
    let id = row.proposal.clone();
    let stored = desk
        .store
        .write_about((row, now), |(row, now), to| overrides::keep_proposal(to, row, *now).boxed());
    stored.await?;
    Ok(id)
}

/// Returns a stored decision and the code of its table; `None` if it was shown to another account, or too
/// long ago.
pub async fn proposal(
    desk: &Desk,
    id: &ProposalId,
    gm: &Gm,
) -> Result<Option<(TableCode, Decision)>, NotDone> {
    let row = overrides::proposal(&mut desk.store.read().await?, id, &gm.account).await?;
    let Some(row) = row else { return Ok(None) };
    let decision = Decision {
        guest: row.guest.as_deref().map(read_json).transpose()?,
        foundation: Some(row.foundation),
        shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
        ..Decision::from(read_json::<Override>(&row.what)?)
    };
    Ok(Some((row.code, decision)))
}

/// Makes an override.
/// Refused if the caller is not a game master of the table, the reason is missing, the override cannot be
/// made now, or the table has changed since the dry run.
pub async fn decide(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    decision: Decision,
    now: Time,
) -> Result<Made, NotDone> {
    if decision.reason.trim().is_empty() {
        return Err(OverrideRefused::NoReason.into());
    }
    let deciding = deciding(desk, code, gm, decision, now);
    let made = desk.carry_out(deciding.clone()).await;
    match made {
        Err(NotDone::Refused(why)) if tells_what_is_hidden(&why) => {
            desk.carry_out(Trying { deciding, why }).await?;
            Err(OverrideRefused::InVain.into())
        }
        made => made,
    }
}

fn deciding(desk: &Desk, code: &TableCode, gm: &Gm, decision: Decision, now: Time) -> Deciding {
    let drawn = [random::person(), random::person()];
    Deciding { drawn, ..Deciding::new(desk.games, code.to_owned(), gm.clone(), decision, now) }
}

/// A dry run: the override is made, and rolled back.
pub(crate) struct Rehearsing(pub(crate) Deciding);

#[async_trait]
impl Request for Rehearsing {
    type Done = Rehearsal;

    async fn carry_out(&self, session: &mut Session) -> Result<Rehearsal, NotDone> {
        let deciding = &self.0;
        let mut touched = session.touch(&deciding.code).await?.ok_or(Refused::NoTable)?;
        let run = &mut deciding.at(&mut touched);
        let person = run.authorize().await?;
        if let Some(seat) = in_words::blind(run).await? {
            return Box::pin(rehearse_blindly(run, seat)).await;
        }
        let foundation = run.touched.table.chain.clone();
        let mut before = run.snapshot().await?;
        // Undoing a closing must not reveal the unannounced result.
        let is_untold =
            run.touched.open_window().await?.is_some_and(|open| open.opens_at > deciding.now);
        let hides = is_untold && matches!(deciding.decision.what, Override::Undo { .. });
        let done = making::make(run, &person).await?;
        let is_unseen = |remark: &Remark| matches!(remark, Remark::Unseen { .. });
        let mut after =
            if done.remarks.iter().any(is_unseen) { None } else { Some(run.snapshot().await?) };
        if hides {
            before.last = None;
            if let Some(after) = &mut after {
                after.last = None;
            }
        }
        let Done { remarks, foreseen, audience, .. } = done;
        // A vote is announced to everybody.
        let everybody = Audience::Everybody { because: Because::Playing };
        let audience = audience.unwrap_or(everybody);
        Ok(Rehearsal { before, after, audience, foreseen, remarks, foundation })
    }

    fn keeps(_: &Result<Rehearsal, NotDone>) -> bool {
        false
    }
}

/// Returns the dry run of a decision about hidden information, which is the same for every result.
pub(crate) async fn rehearse_blindly(
    run: &mut Run<'_, '_>,
    seat: Seat,
) -> Result<Rehearsal, NotDone> {
    let (foundation, before) = (run.touched.table.chain.clone(), run.snapshot().await?);
    let person = run.authorize().await?;
    let foreseen = match (&run.deciding.decision.what, run.touched.open_window().await?) {
        (Override::Edit { said: moves }, Some(window)) => {
            run.contest(&window).await?.1.foresee(moves, Viewer::Public)
        }
        _ => Vec::new(),
    };
    match making::make(run, &person).await {
        Ok(_) => {}
        Err(NotDone::Refused(why)) if tells_what_is_hidden(&why) => {}
        Err(error) => return Err(error),
    }
    Ok(Rehearsal {
        before: TableSnapshot { last: None, ..before },
        after: None,
        audience: Audience::Everybody { because: Because::Playing },
        foreseen,
        remarks: vec![Remark::Playing { seat }, Remark::Unseen { missing: Vec::new() }],
        foundation,
    })
}

/// A request to announce a decision that failed on hidden information.
pub(crate) struct Trying {
    pub(crate) deciding: Deciding,
    /// The reason of the failure.
    pub(crate) why: Refused,
}

#[async_trait]
impl Request for Trying {
    type Done = Made;

    async fn carry_out(&self, session: &mut Session) -> Result<Made, NotDone> {
        let deciding = &self.deciding;
        let mut touched = session.touch(&deciding.code).await?.ok_or(Refused::NoTable)?;
        let mut run = deciding.at(&mut touched);
        let person = run.authorize().await?;
        let foundation = &deciding.decision.foundation;
        if foundation.as_ref().is_some_and(|foundation| *foundation != run.touched.table.chain) {
            return Err(Refused::MovedOn.into());
        }
        if in_words::blind(&mut run).await?.is_none() {
            return Err(self.why.into());
        }
        let what = Override::Tried { what: Box::new(deciding.decision.what.clone()) };
        let decision = Decision { what, ..deciding.decision.clone() };
        let tried = Deciding { decision, ..deciding.clone() };
        let Done { number, .. } = making::make(&mut tried.at(&mut touched), &person).await?;
        Ok(Made { number, before: false, vote: false, is_final: true })
    }

    fn keeps(done: &Result<Made, NotDone>) -> bool {
        done.is_ok()
    }
}
