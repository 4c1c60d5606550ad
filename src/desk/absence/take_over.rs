//! Taking over a seat of a game in play. The declaration of the previous player is withdrawn, and the new
//! player has a whole window from then on.

use crate::absence::attendance::procedure_among;
use crate::model::desk::NotDone;
use crate::model::load::{Games, contest, window_pace};
use crate::model::people::Guest;
use crate::record::notice::Notice;
use crate::record::seating::reseat;
use crate::record::tell::opening_now;
use letters::{OverrideRefused, Refused, SeatRefused};
use rules::Seat;
use store::{SeatRow, Seats, StoreError, Touched, WindowRow, absences, calls, people};
use tables::ids::PersonId;
use tables::time::Time;
use tables::{PersonSettings, Timing};

/// A person who takes over a seat.
pub(crate) struct TakingOver<'a> {
    pub(crate) games: Games,
    pub(crate) seat: Seat,
    pub(crate) guest: &'a Guest,
    /// The id for a person whom the store does not know yet.
    pub(crate) drawn: &'a PersonId,
    pub(crate) now: Time,
}

impl TakingOver<'_> {
    /// `None` if the deadline was not extended; otherwise the new deadline. Seats the guest in the open
    /// window, and drops the calls for players for the seat.
    pub(crate) async fn sit(
        &self,
        touched: &mut Touched<'_>,
        window: &WindowRow,
    ) -> Result<Option<Time>, NotDone> {
        let (guest, language) = (self.guest, self.guest.language.code());
        let person = people::meet(touched.session(), &guest.account, language, self.drawn).await?;
        let seats = touched.seats().await?;
        if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
            return Err(OverrideRefused::SitsHere.into());
        }
        let row = row_of(&seats, self.seat)?;
        refuse_other_side(touched, self.games, &seats, window, &[(&person, self.seat)]).await?;
        withdraw_declaration(touched, self.seat).await?;
        let row = SeatRow {
            person: Some(person),
            house: None,
            salt: None,
            name: guest.name.clone(),
            address: Some(guest.address.clone()),
            language: Some(language.to_owned()),
            settings: PersonSettings::default(),
            ..row
        };
        reseat(touched, &row, self.now).await?;
        for call in calls::all_at(touched).await?.iter().filter(|call| call.is_of(self.seat)) {
            calls::drop_call(touched, call.number).await?;
        }
        let closes = self.put_off(touched, window).await?;
        introduce(touched, self.games, &[self.seat], self.now).await?;
        Ok(closes)
    }

    /// `None` if the deadline stays. Gives an asked seat a whole window; in the grace period, adds it to the
    /// late seats.
    async fn put_off(
        &self,
        touched: &mut Touched<'_>,
        window: &WindowRow,
    ) -> Result<Option<Time>, NotDone> {
        if !window.asked.0.contains(&self.seat) {
            return Ok(None);
        }
        let pace = window_pace(&touched.table, window);
        let closes = window.closes_at.max(pace.deadline(self.now));
        let timing = Timing { closes, settles: None, ..window.timing() };
        touched.time(timing);
        if touched.table.held.is_none() {
            touched.look_at(Some(timing.next(&pace)));
        }
        let code = touched.table.code.clone();
        let lateness = absences::lateness(touched.session(), &code, window.number).await?;
        if let Some(mut row) = lateness
            && let Some(Seats(late)) = &mut row.late
        {
            if !late.contains(&self.seat) {
                late.push(self.seat);
            }
            absences::keep_lateness(touched, row);
        }
        Ok((closes > window.closes_at).then_some(closes))
    }
}

/// Refuses a person who would take one of these seats and has had, or stands in for, a seat of another side:
/// they know the secrets of that side.
pub(crate) async fn refuse_other_side(
    touched: &mut Touched<'_>,
    games: Games,
    seats: &[SeatRow],
    window: &WindowRow,
    taking: &[(&PersonId, Seat)],
) -> Result<(), NotDone> {
    let table = touched.table.clone();
    let (game, session) = (games.of(&table)?, touched.session());
    let contest = contest(session, game, &table, seats, window).await.map_err(StoreError::from)?;
    let sides = contest.sides();
    if sides.iter().all(|(_, side)| side.is_none()) {
        return Ok(());
    }
    let has = seats.iter().filter_map(|row| Some((row.person.clone()?, row.seat)));
    let had = session.all_former_seats(&table.code).await?;
    let had = had.into_iter().map(|row| (row.person, row.seat));
    let stands_in = absences::substitutes(session, &table.code).await?;
    let stands_in = stands_in.into_iter().map(|row| (row.person, row.seat));
    let known: Vec<(PersonId, Seat)> = has.chain(had).chain(stands_in).collect();
    let is_refused = |(person, seat): &(&PersonId, Seat)| {
        known.iter().any(|(of, at)| of == *person && sides[*at] != sides[*seat])
    };
    if taking.iter().any(is_refused) { Err(SeatRefused::OtherSide.into()) } else { Ok(()) }
}

/// Sends the newly seated players the position and the questions of the open window.
pub(crate) async fn introduce(
    touched: &mut Touched<'_>,
    games: Games,
    to: &[Seat],
    now: Time,
) -> Result<(), NotDone> {
    let Some(window) = touched.open_window().await? else { return Ok(()) };
    let (table, seats) = (touched.table.clone(), touched.seats().await?);
    let game = games.of(&table)?;
    let contest = contest(touched.session(), game, &table, &seats, &window).await;
    let contest = contest.map_err(StoreError::from)?;
    let notice = Notice {
        contest: Some(&*contest),
        ..Notice::of(&seats, format!("{}-seated-{}", window.number, table.entries), now)
    };
    let among = procedure_among(&seats, &contest.procedure());
    let parts = opening_now(&table, &window, &*contest, &among, now);
    let of_seat = |seat| if to.contains(&seat) { parts.clone() } else { Vec::new() };
    Ok(notice.post_to_each(touched, of_seat).await?)
}

/// Withdraws the declaration of a seat in the open window, which the previous player made.
pub(crate) async fn withdraw_declaration(
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<(), NotDone> {
    let Some(number) = touched.table.open_window else { return Ok(()) };
    let code = touched.table.code.clone();
    let progress_rows = touched.session().declaration_progress(&code, number).await?;
    if progress_rows.iter().any(|progress_row| progress_row.seat == seat) {
        touched.withdraw(seat).await?;
    }
    Ok(())
}

/// Returns the row of a seat.
pub(crate) fn row_of(seats: &[SeatRow], seat: Seat) -> Result<SeatRow, Refused> {
    seats.iter().find(|row| row.seat == seat).cloned().ok_or(Refused::NoSeat)
}
