//! What everybody knows of everybody's hand: what the chips have told.
//!
//! It is kept how likely each pocket is for each player. Before every pass of the heist everybody
//! finds the same lines between the chips ([`Lines`]), so that a wish tells between which of them a
//! hand lies; and where all wishes differ, their order is that of the hands. Live chips say how many
//! of the others a hand is taken to beat.

use std::cell::RefCell;
use std::rc::Rc;

use arrayvec::ArrayVec;

use super::super::edition::EDITION;
use super::super::extra_cards::{Challenge, Specialist};
use super::super::showdown::is_muscle;
use super::super::state::{PLAYERS, Star, State, Street};
use super::outlook::{LEVELS, Level, Outlook};
use rules::{BySeat, Seat, Viewer};

/// How much less likely every star between the wish that was expected and the one that was made
/// makes a pocket. People do not draw quite the same lines.
const SLIP: f64 = 0.03;
/// How likely any chip is all the same, whatever speaks against it.
const MISTAKE: f64 = 0.1;
/// From half a player below on the second chip is nearer than the first, and so on.
const HALVES: [f64; PLAYERS - 1] = [0.5, 1.5, 2.5, 3.5, 4.5];

/// Which chip is whose, by the level of the hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The level from which on the second chip is due, the third, and so on.
    lines: ArrayVec<Level, PLAYERS>,
    /// The chip that is wished for below the first line, between it and the second, and so on; none
    /// only if none is free.
    stars: ArrayVec<Option<Star>, PLAYERS>,
}

impl Lines {
    /// A hand is due the chip of its place; of those that are free the nearest is wished for.
    fn new(lines: ArrayVec<Level, PLAYERS>, free: &[Star]) -> Self {
        let nearest = |place: usize| {
            let away = |star: &&Star| usize::from(star.get()).abs_diff(place);
            free.iter().min_by_key(away).copied()
        };
        let stars = (1..=lines.len() + 1).map(nearest).collect();
        Self { lines, stars }
    }

    /// The chip that a hand of this level wishes for.
    pub(super) fn star(&self, level: Level) -> Option<Star> {
        self.stars[self.place(level)]
    }

    /// How many lines a hand of this level is not below.
    fn place(&self, level: Level) -> usize {
        self.lines.iter().map(|line| usize::from(*line <= level)).sum()
    }
}

/// What everybody knows.
#[derive(Debug)]
pub(super) struct KnownToAll {
    /// What the pockets are worth on the board of now.
    pub(super) outlook: Rc<Outlook>,
    /// Of each player, how likely each of the outlook's pockets is, in any measure.
    likely: BySeat<Vec<f64>>,
    muscle: Option<Seat>,
    /// The lines for the coming pass.
    lines: Lines,
}

impl KnownToAll {
    /// What there is to know, out of a view of any seat: all find the same.
    pub(super) fn of(view: &State) -> Rc<Self> {
        thread_local! {
            static LAST: RefCell<Option<(State, Rc<KnownToAll>)>> = const { RefCell::new(None) };
        }
        let public = view.seen_by(Viewer::Public);
        LAST.with_borrow_mut(|last| match last {
            Some((state, known)) if *state == public => Rc::clone(known),
            _ => {
                let known = Rc::new(Self::told(&public));
                *last = Some((public, Rc::clone(&known)));
                known
            }
        })
    }

    /// Goes through the heist, street by street and pass by pass.
    fn told(state: &State) -> Self {
        let size = state.pocket_size();
        let outlook = Outlook::of(&[], size);
        let anything = vec![1.0; outlook.pockets().len()];
        let mut known = Self {
            outlook,
            likely: state.players.map(|_, _| anything.clone()),
            muscle: state.players.seats().find(|&seat| is_muscle(state, seat)),
            lines: Lines::default(),
        };
        let mut turned_up = 0;
        for &street in &Street::ALL[..=state.street.index()] {
            turned_up = state.board.len().min(turned_up + EDITION.cards.board[street.index()]);
            for seat in state.players.seats() {
                if has_changed(state, street, seat) {
                    known.likely[seat].clone_from(&anything);
                }
            }
            known.turn_up(Outlook::of(&state.board[..turned_up], size));
            known.hear(state, street);
        }
        known
    }

    /// Nobody holds what lies on the board.
    fn turn_up(&mut self, outlook: Rc<Outlook>) {
        for (_, likely) in self.likely.iter_mut() {
            for (likely, level) in likely.iter_mut().zip(outlook.levels(false)) {
                if level.is_none() {
                    *likely = 0.0;
                }
            }
        }
        self.outlook = outlook;
    }

    /// The wishes of a street, which everybody has seen (G2.3.2); or else the chips of it.
    fn hear(&mut self, state: &State, street: Street) {
        let wishes = |seat: Seat| &state.players[seat].wishes[street.index()];
        let passes = state.players.seats().map(|seat| wishes(seat).len()).max().unwrap_or(0);
        if passes == 0 {
            self.learn_places(state, street);
        }
        let mut free: ArrayVec<Star, PLAYERS> = state.stars().collect();
        self.lines = self.draw(&free);
        for pass in 0..passes {
            let wish = |seat: Seat| wishes(seat).get(pass).copied().flatten();
            for seat in state.players.seats() {
                if let Some(star) = wish(seat) {
                    self.learn_wish(seat, star);
                }
            }
            free.retain(|&mut star| {
                let rivals = state.players.seats().filter(|&seat| wish(seat) == Some(star));
                !is_watched(state, street, star) || rivals.count() != 1
            });
            self.lines = self.draw(&free);
        }
    }

