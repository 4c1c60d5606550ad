//! T8.1: the text of a card, generated from its effects with the phrases of `data/tag_g/effects.toml`.

use super::card::{CardKind, PHRASES, Printed, Set};
use super::vocabulary::{
    Amount, Change, Choice, Cost, Effect, Forbidden, Moment, Target, Verb, What,
};
use crate::card_texts::{CardText, CardTexts};
use crate::cards::phrases::Pen;

/// The texts of every card of a set.
pub(super) fn texts(set: &Set) -> CardTexts {
    let pen = |lang| Pen { phrases: &PHRASES, lang };
    let text = |card: &Printed| {
        let (kind, short) = (|lang| kind(pen(lang), card), |lang| short(pen(lang), card));
        CardText::of_kind(&card.id, card.kind.word_and_clause().1, kind, short)
    };
    CardTexts::written(&["card"], set.cards.iter().map(text).collect())
}

fn kind(pen: Pen, card: &Printed) -> String {
    pen.word("kind", if card.slot().is_some() { "equipment" } else { card.kind.word() })
}

/// The short text of a card: its numbers, its keywords and its effects.
fn short(pen: Pen, card: &Printed) -> String {
    let cost = cost(pen, card.cost);
    let cost = if cost.is_empty() { cost } else { pen.fill("part", "cost", &[("cost", cost)]) };
    let upkeep = pen.fill("part", "upkeep", &[("count", card.upkeep.to_string())]);
    let upkeep = Some(upkeep).filter(|_| card.upkeep > 0);
    let keywords = card.keywords.iter().map(|keyword| pen.word("keyword", keyword.word()));
    let effects = card.effects.iter().map(|it| effect(pen, it));
    let parts = [printed(pen, card), cost].into_iter().chain(upkeep);
    pen.joined("between", parts.chain(keywords).chain(effects))
}

/// The printed values of a card.
fn printed(pen: Pen, card: &Printed) -> String {
    let speed = card.speed().map_or_else(|| "−".to_owned(), |speed| speed.to_string());
    let mut values = vec![("speed", speed)];
    if let Some(magic) = card.magic() {
        let attribute = pen.word("attribute", magic.attribute.word());
        values.extend([("attribute", attribute), ("level", magic.level.to_string())]);
    }
    match &card.kind {
        CardKind::Character(character) => {
            let known = character.attributes.iter().map(|it| pen.word("attribute", it.word()));
            values.extend([
                ("hand", character.hand.to_string()),
                ("fights", character.fights.to_string()),
                ("spells", character.spells.to_string()),
                ("least", character.stamina.start().to_string()),
                ("most", character.stamina.end().to_string()),
                ("attribute", pen.joined("and", known)),
            ]);
        }
        CardKind::Attack(attack) => {
            let aims = pen.word("aims", attack.aims.word());
            values.extend([("damage", attack.damage.to_string()), ("aims", aims)]);
        }
        CardKind::Summon(summon) => values.extend([
            ("attack", summon.attack.to_string()),
            ("defence", summon.defence.to_string()),
        ]),
        CardKind::Item(Some(slot)) => return pen.word("slot", slot.word()),
        _ => {}
    }
    pen.fill("part", card.kind.word(), &values)
}

fn effect(pen: Pen, effect: &Effect) -> String {
    let does = pen.joined("joint", effect.does.iter().map(|it| verb(pen, *it)));
    if effect.at == Moment::Main {
        return pen.fill("part", "ability", &[("cost", cost(pen, effect.cost)), ("does", does)]);
    }
    // With `damaged`, the moment right after the damage goes without saying.
    let only_if = if effect.damaged { pen.word("part", "damaged") } else { String::new() };
    if effect.damaged && effect.at == Moment::Step8 {
        return only_if + &does;
    }
    pen.word("moment", effect.at.word()) + &only_if + &does
}

fn cost(pen: Pen, cost: Cost) -> String {
    let parts = [("stamina", cost.stamina), ("discard", cost.discard), ("this", cost.this.into())];
    let due = parts.into_iter().filter(|(_, count)| *count > 0);
    pen.joined(
        "joint",
        due.map(|(key, count)| pen.fill("cost", key, &[("count", count.to_string())])),
    )
}

fn verb(pen: Pen, verb: Verb) -> String {
    let mut values = vec![
        ("on", target(pen, verb.on())),
        ("amount", verb.amount().map(|it| amount(pen, it)).unwrap_or_default()),
        ("until", verb.until().map(|it| pen.word("until", it.word())).unwrap_or_default()),
    ];
    let key = match verb {
        Verb::Reduce { amount: Amount::All, .. } => "reduce-all",
        Verb::Modify { what, by, .. } => {
            let by = match by {
                Change::Add(number) if number < 0 => format!("−{}", number.unsigned_abs()),
                Change::Add(number) => format!("+{number}"),
                Change::Times(number) => format!("×{number}"),
                Change::Divide(number) => format!("÷{number}"),
            };
            values.extend([("what", pen.word("value", what.word())), ("by", by)]);
            "modify"
        }
        Verb::Forbid {
            what: Forbidden::Block,
            on:
                Target::One(Choice { what: What::Summon, .. })
                | Target::All(Choice { what: What::Summon, .. }),
            ..
        } => "forbid-blocker",
        Verb::Forbid { what: Forbidden::Block, .. } => "forbid-block",
        Verb::Forbid { what: Forbidden::Defence, .. } => "forbid-defence",
        Verb::Resent { until: Some(_), .. } => "resent-turn",
        _ => verb.word(),
    };
    let does = pen.fill("verb", key, &values);
    match verb.amount() {
        Some(Amount::Each { per, .. }) if !matches!(verb, Verb::Resent { .. }) => {
            does + &pen.fill("part", "for-each", &[("per", pen.word("per", per.word()))])
        }
        _ => does,
    }
}

fn target(pen: Pen, target: Target) -> String {
    let choice = |key, choice: Choice| {
        let what = pen.word("what", choice.what.word());
        let whose = pen.word("whose", choice.of.word());
        pen.fill("target", key, &[("what", what), ("whose", whose)])
    };
    match target {
        Target::User => pen.word("target", "user"),
        Target::Partner => pen.word("target", "partner"),
        Target::Attacked => pen.word("target", "attacked"),
        Target::Attacker => pen.word("target", "attacker"),
        Target::Blocker => pen.word("target", "blocker"),
        Target::This => pen.word("target", "this"),
        Target::One(one) => choice("one", one),
        Target::All(all) => choice("all", all),
    }
}

/// The amount of a verb: a number, all, or a number for each of some things.
fn amount(pen: Pen, amount: Amount) -> String {
    match amount {
        Amount::Number(number) => number.to_string(),
        Amount::All => pen.word("part", "all"),
        Amount::Each { each, per } => {
            let per = pen.word("per", per.word());
            pen.fill("part", "each", &[("each", each.to_string()), ("per", per)])
        }
    }
}
