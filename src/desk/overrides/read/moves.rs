//! The moves of the game master, in the game's own words.

use std::collections::BTreeSet;

use crate::overrides::read::arguments::{Argument, Taken};
use crate::overrides::read::complete::{ArgumentForm, Completing};
use crate::overrides::read::misread::{DecisionFault, MoveLine, quote};
use crate::overrides::read::reader::OverrideReader;
use crate::overrides::read::write::{OverrideWriter, mark};
use games::any::AnyContest;
use rules::text::{self, Completion};
use rules::{Answer, Declaration, Interview, Key, Viewer};

/// A move of the game master.
pub(super) struct MoveSaid;

impl Argument for MoveSaid {
    type Value = Declaration;
    const FORM: ArgumentForm = ArgumentForm::GameWords;

    fn take<'t>(reader: &mut OverrideReader<'_>, text: &'t str) -> Taken<'t, Declaration> {
        Ok((reader.edit(text)?, ""))
    }

    fn write(writer: &OverrideWriter<'_>, declared: &Declaration) -> Option<String> {
        let sight = &writer.bench.sight;
        let form = sight.play.as_ref()?.contest.rehearse(declared, Viewer::All);
        Some(text::write(declared, &form, &sight.words(), writer.lang))
    }

    fn complete(completing: &Completing<'_>, input: &str) -> Vec<Completion> {
        let bench = completing.reader.bench;
        let Some(play) = &bench.sight.play else { return Vec::new() };
        let form = |draft: &Declaration| play.contest.rehearse(draft, bench.viewer());
        completing.game(input, &Declaration::default(), &form)
    }
}

impl OverrideReader<'_> {
    fn edit(&self, rest: &str) -> Result<Declaration, DecisionFault> {
        let play = self.bench.sight.play.as_ref().ok_or_else(|| self.lacks())?;
        let form = |draft: &Declaration| play.contest.rehearse(draft, self.bench.viewer());
        let no_move = || DecisionFault::NoMove { said: quote(rest), moves: self.moves(&form) };
        if rest.is_empty() {
            return Err(no_move());
        }
        let declared =
            self.text(rest, &Declaration::default(), &form).map_err(|fault| match fault {
                DecisionFault::Unread(unread) if unread.section.is_none() => no_move(),
                fault => fault,
            });
        let declared = declared?.declaration;
        let found = form(&declared);
        if let Some(fault) = found.faults.first() {
            return Err(DecisionFault::Faulty(Box::new(fault.clone())));
        }
        match self.unfinished(&*play.contest, &declared, &found) {
            Some(part) => Err(DecisionFault::Unfinished { part }),
            None => Ok(declared),
        }
    }

    /// Returns a move that does nothing because arguments are missing, with these arguments.
    fn unfinished(
        &self,
        contest: &dyn AnyContest,
        declared: &Declaration,
        found: &Interview,
    ) -> Option<MoveLine> {
        let viewer = self.bench.viewer();
        let comes_to_the_same = |other: &Declaration| match viewer {
            Viewer::Seat(_) => contest.comes_to_the_same(declared, other, viewer),
            Viewer::All | Viewer::Public => {
                let outcome = |declared: &Declaration| {
                    let mut contest = contest.copy();
                    contest.amend(declared).ok().map(|_| contest.state_hash())
                };
                outcome(declared) == outcome(other)
            }
        };
        let parts: BTreeSet<Key> = declared.iter().map(|(key, _)| key.whole()).collect();
        parts.into_iter().find_map(|part| {
            let asked = found.asked.iter().filter(|asked| asked.question.key.whole() == part);
            let says = |answer: &Answer| answer.value().is_some();
            let unsaid = asked.filter(|asked| !asked.answer.as_ref().is_some_and(says));
            let unsaid = unsaid.map(|asked| &asked.question);
            let unsaid: Vec<&Key> = unsaid.map(|question| &question.key).collect();
            let mut others = Declaration::default();
            for (key, answer) in declared.iter().filter(|(key, _)| key.whole() != part) {
                others.set(key.clone(), answer.clone());
            }
            // A move with all its arguments may do nothing because of hidden information.
            if unsaid.is_empty() || !comes_to_the_same(&others) {
                return None;
            }
            let (lexicon, lang) = (self.bench.sight.game.lexicon(), self.bench.lang);
            let asks = unsaid.into_iter().map(|key| lexicon.label(key, lang).to_owned()).collect();
            Some(MoveLine { mark: mark(lexicon, &part, lang), asks })
        })
    }

    /// Returns the distinct possible moves of the game master.
    fn moves(&self, form: &dyn Fn(&Declaration) -> Interview) -> Vec<MoveLine> {
        let lexicon = self.bench.sight.game.lexicon();
        let lang = self.bench.lang;
        let mut moves = Vec::new();
        for asked in form(&Declaration::default()).asked {
            let part = asked.question.key.whole().nth(1);
            let mark = mark(lexicon, &part, lang);
            let asks = lexicon.labels(&part.section, lang).map(ToOwned::to_owned).collect();
            let line = MoveLine { mark, asks };
            if !moves.contains(&line) {
                moves.push(line);
            }
        }
        moves
    }
}
