//! The opening of the next window.

use crate::absence::attendance::{self, Attendance, procedure_among};
use crate::record::notice::{self, Told};
use crate::record::{
    Call, Event, News, Notice, OPENING, Part, announcement, opening, record, standing_still,
};
use crate::window::act::{self, house_declares};
use crate::window::declare::{become_drafts, orders_declare, own_part, tell_each, tidings};
use games::any::AnyContest;
use rules::Seat;
use store::{
    OutageRow, PresenceRow, Result, SeatRow, Seats, Standstill, TableRow, Touched, WindowRow,
    said_ahead, traces,
};
use tables::calling::CallTo;
use tables::{Absence, EndKind, HoldReason, Pace, Span, Stage, Time, Timing, WindowNumber};

/// The next window.
pub(crate) struct NextWindow<'a> {
    pub(crate) seats: &'a [SeatRow],
    pub(crate) contest: &'a dyn AnyContest,
    /// The first window of the same root window; `None` if this one begins it.
    pub(crate) root: Option<WindowNumber>,
    /// The window whose end opens this one; `None` for the first.
    pub(crate) follows: Option<WindowNumber>,
    pub(crate) opens: Time,
    /// `None` if the pace sets the times of the window; otherwise the times.
    pub(crate) timing: Option<Timing>,
    /// The attendance of the seats by now and the absence settings, if they are known.
    pub(crate) known: Option<(Vec<PresenceRow>, Absence)>,
}

impl<'a> NextWindow<'a> {
    /// Returns a window that begins a root window and opens now, at the table's pace.
    pub(crate) fn of(seats: &'a [SeatRow], contest: &'a dyn AnyContest, now: Time) -> Self {
        let (root, follows, timing, known) = (None, None, None, None);
        Self { seats, contest, root, follows, opens: now, timing, known }
    }
}

impl NextWindow<'_> {
    /// Opens the window, lets the bot players declare, and announces the last result and the new questions.
    /// After the end of the game the window asks nobody, and stores the final state.
    pub(crate) async fn open(self, tx: &mut Touched<'_>, report: Told<'_>) -> Result<()> {
        if self.timing.is_none()
            && let Some(next) = tx.table.next_pace.clone()
        {
            traces::keep_paces(tx, next, None).await?;
        }
        let Self { seats, contest, root, follows, opens, ref known, .. } = self;
        let (number, pace) = (tx.table.next_window(), &self.window_pace(tx));
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
        tx.open(&window);
        if root.is_none() {
            let hash = hex::encode(contest.opening_hash());
            tx.keep_state(number, saved.root, hash);
        }
        tx.turn_to(Stage::Playing, Some(number), None);
        let mut progress_rows = house_declares(tx, contest, seats, &contest.asked(), number)?;
        if root.is_none() {
            progress_rows.extend(become_drafts(tx, contest, seats, number, timing.opens).await?);
        }
        let at = (number, timing.opens);
        let progress_rows = orders_declare(tx, contest, seats, at, progress_rows).await?;
        if contest.standing().is_some() {
            record(tx, &played(&tx.table))?;
        }
        let known = known.as_ref().map(|(presences, absence)| {
            Attendance::next(presences.clone(), progress_rows, *absence, &window, tx.now)
        });
        self.begin(tx, number, known, report).await
    }

    /// Returns the pace of the window.
    fn window_pace(&self, tx: &Touched<'_>) -> Pace {
        Pace::clone(&tx.table.pace).of(self.contest.procedure().kind)
    }

    /// Lets the window that is open now begin, and announces it. Reads its attendance if `known` is `None`.
    pub(crate) async fn begin(
        &self,
        tx: &mut Touched<'_>,
        number: WindowNumber,
        known: Option<Attendance>,
        report: Told<'_>,
    ) -> Result<()> {
        let Self { contest, opens, .. } = *self;
        let pace = &self.window_pace(tx);
        let over = contest.standing().is_some();
        let mut timing = self.timing.unwrap_or_else(|| Timing::open(pace, opens));
        if over {
            timing.opens = opens;
            timing.closes = opens;
        }
        tx.time(timing);
        // The lines of a side are deleted after the announcement of the end, so that nobody learns of it earlier.
        let has_sides = over && contest.sides().iter().any(|(_, side)| side.is_some());
        let (stage, look_at) = if over {
            (Stage::Over, (has_sides && opens > tx.now).then_some(opens))
        } else {
            (Stage::Playing, Some(timing.next(pace)))
        };
        if has_sides && look_at.is_none() {
            said_ahead::drop_side_lines(tx).await?;
        }
        tx.turn_to(stage, Some(number), look_at);
        if !over {
            let procedure = contest.procedure();
            timing = attendance::begin(tx, pace, &procedure, timing, known).await?;
            if let Some(Standstill { why, until, since }) = tx.standstill.clone() {
                tx.hold(why, until, since);
            }
        }
        let tidings = tidings(tx, contest, number).await?;
        let is_told_alone = tx.table.place.is_some();
        let report = |you: Option<Seat>| {
            let own = you.filter(|_| !is_told_alone).map(|seat| own_part(&tidings, seat));
            report(you).into_iter().chain(own.unwrap_or_default()).collect()
        };
        let id = format!("{number}-{OPENING}");
        self.tell(tx, &id, number, timing, &report).await?;
        let notice = Notice::of(self.seats, format!("{id}-draft"), opens);
        tell_each(tx, notice, &tidings).await?;
        if over {
            return Ok(());
        }
        act::house_begins(tx, contest, self.seats, pace).await
    }

    /// Announces the last result and the new questions, in letters whose ids begin with `id`.
    pub(crate) async fn tell(
        &self,
        tx: &mut Touched<'_>,
        id: &str,
        number: WindowNumber,
        timing: Timing,
        report: Told<'_>,
    ) -> Result<()> {
        let Self { seats, contest, opens, .. } = *self;
        let pace = &self.window_pace(tx);
        let over = played(&tx.table);
        let procedure = contest.procedure();
        let soonest = timing.soonest(pace, &procedure_among(seats, &procedure), opens);
        // A window that asks bots alone closes at a known time, and not before.
        let (timing, announced, soonest) = if asks_people(seats, &procedure, &contest.asked()) {
            (timing, pace.announced(timing.opens, timing.closes), soonest)
        } else {
            let closes = timing.settles.unwrap_or(timing.closes);
            (Timing { closes, ..timing }, closes, None)
        };
        let still = standing_still(&tx.table);
        let is_still = tx.table.held.as_ref().is_some_and(HoldReason::stops_clock);
        let notice = Notice { contest: Some(contest), ..Notice::of(seats, id, opens) };
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
        notice.post(tx, &parts).await?;
        if contest.standing().is_none() {
            return self.call_to_opening(tx, id, number, timing).await;
        }
        notice::post(tx, seats, id, opens).await
    }

    /// Calls the players who are asked in the window that opens and whom its post does not call.
    async fn call_to_opening(
        &self,
        tx: &mut Touched<'_>,
        id: &str,
        number: WindowNumber,
        timing: Timing,
    ) -> Result<()> {
        let Self { seats, contest, opens, .. } = *self;
        let (Timing { closes, .. }, zone) = (timing, tx.table.pace.zone);
        let is_silent = tx.table.place.is_none()
            || tx.table.held.is_some()
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
        let notice = Notice::of(&called, id, opens);
        let round = contest.round();
        let opened = Part::Opened { number, round, suspended, closes };
        let call = Call { to: CallTo::Opening, too_late: closes };
        notice.call_each(tx, Some(call), &|_| vec![opened.clone()]).await
    }
}

