//! `shimekiri play`: one person at a table of house players, window by window, to the scores.

mod input;
mod sitting;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono_tz::Tz;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use self::input::{Input, Typed};
use self::sitting::{Answer, Sitting, follow};
use super::misuse::{self, Misuse};
use super::{Exit, Voice, language};
use crate::clock;
use crate::games::any::AnyGame;
use crate::letters::Letters;
use crate::rules::text::Lang;
use crate::rules::{BySeat, Dice, Seat, Viewer};
use crate::tables::{Occupant, Pace, Table};

/// How long to sleep at most before looking at the clock again.
const NAP: Duration = Duration::from_hours(1);

/// What the table is called where its dice are keyed (`docs/verify.md`).
const TABLE: &str = "terminal";

/// What can be said to `shimekiri play`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The game, by its word
    pub game: String,
    /// How many play, you among them
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub seats: usize,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
    /// From the opening of a window to its deadline, such as 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = pace)]
    pub pace: Duration,
    /// The number that all chance follows from [default: drawn]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Who the others are: random, or a policy of the game
    #[arg(long, value_name = "POLICY", default_value = "house")]
    pub house: String,
    /// What you are called at the table
    #[arg(long, value_name = "NAME", default_value = "")]
    pub name: String,
    /// An option of the game, as NAME=VALUE; can be said several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
}

/// Plays a game to its end, or until the person leaves.
///
/// # Errors
/// If something cannot be read or written, or the game itself is broken.
pub fn run(args: &Args, complaints: &mut dyn io::Write) -> io::Result<Exit> {
    let lang = language(args.lang);
    let mut complain = |misuse: Misuse| misuse.complain(&Voice::new(lang), complaints);
    let (game, options) = match read(args) {
        Ok(read) => read,
        Err(said) => return complain(said),
    };
    let seed = seed(args.seed);
    let dealt = game.open(&options, args.seats, Dice::new(seed, TABLE));
    let (contest, dealt) = match dealt {
        Ok(dealt) => dealt,
        Err(error) => return complain(misuse::unopened(game, &error)),
    };
    let me = Seat::new(0);
    let occupants = BySeat::new(args.seats, |seat| {
        if seat == me {
            Occupant::Person(args.name.clone())
        } else {
            Occupant::House(args.house.clone())
        }
    });
    let period = i64::try_from(args.pace.as_millis()).unwrap_or(i64::MAX);
    let early = contest.procedure().closes_early;
    let pace = Pace { early, ..Pace::play(period, Tz::UTC) };
    let table = Table::new(contest, occupants, pace, clock::now());
    let house = Dice::new(Sha256::digest(seed).into(), "house");
    let mut sitting = Sitting::new(game, table, me, Letters::built_in(), lang, house);
    let mut shown = sitting.welcome(TABLE, &hex::encode(Sha256::digest(seed)))?;
    follow(&mut shown, &sitting.tell(0, dealt.entries(Viewer::Seat(me)))?);
    follow(&mut shown, &sitting.open(clock::now())?);
    converse(sitting, &shown, &seed)?;
    Ok(Exit::Fine)
}

fn read(args: &Args) -> Result<(&'static dyn AnyGame, Json), Misuse> {
    let game = misuse::game(&args.game)?;
    misuse::policy(game, &args.house)?;
    Ok((game, misuse::options(&args.options)?))
}

/// Speaks with the person until the game is over or they leave.
fn converse(sitting: Sitting, opening: &str, seed: &[u8; 32]) -> io::Result<()> {
    let sitting = Arc::new(Mutex::new(sitting));
    let lock = || sitting.lock().unwrap_or_else(PoisonError::into_inner);
    let mut input = Input::open(&sitting);
    input.print(opening)?;
    loop {
        if let Some(shown) = lock().close_if_due(clock::now())? {
            input.print(&shown)?;
        }
        if lock().is_over() {
            break;
        }
        if let Some(shown) = lock().remind_if_due(clock::now())? {
            input.print(&shown)?;
        }
        let left = lock().due_next().saturating_sub(clock::now()).max(0);
        let left = Duration::from_millis(left.unsigned_abs());
        match input.wait(left.min(NAP)) {
            Typed::Line(line) => {
                let answer = lock().hear(&line, clock::now())?;
                match answer {
                    Answer::Show(text) => input.print(&text)?,
                    Answer::Leave => break,
                }
            }
            Typed::Nothing => {}
            Typed::End => break,
        }
    }
    let goodbye = lock().goodbye(&hex::encode(seed))?;
    input.print(&goodbye)?;
    Ok(())
}

/// A pace, which leaves somebody time to declare.
fn pace(said: &str) -> Result<Duration, String> {
    let pace = humantime::parse_duration(said).map_err(|error| error.to_string())?;
    if pace < Duration::from_secs(1) {
        return Err("a window is open for at least a second; write 10m or 2h".to_owned());
    }
    Ok(pace)
}

/// The seed of the table's dice: the number said, hashed, or 32 bytes of chance.
fn seed(said: Option<u64>) -> [u8; 32] {
    match said {
        Some(number) => Sha256::digest(number.to_le_bytes()).into(),
        None =>
        {
            #[expect(
                clippy::disallowed_methods,
                reason = "the seed that the table's dice follow from"
            )]
            rand::random()
        }
    }
}
