//! The export of a person's data.

use std::collections::BTreeSet;
use std::iter;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::absence::attendance::resettle;
use crate::absence::away;
use crate::model::{Desk, Games, NotDone, about, random};
use crate::overrides::making;
use crate::record::{Event, Letter, Part, record};
use crate::table::start::{end_early, resume, stand_up};
use rules::Seat;
use rules::text::Lang;
use store::{
    KeptTable, Result, SeatRow, Session, Touched, Unsent, absences, overrides, people, read_json,
    traces, windows, write_json,
};
use tables::pace::OutageRule;
use tables::{AccountId, EndKind, HoldReason, PersonId, PersonSettings, Stage, TableCode, Time};

/// Returns the stored data of an account by kind, without anything about others or not yet announced; `None` if
/// it is unknown.
pub async fn personal_data(desk: &Desk, account: &AccountId, now: Time) -> Result<Option<Json>> {
    let mut db = desk.store.read().await?;
    let Some(person) = people::person(&mut db, account).await? else { return Ok(None) };
    let mut kept = Json::from(traces::kept(&mut db, &person, now).await?);
    kept["account"] = json!(account);
    kept["language"] = json!(traces::language_of(&mut db, account).await?);
    kept["settings"] = json!(people::settings_of(&mut db, account).await?);
    kept["away"] = json!(absences::away(&mut db, &person).await?);
    Ok(Some(kept))
}

/// Forgets the person of an account; false if the account is unknown.
/// Fails if the database does; then nothing has been forgotten.
pub async fn forget(desk: &Desk, account: &AccountId, now: Time) -> Result<bool> {
    let nobody = AccountId::erased(&random::id());
    let account = account.to_owned();
    let forgetting = Forgetting { games: desk.games, account, nobody, now };
    let forgotten =
        desk.store.write_about(forgetting, |forgetting, db| Box::pin(forgetting.work(db)));
    forgotten.await
}

struct Forgetting {
    games: Games,
    account: AccountId,
    nobody: AccountId,
    now: Time,
}

impl Forgetting {
    async fn work(&self, db: &mut Session) -> Result<bool> {
        overrides::forget_proposals(db, &self.account).await?;
        let Some(person) = traces::disown(db, &self.account, &self.nobody).await? else {
            return Ok(false);
        };
        let tables = traces::kept_tables(db, &person).await?;
        traces::dismiss_master(db, &self.account).await?;
        for address in tables.iter().filter_map(|table| table.address.as_ref()) {
            traces::burn_letters(db, address).await?;
        }
        traces::burn_letters(db, &self.account.as_str().into()).await?;
        self.stand_back(db, &person).await?;
        for address in traces::invited_at(db, &person).await? {
            traces::burn_letters(db, &address).await?;
        }
        let decided = traces::decided(db, &person).await?;
        let proposed = traces::proposed(db, &person).await?;
        let moved = traces::moved_at(db, &person).await?;
        let former = traces::former_seats(db, &person).await?;
        traces::forget(db, &person).await?;
        for address in former.iter().filter_map(|left| left.address.as_ref()) {
            traces::burn_letters(db, address).await?;
        }
        // Rows are always touched in the same order, to avoid deadlocks.
        let mut codes: BTreeSet<&TableCode> = tables.iter().map(|table| &table.code).collect();
        codes.extend(decided.iter().chain(&proposed).map(|(code, _)| code));
        codes.extend(&moved);
        codes.extend(former.iter().map(|left| &left.code));
        for code in codes {
            let Some(mut tx) = db.touch(code, self.now).await? else { continue };
            traces::burn_images(&mut tx).await?;
            let reasons = decided.iter().chain(&proposed).filter(|(of, _)| of == code);
            let reasons = reasons.map(|(_, reason)| reason.as_str());
            let reasons: Vec<&str> = reasons.filter(|reason| !reason.is_empty()).collect();
            if decided.iter().any(|(of, _)| of == code) {
                traces::burn_reasons(&mut tx, &person).await?;
            }
            if !reasons.is_empty() {
                unexplain(&mut tx, &reasons).await?;
            }
            for left in former.iter().filter(|left| left.code == *code) {
                rename_in_letters(&mut tx, left.seat, Some(left.called()), "").await?;
            }
            if let Some(table) = tables.iter().find(|table| table.code == *code) {
                self.leave(&mut tx, table).await?;
            }
        }
        Ok(true)
    }

    /// Ends every standing in of the person for others.
    async fn stand_back(&self, db: &mut Session, person: &PersonId) -> Result<()> {
        for stand_in in absences::stand_ins(db, person).await? {
            if let Some(mut tx) = db.touch(&stand_in.code, self.now).await? {
                away::stand_back(&mut tx, stand_in.seat).await?;
                resettle(&mut tx, self.games).await?;
            }
            traces::burn_letters(db, &stand_in.address).await?;
        }
        Ok(())
    }

    async fn leave(&self, tx: &mut Touched<'_>, stored: &KeptTable) -> Result<()> {
        let (seat, is_host) = (stored.seat, stored.is_host.0);
        if tx.table.stage == Stage::Forming {
            if let Some(seat) = seat {
                stand_up(tx, seat).await?;
            }
            return if is_host {
                end_early(tx, self.games, EndKind::Cancelled, None).await
            } else {
                Ok(())
            };
        }
        if let Some(seat) = seat {
            withdraw_draft(tx, seat).await?;
            traces::unname(tx, seat).await?;
            away::stand_back(tx, seat).await?;
            rename_in_letters(tx, seat, None, "").await?;
            tx.stir();
        }
        if tx.table.stage == Stage::Playing {
            let before = tx.seats().await?;
            if let Some(seat) = seat {
                self.replace(tx, seat).await?;
            }
            if is_host && !traces::inherit(tx).await? {
                self.go_on_alone(tx).await?;
            }
            resettle(tx, self.games).await?;
            making::count_again(tx, self.games, &before).await?;
        }
        Ok(())
    }

