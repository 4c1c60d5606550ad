//! Samples of what happens, for the check of the letters.

use arrayvec::ArrayVec;

use super::cards::{Card, Suit, Value};
use super::challenges::Challenge;
use super::happening::{Happening, Pile, Way, Wish};
use super::modes::Extra;
use super::ranking::Ranking;
use super::showdown::Shown;
use super::specialists::Specialist;
use super::state::{About, Guess, Pocket, Star, Street};
use crate::rules::Seat;

/// One fact of each kind, with everything in it that can be in it.
pub(super) fn samples() -> Vec<Happening> {
    let mut samples = deal();
    samples.extend(rounds());
    samples.extend(specialists());
    samples.extend(ending());
    samples.extend(moves());
    samples
}

const SEAT: Seat = Seat::new(0);
const OTHER: Seat = Seat::new(1);
const TEN: Card = Card::Of(Suit::Hearts, Value::Ten);
const ACE: Card = Card::Of(Suit::Spades, Value::Ace);

fn pocket() -> Pocket {
    [Some(ACE), Some(TEN)].into_iter().collect()
}

fn covered() -> Pocket {
    [None, None].into_iter().collect()
}

fn star(stars: usize) -> Star {
    Star::all(stars).next_back().expect("at least one star")
}

fn deal() -> Vec<Happening> {
    let (seat, to) = (SEAT, OTHER);
    let challenges = [Challenge::Blackout].into_iter().collect();
    vec![
        Happening::HeistBegan { heist: 1, challenges: ArrayVec::new(), specialist: None },
        Happening::HeistBegan { heist: 2, challenges, specialist: Some(Specialist::Muscle) },
        Happening::Dealt { seat, cards: pocket() },
        Happening::Dealt { seat, cards: covered() },
        Happening::Redealt { seat, first: pocket(), cards: pocket() },
        Happening::Redealt { seat, first: covered(), cards: covered() },
        Happening::ToldFaces { seat, count: 1 },
        Happening::ToldSum { seat, sum: 21 },
        Happening::Passed { seat, to, card: Some(TEN) },
        Happening::Passed { seat, to, card: None },
    ]
}

fn rounds() -> Vec<Happening> {
    let (seat, by) = (SEAT, Challenge::MotionDetector);
    let (one, two) = (star(1), star(2));
    let wish = |seat, star| Wish { seat, star };
    let flop = [TEN, ACE, Card::Of(Suit::Clubs, Value::Two)];
    let wished = |second, contested: &[Star]| Happening::Wished {
        street: Street::Flop,
        pass: 1,
        passes: 3,
        wishes: [wish(SEAT, Some(one)), wish(OTHER, second)].into_iter().collect(),
        contested: contested.iter().copied().collect(),
    };
    let began = |street, cards: &[Card], chips| Happening::StreetBegan {
        street,
        cards: cards.iter().copied().collect(),
        chips,
    };
    vec![
        began(Street::PreFlop, &[], true),
        began(Street::PreFlop, &[], false),
        began(Street::Flop, &flop, true),
        began(Street::Turn, &flop[..1], false),
        Happening::Redrew { seat, by, discarded: pocket(), cards: pocket() },
        Happening::Redrew { seat, by, discarded: covered(), cards: covered() },
        Happening::Cleared { streets: [Street::PreFlop].into_iter().collect() },
        Happening::Cleared { streets: [Street::PreFlop, Street::Flop].into_iter().collect() },
        wished(Some(two), &[]),
        wished(Some(one), &[one]),
        wished(None, &[]),
        Happening::Fixed { seat, star: one, by: Challenge::NoiseSensors },
        Happening::WonLot { seat, star: two, among: [SEAT, OTHER].into_iter().collect() },
        Happening::GotLeft { seat, star: one, way: Way::Only, wished: true },
        Happening::GotLeft { seat, star: one, way: Way::Only, wished: false },
        Happening::GotLeft { seat, star: one, way: Way::Die, wished: true },
        Happening::GotLeft { seat, star: one, way: Way::Policy, wished: false },
        Happening::Settled {
            street: Street::River,
            chips: [wish(SEAT, Some(two)), wish(OTHER, Some(one))].into_iter().collect(),
        },
        Happening::Took { seat, star: two, from: None, back: None },
        Happening::Took { seat, star: two, from: Some(OTHER), back: Some(one) },
        Happening::PutBack { seat, star: two },
        Happening::Okayed { seat },
    ]
}

