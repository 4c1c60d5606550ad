//! Events from Discord, by serenity's client: interactions and changes.
//!
//! The program tolerates missed events. The connection may be lost at any time and is then begun anew,
//! without end, except after a fault that a person must fix.
//!
//! A separate runtime for serenity's client, and its watch.
//!
//! After the close codes 4003, 4010 and 4011, and after a close without a code, serenity 0.12.5 reads from
//! the ended connection again and again without yielding: a task that cannot be cancelled and keeps a thread.
//! In a separate runtime that thread is nobody else's, and the fault can be detected: a worker that never
//! parks while no event comes.

#[cfg(test)]
mod test_gateway;

use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serenity::all::{
    ChannelId, ClientBuilder, ConnectionStage, Context, Event, GatewayIntents, GuildId,
    OnlineStatus, RawEventHandler,
};
use serenity::gateway::{GatewayError, ShardManager};
use serenity::http::{HttpBuilder, Route};
use serenity::model::application::Interaction;
use serenity::{Client, async_trait};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::api::Recommended;
use crate::{Api, SendError, api};
use desk::clock;
use desk::counts::Counter;
use tables::time::Time;

/// The interval between two checks of the connection.
const LOOK: Duration = Duration::from_millis(200);

/// The timeout of a new connection, and its extension for each shard: serenity begins one every five seconds,
/// however many Discord would allow.
const PATIENCE: (Duration, Duration) = (Duration::from_mins(2), Duration::from_secs(10));

/// The first pause before a new connection, and the longest ones after a loss and while Discord does not
/// respond: sessions may be begun 1,000 times a day, but none is begun without a response.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
const LONGEST_PAUSE_ALONE: Duration = Duration::from_secs(30);

/// The duration of a connection after which its loss counts as the first again.
const HELD: Duration = Duration::from_mins(1);

/// The timeouts of closing the connection and, afterwards, of pending interactions.
const LEAVING: Duration = Duration::from_secs(4);
const HANDLING: Duration = Duration::from_secs(4);

/// The timeout of Discord's responses to serenity.
const TIMEOUT: Duration = Duration::from_secs(15);

/// True if a log line of this target and level is allowed at all: at other levels, libraries print URLs with
/// tokens, frames and headers, and `serenity::gateway::ws` whole messages in warnings. The end of a session
/// is logged here once instead.
pub fn may_log(target: &str, level: tracing::Level) -> bool {
    const NEVER: [&str; 3] = [
        "serenity::gateway::ws",
        "serenity::gateway::shard",
        "serenity::gateway::bridge::shard_runner",
    ];
    const WARNINGS: [&str; 7] =
        ["serenity", "tungstenite", "tokio_tungstenite", "reqwest", "hyper", "hyper_util", "h2"];
    let is_within = |module: &&str| {
        let rest = target.strip_prefix(module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    };
    if NEVER.iter().any(is_within) {
        return false;
    }
    level <= tracing::Level::WARN || !WARNINGS.iter().any(is_within)
}

/// A refusal of the gateway that a person must fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayRefusal {
    /// Discord refuses the token (4004, or 401).
    #[error("the token is not accepted")]
    Token,
    /// The intents are invalid (4013).
    #[error("the intents are not valid")]
    InvalidIntents,
    /// The bot is not allowed these intents (4014).
    #[error("the intents are not allowed")]
    DisallowedIntents,
}

/// The end of one connection.
enum ConnectionEnd {
    Stopped,
    Ended(GatewayRefusal),
    /// The connection was lost and is begun anew, after a pause of at most `longest`.
    Lost {
        why: String,
        longest: Duration,
    },
    /// No session may be begun for this time.
    Exhausted {
        wait: Duration,
    },
}

/// The connection to Discord's gateway.
#[derive(Debug)]
pub struct Gateway {
    api: Api,
    state: Arc<GatewayState>,
}

