//! The balance of the starter set of タッグルールG, measured with house and random players. Ignored, as each line
//! of its table is many games.

use std::collections::BTreeMap;

use games::playable::policy;
use games::tag_g::TagG;
use games::tag_g::cards::Deck;
use games::tag_g::options::Options;
use games::tag_g::options::Team;
use kit::figures::Figures;
use rules::ask::Choice;
use rules::playout::{self, Room};
use rules::{Dice, Game, Key, Label, Offer, Piece, Policy, Reply, Seat};
use serde_json::{Value as Json, json};

/// The number of games of each line.
const GAMES: u32 = 10_000;

/// A policy with a deck that is set.
struct WithDeck {
    policy: Box<dyn Policy<TagG>>,
    deck: Deck,
}

impl Policy<TagG> for WithDeck {
    fn begin(&mut self, seat: Seat, look: &mut dyn FnMut() -> <TagG as Game>::State) {
        self.policy.begin(seat, look);
    }

    fn reply(&mut self, offer: &Offer<'_>) -> Reply {
        let is_deck = (&*offer.key.section, &*offer.key.name) == ("deck", "choice");
        let Choice::Picks { options, .. } = offer.choice else { return self.policy.reply(offer) };
        let place = (0..options.count()).find(|at| is_deck && options.id(*at) == self.deck.id());
        place
            .map_or_else(|| self.policy.reply(offer), |at| Reply::Picks([at].into_iter().collect()))
    }
}

/// The outcome of many games.
#[derive(Default)]
struct Outcome {
    /// The games won by each side, and the draws.
    won: [u32; 5],
    by_opener: u32,
    turns: Vec<u16>,
    windows: Vec<u32>,
    /// The games and the wins of each character.
    characters: BTreeMap<String, (u32, u32)>,
}

/// Plays games: of four different characters, or of two on both sides.
fn played(options: &Json, policies: [&str; 4], is_mirror: bool) -> Outcome {
    let options: Options = serde_json::from_value(options.clone()).unwrap();
    let decks: Vec<Deck> = options.set.decks().collect();
    let (mut outcome, mut room) = (Outcome::default(), Room::default());
    for game in 0..GAMES {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&game.to_le_bytes());
        let dice = Dice::new(seed, "balance");
        let chance = dice.of_window(0, 1);
        let mut order = decks.clone();
        chance.stream(&Label::table(Key::part("decks"))).shuffle(&mut order);
        let mut picked: Vec<Deck> = Vec::new();
        for deck in order {
            if picked.iter().all(|other| other.character() != deck.character()) {
                picked.push(deck);
            }
        }
        let of = |seat: Seat| picked[seat.index() % if is_mirror { 2 } else { 4 }];
        let mut seated: Vec<Box<dyn Policy<TagG>>> = Vec::new();
        for seat in Seat::all(4) {
            let stream = chance.stream(&Label::of(seat, Key::part("policy")));
            let policy = policy::<TagG>(policies[seat.index()], stream).unwrap();
            seated.push(Box::new(WithDeck { policy, deck: of(seat) }));
        }
        let end = playout::quick(&options, &dice, &mut seated, &mut room, |_| {});
        let winner = end.state.result.unwrap().winner;
        outcome.won[winner.map_or(4, Team::index)] += 1;
        outcome.by_opener +=
            u32::from(winner.is_some() && winner == end.state.teams.first().copied());
        outcome.turns.push(end.state.turn.number);
        outcome.windows.push(end.windows);
        for (seat, player) in end.state.players.iter() {
            let character = player.character.unwrap().word();
            let name = character.split('@').next().unwrap().to_owned();
            let (games, wins) = outcome.characters.entry(name).or_default();
            *games += 1;
            *wins += u32::from(winner == Some(end.state.team(seat)));
        }
    }
    outcome.turns.sort_unstable();
    outcome.windows.sort_unstable();
    outcome
}

fn percent(part: u32, of: u32) -> String {
    format!("{:.1} %", 100.0 * f64::from(part) / f64::from(of))
}

#[test]
#[ignore = "it measures, and takes minutes"]
fn balance_of_tag_g() {
    std::env::set_current_dir(kit::in_root("")).unwrap();
    let command = "test -p games --test play -- --ignored balance_of_tag_g";
    let mut figures = Figures::new("balance of tag_g", command);
    let (house, random) = (["house"; 4], ["random"; 4]);
    let usual = json!({});
    let all = played(&usual, house, false);
    for (character, (games, wins)) in &all.characters {
        figures.add([format!("2v2, all `house`: `{character}` wins"), percent(*wins, *games)]);
    }
    let middle = all.turns.len() / 2;
    let (turns, windows) = (all.turns[middle], all.windows[middle]);
    figures.add(["turns, median".to_owned(), turns.to_string()]);
    figures.add(["turns, most".to_owned(), all.turns[all.turns.len() - 1].to_string()]);
    figures.add(["windows, median".to_owned(), windows.to_string()]);
    let sum = |counts: &mut dyn Iterator<Item = u32>| f64::from(counts.sum::<u32>());
    let a_turn = sum(&mut all.windows.iter().copied())
        / sum(&mut all.turns.iter().map(|turns| u32::from(*turns)));
    figures.add(["windows a turn".to_owned(), format!("{a_turn:.2}")]);
    figures.add(["draws".to_owned(), percent(all.won[4], GAMES)]);
    for (character, (games, wins)) in &played(&usual, random, false).characters {
        figures.add([format!("2v2, all `random`: `{character}` wins"), percent(*wins, *games)]);
    }
    for (second, policies, name) in [
        ("0", house, "house"),
        ("0", random, "random"),
        ("1", house, "house"),
        ("2", house, "house"),
    ] {
        let mirror = played(&json!({ "second_hand": second }), policies, true);
        let what = format!("mirrors, `{name}`, `second_hand={second}`: the side that begins wins");
        figures.add([what, percent(mirror.by_opener, GAMES)]);
    }
    let mixed = played(&usual, ["house", "house", "random", "random"], false);
    let what = "`house` pair against `random` pair".to_owned();
    figures.add([what, percent(mixed.won[0], GAMES)]);
    for options in [
        json!({ "format": "3v1" }),
        json!({ "format": "3v1", "solo_turns": "block" }),
        json!({ "format": "3v1", "solo_hand": "1", "solo_counts": "1" }),
        json!({ "format": "2v1v1" }),
        json!({ "format": "2v1v1", "solo_turns": "each" }),
        json!({ "format": "royal" }),
    ] {
        let outcome = played(&options, house, false);
        let shares = outcome.won[..4].iter().filter(|won| **won > 0);
        let shares: Vec<String> = shares.map(|won| percent(*won, GAMES)).collect();
        figures.add([format!("wins by side, `{options}`"), shares.join(", ")]);
    }
    figures.tell().unwrap();
}
