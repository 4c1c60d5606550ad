//! Attendance in a window: the seats that have declared, the seats awaited, and the public part of both. A
//! table that all people have left is held, and its host is asked if it is to go on.

use std::collections::BTreeSet;

use crate::model::{Games, Struck, contest, retime, window_pace};
use crate::record::{Event, History};
use games::any::AnyContest;
use letters::Presence;
use rules::{Procedure, Sealing, Seat, WindowKind};
use store::{
    DeclarationProgressRow, LatenessRow, PresenceRow, Result, SeatRow, Session, StoreError,
    Touched, WholeWindow, WindowRow, absences, people, windows,
};
use tables::absence::{Away, Condition, Fate, Inactive, MOST_PUT_OFF, Means, Occasion};
use tables::{
    Absence, AccountId, CloseReason, HoldReason, Pace, Span, Stage, TableCode, Time, Timing,
    WindowNumber,
};

/// The divisor for a window with no awaited seat: it stays open for this part of its length, so that windows
/// do not follow one another too quickly.
const EMPTY: i64 = 10;

/// The attendance of all seats in a window.
#[derive(Clone, Debug)]
pub(crate) struct Attendance {
    /// The absence settings in force when the window opened.
    pub(crate) absence: Absence,
    pub(crate) lateness: LatenessRow,
    presences: Vec<PresenceRow>,
    progress_rows: Vec<DeclarationProgressRow>,
    /// The seats whose declaration came from somebody other than their player.
    by_others: Vec<Seat>,
    /// The seats whose act counts as their declaration in the window.
    acted: BTreeSet<Seat>,
    kind: WindowKind,
    asked: Vec<Seat>,
    closes: Time,
    now: Time,
}

impl Attendance {
    pub(crate) async fn of(tx: &mut Touched<'_>, window: &WindowRow) -> Result<Self> {
        let whole = tx.whole_window_of(window.number, false).await?;
        Self::found(whole, window, tx.now)
    }

    /// Reads the attendance in a window without a lock on the table.
    pub(crate) async fn seen(
        db: &mut Session,
        code: &TableCode,
        window: &WindowRow,
        now: Time,
    ) -> Result<Self> {
        let whole = store::whole_window(db, code, window.number, false).await?;
        Self::found(whole, window, now)
    }

    fn found(whole: Option<WholeWindow>, window: &WindowRow, now: Time) -> Result<Self> {
        let gone = || StoreError::Unreadable(format!("there is no window {}", window.number));
        let mut whole = whole.ok_or_else(gone)?;
        whole.window.clone_from(window);
        Ok(Self::in_window(&whole, now))
    }

    /// Returns the attendance in a window that has already been read.
    pub(crate) fn in_window(whole: &WholeWindow, now: Time) -> Self {
        Self {
            absence: whole.lateness.absence,
            lateness: whole.lateness.clone(),
            presences: whole.presences.clone(),
            progress_rows: whole.progress_rows.clone(),
            by_others: whole.by_others.clone(),
            acted: BTreeSet::new(),
            kind: whole.window.kind,
            asked: whole.window.asked.0.clone(),
            closes: whole.window.closes_at,
            now,
        }
    }

    /// Returns the attendance in a window that has just been opened, with the current absence settings.
    pub(crate) fn next(
        presences: Vec<PresenceRow>,
        progress_rows: Vec<DeclarationProgressRow>,
        absence: Absence,
        window: &WindowRow,
        now: Time,
    ) -> Self {
        Self {
            absence,
            lateness: LatenessRow::of(absence),
            presences,
            progress_rows,
            by_others: Vec::new(),
            acted: BTreeSet::new(),
            kind: window.kind,
            asked: window.asked.0.clone(),
            closes: window.closes_at,
            now,
        }
    }

    /// True if the seat's declaration came from somebody other than its player.
    pub(crate) fn is_by_others(&self, seat: Seat) -> bool {
        self.by_others.contains(&seat)
    }

    /// Returns the attendance row of each seat.
    pub(crate) fn presences(&self) -> &[PresenceRow] {
        &self.presences
    }

    /// Returns the progress of each declaration.
    pub(crate) fn declaration_progress(&self) -> &[DeclarationProgressRow] {
        &self.progress_rows
    }

    /// Sets the seats whose act counts as their declaration, without those played by the house.
    pub(crate) fn acted(mut self, acted: BTreeSet<Seat>) -> Self {
        self.acted = acted.into_iter().filter(|seat| !self.is_played_by_house(*seat)).collect();
        self
    }

    /// Returns the seats that are asked or have acted.
    pub(crate) fn meant(&self) -> BTreeSet<Seat> {
        self.asked.iter().chain(&self.acted).copied().collect()
    }

