//! Wishes of a table's leaders, the host and the appointed game masters: to end, close or resume it. Only
//! the host appoints game masters, and hands the table over.

use crate::absence::away::take_over;
use crate::absence::reputation::{meets_minimum, recount, replaced};
use crate::model::{
    Contact, Desk, Games, Gm, Override, Result, announced_window, in_play, is_host, random,
    refuse_if, refuse_others, refuse_over, stage_shown,
};
use crate::overrides::decision::Attempt;
use crate::overrides::making;
use crate::record::{Event, News, Notice, Part};
use crate::table::start::end_early;
use crate::view::see;
use letters::{Refused, SeatRefused};
use rules::Seat;
use store::{CallRow, SeatRow, Touched, absences, overrides, people, votes};
use tables::{AccountId, EndKind, HoldReason, PersonId, TableCode, Time};

/// A wish of a leader for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostWish {
    /// The end, with the reason in their words.
    End(Option<String>),
    Close,
    Resume,
}

/// Ends a table early. Everybody is shown the scores of the present position, the seed, and the reason,
/// if any. `shown` is the revision that the leader was shown
/// ([`Sight::revision`](crate::view::see::Sight::revision)); `None` if nothing was shown.
/// Refused if they do not lead the table, the table has moved on since the revision, or is over.
pub async fn end(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    reason: Option<&str>,
    shown: Option<&str>,
    now: Time,
) -> Result<()> {
    wish(desk, code, gm.into(), HostWish::End(reason.map(str::to_owned)), shown, now).await
}

/// Closes the open window now, if it is the one shown: also one that waits for its host.
/// Refused if they do not lead the table, it has moved on, or no window is open.
pub async fn close(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    shown: Option<&str>,
    now: Time,
) -> Result<()> {
    wish(desk, code, gm.into(), HostWish::Close, shown, now).await
}

/// Resumes a table that waits for its host: everybody has the time left when the deadlines stopped.
/// Refused if they do not lead the table, it has moved on, or does not wait for them.
pub async fn resume(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    shown: Option<&str>,
    now: Time,
) -> Result<()> {
    wish(desk, code, gm.into(), HostWish::Resume, shown, now).await
}

/// Appoints or dismisses a game master: an account, or a role such as `discord:role:1`.
/// Refused if the caller is not the host, or the table does not exist.
pub async fn appoint(
    desk: &Desk,
    code: &TableCode,
    host: &AccountId,
    who: &str,
    may: bool,
    now: Time,
) -> Result<()> {
    desk.at_table(code, now, (host.to_owned(), who.to_owned(), may), |(host, who, may), tx| {
        Box::pin(async move {
            refuse_if(!is_host(tx, host).await?, Refused::NotHost)?;
            overrides::appoint(tx, who, *may).await?;
            Ok(())
        })
    })
    .await
}

async fn wish(
    desk: &Desk,
    code: &TableCode,
    gm: Gm,
    wish: HostWish,
    shown: Option<&str>,
    now: Time,
) -> Result<()> {
    let about = (desk.games, gm, random::person(), wish, shown.map(str::to_owned));
    let wished = desk.at_table_keeping(Result::is_ok, code, now, about, |about, tx| {
        let (games, gm, drawn, wish, shown) = about;
        Box::pin(async move {
            refuse_others(tx, gm).await?;
            if let Some(shown) = shown
                && *shown != see::revision(tx.db, &tx.table.code, tx.now).await?
            {
                return Err(Refused::MovedOn.into());
            }
            refuse_over(tx).await?;
            match wish {
                HostWish::End(reason) => {
                    let reason = reason.as_deref();
                    Ok(end_early(tx, *games, EndKind::Ended, reason).await?)
                }
                HostWish::Close => decide(tx, *games, gm, drawn, Override::Close).await,
                HostWish::Resume => match tx.table.held {
                    // A result under review is published by its reviewer.
                    Some(HoldReason::Review) => Err(Refused::NotYet.into()),
                    Some(HoldReason::Rules(_)) => Err(Refused::Held.into()),
                    _ => decide(tx, *games, gm, drawn, Override::Resume).await,
                },
            }
        })
    });
    wished.await
}

