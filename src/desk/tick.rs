//! The clock looks at a table: a deadline that has come, a reminder, or nothing yet.

use futures_util::FutureExt;

use crate::model::desk::Desk;
use crate::model::load::{Games, Unloaded, edition, window_pace};
use crate::overrides::vote;
use crate::record::letter::Part;
use crate::record::tell::Holding;
use crate::table::end::{end_after, resume};
use crate::window::extend::extend;
use crate::window::remind::Reminding;
use crate::window::resolve::Closing;
use crate::window::strike::{Striking, TakenUp};
use store::{FirstTouch, OtherClocks, OutageRow, Session, StoreError, Touched, WholeWindow, Work};
use tables::ids::TableCode;
use tables::pace::OutageRule;
use tables::time::{Span, Time};
use tables::{CloseReason, Due, EndKind, HoldReason, Pace, Stage};

/// What came of a look at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    /// A window was closed and resolved.
    Closed(CloseReason),
    /// Who had not sealed was reminded.
    Reminded,
    /// The deadline was moved, because nobody had kept it.
    Extended,
    /// It was put off for somebody who is missing, or those who are late may still seal.
    MoreTime,
    /// Nobody had begun it, and it has ended by itself.
    Unbegun,
    /// A vote was over.
    Voted,
    /// The table waits for its host.
    Waiting,
    /// There was nothing to do: somebody else was faster, it is not time yet, or the table is
    /// played by an edition that this program does not know.
    Nothing,
}

impl Desk {
    /// Tables that have to be looked at by now, the longest due first, at most so many of each
    /// game. Only those of the editions that this program knows.
    pub async fn due(&self, now: Time, limit: u32) -> Result<Vec<TableCode>, StoreError> {
        let mut session = self.store.read().await?;
        let mut due = Vec::new();
        for game in self.games.0 {
            due.extend(session.due(&edition(*game), now, limit).await?);
            let voted = session.due_votes(&edition(*game), now, limit).await?;
            due.extend(voted.into_iter().filter(|code| !due.contains(code)).collect::<Vec<_>>());
        }
        Ok(due)
    }

    /// The time when a table has to be looked at next.
    pub async fn next_due(&self) -> Result<Option<Time>, StoreError> {
        let mut session = self.store.read().await?;
        let mut next: Option<Time> = None;
        for game in self.games.0 {
            let of_game = session.next_due(&edition(*game)).await?;
            let of_votes = session.next_vote_due(&edition(*game)).await?;
            next = next.into_iter().chain(of_game).chain(of_votes).min();
        }
        Ok(next)
    }

    /// Looks at a table: what is due is done.
    /// Fails if it could not be written; then it is due still.
    pub async fn look(&self, code: &TableCode, now: Time) -> Result<Looked, StoreError> {
        let looked = self.store.write(Look { games: self.games, code: code.to_owned(), now }).await;
        let what = match looked {
            Err(error @ (StoreError::Unreadable(_) | StoreError::Failed(_))) => {
                HoldReason::Rules(error.to_string())
            }
            looked => return looked,
        };
        // Trying again would not help, and must not keep the clock from other tables.
        self.store.write(HoldingBroken { code: code.to_owned(), what, now }).await
    }

    /// What other clocks say than that of this process.
    pub async fn other_clocks(&self, process: &str) -> Result<OtherClocks, StoreError> {
        self.store.read().await?.other_clocks(process).await
    }

    /// A sign of life of a process that keeps the deadlines. If nobody has given one for longer
    /// than `silence`, that was an outage.
    pub async fn beat(
        &self,
        process: &str,
        now: Time,
        silence: Span,
    ) -> Result<Option<OutageRow>, StoreError> {
        let about = (process.to_owned(), now, silence);
        let beaten = self.store.write_about(about, |(process, now, silence), to| {
            to.beat(process, *now, *silence).boxed()
        });
        beaten.await
    }
}

struct Look {
    games: Games,
    code: TableCode,
    now: Time,
}

impl Work for Look {
    type Done = Looked;

    fn begins_with(&self) -> Option<FirstTouch<'_>> {
        Some(FirstTouch::Unseen { code: &self.code, with_state: true })
    }

    async fn work(&self, session: &mut Session) -> Result<Looked, StoreError> {
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Looked::Nothing);
        };
        if self.games.of(&touched.table).is_err() {
            return Ok(Looked::Nothing);
        }
        let mut whole = touched.whole_window(true).await?;
        let may_vote = whole.as_ref().is_none_or(|whole| whole.few.votes);
        let voted = may_vote && vote::count_open(&mut touched, self.games, self.now).await?;
        if voted {
            // A decision may have moved its times.
            whole = touched.whole_window(true).await?;
        }
        let looked = self.look(&mut touched, whole).await?;
        Ok(if voted && looked == Looked::Nothing { Looked::Voted } else { looked })
    }
}

/// Gives a table up that comes to grief whenever it is looked at.
struct HoldingBroken {
    code: TableCode,
    what: HoldReason,
    now: Time,
}

impl Work for HoldingBroken {
    type Done = Looked;

