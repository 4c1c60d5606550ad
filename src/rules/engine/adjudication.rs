//! Adjudication: the sealed declarations of a closed window become a new state, or the
//! questions that must still be asked.
//!
//! Suspension is a re-run. What has not been asked stops the run; when it has been answered,
//! the rules run again from the same state with the longer list of answers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::chance::dice::WindowDice;
use crate::chance::die::Label;
use crate::engine::ask::{Offer, Reply};
use crate::engine::interview::{Asked, Interview, Opening, opening};
use crate::engine::referee::{Answered, AnsweredBy, Halt, Play, Referee, Run};
use crate::engine::throwing::Throws;
use crate::vocabulary::declaration::{Answer, Declaration, Value};
use crate::vocabulary::game::Game;
use crate::vocabulary::question::{Key, Lapse, Question};
use crate::vocabulary::record::Record;
use crate::vocabulary::ruling::{Fault, Reason};
use crate::vocabulary::seat::{BySeat, Seat};

/// Everything that has been said for one root window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// The sealed declarations; none where nothing was declared.
    pub declared: BySeat<Option<Declaration>>,
    /// What was answered in the windows that belong to it.
    pub later: BySeat<Declaration>,
    /// What was asked in those windows: unanswered, it counts as left out.
    pub asked: BTreeSet<(Seat, Key)>,
    /// What the GM has decided instead of the player.
    pub forced: BySeat<Declaration>,
    /// What the GM has decided instead of a die, by its label.
    pub dice: BTreeMap<String, Value>,
    /// Whose whole turn the GM has decided about.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub turnouts: BTreeMap<Seat, Turnout>,
    /// The parts that the GM has sent back.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub sent_back: BTreeSet<(Seat, Key)>,
}

/// What the GM has decided about a seat's whole turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turnout {
    /// It is skipped, whatever was declared.
    Skipped,
    /// It is played, although nothing was declared or what was declared is at fault.
    Played,
}

impl Answers {
    /// Nothing said yet at a table of this many seats.
    pub fn new(count: usize) -> Self {
        Self {
            declared: BySeat::new(count, |_| None),
            later: BySeat::new(count, |_| Declaration::default()),
            forced: BySeat::new(count, |_| Declaration::default()),
            ..Self::default()
        }
    }
}

/// A look at what a seat's draft would be asked in a suspended window.
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
    /// The declared parts of which something has come up.
    used: Vec<(Seat, Key)>,
    open: Vec<Question>,
    /// The seat whose questions are being gathered, and whether it has had its chance to answer.
    script: Option<(Seat, bool)>,
    probe: Option<Probe<'a>>,
    /// The dice that have been met, if anybody asks for them.
    pub(crate) throws: Option<Throws>,
    /// True if anybody holds anything in reserve.
    pub(crate) has_reserves: bool,
}

impl<'a, G: Game> Adjudicating<'a, G> {
    pub(crate) fn new(answers: &'a Answers, root: &'a G::State) -> Self {
        let holds = |(_, said): (Seat, &Option<Declaration>)| {
            said.as_ref().is_some_and(Declaration::has_reserves)
        };
        let later = |(_, said): (Seat, &Declaration)| said.has_reserves();
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

    /// How much a seat holds in reserve for a part.
    pub(crate) fn reserves(&self, seat: Seat, part: &Key) -> usize {
        let declared = self.answers.declared[seat].as_ref();
        let declared = declared.map_or(0, |said| said.reserves(part).len());
        declared.max(self.answers.later[seat].reserves(part).len())
    }

    /// What the GM has decided about this seat's turn.
    pub(crate) fn turnout(&self, seat: Seat) -> Option<Turnout> {
        self.answers.turnouts.get(&seat).copied()
    }

    pub(crate) fn rigged(&self, label: &Label) -> Option<&'a Value> {
        // Hardly ever has the GM decided a die.
        if self.answers.dice.is_empty() {
            return None;
        }
        self.answers.dice.get(&label.to_string())
    }

    /// The seat's declaration, held against the opening as the seat could know it.
    pub(crate) fn opening(&mut self, seat: Seat) -> &Opening {
        let (answers, root) = (self.answers, self.root);
        self.openings[seat].get_or_insert_with(|| match &answers.declared[seat] {
            Some(declaration) => opening::<G>(root, seat, declaration),
            None => Opening::default(),
        })
    }

