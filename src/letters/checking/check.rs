//! The check of the templates: every event and letter has its template in every language, and no template is
//! superfluous.

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use serde_json::{Value as Json, json};
use smol_str::SmolStr;
use strum::VariantNames;

use crate::captions::captions;
use crate::settings::{OPTIONS, PRESETS, macro_of};
use crate::template::EACH_GAME;
use crate::template::letters::template_name;
use crate::template::letters::{PICTURE, SCORES};
use crate::template::typed::{LetterForm, SampleStock};
use crate::{
    Caption, DESK, DISCORD, Decided, FinalScores, LetterFault, Letters, LinesOfState, Move,
    OwnHand, PANEL, PictureRoom, PictureText, Reader, Result, Sample, ShownDecision, SidePlan,
    TABLE, UnreadPiece, WholeBoard, Widths, WindowOpening, WindowResult, samples,
};
use games::any::{AnyContest, AnyGame, RANDOM, Told};
use games::cards::sets;
use games::{GAMES, find};
use rules::text::Lang;
use rules::{
    Answer, BySeat, Clause, Declaration, Dice, Entry, Interview, Item, Key, Label, Outcome,
    Question, Reason, Seat, Shape, Suppose, Value, Viewer,
};
use tables::{Pace, PaceFault, ResultForm, pace};

/// The variables given to every template.
const EVERYWHERE: [&str; 8] =
    ["examples", "game", "lang", "pictured", "plain", "posted", "stamps", "year"];

/// The maximum lengths on Discord, in UTF-16 units, of letters that cannot be split into several messages.
const AT_MOST: [(&str, &str, usize); 3] =
    [(DISCORD, "label", 80), (DISCORD, "thread", 100), (DISCORD, "post", 2000)];

/// The number of samples of a letter written for each game but the first, which gets all samples.
const FEW: usize = 4;

/// The texts that ping many people.
const CALLS: [&str; 3] = ["@everyone", "@here", "<@&"];

/// The variables of a game's included templates, and of its picture.
const INCLUDED: [(&str, &[&str]); 3] =
    [("help", &["openly"]), ("silent", &["missing", "open"]), ("board", &["narrow", "laid_out"])];

/// The prefixes of the macros for the games' own reasons and notes.
const OWN: [&str; 2] = ["barred_", "noted_"];

impl Letters {
    /// Returns every fault of the templates: missing files and macros, superfluous macros, unknown variables,
    /// and errors in writing every letter and decision once in each language. Letters shared by all games are
    /// written with mark-up for the first game only.
    ///
    /// `named` must contain a sample of every letter that is written by name; `others` are the letters defined
    /// outside of this module.
    pub fn check(
        &self,
        named: &[Sample],
        decisions: &[ShownDecision<'static>],
        others: &[&'static [LetterForm]],
    ) -> Vec<LetterFault> {
        let forms = crate::forms().chain(others.iter().copied().flatten()).collect();
        let mut check = Check { letters: self, named, decisions, forms, faults: BTreeSet::new() };
        check.files();
        for lang in Lang::ALL {
            check.macros(DESK, lang, "rulings", Outcome::VARIANTS);
            check.macros(DESK, lang, "misread", &UnreadPiece::reasons());
            check.macros(DESK, lang, "suppose", Suppose::VARIANTS);
            check.macros(DESK, lang, "by_default", Suppose::VARIANTS);
            check.macros(DESK, lang, "shapes", Shape::VARIANTS);
            check.macros(DESK, lang, "times", &["when", "duration"]);
            check.macros(PANEL, lang, "captions", Caption::VARIANTS);
            check.macros(DESK, lang, "pace_faults", PaceFault::VARIANTS);
            let presets: Vec<&str> =
                pace::presets::PRESETS.iter().map(|one| one.key.as_str()).collect();
            check.macros(DISCORD, lang, PRESETS, &presets);
            let own = check.own_reasons();
            let mut reasons = Reason::VARIANTS.to_vec();
            // A game's own reasons have a macro each.
            reasons.retain(|reason| !matches!(*reason, "barred" | "noted"));
            reasons.extend(own.iter().map(String::as_str));
            check.macros(DESK, lang, "faults", &reasons);
            for game in GAMES {
                check.macros(game.key(), lang, "events", game.event_kinds());
                check.options(*game, lang);
                check.game(*game, lang);
            }
        }
        check.variables();
        check.calls();
        check.faults.into_iter().collect()
    }
}

struct Check<'a> {
    letters: &'a Letters,
    named: &'a [Sample],
    decisions: &'a [ShownDecision<'static>],
    forms: Vec<&'static LetterForm>,
    faults: BTreeSet<LetterFault>,
}

