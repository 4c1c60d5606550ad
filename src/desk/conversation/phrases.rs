//! Phrases in plain language: other words for commands, and questions about a card.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::Sight;
use crate::commands::{Command, CommandPlace};
use games::card_texts::CardText;
use games::meaning::{LineMeaning, Listening};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{NameAlone, Read, Reading, fold};
use rules::{Answer, Declaration, Value};
use tables::vocabulary::{WordForms, sound};

const FILE: &str = "data/desk/phrases.toml";
const TEXT: &str = include_str!("../../../data/desk/phrases.toml");

/// The maximum length of a phrase, in characters.
const LONGEST: usize = 60;

/// The contents of `phrases.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseFile {
    command: BTreeMap<String, WordForms>,
    around: WordForms,
    card: WordForms,
    yes: WordForms,
    no: WordForms,
}

static PHRASES: BuiltIn<PhraseFile> = BuiltIn::new(PhraseFile::parse);

impl PhraseFile {
    fn parse() -> Result<Self, DataFault> {
        let read: Self = parse(FILE, TEXT)?;
        for name in read.command.keys() {
            if Command::find(CommandPlace::Terminal, name).is_none() {
                let what = format!("{name} is no command");
                return Err(DataFault::at_key(FILE, TEXT, name, what));
            }
        }
        sound((FILE, TEXT), read.command.values())?;
        for words in [&read.around, &read.card, &read.yes, &read.no] {
            sound((FILE, TEXT), std::iter::once(words))?;
        }
        Ok(read)
    }
}

/// Returns the faults in the phrases.
pub fn check() -> Vec<DataFault> {
    PHRASES.fault().into_iter().collect()
}

/// True if a line says yes to the last question.
pub fn says_yes(line: &str) -> bool {
    is_one_of(line, &PHRASES.yes)
}

/// True if a line says no to the last question.
pub fn says_no(line: &str) -> bool {
    is_one_of(line, &PHRASES.no)
}

fn is_one_of(line: &str, words: &WordForms) -> bool {
    let input = fold(&NameAlone::read(line).name);
    words.all().any(|word| fold(word) == input)
}

/// Returns the command that a whole line means, in other words or with filler words around it.
pub fn command(line: &str) -> Option<Command> {
    let is_named = |text: &str| {
        let phrase = PHRASES.command.iter().find(|(_, words)| words.all().any(|w| fold(w) == text));
        let name = phrase.map_or(text, |(name, _)| name.as_str());
        let command = Command::find(CommandPlace::Terminal, name)?;
        (phrase.is_some() || LISTENS.contains(&command)).then_some(command)
    };
    bared(line, &PHRASES.around, &is_named)
}

/// The commands whose own words may have filler words around them: they lose nothing.
const LISTENS: [Command; 7] = [
    Command::Seal,
    Command::Withdraw,
    Command::Hand,
    Command::Show,
    Command::Rules,
    Command::Help,
    Command::Quit,
];

/// Returns the card that a line asks about, if it names one.
pub fn card_asked_about<T>(line: &str, is_card: impl Fn(&str) -> Option<T>) -> Option<T> {
    let bare = NameAlone::read(line).name;
    let is_asked = |name: &str| is_card(name).filter(|_| fold(&bare) != name);
    bared(line, &PHRASES.card, &is_asked)
}

/// Returns the longest part of a line before a word for sealing at its end that this accepts: the `me` of
/// `Salve me seal` belongs to the part, and the `please` of `Salve P1 please seal` to the seal.
pub fn before_seal(line: &str, accepts: impl Fn(&str) -> bool) -> Option<&str> {
    let ends = line.char_indices().rev().map(|(at, _)| at).filter(|at| *at > 0);
    let is_seal = |at: usize| {
        let torn = |c: char| c.is_ascii_alphanumeric();
        let (head, tail) = line.split_at(at);
        let is_torn = head.ends_with(torn) && tail.starts_with(torn);
        !is_torn && tail.chars().count() <= LONGEST && command(tail) == Some(Command::Seal)
    };
    let before = ends.filter(|at| is_seal(*at)).map(|at| line[..at].trim_end());
    before.into_iter().find(|before| accepts(before))
}

