//! The runner of stories, which collects their results.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use crate::story::compare::{compare, differs};
use crate::story::parse::REFUSED;
use crate::story::{
    ActInWords, Beginning, Expected, Produced, Story, StoryDifference, StoryOutcome, StoryOverride,
    StoryScene,
};
use crate::{FaultLines, Letters, LinesOfState, Reader, UnreadLines, UnreadPiece};
use games::any::{AnyContest, AnyGame, Told};
use rules::text::{Lexicon, Reading, Words};
use rules::window::Window;
use rules::{
    Act, Answer, BySeat, Declaration, Dice, Entry, Fault, Forms, Interview, Item, Label, Piece,
    Reason, Ruling, Seat, Value, Viewer, Witness, text,
};

/// The result of a step of a story.
type Result<T = (), E = StoryDifference> = std::result::Result<T, E>;

/// The fields of events whose numbers are seats.
const SEATS: [&str; 9] =
    ["seat", "owner", "order", "promoter", "to", "from", "on", "user", "among"];

/// Runs a story, and compares its results with the expected lines.
pub fn run(story: &Story, letters: &Letters) -> StoryOutcome {
    let mut outcome = StoryOutcome::default();
    match Teller::new(story, letters) {
        Ok(teller) => {
            match teller.tell(&mut outcome) {
                Ok(()) => outcome.differences.extend(teller.unthrown()),
                Err(difference) => outcome.differences.push(difference),
            }
            for clause in story.clauses.iter().filter(|clause| !outcome.met.contains(*clause)) {
                let what = format!("{clause} is named and was not met");
                outcome.differences.push(StoryDifference { line: 1, what });
            }
        }
        Err(difference) => outcome.differences.push(difference),
    }
    outcome
}

/// Returns the contest of a story in its last window, which is still open. The results of earlier windows are
/// not compared.
///
/// # Errors
/// A move, a declaration or an act that is not possible or not understood.
pub fn last_window(story: &Story, letters: &Letters) -> Result<Box<dyn AnyContest>> {
    let teller = Teller::new(story, letters)?;
    let mut outcome = StoryOutcome::default();
    let (last, before) = story.scenes.split_last().ok_or_else(|| differs(1, "no window opens"))?;
    let mut contest = teller.begin(&mut outcome)?;
    let mut orders = BySeat::new(story.seats, |_| Declaration::default());
    for scene in before {
        teller.play(&mut *contest, scene, &mut orders, &mut outcome)?;
    }
    teller.open(&mut *contest, last, &mut orders, &mut outcome)?;
    Ok(contest)
}

/// Returns the label of a die that is set in advance.
fn label(decided: &StoryOverride) -> Label {
    Label { seat: decided.seat, key: decided.key.clone(), act: None }
}

struct Teller<'a> {
    story: &'a Story,
    game: &'static dyn AnyGame,
    lexicon: &'static Lexicon,
    pub(super) letters: &'a Letters,
    pub(super) reader: Reader,
    /// The recorder of all dice thrown.
    witness: Witness,
}

/// Returns the text of a letter, trimmed; the fault as text if it cannot be written.
fn in_words(text: crate::Result<String>) -> String {
    text.map_or_else(|fault| fault.to_string(), |text| text.trim().to_owned())
}

impl<'a> Teller<'a> {
    fn new(story: &'a Story, letters: &'a Letters) -> Result<Self> {
        let game = games::find(&story.game)
            .ok_or_else(|| differs(1, format!("there is no game {:?}", story.game)))?;
        let lexicon = game.lexicon();
        let reader = Reader::new(game, story.lang);
        Ok(Self { story, game, lexicon, letters, reader, witness: Witness::default() })
    }

    fn tell(&self, outcome: &mut StoryOutcome) -> Result {
        let mut contest = self.begin(outcome)?;
        let mut orders = BySeat::new(self.story.seats, |_| Declaration::default());
        for scene in &self.story.scenes {
            let record = self.play(&mut *contest, scene, &mut orders, outcome)?;
            self.compare(&*contest, &record, &scene.expected, outcome)?;
        }
        Ok(())
    }

    /// Carries out the decisions, standing orders and acts of a window while it is open.
    fn open(
        &self,
        contest: &mut dyn AnyContest,
        scene: &StoryScene,
        orders: &mut BySeat<Declaration>,
        outcome: &mut StoryOutcome,
    ) -> Result {
        let procedure = contest.procedure();
        // The deadline exists before anybody declares, and the text has the form of the source.
        outcome.met.extend([procedure.times.into(), procedure.text.into()]);
        self.prepare(contest, scene)?;
        for (seat, words) in &scene.orders {
            let form = |draft: &Declaration| contest.ordering(*seat, draft);
            orders[*seat] = self.read(&form, *seat, words, scene)?;
        }
        if contest.standing().is_some() {
            return Err(differs(scene.expected.after, "the game is over"));
        }
        scene.acts.iter().try_for_each(|act| self.act(contest, act, outcome))
    }

