//! Judgements, which resolve a window with changed declarations or dice.
//!
//! While the window is open, the decision waits for its closing. After that, the window is resolved anew:
//! another window from the same state takes over its declarations, and closes immediately. That is possible
//! until somebody has declared in the next window; then only a rollback helps. If the game hides who has
//! declared, a refusal does not reveal it either.

use serde_json::Value as Json;

use crate::absence::away::come_back;
use crate::absence::reputation::accept_late;
use crate::model::{Judgement, Override, Result, Verb, dice, is_stuck, refuse_if};
use crate::overrides::decision::{self, Because, Effect, Remark, Run};
use crate::overrides::vote::lapse;
use crate::overrides::windows;
use crate::record::{Event, History, Secrecy, sealed_hashes};
use crate::window::act::keep_acts;
use crate::window::close::{Closing, settle};
use crate::window::declare::seal_for;
use games::any::AnyContest;
use letters::{OverrideRefused, Refused};
use rules::{BySeat, Declaration, Entry, Round, Seat};
use store::{PresenceRow, SeatRow, Touched, WindowRow, absences, overrides};
use tables::{CloseReason, HoldReason, NEVER, Stage, WindowNumber};

/// Applies a judgement to the open or the last window.
pub(crate) async fn judge(
    run: &mut Run<'_, '_>,
    number: WindowNumber,
    change: &Judgement,
) -> Result<Effect> {
    let open = run.tx.open_window().await?.ok_or(Refused::NotBegun)?;
    refuse_if(is_stuck(run.tx), Refused::Held)?;
    if open.number == number {
        refuse_if(run.tx.now < open.opens_at, Refused::NotYet)?;
        let remarks = judge_open(run, &open, change).await?;
        return Ok(Effect { remarks, ..Effect::default() });
    }
    let origin = last_window(run, &open, number).await?;
    let window = Some(run.tx.table.next_window());
    let mut remarks = replaced(run, &origin, change).await?;
    remarks.extend(taken_back(run, &open).await?);
    judge_closed(run, &origin, &open, change).await?;
    remarks.push(if open.opens_at <= run.tx.now {
        Remark::Posted
    } else {
        let announced = (open.opens_at < NEVER).then_some(open.opens_at);
        Remark::WithResult { announced }
    });
    Ok(Effect { reveals: true, remarks, window, ..Effect::notified(Because::Result) })
}

/// Refuses a judgement about a seat without questions in the whole round.
async fn refuse_not_asked(
    run: &mut Run<'_, '_>,
    window: &WindowRow,
    change: &Judgement,
) -> Result<()> {
    let Some(seat) = change.seat() else { return Ok(()) };
    let root = run.tx.window(window.root).await?.ok_or(OverrideRefused::NoWindow)?;
    let is_asked = [window, &root].iter().any(|window| window.asked.0.contains(&seat));
    if is_asked { Ok(()) } else { Err(OverrideRefused::SeatNotAsked.into()) }
}

/// Returns a remark if a declaration made for a seat replaces one of the player.
async fn replaced(
    run: &mut Run<'_, '_>,
    window: &WindowRow,
    change: &Judgement,
) -> Result<Vec<Remark>> {
    let Judgement::Declare { seat, .. } = change else { return Ok(Vec::new()) };
    let lost = windows::lost_by(run, window, &[*seat]).await?;
    Ok(lost.into_iter().map(|_| Remark::Replaced { seat: *seat }).collect())
}

/// Returns the window before the open one, if it has this number or was resolved anew for the window with
/// this number.
async fn last_window(
    run: &mut Run<'_, '_>,
    open: &WindowRow,
    number: WindowNumber,
) -> Result<WindowRow> {
    let last = open.follows.ok_or(OverrideRefused::NoWindow)?;
    refuse_if(run.tx.window(number).await?.is_none(), OverrideRefused::NoWindow)?;
    if !store::windows::again(run.tx.db, &run.attempt.code, last).await?.contains(&number) {
        return Err(OverrideRefused::OnlyRollback.into());
    }
    Ok(run.tx.window(last).await?.ok_or(OverrideRefused::NoWindow)?)
}

/// Returns remarks on the declarations lost with the open window. Refused if these are public.
async fn taken_back(run: &mut Run<'_, '_>, open: &WindowRow) -> Result<Vec<Remark>> {
    if open.opens_at > run.tx.now {
        return Ok(Vec::new());
    }
    let lost = windows::lost(run, open).await?;
    let (_, contest) = run.contest(open).await?;
    let is_named = Secrecy::of(&run.tx.table, Some(&*contest)).is_named();
    let may_go = lost.is_empty() || !is_named;
    if may_go { Ok(lost) } else { Err(OverrideRefused::OnlyRollback.into()) }
}

