//! Immediate acts in a window of a story.

use super::compare::{Produced, StoryDifference, compare, differs};
use super::run::{StoryOutcome, Teller, in_words};
use super::written::{ActInWords, REFUSED};
use crate::{FaultLines, UnreadLines, UnreadPiece};
use games::any::{AnyContest, Told};
use rules::text::{self, Reading};
use rules::{Act, Declaration};

impl Teller<'_> {
    /// Carries an act out, and compares its immediate results.
    pub(super) fn act(
        &self,
        contest: &mut dyn AnyContest,
        act: &ActInWords,
        outcome: &mut StoryOutcome,
    ) -> Result<(), StoryDifference> {
        let expected = &act.expected;
        let form = |declared: &Declaration| contest.acting(act.seat, declared);
        let reading = text::read_act(&act.words, &form, &self.words());
        let found = form(&reading.declaration);
        match self.carry_out(contest, act, reading) {
            Ok(record) => self.compare(contest, &record, expected, outcome),
            Err(_) if expected.lines.iter().any(|(_, line)| line == REFUSED) => {
                // A refusal meets the clauses of its faults.
                outcome.met.extend(found.faults.iter().map(|fault| fault.clause.clone()));
                let produced = Produced { states: vec![REFUSED.to_owned()], ..Produced::default() };
                outcome.differences.extend(compare(&produced, expected));
                outcome.produced.push(produced);
                Ok(())
            }
            Err(why) => Err(differs(expected.after, format!("is refused: {}: {why}", act.words))),
        }
    }

    /// Carries out the act of a seat like a table would: only if all of the text is understood and the window
    /// still asks somebody.
    fn carry_out(
        &self,
        contest: &mut dyn AnyContest,
        act: &ActInWords,
        reading: Reading,
    ) -> Result<Told, String> {
        if contest.asked().is_empty() {
            return Err("nobody is asked any more".to_owned());
        }
        let unread = UnreadPiece::of(&reading);
        if !unread.is_empty() {
            return Err(in_words(
                self.letters.write(&self.reader, &UnreadLines { unread: &unread }),
            ));
        }
        let act_read = Act { seat: act.seat, declaration: reading.declaration };
        contest.act(act_read).map_err(|found| {
            if found.faults.is_empty() {
                return "nothing is done by it".to_owned();
            }
            in_words(self.letters.write(&self.reader, &FaultLines { faults: &found.faults }))
        })
    }
}
