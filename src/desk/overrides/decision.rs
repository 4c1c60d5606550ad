//! A decision of a game master: rehearsal, making and notification.

use serde::Serialize;
use serde_json::Value as Json;

use crate::model::{
    Contact, Games, Gm, Judgement, Override, Result, Stored, Vote, announced_window, contest,
    seat_of,
};
use crate::overrides::gm_view::authorize;
use crate::record::{Event, Notice, Part, Secrecy, Undone};
use crate::view::past::{self, PastResult};
use crate::view::see::{self, Sight};
use games::any::AnyContest;
use letters::template::typed::{letters, sampled_variants};
use letters::{ChangedLine, Changes, DESK, OverrideRefused, Refused, ShownDecision};
use rules::{Entry, Seat};
use store::{
    OverrideRow, SeatRow, Standstill, TableRow, Touched, WindowRow, overrides, people, read_json,
    write_json,
};
use tables::{
    HoldReason, NEVER, Notified, OverrideNumber, PersonId, Stage, TableCode, Time, WindowNumber,
};

/// An override to be made.
#[derive(Clone, Debug)]
pub struct Decision {
    pub what: Override,
    /// The person who takes a seat; `None` for other decisions.
    pub guest: Option<Contact>,
    pub reason: String,
    /// The notified people.
    pub notified: Notified,
    /// [`Rehearsal::foundation`]: the decision is refused on any other state.
    pub foundation: Option<String>,
    /// [`Rehearsal::changes`] as they were shown, for the log.
    pub shown: Changes,
}

impl From<Override> for Decision {
    /// A public decision without a reason.
    fn from(what: Override) -> Self {
        Self {
            what,
            guest: None,
            reason: String::new(),
            notified: Notified::Public,
            foundation: None,
            shown: Changes::default(),
        }
    }
}

/// The audience of an override, as far as there is a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "tells", rename_all = "kebab-case")]
pub enum Audience {
    /// The whole table, without a choice.
    Everybody {
        because: Because,
    },
    /// The whole table, or only these seats.
    Choice {
        /// The seats of a private notification.
        alone: Vec<Seat>,
    },
    Alone {
        alone: Vec<Seat>,
    },
}

impl Audience {
    /// True if the decision can be private.
    pub fn may_be_quiet(&self) -> bool {
        !matches!(self, Self::Everybody { .. })
    }

    /// True if the decision can be public.
    pub fn may_be_public(&self) -> bool {
        !matches!(self, Self::Alone { .. })
    }
}

/// The reason why everybody is notified of an override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The decider plays at the table.
    Playing,
    /// All dice are thrown again.
    Dice,
    /// The window is asked again, or from another state.
    Asked,
    /// The window is closed.
    Closed,
    /// The decision is announced with a result.
    Result,
    /// The decision ends the table.
    Over,
    /// A seat is offered to whoever wants it.
    Sought,
    /// Game masters see secrets only with everybody's knowledge.
    Watched,
    /// The decision governs the windows of all players.
    Applied,
    /// Everybody has seen the act that is taken back.
    Seen,
}

/// An override that has been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeOverride {
    /// The number of the override at the table, from 0.
    pub number: OverrideNumber,
    /// True if the override had been made before: it counts once.
    pub before: bool,
    /// True if the override was put to the vote instead, as it needs a second voice: the number is that of
    /// the vote.
    pub vote: bool,
    /// True if the override can never be undone.
    pub is_final: bool,
}

/// The dry run of an override.
#[derive(Debug)]
pub struct Rehearsal {
    /// The table before the override.
    pub before: TableSnapshot,
    /// The table after the override; `None` if that stays hidden before the decision.
    pub after: Option<TableSnapshot>,
    /// The possible audience.
    pub audience: Audience,
    /// The events beyond the public view, as far as the decider may know them.
    pub foreseen: Vec<Entry<Json>>,
    /// The remarks for the decider.
    pub remarks: Vec<Remark>,
    /// The hash of the journal at the dry run, in hex digits.
    pub foundation: String,
}

/// A table, and the result of its last window.
#[derive(Debug)]
pub struct TableSnapshot {
    /// The public view.
    pub sight: Sight,
    /// The last resolved window, announced or not.
    pub last: Option<PastResult>,
}

