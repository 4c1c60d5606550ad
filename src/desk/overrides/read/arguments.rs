//! The kinds of arguments of decisions: parsing, writing and completion.

use std::iter::once;

use crate::overrides::bench::Case;
use crate::overrides::read::complete::{ArgumentForm, Completing};
use crate::overrides::read::misread::{DecisionFault, quote};
use crate::overrides::read::reader::{OverrideReader, Said};
use crate::overrides::read::words::Particle;
use crate::overrides::read::write::OverrideWriter;
use letters::Letters;
use rules::text::{self, Completion, fold};
use rules::{Declaration, Round, Seat};
use tables::ids::{OverrideNumber, WindowNumber};
use tables::time::Time;
use tables::{Absence, Pace, pace};

/// The longest name of a player, in characters: that of a Discord nickname.
const LONGEST_NAME: usize = 32;

/// A value at the beginning of a text, and the rest of the text.
pub(super) type Taken<'t, T> = Result<(T, &'t str), DecisionFault>;

/// A kind of argument.
pub(crate) trait Argument {
    type Value;

    const FORM: ArgumentForm;

    /// Parses the value at the beginning of a text, and returns it with the rest.
    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Self::Value>;

    /// Parses the text of this argument alone.
    fn of_option(
        reader: &mut OverrideReader<'_>,
        input: &str,
    ) -> Result<Self::Value, DecisionFault> {
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
    pub(super) fn next<A: Argument>(&mut self, option: &str) -> Result<A::Value, DecisionFault> {
        match self.input {
            Said::Line(text) => {
                let (value, behind) = A::take(self, text)?;
                self.input = Said::Line(behind);
                Ok(value)
            }
            Said::Options(options) => {
                A::of_option(self, options.get(option).map_or("", |value| value.trim()))
            }
        }
    }

    /// Parses the seat of a turn, and returns it with the number of the window: on a line, the word for the
    /// last window can stand before or after the seat.
    pub(super) fn whose<A: Argument>(
        &mut self,
        option: &str,
    ) -> Result<(A::Value, WindowNumber), DecisionFault>
    where
        A::Value: Copy + Into<Option<Seat>>,
    {
        self.read_last();
        let seat = self.next::<A>(option)?;
        self.read_last();
        Ok((seat, self.judge(seat.into())?))
    }
}

impl Completing<'_> {
    /// Returns the value of an argument, or its completions.
    pub(super) fn next<A: Argument>(&mut self, option: &str) -> Result<A::Value, Vec<Completion>> {
        match self.reader.input {
            Said::Line(rest) => {
                if A::FORM == ArgumentForm::Seat
                    && let Ok(value) = self.reader.next::<A>(option)
                {
                    return Ok(value);
                }
                Err(A::complete(self, rest))
            }
            Said::Options(_) if self.option == Some(option) => Err(A::complete(self, self.text)),
            Said::Options(_) => self.reader.next::<A>(option).map_err(|_| Vec::new()),
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
            if let (Said::Line(rest), false) = (rest, self.reader.last) {
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
            return Ok((reader.bench.before_outage.ok_or_else(nothing)?, ""));
        }
        let (sight, now) = (&reader.bench.sight, reader.now);
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
        let contest = reader.bench.open.as_ref().map(|case| &case.contest);
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

    fn of_option(_: &mut OverrideReader<'_>, input: &str) -> Result<bool, DecisionFault> {
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
        let sight = &reader.bench.sight;
        let read = Pace::read_over(text, sight.next_pace.as_ref().unwrap_or(&sight.pace));
        Ok((Box::new(read.map_err(DecisionFault::NoPace)?), ""))
    }

    fn write(writer: &OverrideWriter<'_>, pace: &Box<Pace>) -> Option<String> {
        let reader = writer.bench.sight.reader(writer.lang).in_plain_text();
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
        let read = Absence::read(text, &reader.bench.sight.supposed_absence());
        Ok((read.map_err(DecisionFault::NoAbsence)?, ""))
    }

    fn write(writer: &OverrideWriter<'_>, absence: &Absence) -> Option<String> {
        let reader = writer.bench.sight.reader(writer.lang).in_plain_text();
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
        let windows = &reader.bench.windows;
        let number = if Particle::Last.strip(text).is_some_and(str::is_empty) {
            reader.bench.last.as_ref().ok_or(DecisionFault::NoLast)?.number
        } else {
            let round = round_in(text);
            let found = windows.iter().find(|opened| Some(opened.round) == round);
            found.ok_or_else(|| DecisionFault::no_window(reader.bench, text))?.number
        };
        let opened = windows.iter().find(|opened| opened.number == number);
        Ok(((number, opened.map(|opened| opened.round)), ""))
    }

    fn write(writer: &OverrideWriter<'_>, (number, _): &Self::Value) -> Option<String> {
        let opened = writer.bench.windows.iter().find(|opened| opened.number == *number)?;
        Some(opened.name(writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let windows = completing.reader.bench.windows.iter();
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
        let decided = &reader.bench.decided;
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
        let decided = completing.reader.bench.decided.iter();
        let stands = decided.filter(|logged| logged.undone.is_none());
        completing.words(input, stands.map(|logged| logged.number.from_one().to_string()))
    }
}

/// A whole declaration of a seat, or answers on top of its declaration.
pub(super) struct AnswersGiven<const WHOLE: bool>;
pub(super) type Declared = AnswersGiven<true>;
pub(super) type Chosen = AnswersGiven<false>;

impl<const WHOLE: bool> AnswersGiven<WHOLE> {
    fn draft(case: &Case, seat: Seat) -> Declaration {
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
        let form = writer.bench.asked(case, seat?, declared);
        Some(text::write(declared, &form, &writer.bench.sight.words(), writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let Ok((case, seat)) = completing.reader.seat_turn() else { return Vec::new() };
        let bench = completing.reader.bench;
        let form = |draft: &Declaration| bench.asked(case, seat, draft);
        completing.game(input, &Self::draft(case, seat), &form)
    }
}
