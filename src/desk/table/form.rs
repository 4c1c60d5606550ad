//! Forming a table, joining it and leaving it.

use serde_json::Value as Json;

use crate::absence::attendance::procedure_among;
use crate::absence::away;
use crate::absence::reputation::meets_minimum;
use crate::model::{
    Contact, Desk, Games, Gm, Result, Stored, contest, edition, random, refuse_if, refuse_others,
    stage_shown,
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
    desk.carry_out(forming, |forming, session| Box::pin(forming.form(session))).await
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
    desk.at_table(code, now, joining, |joining, touched| Box::pin(joining.join(touched))).await
}

/// True if an account may look on at a table: as its host, or as somebody who sat there once and was not
/// sent away.
/// Refused if there is no such table.
pub async fn looks_on(desk: &Desk, code: &TableCode, account: &AccountId) -> Result<bool> {
    let mut session = desk.store.read().await?;
    let table = session.table(code).await?.ok_or(Refused::NoTable)?;
    let person = people::person(&mut session, account).await?;
    let is_host = person.as_ref() == Some(&table.host);
    let onlookers = overrides::onlookers(&mut session, code).await?;
    let is_one = |onlooker: &OnlookerRow| {
        account.as_str() == onlooker.address.as_str()
            || (person.is_some() && onlooker.person == person)
    };
    Ok(is_host || onlookers.iter().any(is_one))
}

