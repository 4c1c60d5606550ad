//! Who has kept a window so far, who is waited for, and what everybody is told of the others. A table
//! at which nobody is there any more stops, and asks its host whether it is to go on.

use std::collections::BTreeSet;

use crate::model::load::{Games, contest, window_pace};
use crate::model::struck::Struck;
use crate::record::event::Event;
use games::any::AnyContest;
use rules::{Procedure, Sealing, Seat, WindowKind};
use store::{
    DeclarationProgressRow, LatenessRow, PresenceRow, SeatRow, Session, StoreError, Touched,
    WholeWindow, WindowRow, read_json,
};
use tables::absence::{Away, Condition, Fate, Inactive, MOST_PUT_OFF, Means, Occasion};
use tables::ids::{AccountId, EntryNumber, TableCode, WindowNumber};
use tables::time::{Span, Time};
use tables::{Absence, CloseReason, HoldReason, Pace, Stage, Timing};

/// A window of which nobody is waited for is open for this part of its time, so that one after
/// another does not rush by.
const EMPTY: i64 = 10;

/// How everybody stands in a window.
#[derive(Clone, Debug)]
pub(crate) struct Attendance {
    /// What was set when the window opened.
    pub(crate) absence: Absence,
    pub(crate) lateness: LatenessRow,
    presences: Vec<PresenceRow>,
    progress_rows: Vec<DeclarationProgressRow>,
    /// The seats for which somebody else has declared than who sits there.
    by_others: Vec<Seat>,
    /// Who has kept it by what they did at once.
    acted: BTreeSet<Seat>,
    kind: WindowKind,
    asked: Vec<Seat>,
    closes: Time,
    /// At this time.
    now: Time,
}

impl Attendance {
    pub(crate) async fn of(
        touched: &mut Touched<'_>,
        window: &WindowRow,
        now: Time,
    ) -> Result<Self, StoreError> {
        let whole = touched.whole_window_of(window.number, false).await?;
        Self::found(whole, window, now)
    }

    /// Who is there in a window, as it was a moment ago.
    pub(crate) async fn seen(
        session: &mut Session,
        code: &TableCode,
        window: &WindowRow,
        now: Time,
    ) -> Result<Self, StoreError> {
        let whole = session.whole_window(code, window.number, false).await?;
        Self::found(whole, window, now)
    }

    fn found(
        whole: Option<WholeWindow>,
        window: &WindowRow,
        now: Time,
    ) -> Result<Self, StoreError> {
        let gone = || StoreError::Unreadable(format!("there is no window {}", window.number));
        let mut whole = whole.ok_or_else(gone)?;
        whole.window.clone_from(window);
        Ok(Self::in_window(&whole, now))
    }

    /// Who is there in a window that has been read.
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

    /// These people, as they stand by now, in a window that has just been opened, with what is set
    /// by now about those who are missing.
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

    /// True if somebody else has declared for a seat than who sits there.
    pub(crate) fn is_by_others(&self, seat: Seat) -> bool {
        self.by_others.contains(&seat)
    }

    /// How each seat keeps its windows.
    pub(crate) fn presences(&self) -> &[PresenceRow] {
        &self.presences
    }

    /// Who has declared, and how far they are.
    pub(crate) fn declaration_progress(&self) -> &[DeclarationProgressRow] {
        &self.progress_rows
    }

    /// In a window that these have kept by what they did at once. What a house player did for
    /// somebody keeps it for nobody.
    pub(crate) fn acted(mut self, acted: BTreeSet<Seat>) -> Self {
        self.acted = acted.into_iter().filter(|seat| !self.is_played_by_house(*seat)).collect();
        self
    }

    /// Who was asked, or has done something at once.
    pub(crate) fn meant(&self) -> BTreeSet<Seat> {
        self.asked.iter().chain(&self.acted).copied().collect()
    }

    /// Whether a house player sits there, or plays for who should be there.
    pub(crate) fn is_played_by_house(&self, seat: Seat) -> bool {
        self.presence(seat).is_none_or(|row| row.person.is_none())
            || match self.absent(seat) {
                Some(Condition::Inactive) => self.absence.inactive == Inactive::House,
                Some(Condition::Away) => self.absence.away == Away::House,
                _ => false,
            }
    }

    /// How a seat keeps its windows.
    pub(crate) fn presence(&self, seat: Seat) -> Option<&PresenceRow> {
        self.presences.iter().find(|row| row.seat == seat)
    }

    /// How a seat stands in the window.
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

    /// How a seat is kept from declaring itself, whether or not it has declared; none if it is not.
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

    /// What comes of a seat, if the game skips those who declare nothing, or does not, and names
    /// those who have not sealed.
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

    /// With what a seat has declared by now, or without it; and it is there.
    pub(crate) fn with(mut self, seat: Seat, received: Option<DeclarationProgressRow>) -> Self {
        self.progress_rows.retain(|row| row.seat != seat);
        for row in self.presences.iter_mut().filter(|row| row.seat == seat && received.is_some()) {
            row.inactive_at = None;
        }
        self.progress_rows.extend(received);
        self
    }

