//! E1: components and setup.

use arrayvec::ArrayVec;

use super::cards::{Budgets, Family};
use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Referee, State};
use rules::{Ask, Key, Label, Play, Seat};

/// E1.3: shuffles the decks; E1.4: deals the hands; E1.6: throws for the order.
pub(super) fn setup(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    state.turn = 1;
    for clause in ["E1.1", "E1.2", "E1.3"] {
        referee.cite(clause);
    }
    shuffle(state, referee);
    let seats: ArrayVec<Seat, 8> = state.players.seats().collect();
    for &seat in &seats {
        deal(state, seat, referee);
    }
    deal_roles(state, &seats, referee)?;
    for &seat in &seats {
        settle(state, seat);
    }
    state.order = order(&seats, referee);
    referee.tell(Happening::Ordered { order: state.order.clone() });
    Ok(())
}

/// E1.3: shuffles the unknown part of each deck. Before the deal this is the whole deck.
pub(super) fn shuffle(state: &mut State, referee: &mut Referee<'_>) {
    for family in Family::ALL {
        let label = Label::table(Key::new("deck", family.word()));
        let deck = &mut state.roles[family.index()];
        let unknown = deck.len() - usize::from(state.known.roles[family.index()]);
        referee.shuffle(&label, &mut deck[..unknown]);
    }
    let unknown = state.events.len() - usize::from(state.known.events);
    referee.shuffle(&Label::table(Key::new("deck", "event")), &mut state.events[..unknown]);
}

/// E1.4: deals budget and events.
fn deal(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let hand = &EDITION.hand;
    let budgets = Budgets { small: hand.small, medium: hand.medium, large: hand.large };
    state.supply.subtract(budgets);
    state.players[seat].budgets.add(budgets);
    let events = (0..hand.events).filter_map(|_| state.draw_event(seat)).collect();
    referee.cite("E1.4");
    referee.tell(Happening::Dealt { seat, budgets, events });
}

/// E1.4: throws a die for the family of each role. E1.5: players who threw the choice are asked, all
/// together.
fn deal_roles(state: &mut State, seats: &[Seat], referee: &mut Referee<'_>) -> Play<()> {
    let hand = &EDITION.hand;
    let sides = u32::try_from(hand.die.len()).expect("six");
    let mut choosers: ArrayVec<(Seat, u8), 16> = ArrayVec::new();
    for &seat in seats {
        for number in 1..=hand.roles {
            let label = Label::of(seat, Key::new("setup", "die").nth(number));
            // The deal is never interviewed, so the throw has a result.
            let Some(die) = referee.throw(&label, sides) else { continue };
            let family = hand.die[die as usize - 1].family();
            referee.tell(Happening::Threw { seat, die, family });
            match family {
                Some(family) => deal_role(state, seat, family, referee),
                None => choosers.push((seat, number)),
            }
        }
    }
    let is_asked = |seat: &Seat| choosers.iter().any(|(chooser, _)| chooser == seat);
    let asked = seats.iter().copied().filter(is_asked);
    let choices = referee.together(state, asked, |seen, seat, referee| {
        let mut families: ArrayVec<Family, 4> = ArrayVec::new();
        for (_, number) in choosers.iter().filter(|(chooser, _)| *chooser == seat) {
            let ask = Ask::new(Key::new("setup", "family").nth(*number), "E1.5");
            families.extend(referee.choose(seat, &ask, &seen.families())?);
        }
        Ok(families)
    })?;
    for (seat, families) in choices {
        for family in families {
            deal_role(state, seat, family, referee);
        }
    }
    Ok(())
}

fn deal_role(state: &mut State, seat: Seat, family: Family, referee: &mut Referee<'_>) {
    if let Some(card) = state.draw_role(seat, family) {
        referee.tell(Happening::DealtRole { seat, family, card });
    }
}

/// Makes all dealt cards nameable.
fn settle(state: &mut State, seat: Seat) {
    state.players[seat].roles.settle();
    state.players[seat].events.settle();
}

/// E1.6: the turn order, the highest die first; equal dice throw again among themselves.
fn order(seats: &[Seat], referee: &mut Referee<'_>) -> ArrayVec<Seat, 8> {
    referee.cite("E1.6");
    let mut order = ArrayVec::new();
    throw_for_order(seats, 1, &mut order, referee);
    order
}

/// The number of throws after which a tie stays in the order of the seats.
const THROWS: u8 = 100;

fn throw_for_order(
    tied: &[Seat],
    throw: u8,
    order: &mut ArrayVec<Seat, 8>,
    referee: &mut Referee<'_>,
) {
    if tied.len() < 2 || throw == THROWS {
        order.extend(tied.iter().copied());
        return;
    }
    let mut dice: ArrayVec<(u32, Seat), 8> = ArrayVec::new();
    for &seat in tied {
        let label = Label::of(seat, Key::new("setup", "order").nth(throw));
        let thrown = referee.throw(&label, 6).unwrap_or(1);
        referee.tell(Happening::ThrewForOrder { seat, die: thrown });
        dice.push((thrown, seat));
    }
    for die in (1..=6).rev() {
        let equal: ArrayVec<Seat, 8> =
            dice.iter().filter(|(thrown, _)| *thrown == die).map(|(_, seat)| *seat).collect();
        throw_for_order(&equal, throw + 1, order, referee);
    }
}
