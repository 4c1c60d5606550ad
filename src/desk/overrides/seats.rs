//! Changes of the players on the seats.

use crate::overrides::windows;

use crate::absence::reputation::others_meet_minimum;
use crate::absence::take_over::{
    TakingOver, introduce, refuse_other_side, row_of, withdraw_declaration,
};
use crate::model::desk::NotDone;
use crate::model::people::is_host;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::decision::Remark;
use crate::record::seating::reseat;
use crate::window::house::house_declares;
use crate::window::resolve::settle;
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{SeatRow, Touched, calls, traces};
use tables::PersonSettings;
use tables::ids::PersonId;

/// Makes the player of a seat the host; only the host can do so.
pub(crate) async fn hand_over(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<Done, NotDone> {
    if !is_host(touched, &deciding.gm.account).await? {
        return Err(Refused::NotHost.into());
    }
    let person = row_of(&touched.seats().await?, seat)?.person.ok_or(Refused::NoSeat)?;
    if person == touched.table.host {
        return Err(Refused::Nothing.into());
    }
    traces::hand_to(touched, &person).await?;
    // The former host decides no more, and only the new host can hand the table back.
    Ok(Done::default().with(Remark::Final))
}

/// Seats another player, who has a whole window from then on.
pub(crate) async fn replace(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    let guest = deciding.decision.guest.as_ref().ok_or(Refused::NotSeated)?;
    others_meet_minimum(touched, &guest.account, deciding.now).await??;
    let (games, drawn) = (deciding.games, &deciding.drawn[1]);
    let remarks = windows::lost_by(deciding, touched, &window, &[seat]).await?;
    let taking = TakingOver { games, seat, guest, drawn, now: deciding.now };
    taking.sit(touched, &window).await?;
    let done = Done { remarks, ..Done::default() };
    Ok(done.with(Remark::Secrets { seats: vec![seat] }))
}

/// Seats a house player, who declares immediately if the seat was awaited.
pub(crate) async fn house(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
    policy: &str,
) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    if !deciding.games.of(&touched.table)?.policies().contains(&policy) {
        return Err(OverrideRefused::NoPolicy.into());
    }
    let seats = touched.seats().await?;
    let row = row_of(&seats, seat)?;
    if deciding.voted.as_ref().is_some_and(|voted| voted.about != row.person) {
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
    reseat(touched, &row, deciding.now).await?;
    let seats = touched.seats().await?;
    let contest = deciding.contest(touched, &seats, &window).await?;
    let sealed = touched.session().declaration_progress(&deciding.code, window.number).await?;
    let has_sealed =
        sealed.iter().any(|progress_row| progress_row.seat == seat && progress_row.sealed);
    if window.asked.0.contains(&seat) && !has_sealed {
        house_declares(touched, &*contest, &seats, &[seat], window.number)?;
        settle(touched, &*contest, &window, deciding.now).await?;
    }
    Ok(Done::default())
}

/// Exchanges the players of two seats.
pub(crate) async fn swap(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    a: Seat,
    b: Seat,
) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    if a == b {
        return Err(OverrideRefused::SitsHere.into());
    }
    let seats = touched.seats().await?;
    let (one, other) = (row_of(&seats, a)?, row_of(&seats, b)?);
    let taking = [(&one.person, b), (&other.person, a)];
    let taking = taking.into_iter().filter_map(|(person, seat)| Some((person.as_ref()?, seat)));
    let taking: Vec<(&PersonId, Seat)> = taking.collect();
    refuse_other_side(touched, deciding.games, &seats, &window, &taking).await?;
    let mut remarks = windows::lost_by(deciding, touched, &window, &[a, b]).await?;
    withdraw_declaration(touched, a).await?;
    withdraw_declaration(touched, b).await?;
    // The value mixed into the dice belongs to the seat.
    let moved = |to: &SeatRow, from: &SeatRow| SeatRow {
        seat: to.seat,
        value: to.value.clone(),
        ..from.clone()
    };
    reseat(touched, &moved(&one, &other), deciding.now).await?;
    reseat(touched, &moved(&other, &one), deciding.now).await?;
    calls::exchange_calls(touched, a, b).await?;
    let seats = touched.seats().await?;
    let contest = deciding.contest(touched, &seats, &window).await?;
    let among: Vec<Seat> =
        [a, b].into_iter().filter(|seat| window.asked.0.contains(seat)).collect();
    house_declares(touched, &*contest, &seats, &among, window.number)?;
    settle(touched, &*contest, &window, deciding.now).await?;
    introduce(touched, deciding.games, &[a, b], deciding.now).await?;
    remarks.push(Remark::Secrets { seats: vec![a, b] });
    Ok(Done { remarks, ..Done::default() })
}
