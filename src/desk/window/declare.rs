//! Declarations: a draft, a seal, withdrawing both, and the refusals of a held table.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;

use crate::absence::attendance::{Attendance, sealing_among};
use crate::absence::away::come_back;
use crate::absence::reputation;
use crate::model::random::seal;
use crate::model::{
    Desk, Games, NotDone, Override, announced_stage, contest, load, refuse_if, refusing, retime,
    shown, window_pace,
};
use crate::record::{Notice, Part};
use crate::window::remind::Reminding;
use games::any::AnyContest;
use letters::{DeclarationRefused, Refused, declared_answers};
use rules::{Declaration, Interview, Sealing, Seat, StillStanding, WindowKind, still_standing};
use store::{
    DeclarationProgressRow, FirstTouch, NextDeclarationRow, OpenTable, OrdersRow, Result, SeatRow,
    Session, SubstituteRow, TableRow, Touched, WholeWindow, WindowRow, Work, absences, outbox,
    overrides, people, read_json, said_ahead, windows,
};
use tables::{
    AccountId, HoldReason, Notified, Pace, PersonId, Stage, TableCode, Time, Timing, WindowNumber,
};

/// The status of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationStatus {
    /// The declaration counts at the deadline as it stands. An empty one withdraws.
    Draft,
    /// The window need not wait for the declaration.
    Sealed,
}

/// A declaration that has been accepted.
#[derive(Clone, Debug)]
pub struct ReceivedDeclaration {
    pub seat: Seat,
    /// The number of the window in which the declaration counts.
    pub number: WindowNumber,
    /// The accepted declaration, with its gaps filled by standing orders.
    pub declaration: Declaration,
    /// The interview about the declaration.
    pub interview: Interview,
    /// The times of the window after the declaration, as far as they may be known.
    pub timing: Timing,
    /// The short code of the receipt, if the declaration is sealed.
    pub receipt: Option<String>,
}

/// A window as it stood a moment ago, for a declaration in it.
#[derive(Debug)]
pub struct DeclarationGround {
    /// True if the declaration comes from the substitute of the seat's player.
    pub(crate) is_substitute: bool,
    /// The window's number.
    pub number: WindowNumber,
    /// The stored acts and declarations of the root window at that time.
    pub(crate) answers: String,
    /// The contest at that time. A viewer may be shown only their view of it.
    pub contest: Arc<dyn AnyContest>,
    /// The standing orders that fill the gaps of the declaration.
    pub orders: Declaration,
    /// The table, with the window that is open on its row.
    pub(crate) seen: Arc<OpenTable>,
    pub(crate) pace: Pace,
    /// The sealing among the people of the table.
    pub(crate) among: Sealing,
}

