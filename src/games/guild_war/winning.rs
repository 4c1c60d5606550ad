//! W2: how a game is won.

use serde::{Deserialize, Serialize};

use super::happening::Happening;
use super::state::{Guild, Referee, State, WindowStage};
use crate::pieces::pieces;
use rules::Place;

pieces! {
    /// How a game has ended.
    WinningWay {
        /// W2.1: all of a guild are down.
        AllDown => "all-down",
        /// W2.2: a guild could not connect its frame.
        FrameLost => "frame-lost",
        /// W2.3: fewer are down.
        FewerDown => "fewer-down",
        /// W2.3: fewer HP are lost.
        LessLoss => "less-loss",
        /// W2.3: a draw.
        Draw => "draw",
    }
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// None in a draw.
    pub winner: Option<Guild>,
    pub way: WinningWay,
}

/// W2.1: ends the game if all of a guild are down; true if it has ended.
pub(super) fn check_downs(state: &mut State, referee: &mut Referee<'_>) -> bool {
    let is_down = |guild: Guild| state.standing(guild).is_empty();
    let result =
        match Guild::ALL.iter().copied().filter(|guild| is_down(*guild)).collect::<Vec<_>>()[..] {
            [] => return false,
            [lost] => GameResult { winner: Some(lost.other()), way: WinningWay::AllDown },
            _ => {
                referee.cite("W2.3");
                GameResult { winner: None, way: WinningWay::Draw }
            }
        };
    referee.cite("W2.1");
    end(state, result, referee);
    true
}

/// W2.2: ends the game if a guild has lost its frame, after the second step.
pub(super) fn check_frame(state: &mut State, lost: &[Guild], referee: &mut Referee<'_>) {
    match lost {
        [] => {}
        [guild] => {
            let result = GameResult { winner: Some(guild.other()), way: WinningWay::FrameLost };
            end(state, result, referee);
        }
        _ => count(state, referee),
    }
}

/// W2.3: ends the game by what stands.
pub(super) fn count(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("W2.3");
    let result = by_count(state);
    end(state, result, referee);
}

/// W2.3: who is ahead as things stand.
pub(super) fn by_count(state: &State) -> GameResult {
    let downs =
        Guild::ALL.iter().map(|guild| state.members(*guild).len() - state.standing(*guild).len());
    let losses = Guild::ALL.iter().map(|guild| {
        let members = state.members(*guild);
        members.iter().map(|seat| state.characters[*seat].loss()).sum::<usize>()
    });
    let (downs, losses): (Vec<usize>, Vec<usize>) = (downs.collect(), losses.collect());
    let fewer = |counts: &[usize]| {
        let order = counts[0].cmp(&counts[1]);
        order.is_ne().then(|| if order.is_lt() { Guild::A } else { Guild::B })
    };
    match (fewer(&downs), fewer(&losses)) {
        (Some(guild), _) => GameResult { winner: Some(guild), way: WinningWay::FewerDown },
        (None, Some(guild)) => GameResult { winner: Some(guild), way: WinningWay::LessLoss },
        (None, None) => GameResult { winner: None, way: WinningWay::Draw },
    }
}

fn end(state: &mut State, result: GameResult, referee: &mut Referee<'_>) {
    state.result = Some(result);
    state.stage = WindowStage::Over;
    let GameResult { winner, way } = result;
    referee.tell(Happening::Ended { winner, way, frame: state.frame });
}

/// The members of the guild that has won share the first rank.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    if state.stage != WindowStage::Over {
        return None;
    }
    let winner = state.result.and_then(|result| result.winner);
    let places = state.characters.iter().map(|(seat, character)| {
        let has_lost = winner.is_some_and(|guild| guild != Guild::of(seat));
        let score = i64::try_from(character.hp.len()).ok();
        Place { seat, rank: if has_lost { 2 } else { 1 }, score }
    });
    Some(places.collect())
}
