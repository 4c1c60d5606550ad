//! Deadlines with missing seats: extensions and the grace period first, and then the strikes by the rules of
//! the game.

use crate::absence::attendance::{Attendance, Strikes, There, is_deserted, sealing_among};
use crate::absence::reputation;
use crate::model::{Games, Struck, Unloaded, dice, house_chance, load, retime, window_pace};
use crate::record::{
    Event, News, Notice, Part, Secrecy, announcement, drafts_hash, hold, record, sealed_hashes,
};
use crate::window::declare::seal_for;
use crate::window::next::{NextWindow, asks_people};
use games::any::{AnyContest, AnyGame};
use rules::contest::LoadError;
use rules::{BySeat, Declaration, Dice, Sealing, Seat};
use store::{
    DeclarationProgressRow, DeclarationRow, PresenceRow, Result, SeatRow, Seats, Standstill,
    TableRow, Touched, WholeWindow, WindowRow, absences,
};
use tables::absence::{Condition, Deed, Fate, Occasion, put_off};
use tables::{Absence, CloseReason, HoldReason, Pace, Stage, Time, WindowNumber};

/// An open window with everything that decides its next step, loaded once.
pub(crate) struct LoadedWindow {
    game: &'static dyn AnyGame,
    pub(crate) seats: Vec<SeatRow>,
    /// The contest as it stood when the window opened.
    pub(crate) contest: Result<Box<dyn AnyContest>, LoadError>,
    /// The attendance in the window.
    pub(crate) attendance: Attendance,
    /// The seats with a stored declaration in the window.
    pub(crate) stored: Vec<Seat>,
    /// The current absence settings.
    pub(crate) absence: Absence,
}

impl LoadedWindow {
    /// `None` if this program does not know the edition of the table, or there is no such window.
    pub(crate) async fn of(
        tx: &mut Touched<'_>,
        games: Games,
        window: &WindowRow,
    ) -> Result<Option<Self>> {
        match tx.whole_window_of(window.number, true).await? {
            Some(whole) => Self::found(tx, games, whole),
            None => Ok(None),
        }
    }

    /// Returns the table and its window from data that have been read; `None` for an unknown edition.
    pub(crate) fn found(
        tx: &Touched<'_>,
        games: Games,
        mut whole: WholeWindow,
    ) -> Result<Option<Self>> {
        let Ok(game) = games.of(&tx.table) else { return Ok(None) };
        let state = whole.take_state(&tx.table.code)?;
        let attendance = Attendance::in_window(&whole, tx.now);
        let WholeWindow { window, seats, absence, stored, .. } = whole;
        let contest = match load(game, &tx.table, &seats, &window, state) {
            Ok(contest) => Ok(contest),
            Err(Unloaded::Load(error)) => Err(error),
            Err(Unloaded::Store(error)) => return Err(error),
        };
        Ok(Some(Self { game, seats, contest, attendance, stored, absence }))
    }

    /// `None` if the rules failed, which the close reports; otherwise the game's rules for missing seats.
    fn ruled(&self, table: &TableRow) -> Option<Ruled<'_>> {
        let contest = &**self.contest.as_ref().ok()?;
        let named = Secrecy::of(table, Some(contest)).is_named();
        let openly = contest.is_open_handed();
        Some(Ruled { contest, game: self.game, named, openly })
    }
}

/// The game's rules for missing seats.
struct Ruled<'a> {
    contest: &'a dyn AnyContest,
    game: &'static dyn AnyGame,
    named: bool,
    /// True if nothing was sealed in the window, because everything asked was done by acts.
    openly: bool,
}

