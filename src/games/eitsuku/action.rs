//! E3.2 and E5: the action phase. First 方針転換, then the placements in the order written.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use super::cards::{EventCard, Family, Slot};
use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Laid, Placed, Player, Referee, State};
use rules::{Ask, Bar, Key, Piece, Play, Seat};

/// Phase 2, the action of the seat.
pub(super) fn action(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let usable = state.players[seat]
        .laid
        .iter()
        .filter(|laid| laid.card == EventCard::Turnaround && laid.turn < state.turn)
        .count();
    for number in 1..=u8::try_from(usable).expect("there are four") {
        let part = Key::part("turn").nth(number);
        let target =
            |state: &mut State, referee: &mut Referee<'_>| turn_around(state, seat, &part, referee);
        let returned = referee.part(&part, state, target)?.is_none();
        if returned && !referee.is_skipped(seat) {
            // E5.15: a target that has become impossible returns the card to the hand.
            take_back(state, seat);
        }
    }
    place_events(state, seat, referee)
}

/// E5.15: destroys one event on one's own or another active player's field, then this card.
fn turn_around(state: &mut State, seat: Seat, part: &Key, referee: &mut Referee<'_>) -> Play<()> {
    let owners: ArrayVec<Seat, 8> = state
        .active()
        .into_iter()
        .filter(|owner| !targets(state, seat, *owner).is_empty())
        .collect();
    let ask = Ask::new(part.named("owner"), "E5.15").or_nothing();
    let owner = referee.choose(seat, &ask, &owners);
    // Parses the other answers too: a target may be laid before this turn.
    let owner = owner.inspect_err(|_| target_in_case(seat, part, referee))?;
    let Some(owner) = owner else { return Ok(()) };
    let targets = targets(state, seat, owner);
    let among = |card: &EventCard| targets.iter().any(|(target, _)| target == card);
    let kinds: ArrayVec<EventCard, 15> = EventCard::ALL.iter().copied().filter(among).collect();
    let ask = Ask::new(part.named("event"), "E5.15");
    let card = referee.choose(seat, &ask, &kinds);
    let card = card.inspect_err(|_| target_in_case(seat, part, referee))?;
    let Some(card) = card else { return Ok(()) };
    let among = |slot: &Slot| targets.contains(&(card, Some(*slot)));
    let slots: ArrayVec<Slot, 5> = Slot::ALL.iter().copied().filter(among).collect();
    let slot = match slots.as_slice() {
        [] => None,
        slots => {
            let ask = Ask::new(part.named("slot"), "E5.15");
            let Some(slot) = referee.choose(seat, &ask, slots)? else { return Ok(()) };
            Some(slot)
        }
    };
    let field = &mut state.players[owner];
    if card == EventCard::Promoter {
        let slot = slot.expect("a promoter lies in a slot");
        field.slots[slot.index()] = None;
    } else {
        // Among identical events: the oldest, but not the card in use.
        let own = usize::from(owner == seat && card == EventCard::Turnaround);
        let alike = |laid: &Laid| laid.card == card && laid.slot == slot;
        let mut alike = field.laid.iter().enumerate().filter(|(_, laid)| alike(laid)).skip(own);
        let index = alike.next().map(|(index, _)| index);
        field.laid.remove(index.expect("it is among the targets"));
    }
    referee.cite("E5.3");
    referee.cite(clause(card));
    referee.tell(Happening::Turned { seat, owner, card, slot });
    spend(state, seat, |laid| laid.card == EventCard::Turnaround, referee);
    Ok(())
}

/// Asks for a target that may become possible before the turn.
fn target_in_case(seat: Seat, part: &Key, referee: &mut Referee<'_>) {
    let in_case = |name| Ask::new(part.named(name), "E5.15").in_case_it_is_said();
    // The answers have no effect here.
    let _ = referee.choose(seat, &in_case("event"), EventCard::ALL);
    let _ = referee.choose(seat, &in_case("slot"), Slot::ALL);
}

/// The events on a field that can be destroyed, promoters included, without the card in use.
fn targets(state: &State, seat: Seat, owner: Seat) -> ArrayVec<(EventCard, Option<Slot>), 65> {
    let field = &state.players[owner];
    let mut used = owner == seat;
    let laid = field.laid.iter().filter(|laid| {
        let itself = used && laid.card == EventCard::Turnaround;
        used &= !itself;
        !itself
    });
    let mut targets: ArrayVec<_, 65> = laid.map(|laid| (laid.card, laid.slot)).collect();
    for slot in Slot::ALL {
        if field.slot(*slot).is_some_and(|placed| placed.promoter.is_some()) {
            targets.push((EventCard::Promoter, Some(*slot)));
        }
    }
    targets
}

