//! Acts: moves made immediately and before everybody's eyes.

use super::{Conversation, ConversationError};
use crate::window::act::{PressedControl, act_by};
use letters::{SureToAct, UnreadPiece};
use rules::text::Reading;
use rules::{Answer, Declaration, Interview, Value};

/// An act as read from an input line.
#[derive(Debug)]
pub struct SaidAct {
    pub declared: Declaration,
    /// The interview about the act.
    pub found: Interview,
    pub unread: Vec<UnreadPiece>,
    /// True if the input names the deed. Otherwise the person is asked before the act is done.
    pub is_named: bool,
}

impl SaidAct {
    /// True if the act is complete and all of the input was understood.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && self.found.is_all_said()
    }
}

impl Conversation<'_> {
    /// Reads an act from an input line.
    pub fn read_act(&self, line: &str) -> SaidAct {
        let act = self.said_act(self.sight.read_act(line));
        // A question is not an order: it is asked about, like a deed that is not named.
        let is_named = act.is_named && !line.trim_end().ends_with(['?', '\u{ff1f}']);
        SaidAct { is_named, ..act }
    }

    /// Adds the answers that leave no choice to a parsed act.
    pub fn said_act(&self, reading: Reading) -> SaidAct {
        let unread = UnreadPiece::of(&reading);
        let deed = self.sight.acting(&Declaration::default()).asked.into_iter().next();
        let is_named = deed.is_some_and(|deed| reading.names(&deed.question.key));
        let declared = self.with_only_answers(reading.declaration);
        SaidAct { found: self.sight.acting(&declared), declared, unread, is_named }
    }

    /// Adds the answers that leave no choice to an act.
    fn with_only_answers(&self, mut declared: Declaration) -> Declaration {
        loop {
            let found = self.sight.acting(&declared);
            let mut open = found.asked.iter().filter(|asked| asked.answer.is_none());
            let only = open.find_map(|asked| Some((&asked.question.key, asked.only_answer()?)));
            let Some((key, only)) = only else { return declared };
            declared.set(key.clone(), Answer::Given(Value::Choice(only.clone())));
        }
    }

    /// `None` unless the act is complete, and either final or typed without its deed; otherwise the question
    /// to ask before the act.
    pub fn ask_before(
        &self,
        declared: &Declaration,
        is_named: bool,
    ) -> Result<Option<String>, ConversationError> {
        let Self { speaker, sight } = self;
        let declared = self.with_only_answers(declared.clone());
        let at_stake = sight.at_stake(&declared);
        if is_named && at_stake.is_none() || !sight.acting(&declared).is_all_said() {
            return Ok(None);
        }
        let act = &sight.written_act(&declared, speaker.reader.lang);
        let sure = SureToAct { act, at_stake: at_stake.unwrap_or("secrecy") };
        Ok(Some(speaker.letters.write(speaker.reader, &sure)?))
    }

    /// Carries out an act. `pressed` is the control that was pressed for the act, if any.
    pub async fn act(
        &self,
        declared: &Declaration,
        pressed: Option<PressedControl>,
    ) -> Result<(), ConversationError> {
        let (speaker, code) = (&self.speaker, &self.sight.code);
        let declared = self.with_only_answers(declared.clone());
        act_by(speaker.desk, code, speaker.account, &declared, pressed, speaker.now).await?;
        Ok(())
    }
}
