//! Loading of tables from their rows: the game, the pace and the contest.

use games::any::{AnyContest, AnyGame};
use games::cards::sets::AnySets;
use letters::Refused;
use rules::dice::Stream;
use rules::{Dice, Key, Label, LoadError, Saved, Sealing, Seat};
use store::{
    SeatRow, Session, StoreError, StoredEdition, TableRow, Touched, WindowRow, read_hex, sets,
};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{Pace, Stage, Timing};

/// The games that can be played here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Games(pub(crate) &'static [&'static dyn AnyGame]);

impl Games {
    /// Returns the game with this key.
    pub(crate) fn find(self, key: &str) -> Option<&'static dyn AnyGame> {
        self.0.iter().copied().find(|game| game.key() == key)
    }

    /// Returns the version of the policies of the game with this key, 0 if there is no such game.
    pub(crate) fn policies_version(self, key: &str) -> u32 {
        self.find(key).map_or(0, AnyGame::policies_version)
    }

    /// Returns the game of a table, in the edition of the table. A table keeps its edition: a program that
    /// knows another edition does not touch the table.
    pub(crate) fn of(self, table: &TableRow) -> Result<&'static dyn AnyGame, Refused> {
        let game = self.find(&table.game).ok_or(Refused::OtherEdition)?;
        let known = edition(game);
        if known.name != table.edition || known.data != table.data {
            return Err(Refused::OtherEdition);
        }
        bound(game, table.card_set.as_deref()).ok_or(Refused::OtherEdition)
    }

    /// Returns the game of a table like [`Self::of`], once its set of cards is known here.
    pub(crate) async fn learned(
        self,
        session: &mut Session,
        table: &TableRow,
    ) -> Result<Result<&'static dyn AnyGame, Refused>, StoreError> {
        if let Some(set) = self.unknown_set(&table.game, table.card_set.as_deref()) {
            set.learn(session).await?;
        }
        Ok(self.of(table))
    }

    /// Returns the set of cards that a table of a game is bound to, `None` if it is known here.
    pub(crate) fn unknown_set(self, game: &str, card_set: Option<&str>) -> Option<UnknownSet> {
        let (hash, sets) = (card_set?, self.find(game)?.sets()?);
        sets.called(hash).is_none().then(|| UnknownSet { sets, hash: hash.to_owned() })
    }
}

/// Returns the game bound to a set of cards, `None` if the set is not known here.
pub(crate) fn bound(
    game: &'static dyn AnyGame,
    card_set: Option<&str>,
) -> Option<&'static dyn AnyGame> {
    let Some(hash) = card_set else { return Some(game) };
    Some(game.bound_to(game.sets()?.called(hash)?))
}

/// A set that another process, or an earlier run, has bound a table to.
pub(crate) struct UnknownSet {
    sets: &'static dyn AnySets,
    hash: String,
}

impl UnknownSet {
    /// Learns the set. One that this program cannot read stays unknown, and with it the table.
    pub(crate) async fn learn(self, session: &mut Session) -> Result<(), StoreError> {
        if let Some(row) = sets::set(session, &self.hash).await? {
            let _unread = self.sets.learn(&self.hash, &row.text);
        }
        Ok(())
    }
}

/// Returns the edition of a game that this program knows.
pub(crate) fn edition(game: &dyn AnyGame) -> StoredEdition {
    let edition = game.edition();
    StoredEdition {
        game: game.key().to_owned(),
        name: edition.name.clone(),
        data: hex::encode(edition.data),
    }
}

/// Returns the pace of a window of a table.
pub(crate) fn window_pace(table: &TableRow, window: &WindowRow) -> Pace {
    Pace::clone(&table.pace).of(window.kind)
}

/// Returns the announced stage of a table. The end of a game is announced when its last window opens, which
/// closes at the same time.
pub(crate) fn announced_stage(table: &TableRow, open: Option<&WindowRow>, now: Time) -> Stage {
    let ends = |open: &WindowRow| open.closes_at == open.opens_at && now < open.opens_at;
    if open.is_some_and(ends) { Stage::Playing } else { table.stage }
}

/// Returns the announced stage of a table that is being changed.
pub(crate) async fn stage_shown(touched: &mut Touched<'_>, now: Time) -> Result<Stage, StoreError> {
    if touched.table.stage != Stage::Over {
        return Ok(touched.table.stage);
    }
    let open = touched.open_window().await?;
    Ok(announced_stage(&touched.table, open.as_ref(), now))
}

/// Returns the times of a window that people may see. With hidden sealings, `settles` is left out, as it
/// would reveal that everybody has sealed.
pub(crate) fn shown(timing: Timing, sealing: Sealing) -> Timing {
    match sealing {
        Sealing::Open => timing,
        Sealing::Hidden => Timing { settles: None, ..timing },
    }
}

/// Returns the dice of a table, mixed from its seed and the values of all seats.
pub(crate) fn dice(table: &TableRow, seats: &[SeatRow]) -> Result<Dice, StoreError> {
    // Nothing is thrown before every seat has given its value.
    let value = |row: &SeatRow| match row.value.as_str() {
        "" => Ok([0; 32]),
        value => read_hex(value),
    };
    let values: Vec<[u8; 32]> = seats.iter().map(value).collect::<Result<_, _>>()?;
    Ok(Dice::mixed(read_hex(&table.seed)?, &values, table.dice.clone()))
}

/// Returns the random stream from which a bot player declares for a seat in a window.
pub(crate) fn house_chance(dice: &Dice, number: WindowNumber, seat: Seat) -> Stream {
    let dice = dice.house().of_window(number.get(), 0);
    dice.stream(&Label::of(seat, Key::part("house")))
}

/// Returns the contest of a table as of the opening of a window.
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

/// Returns the contest as of the opening of a window, loaded from the state of its root window.
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

/// The reason why a contest could not be loaded.
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

/// Returns the names of the players by seat, empty for an empty seat.
pub(crate) fn names(seats: &[SeatRow]) -> Vec<String> {
    let mut names = Vec::new();
    for row in seats {
        names.resize(names.len().max(row.seat.index() + 1), String::new());
        names[row.seat.index()].clone_from(&row.name);
    }
    names
}
