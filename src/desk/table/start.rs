//! The start of a game: the deal, and the first window.

use serde_json::{Map, Value as Json};

use crate::model::{
    Desk, Games, Gm, NotDone, Unloaded, contest, dice, refuse_if, refuse_others,
    return_unused_pause, window_pace,
};
use crate::record::notice::{self};
use crate::record::{
    Brings, BroughtValues, CARRIED, Event, History, News, Notice, Part, Secrecy, identified, record,
};
use crate::window::close::Closing;
use crate::window::next::{NextWindow, extend};
use games::any::{AnyContest, AnyGame};
use games::options_line;
use letters::{Refused, StartRefused};
use rules::dice::Brought;
use rules::text::Lang;
use rules::{Round, Seat};
use store::{
    OutageRow, Result, SeatRow, SetRow, StoreError, TableRow, Touched, WindowRow, places,
    processes, read_hex, read_json, said_ahead, transfer, votes, windows, write_json,
};
use tables::{
    CloseReason, EndKind, HoldReason, PersonSettings, Span, Stage, TableCode, TableSetting, Time,
    WindowNumber,
};

/// Deals and opens the first window. Bot players with the policy `house` take the free chairs. If
/// values are promised, everybody is asked to reveal them, and the game begins at the next request.
/// Refused if `gm` does not lead the table, nobody has sat down, the game has begun, or a promise is to
/// be fulfilled first.
pub async fn start(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    house: &str,
    now: Time,
) -> Result<(), NotDone> {
    let about = (desk.games, gm.into(), house.to_owned());
    desk.at_table(code, now, about, |&(games, ref gm, ref house), tx| {
        Box::pin(async move {
            let game = games.of(&tx.table)?;
            refuse_others(tx, gm).await?;
            refuse_if(tx.table.stage != Stage::Forming, Refused::Begun)?;
            let mut seats = tx.seats().await?;
            refuse_if(seats.is_empty(), StartRefused::Nobody)?;
            game.check_options(&read_json(&tx.table.options)?, tx.table.chairs)?;
            let values = refuse_owing(tx, &seats).await??;
            seat_house(tx, house, &mut seats, &values).await?;
            Ok(deal(tx, games, game, &seats).await?)
        })
    })
    .await
}

/// Seats bot players on the free chairs.
async fn seat_house(
    tx: &mut Touched<'_>,
    house: &str,
    seats: &mut Vec<SeatRow>,
    values: &BroughtValues,
) -> Result<()> {
    for seat in free(&tx.table, seats).collect::<Vec<_>>() {
        let row = SeatRow {
            seat,
            person: None,
            house: Some(house.to_owned()),
            name: String::new(),
            shown_as: None,
            value: values.value_of_next(&tx.table, seat, Brought::Nothing)?,
            salt: None,
            address: None,
            language: None,
            settings: PersonSettings::default(),
        };
        sit(tx, &row, Brought::Nothing).await?;
        seats.push(row);
    }
    seats.sort_by_key(|row| row.seat);
    Ok(())
}

/// Begins the game of a full table if its host wants it to begin then. If values are promised, everybody is
/// asked to reveal them, and the last value revealed begins the game.
pub(crate) async fn begin_if_full(tx: &mut Touched<'_>, games: Games) -> Result<()> {
    if !tx.table.settings.has(TableSetting::BeginsWhenFull) || tx.table.stage != Stage::Forming {
        return Ok(());
    }
    let Ok(game) = games.of(&tx.table) else { return Ok(()) };
    let seats = tx.seats().await?;
    if free(&tx.table, &seats).next().is_some() {
        return Ok(());
    }
    match refuse_owing(tx, &seats).await? {
        Ok(_) => deal(tx, games, game, &seats).await,
        // The promised values have been asked for.
        Err(_) => Ok(()),
    }
}

/// Deals and opens the first window.
async fn deal(
    tx: &mut Touched<'_>,
    games: Games,
    game: &'static dyn AnyGame,
    seats: &[SeatRow],
) -> Result<()> {
    // A person who was invited and has not come has no chair any more.
    votes::drop_calls(tx).await?;
    carry_on(tx, games).await?;
    let options = read_json(&tx.table.options)?;
    let game = game.of_options(&options);
    if let Some(set) = game.set() {
        let (hash, text) = (set.hash.to_string(), set.text.clone());
        transfer::bind_set(tx, &SetRow { hash, game: game.key().to_owned(), text }).await?;
    }
    let dealt = game.open(&options, seats.len(), dice(&tx.table, seats)?);
    let (contest, resolution) = dealt.map_err(|error| StoreError::Failed(error.to_string()))?;
    let state = hex::encode(contest.state_hash());
    let dealt = Event::Dealt { number: WindowNumber::FIRST, entries: resolution.entries, state };
    record(tx, &dealt)?;
    let head = notice::journal_head(tx);
    let next = NextWindow::of(seats, &*contest, tx.now);
    let (dice, commitment) = (tx.table.dice.clone(), tx.table.commitment.clone());
    let values: Vec<_> = seats.iter().map(|row| (row.seat, row.value.clone())).collect();
    let secrecy = Secrecy::of(&tx.table, Some(&*contest));
    let house = seats.iter().filter(|row| row.house.is_some()).map(|row| row.seat).collect();
    let chosen = options_line::chosen(game, &options);
    let line = |lang: Lang| (lang, options_line::line(game, &chosen, lang));
    let options = Lang::ALL.map(line).into_iter().filter(|_| !chosen.is_empty()).collect();
    let (seats, table) = (seats.len(), dice);
    let welcome = Part::Welcome { seats, table, commitment, values, house, options };
    let parts = |you: Option<Seat>| {
        let result = dealt.told_to(you, &secrecy);
        std::iter::once(welcome.clone()).chain(result).chain([head.clone()]).collect()
    };
    next.open(tx, &parts).await
}

