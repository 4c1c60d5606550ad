//! Offered seats, and people who take them.
//!
//! An offer changes nothing about the seat: its player plays on, is waited for and can miss windows, until
//! another person takes the seat. The offer stays open until then, until a game master withdraws it, or until
//! the table is over. A former player of the table cannot accept a public offer, as they know other seats'
//! secrets; but a game master can invite them by name.

use async_trait::async_trait;

use crate::absence::reputation::{meets_minimum, recount, replaced};
use crate::absence::take_over::TakingOver;
use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, stage_shown};
use crate::model::open_window::announced_window;
use crate::model::people::Guest;
use crate::model::random;
use crate::overrides::making;
use crate::record::event::Event;
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::record::tell::News;
use letters::{Refused, SeatRefused};
use rules::Seat;
use store::{CallRow, SeatRow, Session, Touched, absences, calls, people};
use tables::Stage;
use tables::ids::{PersonId, TableCode};
use tables::time::Time;

/// Seats a person on an offered seat: this one, or else the one to which they are invited, or the only
/// one. The former player and the table are notified.
/// Refused if the seat is not offered or was taken earlier, if the person sits at the table, has sat
/// there before or was dismissed, if no game is being played, or if the next window has not been
/// announced.
pub async fn take_seat(
    desk: &Desk,
    code: &TableCode,
    seat: Option<Seat>,
    guest: Guest,
    now: Time,
) -> Result<Seat, NotDone> {
    let (games, code, drawn) = (desk.games, code.to_owned(), random::person());
    desk.carry_out(Taking { games, code, seat, guest, drawn, now }).await
}

struct Taking {
    games: Games,
    code: TableCode,
    /// `None` if no seat was named.
    seat: Option<Seat>,
    guest: Guest,
    /// The id of a new person.
    drawn: PersonId,
    now: Time,
}

#[async_trait]
impl Request for Taking {
    type Done = Seat;

    async fn carry_out(&self, session: &mut Session) -> Result<Seat, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        match stage_shown(&mut touched, self.now).await? {
            Stage::Forming => return Err(Refused::NotBegun.into()),
            Stage::Over => return Err(Refused::Over.into()),
            Stage::Playing => {}
        }
        let before = touched.seats().await?;
        let known = people::person(touched.session(), &self.guest.account).await?;
        if before.iter().any(|row| row.is_of(known.as_ref())) {
            return Err(SeatRefused::Seated.into());
        }
        let call = self.meant(&calls::all_at(&mut touched).await?, known.as_ref())?;
        let seat = call.seat.ok_or(SeatRefused::NotSought)?;
        if let Some(known) = &known {
            self.refuse(&mut touched, &call, seat, known).await?;
        }
        meets_minimum(&mut touched, &self.guest.account, self.now)
            .await?
            .map_err(SeatRefused::Missed)?;
        let window = announced_window(&mut touched, self.now).await?;
        let (guest, drawn) = (&self.guest, &self.drawn);
        let taking = TakingOver { games: self.games, seat, guest, drawn, now: self.now };
        let closes = taking.sit(&mut touched, &window).await?;
        replaced(&mut touched, &before, self.now).await?;
        recount(&mut touched, self.now).await?;
        touched.stir();
        self.tell(&mut touched, &before, seat, closes).await?;
        making::count_again(&mut touched, self.games, &before, self.now).await?;
        Ok(seat)
    }

    /// A refusal rolls everything back.
    fn keeps(done: &Result<Seat, NotDone>) -> bool {
        done.is_ok()
    }
}

impl Taking {
    /// Returns the offer that is accepted.
    fn meant(&self, calls: &[CallRow], known: Option<&PersonId>) -> Result<CallRow, Refused> {
        let is_for = |call: &&CallRow| call.person.is_none() || call.person.as_ref() == known;
        let open: Vec<&CallRow> =
            calls.iter().filter(|call| call.seat.is_some()).filter(is_for).collect();
        if let Some(seat) = self.seat {
            let of_seat = open.into_iter().find(|call| call.is_of(seat));
            return Ok(of_seat.cloned().ok_or(SeatRefused::NotSought)?);
        }
        let own: Vec<&CallRow> =
            open.iter().copied().filter(|call| call.person.is_some()).collect();
        match (&own[..], &open[..]) {
            ([call], _) | ([], [call]) => Ok((*call).clone()),
            ([], []) => Err(SeatRefused::NotSought.into()),
            _ => Err(SeatRefused::WhichSeat.into()),
        }
    }

    /// Refuses dismissed people, and those who may know secrets of other seats, unless they are invited by
    /// name.
    async fn refuse(
        &self,
        touched: &mut Touched<'_>,
        call: &CallRow,
        seat: Seat,
        person: &PersonId,
    ) -> Result<(), NotDone> {
        if calls::sent_away(touched).await?.iter().any(|away| away == person) {
            return Err(SeatRefused::SentAway.into());
        }
        let session = touched.session();
        let stands_in =
            absences::stood_in_by(session, &self.code, &self.guest.account, self.now).await?;
        let knows = stands_in.is_some_and(|of| of != seat);
        let has_left = calls::has_left(session, &self.code, person).await?;
        if call.person.is_none() && (knows || has_left) {
            return Err(SeatRefused::HasLeft.into());
        }
        Ok(())
    }

    /// Notifies the table of the new player, and the former player of their loss of the seat.
    async fn tell(
        &self,
        touched: &mut Touched<'_>,
        before: &[SeatRow],
        seat: Seat,
        closes: Option<Time>,
    ) -> Result<(), NotDone> {
        let seats = touched.seats().await?;
        let news = News::of(Event::Taken { seat, closes }, &seats, self.now);
        news.tell(touched, "taken", self.now).await?;
        let id = format!("taken-{:08}-gone", touched.table.entries);
        let gone = Notice::of(before, id, self.now);
        let own = |of: Seat| (of == seat).then_some(Part::Gone { seat }).into_iter().collect();
        Ok(gone.post_to_each(touched, own).await?)
    }
}
