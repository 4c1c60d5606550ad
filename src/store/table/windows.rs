//! Windows, their declarations, and the states at their openings.

use sqlx::{AssertSqlSafe, FromRow, query_as};

use crate::batch::unsaved::{About, ClosedRow};
use crate::database::{Result, Session, StoreError};
use crate::rows::{
    ClosedTimes, DeclarationProgressRow, DeclarationRow, Flag, OrBeforeFirst, Placeholders,
    RowQuery, Seats, WindowRow, logged_by,
};
use crate::table::absences;
use crate::table::tables::Touched;
use rules::receipt::Receipt;
use rules::{Declaration, Seat};
use tables::{CloseReason, TableCode, Time, Timing, WindowNumber};

logged_by!(StoredSealing: receipt);

/// A stored sealing.
#[derive(Clone)]
pub struct StoredSealing {
    /// True if no question is left open.
    pub complete: bool,
    /// The salt, a secret until the end.
    pub salt: [u8; 32],
    /// The salted hash.
    pub receipt: Receipt,
}

/// A window just closed in this transaction: the only access to its sealed declarations.
#[derive(Debug)]
pub struct ClosedWindow<'t, 's> {
    tx: &'t mut Touched<'s>,
    number: WindowNumber,
}

/// A declaration at one of several tables.
#[derive(FromRow)]
pub(crate) struct DeclaredAt {
    pub(crate) code: TableCode,
    #[sqlx(flatten)]
    pub(crate) declaration: DeclarationRow,
}

/// A declaration in one of the windows of a table, in time or late.
#[derive(FromRow)]
struct DeclaredIn {
    number: WindowNumber,
    late: Flag,
    #[sqlx(flatten)]
    declaration: DeclarationRow,
}

/// Returns a window, `None` for no number.
pub async fn window(
    db: &mut Session,
    code: &TableCode,
    number: impl Into<Option<WindowNumber>>,
) -> Result<Option<WindowRow>> {
    let Some(number) = number.into() else { return Ok(None) };
    let text =
        "select number, root, kind, said, asked, opens_at, closes_at, settles_at, reminded_at,
             follows, again
         from windows where code = $1 and number = $2";
    db.row(text, (code, number)).await
}

