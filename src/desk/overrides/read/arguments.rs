//! The kinds of arguments of decisions: parsing, writing and completion.

use std::collections::BTreeSet;
use std::iter::once;

use crate::overrides::gm_view::{GmView, JudgedWindow, Particle};
use crate::overrides::read::reader::{
    ArgumentForm, Completing, DecisionFault, MoveLine, OverrideInput, OverrideReader,
    OverrideWriter, Result, mark, quote,
};
use games::any::AnyContest;
use letters::Letters;
use rules::text::{self, Completion, NamedPart, fold};
use rules::{Answer, Declaration, Interview, Key, Round, Seat, Viewer};
use tables::{Absence, OverrideNumber, Pace, Time, WindowNumber, pace};

/// The longest name of a player, in characters: that of a Discord nickname.
const LONGEST_NAME: usize = 32;

/// A value at the beginning of a text, and the rest of the text.
pub(super) type Taken<'t, T> = Result<(T, &'t str)>;

/// A kind of argument.
pub(crate) trait Argument {
    type Value;

    const FORM: ArgumentForm;

    /// Parses the value at the beginning of a text, and returns it with the rest.
    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Self::Value>;

    /// Parses the text of this argument alone.
    fn of_option(reader: &mut OverrideReader<'_>, input: &str) -> Result<Self::Value> {
        let (value, behind) = Self::take(reader, input)?;
        reader.nothing_in(behind)?;
        Ok(value)
    }

    /// Writes the value as it can be parsed again; `None` if that is no longer possible.
    fn write(writer: &OverrideWriter<'_>, value: &Self::Value) -> Option<String>;

    /// Returns the completions of a text for this argument.
    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        match Self::FORM {
            ArgumentForm::Seat => completing.seats(input),
            _ => Vec::new(),
        }
    }

    /// Returns the seats that the value is about.
    fn seats(_: &Self::Value) -> Vec<Seat> {
        Vec::new()
    }
}

