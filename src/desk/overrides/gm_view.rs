//! The view of a game master: the table, the open window, the one before it, and the log of decisions; and
//! the right to decide.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use serde_json::Value as Json;
use strum::EnumCount;

use crate::commands::{Command, CommandOption, Manifest};
use crate::model::{Desk, Games, Gm, Override, Result, Stored, Verb, contest, in_play, leads};
use crate::record::{Event, History, Lineage, Secrecy};
use crate::view::see::{Sight, progress, sight};
use games::any::AnyContest;
use letters::{Changes, OverrideRefused, Refused};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{Lang, fold};
use rules::window::Progress;
use rules::{BySeat, Declaration, Entry, Interview, Round, Sealing, Seat, Thrown, Viewer};
use store::{
    DeclarationProgressRow, OverrideRow, SeatRow, Session, TableRow, WindowRow, overrides, people,
    read_json, windows,
};
use tables::vocabulary::{self, WordForms, all_said, found, sound};
use tables::{
    AccountId, Notified, OverrideNumber, PersonId, TableCode, TableSetting, Time, WindowNumber,
};

/// A table as a game master decides about it, for their eyes only.
#[derive(Debug)]
pub struct GmView {
    /// The table as the game master sees it.
    pub sight: Sight,
    /// The open window, once it has been announced.
    pub open: Option<JudgedWindow>,
    /// The window that was closed last.
    pub last: Option<JudgedWindow>,
    /// The windows to which the table can be rolled back, in order: the beginnings of the rounds that led to
    /// the open window.
    pub windows: Vec<RollbackTarget>,
    /// The deadline of the open window before an outage extended it; `None` without an outage.
    pub before_outage: Option<Time>,
    /// The decisions so far.
    pub decided: Vec<LoggedOverride>,
    /// The language of suggestions to the game master: the table's, unless it is set.
    pub lang: Lang,
}

/// A window that can be resolved with changes.
#[derive(Debug)]
pub struct JudgedWindow {
    pub number: WindowNumber,
    /// The contest at the opening of the window.
    pub contest: Box<dyn AnyContest>,
    /// The progress of each seat, whether others may know it or not.
    pub progress: BySeat<Progress>,
    /// The declarations; `None` if the game master may not see them.
    pub declared: Option<BySeat<Option<Declaration>>>,
}

/// The result of a window that has not been announced.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultPreview {
    /// True if the window has not closed yet: only the present seals count.
    pub is_open: bool,
    /// The events of the result, including hidden ones.
    pub entries: Vec<Entry<Json>>,
    /// The report after the result, as the game master sees it.
    pub report: Json,
    /// True if the game would be over.
    pub is_over: bool,
}

/// A window to which a table can be rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollbackTarget {
    pub number: WindowNumber,
    /// The root window, counted from 0, which is the deal.
    pub round: Round,
    /// The opening time of the window.
    pub at: Time,
}

/// An override in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LoggedOverride {
    /// The number of the override at the table, from 0.
    pub number: OverrideNumber,
    /// The time of the decision.
    pub at: Time,
    /// The account of the decider, or of the proposer for a vote.
    pub by: Option<AccountId>,
    /// True if the table decided by a vote.
    pub voted: bool,
    pub what: Override,
    /// The reason, empty if none was given.
    pub reason: String,
    /// True if the decision was shown to the whole table.
    pub public: bool,
    /// The seats that were shown the decision, if the table was not.
    pub alone: Vec<Seat>,
    /// The number of the override that undid this one.
    pub undone: Option<OverrideNumber>,
    /// The changes shown before the decision.
    pub shown: Changes,
    /// True if the reader of the log is a game master.
    pub whole: bool,
}

impl RollbackTarget {
    /// Returns the name of the window in a decision.
    pub(crate) fn name(&self, lang: Lang) -> String {
        match self.round {
            Round::DEAL => Particle::Setup.word(lang).to_owned(),
            number => number.to_string(),
        }
    }
}

impl JudgedWindow {
    /// Returns the declaration of a seat; empty if the game master may not see it.
    pub(crate) fn said_by(&self, seat: Seat) -> Declaration {
        let declared = self.declared.as_ref().and_then(|declared| declared[seat].clone());
        declared.unwrap_or_default()
    }

