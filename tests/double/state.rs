//! The state of the double: Discord's side of everything.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use chrono::DateTime;
use serde_json::Value;

use super::{
    channels::Channel,
    faults::Faults,
    guild::{Guild, Human},
    interactions::Interaction,
    limits::Limits,
    messages::Message,
    refusal::Broken,
    sessions::Gateway,
    transcript::Scene,
};

/// A snowflake.
pub type Id = u64;

/// Formats an id as Discord does.
pub(crate) fn said(id: Id) -> String {
    id.to_string()
}

/// Parses an id, as a number or as a text.
pub(crate) fn id_of(value: &Value) -> Option<Id> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Discord's epoch, in milliseconds UTC.
pub(crate) const EPOCH: u64 = 1_420_070_400_000;

/// The id of the application, older than all others.
const APPLICATION: Id = 1_400_000_000_000_000_001;

/// A token in the usual form: the first part is the id of the application.
const TOKEN: &str = "MTQwMDAwMDAwMDAwMDAwMDAwMQ.Double.of_a_token_that_opens_no_door_anywhere";

/// The settings of the double.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The time limit for the first answer to an interaction.
    pub answer_within: Duration,
    /// The lifetime of an interaction's token.
    pub token_lasts: Duration,
    /// The heartbeat interval in the gateway's hello.
    pub heartbeat: Duration,
    /// The time that a test waits for an event before it fails.
    pub patience: Duration,
    /// The recommended number of shards.
    pub shards: u64,
    /// True if transcripts and the bodies of requests are stored.
    pub records: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            answer_within: Duration::from_secs(3),
            token_lasts: Duration::from_mins(15),
            heartbeat: Duration::from_millis(41_250),
            patience: Duration::from_secs(30),
            shards: 1,
            records: true,
        }
    }
}

/// A violation of a rule, with the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The method and the path, with stars for the parameters.
    pub request: String,
    /// The violated rule.
    pub broken: Broken,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}: {}", self.request, self.broken.at, self.broken.what)
    }
}

/// A request received, with its answer.
#[derive(Clone, Debug)]
pub struct Request {
    /// The route of the request.
    pub route: super::route::Route,
    /// The JSON body, or the `payload_json` of a multipart body.
    pub body: Value,
    /// The status of the answer, even if the answer was lost.
    pub status: u16,
    /// The time of arrival since the start of the double.
    pub at: Duration,
}

/// The state of the double.
#[derive(Debug)]
pub struct State {
    pub settings: Settings,
    /// The base URL: `http://127.0.0.1:PORT`.
    pub base: String,
    pub token: String,
    /// The id of the application and of the bot's user.
    pub application: Id,
    pub guild: Guild,
    pub people: BTreeMap<Id, Human>,
    pub channels: BTreeMap<Id, Channel>,
    pub messages: BTreeMap<Id, Message>,
    pub commands: Vec<Value>,
    pub interactions: BTreeMap<Id, Interaction>,
    pub gateway: Gateway,
    pub limits: Limits,
    pub faults: Faults,
    pub violations: Vec<Violation>,
    pub requests: Vec<Request>,
    /// The message last posted in a channel with a nonce.
    pub nonces: HashMap<(Id, String), Id>,
    pub scenes: Vec<Scene>,
    began: Instant,
    began_at: u64,
    ahead: Duration,
    last_id: Id,
    touches: u64,
}

impl State {
    /// Returns an empty guild with its bot.
    pub fn new(settings: Settings, base: String) -> Self {
        let mut state = Self {
            settings,
            base,
            token: TOKEN.to_owned(),
            application: APPLICATION,
            guild: Guild::default(),
            people: BTreeMap::new(),
            channels: BTreeMap::new(),
            messages: BTreeMap::new(),
            commands: Vec::new(),
            interactions: BTreeMap::new(),
            gateway: Gateway::default(),
            limits: Limits::default(),
            faults: Faults::default(),
            violations: Vec::new(),
            requests: Vec::new(),
            nonces: HashMap::new(),
            scenes: Vec::new(),
            began: Instant::now(),
            began_at: wall(),
            ahead: Duration::ZERO,
            last_id: 0,
            touches: 0,
        };
        let (id, owner) = (state.next_id(), state.next_id());
        state.guild = Guild::new(id, owner, state.application);
        state.open_text_channel("general");
        state
    }

    /// Returns the same guild with the same users and channels, without any message.
    pub fn twin(&self, base: String) -> Self {
        let mut twin = Self::new(self.settings.clone(), base);
        (twin.guild, twin.people) = (self.guild.clone(), self.people.clone());
        twin.channels = self.channels.clone();
        twin.channels.values_mut().for_each(|channel| channel.messages.clear());
        twin.last_id = self.last_id;
        twin
    }

    /// Returns an id later than all others.
    pub fn next_id(&mut self) -> Id {
        self.last_id = (self.last_id + 1).max((self.now() - EPOCH) << 22);
        self.last_id
    }

    /// Returns the next value of the counter of changes.
    pub fn touch(&mut self) -> u64 {
        self.touches += 1;
        self.touches
    }

    /// Returns the time since the start of the double, including all advances.
    pub fn age(&self) -> Duration {
        self.began.elapsed() + self.ahead
    }

    /// Returns the double's time, in milliseconds UTC.
    pub fn now(&self) -> u64 {
        self.began_at + u64::try_from(self.age().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the double's time as Discord writes it.
    pub fn timestamp(&self) -> String {
        let now = DateTime::from_timestamp_millis(i64::try_from(self.now()).unwrap()).unwrap();
        now.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
    }

    /// Advances the double's time.
    pub fn advance(&mut self, by: Duration) {
        self.ahead += by;
    }

    /// Records a violation.
    pub fn violated(&mut self, request: &str, broken: Broken) {
        self.violations.push(Violation { request: request.to_owned(), broken });
    }
}

#[expect(clippy::disallowed_methods, reason = "Discord has a clock of its own")]
fn wall() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}