/// Makes the decision as a game master. `drawn` is the id of the leader, if they are new here.
async fn decide(
    tx: &mut Touched<'_>,
    games: Games,
    gm: &Gm,
    drawn: &PersonId,
    what: Override,
) -> Result<()> {
    let (code, gm) = (tx.table.code.clone(), gm.clone());
    let mut attempt = Attempt::new(games, code, gm, what.into());
    attempt.drawn[0] = drawn.clone();
    let mut run = attempt.at(tx);
    let person = run.authorize().await?;
    making::make(&mut run, &person).await?;
    Ok(())
}

/// Seats a person on an offered seat: this one, or else the one to which they are invited, or the only
/// one. The former player and the table are notified.
/// Refused if the seat is not offered or was taken earlier, if the person sits at the table, has sat
/// there before or was dismissed, if no game is being played, or if the next window has not been
/// announced.
pub async fn take_seat(
    desk: &Desk,
    code: &TableCode,
    seat: Option<Seat>,
    guest: Contact,
    now: Time,
) -> Result<Seat> {
    let (games, drawn) = (desk.games, random::person());
    let taking = Taking { games, seat, guest, drawn };
    let taken = desk.at_table_keeping(Result::is_ok, code, now, taking, |taking, tx| {
        Box::pin(taking.carry_out(tx))
    });
    taken.await
}

struct Taking {
    games: Games,
    /// `None` if no seat was named.
    seat: Option<Seat>,
    guest: Contact,
    /// The id of a new person.
    drawn: PersonId,
}

impl Taking {
    async fn carry_out(&self, tx: &mut Touched<'_>) -> Result<Seat> {
        in_play(stage_shown(tx).await?)?;
        let before = tx.seats().await?;
        let known = people::person(tx.db, &self.guest.account).await?;
        refuse_if(before.iter().any(|row| row.is_of(known.as_ref())), SeatRefused::Seated)?;
        let call = self.meant(&votes::calls(tx.db, &tx.table.code).await?, known.as_ref())?;
        let seat = call.seat.ok_or(SeatRefused::NotSought)?;
        if let Some(known) = &known {
            self.refuse(tx, &call, seat, known).await?;
        }
        meets_minimum(tx, &self.guest.account).await?.map_err(SeatRefused::Missed)?;
        let window = announced_window(tx).await?;
        let (guest, drawn) = (&self.guest, &self.drawn);
        let closes = take_over(tx, self.games, seat, guest, drawn, &window).await?;
        replaced(tx, &before).await?;
        recount(tx).await?;
        tx.stir();
        self.tell(tx, &before, seat, closes).await?;
        making::count_again(tx, self.games, &before).await?;
        Ok(seat)
    }

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
        tx: &mut Touched<'_>,
        call: &CallRow,
        seat: Seat,
        person: &PersonId,
    ) -> Result<()> {
        if votes::sent_away(tx).await?.iter().any(|away| away == person) {
            return Err(SeatRefused::SentAway.into());
        }
        let code = tx.table.code.clone();
        let db = &mut *tx.db;
        let stands_in = absences::stood_in_by(db, &code, &self.guest.account, tx.now).await?;
        let knows = stands_in.is_some_and(|of| of != seat);
        let has_left = votes::has_left(db, &code, person).await?;
        refuse_if(call.person.is_none() && (knows || has_left), SeatRefused::HasLeft)?;
        Ok(())
    }

    /// Notifies the table of the new player, and the former player of their loss of the seat.
    async fn tell(
        &self,
        tx: &mut Touched<'_>,
        before: &[SeatRow],
        seat: Seat,
        closes: Option<Time>,
    ) -> Result<()> {
        let seats = tx.seats().await?;
        let news = News::of(Event::Taken { seat, closes }, &seats, tx.now);
        news.tell(tx, "taken").await?;
        let id = format!("taken-{:08}-gone", tx.table.entries);
        let gone = Notice::of(before, id, tx.now);
        let own = |of: Seat| (of == seat).then_some(Part::Gone { seat }).into_iter().collect();
        Ok(gone.post_to_each(tx, &own).await?)
    }
}