/// Returns the event of a game that was played to its end.
fn played(table: &TableRow) -> Event {
    Event::Over { how: EndKind::Played, seed: table.seed.clone(), reason: None }
}

/// True if a window asks a person a question that standing orders alone do not answer.
pub(super) fn asks_people(seats: &[SeatRow], procedure: &rules::Procedure, asked: &[Seat]) -> bool {
    procedure.asks_people
        && seats.iter().any(|row| row.person.is_some() && asked.contains(&row.seat))
}

/// The shortest outage that costs time.
const MOMENT: Span = Span::seconds(1);

/// Moves the deadline of the open window by the part of an outage in which it was open, and announces this.
pub(crate) async fn extend(
    tx: &mut Touched<'_>,
    window: &WindowRow,
    pace: &Pace,
    outage: OutageRow,
) -> Result<()> {
    let outage = outage.ended_at - outage.began_at.max(window.opens_at);
    let paused = tx.table.held == Some(HoldReason::Pause);
    let locked = tx.table.held.as_ref().is_some_and(HoldReason::is_lock);
    let mut timing = window.timing();
    let is_moment = outage < MOMENT && tx.now < timing.closes;
    if !is_moment {
        timing.closes = pace.extended(timing.closes, outage).max(tx.now + Span::INSTANT);
        tx.time(timing);
    }
    tx.turn_to(Stage::Playing, Some(window.number), Some(timing.next(pace)));
    tx.stir();
    if is_moment {
        return Ok(());
    }
    let (number, closes) = (window.number, timing.closes);
    let before = window.closes_at;
    let event = Event::Extended { number, closes, outage, paused, locked, before };
    let seats = tx.seats().await?;
    let below = announcement(pace, timing).into_iter().collect();
    let news = News { below, ..News::of(event, &seats, tx.now) };
    news.tell(tx, &format!("{number}-extended")).await
}
