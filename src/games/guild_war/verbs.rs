//! W12: the verbs of the cards, each a function of its clause.

use super::effects::{Duration, Effect};
use super::happening::Happening;
use super::set::Card;
use super::state::{Modifier, Moment, Referee, State};
use rules::{Key, Label, Seat};

/// The user of a card, and the step of its use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub by: Seat,
    pub now: Moment,
}

impl Source {
    /// The last step of an effect (W7.8).
    fn until(self, duration: Duration) -> Moment {
        match duration {
            Duration::Step => self.now,
            Duration::Frame => self.now.of_next_frame(),
        }
    }
}

/// Applies one verb to one character. Attacks are pooled by the resolution instead.
pub(super) fn apply(
    state: &mut State,
    source: Source,
    seat: Seat,
    effect: &Effect,
    referee: &mut Referee<'_>,
) {
    let character = &mut state.characters[seat];
    match *effect {
        Effect::Attack(_) => {}
        Effect::Modify { stat, amount, until: lasts } => {
            referee.cite("W12.2");
            let until = source.until(lasts);
            character.modifiers.push(Modifier { stat, amount, until });
            let step = lasts == Duration::Step;
            referee.cite("W7.8");
            referee.tell(Happening::Modified { seat, stat, amount, until, step });
        }
        Effect::Heal { cards } => heal(state, seat, cards, referee),
        Effect::Draw { cards } => {
            referee.cite("W12.4");
            draw(state, seat, cards.into(), referee);
        }
        Effect::Discard { cards } => discard(state, source, seat, cards, referee),
        Effect::Disable { until } => {
            referee.cite("W12.6");
            let until = source.until(until);
            character.disabled = character.disabled.max(Some(until));
            referee.tell(Happening::Disabled { seat, until });
        }
        Effect::Hide { until } => {
            referee.cite("W12.7");
            let until = source.until(until);
            character.hidden = character.hidden.max(Some(until));
            referee.tell(Happening::Hid { seat, until });
        }
        Effect::Cover => {
            referee.cite("W12.8");
            referee.tell(Happening::Covered { seat, by: source.by });
        }
        Effect::Break => break_gear(state, source, seat, referee),
        Effect::Poison { rests } => {
            referee.cite("W12.10");
            character.poison.push(rests);
            referee.tell(Happening::Poisoned { seat, rests });
        }
        Effect::Cleanse => {
            referee.cite("W12.11");
            character.disabled = None;
            character.poison.clear();
            character.modifiers.retain(|modifier| modifier.amount > 0);
            referee.tell(Happening::Cleansed { seat });
        }
    }
}

/// W12.3: lays cards from the top of the deck as HP, up to VIT.
fn heal(state: &mut State, seat: Seat, cards: u8, referee: &mut Referee<'_>) {
    referee.cite("W12.3");
    let character = &mut state.characters[seat];
    let mut count = 0;
    while count < cards && character.hp.len() < character.vit() {
        let Some(card) = character.deck.pop() else { break };
        character.hp.push(card);
        count += 1;
    }
    referee.tell(Happening::Healed { seat, count });
}

/// Draws this number of cards, or as many as the deck has.
pub(super) fn draw(state: &mut State, seat: Seat, count: usize, referee: &mut Referee<'_>) {
    let character = &mut state.characters[seat];
    let left = character.deck.len().saturating_sub(count);
    let cards: Vec<Option<Card>> = character.deck.drain(left..).rev().collect();
    character.hand.extend(&cards);
    if !cards.is_empty() {
        referee.tell(Happening::Drew { seat, cards });
    }
}

/// W12.5: discards cards of the hand by die.
fn discard(state: &mut State, source: Source, seat: Seat, cards: u8, referee: &mut Referee<'_>) {
    referee.cite("W12.5");
    let mut lost = Vec::new();
    for nth in 0..cards {
        let held = state.characters[seat].sorted_hand();
        let label = label(source, seat, "discard", nth);
        if let Some(card) = by_die(&label, &held, referee) {
            state.characters[seat].throw_away(card);
            lost.push(card);
        }
    }
    if !lost.is_empty() {
        referee.tell(Happening::LostCards { seat, cards: lost });
    }
}

/// W12.9: discards a piece of equipment by die.
fn break_gear(state: &mut State, source: Source, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("W12.9");
    let gear = state.characters[seat].gear.iter().copied();
    let pieces: Vec<Card> = gear.filter(|card| card.equipment().is_some()).collect();
    if let Some(card) = by_die(&label(source, seat, "break", 0), &pieces, referee) {
        state.characters[seat].take_off(card);
        referee.tell(Happening::Broke { seat, card });
    }
}

/// The label of a verb's die, unique for each user, target and card.
fn label(source: Source, seat: Seat, name: &'static str, nth: u8) -> Label {
    let by = u8::from(source.by) * 16;
    Label::of(seat, Key::new("effect", name).nth(by.saturating_add(nth) + 1))
}

/// `None` if the list is empty; otherwise an element chosen by die; a single one without a throw.
pub(super) fn by_die<T: Copy>(label: &Label, among: &[T], referee: &mut Referee<'_>) -> Option<T> {
    let sides = u32::try_from(among.len()).ok()?;
    match sides {
        0 => None,
        1 => among.first().copied(),
        _ => {
            let shown = referee.throw(label, sides)?;
            among.get(shown as usize - 1).copied()
        }
    }
}
