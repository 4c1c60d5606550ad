//! The making of overrides: each gets a number, and open votes are counted again afterwards.

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::absence::reputation;
use crate::model::desk::{NotDone, Request};
use crate::model::load::Games;
use crate::model::overrides::Override;
use crate::model::random;
use crate::model::vote::Vote;
use crate::overrides::deciding::{Deciding, Done, Run, Voted};
use crate::overrides::decision::{Made, Remark};
use crate::overrides::image::{ChangedRows, Rows};
use crate::overrides::vote::count::has_others;
use crate::overrides::vote::open::{ProposeVote, tell_open};
use crate::overrides::{in_words, telling, verbs, vote};
use crate::record::event::{Event, record};
use letters::{OverrideRefused, Refused};
use rules::{Seat, receipt};
use store::{
    OverrideRow, SeatRow, Session, StoreError, Touched, VoteRow, overrides, people, read_json,
    votes, write_json,
};
use tables::ids::{EntryNumber, OverrideNumber, PersonId, WindowNumber};
use tables::time::Time;
use tables::{Stage, VoteOutcome};

/// Carries out the override, stores its changes, and notifies its audience.
pub(crate) async fn make(run: &mut Run<'_, '_>, person: &PersonId) -> Result<Done, NotDone> {
    let overrides = overrides::all_at(run.touched).await?;
    let number = overrides.last().map_or(OverrideNumber::FIRST, |row| row.number.next());
    let (window, undoes) =
        (run.touched.table.open_window, telling::undoes(run.deciding, &overrides)?);
    run.refuse_over().await?;
    let before = run.touched.seats().await?;
    let read = in_words::with_words_read(run).await?;
    let numbered = Deciding { number, window, undoes, ..read };
    let done = make_as_numbered(&mut numbered.at(run.touched), person).await?;
    count_again(run.touched, run.deciding.games, &before, run.deciding.now).await?;
    Ok(done)
}

