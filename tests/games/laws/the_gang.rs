//! ザ・ギャング: the facts for the laws, and its own law.

use games::the_gang::TheGang;
use games::the_gang::cards::Card;
use games::the_gang::edition::EDITION;
use games::the_gang::extra_cards::{Extra, Piles};
use games::the_gang::happening::{Happening, Pile};
use games::the_gang::options::{Chips, Mode, Options};
use games::the_gang::state::{State, WindowStage};
use rules::contest::Resolution;
use rules::dice::Stream;
use rules::playout;
use rules::{BySeat, Contest, Declaration, Game, Piece, Policy, Saved, Seat, Viewer};
use serde_json::{Value as Json, from_value, json, to_value};
use smol_str::SmolStr;

use crate::laws::lawful::{Decks, Lawful, below, chance, dice, events, games, random};

every_law!(TheGang);

const MODES: [Mode; 4] = [Mode::Basic, Mode::Advanced, Mode::Professional, Mode::Master];

/// The piles of extra cards, in their order after the deck.
const PILES: [&str; 2] = ["challenges", "specialists"];

impl Lawful for TheGang {
    const GAMES: u32 = 320;
    const TABLES: u32 = 32;
    const SPOILT: &'static [&'static str] =
        &["1", "6", "H10", "J", "SA", "take", "propose", "P1", "knave", "flush", "nonsense"];
    const MONEY: &'static str = "large";
    /// G7.3: an impossible answer counts as missing.
    const FAULT: Option<&'static str> = None;
    /// All questions belong to the seat's own turn; a proposal that asks for a card opens a window of its own
    /// (G6.12.3).
    const SUSPENDS: bool = false;
    const ACTS: bool = true;
    const THROWN: usize = 100;

    /// Every mode with sealed and with live chips by 3 to 6 players. In every fifth game the piles of the
    /// group are nearly used up (G4.2.2).
    fn table(game: u32) -> (Options, usize) {
        let mode = MODES[game as usize / 2 % MODES.len()];
        let chips = if game.is_multiple_of(2) { Chips::Sealed } else { Chips::Live };
        let carried = (game % 5 == 4).then(nearly_played_through);
        let seats = 3 + (game + game / 8) as usize % 4;
        (Options { mode, chips, carried, ..Options::default() }, seats)
    }

    fn most_windows(options: &Options) -> u32 {
        let goals = &EDITION.goals;
        let heists = u32::from(goals.vaults + goals.alarms(options.mode)) - 1;
        // The Coordinator, an interruption and its choice, and two guesses.
        let rounds = u32::from(options.passes.get()) * 4;
        1 + heists * (rounds + 5)
    }

    fn twin(state: &State, of: Seat, chance: &mut Stream) -> State {
        let mut twin = state.clone();
        let player = &mut twin.players[of];
        if !player.shown {
            // The Jack lies open wherever it is (G6.13).
            for card in player.pocket.iter_mut().filter(|card| **card != Some(Card::Jack)) {
                let other = below(chance, twin.deck.len());
                std::mem::swap(card, &mut twin.deck[other]);
            }
        }
        chance.shuffle(&mut twin.deck);
        let mut piles = to_value(&twin.piles).unwrap();
        for pile in PILES {
            chance.shuffle(piles[pile]["cards"].as_array_mut().unwrap());
        }
        twin.piles = from_value(piles).unwrap();
        twin
    }

    fn decks(state: &State) -> Decks<SmolStr> {
        let deck = state.deck.iter().flatten().map(Piece::id).collect();
        let [challenges, specialists] = PILES.map(|pile| ids(&state.piles, pile));
        vec![deck, challenges, specialists]
    }

    fn without_decks(state: &State) -> State {
        let mut state = state.clone();
        state.deck.clear();
        let mut piles = to_value(&state.piles).unwrap();
        for pile in PILES {
            piles[pile]["cards"] = json!([]);
            piles[pile]["fresh"] = json!(0);
        }
        state.piles = from_value(piles).unwrap();
        state
    }

    /// Everybody knows the piles until they are shuffled (G4.2).
    fn memory(options: &Options, _: usize) -> Decks<Option<SmolStr>> {
        let piles = options.carried.clone().unwrap_or_default();
        let known = |pile| ids(&piles, pile).into_iter().map(Some).collect();
        vec![Vec::new(), known(PILES[0]), known(PILES[1])]
    }

    fn hear(memory: &mut Decks<Option<SmolStr>>, happening: &Happening) {
        let drawn = match happening {
            Happening::HeistBegan { .. } => {
                memory[0] = vec![None; Card::deck().count()];
                0
            }
            Happening::Dealt { cards, .. }
            | Happening::Redealt { first: cards, .. }
            | Happening::Redrew { cards, .. } => cards.len(),
            Happening::StreetBegan { cards, .. } => cards.len(),
            Happening::Drew { card, .. } => usize::from(*card != Some(Card::Jack)),
            _ => 0,
        };
        let left = memory[0].len() - drawn;
        memory[0].truncate(left);
        let of = |card: &Extra| match card {
            Extra::Challenge(_) => 1,
            Extra::Specialist(_) => 2,
        };
        match happening {
            Happening::Revealed { card, .. } => {
                let (pile, id) = (&mut memory[of(card)], Some(card.id()));
                // Unknown cards have been shuffled, and are drawn first.
                let place = pile.iter().position(|known| *known == id);
                pile.remove(place.or(pile.iter().position(Option::is_none)).unwrap());
            }
            Happening::WentUnder { card } => memory[of(card)].push(Some(card.id())),
            Happening::Reshuffled { pile: Pile::Challenges } => memory[1].fill(None),
            Happening::Reshuffled { pile: Pile::Specialists } => memory[2].fill(None),
            _ => {}
        }
    }
}

