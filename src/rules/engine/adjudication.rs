//! Adjudication: the sealed declarations of a closed window become a new state, or the questions that must
//! still be asked.
//!
//! A suspension is a re-run. A question without an answer stops the run; with the answer, the rules run again
//! from the same state.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::dice::WindowDice;
use crate::engine::interview::{Opening, opening};
use crate::engine::referee::{Answered, AnsweredBy};
use crate::engine::throwing::Throws;
use crate::engine::{Halt, Run};
use crate::vocabulary::Lapse;
use crate::{
    Answer, Asked, BySeat, Declaration, Fault, Game, Interview, Key, Label, Offer, Play, Question,
    Reason, Record, Referee, Reply, Seat, Value,
};

/// All answers and decisions of one root window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The sealed declarations, `None` for a seat without one.
    pub declared: BySeat<Option<Declaration>>,
    /// The answers from the windows of its suspensions.
    pub later: BySeat<Declaration>,
    /// The questions of those windows: without an answer, a question counts as left out.
    pub asked: BTreeSet<(Seat, Key)>,
    /// The GM's answers in place of the players'.
    pub forced: BySeat<Declaration>,
    /// The GM's values of dice, by label.
    pub dice: BTreeMap<String, Value>,
    /// The GM's decisions about whole turns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub turnouts: BTreeMap<Seat, Turnout>,
    /// The parts that the GM has sent back.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sent_back: BTreeSet<(Seat, Key)>,
}

/// The GM's decision about a seat's whole turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turnout {
    /// The turn is skipped, whatever was declared.
    Skipped,
    /// The turn is played, even without a declaration or with a faulty one.
    Played,
}

impl Answers {
    /// Returns empty answers for a table with this number of seats.
    pub fn new(count: usize) -> Self {
        Self {
            declared: BySeat::new(count, |_| None),
            later: BySeat::new(count, |_| Declaration::default()),
            forced: BySeat::new(count, |_| Declaration::default()),
            ..Self::default()
        }
    }
}

/// A look at the questions of a seat's draft in a suspended window.
struct Probe<'a> {
    seat: Seat,
    draft: &'a Declaration,
    found: Interview,
    reached: bool,
}

/// An adjudication under way.
pub(crate) struct Adjudicating<'a, G: Game> {
    answers: &'a Answers,
    root: &'a G::State,
    openings: BySeat<Option<Opening>>,
    /// The declared parts that have come up.
    used: Vec<(Seat, Key)>,
    open: Vec<Question>,
    /// The seat whose questions are being gathered, and true if it has had its chance to answer.
    script: Option<(Seat, bool)>,
    probe: Option<Probe<'a>>,
    /// The dice met so far, `None` if the caller does not need them.
    pub(crate) throws: Option<Throws>,
    /// True if any seat has alternatives in reserve.
    pub(crate) has_reserves: bool,
}

impl<'a, G: Game> Adjudicating<'a, G> {
    pub(crate) fn new(answers: &'a Answers, root: &'a G::State) -> Self {
        let holds = |(_, declaration): (Seat, &Option<Declaration>)| {
            declaration.as_ref().is_some_and(Declaration::has_reserves)
        };
        let later = |(_, declaration): (Seat, &Declaration)| declaration.has_reserves();
        Self {
            has_reserves: answers.declared.iter().any(holds) || answers.later.iter().any(later),
            answers,
            root,
            openings: answers.declared.map(|_, _| None),
            used: Vec::new(),
            open: Vec::new(),
            script: None,
            probe: None,
            throws: None,
        }
    }

    pub(crate) fn is_missing(&self, seat: Seat) -> bool {
        self.answers.declared[seat].is_none()
    }

    /// Returns the number of alternatives that a seat has in reserve for a part.
    pub(crate) fn reserves(&self, seat: Seat, part: &Key) -> usize {
        let declared = self.answers.declared[seat].as_ref();
        let declared = declared.map_or(0, |declaration| declaration.reserves(part).len());
        declared.max(self.answers.later[seat].reserves(part).len())
    }

