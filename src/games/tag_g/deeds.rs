//! T3.3: what nobody can answer is done at once in the main phase: the extra draw, cards but attacks and
//! defences, abilities and riding; and conceding.

use smol_str::SmolStr;

use super::cards::card::{choices, no_tower};
use super::cards::{Card, CardKind, Choice, Cost, Effect, Keyword, Moment, Tower, Verb};
use super::effects::{self, Named, Use};
use super::happening::{Happening, Why};
use super::options::SeatList;
use super::piles;
use super::state::{Permanent, Phase, Referee, State, WindowStage};
use super::things::{Means, Unit};
use super::{defeat, plans, turns};
use crate::bars::{self, Hindrance};
use crate::pieces::pieces;
use rules::{Ask, Bar, Declaration, Key, Play, Reason, Seat, Value};

pieces! {
    /// An immediate deed.
    Deed {
        /// T3.2: エクストラドロー
        DrawMore => "draw-more",
        /// T3.3: a card
        Play => "play",
        /// T3.7: an ability
        Ability => "ability",
        /// T3.8: 騎乗
        Ride => "ride",
        /// T6.1: 投了
        Concede => "concede",
    }
}

/// The highest number of cards of stamina.
const MOST_STAMINA: u8 = 99;

fn ask(name: &'static str, clause: &'static str) -> Ask {
    Ask::new(Key::new("act", name), clause)
}

impl Deed {
    /// `Ok` if a seat can do the deed now; otherwise the reason why it is barred, if one is worth showing.
    fn check(self, state: &State, seat: Seat) -> Result<(), Option<Hindrance>> {
        let bar = |why, clause| Err(Some((why, clause)));
        match self {
            Self::Concede => Ok(()),
            _ if seat != state.turn.seat => bar("not-your-turn", "T3.3"),
            Self::DrawMore if !is_turn(state, seat) => Err(None),
            Self::DrawMore if turns::may_draw(state, seat) => Ok(()),
            Self::DrawMore if state.turn.extra_drawn => bar("second-extra-draw", "T3.2"),
            Self::DrawMore if state.turn.skip == Some(Phase::Draw) => bar("phase-skipped", "T2.4"),
            Self::DrawMore => bar("no-stamina", "T3.2"),
            _ if !is_turn(state, seat) || state.turn.skip == Some(Phase::Main) => Err(None),
            // A card that cannot be played is shown with its reason.
            Self::Play if state.players[seat].hand.is_empty() => Err(None),
            Self::Ability if abilities(state, seat).is_empty() => bar("no-ability", "T3.7"),
            Self::Play | Self::Ability => Ok(()),
            Self::Ride => ride_hindrance(state, seat).map_or(Ok(()), |why| Err(Some(why))),
        }
    }
}

fn is_turn(state: &State, seat: Seat) -> bool {
    state.stage == WindowStage::Turn && state.turn.seat == seat
}

/// Asks for a deed, and does it.
pub(super) fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let is_open = matches!(state.stage, WindowStage::Turn | WindowStage::Reaction);
    if !is_open || state.result.is_some() || !state.is_living(seat) {
        return Ok(());
    }
    let is_told = |deed: &Deed| deed.check(state, seat) != Err(None);
    let told = Deed::ALL.iter().copied().filter(is_told);
    let (deeds, bars) = bars::split(told, |deed| deed.check(state, seat).err().flatten());
    let clause = if is_turn(state, seat) { "T3.3" } else { "T6.1" };
    let chosen = referee.choose_barring(seat, &ask("do", clause).or_nothing(), &deeds, &bars)?;
    if chosen.is_some() {
        referee.cite("T7.7");
    }
    match chosen {
        Some(Deed::DrawMore) => turns::draw_more(state, seat, referee),
        Some(Deed::Play) => play(state, seat, referee)?,
        Some(Deed::Ability) => use_ability(state, seat, referee)?,
        Some(Deed::Ride) => ride(state, seat, referee)?,
        Some(Deed::Concede) if is_sure(state, seat, referee)? => {
            defeat::concede(state, seat, referee);
        }
        Some(Deed::Concede) | None => {}
    }
    defeat::settle(state, referee);
    Ok(())
}

