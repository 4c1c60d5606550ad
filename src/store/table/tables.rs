//! Tables, their players, and the journal of events, in which each entry is chained to the one before, so
//! that no entry can be changed afterwards without all that follow (`docs/verify.md`).

use sqlx::{AssertSqlSafe, FromRow, query, query_as};

use crate::batch::unsaved::{About, LookAt, OfTable};
use crate::database::session::ReadRow;
use crate::database::{Result, Session, StoreError};
use crate::rows::{
    Ahead, Count, DeclarationRow, First, Flag, FormerSeatRow, JournalRow, OpenTable, Placeholders,
    RareFeatures, RowQuery, SeatRow, TableRow, Values, WholeWindow, read_hex,
};
use rules::{Seat, receipt};
use tables::{
    AccountId, Address, EntryNumber, HoldReason, PersonId, Span, Stage, TableCode, Time,
    WindowNumber,
};

/// The rules of a table, which it keeps even if the program has newer ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEdition {
    /// The key of the game.
    pub game: String,
    /// The name of the edition.
    pub name: String,
    /// The hash of the edition's data files, in hex digits.
    pub data: String,
}

/// The lock timeouts for the rows of this transaction, a short one and the usual one, on PostgreSQL, the only
/// database with row locks.
const SHORTLY: &str = "set local lock_timeout = '250ms'";
const AS_USUAL: &str = "set local lock_timeout = '5s'";

/// The proof that a table's row was touched first: no other transaction declares or closes there until this
/// one ends. The statements about a table require it.
#[derive(Debug)]
pub struct Touched<'s> {
    /// The session in which the table was touched.
    pub db: &'s mut Session,
    /// The table in its present state.
    pub table: TableRow,
    /// The hold that begins when the next window opens, `None` if there is none.
    pub standstill: Option<Standstill>,
    /// The rare features of the table, `None` before they have been read.
    pub(crate) few: Option<RareFeatures>,
    /// The open window, if it was read ahead, until the first query.
    pub(crate) ahead: Option<WholeWindow>,
    /// The declarations of that window, if they were read ahead, only for its close.
    pub(crate) declared: Option<Vec<DeclarationRow>>,
    /// The window that was read last.
    pub(crate) known: Option<KnownWindow>,
    /// The time of the transaction.
    pub now: Time,
    /// The time of the last journal entry before.
    pub(crate) written_at: Time,
}

/// The facts about a window that was read since its table was touched.
#[derive(Debug)]
pub(crate) struct KnownWindow {
    pub(crate) number: WindowNumber,
    pub(crate) is_closed: bool,
    /// The seats with a record that does not count yet.
    pub(crate) noted: Vec<Seat>,
}

/// The hold of a table from the opening of a window.
#[derive(Clone, Debug)]
pub struct Standstill {
    pub why: HoldReason,
    /// The end of the hold, `None` if it does not end by itself.
    pub until: Option<Time>,
    pub since: Time,
}

/// A seat; true if it belongs to the given account.
#[derive(FromRow)]
struct OwnSeat {
    #[sqlx(flatten)]
    seat: SeatRow,
    #[sqlx(try_from = "Flag")]
    own: bool,
}

/// The columns of a [`TableRow`].
macro_rules! columns_of_a_table {
    () => {
        "tables.code, game, edition, data, options, tables.language as language, pace, chairs, host,
             stage, held, seed, commitment, open_window, look_at, entries, chain, tables.told_at as told_at, dice, formed_at,
             place, tables.windows, held_at, tables.settings as settings, next_pace, card_set"
    };
}
pub(crate) use columns_of_a_table;

/// A touched table, with the number of touches.
#[derive(FromRow)]
pub(crate) struct TouchedRow {
    pub(crate) code: TableCode,
    #[sqlx(try_from = "Count<u64>")]
    pub(crate) touched: u64,
}

/// Touches the rows of these tables, and returns them.
pub(crate) fn touching(marks: Placeholders, codes: Vec<TableCode>) -> RowQuery<TableRow> {
    touching_and(marks, codes, columns_of_a_table!())
}

/// Touches the rows of these tables, and returns the number of touches.
pub(crate) fn touching_only(marks: Placeholders, codes: Vec<TableCode>) -> RowQuery<TouchedRow> {
    touching_and(marks, codes, "code, touched")
}

