//! The search for a table: a new one, the person's newest one, or one by its code.

use std::io;

use chrono_tz::Tz;
use sha2::{Digest, Sha256};

use super::arguments::PlayArguments;
use super::session::TerminalSession;
use crate::config::Config;
use crate::mail;
use crate::misuse::{self, Done, Misuse, Stopped};
use crate::services::{RunningServices, letters};
use crate::texts::{NoGame, NoPace, NotJoined, NothingToResume, TakenWithoutTable};
use desk::conversation::{ConversationError, join, named_chair, table_code};
use desk::{Contact, Form, NotDone, clock};
use games::GAMES;
use games::any::AnyGame;
use letters::{Reader, Refused, SeatRefused};
use rules::Seat;
use rules::dice::Brought;
use rules::text::Lang;
use store::traces;
use tables::ids::{AccountId, TableCode};
use tables::{Pace, ResultForm, TableSetting, TableSettings};

/// The code that keys the dice of a table with a given seed (`docs/verify.md`).
const SEEDED: &str = "terminal";

/// The pace of one person among bot players, who wait for nobody: long enough to read the rules in between.
const ALONE: &str = "7d";

/// Returns the stored language of a person who returns without naming one.
pub(super) async fn language_of(
    args: &PlayArguments,
    named: Option<Lang>,
    services: &RunningServices,
) -> Option<Lang> {
    let comes_back = named.is_none() && (args.resume || args.table.is_some());
    let account = comes_back.then(|| mail::account(&args.name))?;
    let mut session = services.desk.store().read().await.ok()?;
    traces::language_of(&mut session, &account).await.ok()??.parse().ok()
}

/// Finds the table, and a chair at it.
pub(super) async fn sit(
    args: &PlayArguments,
    table: Option<NewTable>,
    services: &RunningServices,
    (named, lang): (Option<Lang>, Lang),
) -> Done<TerminalSession> {
    let guest = mail::guest(&args.name, lang);
    let desk = &services.desk;
    let code = if let Some(code) = &args.table {
        let code = table_code(code);
        let (guest, now) = (guest.clone(), clock::now());
        if args.name.is_empty() {
            // A person who played alone gave no name, and may return without one.
            let known = is_known(services, &code, &guest.account).await;
            let known = known.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
            misuse::name(&args.name, !known)?;
        }
        let seated = if let Some(seat) = args.take {
            desk::take_seat(desk, &code, Some(seat), guest, now).await.map(drop)
        } else {
            let chair = match &args.chair {
                Some(input) => Some(chair_at(services, &code, input, lang).await?),
                None => None,
            };
            match join(desk, &code, guest.clone(), (args.value.as_deref(), chair), now).await {
                // A substitute has no chair, and brings no words for the seed.
                Err(NotDone::Refused(
                    refused @ (Refused::Begun | Refused::Over | Refused::Seat(SeatRefused::Full)),
                )) if args.value.is_none() && chair.is_none() => {
                    looks_on(services, &code, &guest, refused).await
                }
                joined => joined.map(drop),
            }
        };
        seated.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
        code
    } else if let Some(table) = table {
        open_table(table, args, services, &guest).await?
    } else {
        let newest = desk::newest_of(desk, &guest.account).await;
        let newest = newest.map_err(|error| not_joined(error.into(), services, "", lang))?;
        newest.ok_or_else(|| Misuse::from(NothingToResume { name: &args.name }))?
    };
    let (mail, letters, policy) = (&services.mail, &services.letters, args.house.clone());
    let session = TerminalSession::open(desk.clone(), mail, letters, code.clone(), guest, policy);
    let session = session.await.map_err(|broken| match broken {
        ConversationError::NotDone(error) => not_joined(error, services, code.as_str(), lang),
        broken => Stopped::Broken(broken.into()),
    })?;
    misuse::policy(session.sight.game, &args.house)?;
    if args.resume && named.is_some() && session.sight.seat.is_some() {
        // A language on the command line also applies to the person's letters.
        let seated =
            desk::join(desk, &code, session.guest.clone(), Brought::Nothing, clock::now()).await;
        seated.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
    }
    Ok(session)
}

/// Lets a person without a chair in if they are known at the table; otherwise returns the refusal.
async fn looks_on(
    services: &RunningServices,
    code: &TableCode,
    guest: &Contact,
    refused: Refused,
) -> Result<(), NotDone> {
    if is_known(services, code, &guest.account).await? { Ok(()) } else { Err(refused.into()) }
}

/// True if a person has a seat at a table, is a substitute or a game master there, or has had a seat.
async fn is_known(
    services: &RunningServices,
    code: &TableCode,
    account: &AccountId,
) -> Result<bool, NotDone> {
    let sight = desk::see(&services.desk, code, account, clock::now()).await?;
    Ok(sight.seat.is_some() || desk::looks_on(&services.desk, code, account).await?)
}

