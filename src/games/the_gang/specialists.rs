//! G6: specialists.

use arrayvec::ArrayVec;

use super::cards::Card;
use super::extra_cards::Specialist;
use super::happening::Happening;
use super::state::{PLAYERS, Referee, State, WindowStage};
use rules::{Ask, Bar, Key, Label, Play, Seat};

type Cards = ArrayVec<Card, 4>;

/// The known cards of a pocket.
fn pocket(state: &State, seat: Seat) -> Cards {
    state.players[seat].pocket.iter().flatten().copied().collect()
}

/// Takes a card out of a pocket.
fn take(state: &mut State, seat: Seat, card: Card) {
    state.players[seat].pocket.retain(|other| *other != Some(card));
}

// --- Right after the deal (G6.11) ---

/// G6.9: collects, shuffles and deals the pockets again.
pub(super) fn deal_again(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("G6.9");
    referee.cite("G6.11");
    let seats: ArrayVec<Seat, PLAYERS> = state.players.seats().collect();
    let mut cards: ArrayVec<Option<Card>, 18> =
        seats.iter().flat_map(|&seat| state.players[seat].pocket.clone()).collect();
    referee.shuffle(&Label::table(Key::part("pockets")), &mut cards);
    let size = state.pocket_size();
    for (&seat, cards) in seats.iter().zip(cards.chunks(size)) {
        let cards = cards.iter().copied().collect();
        let first = std::mem::replace(&mut state.players[seat].pocket, cards);
        let cards = state.players[seat].pocket.clone();
        referee.tell(Happening::Redealt { seat, first, cards });
    }
    if let Some(hired) = &mut state.specialist {
        hired.used = true;
    }
}

/// Applies a specialist that acts right after the deal. True if the players are asked for a card first.
pub(super) fn act_at_once(state: &mut State, referee: &mut Referee<'_>) -> bool {
    let Some(hired) = state.specialist.as_mut().filter(|hired| hired.card.acts_at_once()) else {
        return false;
    };
    hired.used = true;
    let card = hired.card;
    referee.cite("G6.11");
    if card == Specialist::Coordinator {
        state.stage = WindowStage::Passing;
        return true;
    }
    for seat in state.players.seats() {
        let pocket = pocket(state, seat);
        match card {
            Specialist::Investor => {
                referee.cite("G6.3");
                let faces = pocket.iter().filter(|card| card.value().is_face()).count();
                let count = u8::try_from(faces).expect("at most three");
                referee.tell(Happening::ToldFaces { seat, count });
            }
            Specialist::MathWhiz => {
                referee.cite("G6.8");
                let sum = pocket.iter().map(|card| card.value().points()).sum();
                referee.tell(Happening::ToldSum { seat, sum });
            }
            _ => {}
        }
    }
    false
}

/// G6.6: asks for a card for the left neighbour.
pub(super) fn give(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let ask = Ask::new(Key::new("pass", "card"), "G6.6").or_missing();
    let card = referee.choose(seat, &ask, &pocket(state, seat))?;
    state.players[seat].card = card;
    Ok(())
}

/// G6.6: passes the chosen cards, all at the same time.
pub(super) fn pass_on(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let seats: ArrayVec<Seat, PLAYERS> = state.players.seats().collect();
    for &seat in &seats {
        referee.turn(state, seat)?;
    }
    for (index, &seat) in seats.iter().enumerate() {
        let Some(card) = state.players[seat].card.take() else { continue };
        let to = seats[(index + 1) % seats.len()];
        take(state, seat, card);
        state.players[to].pocket.push(Some(card));
        referee.tell(Happening::Passed { seat, to, card: Some(card) });
    }
    Ok(())
}

// --- By a proposal (G6.12) ---

/// Applies a specialist that the group has agreed on. If a card must be chosen, the window closes and the
/// choice is asked first.
pub(super) fn act(
    state: &mut State,
    card: Specialist,
    seat: Seat,
    value: Option<super::cards::Value>,
    referee: &mut Referee<'_>,
) {
    match card {
        Specialist::Informant => interrupt(state, seat),
        Specialist::GetawayDriver => {
            referee.cite("G6.2");
            let ranking = state.hand(seat).strength().ranking();
            referee.tell(Happening::ToldRanking { seat, ranking });
        }
        Specialist::Mastermind => {
            referee.cite("G6.4");
            let Some(value) = value else { return };
            let alike = pocket(state, seat).iter().filter(|card| card.value() == value).count();
            let count = u8::try_from(alike).expect("at most four");
            referee.tell(Happening::ToldCount { seat, value, count });
        }
        Specialist::Hacker => {
            state.draw(seat);
            let card = state.players[seat].pocket.last().copied().flatten();
            referee.tell(Happening::Drew { seat, card });
            interrupt(state, seat);
        }
        Specialist::Jack => {
            state.players[seat].pocket.push(Some(Card::Jack));
            referee.tell(Happening::Drew { seat, card: Some(Card::Jack) });
            interrupt(state, seat);
        }
        // G6.10: the Muscle counts at the showdown.
        _ => {}
    }
}

/// G6.12.3: closes the window with nothing resolved.
fn interrupt(state: &mut State, seat: Seat) {
    let pass = match state.stage {
        WindowStage::Wishing { pass } => pass,
        _ => 1,
    };
    for (_, player) in state.players.iter_mut() {
        player.ok = false;
    }
    state.stage = WindowStage::Interrupted { seat, pass };
}

/// G6.1: asks for the card to show; G6.5, G6.7: for the card to discard.
pub(super) fn choose(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut cards = pocket(state, seat);
    let mut bars: ArrayVec<Bar<Card>, 1> = ArrayVec::new();
    let key = Key::new("choose", "card");
    let ask = match state.specialist.map(|hired| hired.card) {
        Some(Specialist::Hacker) => {
            let ask = Ask::new(key, "G6.5");
            // Without an answer the drawn card is discarded.
            cards.last().map_or(ask.clone(), |drawn| ask.or_by(drawn.word(), "G6.5"))
        }
        Some(Specialist::Jack) => {
            cards.retain(|card| *card != Card::Jack);
            bars.push(Bar { option: Card::Jack, why: "the-jack", clause: "G6.13" });
            Ask::new(key, "G6.7")
        }
        _ => Ask::new(key, "G6.1"),
    };
    state.players[seat].card = referee.choose_barring(seat, &ask.or_missing(), &cards, &bars)?;
    Ok(())
}

/// Carries out the choice; then the wishes are asked again (G6.12.3).
pub(super) fn carry_out(
    state: &mut State,
    seat: Seat,
    pass: u8,
    referee: &mut Referee<'_>,
) -> Play<()> {
    referee.turn(state, seat)?;
    let card = state.players[seat].card.take();
    match state.specialist {
        Some(hired) if hired.card == Specialist::Informant => {
            if let Some(to) = hired.on {
                state.players[to].informed = card.map(|card| (seat, card));
                referee.tell(Happening::ShowedCard { seat, to, card });
            }
        }
        _ => {
            if let Some(card) = card {
                take(state, seat, card);
            }
            referee.tell(Happening::Discarded { seat, card });
        }
    }
    referee.cite("G6.12.3");
    state.stage = state.chips_of_pass(pass);
    Ok(())
}
