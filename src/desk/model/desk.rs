//! What everything is done through, and what is not done.

use crate::model::load::Games;
use games::any::{AnyGame, TableOptionsError};
use letters::{Refused, Spent};
use store::{FirstTouch, Session, Store, StoreError, Work};

/// What a front end does everything through: tables, windows, declarations and overrides over one database.
#[derive(Clone, Debug)]
pub struct Desk {
    pub(crate) store: Store,
    pub(crate) games: Games,
}

/// Something that was not done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// It cannot be done now, and its reader is told why.
    #[error("refused: {0:?}")]
    Refused(Refused),
    /// It has been done as much as it can be, and its reader is told how much is left.
    #[error("no more of it: {0:?}")]
    Spent(Spent),
    /// The game does not take these options, or so many.
    #[error(transparent)]
    Options(TableOptionsError),
    /// The database could not keep it. Nothing of it counts.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes an error of every kind of refusal.
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
    /// A desk with these games on this database.
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

/// Something that is asked of the desk: it is done in one transaction, or refused.
pub(crate) trait Request: Send + Sync + 'static {
    type Done: Send + 'static;

    fn carry_out(
        &self,
        session: &mut Session,
    ) -> impl Future<Output = Result<Self::Done, NotDone>> + Send;

    /// As of [`Work`].
    fn begins_with(&self) -> Option<FirstTouch<'_>> {
        None
    }

    /// True if what was written is kept, also of what is refused then.
    fn keeps(_done: &Result<Self::Done, NotDone>) -> bool {
        true
    }
}

/// A request is work of which a refusal is something that came of it.
struct Requested<R>(R);

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
