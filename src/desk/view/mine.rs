//! A person's own tables, the soonest deadline first, with the open questions at each.

use crate::model::desk::{Desk, NotDone};
use crate::view::see::{Sight, see};
use letters::{LetterFault, Letters, Moment, OwnTable, Reader, open_questions};
use rules::window::Progress;
use store::{StoreError, absences, places};
use tables::ids::{AccountId, Address};
use tables::time::Time;
use tables::{HoldReason, Stage};

/// The maximum number of tables in a list; the others are counted.
pub const LISTED: usize = 25;

/// A person's own table: they sit there, are a substitute there, or host it.
#[derive(Debug)]
pub struct Mine {
    /// The table as the person sees it.
    pub sight: Sight,
    /// The place of the table; `None` if every player is sent their own letters.
    pub place: Option<Address>,
}

/// A person's own tables, as many as a list shows.
#[derive(Debug)]
pub struct OwnList {
    pub tables: Vec<Mine>,
    /// The number of tables that are left out.
    pub more: usize,
}

/// Returns the person's tables that are not over: first those with an open window, the soonest deadline
/// first. Tables whose rules this program does not know are left out.
pub async fn mine(desk: &Desk, account: &AccountId, now: Time) -> Result<OwnList, StoreError> {
    let mut session = desk.store.read().await?;
    let mut codes = places::tables_of(&mut session, account, now).await?;
    codes.extend(absences::stood_in_at(&mut session, account, now).await?);
    drop(session);
    let (mut all, more) = (Vec::new(), codes.len().saturating_sub(LISTED));
    for code in codes.into_iter().take(LISTED) {
        let sight = match see(desk, &code, account, now).await {
            Ok(sight) => sight,
            Err(NotDone::Store(error)) => return Err(error),
            Err(_) => continue,
        };
        let table = desk.store.read().await?.table(&code).await?;
        all.push(Mine { sight, place: table.and_then(|table| table.place) });
    }
    all.sort_by_key(|mine| mine.sight.closes().unwrap_or(Time::END));
    Ok(OwnList { tables: all, more })
}

impl Sight {
    /// `None` if no window is open or no time runs; otherwise the deadline of the open window.
    pub fn closes(&self) -> Option<Time> {
        let play = self.play.as_ref().filter(|_| self.stage == Stage::Playing)?;
        (self.is_clock_running() && play.shut.is_none()).then_some(play.timing.closes)
    }

    /// Writes the table as a line in a list of the viewer's own tables, with its thread if it has one.
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
