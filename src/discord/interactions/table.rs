//! Commands and buttons about a table, except declarations: its seats, its end, its verification.

use serde::Deserialize;
use serde_json::Value as Json;
use serenity::all::{ChannelId, MessageId, UserId};
use serenity::http::Route;

use crate::answer::PrivateAnswer;
use crate::controls::{ButtonAction, Control};
use crate::incoming;
use crate::incoming::{Arguments, channel_of};
use crate::interactions::handler::is_forbidden;
use crate::interactions::settings::below;
use crate::interactions::{
    Context, InteractionError, InteractionHandler, Result, person, settings, setup, thread,
};
use desk::commands::Command;
use desk::conversation::named_chair;
use desk::{Form, TableChange, clock};
use games::{GAMES, options_line};
use letters::discord::{
    FormedAt, LeftSeat, NoServer, SatDown, SeatsUnfit, ThreadName, Threadless, TookSeat,
};
use letters::{LetterFault, OptionsMisread, Reader, Refused, SealedThen, follow};
use rules::Seat;
use rules::receipt::Head;
use rules::text::{Lang, fold};
use tables::ids::TableCode;
use tables::{Absence, Pace, Stage, TableSetting, TableSettings};

/// The default policy of bot players.
const HOUSE: &str = "house";

/// Forms a table, in a new thread or in this channel.
pub(super) async fn form(cx: Context<'_>, arguments: &Arguments) -> Result {
    let person = &cx.incoming.person;
    let reader = cx.plain_reader();
    if cx.incoming.server.is_none() {
        return cx.say_to(&reader, &NoServer {});
    }
    let defaults = setup::defaults(cx).await?;
    if let Some(refusal) = setup::may_not_form(cx, &defaults)? {
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
    let written = arguments.get("pace").unwrap_or(&cx.handler.pace);
    let pace = match Pace::read(written, cx.handler.zone) {
        Ok(pace) => pace,
        Err(fault) => {
            return Ok(PrivateAnswer::words(cx.handler.letters.pace_fault(&reader, &fault)?));
        }
    };
    let supposed = Absence::of_game(game.house_for_gone());
    let absence =
        match arguments.get("absence").map(|line| Absence::read(line, &supposed)).transpose() {
            Ok(absence) => absence,
            Err(fault) => {
                return Ok(PrivateAnswer::words(
                    cx.handler.letters.absence_fault(&reader, &fault)?,
                ));
            }
        };
    let line = arguments.get("options").map_or("", String::as_str);
    let options = match options_line::read(game, line) {
        Ok(options) => Json::Object(options),
        Err(fault) => {
            let misread = OptionsMisread { fault: &fault };
            return cx.say_to(&reader, &misread);
        }
    };
    let seats = game.seats();
    let chairs = arguments.get("seats").and_then(|seats| seats.parse().ok());
    let chairs = chairs.unwrap_or_else(|| game.seats_for(&options));
    if !seats.contains(&chairs) {
        let (least, most) = (*seats.start(), *seats.end());
        let unfit = SeatsUnfit { least, most, said: chairs };
        return cx.say_to(&reader, &unfit);
    }
    game.check_options(&options, chairs).map_err(desk::NotDone::from)?;
    let language = arguments.get("language").and_then(|lang| lang.parse::<Lang>().ok());
    let mut host = cx.guest();
    host.language = language.unwrap_or(person.lang);
    let public = Reader::new(game, host.language);
    let name = cx.write(&public, &ThreadName { host: &person.name })?;
    let made = if is_here { Ok(cx.incoming.channel) } else { thread::create(cx, &name).await };
    let channel = match (made, setup::lacking(cx, false)?) {
        (Err(InteractionError::Unsent(unsent)), Some(lacking)) if is_forbidden(&unsent) => {
            return Ok(PrivateAnswer::words(lacking));
        }
        (made, _) => made?,
    };
    let is_threadless = !is_here && channel == cx.incoming.channel;
    thread::store(cx, channel).await?;
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
        place: Some(incoming::place(channel)),
        settings,
        seed: None,
    };
    let formed = desk::form(&cx.handler.desk, form, clock::now()).await?;
    let sits = !is("sit", "no");
    let call = defaults.get("call").map(|role| (role.as_str(), public.lang));
    let mut answer = ready(cx, (channel, &formed.code), sits, absence, call).await?;
    if is_threadless {
        let mut note = cx.write(&reader, &Threadless {})?;
        follow(&mut note, &answer.text);
        answer.text = note;
    }
    Ok(answer)
}

