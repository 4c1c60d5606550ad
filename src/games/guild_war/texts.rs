//! W10.1: the text of a card, generated from its effects with the sentences of `data/guild_war/effects.toml`.

use super::effects::{Attack, Duration, Effect, Stat};
use super::set::{CardKind, Equipment, LinePlace, PHRASES, Printed, Set, Stats, Usable};
use crate::card_texts::{CardText, CardTexts};
use crate::cards::phrases::{Pen, Values};
use rules::text::Lang;

/// A writer of sentences about the cards of a set in one language.
#[derive(Clone, Copy)]
struct Writer<'s> {
    set: &'s Set,
    pen: Pen,
}

impl Writer<'_> {
    fn verb(self, key: &str, values: Values<'_>) -> String {
        self.pen.fill("verb", key, values)
    }

    fn stat(self, stat: Stat) -> String {
        self.pen.word("stat", stat.word())
    }

    fn until(self, until: Duration) -> String {
        self.pen.word(
            "until",
            match until {
                Duration::Step => "step",
                Duration::Frame => "frame",
            },
        )
    }

    fn line(self, line: LinePlace) -> String {
        self.set.line(line).name.of(self.pen.lang).to_owned()
    }

    fn effects<'e>(self, effects: impl IntoIterator<Item = &'e Effect>) -> String {
        self.pen.joined("joint", effects.into_iter().map(|effect| self.effect(effect)))
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
        self.pen.joined("joint", sentences)
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
        self.pen.joined("joint", sentences)
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
        self.pen.fill("part", "character", &values)
    }

    /// The whole text of a card.
    fn whole(self, card: &Printed) -> String {
        let does = self.short(card) + &self.pen.word("part", "end");
        match &card.kind {
            CardKind::Skill(usable) => self.usable("skill", usable, does),
            CardKind::Item(usable) => self.usable("item", usable, does),
            CardKind::Equipment(piece) => {
                let lines = if piece.lines.is_empty() {
                    self.pen.word("part", "everybody")
                } else {
                    self.pen.joined("joint", piece.lines.iter().map(|line| self.line(*line)))
                };
                let slot = self.pen.word("slot", piece.slot.word());
                let values = [("slot", slot), ("lines", lines), ("does", does)];
                self.pen.fill("part", "equipment", &values)
            }
            CardKind::Character { .. } => self.short(card),
        }
    }

    fn usable(self, key: &str, usable: &Usable, does: String) -> String {
        let scope = self.pen.word("scope", usable.scope.word());
        let values = [
            ("line", usable.line.map(|line| self.line(line)).unwrap_or_default()),
            ("frame", usable.frame.to_string()),
            ("scope", scope),
            ("does", does),
        ];
        let mut text = self.pen.fill("part", key, &values);
        if usable.rest {
            if self.pen.lang == Lang::En {
                text.push(' ');
            }
            text.push_str(&self.pen.word("part", "rest"));
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

/// The texts of every card of a set.
pub(super) fn texts(set: &Set) -> CardTexts {
    let writer = |lang| Writer { set, pen: Pen { phrases: &PHRASES, lang } };
    let text = |card: &Printed| {
        let (short, whole) = (|lang| writer(lang).short(card), |lang| writer(lang).whole(card));
        CardText::by(&card.id, clause(card), short, whole)
    };
    CardTexts::written(&["card"], set.cards.iter().map(text).collect())
}
