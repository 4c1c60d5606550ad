//! What somebody is told of a table that was played again.

use serde::Serialize;
use serde_json::Value as Json;

use super::{DESK, LetterFault, Letters, Reader};

/// What came of playing a table again.
#[derive(Clone, Debug, Serialize)]
pub struct PlayedAgain<'a> {
    /// What people type to name the table.
    pub code: &'a str,
    /// How many windows were closed.
    pub closed: usize,
    /// How many dice fell.
    pub dice: usize,
    /// Whether none of them stands in the file that was held against them.
    pub dice_untold: bool,
    /// The first entry of its journal that is not chained to the one before it; none if all are.
    pub broken: Option<i64>,
    /// What is the first not to come as it was told; null if everything does.
    pub difference: Json,
    /// What game masters have decided, by the window that it touched, in order.
    pub touched: Vec<TouchedWindow>,
}

/// A window that game masters have touched.
#[derive(Clone, Debug, Serialize)]
pub struct TouchedWindow {
    /// The root window, counted from 0, which is the deal; -1 before that, and none for one that
    /// never closed.
    pub window: Option<i64>,
    /// The numbers of their decisions, from 1.
    pub decisions: Vec<i64>,
}

impl Letters {
    /// What came of playing a table again.
    pub fn verified(
        &self,
        reader: &Reader,
        played: &PlayedAgain<'_>,
    ) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "verified", played)
    }
}
