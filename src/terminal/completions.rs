//! `shimekiri completions`: completion scripts for shells.

use std::io::{self, Write};

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
