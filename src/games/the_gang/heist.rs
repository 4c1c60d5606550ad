//! G1: a heist, from the deal to the showdown; and G7, the windows.

use arrayvec::ArrayVec;

use super::cards::Card;
use super::edition::EDITION;
use super::extra_cards::{Challenge, Specialist};
use super::happening::{Happening, Wish};
use super::state::{Player, Referee, State, Street, WindowStage};
use super::{challenges, chips, live, modes, proposals, showdown, specialists};
use rules::{Key, Label, Place, Play, Procedure, Sealing, Seat, WindowKind};

/// Deals the first heist.
#[expect(clippy::unnecessary_wraps, reason = "other games ask in their setup")]
pub(super) fn setup(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    referee.cite("G1.1");
    modes::begin(state, referee);
    deal(state, referee);
    Ok(())
}

/// Resolves a window, up to the next one in which a player is asked.
pub(super) fn round(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    referee.cite("G7.2");
    match state.stage {
        WindowStage::Wishing { .. } | WindowStage::Taking => {
            proposals::lapse(state, referee);
            let settled = match state.stage {
                WindowStage::Wishing { pass } => chips::pass(state, pass, referee)?,
                WindowStage::Taking => {
                    live::close(state, referee);
                    true
                }
                _ => false,
            };
            if settled {
                settle(state, referee);
            }
        }
        WindowStage::Passing => {
            specialists::pass_on(state, referee)?;
            begin_street(state, Street::PreFlop, referee);
        }
        WindowStage::Choosing { seat, pass } => specialists::carry_out(state, seat, pass, referee)?,
        WindowStage::Guessing { about } => {
            let success = showdown::go_on(state, about, referee);
            end(state, success, referee);
        }
        WindowStage::Interrupted { .. } | WindowStage::Over => {}
    }
    if let WindowStage::Interrupted { seat, pass } = state.stage {
        state.stage = WindowStage::Choosing { seat, pass };
    }
    Ok(())
}

/// Interviews a seat about the open window.
pub(super) fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    match state.stage {
        WindowStage::Wishing { .. } if !state.players[seat].fixed => {
            chips::wish(state, seat, referee)
        }
        WindowStage::Passing => specialists::give(state, seat, referee),
        WindowStage::Choosing { seat: chooser, .. } if seat == chooser => {
            specialists::choose(state, seat, referee)
        }
        _ => Ok(()),
    }
}

/// G1.2: shuffles the deck, and deals the pockets.
pub(super) fn deal(state: &mut State, referee: &mut Referee<'_>) {
    for clause in ["G1.2", "G1.4", "G7.1"] {
        referee.cite(clause);
    }
    let (heist, challenges) = (state.heist, state.challenges.clone());
    let specialist = state.specialist.map(|hired| hired.card);
    referee.tell(Happening::HeistBegan { heist, challenges, specialist });
    state.board.clear();
    state.guesses.clear();
    state.street = Street::PreFlop;
    state.deck = Card::deck().map(Some).collect();
    state.known = 0;
    referee.shuffle(&Label::table(Key::part("deck")), &mut state.deck);
    let count = state.pocket_size();
    if state.has(Challenge::SecurityCameras) {
        referee.cite("G5.10");
    }
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    for &seat in &seats {
        state.players[seat] = Player::default();
        (0..count).for_each(|_| state.draw(seat));
    }
    if specialist == Some(Specialist::ConArtist) {
        specialists::deal_again(state, referee);
    } else {
        for seat in seats {
            let cards = state.players[seat].pocket.clone();
            referee.tell(Happening::Dealt { seat, cards });
        }
    }
    if !specialists::act_at_once(state, referee) {
        begin_street(state, Street::PreFlop, referee);
    }
}

/// G1.2: turns up the cards of a round and lays out its chips; without chips the next round begins
/// immediately (G5.1, G5.5).
pub(super) fn begin_street(state: &mut State, street: Street, referee: &mut Referee<'_>) {
    state.street = street;
    let from = state.deck.len().saturating_sub(EDITION.cards.board[street.index()]);
    let cards: ArrayVec<Card, 5> = state.deck.drain(from..).rev().flatten().collect();
    state.known = state.known.saturating_sub(u8::try_from(cards.len()).expect("at most five"));
    state.board.extend(cards.iter().copied().take(state.board.remaining_capacity()));
    let chips = challenges::has_chips(state, street, referee);
    referee.tell(Happening::StreetBegan { street, cards, chips });
    if street == Street::Flop {
        challenges::redraw(state, referee);
    }
    if chips {
        challenges::clear(state, street, referee);
    }
    state.lay_out_chips();
    if !chips {
        end_street(state, referee);
    }
}

/// G2.2: ends a round in which all players have a chip.
fn settle(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("G2.2");
    let chips = state.players.seats().map(|seat| Wish { seat, star: state.held(seat) }).collect();
    referee.tell(Happening::Settled { street: state.street, chips });
    end_street(state, referee);
}

fn end_street(state: &mut State, referee: &mut Referee<'_>) {
    if let Some(&next) = Street::ALL.get(state.street.index() + 1) {
        begin_street(state, next, referee);
    } else {
        let success = showdown::begin(state, referee);
        end(state, success, referee);
    }
}

/// G3.2: ends a heist, unless its result is still open; G1.3: ends the game, or deals the next heist.
fn end(state: &mut State, success: Option<bool>, referee: &mut Referee<'_>) {
    let Some(success) = success else { return };
    let won = state.vaults >= EDITION.goals.vaults;
    if won || state.alarms >= state.most_alarms() {
        referee.cite("G1.3");
        modes::end(state, referee);
        state.stage = WindowStage::Over;
        let (vaults, alarms, heists) = (state.vaults, state.alarms, state.heist);
        referee.tell(Happening::Ended { won, vaults, alarms, heists });
    } else {
        state.heist += 1;
        modes::change(state, success, referee);
        deal(state, referee);
    }
}

/// Shuffles the unknown parts of the deck and of the piles.
pub(super) fn reshuffle(state: &mut State, referee: &mut Referee<'_>) {
    let unknown = state.deck.len().saturating_sub(state.known.into());
    referee.shuffle(&Label::table(Key::part("deck")), &mut state.deck[..unknown]);
    modes::reshuffle(state, referee);
}

/// G1.3: all players win or lose together; the score is the number of gold vaults.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    let place = |seat| Place { seat, rank: 1, score: Some(state.vaults.into()) };
    (state.stage == WindowStage::Over).then(|| state.players.seats().map(place).collect())
}

/// G7: the clauses of the procedure.
pub(super) fn procedure(state: &State) -> Procedure {
    let seals = !matches!(state.stage, WindowStage::Taking | WindowStage::Guessing { .. });
    Procedure {
        kind: WindowKind::Turn,
        missing: "G2.5",
        // G6.12.2: a window with an open proposal does not close early.
        closes_early: state.options.early.is_on() && seals && state.proposal.is_none(),
        asks_people: true,
        // G1.4
        sealing: Sealing::Hidden,
        skips_missing: false,
        left_out: "G7.4",
        payment: "G7.3",
        fault: Some("G7.3"),
        returned: "G7.3",
        duty: "G7.3",
        ordered: "G7.5",
        in_reserve: "G7.6",
        ruling: "G7.4",
        sealed: "G2.3",
        times: "G7.2",
        text: "G7",
    }
}
