//! Changes of the players on the seats.

use crate::absence::away::{
    self, introduce, refuse_other_side, row_of, take_over, withdraw_declaration,
};
use crate::absence::reputation::others_meet_minimum;
use crate::model::{Result, is_host, refuse_if};
use crate::overrides::decision::{self, Because, Effect, Remark, Run};
use crate::overrides::windows;
use crate::record::{Notice, Part, reseat};
use crate::table::start::{free, stand_up};
use crate::window::act::house_declares;
use crate::window::close::settle;
use letters::{OverrideRefused, Refused, SeatRefused};
use rules::Seat;
use store::{CallRow, SeatRow, TableRow, Touched, absences, people, traces, votes};
use tables::{Absence, CallNumber, Pace, PersonId, PersonSettings, Stage};

/// Makes the player of a seat the host; only the host can do so.
pub(crate) async fn hand_over(run: &mut Run<'_, '_>, seat: Seat) -> Result<Effect> {
    refuse_if(!is_host(run.tx, &run.attempt.gm.account).await?, Refused::NotHost)?;
    let person = row_of(&run.tx.seats().await?, seat)?.person.ok_or(Refused::NoSeat)?;
    refuse_if(person == run.tx.table.host, Refused::Nothing)?;
    traces::hand_to(run.tx, &person).await?;
    // The former host decides no more, and only the new host can hand the table back.
    Ok(Effect::default().with(Remark::Final))
}

/// Seats another player, who has a whole window from then on.
pub(crate) async fn replace(run: &mut Run<'_, '_>, seat: Seat) -> Result<Effect> {
    let window = run.announced_window().await?;
    let guest = run.attempt.decision.guest.as_ref().ok_or(Refused::NotSeated)?;
    others_meet_minimum(run.tx, &guest.account).await??;
    let (games, drawn) = (run.attempt.games, &run.attempt.drawn[1]);
    let remarks = windows::lost_by(run, &window, &[seat]).await?;
    take_over(run.tx, games, seat, guest, drawn, &window).await?;
    let done = Effect { remarks, ..Effect::default() };
    Ok(done.with(Remark::Secrets { seats: vec![seat] }))
}

/// Seats a bot player, who declares immediately if the seat was awaited.
pub(crate) async fn house(run: &mut Run<'_, '_>, seat: Seat, policy: &str) -> Result<Effect> {
    let window = run.announced_window().await?;
    if !run.attempt.games.of(&run.tx.table)?.policies().contains(&policy) {
        return Err(OverrideRefused::NoPolicy.into());
    }
    let seats = run.tx.seats().await?;
    let row = row_of(&seats, seat)?;
    if run.attempt.voted.as_ref().is_some_and(|voted| voted.about != row.person) {
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
        shown_as: None,
        ..row
    };
    reseat(run.tx, &row).await?;
    let (seats, contest) = run.contest(&window).await?;
    let sealed =
        store::windows::declaration_progress(run.tx.db, &run.attempt.code, window.number).await?;
    let has_sealed =
        sealed.iter().any(|progress_row| progress_row.seat == seat && progress_row.sealed);
    if window.asked.0.contains(&seat) && !has_sealed {
        house_declares(run.tx, &*contest, &seats, &[seat], window.number)?;
        settle(run.tx, &*contest, &window).await?;
    }
    Ok(Effect::default())
}

