//! What a host can do about their table: end it, let it go on where it does not by itself, and say who
//! decides there beside them.

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, announced_stage};
use crate::model::overrides::Override;
use crate::model::people::is_host;
use crate::overrides::deciding::Deciding;
use crate::table::end::end;
use crate::view::see;
use letters::Refused;
use store::{Session, Touched};
use tables::ids::{AccountId, TableCode};
use tables::time::Time;
use tables::{EndKind, HoldReason, Stage};

/// What a host wants of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HostWish {
    /// Why, in their words.
    End(Option<String>),
    Close,
    Resume,
}

impl Desk {
    /// Ends a table before its end. Everybody is told the scores of the position as it stands, its
    /// seed, and why, in the host's words, if they gave any. `shown` is the revision that the host
    /// was shown ([`Sight::revision`](crate::view::see::Sight::revision)); none if they were shown nothing.
    /// Refused if it is not the host who asks, the table has moved on since it was shown, or is
    /// over.
    pub async fn end(
        &self,
        code: &TableCode,
        host: &AccountId,
        reason: Option<&str>,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, HostWish::End(reason.map(str::to_owned)), shown, now).await
    }

    /// Closes the open window now, if it is the one that was shown: also one that waits for its
    /// host.
    /// Refused if it is not the host who asks, the table has moved on, or no window is open.
    pub async fn close(
        &self,
        code: &TableCode,
        host: &AccountId,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, HostWish::Close, shown, now).await
    }

    /// Lets a table that waits for its host go on: everybody has the time they had left when the
    /// deadlines were no longer kept.
    /// Refused if it is not the host who asks, the table has moved on, or does not wait for them.
    pub async fn resume(
        &self,
        code: &TableCode,
        host: &AccountId,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, HostWish::Resume, shown, now).await
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

    async fn wish(
        &self,
        code: &TableCode,
        host: &AccountId,
        wish: HostWish,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        let (code, host, shown) = (code.to_owned(), host.to_owned(), shown.map(str::to_owned));
        let wishing = Wishing { games: self.games, code, host, wish, shown, now };
        self.carry_out(wishing).await
    }
}

pub(crate) struct Wishing {
    games: Games,
    code: TableCode,
    host: AccountId,
    wish: HostWish,
    /// The revision that the host was shown.
    shown: Option<String>,
    now: Time,
}

impl Request for Wishing {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if !is_host(&mut touched, &self.host).await? {
            return Err(Refused::NotHost.into());
        }
        if let Some(shown) = &self.shown
            && *shown != see::revision(touched.session(), &self.code, self.now).await?
        {
            return Err(Refused::MovedOn.into());
        }
        if touched.table.stage == Stage::Over {
            let open = touched.open_window().await?;
            let over = announced_stage(&touched.table, open.as_ref(), self.now) == Stage::Over;
            return Err(if over { Refused::Over } else { Refused::NotYet }.into());
        }
        match &self.wish {
            HostWish::End(reason) => {
                let reason = reason.as_deref();
                Ok(end(&mut touched, self.games, EndKind::Ended, reason, self.now).await?)
            }
            HostWish::Close => self.decide(&mut touched, Override::Close).await,
            HostWish::Resume => match touched.table.held {
                // What waits to be looked at is published by whoever has looked at it.
                Some(HoldReason::Review) => Err(Refused::NotYet.into()),
                Some(HoldReason::Rules(_)) => Err(Refused::Held.into()),
                _ => self.decide(&mut touched, Override::Resume).await,
            },
        }
    }

    /// A refusal leaves everything as it was.
    fn keeps(done: &Result<(), NotDone>) -> bool {
        done.is_ok()
    }
}

impl Wishing {
    /// It is decided as a game master decides it.
    async fn decide(&self, touched: &mut Touched<'_>, what: Override) -> Result<(), NotDone> {
        self.games.of(&touched.table)?;
        let (games, code, account) = (self.games, self.code.clone(), self.host.clone());
        let host = touched.table.host.clone();
        let deciding = Deciding::of_the_host(games, code, account, what, self.now);
        deciding.make(touched, &host).await?;
        Ok(())
    }
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
