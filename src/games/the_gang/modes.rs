//! G4: the modes, which determine the extra cards in effect.

use arrayvec::ArrayVec;

use super::extra_cards::{Challenge, Extra, Pile, Piles};
use super::happening::{Happening, Pile as Which};
use super::options::Mode;
use super::state::{Hired, Referee, State};
use rules::{Key, Label};

/// Challenges in effect, or going out of effect.
type Challenges = ArrayVec<Challenge, 10>;

/// G4.2.1: the piles for the next game of the group: all cards in effect are put under them.
pub(super) fn piles(state: &State) -> Piles {
    let mut piles = state.piles.clone();
    for &challenge in &state.challenges {
        piles.challenges.put_under(challenge);
    }
    if let Some(hired) = state.specialist {
        piles.specialists.put_under(hired.card);
    }
    piles
}

/// Ends the game: all cards in effect go under their piles, which carry over (G4.2.1).
pub(super) fn end(state: &mut State, referee: &mut Referee<'_>) {
    let clause = match state.options.mode {
        Mode::Basic => return,
        Mode::Advanced => "G4.2",
        Mode::Professional => "G4.3",
        Mode::Master => "G4.4",
    };
    referee.cite(clause);
    referee.cite("G4.2.1");
    state.permanent = None;
    let out = std::mem::take(&mut state.challenges);
    put_under(state, out, referee);
}

/// Shuffles the unknown parts of the piles: the order of those shuffled before (G4.2.2).
pub(super) fn reshuffle(state: &mut State, referee: &mut Referee<'_>) {
    let Piles { challenges, specialists } = &mut state.piles;
    mix(challenges, Which::Challenges, referee);
    mix(specialists, Which::Specialists, referee);
}

fn mix<T>(pile: &mut Pile<T>, which: Which, referee: &mut Referee<'_>) {
    if pile.shuffled {
        referee.shuffle(&label(which), &mut pile.cards[..pile.fresh]);
    }
}

fn label(which: Which) -> Label {
    let name = match which {
        Which::Challenges => "challenges",
        Which::Specialists => "specialists",
    };
    Label::table(Key::new("pile", name))
}

/// G4.3, G4.4: reveals the challenges of the first heist.
pub(super) fn begin(state: &mut State, referee: &mut Referee<'_>) {
    match state.options.mode {
        Mode::Basic => referee.cite("G4.1"),
        Mode::Advanced => referee.cite("G4.2"),
        Mode::Professional => {
            referee.cite("G4.3");
            state.permanent = reveal_random(state, 1, referee);
        }
        Mode::Master => {
            referee.cite("G4.4");
            reveal_random(state, 1, referee);
            reveal_random(state, 2, referee);
        }
    }
}

/// Changes the extra cards between two heists: the old ones go under their piles, and the next card is drawn.
pub(super) fn change(state: &mut State, success: bool, referee: &mut Referee<'_>) {
    let out = going_out(state);
    put_under(state, out, referee);
    match state.options.mode {
        Mode::Basic => {}
        Mode::Advanced | Mode::Professional if success => {
            referee.cite("G4.2");
            reveal_challenge(state, referee);
        }
        Mode::Advanced | Mode::Professional => {
            referee.cite("G4.2");
            reveal_specialist(state, referee);
        }
        Mode::Master => {
            referee.cite("G4.4");
            reveal_challenge(state, referee);
        }
    }
}

/// G4.2: removes the challenges of one heist; G4.4: the challenge with the lower number. The others stay in
/// effect.
fn going_out(state: &mut State) -> Challenges {
    let mut out = std::mem::take(&mut state.challenges);
    out.sort_unstable();
    state.challenges = match state.options.mode {
        Mode::Master => out.drain(1.min(out.len())..).collect(),
        _ => state.permanent.into_iter().collect(),
    };
    out.retain(|card| !state.challenges.contains(card));
    out
}

/// Puts these challenges and the specialist under their piles.
fn put_under(state: &mut State, out: Challenges, referee: &mut Referee<'_>) {
    for card in out {
        state.piles.challenges.put_under(card);
        referee.tell(Happening::WentUnder { card: Extra::Challenge(card) });
    }
    if let Some(Hired { card, .. }) = state.specialist.take() {
        state.piles.specialists.put_under(card);
        referee.tell(Happening::WentUnder { card: Extra::Specialist(card) });
    }
}

/// G4.3.1: true if a challenge may come up in this mode.
fn may_come(mode: Mode) -> impl Fn(Challenge) -> bool + Copy {
    move |card| !(mode.spares_quick_access() && card == Challenge::QuickAccess)
}

/// The indices of the drawable challenges; an exhausted pile is shuffled first.
fn challenges(state: &mut State, referee: &mut Referee<'_>) -> ArrayVec<usize, 10> {
    let may = may_come(state.options.mode);
    if state.options.mode.spares_quick_access() {
        referee.cite("G4.3.1");
    }
    let pile = &mut state.piles.challenges;
    if pile.drawable(may).is_empty() {
        shuffle(pile, Which::Challenges, referee);
    }
    pile.drawable(may)
}

fn reveal_challenge(state: &mut State, referee: &mut Referee<'_>) {
    let top = challenges(state, referee).first().copied();
    reveal(state, top, false, referee);
}

/// Reveals a random challenge, the `nth` of this deal.
fn reveal_random(state: &mut State, nth: u8, referee: &mut Referee<'_>) -> Option<Challenge> {
    let drawable = challenges(state, referee);
    let sides = u32::try_from(drawable.len()).expect("at most ten");
    if sides == 0 {
        return None;
    }
    let label = Label::table(Key::new("challenge", "first").nth(nth));
    let die = referee.throw(&label, sides)?;
    let permanent = state.options.mode == Mode::Professional;
    reveal(state, Some(drawable[die as usize - 1]), permanent, referee)
}

fn reveal(
    state: &mut State,
    index: Option<usize>,
    permanent: bool,
    referee: &mut Referee<'_>,
) -> Option<Challenge> {
    let card = state.piles.challenges.take(index?)?;
    state.challenges.push(card);
    state.challenges.sort_unstable();
    referee.tell(Happening::Revealed { card: Extra::Challenge(card), permanent });
    Some(card)
}

fn reveal_specialist(state: &mut State, referee: &mut Referee<'_>) {
    let pile = &mut state.piles.specialists;
    if pile.fresh == 0 {
        shuffle(pile, Which::Specialists, referee);
    }
    if let Some(card) = pile.drawable(|_| true).first().and_then(|&top| pile.take(top)) {
        state.specialist = Some(Hired { card, used: false, user: None, on: None });
        referee.tell(Happening::Revealed { card: Extra::Specialist(card), permanent: false });
    }
}

/// G4.2.2: shuffles a pile of which all cards have been drawn.
fn shuffle<T>(pile: &mut Pile<T>, which: Which, referee: &mut Referee<'_>) {
    referee.cite("G4.2.2");
    referee.shuffle(&label(which), &mut pile.cards);
    pile.shuffled = true;
    pile.fresh = pile.cards.len();
    referee.tell(Happening::Reshuffled { pile: which });
}
