//! The making of an override: authorization, execution and records.

use async_trait::async_trait;
use serde_json::Value as Json;

use crate::absence::reputation;
use crate::model::desk::{NotDone, Request};
use crate::model::load::{Games, stage_shown};
use crate::model::overrides::{Gm, Override};
use crate::model::random;
use crate::model::vote::Vote;
use crate::overrides::bench::authorize;
use crate::overrides::decision::{Audience, Because, Decision, Made, Remark, TableSnapshot};
use crate::overrides::image::Image;
use crate::overrides::vote::count::has_others;
use crate::record::event::{Event, Undone, record};
use crate::record::letter::Part;
use crate::view::see;
use letters::{OverrideRefused, Refused};
use rules::{Entry, receipt};
use store::{OverrideRow, Session, StoreError, Touched, read_json, write_json};
use tables::ids::{AccountId, EntryNumber, OverrideNumber, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::{EndKind, Stage};

/// The vote by which the table has decided.
#[derive(Clone)]
pub(crate) struct Voted {
    pub(crate) vote: Vote,
    /// The player whose seat the vote is about.
    pub(crate) about: Option<PersonId>,
}

/// An override in progress.
#[derive(Clone)]
pub(crate) struct Deciding {
    pub(crate) games: Games,
    pub(crate) code: TableCode,
    pub(crate) gm: Gm,
    pub(crate) decision: Decision,
    /// The ids of the decider and of the person who takes a seat, if they are new here.
    pub(crate) drawn: [PersonId; 2],
    /// The vote, if the table decides.
    pub(crate) voted: Option<Voted>,
    /// The number at the table, set as the override is made.
    pub(crate) number: OverrideNumber,
    /// The open window as the override is made.
    pub(crate) window: Option<WindowNumber>,
    /// The override that is undone.
    pub(crate) undoes: Option<Undone>,
    pub(crate) now: Time,
}

/// The result of an override.
#[derive(Debug, Default)]
pub(crate) struct Done {
    /// The number of the override at the table, or of the vote.
    pub(crate) number: OverrideNumber,
    pub(crate) remarks: Vec<Remark>,
    /// The events beyond the table's public view, as far as the decider may know them.
    pub(crate) foreseen: Vec<Entry<Json>>,
    /// The window touched; `None` for the open one.
    pub(crate) window: Option<WindowNumber>,
    /// The reason why the whole table is notified together with the consequences; `None` if it is not.
    pub(crate) notified: Option<Because>,
    /// A part added to the notification.
    pub(crate) beside: Option<Part>,
    /// True if the override brings a result that nobody has seen.
    pub(crate) reveals: bool,
    /// `None` unless the override was put to the vote instead; true if the vote had been proposed before.
    pub(crate) vote: Option<bool>,
    /// The possible audience; `None` for a vote, which everybody is shown.
    pub(crate) audience: Option<Audience>,
}

impl Done {
    /// Returns a result that the table is shown together with its consequences.
    pub(crate) fn notified(because: Because) -> Self {
        Self { notified: Some(because), ..Self::default() }
    }

    pub(crate) fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}

#[async_trait]
impl Request for Deciding {
    type Done = Made;

    async fn carry_out(&self, session: &mut Session) -> Result<Made, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let person = self.authorize(&mut touched).await?;
        if let Some(foundation) = &self.decision.foundation
            && *foundation != touched.table.chain
        {
            return self.made_before(&mut touched, &person, foundation).await;
        }
        let done = self.make(&mut touched, &person).await?;
        let (number, before) = (done.number, done.vote.unwrap_or_default());
        let is_final = done.remarks.contains(&Remark::Final);
        Ok(Made { number, before, vote: done.vote.is_some(), is_final })
    }

    /// A refusal rolls everything back.
    fn keeps(done: &Result<Made, NotDone>) -> bool {
        done.is_ok()
    }
}

impl Deciding {
    pub(crate) fn new(
        games: Games,
        code: TableCode,
        gm: Gm,
        decision: Decision,
        now: Time,
    ) -> Self {
        let drawn = Default::default();
        let (number, window) = (OverrideNumber::FIRST, None);
        Self { games, code, gm, decision, drawn, voted: None, number, window, undoes: None, now }
    }

    /// Returns the decision of a table by a vote.
    pub(crate) fn of_the_table(
        games: Games,
        code: TableCode,
        what: Override,
        voted: Voted,
        now: Time,
    ) -> Self {
        let decision = Decision { reason: voted.vote.reason.clone(), ..what.into() };
        let gm = Gm { account: AccountId::default(), roles: Vec::new() };
        Self { voted: Some(voted), ..Self::new(games, code, gm, decision, now) }
    }

