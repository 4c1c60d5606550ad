//! G2.3: sealed wishes.

use arrayvec::ArrayVec;

use super::challenges;
use super::happening::{Happening, Way, Wish};
use super::options::Chips;
use super::percentile::{nearest, percentile};
use super::state::{PLAYERS, Referee, Star, State, WindowStage};
use crate::pieces::alternatives;
use rules::{Ask, Bar, Declaration, Key, Label, Piece, Play, Question, Seat, Value};

type SeatList = ArrayVec<Seat, PLAYERS>;

/// G2.3: asks for a wish. Without an answer the chip held now is wished for (G2.5).
pub(super) fn wish(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let is_fixed =
        |star: &Star| state.holder(*star).is_some_and(|holder| state.players[holder].fixed);
    let (fixed, free): (ArrayVec<Star, PLAYERS>, ArrayVec<Star, PLAYERS>) =
        state.stars().partition(is_fixed);
    let bar = |option| Bar { option, why: "fixed", clause: "G7.3" };
    let bars: ArrayVec<Bar<Star>, PLAYERS> = fixed.into_iter().map(bar).collect();
    let ask = Ask::new(WISH, "G2.3").of(state.street.colour()).or_missing();
    let ask = match state.held(seat) {
        Some(held) => ask.or_by(held.word(), "G2.5"),
        None => ask.or_nothing_by("G2.5"),
    };
    state.players[seat].wish = referee.choose_barring(seat, &ask, &free, &bars)?;
    Ok(())
}

alternatives! { WishOrder { Keep => "keep" } }

/// The question of a wish.
const WISH: Key = Key::new("chip", "star");

/// G7.5: asks for the standing order for all passes.
pub(super) fn orders(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    // Live chips have no wishes.
    if state.options.chips == Chips::Live {
        return Ok(());
    }
    let ask = Ask::new(WISH, "G2.5");
    referee.choose(seat, &ask, &[WishOrder::Keep]).map(drop)
}

/// G7.5: the ordered answer to a wish: keeps the held chip. `None` if there is no order or no chip.
pub(super) fn ordered(seen: &State, orders: &Declaration, question: &Question) -> Option<Value> {
    let is_ordered = question.key == WISH && orders.get(&WISH)?.value().is_some();
    let held = is_ordered.then(|| seen.held(question.seat)).flatten()?;
    Some(Value::Choice(held.id()))
}

/// Resolves a pass; true if the round is over.
pub(super) fn pass(state: &mut State, pass: u8, referee: &mut Referee<'_>) -> Play<bool> {
    referee.cite("G2.1");
    let seats: SeatList =
        state.players.seats().filter(|seat| !state.players[*seat].fixed).collect();
    for &seat in &seats {
        referee.turn(state, seat)?;
    }
    let street = state.street.index();
    let wish = |seat| Wish { seat, star: state.players[seat].wish };
    let wishes: ArrayVec<Wish, PLAYERS> = seats.iter().map(|&seat| wish(seat)).collect();
    let who_wished = |star: Star| {
        wishes.iter().filter(move |wish| wish.star == Some(star)).map(|wish| wish.seat)
    };
    let contested: ArrayVec<Star, PLAYERS> =
        state.stars().filter(|&star| who_wished(star).count() > 1).collect();
    for wish in &wishes {
        let player = &mut state.players[wish.seat];
        player.wish = None;
        player.chips[street] = wish.star.filter(|star| !contested.contains(star));
    }
    for (seat, player) in state.players.iter_mut() {
        let wish = wishes.iter().find(|wish| wish.seat == seat);
        // A player who is not asked has a fixed chip.
        player.wishes[street].push(wish.map_or(player.chips[street], |wish| wish.star));
    }
    let passes = state.options.passes.get();
    referee.tell(Happening::Wished {
        street: state.street,
        pass,
        passes,
        wishes: wishes.clone(),
        contested: contested.clone(),
    });
    if state.middle().is_empty() {
        referee.cite("G2.3.1");
        return Ok(true);
    }
    if pass < passes {
        referee.cite("G2.3.2");
        challenges::fix(state, referee);
        state.stage = WindowStage::Wishing { pass: pass + 1 };
        return Ok(false);
    }
    referee.cite("G2.3.3");
    for &star in &contested {
        let among: SeatList = who_wished(star).collect();
        let seat = throw_for(&Label::table(lot(star)), &among, referee);
        state.players[seat].chips[street] = Some(star);
        referee.tell(Happening::WonLot { seat, star, among });
    }
    for wish in wishes.iter().filter(|wish| wish.star.is_some()) {
        if state.held(wish.seat).is_none() {
            let left = state.middle();
            let star = throw_for(&Label::of(wish.seat, Key::new("chip", "left")), &left, referee);
            let way = if left.len() == 1 { Way::Only } else { Way::Die };
            state.players[wish.seat].chips[street] = Some(star);
            referee.tell(Happening::GotLeft { seat: wish.seat, star, way, wished: true });
        }
    }
    give_rest(state, referee);
    Ok(true)
}

/// The key of the throw for a contested chip.
fn lot(star: Star) -> Key {
    Key::new("chip", "lot").nth(star.get())
}

/// An element chosen by die; a single one without a throw.
fn throw_for<T: Copy>(label: &Label, among: &[T], referee: &mut Referee<'_>) -> T {
    let sides = u32::try_from(among.len()).expect("at most six");
    let die = if sides > 1 { referee.throw(label, sides) } else { None };
    among[die.map_or(0, |die| die as usize - 1)]
}

/// G2.5: gives the remaining chips to players without one; the house policy chooses among several.
pub(super) fn give_rest(state: &mut State, referee: &mut Referee<'_>) {
    for seat in state.players.seats() {
        if state.held(seat).is_some() {
            continue;
        }
        referee.cite("G2.5");
        let left = state.middle();
        let pocket: ArrayVec<_, 4> = state.players[seat].pocket.iter().flatten().copied().collect();
        let star = nearest(percentile(&pocket, &state.board), state.players.count(), &left);
        let way = if left.len() == 1 { Way::Only } else { Way::Policy };
        if let Some(star) = star {
            state.players[seat].chips[state.street.index()] = Some(star);
            referee.tell(Happening::GotLeft { seat, star, way, wished: false });
        }
    }
}
