//! Errors of sending and drawing.

use crate::api::{Refusal, SendError};
use crate::bot::obstacle::undelivered;
use desk::courier::Undelivered;
use desk::{NotDone, Unwritten};
use letters::LetterFault;
use store::StoreError;
use tables::ids::Address;

/// An error of sending or drawing a post.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DrawError {
    #[error(transparent)]
    NotDone(#[from] NotDone),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Letter(#[from] LetterFault),
    #[error(transparent)]
    Unwritten(#[from] Unwritten),
    #[error(transparent)]
    Unsent(#[from] SendError),
}

impl DrawError {
    /// True if the place takes no message until a person fixes it.
    pub(crate) fn is_of_place(&self) -> bool {
        matches!(self, Self::Unsent(unsent) if unsent.refusal().is_some_and(Refusal::is_of_place))
    }
}

/// The failure of a delivery.
pub(crate) enum SendFailure {
    Unsent(SendError),
    Undelivered(Undelivered),
}

impl SendFailure {
    /// Returns the reason why a letter did not arrive at an address.
    pub(crate) fn at(self, address: &Address) -> Undelivered {
        match self {
            Self::Unsent(unsent) => undelivered(&unsent, address),
            Self::Undelivered(error) => error,
        }
    }
}

impl From<SendError> for SendFailure {
    fn from(unsent: SendError) -> Self {
        Self::Unsent(unsent)
    }
}

impl From<Undelivered> for SendFailure {
    fn from(error: Undelivered) -> Self {
        Self::Undelivered(error)
    }
}

impl From<DrawError> for SendFailure {
    fn from(error: DrawError) -> Self {
        match error {
            DrawError::Unsent(unsent) => Self::Unsent(unsent),
            DrawError::Store(error) => Self::Undelivered(error.into()),
            DrawError::NotDone(error) => Self::Undelivered(unseen(error)),
            DrawError::Unwritten(error) => Self::Undelivered(error.into()),
            DrawError::Letter(fault) => Self::Undelivered(Undelivered::Failed(fault.to_string())),
        }
    }
}

pub(crate) fn unseen(error: NotDone) -> Undelivered {
    match error {
        NotDone::Store(error) => error.into(),
        error => Undelivered::Failed(error.to_string()),
    }
}
