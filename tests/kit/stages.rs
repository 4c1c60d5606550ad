//! A game of stages: the active player strikes another, all others may use a shield, which they hold or not,
//! and the player struck chooses a gift. Each stage is a root window of its own kind. The game tests the
//! engine's kinds of windows, and that they hide the shield.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use rules::*;

/// The game of stages.
#[derive(Clone, Debug)]
pub struct Stages;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Stage {
    Turn,
    /// The other players may answer.
    Reaction {
        on: Seat,
    },
    Choice {
        of: Seat,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub stage: Stage,
    pub turn: u8,
    pub gold: BySeat<u8>,
    /// True for the holder of the shield; `None` for a viewer who may not know.
    pub shield: BySeat<Option<bool>>,
    /// True for a seat that uses its shield in this window.
    pub shielded: BySeat<bool>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::VariantNames)]
#[serde(tag = "kind")]
pub enum Event {
    Struck { by: Seat, on: Seat },
    Shielded { seat: Seat },
    Gave { seat: Seat, gold: u8 },
}

/// The options of a host, without any effect on the play.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    pub sides: Sides,
}

/// The teams (S2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    #[default]
    Alone,
    /// Two players against two.
    Pairs,
}

/// The answers to a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShieldAnswer {
    Use,
    Pass,
}

const ANSWERS: [ShieldAnswer; 2] = [ShieldAnswer::Use, ShieldAnswer::Pass];

impl Piece for ShieldAnswer {
    fn id(&self) -> SmolStr {
        match self {
            Self::Use => "use",
            Self::Pass => "pass",
        }
        .into()
    }
}

/// The number of turns.
const TURNS: u8 = 6;

impl State {
    /// Returns the active player.
    fn active(&self) -> Seat {
        let seats: Vec<Seat> = self.gold.seats().collect();
        seats[usize::from(self.turn) % seats.len()]
    }

    fn end_turn(&mut self) {
        self.stage = Stage::Turn;
        self.turn += 1;
        self.shielded = self.shielded.map(|_, _| false);
    }
}

impl Game for Stages {
    const KEY: &'static str = "stages";
    type Options = Options;
    type State = State;
    type Event = Event;

    fn seats() -> std::ops::RangeInclusive<usize> {
        2..=4
    }

    fn bare(_: &Options, seats: usize) -> State {
        State {
            stage: Stage::Turn,
            turn: 0,
            gold: BySeat::new(seats, |_| 3),
            shield: BySeat::new(seats, |_| Some(false)),
            shielded: BySeat::new(seats, |_| false),
        }
    }

    fn setup(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        Self::reshuffle(state, referee);
        Ok(())
    }

    fn round(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        let before = state.stage;
        for (seat, asked) in Self::asked(state).iter() {
            if *asked {
                referee.turn(state, seat)?;
            }
        }
        // A skipped action ends the turn.
        match before {
            Stage::Turn if state.stage == Stage::Turn => state.end_turn(),
            Stage::Reaction { on } if state.shielded[on] => {
                referee.tell(Event::Shielded { seat: on });
                state.shield[on] = Some(false);
                state.end_turn();
            }
            Stage::Reaction { on } => {
                state.stage = Stage::Choice { of: on };
                // The shields of the other players were not needed, and stay hidden.
                state.shielded = state.shielded.map(|_, _| false);
            }
            Stage::Choice { .. } => state.end_turn(),
            Stage::Turn => {}
        }
        Ok(())
    }

    fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        match state.stage {
            Stage::Turn => {
                let others: Vec<Seat> = state.gold.seats().filter(|other| *other != seat).collect();
                let ask = Ask::new(Key::new("strike", "whom"), "S1").or_nothing();
                if let Some(on) = referee.choose(seat, &ask, &others)? {
                    state.stage = Stage::Reaction { on };
                    referee.tell(Event::Struck { by: seat, on });
                }
            }
            // Everybody gets the same question, with or without a shield.
            Stage::Reaction { .. } => {
                let ask = Ask::new(Key::new("react", "shield"), "S2").or_nothing();
                let answer = referee.choose(seat, &ask, &ANSWERS)?;
                state.shielded[seat] =
                    answer == Some(ShieldAnswer::Use) && state.shield[seat] == Some(true);
            }
            Stage::Choice { of } => {
                let ask = Ask::new(Key::new("give", "gold"), "S3");
                let most = state.gold[of].min(2).into();
                let gold = referee.number(of, &ask, 0, most)?.unwrap_or(0);
                let gold = u8::try_from(gold).expect("0 to 2");
                state.gold[of] -= gold;
                referee.tell(Event::Gave { seat: of, gold });
            }
        }
        Ok(())
    }

    fn orders(state: &State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        let ask = Ask::new(Key::new("react", "shield"), "S5").or_nothing();
        referee.choose(seat, &ask, &ANSWERS)?;
        let others: Vec<Seat> = state.gold.seats().filter(|other| *other != seat).collect();
        let ask = Ask::new(Key::new("strike", "whom"), "S5").or_nothing();
        referee.pick(seat, &ask, &others, others.len(), others.len())?;
        Ok(())
    }

    fn amend(_: &mut State, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    fn finish(state: &mut State) {
        state.turn = TURNS;
    }

    fn reshuffle(state: &mut State, referee: &mut Referee<'_, Self>) {
        let mut cards: Vec<bool> = state.shield.seats().map(|seat| seat.index() == 0).collect();
        referee.shuffle(&Label::table(Key::part("cards")), &mut cards);
        state.shield = state.shield.map(|seat, _| Some(cards[seat.index()]));
    }

    fn asked(state: &State) -> BySeat<bool> {
        let active = state.active();
        state.gold.map(|seat, _| match state.stage {
            Stage::Turn => seat == active,
            Stage::Reaction { .. } => seat != active,
            Stage::Choice { of } => seat == of,
        })
    }

    fn seen_by(state: &State, viewer: Viewer) -> State {
        let mut seen = state.clone();
        for (seat, shield) in seen.shield.iter_mut() {
            if viewer != Viewer::Seat(seat) && viewer != Viewer::All {
                *shield = None;
            }
        }
        seen
    }

    fn event_seen_by(_: &State, event: &Event, _: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn procedure(state: &State) -> Procedure {
        Procedure {
            kind: match state.stage {
                Stage::Turn => WindowKind::Turn,
                Stage::Reaction { .. } => WindowKind::Reaction,
                Stage::Choice { .. } => WindowKind::Choice,
            },
            missing: "S4",
            closes_early: true,
            asks_people: true,
            sealing: Sealing::Hidden,
            skips_missing: false,
            left_out: "S4",
            payment: "S4",
            fault: Some("S4"),
            returned: "S4",
            duty: "S4",
            ordered: "S5",
            in_reserve: "S6",
            ruling: "S4",
            sealed: "S4",
            times: "S4",
            text: "S4",
        }
    }

    fn standing(state: &State) -> Option<Vec<Place>> {
        let place =
            |(seat, gold): (Seat, &u8)| Place { seat, rank: 1, score: Some(i64::from(*gold)) };
        (state.turn == TURNS).then(|| state.gold.iter().map(place).collect())
    }

    fn tally(_: &Event, _: &mut ItemCounter<'_>) {}
}
