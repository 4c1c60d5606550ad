//! Looking at a table, as somebody who sits there, or as anybody.

use serde_json::Value as Json;

use super::gm::{BLIND, NEVER};
use super::{
    Desk, Games, Happened, NotDone, announced_stage, by_seat, contest, held, names, pace,
    read_json, shown,
};
use crate::games::any::{AnyContest, AnyGame};
use crate::letters::Refused;
use crate::rules::text::Lang;
use crate::rules::window::Progress;
use crate::rules::{BySeat, Declaration, Entry, Sealing, Seat, Viewer};
use crate::store::{FilingRow, Session, StoreError, WindowRow};
use crate::tables::{Pace, Stage, Timing, Why};

/// A table, as somebody may see it at some time.
#[derive(Debug)]
pub struct Sight {
    /// What people type.
    pub code: String,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// How far the table is, as far as it has been announced.
    pub stage: Stage,
    /// The language of what is public.
    pub language: Lang,
    /// The hash of its seed, in hex digits.
    pub commitment: String,
    /// When its windows close.
    pub pace: Pace,
    /// The game's options, as they were said.
    pub options: Json,
    /// Whether people are told only how many have sealed.
    pub count_only: bool,
    /// How many chairs there are.
    pub chairs: usize,
    /// Everybody's names, by seat.
    pub names: Vec<String>,
    /// On which chairs somebody sits.
    pub taken: Vec<Seat>,
    /// On which of them a house player sits.
    pub house: Vec<Seat>,
    /// Where the one who looks sits.
    pub seat: Option<Seat>,
    /// Whether it is their table.
    pub is_host: bool,
    /// Why the table waits, if it does: `outage` for its host, `rules` for ours, `pause` and `review`
    /// for its game masters.
    pub held: Option<&'static str>,
    /// Whether its game masters see what is sealed.
    pub is_open: bool,
    /// The contest, once it has begun.
    pub play: Option<Play>,
}

/// The contest of a table, as far as it has been announced.
#[derive(Debug)]
pub struct Play {
    /// The contest. Whoever shows it shows what a viewer may know.
    pub contest: Box<dyn AnyContest>,
    /// The number of the window.
    pub number: i64,
    /// Its times. Where sealings are hidden, when it closes early is not among them.
    pub timing: Timing,
    /// Who is asked.
    pub asked: Vec<Seat>,
    /// How far each seat is. Where sealings are hidden, nobody but oneself is seen to have
    /// declared anything.
    pub progress: BySeat<Progress>,
    /// What the one who looks has declared.
    pub own: Declaration,
    /// The hash of the state at the opening of the root window, in hex digits.
    pub state: String,
    /// If it has closed, and its result is yet to be announced. Where sealings are hidden, nobody
    /// learns so that everybody has sealed.
    pub shut: Option<Shut>,
}

/// A window that has closed before its result is announced (milliseconds since 1970).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shut {
    /// When it closed.
    pub closed: i64,
    /// When the result is announced.
    pub announced: i64,
}

/// What happened in a window that was closed and announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Past {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    /// What the one who looks may know of it.
    pub entries: Vec<Entry<Json>>,
}

/// A window as it is looked back at, once it was closed and announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gone {
    /// The root window, counted from 0, which is the deal.
    pub window: u32,
    /// Whether it belonged to a root window that was being resolved.
    pub suspended: bool,
    /// For whom it had waited.
    pub awaited: Vec<Seat>,
}

/// How many entries of a journal are looked at first for a window that closed a moment ago.
const LAST: i64 = 16;

impl Desk {
    /// A window that was closed and announced. None: it was not, or was never closed.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn gone(
        &self,
        code: &str,
        number: i64,
        now: i64,
    ) -> Result<Option<Gone>, StoreError> {
        let mut session = self.store.read().await?;
        let Some(table) = session.table(code).await? else { return Ok(None) };
        let Some(row) = session.window(code, number).await? else { return Ok(None) };
        for from in [table.entries - LAST, 0] {
            for entry in session.journal(code, from).await? {
                let Happened::Closed { number: closed, window, awaited, announced, .. } =
                    read_json(&entry.body)?
                else {
                    continue;
                };
                if closed == number {
                    // A deal that asks anybody is a root window that is being resolved.
                    let suspended = row.root != number || window == 0;
                    let gone = Gone { window, suspended, awaited };
                    return Ok((announced <= now).then_some(gone));
                }
            }
        }
        Ok(None)
    }

    /// The newest table of somebody's that is not over.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn newest_of(&self, account: &str) -> Result<Option<String>, StoreError> {
        let mut session = self.store.read().await?;
        let Some(person) = session.person(account).await? else { return Ok(None) };
        session.newest_of(&person).await
    }

    /// A table as somebody may see it now. What has not been announced is not seen.
    ///
    /// # Errors
    /// If there is no such table, or this program does not know its rules.
    pub async fn see(&self, code: &str, account: &str, now: i64) -> Result<Sight, NotDone> {
        sight(&mut self.store.read().await?, self.games, code, account, now).await
    }

    /// What has happened at a table so far, as far as it has been announced and this viewer may
    /// know it.
    ///
    /// # Errors
    /// If the database cannot be reached.
    pub async fn past(&self, sight: &Sight, now: i64) -> Result<Vec<Past>, StoreError> {
        let Some(play) = &sight.play else { return Ok(Vec::new()) };
        let viewer = sight.seat.map_or(Viewer::Public, Viewer::Seat);
        let mut past = Vec::new();
        for row in self.store.read().await?.journal(&sight.code, 0).await? {
            let (window, entries) = match read_json(&row.body)? {
                Happened::Dealt { entries, .. } => (0, entries),
                Happened::Closed { window, announced, entries, .. } if announced <= now => {
                    (window, entries)
                }
                _ => continue,
            };
            past.push(Past { window, entries: play.contest.seen(&entries, viewer) });
        }
        Ok(past)
    }
}

