//! ギルドウォー: the facts that its laws need, and laws of its own.

use games::guild_war::GuildWar;
use games::guild_war::happening::Happening;
use games::guild_war::options::{Absences, Games, Options, Size};
use games::guild_war::state::{Guild, Order, State};
use rules::dice::Stream;
use rules::{Game, Piece, Seat, Viewer};
use smol_str::SmolStr;

use crate::laws::lawful::{Decks, Lawful, below, games, play};

every_law!(GuildWar);

/// The number of cards in a deck, without its character of level 1.
const CARDS: usize = 30;

impl Lawful for GuildWar {
    const PAIRED_SHARE: u32 = 4;
    const PAIRS: u32 = 2000;
    const GAMES: u32 = 96;
    const TABLES: u32 = 3;
    const SPOILT: &'static [&'static str] = &[
        "cut-in",
        "normal-attack",
        "sword",
        "sword-10",
        "salve",
        "long-blade",
        "first",
        "P1",
        "P2",
        "nonsense",
    ];
    const MONEY: &'static str = "large";
    const FAULT: Option<&'static str> = Some("W9.4");
    /// All questions belong to the seat's own turn; a response is a window of its own (W5.5).
    const SUSPENDS: bool = false;
    const ACTS: bool = false;
    const THROWN: usize = 100;
    /// A declaration in a step depends on nobody of the same guild; at rest, the HP do (W9.3).
    const FALLS_BACK: usize = 1;
    /// Nobody knows a card of a deck.
    const KNOWN: u32 = 0;

    fn table(game: u32) -> (Options, usize) {
        let absences = [Absences::One, Absences::Two, Absences::Three];
        let sizes = [Size::Three, Size::Three, Size::Three, Size::One, Size::Two, Size::Three];
        let game = game as usize;
        // Large and long matches are slow: a few of each.
        let size = if game % 24 == 21 { Size::Six } else { sizes[game % sizes.len()] };
        let options = Options {
            size,
            games: if game % 16 == 3 { Games::Three } else { Games::One },
            absences: absences[game % absences.len()],
            ..Options::default()
        };
        let seats = options.size.seats();
        (options, seats)
    }

    /// The deal, decks and gear, and ten frames of five windows (W8.4).
    fn most_windows(options: &Options) -> u32 {
        u32::from(options.games.most()) * (3 + 10 * 5)
    }

    fn twin(state: &State, of: Seat, chance: &mut Stream) -> State {
        let mut twin = state.clone();
        let character = &mut twin.characters[of];
        let hidden = character.hand.iter_mut().chain(&mut character.hp);
        for card in hidden {
            if !character.deck.is_empty() {
                let other = below(chance, character.deck.len());
                std::mem::swap(card, &mut character.deck[other]);
            }
        }
        for (_, character) in twin.characters.iter_mut() {
            chance.shuffle(&mut character.deck);
        }
        let guild = Guild::of(of);
        if twin.captain(guild) == Some(of) {
            let other = [None, Some(Order::First), Some(Order::Second)];
            twin.orders[guild.index()] = other[below(chance, other.len())];
        }
        twin
    }

    fn decks(state: &State) -> Decks<SmolStr> {
        let ids = |deck: &[Option<_>]| deck.iter().flatten().map(Piece::id).collect();
        state.characters.iter().map(|(_, character)| ids(&character.deck)).collect()
    }

    fn without_decks(state: &State) -> State {
        let mut state = state.clone();
        state.characters.iter_mut().for_each(|(_, character)| character.deck.clear());
        state
    }

    fn memory(_: &Options, seats: usize) -> Decks<Option<SmolStr>> {
        vec![Vec::new(); seats]
    }

    fn hear(memory: &mut Decks<Option<SmolStr>>, happening: &Happening) {
        let (seat, left) = match happening {
            Happening::Entered { seat, cards, hp, .. } => {
                memory[seat.index()] = vec![None; CARDS];
                (seat, CARDS - cards.len() - hp)
            }
            Happening::Drew { seat, cards } => (seat, memory[seat.index()].len() - cards.len()),
            Happening::Healed { seat, count } => {
                (seat, memory[seat.index()].len() - usize::from(*count))
            }
            _ => return,
        };
        memory[seat.index()].truncate(left);
    }
}

/// Every card is in the deck, in the hand, among the HP, set, on the discard pile, or the character card
/// itself.
#[test]
fn no_card_comes_or_goes() {
    for game in games::<GuildWar>(4) {
        play::<GuildWar>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                for (seat, character) in contest.state().characters.iter() {
                    let Some(line) = character.line.filter(|_| character.card.is_some()) else {
                        continue;
                    };
                    let hidden = [&character.deck, &character.hand, &character.hp];
                    let hidden = hidden.into_iter().flatten().flatten();
                    let mut cards: Vec<_> = hidden.copied().collect();
                    cards.extend(character.gear.iter().chain(&character.discard).copied());
                    let options = &contest.state().options;
                    let (card, set) = (character.card, options.set);
                    cards.extend(card.filter(|card| *card != set.beginner(line)));
                    cards.sort_unstable();
                    let mut whole: Vec<_> = options.ready_made(line).collect();
                    whole.sort_unstable();
                    assert_eq!(cards, whole, "game {game}: {seat}");
                }
            },
        );
    }
}

/// W13.1: a hand is seen by its guild alone.
#[test]
fn a_hand_is_seen_by_its_guild_alone() {
    for game in games::<GuildWar>(32) {
        play::<GuildWar>(
            game,
            |_, _, declaration| Some(declaration),
            |contest, _| {
                let state = contest.state();
                for viewer in state.characters.seats().map(Viewer::Seat).chain([Viewer::Public]) {
                    let seen = GuildWar::seen_by(state, viewer);
                    for (seat, character) in seen.characters.iter() {
                        let is_theirs = matches!(viewer, Viewer::Seat(of)
                            if Guild::of(of) == Guild::of(seat));
                        let hand = &state.characters[seat].hand;
                        let known = character.hand.iter().flatten().count();
                        assert_eq!(known, if is_theirs { hand.len() } else { 0 }, "game {game}");
                        assert_eq!(character.hand.len(), hand.len());
                    }
                }
            },
        );
    }
}
