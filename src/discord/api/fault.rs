//! Errors of sending to Discord.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use strum::FromRepr;

/// The maximum length of a refusal's details, in characters.
const KEPT: usize = 200;

/// An error of sending: the request was not done, or its outcome is in doubt. The text never contains a URL,
/// as the URL of an interaction contains a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// Discord asks for a longer wait than the caller would block for. The request was not done.
    #[error("to be sent in {after:?}")]
    Later {
        /// The wait.
        after: Duration,
    },
    /// Discord refuses the token. Nothing is sent any more.
    #[error("the token is not accepted")]
    Unauthorized,
    /// Discord refuses the request, and would refuse it again.
    #[error("{what} ({status}, {code})")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// Discord's own code, or 0.
        code: u32,
        /// The request, and Discord's details.
        what: String,
    },
    /// The body cannot be written as JSON. The request was not done.
    #[error("cannot be written: {what}")]
    Unwritten {
        /// The request.
        what: String,
    },
    /// There was no response, or a server error of Discord. The request may have been done.
    #[error("unreachable: {what}")]
    Unreachable {
        /// The request, and the failure.
        what: String,
    },
    /// The request was done, and the response cannot be read.
    #[error("unreadable answer: {what}")]
    Unreadable {
        /// The request, and the fault of the response.
        what: String,
    },
}

/// The result of sending.
pub(crate) type Result<T, E = SendError> = std::result::Result<T, E>;

/// The refusals that are handled, with Discord's JSON error codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromRepr)]
#[repr(u32)]
pub enum Refusal {
    Other,
    /// The channel or the thread is gone.
    UnknownChannel = 10_003,
    /// The message is gone.
    UnknownMessage = 10_008,
    /// The interaction is too old to be answered.
    UnknownInteraction = 10_062,
    /// The interaction was already acknowledged.
    AlreadyAcknowledged = 40_060,
    /// The bot cannot see the channel.
    MissingAccess = 50_001,
    /// The user takes no direct messages from the bot.
    CannotSendToUser = 50_007,
    /// The bot lacks a permission in the channel.
    MissingPermissions = 50_013,
    /// The thread is archived.
    Archived = 50_083,
    /// The thread is locked.
    Locked = 160_005,
    /// The message has a thread already.
    ThreadExists = 160_004,
    /// The server can have no more active threads.
    TooManyThreads = 160_006,
    /// Direct conversations are opened too fast.
    DirectMessagesTooFast = 40_003,
    /// Discord has flagged the bot for spam and blocks its direct messages.
    Flagged = 20_026,
    /// The message is too large; also the status 413.
    TooLarge = 40_005,
    /// A file is too explicit for its recipient.
    Explicit = 20_009,
    /// A channel of this type does not support the request.
    WrongChannel = 50_024,
    /// A filter of the server blocks the text; also 240000, a filter of Discord.
    Words = 200_000,
    /// The message is malformed.
    Form = 50_035,
}

impl Refusal {
    fn of(code: u32) -> Self {
        let of_discord = (code == 240_000).then_some(Self::Words);
        of_discord.or_else(|| Self::from_repr(code)).unwrap_or(Self::Other)
    }

    /// True if the place takes no message until a person fixes it.
    pub(crate) fn is_of_place(self) -> bool {
        matches!(
            self,
            Self::MissingAccess | Self::MissingPermissions | Self::Locked | Self::Archived
        )
    }

    /// True if the same message without its files may be accepted.
    pub(crate) fn may_be_of_files(self) -> bool {
        matches!(self, Self::MissingPermissions | Self::TooLarge | Self::Explicit)
    }

    /// True if another text in the same place may be accepted.
    pub(crate) fn is_of_words(self) -> bool {
        matches!(self, Self::Words | Self::Form)
    }
}

impl SendError {
    /// Returns the error of a process that was not the first to acknowledge an interaction.
    pub(crate) fn already_acknowledged() -> Self {
        let what = "taken on by somebody else".to_owned();
        Self::Refused { status: 400, code: Refusal::AlreadyAcknowledged as u32, what }
    }

    /// Returns Discord's refusal; `None` if the error is another.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Refused { status: 413, .. } => Some(Refusal::TooLarge),
            Self::Refused { code, .. } => Some(Refusal::of(*code)),
            _ => None,
        }
    }

    /// True if Discord refused the request with this refusal.
    pub fn is(&self, refusal: Refusal) -> bool {
        self.refusal() == Some(refusal)
    }

    /// Parses a refusal of Discord. Its details are reduced to the faulty fields and their codes: the
    /// descriptions may quote the message.
    pub(super) fn refused(status: u16, route: &str, body: &[u8]) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct ErrorBody {
            code: u32,
            message: String,
            errors: Value,
        }
        let error: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
        let mut what = format!("{route}: {}", error.message);
        let mut places = Vec::new();
        gather(&error.errors, &mut Vec::new(), &mut places);
        for place in places {
            what.push_str("; ");
            what.push_str(&place);
        }
        let what = what.chars().filter(|c| !c.is_control()).take(KEPT).collect();
        Self::Refused { status, code: error.code, what }
    }
}

/// Collects the faulty fields, as `embeds.0.title BASE_TYPE_BAD_LENGTH`.
fn gather<'a>(errors: &'a Value, path: &mut Vec<&'a str>, places: &mut Vec<String>) {
    let Some(fields) = errors.as_object() else { return };
    for (key, value) in fields {
        if key == "_errors" {
            let codes = value.as_array().into_iter().flatten();
            let codes = codes.filter_map(|fault| fault.get("code")?.as_str());
            places.extend(codes.map(|code| format!("{} {code}", path.join("."))));
        } else {
            path.push(key);
            gather(value, path, places);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::api::fault::*;

    #[test]
    fn a_refusal_is_told_by_its_code() {
        let body = json!({ "code": 50007, "message": "Cannot send messages to this user" });
        let unsent =
            SendError::refused(403, "POST /channels/:id/messages", body.to_string().as_bytes());
        assert!(unsent.is(Refusal::CannotSendToUser));
        let text = "POST /channels/:id/messages: Cannot send messages to this user (403, 50007)";
        assert_eq!(unsent.to_string(), text);
    }

    #[test]
    fn a_refusal_quotes_nothing_of_what_was_sent() {
        let fault = json!({ "code": "BASE_TYPE_MAX_LENGTH", "message": "the secret is too long" });
        let body = json!({
            "code": 50035,
            "message": "Invalid Form Body",
            "errors": { "embeds": { "0": { "title": { "_errors": [fault] } } } },
        });
        let unsent = SendError::refused(400, "POST /x", body.to_string().as_bytes());
        let text = "POST /x: Invalid Form Body; embeds.0.title BASE_TYPE_MAX_LENGTH (400, 50035)";
        assert_eq!(unsent.to_string(), text);
    }

    #[test]
    fn an_answer_that_is_no_json_is_a_refusal_too() {
        let unsent = SendError::refused(404, "GET /x", b"<html>");
        assert_eq!(unsent.refusal(), Some(Refusal::Other));
        assert_eq!(unsent.to_string(), "GET /x:  (404, 0)");
    }
}
