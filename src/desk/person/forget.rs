//! Forgetting of a person: their moves stay in the games, their identity does not.
//!
//! A game's record is chained and must stay unchanged, so it never contains names or accounts. The few places
//! that do are emptied in one transaction:
//!
//! - The account is replaced by one without any link outside of this program. A person who comes back is a new
//!   person.
//! - A forming table loses them: they stand up first. If they host it, it is ended, as nobody could begin it
//!   any more.
//! - A table that is being played keeps their seat, without a name. Their sealed declaration counts, their
//!   draft does not, and from the next window on a bot player plays. If they host it, the next player by
//!   seat becomes its host. Without other players it goes on without a host: it waits for nobody any more,
//!   and puts deadlines off instead.
//! - A table that is over keeps the seat without a name.
//! - Their votes count no more, and the reasons of their proposals are deleted. Open votes are counted among
//!   the remaining players.
//! - All their stand-ins end, on both sides. Their absences, their records of windows, their invitations
//!   and their dismissals are deleted.
//! - Their standing orders and their declarations for later windows count no more.
//! - Their lines to their sides are deleted.
//! - Their decisions as a game master stay, without reasons. Decisions about them stay too, and can no longer
//!   be undone, as that would need their identity.
//! - Letters to them are deleted. Unsent letters to others no longer name them.
//!
//! Own words in declarations, such as a title, are moves of the game, and stay.

use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;

use async_trait::async_trait;

use crate::absence::attendance::resettle;
use crate::absence::delegate;
use crate::model::desk::Desk;
use crate::model::load::Games;
use crate::model::random;
use crate::model::vote::about;
use crate::overrides::making;
use crate::record::event::{Event, record};
use crate::record::letter::{Letter, Part};
use crate::table::chairs::stand_up;
use crate::table::end::{end_early, resume};
use rules::Seat;
use store::{
    KeptTable, Session, StoreError, Touched, Unsent, Work, absences, calls, dashboards, overrides,
    read_json, said_ahead, side_lines, traces, votes, write_json,
};
use tables::ids::{AccountId, PersonId, TableCode};
use tables::pace::OutageRule;
use tables::time::Time;
use tables::{EndKind, HoldReason, Stage};

/// Forgets the person of an account; false if the account is unknown.
/// Fails if the database does; then nothing has been forgotten.
pub async fn forget(desk: &Desk, account: &AccountId, now: Time) -> Result<bool, StoreError> {
    let nobody = AccountId::erased(&random::id());
    let account = account.to_owned();
    desk.store.write(Forgetting { games: desk.games, account, nobody, now }).await
}

struct Forgetting {
    games: Games,
    account: AccountId,
    nobody: AccountId,
    now: Time,
}

#[async_trait]
impl Work for Forgetting {
    type Done = bool;

    async fn work(&self, session: &mut Session) -> Result<bool, StoreError> {
        overrides::forget_proposals(session, &self.account).await?;
        let Some(person) = traces::disown(session, &self.account, &self.nobody).await? else {
            return Ok(false);
        };
        let tables = traces::kept_tables(session, &person).await?;
        traces::dismiss_master(session, &self.account).await?;
        for address in tables.iter().filter_map(|table| table.address.as_ref()) {
            traces::burn_letters(session, address).await?;
        }
        traces::burn_letters(session, &self.account.as_str().into()).await?;
        self.stand_back(session, &person).await?;
        absences::forget_absences(session, &person).await?;
        said_ahead::forget_orders(session, &person).await?;
        said_ahead::forget_next_declarations(session, &person).await?;
        side_lines::forget_side_lines(session, &person).await?;
        for asked in calls::asked_for(session, &person).await? {
            if let Some(address) = &asked.address {
                traces::burn_letters(session, address).await?;
            }
        }
        calls::forget_calls(session, &person).await?;
        absences::forget_reputation(session, &person).await?;
        dashboards::forget_dashboards(session, &person).await?;
        let decided = traces::kept_overrides(session, &person).await?;
        let proposed = votes::kept_votes(session, &person).await?;
        votes::forget_votes(session, &person).await?;
        let moved = traces::moved_at(session, &person).await?;
        let former = traces::former_seats(session, &person).await?;
        traces::unname_former(session, &person).await?;
        for address in former.iter().filter_map(|left| left.address.as_ref()) {
            traces::burn_letters(session, address).await?;
        }
        // Rows are always touched in the same order, to avoid deadlocks.
        let mut codes: BTreeSet<&TableCode> = tables.iter().map(|table| &table.code).collect();
        codes.extend(decided.iter().map(|decided| &decided.code));
        codes.extend(proposed.iter().map(|proposed| &proposed.code));
        codes.extend(&moved);
        codes.extend(former.iter().map(|left| &left.code));
        for code in codes {
            let Some(mut touched) = session.touch(code).await? else { continue };
            traces::burn_images(&mut touched).await?;
            let of_it = decided.iter().filter(|decided| decided.code == *code);
            let of_votes = proposed.iter().filter(|proposed| proposed.code == *code);
            let reasons = of_it.map(|decided| decided.reason.as_str());
            let reasons = reasons.chain(of_votes.map(|proposed| proposed.reason.as_str()));
            let reasons: Vec<&str> = reasons.filter(|reason| !reason.is_empty()).collect();
            if decided.iter().any(|decided| decided.code == *code) {
                traces::burn_reasons(&mut touched, &person).await?;
            }
            if !reasons.is_empty() {
                unexplain(&mut touched, &reasons).await?;
            }
            for left in former.iter().filter(|left| left.code == *code) {
                unname_letters(&mut touched, left.seat, Some(&left.name)).await?;
            }
            if let Some(table) = tables.iter().find(|table| table.code == *code) {
                self.leave(&mut touched, table).await?;
            }
        }
        Ok(true)
    }
}

