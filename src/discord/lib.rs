//! Discord: the same desk, behind slash commands, panels and threads.
//!
//! Nothing of a game's rules is here: it draws questions, takes answers, and posts letters.
//! [`api`] sends and [`gateway`] receives; nothing else speaks to Discord. Secrets that cross the wire,
//! which are the bot's [`BotToken`] and the token of each interaction, stand in no log, no error and no
//! `Debug` of these modules; [`gateway::may_log`] keeps the libraries below to the same.

mod address;
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
use serde::Deserialize;
use serenity::all::{ApplicationId, GuildId};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, watch};

pub use crate::address::own_address;
pub use crate::api::{Api, SendError};
pub use crate::bot::token::{BotToken, NoToken};
pub use crate::gateway::{Gateway, GatewayRefusal, GatewayState};
pub use crate::posting::channel::Threads;
pub use bot::permissions;
use bot::register;

use crate::bot::rate_limiter::RateLimiters;
use crate::interactions::InteractionHandler;
use crate::posting::dashboard::Dashboards;
use crate::posting::posts::Posts;
use desk::Desk;
use desk::counts::Counts;
use letters::Letters;
use letters::picture::Pictures;

/// What a table has if its host says nothing else.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The pace, as it is written.
    pub pace: String,
    /// The zone in which it is meant.
    pub zone: Tz,
}

/// The bot: what connects the desk with Discord.
#[derive(Debug)]
pub struct Bot {
    api: Api,
    desk: Desk,
    letters: Letters,
    pictures: Option<Arc<Pictures>>,
    defaults: Defaults,
    /// The one server where commands are told of, while they are being made.
    guild: Option<GuildId>,
    gateway: Gateway,
    rate_limiters: RateLimiters,
    /// The time for which a post rests between two drawings.
    rest: Duration,
}

/// The application that a token is of.
#[derive(Deserialize)]
struct Application {
    id: ApplicationId,
}

/// True if Discord knows the bot, for whoever started it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotStatus {
    /// Discord knows it and its commands.
    Known {
        /// The id of its application.
        application: u64,
    },
    /// Discord cannot be reached yet. It is tried again.
    Unreached { why: String },
    /// Discord will not have it until a person has done something.
    Ended(GatewayRefusal),
}

/// Asks Discord which application it is that speaks to it.
pub async fn application(api: &Api) -> Result<ApplicationId, SendError> {
    let application: Application = api.application().await?;
    Ok(application.id)
}

impl Bot {
    /// A bot at this desk.
    pub fn new(
        api: Api,
        desk: Desk,
        letters: Letters,
        pictures: Option<Pictures>,
        defaults: Defaults,
        guild: Option<u64>,
    ) -> Self {
        let guild = guild.filter(|id| *id > 0).map(GuildId::new);
        let gateway = Gateway::new(api.clone());
        let pictures = pictures.map(Arc::new);
        let rate_limiters = RateLimiters::new(0);
        let rest = Duration::from_secs(2);
        Self { api, desk, letters, pictures, defaults, guild, gateway, rate_limiters, rest }
    }

    /// Limits how much one person can do in 10 seconds; 0 for as much as they like.
    #[must_use]
    pub fn with_rate_limit(self, most: u32) -> Self {
        Self { rate_limiters: RateLimiters::new(most), ..self }
    }

    /// Sets how long a post rests between two drawings; a dashboard rests three times as long.
    #[must_use]
    pub fn with_redraw_interval(self, rest: Duration) -> Self {
        Self { rest, ..self }
    }

    /// What it speaks to Discord through.
    pub fn api(&self) -> Api {
        self.api.clone()
    }

    /// How it stands with the connection.
    pub fn gateway(&self) -> Arc<GatewayState> {
        self.gateway.state()
    }

    /// Where the courier's letters go on Discord.
    pub fn threads(&self) -> Threads {
        Threads {
            api: self.api.clone(),
            desk: self.desk.clone(),
            letters: self.letters.clone(),
            pictures: self.pictures.clone(),
            drawing: Arc::default(),
        }
    }

    /// Handles what people do and keeps the posts of tables up to date, until `stop`. Rings `ring`
    /// after whatever was done; `stirred` and `arrived` are rung when posts may have to be drawn.
    /// Fails if Discord will not have the bot until a person has done something.
    pub async fn run(
        self,
        ring: Arc<dyn Fn() + Send + Sync>,
        stirred: Arc<Notify>,
        arrived: Arc<Notify>,
        counts: Arc<Counts>,
        bot_status: &UnboundedSender<BotStatus>,
        stop: watch::Receiver<bool>,
    ) -> Result<(), GatewayRefusal> {
        let Some(application) = self.introduce(bot_status, stop.clone()).await? else {
            return Ok(());
        };
        // Whoever only keeps the deadlines listens to nothing of this.
        let _ = bot_status.send(BotStatus::Known { application: application.get() });
        let threads = self.threads();
        let heard_by = threads.clone();
        let dashboards = Dashboards::new(threads.clone(), self.rest);
        let dashboards = tokio::spawn(dashboards.run(stop.clone()));
        let posts = Posts::new(threads, self.rest);
        let posts = tokio::spawn(posts.run(stirred, arrived, stop.clone()));
        let handler = InteractionHandler {
            api: self.api.clone(),
            desk: self.desk,
            letters: self.letters,
            threads: heard_by,
            draws: self.pictures.is_some(),
            gateway: self.gateway.state(),
            guild: self.guild,
            rate_limiters: Arc::new(self.rate_limiters),
            pace: self.defaults.pace,
            zone: self.defaults.zone,
            ring,
            counts,
        };
        let heard = self
            .gateway
            .run(
                move |heard| {
                    let handler = handler.clone();
                    async move { Box::pin(handler.hear(heard)).await }
                },
                stop,
            )
            .await;
        // Where nothing can be heard any more, letters are carried all the same, and what they bring
        // makes posts past.
        if heard.is_ok() {
            posts.abort();
            dashboards.abort();
        }
        heard
    }

    /// Asks Discord who this is, and tells it of the commands; again and again, while it cannot be
    /// reached.
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

    async fn known(&self) -> Result<ApplicationId, SendError> {
        let id = application(&self.api).await?;
        register::register(&self.api, &self.letters, id, self.guild).await?;
        Ok(id)
    }
}
