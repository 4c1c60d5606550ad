//! W4: the initiative of a frame.

use super::happening::{Die, Happening};
use super::state::{Guild, Order, Referee, State};
use rules::{Key, Label, Seat};

/// The faces of a die (W4.1).
const SIDES: u32 = 6;

/// The exclusive limit of throws while both guilds keep running out of dice (W4.2).
const MOST_THROWS: u8 = 40;

/// Throws for a new frame, and lets the winning guild choose.
pub(super) fn begin(state: &mut State, referee: &mut Referee<'_>) {
    referee.cite("W4.1");
    state.frame += 1;
    for (_, character) in state.characters.iter_mut() {
        (character.used, character.plan) = (false, None);
    }
    let (dice, chooser) = throw(state, referee);
    let chosen = state.orders[chooser.index()];
    referee.cite("W4.3");
    let order = chosen.unwrap_or_else(|| by_die(referee));
    state.first = match order {
        Order::First => chooser,
        Order::Second => chooser.other(),
    };
    if state.frame == 1 {
        state.opener = state.first;
    }
    let (frame, first, by_die) = (state.frame, state.first, chosen.is_none());
    referee.tell(Happening::FrameBegan { frame, dice, chooser, first, by_die });
}

/// W4.3: the order of a guild without a captain's choice.
fn by_die(referee: &mut Referee<'_>) -> Order {
    let shown = referee.throw(&Label::table(Key::new("initiative", "order")), 2);
    if shown == Some(2) { Order::Second } else { Order::First }
}

/// W4.1, W4.2: the dice, and the guild that chooses.
fn throw(state: &State, referee: &mut Referee<'_>) -> (Vec<Die>, Guild) {
    for number in 1..MOST_THROWS {
        let thrown = |seat: Seat, referee: &mut Referee<'_>| {
            let label = Label::of(seat, Key::new("initiative", "die").nth(number));
            let shown = referee.throw(&label, SIDES).unwrap_or(1);
            Die { seat, shows: u8::try_from(shown).unwrap_or(1) }
        };
        let dice: Vec<Die> = state.characters.seats().map(|seat| thrown(seat, referee)).collect();
        let winner = highest(&dice);
        if winner.is_none_or(|(_, is_taken_away)| is_taken_away) {
            referee.cite("W4.2");
        }
        if let Some((guild, _)) = winner {
            return (dice, guild);
        }
    }
    (Vec::new(), Guild::A)
}

/// W4.2: the guild with the highest die left, and true if dice were taken away: those of the highest value
/// that both guilds have. A guild without dice left loses; `None` if both run out.
fn highest(dice: &[Die]) -> Option<(Guild, bool)> {
    let mut left: Vec<Die> = dice.to_vec();
    loop {
        let best = |guild: Guild| {
            let of_guild = left.iter().filter(|die| Guild::of(die.seat) == guild);
            of_guild.map(|die| die.shows).max()
        };
        match (best(Guild::A), best(Guild::B)) {
            (None, None) => return None,
            (a, b) if a == b => left.retain(|die| Some(die.shows) != a),
            (a, b) => {
                let guild = if a > b { Guild::A } else { Guild::B };
                return Some((guild, left.len() < dice.len()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guild(shown: [u8; 6]) -> Option<(Guild, bool)> {
        let die = |(index, shows): (usize, &u8)| Die { seat: Seat::new(index), shows: *shows };
        highest(&shown.iter().enumerate().map(die).collect::<Vec<_>>())
    }

    #[test]
    fn the_highest_die_chooses_and_equal_ones_are_taken_away() {
        assert_eq!(guild([5, 4, 1, 1, 1, 1]), Some((Guild::A, false)));
        assert_eq!(guild([6, 6, 2, 3, 1, 1]), Some((Guild::B, true)));
        assert_eq!(guild([6, 6, 6, 6, 6, 2]), Some((Guild::B, true)));
        assert_eq!(guild([4, 4, 3, 3, 4, 3]), None);
    }
}
