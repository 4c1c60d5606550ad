//! Declarations ahead of a window: standing orders, and the declaration for the next window.

use super::{Conversation, ConversationAnswer, ConversationError, Speaker};
use crate::person::said_ahead::{self, declare_next, give_orders};
use crate::{OrdersWord, StandingOrders};
use letters::{DeclarationRefused, NextDeclarationShown, OrdersShown, Refused, UnreadPiece};
use rules::question::Shape;
use rules::text::{self, NamedPart};
use rules::{Answer, Asked, Declaration, Fault, Interview, Key, Question, Value, tidy};

/// The part of a declaration that becomes standing orders.
#[derive(Default)]
struct KeptAlways {
    orders: Declaration,
    /// The parts of the declaration that cannot be standing orders.
    left: Vec<Key>,
}

impl Conversation<'_> {
    /// Adds the orders in the input to the standing orders, and shows all of them. Input that cannot be read
    /// or is invalid is shown, and changes nothing.
    pub async fn orders(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        let speaker = &self.speaker;
        let standing =
            said_ahead::orders(speaker.desk, &self.sight.code, speaker.account, speaker.now)
                .await?;
        let form = |draft: &Declaration| self.sight.ordering(draft);
        let mut always = KeptAlways::default();
        let orders = match OrdersWord::read(input) {
            _ if input.trim().is_empty() => return self.show_orders(&standing.interview, &[], &[]),
            Some(OrdersWord::None) => Declaration::default(),
            Some(OrdersWord::Always) => {
                always = self.always()?;
                let mut orders = standing.orders;
                orders.extend(always.orders.clone());
                orders
            }
            None | Some(OrdersWord::Pass | OrdersWord::Use) => {
                let before = OrdersWord::before_pass(input).filter(|_| self.can_pass());
                let input = before.unwrap_or(input);
                let orders = if let Some(part) = OrdersWord::taken_back(input) {
                    self.without_order(&standing.orders, part)?
                } else if let Some(orders) = self.with_part_passed(&standing.orders, input) {
                    orders
                } else {
                    let reading = text::read(input, &standing.orders, &form, &self.sight.words());
                    let (unread, found) = (UnreadPiece::of(&reading), form(&reading.declaration));
                    let faults = [found.faults, found.remarks].concat();
                    let is_ordered = unread.is_empty() && faults.is_empty();
                    let read = is_ordered.then_some(reading.declaration);
                    match read.or_else(|| self.with_part_used(&standing.orders, input)) {
                        Some(orders) => orders,
                        None => {
                            return self.show_orders(&standing.interview, &unread, &faults);
                        }
                    }
                };
                let passing = before.and_then(|_| form(&orders).letting_rest_pass(&orders));
                passing.unwrap_or(orders)
            }
        };
        let given = self.keep_orders(&orders).await?;
        let ordered: Vec<Key> = always.orders.iter().map(|(key, _)| key.clone()).collect();
        let orders = OrdersShown::of(&given.interview);
        let orders = OrdersShown { kept: &ordered, unkept: &always.left, ..orders };
        Ok(ConversationAnswer::words(speaker.letters.write(speaker.reader, &orders)?))
    }

    /// True if anything that can be ordered can be passed.
    fn can_pass(&self) -> bool {
        let found = self.sight.ordering(&Declaration::default());
        found.asked.iter().any(|asked| asked.question.can_pass())
    }

    /// `None` if the input passes nothing; otherwise the orders, with the named part or question passed.
    fn with_part_passed(&self, orders: &Declaration, input: &str) -> Option<Declaration> {
        let named = NamedPart::read(OrdersWord::passed(input)?);
        let (mut passed, lexicon) = (orders.clone(), self.sight.game.lexicon());
        for asked in self.sight.ordering(orders).asked {
            let Question { key, .. } = &asked.question;
            if asked.question.can_pass() && named.is_of(key, lexicon) {
                passed.set(key.clone(), Answer::LeftOut);
            }
        }
        (passed != *orders).then_some(passed)
    }

    /// `None` if the input does not name one question with a single answer; otherwise the orders with this
    /// answer.
    fn with_part_used(&self, orders: &Declaration, input: &str) -> Option<Declaration> {
        let named = NamedPart::read(OrdersWord::used(input));
        let (found, lexicon) = (self.sight.ordering(orders), self.sight.game.lexicon());
        let mut named = found.asked.into_iter().filter(|it| named.is_of(&it.question.key, lexicon));
        let (Some(Asked { question, .. }), None) = (named.next(), named.next()) else {
            return None;
        };
        let Shape::Choose { options, .. } = question.shape else { return None };
        let [only] = &options[..] else { return None };
        let mut using = orders.clone();
        using.set(question.key, Answer::Given(Value::Choice(only.clone())));
        Some(using)
    }

    /// Returns the orders without those of a part. Refused if the part has none.
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

    /// Returns the parts of the declaration that can be standing orders. Refused if there are none.
    fn always(&self) -> Result<KeptAlways, Refused> {
        let own = &self.sight.playing()?.own;
        let orders = self.always_of(own);
        if orders.is_empty() {
            return Err(DeclarationRefused::NothingToOrder.into());
        }
        let mut left = Vec::new();
        for (key, answer) in own.iter() {
            let part = key.whole();
            let is_kept = orders.iter().any(|(ordered, _)| ordered.whole() == part);
            if matches!(answer, Answer::Given(_)) && !is_kept && !left.contains(&part) {
                left.push(part);
            }
        }
        Ok(KeptAlways { orders, left })
    }

    /// Shows the standing orders after the faults of the input, which has changed nothing.
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

    /// Adds the input to the declaration for the next window, and shows it with any input that cannot be
    /// read.
    pub async fn next(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        self.sight.next_kind()?;
        let before = &self.sight.playing()?.next;
        let (mut next, unread) = match OrdersWord::read(input) {
            _ if input.trim().is_empty() => return self.next_shown(before, &[]),
            Some(OrdersWord::None) => return self.withdraw_next().await,
            _ => {
                let reading = self.sight.read(input, before);
                let unread = UnreadPiece::of(&reading);
                (reading.declaration, unread)
            }
        };
        tidy(&mut next, &|draft| self.sight.form(draft));
        self.keep_next(&next).await?;
        self.next_shown(&next, &unread)
    }

    /// Withdraws the declaration for the next window.
    pub async fn withdraw_next(&self) -> Result<ConversationAnswer, ConversationError> {
        self.sight.next_kind()?;
        self.keep_next(&Declaration::default()).await?;
        self.next_shown(&Declaration::default(), &[])
    }

    /// Replaces the standing orders.
    pub async fn keep_orders(
        &self,
        orders: &Declaration,
    ) -> Result<StandingOrders, ConversationError> {
        let Speaker { desk, account, now, .. } = self.speaker;
        Ok(give_orders(desk, &self.sight.code, account, orders, now).await?)
    }

    /// Stores the declaration for the next window if it has changed.
    pub async fn keep_next(&self, next: &Declaration) -> Result<(), ConversationError> {
        if *next != self.sight.playing()?.next {
            let Speaker { desk, account, now, .. } = self.speaker;
            declare_next(desk, self.sight, account, next, now).await?;
        }
        Ok(())
    }

    /// Shows the declaration for the next window.
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
