//! Changes of the players on the seats.

use crate::overrides::windows;

use crate::absence::reputation::others_meet_minimum;
use crate::absence::take_over::{
    TakingOver, introduce, refuse_other_side, row_of, withdraw_declaration,
};
use crate::model::desk::NotDone;
use crate::model::people::is_host;
use crate::overrides::deciding::{Done, Run};
use crate::overrides::decision::Remark;
use crate::record::seating::reseat;
use crate::window::house::house_declares;
use crate::window::resolve::settle;
use letters::{OverrideRefused, Refused};
use rules::Seat;
use store::{SeatRow, calls, traces};
use tables::PersonSettings;
use tables::ids::PersonId;

/// Makes the player of a seat the host; only the host can do so.
pub(crate) async fn hand_over(run: &mut Run<'_, '_>, seat: Seat) -> Result<Done, NotDone> {
    if !is_host(run.touched, &run.deciding.gm.account).await? {
        return Err(Refused::NotHost.into());
    }
    let person = row_of(&run.touched.seats().await?, seat)?.person.ok_or(Refused::NoSeat)?;
    if person == run.touched.table.host {
        return Err(Refused::Nothing.into());
    }
    traces::hand_to(run.touched, &person).await?;
    // The former host decides no more, and only the new host can hand the table back.
    Ok(Done::default().with(Remark::Final))
}

/// Seats another player, who has a whole window from then on.
pub(crate) async fn replace(run: &mut Run<'_, '_>, seat: Seat) -> Result<Done, NotDone> {
    let window = run.announced_window().await?;
    let guest = run.deciding.decision.guest.as_ref().ok_or(Refused::NotSeated)?;
    others_meet_minimum(run.touched, &guest.account, run.deciding.now).await??;
    let (games, drawn) = (run.deciding.games, &run.deciding.drawn[1]);
    let remarks = windows::lost_by(run, &window, &[seat]).await?;
    let taking = TakingOver { games, seat, guest, drawn, now: run.deciding.now };
    taking.sit(run.touched, &window).await?;
    let done = Done { remarks, ..Done::default() };
    Ok(done.with(Remark::Secrets { seats: vec![seat] }))
}

/// Seats a bot player, who declares immediately if the seat was awaited.
pub(crate) async fn house(
    run: &mut Run<'_, '_>,
    seat: Seat,
    policy: &str,
) -> Result<Done, NotDone> {
    let window = run.announced_window().await?;
    if !run.deciding.games.of(&run.touched.table)?.policies().contains(&policy) {
        return Err(OverrideRefused::NoPolicy.into());
    }
    let seats = run.touched.seats().await?;
    let row = row_of(&seats, seat)?;
    if run.deciding.voted.as_ref().is_some_and(|voted| voted.about != row.person) {
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
    reseat(run.touched, &row, run.deciding.now).await?;
    let (seats, contest) = run.contest(&window).await?;
    let sealed =
        run.touched.session().declaration_progress(&run.deciding.code, window.number).await?;
    let has_sealed =
        sealed.iter().any(|progress_row| progress_row.seat == seat && progress_row.sealed);
    if window.asked.0.contains(&seat) && !has_sealed {
        house_declares(run.touched, &*contest, &seats, &[seat], window.number)?;
        settle(run.touched, &*contest, &window, run.deciding.now).await?;
    }
    Ok(Done::default())
}

/// Exchanges the players of two seats.
pub(crate) async fn swap(run: &mut Run<'_, '_>, a: Seat, b: Seat) -> Result<Done, NotDone> {
    let window = run.announced_window().await?;
    if a == b {
        return Err(OverrideRefused::SitsHere.into());
    }
    let seats = run.touched.seats().await?;
    let (one, other) = (row_of(&seats, a)?, row_of(&seats, b)?);
    let taking = [(&one.person, b), (&other.person, a)];
    let taking = taking.into_iter().filter_map(|(person, seat)| Some((person.as_ref()?, seat)));
    let taking: Vec<(&PersonId, Seat)> = taking.collect();
    refuse_other_side(run.touched, run.deciding.games, &seats, &window, &taking).await?;
    let mut remarks = windows::lost_by(run, &window, &[a, b]).await?;
    withdraw_declaration(run.touched, a).await?;
    withdraw_declaration(run.touched, b).await?;
    // The value mixed into the dice belongs to the seat.
    let moved = |to: &SeatRow, from: &SeatRow| SeatRow {
        seat: to.seat,
        value: to.value.clone(),
        ..from.clone()
    };
    reseat(run.touched, &moved(&one, &other), run.deciding.now).await?;
    reseat(run.touched, &moved(&other, &one), run.deciding.now).await?;
    calls::exchange_calls(run.touched, a, b).await?;
    let (seats, contest) = run.contest(&window).await?;
    let among: Vec<Seat> =
        [a, b].into_iter().filter(|seat| window.asked.0.contains(seat)).collect();
    house_declares(run.touched, &*contest, &seats, &among, window.number)?;
    settle(run.touched, &*contest, &window, run.deciding.now).await?;
    introduce(run.touched, run.deciding.games, &[a, b], run.deciding.now).await?;
    remarks.push(Remark::Secrets { seats: vec![a, b] });
    Ok(Done { remarks, ..Done::default() })
}
