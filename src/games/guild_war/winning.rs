//! W2: winning.

use super::happening::Happening;
use super::state::{GameResult, Guild, Referee, State, WindowStage, WinningWay};
use rules::Place;

/// W2.1: ends the game if all members of a guild are down. True if it has ended.
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

/// W2.2: ends the game after the second step if a guild has lost its frame.
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

/// W2.3: ends the game by the current count.
pub(super) fn count(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("W2.3");
    let result = state.by_count();
    end(state, result, referee);
}

fn end(state: &mut State, result: GameResult, referee: &mut Referee<'_>) {
    state.result = Some(result);
    state.stage = WindowStage::Over;
    let GameResult { winner, way } = result;
    referee.tell(Happening::Ended { winner, way, frame: state.frame });
}

/// `None` until the game is over. The members of the winning guild share the first rank, all players in a
/// draw.
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
