//! The services of a process that keeps deadlines: the desk on its database, the clock, the courier.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::mail::Mail;
use super::misuse::Misuse;
use super::texts::{
    BadFont, BadLetters, ForeignDatabase, FullDatabase, HalfDatabase, NewerDatabase, NoDatabase,
    NoDatabaseYet, OlderDatabase, UnreachableDatabase,
};
use super::why::why;
use crate::config::Config;
use desk::clock::{Clock, Heartbeat};
use desk::counts::{Counts, SendingStatus, ServiceStatus};
use desk::courier::{Channel, Courier};
use desk::{self, Desk};
use discord::{Api, Bot, BotSettings, BotStatus, GatewayState};
use games::any::AnyGame;
use letters::Letters;
use letters::picture::Pictures;
use store::whole_file::folder_of;
use store::{Access, Location, OpenError, Store};

/// A desk with a running clock and courier.
#[derive(Debug)]
pub(super) struct RunningServices {
    pub(super) desk: Desk,
    pub(super) letters: Letters,
    pub(super) mail: Mail,
    /// The counters of this process.
    pub(super) counts: Arc<Counts>,
    /// The results of the bot's start, if there is a bot.
    pub(super) bot_status: UnboundedReceiver<BotStatus>,
    clock: Arc<Notify>,
    courier: Arc<Notify>,
    arrived: Arc<Notify>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

/// Returns the location of the database.
pub(super) fn location(config: &Config) -> Location {
    let database = &config.database;
    Location { connections: database.connections, ..Location::new(database.url.with_password()) }
}

/// Opens the database with the required access: an embedded one is created only for [`Access::Make`].
pub(super) async fn open(config: &Config, access: Access) -> Result<Store, Misuse> {
    let url = config.database.url.to_string();
    let location = Location { access, ..location(config) };
    if access != Access::Make && is_to_be_made(&location) {
        return Err(NoDatabaseYet { url: &url }.into());
    }
    Store::open(&location).await.map_err(|error| match error {
        OpenError::Newer { found, known } => NewerDatabase { url: &url, found, known }.into(),
        OpenError::Older => OlderDatabase { url: &url }.into(),
        OpenError::Foreign => ForeignDatabase { url: &url }.into(),
        OpenError::Full => FullDatabase { url: &url }.into(),
        OpenError::Lacking(lacking) => HalfDatabase { url: &url, lacking }.into(),
        error if error.may_pass(&location) => {
            UnreachableDatabase { url: &url, why: why(&error) }.into()
        }
        error => NoDatabase { url: &url, why: why(&error) }.into(),
    })
}

/// True if the database is a file that does not exist yet, in a folder that does.
pub(super) fn is_to_be_made(location: &Location) -> bool {
    location.file().is_some_and(|file| !file.exists() && folder_of(&file).is_dir())
}

/// Opens the renderer of tables, and logs its font; `None` if pictures are switched off, or no font is
/// installed.
pub(super) fn pictures(config: &Config) -> Result<Option<Pictures>, Misuse> {
    if !config.pictures.show {
        return Ok(None);
    }
    let pictures = Pictures::new(config.pictures.font.as_deref())
        .map_err(|fault| BadFont { why: fault.to_string() })?;
    if let Some(pictures) = &pictures {
        tracing::info!(font = ?pictures.font(), "pictures can be drawn");
    } else {
        tracing::warn!("there are no pictures: this machine has no Japanese font");
    }
    Ok(pictures)
}

/// Returns the letters of these games, as configured.
pub(super) fn letters(config: &Config, games: &[&dyn AnyGame]) -> Result<Letters, Misuse> {
    match &config.letters.folder {
        None => Ok(Letters::built_in()),
        Some(folder) => Letters::with_folder_for(folder, games)
            .map_err(|fault| BadLetters { why: fault.to_string() }.into()),
    }
}

impl RunningServices {
    /// Opens the database, and starts the clock and the courier of a desk with these games; with
    /// Discord, also the bot.
    pub(super) async fn open(
        config: &Config,
        games: &'static [&'static dyn AnyGame],
        discord: Option<(Api, Option<Pictures>)>,
    ) -> Result<Self, Misuse> {
        let letters = letters(config, games)?;
        let store = open(config, Access::Make).await?;
        let desk = Desk::new(store.clone(), games);
        let mail = Mail::new(store.clone(), letters.clone());
        let mut channels = vec![Box::new(mail.clone()) as Box<dyn Channel>];
        let bot = discord.map(|(api, pictures)| bot(config, api, pictures, &desk, &letters));
        channels.extend(bot.iter().map(|bot| Box::new(bot.threads()) as Box<dyn Channel>));
        let counts = Arc::<Counts>::default();
        let courier = Courier::new(store, channels, config.courier.retry)
            .with_counts(Arc::clone(&counts))
            .with_desk(desk.clone());
        let beat = Heartbeat { every: config.clock.beat, silence: config.clock.outage };
        let clock = Clock::new(desk.clone(), desk::process(), beat, courier.bell())
            .with_counts(Arc::clone(&counts));
        let (stop, stopped) = watch::channel(false);
        let (clock_bell, courier_bell) = (clock.bell(), courier.bell());
        let arrived = courier.arrived();
        let mut tasks = vec![
            tokio::spawn(clock.run(stopped.clone())),
            tokio::spawn(courier.run(stopped.clone())),
        ];
        let (tell, bot_status) = unbounded_channel();
        if let Some(bot) = bot {
            let bells = [Arc::clone(&clock_bell), Arc::clone(&courier_bell)];
            let arrived = Arc::clone(&arrived);
            tasks.push(tokio::spawn(serve_discord(
                bot,
                bells,
                arrived,
                Arc::clone(&counts),
                tell,
                stopped,
            )));
        }
        Ok(Self {
            desk,
            letters,
            mail,
            counts,
            bot_status,
            clock: clock_bell,
            courier: courier_bell,
            arrived,
            stop,
            tasks,
        })
    }