    /// Plays a window from its opening to its close.
    fn play(
        &self,
        contest: &mut dyn AnyContest,
        scene: &StoryScene,
        orders: &mut BySeat<Declaration>,
        outcome: &mut StoryOutcome,
    ) -> Result<Told> {
        self.open(contest, scene, orders, outcome)?;
        let at = scene.expected.after;
        let asked = contest.asked();
        let mut window = Window::open(self.story.seats, &asked);
        for seat in Seat::all(self.story.seats) {
            let words = scene.declared.iter().find(|(who, _)| *who == seat);
            let Some((_, words)) = words else { continue };
            let form = |draft: &Declaration| contest.interview(seat, draft);
            let declaration = self.read(&form, seat, words, scene)?;
            let declaration = contest.with_orders(seat, &declaration, &orders[seat]);
            if !asked.contains(&seat) {
                let what = format!("{seat} declares, but nothing is asked of {seat} now");
                return Err(differs(at, what));
            }
            let found = contest.interview(seat, &declaration);
            self.check_notes(scene, seat, &found)?;
            outcome.met.extend(found.notes.iter().map(|note| note.clause.clone()));
            window.seal(seat, declaration, found.is_complete());
        }
        let record = contest.close(window.close());
        record.map_err(|held| differs(at, held.to_string()))
    }

    /// Returns a difference for each die that the story has set and nobody has thrown.
    fn unthrown(&self) -> Vec<StoryDifference> {
        let fallen = self.witness.take().into_iter().filter(|cast| cast.decided);
        let fallen: BTreeSet<String> = fallen.map(|cast| cast.label).collect();
        let decided = self.story.scenes.iter().flat_map(|scene| &scene.dice);
        let unthrown = decided.filter(|die| !fallen.contains(&label(die).to_string()));
        unthrown.map(|die| differs(die.line, format!("{} is not thrown", label(die)))).collect()
    }

    fn begin(&self, outcome: &mut StoryOutcome) -> Result<Box<dyn AnyContest>> {
        let options = Json::Object(self.story.options.clone());
        let seed = match &self.story.beginning {
            Beginning::Given(_) => 0,
            Beginning::Dealt { seed, .. } => *seed,
        };
        let dice = Dice::new(Sha256::digest(seed.to_le_bytes()).into(), "story");
        let dice = dice.watched_by(&self.witness);
        match &self.story.beginning {
            Beginning::Given(moves) => {
                let mut contest = self
                    .game
                    .bare(&options, self.story.seats, dice)
                    .map_err(|error| differs(1, error.to_string()))?;
                for (line, text) in moves {
                    self.amend(&mut *contest, *line, text)?;
                }
                Ok(contest)
            }
            Beginning::Dealt { expected, .. } => {
                let (contest, record) = self
                    .game
                    .open(&options, self.story.seats, dice)
                    .map_err(|error| differs(expected.after, error.to_string()))?;
                self.compare(&*contest, &record, expected, outcome)?;
                Ok(contest)
            }
        }
    }

    /// Carries out a move of the game master, in words.
    fn amend(&self, contest: &mut dyn AnyContest, line: usize, text: &str) -> Result {
        let words = self.words();
        let form = |draft: &Declaration| contest.rehearse(draft, Viewer::All);
        let reading = text::read(text, &Declaration::default(), &form, &words);
        let fault = |fault| differs(line, in_words(fault));
        let unread = UnreadPiece::of(&reading);
        if !unread.is_empty() {
            return Err(fault(self.letters.write(&self.reader, &UnreadLines { unread: &unread })));
        }
        contest.amend(&reading.declaration).map(drop).map_err(|found| {
            if found.faults.is_empty() {
                return differs(line, "the move is not possible");
            }
            fault(self.letters.write(&self.reader, &FaultLines { faults: &found.faults }))
        })
    }