/// Completes a new table: seats the host if they play, sets their absence policy, calls a role, and reports to
/// the host, with missing permissions.
async fn ready(
    cx: Context<'_>,
    (channel, code): (ChannelId, &TableCode),
    sits: bool,
    absence: Option<Absence>,
    call: Option<(&str, Lang)>,
) -> Result {
    let reader = cx.plain_reader();
    let formed = FormedAt { code, thread: channel.to_string() };
    let mut note = cx.write(&reader, &formed)?;
    if sits {
        let seated = match join(cx, code, (None, None)).await {
            Ok(seated) => seated.text,
            // The table exists even if its host cannot sit down.
            Err(error) => cx.refusal_text(error)?,
        };
        follow(&mut note, &seated);
    }
    // The absence policy comes last: the host is seated without its requirements.
    if let Some(absence) = absence {
        let change = TableChange::Absence(absence);
        desk::change_table(&cx.handler.desk, code, cx.account(), change, clock::now()).await?;
    }
    (cx.handler.ring)();
    if let Some((role, public)) = call {
        setup::call_players(cx, (channel, public), role, &mut note).await?;
    }
    if let Some(lacking) = setup::lacking(cx, true)? {
        follow(&mut note, &lacking);
    }
    Ok(below(note, settings::settings(cx, code).await?))
}

/// Handles a press on a button of a table's post.
pub(super) async fn press_button(
    cx: Context<'_>,
    code: &TableCode,
    action: ButtonAction,
) -> Result {
    match action {
        ButtonAction::Join => join(cx, code, (None, None)).await,
        ButtonAction::Leave | ButtonAction::LeaveAsHost => {
            let (sight, reader) = cx.see(code).await?;
            let was_asked = action == ButtonAction::LeaveAsHost;
            let asked = cx.about(&sight, &reader).leave(was_asked).await?;
            if !asked.next_steps.is_empty() {
                return Ok(PrivateAnswer::of(asked, code, &cx.handler.letters, &reader)?);
            }
            (cx.handler.ring)();
            let (seat, host) = (sight.seated()?, sight.is_host);
            let left = LeftSeat { code, seat, host };
            cx.say_to(&reader, &left)
        }
        ButtonAction::Start => {
            desk::start(&cx.handler.desk, code, &cx.incoming.gm(), HOUSE, clock::now()).await?;
            cx.done(code).await
        }
        ButtonAction::Hand => converse(cx, code, Command::Hand).await,
        ButtonAction::Cards => converse(cx, code, Command::Card).await,
        ButtonAction::Show => converse(cx, code, Command::Show).await,
        ButtonAction::Side => converse(cx, code, Command::Side).await,
        ButtonAction::Why => converse(cx, code, Command::Why).await,
        ButtonAction::Always => converse(cx, code, Command::Orders).await,
        ButtonAction::Again => again(cx, code).await,
        ButtonAction::Back => person::back(cx, Some(code)).await,
        // `/declare` and its button draw a panel elsewhere.
        ButtonAction::Declare => cx.done(code).await,
    }
}