/// Replaces an account's declaration for the open window. `seen` is the window from a look at the table a
/// moment ago, with the seat and the interview: the contest is not loaded again, unless something has
/// happened since.
/// Refused if nothing is asked of the account, the window has closed or not opened yet, or the
/// declaration could not be stored; then the previous declaration stays.
pub async fn declare(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    declaration: &Declaration,
    status: DeclarationStatus,
    seen: Option<(Arc<DeclarationGround>, Seat, Interview)>,
    now: Time,
) -> Result<ReceivedDeclaration, NotDone> {
    if let Some((ground, seat, interview)) = seen {
        let read = (seat, declaration, interview);
        match declare_on(desk, ground, code, account, read, status, now).await {
            Err(NotDone::Refused(_)) => {}
            declared => return declared,
        }
    }
    let mut seen = desk.store.open_table(code, account).await?.ok_or(Refused::NoTable)?;
    let game = desk.games.of(&seen.table)?;
    let substitute = match seen.own {
        Some(_) => None,
        None => absences::stood_in_by(&mut desk.store.read().await?, code, account, now).await?,
    };
    let seat = seen.own.or(substitute).ok_or(Refused::NotSeated)?;
    let orders = if seen.has_orders() {
        orders_in(&mut desk.store.read().await?, &seen, account, seat).await?
    } else {
        Declaration::default()
    };
    let root = match &mut seen.window {
        Some(whole) => whole.take_state(code)?,
        None => return Err(not_playing(&seen.table).into()),
    };
    let OpenTable { table, seats, .. } = &seen;
    let window = match &seen.window {
        Some(whole) => &whole.window,
        None => return Err(not_playing(table).into()),
    };
    match takes(table, window, seat, now) {
        Err(Refused::NotYet) if !declaration.is_empty() => {
            let about = (code.to_owned(), seat, declaration.clone(), window.follows, now);
            let late = desk.store.write_about(about, |(code, seat, answers, follows, now), db| {
                Box::pin(declare_late(db, code, (*seat, answers), *follows, *now))
            });
            return Err(late.await?.into());
        }
        taken => taken?,
    }
    let contest = load(game, table, seats, window, root)?;
    let interview = contest.interview(seat, declaration);
    let ground = Arc::new(DeclarationGround {
        is_substitute: substitute.is_some(),
        number: window.number,
        answers: window.said.clone(),
        among: sealing_among(seats, contest.procedure().sealing),
        contest: contest.into(),
        orders,
        pace: window_pace(table, window),
        seen: Arc::new(seen),
    });
    declare_on(desk, ground, code, account, (seat, declaration, interview), status, now).await
}

/// Replaces a declaration, with its interview, in the window as it stood a moment ago. Refused if the
/// window has changed since.
async fn declare_on(
    desk: &Desk,
    ground: Arc<DeclarationGround>,
    code: &TableCode,
    account: &AccountId,
    (seat, declaration, interview): (Seat, &Declaration, Interview),
    status: DeclarationStatus,
    now: Time,
) -> Result<ReceivedDeclaration, NotDone> {
    let (number, among) = (ground.number, ground.among);
    let withdraws = status == DeclarationStatus::Draft && declaration.is_empty();
    let (declaration, interview) = if ground.orders.is_empty() || withdraws {
        (declaration.clone(), interview)
    } else {
        let declaration = ground.contest.with_orders(seat, declaration, &ground.orders);
        let interview = ground.contest.interview(seat, &declaration);
        (declaration, interview)
    };
    let sealing = match status {
        DeclarationStatus::Sealed => {
            Some(seal(code, number, seat, &declaration, interview.is_complete()))
        }
        DeclarationStatus::Draft => None,
    };
    let receipt = sealing.as_ref().map(|sealing| sealing.receipt.code());
    let declaring = Declaring {
        games: desk.games,
        code: code.to_owned(),
        seat,
        substitute: ground.is_substitute.then(|| account.to_owned()),
        answers: (sealing.is_some() || !declaration.is_empty()).then(|| declaration.clone()),
        sealing,
        ground,
        now,
    };
    let work = Work::new(declaring, |declaring, db| declaring.carry_out(db).map(refusing).boxed());
    let work = work.beginning_with(|declaring| Some(FirstTouch::Seen(&declaring.ground.seen)));
    let timing = shown(desk.store.write(work).await??, among);
    Ok(ReceivedDeclaration { seat, number, declaration, interview, timing, receipt })
}

/// Refuses unless the window takes a declaration of this seat.
pub(crate) fn takes(
    table: &TableRow,
    window: &WindowRow,
    seat: Seat,
    now: Time,
) -> Result<(), Refused> {
    if announced_stage(table, Some(window), now) != Stage::Playing {
        Err(not_playing(table))
    } else if now < window.opens_at {
        // Before the announcement, nobody may know which seats are asked.
        Err(Refused::NotYet)
    } else if !window.asked.0.contains(&seat) {
        Err(DeclarationRefused::NotAsked.into())
    } else if let Some(held) = &table.held {
        Err(refused_by(held))
    } else if window.timing().takes(now) {
        Ok(())
    } else {
        Err(DeclarationRefused::Closed.into())
    }
}

