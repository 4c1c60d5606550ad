//! The history of a table that is over: step by step, with the knowledge of each viewer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::audit::file::{Extent, NotExported, export};
use crate::model::{Desk, Games, NotDone, announced_stage, dice, names};
use crate::overrides::gm_view::{LoggedOverride, logged};
use crate::record::{Event, History, JournalEvent, Lineage, Part, Secrecy};
use crate::view::show;
use games::any::{AnyContest, AnyGame};
use letters::{Reader, Refused};
use rules::text::{Lang, Words};
use rules::{
    BySeat, Cast, Declaration, Dice, Entry, Interview, Place, Receipt, Round, Saved, Seat, Viewer,
    Witness,
};
use store::{
    JournalRow, OverrideRow, Result, SeatRow, Session, StoreError, TableRow, WindowRow, overrides,
    people, read_hex, read_json, traces, windows,
};
use tables::{
    AccountId, CloseReason, EndKind, EntryNumber, Stage, TableCode, TableSetting, Time,
    WindowNumber,
};

/// The history of a table that is over.
#[derive(Debug)]
pub struct Retold {
    /// The code of the table, as people type it.
    pub code: TableCode,
    pub game: &'static dyn AnyGame,
    /// The language of the public letters.
    pub language: Lang,
    pub chairs: usize,
    /// The names of the players at the end, by seat.
    pub names: Vec<String>,
    /// The seats of bot players at the end.
    pub bots: Vec<Seat>,
    /// The time zone of the letters.
    pub zone: Tz,
    /// The hash of the seed, in hex digits.
    pub commitment: String,
    /// The hash of the last entry of the journal, in hex digits.
    pub head: String,
    /// The seed, in hex digits.
    pub seed: String,
    /// The file of the table, without names, for verification.
    pub file: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The names of the deciders, by their accounts.
    masters: BTreeMap<AccountId, String>,
}

/// A step of the history: an event, and its result.
#[derive(Debug)]
pub struct Step {
    pub what: StepKind,
    pub at: Time,
    /// The validity of the step at the end.
    pub fate: Validity,
    /// The contest before the window was resolved; `None` if the step is not a window.
    open: Option<Box<dyn AnyContest>>,
    /// The contest after the step; `None` before the deal.
    contest: Option<Box<dyn AnyContest>>,
    /// The event, with its secrets.
    event: Event,
    /// True if only the number of sealings was public.
    count_only: bool,
    declared: Vec<Revealed>,
    dice: Vec<Cast>,
    decided: Vec<LoggedOverride>,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// The game was dealt.
    Dealt,
    /// A window was closed and resolved.
    Closed {
        number: WindowNumber,
        /// The root window, counted from 0, which is the deal.
        round: Round,
        /// True if the window belonged to a root window that was being resolved.
        suspended: bool,
        why: CloseReason,
    },
    /// The table was over.
    Over { how: EndKind },
}

/// The validity of a step at the end of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Validity {
    Counts,
    /// The same window was resolved anew.
    Anew,
    /// The table was rolled back to before the step.
    GoneBack,
}

/// A declaration at the closing of its window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revealed {
    pub seat: Seat,
    /// True if the seat had sealed or drafted anything.
    pub is_there: bool,
    /// The receipt of the sealing; `None` without one.
    pub receipt: Option<Receipt>,
    /// The declaration and the questions; `None` if the viewer may not know them.
    pub said: Option<(Declaration, Interview)>,
}

/// A step as one viewer could know it.
#[derive(Debug)]
pub struct Seen {
    /// The decisions of game masters about the step.
    pub decided: Vec<LoggedOverride>,
    /// The declarations of the asked seats.
    pub declared: Vec<Revealed>,
    /// The parts of letters about the step.
    pub parts: Vec<Part>,
    pub entries: Vec<Entry<Json>>,
    /// The dice of the step, including shuffles.
    pub dice: Vec<Cast>,
    /// The report before the window was resolved; `None` if the step is not a window.
    pub open: Option<Json>,
    /// The report after the step; `None` before the deal.
    pub report: Option<Json>,
}

