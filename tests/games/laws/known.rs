//! A player knows of others' cards only what was shown.
//!
//! Two tables with different hidden cards go on alike. A viewer who knew the same of both and is shown the
//! same events sees the same afterwards: equal cards that lay open, were looked at or have gone are
//! indistinguishable.

use games::any::{AnyContest, Told};
use rules::dice::Stream;
use rules::{Contest, Seat, Viewer, playout};

use crate::laws::lawful::{Lawful, chance, dice, games, random};

/// The number of twins for each seat of a table.
const TWINS: usize = 2;

/// The pairs of tables that a law has covered.
#[derive(Default)]
struct Met {
    /// Pairs of tables of which a viewer was shown the same.
    pairs: u32,
    /// Those pairs that still differ.
    different: u32,
}

/// Lets a table and its twins go on alike, and compares the views.
fn meet<G: Lawful>(
    game: u32,
    state: &G::State,
    chance: &mut Stream,
    met: &mut Met,
    goes_on: impl Fn(&mut Contest<G>) -> Option<Told>,
) {
    let after = |state: &G::State| {
        let mut table = Contest::<G>::at(state.clone(), dice(game));
        let told = goes_on(&mut table)?;
        (!table.is_suspended()).then_some((table, told))
    };
    // Everybody sees the seats asked next and the end of the game.
    let told_to = |(table, told): &(Contest<G>, Told), viewer: Viewer| {
        (table.asked(), table.seen(&told.entries, viewer))
    };
    let Some(here) = after(state) else { return };
    let seats: Vec<Seat> = Seat::all(AnyContest::seats(&here.0)).collect();
    for of in seats.iter().copied().cycle().take(seats.len() * TWINS) {
        let twin = G::twin(state, of, chance);
        if twin == *state {
            continue;
        }
        let Some(there) = after(&twin) else { continue };
        for viewer in seats.iter().copied().map(Viewer::Seat).chain([Viewer::Public]) {
            let is_same = G::seen_by(state, viewer) == G::seen_by(&twin, viewer)
                && told_to(&here, viewer) == told_to(&there, viewer);
            if is_same {
                let seen = [&here, &there].map(|(table, _)| G::seen_by(table.state(), viewer));
                assert_eq!(seen[0], seen[1], "game {game}, {viewer:?} of {of}");
                met.pairs += 1;
                met.different += u32::from(here.0.state() != there.0.state());
            }
        }
    }
}

pub(crate) fn who_was_told_the_same_sees_the_same<G: Lawful>() {
    let mut met = Met::default();
    for game in games::<G>(64) {
        let (mut chance, mut policies) = (chance(game, "told"), random::<G>(game));
        let (options, seats) = G::table(game);
        let (mut contest, _) = Contest::<G>::open(&options, seats, dice(game)).unwrap();
        while contest.standing().is_none() {
            for seat in Seat::all(seats) {
                if let Some(act) = contest.act_by(seat, &mut *policies[seat.index()]) {
                    let acts = |table: &mut Contest<G>| AnyContest::act(table, act.clone()).ok();
                    meet(game, contest.state(), &mut chance, &mut met, acts);
                    let _ = contest.act(act.clone());
                }
            }
            let declared = playout::declarations(&contest, &mut policies);
            if !contest.is_suspended() {
                let closes =
                    |table: &mut Contest<G>| AnyContest::close(table, declared.clone()).ok();
                meet(game, contest.state(), &mut chance, &mut met, closes);
            }
            contest.close(declared).unwrap();
        }
    }
    assert!(met.different >= G::PAIRS, "{} of {} pairs", met.different, met.pairs);
}
