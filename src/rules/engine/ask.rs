//! The questions as a rule phrases them, and the reading of answers against them.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use smol_str::SmolStr;

use crate::vocabulary::Lapse;
use crate::{
    Answer, Denomination, Key, Piece, Question, Reason, Seat, Shape, Suppose, TextForm, Value,
};

/// The maximum number of picks in one answer.
pub const MAX_PICKS: usize = 64;
/// The maximum number of denominations in a purse.
pub const MAX_DENOMINATIONS: usize = 4;

/// A list of things in order, without an allocation for up to four.
pub type Several<T> = SmallVec<[T; 4]>;
/// The positions of picks in the list of options, in order.
pub type Picks = Several<usize>;
/// The number of pieces paid of each denomination of the purse, in the purse's order.
pub type Pieces = [u8; MAX_DENOMINATIONS];

/// An option that the game bars for now, with the reason.
#[derive(Clone, Copy, Debug)]
pub struct Bar<T> {
    pub option: T,
    /// The id of the reason in the templates.
    pub why: &'static str,
    pub clause: &'static str,
}

/// Barred options without their type.
pub(crate) trait Bars {
    /// Returns the number of barred options.
    fn count(&self) -> usize;
    /// Returns the id, the reason and the clause of a barred option.
    fn bar(&self, index: usize) -> (SmolStr, &'static str, &'static str);
}

impl<T: Piece> Bars for &[Bar<T>] {
    fn count(&self) -> usize {
        self.len()
    }

    fn bar(&self, index: usize) -> (SmolStr, &'static str, &'static str) {
        let bar = &self[index];
        (bar.option.id(), bar.why, bar.clause)
    }
}

/// The bars of a question without any.
pub(crate) const NO_BARS: &[Bar<Seat>] = &[];

/// A question as a rule phrases it, without its options.
#[derive(Clone, Debug)]
pub struct Ask {
    pub(crate) key: Key,
    pub(crate) clause: &'static str,
    pub(crate) suppose: Suppose,
    /// The clause of the default, if it has one of its own.
    pub(crate) default_clause: Option<&'static str>,
    pub(crate) lapse: Lapse,
    /// The clause that limits the number of pieces, if it has one of its own.
    pub(crate) limit_clause: Option<&'static str>,
    /// The id, in the templates, of the reason for a piece that is neither offered nor barred.
    pub(crate) absent: Option<&'static str>,
    /// The id of a piece that every answer includes without a word.
    pub(crate) tacit: Option<&'static str>,
    /// The mode of a question that only another seat can bring up; `None` for other questions.
    pub(crate) in_case: Option<InCase>,
    /// The option that counts for a missing answer if another seat then makes a choice of the question.
    pub(crate) plain: Option<&'static str>,
}

/// The mode of a question that has no cause yet, but that another seat may bring up before the turn is
/// played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InCase {
    Offered,
    /// The question accepts an answer, and no form offers it.
    Heard,
}

impl Ask {
    /// Creates a question that a die answers by default, and whose part is returned if the answer has become
    /// impossible.
    pub fn new(key: Key, clause: &'static str) -> Self {
        Self {
            key,
            clause,
            suppose: Suppose::Die,
            default_clause: None,
            lapse: Lapse::Returned,
            limit_clause: None,
            absent: None,
            tacit: None,
            in_case: None,
            plain: None,
        }
    }

    /// Refuses a piece that is neither offered nor barred for a reason of the game's own, in place of a list
    /// of the options.
    #[must_use]
    pub fn absent(mut self, why: &'static str) -> Self {
        self.absent = Some(why);
        self
    }

    /// Asks only in case another seat brings the question up before the turn is played: an answer is stored
    /// and counts then. Leaving the question out has no effect, and an answer that never counts has no effect
    /// but a ruling.
    #[must_use]
    pub fn in_case(mut self) -> Self {
        self.in_case = Some(InCase::Offered);
        self.or_nothing().or_missing()
    }

