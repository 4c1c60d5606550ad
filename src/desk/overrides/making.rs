//! The making of overrides: each gets a number, and open votes are counted again afterwards.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::absence::reputation;
use crate::model::{
    Contact, Desk, Games, Gm, NotDone, Override, Result, Stored, Vote, about, random, refuse_if,
    stage_shown,
};
use crate::overrides::decision::{
    self, Attempt, Audience, Because, Decision, Effect, MadeOverride, PassedVote, Rehearsal,
    Remark, Run, TableSnapshot,
};
use crate::overrides::gm_view::whole_gm_view;
use crate::overrides::history::{ChangedRows, Rows};
use crate::overrides::read::reader::{
    ArgumentForm, LAST, OverrideOptions, OverrideRequest, WINDOW,
};
use crate::overrides::verbs;
use crate::overrides::vote::{self, has_others, tell};
use crate::record::{Event, record};
use letters::{OverrideRefused, Refused, VoteRefused};
use rules::{Seat, Viewer, receipt};
use store::{
    OverrideRow, ProposalRow, SeatRow, Touched, VoteRow, WindowRow, overrides, people, read_json,
    votes, write_json,
};
use tables::{
    AccountId, EntryNumber, OverrideNumber, PersonId, ProposalId, Span, Stage, TableCode,
    TableSetting, Time, VoteNumber, VoteOutcome, WindowNumber,
};

/// Carries out the override, stores its changes, and notifies its audience.
pub(crate) async fn make(run: &mut Run<'_, '_>, person: &PersonId) -> Result<Effect> {
    let overrides = overrides::all(run.tx.db, &run.tx.table.code).await?;
    let number = overrides.last().map_or(OverrideNumber::FIRST, |row| row.number.next());
    let (window, undoes) = (run.tx.table.open_window, decision::undoes(run.attempt, &overrides)?);
    // The seed and the hash of the whole record are known after the announced end.
    refuse_if(stage_shown(run.tx).await? == Stage::Over, Refused::Over)?;
    let before = run.tx.seats().await?;
    let read = with_words_read(run).await?;
    let numbered = Attempt { number, window, undoes, ..read };
    let done = make_as_numbered(&mut numbered.at(run.tx), person).await?;
    count_again(run.tx, run.attempt.games, &before).await?;
    Ok(done)
}

/// Returns the override made by an earlier press of the same button, which counts once.
async fn made_before(
    run: &mut Run<'_, '_>,
    person: &PersonId,
    foundation: &str,
) -> Result<MadeOverride> {
    let is_in_words = matches!(run.attempt.decision.what, Override::InWords { .. });
    for row in overrides::all(run.tx.db, &run.tx.table.code).await? {
        let what: Override = read_json(&row.what)?;
        let is_it = match &what {
            Override::Tried { what } => **what == run.attempt.decision.what,
            what => *what == run.attempt.decision.what || is_in_words,
        };
        if row.foundation == foundation && row.person == *person && is_it {
            refuse_if(matches!(what, Override::Tried { .. }), OverrideRefused::InVain)?;
            let is_final = row.image.is_none();
            return Ok(MadeOverride { number: row.number, before: true, vote: false, is_final });
        }
    }
    Err(Refused::MovedOn.into())
}

