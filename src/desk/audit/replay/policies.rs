//! The replay of bot players, whose moves follow from the seed: their policies decide again.

use std::collections::BTreeSet;

use crate::audit::replay::difference::{Difference, Differs};
use crate::audit::replay::seating::Sitter;
use crate::audit::replay::{Playing, ReplayedAct};
use crate::model::load::house_chance;
use crate::model::overrides::{Judgement, Override};
use crate::model::struck::Struck;
use crate::window::act::chance_of_act;
use games::any::AnyContest;
use rules::{Declaration, Round, Saved, Seat};
use store::DeclarationRow;
use tables::absence::Deed;
use tables::ids::WindowNumber;

impl Playing<'_> {
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
                    Difference::of(Differs::Policy, &decided, &text_of(&row.answers)).at(row.seat),
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
    pub(crate) fn hold_house_acts(
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
                        Difference::of(Differs::Policy, &decided, &text_of(&act.declaration));
                    return Some((differs.at(act.seat), contest.round()));
                }
            }
            contest.act(act.clone()).ok()?;
        }
        None
    }
}

fn text_of(declaration: &Declaration) -> String {
    serde_json::to_string(declaration).unwrap_or_default()
}
