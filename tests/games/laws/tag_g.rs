//! タッグルールG: the facts that its laws need, and laws of its own.

use games::tag_g::TagG;
use games::tag_g::cards::Card;
use games::tag_g::happening::Happening;
use games::tag_g::options::{Format, Options, Reaction, SecondHand};
use games::tag_g::state::{State, WindowStage};
use games::tag_g::things::Aim;
use rules::dice::Stream;
use rules::{Answer, Declaration, Game, Key, Piece, Seat, Shape, Value, Viewer};
use smol_str::SmolStr;

use crate::laws::lawful::{Decks, Lawful, below, games, play};

every_law!(TagG);

impl Lawful for TagG {
    const GAMES: u32 = 96;
    const PAIRED_SHARE: u32 = 2;
    const PAIRS: u32 = 2000;
    const TABLES: u32 = 24;
    const SPOILT: &'static [&'static str] = &[
        "cut",
        "parry",
        "water-wolf",
        "water-wolf.1",
        "draw-more",
        "let-pass",
        "first",
        "P1",
        "P3",
        "nonsense",
    ];
    const MONEY: &'static str = "large";
    const FAULT: Option<&'static str> = None;
    /// All questions belong to the seat's own turn; answers have a window of their own (T7.2).
    const SUSPENDS: bool = false;
    const ACTS: bool = true;
    const THROWN: usize = 50;
    /// Nobody acts between the sealing of a turn and its attacks.
    const FALLS_BACK: usize = 0;
    const KNOWN: u32 = 10;

    fn table(game: u32) -> (Options, usize) {
        let formats = [Format::TwoTwo, Format::Royal, Format::ThreeOne, Format::TwoOneOne];
        let options = Options {
            format: formats[game as usize % formats.len()],
            reaction: if game % 8 < 4 { Reaction::Turn } else { Reaction::Attack },
            second_hand: if game.is_multiple_of(3) { SecondHand::One } else { SecondHand::None },
            ..Options::default()
        };
        (options, 4)
    }

    /// The setup, and a window for each turn and each attack.
    fn most_windows(_: &Options) -> u32 {
        250
    }

    fn twin(state: &State, of: Seat, chance: &mut Stream) -> State {
        let mut twin = state.clone();
        let player = &mut twin.players[of];
        let unknown = &mut player.stamina[player.healed..];
        for card in &mut player.hand {
            if !unknown.is_empty() {
                let other = below(chance, unknown.len());
                std::mem::swap(card, &mut unknown[other]);
            }
        }
        for (_, player) in twin.players.iter_mut() {
            let unknown = &mut player.stamina[player.healed..];
            chance.shuffle(unknown);
        }
        if state.stage != WindowStage::Setup {
            let seats: Vec<Seat> = Seat::all(4).collect();
            twin.players[of].wishes.equal = seats[..below(chance, seats.len())].to_vec();
        }
        twin
    }

    fn decks(state: &State) -> Decks<SmolStr> {
        let ids = |deck: &[Option<Card>]| deck.iter().flatten().map(Piece::id).collect();
        state.players.iter().map(|(_, player)| ids(&player.stamina)).collect()
    }

    fn without_decks(state: &State) -> State {
        let mut state = state.clone();
        state.players.iter_mut().for_each(|(_, player)| player.stamina.clear());
        state
    }

    fn memory(_: &Options, seats: usize) -> Decks<Option<SmolStr>> {
        vec![Vec::new(); seats]
    }

    fn hear(memory: &mut Decks<Option<SmolStr>>, happening: &Happening) {
        let (seat, taken) = match happening {
            Happening::Dealt { seat, stamina, .. } => {
                memory[seat.index()] = vec![None; *stamina];
                return;
            }
            Happening::Healed { on: Aim::Character(seat), cards, .. } => {
                let known = cards.iter().map(|card| card.map(|card| card.id()));
                memory[seat.index()].splice(0..0, known);
                return;
            }
            Happening::Fell { seat, .. } => {
                memory[seat.index()].clear();
                return;
            }
            Happening::Drew { seat, cards, damage: false, .. }
            | Happening::Paid { seat, cards }
            | Happening::UpkeepPaid { seat, cards, .. }
            | Happening::Resented { seat, cards, stamina: true }
            | Happening::Struck { on: Aim::Character(seat), cards, .. }
            | Happening::Damaged { on: Aim::Character(seat), cards, .. } => (seat, cards.len()),
            _ => return,
        };
        let deck = &mut memory[seat.index()];
        deck.truncate(deck.len().saturating_sub(taken));
    }
}

