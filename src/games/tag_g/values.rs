//! T4.11, T4.14: an attack under way, and the values of characters and summons with the changes that count now;
//! additions come before multiplications, then divisions.

use super::cards::{
    Amount, Card, Change, Choice, Effect, Forbidden, Moment, Per, Target, Tower, Value, Verb, What,
    Whose,
};
use super::edition::EDITION;
use super::happening::Happening;
use super::state::{Answer, Permanent, PlannedAttack, State};
use super::things::{Aim, Influence, Means, Unit};
use rules::Seat;

/// The changes of one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    add: i16,
    times: i16,
    divide: i16,
}

impl Sum {
    pub(super) fn of(changes: impl Iterator<Item = Change>) -> Self {
        changes.fold(Self { add: 0, times: 1, divide: 1 }, |mut sum, change| {
            match change {
                Change::Add(add) => sum.add += i16::from(add),
                Change::Times(times) => sum.times *= i16::from(times),
                Change::Divide(divide) => sum.divide *= i16::from(divide.max(1)),
            }
            sum
        })
    }

    /// The same changes with an addition less.
    pub(super) fn less(mut self, by: i16) -> Self {
        self.add -= by;
        self
    }

    pub(super) fn on(self, printed: i16) -> i16 {
        ((printed + self.add) * self.times).div_euclid(self.divide).max(0)
    }
}

/// An attack that is being resolved.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub attack: PlannedAttack,
    /// The player who attacks.
    pub user: Seat,
    /// The present target.
    pub on: Aim,
    /// The player who is attacked.
    pub attacked: Seat,
    /// The answers that are not used yet.
    pub answers: Vec<(Seat, Answer)>,
    pub blocker: Option<Unit>,
    pub defence: Option<(Seat, Card)>,
    /// The changes of this attack alone.
    pub changes: Vec<Change>,
    /// True if step 7 has done damage.
    pub damaged: bool,
    /// The number of triggers so far.
    pub triggers: usize,
    /// The line of the attack, published before the effects of the segment. `None` before the damage.
    pub struck: Option<Happening>,
}

impl Segment {
    /// An attack of this turn as it is declared, before anything happens in it.
    pub(super) fn foreseen(state: &State, attack: PlannedAttack) -> Self {
        let (user, on) = (state.turn.seat, attack.on);
        Self {
            attack,
            user,
            on,
            attacked: state.attacked(on).unwrap_or(user),
            answers: Vec::new(),
            blocker: None,
            defence: None,
            changes: Vec::new(),
            damaged: false,
            triggers: 0,
            struck: None,
        }
    }

    /// T8.3: the cards and permanents that take part, in the order of their triggers.
    pub(super) fn sources(&self, state: &State) -> Vec<(Seat, Means)> {
        let PlannedAttack { by, on, .. } = self.attack;
        let mut sources = Vec::new();
        for seat in state.turn_order(self.user) {
            let attacks = seat == self.user && matches!(by, Means::Card(_));
            sources.extend(attacks.then_some((seat, by)));
            let defence = self.defence.filter(|(of, _)| *of == seat);
            sources.extend(defence.map(|(_, card)| (seat, Means::Card(card))));
            let is_fighting = attacks || on == Aim::Character(seat);
            for unit in state.controlled(seat) {
                let fights =
                    by == Means::Unit(unit) || on == Aim::Unit(unit) || self.blocker == Some(unit);
                if fights || !unit.is_summon() && is_fighting {
                    sources.push((seat, Means::Unit(unit)));
                }
            }
        }
        sources
    }
}

impl State {
    /// True if a permanent's target at [`Moment::Always`] means this character or permanent.
    fn means(&self, of: &Permanent, target: Target, aim: Aim) -> bool {
        match target {
            Target::User => aim == Aim::Character(of.controller),
            Target::Partner => matches!(aim, Aim::Character(seat)
                if seat != of.controller && self.team(seat) == self.team(of.controller)),
            Target::This => aim == Aim::Unit(of.unit),
            Target::All(choice) => self.is_among(of.controller, choice, aim),
            Target::Attacked | Target::Attacker | Target::Blocker | Target::One(_) => false,
        }
    }

