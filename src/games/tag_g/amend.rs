//! T7.6: the GM's moves: each is a section of its own, asked like the questions of a turn.
//!
//! Every card is offered at any time, so that no offer reveals a card's place. A named card comes from its
//! place in the owner's piles, and replaced cards go under the stamina.

use super::cards::{COPIES, Card, Change, Deck, Forbidden, Value};
use super::defeat;
use super::options::{SeatList, Team};
use super::piles::{self, DAMAGE, DISCARD, HAND, Pile, RESENTMENT};
use super::state::{Phase, Player, Referee, State, Turn, WindowStage};
use super::things::{Aim, Influence, Lasting, Unit, Until};
use crate::moves::Moves;
use crate::pieces::alternatives;
use rules::ask::Several;
use rules::{Piece, Play, Seat};
use smol_str::SmolStr;

const GM: Moves = Moves("T7.6");

/// The maximum number of cards in a move.
const MOST: usize = 40;

/// Carries out all declared moves.
pub(super) fn amend(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    sides(state, referee)?;
    turn(state, referee)?;
    deck(state, referee)?;
    for (section, pile) in [
        ("hand", HAND),
        ("damage-pile", DAMAGE),
        ("discard-pile", DISCARD),
        ("resentment-pile", RESENTMENT),
    ] {
        replace(state, section, pile, referee)?;
    }
    let rest: [fn(&mut State, &mut Referee<'_>) -> Play<()>; 8] =
        [top, stamina, field, mount, summon, change, withdraw, defeated];
    rest.into_iter().try_for_each(|amend| amend(state, referee))
}

fn cards(state: &State, section: &'static str, referee: &mut Referee<'_>) -> Play<Several<Card>> {
    let all = state.options.set.cards().filter(|card| card.character().is_none());
    let all: Vec<Card> = all.flat_map(|card| [card; COPIES]).collect();
    GM.pick((section, "cards"), &all, MOST, referee)
}

/// Sets the order of the sides.
fn sides(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let all = state.options.format.teams();
    let picked = GM.pick(("sides", "order"), all, all.len(), referee)?;
    if !picked.is_empty() {
        let mut teams: Vec<Team> = all.to_vec();
        let place = |team: &Team| picked.iter().position(|named| named == team);
        teams.sort_by_key(|team| place(team).unwrap_or(usize::MAX));
        state.teams = teams;
    }
    Ok(())
}

alternatives! { ExtraDraw { Made => "extra-draw-made" } }

/// Sets the turn under way: its player, its number, and what is skipped and spent in it.
fn turn(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let seat = GM.who("turn", &state.players, referee)?;
    let at = GM.number(("turn", "number"), (1, 255), referee)?;
    let fights = GM.number(("turn", "fights"), (0, 9), referee)?;
    let spells = GM.number(("turn", "spells"), (0, 9), referee)?;
    let skip = GM.choose(("turn", "skip"), Phase::ALL, referee)?;
    let extra = GM.choose(("turn", "extra"), &[ExtraDraw::Made], referee)?;
    let magic: Vec<Card> =
        state.options.set.cards().filter(|card| card.magic().is_some()).collect();
    let used = GM.pick(("turn", "magic"), &magic, MOST, referee)?;
    let spent = fights.or(spells).is_some() || extra.is_some() || !used.is_empty();
    if seat.is_none() && at.is_none() && skip.is_none() && !spent {
        return Ok(());
    }
    let at = at.unwrap_or(state.turn.number.max(1));
    let seat = seat.unwrap_or(state.turn.seat);
    let count = |given: Option<u8>| given.unwrap_or(0);
    let (fights, spells, extra_drawn) = (count(fights), count(spells), extra.is_some());
    let towers = used.iter().filter_map(|card| card.magic()).collect();
    state.turn = Turn { skip, fights, spells, extra_drawn, towers, ..Turn::of(seat, at) };
    state.stage = WindowStage::Turn;
    let team = state.team(seat);
    let rest = state.living(team).into_iter().filter(|other| *other > seat);
    state.queues[team.index()] = rest.collect();
    for other in state.options.format.teams().iter().filter(|other| **other != team) {
        state.queues[other.index()].clear();
    }
    Ok(())
}

/// Gives a player a ready-made deck, with its character and all of its cards in stamina.
fn deck(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("deck-of", &state.players, referee)? else { return Ok(()) };
    let all: Vec<Deck> = state.options.set.decks().collect();
    if let Some(deck) = GM.choose(("deck-of", "deck"), &all, referee)? {
        state.players[seat] = Player::of(&state.options, deck, seat);
    }
    Ok(())
}

/// Takes a card from its owner's stamina or piles; from stamina first, if it may be there.
fn take(state: &mut State, seat: Seat, card: Card) {
    let player = &mut state.players[seat];
    player.healed = 0;
    let is_it = |held: &Option<Card>| *held == Some(card);
    let known = player.stamina.iter().rposition(is_it);
    if let Some(place) = known.or_else(|| player.stamina.iter().rposition(Option::is_none)) {
        player.stamina.remove(place);
        return;
    }
    let mut piles = [&mut player.damage, &mut player.discard, &mut player.resentment].into_iter();
    let found = piles.find_map(|pile| Some((pile.iter().position(is_it)?, pile)));
    if let Some((place, pile)) = found {
        pile.remove(place);
    }
}

fn put_under(state: &mut State, seat: Seat, cards: Vec<Option<Card>>) {
    let player = &mut state.players[seat];
    player.healed = 0;
    player.stamina.splice(0..0, cards);
}

/// Replaces the cards of a hand or a pile; of a pile, the last named lies on top.
fn replace(state: &mut State, of: &'static str, pile: Pile, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who(of, &state.players, referee)? else { return Ok(()) };
    let picked = cards(state, of, referee)?;
    let old = std::mem::take(pile(&mut state.players[seat]));
    put_under(state, seat, old);
    for card in picked {
        take(state, seat, card);
        pile(&mut state.players[seat]).push(Some(card));
    }
    Ok(())
}

/// Lays cards on top of stamina, the first named on top.
fn top(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("top", &state.players, referee)? else { return Ok(()) };
    let picked = cards(state, "top", referee)?;
    for card in &picked {
        take(state, seat, *card);
    }
    state.players[seat].stamina.extend(picked.into_iter().rev().map(Some));
    Ok(())
}

/// Sets the number of cards in stamina: surplus goes from below to the discard pile, what lacks comes back from
/// there.
fn stamina(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("set-stamina", &state.players, referee)? else { return Ok(()) };
    let player = &mut state.players[seat];
    let most = i16::try_from(player.stamina.len() + player.discard.len()).unwrap_or(i16::MAX);
    let given = GM.number(("set-stamina", "number"), (0, most), referee)?;
    let Some(count) = given else { return Ok(()) };
    player.healed = 0;
    let surplus = player.stamina.len().saturating_sub(count);
    player.discard.extend(player.stamina.drain(..surplus));
    while player.stamina.len() < count {
        let Some(card) = player.discard.pop() else { break };
        player.stamina.insert(0, card);
    }
    Ok(())
}

/// Replaces what a player controls; equipment is worn by the player's character.
fn field(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("field", &state.players, referee)? else { return Ok(()) };
    let picked = cards(state, "field", referee)?;
    for unit in state.controlled(seat) {
        if let Some(permanent) = piles::take_off(state, unit) {
            put_under(state, permanent.owner, vec![Some(unit.card)]);
        }
    }
    for card in picked.into_iter().filter(|card| card.is_permanent()) {
        take(state, seat, card);
        piles::lay_down(state, seat, card, card.slot().map(|_| seat));
    }
    Ok(())
}

/// The summons of the table.
fn summons(state: &State) -> Vec<Unit> {
    let units = state.field.iter().map(|permanent| permanent.unit);
    units.filter(|unit| unit.card.summon().is_some()).collect()
}

/// Has a player ride a summon.
fn mount(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let Some(seat) = GM.who("riding", &state.players, referee)? else { return Ok(()) };
    let units = summons(state);
    if let Some(unit) = GM.choose(("riding", "what"), &units, referee)?
        && let Some(permanent) = state.permanent_mut(unit)
    {
        (permanent.worn_by, permanent.controller) = (Some(seat), seat);
    }
    Ok(())
}

/// Sets the damage of a summon, and what it has done in this turn.
fn summon(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    // The number is asked first, as a table without summons has this move as well.
    let damage = GM.number(("summon-state", "damage"), (0, 30), referee)?;
    let units = summons(state);
    let chosen = GM.choose(("summon-state", "what"), &units, referee)?;
    let Some(unit) = chosen else { return Ok(()) };
    let flags = [Done::Attacked, Done::Blocked, Done::Aimed];
    let done = GM.pick(("summon-state", "done"), &flags, flags.len(), referee)?;
    if let Some(permanent) = state.permanent_mut(unit) {
        permanent.damage = damage.unwrap_or(0);
        permanent.attacked = done.contains(&Done::Attacked);
        permanent.blocked = done.contains(&Done::Blocked);
        permanent.aimed = done.contains(&Done::Aimed);
    }
    Ok(())
}

alternatives! {
    Done {
        Attacked => "has-attacked",
        Blocked => "has-blocked",
        Aimed => "was-attacked"
    }
}

/// A forbidden answer, under the name that the move has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ban(Forbidden);

impl Piece for Ban {
    fn id(&self) -> SmolStr {
        SmolStr::new(format!("no-{}", self.0.word()))
    }
}

/// Changes a value or forbids answers to the end of the turn; earlier changes of the kind end. With neither, all
/// changes of the character or summon end.
fn change(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let characters = state.players.seats().map(Aim::Character);
    let aims: Vec<Aim> = characters.chain(summons(state).into_iter().map(Aim::Unit)).collect();
    let Some(on) = GM.choose(("change", "on"), &aims, referee)? else { return Ok(()) };
    let what = GM.choose(("change", "value"), Value::ALL, referee)?;
    let amount: Option<i8> = GM.number(("change", "amount"), (-20, 20), referee)?;
    let all: Vec<Ban> = Forbidden::ALL.iter().copied().map(Ban).collect();
    let bans = GM.pick(("change", "bans"), &all, all.len(), referee)?;
    let mut come: Vec<Influence> = bans.iter().map(|ban| Influence::Forbid(ban.0)).collect();
    if let (Some(what), Some(amount)) = (what, amount) {
        come.push(Influence::Modify { what, by: Change::Add(amount) });
    }
    let ends = |is: &Influence| match is {
        _ if come.is_empty() => true,
        Influence::Modify { what: of, .. } => what == Some(*of),
        Influence::Forbid(_) => !bans.is_empty(),
        Influence::Reduce(_) | Influence::Resent(_) => false,
    };
    state.lasting.retain(|lasting| lasting.on != on || !ends(&lasting.is));
    come.retain(|is| !matches!(is, Influence::Modify { by: Change::Add(0), .. }));
    let until = Until::Turn;
    state.lasting.extend(come.into_iter().map(|is| Lasting { on, is, until }));
    Ok(())
}

/// Withdraws a declared attack.
fn withdraw(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let given: Option<u8> = GM.number(("withdraw", "number"), (1, 99), referee)?;
    if let Some(number) = given {
        state.turn.attacks.retain(|attack| attack.number != number);
    }
    Ok(())
}

/// Defeats these players; the others stay as they are.
fn defeated(state: &mut State, referee: &mut Referee<'_>) -> Play<()> {
    let seats: SeatList = state.players.seats().filter(|seat| state.is_living(*seat)).collect();
    let picked = GM.pick(("defeated", "who"), &seats, seats.len(), referee)?;
    state.falling.extend(picked);
    defeat::settle(state, referee);
    Ok(())
}