impl Gateway {
    /// Creates the gateway of an API client.
    pub fn new(api: Api) -> Self {
        Self { api, state: Arc::default() }
    }

    /// Returns the state of the connection.
    pub fn state(&self) -> Arc<GatewayState> {
        Arc::clone(&self.state)
    }

    /// Forwards all events, each in a task of its own, until the signal to stop; then waits for the pending
    /// ones, ten seconds at most in all.
    /// Fails if Discord refuses the bot until a person has fixed the fault.
    pub async fn run<H, F>(
        self,
        handler: H,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), GatewayRefusal>
    where
        H: Fn(Heard) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let forwarder = InteractionForwarder::new(handler, Arc::clone(&self.state));
        let mut losses = 0;
        loop {
            let began = Instant::now();
            let ended_by = self.run_connection(&forwarder, &mut stop).await;
            self.state.note(false);
            let wait = match ended_by {
                ConnectionEnd::Stopped => break,
                ConnectionEnd::Ended(ended) => return Err(ended),
                ConnectionEnd::Exhausted { wait } => {
                    tracing::warn!(?wait, "no session may be begun with Discord");
                    wait
                }
                ConnectionEnd::Lost { why, longest } => {
                    losses = if began.elapsed() > HELD { 1 } else { losses + 1 };
                    let wait = api::pause(PAUSE, losses).min(longest);
                    tracing::warn!(why, ?wait, "the connection to Discord is begun anew");
                    wait
                }
            };
            tokio::select! {
                () = sleep(wait) => {}
                () = stopped(&mut stop) => break,
            }
        }
        let idle = async {
            while self.state.under_way() > 0 {
                sleep(LOOK / 10).await;
            }
        };
        if timeout(HANDLING, idle).await.is_err() {
            let left = self.state.under_way();
            tracing::warn!(left, "stopped before every interaction was handled");
        }
        Ok(())
    }

    /// Connects, and stays until the connection is lost.
    async fn run_connection(
        &self,
        forwarder: &InteractionForwarder,
        stop: &mut watch::Receiver<bool>,
    ) -> ConnectionEnd {
        let lost = |why: String, longest| ConnectionEnd::Lost { why, longest };
        let gateway = tokio::select! {
            gateway = self.api.get::<Recommended>(Route::GatewayBot) => gateway,
            () = stopped(stop) => return ConnectionEnd::Stopped,
        };
        let gateway = match gateway {
            Ok(gateway) => gateway,
            Err(SendError::Unauthorized) => return ConnectionEnd::Ended(GatewayRefusal::Token),
            Err(SendError::Later { after }) => return ConnectionEnd::Exhausted { wait: after },
            Err(unsent) => return lost(unsent.to_string(), LONGEST_PAUSE_ALONE),
        };
        let starts = gateway.session_start_limit;
        if starts.remaining < u64::from(gateway.shards) {
            return ConnectionEnd::Exhausted { wait: Duration::from_millis(starts.reset_after) };
        }
        let runtime = match GatewayRuntime::open() {
            Ok(runtime) => runtime,
            Err(error) => return lost(error.to_string(), LONGEST_PAUSE),
        };
        let (shards, client) = (gateway.shards.max(1), self.client(gateway, forwarder.clone()));
        let client = tokio::select! {
            client = runtime.spawn(client) => client,
            () = stopped(stop) => return ConnectionEnd::Stopped,
        };
        let Ok(Ok(mut client)) = client else {
            return lost("serenity made no client".to_owned(), LONGEST_PAUSE);
        };
        self.state.begun.one();
        let manager = Arc::clone(&client.shard_manager);
        let running = runtime.spawn(async move { client.start_shards(shards).await });
        let connection = Connection { runtime, manager, running, shards };
        connection.keep(&self.state, stop).await
    }

    /// Creates a client of serenity's for the gateway URL that this module's API named. Without a response,
    /// serenity would fall back to the real Discord, even in tests.
    fn client(
        &self,
        gateway: Recommended,
        forwarder: InteractionForwarder,
    ) -> impl Future<Output = Result<Client, Box<serenity::Error>>> + use<> {
        let (token, base) = (self.api.token().with_prefix(), self.api.base().to_owned());
        async move {
            let http = api::client(TIMEOUT).map_err(serenity::Error::from)?;
            let http = HttpBuilder::new(token).client(http).proxy(base).ratelimiter_disabled(true);
            let builder = ClientBuilder::new_with_http(http.build(), GatewayIntents::GUILDS);
            let client = builder.raw_event_handler(forwarder).await?;
            let url = gateway.url.split('?').next().unwrap_or_default();
            url.clone_into(&mut *client.ws_url.lock().await);
            Ok(client)
        }
    }
}

