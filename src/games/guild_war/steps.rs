//! W5 and W6: a step, from the declaration to the resolution; and W2.2, a guild that uses no card.

use super::actions::{self, Occasion, spend};
use super::deeds::{Action, Deed};
use super::edition::EDITION;
use super::happening::Happening;
use super::resolve::{self, Doing};
use super::set::Scope;
use super::state::{Guild, Referee, SeatList, State, WindowStage};
use super::verbs::by_die;
use super::{rest, winning};
use rules::{Key, Label, Play, Seat};

/// W5.1: asks a member for its action in the step of its guild.
pub(super) fn declare(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    state.characters[seat].plan = actions::ask(state, seat, Occasion::Step, referee)?;
    Ok(())
}

/// W6.1: asks a member for its response.
pub(super) fn respond(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let sealed = actions::ask(state, seat, Occasion::Response, referee)?;
    if !referee.takes_notes() {
        state.characters[seat].sealed = sealed;
        return Ok(());
    }
    let guild = Guild::of(seat).other();
    let before = resolve::foreseen(state, guild, referee);
    state.characters[seat].sealed = sealed;
    state.foreseen = resolve::foreseen(state, guild, referee);
    if let Some(card) = sealed.and_then(|action| action.deed.card()) {
        actions::note_response(card, &before, &state.foreseen, referee);
    }
    Ok(())
}

/// Opens a step, and closes it immediately if no character can act.
pub(super) fn open(state: &mut State, second: bool, referee: &mut Referee<'_>) {
    state.stage = WindowStage::Step { second };
    if !is_anybody_asked(state) {
        close(state, second, referee);
    }
}

fn is_anybody_asked(state: &State) -> bool {
    state.asked().iter().any(|(_, asked)| *asked)
}

/// W5.1, W5.5: spends and publishes the declared actions; then the other guild may respond.
pub(super) fn close(state: &mut State, second: bool, referee: &mut Referee<'_>) {
    referee.cite("W5.1");
    let guild = state.acting(second);
    let bot = play_for_absent(state, guild, referee);
    cite_idle(state, guild, referee);
    for seat in state.members(guild) {
        if let Some(action) = state.characters[seat].plan {
            if action.deed == Deed::Normal {
                referee.cite("W5.4");
            }
            spend(state, seat, action);
            state.characters[seat].used = true;
            referee.tell(Happening::declared(seat, action, bot == Some(seat)));
        }
    }
    let is_declared = !resolve::plans(state, guild).is_empty();
    state.stage = WindowStage::Response { second };
    referee.cite("W5.5");
    if is_declared && is_anybody_asked(state) {
        return;
    }
    resolve(state, second, referee);
}

/// W7.7, W9.1: cites the clauses of idle members: unable to act, or without a declaration.
fn cite_idle(state: &State, guild: Guild, referee: &mut Referee<'_>) {
    for seat in state.standing(guild) {
        if !state.is_able(seat) {
            referee.cite("W7.7");
        } else if state.is_free(seat) && state.characters[seat].plan.is_none() {
            referee.cite("W9.1");
        }
    }
}

/// W6.1: spends and publishes the responses, and resolves the step.
pub(super) fn resolve(state: &mut State, second: bool, referee: &mut Referee<'_>) {
    let guild = state.acting(second);
    let mut responses = Vec::new();
    for seat in state.members(guild.other()) {
        if let Some(action) = state.characters[seat].sealed.take() {
            for clause in ["W5.2", "W6.1", "W6.2"] {
                referee.cite(clause);
            }
            spend(state, seat, action);
            state.characters[seat].used = true;
            let Action { deed, target, .. } = action;
            referee.tell(Happening::Responded { seat, deed, target });
            responses.push(Doing { seat, action });
        }
    }
    let plans = resolve::plans(state, guild);
    resolve::step(state, &plans, &responses, referee);
    for seat in state.members(guild) {
        state.characters[seat].plan = None;
    }
    if winning::check_downs(state, referee) {
        return;
    }
    if second {
        end_frame(state, referee);
    } else {
        open(state, true, referee);
    }
}

/// W2.2: ends the frame, or the game if a guild has lost its frame; after the last frame the result is
/// counted (W2.3).
fn end_frame(state: &mut State, referee: &mut Referee<'_>) {
    let most = state.options.absences.get();
    let is_lost = |guild: &Guild| state.absences[guild.index()] >= most;
    let lost: Vec<Guild> = Guild::ALL.iter().copied().filter(is_lost).collect();
    if !lost.is_empty() {
        winning::check_frame(state, &lost, referee);
    } else if state.frame >= EDITION.frames.last {
        winning::count(state, referee);
    } else {
        rest::begin(state, referee);
    }
}

/// W2.2: plays a card for a guild whose members have used none in this frame. Returns the member that plays
/// it.
fn play_for_absent(state: &mut State, guild: Guild, referee: &mut Referee<'_>) -> Option<Seat> {
    let has_acted = |seat: &Seat| {
        let character = &state.characters[*seat];
        character.used || character.plan.is_some()
    };
    let able: SeatList =
        state.standing(guild).into_iter().filter(|seat| state.is_able(*seat)).collect();
    if state.members(guild).iter().any(has_acted) {
        state.absences[guild.index()] = 0;
        return None;
    }
    // W2.2: a guild that cannot act is exempt in this frame.
    referee.cite("W2.2");
    if able.is_empty() {
        return None;
    }
    let first = able.into_iter().find(|seat| actions::is_possible(state, *seat));
    let times = &mut state.absences[guild.index()];
    let most = state.options.absences.get();
    *times = if first.is_some() { *times + 1 } else { most };
    let (times, lost) = (*times, *times >= most);
    referee.tell(Happening::WasAbsent { guild, times, lost });
    let seat = first?;
    state.characters[seat].plan = Some(bot_action(state, seat, referee));
    Some(seat)
}

/// W2.2: the action for an absent guild: a normal attack with a set weapon, else the first skill or item,
/// else a normal attack with a card discarded by die.
fn bot_action(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Action {
    let character = &state.characters[seat];
    let is_armed = character.weapon().is_some() && actions::may_attack(state, seat);
    let first = actions::usable(state, seat, Occasion::Step).first().copied();
    let deed = first.filter(|_| !is_armed).map_or(Deed::Normal, Deed::Card);
    if deed != Deed::Normal {
        referee.cite("W11.7");
    }
    let scope = match deed {
        Deed::Card(card) => card.usable().map(|usable| usable.scope),
        Deed::Normal => Some(Scope::OneEnemy),
    };
    let die = |name: &'static str| Label::of(seat, Key::new("absent", name));
    let target = scope
        .filter(|scope| scope.is_single())
        .and_then(|scope| by_die(&die("target"), &actions::targets(state, seat, scope), referee));
    let discarded = if deed == Deed::Normal && !is_armed {
        by_die(&die("discard"), &character.sorted_hand(), referee)
    } else {
        None
    };
    Action { deed, target, discarded }
}
