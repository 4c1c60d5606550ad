//! E6: scoring, A + B + C + D.

use arrayvec::ArrayVec;

use super::cards::{EventCard, Slot};
use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Film, Referee, Score, State};
use rules::{Place, Seat};

/// E6.1, E6.2, E6.4, E5.2: the parts of the score that a release in this turn fixes (E3.9).
pub(super) fn film(state: &State, seat: Seat, turn: u8, title: Option<String>) -> Film {
    let player = &state.players[seat];
    let numbers: ArrayVec<u8, 5> =
        Slot::ALL.iter().filter_map(|slot| player.number(*slot)).collect();
    let scoring = &EDITION.scoring;
    let tie_ins = i16::from(player.count(EventCard::TieIn)) * scoring.tie_in;
    Film {
        title,
        turn,
        corrected: i16::from(turn) - i16::from(player.count(EventCard::Rush)) * scoring.rush,
        sum: numbers.iter().map(|&number| i16::from(number)).sum(),
        bonus: bonus(&numbers),
        events: tie_ins - promoters(state, seat),
    }
}

/// E5.14: the sum of the declared numbers of a player's promoters, on any field.
pub(super) fn promoters(state: &State, seat: Seat) -> i16 {
    let placed = state.players.iter().flat_map(|(_, player)| player.slots.iter().flatten());
    placed
        .filter(|placed| placed.promoter == Some(seat))
        .map(|placed| i16::from(placed.number))
        .sum()
}

/// E6.2: the best combination of equal numbers.
pub(super) fn bonus(numbers: &[u8]) -> i16 {
    let mut sizes = [0_u8; 6];
    for (index, number) in numbers.iter().enumerate() {
        // Each number is counted at its first position.
        if !numbers[..index].contains(number) {
            let alike = numbers[index..].iter().map(|other| usize::from(other == number));
            sizes[alike.sum::<usize>()] += 1;
        }
    }
    let groups = |size: usize| sizes[size];
    let scoring = &EDITION.scoring;
    match (groups(5), groups(4), groups(3), groups(2)) {
        (1, ..) => scoring.five_of_a_kind,
        (_, 1, ..) => scoring.four_of_a_kind,
        (_, _, 1, 1) => scoring.full_house,
        (_, _, 1, _) => scoring.three_of_a_kind,
        (_, _, _, 2) => scoring.two_pair,
        (_, _, _, 1) => scoring.one_pair,
        _ => 0,
    }
}

/// Returns the score of a player's film, or of their field if it were released now; `None` for an empty field.
pub(super) fn worth(state: &State, seat: Seat) -> Option<Score> {
    let player = &state.players[seat];
    if player.film.is_none() && player.occupied().is_empty() {
        return None;
    }
    let film = player.film.clone().unwrap_or_else(|| film(state, seat, state.turn, None));
    let first = first_release(state).map_or(film.corrected, |first| first.min(film.corrected));
    Some(score(seat, Some(&film), first, player.adjusted))
}

/// E6.3: the earliest corrected turn of a release; `None` before the first.
fn first_release(state: &State) -> Option<i16> {
    let films = state.players.iter().filter_map(|(_, player)| player.film.as_ref());
    films.map(|film| film.corrected).min()
}

/// The score of a player without its rank; lateness counts from the turn `first` (E6.3).
fn score(seat: Seat, film: Option<&Film>, first: i16, adjusted: i16) -> Score {
    let (a, b, c, d, adjusted) = film.map_or_else(Default::default, |film| {
        let late = (film.corrected - first) * EDITION.scoring.late;
        (film.sum, film.bonus, late, film.events, adjusted)
    });
    let total = a + b + c + d + adjusted;
    Score { seat, rank: 0, film: film.is_some(), a, b, c, d, adjusted, total }
}

/// E6: the scores of all players, best first.
pub(super) fn scores(state: &State) -> ArrayVec<Score, 6> {
    let first = first_release(state).unwrap_or_default();
    let players = state.players.iter();
    let mut scores: ArrayVec<Score, 6> = players
        .map(|(seat, player)| score(seat, player.film.as_ref(), first, player.adjusted))
        .collect();
    // E6.5: players without a film rank below all others.
    scores.sort_by_key(|score| (!score.film, -score.total, score.seat));
    // If no player has a film, all share the last rank.
    let nobody = scores.iter().all(|score| !score.film);
    for index in 0..scores.len() {
        let here = scores[index];
        let before = index.checked_sub(1).map(|before| scores[before]);
        scores[index].rank = match before {
            _ if nobody => u8::try_from(scores.len()).expect("at most six"),
            Some(before) if (before.film, before.total) == (here.film, here.total) => before.rank,
            _ => u8::try_from(index + 1).expect("at most six"),
        };
    }
    scores
}

/// `None` until the game is over; otherwise the final standing.
pub(super) fn standing(state: &State) -> Option<Vec<Place>> {
    let place = |score: &Score| Place {
        seat: score.seat,
        rank: score.rank,
        score: score.film.then(|| i64::from(score.total)),
    };
    state.over.then(|| scores(state).iter().map(place).collect())
}

/// E6: records the scores, and cites the clauses that counted in them.
pub(super) fn tell(state: &State, referee: &mut Referee<'_>) {
    let scores = scores(state);
    let any = |test: fn(&Score) -> bool| scores.iter().any(test);
    let alike = |a: &Score, b: &Score| a.rank == b.rank && a.seat != b.seat;
    let shared = scores.iter().any(|a| scores.iter().any(|b| alike(a, b)));
    let laid = |card| {
        state.players.iter().any(|(_, player)| player.film.is_some() && player.count(card) > 0)
    };
    for (clause, met) in [
        ("E6.1", any(|score| score.film)),
        ("E6.2", any(|score| score.b > 0)),
        ("E6.3", any(|score| score.c != 0)),
        ("E6.4", any(|score| score.film)),
        ("E5.10", state.players.iter().any(|(_, player)| !player.awarded().is_empty())),
        ("E5.14", state.players.seats().any(|seat| promoters(state, seat) > 0)),
        ("E4.7", any(|score| score.adjusted != 0)),
        ("E6.5", any(|score| !score.film)),
        ("E6.6", shared),
        ("E5.1", laid(EventCard::TieIn)),
        ("E5.2", laid(EventCard::Rush)),
    ] {
        if met {
            referee.cite(clause);
        }
    }
    referee.tell(Happening::Scored { scores });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E6.2: each row of the table, and numbers without a combination.
    #[test]
    fn the_best_combination_counts() {
        for (numbers, expected) in [
            (&[4, 4, 4, 4, 4][..], 70),
            (&[4, 4, 4, 4, 1], 50),
            (&[4, 4, 4, 4], 50),
            (&[3, 3, 5, 5, 5], 40),
            (&[3, 5, 5, 5], 30),
            (&[3, 3, 5, 5, 6], 20),
            (&[3, 3, 5, 6, 1], 10),
            (&[8, 8, 1, 2], 10),
            (&[1, 2, 3, 4, 5], 0),
        ] {
            assert_eq!(bonus(numbers), expected, "{numbers:?}");
        }
    }
}
