//! The meaning of a typed line while a window is open, in any game.

use std::fmt;

use smol_str::SmolStr;

use super::any::AnyGame;
use super::card_texts::CardText;
use rules::text::{NameAlone, Reading, UnreadReason, Words, read, read_act, read_sentence};
use rules::{Answer, Asked, Declaration, Interview, Value};

/// A window as one seat is asked in it, and the input to parse.
pub struct Listening<'a> {
    pub game: &'static dyn AnyGame,
    pub words: &'a Words<'a>,
    /// Interviews the seat about a draft.
    pub form: &'a dyn Fn(&Declaration) -> Interview,
    /// Interviews the seat about an immediate act.
    pub acting: &'a dyn Fn(&Declaration) -> Interview,
    /// Interviews the seat about standing orders.
    pub ordering: &'a dyn Fn(&Declaration) -> Interview,
    /// Completes a draft with standing orders.
    pub with_orders: &'a dyn Fn(&Declaration, &Declaration) -> Declaration,
    /// The declaration so far.
    pub draft: &'a Declaration,
}

impl fmt::Debug for Listening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, draft, .. } = self;
        f.debug_struct("Listening").field("game", game).field("draft", draft).finish()
    }
}

/// The meaning of a line.
#[derive(Debug)]
pub enum LineMeaning {
    /// A question about this card.
    Card(&'static CardText),
    /// A declaration, as far as it is parsed.
    Declares(Reading),
    /// An immediate act, as far as it is parsed.
    Acts(Reading),
}

impl LineMeaning {
    /// True if the whole line was parsed, and has a content.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Card(_) => true,
            Self::Declares(reading) | Self::Acts(reading) => says_all(reading),
        }
    }
}

/// True if the reading has a content, and all of it is parsed.
fn says_all(reading: &Reading) -> bool {
    reading.is_whole() && !reading.lines.is_empty()
}

