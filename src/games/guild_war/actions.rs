//! W5 and W6: actions in a step, and in response to one.

use super::deeds::{Action, Deed};
use super::set::{Card, CardKind, Line, Scope};
use super::state::{Guild, Referee, SeatList, State};
use rules::{Ask, Bar, Key, Play, Seat};

/// The occasion on which a card is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The step of the own guild (W5.3).
    Step,
    /// The step of the opponents (W6.1).
    Response,
    /// The rest (W8.1).
    Rest,
}

impl Occasion {
    fn section(self) -> &'static str {
        match self {
            Self::Step => "use",
            Self::Response => "respond",
            Self::Rest => "rest",
        }
    }

    fn clause(self) -> &'static str {
        match self {
            Self::Step => "W5.3",
            Self::Response => "W6.1",
            Self::Rest => "W8.1",
        }
    }
}

/// The reason that keeps a card from being used, and its clause.
type Hindrance = (&'static str, &'static str);

/// The characters that a card can be used on.
pub(super) fn targets(state: &State, seat: Seat, scope: Scope) -> SeatList {
    let guild = Guild::of(seat);
    match scope {
        Scope::OneEnemy => aims(state, seat),
        Scope::AllEnemies => state.standing(guild.other()),
        Scope::OneAlly | Scope::Party => state.standing(guild),
        Scope::Oneself => std::iter::once(seat).collect(),
    }
}

/// W12.7: the opponents whom an attack on a single target reaches.
fn aims(state: &State, seat: Seat) -> SeatList {
    let mut foes = state.standing(Guild::of(seat).other());
    foes.retain(|foe| !state.is_hidden(*foe));
    foes
}

/// The reason that keeps a held or set card from being used.
fn hindrance(state: &State, seat: Seat, card: Card, when: Occasion) -> Option<Hindrance> {
    let character = &state.characters[seat];
    let usable = match card.kind() {
        CardKind::Skill(usable) if usable.line == character.line.map(Line::place) => usable,
        CardKind::Skill(_) => return Some(("other-line", "W11.6")),
        CardKind::Item(usable) if character.gear.contains(&card) => usable,
        CardKind::Item(_) => return Some(("not-set", "W5.3")),
        CardKind::Character { .. } | CardKind::Equipment(_) => return Some(("no-skill", "W5.3")),
    };
    if usable.frame > state.frame {
        return Some(("too-early", "W5.3"));
    }
    match when {
        Occasion::Response if !usable.scope.responds() => Some(("wrong-scope", "W6.1")),
        Occasion::Rest if !usable.rest => Some(("not-at-rest", "W8.1")),
        _ if targets(state, seat, usable.scope).is_empty() => Some(("no-target", "W5.3")),
        _ => None,
    }
}

/// The cards that can be used, in the order of the set (W11.7), and those that cannot, with the reason.
fn cards(state: &State, seat: Seat, when: Occasion) -> (Vec<Card>, Vec<Bar<Deed>>) {
    let character = &state.characters[seat];
    let mut held: Vec<Card> = character.cards().collect();
    held.extend(character.gear.iter().filter(|card| card.is_item()));
    held.sort_unstable();
    held.dedup();
    let (mut free, mut bars) = (Vec::new(), Vec::new());
    for card in held {
        match hindrance(state, seat, card, when) {
            None => free.push(card),
            Some((why, clause)) => bars.push(Bar { option: Deed::Card(card), why, clause }),
        }
    }
    (free, bars)
}

/// The cards that can be used, in the order of the set (W11.7).
pub(super) fn usable(state: &State, seat: Seat, when: Occasion) -> Vec<Card> {
    cards(state, seat, when).0
}

/// W5.4: true if a normal attack can be made, with a weapon or with a card to discard.
pub(super) fn may_attack(state: &State, seat: Seat) -> bool {
    let character = &state.characters[seat];
    let has_means = character.weapon().is_some() || !character.hand.is_empty();
    has_means && !aims(state, seat).is_empty()
}

/// The reason that keeps a character from a normal attack (W5.4).
fn no_normal_attack(state: &State, seat: Seat, when: Occasion) -> Option<Hindrance> {
    match when {
        Occasion::Response => Some(("wrong-scope", "W6.1")),
        Occasion::Rest => Some(("not-at-rest", "W8.1")),
        Occasion::Step if aims(state, seat).is_empty() => Some(("no-target", "W5.3")),
        Occasion::Step if may_attack(state, seat) => None,
        Occasion::Step => Some(("no-means", "W5.4")),
    }
}

/// Asks for the action of a character; `None` if it is left out.
pub(super) fn ask(
    state: &State,
    seat: Seat,
    when: Occasion,
    referee: &mut Referee<'_>,
) -> Play<Option<Action>> {
    let key = Key::new(when.section(), "card");
    let (cards, mut bars) = cards(state, seat, when);
    let mut deeds: Vec<Deed> = cards.into_iter().map(Deed::Card).collect();
    match no_normal_attack(state, seat, when) {
        None => deeds.push(Deed::Normal),
        Some((why, clause)) => bars.push(Bar { option: Deed::Normal, why, clause }),
    }
    let question = Ask::new(key.clone(), when.clause()).or_nothing();
    let Some(deed) = referee.choose_barring(seat, &question, &deeds, &bars)? else {
        return Ok(None);
    };
    let scope = match deed {
        Deed::Normal => Scope::OneEnemy,
        Deed::Card(card) => card.usable().map_or(Scope::Oneself, |usable| usable.scope),
    };
    let target = if scope.is_single() {
        let question = Ask::new(key.named("target"), "W9.2");
        referee.choose(seat, &question, &targets(state, seat, scope))?
    } else {
        None
    };
    let discarded = discarded(state, seat, deed, &key, referee)?;
    Ok(Some(Action { deed, target, discarded }))
}

/// W5.4: asks for the card that a normal attack without a weapon discards.
fn discarded(
    state: &State,
    seat: Seat,
    deed: Deed,
    key: &Key,
    referee: &mut Referee<'_>,
) -> Play<Option<Card>> {
    let character = &state.characters[seat];
    if deed != Deed::Normal || character.weapon().is_some() {
        return Ok(None);
    }
    referee.choose(seat, &Ask::new(key.named("discard"), "W5.4"), &character.sorted_hand())
}

/// W5.5: spends the cards that an action uses up.
pub(super) fn spend(state: &mut State, seat: Seat, action: Action) {
    let character = &mut state.characters[seat];
    if let Deed::Card(card) = action.deed {
        let is_consumed = card.usable().is_none_or(|usable| usable.consumed);
        if is_consumed && card.is_item() {
            character.take_off(card);
        } else if is_consumed {
            character.throw_away(card);
        }
    }
    if let Some(card) = action.discarded {
        character.throw_away(card);
    }
}
