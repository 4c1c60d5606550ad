//! T4: the segment of an attack, with its ten steps.

use super::attack::{Segment, attacked, reaches};
use super::cards::Moment;
use super::edition::EDITION;
use super::effects::{self, Source, Use};
use super::happening::{Happening, ReturnReason};
use super::state::{Answer, PlannedAttack, Referee, SeatList, State};
use super::things::{Aim, Means};
use super::{defeat, piles, reactions};
use rules::Seat;

/// Resolves an attack, from its declaration to the end.
pub(super) fn resolve(state: &mut State, attack: PlannedAttack, referee: &mut Referee<'_>) {
    let user = state.turn.seat;
    let mut segment = match declare(state, user, attack) {
        Ok(segment) => segment,
        Err(why) => {
            referee.cite("T7.4");
            let PlannedAttack { number, by, on } = attack;
            return referee.tell(Happening::AttackReturned { number, seat: user, by, on, why });
        }
    };
    let segment = &mut segment;
    let place = referee.recorded();
    begin(state, segment, referee);
    let mut answers = answers(state, segment);
    let is_over = right_after_declaring(state, segment, referee)
        || name_blocker(state, segment, &mut answers, referee)
        || right_after_blocker(state, segment, referee)
        || use_defence(state, segment, &mut answers, referee)
        || right_after_defence(state, segment, referee)
        || deal_damage(state, segment, referee)
        || right_after_damage(state, segment, referee);
    if is_over {
        referee.cite("T4.4");
    }
    end(state, segment, referee);
    right_after_end(state, segment, referee);
    clear(state, segment, &answers, referee);
    let PlannedAttack { number, by, on } = attack;
    let nothing = Happening::CameToNothing { number, seat: user, by, on };
    referee.tell_at(place, segment.struck.take().unwrap_or(nothing));
}

/// T4.1: checks a declaration against the present state.
fn declare(state: &State, user: Seat, attack: PlannedAttack) -> Result<Segment, ReturnReason> {
    let PlannedAttack { by, on, .. } = attack;
    let attacked = attacked(state, on).filter(|seat| state.is_living(*seat));
    let attacked = attacked.filter(|seat| state.team(*seat) != state.team(user));
    let attacked = attacked.ok_or(ReturnReason::NoTarget)?;
    match by {
        Means::Card(card) => {
            if !state.players[user].hand.contains(&Some(card)) {
                return Err(ReturnReason::NoMeans);
            }
            if !piles::can_pay(state, user, card.cost, true) {
                return Err(ReturnReason::Unpaid);
            }
        }
        Means::Unit(unit) => {
            let own = state.permanent(unit).filter(|permanent| permanent.controller == user);
            if own.is_none_or(|permanent| permanent.attacked) {
                return Err(ReturnReason::NoMeans);
            }
        }
    }
    if !reaches(state, by, on) {
        return Err(ReturnReason::TooFast);
    }
    Ok(Segment::foreseen(user, attack, Some(attacked)))
}

/// T4.1: the means are spent.
fn begin(state: &mut State, segment: &Segment, referee: &mut Referee<'_>) {
    for clause in ["T4.1", "T4.11", "T5.1", "T10.1"] {
        referee.cite(clause);
    }
    match segment.attack.by {
        Means::Card(card) => {
            state.players[segment.user].give_up(card);
            state.turn.fights = state.turn.fights.saturating_add(1);
            piles::pay(state, segment.user, card.cost, referee);
        }
        Means::Unit(unit) => {
            if let Some(permanent) = state.permanent_mut(unit) {
                permanent.attacked = true;
            }
        }
    }
    if let Aim::Unit(unit) = segment.on
        && let Some(permanent) = state.permanent_mut(unit)
    {
        permanent.aimed = true;
    }
}

/// T4.2. True if the segment is over, as in the steps that follow.
fn right_after_declaring(
    state: &mut State,
    segment: &mut Segment,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("T4.2");
    trigger(state, segment, Moment::Step2, referee)
}

/// T4.3: the first answer that can stand counts; a block makes the blocker the target (T5.7).
fn name_blocker(
    state: &mut State,
    segment: &mut Segment,
    answers: &mut Vec<(Seat, Answer)>,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("T4.3");
    let stands =
        |(seat, answer): &(Seat, Answer)| reactions::can_stand(state, *seat, *answer, segment);
    let Some(place) = answers.iter().position(stands) else { return false };
    if let (_, Answer::Block(unit)) = answers[place] {
        referee.cite("T4.12");
        if state.permanent(unit).is_some_and(|it| it.controller != segment.attacked) {
            referee.cite("T5.2");
        }
        answers.remove(place);
        if let Some(permanent) = state.permanent_mut(unit) {
            permanent.blocked = true;
            permanent.aimed = true;
        }
        (segment.blocker, segment.on) = (Some(unit), Aim::Unit(unit));
    }
    false
}

/// T4.4
fn right_after_blocker(
    state: &mut State,
    segment: &mut Segment,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("T4.4");
    trigger(state, segment, Moment::Step4, referee)
}

/// T4.5: the first defence card that can stand is used, if nobody blocks.
fn use_defence(
    state: &mut State,
    segment: &mut Segment,
    answers: &mut Vec<(Seat, Answer)>,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("T4.5");
    let stands = |(seat, answer): &(Seat, Answer)| {
        matches!(answer, Answer::Defend(_)) && reactions::can_stand(state, *seat, *answer, segment)
    };
    let place = answers.iter().position(stands).filter(|_| segment.blocker.is_none());
    if let Some((seat, Answer::Defend(card))) = place.map(|place| answers.remove(place)) {
        referee.cite("T4.13");
        if segment.on != Aim::Character(seat) {
            referee.cite("T5.3");
        }
        state.players[seat].give_up(card);
        segment.defence = Some((seat, card));
        piles::pay(state, seat, card.cost, referee);
    }
    false
}

