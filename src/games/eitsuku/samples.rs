//! Samples of what happens, for the check of the letters.

use arrayvec::ArrayVec;

use super::cards::{Budget, Budgets, EventCard, Family, HandCard, Role, Slot};
use super::happening::Happening;
use super::state::{Kind, Placed, Score};
use crate::rules::Seat;

/// One fact of each kind, with everything in it that can be in it.
pub(super) fn samples() -> Vec<Happening> {
    let (seat, owner) = (Seat::new(0), Seat::new(1));
    let budgets = Budgets { small: 1, medium: 2, large: 0 };
    let role = Role { family: Family::Actor, number: 5 };
    let placed = Some(Placed { number: 3, promoter: Some(owner) });
    let events = ArrayVec::from_iter([Some(EventCard::Strike), None]);
    let score = |seat, rank, film, adjusted| Score {
        seat,
        rank,
        film,
        a: 15,
        b: 30,
        c: -5,
        d: 10,
        adjusted,
        total: 50 + adjusted,
    };
    let (card, slot) = (EventCard::Promoter, Some(Slot::Lead));
    vec![
        Happening::Dealt { seat, budgets, events: events.clone() },
        Happening::Threw { seat, die: 3, family: Some(Family::Writer) },
        Happening::Threw { seat, die: 6, family: None },
        Happening::DealtRole { seat, family: Family::Writer, card: Some(role) },
        Happening::DealtRole { seat, family: Family::Writer, card: None },
        Happening::ThrewForOrder { seat, die: 4 },
        Happening::Ordered { order: [owner, seat].into_iter().collect() },
        Happening::TurnBegan { turn: 2 },
        Happening::Income { seat, budget: Some(Budget::Small) },
        Happening::Income { seat, budget: None },
        Happening::Struck { seat, owner, slot, destroyed: placed, paid: Budgets::default() },
        Happening::Struck { seat, owner, slot: None, destroyed: None, paid: budgets },
        Happening::Struck { seat, owner, slot: None, destroyed: None, paid: Budgets::default() },
        Happening::Spent { seat, card: EventCard::Strike },
        Happening::Turned { seat, owner, card, slot },
        Happening::Turned { seat, owner, card: EventCard::Strike, slot: None },
        Happening::Laid { seat, card, owner: Some(owner), slot, number: Some(6), replaced: placed },
        Happening::Laid {
            seat,
            card: EventCard::TieIn,
            owner: None,
            slot: None,
            number: None,
            replaced: None,
        },
        Happening::DrewEvents { seat, cards: events },
        Happening::PlacedRole { seat, role, slot: Slot::Lead, paid: budgets, replaced: placed },
        Happening::PlacedRole { seat, role, slot: Slot::Lead, paid: budgets, replaced: None },
        Happening::DrewRole { seat, family: Family::Actor, card: Some(role) },
        Happening::DrewRole { seat, family: Family::Actor, card: None },
        Happening::Took { seat, budget: Budget::Medium, put: budgets },
        Happening::Took { seat, budget: Budget::Small, put: Budgets::default() },
        Happening::PutBack {
            seat,
            of: Kind::Roles,
            cards: [Some(HandCard::Role(role)), None].into_iter().collect(),
        },
        Happening::TookBack { seat, budgets },
        Happening::Roleplay { seat, text: "「撮影終了！」".into() },
        Happening::Released { seat, turn: 7, title: Some("夜明けの役者".into()) },
        Happening::Released { seat, turn: 7, title: None },
        Happening::Scored {
            scores: [score(seat, 1, true, 0), score(owner, 2, false, 0)].into_iter().collect(),
        },
        Happening::Scored { scores: [score(seat, 1, true, -3)].into_iter().collect() },
    ]
}
