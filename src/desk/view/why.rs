//! The reasons why a window is still open, and why the last one has closed, as far as they are public.

use crate::model::desk::Desk;
use crate::record::event::{Event, Secrecy};
use crate::record::history::{Happened, History};
use crate::view::line::{line, pending};
use crate::view::see::{PlayView, Sight};
use letters::{EarlyClose, LetterFault, Letters, Moment, Reader, WhyClosed, WhyOpen, follow};
use rules::window::Progress;
use rules::{Round, Sealing, Seat, Viewer};
use store::StoreError;
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{CloseReason, Stage};

/// The close of the last window that was announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastClose {
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    pub closed: Time,
    pub why: CloseReason,
    /// True if nothing was sealed in the window, because everything asked was done by acts.
    pub openly: bool,
    /// The seats that had not sealed, as far as this is public.
    pub awaited: Vec<Seat>,
}

/// `None` if no window has closed; otherwise the close of the last window that was announced. For a
/// window that was resolved again, this is its first close.
pub async fn last_close(
    desk: &Desk,
    sight: &Sight,
    now: Time,
) -> Result<Option<LastClose>, StoreError> {
    let Some(play) = &sight.play else { return Ok(None) };
    let mut session = desk.store.read().await?;
    let Some(table) = session.table(&sight.code).await? else { return Ok(None) };
    let open = session.window(&sight.code, table.open_window).await?;
    let pending = pending(&mut session, &sight.code, open.as_ref(), now).await?;
    let counts = line(&mut session, &table).await?;
    let history = History::load(&mut session, &sight.code).await?;
    let secrecy = Secrecy::of(&table, Some(&*play.contest));
    let is_last = |number: WindowNumber| counts.contains(&number) && !pending.contains(&number);
    let mut newest_first = history.events().rev().filter_map(Event::closed_window);
    let Some((last, _)) = newest_first.find(|(number, _)| is_last(*number)) else {
        return Ok(None);
    };
    let first = session.again(&sight.code, last).await?.into_iter().min();
    let is_first = |event: &Event| event.closed_window().map(|(number, _)| number) == first;
    let mut closes = history.0.iter().filter(|happened| is_first(&happened.event));
    Ok(closes.find_map(|happened| LastClose::of(happened, &secrecy)))
}

impl LastClose {
    fn of(happened: &Happened, secrecy: &Secrecy<'_>) -> Option<Self> {
        match happened.event.visible_to(Viewer::Public, secrecy) {
            Some(Event::Closed { round, why, awaited, openly, .. }) => {
                Some(Self { round, closed: happened.row.at, why, openly, awaited })
            }
            _ => None,
        }
    }

    /// Writes the close.
    pub fn written(
        &self,
        sight: &Sight,
        letters: &Letters,
        reader: &Reader,
    ) -> Result<String, LetterFault> {
        let Self { round, closed, why, openly, awaited } = self;
        let closed = Moment::at(*closed, sight.zone);
        letters.write(
            reader,
            &WhyClosed { window: *round, closed, why: *why, openly: *openly, awaited },
        )
    }
}

impl Sight {
    /// Returns the seats that are missing in the open window, as far as this is public: the late ones, and
    /// those that the window waits for. In the grace period the window waits for late seats only.
    pub(crate) fn missing(&self) -> (Vec<Seat>, Vec<Seat>) {
        let (presence, play) = (self.presence(), self.play.as_ref());
        let is_missing =
            |progress: Progress| matches!(progress, Progress::NothingDeclared | Progress::Draft);
        let named = play.map(|play| self.window_progress(play).seats).unwrap_or_default();
        let named = named.into_iter().filter(|of| is_missing(of.progress)).map(|of| of.seat);
        // If everything is done by acts, everybody sees who has still something to do.
        let asked = play.filter(|_| self.is_open_handed()).map_or(&[][..], |play| &play.asked);
        let asked = asked.iter().filter(|seat| !self.house.contains(seat)).copied();
        let missing = named.chain(asked).filter(|seat| presence.waits_for(*seat));
        let (late, awaited) = missing.partition(|seat| presence.late.contains(seat));
        (late, if presence.grace { Vec::new() } else { awaited })
    }

    /// Writes the reason why the open window has not closed yet; empty if none is open.
    pub fn why_open(
        &self,
        letters: &Letters,
        reader: &Reader,
        now: Time,
    ) -> Result<String, LetterFault> {
        let Some(play) = self.play.as_ref().filter(|_| self.stage == Stage::Playing) else {
            return Ok(String::new());
        };
        let mut text = match self.shut(letters, reader)? {
            Some(shut) => return Ok(shut),
            None => self.waiting(letters, reader)?.unwrap_or_default(),
        };
        if self.is_clock_running() {
            follow(&mut text, &self.why_awaited(play, letters, reader, now)?);
        }
        Ok(text)
    }

    fn why_awaited(
        &self,
        play: &PlayView,
        letters: &Letters,
        reader: &Reader,
        now: Time,
    ) -> Result<String, LetterFault> {
        let (presence, standing) = (self.presence(), self.window_progress(play));
        let (late, awaited) = self.missing();
        let why = WhyOpen {
            window: play.contest.round(),
            awaited: if presence.grace { &late } else { &awaited },
            openly: standing.openly,
            hidden: standing.hidden,
            count: standing.count,
            grace: presence.grace,
            closes: Moment::at(play.timing.closes, self.zone),
            put_off: presence.put_off,
            excepted: self.window_pace().is_moved_by_excepted_days(play.timing.opens),
            early: self.early(play, now).filter(|_| !presence.grace && self.held.is_none()),
            locked: self.held.is_some(),
        };
        letters.write(reader, &why)
    }

    /// `None` if the open window does not close before its deadline; otherwise its early close: the actual
    /// one if all have sealed openly, else the one if all sealed by now.
    fn early(&self, play: &PlayView, now: Time) -> Option<EarlyClose> {
        let (pace, timing) = (self.window_pace(), play.timing);
        if !(pace.early && play.contest.procedure().closes_early) {
            return None;
        }
        let (last, sealing) = (now.max(timing.opens), play.among);
        let (soonest, delays) = pace.early_close_after(timing.opens, last, sealing);
        let settles = timing.settles.filter(|_| sealing == Sealing::Open);
        let at = settles.unwrap_or(soonest);
        (at < timing.closes).then(|| EarlyClose {
            all_sealed: settles.is_some(),
            at: Moment::at(at, self.zone),
            delays,
        })
    }
}
