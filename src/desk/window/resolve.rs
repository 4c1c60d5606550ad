//! The close of a window: its resolution, and the next window.

use crate::absence::attendance::{Attendance, There, is_deserted, sealing_among};
use crate::absence::reputation;
use crate::model::load::{Games, Unloaded, window_pace};
use crate::record::event::{Event, Secrecy, drafts_hash, record, sealed_hashes};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::record::tell::Holding;
use crate::window::next::{NextWindow, PresenceSnapshot, asks_people};
use crate::window::strike::{Striking, TakenUp};
use games::any::AnyContest;
use rules::contest::LoadError;
use rules::{self, BySeat, Declaration, Seat};
use store::{
    DeclarationProgressRow, DeclarationRow, SeatRow, Standstill, StoreError, Touched, WindowRow,
};
use tables::absence::Occasion;
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{CloseReason, HoldReason, Pace};

/// A window that is to be closed, and the reason.
pub(crate) struct Closing<'a> {
    pub(crate) games: Games,
    pub(crate) window: &'a WindowRow,
    pub(crate) why: CloseReason,
    /// The first parts of the letters, such as the reason for a delay.
    pub(crate) remarks: Vec<Part>,
    /// The hashes of the window's seals that have been shown already.
    pub(crate) shown: &'a [String],
    /// `None` if the pace sets the announcement of the result; otherwise its time.
    pub(crate) announced: Option<Time>,
    pub(crate) now: Time,
}

impl Closing<'_> {
    /// Closes the window, resolves its declarations, and opens the next. Returns false if it was closed
    /// already.
    pub(crate) async fn resolve(self, touched: &mut Touched<'_>) -> Result<bool, StoreError> {
        match TakenUp::of(touched, self.games, self.window, self.now).await? {
            Some(at) => self.resolve_at(touched, at).await,
            None => Ok(false),
        }
    }

    /// Closes the window, resolves it and opens the next, from data that have been read.
    pub(crate) async fn resolve_at(
        self,
        touched: &mut Touched<'_>,
        at: TakenUp,
    ) -> Result<bool, StoreError> {
        let Self { games, window, why, mut remarks, shown, announced, now } = self;
        let pace = &window_pace(&touched.table, window);
        // A window that is resolved again keeps its earlier strikes.
        let occasion = announced.is_none().then(|| occasion(why, !remarks.is_empty()));
        let striking = Striking { window, pace, now };
        let strikes = occasion.map(|on| striking.strike(touched, &at, on)).transpose()?;
        let TakenUp { seats, contest, attendance, absence, .. } = at;
        let (mut struck, mut progress_rows) = (&[][..], attendance.declaration_progress());
        let mut presences = attendance.presences();
        if let Some(strikes) = &strikes {
            (struck, progress_rows) = (&strikes.struck, &strikes.progress_rows);
            presences = &strikes.presences;
        }
        let awaited = not_sealed(window, progress_rows);
        let Some(closed) = touched.close(why, &awaited, now).await? else { return Ok(false) };
        let opened = closed.declarations().await?;
        let holding = |failed: String| {
            let what = HoldReason::Rules(failed);
            Holding { seats: &seats, window, what, now }
        };
        let mut contest = match contest {
            Ok(contest) => contest,
            Err(LoadError::Held(held)) => {
                holding(held.to_string()).hold(touched).await?;
                return Ok(true);
            }
            Err(error) => return Err(Unloaded::Load(error).into()),
        };
        let there = There::of(&seats, progress_rows, &*contest, window);
        let (before, openly) = (contest.round(), is_done_openly(&*contest));
        let procedure = contest.procedure();
        let resolution = match contest.close(declared(touched.table.chairs, &opened)) {
            Ok(resolution) => resolution,
            Err(held) => {
                holding(held.to_string()).hold(touched).await?;
                return Ok(true);
            }
        };
        let is_anew = announced.is_some();
        let asked = asks_people(&seats, &procedure, &window.asked.0);
        let announced = announced.unwrap_or_else(|| announced_at(asked, window, pace, now));
        let sealed = sealed_hashes(&opened);
        let new = unshown(&sealed, shown);
        let happened = Event::Closed {
            number: window.number,
            round: before,
            why,
            awaited,
            openly,
            sealed,
            announced,
            opens: window.opens_at,
            closes: window.closes_at,
            drafts: drafts_hash(&opened)?,
            entries: resolution.entries,
            state: hex::encode(contest.state_hash()),
        };
        record(touched, &happened, now)?;
        reputation::count(touched, window, strikes.as_ref(), announced).await?;
        if !is_anew && is_told_shut(why, &seats, procedure.sealing) {
            remarks = Shutting { seats: &seats, pace, number: window.number, why, now, announced }
                .tell(touched, remarks)
                .await?;
        }
        let stops = !is_anew && contest.standing().is_none() && touched.standstill.is_none();
        if stops && is_deserted(touched, games, window, why, there).await? {
            stop(touched, &seats, announced, now).await?;
        }
        let next = NextWindow {
            root: (contest.is_suspended() && contest.round() == before).then_some(window.root),
            follows: Some(window.number),
            opens: announced,
            known: Some(PresenceSnapshot { presences: presences.to_vec(), absence }),
            ..NextWindow::of(&seats, &*contest, now)
        };
        let table = touched.table.clone();
        let secrecy = Secrecy::of(&table, Some(&*contest));
        let head = touched.table.chain.clone();
        let receipts = Part::Receipts { sealed: secrecy.sealed(&new), head };
        let struck = Event::Struck { number: window.number, struck: struck.to_vec() };
        tell_struck(touched, &seats, announced, &struck, &secrecy).await?;
        let parts = |you: Option<Seat>| {
            let mut parts = happened.told_to(you, &secrecy);
            let result = parts.pop();
            (remarks.iter().cloned())
                .chain(closed_by_gm(&happened, &remarks))
                .chain(parts)
                .chain(struck.told_to(you, &secrecy))
                .chain(result)
                .chain([receipts.clone()])
                .collect()
        };
        next.open(touched, parts).await?;
        Ok(true)
    }
}