    /// The parts that were declared and never came up. What was asked in advance, or counts as
    /// missing when it does not come up, is no part that could be returned.
    pub(crate) fn unasked_parts(&mut self, seat: Seat) -> Vec<Key> {
        let Some(declaration) = &self.answers.declared[seat] else { return Vec::new() };
        let mut parts = Vec::new();
        for (key, _) in declaration.iter() {
            let part = key.whole();
            // What is in reserve for a part is asked with it.
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

    /// Ends a seat's script; true if a look was taken at it, which is as far as a look goes.
    pub(crate) fn end_script(&mut self) -> bool {
        self.script = None;
        self.probe.as_ref().is_some_and(|probe| probe.reached)
    }

    /// A fault in what is being looked at.
    pub(crate) fn fail(&mut self, fault: &Fault, lapse: Lapse) {
        if let Some(probe) = self.probe.as_mut().filter(|probe| probe.reached) {
            probe.found.object(fault, lapse);
        }
    }

    /// What the GM has decided instead of a player.
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
        let declared = declared.and_then(|said| said.said_after(offer.key, passed));
        if declared.is_some() {
            let part = (seat, offer.key.whole());
            if self.used.last() != Some(&part) {
                self.used.push(part);
            }
        }
        // Hardly ever has the GM sent a part back.
        if !self.answers.sent_back.is_empty()
            && self.answers.sent_back.contains(&(seat, offer.key.whole()))
        {
            return Some(Answered::declared(Reply::Unfit(Reason::Decided)));
        }
        let forced = self.answers.forced[seat].get(offer.key);
        let answers = self.answers;
        let later = || answers.later[seat].said_after(offer.key, passed);
        let said = forced.or(declared).or_else(later);
        let asked_before =
            said.is_some() || self.answers.asked.contains(&(seat, offer.key.clone()));
        let in_script = self.script.as_mut().filter(|(scripted, _)| *scripted == seat);
        let chance_given = match in_script {
            Some((_, chance)) => {
                *chance |= asked_before;
                *chance
            }
            None => asked_before,
        };
        if let Some(answer) = said {
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
                // A question outside of a script stands alone: the look ends with it.
                self.script.is_some().then_some(Answered::declared(reply))
            }
            _ => {
                self.open.push(offer.question());
                None
            }
        }
    }
}

/// What an adjudication gives.
#[derive(Clone, Debug)]
pub struct Adjudicated<G: Game> {
    /// The state it came to, which is the new one if nothing is open.
    pub state: G::State,
    /// What happened. If something is open, only the first [`Self::firm`] entries are final.
    pub record: Record<G::Event>,
    /// How many entries of the record are final.
    pub firm: usize,
    /// The questions that must be asked before it can go on, each seat's first.
    pub open: Vec<Question>,
    /// True if they are asked inside of a part, whose beginning nobody has been told of: for a law of
    /// every game alone ([`Contest::is_asked_in_part`](crate::Contest::is_asked_in_part)).
    pub in_part: bool,
}

/// A function of a game that can be adjudicated: its setup, a round, or a move of the GM's.
pub type Rule<G> = fn(&mut <G as Game>::State, &mut Referee<'_, G>) -> Play<()>;

/// Runs a rule over a state with everything that has been said.
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

/// Interviews a seat about a suspended window: what its draft would be asked there.
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
    // The look ends where the others would have to be asked.
    let _ = rule(&mut state, &mut referee);
    let Run::Adjudication(adjudicating) = referee.into_parts().0 else {
        unreachable!("a run never changes its kind")
    };
    let mut found = adjudicating.probe.map(|probe| probe.found).unwrap_or_default();
    found.note_superfluous(draft);
    found
}

/// The state with what nobody knows of the decks in another order.
pub(crate) fn reshuffled<G: Game>(state: &G::State, dice: WindowDice) -> G::State {
    let mut reshuffled = state.clone();
    let answers = Answers::new(G::asked(state).count());
    let run = Run::Adjudication(Box::new(Adjudicating::new(&answers, state)));
    G::reshuffle(&mut reshuffled, &mut Referee::new(run, dice, G::procedure(state)));
    reshuffled
}