    /// Those who are asked and have sent nothing.
    pub(crate) fn missing(&self) -> Vec<Seat> {
        let is_missing = |seat: &Seat| self.condition(*seat).is_missing();
        self.asked.iter().copied().filter(is_missing).collect()
    }

    /// Which seats may still seal in the time of grace; none before it.
    pub(crate) fn late(&self) -> Option<&[Seat]> {
        self.lateness.late.as_ref().map(|late| &*late.0)
    }

    /// Those for whom the window waits: who has sealed, and in the time of grace who is not late,
    /// is not among them.
    pub(crate) fn awaited(&self) -> Vec<Seat> {
        let late = self.late();
        let is_awaited = |seat: &Seat| {
            let may_declare = late.is_none_or(|late| late.contains(seat));
            may_declare && !self.has_sealed(*seat) && self.waits_for(*seat)
        };
        self.asked.iter().copied().filter(is_awaited).collect()
    }

    /// True if the window waits for a seat that has not sealed.
    fn waits_for(&self, seat: Seat) -> bool {
        let condition = self.condition(seat);
        let is_gone = matches!(condition, Condition::Away | Condition::Inactive);
        self.absence.waits_for(condition) && !(self.kind.is_optional() && is_gone)
    }

    fn has_sealed(&self, seat: Seat) -> bool {
        self.progress_rows.iter().any(|row| row.seat == seat && row.sealed)
    }

    /// Notes in the times of the window whether it closes early.
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
            // Nobody is there to think again, and the time tells nothing.
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

    /// The procedure among the people of the table.
    pub(crate) fn shown_to_people(&self, procedure: &Procedure) -> Procedure {
        let people = self.presences.iter().filter(|row| row.person.is_some()).count();
        let sealing = among(people, procedure.sealing);
        Procedure { sealing, ..*procedure }
    }

    /// True if anybody at the table is there to see its windows pass.
    fn is_anybody_here(&self) -> bool {
        self.presences.iter().any(|row| row.person.is_some() && row.inactive_at.is_none())
    }
}

/// How sealings are hidden among so many people: who plays with nobody else learns nothing from the
/// time at which a window closes.
fn among(people: usize, sealing: Sealing) -> Sealing {
    if people < 2 { Sealing::Open } else { sealing }
}

/// How sealings are hidden among those who sit there.
pub(crate) fn sealing_among(seats: &[SeatRow], sealing: Sealing) -> Sealing {
    among(seats.iter().filter(|row| row.person.is_some()).count(), sealing)
}

/// A procedure among those who sit there.
pub(crate) fn procedure_among(seats: &[SeatRow], procedure: &Procedure) -> Procedure {
    Procedure { sealing: sealing_among(seats, procedure.sealing), ..*procedure }
}

/// Notes whether the open window closes early, now that somebody else is waited for.
pub(crate) async fn resettle(
    touched: &mut Touched<'_>,
    games: Games,
    now: Time,
) -> Result<(), StoreError> {
    let table = touched.table.clone();
    let (Ok(game), Some(window)) = (games.of(&table), touched.open_window().await?) else {
        return Ok(());
    };
    if table.stage != Stage::Playing || table.held.is_some() {
        return Ok(());
    }
    let seats = touched.seats().await?;
    let contest = contest(touched.session(), game, &table, &seats, &window).await?;
    let (pace, mut timing) = (window_pace(&table, &window), window.timing());
    let attendance = Attendance::of(touched, &window, now).await?;
    attendance.settle(&mut timing, &pace, &contest.procedure());
    if timing != window.timing() {
        touched.time(timing);
        touched.look_at(Some(timing.next(&pace)));
    }
    touched.stir();
    Ok(())
}

/// Keeps for the window that opens what the host has set by now about those who are missing, and
/// gives its times: it may be that nobody is waited for. How everybody stands in it is read where it
/// is not known.
pub(crate) async fn begin(
    touched: &mut Touched<'_>,
    pace: &Pace,
    procedure: &Procedure,
    mut timing: Timing,
    known: Option<Attendance>,
    now: Time,
) -> Result<Timing, StoreError> {
    let attendance = if let Some(attendance) = known {
        attendance
    } else {
        let Some(whole) = touched.whole_window(false).await? else { return Ok(timing) };
        Attendance::in_window(&whole, now)
    };
    touched.keep_lateness(attendance.lateness.clone());
    let before = timing;
    attendance.settle(&mut timing, pace, procedure);
    if timing != before {
        touched.time(timing);
        touched.look_at(Some(timing.next(pace)));
    }
    Ok(timing)
}

/// What a window has struck with.
pub(crate) struct Strikes {
    pub(crate) struck: Vec<Struck>,
    /// How everybody stood before that.
    pub(crate) attendance: Attendance,
    /// How the seats keep their windows after it.
    pub(crate) presences: Vec<PresenceRow>,
    /// Who has declared, house players among them.
    pub(crate) progress_rows: Vec<DeclarationProgressRow>,
}

