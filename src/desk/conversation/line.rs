//! What a line means that somebody types at a table.

use super::phrases;
use crate::Sight;
use crate::commands::{Command, CommandPlace};
use games::card_texts::CardText;
use games::meaning::{LineMeaning, Listening};
use rules::text::{Read, Reading, fold};
use rules::{Answer, Declaration, Value};

/// What a typed line means.
#[derive(Debug)]
pub enum TypedLine<'l> {
    /// A command, and what stands behind its word.
    Command(Command, &'l str),
    /// The word for a command behind which nothing can stand, and something does.
    Alone(&'l str),
    /// It asks what this card does.
    Card(&'static CardText),
    /// It is declared, as far as it is understood.
    Declares(Reading),
    /// This is declared, and sealed with it.
    Seals(&'l str),
    /// It is done at once, as far as it is understood.
    Acts(Reading),
}

impl<'l> TypedLine<'l> {
    /// What a line means; who has no seat is listened to for commands alone. A command by its own word
    /// comes first, then what the game takes, then a command in other words.
    pub fn read(line: &'l str, listening: Option<&Listening<'_>>) -> Self {
        if line.is_empty() {
            return Self::Command(Command::Questions, "");
        }
        let (word, rest) = word_and_rest(line);
        let named = Command::find(CommandPlace::Terminal, &fold(word));
        // A word behind which more stands than its command takes begins a declaration: headings of
        // phases are words like any other.
        let takes = |command: &Command| match command {
            // Why a table is ended is told on Discord: here it would be the heading of the end phase.
            Command::End => rest.is_empty(),
            // Who asks for help has declared nothing.
            Command::Gm | Command::Help | Command::Why => true,
            command => rest.is_empty() || !command.manifest().options.is_empty(),
        };
        // A turn that ends is what the game asks about; who wants to go has another word for it.
        let ends = |command: &Command| matches!(command, Command::End | Command::Quit);
        let is_answer = || listening.is_some_and(|listening| listening.is_answer(line));
        if let Some(command) = named.filter(takes)
            && !(ends(&command) && is_answer())
        {
            return Self::Command(command, rest);
        }
        let meaning = listening.map(|listening| listening.meaning(line));
        match meaning {
            Some(meaning) if meaning.is_whole() => match declared_before_seal(line, &meaning) {
                Some(declared) if listening.is_some_and(|it| it.is_answer(declared)) => {
                    Self::Seals(declared)
                }
                _ => meaning.into(),
            },
            meaning => Self::in_other_words(line, named.map(|_| word), listening, meaning),
        }
    }

    /// What a line means of which the game takes not all.
    fn in_other_words(
        line: &'l str,
        named: Option<&'l str>,
        listening: Option<&Listening<'_>>,
        meaning: Option<LineMeaning>,
    ) -> Self {
        if let Some(command) = phrases::command(line) {
            return Self::Command(command, "");
        }
        let can_be_said = || listening.is_some_and(|listening| listening.can_be_said(line));
        if let Some(word) = named.filter(|word| stands_alone(word) && !can_be_said()) {
            return Self::Alone(word);
        }
        let Some(listening) = listening else { return Self::Declares(Reading::default()) };
        let is_card = |said: &str| listening.game.card(said);
        if let Some(card) = phrases::card_asked_about(line, is_card) {
            return Self::Card(card);
        }
        if let Some(declared) = phrases::before_seal(line)
            && listening.is_answer(declared)
        {
            return Self::Seals(declared);
        }
        meaning.map_or_else(|| Self::Declares(Reading::default()), Self::from)
    }
}

impl Sight {
    /// What a line means that the one who looks types, over a draft of theirs.
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

/// What is declared before a word for sealing that was taken for words of the player's own.
fn declared_before_seal<'l>(line: &'l str, meaning: &LineMeaning) -> Option<&'l str> {
    let LineMeaning::Declares(reading) = meaning else { return None };
    let declared = phrases::before_seal(line)?;
    let seal = line[declared.len()..].trim();
    let is_it = |read: &Read| matches!(&read.answer, Answer::Given(Value::Text(it)) if it == seal);
    reading.lines.iter().any(is_it).then_some(declared)
}

/// True if nothing can stand behind the command of this word.
fn stands_alone(word: &str) -> bool {
    let command = Command::find(CommandPlace::Terminal, &fold(word));
    command.is_some_and(|command| command.manifest().options.is_empty())
}

/// The word for a command with which a line begins, or else its first word, and what stands behind it.
/// Some words for commands are several, and behind those that say for when the rest is declared, a
/// colon can stand.
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

/// A word for a command is never more words than that.
const WORDS: usize = 3;
