//! T8: the checks of a card and of the decks of a set.

use std::ops::RangeInclusive;

use smol_str::SmolStr;

use super::card::{CardKind, PHRASES, Printed, Set, Slot};
use super::vocabulary::{
    Amount, COPIES, Change, Cost, Duration, Effect, Keyword, Moment, Target, Value, Verb, What,
};
use crate::card_texts::InBoth;
use crate::cards::fault::with_phrase;
use crate::cards::phrases::Values;

/// The slowest and the fastest card (T10.1).
const SPEEDS: RangeInclusive<i16> = 1..=6;

/// The highest level of magic (T3.6).
const LEVELS: RangeInclusive<i16> = 1..=4;

/// The maximum number of targets that are named when a card is played (T8.4).
const CHOICES: usize = 2;

/// The number of members of the largest side (T1.1).
const SIDE: usize = 3;

/// The faults of a card, each with a word near it in the file, that are being collected.
struct Check<'c> {
    card: &'c Printed,
    faults: Vec<(&'static str, InBoth)>,
}

/// Returns every fault of a card, with a word near it in the file.
pub(super) fn card(card: &Printed) -> Vec<(&'static str, InBoth)> {
    let mut check = Check { card, faults: Vec::new() };
    check.values();
    check.keywords();
    check.effects();
    check.faults
}

impl Check<'_> {
    /// Notes a fault of a word.
    fn fault(&mut self, word: &'static str, key: &str) {
        self.fault_near(word, key, &[("input", word.to_owned())]);
    }

    fn fault_near(&mut self, near: &'static str, key: &str, values: Values<'_>) {
        self.faults.push((near, PHRASES.sentence(key, values)));
    }

    /// Notes a fault of a number outside of its range.
    fn range(&mut self, key: &str, number: Option<i16>, range: &RangeInclusive<i16>) {
        if let Some(number) = number.filter(|number| !range.contains(number)) {
            let values = [("input", number), ("least", *range.start()), ("most", *range.end())];
            self.fault_near("", key, &values.map(|(name, number)| (name, number.to_string())));
        }
    }

    fn values(&mut self) {
        let card = self.card;
        self.range("speed", card.speed(), &SPEEDS);
        self.range("level", card.magic().map(|magic| magic.level.into()), &LEVELS);
        if card.cost.this {
            self.fault("", "cost-this");
        }
        match &card.kind {
            CardKind::Character(character) => {
                let stamina = &character.stamina;
                if stamina.is_empty() || *stamina.start() <= character.hand {
                    self.fault("", "stamina");
                }
                if character.hand == 0 || character.fights == 0 || character.spells == 0 {
                    self.fault("", "zero");
                }
            }
            CardKind::Item(Some(Slot::Mount)) => self.fault("mount", "slot-mount"),
            CardKind::Item(None) if card.upkeep > 0 => self.fault("", "upkeep"),
            CardKind::Summon(summon) if summon.defence == 0 => self.fault("", "zero-defence"),
            _ => {}
        }
    }

    fn keywords(&mut self) {
        let card = self.card;
        let wrong = card.keywords.iter().find(|keyword| !match keyword {
            Keyword::Cover => matches!(card.kind, CardKind::Defence(_)),
            Keyword::Mount => card.summon().is_some(),
            Keyword::Regeneration => card.is_permanent(),
            Keyword::Resentment => !card.is_permanent(),
        });
        if let Some(keyword) = wrong {
            self.fault(keyword.word(), "keyword");
        }
    }

    fn effects(&mut self) {
        let card = self.card;
        let does_nothing = card.effects.iter().all(|effect| effect.does.is_empty());
        let may =
            matches!(card.kind, CardKind::Attack(_) | CardKind::Summon(_) | CardKind::Character(_));
        if does_nothing && !may {
            self.fault("", "no-effect");
        }
        for effect in &card.effects {
            self.effect(effect);
        }
        if card.choices().len() > CHOICES {
            self.fault_near("", "choices", &[("most", CHOICES.to_string())]);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        let at = effect.at;
        if !is_moment_of(at, self.card) {
            self.fault(at.word(), "moment");
        }
        let is_free = effect.cost == Cost::default();
        if (at == Moment::Main) == is_free {
            self.fault(at.word(), "ability");
        }
        let is_late = matches!(at, Moment::Step8 | Moment::Step9 | Moment::Step10);
        if effect.damaged && !is_late {
            self.fault(at.word(), "damaged");
        }
        for verb in &effect.does {
            self.verb(*verb, at);
        }
    }

    fn verb(&mut self, verb: Verb, at: Moment) {
        let of_verb = [("input", verb.word().to_owned())];
        let named = matches!(at, Moment::Use | Moment::Enters | Moment::Main);
        if verb.on().choice().is_some() && !named {
            self.fault(at.word(), "named");
        }
        if !is_target(verb, self.card) {
            self.fault_near(at.word(), "target", &of_verb);
        }
        if is_nothing(verb) {
            self.fault_near(at.word(), "nothing", &of_verb);
        }
        let is_always = at == Moment::Always;
        match verb {
            Verb::Modify { until, .. } | Verb::Forbid { until, .. }
                if (until == Duration::InPlay) != is_always =>
            {
                self.fault(until.word(), "in-play");
            }
            Verb::Modify { .. } | Verb::Forbid { .. } => {}
            // T4: the steps up to the damage.
            Verb::Reduce { .. } if is_always || (Moment::Step2..=Moment::Step7).contains(&at) => {}
            Verb::Reduce { .. } => self.fault(at.word(), "reduce"),
            Verb::Resent { until, on, .. } if !is_always => {
                let lasts = until.is_none() && on == Target::User;
                if !lasts && until != Some(Duration::Turn) {
                    self.fault(at.word(), "resent");
                }
            }
            _ if is_always => self.fault_near(at.word(), "always", &of_verb),
            _ => {}
        }
    }
}

