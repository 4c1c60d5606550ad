//! A game of plans: all seats seal two acts of one turn together, and the first acts of all are carried out
//! before any second act. The second act is asked over the imagined effect of the first, as far as its seat
//! can know. It tests `imagine`.

use serde::{Deserialize, Serialize};

use kit::pieces::{Number, Word, words};
use kit::toy::said;
use rules::dice::Dice;
use rules::playout::Random;
use rules::*;

#[derive(Clone, Debug)]
struct Plans;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    gold: BySeat<u8>,
    /// The cards of each seat, `None` for a card that a viewer may not know.
    hands: BySeat<Vec<Option<u8>>>,
    deck: Vec<Option<u8>>,
    points: BySeat<u8>,
    /// The sealed acts of each seat for this round.
    plans: BySeat<[Option<Plan>; 2]>,
    round: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Drew { seat: Seat, card: Option<u8> },
    Worked { seat: Seat },
    Played { seat: Seat, card: u8 },
    Failed { seat: Seat },
}

/// The number of rounds.
const ROUNDS: u8 = 3;

/// A sealed act.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Plan {
    Draw,
    Work,
    Play(Option<u8>),
}

/// P1: asks for an act over the present cards. A card costs its number.
fn plan(
    state: &State,
    seat: Seat,
    part: &Key,
    referee: &mut Referee<'_, Plans>,
) -> Play<Option<Plan>> {
    let held: Vec<u8> = state.hands[seat].iter().copied().flatten().collect();
    let payable: Vec<Number> =
        held.into_iter().filter(|card| *card <= state.gold[seat]).map(Number).collect();
    let mut ways = words(["draw", "work"]).to_vec();
    ways.extend((!payable.is_empty()).then_some(Word("play")));
    let way = referee.choose(seat, &Ask::new(part.named("way"), "P1"), &ways)?;
    Ok(match way {
        Some(Word("draw")) => Some(Plan::Draw),
        Some(Word("work")) => Some(Plan::Work),
        Some(_) => {
            let ask = Ask::new(part.named("card"), "P1");
            Some(Plan::Play(referee.choose(seat, &ask, &payable)?.map(|Number(card)| card)))
        }
        None => None,
    })
}

/// P2: carries an act out.
fn carry_out(state: &mut State, seat: Seat, plan: Plan, referee: &mut Referee<'_, Plans>) {
    let lies = |card: u8| move |held: &Option<u8>| *held == Some(card);
    match plan {
        Plan::Draw => {
            let card = state.deck.pop().flatten();
            state.hands[seat].push(card);
            referee.tell(Event::Drew { seat, card });
        }
        Plan::Work => {
            state.gold[seat] += 2;
            referee.tell(Event::Worked { seat });
        }
        Plan::Play(Some(card)) => match state.hands[seat].iter().position(lies(card)) {
            Some(at) if state.gold[seat] >= card => {
                state.hands[seat].remove(at);
                state.gold[seat] -= card;
                state.points[seat] += card;
                referee.tell(Event::Played { seat, card });
            }
            _ => referee.tell(Event::Failed { seat }),
        },
        Plan::Play(None) => referee.tell(Event::Failed { seat }),
    }
}

impl Plans {
    /// Asks for both acts of a seat: the second over the effect of the first, as far as the seat can know.
    fn both(state: &State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<[Option<Plan>; 2]> {
        let first = plan(state, seat, &Key::part("act"), referee)?;
        let second = referee.imagine(state, seat, |left, referee| {
            if let Some(first) = first {
                carry_out(left, seat, first, referee);
            }
            plan(left, seat, &Key::part("act").nth(2), referee)
        })?;
        Ok([first, second])
    }
}

impl Game for Plans {
    const KEY: &'static str = "plans";
    type Options = ();
    type State = State;
    type Event = Event;

    fn seats() -> std::ops::RangeInclusive<usize> {
        2..=3
    }

