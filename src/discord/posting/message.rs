//! A message that is sent or changed, whose it is, and what is left of it where some of it is not
//! taken.

use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId};

use crate::api::Attachment;
use letters::Reader;
use tables::ids::{Address, TableCode};

/// A message to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) said: Json,
    pub(crate) files: Vec<Attachment>,
    /// The words if its files are not taken; nothing for the same.
    pub(crate) without_files: Option<String>,
}

/// The table and the place of a message.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) code: &'a TableCode,
    pub(crate) place: &'a Address,
    pub(crate) reader: &'a Reader,
}

/// The message that is sent: a new one, or a change of one that is there.
pub(crate) enum Target {
    New {
        channel: ChannelId,
        /// Discord makes one message of all that are sent with it in some minutes.
        nonce: String,
    },
    Posted {
        channel: ChannelId,
        message: MessageId,
    },
}

impl Message {
    /// A message without files.
    pub(crate) fn of(said: Json) -> Self {
        Self { said, files: Vec::new(), without_files: None }
    }

    /// Goes without its files, and says what is said then.
    pub(crate) fn leave_files(&mut self) {
        self.files.clear();
        if let Some(said) = self.said.as_object_mut() {
            said.remove("attachments");
        }
        if let Some(words) = self.without_files.take() {
            self.said["content"] = json!(words);
        }
    }

    /// Says other words, and keeps its controls if those are not what may be at fault.
    pub(crate) fn says_instead(&mut self, words: &str, keeps_controls: bool) {
        self.said["content"] = json!(words.trim());
        if let Some(said) = self.said.as_object_mut() {
            said.remove("embeds");
            if !keeps_controls {
                said.remove("components");
            }
        }
    }
}

/// A message that pings nobody.
pub(crate) fn plain(content: &str) -> Message {
    let said = json!({ "content": content, "allowed_mentions": { "parse": [] } });
    Message::of(said)
}
