//! Pieces of work that share a commit, and the effect of a failing one.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join_all;

use crate::database::connect::Location;
use crate::database::error::StoreError;
use crate::database::session::Session;
use crate::database::store::Store;
use kit::database::Database;
use tables::{AccountId, PersonId};

/// Stores a person, and then does this.
struct Remember {
    account: AccountId,
    then: Then,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    Fail,
    Panic,
    /// Fails in the database.
    Break,
}

impl Remember {
    async fn work(&self, db: &mut Session) -> Result<PersonId, StoreError> {
        let drawn = PersonId::from(self.account.as_str());
        let person = crate::people::meet(db, &self.account, "en", &drawn).await?;
        match self.then {
            Then::Nothing => Ok(person),
            Then::Fail => Err(StoreError::Failed("it did not work out".to_owned())),
            Then::Panic => panic!("nobody expected this"),
            Then::Break => {
                // One person cannot have two accounts.
                crate::people::meet(db, &"another account".into(), "en", &drawn).await
            }
        }
    }
}

async fn store(database: &Database) -> Store {
    Store::open(&Location::new(&database.url)).await.unwrap()
}

/// Does concurrent pieces of work, every fourth of which fails.
async fn remember(store: &Store, count: usize, then: Then) -> Vec<Result<PersonId, StoreError>> {
    let work = |index: usize| {
        let then = if index % 4 == 3 { then } else { Then::Nothing };
        let remember = Remember { account: format!("terminal:{index}").into(), then };
        store.write_about(remember, |remember, db| remember.work(db).boxed())
    };
    join_all((0..count).map(work)).await
}

async fn is_known(store: &Store, index: usize) -> bool {
    let mut db = store.read().await.unwrap();
    crate::people::person(&mut db, &format!("terminal:{index}").into()).await.unwrap().is_some()
}

#[tokio::test]
async fn what_arrives_together_shares_a_commit() {
    let database = Database::fresh().await;
    let store = store(&database).await;
    let done = remember(&store, 20, Then::Nothing).await;
    assert!(done.iter().all(Result::is_ok));
    assert_eq!(store.commits(), if database.is_embedded() { 1 } else { 20 });
}

#[tokio::test]
async fn a_bad_piece_of_work_spoils_no_other() {
    for then in [Then::Fail, Then::Panic, Then::Break] {
        let database = Database::fresh().await;
        let store = store(&database).await;
        let done = remember(&store, 20, then).await;
        for (index, done) in done.into_iter().enumerate() {
            assert_eq!(is_known(&store, index).await, index % 4 != 3, "{index}");
            match (index % 4, then, done) {
                (0..3, _, Ok(person)) => {
                    assert_eq!(person, PersonId::from(format!("terminal:{index}")));
                }
                (3, Then::Fail, Err(StoreError::Failed(why))) => {
                    assert_eq!(why, "it did not work out");
                }
                (3, Then::Panic, Err(StoreError::Failed(why))) => {
                    assert_eq!(why, "nobody expected this");
                }
                (3, Then::Break, Err(StoreError::Database(_))) => {}
                (_, _, done) => panic!("{index}: {done:?}"),
            }
        }
        assert_eq!(store.commits(), 15);
        let done = remember(&store, 3, Then::Nothing).await;
        assert!(done.iter().all(Result::is_ok), "and the next are done as before");
    }
}

/// Does concurrent pieces of work, none of which can succeed now.
async fn none_is_done(store: &Store, count: usize) {
    for done in remember(store, count, Then::Nothing).await {
        // Another error would stop the retries.
        assert!(matches!(done, Err(StoreError::Unreachable(_))), "{done:?}");
    }
}

#[tokio::test]
async fn nothing_is_wrong_with_work_for_which_there_is_no_connection() {
    let database = Database::fresh().await;
    let store = store(&database).await;
    store.close().await;
    none_is_done(&store, 20).await;
}

#[tokio::test]
async fn a_program_that_writes_for_long_is_waited_for_once_by_all() {
    let database = Database::fresh().await;
    if !database.is_embedded() {
        return;
    }
    let patience = Duration::from_millis(200);
    let location = Location { patience, ..Location::new(&database.url) };
    let store = Store::open(&location).await.unwrap();
    let other = Store::open(&location).await.unwrap();
    let mut writing = other.read().await.unwrap();
    writing.control("begin immediate").await.unwrap();
    let before = store.statements();
    none_is_done(&store, 20).await;
    assert!(store.statements() - before <= 2, "each tries {} times", store.statements() - before);
    writing.control("rollback").await.unwrap();
    assert!(remember(&store, 3, Then::Nothing).await.iter().all(Result::is_ok));
}

#[tokio::test]
async fn who_does_not_wait_for_it_has_it_done_all_the_same() {
    let database = Database::fresh().await;
    let store = store(&database).await;
    let account = "terminal:0".into();
    let writing = store.write_about(Remember { account, then: Then::Nothing }, |remember, db| {
        remember.work(db).boxed()
    });
    let soon = std::time::Duration::from_nanos(1);
    let _ = tokio::time::timeout(soon, writing).await;
    for _ in 0..100 {
        if is_known(&store, 0).await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("it was not done");
}
