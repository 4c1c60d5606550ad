//! G5.13: guesses about the hand of the highest red chip.

use arrayvec::ArrayVec;

use super::cards::Value;
use super::extra_cards::Challenge;
use super::happening::{Happening, Way};
use super::ranking::Ranking;
use super::state::{About, Guess, Referee, State, WindowStage, ask_openly};
use rules::{Key, Label, Play, Seat};

/// The clause of a guess, and the challenge that asks for it.
fn challenge(about: About) -> (Challenge, &'static str) {
    match about {
        About::Value => (Challenge::RetinaScan, "G5.4"),
        About::Ranking => (Challenge::FingerprintScan, "G5.9"),
    }
}

fn about(guess: Guess) -> About {
    match guess {
        Guess::Value(_) => About::Value,
        Guess::Ranking(_) => About::Ranking,
    }
}

/// Every answer, from the lowest.
fn answers(about: About) -> ArrayVec<Guess, 13> {
    match about {
        About::Value => Value::ALL.iter().copied().map(Guess::Value).collect(),
        About::Ranking => Ranking::ALL.iter().copied().map(Guess::Ranking).collect(),
    }
}

/// G5.13: asks for the next guess that is due; false if there is none.
pub(super) fn ask(state: &mut State, referee: &mut Referee<'_>) -> bool {
    let is_due = |what: &&About| {
        let settled = state.guesses.iter().any(|guess| about(*guess) == **what);
        state.has(challenge(**what).0) && !settled
    };
    let Some(&what) = About::ALL.iter().find(is_due) else { return false };
    let Some(seat) = state.shown_last() else { return false };
    referee.cite("G5.13");
    referee.tell(Happening::GuessBegan { about: what, seat });
    state.stage = WindowStage::Guessing { about: what };
    true
}

/// G5.13: records an answer, which can be changed.
pub(super) fn guess(
    state: &mut State,
    seat: Seat,
    what: About,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let ask = ask_openly(what.word(), challenge(what).1);
    let guess = referee.choose(seat, &ask, &answers(what))?;
    if let Some(guess) = guess {
        state.players[seat].guess = Some(guess);
        referee.tell(Happening::Guessed { seat, guess });
    }
    Ok(())
}

/// G5.13: settles the guess at the close of the window: the unanimous answer, or the most frequent (G5.13.1).
pub(super) fn settle(state: &mut State, what: About, referee: &mut Referee<'_>) {
    let votes = |guess: &Guess| {
        let alike = state.players.iter().filter(|(_, player)| player.guess == Some(*guess));
        alike.count()
    };
    let answers = answers(what);
    let most = answers.iter().map(votes).max().unwrap_or(0);
    let best: ArrayVec<Guess, 13> =
        answers.iter().copied().filter(|guess| votes(guess) == most).collect();
    let way = match best.len() {
        1 if state.is_unanimous() => Way::All,
        1 => Way::Most,
        _ => Way::Die,
    };
    if way != Way::All {
        referee.cite("G5.13.1");
    }
    let sides = u32::try_from(best.len()).expect("at most thirteen");
    let label = Label::table(Key::new("guess", what.word()));
    let die = if way == Way::Die { referee.throw(&label, sides) } else { None };
    let guess = best[die.map_or(0, |die| die as usize - 1)];
    for (_, player) in state.players.iter_mut() {
        player.guess = None;
    }
    state.guesses.push(guess);
    referee.tell(Happening::GuessSettled { about: what, guess, way });
}

/// G5.13.2: true if every guess was right about the hand of this player.
pub(super) fn prove(state: &State, seat: Seat, referee: &mut Referee<'_>) -> bool {
    let mut all_right = true;
    for &guess in &state.guesses {
        let right = match guess {
            Guess::Value(value) => {
                state.players[seat].pocket.iter().flatten().any(|card| card.value() == value)
            }
            Guess::Ranking(ranking) => state.hand(seat).strength().ranking() == ranking,
        };
        let about = about(guess);
        referee.cite(challenge(about).1);
        if !right {
            referee.cite("G5.13.2");
        }
        referee.tell(Happening::GuessProved { about, guess, right });
        all_right &= right;
    }
    all_right
}
