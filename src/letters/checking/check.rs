//! The letters' own check: everything that can happen is told, in every language, and nothing
//! else is.

mod moves;
mod panel;
mod play;

use std::collections::{BTreeMap, BTreeSet};

use chrono_tz::Tz;
use serde_json::Value as Json;

use crate::games::GAMES;
use crate::games::any::{AnyGame, CardsBefore};
use crate::letters::checking::forms::{
    DESK_FORMS, DISCORD_FORMS, EVERYWHERE, GAME_FORMS, PANEL_FORMS,
};
use crate::letters::checking::samples;
use crate::letters::checking::samples::{
    OUTCOMES, PACE_FAULTS, REASONS, SHAPES, SUPPOSED, TIMES, UNREAD,
};
use crate::letters::decrees;
use crate::letters::decrees::{ChangedLine, Decree, DecreeOf};
use crate::letters::panel::CAPTIONS;
use crate::letters::panel::PANEL;
use crate::letters::receipts::Given;
use crate::letters::refused::Refused;
use crate::letters::settings::{Editable, OPTIONS, OptionLine, PRESETS, Settings, macro_of};
use crate::letters::table::{
    Behind, ClosePreview, EndPreview, FormingTable, Goodbye, MixedIn, SealedCount, SeatProgress,
    WindowProgress,
};
use crate::letters::template::letters::{
    DESK, DISCORD, LetterFault, Letters, Sample, TABLE, template_name,
};
use crate::letters::template::picture::{PICTURE, SCORES};
use crate::letters::template::reader::Reader;
use crate::letters::write::{ClosingTimes, Echo};
use crate::rules::text::Lang;
use crate::rules::{Clause, Entry, Fault, Interview, Item, Round, Ruling, Seat, window};
use crate::tables::{Outage, Pace, ResultForm, pace};

/// The words of reasons that are games' own begin with this.
const BARRED: &str = "barred_";

impl Letters {
    /// Every fault of the templates: files that one language lacks, things that are not told,
    /// macros that tell of nothing, variables that nobody gives, and whatever fails when
    /// everything is written once in every language and for every reader; so are these decisions.
    ///
    /// What letters tell by the template of its name must all be among the samples.
    pub fn check(&self, told: &[Sample], decrees: &[Decree<'_>]) -> Vec<LetterFault> {
        let mut check = Check { letters: self, told, decrees, faults: BTreeSet::new() };
        check.files();
        for lang in Lang::ALL {
            check.macros(DESK, lang, "rulings", &OUTCOMES);
            check.macros(DESK, lang, "misread", &UNREAD);
            check.macros(DESK, lang, "suppose", &SUPPOSED);
            check.macros(DESK, lang, "by_default", &SUPPOSED);
            check.macros(DESK, lang, "shapes", &SHAPES);
            check.macros(DESK, lang, "times", &TIMES);
            check.macros(PANEL, lang, "captions", &CAPTIONS);
            check.macros(DESK, lang, "pace_faults", &PACE_FAULTS);
            let presets: Vec<&str> = pace::PRESETS.iter().map(|one| one.key.as_str()).collect();
            check.macros(DISCORD, lang, PRESETS, &presets);
            let barred = check.barred();
            let mut reasons: Vec<&str> = REASONS.to_vec();
            reasons.extend(barred.iter().map(String::as_str));
            check.macros(DESK, lang, "faults", &reasons);
            for game in GAMES {
                let kinds: BTreeSet<String> =
                    game.sample_events().iter().map(|event| macro_name(&event["kind"])).collect();
                let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
                check.macros(game.key(), lang, "events", &kinds);
                check.options(*game, lang);
                check.game(*game, lang);
            }
        }
        check.variables();
        check.faults.into_iter().collect()
    }
}

fn macro_name(kind: &Json) -> String {
    kind.as_str().unwrap_or_default().replace('-', "_")
}

struct Check<'a> {
    letters: &'a Letters,
    told: &'a [Sample],
    decrees: &'a [Decree<'a>],
    faults: BTreeSet<LetterFault>,
}

