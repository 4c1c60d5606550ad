//! Reminders of a deadline, sent to each seat with a list of what is missing.

use std::slice;

use serde_json::Value as Json;

use crate::absence::attendance::Attendance;
use crate::model::{Desk, announced_stage, contest, retime};
use crate::record::{Call, Letter, Notice, Part};
use games::any::AnyContest;
use letters::{SealProgress, open_questions};
use rules::{Sealing, Seat};
use store::{
    DeclarationRow, Result, SeatRow, Session, TableRow, Touched, WindowRow, absences, obstacles,
    windows,
};
use tables::absence::{Condition, Occasion};
use tables::calling::CallTo;
use tables::{Pace, Span, Stage, TableCode, TableSetting, Time, WindowNumber};

/// An open window whose deadline is near.
pub(crate) struct Reminding<'a> {
    pub(crate) window: &'a WindowRow,
    pub(crate) pace: &'a Pace,
    pub(crate) seats: &'a [SeatRow],
    pub(crate) contest: &'a dyn AnyContest,
    /// The seats with a stored declaration in the window.
    pub(crate) stored: &'a [Seat],
}

impl Reminding<'_> {
    /// Sends the reminders.
    pub(crate) async fn remind(&self, tx: &mut Touched<'_>, attendance: &Attendance) -> Result<()> {
        let (window, pace, now) = (self.window, self.pace, tx.now);
        let mut timing = window.timing();
        timing.reminded = now;
        retime(tx, timing, pace);
        let to = CallTo::Reminder { is_last: !timing.is_reminded_again(pace) };
        let whom = |attendance: &Attendance, seat: Seat| is_reminded(attendance, seat);
        let id = format!("{}-reminder-{now}", window.number);
        self.post(tx, attendance, id, (to, now), whom).await
    }

    /// Notifies the last seat that the window waits for, once, if it is to be notified.
    pub(crate) async fn call_last(
        &self,
        tx: &mut Touched<'_>,
        mut attendance: Attendance,
    ) -> Result<()> {
        let (window, pace, now) = (self.window, self.pace, tx.now);
        let procedure = self.contest.procedure();
        let closes_early = pace.early && procedure.closes_early;
        // If the seats that have sealed are secret, so are the others.
        if procedure.sealing == Sealing::Hidden || !closes_early || window.asked.0.len() < 2 {
            return Ok(());
        }
        let [last] = attendance.awaited()[..] else { return Ok(()) };
        // A seat that is the last one a moment after the opening has missed nothing yet.
        let Some(from) = pace.last_call(window.opens_at, window.closes_at) else { return Ok(()) };
        let send_at = pace.out_of_quiet(now.max(from));
        if attendance.lateness.called_at.is_some() || send_at >= window.closes_at {
            return Ok(());
        }
        attendance.lateness.called_at = Some(now);
        absences::keep_lateness(tx, attendance.lateness.clone());
        let id = format!("{}-last", window.number);
        let call = (CallTo::LastAwaited, send_at);
        self.post(tx, &attendance, id, call, |_, seat| seat == last).await
    }

    async fn post(
        &self,
        tx: &mut Touched<'_>,
        attendance: &Attendance,
        id: String,
        (to, send_at): (CallTo, Time),
        whom: impl Fn(&Attendance, Seat) -> bool + Send + Sync,
    ) -> Result<()> {
        let (table, window) = (tx.table.clone(), self.window);
        let (seats, contest) = (self.seats, self.contest);
        let attendance = &attendance.clone().acted(contest.kept_by_acts());
        let mut parts: Vec<(Seat, Part)> = Vec::new();
        for row in seats {
            let everybody = calls_everybody(&table, contest) && window.asked.0.contains(&row.seat);
            if everybody || whom(attendance, row.seat) {
                let own = if self.stored.contains(&row.seat) {
                    let db = &mut *tx.db;
                    windows::own_declaration(db, &table.code, window.number, row.seat).await?
                } else {
                    None
                };
                let saying = Saying { contest, window, now: send_at, attendance };
                parts.push((row.seat, saying.part(row.seat, own, to == CallTo::LastAwaited)));
            }
        }
        let notice = Notice::of(seats, id, send_at);
        let own = |seat: Seat| {
            let own = parts.iter().filter(|(of, _)| *of == seat);
            own.map(|(_, part)| part.clone()).collect()
        };
        notice.call_each(tx, Some(Call { to, too_late: window.closes_at }), &own).await
    }
}

/// The facts for a reminder.
struct Saying<'a> {
    contest: &'a dyn AnyContest,
    window: &'a WindowRow,
    now: Time,
    attendance: &'a Attendance,
}

