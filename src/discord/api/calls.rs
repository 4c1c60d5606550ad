//! What a bot asks of Discord, each in a word.
//!
//! Bodies are anything that serialises: serenity's builders, or plain JSON. What is only read is
//! given back as its caller likes to have it.

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serenity::http::{LightMethod, Route};
use serenity::model::id::{ApplicationId, ChannelId, GuildId, InteractionId, MessageId, UserId};

use crate::api::bodies::{Attachment, OpenedChannel, PostedMessage, Recommended};
use crate::api::limits::locked;
use crate::api::{Api, ApiCall, Refusal, RepeatIfDoubtful, SendError};

/// The number of conversations that are known before they are forgotten.
const CONVERSATIONS: usize = 10_000;

impl Api {
    /// Posts a message. It is tried again where it is in doubt whether it arrived if it has a
    /// `nonce` and `enforce_nonce`: then Discord makes no second one of it, for some minutes.
    pub async fn post(
        &self,
        channel_id: ChannelId,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage, SendError> {
        let call = ApiCall::new(LightMethod::Post, Route::ChannelMessages { channel_id });
        let (call, once) = call.with_message(message, files)?;
        self.ask(&call.again(if once { RepeatIfDoubtful::Yes } else { RepeatIfDoubtful::No })).await
    }

    /// Changes a message.
    pub async fn edit(
        &self,
        channel_id: ChannelId,
        message_id: MessageId,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage, SendError> {
        let route = Route::ChannelMessage { channel_id, message_id };
        let (call, _) = ApiCall::new(LightMethod::Patch, route).with_message(message, files)?;
        self.ask(&call).await
    }

    pub async fn message<T: DeserializeOwned>(
        &self,
        channel_id: ChannelId,
        message_id: MessageId,
    ) -> Result<T, SendError> {
        let route = Route::ChannelMessage { channel_id, message_id };
        self.ask(&ApiCall::new(LightMethod::Get, route)).await
    }

    /// The messages of a channel, the latest first: at most so many, up to 100; if another is
    /// given, the first ones after that.
    pub async fn messages<T: DeserializeOwned>(
        &self,
        channel_id: ChannelId,
        after: Option<MessageId>,
        limit: u8,
    ) -> Result<Vec<T>, SendError> {
        let mut params = vec![("limit", limit.to_string())];
        params.extend(after.map(|after| ("after", after.to_string())));
        let mut call = ApiCall::new(LightMethod::Get, Route::ChannelMessages { channel_id });
        call.request = call.request.params(Some(params));
        self.ask(&call).await
    }

    /// Takes a message away. If it is in doubt whether that was done, asking again may find the
    /// message gone, which is as it should be.
    pub async fn delete(
        &self,
        channel_id: ChannelId,
        message_id: MessageId,
    ) -> Result<(), SendError> {
        let route = Route::ChannelMessage { channel_id, message_id };
        match self.tell(&ApiCall::new(LightMethod::Delete, route)).await {
            Err(unsent) if unsent.is(Refusal::UnknownMessage) => Ok(()),
            done => done,
        }
    }
}

/// Channels, threads and conversations.
impl Api {
    /// A channel or a thread.
    pub async fn channel<T: DeserializeOwned>(
        &self,
        channel_id: ChannelId,
    ) -> Result<T, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::Channel { channel_id })).await
    }

    /// Changes a channel or a thread: brings it back from the archive, for one.
    pub async fn edit_channel(
        &self,
        channel_id: ChannelId,
        change: &impl Serialize,
    ) -> Result<(), SendError> {
        let call = ApiCall::new(LightMethod::Patch, Route::Channel { channel_id });
        self.tell(&call.with(change)?).await
    }

    /// Opens a thread without a message.
    pub async fn thread(
        &self,
        channel_id: ChannelId,
        thread: &impl Serialize,
    ) -> Result<OpenedChannel, SendError> {
        let call = ApiCall::new(LightMethod::Post, Route::ChannelThreads { channel_id });
        self.ask(&call.with(thread)?).await
    }

    /// Brings somebody into a thread.
    pub async fn add_to_thread(
        &self,
        channel_id: ChannelId,
        user_id: UserId,
    ) -> Result<(), SendError> {
        let route = Route::ChannelThreadMember { channel_id, user_id };
        self.tell(&ApiCall::new(LightMethod::Put, route)).await
    }

    /// Opens the conversation with somebody, or finds it. It is asked for once: whoever opens many
    /// is held up, and each counts among the requests of a second.
    pub async fn direct(&self, user_id: UserId) -> Result<ChannelId, SendError> {
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
    /// Answers an interaction for the first time, within
    /// [`ApiSettings::callback`](crate::api::ApiSettings::callback).
    pub async fn respond(
        &self,
        interaction_id: InteractionId,
        token: &str,
        response: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<(), SendError> {
        let route = Route::InteractionResponse { interaction_id, token };
        let call = ApiCall::new(LightMethod::Post, route).again(RepeatIfDoubtful::Yes);
        let (call, _) = call.with_message(response, files)?;
        let late =
            |_| SendError::Unreachable { what: format!("{}: too late", call.rate_limit_key.route) };
        let told = tokio::time::timeout(self.0.settings.callback, self.tell(&call)).await;
        told.map_err(late)?
    }

    /// The first answer to an interaction.
    pub async fn original<T: DeserializeOwned>(
        &self,
        application_id: ApplicationId,
        token: &str,
    ) -> Result<T, SendError> {
        let route = Route::WebhookOriginalInteractionResponse { application_id, token };
        self.ask(&ApiCall::new(LightMethod::Get, route)).await
    }

    /// Changes the first answer to an interaction, or makes it where it was only deferred.
    pub async fn edit_original(
        &self,
        application_id: ApplicationId,
        token: &str,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage, SendError> {
        let route = Route::WebhookOriginalInteractionResponse { application_id, token };
        let (call, _) = ApiCall::new(LightMethod::Patch, route).with_message(message, files)?;
        self.ask(&call).await
    }

    /// Says something more to an interaction.
    pub async fn follow_up(
        &self,
        application_id: ApplicationId,
        token: &str,
        message: &impl Serialize,
        files: Vec<Attachment>,
    ) -> Result<PostedMessage, SendError> {
        let route = Route::WebhookFollowupMessages { application_id, token };
        let (call, _) = ApiCall::new(LightMethod::Post, route).with_message(message, files)?;
        self.ask(&call).await
    }
}

/// The bot itself, its commands and its servers.
impl Api {
    /// The commands of an application, everywhere or in one server.
    pub async fn commands<T: DeserializeOwned>(
        &self,
        application_id: ApplicationId,
        guild: Option<GuildId>,
    ) -> Result<Vec<T>, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, commands(application_id, guild))).await
    }

    /// Makes these all the commands of an application, everywhere or in one server.
    pub async fn put_commands(
        &self,
        application_id: ApplicationId,
        guild: Option<GuildId>,
        list: &impl Serialize,
    ) -> Result<(), SendError> {
        let call = ApiCall::new(LightMethod::Put, commands(application_id, guild)).with(list)?;
        self.ask::<IgnoredAny>(&call).await.map(drop)
    }

    /// Who the bot is.
    pub async fn user<T: DeserializeOwned>(&self) -> Result<T, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::UserMe)).await
    }

    /// The application of the bot.
    pub async fn application<T: DeserializeOwned>(&self) -> Result<T, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::Oauth2ApplicationCurrent)).await
    }

    /// How the gateway is to be entered.
    pub async fn gateway(&self) -> Result<Recommended, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::GatewayBot)).await
    }

    /// Somebody as a member of a server.
    pub async fn member<T: DeserializeOwned>(
        &self,
        guild_id: GuildId,
        user_id: UserId,
    ) -> Result<T, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::GuildMember { guild_id, user_id })).await
    }

    /// The roles of a server.
    pub async fn roles<T: DeserializeOwned>(&self, guild_id: GuildId) -> Result<Vec<T>, SendError> {
        self.ask(&ApiCall::new(LightMethod::Get, Route::GuildRoles { guild_id })).await
    }
}

fn commands(application_id: ApplicationId, guild: Option<GuildId>) -> Route<'static> {
    match guild {
        None => Route::Commands { application_id },
        Some(guild_id) => Route::GuildCommands { application_id, guild_id },
    }
}
