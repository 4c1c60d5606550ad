//! E3.8 and E3.9: the end phase. First the draws, then the returns, then 5A or 5B.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use super::action::spend;
use super::cards::{Budgets, EventCard, Family, HandCard, Role};
use super::edition::EDITION;
use super::happening::Happening;
use super::scoring;
use super::state::{HeldCards, Kind, Laid, Referee, State};
use crate::pieces::alternatives;
use rules::{Ask, Bar, Key, Piece, Play, Seat, TextForm};

alternatives! { Chance { Use => "use", Keep => "keep" } }
alternatives! { End { TakeBack => "5A", Release => "5B" } }

impl Piece for Kind {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(match self {
            Self::Roles => "roles",
            Self::Events => "events",
        })
    }
}

/// Resolves phase 5, the end of the turn.
pub(super) fn end(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    use_chance(state, seat, referee)?;
    draw_from_networks(state, seat, referee)?;
    return_to_networks(state, seat, referee)?;
    let part = Key::part("5");
    let ended =
        referee.part(&part, state, |state, referee| take_back_or_release(state, seat, referee))?;
    if ended.is_none() {
        // After a returned release, 5A applies; a skipped turn has nothing on the field.
        take_back(state, seat, referee);
    }
    destroy_used(state, seat, referee);
    let player = &mut state.players[seat];
    if player.roles.has_fresh() || player.events.has_fresh() {
        // E2.4: the drawn cards can be named from now on.
        referee.cite("E2.4");
    }
    player.roles.settle();
    player.events.settle();
    Ok(())
}

/// E5.5: draws 2 events, once; without an answer the card is used.
fn use_chance(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    if state.players[seat].count(EventCard::Chance) == 0 {
        return Ok(());
    }
    let part = Key::part("chance");
    referee.part(&part, state, |state, referee| {
        let ask = Ask::new(part.named("use"), "E5.5");
        if state.events.is_empty() {
            // Another player may put cards back before this turn.
            let bar = Bar { option: Chance::Use, why: "deck-empty", clause: "E5.5" };
            referee.choose_barring(seat, &ask.in_case(), &[Chance::Keep], &[bar])?;
            return Ok(());
        }
        let ask = ask.or_by("use", "E5.5");
        let choice = referee.choose(seat, &ask, &[Chance::Use, Chance::Keep])?;
        if choice == Some(Chance::Use) {
            referee.cite("E5.4");
            let draws = EDITION.events.chance_draws;
            let cards = (0..draws).filter_map(|_| state.draw_event(seat)).collect();
            referee.tell(Happening::DrewEvents { seat, cards });
            spend(state, seat, |laid| laid.card == EventCard::Chance, referee);
        }
        Ok(())
    })?;
    Ok(())
}

/// E5.12: draws 3 roles or 3 events, in the end phase of the turn in which the card was laid.
fn draw_from_networks(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let turn = state.turn;
    let new = |laid: &Laid| laid.card == EventCard::Network && laid.turn == turn;
    let count = state.players[seat].laid.iter().filter(|laid| new(laid)).count();
    for number in 1..=u8::try_from(count).expect("there are four") {
        let part = Key::part("network").nth(number);
        referee
            .part(&part, state, |state, referee| draw_from_network(state, seat, &part, referee))?;
    }
    Ok(())
}

fn draw_from_network(
    state: &mut State,
    seat: Seat,
    part: &Key,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let there = |kind: &Kind| match kind {
        Kind::Roles => !state.families().is_empty(),
        Kind::Events => !state.events.is_empty(),
    };
    let (kinds, gone): (ArrayVec<Kind, 2>, ArrayVec<Kind, 2>) =
        [Kind::Roles, Kind::Events].into_iter().partition(there);
    let bars: ArrayVec<Bar<Kind>, 2> =
        gone.into_iter().map(|option| Bar { option, why: "deck-empty", clause: "E5.12" }).collect();
    let ask = Ask::new(part.named("kind"), "E5.12");
    let Some(kind) = referee.choose_barring(seat, &ask, &kinds, &bars)? else { return Ok(()) };
    let turn = state.turn;
    let undecided = |laid: &&mut Laid| {
        laid.card == EventCard::Network && laid.turn == turn && laid.kind.is_none()
    };
    if let Some(laid) = state.players[seat].laid.iter_mut().find(undecided) {
        laid.kind = Some(kind);
    }
    match kind {
        Kind::Events => {
            let draws = EDITION.events.network_draws;
            let cards = (0..draws).filter_map(|_| state.draw_event(seat)).collect();
            referee.tell(Happening::DrewEvents { seat, cards });
        }
        Kind::Roles => {
            for name in
                ["first", "second", "third"].iter().take(EDITION.events.network_draws.into())
            {
                // A deck emptied by another player returns this one draw (E4.5).
                let draw = part.named(name);
                referee.part(&draw, state, |state, referee| {
                    let ask = Ask::new(draw.clone(), "E5.12");
                    let families: ArrayVec<Family, 4> = state.families();
                    if let Some(family) = referee.choose(seat, &ask, &families)? {
                        let card = state.draw_role(seat, family).flatten();
                        referee.tell(Happening::DrewRole { seat, family, card });
                    }
                    Ok(())
                })?;
            }
        }
    }
    Ok(())
}