/// Takes an event off the field and destroys it.
pub(super) fn spend(
    state: &mut State,
    seat: Seat,
    fits: impl Fn(&Laid) -> bool,
    referee: &mut Referee<'_>,
) {
    if let Some(laid) = state.players[seat].unlay(fits) {
        referee.cite("E5.3");
        referee.tell(Happening::Spent { seat, card: laid.card });
    }
}

fn take_back(state: &mut State, seat: Seat) {
    let turn = state.turn;
    let player = &mut state.players[seat];
    let usable = |laid: &Laid| laid.card == EventCard::Turnaround && laid.turn < turn;
    if player.unlay(usable).is_some() {
        player.events.known[EventCard::Turnaround.index()] += 1;
    }
}

/// E3.2: places one event, or with 広告代理店の努力 from an earlier turn any number (E5.6).
fn place_events(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let earlier = |laid: &Laid| laid.card == EventCard::Agency && laid.turn < state.turn;
    let agency = state.players[seat].laid.iter().any(earlier);
    let held = state.players[seat].events.known.iter().sum::<u8>();
    let most = if agency { held.max(1) } else { 1 };
    let mut placed = 0;
    for number in 1..=most {
        let part = Key::part("2").nth(number);
        let place =
            |state: &mut State, referee: &mut Referee<'_>| place_event(state, seat, &part, referee);
        match referee.part(&part, state, place)? {
            Some(true) => placed += 1,
            Some(false) => break,
            // A placement after a returned one may still succeed.
            None => {}
        }
    }
    if agency && placed >= 2 {
        // E5.6: it is destroyed in the end phase of a turn in which it was used.
        let turn = state.turn;
        let used = |laid: &&mut Laid| laid.card == EventCard::Agency && laid.turn < turn;
        if let Some(laid) = state.players[seat].laid.iter_mut().find(used) {
            laid.used = true;
        }
        referee.cite("E5.6");
    }
    Ok(())
}

/// Lays one event from the hand and asks for its target. False if no event is laid.
fn place_event(state: &mut State, seat: Seat, part: &Key, referee: &mut Referee<'_>) -> Play<bool> {
    referee.cite("E3.2");
    let player = &state.players[seat];
    let mut cards: ArrayVec<EventCard, 15> = ArrayVec::new();
    let mut bars: ArrayVec<Bar<EventCard>, 15> = ArrayVec::new();
    for &card in EventCard::ALL {
        match bar(state, seat, card) {
            Some(bar) => bars.push(bar),
            None => cards.push(card),
        }
    }
    let ask = Ask::new(part.named("card"), "E3.2").or_nothing();
    let Some(card) = referee.choose_barring(seat, &ask, &cards, &bars)? else { return Ok(false) };
    let slot = match card.award() {
        // E5.9: for an actor one of the two slots is named.
        Some(Family::Actor) => {
            let slots = occupied(player, Family::Actor);
            let ask = Ask::new(part.named("slot"), "E5.9");
            let Some(slot) = referee.choose(seat, &ask, &slots)? else { return Ok(false) };
            Some(slot)
        }
        Some(family) => family.slots().first().copied(),
        None => None,
    };
    if card == EventCard::Promoter {
        return intervene(state, seat, part, referee);
    }
    referee.stands(part)?;
    referee.cite(clause(card));
    if card == EventCard::Monopoly && !state.players[seat].awarded().is_empty() {
        referee.cite("E5.10");
    }
    state.players[seat].events.take(card.index());
    let laid = Laid { card, turn: state.turn, slot, kind: None, used: false };
    state.players[seat].laid.push(laid);
    referee.tell(Happening::Laid { seat, card, owner: None, slot, number: None, replaced: None });
    Ok(true)
}

