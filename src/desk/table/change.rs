//! The host's settings for a table that waits for its players.

use async_trait::async_trait;
use serde_json::Value as Json;

use crate::absence::attendance::procedure_among;
use crate::absence::away;
use crate::model::overrides::Gm;
use crate::model::{Desk, Games, NotDone, Request, contest, edition, refuse_others, stage_shown};
use crate::record::event::{Event, record};
use crate::record::letter::{Letter, Part};
use crate::record::notice::{Notice, opening_now};
use crate::record::values::BroughtValues;
use crate::table::start::{begin_if_full, change_chair, free};
use games::any::{AnyGame, TableOptionsError};
use games::playable::Misfit;
use letters::{Refused, SeatRefused, StartRefused};
use rules::text::Lang;
use store::{
    Session, StoreError, Touched, WindowRow, absences, obstacles, outbox, posts, read_json,
    write_json,
};
use tables::ids::{Address, TableCode};
use tables::time::{Span, Time};
use tables::{Absence, Pace, Stage, TableSetting};

/// A change to one setting of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableChange {
    /// The game, by its word. Its options become the defaults, and the number of chairs fits its range.
    Game(String),
    /// The number of chairs. Players whose chair is removed move to a free one.
    Chairs(usize),
    /// The pace of the windows.
    Pace(Pace),
    /// An option of the game.
    Option { key: String, value: String },
    /// The language of public letters.
    Language(Lang),
    /// A setting, turned on or off.
    Set(TableSetting, bool),
    /// The absence settings, which can also be changed during the game, from the next window on.
    Absence(Absence),
}

/// Changes one setting of a table that waits for its players.
/// Refused if `gm` does not lead the table, the game has begun, the game does not accept the change, or
/// more people sit there than there would be chairs.
pub async fn change_table(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    change: TableChange,
    now: Time,
) -> Result<(), NotDone> {
    let (code, gm) = (code.to_owned(), gm.into());
    let settling = ChangingTable { games: desk.games, code, gm, change, now };
    desk.carry_out(settling).await
}

/// Returns the option that does not fit this number of chairs; `None` if all do.
fn misfit(game: &dyn AnyGame, options: &Json, chairs: usize) -> Option<Misfit> {
    match game.check_options(options, chairs) {
        Err(TableOptionsError::Misfit { misfit, .. }) => Some(misfit),
        _ => None,
    }
}

/// True if the value is for one number of seats alone, so that either sets the other.
fn is_exact(misfit: &Misfit) -> bool {
    misfit.least == misfit.most
}

/// Removes the options that have no effect any more because of the one that was changed.
fn drop_idle(game: &dyn AnyGame, options: &mut Json, chairs: usize, changed: &str) {
    while let Err(TableOptionsError::Idle { option, .. }) = game.check_options(options, chairs)
        && option.key != changed
        && let Some(object) = options.as_object_mut()
    {
        object.remove(option.key);
    }
}

struct ChangingTable {
    games: Games,
    code: TableCode,
    gm: Gm,
    change: TableChange,
    now: Time,
}

#[async_trait]
impl Request for ChangingTable {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        refuse_others(&mut touched, &self.gm).await?;
        if let TableChange::Absence(absence) = self.change {
            return self.set_absence(&mut touched, absence).await;
        }
        if touched.table.stage != Stage::Forming {
            return Err(Refused::Begun.into());
        }
        let before = touched.table.clone();
        let sitting = touched.seats().await?.len();
        self.set(&mut touched, sitting)?;
        let values = BroughtValues::of(touched.session(), &self.code).await?;
        let table = &touched.table;
        let same = (&before.game, &before.options, before.chairs)
            == (&table.game, &table.options, table.chairs);
        // The game that the dice are thrown for is a choice like the values.
        if !same && values.is_frozen() {
            return Err(SeatRefused::Fixed.into());
        }
        if let TableChange::Game(_) = self.change {
            self.follow_game(&mut touched, &before.game).await?;
        }
        self.seat_all(&mut touched, &values).await?;
        touched.keep_settings().await?;
        touched.stir();
        let table = &touched.table;
        if !same {
            let settled = Event::SettingsChanged {
                game: table.game.clone(),
                edition: table.edition.clone(),
                data: table.data.clone(),
                options: read_json(&table.options)?,
                chairs: table.chairs,
                policies: self.games.policies_version(&table.game),
            };
            record(&mut touched, &settled, self.now)?;
        }
        // All the chairs that are left may be taken.
        Ok(begin_if_full(&mut touched, self.games, self.now).await?)
    }
}

