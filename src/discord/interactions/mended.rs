//! Retries of letters that Discord refused, after a change or when somebody is present.

use futures_util::FutureExt;

use crate::address;
use crate::bot::register;
use crate::gateway::Changed;
use crate::interactions::handler::InteractionHandler;
use desk::clock;
use store::{StoreError, obstacles};

/// Retries what waits at a changed place, and registers the commands again when the bot joins the one
/// server for which they are registered.
pub(super) async fn changed(handler: &InteractionHandler, changed: Changed) {
    match wake(handler, changed).await {
        Ok(true) => (handler.ring)(),
        Ok(false) => {}
        Err(error) => tracing::warn!(%error, "what was refused was not tried again"),
    }
    if let Changed::Entered(server) = changed
        && handler.guild == Some(server)
    {
        tell_commands(handler).await;
    }
}

/// Schedules refused letters at a changed place for a retry. Returns false if there were none.
async fn wake(handler: &InteractionHandler, changed: Changed) -> Result<bool, StoreError> {
    let (store, now) = (handler.desk.store(), clock::now());
    match changed {
        Changed::Place(channel) => {
            let place = address::place(channel);
            if !obstacles::is_barred_around(&mut store.read().await?, &place).await? {
                return Ok(false);
            }
            let woken = store.write_about((place, now), |(place, now), to| {
                obstacles::wake_place(to, place, *now).boxed()
            });
            woken.await
        }
        Changed::Server(server) | Changed::Entered(server) => {
            let about = (address::server(server), now);
            let woken = store.write_about(about, |(server, now), to| {
                obstacles::wake_server(to, server, *now).boxed()
            });
            woken.await
        }
    }
}

async fn tell_commands(handler: &InteractionHandler) {
    let registered = async {
        let application = register::application(&handler.api).await?;
        register::register(&handler.api, &handler.letters, application, handler.guild).await
    };
    if let Err(unsent) = registered.await {
        tracing::warn!(%unsent, "a server was not told of the commands");
    }
}