    fn bare((): &(), seats: usize) -> State {
        State {
            gold: BySeat::new(seats, |_| 2),
            hands: BySeat::new(seats, |_| vec![Some(1), Some(4)]),
            deck: (1..=30).map(|card| Some(card % 5 + 1)).collect(),
            points: BySeat::new(seats, |_| 0),
            plans: BySeat::new(seats, |_| [None; 2]),
            round: 0,
        }
    }

    fn setup(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        Self::reshuffle(state, referee);
        Ok(())
    }

    fn round(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        let seats: Vec<Seat> = state.gold.seats().collect();
        for &seat in &seats {
            // No act is carried out before all seats have declared.
            referee.turn(state, seat)?;
        }
        for act in 0..2 {
            for &seat in &seats {
                if let Some(plan) = state.plans[seat][act] {
                    carry_out(state, seat, plan, referee);
                }
            }
        }
        state.plans = state.plans.map(|_, _| [None; 2]);
        state.round += 1;
        Ok(())
    }

    fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        state.plans[seat] = Self::both(state, seat, referee)?;
        Ok(())
    }

    fn amend(_: &mut State, _: &mut Referee<'_, Self>) -> Play<()> {
        Ok(())
    }

    fn finish(state: &mut State) {
        state.round = ROUNDS;
    }

    fn reshuffle(state: &mut State, referee: &mut Referee<'_, Self>) {
        referee.shuffle(&Label::table(Key::part("deck")), &mut state.deck);
    }

    fn asked(state: &State) -> BySeat<bool> {
        state.gold.map(|_, _| true)
    }

    fn seen_by(state: &State, viewer: Viewer) -> State {
        let mut seen = state.clone();
        if viewer == Viewer::All {
            return seen;
        }
        seen.deck.fill(None);
        for (seat, hand) in seen.hands.iter_mut() {
            if viewer != Viewer::Seat(seat) {
                hand.fill(None);
            }
        }
        seen
    }

