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
    processes, read_hex, read_json, said_ahead, transfer, votes, write_json,
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
    let starting = Starting { games: desk.games, gm: gm.into(), house: house.to_owned() };
    desk.at_table(code, now, starting, |starting, touched| Box::pin(starting.carry_out(touched)))
        .await
}

struct Starting {
    games: Games,
    gm: Gm,
    house: String,
}

impl Starting {
    async fn carry_out(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        let game = self.games.of(&touched.table)?;
        refuse_others(touched, &self.gm).await?;
        refuse_if(touched.table.stage != Stage::Forming, Refused::Begun)?;
        let mut seats = touched.seats().await?;
        refuse_if(seats.is_empty(), StartRefused::Nobody)?;
        game.check_options(&read_json(&touched.table.options)?, touched.table.chairs)?;
        let values = refuse_owing(touched, &seats).await??;
        self.seat_house(touched, &mut seats, &values).await?;
        Ok(deal(touched, self.games, game, &seats).await?)
    }

    /// Seats bot players on the free chairs.
    async fn seat_house(
        &self,
        touched: &mut Touched<'_>,
        seats: &mut Vec<SeatRow>,
        values: &BroughtValues,
    ) -> Result<()> {
        for seat in free(&touched.table, seats).collect::<Vec<_>>() {
            let row = SeatRow {
                seat,
                person: None,
                house: Some(self.house.clone()),
                name: String::new(),
                value: values.value_of_next(&touched.table, seat, Brought::Nothing)?,
                salt: None,
                address: None,
                language: None,
                settings: PersonSettings::default(),
            };
            sit(touched, &row, Brought::Nothing).await?;
            seats.push(row);
        }
        seats.sort_by_key(|row| row.seat);
        Ok(())
    }
}

/// Begins the game of a full table if its host wants it to begin then. If values are promised, everybody is
/// asked to reveal them, and the last value revealed begins the game.
pub(crate) async fn begin_if_full(touched: &mut Touched<'_>, games: Games) -> Result<()> {
    if !touched.table.settings.has(TableSetting::BeginsWhenFull)
        || touched.table.stage != Stage::Forming
    {
        return Ok(());
    }
    let Ok(game) = games.of(&touched.table) else { return Ok(()) };
    let seats = touched.seats().await?;
    if free(&touched.table, &seats).next().is_some() {
        return Ok(());
    }
    match refuse_owing(touched, &seats).await? {
        Ok(_) => deal(touched, games, game, &seats).await,
        // The promised values have been asked for.
        Err(_) => Ok(()),
    }
}

/// Deals and opens the first window.
async fn deal(
    touched: &mut Touched<'_>,
    games: Games,
    game: &'static dyn AnyGame,
    seats: &[SeatRow],
) -> Result<()> {
    // A person who was invited and has not come has no chair any more.
    votes::drop_calls(touched).await?;
    carry_on(touched, games).await?;
    let options = read_json(&touched.table.options)?;
    let game = game.of_options(&options);
    if let Some(set) = game.set() {
        let (hash, text) = (set.hash.to_string(), set.text.clone());
        transfer::bind_set(touched, &SetRow { hash, game: game.key().to_owned(), text }).await?;
    }
    let dealt = game.open(&options, seats.len(), dice(&touched.table, seats)?);
    let (contest, resolution) = dealt.map_err(|error| StoreError::Failed(error.to_string()))?;
    let state = hex::encode(contest.state_hash());
    let dealt = Event::Dealt { number: WindowNumber::FIRST, entries: resolution.entries, state };
    record(touched, &dealt)?;
    let head = notice::journal_head(touched);
    let next = NextWindow::of(seats, &*contest, touched.now);
    let (dice, commitment) = (touched.table.dice.clone(), touched.table.commitment.clone());
    let values: Vec<_> = seats.iter().map(|row| (row.seat, row.value.clone())).collect();
    let secrecy = Secrecy::of(&touched.table, Some(&*contest));
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
    next.open(touched, &parts).await
}

