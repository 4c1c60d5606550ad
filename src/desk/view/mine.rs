//! Somebody's own tables, the soonest deadline first, and what they miss at each.

use crate::model::desk::{Desk, NotDone};
use crate::view::see::Sight;
use letters::{LetterFault, Letters, Moment, OwnTable, Reader, open_questions};
use rules::window::Progress;
use store::StoreError;
use tables::ids::{AccountId, Address};
use tables::time::Time;
use tables::{HoldReason, Stage};

/// The most tables that a list shows; it says how many more there are.
pub const LISTED: usize = 25;

/// One of somebody's own tables: one at which they sit, for which they stand in, or that is theirs.
#[derive(Debug)]
pub struct Mine {
    /// The table, as they see it.
    pub sight: Sight,
    /// Where it is played; none where all are written to alone.
    pub place: Option<Address>,
}

/// Somebody's own tables, as many as a list shows.
#[derive(Debug)]
pub struct OwnList {
    pub tables: Vec<Mine>,
    /// The number of those that are left out.
    pub more: usize,
}

impl Desk {
    /// Somebody's tables that are not over: those with an open window first, the soonest deadline
    /// before the others. What this program does not know the rules of, it cannot show.
    pub async fn mine(&self, account: &AccountId, now: Time) -> Result<OwnList, StoreError> {
        let mut session = self.store.read().await?;
        let mut codes = session.tables_of(account, now).await?;
        codes.extend(session.stood_in_at(account, now).await?);
        drop(session);
        let (mut all, more) = (Vec::new(), codes.len().saturating_sub(LISTED));
        for code in codes.into_iter().take(LISTED) {
            let sight = match self.see(&code, account, now).await {
                Ok(sight) => sight,
                Err(NotDone::Store(error)) => return Err(error),
                Err(_) => continue,
            };
            let table = self.store.read().await?.table(&code).await?;
            all.push(Mine { sight, place: table.and_then(|table| table.place) });
        }
        all.sort_by_key(|mine| mine.sight.closes().unwrap_or(Time::END));
        Ok(OwnList { tables: all, more })
    }
}

impl Sight {
    /// When the open window closes, if it is to be waited for.
    pub fn closes(&self) -> Option<Time> {
        let play = self.play.as_ref().filter(|_| self.stage == Stage::Playing)?;
        (self.is_clock_running() && play.shut.is_none()).then_some(play.timing.closes)
    }

    /// It in a list of one's own tables, in this thread if it is played in one.
    pub fn line_of_own(
        &self,
        letters: &Letters,
        reader: &Reader,
        thread: Option<&str>,
    ) -> Result<String, LetterFault> {
        let play = self.play.as_ref();
        let progress = play.zip(self.seat).map(|(play, seat)| play.progress[seat]);
        let is_open = progress.is_some_and(|progress| progress != Progress::NothingToDeclare);
        let open = play.filter(|_| is_open).map(|play| open_questions(&self.form(&play.own)));
        let announced = play.and_then(|play| play.shut).map(|shut| shut.announced);
        let moment = |at: Time| Moment::at(at, self.zone);
        letters.write(
            reader,
            &OwnTable {
                code: &self.code,
                thread,
                stage: self.stage.into_str(),
                held: self.held.as_ref().map(HoldReason::into_str),
                host: self.is_host,
                taken: self.taken.len(),
                chairs: self.chairs,
                progress,
                openly: self.is_open_handed(),
                closes: self.closes().map(moment),
                announced: announced.map(moment),
                open: open.unwrap_or_default(),
            },
        )
    }
}
