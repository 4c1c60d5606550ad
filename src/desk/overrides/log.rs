//! The log of what game masters have decided, and who they are.

use crate::desk::model::desk::{Desk, NotDone, Request};
use crate::desk::model::overrides::{Gm, Override};
use crate::desk::model::people::{is_erased, is_host};
use crate::desk::record::event::{Event, Secrecy};
use crate::ids::{AccountId, OverrideNumber, PersonId, TableCode};
use crate::letters::{Changes, OverrideRefused, Refused};
use crate::rules::{Seat, Viewer};
use crate::store::{OverrideRow, Session, StoreError, TableRow, read_json};
use crate::time::Time;

/// An override, as the log tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its number at the table, from 0.
    pub number: OverrideNumber,
    /// When it was made.
    pub at: Time,
    /// The account of who made it; of what the table decided, of who proposed it.
    pub by: Option<AccountId>,
    /// Whether the table decided it, by a vote.
    pub voted: bool,
    pub what: Override,
    /// Why it was made.
    pub reason: String,
    /// Whether the table was told.
    pub public: bool,
    /// Who was, where the table was not.
    pub alone: Vec<Seat>,
    /// The number of the override that undid it.
    pub undone: Option<OverrideNumber>,
    /// What it would change, as it was shown before it was made.
    pub shown: Changes,
    /// Whether whoever reads it is a game master.
    pub whole: bool,
}

impl Desk {
    /// What has been decided at a table, in order: everything for its game masters, what was told to
    /// the table for everybody else.
    pub async fn overrides(&self, code: &TableCode, gm: &Gm) -> Result<Vec<Logged>, NotDone> {
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        let (_, sees_all) = decides(&mut session, &table, gm).await?;
        let mut logged = Vec::new();
        let rows = session.overrides(code).await?;
        for row in &rows {
            let read = read(&mut session, &rows, row, sees_all).await?;
            logged.extend(read.visible_to(if sees_all { Viewer::All } else { Viewer::Public }));
        }
        Ok(logged)
    }

    /// Lets somebody decide at a table beside its host, or no more: an account, or a role such as
    /// `discord:role:1`.
    /// Refused if it is not the host who asks, or there is no such table.
    pub async fn appoint(
        &self,
        code: &TableCode,
        host: &AccountId,
        who: &str,
        may: bool,
    ) -> Result<(), NotDone> {
        let (code, host, who) = (code.to_owned(), host.to_owned(), who.to_owned());
        self.carry_out(Appointing { code, host, who, may }).await
    }
}

impl Logged {
    /// What somebody may know of it who sees everything, or only what the table was told.
    pub(in crate::desk) fn visible_to(self, viewer: Viewer) -> Option<Self> {
        let event = Event::Overridden {
            number: self.number,
            window: None,
            what: self.what.clone(),
            voted: self.voted,
            reason: self.reason.clone(),
            alone: (!self.public).then(|| self.alone.clone()),
            undone: None,
            closes: None,
        };
        event.visible_to(viewer, &Secrecy::HIDDEN).map(|_| self)
    }
}

/// The id of somebody, if they have ever been here, and whether they decide at a table: only its host
/// does, and whom they have appointed.
async fn decides(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<(Option<PersonId>, bool), StoreError> {
    let masters = session.game_masters(&table.code).await?;
    let person = session.person(&gm.account).await?;
    let is_named = |who: &String| gm.account == **who || gm.roles.contains(who);
    let decides = person.as_ref() == Some(&table.host) || masters.iter().any(is_named);
    Ok((person, decides))
}

/// The id of who decides at a table; none if they do so by a role and have never been here.
pub(in crate::desk) async fn authorize(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<Option<PersonId>, NotDone> {
    match decides(session, table, gm).await? {
        (person, true) => Ok(person),
        (_, false) => Err(OverrideRefused::NotGm.into()),
    }
}

/// An override as it is kept among all of its table, for a reader who may know the whole of it or not.
pub(in crate::desk) async fn read(
    session: &mut Session,
    all: &[OverrideRow],
    row: &OverrideRow,
    whole: bool,
) -> Result<Logged, StoreError> {
    let by = session.account_of(&row.person).await?;
    Ok(Logged {
        number: row.number,
        at: row.at,
        by: by.filter(|account| !is_erased(account)),
        voted: row.vote.is_some(),
        what: read_json(&row.what)?,
        reason: row.reason.clone(),
        public: row.notice == crate::desk::model::overrides::Notified::Public,
        alone: seats_of(all, row.number)?,
        undone: row.undone,
        shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
        whole,
    })
}

struct Appointing {
    code: TableCode,
    host: AccountId,
    who: String,
    may: bool,
}

impl Request for Appointing {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if !is_host(&mut touched, &self.host).await? {
            return Err(Refused::NotHost.into());
        }
        touched.appoint(&self.who, self.may).await?;
        Ok(())
    }
}

/// The seats that a decision is about: of what undoes another, those of that one.
pub(in crate::desk) fn seats_of(
    overrides: &[OverrideRow],
    number: OverrideNumber,
) -> Result<Vec<Seat>, StoreError> {
    let mut number = number;
    loop {
        let Some(row) = overrides.iter().find(|row| row.number == number) else {
            return Ok(Vec::new());
        };
        match read_json(&row.what)? {
            // What it undoes was there before it.
            Override::Undo { number: undone } if undone < number => number = undone,
            what => return Ok(Override::seats(&what)),
        }
    }
}