/// T10.7: a player who concedes says how many cards are in the own stamina, so that nobody does it by mistake.
fn is_sure(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<bool> {
    let ask = ask("sure", "T10.7");
    let right = u8::try_from(state.players[seat].stamina.len()).unwrap_or(MOST_STAMINA).into();
    let Some(given) = referee.number(seat, &ask, 0, MOST_STAMINA.into())? else { return Ok(false) };
    if given != right {
        referee.object_to(&ask, Reason::OutOfRange { min: right, max: right, input: given });
    }
    Ok(given == right)
}

/// The cards that can be played at once, and those that cannot, with the reason.
pub(super) fn cards(state: &State, seat: Seat) -> (Vec<Card>, Vec<Bar<Card>>) {
    bars::split(state.players[seat].distinct_hand(), |card| hindrance(state, seat, card))
}

/// The reason that keeps a card of the hand from being played at once.
fn hindrance(state: &State, seat: Seat, card: Card) -> Option<Hindrance> {
    let turn = &state.turn;
    match card.kind() {
        CardKind::Attack(_) => return Some(("attack-is-sealed", "T7.1")),
        CardKind::Defence(_) => return Some(("defence-is-answer", "T4.13")),
        CardKind::Motion if turn.spells > 0 => return Some(("fight-after-spell", "T3.4")),
        CardKind::Motion if turn.fights >= plans::fights(state, seat) => {
            return Some(("no-fights-left", "T3.4"));
        }
        _ => {}
    }
    if let Some(magic) = card.magic() {
        if turn.fights > 0 {
            return Some(("spell-after-fight", "T3.4"));
        }
        if turn.spells >= plans::spells(state, seat) {
            return Some(("no-spells-left", "T3.4"));
        }
        let carries = |it: &Tower| it.attribute == magic.attribute && it.level + 1 >= magic.level;
        if magic.level > 1 && !state.towers(seat).iter().any(carries) {
            return Some((no_tower(magic), "T3.6"));
        }
    }
    if !piles::can_pay(state, seat, card.cost, true) {
        return Some(("cannot-pay", "T3.3"));
    }
    (!has_targets(state, seat, &card.choices())).then_some(("no-target", "T8.4"))
}

/// T8.4: true if there is something to name for every choice.
fn has_targets(state: &State, seat: Seat, choices: &[Choice]) -> bool {
    choices.iter().all(|choice| !effects::nameable(state, seat, *choice).is_empty())
}

/// The names of the questions about targets.
pub(super) const NAMED: [&str; 2] = ["target", "second"];

/// Asks for the things that choices mean. `None` if one is left open.
fn names(
    state: &State,
    seat: Seat,
    choices: Vec<Choice>,
    referee: &mut Referee<'_>,
) -> Play<Option<Named>> {
    let mut named: Named = [None; 2];
    for (place, (name, choice)) in NAMED.into_iter().zip(choices).enumerate() {
        let things = effects::nameable(state, seat, choice);
        let chosen = referee.choose(seat, &ask(name, "T8.4"), &things)?;
        let Some(thing) = chosen else { return Ok(None) };
        named[place] = Some((choice, thing));
    }
    Ok(Some(named))
}

/// T3.3, T3.5, T3.6: plays a card that is neither an attack nor a defence.
fn play(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let (free, bars) = cards(state, seat);
    let ask_for_card = ask("card", "T3.3").absent("not-before-you");
    let chosen = referee.choose_barring(seat, &ask_for_card, &free, &bars)?;
    let Some(card) = chosen else { return Ok(()) };
    let mut wearer = None;
    if card.slot().is_some() {
        let wearers: SeatList = std::iter::once(seat).chain(state.partners(seat)).collect();
        let ask = ask("wearer", "T5.4").or_nothing();
        wearer = referee.choose(seat, &ask, &wearers)?.or(Some(seat));
    }
    let Some(named) = names(state, seat, card.choices(), referee)? else { return Ok(()) };
    referee.cite(if matches!(card.kind(), CardKind::Item(_)) { "T3.5" } else { "T3.4" });
    state.players[seat].give_up(card);
    let on = named[0].map(|(_, thing)| thing);
    referee.tell(Happening::Played { seat, card, on, wearer });
    piles::pay(state, seat, card.cost, referee);
    if matches!(card.kind(), CardKind::Motion) {
        state.turn.fights += 1;
    }
    let mut is_foreign = false;
    if let Some(magic) = card.magic() {
        referee.cite("T3.6");
        if magic.level > 1 {
            referee.cite("T5.4");
        }
        state.turn.spells += 1;
        // A permanent is a tower by itself.
        if !card.is_permanent() {
            state.turn.towers.push(magic);
        }
        let printed = state.players[seat].printed();
        is_foreign = printed.is_some_and(|it| !it.attributes.contains(&magic.attribute));
    }
    if card.is_permanent() {
        if is_foreign {
            effects::resent(state, seat, 1, referee);
        }
        if let Some(old) = wearer.and_then(|wearer| effects::in_the_way(state, wearer, card)) {
            referee.cite("T3.5");
            effects::destroy(state, old, referee);
        }
        let unit = piles::lay_down(state, seat, card, wearer);
        referee.tell(Happening::CameIn { seat: wearer.unwrap_or(seat), unit, wearer });
        let by = Use { user: wearer.unwrap_or(seat), by: Means::Unit(unit), named };
        effects::happen(state, by, Moment::Enters, referee);
    } else {
        let by = Use { user: seat, by: Means::Card(card), named };
        effects::happen(state, by, Moment::Use, referee);
        if is_foreign && state.is_living(seat) {
            referee.cite("T3.10");
            state.players[seat].resentment.push(Some(card));
            referee.tell(Happening::Resented { seat, cards: vec![Some(card)], stamina: false });
        } else {
            piles::lay_used(state, seat, card, referee);
        }
    }
    Ok(())
}

/// T3.7: the permanents with an ability that can be used.
pub(super) fn abilities(state: &State, seat: Seat) -> Vec<Unit> {
    let mut units = state.controlled(seat);
    units.retain(|unit| ability(state, seat, unit).is_some());
    units
}

/// T3.7: the first ability of a permanent that can be paid for and has its targets.
fn ability<'u>(state: &State, seat: Seat, unit: &'u Unit) -> Option<&'u Effect> {
    let is_possible = |effect: &&Effect| {
        piles::can_pay(state, seat, effect.cost, false)
            && has_targets(state, seat, &choices([*effect]))
    };
    unit.card.at(Moment::Main).find(is_possible)
}

