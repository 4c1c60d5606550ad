//! T8.1: the text of a card, generated from its effects with the phrases of `data/tag_g/effects.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::card::{Attribute, CardKind, Printed, Set};
use super::vocabulary::{
    Amount, Change, Choice, Cost, Effect, Forbidden, Moment, Target, Verb, What,
};
use crate::card_texts::{CardText, CardTexts, InBoth, SHORT, fill};
use crate::cards::fault::fill_both;
use rules::Clause;
use rules::data::{self, BuiltIn, DataFault};
use rules::text::Lang;

/// The path and text of the phrases' file.
const FILE: (&str, &str) = rules::built_in_file!("data/", "tag_g", "/effects.toml");

static PHRASES: BuiltIn<Phrases> = BuiltIn::new(|| data::parse(FILE.0, FILE.1));

type Table = BTreeMap<String, InBoth>;

/// The phrases, by subject.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    part: Table,
    attribute: Table,
    slot: Table,
    aims: Table,
    keyword: Table,
    moment: Table,
    target: Table,
    what: Table,
    whose: Table,
    value: Table,
    until: Table,
    per: Table,
    cost: Table,
    verb: Table,
    fault: Table,
}

type Values<'v> = &'v [(&'v str, String)];

/// A writer of phrases in one language.
#[derive(Clone, Copy)]
struct Writer(Lang);

impl Writer {
    fn of(self, table: fn(&Phrases) -> &Table, key: &str, values: Values<'_>) -> String {
        let phrase = table(&PHRASES).get(key).map_or("", |phrase| phrase.of(self.0));
        fill(phrase, values)
    }

    fn part(self, key: &str, values: Values<'_>) -> String {
        self.of(|phrases| &phrases.part, key, values)
    }

    fn joined(self, phrases: impl Iterator<Item = String>) -> String {
        let phrases: Vec<_> = phrases.filter(|phrase| !phrase.is_empty()).collect();
        phrases.join(&self.part("joint", &[]))
    }

    fn choice(self, key: &str, choice: Choice) -> String {
        let what = self.of(|phrases| &phrases.what, choice.what.word(), &[]);
        let whose = self.of(|phrases| &phrases.whose, choice.of.word(), &[]);
        self.of(|phrases| &phrases.target, key, &[("what", what), ("whose", whose)])
    }

    fn target(self, target: Target) -> String {
        let fixed = |key| self.of(|phrases| &phrases.target, key, &[]);
        match target {
            Target::User => fixed("user"),
            Target::Partner => fixed("partner"),
            Target::Attacked => fixed("attacked"),
            Target::Attacker => fixed("attacker"),
            Target::Blocker => fixed("blocker"),
            Target::This => fixed("this"),
            Target::One(choice) => self.choice("one", choice),
            Target::All(choice) => self.choice("all", choice),
        }
    }

    /// The amount of a verb: a number, all, or a number for each of some things.
    fn amount(self, amount: Amount) -> String {
        match amount {
            Amount::Number(number) => number.to_string(),
            Amount::All => self.part("all", &[]),
            Amount::Each { each, per } => {
                let per = self.of(|phrases| &phrases.per, per.word(), &[]);
                self.part("each", &[("each", each.to_string()), ("per", per)])
            }
        }
    }

    fn verb(self, verb: Verb) -> String {
        let on = ("on", self.target(verb.on()));
        let written = |key, values: Values<'_>| self.of(|phrases| &phrases.verb, key, values);
        let until = |until| self.of(|phrases| &phrases.until, until, &[]);
        match verb {
            Verb::Reduce { amount: Amount::All, .. } => written("reduce-all", &[on]),
            Verb::Damage { amount, .. }
            | Verb::Reduce { amount, .. }
            | Verb::Heal { amount, .. }
            | Verb::Draw { amount, .. }
            | Verb::Discard { amount, .. } => {
                let does = written(verb.word(), &[on, ("amount", self.amount(amount))]);
                let Amount::Each { per, .. } = amount else { return does };
                let per = self.of(|phrases| &phrases.per, per.word(), &[]);
                does + &self.part("for-each", &[("per", per)])
            }
            Verb::Return { .. } | Verb::Destroy { .. } => written(verb.word(), &[on]),
            Verb::Modify { what, by, until: lasts, .. } => {
                let what = self.of(|phrases| &phrases.value, what.word(), &[]);
                let by = match by {
                    Change::Add(number) if number < 0 => format!("−{}", number.unsigned_abs()),
                    Change::Add(number) => format!("+{number}"),
                    Change::Times(number) => format!("×{number}"),
                    Change::Divide(number) => format!("÷{number}"),
                };
                written("modify", &[on, ("what", what), ("by", by), ("until", until(lasts.word()))])
            }
            Verb::Forbid { what, on: target, until: lasts } => {
                let is_summon = matches!(
                    target,
                    Target::One(Choice { what: What::Summon, .. })
                        | Target::All(Choice { what: What::Summon, .. })
                );
                let key = match what {
                    Forbidden::Block if is_summon => "forbid-blocker",
                    Forbidden::Block => "forbid-block",
                    Forbidden::Defence => "forbid-defence",
                };
                written(key, &[on, ("until", until(lasts.word()))])
            }
            Verb::Resent { amount, until: lasts, .. } => {
                let until = lasts.map(|lasts| until(lasts.word())).unwrap_or_default();
                let key = if lasts.is_some() { "resent-turn" } else { "resent" };
                written(key, &[on, ("amount", self.amount(amount)), ("until", until)])
            }
        }
    }

    fn cost(self, cost: Cost) -> String {
        let parts =
            [("stamina", cost.stamina), ("discard", cost.discard), ("this", cost.this.into())];
        let due = parts.into_iter().filter(|(_, count)| *count > 0);
        let phrase = |(key, count): (&str, u8)| {
            self.of(|phrases| &phrases.cost, key, &[("count", count.to_string())])
        };
        self.joined(due.map(phrase))
    }

    fn effect(self, effect: &Effect) -> String {
        let does = self.joined(effect.does.iter().map(|verb| self.verb(*verb)));
        if effect.at == Moment::Main {
            return self.part("ability", &[("cost", self.cost(effect.cost)), ("does", does)]);
        }
        // With `damaged`, the moment right after the damage goes without saying.
        let only_if = if effect.damaged { self.part("damaged", &[]) } else { String::new() };
        if effect.damaged && effect.at == Moment::Step8 {
            return format!("{only_if}{does}");
        }
        let at = self.of(|phrases| &phrases.moment, effect.at.word(), &[]);
        format!("{at}{only_if}{does}")
    }

    fn effects(self, card: &Printed) -> String {
        let effects = card.effects.iter().map(|effect| self.effect(effect));
        effects.collect::<Vec<_>>().join(&self.part("between", &[]))
    }

    /// The short text of a card: its numbers, its keywords and its effects.
    fn short(self, card: &Printed) -> String {
        let keywords = card.keywords.iter();
        let keywords =
            keywords.map(|keyword| self.of(|phrases| &phrases.keyword, keyword.word(), &[]));
        let cost = self.cost(card.cost);
        let cost = if cost.is_empty() { cost } else { self.part("cost", &[("cost", cost)]) };
        let upkeep = self.part("upkeep", &[("count", card.upkeep.to_string())]);
        let upkeep = Some(upkeep).filter(|_| card.upkeep > 0);
        let parts = [self.numbers(card), cost].into_iter().chain(upkeep).chain(keywords);
        let parts = parts.chain([self.effects(card)]).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(&self.part("between", &[]))
    }

    /// The printed numbers of a card.
    fn numbers(self, card: &Printed) -> String {
        let speed = |speed: Option<i16>| {
            ("speed", speed.map_or_else(|| "−".to_owned(), |speed| speed.to_string()))
        };
        let attribute = |attribute: Attribute| {
            ("attribute", self.of(|phrases| &phrases.attribute, attribute.word(), &[]))
        };
        match &card.kind {
            CardKind::Character(character) => {
                let known = character.attributes.iter();
                let known = known.map(|known| attribute(*known).1).collect::<Vec<_>>();
                let known = known.join(&self.part("and", &[]));
                let stamina = &character.stamina;
                let values = [
                    ("hand", character.hand.to_string()),
                    ("fights", character.fights.to_string()),
                    ("spells", character.spells.to_string()),
                    ("least", stamina.start().to_string()),
                    ("most", stamina.end().to_string()),
                    ("attribute", known),
                ];
                self.part("character", &values)
            }
            CardKind::Attack(attack) => {
                let aims = self.of(|phrases| &phrases.aims, attack.aims.word(), &[]);
                let values =
                    [speed(attack.speed), ("damage", attack.damage.to_string()), ("aims", aims)];
                self.part("attack", &values)
            }
            CardKind::Defence(defence) => self.part("defence", &[speed(defence.speed)]),
            CardKind::Motion => self.part("motion", &[]),
            CardKind::Instant(magic) | CardKind::Shape(magic) => {
                let is_shape = matches!(card.kind, CardKind::Shape(_));
                let values = [attribute(magic.attribute), ("level", magic.level.to_string())];
                self.part(if is_shape { "shape" } else { "instant" }, &values)
            }
            CardKind::Summon(summon) => {
                let values = [
                    attribute(summon.magic.attribute),
                    ("level", summon.magic.level.to_string()),
                    speed(Some(summon.speed)),
                    ("attack", summon.attack.to_string()),
                    ("defence", summon.defence.to_string()),
                ];
                self.part("summon", &values)
            }
            CardKind::Item(item) => match item.slot {
                Some(slot) => self.of(|phrases| &phrases.slot, slot.word(), &[]),
                None => self.part("item", &[]),
            },
        }
    }

    /// The whole text of a card: its kind and its short text.
    fn whole(self, card: &Printed) -> String {
        let key = match &card.kind {
            CardKind::Character(_) => "of-character",
            CardKind::Attack(_) => "of-attack",
            CardKind::Defence(_) => "of-defence",
            CardKind::Motion => "of-motion",
            CardKind::Instant(_) => "of-instant",
            CardKind::Shape(_) => "of-shape",
            CardKind::Summon(_) => "of-summon",
            CardKind::Item(item) if item.slot.is_some() => "of-equipment",
            CardKind::Item(_) => "of-item",
        };
        self.part(key, &[("does", self.short(card))])
    }
}

/// The clause of a card: that of its first verb, else of its kind.
fn clause(card: &Printed) -> &'static str {
    match &card.kind {
        CardKind::Character(_) => "T10.1",
        CardKind::Attack(_) => "T4.11",
        CardKind::Defence(_) => "T4.13",
        CardKind::Motion => "T3.4",
        CardKind::Instant(_) | CardKind::Shape(_) | CardKind::Summon(_) => "T3.6",
        CardKind::Item(_) => "T3.5",
    }
}

fn text(card: &Printed) -> CardText {
    let [ja, en] = Lang::ALL.map(Writer);
    let short = InBoth { ja: ja.short(card), en: en.short(card) };
    let whole = InBoth { ja: ja.whole(card), en: en.whole(card) };
    CardText::new(card.id.clone(), Clause::new(clause(card)), short, whole)
}

/// The texts of every card of a set.
pub(super) fn texts(set: &Set) -> CardTexts {
    CardTexts::written(&["card"], set.cards.iter().map(text).collect())
}

/// True if the short text of a card fits below a menu entry.
pub(super) fn fits(card: &Printed) -> bool {
    Lang::ALL.into_iter().all(|lang| Writer(lang).short(card).encode_utf16().count() <= SHORT)
}

/// A sentence about a fault in a set.
pub(super) fn fault(key: &str, values: &[(&str, String)]) -> InBoth {
    PHRASES.fault.get(key).map(|sentence| fill_both(sentence, values)).unwrap_or_default()
}

/// The fault of the phrases; `None` if they have none.
pub(super) fn check() -> Option<DataFault> {
    PHRASES.fault()
}
