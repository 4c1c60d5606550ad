//! Finding a table: a new one, the newest of one's own, or one by its code.

use chrono_tz::Tz;
use sha2::{Digest, Sha256};

use super::arguments::PlayArguments;
use super::session::TerminalSession;
use crate::config::Config;
use crate::mail;
use crate::misuse::{self, Misuse};
use crate::services::RunningServices;
use crate::texts::{NoGame, NoPace, NotJoined, NothingToResume, TakenWithoutTable};
use desk::clock;
use desk::conversation::{ConversationError, join, table_code};
use desk::{Form, Guest, NotDone, TableChange};
use games::GAMES;
use games::any::AnyGame;
use letters::{Reader, Refused, SeatRefused};
use rules::Seat;
use rules::dice::Brought;
use rules::text::Lang;
use tables::ids::{AccountId, TableCode};
use tables::{Pace, ResultForm};

/// What a table is called where its dice are keyed, if its seed is said in advance
/// (`docs/verify.md`).
const SEEDED: &str = "terminal";

/// The pace for one person among house players, whose turns wait for nobody: long enough to read the
/// rules in between.
const ALONE: &str = "7d";

/// Why somebody does not sit at a table.
pub(super) enum NotSeated {
    /// What was typed cannot be carried out.
    Misuse(Misuse),
    /// Something is wrong with us.
    Broken(ConversationError),
}

