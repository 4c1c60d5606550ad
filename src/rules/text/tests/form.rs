//! A test form that unfolds like a game's, and its words.

use std::sync::LazyLock;

use smol_str::SmolStr;

use crate::text::{Lexicon, Words};
use crate::vocabulary::Lapse;
use crate::{
    Answer, Asked, BySeat, Clause, Declaration, Denomination, Fault, Interview, Key, Question,
    Reason, Seat, Shape, Suppose, TextForm, Value,
};

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    Lexicon::parse("words.toml", include_str!("../../../../data/eitsuku/words.toml")).unwrap()
});

/// The words of えいつく for a table of three.
pub(in crate::text) static WORDS: LazyLock<Words<'_>> = LazyLock::new(|| {
    let names = ["花子", "Bob Smith", "ﾀﾛｳ"];
    Words::new(&LEXICON, &BySeat::new(3, |seat| vec![names[seat.index()].to_owned()]))
});

/// A form that asks like a rule, and collects the questions.
pub(in crate::text) struct Form<'a> {
    said: &'a Declaration,
    found: Interview,
}

impl<'a> Form<'a> {
    pub(in crate::text) fn new(said: &'a Declaration) -> Self {
        Self { said, found: Interview::default() }
    }

    pub(in crate::text) fn ask(&mut self, key: &str, shape: Shape) -> Option<&'a Value> {
        let key: Key = key.parse().unwrap();
        let answer = self.said.get(&key);
        let nothing = matches!(&shape, Shape::Choose { options, .. } if options.is_empty());
        if nothing && answer.is_none() {
            // Like in an interview, a question without options is not asked.
            return None;
        }
        let question = Question {
            seat: Seat::new(0),
            key,
            clause: Clause::new("T1"),
            shape,
            suppose: Suppose::Die,
            default: Clause::new("T2"),
            tacit: None,
        };
        let (standing, lapse) = (false, Lapse::Returned);
        self.found.asked.push(Asked { question, answer: answer.cloned(), standing, lapse });
        match answer {
            Some(Answer::Given(value)) => Some(value),
            _ => None,
        }
    }

    pub(in crate::text) fn choose(&mut self, key: &str, options: &[&str]) -> Option<&'a str> {
        match self.ask(key, Shape::Choose { options: ids(options), barred: Vec::new() }) {
            Some(Value::Choice(id)) => Some(id),
            _ => None,
        }
    }

    /// Sets the piece that every answer to the last question includes without a word.
    pub(in crate::text) fn goes_without_saying(&mut self, tacit: &str) {
        let asked = self.found.asked.last_mut().expect("it follows a question");
        asked.question.tacit = Some(tacit.into());
    }

    /// Notes a fault.
    pub(in crate::text) fn fault(&mut self, key: &str) {
        let (key, clause) = (key.parse().unwrap(), Clause::new("T1"));
        self.found.faults.push(Fault { key, reason: Reason::Unfitting, clause });
    }

    pub(in crate::text) fn done(self) -> Interview {
        self.found
    }
}

pub(in crate::text) fn ids(ids: &[&str]) -> Vec<SmolStr> {
    ids.iter().map(SmolStr::new).collect()
}

pub(in crate::text) fn pay(cost: u32) -> Shape {
    let kind = |(id, worth, count): (&str, u32, u8)| Denomination { id: id.into(), worth, count };
    let purse = [("small", 1, 5), ("medium", 2, 2), ("large", 3, 1)].map(kind).to_vec();
    Shape::Pay { cost: Some(cost), purse, limit: Some(5) }
}

const HAND: [&str; 6] = ["strike", "tie-in", "promoter", "network", "agency", "actor-award"];
const ROLES: [&str; 3] = ["actor-5", "writer-2", "director-1"];
const FAMILIES: [&str; 4] = ["actor", "writer", "composer", "director"];
const SEATS: [&str; 3] = ["P1", "P2", "P3"];
const SLOTS: [&str; 5] = ["lead", "support", "writer", "composer", "director"];

