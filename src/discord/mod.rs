//! Discord: the same desk, behind slash commands, panels and threads.
//!
//! Nothing of a game's rules is here: it draws questions, takes answers, and posts letters.
//! [`api`] sends and [`gateway`] hears; nothing else speaks to Discord. Secrets that cross the wire,
//! which are the bot's [`Token`] and the token of each interaction, stand in no log, no error and no
//! `Debug` of these modules; [`gateway::may_log`] keeps the libraries below to the same.

mod address;
mod answer;
pub mod api;
mod aside;
mod buttons;
mod channel;
mod control;
mod correct;
mod dashboard;
mod deed;
mod files;
pub mod gateway;
mod granted;
mod hear;
mod incoming;
mod knock;
mod obstacle;
pub mod permissions;
mod pick;
mod pieces;
mod post;
mod pressed;
mod presses;
mod redraw;
mod register;
mod settings;
mod shown;
mod token;
mod turnstile;

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use serde::Deserialize;
use serenity::all::{ApplicationId, GuildId};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, watch};

pub use address::own_address;
pub use api::{Api, Unsent};
pub use channel::Threads;
pub use gateway::{Ended, Gateway, GatewayState};
pub use token::{NoToken, Token};

use crate::counts::Counts;
use crate::desk::Desk;
use crate::letters::Letters;
use crate::picture::Pictures;
use dashboard::Dashboards;
use hear::Ears;
use shown::Posts;
use turnstile::Turnstiles;

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
    turnstiles: Turnstiles,
    /// How long a post rests between two drawings.
    rest: Duration,
}

/// The application that a token is of.
#[derive(Deserialize)]
struct Application {
    id: ApplicationId,
}

/// How a bot is met by Discord, for whoever started it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Met {
    /// Discord knows it and its commands.
    Known {
        /// The id of its application.
        application: u64,
    },
    /// Discord cannot be reached yet. It is tried again.
    Unreached { why: String },
    /// Discord will not have it until a person has done something.
    Ended(Ended),
}

/// Asks Discord which application it is that speaks to it.
///
/// # Errors
/// If Discord does not say.
pub async fn application(api: &Api) -> Result<ApplicationId, Unsent> {
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
        let turnstiles = Turnstiles::new(0);
        let rest = Duration::from_secs(2);
        Self { api, desk, letters, pictures, defaults, guild, gateway, turnstiles, rest }
    }

    /// The same, where one person can do so much in 10 seconds; 0 for as much as they like.
    #[must_use]
    pub fn letting(self, most: u32) -> Self {
        Self { turnstiles: Turnstiles::new(most), ..self }
    }

    /// The same, where a post rests for so long between two drawings, and a dashboard three times
    /// as long.
    #[must_use]
    pub fn resting(self, rest: Duration) -> Self {
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

    /// Hears people and keeps the posts of tables up to date, until it is told to stop. How it is met
    /// by Discord is told; whatever has been done is rung for, and counted; `stirred` and `arrived` are rung when posts may have
    /// to be drawn.
    ///
    /// # Errors
    /// If Discord will not have the bot until a person has done something.
    pub async fn run(
        self,
        ring: Arc<dyn Fn() + Send + Sync>,
        stirred: Arc<Notify>,
        arrived: Arc<Notify>,
        counts: Arc<Counts>,
        met: &UnboundedSender<Met>,
        stop: watch::Receiver<bool>,
    ) -> Result<(), Ended> {
        let Some(application) = self.introduce(met, stop.clone()).await? else { return Ok(()) };
        // Whoever only keeps the deadlines listens to nothing of this.
        let _ = met.send(Met::Known { application: application.get() });
        let threads = self.threads();
        let heard_by = threads.clone();
        let dashboards = Dashboards::new(threads.clone(), self.rest);
        let dashboards = tokio::spawn(dashboards.run(stop.clone()));
        let posts = Posts::new(threads, self.rest);
        let posts = tokio::spawn(posts.run(stirred, arrived, stop.clone()));
        let ears = Ears {
            api: self.api.clone(),
            desk: self.desk,
            letters: self.letters,
            threads: heard_by,
            draws: self.pictures.is_some(),
            gateway: self.gateway.state(),
            guild: self.guild,
            turnstiles: Arc::new(self.turnstiles),
            pace: self.defaults.pace,
            zone: self.defaults.zone,
            ring,
            counts,
        };
        let heard = self
            .gateway
            .run(
                move |interaction| {
                    let ears = ears.clone();
                    async move { ears.hear(interaction).await }
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
        met: &UnboundedSender<Met>,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Option<ApplicationId>, Ended> {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let unsent = match self.known().await {
                Ok(application) => return Ok(Some(application)),
                Err(Unsent::Unauthorized) => return Err(Ended::Token),
                Err(unsent) => unsent,
            };
            if attempt == 1 {
                let _ = met.send(Met::Unreached { why: unsent.to_string() });
            }
            let wait = api::pause(Duration::from_secs(1), attempt.min(6));
            tracing::warn!(%unsent, ?wait, "Discord was not told of the commands");
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                _ = stop.changed() => return Ok(None),
            }
        }
    }

    async fn known(&self) -> Result<ApplicationId, Unsent> {
        let id = application(&self.api).await?;
        register::register(&self.api, &self.letters, id, self.guild).await?;
        Ok(id)
    }
}
