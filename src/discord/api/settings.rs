//! Settings of the requests to Discord.

use std::time::Duration;

/// Settings of the requests to Discord.
#[derive(Clone, Copy, Debug)]
pub struct ApiSettings {
    /// The longest wait in place for a limit. A longer one is `SendError::Later`.
    pub patience: Duration,
    /// The maximum number of attempts of a request without a response or with a server error.
    pub attempts: u32,
    /// The wait before the second attempt. It doubles with each attempt, and up to half of it is added at
    /// random.
    pub pause: Duration,
    /// The timeout of a response.
    pub timeout: Duration,
    /// The timeout of the first response to an interaction, retries included. Discord gives 3 s from when it
    /// sent the interaction.
    pub callback: Duration,
    /// The maximum number of requests in a second.
    pub per_second: usize,
    /// The minimum time between two requests, so that a burst does not saturate the processor.
    pub apart: Duration,
    /// The number of responses 401, 403 or 429 in ten minutes that stops all requests until the ten minutes
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
