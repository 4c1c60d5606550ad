//! `shimekiri simulate --calendar`: the number of days of a whole game by post.
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

use self::model::CalendarError;
use self::summary::PostalStatistics;
use crate::simulate::playing::on_threads;
use desk::Desk;
use games::any::AnyGame;
use store::{Location, Store};

pub(super) use self::model::Calendar;
pub(super) use self::summary::CalendarRow;

impl Calendar {
    /// Plays `count` games for each share of orders. The number of threads does not change the results.
    /// `progress` is called after each game.
    pub(super) fn play(
        &self,
        games: &'static [&'static dyn AnyGame],
        count: u64,
        threads: usize,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<CalendarRow>, CalendarError> {
        let part = |numbers| self.part(games, numbers, progress);
        let all = on_threads(count, threads, &part, &|all: &mut Vec<PostalStatistics>, other| {
            all.iter_mut().zip(other).for_each(|(all, other)| all.merge(other));
        })?;
        Ok(self.orders.iter().zip(all).map(|(orders, all)| all.row(*orders)).collect())
    }

    /// Plays the games with these numbers, in a database of their own.
    fn part(
        &self,
        games: &'static [&'static dyn AnyGame],
        numbers: Range<u64>,
        progress: &(dyn Fn() + Sync),
    ) -> Result<Vec<PostalStatistics>, CalendarError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let at = PostalDesk::open(games).await?;
            let mut counted = vec![PostalStatistics::default(); self.orders.len()];
            for game in numbers {
                for (orders, counted) in self.orders.iter().zip(&mut counted) {
                    counted.add(&game::play(self, &at.desk, (game, *orders)).await?);
                    progress();
                }
            }
            at.desk.store().close().await;
            Ok(counted)
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