    /// Returns the dice of the window's resolution; `None` if the game master may not know them.
    pub fn thrown(&self) -> Option<Vec<Thrown>> {
        Some(self.contest.thrown(self.declared.clone()?))
    }
}

/// Returns the view of a game master.
/// Refused for others.
pub async fn gm_view(desk: &Desk, code: &TableCode, gm: &Gm, now: Time) -> Result<GmView> {
    let mut db = desk.store.read().await?;
    let table = db.table(code).await?.ok_or(Refused::NoTable)?;
    authorize(&mut db, &table, gm).await?;
    let sight = sight(&mut db, desk.games, code, Some(&gm.account), now).await?;
    let looking = Looking { games: desk.games, seats: db.seats(code).await?, table, now };
    let gm_view = looking.gm_view(&mut db, sight).await?;
    drop(db);
    Ok(GmView { decided: overrides(desk, code, gm).await?, ..gm_view })
}

/// Returns the decisions at a table, in order: all of them for its game masters, the public ones for
/// others.
pub async fn overrides(desk: &Desk, code: &TableCode, gm: &Gm) -> Result<Vec<LoggedOverride>> {
    let mut db = desk.store.read().await?;
    let table = db.table(code).await?.ok_or(Refused::NoTable)?;
    let (_, sees_all) = leads(&mut db, &table, gm).await?;
    let mut log = Vec::new();
    let rows = overrides::all(&mut db, code).await?;
    for row in &rows {
        let one = logged(&mut db, &rows, row, sees_all).await?;
        log.extend(one.visible_to(if sees_all { Viewer::All } else { Viewer::Public }));
    }
    Ok(log)
}

impl LoggedOverride {
    /// Returns the entry if the viewer may see it: one who sees everything, or the public.
    pub(crate) fn visible_to(self, viewer: Viewer) -> Option<Self> {
        let mut event = Event::decided(self.number, None, self.what.clone(), self.reason.clone());
        if let Event::Overridden { alone, .. } = &mut event {
            *alone = (!self.public).then(|| self.alone.clone());
        }
        event.visible_to(viewer, &Secrecy::HIDDEN).map(|_| self)
    }
}

/// Returns the id of a game master, `None` if they have a role and have never been here. Refused for others.
pub(crate) async fn authorize(
    db: &mut Session,
    table: &TableRow,
    gm: &Gm,
) -> Result<Option<PersonId>> {
    match leads(db, table, gm).await? {
        (person, true) => Ok(person),
        (_, false) => Err(OverrideRefused::NotGm.into()),
    }
}

