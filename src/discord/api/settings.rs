//! Times and numbers of the requests to Discord.

use std::time::Duration;

/// Times and numbers of the requests to Discord.
#[derive(Clone, Copy, Debug)]
pub struct ApiSettings {
    /// Longest wait in place for a limit. A longer one is `SendError::Later`.
    pub patience: Duration,
    /// Greatest number of attempts of a request, if there is no answer or a broken one.
    pub attempts: u32,
    /// Time until the second attempt. It doubles with each, and up to half of it is
    /// added by chance.
    pub pause: Duration,
    /// Timeout of an answer.
    pub timeout: Duration,
    /// Timeout of all that concerns the first answer to an interaction. Discord gives 3 s,
    /// from when it sent the interaction.
    pub callback: Duration,
    /// Greatest number of requests in a second.
    pub per_second: usize,
    /// The least time between two requests, so that a burst does not take the processor at once.
    pub apart: Duration,
    /// The number of answers 401, 403 or 429 in ten minutes from which on nothing is sent until they
    /// are over: Discord blocks an address for 10,000.
    pub most_refused: u32,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(5),
            attempts: 4,
            pause: Duration::from_millis(250),
            timeout: Duration::from_secs(15),
            callback: Duration::from_millis(2700),
            per_second: 50,
            apart: Duration::from_millis(4),
            most_refused: 8_000,
        }
    }
}