/// Exchanges the players of two seats.
pub(crate) async fn swap(run: &mut Run<'_, '_>, a: Seat, b: Seat) -> Result<Effect> {
    let window = run.announced_window().await?;
    refuse_if(a == b, OverrideRefused::SitsHere)?;
    let seats = run.tx.seats().await?;
    let (one, other) = (row_of(&seats, a)?, row_of(&seats, b)?);
    let taking = [(&one.person, b), (&other.person, a)];
    let taking = taking.into_iter().filter_map(|(person, seat)| Some((person.as_ref()?, seat)));
    let taking: Vec<(&PersonId, Seat)> = taking.collect();
    refuse_other_side(run.tx, run.attempt.games, &seats, &window, &taking).await?;
    let mut remarks = windows::lost_by(run, &window, &[a, b]).await?;
    withdraw_declaration(run.tx, a).await?;
    withdraw_declaration(run.tx, b).await?;
    // The value mixed into the dice belongs to the seat.
    let moved = |to: &SeatRow, from: &SeatRow| SeatRow {
        seat: to.seat,
        value: to.value.clone(),
        ..from.clone()
    };
    reseat(run.tx, &moved(&one, &other)).await?;
    reseat(run.tx, &moved(&other, &one)).await?;
    votes::exchange_calls(run.tx, a, b).await?;
    let (seats, contest) = run.contest(&window).await?;
    let among: Vec<Seat> =
        [a, b].into_iter().filter(|seat| window.asked.0.contains(seat)).collect();
    house_declares(run.tx, &*contest, &seats, &among, window.number)?;
    settle(run.tx, &*contest, &window).await?;
    introduce(run.tx, run.attempt.games, &[a, b]).await?;
    remarks.push(Remark::Secrets { seats: vec![a, b] });
    Ok(Effect { remarks, ..Effect::default() })
}

/// Offers a seat to whoever wants it. Until it is taken, its player plays on.
pub(crate) async fn call(run: &mut Run<'_, '_>, seat: Seat) -> Result<Effect> {
    let window = run.announced_window().await?;
    let (seats, contest) = run.contest(&window).await?;
    row_of(&seats, seat)?;
    seek(run, seat).await?;
    let notice = Notice {
        contest: Some(&*contest),
        ..Notice::of(&seats, format!("called-{}", run.tx.table.entries), run.tx.now)
    };
    let call = CallRow {
        number: CallNumber::new(run.tx.table.entries),
        seat: Some(seat),
        person: None,
        address: None,
    };
    votes::call(run.tx, &call).await?;
    let called = Part::Called { seat, closes: window.closes_at };
    notice.post(run.tx, &|_| [decision::parts(run.attempt), vec![called.clone()]].concat()).await?;
    Ok(Effect::notified(Because::Sought))
}

/// Refuses a seat that is already offered.
async fn seek(run: &mut Run<'_, '_>, seat: Seat) -> Result<()> {
    let is_sought =
        votes::calls(run.tx.db, &run.tx.table.code).await?.iter().any(|call| call.is_of(seat));
    if is_sought { Err(OverrideRefused::Sought.into()) } else { Ok(()) }
}

/// Withdraws the offer of a seat, and notifies an invited person.
pub(crate) async fn recall(run: &mut Run<'_, '_>, seat: Seat) -> Result<Effect> {
    let calls = votes::calls(run.tx.db, &run.tx.table.code).await?;
    let call = calls.into_iter().find(|call| call.is_of(seat)).ok_or(SeatRefused::NotSought)?;
    votes::drop_call(run.tx, call.number).await?;
    if let Some(address) = &call.address {
        let seats = run.tx.seats().await?;
        let notice = to_guest(run, &seats, "recalled");
        notice.post_to(run.tx, address, None, decision::parts(run.attempt))?;
    }
    Ok(Effect::default())
}

