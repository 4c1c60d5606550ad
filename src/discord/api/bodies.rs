//! Bodies of requests to Discord and of its responses, as far as they are read.

use serde::Deserialize;
use serenity::model::id::{ChannelId, MessageId};

/// A message that Discord has stored.
#[derive(Clone, Debug, Deserialize)]
pub struct PostedMessage {
    pub id: MessageId,
    /// The channel or thread of the message.
    pub channel_id: ChannelId,
}

/// A channel, a thread or a direct conversation that was opened.
#[derive(Clone, Debug, Deserialize)]
pub struct OpenedChannel {
    pub id: ChannelId,
}

/// Discord's instructions for connecting to the gateway.
#[derive(Clone, Debug, Deserialize)]
pub struct Recommended {
    /// The gateway's URL.
    pub url: String,
    /// The recommended number of shards.
    pub shards: u32,
    /// The limit on new sessions.
    pub session_start_limit: SessionStarts,
}

/// The limit on new sessions.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SessionStarts {
    /// The number of sessions that may still be started.
    pub remaining: u64,
    /// The time until the limit is reset, in milliseconds.
    pub reset_after: u64,
}

/// A file attached to a message. The payload's `attachments` refer to it by its index in the list, from 0.
#[derive(Clone)]
pub struct Attachment {
    /// The file name.
    pub name: String,
    /// Its media type, such as `image/png`.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Attachment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Attachment({}, {} bytes)", self.name, self.bytes.len())
    }
}

impl Attachment {
    pub(super) fn part(&self) -> reqwest::Result<reqwest::multipart::Part> {
        let part = reqwest::multipart::Part::bytes(self.bytes.clone()).file_name(self.name.clone());
        part.mime_str(self.kind)
    }
}
