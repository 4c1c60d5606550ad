//! `shimekiri play`: a person at a table, window by window, to the scores. The table lives in the
//! database: whoever leaves, or is cut off, finds it again.

mod acting;
mod away;
mod completing;
mod declaring;
mod ending;
mod gm;
mod input;
mod own;
mod seating;
mod session;
mod wrap;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};

use self::input::Input;
use self::session::{TerminalAnswer, TerminalSession};
use super::services::RunningServices;
use super::{Exit, TerminalText, language};
use crate::clock;
use crate::config::Config;
use crate::conversation::ConversationError;
use crate::desk::NotDone;
use crate::rules::Seat;
use crate::rules::seat::NoSuchSeat;
use crate::rules::text::{self, Lang};
use crate::tables::ResultForm;

/// How long to wait at most before looking for letters again: another process may have brought
/// some.
const NAP: Duration = Duration::from_millis(500);

/// How long to wait before looking again for what is on its way.
const LOOK: Duration = Duration::from_millis(2);

/// What can be said to `shimekiri play`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlayArguments {
    /// The game, by its word; not with --resume or --table
    #[arg(conflicts_with_all = ["resume", "table"])]
    pub game: Option<String>,
    /// Go on with your newest table that is not over
    #[arg(long, conflicts_with = "table")]
    pub resume: bool,
    /// Join the table of this code, or go on there
    #[arg(long, value_name = "CODE")]
    pub table: Option<String>,
    /// With --table, take this seat, such as P2: a player is sought for it, or you are asked to
    #[arg(long, value_name = "SEAT", requires = "table", value_parser = seat)]
    pub take: Option<Seat>,
    /// What you are called at the table, and known by when you come back
    #[arg(
        long = "as",
        visible_alias = "name",
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    pub name: String,
    /// Words of your own that are mixed into the dice for your seat [default: drawn]
    #[arg(long, value_name = "WORDS", conflicts_with_all = ["resume", "take"])]
    pub value: Option<String>,
    /// How many play, you among them
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with_all = ["resume", "table"])]
    pub seats: usize,
    /// How many people will play: one begins at once; with more, the table waits for "start", anybody
    /// may sit down on a free chair until then, and house players take the rest
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with_all = ["resume", "table"])]
    pub people: usize,
    /// Begin as soon as somebody sits on every chair, instead of waiting for "start"
    #[arg(long, conflicts_with_all = ["resume", "table"])]
    pub begin_when_full: bool,
    /// How results are told: short, what changed; or full, the whole form of the source
    #[arg(long, value_name = "FORM", default_value_t, conflicts_with_all = ["resume", "table"])]
    pub results: ResultForm,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
    /// When windows close: 10m, 2h, "daily 21:00", "weekdays 22:00", …
    /// [default: 7d, or the configured pace with more than one person]
    #[arg(long, value_name = "PACE", conflicts_with_all = ["resume", "table"])]
    pub pace: Option<String>,
    /// The number that all chance follows from [default: drawn]
    #[arg(long, value_name = "N", conflicts_with_all = ["resume", "table"])]
    pub seed: Option<u64>,
    /// Who the others are: random, or a policy of the game
    #[arg(long, value_name = "POLICY", default_value = "house")]
    pub house: String,
    /// An option of the game, as NAME=VALUE; can be said several times
    #[arg(long = "option", value_name = "NAME=VALUE", conflicts_with_all = ["resume", "table"])]
    pub options: Vec<String>,
}

/// A seat, as somebody types it.
fn seat(said: &str) -> Result<Seat, NoSuchSeat> {
    text::fold(said.trim()).to_uppercase().parse()
}

/// Plays until the game is over, or the person leaves.
///
/// # Errors
/// If something cannot be read or written, or the database cannot be used.
pub async fn run(
    args: &PlayArguments,
    config: &Config,
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let lang = language(args.lang.or(config.host.language));
    let voice = TerminalText::new(lang);
    let services = match RunningServices::open(config, None).await {
        Ok(services) => services,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let sat = seating::sit(args, config, &services, lang).await;
    let ended = match sat {
        Ok(session) => converse(session, &services).await.map(|()| Exit::Fine),
        Err(seating::NotSeated::Misuse(misuse)) => misuse.complain(&voice, complaints),
        Err(seating::NotSeated::Broken(broken)) => Err(io::Error::other(broken)),
    };
    services.close().await;
    ended
}

/// Speaks with the person until the game is over or they leave.
async fn converse(session: TerminalSession, services: &RunningServices) -> io::Result<()> {
    let arrived = services.arrived();
    let session = Arc::new(Mutex::new(session));
    let mut input = Input::open(&session);
    settle(&session, services).await?;
    // Who comes back to a table that is over looks back at it, until they leave.
    let looks_back = session.lock().await.is_over(clock::now());
    let opening = session.lock().await.come_in(clock::now()).await?;
    input.print(&opening)?;
    told(session.lock().await.seen(clock::now()).await)?;
    loop {
        // By now every letter of the end has arrived, and is among the news.
        let is_told = told(session.lock().await.is_told_over(clock::now()).await)? == Some(true);
        let news = told(session.lock().await.news(clock::now()).await)?.flatten();
        if let Some(text) = news {
            input.print(&text)?;
            told(session.lock().await.seen(clock::now()).await)?;
        }
        if !looks_back && is_told {
            break;
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
        let answer = session.lock().await.handle_line(&line, clock::now()).await?;
        match answer {
            TerminalAnswer::Show(text) => input.print(&text)?,
            TerminalAnswer::Leave => break,
        }
        settle(&session, services).await?;
    }
    let goodbye = session.lock().await.goodbye(clock::now())?;
    input.print(&goodbye)
}

/// What the database cannot do now it may do later: that is for the log, and nothing is shown.
fn told<T>(done: Result<T, ConversationError>) -> io::Result<Option<T>> {
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

/// What the person has just said may have brought something about: it is told before they are
/// asked for more.
async fn settle(session: &Mutex<TerminalSession>, services: &RunningServices) -> io::Result<()> {
    /// A clock or a courier that takes longer has failed, and is told about in the log.
    const PATIENCE: Duration = Duration::from_secs(10);
    services.ring();
    let settled = async {
        while told(session.lock().await.is_settled(clock::now()).await)? == Some(false) {
            tokio::time::sleep(LOOK).await;
        }
        io::Result::Ok(())
    };
    tokio::time::timeout(PATIENCE, settled).await.unwrap_or(Ok(()))
}
