//! How people have kept their windows, at all of their tables.
//!
//! What somebody declares is noted, and counts once the window has closed and what came of it is
//! announced. A window that the table has gone back from keeps its rows, which count no longer.

use serde::Serialize;
use sqlx::{AssertSqlSafe, FromRow, query, query_as};

use crate::ids::{PersonId, TableCode, WindowNumber};
use crate::rules::Seat;
use crate::store::database::error::StoreError;
use crate::store::database::session::Session;
use crate::store::database::unsaved::About;
use crate::store::rows::columns::{Count, Flag, OrBeforeFirst};
use crate::store::rows::record::ReputationRow;
use crate::store::table::tables::Touched;
use crate::tables::absence::Keeping;
use crate::time::Time;

/// How somebody has kept one window, as they may have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromRow)]
pub struct KeptWindow {
    pub code: TableCode,
    /// The window, from 0.
    pub number: WindowNumber,
    /// The seat for which they played, from 0.
    pub seat: Seat,
    /// `early`, `in-time`, `late`, `missed` or `replaced`.
    pub kept: Keeping,
    /// When it was announced what came of the window; none before.
    pub at: Option<Time>,
    /// 0 if the table has gone back from the window, or it was resolved anew.
    pub counts: Flag,
}

impl Session {
    /// The last windows of somebody that count and had been announced by then, the newest first.
    pub async fn last_windows(
        &mut self,
        person: &PersonId,
        now: Time,
        limit: u32,
    ) -> Result<Vec<KeptWindow>, StoreError> {
        let question = query_as(
            "select code, number, seat, kept, at, counts from reputation
             where person = $1 and counts = 1 and at <= $2
             order by at desc, code, number desc, seat limit $3",
        );
        self.all(question.bind(person.to_owned()).bind(now).bind(Count(limit))).await
    }

    /// Every window of somebody's, in order. Whether one has closed is not told before it is
    /// announced.
    pub async fn kept_windows(
        &mut self,
        person: &PersonId,
        now: Time,
    ) -> Result<Vec<KeptWindow>, StoreError> {
        let question = query_as(
            "select code, number, seat, kept, case when at <= $2 then at end as at, counts
             from reputation
             where person = $1
                 and (at is null or at <= $2 or kept in ('early', 'in-time', 'late'))
             order by code, number, seat",
        );
        self.all(question.bind(person.to_owned()).bind(now)).await
    }

    /// Forgets how somebody has kept their windows.
    pub async fn forget_reputation(&mut self, person: &PersonId) -> Result<(), StoreError> {
        let statement = query("delete from reputation where person = $1").bind(person.to_owned());
        self.execute(statement).await.map(drop)
    }

    /// Every window, the one whose end opened it, and the one whose sealings count in it.
    pub async fn lineage(
        &mut self,
        code: &TableCode,
    ) -> Result<Vec<(WindowNumber, Option<WindowNumber>, Option<WindowNumber>)>, StoreError> {
        let question =
            query_as("select number, follows, again from windows where code = $1 order by number");
        self.all(question.bind(code.to_owned())).await
    }
}

impl Touched<'_> {
    /// How the windows of the table have been kept.
    pub async fn reputation(&mut self) -> Result<Vec<ReputationRow>, StoreError> {
        let question = query_as(
            "select number, seat, person, kept, at, counts from reputation
             where code = $1 order by number, seat, person",
        );
        self.session.all(question.bind(self.table.code.clone())).await
    }

    /// Puts on record how somebody has kept a window.
    pub fn keep_window(&mut self, row: ReputationRow) {
        if let Some(known) = self.known.as_mut().filter(|known| known.number == row.number) {
            known.noted.extend(row.at.is_none().then_some(row.seat));
        }
        self.unsaved().keep_window(row);
    }

    /// What was noted of these seats in a window that has closed counts from then on. Of which of
    /// them something was is said.
    pub async fn count_declared(
        &mut self,
        number: WindowNumber,
        seats: &[Seat],
        at: Time,
    ) -> Result<Vec<Seat>, StoreError> {
        if seats.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(known) = self.known.as_ref().filter(|known| known.number == number) {
            let is_noted = |seat: &Seat| known.noted.contains(seat);
            let noted: Vec<Seat> = seats.iter().copied().filter(is_noted).collect();
            self.unsaved().count(number, &noted, at);
            return Ok(noted);
        }
        let among: Vec<String> = (4..).take(seats.len()).map(|value| format!("${value}")).collect();
        let text = format!(
            "update reputation set at = $3
             where code = $1 and number = $2 and at is null and seat in ({}) returning seat",
            among.join(", ")
        );
        // Nothing but numbers was put into it.
        let mut question = query_as::<_, (Seat,)>(AssertSqlSafe(text))
            .bind(self.table.code.clone())
            .bind(number)
            .bind(at);
        for seat in seats {
            question = question.bind(*seat);
        }
        let noted = self.session.all_about(&self.table.code, About::Reputation, question).await?;
        Ok(seats.iter().copied().filter(|seat| noted.contains(&(*seat,))).collect())
    }

    /// How a window was kept that is asked again in the open one: who has declared in it has declared
    /// in that, and nobody has missed it.
    pub async fn open_reputation(&mut self, from: WindowNumber) -> Result<(), StoreError> {
        self.known = None;
        let missed =
            query("delete from reputation where code = $1 and number = $2 and kept = 'missed'")
                .bind(self.table.code.clone())
                .bind(from);
        self.session.execute(missed).await?;
        let declared = query(
            "update reputation set number = $3, at = null
             where code = $1 and number = $2 and kept in ('early', 'in-time', 'late')",
        )
        .bind(self.table.code.clone())
        .bind(from)
        .bind(OrBeforeFirst(self.table.open_window));
        self.session.execute(declared).await.map(drop)
    }

    /// Nothing that was noted of a seat in the open window counts.
    pub async fn drop_declared(&mut self, seat: Seat) -> Result<(), StoreError> {
        self.known = None;
        let statement = query(
            "delete from reputation where code = $1 and number = $2 and seat = $3 and at is null",
        )
        .bind(self.table.code.clone())
        .bind(OrBeforeFirst(self.table.open_window))
        .bind(seat);
        self.session.execute(statement).await.map(drop)
    }
}
