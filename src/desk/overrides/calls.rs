//! Offers of seats, invitations, and dismissals of players.

use crate::absence::take_over::row_of;
use crate::model::desk::NotDone;
use crate::overrides::deciding::{Done, Run};
use crate::overrides::decision::{Because, Remark};
use crate::overrides::{seats, telling};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::table::chairs::{free, stand_up};
use letters::{OverrideRefused, Refused, SeatRefused};
use rules::Seat;
use store::{CallRow, SeatRow, calls, people};
use tables::Stage;
use tables::ids::CallNumber;

/// Offers a seat to whoever wants it. Until it is taken, its player plays on.
pub(crate) async fn call(run: &mut Run<'_, '_>, seat: Seat) -> Result<Done, NotDone> {
    let window = run.announced_window().await?;
    let (seats, contest) = run.contest(&window).await?;
    row_of(&seats, seat)?;
    seek(run, seat).await?;
    let notice = Notice {
        contest: Some(&*contest),
        ..Notice::of(&seats, format!("called-{}", run.touched.table.entries), run.deciding.now)
    };
    let call = CallRow {
        number: CallNumber::new(run.touched.table.entries),
        seat: Some(seat),
        person: None,
        address: None,
    };
    calls::call(run.touched, &call).await?;
    let called = Part::Called { seat, closes: window.closes_at };
    notice
        .post(run.touched, |_| [telling::parts(run.deciding), vec![called.clone()]].concat())
        .await?;
    Ok(Done::notified(Because::Sought))
}

/// Refuses a seat that is already offered.
async fn seek(run: &mut Run<'_, '_>, seat: Seat) -> Result<(), NotDone> {
    let is_sought = calls::all_at(run.touched).await?.iter().any(|call| call.is_of(seat));
    if is_sought { Err(OverrideRefused::Sought.into()) } else { Ok(()) }
}

/// Withdraws the offer of a seat, and notifies an invited person.
pub(crate) async fn recall(run: &mut Run<'_, '_>, seat: Seat) -> Result<Done, NotDone> {
    let calls = calls::all_at(run.touched).await?;
    let call = calls.into_iter().find(|call| call.is_of(seat)).ok_or(SeatRefused::NotSought)?;
    calls::drop_call(run.touched, call.number).await?;
    if let Some(address) = &call.address {
        let seats = run.touched.seats().await?;
        let notice = to_guest(run, &seats, "recalled");
        notice.post_to(run.touched, address, None, telling::parts(run.deciding))?;
    }
    Ok(Done::default())
}

/// Invites a person to play: on a seat reserved for them, or, before the game begins, on any seat. An
/// invitation also readmits a dismissed person.
pub(crate) async fn invite(run: &mut Run<'_, '_>, seat: Option<Seat>) -> Result<Done, NotDone> {
    let guest = run.deciding.decision.guest.as_ref().ok_or(OverrideRefused::NoPerson)?;
    let language = guest.language.code();
    let seats = run.touched.seats().await?;
    let window = if run.touched.table.stage == Stage::Forming {
        if seat.is_some() {
            return Err(Refused::NotBegun.into());
        }
        free(&run.touched.table, &seats).next().ok_or(SeatRefused::Full)?;
        None
    } else {
        let window = run.announced_window().await?;
        let seat = seat.ok_or(Refused::NoSeat)?;
        row_of(&seats, seat)?;
        seek(run, seat).await?;
        Some(window)
    };
    let person =
        people::meet(run.touched.session(), &guest.account, language, &run.deciding.drawn[1])
            .await?;
    if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::SitsHere.into());
    }
    let calls = calls::all_at(run.touched).await?;
    if calls.iter().any(|call| call.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::Sought.into());
    }
    calls::send_away(run.touched, &person, false).await?;
    let call = CallRow {
        number: CallNumber::new(run.touched.table.entries),
        seat,
        person: Some(person),
        address: Some(guest.address.clone()),
    };
    calls::call(run.touched, &call).await?;
    let contest = match &window {
        Some(window) => Some(run.contest(window).await?.1),
        None => None,
    };
    let closes = window.map(|window| window.closes_at);
    let notice = Notice { contest: contest.as_deref(), ..to_guest(run, &seats, "invited") };
    let invited = vec![Part::Invited { seat, closes }];
    notice.post_to(run.touched, &guest.address, Some(language), invited)?;
    Ok(Done::default())
}

/// Dismisses the player of a seat, who cannot sit down at the table again. Before the game begins the
/// seat becomes free; later a house player takes it.
pub(crate) async fn kick(run: &mut Run<'_, '_>, seat: Seat) -> Result<Done, NotDone> {
    let seats = run.touched.seats().await?;
    let person = row_of(&seats, seat)?.person.ok_or(Refused::NoSeat)?;
    calls::send_away(run.touched, &person, true).await?;
    if run.touched.table.stage == Stage::Forming {
        stand_up(run.touched, seat, run.deciding.now).await?;
        return Ok(Done::default());
    }
    let policies = run.deciding.games.of(&run.touched.table)?.policies();
    let policy = policies.last().copied().ok_or(OverrideRefused::NoPolicy)?;
    let done = seats::house(run, seat, policy).await?;
    Ok(done.with(Remark::Seek { seat }))
}

/// Returns the notice for a person without a seat at the table.
fn to_guest<'a>(run: &Run<'_, '_>, seats: &'a [SeatRow], what: &str) -> Notice<'a> {
    Notice::of(seats, format!("{what}-{}", run.touched.table.entries), run.deciding.now)
}
