//! P3.2: the form for reactions, the same for all players whatever they hold.

use smol_str::SmolStr;

use super::cards::{Card, Category, Life};
use super::chain::{AnnouncedAct, Decoys, Ordinal, ReactionAnswers, TRICKS, Trade};
use super::damage;
use super::options::Reactions;
use super::state::{Referee, State};
use crate::pieces::alternatives;
use rules::{Ask, Declaration, Key, Piece, Play, Question, Seat, Value};

alternatives! { Overlook { Overlook => "overlook" } }

/// The number of damage effects that HERO can cancel in a turn (P5.3).
fn cancellations() -> usize {
    Card::Hero.printed().limit.map_or(0, usize::from)
}

/// The money cards, for payments and pickups.
pub(super) const MONEY: [Card; 2] = [Card::Money, Card::FakeMoney];

/// The cards that are discarded in place of a life.
const DECOYS: [Card; 2] = [Card::Gangster, Card::Vanguard];

/// True if an act deals damage, which the truce bars (P9.5).
pub(super) fn deals_damage(act: &AnnouncedAct) -> bool {
    !act.shots.is_empty()
}

/// P9.18: true if an act looks at cards of a hand.
fn peeks(act: &AnnouncedAct) -> bool {
    match act.card {
        Some(Card::Spy | Card::Police | Card::Journalist | Card::Detective) => true,
        Some(Card::SniperRifle) => act.shots.is_empty(),
        _ => false,
    }
}

/// P9.11: true if standing orders alone answer an act.
pub(super) fn is_by_orders(state: &State, act: &AnnouncedAct) -> bool {
    match state.options.reactions {
        Reactions::Window => false,
        // These acts do no harm, and are no trades.
        Reactions::Harm => {
            matches!(act.card, Some(Card::Hustler | Card::Gunsmith | Card::TheDon))
        }
        Reactions::Orders => true,
    }
}

/// P9.11: true if a window opens in which an act is answered.
pub(super) fn opens_window(state: &State, act: &AnnouncedAct) -> bool {
    let asks = !is_by_orders(state, act) || ReactionForm::of(act, 1).asks(act);
    asks && state.living_from(act.by).iter().any(|seat| *seat != act.by)
}

/// The cards that are used after damage, in the order of handling (P5.6).
const HIT: [(Card, &str); 3] =
    [(Card::Torturer, "P5.4"), (Card::Grenade, "P4.5"), (Card::FlashBang, "P9.13")];

/// The questions about an act.
struct ReactionForm {
    /// The number of the act among those sealed together, from 1 (P3.1).
    number: u8,
    damage: bool,
    peeks: bool,
    /// True if the public number of traded cards allows PHANTOM (P6.5); `None` unless the act is a trade.
    trade: Option<bool>,
}

impl ReactionForm {
    fn of(act: &AnnouncedAct, number: u8) -> Self {
        // JOURNALIST deals a discard for a seized card.
        let damage = deals_damage(act) || act.card == Some(Card::Journalist);
        let trade = act.trade.as_ref().map(Trade::is_large);
        Self { number, damage, peeks: peeks(act), trade }
    }

    /// The questions of standing orders, for all acts to come.
    const ORDERS: Self = Self { number: 1, damage: true, peeks: true, trade: Some(true) };

    fn ask(&self, section: &'static str, name: &'static str, clause: &'static str) -> Ask {
        Ask::new(Key::new(section, name).nth(self.number), clause).or_nothing().or_missing()
    }

    /// Asks for the use of a card when possible, held or not.
    fn uses(
        &self,
        seat: Seat,
        card: Card,
        clause: &'static str,
        referee: &mut Referee<'_>,
    ) -> Play<Option<Card>> {
        referee.choose(seat, &self.ask("react", card.word(), clause), &[card])
    }

    /// Asks for cards that change a trade, or TRICKSTER against a peek: in the order of use (P9.16).
    fn tricks(
        &self,
        seat: Seat,
        cards: &[Card],
        clause: &'static str,
        referee: &mut Referee<'_>,
    ) -> Play<Vec<Card>> {
        let ask = self.ask("react", "tricks", clause);
        if cards.len() == 1 {
            return Ok(referee.choose(seat, &ask, cards)?.into_iter().collect());
        }
        let picked = referee.pick(seat, &ask, cards, cards.len(), cards.len())?;
        if picked.len() > 1 {
            referee.cite("P9.16");
        }
        Ok(picked.to_vec())
    }

    /// P6.2, P9.12: asks for the card that DOCTOR pays with first, and for the decoy; either answer means
    /// that DOCTOR is used.
    fn doctor(&self, seat: Seat, referee: &mut Referee<'_>) -> Play<(Option<Card>, Option<Card>)> {
        let pays = referee.choose(seat, &self.ask("doctor", "money", "P6.2"), &MONEY)?;
        let named = referee.choose(seat, &self.ask("doctor", "card", "P9.12"), &DECOYS)?;
        Ok((pays.or(named.map(|_| Card::Money)), named))
    }