/// E5.14: lays a promoter in a slot of one's own or another active player's field.
fn intervene(state: &mut State, seat: Seat, part: &Key, referee: &mut Referee<'_>) -> Play<bool> {
    let ask = Ask::new(part.named("owner"), "E5.14");
    let owner = referee.choose(seat, &ask, &state.active())?;
    let slot = aimed_at(state, seat, owner, part, referee)?;
    // An invalid number counts as left out, and a die replaces it (E4.4).
    let ask = Ask::new(part.named("number"), "E5.14").or_missing();
    let (least, most) = (EDITION.events.promoter_least, EDITION.events.promoter_most);
    let number = referee.number(seat, &ask, least.into(), most.into())?;
    let number = number.and_then(|number| u8::try_from(number).ok());
    let (Some(owner), Some(slot), Some(number)) = (owner, slot, number) else { return Ok(false) };
    referee.stands(part)?;
    let card = EventCard::Promoter;
    referee.cite("E5.14");
    state.players[seat].events.take(card.index());
    let placed = Placed { number, promoter: Some(seat) };
    let replaced = state.players[owner].slots[slot.index()].replace(placed);
    referee.tell(Happening::Laid {
        seat,
        card,
        owner: Some(owner),
        slot: Some(slot),
        number: Some(number),
        replaced,
    });
    Ok(true)
}

/// The target of a promoter: a slot, or any actor slot with room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PromoterPlace {
    Slot(Slot),
    Actor,
}

impl Piece for PromoterPlace {
    fn id(&self) -> SmolStr {
        match self {
            Self::Slot(slot) => slot.id(),
            Self::Actor => Family::Actor.id(),
        }
    }
}

/// E5.14: the slot that a promoter takes. An actor without a named slot takes the empty one, the lead before
/// the support (E3.4); if both are occupied, a die decides.
fn aimed_at(
    state: &State,
    seat: Seat,
    owner: Option<Seat>,
    part: &Key,
    referee: &mut Referee<'_>,
) -> Play<Option<Slot>> {
    let ask = Ask::new(part.named("slot"), "E5.14");
    let slots: ArrayVec<PromoterPlace, 5> =
        Slot::ALL.iter().copied().map(PromoterPlace::Slot).collect();
    let mut aims: ArrayVec<PromoterPlace, 6> = slots.iter().copied().collect();
    aims.push(PromoterPlace::Actor);
    let among: ArrayVec<PromoterPlace, 5> = match referee.hear(seat, &ask, &aims, &[])? {
        Some(PromoterPlace::Slot(slot)) => return Ok(Some(slot)),
        Some(PromoterPlace::Actor) => {
            referee.cite("E3.4");
            let Some(owner) = owner else { return Ok(None) };
            let actors = Family::Actor.slots();
            let field = &state.players[owner];
            let empty = actors.iter().copied().find(|slot| field.slot(*slot).is_none());
            if empty.is_some() {
                return Ok(empty);
            }
            actors.iter().copied().map(PromoterPlace::Slot).collect()
        }
        None => slots,
    };
    Ok(match referee.decide(seat, &ask, &among) {
        Some(PromoterPlace::Slot(slot)) => Some(slot),
        _ => None,
    })
}

/// The slots of a family that hold a role.
fn occupied(player: &Player, family: Family) -> ArrayVec<Slot, 2> {
    family.slots().iter().copied().filter(|slot| player.slot(*slot).is_some()).collect()
}

/// `None` if an event can be laid now, otherwise the reason.
fn bar(state: &State, seat: Seat, card: EventCard) -> Option<Bar<EventCard>> {
    let player = &state.players[seat];
    let bar = |why, clause| Bar { option: card, why, clause };
    if player.events.known[card.index()] == 0 {
        return Some(bar("not-held", "E4.4"));
    }
    if let Some(family) = card.award() {
        // E5.9: the role must be on the field when the award is placed.
        let without = occupied(player, family).is_empty();
        return without.then_some(bar("award-without-role", "E5.9"));
    }
    if card == EventCard::Monopoly {
        // E5.11: two own roles of 5 or more, awards and promoters included.
        let events = &EDITION.events;
        let high = Slot::ALL.iter().filter_map(|slot| player.number(*slot));
        let count = high.filter(|number| *number >= events.monopoly_number).count();
        return (count < events.monopoly_roles).then_some(bar("monopoly-condition", "E5.11"));
    }
    None
}

/// The clause of an event card's text.
pub(super) fn clause(card: EventCard) -> &'static str {
    match card {
        EventCard::TieIn => "E5.1",
        EventCard::Rush => "E5.2",
        EventCard::Chance => "E5.5",
        EventCard::Agency => "E5.6",
        EventCard::Scoop => "E5.7",
        EventCard::Local => "E5.8",
        EventCard::ActorAward
        | EventCard::WriterAward
        | EventCard::ComposerAward
        | EventCard::DirectorAward => "E5.9",
        EventCard::Monopoly => "E5.11",
        EventCard::Network => "E5.12",
        EventCard::Strike => "E5.13",
        EventCard::Promoter => "E5.14",
        EventCard::Turnaround => "E5.15",
    }
}