impl Forgetting {
    /// Ends every standing in of the person for others.
    async fn stand_back(&self, session: &mut Session, person: &PersonId) -> Result<(), StoreError> {
        for stand_in in absences::stand_ins(session, person).await? {
            if let Some(mut touched) = session.touch(&stand_in.code).await? {
                delegate::stand_back(&mut touched, stand_in.seat, self.now).await?;
                resettle(&mut touched, self.games, self.now).await?;
            }
            traces::burn_letters(session, &stand_in.address).await?;
        }
        Ok(())
    }

    async fn leave(&self, touched: &mut Touched<'_>, stored: &KeptTable) -> Result<(), StoreError> {
        let (seat, is_host) = (stored.seat, stored.is_host.0);
        if touched.table.stage == Stage::Forming {
            if let Some(seat) = seat {
                stand_up(touched, seat, self.now).await?;
            }
            return if is_host {
                end_early(touched, self.games, EndKind::Cancelled, None, self.now).await
            } else {
                Ok(())
            };
        }
        if let Some(seat) = seat {
            withdraw_draft(touched, seat).await?;
            traces::burn_late(touched, seat).await?;
            traces::unname(touched, seat).await?;
            delegate::stand_back(touched, seat, self.now).await?;
            unname_letters(touched, seat, None).await?;
            touched.stir();
        }
        if touched.table.stage == Stage::Playing {
            let before = touched.seats().await?;
            if let Some(seat) = seat {
                self.replace(touched, seat).await?;
            }
            if is_host && !traces::inherit(touched).await? {
                self.go_on_alone(touched).await?;
            }
            resettle(touched, self.games, self.now).await?;
            making::count_again(touched, self.games, &before, self.now).await?;
        }
        Ok(())
    }

    /// Lets a bot player take a seat, from the next window on.
    async fn replace(&self, touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
        // Nothing can be done for a table of another edition.
        let Ok(game) = self.games.of(&touched.table) else { return Ok(()) };
        let Some(house) = game.policies().first().copied().map(str::to_owned) else {
            return Ok(());
        };
        traces::seat_house(touched, seat, &house).await?;
        record(touched, &Event::Replaced { seat, house }, self.now)
    }

    /// Lets a table go on without its host.
    async fn go_on_alone(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let (mut pace, mut next) = (touched.table.pace.clone(), touched.table.next_pace.clone());
        for pace in iter::once(&mut pace).chain(&mut next) {
            if pace.outage == OutageRule::Wait {
                Arc::make_mut(pace).outage = OutageRule::Extend;
            }
        }
        if (&pace, &next) != (&touched.table.pace, &touched.table.next_pace) {
            traces::keep_paces(touched, pace, next).await?;
        }
        if matches!(touched.table.held, Some(HoldReason::Outage | HoldReason::Deserted)) {
            // A held table has an open window.
            let _ = resume(touched, self.now).await?;
        }
        Ok(())
    }
}

/// Withdraws the draft of a seat in the open window.
async fn withdraw_draft(touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
    let Some(number) = touched.table.open_window else { return Ok(()) };
    let code = touched.table.code.clone();
    // The draft of a closed window may have counted.
    let is_open = touched.session().closed(&code, number).await?.is_none();
    let own = touched.session().own_declaration(&code, number, seat).await?;
    if is_open && own.is_some_and(|own| !own.sealed.0) {
        touched.withdraw(seat).await?;
    }
    Ok(())
}

/// Removes the player's name from a table's unsent letters: any name of the seat, or only `but`.
async fn unname_letters(
    touched: &mut Touched<'_>,
    seat: Seat,
    but: Option<&str>,
) -> Result<(), StoreError> {
    for unsent in traces::unsent(touched).await? {
        let mut letter: Letter = read_json(&unsent.body)?;
        let Some(name) = letter.names.get_mut(seat.index()) else { continue };
        if but.is_none_or(|but| name == but) {
            name.clear();
        }
        for part in &mut letter.parts {
            if let Part::Vote { vote } = part
                && about(&vote.what) == Some(seat)
                && but.is_none_or(|but| vote.about.as_deref() == Some(but))
            {
                vote.about = None;
            }
        }
        traces::rewrite(touched, Unsent { body: write_json(&letter)?, ..unsent }).await?;
    }
    Ok(())
}

/// Removes these reasons from a table's unsent letters.
async fn unexplain(touched: &mut Touched<'_>, reasons: &[&str]) -> Result<(), StoreError> {
    for unsent in traces::unsent(touched).await? {
        let mut letter: Letter = read_json(&unsent.body)?;
        let is_theirs = |reason: &String| reasons.contains(&reason.as_str());
        for part in &mut letter.parts {
            match part {
                Part::Event(Event::Overridden { reason, .. }) if is_theirs(reason) => {
                    reason.clear();
                }
                Part::Vote { vote } if is_theirs(&vote.reason) => vote.reason.clear(),
                Part::Event(Event::Over { reason, .. })
                    if reason.as_ref().is_some_and(is_theirs) =>
                {
                    *reason = None;
                }
                _ => {}
            }
        }
        traces::rewrite(touched, Unsent { body: write_json(&letter)?, ..unsent }).await?;
    }
    Ok(())
}
