//! The parsing of lines that are typed at a table.

use super::phrases;
use crate::Sight;
use crate::commands::{Command, CommandPlace};
use games::card_texts::CardText;
use games::meaning::{LineMeaning, Listening};
use rules::text::{Read, Reading, fold};
use rules::{Answer, Declaration, Value};

/// The meaning of a typed line.
#[derive(Debug)]
pub enum TypedLine<'l> {
    /// A command, and the input after its word.
    Command(Command, &'l str),
    /// The word for a command that takes no input, with input after it.
    Alone(&'l str),
    /// A question about this card.
    Card(&'static CardText),
    /// A declaration, as far as it is understood.
    Declares(Reading),
    /// A declaration that is to be sealed.
    Seals(&'l str),
    /// An act, as far as it is understood.
    Acts(Reading),
}

impl<'l> TypedLine<'l> {
    /// Parses a line, for commands alone if `listening` is `None`. A command by its own word comes first,
    /// then the input of the game, then a command in other words.
    pub fn read(line: &'l str, listening: Option<&Listening<'_>>) -> Self {
        if line.is_empty() {
            return Self::Command(Command::Questions, "");
        }
        let (word, rest) = word_and_rest(line);
        let named = Command::find(CommandPlace::Terminal, &fold(word));
        // A command word followed by more than the command takes begins a declaration: headings of phases are
        // words like any other.
        let takes = |command: &Command| match command {
            // The reason for ending a table is given on Discord: here `end` would be the heading of the end
            // phase.
            Command::End => rest.is_empty(),
            // A request for help is not a declaration.
            Command::Gm | Command::Help | Command::Why => true,
            // `deck check` is a command; `deck` alone is a heading.
            Command::Deck => command.manifest().is_below(word_and_rest(rest).0),
            command => rest.is_empty() || !command.manifest().options.is_empty(),
        };
        // A word for ending may answer a question of the game; the commands have other words.
        let ends = |command: &Command| matches!(command, Command::End | Command::Quit);
        let is_answer = || listening.is_some_and(|listening| listening.is_answer(line));
        if let Some(command) = named.filter(takes)
            && !(ends(&command) && is_answer())
        {
            return Self::Command(command, rest);
        }
        let meaning = listening.map(|listening| listening.meaning(line));
        match meaning {
            Some(meaning) if meaning.is_whole() => {
                match declared_before_seal(line, &meaning, listening) {
                    Some(declared) => Self::Seals(declared),
                    None => meaning.into(),
                }
            }
            meaning => Self::in_other_words(line, named.map(|_| word), listening, meaning),
        }
    }

    /// Parses a line that the game does not take completely.
    fn in_other_words(
        line: &'l str,
        named: Option<&'l str>,
        listening: Option<&Listening<'_>>,
        meaning: Option<LineMeaning>,
    ) -> Self {
        if let Some(command) = phrases::command(line) {
            return Self::Command(command, "");
        }
        // “My deck” is the name of a part, whatever command “my” is.
        let can_be_said = |word: &str| {
            listening.is_some_and(|listening| {
                listening.words.opens_part_beyond(word, line) || listening.can_be_said(line)
            })
        };
        if let Some(word) = named.filter(|word| stands_alone(word) && !can_be_said(word)) {
            return Self::Alone(word);
        }
        let Some(listening) = listening else { return Self::Declares(Reading::default()) };
        let is_card = |name: &str| listening.game.card(name);
        if let Some(card) = phrases::card_asked_about(line, is_card) {
            return Self::Card(card);
        }
        if let Some(declared) = phrases::before_seal(line, |before| listening.is_answer(before)) {
            return Self::Seals(declared);
        }
        meaning.map_or_else(|| Self::Declares(Reading::default()), Self::from)
    }
}

impl Sight {
    /// Parses a line that the viewer types, over a draft of theirs.
    pub fn typed<'l>(&self, line: &'l str, draft: &Declaration) -> TypedLine<'l> {
        match self.seat {
            Some(_) => self.listening(draft, |listening| TypedLine::read(line, Some(listening))),
            None => TypedLine::read(line, None),
        }
    }
}

impl From<LineMeaning> for TypedLine<'_> {
    fn from(meaning: LineMeaning) -> Self {
        match meaning {
            LineMeaning::Card(card) => Self::Card(card),
            LineMeaning::Declares(reading) => Self::Declares(reading),
            LineMeaning::Acts(reading) => Self::Acts(reading),
        }
    }
}

/// `None` if no word for sealing was taken as free text; otherwise the declaration before it.
fn declared_before_seal<'l>(
    line: &'l str,
    meaning: &LineMeaning,
    listening: Option<&Listening<'_>>,
) -> Option<&'l str> {
    let (LineMeaning::Declares(reading), Some(listening)) = (meaning, listening) else {
        return None;
    };
    let declared = phrases::before_seal(line, |before| listening.is_answer(before))?;
    let seal = line[declared.len()..].trim();
    let is_it = |read: &Read| matches!(&read.answer, Answer::Given(Value::Text(it)) if it == seal);
    reading.lines.iter().any(is_it).then_some(declared)
}

/// True if the command of this word takes no input.
fn stands_alone(word: &str) -> bool {
    let command = Command::find(CommandPlace::Terminal, &fold(word));
    command.is_some_and(|command| command.manifest().options.is_empty())
}

/// Splits a line into the command word it begins with, or else its first word, and the rest. A command can
/// have several words. A colon may follow the commands for standing orders and for the next window.
fn word_and_rest(line: &str) -> (&str, &str) {
    let is_colon = |c: char| matches!(c, ':' | '\u{ff1a}');
    let takes_colon = |command| matches!(command, Command::Next | Command::Orders);
    let ends = line.char_indices().filter(|(_, c)| c.is_whitespace() || is_colon(*c));
    let ends: Vec<usize> = ends.map(|(at, _)| at).take(WORDS).chain([line.len()]).collect();
    let named = ends.iter().rev().find_map(|end| {
        let (word, rest) = line.split_at(*end);
        let words: Vec<&str> = word.split_whitespace().collect();
        let command = Command::find(CommandPlace::Terminal, &fold(&words.join(" ")))?;
        let behind = rest.trim_start().strip_prefix(is_colon);
        match behind {
            Some(behind) => takes_colon(command).then_some((word, behind)),
            None => Some((word, rest)),
        }
    });
    let first = || line.split_once(char::is_whitespace);
    let (word, rest) = named.or_else(first).unwrap_or((line, ""));
    (word.trim(), rest.trim())
}

/// The maximum number of words that name a command.
const WORDS: usize = 3;
