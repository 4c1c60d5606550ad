//! The Discord front end of the desk: slash commands, panels and threads.
//!
//! Rules of games are elsewhere: this front end draws questions, parses answers, and posts letters.
//! [`api`] sends and [`gateway`] receives; no other module connects to Discord. The secrets on the wire, the
//! bot's [`BotToken`] and the token of each interaction, appear in no log, no error and no `Debug` of these
//! modules; [`gateway::may_log`] holds the libraries to the same rule.

mod answer;
pub mod api;
mod blocking;
mod bot;
mod controls;
pub mod gateway;
mod incoming;
mod interactions;
mod posting;

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use serenity::all::{ApplicationId, GuildId};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, watch};

use crate::bot::rate_limiter::RateLimiters;
use crate::bot::register;
use crate::interactions::handler::InteractionHandler;
use crate::posting::posts::{Dashboards, Posts};
use desk::Desk;
use desk::counts::Counts;
use letters::Letters;
use letters::picture::Pictures;

pub use crate::api::{Api, SendError};
pub use crate::bot::permissions;
pub use crate::bot::register::application;
pub use crate::bot::token::{BotToken, NoToken};
pub use crate::gateway::{Gateway, GatewayRefusal, GatewayState};
pub use crate::incoming::own_address;
pub use crate::posting::refused::Threads;

/// The settings of the bot.
#[derive(Clone, Debug)]
pub struct BotSettings {
    /// The pace of a table whose host sets none, as typed.
    pub pace: String,
    /// The time zone of the pace.
    pub zone: Tz,
    /// The one server where commands are registered during development; `None` for all servers.
    pub guild: Option<u64>,
    /// The maximum number of actions of a person in 10 seconds; 0 for no limit.
    pub per_person: u32,
    /// The minimum time between two redraws of a post; for a dashboard, it is three times as long.
    pub rest: Duration,
}

/// The bot, which connects the desk to Discord.
#[derive(Debug)]
pub struct Bot {
    threads: Threads,
    gateway: Gateway,
    settings: BotSettings,
}

/// The result of the bot's start, for its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotStatus {
    /// Discord has accepted the bot and its commands.
    Known {
        /// The id of the bot's application.
        application: u64,
    },
    /// Discord is unreachable; the bot retries.
    Unreached { why: String },
    /// Discord refuses the bot until a person has fixed the fault.
    Ended(GatewayRefusal),
}

impl Bot {
    /// Creates a bot for a desk.
    pub fn new(
        api: Api,
        desk: Desk,
        letters: Letters,
        pictures: Option<Pictures>,
        settings: BotSettings,
    ) -> Self {
        let gateway = Gateway::new(api.clone());
        let (pictures, drawing) = (pictures.map(Arc::new), Arc::default());
        Self { threads: Threads { api, desk, letters, pictures, drawing }, gateway, settings }
    }

    /// Returns the API client.
    pub fn api(&self) -> Api {
        self.threads.api.clone()
    }

    /// Returns the state of the gateway's connection.
    pub fn gateway(&self) -> Arc<GatewayState> {
        self.gateway.state()
    }

    /// Returns the channel for the courier's letters.
    pub fn threads(&self) -> Threads {
        self.threads.clone()
    }

    /// Handles interactions and keeps the posts of tables up to date, until `stop`. Rings `ring` after each
    /// change; `stirred` and `arrived` are notified when posts may have to be redrawn.
    /// Fails if Discord refuses the bot until a person has fixed the fault.
    pub async fn run(
        self,
        ring: Arc<dyn Fn() + Send + Sync>,
        stirred: Arc<Notify>,
        arrived: Arc<Notify>,
        counts: Arc<Counts>,
        bot_status: &UnboundedSender<BotStatus>,
        stop: watch::Receiver<bool>,
    ) -> Result<(), GatewayRefusal> {
        let guild = self.guild();
        let Some(application) = self.introduce(bot_status, stop.clone()).await? else {
            return Ok(());
        };
        // The receiver may be gone if the program runs for deadlines alone.
        let _ = bot_status.send(BotStatus::Known { application: application.get() });
        let BotSettings { pace, zone, per_person, rest, .. } = self.settings;
        let threads = self.threads;
        let dashboards = Dashboards::new(threads.clone(), rest);
        let dashboards = tokio::spawn(dashboards.run(stop.clone()));
        let posts = Posts::new(threads.clone(), rest);
        let posts = tokio::spawn(posts.run(stirred, arrived, stop.clone()));
        let handler = InteractionHandler {
            api: threads.api.clone(),
            desk: threads.desk.clone(),
            letters: threads.letters.clone(),
            draws: threads.pictures.is_some(),
            threads,
            gateway: self.gateway.state(),
            guild,
            rate_limiters: Arc::new(RateLimiters::new(per_person)),
            pace,
            zone,
            ring,
            counts,
        };
        let heard = self
            .gateway
            .run(
                move |heard| {
                    let handler = handler.clone();
                    async move { Box::pin(interactions::hear(&handler, heard)).await }
                },
                stop,
            )
            .await;
        // If the gateway has failed, letters are still carried, and the posts must follow them.
        if heard.is_ok() {
            posts.abort();
            dashboards.abort();
        }
        heard
    }

    /// Asks Discord for the bot's application and registers the commands, with retries while Discord is
    /// unreachable. `None` if stopped.
    async fn introduce(
        &self,
        bot_status: &UnboundedSender<BotStatus>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Option<ApplicationId>, GatewayRefusal> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let unsent = match self.known().await {
                Ok(application) => return Ok(Some(application)),
                Err(SendError::Unauthorized) => return Err(GatewayRefusal::Token),
                Err(unsent) => unsent,
            };
            if attempt == 1 {
                let _ = bot_status.send(BotStatus::Unreached { why: unsent.to_string() });
            }
            let wait = api::pause(Duration::from_secs(1), attempt.min(6));
            tracing::warn!(%unsent, ?wait, "Discord was not told of the commands");
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => return Ok(None),
            }
        }
    }

    fn guild(&self) -> Option<GuildId> {
        self.settings.guild.filter(|id| *id > 0).map(GuildId::new)
    }

    async fn known(&self) -> Result<ApplicationId, SendError> {
        let Threads { api, letters, .. } = &self.threads;
        let id = application(api).await?;
        register::register(api, letters, id, self.guild()).await?;
        Ok(id)
    }
}
