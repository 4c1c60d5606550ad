//! The dice of a run: their values, the GM's values of them, and a list of them for decisions.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use crate::dice::WindowDice;
use crate::engine::Run;
use crate::engine::adjudication::{Adjudicating, Rule};
use crate::engine::ask::Options;
use crate::{Answers, Faces, Game, Key, Label, Picks, Referee, Seat, Value};

/// A die met in a resolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// The label of the die as text, which [`Label`] parses.
    pub label: String,
    /// The seat whose question the die answers, `None` for a die of the whole table.
    pub seat: Option<Seat>,
    pub key: Key,
    /// The possible values.
    pub faces: Faces,
    pub showed: Value,
}

impl Thrown {
    /// Returns the value of the die with other dice.
    ///
    /// # Panics
    /// If it can show more than a `u32` counts.
    pub(crate) fn again(&self, dice: &WindowDice) -> Value {
        let label = Label { seat: self.seat, key: self.key.clone(), act: None };
        let mut stream = dice.stream(&label);
        let mut below = |count: usize| {
            stream.below(u32::try_from(count).expect("no die has that many sides")) as usize
        };
        match &self.faces {
            Faces::One(options) => Value::Choice(options[below(options.len())].clone()),
            Faces::Several { options, count } => {
                let mut free = options.clone();
                let drawn = (0..(*count).min(free.len())).map(|_| free.remove(below(free.len())));
                Value::Picks(drawn.collect())
            }
            &Faces::Number { least, most } => {
                let sides = usize::try_from(most - least + 1).expect("the least comes first");
                let shown = i64::try_from(below(sides)).expect("no die has that many sides");
                Value::Number(least + shown)
            }
        }
    }
}

/// The list of dice met in a run.
pub(crate) struct Throws {
    /// The number of record entries that are final: their dice are left out.
    posted: usize,
    met: Vec<Thrown>,
}

impl Throws {
    fn note(&mut self, at: usize, label: &Label, faces: Faces, showed: Value) {
        if at < self.posted {
            return;
        }
        let (seat, key) = (label.seat, label.key.clone());
        let label = label.to_string();
        // A throw repeated after an undone turn is the same die.
        self.met.retain(|met| met.label != label);
        self.met.push(Thrown { label, seat, key, faces, showed });
    }
}

/// Returns the dice that a rule meets over a state with all answers, in order, without those of the first
/// `posted` entries of the record and without shuffles.
pub(crate) fn throws<G: Game>(
    rule: Rule<G>,
    root: &G::State,
    answers: &Answers,
    dice: WindowDice,
    posted: usize,
) -> Vec<Thrown> {
    let mut state = root.clone();
    let mut adjudicating = Adjudicating::new(answers, root);
    adjudicating.throws = Some(Throws { posted, met: Vec::new() });
    let run = Run::Adjudication(Box::new(adjudicating));
    let mut referee = Referee::new(run, dice, G::procedure(root));
    // The rule may stop at a question.
    let _ = rule(&mut state, &mut referee);
    let Run::Adjudication(adjudicating) = referee.into_parts().0 else {
        unreachable!("a run never changes its kind")
    };
    adjudicating.throws.map(|throws| throws.met).unwrap_or_default()
}

