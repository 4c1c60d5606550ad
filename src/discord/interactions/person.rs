//! Commands of people about themselves: their tables, absences and substitutes, dashboards, waiting letters, and
//! the stored data about them.

use futures_util::FutureExt;
use serde_json::json;
use serenity::all::{Permissions, UserId};
use sha2::{Digest, Sha256};

use crate::answer::PrivateAnswer;
use crate::api::Attachment;
use crate::controls::{Control, buttons};
use crate::incoming;
use crate::incoming::{
    Arguments, Destination, Incoming, PickedTarget, channel_of, message_at, thread_of,
};
use crate::interactions::{Context, InteractionError, InteractionHandler, Result, thread};
use crate::posting::{DrawError, posts};
use desk::commands::Command;
use desk::{Contact, LISTED, Letter, Mine, Sight, clock};
use letters::discord::{
    DashboardCame, EraseAsked, ErasedNote, KeptAsFile, ListedTable, NotYours, PrivacyNotice,
    StandsIn, TablesHere,
};
use letters::panel::Style;
use letters::{Moment, Reader, Refused, follow};
use rules::Seat;
use store::{DashboardRow, Knock, ShownAt, StoreError, outbox, people, places, read_json};
use tables::absence::{Period, PeriodFault};
use tables::calling::SettingsTopic;
use tables::ids::{Address, TableCode};
use tables::{HoldReason, PersonSettings};

/// The name of the exported file.
const FILE: &str = "shimekiri.json";

/// Shows a person's tables, the soonest deadline first, and how reliably they declare.
pub(super) async fn my(cx: Context<'_>) -> Result {
    let lang = cx.incoming.person.lang;
    let line = |mine: &Mine| {
        let thread = mine.place.as_ref().and_then(thread_of);
        let reader = mine.sight.reader(lang).with_stamps();
        mine.sight.line_of_own(&cx.handler.letters, &reader, thread.as_deref())
    };
    let reader = cx.plain_reader();
    let answer = cx.speaker(&reader).my(line).await?;
    cx.shown(&TableCode::default(), &reader, answer)
}

/// `/me`: changes or shows a person's settings for all of their tables.
pub(super) async fn me(cx: Context<'_>, arguments: &Arguments) -> Result {
    let reader = cx.plain_reader();
    let topics = [
        ("zone", SettingsTopic::Zone),
        ("quiet", SettingsTopic::Quiet),
        ("calls", SettingsTopic::Calls),
        ("when", SettingsTopic::Calls),
    ];
    let change = |settings: PersonSettings| {
        let mut set =
            topics.iter().filter_map(|(name, topic)| Some((*topic, arguments.get(*name)?)));
        set.try_fold(settings, |settings, (topic, value)| settings.set(topic, value))
    };
    let answer = cx.speaker(&reader).me(change).await?;
    cx.shown(&TableCode::default(), &reader, answer)
}

/// Lists the tables in this channel, the soonest deadline first.
pub(super) async fn list(cx: Context<'_>) -> Result {
    let (place, now) = (incoming::place(cx.incoming.channel), clock::now());
    let mut codes = places::tables_around(&mut cx.read().await?, &place, now).await?;
    let more = codes.len().saturating_sub(LISTED);
    codes.truncate(LISTED);
    let sights = sights(cx, codes).await?;
    let tables = sights.into_iter().map(|(sight, thread)| listed(&sight, thread)).collect();
    cx.say(&TablesHere { tables, more })
}

async fn own_tables(cx: Context<'_>) -> Result<Vec<(Sight, Option<String>)>> {
    let now = clock::now();
    let codes = places::tables_of(&mut cx.read().await?, cx.account(), now).await?;
    sights(cx, codes).await
}

/// Returns the tables as the person sees them, with the thread of each. A table whose rules this program
/// does not know is left out.
async fn sights(cx: Context<'_>, codes: Vec<TableCode>) -> Result<Vec<(Sight, Option<String>)>> {
    let mut sights = Vec::new();
    for code in codes {
        let sight = match cx.see(&code).await {
            Ok((sight, _)) => sight,
            Err(error) if error.refused().is_some() => continue,
            Err(error) => return Err(error),
        };
        let table = cx.read().await?.table(&code).await?;
        let place = table.and_then(|table| table.place);
        sights.push((sight, place.as_ref().and_then(thread_of)));
    }
    Ok(sights)
}

/// Shows the privacy notice.
pub(super) fn privacy(cx: Context<'_>) -> Result {
    let lang = cx.incoming.person.lang;
    let (export, erase) = (Command::Export.called(lang), Command::Erase.called(lang));
    cx.say(&PrivacyNotice { export, erase })
}

