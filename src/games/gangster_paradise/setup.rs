//! P1: cards and setup.

use super::cards::{Card, Category, Life};
use super::edition::EDITION;
use super::hands::{gain, turn_up};
use super::happening::Happening;
use super::state::{CurrentTurn, Player, Referee, State, WindowStage};
use rules::{Key, Label, Play};

/// Deals the first game of the set.
#[expect(clippy::unnecessary_wraps, reason = "other games ask in their setup")]
pub(super) fn setup(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    deal(state, referee);
    Ok(())
}

/// P1.2: deals a game of the set, up to the question of who begins (P1.3).
pub(super) fn deal(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("P1.1");
    referee.cite("P1.2");
    let seats = state.players.seats();
    let lives = lives(seats.len(), referee);
    let mut pools = pools(seats.len(), referee);
    state.deck = deck(state.options.unused_to_deck.is_on(), &mut pools, seats.len());
    shuffle(&mut state.deck, "deck", referee);
    (state.round, state.turn, state.chain) = (1, CurrentTurn::default(), None);
    state.field.clear();
    for (seat, life) in seats.zip(lives) {
        let points = state.players[seat].points;
        state.players[seat] = Player { points, ..Player::default() };
        gain(state, seat, Some(life.card()));
        for card in pools.iter_mut().filter_map(Vec::pop) {
            gain(state, seat, Some(card));
        }
        // PORNO is not dealt at random: its back is known.
        let random = state.deck.iter().rposition(|card| card.is_some_and(|card| !card.is_marked()));
        if let Some(card) = random.and_then(|place| state.deck.remove(place)) {
            gain(state, seat, Some(card));
        }
    }
    lay_field(state);
    add_legends(state, referee);
    state.stage = WindowStage::Opening;
    let (cards, deck) = (state.field.clone(), state.deck.len());
    referee.tell(Happening::GameBegan { game: state.game, cards, deck });
    for (seat, player) in state.players.iter() {
        let cards = player.hand.clone();
        referee.tell(Happening::Dealt { seat, cards });
    }
}

fn shuffle<T>(cards: &mut [T], name: &'static str, referee: &mut Referee<'_>) {
    referee.shuffle(&Label::table(Key::new("deal", name)), cards);
}

/// P1.2: RED, BLUE and BLACK, and one other life for each further player.
fn lives(seats: usize, referee: &mut Referee<'_>) -> Vec<Life> {
    let mut others = [Life::Red, Life::Blue, Life::Purple, Life::Gray];
    shuffle(&mut others, "sides", referee);
    let mut lives = vec![Life::Red, Life::Blue, Life::Black];
    lives.extend(&others[..seats - lives.len()]);
    shuffle(&mut lives, "lives", referee);
    lives
}

/// P1.2: the pools of the opening hands, one card of each pool for each hand.
fn pools(seats: usize, referee: &mut Referee<'_>) -> [Vec<Card>; 5] {
    let of = |category: Category| -> Vec<Card> {
        let cards = Card::ALL.iter().filter(|card| card.is_of(category) && **card != Card::Bullet);
        cards.flat_map(|card| std::iter::repeat_n(*card, card.printed().hand)).collect()
    };
    let mut bullets = vec![Card::Bullet; seats - 1];
    bullets.push(Card::TheBoss);
    shuffle(&mut bullets, "bullets", referee);
    let (mut specialists, mut weapons) = (of(Category::Specialist), of(Category::Weapon));
    shuffle(&mut specialists, "specialists", referee);
    shuffle(&mut weapons, "weapons", referee);
    [of(Category::Gangster), of(Category::Money), bullets, specialists, weapons]
}

/// P1.2: the deck before the last card of the hands is dealt. Surplus cards are removed from the pools.
fn deck(unused: bool, pools: &mut [Vec<Card>; 5], seats: usize) -> Vec<Option<Card>> {
    let mut deck = Vec::new();
    for card in Card::ALL.iter().filter(|card| !card.is_life()) {
        let printed = card.printed();
        if !printed.legend {
            let rest = printed.copies - printed.hand - printed.field;
            deck.extend(std::iter::repeat_n(Some(*card), rest));
        }
    }
    for pool in pools {
        let left = pool.split_off(seats);
        let returns = |card: &Card| {
            unused || card.is_of(Category::Specialist) || card.is_of(Category::Weapon)
        };
        deck.extend(left.into_iter().filter(returns).map(Some));
    }
    if unused {
        let bullets = Card::Bullet.printed().hand + 1 - seats;
        deck.extend(std::iter::repeat_n(Some(Card::Bullet), bullets));
    }
    deck
}

/// P1.2: lays SPY, TRICKSTER and the cards turned up from the deck.
fn lay_field(state: &mut State) {
    for card in Card::ALL {
        state.field.extend(std::iter::repeat_n(*card, card.printed().field));
    }
    turn_up(state, EDITION.setup.turned_up);
}

/// P1.2: adds the random LEGEND cards to the deck.
fn add_legends(state: &mut State, referee: &mut Referee<'_>) {
    let legends = Card::ALL.iter().filter(|card| card.printed().legend);
    let mut legends: Vec<Option<Card>> = legends.map(|card| Some(*card)).collect();
    shuffle(&mut legends, "legends", referee);
    legends.truncate(state.options.legends.get());
    state.deck.extend(legends);
    shuffle(&mut state.deck, "whole-deck", referee);
}

/// Shuffles the unknown cards of the deck. PORNO stays in its place, because its back is known at the top
/// (P9.6).
pub(super) fn reshuffle(state: &mut State, referee: &mut Referee<'_>) {
    let is_unknown = |card: &Option<Card>| card.is_none_or(|card| !card.is_marked());
    let mut unknown: Vec<Option<Card>> = state.deck.iter().copied().filter(is_unknown).collect();
    shuffle(&mut unknown, "deck", referee);
    let mut unknown = unknown.into_iter();
    for card in state.deck.iter_mut().filter(|card| is_unknown(card)) {
        *card = unknown.next().flatten();
    }
}
