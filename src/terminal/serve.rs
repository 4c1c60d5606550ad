//! `shimekiri serve`: keeps the deadlines of all tables, and delivers their letters.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal;
use tokio::task::JoinHandle;

use super::help::BUILD;
use super::misuse::{Done, Misuse, Stopped};
use super::services::{RunningServices, is_to_be_made, location};
use super::texts::{
    InvitationLink, NoApi, NoDatabase, NoHealth, NotWanted, ReadyToServe, Serving, TokenMisplaced,
    Unreached,
};
use super::why::why;
use super::{Exit, TerminalText};
use crate::config::{Config, LogFormat};
use desk::clock;
use desk::health::Health;
use discord::permissions::invitation;
use discord::{self, Api, BotStatus, BotToken, GatewayRefusal, NoToken, SendError};
use games::any::AnyGame;
use letters::TypedLetter;
use rules::text::Lang;
use store::Access;
use store::whole_file::folder_of;

mod copies;

use copies::Copies;

/// The arguments of `shimekiri serve`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ServeArguments {
    /// Check that the configuration and the database can be used, and stop
    #[arg(long)]
    pub check: bool,
}

/// The timeout of pending work after the signal to stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves these games until the signal to stop; on Discord too, if there is a token. A misuse is explained in
/// the format of the log.
pub async fn run(
    args: &ServeArguments,
    config: &Config,
    games: &'static [&'static dyn AnyGame],
    token: Result<BotToken, NoToken>,
    lang: Lang,
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let text = TerminalText::new(lang);
    let mut operator = OperatorNotices { text, format: config.log.format, out: complaints };
    let done = if args.check {
        check(config, games, token, &mut operator).await
    } else {
        serve(config, games, token, &mut operator).await
    };
    match done {
        Err(Stopped::Misuse(misuse)) => {
            operator.misuse(&misuse)?;
            Ok(misuse.exit())
        }
        Err(Stopped::Broken(error)) => Err(error),
        Ok(exit) => Ok(exit),
    }
}

/// Checks that serving is possible, and reports that.
async fn check(
    config: &Config,
    games: &[&dyn AnyGame],
    token: Result<BotToken, NoToken>,
    operator: &mut OperatorNotices<'_>,
) -> Done {
    super::services::pictures(config)?;
    super::services::letters(config, games)?;
    let discord = discord(config, token)?;
    drop(listen(config).await?);
    if config.backup.every.is_some() {
        copies::check(&config.backup.folder)?;
    }
    let url = config.database.url.to_string();
    let location = location(config);
    let made = match location.file().filter(|_| is_to_be_made(&location)) {
        None => {
            super::services::open(config, Access::Check).await?.close().await;
            true
        }
        Some(file) => {
            let made = tempfile::tempfile_in(folder_of(&file));
            let unmade = |error: io::Error| NoDatabase { url: &url, why: why(&error) };
            made.map_err(|error| Misuse::from(unmade(error)))?;
            false
        }
    };
    operator.say("INFO", &ReadyToServe { url: &url, made, discord: discord.is_some() })?;
    if let Some(api) = discord {
        operator.tell(&bot_status(&api).await?)?;
    }
    Ok(Exit::Fine)
}

/// Asks Discord to accept the token. An unreachable Discord may be reachable later.
async fn bot_status(api: &Api) -> Result<BotStatus, Misuse> {
    match discord::application(api).await {
        Ok(application) => Ok(BotStatus::Known { application: application.get() }),
        Err(SendError::Unauthorized) => Err(not_wanted(GatewayRefusal::Token)),
        Err(unsent) => Ok(BotStatus::Unreached { why: unsent.to_string() }),
    }
}

/// Returns the misuse of a bot that Discord refuses.
fn not_wanted(ended: GatewayRefusal) -> Misuse {
    NotWanted { token: ended == GatewayRefusal::Token, why: ended.to_string() }.into()
}

/// Serves until the signal to stop.
async fn serve(
    config: &Config,
    games: &'static [&'static dyn AnyGame],
    token: Result<BotToken, NoToken>,
    operator: &mut OperatorNotices<'_>,
) -> Done {
    let pictures = super::services::pictures(config)?;
    let discord = discord(config, token)?;
    let on_discord = discord.is_some();
    let listener = listen(config).await?;
    let discord = discord.map(|api| (api, pictures));
    let mut services = RunningServices::open(config, games, discord).await?;
    // The handler of the signal comes before the notice, which its reader may answer with the signal.
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    let url = config.database.url.to_string();
    operator.say("INFO", &Serving { url: &url, discord: on_discord })?;
    tracing::info!(database = %config.database.url, "serving");
    let health = listener.map(|listener| watched(&services, listener));
    let copying = copying(config, &services, operator.text.lang);
    loop {
        tokio::select! {
            stopped = told_to_stop(&mut terminate) => break stopped?,
            Some(bot_status) = services.bot_status.recv() => operator.tell(&bot_status)?,
        }
    }
    tracing::info!("stopping");
    services.counts.change(|state| state.stopping = true);
    // A copy that is not complete is useless.
    if let Some(copying) = copying {
        copying.abort();
    }
    // A second signal ends the wait.
    tokio::select! {
        () = services.close() => {}
        () = tokio::time::sleep(PATIENCE) => tracing::warn!("stopped before everything was done"),
        again = told_to_stop(&mut terminate) => again?,
    }
    if let Some(health) = health {
        health.abort();
    }
    Ok(Exit::Fine)
}

