//! The view of a table, for somebody who sits there or for the public.

use std::ops::Deref;
use std::sync::Arc;

use chrono_tz::Tz;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value as Json;

use crate::absence::attendance::{Attendance, presence, sealing_among};
use crate::model::{
    self, Desk, Games, Gm, NotDone, Written, announced_stage, contest, in_play, load, names,
    refuse_if, seat_of, shown,
};
use crate::record::{Secrecy, values};
use crate::window::declare::{DeclarationGround, StandstillRequest, next_of, orders_in, wanted};
use games::any::AnyGame;
use letters::{
    DeclarationRefused, Letters, Moment, PartnerShown, Presence, Reader, Refused, SideLineShown,
    SidePlan, SideShown, follow,
};
use rules::text::{self, Lang};
use rules::window::Progress;
use rules::{BySeat, Clause, Declaration, Sealing, Seat, WindowKind};
use store::{
    DeclarationProgressRow, OpenTable, PresenceRow, Result, Session, SideLine, StoreError,
    WholeWindow, WindowRow, absences, overrides, read_json, said_ahead, votes, windows,
};
use tables::ids::or_before_first;
use tables::{
    Absence, AccountId, CloseReason, HoldReason, NEVER, Pace, Stage, TableCode, TableSettings,
    Time, Timing, WindowNumber,
};

/// A table, as its viewer may see it at some time.
#[derive(Debug)]
pub struct Sight {
    /// The code that people type.
    pub code: TableCode,
    /// The revision that a confirmation is bound to: the window, and the number of overrides. Empty unless
    /// the viewer leads the table.
    pub revision: String,
    pub game: &'static dyn AnyGame,
    /// The stage of the table, as far as it has been announced.
    pub stage: Stage,
    /// The language of public letters.
    pub language: Lang,
    /// The hash of the seed, in hex digits.
    pub commitment: String,
    /// The pace of the windows.
    pub pace: Pace,
    /// The time zone of the viewer.
    pub zone: Tz,
    /// The pace from the next window on, if that is another.
    pub next_pace: Option<Pace>,
    /// The absence settings.
    pub absence: Absence,
    /// The game's options, as they were set.
    pub options: Json,
    /// The settings that are on.
    pub settings: TableSettings,
    pub chairs: usize,
    /// The names of all players, by seat.
    pub names: Vec<String>,
    /// The chairs that are taken.
    pub taken: Vec<Seat>,
    /// The seats of bot players.
    pub house: Vec<Seat>,
    /// The seat that the viewer has or declares for.
    pub seat: Option<Seat>,
    /// The value that the viewer has mixed into the seed, in hex digits; empty while they owe it.
    pub value: Option<String>,
    /// The promise that the viewer has yet to keep, in hex digits; empty if all promises have ended.
    pub owes: Option<String>,
    /// True if the viewer is the host.
    pub is_host: bool,
    /// True if the viewer leads the table: as its host or as an appointed game master.
    pub leads: bool,
    /// The viewer as a game master; `None` for the public.
    pub gm: Option<Gm>,
    /// The seat of the host; `None` if they do not play.
    pub host: Option<Seat>,
    /// The account of the host, as long as the table is forming and they have no seat.
    pub host_account: Option<AccountId>,
    /// The reason why the table is held or locked, as far as it is public.
    pub held: Option<HoldReason>,
    /// The author of the hold, if it has one and was announced.
    pub wanted: Option<StandstillRequest>,
    /// The time when a pause ends by itself.
    pub until: Option<Time>,
    /// The seats that are open to everybody.
    pub sought: Vec<Seat>,
    /// The seats that are away, each with the end of the absence.
    pub away: Vec<(Seat, Time)>,
    /// The contest, once it has begun.
    pub play: Option<PlayView>,
}

