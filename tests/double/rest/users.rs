//! The bot's user, other users, and the URL of the gateway.

use serde_json::{Value, json};

use super::{Answered, Call, id};
use crate::{
    refusal::Refusal,
    state::{State, id_of, said},
};

/// `/gateway` and `/gateway/bot`.
pub(super) fn gateway(state: &State, rest: &[&str]) -> Answered {
    let url = state.gateway_url();
    match rest {
        [] => Ok((200, json!({ "url": url }))),
        ["bot"] => Ok((
            200,
            json!({
                "url": url, "shards": state.settings.shards,
                "session_start_limit": {
                    "total": 1000, "remaining": 1000 - state.gateway.identified.min(1000),
                    "reset_after": 86_400_000, "max_concurrency": 1,
                },
            }),
        )),
        _ => Err(Refusal::not_found()),
    }
}

/// `/applications/@me` and `/oauth2/applications/@me`.
pub(super) fn application(state: &State) -> Value {
    let owner = state.guild.owner;
    let owner = json!({
        "id": said(owner), "username": "owner", "discriminator": "0", "global_name": "owner",
        "avatar": null, "public_flags": 0, "flags": 0, "primary_guild": null,
    });
    json!({
            "id": said(state.application), "name": "Shimekiri", "icon": null, "description": "",
            "type": null, "summary": "", "verify_key": "0".repeat(64), "flags": 0, "flags_new": "0",
            "bot_public": true, "bot_require_code_grant": false, "hook": true,
            "is_monetized": false, "is_verified": false, "is_discoverable": false,
            "storefront_available": false, "rpc_origins": [],
            "redirect_uris": [], "interactions_endpoint_url": null,
            "role_connections_verification_url": null, "owner": owner, "bot": state.bot_user(),
            "approximate_guild_count": 1, "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0, "explicit_content_filter": 0,
            "team": null, "eligible_oauth2_scopes": [],
    })
}

/// `/users`.
pub(super) fn handle(state: &mut State, call: &Call, rest: &[&str]) -> Answered {
    match (call.route.method(), rest) {
        ("GET", ["@me"]) => {
            let mut me = state.bot_user();
            me["mfa_enabled"] = json!(false);
            me["locale"] = json!("en-US");
            me["verified"] = json!(true);
            me["email"] = Value::Null;
            Ok((200, me))
        }
        ("GET", ["@me", "guilds"]) => {
            let may = state.guild.everyone | state.guild.bot;
            let guild = json!({
                "id": said(state.guild.id), "name": "Shimekiri", "icon": null, "banner": null,
                "owner": false, "permissions": may.bits().to_string(), "features": [],
            });
            let here = if state.guild.without_bot { json!([]) } else { json!([guild]) };
            Ok((200, here))
        }
        ("POST", ["@me", "channels"]) => {
            let with = id_of(&call.body["recipient_id"]).filter(|id| state.people.contains_key(id));
            let with = with.ok_or_else(Refusal::invalid_recipients)?;
            let channel = state.private_channel(with);
            Ok((200, state.channel_object(channel)))
        }
        ("GET", [user]) => {
            let user = state.user(id(user)?).ok_or_else(Refusal::unknown_user)?;
            Ok((200, user))
        }
        _ => Err(Refusal::not_found()),
    }
}
