//! Invariants of whole games of ザ・ギャング, in every mode, beyond the laws of every game.

use std::collections::BTreeSet;

use crate::the_gang::cards::Card;
use crate::the_gang::extra_cards::{Challenge, Extra, Piles, Specialist};
use crate::the_gang::happening::Happening;
use crate::the_gang::modes;
use crate::the_gang::options::{Chips, Mode, Options};
use crate::the_gang::state::{State, TheGang, WindowStage};
use rules::playout::Random;
use rules::playout::{self, Played};
use rules::{Contest, Declaration, Dice, Game, Item, Key, Label, Policy, Seat, Viewer};

const MODES: [Mode; 4] = [Mode::Basic, Mode::Advanced, Mode::Professional, Mode::Master];

fn dice(game: u8) -> Dice {
    Dice::new([game; 32], "gang")
}

fn seats(game: u8) -> usize {
    3 + usize::from(game % 4)
}

fn random(game: u8) -> Vec<Box<dyn Policy<TheGang>>> {
    let chance = dice(game).of_window(0, 8);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(seats(game)).map(|seat| Box::new(Random::new(stream(seat))) as Box<_>).collect()
}

fn each_table(mut play: impl FnMut(&Options, u8)) {
    for mode in MODES {
        for chips in [Chips::Sealed, Chips::Live] {
            for game in 0..3 {
                play(&Options { mode, chips, ..Options::default() }, game);
            }
        }
    }
}

/// Plays a game by sealed declarations, and inspects it after each window.
fn sealed(
    options: &Options,
    game: u8,
    mut look: impl FnMut(&State, &[Happening]),
) -> Played<TheGang> {
    let seal = |_: &Contest<TheGang>, _, declaration: Declaration| Some(declaration);
    playout::sealed(options, dice(game), &mut random(game), seal, |contest, resolution| {
        let events = resolution.entries.iter().filter_map(|entry| match &entry.item {
            Item::Event(event) => Some(event.clone()),
            Item::Ruling(_) => None,
        });
        look(contest.state(), &events.collect::<Vec<_>>());
    })
    .unwrap()
}

/// The cards of deck, pockets and board, duplicates included.
fn cards(state: &State) -> Vec<Card> {
    let pockets = state.players.iter().flat_map(|(_, player)| player.pocket.iter());
    let hidden = state.deck.iter().chain(pockets).flatten();
    hidden.chain(&state.board).copied().collect()
}

fn assert_sound(state: &State) {
    let cards = cards(state);
    let different: BTreeSet<Card> = cards.iter().copied().collect();
    assert_eq!(cards.len(), different.len(), "no card is there twice");
    for (seat, player) in state.players.iter() {
        assert_eq!((player.wish, player.card), (None, None), "{seat}: what is sealed is not kept");
        let extra = usize::from(matches!(state.stage, WindowStage::Choosing { .. }));
        let size = player.pocket.len();
        assert!((state.pocket_size()..=state.pocket_size() + extra).contains(&size), "{state:?}");
        for other in state.players.seats().filter(|other| *other != seat) {
            let chip = |seat: Seat, street: usize| state.players[seat].chips[street];
            let shared = (0..4).find(|&street| {
                chip(seat, street).is_some() && chip(seat, street) == chip(other, street)
            });
            assert_eq!(shared, None, "{seat} and {other} hold one chip");
        }
    }
    let piles = modes::piles(state);
    assert_eq!(count(&serde_json::to_value(&piles).unwrap()), 20, "{piles:?}");
}

/// The number of different extra cards that lie in the piles.
fn count(piles: &serde_json::Value) -> usize {
    let of = |pile: &str| {
        let cards = piles[pile]["cards"].as_array().unwrap();
        cards.iter().map(|card| card.as_str().unwrap()).collect::<BTreeSet<_>>().len()
    };
    of("challenges") + of("specialists")
}

#[test]
fn every_game_is_sound_until_it_is_won_or_lost() {
    each_table(|options, game| {
        let played = sealed(options, game, |state, _| {
            assert_sound(state);
            assert_covered(state);
        });
        let state = &played.state;
        assert!(state.vaults == 3 || state.alarms == state.most_alarms(), "{state:?}");
        assert!(played.standing.iter().all(|place| place.rank == 1));
        assert_eq!(played.standing[0].score, Some(state.vaults.into()));
        assert!(modes::piles(state) == Piles::default() || options.mode != Mode::Basic);
    });
}

/// Asserts that the deck and the cards of others are hidden.
fn assert_covered(state: &State) {
    for viewer in [Viewer::Public, Viewer::Seat(Seat::new(1))] {
        let seen = TheGang::seen_by(state, viewer);
        assert!(seen.deck.iter().all(Option::is_none));
        for (seat, player) in seen.players.iter() {
            let open = player.shown || viewer == Viewer::Seat(seat);
            assert!(player.pocket.iter().all(|card| card.is_some() == open));
        }
    }
}

#[test]
fn a_master_always_has_two_challenges_and_never_quick_access() {
    let options = Options { mode: Mode::Master, ..Options::default() };
    for game in 0..4 {
        sealed(&options, game, |state, _| {
            // At the end of the game, both challenges have gone under their pile.
            let in_effect = if state.stage == WindowStage::Over { 0 } else { 2 };
            assert_eq!(state.challenges.len(), in_effect);
            assert!(!state.has(Challenge::QuickAccess));
            assert_eq!(state.specialist, None);
        });
    }
}

#[test]
fn the_piles_go_on_into_the_next_game() {
    let mut options = Options { mode: Mode::Advanced, ..Options::default() };
    let mut drawn = Vec::new();
    for game in 0..8 {
        let played = sealed(&options, game, |_, events| {
            drawn.extend(events.iter().filter_map(|event| match event {
                Happening::Revealed { card: Extra::Specialist(card), .. } => Some(*card),
                _ => None,
            }));
        });
        options.carried = Some(modes::piles(&played.state));
    }
    assert!(drawn.starts_with(&Specialist::ALL[..5]), "{drawn:?}");
}
