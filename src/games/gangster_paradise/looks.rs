//! The effects of specialists without damage: peeks, steals, and effects on the field.

use super::cards::{Card, Life};
use super::chain::{
    AnnouncedAct, ChainStep, ChoiceKind, DamageUnit, Effect, Pause, PrivateChoice, Way,
};
use super::damage::lose_life;
use super::edition::EDITION;
use super::hands::{
    beauty_takes, discard, gain_openly, lose, money_of, pass, pick_up, random, reacts,
    take_off_field,
};
use super::happening::Happening;
use super::state::{Referee, State, WindowStage};
use rules::Seat;

/// P0: true if TRICKSTER cancels the peek of a SPECIALIST of cost 1, and takes the card. The first TRICKSTER
/// in turn order from the user counts.
pub(super) fn is_tricked(
    state: &mut State,
    act: &AnnouncedAct,
    card: Card,
    referee: &mut Referee<'_>,
) -> bool {
    if !matches!(card, Card::Spy | Card::Police | Card::Journalist) {
        return false;
    }
    let tricks = |seat: &Seat| {
        let player = &state.players[*seat];
        *seat != act.by
            && reacts(state, *seat)
            && player.answers.uses(Card::Trickster)
            && player.holds(Card::Trickster)
    };
    let Some(seat) = state.from(act.by).into_iter().find(tricks) else { return false };
    referee.cite("P4.3");
    referee.tell(Happening::Reacted { seat, card: Card::Trickster, on: Some(act.by) });
    if beauty_takes(state, seat, Card::Trickster, referee) {
        return false;
    }
    discard(state, seat, Card::Trickster);
    lose(state, act.by, card);
    gain_openly(state, seat, card);
    referee.tell(Happening::TookCard { seat, from: act.by, card });
    true
}

/// P0: shows random cards of a hand to the user only. A GRAY or PURPLE player whose life is seen dies (P6.8).
pub(super) fn peek(
    state: &mut State,
    by: Seat,
    on: Seat,
    count: usize,
    referee: &mut Referee<'_>,
) -> Vec<Card> {
    let seen = random(state, on, count, |_| true, referee);
    state.players[on].known.see(by, &seen);
    referee.cite("P9.9");
    let cards = seen.iter().copied().map(Some).collect();
    referee.tell(Happening::Peeked { seat: by, on, cards });
    if let Some(life) = seen.iter().find_map(|card| card.life()).filter(|life| life.is_shy()) {
        referee.cite("P6.8");
        if dies_when_seen(state, by, life, referee) {
            lose_life(state, on, None, referee);
        }
    }
    seen
}

/// P6.8: true if GRAY or PURPLE dies when this player sees the life.
fn dies_when_seen(state: &State, by: Seat, life: Life, referee: &mut Referee<'_>) -> bool {
    let viewer = &state.players[by];
    if viewer.answers.overlooks && viewer.life() == Some(Life::Black) && life == Life::Gray {
        referee.cite("P9.18");
        return false;
    }
    state.round > 1 || state.options.exposure_in_round_1.is_on()
}

/// P3.4: asks a player in private about the seen cards, whatever they are.
pub(super) fn ask(
    state: &mut State,
    of: Seat,
    on: Seat,
    what: ChoiceKind,
    seen: Vec<Card>,
    referee: &mut Referee<'_>,
) -> Pause {
    if seen.is_empty() {
        return Pause::GoesOn;
    }
    let seen = seen.into_iter().map(Some).collect();
    referee.cite("P3.4");
    referee.tell(Happening::IsToChoose { seat: of, what });
    state.stage = WindowStage::Choice(PrivateChoice { of, on, what, count: 1, seen });
    Pause::Asks
}