/// Notices for the operator besides the log, in the log's format.
struct OperatorNotices<'o> {
    text: TerminalText,
    format: LogFormat,
    out: &'o mut (dyn io::Write + Send),
}

impl OperatorNotices<'_> {
    fn say(&mut self, level: &str, text: &impl TypedLetter) -> io::Result<()> {
        self.write(level, &self.text.text(text))
    }

    /// Writes that serving, or serving Discord, is impossible.
    fn misuse(&mut self, misuse: &Misuse) -> io::Result<()> {
        self.write("ERROR", &misuse.written(&self.text))
    }

    fn write(&mut self, level: &str, text: &str) -> io::Result<()> {
        match self.format {
            LogFormat::Text => self.out.write_all(text.as_bytes()),
            LogFormat::Json => {
                let at = chrono::DateTime::from_timestamp_millis(clock::now().milliseconds())
                    .unwrap_or_default();
                let line = json!({
                    "timestamp": at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true),
                    "level": level,
                    "fields": { "message": text.trim() },
                    "target": module_path!(),
                });
                writeln!(self.out, "{line}")
            }
        }
    }

    /// Writes the result of the bot's start.
    fn tell(&mut self, bot_status: &BotStatus) -> io::Result<()> {
        match bot_status {
            BotStatus::Known { application } => {
                self.say("INFO", &InvitationLink { link: invitation(*application) })
            }
            BotStatus::Unreached { why } => self.say("WARN", &Unreached { why }),
            BotStatus::Ended(ended) => self.misuse(&not_wanted(*ended)),
        }
    }
}

/// Returns the API client; `None` without a token.
fn discord(config: &Config, token: Result<BotToken, NoToken>) -> Result<Option<Api>, Misuse> {
    let token = match token {
        Ok(token) => token,
        Err(NoToken::Missing) => return Ok(None),
        Err(fault) => return Err(TokenMisplaced { fault }.into()),
    };
    let api = Api::new(&config.discord.api, &token);
    api.map(Some).map_err(|fault| NoApi { why: fault.to_string() }.into())
}

/// Binds the health endpoint; `None` if there is none. A failure is an error only if the address is set
/// deliberately, since then the operator relies on the endpoint.
async fn listen(config: &Config) -> Result<Option<TcpListener>, Misuse> {
    let Some(address) = config.health.address else { return Ok(None) };
    match TcpListener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if config.is_asked_for("health.address") => {
            Err(NoHealth { address: address.to_string(), why: why(&error) }.into())
        }
        Err(error) => {
            tracing::warn!(%address, %error, "nobody can ask at health.address; all else goes on");
            Ok(None)
        }
    }
}

/// Starts the copies of the database; `None` if they are switched off.
fn copying(config: &Config, services: &RunningServices, lang: Lang) -> Option<JoinHandle<()>> {
    let every = config.backup.every?;
    let copies = Copies {
        store: services.desk.store().clone(),
        location: location(config),
        backup: config.backup.clone(),
        counts: Arc::clone(&services.counts),
        text: TerminalText::new(lang),
    };
    Some(tokio::spawn(copies.run(every)))
}

/// Serves the health endpoint.
fn watched(services: &RunningServices, listener: TcpListener) -> JoinHandle<()> {
    match listener.local_addr() {
        Ok(address) => tracing::info!(%address, "health, readiness and metrics can be asked"),
        Err(error) => tracing::warn!(%error, "the address of the health is unknown"),
    }
    let health = Health::new(BUILD, services.desk.clone(), Arc::clone(&services.counts));
    tokio::spawn(async move {
        if let Err(error) = health.serve(listener).await {
            tracing::error!(%error, "nobody can ask at health.address any more");
        }
    })
}

/// Waits for Ctrl-C or the signal to terminate.
async fn told_to_stop(terminate: &mut signal::unix::Signal) -> io::Result<()> {
    tokio::select! {
        interrupted = signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