impl OverrideReader<'_> {
    /// Parses the next argument.
    pub(super) fn next<A: Argument>(&mut self, option: &str) -> Result<A::Value> {
        match self.input {
            OverrideInput::Line(text) => {
                let (value, behind) = A::take(self, text)?;
                self.input = OverrideInput::Line(behind);
                Ok(value)
            }
            OverrideInput::Options(options) => {
                A::of_option(self, options.get(option).map_or("", |value| value.trim()))
            }
        }
    }

    /// Parses the seat of a turn, and returns it with the number of the window: on a line, the word for the
    /// last window can stand before or after the seat.
    pub(super) fn whose<A: Argument>(&mut self, option: &str) -> Result<(A::Value, WindowNumber)>
    where
        A::Value: Copy + Into<Option<Seat>>,
    {
        self.read_last();
        let seat = self.next::<A>(option)?;
        self.read_last();
        Ok((seat, self.judge(seat.into())?))
    }

    /// Returns the part that a text names: by its mark or label, with a number from the second on, or by an
    /// answer within the part.
    fn part(&mut self, case: &JudgedWindow, seat: Seat, rest: &str) -> Result<Key> {
        if rest.is_empty() {
            return Err(self.lacks());
        }
        let lexicon = self.gm_view.sight.game.lexicon();
        let parts = parts(self.gm_view, case, seat);
        let named = NamedPart::read(rest);
        let part = parts.iter().find(|part| named.names(part, lexicon));
        if let (Some(part), number @ 1..) = (part, named.number.unwrap_or(1)) {
            return Ok(part.clone().nth(number));
        }
        let read = self.text_of_turn((case, seat), rest, &Declaration::default());
        if let Ok(None) = read {
            return Ok(Key::part(""));
        }
        let answered = read.ok().flatten().and_then(|reading| reading.lines.into_iter().next());
        answered.map(|line| line.key.whole()).ok_or_else(|| {
            let parts = parts.iter().map(|part| mark(lexicon, part, self.gm_view.lang)).collect();
            DecisionFault::NoPart { said: quote(rest), parts }
        })
    }

    fn edit(&self, rest: &str) -> Result<Declaration> {
        let play = self.gm_view.sight.play.as_ref().ok_or_else(|| self.lacks())?;
        let form = |draft: &Declaration| play.contest.rehearse(draft, self.gm_view.viewer());
        let no_move = || DecisionFault::NoMove { said: quote(rest), moves: self.moves(&form) };
        if rest.is_empty() {
            return Err(no_move());
        }
        let declared =
            self.text(rest, &Declaration::default(), &form).map_err(|fault| match fault {
                DecisionFault::Unread(unread) if unread.section.is_none() => no_move(),
                fault => fault,
            });
        let declared = declared?.declaration;
        let found = form(&declared);
        if let Some(fault) = found.faults.first() {
            return Err(DecisionFault::Faulty(Box::new(fault.clone())));
        }
        match self.unfinished(&*play.contest, &declared, &found) {
            Some(part) => Err(DecisionFault::Unfinished { part }),
            None => Ok(declared),
        }
    }

    /// Returns a move that does nothing because arguments are missing, with these arguments.
    fn unfinished(
        &self,
        contest: &dyn AnyContest,
        declared: &Declaration,
        found: &Interview,
    ) -> Option<MoveLine> {
        let viewer = self.gm_view.viewer();
        let comes_to_the_same = |other: &Declaration| match viewer {
            Viewer::Seat(_) => contest.comes_to_the_same(declared, other, viewer),
            Viewer::All | Viewer::Public => {
                let outcome = |declared: &Declaration| {
                    let mut contest = contest.copy();
                    contest.amend(declared).ok().map(|_| contest.state_hash())
                };
                outcome(declared) == outcome(other)
            }
        };
        let parts: BTreeSet<Key> = declared.iter().map(|(key, _)| key.whole()).collect();
        parts.into_iter().find_map(|part| {
            let asked = found.asked.iter().filter(|asked| asked.question.key.whole() == part);
            let says = |answer: &Answer| answer.value().is_some();
            let unsaid = asked.filter(|asked| !asked.answer.as_ref().is_some_and(says));
            let unsaid = unsaid.map(|asked| &asked.question);
            let unsaid: Vec<&Key> = unsaid.map(|question| &question.key).collect();
            let mut others = Declaration::default();
            for (key, answer) in declared.iter().filter(|(key, _)| key.whole() != part) {
                others.set(key.clone(), answer.clone());
            }
            // A move with all its arguments may do nothing because of hidden information.
            if unsaid.is_empty() || !comes_to_the_same(&others) {
                return None;
            }
            let (lexicon, lang) = (self.gm_view.sight.game.lexicon(), self.gm_view.lang);
            let asks = unsaid.into_iter().map(|key| lexicon.label(key, lang).to_owned()).collect();
            Some(MoveLine { mark: mark(lexicon, &part, lang), asks })
        })
    }

    /// Returns the distinct possible moves of the game master.
    fn moves(&self, form: &dyn Fn(&Declaration) -> Interview) -> Vec<MoveLine> {
        let lexicon = self.gm_view.sight.game.lexicon();
        let lang = self.gm_view.lang;
        let mut moves = Vec::new();
        for asked in form(&Declaration::default()).asked {
            let part = asked.question.key.whole().nth(1);
            let mark = mark(lexicon, &part, lang);
            let asks = lexicon.labels(&part.section, lang).map(ToOwned::to_owned).collect();
            let line = MoveLine { mark, asks };
            if !moves.contains(&line) {
                moves.push(line);
            }
        }
        moves
    }
}

impl Completing<'_> {
    /// Returns the value of an argument, or its completions.
    pub(super) fn next<A: Argument>(&mut self, option: &str) -> Result<A::Value, Vec<Completion>> {
        match self.reader.input {
            OverrideInput::Line(rest) => {
                if A::FORM == ArgumentForm::Seat
                    && let Ok(value) = self.reader.next::<A>(option)
                {
                    return Ok(value);
                }
                Err(A::complete(self, rest))
            }
            OverrideInput::Options(_) if self.option == Some(option) => {
                Err(A::complete(self, self.text))
            }
            OverrideInput::Options(_) => self.reader.next::<A>(option).map_err(|_| Vec::new()),
        }
    }

    /// Parses the seat of a turn, or returns its completions.
    pub(super) fn whose<A: Argument>(&mut self, option: &str) -> Result<(), Vec<Completion>>
    where
        A::Value: Copy + Into<Option<Seat>>,
    {
        self.reader.read_last();
        let rest = self.reader.input;
        let seat = self.next::<A>(option).map_err(|mut found| {
            if let (OverrideInput::Line(rest), false) = (rest, self.reader.last) {
                let last = Particle::Last.word(self.lang).to_owned();
                found.extend(self.words(rest, std::iter::once(last)));
            }
            found
        })?;
        self.reader.read_last();
        self.reader.judge(seat.into()).map(drop).map_err(|_| Vec::new())
    }
}

