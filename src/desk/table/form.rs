//! Forming a table, joining it and leaving it.

use async_trait::async_trait;
use serde_json::Value as Json;

use crate::absence::reputation::meets_minimum;
use crate::model::{
    Desk, Games, Guest, NotDone, Request, announced_stage, edition, random, stage_shown,
};
use crate::record::event::{Event, record};
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::record::values::{Brings, BroughtValues};
use crate::table::start::{LONGEST_EMPTY, begin_if_full, change_chair, free, sit, stand_up};
use letters::{Refused, SeatRefused};
use rules::dice::{Brought, commitment};
use rules::{Seat, receipt};
use store::{
    OnlookerRow, SeatRow, Session, StoreError, TableRow, Touched, absences, overrides, people,
    votes, write_json,
};
use tables::ids::{AccountId, Address, PersonId, TableCode};
use tables::time::Time;
use tables::{Absence, Pace, PersonSettings, Stage, TableSettings};

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
    pub host: Guest,
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
pub async fn form(desk: &Desk, form: Form, now: Time) -> Result<Formed, NotDone> {
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
    desk.carry_out(forming).await
}

/// Seats a guest on the first free chair; a guest who sits there already keeps their chair. The value
/// they bring is mixed into the seed; if they bring none, an earlier one stays.
/// Refused if there is no such table, no chair is free, the guest was sent away, the game has begun or is
/// about to, they have promised something else, or they have missed more windows than the host allows.
pub async fn join(
    desk: &Desk,
    code: &TableCode,
    guest: Guest,
    brought: impl Into<Brought>,
    now: Time,
) -> Result<Seat, NotDone> {
    join_at(desk, code, guest, brought, None, now).await
}

/// Seats a guest like [`join`], on this chair if one is named. A guest who sits on another chair
/// moves there with the value they brought.
/// Refused as [`join`], or if the chair is not free.
pub async fn join_at(
    desk: &Desk,
    code: &TableCode,
    guest: Guest,
    brought: impl Into<Brought>,
    chair: Option<Seat>,
    now: Time,
) -> Result<Seat, NotDone> {
    let (code, brought, person) = (code.to_owned(), brought.into(), random::person());
    let joining = Joining { games: desk.games, code, guest, brought, chair, person, now };
    desk.carry_out(joining).await
}

/// True if an account may look on at a table: as its host, or as somebody who sat there once and was not
/// sent away.
/// Refused if there is no such table.
pub async fn looks_on(desk: &Desk, code: &TableCode, account: &AccountId) -> Result<bool, NotDone> {
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
pub async fn leave(
    desk: &Desk,
    code: &TableCode,
    account: &AccountId,
    now: Time,
) -> Result<Seat, NotDone> {
    let leaving = Leaving { code: code.to_owned(), account: account.to_owned(), now };
    desk.carry_out(leaving).await
}

struct Forming {
    table: TableRow,
    seed: [u8; 32],
    salt: String,
    policies: u32,
    options: Json,
    absence: Absence,
    codes: Vec<TableCode>,
    host: Guest,
    person: PersonId,
}

#[async_trait]
impl Request for Forming {
    type Done = Formed;

    async fn carry_out(&self, session: &mut Session) -> Result<Formed, NotDone> {
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
            let Some(mut touched) = session.touch(code).await? else { break };
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
            record(&mut touched, &formed, table.formed_at)?;
            absences::keep_absence(&mut touched, self.absence).await?;
            touched.look_at(Some(table.formed_at + LONGEST_EMPTY));
            self.invite(&mut touched).await?;
            return Ok(Formed { code: table.code, commitment: table.commitment });
        }
        Err(StoreError::Failed("no code is free".to_owned()).into())
    }
}

impl Forming {
    /// Posts in public that a table waits for its players.
    async fn invite(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let notice = Notice::of(&[], "forming", touched.table.formed_at);
        notice.post(touched, |_| vec![Part::Forming]).await
    }
}

struct Joining {
    games: Games,
    code: TableCode,
    guest: Guest,
    brought: Brought,
    /// `None` if any chair will do.
    chair: Option<Seat>,
    person: PersonId,
    now: Time,
}

#[async_trait]
impl Request for Joining {
    type Done = Seat;