/// Invites a person to play: on a seat reserved for them, or, before the game begins, on any seat. An
/// invitation also readmits a dismissed person.
pub(crate) async fn invite(run: &mut Run<'_, '_>, seat: Option<Seat>) -> Result<Effect> {
    let guest = run.attempt.decision.guest.as_ref().ok_or(OverrideRefused::NoPerson)?;
    let language = guest.language.code();
    let seats = run.tx.seats().await?;
    let window = if run.tx.table.stage == Stage::Forming {
        refuse_if(seat.is_some(), Refused::NotBegun)?;
        free(&run.tx.table, &seats).next().ok_or(SeatRefused::Full)?;
        None
    } else {
        let window = run.announced_window().await?;
        let seat = seat.ok_or(Refused::NoSeat)?;
        row_of(&seats, seat)?;
        seek(run, seat).await?;
        Some(window)
    };
    let person = people::meet(run.tx.db, &guest.account, language, &run.attempt.drawn[1]).await?;
    if seats.iter().any(|row| row.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::SitsHere.into());
    }
    let calls = votes::calls(run.tx.db, &run.tx.table.code).await?;
    if calls.iter().any(|call| call.person.as_ref() == Some(&person)) {
        return Err(OverrideRefused::Sought.into());
    }
    votes::send_away(run.tx, &person, false).await?;
    let call = CallRow {
        number: CallNumber::new(run.tx.table.entries),
        seat,
        person: Some(person),
        address: Some(guest.address.clone()),
    };
    votes::call(run.tx, &call).await?;
    let contest = match &window {
        Some(window) => Some(run.contest(window).await?.1),
        None => None,
    };
    let closes = window.map(|window| window.closes_at);
    let notice = Notice { contest: contest.as_deref(), ..to_guest(run, &seats, "invited") };
    let invited = vec![Part::Invited { seat, closes }];
    notice.post_to(run.tx, &guest.address, Some(language), invited)?;
    Ok(Effect::default())
}

/// Dismisses the player of a seat, who cannot sit down at the table again. Before the game begins the
/// seat becomes free; later a house player takes it.
pub(crate) async fn kick(run: &mut Run<'_, '_>, seat: Seat) -> Result<Effect> {
    let seats = run.tx.seats().await?;
    let person = row_of(&seats, seat)?.person.ok_or(Refused::NoSeat)?;
    votes::send_away(run.tx, &person, true).await?;
    if run.tx.table.stage == Stage::Forming {
        stand_up(run.tx, seat).await?;
        return Ok(Effect::default());
    }
    let policies = run.attempt.games.of(&run.tx.table)?.policies();
    let policy = policies.last().copied().ok_or(OverrideRefused::NoPolicy)?;
    let done = house(run, seat, policy).await?;
    Ok(done.with(Remark::Seek { seat }))
}

/// Returns the notice for a person without a seat at the table.
fn to_guest<'a>(run: &Run<'_, '_>, seats: &'a [SeatRow], what: &str) -> Notice<'a> {
    Notice::of(seats, format!("{what}-{}", run.tx.table.entries), run.tx.now)
}

/// Sets the pace of the next windows; the open one keeps its own.
pub(crate) async fn set_pace(tx: &mut Touched<'_>, wanted: &Pace) -> Result<Effect> {
    check_pace(tx, wanted)?;
    let next = (*tx.table.pace != *wanted).then(|| wanted.clone().into());
    let now = tx.table.pace.clone();
    traces::keep_paces(tx, now, next).await?;
    Ok(Effect::default())
}

/// Refuses the pace that is set already.
pub(crate) fn check_pace(tx: &Touched<'_>, wanted: &Pace) -> Result<()> {
    let TableRow { pace, next_pace, .. } = &tx.table;
    if **next_pace.as_ref().unwrap_or(pace) == *wanted {
        Err(Refused::Nothing.into())
    } else {
        Ok(())
    }
}

/// Sets the treatment of missing players, from the next window on.
pub(crate) async fn set_absence(run: &mut Run<'_, '_>, wanted: Absence) -> Result<Effect> {
    check_absence(run.tx, wanted).await?;
    away::keep(run.tx, wanted).await?;
    Ok(Effect::default())
}

/// Refuses the treatment of missing players that is set already.
pub(crate) async fn check_absence(tx: &mut Touched<'_>, wanted: Absence) -> Result<()> {
    let set = absences::absence(tx.db, &tx.table.code).await?;
    if set == wanted { Err(Refused::Nothing.into()) } else { Ok(()) }
}
