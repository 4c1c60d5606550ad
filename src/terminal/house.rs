//! What runs in a process that keeps deadlines: the desk on its database, the clock, the courier.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::mail::Mail;
use super::misuse::Misuse;
use crate::clock::{Beat, Clock};
use crate::config::Config;
use crate::counts::Counts;
use crate::courier::Courier;
use crate::desk::{self, Desk};
use crate::games::GAMES;
use crate::letters::Letters;
use crate::store::{Location, OpenError, Store};

/// A desk with its clock and its courier at work.
#[derive(Debug)]
pub(super) struct House {
    pub(super) desk: Desk,
    pub(super) letters: Letters,
    pub(super) mail: Mail,
    /// What happens here, in numbers.
    pub(super) counts: Arc<Counts>,
    clock: Arc<Notify>,
    courier: Arc<Notify>,
    arrived: Arc<Notify>,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
}

/// Where the database is.
pub(super) fn location(config: &Config) -> Location {
    let database = &config.database;
    Location { connections: database.connections, ..Location::new(database.url.with_password()) }
}

/// Opens the database, and makes an embedded one only where there is something to keep in it.
pub(super) async fn open(config: &Config, create: bool) -> Result<Store, Misuse> {
    let url = config.database.url.to_string();
    let location = Location { create, ..location(config) };
    Store::open(&location).await.map_err(|error| match error {
        OpenError::Newer { found, known } => {
            Misuse("newer_database", json!({ "url": url, "found": found, "known": known }))
        }
        error => Misuse("no_database", json!({ "url": url, "why": error.to_string() })),
    })
}

impl House {
    /// Opens the database, and starts the clock and the courier.
    pub(super) async fn open(config: &Config) -> Result<Self, Misuse> {
        let letters = match &config.letters.folder {
            None => Letters::built_in(),
            Some(folder) => Letters::with_folder(folder)
                .map_err(|fault| Misuse("letters", json!({ "why": fault.to_string() })))?,
        };
        let store = open(config, true).await?;
        let desk = Desk::new(store.clone(), GAMES);
        let mail = Mail::new(store.clone());
        let channels = vec![Box::new(mail.clone()) as Box<dyn crate::courier::Channel>];
        let counts = Arc::<Counts>::default();
        let courier = Courier::new(store, letters.clone(), GAMES, channels, config.courier.retry)
            .counting(Arc::clone(&counts));
        let beat = Beat { every: config.clock.beat, silence: config.clock.outage };
        let clock = Clock::new(desk.clone(), desk::process(), beat, courier.bell());
        let (stop, stopped) = watch::channel(false);
        Ok(Self {
            desk,
            letters,
            mail,
            counts,
            clock: clock.bell(),
            courier: courier.bell(),
            arrived: courier.arrived(),
            stop,
            tasks: vec![
                tokio::spawn(clock.run(stopped.clone())),
                tokio::spawn(courier.run(stopped)),
            ],
        })
    }

    /// Something has happened here: nobody waits for the next look.
    pub(super) fn ring(&self) {
        self.clock.notify_one();
        self.courier.notify_one();
    }

    /// Rings when letters have arrived.
    pub(super) fn arrived(&self) -> Arc<Notify> {
        Arc::clone(&self.arrived)
    }

    /// Lets the clock and the courier finish what they are at, and closes the database.
    pub(super) async fn close(self) {
        self.stop.send_replace(true);
        for task in self.tasks {
            // A task that came to grief has said so in the log.
            let _ = task.await;
        }
        self.desk.store().close().await;
    }
}