/// Seats a person. `words`, if there are any, are mixed into the seed of the dice.
pub(super) async fn join(
    cx: Context<'_>,
    code: &TableCode,
    (words, chair): (Option<&str>, Option<&str>),
) -> Result {
    let guest = cx.guest();
    let words = words.map(str::trim).filter(|words| !words.is_empty());
    let chair = match chair {
        Some(input) => Some(named_chair(&cx.see(code).await?.0, input)?),
        None => None,
    };
    let seat =
        desk::conversation::join(&cx.handler.desk, code, guest, (words, chair), clock::now())
            .await?;
    (cx.handler.ring)();
    person::show_thread(cx.handler, code, cx.incoming.person.id).await?;
    let (sight, reader) = cx.see(code).await?;
    let begun = sight.stage != Stage::Forming;
    let text = cx.write(&reader, &SatDown { code, seat, begun })?;
    let mut answer = PrivateAnswer::words(text);
    follow(&mut answer.text, &sight.mixed_in(&cx.handler.letters, &reader, words)?);
    Ok(answer)
}

/// Seats a person in a seat for which a player is sought.
pub(super) async fn take(cx: Context<'_>, code: &TableCode, seat: Option<Seat>) -> Result {
    let guest = cx.guest();
    let seat = desk::take_seat(&cx.handler.desk, code, seat, guest, clock::now()).await?;
    (cx.handler.ring)();
    person::show_thread(cx.handler, code, cx.incoming.person.id).await?;
    let (_, reader) = cx.see(code).await?;
    cx.say_to(&reader, &TookSeat { code, seat })
}

/// `/table take`: finds the seat by its number or its player's name.
pub(super) async fn take_said(cx: Context<'_>, code: &TableCode, arguments: &Arguments) -> Result {
    let Some(named) = arguments.get("seat") else {
        return take(cx, code, None).await;
    };
    let (sight, _) = cx.see(code).await?;
    let wanted = fold(named.trim());
    let is_meant = |seat: &Seat| {
        let name = sight.names.get(seat.index()).map_or("", String::as_str);
        [seat.name(), name].iter().any(|name| fold(name) == wanted)
    };
    let seat = Seat::all(sight.chairs).find(is_meant).ok_or(Refused::NoSeat)?;
    take(cx, code, Some(seat)).await
}

/// Opens another table like one that is over, in the same thread.
async fn again(cx: Context<'_>, code: &TableCode) -> Result {
    let (sight, _) = cx.see(code).await?;
    if sight.stage != Stage::Over {
        return Err(Refused::Begun.into());
    }
    if sight.seat.is_none() && !sight.is_host {
        return Err(Refused::NotSeated.into());
    }
    let table = cx.read().await?.table(code).await?.ok_or(Refused::NoTable)?;
    let options = serde_json::from_str(&table.options).unwrap_or_default();
    let mut host = cx.guest();
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
    let formed = desk::form(&cx.handler.desk, form, clock::now()).await?;
    let absence = is_set.then_some(sight.absence);
    let thread = table.place.as_ref().and_then(channel_of).unwrap_or(cx.incoming.channel);
    let sits = sight.seat.is_some();
    ready(cx, (thread, &formed.code), sits, absence, None).await
}

/// Carries out a command about a table that has no arguments.
pub(super) async fn converse(cx: Context<'_>, code: &TableCode, command: Command) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let conversation = cx.about(&sight, &reader);
    let answer = match command {
        Command::Hand => conversation.hand()?,
        Command::Card => conversation.card("")?,
        Command::Side => conversation.side("").await?,
        Command::Log => conversation.log().await?,
        Command::Why => conversation.why().await?,
        Command::Receipt => conversation.receipts().await?,
        Command::Close => conversation.close(None).await?,
        Command::Orders => conversation.orders("always").await?,
        _ => conversation.position().await?,
    };
    cx.shown(code, &reader, answer)
}

/// `/side`: writes a line, if one is given, and shows the view of the side.
pub(super) async fn side(cx: Context<'_>, code: &TableCode, arguments: &Arguments) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let conversation = cx.about(&sight, &reader);
    let line = arguments.get("text").map_or("", String::as_str);
    let answer = conversation.side(line).await?;
    if !line.is_empty() {
        (cx.handler.ring)();
    }
    cx.shown(code, &reader, answer)
}

