//! What a game master decides from: the table, the window that is open, the one before it, and the log
//! of what has been decided so far; and who may decide.

use serde_json::Value as Json;

use crate::model::desk::{Desk, NotDone};
use crate::model::load::{Games, contest};
use crate::model::overrides::{Gm, Override};
use crate::model::people::leads;
use crate::overrides::read::words::Particle;
use crate::record::event::{Event, Secrecy};
use crate::view::see::{Sight, line, progress, sight};
use games::any::AnyContest;
use letters::{Changes, OverrideRefused, Refused};
use rules::text::Lang;
use rules::window::Progress;
use rules::{BySeat, Declaration, Entry, Interview, Round, Sealing, Seat, Thrown, Viewer};
use store::{
    DeclarationProgressRow, OverrideRow, SeatRow, Session, StoreError, TableRow, WindowRow,
    read_json,
};
use tables::ids::{AccountId, EntryNumber, OverrideNumber, PersonId, TableCode, WindowNumber};
use tables::time::Time;
use tables::{Notified, Stage};

/// A table, as a game master decides about it. Nothing of it is for anybody else.
#[derive(Debug)]
pub struct Bench {
    /// The table as they see it.
    pub sight: Sight,
    /// The window that is open, once it has been announced.
    pub open: Option<Case>,
    /// The window that was closed last.
    pub last: Option<Case>,
    /// The windows to which the table can go back, in order: where each round began that led to the
    /// open window.
    pub windows: Vec<RollbackTarget>,
    /// The deadline of the open window as it was before an outage put it off, if one has.
    pub before_outage: Option<Time>,
    /// What has been decided so far.
    pub decided: Vec<Logged>,
    /// The language in which they are told what would be right: the table's, unless it is set.
    pub lang: Lang,
}

/// A window that can be resolved otherwise.
#[derive(Debug)]
pub struct Case {
    pub number: WindowNumber,
    /// The contest as it stood when it opened.
    pub contest: Box<dyn AnyContest>,
    /// How far each seat is or was, whatever others may know of it.
    pub progress: BySeat<Progress>,
    /// What was declared; none where the game master may not see it.
    pub declared: Option<BySeat<Option<Declaration>>>,
}

/// What a window brings that has not been announced, as it would be or as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultPreview {
    /// True if it has not closed yet: what is sealed by now counts, and nothing else.
    pub is_open: bool,
    /// What would happen, all of it.
    pub entries: Vec<Entry<Json>>,
    /// Where everything would stand, as the game master sees it.
    pub report: Json,
    /// True if the game would be over.
    pub is_over: bool,
}

/// A window to which a table can go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollbackTarget {
    pub number: WindowNumber,
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    /// The time when it opened.
    pub at: Time,
}

/// An override, as the log tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Logged {
    /// Its number at the table, from 0.
    pub number: OverrideNumber,
    /// The time when it was made.
    pub at: Time,
    /// The account of who made it; of what the table decided, of who proposed it.
    pub by: Option<AccountId>,
    /// True if the table decided it, by a vote.
    pub voted: bool,
    pub what: Override,
    /// Why it was made.
    pub reason: String,
    /// True if the table was told.
    pub public: bool,
    /// Who was, where the table was not.
    pub alone: Vec<Seat>,
    /// The number of the override that undid it.
    pub undone: Option<OverrideNumber>,
    /// What it would change, as it was shown before it was made.
    pub shown: Changes,
    /// True if whoever reads it is a game master.
    pub whole: bool,
}

impl RollbackTarget {
    /// What it is called in a decision.
    pub(crate) fn name(&self, lang: Lang) -> String {
        match self.round {
            Round::DEAL => Particle::Setup.word(lang).to_owned(),
            number => number.to_string(),
        }
    }
}

impl Case {
    /// What a seat has declared, as far as the game master may see it.
    pub(crate) fn said_by(&self, seat: Seat) -> Declaration {
        let declared = self.declared.as_ref().and_then(|declared| declared[seat].clone());
        declared.unwrap_or_default()
    }