/// Resolves the card's peek, and its effect on the seen cards.
pub(super) fn look(state: &mut State, count: u8, referee: &mut Referee<'_>) -> Pause {
    let Some((by, on, card, way)) = used(state) else { return Pause::GoesOn };
    let seen = peek(state, by, on, count.into(), referee);
    match card {
        Card::Spy if way == Some(Way::Take) => ask(state, by, on, ChoiceKind::Take, seen, referee),
        Card::Journalist => {
            if seen.iter().any(|card| card.is_life() && !is_seizable(state, on, *card)) {
                // A life without a record cannot be published.
                referee.cite("P9.18");
            }
            ask(state, by, on, ChoiceKind::Publish, seen, referee)
        }
        Card::Police => {
            seize(state, by, on, &seen, referee);
            Pause::GoesOn
        }
        _ => Pause::GoesOn,
    }
}

/// `None` without a target and a card; otherwise the user, the target, the card and the way of the act.
fn used(state: &State) -> Option<(Seat, Seat, Card, Option<Way>)> {
    let act = &state.chain.as_ref()?.act;
    Some((act.by, act.on?, act.card?, act.way))
}

/// P9.2: true if a found card may be seized: a life only under a record.
pub(super) fn is_seizable(state: &State, on: Seat, card: Card) -> bool {
    if card.is_life() {
        let record = |card: &Card| matches!(card, Card::Drug | Card::TheEndorser);
        // P9.18
        return state.players[on].front.iter().any(record) && !state.is_truce();
    }
    card.printed().seizable
}

/// POLICE: discards the seen cards that may be seized; a seized life is lost (P9.2).
fn seize(state: &mut State, by: Seat, on: Seat, seen: &[Card], referee: &mut Referee<'_>) {
    referee.cite("P9.2");
    if state.is_truce() && seen.iter().any(|card| card.is_life()) {
        // A life is not seized in a truce.
        referee.cite("P2.3");
        referee.cite("P9.18");
    }
    let found: Vec<Card> =
        seen.iter().copied().filter(|card| is_seizable(state, on, *card)).collect();
    for card in found {
        referee.tell(Happening::Seized { seat: by, on, card });
        if card.is_life() {
            lose_life(state, on, None, referee);
        } else {
            discard(state, on, card);
        }
    }
}

/// Steals random cards, never the life; NEGOTIATOR gives cards back.
pub(super) fn steal(state: &mut State, count: u8, referee: &mut Referee<'_>) -> Pause {
    let Some((by, on, card, _)) = used(state) else { return Pause::GoesOn };
    if card == Card::Phantom {
        // The cards in the hand are counted as the effect begins.
        referee.cite("P9.12");
        if state.players[on].hand.len() < EDITION.effect.many_cards {
            referee.tell(Happening::CameToNothing { seat: by, card });
            return Pause::GoesOn;
        }
    }
    let cards = random(state, on, count.into(), |card| !card.is_life(), referee);
    for card in &cards {
        pass(state, on, by, *card);
    }
    let stolen = cards.len();
    let cards = cards.into_iter().map(Some).collect();
    referee.tell(Happening::Stole { seat: by, on, cards });
    if card == Card::Negotiator && stolen > 0 {
        return give(state, by, on, referee);
    }
    Pause::GoesOn
}

/// NEGOTIATOR gives two cards, but no life (P9.2). Nothing is asked if the hand has no more.
fn give(state: &mut State, by: Seat, on: Seat, referee: &mut Referee<'_>) -> Pause {
    let cards: Vec<Card> = state.players[by].cards().filter(|card| !card.is_life()).collect();
    let count = 2;
    if cards.len() > usize::from(count) {
        let what = ChoiceKind::Give;
        referee.tell(Happening::IsToChoose { seat: by, what });
        state.stage =
            WindowStage::Choice(PrivateChoice { of: by, on, what, count, seen: Vec::new() });
        return Pause::Asks;
    }
    hand_over(state, by, on, &cards, referee);
    Pause::GoesOn
}

/// Moves cards from one hand into another, seen by the two players only.
pub(super) fn hand_over(
    state: &mut State,
    by: Seat,
    to: Seat,
    cards: &[Card],
    referee: &mut Referee<'_>,
) {
    for card in cards {
        pass(state, by, to, *card);
    }
    let cards = cards.iter().copied().map(Some).collect();
    referee.tell(Happening::Gave { seat: by, to, cards });
}