/// Who is there in the open window. Where it is not told who has sealed, it is not told either who
/// is late or no longer waited for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    /// Those for whom no window waits any more.
    pub inactive: Vec<Seat>,
    /// Those who are away at its deadline.
    pub away: Vec<Seat>,
    /// Those for whom somebody stands in.
    pub stood_in: Vec<Seat>,
    /// By how many windows' lengths it was put off.
    pub put_off: u32,
    /// True if its deadline has come, and those who are late may still seal.
    pub grace: bool,
    pub late: Vec<Seat>,
}

impl Presence {
    /// True if the window waits for a seat that is asked, as far as that is told.
    pub fn waits_for(&self, seat: Seat) -> bool {
        !self.inactive.contains(&seat) && !self.away.contains(&seat)
    }
}

impl Presence {
    /// Who is there in a window in which everybody stands so, among the people who sit there.
    pub(crate) fn of(attendance: &Attendance, seats: &[SeatRow], named: bool) -> Self {
        let late = attendance.late();
        let people: Vec<Seat> =
            seats.iter().filter(|row| row.house.is_none()).map(|row| row.seat).collect();
        let those = |condition: Condition| -> Vec<Seat> {
            let is = |seat: &Seat| attendance.absent(*seat) == Some(condition);
            people.iter().copied().filter(is).collect()
        };
        Self {
            inactive: if named { those(Condition::Inactive) } else { Vec::new() },
            away: those(Condition::Away),
            stood_in: those(Condition::Delegated),
            put_off: attendance.lateness.put_off,
            grace: late.is_some(),
            late: late.filter(|_| named).unwrap_or_default().to_vec(),
        }
    }
}

/// After so many windows in a row in which nobody was there a table stops.
const WINDOWS: usize = 2;

/// True if anybody was there in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum There {
    /// Somebody was, or somebody or something declared for them.
    Somebody,
    Nobody,
    /// It says nothing: not all people were asked in it.
    Unasked,
}

impl There {
    /// In a window, by who has declared in it, or somebody or something for them, and the contest as
    /// it stood when it opened.
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
        // Within a round one player may be asked alone, while the others are there.
        let is_whole = window.root == window.number && !people.is_empty();
        let is_whole = is_whole && !window.kind.is_optional();
        let all = is_whole && people.iter().all(|seat| window.asked.0.contains(seat));
        if all { Self::Nobody } else { Self::Unasked }
    }
}

/// True if nobody was there in this window, which is closing for that reason, nor in the one before
/// it, nor anybody or anything that declared for them. A table of house players alone waits for
/// nobody, and one that has lost its host could ask nobody.
pub(crate) async fn is_deserted(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    why: CloseReason,
    was_there: There,
) -> Result<bool, StoreError> {
    if why == CloseReason::GameMaster || was_there == There::Somebody {
        return Ok(false);
    }
    let host = touched.table.host.clone();
    let account = touched.session().account_of(&host).await?;
    if account.as_ref().is_none_or(AccountId::is_erased) {
        return Ok(false);
    }
    let code = touched.table.code.clone();
    let stopped = stopped(touched).await?;
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
        // Who lets it go on was there.
        let before = if stopped.contains(&row.number) { None } else { row.follows };
        let Some(before) = before else { return Ok(false) };
        let closed = touched.session().closed(&code, before).await?;
        if closed.is_some_and(|(_, why)| why == CloseReason::GameMaster) {
            return Ok(false);
        }
        let Some(window) = touched.session().window(&code, before).await? else {
            return Ok(false);
        };
        row = window;
        was_there = there(touched, games, &row).await?;
    }
}

async fn there(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
) -> Result<There, StoreError> {
    let seats = touched.seats().await?;
    let code = touched.table.code.clone();
    let progress_rows = touched.session().declaration_progress(&code, window.number).await?;
    if is_any_of(&progress_rows, &people(&seats)) {
        return Ok(There::Somebody);
    }
    let table = touched.table.clone();
    let Ok(game) = games.of(&table) else { return Ok(There::Unasked) };
    let Ok(contest) = contest(touched.session(), game, &table, &seats, window).await else {
        return Ok(There::Unasked);
    };
    Ok(There::of(&seats, &progress_rows, &*contest, window))
}

/// The seats of people.
fn people(seats: &[SeatRow]) -> Vec<Seat> {
    seats.iter().filter(|row| row.person.is_some()).map(|row| row.seat).collect()
}

/// True if any of these seats has declared.
fn is_any_of(progress_rows: &[DeclarationProgressRow], seats: &[Seat]) -> bool {
    progress_rows.iter().any(|row| seats.contains(&row.seat))
}

/// The windows at which it has stopped before.
async fn stopped(touched: &mut Touched<'_>) -> Result<Vec<WindowNumber>, StoreError> {
    let code = touched.table.code.clone();
    let mut stopped = Vec::new();
    for row in touched.session().journal(&code, EntryNumber::FIRST).await? {
        if let Event::Held { number, why, .. } = read_json(&row.body)?
            && why == HoldReason::Deserted
        {
            stopped.push(number);
        }
    }
    Ok(stopped)
}