impl From<Misuse> for NotSeated {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

/// The language in which somebody comes back who says none: that of before.
pub(super) async fn language_of(args: &PlayArguments, services: &RunningServices) -> Option<Lang> {
    let comes_back = args.lang.is_none() && (args.resume || args.table.is_some());
    let account = comes_back.then(|| mail::account(&args.name))?;
    let mut session = services.desk.store().read().await.ok()?;
    session.language_of(&account).await.ok()??.parse().ok()
}

/// Finds the table, and a chair at it.
pub(super) async fn sit(
    args: &PlayArguments,
    config: &Config,
    services: &RunningServices,
    lang: Lang,
) -> Result<TerminalSession, NotSeated> {
    if args.take.is_some() && args.table.is_none() {
        return Err(Misuse::from(TakenWithoutTable {}).into());
    }
    misuse::people(args.people, args.chairs())?;
    misuse::name(&args.name, args.people > 1 || args.take.is_some())?;
    let guest = mail::guest(&args.name, lang);
    let desk = &services.desk;
    let code = if let Some(code) = &args.table {
        let code = table_code(code);
        let (guest, now) = (guest.clone(), clock::now());
        if args.name.is_empty() {
            // Who played alone has said no name, and may come back without one.
            let known = is_known(services, &code, &guest.account).await;
            let known = known.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
            misuse::name(&args.name, !known)?;
        }
        let seated = if let Some(seat) = args.take {
            desk.take_seat(&code, Some(seat), guest, now).await.map(drop)
        } else {
            let chair = match &args.chair {
                Some(said) => Some(chair_at(services, &code, said, lang).await?),
                None => None,
            };
            match join(desk, &code, guest.clone(), (args.value.as_deref(), chair), now).await {
                // Who stands in for somebody has no chair of their own, and brings no value.
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
    } else if args.resume {
        let newest = desk.newest_of(&guest.account).await;
        let newest = newest.map_err(|error| not_joined(error.into(), services, "", lang))?;
        newest.ok_or_else(|| Misuse::from(NothingToResume { name: &args.name }))?
    } else {
        form(args, config, services, &guest).await?
    };
    let (mail, letters, policy) = (&services.mail, &services.letters, args.house.clone());
    let session = TerminalSession::open(desk.clone(), mail, letters, code.clone(), guest, policy);
    let session = session.await.map_err(|broken| match broken {
        ConversationError::NotDone(error) => not_joined(error, services, code.as_str(), lang),
        broken => NotSeated::Broken(broken),
    })?;
    misuse::policy(session.sight.game, &args.house)?;
    if args.resume && args.lang.is_some() && session.sight.seat.is_some() {
        // Who says a language wants their letters in it, too.
        let seated = desk.join(&code, session.guest.clone(), Brought::Nothing, clock::now()).await;
        seated.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
    }
    Ok(session)
}

/// True if somebody without a chair comes in all the same: they stand in for somebody, decide at the
/// table, or have sat there.
async fn looks_on(
    services: &RunningServices,
    code: &TableCode,
    guest: &Guest,
    refused: Refused,
) -> Result<(), NotDone> {
    if is_known(services, code, &guest.account).await? { Ok(()) } else { Err(refused.into()) }
}

/// Whether somebody sits at a table, stands in for somebody there, decides there, or has sat there.
async fn is_known(
    services: &RunningServices,
    code: &TableCode,
    account: &AccountId,
) -> Result<bool, NotDone> {
    let sight = services.desk.see(code, account, clock::now()).await?;
    Ok(sight.seat.is_some() || services.desk.looks_on(code, account).await?)
}

/// The chair of a table that goes by this name.
async fn chair_at(
    services: &RunningServices,
    code: &TableCode,
    said: &str,
    lang: Lang,
) -> Result<Seat, NotSeated> {
    let seen = services.desk.see(code, None, clock::now()).await;
    let sight = seen.map_err(|error| not_joined(error, services, code.as_str(), lang))?;
    sight.chair(said).map_err(|refused| refused_in_words(refused, services, said, lang))
}

/// Forms a table and joins it. With nobody to wait for, the game begins.
async fn form(
    args: &PlayArguments,
    config: &Config,
    services: &RunningServices,
    guest: &Guest,
) -> Result<TableCode, NotSeated> {
    let Some(said) = &args.game else {
        let games: Vec<&str> = GAMES.iter().map(|game| game.key()).collect();
        return Err(Misuse::from(NoGame { games, verb: None }).into());
    };
    let game = misuse::game(said)?;
    let chairs = args.chairs();
    if !game.seats().contains(&chairs) {
        return Err(Misuse::seats(game, chairs).into());
    }
    let chair = args.chair.as_deref().map(|said| misuse::chair(said, chairs)).transpose()?;
    misuse::policy(game, &args.house)?;
    let seed =
        args.seed.map(|number| (Sha256::digest(number.to_le_bytes()).into(), SEEDED.to_owned()));
    let form = Form {
        game: game.key().to_owned(),
        options: misuse::options(game, &args.options)?,
        chairs,
        pace: pace(args, config, services, game, guest.language)?,
        host: guest.clone(),
        place: None,
        seed,
    };
    let unformed = |error| match error {
        NotDone::Options(error) => misuse::unopened(game, &error).into(),
        error => not_joined(error, services, "", guest.language),
    };
    let (desk, now) = (&services.desk, clock::now());
    let code = desk.form(form, now).await.map_err(unformed)?.code;
    if args.begin_when_full {
        let change = TableChange::BeginsWhenFull(true);
        desk.change_table(&code, &guest.account, change, now).await.map_err(unformed)?;
    }
    if args.results != ResultForm::default() {
        let change = TableChange::Results(args.results);
        desk.change_table(&code, &guest.account, change, now).await.map_err(unformed)?;
    }
    let joined = join(desk, &code, guest.clone(), (args.value.as_deref(), chair), now);
    joined.await.map_err(unformed)?;
    if args.people < 2 {
        desk.start(&code, &guest.account, &args.house, now).await.map_err(unformed)?;
    }
    Ok(code)
}

fn pace(
    args: &PlayArguments,
    config: &Config,
    services: &RunningServices,
    game: &dyn AnyGame,
    lang: Lang,
) -> Result<Pace, NotSeated> {
    let supposed = if args.people < 2 { ALONE } else { &config.pace.default };
    let said = args.pace.as_deref().unwrap_or(supposed);
    // Who plays alone lives where this machine is, unless somebody has said otherwise.
    let alone = args.people < 2 && !config.is_asked_for("pace.zone");
    let zone = alone.then(zone_of_machine).flatten().unwrap_or(config.pace.zone);
    Pace::read(said, zone).map_err(|fault| {
        match services.letters.pace_fault(&Reader::new(game, lang).in_plain_text(), &fault) {
            Ok(why) => Misuse::from(NoPace { said, why }).into(),
            Err(fault) => NotSeated::Broken(fault.into()),
        }
    })
}

/// The zone of this machine, if it says one that is known.
fn zone_of_machine() -> Option<Tz> {
    let said = std::env::var("TZ").ok().filter(|said| !said.is_empty());
    let said = said.or_else(|| iana_time_zone::get_timezone().ok())?;
    said.trim_start_matches(':').parse().ok()
}

fn not_joined(error: NotDone, services: &RunningServices, said: &str, lang: Lang) -> NotSeated {
    refused_in_words(error.into(), services, said, lang)
}

fn refused_in_words(
    error: ConversationError,
    services: &RunningServices,
    said: &str,
    lang: Lang,
) -> NotSeated {
    let refused = match error.refusal() {
        Ok((refused, _)) => refused,
        Err(broken) => return NotSeated::Broken(broken),
    };
    // A refusal is told in the same words whatever is played.
    let reader = Reader::new(GAMES[0], lang).in_plain_text();
    match services.letters.refused(&reader, refused, said) {
        Ok(why) => {
            let has_no_seat = matches!(refused, Refused::Begun | Refused::Seat(SeatRefused::Full));
            Misuse::from(NotJoined { why, has_no_seat }).into()
        }
        Err(fault) => NotSeated::Broken(fault.into()),
    }
}