/// Strips the words `around` from both ends of a line until `means` accepts the rest.
fn bared<T>(line: &str, around: &WordForms, means: &dyn Fn(&str) -> Option<T>) -> Option<T> {
    if line.chars().count() > LONGEST {
        return None;
    }
    let around: Vec<String> = around.all().map(|word| fold(word)).collect();
    let whole = fold(line.trim());
    let bare = fold(&NameAlone::read(line).name);
    let mut seen: Vec<&str> = vec![&whole, &bare];
    let mut at = 0;
    while let Some(piece) = seen.get(at).copied() {
        at += 1;
        if let Some(found) = means(piece) {
            return Some(found);
        }
        for word in &around {
            let shorter = [without(piece, word, true), without(piece, word, false)];
            for shorter in shorter.into_iter().flatten() {
                if !shorter.is_empty() && !seen.contains(&shorter) {
                    seen.push(shorter);
                }
            }
        }
    }
    None
}

/// Returns a text without this word at its beginning or its end, `None` if the word is not there or is part
/// of another.
fn without<'t>(text: &'t str, word: &str, begins: bool) -> Option<&'t str> {
    let rest = if begins { text.strip_prefix(word)? } else { text.strip_suffix(word)? };
    let torn = |c: char| c.is_ascii_alphanumeric();
    let is_torn = if begins {
        word.ends_with(torn) && rest.starts_with(torn)
    } else {
        word.starts_with(torn) && rest.ends_with(torn)
    };
    let gap = |c: char| c.is_whitespace() || matches!(c, ',' | '、' | '。' | '.' | '!');
    (!is_torn).then(|| rest.trim_matches(gap))
}

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
    /// Parses a line that a viewer types, over a draft of theirs.
    pub fn typed(line: &'l str, draft: &Declaration, sight: &Sight) -> Self {
        match sight.seat {
            Some(_) => sight.listening(draft, |listening| Self::read(line, Some(listening))),
            None => Self::read(line, None),
        }
    }

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
        if let Some(command) = command(line) {
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
        if let Some(card) = card_asked_about(line, is_card) {
            return Self::Card(card);
        }
        if let Some(declared) = before_seal(line, |before| listening.is_answer(before)) {
            return Self::Seals(declared);
        }
        meaning.map_or_else(|| Self::Declares(Reading::default()), Self::from)
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
    let declared = before_seal(line, |before| listening.is_answer(before))?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_phrases_are_sound() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_command_is_understood_in_plain_words() {
        for (line, meant) in [
            ("undo", Some(Command::Withdraw)),
            ("やっぱりやめる", Some(Command::Withdraw)),
            ("cancel everything", Some(Command::Withdraw)),
            ("submit it", Some(Command::Seal)),
            ("これで提出する", Some(Command::Seal)),
            ("seal now", Some(Command::Seal)),
            ("exit please", Some(Command::Quit)),
            ("how do I win?", Some(Command::Rules)),
            ("?", Some(Command::Help)),
            ("What are my cards?", Some(Command::Hand)),
            ("undo the world", None),
            ("GUN", None),
            ("back", None),
        ] {
            assert_eq!(command(line), meant, "{line}");
        }
    }

    #[test]
    fn a_seal_may_stand_behind_what_is_sealed() {
        for (line, before) in [
            ("★1 封", Some("★1")),
            ("★2で提出します", Some("★2")),
            ("1 and seal", Some("1")),
            ("3A 4B 5A seal", Some("3A 4B 5A")),
            ("Salve me seal", Some("Salve me")),
            ("3A 4B sealed", None),
            ("seal", None),
        ] {
            let accepts = |said: &str| before.is_none_or(|before| said == before);
            assert_eq!(before_seal(line, accepts), before, "{line}");
        }
    }

    #[test]
    fn a_card_is_asked_about_in_plain_words() {
        let is_card = |name: &str| (name == "gun" || name == "拳銃").then(|| name.to_owned());
        for (line, card) in [
            ("what does gun do?", Some("gun")),
            ("拳銃って何？", Some("拳銃")),
            ("gun", None),
            ("what does a sword do?", None),
        ] {
            assert_eq!(card_asked_about(line, is_card).as_deref(), card, "{line}");
        }
    }
}