/// Parses the chair of a table.
async fn chair_at(
    services: &RunningServices,
    code: &TableCode,
    input: &str,
    lang: Lang,
) -> Done<Seat> {
    let seen = desk::see(&services.desk, code, None, clock::now()).await;
    let sight = seen.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
    named_chair(&sight, input).map_err(|refused| refused_in_words(refused, services, input, lang))
}

/// A table that is to be opened, with the chair of its host.
pub(super) struct NewTable {
    form: Form,
    chair: Option<Seat>,
}

/// Checks the arguments, and returns the table that they open; `None` if they name one that exists.
pub(super) fn new_form(
    args: &PlayArguments,
    config: &Config,
    lang: Lang,
) -> Done<Option<NewTable>> {
    if args.take.is_some() && args.table.is_none() {
        return Err(Misuse::from(TakenWithoutTable {}).into());
    }
    misuse::people(args.people, args.chairs())?;
    misuse::name(&args.name, args.people > 1 || args.take.is_some())?;
    if args.resume || args.table.is_some() {
        return Ok(None);
    }
    let Some(input) = &args.game else {
        let games: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        return Err(Misuse::from(NoGame { games, verb: None }).into());
    };
    let game = misuse::game(input)?;
    let chairs = args.chairs();
    if !game.seats().contains(&chairs) {
        return Err(Misuse::seats(game, chairs).into());
    }
    let chair = args.chair.as_deref().map(|input| misuse::chair(input, chairs)).transpose()?;
    misuse::policy(game, &args.house)?;
    let options = misuse::options(game, &args.options)?;
    game.check_options(&options, chairs).map_err(|error| misuse::unopened(game, &error))?;
    let seed =
        args.seed.map(|number| (Sha256::digest(number.to_le_bytes()).into(), SEEDED.to_owned()));
    let settings = TableSettings::default()
        .with(TableSetting::BeginsWhenFull, args.begin_when_full)
        .with(TableSetting::FullResults, args.results == ResultForm::Full);
    let form = Form {
        game: game.key().to_owned(),
        options,
        chairs,
        pace: pace(args, config, game, lang)?,
        host: mail::guest(&args.name, lang),
        place: None,
        settings,
        seed,
    };
    Ok(Some(NewTable { form, chair }))
}

/// Opens a table and joins it. With nobody to wait for, the game begins.
async fn open_table(
    NewTable { form, chair }: NewTable,
    args: &PlayArguments,
    services: &RunningServices,
    guest: &Contact,
) -> Done<TableCode> {
    let unformed = |error| not_joined(error, services, "", guest.language);
    let (desk, now) = (&services.desk, clock::now());
    let code = desk::form(desk, form, now).await.map_err(unformed)?.code;
    let joined = join(desk, &code, guest.clone(), (args.value.as_deref(), chair), now);
    joined.await.map_err(unformed)?;
    if args.people < 2 {
        desk::start(desk, &code, &guest.account, &args.house, now).await.map_err(unformed)?;
    }
    Ok(code)
}

fn pace(
    args: &PlayArguments,
    config: &Config,
    game: &'static dyn AnyGame,
    lang: Lang,
) -> Done<Pace> {
    let supposed = if args.people < 2 { ALONE } else { &config.pace.default };
    let input = args.pace.as_deref().unwrap_or(supposed);
    // The zone of a person who plays alone is that of the machine, unless it is configured.
    let alone = args.people < 2 && !config.is_asked_for("pace.zone");
    let zone = alone.then(zone_of_machine).flatten().unwrap_or(config.pace.zone);
    let fault = match Pace::read(input, zone) {
        Ok(pace) => return Ok(pace),
        Err(fault) => fault,
    };
    let reader = Reader::new(game, lang).in_plain_text();
    let why = letters(config, GAMES)?.pace_fault(&reader, &fault).map_err(io::Error::other)?;
    Err(Misuse::from(NoPace { said: input, why }).into())
}

/// Returns the time zone of this machine, if it is known.
fn zone_of_machine() -> Option<Tz> {
    let name = std::env::var("TZ").ok().filter(|name| !name.is_empty());
    let name = name.or_else(|| iana_time_zone::get_timezone().ok())?;
    name.trim_start_matches(':').parse().ok()
}

fn not_joined(error: NotDone, services: &RunningServices, detail: &str, lang: Lang) -> Stopped {
    refused_in_words(error.into(), services, detail, lang)
}

fn refused_in_words(
    error: ConversationError,
    services: &RunningServices,
    detail: &str,
    lang: Lang,
) -> Stopped {
    let refused = match error.refusal() {
        Ok((refused, _)) => refused,
        Err(broken) => return Stopped::Broken(broken.into()),
    };
    // The text of a refusal does not depend on the game.
    let reader = Reader::new(GAMES[0], lang).in_plain_text();
    match services.letters.refused(&reader, refused, detail) {
        Ok(why) => {
            let has_no_seat = matches!(refused, Refused::Begun | Refused::Seat(SeatRefused::Full));
            Misuse::from(NotJoined { why, has_no_seat }).into()
        }
        Err(fault) => io::Error::other(fault).into(),
    }
}
