//! The strength of policies, and their conformity with the rules.

use games::any::policy;
use games::eitsuku::Eitsuku;
use games::eitsuku::state::Options;
use games::gangster_paradise::GangsterParadise;
use games::playable::Playable;
use rules::playout::{Room, quick, sealed};
use rules::{Dice, Item, Key, Label, Outcome, Place, Policy, Ruling, Seat};

/// The policies of one game, by seat.
type Chairs<G> = Vec<Box<dyn Policy<G>>>;

fn chairs<G: Playable>(names: &[&str], game: u32) -> Chairs<G> {
    let chance = Dice::new([1; 32], "policies").of_window(game, 0);
    let chair = |seat: Seat| {
        let stream = chance.stream(&Label::of(seat, Key::part("policy")));
        policy::<G>(names[seat.index()], stream).expect("a policy of the list")
    };
    Seat::all(names.len()).map(chair).collect()
}

/// Returns the policies of one player against three others, with the player's seat, which rotates.
fn names<'n>(one: &'n str, three: &'n str, game: u32) -> ([&'n str; 4], Seat) {
    let seat = Seat::new(game as usize % 4);
    let mut names = [three; 4];
    names[seat.index()] = one;
    (names, seat)
}

fn dice(game: u32) -> Dice {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, "policies")
}

/// Returns a seat's share of the first place.
fn share(standing: &[Place], seat: Seat) -> f64 {
    let firsts = || standing.iter().filter(|place| place.rank == 1);
    let count: f64 = firsts().map(|_| 1.0).sum();
    if firsts().any(|place| place.seat == seat) { 1.0 / count } else { 0.0 }
}

/// Returns the mean share of first places of one policy against three others.
fn share_of<G: Playable>(one: &str, three: &str, games: u32) -> f64 {
    let mut room = Room::default();
    let shares = (0..games).map(|game| {
        let (names, seat) = names(one, three, game);
        let mut chairs = chairs::<G>(&names, game);
        let played = quick(&G::Options::default(), &dice(game), &mut chairs, &mut room, |_| {});
        share(&played.standing, seat)
    });
    shares.sum::<f64>() / f64::from(games)
}

/// Measured over 4,000 games: about 0.86.
#[test]
fn house_beats_three_greedy() {
    let share = share_of::<Eitsuku>("house", "greedy", 200);
    assert!(share > 0.7, "{share}");
}

/// Measured over 4,000 games: about 0.95.
#[test]
fn house_beats_three_random() {
    let share = share_of::<Eitsuku>("house", "random", 200);
    assert!(share > 0.85, "{share}");
}

/// Measured over 4,000 games: about 0.7.
#[test]
fn greedy_beats_three_random() {
    let share = share_of::<Eitsuku>("greedy", "random", 400);
    assert!(share > 0.5, "{share}");
}

/// Measured over 500 games: about 0.35.
#[test]
fn house_beats_three_shooters() {
    let share = share_of::<GangsterParadise>("house", "shooter", 200);
    assert!(share > 0.28, "{share}");
}

/// True if only the actions of others can have caused this ruling. An answer to a strike, and the slot of a
/// role, may not have been asked at the opening.
fn is_by_others(ruling: &Ruling) -> bool {
    let asked_later = |key: &Key| key.section == "strike" || key.name == "slot";
    match ruling.outcome {
        Outcome::Skipped
        | Outcome::Cut
        | Outcome::Nothing
        | Outcome::Ordered
        | Outcome::InReserve
        | Outcome::Forced
        | Outcome::Unskipped => false,
        Outcome::Returned | Outcome::Trimmed => true,
        // The slot was empty at the opening, and is not any more.
        Outcome::Supposed => ruling.key.as_ref().is_some_and(|key| key.name == "slot"),
        Outcome::ByDie | Outcome::Only | Outcome::LargestFirst => {
            ruling.fault.is_some() || ruling.key.as_ref().is_some_and(asked_later)
        }
    }
}

/// E4.2 to E4.5: a policy's declaration is complete and was possible at the opening.
#[test]
fn no_declaration_is_at_fault() {
    for (one, three) in [("house", "greedy"), ("greedy", "house"), ("house", "random")] {
        for game in 0..12 {
            let (names, _) = names(one, three, game);
            let mut declared = 0;
            sealed::<Eitsuku>(
                &Options::default(),
                dice(game),
                &mut chairs::<Eitsuku>(&names, game),
                |contest, seat, declaration| {
                    let interview = contest.interview(seat, &declaration);
                    assert_eq!(interview.faults, [], "{} in game {game}", names[seat.index()]);
                    declared += 1;
                    Some(declaration)
                },
                |_, resolution| {
                    for entry in &resolution.entries {
                        if let Item::Ruling(ruling) = &entry.item
                            && names[ruling.seat.index()] != "random"
                        {
                            assert!(is_by_others(ruling), "game {game}: {ruling:?}");
                        }
                    }
                },
            )
            .expect("no game is held");
            assert!(declared > 0);
        }
    }
}

/// E1.1: games end with every allowed number of players.
#[test]
fn policies_play_at_every_table() {
    for seats in 2..=6 {
        for game in 0..4 {
            let names = ["house", "greedy", "house", "greedy", "house", "greedy"];
            let mut chairs = chairs::<Eitsuku>(&names[..seats], game);
            let mut room = Room::default();
            let played = quick(&Options::default(), &dice(game), &mut chairs, &mut room, |_| {});
            assert_eq!(played.standing.len(), seats);
        }
    }
}

/// The same chance gives the same game.
#[test]
fn a_policy_is_deterministic() {
    let play = || {
        let mut chairs = chairs::<Eitsuku>(&["house", "greedy", "house", "random"], 5);
        quick(&Options::default(), &dice(5), &mut chairs, &mut Room::default(), |_| {}).state
    };
    assert_eq!(play(), play());
}
