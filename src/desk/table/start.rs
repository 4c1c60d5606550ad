//! The start of a game: the deal, and the first window.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, dice};
use crate::model::overrides::Gm;
use crate::model::people::refuse_others;
use crate::record::event::{Event, Secrecy, record};
use crate::record::letter::Part;
use crate::record::tell;
use crate::record::tell::News;
use crate::record::values::BroughtValues;
use crate::table::carried::carry_on;
use crate::table::chairs::{free, sit};
use crate::window::next::NextWindow;
use games::any::AnyGame;
use games::options_line;
use letters::{Refused, StartRefused};
use rules::Seat;
use rules::dice::Brought;
use rules::text::Lang;
use store::{SeatRow, Session, SetRow, StoreError, Touched, calls, read_json, sets};
use tables::ids::{TableCode, WindowNumber};
use tables::time::Time;
use tables::{PersonSettings, Stage, TableSetting};

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
    let starting = Starting {
        games: desk.games,
        code: code.to_owned(),
        gm: gm.into(),
        house: house.to_owned(),
        now,
    };
    desk.carry_out(starting).await
}

struct Starting {
    games: Games,
    code: TableCode,
    gm: Gm,
    house: String,
    now: Time,
}

#[async_trait]
impl Request for Starting {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let game = self.games.of(&touched.table)?;
        refuse_others(&mut touched, &self.gm).await?;
        if touched.table.stage != Stage::Forming {
            return Err(Refused::Begun.into());
        }
        let mut seats = touched.seats().await?;
        if seats.is_empty() {
            return Err(StartRefused::Nobody.into());
        }
        game.check_options(&read_json(&touched.table.options)?, touched.table.chairs)?;
        let values = refuse_owing(&mut touched, &seats, self.now).await??;
        self.seat_house(&mut touched, &mut seats, &values).await?;
        Ok(deal(&mut touched, self.games, game, &seats, self.now).await?)
    }
}

impl Starting {
    /// Seats bot players on the free chairs.
    async fn seat_house(
        &self,
        touched: &mut Touched<'_>,
        seats: &mut Vec<SeatRow>,
        values: &BroughtValues,
    ) -> Result<(), StoreError> {
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
            sit(touched, &row, Brought::Nothing, self.now).await?;
            seats.push(row);
        }
        seats.sort_by_key(|row| row.seat);
        Ok(())
    }
}

/// Begins the game of a full table if its host wants it to begin then. If values are promised, everybody is
/// asked to reveal them, and the last value revealed begins the game.
pub(crate) async fn begin_if_full(
    touched: &mut Touched<'_>,
    games: Games,
    now: Time,
) -> Result<(), StoreError> {
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
    match refuse_owing(touched, &seats, now).await? {
        Ok(_) => deal(touched, games, game, &seats, now).await,
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
    now: Time,
) -> Result<(), StoreError> {
    // A person who was invited and has not come has no chair any more.
    calls::drop_calls(touched).await?;
    carry_on(touched, games, now).await?;
    let options = read_json(&touched.table.options)?;
    let game = game.of_options(&options);
    if let Some(set) = game.set() {
        let (hash, text) = (set.hash.to_string(), set.text.clone());
        sets::bind_set(touched, &SetRow { hash, game: game.key().to_owned(), text }).await?;
    }
    let dealt = game.open(&options, seats.len(), dice(&touched.table, seats)?);
    let (contest, resolution) = dealt.map_err(|error| StoreError::Failed(error.to_string()))?;
    let state = hex::encode(contest.state_hash());
    let dealt = Event::Dealt { number: WindowNumber::FIRST, entries: resolution.entries, state };
    record(touched, &dealt, now)?;
    let head = tell::journal_head(touched);
    let next = NextWindow::of(seats, &*contest, now);
    let (dice, commitment) = (touched.table.dice.clone(), touched.table.commitment.clone());
    let values: Vec<_> = seats.iter().map(|row| (row.seat, row.value.clone())).collect();
    let table = touched.table.clone();
    let secrecy = Secrecy::of(&table, Some(&*contest));
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
    next.open(touched, parts).await.map(drop)
}

/// Returns the values of the seats, or refuses as long as a promise is to be fulfilled. The first time, asks
/// everybody for their values, since nothing else can be chosen once one promise has been fulfilled.
async fn refuse_owing(
    touched: &mut Touched<'_>,
    seats: &[SeatRow],
    now: Time,
) -> Result<Result<BroughtValues, Refused>, StoreError> {
    let code = touched.table.code.clone();
    let values = BroughtValues::of(touched.session(), &code).await?;
    let owing = values.missing();
    let Some(first) = owing.first() else { return Ok(Ok(values)) };
    if !values.is_due() {
        let due = Event::Due { seats: owing.clone() };
        let news = News::of(due, seats, now);
        news.tell(touched, "due", now).await?;
    }
    Ok(Err(StartRefused::Promised(*first).into()))
}
