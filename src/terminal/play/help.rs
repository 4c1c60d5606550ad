//! Help: the commands, and the use of each.

use super::session::{Result, TerminalSession};
use desk::commands::{Command, CommandPlace};
use desk::{OverrideReply, Verb};
use letters::{Deciding, HELPED, HelpOn, NoSuchWord, asks_for_all};
use rules::text;

/// The maximum number of lines found by a word.
const FOUND: usize = 6;

/// Returns the most useful commands, or all of them if that is asked for, or the use of one.
pub(super) fn help(session: &TerminalSession, input: &str) -> Result {
    let openly = session.sight.is_open_handed();
    if input.is_empty() {
        return Ok(session.letters.help(&session.reader, openly, false)?);
    }
    let all = session.letters.help(&session.reader, openly, true)?;
    if asks_for_all(input) {
        return Ok(all);
    }
    if let Some(command) = find(input) {
        let is_of = |line: &&str| first_word(line).and_then(find) == Some(command);
        let Some(line) = all.lines().rfind(is_of) else { return Ok(all) };
        return Ok(format!("{}\n{}", line.trim_start(), help_on(session, command.name())?));
    }
    let behind = input.split_once(char::is_whitespace);
    let behind = behind.filter(|(word, _)| find(word) == Some(Command::Gm));
    let deciding = session.write(&Deciding {})?;
    let decided = behind.map_or(input, |(_, rest)| rest.trim());
    if let Some(line) = help_on_deciding(session, decided, &deciding) {
        return Ok(line.trim_start().to_owned());
    }
    if session.letters.is_card(&session.reader, input) {
        return Ok(session.letters.card(&session.reader, input)?);
    }
    let mut found = Vec::new();
    for text in HELPED.map(|command| help_on(session, command)) {
        found.extend(lines_with(input, &text?));
    }
    let lines = lines_with(input, &all).chain(found).chain(lines_with(input, &deciding));
    let lines: Vec<String> = lines.take(FOUND).collect();
    if !lines.is_empty() {
        return Ok(lines.join("\n"));
    }
    let nearest = Command::nearest(CommandPlace::Terminal, &text::fold(input));
    let quotation = &quoted(input);
    Ok(session.write(&NoSuchWord { said: quotation, nearest })?)
}

/// Returns the use of a command; empty if its line says enough.
fn help_on(session: &TerminalSession, command: &str) -> Result {
    Ok(session.write(&HelpOn { command })?)
}

/// Finds the line about a game master's command in the text about all of them.
fn help_on_deciding<'t>(session: &TerminalSession, input: &str, all: &'t str) -> Option<&'t str> {
    let verb = Verb::read(input).map(|(verb, _)| verb);
    let reply = OverrideReply::read(input).map(|(reply, _)| reply);
    let is_meant = |word: &str| match (verb, reply) {
        (Some(verb), _) => text::fold(word) == text::fold(verb.word(session.reader.lang)),
        (_, reply) => reply.is_some() && OverrideReply::read(word).map(|(of, _)| of) == reply,
    };
    all.lines().find(|line| {
        let mut words = line.split_whitespace();
        words.next() == Some("gm") && words.next().is_some_and(is_meant)
    })
}

fn find(word: &str) -> Option<Command> {
    Command::find(CommandPlace::Terminal, &text::fold(word))
}

/// Returns the command of a line.
fn first_word(line: &str) -> Option<&str> {
    line.trim_start().split(|c: char| c.is_whitespace() || c == '\u{ff08}').next()
}

/// Returns the lines that contain a text: as a whole word, in scripts with spaces.
fn lines_with(input: &str, text: &str) -> impl Iterator<Item = String> {
    let input = text::fold(input.trim());
    let lines = text.lines().filter(|line| {
        let line = text::fold(line);
        line.match_indices(&input).any(|(at, _)| {
            let torn = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
            let is_latin = input.is_ascii();
            let (before, behind) = (&line[..at], &line[at + input.len()..]);
            !input.is_empty()
                && !(is_latin && (torn(before.chars().next_back()) || torn(behind.chars().next())))
        })
    });
    lines.map(|line| line.trim_start().to_owned()).collect::<Vec<_>>().into_iter()
}

/// Shortens the input for a quotation.
fn quoted(input: &str) -> String {
    /// The maximum length of a quotation, in characters.
    const QUOTED: usize = 40;
    input.chars().take(QUOTED).collect()
}
