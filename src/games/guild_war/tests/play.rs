//! Whole games played by policies.

use crate::guild_war::GuildWar;
use crate::guild_war::options::Options;
use crate::guild_war::state::WindowStage;
use crate::playable::policy;
use rules::playout::{self, Room};
use rules::{Answer, Contest, Declaration, Dice, Game, Key, Label, Policy, Press, Seat};

fn dice(game: u32) -> Dice {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, "guild war")
}

fn players(name: &str, game: u32) -> Vec<Box<dyn Policy<GuildWar>>> {
    let chance = dice(game).of_window(0, 9);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(6).map(|seat| policy(name, stream(seat)).unwrap()).collect()
}

/// Plays this number of games to their end.
fn play(name: &str, games: u32) {
    let mut room = Room::default();
    for game in 0..games {
        let mut players = players(name, game);
        let dice = dice(game);
        let played =
            playout::quick::<GuildWar>(&Options::default(), &dice, &mut players, &mut room, |_| {});
        assert_eq!(played.standing.len(), 6, "{name} {game}");
        assert!(played.windows <= 3 + 10 * 5, "{name} {game}: {}", played.windows);
    }
}

#[test]
fn a_thousand_games_of_random_come_to_their_end() {
    play("random", 1000);
}

#[test]
fn a_thousand_games_of_baseline_come_to_their_end() {
    play("baseline", 1000);
}

#[test]
fn a_thousand_games_of_house_come_to_their_end() {
    play("house", 1000);
}

/// W6.1: nobody knows the cards of a hand, so the only press that all have is the pass.
#[test]
fn a_response_is_passed_by_one_press() {
    let mut state = GuildWar::bare(&Options::default(), 6);
    state.stage = WindowStage::Response { second: false };
    for (_, character) in state.characters.iter_mut() {
        character.hand = character.deck.split_off(20);
    }
    let contest = Contest::<GuildWar>::at(state, dice(0));
    let mut said = Declaration::default();
    said.set(Key::new("respond", "card"), Answer::LeftOut);
    assert_eq!(
        contest.common_answers(),
        [Press { declaration: said, options: Vec::new(), whole: true }]
    );
}
