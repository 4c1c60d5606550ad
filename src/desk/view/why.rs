//! Why a window is still open, and why the last one has closed: as far as everybody may know it.

use crate::model::desk::Desk;
use crate::record::event::{Event, Secrecy};
use crate::view::see::{PlayView, Sight, line, pending};
use letters::{EarlyClose, LetterFault, Letters, Moment, Reader, WhyClosed, WhyOpen, follow};
use rules::window::Progress;
use rules::{Round, Sealing, Seat, Viewer};
use store::{JournalRow, StoreError, read_json};
use tables::ids::{EntryNumber, WindowNumber};
use tables::time::Time;
use tables::{CloseReason, Stage};

/// Why the window closed last that was announced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastClose {
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    pub closed: Time,
    pub why: CloseReason,
    /// True if nothing was sealed in it, as all that was asked was done openly and at once.
    pub openly: bool,
    /// Who had not sealed, as far as everybody may know it.
    pub awaited: Vec<Seat>,
}

impl Desk {
    /// Why the window closed last that was announced. What was resolved anew had closed before. None:
    /// no window has.
    pub async fn last_close(
        &self,
        sight: &Sight,
        now: Time,
    ) -> Result<Option<LastClose>, StoreError> {
        let Some(play) = &sight.play else { return Ok(None) };
        let mut session = self.store.read().await?;
        let Some(table) = session.table(&sight.code).await? else { return Ok(None) };
        let open = session.window(&sight.code, table.open_window).await?;
        let pending = pending(&mut session, &sight.code, open.as_ref(), now).await?;
        let counts = line(&mut session, &table).await?;
        let journal = session.journal(&sight.code, EntryNumber::FIRST).await?;
        let secrecy = Secrecy::of(&table, Some(&*play.contest));
        let is_last = |number: WindowNumber| counts.contains(&number) && !pending.contains(&number);
        let mut last = None;
        for row in &journal {
            last = closed(row)?.filter(|number| is_last(*number)).or(last);
        }
        let Some(last) = last else { return Ok(None) };
        let first = session.again(&sight.code, last).await?.into_iter().min();
        for row in &journal {
            if closed(row)? == first
                && let Some(last) = LastClose::of(row, &secrecy)?
            {
                return Ok(Some(last));
            }
        }
        Ok(None)
    }
}

/// The window that an entry of the journal closed, if it did.
fn closed(row: &JournalRow) -> Result<Option<WindowNumber>, StoreError> {
    Ok(match read_json(&row.body)? {
        Event::Closed { number, .. } => Some(number),
        _ => None,
    })
}

impl LastClose {
    fn of(row: &JournalRow, secrecy: &Secrecy<'_>) -> Result<Option<Self>, StoreError> {
        let event: Event = read_json(&row.body)?;
        Ok(match event.visible_to(Viewer::Public, secrecy) {
            Some(Event::Closed { round, why, awaited, openly, .. }) => {
                Some(Self { round, closed: row.at, why, openly, awaited })
            }
            _ => None,
        })
    }

    /// It in words.
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
    /// Those who are missing in the open window where that may be known: who is late, and for whom it
    /// waits. In the time of grace nobody else is waited for.
    pub(crate) fn missing(&self) -> (Vec<Seat>, Vec<Seat>) {
        let (presence, play) = (self.presence(), self.play.as_ref());
        let is_missing =
            |progress: Progress| matches!(progress, Progress::NothingDeclared | Progress::Draft);
        let named = play.map(|play| self.window_progress(play).seats).unwrap_or_default();
        let named = named.into_iter().filter(|of| is_missing(of.progress)).map(|of| of.seat);
        // Where all is done at once, everybody sees who has still something to do.
        let asked = play.filter(|_| self.is_open_handed()).map_or(&[][..], |play| &play.asked);
        let asked = asked.iter().filter(|seat| !self.house.contains(seat)).copied();
        let missing = named.chain(asked).filter(|seat| presence.waits_for(*seat));
        let (late, awaited) = missing.partition(|seat| presence.late.contains(seat));
        (late, if presence.grace { Vec::new() } else { awaited })
    }

    /// Why the open window has not closed yet, in words; nothing if none is open.
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

    /// When the open window closes before its deadline: as all have sealed, or if they had by now,
    /// which tells nothing of who has.
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
