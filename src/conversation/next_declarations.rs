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
            Some(OrdersWord::None) => (Declaration::default(), Vec::new()),
            _ => self.sight.read(said, before),
        };
        if next != *before {
            tidy(&mut next, &|draft| self.sight.form(draft));
            let Speaker { desk, account, now, .. } = self.speaker;
            desk.declare_next(self.sight, account, &next, now).await?;
        }
        self.next_shown(&next, &unread)
    }

    /// How it reads.
    fn next_shown(
        &self,
        next: &Declaration,
        unread: &[UnreadPiece],
    ) -> Result<ConversationAnswer, ConversationError> {
        let interview = &self.sight.form(next);
        let shown = NextDeclarationShown { interview, unread, by_menus: false, beside_hand: false };
        let Speaker { letters, reader, .. } = self.speaker;
        Ok(ConversationAnswer::words(letters.next(reader, &shown)?))
    }
}
