//! Wishes of a table's leaders, the host and the appointed game masters: to end, close or resume it. Only
//! the host appoints game masters, and hands the table over.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, stage_shown};
use crate::model::overrides::{Gm, Override};
use crate::model::people::{is_host, refuse_others};
use crate::model::random;
use crate::overrides::deciding::Deciding;
use crate::overrides::making;
use crate::table::end::end_early;
use crate::view::see;
use letters::Refused;
use store::{Session, Touched, overrides};
use tables::ids::{AccountId, PersonId, TableCode};
use tables::time::Time;
use tables::{EndKind, HoldReason, Stage};

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
) -> Result<(), NotDone> {
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
) -> Result<(), NotDone> {
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
) -> Result<(), NotDone> {
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
) -> Result<(), NotDone> {
    let (code, host, who) = (code.to_owned(), host.to_owned(), who.to_owned());
    desk.carry_out(Appointing { code, host, who, may }).await
}

async fn wish(
    desk: &Desk,
    code: &TableCode,
    gm: Gm,
    wish: HostWish,
    shown: Option<&str>,
    now: Time,
) -> Result<(), NotDone> {
    let (code, shown) = (code.to_owned(), shown.map(str::to_owned));
    let drawn = random::person();
    let wishing = Wishing { games: desk.games, code, gm, drawn, wish, shown, now };
    desk.carry_out(wishing).await
}

pub(crate) struct Wishing {
    games: Games,
    code: TableCode,
    gm: Gm,
    /// The id of the leader, if they are new here.
    drawn: PersonId,
    wish: HostWish,
    /// The revision that the leader was shown.
    shown: Option<String>,
    now: Time,
}

#[async_trait]
impl Request for Wishing {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        refuse_others(&mut touched, &self.gm).await?;
        if let Some(shown) = &self.shown
            && *shown != see::revision(touched.session(), &self.code, self.now).await?
        {
            return Err(Refused::MovedOn.into());
        }
        if touched.table.stage == Stage::Over {
            let over = stage_shown(&mut touched, self.now).await? == Stage::Over;
            return Err(if over { Refused::Over } else { Refused::NotYet }.into());
        }
        match &self.wish {
            HostWish::End(reason) => {
                let reason = reason.as_deref();
                Ok(end_early(&mut touched, self.games, EndKind::Ended, reason, self.now).await?)
            }
            HostWish::Close => self.decide(&mut touched, Override::Close).await,
            HostWish::Resume => match touched.table.held {
                // A result under review is published by its reviewer.
                Some(HoldReason::Review) => Err(Refused::NotYet.into()),
                Some(HoldReason::Rules(_)) => Err(Refused::Held.into()),
                _ => self.decide(&mut touched, Override::Resume).await,
            },
        }
    }

    /// A refusal rolls everything back.
    fn keeps(done: &Result<(), NotDone>) -> bool {
        done.is_ok()
    }
}

impl Wishing {
    /// Makes the decision as a game master.
    async fn decide(&self, touched: &mut Touched<'_>, what: Override) -> Result<(), NotDone> {
        let (code, gm) = (self.code.clone(), self.gm.clone());
        let mut deciding = Deciding::new(self.games, code, gm, what.into(), self.now);
        deciding.drawn[0] = self.drawn.clone();
        let mut run = deciding.at(touched);
        let person = run.authorize().await?;
        making::make(&mut run, &person).await?;
        Ok(())
    }
}

struct Appointing {
    code: TableCode,
    host: AccountId,
    who: String,
    may: bool,
}

#[async_trait]
impl Request for Appointing {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if !is_host(&mut touched, &self.host).await? {
            return Err(Refused::NotHost.into());
        }
        overrides::appoint(&mut touched, &self.who, self.may).await?;
        Ok(())
    }
}
