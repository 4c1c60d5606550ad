//! Rows of the database, and the types of their columns.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use sqlx::any::{Any, AnyArguments};
use sqlx::error::BoxDynError;
use sqlx::query::{Query, QueryAs};
use sqlx::{Arguments, Encode, FromRow, Type};

use crate::database::{Result, StoreError};
use rules::seat::NoSuchSeat;
use rules::{Declaration, Seat, WindowKind, in_columns};
use tables::absence::Keeping;
use tables::ids::or_before_first;
use tables::{
    Absence, Address, CloseReason, EntryNumber, HoldReason, Pace, PersonId, PersonSettings, Span,
    Stage, TableCode, TableSettings, Time, WindowNumber,
};

/// A truth value as a whole number: 0 for false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u8", into = "u8")]
pub struct Flag(pub bool);

impl From<u8> for Flag {
    fn from(number: u8) -> Self {
        Self(number != 0)
    }
}

impl From<Flag> for u8 {
    fn from(Flag(is): Flag) -> Self {
        is.into()
    }
}

impl From<Flag> for bool {
    fn from(Flag(is): Flag) -> Self {
        is
    }
}

/// A count, in a column of whole numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count<N>(pub(crate) N);

/// The number of a window in a column, -1 for `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrBeforeFirst(pub(crate) Option<WindowNumber>);

/// The window of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PostedWindow {
    /// No window: the first has yet to open.
    BeforeFirst,
    Number(WindowNumber),
    /// No window: the table is over.
    Over,
}

/// Seats, such as `P1 P3`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats(pub Vec<Seat>);

impl FromStr for Seats {
    type Err = NoSuchSeat;

    fn from_str(text: &str) -> Result<Self, NoSuchSeat> {
        text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl fmt::Display for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|seat| seat.name()).collect();
        f.write_str(&names.join(" "))
    }
}

impl From<OrBeforeFirst> for Option<WindowNumber> {
    fn from(OrBeforeFirst(window): OrBeforeFirst) -> Self {
        window
    }
}

/// A statement with its values.
pub(crate) type Statement = Query<'static, Any, AnyArguments>;

/// Returns values as the arguments of a statement.
pub(crate) fn arguments(values: impl Values) -> sqlx::Result<AnyArguments> {
    let mut arguments = AnyArguments::default();
    values.add_to(&mut arguments).map_err(sqlx::Error::Encode)?;
    Ok(arguments)
}

/// A query for rows of this type.
pub(crate) type RowQuery<R> = QueryAs<'static, Any, R, AnyArguments>;

/// The values of a statement, in order.
pub(crate) trait Values {
    const COUNT: usize;

    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError>;
}

/// Implements [`Values`] for a tuple, and for the shorter ones.
macro_rules! values {
    () => {};
    ($value:ident: $type:ident $(, $values:ident: $types:ident)*) => {
        impl<'t, $type: Encode<'t, Any> + Type<Any>, $($types: Encode<'t, Any> + Type<Any>,)*>
            Values for ($type, $($types,)*)
        {
            const COUNT: usize = 1 + <($($types,)*)>::COUNT;

            fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
                let ($value, $($values,)*) = self;
                arguments.add($value)?;
                $(arguments.add($values)?;)*
                Ok(())
            }
        }

        values!($($values: $types),*);
    };
}

values!(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L);

impl Values for () {
    const COUNT: usize = 0;

    fn add_to(self, _: &mut AnyArguments) -> Result<(), BoxDynError> {
        Ok(())
    }
}

/// A value, and those after it.
pub(crate) struct First<A, V>(pub(crate) A, pub(crate) V);

impl<'t, A: Encode<'t, Any> + Type<Any>, V: Values> Values for First<A, V> {
    const COUNT: usize = 1 + V::COUNT;

    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), BoxDynError> {
        arguments.add(self.0)?;
        self.1.add_to(arguments)
    }
}

/// The style of the parameters in a statement of many rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Placeholders {
    /// Numbered, as a server requires.
    Numbered,
    /// Unnumbered, in order: SQLite would search each number among all others.
    InOrder,
}