/// A turn of five sections, much like えいつく's; a second event may be placed, two scouts are allowed, and a
/// plan can be changed.
pub(in crate::text) fn turn(said: &Declaration) -> Interview {
    let mut form = Form::new(said);
    strike(&mut form, "1");
    if form.choose("turn.owner", &SEATS).is_some() {
        form.choose("turn.event", &["strike", "tie-in"]);
    }
    let first = event(&mut form, "2");
    let second = first.and_then(|_| event(&mut form, "2#2"));
    if form.choose("3.set", &["3A", "3B"]) == Some("3B") {
        form.choose("3.card", &ROLES);
        if said.get(&Key::new("3", "card")) == Some(&Answer::Given(Value::Choice("actor-5".into())))
        {
            form.choose("3.slot", &["lead", "support"]);
        }
        form.ask("3.pay", pay(4));
    }
    for section in ["4", "4#2"] {
        match form.choose(&format!("{section}.scout"), &["4A", "4B", "4C", "4D"]) {
            Some("4A") => drop(form.choose(&format!("{section}.family"), &FAMILIES)),
            Some("4C" | "4D") => drop(form.ask(&format!("{section}.pay"), pay(3))),
            Some(_) => {}
            None => break,
        }
    }
    let network = [first, second].contains(&Some("network"));
    if network && form.choose("network.kind", &["roles", "events"]) == Some("roles") {
        for name in ["first", "second", "third"] {
            form.choose(&format!("network.{name}"), &FAMILIES);
        }
    }
    let returned = ["actor-2", "actor-2", "composer-1", "actor-5"];
    form.ask("return.cards", Shape::Pick { options: ids(&returned), min: 2, max: 2 });
    form.choose("chance.use", &["use", "keep"]);
    if form.choose("5.end", &["5A", "5B"]) == Some("5B") {
        form.ask("5.title", Shape::Text { max: 50, form: TextForm::Line });
    }
    if said.get(&Key::new("5", "end")).is_some() {
        form.ask("5.roleplay", Shape::Text { max: 500, form: TextForm::Lines });
    }
    strike(&mut form, "strike");
    form.done()
}

fn strike(form: &mut Form<'_>, section: &str) {
    match form.choose(&format!("{section}.way"), &["A", "B"]) {
        Some("A") => drop(form.choose(&format!("{section}.role"), &["lead", "writer"])),
        Some(_) => drop(form.ask(&format!("{section}.pay"), pay(2))),
        None => {}
    }
}

fn event<'a>(form: &mut Form<'a>, section: &str) -> Option<&'a str> {
    let card = form.choose(&format!("{section}.card"), &HAND);
    match card {
        Some("promoter") => {
            form.choose(&format!("{section}.owner"), &SEATS);
            form.choose(&format!("{section}.slot"), &SLOTS);
            form.ask(&format!("{section}.number"), Shape::Number { min: 1, max: 6 });
        }
        Some("actor-award") => drop(form.choose(&format!("{section}.slot"), &["lead", "support"])),
        _ => {}
    }
    card
}

/// A form of the GM's moves.
pub(in crate::text) fn moves(said: &Declaration) -> Interview {
    let mut form = Form::new(said);
    let cards: Vec<&str> = ["small", "medium", "large"]
        .into_iter()
        .chain(ROLES)
        .chain(HAND)
        .chain(["actor-3"])
        .collect();
    for number in 1..=3 {
        if form.choose(&format!("give#{number}.who"), &SEATS).is_none() {
            break;
        }
        form.ask(
            &format!("give#{number}.cards"),
            Shape::Pick { options: ids(&cards), min: 0, max: 20 },
        );
    }
    if form.choose("place.who", &SEATS).is_some() {
        form.choose("place.slot", &SLOTS);
        form.choose("place.role", &ROLES);
    }
    if form.choose("promote.who", &SEATS).is_some() {
        form.choose("promote.owner", &SEATS);
        form.choose("promote.slot", &SLOTS);
        form.ask("promote.number", Shape::Number { min: 1, max: 6 });
    }
    form.choose("empty.deck", &["actor", "event", "small"]);
    form.ask("set-turn.turn", Shape::Number { min: 1, max: 12 });
    form.done()
}