    /// Returns the override made by an earlier press of the same button, which counts once.
    pub(crate) async fn made_before(
        &self,
        touched: &mut Touched<'_>,
        person: &PersonId,
        foundation: &str,
    ) -> Result<Made, NotDone> {
        for row in touched.overrides().await? {
            let what: Override = read_json(&row.what)?;
            let is_it = match &what {
                Override::Tried { what } => **what == self.decision.what,
                what => *what == self.decision.what || self.is_in_words(),
            };
            if row.foundation == foundation && row.person == *person && is_it {
                if matches!(what, Override::Tried { .. }) {
                    return Err(OverrideRefused::InVain.into());
                }
                let is_final = row.image.is_none();
                return Ok(Made { number: row.number, before: true, vote: false, is_final });
            }
        }
        Err(Refused::MovedOn.into())
    }

    fn is_in_words(&self) -> bool {
        matches!(self.decision.what, Override::InWords { .. })
    }

    /// Returns the id of the decider. Refused if they may not decide.
    pub(crate) async fn authorize(&self, touched: &mut Touched<'_>) -> Result<PersonId, NotDone> {
        let table = touched.table.clone();
        let person = authorize(touched.session(), &table, &self.gm).await?;
        if table.stage == Stage::Forming && !self.decision.what.fits_forming() {
            return Err(Refused::NotBegun.into());
        }
        self.games.of(&table)?;
        if let Some(person) = person {
            return Ok(person);
        }
        // A decider by role may never have been here.
        Ok(touched.session().meet(&self.gm.account, &table.language, &self.drawn[0]).await?)
    }

    /// Refuses decisions after the announced end: the seed and the hash of the whole record are known then.
    pub(crate) async fn refuse_over(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        match stage_shown(touched, self.now).await? {
            Stage::Over => Err(Refused::Over.into()),
            _ => Ok(()),
        }
    }

    /// Returns the table's public view, and its last resolved window.
    pub(crate) async fn snapshot(
        &self,
        touched: &mut Touched<'_>,
    ) -> Result<TableSnapshot, NotDone> {
        let sight = see::sight(touched.session(), self.games, &self.code, None, self.now).await?;
        let last = see::last(touched, &sight).await?;
        Ok(TableSnapshot { sight, last })
    }

    /// Carries out the override with its number, stores its changes, and notifies its audience.
    pub(super) async fn make_as_numbered(
        &self,
        touched: &mut Touched<'_>,
        person: &PersonId,
    ) -> Result<Done, NotDone> {
        self.refuse_over(touched).await?;
        let foundation = touched.table.chain.clone();
        let before = Image::of(touched).await?;
        let seats = touched.seats().await?;
        let plays = seats.iter().find(|row| row.is_of(Some(person)));
        let plays = plays.filter(|_| self.voted.is_none()).map(|row| row.seat);
        if let (Override::Pause { .. }, Some(seat)) = (&self.decision.what, plays)
            && has_others(&seats, seat)
        {
            return self.ask_for_a_second(touched, person, seat).await;
        }
        let played = self.plays(touched).await?;
        let open = touched.table.open_window;
        let entries = EntryNumber::new(touched.table.entries);
        touched.standstill = before.standstill(&self.decision.what, self.now);
        let mut done = self.carry_out(touched).await?;
        done.reveals |= self.house_acted(touched, entries).await?;
        if played.is_some() && touched.table.open_window != open {
            done.reveals |= self.house_may_act(touched).await?;
        }
        if !matches!(self.decision.what, Override::Undo { .. }) {
            reputation::replaced(touched, &seats, self.now).await?;
        }
        reputation::recount(touched, self.now).await?;
        let overrides = touched.overrides().await?;
        let audience = self.audience(&overrides, &done, played.is_some())?;
        let notified = self.notified(&audience)?;
        if let Some(seat) = played {
            done.remarks.push(Remark::Playing { seat });
            if done.reveals {
                // A list of the seats with changed questions would reveal their secrets.
                done.remarks.retain(|remark| !matches!(remark, Remark::Lost { .. }));
                done.remarks.push(Remark::Unseen { missing: Vec::new() });
            }
        }
        done.number = self.number;
        done.audience = Some(audience.clone());
        let mut event = self.event_for(touched, &done, &audience, notified).await?;
        let salt = hex::encode(random::bytes::<32>());
        let shown = self.shown()?;
        if let Event::Overridden { by, shown: showed, .. } = &mut event {
            let account = touched.session().account_of(person).await?.unwrap_or_default();
            let hash = receipt::authorship(&salt, account.as_str(), &self.decision.reason);
            *by = hex::encode(hash);
            *showed = shown.as_ref().map(|shown| hex::encode(receipt::showing(&salt, shown)));
        }
        let head = touched.table.chain.clone();
        record(touched, &event, self.now)?;
        if touched.table.stage == Stage::Over {
            // The end is announced with the hash of the last entry.
            touched.rehead(&head).await?;
        }
        let image = before.changed(Image::of(touched).await?);
        let is_final = done.remarks.contains(&Remark::Final);
        let row = OverrideRow {
            number: done.number,
            at: touched.table.told_at,
            person: person.to_owned(),
            what: write_json(&self.decision.what)?,
            reason: self.decision.reason.clone(),
            notice: notified,
            foundation,
            entries: touched.table.entries,
            image: if is_final { None } else { Some(write_json(&image)?) },
            undone: None,
            shown,
            salt: Some(salt),
            vote: self.voted.as_ref().map(|voted| voted.vote.number),
        };
        touched.keep_override(&row).await?;
        if !self.reposts(touched, open).await? {
            touched.stir();
        }
        if done.notified.is_none() {
            self.notify(touched, &done, &event).await?;
        }
        self.dismiss(touched, &seats, &done, notified).await?;
        Ok(done)
    }

