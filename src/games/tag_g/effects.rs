//! T8.2: the verbs of the cards, carried out.

use super::cards::{
    Amount, Card, Choice, Duration, Effect, Keyword, Moment, Target, Value, Verb, What, Whose,
};
use super::defeat;
use super::happening::{Happening, Why};
use super::options::SeatList;
use super::piles::{self, DAMAGE, RESENTMENT};
use super::state::{Cards, Permanent, Referee, State};
use super::things::{Aim, Influence, Lasting, Means, Thing, Unit, Until};
use super::values::Segment;
use crate::cards::deck::distinct;
use rules::Seat;

/// The things named for the choices of a card (T8.4).
pub(super) type Named = [Option<(Choice, Thing)>; 2];

/// The use of an effect: its user, its source, and what was named.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub user: Seat,
    pub by: Means,
    pub named: Named,
}

impl Use {
    /// A use without named targets.
    pub(super) fn plain(user: Seat, by: Means) -> Self {
        Self { user, by, named: [None; 2] }
    }

    fn named(&self, choice: Choice) -> Option<Thing> {
        let named = self.named.iter().flatten().find(|(of, _)| *of == choice);
        named.map(|(_, thing)| *thing)
    }
}

/// Carries out the effects of a card or permanent at a moment.
pub(super) fn happen(state: &mut State, by: Use, at: Moment, referee: &mut Referee<'_>) {
    for effect in by.by.card().at(at) {
        if state.is_living(by.user) {
            carry_out(state, by, effect, None, referee);
        }
    }
}

/// Carries an effect out, verb by verb.
pub(super) fn carry_out(
    state: &mut State,
    by: Use,
    effect: &Effect,
    mut segment: Option<&mut Segment>,
    referee: &mut Referee<'_>,
) {
    referee.cite("T8.3");
    for verb in &effect.does {
        if state.result.is_some() || state.players[by.user].defeated {
            return;
        }
        carry_out_verb(state, by, *verb, segment.as_deref_mut(), referee);
        sweep(state, referee);
        defeat::settle(state, referee);
    }
}

fn carry_out_verb(
    state: &mut State,
    by: Use,
    verb: Verb,
    segment: Option<&mut Segment>,
    referee: &mut Referee<'_>,
) {
    referee.cite("T8.2");
    if matches!(verb.on(), Target::One(_) | Target::All(_)) {
        referee.cite("T8.4");
        referee.cite("T5.6");
    }
    if !matches!(verb.amount(), None | Some(Amount::Number(_))) {
        referee.cite("T8.6");
    }
    let Use { user, by: source, .. } = by;
    if let (Verb::Modify { what: Value::Damage, by, on: Target::This, .. }, Means::Card(_)) =
        (verb, source)
    {
        // A change of this attack alone.
        if let Some(segment) = segment {
            segment.changes.push(by);
        }
        return;
    }
    if let Verb::Return { on } = verb {
        let Some(choice) = on.choice() else { return };
        if let Some(Thing::Card(card)) = by.named(choice) {
            take_back(state, user, card, choice.of, referee);
        }
        return;
    }
    for aim in aims(state, by, verb.on(), segment.as_deref()) {
        match (verb, aim) {
            (Verb::Damage { amount, .. }, _) => {
                referee.cite("T4.15");
                let (on, amount) = (aim, state.amount(user, amount).unwrap_or(u8::MAX));
                let cards = hurt(state, on, amount.into());
                let left = left(state, on);
                referee.tell(Happening::Damaged { on, amount, left, cards });
            }
            (Verb::Heal { amount, .. }, _) => {
                heal(state, aim, state.amount(user, amount), referee);
            }
            (Verb::Draw { amount, .. }, Aim::Character(seat)) => {
                let all = state.players[seat].stamina.len();
                let count = state.amount(user, amount).map_or(all, usize::from);
                piles::draw(state, seat, count, false, referee);
            }
            (Verb::Discard { amount, .. }, Aim::Character(seat)) => {
                let count = state.amount(user, amount).map_or(usize::MAX, usize::from);
                piles::discard_by_die(state, seat, count, Why::Effect, referee);
            }
            (Verb::Destroy { .. }, Aim::Unit(unit)) => destroy(state, unit, referee),
            (Verb::Resent { amount, until: None, .. }, Aim::Character(seat)) => {
                let count = state.amount(user, amount).unwrap_or(1).into();
                resent(state, seat, count, referee);
            }
            _ => last(state, user, aim, verb, referee),
        }
    }
}

