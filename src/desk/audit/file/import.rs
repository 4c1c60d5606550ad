//! The import of a file into a database.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::audit::file::{DieLine, FileFault, Heading, RowKind, SetLine, TableFile, Unfit};
use crate::audit::replay::difference::{Difference, Differs, safely};
use crate::audit::replay::{self, Replay};
use crate::model::{Desk, Games, NotDone, Override, Unloaded, contest, random};
use crate::record::{Event, Letter};
use games::any::AnyGame;
use games::cards::hash::SetHash;
use letters::sampled_from;
use rules::seat::MAX_SEATS;
use rules::text::Lang;
use rules::{Declaration, Label, LoadError, Round, Viewer, WindowKind};
use store::{
    Cell, Location, OpenError, Result, Row, Seats, Session, SetRow, Store, StoreError, Work,
    people, read_json, transfer, windows,
};
use tables::absence::Keeping;
use tables::{
    Absence, AccountId, Address, CloseReason, Notified, Pace, PersonId, Stage, TableCode,
    TableSettings, WindowNumber,
};

/// The reason why a file was not imported.
#[derive(Debug, thiserror::Error)]
pub enum NotImported {
    /// A table with this code exists already.
    #[error("the table is here already")]
    Here,
    /// A line is invalid.
    #[error(transparent)]
    Fault(#[from] FileFault),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Imports a table from a file. A person with a known account keeps their identity here; a person without
/// an account becomes a new one. Returns the parts that were left out.
/// Fails if the table exists already, a line is invalid, or the database fails; then nothing is imported.
pub async fn import(desk: &Desk, file: TableFile, belief: Belief) -> Result<LeftOut, NotImported> {
    let ids = file.people.iter().map(|_| random::person()).collect();
    let taking_up = TakingUp { games: desk.games, file, belief, ids };
    let work = Work::new(taking_up, |taking_up, db| Box::pin(taking_up.work(db)));
    desk.store.write(work.keeping(Result::is_ok)).await?
}

struct TakingUp {
    games: Games,
    file: TableFile,
    belief: Belief,
    /// The ids for the people of the file who are unknown here.
    ids: Vec<PersonId>,
}

impl TakingUp {
    async fn work(&self, db: &mut Session) -> Result<Result<LeftOut, NotImported>> {
        let code = &self.file.heading.table;
        if db.table(code).await?.is_some() {
            return Ok(Err(NotImported::Here));
        }
        if let Err(fault) = self.fits() {
            return Ok(Err(fault.into()));
        }
        if let Err(fault) = self.learn_set() {
            return Ok(Err(fault.into()));
        }
        if let Some((_, SetLine { hash, text })) = &self.file.set {
            let (hash, text, game) = (hash.clone(), text.clone(), self.file.heading.game.clone());
            transfer::keep_set(db, &SetRow { hash, game, text }).await?;
        }
        let mut people = BTreeMap::new();
        for (person, id) in self.file.people.iter().zip(&self.ids) {
            let account = person.account.clone().unwrap_or_else(|| AccountId::erased(id.as_str()));
            let known = people::meet(db, &account, &person.language, id).await?;
            people.insert(person.called.as_str(), known);
        }
        let (addresses, mut left_out) = (self.addresses(), LeftOut::default());
        for (line, kind, row) in &self.file.rows {
            let row = match &addresses {
                None => Some(row.clone()),
                Some(addresses) => addresses.believed(kind, row, code, &mut left_out),
            };
            let Some(mut row) = row else { continue };
            for column in kind.people {
                let Some(Cell::Text(person)) = row.0.get_mut(*column) else { continue };
                let Some(known) = people.get(person.as_str()) else {
                    let why = Unfit::Odd(person.clone());
                    return Ok(Err(FileFault { line: *line, why }.into()));
                };
                *person = known.to_string();
            }
            if kind.left_out.contains(&"code") {
                row.0.insert("code".to_owned(), Cell::Text(code.to_string()));
            }
            if kind.left_out.contains(&"touched") {
                row.0.insert("touched".to_owned(), Cell::Number(0));
            }
            if let Err(error) = transfer::put_row(db, kind.of, &row).await {
                return match error {
                    StoreError::Database(source) => {
                        let why = Unfit::Odd(source.to_string());
                        Ok(Err(FileFault { line: *line, why }.into()))
                    }
                    StoreError::Unreadable(why) => {
                        Ok(Err(FileFault { line: *line, why: Unfit::Odd(why) }.into()))
                    }
                    error => Err(error),
                };
            }
        }
        Ok(self.can_be_played(db).await?.map(|()| left_out).map_err(Into::into))
    }

    /// Returns the own addresses of the people in the file, `None` if everything is trusted.
    fn addresses(&self) -> Option<Addresses> {
        let Belief::Table(own) = self.belief else { return None };
        let people = self.file.people.iter();
        let people = people.map(|person| (person.called.as_str(), person.account.as_ref()));
        Some(Addresses::of(people, own))
    }

    /// Checks that the contest of each window can be loaded and shown, if this program knows the edition:
    /// foreign data must not make a table fail later.
    async fn can_be_played(&self, db: &mut Session) -> Result<Result<(), FileFault>> {
        let code = &self.file.heading.table;
        let Some(table) = db.table(code).await? else { return Ok(Ok(())) };
        let Ok(game) = self.games.of(&table) else { return Ok(Ok(())) };
        let seats = db.seats(code).await?;
        for (line, kind, row) in &self.file.rows {
            let number = row.0.get("number").and_then(Cell::number);
            let (Some(number), "windows") = (number, kind.of) else { continue };
            let Ok(number) = WindowNumber::try_from(number) else { continue };
            let Some(window) = windows::window(db, code, number).await? else { continue };
            let shown = safely(async {
                let contest = contest(db, game, &table, &seats, &window).await?;
                contest.report(Viewer::Public);
                Ok::<_, Unloaded>(contest.state_hash())
            });
            // A state that the rules cannot reach is a matter for the replay.
            let why = match shown.await {
                Some(Ok(_) | Err(Unloaded::Load(LoadError::Held(_)))) => continue,
                Some(Err(error)) => StoreError::from(error).to_string(),
                None => format!("window {number}"),
            };
            return Ok(Err(FileFault { line: *line, why: Unfit::Odd(why) }));
        }
        Ok(Ok(()))
    }

    /// Learns the set of cards of the file, which must have its hash and be the one of the table, and must be
    /// readable if this program knows the game.
    fn learn_set(&self) -> Result<(), FileFault> {
        let tables = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "tables");
        let bound =
            tables.map(|(line, _, row)| (*line, row.0.get("card_set").and_then(Cell::text)));
        let bound = bound.clone().next();
        let odd = |line, why: String| FileFault { line, why: Unfit::Odd(why) };
        let Some((line, SetLine { hash, text })) = &self.file.set else {
            return match bound {
                Some((line, Some(hash))) => Err(odd(line, hash.to_owned())),
                _ => Ok(()),
            };
        };
        let is_bound = bound.is_some_and(|(_, bound)| bound == Some(hash.as_str()));
        if !is_bound || SetHash::of(text).to_string() != *hash {
            return Err(odd(*line, hash.clone()));
        }
        let sets = self.games.find(&self.file.heading.game).and_then(AnyGame::sets);
        let learnt = sets.map_or(Ok(None), |sets| sets.learn(hash, text).map(Some));
        learnt.map(drop).map_err(|faults| odd(*line, faults[0].written(Lang::En)))
    }

    /// Checks the rows on their own and against one another.
    fn fits(&self) -> Result<(), FileFault> {
        let mut tables = 0;
        let number = |row: &Row, column| row.0.get(column).and_then(Cell::number);
        let is_there = |window| {
            let windows = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "windows");
            windows.map(|(_, _, row)| number(row, "number")).any(|number| number == window)
        };
        for (line, kind, row) in &self.file.rows {
            let odd = |why| FileFault { line: *line, why: Unfit::Odd(why) };
            fits(kind.of, row, &self.file.heading).map_err(odd)?;
            if kind.of == "tables" {
                tables += 1;
                if !self.has_its_chairs(row) {
                    return Err(odd("chairs".to_owned()));
                }
                let open = number(row, "open_window");
                if open.is_some_and(|open| open >= 0) && !is_there(open) {
                    return Err(odd("open_window".to_owned()));
                }
            }
        }
        if tables == 1 {
            return Ok(());
        }
        Err(FileFault { line: 2, why: Unfit::Misplaced("tables".to_owned()) })
    }