    /// Asks [in case](Self::in_case) another seat brings the question up: without an answer this option
    /// counts then.
    #[must_use]
    pub fn in_case_or(mut self, option: &'static str) -> Self {
        self.plain = Some(option);
        self.in_case()
    }

    /// Accepts an answer [in case](Self::in_case) another seat brings the question up, without offering it:
    /// nearly every form would show it.
    #[must_use]
    pub fn in_case_it_is_said(mut self) -> Self {
        self = self.in_case();
        self.in_case = Some(InCase::Heard);
        self
    }

    /// Makes the question optional: without an answer, the rule goes on without one.
    #[must_use]
    pub fn or_nothing(mut self) -> Self {
        self.suppose = Suppose::Nothing;
        self
    }

    /// Makes the question optional, with a ruling by this clause if it is left out.
    #[must_use]
    pub fn or_nothing_by(mut self, clause: &'static str) -> Self {
        self.default_clause = Some(clause);
        self.or_nothing()
    }

    /// Sets the option that counts without an answer.
    #[must_use]
    pub fn or(mut self, option: &'static str) -> Self {
        self.suppose = Suppose::This(SmolStr::new_static(option));
        self
    }

    /// Sets the option that counts without an answer, with the clause of this default.
    #[must_use]
    pub fn or_by(mut self, option: &'static str, clause: &'static str) -> Self {
        self.default_clause = Some(clause);
        self.or(option)
    }

    /// Makes the standing answer of this section the default.
    #[must_use]
    pub fn or_standing(mut self, section: &'static str) -> Self {
        self.suppose = Suppose::Standing(SmolStr::new_static(section));
        self
    }

    /// Sets the clause that limits the number of pieces.
    #[must_use]
    pub fn within(mut self, clause: &'static str) -> Self {
        self.limit_clause = Some(clause);
        self
    }

    /// Sets the piece that every answer includes without a word; another piece of its group is a slip.
    #[must_use]
    pub fn of(mut self, tacit: &'static str) -> Self {
        self.tacit = Some(tacit);
        self
    }

    /// Makes an answer that has become impossible count as missing.
    #[must_use]
    pub fn or_missing(mut self) -> Self {
        self.lapse = Lapse::Missing;
        self
    }
}

/// A borrowed list of options.
pub trait Options {
    /// Returns the number of options.
    fn count(&self) -> usize;
    /// Returns the id of an option.
    fn id(&self, index: usize) -> SmolStr;
}

impl Options for &[SmolStr] {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> SmolStr {
        self[index].clone()
    }
}

impl<T: Piece> Options for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> SmolStr {
        self[index].id()
    }
}

/// A borrowed question with its options, for policies, without an allocation.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it borrows options of any type")]
pub struct Offer<'a> {
    /// The seat that is asked.
    pub seat: Seat,
    /// The address of the question.
    pub key: &'a Key,
    /// The clause of the rule that asks.
    pub clause: &'a str,
    /// The default without an answer.
    pub suppose: &'a Suppose,
    /// The clause of the default.
    pub default: &'a str,
    /// The legal answers.
    pub choice: Choice<'a>,
    pub(crate) bars: &'a dyn Bars,
    /// The id of a piece that every answer includes without a word.
    pub(crate) tacit: Option<&'a str>,
    /// The mode of a question that only another seat can bring up; `None` for other questions.
    pub(crate) in_case: Option<InCase>,
    /// The option that counts for a missing answer if another seat then makes a choice of the question.
    pub(crate) plain: Option<&'static str>,
}

/// The borrowed twin of [`Shape`].
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "it borrows options of any type")]
pub enum Choice<'a> {
    Option(&'a dyn Options),
    /// Several options, in order.
    Picks {
        options: &'a dyn Options,
        min: u8,
        max: u8,
    },
    /// Pieces worth at least the cost.
    Payment {
        /// The cost, `None` if it is not known yet.
        cost: Option<u32>,
        purse: &'a [Denomination],
        /// The maximum number of pieces, `None` if there is no limit.
        limit: Option<u8>,
    },
    /// A number within bounds.
    Number {
        min: i64,
        max: i64,
    },
    Text {
        /// The maximum length in characters.
        max: usize,
        form: TextForm,
    },
}

