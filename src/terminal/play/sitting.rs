//! One person at a table: what they type, what they have drafted, what they are shown.

use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::commands::Command;
use crate::games::any::AnyGame;
use crate::letters::{
    Deadline, Echo, Goodbye, LetterFault, Letters, Moment, Opening, Progress, Reader, Refused,
    Unread, Welcome, Window,
};
use crate::rules::contest::Held;
use crate::rules::text::{self, Completion, Lang, Words};
use crate::rules::window;
use crate::rules::{Declaration, Dice, Entry, Interview, Key, Label, Seat, Viewer};
use crate::tables::{NotNow, Occupant, Table, Why};

/// Something that went wrong with the game itself, not with what was typed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Broken {
    #[error(transparent)]
    Letter(#[from] LetterFault),
    #[error(transparent)]
    Held(#[from] Held),
}

impl From<Broken> for std::io::Error {
    fn from(broken: Broken) -> Self {
        Self::other(broken)
    }
}

/// What is to be shown, or that the person leaves.
pub(super) enum Answer {
    Show(String),
    Leave,
}

/// The longest text of a declaration, in characters: what fits into a form on Discord.
const LONGEST: usize = 4000;

/// A person at a table of house players.
#[derive(Debug)]
pub(super) struct Sitting {
    game: &'static dyn AnyGame,
    table: Table,
    me: Seat,
    letters: Letters,
    reader: Reader,
    words: Words<'static>,
    /// What the person has said so far in this window.
    draft: Declaration,
    /// The heading that the person wrote last on a line of its own.
    heading: String,
    /// Whether a seal on a faulty or empty draft has been asked about once.
    warned: bool,
    /// When the deadline of this window is still to be called to mind, the next time last.
    reminders: Vec<i64>,
    /// What this person may know of each window that has closed.
    past: Vec<(u32, Vec<Entry<Json>>)>,
    /// What the house players decide by.
    house: Dice,
}

impl Sitting {
    pub(super) fn new(
        game: &'static dyn AnyGame,
        table: Table,
        me: Seat,
        letters: Letters,
        lang: Lang,
        house: Dice,
    ) -> Self {
        let names = table.occupants().map(|_, occupant| match occupant {
            Occupant::Person(name) => vec![name.clone()],
            Occupant::House(_) => Vec::new(),
        });
        let lexicon = game.lexicon();
        let shown = names.iter().map(|(_, names)| names.first().cloned().unwrap_or_default());
        let reader = Reader::new(game, lang).with_names(shown);
        let words = Words::new(lexicon, &names);
        let (draft, past) = (Declaration::default(), Vec::new());
        Self {
            game,
            table,
            me,
            letters,
            reader,
            words,
            draft,
            heading: String::new(),
            warned: false,
            reminders: Vec::new(),
            past,
            house,
        }
    }

    /// When there is something to be done without the person: a reminder, or the deadline. In
    /// milliseconds since 1970.
    pub(super) fn due_next(&self) -> i64 {
        self.reminders.last().copied().unwrap_or_else(|| self.table.deadline())
    }

    /// Calls the deadline to mind, of who has not sealed yet.
    pub(super) fn remind_if_due(&mut self, now: i64) -> Result<Option<String>, Broken> {
        let due = self.reminders.iter().filter(|at| **at <= now).count();
        if due == 0 {
            return Ok(None);
        }
        self.reminders.truncate(self.reminders.len() - due);
        let progress = match self.table.progress(self.me) {
            window::Progress::NothingDeclared => Progress::Nothing,
            window::Progress::Draft => Progress::Draft,
            _ => return Ok(None),
        };
        let closes = moment(self.table.deadline());
        let deadline = Deadline { closes, left: self.table.deadline() - now, progress };
        Ok(Some(self.letters.deadline(&self.reader, &deadline)?))
    }

    /// Whether the game is over.
    pub(super) fn is_over(&self) -> bool {
        self.table.contest().standing().is_some()
    }

    pub(super) fn welcome(&self, table: &str, commitment: &str) -> Result<String, Broken> {
        let seats = self.table.occupants().count();
        let (you, commitment) = (Some(self.me), Some(commitment));
        let welcome = Welcome { table, seats, you, commitment };
        Ok(self.letters.welcome(&self.reader, &welcome)?)
    }

    pub(super) fn goodbye(&self, seed: &str) -> Result<String, Broken> {
        let goodbye = Goodbye { over: self.is_over(), seed: Some(seed) };
        Ok(self.letters.goodbye(&self.reader, &goodbye)?)
    }

    /// Keeps what happened, and shows it.
    pub(super) fn tell(
        &mut self,
        window: u32,
        entries: Vec<Entry<Json>>,
    ) -> Result<String, Broken> {
        let report = self.report();
        let mut shown = self.letters.result(&self.reader, &entries, &report)?;
        if let Some(skip) = self.letters.skip(&self.reader, self.me, &entries)? {
            follow(&mut shown, &skip);
        }
        self.past.push((window, entries));
        Ok(shown)
    }

    /// Opens a window for the person, after the house players have sealed theirs.
    pub(super) fn open(&mut self, now: i64) -> Result<String, Broken> {
        self.draft = Declaration::default();
        self.heading.clear();
        self.warned = false;
        self.reminders = self.table.reminders();
        self.reminders.reverse();
        self.seat_house(now);
        let contest = self.table.contest();
        let (asked, report) = (contest.asked(), self.report());
        let opening = Opening {
            window: contest.window(),
            suspended: contest.is_suspended(),
            asked: &asked,
            closes: Some(moment(self.table.deadline())),
            announced: Some(moment(self.table.deadline())),
            early: self.table.pace().early,
            report: &report,
        };
        let mut shown = self.letters.opening(&self.reader, &opening)?;
        if asked.contains(&self.me) {
            follow(&mut shown, &self.letters.questions(&self.reader, &self.interview())?);
        }
        Ok(shown)
    }

    fn seat_house(&mut self, now: i64) {
        let dice = self.house.of_window(self.table.contest().window(), 0);
        let asked = self.table.contest().asked();
        let policies = self.table.occupants().map(|_, occupant| match occupant {
            Occupant::House(policy) => Some(policy.clone()),
            Occupant::Person(_) => None,
        });
        for seat in asked {
            let Some(policy) = &policies[seat] else { continue };
            let chance = dice.stream(&Label::of(seat, Key::part("house")));
            if let Some(declaration) = self.table.contest().declare(seat, policy, chance) {
                // The window has just been opened, and this seat is asked.
                let _ = self.table.seal(seat, declaration, now);
            }
        }
    }

    /// Closes the window if it is due, and shows the result and the next window.
    pub(super) fn close_if_due(&mut self, now: i64) -> Result<Option<String>, Broken> {
        let Some(why) = self.table.due(now) else { return Ok(None) };
        let window = self.table.contest().window();
        let closed = self.table.close(why, now)?;
        let mut shown = String::new();
        if why == Why::Deadline {
            shown = self.letters.closed(&self.reader, &closed.awaited)?;
        }
        follow(&mut shown, &self.tell(window, closed.told.entries(Viewer::Seat(self.me)))?);
        if self.is_over() {
            follow(&mut shown, &self.letters.scores(&self.reader, &self.report())?);
        } else {
            follow(&mut shown, &self.open(now)?);
        }
        Ok(Some(shown))
    }

    /// Answers one line of the person's.
    pub(super) fn hear(&mut self, line: &str, now: i64) -> Result<Answer, Broken> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let show = |text| Ok(Answer::Show(text));
        let Some(command) = Command::find(&text::fold(word)) else {
            return if line.is_empty() {
                show(self.questions()?)
            } else {
                show(self.declare(line, now)?)
            };
        };
        let rest = rest.trim();
        match command {
            Command::Declare => show(self.declare(rest, now)?),
            Command::Seal => show(self.seal(now)?),
            Command::Withdraw => show(self.withdraw(rest, now)?),
            Command::Questions => show(self.questions()?),
            Command::Hand => show(self.letters.hand(&self.reader, self.me, &self.report())?),
            Command::Table => show(self.letters.board(&self.reader, &self.report())?),
            Command::Log => show(self.log()?),
            Command::Why => {
                let last = self.past.last().map(|(_, entries)| entries.as_slice());
                show(self.letters.why(&self.reader, last.unwrap_or_default())?)
            }
            Command::Rules => show(self.rules(rest)?),
            Command::Help => show(self.letters.help(&self.reader)?),
            Command::Quit => Ok(Answer::Leave),
        }
    }

    /// What may come next in a declaration.
    pub(super) fn complete(&self, line: &str) -> Vec<Completion> {
        let form = |draft: &Declaration| self.form(draft);
        let pieces = text::complete(line, &self.draft, &form, &self.words, self.reader.lang);
        let commands = Command::words().filter(|word| !line.is_empty() && word.starts_with(line));
        let commands = commands.map(|word| Completion { start: 0, text: word.to_owned() });
        pieces.into_iter().chain(commands).collect()
    }

    fn form(&self, draft: &Declaration) -> Interview {
        self.table.contest().interview(self.me, draft)
    }

    fn interview(&self) -> Interview {
        self.form(&self.draft)
    }

    fn report(&self) -> Json {
        self.table.contest().report(Viewer::Seat(self.me))
    }

    fn questions(&self) -> Result<String, Broken> {
        Ok(self.letters.questions(&self.reader, &self.interview())?)
    }

    fn log(&self) -> Result<String, Broken> {
        let windows: Vec<Window<'_>> =
            self.past.iter().map(|(number, entries)| Window { number: *number, entries }).collect();
        Ok(self.letters.log(&self.reader, &windows)?)
    }

    /// Adds to the draft what a line says. A heading on a line of its own, as in the source's
    /// template, is kept for the lines that follow.
    fn declare(&mut self, line: &str, now: i64) -> Result<String, Broken> {
        if line.chars().count() > LONGEST {
            return self.refuse(Refused::TooLong, "");
        }
        let mut reading = self.read(line);
        if reading.lines.is_empty() && reading.misread.is_empty() && reading.moot.is_empty() {
            line.clone_into(&mut self.heading);
        } else if !reading.misread.is_empty() && !self.heading.is_empty() {
            let under = self.read_text(&format!("{}\n{line}", self.heading));
            if under.misread.len() < reading.misread.len() {
                reading = under;
            }
        }
        let unread = Unread::of(&reading);
        self.keep(reading.declaration, now, &unread)
    }

    /// Reads a line; a piece without a section answers the question that is open first.
    fn read(&self, line: &str) -> text::Reading {
        if let Some(open) = self.interview().open().next() {
            let key = &open.question.key;
            let mark = self.words.lexicon().mark(&key.section, self.reader.lang);
            let mark = mark.unwrap_or(&key.section);
            let answer = self.read_text(&format!("{mark}#{}: {line}", key.number));
            let answers_it = answer.lines.first().is_some_and(|read| read.key == *key);
            if answers_it && answer.misread.is_empty() && answer.moot.is_empty() {
                return answer;
            }
        }
        self.read_text(line)
    }

    fn read_text(&self, text: &str) -> text::Reading {
        text::read(text, &self.draft, &|draft| self.form(draft), &self.words)
    }

    /// Takes over a draft, without what nobody asks any more, and says how it was read.
    fn keep(
        &mut self,
        mut draft: Declaration,
        now: i64,
        unread: &[Unread],
    ) -> Result<String, Broken> {
        for key in self.form(&draft).superfluous {
            draft.remove(&key);
        }
        self.warned = false;
        if let Err(refused) = self.table.draft(self.me, draft.clone(), now) {
            return self.not_now(refused);
        }
        self.draft = draft;
        self.echo(unread, false, now)
    }

    fn echo(&self, unread: &[Unread], sealed: bool, now: i64) -> Result<String, Broken> {
        // The last seal closes the window at once: there is no more time to think again.
        let closes = self.table.due(now).is_none().then(|| moment(self.table.deadline()));
        let interview = self.interview();
        let echo =
            Echo { seat: self.me, interview: &interview, unread, sealed, closes, receipt: None };
        Ok(self.letters.echo(&self.reader, &echo)?)
    }

    /// Seals the draft; an empty one or one with a fault only when it is said a second time.
    fn seal(&mut self, now: i64) -> Result<String, Broken> {
        let interview = self.interview();
        if !self.warned && !interview.faults.is_empty() {
            self.warned = true;
            let faults = self.letters.faults(&self.reader, &interview.faults)?;
            return Ok(format!("{faults}\n{}", self.refuse(Refused::Faulty, "")?));
        }
        if !self.warned && self.draft.is_empty() && interview.open().next().is_some() {
            self.warned = true;
            return self.refuse(Refused::Empty, "");
        }
        match self.table.seal(self.me, self.draft.clone(), now) {
            Ok(_) => self.echo(&[], true, now),
            Err(refused) => self.not_now(refused),
        }
    }

    /// Takes back the whole draft, or one section of it.
    fn withdraw(&mut self, section: &str, now: i64) -> Result<String, Broken> {
        let mut draft = Declaration::default();
        if !section.is_empty() {
            let wanted: SmolStr = text::fold(section.trim_end_matches([':', '：'])).into();
            let said = self.draft.iter();
            let kept =
                said.filter(|(key, _)| key.whole().to_string() != wanted && key.section != wanted);
            kept.for_each(|(key, answer)| draft.set(key.clone(), answer.clone()));
            if draft == self.draft {
                return self.refuse(Refused::NothingThere, section);
            }
        }
        self.keep(draft, now, &[])
    }

    fn not_now(&self, refused: NotNow) -> Result<String, Broken> {
        let refused = match refused {
            NotNow::NotAsked(_) => Refused::NotAsked,
            NotNow::Closed => Refused::Closed,
        };
        self.refuse(refused, "")
    }

    fn refuse(&self, refused: Refused, said: &str) -> Result<String, Broken> {
        Ok(self.letters.refused(&self.reader, refused, said)?)
    }

    /// The rules, or what one clause says.
    fn rules(&self, clause: &str) -> Result<String, Broken> {
        let rules = self.game.rules();
        if clause.is_empty() {
            return Ok(rules.to_owned());
        }
        let wanted = text::fold(clause).to_uppercase();
        match clause_of(rules, &wanted) {
            Some(text) => Ok(text),
            None => self.refuse(Refused::NoClause, clause),
        }
    }
}

/// Adds a letter below another, with a blank line between them.
pub(super) fn follow(shown: &mut String, letter: &str) {
    shown.truncate(shown.trim_end().len());
    if !shown.is_empty() {
        shown.push_str("\n\n");
    }
    shown.push_str(letter);
}

/// The paragraph of the rules that begins with this clause.
fn clause_of(rules: &str, clause: &str) -> Option<String> {
    let heads = |line: &&str| line.contains(&format!("**{clause}**"));
    let mut lines = rules.lines().skip_while(|line| !heads(line));
    let first = lines.next()?;
    let rest = lines.take_while(|line| !line.trim().is_empty());
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n"))
}

/// A time in the zone of this machine.
fn moment(at: i64) -> Moment {
    let at = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default();
    let local = at.with_timezone(&chrono::Local);
    let zone = local.format("%Z").to_string();
    Moment::new(&local, zone)
}