    /// Lets a bot player take a seat, from the next window on.
    async fn replace(&self, tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
        // Nothing can be done for a table of another edition.
        let Ok(game) = self.games.of(&tx.table) else { return Ok(()) };
        let Some(house) = game.policies().first().copied().map(str::to_owned) else {
            return Ok(());
        };
        traces::seat_house(tx, seat, &house).await?;
        record(tx, &Event::Replaced { seat, house })
    }

    /// Lets a table go on without its host.
    async fn go_on_alone(&self, tx: &mut Touched<'_>) -> Result<()> {
        let (mut pace, mut next) = (tx.table.pace.clone(), tx.table.next_pace.clone());
        for pace in iter::once(&mut pace).chain(&mut next) {
            if pace.outage == OutageRule::Wait {
                Arc::make_mut(pace).outage = OutageRule::Extend;
            }
        }
        if (&pace, &next) != (&tx.table.pace, &tx.table.next_pace) {
            traces::keep_paces(tx, pace, next).await?;
        }
        if matches!(tx.table.held, Some(HoldReason::Outage | HoldReason::Deserted)) {
            // A held table has an open window.
            let _ = resume(tx).await?;
        }
        Ok(())
    }
}

/// Withdraws the draft of a seat in the open window.
async fn withdraw_draft(tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
    let Some(number) = tx.table.open_window else { return Ok(()) };
    let code = tx.table.code.clone();
    // The draft of a closed window may have counted.
    let is_open = windows::closed(tx.db, &code, number).await?.is_none();
    let own = windows::own_declaration(tx.db, &code, number, seat).await?;
    if is_open && own.is_some_and(|own| !own.sealed.0) {
        tx.withdraw(seat).await?;
    }
    Ok(())
}

/// Replaces the player's name in a table's unsent letters, or removes it: any name of the seat, or only
/// `but`.
async fn rename_in_letters(
    tx: &mut Touched<'_>,
    seat: Seat,
    but: Option<&str>,
    name: &str,
) -> Result<()> {
    for unsent in traces::unsent(tx).await? {
        let mut letter: Letter = read_json(&unsent.body)?;
        let Some(before) = letter.names.get_mut(seat.index()) else { continue };
        if but.is_none_or(|but| before == but) {
            name.clone_into(before);
        }
        for part in &mut letter.parts {
            if let Part::Vote { vote } = part
                && about(&vote.what) == Some(seat)
                && but.is_none_or(|but| vote.about.as_deref() == Some(but))
            {
                vote.about = (!name.is_empty()).then(|| name.to_owned());
            }
        }
        traces::rewrite(tx, Unsent { body: write_json(&letter)?, ..unsent }).await?;
    }
    Ok(())
}

/// Removes these reasons from a table's unsent letters.
async fn unexplain(tx: &mut Touched<'_>, reasons: &[&str]) -> Result<()> {
    for unsent in traces::unsent(tx).await? {
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
        traces::rewrite(tx, Unsent { body: write_json(&letter)?, ..unsent }).await?;
    }
    Ok(())
}

/// Shows an account by another name at its tables on a server that are not over; true if there are any. The
/// journal keeps the name under which the person sat down.
pub async fn rename(
    desk: &Desk,
    account: &AccountId,
    (server, name): (&str, &str),
    now: Time,
) -> Result<bool, NotDone> {
    let mut db = desk.store.read().await?;
    let seats = traces::under_another_name(&mut db, account, server, name).await?;
    drop(db);
    for (code, seat) in &seats {
        let about = (account.to_owned(), *seat, name.to_owned());
        let renamed = desk.at_table(code, now, about, |(account, seat, name), tx| {
            Box::pin(async move {
                let person = people::person(tx.db, account).await?;
                let rows = tx.seats().await?;
                let sits = |row: &&SeatRow| row.seat == *seat && row.is_of(person.as_ref());
                let Some(row) = rows.iter().find(sits) else { return Ok(()) };
                traces::rename(tx, *seat, name).await?;
                tx.stir();
                Ok(rename_in_letters(tx, *seat, Some(row.called()), name).await?)
            })
        });
        renamed.await?;
    }
    Ok(!seats.is_empty())
}

/// Returns a person's settings for all of their tables; the defaults if the account is unknown.
pub async fn person_settings(desk: &Desk, account: &AccountId) -> Result<PersonSettings> {
    let mut db = desk.store.read().await?;
    Ok(people::settings_of(&mut db, account).await?.unwrap_or_default())
}

/// Stores the settings and the language of an account, creating the person if needed.
pub async fn set_person(
    desk: &Desk,
    account: &AccountId,
    language: Lang,
    settings: PersonSettings,
) -> Result<(), NotDone> {
    let (account, drawn) = (account.to_owned(), random::person());
    let about = (account, language, settings, drawn);
    let set = desk.store.write_about(about, |(account, language, settings, drawn), db| {
        Box::pin(async move {
            let person = people::meet(db, account, language.code(), drawn).await?;
            people::keep_settings(db, &person, *settings).await
        })
    });
    Ok(set.await?)
}
