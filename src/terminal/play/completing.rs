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
            let said = behind(line, command)?;
            let start = line.len() - said.len();
            let suggested = like(said).into_iter().map(|Named { name, about }| Suggestion {
                completion: Completion::word(start, name),
                about: Some(about),
            });
            Some(suggested.collect())
        };
        let (letters, reader) = (&self.letters, &self.reader);
        let cards = || looks_up(Command::Card, &|said| letters.cards_like(reader, said));
        let rules = || looks_up(Command::Rules, &|said| letters.rules_like(reader, said));
        if let Some(found) = cards().or_else(rules) {
            return found;
        }
        if let Some(said) = behind(line, Command::Gm) {
            return self.told(self.complete_decision(line, said));
        }
        if let Some(said) = behind(line, Command::Vote) {
            let start = line.len() - said.len();
            let words = words_of_votes(reader.lang).filter(|word| word.starts_with(said));
            return self.told(words.map(|word| Completion::word(start, word)).collect());
        }
        if self.only_acts() {
            let form = |said: &Declaration| self.sight.acting(said);
            let none = Declaration::default();
            return self.told(text::complete(line, &none, &form, &self.words, reader.lang));
        }
        let form = |draft: &Declaration| self.sight.form(draft);
        let pieces = text::complete(line, &self.draft.said, &form, &self.words, reader.lang);
        let commands = Command::words(CommandPlace::Terminal)
            .filter(|word| !line.is_empty() && word.starts_with(line));
        let command = |word: &str| {
            let command = Command::find(CommandPlace::Terminal, word);
            let about = command.map(|command| command.manifest().described(reader.lang).to_owned());
            Suggestion { completion: Completion::word(0, word), about }
        };
        self.told(pieces).into_iter().chain(commands.map(command)).collect()
    }

    /// Adds the descriptions to completions; none if all have the same one.
    fn told(&self, completions: Vec<Completion>) -> Vec<Suggestion> {
        let about = |completion: &Completion| self.reader.about(completion.id.as_ref()?);
        let abouts: Vec<Option<&str>> = completions.iter().map(about).collect();
        let alike = abouts.len() > 1 && abouts.windows(2).all(|two| two[0] == two[1]);
        let told = completions.into_iter().zip(abouts);
        let told = told.map(|(completion, about)| Suggestion {
            completion,
            about: about.filter(|_| !alike).map(str::to_owned),
        });
        told.collect()
    }
}
