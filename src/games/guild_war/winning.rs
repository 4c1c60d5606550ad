//! W2: winning.

use super::happening::Happening;
use super::options::Games;
use super::prepare;
use super::state::{GameResult, Guild, Referee, State, WindowStage, WinningWay};
use crate::cards::deck::counted;
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

/// Ends the game with this result: the match goes on with the next game, or is over (W2.4).
fn end(state: &mut State, result: GameResult, referee: &mut Referee<'_>) {
    let GameResult { winner, way } = result;
    let (frame, opener) = (state.frame, state.opener);
    referee.tell(Happening::Ended { winner, way, frame, opener });
    state.played += 1;
    if let Some(guild) = winner {
        state.wins[guild.index()] += 1;
    }
    let most = state.options.games.most();
    let is_decided = state.wins.iter().any(|wins| 2 * wins > most);
    if state.played < most && !is_decided {
        referee.cite("W1.3");
        prepare::deal_again(state, referee);
        return;
    }
    state.stage = WindowStage::Over;
    state.result = Some(result);
    if most > 1 {
        referee.cite("W2.4");
        let drawn = GameResult { winner: None, way: WinningWay::Draw };
        let result = state.by_wins().unwrap_or(drawn);
        state.result = Some(result);
        referee.tell(Happening::MatchEnded { winner: result.winner, wins: state.wins });
    }
    show_decks(state, referee);
}

/// W13.6: shows the decks of the players' own.
fn show_decks(state: &State, referee: &mut Referee<'_>) {
    for (seat, character) in state.characters.iter().filter(|(_, it)| !it.own_deck.is_empty()) {
        referee.cite("W13.6");
        referee.tell(Happening::DeckShown { seat, cards: counted(&character.own_deck) });
    }
}

/// `None` until the match is over; otherwise the standing: the members of the winning guild share the first
/// rank, all players in a draw.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    if state.stage != WindowStage::Over {
        return None;
    }
    let winner = state.result.and_then(|result| result.winner);
    let places = state.characters.iter().map(|(seat, character)| {
        let has_lost = winner.is_some_and(|guild| guild != Guild::of(seat));
        let score = match state.options.games {
            Games::One => i64::try_from(character.hp.len()).ok(),
            Games::Three => Some(state.wins[Guild::of(seat).index()].into()),
        };
        Place { seat, rank: if has_lost { 2 } else { 1 }, score }
    });
    Some(places.collect())
}