    /// True if the seat has no player, or a bot player plays for its absent player.
    pub(crate) fn is_played_by_house(&self, seat: Seat) -> bool {
        self.presence(seat).is_none_or(|row| row.person.is_none())
            || match self.absent(seat) {
                Some(Condition::Inactive) => self.absence.inactive == Inactive::House,
                Some(Condition::Away) => self.absence.away == Away::House,
                _ => false,
            }
    }

    /// Returns the attendance row of a seat.
    pub(crate) fn presence(&self, seat: Seat) -> Option<&PresenceRow> {
        self.presences.iter().find(|row| row.seat == seat)
    }

    /// Returns the condition of a seat in the window.
    pub(crate) fn condition(&self, seat: Seat) -> Condition {
        if self.acted.contains(&seat) {
            return Condition::Complete;
        }
        if !self.asked.contains(&seat) {
            return Condition::NothingToDeclare;
        }
        match self.progress_rows.iter().find(|row| row.seat == seat) {
            Some(DeclarationProgressRow { complete: true, .. }) => return Condition::Complete,
            Some(_) => return Condition::Incomplete,
            None => {}
        }
        self.absent(seat).unwrap_or(Condition::NothingSent)
    }

    /// `None` if the seat is not absent; otherwise its absence (inactive, delegated or away), even if it has
    /// declared.
    pub(crate) fn absent(&self, seat: Seat) -> Option<Condition> {
        let row = self.presence(seat)?;
        let is_away = |row: &PresenceRow| {
            let away = row.away_from.zip(row.away_until);
            away.is_some_and(|(from, until)| (from..until).contains(&self.closes))
        };
        if row.inactive_at.is_some() || row.person.is_none() {
            Some(Condition::Inactive)
        } else if row.stood_in_until.is_some_and(|until| until > self.now) {
            Some(Condition::Delegated)
        } else {
            is_away(row).then_some(Condition::Away)
        }
    }

    /// Returns the fate of a seat. `skips`: the game skips seats that declare nothing; `named`: the seats
    /// that have not sealed are public.
    pub(crate) fn fate(&self, seat: Seat, occasion: Occasion, skips: bool, named: bool) -> Fate {
        let spent = self.presence(seat).map_or(0, |row| row.put_off);
        let is_open = self.lateness.late.is_none();
        let means = Means {
            allowance: is_open
                && self.lateness.missed.0.is_empty()
                && spent < u32::from(self.absence.allowance),
            grace: is_open && self.absence.grace > Span::ZERO,
            further: is_open && self.lateness.put_off < MOST_PUT_OFF,
            skips,
            named,
            optional: self.kind.is_optional(),
        };
        self.absence.fate(self.condition(seat), occasion, means)
    }

    /// Replaces the progress of a seat's declaration, or removes it on `None`. A seat that declares is no
    /// longer inactive.
    pub(crate) fn with(mut self, seat: Seat, received: Option<DeclarationProgressRow>) -> Self {
        self.progress_rows.retain(|row| row.seat != seat);
        for row in self.presences.iter_mut().filter(|row| row.seat == seat && received.is_some()) {
            row.inactive_at = None;
        }
        self.progress_rows.extend(received);
        self
    }

    /// Returns the asked seats that have sent nothing.
    pub(crate) fn missing(&self) -> Vec<Seat> {
        let is_missing = |seat: &Seat| self.condition(*seat).is_missing();
        self.asked.iter().copied().filter(is_missing).collect()
    }

    /// `None` before the grace period; otherwise the seats that may still seal.
    pub(crate) fn late(&self) -> Option<&[Seat]> {
        self.lateness.late.as_ref().map(|late| &*late.0)
    }

    /// Returns the seats that the window waits for: none that has sealed and, in the grace period, none that
    /// is not late.
    pub(crate) fn awaited(&self) -> Vec<Seat> {
        let late = self.late();
        let is_awaited = |seat: &Seat| {
            let may_declare = late.is_none_or(|late| late.contains(seat));
            let condition = self.condition(*seat);
            let is_gone = matches!(condition, Condition::Away | Condition::Inactive);
            let is_waited_for =
                self.absence.waits_for(condition) && !(self.kind.is_optional() && is_gone);
            may_declare && !self.has_sealed(*seat) && is_waited_for
        };
        self.asked.iter().copied().filter(is_awaited).collect()
    }

    fn has_sealed(&self, seat: Seat) -> bool {
        self.progress_rows.iter().any(|row| row.seat == seat && row.sealed)
    }