/// The author of a hold, or of a lock while the clock runs.
#[derive(Clone, PartialEq, Eq)]
pub struct StandstillRequest {
    pub since: Time,
    /// The seat of the author; `None` if they have no seat there.
    pub by: Option<Seat>,
    /// True if the table decided it by a vote.
    pub voted: bool,
    pub reason: String,
}

impl fmt::Debug for StandstillRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A person's words must not reach a log, and a dry run has none yet.
        f.debug_struct("Wanted").field("since", &self.since).finish_non_exhaustive()
    }
}

/// Returns the refusal of declarations at a held table.
pub(crate) fn refused_by(held: &HoldReason) -> Refused {
    match held {
        HoldReason::Outage | HoldReason::Deserted => DeclarationRefused::Waiting.into(),
        HoldReason::Pause => DeclarationRefused::Paused.into(),
        HoldReason::Lock | HoldReason::LockAndStop => DeclarationRefused::LockedNow.into(),
        HoldReason::Review | HoldReason::Rules(_) => Refused::Held,
    }
}

/// `None` if the hold has no author or was not announced; otherwise its author.
pub(crate) async fn wanted(
    db: &mut Session,
    table: &TableRow,
    seats: &[SeatRow],
) -> Result<Option<StandstillRequest>> {
    let Some(held) = table.held.as_ref().filter(|held| held.outlasts_window()) else {
        return Ok(None);
    };
    for row in overrides::all(db, &table.code).await?.into_iter().rev() {
        let is_it = match read_json(&row.what)? {
            Override::Lock { .. } => held.is_lock(),
            Override::Pause { .. } => !held.is_lock(),
            _ => false,
        };
        if !is_it || row.undone.is_some() {
            continue;
        }
        let sits = seats.iter().find(|seat| seat.is_of(Some(&row.person)));
        let is_public = row.notice == Notified::Public;
        return Ok(is_public.then(|| StandstillRequest {
            since: row.at,
            by: sits.map(|row| row.seat),
            voted: row.vote.is_some(),
            reason: row.reason,
        }));
    }
    Ok(None)
}

fn not_playing(table: &TableRow) -> Refused {
    if table.stage == Stage::Forming { Refused::NotBegun } else { Refused::Over }
}

/// A declaration that came after the close of its window, and before the announcement. It is stored, in case
/// a game master counts it.
async fn declare_late(
    db: &mut Session,
    code: &TableCode,
    (seat, answers): (Seat, &Declaration),
    follows: Option<WindowNumber>,
    now: Time,
) -> Result<Refused> {
    let Some(mut tx) = db.touch(code, now).await? else {
        return Ok(Refused::NoTable);
    };
    let open = tx.open_window().await?;
    let is_pending = |open: &WindowRow| now < open.opens_at && open.follows == follows;
    let Some(number) = open.filter(is_pending).and_then(|open| open.follows) else {
        return Ok(DeclarationRefused::Closed.into());
    };
    // A seat that was not asked, or has declared in time, learns no more than the public.
    let was_asked = tx.window(number).await?.is_some_and(|last| last.asked.0.contains(&seat));
    let progress_rows = windows::declaration_progress(tx.db, code, number).await?;
    if !was_asked || progress_rows.iter().any(|progress_row| progress_row.seat == seat) {
        return Ok(Refused::NotYet);
    }
    overrides::declare_late(&mut tx, number, seat, answers.clone()).await?;
    Ok(DeclarationRefused::Late.into())
}

struct Declaring {
    games: Games,
    code: TableCode,
    seat: Seat,
    /// The account of the substitute who declares for the player.
    substitute: Option<AccountId>,
    /// `None` withdraws the declaration.
    answers: Option<Declaration>,
    sealing: Option<store::StoredSealing>,
    ground: Arc<DeclarationGround>,
    now: Time,
}

