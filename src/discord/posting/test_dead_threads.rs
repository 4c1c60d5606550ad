//! Many threads in which the bot lost its permissions: they cause few requests, and delay no other table's
//! posts and letters.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use kit::database::Database;
use serde_json::json;
use serenity::all::{ChannelId, GuildId, UserId};
use tokio::net::TcpListener;

use crate::api::ApiSettings;
use crate::posting::posts::Posts;
use crate::{Api, BotToken, Threads, incoming};
use desk::courier::Courier;
use desk::{Contact, Desk, Form, clock};
use games::GAMES;
use letters::Letters;
use rules::text::Lang;
use store::{Location, Store, obstacles, places};
use tables::Pace;

/// The server of all threads.
const SERVER: GuildId = GuildId::new(9);

/// The ids of the first thread and the first host.
const FIRST: u64 = 1_000;
const FIRST_HOST: u64 = 1_000_000;

/// A minute, in seconds.
const MINUTE: u64 = 60;

/// A fake Discord.
#[derive(Debug, Default)]
struct Wire {
    /// The first thread that refuses everything once `are_dead` is set.
    first_dead: u64,
    are_dead: AtomicBool,
    /// The fake clock, in seconds.
    now: AtomicU64,
    messages: AtomicU64,
    /// The times of refusals, in seconds of the fake clock.
    refusals: Mutex<Vec<u64>>,
}

impl Wire {
    fn answer(&self, request: &Request) -> Response {
        let path = request.uri().path().trim_start_matches("/api/v10/").to_owned();
        let parts: Vec<&str> = path.split('/').collect();
        let channel = match parts[..] {
            ["channels", channel, ..] => channel.parse().unwrap(),
            _ => FIRST_HOST,
        };
        let is_dead = (self.first_dead..FIRST_HOST).contains(&channel);
        if is_dead && self.are_dead.load(Ordering::Relaxed) {
            self.refusals.lock().unwrap().push(self.now.load(Ordering::Relaxed));
            let refusal = json!({ "code": 50013, "message": "Missing Permissions" });
            return (StatusCode::FORBIDDEN, refusal.to_string()).into_response();
        }
        let id = 2_000_000 + self.messages.fetch_add(1, Ordering::Relaxed);
        let response = if request.method() == "GET" {
            json!([])
        } else {
            json!({ "id": id.to_string(), "channel_id": channel.to_string() })
        };
        response.to_string().into_response()
    }

    async fn listens(self: &Arc<Self>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let wire = Arc::clone(self);
        let router = Router::new().fallback(async move |request: Request| wire.answer(&request));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        base
    }

    /// Returns the maximum number of refusals within ten minutes.
    fn most_refused(&self) -> usize {
        let all = self.refusals.lock().unwrap();
        let within = |from: &u64| all.iter().filter(|at| (*from..from + 600).contains(at)).count();
        let mut began = all.clone();
        began.dedup();
        began.iter().map(within).max().unwrap_or(0)
    }
}

/// Tables in threads, the last of which die.
struct Simulation {
    wire: Arc<Wire>,
    database: Database,
    desk: Desk,
    posts: Posts,
    courier: Courier,
}

impl Simulation {
    async fn begins(healthy: u64, dead: u64) -> Self {
        let wire = Arc::new(Wire { first_dead: FIRST + healthy, ..Wire::default() });
        // An hour of the fake clock takes a few real seconds, by which requests are limited.
        let settings = ApiSettings {
            per_second: 100_000,
            apart: Duration::ZERO,
            most_refused: 1_000_000,
            ..ApiSettings::default()
        };
        let token = BotToken::parse("a.b.c", "test").unwrap();
        let api = Api::with_settings(&wire.listens().await, &token, settings).unwrap();
        let database = Database::fresh().await;
        let store = Store::open(&Location::new(&database.url)).await.unwrap();
        let desk = Desk::new(store.clone(), GAMES);
        let letters = Letters::built_in();
        let threads =
            Threads { api, desk: desk.clone(), letters, pictures: None, drawing: Arc::default() };
        let courier = Courier::new(store, vec![Box::new(threads.clone())], Duration::ZERO);
        let courier = courier.with_desk(desk.clone());
        let posts = Posts::new(threads, Duration::from_secs(1));
        let all = (0..healthy + dead).map(|number| forms(&desk, number));
        futures_util::future::join_all(all).await;
        // The body of each letter is stored until it is sent.
        let keep = "create table bodies as
            select tables.code, body from outbox join tables on place = address";
        database.change(&[keep.to_owned()]).await;
        let simulation = Self { wire, database, desk, posts, courier };
        simulation.works().await;
        assert_eq!(simulation.waiting("true").await, 0);
        simulation
    }

    /// Works until nothing is due.
    async fn works(&self) {
        loop {
            let arrived = self.courier.round().await.unwrap();
            let before = self.wire.messages.load(Ordering::Relaxed);
            self.posts.round().await.unwrap();
            let drawn = self.wire.messages.load(Ordering::Relaxed) - before;
            if arrived == 0 && drawn == 0 {
                return;
            }
        }
    }

