//! The close of a window: its resolution, and the next window.

use std::sync::Arc;

use crate::absence::attendance::{Attendance, There, is_deserted, procedure_among, sealing_among};
use crate::absence::{attendance, reputation};
use crate::model::load::{Games, Unloaded, dice, house_chance, window_pace};
use crate::model::random::seal;
use crate::record::event::{Event, Secrecy, drafts_hash, record, sealed_hashes};
use crate::record::files;
use crate::record::letter::{Call, Notice, OPENING, Part};
use crate::record::tell::{Holding, opening, standing_still};
use crate::window::act;
use crate::window::said_ahead::{become_drafts, orders_declare, own_part, tell_each, tidings};
use crate::window::strike::{Striking, TakenUp};
use games::any::AnyContest;
use rules::contest::LoadError;
use rules::{self, BySeat, Declaration, Seat};
use store::{
    DeclarationProgressRow, DeclarationRow, PresenceRow, SeatRow, Seats, Standstill, StoreError,
    TableRow, Touched, WindowRow,
};
use tables::absence::Occasion;
use tables::calling::CallTo;
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{Absence, CloseReason, EndKind, HoldReason, Pace, Stage, Timing};

/// A window that is to be closed, and the reason.
pub(crate) struct Closing<'a> {
    pub(crate) games: Games,
    pub(crate) window: &'a WindowRow,
    /// The pace of the table; the window has that of its kind.
    pub(crate) pace: &'a Pace,
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
        let Self { games, window, pace: table_pace, why, mut remarks, shown, announced, now } =
            self;
        let pace = &table_pace.clone().of(window.kind);
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
            Holding { seats: &seats, pace, window, what, now }
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
            stop(touched, &seats, pace, announced, now).await?;
        }
        let next = NextWindow {
            seats: &seats,
            pace: table_pace,
            contest: &*contest,
            root: (contest.is_suspended() && contest.round() == before).then_some(window.root),
            follows: Some(window.number),
            opens: announced,
            timing: None,
            known: Some(PresenceSnapshot { presences: presences.to_vec(), absence }),
            now,
        };
        let table = touched.table.clone();
        let secrecy = Secrecy::of(&table, Some(&*contest));
        let head = touched.table.chain.clone();
        let receipts = Part::Receipts { sealed: secrecy.sealed(&new), head };
        let struck = Event::Struck { number: window.number, struck: struck.to_vec() };
        tell_struck(touched, &seats, pace, announced, &struck, &secrecy).await?;
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
    pace: &Pace,
    announced: Time,
    event: &Event,
    secrecy: &Secrecy<'_>,
) -> Result<(), StoreError> {
    let Event::Struck { number, struck } = event else { return Ok(()) };
    if touched.table.place.is_none() {
        return Ok(());
    }
    let id = format!("{number}-struck");
    let notice = Notice { seats, zone: pace.zone, contest: None, id, send_at: announced };
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
    pace: &Pace,
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
    let id = format!("{number}-deserted");
    let notice = Notice { seats, zone: pace.zone, contest: None, id, send_at: since };
    let own = |of: Seat| (of == seat).then(|| Part::Event(held.clone())).into_iter().collect();
    notice.post_to_each(touched, own).await
}

/// Returns the announcement time of the result of a window that closes now.
fn announced_at(asked_people: bool, window: &WindowRow, pace: &Pace, now: Time) -> Time {
    // A window that asked only house players or standing orders keeps nobody waiting.
    if asked_people {
        pace.announced(window.opens_at, now).max(now)
    } else {
        pace.out_of_quiet(now)
    }
}

/// True if a window asks a person, and not their standing orders alone.
fn asks_people(seats: &[SeatRow], procedure: &rules::Procedure, asked: &[Seat]) -> bool {
    procedure.asks_people
        && seats.iter().any(|row| row.person.is_some() && asked.contains(&row.seat))
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
        let notice = Notice {
            seats: &seats,
            zone: pace.zone,
            contest: None,
            id: format!("{number}-shut"),
            send_at,
        };
        let parts = |_| reasons.iter().cloned().chain([Part::Shut { closed, announced }]).collect();
        notice.post(touched, parts).await?;
        Ok(Vec::new())
    }
}

/// The next window.
pub(crate) struct NextWindow<'a> {
    pub(crate) seats: &'a [SeatRow],
    /// The pace of the table; the window has that of its kind.
    pub(crate) pace: &'a Pace,
    pub(crate) contest: &'a dyn AnyContest,
    /// The first window of the same root window; `None` if this one begins it.
    pub(crate) root: Option<WindowNumber>,
    /// The window whose end opens this one; `None` for the first.
    pub(crate) follows: Option<WindowNumber>,
    pub(crate) opens: Time,
    /// `None` if the pace sets the times of the window; otherwise the times.
    pub(crate) timing: Option<Timing>,
    /// The attendance by now, if that is known.
    pub(crate) known: Option<PresenceSnapshot>,
    pub(crate) now: Time,
}

