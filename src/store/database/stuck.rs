//! Tables at which another program has been at work for too long.
//!
//! Who touches one of them does not wait as long as usual, so that what is stuck there does not use
//! up the connections that all others need.

use crate::ids::TableCode;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The codes of such tables.
#[derive(Debug, Default)]
pub(in crate::store) struct Stuck(Mutex<BTreeSet<TableCode>>);

impl Stuck {
    /// Whether a table is one of them.
    pub(in crate::store) fn holds(&self, code: &TableCode) -> bool {
        self.codes().contains(code)
    }

    /// Notes whether a table is one of them.
    pub(in crate::store) fn note(&self, code: &TableCode, is_stuck: bool) {
        if is_stuck {
            self.codes().insert(code.to_owned());
        } else {
            self.codes().remove(code);
        }
    }

    fn codes(&self) -> MutexGuard<'_, BTreeSet<TableCode>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
