//! Forgetting somebody: what they did stays in the games, who they were does not.
//!
//! A game's record is chained, and must stay what it was; so no name and no account ever stands in
//! it. They stand in few other places, and all of them are emptied in one transaction:
//!
//! - The account becomes one that nothing outside of this house leads back to. Whoever comes back
//!   is somebody new.
//! - A forming table loses them: they stand up first. If it is theirs, it is ended, as nobody could
//!   begin it any more.
//! - A table that is played keeps their seat, without a name. What they have sealed counts, their
//!   draft does not, and from the next window on a house player plays. If it is theirs, whoever
//!   else sits there first is its host. If nobody does, it goes on without one: it waits for nobody
//!   any more, and where it would have, the deadline is put off instead.
//! - A table that is over keeps the seat without a name.
//! - Letters to them are taken away. Letters to others, as far as they lie here, name them no more.
//!
//! Own words that were declared, such as a title, are moves of the game, and stay.

use super::end::{end, resume};
use super::form::{record, stand_up};
use super::held::OUTAGE;
use super::{Desk, Games, Happened, Letter, draw, pace, read_json, write_json};
use crate::rules::Seat;
use crate::store::{KeptTable, Session, StoreError, Touched, Unsent, Work};
use crate::tables::Stage;
use crate::tables::pace::Outage;

/// What the accounts of people begin with whom nobody knows any more.
const ERASED: &str = "erased:";

impl Desk {
    /// Forgets who an account is. False: it was not known.
    ///
    /// # Errors
    /// If it could not be written; then nothing has been forgotten.
    pub async fn forget(&self, account: &str, now: i64) -> Result<bool, StoreError> {
        let nobody = format!("{ERASED}{}", draw::id());
        let account = account.to_owned();
        self.store.write(Forgetting { games: self.games, account, nobody, now }).await
    }
}

struct Forgetting {
    games: Games,
    account: String,
    nobody: String,
    now: i64,
}

impl Work for Forgetting {
    type Done = bool;

    async fn work(&self, session: &mut Session) -> Result<bool, StoreError> {
        session.forget_proposals(&self.account).await?;
        let Some(person) = session.disown(&self.account, &self.nobody).await? else {
            return Ok(false);
        };
        let mut tables = session.kept_tables(&person).await?;
        // Whoever touches several rows does so in the same order.
        tables.sort_by(|a, b| a.code.cmp(&b.code));
        for address in tables.iter().filter_map(|table| table.address.as_deref()) {
            session.burn_letters(address).await?;
        }
        session.burn_letters(&self.account).await?;
        for table in &tables {
            if let Some(mut touched) = session.touch(&table.code).await? {
                self.leave(&mut touched, table).await?;
            }
        }
        Ok(true)
    }
}

impl Forgetting {
    async fn leave(&self, touched: &mut Touched<'_>, kept: &KeptTable) -> Result<(), StoreError> {
        let seat = kept.seat.map(Seat::try_from).transpose();
        let seat = seat.map_err(|error| StoreError::Unreadable(error.to_string()))?;
        let is_host = kept.is_host != 0;
        if touched.table.stage == Stage::Forming {
            if let Some(seat) = seat {
                stand_up(touched, seat, self.now).await?;
            }
            return if is_host { end(touched, None, self.now).await } else { Ok(()) };
        }
        if let Some(seat) = seat {
            withdraw_draft(touched, seat).await?;
            touched.unname(seat).await?;
            unname_letters(touched, seat).await?;
            touched.stir().await?;
        }
        if touched.table.stage == Stage::Playing {
            if let Some(seat) = seat {
                self.replace(touched, seat).await?;
            }
            if is_host && !touched.inherit().await? {
                self.go_on_alone(touched).await?;
            }
        }
        Ok(())
    }

    /// Lets a house player take a seat, from the next window on.
    async fn replace(&self, touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
        // Of a table of another edition, nothing is known but that it waits.
        let Ok(game) = self.games.of(&touched.table) else { return Ok(()) };
        let Some(house) = game.policies().first().copied().map(str::to_owned) else {
            return Ok(());
        };
        touched.seat_house(seat, &house).await?;
        record(touched, &Happened::Replaced { seat, house }, self.now).await
    }

    /// Lets a table go on without its host.
    async fn go_on_alone(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let mut pace = pace(&touched.table)?;
        if pace.outage == Outage::Wait {
            pace.outage = Outage::Extend;
            touched.keep_pace(write_json(&pace)?).await?;
        }
        if touched.table.held.as_deref() == Some(OUTAGE) {
            // It is held, so that a window is open.
            let _ = resume(touched, self.now).await?;
        }
        Ok(())
    }
}

/// Takes back what a seat has drafted in the open window.
async fn withdraw_draft(touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
    let (code, number) = (touched.table.code.clone(), touched.table.open_window);
    // Of a window that has closed, a draft may have counted.
    let is_open = touched.session().closed(&code, number).await?.is_none();
    let own = touched.session().own_declaration(&code, number, seat).await?;
    if is_open && own.is_some_and(|own| !own.sealed) {
        touched.withdraw(seat).await?;
    }
    Ok(())
}

/// Takes the name of a seat out of the letters about a table.
async fn unname_letters(touched: &mut Touched<'_>, seat: Seat) -> Result<(), StoreError> {
    for unsent in touched.unsent().await? {
        let mut letter: Letter = read_json(&unsent.body)?;
        let Some(name) = letter.names.get_mut(seat.index()) else { continue };
        name.clear();
        touched.rewrite(Unsent { body: write_json(&letter)?, ..unsent }).await?;
    }
    Ok(())
}
