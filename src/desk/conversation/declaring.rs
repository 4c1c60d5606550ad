//! Declarations by input: a draft, a seal, withdrawing both, and making a seal a standing order.

use std::sync::Arc;

use super::{Conversation, ConversationError, NextStep, Speaker};
use crate::view::see;
use crate::window::declare;
use crate::{DeclarationStatus, ReceivedDeclaration};
use letters::{DeclarationRefused, Echoed, SaidAgain, UnreadPiece};
use rules::text::NamedPart;
use rules::{Answer, Declaration, Interview, Key, StillStanding, said_again};

impl Conversation<'_> {
    /// Replaces the person's declaration.
    pub async fn declare(
        &self,
        declaration: &Declaration,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration, ConversationError> {
        self.declare_as_read(declaration, self.sight.form(declaration), status).await
    }

    /// Replaces the person's declaration with one that has been parsed already.
    pub async fn declare_as_read(
        &self,
        declaration: &Declaration,
        interview: Interview,
        status: DeclarationStatus,
    ) -> Result<ReceivedDeclaration, ConversationError> {
        let Speaker { desk, account, now, .. } = self.speaker;
        let seen = self.sight.play.as_ref().zip(self.sight.seat);
        let seen = seen.map(|(play, seat)| (Arc::clone(&play.ground), seat, interview));
        Ok(declare::declare(desk, &self.sight.code, account, declaration, status, seen, now)
            .await?)
    }

    /// `None` if the person has no previous declaration; otherwise that declaration.
    async fn said_before(&self) -> Result<Option<Declaration>, ConversationError> {
        self.sight.seated_in_game()?;
        Ok(see::said_before(self.speaker.desk, self.sight).await?)
    }

    /// Returns the previous declaration, as far as it is asked again and valid, with a note on the rest and
    /// on any other declaration that it replaces.
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

    /// Returns the note on the invalid parts of a previous declaration and on a replaced declaration; empty
    /// if there is neither.
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

    /// Returns the person's declaration without a section, or an empty one if no section is named.
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
        let left = NamedPart::read(section).taken_from(own, self.sight.words().lexicon());
        if left == *own {
            return Err(ConversationError::RefusedFor(
                DeclarationRefused::NothingThere.into(),
                section.to_owned(),
            ));
        }
        Ok(left)
    }

    /// Returns the echo of an accepted declaration, after the input that could not be read.
    pub fn echo_of(
        &self,
        received: &ReceivedDeclaration,
        unread: &[UnreadPiece],
    ) -> Result<String, ConversationError> {
        let closing = self.sight.closing_times(received.timing, self.speaker.now);
        let receipt = received.receipt.as_deref();
        let (sealed, skipped) = (receipt.is_some(), self.sight.is_skipped());
        let unsealed = !sealed && self.sight.has_sealed();
        let echoed = Echoed::of(&received.interview, closing);
        let echoed = Echoed { unread, sealed, unsealed, skipped, receipt, ..echoed };
        Ok(self.speaker.letters.write(self.speaker.reader, &echoed)?)
    }

    /// Returns the echo of the person's declaration, after the input that could not be read.
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

    /// Returns the next step after a seal: to make it a standing order, unless it is one.
    pub fn after_sealing(&self, declared: &Declaration) -> Vec<NextStep> {
        let ordered = self.sight.play.as_ref().map(|play| &play.orders);
        let always = self.always_of(declared);
        let is_new = |(key, answer): (&Key, &Answer)| {
            ordered.and_then(|orders| orders.get(key)) != Some(answer)
        };
        always.iter().any(is_new).then_some(NextStep::Always).into_iter().collect()
    }

    /// Returns the part of a declaration that can be a standing order.
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
