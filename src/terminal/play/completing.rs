//! Completions of a line, each with a short description.

use super::session::{TerminalSession, behind};
use super::{acting, gm};
use desk::commands::{Command, CommandPlace};
use desk::words_of_votes;
use letters::Named;
use rules::Declaration;
use rules::text::{self, Completion};
use tables::time::Time;

/// A completion of a line.
#[derive(Debug)]
pub(super) struct Suggestion {
    pub(super) completion: Completion,
    /// The description, for a second column.
    pub(super) about: Option<String>,
}

/// Returns the completions of a line in the present state of the table.
pub(super) async fn complete_now(
    session: &mut TerminalSession,
    line: &str,
    now: Time,
) -> Vec<Suggestion> {
    if behind(line, Command::Gm).is_some()
        && let Err(error) = gm::look_as_gm(session, now).await
    {
        tracing::debug!(%error, "nothing to complete a decision from");
    }
    complete(session, line)
}

fn complete(session: &TerminalSession, line: &str) -> Vec<Suggestion> {
    let looks_up = |command: Command, like: &dyn Fn(&str) -> Vec<Named>| {
        let input = behind(line, command)?;
        let start = line.len() - input.len();
        let suggested = like(input).into_iter().map(|Named { name, about }| Suggestion {
            completion: Completion::word(start, name),
            about: Some(about),
        });
        Some(suggested.collect())
    };
    let (letters, reader) = (&session.letters, &session.reader);
    let cards = || looks_up(Command::Card, &|input| letters.cards_like(reader, input));
    let rules = || looks_up(Command::Rules, &|input| letters.rules_like(reader, input));
    if let Some(found) = cards().or_else(rules) {
        return found;
    }
    if let Some(input) = behind(line, Command::Gm) {
        return described(session, gm::complete_decision(session, line, input));
    }
    if let Some(input) = behind(line, Command::Vote) {
        let start = line.len() - input.len();
        let words = words_of_votes(reader.lang).filter(|word| word.starts_with(input));
        return described(session, words.map(|word| Completion::word(start, word)).collect());
    }
    if acting::only_acts(session) {
        let form = |declared: &Declaration| session.sight.acting(declared);
        let none = Declaration::default();
        return described(session, text::complete(line, &none, &form, &session.words, reader.lang));
    }
    let form = |draft: &Declaration| session.sight.form(draft);
    let pieces = text::complete(line, &session.draft.declared, &form, &session.words, reader.lang);
    let commands = Command::words(CommandPlace::Terminal)
        .filter(|word| !line.is_empty() && word.starts_with(line));
    let command = |word: &str| {
        let command = Command::find(CommandPlace::Terminal, word);
        let about = command.map(|command| command.manifest().described(reader.lang).to_owned());
        Suggestion { completion: Completion::word(0, word), about }
    };
    described(session, pieces).into_iter().chain(commands.map(command)).collect()
}

/// Adds the descriptions to completions; none if all have the same one.
fn described(session: &TerminalSession, completions: Vec<Completion>) -> Vec<Suggestion> {
    let about = |completion: &Completion| session.reader.about(completion.id.as_ref()?);
    let abouts: Vec<Option<&str>> = completions.iter().map(about).collect();
    let alike = abouts.len() > 1 && abouts.windows(2).all(|two| two[0] == two[1]);
    let described = completions.into_iter().zip(abouts);
    let described = described.map(|(completion, about)| Suggestion {
        completion,
        about: about.filter(|_| !alike).map(str::to_owned),
    });
    described.collect()
}
