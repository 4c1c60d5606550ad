//! The program: the command line and its verbs.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, io};

use crate::check::{replaced, sets};
use crate::config::{Config, ConfigFaults};
use crate::misuse::{Console, Done, Misuse, explained};
use crate::texts::{NoBot, OtherCharset};
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
    #[arg(long, global = true, value_name = "LANG")]
    lang: Option<Lang>,
    /// Read the numbers and words of games from the files of this folder, such as GAME/edition.toml
    #[arg(long, global = true, value_name = "FOLDER")]
    data: Option<PathBuf>,
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

/// Runs the program with its command line. Returns the exit code.
pub fn main() -> ExitCode {
    // The log writes there too, from any thread, so no lock may be held.
    let mut complaints = io::stderr();
    let token = || BotToken::read(|name| env::var(name).ok());
    let (config, misread) = match Config::read(env::vars_os()) {
        Ok(config) => (config, Vec::new()),
        Err(ConfigFaults { list, rest }) => (*rest, list),
    };
    let Arguments { verb, lang: named, data } = match arguments(config.host.language) {
        Ok(arguments) => arguments,
        Err(ended) => return ended,
    };
    let alone = verb.is_none();
    let verb = verb.unwrap_or(ProgramVerb::Serve(serve::ServeArguments { check: false }));
    let voice = &TerminalText::new(language(named.or(config.host.language)));
    let mut explain = |text: &str| complaints.write_all(text.as_bytes());
    for fault in &misread {
        let text = voice.say("config", (&fault.what).into(), fault);
        if let Err(error) = explain(&text) {
            return end(Err(error));
        }
    }
    if let Some(Err(misuse)) = data.as_deref().map(replaced::read) {
        return end(explained(Err(misuse.into()), voice, &mut complaints));
    }
    let faults = check::data_faults();
    if faults.is_empty() || !misread.is_empty() {
        let faults = check::config::check(&config, voice);
        match faults.and_then(|faults| explain(&faults.concat()).map(|()| faults)) {
            Ok(faults) if faults.is_empty() && misread.is_empty() => {}
            explained => return end(explained.map(|_| Exit::Misuse)),
        }
    } else if !matches!(verb, ProgramVerb::Check(_)) {
        return end(Err(io::Error::other(faults.join("\n"))));
    }
    if !matches!(verb, ProgramVerb::Check(_)) {
        for fault in sets::offer(&config) {
            let _ = explain(&(fault.written(voice) + "\n"));
        }
    }
    let mut out = io::stdout();
    let console = &mut Console { voice, out: &mut out };
    let ran = match verb {
        ProgramVerb::Play(args) => {
            log::start_if_asked(&config.log);
            if let Some(charset) = other_charset(|name| env::var(name).ok()) {
                let _ = explain(&voice.text(&OtherCharset { charset }));
            }
            wait_for(play::run(&args, named, &config, &mut complaints))
        }
        ProgramVerb::Serve(_) if alone && token() == Err(NoToken::Missing) => {
            Err(Misuse::from(NoBot { game: GAMES[0].key() }).into())
        }
        ProgramVerb::Serve(args) => {
            log::start(&config.log);
            let (lang, token) = (voice.lang, token());
            let ended = serve::run(&args, &config, GAMES, token, lang, &mut complaints);
            wait_for(async { Ok(ended.await?) })
        }
        ProgramVerb::Invite(args) => invite::run(&args, |name| env::var(name).ok(), console),
        ProgramVerb::Backup(args) => wait_for(backup::run(&args, &config, console)),
        ProgramVerb::Restore(args) => wait_for(restore::run(&args, &config, console)),
        ProgramVerb::Export(args) => wait_for(export::run(&args, &config, console)),
        ProgramVerb::Import(args) => wait_for(import::run(&args, &config, console)),
        ProgramVerb::Verify(args) => wait_for(verify::run(&args, &config, console)),
        ProgramVerb::Replay(args) => wait_for(replay::run(&args, &config, console)),
        ProgramVerb::Simulate(args) => simulate::count(&args, console),
        ProgramVerb::Stats(args) => wait_for(stats::run(&args, &config, console)),
        ProgramVerb::Story(args) => story::run(&args, console),
        ProgramVerb::Check(args) => check::run(&args, &config, console),
        ProgramVerb::Completions(args) => completions::run(&args, words_in(voice.lang), console),
        ProgramVerb::Man(args) => completions::write_manual(&args, words_in(voice.lang)),
    };
    end(explained(ran, voice, &mut complaints))
}

/// Returns the command line with its texts in a language.
fn words_in(lang: Lang) -> clap::Command {
    help::with_words(Arguments::command(), lang)
}

/// Parses the command line. The error is the exit code of a misuse, or of `--help` and `--version`.
fn arguments(host: Option<Lang>) -> Result<Arguments, ExitCode> {
    let words = help::in_order(env::args_os());
    let parse = |command: clap::Command| {
        let read = command.try_get_matches_from(&words)?;
        Arguments::from_arg_matches(&read)
    };
    // Only help and misuse show the texts of the command line.
    if let Ok(arguments) = parse(Arguments::command()) {
        return Ok(arguments);
    }
    let lang = help::language_of(&words, host);
    parse(words_in(lang)).map_err(|error| {
        // The reader of the output may be gone.
        let _ = if error.use_stderr() {
            write!(io::stderr(), "{}", help::misuse(lang, &words, &error))
        } else {
            error.print()
        };
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(Exit::Misuse.code()))
    })
}

/// Runs a verb that is asynchronous.
fn wait_for(ended: impl Future<Output = Done>) -> Done {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
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