    /// True if a character or permanent is one of those that a choice of a user means.
    pub(super) fn is_among(&self, user: Seat, choice: Choice, aim: Aim) -> bool {
        let (is_it, of) = match aim {
            Aim::Character(seat) => (choice.what == What::Character, seat),
            Aim::Unit(unit) => {
                let Some(permanent) = self.permanent(unit) else { return false };
                let is_it = match choice.what {
                    What::Permanent => true,
                    What::Summon => unit.is_summon(),
                    What::Equipment => permanent.worn_by.is_some(),
                    What::Character | What::Card => false,
                };
                (is_it, permanent.controller)
            }
        };
        is_it && self.is_of(user, choice.of, of)
    }

    /// True if a seat is one of the players that a user means.
    pub(super) fn is_of(&self, user: Seat, whose: Whose, seat: Seat) -> bool {
        match whose {
            Whose::Own => seat == user,
            Whose::Team => self.team(seat) == self.team(user),
            Whose::Opposing => self.team(seat) != self.team(user),
        }
    }

    /// The changes that count for a character or permanent now.
    pub(super) fn influences(&self, aim: Aim) -> impl Iterator<Item = Influence> {
        let stored = self.lasting.iter().filter(move |lasting| lasting.on == aim);
        let always = self.field.iter().flat_map(move |permanent| {
            let verbs = permanent.unit.card.at(Moment::Always).flat_map(|effect| &effect.does);
            let meant = verbs.filter(move |verb| self.means(permanent, verb.on(), aim));
            meant.filter_map(move |verb| self.influence(permanent.controller, *verb))
        });
        stored.map(|lasting| lasting.is).chain(always)
    }

    /// `None` for a verb that changes nothing for a while.
    pub(super) fn influence(&self, user: Seat, verb: Verb) -> Option<Influence> {
        match verb {
            Verb::Modify { what, by, .. } => Some(Influence::Modify { what, by }),
            Verb::Forbid { what, .. } => Some(Influence::Forbid(what)),
            Verb::Reduce { amount, .. } => Some(Influence::Reduce(self.amount(user, amount))),
            Verb::Resent { amount, .. } => {
                Some(Influence::Resent(self.amount(user, amount).unwrap_or(0)))
            }
            _ => None,
        }
    }

    /// `None` for all; otherwise the number of an amount for a user.
    pub(super) fn amount(&self, user: Seat, amount: Amount) -> Option<u8> {
        let (each, count) = match amount {
            Amount::All => return None,
            Amount::Number(number) => return Some(number),
            Amount::Each { each, per: Per::Tower } => (each, self.towers(user).len()),
            Amount::Each { each, per: Per::Summon } => (each, self.summons(user).count()),
            Amount::Each { each, per: Per::Resentment } => (each, self.resentment(user)),
        };
        Some(each.saturating_mul(u8::try_from(count).unwrap_or(u8::MAX)))
    }

    /// T3.10: the number of resentment of a player.
    pub fn resentment(&self, seat: Seat) -> usize {
        let aim = Aim::Character(seat);
        let of_turn = self.lasting.iter().filter(|lasting| lasting.on == aim);
        let of_turn = of_turn.map(|lasting| match lasting.is {
            Influence::Resent(number) => usize::from(number),
            _ => 0,
        });
        self.players[seat].resentment.len() + of_turn.sum::<usize>()
    }

    pub(super) fn changes(&self, aim: Aim, value: Value) -> impl Iterator<Item = Change> {
        self.influences(aim).filter_map(move |is| match is {
            Influence::Modify { what, by } if what == value => Some(by),
            _ => None,
        })
    }

    /// True if an answer is forbidden against attacks on a target, or to a blocker.
    pub(super) fn forbids(&self, aim: Aim, what: Forbidden) -> bool {
        self.influences(aim)
            .any(|is| matches!(is, Influence::Forbid(forbidden) if forbidden == what))
    }