    /// P6.8: asks BLACK to overlook GRAY's life.
    fn overlook(&self, seat: Seat, referee: &mut Referee<'_>) -> Play<bool> {
        let ask = self.ask("react", "overlook", "P6.8");
        Ok(referee.choose(seat, &ask, &[Overlook::Overlook])?.is_some())
    }

    /// P5.3: asks for the damage effects that HERO cancels.
    fn hero(
        &self,
        seat: Seat,
        effects: &[Ordinal],
        referee: &mut Referee<'_>,
    ) -> Play<Vec<Ordinal>> {
        let ask = self.ask("hero", "effects", "P5.3");
        Ok(referee.pick(seat, &ask, effects, effects.len(), cancellations())?.to_vec())
    }

    /// P9.12: asks for the players whom HERO shields from a GRENADE.
    fn shield(&self, state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<Vec<Seat>> {
        let living = state.living_from(state.first);
        let ask = self.ask("shield", "whom", "P9.12");
        let picked = referee.pick(seat, &ask, &living, living.len(), cancellations())?;
        Ok(picked.to_vec())
    }

    /// P9.8: asks for the cards of the kill bonus, the most wanted first. A life cannot be taken.
    fn bonus(&self, seat: Seat, referee: &mut Referee<'_>) -> Play<Vec<Card>> {
        let cards: Vec<Card> = Card::ALL.iter().copied().filter(|card| !card.is_life()).collect();
        let ask = self.ask("bonus", "cards", "P9.8");
        Ok(referee.pick(seat, &ask, &cards, cards.len(), cards.len())?.to_vec())
    }

    /// True if the form has a question.
    fn asks(&self, act: &AnnouncedAct) -> bool {
        self.damage || self.peeks || self.trade.is_some() || !self.specialists(act).is_empty()
    }

    /// The cards that BEAUTY could take.
    fn specialists(&self, act: &AnnouncedAct) -> Vec<Card> {
        let used =
            act.card.filter(|card| card.is_of(Category::Specialist) && *card != Card::Killer);
        let mut cards: Vec<Card> = used.into_iter().collect();
        if self.damage {
            cards.extend([Card::Hero, Card::Torturer]);
        }
        if self.damage || self.peeks {
            cards.extend([Card::Undertaker, Card::Doctor]);
        }
        if self.peeks || self.trade.is_some() {
            cards.push(Card::Trickster);
        }
        if self.trade == Some(true) {
            cards.push(Card::Phantom);
        }
        cards
    }
}

fn is_black(state: &State, seat: Seat) -> bool {
    state.players[seat].life() == Some(Life::Black)
}

/// P6.8: asks BLACK in advance to overlook GRAY's life.
fn overlooks(
    state: &State,
    seat: Seat,
    form: &ReactionForm,
    act: &AnnouncedAct,
    referee: &mut Referee<'_>,
) -> Play<bool> {
    if !is_black(state, seat) || !(deals_damage(act) || form.peeks) {
        return Ok(false);
    }
    form.overlook(seat, referee)
}

/// Asks a player for reactions to an act, the `number`-th of those sealed together. A question left out is
/// passed, but a decoy is made (P3.4).
pub(super) fn answers(
    state: &State,
    seat: Seat,
    act: &AnnouncedAct,
    number: u8,
    referee: &mut Referee<'_>,
) -> Play<ReactionAnswers> {
    let form = &ReactionForm::of(act, number);
    let mut used = Vec::new();
    let is_other = seat != act.by;
    if let Some(is_large) = form.trade {
        if is_other {
            used.extend(form.uses(seat, Card::Alcohol, "P6.5", referee)?);
        }
        let tricks = if is_large { &TRICKS[..] } else { &TRICKS[..1] };
        used.extend(form.tricks(seat, tricks, "P6.5", referee)?);
    } else if is_other && matches!(act.card, Some(Card::Spy | Card::Police | Card::Journalist)) {
        used.extend(form.tricks(seat, &TRICKS[..1], "P4.3", referee)?);
    }
    let mut answers = ReactionAnswers { uses: used, ..ReactionAnswers::default() };
    answers.overlooks = overlooks(state, seat, form, act, referee)?;
    if form.damage {
        ask_damage(state, seat, form, act, &mut answers, referee)?;
    }
    if form.damage || form.peeks {
        let first = referee.choose(seat, &form.ask("undertaker", "money", "P6.1"), &MONEY)?;
        answers.undertaker = first;
    }
    if form.damage {
        (answers.doctor, answers.doctor_for) = form.doctor(seat, referee)?;
    }
    let shots = u8::try_from(act.shots.len()).unwrap_or(u8::MAX);
    if shots > 1 {
        let at = referee.number(seat, &form.ask("undertaker", "shot", "P6.1"), 1, shots.into())?;
        answers.undertaker_at = at.and_then(|at| u8::try_from(at).ok()).unwrap_or(1);
    }
    let specialists = form.specialists(act);
    if !specialists.is_empty() {
        let (ask, all) = (form.ask("beauty", "cards", "P7.5"), specialists.len());
        let picked = referee.pick(seat, &ask, &specialists, all, all)?;
        answers.beauty = picked.to_vec();
    }
    Ok(answers)
}

fn ask_damage(
    state: &State,
    seat: Seat,
    form: &ReactionForm,
    act: &AnnouncedAct,
    answers: &mut ReactionAnswers,
    referee: &mut Referee<'_>,
) -> Play<()> {
    let decoys = referee.choose(seat, &form.ask("react", "decoy", "P3.4"), Decoys::ALL)?;
    answers.decoys = decoys.unwrap_or(Decoys::GangsterFirst);
    for (card, clause) in HIT {
        answers.uses.extend(form.uses(seat, card, clause, referee)?);
    }
    let effects: Vec<Ordinal> =
        damage::effects(state, act).into_iter().map(|(number, _)| number).collect();
    if !effects.is_empty() && act.card.is_some_and(|card| card.is_of(Category::Weapon)) {
        answers.hero = form.hero(seat, &effects, referee)?;
    }
    answers.shield = form.shield(state, seat, referee)?;
    answers.bonus = form.bonus(seat, referee)?;
    Ok(())
}

/// P3.2: asks for the standing orders for all acts to come, also about cards that are not held.
pub(super) fn orders(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let form = ReactionForm::ORDERS;
    form.hero(seat, &damage::most_effects(), referee)?;
    referee.choose(seat, &form.ask("react", "decoy", "P3.4"), Decoys::ALL)?;
    for (card, clause) in HIT.into_iter().chain([(Card::Alcohol, "P6.5")]) {
        form.uses(seat, card, clause, referee)?;
    }
    form.tricks(seat, &TRICKS, "P6.5", referee)?;
    if is_black(state, seat) {
        form.overlook(seat, referee)?;
    }
    form.shield(state, seat, referee)?;
    referee.choose(seat, &form.ask("undertaker", "money", "P6.1"), &MONEY)?;
    let shots = i64::try_from(damage::bullets().count()).expect("there are few bullets");
    referee.number(seat, &form.ask("undertaker", "shot", "P6.1"), 1, shots)?;
    form.doctor(seat, referee)?;
    let specialists: Vec<Card> =
        Card::ALL.iter().copied().filter(|card| card.is_of(Category::Specialist)).collect();
    let all = specialists.len();
    referee.pick(seat, &form.ask("beauty", "cards", "P7.5"), &specialists, all, all)?;
    form.bonus(seat, referee)?;
    Ok(())
}

/// `None` if the orders do not answer the question; otherwise the standing answer to a question of an act.
/// HERO cancels the effects that hit the seat itself, in their order: protecting others is declared in the
/// window (P3.2).
pub(super) fn ordered(seen: &State, orders: &Declaration, question: &Question) -> Option<Value> {
    let ordered = orders.get(&question.key.clone().nth(1))?.value()?.clone();
    let (Value::Picks(picks), true) = (&ordered, question.key.section == "hero") else {
        return Some(ordered);
    };
    let act = &seen.chain.as_ref()?.act;
    let effects = damage::effects(seen, act).into_iter();
    let own = effects.filter(|(_, unit)| unit.on == question.seat).map(|(number, _)| number);
    let meant = Ordinal::all().zip(own).filter(|(number, _)| picks.contains(&number.id()));
    let picks: Vec<SmolStr> = meant.map(|(_, effect)| effect.id()).collect();
    (!picks.is_empty()).then_some(Value::Picks(picks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gangster_paradise::options::Options;
    use crate::gangster_paradise::state::{GangsterParadise, WindowStage};
    use rules::playout::Random;
    use rules::{Answer, Contest, Dice, Label, Policy, playout};

    /// Standing orders that pass every question.
    fn pass(contest: &Contest<GangsterParadise>, seat: Seat) -> Declaration {
        let mut orders = Declaration::default();
        for asked in contest.ordering(seat, &orders).asked {
            orders.set(asked.question.key, Answer::LeftOut);
        }
        orders
    }

    #[test]
    fn who_has_ordered_everything_is_asked_nothing_in_a_reaction() {
        let dice = Dice::new([7; 32], "orders");
        let chance = dice.of_window(0, 9);
        let random = |seat| Random::new(chance.stream(&Label::of(seat, Key::part("policy"))));
        let mut policies: Vec<Box<dyn Policy<GangsterParadise>>> =
            Seat::all(5).map(|seat| Box::new(random(seat)) as _).collect();
        let mut reactions = 0;
        let declares =
            |contest: &Contest<GangsterParadise>, seat: Seat, declaration: Declaration| {
                if contest.state().stage == WindowStage::Reaction {
                    reactions += 1;
                    let orders = pass(contest, seat);
                    let declared = contest.with_orders(seat, &Declaration::default(), &orders);
                    let found = contest.interview(seat, &declared);
                    let open: Vec<&Question> = found.open().map(|asked| &asked.question).collect();
                    assert!(open.is_empty(), "{open:?}");
                }
                Some(declaration)
            };
        let options = Options::default();
        playout::sealed::<GangsterParadise>(&options, dice, &mut policies, declares, |_, _| {})
            .unwrap();
        assert!(reactions > 50, "{reactions}");
    }
}
