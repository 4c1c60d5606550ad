//! Obstacles to letters: the host of the table is notified of each once.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::counts::Counts;
use crate::courier::{Channel, Courier, RetryWhen, Undelivered};
use crate::model::{Desk, Obstacle};
use crate::record;
use crate::record::Letter;
use crate::tests::support::{Database, account, desk, execute, rows, table};
use crate::window::remind::Current;
use kit::time::time;
use store::{Arrived, Outgoing};
use tables::{AccountId, Address};

/// An address, the reason why nothing arrives there, and true if letters are retried.
type Bar = (&'static str, &'static str, bool);

/// A channel on which some addresses are barred.
#[derive(Clone, Debug, Default)]
struct Bars {
    barred: Arc<Mutex<Vec<Bar>>>,
    /// The addresses that were notified, each with the obstacle.
    told: Arc<Mutex<Vec<(Address, String)>>>,
}

impl Channel for Bars {
    fn scheme(&self) -> &'static str {
        "terminal:"
    }

    fn own_address(&self, account: &AccountId) -> Option<Address> {
        Some(account.as_str().into())
    }

    fn patience(&self) -> Duration {
        Duration::ZERO
    }

    fn send<'a>(
        &'a self,
        outgoing: &'a Outgoing,
        letter: &'a Letter,
    ) -> BoxFuture<'a, Result<Arrived, Undelivered>> {
        async move {
            let barred = self.barred.lock().unwrap().clone();
            let bar = barred.into_iter().find(|(address, ..)| outgoing.address == *address);
            if let Some((at, why, again)) = bar {
                let obstacle = Obstacle { why: why.to_owned(), at: at.into() };
                let again = if again { RetryWhen::WhenMended } else { RetryWhen::Never };
                return Err(Undelivered::Barred { obstacle, again });
            }
            if let Some(met) = letter.obstacle() {
                self.told.lock().unwrap().push((outgoing.address.clone(), met.to_string()));
            }
            Ok(Arrived::default())
        }
        .boxed()
    }
}

impl Bars {
    /// Delivers everything that can be delivered, in as many rounds as this takes.
    async fn carry(&self, desk: &Desk, counts: &Arc<Counts>) {
        let channels: Vec<Box<dyn Channel>> = vec![Box::new(self.clone())];
        let courier = Courier::new(desk.store().clone(), channels, Duration::ZERO);
        let courier = courier.with_counts(Arc::clone(counts));
        for _ in 0..4 {
            courier.round().await.unwrap();
        }
    }

    fn told(&self) -> Vec<(Address, String)> {
        self.told.lock().unwrap().clone()
    }
}

fn to(address: &str, met: &str) -> (Address, String) {
    (address.into(), met.to_owned())
}

#[tokio::test]
async fn a_host_is_told_once_of_each_obstacle() {
    let database = Database::fresh().await;
    let (desk, counts) = (desk(&database).await, Arc::default());
    table(&desk, "toy").await;
    let bars = Bars::default();
    bars.barred.lock().unwrap().push(("terminal:kaede", "forbidden", true));
    bars.carry(&desk, &counts).await;
    let first = to("terminal:sakura", "forbidden terminal:kaede");
    assert_eq!(bars.told(), std::slice::from_ref(&first), "however often it is tried");
    let waits = "select count(*) from barred where what = 'terminal:kaede' and refusals = 1";
    assert_eq!(rows::<(i64,)>(&database, waits).await, [(1,)], "another attempt is not due yet");
    execute(&database, "update barred set wait_until = 0").await;
    bars.carry(&desk, &counts).await;
    let waits = "select count(*) from barred where what = 'terminal:kaede' and refusals = 2";
    assert_eq!(rows::<(i64,)>(&database, waits).await, [(1,)], "one attempt is made");
    execute(&database, "update barred set wait_until = 0").await;
    *bars.barred.lock().unwrap() = vec![("terminal:kaede", "gone", false)];
    bars.carry(&desk, &counts).await;
    assert_eq!(bars.told(), [first, to("terminal:sakura", "gone terminal:kaede")]);
    let left = "select letter from outbox where sent_at is null";
    assert_eq!(rows::<(String,)>(&database, left).await, [], "nothing is tried for ever");
    // The host's letter, and two about the obstacles of the other player.
    assert_eq!(counts.letters_sent.all().into_iter().collect::<Vec<_>>(), [("terminal", 3)]);
    assert!(counts.letters_failed.get() > 0);
    assert_eq!(crate::untold(&desk, &account("sakura"), time(9)).await.unwrap(), []);
}

#[tokio::test]
async fn who_takes_no_letters_is_told_when_they_are_there() {
    let database = Database::fresh().await;
    let (desk, counts) = (desk(&database).await, Arc::default());
    let code = table(&desk, "toy").await;
    let bars = Bars::default();
    let gone = [("terminal:kaede", "gone", false), ("terminal:sakura", "closed", false)];
    bars.barred.lock().unwrap().extend(gone);
    bars.carry(&desk, &counts).await;
    assert_eq!(bars.told(), []);
    assert_eq!(
        crate::untold(&desk, &account("kaede"), time(9)).await.unwrap(),
        [],
        "it is not their table"
    );
    let mut untold = crate::untold(&desk, &account("sakura"), time(9)).await.unwrap();
    untold.sort_by(|one, other| one.1.why.cmp(&other.1.why));
    let met = |why: &str, at: &str| (code.clone(), Obstacle { why: why.to_owned(), at: at.into() });
    assert_eq!(untold, [met("closed", "terminal:sakura"), met("gone", "terminal:kaede")]);
    assert_eq!(crate::untold(&desk, &account("sakura"), time(9)).await.unwrap(), [], "once");
}

async fn overcomes(desk: &Desk, met: Obstacle) {
    let overcome = desk.store().write_about(met, |met, to| {
        record::obstacle::overcome(to, std::slice::from_ref(met), time(0)).boxed()
    });
    overcome.await.unwrap();
}

#[tokio::test]
async fn the_letter_about_an_obstacle_is_true_until_that_is_overcome() {
    let database = Database::fresh().await;
    let desk = desk(&database).await;
    let code = table(&desk, "toy").await;
    let met = Obstacle { why: "locked".to_owned(), at: "discord:channel:1".into() };
    let host: Address = "terminal:sakura".into();
    for _ in 0..2 {
        crate::meet(&desk, &code, met.clone(), Some(host.clone()), time(1)).await.unwrap();
    }
    let told = "select body from outbox where letter like '%-obstacle-%'";
    let told = rows::<(String,)>(&database, told).await;
    let [(body,)] = &told[..] else { panic!("{told:?}") };
    let letter: Letter = serde_json::from_str(body).unwrap();
    assert!(letter.is_kept_true());
    assert_eq!(crate::as_of(&desk, &letter, time(2)).await.unwrap(), Current::Same);
    let other = Obstacle { why: "forbidden".to_owned(), ..met.clone() };
    overcomes(&desk, other).await;
    assert_eq!(crate::as_of(&desk, &letter, time(2)).await.unwrap(), Current::Same);
    overcomes(&desk, met.clone()).await;
    assert_eq!(crate::as_of(&desk, &letter, time(2)).await.unwrap(), Current::Gone);
    // If the obstacle comes up again, the host is notified again.
    crate::meet(&desk, &code, met, Some(host), time(3)).await.unwrap();
    let told = "select count(*) from outbox where letter like '%-obstacle-%'";
    assert_eq!(rows::<(i64,)>(&database, told).await, [(2,)]);
}
