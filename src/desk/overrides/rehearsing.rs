//! An override that is made in order to be looked at.

use crate::desk::model::desk::{NotDone, Request};
use crate::desk::model::overrides::Override;
use crate::desk::overrides::deciding::{Deciding, Done};
use crate::desk::overrides::decision::{Audience, Because, Rehearsal, Remark};
use crate::letters::Refused;
use crate::store::Session;

/// An override that is made in order to be looked at, and undone.
pub(in crate::desk) struct Rehearsing(pub(in crate::desk) Deciding);

impl Request for Rehearsing {
    type Done = Rehearsal;

    async fn carry_out(&self, session: &mut Session) -> Result<Rehearsal, NotDone> {
        let deciding = &self.0;
        let mut touched = session.touch(&deciding.code).await?.ok_or(Refused::NoTable)?;
        let person = deciding.authorize(&mut touched).await?;
        let foundation = touched.table.chain.clone();
        let mut before = deciding.standing(&mut touched).await?;
        // Taking back what closed a window tells nobody what that brought.
        let is_untold =
            touched.open_window().await?.is_some_and(|open| open.opens_at > deciding.now);
        let hides = is_untold && matches!(deciding.decision.what, Override::Undo { .. });
        let done = deciding.make(&mut touched, &person).await?;
        let is_unseen = |remark: &Remark| matches!(remark, Remark::Unseen { .. });
        let mut after = if done.remarks.iter().any(is_unseen) {
            None
        } else {
            Some(deciding.standing(&mut touched).await?)
        };
        if hides {
            before.last = None;
            if let Some(after) = &mut after {
                after.last = None;
            }
        }
        let Done { remarks, foreseen, audience, .. } = done;
        // What is put to the vote is told to everybody.
        let everybody = Audience::Everybody { because: Because::Playing };
        let audience = audience.unwrap_or(everybody);
        Ok(Rehearsal { before, after, audience, foreseen, remarks, foundation })
    }

    fn keeps(_: &Result<Rehearsal, NotDone>) -> bool {
        false
    }
}
