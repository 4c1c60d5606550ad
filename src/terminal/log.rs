//! The log, which goes to standard error: what a person asked for stands alone on the output.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::fmt::Subscriber;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::config::{LogConfig, LogFormat};
use discord::gateway::may_log;

/// Starts the log, for a verb that runs long. It is started once; later calls change nothing.
pub fn start(log: &LogConfig) {
    let lines = Subscriber::builder()
        .with_env_filter(EnvFilter::new(&log.level))
        .with_ansi(io::stderr().is_terminal())
        // Whoever reads the log has gone: to tell them so would be the end of the program.
        .log_internal_errors(false)
        .with_writer(io::stderr);
    // A secret is kept whatever the operator asks for.
    let kept = filter_fn(|line| may_log(line.target(), *line.level()));
    // It fails only where a log has been started before.
    let _ = match log.format {
        LogFormat::Text => lines.finish().with(kept).try_init(),
        LogFormat::Json => lines.json().finish().with(kept).try_init(),
    };
}

/// Starts the log if somebody asked for a level, for a verb that speaks with a person.
pub fn start_if_asked(log: &LogConfig) {
    if log.is_set {
        start(log);
    }
}