    /// True if the seats in the file are those of its table, and all of them once a window has been opened.
    fn has_its_chairs(&self, table: &Row) -> bool {
        let seats = self.file.rows.iter().filter(|(_, kind, _)| kind.of == "seats");
        let seats: Vec<_> =
            seats.filter_map(|(_, _, row)| row.0.get("seat").and_then(Cell::number)).collect();
        let chairs = table.0.get("chairs").and_then(Cell::number).unwrap_or_default();
        let are_there = seats.iter().all(|seat| (0..chairs).contains(seat));
        let is_played = self.file.rows.iter().any(|(_, kind, _)| kind.of == "windows");
        are_there && (!is_played || i64::try_from(seats.len()) == Ok(chairs))
    }
}

/// The degree of trust in a file.
#[derive(Clone, Copy, Debug)]
pub enum Belief {
    /// Everything is trusted: this installation wrote the file, or no letters are ever sent from it.
    All,
    /// Only the data of the file's own table is trusted. The function returns the address for a person's own
    /// letters, by their account.
    Table(fn(&AccountId) -> Option<Address>),
}

/// The parts of a file that were not imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// True if the address of the public letters was left out.
    pub place: bool,
    /// The number of letters left out, as they were not addressed to a person of the table.
    pub letters: usize,
    /// The number of attendance entries left out.
    pub windows: usize,
}

