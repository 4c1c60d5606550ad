//! The facts about a game that laws need beyond its rules, and the play of every law.

use games::any::Playable;
use rules::contest::Resolution;
use rules::dice::Stream;
use rules::playout::Random;
use rules::playout::{self, Played};
use rules::{
    Answer, BySeat, Contest, Declaration, Dice, Faces, Item, Key, Label, Policy, Ruling, Seat,
    Value,
};
use smol_str::SmolStr;

/// The decks, each card by its id; in a memory, `None` for an unknown card.
pub(crate) type Decks<T> = Vec<Vec<T>>;

/// A game that is tested by the laws.
pub(crate) trait Lawful: Playable {
    /// The number of whole games in the suite; `LAW_GAMES=20000` sets another.
    const GAMES: u32;

    /// The number of tables with different options or players; a law plays at each of them.
    const TABLES: u32;

    /// Returns the options and the number of players of a game.
    fn table(game: u32) -> (Self::Options, usize);

    /// Returns the maximum number of root windows of a game, with the deal.
    fn most_windows(options: &Self::Options) -> u32;

    /// The options of spoilt declarations: words of the game, and others.
    const SPOILT: &'static [&'static str];

    /// The payment of spoilt declarations.
    const MONEY: &'static str;

    /// The clause of a fault that skips a turn; `None` if impossible answers count as missing.
    const FAULT: Option<&'static str>;

    /// True if a root window can be suspended for more questions during its resolution.
    const SUSPENDS: bool;

    /// True if immediate acts exist.
    const ACTS: bool;

    /// The number of dice that the games about dice must exceed.
    const THROWN: usize;

    /// The share of the games with pairs of worlds: 8 for every eighth game.
    const PAIRED_SHARE: u32 = 8;

    /// The minimum number of pairs of worlds that differ in hidden cards.
    const PAIRS: u32 = 500;

    /// The minimum number of impossible first choices with reserves that a law must meet.
    const FALLS_BACK: usize = 10;

    /// The number of known cards in decks that a law must exceed; 0 if nobody knows any.
    const KNOWN: u32 = 20;

    /// Returns the state with other hidden cards of `of` and other cards in the decks. Before the deal only a
    /// few cards of each deck change places, so that hands often stay the same.
    fn twin(state: &Self::State, of: Seat, chance: &mut Stream) -> Self::State;

    /// Returns every deck of a state.
    fn decks(state: &Self::State) -> Decks<SmolStr>;

    /// Returns the state with empty decks.
    fn without_decks(state: &Self::State) -> Self::State;

    /// Returns the knowledge of the decks before any event.
    fn memory(options: &Self::Options, seats: usize) -> Decks<Option<SmolStr>>;

    /// Updates the knowledge of the decks by an event.
    fn hear(memory: &mut Decks<Option<SmolStr>>, event: &Self::Event);
}

/// Returns the numbers of a share of all games, at least one for each table.
pub(crate) fn games<G: Lawful>(share: u32) -> std::ops::Range<u32> {
    let asked = std::env::var("LAW_GAMES").ok().and_then(|games| games.parse().ok());
    0..(asked.unwrap_or(G::GAMES) / share).max(G::TABLES)
}

pub(crate) fn dice(game: u32) -> Dice {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&game.to_le_bytes());
    Dice::new(seed, "laws")
}

pub(crate) fn chance(game: u32, what: &'static str) -> Stream {
    dice(game).of_window(0, 7).stream(&Label::table(Key::part(what)))
}

/// Returns a random index in a list of this length.
pub(crate) fn below(chance: &mut Stream, length: usize) -> usize {
    chance.below(length.try_into().unwrap()) as usize
}

/// True if two seats are of one side, and so share its knowledge.
pub(crate) fn are_partners<G: Lawful>(state: &G::State, seat: Seat, other: Seat) -> bool {
    let sides = G::sides(state);
    sides[seat].is_some() && sides[seat] == sides[other]
}

/// Returns another seat.
pub(crate) fn another(seat: Seat, count: usize, chance: &mut Stream) -> Seat {
    Seat::new((seat.index() + 1 + below(chance, count - 1)) % count)
}

/// Returns players who declare anything legal, even what the rules forbid bot players.
pub(crate) fn random<G: Lawful>(game: u32) -> Vec<Box<dyn Policy<G>>> {
    let chance = dice(game).of_window(0, 8);
    let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
    Seat::all(G::table(game).1).map(|seat| Box::new(Random::new(stream(seat))) as Box<_>).collect()
}