    /// Advances the fake clock by this many seconds: all stored times move back.
    async fn passes(&self, seconds: u64) {
        let by = seconds * 1000;
        self.wire.now.fetch_add(seconds, Ordering::Relaxed);
        let all = [
            format!(
                "update barred set refused_at = refused_at - {by}, wait_until = wait_until - {by}"
            ),
            format!("update outbox set attempted_at = attempted_at - {by} where sent_at is null"),
            format!("update outbox set wait_until = wait_until - {by} where sent_at is null"),
            format!("update tables set drawn_at = drawn_at - {by}"),
        ];
        self.database.change(&all).await;
        self.works().await;
    }

    /// Changes every table, so that its post is due.
    async fn stirs(&self) {
        self.database.change(&["update tables set stirred = stirred + 1".to_owned()]).await;
    }

    /// Queues a letter to each thread.
    async fn writes(&self, name: &str) {
        // The letter that each table sent when it was formed.
        let letter = format!(
            "insert into outbox (letter, address, send_at, body, attempts)
             select code || '-{name}', place, formed_at,
                 (select body from bodies where bodies.code = tables.code), 0 from tables"
        );
        self.database.change(&[letter]).await;
    }

    /// Returns the number of waiting posts and letters of the tables that match a condition.
    async fn waiting(&self, which: &str) -> i64 {
        let behind = format!(
            "select (select count(*) from tables where shown < stirred and {which})
                 + (select count(*) from outbox join tables on place = address
                     where sent_at is null and {which})"
        );
        self.database.number(&behind).await
    }
}

async fn forms(desk: &Desk, number: u64) {
    let host = UserId::new(FIRST_HOST + number);
    let place = incoming::place(ChannelId::new(FIRST + number));
    let form = Form {
        game: GAMES[0].key().to_owned(),
        options: json!({}),
        chairs: 2,
        pace: Pace::read("6h", chrono_tz::UTC).unwrap(),
        host: Contact {
            account: incoming::account(host),
            name: "host".to_owned(),
            language: Lang::En,
            address: incoming::own(host),
        },
        place: Some(place.clone()),
        settings: tables::TableSettings::default(),
        seed: None,
    };
    desk::form(desk, form, clock::now()).await.unwrap();
    let about = (place, incoming::server(SERVER));
    let placed = desk.store().write_about(about, |(place, server), to| {
        places::put_place(to, place, place, Some(server)).boxed()
    });
    placed.await.unwrap();
}

/// Simulates an hour of changes at all tables, some with dead threads, and then fixes the threads.
async fn an_hour(healthy: u64, dead: u64, most: usize) {
    let simulation = Simulation::begins(healthy, dead).await;
    let alive = format!("cast(substr(place, 17) as bigint) < {}", FIRST + healthy);
    simulation.wire.are_dead.store(true, Ordering::Relaxed);
    simulation.stirs().await;
    let mut minutes = [5, 20, 40].into_iter().peekable();
    let mut is_told = false;
    while simulation.wire.now.load(Ordering::Relaxed) < 60 * MINUTE {
        let now = simulation.wire.now.load(Ordering::Relaxed);
        if minutes.next_if(|minute| minute * MINUTE <= now).is_some() {
            simulation.stirs().await;
        }
        if now >= MINUTE && !is_told {
            is_told = true;
            simulation.writes("later").await;
        }
        simulation.passes(if now < 2 * MINUTE { 2 } else { MINUTE }).await;
        assert_eq!(simulation.waiting(&alive).await, 0, "a healthy table waits, at {now} s");
    }
    let refused = simulation.wire.most_refused();
    assert!(refused <= most, "{refused} refusals in ten minutes, of at most {most}");
    assert!(refused >= usize::try_from(dead).unwrap() * 3, "they are tried again: {refused}");
    let notified = "select count(*) from obstacles where told_at is not null";
    assert_eq!(simulation.database.number(notified).await, i64::try_from(dead).unwrap());
    // The server gives a role back to the bot.
    simulation.wire.are_dead.store(false, Ordering::Relaxed);
    let store = simulation.desk.store();
    let woken = store.write_about(incoming::server(SERVER), |server, to| {
        obstacles::wake_server(to, server, clock::now()).boxed()
    });
    assert!(woken.await.unwrap());
    // A post that was drawn just before a letter came is redrawn a second later.
    for _ in 0..2 {
        simulation.passes(10).await;
    }
    assert_eq!(simulation.waiting("true").await, 0, "all that waited has come");
    for left in ["select count(*) from barred", "select count(*) from obstacles"] {
        assert_eq!(simulation.database.number(left).await, 0, "{left}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_dead_threads_cost_less_than_one_refusal_a_second() {
    an_hour(60, 60, 600).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_dead_threads_cost_four_refusals_a_second_and_stop_no_other_table() {
    an_hour(500, 500, 2400).await;
}
