//! A window with everything that is always read with it, as one statement gives it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow, Row, query_as};

use crate::ids::WindowNumber;
use crate::rules::Seat;
use crate::store::database::error::StoreError;
use crate::store::database::session::Session;
use crate::store::database::statement::{Marks, RowQuery};
use crate::store::database::unsaved::About;
use crate::store::database::writer::FirstTouch;
use crate::store::rows::columns::{Count, Flag};
use crate::store::rows::table::{SeatRow, TableRow};
use crate::store::rows::window::{
    Ahead, DeclaredRow, Few, FilingRow, LatenessRow, OpenTable, OutageRow, PresenceRow,
    WholeWindow, WindowRow,
};
use crate::store::table::tables::{
    KnownWindow, Touched, TouchedRow, columns_of_a_table, touching, touching_only,
};
use crate::store::table::windows::{declared_in, no_snapshot};
use crate::time::Time;

impl WholeWindow {
    /// Takes the state at the opening of its root window out of it, as JSON, if it was asked for.
    pub fn take_state(&mut self, code: &str) -> Result<String, StoreError> {
        self.state.take().ok_or_else(|| no_snapshot(code, self.window.root))
    }
}

/// Which window is asked for.
struct Wanted {
    code: String,
    number: WindowNumber,
    with_state: bool,
}

/// A row of the statement, and the code of the table that it is about.
struct WholeRow(String, Whole);

enum Whole {
    Window(Box<WholeWindow>),
    NoWindow,
    Seat(Box<SeatInWindow>),
}

/// The same, of a table with its open window.
struct OpenRow(String, Open);

enum Open {
    /// How often it was touched, and its window.
    Table(Box<TableRow>, u64, Option<Box<WholeWindow>>),
    /// And the account of who sits there.
    Seat(Box<SeatInWindow>, Option<String>),
}

/// A table with its open window, and the accounts of those who sit there.
#[derive(Clone)]
struct Opened {
    table: OpenTable,
    accounts: Vec<(Seat, String)>,
}

/// A seat, and how it stands in a window.
struct SeatInWindow {
    seat: SeatRow,
    presence: PresenceRow,
    filing: Option<FilingRow>,
    is_kept: bool,
    is_by_others: bool,
    is_noted: bool,
}

impl FromRow<'_, AnyRow> for WholeRow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let what = if row.try_get::<Option<Seat>, _>("seat")?.is_some() {
            Whole::Seat(Box::new(SeatInWindow::from_row(row)?))
        } else if row.try_get::<Option<WindowNumber>, _>("number")?.is_some() {
            Whole::Window(Box::new(WholeWindow::from_row(row)?))
        } else {
            Whole::NoWindow
        };
        Ok(Self(row.try_get("whose")?, what))
    }
}

impl FromRow<'_, AnyRow> for OpenRow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let what = if row.try_get::<Option<Seat>, _>("seat")?.is_some() {
            Open::Seat(Box::new(SeatInWindow::from_row(row)?), row.try_get("account")?)
        } else {
            let is_open = row.try_get::<Option<WindowNumber>, _>("number")?.is_some();
            let window = is_open.then(|| WholeWindow::from_row(row).map(Box::new)).transpose()?;
            let touched = row.try_get::<Count<u64>, _>("touched")?.into();
            Open::Table(Box::new(TableRow::from_row(row)?), touched, window)
        };
        Ok(Self(row.try_get("whose")?, what))
    }
}

impl FromRow<'_, AnyRow> for SeatInWindow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let late: Option<Flag> = row.try_get("filed_late")?;
        Ok(Self {
            seat: SeatRow {
                seat: row.try_get("seat")?,
                person: row.try_get("person")?,
                house: row.try_get("house")?,
                name: row.try_get("name")?,
                value: row.try_get("value")?,
                address: row.try_get("address")?,
                language: row.try_get("spoken")?,
            },
            presence: PresenceRow::from_row(row)?,
            filing: (late == Some(Flag(false))).then(|| FilingRow::from_row(row)).transpose()?,
            is_kept: late.is_some(),
            is_by_others: row.try_get::<Flag, _>("by_others")?.0,
            is_noted: row.try_get::<Flag, _>("noted")?.0,
        })
    }
}

