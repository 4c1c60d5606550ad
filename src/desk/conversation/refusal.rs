//! Why something was not done, and what its asker is told.

use crate::NotDone;
use crate::model::desk::from_refusals;
use letters::{KeepingRefused, LetterFault, Refused};
use store::StoreError;

/// Something that was said and not done.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    /// It cannot be done now, because of this word.
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
    /// Why not, as its asker is told, and because of which word. What the database could not keep is
    /// told so, and stands in the log. The rest is no refusal.
    pub fn refusal(self) -> Result<(Refused, String), Self> {
        let error = match self {
            Self::NotDone(NotDone::Refused(refused)) => return Ok((refused, String::new())),
            Self::RefusedFor(refused, said) => return Ok((refused, said)),
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