/// E5.12: puts 2 cards of that kind back on top of their decks in the end phase of the next turn, and
/// destroys the card. A duty: it is carried out in a skipped turn too (E4.6).
fn return_to_networks(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let turn = state.turn;
    let old = |laid: &Laid| laid.card == EventCard::Network && laid.turn < turn;
    let count = state.players[seat].laid.iter().filter(|laid| old(laid)).count();
    for number in 1..=u8::try_from(count).expect("there are four") {
        let part = Key::part("return").nth(number);
        referee.duty(&part, state, |state, referee| {
            let network = state.players[seat].unlay(old);
            if let Some(kind) = network.and_then(|network| network.kind) {
                put_back(state, seat, &part, kind, referee)?;
            }
            referee.cite("E5.12");
            referee.cite("E5.3");
            referee.tell(Happening::Spent { seat, card: EventCard::Network });
            Ok(())
        })?;
    }
    Ok(())
}

fn put_back(
    state: &mut State,
    seat: Seat,
    part: &Key,
    kind: Kind,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let player = &state.players[seat];
    let mut cards: ArrayVec<HandCard, 120> = ArrayVec::new();
    // E2.4: a card drawn in this turn cannot be named, but the die may find it.
    let nameable = match kind {
        Kind::Roles => {
            cards.extend(player.roles.nameable().map(HandCard::Role));
            let nameable = cards.len();
            let fresh = HeldCards::positions(&player.roles.fresh).map(Role::from_index);
            cards.extend(fresh.map(HandCard::Role));
            nameable
        }
        Kind::Events => {
            cards.extend(player.events.nameable().map(HandCard::Event));
            let nameable = cards.len();
            let fresh =
                HeldCards::positions(&player.events.fresh).map(|index| EventCard::ALL[index]);
            cards.extend(fresh.map(HandCard::Event));
            nameable
        }
    };
    let ask = Ask::new(part.named("cards"), "E5.12").or_missing();
    let picked = referee.pick(seat, &ask, &cards, nameable, EDITION.events.network_returns)?;
    for &card in &picked {
        state.put_back(seat, card);
    }
    let cards: ArrayVec<Option<HandCard>, 4> = picked.iter().copied().map(Some).collect();
    referee.tell(Happening::PutBack { seat, of: kind, cards });
    Ok(())
}

/// E3.8: resolves exactly one of 5A and 5B; without an answer 5A (E4.2).
fn take_back_or_release(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let ready = is_ready(state, seat);
    let options: &[End] = if ready { &[End::TakeBack, End::Release] } else { &[End::TakeBack] };
    let bar = Bar { option: End::Release, why: "release-roles", clause: "E3.8" };
    let bars: &[Bar<End>] = if ready { &[] } else { &[bar] };
    let ask = Ask::new(Key::new("5", "end"), "E3.8").or("5A");
    let end = referee.choose_barring(seat, &ask, options, bars)?;
    let title = Ask::new(Key::new("5", "title"), "E3.8").or_nothing();
    let title = match end {
        Some(End::Release) => referee.text(seat, &title, EDITION.release.title, TextForm::Line)?,
        _ => None,
    };
    let roleplay = Ask::new(Key::new("5", "roleplay"), "E3.8").or_nothing();
    let roleplay = referee.text(seat, &roleplay, EDITION.release.roleplay, TextForm::Lines)?;
    match end {
        Some(End::Release) => release(state, seat, title, referee),
        _ => take_back(state, seat, referee),
    }
    if let Some(text) = roleplay {
        referee.tell(Happening::Roleplay { seat, text });
    }
    Ok(())
}

/// True if the film can be released (E3.8): 4 or 5 roles, 1 or 2 of them actors, in either slot, and one of
/// each other family.
pub(super) fn is_ready(state: &State, seat: Seat) -> bool {
    let player = &state.players[seat];
    let filled = |family: &Family| {
        let mut slots = family.slots().iter();
        slots.any(|slot| player.slot(*slot).is_some())
    };
    player.occupied().len() >= EDITION.release.roles && Family::ALL.iter().all(filled)
}

/// E3.9: releases the film. The player is out, and the score except C is fixed.
pub(super) fn release(
    state: &mut State,
    seat: Seat,
    title: Option<String>,
    referee: &mut Referee<'_>,
) {
    referee.cite("E3.9");
    let turn = state.turn;
    let film = scoring::film(state, seat, turn, title.clone());
    state.players[seat].film = Some(film);
    referee.tell(Happening::Released { seat, turn, title });
}

/// 5A: takes back the budget cards put on the field in the scout phase.
fn take_back(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let player = &mut state.players[seat];
    let budgets = std::mem::take(&mut player.put);
    player.budgets.add(budgets);
    if budgets != Budgets::default() {
        referee.tell(Happening::TookBack { seat, budgets });
    }
}

/// E5.6 to E5.8: destroys the cards used in this turn, and (E5.15) an unused change of plan from an earlier
/// turn.
fn destroy_used(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let turn = state.turn;
    let over = |laid: &Laid| laid.used || (laid.card == EventCard::Turnaround && laid.turn < turn);
    while let Some(laid) = state.players[seat].unlay(over) {
        referee.cite(super::action::clause(laid.card));
        referee.cite("E5.3");
        referee.tell(Happening::Spent { seat, card: laid.card });
    }
}
