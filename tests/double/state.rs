//! What the double remembers: Discord's own side of everything.

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

/// An id as Discord writes it.
pub(crate) fn said(id: Id) -> String {
    id.to_string()
}

/// An id as somebody else wrote it.
pub(crate) fn id_of(value: &Value) -> Option<Id> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Discord's epoch, in milliseconds UTC.
pub(crate) const EPOCH: u64 = 1_420_070_400_000;

/// Older than everything else.
const APPLICATION: Id = 1_400_000_000_000_000_001;

/// Of the form that tokens have: the first part is the id of the application.
const TOKEN: &str = "MTQwMDAwMDAwMDAwMDAwMDAwMQ.Double.of_a_token_that_opens_no_door_anywhere";

/// What an operator of the double can set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The time for which an interaction waits for its first answer.
    pub answer_within: Duration,
    /// The time for which the token of an interaction holds.
    pub token_lasts: Duration,
    /// The interval that hello asks for.
    pub heartbeat: Duration,
    /// The time for which somebody at the double waits for something before the test fails.
    pub patience: Duration,
    /// The number of shards that are recommended.
    pub shards: u64,
    /// True if transcripts and the bodies of requests are kept.
    pub records: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            answer_within: Duration::from_secs(3),
            token_lasts: Duration::from_mins(15),
            heartbeat: Duration::from_millis(41_250),
            patience: Duration::from_secs(10),
            shards: 1,
            records: true,
        }
    }
}

/// A rule that was broken, by which request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Method and path, with stars for the parameters.
    pub request: String,
    /// Which rule.
    pub broken: Broken,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}: {}", self.request, self.broken.at, self.broken.what)
    }
}

/// A request that arrived, and what became of it.
#[derive(Clone, Debug)]
pub struct Request {
    /// What it was addressed to.
    pub route: super::route::Route,
    /// Its body, where it was JSON, or the `payload_json` of its parts.
    pub body: Value,
    /// The status of the answer, whether or not the answer arrived.
    pub status: u16,
    /// How long after the start of the double it arrived.
    pub at: Duration,
}

/// Everything.
#[derive(Debug)]
pub struct State {
    pub settings: Settings,
    /// `http://127.0.0.1:PORT`.
    pub base: String,
    pub token: String,
    /// The application, and the bot's user.
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
    /// What was last said in a channel with a nonce.
    pub nonces: HashMap<(Id, String), Id>,
    pub scenes: Vec<Scene>,
    began: Instant,
    began_at: u64,
    ahead: Duration,
    last_id: Id,
    touches: u64,
}

impl State {
    /// An empty guild with its bot.
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

    /// The same guild with the same people and channels, in which nothing has been said.
    pub fn twin(&self, base: String) -> Self {
        let mut twin = Self::new(self.settings.clone(), base);
        (twin.guild, twin.people) = (self.guild.clone(), self.people.clone());
        twin.channels = self.channels.clone();
        twin.channels.values_mut().for_each(|channel| channel.messages.clear());
        twin.last_id = self.last_id;
        twin
    }

    /// An id later than all before.
    pub fn next_id(&mut self) -> Id {
        self.last_id = (self.last_id + 1).max((self.now() - EPOCH) << 22);
        self.last_id
    }

    /// Counts what happens, for what is newer than what.
    pub fn touch(&mut self) -> u64 {
        self.touches += 1;
        self.touches
    }

    /// The time for which the double has run, with what it was put forward.
    pub fn age(&self) -> Duration {
        self.began.elapsed() + self.ahead
    }

    /// The time at the double, in milliseconds UTC.
    pub fn now(&self) -> u64 {
        self.began_at + u64::try_from(self.age().as_millis()).unwrap_or(u64::MAX)
    }

    /// The time at the double as Discord writes it.
    pub fn timestamp(&self) -> String {
        let now = DateTime::from_timestamp_millis(i64::try_from(self.now()).unwrap()).unwrap();
        now.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
    }

    /// Puts the time at the double forward.
    pub fn advance(&mut self, by: Duration) {
        self.ahead += by;
    }

    /// Notes a rule that was broken.
    pub fn violated(&mut self, request: &str, broken: Broken) {
        self.violations.push(Violation { request: request.to_owned(), broken });
    }
}

#[expect(clippy::disallowed_methods, reason = "Discord has a clock of its own")]
fn wall() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    u64::try_from(since.as_millis()).unwrap()
}
