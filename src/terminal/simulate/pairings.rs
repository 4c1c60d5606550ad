//! `shimekiri simulate --decks`: ready-made decks play against each other, pair by pair.

use serde::Serialize;
use smol_str::SmolStr;

use super::playing::play as play_games;
use super::playing::{bar, cores, real};
use crate::misuse::{Misuse, unplayable};
use crate::texts::{NoDecks, UnknownDeck};
use games::any::AnyGame;
use games::cards::sets::SetAbout;
use games::simulation::{Group, Plan, PlanError, Share, SimulationStatistics, Tallies, groups};
use rules::data::nearest;
use rules::text::Lang;
use rules::{Dice, Seat};

/// The word for all decks of a set.
const ALL: &str = "all";

/// The output of `--decks --json`, which is the same for the same arguments.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PairingsDocument {
    /// The game's key.
    game: &'static str,
    /// The plan of a pairing, without the decks.
    plan: Plan,
    /// The number of games of a pairing.
    games: u64,
    /// The number of games that came to no end.
    pub(super) unfinished: u64,
    decks: Vec<WinRecord>,
    pairings: Vec<Pairing>,
    seats: Vec<WinRecord>,
    /// The counts of the game over all pairings, by group.
    tallies: Vec<Group>,
}

/// The games of one deck against another, or against itself.
#[derive(Clone, Debug, Serialize)]
struct Pairing {
    deck: SmolStr,
    against: SmolStr,
    /// The share of wins of `deck`; against itself, of the first side.
    share: Share,
}

/// The wins of a deck or a seat.
#[derive(Clone, Debug, Serialize)]
struct WinRecord {
    name: SmolStr,
    games: u64,
    share: Share,
}

/// The wins counted so far. A draw counts half.
#[derive(Clone, Copy, Debug, Default)]
struct Wins {
    wins: f64,
    games: u64,
}

impl Wins {
    fn add(&mut self, wins: f64, games: u64) {
        self.wins += wins;
        self.games += games;
    }

    fn share(self) -> Share {
        Share::of(self.wins, self.games)
    }

    fn of(self, name: &str) -> WinRecord {
        WinRecord { name: name.into(), games: self.games, share: self.share() }
    }
}

/// Plays every pairing of the named decks.
pub(super) fn play(
    decks: &[String],
    game: &'static dyn AnyGame,
    plan: Plan,
    games: u64,
    lang: Lang,
) -> Result<PairingsDocument, Misuse> {
    let set = game.of_options(&plan.options).set();
    let set = set.ok_or_else(|| Misuse::from(NoDecks { game: game.key() }))?;
    let decks = named_decks(set, decks, lang)?;
    let table = Table::new(game, plan, games).map_err(|error| unplayable(game, error))?;
    let progress = bar(games * (decks.len() * (decks.len() + 1) / 2) as u64);
    let mut counted = Counted::new(decks.len(), table.plan.policies.len());
    for (first, deck) in decks.iter().enumerate() {
        for (second, against) in decks.iter().enumerate().skip(first) {
            let both = [(first, deck), (second, against)];
            for sides in [both, [both[1], both[0]]] {
                let question = &set.decks.0;
                let answers = sides.map(|(_, deck)| format!("{question}={deck}"));
                let statistics = table.play(&answers, &|_| progress.inc(1));
                let statistics = statistics.map_err(|error| unplayable(game, error))?;
                counted.add(&table, sides.map(|(place, _)| place), &statistics);
            }
        }
    }
    progress.finish_and_clear();
    Ok(counted.document(game, table, &decks))
}

/// Returns the answers for the named decks, in the order of the set.
fn named_decks(set: &SetAbout, input: &[String], lang: Lang) -> Result<Vec<SmolStr>, Misuse> {
    let all: Vec<&SmolStr> = set.decks.1.iter().map(|deck| &deck.id).collect();
    let mut wanted: Vec<&SmolStr> = Vec::new();
    let words = input.iter().flat_map(|input| input.split(['、', '，'])).map(str::trim);
    for word in words.filter(|word| !word.is_empty()) {
        if word == ALL {
            wanted.extend(&all);
            continue;
        }
        let named = set.lexicon.called(word).find(|id| all.contains(id));
        wanted.push(named.ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|id| set.lexicon.name(id, lang)).collect();
            Misuse::from(UnknownDeck {
                said: word,
                nearest: nearest(word, known.iter().copied()),
                known,
            })
        })?);
    }
    Ok(all.into_iter().filter(|deck| wanted.contains(deck)).cloned().collect())
}

