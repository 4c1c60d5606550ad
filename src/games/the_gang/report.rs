//! The state of ザ・ギャング as its letters show it.

use serde_json::{Value as Json, json};

use super::edition::EDITION;
use super::extra_cards::{Challenge, Specialist};
use super::showdown;
use super::state::{Player, State, Street, WindowStage};
use rules::Seat;

/// Reports a state that is filtered for its viewer.
pub(super) fn report(seen: &State) -> Json {
    let asked = seen.asked();
    let players: Vec<Json> = seen
        .players
        .iter()
        .map(|(seat, player)| report_player(seen, seat, player, asked[seat]))
        .collect();
    let won = seen.vaults >= EDITION.goals.vaults;
    let over = seen.stage == WindowStage::Over;
    json!({
        "heist": seen.heist,
        "street": seen.street,
        "stage": report_stage(seen),
        "options": seen.options,
        "vaults": { "gold": seen.vaults, "needed": EDITION.goals.vaults },
        "alarms": { "red": seen.alarms, "most": seen.most_alarms() },
        "effect": report_effect(seen),
        "board": seen.board,
        "middle": seen.middle(),
        "deals": is_behind_a_deal(seen),
        "chips": matches!(seen.stage, WindowStage::Wishing { .. } | WindowStage::Taking),
        "players": players,
        "proposal": report_proposal(seen),
        "showdown": seen.showdown,
        "guesses": seen.guesses,
        "over": over,
        "won": over.then_some(won),
    })
}

/// True if the window is the first after a deal: its letter explains the cards in effect for the heist. With
/// Quick Access that is round 2 (G5.1), with the Coordinator the window in which cards are passed (G6.6).
fn is_behind_a_deal(seen: &State) -> bool {
    let quick = seen.challenges.contains(&Challenge::QuickAccess);
    let opens = seen.board.is_empty() || quick && seen.street == Street::Flop;
    let passed = seen.specialist.is_some_and(|hired| hired.card == Specialist::Coordinator);
    opens
        && match seen.stage {
            WindowStage::Passing => true,
            WindowStage::Wishing { pass } => pass == 1 && !passed,
            WindowStage::Taking | WindowStage::Over => !passed,
            WindowStage::Interrupted { .. }
            | WindowStage::Choosing { .. }
            | WindowStage::Guessing { .. } => false,
        }
}

fn report_stage(seen: &State) -> Json {
    let (kind, pass, about, seat) = match seen.stage {
        WindowStage::Wishing { pass } => ("wishing", Some(pass), None, None),
        WindowStage::Taking => ("taking", None, None, None),
        WindowStage::Passing => ("passing", None, None, None),
        WindowStage::Interrupted { seat, .. } => ("interrupted", None, None, Some(seat)),
        WindowStage::Choosing { seat, .. } => ("choosing", None, None, Some(seat)),
        WindowStage::Guessing { about } => ("guessing", None, Some(about), seen.shown_last()),
        WindowStage::Over => ("over", None, None, None),
    };
    let passes = seen.options.passes.get();
    json!({ "kind": kind, "pass": pass, "passes": passes, "about": about, "seat": seat })
}

fn report_effect(seen: &State) -> Vec<Json> {
    let challenges = seen.challenges.iter().map(|&card| {
        let permanent = seen.permanent == Some(card);
        json!({
            "id": card,
            "kind": "challenge",
            "number": card.index() + 1,
            "permanent": permanent,
            "used": false,
            "user": null,
        })
    });
    let specialist = seen.specialist.map(|hired| {
        json!({
            "id": hired.card,
            "kind": "specialist",
            "number": hired.card.index() + 1,
            "permanent": false,
            // A specialist whose question is open is still in use.
            "used": hired.used && seen.stage != WindowStage::Passing,
            "user": hired.user,
        })
    });
    challenges.chain(specialist).collect()
}

fn report_proposal(seen: &State) -> Json {
    let card = seen.specialist.map(|hired| hired.card);
    seen.proposal.as_ref().map_or(Json::Null, |proposal| {
        json!({
            "by": proposal.by,
            "card": card,
            "user": proposal.user,
            "on": proposal.on,
            "value": proposal.value,
            "agreed": proposal.agreed,
        })
    })
}

fn report_player(seen: &State, seat: Seat, player: &Player, asked: bool) -> Json {
    let chip = |street: Street| player.chips[street.index()];
    let is_known = !player.pocket.is_empty() && player.pocket.iter().all(Option::is_some);
    let hand = is_known.then(|| {
        let strength = seen.hand(seat).strength();
        json!({
            "ranking": strength.ranking(),
            "made": strength.made(),
            "kickers": strength.kickers(),
        })
    });
    let agreed = seen.proposal.as_ref().is_some_and(|proposal| proposal.agreed.contains(&seat));
    json!({
        "seat": seat,
        "chips": {
            "white": chip(Street::PreFlop),
            "yellow": chip(Street::Flop),
            "orange": chip(Street::Turn),
            "red": chip(Street::River),
        },
        "held": seen.held(seat),
        "wishes": player.wishes[seen.street.index()],
        "fixed": player.fixed,
        "ok": player.ok,
        "moves_left": seen.options.moves.get().saturating_sub(player.moves),
        "agreed": agreed,
        "guess": player.guess,
        "pocket": player.pocket,
        "informed": player.informed.map(|(seat, card)| json!({ "seat": seat, "card": card })),
        "shown": player.shown,
        "hand": hand,
        "muscle": showdown::is_muscle(seen, seat),
        "asked": asked,
    })
}