impl Placeholders {
    /// Returns the parameters of rows with columns, the first of the statement.
    pub(crate) fn values(self, rows: usize, columns: usize) -> String {
        let mut text = String::with_capacity(6 * rows * columns);
        for row in 0..rows {
            text.push_str(if row == 0 { "(" } else { "), (" });
            for column in 1..=columns {
                let comma = if column == 1 { "" } else { ", " };
                let _ = match self {
                    Self::Numbered => write!(text, "{comma}${}", row * columns + column),
                    Self::InOrder => write!(text, "{comma}?"),
                };
            }
        }
        text.push_str(if rows == 0 { "" } else { ")" });
        text
    }

    /// Returns a statement that makes JSON, with `{list}` and `{object}` replaced by the database's
    /// functions.
    pub(crate) fn with_json(self, statement: &str) -> String {
        let (list, object) = match self {
            Self::Numbered => ("json_agg", "json_build_object"),
            Self::InOrder => ("json_group_array", "json_object"),
        };
        statement.replace("{list}", list).replace("{object}", object)
    }
}

/// Parses a hash in hex digits from the database.
pub fn read_hex(digits: &str) -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    let broken = |error: hex::FromHexError| StoreError::Unreadable(error.to_string());
    hex::decode_to_slice(digits, &mut bytes).map_err(broken)?;
    Ok(bytes)
}

/// Parses a JSON document from the database.
pub fn read_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|error| StoreError::Unreadable(error.to_string()))
}

/// Writes a document as JSON for the database.
pub fn write_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
}

