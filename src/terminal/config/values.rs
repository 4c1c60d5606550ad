//! The parsers of the configuration's values.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chrono_tz::{TZ_VARIANTS, Tz};
use tracing_subscriber::EnvFilter;

use super::database_url::{DatabaseUrl, hide_password};
use super::fault::ConfigFaultKind;
use super::sections::LogFormat;
use rules::data::nearest;
use rules::text::Lang;

/// The largest count that can be set.
const MOST: u32 = 1000;

const SHORTEST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_hours(24);

/// The longest interval.
const LONGEST_INTERVAL: Duration = Duration::from_hours(30 * 24);

const CONNECTIONS: (u32, u32) = (1, 100);
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// The text of a key's value, with an example of a valid one.
pub(super) struct ValueText<'a> {
    pub(super) key: &'a str,
    pub(super) text: &'a str,
    pub(super) example: &'a str,
}

impl ValueText<'_> {
    fn key(&self) -> String {
        self.key.to_owned()
    }

    /// Returns the text; a URL in the wrong place may contain a password.
    fn shown(&self) -> String {
        hide_password(self.text)
    }

    fn unclear(&self) -> ConfigFaultKind {
        ConfigFaultKind::Unclear {
            key: self.key(),
            said: self.shown(),
            example: self.example.to_owned(),
        }
    }

    fn unknown_word(&self, input: &str, known: &[&str]) -> ConfigFaultKind {
        ConfigFaultKind::UnknownWord {
            key: self.key(),
            said: hide_password(input),
            nearest: nearest(input, known.iter().copied()).unwrap_or_default().to_owned(),
            known: known.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    fn out_of_range(&self, least: String, most: String) -> ConfigFaultKind {
        ConfigFaultKind::OutOfRange { key: self.key(), said: self.shown(), least, most }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "like the others")]
pub(super) fn path(asked: &ValueText<'_>) -> Result<Option<PathBuf>, ConfigFaultKind> {
    Ok((!asked.text.is_empty()).then(|| asked.text.into()))
}

pub(super) fn address(asked: &ValueText<'_>) -> Result<Option<SocketAddr>, ConfigFaultKind> {
    if asked.text.is_empty() {
        return Ok(None);
    }
    asked.text.parse().map(Some).map_err(|_| asked.unclear())
}

pub(super) fn switch(asked: &ValueText<'_>) -> Result<bool, ConfigFaultKind> {
    asked.text.parse().map_err(|_| asked.unknown_word(asked.text, &["true", "false"]))
}

/// Parses a URL of HTTP or HTTPS.
pub(super) fn web(asked: &ValueText<'_>) -> Result<String, ConfigFaultKind> {
    let url = asked.text.trim().trim_end_matches('/');
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let sound = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '@', ' ']));
    if sound { Ok(url.to_owned()) } else { Err(asked.unclear()) }
}

/// Parses an id of Discord's; 0 is `None`.
pub(super) fn id(asked: &ValueText<'_>) -> Result<Option<u64>, ConfigFaultKind> {
    let id: u64 = asked.text.trim().parse().map_err(|_| asked.unclear())?;
    Ok((id > 0).then_some(id))
}

/// Parses a limit; 0 is allowed.
pub(super) fn count(asked: &ValueText<'_>) -> Result<u32, ConfigFaultKind> {
    between(asked, (0, MOST))
}

/// Parses a number of stored items, at least 1.
pub(super) fn stored(asked: &ValueText<'_>) -> Result<u32, ConfigFaultKind> {
    between(asked, (1, MOST))
}

/// Parses a number in a range.
fn between(asked: &ValueText<'_>, (least, most): (u32, u32)) -> Result<u32, ConfigFaultKind> {
    let number: i128 = asked.text.trim().parse().map_err(|_| asked.unclear())?;
    let number = u32::try_from(number).ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| asked.out_of_range(least.to_string(), most.to_string()))
}

/// Parses the path of a folder, which must not be empty.
pub(super) fn folder(asked: &ValueText<'_>) -> Result<PathBuf, ConfigFaultKind> {
    path(asked)?.ok_or_else(|| asked.unclear())
}

pub(super) fn words(asked: &ValueText<'_>) -> Result<String, ConfigFaultKind> {
    if asked.text.trim().is_empty() { Err(asked.unclear()) } else { Ok(asked.text.to_owned()) }
}

pub(super) fn language(asked: &ValueText<'_>) -> Result<Option<Lang>, ConfigFaultKind> {
    if asked.text.is_empty() {
        return Ok(None);
    }
    let codes = Lang::ALL.map(Lang::code);
    asked.text.parse().map(Some).map_err(|_| asked.unknown_word(asked.text, &codes))
}

pub(super) fn zone(asked: &ValueText<'_>) -> Result<Tz, ConfigFaultKind> {
    asked.text.parse().map_err(|_| ConfigFaultKind::UnknownZone {
        key: asked.key(),
        said: asked.shown(),
        nearest: nearest(asked.text, TZ_VARIANTS.iter().map(|zone| zone.name()))
            .unwrap_or_default()
            .into(),
    })
}

pub(super) fn database_url(asked: &ValueText<'_>) -> Result<DatabaseUrl, ConfigFaultKind> {
    match DatabaseUrl::parse(asked.text) {
        Some(url) if url.is_nameless() => Err(ConfigFaultKind::NoFile { key: asked.key() }),
        Some(url) => Ok(url),
        None => Err(ConfigFaultKind::UnknownDatabase { key: asked.key() }),
    }
}

pub(super) fn connections(asked: &ValueText<'_>) -> Result<u32, ConfigFaultKind> {
    between(asked, CONNECTIONS)
}

pub(super) fn time(asked: &ValueText<'_>) -> Result<Duration, ConfigFaultKind> {
    up_to(asked, LONGEST)
}

/// Parses an interval; an empty text is `None`.
pub(super) fn interval(asked: &ValueText<'_>) -> Result<Option<Duration>, ConfigFaultKind> {
    if asked.text.is_empty() {
        return Ok(None);
    }
    up_to(asked, LONGEST_INTERVAL).map(Some).map_err(|what| match what {
        ConfigFaultKind::Unclear { key, said: input, .. } => {
            ConfigFaultKind::Unclear { key, said: input, example: "1d".to_owned() }
        }
        what => what,
    })
}

/// Parses a time up to a limit.
fn up_to(asked: &ValueText<'_>, longest: Duration) -> Result<Duration, ConfigFaultKind> {
    let duration = humantime::parse_duration(asked.text).map_err(|_| asked.unclear())?;
    if (SHORTEST..=longest).contains(&duration) {
        return Ok(duration);
    }
    let shown = |time| humantime::format_duration(time).to_string();
    Err(asked.out_of_range(shown(SHORTEST), shown(longest)))
}

pub(super) fn level(asked: &ValueText<'_>) -> Result<String, ConfigFaultKind> {
    for directive in asked.text.split(',').map(str::trim) {
        // The filter reads any other single word as a module, so a typo would silence everything.
        let is_word = !directive.contains(['=', '[']);
        if is_word && !LEVELS.iter().any(|level| level.eq_ignore_ascii_case(directive)) {
            return Err(asked.unknown_word(directive, &LEVELS));
        }
    }
    EnvFilter::try_new(asked.text).map_err(|_| asked.unclear())?;
    Ok(asked.text.to_owned())
}

pub(super) fn log_format(asked: &ValueText<'_>) -> Result<LogFormat, ConfigFaultKind> {
    match asked.text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        other => Err(asked.unknown_word(other, &["text", "json"])),
    }
}