/// Carries out the override with its number, stores its changes, and notifies its audience.
async fn make_as_numbered(run: &mut Run<'_, '_>, person: &PersonId) -> Result<Effect> {
    let foundation = run.tx.table.chain.clone();
    let open = run.tx.table.open_window;
    let before = Rows::of(run.tx, open).await?;
    let seats = run.tx.seats().await?;
    let plays = seats.iter().find(|row| row.is_of(Some(person)));
    let plays = plays.filter(|_| run.attempt.voted.is_none()).map(|row| row.seat);
    if let (Override::Pause { .. }, Some(seat)) = (&run.attempt.decision.what, plays)
        && has_others(&seats, seat)
    {
        return ask_for_a_second(run, person, seat).await;
    }
    let played = decision::plays(run).await?;
    let entries = EntryNumber::new(run.tx.table.entries);
    run.tx.standstill = run.attempt.standstill(&run.tx.table, run.tx.now);
    let mut done = verbs::carry_out(run).await?;
    done.reveals |= house_acted(run, entries).await?;
    if played.is_some() && run.tx.table.open_window != open {
        done.reveals |= house_may_act(run).await?;
    }
    if !matches!(run.attempt.decision.what, Override::Undo { .. }) {
        reputation::replaced(run.tx, &seats).await?;
    }
    reputation::recount(run.tx).await?;
    let overrides = overrides::all(run.tx.db, &run.tx.table.code).await?;
    let audience =
        verbs::audience(&run.attempt.decision.what, &overrides, &done, played.is_some())?;
    let notified = decision::notified(run.attempt, &audience)?;
    if let Some(seat) = played {
        done.remarks.push(Remark::Playing { seat });
        if done.reveals {
            // A list of the seats with changed questions would reveal their secrets.
            done.remarks.retain(|remark| !matches!(remark, Remark::Lost { .. }));
            done.remarks.push(Remark::Unseen { missing: Vec::new() });
        }
    }
    done.number = run.attempt.number;
    done.audience = Some(audience.clone());
    let mut event = decision::event_for(run, &done, &audience, notified).await?;
    let salt = hex::encode(random::bytes::<32>());
    let shown = run.attempt.shown()?;
    if let Event::Overridden { by, shown: showed, .. } = &mut event {
        let account = people::account_of(run.tx.db, person).await?.unwrap_or_default();
        let hash = receipt::authorship(&salt, account.as_str(), &run.attempt.decision.reason);
        *by = hex::encode(hash);
        *showed = shown.as_ref().map(|shown| hex::encode(receipt::showing(&salt, shown)));
    }
    let head = run.tx.table.chain.clone();
    record(run.tx, &event)?;
    if run.tx.table.stage == Stage::Over {
        // The end is announced with the hash of the last entry.
        overrides::rehead(run.tx, &head).await?;
    }
    let image = ChangedRows::between(&before, &Rows::of(run.tx, open).await?);
    let is_final = done.remarks.contains(&Remark::Final);
    let row = OverrideRow {
        number: done.number,
        at: run.tx.table.told_at,
        person: person.to_owned(),
        what: write_json(&run.attempt.decision.what)?,
        reason: run.attempt.decision.reason.clone(),
        notice: notified,
        foundation,
        entries: run.tx.table.entries,
        image: if is_final { None } else { Some(write_json(&image)?) },
        undone: None,
        shown,
        salt: Some(salt),
        vote: run.attempt.voted.as_ref().map(|voted| voted.vote.number),
    };
    overrides::keep_override(run.tx, &row).await?;
    if !reposts(run, open).await? {
        run.tx.stir();
    }
    if done.notified.is_none() {
        decision::notify(run, &done, &event).await?;
    }
    decision::dismiss(run, &seats, &done, notified).await?;
    Ok(done)
}

