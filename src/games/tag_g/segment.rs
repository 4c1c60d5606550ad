//! T4: the segment of an attack, with its ten steps.

use super::cards::{Card, Moment};
use super::edition::EDITION;
use super::effects::{self, Use};
use super::happening::{Happening, ReturnReason};
use super::state::{Answer, PlannedAttack, Referee, State};
use super::things::{Aim, Means, Until};
use super::values::Segment;
use super::{defeat, piles, reactions};
use rules::Seat;

/// Resolves an attack, from its declaration to the end.
pub(super) fn resolve(state: &mut State, attack: PlannedAttack, referee: &mut Referee<'_>) {
    let PlannedAttack { number, by, on } = attack;
    let seat = state.turn.seat;
    if let Some(why) = hindrance(state, attack) {
        referee.cite("T7.4");
        return referee.tell(Happening::AttackReturned { number, seat, by, on, why });
    }
    let segment = &mut Segment::foreseen(state, attack);
    let place = referee.recorded();
    begin(state, segment, referee);
    segment.answers = answers(state, segment);
    // T4.4: without its means or its target, an attack goes on with its end.
    let goes_on = step(state, segment, Moment::Step2, "T4.2", referee)
        && name_blocker(state, segment, referee)
        && use_defence(state, segment, referee)
        && deal_damage(state, segment, referee);
    if goes_on {
        step(state, segment, Moment::Step8, "T4.8", referee);
    } else {
        referee.cite("T4.4");
    }
    step(state, segment, Moment::Step9, "T4.9", referee);
    step(state, segment, Moment::Step10, "T4.10", referee);
    clear(state, segment, referee);
    let nothing = Happening::CameToNothing { number, seat, by, on };
    referee.tell_at(place, segment.struck.take().unwrap_or(nothing));
}

