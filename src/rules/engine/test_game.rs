//! A game of sixty lines that uses everything the engine has: a hidden hand, simultaneous
//! questions, a die, a payment, a reaction, a standing answer, a duty. It is built before any
//! real game and stays as the engine's own test, and that of everything that plays some game.

use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::rules::chance::dice::Dice;
use crate::rules::*;

/// The game, with open or hidden sealings.
#[derive(Clone, Debug)]
pub(crate) struct ToyOf<const HIDDEN: bool>;

pub(crate) type Toy = ToyOf<false>;
pub(crate) type HiddenToy = ToyOf<true>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) hands: BySeat<Vec<Option<u8>>>,
    pub(crate) deck: Vec<Option<u8>>,
    pub(crate) gold: BySeat<u8>,
    pub(crate) placed: BySeat<u32>,
    pub(crate) motto: BySeat<String>,
    pub(crate) round: u8,
    /// Who wants nothing more in this round.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) resting: Vec<Seat>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Event {
    Dealt,
    Drew { seat: Seat, card: Option<u8> },
    Stopped { by: Seat },
    Placed { seat: Seat, card: u8, paid: u8 },
    Taxed { seat: Seat, gold: u8 },
    Gave { seat: Seat, to: Seat },
    Rested { seat: Seat },
}

impl Piece for u8 {
    fn id(&self) -> SmolStr {
        smol_str::format_smolstr!("{self}")
    }
}

