//! T8: the checks of a card and of the decks of a set.

use super::card::{CardKind, Printed, Set, Slot};
use super::texts;
use super::vocabulary::COPIES;
use super::vocabulary::{
    Amount, Change, Cost, Duration, Effect, Keyword, Moment, Target, Value, Verb, What,
};
use crate::card_texts::InBoth;
use smol_str::SmolStr;

/// The slowest and the fastest card (T10.1).
const SPEEDS: std::ops::RangeInclusive<i16> = 1..=6;

/// The highest level of magic (T3.6).
const LEVELS: std::ops::RangeInclusive<u8> = 1..=4;

/// The maximum number of targets that are named when a card is played (T8.4).
const CHOICES: usize = 2;

/// The number of members of the largest side (T1.1).
const SIDE: usize = 3;

/// A fault of a card, and a word near it in the file.
pub(super) struct Wrong {
    pub near: String,
    pub what: InBoth,
}

/// The faults of a card that are being collected.
struct Check<'c> {
    card: &'c Printed,
    faults: Vec<Wrong>,
}

/// Returns every fault of a card.
pub(super) fn card(card: &Printed) -> Vec<Wrong> {
    let mut check = Check { card, faults: Vec::new() };
    check.values();
    check.keywords();
    check.effects();
    check.faults
}

impl Check<'_> {
    fn fault(&mut self, near: &str, key: &str, values: &[(&str, String)]) {
        self.faults.push(Wrong { near: near.to_owned(), what: texts::fault(key, values) });
    }

    fn values(&mut self) {
        if let Some(speed) = speed(&self.card.kind).filter(|speed| !SPEEDS.contains(speed)) {
            let values = [("input", speed), ("least", *SPEEDS.start()), ("most", *SPEEDS.end())];
            self.fault("", "speed", &values.map(|(name, number)| (name, number.to_string())));
        }
        if let Some(level) = level(&self.card.kind).filter(|level| !LEVELS.contains(level)) {
            let values = [("input", level), ("least", *LEVELS.start()), ("most", *LEVELS.end())];
            self.fault("", "level", &values.map(|(name, number)| (name, number.to_string())));
        }
        if self.card.cost.this {
            self.fault("", "cost-this", &[]);
        }
        match &self.card.kind {
            CardKind::Character(character) => {
                let stamina = &character.stamina;
                if stamina.is_empty() || *stamina.start() <= character.hand {
                    self.fault("", "stamina", &[]);
                }
                if character.hand == 0 || character.fights == 0 || character.spells == 0 {
                    self.fault("", "zero", &[]);
                }
            }
            CardKind::Item(item) if item.slot == Some(Slot::Mount) => {
                self.fault("mount", "slot-mount", &[]);
            }
            CardKind::Item(item) if item.slot.is_none() && self.card.upkeep > 0 => {
                self.fault("", "upkeep", &[]);
            }
            CardKind::Summon(summon) if summon.defence == 0 => self.fault("", "zero-defence", &[]),
            _ => {}
        }
    }

    fn keywords(&mut self) {
        let kind = &self.card.kind;
        let wrong = self.card.keywords.iter().find(|keyword| !match keyword {
            Keyword::Cover => matches!(kind, CardKind::Defence(_)),
            Keyword::Mount => matches!(kind, CardKind::Summon(_)),
            Keyword::Regeneration => kind.is_permanent(),
            Keyword::Resentment => !kind.is_permanent(),
        });
        if let Some(keyword) = wrong {
            let values = [("input", keyword.word().to_owned())];
            self.fault(keyword.word(), "keyword", &values);
        }
    }

    fn effects(&mut self) {
        let card = self.card;
        let is_character = card.kind.character().is_some();
        let does_nothing = card.effects.iter().all(|effect| effect.does.is_empty());
        let must = !matches!(card.kind, CardKind::Attack(_) | CardKind::Summon(_)) && !is_character;
        if does_nothing && must {
            self.fault("", "no-effect", &[]);
        }
        for effect in &card.effects {
            self.effect(effect);
        }
        let played = card.effects.iter().filter(|effect| effect.at != Moment::Main);
        if super::handles::choices(played).len() > CHOICES {
            self.fault("", "choices", &[("most", CHOICES.to_string())]);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        let at = effect.at;
        let word = || [("input", at.word().to_owned())];
        if !is_moment_of(at, &self.card.kind) {
            self.fault(at.word(), "moment", &word());
        }
        let is_free = effect.cost == Cost::default();
        if (at == Moment::Main) == is_free {
            self.fault(at.word(), "ability", &[]);
        }
        let is_late = matches!(at, Moment::Step8 | Moment::Step9 | Moment::Step10);
        if effect.damaged && !is_late {
            self.fault(at.word(), "damaged", &word());
        }
        for verb in &effect.does {
            self.verb(*verb, at);
        }
    }

    fn verb(&mut self, verb: Verb, at: Moment) {
        let named = matches!(at, Moment::Use | Moment::Enters | Moment::Main);
        if verb.on().choice().is_some() && !named {
            self.fault(at.word(), "named", &[("input", at.word().to_owned())]);
        }
        if !is_target(verb, &self.card.kind) {
            self.fault(at.word(), "target", &[("input", verb.word().to_owned())]);
        }
        if is_nothing(verb) {
            self.fault(at.word(), "nothing", &[("input", verb.word().to_owned())]);
        }
        let is_always = at == Moment::Always;
        match verb {
            Verb::Modify { until, .. } | Verb::Forbid { until, .. }
                if (until == Duration::InPlay) != is_always =>
            {
                self.fault(until.word(), "in-play", &[]);
            }
            Verb::Modify { .. } | Verb::Forbid { .. } => {}
            Verb::Reduce { .. } if is_always || is_before_damage(at) => {}
            Verb::Reduce { .. } => self.fault(at.word(), "reduce", &[]),
            Verb::Resent { until, on, .. } if !is_always => {
                let lasts = until.is_none() && on == Target::User;
                if !lasts && until != Some(Duration::Turn) {
                    self.fault(at.word(), "resent", &[]);
                }
            }
            _ if is_always => self.fault(at.word(), "always", &[("input", verb.word().to_owned())]),
            _ => {}
        }
    }
}

