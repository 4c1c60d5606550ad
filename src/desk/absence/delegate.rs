//! Substitutes, who see and declare for a seat until a set time, and may do nothing else.

use async_trait::async_trait;

use crate::absence::attendance::{procedure_among, resettle};
use crate::absence::away::{announce, check_period, come_back};
use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, contest};
use crate::model::people::Guest;
use crate::model::random;
use crate::record::event::Event;
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::record::tell::opening_now;
use letters::{AbsenceRefused, Refused};
use rules::Seat;
use store::{SeatRow, Session, StoreError, Touched, absences, people};
use tables::Stage;
use tables::ids::{AccountId, Address, PersonId, TableCode};
use tables::time::Time;

/// Makes somebody the substitute for the person's seat until a time, in place of any earlier one. The
/// substitute is sent the seat's letters; the player can still play the seat.
/// Refused if the person does not sit there, no game is played there, the substitute has another seat
/// there, or the period has ended or is too long.
pub async fn delegate(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    to: Guest,
    until: Time,
    now: Time,
) -> Result<Seat, NotDone> {
    check_period(now, until, now)?;
    let (code, account) = (code.to_owned(), account.to_owned());
    let (games, person) = (desk.games, random::person());
    let delegating = Delegating { games, code, account, to, person, until, now };
    desk.carry_out(delegating).await
}

/// `None` if the seat has no substitute; otherwise the substitute's address and the end of the
/// substitution.
pub async fn substitute(
    desk: &Desk,
    code: &TableCode,
    seat: Seat,
    now: Time,
) -> Result<Option<(Address, Time)>, StoreError> {
    let rows = absences::substitutes(&mut desk.store.read().await?, code).await?;
    let row = rows.into_iter().find(|row| row.seat == seat && row.until_at > now);
    Ok(row.map(|row| (row.address, row.until_at)))
}

/// Ends the substitution of the person's seat.
/// Refused if they do not sit there, or have no substitute.
pub async fn dismiss_substitute(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<Seat, NotDone> {
    let (code, account) = (code.to_owned(), account.to_owned());
    let taking = DismissingSubstitute { games: desk.games, code, account, now };
    desk.carry_out(taking).await
}

struct Delegating {
    games: Games,
    code: TableCode,
    account: AccountId,
    to: Guest,
    /// The id for a substitute whom the store does not know yet.
    person: PersonId,
    until: Time,
    now: Time,
}

#[async_trait]
impl Request for Delegating {
    type Done = Seat;

    async fn carry_out(&self, session: &mut Session) -> Result<Seat, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let seats = touched.seats().await?;
        let seat = own_seat(&mut touched, &seats, &self.account).await?;
        let (to, language) = (&self.to, self.to.language.code());
        let known = people::person(touched.session(), &to.account).await?;
        let sits = |row: &SeatRow| row.is_of(known.as_ref());
        let stands_in = absences::substitutes(touched.session(), &self.code).await?;
        let elsewhere = stands_in.iter().any(|row| {
            row.seat != seat && row.until_at > self.now && Some(&row.person) == known.as_ref()
        });
        let former = touched.session().all_former_seats(&self.code).await?;
        let has_sat_elsewhere =
            former.iter().any(|row| row.seat != seat && Some(&row.person) == known.as_ref());
        if seats.iter().any(sits) || elsewhere || has_sat_elsewhere {
            // The substitute would know the secrets of two seats.
            return Err(AbsenceRefused::OtherSeat.into());
        }
        let person = match known {
            // A known person has set their own language.
            Some(known) => known,
            None => people::meet(touched.session(), &to.account, language, &self.person).await?,
        };
        absences::stand_in(&mut touched, seat, &person, &to.address, self.until).await?;
        let stood_in = Event::StoodIn { seat, until: Some(self.until) };
        announce(&mut touched, stood_in, "stood-in", self.now).await?;
        let presences = absences::presences(touched.session(), &self.code).await?;
        let inactive = presences.into_iter().find(|row| row.seat == seat);
        if let Some(row) = inactive.filter(|row| row.inactive_at.is_some()) {
            come_back(&mut touched, self.games, &row, self.now).await?;
        }
        resettle(&mut touched, self.games, self.now).await?;
        self.brief(&mut touched, &seats, seat).await?;
        Ok(seat)
    }
}

impl Delegating {
    /// Sends the substitute the seat's view of the open window and its questions.
    async fn brief(
        &self,
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        seat: Seat,
    ) -> Result<(), StoreError> {
        let table = touched.table.clone();
        let (Ok(game), Some(window)) = (self.games.of(&table), touched.open_window().await?) else {
            return Ok(());
        };
        let contest = contest(touched.session(), game, &table, seats, &window).await?;
        let mut parts = vec![Part::StandIn { seat, until: self.until }];
        let among = procedure_among(seats, &contest.procedure());
        parts.extend(opening_now(&table, &window, &*contest, &among, self.now));
        let notice = Notice {
            seats,
            contest: Some(&*contest),
            id: format!("stand-in-{}", touched.table.entries),
            // The window is shown to nobody before it opens.
            send_at: self.now.max(window.opens_at),
        };
        notice
            .post_to_substitutes(touched, |of| if of == seat { parts.clone() } else { Vec::new() })
            .await
    }
}

struct DismissingSubstitute {
    games: Games,
    code: TableCode,
    account: AccountId,
    now: Time,
}

#[async_trait]
impl Request for DismissingSubstitute {
    type Done = Seat;

    async fn carry_out(&self, session: &mut Session) -> Result<Seat, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let seats = touched.seats().await?;
        let seat = own_seat(&mut touched, &seats, &self.account).await?;
        if !stand_back(&mut touched, seat, self.now).await? {
            return Err(AbsenceRefused::NoSubstitute.into());
        }
        resettle(&mut touched, self.games, self.now).await?;
        Ok(seat)
    }
}

/// Ends the substitution of a seat and announces this; returns false if there was none.
pub(crate) async fn stand_back(
    touched: &mut Touched<'_>,
    seat: Seat,
    now: Time,
) -> Result<bool, StoreError> {
    let event = Event::StoodIn { seat, until: None };
    let seats = touched.seats().await?;
    let notice = Notice::of(&seats, format!("stand-back-{}", touched.table.entries), now);
    let own = |of: Seat| (of == seat).then(|| Part::Event(event.clone())).into_iter().collect();
    notice.post_to_substitutes(touched, own).await?;
    if !absences::stand_back(touched, seat).await? {
        return Ok(false);
    }
    announce(touched, event, "stood-in", now).await?;
    Ok(true)
}

/// Returns the person's seat at a table in play.
async fn own_seat(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    account: &AccountId,
) -> Result<Seat, NotDone> {
    let person = people::person(touched.session(), account).await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref()));
    match (own, touched.table.stage) {
        (None, _) => Err(Refused::NotSeated.into()),
        (Some(_), Stage::Forming) => Err(Refused::NotBegun.into()),
        (Some(_), Stage::Over) => Err(Refused::Over.into()),
        (Some(row), Stage::Playing) => Ok(row.seat),
    }
}