/// T4.6
fn right_after_defence(
    state: &mut State,
    segment: &mut Segment,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite("T4.6");
    trigger(state, segment, Moment::Step6, referee)
}

/// T4.7, T4.14, T4.15: the damage.
fn deal_damage(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) -> bool {
    referee.cite("T4.7");
    if trigger(state, segment, Moment::Step7, referee) {
        return true;
    }
    referee.cite("T4.14");
    referee.cite("T4.15");
    let (before, less) = state.damage(segment);
    let amount = u16::try_from(before - less).unwrap_or(0);
    segment.damaged = amount > 0;
    let cards = effects::hurt(state, segment.on, amount);
    let Segment { attack, user, blocker, defence, .. } = *segment;
    segment.struck = Some(Happening::Struck {
        number: attack.number,
        seat: user,
        by: attack.by,
        on: attack.on,
        blocker,
        defender: defence.map(|(seat, _)| seat),
        defence: defence.map(|(_, card)| card),
        before,
        less,
        left: effects::left(state, segment.on),
        cards,
    });
    effects::sweep(state, referee);
    defeat::settle(state, referee);
    state.result.is_some()
}

/// T4.8
fn right_after_damage(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) -> bool {
    referee.cite("T4.8");
    trigger(state, segment, Moment::Step8, referee);
    false
}

/// T4.9
fn end(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) {
    referee.cite("T4.9");
    trigger(state, segment, Moment::Step9, referee);
}

/// T4.10
fn right_after_end(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) {
    referee.cite("T4.10");
    trigger(state, segment, Moment::Step10, referee);
}

/// T4.10: used cards go to their piles, unused answers back to their players, and what counts for the segment
/// ends.
fn clear(
    state: &mut State,
    segment: &Segment,
    unused: &[(Seat, Answer)],
    referee: &mut Referee<'_>,
) {
    let PlannedAttack { number, by, .. } = segment.attack;
    if let Means::Card(card) = by {
        piles::lay_used(state, segment.user, card, referee);
    }
    if let Some((seat, card)) = segment.defence {
        piles::lay_used(state, seat, card, referee);
    }
    for (seat, answer) in unused {
        for clause in ["T5.7", "T7.4", "T4.12"] {
            referee.cite(clause);
        }
        referee.tell(Happening::AnswerReturned { number, seat: *seat, answer: *answer });
    }
    state.lasting.retain(|lasting| lasting.until != super::lasting::Until::Segment);
    effects::sweep(state, referee);
}

/// T5.7: the answers to an attack, those of the attacked player first, then of the partners in turn order.
fn answers(state: &State, segment: &Segment) -> Vec<(Seat, Answer)> {
    let mut order: SeatList = std::iter::once(segment.attacked).collect();
    order.extend(state.partners(segment.attacked));
    let number = segment.attack.number;
    let of = |seat: Seat| {
        let given = state.answers.iter().filter(move |(by, to, _)| *by == seat && *to == number);
        given.map(|(seat, _, answer)| (*seat, *answer))
    };
    order.into_iter().flat_map(of).collect()
}

/// True if the attack can go on: its means and its target are there.
fn goes_on(state: &State, segment: &Segment) -> bool {
    let is_user_there = state.is_living(segment.user) && state.result.is_none();
    let is_there = match segment.attack.by {
        Means::Card(_) => true,
        Means::Unit(unit) => state.permanent(unit).is_some(),
    };
    is_user_there && is_there && effects::is_there(state, segment.on)
}

/// T10.3: carries out what happens at a moment: the active side's first, then in turn order. True if the
/// attack cannot go on.
fn trigger(
    state: &mut State,
    segment: &mut Segment,
    moment: Moment,
    referee: &mut Referee<'_>,
) -> bool {
    for (seat, source) in sources(state, segment) {
        let card = match source {
            Source::Card(card) => card,
            Source::Unit(unit) => unit.card,
        };
        for effect in card.at(moment) {
            let is_there = match source {
                Source::Card(_) => true,
                Source::Unit(unit) => state.permanent(unit).is_some(),
            };
            let is_due = is_there && (segment.damaged || !effect.damaged);
            if is_due && segment.triggers < EDITION.segment.triggers {
                referee.cite("T10.3");
                segment.triggers += 1;
                effects::carry_out(state, Use::plain(seat, source), effect, Some(segment), referee);
            }
        }
    }
    !goes_on(state, segment)
}

/// T8.3: the cards and permanents that take part in the segment, in the order of their triggers.
fn sources(state: &State, segment: &Segment) -> Vec<(Seat, Source)> {
    let mut sources = Vec::new();
    for seat in state.turn_order(segment.user) {
        if let (Means::Card(card), true) = (segment.attack.by, seat == segment.user) {
            sources.push((seat, Source::Card(card)));
        }
        if let Some((_, card)) = segment.defence.filter(|(by, _)| *by == seat) {
            sources.push((seat, Source::Card(card)));
        }
        let is_attacking = seat == segment.user && matches!(segment.attack.by, Means::Card(_));
        let is_attacked = segment.attack.on == Aim::Character(seat);
        for permanent in state.field.iter().filter(|permanent| permanent.controller == seat) {
            let unit = permanent.unit;
            let fights = segment.attack.by == Means::Unit(unit)
                || segment.attack.on == Aim::Unit(unit)
                || segment.blocker == Some(unit);
            let is_summon = unit.card.summon().is_some();
            if fights || !is_summon && (is_attacking || is_attacked) {
                sources.push((seat, Source::Unit(unit)));
            }
        }
    }
    sources
}