impl Check<'_> {
    fn note<T>(&mut self, result: Result<T, LetterFault>) {
        if let Err(fault) = result {
            self.faults.insert(fault);
        }
    }

    fn object(&mut self, template: &str, line: usize, message: String) {
        self.faults.insert(LetterFault { file: self.letters.file(template), line, message });
    }

    /// Every letter stands in every language, and so does what letters share.
    fn files(&mut self) {
        let scopes = GAMES.iter().map(|game| (game.key(), GAME_FORMS));
        let forms = scopes.chain([(DESK, DESK_FORMS), (PANEL, PANEL_FORMS)]);
        let mut wanted: BTreeSet<(String, String)> = forms
            .flat_map(|(scope, forms)| forms.iter().map(move |(name, _)| (scope, *name)))
            .map(|(scope, name)| (scope.to_owned(), name.to_owned()))
            .collect();
        wanted.extend(self.told.iter().map(|sample| (TABLE.to_owned(), sample.name.clone())));
        for template in self.letters.files.keys() {
            let place = template.split('/').collect::<Vec<_>>();
            if let [scope, _, name] = place.as_slice() {
                wanted.insert(((*scope).to_owned(), name.trim_end_matches(".md").to_owned()));
            }
        }
        for (game, file) in GAMES.iter().flat_map(|game| [(game, PICTURE), (game, SCORES)]) {
            let template = format!("{}{file}", game.key());
            if !self.letters.files.contains_key(&template) {
                self.object(&template, 1, "this file is missing".to_owned());
            }
        }
        for (scope, name) in wanted {
            for lang in Lang::ALL {
                let template = template_name(&scope, lang, &name);
                if !self.letters.files.contains_key(&template) {
                    self.object(&template, 1, "this file is missing".to_owned());
                }
            }
        }
    }

    /// No template names a variable that nobody gives, on whatever branch.
    fn variables(&mut self) {
        let functions: BTreeSet<&str> = self.letters.env.globals().map(|(name, _)| name).collect();
        for name in self.letters.files.keys() {
            let Ok(template) = self.letters.env.get_template(name) else { continue };
            let place = name.split('/').collect::<Vec<_>>();
            let forms = match place[0] {
                DESK => DESK_FORMS,
                PANEL => PANEL_FORMS,
                TABLE => &[],
                DISCORD => DISCORD_FORMS,
                _ => GAME_FORMS,
            };
            let file = place.last().map_or("", |file| file.trim_end_matches(".md"));
            let letter = file.trim_end_matches(".svg").trim_end_matches(".html");
            let form = forms.iter().find(|(form, _)| *form == letter);
            let mut given: BTreeSet<&str> =
                form.iter().flat_map(|(_, given)| given.iter().copied()).collect();
            if place[0] == TABLE {
                let told: Vec<_> = self.told.iter().filter(|told| told.name == letter).collect();
                if told.is_empty() {
                    self.object(name, 1, format!("there is no `{letter}` to tell"));
                    continue;
                }
                let fields = told.into_iter().filter_map(|told| told.context.as_object());
                given.extend(fields.flat_map(|fields| fields.keys().map(String::as_str)));
            }
            let mut unknown: Vec<String> =
                template.undeclared_variables(false).into_iter().collect();
            unknown.sort();
            for variable in unknown {
                let known = functions.contains(&*variable) || EVERYWHERE.contains(&&*variable);
                if !given.contains(&*variable) && !known {
                    let line = line_of(template.source(), &variable);
                    // Where the branch is taken, writing it has failed already.
                    let file = self.letters.file(name);
                    if !self.faults.iter().any(|fault| fault.file == file && fault.line == line) {
                        self.object(name, line, format!("unknown variable `{variable}`"));
                    }
                }
            }
        }
    }

    /// The macros of a file and what they tell belong together, one to one.
    fn macros(&mut self, scope: &str, lang: Lang, name: &str, wanted: &[&str]) {
        let template = template_name(scope, lang, name);
        let macros = self.macros_of(&template);
        for wanted in wanted {
            if !macros.contains_key(*wanted) {
                self.object(&template, 1, format!("nothing tells `{wanted}`: a macro is missing"));
            }
        }
        for (name, line) in &macros {
            if !wanted.contains(&&**name) {
                self.object(&template, *line, format!("there is no `{name}` to tell"));
            }
        }
    }

    /// The macros of a template with their lines.
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

    /// Each value of each option of a game is told, and nothing else is.
    fn options(&mut self, game: &dyn AnyGame, lang: Lang) {
        let reader = Reader::new(game, lang);
        let mut wanted = Vec::new();
        for set in game.options(&Json::Null) {
            for value in set.option.values {
                wanted.push(macro_of(set.option.key, value));
                self.note(self.letters.option(&reader, game, set.option.key, value));
            }
        }
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        self.macros(game.key(), lang, OPTIONS, &wanted);
    }

    /// How a table is set, in every way.
    fn settings(&mut self, reader: &Reader) {
        for preset in pace::PRESETS.iter() {
            self.note(self.letters.preset(reader, &preset.key));
        }
        for (hidden, count_only, editable) in
            [(true, false, true), (false, true, false), (false, false, true)]
        {
            let option = OptionLine { words: "x".to_owned(), clause: "E1" };
            let language = if hidden { "ja" } else { "en" };
            let settings = Settings {
                code: "K7Q2T",
                chairs: 4,
                taken: 1,
                pace: "2h",
                absence: "allowance 1",
                closings: if editable { vec![samples::moment(); 2] } else { Vec::new() },
                options: if hidden { Vec::new() } else { vec![option] },
                language,
                hidden,
                count_only,
                open: count_only,
                files: count_only,
                begins_when_full: count_only,
                results: if count_only { ResultForm::Full } else { ResultForm::Short },
                editable: match (editable, count_only) {
                    (true, _) => Editable::Everything,
                    (false, true) => Editable::Absence,
                    (false, false) => Editable::Nothing,
                },
            };
            self.note(self.letters.settings(reader, &settings));
        }
    }

    /// A table that waits for its players.
    fn forming(&mut self, reader: &Reader, (you, host): (Option<Seat>, bool), value: Option<&str>) {
        let forming = FormingTable {
            code: "K7Q2T",
            chairs: &[Seat::new(0), Seat::new(1)],
            taken: &[Seat::new(0)],
            you,
            host,
            pace: "2h",
            absence: "x",
            commitment: "5eed",
            value,
            begins_when_full: host,
        };
        for reader in [reader, &reader.clone().in_plain_text()] {
            self.note(self.letters.forming(reader, &forming));
        }
    }

    /// The games' own reasons that any language tells.
    fn barred(&self) -> BTreeSet<String> {
        let of = |lang| self.macros_of(&template_name(DESK, lang, "faults")).into_keys();
        Lang::ALL.into_iter().flat_map(of).filter(|name| name.starts_with(BARRED)).collect()
    }

    /// Writes everything once for the readers of one game.
    fn game(&mut self, game: &'static dyn AnyGame, lang: Lang) {
        let reader = Reader::new(game, lang).with_names(samples::NAMES);
        let barred = self.barred();
        let words = barred.iter().filter_map(|name| name.strip_prefix(BARRED));
        let words: Vec<String> = words.map(|word| word.replace('_', "-")).collect();
        let faults = samples::faults(words.iter().map(String::as_str));
        let rulings = samples::rulings(&faults);
        self.desk(&reader, &faults, &rulings);
        let entries = samples::entries(game, &rulings);
        for event in game.sample_events() {
            self.note(self.letters.event(&reader, &event));
        }
        let public: Vec<Entry<Json>> = entries.iter().map(as_public).collect();
        self.play(game, &reader, &[entries, public]);
    }

    /// The letters that are the same in every game.
    fn desk(&mut self, reader: &Reader, faults: &[Fault], rulings: &[Ruling]) {
        let letters = self.letters;
        for ruling in rulings {
            self.note(letters.ruling(reader, ruling));
            self.note(letters.ruling(reader, &ruling.public()));
        }
        for fault in faults {
            self.note(letters.faults(reader, std::slice::from_ref(fault)));
        }
        for unread in samples::unread() {
            self.note(letters.misread(reader, &[unread]));
        }
        let skipped = Interview { missing: Some(Clause::new("E4.1")), ..Interview::default() };
        for interview in [Interview::default(), skipped, samples::interview(faults)] {
            for sealed in [true, false] {
                self.echo(reader, &interview, sealed);
            }
            self.note(letters.questions(reader, &interview));
            self.panel(reader, &interview);
        }
        self.looked_up(reader);
        self.settings(reader);
        for (name, said) in samples::discord() {
            self.note(letters.letter(DISCORD, reader, name, said));
        }
        for sample in self.told {
            for reader in [reader, &reader.clone().in_plain_text()] {
                self.note(letters.letter(TABLE, reader, &sample.name, &sample.context));
            }
        }
        self.trust(reader);
        for (you, word) in [(Some(Seat::new(0)), Some("5eed")), (None, None)] {
            let host = you.is_some();
            self.note(letters.unseated(reader, "ABCDE"));
            self.goodbyes(reader, word.unwrap_or_default());
            for reason in [None, Some("rain")] {
                let window = reason.map(|_| Round::new(3));
                let reason = reason.unwrap_or_default();
                let ending = EndPreview { code: "K7Q2T", window, taken: 2, reason };
                self.closings(reader);
                for reader in [reader, &reader.clone().in_plain_text()] {
                    self.note(letters.ending(reader, &ending));
                }
            }
            self.forming(reader, (you, host), word);
        }
        for refused in Refused::ALL {
            self.note(letters.refused(reader, refused, "E9.9"));
        }
        self.openly(reader);
        for hidden in [true, false] {
            self.progress(reader, hidden);
        }
        for thrown in samples::thrown() {
            self.note(letters.thrown(reader, &thrown));
        }
        self.note(letters.when(reader, &samples::moment()));
        self.decrees(reader);
        for fault in samples::pace_faults() {
            self.note(letters.pace_fault(reader, &fault));
        }
        let seated = letters.check_calls(reader).into_iter();
        let seated = seated.chain(letters.check_votes(reader, self.decrees));
        for letter in letters.check_absence(reader).into_iter().chain(seated) {
            self.note(letter);
        }
        for letter in letters.check_mine(reader) {
            self.note(letter);
        }
        for pace in samples::paces() {
            self.pace(reader, &pace);
        }
    }

    /// Cards and rules, for whoever looks them up.
    fn looked_up(&mut self, reader: &Reader) {
        for reader in [reader, &reader.clone().in_plain_text()] {
            let ids: Vec<_> = self.letters.cards_like(reader, "");
            for said in ids.iter().map(|card| &*card.name).chain(["", "3", "xyzzy", "all"]) {
                self.note(self.letters.card(reader, said));
                self.note(self.letters.rules(reader, said));
            }
            let held = reader.words.ids("event").chain(reader.words.ids("challenge"));
            let held: Vec<_> = held.cloned().collect();
            for before in [
                CardsBefore::default(),
                CardsBefore { on_table: held.clone(), held: Vec::new() },
                CardsBefore { held, on_table: Vec::new() },
            ] {
                self.note(self.letters.cards(reader, &before));
            }
        }
    }

    fn closings(&mut self, reader: &Reader) {
        for awaited in [vec![Seat::new(0)], Vec::new()] {
            for (openly, announced) in [(false, None), (true, Some(samples::moment()))] {
                let (code, window, awaited) = ("K7Q2T", Round::new(openly.into()), awaited.clone());
                let closing = ClosePreview { code, window, openly, awaited, announced };
                for reader in [reader, &reader.clone().in_plain_text()] {
                    self.note(self.letters.closing(reader, &closing));
                }
            }
        }
    }

    fn decrees(&mut self, reader: &Reader) {
        let letters = self.letters;
        let change = |sign| ChangedLine { sign, text: "A line.".to_owned() };
        for (number, decree) in (1..).zip(self.decrees.iter().cloned()) {
            for alone in [false, true] {
                let undone = alone.then(|| Box::new(decree.clone()));
                let closes = alone.then(samples::moment);
                let decree = Decree { undone, closes, ..decree.clone() };
                self.note(letters.decided(reader, Some(number), alone, &decree));
            }
            self.note(letters.stands(reader, &decree));
            let even = number % 2 == 0;
            let changes = if even { vec![change('-'), change('+')] } else { Vec::new() };
            let remarks = decrees::sample_remarks();
            for audience in decrees::sample_audiences() {
                self.note(letters.rehearsed(reader, &decree, &changes, &remarks, &audience));
            }
            let undone = even.then_some(number);
            let at = samples::moment();
            let shown = &changes[..];
            let (by, voted, public, whole) = ("sakura", even, even, !even);
            let told = [Seat::new(0)];
            let alone = if even { &told[..] } else { &[] };
            let decree =
                DecreeOf { number, at, by, voted, decree, public, alone, undone, shown, whole };
            self.note(letters.decrees(reader, &[decree]));
        }
        self.note(letters.decrees(reader, &[]));
        for reader in [reader, &reader.clone().in_plain_text()] {
            for (fault, verb) in decrees::fault_samples() {
                self.note(letters.decree_fault(reader, &fault, verb));
            }
            for audience in decrees::sample_audiences() {
                self.note(letters.confirming(reader, &audience));
            }
            self.note(letters.dropped(reader));
            self.note(letters.deciding(reader));
            for may in [true, false] {
                self.note(letters.appointed(reader, "ume", may));
            }
            for decree in self.decrees {
                for (before, is_final) in [(true, false), (false, true), (false, false)] {
                    self.note(letters.made(reader, 1, before, is_final, decree));
                }
            }
            let seat = Seat::new(0);
            let progress = window::Progress::SealedComplete;
            let seats = vec![SeatProgress { seat, progress }];
            let standing = WindowProgress {
                seats,
                openly: false,
                hidden: false,
                on_a_quarter: false,
                count: None,
                closes: None,
                settles: None,
                announced: None,
            };
            let line = decrees::DeclaredLine { seat, lines: vec!["3A".to_owned()] };
            for declared in [None, Some(&[][..]), Some(&[line][..])] {
                self.note(letters.bench(reader, &standing, declared));
            }
        }
    }

    /// However the reader leaves a table behind.
    fn goodbyes(&mut self, reader: &Reader, name: &str) {
        for behind in Behind::ALL {
            for outage in [Outage::Extend, Outage::Late, Outage::Wait] {
                let goodbye = Goodbye { code: "K7Q2T", name, behind, outage };
                self.note(self.letters.goodbye(reader, &goodbye));
            }
        }
    }

    fn progress(&mut self, reader: &Reader, hidden: bool) {
        let all = [
            window::Progress::NothingToDeclare,
            window::Progress::NothingDeclared,
            window::Progress::Draft,
            window::Progress::SealedIncomplete,
            window::Progress::SealedComplete,
        ];
        let seats = all.into_iter().zip(Seat::all(all.len()));
        let seats = seats.map(|(progress, seat)| SeatProgress { seat, progress }).collect();
        let closes = hidden.then(samples::moment);
        let count = (!hidden).then_some(SealedCount { sealed: 2, asked: 4 });
        let standing = WindowProgress {
            seats,
            openly: false,
            hidden,
            on_a_quarter: hidden,
            count,
            settles: closes.clone(),
            announced: closes.clone(),
            closes,
        };
        self.note(self.letters.progress(reader, &standing));
        let openly = WindowProgress { openly: true, seats: Vec::new(), ..standing };
        self.note(self.letters.progress(reader, &openly));
        self.note(self.letters.bench(reader, &openly, None));
    }

    /// What the dice can be checked by, and what was sealed.
    fn trust(&mut self, reader: &Reader) {
        let seat = Seat::new(0);
        for reader in [reader, &reader.clone().in_plain_text()] {
            for (words, open) in [(Some("rain"), true), (None, true), (None, false)] {
                for owes in [None, Some("00ff"), Some("")] {
                    let mixed = MixedIn { seat, value: "00ff", words, open, owes };
                    self.note(self.letters.mixed_in(reader, &mixed));
                }
            }
            for seat in [Some(seat), None] {
                let (code, hash) = ("abcd-efgh-jkmn-pqrs".to_owned(), "00ff".to_owned());
                self.note(self.letters.receipts(reader, &[Given { seat, code, hash }], "abcd"));
                self.note(self.letters.receipts(reader, &[], "abcd"));
            }
            for over in [true, false] {
                for receipts in [&samples::own_receipts()[..], &[]] {
                    self.note(self.letters.own_receipts(reader, "K7Q2T", receipts, over));
                }
            }
            for played in samples::played_again() {
                self.note(self.letters.verified(reader, &played));
            }
        }
    }

    /// What tells a pace is read back as the same.
    fn pace(&mut self, reader: &Reader, pace: &Pace) {
        let read = |line: String| match Pace::read(&line, Tz::UTC) {
            Ok(read) if read == *pace => None,
            Ok(_) => Some(format!("{line:?} is read as another pace")),
            Err(fault) => Some(format!("{line:?} is read as no pace: {fault}")),
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

    fn echo(&mut self, reader: &Reader, interview: &Interview, sealed: bool) {
        let unread = samples::unread();
        let echo = Echo {
            interview,
            unread: &unread,
            sealed,
            skipped: !sealed,
            closing: ClosingTimes {
                closes: sealed.then(samples::moment),
                settles: None,
                quiet_until: sealed.then(samples::moment),
            },
            receipt: sealed.then_some("K7Q2"),
        };
        self.note(self.letters.echo(reader, &echo));
        let closing = ClosingTimes { settles: Some(samples::moment()), ..echo.closing.clone() };
        self.note(self.letters.echo(reader, &Echo { closing, ..echo }));
    }
}

/// The entry as the public may know it, as far as that is not the game's business.
fn as_public(entry: &Entry<Json>) -> Entry<Json> {
    let item = match &entry.item {
        Item::Event(event) => Item::Event(event.clone()),
        Item::Ruling(ruling) => Item::Ruling(ruling.public()),
    };
    Entry { turn: entry.turn, section: entry.section.clone(), item }
}

/// The first line on which this word stands.
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