/// Exports the stored data about a person as a file.
pub(super) async fn export(cx: Context<'_>) -> Result {
    let stored = desk::personal_data(&cx.handler.desk, cx.account(), clock::now()).await?;
    let file = KeptAsFile { known: stored.is_some() };
    let mut answer = cx.say(&file)?;
    if let Some(stored) = stored {
        let bytes = serde_json::to_vec_pretty(&stored).unwrap_or_default();
        answer.files.push(Attachment { name: FILE.to_owned(), kind: "application/json", bytes });
    }
    Ok(answer)
}

/// Asks for confirmation before a person's data is erased, and lists their tables.
pub(super) async fn erase(cx: Context<'_>) -> Result {
    let known = people::person(&mut cx.read().await?, cx.account()).await?.is_some();
    let sights = own_tables(cx).await?;
    let tables = sights.into_iter().map(|(sight, thread)| listed(&sight, thread)).collect();
    let mut answer = cx.say(&EraseAsked { known, tables })?;
    if known {
        let (reader, style) = (cx.plain_reader(), Style::Grave);
        answer.rows = buttons::one(&cx.handler.letters, &reader, "erase", style, &Control::Erase)?;
    }
    Ok(answer)
}

/// Erases a person's data after their confirmation.
pub(super) async fn forget(cx: Context<'_>) -> Result {
    delete_thread_pings(cx).await?;
    let known = desk::forget(&cx.handler.desk, cx.account(), clock::now()).await?;
    (cx.handler.ring)();
    cx.say(&ErasedNote { known })
}

/// Returns a table's entry in a list.
fn listed(sight: &Sight, thread: Option<String>) -> ListedTable {
    let play = sight.play.as_ref();
    let shut = play.and_then(|play| play.shut);
    let progress = play.zip(sight.seat).map(|(play, seat)| play.progress[seat]);
    ListedTable {
        code: sight.code.clone(),
        game: sight.game.key(),
        thread,
        stage: sight.stage.into_str(),
        held: sight.held.as_ref().map(HoldReason::into_str),
        host: sight.is_host,
        seat: sight.seat,
        taken: sight.taken.len(),
        chairs: sight.chairs,
        progress,
        closes: sight.closes().map(|at| Moment::at(at, sight.pace.zone)),
        announced: shut.map(|shut| Moment::at(shut.announced, sight.pace.zone)),
    }
}

/// `/away`: declares an absence to all tables of a person, or shows the declared ones.
pub(super) async fn away(cx: Context<'_>, arguments: &Arguments) -> Result {
    let text = |name: &str| arguments.get(name).map(String::as_str);
    let (from, until) = (text("from"), text("until"));
    if from.is_none() && until.is_none() {
        return whereabouts(cx, None).await;
    }
    let zone = zone_of(cx).await?;
    let period = Period::between(from, until, zone, clock::now());
    whereabouts(cx, Some(period)).await
}

async fn whereabouts(cx: Context<'_>, period: Option<Result<Period, PeriodFault>>) -> Result {
    let reader = cx.plain_reader();
    let zone = zone_of(cx).await?;
    let answer = cx.speaker(&reader).away(period, zone).await?;
    (cx.handler.ring)();
    cx.shown(&TableCode::default(), &reader, answer)
}

/// Returns the time zone for a person's times: that of the table in this channel or of their only table,
/// or else the default.
async fn zone_of(cx: Context<'_>) -> Result<chrono_tz::Tz> {
    let Ok(code) = thread::code(cx).await else { return Ok(cx.handler.zone) };
    let table = cx.read().await?.table(&code).await?;
    Ok(table.map_or(cx.handler.zone, |table| table.pace.zone))
}

/// Takes back a person's present or future absence.
pub(super) async fn not_away(cx: Context<'_>) -> Result {
    desk::not_away(&cx.handler.desk, cx.account(), clock::now()).await?;
    whereabouts(cx, None).await
}

/// Ends a person's absence at all of their tables, or at one table only.
pub(super) async fn back(cx: Context<'_>, at: Option<&TableCode>) -> Result {
    let reader = cx.plain_reader();
    let answer = cx.speaker(&reader).back(at).await?;
    (cx.handler.ring)();
    cx.shown(&TableCode::default(), &reader, answer)
}

/// The maximum number of rows of controls in a message.
const ROWS: usize = 5;