fn use_ability(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let units = abilities(state, seat);
    let chosen = referee.choose(seat, &ask("source", "T3.7"), &units)?;
    let Some(unit) = chosen else { return Ok(()) };
    let Some(effect) = ability(state, seat, &unit) else { return Ok(()) };
    let Some(named) = names(state, seat, choices([effect]), referee)? else { return Ok(()) };
    referee.cite("T3.7");
    let on = named[0].map(|(_, thing)| thing);
    referee.tell(Happening::Used { seat, unit, on });
    piles::pay(state, seat, effect.cost, referee);
    if effect.cost.this {
        effects::destroy(state, unit, referee);
    }
    let by = Use { user: seat, by: Means::Unit(unit), named };
    effects::carry_out(state, by, effect, None, referee);
    Ok(())
}

/// T3.8, T5.4: the summons of the side that a player can ride.
pub(super) fn mounts(state: &State, seat: Seat) -> Vec<Unit> {
    let is_free = |permanent: &&Permanent| {
        let is_mount = permanent.unit.card.has(Keyword::Mount) && permanent.worn_by.is_none();
        is_mount && state.team(permanent.controller) == state.team(seat)
    };
    state.field.iter().filter(is_free).map(|permanent| permanent.unit).collect()
}

/// T3.8: the reason that keeps a player from riding.
fn ride_hindrance(state: &State, seat: Seat) -> Option<Hindrance> {
    if mounts(state, seat).is_empty() {
        Some(("no-mount", "T3.8"))
    } else if state.turn.spells > 0 {
        Some(("fight-after-spell", "T3.8"))
    } else if state.turn.fights >= plans::fights(state, seat) {
        Some(("no-fights-left", "T3.8"))
    } else if state.players[seat].hand.is_empty() {
        Some(("empty-hand", "T3.8"))
    } else {
        None
    }
}

