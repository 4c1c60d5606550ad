//! The windows that were closed and announced: their results and their acts.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::model::{Desk, NotDone, Override, Written, contest, refuse_if};
use crate::record::{Event, History, JournalEvent, Lineage, Secrecy};
use crate::view::see::{PlayView, Sight, pending};
use letters::{
    EarlyClose, EndedWindow, Letters, Moment, OwnReceipt, OwnReceipts, Reader, Refused, WhyClosed,
    WhyOpen, follow,
};
use rules::receipt::Receipt;
use rules::window::Progress;
use rules::{Entry, Round, Sealing, Seat, Viewer};
use store::{
    KeptDeclaration, Result, Session, Touched, WindowRow, overrides, people, read_hex, read_json,
    traces, windows,
};
use tables::{AccountId, EntryNumber, Stage, TableCode, TableSetting, Time, WindowNumber};

/// The result of a window that was closed and announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastResult {
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    /// The log entries that the viewer may know.
    pub entries: Vec<Entry<Json>>,
}

/// Returns a closed window as everybody may know it.
fn ended(event: &Event, row: &WindowRow, secrecy: &Secrecy<'_>) -> Option<EndedWindow> {
    let Event::Closed { awaited: all, .. } = event else { return None };
    let missing = if secrecy.is_counted() { all.len() } else { 0 };
    match event.visible_to(Viewer::Public, secrecy)? {
        Event::Closed { number, round: window, awaited, openly, .. } => {
            // A deal that asks anybody is a root window that is being resolved.
            let suspended = row.root != number || window == Round::DEAL;
            Some(EndedWindow { window, suspended, awaited, missing, openly })
        }
        _ => None,
    }
}

/// The number of journal entries that are searched first for a window that closed a moment ago.
const LAST: u32 = 16;

/// `None` if the window was not closed or is not announced; otherwise the window in retrospect.
pub async fn gone(
    desk: &Desk,
    code: &TableCode,
    number: WindowNumber,
    now: Time,
) -> Result<Option<EndedWindow>> {
    let mut db = desk.store.read().await?;
    let Some(table) = db.table(code).await? else { return Ok(None) };
    let Some(row) = windows::window(&mut db, code, number).await? else { return Ok(None) };
    let open = windows::window(&mut db, code, table.open_window).await?;
    let pending = pending(&mut db, code, open.as_ref(), now).await?;
    if pending.contains(&number) {
        return Ok(None);
    }
    for from in [table.entries.saturating_sub(LAST), 0].map(EntryNumber::new) {
        for entry in store::tables::journal(&mut db, code, from).await? {
            let event: Event = read_json(&entry.body)?;
            if matches!(event, Event::Closed { number: closed, .. } if closed == number) {
                let contest = match desk.games.of(&table) {
                    Ok(game) => {
                        let seats = db.seats(code).await?;
                        Some(contest(&mut db, game, &table, &seats, &row).await?)
                    }
                    Err(_) => None,
                };
                let secrecy = Secrecy::of(&table, contest.as_deref());
                return Ok(ended(&event, &row, &secrecy));
            }
        }
    }
    Ok(None)
}

/// Returns the results of a table so far, as far as they have been announced and the viewer may know
/// them. Results that do not count any more are left out.
pub async fn past(desk: &Desk, sight: &Sight, now: Time) -> Result<Vec<PastResult>> {
    let Some(play) = &sight.play else { return Ok(Vec::new()) };
    let viewer = sight.viewer();
    let mut db = desk.store.read().await?;
    let Some(table) = db.table(&sight.code).await? else { return Ok(Vec::new()) };
    let open = windows::window(&mut db, &sight.code, table.open_window).await?;
    let pending = pending(&mut db, &sight.code, open.as_ref(), now).await?;
    let counts = Lineage::of(&mut db, &table).await?.line;
    let is_counted = |number: WindowNumber| counts.contains(&number) && !pending.contains(&number);
    let is_before = |number: WindowNumber| counts.first().is_some_and(|first| number <= *first);
    let secrecy = Secrecy::of(&table, Some(&*play.contest));
    let mut past: Vec<PastResult> = Vec::new();
    let mut acted = false;
    let history = History::load(&mut db, &sight.code).await?;
    for event in history.standing() {
        let follows_act = std::mem::take(&mut acted);
        match event {
            // The game was dealt again.
            Event::Dealt { number, .. } if is_before(*number) => past.clear(),
            Event::Acted { number, .. } if is_counted(*number) => acted = true,
            Event::Closed { number, .. } if is_counted(*number) => {}
            _ => continue,
        }
        let seen = event.visible_to(viewer, &secrecy).and_then(Event::brought);
        let Some((round, entries)) = seen else { continue };
        match past.last_mut() {
            // Acts come before the result of the same window.
            Some(last) if follows_act && last.round == round => last.entries.extend(entries),
            _ => past.push(PastResult { round, entries }),
        }
    }
    Ok(past)
}

