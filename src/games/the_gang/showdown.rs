//! G3: the showdown.

use arrayvec::ArrayVec;

use super::cards::Card;
use super::extra_cards::Specialist;
use super::happening::Happening;
use super::ranking::Might;
use super::state::{About, Referee, Showdown, Shown, State, Street};
use super::{guesses, proposals};
use rules::Seat;

/// G3.1, G3.2: shows all hands but the last, and begins the guesses if there are any (G5.13). `None` if a
/// guess is asked, otherwise true if the heist has succeeded.
pub(super) fn begin(state: &mut State, referee: &mut Referee<'_>) -> Option<bool> {
    proposals::put_away(state, referee);
    for clause in ["G3.1", "G3.2", "G3.3"] {
        referee.cite(clause);
    }
    state.showdown = Some(Showdown { heist: state.heist, rows: ArrayVec::new(), success: None });
    if let Some((_, others)) = state.by_red_chips().split_last() {
        for &seat in others {
            show(state, seat, referee);
        }
    }
    if is_in_order(state) && guesses::ask(state, referee) { None } else { end(state, referee) }
}

/// G5.13: settles a guess, and asks the next. `None` if there is a next one, otherwise true if the heist has
/// succeeded.
pub(super) fn go_on(state: &mut State, about: About, referee: &mut Referee<'_>) -> Option<bool> {
    guesses::settle(state, about, referee);
    if guesses::ask(state, referee) { None } else { end(state, referee) }
}

fn is_in_order(state: &State) -> bool {
    state.showdown.as_ref().is_some_and(Showdown::is_in_order)
}

/// The might of a player's hand.
fn might(state: &State, seat: Seat) -> Might {
    state.hand(seat).strength().at_showdown(is_muscle(state, seat))
}

/// True if a player has the Muscle (G6.10).
pub(super) fn is_muscle(state: &State, seat: Seat) -> bool {
    let muscle = state.specialist.filter(|hired| hired.card == Specialist::Muscle);
    muscle.is_some_and(|hired| hired.user == Some(seat))
}

/// G3.1: shows a hand, which must be at least as strong as the one before.
fn show(state: &mut State, seat: Seat, referee: &mut Referee<'_>) {
    let (might, hand) = (might(state, seat), state.hand(seat));
    let strength = hand.strength();
    let muscle = is_muscle(state, seat);
    let before = state.showdown.as_ref().and_then(|showdown| showdown.rows.last());
    let fits = before.is_none_or(|before| self::might(state, before.seat) <= might);
    if muscle {
        referee.cite("G6.10");
        referee.cite("G6.14");
    }
    let player = &mut state.players[seat];
    player.shown = true;
    let pocket: ArrayVec<Card, 4> = player.pocket.iter().flatten().copied().collect();
    if pocket.contains(&Card::Jack) {
        referee.cite("G6.13");
    }
    let shown = Shown {
        seat,
        star: player.chips[Street::River.index()],
        pocket,
        ranking: strength.ranking(),
        made: strength.made(),
        kickers: strength.kickers(),
        best: hand.best(),
        muscle,
        fits,
    };
    referee.tell(Happening::Shown(shown.clone()));
    if let Some(showdown) = &mut state.showdown {
        showdown.rows.push(shown);
    }
}

/// G3.2: shows the last hand, checks the guesses against it, and turns a vault gold or an alarm red. True if
/// the heist has succeeded; `None` if there is no hand.
fn end(state: &mut State, referee: &mut Referee<'_>) -> Option<bool> {
    let seat = state.shown_last()?;
    show(state, seat, referee);
    let order = is_in_order(state);
    let success = guesses::prove(state, seat, referee) && order;
    if let Some(showdown) = &mut state.showdown {
        showdown.success = Some(success);
    }
    if success {
        state.vaults += 1;
    } else {
        state.alarms += 1;
    }
    let (heist, vaults, alarms) = (state.heist, state.vaults, state.alarms);
    referee.tell(Happening::HeistEnded { heist, success, order, vaults, alarms });
    Some(success)
}
