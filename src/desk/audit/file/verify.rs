//! A file that is held against the rules, and nothing else: no database of ours is asked.

use tempfile::TempDir;

use crate::audit::file::belief::Belief;
use crate::audit::file::import::NotImported;
use crate::audit::file::line::FileFault;
use crate::audit::file::read::TableFile;
use crate::audit::file::{DieLine, Heading};
use crate::audit::replay::Replay;
use crate::audit::replay::difference::{Difference, Differs};
use crate::model::desk::{Desk, NotDone};
use games::any::AnyGame;
use rules::{Label, Round};
use store::{Location, OpenError, Store, StoreError};

/// What came of holding a file against the rules.
#[derive(Debug)]
pub struct Verified {
    /// What the file is of.
    pub heading: Heading,
    /// What came of playing it again. Dice that stand in the file otherwise are among its
    /// differences.
    pub replay: Replay,
}

/// A file that could not be held against the rules.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// It is no such file, or not as it was written.
    #[error(transparent)]
    Fault(#[from] FileFault),
    /// It is of a game or an edition that this program does not know.
    #[error("it is of another edition")]
    OtherEdition(Box<Heading>),
    /// There is no room to unpack it.
    #[error(transparent)]
    Folder(#[from] std::io::Error),
    /// The database it is unpacked into cannot be made.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It came to grief.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A file that is unpacked into a database of its own, for as long as it is looked at.
#[derive(Debug)]
pub struct Unpacked {
    /// A desk on that database, at which its table is the only one.
    pub desk: Desk,
    /// What the file is of.
    pub heading: Heading,
    dice: Vec<(usize, DieLine)>,
    _folder: TempDir,
}

impl Unpacked {
    /// Unpacks a file.
    /// Fails if it is no such file, or there is no room for it.
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
        match desk.import(file, Belief::All).await {
            Ok(_) => Ok(Self { desk, heading, dice, _folder: folder }),
            Err(NotImported::Fault(fault)) => Err(fault.into()),
            Err(NotImported::Store(error)) => Err(error.into()),
            Err(NotImported::Here) => unreachable!("its database was empty"),
        }
    }

    /// Plays its table again, and holds the dice that stand in the file against those that fall.
    /// Fails if its edition is not known here, or what it holds is unreadable.
    pub async fn verify(self) -> Result<Verified, NotVerified> {
        let mut replay = match self.desk.replay(&self.heading.table).await {
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
            let said = |thrown: Option<&DieLine>| {
                thrown.map(|thrown| serde_json::json!(thrown).to_string()).unwrap_or_default()
            };
            let thrown = fell.as_ref().or(found)?;
            let differs = Difference::of(Differs::Die, &said(fell.as_ref()), &said(found));
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