    /// Sets the time at which the window closes early, or clears it.
    pub(crate) fn settle(&self, timing: &mut Timing, pace: &Pace, procedure: &Procedure) {
        let procedure = &self.shown_to_people(procedure);
        let is_awaited = !self.awaited().is_empty();
        let everybody = self.asked.iter().all(|seat| self.has_sealed(*seat));
        let is_person = |seat: Seat| self.presence(seat).is_some_and(|row| row.person.is_some());
        let anybody = self.asked.iter().any(|seat| self.has_sealed(*seat) && is_person(*seat));
        let at_once = pace.out_of_quiet(self.now.max(timing.opens));
        if !procedure.asks_people {
            timing.settles = Some(at_once);
        } else if everybody && !self.asked.iter().any(|seat| is_person(*seat)) {
            // Nobody can change their mind, and the closing time gives nothing away.
            timing.settles = (pace.early && procedure.closes_early).then_some(at_once);
        } else if let Some(late) = self.late() {
            let has_come = late.iter().any(|seat| self.has_sealed(*seat));
            timing.settles = (!is_awaited && has_come).then(|| match procedure.sealing {
                Sealing::Open => self.now,
                Sealing::Hidden => pace.early_close(timing.opens, self.now, Sealing::Hidden),
            });
        } else if is_awaited || everybody || anybody {
            timing.settle(pace, procedure, !is_awaited, self.now);
        } else if self.is_anybody_here() {
            let opened = timing.opens + (timing.closes - timing.opens) / EMPTY;
            timing.settle(pace, procedure, true, self.now.max(opened));
        } else {
            timing.settles = None;
        }
    }

    /// Returns the procedure with the sealing for the number of people at the table.
    pub(crate) fn shown_to_people(&self, procedure: &Procedure) -> Procedure {
        let people = self.presences.iter().filter(|row| row.person.is_some()).count();
        let sealing = among(people, procedure.sealing);
        Procedure { sealing, ..*procedure }
    }

    /// True if the table has a person who is not inactive.
    fn is_anybody_here(&self) -> bool {
        self.presences.iter().any(|row| row.person.is_some() && row.inactive_at.is_none())
    }
}

/// Returns the sealing for a number of people: open below two, because a single person learns nothing from
/// the closing time.
fn among(people: usize, sealing: Sealing) -> Sealing {
    if people < 2 { Sealing::Open } else { sealing }
}

/// Returns the sealing for the people in these seats.
pub(crate) fn sealing_among(seats: &[SeatRow], sealing: Sealing) -> Sealing {
    among(seats.iter().filter(|row| row.person.is_some()).count(), sealing)
}

/// Returns the procedure for the people in these seats.
pub(crate) fn procedure_among(seats: &[SeatRow], procedure: &Procedure) -> Procedure {
    Procedure { sealing: sealing_among(seats, procedure.sealing), ..*procedure }
}

/// Updates the early close of the open window after the awaited seats have changed.
pub(crate) async fn resettle(tx: &mut Touched<'_>, games: Games) -> Result<()> {
    let (Ok(game), Some(window)) = (games.of(&tx.table), tx.open_window().await?) else {
        return Ok(());
    };
    if tx.table.stage != Stage::Playing || tx.table.held.is_some() {
        return Ok(());
    }
    let seats = tx.seats().await?;
    let contest = contest(tx.db, game, &tx.table, &seats, &window).await?;
    let (pace, mut timing) = (window_pace(&tx.table, &window), window.timing());
    let attendance = Attendance::of(tx, &window).await?;
    attendance.settle(&mut timing, &pace, &contest.procedure());
    if timing != window.timing() {
        retime(tx, timing, &pace);
    }
    tx.stir();
    Ok(())
}

/// Stores the absence settings for the window that opens and returns its timing: it closes early if no seat
/// is awaited. Reads the attendance if `known` is `None`.
pub(crate) async fn begin(
    tx: &mut Touched<'_>,
    pace: &Pace,
    procedure: &Procedure,
    mut timing: Timing,
    known: Option<Attendance>,
) -> Result<Timing> {
    let attendance = if let Some(attendance) = known {
        attendance
    } else {
        let Some(whole) = tx.whole_window(false).await? else { return Ok(timing) };
        Attendance::in_window(&whole, tx.now)
    };
    absences::keep_lateness(tx, attendance.lateness.clone());
    let before = timing;
    attendance.settle(&mut timing, pace, procedure);
    if timing != before {
        retime(tx, timing, pace);
    }
    Ok(timing)
}

/// The strikes of a window at its close.
pub(crate) struct Strikes {
    pub(crate) struck: Vec<Struck>,
    /// The attendance before the strikes.
    pub(crate) attendance: Attendance,
    /// The attendance rows after the strikes.
    pub(crate) presences: Vec<PresenceRow>,
    /// The progress of the declarations, with those of bot players.
    pub(crate) progress_rows: Vec<DeclarationProgressRow>,
}

