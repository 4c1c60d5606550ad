//! P7.2 to P7.4: the winners of a game, and P8: the set.

use super::cards::{Card, Life};
use super::edition::EDITION;
use super::happening::Happening;
use super::options::BetrayalWithFour;
use super::setup;
use super::state::{Player, Referee, State, WindowStage, Winner, WinningWay};
use rules::{BySeat, Place, Seat};

/// P7.4: true if the game is over, which is recorded. The caller then stops, and the game ends at the close
/// of the window.
pub(super) fn check(state: &mut State, referee: &mut Referee<'_>) -> bool {
    if matches!(state.stage, WindowStage::Over | WindowStage::Won) {
        return true;
    }
    referee.cite("P7.4");
    let Some(winners) = winners(state) else { return false };
    referee.cite("P7.2");
    referee.cite("P7.3");
    let by_deaths = |winner: &Winner| winner.way == WinningWay::Betrayal;
    if counts_all_deaths(state) && winners.iter().any(by_deaths) {
        referee.cite("P9.7");
    }
    win(state, winners);
    true
}

/// Ends the game with these winners.
pub(super) fn win(state: &mut State, winners: Vec<Winner>) {
    state.winners = winners;
    state.stage = WindowStage::Won;
}

/// P8: concludes a game: adds its points, and deals the next one of the set.
pub(super) fn conclude(state: &mut State, referee: &mut Referee<'_>) {
    if state.stage != WindowStage::Won {
        return;
    }
    referee.cite("P8.2");
    referee.cite("P9.1");
    let winners = state.winners.clone();
    for winner in &winners {
        state.players[winner.seat].points += winner.points;
    }
    if winners.is_empty() {
        for (_, player) in state.players.iter_mut() {
            player.points += EDITION.points.no_game;
        }
    }
    let sides = state.players.iter().map(|(_, player)| player.life()).collect();
    referee.tell(Happening::GameEnded { game: state.game, winners, sides });
    if state.game < state.options.games.get() {
        referee.cite("P8.1");
        state.game += 1;
        setup::deal(state, referee);
    } else {
        state.stage = WindowStage::Over;
    }
}

/// `None` if nobody has won yet; otherwise the winners of the game, empty if it ends without any.
fn winners(state: &State) -> Option<Vec<Winner>> {
    let own = state.players.map(|seat, player| best_way(state, seat, player));
    let nobody_lives = state.players.iter().all(|(_, player)| !player.is_alive());
    if nobody_lives {
        return Some(Vec::new());
    }
    if own.iter().all(|(_, way)| way.is_none()) {
        return None;
    }
    let has = |life| own.iter().any(|(seat, way)| way.is_some() && side(state, seat) == Some(life));
    let (red, blue) = (has(Life::Red), has(Life::Blue));
    let black = has(Life::Black) || has(Life::Gray);
    let wins = |seat: Seat| match side(state, seat) {
        Some(Life::Red) => red,
        Some(Life::Blue) => blue,
        Some(Life::Black | Life::Gray) => black,
        Some(Life::Purple) => state.players[seat].is_alive() && (red || blue),
        None => false,
    };
    let seats: Vec<Seat> =
        state.players.seats().filter(|seat| own[*seat].is_some() || wins(*seat)).collect();
    Some(seats.iter().map(|seat| winner(*seat, &own, seats.len())).collect())
}

fn side(state: &State, seat: Seat) -> Option<Life> {
    state.players[seat].life()
}

fn winner(seat: Seat, own: &BySeat<Option<WinningWay>>, winners: usize) -> Winner {
    let way = own[seat].unwrap_or(WinningWay::Side);
    let alone = if winners == 1 { EDITION.points.alone } else { 0 };
    Winner { seat, way, points: points(way) + alone }
}

/// P9.1: the points of a way of winning.
fn points(way: WinningWay) -> u8 {
    let points = &EDITION.points;
    match way {
        WinningWay::Virtue => points.virtue,
        WinningWay::Money => points.money,
        WinningWay::Greats => points.greats,
        WinningWay::Betrayal => points.betrayal,
        WinningWay::Side => points.side,
    }
}

/// P7.2: the best condition that a player meets (P9.17); `None` for the dead.
fn best_way(state: &State, seat: Seat, player: &Player) -> Option<WinningWay> {
    let ways = &EDITION.ways;
    let met = |way: &WinningWay| match way {
        WinningWay::Virtue => {
            player.count(Card::is_boss) > 0
                && player.count(|card| card == Card::Gangster) >= ways.gangsters
        }
        WinningWay::Money => player.count(|card| card == Card::Money) >= ways.money,
        WinningWay::Greats => {
            let greats = [Card::Killer, Card::Hero, Card::Beauty];
            state.round >= ways.greats_from_round && greats.iter().all(|card| player.holds(*card))
        }
        WinningWay::Betrayal => side(state, seat) == Some(Life::Black) && has_betrayed(state),
        WinningWay::Side => false,
    };
    let met = WinningWay::ALL.iter().copied().filter(|way| player.is_alive() && met(way));
    met.max_by_key(|way| points(*way))
}

/// P7.2, P9.7: true if enough players have died for BLACK.
fn has_betrayed(state: &State) -> bool {
    deaths(state) >= EDITION.ways.deaths
}

/// The number of deaths that count for BLACK.
pub(super) fn deaths(state: &State) -> usize {
    let counts = |player: &Player| match player.lost {
        Some(Life::Red | Life::Blue) => true,
        Some(Life::Purple) => counts_all_deaths(state),
        _ => false,
    };
    state.players.iter().filter(|(_, player)| counts(player)).count()
}

/// P9.7: true if PURPLE's death counts too, with four players.
fn counts_all_deaths(state: &State) -> bool {
    state.players.count() == 4 && state.options.betrayal_with_four == BetrayalWithFour::All
}

/// True if one more card would win the game for a player by their own condition (P7.2).
pub(super) fn would_win_with(state: &State, seat: Seat, card: Card) -> bool {
    let mut imagined = state.players[seat].clone();
    imagined.hand.push(Some(card));
    best_way(state, seat, &imagined).is_some()
}

/// P7.4, P8: `None` until the end. All winners of a game share the first rank; the players of a set rank by
/// points.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    let is_set = state.options.games.get() > 1;
    let has_won = |seat: Seat| state.winners.iter().any(|winner| winner.seat == seat);
    let worth = |seat: Seat, points: u8| if is_set { points } else { u8::from(has_won(seat)) };
    let place = |(seat, player): (Seat, &Player)| {
        let own = worth(seat, player.points);
        let others = state.players.iter();
        let better = others.filter(|(seat, player)| worth(*seat, player.points) > own).count();
        let rank = u8::try_from(better + 1).expect("few play");
        Place { seat, rank, score: Some(player.points.into()) }
    };
    (state.stage == WindowStage::Over).then(|| state.players.iter().map(place).collect())
}
