//! P3.4: what somebody chooses in the middle of an act, in private and with a window of its own.

use super::cards::Card;
use super::chain::{Choice, ChoiceKind};
use super::hands::{discard, forget, pass};
use super::happening::Happening;
use super::state::{Referee, Stage, State};
use super::{looks, trades};
use crate::rules::{Ask, Key, Play};

/// Asks, and carries it out. Left out, the die chooses.
pub(super) fn choose(state: &mut State, choice: &Choice, referee: &mut Referee<'_>) -> Play<()> {
    let options = options(state, choice);
    let ask = Ask::new(Key::new("choose", "cards"), "P3.4").or_missing();
    // Nobody has to publish anything.
    let is_free = choice.what == ChoiceKind::Publish;
    let (ask, count) =
        if is_free { (ask.or_nothing(), options.len()) } else { (ask, choice.count.into()) };
    let picked = referee.pick(choice.of, &ask, &options, options.len(), count)?;
    // What follows is told as having come about, not as being asked.
    carry_out(state, choice, &picked, referee);
    Ok(())
}

/// What can be chosen.
fn options(state: &State, choice: &Choice) -> Vec<Card> {
    let seen = choice.seen.iter().flatten().copied();
    match choice.what {
        // P5.5, P9.2: never a life.
        ChoiceKind::Discard | ChoiceKind::Give => {
            state.players[choice.of].cards().filter(|card| !card.is_life()).collect()
        }
        ChoiceKind::Take | ChoiceKind::Torture | ChoiceKind::Plunder => {
            seen.filter(|card| !card.is_life()).collect()
        }
        // P9.18: a life without a record cannot be published.
        ChoiceKind::Publish => seen
            .filter(|card| !card.is_life() || looks::is_seizable(state, choice.on, *card))
            .collect(),
    }
}

fn carry_out(state: &mut State, choice: &Choice, cards: &[Card], referee: &mut Referee<'_>) {
    let Choice { of, on, .. } = *choice;
    match choice.what {
        ChoiceKind::Discard | ChoiceKind::Torture => {
            for card in cards {
                discard(state, on, *card);
            }
            referee.tell(Happening::Discarded { seat: on, cards: cards.to_vec() });
        }
        ChoiceKind::Take => {
            for card in cards {
                pass(state, on, of, *card);
            }
            forget(state, on, &[of]);
            let cards = cards.iter().copied().map(Some).collect();
            referee.tell(Happening::Stole { seat: of, on, cards });
        }
        ChoiceKind::Publish => looks::publish(state, of, on, cards, referee),
        ChoiceKind::Give => looks::hand_over(state, of, on, cards, referee),
        ChoiceKind::Plunder => trades::take_of_trade(state, of, cards, referee),
    }
    state.stage = Stage::Turn;
}
