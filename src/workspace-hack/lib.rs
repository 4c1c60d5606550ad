//! No code: `Cargo.toml` names the features that all members build their dependencies with.