fn speed(kind: &CardKind) -> Option<i16> {
    match kind {
        CardKind::Attack(attack) => attack.speed,
        CardKind::Defence(defence) => defence.speed,
        CardKind::Summon(summon) => Some(summon.speed),
        _ => None,
    }
}

fn level(kind: &CardKind) -> Option<u8> {
    match kind {
        CardKind::Instant(magic) | CardKind::Shape(magic) => Some(magic.level),
        CardKind::Summon(summon) => Some(summon.magic.level),
        _ => None,
    }
}

/// T8.3: true if a card of this kind can have an effect at this moment.
fn is_moment_of(at: Moment, kind: &CardKind) -> bool {
    let is_step = Moment::Step2 <= at && at <= Moment::Step10;
    match kind {
        CardKind::Character(_) => false,
        CardKind::Attack(_) => is_step,
        CardKind::Defence(_) => Moment::Step6 <= at && at <= Moment::Step10,
        kind if kind.is_permanent() => at != Moment::Use,
        _ => at == Moment::Use,
    }
}

/// T4: true for the steps up to the damage.
fn is_before_damage(at: Moment) -> bool {
    Moment::Step2 <= at && at <= Moment::Step7
}

/// T8.4: true if the verb can have its target.
fn is_target(verb: Verb, kind: &CardKind) -> bool {
    let of = match verb.on() {
        Target::One(choice) | Target::All(choice) => choice.what,
        Target::User | Target::Partner => What::Character,
        Target::This => match kind {
            CardKind::Summon(_) => What::Summon,
            CardKind::Attack(_) => {
                return matches!(
                    verb,
                    Verb::Modify { what: Value::Damage, until: Duration::Segment, .. }
                );
            }
            kind if kind.is_permanent() => What::Permanent,
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
        return Some((SmolStr::default(), texts::fault("few-decks", &values)));
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
            let InBoth { ja, en } = &set.cards[place].name;
            let of = |name: &str| {
                [
                    ("card", name.to_owned()),
                    ("count", count.to_string()),
                    ("most", COPIES.to_string()),
                ]
            };
            let what = InBoth {
                ja: texts::fault("sharing", &of(ja)).ja,
                en: texts::fault("sharing", &of(en)).en,
            };
            return Some((most[0].1.clone(), what));
        }
    }
    None
}