    /// Returns the GM's decision about this seat's turn.
    pub(crate) fn turnout(&self, seat: Seat) -> Option<Turnout> {
        self.answers.turnouts.get(&seat).copied()
    }

    pub(crate) fn rigged(&self, label: &Label) -> Option<&'a Value> {
        // The GM hardly ever decides a die.
        if self.answers.dice.is_empty() {
            return None;
        }
        self.answers.dice.get(&label.to_string())
    }

    /// Returns the seat's declaration, checked against the seat's knowledge at the opening.
    pub(crate) fn opening(&mut self, seat: Seat) -> &Opening {
        let (answers, root) = (self.answers, self.root);
        self.openings[seat].get_or_insert_with(|| match &answers.declared[seat] {
            Some(declaration) => opening::<G>(root, seat, declaration),
            None => Opening::default(),
        })
    }

    /// Returns the declared parts that never came up. A question asked in advance, or an answer that then
    /// counts as missing, is not a part to return.
    pub(crate) fn unasked_parts(&mut self, seat: Seat) -> Vec<Key> {
        let Some(declaration) = &self.answers.declared[seat] else { return Vec::new() };
        let mut parts = Vec::new();
        for (key, _) in declaration.iter() {
            let part = key.whole();
            // The alternatives of a part are asked with the part.
            if *key == part {
                continue;
            }
            // Keys of one part follow one another.
            if parts.last() == Some(&part) || self.used.contains(&(seat, part.clone())) {
                continue;
            }
            let before = self.opening(seat).question(key);
            if before.is_none_or(|asked| !asked.standing && asked.lapse == Lapse::Returned) {
                parts.push(part);
            }
        }
        parts
    }

    pub(crate) fn begin_script(&mut self, seat: Seat) {
        self.script = Some((seat, false));
    }

    /// Ends a seat's script. True if the probe reached the script, which is the end of the probe.
    pub(crate) fn end_script(&mut self) -> bool {
        self.script = None;
        self.probe.as_ref().is_some_and(|probe| probe.reached)
    }

    /// Notes a fault in the probe, if there is one.
    pub(crate) fn fail(&mut self, fault: &Fault, lapse: Lapse) {
        if let Some(probe) = self.probe.as_mut().filter(|probe| probe.reached) {
            probe.found.object(fault, lapse);
        }
    }

    /// Returns the GM's answer in place of the player's.
    pub(crate) fn forced(&self, offer: &Offer<'_>) -> Option<Answered> {
        let answer = self.answers.forced[offer.seat].get(offer.key)?;
        Some(Answered { reply: offer.read(answer), by: AnsweredBy::Gm })
    }

    pub(crate) fn reply(
        &mut self,
        offer: &Offer<'_>,
        lapse: Lapse,
        own_turn: bool,
        passed: usize,
    ) -> Option<Answered> {
        let seat = offer.seat;
        let declared = self.answers.declared[seat].as_ref();
        let declared = declared.and_then(|declaration| declaration.answer_after(offer.key, passed));
        if declared.is_some() {
            let part = (seat, offer.key.whole());
            if self.used.last() != Some(&part) {
                self.used.push(part);
            }
        }
        // The GM hardly ever sends a part back.
        if !self.answers.sent_back.is_empty()
            && self.answers.sent_back.contains(&(seat, offer.key.whole()))
        {
            return Some(Answered::declared(Reply::Unfit(Reason::Decided)));
        }
        let forced = self.answers.forced[seat].get(offer.key);
        let answers = self.answers;
        let later = || answers.later[seat].answer_after(offer.key, passed);
        let answer = forced.or(declared).or_else(later);
        let asked_before =
            answer.is_some() || self.answers.asked.contains(&(seat, offer.key.clone()));
        let in_script = self.script.as_mut().filter(|(scripted, _)| *scripted == seat);
        let chance_given = match in_script {
            Some((_, chance)) => {
                *chance |= asked_before;
                *chance
            }
            None => asked_before,
        };
        if let Some(answer) = answer {
            let by = match answer {
                _ if forced.is_some() => AnsweredBy::Gm,
                Answer::Ordered(_) => AnsweredBy::Orders,
                Answer::Given(_) | Answer::InReserve(_) | Answer::LeftOut => AnsweredBy::Player,
            };
            return Some(Answered { reply: offer.read(answer), by });
        }
        if own_turn || chance_given || !offer.has_options() {
            return Some(Answered::declared(Reply::LeftOut));
        }
        match &mut self.probe {
            Some(probe) if probe.seat == seat => {
                let answer = probe.draft.get(offer.key).cloned();
                let reply = answer.as_ref().map_or(Reply::LeftOut, |answer| offer.read(answer));
                probe.reached = true;
                let question = offer.question();
                probe.found.ask(Asked { question, answer, standing: false, lapse });
                // A question outside of a script stands alone: the probe ends with it.
                self.script.is_some().then_some(Answered::declared(reply))
            }
            _ => {
                self.open.push(offer.question());
                None
            }
        }
    }
}