impl Declaring {
    async fn carry_out(&self, db: &mut Session) -> Result<Timing, NotDone> {
        let seen = &self.ground.seen;
        let mut tx = db.touch_seen(seen, self.now).await?.ok_or(Refused::NoTable)?;
        if tx.table.open_window != Some(self.ground.number) {
            return Err(DeclarationRefused::Closed.into());
        }
        let whole = tx.whole_window(false).await?.ok_or(DeclarationRefused::Closed)?;
        let window = &whole.window;
        takes(&tx.table, window, self.seat, self.now)?;
        if let Some(account) = &self.substitute {
            let stands_in = absences::stood_in_by(tx.db, &self.code, account, self.now).await?;
            refuse_if(stands_in != Some(self.seat), Refused::NotSeated)?;
        }
        let before = Attendance::in_window(&whole, self.now);
        if before.late().is_some_and(|late| !late.contains(&self.seat)) {
            return Err(DeclarationRefused::Frozen.into());
        }
        self.tell_side(&mut tx, &whole).await?;
        let received = if let Some(answers) = &self.answers {
            let received = tx.declare(self.seat, answers.clone(), self.sealing.clone());
            let (substitute, sealed) = (self.substitute.as_ref(), self.sealing.is_some());
            reputation::note(&mut tx, window, &before, self.seat, substitute, sealed).await?;
            Some(received)
        } else {
            tx.withdraw(self.seat).await?;
            None
        };
        let mut timing = window.timing();
        let inactive = before.presence(self.seat).filter(|row| row.inactive_at.is_some());
        if let Some(row) = inactive.filter(|_| received.is_some()) {
            come_back(&mut tx, self.games, row).await?;
        }
        let attendance = before.with(self.seat, received);
        let procedure = self.ground.contest.procedure();
        attendance.settle(&mut timing, &self.ground.pace, &procedure);
        if timing != window.timing() {
            retime(&mut tx, timing, &self.ground.pace);
        }
        if self.sealing.is_some() && timing.settles.is_none() {
            self.call_last(&mut tx, &whole, attendance).await?;
        }
        // If seals are secret, nothing in public may show that there was one.
        if procedure.sealing == Sealing::Open {
            tx.stir();
        }
        Ok(timing)
    }

    /// Notifies the seat's partners that its declaration has changed since one of them sealed: once in a
    /// window, and once after each seal of their own.
    async fn tell_side(&self, tx: &mut Touched<'_>, whole: &WholeWindow) -> Result<()> {
        let (number, partners) = (whole.window.number, self.ground.contest.partners(self.seat));
        // A bot player has sealed whatever the others do.
        let is_house =
            |seat: Seat| whole.seats.iter().any(|row| row.seat == seat && row.house.is_some());
        let has_sealed = |row: &DeclarationProgressRow| {
            row.sealed && partners.contains(&row.seat) && !is_house(row.seat)
        };
        let has_declared = whole.progress_rows.iter().any(|row| row.seat == self.seat);
        if !has_declared || !whole.progress_rows.iter().any(has_sealed) {
            return Ok(());
        }
        let own = windows::own_declaration(tx.db, &self.code, number, self.seat).await?;
        if own.map(|own| own.answers) == self.answers {
            return Ok(());
        }
        for partner in partners {
            let db = &mut *tx.db;
            let own = windows::own_declaration(db, &self.code, number, partner).await?;
            // Each seal has a hash of its own.
            let seal = own.and_then(|own| own.hash).unwrap_or_default();
            let id = format!("{number}-changed-{}-{seal}", self.seat);
            if outbox::is_written(db, &format!("{}-{id}-{partner}", self.code)).await? {
                continue;
            }
            let notice = Notice::of(&whole.seats, id, tx.now);
            let parts = |seat: Seat| {
                let is_told = seat == partner;
                is_told.then_some(Part::SideChanged { by: self.seat }).into_iter().collect()
            };
            notice.post_to_each(tx, &parts).await?;
        }
        Ok(())
    }