/// The contest of a table, as far as it has been announced: the window that is seen to be open, and the facts
/// about it that declaring does not need.
#[derive(Debug)]
pub struct PlayView {
    /// The window, for declaring in it.
    pub ground: Arc<DeclarationGround>,
    /// The times of the window, without an early close if seals are secret.
    pub timing: Timing,
    pub asked: Vec<Seat>,
    /// The progress of each seat. Only the seat and its side see that a seal is incomplete; if seals are
    /// secret, they alone see the progress.
    pub progress: BySeat<Progress>,
    /// The viewer's declaration.
    pub own: Declaration,
    /// The viewer's declaration for the next window of this kind.
    pub next: Declaration,
    /// The others of their side.
    pub partners: Vec<Seat>,
    /// The hash of the state at the opening of the root window, in hex digits.
    pub state: String,
    /// The close of the window, if its result is yet to be announced. If seals are secret, a close because
    /// all have sealed is not shown.
    pub shut: Option<PendingResult>,
    /// The seats present in the window, as far as this is public.
    pub(crate) presence: Presence,
}

impl Deref for PlayView {
    type Target = DeclarationGround;

    fn deref(&self) -> &DeclarationGround {
        &self.ground
    }
}

/// A window that has closed before its result is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingResult {
    pub closed: Time,
    /// The time when the result is announced.
    pub announced: Time,
}

/// Returns a person's newest table that is not over.
pub async fn newest_of(desk: &Desk, account: &AccountId) -> Result<Option<TableCode>> {
    let mut db = desk.store.read().await?;
    let Some(person) = store::people::person(&mut db, account).await? else { return Ok(None) };
    store::tables::newest_of(&mut db, &person).await
}

/// Returns a table as an account may see it now, or as the public may if `account` is `None`. Facts that
/// have not been announced are left out. Refused if there is no such table, or this program does not know
/// its rules.
pub async fn see<'a>(
    desk: &Desk,
    code: &TableCode,
    account: impl Into<Option<&'a AccountId>>,
    now: Time,
) -> Result<Sight, NotDone> {
    sight(&mut desk.store.read().await?, desk.games, code, account.into(), now).await
}

/// Returns a table like [`see`], for an account with its roles.
pub async fn see_as(desk: &Desk, code: &TableCode, gm: &Gm, now: Time) -> Result<Sight, NotDone> {
    let looks = (Some(&gm.account), &*gm.roles);
    sight_of(&mut desk.store.read().await?, desk.games, code, looks, now).await
}

/// Returns the previous declaration of a seat, whoever sat there.
pub async fn said_before(desk: &Desk, sight: &Sight) -> Result<Option<Declaration>> {
    let Some((play, seat)) = sight.play.as_ref().zip(sight.seat) else { return Ok(None) };
    windows::declaration_before(&mut desk.store.read().await?, &sight.code, play.number, seat).await
}

/// Returns a table as an account may see it now, or as the public may.
pub(crate) async fn sight(
    db: &mut Session,
    games: Games,
    code: &TableCode,
    account: Option<&AccountId>,
    now: Time,
) -> Result<Sight, NotDone> {
    sight_of(db, games, code, (account, &[]), now).await
}

/// Returns the seats that are away now, each with the end of the absence.
fn away(presences: &[PresenceRow], now: Time) -> Vec<(Seat, Time)> {
    let away = presences.iter().filter(|row| row.away_from.is_some_and(|from| from <= now));
    away.filter_map(|row| Some((row.seat, row.away_until.filter(|until| *until > now)?))).collect()
}