    async fn carry_out(&self, session: &mut Session) -> Result<Seat, NotDone> {
        let guest = &self.guest;
        let language = guest.language.code();
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let known = people::person(touched.session(), &guest.account).await?;
        let seats = touched.seats().await?;
        if let Some(row) = seats.iter().find(|row| row.is_of(known.as_ref())) {
            people::meet(touched.session(), &guest.account, language, &self.person).await?;
            self.choose(&mut touched, row).await?;
            return self.change_chair(&mut touched, &seats, row).await;
        }
        self.refuse_begun(&mut touched).await?;
        let values = BroughtValues::of(touched.session(), &self.code).await?;
        if values.is_frozen() {
            return Err(SeatRefused::Fixed.into());
        }
        if let Some(known) = &known
            && votes::sent_away(&mut touched).await?.contains(known)
        {
            return Err(SeatRefused::SentAway.into());
        }
        let seat = self.wanted_chair(&touched.table, &seats)?;
        let missed = meets_minimum(&mut touched, &guest.account, self.now).await?;
        missed.map_err(SeatRefused::Missed)?;
        // A guest is stored only once they sit down.
        let person =
            people::meet(touched.session(), &guest.account, language, &self.person).await?;
        for call in votes::calls_at(&mut touched).await? {
            if call.person.as_ref() == Some(&person) {
                votes::drop_call(&mut touched, call.number).await?;
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
        sit(&mut touched, &row, self.brought, self.now).await?;
        begin_if_full(&mut touched, self.games, self.now).await?;
        Ok(seat)
    }
}

impl Joining {
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
    ) -> Result<Seat, NotDone> {
        if self.chair.is_none_or(|chair| chair == row.seat) {
            return Ok(row.seat);
        }
        self.refuse_begun(touched).await?;
        let values = BroughtValues::of(touched.session(), &self.code).await?;
        if values.is_frozen() {
            return Err(SeatRefused::Fixed.into());
        }
        let seat = self.wanted_chair(&touched.table, seats)?;
        change_chair(touched, (row, seat), &values, self.now).await?;
        Ok(seat)
    }

    /// Refuses a request that can only be made before the game begins.
    async fn refuse_begun(&self, touched: &mut Touched<'_>) -> Result<(), NotDone> {
        if touched.table.stage == Stage::Forming {
            return Ok(());
        }
        let open = touched.open_window().await?;
        let over = announced_stage(&touched.table, open.as_ref(), self.now) == Stage::Over;
        Err(if over { Refused::Over } else { Refused::Begun }.into())
    }

    /// Takes a value from a seated guest: the one that they have promised, or a new one, as if they stood up
    /// and sat down again.
    async fn choose(&self, touched: &mut Touched<'_>, row: &SeatRow) -> Result<(), NotDone> {
        let values = BroughtValues::of(touched.session(), &self.code).await?;
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
        self.refuse_begun(touched).await?;
        if let (Brings::Promise(_), Brought::Value(value)) = (has, self.brought) {
            let value = hex::encode(value);
            if !values.is_promised(row.seat, &value) {
                return Err(SeatRefused::NotPromised.into());
            }
            if !values.is_due() {
                return Err(SeatRefused::NotDue.into());
            }
            touched.bring(row.seat, &value).await?;
            touched.stir();
            let fulfilled = Event::Kept { seat: row.seat, value };
            record(touched, &fulfilled, self.now)?;
            return Ok(begin_if_full(touched, self.games, self.now).await?);
        }
        if values.is_frozen() {
            return Err(SeatRefused::Fixed.into());
        }
        stand_up(touched, row.seat, self.now).await?;
        let value = values.value_of_next(&touched.table, row.seat, self.brought)?;
        sit(touched, &SeatRow { value, ..row.clone() }, self.brought, self.now).await?;
        Ok(())
    }
}

struct Leaving {
    code: TableCode,
    account: AccountId,
    now: Time,
}

#[async_trait]
impl Request for Leaving {
    type Done = Seat;

    async fn carry_out(&self, session: &mut Session) -> Result<Seat, NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        let person = people::person(touched.session(), &self.account).await?;
        let seats = touched.seats().await?;
        let row = seats.iter().find(|row| row.is_of(person.as_ref()));
        let row = row.ok_or(Refused::NotSeated)?;
        match stage_shown(&mut touched, self.now).await? {
            Stage::Forming => {}
            Stage::Playing => return Err(SeatRefused::NoLeaving.into()),
            Stage::Over => return Err(Refused::Over.into()),
        }
        if BroughtValues::of(touched.session(), &self.code).await?.is_frozen() {
            return Err(SeatRefused::Fixed.into());
        }
        stand_up(&mut touched, row.seat, self.now).await?;
        Ok(row.seat)
    }
}