impl Retold {
    /// Returns the possible viewers: the public, each seat, and one who sees everything.
    pub fn viewers(&self) -> Vec<Viewer> {
        let seats = Seat::all(self.chairs).map(Viewer::Seat);
        [Viewer::Public].into_iter().chain(seats).chain([Viewer::All]).collect()
    }

    /// Returns the reader of letters about the table, in this language.
    pub fn reader(&self, lang: Lang) -> Reader {
        Reader::new(self.game, lang).with_names(&self.names).in_zone(self.zone)
    }

    /// Returns the words of the game, with the names of the players.
    pub fn words(&self) -> Words<'static> {
        show::words(self.game, self.chairs, &self.names)
    }

    /// Returns the name of a decider; empty if unknown.
    pub fn called(&self, account: &AccountId) -> &str {
        self.masters.get(account).map_or("", String::as_str)
    }
}

impl Step {
    /// Returns the knowledge of a viewer about the step. The game alone decides what is hidden of its states
    /// and events; of declarations and of the dice thrown in place of one, a seat knows its own.
    pub fn seen_by(&self, viewer: Viewer) -> Seen {
        let is_all = viewer == Viewer::All;
        let is_own = |seat: Option<Seat>| is_all || seat.map(Viewer::Seat) == Some(viewer);
        let revealed = |declared: &Revealed| Revealed {
            said: declared.said.clone().filter(|_| is_own(Some(declared.seat))),
            ..declared.clone()
        };
        // Other viewers are shown only the public decisions.
        let of_table = if is_all { Viewer::All } else { Viewer::Public };
        let decided = self.decided.iter().map(|of| LoggedOverride { whole: is_all, ..of.clone() });
        let secrecy = match &self.contest {
            Some(contest) => Secrecy::seen(self.count_only, &**contest),
            None => Secrecy::HIDDEN,
        };
        let seen = self.event.visible_to(viewer, &secrecy);
        let parts = seen.clone().map(Event::parts).unwrap_or_default();
        let entries = seen.and_then(Event::brought).map(|(_, entries)| entries);
        Seen {
            decided: decided.filter_map(|of| of.visible_to(of_table)).collect(),
            declared: self.declared.iter().map(revealed).collect(),
            parts,
            entries: entries.unwrap_or_default(),
            dice: self.dice.iter().filter(|cast| is_own(cast.seat())).cloned().collect(),
            open: self.open.as_ref().map(|contest| contest.report(viewer)),
            report: self.contest.as_ref().map(|contest| contest.report(viewer)),
        }
    }

    /// Returns the final standing; `None` if the game has none after the step.
    pub fn standing(&self) -> Option<Vec<Place>> {
        self.contest.as_ref()?.standing()
    }

    /// True if seats win together with their side.
    pub fn has_sides(&self) -> bool {
        let sides = self.contest.as_ref().map(|contest| contest.sides());
        sides.is_some_and(|sides| sides.iter().any(|(_, side)| side.is_some()))
    }

    /// True if there are final scores.
    pub fn is_scored(&self) -> bool {
        let is_over = matches!(self.what, StepKind::Over { .. });
        is_over && self.standing().is_some()
    }
}

/// Returns the history of a table; `None` if no end of the table has been announced.
/// Refused if the table does not exist, this program does not know its rules, or its rows contradict its
/// journal.
pub async fn retell(desk: &Desk, code: &TableCode, now: Time) -> Result<Option<Retold>, NotDone> {
    let mut db = desk.store.read().await?;
    let table = db.table(code).await?.ok_or(Refused::NoTable)?;
    let open = windows::window(&mut db, code, table.open_window).await?;
    if announced_stage(&table, open.as_ref(), now) != Stage::Over {
        return Ok(None);
    }
    let telling = HistoryBuilder::of(&mut db, desk.games, table).await?;
    let mut retold = telling.tell(&mut db, open).await?;
    drop(db);
    let extent = Extent { secrets: false, nameless: true };
    retold.file = match export(desk, code, extent, now).await {
        Ok(file) => file,
        Err(NotExported::Store(error)) => return Err(error.into()),
        Err(NotExported::NoTable | NotExported::Running) => return Ok(None),
    };
    Ok(Some(retold))
}