    /// Notifies the last seat that the window waits for.
    async fn call_last(
        &self,
        tx: &mut Touched<'_>,
        whole: &WholeWindow,
        attendance: Attendance,
    ) -> Result<()> {
        let (window, seats) = (&whole.window, &whole.seats);
        let stored: Vec<Seat> = whole.stored.iter().copied().chain([self.seat]).collect();
        let anew;
        let contest = if window.said == self.ground.answers {
            &*self.ground.contest
        } else {
            // There have been acts since then.
            let Ok(game) = self.games.of(&tx.table) else { return Ok(()) };
            anew = contest(tx.db, game, &tx.table, seats, window).await?;
            &*anew
        };
        let (pace, stored) = (&self.ground.pace, stored.as_slice());
        let reminding = Reminding { window, pace, seats, contest, stored };
        reminding.call_last(tx, attendance).await
    }
}

/// Seals a declaration for a seat in the open window; returns its progress.
pub(crate) fn seal_for(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    number: WindowNumber,
    seat: Seat,
    answers: Declaration,
) -> DeclarationProgressRow {
    let complete = contest.interview(seat, &answers).is_complete();
    let sealing = seal(&tx.table.code, number, seat, &answers, complete);
    tx.declare(seat, answers, Some(sealing))
}

/// Returns the standing orders of a person for a seat.
pub(crate) fn orders_of(rows: &[OrdersRow], seat: Seat, person: &PersonId) -> Declaration {
    let row = rows.iter().find(|row| row.seat == seat && row.person == *person);
    row.map(|row| row.answers.clone()).unwrap_or_default()
}

/// Returns the standing orders that count in the open window of a table, for an account that declares for
/// this seat.
pub(crate) async fn orders_in(
    db: &mut Session,
    seen: &OpenTable,
    account: &AccountId,
    seat: Seat,
) -> Result<Declaration> {
    let Some(number) = seen.table.open_window else { return Ok(Declaration::default()) };
    let Some(person) = people::person(db, account).await? else {
        return Ok(Declaration::default());
    };
    let rows = said_ahead::orders(db, &seen.table.code, number).await?;
    Ok(orders_of(&rows, seat, &person))
}

/// Returns the people who declare for the seats that are asked in a window, when it opens: the substitutes,
/// or else the players.
async fn declaring(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    opens: Time,
) -> Result<Vec<(Seat, PersonId)>> {
    let substitutes = absences::substitutes_at(tx).await?;
    let declaring = contest.asked().into_iter().filter_map(|seat| {
        let stands_in = |row: &&SubstituteRow| row.seat == seat && row.until_at > opens;
        let player = seats.iter().find(|row| row.seat == seat).and_then(|row| row.person.clone());
        let stands_in = substitutes.iter().find(stands_in).map(|row| row.person.clone());
        Some((seat, stands_in.or(player)?))
    });
    Ok(declaring.collect())
}

/// Declares the standing orders of the seats that have not declared in an optional window: sealed if they
/// leave nothing to ask, or else as a draft. Returns the progress of all declarations.
pub(crate) async fn orders_declare(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    (number, opens): (WindowNumber, Time),
    mut progress_rows: Vec<DeclarationProgressRow>,
) -> Result<Vec<DeclarationProgressRow>> {
    if !contest.procedure().kind.is_optional() {
        return Ok(progress_rows);
    }
    let rows = said_ahead::orders_at(tx, number).await?;
    if rows.is_empty() {
        return Ok(progress_rows);
    }
    for (seat, person) in declaring(tx, contest, seats, opens).await? {
        if progress_rows.iter().any(|row| row.seat == seat) {
            continue;
        }
        let orders = orders_of(&rows, seat, &person);
        let declaration = contest.with_orders(seat, &Declaration::default(), &orders);
        if declaration.is_empty() {
            continue;
        }
        let found = contest.interview(seat, &declaration);
        let asks = found
            .asked
            .iter()
            .any(|asked| asked.answer.is_none() && asked.question.is_answerable());
        let complete = found.is_complete();
        let sealing = (!asks).then(|| seal(&tx.table.code, number, seat, &declaration, complete));
        progress_rows.push(tx.declare(seat, declaration, sealing));
    }
    Ok(progress_rows)
}

