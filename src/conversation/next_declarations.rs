//! What somebody declares for the next window before it opens.

use super::{Conversation, ConversationAnswer, ConversationError, Speaker};
use crate::desk::OrdersWord;
use crate::letters::{NextDeclarationShown, UnreadPiece};
use crate::rules::{Declaration, tidy};

impl Conversation<'_> {
    /// Adds what a text says to what they have declared for the next window, and shows it. What cannot
    /// be read is told.
    pub async fn next(&self, said: &str) -> Result<ConversationAnswer, ConversationError> {
        self.sight.next_kind()?;
        let before = &self.playing()?.next;
        let (mut next, unread) = match OrdersWord::read(said) {
            _ if said.trim().is_empty() => return self.next_shown(before, &[]),
            Some(OrdersWord::None) => return self.withdraw_next().await,
            _ => self.sight.read(said, before),
        };
        tidy(&mut next, &|draft| self.sight.form(draft));
        self.keep_next(&next).await?;
        self.next_shown(&next, &unread)
    }

    /// Takes back what they have declared for the next window.
    pub async fn withdraw_next(&self) -> Result<ConversationAnswer, ConversationError> {
        self.sight.next_kind()?;
        self.keep_next(&Declaration::default()).await?;
        self.next_shown(&Declaration::default(), &[])
    }

    async fn keep_next(&self, next: &Declaration) -> Result<(), ConversationError> {
        if *next != self.playing()?.next {
            let Speaker { desk, account, now, .. } = self.speaker;
            desk.declare_next(self.sight, account, next, now).await?;
        }
        Ok(())
    }

    /// How it reads.
    fn next_shown(
        &self,
        next: &Declaration,
        unread: &[UnreadPiece],
    ) -> Result<ConversationAnswer, ConversationError> {
        let shown = NextDeclarationShown::of(&self.sight.form(next));
        let Speaker { letters, reader, .. } = self.speaker;
        let shown = letters.write(reader, &NextDeclarationShown { unread, ..shown })?;
        Ok(ConversationAnswer::words(shown))
    }
}