impl Listening<'_> {
    /// Returns the meaning of a line. The name of a card alone is an answer to an open question, or otherwise
    /// a question about the card, but never an immediate act.
    pub fn meaning(&self, line: &str) -> LineMeaning {
        let alone = NameAlone::read(line);
        let card = self.game.card(&alone.name);
        if let Some(card) = card.filter(|_| alone.asks) {
            return LineMeaning::Card(card);
        }
        let (declared, only_acts) = (self.declared(line), self.only_acts());
        let is_whole = says_all(&declared);
        if is_whole && self.stands(&declared) && !only_acts {
            return LineMeaning::Declares(declared);
        }
        let act = read_act(line, self.acting, self.words);
        let is_several = declared.misread.iter().any(|it| it.why == UnreadReason::Several);
        let is_bare = !is_several && !self.answers_besides(&act, &alone.name);
        if let Some(card) = card.filter(|card| is_bare && self.is_one(card)) {
            return LineMeaning::Card(card);
        }
        if only_acts || self.is_act(&declared, &act) {
            return LineMeaning::Acts(act);
        }
        let ordered = (!is_whole).then(|| self.ordered_now(line)).flatten();
        LineMeaning::Declares(ordered.unwrap_or(declared))
    }

    /// `None` unless the line is a standing order that can answer the draft now. Parses the line as orders,
    /// and returns the draft with their answers.
    fn ordered_now(&self, line: &str) -> Option<Reading> {
        let none = Declaration::default();
        let mut orders = read(line, &none, self.ordering, self.words);
        if !says_all(&orders) {
            return None;
        }
        let mut before = self.draft.clone();
        before.retain(|key| orders.lines.iter().all(|read| read.key.whole() != key.whole()));
        for (key, answer) in (self.with_orders)(&before, &orders.declaration).iter() {
            let answer = match answer {
                Answer::Ordered(Some(value)) => Answer::Given(value.clone()),
                answer => answer.clone(),
            };
            before.set(key.clone(), answer);
        }
        orders.declaration = before;
        (orders.declaration != *self.draft && self.stands(&orders)).then_some(orders)
    }

    /// True if an act has an answer other than a card and the deed itself. A part of the card's name does not
    /// count: “two” of “two of spades”.
    fn answers_besides(&self, act: &Reading, name: &str) -> bool {
        let deed = self.deed().map(|deed| deed.question.key);
        let mut whole = act.lines.iter().filter(|read| read.span.len() >= name.len());
        whole.any(|read| match &read.answer {
            _ if Some(&read.key) == deed.as_ref() => false,
            Answer::Given(Value::Choice(id)) => !self.is_card(id),
            Answer::Given(Value::Picks(ids)) => ids.iter().any(|id| !self.is_card(id)),
            _ => true,
        })
    }

    /// True if the declaration has no fault that the draft does not have.
    fn stands(&self, declared: &Reading) -> bool {
        (self.form)(&declared.declaration).is_as_sound_as(&(self.form)(self.draft))
    }

    /// True if the card is not also a family of cards, with slots and decks of the same name.
    fn is_one(&self, card: &CardText) -> bool {
        self.game.lexicon().groups(&card.id).count() == 1
    }

    /// True if the whole line parses as a declaration.
    pub fn is_answer(&self, line: &str) -> bool {
        says_all(&self.declared(line))
    }

    /// Parses a line as a declaration.
    pub fn declared(&self, line: &str) -> Reading {
        read_sentence(line, self.draft, self.form, self.words)
    }

    /// True if a line that begins with a command's word can be meant as a declaration or as an immediate act:
    /// the first word is parsed, and opens a part or has an answer.
    pub fn can_be_said(&self, line: &str) -> bool {
        let declared = read(line, self.draft, self.form, self.words);
        let is_strange = |why| matches!(why, UnreadReason::Unknown | UnreadReason::NotAsked);
        [declared, read_act(line, self.acting, self.words)].iter().any(|reading| {
            let mut unread = reading.misread.iter().chain(&reading.moot);
            let is_known = !unread.any(|piece| piece.span.start == 0 && is_strange(piece.why));
            is_known && (!reading.lines.is_empty() || self.words.opens_part(line))
        })
    }

    /// True if every question of the window is an immediate act.
    pub fn only_acts(&self) -> bool {
        let none = Declaration::default();
        (self.form)(&none).asked.is_empty() && (self.acting)(&none).is_asking()
    }

    /// True if a line is an immediate act rather than a declaration: it names its deed, and is a whole and
    /// legal act; or it is not a whole declaration, and begins with the deed; or it has no answer of a
    /// declaration, and is a whole act, possible or barred.
    fn is_act(&self, declared: &Reading, act: &Reading) -> bool {
        if self.lacks_its_deed(act) {
            return false;
        }
        let found = (self.acting)(&act.declaration);
        let is_named = self.names_its_deed(act);
        if is_named && says_all(act) && found.is_as_sound_as(&Interview::default()) {
            return true;
        }
        if declared.is_whole() {
            return false;
        }
        let begins = |deed: Asked| {
            act.lines.iter().any(|read| read.span.start == 0 && read.key == deed.question.key)
        };
        let is_whole = act.is_whole() && (found.is_all_said() || !found.faults.is_empty());
        self.deed().is_some_and(begins) || (declared.lines.is_empty() && is_whole)
    }

    /// True if an act names a card, but not its deed.
    fn lacks_its_deed(&self, act: &Reading) -> bool {
        let names_card = act.lines.iter().any(|read| match &read.answer {
            Answer::Given(Value::Choice(id)) => self.is_card(id),
            Answer::Given(Value::Picks(ids)) => ids.iter().any(|id| self.is_card(id)),
            _ => false,
        });
        names_card && !self.names_its_deed(act)
    }

    /// True if an act names its deed, by its word or by a verb.
    fn names_its_deed(&self, act: &Reading) -> bool {
        self.deed().is_some_and(|deed| act.names(&deed.question.key))
    }

    fn is_card(&self, id: &SmolStr) -> bool {
        self.game.cards().of(id).is_some()
    }

    /// The question for the immediate deed; `None` if nothing can be done.
    fn deed(&self) -> Option<Asked> {
        (self.acting)(&Declaration::default()).asked.into_iter().next()
    }
}