/// Returns a person's declaration for a seat that was made ahead.
fn row_of<'r>(
    rows: &'r [NextDeclarationRow],
    seat: Seat,
    person: &PersonId,
) -> Option<&'r NextDeclarationRow> {
    rows.iter().find(|row| row.seat == seat && row.person == *person)
}

/// Returns an account's declaration for a seat that was made ahead, for a window of this kind after this one.
pub(crate) async fn next_of(
    db: &mut Session,
    code: &TableCode,
    (account, seat): (&AccountId, Seat),
    kind: WindowKind,
    number: WindowNumber,
) -> Result<Declaration> {
    let Some(person) = people::person(db, account).await? else {
        return Ok(Declaration::default());
    };
    let rows = said_ahead::next_declarations(db, code, kind, number).await?;
    Ok(row_of(&rows, seat, &person).map(|row| row.answers.clone()).unwrap_or_default())
}

/// Turns the declarations made ahead for this window into drafts, if the window asks for any part of them;
/// returns their progress. The others wait for the next window of the kind.
pub(crate) async fn become_drafts(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    seats: &[SeatRow],
    number: WindowNumber,
    opens: Time,
) -> Result<Vec<DeclarationProgressRow>> {
    let mut progress_rows = Vec::new();
    let rows = said_ahead::next_declarations_at(tx, contest.procedure().kind, number).await?;
    if rows.is_empty() {
        return Ok(progress_rows);
    }
    let orders = said_ahead::orders_at(tx, number).await?;
    for (seat, person) in declaring(tx, contest, seats, opens).await? {
        let Some(row) = row_of(&rows, seat, &person) else { continue };
        let standing = standing(contest, row);
        if !standing.is_asked() {
            continue;
        }
        said_ahead::note_drafted(tx, row, number).await?;
        if !standing.draft.is_empty() {
            let orders = orders_of(&orders, seat, &person);
            let draft = contest.with_orders(seat, &standing.draft, &orders);
            progress_rows.push(tx.declare(seat, draft, None));
        }
    }
    Ok(progress_rows)
}

/// Returns the part of a declaration made ahead that is valid in the open window.
fn standing(contest: &dyn AnyContest, row: &NextDeclarationRow) -> StillStanding {
    still_standing(&|draft| contest.interview(row.seat, draft), &row.answers)
}

/// Returns the news for the seats about their declarations for this window: the drafts that they have become,
/// and the parts that no longer fit.
pub(crate) async fn tidings(
    tx: &mut Touched<'_>,
    contest: &dyn AnyContest,
    number: WindowNumber,
) -> Result<Vec<(Seat, Part)>> {
    let rows = said_ahead::drafted_declarations_at(tx, number).await?;
    let mut news = Vec::new();
    for row in rows {
        let StillStanding { draft, faults, superfluous } = standing(contest, &row);
        let heard = declared_answers(&contest.interview(row.seat, &draft));
        news.push((row.seat, Part::BecameDraft { heard, faults, superfluous }));
    }
    Ok(news)
}

/// Returns the news for a seat.
pub(crate) fn own_part(news: &[(Seat, Part)], seat: Seat) -> Vec<Part> {
    news.iter().filter(|(of, _)| *of == seat).map(|(_, part)| part.clone()).collect()
}

/// Sends each seat its news privately, if the opening is posted in public.
pub(crate) async fn tell_each(
    tx: &mut Touched<'_>,
    notice: Notice<'_>,
    news: &[(Seat, Part)],
) -> Result<()> {
    if news.is_empty() || tx.table.place.is_none() {
        return Ok(());
    }
    notice.post_to_each(tx, &|seat| own_part(news, seat)).await
}
