//! A message to be sent or edited, its target, and the parts of it that are left out after a refusal.

use serde_json::{Value as Json, json};
use serenity::all::{ChannelId, MessageId};

use crate::api::Attachment;
use letters::Reader;
use tables::ids::{Address, TableCode};

/// A message to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) body: Json,
    pub(crate) files: Vec<Attachment>,
    /// The text if the place takes no files; `None` for the same text.
    pub(crate) without_files: Option<String>,
}

/// The table and the place of a message.
#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) code: &'a TableCode,
    pub(crate) place: &'a Address,
    pub(crate) reader: &'a Reader,
}

/// The target of a sent message: a new message, or an edit of an existing one.
pub(crate) enum Target {
    New {
        channel: ChannelId,
        /// The nonce by which Discord merges repeated messages, for some minutes.
        nonce: String,
    },
    Posted {
        channel: ChannelId,
        message: MessageId,
    },
}

impl Message {
    /// Returns a message without files.
    pub(crate) fn of(body: Json) -> Self {
        Self { body, files: Vec::new(), without_files: None }
    }

    /// Removes the files, and replaces the text by [`Self::without_files`].
    pub(crate) fn leave_files(&mut self) {
        self.files.clear();
        if let Some(body) = self.body.as_object_mut() {
            body.remove("attachments");
        }
        if let Some(words) = self.without_files.take() {
            self.body["content"] = json!(words);
        }
    }

    /// Replaces the text and the embeds, and removes the controls unless they are surely not at fault.
    pub(crate) fn says_instead(&mut self, words: &str, keeps_controls: bool) {
        self.body["content"] = json!(words.trim());
        if let Some(body) = self.body.as_object_mut() {
            body.remove("embeds");
            if !keeps_controls {
                body.remove("components");
            }
        }
    }
}

/// Returns a message that pings nobody.
pub(crate) fn plain(content: &str) -> Message {
    let body = json!({ "content": content, "allowed_mentions": { "parse": [] } });
    Message::of(body)
}
