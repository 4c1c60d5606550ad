//! Phrases in plain language: other words for commands, and questions about a card.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::commands::{Command, CommandPlace};
use rules::data::{BuiltIn, DataFault, parse};
use rules::text::{NameAlone, fold};
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
