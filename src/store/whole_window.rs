//! A window with everything that is always read with it, as one statement gives it.

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row, query_as};

use super::StoreError;
use super::rows::{FilingRow, Outage, SeatRow, Seats, TableRow, WindowRow};
use super::session::Session;
use super::tables::Touched;
use super::windows::no_snapshot;
use super::{LatenessRow, PresenceRow};
use crate::rules::Seat;

/// A window, who sits at its table, and how they stand in it.
#[derive(Clone, Debug)]
pub struct WholeWindow {
    /// The window.
    pub window: WindowRow,
    /// What was done about those who are missing in it.
    pub lateness: LatenessRow,
    /// What is set by now about those who are missing, as JSON: for the window that follows.
    pub absence: String,
    /// Who sits where, by seat.
    pub seats: Vec<SeatRow>,
    /// How they keep their windows.
    pub presences: Vec<PresenceRow>,
    /// Who has declared in it, and how far they are.
    pub filings: Vec<FilingRow>,
    /// For which seats something is kept in it, also what came too late.
    pub kept: Vec<Seat>,
    /// For which seats somebody else has declared in it than who sits there.
    pub by_others: Vec<Seat>,
    /// The outage in which its deadline fell, if it fell in one.
    pub outage: Option<Outage>,
    /// What few tables have.
    pub few: Few,
    state: Option<String>,
}

/// What few tables have, so that it is not asked of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is found out by itself")]
pub struct Few {
    /// Whether a vote is open.
    pub votes: bool,
    /// Whether somebody stands in for somebody, or did.
    pub substitutes: bool,
    /// Whether there may be anybody who hears of it without sitting there.
    pub onlookers: bool,
    /// Whether somebody is sought or asked to play.
    pub calls: bool,
}

/// A table, who sits there, which of the seats is an account's, and, if a window is open, that and
/// the state at the opening of its root window, as JSON.
#[derive(Clone, Debug)]
pub struct OpenTable {
    /// The table.
    pub table: TableRow,
    /// Who sits where, by seat.
    pub seats: Vec<SeatRow>,
    /// The account's.
    pub own: Option<Seat>,
    /// The open window.
    pub window: Option<(WindowRow, String)>,
}

impl WholeWindow {
    /// The state at the opening of its root window, as JSON, if it was asked for.
    pub fn state(&self, code: &str) -> Result<String, StoreError> {
        self.state.clone().ok_or_else(|| no_snapshot(code, self.window.root))
    }
}

/// A row of the statement: a seat, beside what is the same for all.
struct SeatRows {
    seat: Option<(SeatRow, PresenceRow)>,
    filing: Option<FilingRow>,
    is_kept: bool,
    is_by_others: bool,
}

impl FromRow<'_, AnyRow> for SeatRows {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let is_there = row.try_get::<Option<i64>, _>("seat")?.is_some();
        let late: Option<i64> = row.try_get("filed_late")?;
        Ok(Self {
            seat: is_there
                .then(|| {
                    Ok::<_, sqlx::Error>((SeatRow::from_row(row)?, PresenceRow::from_row(row)?))
                })
                .transpose()?,
            filing: (late == Some(0)).then(|| FilingRow::from_row(row)).transpose()?,
            is_kept: late.is_some(),
            is_by_others: row.try_get::<i64, _>("by_others")? > 0,
        })
    }
}

