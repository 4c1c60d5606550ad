//! A double of Discord on loopback: one port for HTTP and the gateway, real sockets, the same rules.
//!
//! A test starts the double, connects a client (the built program, or serenity in the same process), lets
//! users act, and reads the messages that they saw:
//!
//! ```text
//! let discord = Discord::start();
//! let (alice, bob) = (discord.person("alice", Locale::Ja), discord.person("bob", Locale::En));
//! // … the program is started with discord.address() and discord.token() …
//! discord.is_connected().await;
//! alice.command("table new").with("game", "eitsuku").await;
//! let thread = discord.thread("えいつく").await;
//! bob.press("参加").await;
//! alice.goes_to(thread);
//! let panel = alice.command("declare").await;
//! discord.when("POST /channels/*/messages").nth(2).takes_effect_and_its_answer_is_lost();
//! alice.press("封をする").on(&panel).await;
//! bob.sees("締め切りました").await;
//! assert_eq!(bob.times_told("締め切りました"), 1);
//! assert_eq!(discord.transcript(), …);
//! ```
//!
//! Users act in `people` and `act`, hosts in `host`; planned faults are in `trouble`.
//!
//! Any request that Discord would refuse as ill-formed is recorded as a violation, and the test fails when
//! the double is dropped, unless the violation was [forgiven](Discord::forgive). The test also fails if a
//! planned fault never happened.

#![expect(clippy::missing_panics_doc, reason = "a test fails by panicking")]
#![expect(clippy::return_self_not_must_use, reason = "an unused act is seen at once")]
#![expect(clippy::unwrap_used, reason = "what is not there is a failure of the test")]
#![expect(missing_debug_implementations, reason = "a test that fails shows the transcript")]

mod act;
mod answer;
mod channels;
mod draw;
mod faults;
mod gateway;
mod guild;
mod host;
mod interactions;
mod limits;
mod mentions;
mod messages;
mod people;
mod refusal;
mod rest;
mod route;
mod rules;
mod sessions;
mod spec;
mod state;
pub mod transcript;
mod trouble;
mod wire;

use std::{
    future::IntoFuture,
    pin::pin,
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::Duration,
};