fn touching_and<R: ReadRow>(
    marks: Placeholders,
    codes: Vec<TableCode>,
    gives: &str,
) -> RowQuery<R> {
    let text = format!(
        "update tables set touched = touched + 1 where code in ({}) returning {gives}",
        marks.values(1, codes.len()).trim_matches(['(', ')']),
    );
    // Only numbers are put into the text.
    let question = query_as(AssertSqlSafe(text)).persistent(codes.len() == 1);
    codes.into_iter().fold(question, RowQuery::bind)
}

impl Session {
    /// Touches a table's row. Returns `None` if there is no such table.
    pub async fn touch(&mut self, code: &TableCode, now: Time) -> Result<Option<Touched<'_>>> {
        if let Some(ahead) = self.take_ahead(code) {
            return Ok(Some(ahead.touched_in(self, now)));
        }
        let marks = self.marks();
        let Some(table) = touched(self, code, touching(marks, vec![code.to_owned()])).await? else {
            return Ok(None);
        };
        Ok(Some(Ahead { table, window: None, declared: None }.touched_in(self, now)))
    }

    /// Touches the row of a table that was read a moment ago, which is read again only if it has changed.
    pub async fn touch_seen(&mut self, seen: &OpenTable, now: Time) -> Result<Option<Touched<'_>>> {
        let code = &seen.table.code;
        if let Some(ahead) = self.take_ahead(code) {
            return Ok(Some(ahead.touched_in(self, now)));
        }
        let touching = touching_only(self.marks(), vec![code.to_owned()]);
        let Some(row) = touched(self, code, touching).await? else { return Ok(None) };
        let ahead = if let Some(ahead) = seen.ahead(row.touched) {
            Some(ahead)
        } else {
            let table = self.table(code).await?;
            table.map(|table| Ahead { table, window: None, declared: None })
        };
        Ok(ahead.map(|ahead| ahead.touched_in(self, now)))
    }

    /// Returns a table as it was a moment ago.
    pub async fn table(&mut self, code: &TableCode) -> Result<Option<TableRow>> {
        let text = concat!("select ", columns_of_a_table!(), " from tables where code = $1");
        self.row(text, (code,)).await
    }

    /// Returns the players, by seat.
    pub async fn seats(&mut self, code: &TableCode) -> Result<Vec<SeatRow>> {
        let text =
            "select seat, seats.person, house, name, shown_as, value, salt, address, language,
                 coalesce(settings, '{}') as settings
             from seats left join people on people.person = seats.person
             where code = $1 order by seat";
        self.rows(text, (code,)).await
    }
}

/// Stores a new table. Returns false if its code is taken.
pub async fn form(db: &mut Session, table: &TableRow) -> Result<bool> {
    let statement = query(
        "insert into tables (code, game, edition, data, options, language, pace, chairs, host,
             stage, held, seed, commitment, open_window, look_at, touched, entries, chain,
             dice, formed_at, place, settings)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, $11, $12, -1, null, 0, 0, $13,
             $14, $15, $16, $17)
         on conflict (code) do nothing",
    )
    .bind(table.code.clone())
    .bind(table.game.clone())
    .bind(table.edition.clone())
    .bind(table.data.clone())
    .bind(table.options.clone())
    .bind(table.language.clone())
    .bind(table.pace.clone())
    .bind(Count(table.chairs))
    .bind(table.host.clone())
    .bind(table.stage)
    .bind(table.seed.clone())
    .bind(table.commitment.clone())
    .bind(table.chain.clone())
    .bind(table.dice.clone())
    .bind(table.formed_at)
    .bind(table.place.clone())
    .bind(table.settings.clone());
    Ok(db.execute(statement).await? == 1)
}

/// Returns the code of every table.
pub async fn codes(db: &mut Session) -> Result<Vec<TableCode>> {
    let text = "select code from tables order by code";
    db.column(text, ()).await
}

/// Returns the former players, by seat.
pub async fn all_former_seats(db: &mut Session, code: &TableCode) -> Result<Vec<FormerSeatRow>> {
    let text =
        "select seat, person, name, salt from former_seats where code = $1 order by seat, since";
    db.rows(text, (code,)).await
}

/// Returns the players, by seat, and the seat of this account.
pub async fn seats_and_own(
    db: &mut Session,
    code: &TableCode,
    account: &AccountId,
) -> Result<(Vec<SeatRow>, Option<Seat>)> {
    let text = "select seat, seats.person, house, name, shown_as, value, salt, address, language,
             coalesce(settings, '{}') as settings,
             case when account = $2 then 1 else 0 end as own
         from seats left join people on people.person = seats.person
         where code = $1 order by seat";
    let rows = db.rows(text, (code, account)).await?;
    let own = rows.iter().find(|row: &&OwnSeat| row.own);
    let own = own.map(|row| row.seat.seat);
    Ok((rows.into_iter().map(|row| row.seat).collect(), own))
}

