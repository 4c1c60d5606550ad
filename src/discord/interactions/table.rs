//! Commands and buttons about a table, except declarations.

use futures_util::FutureExt;
use serde_json::{Value as Json, json};
use serenity::all::ChannelId;

use crate::address::{self, Destination};
use crate::answer::PrivateAnswer;
use crate::api::Refusal;
use crate::controls::control::ButtonAction;
use crate::incoming::{CommandArguments, Incoming};
use crate::interactions::defaults;
use crate::interactions::handler::{InteractionError, InteractionHandler};
use crate::interactions::reply::{self, is_forbidden};
use crate::interactions::settings::{self, below};
use crate::interactions::{away, conversation, setup, substitute};
use desk::commands::Command;
use desk::conversation::{Conversation, named_chair};
use desk::{Form, TableChange, clock};
use games::{GAMES, options_line};
use letters::discord::{
    FormedAt, LeftSeat, NoServer, SatDown, SeatsUnfit, ThreadName, Threadless, TookSeat,
};
use letters::{OptionsMisread, Reader, Refused, follow};
use rules::Seat;
use rules::text::{Lang, fold};
use store::places;
use tables::ids::TableCode;
use tables::{Absence, Pace, Stage, TableSetting, TableSettings};

/// The default policy of bot players.
const HOUSE: &str = "house";

/// Discord's channel types of a public thread and of one under a channel of announcements, and the minutes of
/// a week, after which such a thread is archived.
const PUBLIC_THREAD: u8 = 11;
const NEWS_THREAD: u8 = 10;
const A_WEEK: u16 = 10_080;

/// Forms a table, in a new thread or in this channel.
pub(super) async fn form(
    handler: &InteractionHandler,
    incoming: &Incoming,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let person = &incoming.person;
    let reader = crate::interactions::plain_reader(person.lang);
    if incoming.server.is_none() {
        let text = handler.letters.write(&reader, &NoServer {})?;
        return Ok(PrivateAnswer::words(text));
    }
    let defaults = defaults::defaults(handler, incoming).await?;
    if let Some(refusal) = defaults::may_not_form(handler, incoming, &defaults)? {
        return Ok(PrivateAnswer::words(refusal));
    }
    let mut whole = defaults.clone();
    whole.extend(arguments.clone());
    let arguments = &whole;
    let is_here = arguments.get("place").is_some_and(|place| place == "here");
    let word = arguments.get("game").map_or(GAMES[0].key(), String::as_str);
    let Some(game) = GAMES.iter().copied().find(|game| game.key() == word) else {
        return Err(Refused::OtherEdition.into());
    };
    let written = arguments.get("pace").unwrap_or(&handler.pace);
    let pace = match Pace::read(written, handler.zone) {
        Ok(pace) => pace,
        Err(fault) => {
            return Ok(PrivateAnswer::words(handler.letters.pace_fault(&reader, &fault)?));
        }
    };
    let supposed = Absence::of_game(game.house_for_gone());
    let absence =
        match arguments.get("absence").map(|line| Absence::read(line, &supposed)).transpose() {
            Ok(absence) => absence,
            Err(fault) => {
                return Ok(PrivateAnswer::words(handler.letters.absence_fault(&reader, &fault)?));
            }
        };
    let line = arguments.get("options").map_or("", String::as_str);
    let options = match options_line::read(game, line) {
        Ok(options) => Json::Object(options),
        Err(fault) => {
            let misread = OptionsMisread { fault: &fault };
            return Ok(PrivateAnswer::words(handler.letters.write(&reader, &misread)?));
        }
    };
    let seats = game.seats();
    let chairs = arguments.get("seats").and_then(|seats| seats.parse().ok());
    let chairs = chairs.unwrap_or_else(|| game.seats_for(&options));
    if !seats.contains(&chairs) {
        let (least, most) = (*seats.start(), *seats.end());
        let unfit = SeatsUnfit { least, most, said: chairs };
        return Ok(PrivateAnswer::words(handler.letters.write(&reader, &unfit)?));
    }
    game.check_options(&options, chairs).map_err(desk::NotDone::from)?;
    let language = arguments.get("language").and_then(|lang| lang.parse::<Lang>().ok());
    let mut host = InteractionHandler::guest(person);
    host.language = language.unwrap_or(person.lang);
    let public = Reader::new(game, host.language);
    let name = handler.letters.write(&public, &ThreadName { host: &person.name })?;
    let made = if is_here { Ok(incoming.channel) } else { thread(handler, incoming, &name).await };
    let channel = match (made, setup::lacking(handler, incoming, false)?) {
        (Err(InteractionError::Unsent(unsent)), Some(lacking)) if is_forbidden(&unsent) => {
            return Ok(PrivateAnswer::words(lacking));
        }
        (made, _) => made?,
    };
    let is_threadless = !is_here && channel == incoming.channel;
    place(handler, incoming, channel).await?;
    let is = |name: &str, wanted: &str| arguments.get(name).is_some_and(|value| value == wanted);
    let settings = TableSettings::default()
        .with(TableSetting::Open, is("gm", "open"))
        .with(TableSetting::BeginsWhenFull, is("begin", "full"));
    let form = Form {
        game: word.to_owned(),
        options,
        chairs,
        pace,
        host,
        place: Some(address::place(channel)),
        settings,
        seed: None,
    };
    let formed = desk::form(&handler.desk, form, clock::now()).await?;
    let sits = !is("sit", "no");
    let call = defaults.get("call").map(|role| (role.as_str(), public.lang));
    let mut answer = ready(handler, incoming, (channel, &formed.code), sits, absence, call).await?;
    if is_threadless {
        let mut note = handler.letters.write(&reader, &Threadless {})?;
        follow(&mut note, &answer.text);
        answer.text = note;
    }
    Ok(answer)
}