/// The builder of a table's history.
struct HistoryBuilder {
    game: &'static dyn AnyGame,
    table: TableRow,
    seats: Vec<SeatRow>,
    history: History,
    overrides: Vec<OverrideRow>,
    /// The windows on the line to the last one.
    line: BTreeSet<WindowNumber>,
    dice: Dice,
    witness: Witness,
}

impl HistoryBuilder {
    async fn of(db: &mut Session, games: Games, table: TableRow) -> Result<Self, NotDone> {
        let seats = db.seats(&table.code).await?;
        let witness = Witness::default();
        Ok(Self {
            game: games.of(&table)?,
            dice: dice(&table, &seats)?.watched_by(&witness),
            witness,
            seats,
            overrides: overrides::all(db, &table.code).await?,
            line: Lineage::of(db, &table).await?.line,
            history: History::load(db, &table.code).await?,
            table,
        })
    }

    async fn tell(&self, db: &mut Session, open: Option<WindowRow>) -> Result<Retold, NotDone> {
        let mut steps = Vec::new();
        let mut decided = self.decided(db).await?;
        for JournalEvent { row, event: happened } in &self.history.0 {
            let step = match happened {
                Event::Dealt { number, .. } => {
                    Some(self.dealt(db, row, *number, happened, &steps).await?)
                }
                Event::Closed { .. } => Some(self.closed(db, row, happened, &steps).await?),
                Event::Over { how, .. } => {
                    Some(self.over(db, row, *how, happened, open.as_ref()).await?)
                }
                _ => None,
            };
            let Some(mut step) = step else { continue };
            // A decision about no closed window belongs to the next step.
            let touches = |entry: EntryNumber, window: Option<WindowNumber>| match step.what {
                StepKind::Closed { number, .. } if Some(number) == window => true,
                _ => entry < row.entry && window.is_none_or(|window| !self.is_closed(window)),
            };
            let (now, later): (Vec<_>, Vec<_>) =
                decided.into_iter().partition(|(entry, window, _)| touches(*entry, *window));
            step.decided = now.into_iter().map(|(_, _, logged)| logged).collect();
            decided = later;
            steps.push(step);
        }
        if let Some(last) = steps.last_mut() {
            last.decided.extend(decided.into_iter().map(|(_, _, logged)| logged));
        }
        let Self { table, seats, .. } = self;
        Ok(Retold {
            code: table.code.clone(),
            game: self.game,
            language: table.language.parse().unwrap_or(Lang::Ja),
            chairs: table.chairs,
            names: names(seats),
            bots: seats.iter().filter(|row| row.house.is_some()).map(|row| row.seat).collect(),
            zone: table.pace.zone,
            commitment: table.commitment.clone(),
            head: table.chain.clone(),
            seed: table.seed.clone(),
            file: String::new(),
            steps,
            masters: self.masters(db).await?,
        })
    }

    /// Returns every decision, with its journal entry and the window that it touched.
    async fn decided(
        &self,
        db: &mut Session,
    ) -> Result<Vec<(EntryNumber, Option<WindowNumber>, LoggedOverride)>, NotDone> {
        let mut decided = Vec::new();
        for JournalEvent { row, event: happened } in &self.history.0 {
            let Event::Overridden { number, window, .. } = happened else { continue };
            let decision = self.overrides.iter().find(|decision| decision.number == *number);
            if let Some(decision) = decision {
                let logged = logged(db, &self.overrides, decision, true).await?;
                decided.push((row.entry, *window, logged));
            }
        }
        Ok(decided)
    }

