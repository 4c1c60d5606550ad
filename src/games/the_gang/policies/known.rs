//! The public knowledge of all hands: the information in the chips.
//!
//! For each player, the likelihood of each pocket is stored. Before every pass of the heist all players
//! compute the same lines between the chips ([`Lines`]), so that a wish shows between which lines a hand
//! lies; and wishes that all differ show the order of the hands. A live chip shows the number of others that
//! its holder expects to beat.

use std::cell::RefCell;
use std::rc::Rc;

use arrayvec::ArrayVec;

use super::super::edition::EDITION;
use super::super::extra_cards::{Challenge, Specialist};
use super::super::showdown::is_muscle;
use super::super::state::{PLAYERS, Star, State, Street};
use super::outlook::{LEVELS, Level, Outlook};
use rules::{BySeat, Seat, Viewer};

/// The factor on a pocket's likelihood for every star between the expected and the actual wish. People do not
/// draw exactly the same lines.
const SLIP: f64 = 0.03;
/// The minimum likelihood of any chip, whatever speaks against it.
const MISTAKE: f64 = 0.1;
/// The boundaries between places, in numbers of weaker players: from half a player on, the second chip is
/// nearer than the first, and so on.
const HALVES: [f64; PLAYERS - 1] = [0.5, 1.5, 2.5, 3.5, 4.5];

/// The assignment of chips to levels of hands.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The levels from which the second chip, the third and so on are due.
    lines: ArrayVec<Level, PLAYERS>,
    /// The chip to wish for below the first line, between the first and the second, and so on; `None` only if
    /// none is free.
    stars: ArrayVec<Option<Star>, PLAYERS>,
}

impl Lines {
    /// Assigns to each place the nearest free chip.
    fn new(lines: ArrayVec<Level, PLAYERS>, free: &[Star]) -> Self {
        let nearest = |place: usize| {
            let away = |star: &&Star| usize::from(star.get()).abs_diff(place);
            free.iter().min_by_key(away).copied()
        };
        let stars = (1..=lines.len() + 1).map(nearest).collect();
        Self { lines, stars }
    }

    /// The chip to wish for with a hand of this level.
    pub(super) fn star(&self, level: Level) -> Option<Star> {
        self.stars[self.place(level)]
    }

    /// The number of lines at or below this level.
    fn place(&self, level: Level) -> usize {
        self.lines.iter().map(|line| usize::from(*line <= level)).sum()
    }
}

/// The public knowledge.
#[derive(Debug)]
pub(super) struct KnownToAll {
    /// The worth of the pockets on the current board.
    pub(super) outlook: Rc<Outlook>,
    /// The relative likelihood of each of the outlook's pockets, by player.
    likely: BySeat<Vec<f64>>,
    muscle: Option<Seat>,
    /// The lines for the coming pass.
    lines: Lines,
}

impl KnownToAll {
    /// Computes the public knowledge from the view of any seat, with the same result for all; the last result
    /// is cached.
    pub(super) fn of(view: &State) -> Rc<Self> {
        thread_local! {
            static LAST: RefCell<Option<(State, Rc<KnownToAll>)>> = const { RefCell::new(None) };
        }
        let public = view.seen_by(Viewer::Public);
        LAST.with_borrow_mut(|last| match last {
            Some((state, known)) if *state == public => Rc::clone(known),
            _ => {
                let known = Rc::new(Self::replayed(&public));
                *last = Some((public, Rc::clone(&known)));
                known
            }
        })
    }

    /// Replays the heist, street by street and pass by pass.
    fn replayed(state: &State) -> Self {
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

    /// Excludes the pockets with cards on the board.
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

    /// Learns from the public wishes of a street (G2.3.2); without wishes from its chips.
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

    /// Learns from a wish: it should be the chip that is due to the hand by the lines.
    fn learn_wish(&mut self, seat: Seat, star: Star) {
        let slips = |due: &Option<Star>| due.map_or(0, |due| due.get().abs_diff(star.get()));
        let factors = self.lines.stars.iter().map(|due| SLIP.powi(slips(due).into()));
        let factors: ArrayVec<f64, PLAYERS> = factors.collect();
        let levels = levels(&self.outlook, self.muscle, seat);
        for (likely, level) in self.likely[seat].iter_mut().zip(levels) {
            *likely *= level.map_or(1.0, |level| factors[self.lines.place(level)]);
        }
    }

    /// Learns from chips held without wishes, live (G2.4) or given by the GM (G7.4): the holder is expected
    /// to be stronger than the number of others that the chip shows.
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

    /// The expected number of these players below each level, ties half.
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

    /// The expected number of these players at each level.
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

    /// Computes the lines between the chips: a hand's place is the expected number of players below its
    /// level, its public holder included.
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

    /// The place of a hand of this level, from 1, by the expected number of other players below it.
    pub(super) fn place(&self, seat: Seat, level: Level) -> usize {
        let others = self.likely.seats().filter(|other| *other != seat);
        let below = self.below(others)[usize::from(level)];
        1 + (1..self.likely.count()).zip(HALVES).filter(|(_, half)| *half <= below).count()
    }

    fn levels(&self, seat: Seat) -> &[Option<Level>] {
        levels(&self.outlook, self.muscle, seat)
    }

    /// The common lines for the coming pass.
    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The possible pockets of a player, each with its level and likelihood.
    pub(super) fn likely(&self, seat: Seat) -> impl Iterator<Item = (usize, Level, f64)> {
        let likely = self.levels(seat).iter().zip(&self.likely[seat]).enumerate();
        likely.filter_map(|(pocket, (level, likely))| Some((pocket, (*level)?, *likely)))
    }
}

/// The probability that exactly `place - 1` of the players are below, given the probability of each.
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

/// The levels of a player's possible pockets. A function without `self` borrows less.
fn levels(outlook: &Outlook, muscle: Option<Seat>, seat: Seat) -> &[Option<Level>] {
    outlook.levels(muscle == Some(seat))
}

/// True if a chip is fixed once a player holds it (G5.2, G5.6).
fn is_watched(state: &State, street: Street, star: Star) -> bool {
    let mut stars = state.stars();
    let lowest = state.has(Challenge::NoiseSensors) && stars.next() == Some(star);
    let highest = state.has(Challenge::VentilationShaft) && stars.next_back() == Some(star);
    street != Street::River && (lowest || highest)
}

/// True if the pocket has changed since earlier streets: by a redraw after the flop (G5.12), or by the Hacker
/// or the Jack.
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