/// A running client of serenity's.
struct Connection {
    runtime: GatewayRuntime,
    manager: Arc<ShardManager>,
    running: JoinHandle<serenity::Result<()>>,
    shards: u32,
}

impl Connection {
    /// Watches the connection until it is lost.
    async fn keep(
        mut self,
        state: &GatewayState,
        stop: &mut watch::Receiver<bool>,
    ) -> ConnectionEnd {
        let lost = |why: &str| ConnectionEnd::Lost { why: why.to_owned(), longest: LONGEST_PAUSE };
        let patience = PATIENCE.0 + PATIENCE.1 * self.shards;
        let (mut watch, mut connected) = (SpinWatch::default(), Instant::now());
        loop {
            tokio::select! {
                () = stopped(stop) => {
                    self.leave().await;
                    return ConnectionEnd::Stopped;
                }
                ended = &mut self.running => return match ended {
                    Ok(Err(serenity::Error::Gateway(why))) => after(&why),
                    _ => lost("serenity ended"),
                },
                () = sleep(LOOK) => {}
            }
            if self.note(state).await {
                connected = Instant::now();
            }
            if watch.look(&self.runtime, state.heard.get()) {
                self.unstick(&mut watch, state).await;
                return lost("a shard read from a connection that was closed");
            }
            if connected.elapsed() > patience {
                return lost("not every shard came to be connected");
            }
        }
    }

    /// Notes the state of the shards. Returns true if all are connected.
    async fn note(&self, state: &GatewayState) -> bool {
        let runners = self.manager.runners.lock().await;
        let shards = runners.values();
        let there =
            shards.clone().filter(|shard| shard.stage == ConnectionStage::Connected).count();
        let connected = u32::try_from(there).is_ok_and(|there| there == self.shards);
        state.note(connected);
        connected
    }

    /// Ends the shards that spin, by a message that they fail to send. A shutdown would wait for a close
    /// frame without end.
    async fn unstick(&self, watch: &mut SpinWatch, state: &GatewayState) {
        for shard in self.manager.runners.lock().await.values() {
            shard.runner_tx.set_status(OnlineStatus::Online);
        }
        for _ in 0..10 {
            sleep(LOOK / 4).await;
            if !watch.look(&self.runtime, state.heard.get()) {
                return;
            }
        }
        state.stuck.one();
        tracing::warn!("a shard could not be ended, and keeps a processor");
    }

    /// Closes the sessions, so that Discord does not wait for them to be resumed.
    async fn leave(&self) {
        if timeout(LEAVING, self.manager.shutdown_all()).await.is_err() {
            tracing::warn!("left Discord without a farewell");
        }
    }
}

/// Returns the end of the connection after an error that serenity does not recover from.
fn after(why: &GatewayError) -> ConnectionEnd {
    match why {
        GatewayError::InvalidAuthentication => ConnectionEnd::Ended(GatewayRefusal::Token),
        GatewayError::InvalidGatewayIntents => ConnectionEnd::Ended(GatewayRefusal::InvalidIntents),
        GatewayError::DisallowedGatewayIntents => {
            ConnectionEnd::Ended(GatewayRefusal::DisallowedIntents)
        }
        why => ConnectionEnd::Lost { why: why.to_string(), longest: LONGEST_PAUSE },
    }
}