    async fn work(&self, session: &mut Session) -> Result<Looked, StoreError> {
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Looked::Nothing);
        };
        if touched.table.stage != Stage::Playing || touched.table.held.is_some() {
            return Ok(Looked::Nothing);
        }
        let Some(window) = touched.open_window().await? else { return Ok(Looked::Nothing) };
        let (seats, pace) = (touched.seats().await?, touched.table.pace.clone());
        let what = self.what.clone();
        let holding = Holding { seats: &seats, pace: &pace, window: &window, what, now: self.now };
        holding.hold(&mut touched).await?;
        Ok(Looked::Waiting)
    }
}

impl Look {
    /// Looks at what the clock has to look at.
    async fn look(
        &self,
        touched: &mut Touched<'_>,
        whole: Option<WholeWindow>,
    ) -> Result<Looked, StoreError> {
        if touched.table.stage == Stage::Forming {
            return self.end_unbegun(touched).await;
        }
        if touched.table.stage != Stage::Playing {
            // Its end has been announced.
            if touched.table.look_at.is_some_and(|look_at| look_at <= self.now) {
                touched.drop_side_lines().await?;
                touched.look_at(None);
            }
            return Ok(Looked::Nothing);
        }
        if touched.table.held.is_some() {
            return self.end_pause(touched).await;
        }
        let Some(whole) = whole else { return Ok(Looked::Nothing) };
        let pace = touched.table.pace.clone();
        let of_window = window_pace(&touched.table, &whole.window);
        let timing = whole.window.timing();
        match timing.due(&of_window, self.now) {
            Due::Close(why) => self.close(touched, whole, &pace, why).await,
            Due::Remind => self.remind(touched, whole, &of_window).await,
            Due::Nothing => {
                touched.look_at(Some(timing.next(&of_window)));
                Ok(Looked::Nothing)
            }
        }
    }

    async fn remind(
        &self,
        touched: &mut Touched<'_>,
        whole: WholeWindow,
        pace: &Pace,
    ) -> Result<Looked, StoreError> {
        let (window, now) = (whole.window.clone(), self.now);
        let Some(at) = TakenUp::found(touched, self.games, whole, now)? else {
            return Ok(Looked::Nothing);
        };
        let TakenUp { seats, contest, attendance, kept, .. } = at;
        let contest = &*contest.map_err(Unloaded::Load)?;
        let reminding =
            Reminding { window: &window, pace, seats: &seats, contest, kept: &kept, now };
        reminding.remind(touched, &attendance).await?;
        Ok(Looked::Reminded)
    }

    /// A table that nobody begins, or at which nobody sits, ends by itself.
    async fn end_unbegun(&self, touched: &mut Touched<'_>) -> Result<Looked, StoreError> {
        if touched.table.look_at.is_none_or(|look_at| self.now < look_at) {
            return Ok(Looked::Nothing);
        }
        let told = vec![Part::Unbegun { empty: touched.seats().await?.is_empty() }];
        end_after(touched, self.games, told, EndKind::Cancelled, None, self.now).await?;
        Ok(Looked::Unbegun)
    }

    /// A pause ends by itself.
    async fn end_pause(&self, touched: &mut Touched<'_>) -> Result<Looked, StoreError> {
        let paused = touched.table.held == Some(HoldReason::Pause);
        if !paused || touched.table.look_at.is_none_or(|look_at| self.now < look_at) {
            return Ok(Looked::Nothing);
        }
        // It is held, so that a window is open.
        let _ = resume(touched, self.now).await?;
        Ok(Looked::Extended)
    }

    async fn close(
        &self,
        touched: &mut Touched<'_>,
        whole: WholeWindow,
        pace: &Pace,
        why: CloseReason,
    ) -> Result<Looked, StoreError> {
        let (games, now, mut remarks) = (self.games, self.now, Vec::new());
        let window = &whole.window.clone();
        let of_window = &pace.clone().of(window.kind);
        if let Some(outage) = whole.outage.filter(|_| why == CloseReason::Deadline) {
            match pace.outage {
                OutageRule::Late => remarks.push(Part::Late { closed: window.closes_at }),
                OutageRule::Extend => {
                    extend(touched, window, of_window, outage, now).await?;
                    return Ok(Looked::Extended);
                }
                OutageRule::Wait => {
                    let what = HoldReason::Outage;
                    let holding = Holding { seats: &whole.seats, pace, window, what, now };
                    holding.hold(touched).await?;
                    return Ok(Looked::Waiting);
                }
            }
        }
        let Some(at) = TakenUp::found(touched, games, whole, now)? else {
            return Ok(Looked::Nothing);
        };
        // In the time of grace the deadline has come, whoever seals in it.
        let why = if at.attendance.late().is_some() { CloseReason::Deadline } else { why };
        let striking = Striking { window, pace: of_window, now };
        if why == CloseReason::Deadline
            && remarks.is_empty()
            && striking.give_more_time(touched, &at).await?
        {
            return Ok(Looked::MoreTime);
        }
        let closing =
            Closing { games, window, pace, why, remarks, shown: &[], announced: None, now };
        let resolved = closing.resolve_at(touched, at).await?;
        Ok(match (resolved, &touched.table.held) {
            (false, _) => Looked::Nothing,
            (true, Some(_)) => Looked::Waiting,
            (true, None) => Looked::Closed(why),
        })
    }
}