/// Returns a table as an account with roles may see it now, or as the public may.
fn sight_of<'a>(
    db: &'a mut Session,
    games: Games,
    code: &'a TableCode,
    (account, roles): (Option<&'a AccountId>, &'a [String]),
    now: Time,
) -> BoxFuture<'a, Result<Sight, NotDone>> {
    let seen = async move {
        let mut seen = store::open_table(db, code, account).await?.ok_or(Refused::NoTable)?;
        let root = seen.window.as_mut().map(|whole| whole.take_state(code)).transpose()?;
        let seen = Arc::new(seen);
        let OpenTable { table, seats, .. } = &*seen;
        let game = games.learned(db, table).await??;
        let own = seats.iter().find(|row| Some(row.seat) == seen.own);
        let person = match (own, account) {
            (Some(row), _) => row.person.clone(),
            (None, Some(account)) => store::people::person(db, account).await?,
            (None, None) => None,
        };
        let seat = match account {
            Some(account) => seat_of(db, code, account, seen.own, now).await?,
            None => None,
        };
        let stage = announced_stage(table, seen.window.as_ref().map(|whole| &whole.window), now);
        let orders = match seat.zip(account) {
            Some((seat, account)) if seen.has_orders() => {
                orders_in(db, &seen, account, seat).await?
            }
            _ => Declaration::default(),
        };
        let pace = Pace::clone(&table.pace);
        let (play, absence, presences, may_call, may_lead);
        if let (Some(whole), Some(root)) = (&seen.window, root) {
            let looks = (seat, own.is_none(), orders);
            let (opened, whole) =
                opened(db, game, (&seen, whole, root), looks, pace.clone(), now).await?;
            let next = match seat.zip(account).filter(|_| whole.few.next_declarations) {
                Some((seat, account)) => {
                    let (kind, number) = (opened.contest.procedure().kind, opened.number);
                    next_of(db, code, (account, seat), kind, number).await?
                }
                None => Declaration::default(),
            };
            play = Some(PlayView { next, ..opened });
            (absence, presences, may_call) = (whole.absence, whole.presences, whole.few.calls);
            may_lead = seen.window.as_ref().is_some_and(|whole| whole.few.onlookers);
        } else {
            play = None;
            absence = absences::absence(db, code).await?;
            presences = absences::presences(db, code).await?;
            (may_call, may_lead) = (true, true);
        }
        let calls = if may_call { votes::calls(db, code).await? } else { Vec::new() };
        let owes = match own {
            Some(row) => values::owed(db, table, row.seat).await?,
            None => None,
        };
        let open_to_all =
            calls.iter().filter(|call| call.person.is_none() && stage == Stage::Playing);
        let sought = open_to_all.filter_map(|call| call.seat).collect();
        let is_host = person.is_some_and(|person| person == table.host);
        let gm = account.map(|account| Gm { account: account.to_owned(), roles: roles.to_owned() });
        let leads = match gm.as_ref().filter(|_| may_lead && !is_host) {
            Some(gm) => model::leads(db, table, gm).await?.1,
            None => is_host,
        };
        let (host, host_account) = host_of(db, &seen, stage).await?;
        let revision = if leads { revision(db, code, now).await? } else { String::new() };
        Ok(Sight {
            code: table.code.clone(),
            revision,
            game,
            stage,
            language: table.language.parse().unwrap_or(Lang::Ja),
            commitment: table.commitment.clone(),
            zone: own.map_or(pace.zone, |row| row.settings.zone_at(pace.zone)),
            pace,
            next_pace: table.next_pace.as_deref().cloned(),
            absence,
            options: read_json(&table.options)?,
            settings: table.settings.clone(),
            chairs: table.chairs,
            names: names(seats),
            taken: seats.iter().map(|row| row.seat).collect(),
            house: seats.iter().filter(|row| row.house.is_some()).map(|row| row.seat).collect(),
            seat,
            value: own.map(|row| row.value.clone()),
            owes,
            is_host,
            leads,
            gm,
            host,
            host_account,
            held: table.held.as_ref().map(HoldReason::in_public),
            wanted: wanted(db, table, seats).await?,
            until: table.look_at.filter(|_| table.held == Some(HoldReason::Pause)),
            sought,
            away: away(&presences, now),
            play,
        })
    };
    seen.boxed()
}

/// Returns the seat of a table's host; for a forming table whose host has no seat, their account.
async fn host_of(
    db: &mut Session,
    OpenTable { table, seats, .. }: &OpenTable,
    stage: Stage,
) -> Result<(Option<Seat>, Option<AccountId>)> {
    let host = seats.iter().find(|row| row.is_of(Some(&table.host))).map(|row| row.seat);
    let account = match host {
        None if stage == Stage::Forming => store::people::account_of(db, &table.host).await?,
        _ => None,
    };
    Ok((host, account))
}

