//! `shimekiri serve`: keeps the deadlines of all tables, and carries their letters.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal;
use tokio::task::JoinHandle;

use super::house::{House, Need};
use super::misuse::Misuse;
use super::{Exit, Voice, language};
use crate::config::Config;
use crate::discord::{Api, NoToken, Token};
use crate::games::GAMES;
use crate::health::Health;
use crate::rules::text::Lang;

/// What can be said to `shimekiri serve`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Args {
    /// Check that the configuration and the database can be used, and stop
    #[arg(long)]
    pub check: bool,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// How long what is under way may take when it is told to stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves until it is told to stop: on Discord too, if there is a token.
///
/// # Errors
/// If something cannot be written.
pub async fn run(
    args: &Args,
    config: &Config,
    token: Result<Token, NoToken>,
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = Voice::new(language(args.lang.or(config.host.language)));
    let url = config.database.url.to_string();
    if args.check {
        return match super::house::open(config, Need::Check).await {
            Ok(store) => {
                store.close().await;
                complaints
                    .write_all(voice.say("misuse", "ready", &json!({ "url": url })).as_bytes())?;
                Ok(Exit::Fine)
            }
            Err(misuse) => misuse.complain(&voice, complaints),
        };
    }
    let pictures = match super::pictures::open(config) {
        Ok(pictures) => pictures,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let discord = match discord(config, token) {
        Ok(discord) => discord,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let on_discord = discord.is_some();
    let house = match House::open(config, discord.map(|api| (api, pictures))).await {
        Ok(house) => house,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    // Whoever is told that it serves may tell it to stop.
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    let serving = json!({ "url": url, "discord": on_discord });
    complaints.write_all(voice.say("misuse", "serving", &serving).as_bytes())?;
    tracing::info!(database = %config.database.url, "serving");
    let health = watched(&house, config.health.address).await;
    told_to_stop(&mut terminate).await?;
    tracing::info!("stopping");
    house.counts.stop();
    // Whoever says it twice does not want to wait.
    tokio::select! {
        () = house.close() => {}
        () = tokio::time::sleep(PATIENCE) => tracing::warn!("stopped before everything was done"),
        again = told_to_stop(&mut terminate) => again?,
    }
    if let Some(health) = health {
        health.abort();
    }
    Ok(Exit::Fine)
}

/// Says what is missing for Discord, and how to play without it.
///
/// # Errors
/// If nothing can be written.
pub fn explain(config: &Config, complaints: &mut (dyn io::Write + Send)) -> io::Result<Exit> {
    let voice = Voice::new(language(config.host.language));
    Misuse("no_bot", json!({ "game": GAMES[0].key() })).complain(&voice, complaints)
}

/// Discord, if there is a token for it.
fn discord(config: &Config, token: Result<Token, NoToken>) -> Result<Option<Api>, Misuse> {
    let token = match token {
        Ok(token) => token,
        Err(NoToken::Missing) => return Ok(None),
        Err(fault) => return Err(Misuse("no_token", json!(fault))),
    };
    let api = Api::new(&config.discord.api, &token);
    api.map(Some).map_err(|fault| Misuse("no_api", json!({ "why": fault.to_string() })))
}

/// Answers at this address how the house is. Where that cannot be, it serves all the same.
async fn watched(house: &House, address: Option<SocketAddr>) -> Option<JoinHandle<()>> {
    let address = address?;
    let listener = match TcpListener::bind(address).await {
        Ok(listener) => listener,
        Err(error) => {
            tracing::error!(%address, %error, "nobody can ask at health.address; all else goes on");
            return None;
        }
    };
    match listener.local_addr() {
        Ok(address) => tracing::info!(%address, "health, readiness and metrics can be asked"),
        Err(error) => tracing::warn!(%error, "the address of the health is unknown"),
    }
    let health = Health::new(house.desk.clone(), Arc::clone(&house.counts));
    Some(tokio::spawn(async move {
        if let Err(error) = health.serve(listener).await {
            tracing::error!(%error, "nobody can ask at health.address any more");
        }
    }))
}

/// Ctrl-C, or what an operating system sends who wants a program to end.
async fn told_to_stop(terminate: &mut signal::unix::Signal) -> io::Result<()> {
    tokio::select! {
        interrupted = signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