impl Check<'_> {
    fn note<T>(&mut self, result: Result<T>) {
        if let Err(fault) = result {
            self.faults.insert(fault);
        }
    }

    fn object(&mut self, template: &str, line: usize, message: String) {
        self.faults.insert(self.letters.fault_at(template, line, message));
    }

    /// Checks that every letter and every shared template has a file in every language.
    fn files(&mut self) {
        let mut wanted: BTreeSet<(String, String)> = BTreeSet::new();
        for form in &self.forms {
            let folders = GAMES.iter().map(|game| game.key()).filter(|_| form.folder == EACH_GAME);
            let folders = folders.chain(Some(form.folder).filter(|folder| *folder != EACH_GAME));
            wanted.extend(folders.map(|folder| (folder.to_owned(), form.name.to_owned())));
        }
        for (name, _) in INCLUDED {
            wanted.extend(GAMES.iter().map(|game| (game.key().to_owned(), name.to_owned())));
        }
        wanted.extend(self.named.iter().map(|sample| (TABLE.to_owned(), sample.name.clone())));
        for template in self.letters.sources.keys() {
            let place = template.split('/').collect::<Vec<_>>();
            if let [scope, _, name] = place.as_slice() {
                wanted.insert(((*scope).to_owned(), name.trim_end_matches(".md").to_owned()));
            }
        }
        for (game, file) in GAMES.iter().flat_map(|game| [(game, PICTURE), (game, SCORES)]) {
            let template = format!("{}{file}", game.key());
            if !self.letters.sources.contains_key(&template) {
                self.object(&template, 1, "this file is missing".to_owned());
            }
        }
        for (scope, name) in wanted {
            for lang in Lang::ALL {
                let template = template_name(&scope, lang, &name);
                if !self.letters.sources.contains_key(&template) {
                    self.object(&template, 1, "this file is missing".to_owned());
                }
            }
        }
    }

    /// Checks that no template names an unknown variable, on any branch.
    fn variables(&mut self) {
        let functions: BTreeSet<&str> = self.letters.env.globals().map(|(name, _)| name).collect();
        for name in self.letters.sources.keys() {
            let template = match self.letters.env.get_template(name) {
                Ok(template) => template,
                Err(error) => {
                    self.faults.insert(self.letters.fault(&error));
                    continue;
                }
            };
            let place = name.split('/').collect::<Vec<_>>();
            let file = place.last().map_or("", |file| file.trim_end_matches(".md"));
            let letter = file.trim_end_matches(".svg").trim_end_matches(".html");
            let is_game = find(place[0]).is_some();
            let folder = if is_game { EACH_GAME } else { place[0] };
            let forms = self.forms.iter();
            let forms = forms.filter(|form| (form.folder, form.name) == (folder, letter));
            let mut given: BTreeSet<&str> = forms.flat_map(|form| form.sees).copied().collect();
            let included = INCLUDED.iter().filter(|(name, _)| is_game && *name == letter);
            given.extend(included.flat_map(|(_, sees)| sees.iter().copied()));
            if place[0] == TABLE {
                let samples: Vec<_> =
                    self.named.iter().filter(|sample| sample.name == letter).collect();
                if samples.is_empty() && given.is_empty() {
                    self.object(name, 1, format!("there is no `{letter}` to tell"));
                    continue;
                }
                let fields = samples.into_iter().filter_map(|sample| sample.context.as_object());
                given.extend(fields.flat_map(|fields| fields.keys().map(String::as_str)));
            }
            let mut unknown: Vec<String> =
                template.undeclared_variables(false).into_iter().collect();
            unknown.sort();
            for variable in unknown {
                let known = functions.contains(&*variable) || EVERYWHERE.contains(&&*variable);
                if !given.contains(&*variable) && !known {
                    let line = line_of(template.source(), &variable);
                    let fault =
                        self.letters.fault_at(name, line, format!("unknown variable `{variable}`"));
                    // A branch that is taken has already failed on this line.
                    let stands_there = |other: &LetterFault| {
                        (&other.file, other.line) == (&fault.file, fault.line)
                    };
                    if !self.faults.iter().any(stands_there) {
                        self.faults.insert(fault);
                    }
                }
            }
        }
    }

    /// Checks that a file has exactly the macros of these words.
    fn macros(&mut self, scope: &str, lang: Lang, name: &str, wanted: &[&str]) {
        let template = template_name(scope, lang, name);
        let macros = self.macros_of(&template);
        let wanted: Vec<String> = wanted.iter().map(|kind| kind.replace('-', "_")).collect();
        for wanted in &wanted {
            if !macros.contains_key(wanted) {
                self.object(&template, 1, format!("nothing tells `{wanted}`: a macro is missing"));
            }
        }
        for (name, line) in &macros {
            if !wanted.contains(name) {
                self.object(&template, *line, format!("there is no `{name}` to tell"));
            }
        }
    }

    /// Returns the macros of a template with their line numbers.
    fn macros_of(&self, template: &str) -> BTreeMap<String, usize> {
        let Ok(template) = self.letters.env.get_template(template) else {
            return BTreeMap::new();
        };
        let lines = template.source().lines().enumerate();
        let name = |line: &str| {
            let (_, rest) = line.split_once("macro ").filter(|(tag, _)| tag.contains("{%"))?;
            rest.split_once('(').map(|(name, _)| name.trim().to_owned())
        };
        lines.filter_map(|(at, line)| Some((name(line)?, at + 1))).collect()
    }

    /// Checks that each value of each option of a game has a macro, and that there are no others.
    fn options(&mut self, game: &'static dyn AnyGame, lang: Lang) {
        let reader = Reader::new(game, lang);
        let mut wanted = Vec::new();
        for set in game.options(&Json::Null) {
            let key = set.option.key;
            if key == sets::OPTION {
                wanted.push(key.to_owned());
            }
            for value in set.option.values {
                if key != sets::OPTION {
                    wanted.push(macro_of(key, value));
                }
                self.note(self.letters.option(&reader, game, set.option.key, value));
            }
        }
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        self.macros(game.key(), lang, OPTIONS, &wanted);
    }

    /// Returns the macros for the games' own reasons and notes in any language.
    fn own_reasons(&self) -> BTreeSet<String> {
        let of = |lang| self.macros_of(&template_name(DESK, lang, "faults")).into_keys();
        let is_own = |name: &String| OWN.iter().any(|prefix| name.starts_with(prefix));
        Lang::ALL.into_iter().flat_map(of).filter(is_own).collect()
    }

    /// Writes every letter for the readers of one game.
    fn game(&mut self, game: &'static dyn AnyGame, lang: Lang) {
        let reader = Reader::new(game, lang).with_names(samples::NAMES);
        let own = self.own_reasons();
        let [barred, noted] = OWN.map(|prefix| {
            let words = own.iter().filter_map(|name| name.strip_prefix(prefix));
            words.map(|word| word.replace('_', "-")).collect::<Vec<String>>()
        });
        let mut faults = samples::faults(barred.iter().map(String::as_str));
        faults.extend(samples::notes(noted.iter().map(String::as_str)));
        let rulings = samples::rulings(&faults);
        let entries = samples::entries(game, &rulings);
        let skipped = Interview { missing: Some(Clause::new("E4.1")), ..Interview::default() };
        let interviews = vec![samples::interview(&faults), skipped, Interview::default()];
        let decisions = self.decisions.to_vec();
        let stock = SampleStock { faults, rulings, interviews, decisions };
        self.desk(&reader, &stock);
        for event in game.sample_events() {
            self.note(self.letters.event(&reader, &event));
        }
        let public: Vec<Entry<Json>> = entries.iter().map(as_public).collect();
        self.play(game, &reader, &[entries, public]);
    }

    /// Writes the letters shared by all games: with every sample for the first game, with a few for the
    /// others.
    fn desk(&mut self, reader: &Reader, stock: &SampleStock) {
        let letters = self.letters;
        let is_first = reader.game.key() == GAMES[0].key();
        let most = if is_first { usize::MAX } else { FEW };
        let forms = self.forms.iter().filter(|form| form.folder != EACH_GAME);
        let of = |form: &&'static LetterForm| form.samples(stock, most).into_iter();
        let samples = forms.flat_map(|form| of(form).map(|one| (*form, one)));
        let samples: Vec<_> = samples.collect();
        let plain = reader.clone().in_plain_text();
        // Mark-up is the same in every game, so the first is enough.
        for reader in [&plain, reader].into_iter().take(1 + usize::from(is_first)) {
            for (form, sample) in &samples {
                let text = letters.letter(form.folder, reader, form.name, sample);
                self.length(form, reader, text.as_deref().unwrap_or_default());
                self.note(text);
            }
            let mut names = BTreeSet::new();
            let of_name = |sample: &&Sample| names.insert(sample.name.clone()) || is_first;
            for sample in self.named.iter().filter(of_name) {
                self.note(letters.of_sample(reader, sample));
            }
        }
        let asked = stock.interviews.iter().flat_map(|interview| &interview.asked);
        for (asked, value) in asked.zip(samples::values().iter().cycle()) {
            self.note(letters.captions(reader, &captions(asked, value)));
        }
        // Times are the same in every game, too.
        if is_first {
            self.times(reader);
        }
    }

    /// Writes paces, absence policies and moments.
    fn times(&mut self, reader: &Reader) {
        let letters = self.letters;
        for preset in pace::presets::PRESETS.iter() {
            self.note(letters.preset(reader, &preset.key));
        }
        self.note(letters.when(reader, &samples::moment()));
        for fault in letters.absence_not_read_back(reader) {
            self.note::<()>(Err(fault));
        }
        for pace in samples::paces() {
            self.pace(reader, &pace);
        }
    }

    /// Checks that a letter that cannot be split is within its maximum length on Discord.
    fn length(&mut self, form: &LetterForm, reader: &Reader, text: &str) {
        let length = text.encode_utf16().count();
        let most =
            AT_MOST.iter().find(|(folder, name, _)| (form.folder, form.name) == (*folder, *name));
        if let Some((_, _, most)) = most.filter(|(_, _, most)| length > *most) {
            let template = template_name(form.folder, reader.lang, form.name);
            let message = format!("Discord takes at most {most} characters here, and not {length}");
            self.object(&template, 1, message);
        }
    }

    /// Checks that an operator's own letters contain no mass ping, as the bot suppresses them.
    fn calls(&mut self) {
        let files = self.letters.sources.iter();
        let own = files.filter(|(_, source)| !source.file.starts_with("templates/"));
        for name in own.map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            let Ok(template) = self.letters.env.get_template(&name) else { continue };
            for (line, text) in (1..).zip(template.source().lines()) {
                if let Some(call) = CALLS.iter().find(|call| text.contains(**call)) {
                    let message = format!("`{call}` would call nobody from a letter: leave it out");
                    self.object(&name, line, message);
                }
            }
        }
    }

    /// Checks that the line of a pace is parsed back to the same pace.
    fn pace(&mut self, reader: &Reader, pace: &Pace) {
        let read = |line: String| match Pace::read(&line, Tz::UTC) {
            Ok(read) if read == *pace => None,
            Ok(_) => Some(format!("{line:?} is read as another pace")),
            Err(fault) => {
                let why = self.letters.pace_fault(reader, &fault).unwrap_or_default();
                Some(format!("{line:?} is read as no pace: {}", why.trim()))
            }
        };
        self.note(self.letters.pace(reader, pace));
        match self.letters.pace_line(reader, pace).map(read) {
            Ok(None) => {}
            Ok(Some(message)) => {
                self.object(&template_name(DESK, reader.lang, "pace_line"), 1, message);
            }
            Err(fault) => self.note::<()>(Err(fault)),
        }
    }
}

