//! The GM's moves: each is a section of its own, asked like the questions of a turn.
//!
//! Cards come from wherever they are, and replaced cards go under the deck. Every card is offered at any
//! time, so that no offer reveals a card's place. A player who loses a card is dealt another, so that every
//! player has the right number of cards.

use arrayvec::ArrayVec;

use super::cards::Card;
use super::edition::EDITION;
use super::extra_cards::{Extra, Specialist};
use super::happening::Happening;
use super::options::Mode;
use super::state::{Hired, Referee, Star, State, Street, WindowStage};
use super::{live, modes};
use rules::ask::Several;
use rules::{Ask, Key, Piece, Play, Reason, Seat};

/// The seat that stands for the GM, who has none, in the questions of a move.
const GM: Seat = Seat::new(0);

/// Carries out all declared moves.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let heists = EDITION.goals.vaults + state.most_alarms() - 1;
    if let Some(heist) = number("heist", 1, heists, referee)? {
        state.heist = heist;
    }
    effect(state, referee)?;
    pile(state, referee)?;
    board(state, referee)?;
    pocket(state, referee)?;
    top(state, referee)?;
    chips(state, referee)?;
    if let Some(vaults) = number("vaults", 0, EDITION.goals.vaults - 1, referee)? {
        state.vaults = vaults;
    }
    if let Some(alarms) = number("alarms", 0, state.most_alarms() - 1, referee)? {
        state.alarms = alarms;
    }
    if let Some(pass) = number("set-pass", 1, state.options.passes.get(), referee)? {
        let street = state.street.index();
        for (_, player) in state.players.iter_mut() {
            player.wishes[street].truncate(usize::from(pass) - 1);
        }
        state.stage = state.chips_of_pass(pass);
    }
    Ok(())
}

fn ask(section: &'static str, name: &'static str) -> Ask {
    Ask::new(Key::new(section, name), "G7.4").or_nothing()
}

