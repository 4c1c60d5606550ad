//! The dashboard: all tables of a host or game master at a glance, with public facts only.

use crate::model::{Desk, NotDone, Written};
use crate::view::see::{Sight, see};
use letters::{
    Letters, Moment, OwnTable, Presence, Reader, WatchedTable, WatchedTables, open_questions,
};
use rules::window::Progress;
use store::{Result, absences, places};
use tables::{AccountId, Address, HoldReason, Stage, Time};

/// The maximum number of tables on a dashboard.
const MOST: u32 = 100;

/// All tables of a person that are not over, the soonest deadline first.
#[derive(Debug)]
pub struct Dashboard {
    pub tables: Vec<Watched>,
}

/// A table that a person watches over.
#[derive(Debug)]
pub struct Watched {
    /// The public view of the table.
    pub sight: Sight,
    /// The seats present in the open window, as far as this is public.
    pub presence: Presence,
    /// The place of the table; `None` if every player is sent their own letters.
    pub place: Option<Address>,
    /// True if an obstacle keeps letters of the table from arriving.
    pub obstructed: bool,
}

/// Returns the tables that a person hosts, or where they are a named game master; only those on the
/// server, if one is given. Tables whose rules this program does not know are left out.
pub async fn dashboard(
    desk: &Desk,
    account: &AccountId,
    server: Option<&str>,
    now: Time,
) -> Result<Dashboard> {
    let codes =
        places::watched_tables(&mut desk.store.read().await?, account, server, now, MOST).await?;
    let mut tables = Vec::new();
    for code in codes {
        let sight = match see(desk, &code, None, now).await {
            Ok(sight) => sight,
            Err(NotDone::Store(error)) => return Err(error),
            Err(_) => continue,
        };
        let presence = sight.presence();
        let mut db = desk.store.read().await?;
        let place = db.table(&code).await?.and_then(|table| table.place);
        let obstructed = places::is_obstructed(&mut db, &code).await?;
        tables.push(Watched { sight, presence, place, obstructed });
    }
    tables.sort_by_key(|watched| watched.sight.closes().unwrap_or(Time::END));
    Ok(Dashboard { tables })
}

/// Returns a mark that changes whenever the dashboard may look different.
pub async fn dashboard_mark(
    desk: &Desk,
    account: &AccountId,
    server: Option<&str>,
    now: Time,
) -> Result<String> {
    places::watched_mark(&mut desk.store.read().await?, account, server, now).await
}

impl Dashboard {
    /// Writes the dashboard for readers of a language: as many tables as fit into `limit` of Discord's
    /// characters, the soonest first, and the number of the others. `thread` returns the id of the thread of
    /// a place.
    pub fn written(
        &self,
        letters: &Letters,
        reader_of: impl Fn(&Sight) -> Reader,
        frame: &Reader,
        thread: impl Fn(&Address) -> Option<String>,
        limit: usize,
    ) -> Written {
        let lines = self.tables.iter().map(|watched| {
            let thread = watched.place.as_ref().and_then(&thread);
            watched.line(letters, &reader_of(&watched.sight), thread.as_deref())
        });
        let lines = lines.collect::<Written<Vec<_>>>()?;
        let length = |text: &str| text.encode_utf16().count();
        let mut shown = lines.len();
        loop {
            let text = letters.write(
                frame,
                &WatchedTables { tables: &lines[..shown], more: lines.len() - shown },
            )?;
            if shown == 0 || length(&text) <= limit {
                return Ok(text);
            }
            shown -= 1;
        }
    }
}

impl Watched {
    fn line(&self, letters: &Letters, reader: &Reader, thread: Option<&str>) -> Written {
        let Self { sight, presence, .. } = self;
        let play = sight.play.as_ref();
        let moment = |at: Time| Moment::at(at, sight.zone);
        let standing = play.map(|play| sight.window_progress(play));
        let (late, awaited) = sight.missing();
        letters.write(
            reader,
            &WatchedTable {
                code: &sight.code,
                thread,
                stage: sight.stage.into_str(),
                held: sight.held.as_ref().map(HoldReason::into_str),
                obstructed: self.obstructed,
                taken: sight.taken.len(),
                chairs: sight.chairs,
                window: play.map(|play| play.contest.round()),
                closes: sight.closes().map(moment),
                announced: play.and_then(|play| play.shut).map(|shut| moment(shut.announced)),
                put_off: presence.put_off,
                grace: presence.grace,
                late,
                openly: sight.is_open_handed(),
                awaited,
                count: standing.and_then(|standing| standing.count),
                inactive: &presence.inactive,
                away: &presence.away,
            },
        )
    }
}

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
pub async fn mine(desk: &Desk, account: &AccountId, now: Time) -> Result<OwnList> {
    let mut db = desk.store.read().await?;
    let mut codes = places::tables_of(&mut db, account, now).await?;
    codes.extend(absences::stood_in_at(&mut db, account, now).await?);
    drop(db);
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
    pub fn line_of_own(&self, letters: &Letters, reader: &Reader, thread: Option<&str>) -> Written {
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