/// The maximum length of a logged event name, in characters.
const NAME: usize = 40;

type Handler = dyn Fn(Heard) -> BoxFuture<'static, ()> + Send + Sync;

/// An event that is forwarded.
#[derive(Clone, Debug)]
pub enum Heard {
    /// A person's interaction.
    Interaction(Box<Interaction>),
    /// A change of a channel or a server.
    Changed(Changed),
}

/// A change on Discord after which a refused message may be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A channel or a thread changed.
    Place(ChannelId),
    /// A server, its roles or the bot's membership changed.
    Server(GuildId),
    /// The bot joined a server, or a server became available again.
    Entered(GuildId),
}

impl Changed {
    /// Returns the change of an event; `None` if the event is no such change.
    fn by(event: &Event) -> Option<Self> {
        Some(match event {
            Event::ChannelUpdate(event) => Self::Place(event.channel.id),
            Event::ThreadCreate(event) => Self::Place(event.thread.id),
            Event::ThreadUpdate(event) => Self::Place(event.thread.id),
            Event::GuildUpdate(event) => Self::Server(event.guild.id),
            Event::GuildMemberUpdate(event) => Self::Server(event.guild_id),
            Event::GuildRoleCreate(event) => Self::Server(event.role.guild_id),
            Event::GuildRoleUpdate(event) => Self::Server(event.role.guild_id),
            Event::GuildRoleDelete(event) => Self::Server(event.guild_id),
            Event::GuildCreate(event) => Self::Entered(event.guild.id),
            _ => return None,
        })
    }
}

/// Forwards events to the program's runtime, in which everything but the gateway runs. Clones share
/// everything.
#[derive(Clone)]
struct InteractionForwarder {
    handler: Arc<Handler>,
    /// The program's own runtime, separate from serenity's.
    house: Handle,
    state: Arc<GatewayState>,
}

impl InteractionForwarder {
    pub(super) fn new<H, F>(handler: H, state: Arc<GatewayState>) -> Self
    where
        H: Fn(Heard) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let handler = Arc::new(move |heard| handler(heard).boxed());
        Self { handler, house: Handle::current(), state }
    }

    fn hand_over(&self, heard: Heard) {
        let (handler, under_way) = (Arc::clone(&self.handler), self.state.handling());
        self.house.spawn(async move {
            let _under_way = under_way;
            let attempt = AssertUnwindSafe(async { handler(heard).await });
            if attempt.catch_unwind().await.is_err() {
                tracing::error!("the handling of what was heard broke down");
            }
        });
    }
}

#[async_trait]
impl RawEventHandler for InteractionForwarder {
    async fn raw_event(&self, _: Context, event: Event) {
        self.state.heard.one();
        match event {
            Event::InteractionCreate(event) => {
                self.hand_over(Heard::Interaction(Box::new(event.interaction)));
            }
            Event::Unknown(event) => {
                self.state.unknown.one();
                let name: String = event.kind.chars().take(NAME).collect();
                tracing::warn!(name, "an event could not be read");
            }
            event => {
                if let Some(changed) = Changed::by(&event) {
                    self.hand_over(Heard::Changed(changed));
                }
            }
        }
    }
}

/// Waits for the signal to stop, or until its sender is dropped.
pub(super) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// One more than the threads that a spinning shard can take.
const WORKERS: usize = 2;

/// The time that a worker is busy without an event before it counts as spinning.
const SPIN: Duration = Duration::from_secs(1);

/// A runtime that is shut down in the background when it is dropped, without waiting for its tasks.
struct GatewayRuntime(Option<Runtime>);