/// Returns the values of the seats, or refuses as long as a promise is to be fulfilled. The first time, asks
/// everybody for their values, since nothing else can be chosen once one promise has been fulfilled.
async fn refuse_owing(
    tx: &mut Touched<'_>,
    seats: &[SeatRow],
) -> Result<Result<BroughtValues, Refused>> {
    let values = BroughtValues::of_table(tx).await?;
    let owing = values.missing();
    let Some(first) = owing.first() else { return Ok(Ok(values)) };
    if !values.is_due() {
        let due = Event::Due { seats: owing.clone() };
        let news = News::of(due, seats, tx.now);
        news.tell(tx, "due").await?;
    }
    Ok(Err(StartRefused::Promised(*first).into()))
}

/// Sets a table that is about to be dealt to the state left by the last game of its kind in the same channel,
/// if there is one.
async fn carry_on(tx: &mut Touched<'_>, games: Games) -> Result<()> {
    let Some(carried) = left_behind(tx, games).await? else { return Ok(()) };
    let mut options: Json = read_json(&tx.table.options)?;
    if !options.is_object() {
        options = Json::Object(Map::new());
    }
    options[CARRIED] = carried;
    tx.table.options = write_json(&options)?;
    tx.keep_settings().await?;
    record_settings(tx, games, options)
}

/// Writes the game and its options, which have changed, into the journal.
pub(crate) fn record_settings(tx: &mut Touched<'_>, games: Games, options: Json) -> Result<()> {
    let table = &tx.table;
    let settled = Event::SettingsChanged {
        game: table.game.clone(),
        edition: table.edition.clone(),
        data: table.data.clone(),
        options,
        chairs: table.chairs,
        policies: games.policies_version(&table.game),
    };
    record(tx, &settled)
}

async fn left_behind(tx: &mut Touched<'_>, games: Games) -> Result<Option<Json>> {
    let Some(place) = tx.table.place.clone() else { return Ok(None) };
    let kind = tx.table.game.clone();
    let db = &mut *tx.db;
    for code in places::over_around(db, &place, &kind).await? {
        let Some(table) = db.table(&code).await? else { continue };
        // This edition may not understand the state left by another.
        let Ok(game) = games.of(&table) else { continue };
        let Some(window) = windows::window(db, &code, table.open_window).await? else { continue };
        let history = History::load(db, &code).await?;
        let end = history.events().rev().find(|event| matches!(event, Event::Over { .. }));
        // A cancelled game does not count.
        if matches!(end, Some(Event::Over { how: EndKind::Cancelled, .. })) {
            continue;
        }
        let seats = db.seats(&code).await?;
        let Ok(contest) = contest(db, game, &table, &seats, &window).await else { continue };
        return Ok(contest.carried());
    }
    Ok(None)
}

/// The time since somebody last sat down after which a table that nobody begins ends by itself.
const LONGEST_FORMING: Span = Span::days(30);

/// The time since its last player left, or since it was formed, after which an empty table ends by itself.
pub(crate) const LONGEST_EMPTY: Span = Span::days(1);

/// Returns the free chairs.
pub(crate) fn free<'s>(
    table: &TableRow,
    seats: &'s [SeatRow],
) -> impl Iterator<Item = Seat> + use<'s> {
    let chairs = table.chairs;
    Seat::all(chairs).filter(|seat| seats.iter().all(|row| row.seat != *seat))
}

/// Seats a player with the value they bring, and records this in the journal.
pub(crate) async fn sit(tx: &mut Touched<'_>, row: &SeatRow, brought: Brought) -> Result<()> {
    let (row, who) = &identified(tx, row).await?;
    tx.sit(row).await?;
    tx.look_at(Some(tx.now + LONGEST_FORMING));
    tx.stir();
    let (value, promise) = match brought {
        Brought::Nothing => (None, None),
        Brought::Value(value) => (Some(hex::encode(value)), None),
        Brought::Promise(promise) => (None, Some(hex::encode(promise))),
    };
    let (seat, house, who) = (row.seat, row.house.clone(), who.clone());
    record(tx, &Event::Joined { seat, house, value, promise, who })
}