    /// Returns the names of the deciders at the table, or else those in their accounts.
    async fn masters(&self, db: &mut Session) -> Result<BTreeMap<AccountId, String>, NotDone> {
        let mut masters = BTreeMap::new();
        for decision in self.overrides.iter().filter(|decision| decision.vote.is_none()) {
            let Some(account) = people::account_of(db, &decision.person).await? else {
                continue;
            };
            let sits = |row: &&SeatRow| row.person.as_ref() == Some(&decision.person);
            let former = traces::former_seats(db, &decision.person).await?;
            let former = former.into_iter().find(|row| row.code == self.table.code);
            let name = self.seats.iter().find(sits).map(|row| row.name.clone());
            let name = name.or(former.map(|row| row.name)).filter(|name| !name.is_empty());
            let name = name.or_else(|| name_in(&account).map(str::to_owned));
            masters.extend(name.map(|name| (account, name)));
        }
        Ok(masters)
    }

    /// Returns the acts of a window that were not taken back.
    fn acts(&self, window: WindowNumber) -> impl Iterator<Item = &Entry<Json>> {
        let acts = self.history.standing().filter_map(move |event| match event {
            Event::Acted { number, entries, .. } if *number == window => Some(entries),
            _ => None,
        });
        acts.flatten()
    }

    fn closings(&self) -> impl Iterator<Item = WindowNumber> {
        self.history.events().filter_map(Event::closed_window).map(|(number, _)| number)
    }

    fn is_closed(&self, window: WindowNumber) -> bool {
        self.closings().any(|closed| closed == window)
    }

    fn step(&self, what: StepKind, event: Event, at: Time) -> Step {
        Step {
            what,
            at,
            fate: Validity::Counts,
            open: None,
            contest: None,
            event,
            count_only: self.table.settings.has(TableSetting::CountOnly),
            declared: Vec::new(),
            dice: Vec::new(),
            decided: Vec::new(),
        }
    }

    async fn dealt(
        &self,
        db: &mut Session,
        row: &JournalRow,
        number: WindowNumber,
        event: &Event,
        before: &[Step],
    ) -> Result<Step> {
        let window = windows::window(db, &self.table.code, number).await?;
        let window = window.ok_or_else(|| lost(number))?;
        let first = self.line.first().copied().unwrap_or(WindowNumber::FIRST);
        let is_later = |other: &WindowNumber| number < *other && *other <= first;
        let is_again =
            |event: &Event| matches!(event, Event::Dealt { number, .. } if is_later(number));
        let again = self.history.events().any(is_again);
        Ok(Step {
            fate: if again || number > first { Validity::GoneBack } else { Validity::Counts },
            dice: self.deal(number, before)?,
            contest: Some(self.contest(db, &window).await?),
            ..self.step(StepKind::Dealt, event.clone(), row.at)
        })
    }

    /// Returns the dice of a deal: the first one, or one asked again after a rollback.
    fn deal(&self, number: WindowNumber, before: &[Step]) -> Result<Vec<Cast>> {
        let unreadable = |why: String| StoreError::Unreadable(why);
        let options = read_json(&self.table.options)?;
        let dealt = self.game.open(&options, self.seats.len(), self.dice.clone());
        let (mut contest, _) = dealt.map_err(|error| unreadable(error.to_string()))?;
        if before.iter().any(|step| matches!(step.what, StepKind::Dealt)) {
            self.witness.take();
            contest.ask_again(number.get()).map_err(|held| unreadable(held.to_string()))?;
        }
        Ok(self.witness.take())
    }

