//! The sentences of beginners are understood as they are meant: those in `tests/sentences`, which were
//! written down before the parser for them existed.

#![expect(clippy::print_stdout, reason = "it tells how many are read as they are meant")]

use std::fmt::Write as _;

use crate::commands::{Command, CommandPlace};
use crate::conversation::TypedLine;
use games::GAMES;
use games::any::{AnyContest, AnyGame};
use games::meaning::Listening;
use letters::Letters;
use letters::story;
use rules::text::{Reading, Words, fold, read, read_act};
use rules::{Answer, BySeat, Declaration, Interview, Seat, tidy};

/// The minimum percentage of sentences that are understood.
const MEANT: usize = 90;

/// A context in which sentences are typed, and its lines.
#[derive(Default)]
struct Context {
    name: String,
    story: String,
    typing: String,
    draft: Option<String>,
    sentences: Vec<(String, String)>,
}

fn contexts(text: &str) -> Vec<Context> {
    let mut contexts: Vec<Context> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("# ") && *line != "#") {
        if let Some(name) = line.strip_prefix("## ") {
            contexts.push(Context { name: name.to_owned(), ..Context::default() });
            continue;
        }
        let Some(context) = contexts.last_mut() else { continue };
        if let Some((typed, meant)) = line.split_once("  =>  ") {
            context.sentences.push((typed.to_owned(), meant.to_owned()));
        } else if let Some(seat) = line.strip_prefix("typing: ") {
            seat.clone_into(&mut context.typing);
        } else if let Some(draft) = line.strip_prefix("draft: ") {
            context.draft = Some(draft.to_owned());
        } else {
            context.story.push_str(line);
            context.story.push('\n');
        }
    }
    contexts
}

/// A player at a table with an open window.
struct Typing {
    game: &'static dyn AnyGame,
    contest: Box<dyn AnyContest>,
    seat: Seat,
    words: Words<'static>,
}

impl Typing {
    fn at(game: &'static dyn AnyGame, place: &Context, letters: &Letters) -> Self {
        let file = format!("{}/{}.txt", game.key(), place.name);
        let story = story::parse(&file, &format!("{}close\n", place.story)).unwrap();
        let contest = story::last_window(&story, letters).unwrap();
        let seat: Seat = place.typing.parse().unwrap();
        let names = BySeat::new(contest.seats(), |_| Vec::new());
        Self { game, contest, seat, words: Words::new(game.lexicon(), &names).of(seat) }
    }

    fn form(&self, draft: &Declaration) -> Interview {
        self.contest.interview(self.seat, draft)
    }

    fn acting(&self, said: &Declaration) -> Interview {
        self.contest.acting(self.seat, said)
    }

    /// Parses a declaration in the notation of the rules, over an empty draft.
    fn declared(&self, text: &str) -> Declaration {
        let text = text.replace("\\n", "\n");
        let reading = read(&text, &Declaration::default(), &|draft| self.form(draft), &self.words);
        assert!(reading.misread.is_empty(), "{text}: {:?}", reading.misread);
        self.tidied(reading.declaration)
    }

    fn tidied(&self, mut said: Declaration) -> Declaration {
        tidy(&mut said, &|draft| self.form(draft));
        said
    }

    fn done(&self, text: &str) -> Declaration {
        let reading = read_act(text, &|said| self.acting(said), &self.words);
        assert!(reading.misread.is_empty(), "{text}: {:?}", reading.misread);
        reading.declaration
    }

