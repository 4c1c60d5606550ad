//! The log, which goes to standard error: the output contains only the requested text.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::Subscriber;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogConfig, LogFormat};
use discord::gateway::may_log;

/// Starts the log of a long-running verb. Later calls change nothing.
pub fn start(log: &LogConfig) {
    let lines = Subscriber::builder()
        .with_env_filter(EnvFilter::new(&log.level))
        .with_ansi(io::stderr().is_terminal())
        // If the log's reader is gone, a report of that error would end the program.
        .log_internal_errors(false)
        .with_writer(io::stderr);
    // Secrets are filtered out at every level.
    let logged = filter_fn(|line| may_log(line.target(), *line.level()));
    // The only possible error is that the log was started before.
    let _ = match log.format {
        LogFormat::Text => lines.finish().with(logged).try_init(),
        LogFormat::Json => lines.json().finish().with(logged).try_init(),
    };
}

/// Starts the log of an interactive verb if a level is set.
pub fn start_if_asked(log: &LogConfig) {
    if log.is_set {
        start(log);
    }
}