impl FromRow<'_, AnyRow> for WholeWindow {
    /// Of the first row: the seats come from all of them.
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let seats = |text: String| {
            Seats::try_from(text).map_err(|error| sqlx::Error::Decode(Box::new(error)))
        };
        let absence: String = row.try_get("set_absence")?;
        let lateness = match row.try_get::<Option<String>, _>("window_absence")? {
            Some(absence) => LatenessRow {
                absence,
                put_off: row.try_get("window_put_off")?,
                missed: seats(row.try_get("missed")?)?,
                late: row.try_get("late_seats")?,
                called_at: row.try_get("called_at")?,
            },
            None => LatenessRow::of(absence.clone()),
        };
        let began_at: Option<i64> = row.try_get("began_at")?;
        let ended_at: Option<i64> = row.try_get("ended_at")?;
        let outage = began_at.zip(ended_at);
        let counted = |column: &str| Ok::<_, sqlx::Error>(row.try_get::<i64, _>(column)? > 0);
        Ok(Self {
            window: WindowRow::from_row(row)?,
            lateness,
            absence,
            seats: Vec::new(),
            presences: Vec::new(),
            filings: Vec::new(),
            kept: Vec::new(),
            by_others: Vec::new(),
            outage: outage.map(|(began_at, ended_at)| Outage { began_at, ended_at }),
            few: Few {
                votes: counted("open_votes")?,
                substitutes: counted("stand_ins")?,
                onlookers: counted("onlookers")?,
                calls: counted("open_calls")?,
            },
            state: row.try_get("state")?,
        })
    }
}

/// Both of a row: what is the same for all is read of the first alone.
struct Both(Option<WholeWindow>, SeatRows);

impl FromRow<'_, AnyRow> for Both {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let is_first = row.try_get::<i64, _>("is_first")? != 0;
        let whole = is_first.then(|| WholeWindow::from_row(row)).transpose()?;
        Ok(Self(whole, SeatRows::from_row(row)?))
    }
}

impl Session {
    /// A window of a table, with everything that is always read with it; with the state at the
    /// opening of its root window where that is wanted.
    pub async fn whole_window(
        &mut self,
        code: &str,
        number: i64,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        // Joined in the order in which it is written: every row by its key.
        let question = query_as(
            "select windows.number, root, said, asked, opens_at, closes_at, settles_at, reminded_at,
                 follows, again,
                 case when seats.seat is null or seats.seat = firsts.first then 1 else 0 end
                     as is_first,
                 seats.seat, seats.person, house, name, value, seats.address, people.language,
                 coalesce(misses, 0) as misses, coalesce(attendance.put_off, 0) as put_off,
                 inactive_at, away.from_at as away_from, away.until_at as away_until,
                 substitutes.until_at as stood_in_until,
                 sealed, complete, declarations.late as filed_late,
                 (select count(*) from reputation
                     where reputation.code = seats.code and reputation.number = windows.number
                         and reputation.seat = seats.seat and at is null
                         and reputation.person <> coalesce(seats.person, '')) as by_others,
                 tables.absence as set_absence, lateness.absence as window_absence,
                 lateness.put_off as window_put_off, missed, lateness.late as late_seats, called_at,
                 state, outages.began_at, outages.ended_at,
                 (select count(*) from votes where votes.code = $1 and ended is null) as open_votes,
                 (select count(*) from substitutes stands where stands.code = $1) as stand_ins,
                 (select count(*) from former_seats where former_seats.code = $1)
                     + (select count(*) from game_masters where game_masters.code = $1)
                     as onlookers,
                 (select count(*) from calls where calls.code = $1) as open_calls
             from windows
             join tables on tables.code = windows.code
             join (select min(seat) as first from seats where code = $1) firsts on 1 = 1
             left join seats on seats.code = windows.code
             left join people on people.person = seats.person
             left join attendance on attendance.code = seats.code and attendance.seat = seats.seat
                 and attendance.person = seats.person
             left join away on away.person = seats.person
             left join substitutes
                 on substitutes.code = seats.code and substitutes.seat = seats.seat
                 and substitutes.player = seats.person
             left join declarations
                 on declarations.code = windows.code and declarations.number = windows.number
                 and declarations.seat = seats.seat
             left join lateness
                 on lateness.code = windows.code and lateness.number = windows.number
             left join snapshots
                 on snapshots.code = windows.code and snapshots.number = windows.root
                 and $3 = 1 and seats.seat = firsts.first
             left join outages on outages.began_at =
                 (select min(fell.began_at) from outages fell
                     where fell.began_at <= closes_at and closes_at < fell.ended_at)
             where windows.code = $1 and windows.number = $2
             order by seats.seat",
        );
        let question = question.bind(code.to_owned()).bind(number).bind(i64::from(with_state));
        let rows: Vec<Both> = self.all(question).await?;
        let mut found: Option<WholeWindow> = None;
        for Both(whole, of_seat) in rows {
            if found.is_none() {
                found = whole;
            }
            if let Some(found) = &mut found {
                found.add(of_seat);
            }
        }
        Ok(found)
    }

