//! The state of ギャングスターパラダイス as its letters show it.

use serde_json::{Value as Json, json};

use super::chain::AnnouncedAct;
use super::state::{Player, State, WindowStage};
use rules::Seat;

/// Reports a state that is filtered for its viewer.
pub(super) fn report(seen: &State) -> Json {
    let asked = seen.asked();
    let players = seen.players.iter();
    let players: Vec<Json> =
        players.map(|(seat, player)| report_player(seat, player, asked[seat])).collect();
    let proposals: Vec<Json> = seen
        .turn
        .proposals
        .iter()
        .map(|proposal| {
            let trade = &proposal.trade;
            json!({ "on": trade.partner, "gives": trade.gives, "wants": proposal.wants })
        })
        .collect();
    json!({
        "game": seen.game,
        "games": seen.options.games,
        "round": seen.round,
        "rounds": seen.options.max_rounds,
        "truce": seen.is_truce(),
        "active": seen.active,
        "actions": seen.turn.actions,
        "stage": report_stage(&seen.stage),
        "options": seen.options,
        "act": seen.chain.as_ref().map(|chain| report_act(&chain.act)),
        "deck": seen.deck.len(),
        "top": seen.deck.last(),
        "field": seen.field,
        "players": players,
        "proposals": proposals,
        "request": seen.turn.request,
        "no_trades": seen.turn.no_trades,
        "winners": seen.winners,
        "over": seen.stage == WindowStage::Over,
    })
}

fn report_stage(stage: &WindowStage) -> Json {
    let (kind, choice) = match stage {
        WindowStage::Opening => ("opening", None),
        WindowStage::Turn => ("turn", None),
        WindowStage::Settled => ("settled", None),
        WindowStage::Reaction => ("reaction", None),
        WindowStage::Choice(choice) => ("choice", Some(choice)),
        WindowStage::Won => ("won", None),
        WindowStage::Over => ("over", None),
    };
    json!({ "kind": kind, "choice": choice })
}

fn report_act(act: &AnnouncedAct) -> Json {
    let trade = act.trade.as_ref();
    json!({
        "by": act.by,
        "card": act.card,
        "way": act.way,
        "on": act.on.or(trade.map(|trade| trade.partner)),
        "shots": act.shots,
        "item": act.item,
        "gives": trade.map(|trade| &trade.gives),
        "gets": trade.map(|trade| &trade.gets),
    })
}

fn report_player(seat: Seat, player: &Player, asked: bool) -> Json {
    json!({
        "seat": seat,
        "hand": player.hand,
        "shown": player.known.by_all(),
        "front": player.front,
        "lost": player.lost,
        "alive": player.is_alive(),
        "revealed": player.revealed,
        "points": player.points,
        "asked": asked,
    })
}
