//! Events, recorded in the journal and sent to those who may know them: results, times, and the reasons for
//! holding a table.

use crate::model::load::window_pace;
use crate::record::event::{Event, Secrecy, record, sealed_hashes};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use games::any::AnyContest;
use rules::{Declaration, Procedure, Round, Seat};
use store::{SeatRow, StoreError, TableRow, Touched, WindowRow};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{CloseReason, HoldReason, Pace, Timing};

/// An event that has just happened, and its letters.
pub(crate) struct News<'a> {
    pub(crate) event: Event,
    pub(crate) seats: &'a [SeatRow],
    /// The contest whose rules decide the secrets; `None` if the event has none.
    pub(crate) contest: Option<&'a dyn AnyContest>,
    /// True if the letters show the position.
    pub(crate) is_shown: bool,
    /// The parts of the letters after the event.
    pub(crate) below: Vec<Part>,
    /// The seats that are also notified privately, if the event is posted in public.
    pub(crate) about: &'a [Seat],
    /// The earliest time of sending.
    pub(crate) send_at: Time,
}

impl<'a> News<'a> {
    /// Returns news for everybody that are sent immediately and hold no secret of the game.
    pub(crate) fn of(event: Event, seats: &'a [SeatRow], now: Time) -> Self {
        let (contest, is_shown, below, about) = (None, false, Vec::new(), &[][..]);
        Self { event, seats, contest, is_shown, below, about, send_at: now }
    }

    /// Records the event in the journal, and sends everybody the part they may know, in letters whose ids
    /// begin with `id`.
    pub(crate) async fn tell(
        self,
        touched: &mut Touched<'_>,
        id: &str,
        now: Time,
    ) -> Result<(), StoreError> {
        record(touched, &self.event, now)?;
        let secrecy = Secrecy::of(&touched.table, self.contest);
        let parts = |you: Option<Seat>| {
            let mut parts = self.event.told_to(you, &secrecy);
            if !parts.is_empty() {
                parts.extend(self.below.iter().cloned());
            }
            parts
        };
        let notice = Notice {
            seats: self.seats,
            contest: self.contest.filter(|_| self.is_shown),
            // Letters of one moment are sent in the order of their ids, so that earlier events come first.
            id: format!("{id}-{:08}", touched.table.entries),
            send_at: self.send_at,
        };
        notice.post(touched, &parts).await?;
        if touched.table.place.is_none() || self.about.is_empty() {
            return Ok(());
        }
        let own =
            |seat: Seat| if self.about.contains(&seat) { parts(Some(seat)) } else { Vec::new() };
        notice.post_to_each(touched, own).await
    }
}

impl Event {
    /// Returns the parts about the event for a seat or the public, none if they may not know of it.
    pub(crate) fn told_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let seen = self.visible_to(you.into(), secrecy);
        seen.map(Self::parts).unwrap_or_default()
    }

    /// Returns the parts about the event for a seat or the public, none if it shows them no result.
    pub(crate) fn result_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let parts = self.told_to(you, secrecy);
        if matches!(parts.last(), Some(Part::Result { .. })) { parts } else { Vec::new() }
    }

    /// Returns the parts about the event, its result last.
    pub(crate) fn parts(mut self) -> Vec<Part> {
        match self {
            Self::Dealt { entries, .. } => {
                vec![Part::Result { round: Round::DEAL, entries, at_once: false }]
            }
            Self::Acted { round, entries, .. } => {
                vec![Part::Result { round, entries, at_once: true }]
            }
            Self::Closed { round, why, ref mut entries, ref mut sealed, .. } => {
                // The hashes follow the result, with the head of the journal.
                sealed.clear();
                let entries = std::mem::take(entries);
                let result = Part::Result { round, entries, at_once: false };
                // A close by a game master is announced with the override.
                let closed = (why != CloseReason::GameMaster).then_some(Part::Event(self));
                closed.into_iter().chain([result]).collect()
            }
            event => vec![Part::Event(event)],
        }
    }
}