/// Returns the values of the seats, or refuses as long as a promise is to be fulfilled. The first time, asks
/// everybody for their values, since nothing else can be chosen once one promise has been fulfilled.
async fn refuse_owing(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
) -> Result<Result<BroughtValues, Refused>> {
    let values = BroughtValues::of_table(touched).await?;
    let owing = values.missing();
    let Some(first) = owing.first() else { return Ok(Ok(values)) };
    if !values.is_due() {
        let due = Event::Due { seats: owing.clone() };
        let news = News::of(due, seats, touched.now);
        news.tell(touched, "due").await?;
    }
    Ok(Err(StartRefused::Promised(*first).into()))
}

/// Sets a table that is about to be dealt to the state left by the last game of its kind in the same channel,
/// if there is one.
async fn carry_on(touched: &mut Touched<'_>, games: Games) -> Result<()> {
    let Some(carried) = left_behind(touched, games).await? else { return Ok(()) };
    let mut options: Json = read_json(&touched.table.options)?;
    if !options.is_object() {
        options = Json::Object(Map::new());
    }
    options[CARRIED] = carried;
    touched.table.options = write_json(&options)?;
    touched.keep_settings().await?;
    record_settings(touched, games, options)
}

/// Writes the game and its options, which have changed, into the journal.
pub(crate) fn record_settings(
    touched: &mut Touched<'_>,
    games: Games,
    options: Json,
) -> Result<()> {
    let table = &touched.table;
    let settled = Event::SettingsChanged {
        game: table.game.clone(),
        edition: table.edition.clone(),
        data: table.data.clone(),
        options,
        chairs: table.chairs,
        policies: games.policies_version(&table.game),
    };
    record(touched, &settled)
}

