//! The ear that serenity hands events to.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serenity::all::{Context, Event, RawEventHandler};
use serenity::async_trait;
use serenity::model::application::Interaction;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::gateway::GatewayState;

/// How much of an event's name is told, in characters.
const NAME: usize = 40;

type Handler = dyn Fn(Interaction) -> BoxFuture<'static, ()> + Send + Sync;

/// Hands interactions over to the runtime in which all but the gateway runs. Clones share everything.
#[derive(Clone)]
pub(super) struct InteractionForwarder {
    handler: Arc<Handler>,
    /// The runtime of the house, which is not that of serenity.
    house: Handle,
    state: Arc<GatewayState>,
}

impl InteractionForwarder {
    pub(super) fn new<H, F>(handler: H, state: Arc<GatewayState>) -> Self
    where
        H: Fn(Interaction) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let handler = Arc::new(move |interaction| handler(interaction).boxed());
        Self { handler, house: Handle::current(), state }
    }

    fn hand_over(&self, interaction: Interaction) {
        let (handler, under_way) = (Arc::clone(&self.handler), self.state.handling());
        self.house.spawn(async move {
            let _under_way = under_way;
            let attempt = AssertUnwindSafe(async { handler(interaction).await });
            if attempt.catch_unwind().await.is_err() {
                tracing::error!("the handling of an interaction broke down");
            }
        });
    }
}

#[async_trait]
impl RawEventHandler for InteractionForwarder {
    async fn raw_event(&self, _: Context, event: Event) {
        self.state.count_event();
        match event {
            Event::InteractionCreate(event) => self.hand_over(event.interaction),
            Event::Unknown(event) => {
                self.state.count_unknown();
                let name: String = event.kind.chars().take(NAME).collect();
                tracing::warn!(name, "an event could not be read");
            }
            _ => {}
        }
    }
}

/// Waits until it is told to stop, or until nobody is left who could.
pub(super) async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
