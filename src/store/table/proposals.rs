//! What somebody has been shown that they could decide, and has yet to decide.

use std::fmt;

use sqlx::{FromRow, query, query_as};

use crate::ids::{AccountId, ProposalId, TableCode};
use crate::store::database::error::StoreError;
use crate::store::database::session::Session;
use crate::time::{Span, Time};

/// How long it is remembered: a table has moved on by then.
const MEMORY: Span = Span::days(1);

/// A decision that was rehearsed.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct ProposalRow {
    pub proposal: ProposalId,
    pub code: TableCode,
    /// The account of who was shown it.
    pub account: AccountId,
    /// What it is, as JSON.
    pub what: String,
    /// Who would take a seat, as JSON.
    pub guest: Option<String>,
    /// The hash of the journal on which it was rehearsed, in hex digits.
    pub foundation: String,
    /// What it would change, as JSON.
    pub shown: Option<String>,
}

impl fmt::Debug for ProposalRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What it is may be a declaration, which must not reach a log.
        f.debug_struct("ProposalRow").field("code", &self.code).finish_non_exhaustive()
    }
}

impl Session {
    /// Keeps what somebody was shown, and forgets what was shown too long ago.
    pub async fn keep_proposal(&mut self, row: &ProposalRow, now: Time) -> Result<(), StoreError> {
        let forgotten = query("delete from proposals where shown_at < $1").bind(now - MEMORY);
        self.execute(forgotten).await?;
        let statement = query(
            "insert into proposals (proposal, code, account, what, guest, foundation, shown_at,
                 shown)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(row.proposal.clone())
        .bind(row.code.clone())
        .bind(row.account.clone())
        .bind(row.what.clone())
        .bind(row.guest.clone())
        .bind(row.foundation.clone())
        .bind(now)
        .bind(row.shown.clone());
        self.execute(statement).await.map(drop)
    }

    /// What this account was shown.
    pub async fn proposal(
        &mut self,
        proposal: &ProposalId,
        account: &AccountId,
    ) -> Result<Option<ProposalRow>, StoreError> {
        let question = query_as(
            "select proposal, code, account, what, guest, foundation, shown from proposals
             where proposal = $1 and account = $2",
        );
        self.one(question.bind(proposal.clone()).bind(account.to_owned())).await
    }

    /// Forgets what an account was shown, and what others were shown of it.
    pub async fn forget_proposals(&mut self, account: &AccountId) -> Result<(), StoreError> {
        let statement =
            query("delete from proposals where account = $1 or guest like '%\"' || $1 || '\"%'");
        self.execute(statement.bind(account.to_owned())).await.map(drop)
    }
}