/// Returns the last result of a table, announced or not, as everybody will see it.
pub(crate) async fn last(tx: &mut Touched<'_>, sight: &Sight) -> Result<Option<PastResult>> {
    let Some(play) = &sight.play else { return Ok(None) };
    let Some(open) = tx.open_window().await? else { return Ok(None) };
    let last = History::load(tx.db, &sight.code).await?.into_opening(&open);
    let secrecy = Secrecy::of(&tx.table, Some(&*play.contest));
    let seen = last.and_then(|last| last.visible_to(Viewer::Public, &secrecy)?.brought());
    Ok(seen.map(|(round, entries)| PastResult { round, entries }))
}

/// Returns the log entries of the acts in an announced window after the first `behind` ones, as far as no
/// letter shows them and the viewer may know them; and the number of acts by now.
pub async fn acts(
    desk: &Desk,
    sight: &Sight,
    window: Option<WindowNumber>,
    behind: usize,
) -> Result<(Vec<Entry<Json>>, usize)> {
    let Some(play) = &sight.play else { return Ok((Vec::new(), behind)) };
    let (mut acts, mut count) = (Vec::new(), 0);
    let secrecy = Secrecy::seen(sight.settings.has(TableSetting::CountOnly), &*play.contest);
    let history = History::load(&mut desk.store.read().await?, &sight.code).await?;
    for event in history.standing() {
        let Event::Acted { number, entries, .. } = event else { continue };
        if Some(*number) != window {
            continue;
        }
        count += 1;
        if count > behind && play.contest.is_shown(entries) {
            let seen = event.visible_to(sight.viewer(), &secrecy).and_then(Event::brought);
            acts.extend(seen.into_iter().flat_map(|(_, entries)| entries));
        }
    }
    Ok((acts, count))
}

