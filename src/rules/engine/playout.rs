//! Play-outs: whole games between policies, and the random policy.
//!
//! `quick` answers on the fly, for benchmarks and roll-outs. `sealed` declares through the interview and is
//! adjudicated like a window of people: only it can meet faults and returns.

use smol_str::SmolStr;

use crate::dice::Stream;
use crate::engine::ask::{largest_first, worth};
use crate::engine::contest::Held;
use crate::engine::{Choice, Resolution, Run};
use crate::{
    Answer, BySeat, Contest, Declaration, Denomination, Dice, Game, Offer, Picks, Pieces, Place,
    Policy, Question, Record, Referee, Reply, Seat, Shape, Suppose, Viewer, acting, interview,
};

/// The maximum number of rounds of a game.
const MAX_ROUNDS: u32 = 1000;

/// The memory of a quick play-out; reused, it saves all allocations of a game.
#[derive(Debug)]
pub struct Room<G: Game> {
    record: Record<G::Event>,
}

impl<G: Game> Default for Room<G> {
    fn default() -> Self {
        Self { record: Record::without_clauses() }
    }
}

/// The result of a play-out.
#[derive(Clone, Debug)]
pub struct Played<G: Game> {
    /// The last state.
    pub state: G::State,
    /// The number of root windows, the setup included.
    pub windows: u32,
    /// The final standing, empty if the game did not end.
    pub standing: Vec<Place>,
}

/// Plays a whole game on the fly. `watch` gets the record of each window.
pub fn quick<G: Game>(
    options: &G::Options,
    dice: &Dice,
    policies: &mut [Box<dyn Policy<G>>],
    room: &mut Room<G>,
    mut watch: impl FnMut(&Record<G::Event>),
) -> Played<G> {
    let seats = policies.len();
    let mut state = G::bare(options, seats);
    let mut windows = 0;
    loop {
        room.record.clear();
        let record = std::mem::replace(&mut room.record, Record::without_clauses());
        let run = Run::Quick(policies);
        let procedure = G::procedure(&state);
        let dice = dice.of_window(windows, 0);
        let mut referee = Referee::<G>::with_record(run, dice, procedure, record);
        let rule = if windows == 0 { G::setup } else { G::round };
        // A policy answers everything, so no question stays open.
        let played = rule(&mut state, &mut referee);
        debug_assert!(played.is_ok(), "{played:?}");
        act_all(&mut state, &mut referee, seats);
        room.record = referee.into_parts().1;
        watch(&room.record);
        windows += 1;
        if let Some(standing) = G::standing(&state) {
            return Played { state, windows, standing };
        }
        if windows == MAX_ROUNDS {
            return Played { state, windows, standing: Vec::new() };
        }
    }
}

/// Lets policies act in turn on the fly, until none of them acts any more or no seat is asked.
fn act_all<G: Game>(state: &mut G::State, referee: &mut Referee<'_, G>, seats: usize) {
    for _ in 0..acting::ROUNDS {
        let before = referee.recorded();
        for seat in Seat::all(seats) {
            if G::asked(state).iter().all(|(_, asked)| !asked) {
                return;
            }
            referee.begin(state, seat);
            let acted = referee.act(state, seat);
            debug_assert!(acted.is_ok(), "{acted:?}");
        }
        if referee.recorded() == before {
            return;
        }
    }
}

/// Returns the declarations of all policies for the open window.
pub fn declarations<G: Game>(
    contest: &Contest<G>,
    policies: &mut [Box<dyn Policy<G>>],
) -> BySeat<Option<Declaration>> {
    let asked = contest.asked();
    BySeat::new(policies.len(), |seat| {
        asked.contains(&seat).then(|| declare(contest, seat, &mut *policies[seat.index()]))
    })
}

/// Returns the declaration of a policy for one seat.
pub fn declare<G: Game>(
    contest: &Contest<G>,
    seat: Seat,
    policy: &mut dyn Policy<G>,
) -> Declaration {
    if !contest.is_suspended() {
        return interview::declare(contest.state(), seat, policy);
    }
    let mut declaration = Declaration::default();
    policy.begin(seat, &mut || G::seen_by(contest.state(), Viewer::Seat(seat)));
    // Each answer may bring up the next question.
    while let Some(asked) =
        contest.interview(seat, &declaration).asked.into_iter().find(|asked| asked.answer.is_none())
    {
        declaration.set(asked.question.key.clone(), answer(&asked.question, policy));
    }
    declaration
}