/// T4.1: the reason why a declared attack cannot be made in the present state.
fn hindrance(state: &State, attack: PlannedAttack) -> Option<ReturnReason> {
    let (user, PlannedAttack { by, on, .. }) = (state.turn.seat, attack);
    let attacked = state.attacked(on).filter(|seat| state.is_living(*seat));
    if attacked.is_none_or(|seat| state.team(seat) == state.team(user)) {
        return Some(ReturnReason::NoTarget);
    }
    let has_means = match by {
        Means::Card(card) => state.players[user].hand.contains(&Some(card)),
        Means::Unit(unit) => {
            state.permanent(unit).is_some_and(|it| it.controller == user && !it.attacked)
        }
    };
    let is_paid =
        |card: Card| matches!(by, Means::Unit(_)) || piles::can_pay(state, user, card.cost, true);
    if !has_means {
        Some(ReturnReason::NoMeans)
    } else if !is_paid(by.card()) {
        Some(ReturnReason::Unpaid)
    } else if !state.reaches(by, on) {
        Some(ReturnReason::TooFast)
    } else {
        None
    }
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

/// T4.3, T4.4: the first answer that can stand counts; a block makes the blocker the target (T5.7). True if the
/// attack goes on, as in the steps that follow.
fn name_blocker(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) -> bool {
    referee.cite("T4.3");
    let stands =
        |(seat, answer): &(Seat, Answer)| reactions::can_stand(state, *seat, *answer, segment);
    if let Some(place) = segment.answers.iter().position(stands)
        && let (_, Answer::Block(unit)) = segment.answers[place]
    {
        referee.cite("T4.12");
        if state.permanent(unit).is_some_and(|it| it.controller != segment.attacked) {
            referee.cite("T5.2");
        }
        segment.answers.remove(place);
        if let Some(permanent) = state.permanent_mut(unit) {
            (permanent.blocked, permanent.aimed) = (true, true);
        }
        (segment.blocker, segment.on) = (Some(unit), Aim::Unit(unit));
    }
    step(state, segment, Moment::Step4, "T4.4", referee)
}

/// T4.5, T4.6: the first defence card that can stand is used, if nobody blocks.
fn use_defence(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) -> bool {
    referee.cite("T4.5");
    let stands = |(seat, answer): &(Seat, Answer)| {
        matches!(answer, Answer::Defend(_)) && reactions::can_stand(state, *seat, *answer, segment)
    };
    let place = segment.answers.iter().position(stands).filter(|_| segment.blocker.is_none());
    if let Some((seat, Answer::Defend(card))) = place.map(|place| segment.answers.remove(place)) {
        referee.cite("T4.13");
        if segment.on != Aim::Character(seat) {
            referee.cite("T5.3");
        }
        state.players[seat].give_up(card);
        segment.defence = Some((seat, card));
        piles::pay(state, seat, card.cost, referee);
    }
    step(state, segment, Moment::Step6, "T4.6", referee)
}

/// T4.7, T4.14, T4.15: the damage.
fn deal_damage(state: &mut State, segment: &mut Segment, referee: &mut Referee<'_>) -> bool {
    if !step(state, segment, Moment::Step7, "T4.7", referee) {
        return false;
    }
    referee.cite("T4.14");
    referee.cite("T4.15");
    let (before, less) = state.damage(segment);
    let amount = u16::try_from(before - less).unwrap_or(0);
    segment.damaged = amount > 0;
    let cards = effects::hurt(state, segment.on, amount);
    let Segment { attack: PlannedAttack { number, by, on }, user, blocker, defence, .. } = *segment;
    let (defender, defence) = defence.unzip();
    let (seat, left) = (user, effects::left(state, segment.on));
    segment.struck = Some(Happening::Struck {
        number,
        seat,
        by,
        on,
        blocker,
        defender,
        defence,
        before,
        less,
        left,
        cards,
    });
    effects::sweep(state, referee);
    defeat::settle(state, referee);
    state.result.is_none()
}

/// T4.10: used cards go to their piles, unused answers back to their players, and what counts for the segment
/// ends.
fn clear(state: &mut State, segment: &Segment, referee: &mut Referee<'_>) {
    let PlannedAttack { number, by, .. } = segment.attack;
    if let Means::Card(card) = by {
        piles::lay_used(state, segment.user, card, referee);
    }
    if let Some((seat, card)) = segment.defence {
        piles::lay_used(state, seat, card, referee);
    }
    for (seat, answer) in &segment.answers {
        for clause in ["T5.7", "T7.4", "T4.12"] {
            referee.cite(clause);
        }
        referee.tell(Happening::AnswerReturned { number, seat: *seat, answer: *answer });
    }
    state.lasting.retain(|lasting| lasting.until != Until::Segment);
    effects::sweep(state, referee);
}

/// T5.7: the answers to an attack, those of the attacked player first, then of the partners in turn order.
fn answers(state: &State, segment: &Segment) -> Vec<(Seat, Answer)> {
    let order = std::iter::once(segment.attacked).chain(state.partners(segment.attacked));
    let number = segment.attack.number;
    let of = |seat: Seat| {
        let given = state.answers.iter().filter(move |(by, to, _)| *by == seat && *to == number);
        given.map(|(seat, _, answer)| (*seat, *answer))
    };
    order.flat_map(of).collect()
}

/// True if the attack can go on: its means and its target are there.
fn goes_on(state: &State, segment: &Segment) -> bool {
    let is_user_there = state.is_living(segment.user) && state.result.is_none();
    let by = segment.attack.by.attacker(segment.user);
    is_user_there && effects::is_there(state, by) && effects::is_there(state, segment.on)
}

/// T10.3: carries out what happens at a step: the active side's first, then in turn order. True if the attack can
/// go on.
fn step(
    state: &mut State,
    segment: &mut Segment,
    moment: Moment,
    clause: &'static str,
    referee: &mut Referee<'_>,
) -> bool {
    referee.cite(clause);
    for (seat, source) in segment.sources(state) {
        for effect in source.card().at(moment) {
            let is_there = effects::is_there(state, source.attacker(seat));
            let is_due = is_there && (segment.damaged || !effect.damaged);
            if is_due && segment.triggers < EDITION.segment.triggers {
                referee.cite("T10.3");
                segment.triggers += 1;
                effects::carry_out(state, Use::plain(seat, source), effect, Some(segment), referee);
            }
        }
    }
    goes_on(state, segment)
}