async fn left_behind(touched: &mut Touched<'_>, games: Games) -> Result<Option<Json>> {
    let Some(place) = touched.table.place.clone() else { return Ok(None) };
    let kind = touched.table.game.clone();
    let session = &mut *touched.session;
    for code in places::over_around(session, &place, &kind).await? {
        let Some(table) = session.table(&code).await? else { continue };
        // This edition may not understand the state left by another.
        let Ok(game) = games.of(&table) else { continue };
        let Some(window) = session.window(&code, table.open_window).await? else { continue };
        let history = History::load(session, &code).await?;
        let end = history.events().rev().find(|event| matches!(event, Event::Over { .. }));
        // A cancelled game does not count.
        if matches!(end, Some(Event::Over { how: EndKind::Cancelled, .. })) {
            continue;
        }
        let seats = session.seats(&code).await?;
        let Ok(contest) = contest(session, game, &table, &seats, &window).await else { continue };
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
pub(crate) async fn sit(touched: &mut Touched<'_>, row: &SeatRow, brought: Brought) -> Result<()> {
    let (row, who) = &identified(touched, row).await?;
    touched.sit(row).await?;
    touched.look_at(Some(touched.now + LONGEST_FORMING));
    touched.stir();
    let (value, promise) = match brought {
        Brought::Nothing => (None, None),
        Brought::Value(value) => (Some(hex::encode(value)), None),
        Brought::Promise(promise) => (None, Some(hex::encode(promise))),
    };
    let (seat, house, who) = (row.seat, row.house.clone(), who.clone());
    record(touched, &Event::Joined { seat, house, value, promise, who })
}

/// Frees a chair, and records this in the journal. If a promise has been fulfilled, all values are brought
/// anew: the next player could choose a value knowing the revealed one.
pub(crate) async fn stand_up(touched: &mut Touched<'_>, seat: Seat) -> Result<()> {
    let mut values = BroughtValues::of_table(touched).await?;
    let left = Event::Left { seat, anew: values.is_frozen() };
    touched.stand_up(seat).await?;
    if touched.seats().await?.is_empty() {
        touched.look_at(Some(touched.now + LONGEST_EMPTY));
    }
    touched.stir();
    values.hear(&left);
    for owed in values.missing() {
        touched.bring(owed, "").await?;
    }
    record(touched, &left)
}

/// Moves a player, with the value they brought, to a free chair.
pub(crate) async fn change_chair(
    touched: &mut Touched<'_>,
    (row, to): (&SeatRow, Seat),
    values: &BroughtValues,
) -> Result<()> {
    stand_up(touched, row.seat).await?;
    let brought = match values.at(row.seat) {
        Some(Brings::Value(value)) => Brought::Value(read_hex(value)?),
        Some(Brings::Promise(promise)) => Brought::Promise(read_hex(promise)?),
        _ => Brought::Nothing,
    };
    let value = values.value_of_next(&touched.table, to, brought)?;
    sit(touched, &SeatRow { seat: to, value, ..row.clone() }, brought).await
}

/// Closes a window now. Its letters begin with `remarks`.
pub(crate) async fn close(
    touched: &mut Touched<'_>,
    games: Games,
    window: &WindowRow,
    remarks: Vec<Part>,
) -> Result<()> {
    return_unused_pause(touched).await?;
    let (why, shown, announced) = (CloseReason::GameMaster, &[], None);
    let closing = Closing { games, window, why, remarks, shown, announced };
    closing.resolve(touched).await?;
    Ok(())
}

/// Ends a table before its game is over, and announces its seed and the reason, if there is one. Drops the
/// calls for players.
pub(crate) async fn end_early(
    touched: &mut Touched<'_>,
    games: Games,
    how: EndKind,
    reason: Option<&str>,
) -> Result<()> {
    end_after(touched, games, Vec::new(), how, reason).await
}

/// Ends a table. Its letters begin with `parts`.
pub(crate) async fn end_after(
    touched: &mut Touched<'_>,
    games: Games,
    mut parts: Vec<Part>,
    how: EndKind,
    reason: Option<&str>,
) -> Result<()> {
    let finished = match how {
        EndKind::Ended => finish(touched, games).await?,
        EndKind::Played | EndKind::Drawn | EndKind::Cancelled => None,
    };
    let seed = touched.table.seed.clone();
    let window = touched.table.open_window;
    touched.turn_to(Stage::Over, window, None);
    votes::drop_calls(touched).await?;
    said_ahead::drop_side_lines(touched).await?;
    touched.stir();
    let over = Event::Over { how, seed, reason: reason.map(str::to_owned) };
    record(touched, &over)?;
    let seats = touched.seats().await?;
    let notice = Notice { contest: finished.as_deref(), ..Notice::of(&seats, "end", touched.now) };
    parts.extend(finished.is_some().then_some(Part::Scores));
    parts.push(Part::Event(over));
    notice.post(touched, &|_| parts.clone()).await?;
    // A game that never began has nothing to look back at.
    if window.is_none() { Ok(()) } else { notice::post(touched, &seats, "end", touched.now).await }
}

/// Returns the contest as if its game were over, to be scored; `None` if it has not been dealt, or its rules
/// failed.
async fn finish(touched: &mut Touched<'_>, games: Games) -> Result<Option<Box<dyn AnyContest>>> {
    let (Ok(game), Some(window)) = (games.of(&touched.table), touched.open_window().await?) else {
        return Ok(None);
    };
    let seats = touched.seats().await?;
    match contest(touched.session, game, &touched.table, &seats, &window).await {
        Ok(mut contest) if contest.round() > Round::DEAL => {
            contest.finish();
            Ok(Some(contest))
        }
        Ok(_) | Err(Unloaded::Load(_)) => Ok(None),
        Err(Unloaded::Store(error)) => Err(error),
    }
}

/// Resumes a held table: everybody has the time they had left.
pub(crate) async fn resume(touched: &mut Touched<'_>) -> Result<Result<(), Refused>> {
    let Some(window) = touched.open_window().await? else { return Ok(Err(Refused::NotBegun)) };
    return_unused_pause(touched).await?;
    let pace = window_pace(&touched.table, &window);
    if touched.table.held == Some(HoldReason::Lock) && touched.now < window.closes_at {
        // The clock of a locked table has run on, and its deadline stands.
        let look_at = Some(window.timing().next(&pace));
        touched.turn_to(Stage::Playing, Some(window.number), look_at);
        touched.stir();
        return Ok(Ok(()));
    }
    let began_at = if touched.table.held == Some(HoldReason::Outage) {
        let outage = processes::outage_at(touched.session, window.closes_at).await?;
        outage.map_or(window.closes_at, |outage| outage.began_at)
    } else {
        touched.table.held_at.unwrap_or(touched.now)
    };
    let outage = OutageRow { began_at, ended_at: touched.now };
    extend(touched, &window, &pace, outage).await?;
    Ok(Ok(()))
}