/// Completes a new table: seats the host if they play, sets their absence policy, calls a role, and reports to
/// the host, with missing permissions.
async fn ready(
    handler: &InteractionHandler,
    incoming: &Incoming,
    (channel, code): (ChannelId, &TableCode),
    sits: bool,
    absence: Option<Absence>,
    call: Option<(&str, Lang)>,
) -> Result<PrivateAnswer, InteractionError> {
    let reader = crate::interactions::plain_reader(incoming.person.lang);
    let formed = FormedAt { code, thread: channel.to_string() };
    let mut note = handler.letters.write(&reader, &formed)?;
    if sits {
        let seated = match join(handler, incoming, code, (None, None)).await {
            Ok(seated) => seated.text,
            // The table exists even if its host cannot sit down.
            Err(error) => reply::refusal_text(handler, incoming.person.lang, error)?,
        };
        follow(&mut note, &seated);
    }
    // The absence policy comes last: the host is seated without its requirements.
    if let Some(absence) = absence {
        let (host, change) = (address::account(incoming.person.id), TableChange::Absence(absence));
        desk::change_table(&handler.desk, code, &host, change, clock::now()).await?;
    }
    (handler.ring)();
    if let Some((role, public)) = call {
        defaults::call_players(handler, incoming, (channel, public), role, &mut note).await?;
    }
    if let Some(lacking) = setup::lacking(handler, incoming, true)? {
        follow(&mut note, &lacking);
    }
    Ok(below(note, settings::settings(handler, incoming, code).await?))
}

/// Creates a thread for a table, with a name cut to Discord's limit; returns this channel if it cannot
/// have threads, such as a post of a forum or the chat of a voice channel.
pub(super) async fn thread(
    handler: &InteractionHandler,
    incoming: &Incoming,
    name: &str,
) -> Result<ChannelId, InteractionError> {
    let name: String = name.chars().take(90).collect();
    let thread = json!({
        "name": name,
        "type": if incoming.news { NEWS_THREAD } else { PUBLIC_THREAD },
        "auto_archive_duration": A_WEEK,
    });
    match handler.api.thread(incoming.above, &thread).await {
        Ok(made) => Ok(made.id),
        Err(unsent) if unsent.refusal().is_some_and(has_no_threads) => Ok(incoming.channel),
        Err(unsent) => Err(unsent.into()),
    }
}

/// Stores the place of a table's thread, with its parent channel and its server.
pub(super) async fn place(
    handler: &InteractionHandler,
    incoming: &Incoming,
    place: ChannelId,
) -> Result<(), InteractionError> {
    let server = incoming.server.map(address::server);
    let about = (address::place(place), address::place(incoming.above), server);
    let placed = handler.desk.store().write_about(about, |(place, above, server), to| {
        places::put_place(to, place, above, server.as_deref()).boxed()
    });
    Ok(placed.await?)
}

/// Handles a press on a button of a table's post.
pub(super) async fn press_button(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    action: ButtonAction,
) -> Result<PrivateAnswer, InteractionError> {
    let account = address::account(incoming.person.id);
    match action {
        ButtonAction::Join => join(handler, incoming, code, (None, None)).await,
        ButtonAction::Leave | ButtonAction::LeaveAsHost => {
            let (sight, reader) = handler.see(incoming, code).await?;
            let speaker = handler.speaker(&account, &reader);
            let was_asked = action == ButtonAction::LeaveAsHost;
            let asked = Conversation { speaker, sight: &sight }.leave(was_asked).await?;
            if !asked.next_steps.is_empty() {
                return Ok(PrivateAnswer::of(asked, code, &handler.letters, &reader)?);
            }
            (handler.ring)();
            let (seat, host) = (sight.seated()?, sight.is_host);
            let left = LeftSeat { code, seat, host };
            Ok(PrivateAnswer::words(handler.letters.write(&reader, &left)?))
        }
        ButtonAction::Start => {
            desk::start(&handler.desk, code, &incoming.gm(), HOUSE, clock::now()).await?;
            handler.done(incoming, code).await
        }
        ButtonAction::Hand => conversation::converse(handler, incoming, code, Command::Hand).await,
        ButtonAction::Cards => conversation::converse(handler, incoming, code, Command::Card).await,
        ButtonAction::Show => conversation::converse(handler, incoming, code, Command::Show).await,
        ButtonAction::Side => conversation::converse(handler, incoming, code, Command::Side).await,
        ButtonAction::Why => conversation::converse(handler, incoming, code, Command::Why).await,
        ButtonAction::Always => {
            conversation::converse(handler, incoming, code, Command::Orders).await
        }
        ButtonAction::Again => again(handler, incoming, code).await,
        ButtonAction::Back => away::back(handler, incoming, Some(code)).await,
        // `/declare` and its button draw a panel elsewhere.
        ButtonAction::Declare => handler.done(incoming, code).await,
    }
}