/// `None` if no pace has been set for the windows that follow; otherwise this pace, which becomes the
/// table's.
async fn take_up_pace(touched: &mut Touched<'_>) -> Result<Option<Arc<Pace>>, StoreError> {
    let Some(next) = touched.table.next_pace.clone() else { return Ok(None) };
    touched.keep_paces(next.clone(), None).await?;
    Ok(Some(next))
}

/// The attendance when a window opens.
pub(crate) struct PresenceSnapshot {
    /// The attendance rows of the seats.
    pub(crate) presences: Vec<PresenceRow>,
    /// The absence settings.
    pub(crate) absence: Absence,
}

/// The parts of the letter to a seat, or of the public letter.
pub(crate) type Told<'a> = &'a (dyn Fn(Option<Seat>) -> Vec<Part> + Send + Sync);

impl NextWindow<'_> {
    /// Opens the window, lets the house players declare, and announces the last result and the new questions.
    /// After the end of the game the window asks nobody, and stores the final state.
    pub(crate) async fn open(
        self,
        touched: &mut Touched<'_>,
        report: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let set = if self.timing.is_none() { take_up_pace(touched).await? } else { None };
        let pace = set.as_deref().unwrap_or(self.pace);
        NextWindow { pace, ..self }.open_at_its_pace(touched, report).await
    }

    async fn open_at_its_pace(
        &self,
        touched: &mut Touched<'_>,
        report: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        let Self { seats, contest, root, follows, opens, ref known, .. } = *self;
        let (number, pace) = (touched.table.next_window(), &self.window_pace());
        let saved = contest.save();
        let timing = self.timing.unwrap_or_else(|| Timing::open(pace, opens));
        let window = WindowRow {
            number,
            root: root.unwrap_or(number),
            kind: contest.procedure().kind,
            said: saved.said,
            asked: Seats(contest.asked()),
            opens_at: timing.opens,
            closes_at: timing.closes,
            settles_at: timing.settles,
            reminded_at: timing.reminded,
            follows,
            again: None,
        };
        touched.open(&window);
        if root.is_none() {
            let hash = hex::encode(contest.opening_hash());
            touched.keep_state(number, saved.root, hash);
        }
        touched.turn_to(Stage::Playing, Some(number), None);
        let mut progress_rows = house_declares(touched, contest, seats, &contest.asked(), number)?;
        if root.is_none() {
            progress_rows
                .extend(become_drafts(touched, contest, seats, number, timing.opens).await?);
        }
        let at = (number, timing.opens);
        let progress_rows = orders_declare(touched, contest, seats, at, progress_rows).await?;
        if contest.standing().is_some() {
            record(touched, &played(&touched.table), self.now)?;
        }
        let known = known.as_ref().map(|PresenceSnapshot { presences, absence }| {
            Attendance::next(presences.clone(), progress_rows, *absence, &window, self.now)
        });
        self.begin(touched, number, known, &report).await
    }

    /// Returns the pace of the window.
    fn window_pace(&self) -> Pace {
        self.pace.clone().of(self.contest.procedure().kind)
    }

    /// Lets the window that is open now begin, and announces it.
    pub(crate) async fn announce(
        &self,
        touched: &mut Touched<'_>,
        number: WindowNumber,
        report: impl Fn(Option<Seat>) -> Vec<Part> + Send + Sync,
    ) -> Result<(), StoreError> {
        self.begin(touched, number, None, &report).await
    }

    /// Lets the window begin, with its attendance if that is known already.
    async fn begin(
        &self,
        touched: &mut Touched<'_>,
        number: WindowNumber,
        known: Option<Attendance>,
        report: Told<'_>,
    ) -> Result<(), StoreError> {
        let Self { contest, opens, now, .. } = *self;
        let pace = &self.window_pace();
        let over = contest.standing().is_some();
        let mut timing = self.timing.unwrap_or_else(|| Timing::open(pace, opens));
        if over {
            timing.opens = opens;
            timing.closes = opens;
        }
        touched.time(timing);
        // The lines of a side are deleted after the announcement of the end, so that nobody learns of it earlier.
        let has_sides = over && contest.sides().iter().any(|(_, side)| side.is_some());
        let (stage, look_at) = if over {
            (Stage::Over, (has_sides && opens > now).then_some(opens))
        } else {
            (Stage::Playing, Some(timing.next(pace)))
        };
        if has_sides && look_at.is_none() {
            touched.drop_side_lines().await?;
        }
        touched.turn_to(stage, Some(number), look_at);
        if !over {
            let procedure = contest.procedure();
            timing = attendance::begin(touched, pace, &procedure, timing, known, now).await?;
            if let Some(Standstill { why, until, since }) = touched.standstill.clone() {
                touched.hold(why, until, since);
            }
        }
        let tidings = tidings(touched, contest, number).await?;
        let is_told_alone = touched.table.place.is_some();
        let report = |you: Option<Seat>| {
            let own = you.filter(|_| !is_told_alone).map(|seat| own_part(&tidings, seat));
            report(you).into_iter().chain(own.unwrap_or_default()).collect()
        };
        let id = format!("{number}-{OPENING}");
        self.tell(touched, &id, number, timing, &report).await?;
        let notice = Notice {
            seats: self.seats,
            zone: pace.zone,
            contest: None,
            id: format!("{id}-draft"),
            send_at: opens,
        };
        tell_each(touched, notice, &tidings).await?;
        if over {
            return Ok(());
        }
        act::house_begins(touched, contest, self.seats, pace, now).await
    }

    /// Announces the last result and the new questions, in letters whose ids begin with `id`.
    pub(crate) async fn tell(
        &self,
        touched: &mut Touched<'_>,
        id: &str,
        number: WindowNumber,
        timing: Timing,
        report: Told<'_>,
    ) -> Result<(), StoreError> {
        let Self { seats, contest, opens, .. } = *self;
        let pace = &self.window_pace();
        let over = played(&touched.table);
        let procedure = contest.procedure();
        let soonest = timing.soonest(pace, &procedure_among(seats, &procedure), opens);
        // A window that asks bots alone closes at a known time, and not before.
        let (timing, announced, soonest) = if asks_people(seats, &procedure, &contest.asked()) {
            (timing, pace.announced(timing.opens, timing.closes), soonest)
        } else {
            let closes = timing.settles.unwrap_or(timing.closes);
            (Timing { closes, ..timing }, closes, None)
        };
        let still = standing_still(&touched.table);
        let is_still = touched.table.held.as_ref().is_some_and(HoldReason::stops_clock);
        let notice = Notice {
            seats,
            zone: pace.zone,
            contest: Some(contest),
            id: id.to_owned(),
            send_at: opens,
        };
        let parts = |seat| {
            let mut parts = report(seat);
            if contest.standing().is_some() {
                parts.extend([Part::Scores, Part::Event(over.clone())]);
            } else if procedure.asks_people {
                parts.push(opening(contest, number, timing, announced, soonest, is_still));
                parts.extend(still.clone());
            }
            parts
        };
        notice.post(touched, parts).await?;
        if contest.standing().is_none() {
            return self.call_to_opening(touched, id, number, timing).await;
        }
        files::post(touched, seats, id, opens).await
    }
}

