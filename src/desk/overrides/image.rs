//! The image of an override's changes, for its undo.
//!
//! Closed windows and states never change; so the image has the table's row, the open window and its
//! declarations, the players on the seats, and their attendance.

use serde::{Deserialize, Serialize};

use crate::model::desk::NotDone;
use crate::model::overrides::Override;
use crate::record::seating::reseat;
use letters::Refused;
use rules::Seat;
use store::{
    AsText, CallRow, DeclarationRow, PresenceRow, SeatRow, Standstill, StoreError, Touched,
    absences, calls, overrides, traces, votes,
};
use tables::ids::{Address, PersonId, WindowNumber, or_before_first};
use tables::time::{Span, Time};
use tables::{Absence, HoldReason, Oversight, Pace, Stage, Timing};

/// A table as far as an override can change it.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Image {
    stage: Stage,
    #[serde(with = "or_before_first")]
    open_window: Option<WindowNumber>,
    look_at: Option<Time>,
    held: Option<HoldReason>,
    held_at: Option<Time>,
    oversight: Oversight,
    #[serde(default)]
    paused: Span,
    /// The current and the next pace; `None` if the override leaves both unchanged.
    #[serde(default)]
    paces: Option<Box<Paces>>,
    /// The treatment of missing players; `None` if unchanged.
    #[serde(default)]
    absence: Option<AsText<Absence>>,
    window: Option<Times>,
    #[serde(rename = "filed")]
    declarations: Vec<DeclarationRow>,
    seats: Vec<Sitting>,
    /// The offered seats and invitations; `None` if unchanged.
    #[serde(default)]
    calls: Option<Vec<CallRow>>,
    /// The dismissed people; `None` if unchanged.
    #[serde(default)]
    sent_away: Option<Vec<PersonId>>,
    /// The attendance of the seats.
    #[serde(default)]
    attendance: Vec<Attended>,
}

/// The current and the next pace of a table.
type Paces = (AsText<Pace>, Option<AsText<Pace>>);

/// The attendance of a seat.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Attended {
    seat: Seat,
    misses: u32,
    put_off: u32,
    inactive_at: Option<Time>,
}

/// The times and the state of the open window.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Times {
    said: String,
    opens: Time,
    closes: Time,
    settles: Option<Time>,
    reminded: Time,
    #[serde(default)]
    extended: Span,
}

/// The player on a seat.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Sitting {
    seat: Seat,
    person: Option<PersonId>,
    house: Option<String>,
    name: String,
    #[serde(default)]
    salt: Option<String>,
    address: Option<Address>,
}

/// The image of a table before and after an override.
#[derive(Serialize, Deserialize)]
pub(crate) struct Changed {
    before: Image,
    after: Image,
}

impl Image {
    pub(crate) async fn of(touched: &mut Touched<'_>) -> Result<Self, StoreError> {
        let (code, open) = (touched.table.code.clone(), touched.table.open_window);
        let extended = match open {
            Some(open) => votes::extended(touched.session(), &code, open).await?,
            None => Span::ZERO,
        };
        let window = touched.open_window().await?.map(|window| Times {
            said: window.said,
            opens: window.opens_at,
            closes: window.closes_at,
            settles: window.settles_at,
            reminded: window.reminded_at,
            extended,
        });
        let paused = votes::paused(touched.session(), &code).await?;
        let absence = Some(AsText(absences::absence(touched.session(), &code).await?));
        let declarations = overrides::declarations(touched).await?;
        let seats = touched.seats().await?.into_iter().map(Sitting::of).collect();
        let (calls, sent_away) = (calls::all_at(touched).await?, calls::sent_away(touched).await?);
        let presences = absences::presences(touched.session(), &code).await?;
        let attendance = presences.iter().map(Attended::of).collect();
        let table = &touched.table;
        let as_text = |pace: &Pace| AsText(pace.clone());
        Ok(Self {
            stage: table.stage,
            open_window: table.open_window,
            look_at: table.look_at,
            held: table.held.clone(),
            held_at: table.held_at,
            oversight: table.oversight,
            paused,
            paces: Some(Box::new((as_text(&table.pace), table.next_pace.as_deref().map(as_text)))),
            absence,
            window,
            declarations,
            seats,
            calls: Some(calls),
            sent_away: Some(sent_away),
            attendance,
        })
    }

    /// Returns the pause or lock that outlasts the override into another window, with its beginning and end;
    /// `None` without one.
    pub(crate) fn standstill(&self, what: &Override, now: Time) -> Option<Standstill> {
        let held = self.held.clone().filter(|held| held.outlasts_window() && what.keeps_pause());
        let since = self.held_at.unwrap_or(now);
        held.map(|why| Standstill { why, until: self.look_at, since })
    }

    /// Returns the images before and after, without their equal parts.
    pub(crate) fn changed(mut self, mut after: Self) -> Changed {
        let same = |a: &DeclarationRow, others: &[DeclarationRow]| others.contains(a);
        if self.open_window == after.open_window {
            let (before, then) = (self.declarations.clone(), after.declarations.clone());
            self.declarations.retain(|row| !same(row, &then));
            after.declarations.retain(|row| !same(row, &before));
        } else {
            self.declarations.clear();
            after.declarations.clear();
        }
        let (before, then) = (self.seats.clone(), after.seats.clone());
        self.seats.retain(|row| !then.contains(row));
        after.seats.retain(|row| !before.contains(row));
        if self.paces == after.paces {
            (self.paces, after.paces) = (None, None);
        }
        if self.absence == after.absence {
            (self.absence, after.absence) = (None, None);
        }
        if self.calls == after.calls {
            (self.calls, after.calls) = (None, None);
        }
        if self.sent_away == after.sent_away {
            (self.sent_away, after.sent_away) = (None, None);
        }
        self.attendance.retain(|row| !after.attendance.contains(row));
        after.attendance.clear();
        Changed { before: self, after }
    }
}

