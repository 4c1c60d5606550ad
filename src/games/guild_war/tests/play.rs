//! Whole games played by policies.

use crate::guild_war::forecast::{Forecast, Judgement, Verdict};
use crate::guild_war::options::Options;
use crate::guild_war::state::{State, WindowStage};
use crate::guild_war::{GuildWar, report};
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

/// W7.2: attacks without magic are resolved before those by magic.
#[test]
fn a_character_falls_to_the_pool_that_takes_the_last_card() {
    let mut state = State::bare(&Options::default(), 6);
    let on = Seat::new(1);
    state.characters[on].hp = vec![None; 5];
    state.stage = WindowStage::Response { second: false };
    let forecast = |magic, damage| {
        let judged = Judgement { power: 9, agi: 1, def: 1, verdict: Verdict::Hit, damage };
        Forecast { on, magic, judged }
    };
    let falls = |state: &State| -> Vec<bool> {
        let report = report::report(state);
        let pools = report["pools"].as_array().unwrap().iter();
        pools.map(|pool| pool["falls"].as_bool().unwrap()).collect()
    };
    state.foreseen = vec![forecast(false, 2), forecast(true, 3)];
    assert_eq!(falls(&state), [false, true]);
    state.foreseen = vec![forecast(false, 2), forecast(true, 2)];
    assert_eq!(falls(&state), [false, false]);
}