impl NextWindow<'_> {
    /// Calls the players who are asked in the window that opens and whom its post does not call.
    async fn call_to_opening(
        &self,
        touched: &mut Touched<'_>,
        id: &str,
        number: WindowNumber,
        timing: Timing,
    ) -> Result<(), StoreError> {
        let Self { seats, contest, opens, .. } = *self;
        let (Timing { closes, .. }, zone) = (timing, self.pace.zone);
        let is_silent = touched.table.place.is_none()
            || touched.table.held.is_some()
            || contest.procedure().kind.is_optional();
        let (asked, suspended) = (contest.asked(), contest.is_suspended());
        let by_letter = |row: &&SeatRow| {
            let is_asked = row.person.is_some() && asked.contains(&row.seat);
            is_asked && !row.settings.is_called_by_post(opens, closes, zone)
        };
        let called: Vec<SeatRow> = seats.iter().filter(by_letter).cloned().collect();
        if is_silent || called.is_empty() {
            return Ok(());
        }
        let id = format!("{id}-call");
        let notice = Notice { seats: &called, zone, contest: None, id, send_at: opens };
        let round = contest.round();
        let opened = Part::Opened { number, round, suspended, closes };
        let call = Call { to: CallTo::Opening, too_late: closes };
        notice.call_each(touched, call, |_| vec![opened.clone()]).await
    }
}

/// Returns the event of a game that was played to its end.
fn played(table: &TableRow) -> Event {
    Event::Over { how: EndKind::Played, seed: table.seed.clone(), reason: None }
}

/// Seals the declarations of the house players among these seats in the open window; returns their progress.
pub(crate) fn house_declares(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    among: &[Seat],
    number: WindowNumber,
) -> Result<Vec<DeclarationProgressRow>, StoreError> {
    let mut progress_rows = Vec::new();
    if seats.iter().all(|row| row.house.is_none()) {
        return Ok(progress_rows);
    }
    let dice = dice(&touched.table, seats)?;
    for &seat in among {
        let policy = seats.iter().find(|row| row.seat == seat).and_then(|row| row.house.as_deref());
        let chance = house_chance(&dice, number, seat);
        let Some(declaration) = policy.and_then(|policy| contest.declare(seat, policy, chance))
        else {
            continue;
        };
        // If everything is done by acts, there is nothing to seal.
        let found = contest.interview(seat, &declaration);
        if found.asked.is_empty() && contest.acting(seat, &Declaration::default()).is_asking() {
            continue;
        }
        let complete = found.is_complete();
        let sealing = seal(&touched.table.code, number, seat, &declaration, complete);
        progress_rows.push(touched.declare(seat, declaration, Some(sealing)));
    }
    Ok(progress_rows)
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
