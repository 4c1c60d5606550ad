//! Refusals in a conversation, and their reasons.

use crate::NotDone;
use crate::model::desk::from_refusals;
use letters::{KeepingRefused, LetterFault, Refused};
use store::StoreError;

/// An error in a conversation, or the refusal of a command.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    /// Refused because of this word of the input.
    #[error("refused: {0:?} ({1})")]
    RefusedFor(Refused, String),
    #[error(transparent)]
    Letter(#[from] LetterFault),
}

from_refusals!(ConversationError, |refused| NotDone::Refused(refused).into());

impl From<ConversationError> for std::io::Error {
    fn from(broken: ConversationError) -> Self {
        Self::other(broken)
    }
}

impl From<StoreError> for ConversationError {
    fn from(error: StoreError) -> Self {
        Self::NotDone(error.into())
    }
}

impl ConversationError {
    /// Returns the refusal and the word that caused it. A store error is logged and becomes a refusal; a
    /// faulty letter is returned as the error.
    pub fn refusal(self) -> Result<(Refused, String), Self> {
        let error = match self {
            Self::NotDone(NotDone::Refused(refused)) => return Ok((refused, String::new())),
            Self::RefusedFor(refused, detail) => return Ok((refused, detail)),
            Self::NotDone(NotDone::Store(error)) => error,
            broken => return Err(broken),
        };
        tracing::error!(%error, "could not be saved");
        let refused = match error {
            StoreError::Full => KeepingRefused::NoRoom,
            StoreError::ReadOnly => KeepingRefused::ReadOnly,
            _ => KeepingRefused::Unsaved,
        };
        Ok((refused.into(), String::new()))
    }
}
