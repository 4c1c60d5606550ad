//! What goes along with a message, and what Discord answers, as far as it is read.

use serde::Deserialize;
use serenity::model::id::{ChannelId, MessageId};

/// A message as Discord has it now.
#[derive(Clone, Debug, Deserialize)]
pub struct PostedMessage {
    pub id: MessageId,
    /// Where it stands.
    pub channel_id: ChannelId,
}

/// A channel, a thread or a conversation that has been opened.
#[derive(Clone, Debug, Deserialize)]
pub struct OpenedChannel {
    pub id: ChannelId,
}

/// How Discord wants its gateway to be entered.
#[derive(Clone, Debug, Deserialize)]
pub struct Recommended {
    /// The gateway's address.
    pub url: String,
    /// Over how many shards.
    pub shards: u32,
    /// The number of sessions that may still be begun.
    pub session_start_limit: SessionStarts,
}

/// The number of sessions that may be begun.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct SessionStarts {
    /// How many may still be.
    pub remaining: u64,
    /// In how many milliseconds there are more again.
    pub reset_after: u64,
}

/// A file that goes along with a message. The payload's `attachments` speak of it by its place in
/// the list, from 0.
#[derive(Clone)]
pub struct Attachment {
    /// What it is called.
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