impl GatewayRuntime {
    pub(super) fn open() -> io::Result<Self> {
        let builder = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(WORKERS).thread_name("gateway").enable_all();
            builder
        };
        Ok(Self(Some(builder().build()?)))
    }

    fn runtime(&self) -> &Runtime {
        self.0.as_ref().expect("it is there until it is dropped")
    }

    pub(super) fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        self.runtime().spawn(future)
    }

    /// Returns the number of times that each worker was parked or unparked: odd while it is parked.
    fn parkings(&self) -> impl Iterator<Item = u64> {
        let metrics = self.runtime().metrics();
        (0..metrics.num_workers()).map(move |worker| metrics.worker_park_unpark_count(worker))
    }
}

impl Drop for GatewayRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A detector of spinning workers.
#[derive(Default)]
struct SpinWatch {
    /// The last parking count of each worker, and the time when it was first seen.
    seen: Vec<(u64, Instant)>,
    /// The number of events at the last check.
    heard: u64,
}

impl SpinWatch {
    /// Checks the workers of a runtime. Returns true if one of them spins.
    fn look(&mut self, runtime: &GatewayRuntime, heard: u64) -> bool {
        let now = Instant::now();
        let quiet = std::mem::replace(&mut self.heard, heard) == heard;
        let mut spins = false;
        for (worker, parkings) in runtime.parkings().enumerate() {
            match self.seen.get_mut(worker) {
                None => self.seen.push((parkings, now)),
                Some((seen, since)) => {
                    let rests = parkings % 2 == 1;
                    if rests || *seen != parkings || !quiet {
                        (*seen, *since) = (parkings, now);
                    }
                    spins |= now - *since >= SPIN;
                }
            }
        }
        spins
    }
}

/// The state of the connection to Discord, for health checks.
#[derive(Debug, Default)]
pub struct GatewayState {
    /// The time when all shards were connected, in milliseconds; 0 if not connected.
    since: AtomicI64,
    /// The events of any kind.
    heard: Counter,
    /// The events that serenity could not parse or does not know.
    pub unknown: Counter,
    /// The connections begun.
    begun: Counter,
    /// The threads lost to a shard that never yields: each keeps a processor busy until the process ends.
    pub(crate) stuck: Counter,
    under_way: AtomicUsize,
}

impl GatewayState {
    /// Returns the time since which all shards are connected; `None` while one is not.
    pub fn connected_since(&self) -> Option<Time> {
        let since = Some(self.since.load(Ordering::Relaxed)).filter(|since| *since != 0);
        since.map(Time::from_milliseconds)
    }

    /// Returns the number of interactions that are being handled.
    pub fn under_way(&self) -> usize {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Notes if all shards are connected.
    pub(super) fn note(&self, connected: bool) {
        match (connected, self.connected_since()) {
            (true, None) => self.since.store(clock::now().milliseconds(), Ordering::Relaxed),
            (false, Some(_)) => self.since.store(0, Ordering::Relaxed),
            _ => {}
        }
    }

    /// Counts an interaction as pending until the returned guard is dropped.
    pub(super) fn handling(self: &Arc<Self>) -> Handling {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        Handling(Arc::clone(self))
    }
}

pub(crate) struct Handling(Arc<GatewayState>);

impl Drop for Handling {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Checks the workers for 1.4 seconds, or until one spins.
    async fn looks(runtime: &GatewayRuntime, mut heard: impl FnMut() -> u64) -> bool {
        let mut watch = SpinWatch::default();
        for _ in 0..28 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            if watch.look(runtime, heard()) {
                return true;
            }
        }
        false
    }

    #[tokio::test]
    async fn a_task_that_never_yields_is_seen_and_one_that_rests_is_not() {
        let runtime = GatewayRuntime::open().unwrap();
        runtime.spawn(async {
            loop {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        });
        assert!(!looks(&runtime, || 0).await);
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        runtime.spawn(async move {
            while !stopped.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
        let mut events = 0;
        let busy = looks(&runtime, || {
            events += 1;
            events
        });
        assert!(!busy.await, "events come");
        assert!(looks(&runtime, || 0).await);
        stop.store(true, Ordering::Relaxed);
    }
}
