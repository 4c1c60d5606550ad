//! T7.5: the standing orders of a player, about own turns and about attacks.

use smol_str::SmolStr;

use super::cards::{Amount, Card, CardKind, Moment, Target, Verb};
use super::plans::ExtraDraw;
use super::reactions::{self, Given, LET_PASS};
use super::state::{Referee, State};
use rules::{Answer, Ask, Declaration, Key, Piece, Play, Question, Seat, Shape, Value};

/// The highest number of stamina or damage that an order names.
const MOST: u8 = 99;

fn ask(section: &'static str, name: &'static str) -> Ask {
    Ask::new(Key::new(section, name), "T7.5").or_nothing().or_missing()
}

/// Asks for the standing orders.
pub(super) fn orders(state: &State, seat: Seat, referee: &mut Referee<'_>) -> Play<()> {
    referee.number(seat, &ask("draw", "from"), 1, MOST.into())?;
    referee.number(seat, &ask("let-go", "below"), 0, MOST.into())?;
    referee.number(seat, &ask("answer", "block-from"), 1, MOST.into())?;
    let summons: Vec<Card> =
        state.options.set.cards().filter(|card| card.summon().is_some()).collect();
    referee.pick(seat, &ask("answer", "block-with"), &summons, summons.len(), summons.len())?;
    referee.number(seat, &ask("answer", "defend-from"), 1, MOST.into())?;
    referee.choose(seat, &ask("answer", "with"), &[Given::LetPass])?;
    let foes = state.opponents(seat);
    referee.pick(seat, &ask("equal", "order"), &foes, foes.len(), foes.len())?;
    Ok(())
}

/// The number that an order names.
fn number(orders: &Declaration, section: &'static str, name: &'static str) -> Option<u8> {
    let Value::Number(number) = orders.get(&Key::new(section, name))?.value()? else { return None };
    u8::try_from(*number).ok()
}

/// `None` if the orders do not answer the question.
pub(super) fn ordered(seen: &State, orders: &Declaration, question: &Question) -> Option<Value> {
    let seat = question.seat;
    let stamina = u8::try_from(seen.players[seat].stamina.len()).unwrap_or(MOST);
    match (question.key.section.as_str(), question.key.name.as_str()) {
        ("draw", "extra") => {
            let from = number(orders, "draw", "from")?;
            (stamina >= from).then(|| Value::Choice(ExtraDraw::Draw.id()))
        }
        ("let-go", "what") => {
            let below = number(orders, "let-go", "below")?;
            let Shape::Pick { options, .. } = &question.shape else { return None };
            (stamina <= below).then(|| Value::Picks(options.clone()))
        }
        ("answer", "with") => answer(seen, orders, question).map(Value::Choice),
        _ => orders.get(&question.key.clone().nth(1))?.value().cloned(),
    }
}

/// Returns the ordered answer to an attack: a block, otherwise the weakest sufficient defence card, otherwise
/// a pass.
fn answer(seen: &State, orders: &Declaration, question: &Question) -> Option<SmolStr> {
    let number_of = question.key.number;
    let attack = reactions::open_attacks(seen).iter().find(|attack| attack.number == number_of)?;
    let damage = u8::try_from(seen.expected(*attack)).unwrap_or(0);
    let Shape::Choose { options, .. } = &question.shape else { return None };
    let is_from = |name| number(orders, "answer", name).is_some_and(|from| damage >= from);
    if is_from("block-from")
        && let Some(unit) = options.iter().find(|id| blocks(seen, orders, id))
    {
        return Some(unit.clone());
    }
    if is_from("defend-from") {
        let saved = |id: &SmolStr| {
            Card::find(id).filter(|card| matches!(card.kind(), CardKind::Defence(_))).map(saved)
        };
        let cards = options.iter().filter_map(|id| Some((saved(id)?, id)));
        let (enough, short): (Vec<_>, Vec<_>) = cards.partition(|(saved, _)| *saved >= damage);
        let weakest = enough.into_iter().min_by_key(|(saved, _)| *saved);
        let chosen = weakest.or_else(|| short.into_iter().max_by_key(|(saved, _)| *saved));
        if let Some((_, id)) = chosen {
            return Some(id.clone());
        }
    }
    orders.get(&Key::new("answer", "with"))?.value()?;
    Some(SmolStr::new_static(LET_PASS))
}

/// True if an option is a summon that the orders let block: all, if they name none.
fn blocks(seen: &State, orders: &Declaration, id: &SmolStr) -> bool {
    let unit = seen.field.iter().map(|permanent| permanent.unit).find(|unit| unit.id() == *id);
    let Some(unit) = unit else { return false };
    match orders.get(&Key::new("answer", "block-with")).and_then(Answer::value) {
        Some(Value::Picks(cards)) => cards.contains(&unit.card.id()),
        _ => true,
    }
}

/// The damage from which a defence card saves the attacked.
pub(super) fn saved(card: Card) -> u8 {
    let before = card.effects.iter().filter(|effect| effect.at <= Moment::Step7);
    let verbs = before.flat_map(|effect| &effect.does);
    let of = |verb: &Verb| match verb {
        Verb::Reduce { amount, on: Target::Attacked | Target::User, .. } => match amount {
            Amount::Number(number) => *number,
            Amount::All => MOST,
            Amount::Each { each, .. } => *each,
        },
        _ => 0,
    };
    verbs.map(of).sum()
}