impl FromRow<'_, AnyRow> for WholeWindow {
    /// Without the seats, which come in rows of their own.
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let absence: String = row.try_get("set_absence")?;
        let lateness = match row.try_get::<Option<String>, _>("window_absence")? {
            Some(absence) => LatenessRow {
                absence,
                put_off: row.try_get::<Count<u32>, _>("window_put_off")?.into(),
                missed: row.try_get("missed")?,
                late: row.try_get("late_seats")?,
                called_at: row.try_get("called_at")?,
            },
            None => LatenessRow::of(absence.clone()),
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
            filings: Vec::new(),
            kept: Vec::new(),
            by_others: Vec::new(),
            noted: Vec::new(),
            is_closed: row.try_get::<Option<Time>, _>("closed_at")?.is_some(),
            outage: outage.map(|(began_at, ended_at)| OutageRow { began_at, ended_at }),
            few: Few {
                votes: counted("open_votes")?,
                substitutes: counted("stand_ins")?,
                onlookers: counted("onlookers")?,
                calls: counted("open_calls")?,
                orders: counted("left_orders")?,
                next_declarations: counted("declared_next")?,
            },
            state: row.try_get("state")?,
        })
    }
}

/// A statement that gives windows, and what else of their tables and seats: a row of each window, and
/// one of each seat, so that what is wide is read once. It is joined in the order in which it is
/// written, by keys.
macro_rules! windows_of {
    ($wanted:literal, $more:expr) => {
        concat!(
            "with wanted (code, number, with_state) as (",
            $wanted,
            "),
         places (code, number, with_state, seat) as (
             select code, number, with_state, -1 from wanted
             union all
             select seats.code, number, with_state, seat
             from wanted join seats on seats.code = wanted.code)
     select ",
            $more,
            "places.code as whose, windows.number, root, windows.kind, said, asked, opens_at, closes_at,
         settles_at, reminded_at, closed_at, follows, again, tables.absence as set_absence,
         lateness.absence as window_absence, lateness.put_off as window_put_off, missed,
         lateness.late as late_seats, called_at, state, outages.began_at, outages.ended_at,
         case when windows.number is not null then
             (select count(*) from votes where votes.code = places.code and ended is null)
         end as open_votes,
         case when windows.number is not null then
             (select count(*) from substitutes stands where stands.code = places.code)
         end as stand_ins,
         case when windows.number is not null then
             (select count(*) from former_seats where former_seats.code = places.code)
             + (select count(*) from game_masters where game_masters.code = places.code)
         end as onlookers,
         case when windows.number is not null then
             (select count(*) from calls where calls.code = places.code)
         end as open_calls,
         case when windows.number is not null then
             (select count(*) from orders where orders.code = places.code)
         end as left_orders,
         case when windows.number is not null then
             (select count(*) from next_declarations
                 where next_declarations.code = places.code)
         end as declared_next,
         seats.seat, seats.person, house, name, value, seats.address,
         people.language as spoken,
         coalesce(misses, 0) as misses, coalesce(attendance.put_off, 0) as put_off,
         inactive_at, away.from_at as away_from, away.until_at as away_until,
         substitutes.until_at as stood_in_until,
         sealed, complete, declarations.late as filed_late,
         (select count(*) from reputation
             where reputation.code = seats.code and reputation.number = places.number
                 and reputation.seat = seats.seat and at is null
                 and reputation.person <> coalesce(seats.person, '')) as by_others,
         (select count(*) from reputation
             where reputation.code = seats.code and reputation.number = places.number
                 and reputation.seat = seats.seat and at is null) as noted
     from places
     left join windows on windows.code = places.code and windows.number = places.number
         and places.seat = -1
     left join tables on tables.code = places.code and places.seat = -1
     left join lateness on lateness.code = windows.code and lateness.number = windows.number
     left join snapshots on with_state = 1
         and snapshots.code = windows.code and snapshots.number = windows.root
     left join outages on outages.began_at =
         (select min(fell.began_at) from outages fell
             where fell.began_at <= closes_at and closes_at < fell.ended_at)
     left join seats on seats.code = places.code and seats.seat = places.seat
     left join people on people.person = seats.person
     left join attendance on attendance.code = seats.code and attendance.seat = seats.seat
         and attendance.person = seats.person
     left join away on away.person = seats.person
     left join substitutes on substitutes.code = seats.code and substitutes.seat = seats.seat
         and substitutes.player = seats.person
     left join declarations on declarations.code = seats.code
         and declarations.number = places.number and declarations.seat = seats.seat"
        )
    };
}

/// The statement that gives windows, in which `{}` stands for which.
const WHOLE_WINDOWS: &str = windows_of!("values {}", "");