impl Piece for &'static str {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(self)
    }
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
            Ok((gold, referee.text(seat, &ask, 20, false)?))
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
            referee.choose(seat, &ask, &["stop", "pass"]).map(drop)
        });
        referee.part(&Key::part("act"), state, |state, referee| act(state, seat, referee))?;
        Ok(())
    }

    fn act(state: &mut State, seat: Seat, referee: &mut Referee<'_, Self>) -> Play<()> {
        if state.resting.contains(&seat) {
            return Ok(());
        }
        let mut deeds = vec!["rest"];
        deeds.extend((state.gold[seat] > 0).then_some("give"));
        let ask = Ask::new(Key::new("now", "do"), "T7").or_nothing();
        match referee.choose(seat, &ask, &deeds)? {
            Some("rest") => {
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
            fault: "T5.4",
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

    fn tally(_: &Event, _: &mut dyn FnMut(&'static str, SmolStr)) {}
}

/// T2: a tax of what the player names, paid in every turn.
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

/// T3: draw, or place a card, which costs its number; the others may stop it.
fn act<const H: bool>(
    state: &mut State,
    seat: Seat,
    referee: &mut Referee<'_, ToyOf<H>>,
) -> Play<()> {
    let way = referee.choose(
        seat,
        &Ask::new(Key::new("act", "way"), "T3"),
        &["draw", "place", "drop"],
    )?;
    let held: Vec<u8> = state.hands[seat].iter().copied().flatten().collect();
    match way {
        Some("draw") => {
            let card = state.deck.pop().flatten();
            state.hands[seat].push(card);
            referee.tell(Event::Drew { seat, card });
        }
        Some("drop") => {
            let ask = Ask::new(Key::new("act", "dropped"), "T3");
            for card in referee.pick(seat, &ask, &held, held.len(), 2)? {
                let index = state.hands[seat].iter().position(|&held| held == Some(card));
                state.hands[seat].remove(index.expect("it is held"));
            }
        }
        Some(_) => {
            let ask = Ask::new(Key::new("act", "card"), "T3");
            let Some(card) = referee.choose(seat, &ask, &held)? else { return Ok(()) };
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
                let answer = referee.choose(other, &ask, &["stop", "pass"])?;
                if answer == Some("stop") {
                    referee.text(other, &why, 10, false)?;
                }
                Ok(answer)
            })?;
            if let Some((by, _)) = answers.iter().find(|(_, answer)| *answer == Some("stop")) {
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

pub(crate) const P1: Seat = Seat::new(0);
pub(crate) const P2: Seat = Seat::new(1);

/// `act.way=place act.card=3 act.pay=gold*3`
pub(crate) fn said(text: &str) -> Declaration {
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
pub(crate) fn position() -> State {
    let mut state = Toy::bare(&(), 2);
    state.hands[P1] = vec![Some(1), Some(3)];
    state.hands[P2] = vec![Some(2)];
    state.deck = vec![Some(4), Some(5)];
    state
}

pub(in crate::rules) fn contest() -> Contest<Toy> {
    Contest::at(position(), Dice::new([3; 32], "toy"))
}

pub(in crate::rules) fn close(contest: &mut Contest<Toy>, p1: &str, p2: &str) -> Vec<String> {
    let texts = [p1, p2];
    let declared =
        BySeat::new(2, |seat| (texts[seat.index()] != "none").then(|| said(texts[seat.index()])));
    let resolution = contest.close(declared).unwrap();
    resolution.entries.iter().map(line).collect()
}

pub(in crate::rules) fn line(entry: &Entry<Event>) -> String {
    match &entry.item {
        Item::Event(event) => format!("{event:?}"),
        Item::Ruling(ruling) => {
            let key = ruling.key.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("{} {key} {:?} {}", ruling.seat, ruling.outcome, ruling.clause)
        }
    }
}

fn open(contest: &Contest<Toy>, seat: Seat, text: &str) -> Vec<String> {
    let interview = contest.interview(seat, &said(text));
    interview.open().map(|asked| asked.question.key.to_string()).collect()
}

#[test]
fn an_act_is_done_at_once_and_what_was_sealed_still_counts() {
    let mut contest = contest();
    assert_eq!(contest.interview(P1, &said("tax.pay=gold*1")).faults, []);
    let give = Act { seat: P2, said: said("now.do=give now.to=P1") };
    let told = contest.act(give).unwrap().entries;
    assert_eq!(told.iter().map(line).collect::<Vec<_>>(), ["Gave { seat: P2, to: P1 }"]);
    assert_eq!((contest.state().gold[P1], contest.state().gold[P2]), (5, 3));
    assert_eq!(contest.asked(), [P1, P2]);
    contest.act(Act { seat: P2, said: said("now.do=rest") }).unwrap();
    assert_eq!(contest.asked(), [P1]);
    let told = close(&mut contest, "tax.pay=gold*1 react.if-large=pass act.way=draw", "none");
    assert_eq!(told.first().unwrap(), "Taxed { seat: P1, gold: 1 }");
    assert_eq!(contest.asked(), [P1, P2]);
}

#[test]
fn what_is_not_said_whole_or_cannot_be_done_is_no_act() {
    let mut contest = contest();
    for text in
        ["", "now.do=-", "now.do=give", "now.do=give now.to=P2", "now.do=steal", "act.way=draw"]
    {
        let act = Act { seat: P2, said: said(text) };
        assert!(contest.act(act).is_err(), "{text}");
    }
    contest.act(Act { seat: P2, said: said("now.do=rest") }).unwrap();
    assert!(contest.act(Act { seat: P2, said: said("now.do=rest") }).is_err());
    assert_eq!(contest.state().gold[P1], 4);
}

#[test]
fn whoever_takes_a_contest_up_again_finds_what_was_done_in_it() {
    let mut contest = contest();
    let opened = contest.save();
    contest.act(Act { seat: P1, said: said("now.do=give now.to=P2") }).unwrap();
    contest.act(Act { seat: P2, said: said("now.do=rest") }).unwrap();
    let mut again = Contest::<Toy>::load(&contest.save(), Dice::new([3; 32], "toy")).unwrap();
    assert_eq!(again.state(), contest.state());
    assert_eq!(again.save(), contest.save());
    // The snapshot is that of the opening still, and to go back is to go there.
    assert_eq!(again.save().root, opened.root);
    again.forget_acts();
    assert_eq!(again.save(), opened);
}

#[test]
fn what_was_done_last_is_taken_back_as_far_as_the_game_allows_it() {
    let mut contest = contest();
    let opened = contest.save();
    assert_eq!((contest.last_actor(), contest.take_back()), (None, Err(None)));
    contest.act(Act { seat: P1, said: said("now.do=give now.to=P2") }).unwrap();
    let one = contest.save();
    contest.act(Act { seat: P2, said: said("now.do=give now.to=P1") }).unwrap();
    assert_eq!(contest.last_actor(), Some(P2));
    contest.take_back().unwrap();
    assert_eq!((contest.save(), contest.last_actor()), (one, Some(P1)));
    contest.take_back().unwrap();
    assert_eq!(contest.save(), opened);
    contest.act(Act { seat: P2, said: said("now.do=rest") }).unwrap();
    let rests = contest.save();
    assert_eq!(contest.take_back(), Err(Some("T7")));
    assert_eq!(contest.save(), rests);
}

#[test]
fn the_interview_unfolds_with_the_answers() {
    let contest = contest();
    assert_eq!(open(&contest, P1, ""), ["tax.pay", "react.if-large", "act.way"]);
    assert_eq!(
        open(&contest, P1, "tax.pay=gold*1 react.if-large=stop act.way=place"),
        ["act.card"]
    );
    let complete = "tax.pay=gold*1 react.if-large=stop act.way=place act.card=3 act.pay=gold*3";
    assert!(contest.interview(P1, &said(complete)).is_complete());
    assert!(contest.interview(P1, &said("act.way=draw act.card=3")).superfluous.len() == 1);
}

#[test]
fn a_fault_names_the_question_the_reason_and_the_clause() {
    let fault = |text: &str| contest().interview(P1, &said(text)).faults[0].to_string();
    assert!(fault("act.way=fly").starts_with("act.way: NotOffered"));
    assert!(
        fault("act.way=place act.card=3 act.pay=gold*2")
            .contains("TooLittle { cost: 3, paid: 2 } (T3)")
    );
    assert!(fault("act.way=place act.card=3 act.pay=gold*4").contains("NotHeld"));
    assert!(fault("act.way=place act.card=5").contains("NotOffered"));
    assert!(fault("tax.pay=1").contains("Unfitting"));
}

#[test]
fn what_is_left_out_is_decided_and_ruled() {
    let mut contest = contest();
    contest.set_die(&Label::of(P1, "act.way".parse().unwrap()), Value::Choice("drop".into()));
    contest.set_die(&Label::of(P2, "act.way".parse().unwrap()), Value::Choice("draw".into()));
    let lines = close(&mut contest, "tax.pay=gold*1 act.dropped=1", "tax.pay=gold*2");
    assert_eq!(
        lines,
        [
            "Taxed { seat: P1, gold: 1 }",
            "P1 act.way ByDie T5.2",
            "P1 act.dropped Only T5.2",
            "Taxed { seat: P2, gold: 2 }",
            "P2 act.way ByDie T5.2",
            "Drew { seat: P2, card: Some(5) }",
        ]
    );
    assert!(contest.state().hands[P1].is_empty());
}

#[test]
fn a_skipped_turn_still_has_its_duty() {
    let mut contest = contest();
    let lines = close(&mut contest, "none", "tax.pay=gold*1 act.way=place act.card=5");
    assert_eq!(
        lines,
        [
            "P1  Skipped T5.1",
            "P1 tax.pay LargestFirst T5.3",
            "Taxed { seat: P1, gold: 1 }",
            // A card that is not held is a fault: everything of the turn is undone first.
            "P2  Skipped T5.4",
            "P2 tax.pay LargestFirst T5.3",
            "Taxed { seat: P2, gold: 1 }",
        ]
    );
}

#[test]
fn a_reaction_suspends_and_the_re_run_goes_on() {
    let mut contest = contest();
    let place = "tax.pay=gold*1 act.way=place act.card=3 act.pay=gold*3";
    let first =
        close(&mut contest, place, "tax.pay=gold*1 act.way=place act.card=2 act.pay=gold*2");
    assert_eq!(first, ["Taxed { seat: P1, gold: 1 }"]);
    assert_eq!(contest.asked(), [P2]);
    // This game does what a game should not.
    assert!(contest.is_asked_in_part());
    // The reaction's form unfolds too, and knows nothing beyond it.
    assert_eq!(open(&contest, P2, ""), ["react.answer"]);
    let interview = contest.interview(P2, &said("react.answer=stop"));
    assert_eq!(interview.asked.last().unwrap().question.key.to_string(), "react.why");
    let second = close(&mut contest, "none", "react.answer=pass");
    assert_eq!(second, ["Placed { seat: P1, card: 3, paid: 3 }", "Taxed { seat: P2, gold: 1 }"]);
    assert_eq!(contest.asked(), [P1]);
    let third = close(&mut contest, "react#2.answer=stop react#2.why=no", "none");
    assert_eq!(third, ["Stopped { by: P1 }"]);
    assert!(!contest.is_suspended());
    assert_eq!((contest.round(), contest.state().gold[P2]), (Round::new(2), 3));
}

#[test]
fn what_nobody_asked_changes_nothing_that_was_posted() {
    let play = |second: &str, third: &str| {
        let mut contest = contest();
        contest.set_die(&Label::of(P1, "act.way".parse().unwrap()), Value::Choice("place".into()));
        let place = "act.way=place act.card=2 act.pay=gold*2";
        let mut lines = close(&mut contest, "react.if-large=stop", place);
        for (p1, p2) in [("none", second), (third, "none")] {
            lines.extend(close(&mut contest, p1, p2));
        }
        (lines, contest.state().clone())
    };
    let asked = play("react.answer=stop react.why=no", "react#2.answer=pass");
    let more = "act.way=draw tax.pay=gold*3 act.card=1 react.if-large=pass react#2.why=no";
    let unasked = play(
        &format!("react.answer=stop react.why=no {more}"),
        &format!("react#2.answer=pass react.answer=stop {more}"),
    );
    assert_eq!(unasked, asked);
}

#[test]
fn an_unanswered_reaction_has_its_default() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    let lines = close(&mut contest, "none", "none");
    assert_eq!(
        lines[..2],
        ["P2 react.answer Supposed T5.2", "Placed { seat: P1, card: 1, paid: 1 }"]
    );
}

#[test]
fn an_override_in_the_middle_is_a_forced_answer() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    contest.force(P2, "react.answer".parse().unwrap(), Answer::Given(Value::Choice("stop".into())));
    let lines = close(&mut contest, "none", "react.answer=pass");
    assert_eq!(lines[..2], ["P2 react.answer Forced T5.7", "Stopped { by: P2 }"]);
}

#[test]
fn an_override_of_what_was_posted_holds_the_table() {
    let mut contest = contest();
    close(&mut contest, "tax.pay=gold*1 act.way=place act.card=1 act.pay=gold*1", "none");
    let twice = Answer::Given(Value::Payment(vec![("gold".into(), 2)]));
    contest.force(P1, "tax.pay".parse().unwrap(), twice);
    let held = contest.close(BySeat::new(2, |_| None)).unwrap_err();
    assert_eq!(held, contest::Held::Differs { round: Round::new(1) });
}

#[test]
fn a_forced_answer_shifts_no_other_die() {
    let play = |force: bool| {
        let mut contest = contest();
        if force {
            let way = Answer::Given(Value::Choice("draw".into()));
            contest.force(P1, "act.way".parse().unwrap(), way);
        }
        let lines = close(&mut contest, "tax.pay=gold*1", "tax.pay=gold*1");
        lines.into_iter().skip_while(|line| !line.contains("P2")).collect::<Vec<_>>()
    };
    let (free, forced) = (play(false), play(true));
    assert_eq!(free[1], forced[1], "P2's own die");
}

#[test]
fn the_deal_asks_everybody_at_once() {
    let (mut contest, dealt) = Contest::<Toy>::open(&(), 2, Dice::new([1; 32], "toy")).unwrap();
    assert_eq!(dealt.entries.len(), 1);
    assert_eq!(contest.asked(), [P1, P2]);
    assert_eq!(open(&contest, P2, ""), ["bid.gold"]);
    let lines = close(&mut contest, "bid.gold=6 bid.motto=hi", "none");
    assert_eq!(lines, ["P2 bid.gold ByDie T5.2"]);
    assert_eq!(contest.state().gold[P1], 10);
    assert_eq!(contest.state().motto[P1], "hi");
}

#[test]
fn the_gm_amends_by_questions() {
    let mut contest = contest();
    contest.amend(&said("gold.who=P2 gold.count=9")).unwrap();
    assert_eq!(contest.state().gold[P2], 9);
    let refused = contest.amend(&said("gold.who=P2 gold.count=10")).unwrap_err();
    assert_eq!(refused.faults.len(), 1);
    assert_eq!(contest.state().gold[P2], 9);
}

#[test]
fn an_interview_knows_no_more_than_its_seat() {
    let mut other = position();
    other.hands[P2] = vec![Some(4)];
    other.deck = vec![Some(1), Some(1)];
    for text in ["", "act.way=draw", "act.way=place", "act.way=drop act.dropped=3"] {
        let here = interview::interview::<Toy>(&position(), P1, &said(text));
        assert_eq!(here, interview::interview::<Toy>(&other, P1, &said(text)));
    }
}
