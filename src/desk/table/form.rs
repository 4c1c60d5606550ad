//! Forming a table, joining it and leaving it.

use serde_json::Value as Json;

use crate::absence::attendance::procedure_among;
use crate::absence::away;
use crate::absence::reputation::meets_minimum;
use crate::model::{
    Contact, Desk, Games, Gm, Result, Stored, contest, edition, random, refuse_if, refuse_others,
    refuse_over, stage_shown,
};
use crate::record::{Brings, BroughtValues, Event, Letter, Notice, Part, opening_now, record};
use crate::table::start::{
    LONGEST_EMPTY, begin_if_full, change_chair, free, record_settings, sit, stand_up,
};
use games::any::{AnyGame, TableOptionsError};
use games::playable::Misfit;
use letters::{Refused, SeatRefused, StartRefused};
use rules::dice::{Brought, commitment};
use rules::text::Lang;
use rules::{Seat, receipt};
use store::{
    OnlookerRow, SeatRow, Session, StoreError, TableRow, Touched, WindowRow, absences, obstacles,
    outbox, overrides, people, posts, read_json, votes, write_json,
};
use tables::{
    Absence, AccountId, Address, Pace, PersonId, PersonSettings, Span, Stage, TableCode,
    TableSetting, TableSettings, Time,
};

/// The number of codes that are drawn, in case some are taken.
const CODES: usize = 16;

/// A table to be formed.
#[derive(Clone, Debug)]
pub struct Form {
    pub game: String,
    /// The game's options.
    pub options: Json,
    pub chairs: usize,
    /// The pace of the windows.
    pub pace: Pace,
    /// The settings that are on.
    pub settings: TableSettings,
    /// The host. Forming the table does not seat them.
    pub host: Contact,
    /// The address of the public letters; `None` if every player is sent their own.
    pub place: Option<Address>,
    /// The seed and the key of the dice, fixed in advance; `None` to draw them.
    pub seed: Option<([u8; 32], String)>,
}

/// A table that has been formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formed {
    /// The code that people type.
    pub code: TableCode,
    /// The commitment to the dice, in hex digits, made before anybody joined.
    pub commitment: String,
}

/// Forms a table.
/// Refused if there is no such game, it does not accept these options or this number of chairs, or a
/// table that is not over is in the same place.
pub async fn form(desk: &Desk, form: Form, now: Time) -> Result<Formed> {
    let game = desk.games.find(&form.game).ok_or(Refused::OtherEdition)?;
    game.check_options(&form.options, form.chairs)?;
    let edition = edition(game);
    let options = game.fitted(&form.options, form.chairs);
    let (seed, dice) = form.seed.unzip();
    let seed = seed.unwrap_or_else(random::bytes);
    let table = TableRow {
        code: TableCode::default(),
        game: edition.game,
        edition: edition.name,
        data: edition.data,
        options: write_json(&options)?,
        language: form.host.language.code().to_owned(),
        pace: form.pace.into(),
        next_pace: None,
        chairs: form.chairs,
        host: PersonId::default(),
        stage: Stage::Forming,
        held: None,
        seed: hex::encode(seed),
        commitment: String::new(),
        open_window: None,
        look_at: None,
        entries: 0,
        chain: hex::encode(receipt::BEGINNING),
        told_at: now,
        dice: dice.unwrap_or_default(),
        formed_at: now,
        place: form.place,
        windows: 0,
        held_at: None,
        settings: form.settings,
        card_set: None,
    };
    let codes = std::iter::repeat_with(random::code).take(CODES).collect();
    let absence = Absence::of_game(game.house_for_gone());
    let (host, person, salt) = (form.host, random::person(), hex::encode(random::bytes::<32>()));
    let policies = game.policies_version();
    let forming = Forming { table, seed, salt, policies, options, absence, codes, host, person };
    desk.carry_out(forming, |forming, db| Box::pin(forming.form(db))).await
}