/// Returns the log entry of an override; its public part only unless `whole`.
pub(crate) async fn logged(
    db: &mut Session,
    all: &[OverrideRow],
    row: &OverrideRow,
    whole: bool,
) -> Stored<LoggedOverride> {
    let by = people::account_of(db, &row.person).await?;
    Ok(LoggedOverride {
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

/// Returns the seats that a decision is about; for an undo, those of the undone decision.
pub(crate) fn seats_of(overrides: &[OverrideRow], number: OverrideNumber) -> Stored<Vec<Seat>> {
    let mut number = number;
    loop {
        let Some(row) = overrides.iter().find(|row| row.number == number) else {
            return Ok(Vec::new());
        };
        match read_json(&row.what)? {
            // Only earlier decisions can be undone.
            Override::Undo { number: undone } if undone < number => number = undone,
            what => return Ok(Override::seats(&what)),
        }
    }
}

/// True if the viewer plays in a game with hidden sealings, and has not opened them.
pub(crate) fn is_hidden_from(case: &JudgedWindow, sight: &Sight) -> bool {
    let hidden = case.contest.procedure().sealing == Sealing::Hidden;
    hidden && sight.seat.is_some() && !sight.has(TableSetting::Open)
}

/// Returns the view of a viewer who sees everything and does not play.
pub(crate) async fn whole_gm_view(
    db: &mut Session,
    games: Games,
    table: TableRow,
    now: Time,
) -> Result<GmView> {
    let sight = sight(db, games, &table.code, None, now).await?;
    let seats = db.seats(&table.code).await?;
    Looking { games, table, seats, now }.gm_view(db, sight).await
}

struct Looking {
    games: Games,
    table: TableRow,
    seats: Vec<SeatRow>,
    now: Time,
}

impl Looking {
    async fn gm_view(&self, db: &mut Session, sight: Sight) -> Result<GmView> {
        let code = &self.table.code;
        let open = windows::window(db, code, self.table.open_window).await?;
        let last = match open.as_ref().and_then(|open| open.follows) {
            Some(number) => windows::window(db, code, number).await?,
            None => None,
        };
        let is_told = open.as_ref().is_some_and(|open| open.opens_at <= self.now);
        let last = match &last {
            Some(window) => {
                let case = self.case(db, window, None, true).await?;
                // A playing game master sees no more seals than other players do, and no dice before their
                // announcement.
                let plays = sight.seat.is_some() && !sight.has(TableSetting::Open);
                let sealing = case.contest.procedure().sealing;
                let hidden = plays && (!is_told || sealing == Sealing::Hidden);
                Some(if hidden { self.case(db, window, sight.seat, false).await? } else { case })
            }
            None => None,
        };
        let mut windows = self.windows(db).await?;
        let announced = open.filter(|open| open.opens_at <= self.now);
        let open = match &announced {
            Some(window) => {
                let mut case =
                    self.case(db, window, sight.seat, sight.has(TableSetting::Open)).await?;
                // A playing game master sees no more of hidden sealings than other players do.
                if let (true, Some(play)) = (is_hidden_from(&case, &sight), &sight.play) {
                    case.progress = play.progress.clone();
                }
                let (number, at) = (case.number, window.opens_at);
                // A rollback within a round goes to its beginning.
                if window.root == number {
                    windows.retain(|opened| opened.round != case.contest.round());
                    windows.push(RollbackTarget { number, round: case.contest.round(), at });
                }
                Some(case)
            }
            None => None,
        };
        let before_outage = match &announced {
            Some(window) => self.before_outage(db, window).await?,
            None => None,
        };
        let (lang, decided) = (sight.language, Vec::new());
        Ok(GmView { sight, open, last, windows, before_outage, decided, lang })
    }

    /// Returns the deadline of a window before an outage extended it, `None` if it was moved since.
    async fn before_outage(&self, db: &mut Session, window: &WindowRow) -> Result<Option<Time>> {
        let mut found = None;
        for event in History::load(db, &self.table.code).await?.events() {
            if let Event::Extended { number, closes, paused: false, locked: false, before, .. } =
                event
                && (*number, *closes) == (window.number, window.closes_at)
            {
                found = Some(*before);
            }
        }
        Ok(found)
    }

    async fn case(
        &self,
        db: &mut Session,
        window: &WindowRow,
        own: Option<Seat>,
        is_known: bool,
    ) -> Result<JudgedWindow> {
        let Self { table, seats, .. } = self;
        let game = self.games.of(table)?;
        let contest = contest(db, game, table, seats, window).await?;
        let progress_rows = windows::declaration_progress(db, &table.code, window.number).await?;
        let progress = BySeat::new(table.chairs, |seat| {
            progress(window, &progress_rows, seat, is_known || own == Some(seat))
        });
        let mut declared: BySeat<Option<Declaration>> = BySeat::new(table.chairs, |_| None);
        // The draft of an open window is private, and counts only once the window has closed.
        let is_open = Some(window.number) == table.open_window;
        let is_seen =
            |progress_row: &&DeclarationProgressRow| is_known && (!is_open || progress_row.sealed);
        for progress_row in progress_rows.iter().filter(is_seen) {
            let own =
                windows::own_declaration(db, &table.code, window.number, progress_row.seat).await?;
            declared[progress_row.seat] = own.map(|own| own.answers);
        }
        let declared = is_known.then_some(declared);
        Ok(JudgedWindow { number: window.number, contest, progress, declared })
    }

    /// Returns the closed windows on the line to the open one in which a round began, one per round.
    async fn windows(&self, db: &mut Session) -> Result<Vec<RollbackTarget>> {
        let code = &self.table.code;
        let line = Lineage::of(db, &self.table).await?.line;
        let mut windows: Vec<RollbackTarget> = Vec::new();
        let history = History::load(db, code).await?;
        for (number, round) in history.events().filter_map(Event::closed_window) {
            let opened = windows::window(db, code, number).await?;
            let opened = opened.filter(|opened| opened.root == number && line.contains(&number));
            if let Some(opened) = opened {
                windows.retain(|opened| opened.round != round);
                windows.push(RollbackTarget { number, round, at: opened.opens_at });
            }
        }
        Ok(windows)
    }
}

impl GmView {
    /// Returns the window that is judged by default: the open one, or else the last.
    pub(crate) fn case(&self, last: bool) -> Option<&JudgedWindow> {
        if last { self.last.as_ref() } else { self.open.as_ref().or(self.last.as_ref()) }
    }

    /// Returns the case of a window number, and true if a decision must name the window.
    pub(crate) fn case_of(&self, number: WindowNumber) -> Option<(&JudgedWindow, bool)> {
        let open = self.open.as_ref().filter(|case| case.number == number);
        let last = self.last.as_ref().filter(|case| case.number == number);
        open.map(|case| (case, false)).or_else(|| last.map(|case| (case, self.open.is_some())))
    }

    /// Returns the game master as a viewer of cards: limited to their own seat, unless the sealed
    /// declarations are open to them.
    pub(crate) fn viewer(&self) -> Viewer {
        if self.sight.has(TableSetting::Open) { Viewer::All } else { self.sight.viewer() }
    }

    /// True if the decider plays, has not opened hidden information, and knows less than this seat.
    pub(crate) fn is_covered(&self, case: &JudgedWindow, seat: Seat) -> bool {
        let viewer = self.sight.viewer();
        self.sight.seat.is_some_and(|own| own != seat)
            && !self.sight.has(TableSetting::Open)
            && !case.contest.knows_all_of(viewer, seat)
    }

    /// Returns the questions of a seat in a window, as far as the decider may know them.
    pub(crate) fn asked(&self, case: &JudgedWindow, seat: Seat, draft: &Declaration) -> Interview {
        if !self.is_covered(case, seat) {
            return case.contest.interview(seat, draft);
        }
        let known = case.contest.interview_known_to(self.sight.viewer(), seat, draft);
        known.unwrap_or_default()
    }

    /// Returns the result of the open window if it closed with the present seals, or the unannounced result
    /// of the last one. Nothing is changed.
    ///
    /// # Errors If the game master plays or has not opened the seals, no game is being played, or the window
    /// is stuck in its rules.
    pub fn preview(&self) -> Result<ResultPreview, Refused> {
        in_play(self.sight.stage)?;
        let sees = self.sight.seat.is_none() && self.sight.has(TableSetting::Open);
        let case = self.case(false).filter(|_| sees).ok_or(OverrideRefused::NoPreview)?;
        let declared = case.declared.clone().ok_or(OverrideRefused::NoPreview)?;
        let mut contest = case.contest.copy();
        let resolution = contest.close(declared).map_err(|_| Refused::Held)?;
        Ok(ResultPreview {
            is_open: self.open.is_some(),
            entries: resolution.entries,
            report: contest.report(Viewer::All),
            is_over: contest.standing().is_some(),
        })
    }

    /// Returns the seats of the table.
    pub(crate) fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.sight.chairs)
    }
}

const FILE: &str = "data/desk/gm.toml";
const TEXT: &str = include_str!("../../../data/desk/gm.toml");

/// A reply to a dry run, or a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideReply {
    /// The decision is made, and the whole table is notified.
    Yes,
    /// The decision is made, and only its seats are notified.
    Quietly,
    /// The proposed decision is dropped.
    No,
    /// The log of decisions.
    Log,
    /// The open window, as far as the game master may see it.
    Show,
    /// The result of the window.
    Preview,
    /// A game master is appointed.
    Appoint,
    /// A game master is dismissed.
    Dismiss,
    /// The list of decisions.
    Help,
}