/// Frees a chair, and records this in the journal. If a promise has been fulfilled, all values are brought
/// anew: the next player could choose a value knowing the revealed one.
pub(crate) async fn stand_up(tx: &mut Touched<'_>, seat: Seat) -> Result<()> {
    let mut values = BroughtValues::of_table(tx).await?;
    let left = Event::Left { seat, anew: values.is_frozen() };
    tx.stand_up(seat).await?;
    if tx.seats().await?.is_empty() {
        tx.look_at(Some(tx.now + LONGEST_EMPTY));
    }
    tx.stir();
    values.hear(&left);
    for owed in values.missing() {
        tx.bring(owed, "").await?;
    }
    record(tx, &left)
}

/// Moves a player, with the value they brought, to a free chair.
pub(crate) async fn change_chair(
    tx: &mut Touched<'_>,
    (row, to): (&SeatRow, Seat),
    values: &BroughtValues,
) -> Result<()> {
    stand_up(tx, row.seat).await?;
    let brought = match values.at(row.seat) {
        Some(Brings::Value(value)) => Brought::Value(read_hex(value)?),
        Some(Brings::Promise(promise)) => Brought::Promise(read_hex(promise)?),
        _ => Brought::Nothing,
    };
    let value = values.value_of_next(&tx.table, to, brought)?;
    sit(tx, &SeatRow { seat: to, value, ..row.clone() }, brought).await
}

/// Closes a window now. Its letters begin with `remarks`.
pub(crate) async fn close(
    tx: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    remarks: Vec<Part>,
) -> Result<()> {
    return_unused_pause(tx).await?;
    let (why, shown, announced) = (CloseReason::GameMaster, &[], None);
    let closing = Closing { games, window, why, remarks, shown, announced };
    closing.resolve(tx).await?;
    Ok(())
}

/// Ends a table before its game is over, and announces its seed and the reason, if there is one. Drops the
/// calls for players.
pub(crate) async fn end_early(
    tx: &mut Touched<'_>,
    games: Games,
    how: EndKind,
    reason: Option<&str>,
) -> Result<()> {
    end_after(tx, games, Vec::new(), how, reason).await
}

/// Ends a table. Its letters begin with `parts`.
pub(crate) async fn end_after(
    tx: &mut Touched<'_>,
    games: Games,
    mut parts: Vec<Part>,
    how: EndKind,
    reason: Option<&str>,
) -> Result<()> {
    let finished = match how {
        EndKind::Ended => finish(tx, games).await?,
        EndKind::Played | EndKind::Drawn | EndKind::Cancelled => None,
    };
    let seed = tx.table.seed.clone();
    let window = tx.table.open_window;
    tx.turn_to(Stage::Over, window, None);
    votes::drop_calls(tx).await?;
    said_ahead::drop_side_lines(tx).await?;
    tx.stir();
    let over = Event::Over { how, seed, reason: reason.map(str::to_owned) };
    record(tx, &over)?;
    let seats = tx.seats().await?;
    let notice = Notice { contest: finished.as_deref(), ..Notice::of(&seats, "end", tx.now) };
    parts.extend(finished.is_some().then_some(Part::Scores));
    parts.push(Part::Event(over));
    notice.post(tx, &|_| parts.clone()).await?;
    // A game that never began has nothing to look back at.
    if window.is_none() { Ok(()) } else { notice::post(tx, &seats, "end", tx.now).await }
}

/// Returns the contest as if its game were over, to be scored; `None` if it has not been dealt, or its rules
/// failed.
async fn finish(tx: &mut Touched<'_>, games: Games) -> Result<Option<Box<dyn AnyContest>>> {
    let (Ok(game), Some(window)) = (games.of(&tx.table), tx.open_window().await?) else {
        return Ok(None);
    };
    let seats = tx.seats().await?;
    match contest(tx.db, game, &tx.table, &seats, &window).await {
        Ok(mut contest) if contest.round() > Round::DEAL => {
            contest.finish();
            Ok(Some(contest))
        }
        Ok(_) | Err(Unloaded::Load(_)) => Ok(None),
        Err(Unloaded::Store(error)) => Err(error),
    }
}

/// Resumes a held table: everybody has the time they had left.
pub(crate) async fn resume(tx: &mut Touched<'_>) -> Result<Result<(), Refused>> {
    let Some(window) = tx.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
    return_unused_pause(tx).await?;
    let pace = window_pace(&tx.table, &window);
    if tx.table.held == Some(HoldReason::Lock) && tx.now < window.closes_at {
        // The clock of a locked table has run on, and its deadline stands.
        let look_at = Some(window.timing().next(&pace));
        tx.turn_to(Stage::Playing, Some(window.number), look_at);
        tx.stir();
        return Ok(Ok(()));
    }
    let began_at = if tx.table.held == Some(HoldReason::Outage) {
        let outage = processes::outage_at(tx.db, window.closes_at).await?;
        outage.map_or(window.closes_at, |outage| outage.began_at)
    } else {
        tx.table.held_at.unwrap_or(tx.now)
    };
    let outage = OutageRow { began_at, ended_at: tx.now };
    extend(tx, &window, &pace, outage).await?;
    Ok(Ok(()))
}