/// A reply to an offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The option at this position.
    Option(usize),
    /// The options at these positions, in order.
    Picks(Picks),
    Payment(Pieces),
    Number(i64),
    Text(String),
    /// No answer, on purpose or at the deadline.
    LeftOut,
    /// The barred option at this position.
    Barred(usize),
    /// An answer that is not legal.
    Unfit(Reason),
    /// The legal options at these positions, in order; the answer also named illegal ones.
    Partly(Picks, Reason),
}

impl<'a> Offer<'a> {
    /// Returns the offer of an owned question.
    pub(crate) fn owned(question: &'a Question, choice: Choice<'a>) -> Self {
        Self {
            seat: question.seat,
            key: &question.key,
            clause: question.clause.as_str(),
            suppose: &question.suppose,
            default: question.default.as_str(),
            choice,
            bars: &NO_BARS,
            tacit: question.tacit.as_deref(),
            in_case: None,
            plain: None,
        }
    }
}

impl Offer<'_> {
    /// Returns the owned question.
    pub fn question(&self) -> Question {
        let ids = |options: &dyn Options| (0..options.count()).map(|i| options.id(i)).collect();
        let shape = match self.choice {
            Choice::Option(options) => Shape::Choose {
                options: ids(options),
                barred: (0..self.bars.count()).map(|index| self.bars.bar(index).0).collect(),
            },
            Choice::Picks { options, min, max } => Shape::Pick { options: ids(options), min, max },
            Choice::Payment { cost, purse, limit } => {
                Shape::Pay { cost, purse: purse.to_vec(), limit }
            }
            Choice::Number { min, max } => Shape::Number { min, max },
            Choice::Text { max, form } => Shape::Text { max, form },
        };
        Question {
            seat: self.seat,
            key: self.key.clone(),
            clause: self.clause.into(),
            shape,
            suppose: self.suppose.clone(),
            default: self.default.into(),
            tacit: self.tacit.map(SmolStr::from),
        }
    }

    /// True if the question has a legal answer.
    pub(crate) fn has_options(&self) -> bool {
        match self.choice {
            Choice::Option(options) => options.count() > 0,
            Choice::Picks { max, .. } => max > 0,
            _ => true,
        }
    }

    /// True if the question has no option, legal or barred.
    pub(crate) fn is_empty(&self) -> bool {
        match self.choice {
            Choice::Option(options) => options.count() == 0 && self.bars.count() == 0,
            Choice::Picks { max, .. } => max == 0,
            _ => false,
        }
    }

    /// Parses an answer against the legal answers.
    pub fn read(&self, answer: &Answer) -> Reply {
        let Some(value) = answer.value() else { return Reply::LeftOut };
        match (self.choice, value) {
            (Choice::Option(options), Value::Choice(id)) => self.read_option(options, id),
            (Choice::Picks { options, max, .. }, Value::Picks(ids)) => {
                read_picks(options, max, ids)
            }
            (Choice::Payment { cost, purse, limit }, Value::Payment(pieces)) => {
                match read_payment(purse, pieces).and_then(|paid| {
                    check_payment(paid, cost, purse, limit)?;
                    Ok(paid)
                }) {
                    Ok(paid) => Reply::Payment(paid),
                    Err(reason) => Reply::Unfit(reason),
                }
            }
            (Choice::Number { min, max }, Value::Number(number)) => {
                if (min..=max).contains(number) {
                    Reply::Number(*number)
                } else {
                    Reply::Unfit(Reason::OutOfRange { min, max, input: *number })
                }
            }
            // The caller cuts a text that is too long.
            (Choice::Text { .. }, Value::Text(text)) => Reply::Text(text.clone()),
            _ => Reply::Unfit(Reason::Unfitting),
        }
    }

    /// Returns the value of a reply for a declaration, `None` if it has none.
    pub fn value(&self, reply: &Reply) -> Option<Value> {
        Some(match (self.choice, reply) {
            (Choice::Option(options), Reply::Option(index)) => Value::Choice(options.id(*index)),
            (Choice::Picks { options, .. }, Reply::Picks(picks)) => {
                Value::Picks(picks.iter().map(|&index| options.id(index)).collect())
            }
            (Choice::Payment { purse, .. }, Reply::Payment(pieces)) => {
                payment_value(purse, *pieces)
            }
            (_, Reply::Number(number)) => Value::Number(*number),
            (_, Reply::Text(text)) => Value::Text(text.clone()),
            _ => return None,
        })
    }

    fn read_option(&self, options: &dyn Options, id: &SmolStr) -> Reply {
        if let Some(index) = (0..options.count()).find(|&index| options.id(index) == *id) {
            return Reply::Option(index);
        }
        let barred = |index: &usize| self.bars.bar(*index).0 == *id;
        if let Some(index) = (0..self.bars.count()).find(barred) {
            return Reply::Barred(index);
        }
        Reply::Unfit(not_offered(options, std::slice::from_ref(id)))
    }
}