/// The statement that gives tables with their open windows, in which `{}` stands for which.
const OPEN_TABLES: &str = windows_of!(
    "select code, open_window, 1 from tables where code in ({})",
    concat!(columns_of_a_table!(), ", touched, account, ")
);

/// Puts the windows together of which these rows are, by the codes of their tables.
fn put_together(rows: Vec<WholeRow>) -> HashMap<String, WholeWindow> {
    let (mut windows, mut seats) = (HashMap::new(), Vec::new());
    for WholeRow(code, row) in rows {
        match row {
            Whole::Window(window) => drop(windows.insert(code, *window)),
            Whole::NoWindow => {}
            Whole::Seat(seat) => seats.push((code, *seat)),
        }
    }
    // No statement orders rows as wide as those of windows.
    seats.sort_by_key(|(_, row)| row.seat.seat);
    for (code, seat) in seats {
        if let Some(window) = windows.get_mut(&code) {
            window.add(seat);
        }
    }
    windows
}

/// Puts the tables together of which these rows are, by their codes.
fn put_tables_together(rows: Vec<OpenRow>) -> HashMap<String, Opened> {
    let (mut tables, mut seats) = (HashMap::new(), Vec::new());
    for OpenRow(code, row) in rows {
        match row {
            Open::Table(table, touched, window) => {
                let (table, window) = (*table, window.map(|window| *window));
                let table = OpenTable { table, touched, seats: Vec::new(), own: None, window };
                tables.insert(code, Opened { table, accounts: Vec::new() });
            }
            Open::Seat(seat, account) => seats.push((code, *seat, account)),
        }
    }
    seats.sort_by_key(|(_, row, _)| row.seat.seat);
    for (code, row, account) in seats {
        if let Some(opened) = tables.get_mut(&code) {
            opened.add(row, account);
        }
    }
    tables
}

impl Opened {
    fn add(&mut self, row: SeatInWindow, account: Option<String>) {
        self.accounts.extend(account.map(|account| (row.seat.seat, account)));
        self.table.seats.push(row.seat.clone());
        if let Some(window) = &mut self.table.window {
            window.add(row);
        }
    }

    /// The table for this account.
    fn of(self, account: &str) -> OpenTable {
        let own = self.accounts.iter().find(|(_, of)| of == account).map(|(seat, _)| *seat);
        OpenTable { own, ..self.table }
    }
}

impl Session {
    /// A window of a table, with everything that is always read with it; with the state at the
    /// opening of its root window where that is wanted.
    pub async fn whole_window(
        &mut self,
        code: &str,
        number: WindowNumber,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        let wanted = vec![Wanted { code: code.to_owned(), number, with_state }];
        let rows = self.all_about(code, About::Table, whole_windows(self.marks(), wanted)).await?;
        Ok(put_together(rows).remove(code))
    }

    /// Touches these tables for the pieces of work of this transaction that begin with that. Of those
    /// of which more is to be known than they have seen, the open windows are read; with the states
    /// at the openings of their root windows where that is wanted.
    pub(in crate::store) async fn read_ahead(
        &mut self,
        tables: &BTreeMap<&str, FirstTouch<'_>>,
    ) -> Result<(), StoreError> {
        let seen: Vec<&OpenTable> = tables.values().filter_map(FirstTouch::seen).collect();
        let mut ahead = Vec::new();
        if !seen.is_empty() {
            let codes = seen.iter().map(|seen| seen.table.code.clone()).collect();
            for TouchedRow { code, touched } in self.all(touching_only(self.marks(), codes)).await?
            {
                let seen = seen.iter().find(|seen| seen.table.code == code);
                ahead.extend(seen.and_then(|seen| seen.ahead(touched)));
            }
        }
        let is_known = |code: &str| ahead.iter().any(|known: &Ahead| known.table.code == code);
        let codes: Vec<String> =
            tables.keys().filter(|code| !is_known(code)).map(|code| (*code).to_owned()).collect();
        if !codes.is_empty() {
            let touched: Vec<TableRow> = self.all(touching(self.marks(), codes)).await?;
            let wanted = touched.iter().filter_map(|table| {
                let (code, number) = (table.code.clone(), table.open_window?);
                let with_state = tables.get(&*code).is_some_and(FirstTouch::needs_state);
                Some(Wanted { code, number, with_state })
            });
            let wanted: Vec<Wanted> = wanted.collect();
            let closing = wanted.iter().filter(|wanted| wanted.with_state);
            let closing: Vec<(String, WindowNumber)> =
                closing.map(|wanted| (wanted.code.clone(), wanted.number)).collect();
            let mut declared: HashMap<String, Vec<DeclaredRow>> = HashMap::new();
            if !closing.is_empty() {
                declared.extend(closing.iter().map(|(code, _)| (code.clone(), Vec::new())));
                let mut rows = self.all(declared_in(self.marks(), closing)).await?;
                rows.sort_by_key(|row| row.seat);
                for row in rows {
                    declared.entry(row.code.clone()).or_default().push(row);
                }
            }
            let mut windows = match wanted.len() {
                0 => HashMap::new(),
                _ => put_together(self.all(whole_windows(self.marks(), wanted)).await?),
            };
            ahead.extend(touched.into_iter().map(|table| {
                let (window, code) = (windows.remove(&table.code), &table.code);
                Ahead { declared: declared.remove(code), window, table }
            }));
        }
        for ahead in ahead {
            self.keep_ahead(ahead);
        }
        Ok(())
    }