/// A point in time, or a length of time after the closing of the open window, or after now.
pub(super) struct TimeFrom<const CLOSE: bool>;
pub(super) type Deadline = TimeFrom<true>;
pub(super) type Until = TimeFrom<false>;

impl<const CLOSE: bool> Argument for TimeFrom<CLOSE> {
    type Value = Time;
    const FORM: ArgumentForm = ArgumentForm::Time;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Time> {
        if text.is_empty() {
            return Err(reader.lacks());
        }
        if CLOSE && Particle::Before.strip(text).is_some_and(str::is_empty) {
            let nothing = || DecisionFault::NoTime { verb: reader.verb, said: quote(text) };
            return Ok((reader.gm_view.before_outage.ok_or_else(nothing)?, ""));
        }
        let (sight, now) = (&reader.gm_view.sight, reader.now);
        let play = sight.play.as_ref().filter(|_| CLOSE);
        let from = play.map_or(now, |play| play.timing.closes.max(now));
        let no_time = |_| DecisionFault::NoTime { verb: reader.verb, said: quote(text) };
        Ok((pace::when(text, sight.pace.zone, now, from).map_err(no_time)?, ""))
    }

    fn write(writer: &OverrideWriter<'_>, at: &Time) -> Option<String> {
        Some(writer.time(*at))
    }
}

/// The last act in the open window, which is derived and never typed.
pub(super) struct LastAct;

impl Argument for LastAct {
    type Value = (Option<Seat>, usize);
    const FORM: ArgumentForm = ArgumentForm::Word;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Self::Value> {
        let contest = reader.gm_view.open.as_ref().map(|case| &case.contest);
        let last = contest.map(|contest| (contest.last_actor(), contest.acts_done()));
        Ok((last.unwrap_or_default(), text))
    }

    fn write(_: &OverrideWriter<'_>, _: &Self::Value) -> Option<String> {
        Some(String::new())
    }

    fn seats((seat, _): &Self::Value) -> Vec<Seat> {
        seat.iter().copied().collect()
    }
}

/// True if a lock stops the clock; by default the clock runs on.
pub(super) struct ClockSaid;

impl Argument for ClockSaid {
    type Value = bool;
    const FORM: ArgumentForm = ArgumentForm::Word;

    fn take<'t>(_: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, bool> {
        Ok(Particle::Stop.strip(text).map_or((false, text), |behind| (true, behind)))
    }

    fn of_option(_: &mut OverrideReader<'_>, input: &str) -> Result<bool> {
        Ok(Particle::Stop.strip(input).is_some())
    }

    fn write(writer: &OverrideWriter<'_>, stops: &bool) -> Option<String> {
        Some(if *stops { Particle::Stop.word(writer.lang).to_owned() } else { String::new() })
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        completing.words(input, once(Particle::Stop.word(completing.lang).to_owned()))
    }
}

/// The game master's own words.
pub(super) struct OwnWords;

impl Argument for OwnWords {
    type Value = String;
    const FORM: ArgumentForm = ArgumentForm::Words;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, String> {
        if text.is_empty() { Err(reader.lacks()) } else { Ok((text.to_owned(), "")) }
    }

    fn write(_: &OverrideWriter<'_>, words: &String) -> Option<String> {
        Some(words.clone())
    }
}

/// A pace of the table.
pub(super) struct PaceSaid;

impl Argument for PaceSaid {
    type Value = Box<Pace>;
    const FORM: ArgumentForm = ArgumentForm::Words;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Box<Pace>> {
        if text.is_empty() {
            return Err(reader.lacks());
        }
        let sight = &reader.gm_view.sight;
        let read = Pace::read_over(text, sight.next_pace.as_ref().unwrap_or(&sight.pace));
        Ok((Box::new(read.map_err(DecisionFault::NoPace)?), ""))
    }