    /// The dice of its resolution; none where the game master may not know them.
    pub fn thrown(&self) -> Option<Vec<Thrown>> {
        Some(self.contest.thrown(self.declared.clone()?))
    }
}

impl Desk {
    /// What a game master decides from.
    /// Refused if it is no game master of the table who asks.
    pub async fn bench(&self, code: &TableCode, gm: &Gm, now: Time) -> Result<Bench, NotDone> {
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        authorize(&mut session, &table, gm).await?;
        let sight = sight(&mut session, self.games, code, Some(&gm.account), now).await?;
        let looking = Looking { games: self.games, seats: session.seats(code).await?, table, now };
        let bench = looking.bench(&mut session, sight).await?;
        drop(session);
        Ok(Bench { decided: self.overrides(code, gm).await?, ..bench })
    }

    /// What has been decided at a table, in order: everything for its game masters, what was told to
    /// the table for everybody else.
    pub async fn overrides(&self, code: &TableCode, gm: &Gm) -> Result<Vec<Logged>, NotDone> {
        let mut session = self.store.read().await?;
        let table = session.table(code).await?.ok_or(Refused::NoTable)?;
        let (_, sees_all) = leads(&mut session, &table, gm).await?;
        let mut log = Vec::new();
        let rows = session.overrides(code).await?;
        for row in &rows {
            let one = logged(&mut session, &rows, row, sees_all).await?;
            log.extend(one.visible_to(if sees_all { Viewer::All } else { Viewer::Public }));
        }
        Ok(log)
    }
}

impl Logged {
    /// What somebody may know of it who sees everything, or only what the table was told.
    pub(crate) fn visible_to(self, viewer: Viewer) -> Option<Self> {
        let event = Event::Overridden {
            number: self.number,
            window: None,
            what: self.what.clone(),
            voted: self.voted,
            reason: self.reason.clone(),
            alone: (!self.public).then(|| self.alone.clone()),
            undone: None,
            closes: None,
            by: String::new(),
            shown: None,
        };
        event.visible_to(viewer, &Secrecy::HIDDEN).map(|_| self)
    }
}

