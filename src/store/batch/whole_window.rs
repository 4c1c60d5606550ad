//! Windows with all the data that is always read with them, in one statement.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;

use serde::Deserialize;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow, Row, query_as};

use crate::batch::unsaved::About;
use crate::database::{Result, Session};
use crate::rows::{
    Ahead, Count, DeclarationProgressRow, DeclarationRow, Flag, LatenessRow, OpenTable, OutageRow,
    Placeholders, PresenceRow, RareFeatures, RowQuery, SeatRow, TableRow, WholeWindow, WindowRow,
};
use crate::table::tables::{
    KnownWindow, Touched, TouchedRow, columns_of_a_table, touching, touching_only,
};
use crate::table::windows::{DeclaredAt, declared_in, no_snapshot};
use rules::Seat;
use tables::{Absence, AccountId, TableCode, Time, WindowNumber};

impl WholeWindow {
    /// Takes the state at the opening of its root window, as JSON, out of a window that was read with it.
    pub fn take_state(&mut self, code: &TableCode) -> Result<String> {
        self.state.take().ok_or_else(|| no_snapshot(code, self.window.root))
    }

    fn add(&mut self, seat: &SeatInWindow) {
        let number = seat.row.seat;
        self.stored.extend(seat.filed_late.map(|_| number));
        self.by_others.extend(seat.by_others.0.then_some(number));
        self.noted.extend(seat.noted.0.then_some(number));
        // A late declaration makes no progress.
        let declared = seat.sealed.zip(seat.complete);
        let in_time = declared.filter(|_| seat.filed_late == Some(Flag(false)));
        self.progress_rows.extend(in_time.map(|(sealed, complete)| DeclarationProgressRow {
            seat: number,
            sealed: sealed.0,
            complete: complete.0,
        }));
        self.presences.push(seat.presence.clone());
        self.seats.push(seat.row.clone());
    }
}

/// The first access of a piece of work.
#[derive(Clone, Copy, Debug)]
pub enum FirstTouch<'w> {
    /// A table that the work has not read yet.
    Unseen {
        code: &'w TableCode,
        /// True if the work needs the state at the opening of the root window.
        with_state: bool,
    },
    /// A table that was read a moment ago, and is read again only if it has changed since.
    Seen(&'w OpenTable),
}

impl<'w> FirstTouch<'w> {
    pub(crate) fn code(self) -> &'w TableCode {
        match self {
            Self::Unseen { code, .. } => code,
            Self::Seen(seen) => &seen.table.code,
        }
    }

    pub(crate) fn seen(&self) -> Option<&'w OpenTable> {
        match self {
            Self::Seen(seen) => Some(seen),
            Self::Unseen { .. } => None,
        }
    }

    pub(crate) fn needs_state(&self) -> bool {
        matches!(self, Self::Unseen { with_state: true, .. })
    }

    /// Combines the first accesses of two pieces of work at a table.
    pub(crate) fn and(self, other: Self) -> Self {
        if self.needs_state() { self } else { other }
    }
}

/// A window to read.
struct WantedWindow {
    code: TableCode,
    number: WindowNumber,
    with_state: bool,
}

/// A row of the statement: the code of a table, and its window.
struct WholeRow(TableCode, Option<WholeWindow>);

/// A row with a table, its open window, and the accounts of its players.
#[derive(Clone)]
struct OpenRow {
    table: OpenTable,
    accounts: Vec<(Seat, AccountId)>,
}

/// A seat, and its state in a window.
#[derive(Deserialize)]
struct SeatInWindow {
    row: SeatRow,
    presence: PresenceRow,
    account: Option<AccountId>,
    sealed: Option<Flag>,
    complete: Option<Flag>,
    filed_late: Option<Flag>,
    by_others: Flag,
    noted: Flag,
}

impl FromRow<'_, AnyRow> for WholeRow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        Ok(Self(row.try_get("whose")?, window(row, &sitting(row)?)?))
    }
}

impl FromRow<'_, AnyRow> for OpenRow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let sitting = sitting(row)?;
        let account = |seat: &SeatInWindow| Some((seat.row.seat, seat.account.clone()?));
        let table = OpenTable {
            table: TableRow::from_row(row)?,
            touched: row.try_get::<Count<u64>, _>("touched")?.into(),
            seats: sitting.iter().map(|seat| seat.row.clone()).collect(),
            own: None,
            window: window(row, &sitting)?,
        };
        Ok(Self { table, accounts: sitting.iter().filter_map(account).collect() })
    }
}

