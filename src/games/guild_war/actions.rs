//! W5 and W6: actions in a step, and in response to one; and the notes on their effects, before a seal.

use super::deeds::{Action, Deed};
use super::effects::{Duration, Effect, Stat};
use super::forecast::{Forecast, Verdict};
use super::resolve::{self, Covers, Doing};
use super::set::{Card, CardKind, Line, Scope};
use super::state::{Guild, Modifier, Referee, SeatList, State, WindowStage};
use crate::bars::{self, Hindrance};
use crate::cards::deck::distinct;
use rules::{Ask, Key, Play, Reason, Seat};

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

/// The cards of the hand and the set items, in the order of the set (W11.7).
fn held(state: &State, seat: Seat) -> Vec<Card> {
    let character = &state.characters[seat];
    let items = character.gear.iter().copied().filter(|card| card.is_item());
    distinct(character.cards().chain(items))
}

/// The cards that can be used, in the order of the set (W11.7).
pub(super) fn usable(state: &State, seat: Seat, when: Occasion) -> Vec<Card> {
    let is_usable = |card: &Card| hindrance(state, seat, *card, when).is_none();
    held(state, seat).into_iter().filter(is_usable).collect()
}

/// W5.4: true if a normal attack can be made, with a weapon or with a card to discard.
pub(super) fn may_attack(state: &State, seat: Seat) -> bool {
    let character = &state.characters[seat];
    let has_means = character.weapon().is_some() || !character.hand.is_empty();
    has_means && !aims(state, seat).is_empty()
}