/// Seats a guest on the first free chair; a guest who sits there already keeps their chair. The value
/// they bring is mixed into the seed; if they bring none, an earlier one stays.
/// Refused if there is no such table, no chair is free, the guest was sent away, the game has begun or is
/// about to, they have promised something else, or they have missed more windows than the host allows.
pub async fn join(
    desk: &Desk,
    code: &TableCode,
    guest: Contact,
    brought: impl Into<Brought>,
    now: Time,
) -> Result<Seat> {
    join_at(desk, code, guest, brought, None, now).await
}

/// Seats a guest like [`join`], on this chair if one is named. A guest who sits on another chair
/// moves there with the value they brought.
/// Refused as [`join`], or if the chair is not free.
pub async fn join_at(
    desk: &Desk,
    code: &TableCode,
    guest: Contact,
    brought: impl Into<Brought>,
    chair: Option<Seat>,
    now: Time,
) -> Result<Seat> {
    let (games, brought, person) = (desk.games, brought.into(), random::person());
    let joining = Joining { games, guest, brought, chair, person };
    desk.at_table(code, now, joining, |joining, tx| Box::pin(joining.join(tx))).await
}

/// True if an account may look on at a table: as its host, or as somebody who sat there once and was not
/// sent away.
/// Refused if there is no such table.
pub async fn looks_on(desk: &Desk, code: &TableCode, account: &AccountId) -> Result<bool> {
    let mut db = desk.store.read().await?;
    let table = db.table(code).await?.ok_or(Refused::NoTable)?;
    let person = people::person(&mut db, account).await?;
    let is_host = person.as_ref() == Some(&table.host);
    let onlookers = overrides::onlookers(&mut db, code).await?;
    let is_one = |onlooker: &OnlookerRow| {
        account.as_str() == onlooker.address.as_str()
            || (person.is_some() && onlooker.person == person)
    };
    Ok(is_host || onlookers.iter().any(is_one))
}

/// Frees a player's chair, as long as the game has not begun.
/// Refused if they do not sit there, or the game has begun.
pub async fn leave(desk: &Desk, code: &TableCode, account: &AccountId, now: Time) -> Result<Seat> {
    desk.at_table(code, now, account.to_owned(), |account, tx| {
        Box::pin(async move {
            let person = people::person(tx.db, account).await?;
            let seats = tx.seats().await?;
            let row = seats.iter().find(|row| row.is_of(person.as_ref()));
            let row = row.ok_or(Refused::NotSeated)?;
            match stage_shown(tx).await? {
                Stage::Forming => {}
                Stage::Playing => return Err(SeatRefused::NoLeaving.into()),
                Stage::Over => return Err(Refused::Over.into()),
            }
            refuse_if(BroughtValues::of_table(tx).await?.is_frozen(), SeatRefused::Fixed)?;
            stand_up(tx, row.seat).await?;
            Ok(row.seat)
        })
    })
    .await
}

struct Forming {
    table: TableRow,
    seed: [u8; 32],
    salt: String,
    policies: u32,
    options: Json,
    absence: Absence,
    codes: Vec<TableCode>,
    host: Contact,
    person: PersonId,
}

impl Forming {
    async fn form(&self, db: &mut Session) -> Result<Formed> {
        let host = &self.host;
        let mut table = self.table.clone();
        // A transaction that begins with a read cannot write any more once another process has written.
        table.host = people::meet(db, &host.account, host.language.code(), &self.person).await?;
        if let Some(place) = &table.place
            && store::tables::is_played_at(db, place).await?
        {
            return Err(Refused::Taken.into());
        }
        let named = !table.dice.is_empty();
        for code in &self.codes {
            table.code.clone_from(code);
            if !named {
                table.dice = code.to_string();
            }
            table.commitment = hex::encode(commitment(&table.dice, &self.seed));
            if !store::tables::form(db, &table).await? {
                continue;
            }
            let Some(mut tx) = db.touch(code, table.formed_at).await? else { break };
            let formed = Event::Formed {
                game: table.game.clone(),
                edition: table.edition.clone(),
                data: table.data.clone(),
                options: self.options.clone(),
                chairs: table.chairs,
                dice: table.dice.clone(),
                commitment: table.commitment.clone(),
                policies: self.policies,
                salt: self.salt.clone(),
            };
            record(&mut tx, &formed)?;
            absences::keep_absence(&mut tx, self.absence).await?;
            tx.look_at(Some(tx.now + LONGEST_EMPTY));
            let notice = Notice::of(&[], "forming", tx.now);
            notice.post(&mut tx, &|_| vec![Part::Forming]).await?;
            return Ok(Formed { code: table.code, commitment: table.commitment });
        }
        Err(StoreError::Failed("no code is free".to_owned()).into())
    }
}

