//! Connections to an embedded database between one reader and the next.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sqlx::any::Any;
use sqlx::pool::PoolConnection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Connections to a file that rest until somebody reads again. A pool would ask each whether it is
/// still there whenever it is given back, and a file does not hang up.
#[derive(Debug)]
pub(in crate::store) struct Resting {
    /// How many may be in use.
    places: Arc<Semaphore>,
    /// None once the database is let go.
    idle: Mutex<Option<Vec<PoolConnection<Any>>>>,
}

impl Resting {
    pub(in crate::store) fn new(connections: u32) -> Self {
        let places = usize::try_from(connections).unwrap_or(Semaphore::MAX_PERMITS);
        let idle = Mutex::new(Some(Vec::new()));
        Self { places: Arc::new(Semaphore::new(places)), idle }
    }

    /// A place for a connection, and one that rests, if any does.
    pub(in crate::store) async fn take(
        &self,
    ) -> sqlx::Result<(OwnedSemaphorePermit, Option<PoolConnection<Any>>)> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.map_err(|_| sqlx::Error::PoolClosed)?;
        Ok((place, self.idle().as_mut().and_then(Vec::pop)))
    }

    /// Lets a connection rest, or gives it back where the database is let go.
    pub(in crate::store) fn put(
        &self,
        connection: PoolConnection<Any>,
    ) -> Option<PoolConnection<Any>> {
        match &mut *self.idle() {
            Some(idle) => idle.push(connection),
            None => return Some(connection),
        }
        None
    }

    /// Those that rest, for whoever lets them go. No other will.
    pub(in crate::store) fn end(&self) -> Vec<PoolConnection<Any>> {
        self.idle().take().unwrap_or_default()
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<PoolConnection<Any>>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Resting {
    fn drop(&mut self) {
        // A pool would take them back on a task, and there may be nobody left to do it.
        self.end().into_iter().for_each(|connection| drop(connection.detach()));
    }
}
