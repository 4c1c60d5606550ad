//! The program: the command line and its verbs.

use std::io::Write;
use std::process::ExitCode;
use std::{env, io};

use crate::check::sets;
use crate::config::{Config, ConfigFaults};
use crate::misuse::Misuse;
use crate::texts::OtherCharset;
use crate::{
    Exit, TerminalText, backup, check, completions, export, help, import, invite, language, log,
    other_charset, play, replay, restore, serve, simulate, stats, story, verify,
};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use discord::{BotToken, NoToken};
use games::GAMES;
use rules::text::Lang;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

/// Shimekiri (締切): a play-by-post game master
#[derive(Debug, Parser)]
#[command(name = "shimekiri", version = help::VERSION, about, max_term_width = 100)]
struct Arguments {
    /// Without any, it serves on Discord
    #[command(subcommand)]
    verb: Option<ProgramVerb>,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
}

#[derive(Debug, Subcommand)]
enum ProgramVerb {
    /// Play a game here: alone against bots, or with people at other terminals
    Play(play::PlayArguments),
    /// Run all tables: keep their deadlines and deliver their messages
    Serve(serve::ServeArguments),
    /// Show the link that invites the bot to a Discord server, and why it needs its permissions
    Invite(invite::InviteArguments),
    /// Back up the database to a file, even while it is in use
    Backup(backup::BackupArguments),
    /// Restore the database from a backup, once every table in it has been verified
    Restore(restore::RestoreArguments),
    /// Export one table to a file, to verify it or to move it to another database
    Export(export::ExportArguments),
    /// Import a table from an exported file
    Import(import::ImportArguments),
    /// Replay a finished table, from an exported file or from the database, and check every result
    Verify(verify::VerifyArguments),
    /// Write a web page that steps through a finished table
    Replay(replay::ReplayArguments),
    /// Let bots play many games, and show statistics
    Simulate(simulate::SimulateArguments),
    /// Show statistics of finished tables: results, lengths, punctuality
    Stats(stats::StatsArguments),
    /// Run rule transcripts and show what differs
    Story(story::StoryArguments),
    /// Check the configuration, data, templates and command manifests
    Check(check::CheckArguments),
    /// Print the completion script for a shell
    Completions(completions::CompletionsArguments),
    /// Write the manual pages into a folder
    Man(completions::ManArguments),
}

impl ProgramVerb {
    /// Returns the language in the verb's arguments; `None` if there is none.
    fn lang(&self) -> Option<Lang> {
        match self {
            Self::Play(args) => args.lang,
            Self::Serve(args) => args.lang,
            Self::Backup(args) => args.lang,
            Self::Restore(args) => args.lang,
            Self::Export(args) => args.lang,
            Self::Import(args) => args.lang,
            Self::Verify(args) => args.lang,
            Self::Replay(args) => args.lang,
            Self::Simulate(args) => args.lang,
            Self::Stats(args) => args.lang,
            Self::Check(args) => args.lang,
            Self::Completions(args) => args.lang,
            Self::Man(args) => args.lang,
            Self::Story(args) => args.lang,
            Self::Invite(args) => args.lang,
        }
    }
}