/// The addresses for the own letters of the people in a file, by their ids there.
pub(crate) struct Addresses(BTreeMap<String, Option<Address>>);

impl Addresses {
    /// Collects the addresses of people, given as ids in the file and accounts.
    pub(crate) fn of<'a>(
        people: impl Iterator<Item = (&'a str, Option<&'a AccountId>)>,
        own: fn(&AccountId) -> Option<Address>,
    ) -> Self {
        Self(people.map(|(called, account)| (called.to_owned(), account.and_then(own))).collect())
    }

    /// Returns a row without its untrusted values, or `None` if the whole row is untrusted. People keep their
    /// ids of the file.
    fn believed(
        &self,
        kind: &RowKind,
        row: &Row,
        code: &TableCode,
        left_out: &mut LeftOut,
    ) -> Option<Row> {
        let mut row = row.clone();
        match kind.of {
            "tables" => {
                let place = row.0.insert("place".to_owned(), Cell::Nothing);
                left_out.place = place.is_some_and(|place| place != Cell::Nothing);
            }
            // The attendance of people without an account is never read.
            "reputation" => {
                let of = row.0.get("person").and_then(Cell::text);
                if of.is_some_and(|person| self.has_account(person)) {
                    left_out.windows += 1;
                    return None;
                }
            }
            "outbox" if self.is_own_letter(&row, code) => {}
            "outbox" => {
                left_out.letters += 1;
                return None;
            }
            _ if row.0.contains_key("address") => {
                let of = row.0.get("person").and_then(Cell::text);
                let own = of.and_then(|person| self.0.get(person).cloned().flatten());
                let is_needed = kind.of == "substitutes";
                if is_needed && own.is_none() {
                    return None;
                }
                // A row without an address in the file stays without one.
                let address = row.0.get("address").filter(|address| **address != Cell::Nothing);
                let address =
                    address.and(own).map_or(Cell::Nothing, |own| Cell::Text(own.to_string()));
                row.0.insert("address".to_owned(), address);
            }
            _ => {}
        }
        Some(row)
    }

    fn has_account(&self, person: &str) -> bool {
        self.0.get(person).is_some_and(Option::is_some)
    }

    /// True if a letter is about this table, and goes to the own address of a person in the file.
    fn is_own_letter(&self, row: &Row, code: &TableCode) -> bool {
        let text = |column| row.0.get(column).and_then(Cell::text);
        let own: BTreeSet<&str> = self.0.values().flatten().map(Address::as_str).collect();
        let letter = text("body").and_then(|body| read_json::<Letter>(body).ok());
        let is_its = text("letter").is_some_and(|letter| letter.starts_with(&format!("{code}-")));
        is_its
            && letter.is_some_and(|letter| letter.code == *code)
            && text("address").is_some_and(|address| own.contains(address))
            && text("follows").is_none_or(|follows| *code == follows)
    }
}

sampled_from! {
    LeftOut: [
        LeftOut::default(),
        LeftOut { place: true, letters: 0, windows: 0 },
        LeftOut { place: true, letters: 2, windows: 1 },
    ];
}

