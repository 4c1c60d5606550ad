//! The state at the opening of a window.
//!
//! This state is the result of the window before, or the deal; or a decision derives it from a window with
//! the same predecessor: asked again, with other dice and decks, edited, or resolved anew. The decisions
//! about the window are applied to it, and all of them must be in the journal.

use std::collections::BTreeSet;

use crate::audit::replay::difference::{self, Difference, Differs, Sitter};
use crate::audit::replay::{Playing, ReplayedAct};
use crate::model::{Judgement, Override, Struck, house_chance};
use crate::window::act::chance_of_act;
use games::any::AnyContest;
use rules::{Declaration, Round, Saved, Seat};
use store::{
    DeclarationRow, OverrideRow, Result, Seats, Session, WindowRow, overrides, read_json, windows,
};
use tables::WindowNumber;
use tables::absence::Deed;

impl Playing<'_> {
    /// Compares the opening state of every window with the possible ones.
    pub(crate) async fn hold_grounds(&mut self, db: &mut Session) -> Result<()> {
        let overrides = overrides::all(db, &self.table.code).await?;
        let mut before: Vec<(WindowRow, Saved)> = Vec::new();
        for row in self.windows.values().cloned().collect::<Vec<_>>() {
            let number = row.number;
            let saved = self.saved(db, &row).await?;
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
            let stored = windows::opening_hash(db, &self.table.code, number).await?;
            let differs = stored.and_then(|stored| self.hold_hash(&saved, &stored));
            self.found
                .differences
                .extend(differs.map(|(differs, round)| differs.in_window(number, round)));
            before.push((row, saved));
        }
        // The dice of these trials are not reported as dice of the table.
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
    fn decided(&self, again: &[WindowNumber], overrides: &[OverrideRow]) -> Result<Vec<Judgement>> {
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
        let differs = || Difference::of(Differs::Asked, &asked, &row.asked);
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

    /// True if this program's policies have the version that the bot players have used.
    pub(crate) fn knows_policies(&self) -> bool {
        self.policies == Some(self.game.policies_version())
    }

    /// Returns the policies that can have declared for a seat, none if a person can have done so: a seat that
    /// a bot player takes while a window is open keeps its sealed declaration.
    fn policies_of(&self, again: &[WindowNumber], seat: Seat) -> Vec<String> {
        let struck = again.iter().filter_map(|number| self.struck.get(number)).flatten();
        let by_house = |struck: &Struck| struck.seat == seat && struck.deed == Deed::ByHouse;
        if struck.copied().any(|struck| by_house(&struck) && !struck.openly) {
            return self.game.policies().last().map(ToString::to_string).into_iter().collect();
        }
        let policy = |sitter: Option<&Sitter>| sitter.and_then(|sitter| sitter.house.clone());
        let opened = again.iter().map(|number| self.sat_at.get(number)?.get(&seat));
        let mut policies = Vec::new();
        for sitter in opened.chain([self.seating.at(seat)]) {
            match policy(sitter) {
                Some(policy) => policies.push(policy),
                None => return Vec::new(),
            }
        }
        policies.dedup();
        policies
    }

    /// Returns the seats for which a game master has declared in one of these windows.
    fn declared_by_gm(&self, again: &[WindowNumber]) -> BTreeSet<Seat> {
        let declared = self.touched.iter().filter_map(|(_, touched, what)| match what {
            Override::Judge { change: Judgement::Declare { seat, .. }, .. } => {
                touched.filter(|touched| again.contains(touched)).map(|_| *seat)
            }
            _ => None,
        });
        declared.collect()
    }

    /// Checks that sealed declarations of bot players in a window that closes now are those of their
    /// policies.
    pub(crate) fn hold_policies(
        &mut self,
        again: &[WindowNumber],
        saved: &Saved,
        stored: &[DeclarationRow],
    ) {
        if !self.knows_policies() {
            return;
        }
        let by_gm = self.declared_by_gm(again);
        let sealed = stored.iter().filter(|row| row.sealed.0 && !by_gm.contains(&row.seat));
        let mut odd = Vec::new();
        for row in sealed {
            let policies = self.policies_of(again, row.seat);
            let ways = policies.iter().flat_map(|policy| again.iter().map(move |n| (policy, *n)));
            let mut decided = None;
            let is_decided = ways.into_iter().any(|(policy, number)| {
                let other = self.decided_by(policy, (number, row.seat), saved, &row.answers);
                decided = decided.take().or(other.clone());
                other.is_none()
            });
            if !policies.is_empty() && !is_decided {
                let decided = decided.unwrap_or_default();
                odd.push(
                    Difference::of(Differs::Policy, &decided, text_of(&row.answers)).at(row.seat),
                );
            }
        }
        self.found.differences.extend(odd);
        // A draw of a policy is not a die of the table.
        self.witness.take();
    }

    /// Returns `None` if a policy declares these answers for a seat, otherwise its own declaration.
    fn decided_by(
        &self,
        policy: &str,
        (number, seat): (WindowNumber, Seat),
        saved: &Saved,
        answers: &Declaration,
    ) -> Option<String> {
        let decides = |contest: &dyn AnyContest| {
            contest.declare(seat, policy, house_chance(&self.dice, number, seat))
        };
        let mut contest = self.load(saved).ok()?;
        let as_it_closed = decides(&*contest);
        if as_it_closed.as_ref() == Some(answers) {
            return None;
        }
        // The bot player declared when the window opened, or when it took the seat: some acts ago.
        contest.forget_decisions();
        while contest.acts_done() > 0 {
            if decides(&*contest).as_ref() == Some(answers) {
                return None;
            }
            if contest.take_back().is_err() {
                contest.forget_acts();
            }
        }
        let opening = decides(&*contest);
        (opening.as_ref() != Some(answers))
            .then(|| opening.map_or_else(String::new, |of| text_of(&of)))
    }

    /// Checks that the acts of bot players are those of their policies.
    fn hold_house_acts(
        &self,
        ground: &Saved,
        number: WindowNumber,
        acts: &[ReplayedAct],
    ) -> Option<(Difference, Round)> {
        if !self.knows_policies() {
            return None;
        }
        let mut contest = self.load(ground).ok()?;
        for acted in acts {
            let ReplayedAct::Done { act, entry, policy, .. } = acted else {
                contest.take_back().ok()?;
                continue;
            };
            if let Some(policy) = policy {
                let chance = chance_of_act(&self.dice.house(), number, *entry, act.seat);
                let decided = contest.act_by(act.seat, policy, chance);
                if decided.as_ref() != Some(act) {
                    let decided = decided.map_or_else(String::new, |of| text_of(&of.declaration));
                    let differs =
                        Difference::of(Differs::Policy, &decided, text_of(&act.declaration));
                    return Some((differs.at(act.seat), contest.round()));
                }
            }
            contest.act(act.clone()).ok()?;
        }
        None
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

fn text_of(declaration: &Declaration) -> String {
    serde_json::to_string(declaration).unwrap_or_default()
}