/// Refuses a change to what has been posted since the root window opened.
fn refuse_posted(run: &Run<'_, '_>, seats: &[SeatRow], contest: &dyn AnyContest) -> Result<()> {
    let game = run.attempt.games.of(&run.tx.table)?;
    let again = game.load(&contest.save(), dice(&run.tx.table, seats)?);
    let mut again = again.map_err(|_| OverrideRefused::OnlyRollback)?;
    match again.close(BySeat::new(run.tx.table.chairs, |_| None)) {
        Ok(_) => Ok(()),
        Err(_) => Err(OverrideRefused::OnlyRollback.into()),
    }
}

/// Applies a judgement to the open window, for its closing.
async fn judge_open(
    run: &mut Run<'_, '_>,
    open: &WindowRow,
    change: &Judgement,
) -> Result<Vec<Remark>> {
    refuse_not_asked(run, open, change).await?;
    let (seats, mut contest) = run.contest(open).await?;
    let skips = matches!(change, Judgement::Skip { .. } | Judgement::Unskip { .. });
    refuse_if(skips && contest.is_open_handed(), Refused::Nothing)?;
    change.decide(&mut *contest);
    refuse_posted(run, &seats, &*contest)?;
    let saved = contest.save().said;
    let is_decided = !matches!(change, Judgement::Declare { .. } | Judgement::AcceptLate { .. });
    refuse_if(is_decided && saved == open.said, Refused::Nothing)?;
    overrides::keep_said(run.tx, open.number, saved).await?;
    let remarks = replaced(run, open, change).await?;
    match change {
        Judgement::Declare { seat, answers } => {
            declare(run.tx, &*contest, open, *seat, answers)?;
        }
        Judgement::AcceptLate { .. } => return Err(OverrideRefused::NothingLate.into()),
        _ => {}
    }
    settle(run.tx, &*contest, open).await?;
    Ok(remarks)
}

/// Seals a declaration for a seat in the open window.
fn declare(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    window: &WindowRow,
    seat: Seat,
    answers: &Declaration,
) -> Result<()> {
    refuse_if(!window.asked.0.contains(&seat), OverrideRefused::SeatNotAsked)?;
    seal_for(tx, contest, window.number, seat, answers.clone());
    Ok(())
}

/// Resolves the last window anew.
async fn judge_closed(
    run: &mut Run<'_, '_>,
    origin: &WindowRow,
    open: &WindowRow,
    change: &Judgement,
) -> Result<()> {
    refuse_not_asked(run, origin, change).await?;
    let before = brought(run, open).await?;
    let (seats, mut contest) = run.contest(origin).await?;
    let state = contest.save().root;
    change.decide(&mut *contest);
    refuse_posted(run, &seats, &*contest)?;
    let under_review = run.tx.table.held == Some(HoldReason::Review);
    let unannounced = open.opens_at > run.tx.now;
    let mut remarks = Vec::new();
    if unannounced {
        remarks = windows::judged(run, open).await?;
        windows::leave_unannounced(run.tx);
    }
    remarks.extend(decision::parts(run.attempt));
    let number = run.tx.table.next_window();
    let begins = origin.root == origin.number;
    let window = WindowRow {
        number,
        root: if begins { number } else { origin.root },
        said: contest.save().said,
        again: Some(origin.number),
        ..origin.clone()
    };
    let mut shown = Vec::new();
    let unread = overrides::burn_unsent(run.tx, &format!("{}-opening", open.number)).await?;
    if !unread && !unannounced {
        let sealed = store::windows::declared(run.tx.db, &run.attempt.code, origin.number).await?;
        shown.extend(sealed_hashes(&sealed).into_iter().map(|(_, hash)| hash));
    }
    run.tx.open(&window);
    if begins {
        let hash = hex::encode(contest.opening_hash());
        run.tx.keep_state(number, state, hash);
    }
    run.tx.turn_to(Stage::Playing, Some(number), None);
    let late = match change {
        Judgement::AcceptLate { seat } => Some(*seat),
        _ => None,
    };
    if let Some(seat) = late
        && !overrides::is_late(run.tx, origin.number, seat).await?
    {
        return Err(OverrideRefused::NothingLate.into());
    }
    overrides::take_over(run.tx, origin.number, late).await?;
    if let Some(seat) = late {
        accept_late(run.tx, origin.number, seat).await?;
        forgive(run, seat, unannounced).await?;
    }
    if let Judgement::Declare { seat, answers } = change {
        declare(run.tx, &*contest, &window, *seat, answers)?;
    }
    let closing = Closing {
        games: run.attempt.games,
        window: &window,
        why: CloseReason::GameMaster,
        remarks,
        shown: &shown,
        announced: Some(if under_review { run.tx.now } else { open.opens_at.max(run.tx.now) }),
    };
    closing.resolve(run.tx).await?;
    if run.tx.table.held.as_ref().is_some_and(|held| !held.outlasts_window()) {
        return Err(OverrideRefused::Unfit.into());
    }
    if let Some(next) = run.tx.open_window().await? {
        let after = brought(run, &next).await?;
        // A playing decider could otherwise find hidden information by trying.
        let plays = decision::plays(run).await?.is_some();
        refuse_if(!plays && before.is_same(&after, change), Refused::Nothing)?;
    }
    if under_review && let Some(next) = run.tx.open_window().await? {
        windows::hold_back(run, &next).await?;
    }
    Ok(())
}