/// The result of an adjudication.
#[derive(Clone, Debug)]
pub struct Adjudicated<G: Game> {
    /// The state at the end of the run, final if no question is open.
    pub state: G::State,
    /// The record. If a question is open, only the first [`Self::firm`] entries are final.
    pub record: Record<G::Event>,
    /// The number of final entries in the record.
    pub firm: usize,
    /// The questions that must be asked before the rule can go on, the first of each seat.
    pub open: Vec<Question>,
    /// True if the questions are asked inside of a part whose beginning is not public yet: only for a law of
    /// every game ([`Contest::is_asked_in_part`](crate::Contest::is_asked_in_part)).
    pub in_part: bool,
}

/// A function of a game to adjudicate: its setup, a round, or a move of the GM.
pub type Rule<G> = fn(&mut <G as Game>::State, &mut Referee<'_, G>) -> Play<()>;

/// Runs a rule over a state with all answers.
pub fn adjudicate<G: Game>(
    rule: impl FnOnce(&mut G::State, &mut Referee<'_, G>) -> Play<()>,
    root: &G::State,
    answers: &Answers,
    dice: WindowDice,
) -> Result<Adjudicated<G>, Box<Fault>> {
    let mut state = root.clone();
    let run = Run::Adjudication(Box::new(Adjudicating::new(answers, root)));
    let mut referee = Referee::new(run, dice, G::procedure(root));
    let halt = rule(&mut state, &mut referee).err();
    if let Some(Halt::Impossible(fault)) = halt {
        return Err(fault);
    }
    let (firm, in_part) = (referee.firm(), referee.is_in_part());
    let (run, record) = referee.into_parts();
    let Run::Adjudication(adjudicating) = run else { unreachable!("a run never changes its kind") };
    let open = if halt.is_some() { adjudicating.open } else { Vec::new() };
    Ok(Adjudicated { state, record, firm, open, in_part })
}

/// Interviews a seat about its draft in a suspended window.
pub fn probe<G: Game>(
    rule: Rule<G>,
    root: &G::State,
    answers: &Answers,
    dice: WindowDice,
    seat: Seat,
    draft: &Declaration,
) -> Interview {
    let mut state = root.clone();
    let mut adjudicating = Adjudicating::new(answers, root);
    adjudicating.probe = Some(Probe { seat, draft, found: Interview::default(), reached: false });
    let mut referee =
        Referee::new(Run::Adjudication(Box::new(adjudicating)), dice, G::procedure(root));
    // The probe ends at a question to another seat.
    let _ = rule(&mut state, &mut referee);
    let Run::Adjudication(adjudicating) = referee.into_parts().0 else {
        unreachable!("a run never changes its kind")
    };
    let mut found = adjudicating.probe.map(|probe| probe.found).unwrap_or_default();
    found.note_superfluous(draft);
    found
}

/// Returns the state with the unknown cards of the decks shuffled.
pub(crate) fn reshuffled<G: Game>(state: &G::State, dice: WindowDice) -> G::State {
    let mut reshuffled = state.clone();
    let answers = Answers::new(G::asked(state).count());
    let run = Run::Adjudication(Box::new(Adjudicating::new(&answers, state)));
    G::reshuffle(&mut reshuffled, &mut Referee::new(run, dice, G::procedure(state)));
    reshuffled
}