fn specialists() -> Vec<Happening> {
    let (seat, user, to, value) = (SEAT, OTHER, SEAT, Some(Value::Ace));
    let proposed = |card, on, value| Happening::Proposed { seat, card, user, on, value };
    let acted = |card, on, value, agreed| Happening::Used { card, user, on, value, agreed };
    vec![
        proposed(Specialist::Informant, Some(SEAT), None),
        proposed(Specialist::Mastermind, None, value),
        proposed(Specialist::Hacker, None, None),
        Happening::Agreed { seat },
        Happening::Objected { seat },
        Happening::Withdrew { seat },
        acted(Specialist::Informant, Some(SEAT), None, true),
        acted(Specialist::Mastermind, None, value, true),
        acted(Specialist::Jack, None, None, false),
        Happening::ToldRanking { seat, ranking: Ranking::TwoPair },
        Happening::ToldCount { seat, value: Value::Ace, count: 2 },
        Happening::Drew { seat, card: Some(TEN) },
        Happening::Drew { seat, card: Some(Card::Jack) },
        Happening::Drew { seat, card: None },
        Happening::Discarded { seat, card: Some(TEN) },
        Happening::Discarded { seat, card: None },
        Happening::ShowedCard { seat: user, to, card: Some(TEN) },
        Happening::ShowedCard { seat: user, to, card: None },
        Happening::PutAway { card: Specialist::Hacker },
    ]
}

fn ending() -> Vec<Happening> {
    let seat = SEAT;
    let shown = |muscle, fits| {
        Happening::Shown(Shown {
            seat,
            star: Some(star(2)),
            pocket: [ACE, TEN].into_iter().collect(),
            ranking: Ranking::Pair,
            made: [Value::Ace].into_iter().collect(),
            kickers: [Value::Ten].into_iter().collect(),
            best: [ACE, TEN].into_iter().collect(),
            muscle,
            fits,
        })
    };
    let (value, ranking) = (Guess::Value(Value::Ace), Guess::Ranking(Ranking::Pair));
    let ended = |success, order| Happening::HeistEnded {
        heist: 1,
        success,
        order,
        vaults: u8::from(success),
        alarms: u8::from(!success),
    };
    let (challenge, specialist) =
        (Extra::Challenge(Challenge::Blackout), Extra::Specialist(Specialist::Informant));
    vec![
        shown(false, true),
        shown(true, false),
        Happening::GuessBegan { about: About::Value, seat },
        Happening::GuessBegan { about: About::Ranking, seat },
        Happening::Guessed { seat, guess: value },
        Happening::Guessed { seat, guess: ranking },
        Happening::GuessSettled { about: About::Value, guess: value, way: Way::All },
        Happening::GuessSettled { about: About::Ranking, guess: ranking, way: Way::Most },
        Happening::GuessSettled { about: About::Ranking, guess: ranking, way: Way::Die },
        Happening::GuessProved { about: About::Value, guess: value, right: true },
        Happening::GuessProved { about: About::Ranking, guess: ranking, right: false },
        ended(true, true),
        ended(false, true),
        ended(false, false),
        Happening::WentUnder { card: challenge },
        Happening::WentUnder { card: specialist },
        Happening::Reshuffled { pile: Pile::Challenges },
        Happening::Reshuffled { pile: Pile::Specialists },
        Happening::Revealed { card: challenge, permanent: true },
        Happening::Revealed { card: challenge, permanent: false },
        Happening::Revealed { card: specialist, permanent: false },
        Happening::Ended { won: true, vaults: 3, alarms: 1, heists: 4 },
        Happening::Ended { won: false, vaults: 1, alarms: 3, heists: 4 },
    ]
}

fn moves() -> Vec<Happening> {
    let seat = SEAT;
    vec![
        Happening::Replaced { seat, card: Some(ACE), by: Some(TEN) },
        Happening::Replaced { seat, card: Some(ACE), by: None },
        Happening::Replaced { seat, card: None, by: None },
        Happening::Sought { cards: [ACE, TEN].into_iter().collect() },
    ]
}