/// A remark to the decider before an override is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "thinks", rename_all = "kebab-case")]
pub enum Remark {
    /// Posted messages stay posted.
    Posted,
    /// Revealed information stays known: all dice are thrown anew, and the unknown part of the decks is
    /// shuffled.
    Revealed,
    /// Shown information stays known, while dice and decks return to their former state.
    Known,
    /// The declarations of these seats in the open window are lost.
    Lost { seats: Vec<Seat> },
    /// The declaration of this seat in the judged window is replaced.
    Replaced { seat: Seat },
    /// Secrets of these seats become known to another player, even after an undo.
    Secrets { seats: Vec<Seat> },
    /// The decider plays at the table, and everybody is notified.
    Playing { seat: Seat },
    /// The result of the window is hidden before the decision: sealed declarations from everybody, and future
    /// dice and bot players' choices from a playing decider.
    Unseen {
        /// The seats without a seal, if that is public.
        missing: Vec<Seat>,
    },
    /// A bot player plays on, and the seat can be offered to a player.
    Seek { seat: Seat },
    /// The result of the closing window is announced later, at this time; the closing itself is announced
    /// immediately.
    Announced { announced: Time },
    /// The decision is announced with the result that it changes, not before.
    WithResult {
        /// The time of the announcement; `None` while a game master reviews the result.
        announced: Option<Time>,
    },
    /// The decision cannot be undone.
    Final,
    /// The result is announced immediately: only a rollback, with new dice, takes it back.
    OnlyRollback,
    /// The decision can be undone until its result is announced.
    UntilTold,
    /// The decider plays at the table: the decision is put to the vote, and needs one other voice.
    SecondVoice { seat: Seat },
}

letters! {
    /// The letters of a dry run.
    LETTERS in DESK;

    /// The changes of a decision, the remarks and the audience.
    "rehearsed" pub struct RehearsedDecision<'a> {
        pub decision: &'a ShownDecision<'a>,
        pub changes: &'a [ChangedLine],
        pub remarks: &'a [Remark],
        pub audience: &'a Audience,
    }

    /// The choices after a dry run, by the possible audience.
    "confirming" pub struct ConfirmingDecision<'a> { pub audience: &'a Audience }
}

sampled_variants! {
    Audience { Everybody { because }, Choice { alone }, Alone { alone } }
    Because {
        Playing, Dice, Asked, Closed, Result, Over, Sought, Watched, Applied, Seen,
    }
    Remark {
        Posted, Revealed, Known, Lost { seats }, Replaced { seat }, Secrets { seats },
        Playing { seat }, Unseen { missing }, Seek { seat }, Announced { announced },
        WithResult { announced }, Final, OnlyRollback, UntilTold, SecondVoice { seat },
    }
}

/// The vote by which the table has decided.
#[derive(Clone)]
pub(crate) struct PassedVote {
    pub(crate) vote: Vote,
    /// The player whose seat the vote is about.
    pub(crate) about: Option<PersonId>,
}

/// An override in progress.
#[derive(Clone)]
pub(crate) struct Attempt {
    pub(crate) games: Games,
    pub(crate) code: TableCode,
    pub(crate) gm: Gm,
    pub(crate) decision: Decision,
    /// The ids of the decider and of the person who takes a seat, if they are new here.
    pub(crate) drawn: [PersonId; 2],
    /// The vote, if the table decides.
    pub(crate) voted: Option<PassedVote>,
    /// The number at the table, set as the override is made.
    pub(crate) number: OverrideNumber,
    /// The open window as the override is made.
    pub(crate) window: Option<WindowNumber>,
    /// The override that is undone.
    pub(crate) undoes: Option<Undone>,
}

/// The result of an override.
#[derive(Debug, Default)]
pub(crate) struct Effect {
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
    pub(crate) added: Option<Part>,
    /// True if the override brings a result that nobody has seen.
    pub(crate) reveals: bool,
    /// `None` unless the override was put to the vote instead; true if the vote had been proposed before.
    pub(crate) vote: Option<bool>,
    /// The possible audience; `None` for a vote, which everybody is shown.
    pub(crate) audience: Option<Audience>,
}

impl Effect {
    /// Returns a result that the table is shown together with its consequences.
    pub(crate) fn notified(because: Because) -> Self {
        Self { notified: Some(because), ..Self::default() }
    }

    pub(crate) fn with(mut self, remark: Remark) -> Self {
        self.remarks.push(remark);
        self
    }
}

impl Attempt {
    pub(crate) fn new(games: Games, code: TableCode, gm: Gm, decision: Decision) -> Self {
        let drawn = Default::default();
        let (number, window) = (OverrideNumber::FIRST, None);
        Self { games, code, gm, decision, drawn, voted: None, number, window, undoes: None }
    }