/// True if house players have acted as a consequence, which depends on their secrets.
async fn house_acted(run: &mut Run<'_, '_>, since: EntryNumber) -> Stored<bool> {
    for row in store::tables::journal(run.tx.db, &run.attempt.code, since).await? {
        if matches!(read_json(&row.body)?, Event::Acted { .. }) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if house players may have acted in the open window, as far as everybody knows.
async fn house_may_act(run: &mut Run<'_, '_>) -> Result<bool> {
    let Some(window) = run.tx.open_window().await? else { return Ok(false) };
    let (seats, contest) = run.contest(&window).await?;
    Ok(seats.iter().any(|row| row.house.is_some()) && !contest.common_acts().is_empty())
}

/// True if another window is open and announced by now: its post replaces the one before, which needs no
/// update.
async fn reposts(run: &mut Run<'_, '_>, before: Option<WindowNumber>) -> Stored<bool> {
    let open = run.tx.open_window().await?;
    let is_announced = open.is_some_and(|window| window.opens_at <= run.tx.now);
    Ok(is_announced && run.tx.table.open_window != before)
}

/// Makes the override, which counts once however often its button is pressed.
async fn make_once(attempt: &Attempt, tx: &mut Touched<'_>) -> Result<MadeOverride> {
    let mut run = attempt.at(tx);
    let person = run.authorize().await?;
    if let Some(foundation) = &attempt.decision.foundation
        && *foundation != run.tx.table.chain
    {
        return made_before(&mut run, &person, foundation).await;
    }
    let done = make(&mut run, &person).await?;
    let (number, before) = (done.number, done.vote.unwrap_or_default());
    let is_final = done.remarks.contains(&Remark::Final);
    Ok(MadeOverride { number, before, vote: done.vote.is_some(), is_final })
}

/// Counts the open votes of a table: carries out those that pass, ends those that are over, and announces the
/// results. False if all votes stay open.
pub(crate) fn count_open<'a>(tx: &'a mut Touched<'_>, games: Games) -> BoxFuture<'a, Stored<bool>> {
    async move {
        let mut any = false;
        for row in
            votes::all(tx.db, &tx.table.code).await?.into_iter().filter(|row| row.ended.is_none())
        {
            any |= count_up(tx, games, &row).await?.outcome.is_some();
        }
        Ok(any)
    }
    .boxed()
}

/// Counts the open votes again if the players have changed from `before`.
pub(crate) async fn count_again(
    tx: &mut Touched<'_>,
    games: Games,
    before: &[SeatRow],
) -> Stored<()> {
    let people = |seats: &[SeatRow]| seats.iter().map(|row| row.person.clone()).collect::<Vec<_>>();
    if people(before) == people(&tx.seats().await?) {
        return Ok(());
    }
    for row in
        votes::all(tx.db, &tx.table.code).await?.into_iter().filter(|row| row.ended.is_none())
    {
        votes::stir_vote(tx, row.number).await?;
    }
    count_open(tx, games).await.map(drop)
}

/// Counts a vote: carries it out if it passes, and ends it if its time is over or it can no longer pass.
pub(crate) async fn count_up(tx: &mut Touched<'_>, games: Games, row: &VoteRow) -> Stored<Vote> {
    match vote::verdict(tx, row).await? {
        Some(VoteOutcome::Passed) => Box::pin(carry_out_vote(tx, games, row)).await,
        Some(outcome) => vote::end(tx, row, outcome).await,
        None => {
            let (code, seats) = (tx.table.code.clone(), tx.seats().await?);
            Vote::of(tx.db, &code, &seats, row).await
        }
    }
}

/// Carries out a vote that has passed.
async fn carry_out_vote(tx: &mut Touched<'_>, games: Games, row: &VoteRow) -> Stored<Vote> {
    let what: Override = read_json(&row.what)?;
    let vote = vote::ended(tx, row, VoteOutcome::Passed).await?;
    // The vote ends first, so that it is not counted again while it is carried out.
    votes::end_vote(tx, row.number, VoteOutcome::Passed).await?;
    let voted = PassedVote { vote: vote.clone(), about: row.about.clone() };
    let decision = Decision { reason: vote.reason.clone(), ..what.into() };
    let table = Gm { account: AccountId::default(), roles: Vec::new() };
    let attempt = Attempt::new(games, tx.table.code.clone(), table, decision);
    let attempt = Attempt { voted: Some(voted), ..attempt };
    match make(&mut attempt.at(tx), &row.person).await {
        Ok(_) => Ok(vote),
        Err(NotDone::Store(error)) => Err(error),
        // Nothing was changed: obstacles are found before any change.
        Err(_) => vote::end(tx, row, VoteOutcome::Overtaken).await,
    }
}

/// Puts the pause by a playing decider to the vote, where one other voice is enough.
async fn ask_for_a_second(run: &mut Run<'_, '_>, person: &PersonId, seat: Seat) -> Result<Effect> {
    count_open(run.tx, run.attempt.games).await?;
    let window = run.announced_window().await?;
    let Decision { what, reason, .. } = &run.attempt.decision;
    let (row, before) = open_vote(run.tx, &window, person, what.clone(), reason, true).await?;
    if !before {
        let seats = run.tx.seats().await?;
        let vote = Vote::of(run.tx.db, &run.attempt.code, &seats, &row).await?;
        tell_open(run.tx, &row, &vote).await?;
    }
    let remarks = vec![Remark::SecondVoice { seat }];
    let number = OverrideNumber::new(row.number.get());
    Ok(Effect { number, remarks, vote: Some(before), ..Effect::default() })
}

/// The maximum time of an open vote.
const LONGEST: Span = Span::days(1);

/// Opens a vote, if it could be carried out now. True if the same person had opened it before. If `second`,
/// one vote besides the proposer's is enough.
pub(crate) async fn open_vote(
    tx: &mut Touched<'_>,
    window: &WindowRow,
    person: &PersonId,
    what: Override,
    reason: &str,
    second: bool,
) -> Result<(VoteRow, bool)> {
    let seats = tx.seats().await?;
    let votes = votes::all(tx.db, &tx.table.code).await?;
    for row in votes.iter().filter(|row| row.ended.is_none()) {
        let open: Override = read_json(&row.what)?;
        if open.verb() != what.verb() {
            continue;
        }
        refuse_if(row.person != *person || open != what || !second, VoteRefused::VoteOpen)?;
        return Ok((row.clone(), true));
    }
    verbs::check(tx, window, &what).await?;
    let about = about(&what).and_then(|seat| seats.iter().find(|row| row.seat == seat));
    let row = VoteRow {
        number: votes.last().map_or(VoteNumber::FIRST, |row| row.number.next()),
        opened_at: tx.now,
        closes_at: closes(tx, window, &what),
        opened_in: window.number,
        what: write_json(&what)?,
        person: person.to_owned(),
        about: about.and_then(|row| row.person.clone()),
        reason: reason.to_owned(),
        second,
        ended: None,
    };
    votes::open_vote(tx, &row).await?;
    votes::keep_voice(tx, row.number, person, true).await?;
    Ok((row, false))
}

/// Notifies everybody of the open vote.
pub(crate) async fn tell_open(tx: &mut Touched<'_>, row: &VoteRow, vote: &Vote) -> Stored<()> {
    tell(tx, format!("vote-{}", row.number), vote).await
}

/// Returns the end of a vote: after a day, at the deadline, or at the end of the pause, whichever is first.
fn closes(tx: &Touched<'_>, window: &WindowRow, what: &Override) -> Time {
    let mut closes = tx.now + LONGEST;
    if tx.table.held.is_none() {
        closes = closes.min(window.closes_at);
    }
    match what {
        Override::Pause { until } | Override::Extend { closes: until } => closes.min(*until),
        Override::Resume => tx.table.look_at.map_or(closes, |until| closes.min(until)),
        _ => closes,
    }
}

/// Returns the seat of a playing decider who must learn nothing about the result before the decision;
/// `None` for other deciders.
pub(crate) async fn blind(run: &mut Run<'_, '_>) -> Result<Option<Seat>> {
    let is_open = run.tx.table.settings.has(TableSetting::Open);
    if is_open || !run.attempt.decision.what.stands_on_what_is_hidden() {
        return Ok(None);
    }
    let Some(seat) = decision::plays(run).await? else { return Ok(None) };
    let Some(window) = run.tx.open_window().await? else { return Ok(None) };
    let (_, contest) = run.contest(&window).await?;
    Ok(contest.hides_from(Viewer::Seat(seat)).then_some(seat))
}

/// Returns the decision with its words parsed against the questions of its seat.
async fn with_words_read(run: &mut Run<'_, '_>) -> Result<Attempt> {
    let Override::InWords { window, verb, seat, words } = &run.attempt.decision.what else {
        return Ok(run.attempt.clone());
    };
    let table = run.tx.table.clone();
    let gm_view = whole_gm_view(run.tx.db, run.attempt.games, table, run.tx.now).await?;
    let (_, is_named) = gm_view.case_of(*window).ok_or(OverrideRefused::NoWindow)?;
    let mut options = OverrideOptions::new();
    if is_named {
        options.insert(WINDOW.to_owned(), LAST.to_owned());
    }
    for (option, form) in verb.arguments() {
        let value = match form {
            ArgumentForm::Seat => seat.to_string(),
            ArgumentForm::GameWords => words.clone(),
            _ => continue,
        };
        options.insert(option.to_owned(), value);
    }
    let read = OverrideRequest::read_options(*verb, &options, &gm_view, run.tx.now);
    let what = read.map_err(|_| OverrideRefused::Unfit)?.what;
    Ok(Attempt {
        decision: Decision { what, ..run.attempt.decision.clone() },
        ..run.attempt.clone()
    })
}

/// True if a refusal can follow from information hidden from a playing decider.
fn tells_what_is_hidden(why: &Refused) -> bool {
    use OverrideRefused as O;
    let is_hidden = |why: &O| matches!(why, O::Unfit | O::OnlyRollback | O::NothingLate);
    match why {
        Refused::Nothing => true,
        Refused::Override(why) => is_hidden(why),
        _ => false,
    }
}

/// Returns the dry run of an override. Nothing is changed.
pub async fn rehearse(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    what: Override,
    guest: Option<Contact>,
    now: Time,
) -> Result<Rehearsal> {
    let decision = Decision { guest, ..what.into() };
    let attempt = attempt(desk, code, gm, decision);
    let rehearsed = desk.at_table_keeping(
        |_| false,
        code,
        now,
        attempt,
        |attempt, tx| Box::pin(rehearse_at(attempt, tx)),
    );
    rehearsed.await
}

/// Stores the decision as it was shown to a game master, and returns the id for making it.
pub async fn propose(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    decision: &Decision,
    now: Time,
) -> Stored<ProposalId> {
    let row = ProposalRow {
        proposal: random::id().into(),
        code: code.to_owned(),
        account: gm.account.clone(),
        what: write_json(&decision.what)?,
        guest: decision.guest.as_ref().map(write_json).transpose()?,
        foundation: decision.foundation.clone().unwrap_or_default(),
        shown: Some(write_json(&decision.shown)?),
    };
    let id = row.proposal.clone();
    let stored = desk
        .store
        .write_about((row, now), |(row, now), to| overrides::keep_proposal(to, row, *now).boxed());
    stored.await?;
    Ok(id)
}

/// Returns a stored decision and the code of its table; `None` if it was shown to another account, or too
/// long ago.
pub async fn proposal(
    desk: &Desk,
    id: &ProposalId,
    gm: &Gm,
) -> Result<Option<(TableCode, Decision)>> {
    let row = overrides::proposal(&mut desk.store.read().await?, id, &gm.account).await?;
    let Some(row) = row else { return Ok(None) };
    let decision = Decision {
        guest: row.guest.as_deref().map(read_json).transpose()?,
        foundation: Some(row.foundation),
        shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
        ..Decision::from(read_json::<Override>(&row.what)?)
    };
    Ok(Some((row.code, decision)))
}

/// Makes an override.
/// Refused if the caller is not a game master of the table, the reason is missing, the override cannot be
/// made now, or the table has changed since the dry run.
pub async fn decide(
    desk: &Desk,
    code: &TableCode,
    gm: &Gm,
    decision: Decision,
    now: Time,
) -> Result<MadeOverride> {
    refuse_if(decision.reason.trim().is_empty(), OverrideRefused::NoReason)?;
    let attempt = attempt(desk, code, gm, decision);
    let made = desk.at_table_keeping(Result::is_ok, code, now, attempt.clone(), |attempt, tx| {
        Box::pin(make_once(attempt, tx))
    });
    match made.await {
        Err(NotDone::Refused(why)) if tells_what_is_hidden(&why) => {
            let about = (attempt, why);
            let failed =
                desk.at_table_keeping(Result::is_ok, code, now, about, |(attempt, why), tx| {
                    Box::pin(announce_failed(attempt, *why, tx))
                });
            failed.await?;
            Err(OverrideRefused::InVain.into())
        }
        made => made,
    }
}

fn attempt(desk: &Desk, code: &TableCode, gm: &Gm, decision: Decision) -> Attempt {
    let drawn = [random::person(), random::person()];
    Attempt { drawn, ..Attempt::new(desk.games, code.to_owned(), gm.clone(), decision) }
}

/// Makes the override for a dry run; the caller rolls it back.
async fn rehearse_at(attempt: &Attempt, tx: &mut Touched<'_>) -> Result<Rehearsal> {
    let run = &mut attempt.at(tx);
    let person = run.authorize().await?;
    if let Some(seat) = blind(run).await? {
        return Box::pin(rehearse_blindly(run, seat)).await;
    }
    let foundation = run.tx.table.chain.clone();
    let mut before = run.snapshot().await?;
    // Undoing a closing must not reveal the unannounced result.
    let is_untold = run.tx.open_window().await?.is_some_and(|open| open.opens_at > run.tx.now);
    let hides = is_untold && matches!(attempt.decision.what, Override::Undo { .. });
    let done = make(run, &person).await?;
    let is_unseen = |remark: &Remark| matches!(remark, Remark::Unseen { .. });
    let mut after =
        if done.remarks.iter().any(is_unseen) { None } else { Some(run.snapshot().await?) };
    if hides {
        before.last = None;
        if let Some(after) = &mut after {
            after.last = None;
        }
    }
    let Effect { remarks, foreseen, audience, .. } = done;
    // A vote is announced to everybody.
    let everybody = Audience::Everybody { because: Because::Playing };
    let audience = audience.unwrap_or(everybody);
    Ok(Rehearsal { before, after, audience, foreseen, remarks, foundation })
}

/// Returns the dry run of a decision about hidden information, which is the same for every result.
async fn rehearse_blindly(run: &mut Run<'_, '_>, seat: Seat) -> Result<Rehearsal> {
    let (foundation, before) = (run.tx.table.chain.clone(), run.snapshot().await?);
    let person = run.authorize().await?;
    let foreseen = match (&run.attempt.decision.what, run.tx.open_window().await?) {
        (Override::Edit { said: moves }, Some(window)) => {
            run.contest(&window).await?.1.foresee(moves, Viewer::Public)
        }
        _ => Vec::new(),
    };
    match make(run, &person).await {
        Ok(_) => {}
        Err(NotDone::Refused(why)) if tells_what_is_hidden(&why) => {}
        Err(error) => return Err(error),
    }
    Ok(Rehearsal {
        before: TableSnapshot { last: None, ..before },
        after: None,
        audience: Audience::Everybody { because: Because::Playing },
        foreseen,
        remarks: vec![Remark::Playing { seat }, Remark::Unseen { missing: Vec::new() }],
        foundation,
    })
}

/// Announces a decision that failed on hidden information.
async fn announce_failed(
    attempt: &Attempt,
    why: Refused,
    tx: &mut Touched<'_>,
) -> Result<MadeOverride> {
    let mut run = attempt.at(tx);
    let person = run.authorize().await?;
    let foundation = &attempt.decision.foundation;
    if foundation.as_ref().is_some_and(|foundation| *foundation != run.tx.table.chain) {
        return Err(Refused::MovedOn.into());
    }
    if blind(&mut run).await?.is_none() {
        return Err(why.into());
    }
    let what = Override::Tried { what: Box::new(attempt.decision.what.clone()) };
    let decision = Decision { what, ..attempt.decision.clone() };
    let tried = Attempt { decision, ..attempt.clone() };
    let Effect { number, .. } = make(&mut tried.at(tx), &person).await?;
    Ok(MadeOverride { number, before: false, vote: false, is_final: true })
}