/// Returns the ids of the cards of a pile.
fn ids(piles: &Piles, pile: &str) -> Vec<SmolStr> {
    from_value(to_value(piles).unwrap()[pile]["cards"].clone()).unwrap()
}

/// Returns piles with only the top card still undrawn.
fn nearly_played_through() -> Piles {
    let mut piles: Json = to_value(Piles::default()).unwrap();
    for pile in PILES {
        piles[pile]["fresh"] = json!(1);
    }
    from_value(piles).unwrap()
}

/// The number of cards at the bottom of a deck that are never drawn in a heist.
const UNDRAWN: usize = 20;

/// A table and its twin, which go on alike.
struct Pair {
    here: Contest<TheGang>,
    there: Contest<TheGang>,
    /// The seat with other cards in the twin.
    of: Seat,
}

impl Pair {
    /// Builds the twin of a table, in which a player holds cards that nobody would have drawn.
    fn new(here: Contest<TheGang>, of: Seat, game: u32, chance: &mut Stream) -> Self {
        let mut state = here.state().clone();
        for card in &mut state.players[of].pocket {
            std::mem::swap(card, &mut state.deck[below(chance, UNDRAWN)]);
        }
        let root = serde_json::to_string(&state).unwrap();
        let there = Contest::load(&Saved { root, ..here.save() }, dice(game)).unwrap();
        Self { here, there, of }
    }

    /// True if the chips differ: those on the table, or those of a finished round, which may have been taken
    /// away since (G5.8).
    fn is_shown_by_chips(
        &self,
        here: &Resolution<Happening>,
        there: &Resolution<Happening>,
    ) -> bool {
        let lie = |contest: &Contest<TheGang>| {
            contest.state().players.iter().map(|(_, player)| player.chips).collect::<Vec<_>>()
        };
        let is_settled = |event: &&Happening| matches!(event, Happening::Settled { .. });
        let settled = [here, there].map(|told| events(told).filter(is_settled).collect::<Vec<_>>());
        lie(&self.here) != lie(&self.there) || settled[0] != settled[1]
    }

    fn assert_same(&self, here: &Resolution<Happening>, there: &Resolution<Happening>) {
        let states = [self.here.state(), self.there.state()];
        for viewer in self.viewers() {
            assert_eq!(told(states[0], here, viewer), told(states[1], there, viewer), "{viewer:?}");
        }
        self.assert_same_tables();
    }