/// Refuses a request that can only be made before the game begins.
async fn refuse_begun(tx: &mut Touched<'_>) -> Result<()> {
    match stage_shown(tx).await? {
        Stage::Forming => Ok(()),
        Stage::Playing => Err(Refused::Begun.into()),
        Stage::Over => Err(Refused::Over.into()),
    }
}

/// Returns the values brought to a table whose chairs can still change.
/// Refused if the game has begun, or is about to.
async fn values_before_begin(tx: &mut Touched<'_>) -> Result<BroughtValues> {
    refuse_begun(tx).await?;
    let values = BroughtValues::of_table(tx).await?;
    refuse_if(values.is_frozen(), SeatRefused::Fixed)?;
    Ok(values)
}

struct Joining {
    games: Games,
    guest: Contact,
    brought: Brought,
    /// `None` if any chair will do.
    chair: Option<Seat>,
    person: PersonId,
}

impl Joining {
    async fn join(&self, tx: &mut Touched<'_>) -> Result<Seat> {
        let guest = &self.guest;
        let language = guest.language.code();
        let known = people::person(tx.db, &guest.account).await?;
        let seats = tx.seats().await?;
        if let Some(row) = seats.iter().find(|row| row.is_of(known.as_ref())) {
            people::meet(tx.db, &guest.account, language, &self.person).await?;
            self.choose(tx, row).await?;
            return self.change_chair(tx, &seats, row).await;
        }
        let values = values_before_begin(tx).await?;
        if let Some(known) = &known
            && votes::sent_away(tx).await?.contains(known)
        {
            return Err(SeatRefused::SentAway.into());
        }
        let seat = self.wanted_chair(&tx.table, &seats)?;
        let missed = meets_minimum(tx, &guest.account).await?;
        missed.map_err(SeatRefused::Missed)?;
        // A guest is stored only once they sit down.
        let person = people::meet(tx.db, &guest.account, language, &self.person).await?;
        for call in votes::calls(tx.db, &tx.table.code).await? {
            if call.person.as_ref() == Some(&person) {
                votes::drop_call(tx, call.number).await?;
            }
        }
        let row = SeatRow {
            seat,
            person: Some(person),
            house: None,
            name: guest.name.clone(),
            shown_as: None,
            value: values.value_of_next(&tx.table, seat, self.brought)?,
            salt: None,
            address: Some(guest.address.clone()),
            language: Some(language.to_owned()),
            settings: PersonSettings::default(),
        };
        sit(tx, &row, self.brought).await?;
        begin_if_full(tx, self.games).await?;
        Ok(seat)
    }

    /// Returns the wanted chair, or else the first that is free.
    fn wanted_chair(&self, table: &TableRow, seats: &[SeatRow]) -> Result<Seat, SeatRefused> {
        let first = free(table, seats).next().ok_or(SeatRefused::Full)?;
        let chair = self.chair.unwrap_or(first);
        if free(table, seats).any(|seat| seat == chair) {
            return Ok(chair);
        }
        let left = free(table, seats).collect();
        let is_there = chair.index() < table.chairs;
        Err(if is_there { SeatRefused::NotFree(left) } else { SeatRefused::NoChair(left) })
    }