impl<G: Game> Referee<'_, G> {
    /// Throws a die with sides from 1, `None` in an interview.
    pub fn throw(&mut self, label: &Label, sides: u32) -> Option<u32> {
        let shown = self.throw_between(label, 1, i64::from(sides))?;
        u32::try_from(shown).ok()
    }

    /// Throws for a number from `least` to `most`, `None` in an interview.
    ///
    /// # Panics
    /// If there are more of them than a `u32` counts.
    pub(crate) fn throw_between(&mut self, label: &Label, least: i64, most: i64) -> Option<i64> {
        if self.throws_no_dice() {
            return None;
        }
        let sides = u32::try_from(most - least + 1).expect("no die has that many sides");
        let rigged = match self.rigged(label) {
            Some(&Value::Number(shown)) if (least..=most).contains(&shown) => Some(shown),
            _ => None,
        };
        let shown =
            rigged.unwrap_or_else(|| least + i64::from(self.dice.stream(label).below(sides)));
        let met = || (Faces::Number { least, most }, Value::Number(shown));
        self.meet(label, rigged.is_some(), met);
        Some(shown)
    }

    /// Shuffles a slice, except in an interview. Each act shuffles in an order of its own.
    pub fn shuffle<T>(&mut self, label: &Label, slice: &mut [T]) {
        if self.throws_no_dice() {
            return;
        }
        let label = &Label { act: self.act, ..label.clone() };
        self.dice.stream(label).shuffle(slice);
        if let Some(witness) = &self.dice.witness {
            let mut order: Vec<usize> = (0..slice.len()).collect();
            self.dice.stream(label).shuffle(&mut order);
            witness.saw_order(label, order);
        }
    }

    /// Draws one of the options by die.
    pub(crate) fn draw(&mut self, label: &Label, options: &dyn Options) -> usize {
        let rigged = match self.rigged(label) {
            Some(Value::Choice(shown)) => {
                (0..options.count()).find(|&index| options.id(index) == *shown)
            }
            _ => None,
        };
        let index = rigged.unwrap_or_else(|| {
            let count = u32::try_from(options.count()).expect("no question has that many options");
            self.dice.stream(label).below(count) as usize
        });
        let met = || (Faces::One(ids(options, &[])), Value::Choice(options.id(index)));
        self.meet(label, rigged.is_some(), met);
        index
    }

    /// Draws options by die without replacement, up to `until`; `taken` holds those already out.
    pub(crate) fn draw_several(
        &mut self,
        label: &Label,
        options: &dyn Options,
        taken: &mut Picks,
        until: usize,
    ) {
        let given = taken.len();
        let rigged = match self.rigged(label) {
            Some(Value::Picks(shown)) => shown.as_slice(),
            Some(Value::Choice(shown)) => std::slice::from_ref(shown),
            _ => &[],
        };
        let decided = !rigged.is_empty();
        let mut shown = rigged.iter();
        let mut stream = self.dice.stream(label);
        while taken.len() < until.min(options.count()) {
            let free: ArrayVec<usize, 256> =
                (0..options.count()).filter(|index| !taken.contains(index)).take(256).collect();
            let rigged = shown
                .next()
                .and_then(|id| free.iter().copied().find(|&index| options.id(index) == *id));
            let count = u32::try_from(free.len()).expect("at most 256");
            taken.push(rigged.unwrap_or_else(|| free[stream.below(count) as usize]));
        }
        let (before, drawn) = taken.split_at(given);
        // With one option left, no die is thrown.
        if options.count() > given + 1 {
            let showed = || Value::Picks(drawn.iter().map(|&index| options.id(index)).collect());
            let count = drawn.len();
            self.meet(label, decided, || {
                (Faces::Several { options: ids(options, before), count }, showed())
            });
        }
    }

    fn rigged(&self, label: &Label) -> Option<&Value> {
        match &self.run {
            Run::Adjudication(adjudicating) => adjudicating.rigged(label),
            _ => None,
        }
    }

    /// Notes a die for the witness and the list of throws.
    fn meet(&mut self, label: &Label, decided: bool, met: impl Fn() -> (Faces, Value)) {
        if let Some(witness) = &self.dice.witness {
            let (faces, showed) = met();
            witness.saw(label, faces, showed, decided);
        }
        let at = self.record.mark();
        let Run::Adjudication(adjudicating) = &mut self.run else { return };
        if let Some(throws) = &mut adjudicating.throws {
            let (faces, showed) = met();
            throws.note(at, label, faces, showed);
        }
    }
}

/// Returns the ids of the options except those in `but`.
fn ids(options: &dyn Options, but: &[usize]) -> Vec<SmolStr> {
    let left = (0..options.count()).filter(|index| !but.contains(index));
    left.map(|index| options.id(index)).collect()
}