/// True if an act at the table has ever been taken back.
pub async fn has_taken_back(desk: &Desk, code: &TableCode) -> Result<bool> {
    for row in overrides::all(&mut desk.store.read().await?, code).await? {
        if matches!(read_json(&row.what)?, Override::TakeBack { .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A person's own receipts at a table, in order.
#[derive(Debug)]
pub struct Receipts {
    table: TableCode,
    all: Vec<ReceiptView>,
    /// True if the table is over, so that the seals are no secret any more.
    over: bool,
}

/// A person's own receipt.
pub(crate) struct ReceiptView {
    /// The root window, counted from 0, which is the deal; `None` if the window was rewound.
    window: Option<Round>,
    /// True if the window belonged to a root window that was being resolved.
    suspended: bool,
    /// The time when the window closed; `None` if it has not, or never did.
    closed: Option<Time>,
    /// The deadline of the window, if it is open.
    closes: Option<Time>,
    receipt: Receipt,
    /// The text that the receipt is the hash of.
    text: String,
}

impl std::fmt::Debug for ReceiptView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A declaration must not reach a log.
        f.debug_struct("Own").field("receipt", &self.receipt).finish_non_exhaustive()
    }
}

/// Returns the receipts of the person's seals at a table, for themselves.
/// Refused if they do not sit there and never did.
pub async fn receipts(
    desk: &Desk,
    sight: &Sight,
    account: &AccountId,
    now: Time,
) -> Result<Receipts, NotDone> {
    let mut db = desk.store.read().await?;
    let person = people::person(&mut db, account).await?;
    let mut stored = match &person {
        Some(person) => traces::kept_declarations(&mut db, person).await?,
        None => Vec::new(),
    };
    // A substitute declares in the open window, and has no value of their own.
    let stands_in = sight.seat.filter(|_| sight.value.is_none());
    if let (Some(seat), Some(play)) = (stands_in, &sight.play) {
        stored.extend(traces::kept_declaration(&mut db, &sight.code, play.number, seat).await?);
    }
    let last = sight.play.as_ref().map(|play| play.number);
    stored.retain(|row| row.code == sight.code && row.sealed.0 && Some(row.number) <= last);
    refuse_if(stored.is_empty() && sight.seat.is_none(), Refused::NotSeated)?;
    let windows = windows(&mut db, &sight.code).await?;
    let (mut all, mut known) = (Vec::new(), BTreeSet::new());
    for row in stored {
        let Some((number, receipt, text)) = bound(&mut db, &row).await? else { continue };
        // A declaration that is taken over into another window has one receipt only.
        if known.insert(*receipt.hash()) {
            all.push(own(&mut db, sight, &windows, number, (receipt, text), now).await?);
        }
    }
    let over = sight.stage == Stage::Over;
    Ok(Receipts { table: sight.code.clone(), all, over })
}

/// Reads the root window of each closed window, with true if the window belonged to a root window that was
/// being resolved.
pub(crate) async fn windows(
    db: &mut Session,
    code: &TableCode,
) -> Result<BTreeMap<WindowNumber, (Round, bool)>> {
    let mut windows = BTreeMap::new();
    let history = History::load(db, code).await?;
    for (number, round) in history.events().filter_map(Event::closed_window) {
        let root = windows::window(db, code, number).await?.map(|row| row.root);
        // A deal that asks anybody is a root window that is being resolved.
        windows.insert(number, (round, root != Some(number) || round == Round::DEAL));
    }
    Ok(windows)
}

/// `None` if the declaration has no receipt; otherwise the window in which it was sealed, its receipt, and
/// the text that the receipt is the hash of. A seal of one window may count in another.
pub(crate) async fn bound(
    db: &mut Session,
    row: &KeptDeclaration,
) -> Result<Option<(WindowNumber, Receipt, String)>> {
    let (Some(salt), Some(hash)) = (&row.salt, &row.hash) else { return Ok(None) };
    let (salt, hash) = (read_hex(salt)?, read_hex(hash)?);
    let seat = row.seat;
    let declaration = read_json(&row.answers)?;
    for number in windows::again(db, &row.code, row.number).await? {
        let window = number.get();
        let receipt = Receipt::of(row.code.as_str(), window, seat, &salt, &declaration);
        if *receipt.hash() == hash {
            let text = Receipt::text(row.code.as_str(), window, seat, &salt, &declaration);
            return Ok(Some((number, receipt, text)));
        }
    }
    Ok(None)
}

pub(crate) async fn own(
    db: &mut Session,
    sight: &Sight,
    windows: &BTreeMap<WindowNumber, (Round, bool)>,
    number: WindowNumber,
    (receipt, text): (Receipt, String),
    now: Time,
) -> Result<ReceiptView> {
    let open = sight.play.as_ref().filter(|play| play.number == number);
    let open = open.filter(|play| sight.stage == Stage::Playing && now < play.timing.closes);
    if let Some(play) = open {
        return Ok(ReceiptView {
            window: Some(play.contest.round()),
            suspended: play.contest.is_suspended(),
            closed: play.shut.map(|shut| shut.closed),
            closes: play.shut.is_none().then_some(play.timing.closes),
            receipt,
            text,
        });
    }
    let (window, suspended) = windows.get(&number).copied().unzip();
    let closed = windows::closed(db, &sight.code, number).await?.map(|(at, _)| at);
    let suspended = suspended.unwrap_or_default();
    Ok(ReceiptView { window, suspended, closed, closes: None, receipt, text })
}

impl Receipts {
    /// Returns the short codes of the receipts.
    pub fn codes(&self) -> Vec<String> {
        self.all.iter().map(|own| own.receipt.code()).collect()
    }

    /// Writes the receipts.
    pub fn written(&self, letters: &Letters, reader: &Reader, zone: Tz) -> Written {
        let shown = |own: &ReceiptView| OwnReceipt {
            window: own.window,
            suspended: own.suspended,
            closed: own.closed.map(|at| Moment::at(at, zone)),
            closes: own.closes.map(|at| Moment::at(at, zone)),
            code: own.receipt.code(),
            hash: hex::encode(own.receipt.hash()),
        };
        let shown: Vec<OwnReceipt> = self.all.iter().map(shown).collect();
        let (code, receipts, over) = (&self.table, &shown[..], self.over);
        letters.write(reader, &OwnReceipts { code, receipts, over })
    }

    /// Returns the shell commands that compute each receipt again; empty before the table is over.
    pub fn commands(&self) -> String {
        if !self.over {
            return String::new();
        }
        let command = |own: &ReceiptView| {
            let text = own.text.replace('\'', r"'\''");
            let (code, hash) = (own.receipt.code(), hex::encode(own.receipt.hash()));
            format!("# {code} = {hash}\nprintf %s '{text}' | sha256sum\n")
        };
        self.all.iter().map(command).collect::<Vec<_>>().join("\n")
    }
}

/// `None` if no window has closed; otherwise the close of the last window that was announced. For a
/// window that was resolved again, this is its first close.
pub async fn last_close(desk: &Desk, sight: &Sight, now: Time) -> Result<Option<WhyClosed>> {
    let Some(play) = &sight.play else { return Ok(None) };
    let mut db = desk.store.read().await?;
    let Some(table) = db.table(&sight.code).await? else { return Ok(None) };
    let open = windows::window(&mut db, &sight.code, table.open_window).await?;
    let pending = pending(&mut db, &sight.code, open.as_ref(), now).await?;
    let counts = Lineage::of(&mut db, &table).await?.line;
    let history = History::load(&mut db, &sight.code).await?;
    let secrecy = Secrecy::of(&table, Some(&*play.contest));
    let is_last = |number: WindowNumber| counts.contains(&number) && !pending.contains(&number);
    let mut newest_first = history.events().rev().filter_map(Event::closed_window);
    let Some((last, _)) = newest_first.find(|(number, _)| is_last(*number)) else {
        return Ok(None);
    };
    let first = windows::again(&mut db, &sight.code, last).await?.into_iter().min();
    let is_first = |event: &Event| event.closed_window().map(|(number, _)| number) == first;
    let mut all = history.0.iter().filter(|happened| is_first(&happened.event));
    Ok(all.find_map(|JournalEvent { row, event }| {
        match event.visible_to(Viewer::Public, &secrecy) {
            Some(Event::Closed { round: window, why, awaited, openly, .. }) => {
                let closed = Moment::at(row.at, sight.zone);
                Some(WhyClosed { window, closed, why, openly, awaited })
            }
            _ => None,
        }
    }))
}

impl Sight {
    /// Returns the seats that are missing in the open window, as far as this is public: the late ones, and
    /// those that the window waits for. In the grace period the window waits for late seats only.
    pub(crate) fn missing(&self) -> (Vec<Seat>, Vec<Seat>) {
        let (presence, play) = (self.presence(), self.play.as_ref());
        let is_missing =
            |progress: Progress| matches!(progress, Progress::NothingDeclared | Progress::Draft);
        let named = play.map(|play| self.window_progress(play).seats).unwrap_or_default();
        let named = named.into_iter().filter(|of| is_missing(of.progress)).map(|of| of.seat);
        // If everything is done by acts, everybody sees who has still something to do.
        let asked = play.filter(|_| self.is_open_handed()).map_or(&[][..], |play| &play.asked);
        let asked = asked.iter().filter(|seat| !self.house.contains(seat)).copied();
        let missing = named.chain(asked).filter(|seat| presence.waits_for(*seat));
        let (late, awaited) = missing.partition(|seat| presence.late.contains(seat));
        (late, if presence.grace { Vec::new() } else { awaited })
    }

    /// Writes the reason why the open window has not closed yet; empty if none is open.
    pub fn why_open(&self, letters: &Letters, reader: &Reader, now: Time) -> Written {
        let Some(play) = self.play.as_ref().filter(|_| self.stage == Stage::Playing) else {
            return Ok(String::new());
        };
        let mut text = match self.shut(letters, reader)? {
            Some(shut) => return Ok(shut),
            None => self.waiting(letters, reader)?.unwrap_or_default(),
        };
        if self.is_clock_running() {
            follow(&mut text, &self.why_awaited(play, letters, reader, now)?);
        }
        Ok(text)
    }

    fn why_awaited(
        &self,
        play: &PlayView,
        letters: &Letters,
        reader: &Reader,
        now: Time,
    ) -> Written {
        let (presence, standing) = (self.presence(), self.window_progress(play));
        let (late, awaited) = self.missing();
        let why = WhyOpen {
            window: play.contest.round(),
            awaited: if presence.grace { &late } else { &awaited },
            openly: standing.openly,
            hidden: standing.hidden,
            count: standing.count,
            grace: presence.grace,
            closes: Moment::at(play.timing.closes, self.zone),
            put_off: presence.put_off,
            excepted: self.window_pace().is_moved_by_excepted_days(play.timing.opens),
            early: self.early(play, now).filter(|_| !presence.grace && self.held.is_none()),
            locked: self.held.is_some(),
        };
        letters.write(reader, &why)
    }

    /// `None` if the open window does not close before its deadline; otherwise its early close: the actual
    /// one if all have sealed openly, else the one if all sealed by now.
    fn early(&self, play: &PlayView, now: Time) -> Option<EarlyClose> {
        let (pace, timing) = (self.window_pace(), play.timing);
        if !(pace.early && play.contest.procedure().closes_early) {
            return None;
        }
        let (last, sealing) = (now.max(timing.opens), play.among);
        let (soonest, delays) = pace.early_close_after(timing.opens, last, sealing);
        let settles = timing.settles.filter(|_| sealing == Sealing::Open);
        let at = settles.unwrap_or(soonest);
        (at < timing.closes).then(|| EarlyClose {
            all_sealed: settles.is_some(),
            at: Moment::at(at, self.zone),
            delays,
        })
    }
}
