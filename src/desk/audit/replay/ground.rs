//! The state at the opening of a window.
//!
//! This state is the result of the window before, or the deal; or a decision derives it from a window with
//! the same predecessor: asked again, with other dice and decks, edited, or resolved anew. The decisions
//! about the window are applied to it, and all of them must be in the journal.

use crate::audit::replay::difference::{Difference, Differs};
use crate::audit::replay::{Playing, ReplayedAct, difference};
use crate::model::overrides::{Judgement, Override};
use rules::{Round, Saved};
use store::{OverrideRow, Seats, Session, StoreError, WindowRow, overrides, read_json};
use tables::ids::WindowNumber;

impl Playing<'_> {
    /// Compares the opening state of every window with the possible ones.
    pub(crate) async fn hold_grounds(&mut self, session: &mut Session) -> Result<(), StoreError> {
        let overrides = overrides::all(session, &self.table.code).await?;
        let mut before: Vec<(WindowRow, Saved)> = Vec::new();
        for row in self.windows.values().cloned().collect::<Vec<_>>() {
            let number = row.number;
            let saved = self.saved(session, &row).await?;
            let again = self.counting(number);
            let decided = self.decided(&again, &overrides)?;
            let acts = self.acts.remove(&number).unwrap_or_default();
            let grounds = self.grounds(&row, &before);
            let made = |ground: &Saved| self.with(ground, &acts, &decided);
            let is_reached = |ground: &&Saved| made(ground).as_ref() == Some(&saved);
            if let Some(ground) = grounds.iter().find(is_reached) {
                let differs = self.hold_acts(ground, &acts);
                let differs = differs.or_else(|| self.hold_house_acts(ground, number, &acts));
                let asked = self.hold_asked(ground, &acts, &row);
                self.found.differences.extend(
                    differs
                        .into_iter()
                        .chain(asked)
                        .map(|(differs, round)| differs.in_window(number, round)),
                );
            } else {
                let expected = grounds.first().and_then(made);
                let written = |saved: &Saved| format!("{} {}", saved.root, saved.said);
                let expected = expected.as_ref().map(written).unwrap_or_default();
                let (expected, found) = parting(&expected, &written(&saved));
                let round = self.load(&saved).map_or(Round::DEAL, |contest| contest.round());
                let differs = Difference::of(Differs::Ground, &expected, &found);
                self.found.differences.push(differs.in_window(number, round));
            }
            let stored = session.opening_hash(&self.table.code, number).await?;
            let differs = stored.and_then(|stored| self.hold_hash(&saved, &stored));
            self.found
                .differences
                .extend(differs.map(|(differs, round)| differs.in_window(number, round)));
            before.push((row, saved));
        }
        // Dice of trial replays are no dice of the table.
        self.witness.take();
        Ok(())
    }

    /// Returns the possible opening states of a window, without the decisions about it.
    fn grounds(&self, row: &WindowRow, before: &[(WindowRow, Saved)]) -> Vec<Saved> {
        let opened = self.found.touched.iter().find(|(_, touched, _)| *touched == Some(row.number));
        let is_meant = |other: &WindowRow| match opened.map(|(.., what)| what) {
            Some(Override::Rollback { number, .. }) => {
                self.windows.get(number).is_some_and(|named| named.root == other.number)
            }
            Some(Override::Judge { .. } | Override::Undo { .. }) => {
                row.again.is_none_or(|again| again == other.number)
            }
            _ => true,
        };
        let beside = before.iter().filter(|(other, _)| other.follows == row.follows);
        let (beside, others): (Vec<_>, Vec<_>) = beside.partition(|(other, _)| is_meant(other));
        let beside: Vec<&Saved> = beside.iter().map(|(_, saved)| saved).collect();
        if beside.is_empty() && !others.is_empty() {
            // The decision names another window than the one asked again.
            return Vec::new();
        }
        let dealt = self.dealt.get(&row.number);
        if beside.is_empty() {
            let reached = row.follows.map_or(dealt, |follows| self.after.get(&follows));
            return reached.cloned().into_iter().collect();
        }
        let made = |saved: &Saved| {
            let mut contest = self.load(saved).ok()?;
            contest.forget_decisions();
            match opened.map(|(_, _, what)| what)? {
                Override::Void => contest.forget_acts(),
                // A window that had closed is asked again unchanged.
                Override::Judge { .. } | Override::Undo { .. } => {}
                Override::Edit { said } => drop(contest.amend(said).ok()?),
                Override::Rollback { round, .. } => {
                    round.is_none_or(|round| round == contest.round()).then_some(())?;
                    let dealt = contest.ask_again(row.number.get()).ok()?;
                    dealt.is_none().then_some(())?;
                }
                _ => return None,
            }
            Some(contest.save())
        };
        beside.into_iter().filter_map(made).chain(dealt.cloned()).collect()
    }

    /// Returns the judgements of a window, in order: those while it was open, and those that resolve it anew.
    /// A judgement undone while its window was open leaves no trace.
    fn decided(
        &self,
        again: &[WindowNumber],
        overrides: &[OverrideRow],
    ) -> Result<Vec<Judgement>, StoreError> {
        let mut decided = Vec::new();
        for (number, touched, what) in &self.found.touched {
            let Override::Judge { window, change } = what else { continue };
            let row = overrides.iter().find(|row| row.number == *number);
            let was_open = Some(*window) == *touched;
            let is_undone = row.is_none_or(|row| row.undone.is_some());
            // The stored override must equal the journal's.
            let is_kept = match row {
                Some(row) => read_json::<Override>(&row.what)? == *what,
                None => false,
            };
            if is_kept
                && touched.is_some_and(|touched| again.contains(&touched))
                && !(was_open && is_undone)
            {
                decided.push(change.clone());
            }
        }
        Ok(decided)
    }

    /// Returns the first difference of these acts from the journal, and the round.
    fn hold_acts(&self, ground: &Saved, acts: &[ReplayedAct]) -> Option<(Difference, Round)> {
        if acts.is_empty() {
            return None;
        }
        let mut contest = self.load(ground).ok()?;
        let differs = acts.iter().find_map(|acted| {
            let ReplayedAct::Done { act, entries, state, .. } = acted else {
                contest.take_back().ok()?;
                return None;
            };
            let replayed = contest.act(act.clone()).ok()?.entries;
            let reached = hex::encode(contest.state_hash());
            let differs = || Difference::of(Differs::State, &reached, state);
            let differs = difference::of_entries(&replayed, entries)
                .or_else(|| (reached != *state).then(differs));
            differs.map(|differs| differs.at(act.seat))
        });
        differs.map(|differs| (differs, contest.round()))
    }

    /// Returns the difference of the asked seats, and the round.
    fn hold_asked(
        &self,
        ground: &Saved,
        acts: &[ReplayedAct],
        row: &WindowRow,
    ) -> Option<(Difference, Round)> {
        let contest = self.load(&self.with(ground, acts, &[])?).ok()?;
        let asked = Seats(contest.asked());
        let differs = || Difference::of(Differs::Asked, &asked.to_string(), &row.asked.to_string());
        (asked != row.asked).then(|| (differs(), contest.round()))
    }

    /// Returns the difference of the stored hash of the opening state, and the round.
    fn hold_hash(&self, saved: &Saved, stored: &str) -> Option<(Difference, Round)> {
        let contest = self.load(saved).ok()?;
        let began = hex::encode(contest.opening_hash());
        let differs = || (Difference::of(Differs::State, &began, stored), contest.round());
        (began != stored).then(differs)
    }

    /// Returns an opening state with the acts and judgements applied.
    fn with(&self, ground: &Saved, acts: &[ReplayedAct], decided: &[Judgement]) -> Option<Saved> {
        if acts.is_empty() && decided.is_empty() {
            return Some(ground.clone());
        }
        let mut contest = self.load(ground).ok()?;
        for acted in acts {
            match acted {
                ReplayedAct::Done { act, .. } => drop(contest.act(act.clone()).ok()?),
                ReplayedAct::TakenBack => contest.take_back().ok()?,
            }
        }
        for change in decided {
            change.decide(&mut *contest);
        }
        Some(contest.save())
    }
}

/// Returns the texts around their first difference.
fn parting(expected: &str, found: &str) -> (String, String) {
    const AROUND: usize = 60;
    let same = expected.chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    let around =
        |text: &str| text.chars().skip(same.saturating_sub(AROUND / 2)).take(AROUND).collect();
    (around(expected), around(found))
}
