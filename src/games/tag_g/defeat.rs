//! T6: defeat, and the end of the game.

use super::happening::Happening;
use super::options::Team;
use super::piles;
use super::state::{GameResult, Referee, State, Way, WindowStage};
use super::things::{Aim, Unit};
use crate::cards::deck::{counted, distinct};
use rules::{Place, Seat};

/// T6.1: defeats the players who could not move a card from stamina, all at the same moment.
pub(super) fn settle(state: &mut State, referee: &mut Referee<'_>) {
    let mut fallen = distinct(std::mem::take(&mut state.falling));
    fallen.retain(|seat| state.is_living(*seat));
    defeat(state, &fallen, false, referee);
}

/// T6.1: a player gives up.
pub(super) fn concede(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("T10.7");
    defeat(state, &[seat], true, referee);
}

fn defeat(state: &mut State, fallen: &[Seat], conceded: bool, referee: &mut Referee<'_>) {
    if fallen.is_empty() {
        return;
    }
    referee.cite("T6.1");
    for seat in fallen {
        state.players[*seat].defeated = true;
        referee.tell(Happening::Fell { seat: *seat, conceded });
    }
    check(state, referee);
    for seat in fallen {
        clear(state, *seat, referee);
    }
}

/// T6.3, T6.4: what a defeated player leaves.
fn clear(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    referee.cite("T6.3");
    let heir = heir(state, seat);
    let units: Vec<Unit> = state.field.iter().map(|permanent| permanent.unit).collect();
    for unit in units {
        let Some(permanent) = state.permanent_mut(unit) else { continue };
        if permanent.worn_by == Some(seat) {
            piles::leave(state, unit);
        } else if permanent.controller == seat {
            match heir {
                Some(heir) => {
                    permanent.controller = heir;
                    permanent.let_go = false;
                    referee.tell(Happening::Inherited { seat: heir, unit });
                }
                None => piles::leave(state, unit),
            }
        }
    }
    referee.cite("T6.4");
    let player = &mut state.players[seat];
    player.healed = 0;
    let piles = [&mut player.stamina, &mut player.hand, &mut player.damage, &mut player.resentment];
    let gone: Vec<_> = piles.into_iter().flat_map(std::mem::take).collect();
    player.gone.extend(gone);
    state.lasting.retain(|lasting| lasting.on != Aim::Character(seat));
    if state.turn.seat == seat {
        // T6.4: a defeat in one's own turn ends it.
        state.turn.attacks.clear();
        state.turn.discards.clear();
    }
}

/// T6.4: the next undefeated partner.
fn heir(state: &State, seat: Seat) -> Option<Seat> {
    let members = state.members(state.team(seat));
    let place = members.iter().position(|member| *member == seat)?;
    let (before, after) = members.split_at(place);
    after.iter().chain(before).copied().find(|member| state.is_living(*member))
}

/// T6.2: ends the game if at most one side has an undefeated player.
fn check(state: &mut State, referee: &mut Referee<'_>) {
    let sides = state.options.format.teams().iter().copied();
    let living: Vec<Team> = sides.filter(|team| !state.living(*team).is_empty()).collect();
    let result = match living[..] {
        [] => GameResult { winner: None, way: Way::Draw },
        [winner] => GameResult { winner: Some(winner), way: Way::LastSide },
        _ => return,
    };
    if state.result.is_some() {
        return;
    }
    referee.cite("T6.2");
    state.result = Some(result);
}

/// T6.2: tells the result, once the game is over.
pub(super) fn conclude(state: &mut State, referee: &mut Referee<'_>) {
    let (Some(GameResult { winner, way }), true) = (state.result, state.stage != WindowStage::Over)
    else {
        return;
    };
    state.stage = WindowStage::Over;
    let opener = state.teams.first().copied().unwrap_or(Team::A);
    referee.tell(Happening::Ended { winner, way, turns: state.turn.number, opener });
    for (seat, player) in state.players.iter().filter(|(_, it)| !it.own_deck.is_empty()) {
        let Some(character) = player.character else { continue };
        let (deck, cards) = (player.deck, counted(&player.own_deck));
        referee.cite("T2.1");
        referee.tell(Happening::DeckShown { seat, character, deck, cards });
    }
}

impl State {
    /// Ends the game in its current state.
    pub(super) fn finish(&mut self) {
        if self.stage != WindowStage::Over {
            self.result = self.result.or_else(|| Some(by_count(self)));
            self.stage = WindowStage::Over;
        }
    }
}

/// The result by the current count: more players undefeated, then more stamina.
fn by_count(state: &State) -> GameResult {
    let count = |team: &Team| {
        let living = state.living(*team);
        let stamina: usize = living.iter().map(|seat| state.players[*seat].stamina.len()).sum();
        (living.len(), stamina)
    };
    let teams = state.options.format.teams();
    let most = teams.iter().map(count).max();
    let best: Vec<&Team> = teams.iter().filter(|team| Some(count(team)) == most).collect();
    match best[..] {
        [winner] => GameResult { winner: Some(*winner), way: Way::Count },
        _ => GameResult { winner: None, way: Way::Draw },
    }
}

/// `None` until the game is over; otherwise the standing: the players of the winning side share the first
/// rank, all players in a draw.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    if state.stage != WindowStage::Over {
        return None;
    }
    let winner = state.result.and_then(|result| result.winner);
    let places = state.players.iter().map(|(seat, player)| {
        let has_lost = winner.is_some_and(|team| team != state.team(seat));
        let score = i64::try_from(player.stamina.len()).ok();
        Place { seat, rank: if has_lost { 2 } else { 1 }, score }
    });
    Some(places.collect())
}