/// Returns the contest in the window that is known to be open, and that window. `open` is the window on the
/// table's row, `root` the state at the opening of its root window.
async fn opened(
    db: &mut Session,
    game: &dyn AnyGame,
    (seen, open, root): (&Arc<OpenTable>, &WholeWindow, String),
    (seat, is_substitute, orders): (Option<Seat>, bool, Declaration),
    pace: Pace,
    now: Time,
) -> Result<(PlayView, WholeWindow)> {
    let OpenTable { table, seats, .. } = &**seen;
    let (code, announced) = (&table.code, open.window.opens_at);
    let window = known_open(db, code, open.window.clone(), now).await?;
    let (contest, whole) = if window.number == open.window.number {
        (load(game, table, seats, &window, root)?, open.clone())
    } else {
        let gone = || StoreError::Unreadable(format!("there is no window {}", window.number));
        let whole = store::whole_window(db, code, window.number, false).await?.ok_or_else(gone)?;
        (contest(db, game, table, seats, &window).await?, whole)
    };
    let own = match seat.filter(|seat| whole.stored.contains(seat)) {
        Some(seat) => windows::own_declaration(db, code, window.number, seat).await?,
        None => None,
    };
    let sealing = contest.procedure().sealing;
    let closed =
        if announced > now { windows::closed(db, code, window.number).await? } else { None };
    let among = sealing_among(seats, sealing);
    let closed = closed.filter(|(_, why)| among == Sealing::Open || *why != CloseReason::AllSealed);
    let partners = seat.map(|seat| contest.partners(seat)).unwrap_or_default();
    let is_own = |of: Seat| Some(of) == seat || partners.contains(&of);
    let is_shown = |row: &&DeclarationProgressRow| sealing == Sealing::Open || is_own(row.seat);
    let progress_rows: Vec<DeclarationProgressRow> =
        whole.progress_rows.iter().filter(is_shown).copied().collect();
    let named = Secrecy::of(table, Some(&*contest)).is_named();
    let play = PlayView {
        progress: BySeat::new(table.chairs, |of| progress(&window, &progress_rows, of, is_own(of))),
        timing: shown(window.timing(), among),
        asked: contest.asked(),
        own: own.map(|own| own.answers).unwrap_or_default(),
        state: hex::encode(contest.state_hash()),
        shut: closed
            .filter(|_| announced < NEVER)
            .map(|(closed, _)| PendingResult { closed, announced }),
        presence: presence(&Attendance::in_window(&whole, now), seats, named),
        next: Declaration::default(),
        partners,
        ground: Arc::new(DeclarationGround {
            is_substitute,
            number: window.number,
            answers: window.said,
            contest: contest.into(),
            orders,
            pace: pace.of(window.kind),
            among,
            seen: Arc::clone(seen),
        }),
    };
    Ok((play, whole))
}

/// Returns the window that is open, as far as this has been announced.
async fn known_open(
    db: &mut Session,
    code: &TableCode,
    open: WindowRow,
    now: Time,
) -> Result<WindowRow> {
    // Before the announcement, nothing may show that the window was resolved again.
    let before = pending(db, code, Some(&open), now).await?;
    let mut window = open;
    for number in before {
        if windows::closed(db, code, number).await?.is_some()
            && let Some(closed) = windows::window(db, code, number).await?
        {
            window = closed;
        }
    }
    Ok(window)
}

/// Returns the revision that a confirmation is bound to: the window that is known to be open, and the number
/// of overrides at the table. Seals do not change it.
pub(crate) async fn revision(db: &mut Session, code: &TableCode, now: Time) -> Result<String> {
    let open = db.table(code).await?.and_then(|table| table.open_window);
    let window = match windows::window(db, code, open).await? {
        Some(open) => Some(known_open(db, code, open, now).await?.number),
        None => open,
    };
    Ok(format!("{}-{}", or_before_first::number(window), overrides::decisions(db, code).await?))
}

/// Returns the progress of a seat with its declaration for a window. `is_known` is true if the viewer may
/// know that a seal is incomplete.
pub(crate) fn progress(
    window: &WindowRow,
    progress_rows: &[DeclarationProgressRow],
    seat: Seat,
    is_known: bool,
) -> Progress {
    if !window.asked.0.contains(&seat) {
        return Progress::NothingToDeclare;
    }
    match progress_rows.iter().find(|row| row.seat == seat) {
        None => Progress::NothingDeclared,
        Some(DeclarationProgressRow { sealed: false, .. }) => Progress::Draft,
        Some(DeclarationProgressRow { complete: false, .. }) if is_known => {
            Progress::SealedIncomplete
        }
        Some(_) => Progress::SealedComplete,
    }
}

