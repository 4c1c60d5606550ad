//! Who sits where.

use super::{Deciding, Done, Remark};
use crate::desk::letter::{Notice, opening};
use crate::desk::reputation::others_meet_minimum;
use crate::desk::resolve::{house_declares, settle};
use crate::desk::{NotDone, pace};
use crate::letters::Refused;
use crate::rules::Seat;
use crate::store::{SeatRow, Touched};
use crate::tables::Timing;

impl Deciding {
    /// Somebody else takes a seat, and has a whole window from then on.
    pub(super) async fn replace(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        let guest = self.decision.guest.as_ref().ok_or(Refused::NotSeated)?;
        others_meet_minimum(touched, &guest.account, self.now).await??;
        let language = guest.language.code();
        let person = touched.session().meet(&guest.account, language, &self.drawn[1]).await?;
        let seats = touched.seats().await?;
        if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
            return Err(Refused::SitsHere.into());
        }
        let row = row_of(&seats, seat)?;
        let lost = self.take_back(touched, seat).await?;
        let row = SeatRow {
            person: Some(person),
            house: None,
            name: guest.name.clone(),
            address: Some(guest.address.clone()),
            language: Some(language.to_owned()),
            ..row
        };
        touched.reseat(&row).await?;
        if window.asked.0.contains(&seat) {
            let pace = pace(&touched.table)?;
            let closes = window.closes_at.max(pace.deadline(self.now));
            let timing = Timing { closes, settles: None, ..window.timing() };
            touched.time(timing).await?;
            if touched.table.held.is_none() {
                touched.look_at(Some(timing.next(&pace))).await?;
            }
        }
        self.introduce(touched, &[seat]).await?;
        Ok(Done { remarks: lost, ..Done::about(seat) })
    }

    /// A house player takes a seat, and declares at once if it was awaited.
    pub(super) async fn house(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
        policy: &str,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        if !self.games.of(&touched.table)?.policies().contains(&policy) {
            return Err(Refused::NoPolicy.into());
        }
        let seats = touched.seats().await?;
        let row = row_of(&seats, seat)?;
        let (person, address, language) = (None, None, None);
        let row = SeatRow {
            person,
            house: Some(policy.to_owned()),
            address,
            language,
            name: String::new(),
            ..row
        };
        touched.reseat(&row).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let sealed = touched.session().filings(&self.code, window.number).await?;
        let has_sealed = sealed.iter().any(|filing| filing.seat == seat && filing.sealed != 0);
        if window.asked.0.contains(&seat) && !has_sealed {
            house_declares(touched, &*contest, &seats, &[seat], window.number).await?;
            settle(touched, &*contest, &window, self.now).await?;
        }
        Ok(Done::about(seat))
    }

    /// Two exchange their seats.
    pub(super) async fn swap(
        &self,
        touched: &mut Touched<'_>,
        a: Seat,
        b: Seat,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        if a == b {
            return Err(Refused::SitsHere.into());
        }
        let seats = touched.seats().await?;
        let (one, other) = (row_of(&seats, a)?, row_of(&seats, b)?);
        let mut remarks = self.take_back(touched, a).await?;
        remarks.extend(self.take_back(touched, b).await?);
        // What was mixed into the dice belongs to the seat.
        let moved = |to: &SeatRow, from: &SeatRow| SeatRow {
            seat: to.seat,
            value: to.value.clone(),
            ..from.clone()
        };
        touched.reseat(&moved(&one, &other)).await?;
        touched.reseat(&moved(&other, &one)).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let among: Vec<Seat> =
            [a, b].into_iter().filter(|seat| window.asked.0.contains(seat)).collect();
        house_declares(touched, &*contest, &seats, &among, window.number).await?;
        settle(touched, &*contest, &window, self.now).await?;
        self.introduce(touched, &[a, b]).await?;
        Ok(Done { seats: vec![a, b], remarks, ..Done::default() })
    }

    /// Tells those who have just sat down where they stand, and what is asked.
    async fn introduce(&self, touched: &mut Touched<'_>, to: &[Seat]) -> Result<(), NotDone> {
        let Some(window) = touched.open_window().await? else { return Ok(()) };
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let pace = pace(&touched.table)?;
        let notice = Notice {
            seats: &seats,
            zone: pace.zone,
            contest: Some(&*contest),
            id: format!("{}-seated-{}", window.number, touched.table.entries),
            send_at: self.now,
        };
        let early = pace.early && contest.procedure().closes_early;
        let timing = window.timing();
        let announced = pace.announced(timing.closes, timing.closes);
        let opening = opening(&*contest, window.number, timing, announced, early);
        let told = |seat| to.contains(&seat).then(|| opening.clone()).into_iter().collect();
        Ok(notice.post_to_each(touched, told).await?)
    }

    /// Takes back what a seat has declared in the open window: it was somebody else's.
    async fn take_back(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
    ) -> Result<Vec<Remark>, NotDone> {
        let number = touched.table.open_window;
        let filings = touched.session().filings(&self.code, number).await?;
        if filings.iter().all(|filing| filing.seat != seat) {
            return Ok(Vec::new());
        }
        touched.withdraw(seat).await?;
        Ok(vec![Remark::Lost { seats: vec![seat] }])
    }
}

fn row_of(seats: &[SeatRow], seat: Seat) -> Result<SeatRow, Refused> {
    seats.iter().find(|row| row.seat == seat).cloned().ok_or(Refused::NoSeat)
}
