//! The desk, its requests and their refusals.

use async_trait::async_trait;

use crate::model::load::Games;
use games::any::{AnyGame, TableOptionsError};
use letters::{Refused, Spent};
use store::{FirstTouch, Session, Store, StoreError, Work};

/// The tables, windows, declarations and overrides of one database, as a front end uses them.
#[derive(Clone, Debug)]
pub struct Desk {
    pub(crate) store: Store,
    pub(crate) games: Games,
}

/// A request that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The request is refused for now; its reader is shown the reason.
    #[error("refused: {0:?}")]
    Refused(Refused),
    /// The allowance of the request is used up; its reader is shown the rest of it.
    #[error("no more of it: {0:?}")]
    Spent(Spent),
    /// The game does not take these options, or not this number of players.
    #[error(transparent)]
    Options(TableOptionsError),
    /// The database failed, and the whole request is rolled back.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Implements `From` for every kind of refusal.
macro_rules! from_refusals {
    ($error:ty, $make:expr) => {
        $crate::model::desk::from_refusals!(
            $error, $make,
            Refused, AbsenceRefused, DeclarationRefused, KeepingRefused, OverrideRefused,
            SeatRefused, StartRefused, VoteRefused
        );
    };
    ($error:ty, $make:expr, $($refused:ident),*) => {$(
        impl From<letters::$refused> for $error {
            fn from(refused: letters::$refused) -> Self {
                let make: fn(letters::Refused) -> Self = $make;
                make(refused.into())
            }
        }
    )*};
}

pub(crate) use from_refusals;

from_refusals!(NotDone, NotDone::Refused);

impl From<TableOptionsError> for NotDone {
    fn from(error: TableOptionsError) -> Self {
        Self::Options(error)
    }
}

impl From<Spent> for NotDone {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl Desk {
    /// Returns a desk for these games and this database.
    pub fn new(store: Store, games: &'static [&'static dyn AnyGame]) -> Self {
        Self { store, games: Games(games) }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The games that can be played here.
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games.0
    }

    pub(crate) async fn carry_out<R: Request>(&self, request: R) -> Result<R::Done, NotDone> {
        self.store.write(Requested(request)).await?
    }
}

/// A request to the desk: carried out in one transaction, or refused.
#[async_trait]
pub(crate) trait Request: Send + Sync + 'static {
    type Done: Send + 'static;

    async fn carry_out(&self, session: &mut Session) -> Result<Self::Done, NotDone>;

    /// The first table touched, as in [`Work`].
    fn begins_with(&self) -> Option<FirstTouch<'_>> {
        None
    }

    /// True if the writes are stored, even those of a refused request.
    fn keeps(_done: &Result<Self::Done, NotDone>) -> bool {
        true
    }
}

/// A request as a [`Work`] that returns its refusal as a result.
struct Requested<R>(R);

#[async_trait]
impl<R: Request> Work for Requested<R> {
    type Done = Result<R::Done, NotDone>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        match self.0.carry_out(session).await {
            Err(NotDone::Store(error)) => Err(error),
            done => Ok(done),
        }
    }

    fn begins_with(&self) -> Option<FirstTouch<'_>> {
        self.0.begins_with()
    }

    fn keeps(done: &Self::Done) -> bool {
        R::keeps(done)
    }
}