    async fn closed(
        &self,
        db: &mut Session,
        row: &JournalRow,
        happened: &Event,
        before: &[Step],
    ) -> Result<Step> {
        let Event::Closed { number, round, why, sealed, .. } = happened else {
            return Err(lost(row.entry));
        };
        let (code, number) = (&self.table.code, *number);
        let window = windows::window(db, code, number).await?.ok_or_else(|| lost(number))?;
        let mut contest = self.contest(db, &window).await?;
        let stored = windows::declared(db, code, number).await?;
        let mut declared = Vec::new();
        for &seat in &window.asked.0 {
            let hash =
                sealed.iter().find(|(of, _)| *of == Some(seat)).map(|(_, hash)| read_hex(hash));
            let answers = stored
                .iter()
                .find(|stored| stored.seat == seat)
                .map(|stored| stored.answers.clone());
            declared.push(Revealed {
                seat,
                is_there: answers.is_some(),
                receipt: hash.transpose()?.map(Receipt::from_hash),
                said: answers.map(|answers| (answers.clone(), contest.interview(seat, &answers))),
            });
        }
        let answers = BySeat::new(self.table.chairs, |seat| {
            stored.iter().find(|stored| stored.seat == seat).map(|stored| stored.answers.clone())
        });
        let (open, suspended) = (contest.copy(), contest.is_suspended());
        self.witness.take();
        contest.close(answers).map_err(|held| StoreError::Unreadable(held.to_string()))?;
        let mut dice = self.witness.take();
        let same = self.same_round(db, &window).await?;
        let is_earlier = |step: &&Step| match step.what {
            StepKind::Dealt => *round == Round::DEAL,
            StepKind::Closed { number, .. } => same.contains(&number),
            StepKind::Over { .. } => false,
        };
        for step in before.iter().filter(is_earlier) {
            dice.retain(|cast| !step.dice.contains(cast));
        }
        let what = StepKind::Closed { number, round: *round, suspended, why: *why };
        let mut event = happened.clone();
        if let Event::Closed { entries, .. } = &mut event {
            entries.splice(0..0, self.acts(number).cloned());
        }
        Ok(Step {
            fate: self.fate(db, number).await?,
            open: Some(open),
            contest: Some(contest),
            declared,
            dice,
            ..self.step(what, event, row.at)
        })
    }

    async fn over(
        &self,
        db: &mut Session,
        row: &JournalRow,
        how: EndKind,
        event: &Event,
        open: Option<&WindowRow>,
    ) -> Result<Step> {
        let mut contest = match open {
            Some(window) => Some(self.contest(db, window).await?),
            None => None,
        };
        if let Some(contest) = contest.as_mut().filter(|contest| contest.round() > Round::DEAL)
            && how == EndKind::Ended
        {
            contest.finish();
        }
        Ok(Step { contest, ..self.step(StepKind::Over { how }, event.clone(), row.at) })
    }

    /// Returns the windows before one with the same root window. Their dice are not thrown again.
    async fn same_round(&self, db: &mut Session, window: &WindowRow) -> Result<Vec<WindowNumber>> {
        let (mut same, mut next) = (Vec::new(), window.follows);
        while let Some(number) = next
            && let Some(row) = windows::window(db, &self.table.code, number).await?
            && row.root == window.root
        {
            same.push(number);
            next = row.follows;
        }
        Ok(same)
    }

    async fn fate(&self, db: &mut Session, number: WindowNumber) -> Result<Validity> {
        if self.line.contains(&number) {
            return Ok(Validity::Counts);
        }
        for closed in self.closings() {
            let window = windows::window(db, &self.table.code, closed).await?;
            if window.is_some_and(|window| window.again == Some(number)) {
                return Ok(Validity::Anew);
            }
        }
        Ok(Validity::GoneBack)
    }

    async fn contest(&self, db: &mut Session, window: &WindowRow) -> Result<Box<dyn AnyContest>> {
        let root = windows::state(db, &self.table.code, window.root).await?;
        let saved = Saved { root, said: window.said.clone() };
        let loaded = self.game.load(&saved, self.dice.clone());
        loaded.map_err(|error| StoreError::Unreadable(error.to_string()))
    }
}

/// Returns the name in an account such as `terminal:sakura`, `None` for a number.
fn name_in(account: &AccountId) -> Option<&str> {
    let (_, name) = account.as_str().split_once(':')?;
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    (!is_number && !account.is_erased()).then_some(name)
}

fn lost(number: impl fmt::Display) -> StoreError {
    StoreError::Unreadable(format!("there is no window {number}"))
}