    /// The speed of a character (T3.10, T10.1) or permanent.
    pub fn speed(&self, aim: Aim) -> i16 {
        let printed = match aim {
            Aim::Character(seat) => {
                let less = i16::try_from(self.resentment(seat)).unwrap_or(i16::MAX);
                EDITION.character.speed - less
            }
            Aim::Unit(unit) => unit.card.summon().map_or(0, |summon| summon.speed),
        };
        Sum::of(self.changes(aim, Value::Speed)).on(printed)
    }

    /// The defence of a summon.
    pub fn defence(&self, unit: Unit) -> i16 {
        let printed = unit.card.summon().map_or(0, |summon| summon.defence);
        Sum::of(self.changes(Aim::Unit(unit), Value::Defence)).on(printed)
    }

    /// The attack of a summon.
    pub fn attack(&self, unit: Unit) -> i16 {
        let printed = unit.card.summon().map_or(0, |summon| summon.attack);
        Sum::of(self.changes(Aim::Unit(unit), Value::Attack)).on(printed)
    }

    /// T3.9: the limit of a hand.
    pub fn hand_limit(&self, seat: Seat) -> usize {
        EDITION.hand.most.saturating_sub(self.resentment(seat))
    }

    /// T5.4: the towers of level 1 and more on the field of a player's side, with those of this turn.
    pub fn towers(&self, seat: Seat) -> Vec<Tower> {
        let team = self.team(seat);
        let lying = self.field.iter().filter(|permanent| self.team(permanent.controller) == team);
        let lying = lying.filter_map(|permanent| permanent.unit.card.magic());
        let is_turn = self.team(self.turn.seat) == team;
        let of_turn = self.turn.towers.iter().copied().filter(|_| is_turn);
        lying.chain(of_turn).filter(|tower| tower.level > 0).collect()
    }

    /// The speed of the means of an attack; `None` for −.
    pub fn speed_of(&self, means: Means) -> Option<i16> {
        match means {
            Means::Card(card) => card.attack().and_then(|attack| attack.speed),
            Means::Unit(unit) => Some(self.speed(Aim::Unit(unit))),
        }
    }
    /// The player whose character or permanent an attack is on; `None` if it is not there.
    pub(super) fn attacked(&self, on: Aim) -> Option<Seat> {
        match on {
            Aim::Character(seat) => Some(seat),
            Aim::Unit(unit) => self.permanent(unit).map(|permanent| permanent.controller),
        }
    }

    /// T4.11: true if the means of an attack are fast enough for a target.
    pub(super) fn reaches(&self, by: Means, on: Aim) -> bool {
        self.speed_of(by).is_none_or(|speed| speed >= self.speed(on))
    }

    /// T4.14: true if an attack does no damage as things stand, and nothing of it changes that before the damage.
    pub(super) fn is_harmless(&self, attack: PlannedAttack) -> bool {
        let sources = Segment::foreseen(self, attack).sources(self);
        let is_early = |effect: &Effect| (Moment::Step2..=Moment::Step7).contains(&effect.at);
        self.expected(attack) == 0
            && !sources.iter().any(|(_, by)| by.card().effects.iter().any(is_early))
    }

    /// The damage of an attack in the current state.
    pub(super) fn expected(&self, attack: PlannedAttack) -> i16 {
        let (before, less) = self.damage(&Segment::foreseen(self, attack));
        before - less
    }

    /// T4.14: the damage of the attack of a segment, and the part of it that is reduced.
    pub(super) fn damage(&self, segment: &Segment) -> (i16, i16) {
        let by = segment.attack.by;
        let (printed, what) = match by {
            Means::Card(card) => (card.attack().map_or(0, |it| it.damage), Value::Damage),
            Means::Unit(unit) => (unit.card.summon().map_or(0, |it| it.attack), Value::Attack),
        };
        let on = by.attacker(segment.user);
        let of_attack = segment.changes.iter().copied();
        let sum = Sum::of(self.changes(on, what).chain(of_attack));
        let before = sum.on(printed);
        let (mut less, mut is_whole) = (0, false);
        for is in self.influences(segment.on) {
            match is {
                Influence::Reduce(Some(by)) => less += i16::from(by),
                Influence::Reduce(None) => is_whole = true,
                _ => {}
            }
        }
        let after = sum.less(less).on(printed);
        if is_whole { (before, before) } else { (before, before - after) }
    }
}