    /// Somebody wishes for a chip: that is the one which the hand is due by the lines.
    fn learn_wish(&mut self, seat: Seat, star: Star) {
        let slips = |due: &Option<Star>| due.map_or(0, |due| due.get().abs_diff(star.get()));
        let factors = self.lines.stars.iter().map(|due| SLIP.powi(slips(due).into()));
        let factors: ArrayVec<f64, PLAYERS> = factors.collect();
        let levels = levels(&self.outlook, self.muscle, seat);
        for (likely, level) in self.likely[seat].iter_mut().zip(levels) {
            *likely *= level.map_or(1.0, |level| factors[self.lines.place(level)]);
        }
    }

    /// Chips that lie before the players, as they are live (G2.4) or were given by the GM (G7.4):
    /// whoever has one is held to be stronger than so many others as it says.
    fn learn_places(&mut self, state: &State, street: Street) {
        let below = self.likely.map(|seat, _| self.below([seat]));
        for seat in state.players.seats() {
            let Some(star) = state.players[seat].chips[street.index()] else { continue };
            let others: ArrayVec<&[f64], PLAYERS> = below
                .iter()
                .filter(|(other, _)| *other != seat)
                .map(|(_, below)| &**below)
                .collect();
            let levels = levels(&self.outlook, self.muscle, seat);
            for (likely, level) in self.likely[seat].iter_mut().zip(levels) {
                let Some(level) = level.filter(|_| *likely > 0.0) else { continue };
                let below = others.iter().map(|below| below[usize::from(level)]);
                *likely *= MISTAKE + exactly(star.get(), below);
            }
        }
    }

    /// How many of these players are to be expected below each level, ties half.
    fn below(&self, seats: impl IntoIterator<Item = Seat>) -> Vec<f64> {
        let mut there = self.there(seats);
        let mut below = 0.0;
        for there in &mut there {
            let here = *there;
            *there = below + here / 2.0;
            below += here;
        }
        there
    }

    /// How many of these players are to be expected at each level.
    fn there(&self, seats: impl IntoIterator<Item = Seat>) -> Vec<f64> {
        let mut there = vec![0.0; LEVELS];
        for seat in seats {
            let sum: f64 = self.likely[seat].iter().sum();
            for (_, level, likely) in self.likely(seat) {
                there[usize::from(level)] += likely / sum;
            }
        }
        there
    }

    /// The lines between the chips: a hand's place is the number of players who are to be expected
    /// below its level, whoever holds it counted in as everybody knows them.
    fn draw(&self, free: &[Star]) -> Lines {
        let (mut lines, mut next) = (ArrayVec::new(), 1.0);
        for (level, below) in (0..).zip(self.below(self.likely.seats())) {
            while lines.len() + 1 < self.likely.count() && below >= next {
                lines.push(level);
                next += 1.0;
            }
        }
        Lines::new(lines, free)
    }

    /// The place of a hand of this level among the others, by what is known of them: the chip with
    /// as many below as are to be expected.
    pub(super) fn place(&self, seat: Seat, level: Level) -> usize {
        let others = self.likely.seats().filter(|other| *other != seat);
        let below = self.below(others)[usize::from(level)];
        1 + (1..self.likely.count()).zip(HALVES).filter(|(_, half)| *half <= below).count()
    }

    fn levels(&self, seat: Seat) -> &[Option<Level>] {
        levels(&self.outlook, self.muscle, seat)
    }

    /// Where everybody draws the lines in the coming pass.
    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The pockets that a player can hold, each with its level and how likely it is.
    pub(super) fn likely(&self, seat: Seat) -> impl Iterator<Item = (usize, Level, f64)> {
        let likely = self.levels(seat).iter().zip(&self.likely[seat]).enumerate();
        likely.filter_map(|(pocket, (level, likely))| Some((pocket, (*level)?, *likely)))
    }
}

/// How likely it is that of players who are below so likely each, one less than so many are.
fn exactly(place: u8, below: impl Iterator<Item = f64>) -> f64 {
    let mut counts = [0.0; PLAYERS];
    counts[0] = 1.0;
    for below in below {
        for count in (1..PLAYERS).rev() {
            counts[count] += (counts[count - 1] - counts[count]) * below;
        }
        counts[0] -= counts[0] * below;
    }
    counts[usize::from(place) - 1]
}

/// The levels of what a player can hold. It borrows less than all that is known.
fn levels(outlook: &Outlook, muscle: Option<Seat>, seat: Seat) -> &[Option<Level>] {
    outlook.levels(muscle == Some(seat))
}

/// True if a chip is fixed once somebody has it (G5.2, G5.6).
fn is_watched(state: &State, street: Street, star: Star) -> bool {
    let mut stars = state.stars();
    let lowest = state.has(Challenge::NoiseSensors) && stars.next() == Some(star);
    let highest = state.has(Challenge::VentilationShaft) && stars.next_back() == Some(star);
    street != Street::River && (lowest || highest)
}

/// True if what was told before this street was about another pocket: by a redraw after the flop
/// (G5.12), or as the Hacker or the Jack has come since.
fn has_changed(state: &State, street: Street, seat: Seat) -> bool {
    let exchanged = |card| matches!(card, Specialist::Hacker | Specialist::Jack);
    let hired = state.specialist.filter(|hired| exchanged(hired.card) && hired.user == Some(seat));
    if street == state.street && hired.is_some() {
        return true;
    }
    let faces = state.board.iter().take(3).any(|card| card.value().is_face());
    let lowest = state.stars().next().and_then(|star| state.holder_in(Street::PreFlop, star));
    let redrew = [
        (Challenge::MotionDetector, faces, lowest),
        (Challenge::LaserTripwires, !faces, state.highest(Street::PreFlop)),
    ];
    let redrew_by = |(by, acts, holder)| state.has(by) && acts && holder == Some(seat);
    street == Street::Flop && redrew.into_iter().any(redrew_by)
}