/// A word within a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, EnumCount)]
#[serde(rename_all = "kebab-case")]
pub(in crate::overrides) enum Particle {
    /// The window that was closed last.
    Last,
    /// A die of the whole table.
    Table,
    /// Another throw of a die.
    Again,
    /// The clock of a lock, which stops.
    Stop,
    /// The deadline before an outage extended it.
    Before,
    /// The window of the setup.
    Setup,
    /// A window, with its number before, after or within the word.
    Window,
}

impl Verb {
    /// Parses the verb at the beginning of a text, and returns it with the rest.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        found(&WORDS.verb, text)
    }

    /// Returns the word shown in a language.
    pub fn word(self, lang: Lang) -> &'static str {
        WORDS.verb.get(&self).map_or("", |forms| forms.shown(lang))
    }
}

impl OverrideReply {
    /// Parses the reply at the beginning of a text, and returns it with the rest.
    pub fn read(text: &str) -> Option<(Self, &str)> {
        found(&WORDS.reply, text)
    }

    pub(crate) fn words(lang: Lang) -> impl Iterator<Item = &'static str> {
        WORDS.reply.values().map(move |forms| forms.shown(lang))
    }
}

impl Particle {
    /// Returns the word shown in a language.
    pub(in crate::overrides) fn word(self, lang: Lang) -> &'static str {
        WORDS.particle.get(&self).map_or("", |forms| forms.shown(lang))
    }

    /// Returns the rest of a text that begins with this word, `None` for other texts.
    pub(crate) fn strip(self, text: &str) -> Option<&str> {
        found(&WORDS.particle, text).filter(|(found, _)| *found == self).map(|(_, rest)| rest)
    }
}