fn number(
    section: &'static str,
    least: u8,
    most: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<u8>> {
    let given = referee.number(GM, &ask(section, "number"), least.into(), most.into())?;
    Ok(given.and_then(|given| u8::try_from(given).ok()))
}

/// Asks the GM for up to `most` of these, in order.
fn several<T: Piece>(
    section: &'static str,
    cards: &[T],
    most: usize,
    referee: &mut Referee<'_>,
) -> Play<Several<T>> {
    referee.pick(GM, &ask(section, "cards"), cards, cards.len(), most)
}

fn cards(section: &'static str, most: usize, referee: &mut Referee<'_>) -> Play<Several<Card>> {
    several(section, &Card::all().collect::<ArrayVec<Card, 53>>(), most, referee)
}

fn who(state: &State, section: &'static str, referee: &mut Referee<'_>) -> Play<Option<Seat>> {
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    referee.choose(GM, &ask(section, "who"), &seats)
}

/// True if the number of cards is from `least` to `most`; otherwise the answer is at fault.
fn is_count(
    section: &'static str,
    count: usize,
    (least, most): (usize, usize),
    referee: &mut Referee<'_>,
) -> bool {
    let is_right = (least..=most).contains(&count);
    if !is_right {
        let [min, max, input] = [least, most, count].map(|count| i64::try_from(count).unwrap_or(0));
        referee.object_to(&ask(section, "cards"), Reason::OutOfRange { min, max, input });
    }
    is_right
}

/// True if none of these cards lies on the board, which is public; otherwise the answer is at fault.
fn is_off_the_board(
    state: &State,
    section: &'static str,
    picked: &[Card],
    referee: &mut Referee<'_>,
) -> bool {
    let open = picked.iter().find(|card| state.board.contains(card));
    if let Some(card) = open {
        let reason = Reason::Barred { input: card.id(), why: "on-the-board".into() };
        referee.object_to(&ask(section, "cards"), reason);
    }
    open.is_none()
}

/// Takes cards from the deck and the pockets. A player who loses a card is dealt another.
fn take(state: &mut State, cards: &[Card], referee: &mut Referee<'_>) {
    let mut losses: ArrayVec<(Seat, Card), 24> = ArrayVec::new();
    let mut unseen: ArrayVec<Card, 20> = ArrayVec::new();
    for &card in cards {
        let unknown = state.deck.len() - usize::from(state.known);
        let holder =
            state.players.seats().find(|&seat| state.players[seat].pocket.contains(&Some(card)));
        if let Some(index) = state.deck.iter().position(|other| *other == Some(card)) {
            state.deck.remove(index);
            state.known -= u8::from(index >= unknown);
        } else if let Some(seat) = holder {
            state.players[seat].pocket.retain(|other| *other != Some(card));
            losses.push((seat, card));
        } else if state.deck.contains(&None) {
            unseen.push(card);
        }
    }
    for (seat, card) in losses {
        let by = draw(state, seat);
        referee.tell(Happening::Replaced { seat, card: Some(card), by });
    }
    if !unseen.is_empty() {
        referee.tell(Happening::Sought { cards: unseen });
    }
}

/// Draws a card into a pocket: the next unknown card of the deck, or the top one if all are known.
fn draw(state: &mut State, seat: Seat) -> Option<Card> {
    let unknown = state.deck.len() - usize::from(state.known);
    let card = if unknown > 0 {
        state.deck.pop_at(unknown - 1)
    } else {
        state.known = state.known.saturating_sub(1);
        state.deck.pop()
    };
    state.players[seat].pocket.extend(card);
    card.flatten()
}

/// Lays cards under the deck, except the Jack, which is not part of it.
fn put_under(state: &mut State, cards: impl IntoIterator<Item = Card>) {
    for card in cards.into_iter().filter(|card| *card != Card::Jack) {
        // A deck whose cards are hidden from the GM may already be full.
        let _ = state.deck.try_insert(0, Some(card));
    }
}

/// Sets the challenges and the specialist in effect.
fn effect(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let extras: ArrayVec<Extra, 20> = Extra::all().collect();
    let picked = several("effect", &extras, extras.len(), referee)?;
    let mut specialists = picked.iter().filter(|extra| matches!(extra, Extra::Specialist(_)));
    if let Some(second) = specialists.nth(1) {
        // G4.2: a heist has at most one specialist.
        let reason = Reason::Barred { input: second.id(), why: "one-specialist".into() };
        referee.object_to(&ask("effect", "cards"), reason);
        return Ok(());
    }
    if picked.is_empty() {
        return Ok(());
    }
    if matches!(state.stage, WindowStage::Guessing { .. }) {
        // The challenge that asks for the open guess would be lost.
        let reason = Reason::Barred { input: picked[0].id(), why: "while-guessing".into() };
        referee.object_to(&ask("effect", "cards"), reason);
        return Ok(());
    }
    state.piles = modes::piles(state);
    state.challenges.clear();
    state.specialist = None;
    for extra in picked {
        match extra {
            Extra::Challenge(card) => {
                state.piles.challenges.take_out(card);
                state.challenges.push(card);
            }
            Extra::Specialist(card) => {
                state.piles.specialists.take_out(card);
                let used = card.acts_at_once();
                state.specialist = Some(Hired { card, used, user: None, on: None });
            }
        }
    }
    // G4.3: one challenge of a professional game acts in the whole game: the previous one if it stays,
    // otherwise the first.
    let first = state.challenges.first().filter(|_| state.options.mode == Mode::Professional);
    let permanent = state.permanent.filter(|card| state.challenges.contains(card));
    state.permanent = permanent.or(first.copied());
    state.challenges.sort_unstable();
    // The specialist's open question is dropped, and the chips are asked for again (G6.12.3).
    state.proposal = None;
    if let WindowStage::Choosing { pass, .. } = state.stage {
        state.stage = state.chips_of_pass(pass);
    }
    let coordinator = state.specialist.is_some_and(|hired| hired.card == Specialist::Coordinator);
    if coordinator && state.board.is_empty() {
        state.stage = WindowStage::Passing;
    } else if state.stage == WindowStage::Passing {
        state.stage = state.chips_of_pass(1);
    }
    level_pockets(state, referee);
    Ok(())
}

/// Lays extra cards on top of their piles; in each pile, the first named is drawn first.
fn pile(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let extras: ArrayVec<Extra, 20> = Extra::all().collect();
    for extra in several("pile", &extras, extras.len(), referee)?.into_iter().rev() {
        match extra {
            Extra::Challenge(card) => state.piles.challenges.lay_on_top(card),
            Extra::Specialist(card) => state.piles.specialists.lay_on_top(card),
        }
    }
    Ok(())
}

/// The number of cards in a player's pocket now: one more during a choice (G6.5, G6.7).
fn size_of_pocket(state: &State, seat: Seat) -> usize {
    let is_more = matches!(state.specialist, Some(Hired { card, .. })
        if matches!(card, Specialist::Hacker | Specialist::Jack));
    let chooses =
        matches!(state.stage, WindowStage::Choosing { seat: chooser, .. } if chooser == seat);
    state.pocket_size() + usize::from(is_more && chooses)
}

/// Draws or discards cards until every dealt pocket has the size of the challenges in effect (G5.10).
fn level_pockets(state: &mut State, referee: &mut Referee<'_>) {
    let dealt = |seat: &Seat| !state.players[*seat].pocket.is_empty();
    let seats: ArrayVec<Seat, 8> = state.players.seats().filter(dealt).collect();
    for seat in seats {
        let size = size_of_pocket(state, seat);
        while state.players[seat].pocket.len() > size {
            let Some(card) = state.players[seat].pocket.pop() else { break };
            put_under(state, card);
            referee.tell(Happening::Discarded { seat, card });
        }
        for _ in state.players[seat].pocket.len()..size {
            let card = draw(state, seat);
            referee.tell(Happening::Drew { seat, card });
        }
    }
}

/// Replaces the cards of a pocket.
fn pocket(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "pocket", referee)? else { return Ok(()) };
    let most = EDITION.cards.pocket_with_cameras + 1;
    let picked = cards("pocket", most, referee)?;
    let size = size_of_pocket(state, seat);
    if picked.is_empty()
        || !is_count("pocket", picked.len(), (size, size), referee)
        || !is_off_the_board(state, "pocket", &picked, referee)
    {
        return Ok(());
    }
    let old = std::mem::take(&mut state.players[seat].pocket);
    put_under(state, old.into_iter().flatten());
    take(state, &picked, referee);
    state.players[seat].pocket.extend(picked.into_iter().map(Some));
    Ok(())
}