    /// Returns the override in progress at its touched table.
    pub(crate) fn at<'r, 's>(&'r self, tx: &'r mut Touched<'s>) -> Run<'r, 's> {
        Run { attempt: self, tx }
    }

    /// Returns the pause or lock that outlasts the override into another window; `None` without one.
    pub(crate) fn standstill(&self, table: &TableRow, now: Time) -> Option<Standstill> {
        let is_kept =
            |held: &HoldReason| held.outlasts_window() && self.decision.what.keeps_pause();
        let why = table.held.clone().filter(is_kept)?;
        Some(Standstill { why, until: table.look_at, since: table.held_at.unwrap_or(now) })
    }

    /// Returns the changes shown before the decision, as JSON; `None` if there are none.
    pub(crate) fn shown(&self) -> Stored<Option<String>> {
        let shown = &self.decision.shown;
        if shown.is_empty() { Ok(None) } else { write_json(shown).map(Some) }
    }
}

/// An override in progress at its table.
pub(crate) struct Run<'r, 's> {
    pub(crate) attempt: &'r Attempt,
    pub(crate) tx: &'r mut Touched<'s>,
}

impl Run<'_, '_> {
    /// Returns the id of the decider. Refused if they may not decide.
    pub(crate) async fn authorize(&mut self) -> Result<PersonId> {
        let Touched { db, table, .. } = &mut *self.tx;
        let person = authorize(db, table, &self.attempt.gm).await?;
        if table.stage == Stage::Forming && !self.attempt.decision.what.fits_forming() {
            return Err(Refused::NotBegun.into());
        }
        self.attempt.games.of(table)?;
        if let Some(person) = person {
            return Ok(person);
        }
        // A decider by role may never have been here.
        let (gm, drawn) = (&self.attempt.gm, &self.attempt.drawn[0]);
        Ok(people::meet(db, &gm.account, &table.language, drawn).await?)
    }

    /// Returns the table's public view, and its last resolved window.
    pub(crate) async fn snapshot(&mut self) -> Result<TableSnapshot> {
        let sight =
            see::sight(self.tx.db, self.attempt.games, &self.attempt.code, None, self.tx.now)
                .await?;
        let last = past::last(self.tx, &sight).await?;
        Ok(TableSnapshot { sight, last })
    }

    /// Returns the players, and the contest of the table as of the opening of a window.
    pub(crate) async fn contest(
        &mut self,
        window: &WindowRow,
    ) -> Result<(Vec<SeatRow>, Box<dyn AnyContest>)> {
        let seats = self.tx.seats().await?;
        let Touched { db, table, .. } = &mut *self.tx;
        let game = self.attempt.games.of(table)?;
        let contest = contest(db, game, table, &seats, window).await?;
        Ok((seats, contest))
    }

    /// Returns the open window, if it has been announced and is not stuck in its rules.
    pub(crate) async fn announced_window(&mut self) -> Result<WindowRow> {
        announced_window(self.tx).await
    }
}

/// Returns the parts of public letters about the override.
pub(crate) fn parts(attempt: &Attempt) -> Vec<Part> {
    parts_for(attempt, &event(attempt), None)
}

/// Returns the seat of the decider, or for which they stand in; `None` if they do not play.
pub(crate) async fn plays(run: &mut Run<'_, '_>) -> Result<Option<Seat>> {
    if run.attempt.voted.is_some() {
        return Ok(None);
    }
    let account = &run.attempt.gm.account;
    let person = people::person(run.tx.db, account).await?;
    let seats = run.tx.seats().await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
    Ok(seat_of(run.tx.db, &run.attempt.code, account, own, run.tx.now).await?)
}

/// Returns the wished audience. Refused for a private override that must be public.
pub(crate) fn notified(attempt: &Attempt, audience: &Audience) -> Result<Notified, Refused> {
    match (audience, attempt.decision.notified) {
        (Audience::Everybody { .. }, Notified::Private) => Err(OverrideRefused::NotQuietly.into()),
        (Audience::Alone { .. }, _) => Ok(Notified::Private),
        (_, notified) => Ok(notified),
    }
}

/// Returns the undone decision; `None` if the override is not an undo.
pub(crate) fn undoes(attempt: &Attempt, overrides: &[OverrideRow]) -> Stored<Option<Undone>> {
    let Override::Undo { number } = attempt.decision.what else { return Ok(None) };
    let row = overrides.iter().find(|row| row.number == number);
    let undone = |row: &OverrideRow| {
        let public = row.notice == Notified::Public;
        Ok(Undone { what: read_json(&row.what)?, public })
    };
    row.map(undone).transpose()
}