/// Implements `Debug` for rows that hold what must not reach a log, such as a declaration or a seed: one field
/// is shown.
macro_rules! logged_by {
    ($($row:ident: $field:ident),*) => {$(
        impl std::fmt::Debug for $row {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct(stringify!($row));
                shown.field(stringify!($field), &self.$field).finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use logged_by;

logged_by!(TableRow: code, DeclarationRow: seat);

/// Defines the columns of counts.
macro_rules! counts {
    ($($number:ty),*) => {$(
        impl From<Count<$number>> for $number {
            fn from(Count(count): Count<$number>) -> Self {
                count
            }
        }

        in_columns!(
            Count<$number>, as i64, |count| Ok(count.0.try_into()?), |count| Ok(Self(count.try_into()?))
        );
    )*};
}

counts!(u32, u64, usize);
in_columns!(Seats, as String, |seats| Ok(seats.to_string()), |text| Ok(text.parse()?));
in_columns!(Flag, as i64, |flag| Ok(flag.0.into()), |number| Ok(Flag(number != 0)));
in_columns!(
    OrBeforeFirst, as i64,
    |window| Ok(or_before_first::number(window.0)),
    |number| Ok(Self(or_before_first::window(number)?))
);
in_columns!(
    PostedWindow, as i64,
    |window| Ok(match *window {
        Self::BeforeFirst => or_before_first::BEFORE_FIRST,
        Self::Number(number) => number.get().into(),
        Self::Over => i64::MAX,
    }),
    |number| Ok(match number {
        or_before_first::BEFORE_FIRST => Self::BeforeFirst,
        i64::MAX => Self::Over,
        number => Self::Number(number.try_into()?),
    })
);

/// An entry of the journal.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct JournalRow {
    /// The number of the entry, from 0.
    pub entry: EntryNumber,
    pub at: Time,
    /// The content, as JSON.
    pub body: String,
    /// The hash that chains the entry to the one before, in hex digits.
    pub hash: String,
}

impl JournalRow {
    /// Returns the line that is chained.
    pub fn line(&self) -> String {
        format!("{} {} {}", self.entry, self.at, self.body)
    }
}

/// A person's record of one window.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReputationRow {
    /// The window, from 0.
    pub number: WindowNumber,
    /// The seat that the person played for.
    pub seat: Seat,
    /// The person who declared, or should have.
    pub person: PersonId,
    pub kept: Keeping,
    /// The time of the window's announcement, `None` while the window is open.
    pub at: Option<Time>,
    /// True if the table has neither gone back from the window nor resolved it anew.
    #[sqlx(try_from = "Flag")]
    pub counts: bool,
}

/// A letter to be sent.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Outgoing {
    /// The id of the letter, at every address.
    pub letter: String,
    /// The address, such as `terminal:桜`.
    pub address: Address,
    /// The earliest time of sending.
    pub send_at: Time,
    /// The content, as JSON.
    pub body: String,
    /// The number of attempts begun.
    #[sqlx(try_from = "Count<u64>")]
    pub attempts: u64,
    /// The place that last refused the letter, `None` if none did.
    pub refused_at: Option<Address>,
}

/// The row of a table.
#[derive(Clone, FromRow)]
pub struct TableRow {
    pub code: TableCode,
    pub game: String,
    /// The edition of the rules.
    pub edition: String,
    /// The hash of that edition's data files, in hex digits.
    pub data: String,
    /// The game's options, as JSON.
    pub options: String,
    /// The language of public texts.
    pub language: String,
    pub pace: Arc<Pace>,
    /// The pace from the next window on, `None` if it stays.
    pub next_pace: Option<Arc<Pace>>,
    #[sqlx(try_from = "Count<usize>")]
    pub chairs: usize,
    pub host: PersonId,
    pub stage: Stage,
    /// The reason why the table is held; `None` if the table is not held.
    pub held: Option<HoldReason>,
    /// The seed, in hex digits: a secret until the end.
    pub seed: String,
    /// The hash of the seed, in hex digits.
    pub commitment: String,
    /// The number of the open window, `None` before the first.
    #[sqlx(try_from = "OrBeforeFirst")]
    pub open_window: Option<WindowNumber>,
    /// The time of the next clock check, `None` if there is none.
    pub look_at: Option<Time>,
    /// The number of journal entries.
    #[sqlx(try_from = "Count<u32>")]
    pub entries: u32,
    /// The hash of the last entry, in hex digits.
    pub chain: String,
    /// The time of the last entry.
    pub told_at: Time,
    /// The name of the table by which its dice are keyed.
    pub dice: String,
    pub formed_at: Time,
    /// The address of its public letters, `None` if every player gets private letters.
    pub place: Option<Address>,
    /// The number of windows so far, which is the number of the next one.
    #[sqlx(try_from = "Count<u32>")]
    pub windows: u32,
    /// The time since which the table is held; `None` if the table is not held.
    pub held_at: Option<Time>,
    pub settings: TableSettings,
    /// The hash of the set of cards that the table is bound to, `None` before the deal and in a game without
    /// sets.
    pub card_set: Option<String>,
}

impl TableRow {
    /// Returns the number of the next window.
    pub fn next_window(&self) -> WindowNumber {
        WindowNumber::new(self.windows)
    }
}

/// The row of a seat and its player.
#[derive(Clone, Debug, FromRow, Deserialize)]
pub struct SeatRow {
    /// The seat, from 0.
    pub seat: Seat,
    /// The person on the seat, `None` for a bot player.
    pub person: Option<PersonId>,
    /// The policy of a bot player, `None` for a person.
    pub house: Option<String>,
    /// The name at this table when the person sat down, empty for P1 and so on: the journal contains its hash.
    pub name: String,
    /// The name after a rename, `None` without one.
    pub shown_as: Option<String>,
    /// The value in the seed, in hex digits.
    pub value: String,
    /// The salt of the journal's hash of the person, `None` for a bot player or an erased person.
    pub salt: Option<String>,
    /// The address of private letters.
    pub address: Option<Address>,
    /// The language of the person.
    pub language: Option<String>,
    /// The person's settings for all of their tables.
    #[serde(deserialize_with = "settings_in_text")]
    pub settings: PersonSettings,
}

/// Reads settings from a column of JSON within a document; none or unknown ones are the defaults.
fn settings_in_text<'de, D: Deserializer<'de>>(from: D) -> Result<PersonSettings, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

impl SeatRow {
    /// True if this person has the seat.
    pub fn is_of(&self, person: Option<&PersonId>) -> bool {
        person.is_some() && self.person.as_ref() == person
    }

    /// Returns the present name of the person.
    pub fn called(&self) -> &str {
        self.shown_as.as_ref().unwrap_or(&self.name)
    }
}

/// The row of a person who had a seat before somebody else.
#[derive(Clone, Debug, FromRow)]
pub struct FormerSeatRow {
    pub seat: Seat,
    pub person: PersonId,
    pub name: String,
    /// The salt, as in [`SeatRow::salt`].
    pub salt: Option<String>,
}

/// The row of a window.
#[derive(Clone, Debug, FromRow)]
pub struct WindowRow {
    /// The number of the window, from 0.
    pub number: WindowNumber,
    /// The number of the first window of the same root window.
    pub root: WindowNumber,
    pub kind: WindowKind,
    /// The answers in the root window before this window opened.
    pub said: String,
    pub asked: Seats,
    pub opens_at: Time,
    pub closes_at: Time,
    /// The time of the early close, `None` unless all seats have sealed.
    pub settles_at: Option<Time>,
    /// The time up to which reminders have been sent.
    pub reminded_at: Time,
    /// The number of the window whose end opened it, `None` for the first.
    pub follows: Option<WindowNumber>,
    /// The number of the window whose sealings count in it, `None` unless it is resolved anew.
    pub again: Option<WindowNumber>,
}

/// The close of a window.
#[derive(Clone, Debug, FromRow)]
pub struct ClosedTimes {
    pub number: WindowNumber,
    pub closed_at: Time,
    pub why: CloseReason,
    /// The seats that the window had waited for.
    pub awaited: Seats,
}

/// A declaration without its content.
#[derive(Clone, Copy, Debug, FromRow)]
pub struct DeclarationProgressRow {
    pub seat: Seat,
    /// True if the declaration is sealed, false for a draft.
    #[sqlx(try_from = "Flag")]
    pub sealed: bool,
    /// True if no question is left open.
    #[sqlx(try_from = "Flag")]
    pub complete: bool,
}

/// The complete row of a declaration.
#[derive(Clone, PartialEq, Eq, FromRow)]
pub struct DeclarationRow {
    /// The seat, from 0.
    pub seat: Seat,
    /// The declared answers.
    pub answers: Declaration,
    /// True if the declaration is sealed, false for a draft.
    pub sealed: Flag,
    /// True if no question is left open.
    pub complete: Flag,
    /// The salt of the sealing in hex digits, a secret until the end, `None` for a draft.
    pub salt: Option<String>,
    /// The salted hash, in hex digits, `None` for a draft.
    pub hash: Option<String>,
}

/// The attendance of a seat, and the absence of its player.
#[derive(Clone, Debug, PartialEq, Eq, FromRow, Deserialize)]
pub struct PresenceRow {
    pub seat: Seat,
    /// The person on the seat, `None` for a bot player.
    pub person: Option<PersonId>,
    /// The number of consecutive windows missed.
    #[sqlx(try_from = "Count<u32>")]
    pub misses: u32,
    /// The number of windows that were put off for the seat.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// The time since which no window waits for the seat, `None` if windows wait.
    pub inactive_at: Option<Time>,
    /// The beginning of the player's absence, `None` if there is none.
    pub away_from: Option<Time>,
    pub away_until: Option<Time>,
    /// The end of the substitution, `None` without a substitute.
    pub stood_in_until: Option<Time>,
}

/// The treatment of missing players in a window.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct LatenessRow {
    /// The settings at the opening.
    pub absence: Absence,
    /// The number of window lengths by which the window was put off.
    #[sqlx(try_from = "Count<u32>")]
    pub put_off: u32,
    /// The missing seats for which the window was put off.
    pub missed: Seats,
    /// The seats that may still seal in the time of grace, `None` before it.
    pub late: Option<Seats>,
    /// The time at which the last awaited player was called, `None` if nobody was.
    pub called_at: Option<Time>,
}