/// Returns the players of a row's table, by seat.
fn sitting(row: &AnyRow) -> sqlx::Result<Vec<SeatInWindow>> {
    let text: Option<String> = row.try_get("sitting")?;
    let read = serde_json::from_str(text.as_deref().unwrap_or("[]"));
    let mut sitting: Vec<SeatInWindow> = read.map_err(|error| sqlx::Error::Decode(error.into()))?;
    sitting.sort_by_key(|seat| seat.row.seat);
    Ok(sitting)
}

/// Returns the window of a row, `None` if there is none.
fn window(row: &AnyRow, sitting: &[SeatInWindow]) -> sqlx::Result<Option<WholeWindow>> {
    if row.try_get::<Option<WindowNumber>, _>("number")?.is_none() {
        return Ok(None);
    }
    let mut window = WholeWindow::from_row(row)?;
    for seat in sitting {
        window.add(seat);
    }
    Ok(Some(window))
}

impl FromRow<'_, AnyRow> for WholeWindow {
    /// Reads all but the seats.
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let absence: Absence = row.try_get("set_absence")?;
        let lateness = match row.try_get::<Option<Absence>, _>("window_absence")? {
            Some(absence) => LatenessRow {
                absence,
                put_off: row.try_get::<Count<u32>, _>("window_put_off")?.into(),
                missed: row.try_get("missed")?,
                late: row.try_get("late_seats")?,
                called_at: row.try_get("called_at")?,
            },
            None => LatenessRow::of(absence),
        };
        let began_at: Option<Time> = row.try_get("began_at")?;
        let ended_at: Option<Time> = row.try_get("ended_at")?;
        let outage = began_at.zip(ended_at);
        let counted = |column: &str| Ok::<_, sqlx::Error>(row.try_get::<Flag, _>(column)?.0);
        Ok(Self {
            window: WindowRow::from_row(row)?,
            lateness,
            absence,
            seats: Vec::new(),
            presences: Vec::new(),
            progress_rows: Vec::new(),
            stored: Vec::new(),
            by_others: Vec::new(),
            noted: Vec::new(),
            is_closed: row.try_get::<Option<Time>, _>("closed_at")?.is_some(),
            outage: outage.map(|(began_at, ended_at)| OutageRow { began_at, ended_at }),
            few: RareFeatures {
                votes: counted("open_votes")?,
                substitutes: counted("stand_ins")?,
                onlookers: counted("onlookers")?,
                calls: counted("open_calls")?,
                orders: counted("left_orders")?,
                next_declarations: counted("declared_next")?,
                side_lines: counted("written_to_sides")?,
            },
            state: row.try_get("state")?,
        })
    }
}

/// A statement that selects windows, with more columns of their tables, and the seats of each as JSON: wide
/// rows are slow to read, so there is one for each window. The joins run in the written order, by keys.
macro_rules! windows_of {
    ($wanted:literal, $more:expr) => {
        concat!(
            "with wanted (code, number, with_state) as (",
            $wanted,
            ")
     select ",
            $more,
            "wanted.code as whose, windows.number, root, windows.kind, said, asked, opens_at, closes_at,
         settles_at, reminded_at, closed_at, follows, again, tables.absence as set_absence,
         lateness.absence as window_absence, lateness.put_off as window_put_off, missed,
         lateness.late as late_seats, called_at, state, outages.began_at, outages.ended_at,
         (select count(*) from votes where votes.code = wanted.code and ended is null)
             as open_votes,
         (select count(*) from substitutes stands where stands.code = wanted.code) as stand_ins,
         (select count(*) from former_seats where former_seats.code = wanted.code)
             + (select count(*) from game_masters where game_masters.code = wanted.code)
             as onlookers,
         (select count(*) from calls where calls.code = wanted.code) as open_calls,
         (select count(*) from orders where orders.code = wanted.code) as left_orders,
         (select count(*) from next_declarations where next_declarations.code = wanted.code)
             as declared_next,
         (select count(*) from side_lines where side_lines.code = wanted.code) as written_to_sides,
         (select cast({list}({object}(
                 'row', {object}('seat', seats.seat, 'person', seats.person, 'house', house,
                     'name', name, 'shown_as', shown_as, 'value', value, 'salt', seats.salt,
                     'address', seats.address, 'language', people.language,
                     'settings', people.settings),
                 'presence', {object}('seat', seats.seat, 'person', seats.person,
                     'misses', coalesce(misses, 0), 'put_off', coalesce(attendance.put_off, 0),
                     'inactive_at', inactive_at, 'away_from', away.from_at,
                     'away_until', away.until_at, 'stood_in_until', substitutes.until_at),
                 'account', account, 'sealed', sealed, 'complete', complete, 'filed_late', declarations.late,
                 'by_others', (select count(*) from reputation
                     where reputation.code = seats.code and reputation.number = wanted.number
                         and reputation.seat = seats.seat and at is null
                         and reputation.person <> coalesce(seats.person, '')),
                 'noted', (select count(*) from reputation
                     where reputation.code = seats.code and reputation.number = wanted.number
                         and reputation.seat = seats.seat and at is null))) as text)
             from seats
             left join people on people.person = seats.person
             left join attendance on attendance.code = seats.code
                 and attendance.seat = seats.seat and attendance.person = seats.person
             left join away on away.person = seats.person
             left join substitutes on substitutes.code = seats.code
                 and substitutes.seat = seats.seat and substitutes.player = seats.person
             left join declarations on declarations.code = seats.code
                 and declarations.number = wanted.number and declarations.seat = seats.seat
             where seats.code = wanted.code) as sitting
     from wanted
     left join windows on windows.code = wanted.code and windows.number = wanted.number
     left join tables on tables.code = wanted.code
     left join lateness on lateness.code = windows.code and lateness.number = windows.number
     left join snapshots on with_state = 1
         and snapshots.code = windows.code and snapshots.number = windows.root
     left join outages on outages.began_at =
         (select min(fell.began_at) from outages fell
             where fell.began_at <= closes_at and closes_at < fell.ended_at)"
        )
    };
}

