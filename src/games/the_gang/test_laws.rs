//! Nothing leaks: what everybody and each player may see is the same, whatever cards another holds,
//! as long as that player's chips are the same (G1.4).

use super::TheGang;
use super::happening::Happening;
use super::options::{Chips, Mode, Options};
use super::state::{Stage, State};
use crate::rules::contest::Resolution;
use crate::rules::dice::Stream;
use crate::rules::random::Random;
use crate::rules::{
    Act, BySeat, Contest, Declaration, Dice, Game, Item, Key, Label, Policy, Saved, Seat, Viewer,
    playout,
};

/// So many cards at the bottom of a deck are never drawn in a heist.
const UNDRAWN: u32 = 20;

fn dice(game: u8) -> Dice {
    Dice::new([game; 32], "leaks")
}

fn stream(game: u8, seat: Seat, what: &'static str) -> Stream {
    dice(game).of_window(0, 9).stream(&Label::of(seat, Key::part(what)))
}

/// The same table, but a player holds other cards.
fn twin(contest: &Contest<TheGang>, of: Seat, game: u8, chance: &mut Stream) -> Contest<TheGang> {
    let mut state = contest.state().clone();
    for index in 0..state.players[of].pocket.len() {
        let other = chance.below(UNDRAWN) as usize;
        std::mem::swap(&mut state.players[of].pocket[index], &mut state.deck[other]);
    }
    let root = serde_json::to_string(&state).unwrap();
    Contest::load(&Saved { root, ..contest.save() }, dice(game)).unwrap()
}

/// Everything that a viewer may know of what happened.
fn told(state: &State, told: &Resolution<Happening>, viewer: Viewer) -> Vec<Happening> {
    let events = told.entries.iter().filter_map(|entry| match &entry.item {
        Item::Event(event) => TheGang::event_seen_by(state, event, viewer),
        Item::Ruling(_) => None,
    });
    events.collect()
}

/// What is shown to all by the rules: hands at the showdown, and what specialists bring to light.
fn shows_cards(told: &Resolution<Happening>) -> bool {
    told.entries.iter().any(|entry| {
        matches!(&entry.item, Item::Event(Happening::Shown { .. } | Happening::Used { .. }))
    })
}

struct Pair {
    here: Contest<TheGang>,
    there: Contest<TheGang>,
    of: Seat,
}

impl Pair {
    /// Whether the player's chips give the difference away.
    fn is_shown_by_chips(&self) -> bool {
        let chips = |contest: &Contest<TheGang>| {
            contest.state().players.iter().map(|(_, player)| player.chips).collect::<Vec<_>>()
        };
        chips(&self.here) != chips(&self.there)
    }

    fn assert_same(&self, here: &Resolution<Happening>, there: &Resolution<Happening>) {
        let states = [self.here.state(), self.there.state()];
        for viewer in self.viewers() {
            assert_eq!(told(states[0], here, viewer), told(states[1], there, viewer), "{viewer:?}");
        }
        self.assert_same_tables();
    }

    fn assert_same_tables(&self) {
        let (here, there) = (&self.here, &self.there);
        assert_eq!(here.asked(), there.asked());
        for viewer in self.viewers() {
            let seen = |contest: &Contest<TheGang>| TheGang::seen_by(contest.state(), viewer);
            assert_eq!(seen(here), seen(there), "{viewer:?}");
        }
        let nothing = Declaration::default();
        for seat in here.state().players.seats().filter(|seat| *seat != self.of) {
            assert_eq!(here.interview(seat, &nothing), there.interview(seat, &nothing));
            assert_eq!(here.acting(seat, &nothing), there.acting(seat, &nothing));
        }
        // What can be done openly depends on nothing that is hidden, for its player either.
        assert_eq!(here.acting(self.of, &nothing), there.acting(self.of, &nothing));
    }

    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        let of = self.of;
        let others = self.here.state().players.seats().filter(move |seat| *seat != of);
        std::iter::once(Viewer::Public).chain(others.map(Viewer::Seat))
    }
}

/// Plays a window at both tables alike; false where the rules have shown cards.
fn play(pair: &mut Pair, policies: &mut [Box<dyn Policy<TheGang>>]) -> bool {
    for round in 0..24 {
        let seat = Seat::new(round % policies.len());
        if pair.here.asked().is_empty() {
            break;
        }
        let act: Option<Act> = pair.here.act_by(seat, &mut *policies[seat.index()]);
        let Some(act) = act else { continue };
        let here = pair.here.act(act.clone()).unwrap();
        let there = pair.there.act(act).unwrap();
        if shows_cards(&here) {
            return false;
        }
        pair.assert_same(&here, &there);
    }
    let declared: BySeat<Option<Declaration>> = playout::declarations(&pair.here, policies);
    let here = pair.here.close(declared.clone()).unwrap();
    let there = pair.there.close(declared).unwrap();
    if shows_cards(&here) || pair.is_shown_by_chips() {
        return false;
    }
    pair.assert_same(&here, &there);
    true
}

#[test]
fn nobody_sees_another_players_cards_but_in_their_chips() {
    let mut compared = 0;
    for mode in [Mode::Basic, Mode::Advanced, Mode::Professional, Mode::Master] {
        for chips in [Chips::Sealed, Chips::Live] {
            for game in 0..6 {
                compared += compare(&Options { mode, chips, ..Options::default() }, game);
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Plays a game, each window also at a table where somebody holds other cards; in how many the two
/// were the same.
fn compare(options: &Options, game: u8) -> u32 {
    let count = 3 + usize::from(game % 4);
    let random = |seat| Box::new(Random::new(stream(game, seat, "policy"))) as Box<_>;
    let mut policies: Vec<Box<dyn Policy<TheGang>>> = Seat::all(count).map(random).collect();
    let mut chance = stream(game, Seat::new(0), "twin");
    let (mut contest, _) = Contest::<TheGang>::open(options, count, dice(game)).unwrap();
    let mut compared = 0;
    while contest.standing().is_none() {
        let of = Seat::new(chance.below(u32::try_from(count).unwrap()) as usize);
        let is_choice = matches!(contest.state().stage, Stage::Passing | Stage::Choosing { .. });
        if is_choice || contest.state().players[of].shown {
            contest.act_all(&mut policies, |_, _| {});
            let declared = playout::declarations(&contest, &mut policies);
            contest.close(declared).unwrap();
            continue;
        }
        let window = contest.window();
        let there = twin(&contest, of, game, &mut chance);
        let mut pair = Pair { here: contest, there, of };
        pair.assert_same_tables();
        compared += u32::from(play(&mut pair, &mut policies));
        contest = pair.here;
        if contest.window() == window {
            let nothing = BySeat::new(count, |_| None);
            contest.close(nothing).unwrap();
        }
    }
    compared
}
