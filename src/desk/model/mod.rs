//! The model of tables, people and decisions.

pub(crate) mod overrides;
pub(crate) mod random;

pub(crate) use crate::model::overrides::{Gm, Judgement, Override, Verb, undoes, undone};

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use games::any::{AnyContest, AnyGame, TableOptionsError};
use games::cards::sets::AnySets;
use letters::{Refused, Spent};
use rules::dice::Stream;
use rules::text::Lang;
use rules::{Dice, Key, Label, LoadError, Saved, Sealing, Seat};
use store::{
    SeatRow, Session, Store, StoreError, StoredEdition, TableRow, Touched, WindowRow, Work,
    absences, people, read_hex, transfer, votes, windows,
};
use tables::absence::{Condition, Deed};
use tables::{
    AccountId, Address, HoldReason, Pace, PersonId, Span, Stage, TableCode, Time, Timing,
    VoteNumber, VoteOutcome, WindowNumber,
};

/// The tables, windows, declarations and overrides of one database, as a front end uses them.
#[derive(Clone, Debug)]
pub struct Desk {
    pub(crate) store: Store,
    pub(crate) games: Games,
}

/// A result, by default of a request.
pub(crate) type Result<T, E = NotDone> = std::result::Result<T, E>;

/// A result of the database.
pub(crate) type Stored<T> = store::Result<T>;

/// The text of a letter, or another result of its templates.
pub(crate) type Written<T = String> = letters::Result<T>;

/// A request that was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The request is refused for now; its reader is shown the reason.
    #[error("refused: {0:?}")]
    Refused(Refused),
    /// The allowance of the request is used up; its reader is shown the rest of it.
    #[error("no more of it: {0:?}")]
    Spent(Spent),
    /// The game does not take these options, or not this number of players.
    #[error(transparent)]
    Options(#[from] TableOptionsError),
    /// The database failed, and the whole request is rolled back.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Implements `From` for every kind of refusal.
macro_rules! from_refusals {
    ($error:ty, $make:expr) => {
        $crate::model::from_refusals!(
            $error, $make,
            Refused, AbsenceRefused, DeclarationRefused, KeepingRefused, OverrideRefused,
            SeatRefused, StartRefused, VoteRefused
        );
    };
    ($error:ty, $make:expr, $($refused:ident),*) => {$(
        impl From<letters::$refused> for $error {
            fn from(refused: letters::$refused) -> Self {
                let make: fn(letters::Refused) -> Self = $make;
                make(refused.into())
            }
        }
    )*};
}
pub(crate) use from_refusals;

from_refusals!(NotDone, NotDone::Refused);

impl From<Spent> for NotDone {
    fn from(spent: Spent) -> Self {
        Self::Spent(spent)
    }
}

impl Desk {
    /// Returns a desk for these games and this database.
    pub fn new(store: Store, games: &'static [&'static dyn AnyGame]) -> Self {
        Self { store, games: Games(games) }
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The games that can be played here.
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games.0
    }

    /// Carries out a request in one transaction. A refusal is a result: what was written before it stays.
    pub(crate) async fn carry_out<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        about: A,
        does: for<'w> fn(&'w A, &'w mut Session) -> BoxFuture<'w, Result<T>>,
    ) -> Result<T> {
        let work =
            Work::new((about, does), |(about, does), db| does(about, db).map(refusing).boxed());
        self.store.write(work).await?
    }

    /// Carries out a request like [`Self::carry_out`], at its table.
    pub(crate) async fn at_table<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        code: &TableCode,
        now: Time,
        about: A,
        does: TableStep<A, T>,
    ) -> Result<T> {
        self.at_table_keeping(|_| true, code, now, about, does).await
    }

    /// Carries out a request at its table, and stores what was written with these results.
    pub(crate) async fn at_table_keeping<A: Send + Sync + 'static, T: Send + 'static>(
        &self,
        keeps: fn(&Result<T>) -> bool,
        code: &TableCode,
        now: Time,
        about: A,
        does: TableStep<A, T>,
    ) -> Result<T> {
        let work =
            Work::new((code.to_owned(), now, about, does), |(code, now, about, does), db| {
                let done = async move {
                    let mut tx = db.touch(code, *now).await?.ok_or(Refused::NoTable)?;
                    does(about, &mut tx).await
                };
                done.map(refusing).boxed()
            });
        self.store.write(work.keeping(keeps)).await?
    }
}

