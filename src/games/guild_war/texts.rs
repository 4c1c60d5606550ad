//! W10.1: the text of a card, generated from its effects with the sentences of `data/guild_war/effects.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::effects::{Attack, Duration, Effect, Stat};
use super::set::{Card, CardKind, Equipment, Line, SET, Set, Stats, Usable};
pub(super) use super::set::{FILE, words};
use crate::card_texts::{CardText, CardTexts, InBoth};
use rules::data::{self, DataFault};
use rules::text::Lang;
use rules::{Clause, Piece};

/// The path and text of the sentences' file.
const SENTENCES_FILE: (&str, &str) = rules::built_in_file!("data/", "guild_war", "/effects.toml");

/// The maximum length of a short text in UTF-16 units, to fit below a menu entry.
const SHORT: usize = 100;

static SENTENCES: LazyLock<Sentences> =
    LazyLock::new(|| data::built_in(data::parse(SENTENCES_FILE.0, SENTENCES_FILE.1)));

type Table = BTreeMap<String, InBoth>;

/// The sentences, by subject.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentences {
    part: Table,
    scope: Table,
    slot: Table,
    stat: Table,
    until: Table,
    verb: Table,
}

/// A sentence in one language; empty if it is missing.
fn of(table: &'static Table, key: &str, lang: Lang) -> &'static str {
    table.get(key).map_or("", |sentence| sentence.of(lang))
}

/// A sentence with its placeholders filled in.
fn fill(sentence: &str, values: &[(&str, String)]) -> String {
    let fill =
        |text: String, (name, value): &(&str, String)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(sentence.to_owned(), fill)
}

/// A writer of sentences in one language.
#[derive(Clone, Copy)]
struct Writer(Lang);

impl Writer {
    fn part(self, key: &str) -> &'static str {
        of(&SENTENCES.part, key, self.0)
    }

    fn verb(self, key: &str, values: &[(&str, String)]) -> String {
        fill(of(&SENTENCES.verb, key, self.0), values)
    }

    fn stat(self, stat: Stat) -> String {
        of(&SENTENCES.stat, stat.word(), self.0).to_owned()
    }

    fn until(self, until: Duration) -> String {
        let key = match until {
            Duration::Step => "step",
            Duration::Frame => "frame",
        };
        of(&SENTENCES.until, key, self.0).to_owned()
    }

    fn line(self, line: Line) -> String {
        let name = SET.name_of(line);
        match self.0 {
            Lang::Ja => name.ja.clone(),
            Lang::En => name.en.clone(),
        }
    }

    fn joined(self, sentences: &[String]) -> String {
        sentences.join(self.part("joint"))
    }

    fn effects<'e>(self, effects: impl IntoIterator<Item = &'e Effect>) -> String {
        self.joined(&effects.into_iter().map(|effect| self.effect(effect)).collect::<Vec<_>>())
    }

    fn effect(self, effect: &Effect) -> String {
        let count = |key, name, number: u8| self.verb(key, &[(name, number.to_string())]);
        let lasting = |key, until| self.verb(key, &[("until", self.until(until))]);
        match effect {
            Effect::Attack(attack) => self.attack(attack),
            Effect::Modify { stat, amount, until } => self.verb(
                "modify",
                &[
                    ("stat", self.stat(*stat)),
                    ("amount", signed(*amount)),
                    ("until", self.until(*until)),
                ],
            ),
            Effect::Heal { cards } => count("heal", "cards", *cards),
            Effect::Draw { cards } => count("draw", "cards", *cards),
            Effect::Discard { cards } => count("discard", "cards", *cards),
            Effect::Poison { rests } => count("poison", "rests", *rests),
            Effect::Disable { until } => lasting("disable", *until),
            Effect::Hide { until } => lasting("hide", *until),
            Effect::Cover => self.verb("cover", &[]),
            Effect::Break => self.verb("break", &[]),
            Effect::Cleanse => self.verb("cleanse", &[]),
        }
    }

    fn attack(self, attack: &Attack) -> String {
        let damage = ("damage", attack.damage.to_string());
        let whole = if let Some(power) = attack.power {
            self.verb("attack-power", &[("power", power.to_string()), damage])
        } else {
            let percent = ("percent", attack.percent.unwrap_or(0).to_string());
            self.verb("attack", &[("with", self.stat(attack.with)), percent, damage])
        };
        let mut sentences = vec![whole];
        let flags = [("sure", attack.sure), ("pierces", attack.pierces)];
        let set = flags.iter().filter(|(_, is_set)| *is_set);
        sentences.extend(set.map(|(key, _)| self.verb(key, &[])));
        if !attack.hit.is_empty() {
            sentences.push(self.verb("hit", &[("does", self.effects(&attack.hit))]));
        }
        self.joined(&sentences)
    }

    /// The short text of a card.
    fn short(self, card: Card) -> String {
        match card.kind() {
            CardKind::Skill(usable) | CardKind::Item(usable) => self.effects(&usable.effects),
            CardKind::Equipment(piece) => self.bonus(piece),
            CardKind::Character { line, stats } => self.character(*line, stats),
        }
    }

    fn bonus(self, piece: &Equipment) -> String {
        let bonus = |(stat, amount): (&Stat, &i16)| {
            self.verb("bonus", &[("stat", self.stat(*stat)), ("amount", signed(*amount))])
        };
        let mut sentences: Vec<String> = piece.bonus.iter().map(bonus).collect();
        if piece.normal == Stat::Matk {
            sentences.push(self.verb("normal", &[]));
        }
        self.joined(&sentences)
    }

    fn character(self, line: Line, stats: &Stats) -> String {
        let number = |name, value: i16| (name, value.to_string());
        let values = [
            ("line", self.line(line)),
            number("level", stats.level.into()),
            number("vit", stats.vit.into()),
            number("atk", stats.atk),
            number("matk", stats.matk),
            number("def", stats.def),
            number("agi", stats.agi),
            number("luk", stats.luk.into()),
            number("capacity", stats.capacity.into()),
        ];
        fill(self.part("character"), &values)
    }

    /// The whole text of a card.
    fn whole(self, card: Card) -> String {
        let does = format!("{}{}", self.short(card), self.part("end"));
        match card.kind() {
            CardKind::Skill(usable) => self.usable("skill", usable, does),
            CardKind::Item(usable) => self.usable("item", usable, does),
            CardKind::Equipment(piece) => {
                let lines: Vec<String> = piece.lines.iter().map(|line| self.line(*line)).collect();
                let lines = if lines.is_empty() {
                    self.part("everybody").to_owned()
                } else {
                    self.joined(&lines)
                };
                let slot = of(&SENTENCES.slot, piece.slot.word(), self.0).to_owned();
                let values = [("slot", slot), ("lines", lines), ("does", does)];
                fill(self.part("equipment"), &values)
            }
            CardKind::Character { .. } => self.short(card),
        }
    }

    fn usable(self, key: &str, usable: &Usable, does: String) -> String {
        let scope = of(&SENTENCES.scope, usable.scope.word(), self.0).to_owned();
        let values = [
            ("line", usable.line.map(|line| self.line(line)).unwrap_or_default()),
            ("frame", usable.frame.to_string()),
            ("scope", scope),
            ("does", does),
        ];
        let mut text = fill(self.part(key), &values);
        if usable.rest {
            if self.0 == Lang::En {
                text.push(' ');
            }
            text.push_str(self.part("rest"));
        }
        text
    }
}

