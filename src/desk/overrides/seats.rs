//! Changes of the players on the seats.

use crate::absence::reputation::others_meet_minimum;
use crate::absence::take_over::{
    TakingOver, introduce, refuse_other_side, row_of, withdraw_declaration,
};
use crate::model::desk::NotDone;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::decision::Remark;
use crate::record::seating::reseat;
use crate::window::resolve::{house_declares, settle};
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{SeatRow, Touched};
use tables::PersonSettings;
use tables::ids::PersonId;

impl Deciding {
    /// Seats another player, who has a whole window from then on.
    pub(crate) async fn replace(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        let guest = self.decision.guest.as_ref().ok_or(Refused::NotSeated)?;
        others_meet_minimum(touched, &guest.account, self.now).await??;
        let (games, drawn) = (self.games, &self.drawn[1]);
        let remarks = self.lost_by(touched, &window, &[seat]).await?;
        let taking = TakingOver { games, seat, guest, drawn, now: self.now };
        taking.sit(touched, &window).await?;
        let done = Done { remarks, ..Done::default() };
        Ok(done.with(Remark::Secrets { seats: vec![seat] }))
    }

    /// Seats a house player, who declares immediately if the seat was awaited.
    pub(crate) async fn house(
        &self,
        touched: &mut Touched<'_>,
        seat: Seat,
        policy: &str,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        if !self.games.of(&touched.table)?.policies().contains(&policy) {
            return Err(OverrideRefused::NoPolicy.into());
        }
        let seats = touched.seats().await?;
        let row = row_of(&seats, seat)?;
        if self.voted.as_ref().is_some_and(|voted| voted.about != row.person) {
            // The vote was about another player.
            return Err(Refused::NoSeat.into());
        }
        let (person, address, language) = (None, None, None);
        let row = SeatRow {
            salt: None,
            person,
            house: Some(policy.to_owned()),
            address,
            language,
            settings: PersonSettings::default(),
            name: String::new(),
            ..row
        };
        reseat(touched, &row, self.now).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let sealed = touched.session().declaration_progress(&self.code, window.number).await?;
        let has_sealed =
            sealed.iter().any(|progress_row| progress_row.seat == seat && progress_row.sealed);
        if window.asked.0.contains(&seat) && !has_sealed {
            house_declares(touched, &*contest, &seats, &[seat], window.number)?;
            settle(touched, &*contest, &window, self.now).await?;
        }
        Ok(Done::default())
    }

    /// Exchanges the players of two seats.
    pub(crate) async fn swap(
        &self,
        touched: &mut Touched<'_>,
        a: Seat,
        b: Seat,
    ) -> Result<Done, NotDone> {
        let window = self.announced_window(touched).await?;
        if a == b {
            return Err(OverrideRefused::SitsHere.into());
        }
        let seats = touched.seats().await?;
        let (one, other) = (row_of(&seats, a)?, row_of(&seats, b)?);
        let taking = [(&one.person, b), (&other.person, a)];
        let taking = taking.into_iter().filter_map(|(person, seat)| Some((person.as_ref()?, seat)));
        let taking: Vec<(&PersonId, Seat)> = taking.collect();
        refuse_other_side(touched, self.games, &seats, &window, &taking).await?;
        let mut remarks = self.lost_by(touched, &window, &[a, b]).await?;
        withdraw_declaration(touched, a).await?;
        withdraw_declaration(touched, b).await?;
        // The value mixed into the dice belongs to the seat.
        let moved = |to: &SeatRow, from: &SeatRow| SeatRow {
            seat: to.seat,
            value: to.value.clone(),
            ..from.clone()
        };
        reseat(touched, &moved(&one, &other), self.now).await?;
        reseat(touched, &moved(&other, &one), self.now).await?;
        touched.exchange_calls(a, b).await?;
        let seats = touched.seats().await?;
        let contest = self.contest(touched, &seats, &window).await?;
        let among: Vec<Seat> =
            [a, b].into_iter().filter(|seat| window.asked.0.contains(seat)).collect();
        house_declares(touched, &*contest, &seats, &among, window.number)?;
        settle(touched, &*contest, &window, self.now).await?;
        introduce(touched, self.games, &[a, b], self.now).await?;
        remarks.push(Remark::Secrets { seats: vec![a, b] });
        Ok(Done { remarks, ..Done::default() })
    }
}
