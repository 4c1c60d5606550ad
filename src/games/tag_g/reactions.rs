//! T7.2: the answers of the attacked sides, and who is asked for them.

use smol_str::SmolStr;

use super::cards::card::too_slow;
use super::cards::{Card, CardKind, Forbidden, Keyword};
use super::options::Reaction;
use super::piles;
use super::state::{Answer, PlannedAttack, Referee, State, WindowStage};
use super::things::{Aim, Unit};
use super::values::Segment;
use crate::bars::{self, Hindrance};
use rules::{Ask, BySeat, Key, Piece, Play, Reason, Seat};

/// The id of the answer that lets an attack pass.
pub(super) const LET_PASS: &str = "let-pass";

/// An answer in the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    LetPass,
    Answer(Answer),
}

impl Piece for Given {
    fn id(&self) -> SmolStr {
        match self {
            Self::LetPass => SmolStr::new_static(LET_PASS),
            Self::Answer(Answer::Block(unit)) => unit.id(),
            Self::Answer(Answer::Defend(card)) => card.id(),
        }
    }
}

/// The attacks that are answered in the open window (T7.2).
pub(super) fn open_attacks(state: &State) -> &[PlannedAttack] {
    let attacks = &state.turn.attacks[..];
    match state.options.reaction {
        Reaction::Turn => attacks,
        Reaction::Attack => &attacks[..attacks.len().min(1)],
    }
}

impl State {
    /// The seats that are asked to declare in the open window.
    pub(super) fn asked(&self) -> BySeat<bool> {
        self.players.map(|seat, player| match self.stage {
            WindowStage::Setup => true,
            _ if self.result.is_some() || player.defeated => false,
            WindowStage::Turn => seat == self.turn.seat,
            WindowStage::Reaction => may_answer(self, seat),
            WindowStage::Over => false,
        })
    }
}

/// True if an attack is on the side of a seat.
fn concerns(state: &State, seat: Seat, attack: &PlannedAttack) -> bool {
    state.attacked(attack.on).is_some_and(|of| state.team(of) == state.team(seat))
}

/// T7.2: true if by public knowledge a seat could answer an attack of the open window.
pub(super) fn may_answer(state: &State, seat: Seat) -> bool {
    let is_it = |attack: &PlannedAttack| {
        let segment = Segment::foreseen(state, *attack);
        let blocks = |unit| block_hindrance(state, seat, unit, &segment).is_none();
        concerns(state, seat, attack)
            && (!state.players[seat].hand.is_empty() || state.summons(seat).any(blocks))
    };
    state.is_living(seat) && open_attacks(state).iter().any(is_it)
}

/// T5.7: true if an answer can stand now.
pub(super) fn can_stand(state: &State, seat: Seat, answer: Answer, segment: &Segment) -> bool {
    state.is_living(seat) && hindrance(state, seat, answer, segment).is_none()
}

/// The reason that keeps an answer from standing.
fn hindrance(state: &State, seat: Seat, answer: Answer, segment: &Segment) -> Option<Hindrance> {
    match answer {
        Answer::Block(unit) => block_hindrance(state, seat, unit, segment),
        Answer::Defend(card) => card_hindrance(state, seat, card, segment),
    }
}

/// T4.12, T5.2: the conditions of a block.
fn block_hindrance(state: &State, seat: Seat, unit: Unit, segment: &Segment) -> Option<Hindrance> {
    let Some(permanent) = state.permanent(unit).filter(|it| it.controller == seat) else {
        return Some(("not-yours", "T4.12"));
    };
    let (own, attack) = (state.speed(Aim::Unit(unit)), state.speed_of(segment.attack.by));
    if !matches!(segment.on, Aim::Character(_)) {
        Some(("summon-is-attacked", "T4.12"))
    } else if permanent.worn_by.is_some() {
        Some(("is-ridden", "T10.4"))
    } else if permanent.blocked {
        Some(("has-blocked", "T5.2"))
    } else if permanent.aimed {
        Some(("was-attacked", "T4.12"))
    } else if [segment.on, Aim::Unit(unit)]
        .into_iter()
        .any(|aim| state.forbids(aim, Forbidden::Block))
    {
        Some(("no-block", "T4.12"))
    } else {
        match attack {
            None => Some(("no-block", "T4.12")),
            Some(attack) => (own < attack).then(|| (too_slow(own, attack), "T4.12")),
        }
    }
}

/// T4.13, T5.3: the conditions of a defence card.
fn card_hindrance(state: &State, seat: Seat, card: Card, segment: &Segment) -> Option<Hindrance> {
    if !matches!(card.kind(), CardKind::Defence(_)) {
        return Some(("no-defence", "T4.13"));
    }
    if !state.players[seat].hand.contains(&Some(card)) {
        return Some(("not-held", "T4.13"));
    }
    let fast = state.speed(segment.attack.by.attacker(segment.user));
    if segment.on != Aim::Character(seat) && !card.has(Keyword::Cover) {
        Some(("no-cover", "T5.3"))
    } else if state.forbids(segment.on, Forbidden::Defence) {
        Some(("no-defence-now", "T4.13"))
    } else if !piles::can_pay(state, seat, card.cost, true) {
        Some(("cannot-pay", "T3.3"))
    } else if let Some(slow) = card.speed().filter(|slow| *slow < fast) {
        Some((too_slow(slow, fast), "T4.13"))
    } else {
        None
    }
}

/// T7.2: asks a seat for one answer to each attack on its side.
pub(super) fn answer(state: &mut State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    let mut given: Vec<Answer> = Vec::new();
    for attack in open_attacks(state).to_vec() {
        if !concerns(state, seat, &attack) {
            continue;
        }
        let segment = Segment::foreseen(state, attack);
        let is_spent = |answer: Answer| {
            let times = given.iter().filter(|other| **other == answer).count();
            let has = |card: Card| state.players[seat].cards().filter(|held| *held == card).count();
            times >= if let Answer::Defend(card) = answer { has(card) } else { 1 }
        };
        let blocks = state.summons(seat).map(Answer::Block);
        let defences = state.players[seat].distinct_hand().into_iter().map(Answer::Defend);
        let answers = blocks.chain(defences).map(Given::Answer);
        let (free, bars) =
            bars::split(std::iter::once(Given::LetPass).chain(answers), |given| match given {
                Given::LetPass => None,
                Given::Answer(answer) if is_spent(answer) => Some(("answers-another", "T7.2")),
                Given::Answer(answer) => hindrance(state, seat, answer, &segment),
            });
        let key = Key::new("answer", "with").nth(attack.number);
        let ask = Ask::new(key, "T7.2").absent("not-before-you").or_nothing().or_missing();
        if let Some(Given::Answer(answer)) = referee.choose_barring(seat, &ask, &free, &bars)? {
            let is_first = state.turn.attacks.first() == Some(&attack);
            if referee.takes_notes() && is_first && state.is_harmless(attack) {
                referee.note_on(&ask, Reason::noted("harmless", &[Given::Answer(answer)]), "T4.14");
            }
            given.push(answer);
            state.answers.push((seat, attack.number, answer));
        }
    }
    Ok(())
}