    /// A table as it was a moment ago, for an account.
    pub async fn open_table(
        &mut self,
        code: &str,
        account: &str,
    ) -> Result<Option<OpenTable>, StoreError> {
        let wanted = [(code.to_owned(), account.to_owned())];
        Ok(self.open_tables(&wanted).await?.pop().flatten())
    }

    /// Tables as they were a moment ago, each for an account; one statement gives them all.
    pub(in crate::store) async fn open_tables(
        &mut self,
        wanted: &[(String, String)],
    ) -> Result<Vec<Option<OpenTable>>, StoreError> {
        let codes: BTreeSet<&str> = wanted.iter().map(|(code, _)| &**code).collect();
        let mut opened = put_tables_together(self.all(open_tables(self.marks(), &codes)).await?);
        let later = |after: usize, code: &str| wanted[after + 1..].iter().any(|(of, _)| of == code);
        let each = wanted.iter().enumerate().map(|(place, (code, account))| {
            let found =
                if later(place, code) { opened.get(code).cloned() } else { opened.remove(code) };
            found.map(|opened| opened.of(account))
        });
        Ok(each.collect())
    }
}

fn open_tables(marks: Marks, codes: &BTreeSet<&str>) -> RowQuery<OpenRow> {
    // A statement for every number of codes would be made ready anew each time.
    let count = codes.len().next_power_of_two();
    let text = OPEN_TABLES.replace("{}", marks.values(1, count).trim_matches(['(', ')']));
    // Nothing but numbers was put into it.
    let question = query_as(AssertSqlSafe(text));
    let codes = codes.iter().map(|code| Some((*code).to_owned()));
    codes.chain(iter::repeat(None)).take(count).fold(question, RowQuery::bind)
}

fn whole_windows(marks: Marks, wanted: Vec<Wanted>) -> RowQuery<WholeRow> {
    let text = WHOLE_WINDOWS.replace("{}", &marks.values(wanted.len(), 3));
    // Nothing but numbers was put into it.
    let mut question = query_as(AssertSqlSafe(text)).persistent(wanted.len() == 1);
    for Wanted { code, number, with_state } in wanted {
        question = question.bind(code).bind(number).bind(Flag(with_state));
    }
    question
}

impl WholeWindow {
    fn add(&mut self, row: SeatInWindow) {
        let SeatInWindow { seat, presence, filing, is_kept, is_by_others, is_noted } = row;
        self.kept.extend(is_kept.then_some(seat.seat));
        self.by_others.extend(is_by_others.then_some(seat.seat));
        self.noted.extend(is_noted.then_some(seat.seat));
        self.filings.extend(filing);
        self.presences.push(presence);
        self.seats.push(seat);
    }
}

impl Touched<'_> {
    /// The open window, with everything that is always read with it.
    pub async fn whole_window(
        &mut self,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        let Some(number) = self.table.open_window else { return Ok(None) };
        self.whole_window_of(number, with_state).await
    }

    /// A window, with everything that is always read with it.
    pub async fn whole_window_of(
        &mut self,
        number: WindowNumber,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        let ahead = self.ahead.take().filter(|ahead| {
            ahead.window.number == number && (ahead.state.is_some() || !with_state)
        });
        let whole = match ahead {
            Some(ahead) => Some(ahead),
            None => self.session.whole_window(&self.table.code, number, with_state).await?,
        };
        if let Some(whole) = &whole {
            self.few = Some(whole.few);
            let (is_closed, noted) = (whole.is_closed, whole.noted.clone());
            self.known = Some(KnownWindow { number, is_closed, noted });
        }
        Ok(whole)
    }
}
