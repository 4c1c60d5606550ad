//! `shimekiri completions` and `shimekiri man`: completion scripts for shells, and manual pages.

use std::path::PathBuf;

use clap::Command;
use clap_complete::{Shell, generate};

use super::Exit;
use super::misuse::{Console, Done};

/// The arguments of `shimekiri completions`.
#[derive(Clone, Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell that is to complete: bash, elvish, fish, powershell or zsh
    pub shell: Shell,
}

/// Writes the script for a shell from the whole command line.
pub(super) fn run(
    args: &CompletionsArguments,
    mut command: Command,
    console: &mut Console<'_>,
) -> Done {
    // The generator requires a writer that cannot fail.
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(args.shell, &mut command, name, &mut script);
    console.write(&String::from_utf8_lossy(&script))
}

/// The arguments of `shimekiri man`.
#[derive(Clone, Debug, clap::Args)]
pub struct ManArguments {
    /// The folder to write into, which is created if need be
    pub folder: PathBuf,
}

/// Writes the manual page of the program and of each verb.
pub(super) fn write_manual(args: &ManArguments, command: Command) -> Done {
    std::fs::create_dir_all(&args.folder)?;
    clap_mangen::generate_to(command, &args.folder)?;
    Ok(Exit::Fine)
}