impl LatenessRow {
    /// Returns the row of a window without any treatment so far, with the settings at its opening.
    pub fn of(absence: Absence) -> Self {
        Self { absence, put_off: 0, missed: Seats::default(), late: None, called_at: None }
    }
}

/// A time without any process to keep the deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRow)]
pub struct OutageRow {
    /// The last heartbeat before the outage.
    pub began_at: Time,
    /// The first heartbeat after the outage.
    pub ended_at: Time,
}

impl OutageRow {
    pub fn length(&self) -> Span {
        self.ended_at - self.began_at
    }
}

/// A window with the players of its table and their progress.
#[derive(Clone, Debug)]
pub struct WholeWindow {
    pub window: WindowRow,
    /// The treatment of missing players in the window.
    pub lateness: LatenessRow,
    /// The present settings about missing players, which apply to the next window.
    pub absence: Absence,
    /// The players, by seat.
    pub seats: Vec<SeatRow>,
    /// The attendance of the seats.
    pub presences: Vec<PresenceRow>,
    /// The progress of the declarations.
    pub progress_rows: Vec<DeclarationProgressRow>,
    /// The seats with a stored declaration, even a late one.
    pub stored: Vec<Seat>,
    /// The seats for which somebody other than the player has declared.
    pub by_others: Vec<Seat>,
    /// The seats with a record that does not count yet.
    pub(crate) noted: Vec<Seat>,
    pub(crate) is_closed: bool,
    /// The outage at its deadline, `None` if there was none.
    pub outage: Option<OutageRow>,
    /// The rarely used features of the table.
    pub few: RareFeatures,
    pub(crate) state: Option<String>,
}