/// T8.3: true if a card can have an effect at this moment.
fn is_moment_of(at: Moment, card: &Printed) -> bool {
    match card.kind {
        CardKind::Character(_) => false,
        CardKind::Attack(_) => (Moment::Step2..=Moment::Step10).contains(&at),
        CardKind::Defence(_) => (Moment::Step6..=Moment::Step10).contains(&at),
        _ if card.is_permanent() => at != Moment::Use,
        _ => at == Moment::Use,
    }
}

/// T8.4: true if the verb can have its target.
fn is_target(verb: Verb, card: &Printed) -> bool {
    let of = match verb.on() {
        Target::One(choice) | Target::All(choice) => choice.what,
        Target::User | Target::Partner => What::Character,
        Target::This => match card.kind {
            CardKind::Summon(_) => What::Summon,
            CardKind::Attack(_) => {
                let until = Duration::Segment;
                return matches!(verb, Verb::Modify { what: Value::Damage, until: it, .. } if it == until);
            }
            _ if card.is_permanent() => What::Permanent,
            _ => return false,
        },
        // A character or a summon, as the segment will show.
        Target::Attacked | Target::Attacker | Target::Blocker => {
            return !matches!(verb, Verb::Return { .. });
        }
    };
    let is_fighter = matches!(of, What::Character | What::Summon);
    match verb {
        Verb::Damage { .. } | Verb::Reduce { .. } | Verb::Heal { .. } | Verb::Forbid { .. } => {
            is_fighter
        }
        Verb::Draw { .. }
        | Verb::Discard { .. }
        | Verb::Resent { .. }
        | Verb::Modify { what: Value::Damage, .. } => of == What::Character,
        Verb::Return { .. } => of == What::Card,
        Verb::Destroy { .. } => matches!(of, What::Summon | What::Permanent | What::Equipment),
        Verb::Modify { what: Value::Speed, .. } => is_fighter,
        Verb::Modify { what: Value::Attack | Value::Defence, .. } => of == What::Summon,
    }
}

/// True for a verb that cannot change anything, or has no end.
fn is_nothing(verb: Verb) -> bool {
    match verb {
        Verb::Damage { amount, .. } | Verb::Draw { amount, .. } | Verb::Resent { amount, .. } => {
            amount == Amount::All
        }
        Verb::Modify { by, .. } => {
            matches!(by, Change::Add(0) | Change::Times(0 | 1) | Change::Divide(0 | 1))
        }
        _ => false,
    }
}

/// T2.1: returns the first deck with which a side could break T2.1, and the fault. Any three decks of
/// different characters must fit together, so that a side without an answer always has decks.
pub(super) fn decks(set: &Set) -> Option<(SmolStr, InBoth)> {
    let mut characters: Vec<usize> = set.decks.iter().map(|deck| deck.character).collect();
    characters.sort_unstable();
    characters.dedup();
    if characters.len() < SIDE {
        let values = [("count", characters.len().to_string()), ("least", SIDE.to_string())];
        return Some((SmolStr::default(), PHRASES.sentence("few-decks", &values)));
    }
    for place in 0..set.cards.len() {
        // The most copies of the card in the decks of each character.
        let most = |character: &usize| {
            let of = set.decks.iter().filter(|deck| deck.character == *character);
            let copies = |cards: &[usize]| cards.iter().filter(|card| **card == place).count();
            of.map(|deck| (copies(&deck.cards), &deck.id)).max_by_key(|(count, _)| *count)
        };
        let mut most: Vec<_> = characters.iter().filter_map(most).collect();
        most.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let count: usize = most.iter().take(SIDE).map(|(count, _)| count).sum();
        if count > COPIES {
            let values = [("count", count.to_string()), ("most", COPIES.to_string())];
            let what =
                with_phrase(&PHRASES.sentence("sharing", &values), "card", &set.cards[place].name);
            return Some((most[0].1.clone(), what));
        }
    }
    None
}