impl ChangingTable {
    /// Makes the change in the row, if the game accepts it and everybody keeps a chair.
    fn set(&self, touched: &mut Touched<'_>, sitting: usize) -> Result<(), NotDone> {
        let table = &mut touched.table;
        let mut options: Json = read_json(&table.options)?;
        let mut chairs = table.chairs;
        match &self.change {
            TableChange::Game(word) => {
                let game = self.games.find(word).ok_or(Refused::OtherEdition)?;
                let edition = edition(game);
                if (&table.game, &table.data) != (&edition.game, &edition.data) {
                    options = Json::Null;
                }
                chairs = chairs.clamp(*game.seats().start(), *game.seats().end());
                options = game.fitted(&options, chairs);
                if misfit(game, &options, chairs).is_some() {
                    chairs = game.seats_for(&options);
                }
                (table.game, table.edition, table.data) =
                    (edition.game, edition.name, edition.data);
            }
            TableChange::Chairs(wanted) => {
                chairs = *wanted;
                let game = self.games.of(table)?;
                let misfit = misfit(game, &options, chairs).filter(is_exact);
                if let (Some(misfit), Some(object)) = (misfit, options.as_object_mut()) {
                    object.remove(misfit.key);
                }
                options = game.fitted(&options, chairs);
            }
            TableChange::Option { key, value } => {
                if !options.is_object() {
                    options = Json::Object(serde_json::Map::new());
                }
                options[key] = value.clone().into();
                let game = self.games.of(table)?;
                drop_idle(game, &mut options, chairs, key);
                let misfit = misfit(game, &options, chairs);
                chairs = misfit.filter(is_exact).map_or(chairs, |misfit| misfit.least);
            }
            TableChange::Pace(pace) => table.pace = pace.clone().into(),
            TableChange::Language(language) => language.code().clone_into(&mut table.language),
            // The absence settings are set separately, at any time.
            TableChange::Absence(_) => {}
            TableChange::Set(switch, on) => table.settings.set(*switch, *on),
        }
        self.games.of(table)?.check_options(&options, chairs)?;
        if sitting > chairs {
            return Err(StartRefused::TooFewChairs.into());
        }
        table.options = write_json(&options)?;
        table.chairs = chairs;
        Ok(())
    }

    /// Sets the absence settings to the defaults of the new game, unless the host has changed them.
    async fn follow_game(&self, touched: &mut Touched<'_>, before: &str) -> Result<(), StoreError> {
        let supposed = |game: &str| {
            Absence::of_game(self.games.find(game).is_some_and(AnyGame::house_for_gone))
        };
        let code = touched.table.code.clone();
        let absence = absences::absence(touched.session(), &code).await?;
        if absence != supposed(before) {
            return Ok(());
        }
        absences::keep_absence(touched, supposed(&touched.table.game)).await
    }

    async fn set_absence(
        &self,
        touched: &mut Touched<'_>,
        absence: Absence,
    ) -> Result<(), NotDone> {
        if touched.table.stage == Stage::Over {
            let over = stage_shown(touched, self.now).await? == Stage::Over;
            return Err(if over { Refused::Over } else { Refused::NotYet }.into());
        }
        away::set(touched, absence, self.now).await?;
        Ok(())
    }

