//! The number of days of a whole game by post: `cargo bench --bench calendar`.
//!
//! Only the people are a model: each table is formed, dealt and played at a real desk, in a database of its
//! own, with a simulated clock. So windows open, close early and are put off as at every table.

mod game;
mod model;
mod people;
mod summary;
#[cfg(test)]
mod tests;

use std::ops::Range;

use tempfile::TempDir;

use self::game::PostalGame;
use desk::Desk;
use games::any::AnyGame;
use store::{Location, Store};

pub use self::model::{Calendar, CalendarError};
pub use self::summary::{CalendarSpread, KindRow, PostalStatistics};

impl Calendar {
    /// Plays the games with these numbers, in a database of their own. A share of the people, in percent, has
    /// given standing orders.
    ///
    /// # Errors
    /// If the database fails.
    pub fn play(
        &self,
        games: &'static [&'static dyn AnyGame],
        numbers: Range<u64>,
        orders: u8,
    ) -> Result<PostalStatistics, CalendarError> {
        let played = self.games(games, numbers, orders)?;
        Ok(PostalStatistics::of(&played))
    }

    fn games(
        &self,
        games: &'static [&'static dyn AnyGame],
        numbers: Range<u64>,
        orders: u8,
    ) -> Result<Vec<PostalGame>, CalendarError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let at = PostalDesk::open(games).await?;
            let mut played = Vec::new();
            for game in numbers {
                played.push(game::play(self, &at.desk, (game, orders)).await?);
            }
            at.desk.store().close().await;
            Ok(played)
        })
    }
}

/// A desk on a temporary database.
struct PostalDesk {
    desk: Desk,
    _folder: TempDir,
}

impl PostalDesk {
    async fn open(games: &'static [&'static dyn AnyGame]) -> Result<Self, CalendarError> {
        let folder = tempfile::tempdir()?;
        let url = format!("sqlite:{}", folder.path().join("tables.sqlite").display());
        let location = Location { connections: 2, ..Location::new(url) };
        Ok(Self { desk: Desk::new(Store::open(&location).await?, games), _folder: folder })
    }
}