impl Ruled<'_> {
    /// Returns the condition and the fate of each missing seat.
    fn fates(&self, attendance: &Attendance, occasion: Occasion) -> Vec<(Seat, Condition, Fate)> {
        let fate = |seat: Seat| {
            let none = Declaration::default();
            let form = self.contest.interview(seat, &none);
            // Acts are asked as well.
            let asks = if self.openly { &self.contest.acting(seat, &none) } else { &form };
            let condition = attendance.condition(seat).over(asks);
            if !condition.is_missing() {
                return None;
            }
            let skips = form.missing.is_some();
            Some((seat, condition, attendance.fate(seat, occasion, skips, self.named)))
        };
        attendance.missing().into_iter().filter_map(fate).collect()
    }

    /// Returns the declaration of a bot player for a seat.
    fn by_house(&self, seat: Seat, dice: &Dice, number: WindowNumber) -> Option<Declaration> {
        let policy = *self.game.policies().last()?;
        self.contest.declare(seat, policy, house_chance(dice, number, seat))
    }
}

/// A deadline that has come.
pub(crate) struct Striking<'a> {
    pub(crate) window: &'a WindowRow,
    pub(crate) pace: &'a Pace,
}

impl Striking<'_> {
    /// Extends the deadline or begins the grace period, if one of them is still possible. Returns false if
    /// the window closes.
    pub(crate) async fn give_more_time(
        &self,
        tx: &mut Touched<'_>,
        at: &LoadedWindow,
    ) -> Result<bool> {
        let (attendance, seats) = (&at.attendance, &at.seats);
        if attendance.missing().is_empty() {
            return Ok(false);
        }
        let Some(ruled) = at.ruled(&tx.table) else { return Ok(false) };
        let attendance = attendance.clone().acted(ruled.contest.kept_by_acts());
        let fates = ruled.fates(&attendance, Occasion::Deadline);
        let of = |deed: Deed| {
            let all = fates.iter().filter(move |(.., fate)| fate.deed == deed);
            all.map(|(seat, condition, _)| (*seat, *condition)).collect::<Vec<_>>()
        };
        let (put_off, late) = (of(Deed::PutOff), of(Deed::Grace));
        if !put_off.is_empty() {
            return self.put_off(tx, seats, attendance, &ruled, &put_off).await;
        }
        if late.is_empty() {
            return Ok(false);
        }
        self.give_grace(tx, seats, attendance, &ruled).await?;
        Ok(true)
    }

    async fn put_off(
        &self,
        tx: &mut Touched<'_>,
        seats: &[SeatRow],
        mut attendance: Attendance,
        ruled: &Ruled<'_>,
        whom: &[(Seat, Condition)],
    ) -> Result<bool> {
        let (window, pace, now) = (self.window, self.pace, tx.now);
        let whom = |is_away: bool| -> Vec<Seat> {
            let all = whom.iter().filter(|(_, of)| (*of == Condition::Away) == is_away);
            all.map(|(seat, _)| *seat).collect()
        };
        let (away, missing) = (whom(true), whom(false));
        let back = |seat: &Seat| attendance.presence(*seat).and_then(|row| row.away_until);
        // A player who is back at this very moment has no time left to declare.
        let beyond = away.iter().filter_map(back).max().unwrap_or(window.closes_at);
        let times = attendance.lateness.put_off;
        let Some(put) = put_off(pace, window.closes_at, times, beyond, now) else {
            return Ok(false);
        };
        for seat in &missing {
            let Some(row) = attendance.presence(*seat) else { continue };
            absences::attend(tx, PresenceRow { put_off: row.put_off + 1, ..row.clone() });
        }
        attendance.lateness.put_off = put.times;
        attendance.lateness.missed.0.extend(missing.iter().copied());
        absences::keep_lateness(tx, attendance.lateness.clone());
        let mut timing = window.timing();
        (timing.closes, timing.settles) = (put.closes, None);
        tx.time(timing);
        tx.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
        tx.stir();
        let (number, closes) = (window.number, put.closes);
        let about: Vec<Seat> = missing.iter().chain(&away).copied().collect();
        let event = Event::PutOff { number, missing, away, closes };
        let news = News {
            contest: Some(ruled.contest),
            below: announcement(pace, timing).into_iter().collect(),
            about: &about,
            ..News::of(event, seats, now)
        };
        news.tell(tx, &format!("{number}-put-off")).await?;
        Ok(true)
    }

    async fn give_grace(
        &self,
        tx: &mut Touched<'_>,
        seats: &[SeatRow],
        mut attendance: Attendance,
        ruled: &Ruled<'_>,
    ) -> Result<()> {
        let (window, pace, now) = (self.window, self.pace, tx.now);
        let mut late = attendance.missing();
        late.retain(|seat| attendance.presence(*seat).is_some_and(|row| row.person.is_some()));
        attendance.lateness.late = Some(Seats(late.clone()));
        if late.len() == 1 {
            attendance.lateness.called_at.get_or_insert(now);
        }
        absences::keep_lateness(tx, attendance.lateness.clone());
        let until = window.closes_at.max(now) + attendance.absence.grace;
        let mut timing = window.timing();
        // The letter about the grace period is a reminder.
        (timing.closes, timing.settles, timing.reminded) = (until, None, now);
        tx.time(timing);
        tx.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
        tx.stir();
        let number = window.number;
        let procedure = attendance.shown_to_people(&ruled.contest.procedure());
        let hides = !ruled.openly && procedure.sealing == Sealing::Hidden;
        let step = pace.step(window.opens_at).filter(|_| hides);
        let (about, openly) = (late.clone(), ruled.openly);
        let event = Event::Grace { number, late, openly, step, until };
        let news =
            News { contest: Some(ruled.contest), about: &about, ..News::of(event, seats, now) };
        news.tell(tx, &format!("{number}-grace")).await
    }

    /// Returns the strikes of a window that closes now: bot players declare for the seats whose fate that
    /// is, and misses are recorded.
    pub(crate) fn strike(
        &self,
        tx: &mut Touched<'_>,
        at: &LoadedWindow,
        occasion: Occasion,
    ) -> Result<Strikes> {
        let mut attendance = at.attendance.clone();
        let ruled = at.ruled(&tx.table);
        if let Some(ruled) = &ruled {
            attendance = attendance.acted(ruled.contest.kept_by_acts());
        }
        let mut presences = attendance.presences().to_vec();
        let mut progress_rows = attendance.declaration_progress().to_vec();
        let mut all = Vec::new();
        // A seat that has declared has missed nothing in a row any more.
        let declared = attendance.meant().into_iter();
        for seat in declared.filter(|seat| attendance.condition(*seat).has_declared()) {
            let row = presences.iter_mut().find(|row| row.seat == seat && row.misses > 0);
            if let Some(row) = row {
                row.misses = 0;
                absences::attend(tx, row.clone());
            }
        }
        let Some(ruled) = ruled.filter(|_| !attendance.missing().is_empty()) else {
            return Ok(Strikes { struck: all, attendance, presences, progress_rows });
        };
        let dice = dice(&tx.table, &at.seats)?;
        for (seat, condition, fate) in ruled.fates(&attendance, occasion) {
            let Some(row) = presences.iter_mut().find(|row| row.seat == seat) else { continue };
            if row.person.is_none() || !fate.deed.strikes() {
                continue;
            }
            // The bot player has made its acts by now.
            if fate.deed == Deed::ByHouse
                && !ruled.openly
                && let Some(declared) = ruled.by_house(seat, &dice, self.window.number)
            {
                progress_rows.retain(|row| row.seat != seat);
                let number = self.window.number;
                progress_rows.push(seal_for(tx, ruled.contest, number, seat, declared));
            }
            let struck = Self::miss(tx, row, condition, fate, &attendance.absence);
            all.push(Struck { openly: ruled.openly, ..struck });
        }
        if !all.is_empty() {
            let happened = Event::Struck { number: self.window.number, struck: all.clone() };
            record(tx, &happened)?;
        }
        Ok(Strikes { struck: all, attendance, presences, progress_rows })
    }

    fn miss(
        tx: &mut Touched<'_>,
        row: &mut PresenceRow,
        condition: Condition,
        fate: Fate,
        absence: &Absence,
    ) -> Struck {
        let was = row.inactive_at;
        if fate.missed {
            row.misses += 1;
            row.inactive_at = was.or(absence.is_inactive(row.misses).then_some(tx.now));
            absences::attend(tx, row.clone());
        }
        Struck {
            seat: row.seat,
            condition,
            deed: fate.deed,
            misses: if fate.missed { row.misses } else { 0 },
            most: absence.inactive_after,
            inactive: was.is_none() && row.inactive_at.is_some(),
            openly: false,
            public: fate.public,
        }
    }
}

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
}

