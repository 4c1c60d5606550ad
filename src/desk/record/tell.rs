//! What has happened is written into the journal and put to those who may know it: what came of a
//! window, its times, and why a table stands still.

use chrono_tz::Tz;

use crate::model::load::window_pace;
use crate::record::event::{Event, Secrecy, record, sealed_hashes};
use crate::record::letter::{Notice, Part};
use games::any::AnyContest;
use rules::{Declaration, Procedure, Round, Seat};
use store::{SeatRow, StoreError, TableRow, Touched, WindowRow};
use tables::ids::WindowNumber;
use tables::time::Time;
use tables::{CloseReason, HoldReason, Pace, Timing};

/// Something that has just happened, and how it is told.
pub(crate) struct News<'a> {
    pub(crate) event: Event,
    pub(crate) seats: &'a [SeatRow],
    pub(crate) zone: Tz,
    /// By whose rules it is decided what may be known; none where nothing of it is a secret of the
    /// game.
    pub(crate) contest: Option<&'a dyn AnyContest>,
    /// True if its letters show where everything stands.
    pub(crate) is_shown: bool,
    /// What its letters say below it.
    pub(crate) below: Vec<Part>,
    /// Those who are told alone as well, where everybody else reads of it in a public place.
    pub(crate) about: &'a [Seat],
    /// Never before this time.
    pub(crate) send_at: Time,
}

impl<'a> News<'a> {
    /// What everybody is told at once, as nothing of it is a secret of the game.
    pub(crate) fn of(event: Event, seats: &'a [SeatRow], zone: Tz, now: Time) -> Self {
        let (contest, is_shown, below, about) = (None, false, Vec::new(), &[][..]);
        Self { event, seats, zone, contest, is_shown, below, about, send_at: now }
    }

    /// Writes into the journal that it happened now, and tells everybody what they may know of it,
    /// in letters whose ids begin so.
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
            zone: self.zone,
            contest: self.contest.filter(|_| self.is_shown),
            // Letters of one moment go out in the order of their ids: what happened first is told
            // first.
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
    /// What letters say of it to a seat, or in public: nothing if they are not to know it.
    pub(crate) fn told_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let seen = self.visible_to(you.into(), secrecy);
        seen.map(Self::parts).unwrap_or_default()
    }

    /// What letters say to a seat, or in public, of what it has brought, and why it closed that
    /// brought it.
    pub(crate) fn result_to(&self, you: Option<Seat>, secrecy: &Secrecy<'_>) -> Vec<Part> {
        let told = self.told_to(you, secrecy);
        if matches!(told.last(), Some(Part::Result { .. })) { told } else { Vec::new() }
    }

    /// What letters say of it, what it has brought last.
    pub(crate) fn parts(mut self) -> Vec<Part> {
        match self {
            Self::Dealt { entries, .. } => {
                vec![Part::Result { round: Round::DEAL, entries, at_once: false }]
            }
            Self::Acted { round, entries, .. } => {
                vec![Part::Result { round, entries, at_once: true }]
            }
            Self::Closed { round, why, ref mut entries, ref mut sealed, .. } => {
                // The hashes stand below the result, with the head of the journal.
                sealed.clear();
                let entries = std::mem::take(entries);
                let result = Part::Result { round, entries, at_once: false };
                // What a game master closed is told with their decision.
                let closed = (why != CloseReason::GameMaster).then_some(Part::Event(self));
                closed.into_iter().chain([result]).collect()
            }
            told => vec![Part::Event(told)],
        }
    }
}

/// The part of a letter about the window that opens, with the soonest time of an early close.
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

/// What a letter says of the window that is open to whoever comes to it only now: what is asked until
/// when, and that the table stands still if it does. Its procedure is that among the people there.
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

/// That the table stands still, and why; none if it does not.
pub(crate) fn standing_still(table: &TableRow) -> Option<Part> {
    let held = table.held.as_ref()?;
    let until = table.look_at.filter(|_| *held == HoldReason::Pause);
    Some(Part::still(table.open_window.unwrap_or_default(), held, until))
}

/// When the result of the open window is announced, if that is not when it closes.
pub(crate) fn announcement(pace: &Pace, timing: Timing) -> Option<Part> {
    let announced = pace.announced(timing.opens, timing.closes);
    (announced != timing.closes).then_some(Part::Announcement { announced })
}

/// Why a table is held.
pub(crate) struct Holding<'a> {
    pub(crate) seats: &'a [SeatRow],
    pub(crate) pace: &'a Pace,
    pub(crate) window: &'a WindowRow,
    pub(crate) what: HoldReason,
    pub(crate) now: Time,
}

impl Holding<'_> {
    /// Holds the table.
    pub(crate) async fn hold(self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let number = self.window.number;
        touched.hold(self.what.clone(), None, self.now);
        touched.stir();
        if self.what != HoldReason::Outage {
            tracing::error!(table = %touched.table.code, window = %number, why = %self.what, "held");
        }
        let event = Event::Held { number, why: self.what, until: None };
        let news = News::of(event, self.seats, self.pace.zone, self.now);
        news.tell(touched, &format!("{number}-held"), self.now).await
    }
}

/// What is told of what was sealed in the window whose end opened this one, each as a salted hash
/// (`docs/verify.md`), and the head of the journal. Who sealed it has it at once; what was sealed, and
/// the salt, are shown to nobody else before the table is over: what was not called for stays closed.
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

/// The head of the journal alone, for what is told without a result.
pub(crate) fn journal_head(touched: &Touched<'_>) -> Part {
    Part::Receipts { sealed: Vec::new(), head: touched.table.chain.clone() }
}