/// T3.10: makes cards of stamina resentment.
pub(super) fn resent(state: &mut State, seat: Seat, count: usize, referee: &mut Referee<'_>) {
    referee.cite("T3.10");
    let cards = piles::move_stamina(state, seat, count, RESENTMENT);
    referee.tell(Happening::Resented { seat, cards, stamina: true });
}

/// T3.11: makes a change count for a while.
fn last(state: &mut State, user: Seat, on: Aim, verb: Verb, referee: &mut Referee<'_>) {
    let (Some(until), Some(is)) = (verb.until(), state.influence(user, verb)) else { return };
    let until = match until {
        Duration::Segment | Duration::InPlay => Until::Segment,
        Duration::Turn => Until::Turn,
        Duration::NextTurn => Until::TurnOf(user),
    };
    referee.cite("T8.5");
    state.lasting.push(Lasting { on, is, until });
    if !matches!(is, Influence::Reduce(_)) {
        referee.tell(Happening::Changed { on, is, until });
    }
}

/// The characters and permanents that a target means now.
fn aims(state: &State, by: Use, target: Target, segment: Option<&Segment>) -> Vec<Aim> {
    let attacker = |segment: &Segment| segment.attack.by.attacker(segment.user);
    let aims: Vec<Aim> = match target {
        Target::User => vec![Aim::Character(by.user)],
        Target::Partner => state.partners(by.user).into_iter().map(Aim::Character).collect(),
        Target::Attacked => segment.map(|segment| segment.on).into_iter().collect(),
        Target::Attacker => segment.map(attacker).into_iter().collect(),
        Target::Blocker => segment.and_then(|it| it.blocker).map(Aim::Unit).into_iter().collect(),
        Target::This => match by.by {
            Means::Unit(unit) => vec![Aim::Unit(unit)],
            Means::Card(_) => Vec::new(),
        },
        Target::One(choice) => by.named(choice).and_then(Thing::aim).into_iter().collect(),
        Target::All(choice) => all(state, by.user, choice),
    };
    aims.into_iter().filter(|aim| is_there(state, *aim)).collect()
}

/// True if a character is undefeated, or a permanent in play.
pub(super) fn is_there(state: &State, aim: Aim) -> bool {
    match aim {
        Aim::Character(seat) => state.is_living(seat),
        Aim::Unit(unit) => state.permanent(unit).is_some(),
    }
}

/// All characters or permanents that a choice means.
pub(super) fn all(state: &State, user: Seat, choice: Choice) -> Vec<Aim> {
    let characters = state.turn_order(user).into_iter().map(Aim::Character);
    let units = state.field.iter().map(|permanent| Aim::Unit(permanent.unit));
    characters.chain(units).filter(|aim| state.is_among(user, choice, *aim)).collect()
}

/// The things that a user can name for a choice.
pub(super) fn nameable(state: &State, user: Seat, choice: Choice) -> Vec<Thing> {
    if choice.what != What::Card {
        return all(state, user, choice).into_iter().map(Thing::Aim).collect();
    }
    let piles = piles_of(state, user, choice.of).into_iter();
    let cards = piles.flat_map(|seat| state.players[seat].discard.iter().copied().flatten());
    distinct(cards).into_iter().map(Thing::Card).collect()
}

/// The players whose discard piles are meant, the defeated among them (T6.3).
fn piles_of(state: &State, user: Seat, of: Whose) -> SeatList {
    state.players.seats().filter(|seat| state.is_of(user, of, *seat)).collect()
}

