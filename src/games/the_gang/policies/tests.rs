//! Properties of all policies.

use super::super::happening::{Happening, Way};
use super::super::options::{Chips, Mode, Options};
use super::super::state::{State, TheGang};
use super::known::KnownToAll;
use crate::playable::{Playable, RANDOM, policy};
use rules::contest::Resolution;
use rules::dice::Stream;
use rules::playout::{self, Played, Room};
use rules::{Clause, Contest, Declaration, Dice, Game, Item, Key, Label, Policy, Seat, Viewer};

type Table = Contest<TheGang>;

const SEATS: usize = 4;

fn dice() -> Dice {
    Dice::new([7; 32], "gang")
}

fn stream() -> Stream {
    dice().of_window(0, 0).stream(&Label::table(Key::part("policy")))
}

fn all(name: &str) -> Vec<Box<dyn Policy<TheGang>>> {
    Seat::all(SEATS).map(|_| policy(name, stream()).unwrap()).collect()
}

fn play(
    options: &Options,
    name: &str,
    mut seal: impl FnMut(&Table, Seat, &Declaration),
    told: impl FnMut(&Table, &Resolution<Happening>),
) -> Played<TheGang> {
    let seal = |table: &Table, seat, declaration: Declaration| {
        seal(table, seat, &declaration);
        Some(declaration)
    };
    playout::sealed(options, dice(), &mut all(name), seal, told).unwrap()
}

fn tables() -> impl Iterator<Item = (Options, &'static str)> {
    let modes = [Mode::Basic, Mode::Advanced, Mode::Professional, Mode::Master];
    let all = modes.into_iter().flat_map(|mode| [(mode, Chips::Sealed), (mode, Chips::Live)]);
    let all = all.map(|(mode, chips)| Options { mode, chips, ..Options::default() });
    all.flat_map(|options| TheGang::POLICIES.iter().map(move |(name, _)| (options.clone(), *name)))
}

/// A state with the pockets of two other seats exchanged, which looks the same to this seat.
fn exchanged(state: &State, seat: Seat) -> State {
    let mut others = state.players.seats().filter(|other| *other != seat);
    let (one, other) = (others.next().unwrap(), others.next().unwrap());
    let mut state = state.clone();
    let pocket = state.players[one].pocket.clone();
    state.players[one].pocket = std::mem::replace(&mut state.players[other].pocket, pocket);
    state
}

#[test]
fn what_is_declared_stands_and_depends_on_nothing_hidden() {
    for (options, name) in tables() {
        let played = play(
            &options,
            name,
            |table, seat, declaration| {
                assert!(table.interview(seat, declaration).is_complete(), "{declaration:?}");
                if table.state().players.iter().any(|(_, player)| player.shown) {
                    return;
                }
                let other = Table::at(exchanged(table.state(), seat), dice());
                let again = playout::declare(&other, seat, &mut *policy(name, stream()).unwrap());
                assert_eq!(again, *declaration, "{name}");
            },
            |_, _| {},
        );
        assert!(!played.standing.is_empty());
    }
}

#[test]
fn all_guess_the_same_and_all_are_well_with_live_chips() {
    for (options, name) in tables() {
        play(
            &options,
            name,
            |_, _, _| {},
            |_, resolution| {
                assert!(!resolution.met.contains(&Clause::new("G2.4.2")), "{name}");
                for entry in &resolution.entries {
                    if let Item::Event(Happening::GuessSettled { way, .. }) = entry.item {
                        assert_eq!(way, Way::All, "{name}");
                    }
                }
            },
        );
    }
}

#[test]
fn every_seat_finds_the_same_lines() {
    let options = Options::default();
    let mut table = Table::open(&options, SEATS, dice()).unwrap().0;
    for _ in 0..4 {
        let lines = Seat::all(SEATS).map(|seat| {
            let view = TheGang::seen_by(table.state(), Viewer::Seat(seat));
            format!("{:?}", KnownToAll::of(&view).lines())
        });
        let lines: Vec<String> = lines.collect();
        assert!(lines.windows(2).all(|two| two[0] == two[1]), "{lines:?}");
        let declared = playout::declarations(&table, &mut all("house"));
        table.close(declared).unwrap();
    }
}

/// G6.12: a bot player proposes nothing, and always agrees.
#[test]
fn nobody_without_a_person_proposes_or_objects() {
    let options = Options { mode: Mode::Master, ..Options::default() };
    for name in TheGang::POLICIES.iter().map(|(name, _)| *name).chain([RANDOM]) {
        for game in 0..4_u8 {
            let dice = Dice::new([game; 32], "proposals");
            let chance = dice.of_window(0, 8);
            let policy = |seat| {
                let chance = chance.stream(&Label::of(seat, Key::part("policy")));
                policy::<TheGang>(name, chance).unwrap()
            };
            let mut policies: Vec<Box<dyn Policy<TheGang>>> =
                Seat::all(SEATS).map(policy).collect();
            let room = &mut Room::default();
            playout::quick(&options, &dice, &mut policies, room, |record| {
                for entry in record.entries() {
                    let Item::Event(event) = &entry.item else { continue };
                    let proposes = matches!(
                        event,
                        Happening::Proposed { .. }
                            | Happening::Objected { .. }
                            | Happening::Withdrew { .. }
                    );
                    assert!(!proposes, "{name}: {event:?}");
                }
            });
        }
    }
}