impl PlayView {
    /// `None` if a missing declaration does not skip the turn; otherwise the clause by which it does, for
    /// this seat or else for the first seat that is asked.
    pub fn missing(&self, seat: Option<Seat>) -> Option<Clause> {
        let seat = seat.or(self.asked.first().copied())?;
        self.contest.interview(seat, &Declaration::default()).missing
    }

    /// True if this seat is seen to have declared anything in the window, which has not closed.
    fn has_declared(&self, seat: Seat) -> bool {
        let none =
            matches!(self.progress[seat], Progress::NothingToDeclare | Progress::NothingDeclared);
        self.shut.is_none() && !none
    }
}

impl Sight {
    /// Returns the seat that the viewer has or declares for.
    /// Refused if there is none.
    pub fn seated(&self) -> Result<Seat, Refused> {
        self.seat.ok_or(Refused::NotSeated)
    }

    /// Returns the contest.
    /// Refused before it has begun.
    pub fn playing(&self) -> Result<&PlayView, Refused> {
        self.play.as_ref().ok_or(Refused::NotBegun)
    }

    /// Returns the contest and the viewer's seat.
    /// Refused before the contest has begun, and then to a viewer without a seat.
    pub fn seated_in_play(&self) -> Result<(&PlayView, Seat), Refused> {
        Ok((self.playing()?, self.seated()?))
    }

    /// Returns the contest while it is played, and the viewer's seat.
    /// Refused before it has begun and once it is over, and to a viewer without a seat.
    pub fn seated_in_game(&self) -> Result<(&PlayView, Seat), Refused> {
        let seated = self.seated_in_play()?;
        if self.stage == Stage::Over { Err(Refused::Over) } else { Ok(seated) }
    }

    /// Returns the kind of window for which a viewer can declare in advance: that of the open window.
    /// Refused while nothing is played, if everything is done openly and immediately, or if no other window
    /// of this kind asks the seat anything.
    pub fn next_kind(&self) -> Result<WindowKind, Refused> {
        let seat = self.seated()?;
        in_play(self.stage)?;
        let contest = &self.playing()?.contest;
        refuse_if(contest.is_open_handed(), DeclarationRefused::NothingSealed)?;
        let kind = contest.procedure().kind;
        let asks = || contest.interview(seat, &Declaration::default()).is_asking();
        let can = !contest.is_suspended() && kind != WindowKind::Setup && asks();
        can.then_some(kind).ok_or(DeclarationRefused::NoNext.into())
    }

    /// True if the viewer is asked in the open window.
    pub fn is_asked(&self) -> bool {
        let seated = self.play.as_ref().zip(self.seat);
        seated.is_some_and(|(play, seat)| play.asked.contains(&seat))
    }

    /// Returns the seats present in the window that is seen to be open; nobody is missing if none is.
    pub fn presence(&self) -> Presence {
        let play = self.play.as_ref().filter(|_| self.stage == Stage::Playing);
        play.map(|play| play.presence.clone()).unwrap_or_default()
    }

    /// True if the viewer has sealed in the open window.
    pub fn has_sealed(&self) -> bool {
        let progress = self.play.as_ref().zip(self.seat).map(|(play, seat)| play.progress[seat]);
        matches!(progress, Some(Progress::SealedComplete | Progress::SealedIncomplete))
    }