/// Returns the hashes of seals that have not been shown.
fn unshown(sealed: &[(Option<Seat>, String)], shown: &[String]) -> Vec<(Option<Seat>, String)> {
    sealed.iter().filter(|(_, hash)| !shown.contains(hash)).cloned().collect()
}

/// True if no person seals anything in the window that closes. If no seat is asked any more, everything has
/// been done by acts.
pub(crate) fn is_done_openly(contest: &dyn AnyContest) -> bool {
    contest.is_open_handed() || contest.asked().is_empty() || !contest.procedure().asks_people
}

/// `None` unless a game master closed the window and no remark has announced this; otherwise the part about
/// the close.
fn closed_by_gm(happened: &Event, remarks: &[Part]) -> Option<Part> {
    let is_it = matches!(happened, Event::Closed { why: CloseReason::GameMaster, .. });
    (is_it && remarks.is_empty()).then(|| Part::Event(happened.clone().without_result()))
}

/// Returns the occasion of a close for this reason, after an outage if `is_late`.
fn occasion(why: CloseReason, is_late: bool) -> Occasion {
    match why {
        CloseReason::Deadline if is_late => Occasion::AfterOutage,
        CloseReason::Deadline => Occasion::Deadline,
        CloseReason::AllSealed => Occasion::AllSealed,
        CloseReason::GameMaster => Occasion::GmClose,
    }
}

/// Returns the seats that were asked in a window and have not sealed.
fn not_sealed(window: &WindowRow, progress_rows: &[DeclarationProgressRow]) -> Vec<Seat> {
    let has_sealed =
        |seat: &&Seat| progress_rows.iter().any(|row| row.seat == **seat && row.sealed);
    window.asked.0.iter().filter(|seat| !has_sealed(seat)).copied().collect()
}

/// Sends each seat that was struck in this window its own strike at the announcement, if the table is public.
async fn tell_struck(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    announced: Time,
    event: &Event,
    secrecy: &Secrecy<'_>,
) -> Result<(), StoreError> {
    let Event::Struck { number, struck } = event else { return Ok(()) };
    if touched.table.place.is_none() {
        return Ok(());
    }
    let notice = Notice::of(seats, format!("{number}-struck"), announced);
    let own = |seat| {
        let struck = struck.iter().filter(|struck| struck.seat == seat).copied().collect();
        Event::Struck { number: *number, struck }.told_to(Some(seat), secrecy)
    };
    notice.post_to_each(touched, own).await
}