/// Resolves HUSTLER, GUNSMITH and THE DON.
pub(super) fn work_on_field(state: &mut State, referee: &mut Referee<'_>) {
    let Some(act) = state.chain.as_ref().map(|chain| chain.act.clone()) else { return };
    let (by, Some(card)) = (act.by, act.card) else { return };
    match (card, act.item, act.on) {
        (Card::Hustler, item, _) => hustle(state, by, item, referee),
        (Card::Gunsmith, Some(item), _) => smith(state, by, item, referee),
        (Card::TheDon, Some(item), Some(to)) if take_off_field(state, item) => {
            referee.cite("P6.7");
            gain_openly(state, to, item);
            referee.tell(Happening::GaveFromField { seat: by, to, card: item });
        }
        _ => referee.tell(Happening::CameToNothing { seat: by, card }),
    }
}

/// HUSTLER picks up a MONEY CARD, and may sell the named WEAPON (P7.5).
fn hustle(state: &mut State, by: Seat, item: Option<Card>, referee: &mut Referee<'_>) {
    let named = state.players[by].answers.money;
    let money = money_of(&state.field, named);
    let cards: Vec<Card> = money.into_iter().filter(|card| pick_up(state, by, *card)).collect();
    referee.tell(Happening::PickedUp { seat: by, card: Card::Hustler, cards });
    if let Some(card) = item.filter(|item| state.players[by].holds(*item)) {
        referee.cite("P7.5");
        sell(state, by, card, named.as_slice(), referee);
    }
}

/// P2.2, P9.3: sells a WEAPON for the MONEY CARDS of its cost, or as many as there are, the named ones first.
pub(super) fn sell(
    state: &mut State,
    by: Seat,
    card: Card,
    named: &[Card],
    referee: &mut Referee<'_>,
) {
    let mut got = Vec::new();
    let mut named = named.iter().copied();
    for _ in 0..card.printed().cost.unwrap_or(0) {
        let money = money_of(&state.field, named.next());
        got.extend(money.filter(|money| pick_up(state, by, *money)));
    }
    referee.cite("P9.3");
    discard(state, by, card);
    referee.tell(Happening::Sold { seat: by, card, got });
}

/// GUNSMITH picks up a WEAPON, and pays its cost above 1.
fn smith(state: &mut State, by: Seat, item: Card, referee: &mut Referee<'_>) {
    let cost = usize::from(item.printed().cost.unwrap_or(0).saturating_sub(1));
    let player = &state.players[by];
    let mut money: Vec<Card> = player.cards().filter(|card| card.is_money()).collect();
    money.sort_by_key(|card| Some(*card) != player.answers.money);
    if money.len() < cost || !pick_up(state, by, item) {
        return referee.tell(Happening::CameToNothing { seat: by, card: Card::Gunsmith });
    }
    let paid: Vec<Card> = money.into_iter().take(cost).collect();
    for card in &paid {
        discard(state, by, *card);
    }
    referee.tell(Happening::Bought { seat: by, card: item, paid });
}

/// Makes cards public; JOURNALIST deals a discard for each one that may be seized (P9.2).
pub(super) fn publish(
    state: &mut State,
    by: Seat,
    on: Seat,
    cards: &[Card],
    referee: &mut Referee<'_>,
) {
    if cards.is_empty() {
        return;
    }
    referee.tell(Happening::Published { seat: by, on, cards: cards.to_vec() });
    state.players[on].known.show(cards);
    let mut seized = 0;
    for card in cards {
        if is_seizable(state, on, *card) {
            referee.cite("P9.2");
            referee.tell(Happening::Seized { seat: by, on, card: *card });
            seized += 1;
        }
    }
    // P9.18
    if state.is_truce() {
        return;
    }
    let (effect, card) = (Effect::Discard, Card::Journalist);
    let unit = DamageUnit { by, on, effect, count: 1, card, number: None };
    let units = std::iter::repeat_n(ChainStep::Damage(unit), seized);
    let after =
        if seized > 0 { vec![ChainStep::Torture { by }, ChainStep::Blast] } else { Vec::new() };
    if let Some(chain) = &mut state.chain {
        chain.put_first(units.chain(after).collect::<Vec<_>>());
    }
}
