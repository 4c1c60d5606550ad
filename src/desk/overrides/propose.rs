//! What a game master has been shown, and is kept until they decide it.

use crate::desk::model::desk::{Desk, NotDone};
use crate::desk::model::draw;
use crate::desk::model::overrides::{Gm, Override};
use crate::desk::model::people::Guest;
use crate::desk::model::text::{read_json, write_json};
use crate::letters::Changes;
use crate::store::{ProposalRow, Session, StoreError, Work};
use crate::time::Time;

/// A decision that was rehearsed, and waits for a word of who was shown it.
#[derive(Clone, Debug)]
pub struct OverrideProposal {
    pub code: String,
    /// What would be decided.
    pub what: Override,
    /// Who would take the seat, where somebody would.
    pub guest: Option<Guest>,
    pub foundation: String,
    pub shown: Changes,
}

impl Desk {
    /// Keeps what a game master was shown, and says by which id they can decide it.
    ///
    /// # Errors
    /// If it could not be written.
    pub async fn propose(
        &self,
        gm: &Gm,
        proposal: &OverrideProposal,
        now: Time,
    ) -> Result<String, StoreError> {
        let row = ProposalRow {
            proposal: draw::id(),
            code: proposal.code.clone(),
            account: gm.account.clone(),
            what: write_json(&proposal.what)?,
            guest: proposal.guest.as_ref().map(write_json).transpose()?,
            foundation: proposal.foundation.clone(),
            shown: Some(write_json(&proposal.shown)?),
        };
        let id = row.proposal.clone();
        self.store.write(ShowProposal { row, now }).await?;
        Ok(id)
    }

    /// What a game master was shown; none if it was somebody else, or too long ago.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn proposal(&self, id: &str, gm: &Gm) -> Result<Option<OverrideProposal>, NotDone> {
        let row = self.store.read().await?.proposal(id, &gm.account).await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(OverrideProposal {
            code: row.code,
            what: read_json(&row.what)?,
            guest: row.guest.as_deref().map(read_json).transpose()?,
            foundation: row.foundation,
            shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
        }))
    }
}

struct ShowProposal {
    row: ProposalRow,
    now: Time,
}

impl Work for ShowProposal {
    type Done = ();

    async fn work(&self, session: &mut Session) -> Result<(), StoreError> {
        session.keep_proposal(&self.row, self.now).await
    }
}
