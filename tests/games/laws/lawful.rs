//! What a law must know of a game beyond its rules, and how every law plays.

use games::any::Playable;
use rules::contest::Resolution;
use rules::dice::Stream;
use rules::playout::{self, Played};
use rules::random::Random;
use rules::{
    Answer, BySeat, Contest, Declaration, Dice, Faces, Item, Key, Label, Policy, Ruling, Seat,
    Value,
};
use smol_str::SmolStr;

/// Every deck, each card by its id; in a memory, none where nobody knows which one lies there.
pub(crate) type Decks<T> = Vec<Vec<T>>;

/// A game that the laws are held against.
pub(crate) trait Lawful: Playable {
    /// Whole games in the suite; another number of them on request with `LAW_GAMES=20000`.
    const GAMES: u32;

    /// So many tables differ in their options or in how many play; a law plays at each of them.
    const TABLES: u32;

    /// The options of a game, and how many play it.
    fn table(game: u32) -> (Self::Options, usize);

    /// A game under these options is over after so many root windows, the deal among them.
    fn most_windows(options: &Self::Options) -> u32;

    /// What a spoilt declaration says instead of what was said: words of the game, and others.
    const SPOILT: &'static [&'static str];

    /// What a spoilt declaration pays with.
    const MONEY: &'static str;

    /// The clause of a fault that skips a turn; none where whatever cannot stand counts as missing.
    const FAULT: Option<&'static str>;

    /// True if a root window can wait for more questions while it is being resolved.
    const SUSPENDS: bool;

    /// True if anything can be done at once while a window is open.
    const ACTS: bool;

    /// More dice than this are met in the games that are about them.
    const THROWN: usize;

    /// How many pairs of worlds are met at least that differ in what somebody hides.
    const PAIRS: u32 = 500;

    /// More often than this, what is said first cannot stand where something is in reserve.
    const FALLS_BACK: usize = 10;

    /// More cards of decks than this are known in the games of a law; none where nobody knows any.
    const KNOWN: u32 = 20;

    /// The same state but for what `of` holds hidden and for what lies in the decks. Before the deal
    /// only a few cards of each deck change places, so that somebody's hand often stays the same.
    fn twin(state: &Self::State, of: Seat, chance: &mut Stream) -> Self::State;

    /// Every deck of a state.
    fn decks(state: &Self::State) -> Decks<SmolStr>;

    /// The state with nothing in its decks.
    fn without_decks(state: &Self::State) -> Self::State;

    /// What somebody knows of the decks before anything is told.
    fn memory(options: &Self::Options, seats: usize) -> Decks<Option<SmolStr>>;

    /// What is told makes cards of the decks known, or takes them away.
    fn hear(memory: &mut Decks<Option<SmolStr>>, event: &Self::Event);
}

/// The numbers of a share of all games, at least one for each table.
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

/// A position in a list of this length.
pub(crate) fn below(chance: &mut Stream, length: usize) -> usize {
    chance.below(length.try_into().unwrap()) as usize
}

/// True if two seats are of one side, and so share what it knows.
pub(crate) fn are_partners<G: Lawful>(state: &G::State, seat: Seat, other: Seat) -> bool {
    let sides = G::sides(state);
    sides[seat].is_some() && sides[seat] == sides[other]
}

/// Somebody else.
pub(crate) fn another(seat: Seat, count: usize, chance: &mut Stream) -> Seat {
    Seat::new((seat.index() + 1 + below(chance, count - 1)) % count)
}

/// Players who say anything that is legal, and also what the rules keep from a player without a
/// person.
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

/// Leaves things out, names what is not there, and adds what nobody asked.
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

/// A contest under way: who plays it, and what they do wrong.
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

    /// Everybody does at once what they like; what that told.
    pub(crate) fn act(&mut self) -> Vec<Resolution<G::Event>> {
        let mut told = Vec::new();
        self.contest.act_all(&mut self.policies, |_, resolution| told.push(resolution.clone()));
        told
    }

    /// What everybody declares, some at fault and some not at all.
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

    /// Something that the die may show.
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
