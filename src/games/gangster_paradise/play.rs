//! What ギャングスターパラダイス adds to its rules to be played in this house.

use serde_json::{Value as Json, json};

use super::board;
use super::chain::{AnnouncedAct, PrivateChoice};
use super::options::{Games, Legends, MaxRounds};
use super::policies::{House, Shooter};
use super::state::{GangsterParadise, Player, State, WindowStage};
use crate::games::canvas::Canvas;
use crate::games::playable::{CardsBefore, GameOption, MakePolicy, Playable};
use crate::games::switch::Switch;
use crate::rules::{Piece, Seat};

impl Playable for GangsterParadise {
    const POLICIES: &'static [(&'static str, MakePolicy<Self>)] =
        &[("shooter", |_| Box::new(Shooter)), ("house", |_| Box::<House>::default())];
    const OPTIONS: &'static [GameOption] = &[
        GameOption { key: "legends", clause: "P1.2", values: Legends::VALUES },
        GameOption { key: "unused_to_deck", clause: "P1.2", values: Switch::VALUES },
        GameOption { key: "max_rounds", clause: "P2.4", values: MaxRounds::VALUES },
        GameOption { key: "tournament_rules", clause: "P2.5", values: Switch::VALUES },
        GameOption { key: "undertaker_after_doctor", clause: "P6.3", values: &["missed", "picks"] },
        GameOption { key: "exposure_in_round_1", clause: "P6.8", values: Switch::VALUES },
        GameOption { key: "games", clause: "P8.1", values: Games::VALUES },
        GameOption { key: "betrayal_with_four", clause: "P9.7", values: &["all", "colours"] },
        GameOption { key: "reactions", clause: "P9.11", values: &["window", "harm", "orders"] },
    ];

    fn report(seen: &State) -> Json {
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

    fn board(canvas: &Canvas<'_>) -> Result<Json, serde_json::Error> {
        board::board(canvas)
    }

    fn cards_before(seen: &State, seat: Seat) -> CardsBefore {
        let mut held: Vec<_> = seen.players[seat].cards().map(|card| card.id()).collect();
        held.dedup();
        let mut on_table: Vec<_> = seen.field.iter().map(Piece::id).collect();
        on_table.dedup();
        CardsBefore { held, on_table }
    }
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
    json!({ "kind": kind, "choice": choice.map(report_choice) })
}

fn report_choice(choice: &PrivateChoice) -> Json {
    let PrivateChoice { of, on, what, count, seen } = choice;
    json!({ "of": of, "on": on, "what": what, "count": count, "seen": seen })
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
    let cards: Vec<_> = player.hand.iter().map(|held| held.card).collect();
    let shown: Vec<_> =
        player.hand.iter().filter(|held| held.shown).filter_map(|held| held.card).collect();
    json!({
        "seat": seat,
        "hand": cards,
        "shown": shown,
        "front": player.front,
        "lost": player.lost,
        "alive": player.is_alive(),
        "revealed": player.revealed,
        "points": player.points,
        "asked": asked,
    })
}