/// Checks that a row fits its kind. The error names the invalid column and its value.
pub(crate) fn fits(of: &str, row: &Row, heading: &Heading) -> Result<(), String> {
    match of {
        "tables" => {
            holds_its_table(row, heading)?;
            random::is_code(text(row, "code")?).then_some(()).ok_or_else(|| odd(row, "code"))?;
            is_word::<Stage>(row, "stage")?;
            reads::<Pace>(row, "pace")?;
            reads_if_any::<Pace>(row, "next_pace")?;
            reads_if_any::<Absence>(row, "absence")?;
            reads::<TableSettings>(row, "settings")?;
            within(row, "chairs", 1, i64::try_from(MAX_SEATS).unwrap_or(i64::MAX))?;
            // -1 means that no window has been opened.
            within(row, "open_window", -1, i64::from(u32::MAX))?;
            reads::<Json>(row, "options")
        }
        "windows" => {
            follows_others(row)?;
            is_word::<WindowKind>(row, "kind")?;
            is_word::<Seats>(row, "asked")?;
            is_word_if_any::<CloseReason>(row, "why")?;
            is_word_if_any::<Seats>(row, "awaited")?;
            reads::<Json>(row, "said")
        }
        "lateness" => reads::<Absence>(row, "absence"),
        "reputation" => is_word::<Keeping>(row, "kept"),
        "snapshots" => reads::<Json>(row, "state"),
        "declarations" | "orders" => reads::<Declaration>(row, "answers"),
        "next_declarations" => {
            is_word::<WindowKind>(row, "kind")?;
            reads::<Declaration>(row, "answers")
        }
        "journal" => reads::<Event>(row, "body"),
        "overrides" => {
            is_word::<Notified>(row, "notice")?;
            reads::<Override>(row, "what")
        }
        _ => Ok(()),
    }
}

/// Checks that a window comes after the windows that it refers to: otherwise rolling back would never end.
fn follows_others(row: &Row) -> Result<(), String> {
    let number = within(row, "number", 0, i64::from(u32::MAX))?;
    within(row, "root", 0, number)?;
    for column in ["follows", "again"] {
        if !matches!(row.0.get(column), None | Some(Cell::Nothing)) {
            within(row, column, 0, number - 1)?;
        }
    }
    Ok(())
}

/// Reads a number between these limits.
fn within(row: &Row, column: &str, least: i64, most: i64) -> Result<i64, String> {
    let number = row.0.get(column).and_then(Cell::number);
    number.filter(|number| (least..=most).contains(number)).ok_or_else(|| odd(row, column))
}

/// Checks that the row is the table of the heading.
fn holds_its_table(row: &Row, heading: &Heading) -> Result<(), String> {
    let Heading { table, game, edition, data, .. } = heading;
    let code = table.as_str();
    for (column, expected) in [("code", code), ("game", game), ("edition", edition), ("data", data)]
    {
        if text(row, column)? != expected {
            return Err(odd(row, column));
        }
    }
    Ok(())
}

fn text<'r>(row: &'r Row, column: &str) -> Result<&'r str, String> {
    row.0.get(column).and_then(Cell::text).ok_or_else(|| odd(row, column))
}

/// Checks that a column holds a word of this type.
fn is_word<W: FromStr>(row: &Row, column: &str) -> Result<(), String> {
    text(row, column)?.parse::<W>().map(drop).map_err(|_| odd(row, column))
}

/// Checks that a column is empty or holds a word of this type.
fn is_word_if_any<W: FromStr>(row: &Row, column: &str) -> Result<(), String> {
    let is_said = row.0.get(column).and_then(Cell::text).is_some();
    if is_said { is_word::<W>(row, column) } else { Ok(()) }
}

/// Checks that a column is empty or holds a document of this type.
fn reads_if_any<T: DeserializeOwned>(row: &Row, column: &str) -> Result<(), String> {
    let is_said = row.0.get(column).and_then(Cell::text).is_some();
    if is_said { reads::<T>(row, column) } else { Ok(()) }
}

/// Checks that a column holds a document of this type.
fn reads<T: DeserializeOwned>(row: &Row, column: &str) -> Result<(), String> {
    match serde_json::from_str::<T>(text(row, column)?) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{column}: {error}")),
    }
}

fn odd(row: &Row, column: &str) -> String {
    let found = row.0.get(column).map(|cell| serde_json::json!(cell).to_string());
    format!("{column}: {}", found.unwrap_or_default())
}

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
            let differs = Difference::of(Differs::Die, written(fell.as_ref()), written(found));
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