/// Frees a player's chair, as long as the game has not begun.
/// Refused if they do not sit there, or the game has begun.
pub async fn leave(desk: &Desk, code: &TableCode, account: &AccountId, now: Time) -> Result<Seat> {
    desk.at_table(code, now, account.to_owned(), |account, touched| {
        Box::pin(async move {
            let person = people::person(touched.session, account).await?;
            let seats = touched.seats().await?;
            let row = seats.iter().find(|row| row.is_of(person.as_ref()));
            let row = row.ok_or(Refused::NotSeated)?;
            match stage_shown(touched).await? {
                Stage::Forming => {}
                Stage::Playing => return Err(SeatRefused::NoLeaving.into()),
                Stage::Over => return Err(Refused::Over.into()),
            }
            refuse_if(BroughtValues::of_table(touched).await?.is_frozen(), SeatRefused::Fixed)?;
            stand_up(touched, row.seat).await?;
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
    async fn form(&self, session: &mut Session) -> Result<Formed> {
        let host = &self.host;
        let mut table = self.table.clone();
        // A transaction that begins with a read cannot write any more once another process has written.
        table.host =
            people::meet(session, &host.account, host.language.code(), &self.person).await?;
        if let Some(place) = &table.place
            && session.is_played_at(place).await?
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
            if !session.form(&table).await? {
                continue;
            }
            let Some(mut touched) = session.touch(code, table.formed_at).await? else { break };
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
            record(&mut touched, &formed)?;
            absences::keep_absence(&mut touched, self.absence).await?;
            touched.look_at(Some(touched.now + LONGEST_EMPTY));
            let notice = Notice::of(&[], "forming", touched.now);
            notice.post(&mut touched, &|_| vec![Part::Forming]).await?;
            return Ok(Formed { code: table.code, commitment: table.commitment });
        }
        Err(StoreError::Failed("no code is free".to_owned()).into())
    }
}

/// Refuses a request that can only be made before the game begins.
async fn refuse_begun(touched: &mut Touched<'_>) -> Result<()> {
    match stage_shown(touched).await? {
        Stage::Forming => Ok(()),
        Stage::Playing => Err(Refused::Begun.into()),
        Stage::Over => Err(Refused::Over.into()),
    }
}

/// Returns the values brought to a table whose chairs can still change.
/// Refused if the game has begun, or is about to.
async fn values_before_begin(touched: &mut Touched<'_>) -> Result<BroughtValues> {
    refuse_begun(touched).await?;
    let values = BroughtValues::of_table(touched).await?;
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
    async fn join(&self, touched: &mut Touched<'_>) -> Result<Seat> {
        let guest = &self.guest;
        let language = guest.language.code();
        let known = people::person(touched.session, &guest.account).await?;
        let seats = touched.seats().await?;
        if let Some(row) = seats.iter().find(|row| row.is_of(known.as_ref())) {
            people::meet(touched.session, &guest.account, language, &self.person).await?;
            self.choose(touched, row).await?;
            return self.change_chair(touched, &seats, row).await;
        }
        let values = values_before_begin(touched).await?;
        if let Some(known) = &known
            && votes::sent_away(touched).await?.contains(known)
        {
            return Err(SeatRefused::SentAway.into());
        }
        let seat = self.wanted_chair(&touched.table, &seats)?;
        let missed = meets_minimum(touched, &guest.account).await?;
        missed.map_err(SeatRefused::Missed)?;
        // A guest is stored only once they sit down.
        let person = people::meet(touched.session, &guest.account, language, &self.person).await?;
        for call in votes::calls_at(touched).await? {
            if call.person.as_ref() == Some(&person) {
                votes::drop_call(touched, call.number).await?;
            }
        }
        let row = SeatRow {
            seat,
            person: Some(person),
            house: None,
            name: guest.name.clone(),
            value: values.value_of_next(&touched.table, seat, self.brought)?,
            salt: None,
            address: Some(guest.address.clone()),
            language: Some(language.to_owned()),
            settings: PersonSettings::default(),
        };
        sit(touched, &row, self.brought).await?;
        begin_if_full(touched, self.games).await?;
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
        touched: &mut Touched<'_>,
        seats: &[SeatRow],
        row: &SeatRow,
    ) -> Result<Seat> {
        if self.chair.is_none_or(|chair| chair == row.seat) {
            return Ok(row.seat);
        }
        let values = values_before_begin(touched).await?;
        let seat = self.wanted_chair(&touched.table, seats)?;
        change_chair(touched, (row, seat), &values).await?;
        Ok(seat)
    }

    /// Takes a value from a seated guest: the one that they have promised, or a new one, as if they stood up
    /// and sat down again.
    async fn choose(&self, touched: &mut Touched<'_>, row: &SeatRow) -> Result<()> {
        let values = BroughtValues::of_table(touched).await?;
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
        refuse_begun(touched).await?;
        if let (Brings::Promise(_), Brought::Value(value)) = (has, self.brought) {
            let value = hex::encode(value);
            refuse_if(!values.is_promised(row.seat, &value), SeatRefused::NotPromised)?;
            refuse_if(!values.is_due(), SeatRefused::NotDue)?;
            touched.bring(row.seat, &value).await?;
            touched.stir();
            let fulfilled = Event::Kept { seat: row.seat, value };
            record(touched, &fulfilled)?;
            return Ok(begin_if_full(touched, self.games).await?);
        }
        refuse_if(values.is_frozen(), SeatRefused::Fixed)?;
        stand_up(touched, row.seat).await?;
        let value = values.value_of_next(&touched.table, row.seat, self.brought)?;
        sit(touched, &SeatRow { value, ..row.clone() }, self.brought).await?;
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
    desk.at_table(code, now, changing, |changing, touched| Box::pin(changing.carry_out(touched)))
        .await
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
    async fn carry_out(&self, touched: &mut Touched<'_>) -> Result<()> {
        refuse_others(touched, &self.gm).await?;
        if let TableChange::Absence(absence) = self.change {
            return self.set_absence(touched, absence).await;
        }
        refuse_if(touched.table.stage != Stage::Forming, Refused::Begun)?;
        let before = touched.table.clone();
        let sitting = touched.seats().await?.len();
        self.set(touched, sitting)?;
        let values = BroughtValues::of_table(touched).await?;
        let table = &touched.table;
        let same = (&before.game, &before.options, before.chairs)
            == (&table.game, &table.options, table.chairs);
        // The game that the dice are thrown for is a choice like the values.
        refuse_if(!same && values.is_frozen(), SeatRefused::Fixed)?;
        if let TableChange::Game(_) = self.change {
            self.follow_game(touched, &before.game).await?;
        }
        self.seat_all(touched, &values).await?;
        touched.keep_settings().await?;
        touched.stir();
        if !same {
            let options = read_json(&touched.table.options)?;
            record_settings(touched, self.games, options)?;
        }
        // All the chairs that are left may be taken.
        Ok(begin_if_full(touched, self.games).await?)
    }

    /// Makes the change in the row, if the game accepts it and everybody keeps a chair.
    fn set(&self, touched: &mut Touched<'_>, sitting: usize) -> Result<()> {
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
        refuse_if(sitting > chairs, StartRefused::TooFewChairs)?;
        table.options = write_json(&options)?;
        table.chairs = chairs;
        Ok(())
    }

    /// Sets the absence settings to the defaults of the new game, unless the host has changed them.
    async fn follow_game(&self, touched: &mut Touched<'_>, before: &str) -> Stored<()> {
        let supposed = |game: &str| {
            Absence::of_game(self.games.find(game).is_some_and(AnyGame::house_for_gone))
        };
        let absence = absences::absence(touched.session, &touched.table.code).await?;
        if absence != supposed(before) {
            return Ok(());
        }
        absences::keep_absence(touched, supposed(&touched.table.game)).await
    }

    async fn set_absence(&self, touched: &mut Touched<'_>, absence: Absence) -> Result<()> {
        if touched.table.stage == Stage::Over {
            let over = stage_shown(touched).await? == Stage::Over;
            return Err(if over { Refused::Over } else { Refused::NotYet }.into());
        }
        away::set(touched, absence).await?;
        Ok(())
    }

    /// Moves the players whose chair is gone, with the values they brought, to free ones.
    async fn seat_all(&self, touched: &mut Touched<'_>, values: &BroughtValues) -> Stored<()> {
        let seats = touched.seats().await?;
        let chairs = touched.table.chairs;
        let free: Vec<_> = free(&touched.table, &seats).collect();
        let stranded = seats.into_iter().filter(|row| row.seat.index() >= chairs);
        for (row, seat) in stranded.zip(free) {
            change_chair(touched, (&row, seat), values).await?;
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
    let relocating = Relocating { games: desk.games, gm: gm.into(), place: place.to_owned() };
    let relocated =
        desk.at_table_keeping(Result::is_ok, code, now, relocating, |relocating, touched| {
            Box::pin(relocating.carry_out(touched))
        });
    relocated.await
}

struct Relocating {
    games: Games,
    gm: Gm,
    place: Address,
}

impl Relocating {
    async fn carry_out(&self, touched: &mut Touched<'_>) -> Result<()> {
        refuse_others(touched, &self.gm).await?;
        let from = touched.table.place.clone().ok_or(Refused::NotNow)?;
        refuse_if(from == self.place, Refused::Nothing)?;
        refuse_if(touched.session.is_played_at(&self.place).await?, Refused::Taken)?;
        posts::relocate(touched, &self.place).await?;
        outbox::forward(touched, &from, &self.place).await?;
        obstacles::overcome(touched, &from).await?;
        let owed = outbox::owed_to(touched, &self.place).await?;
        // This letter goes first, so that the table's last post stays the last.
        let send_at = owed
            .iter()
            .map(|(at, _)| *at - Span::INSTANT)
            .min()
            .unwrap_or(touched.now)
            .min(touched.now);
        let owed: Vec<Letter> =
            owed.iter().map(|(_, body)| read_json(body)).collect::<Stored<_>>()?;
        Ok(self.tell(touched, &owed, send_at).await?)
    }

    /// Posts in the new place that the table goes on there, and its position, unless that is owed anyway.
    async fn tell(&self, touched: &mut Touched<'_>, owed: &[Letter], send_at: Time) -> Stored<()> {
        let (table, seats) = (touched.table.clone(), touched.seats().await?);
        let mut notice = Notice::of(&seats, format!("relocated-{}", touched.now), send_at);
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
        let window = window.filter(|window| window.opens_at <= touched.now && !is_owed(window));
        let (Some(window), Ok(game), Stage::Playing) = (window, self.games.of(&table), table.stage)
        else {
            return notice.post_ahead(touched, self.place.clone(), vec![Part::Relocated]);
        };
        let contest = contest(touched.session, game, &table, &seats, &window).await?;
        notice.contest = Some(&*contest);
        let mut news = vec![Part::Relocated];
        let among = procedure_among(&seats, &contest.procedure());
        news.extend(opening_now(&table, &window, &*contest, &among, touched.now));
        notice.post_ahead(touched, self.place.clone(), news)
    }
}