impl Closing<'_> {
    /// Closes the window, resolves its declarations, and opens the next. Returns false if it was closed
    /// already.
    pub(crate) async fn resolve(self, tx: &mut Touched<'_>) -> Result<bool> {
        match LoadedWindow::of(tx, self.games, self.window).await? {
            Some(at) => self.resolve_at(tx, at).await,
            None => Ok(false),
        }
    }

    /// Closes the window, resolves it and opens the next, from data that have been read.
    pub(crate) async fn resolve_at(self, tx: &mut Touched<'_>, at: LoadedWindow) -> Result<bool> {
        let Self { games, window, why, mut remarks, shown, announced } = self;
        let (pace, now) = (&window_pace(&tx.table, window), tx.now);
        // A window that is resolved again keeps its earlier strikes.
        let occasion = announced.is_none().then(|| occasion(why, !remarks.is_empty()));
        let striking = Striking { window, pace };
        let strikes = occasion.map(|on| striking.strike(tx, &at, on)).transpose()?;
        let LoadedWindow { seats, contest, attendance, absence, .. } = at;
        let (mut struck, mut progress_rows) = (&[][..], attendance.declaration_progress());
        let mut presences = attendance.presences();
        if let Some(strikes) = &strikes {
            (struck, progress_rows) = (&strikes.struck, &strikes.progress_rows);
            presences = &strikes.presences;
        }
        let awaited = not_sealed(window, progress_rows);
        let Some(closed) = tx.close(why, &awaited).await? else { return Ok(false) };
        let opened = closed.declarations().await?;
        let mut contest = match contest {
            Ok(contest) => contest,
            Err(LoadError::Held(held)) => {
                hold(tx, &seats, window.number, HoldReason::Rules(held.to_string())).await?;
                return Ok(true);
            }
            Err(error) => return Err(Unloaded::Load(error).into()),
        };
        let there = There::of(&seats, progress_rows, &*contest, window);
        let (before, openly) = (contest.round(), is_done_openly(&*contest));
        let procedure = contest.procedure();
        let resolution = match contest.close(declared(tx.table.chairs, &opened)) {
            Ok(resolution) => resolution,
            Err(held) => {
                hold(tx, &seats, window.number, HoldReason::Rules(held.to_string())).await?;
                return Ok(true);
            }
        };
        let is_anew = announced.is_some();
        let asked = asks_people(&seats, &procedure, &window.asked.0);
        let announced = announced.unwrap_or_else(|| announced_at(asked, window, pace, now));
        let sealed = sealed_hashes(&opened);
        let new: Vec<_> =
            sealed.iter().filter(|(_, hash)| !shown.contains(hash)).cloned().collect();
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
        record(tx, &happened)?;
        reputation::count(tx, window, strikes.as_ref(), announced).await?;
        if !is_anew && is_told_shut(why, &seats, procedure.sealing) {
            let why_closed = (window.number, why);
            remarks = tell_shut(tx, &seats, pace, why_closed, announced, remarks).await?;
        }
        let stops = !is_anew && contest.standing().is_none() && tx.standstill.is_none();
        if stops && is_deserted(tx, games, window, why, there).await? {
            stop(tx, &seats, announced).await?;
        }
        let next = NextWindow {
            root: (contest.is_suspended() && contest.round() == before).then_some(window.root),
            follows: Some(window.number),
            opens: announced,
            known: Some((presences.to_vec(), absence)),
            ..NextWindow::of(&seats, &*contest, now)
        };
        let secrecy = Secrecy::of(&tx.table, Some(&*contest));
        let head = tx.table.chain.clone();
        let receipts = Part::Receipts { sealed: secrecy.sealed(&new), head };
        let struck = Event::Struck { number: window.number, struck: struck.to_vec() };
        tell_struck(tx, &seats, announced, &struck, &secrecy).await?;
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
        next.open(tx, &parts).await?;
        Ok(true)
    }
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
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
    announced: Time,
    event: &Event,
    secrecy: &Secrecy<'_>,
) -> Result<()> {
    let Event::Struck { number, struck } = event else { return Ok(()) };
    if tx.table.place.is_none() {
        return Ok(());
    }
    let notice = Notice::of(seats, format!("{number}-struck"), announced);
    let own = |seat| {
        let struck = struck.iter().filter(|struck| struck.seat == seat).copied().collect();
        Event::Struck { number: *number, struck }.told_to(Some(seat), secrecy)
    };
    notice.post_to_each(tx, &own).await
}