/// Holds the deserted table from the opening of its next window on. At a public table the host is also asked
/// privately.
async fn stop(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    since: Time,
    now: Time,
) -> Result<(), StoreError> {
    touched.standstill = Some(Standstill { why: HoldReason::Deserted, until: None, since });
    let (number, why) = (touched.table.next_window(), HoldReason::Deserted);
    let held = Event::Held { number, why, until: None };
    record(touched, &held, now)?;
    if touched.table.place.is_none() {
        return Ok(());
    }
    let host = seats.iter().find(|row| row.person.as_ref() == Some(&touched.table.host));
    let Some(seat) = host.map(|row| row.seat) else { return Ok(()) };
    let notice = Notice::of(seats, format!("{number}-deserted"), since);
    let own = |of: Seat| (of == seat).then(|| Part::Event(held.clone())).into_iter().collect();
    notice.post_to_each(touched, own).await
}

/// Returns the announcement time of the result of a window that closes now.
fn announced_at(asked_people: bool, window: &WindowRow, pace: &Pace, now: Time) -> Time {
    // A window that asked only bot players or standing orders keeps nobody waiting.
    if asked_people {
        pace.announced(window.opens_at, now).max(now)
    } else {
        pace.out_of_quiet(now)
    }
}

/// A window that has closed before its deadline.
struct Shutting<'a> {
    seats: &'a [SeatRow],
    pace: &'a Pace,
    number: WindowNumber,
    why: CloseReason,
    now: Time,
    announced: Time,
}

/// `None` if a close is announced with its result; otherwise the time of the announcement before it:
/// immediately for a game master's close, out of quiet hours for any other.
pub(crate) fn shut_is_told(
    pace: &Pace,
    why: CloseReason,
    closed: Time,
    announced: Time,
) -> Option<Time> {
    let at = if why == CloseReason::GameMaster { closed } else { pace.out_of_quiet(closed) };
    (at < announced).then_some(at)
}

/// True if a close is announced before its result: not if that would show who has sealed.
fn is_told_shut(why: CloseReason, seats: &[SeatRow], sealing: rules::Sealing) -> bool {
    match why {
        CloseReason::GameMaster => true,
        CloseReason::AllSealed => sealing_among(seats, sealing) == rules::Sealing::Open,
        CloseReason::Deadline => false,
    }
}

impl Shutting<'_> {
    /// Announces that the result is to be waited for, with a game master's remarks on the close; returns the
    /// remarks that could not be announced. A host who closed the window without remarks is not notified.
    async fn tell(
        self,
        touched: &mut Touched<'_>,
        remarks: Vec<Part>,
    ) -> Result<Vec<Part>, StoreError> {
        let Self { pace, number, why, now: closed, announced, .. } = self;
        let is_gms = why == CloseReason::GameMaster;
        let Some(send_at) = shut_is_told(pace, why, closed, announced) else {
            // Only a game master's own words are announced with the result.
            return Ok(if is_gms { remarks } else { Vec::new() });
        };
        let reasons = if is_gms { remarks } else { Vec::new() };
        let host = touched.table.host.clone();
        let is_known = why == CloseReason::GameMaster && reasons.is_empty();
        let knows = |row: &&SeatRow| is_known && row.person.as_ref() == Some(&host);
        let seats: Vec<SeatRow> = self.seats.iter().filter(|row| !knows(row)).cloned().collect();
        let notice = Notice::of(&seats, format!("{number}-shut"), send_at);
        let parts = |_| reasons.iter().cloned().chain([Part::Shut { closed, announced }]).collect();
        notice.post(touched, parts).await?;
        Ok(Vec::new())
    }
}

/// Updates the early close of the open window after its declarations have changed.
pub(crate) async fn settle(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
    now: Time,
) -> Result<(), StoreError> {
    let pace = window_pace(&touched.table, window);
    let attendance = Attendance::of(touched, window, now).await?;
    let mut timing = window.timing();
    attendance.settle(&mut timing, &pace, &contest.procedure());
    touched.time(timing);
    if touched.table.held.is_none() {
        touched.look_at(Some(timing.next(&pace)));
    }
    Ok(())
}

fn declared(chairs: usize, opened: &[DeclarationRow]) -> rules::BySeat<Option<Declaration>> {
    BySeat::new(chairs, |seat| {
        opened.iter().find(|row| row.seat == seat).map(|row| row.answers.clone())
    })
}
