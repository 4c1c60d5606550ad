//! Which question a piece of text answers.

use super::pieces::{Fit, Piece, fit};
use super::read::{Place, Reader, is_text, place};
use super::words::{Edge, Hit, Meaning};
use crate::rules::declaration::{Answer, Value};
use crate::rules::question::{Question, Shape};

impl Reader<'_> {
    /// Everything asked in an occurrence of a section, in order.
    pub(super) fn questions_of(
        &self,
        (section, number): &Place,
    ) -> impl Iterator<Item = &Question> {
        let questions = self.found.asked.iter().map(|asked| &asked.question);
        questions.filter(move |q| q.key.section == *section && q.key.number == *number)
    }

    /// What this text has not answered yet in the section being read, in order.
    pub(super) fn open_questions(&self) -> impl Iterator<Item = &Question> {
        let here = self.here.as_ref();
        here.into_iter().flat_map(|here| self.questions_of(here)).filter(|question| {
            let meant = self.only.as_ref().is_none_or(|only| *only == question.key);
            meant && !self.answered.contains_key(&question.key)
        })
    }

    /// The question for free text that comes next.
    pub(super) fn text_question(&self) -> Option<&Question> {
        self.open_questions().find(|question| is_text(question))
    }

    /// The best piece here for an open question; nothing behind a free text is considered.
    pub(super) fn open_fit(&self, at: usize) -> Option<(Question, Fit)> {
        self.best(at, self.open_questions().take_while(|question| !is_text(question)))
    }

    pub(super) fn best<'q>(
        &self,
        at: usize,
        questions: impl Iterator<Item = &'q Question>,
    ) -> Option<(Question, Fit)> {
        let fits = questions.filter_map(|q| Some((q, fit(q, &self.text, at, self.words)?)));
        let rank = |fit: &Fit| (fit.weight, fit.legal);
        let best =
            fits.reduce(|best, next| if rank(&next.1) > rank(&best.1) { next } else { best });
        best.map(|(question, fit)| (question.clone(), fit))
    }

    /// The piece here: more of what was answered last, an answer to an open question, or more
    /// of something else that takes several pieces.
    pub(super) fn piece(&self, at: usize, here: &Place) -> Option<(Question, Fit)> {
        let more = self.best(at, self.unfinished().into_iter()).filter(|(_, fit)| fit.legal);
        more.or_else(|| self.open_fit(at)).or_else(|| {
            let several = |q: &&Question| {
                place(&q.key) == *here && matches!(q.shape, Shape::Pick { .. } | Shape::Pay { .. })
            };
            self.best(at, self.answered.values().filter(several))
        })
    }

    /// The question answered last, if its answer can have more pieces.
    pub(super) fn unfinished(&self) -> Option<&Question> {
        let last = self.last.as_ref().filter(|_| self.only.is_none())?;
        self.answered.get(last).filter(|question| self.takes_more(question))
    }

    pub(super) fn takes_more(&self, question: &Question) -> bool {
        match (&question.shape, self.said.get(&question.key)) {
            (Shape::Pick { max, .. }, Some(Answer::Given(Value::Picks(picks)))) => {
                picks.len() < usize::from(*max)
            }
            (Shape::Pay { .. }, Some(Answer::Given(_))) => true,
            _ => false,
        }
    }

    /// A piece that begins the next occurrence of the section: `2: ストライキ タイアップ`.
    pub(super) fn rolled_on(&self, at: usize, here: &Place) -> Option<(u8, Question, Fit)> {
        let number = self.number_after(&here.0, here.1)?;
        if !self.has_read(&here.0, here.1) {
            return None;
        }
        let next = (here.0.clone(), number);
        let first = self.questions_of(&next).next()?;
        let (question, fit) = self.best(at, std::iter::once(first))?;
        Some((number, question, fit))
    }

    /// A question that is asked only of those who answer it, because nothing is legal: a card
    /// that nobody could play now. The interview then says by which clause it is wrong.
    pub(super) fn hidden(&self, at: usize, here: &Place) -> Option<(Question, Fit)> {
        let hits = self.words.hits(&self.text, at);
        let piece = |hit: &&Hit<'_>| {
            matches!(hit.meaning, Meaning::Piece { .. }) && hit.edge == Edge::Clean
        };
        let hit = hits.iter().filter(piece).max_by_key(|hit| hit.word.len())?;
        let Meaning::Piece { id, .. } = hit.meaning else { return None };
        // What is counted is a payment, and there is always a purse to ask about.
        let counted = self.text.times(hit.end).or_else(|| self.text.count(hit.end));
        if counted.is_some() {
            return None;
        }
        for key in self.words.lexicon().keys(&here.0) {
            let key = key.clone().nth(here.1);
            if self.found.question(&key).is_some() || self.answered.contains_key(&key) {
                continue;
            }
            let mut said = self.said.clone();
            said.set(key.clone(), Answer::Given(Value::Choice(id.clone())));
            let Some(asked) = (self.form)(&said).question(&key).cloned() else { continue };
            let piece = match asked.question.shape {
                Shape::Choose { .. } => Piece::Choice(id.clone()),
                Shape::Pick { .. } => Piece::Picks(id.clone(), 1),
                _ => continue,
            };
            let fit = Fit { piece, end: hit.end, weight: hit.word.len(), legal: false };
            return Some((asked.question, fit));
        }
        None
    }
}
