//! Offers of seats, invitations, and dismissals of players.

use crate::absence::take_over::row_of;
use crate::model::desk::NotDone;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::decision::{Because, Remark};
use crate::overrides::{seats, telling};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::table::chairs::{free, stand_up};
use letters::{OverrideRefused, Refused, SeatRefused};
use rules::Seat;
use store::{CallRow, SeatRow, Touched, calls, people};
use tables::Stage;
use tables::ids::CallNumber;

/// Offers a seat to whoever wants it. Until it is taken, its player plays on.
pub(crate) async fn call(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<Done, NotDone> {
    let window = deciding.announced_window(touched).await?;
    let seats = touched.seats().await?;
    row_of(&seats, seat)?;
    seek(deciding, touched, seat).await?;
    let contest = deciding.contest(touched, &seats, &window).await?;
    let notice = Notice {
        seats: &seats,
        zone: touched.table.pace.zone,
        contest: Some(&*contest),
        id: format!("called-{}", touched.table.entries),
        send_at: deciding.now,
    };
    let call = CallRow {
        number: CallNumber::new(touched.table.entries),
        seat: Some(seat),
        person: None,
        address: None,
    };
    calls::call(touched, &call).await?;
    let called = Part::Called { seat, closes: window.closes_at };
    notice.post(touched, |_| [telling::parts(deciding), vec![called.clone()]].concat()).await?;
    Ok(Done::notified(Because::Sought))
}

/// Refuses a seat that is already offered.
async fn seek(_deciding: &Deciding, touched: &mut Touched<'_>, seat: Seat) -> Result<(), NotDone> {
    let is_sought = calls::all_at(touched).await?.iter().any(|call| call.is_of(seat));
    if is_sought { Err(OverrideRefused::Sought.into()) } else { Ok(()) }
}

/// Withdraws the offer of a seat, and notifies an invited person.
pub(crate) async fn recall(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<Done, NotDone> {
    let calls = calls::all_at(touched).await?;
    let call = calls.into_iter().find(|call| call.is_of(seat)).ok_or(SeatRefused::NotSought)?;
    calls::drop_call(touched, call.number).await?;
    if let Some(address) = &call.address {
        let seats = touched.seats().await?;
        let notice = to_guest(deciding, touched, &seats, "recalled");
        notice.post_to(touched, address, None, telling::parts(deciding))?;
    }
    Ok(Done::default())
}

/// Invites a person to play: on a seat reserved for them, or, before the game begins, on any seat. An
/// invitation also readmits a dismissed person.
pub(crate) async fn invite(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Option<Seat>,
) -> Result<Done, NotDone> {
    let guest = deciding.decision.guest.as_ref().ok_or(OverrideRefused::NoPerson)?;
    let language = guest.language.code();
    let seats = touched.seats().await?;
    let window = if touched.table.stage == Stage::Forming {
        if seat.is_some() {
            return Err(Refused::NotBegun.into());
        }
        free(&touched.table, &seats).next().ok_or(SeatRefused::Full)?;
        None
    } else {
        let window = deciding.announced_window(touched).await?;
        let seat = seat.ok_or(Refused::NoSeat)?;
        row_of(&seats, seat)?;
        seek(deciding, touched, seat).await?;
        Some(window)
    };
    let person =
        people::meet(touched.session(), &guest.account, language, &deciding.drawn[1]).await?;
    if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::SitsHere.into());
    }
    let calls = calls::all_at(touched).await?;
    if calls.iter().any(|call| call.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::Sought.into());
    }
    calls::send_away(touched, &person, false).await?;
    let call = CallRow {
        number: CallNumber::new(touched.table.entries),
        seat,
        person: Some(person),
        address: Some(guest.address.clone()),
    };
    calls::call(touched, &call).await?;
    let contest = match &window {
        Some(window) => Some(deciding.contest(touched, &seats, window).await?),
        None => None,
    };
    let closes = window.map(|window| window.closes_at);
    let notice =
        Notice { contest: contest.as_deref(), ..to_guest(deciding, touched, &seats, "invited") };
    let invited = vec![Part::Invited { seat, closes }];
    notice.post_to(touched, &guest.address, Some(language), invited)?;
    Ok(Done::default())
}

/// Dismisses the player of a seat, who cannot sit down at the table again. Before the game begins the
/// seat becomes free; later a house player takes it.
pub(crate) async fn kick(
    deciding: &Deciding,
    touched: &mut Touched<'_>,
    seat: Seat,
) -> Result<Done, NotDone> {
    let seats = touched.seats().await?;
    let person = row_of(&seats, seat)?.person.ok_or(Refused::NoSeat)?;
    calls::send_away(touched, &person, true).await?;
    if touched.table.stage == Stage::Forming {
        stand_up(touched, seat, deciding.now).await?;
        return Ok(Done::default());
    }
    let policies = deciding.games.of(&touched.table)?.policies();
    let policy = policies.last().copied().ok_or(OverrideRefused::NoPolicy)?;
    let done = seats::house(deciding, touched, seat, policy).await?;
    Ok(done.with(Remark::Seek { seat }))
}

/// Returns the notice for a person without a seat at the table.
fn to_guest<'a>(
    deciding: &Deciding,
    touched: &Touched<'_>,
    seats: &'a [SeatRow],
    what: &str,
) -> Notice<'a> {
    Notice {
        seats,
        zone: touched.table.pace.zone,
        contest: None,
        id: format!("{what}-{}", touched.table.entries),
        send_at: deciding.now,
    }
}
