//! Events from Discord, by serenity's client: interactions and changes.
//!
//! The program tolerates missed events. The connection may be lost at any time and is then begun anew,
//! without end, except after a fault that a person must fix.

mod forwarder;
mod runtime;
mod state;
#[cfg(test)]
mod test_gateway;

use std::sync::Arc;
use std::time::Duration;

use serenity::Client;
use serenity::all::{ClientBuilder, ConnectionStage, GatewayIntents, OnlineStatus};
use serenity::gateway::{GatewayError, ShardManager};
use serenity::http::HttpBuilder;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

pub use crate::gateway::forwarder::{Changed, Heard};
pub use crate::gateway::state::GatewayState;

use crate::api;
use crate::api::{Api, Recommended, SendError};
use crate::gateway::forwarder::{InteractionForwarder, stopped};
use crate::gateway::runtime::{GatewayRuntime, SpinWatch};

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
            self.state.note(false, None);
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
            gateway = self.api.gateway() => gateway,
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
        self.state.begin();
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
            if watch.look(&self.runtime, state.heard()) {
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
        state.note(connected, shards.filter_map(|shard| shard.latency).max());
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
            if !watch.look(&self.runtime, state.heard()) {
                return;
            }
        }
        state.count_stuck();
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
