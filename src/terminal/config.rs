//! What is wrong in the configuration, one sentence for each fault.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{Exit, Voice, language};
use crate::config::Faults;

/// Says everything that is wrong in the configuration.
///
/// # Errors
/// If something cannot be written.
pub fn complain(faults: &Faults, complaints: &mut dyn Write) -> io::Result<Exit> {
    let voice = Voice::new(language(faults.language));
    for fault in &faults.list {
        let it = json!(fault);
        let kind = it.get("kind").and_then(Json::as_str).unwrap_or_default();
        complaints.write_all(voice.say("config", kind, &it).as_bytes())?;
    }
    Ok(Exit::Misuse)
}
