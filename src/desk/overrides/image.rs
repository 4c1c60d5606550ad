//! The rows of a table that an override has changed, for its undo.
//!
//! Closed windows and states never change; so these are the rows of the table, of the open window and its
//! declarations, of the seats and their attendance, and of the offered seats.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::desk::NotDone;
use crate::record::seating::reseat;
use letters::Refused;
use rules::Seat;
use store::{Cell, Row, SeatRow, StoreError, Touched, absences, transfer};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{HoldReason, Stage};

/// A kind of rows that an override can change.
struct Kind {
    /// The name of the database table.
    of: &'static str,
    /// The columns that tell the rows of one table from each other.
    key: &'static [&'static str],
    /// True if only the rows of the open window can change.
    is_of_window: bool,
    /// The columns that are restored; empty for whole rows.
    columns: &'static [&'static str],
}

impl Kind {
    const fn rows(of: &'static str, key: &'static [&'static str]) -> Self {
        Self { of, key, is_of_window: false, columns: &[] }
    }
}

const TABLES: &str = "tables";
const WINDOWS: &str = "windows";
const DECLARATIONS: &str = "declarations";
const SEATS: &str = "seats";
const ATTENDANCE: Kind = Kind::rows("attendance", &["seat"]);

const OF_TABLE: &[&str] = &[
    "stage",
    "open_window",
    "look_at",
    "held",
    "held_at",
    "settings",
    "paused",
    "pace",
    "next_pace",
    "absence",
];
const OF_WINDOW: &[&str] =
    &["said", "opens_at", "closes_at", "settles_at", "reminded_at", "extended"];

/// All kinds, in the order in which they are restored.
const KINDS: [Kind; 7] = [
    Kind { is_of_window: true, ..Kind::rows(DECLARATIONS, &["number", "seat"]) },
    Kind { columns: OF_TABLE, ..Kind::rows(TABLES, &[]) },
    Kind { is_of_window: true, columns: OF_WINDOW, ..Kind::rows(WINDOWS, &["number"]) },
    Kind::rows(SEATS, &["seat"]),
    ATTENDANCE,
    Kind::rows("calls", &["number"]),
    Kind::rows("sent_away", &["person"]),
];

/// The rows of a table, by their kind.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rows(BTreeMap<String, Vec<Row>>);

impl Rows {
    /// Returns the rows that an override can change while this window is open.
    pub(crate) async fn of(
        touched: &mut Touched<'_>,
        open: Option<WindowNumber>,
    ) -> Result<Self, StoreError> {
        let code = touched.table.code.clone();
        let open = open.map(|open| Cell::Number(open.get().into()));
        let mut all = BTreeMap::new();
        for Kind { of, is_of_window, columns, .. } in KINDS {
            let mut rows = transfer::rows_of(touched.session(), of, "code", &code).await?;
            rows.retain(|row| !is_of_window || row.0.get("number") == open.as_ref());
            if !columns.is_empty() {
                let is_kept = |column: &str| column == "number" || columns.contains(&column);
                for row in &mut rows {
                    row.0.retain(|column, _| is_kept(column));
                }
            }
            all.insert(of.to_owned(), rows);
        }
        Ok(Self(all))
    }

    /// Returns the rows that do not stand among others.
    fn without(&self, others: &Self) -> Self {
        let only = |(of, rows): (&String, &Vec<Row>)| {
            let rows = rows.iter().filter(|row| !others.kind(of).contains(row));
            (of.clone(), rows.cloned().collect())
        };
        Self(self.0.iter().map(only).filter(|(_, rows): &(_, Vec<_>)| !rows.is_empty()).collect())
    }

    fn kind(&self, of: &str) -> &[Row] {
        self.0.get(of).map_or(&[], Vec::as_slice)
    }

    /// Returns a value of the first row of a kind.
    fn cell(&self, of: &str, column: &str) -> Option<&Cell> {
        self.kind(of).first()?.0.get(column)
    }

    fn held(&self) -> Option<HoldReason> {
        self.cell(TABLES, "held").and_then(Cell::text).map(|held| held.to_owned().into())
    }
}

/// The rows that differ before and after an override.
#[derive(Serialize, Deserialize)]
pub(crate) struct ChangedRows {
    before: Rows,
    after: Rows,
}

impl ChangedRows {
    pub(crate) fn between(before: &Rows, after: &Rows) -> Self {
        Self { before: before.without(after), after: after.without(before) }
    }

    /// True if another window was open before.
    pub(crate) fn reopens(&self) -> bool {
        self.before.cell(TABLES, "open_window") != self.after.cell(TABLES, "open_window")
    }

