//! The additions to the rules of えいつく that this program needs to play it.

use serde_json::Value as Json;
use smol_str::SmolStr;

use super::policies::{Greedy, House};
use super::state::{Eitsuku, State};
use super::{board, report};
use crate::canvas::Canvas;
use crate::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use crate::switch::Switch;
use rules::{Piece, Seat};

impl Playable for Eitsuku {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] = &[
        ("greedy", |_| Box::<Greedy>::default()),
        ("house", |chance| Box::new(House::new(chance))),
    ];
    const OPTIONS: &'static [GameOption] = &[
        GameOption::new("hands", "E2.5", &["closed", "open"]),
        GameOption::new("early", "E2.3", Switch::VALUES),
        GameOption::new("skip", "E4.1", Switch::VALUES),
    ];

    fn report(seen: &State) -> Json {
        report::report(seen)
    }

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let player = &seen.players[seat];
        let mut held: Vec<SmolStr> = player.event_cards().iter().map(Piece::id).collect();
        held.extend(player.role_cards().iter().map(Piece::id));
        held.dedup();
        // E3.9: a released player's events affect nobody.
        let active = seen.players.iter().filter(|(seat, _)| seen.is_active(*seat));
        let laid = active.flat_map(|(_, player)| &player.laid).map(|laid| laid.card.id());
        let mut on_table: Vec<SmolStr> = Vec::new();
        for id in laid {
            if !held.contains(&id) && !on_table.contains(&id) {
                on_table.push(id);
            }
        }
        CardsBefore { held, on_table }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eitsuku::cards::{Budget, Role};
    use crate::eitsuku::edition::EDITION;
    use crate::playable::GameFiles;

    #[test]
    fn a_card_tells_what_it_costs() {
        let tells = |id: &str, cost: u32| {
            let card = Eitsuku::cards().of(id).expect("every card has a text");
            let said = card.text(rules::text::Lang::En);
            assert!(said.contains(&format!(" {cost}")), "{id}: {said}");
        };
        for role in Role::all() {
            // E3.3
            tells(role.word(), u32::from(role.number) + EDITION.set.cost_above_number);
        }
        for budget in Budget::ALL {
            tells(&budget.id(), EDITION.worth[*budget].into());
        }
    }
}
