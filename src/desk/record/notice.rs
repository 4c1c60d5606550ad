//! News, posted as letters to everybody who is to read them.

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::model::{names, window_pace};
use crate::record::event::{Event, Secrecy, record, sealed_hashes};
use crate::record::letter::{Letter, Part};
use games::any::AnyContest;
use letters::Moment;
use rules::{Declaration, Entry, Procedure, Round, Seat};
use store::{
    Outgoing, Result, SeatRow, TableRow, Touched, WindowRow, absences, outbox, overrides, windows,
    write_json,
};
use tables::calling::CallTo;
use tables::{
    Address, CloseReason, HoldReason, Pace, PersonSettings, TableSetting, Time, Timing,
    WindowNumber,
};

/// A call to the readers of letters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) to: CallTo,
    /// The time after which the call is of no use.
    pub(crate) too_late: Time,
}

/// The parts of the letter to a seat, or of the public letter.
pub(crate) type Told<'a> = &'a (dyn Fn(Option<Seat>) -> Vec<Part> + Send + Sync);

/// The parts of the letter to each seat.
pub(crate) type ToEach<'a> = &'a (dyn Fn(Seat) -> Vec<Part> + Send + Sync);

/// News to be sent at a time.
pub(crate) struct Notice<'a> {
    pub(crate) seats: &'a [SeatRow],
    /// The state shown with the news; `None` if they are not about the game.
    pub(crate) contest: Option<&'a dyn AnyContest>,
    /// The beginning of the letters' ids, which is used only once at a table.
    pub(crate) id: String,
    /// The earliest time of sending.
    pub(crate) send_at: Time,
}

impl<'a> Notice<'a> {
    /// Returns news that are not about the game.
    pub(crate) fn of(seats: &'a [SeatRow], id: impl Into<String>, send_at: Time) -> Self {
        Self { seats, contest: None, id: id.into(), send_at }
    }
}

