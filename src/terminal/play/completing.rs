//! Completions of a line, each with a short description.

use super::session::{TerminalSession, behind};
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

impl TerminalSession {
    /// Returns the completions of a line in the present state of the table.
    pub(super) async fn complete_now(&mut self, line: &str, now: Time) -> Vec<Suggestion> {
        if behind(line, Command::Gm).is_some()
            && let Err(error) = self.look_as_gm(now).await
        {
            tracing::debug!(%error, "nothing to complete a decision from");
        }
        self.complete(line)
    }

    fn complete(&self, line: &str) -> Vec<Suggestion> {
        let looks_up = |command: Command, like: &dyn Fn(&str) -> Vec<Named>| {
            let input = behind(line, command)?;
            let start = line.len() - input.len();
            let suggested = like(input).into_iter().map(|Named { name, about }| Suggestion {
                completion: Completion::word(start, name),
                about: Some(about),
            });
            Some(suggested.collect())
        };
        let (letters, reader) = (&self.letters, &self.reader);
        let cards = || looks_up(Command::Card, &|input| letters.cards_like(reader, input));
        let rules = || looks_up(Command::Rules, &|input| letters.rules_like(reader, input));
        if let Some(found) = cards().or_else(rules) {
            return found;
        }
        if let Some(input) = behind(line, Command::Gm) {
            return self.described(self.complete_decision(line, input));
        }
        if let Some(input) = behind(line, Command::Vote) {
            let start = line.len() - input.len();
            let words = words_of_votes(reader.lang).filter(|word| word.starts_with(input));
            return self.described(words.map(|word| Completion::word(start, word)).collect());
        }
        if self.only_acts() {
            let form = |declared: &Declaration| self.sight.acting(declared);
            let none = Declaration::default();
            return self.described(text::complete(line, &none, &form, &self.words, reader.lang));
        }
        let form = |draft: &Declaration| self.sight.form(draft);
        let pieces = text::complete(line, &self.draft.declared, &form, &self.words, reader.lang);
        let commands = Command::words(CommandPlace::Terminal)
            .filter(|word| !line.is_empty() && word.starts_with(line));
        let command = |word: &str| {
            let command = Command::find(CommandPlace::Terminal, word);
            let about = command.map(|command| command.manifest().described(reader.lang).to_owned());
            Suggestion { completion: Completion::word(0, word), about }
        };
        self.described(pieces).into_iter().chain(commands.map(command)).collect()
    }

    /// Adds the descriptions to completions; none if all have the same one.
    fn described(&self, completions: Vec<Completion>) -> Vec<Suggestion> {
        let about = |completion: &Completion| self.reader.about(completion.id.as_ref()?);
        let abouts: Vec<Option<&str>> = completions.iter().map(about).collect();
        let alike = abouts.len() > 1 && abouts.windows(2).all(|two| two[0] == two[1]);
        let described = completions.into_iter().zip(abouts);
        let described = described.map(|(completion, about)| Suggestion {
            completion,
            about: about.filter(|_| !alike).map(str::to_owned),
        });
        described.collect()
    }
}