/// Returns the entry as the public may know it, as far as this does not depend on the game.
fn as_public(entry: &Entry<Json>) -> Entry<Json> {
    let item = match &entry.item {
        Item::Event(event) => Item::Event(event.clone()),
        Item::Ruling(ruling) => Item::Ruling(ruling.public()),
    };
    Entry { turn: entry.turn, section: entry.section.clone(), item }
}

/// Returns the number of the first line with this word; 1 if there is none.
fn line_of(source: &str, word: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let stands = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let (before, after) =
                (line[..at].chars().next_back(), line[at + word.len()..].chars().next());
            !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
        })
    };
    source.lines().position(stands).map_or(1, |line| line + 1)
}

/// The maximum number of questions answered for a move.
const LONGEST: usize = 8;

impl Check<'_> {
    /// Checks that every move of a game possible now has a macro, that there are no others, and writes each.
    pub(super) fn moves(&mut self, game: &dyn AnyGame, reader: &Reader, contest: &dyn AnyContest) {
        let asked = contest.rehearse(&Declaration::default(), Viewer::All).asked;
        let parts: BTreeSet<SmolStr> =
            asked.into_iter().map(|asked| asked.question.key.section).collect();
        let wanted: Vec<&str> = parts.iter().map(SmolStr::as_str).collect();
        self.macros(game.key(), reader.lang, "moves", &wanted);
        for part in &parts {
            let mut declared = Declaration::default();
            for _ in 0..LONGEST {
                // Writes the incomplete move, too.
                let what = json!({ "does": "edit", "said": declared });
                let moves = Move::all(&declared);
                let decision = ShownDecision { what, moves, ..ShownDecision::default() };
                self.note(self.letters.stands(reader, &decision));
                let decided = Decided { number: None, alone: false, decision: &decision };
                self.note(self.letters.write(reader, &decided));
                let asked = contest.rehearse(&declared, Viewer::All).asked;
                let open = asked.iter().filter(|asked| asked.answer.is_none());
                let mut questions = open.map(|asked| &asked.question);
                let next = questions.find_map(|question| {
                    let value = first(question).filter(|_| question.key.section == *part)?;
                    Some((question.key.clone(), value))
                });
                let Some((key, value)) = next else { break };
                declared.set(key, Answer::Given(value));
            }
        }
    }
}

