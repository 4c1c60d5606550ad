//! The making of an override: authorization, execution and records.

use serde_json::Value as Json;

use crate::model::desk::NotDone;
use crate::model::load::{Games, contest, stage_shown};
use crate::model::open_window::announced_window;
use crate::model::overrides::{Gm, Override};
use crate::model::vote::Vote;
use crate::overrides::bench::authorize;
use crate::overrides::decision::{Audience, Because, Decision, Remark, TableSnapshot};
use crate::record::event::Undone;
use crate::record::letter::Part;
use crate::view::{past, see};
use games::any::AnyContest;
use letters::Refused;
use rules::Entry;
use store::{SeatRow, Standstill, StoreError, TableRow, Touched, WindowRow, people, write_json};
use tables::ids::{AccountId, OverrideNumber, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::{HoldReason, Stage};

/// The vote by which the table has decided.
#[derive(Clone)]
pub(crate) struct Voted {
    pub(crate) vote: Vote,
    /// The player whose seat the vote is about.
    pub(crate) about: Option<PersonId>,
}

/// An override in progress.
#[derive(Clone)]
pub(crate) struct Deciding {
    pub(crate) games: Games,
    pub(crate) code: TableCode,
    pub(crate) gm: Gm,
    pub(crate) decision: Decision,
    /// The ids of the decider and of the person who takes a seat, if they are new here.
    pub(crate) drawn: [PersonId; 2],
    /// The vote, if the table decides.
    pub(crate) voted: Option<Voted>,
    /// The number at the table, set as the override is made.
    pub(crate) number: OverrideNumber,
    /// The open window as the override is made.
    pub(crate) window: Option<WindowNumber>,
    /// The override that is undone.
    pub(crate) undoes: Option<Undone>,
    pub(crate) now: Time,
}

/// The result of an override.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// The number of the override at the table, or of the vote.
    pub(crate) number: OverrideNumber,
    pub(crate) remarks: Vec<Remark>,
    /// The events beyond the table's public view, as far as the decider may know them.
    pub(crate) foreseen: Vec<Entry<Json>>,
    /// The window touched; `None` for the open one.
    pub(crate) window: Option<WindowNumber>,
    /// The reason why the whole table is notified together with the consequences; `None` if it is not.
    pub(crate) notified: Option<Because>,
    /// A part added to the notification.
    pub(crate) added: Option<Part>,
    /// True if the override brings a result that nobody has seen.
    pub(crate) reveals: bool,
    /// `None` unless the override was put to the vote instead; true if the vote had been proposed before.
    pub(crate) vote: Option<bool>,
    /// The possible audience; `None` for a vote, which everybody is shown.
    pub(crate) audience: Option<Audience>,
}

impl Done {
    /// Returns a result that the table is shown together with its consequences.
    pub(crate) fn notified(because: Because) -> Self {
        Self { notified: Some(because), ..Self::default() }
    }

    pub(crate) fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}

impl Deciding {
    pub(crate) fn new(
        games: Games,
        code: TableCode,
        gm: Gm,
        decision: Decision,
        now: Time,
    ) -> Self {
        let drawn = Default::default();
        let (number, window) = (OverrideNumber::FIRST, None);
        Self { games, code, gm, decision, drawn, voted: None, number, window, undoes: None, now }
    }

    /// Returns the decision of a table by a vote.
    pub(crate) fn of_the_table(
        games: Games,
        code: TableCode,
        what: Override,
        voted: Voted,
        now: Time,
    ) -> Self {
        let decision = Decision { reason: voted.vote.reason.clone(), ..what.into() };
        let gm = Gm { account: AccountId::default(), roles: Vec::new() };
        Self { voted: Some(voted), ..Self::new(games, code, gm, decision, now) }
    }

    /// Returns the override in progress at its touched table.
    pub(crate) fn at<'r, 's>(&'r self, touched: &'r mut Touched<'s>) -> Run<'r, 's> {
        Run { deciding: self, touched }
    }

    /// Returns the pause or lock that outlasts the override into another window; `None` without one.
    pub(crate) fn standstill(&self, table: &TableRow) -> Option<Standstill> {
        let is_kept =
            |held: &HoldReason| held.outlasts_window() && self.decision.what.keeps_pause();
        let why = table.held.clone().filter(is_kept)?;
        Some(Standstill { why, until: table.look_at, since: table.held_at.unwrap_or(self.now) })
    }

    pub(crate) fn is_in_words(&self) -> bool {
        matches!(self.decision.what, Override::InWords { .. })
    }

    /// Returns the changes shown before the decision, as JSON; `None` if there are none.
    pub(crate) fn shown(&self) -> Result<Option<String>, StoreError> {
        let shown = &self.decision.shown;
        if shown.is_empty() { Ok(None) } else { write_json(shown).map(Some) }
    }
}

/// An override in progress at its table.
pub(crate) struct Run<'r, 's> {
    pub(crate) deciding: &'r Deciding,
    pub(crate) touched: &'r mut Touched<'s>,
}

impl Run<'_, '_> {
    /// Returns the id of the decider. Refused if they may not decide.
    pub(crate) async fn authorize(&mut self) -> Result<PersonId, NotDone> {
        let table = self.touched.table.clone();
        let person = authorize(self.touched.session(), &table, &self.deciding.gm).await?;
        if table.stage == Stage::Forming && !self.deciding.decision.what.fits_forming() {
            return Err(Refused::NotBegun.into());
        }
        self.deciding.games.of(&table)?;
        if let Some(person) = person {
            return Ok(person);
        }
        // A decider by role may never have been here.
        Ok(people::meet(
            self.touched.session(),
            &self.deciding.gm.account,
            &table.language,
            &self.deciding.drawn[0],
        )
        .await?)
    }

    /// Refuses decisions after the announced end: the seed and the hash of the whole record are known then.
    pub(crate) async fn refuse_over(&mut self) -> Result<(), NotDone> {
        match stage_shown(self.touched, self.deciding.now).await? {
            Stage::Over => Err(Refused::Over.into()),
            _ => Ok(()),
        }
    }

    /// Returns the table's public view, and its last resolved window.
    pub(crate) async fn snapshot(&mut self) -> Result<TableSnapshot, NotDone> {
        let sight = see::sight(
            self.touched.session(),
            self.deciding.games,
            &self.deciding.code,
            None,
            self.deciding.now,
        )
        .await?;
        let last = past::last(self.touched, &sight).await?;
        Ok(TableSnapshot { sight, last })
    }

    /// Returns the players, and the contest of the table as of the opening of a window.
    pub(crate) async fn contest(
        &mut self,
        window: &WindowRow,
    ) -> Result<(Vec<SeatRow>, Box<dyn AnyContest>), NotDone> {
        let (table, seats) = (self.touched.table.clone(), self.touched.seats().await?);
        let game = self.deciding.games.of(&table)?;
        let contest = contest(self.touched.session(), game, &table, &seats, window).await;
        Ok((seats, contest.map_err(StoreError::from)?))
    }

    /// Returns the open window, if it has been announced and is not stuck in its rules.
    pub(crate) async fn announced_window(&mut self) -> Result<WindowRow, NotDone> {
        announced_window(self.touched, self.deciding.now).await
    }
}