/// A table as somebody may see it now.
pub(super) async fn sight(
    session: &mut Session,
    games: Games,
    code: &str,
    account: &str,
    now: i64,
) -> Result<Sight, NotDone> {
    let table = session.table(code).await?.ok_or(Refused::NoTable)?;
    let game = games.of(&table)?;
    let person = session.person(account).await?;
    let seats = session.seats(code).await?;
    let own = seats.iter().find(|row| row.person.is_some() && row.person == person);
    let seat = own.map(|row| row.seat);
    let mut play = None;
    let open = session.window(code, table.open_window).await?;
    let stage = announced_stage(&table, open.as_ref(), now);
    if let Some(open) = open {
        let announced = open.opens_at;
        let before = open.follows.filter(|_| open.opens_at > now);
        let window = match before {
            Some(before) => session.window(code, before).await?.unwrap_or(open),
            None => open,
        };
        let contest = contest(session, game, &table, &seats, &window).await;
        let contest = contest.map_err(StoreError::from)?;
        let filings = session.filings(code, window.number).await?;
        let own = match seat {
            Some(seat) => session.own_declaration(code, window.number, seat).await?,
            None => None,
        };
        let sealing = contest.procedure().sealing;
        let closed =
            if announced > now { session.closed(code, window.number).await? } else { None };
        let closed = closed
            .filter(|(_, why)| sealing == Sealing::Open || why.as_str() != Why::AllSealed.word());
        let is_shown = |row: &&FilingRow| sealing == Sealing::Open || Some(row.seat) == seat;
        let filings: Vec<FilingRow> = filings.iter().filter(is_shown).copied().collect();
        play = Some(Play {
            progress: by_seat(table.chairs, |seat| progress(&window, &filings, seat)),
            number: window.number,
            timing: shown(window.timing(), sealing),
            asked: contest.asked(),
            own: own.map(|own| own.answers).unwrap_or_default(),
            state: hex::encode(contest.state_hash()),
            shut: closed
                .filter(|_| announced < NEVER)
                .map(|(closed, _)| Shut { closed, announced }),
            contest,
        });
    }
    Ok(Sight {
        code: table.code.clone(),
        game,
        stage,
        language: table.language.parse().unwrap_or(Lang::Ja),
        commitment: table.commitment.clone(),
        pace: pace(&table)?,
        options: read_json(&table.options)?,
        count_only: table.count_only != 0,
        chairs: usize::try_from(table.chairs).unwrap_or_default(),
        names: names(&seats),
        taken: seats.iter().map(|row| row.seat).collect(),
        house: seats.iter().filter(|row| row.house.is_some()).map(|row| row.seat).collect(),
        seat,
        is_host: person.is_some_and(|person| person == table.host),
        held: table.held.as_deref().map(held::word),
        is_open: table.oversight != BLIND,
        play,
    })
}

/// What was resolved last at a table, announced or not, as everybody will see it.
pub(super) async fn last(session: &mut Session, sight: &Sight) -> Result<Option<Past>, StoreError> {
    let Some(play) = &sight.play else { return Ok(None) };
    let last = last_closed(session, &sight.code).await?;
    Ok(last.map(|last| Past {
        window: last.window,
        entries: play.contest.seen(&last.entries, Viewer::Public),
    }))
}

/// What was resolved last at a table, whole.
pub(super) async fn last_closed(
    session: &mut Session,
    code: &str,
) -> Result<Option<Past>, StoreError> {
    for row in session.journal(code, 0).await?.into_iter().rev() {
        if let Happened::Closed { window, entries, .. } = read_json(&row.body)? {
            return Ok(Some(Past { window, entries }));
        }
    }
    Ok(None)
}

/// How far a seat is with its declaration for a window.
pub(super) fn progress(window: &WindowRow, filings: &[FilingRow], seat: Seat) -> Progress {
    if !window.asked.0.contains(&seat) {
        return Progress::NothingToDeclare;
    }
    match filings.iter().find(|row| row.seat == seat) {
        None => Progress::NothingDeclared,
        Some(FilingRow { sealed: 0, .. }) => Progress::Draft,
        Some(FilingRow { complete: 0, .. }) => Progress::SealedIncomplete,
        Some(_) => Progress::SealedComplete,
    }
}