/// Forgives the missed windows of a seat whose late declaration counts: windows wait for it again.
/// Nothing is announced if its inactivity was not announced yet.
async fn forgive(run: &mut Run<'_, '_>, seat: Seat, unannounced: bool) -> Result<()> {
    let presences = absences::presences(run.tx.db, &run.attempt.code).await?;
    let row = presences.into_iter().find(|row| row.seat == seat && row.misses > 0);
    match row {
        Some(row) if row.inactive_at.is_some() && !unannounced => {
            come_back(run.tx, run.attempt.games, &row).await?;
        }
        Some(row) => {
            absences::attend(run.tx, PresenceRow { misses: 0, inactive_at: None, ..row });
        }
        None => {}
    }
    Ok(())
}

/// Returns the result of the closing that opened this window.
async fn brought(run: &mut Run<'_, '_>, opened: &WindowRow) -> Result<RejudgedClose> {
    let (_, contest) = run.contest(opened).await?;
    let opened = History::load(run.tx.db, &run.attempt.code).await?.into_opening(opened);
    Ok(RejudgedClose {
        brought: opened.and_then(Event::brought),
        state: contest.state_hash(),
        saved: contest.save().said,
        asked: contest.asked(),
    })
}

/// The result of a window's closing.
struct RejudgedClose {
    brought: Option<(Round, Vec<Entry<Json>>)>,
    state: [u8; 32],
    saved: String,
    asked: Vec<Seat>,
}

impl RejudgedClose {
    /// True if the judgement has changed nothing.
    fn is_same(&self, other: &Self, change: &Judgement) -> bool {
        let is_same =
            (self.state, &self.saved, &self.asked) == (other.state, &other.saved, &other.asked);
        match change {
            // The accepted declaration is shown for the player, whatever its effect.
            Judgement::AcceptLate { .. } => false,
            // The decider is shown in any case; only the effect matters.
            Judgement::Choose { .. } | Judgement::Die { .. } | Judgement::Declare { .. } => is_same,
            Judgement::Return { .. } | Judgement::Skip { .. } | Judgement::Unskip { .. } => {
                is_same && self.brought == other.brought
            }
        }
    }
}

impl Override {
    /// Returns the decision that takes back the last act in the open window.
    pub(crate) fn of_last_act(contest: &dyn AnyContest) -> Self {
        Self::TakeBack { seat: contest.last_actor(), act: contest.acts_done() }
    }
}

/// Takes back the last act in the open window. Declarations in the window stay.
pub(crate) async fn take_back(run: &mut Run<'_, '_>) -> Result<Effect> {
    let mut window = run.announced_window().await?;
    let (_, mut contest) = run.contest(&window).await?;
    take_back_act(&mut *contest, &run.attempt.decision.what)?;
    let own = run.attempt.voted.as_ref().map(|voted| voted.vote.number);
    lapse(run.tx, Verb::TakeBack, own).await?;
    keep_acts(run.tx, &*contest, &mut window).await?;
    settle(run.tx, &*contest, &window).await?;
    Ok(Effect::default().with(Remark::Posted))
}

/// Takes back the last act in the open window, if the decision is about it. Refused for an act that ended all
/// questions, and so closes the window.
pub(crate) fn take_back_act(contest: &mut dyn AnyContest, what: &Override) -> Result<(), Refused> {
    refuse_if(contest.last_actor().is_none(), OverrideRefused::NoAct)?;
    refuse_if(*what != Override::of_last_act(contest), Refused::MovedOn)?;
    refuse_if(contest.asked().is_empty(), Refused::NotNow)?;
    contest.take_back().map_err(|clause| OverrideRefused::ActStands(clause).into())
}
