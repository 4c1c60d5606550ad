//! The error answers of Discord.

use serde_json::{Value, json};

/// An error answer with Discord's error code.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Value,
    /// The violated rules; empty if the client is not to blame.
    pub broken: Vec<Broken>,
}

/// A violation in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The path in the body, such as `embeds.0.title`.
    pub at: String,
    /// The violated rule.
    pub what: String,
}

impl Refusal {
    pub fn new(status: u16, code: u32, message: &str) -> Self {
        let body = json!({ "code": code, "message": message });
        Self { status, body, broken: Vec::new() }
    }

    /// Marks the refusal as a violation, as no correct client causes it.
    fn blamed(self) -> Self {
        let what = format!("{} {}", self.body["code"], self.body["message"].as_str().unwrap());
        Self { broken: vec![Broken { at: String::new(), what }], ..self }
    }

    /// Returns `Invalid Form Body` with every violation.
    pub fn form(broken: &[Broken]) -> Self {
        let mut body = json!({ "code": 50035, "message": "Invalid Form Body", "errors": {} });
        for fault in broken {
            let mut place = &mut body["errors"];
            for part in fault.at.split('.').filter(|part| !part.is_empty()) {
                place = &mut place[part];
            }
            let error = json!({ "code": "BASE_TYPE_INVALID", "message": fault.what });
            match place["_errors"].as_array_mut() {
                Some(errors) => errors.push(error),
                None => place["_errors"] = json!([error]),
            }
        }
        Self { status: 400, body, broken: broken.to_vec() }
    }

    pub fn unauthorized() -> Self {
        Self::new(401, 0, "401: Unauthorized").blamed()
    }

    pub fn not_found() -> Self {
        Self::new(404, 0, "404: Not Found").blamed()
    }

    pub fn unknown_channel() -> Self {
        Self::new(404, 10003, "Unknown Channel")
    }

    pub fn unknown_guild() -> Self {
        Self::new(404, 10004, "Unknown Guild")
    }

    pub fn unknown_member() -> Self {
        Self::new(404, 10007, "Unknown Member")
    }

    pub fn unknown_message() -> Self {
        Self::new(404, 10008, "Unknown Message")
    }

    pub fn unknown_user() -> Self {
        Self::new(404, 10013, "Unknown User")
    }

    pub fn unknown_webhook() -> Self {
        Self::new(404, 10015, "Unknown Webhook").blamed()
    }

    pub fn unknown_interaction() -> Self {
        Self::new(404, 10062, "Unknown interaction").blamed()
    }

    pub fn unknown_command() -> Self {
        Self::new(404, 10063, "Unknown application command")
    }

    pub fn already_answered() -> Self {
        Self::new(400, 40060, "Interaction has already been acknowledged.").blamed()
    }

    pub fn missing_access() -> Self {
        Self::new(403, 50001, "Missing Access")
    }

    pub fn empty_message() -> Self {
        Self::new(400, 50006, "Cannot send an empty message").blamed()
    }

    pub fn closed_to_us() -> Self {
        Self::new(403, 50007, "Cannot send messages to this user")
    }

    pub fn missing_permissions() -> Self {
        Self::new(403, 50013, "Missing Permissions")
    }

    pub fn token_has_run_out() -> Self {
        Self::new(401, 50027, "Invalid Webhook Token").blamed()
    }

    pub fn invalid_recipients() -> Self {
        Self::new(400, 50033, "Invalid Recipient(s)")
    }

    pub fn archived() -> Self {
        Self::new(400, 50083, "Thread is archived")
    }

    pub fn wrong_kind_of_channel() -> Self {
        Self::new(400, 50024, "Cannot execute action on this channel type")
    }

    pub fn has_a_thread() -> Self {
        Self::new(400, 160_004, "A thread has already been created for this message")
    }

    pub fn locked() -> Self {
        Self::new(403, 160_005, "This thread is locked")
    }
}