/// True if a character has a card that it can legally use.
pub(super) fn is_possible(state: &State, seat: Seat) -> bool {
    may_attack(state, seat) || !usable(state, seat, Occasion::Step).is_empty()
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
    let deeds = held(state, seat).into_iter().map(Deed::Card).chain([Deed::Normal]);
    let (deeds, bars) = bars::split(deeds, |deed| match deed {
        Deed::Card(card) => hindrance(state, seat, card, when),
        Deed::Normal => no_normal_attack(state, seat, when),
    });
    let question = Ask::new(key.clone(), when.clause()).or_nothing();
    let Some(deed) = referee.choose_barring(seat, &question, &deeds, &bars)? else {
        if when == Occasion::Step {
            note_pass(state, seat, &question, referee);
        }
        return Ok(None);
    };
    let scope = deed.scope();
    let target = if scope.is_single() {
        let question = Ask::new(key.named("target"), "W9.2");
        referee.choose(seat, &question, &targets(state, seat, scope))?
    } else {
        None
    };
    let discarded = discarded(state, seat, deed, &key, referee)?;
    let action = Action { deed, target, discarded };
    note_action(state, seat, when, action, &question, referee);
    Ok(Some(action))
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
    let question = Ask::new(key.named("discard"), "W5.4");
    let discarded = referee.choose(seat, &question, &character.sorted_hand())?;
    if let Some(card) = discarded.filter(|card| card.usable().is_some()) {
        referee.note_on(&question, Reason::noted("discards", &[card]), "W5.4");
    }
    Ok(discarded)
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

/// The word and the clause of a note on an effect that would change nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Vain(&'static str, &'static str);

/// W2.2: notes what a pass means for a guild that has used no card in this frame.
fn note_pass(state: &State, seat: Seat, ask: &Ask, referee: &mut Referee<'_>) {
    if !referee.takes_notes() {
        return;
    }
    let guild = Guild::of(seat);
    let is_used = state.members(guild).iter().any(|seat| state.characters[*seat].used);
    if !is_used && is_possible(state, seat) {
        let is_last = state.absences[guild.index()] + 1 >= state.options.absences.get();
        let nobody: &[Card] = &[];
        let note = if is_last {
            Reason::noted("frame-is-lost", nobody)
        } else {
            Reason::noted("bot-plays", nobody)
        };
        referee.note_on(ask, note, "W2.2");
    }
}

/// Notes the effects of an action that would change nothing.
fn note_action(
    state: &State,
    seat: Seat,
    when: Occasion,
    action: Action,
    ask: &Ask,
    referee: &mut Referee<'_>,
) {
    if !referee.takes_notes() {
        return;
    }
    // A guild of several sees in its plan what its attacks come to together.
    let is_alone = state.members(Guild::of(seat)).len() == 1;
    if let Some((power, agi)) = miss(state, seat, action).filter(|_| is_alone) {
        let cards: Vec<Card> = action.deed.card().into_iter().collect();
        let Vain(word, clause) = Vain("misses", "W7.4");
        referee.note_on(ask, Reason::noted(&format!("{word} {power} {agi}"), &cards), clause);
    }
    let Some((card, usable)) = action.deed.card().and_then(|card| Some((card, card.usable()?)))
    else {
        return;
    };
    // A target that is left out goes by die.
    let on = match action.target {
        None if usable.scope.is_single() => targets(state, seat, usable.scope),
        _ => resolve::reached(state, Doing { seat, action }, usable.scope),
    };
    let mut notes: Vec<Vain> = Vec::new();
    for effect in &usable.effects {
        let vain = |on: &Seat| vain(state, seat, when, *on, effect);
        let all: Option<Vec<Vain>> = on.iter().map(vain).collect();
        notes.extend(all.and_then(|all| all.first().copied()));
    }
    notes.dedup();
    for Vain(why, clause) in notes {
        referee.note_on(ask, Reason::noted(why, &[card]), clause);
    }
}

/// W7.3: notes that the attacks cost as many HP with a response as without.
pub(super) fn note_response(
    card: Card,
    before: &[Forecast],
    after: &[Forecast],
    referee: &mut Referee<'_>,
) {
    let costs = |all: &[Forecast]| -> Vec<(Seat, u8)> {
        all.iter().map(|pool| (pool.on, pool.judged.damage)).filter(|(_, cost)| *cost > 0).collect()
    };
    let key = Key::new(Occasion::Response.section(), "card");
    let ask = Ask::new(key, Occasion::Response.clause());
    if costs(before) == costs(after) && !referee.has_note(&ask) {
        referee.note_on(&ask, Reason::noted("costs-the-same", &[card]), "W7.3");
    }
}

/// W7.4: the power of an attack that misses on its own, and the AGI that it does not exceed; `None` for one
/// that hits anybody.
fn miss(state: &State, seat: Seat, action: Action) -> Option<(i16, i16)> {
    let pools = resolve::foreseen_pools(state, &[Doing { seat, action }], &Covers::new());
    let judged: Vec<_> = pools.iter().map(|pool| resolve::judge(state, pool)).collect();
    let misses = judged.iter().all(|judged| judged.verdict == Verdict::Miss);
    judged.first().filter(|_| misses).map(|judged| (judged.power, judged.agi))
}

/// The reason why an effect on a character would change nothing now; `None` if it would change something.
fn vain(state: &State, by: Seat, when: Occasion, on: Seat, effect: &Effect) -> Option<Vain> {
    let character = &state.characters[on];
    let now = state.now();
    let lasts = |until: Duration| if until == Duration::Step { now } else { now.of_next_frame() };
    match *effect {
        Effect::Attack(_) | Effect::Poison { .. } => None,
        Effect::Modify { stat, until: Duration::Step, .. } if !counts(state, when, on, stat) => {
            Some(Vain("not-in-this-step", "W7.8"))
        }
        Effect::Modify { stat, until: Duration::Step, .. }
            if when == Occasion::Response && is_defence(stat) && !is_attacked(state, on, false) =>
        {
            Some(Vain("not-attacked", "W7.1"))
        }
        Effect::Modify { stat, amount, .. } => {
            (amount < 0 && state.stat(on, stat) == 0).then_some(Vain("no-lower", "W12.2"))
        }
        Effect::Heal { .. } if character.hp.len() >= character.vit() => {
            Some(Vain("heals-nothing", "W12.3"))
        }
        Effect::Heal { .. } | Effect::Draw { .. } => {
            let clause = if matches!(effect, Effect::Draw { .. }) { "W12.4" } else { "W12.3" };
            character.deck.is_empty().then_some(Vain("empty-deck", clause))
        }
        Effect::Discard { .. } => {
            character.hand.is_empty().then_some(Vain("nothing-to-discard", "W12.5"))
        }
        Effect::Disable { until } => {
            let is_longer = character.disabled.is_some_and(|before| before >= lasts(until));
            is_longer.then_some(Vain("disabled-already", "W12.6"))
        }
        Effect::Hide { until } => {
            let is_longer = character.hidden.is_some_and(|before| before >= lasts(until));
            is_longer.then_some(Vain("hidden-already", "W12.7"))
        }
        Effect::Cover if when == Occasion::Step => Some(Vain("not-in-this-step", "W12.8")),
        Effect::Cover if on == by => Some(Vain("covers-oneself", "W12.8")),
        Effect::Cover => (!is_attacked(state, on, true)).then_some(Vain("not-attacked", "W12.8")),
        Effect::Break => {
            let has_any = character.gear.iter().any(|card| card.equipment().is_some());
            (!has_any).then_some(Vain("nothing-to-break", "W12.9"))
        }
        Effect::Cleanse => {
            let lowered = |change: &Modifier| change.amount < 0 && change.until >= now;
            let is_afflicted = character.disabled.is_some_and(|until| until >= now)
                || !character.poison.is_empty()
                || character.modifiers.iter().any(lowered);
            (!is_afflicted).then_some(Vain("nothing-to-cleanse", "W12.11"))
        }
    }
}

fn is_defence(stat: Stat) -> bool {
    matches!(stat, Stat::Def | Stat::Agi)
}

/// W7.8: true if a value that is changed for this step alone counts in it: DEF and AGI of those who can be
/// attacked, ATK and MATK of those who attack.
fn counts(state: &State, when: Occasion, on: Seat, stat: Stat) -> bool {
    match (when, state.stage) {
        (
            Occasion::Step | Occasion::Response,
            WindowStage::Step { second } | WindowStage::Response { second },
        ) => (Guild::of(on) == state.acting(second)) != is_defence(stat),
        _ => false,
    }
}

/// W5.5: true if one of the declared attacks is on this character; `alone` leaves out those on everybody.
fn is_attacked(state: &State, on: Seat, alone: bool) -> bool {
    let WindowStage::Response { second } = state.stage else { return true };
    let is_meant = |doing: &Doing| !alone || doing.action.deed.scope().is_single();
    let plans = resolve::plans(state, state.acting(second));
    let plans: Vec<Doing> = plans.into_iter().filter(is_meant).collect();
    let pools = resolve::foreseen_pools(state, &plans, &Covers::new());
    pools.iter().any(|pool| pool.on == on)
}