/// Shows a person the letter for which they were called, with all other waiting letters about the same
/// table, and takes the calls back. Anybody else who presses the control is refused.
pub(super) async fn show_private_letters(cx: Context<'_>, letter: &str) -> Result<()> {
    let own = incoming::own(cx.incoming.person.id);
    let mut knocks = outbox::knocks(&mut cx.read().await?, &own, letter).await?;
    if knocks.is_empty() {
        return cx.send(cx.say(&NotYours {})?).await;
    }
    // Whoever presses soon enough sees the call before its place is stored.
    let source = cx.incoming.source.filter(|message| !message.private);
    let called = knocks.iter_mut().find(|knock| knock.letter == letter);
    if let (Some(called), Some(source)) = (called, source) {
        called.place = Some(incoming::place(cx.incoming.channel));
        called.message = Some(source.id.to_string());
    }
    let mut answer = PrivateAnswer::default();
    for knock in &knocks {
        let sent: Letter = read_json(&knock.body)?;
        let current = desk::as_of(&cx.handler.desk, &sent, clock::now()).await?;
        let (text, rows) = cx.handler.threads.said_now(&sent, current.of(&sent)).await?;
        follow(&mut answer.text, &text);
        for row in rows {
            if !answer.rows.contains(&row) && answer.rows.len() < ROWS {
                answer.rows.push(row);
            }
        }
    }
    cx.send(answer).await?;
    let unread: Vec<&Knock> = knocks.iter().filter(|knock| knock.read_at.is_none()).collect();
    let read: Vec<String> = unread.iter().map(|knock| knock.letter.clone()).collect();
    let noted = cx.handler.desk.store().write_about((read, clock::now()), |(read, now), to| {
        let mark_all = async move {
            for letter in read {
                outbox::mark_come_for(to, letter, *now).await?;
            }
            Ok(())
        };
        mark_all.boxed()
    });
    noted.await?;
    for knock in unread {
        // The letters were read, even if the call stays.
        if let Err(error) = cx.handler.threads.update_ping(knock, &read_json(&knock.body)?).await {
            tracing::warn!(letter = knock.letter, %error, "a call could not be taken back");
        }
    }
    Ok(())
}

/// Deletes the messages in which a person was called.
async fn delete_thread_pings(cx: Context<'_>) -> Result<()> {
    let own = incoming::own(cx.incoming.person.id);
    let knocks = outbox::knocks_for(&mut cx.read().await?, &own).await?;
    for knock in knocks {
        if let Err(error) = cx.handler.threads.delete_ping(&knock).await {
            tracing::warn!(letter = knock.letter, %error, "a call could not be taken away");
        }
    }
    Ok(())
}

impl From<DrawError> for InteractionError {
    fn from(unshown: DrawError) -> Self {
        match unshown {
            DrawError::NotDone(error) => error.into(),
            DrawError::Store(error) => error.into(),
            DrawError::Letter(fault) => fault.into(),
            DrawError::Unsent(unsent) => unsent.into(),
            DrawError::Unwritten(error) => StoreError::Unreadable(error.to_string()).into(),
            DrawError::Undelivered(error) => StoreError::Unreadable(error.to_string()).into(),
        }
    }
}

/// Posts the dashboard in the channel, if the person may post there. In a server it shows only that
/// server's tables.
pub(super) async fn dashboard(cx: Context<'_>) -> Result {
    let now = clock::now();
    if !may_post(cx.incoming) {
        return say_of_dashboard(cx, "forbidden");
    }
    let server = cx.incoming.server.map(incoming::server);
    let mark = desk::dashboard_mark(&cx.handler.desk, cx.account(), server.as_deref(), now).await?;
    let shown = desk::dashboard(&cx.handler.desk, cx.account(), server.as_deref(), now).await?;
    let person = people::person(&mut cx.read().await?, cx.account()).await?;
    let (false, Some(person)) = (shown.tables.is_empty(), person) else {
        return say_of_dashboard(cx, "nothing");
    };
    let lang = cx.incoming.person.lang;
    let mut drawn = posts::draw(&shown, &cx.handler.letters, lang)?;
    drawn["nonce"] = json!(&hex::encode(Sha256::digest(cx.incoming.handle.id.to_string()))[..24]);
    drawn["enforce_nonce"] = json!(true);
    let posted = cx.handler.api.post(cx.incoming.channel, &drawn, Vec::new()).await?;
    let message = posted.id.to_string();
    let row = DashboardRow {
        at: ShownAt { place: incoming::place(cx.incoming.channel), message, refused: false },
        person,
        account: cx.account().clone(),
        server,
        language: lang.code().to_owned(),
        shown: mark,
        shown_at: now,
    };
    let before = cx.handler.desk.store().write_about(row, |row, to| {
        let exchange = async move {
            let before = store::posts::take_dashboard(to, &row.at.place, &row.person).await?;
            store::posts::keep_dashboard(to, row).await.map(|()| before)
        };
        exchange.boxed()
    });
    take_away(cx.handler, &incoming::place(cx.incoming.channel), before.await?.as_deref()).await;
    say_of_dashboard(cx, "posted")
}