impl Notice<'_> {
    /// Posts the news: at a public table as one public letter, with a private letter to each seat that alone
    /// may know a part of the result; at other tables as a letter to each seat and onlooker. No letter is
    /// sent without parts.
    pub(crate) async fn post(&self, tx: &mut Touched<'_>, parts: Told<'_>) -> Result<()> {
        let Some(place) = tx.table.place.clone() else {
            self.post_to_each(tx, &|seat| parts(Some(seat))).await?;
            return self.post_to_onlookers(tx, &parts(None)).await;
        };
        let public = parts(None);
        if public.is_empty() {
            return Ok(());
        }
        let letter = self.letter(&tx.table, None, public.clone());
        let outgoing = self.outgoing(&letter, "all", place)?;
        outbox::post(tx, vec![outgoing]);
        let own = |seat: Seat| Vec::from_iter(own_of(&parts(Some(seat)), &public));
        // Most news bring no result.
        if self.seats.iter().all(|row| own(row.seat).is_empty()) {
            return Ok(());
        }
        let id = format!("{}-own", self.id);
        Notice::of(self.seats, id, self.send_at).post_to_each(tx, &own).await
    }

    /// Posts one public letter with its own send time, even before earlier letters.
    pub(crate) fn post_ahead(
        &self,
        tx: &mut Touched<'_>,
        place: Address,
        parts: Vec<Part>,
    ) -> Result<()> {
        let letter = self.letter(&tx.table, None, parts);
        outbox::post_ahead(tx, vec![self.outgoing(&letter, "all", place)?]);
        Ok(())
    }

    /// Posts a letter to each seat and its substitute, unless there are no parts or no address for it.
    pub(crate) async fn post_to_each(&self, tx: &mut Touched<'_>, parts: ToEach<'_>) -> Result<()> {
        self.call_each(tx, None, parts).await
    }

    /// Posts a letter to each seat and its substitute; as a call, in the way in which they wish to be called.
    pub(crate) async fn call_each(
        &self,
        tx: &mut Touched<'_>,
        call: Option<Call>,
        parts: ToEach<'_>,
    ) -> Result<()> {
        self.post_each(tx, call, parts)?;
        self.post_to_substitutes(tx, call, parts).await
    }

    fn post_each(&self, tx: &mut Touched<'_>, call: Option<Call>, parts: ToEach<'_>) -> Result<()> {
        let mut letters = Vec::new();
        for row in self.seats {
            let Some(address) = &row.address else { continue };
            let parts = parts(row.seat);
            if parts.is_empty() {
                continue;
            }
            let letter = self.letter(&tx.table, Some(row), parts);
            let outgoing = self.outgoing(&letter, row.seat.name(), address.clone());
            letters.extend(self.as_called(
                (call, tx.table.pace.zone),
                &row.settings,
                &letter,
                outgoing?,
            )?);
        }
        outbox::post(tx, letters);
        Ok(())
    }

    /// `None` if the reader is not called; otherwise the letter in the way in which they are called.
    fn as_called(
        &self,
        (call, zone): (Option<Call>, Tz),
        settings: &PersonSettings,
        letter: &Letter,
        outgoing: Outgoing,
    ) -> Result<Option<Outgoing>> {
        let Some(Call { to, too_late }) = call else { return Ok(Some(outgoing)) };
        if !settings.is_called(to) {
            return Ok(None);
        }
        let send_at = settings.called_at(self.send_at, too_late, zone);
        let letter = Letter { in_thread: settings.is_called_in_thread(to), ..letter.clone() };
        Ok(Some(Outgoing { send_at, body: write_json(&letter)?, ..outgoing }))
    }

    /// Posts the public letter to the onlookers.
    async fn post_to_onlookers(&self, tx: &mut Touched<'_>, parts: &[Part]) -> Result<()> {
        if parts.is_empty() {
            return Ok(());
        }
        let onlookers = overrides::onlookers_at(tx).await?;
        if onlookers.is_empty() {
            return Ok(());
        }
        let letter = self.letter(&tx.table, None, parts.to_vec());
        let mut letters = Vec::new();
        for (index, onlooker) in onlookers.into_iter().enumerate() {
            let language = onlooker.language.unwrap_or_else(|| letter.language.clone());
            let letter = Letter { language, ..letter.clone() };
            let whom = format!("onlooker-{index}");
            letters.push(self.outgoing(&letter, &whom, onlooker.address)?);
        }
        outbox::post(tx, letters);
        Ok(())
    }

    /// Posts a letter to somebody who does not sit at the table.
    pub(crate) fn post_to(
        &self,
        tx: &mut Touched<'_>,
        address: &Address,
        language: Option<&str>,
        parts: Vec<Part>,
    ) -> Result<()> {
        let mut letter = self.letter(&tx.table, None, parts);
        if let Some(language) = language {
            language.clone_into(&mut letter.language);
        }
        let outgoing = self.outgoing(&letter, "guest", address.to_owned())?;
        outbox::post(tx, vec![outgoing]);
        Ok(())
    }

    /// Posts each seat's letter to its substitute at the time of sending: only the parts that the seat may
    /// know.
    pub(crate) async fn post_to_substitutes(
        &self,
        tx: &mut Touched<'_>,
        call: Option<Call>,
        parts: ToEach<'_>,
    ) -> Result<()> {
        let mut letters = Vec::new();
        for substitute in absences::substitutes_at(tx).await? {
            let seat = substitute.seat;
            let row = self.seats.iter().find(|row| row.seat == seat);
            let parts = parts(seat);
            let Some(row) = row.filter(|_| substitute.until_at > self.send_at) else { continue };
            if parts.is_empty() {
                continue;
            }
            let (language, settings) = (Some(substitute.language), substitute.settings);
            let row = SeatRow { language, settings, ..row.clone() };
            let letter = self.letter(&tx.table, Some(&row), parts);
            let whom = format!("{}-substitute", seat.name());
            let outgoing = self.outgoing(&letter, &whom, substitute.address)?;
            letters.extend(self.as_called(
                (call, tx.table.pace.zone),
                &settings,
                &letter,
                outgoing,
            )?);
        }
        outbox::post(tx, letters);
        Ok(())
    }

    fn outgoing(&self, letter: &Letter, whom: &str, address: Address) -> Result<Outgoing> {
        Ok(Outgoing {
            letter: format!("{}-{}-{whom}", letter.code, self.id),
            address,
            send_at: self.send_at,
            body: write_json(letter)?,
            attempts: 0,
            refused_at: None,
        })
    }

    /// Returns a letter to one seat, or a public one if `row` is `None`.
    fn letter(&self, table: &TableRow, row: Option<&SeatRow>, parts: Vec<Part>) -> Letter {
        let seat = row.map(|row| row.seat);
        let report = self.contest.map(|contest| contest.report(seat.into()));
        let language = row.and_then(|row| row.language.clone());
        let zone = table.pace.zone;
        let zone = row.map_or(zone, |row| row.settings.zone_at(zone));
        Letter {
            code: table.code.clone(),
            game: table.game.clone(),
            card_set: table.card_set.clone(),
            seat,
            language: language.unwrap_or_else(|| table.language.clone()),
            zone,
            year: Some(Moment::at(self.send_at, zone).year),
            names: names(self.seats),
            report: report.unwrap_or_default(),
            head: table.chain.clone(),
            results: table.settings.results(),
            in_thread: false,
            parts,
        }
    }
}

