//! A small game that uses all features of the engine: a hidden hand, simultaneous questions, a die, a
//! payment, a reaction, a standing answer, a duty. It tests the engine, and everything that works with any
//! game.

use serde::{Deserialize, Serialize};

use rules::Dice;
use rules::*;

use crate::pieces::{Number, Word, words};

/// The game, with open or hidden seals.
#[derive(Clone, Debug)]
pub struct ToyOf<const HIDDEN: bool>;

pub type Toy = ToyOf<false>;
pub type HiddenToy = ToyOf<true>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub hands: BySeat<Vec<Option<u8>>>,
    pub deck: Vec<Option<u8>>,
    pub gold: BySeat<u8>,
    pub placed: BySeat<u32>,
    pub motto: BySeat<String>,
    pub round: u8,
    /// The seats that have ended this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resting: Vec<Seat>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, strum::VariantNames)]
pub enum Event {
    Dealt,
    Drew { seat: Seat, card: Option<u8> },
    Stopped { by: Seat },
    Placed { seat: Seat, card: u8, paid: u8 },
    Taxed { seat: Seat, gold: u8 },
    Gave { seat: Seat, to: Seat },
    Rested { seat: Seat },
}

impl<const HIDDEN: bool> Game for ToyOf<HIDDEN> {
    const KEY: &'static str = if HIDDEN { "toy-hidden" } else { "toy" };
    type Options = ();
    type State = State;
    type Event = Event;

    fn seats() -> std::ops::RangeInclusive<usize> {
        2..=4
    }

    fn bare((): &(), seats: usize) -> State {
        State {
            hands: BySeat::new(seats, |_| Vec::new()),
            deck: (1..=40).map(|card| Some(card % 5 + 1)).collect(),
            gold: BySeat::new(seats, |_| 4),
            placed: BySeat::new(seats, |_| 0),
            motto: BySeat::new(seats, |_| String::new()),
            round: 0,
            resting: Vec::new(),
        }
    }

    fn setup(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        Self::reshuffle(state, referee);
        for seat in state.gold.seats() {
            let cards = state.deck.drain(..3);
            state.hands[seat].extend(cards);
        }
        referee.tell(Event::Dealt);
        // Everybody names an amount and a motto at the same time.
        let ask = Ask::new(Key::new("bid", "gold"), "T1");
        let bids = referee.together(state, state.gold.seats(), |_, seat, referee| {
            let gold = referee.number(seat, &ask, 1, 6)?;
            let ask = Ask::new(Key::new("bid", "motto"), "T1").or_nothing();
            Ok((gold, referee.text(seat, &ask, 20, TextForm::Line)?))
        })?;
        for (seat, (gold, motto)) in bids {
            state.gold[seat] += u8::try_from(gold.unwrap_or(0)).expect("1 to 6");
            state.motto[seat] = motto.unwrap_or_default();
        }
        Ok(())
    }

    fn round(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        for seat in state.gold.seats() {
            referee.turn(state, seat)?;
        }
        state.round += 1;
        state.resting.clear();
        Ok(())
    }

    fn turn(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        referee.duty(&Key::part("tax"), state, |state, referee| tax(state, seat, referee))?;
        referee.standing(|referee| {
            let ask = Ask::new(Key::new("react", "if-large"), "T4").or("pass").or_missing();
            referee.choose(seat, &ask, &words(["stop", "pass"])).map(drop)
        });
        referee.part(&Key::part("act"), state, |state, referee| act(state, seat, referee))?;
        Ok(())
    }

    fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        if state.resting.contains(&seat) {
            return Ok(());
        }
        let mut deeds = vec![Word("rest")];
        deeds.extend((state.gold[seat] > 0).then_some(Word("give")));
        let ask = Ask::new(Key::new("now", "do"), "T7").or_nothing();
        match referee.choose(seat, &ask, &deeds)? {
            Some(Word("rest")) => {
                state.resting.push(seat);
                referee.tell(Event::Rested { seat });
            }
            Some(_) => {
                let others: Vec<Seat> = state.gold.seats().filter(|other| *other != seat).collect();
                let ask = Ask::new(Key::new("now", "to"), "T7");
                let to = referee.choose(seat, &ask, &others)?.expect("there are others");
                state.gold[seat] -= 1;
                state.gold[to] += 1;
                referee.tell(Event::Gave { seat, to });
            }
            None => {}
        }
        Ok(())
    }

    fn may_take_back(said: &Declaration) -> Result<(), Option<&'static str>> {
        match said.get(&Key::new("now", "to")) {
            Some(_) => Ok(()),
            None => Err(Some("T7")),
        }
    }

    fn is_shown(event: &Event) -> bool {
        matches!(event, Event::Rested { .. })
    }

    fn amend(state: &mut State, referee: &mut Referee<'_, Self>) -> Play<()> {
        let seats: Vec<Seat> = state.gold.seats().collect();
        let ask = Ask::new(Key::new("gold", "who"), "GM").or_nothing();
        let Some(seat) = referee.choose(seats[0], &ask, &seats)? else { return Ok(()) };
        let ask = Ask::new(Key::new("gold", "count"), "GM").or_nothing();
        if let Some(gold) = referee.number(seats[0], &ask, 0, 9)? {
            state.gold[seat] = u8::try_from(gold).expect("0 to 9");
        }
        Ok(())
    }

    fn finish(state: &mut State) {
        state.round = 5;
    }

    fn reshuffle(state: &mut State, referee: &mut Referee<'_, Self>) {
        referee.shuffle(&Label::table(Key::part("deck")), &mut state.deck);
    }

    fn asked(state: &State) -> BySeat<bool> {
        state.gold.map(|seat, _| !state.resting.contains(&seat))
    }

    fn seen_by(state: &State, viewer: Viewer) -> State {
        let mut seen = state.clone();
        if viewer != Viewer::All {
            seen.deck.fill(None);
        }
        for (seat, hand) in seen.hands.iter_mut() {
            if viewer != Viewer::Seat(seat) && viewer != Viewer::All {
                hand.fill(None);
            }
        }
        seen
    }

    fn event_seen_by(_: &State, event: &Event, viewer: Viewer) -> Option<Event> {
        Some(match event {
            Event::Drew { seat, .. } if ![Viewer::Seat(*seat), Viewer::All].contains(&viewer) => {
                Event::Drew { seat: *seat, card: None }
            }
            event => event.clone(),
        })
    }

    fn procedure(_: &State) -> Procedure {
        Procedure {
            kind: WindowKind::Turn,
            missing: "T5.1",
            closes_early: true,
            asks_people: true,
            sealing: if HIDDEN { Sealing::Hidden } else { Sealing::Open },
            skips_missing: true,
            left_out: "T5.2",
            payment: "T5.3",
            fault: Some("T5.4"),
            returned: "T5.5",
            duty: "T5.6",
            ordered: "T5.2",
            in_reserve: "T9",
            ruling: "T5.7",
            sealed: "T5.8",
            times: "T5.9",
            text: "T6",
        }
    }

    fn standing(state: &State) -> Option<Vec<Place>> {
        let place =
            |(seat, placed): (Seat, &u32)| Place { seat, rank: 1, score: Some(i64::from(*placed)) };
        (state.round == 5).then(|| state.placed.iter().map(place).collect())
    }

    fn tally(_: &Event, _: &mut ItemCounter<'_>) {}
}

/// T2: a tax of 1 gold, paid in every turn by a player who has gold.
fn tax<const H: bool>(
    state: &mut State,
    seat: Seat,
    referee: &mut Referee<'_, ToyOf<H>>,
) -> Play<()> {
    let purse = [Denomination { id: "gold".into(), worth: 1, count: state.gold[seat] }];
    if state.gold[seat] == 0 {
        return Ok(());
    }
    if let Some(paid) =
        referee.pay(seat, &Ask::new(Key::new("tax", "pay"), "T2"), Some(1), &purse, None)?
    {
        state.gold[seat] -= paid[0];
        referee.tell(Event::Taxed { seat, gold: paid[0] });
    }
    Ok(())
}