/// All cards of a table, in order.
fn cards(state: &State) -> Vec<Card> {
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
    let mut cards: Vec<Card> = piles.flatten().copied().flatten().chain(field).collect();
    cards.sort_unstable();
    cards
}

/// Every card is in a pile of a player or on the field.
#[test]
fn no_card_comes_or_goes() {
    for game in games::<TagG>(4) {
        let mut all: Option<Vec<Card>> = None;
        play::<TagG>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                if state.turn.number > 0 {
                    let now = cards(state);
                    assert_eq!(*all.get_or_insert_with(|| now.clone()), now, "game {game}");
                }
            },
        );
    }
}

/// T1.2: a hand is seen by its side alone, and stamina by nobody.
#[test]
fn a_hand_is_seen_by_its_side_alone() {
    for game in games::<TagG>(12) {
        play::<TagG>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                for viewer in state.players.seats().map(Viewer::Seat).chain([Viewer::Public]) {
                    let seen = TagG::seen_by(state, viewer);
                    for (seat, player) in seen.players.iter() {
                        let is_theirs = matches!(viewer, Viewer::Seat(of)
                            if state.team(of) == state.team(seat));
                        let hand = &state.players[seat].hand;
                        let known = player.hand.iter().flatten().count();
                        assert_eq!(known, if is_theirs { hand.len() } else { 0 }, "game {game}");
                        assert_eq!(player.hand.len(), hand.len());
                        assert!(player.stamina.iter().all(Option::is_none));
                    }
                }
            },
        );
    }
}

/// T6.4: every pile of a defeated player but the discard pile is gone.
#[test]
fn a_defeated_player_keeps_the_discard_pile_alone() {
    for game in games::<TagG>(4) {
        play::<TagG>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                for (seat, player) in state.players.iter().filter(|(_, it)| it.defeated) {
                    let piles = [&player.stamina, &player.hand, &player.damage, &player.resentment];
                    assert!(piles.into_iter().all(Vec::is_empty), "game {game}: {seat}");
                    let own = state.field.iter().any(|permanent| permanent.controller == seat);
                    assert!(!own, "game {game}: {seat}");
                    assert!(!TagG::asked(state)[seat], "game {game}: {seat}");
                }
            },
        );
    }
}

/// A game master can set stamina to as many cards as there are in it and in the discard pile.
#[test]
fn stamina_can_be_set_to_the_cards_that_there_are() {
    let mut met = 0;
    for game in games::<TagG>(4) {
        play::<TagG>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                for (seat, player) in contest.state().players.iter() {
                    let mut said = Declaration::default();
                    let who = Key::new("set-stamina", "who");
                    said.set(who, Answer::Given(Value::Choice(seat.id())));
                    let number = Key::new("set-stamina", "number");
                    let asked = contest.rehearse(&said, Viewer::All).asked;
                    let asked = asked.iter().find(|asked| asked.question.key == number);
                    let Some(asked) = asked else { continue };
                    let Shape::Number { max, .. } = asked.question.shape else { panic!() };
                    let cards = player.stamina.len() + player.discard.len();
                    assert_eq!(usize::try_from(max), Ok(cards), "game {game}, {seat}");
                    met += 1;
                }
            },
        );
    }
    assert!(met > 100, "{met}");
}