/// Returns the log entries in these parts of a letter, in order.
fn results(parts: &[Part]) -> impl Iterator<Item = (Round, &Entry<Json>)> {
    let brought = parts.iter().filter_map(|part| match part {
        Part::Result { round, entries, .. } => Some(entries.iter().map(|entry| (*round, entry))),
        _ => None,
    });
    brought.flatten()
}

/// Returns the part of a result that is in `own` but not in `public`.
fn own_of(own: &[Part], public: &[Part]) -> Option<Part> {
    let is_public = |entry| results(public).any(|(_, other)| other == entry);
    let mut round = None;
    let entries = results(own).filter(|(_, entry)| !is_public(*entry)).map(|(of, entry)| {
        round.get_or_insert(of);
        entry.clone()
    });
    let entries: Vec<_> = entries.collect();
    Some(Part::Own { round: round?, entries })
}

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
    pub(crate) async fn tell(self, tx: &mut Touched<'_>, id: &str) -> Result<()> {
        record(tx, &self.event)?;
        let secrecy = Secrecy::of(&tx.table, self.contest);
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
            id: format!("{id}-{:08}", tx.table.entries),
            send_at: self.send_at,
        };
        notice.post(tx, &parts).await?;
        if tx.table.place.is_none() || self.about.is_empty() {
            return Ok(());
        }
        let own =
            |seat: Seat| if self.about.contains(&seat) { parts(Some(seat)) } else { Vec::new() };
        notice.post_to_each(tx, &own).await
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

/// Holds the table at a window, and announces this.
pub(crate) async fn hold(
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
    number: WindowNumber,
    why: HoldReason,
) -> Result<()> {
    tx.hold(why.clone(), None, tx.now);
    tx.stir();
    if why != HoldReason::Outage {
        tracing::error!(table = %tx.table.code, window = %number, %why, "held");
    }
    let event = Event::Held { number, why, until: None };
    News::of(event, seats, tx.now).tell(tx, &format!("{number}-held")).await
}

/// Returns the salted hashes (`docs/verify.md`) of the seals in the window that this one follows, and the
/// head of the journal. The contents and the salts are shown to nobody but their authors before the table is
/// over, so that unused answers stay secret.
pub(crate) async fn receipts_of_last(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
) -> Result<Option<Part>> {
    let Some(number) = window.follows else { return Ok(None) };
    let opened = windows::declared(tx.db, &tx.table.code, number).await?;
    let sealed = Secrecy::of(&tx.table, Some(contest)).sealed(&sealed_hashes(&opened));
    Ok(Some(Part::Receipts { sealed, head: tx.table.chain.clone() }))
}

/// Returns the head of the journal alone, for letters without a result.
pub(crate) fn journal_head(tx: &Touched<'_>) -> Part {
    Part::Receipts { sealed: Vec::new(), head: tx.table.chain.clone() }
}

/// Posts the letter with the files, if the table wants them there, after the letter about the end, whose id
/// begins with `end` and which is sent at the same time.
pub(crate) async fn post(
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
    end: &str,
    send_at: Time,
) -> Result<()> {
    if tx.table.place.is_none() || !tx.table.settings.has(TableSetting::Files) {
        return Ok(());
    }
    let notice = Notice::of(seats, format!("{end}-files"), send_at);
    notice.post(tx, &|_| vec![Part::Files]).await
}

impl Letter {
    /// True if the letter carries the files of its table.
    pub fn brings_files(&self) -> bool {
        self.parts.contains(&Part::Files)
    }
}