    fn write(writer: &OverrideWriter<'_>, pace: &Box<Pace>) -> Option<String> {
        let reader = writer.gm_view.sight.reader(writer.lang).in_plain_text();
        Letters::built_in().pace_line(&reader, pace).ok()
    }
}

/// The treatment of missing players.
pub(super) struct AbsenceSaid;

impl Argument for AbsenceSaid {
    type Value = Absence;
    const FORM: ArgumentForm = ArgumentForm::Words;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Absence> {
        if text.is_empty() {
            return Err(reader.lacks());
        }
        let read = Absence::read(text, &reader.gm_view.sight.supposed_absence());
        Ok((read.map_err(DecisionFault::NoAbsence)?, ""))
    }

    fn write(writer: &OverrideWriter<'_>, absence: &Absence) -> Option<String> {
        let reader = writer.gm_view.sight.reader(writer.lang).in_plain_text();
        Letters::built_in().absence_line(&reader, absence).ok()
    }
}

/// A person who is not a player yet, and is stored beside the decision.
pub(super) struct Somebody;

impl Argument for Somebody {
    type Value = ();
    const FORM: ArgumentForm = ArgumentForm::Somebody;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, ()> {
        let (name, behind) = OwnWords::take(reader, text)?;
        let is_plain = !name.contains(char::is_control) && name.parse::<Seat>().is_err();
        if !is_plain || name.chars().count() > LONGEST_NAME {
            return Err(DecisionFault::NoName { said: quote(text), longest: LONGEST_NAME });
        }
        reader.guest = Some(name);
        Ok(((), behind))
    }

    fn write(writer: &OverrideWriter<'_>, (): &()) -> Option<String> {
        Some(writer.guest.unwrap_or_default().to_owned())
    }
}

/// A window to which the table can be rolled back, by its public number; with the round that begins there.
pub(super) struct WindowBack;

impl Argument for WindowBack {
    type Value = (WindowNumber, Option<Round>);
    const FORM: ArgumentForm = ArgumentForm::WindowBack;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Self::Value> {
        let windows = &reader.gm_view.windows;
        let number = if Particle::Last.strip(text).is_some_and(str::is_empty) {
            reader.gm_view.last.as_ref().ok_or(DecisionFault::NoLast)?.number
        } else {
            let round = round_in(text);
            let found = windows.iter().find(|opened| Some(opened.round) == round);
            found.ok_or_else(|| DecisionFault::no_window(reader.gm_view, text))?.number
        };
        let opened = windows.iter().find(|opened| opened.number == number);
        Ok(((number, opened.map(|opened| opened.round)), ""))
    }