    /// `None` if a sentence is understood as it is meant; otherwise the actual meaning, and true if that is
    /// another one.
    fn differs(&self, draft: &Declaration, typed: &str, meant: &str) -> Option<(String, bool)> {
        let (form, acting) = (|draft: &_| self.form(draft), |said: &_| self.acting(said));
        let ordering = |orders: &_| self.contest.ordering(self.seat, orders);
        let with_orders =
            |draft: &_, orders: &_| self.contest.with_orders(self.seat, draft, orders);
        let listening = Listening {
            game: self.game,
            words: &self.words,
            form: &form,
            acting: &acting,
            ordering: &ordering,
            with_orders: &with_orders,
            draft,
        };
        let line = TypedLine::read(typed, Some(&listening));
        let (is_meant, is_nothing) = match &line {
            TypedLine::Declares(reading) | TypedLine::Acts(reading) if !counts(reading) => {
                (names(reading, meant), true)
            }
            TypedLine::Declares(reading) => {
                let said = self.tidied(reading.declaration.clone());
                let is_meant = match meant.strip_prefix("declare ") {
                    Some(text) if !text.ends_with(" + seal") => said == self.declared(text),
                    _ => meant == "pass" && is_pass(&said),
                };
                (is_meant, false)
            }
            TypedLine::Seals(declared) => {
                let text = meant.strip_prefix("declare ").and_then(|t| t.strip_suffix(" + seal"));
                let said = listening.declared(declared).declaration;
                (text.is_some_and(|text| self.tidied(said) == self.declared(text)), false)
            }
            TypedLine::Acts(reading) => {
                let text = meant.strip_prefix("act ");
                (text.is_some_and(|text| reading.declaration == self.done(text)), false)
            }
            TypedLine::Card(card) => {
                let named = meant.strip_prefix("card ").and_then(|name| self.game.card(name));
                (named.is_some_and(|named| named.id == card.id), false)
            }
            TypedLine::Command(Command::Card, name) => {
                let begins = |card: &str| fold(card).starts_with(&fold(name));
                (meant.strip_prefix("card ").is_some_and(begins), false)
            }
            TypedLine::Command(command, rest) => {
                let named = Command::find(CommandPlace::Terminal, meant);
                (named == Some(*command) && rest.is_empty(), false)
            }
            TypedLine::Alone(_) => (false, true),
        };
        (!is_meant).then(|| (format!("{line:?}"), !is_nothing))
    }
}

fn is_pass(said: &Declaration) -> bool {
    let is_gone_without = |(_, answer): (_, &Answer)| *answer == Answer::LeftOut;
    !said.is_empty() && said.iter().all(is_gone_without)
}

/// True if the parsed input has an effect.
fn counts(reading: &Reading) -> bool {
    reading.misread.is_empty() && !reading.lines.is_empty()
}

/// True if a sentence is meant to be unclear, and the answer names the unclear word.
fn names(reading: &Reading, meant: &str) -> bool {
    let word = meant.strip_prefix("unclear ").map(fold);
    let mut unread = reading.misread.iter().chain(&reading.moot);
    word.is_some_and(|word| unread.any(|piece| fold(&piece.text).contains(&word)))
}

#[test]
fn sentences_of_beginners_are_read_as_they_are_meant_and_none_as_something_else() {
    let letters = Letters::built_in();
    let mut told = String::new();
    let mut fails = false;
    for game in GAMES {
        for lang in ["ja", "en"] {
            let path = format!("tests/sentences/{}/{lang}.txt", game.key());
            let (mut all, mut meant, mut else_meant) = (0, 0, 0);
            for context in contexts(&kit::text_of(&path)) {
                let typing = Typing::at(*game, &context, &letters);
                let draft = context.draft.as_deref().map(|draft| typing.declared(draft));
                let draft = draft.unwrap_or_default();
                for (typed, should) in &context.sentences {
                    all += 1;
                    match typing.differs(&draft, typed, should) {
                        None => meant += 1,
                        Some((is, is_else)) => {
                            else_meant += usize::from(is_else);
                            let how = if is_else { "READ AS SOMETHING ELSE" } else { "not read" };
                            writeln!(told, "{path} {}: {how}: {typed}  =>  {should}", context.name)
                                .unwrap();
                            writeln!(told, "    {}", is.chars().take(1200).collect::<String>())
                                .unwrap();
                        }
                    }
                }
            }
            writeln!(told, "{path}: {meant} of {all} as meant, {else_meant} as something else")
                .unwrap();
            fails |= meant * 100 < all * MEANT || else_meant > 0 || all < 60;
        }
    }
    println!("{told}");
    assert!(!fails, "{told}");
}
