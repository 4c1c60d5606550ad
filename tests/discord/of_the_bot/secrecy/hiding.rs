//! The hidden cards of each game, and their exchange for other cards.

use games::eitsuku::Eitsuku;
use games::gangster_paradise::GangsterParadise;
use games::gangster_paradise::cards::Card as Held;
use games::guild_war::GuildWar;
use games::guild_war::state::Guild;
use games::tag_g::TagG;
use games::tag_g::options::Format;
use games::the_gang::TheGang;
use games::the_gang::cards::Card;
use rules::dice::Stream;
use rules::{Game, Seat, Viewer};

/// A game with hidden cards.
pub(super) struct Hiding {
    pub(super) game: &'static str,
    /// The minimum number of players.
    pub(super) least_seats: usize,
    /// True if the game allows one more player.
    pub(super) has_room: bool,
    /// The number of seats that a window asks at least, for a pair.
    pub(super) asked: fn(usize) -> usize,
    /// True for two seats that know each other's cards.
    pub(super) are_partners: fn(Seat, Seat) -> bool,
    /// The option for open hands, with which nothing is hidden.
    pub(super) open: Option<(&'static str, &'static str)>,
    /// Returns the serialised state with other cards for some hidden ones of a seat; `None` if that is
    /// impossible.
    pub(super) twin: fn(&str, Seat, &mut Stream) -> Option<String>,
}

/// The games.
pub(super) const HIDING: [Hiding; 5] = [
    Hiding {
        game: Eitsuku::KEY,
        least_seats: 2,
        has_room: true,
        // The acting seat is not asked for a reaction.
        asked: |seats| seats - 1,
        are_partners: |_, _| false,
        open: Some(("hands", "open")),
        twin: |state, seat, chance| {
            twin::<Eitsuku>(state, |twin| exchange_hand(twin, seat, chance))
        },
    },
    Hiding {
        game: TheGang::KEY,
        least_seats: 3,
        has_room: true,
        // The acting seat is not asked for a reaction.
        asked: |seats| seats - 1,
        are_partners: |_, _| false,
        open: None,
        twin: |state, seat, chance| {
            twin::<TheGang>(state, |twin| exchange_pocket(twin, seat, chance))
        },
    },
    Hiding {
        game: GangsterParadise::KEY,
        least_seats: 4,
        has_room: true,
        // The acting seat is not asked for a reaction.
        asked: |seats| seats - 1,
        are_partners: |_, _| false,
        open: None,
        twin: |state, seat, chance| {
            twin::<GangsterParadise>(state, |twin| exchange_unseen(twin, seat, chance))
        },
    },
    Hiding {
        game: GuildWar::KEY,
        least_seats: 6,
        has_room: false,
        // The acting seat is not asked for a reaction.
        asked: |seats| seats - 1,
        // W13.1
        are_partners: |seat, other| Guild::of(seat) == Guild::of(other),
        open: None,
        twin: |state, seat, chance| {
            twin::<GuildWar>(state, |twin| exchange_held(twin, seat, chance))
        },
    },
    Hiding {
        game: TagG::KEY,
        least_seats: 4,
        has_room: false,
        asked: |_| 1,
        // T1.2
        are_partners: |seat, other| Format::TwoTwo.team(seat) == Format::TwoTwo.team(other),
        open: None,
        twin: |state, seat, chance| {
            twin::<TagG>(state, |twin| exchange_with_stamina(twin, seat, chance))
        },
    },
];

fn twin<G: Game>(state: &str, exchange: impl FnOnce(&mut G::State)) -> Option<String> {
    let here: G::State = serde_json::from_str(state).unwrap();
    let mut twin = here.clone();
    exchange(&mut twin);
    (twin != here).then(|| serde_json::to_string(&twin).unwrap())
}

/// Exchanges some cards of a closed hand, each with the deepest other card of its deck.
fn exchange_hand(twin: &mut <Eitsuku as Game>::State, seat: Seat, chance: &mut Stream) {
    let roles: Vec<_> = twin.players[seat].roles.nameable().collect();
    for role in roles {
        let deck = &mut twin.roles[role.family.index()];
        let other = deck.iter_mut().find(|card| **card != Some(role));
        if let Some(other) = other.filter(|_| chance.below(2) == 0) {
            let other = other.replace(role).unwrap();
            let held = &mut twin.players[seat].roles.known;
            held[role.index()] -= 1;
            held[other.index()] += 1;
        }
    }
    let events: Vec<_> = twin.players[seat].events.nameable().collect();
    for event in events {
        let other = twin.events.iter_mut().find(|card| **card != Some(event));
        if let Some(other) = other.filter(|_| chance.below(2) == 0) {
            let other = other.replace(event).unwrap();
            let held = &mut twin.players[seat].events.known;
            held[event.index()] -= 1;
            held[other.index()] += 1;
        }
    }
}

/// Exchanges some cards of a pocket that were not shown, each with one from the bottom of the deck. The Jack
/// lies open wherever it is (G6.13).
fn exchange_pocket(twin: &mut <TheGang as Game>::State, seat: Seat, chance: &mut Stream) {
    let player = &mut twin.players[seat];
    if !player.shown {
        let hidden = player.pocket.iter_mut().filter(|card| **card != Some(Card::Jack));
        for (card, other) in hidden.zip(&mut twin.deck) {
            if chance.below(2) == 0 {
                std::mem::swap(card, other);
            }
        }
    }
}

/// Exchanges some cards of a hand that nobody else has seen, each with one from the bottom of the deck; lives
/// and marked backs stay.
fn exchange_unseen(twin: &mut <GangsterParadise as Game>::State, seat: Seat, chance: &mut Stream) {
    // The cards of an announced act must stay in the hand.
    if twin.chain.as_ref().is_some_and(|chain| [chain.act.by, chain.cause].contains(&seat)) {
        return;
    }
    let moves = |card: Option<Held>| card.is_some_and(|card| !card.is_life() && !card.is_marked());
    let player = &mut twin.players[seat];
    let mut known = player.known.by(Viewer::All);
    let hidden = player.hand.iter_mut().filter(|held| {
        let place = known.iter().position(|card| **held == Some(*card));
        place.map(|place| known.remove(place)).is_none()
    });
    let hidden = hidden.filter(|held| moves(**held));
    for (held, other) in hidden.zip(twin.deck.iter_mut().filter(|card| moves(**card))) {
        if chance.below(2) == 0 {
            std::mem::swap(held, other);
        }
    }
    player.hand.sort_unstable();
}

/// Exchanges some cards of a hand, each with one from the bottom of the deck.
fn exchange_held(twin: &mut <GuildWar as Game>::State, seat: Seat, chance: &mut Stream) {
    let character = &mut twin.characters[seat];
    for (held, other) in character.hand.iter_mut().zip(&mut character.deck) {
        if chance.below(2) == 0 {
            std::mem::swap(held, other);
        }
    }
}

/// Exchanges some cards of a hand, each with one of the stamina that nobody knows.
fn exchange_with_stamina(twin: &mut <TagG as Game>::State, seat: Seat, chance: &mut Stream) {
    let player = &mut twin.players[seat];
    let unknown = &mut player.stamina[player.healed..];
    for (held, other) in player.hand.iter_mut().zip(unknown) {
        if chance.below(2) == 0 {
            std::mem::swap(held, other);
        }
    }
}