/// T3: draws, drops cards, or places a card, which costs its number; the others may stop it.
fn act<const H: bool>(
    state: &mut State,
    seat: Seat,
    referee: &mut Referee<'_, ToyOf<H>>,
) -> Play<()> {
    let way = referee.choose(
        seat,
        &Ask::new(Key::new("act", "way"), "T3"),
        &words(["draw", "place", "drop"]),
    )?;
    let held: Vec<Number> = state.hands[seat].iter().copied().flatten().map(Number).collect();
    match way {
        Some(Word("draw")) => {
            let card = state.deck.pop().flatten();
            state.hands[seat].push(card);
            referee.tell(Event::Drew { seat, card });
        }
        Some(Word("drop")) => {
            let ask = Ask::new(Key::new("act", "dropped"), "T3");
            for Number(card) in referee.pick(seat, &ask, &held, held.len(), 2)? {
                let index = state.hands[seat].iter().position(|&held| held == Some(card));
                state.hands[seat].remove(index.expect("it is held"));
            }
        }
        Some(_) => {
            let ask = Ask::new(Key::new("act", "card"), "T3");
            let Some(Number(card)) = referee.choose(seat, &ask, &held)? else { return Ok(()) };
            let purse = [Denomination { id: "gold".into(), worth: 1, count: state.gold[seat] }];
            let ask = Ask::new(Key::new("act", "pay"), "T3");
            let Some(paid) = referee.pay(seat, &ask, Some(card.into()), &purse, None)? else {
                return Ok(());
            };
            let number = u8::try_from(seat.index()).expect("two seats") + 1;
            let others = state.gold.seats().filter(|&other| other != seat);
            let ask = Ask::new(Key::new("react", "answer").nth(number), "T4").or("pass");
            let why = Ask::new(Key::new("react", "why").nth(number), "T4").or_nothing();
            let answers = referee.together(state, others, |_, other, referee| {
                let answer = referee.choose(other, &ask, &words(["stop", "pass"]))?;
                if answer == Some(Word("stop")) {
                    referee.text(other, &why, 10, TextForm::Line)?;
                }
                Ok(answer)
            })?;
            if let Some((by, _)) = answers.iter().find(|(_, answer)| *answer == Some(Word("stop")))
            {
                referee.tell(Event::Stopped { by: *by });
                return Ok(());
            }
            state.gold[seat] -= paid[0];
            state.placed[seat] += u32::from(card);
            let index = state.hands[seat].iter().position(|&held| held == Some(card));
            state.hands[seat].remove(index.expect("it is held"));
            referee.tell(Event::Placed { seat, card, paid: paid[0] });
        }
        None => {}
    }
    Ok(())
}

pub const P1: Seat = Seat::new(0);
pub const P2: Seat = Seat::new(1);

/// Parses a declaration such as `act.way=place act.card=3 act.pay=gold*3`.
pub fn said(text: &str) -> Declaration {
    let mut declaration = Declaration::default();
    for piece in text.split_whitespace() {
        let (key, value) = piece.split_once('=').unwrap();
        let value = match (value.split_once('*'), value.parse()) {
            _ if value == "-" => {
                declaration.set(key.parse().unwrap(), Answer::LeftOut);
                continue;
            }
            (Some((id, count)), _) => Value::Payment(vec![(id.into(), count.parse().unwrap())]),
            _ if key.ends_with("dropped") || value.contains(',') => {
                Value::Picks(value.split(',').map(Into::into).collect())
            }
            _ if key.ends_with("motto") || key.ends_with("why") => Value::Text(value.into()),
            (None, Ok(number)) if !key.ends_with("card") => Value::Number(number),
            _ => Value::Choice(value.into()),
        };
        declaration.set(key.parse().unwrap(), Answer::Given(value));
    }
    declaration
}

/// Two seats with 4 gold; P1 holds 1 and 3, P2 holds 2; a 5 lies on top of the deck.
pub fn position() -> State {
    let mut state = Toy::bare(&(), 2);
    state.hands[P1] = vec![Some(1), Some(3)];
    state.hands[P2] = vec![Some(2)];
    state.deck = vec![Some(4), Some(5)];
    state
}

pub fn contest() -> Contest<Toy> {
    Contest::at(position(), Dice::new([3; 32], "toy"))
}

pub fn close(contest: &mut Contest<Toy>, p1: &str, p2: &str) -> Vec<String> {
    let texts = [p1, p2];
    let declared =
        BySeat::new(2, |seat| (texts[seat.index()] != "none").then(|| said(texts[seat.index()])));
    let resolution = contest.close(declared).unwrap();
    resolution.entries.iter().map(line).collect()
}

pub fn line(entry: &Entry<Event>) -> String {
    match &entry.item {
        Item::Event(event) => format!("{event:?}"),
        Item::Ruling(ruling) => {
            let key = ruling.key.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} {key} {:?} {}", ruling.seat, ruling.outcome, ruling.clause)
        }
    }
}