    fn event_seen_by(_: &State, event: &Event, _: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn procedure(_: &State) -> Procedure {
        Procedure {
            kind: WindowKind::Turn,
            missing: "P3",
            closes_early: true,
            asks_people: true,
            sealing: Sealing::Open,
            skips_missing: false,
            left_out: "P3",
            payment: "P3",
            fault: Some("P3"),
            returned: "P3",
            duty: "P3",
            ordered: "P3",
            in_reserve: "P3",
            ruling: "P3",
            sealed: "P3",
            times: "P3",
            text: "P3",
        }
    }

    fn standing(state: &State) -> Option<Vec<Place>> {
        let place =
            |(seat, points): (Seat, &u8)| Place { seat, rank: 1, score: Some(i64::from(*points)) };
        (state.round == ROUNDS).then(|| state.points.iter().map(place).collect())
    }

    fn tally(_: &Event, _: &mut ItemCounter<'_>) {}
}

const P1: Seat = Seat::new(0);

fn at(state: State) -> Contest<Plans> {
    Contest::at(state, Dice::new([3; 32], "plans"))
}

/// Returns the options of the question with this key.
fn options(contest: &Contest<Plans>, text: &str, key: &str) -> Vec<String> {
    let found = contest.interview(P1, &said(text));
    let asked = found.question(&key.parse().unwrap()).unwrap_or_else(|| panic!("{key}: {found:?}"));
    match &asked.question.shape {
        Shape::Choose { options, .. } => options.iter().map(ToString::to_string).collect(),
        shape => panic!("{shape:?}"),
    }
}

#[test]
fn the_second_act_is_asked_over_what_the_first_will_leave() {
    let contest = at(Plans::bare(&(), 2));
    // With two gold the 4 is too expensive.
    assert_eq!(options(&contest, "act.way=play", "act.card"), ["1"]);
    assert_eq!(options(&contest, "act.way=work act#2.way=play", "act#2.card"), ["1", "4"]);
    assert_eq!(options(&contest, "act.way=play act.card=1", "act#2.way"), ["draw", "work"]);
    let twice = said("act.way=play act.card=1 act#2.way=play act#2.card=1");
    assert!(!contest.interview(P1, &twice).faults.is_empty());
    let whole = said("act.way=work act#2.way=play act#2.card=4");
    assert!(contest.interview(P1, &whole).is_complete());
}

#[test]
fn no_more_is_imagined_than_its_seat_can_know() {
    let mut state = Plans::bare(&(), 2);
    state.gold[P1] = 5;
    let asked =
        |state: &State| at(state.clone()).interview(P1, &said("act.way=draw act#2.way=play")).asked;
    let before = asked(&state);
    // The card that will be drawn is unknown, so it cannot be named.
    let named = at(state.clone()).interview(P1, &said("act.way=draw act#2.way=play act#2.card=5"));
    assert!(!named.faults.is_empty());
    state.deck.reverse();
    state.hands[Seat::new(1)] = vec![Some(5)];
    assert_eq!(asked(&state), before);
}

#[test]
fn nothing_that_is_imagined_is_told_or_thrown_for() {
    let mut contest = at(Plans::bare(&(), 2));
    let declared = ["act.way=work act#2.way=play act#2.card=4", "act.way=draw act#2.way=work"];
    let declared = BySeat::new(2, |seat| Some(said(declared[seat.index()])));
    let top = contest.state().deck.last().copied().flatten();
    let told = contest.close(declared).unwrap().entries;
    let told: Vec<Event> = told
        .into_iter()
        .map(|entry| match entry.item {
            Item::Event(event) => event,
            Item::Ruling(ruling) => panic!("{ruling:?}"),
        })
        .collect();
    let p2 = Seat::new(1);
    assert_eq!(
        told,
        [
            Event::Worked { seat: P1 },
            Event::Drew { seat: p2, card: top },
            Event::Played { seat: P1, card: 4 },
            Event::Worked { seat: p2 },
        ]
    );
    assert_eq!((contest.state().gold[P1], contest.state().points[P1]), (0, 4));
}

#[test]
fn what_is_imagined_decides_nothing_that_is_left_out() {
    let contest = at(Plans::bare(&(), 2));
    let found = contest.interview(P1, &said("act.way=work"));
    let second = found.question(&"act#2.way".parse().unwrap()).unwrap();
    assert!(second.is_open());
    // The close of the window does not change this: without an answer there is no second act.
    let mut contest = contest;
    let declared = BySeat::new(2, |_| Some(said("act.way=work")));
    let told = contest.close(declared).unwrap().entries;
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(contest.state().gold[P1], 4);
}

#[test]
fn it_is_played_out_on_the_fly_and_sealed() {
    let random = |seed: u8| -> Vec<Box<dyn Policy<Plans>>> {
        let chance = Dice::new([seed; 32], "plans").of_window(0, 8);
        let stream = |seat| chance.stream(&Label::of(seat, Key::part("policy")));
        Seat::all(3).map(|seat| Box::new(Random::new(stream(seat))) as Box<_>).collect()
    };
    for seed in 0..8 {
        let dice = Dice::new([seed; 32], "plans");
        let mut room = playout::Room::default();
        let played = playout::quick::<Plans>(&(), &dice, &mut random(seed), &mut room, |_| {});
        assert_eq!(played.standing.len(), 3);
        let play = || {
            let dice = Dice::new([seed; 32], "plans");
            let sealed = |_: &Contest<Plans>, _: Seat, said: Declaration| Some(said);
            playout::sealed::<Plans>(&(), dice, &mut random(seed), sealed, |_, resolution| {
                let failed = |entry: &Entry<Event>| match &entry.item {
                    Item::Event(Event::Failed { .. }) => true,
                    Item::Event(_) => false,
                    Item::Ruling(ruling) => ruling.fault.is_some(),
                };
                assert!(!resolution.entries.iter().any(failed), "{:?}", resolution.entries);
            })
        };
        assert_eq!(play().unwrap().state, play().unwrap().state);
    }
}
