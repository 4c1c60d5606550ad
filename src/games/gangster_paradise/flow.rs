//! P3: the windows, one after the other.

use super::cards::Card;
use super::chain::{ChoiceKind, PrivateChoice};
use super::hands::{discard, pass};
use super::happening::Happening;
use super::state::{Referee, State, WindowStage};
use super::{looks, offers, reactions, resolve, trades, turns, uses, victory};
use crate::pieces::alternatives;
use rules::{Ask, Key, Label, Play, Procedure, Sealing, Seat, WindowKind};

alternatives! { Opening { Begin => "begin", Keep => "keep" } }

/// Resolves a window, up to the next one in which a player is asked.
pub(super) fn round(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    referee.cite("P3.7");
    for (seat, asked) in state.asked().iter() {
        if *asked {
            referee.turn(state, seat)?;
        }
    }
    go_on(state, referee);
    victory::conclude(state, referee);
    state.throws = 0;
    Ok(())
}

fn go_on(state: &mut State, referee: &mut Referee<'_>) {
    match state.stage {
        WindowStage::Won | WindowStage::Over => return,
        WindowStage::Opening => return begin(state, referee),
        // A declaration sealed in a window that a trade has closed does not count.
        WindowStage::Turn | WindowStage::Settled => offers::lapse(state, referee),
        WindowStage::Reaction | WindowStage::Choice(_) => {}
    }
    let mut is_new = matches!(state.stage, WindowStage::Turn | WindowStage::Settled);
    while let Some(chain) = &state.chain {
        if is_new && reactions::opens_window(state, &chain.act) {
            referee.cite("P3.2");
            referee.cite("P9.11");
            state.stage = WindowStage::Reaction;
            return;
        }
        state.stage = WindowStage::Turn;
        resolve::run(state, referee);
        if state.chain.is_some() || state.stage == WindowStage::Won {
            return;
        }
        if state.turn.is_ended {
            break;
        }
        is_new = uses::go_on(state, referee);
        if !is_new {
            return;
        }
    }
    turns::end(state, referee);
}

/// P1.3: a player who holds THE BOSS and shows it begins, otherwise a die decides.
fn begin(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("P1.3");
    let shows = |seat: &Seat| {
        let player = &state.players[*seat];
        player.answers.uses(Card::TheBoss) && player.holds(Card::TheBoss)
    };
    let boss = state.players.seats().find(shows);
    if let Some(seat) = boss {
        state.players[seat].known.show(&[Card::TheBoss]);
        referee.tell(Happening::Showed { seat, card: Card::TheBoss });
    }
    let seat = boss.unwrap_or_else(|| {
        let sides = u32::try_from(state.players.count()).expect("few play");
        let number = referee.throw(&Label::table(Key::new("begin", "first")), sides);
        Seat::new(number.map_or(0, |number| number as usize - 1))
    });
    state.first = seat;
    referee.tell(Happening::Began { seat, boss: boss.is_some() });
    turns::begin(state, seat, referee);
}

/// Interviews a seat about the open window.
pub(super) fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    match state.stage.clone() {
        WindowStage::Opening => {
            let ask = Ask::new(Key::new("begin", "boss"), "P1.3").or_nothing().or_missing();
            let chosen = referee.choose(seat, &ask, &[Opening::Begin, Opening::Keep])?;
            let shown = chosen.filter(|chosen| *chosen == Opening::Begin).map(|_| Card::TheBoss);
            state.players[seat].answers.uses.extend(shown);
        }
        WindowStage::Turn if seat == state.active && !referee.is_skipped(seat) => {
            uses::seal(state, seat, referee)?;
        }
        WindowStage::Reaction if seat != state.active && state.players[seat].is_alive() => {
            if let Some(act) = state.chain.as_ref().map(|chain| chain.act.clone()) {
                state.players[seat].answers = reactions::answers(state, seat, &act, 1, referee)?;
            }
        }
        WindowStage::Choice(choice) if seat == choice.of => choose(state, &choice, referee)?,
        _ => {}
    }
    Ok(())
}

/// P3.4: asks a player for a choice in the middle of an act, and carries it out. Without an answer a die
/// chooses.
fn choose(state: &mut State, choice: &PrivateChoice, referee: &mut Referee<'_>) -> Play<()> {
    let options = options(state, choice);
    let ask = Ask::new(Key::new("choose", "cards"), "P3.4").or_missing();
    // Publishing is optional.
    let is_free = choice.what == ChoiceKind::Publish;
    let (ask, count) =
        if is_free { (ask.or_nothing(), options.len()) } else { (ask, choice.count.into()) };
    let picked = referee.pick(choice.of, &ask, &options, options.len(), count)?;
    // The events that follow record the choice as resolved, not as asked.
    carry_out(state, choice, &picked, referee);
    Ok(())
}

/// The cards that can be chosen.
fn options(state: &State, choice: &PrivateChoice) -> Vec<Card> {
    let seen = choice.seen.iter().flatten().copied();
    match choice.what {
        // P5.5, P9.2: a life cannot be chosen.
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

fn carry_out(state: &mut State, choice: &PrivateChoice, cards: &[Card], referee: &mut Referee<'_>) {
    let PrivateChoice { of, on, .. } = *choice;
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
            let cards = cards.iter().copied().map(Some).collect();
            referee.tell(Happening::Stole { seat: of, on, cards });
        }
        ChoiceKind::Publish => looks::publish(state, of, on, cards, referee),
        ChoiceKind::Give => looks::hand_over(state, of, on, cards, referee),
        ChoiceKind::Plunder => trades::take_of_trade(state, of, cards, referee),
    }
    // The chain goes on with the reactions already declared.
    state.stage = WindowStage::Reaction;
}

/// P3: the clauses of the procedure.
pub(super) fn procedure(state: &State) -> Procedure {
    let is_turn = matches!(
        state.stage,
        WindowStage::Turn | WindowStage::Settled | WindowStage::Won | WindowStage::Over
    );
    let kind = match state.stage {
        WindowStage::Opening => WindowKind::Setup,
        WindowStage::Turn | WindowStage::Settled | WindowStage::Won | WindowStage::Over => {
            WindowKind::Turn
        }
        WindowStage::Reaction => WindowKind::Reaction,
        WindowStage::Choice(_) => WindowKind::Choice,
    };
    let is_by_orders = state.stage == WindowStage::Reaction
        && state.chain.as_ref().is_some_and(|chain| reactions::is_by_orders(state, &chain.act));
    Procedure {
        kind,
        missing: "P3.6",
        closes_early: true,
        asks_people: !is_by_orders,
        sealing: Sealing::Hidden,
        skips_missing: is_turn,
        left_out: if is_turn { "P3.6" } else { "P3.4" },
        payment: "P9.3",
        fault: Some("P3.1"),
        returned: "P3.1",
        duty: "P3.6",
        ordered: "P3.2",
        in_reserve: "P3.1",
        ruling: "P4.4",
        sealed: "P3.1",
        times: "P3.7",
        text: "P3.1",
    }
}