    /// A table as it was a moment ago, for an account.
    pub async fn open_table(
        &mut self,
        code: &str,
        account: &str,
    ) -> Result<Option<OpenTable>, StoreError> {
        let question = query_as(
            "select tables.code, game, edition, data, options, tables.language as language, pace,
                 chairs, host, stage, held, seed, commitment, open_window, look_at, entries, chain,
                 dice, formed_at, place, count_only, tables.windows, held_at, oversight, files,
                 windows.number, root, said, asked, opens_at, closes_at, settles_at, reminded_at,
                 follows, again, state,
                 seats.seat, seats.person, house, name, value, seats.address,
                 people.language as spoken,
                 case when account = $2 then 1 else 0 end as own
             from tables
             left join seats on seats.code = tables.code
             left join people on people.person = seats.person
             left join windows on windows.code = tables.code and windows.number = open_window
             left join snapshots on snapshots.code = tables.code and snapshots.number = root
                 and seats.seat = (select min(seat) from seats where code = $1)
             where tables.code = $1 order by seats.seat",
        );
        let question = question.bind(code.to_owned()).bind(account.to_owned());
        let rows: Vec<OpenRow> = self.all(question).await?;
        let mut rows = rows.into_iter();
        let Some(first) = rows.next() else { return Ok(None) };
        let window = match (first.window, first.state) {
            (Some(window), Some(state)) => Some((window, state)),
            (Some(window), None) => return Err(no_snapshot(code, window.root)),
            (None, _) => None,
        };
        let mut open = OpenTable { table: first.table, seats: Vec::new(), own: None, window };
        for (row, is_own) in first.seat.into_iter().chain(rows.filter_map(|row| row.seat)) {
            open.own = open.own.or(is_own.then_some(row.seat));
            open.seats.push(row);
        }
        Ok(Some(open))
    }
}

impl WholeWindow {
    fn add(&mut self, row: SeatRows) {
        let Some((seat, presence)) = row.seat else { return };
        if row.is_kept {
            self.kept.push(seat.seat);
        }
        if row.is_by_others {
            self.by_others.push(seat.seat);
        }
        self.filings.extend(row.filing);
        self.presences.push(presence);
        self.seats.push(seat);
    }
}

/// A row of a table: a seat, beside what is the same for all.
struct OpenRow {
    table: TableRow,
    window: Option<WindowRow>,
    state: Option<String>,
    seat: Option<(SeatRow, bool)>,
}

impl FromRow<'_, AnyRow> for OpenRow {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let is_open = row.try_get::<Option<i64>, _>("number")?.is_some();
        let is_there = row.try_get::<Option<i64>, _>("seat")?.is_some();
        let seat = || {
            let language = row.try_get("spoken")?;
            let seat = SeatRow { language, ..SeatRow::from_row(row)? };
            Ok::<_, sqlx::Error>((seat, row.try_get::<i64, _>("own")? != 0))
        };
        Ok(Self {
            table: TableRow::from_row(row)?,
            window: is_open.then(|| WindowRow::from_row(row)).transpose()?,
            state: row.try_get("state")?,
            seat: is_there.then(seat).transpose()?,
        })
    }
}

impl Touched<'_> {
    /// The open window, with everything that is always read with it.
    pub async fn whole_window(
        &mut self,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        if self.table.open_window < 0 {
            return Ok(None);
        }
        let number = self.table.open_window;
        self.whole_window_of(number, with_state).await
    }

    /// A window, with everything that is always read with it.
    pub async fn whole_window_of(
        &mut self,
        number: i64,
        with_state: bool,
    ) -> Result<Option<WholeWindow>, StoreError> {
        let whole = self.session.whole_window(&self.table.code, number, with_state).await?;
        if let Some(whole) = &whole {
            self.few = Some(whole.few);
        }
        Ok(whole)
    }
}
