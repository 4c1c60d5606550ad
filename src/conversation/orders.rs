//! What somebody lets their seat answer for as long as they like.

use super::{Conversation, ConversationAnswer, ConversationError, NextStep, Speaker};
use crate::desk::OrdersWord;
use crate::letters::{DeclarationRefused, OrdersShown, Refused, UnreadPiece};
use crate::rules::text::{self, NamedPart};
use crate::rules::{Answer, Declaration, Fault, Interview};

impl Conversation<'_> {
    /// Keeps what a text orders beside what is ordered already, and shows all of it. What cannot be
    /// read or cannot stand is told, and changes nothing.
    pub async fn orders(&self, said: &str) -> Result<ConversationAnswer, ConversationError> {
        let speaker = &self.speaker;
        let standing = speaker.desk.orders(&self.sight.code, speaker.account, speaker.now).await?;
        let form = |draft: &Declaration| self.sight.ordering(draft);
        let orders = match OrdersWord::read(said) {
            _ if said.trim().is_empty() => return self.show_orders(&standing.interview, &[], &[]),
            Some(OrdersWord::None) => Declaration::default(),
            Some(OrdersWord::Always) => {
                let mut orders = standing.orders;
                orders.extend(self.always()?);
                orders
            }
            None if OrdersWord::taken_back(said).is_some() => {
                self.without_order(&standing.orders, OrdersWord::taken_back(said).unwrap_or(said))?
            }
            None => {
                let reading = text::read(said, &standing.orders, &form, &self.sight.words());
                let (unread, found) = (UnreadPiece::of(&reading), form(&reading.declaration));
                if !unread.is_empty() || !found.faults.is_empty() {
                    return self.show_orders(&standing.interview, &unread, &found.faults);
                }
                reading.declaration
            }
        };
        let code = &self.sight.code;
        let given = speaker.desk.give_orders(code, speaker.account, &orders, speaker.now).await?;
        self.show_orders(&given.interview, &[], &[])
    }

    /// What is left of these orders without those of a part. Refused if there are none.
    fn without_order(
        &self,
        orders: &Declaration,
        part: &str,
    ) -> Result<Declaration, ConversationError> {
        let left = NamedPart::read(part).taken_from(orders, self.sight.game.lexicon());
        if left == *orders {
            let refused = DeclarationRefused::NoSuchOrder.into();
            return Err(ConversationError::RefusedFor(refused, part.to_owned()));
        }
        Ok(left)
    }

    /// What of this declaration could be said once for all windows, and is not said by orders.
    fn always_of(&self, declared: &Declaration) -> Declaration {
        let mut always = Declaration::default();
        let ordered = self.sight.play.as_ref().map(|play| &play.orders);
        for asked in self.sight.ordering(&Declaration::default()).asked {
            let key = asked.question.key;
            let Some(answer @ Answer::Given(value)) = declared.get(&key) else { continue };
            if ordered.and_then(|orders| orders.get(&key)?.value()) == Some(value) {
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

    /// What of their declaration is to count always. Refused if that is nothing.
    fn always(&self) -> Result<Declaration, Refused> {
        let always = self.always_of(&self.playing()?.own);
        if always.is_empty() { Err(DeclarationRefused::NothingThere.into()) } else { Ok(always) }
    }

    /// What comes next for who has sealed this: to let it count always.
    pub fn after_sealing(&self, declared: &Declaration) -> Vec<NextStep> {
        let is_any = !self.always_of(declared).is_empty();
        is_any.then_some(NextStep::Always).into_iter().collect()
    }

    /// Their orders, as they read, below what was wrong with what was said now: that has changed
    /// nothing.
    fn show_orders(
        &self,
        standing: &Interview,
        unread: &[UnreadPiece],
        faults: &[Fault],
    ) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { letters, reader, .. } = self.speaker;
        let orders = OrdersShown { unread, faults, ..OrdersShown::of(standing) };
        Ok(ConversationAnswer::words(letters.write(reader, &orders)?))
    }
}
