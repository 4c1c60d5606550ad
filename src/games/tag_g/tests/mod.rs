//! Whole games.

use super::cards::Card;
use super::deeds;
use super::options::{Format, Options, Reaction, Team};
use super::policies;
use super::state::{State, TagG, Way};
use rules::playout::{self, Random, Room};
use rules::{Answer, Declaration, Dice, Item, Key, Label, Outcome, Piece, Policy, Seat, Value};
use smol_str::SmolStr;

type Policies = Vec<Box<dyn Policy<TagG>>>;

fn dice(game: u32) -> Dice {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, "tests")
}

/// `house` at these seats, `random` at the others.
fn seated(game: u32, house: &[usize]) -> Policies {
    let chance = dice(game).of_window(0, 9);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    let policy = |seat: Seat| -> Box<dyn Policy<TagG>> {
        if house.contains(&seat.index()) {
            policies::house(stream(seat))
        } else {
            Box::new(Random::new(stream(seat)))
        }
    };
    Seat::all(4).map(policy).collect()
}

fn options(format: Format, reaction: Reaction) -> Options {
    Options { format, reaction, ..Options::default() }
}

/// All cards of a table, in order.
fn cards(state: &State) -> Vec<super::cards::Card> {
    let piles = state.players.iter().flat_map(|(_, player)| {
        [
            &player.stamina,
            &player.hand,
            &player.damage,
            &player.discard,
            &player.resentment,
            &player.gone,
        ]
    });
    let field = state.field.iter().map(|permanent| permanent.unit.card);
    let mut cards: Vec<_> = piles.flatten().copied().flatten().chain(field).collect();
    cards.sort_unstable();
    cards
}

const FORMATS: [Format; 4] = [Format::TwoTwo, Format::Royal, Format::ThreeOne, Format::TwoOneOne];

#[test]
fn every_format_ends_and_keeps_its_cards() {
    for game in 0..32 {
        let format = FORMATS[game as usize % 4];
        let reaction = if game % 8 < 4 { Reaction::Turn } else { Reaction::Attack };
        let house: &[usize] = if game % 3 == 0 { &[0, 1, 2, 3] } else { &[] };
        let mut all: Option<Vec<_>> = None;
        let played = playout::sealed::<TagG>(
            &options(format, reaction),
            dice(game),
            &mut seated(game, house),
            |_, _, said| Some(said),
            |contest, resolution| {
                let skipped = resolution.entries.iter().find(|entry| match &entry.item {
                    Item::Ruling(ruling) => ruling.outcome == Outcome::Skipped,
                    Item::Event(_) => false,
                });
                assert!(skipped.is_none(), "game {game}: {skipped:?}");
                let now = cards(contest.state());
                if contest.state().turn.number > 0 {
                    assert_eq!(all.get_or_insert_with(|| now.clone()), &now, "game {game}");
                }
            },
        );
        let played = played.unwrap();
        let result = played.state.result.unwrap();
        assert_ne!(result.way, Way::Count);
        assert!(played.state.turn.number > 4, "{played:?}");
    }
}

#[test]
fn who_weighs_beats_chance() {
    let mut won = [0; 3];
    for game in 0..200 {
        let options = options(Format::TwoTwo, Reaction::Turn);
        let mut room = Room::default();
        let played =
            playout::quick(&options, &dice(game), &mut seated(game, &[0, 1]), &mut room, |_| {});
        let winner = played.state.result.unwrap().winner;
        won[winner.map_or(2, Team::index)] += 1;
    }
    assert!(won[0] >= 180, "{won:?}");
}

#[test]
fn an_act_asks_before_something_is_lost() {
    let mut state = State::bare(&Options::default(), 4);
    let [seat, partner] = [Seat::new(0), Seat::new(1)];
    let card = |id: &str| Card::find(id).unwrap();
    let play = |card: &str, wearer: Option<Seat>| {
        let mut act = Declaration::default();
        let mut names = |name, id: SmolStr| {
            act.set(Key::new("act", name), Answer::Given(Value::Choice(id)));
        };
        names("do", "play".into());
        names("card", card.into());
        if let Some(wearer) = wearer {
            names("wearer", wearer.id());
        }
        act
    };
    let at_stake =
        |state: &State, act: Declaration| deeds::at_stake(state, &Declaration::default(), &act);
    assert_eq!(at_stake(&state, play("iron-sword", None)), None);
    super::piles::lay_down(&mut state, seat, card("long-lance"), Some(seat));
    assert_eq!(at_stake(&state, play("iron-sword", None)), Some("equipment"));
    assert_eq!(at_stake(&state, play("iron-sword", Some(partner))), None);
    assert_eq!(at_stake(&state, play("oak-shield", None)), None);
    // Magic closes the fights, and with them the drafted attacks.
    let mut draft = Declaration::default();
    let key = Key::part("attack").named("with");
    draft.set(key, Answer::Given(Value::Choice("jab".into())));
    let beside_it = |act: Declaration| deeds::at_stake(&state, &draft, &act);
    assert_eq!(beside_it(play("sparks", None)), Some("attacks"));
    assert_eq!(beside_it(play("oak-shield", None)), None);
}
