//! Letters arrive exactly once, whatever fails or dies on the way.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::clock;
use crate::courier::{Channel, Courier, Undelivered};
use crate::model::Desk;
use crate::record::Letter;
use crate::tests::support::{Database, HOUR, account, desk, execute, form, guest, rows};
use games::GAMES;
use kit::time::time;
use store::{Arrived, Outgoing, outbox};

/// The outcome of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
    Good,
    /// Nothing arrives, and the failure is reported.
    Fails,
    /// The letter has to wait for this long.
    Waits(Duration),
    /// The letter arrives, and this is never reported.
    Dies,
}

/// A channel through which a letter that is sent twice arrives twice.
#[derive(Clone, Debug)]
struct Post {
    /// The number of times that each letter has arrived.
    arrived: Arc<Mutex<BTreeMap<String, usize>>>,
    /// The outcomes of the next attempts, the last first; after them all succeed.
    luck: Arc<Mutex<Vec<Luck>>>,
}

impl Post {
    fn new(luck: &[Luck]) -> Self {
        let luck = Arc::new(Mutex::new(luck.iter().rev().copied().collect()));
        Self { arrived: Arc::default(), luck }
    }

    fn has(&self, letter: &str) -> bool {
        self.arrived.lock().unwrap().contains_key(letter)
    }

    fn arrived(&self) -> Vec<usize> {
        self.arrived.lock().unwrap().values().copied().collect()
    }
}

impl Channel for Post {
    fn scheme(&self) -> &'static str {
        "terminal:"
    }

    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        _: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        async move {
            // Like every channel, this one checks for an earlier attempt that arrived.
            if outgoing.attempts > 0 && self.has(&outgoing.letter) {
                return Ok(Arrived::default());
            }
            let luck = self.luck.lock().unwrap().pop().unwrap_or(Luck::Good);
            match luck {
                Luck::Fails => return Err(Undelivered::Failed("the road is closed".to_owned())),
                Luck::Waits(wait) => return Err(Undelivered::Later(wait)),
                Luck::Good | Luck::Dies => {}
            }
            *self.arrived.lock().unwrap().entry(outgoing.letter.clone()).or_default() += 1;
            if luck == Luck::Dies {
                std::future::pending::<()>().await;
            }
            Ok(Arrived::default())
        }
        .boxed()
    }
}

/// Deals a table whose two letters are due at this time.
async fn posted(database: &Database, now: i64) -> Desk {
    let desk = Desk::new(desk(database).await.store().clone(), GAMES);
    let form = crate::table::form::Form { options: serde_json::json!({}), ..form("eitsuku") };
    let code = crate::form(&desk, form, time(now)).await.unwrap().code;
    for name in ["sakura", "kaede"] {
        crate::join(&desk, &code, guest(name), None, time(now)).await.unwrap();
    }
    crate::start(&desk, &code, &account("sakura"), "random", time(now)).await.unwrap();
    desk
}

fn courier(desk: &Desk, post: &Post, retry: Duration) -> Courier {
    let channels: Vec<Box<dyn Channel>> = vec![Box::new(post.clone())];
    Courier::new(desk.store().clone(), channels, retry)
}

#[tokio::test]
async fn a_letter_is_sent_once_and_not_before_its_time() {
    let database = Database::fresh().await;
    let desk = posted(&database, clock::now().milliseconds() + HOUR).await;
    let post = Post::new(&[]);
    let courier = courier(&desk, &post, Duration::ZERO);
    assert_eq!(courier.round().await.unwrap(), 0);
    assert_eq!(post.arrived(), [0; 0]);
    let now = clock::now();
    execute(&database, &format!("update outbox set send_at = {now}")).await;
    assert_eq!(courier.round().await.unwrap(), 2);
    assert_eq!(courier.round().await.unwrap(), 0);
    assert_eq!(post.arrived(), [1, 1]);
    let unsent = "select letter from outbox where sent_at is null or body <> ''";
    assert_eq!(rows::<(String,)>(&database, unsent).await, []);
}