/// Returns the public event of the override.
fn event(attempt: &Attempt) -> Event {
    let Decision { what, reason, .. } = &attempt.decision;
    let mut event = Event::decided(attempt.number, attempt.window, what.clone(), reason.clone());
    if let Event::Overridden { voted, undone, .. } = &mut event {
        (*voted, *undone) = (attempt.voted.is_some(), attempt.undoes.clone());
    }
    event
}

/// Returns the event of the override, with the seats of a private notification, and with the current
/// deadline after an undo.
pub(crate) async fn event_for(
    run: &mut Run<'_, '_>,
    done: &Effect,
    audience: &Audience,
    notified: Notified,
) -> Result<Event> {
    let mut event = event(run.attempt);
    if let Event::Overridden { window, what, alone, closes, .. } = &mut event {
        *window = done.window.or(run.tx.table.open_window);
        *alone = match (notified, audience) {
            (Notified::Private, Audience::Choice { alone } | Audience::Alone { alone }) => {
                Some(alone.clone())
            }
            _ => None,
        };
        let open = run.tx.open_window().await?;
        let is_open = run.tx.table.stage == Stage::Playing && run.tx.table.held.is_none();
        let open = open.filter(|open| is_open && open.opens_at <= run.tx.now);
        let is_undone = matches!(what, Override::Undo { .. });
        *closes = open.filter(|open| is_undone && open.closes_at < NEVER).map(|w| w.closes_at);
    }
    Ok(event)
}

/// Returns the parts of letters about the event, for a seat or the public.
fn parts_for(attempt: &Attempt, event: &Event, you: Option<Seat>) -> Vec<Part> {
    match &attempt.voted {
        Some(voted) => vec![Part::Vote { vote: voted.vote.clone() }],
        None => event.told_to(you, &Secrecy::HIDDEN),
    }
}

/// Notifies the table, or the seats of a private notification.
pub(crate) async fn notify(run: &mut Run<'_, '_>, done: &Effect, event: &Event) -> Result<()> {
    let seats = run.tx.seats().await?;
    let notice = Notice::of(&seats, format!("override-{}", run.attempt.number), run.tx.now);
    let parts = |you: Option<Seat>| {
        let mut parts = parts_for(run.attempt, event, you);
        parts.extend(done.added.clone().filter(|_| !parts.is_empty()));
        parts
    };
    if matches!(event, Event::Overridden { alone: Some(_), .. }) {
        notice.post_to_each(run.tx, &|seat| parts(Some(seat))).await?;
    } else {
        notice.post(run.tx, &parts).await?;
    }
    let own = Notice { id: format!("override-{}-own", run.attempt.number), ..notice };
    Ok(own.post_to_each(run.tx, &|seat| entered(run.attempt, seat).into_iter().collect()).await?)
}

/// Returns the part for a seat whose declaration was made or returned by the decision.
pub(crate) fn entered(attempt: &Attempt, seat: Seat) -> Option<Part> {
    let Override::Judge { change, .. } = &attempt.decision.what else { return None };
    let is_own = matches!(change, Judgement::Declare { .. } | Judgement::Return { .. });
    (is_own && change.seat() == Some(seat)).then(|| Part::Entered { change: change.clone() })
}

/// Notifies former players who have left the table by the override, except those who watch it and have
/// been notified.
pub(crate) async fn dismiss(
    run: &mut Run<'_, '_>,
    before: &[SeatRow],
    done: &Effect,
    notified: Notified,
) -> Result<()> {
    let (code, place) = (run.tx.table.code.clone(), run.tx.table.place.clone());
    let is_told = place.is_none() && (done.notified.is_some() || notified == Notified::Public);
    let onlookers =
        if is_told { overrides::onlookers(run.tx.db, &code).await? } else { Vec::new() };
    let after = run.tx.seats().await?;
    let stays = |row: &&SeatRow| {
        let looks_on = onlookers.iter().any(|onlooker| onlooker.person == row.person);
        looks_on || after.iter().any(|other| other.person == row.person)
    };
    let gone: Vec<Seat> = before.iter().filter(|row| !stays(row)).map(|row| row.seat).collect();
    let notice = Notice::of(before, format!("override-{}-gone", done.number), run.tx.now);
    let parts = |seat| if gone.contains(&seat) { parts(run.attempt) } else { Vec::new() };
    Ok(notice.post_to_each(run.tx, &parts).await?)
}