/// Returns the tables of an edition that are due for a clock check, the longest due first.
pub async fn due(
    db: &mut Session,
    edition: &StoredEdition,
    now: Time,
    limit: u32,
) -> Result<Vec<TableCode>> {
    let text = "select code from tables
         where game = $1 and edition = $2 and data = $3 and look_at <= $4
         order by look_at, code limit $5";
    let values = (&edition.game, &edition.name, &edition.data, now, Count(limit));
    db.column(text, values).await
}

/// Returns the time of the next clock check among the tables of an edition; `None` if none is due.
pub async fn next_due(db: &mut Session, edition: &StoredEdition) -> Result<Option<Time>> {
    let text = "select min(look_at) from tables where game = $1 and edition = $2 and data = $3";
    let values = (&edition.game, &edition.name, &edition.data);
    Ok(db.value(text, values).await?.flatten())
}

/// Returns the newest table that is not over and at which a person plays, has played, or is a game
/// master.
pub async fn newest_of(db: &mut Session, person: &PersonId) -> Result<Option<TableCode>> {
    let text = "select code from tables
         where stage <> 'over'
             and (code in (select code from seats where person = $1)
                 or code in (select code from former_seats where person = $1)
                 or code in (select code from game_masters join people on account = who
                     where person = $1))
             and code not in (select code from sent_away where person = $1)
         order by formed_at desc limit 1";
    db.value(text, (person,)).await
}

/// Returns the newest table of a place.
pub async fn table_at(db: &mut Session, place: &Address) -> Result<Option<TableCode>> {
    let text = "select code from tables where place = $1 order by formed_at desc limit 1";
    db.value(text, (place,)).await
}

/// True if a table that is not over is in a place.
pub async fn is_played_at(db: &mut Session, place: &Address) -> Result<bool> {
    let text = "select count(*) from tables where place = $1 and stage <> 'over'";
    db.counts_any(text, (place,)).await
}

/// Returns the number of times that a table has been stirred.
pub async fn stirred(db: &mut Session, code: &TableCode) -> Result<u64> {
    let text = "select stirred from tables where code = $1";
    Ok(db.value(text, (code,)).await?.map_or(0, |Count(stirred)| stirred))
}

/// Returns the journal of a table, from an entry on.
pub async fn journal(
    db: &mut Session,
    code: &TableCode,
    from: EntryNumber,
) -> Result<Vec<JournalRow>> {
    let text = "select entry, at, body, hash from journal
         where code = $1 and entry >= $2 order by entry";
    db.rows(text, (code, from)).await
}

/// Touches a table's row by this statement, with a short timeout if the table is stuck.
async fn touched<R: ReadRow>(
    db: &mut Session,
    code: &TableCode,
    touching: RowQuery<R>,
) -> Result<Option<R>> {
    let was_stuck = db.stuck().holds(code);
    if was_stuck {
        db.control(SHORTLY).await?;
    }
    let touched = db.one_about(code, About::Table, touching).await;
    match &touched {
        Err(error) if error.is_locked() => db.stuck().note(code, true),
        Ok(_) if was_stuck => {
            db.stuck().note(code, false);
            db.control(AS_USUAL).await?;
        }
        _ => {}
    }
    touched
}

impl Ahead {
    fn touched_in(self, db: &mut Session, now: Time) -> Touched<'_> {
        let Self { table, window, declared } = self;
        let (standstill, few, known, written_at) = (None, None, None, table.told_at);
        Touched { db, table, standstill, few, ahead: window, declared, known, now, written_at }
    }
}