/// Holds the deserted table from the opening of its next window on. At a public table the host is also asked
/// privately.
async fn stop(tx: &mut Touched<'_>, seats: &[SeatRow], since: Time) -> Result<()> {
    tx.standstill = Some(Standstill { why: HoldReason::Deserted, until: None, since });
    let (number, why) = (tx.table.next_window(), HoldReason::Deserted);
    let held = Event::Held { number, why, until: None };
    record(tx, &held)?;
    if tx.table.place.is_none() {
        return Ok(());
    }
    let host = seats.iter().find(|row| row.person.as_ref() == Some(&tx.table.host));
    let Some(seat) = host.map(|row| row.seat) else { return Ok(()) };
    let notice = Notice::of(seats, format!("{number}-deserted"), since);
    let own = |of: Seat| (of == seat).then(|| Part::Event(held.clone())).into_iter().collect();
    notice.post_to_each(tx, &own).await
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

/// Announces that the result is to be waited for, with a game master's remarks on the close; returns the
/// remarks that could not be announced. A host who closed the window without remarks is not notified.
async fn tell_shut(
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
    pace: &Pace,
    (number, why): (WindowNumber, CloseReason),
    announced: Time,
    remarks: Vec<Part>,
) -> Result<Vec<Part>> {
    // Only a game master's own words are announced.
    let is_gms = why == CloseReason::GameMaster;
    let reasons = if is_gms { remarks } else { Vec::new() };
    let closed = tx.now;
    let Some(send_at) = shut_is_told(pace, why, closed, announced) else { return Ok(reasons) };
    let host = &tx.table.host;
    let knows = |row: &&SeatRow| is_gms && reasons.is_empty() && row.is_of(Some(host));
    let seats: Vec<SeatRow> = seats.iter().filter(|row| !knows(row)).cloned().collect();
    let notice = Notice::of(&seats, format!("{number}-shut"), send_at);
    let parts = |_| reasons.iter().cloned().chain([Part::Shut { closed, announced }]).collect();
    notice.post(tx, &parts).await?;
    Ok(Vec::new())
}

/// Updates the early close of the open window after its declarations have changed.
pub(crate) async fn settle(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
) -> Result<()> {
    let pace = window_pace(&tx.table, window);
    let attendance = Attendance::of(tx, window).await?;
    let mut timing = window.timing();
    attendance.settle(&mut timing, &pace, &contest.procedure());
    retime(tx, timing, &pace);
    Ok(())
}

fn declared(chairs: usize, opened: &[DeclarationRow]) -> rules::BySeat<Option<Declaration>> {
    BySeat::new(chairs, |seat| {
        opened.iter().find(|row| row.seat == seat).map(|row| row.answers.clone())
    })
}