/// A function that carries out a request at its table.
pub(crate) type TableStep<A, T> =
    for<'w, 's> fn(&'w A, &'w mut Touched<'s>) -> BoxFuture<'w, Result<T>>;

/// Returns this error if the condition holds.
pub(crate) fn refuse_if<E>(holds: bool, why: E) -> Result<(), E> {
    if holds { Err(why) } else { Ok(()) }
}

/// Refuses unless the table is being played.
pub(crate) fn in_play(stage: Stage) -> Result<(), Refused> {
    match stage {
        Stage::Forming => Err(Refused::NotBegun),
        Stage::Over => Err(Refused::Over),
        Stage::Playing => Ok(()),
    }
}

/// Makes a refusal a result of a piece of work.
pub(crate) fn refusing<T>(done: Result<T>) -> store::Result<Result<T>> {
    match done {
        Err(NotDone::Store(error)) => Err(error),
        done => Ok(done),
    }
}

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
        refuse_if(known.name != table.edition || known.data != table.data, Refused::OtherEdition)?;
        bound(game, table.card_set.as_deref()).ok_or(Refused::OtherEdition)
    }

    /// Returns the game of a table like [`Self::of`], once its set of cards is known here.
    pub(crate) async fn learned(
        self,
        db: &mut Session,
        table: &TableRow,
    ) -> Stored<Result<&'static dyn AnyGame, Refused>> {
        if let Some(set) = self.unknown_set(&table.game, table.card_set.as_deref()) {
            set.learn(db).await?;
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
    pub(crate) async fn learn(self, db: &mut Session) -> Stored<()> {
        if let Some(row) = transfer::set(db, &self.hash).await? {
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
pub(crate) async fn stage_shown(tx: &mut Touched<'_>) -> Stored<Stage> {
    if tx.table.stage != Stage::Over {
        return Ok(tx.table.stage);
    }
    let open = tx.open_window().await?;
    Ok(announced_stage(&tx.table, open.as_ref(), tx.now))
}

/// Refuses once the table is over, also before its end is announced.
pub(crate) async fn refuse_over(tx: &mut Touched<'_>) -> Result<()> {
    if tx.table.stage != Stage::Over {
        return Ok(());
    }
    let over = stage_shown(tx).await? == Stage::Over;
    Err(if over { Refused::Over } else { Refused::NotYet }.into())
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
pub(crate) fn dice(table: &TableRow, seats: &[SeatRow]) -> Stored<Dice> {
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
    db: &mut Session,
    game: &dyn AnyGame,
    table: &TableRow,
    seats: &[SeatRow],
    window: &WindowRow,
) -> Result<Box<dyn AnyContest>, Unloaded> {
    let root = windows::state(db, &table.code, window.root).await?;
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

impl From<Unloaded> for NotDone {
    fn from(unloaded: Unloaded) -> Self {
        Self::Store(unloaded.into())
    }
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
        row.called().clone_into(&mut names[row.seat.index()]);
    }
    names
}

/// Returns the open window, if it has been announced.
pub(crate) async fn asked_window(tx: &mut Touched<'_>) -> Result<WindowRow> {
    let window = tx.open_window().await?.ok_or(Refused::NotBegun)?;
    if tx.now < window.opens_at { Err(Refused::NotYet.into()) } else { Ok(window) }
}

/// Returns the announced open window, unless the table is stuck in its rules: such a window can only be asked
/// again or rolled back.
pub(crate) async fn announced_window(tx: &mut Touched<'_>) -> Result<WindowRow> {
    let window = asked_window(tx).await?;
    if is_stuck(tx) { Err(Refused::Held.into()) } else { Ok(window) }
}

/// True if the table is held because its rules failed.
pub(crate) fn is_stuck(tx: &Touched<'_>) -> bool {
    matches!(tx.table.held, Some(HoldReason::Rules(_)))
}

/// Stores the times of the open window, and of the next clock check unless the table is held.
pub(crate) fn retime(tx: &mut Touched<'_>, timing: Timing, pace: &Pace) {
    tx.time(timing);
    if tx.table.held.is_none() {
        tx.look_at(Some(timing.next(pace)));
    }
}

/// Returns the unused time of a pause that ends early to the table's allowance.
pub(crate) async fn return_unused_pause(tx: &mut Touched<'_>) -> Stored<()> {
    let until = tx.table.look_at.filter(|_| tx.table.held == Some(HoldReason::Pause));
    let Some(left) = until.map(|until| until - tx.now).filter(|left| *left > Span::ZERO) else {
        return Ok(());
    };
    let paused = votes::paused(tx.db, &tx.table.code).await?;
    votes::keep_paused(tx, paused - left).await
}

/// A turn with an outcome that its player has not declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Struck {
    pub seat: Seat,
    pub condition: Condition,
    pub deed: Deed,
    /// The number of windows missed in a row, including this one.
    pub misses: u32,
    /// The number of missed windows after which no window waits for the seat; 0 for never.
    pub most: u8,
    /// True if no window waits for the seat from now on.
    pub inactive: bool,
    /// True if nothing was sealed in the window, as everything asked was done openly and immediately.
    pub openly: bool,
    /// True if the whole table is shown this.
    pub public: bool,
}

/// An obstacle that a person must remove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// The word for the obstacle, such as `gone`.
    pub why: String,
    /// The address that has the obstacle.
    pub at: Address,
}

/// Formats the stored form: the word, a space and the address.
impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.why, self.at)
    }
}