    fn assert_same_tables(&self) {
        let (here, there) = (&self.here, &self.there);
        assert_eq!(here.asked(), there.asked());
        for viewer in self.viewers() {
            let seen = |contest: &Contest<TheGang>| TheGang::seen_by(contest.state(), viewer);
            assert_eq!(seen(here), seen(there), "{viewer:?}");
        }
        let nothing = Declaration::default();
        for seat in here.state().players.seats().filter(|seat| *seat != self.of) {
            assert_eq!(here.interview(seat, &nothing), there.interview(seat, &nothing));
            assert_eq!(here.acting(seat, &nothing), there.acting(seat, &nothing));
        }
        // Possible open acts depend on no hidden card, not even of the acting player.
        assert_eq!(here.acting(self.of, &nothing), there.acting(self.of, &nothing));
    }

    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        let of = self.of;
        let others = self.here.state().players.seats().filter(move |seat| *seat != of);
        std::iter::once(Viewer::Public).chain(others.map(Viewer::Seat))
    }

    /// Plays the window at both tables alike. Returns false if the rules have shown cards.
    fn play(&mut self, policies: &mut [Box<dyn Policy<TheGang>>]) -> bool {
        for round in 0..24 {
            let seat = Seat::new(round % policies.len());
            if self.here.asked().is_empty() {
                break;
            }
            let act = self.here.act_by(seat, &mut *policies[seat.index()]);
            let Some(act) = act else { continue };
            let here = self.here.act(act.clone()).unwrap();
            let there = self.there.act(act).unwrap();
            if shows_cards(&here) {
                return false;
            }
            self.assert_same(&here, &there);
        }
        let declared = playout::declarations(&self.here, policies);
        let here = self.here.close(declared.clone()).unwrap();
        let there = self.there.close(declared).unwrap();
        if shows_cards(&here) || self.is_shown_by_chips(&here, &there) {
            return false;
        }
        self.assert_same(&here, &there);
        true
    }
}

/// Returns all events that a viewer may know.
fn told(state: &State, told: &Resolution<Happening>, viewer: Viewer) -> Vec<Happening> {
    events(told).filter_map(|event| TheGang::event_seen_by(state, event, viewer)).collect()
}

/// True if the rules show cards to all: hands at the showdown, and cards of specialists.
fn shows_cards(told: &Resolution<Happening>) -> bool {
    let shows = |event| matches!(event, &Happening::Shown { .. } | &Happening::Used { .. });
    events(told).any(shows)
}

/// G1.4: events tell about a pocket only by its player's chips.
#[test]
fn nobody_sees_another_players_cards_but_in_their_chips() {
    let compared: u32 = games::<TheGang>(6).map(compare).sum();
    assert!(compared > 300, "{compared}");
}

/// Plays a game, each window also at a twin with other cards in a hand. Returns the number of windows in
/// which the two were the same.
fn compare(game: u32) -> u32 {
    let (options, count) = TheGang::table(game);
    let mut policies = random(game);
    let mut chance = chance(game, "twin");
    let (mut contest, _) = Contest::<TheGang>::open(&options, count, dice(game)).unwrap();
    let mut compared = 0;
    while contest.standing().is_none() {
        let of = Seat::new(below(&mut chance, count));
        let is_choice =
            matches!(contest.state().stage, WindowStage::Passing | WindowStage::Choosing { .. });
        if is_choice || contest.state().players[of].shown {
            contest.act_all(&mut policies, |_, _| {});
            let declared = playout::declarations(&contest, &mut policies);
            contest.close(declared).unwrap();
            continue;
        }
        let window = contest.round();
        let mut pair = Pair::new(contest, of, game, &mut chance);
        pair.assert_same_tables();
        compared += u32::from(pair.play(&mut policies));
        contest = pair.here;
        if contest.round() == window {
            let nothing = BySeat::new(count, |_| None);
            contest.close(nothing).unwrap();
        }
    }
    compared
}