impl Saying<'_> {
    fn part(&self, seat: Seat, own: Option<DeclarationRow>, last: bool) -> Part {
        let progress = match &own {
            None => SealProgress::Nothing,
            Some(own) if own.sealed.0 => SealProgress::Sealed,
            Some(_) => SealProgress::Draft,
        };
        let answers = own.map(|own| own.answers).unwrap_or_default();
        let form = self.contest.interview(seat, &answers);
        let skips = form.missing.is_some();
        let is_at_fault = !form.faults.is_empty();
        let fate = self.attendance.fate(seat, Occasion::Deadline, skips, true);
        Part::Reminder {
            closes: self.window.closes_at,
            left: self.window.closes_at - self.now,
            progress,
            number: self.window.number,
            open: if is_at_fault { Json::Null } else { open_questions(&form) },
            faults: form.faults,
            fate: (progress == SealProgress::Nothing).then_some(fate.deed),
            missing: form.missing,
            last,
            openly: self.contest.is_open_handed(),
            partners: self.awaited_partners(seat),
        }
    }

    /// Returns the partners of a seat whom the window waits for.
    fn awaited_partners(&self, seat: Seat) -> Vec<Seat> {
        let mut partners = self.contest.partners(seat);
        if !partners.is_empty() {
            let awaited = self.attendance.awaited();
            partners.retain(|partner| awaited.contains(partner));
        }
        partners
    }
}

/// True if the window waits for the seat and it is not away.
fn is_reminded(attendance: &Attendance, seat: Seat) -> bool {
    let awaited = attendance.awaited();
    let is_away = attendance.condition(seat) == Condition::Away;
    awaited.contains(&seat) && !is_away
}

/// True if seats that have sealed are reminded too: players without letters are called in public, which must
/// not show who has sealed if that is secret.
fn calls_everybody(table: &TableRow, contest: &dyn AnyContest) -> bool {
    table.settings.has(TableSetting::CountOnly) || contest.procedure().sealing == Sealing::Hidden
}

impl Letter {
    /// True if the letter calls to a window that has opened, and the reminder has the same deadline.
    fn opens_as(&self, reminder: &Part) -> bool {
        matches!(
            (&self.parts[..], reminder),
            ([Part::Opened { closes, .. }], Part::Reminder { closes: by_now, .. })
                if closes == by_now
        )
    }

    /// True if another letter says the same, apart from the time left.
    pub fn tells_as(&self, other: &Self) -> bool {
        let timeless = |letter: &Self| {
            let mut letter = letter.clone();
            for part in &mut letter.parts {
                if let Part::Reminder { left, .. } = part {
                    *left = Span::ZERO;
                }
            }
            letter
        };
        timeless(self) == timeless(other)
    }
}

/// The state of a letter since it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Current {
    /// The letter is up to date.
    Same,
    /// The letter that is up to date.
    Reworded(Box<Letter>),
    /// The letter is out of date, and is dropped.
    Gone,
}

impl Current {
    /// `None` if the letter is dropped; otherwise its current form.
    pub fn of<'a>(&'a self, letter: &'a Letter) -> Option<&'a Letter> {
        match self {
            Self::Same => Some(letter),
            Self::Reworded(by_now) => Some(by_now),
            Self::Gone => None,
        }
    }
}

/// Returns the state of a letter. A reminder lists what is missing now, and is dropped if nothing is missing
/// or the window has closed. A letter about an obstacle that is gone is dropped too. Every other letter stays
/// unchanged.
pub async fn as_of(desk: &Desk, letter: &Letter, now: Time) -> Result<Current> {
    if let Some(obstacle) = letter.obstacle() {
        let mut db = desk.store.read().await?;
        let is_met = obstacles::is_met(&mut db, &letter.code, &obstacle.to_string()).await?;
        return Ok(if is_met { Current::Same } else { Current::Gone });
    }
    let reminded = letter.parts.iter().find_map(|part| match part {
        Part::Reminder { number, last, .. } => Some((*number, *last)),
        Part::Opened { number, .. } => Some((*number, false)),
        _ => None,
    });
    let (Some((number, last)), Some(seat)) = (reminded, letter.seat) else {
        return Ok(Current::Same);
    };
    let mut db = desk.store.read().await?;
    let part = reminder(desk, &mut db, &letter.code, number, seat, last, now).await?;
    Ok(match part {
        None => Current::Gone,
        Some(part) if letter.opens_as(&part) || letter.parts == slice::from_ref(&part) => {
            Current::Same
        }
        Some(part) => Current::Reworded(Box::new(Letter { parts: vec![part], ..letter.clone() })),
    })
}

async fn reminder(
    desk: &Desk,
    db: &mut Session,
    code: &TableCode,
    number: WindowNumber,
    seat: Seat,
    last: bool,
    now: Time,
) -> Result<Option<Part>> {
    let Some(table) = db.table(code).await? else { return Ok(None) };
    let (Ok(game), Some(window)) =
        (desk.games.of(&table), windows::window(db, code, number).await?)
    else {
        return Ok(None);
    };
    let is_open = announced_stage(&table, Some(&window), now) == Stage::Playing
        && table.open_window == Some(number)
        && table.held.is_none()
        && window.timing().takes(now);
    if !is_open {
        return Ok(None);
    }
    let seats: Vec<SeatRow> = db.seats(code).await?;
    let contest = contest(db, game, &table, &seats, &window).await?;
    let attendance = Attendance::seen(db, code, &window, now).await?;
    let attendance = attendance.acted(contest.kept_by_acts());
    let everybody = calls_everybody(&table, &*contest);
    let awaited = attendance.awaited();
    let is_true = if last { awaited == [seat] } else { is_reminded(&attendance, seat) };
    if !is_true && (last || !everybody) {
        return Ok(None);
    }
    let own = windows::own_declaration(db, code, number, seat).await?;
    let saying = Saying { contest: &*contest, window: &window, now, attendance: &attendance };
    Ok(Some(saying.part(seat, own, last)))
}
