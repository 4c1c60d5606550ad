//! A move of the game master, in the game's own words.

use crate::model::desk::NotDone;
use crate::overrides::deciding::{Done, Run};
use crate::overrides::decision::Because;
use crate::overrides::{telling, windows};
use crate::record::letter::Part;
use crate::record::tell;
use crate::window::next::NextWindow;
use crate::window::resolve::settle;
use games::any::AnyContest;
use letters::{OverrideRefused, Refused};
use rules::{Declaration, Sealing, Seat, Viewer};
use store::{absences, overrides, people};
use tables::ids::WindowNumber;
use tables::{Stage, TableSetting};

/// Makes the move between two windows: the open one is asked again from the new state, and its
/// declarations count as far as their questions stay the same.
pub(crate) async fn edit(run: &mut Run<'_, '_>, moves: &Declaration) -> Result<Done, NotDone> {
    let window = run.announced_window().await?;
    let (seats, mut contest) = run.contest(&window).await?;
    if contest.is_suspended() {
        return Err(OverrideRefused::Suspended.into());
    }
    // A decider cannot name hidden things: a refusal would reveal their places.
    let person = people::person(run.touched.session(), &run.deciding.gm.account).await?;
    let own = seats.iter().find(|row| row.is_of(person.as_ref())).map(|row| row.seat);
    let is_open = run.touched.table.settings.has(TableSetting::Open);
    let viewer = if is_open { Viewer::All } else { own.into() };
    if !contest.rehearse(moves, viewer).faults.is_empty() {
        return Err(OverrideRefused::Unfit.into());
    }
    // A playing decider is not shown future draws before the decision.
    let plays = own.is_some();
    let foreseen = contest.foresee(moves, if plays { Viewer::Public } else { viewer });
    let before = contest.copy();
    let resolution = contest.amend(moves).map_err(|_| OverrideRefused::Unfit)?;
    let people = seats.iter().filter(|row| row.person.is_some()).map(|row| row.seat);
    let asked = people.filter(|seat| window.asked.0.contains(seat));
    let anew: Vec<Seat> = asked.filter(|seat| is_asked_anew(*seat, &*before, &*contest)).collect();
    let remarks = windows::lost_by(run, &window, &anew).await?;
    let next = NextWindow {
        follows: window.follows,
        // The move leaves everybody's time unchanged.
        timing: Some(window.timing()),
        ..NextWindow::of(&seats, &*contest, run.deciding.now)
    };
    let head = tell::journal_head(run.touched);
    let parts = |you: Option<Seat>| {
        let entries = contest.seen(&resolution.entries, you.into());
        let round = contest.round();
        let acted = !entries.is_empty();
        let acted = acted.then_some(Part::Result { round, entries, at_once: true });
        telling::parts(run.deciding).into_iter().chain(acted).chain([head.clone()]).collect()
    };
    next.open(run.touched, parts).await?;
    take_over(run, &*contest, window.number, &anew).await?;
    // A move may reveal secrets to a playing decider, so these are shown once it is made, to everybody.
    let reveals = contest.procedure().sealing == Sealing::Hidden;
    Ok(Done { remarks, foreseen, reveals, ..Done::notified(Because::Asked) })
}

/// Copies the declarations of another window to the open one, except those of these seats.
pub(crate) async fn take_over(
    run: &mut Run<'_, '_>,
    contest: &dyn AnyContest,
    from: WindowNumber,
    anew: &[Seat],
) -> Result<(), NotDone> {
    overrides::take_over(run.touched, from, None).await?;
    for seat in anew {
        run.touched.withdraw(*seat).await?;
    }
    overrides::count_again(run.touched, from).await?;
    // The additional time for late players counts as used.
    if let Some(lateness) =
        absences::lateness(run.touched.session(), &run.deciding.code, from).await?
    {
        absences::keep_lateness(run.touched, lateness);
    }
    if run.touched.table.stage == Stage::Playing {
        let window = run.touched.open_window().await?.ok_or(Refused::NotBegun)?;
        settle(run.touched, contest, &window, run.deciding.now).await?;
    }
    Ok(())
}

/// True if a question of the seat is dropped or changed, such as one about the chips of another round.
fn is_asked_anew(seat: Seat, before: &dyn AnyContest, after: &dyn AnyContest) -> bool {
    let asked = |contest: &dyn AnyContest| {
        let asked = contest.interview(seat, &Declaration::default()).asked;
        let questions = asked.into_iter().map(|asked| asked.question);
        questions.map(|question| (question.key, question.tacit)).collect::<Vec<_>>()
    };
    let after = asked(after);
    asked(before).iter().any(|question| !after.contains(question))
}