    /// Returns the shared data in words: each declaration as its author could type it.
    pub fn side_shown(&self, side: &SideView, letters: &Letters, reader: &Reader) -> Written {
        let Some(play) = &self.play else { return Ok(String::new()) };
        let partner = |seat: &Seat| PartnerShown {
            seat: *seat,
            progress: play.progress[*seat],
            said: self.written_of(side, *seat, reader.lang),
        };
        let is_open = play.shut.is_none();
        let partners = play.partners.iter().filter(|_| is_open).map(partner);
        let line = |line: &SideLine| SideLineShown {
            seat: line.seat,
            at: Moment::at(line.at, self.zone),
            words: line.words.clone(),
        };
        let partners: Vec<PartnerShown> = partners.collect();
        let unread = play.partners.iter().all(|seat| self.house.contains(seat));
        let lines: Vec<SideLineShown> = side.lines.iter().map(line).collect();
        let mut text = side.plan_shown(letters, reader)?;
        follow(
            &mut text,
            &letters.write(reader, &SideShown { partners: &partners, unread, lines: &lines })?,
        );
        Ok(text)
    }

    fn written_of(&self, side: &SideView, seat: Seat, lang: Lang) -> Vec<String> {
        let answers = side.declared.iter().find(|(of, _)| *of == seat).map(|(_, answers)| answers);
        let Some((answers, play)) = answers.zip(self.play.as_ref()) else { return Vec::new() };
        let form = play.contest.interview(seat, answers);
        let written = text::write(answers, &form, &self.words(), lang);
        written.lines().map(str::to_owned).collect()
    }
}

/// Returns the windows that have closed and are yet to be announced: the last one, and the windows that it
/// resolves again.
pub(crate) async fn pending(
    db: &mut Session,
    code: &TableCode,
    open: Option<&WindowRow>,
    now: Time,
) -> Result<Vec<WindowNumber>> {
    let Some(last) = open.filter(|open| open.opens_at > now).and_then(|open| open.follows) else {
        return Ok(Vec::new());
    };
    let (mut pending, mut opened) = (Vec::new(), None);
    for number in windows::again(db, code, last).await? {
        let opens = windows::window(db, code, number).await?.map(|window| window.opens_at);
        // A window that is resolved again keeps its opening time. One that had closed and was asked again is
        // public.
        if opened.is_some_and(|opened| opened != opens)
            && windows::closed(db, code, number).await?.is_some()
        {
            break;
        }
        opened = Some(opens);
        pending.push(number);
    }
    Ok(pending)
}

/// The shared data of a side, as one of its seats sees them.
#[derive(Clone, Debug, Default)]
pub struct SideView {
    /// The declarations of the partners in the open window.
    declared: Vec<(Seat, Declaration)>,
    /// The game's report of the state after all drafts of the side; `None` if that cannot be known.
    report: Option<Json>,
    /// The last lines of the side.
    lines: Vec<SideLine>,
}

/// Returns the shared data of the viewer's side, with the viewer's draft and a limited number of lines;
/// empty without partners, or after the end of the game.
pub async fn side(
    desk: &Desk,
    sight: &Sight,
    own: &Declaration,
    lines: u32,
) -> Result<Option<SideView>> {
    let Some((play, seat)) = sight.play.as_ref().zip(sight.seat) else { return Ok(None) };
    let side = play.contest.sides()[seat].filter(|_| sight.stage == Stage::Playing);
    let Some(side) = side.filter(|_| !play.partners.is_empty()) else { return Ok(None) };
    let mut db = desk.store.read().await?;
    let mut declared = Vec::new();
    for partner in play.partners.iter().copied().filter(|of| play.has_declared(*of)) {
        let row = windows::own_declaration(&mut db, &sight.code, play.number, partner).await?;
        declared.extend(row.map(|row| (partner, row.answers)));
    }
    let lines = said_ahead::side_lines(&mut db, &sight.code, side, lines).await?;
    let drafts = declared.iter().map(|(of, answers)| (*of, answers)).chain([(seat, own)]);
    let mut drafts: Vec<(Seat, &Declaration)> = drafts.collect();
    drafts.sort_by_key(|(of, _)| *of);
    let report = play.contest.planned(seat, &drafts).filter(|_| play.shut.is_none());
    Ok(Some(SideView { declared, report, lines }))
}

impl SideView {
    /// Returns the result of all drafts of the side in words; empty where it cannot be known.
    pub fn plan_shown(&self, letters: &Letters, reader: &Reader) -> Written {
        match &self.report {
            Some(report) => letters.write(reader, &SidePlan { report }),
            None => Ok(String::new()),
        }
    }
}
