//! What somebody says about their declaration: a draft, a seal, taking both back, and letting what was
//! sealed count always.

use std::sync::Arc;

use super::{Conversation, ConversationError, NextStep, Speaker};
use crate::{DeclarationStatus, ReceivedDeclaration};
use letters::{DeclarationRefused, Echoed, SaidAgain, UnreadPiece};
use rules::text::NamedPart;
use rules::{Answer, Declaration, Interview, Key, StillStanding, said_again};

impl Conversation<'_> {
    /// Takes a declaration in place of the one that was there.
    pub async fn declare(
        &self,
        declaration: &Declaration,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration, ConversationError> {
        self.declare_as_read(declaration, self.sight.form(declaration), status).await
    }

    /// Takes a declaration that has been read already.
    pub async fn declare_as_read(
        &self,
        declaration: &Declaration,
        interview: Interview,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration, ConversationError> {
        let Speaker { desk, account, now, .. } = self.speaker;
        let seen = self.sight.play.as_ref().zip(self.sight.seat);
        let seen = seen.map(|(play, seat)| (Arc::clone(&play.ground), seat, interview));
        Ok(desk.declare(&self.sight.code, account, declaration, status, seen, now).await?)
    }

    /// What they declared the last time, for whoever declares again.
    async fn said_before(&self) -> Result<Option<Declaration>, ConversationError> {
        self.sight.seated_in_game()?;
        Ok(self.speaker.desk.said_before(self.sight).await?)
    }

    /// The same as they declared the last time, as far as it is asked again and can stand, with a note
    /// on what cannot, and whether it takes the place of something else.
    pub async fn same(
        &self,
        own: &Declaration,
    ) -> Result<(Declaration, String), ConversationError> {
        let before = self.said_before().await?;
        let form = |draft: &Declaration| self.sight.form(draft);
        let again = before.and_then(|before| said_again(&form, &before));
        let again = again.ok_or(DeclarationRefused::NothingToRepeat)?;
        let note = self.note_of(&again, own)?;
        Ok((again.draft, note))
    }

    /// What of their last declaration cannot stand, and whether the rest takes the place of something
    /// else; nothing if neither is so.
    pub fn note_of(
        &self,
        again: &StillStanding,
        own: &Declaration,
    ) -> Result<String, ConversationError> {
        let StillStanding { draft, faults, superfluous } = again;
        let replaces = !own.is_empty() && own.without_orders() != *draft;
        let note = SaidAgain { faults, superfluous, replaces };
        Ok(self.speaker.letters.write(self.speaker.reader, &note)?)
    }

    /// What is left of their own declaration without a section, or without anything where none is
    /// named.
    pub fn without(
        &self,
        own: &Declaration,
        section: &str,
    ) -> Result<Declaration, ConversationError> {
        self.sight.seated_in_game()?;
        if own.is_empty() && !self.sight.has_sealed() {
            return Err(DeclarationRefused::NothingDeclared.into());
        }
        if section.is_empty() {
            return Ok(Declaration::default());
        }
        let left = NamedPart::read(section).taken_from(own, self.sight.game.lexicon());
        if left == *own {
            return Err(ConversationError::RefusedFor(
                DeclarationRefused::NothingThere.into(),
                section.to_owned(),
            ));
        }
        Ok(left)
    }

    /// How a declaration that was taken was read, below what of its text could not be.
    pub fn echo_of(
        &self,
        received: &ReceivedDeclaration,
        unread: &[UnreadPiece],
    ) -> Result<String, ConversationError> {
        let closing = self.sight.closing_times(received.timing, self.speaker.now);
        let receipt = received.receipt.as_deref();
        let (sealed, skipped) = (receipt.is_some(), self.sight.is_skipped());
        let echoed = Echoed::of(&received.interview, closing);
        let echoed = Echoed { unread, sealed, skipped, receipt, ..echoed };
        Ok(self.speaker.letters.write(self.speaker.reader, &echoed)?)
    }

    /// How their declaration stands, below what of a text could not be read.
    pub fn echo(
        &self,
        interview: &Interview,
        unread: &[UnreadPiece],
    ) -> Result<String, ConversationError> {
        let (play, _) = self.sight.seated_in_play()?;
        let closing = self.sight.closing_times(play.timing, self.speaker.now);
        let (sealed, skipped) = (self.sight.has_sealed(), self.sight.is_skipped());
        let echoed = Echoed { unread, sealed, skipped, ..Echoed::of(interview, closing) };
        Ok(self.speaker.letters.write(self.speaker.reader, &echoed)?)
    }

    /// What comes next for who has sealed this: to let it count always, unless it is ordered already.
    pub fn after_sealing(&self, declared: &Declaration) -> Vec<NextStep> {
        let ordered = self.sight.play.as_ref().map(|play| &play.orders);
        let always = self.always_of(declared);
        let is_new = |(key, answer): (&Key, &Answer)| {
            ordered.and_then(|orders| orders.get(key)) != Some(answer)
        };
        always.iter().any(is_new).then_some(NextStep::Always).into_iter().collect()
    }

    /// What of this declaration could be said once for all windows.
    pub(super) fn always_of(&self, declared: &Declaration) -> Declaration {
        let mut always = Declaration::default();
        for asked in self.sight.ordering(&Declaration::default()).asked {
            let can_pass = asked.question.can_pass();
            let key = asked.question.key;
            let Some(answer) = declared.get(&key) else { continue };
            let is_order = match answer {
                Answer::Given(_) => true,
                Answer::LeftOut => can_pass,
                Answer::Ordered(_) | Answer::InReserve(_) => false,
            };
            if !is_order {
                continue;
            }
            let mut orders = Declaration::default();
            orders.set(key.clone(), answer.clone());
            if self.sight.ordering(&orders).faults.is_empty() {
                always.set(key, answer.clone());
            }
        }
        always
    }
}