/// T3.8, T10.4: rides a summon for a card of the hand by die and a fight. The rider gets control of it.
fn ride(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let units = mounts(state, seat);
    let chosen = referee.choose(seat, &ask("mount", "T3.8"), &units)?;
    let Some(unit) = chosen else { return Ok(()) };
    for clause in ["T3.8", "T5.4", "T10.4"] {
        referee.cite(clause);
    }
    referee.tell(Happening::Rode { seat, unit });
    state.turn.fights += 1;
    piles::discard_by_die(state, seat, 1, Why::Cost, referee);
    let is_old = |permanent: &&Permanent| {
        permanent.worn_by == Some(seat) && permanent.unit.card.has(Keyword::Mount)
    };
    if let Some(old) = state.field.iter().find(is_old).map(|permanent| permanent.unit) {
        effects::destroy(state, old, referee);
    }
    if let Some(permanent) = state.permanent_mut(unit) {
        (permanent.worn_by, permanent.controller) = (Some(seat), seat);
    }
    Ok(())
}

/// The piece that an act names for a question.
fn named(act: &Declaration, name: &'static str) -> Option<SmolStr> {
    let Value::Choice(id) = act.get(&Key::new("act", name))?.value()? else { return None };
    Some(id.clone())
}

fn does(act: &Declaration, deed: Deed) -> bool {
    named(act, "do").is_some_and(|id| id == deed.word())
}

/// T7.7: `Ok` for an act that may be taken back: not one that draws, discards, damages or costs cards.
pub(super) fn may_take_back(act: &Declaration) -> Result<(), Option<&'static str>> {
    let card = named(act, "card").and_then(|id| Card::find(&id));
    let is_quiet = does(act, Deed::Play) && card.is_some_and(shows_nothing);
    if is_quiet { Ok(()) } else { Err(Some("T7.7")) }
}

/// True if a card moves no other card when it is played.
fn shows_nothing(card: Card) -> bool {
    let is_quiet = |verb: &Verb| {
        matches!(verb, Verb::Modify { .. } | Verb::Forbid { .. } | Verb::Reduce { .. })
    };
    let played = card.effects.iter();
    let mut played = played.filter(|it| matches!(it.at, Moment::Use | Moment::Enters));
    let is_free = card.cost == Cost::default();
    // Another card of the slot may be destroyed, and magic of another attribute costs a card.
    is_free && card.magic().is_none() && played.all(|effect| effect.does.iter().all(is_quiet))
}

/// T7.7: asks before conceding, riding, an ability with a cost, equipment that destroys what is worn, and before
/// an act after which the drafted attacks cannot be made.
pub(super) fn at_stake(
    state: &State,
    draft: &Declaration,
    act: &Declaration,
) -> Option<&'static str> {
    let played = named(act, "card").filter(|_| does(act, Deed::Play));
    let card = played.and_then(|id| Card::find(&id));
    let wearer = named(act, "wearer").and_then(|id| id.parse().ok()).unwrap_or(state.turn.seat);
    if does(act, Deed::Concede) {
        Some("concession")
    } else if voids(state, draft, act, card) {
        Some("attacks")
    } else if does(act, Deed::Ride) {
        Some("card-by-die")
    } else if does(act, Deed::Ability) && has_cost(state, act) {
        Some("cost")
    } else if card.is_some_and(|card| effects::in_the_way(state, wearer, card).is_some()) {
        Some("equipment")
    } else {
        None
    }
}

/// T3.4: true if the attack cards of a draft cannot be used after an act: magic, or one fight more.
fn voids(state: &State, draft: &Declaration, act: &Declaration, played: Option<Card>) -> bool {
    let with = draft.iter().filter(|(key, _)| key.section == "attack" && key.name == "with");
    let cards = with.filter_map(|(_, answer)| match answer.value()? {
        Value::Choice(id) => Card::find(id),
        _ => None,
    });
    let (seat, attacks) = (state.turn.seat, cards.count());
    let spends =
        does(act, Deed::Ride) || played.is_some_and(|card| matches!(card.kind(), CardKind::Motion));
    let left = plans::fights(state, seat).saturating_sub(state.turn.fights);
    let is_magic = played.is_some_and(|card| card.magic().is_some());
    attacks > 0 && (is_magic || spends && attacks >= left.into())
}

fn has_cost(state: &State, act: &Declaration) -> bool {
    let source = named(act, "source").and_then(|id| Unit::find(&id));
    let cost = |unit: &Unit| Some(ability(state, state.turn.seat, unit)?.cost);
    source.as_ref().and_then(cost).is_some_and(|cost| cost != Cost::default())
}