    /// Moves a seated guest, with the value they brought, to the chair that they want.
    async fn change_chair(
        &self,
        tx: &mut Touched<'_>,
        seats: &[SeatRow],
        row: &SeatRow,
    ) -> Result<Seat> {
        if self.chair.is_none_or(|chair| chair == row.seat) {
            return Ok(row.seat);
        }
        let values = values_before_begin(tx).await?;
        let seat = self.wanted_chair(&tx.table, seats)?;
        change_chair(tx, (row, seat), &values).await?;
        Ok(seat)
    }

    /// Takes a value from a seated guest: the one that they have promised, or a new one, as if they stood up
    /// and sat down again.
    async fn choose(&self, tx: &mut Touched<'_>, row: &SeatRow) -> Result<()> {
        let values = BroughtValues::of_table(tx).await?;
        let has = values.at(row.seat).unwrap_or(&Brings::Nothing);
        let is_same = match (has, self.brought) {
            (Brings::Owed, _) => false,
            (_, Brought::Nothing) => true,
            (Brings::Value(has) | Brings::Kept(has), Brought::Value(new))
            | (Brings::Promise(has), Brought::Promise(new)) => *has == hex::encode(new),
            _ => false,
        };
        if is_same {
            return Ok(());
        }
        refuse_begun(tx).await?;
        if let (Brings::Promise(_), Brought::Value(value)) = (has, self.brought) {
            let value = hex::encode(value);
            refuse_if(!values.is_promised(row.seat, &value), SeatRefused::NotPromised)?;
            refuse_if(!values.is_due(), SeatRefused::NotDue)?;
            tx.bring(row.seat, &value).await?;
            tx.stir();
            let fulfilled = Event::Kept { seat: row.seat, value };
            record(tx, &fulfilled)?;
            return Ok(begin_if_full(tx, self.games).await?);
        }
        refuse_if(values.is_frozen(), SeatRefused::Fixed)?;
        stand_up(tx, row.seat).await?;
        let value = values.value_of_next(&tx.table, row.seat, self.brought)?;
        sit(tx, &SeatRow { value, ..row.clone() }, self.brought).await?;
        Ok(())
    }
}

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
) -> Result<()> {
    let changing = ChangingTable { games: desk.games, gm: gm.into(), change };
    desk.at_table(code, now, changing, |changing, tx| Box::pin(changing.carry_out(tx))).await
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
    gm: Gm,
    change: TableChange,
}

impl ChangingTable {
    async fn carry_out(&self, tx: &mut Touched<'_>) -> Result<()> {
        refuse_others(tx, &self.gm).await?;
        if let TableChange::Absence(absence) = self.change {
            return self.set_absence(tx, absence).await;
        }
        refuse_if(tx.table.stage != Stage::Forming, Refused::Begun)?;
        let before = tx.table.clone();
        let sitting = tx.seats().await?.len();
        self.set(tx, sitting)?;
        let values = BroughtValues::of_table(tx).await?;
        let table = &tx.table;
        let same = (&before.game, &before.options, before.chairs)
            == (&table.game, &table.options, table.chairs);
        // The game that the dice are thrown for is a choice like the values.
        refuse_if(!same && values.is_frozen(), SeatRefused::Fixed)?;
        if let TableChange::Game(_) = self.change {
            self.follow_game(tx, &before.game).await?;
        }
        self.seat_all(tx, &values).await?;
        tx.keep_settings().await?;
        tx.stir();
        if !same {
            let options = read_json(&tx.table.options)?;
            record_settings(tx, self.games, options)?;
        }
        // All the chairs that are left may be taken.
        Ok(begin_if_full(tx, self.games).await?)
    }

    /// Makes the change in the row, if the game accepts it and everybody keeps a chair.
    fn set(&self, tx: &mut Touched<'_>, sitting: usize) -> Result<()> {
        let table = &mut tx.table;
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
        refuse_if(sitting > chairs, StartRefused::TooFewChairs)?;
        table.options = write_json(&options)?;
        table.chairs = chairs;
        Ok(())
    }