use axum::{
    Extension, Router,
    extract::{ConnectInfo, DefaultBodyLimit, Path, WebSocketUpgrade},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use tokio::{
    net::TcpListener,
    runtime::Builder,
    sync::{oneshot, watch},
    time::timeout,
};

pub use answer::{Answer, Seen};
pub use channels::ChannelKind;
pub use host::Place;
pub use limits::Scope;
pub use people::{Locale, Person};
pub use route::Pattern;
use state::State;
pub use state::{Id, Request, Settings, Violation};
use wire::{Door, Scissors};

/// The state shared by the sockets and the users.
pub struct Shared {
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

impl Shared {
    /// Changes the state, and wakes all waiting tasks.
    pub fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let result = work(&mut self.state.lock().unwrap());
        self.changed.send_replace(());
        result
    }

    /// Reads the state without waking any task.
    pub fn look<T>(&self, work: impl FnOnce(&State) -> T) -> T {
        work(&self.state.lock().unwrap())
    }

    /// Waits until the function finds a value; `None` after the time limit of the settings.
    pub async fn find<T>(&self, mut look: impl FnMut(&State) -> Option<T>) -> Option<T> {
        let patience = self.look(|state| state.settings.patience);
        let mut changed = self.changed.subscribe();
        let waiting = async {
            loop {
                if let Some(found) = self.look(&mut look) {
                    return found;
                }
                let _ = changed.changed().await;
            }
        };
        timeout(patience, waiting).await.ok()
    }

    /// Waits until the function finds a value; fails the test with the transcript after the time limit.
    pub async fn wait<T>(&self, what: &str, look: impl FnMut(&State) -> Option<T>) -> T {
        match self.find(look).await {
            Some(found) => found,
            None => self.fail(&format!("{what}: this never came")),
        }
    }

    /// Fails the test with the violations and the transcript.
    pub fn fail(&self, what: &str) -> ! {
        let (told, violations) =
            self.look(|state| (state.transcript(None), state.violations.clone()));
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        panic!("{what}\nrules broken: {violations:#?}\nwhat happened:\n{told}");
    }
}

/// The double, which runs until it is dropped.
pub struct Discord {
    shared: Arc<Shared>,
    server: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Discord {
    /// Starts a double with a guild, its channel `general`, and the bot.
    pub fn start() -> Self {
        Self::start_with(Settings::default())
    }

    /// Starts a double with these settings.
    pub fn start_with(settings: Settings) -> Self {
        Self::open(|base| State::new(settings, base))
    }

    /// Starts another double with the same guild, users and channels, without any message.
    pub fn twin(&self) -> Self {
        Self::open(|base| self.shared.look(|state| state.twin(base)))
    }

    fn open(state: impl FnOnce(String) -> State) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Mutex::new(state(base));
        let shared = Arc::new(Shared { state, changed: watch::Sender::default() });
        let (stop, stopped) = oneshot::channel();
        let app = router(shared.clone());
        // The server has its own thread, so that a blocking test does not slow it down.
        let server = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let door = Door(TcpListener::from_std(listener).unwrap());
                let app = app.into_make_service_with_connect_info::<Scissors>();
                let serving = axum::serve(door, app).into_future();
                let _ = futures_util::future::select(pin!(serving), stopped).await;
            });
        });
        Self { shared, server: Some((stop, server)) }
    }

    /// Returns the base URL of the REST API: `http://127.0.0.1:PORT`.
    pub fn address(&self) -> String {
        self.shared.look(|state| state.base.clone())
    }

    /// Returns the bot's token.
    pub fn token(&self) -> String {
        self.shared.look(|state| state.token.clone())
    }

    /// Returns the id of the application, which is also the bot's.
    pub fn application(&self) -> Id {
        self.shared.look(|state| state.application)
    }

    /// Returns the id of the guild.
    pub fn guild(&self) -> Id {
        self.shared.look(|state| state.guild.id)
    }

    /// Returns the transcript of all events as text.
    pub fn transcript(&self) -> String {
        self.shared.look(|state| state.transcript(None))
    }

    /// Returns the acts of users with their private answers as text.
    pub fn dialogue(&self) -> String {
        self.shared.look(State::dialogue)
    }

    /// Returns the dialogues and the current state of every channel as text.
    pub fn seen(&self) -> String {
        self.shared.look(State::seen)
    }

    /// Returns the planned faults that have not happened yet.
    pub fn faults_left(&self) -> Vec<String> {
        self.shared.look(|state| state.faults.left())
    }

    /// Clears all events so far from later transcripts.
    pub fn forgets(&self) {
        self.shared.with(|state| state.scenes.clear());
    }

    /// Returns the current public messages of a channel as text.
    pub fn shows(&self, place: Place) -> String {
        self.shared.look(|state| state.shows(place.0))
    }

    /// Returns the violations so far.
    pub fn violations(&self) -> Vec<Violation> {
        self.shared.look(|state| state.violations.clone())
    }

    /// Removes the violations whose text contains these words, and returns their number.
    pub fn forgive(&self, words: &str) -> usize {
        self.shared.with(|state| {
            let before = state.violations.len();
            state.violations.retain(|violation| !violation.to_string().contains(words));
            before - state.violations.len()
        })
    }

    /// Returns the requests so far that match a pattern, such as `POST /channels/*/messages`.
    pub fn requests(&self, pattern: &str) -> Vec<Request> {
        let pattern = Pattern::new(pattern);
        self.shared.look(|state| {
            let fits = |request: &&Request| pattern.matches(&request.route);
            state.requests.iter().filter(fits).cloned().collect()
        })
    }

    /// Returns the time of the first answer to each interaction, in the order of interactions.
    pub fn answering_times(&self) -> Vec<Duration> {
        self.shared.look(|state| state.interactions.values().filter_map(|one| one.took).collect())
    }

    /// Waits until no request has come for this long.
    pub async fn quiet_for(&self, time: Duration) {
        let count = || self.shared.look(|state| state.requests.len());
        let mut before = usize::MAX;
        while before != count() {
            before = count();
            tokio::time::sleep(time).await;
        }
    }
}

impl Drop for Discord {
    fn drop(&mut self) {
        if let Some((stop, server)) = self.server.take() {
            let _ = stop.send(());
            let _ = server.join();
        }
        if std::thread::panicking() {
            return;
        }
        let (violations, faults) =
            self.shared.look(|state| (state.violations.clone(), state.faults.left()));
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert!(violations.is_empty(), "Discord's rules were broken: {violations:#?}");
        assert!(faults.is_empty(), "These faults were planned and never struck: {faults:#?}");
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/gateway", get(open))
        .route("/gateway/", get(open))
        .route("/attachments/{channel}/{file}/{name}", get(attachment))
        .fallback(rest::serve)
        .layer(DefaultBodyLimit::disable())
        .layer(Extension(shared))
}

async fn open(
    ConnectInfo(scissors): ConnectInfo<Scissors>,
    Extension(shared): Extension<Arc<Shared>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.on_upgrade(move |socket| gateway::talk(shared, scissors, socket))
}

async fn attachment(
    Path((_, file, _)): Path<(Id, Id, String)>,
    Extension(shared): Extension<Arc<Shared>>,
) -> Response {
    let found = shared.look(|state| {
        let mut files = state.messages.values().flat_map(|message| &message.files);
        files.find(|one| one.id == file).map(|one| one.bytes.to_vec())
    });
    found.map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response)
}