/// Returns the first legal answer, if it is a piece or a number.
fn first(question: &Question) -> Option<Value> {
    match &question.shape {
        Shape::Choose { options, .. } => options.first().cloned().map(Value::Choice),
        Shape::Pick { options, .. } => {
            options.first().map(|option| Value::Picks(vec![option.clone()]))
        }
        Shape::Number { min, .. } => Some(Value::Number(*min)),
        Shape::Pay { .. } | Shape::Text { .. } => None,
    }
}

impl Check<'_> {
    /// Plays a whole game at random, and writes the letters of its first windows and its end, and of the
    /// samples at the end.
    pub(super) fn play(
        &mut self,
        game: &dyn AnyGame,
        reader: &Reader,
        samples: &[Vec<Entry<Json>>],
    ) {
        let dice = Dice::new([0; 32], "letters");
        let chance = dice.of_window(0, 0);
        let seats = *game.seats().start();
        let Ok((mut contest, mut record)) = game.open(&Json::Null, seats, dice) else { return };
        for window in 0.. {
            let over = contest.standing().is_some();
            if window == 1 {
                self.moves(game, reader, &*contest);
            }
            if over || window < 3 {
                let samples = if over { samples } else { &[] };
                self.window(reader, &*contest, &record, samples);
            }
            if over {
                return;
            }
            let asked = contest.asked();
            let declared = BySeat::new(seats, |seat| {
                // The first seat declares nothing in the first window, so that its turn is skipped.
                let speaks = asked.contains(&seat) && (window > 0 || seat.index() > 0);
                let label = Label::of(seat, Key::part("letters").nth(window));
                let declare = || contest.declare(seat, RANDOM, chance.stream(&label));
                speaks.then(declare).flatten()
            });
            match contest.close(declared) {
                Ok(next) => record = next,
                // A game that cannot go on is not a fault of the letters.
                Err(_) => return,
            }
        }
    }

    /// Writes the letters of one window for every kind of viewer.
    fn window(
        &mut self,
        reader: &Reader,
        contest: &dyn AnyContest,
        record: &Told,
        samples: &[Vec<Entry<Json>>],
    ) {
        let letters = self.letters;
        let asked = contest.asked();
        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(0)), Viewer::All] {
            let (entries, report) = (contest.seen(&record.entries, viewer), contest.report(viewer));
            for (closes, is_skipped) in
                [(Some(samples::moment()), true), (Some(samples::moment()), false), (None, true)]
            {
                let skips = Clause::new("E4.1");
                let opening = WindowOpening {
                    window: contest.round(),
                    suspended: contest.is_suspended(),
                    asked: &asked,
                    announced: closes.clone(),
                    still: false,
                    closes,
                    early: true,
                    soonest: is_skipped.then(samples::moment),
                    missing: is_skipped.then_some(&skips),
                    position: true,
                    report: &report,
                };
                self.note(letters.write(reader, &opening));
                self.note(letters.write(reader, &WindowOpening { still: true, ..opening.clone() }));
                let suspended = !opening.suspended;
                self.note(
                    letters.write(reader, &WindowOpening { suspended, position: false, ..opening }),
                );
            }
            for entries in samples.iter().chain([&entries]) {
                for form in [ResultForm::Short, ResultForm::Full] {
                    self.note(letters.result(reader, entries, &report, form));
                }
            }
            self.entries(reader, contest, &entries);
            self.note(letters.log(reader, &[]));
            self.note(letters.write(reader, &LinesOfState { report: &report }));
            for room in [PictureRoom::Wide, PictureRoom::Narrow] {
                self.note(letters.picture(reader, &report, room, Widths));
            }
            self.note(letters.window(reader, &report, contest.is_suspended(), None));
            self.note(letters.window(reader, &report, contest.is_suspended(), Some(&report)));
            for brief in [true, false] {
                self.note(letters.write(reader, &PictureText { report: &report, brief }));
            }
            if contest.standing().is_some() {
                self.note(letters.write(reader, &FinalScores { report: &report }));
                self.note(letters.score_table(reader, &report));
            }
        }
        for entries in samples {
            self.entries(reader, contest, entries);
        }
        let chance = Dice::new([0; 32], "letters").of_window(1, 0);
        let declared = asked.iter().filter_map(|of| {
            let label = Label::of(*of, Key::part("plan"));
            Some((*of, contest.declare(*of, RANDOM, chance.stream(&label))?))
        });
        let declared: Vec<(Seat, Declaration)> = declared.collect();
        let drafts: Vec<(Seat, &Declaration)> =
            declared.iter().map(|(of, declared)| (*of, declared)).collect();
        for seat in Seat::all(contest.seats()) {
            let report = contest.report(Viewer::Seat(seat));
            self.note(letters.write(reader, &OwnHand { seat, report: &report }));
            self.note(letters.write(reader, &WholeBoard { report: &report, brief: false }));
            let plan = contest.planned(seat, &drafts);
            self.note(letters.write(reader, &SidePlan { report: &plan.unwrap_or(report) }));
            if asked.contains(&seat) {
                let interview = contest.interview(seat, &Declaration::default());
                self.note(letters.questions(reader, &interview));
            }
        }
    }

    /// Writes the letters about entries that depend on no report.
    fn entries(&mut self, reader: &Reader, contest: &dyn AnyContest, entries: &[Entry<Json>]) {
        let letters = self.letters;
        self.note(letters.why(reader, entries));
        self.note(letters.log(reader, &[WindowResult { number: contest.round(), entries }]));
        self.note(letters.skip(reader, Seat::new(0), entries));
    }
}