    /// Moves the players whose chair is gone, with the values they brought, to free ones.
    async fn seat_all(
        &self,
        touched: &mut Touched<'_>,
        values: &BroughtValues,
    ) -> Result<(), StoreError> {
        let seats = touched.seats().await?;
        let chairs = touched.table.chairs;
        let free: Vec<_> = free(&touched.table, &seats).collect();
        let stranded = seats.into_iter().filter(|row| row.seat.index() >= chairs);
        for (row, seat) in stranded.zip(free) {
            change_chair(touched, (&row, seat), values, self.now).await?;
        }
        Ok(())
    }
}

/// Moves a table to another place. Its position is posted there, with the letters that could not arrive
/// at the old place.
/// Refused if `gm` does not lead the table, the table has no place or is there already, or a table that
/// is not over is in that place.
pub async fn relocate(
    desk: &Desk,
    code: &TableCode,
    gm: impl Into<Gm>,
    place: &Address,
    now: Time,
) -> Result<(), NotDone> {
    let (code, gm, place) = (code.to_owned(), gm.into(), place.to_owned());
    let relocating = Relocating { games: desk.games, code, gm, place, now };
    desk.carry_out(relocating).await
}

struct Relocating {
    games: Games,
    code: TableCode,
    gm: Gm,
    place: Address,
    now: Time,
}

#[async_trait]
impl Request for Relocating {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        refuse_others(&mut touched, &self.gm).await?;
        let from = touched.table.place.clone().ok_or(Refused::NotNow)?;
        if from == self.place {
            return Err(Refused::Nothing.into());
        }
        if touched.session().is_played_at(&self.place).await? {
            return Err(Refused::Taken.into());
        }
        posts::relocate(&mut touched, &self.place).await?;
        outbox::forward(&mut touched, &from, &self.place).await?;
        obstacles::overcome(&mut touched, &from).await?;
        let owed = outbox::owed_to(&mut touched, &self.place).await?;
        // This letter goes first, so that the table's last post stays the last.
        let send_at =
            owed.iter().map(|(at, _)| *at - Span::INSTANT).min().unwrap_or(self.now).min(self.now);
        let owed: Vec<Letter> =
            owed.iter().map(|(_, body)| read_json(body)).collect::<Result<_, StoreError>>()?;
        Ok(self.tell(&mut touched, &owed, send_at).await?)
    }

    /// A refusal leaves everything as it was.
    fn keeps(done: &Result<(), NotDone>) -> bool {
        done.is_ok()
    }
}

impl Relocating {
    /// Posts in the new place that the table goes on there, and its position, unless that is owed anyway.
    async fn tell(
        &self,
        touched: &mut Touched<'_>,
        owed: &[Letter],
        send_at: Time,
    ) -> Result<(), StoreError> {
        let (table, seats) = (touched.table.clone(), touched.seats().await?);
        let mut notice = Notice::of(&seats, format!("relocated-{}", self.now), send_at);
        let parts = || owed.iter().flat_map(|letter| &letter.parts);
        if table.stage == Stage::Forming {
            let is_owed = parts().any(|part| matches!(part, Part::Forming));
            let forming = (!is_owed).then_some(Part::Forming);
            let news: Vec<Part> = [Part::Relocated].into_iter().chain(forming).collect();
            return notice.post_ahead(touched, self.place.clone(), news);
        }
        let is_owed = |window: &WindowRow| {
            let opens = |part: &Part| matches!(part, Part::Opening { number, .. } if *number == window.number);
            parts().any(opens)
        };
        let window = touched.open_window().await?;
        let window = window.filter(|window| window.opens_at <= self.now && !is_owed(window));
        let (Some(window), Ok(game), Stage::Playing) = (window, self.games.of(&table), table.stage)
        else {
            return notice.post_ahead(touched, self.place.clone(), vec![Part::Relocated]);
        };
        let contest = contest(touched.session(), game, &table, &seats, &window).await?;
        notice.contest = Some(&*contest);
        let mut news = vec![Part::Relocated];
        let among = procedure_among(&seats, &contest.procedure());
        news.extend(opening_now(&table, &window, &*contest, &among, self.now));
        notice.post_ahead(touched, self.place.clone(), news)
    }
}