    /// Sets the absence settings to the defaults of the new game, unless the host has changed them.
    async fn follow_game(&self, tx: &mut Touched<'_>, before: &str) -> Stored<()> {
        let supposed = |game: &str| {
            Absence::of_game(self.games.find(game).is_some_and(AnyGame::house_for_gone))
        };
        let absence = absences::absence(tx.db, &tx.table.code).await?;
        if absence != supposed(before) {
            return Ok(());
        }
        absences::keep_absence(tx, supposed(&tx.table.game)).await
    }

    async fn set_absence(&self, tx: &mut Touched<'_>, absence: Absence) -> Result<()> {
        refuse_over(tx).await?;
        away::set(tx, absence).await?;
        Ok(())
    }

    /// Moves the players whose chair is gone, with the values they brought, to free ones.
    async fn seat_all(&self, tx: &mut Touched<'_>, values: &BroughtValues) -> Stored<()> {
        let seats = tx.seats().await?;
        let chairs = tx.table.chairs;
        let free: Vec<_> = free(&tx.table, &seats).collect();
        let stranded = seats.into_iter().filter(|row| row.seat.index() >= chairs);
        for (row, seat) in stranded.zip(free) {
            change_chair(tx, (&row, seat), values).await?;
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
) -> Result<()> {
    let about = (desk.games, gm.into(), place.to_owned());
    let relocated = desk.at_table_keeping(Result::is_ok, code, now, about, |about, tx| {
        let &(games, ref gm, ref place) = about;
        Box::pin(async move {
            refuse_others(tx, gm).await?;
            let from = tx.table.place.clone().ok_or(Refused::NotNow)?;
            refuse_if(from == *place, Refused::Nothing)?;
            refuse_if(store::tables::is_played_at(tx.db, place).await?, Refused::Taken)?;
            posts::relocate(tx, place).await?;
            outbox::forward(tx, &from, place).await?;
            obstacles::overcome(tx, &from).await?;
            let owed = outbox::owed_to(tx, place).await?;
            // This letter goes first, so that the table's last post stays the last.
            let send_at =
                owed.iter().map(|(at, _)| *at - Span::INSTANT).min().unwrap_or(tx.now).min(tx.now);
            let owed: Vec<Letter> =
                owed.iter().map(|(_, body)| read_json(body)).collect::<Stored<_>>()?;
            Ok(tell_moved(tx, games, place, &owed, send_at).await?)
        })
    });
    relocated.await
}

/// Posts in the new place that the table goes on there, and its position, unless that is owed anyway.
async fn tell_moved(
    tx: &mut Touched<'_>,
    games: Games,
    place: &Address,
    owed: &[Letter],
    send_at: Time,
) -> Stored<()> {
    let (table, seats) = (tx.table.clone(), tx.seats().await?);
    let mut notice = Notice::of(&seats, format!("relocated-{}", tx.now), send_at);
    let parts = || owed.iter().flat_map(|letter| &letter.parts);
    if table.stage == Stage::Forming {
        let is_owed = parts().any(|part| matches!(part, Part::Forming));
        let forming = (!is_owed).then_some(Part::Forming);
        let news: Vec<Part> = [Part::Relocated].into_iter().chain(forming).collect();
        return notice.post_ahead(tx, place.clone(), news);
    }
    let is_owed = |window: &WindowRow| {
        let opens =
            |part: &Part| matches!(part, Part::Opening { number, .. } if *number == window.number);
        parts().any(opens)
    };
    let window = tx.open_window().await?;
    let window = window.filter(|window| window.opens_at <= tx.now && !is_owed(window));
    let (Some(window), Ok(game), Stage::Playing) = (window, games.of(&table), table.stage) else {
        return notice.post_ahead(tx, place.clone(), vec![Part::Relocated]);
    };
    let contest = contest(tx.db, game, &table, &seats, &window).await?;
    notice.contest = Some(&*contest);
    let mut news = vec![Part::Relocated];
    let among = procedure_among(&seats, &contest.procedure());
    news.extend(opening_now(&table, &window, &*contest, &among, tx.now));
    notice.post_ahead(tx, place.clone(), news)
}
