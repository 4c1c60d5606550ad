//! The rules for messages: lengths, embeds, files, mentions.

use serde_json::Value;

use super::{Findings, characters, components, list, within, word};
use crate::{
    messages::{COMPONENTS_V2, EPHEMERAL, Upload},
    refusal::Broken,
};

/// The purpose of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A post in a channel.
    Channel,
    /// An answer to an interaction, or a follow-up.
    Interaction,
    /// An edit of a message.
    Edit,
}

/// `SUPPRESS_EMBEDS`.
const SUPPRESS_EMBEDS: u64 = 1 << 2;
/// `SUPPRESS_NOTIFICATIONS`.
const SILENT: u64 = 1 << 12;

const FIELDS: [&str; 16] = [
    "content",
    "nonce",
    "enforce_nonce",
    "tts",
    "embeds",
    "allowed_mentions",
    "message_reference",
    "components",
    "sticker_ids",
    "flags",
    "attachments",
    "poll",
    "username",
    "avatar_url",
    "thread_name",
    "applied_tags",
];

/// Checks a message.
pub(crate) fn message(body: &Value, uploads: &[Upload], purpose: Purpose) -> Vec<Broken> {
    let mut found = Findings::default();
    found.known(body, "", &FIELDS);
    found.length(body, "content", "", 0, 2000);
    embeds(&mut found, body);
    attachments(&mut found, body, uploads, purpose);
    mentions(&mut found, body);
    let nonce = body.get("nonce").filter(|nonce| !nonce.is_null());
    let nonce = nonce.map(|nonce| nonce.as_str().map_or_else(|| nonce.to_string(), str::to_owned));
    let short = nonce.is_none_or(|nonce| nonce.chars().count() <= 25);
    found.hold(short, "nonce", "Must be 25 or fewer in length.");
    let flags = body.get("flags").and_then(Value::as_u64).unwrap_or_default();
    // An edit may have the flag, without effect.
    let private = if purpose == Purpose::Channel { 0 } else { EPHEMERAL };
    let known = SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2 | private;
    found.hold(flags & !known == 0, "flags", "These flags cannot be set.");
    let second = flags & COMPONENTS_V2 != 0;
    if second {
        for key in ["content", "embeds", "poll", "sticker_ids"] {
            let absent = body.get(key).is_none_or(|one| {
                one.is_null() || one == "" || one.as_array().is_some_and(Vec::is_empty)
            });
            found.hold(absent, key, "Cannot be used together with IS_COMPONENTS_V2.");
        }
    }
    components::of_message(&mut found, list(body, "components"), second);
    found.0
}

fn embeds(found: &mut Findings, body: &Value) {
    found.count(body, "embeds", "", 0, 10);
    let mut sum = 0;
    for (number, embed) in list(body, "embeds").iter().enumerate() {
        let at = format!("embeds.{number}");
        found.length(embed, "title", &at, 0, 256);
        found.length(embed, "description", &at, 0, 4096);
        found.count(embed, "fields", &at, 0, 25);
        sum += characters(embed, "title") + characters(embed, "description");
        for (number, field) in list(embed, "fields").iter().enumerate() {
            let at = format!("{at}.fields.{number}");
            found.text(field, "name", &at, 1, 256);
            found.text(field, "value", &at, 1, 1024);
            sum += characters(field, "name") + characters(field, "value");
        }
        for (part, key, limit) in [("footer", "text", 2048), ("author", "name", 256)] {
            if let Some(part_of) = embed.get(part).filter(|part_of| !part_of.is_null()) {
                found.length(part_of, key, &within(&at, part), 0, limit);
                sum += characters(part_of, key);
            }
        }
    }
    found.hold(sum <= 6000, "embeds", "Embed size exceeds maximum size of 6000");
}

fn attachments(found: &mut Findings, body: &Value, uploads: &[Upload], purpose: Purpose) {
    found.count(body, "attachments", "", 0, 10);
    found.hold(uploads.len() <= 10, "files", "Must be 10 or fewer in length.");
    for upload in uploads {
        let at = format!("files.{}", upload.number);
        found.hold(upload.bytes.len() <= 10 * 1024 * 1024, &at, "File exceeds 10 MiB.");
    }
    let bytes: usize = uploads.iter().map(|upload| upload.bytes.len()).sum();
    found.hold(bytes <= 25 * 1024 * 1024, "files", "Request exceeds 25 MiB.");
    for (number, attachment) in list(body, "attachments").iter().enumerate() {
        let at = format!("attachments.{number}");
        found.length(attachment, "description", &at, 0, 1024);
        let id = attachment["id"].as_u64().or_else(|| word(attachment, "id")?.parse().ok());
        let there = uploads.iter().any(|upload| Some(upload.number) == id);
        let kept = purpose != Purpose::Channel && id.is_some_and(|id| id > 1000);
        found.hold(there || kept, &at, "There is no such file.");
    }
}

fn mentions(found: &mut Findings, body: &Value) {
    let Some(allowed) = body.get("allowed_mentions").filter(|one| !one.is_null()) else { return };
    let at = "allowed_mentions";
    found.known(allowed, at, &["parse", "users", "roles", "replied_user"]);
    let parse = list(allowed, "parse");
    for word in parse {
        let known = matches!(word.as_str(), Some("users" | "roles" | "everyone"));
        found.hold(known, "allowed_mentions.parse", "There is no such kind of mention.");
    }
    for key in ["users", "roles"] {
        found.count(allowed, key, at, 0, 100);
        let twice = parse.iter().any(|word| word == key) && !list(allowed, key).is_empty();
        found.hold(
            !twice,
            &within(at, key),
            "parse and a list of the same are mutually exclusive.",
        );
        let ids: Vec<&str> = list(allowed, key).iter().filter_map(Value::as_str).collect();
        found.unique(&ids, &within(at, key), "Given twice");
    }
}