    /// True if the override has put a result under review.
    pub(crate) fn held_back(&self) -> bool {
        let is_held = |rows: &Rows| rows.held() == Some(HoldReason::Review);
        !is_held(&self.before) && is_held(&self.after) && !self.reopens()
    }

    /// Returns the reason of the pause or lock that the override began; `None` if it began none.
    pub(crate) fn held(&self) -> Option<HoldReason> {
        let held = self.after.held().filter(|_| self.before.held().is_none());
        held.filter(HoldReason::outlasts_window)
    }

    /// Returns the former opening time of the open window; `None` if its row is unchanged.
    pub(crate) fn opens(&self) -> Option<Time> {
        let opens = self.before.cell(WINDOWS, "opens_at").and_then(Cell::number);
        opens.map(Time::from_milliseconds)
    }

    /// Restores the table as before the override. Declarations made since then stay.
    pub(crate) async fn restore(
        &self,
        touched: &mut Touched<'_>,
        now: Time,
    ) -> Result<(), NotDone> {
        for kind in &KINDS {
            match kind.of {
                TABLES => self.restore_table(touched, OF_TABLE).await?,
                WINDOWS => {
                    for row in self.before.kind(WINDOWS) {
                        touched.change_row(WINDOWS, kind.key, kind.columns, row).await?;
                    }
                }
                SEATS => {
                    for row in self.before.kind(SEATS) {
                        seat_again(touched, row, now).await?;
                    }
                }
                _ => self.restore_rows(touched, kind).await?,
            }
        }
        Ok(())
    }

    /// Restores the pace, the treatment of missing players, and the attendance of the seats.
    pub(crate) async fn restore_settings(
        &self,
        touched: &mut Touched<'_>,
    ) -> Result<(), StoreError> {
        self.restore_rows(touched, &ATTENDANCE).await?;
        self.restore_table(touched, &["pace", "next_pace", "absence"]).await
    }

    /// Restores the hold of the table, if there was one.
    pub(crate) async fn hold_again(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        if self.before.held().is_none() {
            return Ok(());
        }
        self.restore_table(touched, &["held", "held_at", "look_at"]).await
    }

    async fn restore_table(
        &self,
        touched: &mut Touched<'_>,
        columns: &[&str],
    ) -> Result<(), StoreError> {
        for row in self.before.kind(TABLES) {
            touched.change_row(TABLES, &[], columns, row).await?;
        }
        touched.read_again().await
    }

    /// Restores the rows of a kind, except those that have changed since.
    async fn restore_rows(
        &self,
        touched: &mut Touched<'_>,
        &Kind { of, key, .. }: &Kind,
    ) -> Result<(), StoreError> {
        let (before, after) = (self.before.kind(of), self.after.kind(of));
        let code = touched.table.code.clone();
        let mut now = transfer::rows_of(touched.session(), of, "code", &code).await?;
        for row in after {
            let Some(place) = now.iter().position(|other| other == row) else { continue };
            now.swap_remove(place);
            if of == DECLARATIONS
                && let Some(seat) = seat(row)
            {
                absences::drop_declared(touched, seat).await?;
            }
            touched.drop_row(of, key, row).await?;
        }
        let is_at =
            |row: &Row, other: &Row| key.iter().all(|key| row.0.get(*key) == other.0.get(*key));
        for row in before.iter().filter(|row| !now.iter().any(|other| is_at(row, other))) {
            transfer::put_row(touched.session(), of, row).await?;
        }
        Ok(())
    }
}

fn seat(row: &Row) -> Option<Seat> {
    row.0.get("seat").and_then(Cell::number)?.try_into().ok()
}

/// Seats the player of a stored row. A player dismissed before the game began has to sit down again
/// themselves.
async fn seat_again(touched: &mut Touched<'_>, row: &Row, now: Time) -> Result<(), NotDone> {
    let sits = touched.seats().await?.into_iter().find(|sits| Some(sits.seat) == seat(row));
    let Some(sits) = sits else {
        let is_forming = touched.table.stage == Stage::Forming;
        return if is_forming { Ok(()) } else { Err(Refused::NoSeat.into()) };
    };
    let text = |column| row.0.get(column).and_then(Cell::text);
    let row = SeatRow {
        person: text("person").map(Into::into),
        house: text("house").map(ToOwned::to_owned),
        name: text("name").unwrap_or_default().to_owned(),
        salt: text("salt").map(ToOwned::to_owned),
        address: text("address").map(Into::into),
        ..sits
    };
    Ok(reseat(touched, &row, now).await?)
}