impl Attended {
    fn of(row: &PresenceRow) -> Self {
        let PresenceRow { seat, misses, put_off, inactive_at, .. } = *row;
        Self { seat, misses, put_off, inactive_at }
    }

    fn row(&self) -> PresenceRow {
        let Self { seat, misses, put_off, inactive_at } = *self;
        PresenceRow {
            seat,
            misses,
            put_off,
            inactive_at,
            person: None,
            away_from: None,
            away_until: None,
            stood_in_until: None,
        }
    }
}

impl Sitting {
    fn of(row: SeatRow) -> Self {
        let SeatRow { seat, person, house, name, salt, address, .. } = row;
        Self { seat, person, house, name, salt, address }
    }
}

impl Changed {
    /// True if another window was open before.
    pub(crate) fn reopens(&self) -> bool {
        self.before.open_window != self.after.open_window
    }

    /// True if the override has put a result under review.
    pub(crate) fn held_back(&self) -> bool {
        let is_held = |image: &Image| image.held == Some(HoldReason::Review);
        !is_held(&self.before) && is_held(&self.after) && !self.reopens()
    }

    /// Returns the reason of the pause or lock that the override began; `None` if it began none.
    pub(crate) fn held(&self) -> Option<&HoldReason> {
        let held = self.after.held.as_ref().filter(|_| self.before.held.is_none());
        held.filter(|held| held.outlasts_window())
    }

    /// Returns the opening time of the window that was open before.
    pub(crate) fn opens(&self) -> Option<Time> {
        self.before.window.as_ref().map(|times| times.opens)
    }

    /// Restores the table as before the override. Declarations made since then stay.
    pub(crate) async fn restore(
        &self,
        touched: &mut Touched<'_>,
        now: Time,
    ) -> Result<(), NotDone> {
        let Self { before, after } = self;
        if before.open_window == after.open_window {
            self.restore_declarations(touched).await?;
        }
        touched.turn_to(before.stage, before.open_window, before.look_at);
        if let (Some(times), Some(number)) = (&before.window, before.open_window) {
            overrides::keep_said(touched, number, times.said.clone()).await?;
            let Times { opens, closes, settles, reminded, .. } = *times;
            touched.time(Timing { opens, closes, settles, reminded });
            votes::keep_extended(touched, times.extended).await?;
        }
        votes::keep_paused(touched, before.paused).await?;
        self.restore_settings(touched).await?;
        if let Some(held) = &before.held {
            let held_at = before.held_at.unwrap_or_default();
            touched.hold(held.clone(), before.look_at, held_at);
        }
        if touched.table.oversight != before.oversight {
            overrides::oversee(touched, before.oversight).await?;
        }
        for sitting in &before.seats {
            let seats = touched.seats().await?;
            let sits = seats.into_iter().find(|row| row.seat == sitting.seat);
            // A player dismissed before the game began has to sit down again themselves.
            let Some(sits) = sits else {
                if before.stage == Stage::Forming {
                    continue;
                }
                return Err(Refused::NoSeat.into());
            };
            let Sitting { person, house, name, salt, address, .. } = sitting.clone();
            let row = SeatRow { person, house, name, salt, address, ..sits };
            reseat(touched, &row, now).await?;
        }
        self.restore_attendance(touched);
        self.restore_calls(touched).await
    }

    /// Restores the pace and the treatment of missing players.
    pub(crate) async fn restore_settings(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        if let Some((AsText(pace), next)) = self.before.paces.as_deref() {
            let next = next.as_ref().map(|AsText(next)| next.clone().into());
            traces::keep_paces(touched, pace.clone().into(), next).await?;
        }
        if let Some(AsText(absence)) = &self.before.absence {
            absences::keep_absence(touched, *absence).await?;
        }
        Ok(())
    }

    /// Restores the attendance of the seats.
    pub(crate) fn restore_attendance(&self, touched: &mut Touched<'_>) {
        for attended in &self.before.attendance {
            absences::attend(touched, attended.row());
        }
    }

    /// Restores the hold of the table, if there was one.
    pub(crate) fn hold_again(&self, touched: &mut Touched<'_>) {
        let Image { held, look_at, held_at, .. } = &self.before;
        if let Some(held) = held {
            touched.hold(held.clone(), *look_at, held_at.unwrap_or_default());
        }
    }

    async fn restore_calls(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        if let Some(calls) = &self.before.calls {
            calls::drop_calls(touched).await?;
            for call in calls {
                calls::call(touched, call).await?;
            }
        }
        if let (Some(before), Some(after)) = (&self.before.sent_away, &self.after.sent_away) {
            for person in after {
                calls::send_away(touched, person, false).await?;
            }
            for person in before {
                calls::send_away(touched, person, true).await?;
            }
        }
        Ok(())
    }

    async fn restore_declarations(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        let now = overrides::declarations(touched).await?;
        for row in &self.after.declarations {
            if now.contains(row) {
                touched.withdraw(row.seat).await?;
            }
        }
        let now = overrides::declarations(touched).await?;
        for row in &self.before.declarations {
            if now.iter().all(|other| other.seat != row.seat) {
                touched.restore_declaration(row.clone());
            }
        }
        Ok(())
    }
}