/// Returns the override made by an earlier press of the same button, which counts once.
pub(crate) async fn made_before(
    run: &mut Run<'_, '_>,
    person: &PersonId,
    foundation: &str,
) -> Result<Made, NotDone> {
    for row in overrides::all_at(run.touched).await? {
        let what: Override = read_json(&row.what)?;
        let is_it = match &what {
            Override::Tried { what } => **what == run.deciding.decision.what,
            what => *what == run.deciding.decision.what || run.deciding.is_in_words(),
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

/// Carries out the override with its number, stores its changes, and notifies its audience.
async fn make_as_numbered(run: &mut Run<'_, '_>, person: &PersonId) -> Result<Done, NotDone> {
    let foundation = run.touched.table.chain.clone();
    let open = run.touched.table.open_window;
    let before = Rows::of(run.touched, open).await?;
    let seats = run.touched.seats().await?;
    let plays = seats.iter().find(|row| row.is_of(Some(person)));
    let plays = plays.filter(|_| run.deciding.voted.is_none()).map(|row| row.seat);
    if let (Override::Pause { .. }, Some(seat)) = (&run.deciding.decision.what, plays)
        && has_others(&seats, seat)
    {
        return ask_for_a_second(run, person, seat).await;
    }
    let played = telling::plays(run).await?;
    let entries = EntryNumber::new(run.touched.table.entries);
    run.touched.standstill = run.deciding.standstill(&run.touched.table);
    let mut done = verbs::carry_out(run).await?;
    done.reveals |= house_acted(run, entries).await?;
    if played.is_some() && run.touched.table.open_window != open {
        done.reveals |= house_may_act(run).await?;
    }
    if !matches!(run.deciding.decision.what, Override::Undo { .. }) {
        reputation::replaced(run.touched, &seats, run.deciding.now).await?;
    }
    reputation::recount(run.touched, run.deciding.now).await?;
    let overrides = overrides::all_at(run.touched).await?;
    let audience =
        verbs::audience(&run.deciding.decision.what, &overrides, &done, played.is_some())?;
    let notified = telling::notified(run.deciding, &audience)?;
    if let Some(seat) = played {
        done.remarks.push(Remark::Playing { seat });
        if done.reveals {
            // A list of the seats with changed questions would reveal their secrets.
            done.remarks.retain(|remark| !matches!(remark, Remark::Lost { .. }));
            done.remarks.push(Remark::Unseen { missing: Vec::new() });
        }
    }
    done.number = run.deciding.number;
    done.audience = Some(audience.clone());
    let mut event = telling::event_for(run, &done, &audience, notified).await?;
    let salt = hex::encode(random::bytes::<32>());
    let shown = run.deciding.shown()?;
    if let Event::Overridden { by, shown: showed, .. } = &mut event {
        let account = people::account_of(run.touched.session(), person).await?.unwrap_or_default();
        let hash = receipt::authorship(&salt, account.as_str(), &run.deciding.decision.reason);
        *by = hex::encode(hash);
        *showed = shown.as_ref().map(|shown| hex::encode(receipt::showing(&salt, shown)));
    }
    let head = run.touched.table.chain.clone();
    record(run.touched, &event, run.deciding.now)?;
    if run.touched.table.stage == Stage::Over {
        // The end is announced with the hash of the last entry.
        overrides::rehead(run.touched, &head).await?;
    }
    let image = ChangedRows::between(&before, &Rows::of(run.touched, open).await?);
    let is_final = done.remarks.contains(&Remark::Final);
    let row = OverrideRow {
        number: done.number,
        at: run.touched.table.told_at,
        person: person.to_owned(),
        what: write_json(&run.deciding.decision.what)?,
        reason: run.deciding.decision.reason.clone(),
        notice: notified,
        foundation,
        entries: run.touched.table.entries,
        image: if is_final { None } else { Some(write_json(&image)?) },
        undone: None,
        shown,
        salt: Some(salt),
        vote: run.deciding.voted.as_ref().map(|voted| voted.vote.number),
    };
    overrides::keep_override(run.touched, &row).await?;
    if !reposts(run, open).await? {
        run.touched.stir();
    }
    if done.notified.is_none() {
        telling::notify(run, &done, &event).await?;
    }
    telling::dismiss(run, &seats, &done, notified).await?;
    Ok(done)
}

/// True if house players have acted as a consequence, which depends on their secrets.
async fn house_acted(run: &mut Run<'_, '_>, since: EntryNumber) -> Result<bool, StoreError> {
    for row in run.touched.session().journal(&run.deciding.code, since).await? {
        if matches!(read_json(&row.body)?, Event::Acted { .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if house players may have acted in the open window, as far as everybody knows.
async fn house_may_act(run: &mut Run<'_, '_>) -> Result<bool, NotDone> {
    let Some(window) = run.touched.open_window().await? else { return Ok(false) };
    let (seats, contest) = run.contest(&window).await?;
    Ok(seats.iter().any(|row| row.house.is_some()) && !contest.common_acts().is_empty())
}

/// True if another window is open and announced by now: its post replaces the one before, which needs no
/// update.
async fn reposts(run: &mut Run<'_, '_>, before: Option<WindowNumber>) -> Result<bool, StoreError> {
    let open = run.touched.open_window().await?;
    let is_announced = open.is_some_and(|window| window.opens_at <= run.deciding.now);
    Ok(is_announced && run.touched.table.open_window != before)
}

#[async_trait]
impl Request for Deciding {
    type Done = Made;

    async fn carry_out(&self, session: &mut Session) -> Result<Made, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let mut run = self.at(&mut touched);
        let person = run.authorize().await?;
        if let Some(foundation) = &self.decision.foundation
            && *foundation != run.touched.table.chain
        {
            return made_before(&mut run, &person, foundation).await;
        }
        let done = make(&mut run, &person).await?;
        let (number, before) = (done.number, done.vote.unwrap_or_default());
        let is_final = done.remarks.contains(&Remark::Final);
        Ok(Made { number, before, vote: done.vote.is_some(), is_final })
    }

    /// A refusal rolls everything back.
    fn keeps(done: &Result<Made, NotDone>) -> bool {
        done.is_ok()
    }
}

/// Counts the open votes of a table: carries out those that pass, ends those that are over, and announces the
/// results. False if all votes stay open.
pub(crate) fn count_open<'a>(
    touched: &'a mut Touched<'_>,
    games: Games,
    now: Time,
) -> BoxFuture<'a, Result<bool, StoreError>> {
    async move {
        let mut any = false;
        for row in votes::all_at(touched).await?.into_iter().filter(|row| row.ended.is_none()) {
            any |= count_up(touched, games, &row, now).await?.outcome.is_some();
        }
        Ok(any)
    }
    .boxed()
}

/// Counts the open votes again if the players have changed from `before`.
pub(crate) async fn count_again(
    touched: &mut Touched<'_>,
    games: Games,
    before: &[SeatRow],
    now: Time,
) -> Result<(), StoreError> {
    let people = |seats: &[SeatRow]| seats.iter().map(|row| row.person.clone()).collect::<Vec<_>>();
    if people(before) == people(&touched.seats().await?) {
        return Ok(());
    }
    for row in votes::all_at(touched).await?.into_iter().filter(|row| row.ended.is_none()) {
        votes::stir_vote(touched, row.number).await?;
    }
    count_open(touched, games, now).await.map(drop)
}

/// Counts a vote: carries it out if it passes, and ends it if its time is over or it can no longer pass.
pub(crate) async fn count_up(
    touched: &mut Touched<'_>,
    games: Games,
    row: &VoteRow,
    now: Time,
) -> Result<Vote, StoreError> {
    match vote::verdict(touched, row, now).await? {
        Some(VoteOutcome::Passed) => Box::pin(carry_out_vote(touched, games, row, now)).await,
        Some(outcome) => vote::end(touched, row, outcome, now).await,
        None => {
            let (code, seats) = (touched.table.code.clone(), touched.seats().await?);
            Vote::of(touched.session(), &code, &seats, row).await
        }
    }
}

/// Carries out a vote that has passed.
async fn carry_out_vote(
    touched: &mut Touched<'_>,
    games: Games,
    row: &VoteRow,
    now: Time,
) -> Result<Vote, StoreError> {
    let what: Override = read_json(&row.what)?;
    let vote = vote::ended(touched, row, VoteOutcome::Passed).await?;
    // The vote ends first, so that it is not counted again while it is carried out.
    votes::end_vote(touched, row.number, VoteOutcome::Passed).await?;
    let voted = Voted { vote: vote.clone(), about: row.about.clone() };
    let deciding = Deciding::of_the_table(games, touched.table.code.clone(), what, voted, now);
    match make(&mut deciding.at(touched), &row.person).await {
        Ok(_) => Ok(vote),
        Err(NotDone::Store(error)) => Err(error),
        // Nothing was changed: obstacles are found before any change.
        Err(_) => vote::end(touched, row, VoteOutcome::Overtaken, now).await,
    }
}

/// Puts the pause by a playing decider to the vote, where one other voice is enough.
pub(crate) async fn ask_for_a_second(
    run: &mut Run<'_, '_>,
    person: &PersonId,
    seat: Seat,
) -> Result<Done, NotDone> {
    count_open(run.touched, run.deciding.games, run.deciding.now).await?;
    let window = run.announced_window().await?;
    let proposing = ProposeVote {
        person,
        what: run.deciding.decision.what.clone(),
        reason: &run.deciding.decision.reason,
        second: true,
        now: run.deciding.now,
    };
    let (row, before) = proposing.open(run.touched, &window).await?;
    if !before {
        let seats = run.touched.seats().await?;
        let vote = Vote::of(run.touched.session(), &run.deciding.code, &seats, &row).await?;
        tell_open(run.touched, &row, &vote).await?;
    }
    let remarks = vec![Remark::SecondVoice { seat }];
    let number = OverrideNumber::new(row.number.get());
    Ok(Done { number, remarks, vote: Some(before), ..Done::default() })
}
