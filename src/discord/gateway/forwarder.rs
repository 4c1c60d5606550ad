//! The handler of serenity's raw events, which forwards those that matter.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serenity::all::{ChannelId, Context, Event, GuildId, RawEventHandler};
use serenity::async_trait;
use serenity::model::application::Interaction;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::gateway::GatewayState;

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
pub(super) struct InteractionForwarder {
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
        self.state.count_event();
        match event {
            Event::InteractionCreate(event) => {
                self.hand_over(Heard::Interaction(Box::new(event.interaction)));
            }
            Event::Unknown(event) => {
                self.state.count_unknown();
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
