//! `shimekiri play`: a person at a table, window by window, to the scores. The table is stored in the
//! database: a person who leaves, or is cut off, can return to it.

mod acting;
mod answering;
mod arguments;
mod away;
mod completing;
mod declaring;
mod ending;
mod gm;
mod help;
mod input;
mod own;
mod paint;
mod remembered;
mod seating;
mod session;
mod wrap;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};

use self::answering::TerminalAnswer;
pub use self::arguments::PlayArguments;
use self::input::Input;
use self::paint::Palette;
use self::session::{Result, TerminalSession};
use super::misuse::{Done, explained};
use super::services::RunningServices;
use super::{Exit, TerminalText, language};
use crate::config::Config;
use desk::NotDone;
use desk::clock;
use desk::conversation::{ConversationError, phrases};
use games::GAMES;
use rules::text::Lang;

/// The maximum time between two checks for letters: another process may have delivered some.
const NAP: Duration = Duration::from_millis(500);

/// The time between two checks for expected letters.
const LOOK: Duration = Duration::from_millis(2);

/// Plays until the game is over, or the person leaves. `named` is the language on the command line.
pub(super) async fn run(
    args: &PlayArguments,
    named: Option<Lang>,
    config: &Config,
    complaints: &mut (dyn io::Write + Send),
) -> Done {
    let lang = language(named.or(config.host.language));
    // A misuse creates no database.
    let mut sought = seating::new_form(args, config, lang)?;
    let services = RunningServices::open(config, GAMES, None).await?;
    let lang = seating::language_of(args, named, &services).await.unwrap_or(lang);
    let ended = loop {
        // Nobody waits for another table of a person who plays alone.
        let alone = args.people < 2 && sought.is_some();
        let session = match seating::sit(args, sought, &services, (named, lang)).await {
            Ok(session) => session,
            Err(stopped) => {
                break explained(Err(stopped), &TerminalText::new(lang), complaints);
            }
        };
        let palette = Palette::of(args.color, session.sight.seat);
        match converse(session, &services, palette, alone).await {
            Ok(true) => sought = seating::new_form(args, config, lang)?,
            ended => break ended.map(|_| Exit::Fine),
        }
    };
    services.close().await;
    Ok(ended?)
}

/// Runs the conversation until the game is over or the person leaves. Returns true if a person who plays
/// alone wants another table after it.
async fn converse(
    session: TerminalSession,
    services: &RunningServices,
    palette: Option<Palette>,
    alone: bool,
) -> io::Result<bool> {
    let arrived = services.arrived();
    let session = Arc::new(Mutex::new(session));
    let mut input = Input::open(&session, palette);
    settle(&session, services).await?;
    // A person who returns to a table that is over may look at it until they leave.
    let looks_back = session.lock().await.is_over(clock::now());
    let opening = answering::come_in(&mut *session.lock().await, clock::now()).await?;
    input.print(&opening)?;
    reported(session.lock().await.seen(clock::now()).await)?;
    loop {
        // Once the session shows the end, all letters are among the news.
        let is_told =
            reported(session.lock().await.is_told_over(clock::now()).await)? == Some(true);
        let news =
            reported(answering::news(&mut *session.lock().await, clock::now()).await)?.flatten();
        if let Some(text) = news {
            input.print(&text)?;
            reported(session.lock().await.seen(clock::now()).await)?;
        }
        if !looks_back && is_told {
            let goodbye = session.lock().await.goodbye(clock::now(), alone)?;
            input.print(&goodbye)?;
            let answer = if alone { input.line().await } else { None };
            return Ok(answer.is_some_and(|line| phrases::says_yes(&line)));
        }
        if !looks_back && session.lock().await.is_over(clock::now()) {
            tokio::time::sleep(LOOK).await;
            continue;
        }
        let line = tokio::select! {
            line = input.line() => line,
            () = nap(&arrived) => continue,
        };
        let Some(line) = line else { break };
        let answer =
            answering::handle_line(&mut *session.lock().await, &line, clock::now()).await?;
        match answer {
            TerminalAnswer::Show(text) => input.print(&text)?,
            TerminalAnswer::Leave => break,
        }
        settle(&session, services).await?;
    }
    let goodbye = session.lock().await.goodbye(clock::now(), false)?;
    input.print(&goodbye)?;
    Ok(false)
}

/// Logs a failure of the database, which may pass, and returns `None`; other errors are returned.
fn reported<T>(done: Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(ConversationError::NotDone(NotDone::Store(error))) => {
            tracing::error!(%error, "the database did not answer");
            Ok(None)
        }
        done => Ok(Some(done?)),
    }
}

async fn nap(arrived: &Notify) {
    tokio::select! {
        () = arrived.notified() => {}
        () = tokio::time::sleep(NAP) => {}
    }
}

/// Waits until the effects of the last input have arrived, so that they are shown before the next prompt.
async fn settle(session: &Mutex<TerminalSession>, services: &RunningServices) -> io::Result<()> {
    /// The timeout, after which the clock or the courier has failed and the log tells why. A clock waits for
    /// two heartbeats of a process that has crashed.
    const PATIENCE: Duration = Duration::from_secs(30);
    services.ring();
    let settled = async {
        while reported(session.lock().await.is_settled(clock::now()).await)? == Some(false) {
            tokio::time::sleep(LOOK).await;
        }
        io::Result::Ok(())
    };
    tokio::time::timeout(PATIENCE, settled).await.unwrap_or(Ok(()))
}