/// Plays a whole game by sealed declarations. `seal` may change the declarations of the policies.
pub fn sealed<G: Game>(
    options: &G::Options,
    dice: Dice,
    policies: &mut [Box<dyn Policy<G>>],
    mut seal: impl FnMut(&Contest<G>, Seat, Declaration) -> Option<Declaration>,
    mut watch: impl FnMut(&Contest<G>, &Resolution<G::Event>),
) -> Result<Played<G>, Held> {
    let (mut contest, resolution) = Contest::<G>::open(options, policies.len(), dice)?;
    watch(&contest, &resolution);
    loop {
        if let Some(standing) = contest.standing() {
            let standing = standing.to_vec();
            return Ok(Played {
                state: contest.state().clone(),
                windows: contest.round().get(),
                standing,
            });
        }
        if contest.round().get() == MAX_ROUNDS {
            return Err(Held::Endless);
        }
        contest.act_all(policies, &mut watch);
        let mut declared = declarations(&contest, policies);
        for seat in declared.seats() {
            if let Some(declaration) = declared[seat].take() {
                declared[seat] = seal(&contest, seat, declaration);
            }
        }
        let resolution = contest.close(declared)?;
        watch(&contest, &resolution);
    }
}

/// Returns a policy's answer to an owned question.
fn answer<G: Game>(question: &Question, policy: &mut dyn Policy<G>) -> Answer {
    let options: &[SmolStr] = match &question.shape {
        Shape::Choose { options, .. } | Shape::Pick { options, .. } => options,
        _ => &[],
    };
    let choice = match &question.shape {
        Shape::Choose { .. } => Choice::Option(&options),
        &Shape::Pick { min, max, .. } => Choice::Picks { options: &options, min, max },
        Shape::Pay { cost, purse, limit } => Choice::Payment { cost: *cost, purse, limit: *limit },
        &Shape::Number { min, max } => Choice::Number { min, max },
        &Shape::Text { max, form } => Choice::Text { max, form },
    };
    let offer = Offer::owned(question, choice);
    let reply = policy.reply(&offer);
    offer.value(&reply).map_or(Answer::LeftOut, Answer::Given)
}

/// A policy that answers at random.
#[derive(Debug)]
pub struct Random(Stream);

impl Random {
    /// Creates a policy that draws its answers from this stream.
    pub fn new(stream: Stream) -> Self {
        Self(stream)
    }

    /// Returns a random number below `count`.
    ///
    /// # Panics
    /// If there are 2³² or more.
    pub fn index(&mut self, count: usize) -> usize {
        self.0.below(u32::try_from(count).expect("no list is that long")) as usize
    }

    /// Returns random pieces that cover the cost, or the largest first if that takes too many pieces.
    fn payment(&mut self, cost: u32, purse: &[Denomination], limit: Option<u8>) -> Reply {
        let mut paid = Pieces::default();
        let total: u8 = purse.iter().map(|denomination| denomination.count).sum();
        for used in 0..total.min(limit.unwrap_or(u8::MAX)) {
            if worth(purse, paid) >= cost {
                break;
            }
            let mut left = self.index(usize::from(total - used));
            for (paid, denomination) in paid.iter_mut().zip(purse) {
                let free = usize::from(denomination.count - *paid);
                if left < free {
                    *paid += 1;
                    break;
                }
                left -= free;
            }
        }
        if worth(purse, paid) >= cost {
            return Reply::Payment(paid);
        }
        largest_first(cost, purse, limit).map_or(Reply::LeftOut, Reply::Payment)
    }
}

impl<G: Game> Policy<G> for Random {
    fn begin(&mut self, _: Seat, _: &mut dyn FnMut() -> G::State) {}

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        match offer.choice {
            Choice::Option(options) => {
                // Passing is one more answer if it is not an omission.
                let without = usize::from(*offer.suppose == Suppose::Nothing);
                match self.index(options.count() + without) {
                    index if index < options.count() => Reply::Option(index),
                    _ => Reply::LeftOut,
                }
            }
            Choice::Picks { options, min, max } => {
                let span = usize::from(max - min) + 1;
                let count = usize::from(min) + self.index(span);
                let mut picks = Picks::new();
                while picks.len() < count.min(options.count()) {
                    let index = self.index(options.count());
                    if !picks.contains(&index) {
                        picks.push(index);
                    }
                }
                Reply::Picks(picks)
            }
            Choice::Payment { cost, purse, limit } => self.payment(cost.unwrap_or(0), purse, limit),
            Choice::Number { min, max } => {
                let count = usize::try_from(max - min + 1).expect("a small range");
                Reply::Number(min + i64::try_from(self.index(count)).expect("a small range"))
            }
            Choice::Text { .. } => Reply::LeftOut,
        }
    }
}
