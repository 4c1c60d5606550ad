//! What a game master has been shown, and is kept until they decide it.

use futures_util::FutureExt;

use crate::desk::model::desk::{Desk, NotDone};
use crate::desk::model::draw;
use crate::desk::model::overrides::{Gm, Override};
use crate::desk::model::text::{read_json, write_json};
use crate::desk::overrides::decision::Decision;
use crate::ids::{ProposalId, TableCode};
use crate::store::{ProposalRow, StoreError};
use crate::time::Time;

impl Desk {
    /// Keeps what a game master was shown, and says by which id they can decide it.
    pub async fn propose(
        &self,
        code: &TableCode,
        gm: &Gm,
        decision: &Decision,
        now: Time,
    ) -> Result<ProposalId, StoreError> {
        let row = ProposalRow {
            proposal: draw::id().into(),
            code: code.to_owned(),
            account: gm.account.clone(),
            what: write_json(&decision.what)?,
            guest: decision.guest.as_ref().map(write_json).transpose()?,
            foundation: decision.foundation.clone().unwrap_or_default(),
            shown: Some(write_json(&decision.shown)?),
        };
        let id = row.proposal.clone();
        let kept = self
            .store
            .write_about((row, now), |(row, now), to| to.keep_proposal(row, *now).boxed());
        kept.await?;
        Ok(id)
    }

    /// What a game master was shown, and the code of its table; none if it was somebody else, or too
    /// long ago.
    pub async fn proposal(
        &self,
        id: &ProposalId,
        gm: &Gm,
    ) -> Result<Option<(TableCode, Decision)>, NotDone> {
        let row = self.store.read().await?.proposal(id, &gm.account).await?;
        let Some(row) = row else { return Ok(None) };
        let decision = Decision {
            guest: row.guest.as_deref().map(read_json).transpose()?,
            foundation: Some(row.foundation),
            shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
            ..Decision::from(read_json::<Override>(&row.what)?)
        };
        Ok(Some((row.code, decision)))
    }
}