/// The statement that selects windows, with `{}` for the wanted ones.
const WHOLE_WINDOWS: &str = windows_of!("values {}", "");

/// The statement that selects tables with their open windows, with `{}` for the wanted codes.
const OPEN_TABLES: &str = windows_of!(
    "select code, open_window, 1 from tables where code in ({})",
    concat!(columns_of_a_table!(), ", touched, ")
);

impl OpenRow {
    /// Returns the table for this account, `None` for no account.
    fn of(self, account: Option<&AccountId>) -> OpenTable {
        let own = self.accounts.iter().find(|(_, of)| account == Some(of)).map(|(seat, _)| *seat);
        OpenTable { own, ..self.table }
    }
}

/// Returns a window of a table with its related data, and with the state at the opening of its root
/// window if wanted.
pub async fn whole_window(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    with_state: bool,
) -> Result<Option<WholeWindow>> {
    let wanted = vec![WantedWindow { code: code.to_owned(), number, with_state }];
    let rows = db.all_about(code, About::Table, whole_windows(db.marks(), wanted)).await?;
    Ok(rows.into_iter().next().and_then(|WholeRow(_, window)| window))
}

/// Touches these tables for the pieces of work of this transaction that begin with it. Unless a table was
/// read and is unchanged, its open window is read, with the state at the opening of its root window if
/// wanted.
pub(crate) async fn read_ahead(
    db: &mut Session,
    tables: &BTreeMap<&TableCode, FirstTouch<'_>>,
) -> Result<()> {
    let seen: Vec<&OpenTable> = tables.values().filter_map(FirstTouch::seen).collect();
    let mut ahead = Vec::new();
    if !seen.is_empty() {
        let codes = seen.iter().map(|seen| seen.table.code.clone()).collect();
        for TouchedRow { code, touched } in db.all(touching_only(db.marks(), codes)).await? {
            let seen = seen.iter().find(|seen| seen.table.code == code);
            ahead.extend(seen.and_then(|seen| seen.ahead(touched)));
        }
    }
    let is_known = |code: &TableCode| ahead.iter().any(|known: &Ahead| known.table.code == *code);
    let codes: Vec<TableCode> =
        tables.keys().filter(|code| !is_known(code)).map(|code| (*code).clone()).collect();
    if !codes.is_empty() {
        let touched: Vec<TableRow> = db.all(touching(db.marks(), codes)).await?;
        let wanted = touched.iter().filter_map(|table| {
            let (code, number) = (table.code.clone(), table.open_window?);
            let with_state = tables.get(&code).is_some_and(FirstTouch::needs_state);
            Some(WantedWindow { code, number, with_state })
        });
        let wanted: Vec<WantedWindow> = wanted.collect();
        let closing = wanted.iter().filter(|wanted| wanted.with_state);
        let closing: Vec<(TableCode, WindowNumber)> =
            closing.map(|wanted| (wanted.code.clone(), wanted.number)).collect();
        let mut declared: HashMap<TableCode, Vec<DeclarationRow>> = HashMap::new();
        if !closing.is_empty() {
            declared.extend(closing.iter().map(|(code, _)| (code.clone(), Vec::new())));
            let mut rows = db.all(declared_in(db.marks(), closing)).await?;
            rows.sort_by_key(|row| row.declaration.seat);
            for DeclaredAt { code, declaration } in rows {
                declared.entry(code).or_default().push(declaration);
            }
        }
        let mut windows: HashMap<TableCode, WholeWindow> = HashMap::new();
        if !wanted.is_empty() {
            let read = db.all(whole_windows(db.marks(), wanted)).await?;
            windows.extend(
                read.into_iter().filter_map(|WholeRow(code, window)| Some((code, window?))),
            );
        }
        ahead.extend(touched.into_iter().map(|table| {
            let (window, code) = (windows.remove(&table.code), &table.code);
            Ahead { declared: declared.remove(code), window, table }
        }));
    }
    for ahead in ahead {
        db.ahead.insert(ahead.table.code.clone(), ahead);
    }
    Ok(())
}