    pub(super) fn words(&self) -> Words<'static> {
        Words::new(self.lexicon, &BySeat::new(self.story.seats, |_| Vec::new()))
    }

    fn prepare(&self, contest: &mut dyn AnyContest, scene: &StoryScene) -> Result {
        for decided in &scene.dice {
            contest.set_die(&label(decided), self.value(decided)?);
        }
        for decided in &scene.forced {
            let answer = Answer::Given(self.value(decided)?);
            if let Some(seat) = decided.seat {
                contest.force(seat, decided.key.clone(), answer);
            }
        }
        for &(seat, skipped) in &scene.skipped {
            if skipped {
                contest.skip(seat);
            } else {
                contest.unskip(seat);
            }
        }
        for (seat, key) in &scene.sent_back {
            contest.return_part(*seat, key);
        }
        Ok(())
    }

    /// Parses a value set in advance: a number, one word, or several.
    fn value(&self, decided: &StoryOverride) -> Result<Value> {
        if let Ok(number) = decided.words.parse() {
            return Ok(Value::Number(number));
        }
        let mut ids = Vec::new();
        for word in decided.words.split_whitespace() {
            let seat = word.parse::<Seat>().map(|seat| seat.id()).ok();
            let id = seat.or_else(|| self.lexicon.find(word, self.story.lang).cloned());
            let unknown = || differs(decided.line, format!("{word:?} is no word of the game"));
            ids.push(id.ok_or_else(unknown)?);
        }
        Ok(if ids.len() == 1 { Value::Choice(ids.remove(0)) } else { Value::Picks(ids) })
    }

    fn read(
        &self,
        form: Forms<'_>,
        seat: Seat,
        input: &str,
        scene: &StoryScene,
    ) -> Result<Declaration> {
        let words = self.words().of(seat);
        let reading = text::read(input, &Declaration::default(), form, &words);
        let expected: Vec<&str> = scene
            .misread
            .iter()
            .filter(|(who, _)| *who == seat)
            .map(|(_, text)| text.as_str())
            .collect();
        let misread: Vec<&str> =
            reading.misread.iter().map(|misread| misread.text.trim()).collect();
        if misread != expected {
            let what = format!("{seat} is misread at {misread:?}, expected {expected:?}");
            return Err(differs(scene.expected.after, what));
        }
        Ok(reading.declaration)
    }

    /// Checks the notes on a declaration, if the story lists them.
    fn check_notes(&self, scene: &StoryScene, seat: Seat, found: &Interview) -> Result {
        let expected = scene.noted.iter().filter(|(who, _)| *who == seat);
        let expected: Vec<&str> = expected.map(|(_, text)| text.as_str()).collect();
        let noted: Vec<String> = found.notes.iter().map(|note| self.note_in_words(note)).collect();
        let is_it = match &expected[..] {
            [] => true,
            ["-"] => noted.is_empty(),
            _ => noted == expected,
        };
        if is_it {
            return Ok(());
        }
        let what = format!("the notes for {seat} are {noted:?}, expected {expected:?}");
        Err(differs(scene.expected.after, what))
    }

    fn note_in_words(&self, note: &Fault) -> String {
        let Reason::Noted { pieces, why } = &note.reason else {
            return format!("{} {}", note.key, note.clause);
        };
        let pieces = pieces.iter().map(|id| self.lexicon.name(id, self.story.lang));
        let clause = note.clause.to_string();
        let words: Vec<&str> = pieces.chain([why.as_str(), clause.as_str()]).collect();
        words.join(" ")
    }

    pub(super) fn compare(
        &self,
        contest: &dyn AnyContest,
        record: &Told,
        expected: &Expected,
        outcome: &mut StoryOutcome,
    ) -> Result {
        outcome.met.extend(record.met.iter().cloned());
        let faults = record.entries.iter().filter_map(|entry| match &entry.item {
            Item::Ruling(ruling) => ruling.fault.as_ref(),
            Item::Event(_) => None,
        });
        outcome.met.extend(faults.map(|fault| fault.clause.clone()));
        let produced = self.produced(contest, record, expected.after)?;
        outcome.differences.extend(compare(&produced, expected));
        outcome.produced.push(produced);
        Ok(())
    }

    fn produced(&self, contest: &dyn AnyContest, record: &Told, line: usize) -> Result<Produced> {
        let mut produced = Produced::default();
        for Entry { item, .. } in &record.entries {
            match item {
                Item::Ruling(ruling) => produced.rulings.push(self.ruling(ruling)),
                Item::Event(event) => produced.events.push(self.event(event)),
            }
        }
        let position = |viewer| {
            let position =
                self.letters.write(&self.reader, &LinesOfState { report: &contest.report(viewer) });
            position.map_err(|fault| differs(line, fault.to_string()))
        };
        produced.states.extend(position(Viewer::All)?.lines().map(str::to_owned));
        for seat in Seat::all(self.story.seats) {
            let seen = position(Viewer::Seat(seat))?;
            produced.states.extend(seen.lines().map(|line| format!("{seat} sees {line}")));
        }
        Ok(produced)
    }

    fn ruling(&self, ruling: &Ruling) -> String {
        let outcome = serde_json::to_value(&ruling.outcome).expect("an outcome is a word");
        let words = [
            Some(format!("! {}", ruling.seat)),
            ruling.key.as_ref().map(ToString::to_string),
            outcome.as_str().map(str::to_owned),
            ruling.value.as_ref().map(|value| self.value_in_words(value)),
            Some(ruling.clause.to_string()),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn value_in_words(&self, value: &Value) -> String {
        let name = |id: &str| self.lexicon.name(id, self.story.lang).to_owned();
        match value {
            Value::Choice(id) => name(id),
            Value::Picks(ids) => ids.iter().map(|id| name(id)).collect::<Vec<_>>().join(" "),
            // The largest piece first, while a purse lists the smallest first.
            Value::Payment(pieces) => {
                let pieces = pieces.iter().rev().map(|(id, count)| format!("{}×{count}", name(id)));
                pieces.collect::<Vec<_>>().join(" ")
            }
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }

    /// Writes an event field by field: its kind, its seat, then the other fields.
    fn event(&self, event: &Json) -> String {
        let kind = event.get("kind").and_then(Json::as_str).unwrap_or_default();
        let whose = event.get("seat").map(|seat| self.in_words("seat", seat));
        let fields = event.as_object().into_iter().flatten();
        let shown = fields.filter(|(field, value)| {
            !["kind", "seat"].contains(&field.as_str()) && !value.is_null()
        });
        let words = shown.map(|(field, value)| format!("{field}={}", self.in_words(field, value)));
        let words: Vec<String> =
            std::iter::once(format!("* {kind}")).chain(whose).chain(words).collect();
        words.join(" ")
    }

    fn in_words(&self, field: &str, value: &Json) -> String {
        let seat = value.as_u64().filter(|_| SEATS.contains(&field));
        if let Some(seat) = seat.and_then(|seat| usize::try_from(seat).ok()) {
            return Seat::new(seat).name().to_owned();
        }
        match value {
            Json::String(word) => self.lexicon.name(word, self.story.lang).to_owned(),
            Json::Array(items) => {
                let items = items.iter().map(|item| self.in_words(field, item));
                format!("[{}]", items.collect::<Vec<_>>().join(" "))
            }
            Json::Object(fields) => {
                let fields = fields.iter().filter(|(_, value)| !value.is_null());
                let words = fields.map(|(field, value)| {
                    let name = self.lexicon.name(field, self.story.lang);
                    format!("{name}:{}", self.in_words(field, value))
                });
                format!("({})", words.collect::<Vec<_>>().join(" "))
            }
            Json::Null => "-".to_owned(),
            value => value.to_string(),
        }
    }
}

impl Teller<'_> {
    /// Carries an act out, and compares its immediate results.
    pub(super) fn act(
        &self,
        contest: &mut dyn AnyContest,
        act: &ActInWords,
        outcome: &mut StoryOutcome,
    ) -> Result {
        let expected = &act.expected;
        let form = |declared: &Declaration| contest.acting(act.seat, declared);
        let reading = text::read_act(&act.words, &form, &self.words());
        let found = form(&reading.declaration);
        match self.carry_out(contest, act, reading) {
            Ok(record) => self.compare(contest, &record, expected, outcome),
            Err(_) if expected.lines.iter().any(|(_, line)| line == REFUSED) => {
                // A refusal meets the clauses of its faults.
                outcome.met.extend(found.faults.iter().map(|fault| fault.clause.clone()));
                let produced = Produced { states: vec![REFUSED.to_owned()], ..Produced::default() };
                outcome.differences.extend(compare(&produced, expected));
                outcome.produced.push(produced);
                Ok(())
            }
            Err(why) => Err(differs(expected.after, format!("is refused: {}: {why}", act.words))),
        }
    }

    /// Carries out the act of a seat like a table would: only if all of the text is understood and the window
    /// still asks somebody.
    fn carry_out(
        &self,
        contest: &mut dyn AnyContest,
        act: &ActInWords,
        reading: Reading,
    ) -> Result<Told, String> {
        if contest.asked().is_empty() {
            return Err("nobody is asked any more".to_owned());
        }
        let unread = UnreadPiece::of(&reading);
        if !unread.is_empty() {
            return Err(in_words(
                self.letters.write(&self.reader, &UnreadLines { unread: &unread }),
            ));
        }
        let act_read = Act { seat: act.seat, declaration: reading.declaration };
        contest.act(act_read).map_err(|found| {
            if found.faults.is_empty() {
                return "nothing is done by it".to_owned();
            }
            in_words(self.letters.write(&self.reader, &FaultLines { faults: &found.faults }))
        })
    }
}