impl Touched<'_> {
    /// Runs a statement about the table with these values, after the table's code.
    pub(crate) async fn write(&mut self, text: &'static str, values: impl Values) -> Result<()> {
        self.changes(text, values).await.map(drop)
    }

    /// Runs a statement about the table with these values, after the table's code. Returns the number of
    /// changed rows.
    pub(crate) async fn changes(&mut self, text: &'static str, values: impl Values) -> Result<u64> {
        self.db.changes(text, First(&self.table.code, values)).await
    }

    /// Returns the unsaved rows of the table.
    pub(crate) fn unsaved(&mut self) -> &mut OfTable {
        self.db.unsaved.of(&self.table.code)
    }

    /// Reads the row of the table again, after a change by a statement of any kind.
    pub async fn read_again(&mut self) -> Result<()> {
        let code = self.table.code.clone();
        let gone = || StoreError::Unreadable(format!("there is no table {code}"));
        self.table = self.db.table(&code).await?.ok_or_else(gone)?;
        (self.few, self.ahead, self.declared, self.known) = (None, None, None, None);
        Ok(())
    }

    /// Assigns a seat to a person or a bot player.
    pub async fn sit(&mut self, row: &SeatRow) -> Result<()> {
        let text =
            "insert into seats (code, seat, person, house, name, shown_as, value, address, salt)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let SeatRow { seat, person, house, name, shown_as, value, address, salt, .. } = row;
        self.write(text, (seat, person, house, name, shown_as, value, address, salt)).await
    }

    /// Stores a seat's value in the seed.
    pub async fn bring(&mut self, seat: Seat, value: &str) -> Result<()> {
        let text = "update seats set value = $3 where code = $1 and seat = $2";
        self.write(text, (seat, value)).await
    }

    /// Stores the host's settings: everything about the table that can change before the game begins.
    pub async fn keep_settings(&mut self) -> Result<()> {
        let table = &self.table;
        let text =
            "update tables set game = $2, edition = $3, data = $4, options = $5, language = $6,
                 pace = $7, chairs = $8, settings = $9
             where code = $1";
        let TableRow { code, game, edition, data, options, language, pace, settings, .. } = table;
        let chairs = Count(table.chairs);
        let values = (code, game, edition, data, options, language, pace, chairs, settings);
        self.db.write(text, values).await
    }

    /// Frees a seat.
    pub async fn stand_up(&mut self, seat: Seat) -> Result<()> {
        self.write("delete from seats where code = $1 and seat = $2", (seat,)).await
    }

    /// Returns the players, by seat.
    pub async fn seats(&mut self) -> Result<Vec<SeatRow>> {
        let code = self.table.code.clone();
        self.db.seats(&code).await
    }

    /// Stores the stage, the open window, and the time of the next clock check.
    pub fn turn_to(&mut self, stage: Stage, window: Option<WindowNumber>, look_at: Option<Time>) {
        self.table.stage = stage;
        self.table.open_window = window;
        self.table.windows = self.table.windows.max(window.map_or(0, |window| window.next().get()));
        self.table.look_at = look_at;
        self.table.held = None;
        self.table.held_at = None;
        let windows = self.table.windows;
        let change = &mut self.unsaved().table;
        change.turned = Some((stage, window, windows));
        change.look_at = Some(LookAt(look_at));
        change.held = Some((None, None));
    }

    /// Changes the time of the next clock check.
    pub fn look_at(&mut self, look_at: Option<Time>) {
        if self.table.look_at == look_at {
            return;
        }
        self.table.look_at = look_at;
        self.unsaved().table.look_at = Some(LookAt(look_at));
    }

    /// Schedules a redraw of the open window's post, if the table is public.
    pub fn stir(&mut self) {
        if self.table.place.is_some() {
            self.unsaved().table.stirred += 1;
        }
    }

    /// Holds the table, without a clock check before that time.
    pub fn hold(&mut self, why: HoldReason, look_at: Option<Time>, since: Time) {
        self.table.held = Some(why);
        self.table.look_at = look_at;
        self.table.held_at = Some(since);
        let held = Some((self.table.held.clone(), self.table.held_at));
        let change = &mut self.unsaved().table;
        (change.held, change.look_at) = (held, Some(LookAt(look_at)));
    }

    /// Returns the time of a present event: later than the entries before, even if they were written by a
    /// clock that is a little ahead.
    pub(crate) fn after_what_was(&self, at: Time) -> Time {
        let is_behind = at < self.written_at && self.written_at - at <= APART;
        if is_behind { self.written_at + Span::INSTANT } else { at }
    }

    /// Writes a journal entry.
    pub fn record(&mut self, body: String) -> Result<()> {
        let at = self.after_what_was(self.now);
        let mut row = JournalRow {
            entry: EntryNumber::new(self.table.entries),
            at,
            body,
            hash: String::new(),
        };
        row.hash = hex::encode(receipt::chain(&read_hex(&self.table.chain)?, &row.line()));
        self.table.entries += 1;
        self.table.chain.clone_from(&row.hash);
        self.table.told_at = at;
        let chained = (self.table.entries, row.hash.clone(), at);
        let unsaved = self.unsaved();
        unsaved.journal.push(row);
        unsaved.table.chained = Some(chained);
        Ok(())
    }
}

/// The maximum difference between the clocks of two processes before a wrong clock is reported.
pub const APART: Span = Span::minutes(1);
