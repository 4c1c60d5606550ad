//! A table as its rows tell it: the game it is played by, its pace, and its contest taken up again.

use games::any::{AnyContest, AnyGame};
use letters::Refused;
use rules::dice::Stream;
use rules::{Dice, Key, Label, LoadError, Saved, Sealing, Seat};
use store::{SeatRow, Session, StoreError, StoredEdition, TableRow, WindowRow, read_hex};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{Pace, Stage, Timing};

/// The games that can be played here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Games(pub(crate) &'static [&'static dyn AnyGame]);

impl Games {
    /// The game that goes by this word.
    pub(crate) fn find(self, key: &str) -> Option<&'static dyn AnyGame> {
        self.0.iter().copied().find(|game| game.key() == key)
    }

    /// The version of the policies of the game that goes by this word.
    pub(crate) fn policies_version(self, key: &str) -> u32 {
        self.find(key).map_or(0, AnyGame::policies_version)
    }

    /// The game of a table, in the edition the table is played by. A table keeps its edition: if
    /// this program knows another, it does not touch the table.
    pub(crate) fn of(self, table: &TableRow) -> Result<&'static dyn AnyGame, Refused> {
        let game = self.find(&table.game).ok_or(Refused::OtherEdition)?;
        let known = edition(game);
        let same = known.name == table.edition && known.data == table.data;
        if same { Ok(game) } else { Err(Refused::OtherEdition) }
    }
}

/// The edition of a game that this program knows.
pub(crate) fn edition(game: &dyn AnyGame) -> StoredEdition {
    let edition = game.edition();
    StoredEdition {
        game: game.key().to_owned(),
        name: edition.name.clone(),
        data: hex::encode(edition.data),
    }
}

/// The pace of a window of a table.
pub(crate) fn window_pace(table: &TableRow, window: &WindowRow) -> Pace {
    Pace::clone(&table.pace).of(window.kind)
}

/// How far a table is, as far as it has been announced. The end of a game is kept in a window that
/// closes as it opens, when it is announced.
pub(crate) fn announced_stage(table: &TableRow, open: Option<&WindowRow>, now: Time) -> Stage {
    let ends = |open: &WindowRow| open.closes_at == open.opens_at && now < open.opens_at;
    if open.is_some_and(ends) { Stage::Playing } else { table.stage }
}

/// The times of a window, as people may know them: where sealings are hidden, nobody is told by
/// them that everybody has sealed.
pub(crate) fn shown(timing: Timing, sealing: Sealing) -> Timing {
    match sealing {
        Sealing::Open => timing,
        Sealing::Hidden => Timing { settles: None, ..timing },
    }
}

/// The dice of a table: its seed, and what everybody mixed into it.
pub(crate) fn dice(table: &TableRow, seats: &[SeatRow]) -> Result<Dice, StoreError> {
    // Nothing is thrown before everybody has told their value.
    let value = |row: &SeatRow| match row.value.as_str() {
        "" => Ok([0; 32]),
        value => read_hex(value),
    };
    let values: Vec<[u8; 32]> = seats.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Dice::mixed(read_hex(&table.seed)?, &values, table.dice.clone()))
}

/// The chance by which a house player declares for a seat in a window, from the dice of the table.
pub(crate) fn house_chance(dice: &Dice, number: WindowNumber, seat: Seat) -> Stream {
    let dice = dice.house().of_window(number.get(), 0);
    dice.stream(&Label::of(seat, Key::part("house")))
}

/// The contest of a table as it stood when a window opened.
pub(crate) async fn contest(
    session: &mut Session,
    game: &dyn AnyGame,
    table: &TableRow,
    seats: &[SeatRow],
    window: &WindowRow,
) -> Result<Box<dyn AnyContest>, Unloaded> {
    let root = session.state(&table.code, window.root).await?;
    load(game, table, seats, window, root)
}

/// The contest as it stood when a window opened, on the state of its root window.
pub(crate) fn load(
    game: &dyn AnyGame,
    table: &TableRow,
    seats: &[SeatRow],
    window: &WindowRow,
    root: String,
) -> Result<Box<dyn AnyContest>, Unloaded> {
    let saved = Saved { root, said: window.said.clone() };
    Ok(game.load(&saved, dice(table, seats)?)?)
}

/// A contest that could not be taken up again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unloaded {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl From<Unloaded> for StoreError {
    fn from(unloaded: Unloaded) -> Self {
        match unloaded {
            Unloaded::Store(error) => error,
            Unloaded::Load(error) => Self::Unreadable(error.to_string()),
        }
    }
}

/// Everybody's names, by seat. An empty chair has none.
pub(crate) fn names(seats: &[SeatRow]) -> Vec<String> {
    let mut names = Vec::new();
    for row in seats {
        names.resize(names.len().max(row.seat.index() + 1), String::new());
        names[row.seat.index()].clone_from(&row.name);
    }
    names
}