/// The maximum length of a control's id, in units of UTF-16.
const LONGEST: usize = 100;

/// `/table end`: shows the losses and asks for confirmation; with `asked_at`, ends the table if it is
/// unchanged since.
pub(super) async fn end(
    cx: Context<'_>,
    code: &TableCode,
    reason: &str,
    asked_at: Option<&str>,
) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let reason = fitting(code, &sight.revision, reason);
    let answer = cx.about(&sight, &reader).end(&reason, asked_at).await?;
    cx.shown(code, &reader, answer)
}

/// Closes the window, if the table is unchanged since the question.
pub(super) async fn close_confirmed(cx: Context<'_>, code: &TableCode, asked_at: &str) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let conversation = cx.about(&sight, &reader);
    let answer = conversation.close(Some(asked_at)).await?;
    cx.shown(code, &reader, answer)
}

/// Shortens a reason until it fits on the control that ends a table; only this part is shown and published.
fn fitting(code: &TableCode, shown: &str, reason: &str) -> String {
    let mut reason = reason.to_owned();
    loop {
        let (code, shown) = (code.to_owned(), shown.to_owned());
        let control = Control::End { code, shown, reason: reason.clone() };
        if control.to_string().encode_utf16().count() <= LONGEST || reason.pop().is_none() {
            return reason;
        }
    }
}

/// The size of a page of messages, and the maximum number of pages.
const PAGE: u8 = 100;
const PAGES: usize = 30;

/// A message, reduced to the fields that are read.
#[derive(Debug, Deserialize)]
struct FetchedMessage {
    id: MessageId,
    content: String,
    author: MessageAuthor,
}

#[derive(Debug, Deserialize)]
struct MessageAuthor {
    id: UserId,
}

/// Replays a table that is over and compares it with the bot's posts in its thread: Discord stores those,
/// independently of the database.
pub(super) async fn verify(cx: Context<'_>, code: &TableCode) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let heads = posted(cx.handler, code, &reader).await?;
    let answer = cx.about(&sight, &reader).verify(&heads).await?;
    cx.shown(code, &reader, answer)
}

/// Returns the journal heads in the bot's posts about a table, in order.
async fn posted(
    handler: &InteractionHandler,
    code: &TableCode,
    reader: &Reader,
) -> Result<Vec<Head>> {
    let table = handler.desk.store().read().await?.table(code).await?;
    let place = table.and_then(|table| channel_of(table.place.as_ref()?));
    let Some(place) = place else { return Ok(Vec::new()) };
    let ours: MessageAuthor = handler.api.get(Route::UserMe).await?;
    let before = before_a_head(handler, reader)?;
    let (mut heads, mut after) = (Vec::new(), MessageId::new(1));
    for _ in 0..PAGES {
        let page = handler.api.messages::<FetchedMessage>(place, Some(after), PAGE).await;
        // A deleted or inaccessible thread has no heads.
        let Ok(mut page) = page else { break };
        page.sort_by_key(|posted| posted.id);
        let Some(last) = page.last() else { break };
        after = last.id;
        let is_last = page.len() < PAGE.into();
        for posted in page.iter().filter(|posted| posted.author.id == ours.id) {
            let head_in = |line: &str| {
                let head = before.iter().find_map(|before| line.strip_prefix(before))?;
                head.trim().parse().ok()
            };
            heads.extend(posted.content.lines().filter_map(head_in));
        }
        if is_last {
            break;
        }
    }
    Ok(heads)
}

/// Returns the prefix of a line with a head, in every language.
fn before_a_head(
    handler: &InteractionHandler,
    reader: &Reader,
) -> Result<Vec<String>, LetterFault> {
    let line = |lang: Lang| {
        let reader = Reader { lang, ..reader.clone() };
        let letter = handler.letters.write(&reader, &SealedThen { sealed: &[], head: "" })?;
        Ok(letter.trim().to_owned())
    };
    Lang::ALL.into_iter().map(line).collect()
}