    /// Lets the clock and the courier check immediately after a change.
    pub(super) fn ring(&self) {
        self.clock.notify_one();
        self.courier.notify_one();
    }

    /// Returns the notice that letters have arrived.
    pub(super) fn arrived(&self) -> Arc<Notify> {
        Arc::clone(&self.arrived)
    }

    /// Lets the clock and the courier finish their work, and closes the database.
    pub(super) async fn close(self) {
        self.stop.send_replace(true);
        for task in self.tasks {
            // A failed task has logged its error.
            let _ = task.await;
        }
        self.desk.store().close().await;
    }
}

fn bot(
    config: &Config,
    api: Api,
    pictures: Option<Pictures>,
    desk: &Desk,
    letters: &Letters,
) -> Bot {
    let settings = BotSettings {
        pace: config.pace.default.clone(),
        zone: config.pace.zone,
        guild: config.discord.guild,
        per_person: config.discord.per_person,
        rest: config.discord.rest,
    };
    Bot::new(api, desk.clone(), letters.clone(), pictures, settings)
}

/// Runs the bot. If Discord refuses it, that is reported once, and deadlines still hold.
async fn serve_discord(
    bot: Bot,
    bells: [Arc<Notify>; 2],
    arrived: Arc<Notify>,
    counts: Arc<Counts>,
    bot_status: UnboundedSender<BotStatus>,
    stop: watch::Receiver<bool>,
) {
    let stirred = Arc::<Notify>::default();
    let posts = Arc::clone(&stirred);
    let ring = Arc::new(move || {
        for bell in bells.iter().chain([&posts]) {
            bell.notify_one();
        }
    });
    let gateway = bot.gateway();
    let watching = tokio::spawn(watch(bot.api(), gateway, Arc::clone(&counts)));
    if let Err(ended) = bot.run(ring, stirred, arrived, counts, &bot_status, stop).await {
        // The receiver is gone only if the program is about to end.
        let _ = bot_status.send(BotStatus::Ended(ended));
    }
    watching.abort();
}

/// Updates the counters from the state of the connection to Discord, again and again.
async fn watch(api: Api, gateway: Arc<GatewayState>, counts: Arc<Counts>) {
    loop {
        let known = api.counts();
        counts.limited.reach(known.limited.get() + known.limited_over_all.get());
        counts.refused.reach(known.refused.get());
        counts.unknown_dispatches.reach(gateway.unknown.get());
        let sending = SendingStatus {
            paused: api.is_paused(),
            flagged: api.is_flagged(),
            clock_offset: api.clock_offset(),
        };
        let connected = gateway.connected_since().is_some();
        let gateway = if connected { ServiceStatus::Up } else { ServiceStatus::Down };
        counts.change(|state| (state.sending, state.gateway) = (sending, gateway));
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