/// The rarely used features of a table: most tables have none and skip their queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is found out by itself")]
pub struct RareFeatures {
    /// True if a vote is open.
    pub votes: bool,
    /// True if a seat has or had a substitute.
    pub substitutes: bool,
    /// True if the table may have onlookers.
    pub onlookers: bool,
    /// True if a seat is open or a person is invited to one.
    pub calls: bool,
    /// True if a player has standing orders.
    pub orders: bool,
    /// True if a player has declared for a window that is yet to open.
    pub next_declarations: bool,
    /// True if anybody has written to their side.
    pub side_lines: bool,
}

/// A table read ahead, with its open window.
#[derive(Debug)]
pub(crate) struct Ahead {
    pub(crate) table: TableRow,
    pub(crate) window: Option<WholeWindow>,
    /// The declarations in the window, only for its close.
    pub(crate) declared: Option<Vec<DeclarationRow>>,
}

/// A table as it was a moment ago: its players, the seat of an account, and its open window, if there is one.
#[derive(Clone)]
pub struct OpenTable {
    pub table: TableRow,
    /// The number of times that the table had been touched. Every writer touches the table first, so the
    /// table is unchanged as long as this number is.
    pub(crate) touched: u64,
    /// The players, by seat.
    pub seats: Vec<SeatRow>,
    pub own: Option<Seat>,
    /// The open window.
    pub window: Option<WholeWindow>,
}

impl fmt::Debug for OpenTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A viewer sees only a part of the table.
        f.debug_struct("OpenTable").field("code", &self.table.code).finish_non_exhaustive()
    }
}

impl OpenTable {
    /// True if a player has standing orders in its open window.
    pub fn has_orders(&self) -> bool {
        self.window.as_ref().is_some_and(|whole| whole.few.orders)
    }

    /// Returns the table for a piece of work that has just touched it, `None` if another one has touched it
    /// since the reading.
    pub(crate) fn ahead(&self, touched: u64) -> Option<Ahead> {
        let is_same = touched == self.touched + 1;
        let (table, window) = (&self.table, &self.window);
        is_same.then(|| Ahead { table: table.clone(), window: window.clone(), declared: None })
    }
}
