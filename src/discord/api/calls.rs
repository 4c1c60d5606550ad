//! The requests of the bot to Discord, each a function.
//!
//! Bodies are anything that serialises: serenity's builders, or plain JSON. Responses that are only read are
//! deserialised into the caller's type.

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serenity::http::{LightMethod, Route};
use serenity::model::id::{ApplicationId, ChannelId, GuildId, InteractionId, MessageId, UserId};

use crate::api::limits::locked;
use crate::api::{
    ApiCall, Attachment, OpenedChannel, PostedMessage, Refusal, RepeatIfDoubtful, Result,
};
use crate::{Api, SendError};

/// The maximum number of direct conversations in the cache; a full cache is cleared.
const CONVERSATIONS: usize = 10_000;

impl Api {
    /// Gets something that Discord knows.
    pub async fn get<T: DeserializeOwned>(&self, route: Route<'_>) -> Result<T> {
        self.ask(&ApiCall::new(LightMethod::Get, route)).await
    }

    /// Posts a message. A request of doubtful outcome is retried if the message has a `nonce` and
    /// `enforce_nonce`: then Discord posts it only once, for some minutes.
    pub async fn post(
        &self,
        channel_id: ChannelId,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage> {
        let call = ApiCall::new(LightMethod::Post, Route::ChannelMessages { channel_id });
        let (call, once) = call.with_message(message, files)?;
        self.ask(&call.again(if once { RepeatIfDoubtful::Yes } else { RepeatIfDoubtful::No })).await
    }

    /// Edits a message.
    pub async fn edit(
        &self,
        channel_id: ChannelId,
        message_id: MessageId,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage> {
        let route = Route::ChannelMessage { channel_id, message_id };
        let (call, _) = ApiCall::new(LightMethod::Patch, route).with_message(message, files)?;
        self.ask(&call).await
    }

    /// Returns at most `limit` messages of a channel (up to 100), the latest first; with `after`, the first
    /// ones after that message.
    pub async fn messages<T: DeserializeOwned>(
        &self,
        channel_id: ChannelId,
        after: Option<MessageId>,
        limit: u8,
    ) -> Result<Vec<T>> {
        let mut params = vec![("limit", limit.to_string())];
        params.extend(after.map(|after| ("after", after.to_string())));
        let mut call = ApiCall::new(LightMethod::Get, Route::ChannelMessages { channel_id });
        call.request = call.request.params(Some(params));
        self.ask(&call).await
    }

    /// Deletes a message. A message that is already gone counts as deleted, as a retry may find it gone.
    pub async fn delete(&self, channel_id: ChannelId, message_id: MessageId) -> Result<()> {
        let route = Route::ChannelMessage { channel_id, message_id };
        match self.tell(&ApiCall::new(LightMethod::Delete, route)).await {
            Err(unsent) if unsent.is(Refusal::UnknownMessage) => Ok(()),
            done => done,
        }
    }
}

/// Channels, threads and conversations.
impl Api {
    /// Edits a channel or a thread, for example to unarchive it.
    pub async fn edit_channel(&self, channel_id: ChannelId, change: &impl Serialize) -> Result<()> {
        let call = ApiCall::new(LightMethod::Patch, Route::Channel { channel_id });
        self.tell(&call.with(change)?).await
    }

    /// Creates a thread without a starting message.
    pub async fn thread(
        &self,
        channel_id: ChannelId,
        thread: &impl Serialize,
    ) -> Result<OpenedChannel> {
        let call = ApiCall::new(LightMethod::Post, Route::ChannelThreads { channel_id });
        self.ask(&call.with(thread)?).await
    }

    /// Adds a user to a thread.
    pub async fn add_to_thread(&self, channel_id: ChannelId, user_id: UserId) -> Result<()> {
        let route = Route::ChannelThreadMember { channel_id, user_id };
        self.tell(&ApiCall::new(LightMethod::Put, route)).await
    }

    /// Opens the direct conversation with a user. Its id is cached, since Discord slows down bots that open
    /// many, and each request counts against the rate limit.
    pub async fn direct(&self, user_id: UserId) -> Result<ChannelId> {
        if let Some(known) = locked(&self.0.direct).get(&user_id) {
            return Ok(*known);
        }
        let call =
            ApiCall::new(LightMethod::Post, Route::UserMeDmChannels).again(RepeatIfDoubtful::Yes);
        let opened: OpenedChannel =
            self.ask(&call.with(&serde_json::json!({ "recipient_id": user_id }))?).await?;
        let mut direct = locked(&self.0.direct);
        if direct.len() >= CONVERSATIONS {
            direct.clear();
        }
        direct.insert(user_id, opened.id);
        Ok(opened.id)
    }
}

/// Answers to interactions.
impl Api {
    /// Sends the first response to an interaction, within
    /// [`ApiSettings::callback`](crate::api::ApiSettings::callback).
    pub async fn respond(
        &self,
        interaction_id: InteractionId,
        token: &str,
        response: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<()> {
        let route = Route::InteractionResponse { interaction_id, token };
        let call = ApiCall::new(LightMethod::Post, route).again(RepeatIfDoubtful::Yes);
        let (call, _) = call.with_message(response, files)?;
        let late =
            |_| SendError::Unreachable { what: format!("{}: too late", call.rate_limit_key.route) };
        let responded = tokio::time::timeout(self.0.settings.callback, self.tell(&call)).await;
        responded.map_err(late)?
    }

    /// Edits the first response to an interaction, or creates it if the interaction was only deferred.
    pub async fn edit_original(
        &self,
        application_id: ApplicationId,
        token: &str,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage> {
        let route = Route::WebhookOriginalInteractionResponse { application_id, token };
        let (call, _) = ApiCall::new(LightMethod::Patch, route).with_message(message, files)?;
        self.ask(&call).await
    }

    /// Sends a further message in response to an interaction.
    pub async fn follow_up(
        &self,
        application_id: ApplicationId,
        token: &str,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage> {
        let route = Route::WebhookFollowupMessages { application_id, token };
        let (call, _) = ApiCall::new(LightMethod::Post, route).with_message(message, files)?;
        self.ask(&call).await
    }
}

/// The bot itself, its commands and its servers.
impl Api {
    /// Replaces all commands of an application, globally or in one server.
    pub async fn put_commands(
        &self,
        application_id: ApplicationId,
        guild: Option<GuildId>,
        list: &impl Serialize,
    ) -> Result<()> {
        let call =
            ApiCall::new(LightMethod::Put, route_of_commands(application_id, guild)).with(list)?;
        self.ask::<IgnoredAny>(&call).await.map(drop)
    }
}

/// Returns the route of an application's commands, globally or in one server.
pub(crate) fn route_of_commands(
    application_id: ApplicationId,
    guild: Option<GuildId>,
) -> Route<'static> {
    match guild {
        None => Route::Commands { application_id },
        Some(guild_id) => Route::GuildCommands { application_id, guild_id },
    }
}