/// Seats a person. `words`, if there are any, are mixed into the seed of the dice.
pub(super) async fn join(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    (words, chair): (Option<&str>, Option<&str>),
) -> Result<PrivateAnswer, InteractionError> {
    let guest = InteractionHandler::guest(&incoming.person);
    let words = words.map(str::trim).filter(|words| !words.is_empty());
    let chair = match chair {
        Some(input) => Some(named_chair(&handler.see(incoming, code).await?.0, input)?),
        None => None,
    };
    let seat =
        desk::conversation::join(&handler.desk, code, guest, (words, chair), clock::now()).await?;
    (handler.ring)();
    substitute::show_thread(handler, code, incoming.person.id).await?;
    let (sight, reader) = handler.see(incoming, code).await?;
    let begun = sight.stage != Stage::Forming;
    let text = handler.letters.write(&reader, &SatDown { code, seat, begun })?;
    let mut answer = PrivateAnswer::words(text);
    follow(&mut answer.text, &sight.mixed_in(&handler.letters, &reader, words)?);
    Ok(answer)
}

/// Seats a person in a seat for which a player is sought.
pub(super) async fn take(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    seat: Option<Seat>,
) -> Result<PrivateAnswer, InteractionError> {
    let guest = InteractionHandler::guest(&incoming.person);
    let seat = desk::take_seat(&handler.desk, code, seat, guest, clock::now()).await?;
    (handler.ring)();
    substitute::show_thread(handler, code, incoming.person.id).await?;
    let (_, reader) = handler.see(incoming, code).await?;
    Ok(PrivateAnswer::words(handler.letters.write(&reader, &TookSeat { code, seat })?))
}

/// `/table take`: finds the seat by its number or its player's name.
pub(super) async fn take_said(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
    arguments: &CommandArguments,
) -> Result<PrivateAnswer, InteractionError> {
    let Some(named) = arguments.get("seat") else {
        return take(handler, incoming, code, None).await;
    };
    let (sight, _) = handler.see(incoming, code).await?;
    let wanted = fold(named.trim());
    let is_meant = |seat: &Seat| {
        let name = sight.names.get(seat.index()).map_or("", String::as_str);
        [seat.name(), name].iter().any(|name| fold(name) == wanted)
    };
    let seat = Seat::all(sight.chairs).find(is_meant).ok_or(Refused::NoSeat)?;
    take(handler, incoming, code, Some(seat)).await
}

/// Opens another table like one that is over, in the same thread.
async fn again(
    handler: &InteractionHandler,
    incoming: &Incoming,
    code: &TableCode,
) -> Result<PrivateAnswer, InteractionError> {
    let (sight, _) = handler.see(incoming, code).await?;
    if sight.stage != Stage::Over {
        return Err(Refused::Begun.into());
    }
    if sight.seat.is_none() && !sight.is_host {
        return Err(Refused::NotSeated.into());
    }
    let table = handler.desk.store().read().await?.table(code).await?.ok_or(Refused::NoTable)?;
    let options = serde_json::from_str(&table.options).unwrap_or_default();
    let mut host = InteractionHandler::guest(&incoming.person);
    host.language = sight.language;
    let is_set = sight.absence != sight.supposed_absence();
    let form = Form {
        game: table.game,
        options,
        chairs: sight.chairs,
        pace: sight.pace,
        host,
        place: table.place.clone(),
        settings: sight.settings,
        seed: None,
    };
    let formed = desk::form(&handler.desk, form, clock::now()).await?;
    let absence = is_set.then_some(sight.absence);
    let thread = table.place.as_ref().and_then(Destination::parse);
    let thread = match thread {
        Some(Destination::Channel(thread)) => thread,
        _ => incoming.channel,
    };
    let sits = sight.seat.is_some();
    ready(handler, incoming, (thread, &formed.code), sits, absence, None).await
}

/// True if the channel can have no thread.
const fn has_no_threads(refusal: Refusal) -> bool {
    matches!(refusal, Refusal::WrongChannel | Refusal::TooManyThreads | Refusal::Form)
}