#[tokio::test]
async fn a_letter_that_could_not_be_sent_is_tried_again_after_a_while() {
    let database = Database::fresh().await;
    let desk = posted(&database, 0).await;
    let post = Post::new(&[Luck::Fails, Luck::Fails, Luck::Fails]);
    let eager = courier(&desk, &post, Duration::ZERO);
    assert_eq!(eager.round().await.unwrap(), 0);
    assert_eq!(eager.round().await.unwrap(), 1);
    assert_eq!(post.arrived(), [1]);
    let patient = courier(&desk, &post, Duration::from_hours(1));
    post.luck.lock().unwrap().push(Luck::Fails);
    assert_eq!(patient.round().await.unwrap(), 0, "a new process tries at once, and fails");
    assert_eq!(patient.round().await.unwrap(), 0, "it is not time yet");
    assert_eq!(eager.round().await.unwrap(), 1);
    assert_eq!(post.arrived(), [1, 1]);
    let attempts = "select attempts from outbox order by attempts";
    assert_eq!(rows::<(i64,)>(&database, attempts).await, [(2,), (4,)]);
}

#[tokio::test]
async fn where_a_letter_has_to_wait_those_behind_it_wait_too() {
    let database = Database::fresh().await;
    let desk = posted(&database, 0).await;
    execute(&database, "update outbox set address = 'terminal:both'").await;
    let post = Post::new(&[Luck::Waits(Duration::from_hours(1))]);
    let courier = courier(&desk, &post, Duration::ZERO);
    assert_eq!(courier.round().await.unwrap(), 0);
    assert_eq!(courier.round().await.unwrap(), 0, "the second does not overtake the first");
    execute(&database, "update outbox set wait_until = 0").await;
    assert_eq!(courier.round().await.unwrap(), 2);
    assert_eq!(post.arrived(), [1, 1]);
}

#[tokio::test]
async fn a_letter_that_arrived_before_its_courier_died_is_not_sent_again() {
    let database = Database::fresh().await;
    let desk = posted(&database, 0).await;
    let post = Post::new(&[Luck::Dies, Luck::Fails]);
    let first = courier(&desk, &post, Duration::ZERO);
    let dying = tokio::time::timeout(Duration::from_millis(500), first.round()).await;
    assert!(dying.is_err(), "it died on the way");
    assert_eq!(post.arrived(), [1]);
    let second = courier(&desk, &post, Duration::ZERO);
    assert_eq!(second.round().await.unwrap(), 2);
    assert_eq!(post.arrived(), [1, 1]);
    assert_eq!(second.round().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_couriers_do_not_send_the_same_letter() {
    let database = Database::fresh().await;
    let desk = posted(&database, 0).await;
    for _ in 0..20 {
        posted(&database, 0).await;
    }
    let other = Desk::new(crate::tests::support::desk(&database).await.store().clone(), GAMES);
    let post = Post::new(&[]);
    // The letters have been there for a while, and the retry delay is longer than an attempt takes.
    let wait = Duration::from_hours(1);
    let couriers = [courier(&desk, &post, wait), courier(&other, &post, wait)];
    let count = tokio::join!(couriers[0].round(), couriers[1].round());
    assert_eq!(count.0.unwrap() + count.1.unwrap(), 42);
    assert_eq!(post.arrived(), [1; 42]);
}

/// The window that the letter announces cannot be seen before.
#[tokio::test]
async fn a_letter_that_lies_at_a_terminal_is_read_there_no_sooner_than_it_is_due() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let lies = "insert into mail (letter, address, sequence, code, body)
                values ('table-3-opening-P1', 'terminal:ume', 100, 'table', '{}')";
    execute(&database, lies).await;
    let mut db = desk.store().read().await.unwrap();
    let (address, code) = ("terminal:ume".into(), "table".into());
    let mut unread =
        async |now| outbox::unread(&mut db, &address, &code, time(0), time(now)).await.unwrap();
    assert_eq!(unread(99).await, []);
    assert_eq!(unread(100).await.len(), 1);
}