fn read_picks(options: &dyn Options, max: u8, ids: &[SmolStr]) -> Reply {
    let (mut picks, mut wrong) = (Picks::new(), Vec::new());
    for id in ids {
        // An option listed twice may be named twice, not three times.
        let free = |index: &usize| options.id(*index) == *id && !picks.contains(index);
        match (0..options.count()).find(free) {
            Some(index) => picks.push(index),
            None => wrong.push(id.clone()),
        }
    }
    if ids.len() > usize::from(max) {
        picks.truncate(max.into());
        return Reply::Partly(picks, out_of_range(0, usize::from(max), ids.len()));
    }
    match wrong.as_slice() {
        [] => Reply::Picks(picks),
        wrong => Reply::Partly(picks, not_offered(options, wrong)),
    }
}

fn not_offered(options: &dyn Options, input: &[SmolStr]) -> Reason {
    let mut offered: Vec<SmolStr> = (0..options.count()).map(|index| options.id(index)).collect();
    offered.dedup();
    Reason::NotOffered { input: input.to_vec(), offered }
}

fn out_of_range(min: usize, max: usize, input: usize) -> Reason {
    let bound = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    Reason::OutOfRange { min: bound(min), max: bound(max), input: bound(input) }
}

fn read_payment(purse: &[Denomination], pieces: &[(SmolStr, u8)]) -> Result<Pieces, Reason> {
    let mut paid = Pieces::default();
    for (id, count) in pieces {
        let Some(index) = purse.iter().position(|denomination| denomination.id == *id) else {
            return Err(Reason::NotHeld { piece: id.clone(), held: 0 });
        };
        paid[index] = paid[index].saturating_add(*count);
    }
    Ok(paid)
}

/// Returns the total worth of the pieces.
pub fn worth(purse: &[Denomination], pieces: Pieces) -> u32 {
    purse.iter().zip(pieces).map(|(denomination, n)| denomination.worth * u32::from(n)).sum()
}

fn check_payment(
    paid: Pieces,
    cost: Option<u32>,
    purse: &[Denomination],
    limit: Option<u8>,
) -> Result<(), Reason> {
    for (denomination, count) in purse.iter().zip(paid) {
        if count > denomination.count {
            let piece = denomination.id.clone();
            return Err(Reason::NotHeld { piece, held: denomination.count });
        }
    }
    let count = paid.iter().fold(0_u8, |sum, &n| sum.saturating_add(n));
    if let Some(limit) = limit.filter(|&limit| count > limit) {
        return Err(Reason::TooMany { limit, count });
    }
    match cost {
        Some(cost) if worth(purse, paid) < cost => {
            Err(Reason::TooLittle { cost, paid: worth(purse, paid) })
        }
        _ => Ok(()),
    }
}

/// Returns the payment as an answer names it.
pub(crate) fn payment_value(purse: &[Denomination], pieces: Pieces) -> Value {
    let named = purse.iter().zip(pieces).filter(|(_, count)| *count > 0);
    Value::Payment(named.map(|(denomination, count)| (denomination.id.clone(), count)).collect())
}

