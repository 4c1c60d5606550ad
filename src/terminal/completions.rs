//! `shimekiri completions` and `shimekiri man`: completion scripts for shells, and manual pages.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Command;
use clap_complete::{Shell, generate};

use super::Exit;
use rules::text::Lang;

/// The arguments of `shimekiri completions`.
#[derive(Clone, Debug, clap::Args)]
pub struct CompletionsArguments {
    /// The shell that is to complete: bash, elvish, fish, powershell or zsh
    pub shell: Shell,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Writes the script for a shell from the whole command line.
pub fn run(
    args: &CompletionsArguments,
    mut command: Command,
    out: &mut dyn Write,
) -> io::Result<Exit> {
    // The generator requires a writer that cannot fail.
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(args.shell, &mut command, name, &mut script);
    out.write_all(&script)?;
    Ok(Exit::Fine)
}

/// The arguments of `shimekiri man`.
#[derive(Clone, Debug, clap::Args)]
pub struct ManArguments {
    /// The folder to write into, which is created if need be
    pub folder: PathBuf,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Writes the manual page of the program and of each verb.
pub fn write_manual(args: &ManArguments, command: Command) -> io::Result<Exit> {
    std::fs::create_dir_all(&args.folder)?;
    clap_mangen::generate_to(command, &args.folder)?;
    Ok(Exit::Fine)
}
