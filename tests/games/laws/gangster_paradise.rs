//! ギャングスターパラダイス: the facts for the laws, and its own laws.

use std::collections::BTreeMap;

use games::gangster_paradise::GangsterParadise;
use games::gangster_paradise::cards::{Card, Life};
use games::gangster_paradise::happening::Happening;
use games::gangster_paradise::options::{Games, Legends, MaxRounds, Options, Reactions};
use games::gangster_paradise::state::{State, WindowStage};
use games::switch::Switch;
use rules::dice::Stream;
use rules::{Piece, Seat, Viewer};
use smol_str::SmolStr;

use crate::laws::lawful::{Decks, Lawful, below, games, play};

every_law!(GangsterParadise);

const LEGENDS: [Legends; 3] = [Legends::One, Legends::None, Legends::Five];

impl Lawful for GangsterParadise {
    const GAMES: u32 = 16;
    const TABLES: u32 = 16;
    const SPOILT: &'static [&'static str] =
        &["gun", "money", "end", "P1", "P7", "effect-1", "choose", "gangster", "nonsense"];
    const MONEY: &'static str = "money";
    /// P3.6: an impossible answer counts as missing.
    const FAULT: Option<&'static str> = None;
    /// Reactions and choices are windows of their own (P3.2, P3.4).
    const SUSPENDS: bool = false;
    const ACTS: bool = true;
    const THROWN: usize = 30;
    const KNOWN: u32 = 0;
    const PAIRS: u32 = 2000;

    /// Every number of players, with few and many LEGEND cards, and sets of three games.
    fn table(game: u32) -> (Options, usize) {
        let options = Options {
            legends: LEGENDS[game as usize % LEGENDS.len()],
            unused_to_deck: if game.is_multiple_of(2) { Switch::Off } else { Switch::On },
            max_rounds: MaxRounds::Six,
            games: if game % 8 == 7 { Games::Three } else { Games::One },
            reactions: if game % 5 == 4 { Reactions::Window } else { Reactions::Harm },
            exposure_in_round_1: if game % 3 == 1 { Switch::On } else { Switch::Off },
            ..Options::default()
        };
        (options, 4 + game as usize % 4)
    }

    fn most_windows(options: &Options) -> u32 {
        // A turn has a few windows, each with its reactions and a choice or two.
        u32::from(options.games.get()) * u32::from(options.max_rounds.get()) * 7 * 12
    }

    fn twin(state: &State, of: Seat, chance: &mut Stream) -> State {
        let mut twin = state.clone();
        let in_hand = |card: Card| !card.is_marked() && !card.is_life();
        // A card that is promised in a trade, or was looked at, must stay in the hand.
        let is_free = twin.chain.is_none() && twin.turn.proposals.is_empty();
        let deck: Vec<usize> = (0..twin.deck.len())
            .filter(|place| twin.deck[*place].is_some_and(|card| !card.is_marked()))
            .collect();
        let player = &mut twin.players[of];
        let mut known = player.known.by(Viewer::All);
        // A card equal to a known one makes two worlds hard to tell apart.
        let alike: Vec<usize> = deck
            .iter()
            .copied()
            .filter(|place| twin.deck[*place].is_some_and(|card| known.contains(&card)))
            .collect();
        for held in &mut player.hand {
            if let Some(place) = known.iter().position(|card| *held == Some(*card)) {
                known.remove(place);
            } else if is_free && held.is_some_and(Card::is_life) {
                *held = Some(Life::ALL[below(chance, Life::ALL.len())].card());
            } else if is_free && held.is_some_and(in_hand) && !deck.is_empty() {
                let places = if alike.is_empty() || chance.below(2) > 0 { &deck } else { &alike };
                std::mem::swap(held, &mut twin.deck[places[below(chance, places.len())]]);
            }
        }
        player.hand.sort();
        let mut hidden: Vec<Option<Card>> = deck.iter().map(|place| twin.deck[*place]).collect();
        chance.shuffle(&mut hidden);
        for (place, card) in deck.into_iter().zip(hidden) {
            twin.deck[place] = card;
        }
        twin
    }

    fn decks(state: &State) -> Decks<SmolStr> {
        vec![state.deck.iter().flatten().map(Piece::id).collect()]
    }

    fn without_decks(state: &State) -> State {
        let mut state = state.clone();
        state.deck.clear();
        state
    }

    fn memory(_: &Options, _: usize) -> Decks<Option<SmolStr>> {
        vec![Vec::new()]
    }

    /// Nobody knows the cards in the deck, but everybody knows their number.
    fn hear(memory: &mut Decks<Option<SmolStr>>, event: &Happening) {
        let left = match event {
            Happening::GameBegan { deck, .. } | Happening::Shuffled { deck, .. } => *deck,
            Happening::Drew { .. } => memory[0].len() - 1,
            Happening::TurnedUp { cards } => memory[0].len() - cards.len(),
            _ => return,
        };
        memory[0] = vec![None; left];
    }
}

/// Counts each card over all places.
fn count(state: &State) -> BTreeMap<Card, usize> {
    let mut counts = BTreeMap::new();
    let hands = state.players.iter().flat_map(|(_, player)| player.cards());
    let fronts = state.players.iter().flat_map(|(_, player)| player.front.iter().copied());
    let deck = state.deck.iter().flatten().copied();
    for card in hands.chain(fronts).chain(deck).chain(state.field.iter().copied()) {
        if !card.is_life() {
            *counts.entry(card).or_default() += 1;
        }
    }
    counts
}

#[test]
fn no_card_is_made_or_lost_and_every_kind_of_window_opens() {
    let mut met = BTreeMap::new();
    for game in games::<GangsterParadise>(1) {
        let mut before: Option<(u8, BTreeMap<Card, usize>)> = None;
        play::<GangsterParadise>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                let now = (state.game, count(state));
                if let Some(before) = before.as_ref().filter(|before| before.0 == now.0) {
                    assert_eq!(*before, now, "game {game}");
                }
                before = Some(now);
                if let WindowStage::Choice(choice) = &state.stage {
                    *met.entry(choice.what.word()).or_insert(0) += 1;
                }
            },
        );
    }
    assert!(met.len() >= 4, "{met:?}");
}