/// Returns the largest pieces first until they cover the cost, even if they overpay. Pieces of equal worth
/// follow the order of the purse. `None` if the purse cannot cover the cost within the limit.
pub fn largest_first(cost: u32, purse: &[Denomination], limit: Option<u8>) -> Option<Pieces> {
    let mut order: ArrayVec<usize, MAX_DENOMINATIONS> = (0..purse.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(purse[index].worth));
    let mut pieces = Pieces::default();
    let mut left = limit.unwrap_or(u8::MAX);
    let mut open = cost;
    for index in order {
        while open > 0 && pieces[index] < purse[index].count {
            left = left.checked_sub(1)?;
            pieces[index] += 1;
            open = open.saturating_sub(purse[index].worth);
        }
    }
    (open == 0).then_some(pieces)
}

/// Returns the largest sum that the purse covers within the limit of pieces.
pub fn most(purse: &[Denomination], limit: Option<u8>) -> u32 {
    let mut order: ArrayVec<&Denomination, MAX_DENOMINATIONS> = purse.iter().collect();
    order.sort_by_key(|denomination| std::cmp::Reverse(denomination.worth));
    let mut left = limit.unwrap_or(u8::MAX);
    let mut sum = 0;
    for denomination in order {
        let count = denomination.count.min(left);
        left -= count;
        sum += denomination.worth * u32::from(count);
    }
    sum
}

/// Returns the pieces a payment can do without, largest first. Pieces of equal worth follow the order of the
/// purse.
pub(crate) fn spare(cost: u32, purse: &[Denomination], mut paid: Pieces) -> Pieces {
    let mut spare = Pieces::default();
    let mut order: ArrayVec<usize, MAX_DENOMINATIONS> = (0..purse.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(purse[index].worth));
    for index in order {
        while paid[index] > 0 && worth(purse, paid) - purse[index].worth >= cost {
            paid[index] -= 1;
            spare[index] += 1;
        }
    }
    spare
}

#[cfg(test)]
mod tests {
    use super::*;

    fn purse(small: u8, medium: u8, large: u8) -> [Denomination; 3] {
        [("small", 1, small), ("medium", 2, medium), ("large", 3, large)]
            .map(|(id, worth, count)| Denomination { id: SmolStr::new_static(id), worth, count })
    }

    #[test]
    fn the_largest_go_first_and_may_overpay() {
        assert_eq!(largest_first(4, &purse(5, 2, 2), None), Some([0, 0, 2, 0]));
        assert_eq!(largest_first(7, &purse(5, 2, 1), Some(5)), Some([0, 2, 1, 0]));
        assert_eq!(largest_first(6, &purse(6, 0, 0), Some(5)), None);
        assert_eq!(largest_first(4, &purse(1, 1, 0), None), None);
        assert_eq!(most(&purse(6, 1, 1), Some(5)), 8);
    }

    #[test]
    fn pieces_of_equal_worth_go_as_they_lie_in_the_purse() {
        let coin = |id: &str, worth| Denomination { id: id.into(), worth, count: 1 };
        let purse = [coin("copper", 1), coin("false", 2), coin("true", 2)];
        assert_eq!(largest_first(2, &purse, None), Some([0, 1, 0, 0]));
        assert_eq!(largest_first(4, &purse, None), Some([0, 1, 1, 0]));
        assert_eq!(spare(2, &purse, [1, 1, 1, 0]), [1, 1, 0, 0]);
    }

    #[test]
    fn what_a_fallen_cost_spares_is_the_largest_first() {
        assert_eq!(spare(4, &purse(1, 0, 2), [1, 0, 2, 0]), [0, 0, 1, 0]);
        assert_eq!(spare(4, &purse(5, 0, 0), [5, 0, 0, 0]), [1, 0, 0, 0]);
        assert_eq!(spare(4, &purse(0, 1, 1), [0, 1, 1, 0]), [0, 0, 0, 0]);
    }
}
