//! E3.6 and E3.7: the scout phase. Draw a role, or gather budget.

use arrayvec::ArrayVec;
use smol_str::SmolStr;

use super::cards::{Budget, Budgets, EventCard};
use super::edition::EDITION;
use super::grant::{self, Grant};
use super::happening::Happening;
use super::state::{Referee, State};
use rules::ask::most;
use rules::{Ask, Bar, Key, Piece, Play, Seat};

/// A choice of the scout phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoutChoice {
    /// 4A
    DrawRole,
    /// 4B, 4C, 4D
    Take(Budget),
}

impl Piece for ScoutChoice {
    fn id(&self) -> SmolStr {
        SmolStr::new_static(match self {
            Self::DrawRole => "4A",
            Self::Take(Budget::Small) => "4B",
            Self::Take(Budget::Medium) => "4C",
            Self::Take(Budget::Large) => "4D",
        })
    }
}

/// Resolves phase 4, after `used` budget cards in the set phase (E3.7).
pub(super) fn scout(
    state: &mut State,
    seat: Seat,
    used: u8,
    referee: &mut Referee<'_>,
) -> Play<()> {
    // E5.8: 地元の協力 allows a second action.
    let granted = Grant { section: "4", by: EventCard::Local, clause: "E5.8" };
    grant::act(&granted, state, seat, used, referee, scout_once).map(drop)
}

/// E3.6: resolves exactly one of 4A to 4D. Returns the number of budget cards used, `None` if nothing was
/// done.
fn scout_once(
    state: &mut State,
    seat: Seat,
    part: &Key,
    used: u8,
    referee: &mut Referee<'_>,
) -> Play<Option<u8>> {
    referee.cite("E3.6");
    let limit = EDITION.set.pieces_a_turn - used;
    let purse = state.players[seat].budgets.purse();
    let mut options: ArrayVec<ScoutChoice, 4> = ArrayVec::new();
    let mut bars: ArrayVec<Bar<ScoutChoice>, 4> = ArrayVec::new();
    if state.families().is_empty() {
        bars.push(Bar { option: ScoutChoice::DrawRole, why: "deck-empty", clause: "E3.6" });
    } else {
        options.push(ScoutChoice::DrawRole);
    }
    let most = most(&purse, Some(limit));
    for &budget in Budget::ALL {
        let option = ScoutChoice::Take(budget);
        if state.supply[budget] == 0 {
            bars.push(Bar { option, why: "supply-empty", clause: "E3.6" });
        } else if price(budget) > state.players[seat].budgets.worth() {
            bars.push(Bar { option, why: "unaffordable", clause: "E4.4" });
        } else if price(budget) > most {
            bars.push(Bar { option, why: "five-cards", clause: "E3.7" });
        } else {
            options.push(option);
        }
    }
    let ask = Ask::new(part.named("scout"), "E3.6");
    let ask = if part.number == 1 { ask } else { ask.or_nothing() };
    match referee.choose_barring(seat, &ask, &options, &bars)? {
        Some(ScoutChoice::DrawRole) => {
            let ask = Ask::new(part.named("family"), "E3.6");
            let Some(family) = referee.choose(seat, &ask, &state.families())? else {
                return Ok(None);
            };
            let card = state.draw_role(seat, family).flatten();
            referee.tell(Happening::DrewRole { seat, family, card });
            Ok(Some(0))
        }
        Some(ScoutChoice::Take(budget)) => {
            let mut put = Budgets::default();
            if price(budget) > 0 {
                let ask = Ask::new(part.named("pay"), "E3.6").within("E3.7");
                let paid = referee.pay(seat, &ask, Some(price(budget)), &purse, Some(limit))?;
                let Some(paid) = paid else { return Ok(None) };
                put = Budgets::from_pieces(paid);
                referee.cite("E3.7");
            }
            referee.stands(part)?;
            let player = &mut state.players[seat];
            player.budgets.subtract(put);
            player.put.add(put);
            state.take_budget(seat, budget);
            referee.tell(Happening::Took { seat, budget, put });
            Ok(Some(put.count()))
        }
        None => Ok(None),
    }
}

/// E3.6: the worth to put on the field for a budget card.
fn price(budget: Budget) -> u32 {
    match budget {
        Budget::Small => 0,
        Budget::Medium => EDITION.scout.medium,
        Budget::Large => EDITION.scout.large,
    }
}