/// Replaces the cards of the board. Their number determines the round.
fn board(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let most = state.board.capacity();
    let picked = cards("board", most, referee)?;
    let flop = EDITION.cards.board[..=Street::Flop.index()].iter().sum();
    if picked.is_empty() || !is_count("board", picked.len(), (flop, most), referee) {
        return Ok(());
    }
    let old = std::mem::take(&mut state.board);
    put_under(state, old);
    take(state, &picked, referee);
    state.board.extend(picked.iter().copied());
    let mut turned_up = 0;
    for (street, count) in Street::ALL.iter().zip(EDITION.cards.board) {
        turned_up += count;
        if picked.len() >= turned_up {
            state.street = *street;
        }
    }
    state.lay_out_chips();
    Ok(())
}

/// Lays cards on top of the deck, the first named on top.
fn top(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let picked = cards("top", 20, referee)?;
    if picked.is_empty() || !is_off_the_board(state, "top", &picked, referee) {
        return Ok(());
    }
    let cards: ArrayVec<Card, 20> = picked.into_iter().filter(|card| *card != Card::Jack).collect();
    take(state, &cards, referee);
    for card in cards.into_iter().rev() {
        if state.deck.try_push(Some(card)).is_ok() {
            state.known += 1;
        }
    }
    Ok(())
}

/// Gives a chip to a player, from the middle or from its holder; a chip of this round unless another is
/// named.
fn chips(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = who(state, "chips", referee)? else { return Ok(()) };
    // Nobody has a chip of a round that has not begun (G1.2).
    let begun = &Street::ALL[..=state.street.index()];
    let street = referee.choose(GM, &ask("chips", "street"), begun)?;
    let stars: ArrayVec<Star, 6> = state.stars().collect();
    let star = referee.choose(GM, &ask("chips", "star"), &stars)?;
    let (street, Some(star)) = (street.unwrap_or(state.street), star) else { return Ok(()) };
    let from = state.holder_in(street, star).filter(|holder| *holder != seat);
    if let Some(from) = from {
        state.players[from].chips[street.index()] = None;
    }
    let back = state.players[seat].chips[street.index()].replace(star);
    if street == state.street && state.stage == WindowStage::Taking && back != Some(star) {
        referee.tell(Happening::Took { seat, star, from, back });
        live::clear_oks(state);
    }
    Ok(())
}