/// A table at which pairings are played.
struct Table {
    game: &'static dyn AnyGame,
    /// The plan without the decks.
    plan: Plan,
    /// True for the seats of the first side.
    is_first: Vec<bool>,
    /// The number of games of a pairing.
    games: u64,
}

impl Table {
    fn new(game: &'static dyn AnyGame, plan: Plan, games: u64) -> Result<Self, PlanError> {
        let seats = plan.policies.len();
        let bare = game.bare(&plan.options, seats, Dice::new(plan.seed("sides", 0), "simulation"));
        let sides = bare.map_err(|error| PlanError::Options(error.to_string()))?.sides();
        let first = Seat::all(seats).next().and_then(|seat| sides[seat]);
        let is_first = Seat::all(seats).map(|seat| match first {
            Some(_) => sides[seat] == first,
            None => seat.index() == 0,
        });
        Ok(Self { game, is_first: is_first.collect(), plan: Plan { rotate: false, ..plan }, games })
    }

    /// Plays half of a pairing's games, with this fixed answer for the seats of each side.
    fn play(
        &self,
        answers: &[String; 2],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<SimulationStatistics, PlanError> {
        let policies = self.plan.policies.iter().zip(&self.is_first);
        let policies = policies.map(|(policy, is_first)| {
            SmolStr::new(format!("{policy}:{}", answers[usize::from(!is_first)]))
        });
        let plan = Plan { policies: policies.collect(), ..self.plan.clone() };
        play_games(self.game, &plan, self.games.div_ceil(2), cores(), progress)
    }
}

/// The counts over the pairings so far.
struct Counted {
    unfinished: u64,
    played: u64,
    /// The wins of each deck against each other, and of the first side between equal decks.
    wins: Vec<Vec<Wins>>,
    seats: Vec<Wins>,
    tallies: Tallies,
}

impl Counted {
    fn new(decks: usize, seats: usize) -> Self {
        Self {
            unfinished: 0,
            played: 0,
            wins: vec![vec![Wins::default(); decks]; decks],
            seats: vec![Wins::default(); seats],
            tallies: Tallies::new(),
        }
    }

    /// Counts games of the first side's deck against the second's.
    fn add(&mut self, table: &Table, decks: [usize; 2], statistics: &SimulationStatistics) {
        let summary = statistics.summary();
        let unfinished = summary.unfinished.len() as u64;
        let ended = summary.games - unfinished;
        self.unfinished += unfinished;
        self.played += summary.games;
        let mut first = 0.0;
        for ((side, seat), is_first) in
            summary.seats.iter().zip(&mut self.seats).zip(&table.is_first)
        {
            let wins = side.share.value * real(ended);
            seat.add(wins, ended);
            first += if *is_first { wins } else { 0.0 };
        }
        let [deck, against] = decks;
        self.wins[deck][against].add(first, ended);
        if deck != against {
            self.wins[against][deck].add(real(ended) - first, ended);
        }
        for group in summary.tallies {
            for member in group.members {
                *self.tallies.entry((group.group, member.id)).or_default() += member.total;
            }
        }
    }

    fn document(
        self,
        game: &'static dyn AnyGame,
        table: Table,
        decks: &[SmolStr],
    ) -> PairingsDocument {
        let mut pairings = Vec::new();
        let mut records = Vec::new();
        for (deck, wins) in decks.iter().zip(&self.wins) {
            let mut all = Wins::default();
            for (against, wins) in decks.iter().zip(wins) {
                let (deck, against) = (deck.clone(), against.clone());
                if deck != against {
                    all.add(wins.wins, wins.games);
                }
                pairings.push(Pairing { deck, against, share: wins.share() });
            }
            records.push(all.of(deck));
        }
        let seats = Seat::all(self.seats.len()).zip(&self.seats);
        PairingsDocument {
            game: game.key(),
            games: table.games.div_ceil(2) * 2,
            plan: table.plan,
            unfinished: self.unfinished,
            decks: records,
            pairings,
            seats: seats.map(|(seat, wins)| wins.of(seat.name())).collect(),
            tallies: groups(&self.tallies, self.played),
        }
    }
}