/// Deletes the previous dashboard. If that fails, the message stays.
async fn take_away(handler: &InteractionHandler, place: &Address, message: Option<&str>) {
    let Some((channel, message)) = message.and_then(|message| message_at(place, message)) else {
        return;
    };
    if let Err(error) = handler.api.delete(channel, message).await {
        tracing::debug!(%error, "the dashboard before stays as it was");
    }
}

fn say_of_dashboard(cx: Context<'_>, came: &str) -> Result {
    cx.say(&DashboardCame { came })
}

/// True if the person may post in the channel.
fn may_post(incoming: &Incoming) -> bool {
    let Some(allowed) = incoming.allowed.map(Permissions::from_bits_truncate) else {
        // Everybody may post in a direct conversation with the bot.
        return incoming.server.is_none();
    };
    let is_thread = incoming.above != incoming.channel;
    let needed =
        if is_thread { Permissions::SEND_MESSAGES_IN_THREADS } else { Permissions::SEND_MESSAGES };
    allowed.intersects(needed | Permissions::ADMINISTRATOR)
}

/// `/substitute`: names a substitute, or shows the present one.
pub(super) async fn substitute(cx: Context<'_>, code: &TableCode, arguments: &Arguments) -> Result {
    let (sight, reader) = cx.see(code).await?;
    let seat = own_seat(cx, &sight).await?;
    let Some(PickedTarget::Person { id, name, bot }) = &cx.incoming.whom else {
        return standing_in(cx.handler, &sight, &reader, seat).await;
    };
    if *bot {
        let (user, refused) = (Some(id.to_string()), Some("bot"));
        let stands_in = StandsIn { code, user, until: None, refused };
        return cx.say_to(&reader, &stands_in);
    }
    let (now, until) = (clock::now(), arguments.get("until").map(String::as_str));
    let until = match Period::between(None, until, sight.pace.zone, now) {
        Ok(period) => period.until,
        Err(fault) => {
            return Ok(PrivateAnswer::words(cx.handler.letters.period_fault(&reader, &fault)?));
        }
    };
    let to = Contact {
        account: incoming::account(*id),
        name: name.clone(),
        language: sight.language,
        address: incoming::own(*id),
    };
    desk::delegate(&cx.handler.desk, code, cx.account(), to, until, now).await?;
    (cx.handler.ring)();
    show_thread(cx.handler, code, *id).await?;
    standing_in(cx.handler, &sight, &reader, seat).await
}

/// Dismisses a player's substitute.
pub(super) async fn dismiss_substitute(cx: Context<'_>, code: &TableCode) -> Result {
    let seat = desk::dismiss_substitute(&cx.handler.desk, code, cx.account(), clock::now()).await?;
    (cx.handler.ring)();
    let (sight, reader) = cx.see(code).await?;
    standing_in(cx.handler, &sight, &reader, seat).await
}

/// Returns the person's own seat: a substitute cannot name another one.
async fn own_seat(cx: Context<'_>, sight: &Sight) -> Result<Seat> {
    let accounts = store::posts::accounts(&mut cx.read().await?, &sight.code).await?;
    let own = accounts.into_iter().find(|(_, of)| of == cx.account());
    own.map(|(seat, _)| seat).ok_or_else(|| Refused::NotSeated.into())
}

/// Shows the substitute of a seat.
async fn standing_in(
    handler: &InteractionHandler,
    sight: &Sight,
    reader: &Reader,
    seat: Seat,
) -> Result {
    let code = &sight.code;
    let substitute = desk::substitute(&handler.desk, code, seat, clock::now()).await?;
    let user = substitute.as_ref().and_then(|(address, _)| match Destination::parse(address) {
        Some(Destination::User(user)) => Some(user.to_string()),
        _ => None,
    });
    let until = substitute.map(|(_, until)| Moment::end_at(until, sight.pace.zone));
    let rows = match &user {
        Some(_) => {
            let control = Control::TakeBack { code: code.clone() };
            buttons::one(&handler.letters, reader, "take-back", Style::Plain, &control)?
        }
        None => Vec::new(),
    };
    let stands_in = StandsIn { code, user, until, refused: None };
    let text = handler.letters.write(reader, &stands_in)?;
    Ok(PrivateAnswer { text, rows, ..PrivateAnswer::default() })
}

/// Adds a user to the thread of a table, if it has one.
pub(super) async fn show_thread(
    handler: &InteractionHandler,
    code: &TableCode,
    user: UserId,
) -> Result<()> {
    let table = handler.desk.store().read().await?.table(code).await?;
    let thread = table.and_then(|table| channel_of(table.place.as_ref()?));
    if let Some(thread) = thread
        && let Err(unsent) = handler.api.add_to_thread(thread, user).await
    {
        // The user can see the thread without being a member.
        tracing::debug!(%unsent, "somebody was not brought into the thread");
    }
    Ok(())
}
