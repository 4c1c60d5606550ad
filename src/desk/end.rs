//! What a host can do about a table that does not go on by itself.

use super::form::{is_host, record};
use super::held::{OUTAGE, PAUSE, REVIEW, give_back};
use super::letter::{Notice, Part};
use super::look::extend;
use super::resolve::Closing;
use super::{Desk, Games, Happened, NotDone, announced_stage, pace};
use crate::letters::Refused;
use crate::store::{Outage, Session, StoreError, Touched, Work};
use crate::tables::{Stage, Why};

/// What a host wants of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    /// Why, in their words.
    End(Option<String>),
    Close,
    Resume,
}

impl Desk {
    /// Ends a table before its end. Everybody is told its seed, and why, in the host's words, if they
    /// gave any.
    ///
    /// # Errors
    /// If it is not the host who asks, or the table is over.
    pub async fn end(
        &self,
        code: &str,
        host: &str,
        reason: Option<&str>,
        now: i64,
    ) -> Result<(), NotDone> {
        self.wish(code, host, Wish::End(reason.map(str::to_owned)), now).await
    }

    /// Closes the open window now: also one that waits for its host.
    ///
    /// # Errors
    /// If it is not the host who asks, or no window is open.
    pub async fn close(&self, code: &str, host: &str, now: i64) -> Result<(), NotDone> {
        self.wish(code, host, Wish::Close, now).await
    }

    /// Lets a table that waits for its host go on: everybody has the time they had left when the
    /// deadlines were no longer kept.
    ///
    /// # Errors
    /// If it is not the host who asks, or the table does not wait for them.
    pub async fn resume(&self, code: &str, host: &str, now: i64) -> Result<(), NotDone> {
        self.wish(code, host, Wish::Resume, now).await
    }

    async fn wish(&self, code: &str, host: &str, wish: Wish, now: i64) -> Result<(), NotDone> {
        let (code, host) = (code.to_owned(), host.to_owned());
        let wishing = Wishing { games: self.games, code, host, wish, now };
        Ok(self.store.write(wishing).await??)
    }
}

struct Wishing {
    games: Games,
    code: String,
    host: String,
    wish: Wish,
    now: i64,
}

impl Work for Wishing {
    type Done = Result<(), Refused>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Err(Refused::NoTable));
        };
        if !is_host(&mut touched, &self.host).await? {
            return Ok(Err(Refused::NotHost));
        }
        if touched.table.stage == Stage::Over {
            let open = touched.open_window().await?;
            let over = announced_stage(&touched.table, open.as_ref(), self.now) == Stage::Over;
            return Ok(Err(if over { Refused::Over } else { Refused::NotYet }));
        }
        match &self.wish {
            Wish::End(reason) => end(&mut touched, reason.as_deref(), self.now).await.map(Ok),
            Wish::Close => self.close(&mut touched).await,
            Wish::Resume => self.resume(&mut touched).await,
        }
    }
}

impl Wishing {
    async fn close(&self, touched: &mut Touched<'_>) -> Result<Result<(), Refused>, StoreError> {
        let Some(window) = touched.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
        if self.now < window.opens_at {
            return Ok(Err(Refused::NotYet));
        }
        if touched.table.held.as_ref().is_some_and(|held| held != OUTAGE && held != PAUSE) {
            return Ok(Err(Refused::Held));
        }
        if let Err(refused) = self.games.of(&touched.table) {
            return Ok(Err(refused));
        }
        let (pace, now) = (pace(&touched.table)?, self.now);
        give_back(touched, now).await?;
        let (games, why, remarks) = (self.games, Why::Host, Vec::new());
        let announced = None;
        let closing = Closing { games, window: &window, pace: &pace, why, remarks, announced, now };
        closing.resolve(touched).await?;
        Ok(Ok(()))
    }

    async fn resume(&self, touched: &mut Touched<'_>) -> Result<Result<(), Refused>, StoreError> {
        if let Err(refused) = self.games.of(&touched.table) {
            return Ok(Err(refused));
        }
        match touched.table.held.as_deref() {
            Some(OUTAGE | PAUSE) => {}
            Some(REVIEW) => return Ok(Err(Refused::NotYet)),
            Some(_) => return Ok(Err(Refused::Held)),
            None => return Ok(Err(Refused::NotHeld)),
        }
        resume(touched, self.now).await
    }
}

/// Ends a table before its end, and tells everybody its seed and why, if somebody said it.
pub(super) async fn end(
    touched: &mut Touched<'_>,
    reason: Option<&str>,
    now: i64,
) -> Result<(), StoreError> {
    end_after(touched, Vec::new(), reason, now).await
}

/// The same, and its letters begin with these.
pub(super) async fn end_after(
    touched: &mut Touched<'_>,
    told: Vec<Part>,
    reason: Option<&str>,
    now: i64,
) -> Result<(), StoreError> {
    let seed = touched.table.seed.clone();
    let window = touched.table.open_window;
    touched.turn_to(Stage::Over, window, None).await?;
    touched.stir().await?;
    record(touched, &Happened::Over { ended: true, seed: seed.clone() }, now).await?;
    let seats = touched.seats().await?;
    let notice = Notice {
        seats: &seats,
        zone: pace(&touched.table)?.zone,
        contest: None,
        id: "end".to_owned(),
        send_at: now,
    };
    let reason = reason.map(str::to_owned);
    let over = Part::Over { ended: true, seed: seed.clone(), reason };
    notice.post(touched, |_| told.iter().chain([&over]).cloned().collect()).await
}

/// Lets a table go on that stood still: everybody has the time they had left.
pub(super) async fn resume(
    touched: &mut Touched<'_>,
    now: i64,
) -> Result<Result<(), Refused>, StoreError> {
    let Some(window) = touched.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
    give_back(touched, now).await?;
    let began_at = if touched.table.held.as_deref() == Some(OUTAGE) {
        let outage = touched.session().outage_at(window.closes_at).await?;
        outage.map_or(window.closes_at, |outage| outage.began_at)
    } else {
        touched.table.held_at.unwrap_or(now)
    };
    let outage = Outage { began_at, ended_at: now };
    extend(touched, &window, &pace(&touched.table)?, outage, now).await?;
    Ok(Ok(()))
}