/// Returns a table as it was a moment ago, for an account.
pub async fn open_table(
    db: &mut Session,
    code: &TableCode,
    account: Option<&AccountId>,
) -> Result<Option<OpenTable>> {
    let wanted = [(code.to_owned(), account.cloned())];
    Ok(open_tables(db, &wanted).await?.pop().flatten())
}

/// Returns tables as they were a moment ago, each for an account, by one statement.
pub(crate) async fn open_tables(
    db: &mut Session,
    wanted: &[(TableCode, Option<AccountId>)],
) -> Result<Vec<Option<OpenTable>>> {
    let codes: BTreeSet<&TableCode> = wanted.iter().map(|(code, _)| code).collect();
    let opened: Vec<OpenRow> = db.all(opening(db.marks(), &codes)).await?;
    let code = |row: &OpenRow| row.table.table.code.clone();
    let mut opened: HashMap<TableCode, OpenRow> =
        opened.into_iter().map(|row| (code(&row), row)).collect();
    let later =
        |after: usize, code: &TableCode| wanted[after + 1..].iter().any(|(of, _)| of == code);
    let each = wanted.iter().enumerate().map(|(place, (code, account))| {
        let found =
            if later(place, code) { opened.get(code).cloned() } else { opened.remove(code) };
        found.map(|opened| opened.of(account.as_ref()))
    });
    Ok(each.collect())
}

fn opening(marks: Placeholders, codes: &BTreeSet<&TableCode>) -> RowQuery<OpenRow> {
    // Rounding the number of codes up makes the statement one of a few that are cached.
    let count = codes.len().next_power_of_two();
    let text = marks.with_json(OPEN_TABLES);
    let text = text.replace("{}", marks.values(1, count).trim_matches(['(', ')']));
    // Only numbers are put into the text.
    let question = query_as(AssertSqlSafe(text));
    let codes = codes.iter().map(|code| Some((*code).clone()));
    codes.chain(iter::repeat(None)).take(count).fold(question, RowQuery::bind)
}

fn whole_windows(marks: Placeholders, wanted: Vec<WantedWindow>) -> RowQuery<WholeRow> {
    let text = marks.with_json(WHOLE_WINDOWS).replace("{}", &marks.values(wanted.len(), 3));
    // Only numbers are put into the text.
    let mut question = query_as(AssertSqlSafe(text)).persistent(wanted.len() == 1);
    for WantedWindow { code, number, with_state } in wanted {
        question = question.bind(code).bind(number).bind(Flag(with_state));
    }
    question
}

impl Touched<'_> {
    /// Returns the open window with its related data.
    pub async fn whole_window(&mut self, with_state: bool) -> Result<Option<WholeWindow>> {
        let Some(number) = self.table.open_window else { return Ok(None) };
        self.whole_window_of(number, with_state).await
    }

    /// Returns a window with its related data.
    pub async fn whole_window_of(
        &mut self,
        number: WindowNumber,
        with_state: bool,
    ) -> Result<Option<WholeWindow>> {
        let ahead = self.ahead.take().filter(|ahead| {
            ahead.window.number == number && (ahead.state.is_some() || !with_state)
        });
        let whole = match ahead {
            Some(ahead) => Some(ahead),
            None => whole_window(self.db, &self.table.code, number, with_state).await?,
        };
        if let Some(whole) = &whole {
            self.few = Some(whole.few);
            let (is_closed, noted) = (whole.is_closed, whole.noted.clone());
            self.known = Some(KnownWindow { number, is_closed, noted });
        }
        Ok(whole)
    }
}