    /// True if house players have acted as a consequence, which depends on their secrets.
    async fn house_acted(
        &self,
        touched: &mut Touched<'_>,
        since: EntryNumber,
    ) -> Result<bool, StoreError> {
        for row in touched.session().journal(&self.code, since).await? {
            if matches!(read_json(&row.body)?, Event::Acted { .. }) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if house players may have acted in the open window, as far as everybody knows.
    async fn house_may_act(&self, touched: &mut Touched<'_>) -> Result<bool, NotDone> {
        let seats = touched.seats().await?;
        let Some(window) = touched.open_window().await? else { return Ok(false) };
        if seats.iter().all(|row| row.house.is_none()) {
            return Ok(false);
        }
        Ok(!self.contest(touched, &seats, &window).await?.common_acts().is_empty())
    }

    /// Returns the changes shown before the decision, as JSON; `None` if there are none.
    pub(crate) fn shown(&self) -> Result<Option<String>, StoreError> {
        let shown = &self.decision.shown;
        if shown.is_empty() { Ok(None) } else { write_json(shown).map(Some) }
    }

    /// True if another window is open and announced by now: its post replaces the one before, which needs no
    /// update.
    async fn reposts(
        &self,
        touched: &mut Touched<'_>,
        before: Option<WindowNumber>,
    ) -> Result<bool, StoreError> {
        let open = touched.open_window().await?;
        let is_announced = open.is_some_and(|window| window.opens_at <= self.now);
        Ok(is_announced && touched.table.open_window != before)
    }

    pub(crate) async fn carry_out(&self, touched: &mut Touched<'_>) -> Result<Done, NotDone> {
        use Override as O;
        match &self.decision.what {
            O::Extend { closes } => self.extend(touched, *closes).await,
            O::Close => self.close(touched).await,
            O::Pause { until } => self.pause(touched, *until).await,
            O::Resume => self.resume(touched).await,
            O::Lock { stops } => self.lock(touched, *stops).await,
            O::Unlock => self.unlock(touched).await,
            O::Void => self.void(touched).await,
            O::TakeBack { .. } => self.take_back(touched).await,
            O::Hold => self.hold(touched).await,
            O::Publish => self.publish(touched).await,
            O::Judge { window, change } => self.judge(touched, *window, change).await,
            O::Edit { said: moves } => self.edit(touched, moves).await,
            O::Pace { pace } => Self::set_pace(touched, pace).await,
            O::Absence { absence } => self.set_absence(touched, *absence).await,
            O::Say { to, .. } if !to.is_empty() => Ok(Done::default()),
            O::Rule { .. } | O::Say { .. } => Ok(Done::default().with(Remark::Posted)),
            O::Replace { seat } => self.replace(touched, *seat).await,
            O::House { seat, policy } => self.house(touched, *seat, policy).await,
            O::Swap { a, b } => self.swap(touched, *a, *b).await,
            O::Call { seat } => self.call(touched, *seat).await,
            O::Recall { seat } => self.recall(touched, *seat).await,
            O::Invite { seat } => self.invite(touched, *seat).await,
            O::Kick { seat } => self.kick(touched, *seat).await,
            O::Host { seat } => self.hand_over(touched, *seat).await,
            O::Rollback { number, .. } => self.roll_back(touched, *number).await,
            O::End => self.end(touched, EndKind::Ended).await,
            O::Cancel => self.end(touched, EndKind::Cancelled).await,
            O::Open => self.open(touched).await,
            O::Undo { number } => self.undo(touched, *number).await,
            O::InWords { .. } => Err(OverrideRefused::Unfit.into()),
            O::Tried { .. } => Ok(Done::default().with(Remark::Final)),
        }
    }
}