/// Returns a window and those whose sealings count in it, the newest first. A reference to the same or a
/// later window in the database is ignored.
pub async fn again(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Vec<WindowNumber>> {
    let (mut again, mut next) = (Vec::new(), Some(number));
    while let Some(number) = next {
        again.push(number);
        let window = window(db, code, number).await?;
        next = window.and_then(|window| window.again).filter(|again| *again < number);
    }
    Ok(again)
}

/// Returns the time and the reason of a window's close, `None` if it is open.
pub async fn closed(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Option<(Time, CloseReason)>> {
    let text = "select closed_at, why from windows
         where code = $1 and number = $2 and closed_at is not null";
    db.row(text, (code, number)).await
}

/// Returns the close of each closed window of a table, with the seats it had waited for.
pub async fn all_closed(db: &mut Session, code: &TableCode) -> Result<Vec<ClosedTimes>> {
    let text = "select number, closed_at, why, coalesce(awaited, '') as awaited from windows
         where code = $1 and closed_at is not null order by number";
    db.rows(text, (code,)).await
}

/// Returns the state at the opening of a root window, as JSON.
pub async fn state(db: &mut Session, code: &TableCode, root: WindowNumber) -> Result<String> {
    let text = "select state from snapshots where code = $1 and number = $2";
    db.value(text, (code, root)).await?.ok_or_else(|| no_snapshot(code, root))
}

/// Returns the stored hash of a root window's opening state in hex digits, `None` for other windows.
pub async fn opening_hash(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Option<String>> {
    let text = "select hash from snapshots where code = $1 and number = $2";
    db.value(text, (code, number)).await
}

/// Returns the progress of the declarations in a window, without their content.
pub async fn declaration_progress(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Vec<DeclarationProgressRow>> {
    let text = "select seat, sealed, complete from declarations
         where code = $1 and number = $2 and late = 0";
    db.rows(text, (code, number)).await
}

/// Returns the declaration of a seat in a window, which may be open: for nobody but its player.
pub async fn own_declaration(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
) -> Result<Option<DeclarationRow>> {
    let text = "select seat, answers, sealed, complete, salt, hash from declarations
         where code = $1 and number = $2 and seat = $3";
    db.row(text, (code, number, seat)).await
}

/// Returns the seat's last sealed declaration in a root window before this one.
pub async fn declaration_before(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
) -> Result<Option<Declaration>> {
    let text = "select answers from declarations
         join windows on windows.code = declarations.code
             and windows.number = declarations.number
         where declarations.code = $1 and declarations.number < $2 and declarations.seat = $3
             and declarations.sealed = 1 and late = 0 and root = windows.number
         order by declarations.number desc limit 1";
    db.value(text, (code, number, seat)).await
}

/// Returns the declarations of a closed window, empty for an open one.
pub async fn declared(
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
) -> Result<Vec<DeclarationRow>> {
    let text = "select seat, answers, sealed, complete, salt, hash from declarations
         join windows on windows.code = declarations.code
             and windows.number = declarations.number
         where declarations.code = $1 and declarations.number = $2 and late = 0
             and closed_at is not null
         order by seat";
    db.rows(text, (code, number)).await
}

/// Returns all declarations at a table, also in open windows, each with the number of its window, and
/// true if it was late: to check them against their receipts, and for nobody to see.
pub async fn all_declared(
    db: &mut Session,
    code: &TableCode,
) -> Result<Vec<(WindowNumber, bool, DeclarationRow)>> {
    let text = "select number, late, seat, answers, sealed, complete, salt, hash from declarations
         where code = $1 order by number, seat";
    let rows = db.rows::<DeclaredIn>(text, (code,)).await?;
    Ok(rows.into_iter().map(|row| (row.number, row.late.0, row.declaration)).collect())
}

/// Stores the acts in the open window, and the seats that it asks after them.
pub async fn keep_acts(tx: &mut Touched<'_>, window: &WindowRow) -> Result<()> {
    let text = "update windows set said = $3, asked = $4 where code = $1 and number = $2";
    tx.write(text, (window.number, &window.said, &window.asked)).await
}

impl<'s> Touched<'s> {
    /// Returns the open window, `None` if there is none.
    pub async fn open_window(&mut self) -> Result<Option<WindowRow>> {
        crate::table::windows::window(self.db, &self.table.code, self.table.open_window).await
    }

    pub async fn window(&mut self, number: WindowNumber) -> Result<Option<WindowRow>> {
        let code = self.table.code.clone();
        crate::table::windows::window(self.db, &code, number).await
    }

    /// Opens a window, on a state of its own or on that of its root window.
    pub fn open(&mut self, window: &WindowRow) {
        self.unsaved().windows.push(window.clone());
    }

    /// Stores the state at the opening of a root window.
    pub fn keep_state(&mut self, number: WindowNumber, state: String, hash: String) {
        self.unsaved().states.push((number, state, hash));
    }

    /// Stores a declaration, replacing an earlier one: a draft, or with its sealing.
    pub fn declare(
        &mut self,
        seat: Seat,
        answers: Declaration,
        sealing: Option<StoredSealing>,
    ) -> DeclarationProgressRow {
        let sealed = sealing.is_some();
        let complete = sealing.as_ref().is_some_and(|sealing| sealing.complete);
        let in_hex = |sealing: StoredSealing| {
            (hex::encode(sealing.salt), hex::encode(sealing.receipt.hash()))
        };
        let (salt, hash) = sealing.map(in_hex).unzip();
        let (sealing, is_complete) = (Flag(sealed), Flag(complete));
        let row =
            DeclarationRow { seat, answers, sealed: sealing, complete: is_complete, salt, hash };
        if let Some(number) = self.table.open_window {
            self.unsaved().declare(number, row);
        }
        DeclarationProgressRow { seat, sealed, complete }
    }

    /// Deletes a declaration.
    pub async fn withdraw(&mut self, seat: Seat) -> Result<()> {
        absences::drop_declared(self, seat).await?;
        let text = "delete from declarations where code = $1 and number = $2 and seat = $3";
        self.write(text, (OrBeforeFirst(self.table.open_window), seat)).await
    }

    /// Stores the times of the open window.
    pub fn time(&mut self, timing: Timing) {
        if let Some(number) = self.table.open_window {
            self.unsaved().time(number, timing);
        }
    }

    /// Closes the open window, which is possible once. Returns `None` if it is closed already.
    pub async fn close(
        &mut self,
        why: CloseReason,
        awaited: &[Seat],
    ) -> Result<Option<ClosedWindow<'_, 's>>> {
        let Some(number) = self.table.open_window else { return Ok(None) };
        let is_closed = match &mut self.known {
            Some(known) if known.number == number => std::mem::replace(&mut known.is_closed, true),
            _ => closed(self.db, &self.table.code, number).await?.is_some(),
        };
        if is_closed {
            return Ok(None);
        }
        let awaited = Seats(awaited.to_vec());
        let at = self.after_what_was(self.now);
        self.unsaved().closed.push(ClosedRow { number, at, why, awaited });
        Ok(Some(ClosedWindow { tx: self, number }))
    }
}

impl ClosedWindow<'_, '_> {
    /// Returns the declarations of the window.
    pub async fn declarations(self) -> Result<Vec<DeclarationRow>> {
        let Self { tx, number } = self;
        let is_certain = tx.few.is_some_and(|few| !few.votes);
        let ahead = tx.declared.take().filter(|_| is_certain);
        let ahead = ahead.filter(|_| !tx.unsaved().holds(About::Declarations));
        if let Some(rows) = ahead {
            return Ok(rows);
        }
        let code = &tx.table.code;
        let question = declared_in(tx.db.marks(), vec![(code.clone(), number)]);
        let rows = tx.db.all_about(code, About::Declarations, question).await?;
        let mut rows: Vec<DeclarationRow> = rows.into_iter().map(|row| row.declaration).collect();
        rows.sort_by_key(|row| row.seat);
        Ok(rows)
    }
}

/// Returns the declarations in these windows of tables.
pub(crate) fn declared_in(
    marks: Placeholders,
    windows: Vec<(TableCode, WindowNumber)>,
) -> RowQuery<DeclaredAt> {
    let text = format!(
        "with wanted (code, number) as (values {})
         select declarations.code, seat, answers, sealed, complete, salt, hash from wanted
         join declarations on declarations.code = wanted.code
             and declarations.number = wanted.number
         where late = 0",
        marks.values(windows.len(), 2)
    );
    // Only numbers are put into the text.
    let question = query_as(AssertSqlSafe(text)).persistent(windows.len() == 1);
    windows.into_iter().fold(question, |question, (code, number)| question.bind(code).bind(number))
}

impl WindowRow {
    pub fn timing(&self) -> Timing {
        Timing {
            opens: self.opens_at,
            closes: self.closes_at,
            settles: self.settles_at,
            reminded: self.reminded_at,
        }
    }
}

pub(crate) fn no_snapshot(code: &TableCode, root: WindowNumber) -> StoreError {
    StoreError::Unreadable(format!("{code} has no snapshot {root}"))
}
