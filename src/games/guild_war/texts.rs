//! W10.1: the text of a card, generated from its effects with the sentences of `data/guild_war/effects.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::effects::{Attack, Duration, Effect, Stat};
use super::set::{CardKind, Equipment, LinePlace, Printed, Set, Stats, Usable};
use crate::card_texts::{CardText, CardTexts, InBoth, SHORT, fill};
use crate::cards::fault::fill_both;
use rules::Clause;
use rules::data::{self, BuiltIn, DataFault};
use rules::text::Lang;

/// The path and text of the sentences' file.
const SENTENCES_FILE: (&str, &str) = rules::built_in_file!("data/", "guild_war", "/effects.toml");

static SENTENCES: BuiltIn<Sentences> =
    BuiltIn::new(|| data::parse(SENTENCES_FILE.0, SENTENCES_FILE.1));

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
    fault: Table,
}

/// A sentence in one language; empty if it is missing.
fn of(table: &'static Table, key: &str, lang: Lang) -> &'static str {
    table.get(key).map_or("", |sentence| sentence.of(lang))
}

/// A writer of sentences about the cards of a set in one language.
#[derive(Clone, Copy)]
struct Writer<'s> {
    set: &'s Set,
    lang: Lang,
}

impl Writer<'_> {
    fn part(self, key: &str) -> &'static str {
        of(&SENTENCES.part, key, self.lang)
    }

    fn verb(self, key: &str, values: &[(&str, String)]) -> String {
        fill(of(&SENTENCES.verb, key, self.lang), values)
    }

    fn stat(self, stat: Stat) -> String {
        of(&SENTENCES.stat, stat.word(), self.lang).to_owned()
    }

    fn until(self, until: Duration) -> String {
        let key = match until {
            Duration::Step => "step",
            Duration::Frame => "frame",
        };
        of(&SENTENCES.until, key, self.lang).to_owned()
    }

    fn line(self, line: LinePlace) -> String {
        self.set.line(line).name.of(self.lang).to_owned()
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
            let verb = if attack.is_magic() { "magic-power" } else { "attack-power" };
            self.verb(verb, &[("power", power.to_string()), damage])
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
    fn short(self, card: &Printed) -> String {
        match &card.kind {
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

    fn character(self, line: LinePlace, stats: &Stats) -> String {
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
    fn whole(self, card: &Printed) -> String {
        let does = format!("{}{}", self.short(card), self.part("end"));
        match &card.kind {
            CardKind::Skill(usable) => self.usable("skill", usable, does),
            CardKind::Item(usable) => self.usable("item", usable, does),
            CardKind::Equipment(piece) => {
                let lines: Vec<String> = piece.lines.iter().map(|line| self.line(*line)).collect();
                let lines = if lines.is_empty() {
                    self.part("everybody").to_owned()
                } else {
                    self.joined(&lines)
                };
                let slot = of(&SENTENCES.slot, piece.slot.word(), self.lang).to_owned();
                let values = [("slot", slot), ("lines", lines), ("does", does)];
                fill(self.part("equipment"), &values)
            }
            CardKind::Character { .. } => self.short(card),
        }
    }

    fn usable(self, key: &str, usable: &Usable, does: String) -> String {
        let scope = of(&SENTENCES.scope, usable.scope.word(), self.lang).to_owned();
        let values = [
            ("line", usable.line.map(|line| self.line(line)).unwrap_or_default()),
            ("frame", usable.frame.to_string()),
            ("scope", scope),
            ("does", does),
        ];
        let mut text = fill(self.part(key), &values);
        if usable.rest {
            if self.lang == Lang::En {
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
fn clause(card: &Printed) -> &'static str {
    match &card.kind {
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

fn text(set: &Set, card: &Printed) -> CardText {
    let [ja, en] = Lang::ALL.map(|lang| Writer { set, lang });
    let short = InBoth { ja: ja.short(card), en: en.short(card) };
    let whole = InBoth { ja: ja.whole(card), en: en.whole(card) };
    CardText::new(card.id.clone(), Clause::new(clause(card)), short, whole)
}

/// The texts of every card of a set.
pub(super) fn texts(set: &Set) -> CardTexts {
    CardTexts::written(&["card"], set.cards.iter().map(|card| text(set, card)).collect())
}

/// True if the short text of a card fits below a menu entry.
pub(super) fn fits(set: &Set, card: &Printed) -> bool {
    let fits = |lang| Writer { set, lang }.short(card).encode_utf16().count() <= SHORT;
    Lang::ALL.into_iter().all(fits)
}

/// A sentence about a fault in a set.
pub(super) fn fault(key: &str, values: &[(&str, String)]) -> InBoth {
    SENTENCES.fault.get(key).map(|sentence| fill_both(sentence, values)).unwrap_or_default()
}

/// The fault of the sentences; `None` if they have none.
pub(super) fn check() -> Option<DataFault> {
    SENTENCES.fault()
}
