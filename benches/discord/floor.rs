//! The cost of the fake Discord alone: a bot in this process that only answers.

use discord::gateway::Heard;
use discord::{Api, BotToken, Gateway};
use serde_json::json;
use serenity::all::Interaction;
use tokio::sync::watch;

use crate::answers::{press_on, tell};
use crate::{Arguments, Done, discord};
use double::Locale;

/// Acts at the given rate against a bot that answers immediately.
pub(crate) async fn measure(arguments: &Arguments) -> Done {
    let discord = discord();
    let token =
        BotToken::parse(&discord.token(), "the double").map_err(|fault| fault.to_string())?;
    let api = Api::new(&discord.address(), &token)?;
    let command = json!({ "name": "floor", "description": "nothing", "type": 1 });
    let application = discord.application().into();
    api.put_commands(application, None, &[command]).await?;
    let (stop, stopped) = watch::channel(false);
    let gateway = tokio::spawn(Gateway::new(api.clone()).run(
        move |heard| {
            let api = api.clone();
            async move {
                if let Heard::Interaction(interaction) = heard {
                    answer(&api, *interaction).await;
                }
            }
        },
        stopped,
    ));
    discord.is_connected().await;
    let person = discord.person("somebody", Locale::En);
    let asked = press_on(arguments, |_| {
        let act = person.command("floor");
        async move {
            act.done().await;
        }
    })
    .await;
    tell("floor", &discord, 0, asked)?;
    stop.send(true)?;
    gateway.await??;
    Ok(())
}

async fn answer(api: &Api, interaction: Interaction) {
    let Interaction::Command(heard) = interaction else { return };
    let later = json!({ "type": 5, "data": { "flags": 64 } });
    let done = json!({ "content": "done" });
    if api.respond(heard.id, &heard.token, &later, Vec::new()).await.is_ok() {
        let _ = api.edit_original(heard.application_id, &heard.token, &done, Vec::new()).await;
    }
}