/// Returns the public attendance of the people in these seats; the late and inactive seats only if
/// `named`.
pub(crate) fn presence(attendance: &Attendance, seats: &[SeatRow], named: bool) -> Presence {
    let late = attendance.late();
    let people: Vec<Seat> =
        seats.iter().filter(|row| row.house.is_none()).map(|row| row.seat).collect();
    let those = |condition: Condition| -> Vec<Seat> {
        let is = |seat: &Seat| attendance.absent(*seat) == Some(condition);
        people.iter().copied().filter(is).collect()
    };
    Presence {
        inactive: if named { those(Condition::Inactive) } else { Vec::new() },
        away: those(Condition::Away),
        stood_in: those(Condition::Delegated),
        put_off: attendance.lateness.put_off,
        grace: late.is_some(),
        late: late.filter(|_| named).unwrap_or_default().to_vec(),
    }
}

/// The number of consecutive windows with nobody there after which a table is held.
const WINDOWS: usize = 2;

/// The presence of people in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// A person was there, or a declaration was made for one.
    Somebody,
    Nobody,
    /// Undecided: not all people were asked in the window.
    Unasked,
}

impl There {
    /// Returns the presence in a window from the progress of its declarations and the contest at its opening.
    pub(crate) fn of(
        seats: &[SeatRow],
        progress_rows: &[DeclarationProgressRow],
        contest: &dyn AnyContest,
        window: &WindowRow,
    ) -> Self {
        let people = people(seats);
        let has_acted = || contest.actors().iter().any(|seat| people.contains(seat));
        if is_any_of(progress_rows, &people) || has_acted() {
            return Self::Somebody;
        }
        // Within a round a single player may be asked while the others are there.
        let is_whole = window.root == window.number && !people.is_empty();
        let is_whole = is_whole && !window.kind.is_optional();
        let all = is_whole && people.iter().all(|seat| window.asked.0.contains(seat));
        if all { Self::Nobody } else { Self::Unasked }
    }
}

/// True if nobody was there, and nothing was declared for them, in this window, which is closing for the
/// reason `why`, and in the one before it. False at a table of bot players alone, and if the host's account
/// is erased.
pub(crate) async fn is_deserted(
    tx: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    why: CloseReason,
    was_there: There,
) -> Result<bool> {
    if why == CloseReason::GameMaster || was_there == There::Somebody {
        return Ok(false);
    }
    let host = tx.table.host.clone();
    let account = people::account_of(tx.db, &host).await?;
    if account.as_ref().is_none_or(AccountId::is_erased) {
        return Ok(false);
    }
    let code = tx.table.code.clone();
    let stopped = stopped(tx).await?;
    let (mut empty, mut row, mut was_there) = (0, window.clone(), was_there);
    loop {
        match was_there {
            There::Somebody => return Ok(false),
            There::Nobody => empty += 1,
            There::Unasked => {}
        }
        if empty == WINDOWS {
            return Ok(true);
        }
        // Whoever resumed the held table was there.
        let before = if stopped.contains(&row.number) { None } else { row.follows };
        let Some(before) = before else { return Ok(false) };
        let closed = windows::closed(tx.db, &code, before).await?;
        if closed.is_some_and(|(_, why)| why == CloseReason::GameMaster) {
            return Ok(false);
        }
        let Some(window) = windows::window(tx.db, &code, before).await? else {
            return Ok(false);
        };
        row = window;
        was_there = there(tx, games, &row).await?;
    }
}

async fn there(tx: &mut Touched<'_>, games: Games, window: &WindowRow) -> Result<There> {
    let seats = tx.seats().await?;
    let progress_rows = windows::declaration_progress(tx.db, &tx.table.code, window.number).await?;
    if is_any_of(&progress_rows, &people(&seats)) {
        return Ok(There::Somebody);
    }
    let Touched { db, table, .. } = tx;
    let Ok(game) = games.of(table) else { return Ok(There::Unasked) };
    let Ok(contest) = contest(db, game, table, &seats, window).await else {
        return Ok(There::Unasked);
    };
    Ok(There::of(&seats, &progress_rows, &*contest, window))
}

/// Returns the seats held by people.
fn people(seats: &[SeatRow]) -> Vec<Seat> {
    seats.iter().filter(|row| row.person.is_some()).map(|row| row.seat).collect()
}

/// True if any of these seats has declared.
fn is_any_of(progress_rows: &[DeclarationProgressRow], seats: &[Seat]) -> bool {
    progress_rows.iter().any(|row| seats.contains(&row.seat))
}

/// Returns the windows at which the table was held as deserted.
async fn stopped(tx: &mut Touched<'_>) -> Result<Vec<WindowNumber>> {
    let history = History::load(tx.db, &tx.table.code).await?;
    let stopped = history.events().filter_map(|event| match event {
        Event::Held { number, why: HoldReason::Deserted, .. } => Some(*number),
        _ => None,
    });
    Ok(stopped.collect())
}
