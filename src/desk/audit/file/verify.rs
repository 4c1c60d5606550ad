//! Verification of a file against the rules alone, without the original database.

use tempfile::TempDir;

use crate::audit::file::belief::Belief;
use crate::audit::file::import::{NotImported, import};
use crate::audit::file::line::FileFault;
use crate::audit::file::read::TableFile;
use crate::audit::file::{DieLine, Heading};
use crate::audit::replay::difference::{Difference, Differs};
use crate::audit::replay::{self, Replay};
use crate::model::desk::{Desk, NotDone};
use games::any::AnyGame;
use rules::{Label, Round};
use store::{Location, OpenError, Store, StoreError};

/// The result of a file's verification.
#[derive(Debug)]
pub struct Verified {
    /// The first line of the file.
    pub heading: Heading,
    /// The result of the replay. Differences of the file's dice are among its differences.
    pub replay: Replay,
}

/// The reason why a file could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// The file has another format, or was changed.
    #[error(transparent)]
    Fault(#[from] FileFault),
    /// The file is of a game or an edition that this program does not know.
    #[error("it is of another edition")]
    OtherEdition(Box<Heading>),
    /// The temporary folder cannot be made.
    #[error(transparent)]
    Folder(#[from] std::io::Error),
    /// The temporary database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The temporary database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A file imported into a temporary database.
#[derive(Debug)]
pub struct Unpacked {
    /// The desk of the temporary database, with this table alone.
    pub desk: Desk,
    /// The first line of the file.
    pub heading: Heading,
    dice: Vec<(usize, DieLine)>,
    _folder: TempDir,
}

impl Unpacked {
    /// Imports a file into a temporary database.
    /// Fails if the file is invalid, or the folder or the database cannot be made.
    pub async fn of(
        bytes: &[u8],
        games: &'static [&'static dyn AnyGame],
    ) -> Result<Self, NotVerified> {
        let mut file = TableFile::read(bytes)?;
        let (heading, dice) = (file.heading.clone(), std::mem::take(&mut file.dice));
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("table.sqlite");
        let location =
            Location { connections: 2, ..Location::new(format!("sqlite:{}", database.display())) };
        let desk = Desk::new(Store::open(&location).await?, games);
        match import(&desk, file, Belief::All).await {
            Ok(_) => Ok(Self { desk, heading, dice, _folder: folder }),
            Err(NotImported::Fault(fault)) => Err(fault.into()),
            Err(NotImported::Store(error)) => Err(error.into()),
            Err(NotImported::Here) => unreachable!("its database was empty"),
        }
    }

    /// Replays the table, and compares the dice of the file with the replayed ones.
    /// Fails if the edition is unknown here, or the data is unreadable.
    pub async fn verify(self) -> Result<Verified, NotVerified> {
        let mut replay = match replay::replay(&self.desk, &self.heading.table).await {
            Ok(replay) => replay,
            Err(NotDone::Store(error)) => return Err(error.into()),
            Err(_) => return Err(NotVerified::OtherEdition(Box::new(self.heading))),
        };
        replay.dice_untold = !self.heading.dice;
        let fell = if self.heading.dice { replay.dice.clone() } else { Vec::new() };
        let longest = fell.len().max(self.dice.len());
        let differs = (0..longest).find_map(|place| {
            let fell = fell
                .get(place)
                .map(|(number, cast)| DieLine { number: *number, cast: cast.clone() });
            let found = self.dice.get(place).map(|(_, thrown)| thrown);
            if fell.as_ref() == found {
                return None;
            }
            let written = |thrown: Option<&DieLine>| {
                thrown.map(|thrown| serde_json::json!(thrown).to_string()).unwrap_or_default()
            };
            let thrown = fell.as_ref().or(found)?;
            let differs = Difference::of(Differs::Die, &written(fell.as_ref()), &written(found));
            let differs = differs.in_window(thrown.number, Round::new(thrown.cast.window));
            let Ok(Label { seat, key, .. }) = thrown.cast.label.parse() else {
                return Some(differs);
            };
            Some(Difference { seat, question: Some(key), ..differs })
        });
        replay.differences.extend(differs);
        self.desk.store().close().await;
        Ok(Verified { heading: self.heading, replay })
    }
}