fn signed(amount: i16) -> String {
    if amount < 0 { format!("−{}", amount.unsigned_abs()) } else { format!("+{amount}") }
}

/// The clause of a card's effect.
fn clause(card: Card) -> &'static str {
    match card.kind() {
        CardKind::Skill(usable) | CardKind::Item(usable) => {
            usable.effects.first().map_or("W5.3", clause_of)
        }
        CardKind::Equipment(_) => "W11.2",
        CardKind::Character { .. } => "W8.1",
    }
}

/// The clause of a verb.
fn clause_of(effect: &Effect) -> &'static str {
    match effect {
        Effect::Attack(_) => "W12.1",
        Effect::Modify { .. } => "W12.2",
        Effect::Heal { .. } => "W12.3",
        Effect::Draw { .. } => "W12.4",
        Effect::Discard { .. } => "W12.5",
        Effect::Disable { .. } => "W12.6",
        Effect::Hide { .. } => "W12.7",
        Effect::Cover => "W12.8",
        Effect::Break => "W12.9",
        Effect::Poison { .. } => "W12.10",
        Effect::Cleanse => "W12.11",
    }
}

fn text(card: Card) -> CardText {
    let both = |write: fn(Writer, Card) -> String| InBoth {
        ja: write(Writer(Lang::Ja), card),
        en: write(Writer(Lang::En), card),
    };
    let (short, whole) = (both(Writer::short), both(Writer::whole));
    CardText::new(card.id(), Clause::new(clause(card)), short, whole)
}

/// The texts of every card of the set.
pub(super) fn texts() -> CardTexts {
    CardTexts::written(&["card"], Card::all().map(text).collect())
}

/// The first fault of the set or the sentences: one is missing, or a text is too long.
pub(super) fn fault() -> Option<DataFault> {
    if let Err(fault) = Set::parse(FILE.0, FILE.1) {
        return Some(fault);
    }
    let (file, read) = SENTENCES_FILE;
    if let Err(fault) = data::parse::<Sentences>(file, read) {
        return Some(fault);
    }
    let is_wrong = |text: &str| {
        let length = text.encode_utf16().count();
        length == 0 || length > SHORT || text.contains('{')
    };
    let wrong = Card::all().find(|card| {
        let text = text(*card);
        Lang::ALL.iter().any(|lang| is_wrong(text.short(*lang)) || text.text(*lang).contains('{'))
    });
    wrong.map(|card| {
        let what = format!("the short text of `{}` has 1 to {SHORT} characters", card.word());
        DataFault::at_word(FILE.0, FILE.1, card.word(), what)
    })
}
