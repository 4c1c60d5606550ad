//! Input from Discord, over serenity's client: interactions and changes.
//!
//! Nothing of the house depends on an event that must not be missed. So the connection may be lost
//! at any time, and is then begun anew, for ever; only what a person must mend ends it.

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
use crate::gateway::forwarder::{InteractionForwarder, told};
use crate::gateway::runtime::{GatewayRuntime, SpinWatch};

/// How often the connection is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// How long a connection may take to come about, and how much longer for each shard: serenity begins
/// one every five seconds, however many Discord would allow.
const PATIENCE: (Duration, Duration) = (Duration::from_mins(2), Duration::from_secs(10));

/// How long it is until the connection is begun anew after it was lost once, and how long at most:
/// sessions may be begun 1,000 times a day, and where nobody answers, none is begun.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);
const LONGEST_PAUSE_ALONE: Duration = Duration::from_secs(30);

/// The time for which a connection must have held for its loss to be counted as the first.
const HELD: Duration = Duration::from_mins(1);

/// The time that leaving may take, and then what is being handled.
const LEAVING: Duration = Duration::from_secs(4);
const HANDLING: Duration = Duration::from_secs(4);

/// The time that an answer of Discord's to serenity may take.
const TIMEOUT: Duration = Duration::from_secs(15);

/// True if a line of this target and level may stand in the log, whatever is asked for: beyond this
/// the libraries below print addresses with tokens in them, frames and headers, and
/// `serenity::gateway::ws` whole messages with a warning. How a session ends is told here, once.
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

/// Why nothing can be heard from Discord until a person has done something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayRefusal {
    /// Discord does not know the token (4004, or 401).
    #[error("the token is not accepted")]
    Token,
    /// The intents are not such as there are (4013).
    #[error("the intents are not valid")]
    InvalidIntents,
    /// The bot may not have these intents (4014).
    #[error("the intents are not allowed")]
    DisallowedIntents,
}

/// How one connection came to its end.
enum ConnectionEnd {
    Stopped,
    Ended(GatewayRefusal),
    /// It is begun anew after a pause of at most so long.
    Lost {
        why: String,
        longest: Duration,
    },
    /// No session may be begun for so long.
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
    /// The gateway that belongs to an API.
    pub fn new(api: Api) -> Self {
        Self { api, state: Arc::default() }
    }

    /// How the connection is.
    pub fn state(&self) -> Arc<GatewayState> {
        Arc::clone(&self.state)
    }

    /// Hands over all that is heard, each in a task of its own, until it is told to stop; then it
    /// waits for what is being handled, but no more than ten seconds in all.
    /// Fails if Discord will not have the bot until a person has done something.
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
                () = told(&mut stop) => break,
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
            () = told(stop) => return ConnectionEnd::Stopped,
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
            () = told(stop) => return ConnectionEnd::Stopped,
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

    /// A client of serenity's that goes to the gateway that our own API named. What serenity takes
    /// when it gets no answer itself is the real one, whatever it was to speak to.
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

/// A client at work in its runtime.
struct Connection {
    runtime: GatewayRuntime,
    manager: Arc<ShardManager>,
    running: JoinHandle<serenity::Result<()>>,
    shards: u32,
}

impl Connection {
    /// Looks after the connection until it is lost.
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
                () = told(stop) => {
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

    /// Notes how the shards are, and says whether all are connected.
    async fn note(&self, state: &GatewayState) -> bool {
        let runners = self.manager.runners.lock().await;
        let shards = runners.values();
        let there =
            shards.clone().filter(|shard| shard.stage == ConnectionStage::Connected).count();
        let connected = u32::try_from(there).is_ok_and(|there| there == self.shards);
        state.note(connected, shards.filter_map(|shard| shard.latency).max());
        connected
    }

    /// Ends the shards that spin. They do read what they are to send, and end where it cannot be
    /// sent; told to shut down, they would wait for a farewell for ever.
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

    /// Takes leave of Discord, so that it does not wait for the session to be resumed.
    async fn leave(&self) {
        if timeout(LEAVING, self.manager.shutdown_all()).await.is_err() {
            tracing::warn!("left Discord without a farewell");
        }
    }
}

/// What comes after an end that serenity does not survive itself.
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