/// Takes a card of a discard pile into the user's hand, from the user's own if it is there.
fn take_back(state: &mut State, user: Seat, card: Card, of: Whose, referee: &mut Referee<'_>) {
    let mut piles = piles_of(state, user, of);
    piles.sort_by_key(|seat| *seat != user);
    for seat in piles {
        let pile = &mut state.players[seat].discard;
        if let Some(place) = pile.iter().rposition(|lying| *lying == Some(card)) {
            pile.remove(place);
            state.players[user].hand.push(Some(card));
            referee.tell(Happening::TookBack { seat: user, card, of: seat });
            return;
        }
    }
}

/// The stamina of a character, or the defence that is left to a summon.
pub(super) fn left(state: &State, aim: Aim) -> i16 {
    match aim {
        Aim::Character(seat) => {
            i16::try_from(state.players[seat].stamina.len()).unwrap_or(i16::MAX)
        }
        Aim::Unit(unit) => {
            let damage = state.permanent(unit).map_or(0, |permanent| permanent.damage);
            state.defence(unit).saturating_sub(i16::try_from(damage).unwrap_or(i16::MAX)).max(0)
        }
    }
}

/// T4.15: damages a character or summon, and returns the cards that stamina loses.
pub(super) fn hurt(state: &mut State, aim: Aim, amount: u16) -> Cards {
    match aim {
        Aim::Character(seat) => piles::move_stamina(state, seat, amount.into(), DAMAGE),
        Aim::Unit(unit) => {
            if let Some(permanent) = state.permanent_mut(unit) {
                permanent.damage = permanent.damage.saturating_add(amount);
            }
            Vec::new()
        }
    }
}

fn heal(state: &mut State, on: Aim, amount: Option<u8>, referee: &mut Referee<'_>) {
    referee.cite("T4.15");
    let mut cards = Vec::new();
    let amount = match on {
        Aim::Character(seat) => {
            cards = piles::heal(state, seat, amount.map_or(usize::MAX, usize::from));
            cards.len()
        }
        Aim::Unit(unit) => state.permanent_mut(unit).map_or(0, |permanent| {
            let most = amount.map_or(u16::MAX, u16::from);
            let healed = permanent.damage.min(most);
            permanent.damage -= healed;
            healed.into()
        }),
    };
    if amount > 0 {
        referee.tell(Happening::Healed { on, amount, cards });
    }
}

/// T3.5: the equipment in the slot of a card at its wearer. `None` for a card without a slot.
pub(super) fn in_the_way(state: &State, wearer: Seat, card: Card) -> Option<Unit> {
    let slot = card.slot()?;
    let mut worn = state.field.iter().filter(|permanent| permanent.worn_by == Some(wearer));
    worn.find(|permanent| permanent.unit.card.slot() == Some(slot)).map(|permanent| permanent.unit)
}

/// T4.16: destroys a permanent. The card goes to its owner's discard pile, or by 再生 on top of the damage pile
/// (T10.2); its effects then count for its controller.
pub(super) fn destroy(state: &mut State, unit: Unit, referee: &mut Referee<'_>) {
    let Some(permanent) = piles::take_off(state, unit) else { return };
    let Permanent { owner, controller, .. } = permanent;
    let damage = unit.card.has(Keyword::Regeneration);
    let player = &mut state.players[owner];
    let gone = damage && player.defeated;
    match (damage, gone) {
        (_, true) => player.gone.push(Some(unit.card)),
        (true, false) => player.damage.push(Some(unit.card)),
        (false, false) => player.discard.push(Some(unit.card)),
    }
    referee.cite("T4.16");
    if damage {
        referee.cite("T10.2");
    }
    referee.tell(Happening::Destroyed { unit, owner, damage: damage && !gone, gone });
    happen(state, Use::plain(controller, Means::Unit(unit)), Moment::Destroyed, referee);
}

/// T4.15: destroys the summons whose damage has reached their defence.
pub(super) fn sweep(state: &mut State, referee: &mut Referee<'_>) {
    let is_broken = |permanent: &Permanent| {
        let defence = state.defence(permanent.unit);
        permanent.unit.is_summon() && i32::from(permanent.damage) >= defence.into()
    };
    let broken = state.field.iter().filter(|permanent| is_broken(permanent));
    let broken: Vec<Unit> = broken.map(|permanent| permanent.unit).collect();
    for unit in broken {
        destroy(state, unit, referee);
    }
}