    fn write(writer: &OverrideWriter<'_>, (number, _): &Self::Value) -> Option<String> {
        let opened = writer.gm_view.windows.iter().find(|opened| opened.number == *number)?;
        Some(opened.name(writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let windows = completing.reader.gm_view.windows.iter();
        completing.words(input, windows.map(|opened| opened.name(completing.lang)))
    }
}

/// Parses the public number of a window: `2`, `window 2`, and 0 for the setup.
fn round_in(text: &str) -> Option<Round> {
    if Particle::Setup.strip(text).is_some_and(str::is_empty) {
        return Some(Round::DEAL);
    }
    let text = fold(text);
    let is_digit = |c: char| c.is_ascii_digit();
    let (start, last) = (text.find(is_digit)?, text.rfind(is_digit)?);
    let around = format!("{}{}", text[..start].trim(), text[last + 1..].trim());
    let is_named = Particle::Window.strip(&around).is_some_and(str::is_empty);
    (is_named || matches!(around.as_str(), "" | "#")).then(|| text[start..=last].parse().ok())?
}

/// The number of a decision, from 1; by default the last one that stands.
pub(super) struct DecisionMade;

impl Argument for DecisionMade {
    type Value = OverrideNumber;
    const FORM: ArgumentForm = ArgumentForm::Decision;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, OverrideNumber> {
        let decided = &reader.gm_view.decided;
        if text.is_empty() {
            let stands = decided.iter().rfind(|logged| logged.undone.is_none());
            return Ok((stands.ok_or_else(|| reader.lacks())?.number, ""));
        }
        let counted = fold(text.trim()).trim_start_matches('#').parse::<u32>().ok();
        let number = counted.and_then(|counted| counted.checked_sub(1)).map(OverrideNumber::new);
        let found = decided.iter().find(|logged| Some(logged.number) == number);
        let no_decision = || DecisionFault::NoDecision { said: quote(text), most: decided.len() };
        Ok((found.ok_or_else(no_decision)?.number, ""))
    }

    fn write(_: &OverrideWriter<'_>, number: &OverrideNumber) -> Option<String> {
        Some(number.from_one().to_string())
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let decided = completing.reader.gm_view.decided.iter();
        let stands = decided.filter(|logged| logged.undone.is_none());
        completing.words(input, stands.map(|logged| logged.number.from_one().to_string()))
    }
}

/// A whole declaration of a seat, or answers on top of its declaration.
pub(super) struct AnswersGiven<const WHOLE: bool>;
pub(super) type Declared = AnswersGiven<true>;
pub(super) type Chosen = AnswersGiven<false>;

impl<const WHOLE: bool> AnswersGiven<WHOLE> {
    fn draft(case: &JudgedWindow, seat: Seat) -> Declaration {
        if WHOLE { Declaration::default() } else { case.said_by(seat) }
    }
}

impl<const WHOLE: bool> Argument for AnswersGiven<WHOLE> {
    type Value = Declaration;
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Declaration> {
        let turn @ (case, seat) = reader.seat_turn()?;
        let draft = Self::draft(case, seat);
        let Some(reading) = reader.text_of_turn(turn, text, &draft)? else {
            return Ok((Declaration::default(), ""));
        };
        if WHOLE {
            return Ok((reading.declaration, ""));
        }
        let mut answers = Declaration::default();
        for line in reading.lines {
            answers.set(line.key, line.answer);
        }
        Ok((answers, ""))
    }

    fn write(writer: &OverrideWriter<'_>, declared: &Declaration) -> Option<String> {
        let mut answers = declared.iter();
        if let (Some((key, answer)), None, false) = (answers.next(), answers.next(), WHOLE) {
            return Some(writer.chosen(key, answer));
        }
        let (case, seat) = writer.turn?;
        let form = writer.gm_view.asked(case, seat?, declared);
        Some(text::write(declared, &form, &writer.gm_view.sight.words(), writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let Ok((case, seat)) = completing.reader.seat_turn() else { return Vec::new() };
        let gm_view = completing.reader.gm_view;
        let form = |draft: &Declaration| gm_view.asked(case, seat, draft);
        completing.game(input, &Self::draft(case, seat), &form)
    }
}

/// A part of a seat's declaration.
pub(super) struct PartNamed;

impl Argument for PartNamed {
    type Value = Key;
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Key> {
        let (case, seat) = reader.seat_turn()?;
        Ok((reader.part(case, seat, text)?, ""))
    }

    fn write(_: &OverrideWriter<'_>, part: &Key) -> Option<String> {
        Some(part.to_string())
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let Ok((case, seat)) = completing.reader.seat_turn() else { return Vec::new() };
        let lexicon = completing.reader.gm_view.sight.game.lexicon();
        let parts = parts(completing.reader.gm_view, case, seat);
        completing.words(input, parts.iter().map(|part| mark(lexicon, part, completing.lang)))
    }
}

/// Returns the distinct parts that a seat is asked for, in order.
fn parts(gm_view: &GmView, case: &JudgedWindow, seat: Seat) -> Vec<Key> {
    let mut parts: Vec<Key> = Vec::new();
    for asked in gm_view.asked(case, seat, &case.said_by(seat)).asked {
        let part = asked.question.key.whole();
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    parts
}

/// A move of the game master.
pub(super) struct MoveSaid;

impl Argument for MoveSaid {
    type Value = Declaration;
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Declaration> {
        Ok((reader.edit(text)?, ""))
    }

    fn write(writer: &OverrideWriter<'_>, declared: &Declaration) -> Option<String> {
        let sight = &writer.gm_view.sight;
        let form = sight.play.as_ref()?.contest.rehearse(declared, Viewer::All);
        Some(text::write(declared, &form, &sight.words(), writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let gm_view = completing.reader.gm_view;
        let Some(play) = &gm_view.sight.play else { return Vec::new() };
        let form = |draft: &Declaration| play.contest.rehearse(draft, gm_view.viewer());
        completing.game(input, &Declaration::default(), &form)
    }
}