impl FromStr for Obstacle {
    type Err = Infallible;

    fn from_str(stored: &str) -> Result<Self, Infallible> {
        let (why, at) = stored.split_once(' ').unwrap_or((stored, ""));
        Ok(Self { why: why.to_owned(), at: at.into() })
    }
}

/// A person who addresses the desk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Contact {
    /// The account outside of this program, such as `terminal:桜`.
    pub account: AccountId,
    /// The name at the table; empty for the name of the seat, such as P1.
    pub name: String,
    /// The language of the reader.
    pub language: Lang,
    /// The address for letters.
    pub address: Address,
}

/// True if the account is that of the table's host.
pub(crate) async fn is_host(tx: &mut Touched<'_>, account: &AccountId) -> Stored<bool> {
    let person = people::person(tx.db, account).await?;
    Ok(person.is_some_and(|person| person == tx.table.host))
}

/// Returns the id of a game master, `None` if they are unknown, and true if they lead the table: as its host
/// or as one of its named game masters.
pub(crate) async fn leads(
    db: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Stored<(Option<PersonId>, bool)> {
    let masters = store::overrides::game_masters(db, &table.code).await?;
    let person = people::person(db, &gm.account).await?;
    let is_named = |who: &String| gm.account == **who || gm.roles.contains(who);
    let leads = person.as_ref() == Some(&table.host) || masters.iter().any(is_named);
    Ok((person, leads))
}

/// Refuses everybody who does not lead the table.
pub(crate) async fn refuse_others(tx: &mut Touched<'_>, gm: &Gm) -> Result<()> {
    let (_, leads) = leads(tx.db, &tx.table, gm).await?;
    if leads { Ok(()) } else { Err(Refused::NotLeader.into()) }
}

/// Returns the seat for which an account declares: its own, or else the one for which it stands in.
pub(crate) async fn seat_of(
    db: &mut Session,
    code: &TableCode,
    account: &AccountId,
    own: Option<Seat>,
    now: Time,
) -> Stored<Option<Seat>> {
    match own {
        Some(own) => Ok(Some(own)),
        None => absences::stood_in_by(db, code, account, now).await,
    }
}

/// A vote of a table, as everybody at the table sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The number of the vote at the table, from 0.
    pub number: VoteNumber,
    /// The seat of the proposer, `None` if they have left it.
    pub by: Option<Seat>,
    /// The name of the player whose seat the vote is about, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The decision if the vote passes.
    pub what: Override,
    /// The reason in the proposer's words, empty if none was given.
    pub reason: String,
    pub closes: Time,
    /// The number of votes in favour.
    pub yes: usize,
    /// The number of votes against.
    pub no: usize,
    /// The number of votes in favour that the vote needs to pass.
    pub needed: usize,
    /// True if one vote besides the proposer's is enough.
    pub second: bool,
    /// The outcome; `None` while the vote is open.
    pub outcome: Option<VoteOutcome>,
}

/// Returns the seat that a bot player is to take.
pub(crate) fn about(what: &Override) -> Option<Seat> {
    match what {
        Override::House { seat, .. } => Some(*seat),
        _ => None,
    }
}