/// Plays a game by sealed declarations.
pub(crate) fn play<G: Lawful>(
    game: u32,
    seal: impl FnMut(&Contest<G>, Seat, Declaration) -> Option<Declaration>,
    told: impl FnMut(&Contest<G>, &Resolution<G::Event>),
) -> Played<G> {
    playout::sealed(&G::table(game).0, dice(game), &mut random(game), seal, told).unwrap()
}

pub(crate) fn rulings<E>(resolution: &Resolution<E>) -> impl Iterator<Item = &Ruling> {
    resolution.entries.iter().filter_map(|entry| match &entry.item {
        Item::Ruling(ruling) => Some(ruling),
        Item::Event(_) => None,
    })
}

pub(crate) fn events<E>(resolution: &Resolution<E>) -> impl Iterator<Item = &E> {
    resolution.entries.iter().filter_map(|entry| match &entry.item {
        Item::Event(event) => Some(event),
        Item::Ruling(_) => None,
    })
}

/// Spoils a declaration: omits answers, names missing things, and answers questions that were not asked.
pub(crate) fn spoil<G: Lawful>(declaration: &Declaration, chance: &mut Stream) -> Declaration {
    let mut spoilt = Declaration::default();
    for (key, answer) in declaration.iter() {
        match chance.below(8) {
            0 => {}
            1 => spoilt.set(key.clone(), Answer::LeftOut),
            2 => {
                let word = G::SPOILT[below(chance, G::SPOILT.len())];
                spoilt.set(key.clone(), Answer::Given(Value::Choice(word.into())));
            }
            3 => {
                let pieces =
                    vec![(G::MONEY.into(), chance.below(4).try_into().unwrap()), ("x".into(), 1)];
                spoilt.set(key.clone(), Answer::Given(Value::Payment(pieces)));
            }
            4 => spoilt.set(key.clone().nth(2), answer.clone()),
            _ => spoilt.set(key.clone(), answer.clone()),
        }
    }
    spoilt
}

/// A contest with its players and the random source of their faults.
pub(crate) struct Table<G: Lawful> {
    pub(crate) contest: Contest<G>,
    pub(crate) policies: Vec<Box<dyn Policy<G>>>,
    pub(crate) mischief: Stream,
}

impl<G: Lawful> Table<G> {
    pub(crate) fn open(game: u32) -> (Self, Resolution<G::Event>) {
        let (options, seats) = G::table(game);
        let (contest, dealt) = Contest::open(&options, seats, dice(game)).unwrap();
        let (policies, mischief) = (random(game), chance(game, "decisions"));
        (Self { contest, policies, mischief }, dealt)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.contest.standing().is_some()
    }

    /// Carries out everybody's immediate acts, and returns their resolutions.
    pub(crate) fn act(&mut self) -> Vec<Resolution<G::Event>> {
        let mut told = Vec::new();
        self.contest.act_all(&mut self.policies, |_, resolution| told.push(resolution.clone()));
        told
    }

    /// Returns everybody's declarations, some faulty and some missing.
    pub(crate) fn declared(&mut self) -> BySeat<Option<Declaration>> {
        let declared = playout::declarations(&self.contest, &mut self.policies);
        let mut spoilt = |declaration: &Declaration| match self.mischief.below(6) {
            0 => None,
            1 | 2 => Some(spoil::<G>(declaration, &mut self.mischief)),
            _ => Some(declaration.clone()),
        };
        declared.map(|_, declaration| declaration.as_ref().and_then(&mut spoilt))
    }

    pub(crate) fn seat(&mut self) -> Seat {
        Seat::new(below(&mut self.mischief, self.policies.len()))
    }

    /// Returns a possible result of a die.
    pub(crate) fn face(&mut self, faces: &Faces) -> Value {
        let chance = &mut self.mischief;
        match faces {
            Faces::One(options) => Value::Choice(options[below(chance, options.len())].clone()),
            Faces::Several { options, count } => {
                let mut options = options.clone();
                chance.shuffle(&mut options);
                Value::Picks(options[..*count].to_vec())
            }
            &Faces::Number { least, most } => {
                let sides = usize::try_from(most - least + 1).unwrap();
                Value::Number(least + i64::try_from(below(chance, sides)).unwrap())
            }
        }
    }
}