/// The id of who decides at a table; none if they do so by a role and have never been here.
pub(crate) async fn authorize(
    session: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<Option<PersonId>, NotDone> {
    match leads(session, table, gm).await? {
        (person, true) => Ok(person),
        (_, false) => Err(OverrideRefused::NotGm.into()),
    }
}

/// An override as it is kept among all of its table, for a reader who may know the whole of it or not.
pub(crate) async fn logged(
    session: &mut Session,
    all: &[OverrideRow],
    row: &OverrideRow,
    whole: bool,
) -> Result<Logged, StoreError> {
    let by = session.account_of(&row.person).await?;
    Ok(Logged {
        number: row.number,
        at: row.at,
        by: by.filter(|account| !account.is_erased()),
        voted: row.vote.is_some(),
        what: read_json(&row.what)?,
        reason: row.reason.clone(),
        public: row.notice == Notified::Public,
        alone: seats_of(all, row.number)?,
        undone: row.undone,
        shown: row.shown.as_deref().map(read_json).transpose()?.unwrap_or_default(),
        whole,
    })
}

/// The seats that a decision is about: of what undoes another, those of that one.
pub(crate) fn seats_of(
    overrides: &[OverrideRow],
    number: OverrideNumber,
) -> Result<Vec<Seat>, StoreError> {
    let mut number = number;
    loop {
        let Some(row) = overrides.iter().find(|row| row.number == number) else {
            return Ok(Vec::new());
        };
        match read_json(&row.what)? {
            // What it undoes was there before it.
            Override::Undo { number: undone } if undone < number => number = undone,
            what => return Ok(Override::seats(&what)),
        }
    }
}

/// True if who looks plays along in a game whose sealings are hidden, and has not opened them.
pub(crate) fn is_hidden_from(case: &Case, sight: &Sight) -> bool {
    let hidden = case.contest.procedure().sealing == Sealing::Hidden;
    hidden && sight.seat.is_some() && !sight.is_open
}

/// What there is to decide from for somebody who sees everything and plays nowhere.
pub(crate) async fn whole_bench(
    session: &mut Session,
    games: Games,
    table: TableRow,
    now: Time,
) -> Result<Bench, NotDone> {
    let sight = sight(session, games, &table.code, None, now).await?;
    let seats = session.seats(&table.code).await?;
    Looking { games, table, seats, now }.bench(session, sight).await
}

struct Looking {
    games: Games,
    table: TableRow,
    seats: Vec<SeatRow>,
    now: Time,
}

impl Looking {
    async fn bench(&self, session: &mut Session, sight: Sight) -> Result<Bench, NotDone> {
        let code = &self.table.code;
        let open = session.window(code, self.table.open_window).await?;
        let last = match open.as_ref().and_then(|open| open.follows) {
            Some(number) => session.window(code, number).await?,
            None => None,
        };
        let is_told = open.as_ref().is_some_and(|open| open.opens_at <= self.now);
        let last = match &last {
            Some(window) => {
                let case = self.case(session, window, None, true).await?;
                // Whoever plays along sees no more of what was sealed than the others, and of its dice
                // nothing before they are told.
                let plays = sight.seat.is_some() && !sight.is_open;
                let sealing = case.contest.procedure().sealing;
                let hidden = plays && (!is_told || sealing == Sealing::Hidden);
                Some(if hidden {
                    self.case(session, window, sight.seat, false).await?
                } else {
                    case
                })
            }
            None => None,
        };
        let mut windows = self.windows(session).await?;
        let announced = open.filter(|open| open.opens_at <= self.now);
        let open = match &announced {
            Some(window) => {
                let mut case = self.case(session, window, sight.seat, sight.is_open).await?;
                // Who plays along sees no more of hidden sealings than the others.
                if let (true, Some(play)) = (is_hidden_from(&case, &sight), &sight.play) {
                    case.progress = play.progress.clone();
                }
                let (number, at) = (case.number, window.opens_at);
                // To go back within a round is to go back to its beginning.
                if window.root == number {
                    windows.retain(|opened| opened.round != case.contest.round());
                    windows.push(RollbackTarget { number, round: case.contest.round(), at });
                }
                Some(case)
            }
            None => None,
        };
        let before_outage = match &announced {
            Some(window) => self.before_outage(session, window).await?,
            None => None,
        };
        let (lang, decided) = (sight.language, Vec::new());
        Ok(Bench { sight, open, last, windows, before_outage, decided, lang })
    }

    /// The deadline of a window before an outage put it off, if it has not been moved since.
    async fn before_outage(
        &self,
        session: &mut Session,
        window: &WindowRow,
    ) -> Result<Option<Time>, NotDone> {
        let mut found = None;
        for row in session.journal(&self.table.code, EntryNumber::FIRST).await? {
            if let Event::Extended { number, closes, paused: false, locked: false, before, .. } =
                read_json(&row.body)?
                && (number, closes) == (window.number, window.closes_at)
            {
                found = Some(before);
            }
        }
        Ok(found)
    }

    async fn case(
        &self,
        session: &mut Session,
        window: &WindowRow,
        own: Option<Seat>,
        is_known: bool,
    ) -> Result<Case, NotDone> {
        let Self { table, seats, .. } = self;
        let game = self.games.of(table)?;
        let contest = contest(session, game, table, seats, window).await;
        let contest = contest.map_err(StoreError::from)?;
        let progress_rows = session.declaration_progress(&table.code, window.number).await?;
        let progress = BySeat::new(table.chairs, |seat| {
            progress(window, &progress_rows, seat, is_known || own == Some(seat))
        });
        let mut declared: BySeat<Option<Declaration>> = BySeat::new(table.chairs, |_| None);
        // A draft counts once the window has closed; before, it is nobody's but the player's.
        let is_open = Some(window.number) == table.open_window;
        let is_seen =
            |progress_row: &&DeclarationProgressRow| is_known && (!is_open || progress_row.sealed);
        for progress_row in progress_rows.iter().filter(is_seen) {
            let own =
                session.own_declaration(&table.code, window.number, progress_row.seat).await?;
            declared[progress_row.seat] = own.map(|own| own.answers);
        }
        let declared = is_known.then_some(declared);
        Ok(Case { number: window.number, contest, progress, declared })
    }

    /// The windows that were closed and led to the open one, where a round began: each round once.
    async fn windows(&self, session: &mut Session) -> Result<Vec<RollbackTarget>, NotDone> {
        let code = &self.table.code;
        let line = line(session, &self.table).await?;
        let mut windows: Vec<RollbackTarget> = Vec::new();
        for row in session.journal(code, EntryNumber::FIRST).await? {
            let Event::Closed { number, round, .. } = read_json(&row.body)? else { continue };
            let opened = session.window(code, number).await?;
            let opened = opened.filter(|opened| opened.root == number && line.contains(&number));
            if let Some(opened) = opened {
                windows.retain(|opened| opened.round != round);
                windows.push(RollbackTarget { number, round, at: opened.opens_at });
            }
        }
        Ok(windows)
    }
}

impl Bench {
    /// The window that is judged if none is named: the open one, or else the last.
    pub(crate) fn case(&self, last: bool) -> Option<&Case> {
        if last { self.last.as_ref() } else { self.open.as_ref().or(self.last.as_ref()) }
    }

    /// The case of a number, and whether it has to be named to be meant.
    pub(crate) fn case_of(&self, number: WindowNumber) -> Option<(&Case, bool)> {
        let open = self.open.as_ref().filter(|case| case.number == number);
        let last = self.last.as_ref().filter(|case| case.number == number);
        open.map(|case| (case, false)).or_else(|| last.map(|case| (case, self.open.is_some())))
    }

    /// What the game master may know of the cards: no more than whoever sits where they do, unless
    /// the table knows that they look.
    pub(crate) fn viewer(&self) -> Viewer {
        if self.sight.is_open { Viewer::All } else { self.sight.viewer() }
    }

    /// True if whoever decides plays, has not opened what is hidden, and does not know all that this
    /// seat knows.
    pub(crate) fn is_covered(&self, case: &Case, seat: Seat) -> bool {
        let viewer = self.sight.viewer();
        self.sight.seat.is_some_and(|own| own != seat)
            && !self.sight.is_open
            && !case.contest.knows_all_of(viewer, seat)
    }

    /// What a seat is asked in a window, as far as whoever decides may know it.
    pub(crate) fn asked(&self, case: &Case, seat: Seat, draft: &Declaration) -> Interview {
        if !self.is_covered(case, seat) {
            return case.contest.interview(seat, draft);
        }
        let known = case.contest.interview_known_to(self.sight.viewer(), seat, draft);
        known.unwrap_or_default()
    }

    /// What the open window would bring if it closed with what is sealed by now, or what the last one
    /// brings that waits to be announced. Nothing is changed by it.
    ///
    /// # Errors
    /// If who looks plays or has not opened the seals, no game is being played, or the window is
    /// stuck in its rules.
    pub fn preview(&self) -> Result<ResultPreview, Refused> {
        match self.sight.stage {
            Stage::Forming => return Err(Refused::NotBegun),
            Stage::Over => return Err(Refused::Over),
            Stage::Playing => {}
        }
        let sees = self.sight.seat.is_none() && self.sight.is_open;
        let case = self.case(false).filter(|_| sees).ok_or(OverrideRefused::NoPreview)?;
        let declared = case.declared.clone().ok_or(OverrideRefused::NoPreview)?;
        let mut contest = case.contest.copy();
        let told = contest.close(declared).map_err(|_| Refused::Held)?;
        Ok(ResultPreview {
            is_open: self.open.is_some(),
            entries: told.entries,
            report: contest.report(Viewer::All),
            is_over: contest.standing().is_some(),
        })
    }

    /// The seats of the table.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.sight.chairs)
    }
}