/// Returns the verbs most similar to this word, the best first.
pub(crate) fn nearest(input: &str) -> Vec<String> {
    let all = WORDS.verb.values().flat_map(WordForms::all).map(|word| (fold(word), word.as_str()));
    vocabulary::nearest(input, all)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OverrideWords {
    #[serde(skip)]
    verb: BTreeMap<Verb, WordForms>,
    reply: BTreeMap<OverrideReply, WordForms>,
    particle: BTreeMap<Particle, WordForms>,
}

static WORDS: BuiltIn<OverrideWords> =
    BuiltIn::new(|| read(FILE, TEXT, &Command::OF_GAME_MASTERS.map(Command::source)));

fn read(
    file_name: &str,
    text: &str,
    manifests: &[(&str, &str)],
) -> Result<OverrideWords, DataFault> {
    let mut words: OverrideWords = parse(file_name, text)?;
    for (file_name, text) in manifests {
        let manifest: Manifest = parse(file_name, text)?;
        words.verb.extend(manifest.below().filter_map(verb_of));
    }
    let at = (file_name, text);
    all_said(at, "[verb]", &words.verb)?;
    all_said(at, "[reply]", &words.reply)?;
    all_said(at, "[particle]", &words.particle)?;
    sound(at, words.verb.values().chain(words.reply.values()).chain(words.particle.values()))?;
    Ok(words)
}

/// Returns the words for a verb; `None` for other commands.
fn verb_of(command: &CommandOption) -> Option<(Verb, WordForms)> {
    let name: StrDeserializer<'_, Error> = command.name.as_str().into_deserializer();
    let [ja, en] = [Lang::Ja, Lang::En].map(|lang| command.called(lang).to_owned());
    let en = std::iter::once(en).chain(command.also.clone()).collect();
    Some((Verb::deserialize(name).ok()?, WordForms::new(vec![ja], en)))
}

/// Returns every fault in the words of a game master.
pub fn check() -> Vec<DataFault> {
    WORDS.fault().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_fault_has_its_line() {
        let manifests = Command::OF_GAME_MASTERS.map(Command::source);
        let fault = |text: &str| read(FILE, text, &manifests).unwrap_err();
        let twice = TEXT.replace("\"yes\"", "\"close\"");
        assert!(fault(&twice).what.contains("two places"));
        let only = TEXT.replace("ja = [\"はい\"]", "ja = []");
        assert!(fault(&only).what.contains("languages"));
        let less = read(FILE, TEXT, &manifests[1..]).unwrap_err();
        assert!(less.what.starts_with("25 of "), "{less}");
    }

    #[test]
    fn a_verb_stands_at_the_beginning() {
        assert_eq!(Verb::read("extend 22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("ＥＸＴＥＮＤ　22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("延長22:00"), Some((Verb::Extend, "22:00")));
        assert_eq!(Verb::read("飛ばし取消 P1"), Some((Verb::Unskip, "P1")));
        assert_eq!(Verb::read("飛ばしP1"), Some((Verb::Skip, "P1")));
        assert_eq!(Verb::read("accept P1"), Some((Verb::AcceptLate, "P1")));
        assert_eq!(Verb::read("extended"), None);
        assert_eq!(Verb::read(""), None);
    }
}
