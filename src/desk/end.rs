//! What a host can do about a table that does not go on by itself.

use super::form::is_host;
use super::gm::Deciding;
use super::happened::record;
use super::held::give_back;
use super::letter::{Notice, Part};
use super::look::extend;
use super::resolve::Closing;
use super::{
    Desk, Games, Happened, NotDone, Override, Unloaded, announced_stage, contest, files, pace, see,
};
use crate::games::any::AnyContest;
use crate::letters::Refused;
use crate::store::{Outage, Session, StoreError, Touched, WindowRow, Work};
use crate::tables::{Held, Stage, Why};
use crate::time::Time;

/// What a host wants of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    /// Why, in their words.
    End(Option<String>),
    Close,
    Resume,
}

impl Desk {
    /// Ends a table before its end. Everybody is told the scores of the position as it stands, its
    /// seed, and why, in the host's words, if they gave any. `shown` is the revision that the host
    /// was shown ([`Sight::revision`](super::Sight::revision)); none if they were shown nothing.
    ///
    /// # Errors
    /// If it is not the host who asks, the table has moved on since it was shown, or is over.
    pub async fn end(
        &self,
        code: &str,
        host: &str,
        reason: Option<&str>,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, Wish::End(reason.map(str::to_owned)), shown, now).await
    }

    /// Closes the open window now, if it is the one that was shown: also one that waits for its
    /// host.
    ///
    /// # Errors
    /// If it is not the host who asks, the table has moved on, or no window is open.
    pub async fn close(
        &self,
        code: &str,
        host: &str,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, Wish::Close, shown, now).await
    }

    /// Lets a table that waits for its host go on: everybody has the time they had left when the
    /// deadlines were no longer kept.
    ///
    /// # Errors
    /// If it is not the host who asks, the table has moved on, or does not wait for them.
    pub async fn resume(
        &self,
        code: &str,
        host: &str,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        self.wish(code, host, Wish::Resume, shown, now).await
    }

    async fn wish(
        &self,
        code: &str,
        host: &str,
        wish: Wish,
        shown: Option<&str>,
        now: Time,
    ) -> Result<(), NotDone> {
        let (code, host, shown) = (code.to_owned(), host.to_owned(), shown.map(str::to_owned));
        let wishing = Wishing { games: self.games, code, host, wish, shown, now };
        self.store.write(wishing).await?
    }
}

struct Wishing {
    games: Games,
    code: String,
    host: String,
    wish: Wish,
    /// The revision that the host was shown.
    shown: Option<String>,
    now: Time,
}

impl Work for Wishing {
    type Done = Result<(), NotDone>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        NotDone::told(self.carry_out(session).await)
    }

    /// A refusal leaves everything as it was.
    fn keeps(done: &Self::Done) -> bool {
        done.is_ok()
    }
}

impl Wishing {
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
            Wish::End(reason) => {
                let reason = reason.as_deref();
                Ok(end(&mut touched, self.games, Early::Ended, reason, self.now).await?)
            }
            Wish::Close => self.decide(&mut touched, Override::Close).await,
            Wish::Resume => match touched.table.held {
                // What waits to be looked at is published by whoever has looked at it.
                Some(Held::Review) => Err(Refused::NotYet.into()),
                None | Some(Held::Outage | Held::Pause | Held::Deserted) => {
                    self.decide(&mut touched, Override::Resume).await
                }
                Some(Held::Rules(_)) => Err(Refused::Held.into()),
            },
        }
    }

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

/// Closes a window now, and says this of it before what it brought.
pub(super) async fn close(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    remarks: Vec<Part>,
    now: Time,
) -> Result<(), StoreError> {
    give_back(touched, now).await?;
    let (pace, why, announced) = (pace(&touched.table)?, Why::Host, None);
    let shown = &[];
    let closing = Closing { games, window, pace: &pace, why, remarks, shown, announced, now };
    closing.resolve(touched).await?;
    Ok(())
}

/// How a table comes to an end before its game does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Early {
    /// It is ended, and scored as it stands.
    Ended,
    /// The table has agreed that nobody wins.
    Drawn,
    /// It is called off: nothing of it counts.
    Cancelled,
}

/// Ends a table before its end, and tells everybody its seed and why, if somebody said it. Nobody
/// is sought for it any more.
pub(super) async fn end(
    touched: &mut Touched<'_>,
    games: Games,
    how: Early,
    reason: Option<&str>,
    now: Time,
) -> Result<(), StoreError> {
    end_after(touched, games, Vec::new(), how, reason, now).await
}

/// The same, and its letters begin with these.
pub(super) async fn end_after(
    touched: &mut Touched<'_>,
    games: Games,
    mut told: Vec<Part>,
    how: Early,
    reason: Option<&str>,
    now: Time,
) -> Result<(), StoreError> {
    let finished = match how {
        Early::Ended => finish(touched, games).await?,
        Early::Drawn | Early::Cancelled => None,
    };
    let (seed, cancelled) = (touched.table.seed.clone(), how == Early::Cancelled);
    let window = touched.table.open_window;
    touched.turn_to(Stage::Over, window, None);
    touched.drop_calls().await?;
    touched.stir();
    let over = Happened::Over { ended: true, cancelled, seed: seed.clone() };
    record(touched, &over, now)?;
    let seats = touched.seats().await?;
    let notice = Notice {
        seats: &seats,
        zone: pace(&touched.table)?.zone,
        contest: finished.as_deref(),
        id: "end".to_owned(),
        send_at: now,
    };
    let (head, reason) = (touched.table.chain.clone(), reason.map(str::to_owned));
    let over = Part::Over { ended: true, cancelled, seed, head, reason };
    told.extend(finished.is_some().then_some(Part::Scores));
    told.push(over);
    notice.post(touched, |_| told.clone()).await?;
    // Of a game that never began there is nothing to look back at.
    if window < 0 { Ok(()) } else { files::post(touched, &seats, "end", now).await }
}

/// The contest as if its game were over, to be scored. None: it has not been dealt, or its rules came
/// to grief.
async fn finish(
    touched: &mut Touched<'_>,
    games: Games,
) -> Result<Option<Box<dyn AnyContest>>, StoreError> {
    let table = touched.table.clone();
    let (Ok(game), Some(window)) = (games.of(&table), touched.open_window().await?) else {
        return Ok(None);
    };
    let seats = touched.seats().await?;
    match contest(touched.session(), game, &table, &seats, &window).await {
        Ok(mut contest) if contest.window() > 0 => {
            contest.finish();
            Ok(Some(contest))
        }
        Ok(_) | Err(Unloaded::Load(_)) => Ok(None),
        Err(Unloaded::Store(error)) => Err(error),
    }
}

/// Lets a table go on that stood still: everybody has the time they had left.
pub(super) async fn resume(
    touched: &mut Touched<'_>,
    now: Time,
) -> Result<Result<(), Refused>, StoreError> {
    let Some(window) = touched.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
    give_back(touched, now).await?;
    let began_at = if touched.table.held == Some(Held::Outage) {
        let outage = touched.session().outage_at(window.closes_at).await?;
        outage.map_or(window.closes_at, |outage| outage.began_at)
    } else {
        touched.table.held_at.unwrap_or(now)
    };
    let outage = Outage { began_at, ended_at: now };
    extend(touched, &window, &pace(&touched.table)?, outage, now).await?;
    Ok(Ok(()))
}