/// Returns the part of a letter about the window that opens, with the soonest time of an early close.
pub(crate) fn opening(
    contest: &dyn AnyContest,
    number: WindowNumber,
    timing: Timing,
    announced: Time,
    soonest: Option<Time>,
    still: bool,
) -> Part {
    let asked = contest.asked();
    let form = asked.first().map(|seat| contest.interview(*seat, &Declaration::default()));
    Part::Opening {
        number,
        round: contest.round(),
        suspended: contest.is_suspended(),
        asked,
        closes: timing.closes,
        announced,
        early: soonest.is_some(),
        soonest: soonest.filter(|soonest| *soonest > timing.opens),
        missing: form.and_then(|form| form.missing),
        still,
    }
}

/// Returns the parts about the open window for a reader who comes to it only now, and about the hold of the
/// table, if it is held. `among` is the procedure among the people there.
pub(crate) fn opening_now(
    table: &TableRow,
    window: &WindowRow,
    contest: &dyn AnyContest,
    among: &Procedure,
    now: Time,
) -> Vec<Part> {
    let (timing, pace) = (window.timing(), window_pace(table, window));
    let soonest = timing.soonest(&pace, among, now);
    let announced = pace.announced(timing.opens, timing.closes);
    let is_still = table.held.as_ref().is_some_and(HoldReason::stops_clock);
    let opened = opening(contest, window.number, timing, announced, soonest, is_still);
    [opened].into_iter().chain(standing_still(table)).collect()
}

/// `None` if the table is not held; otherwise the part about the hold.
pub(crate) fn standing_still(table: &TableRow) -> Option<Part> {
    let held = table.held.as_ref()?;
    let until = table.look_at.filter(|_| *held == HoldReason::Pause);
    Some(Part::held(table.open_window.unwrap_or_default(), held, until))
}

/// `None` if the result of the open window is announced at its close; otherwise the time of the announcement.
pub(crate) fn announcement(pace: &Pace, timing: Timing) -> Option<Part> {
    let announced = pace.announced(timing.opens, timing.closes);
    (announced != timing.closes).then_some(Part::Announcement { announced })
}

/// The hold of a table.
pub(crate) struct Holding<'a> {
    pub(crate) seats: &'a [SeatRow],
    pub(crate) window: &'a WindowRow,
    pub(crate) what: HoldReason,
    pub(crate) now: Time,
}

impl Holding<'_> {
    /// Holds the table, and announces this.
    pub(crate) async fn hold(self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let number = self.window.number;
        touched.hold(self.what.clone(), None, self.now);
        touched.stir();
        if self.what != HoldReason::Outage {
            tracing::error!(table = %touched.table.code, window = %number, why = %self.what, "held");
        }
        let event = Event::Held { number, why: self.what, until: None };
        let news = News::of(event, self.seats, self.now);
        news.tell(touched, &format!("{number}-held"), self.now).await
    }
}

/// Returns the salted hashes (`docs/verify.md`) of the seals in the window that this one follows, and the
/// head of the journal. The contents and the salts are shown to nobody but their authors before the table is
/// over, so that unused answers stay secret.
pub(crate) async fn receipts_of_last(
    touched: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
) -> Result<Option<Part>, StoreError> {
    let Some(number) = window.follows else { return Ok(None) };
    let code = touched.table.code.clone();
    let opened = touched.session().declared(&code, number).await?;
    let sealed = Secrecy::of(&touched.table, Some(contest)).sealed(&sealed_hashes(&opened));
    Ok(Some(Part::Receipts { sealed, head: touched.table.chain.clone() }))
}

/// Returns the head of the journal alone, for letters without a result.
pub(crate) fn journal_head(touched: &Touched<'_>) -> Part {
    Part::Receipts { sealed: Vec::new(), head: touched.table.chain.clone() }
}