/// Runs the program with its command line. Returns the exit code.
pub fn main() -> ExitCode {
    // The log writes there too, from any thread, so no lock may be held.
    let mut complaints = io::stderr();
    let token = || BotToken::read(|name| env::var(name).ok());
    let config = Config::read(env::vars_os());
    let Arguments { verb, lang } = match arguments(&config) {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    let alone = verb.is_none();
    let supposed = || ProgramVerb::Serve(serve::ServeArguments { check: false, lang });
    let verb = verb.unwrap_or_else(supposed);
    let lang = verb.lang();
    let config = match config {
        Ok(config) => config,
        Err(faults) => return end(check::config::complain(&faults, lang, &mut complaints)),
    };
    let faults = check::data_faults();
    if faults.is_empty() {
        match check::config::check(&config, lang, &mut complaints) {
            Ok(Exit::Fine) => {}
            ended => return end(ended),
        }
    } else if !matches!(verb, ProgramVerb::Check(_)) {
        return end(Err(io::Error::other(faults.join("\n"))));
    }
    let voice = TerminalText::new(language(lang.or(config.host.language)));
    if !matches!(verb, ProgramVerb::Check(_)) {
        for fault in sets::offer(&config) {
            let _ = writeln!(complaints, "{}", fault.written(&voice));
        }
    }
    let mut out = io::stdout();
    end(match verb {
        ProgramVerb::Play(args) => {
            log::start_if_asked(&config.log);
            if let Some(charset) = other_charset(|name| env::var(name).ok()) {
                let misuse = Misuse::from(OtherCharset { charset });
                let _ =
                    write!(complaints, "{}", misuse.written(&TerminalText::new(language(lang))));
            }
            wait_for(play::run(&args, &config, &mut complaints))
        }
        ProgramVerb::Serve(_) if alone && token() == Err(NoToken::Missing) => {
            serve::explain(&config, lang, &mut complaints)
        }
        ProgramVerb::Serve(args) => {
            log::start(&config.log);
            wait_for(serve::run(&args, &config, GAMES, token(), &mut complaints))
        }
        ProgramVerb::Invite(mut args) => {
            args.lang = args.lang.or(config.host.language);
            invite::run(&args, |name| env::var(name).ok(), &mut out, &mut complaints)
        }
        ProgramVerb::Backup(args) => {
            wait_for(backup::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Restore(args) => {
            wait_for(restore::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Export(args) => {
            wait_for(export::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Import(args) => {
            wait_for(import::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Verify(args) => {
            wait_for(verify::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Replay(args) => {
            wait_for(replay::run(&args, &config, &mut out, &mut complaints))
        }
        ProgramVerb::Simulate(mut args) => {
            args.lang = lang.or(config.host.language);
            simulate::run(&args, &mut out.lock(), &mut complaints)
        }
        ProgramVerb::Stats(args) => wait_for(stats::run(&args, &config, &mut out, &mut complaints)),
        ProgramVerb::Story(args) => story::run(&args, &mut out.lock()),
        ProgramVerb::Check(args) => check::run(&args, &config, &mut out),
        ProgramVerb::Completions(args) => {
            completions::run(&args, words_in(lang, &config), &mut out.lock())
        }
        ProgramVerb::Man(args) => completions::write_manual(&args, words_in(lang, &config)),
    })
}

/// Returns the command line with its texts in a language, or else in that of the host or of this machine.
fn words_in(lang: Option<Lang>, config: &Config) -> clap::Command {
    let lang = lang.unwrap_or_else(|| help::language_of(&[], config.host.language));
    help::with_words(Arguments::command(), lang)
}

/// Parses the command line. The error is the exit code of a misuse, or of `--help` and `--version`.
fn arguments(config: &Result<Config, ConfigFaults>) -> Result<Arguments, ExitCode> {
    let words = help::in_order(env::args_os());
    let host = match config {
        Ok(config) => config.host.language,
        Err(faults) => faults.rest.host.language,
    };
    let parse = |command: clap::Command| {
        let read = command.try_get_matches_from(&words)?;
        Arguments::from_arg_matches(&read)
    };
    // Only help and misuse show the texts of the command line.
    if let Ok(arguments) = parse(Arguments::command()) {
        return Ok(arguments);
    }
    let lang = help::language_of(&words, host);
    match parse(help::with_words(Arguments::command(), lang)) {
        Ok(arguments) => Ok(arguments),
        Err(error) => {
            // The reader of the output may be gone.
            let _ = if error.use_stderr() {
                write!(io::stderr(), "{}", help::misuse(lang, &words, &error))
            } else {
                error.print()
            };
            Err(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Misuse.code())))
        }
    }
}

/// Runs a verb that is asynchronous.
fn wait_for(ended: impl Future<Output = io::Result<Exit>>) -> io::Result<Exit> {
    tokio::runtime::Runtime::new()?.block_on(async {
        // With a handler, a write over the file size limit returns an error, like a full disk, and does not
        // end the process.
        let _heard = signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?;
        ended.await
    })
}

fn end(ended: io::Result<Exit>) -> ExitCode {
    match ended {
        Ok(exit) => exit.into(),
        // The reader of the output is gone, which is not a fault.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Fine.into(),
        Err(error) => {
            // The error itself may be impossible to write.
            let _ = writeln!(io::stderr(), "{error}");
            Exit::Finding.into()
        }
    }
}
