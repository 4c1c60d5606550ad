//! Forming a table, joining it and leaving it.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::happened::record;
use super::letter::{Notice, Part};
use super::reputation::meets_minimum;
use super::{Desk, Happened, NotDone, announced_stage, draw, edition, pace, write_json};
use crate::games::any::OpenError;
use crate::letters::Refused;
use crate::rules::dice::commitment;
use crate::rules::text::Lang;
use crate::rules::{Seat, receipt};
use crate::store::{SeatRow, Session, StoreError, TableRow, Touched, Work};
use crate::tables::{Pace, Stage};

/// How often another code is drawn, if one is taken.
const CODES: usize = 16;

/// Somebody, as the desk meets them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Guest {
    /// Who they are outside of this house, such as `terminal:桜`.
    pub account: String,
    /// What they are called at the table; empty for P1 and so on.
    pub name: String,
    /// The language they read.
    pub language: Lang,
    /// Where their letters go.
    pub address: String,
}

/// A table to be formed.
#[derive(Clone, Debug)]
pub struct Form {
    /// The game's word.
    pub game: String,
    /// The game's options.
    pub options: Json,
    /// How many chairs.
    pub chairs: usize,
    /// When its windows close.
    pub pace: Pace,
    /// Whose table it is. They do not join by that.
    pub host: Guest,
    /// Where its public letters go; none where everybody is written to alone.
    pub place: Option<String>,
    /// The seed of its dice and what they are keyed by beside it, said in advance; else drawn.
    pub seed: Option<([u8; 32], String)>,
}

/// A table that has been formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formed {
    /// What people type.
    pub code: String,
    /// The hash of the seed, in hex digits, known before anybody joins.
    pub commitment: String,
}

impl Desk {
    /// Forms a table.
    ///
    /// # Errors
    /// If there is no such game, it does not take these options or so many, or a table that is not
    /// over is in the same place.
    pub async fn form(&self, form: Form, now: i64) -> Result<Formed, NotDone> {
        let game = self.games.find(&form.game).ok_or(Refused::OtherEdition)?;
        game.check_options(&form.options, form.chairs)?;
        let edition = edition(game);
        let (seed, dice) = form.seed.unzip();
        let seed = seed.unwrap_or_else(draw::bytes);
        let table = TableRow {
            code: String::new(),
            game: edition.game,
            edition: edition.name,
            data: edition.data,
            options: write_json(&form.options)?,
            language: form.host.language.code().to_owned(),
            pace: write_json(&form.pace)?,
            chairs: i64::try_from(form.chairs).unwrap_or(i64::MAX),
            host: String::new(),
            stage: Stage::Forming,
            held: None,
            seed: hex::encode(seed),
            commitment: hex::encode(commitment(&seed)),
            open_window: -1,
            look_at: None,
            entries: 0,
            chain: hex::encode(receipt::BEGINNING),
            dice: dice.unwrap_or_default(),
            formed_at: now,
            place: form.place,
            count_only: 0,
            windows: 0,
            held_at: None,
            oversight: super::gm::BLIND.to_owned(),
            files: 1,
        };
        let codes = std::iter::repeat_with(draw::code).take(CODES).collect();
        let options = form.options;
        let forming = Forming { table, options, codes, host: form.host, person: draw::id() };
        Ok(self.store.write(forming).await??)
    }

    /// Seats somebody on the first free chair. Who sits there already stays there. Their value is
    /// mixed into the seed; if they choose none, one is drawn, and who has one keeps it.
    ///
    /// # Errors
    /// If there is no such table, no chair is free, they were sent away, the game has begun, or they
    /// have missed more windows than its host allows.
    pub async fn join(
        &self,
        code: &str,
        guest: Guest,
        value: Option<[u8; 32]>,
        now: i64,
    ) -> Result<Seat, NotDone> {
        let is_chosen = value.is_some();
        let value = hex::encode(value.unwrap_or_else(draw::bytes));
        let (code, person) = (code.to_owned(), draw::id());
        let joining = Joining { code, guest, value, is_chosen, person, now };
        Ok(self.store.write(joining).await??)
    }

    /// Frees somebody's chair again, as long as the game has not begun.
    ///
    /// # Errors
    /// If they do not sit there, or the game has begun.
    pub async fn leave(&self, code: &str, account: &str, now: i64) -> Result<Seat, NotDone> {
        let leaving = Leaving { code: code.to_owned(), account: account.to_owned(), now };
        Ok(self.store.write(leaving).await??)
    }
}

impl From<OpenError> for NotDone {
    fn from(error: OpenError) -> Self {
        Self::Options(error)
    }
}

struct Forming {
    table: TableRow,
    options: Json,
    codes: Vec<String>,
    host: Guest,
    person: String,
}

impl Work for Forming {
    type Done = Result<Formed, Refused>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let host = &self.host;
        let mut table = self.table.clone();
        // What begins by reading cannot write any more once another process has written.
        table.host = session.meet(&host.account, host.language.code(), &self.person).await?;
        if let Some(place) = &table.place
            && session.is_played_at(place).await?
        {
            return Ok(Err(Refused::Taken));
        }
        let named = !table.dice.is_empty();
        for code in &self.codes {
            table.code.clone_from(code);
            if !named {
                table.dice.clone_from(code);
            }
            if !session.form(&table).await? {
                continue;
            }
            let Some(mut touched) = session.touch(code).await? else { break };
            let formed = Happened::Formed {
                game: table.game.clone(),
                edition: table.edition.clone(),
                data: table.data.clone(),
                options: self.options.clone(),
                chairs: table.chairs,
                commitment: table.commitment.clone(),
            };
            record(&mut touched, &formed, table.formed_at).await?;
            self.invite(&mut touched).await?;
            return Ok(Ok(Formed { code: table.code, commitment: table.commitment }));
        }
        Err(StoreError::Failed("no code is free".to_owned()))
    }
}

impl Forming {
    /// Tells in public that a table waits for its players.
    async fn invite(&self, touched: &mut Touched<'_>) -> Result<(), StoreError> {
        let pace = pace(&touched.table)?;
        let notice = Notice {
            seats: &[],
            zone: pace.zone,
            contest: None,
            id: "forming".to_owned(),
            send_at: touched.table.formed_at,
        };
        notice.post(touched, |_| vec![Part::Forming]).await
    }
}

struct Joining {
    code: String,
    guest: Guest,
    value: String,
    /// Whether it is theirs, and not drawn for who brings none.
    is_chosen: bool,
    person: String,
    now: i64,
}

impl Work for Joining {
    type Done = Result<Seat, Refused>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let guest = &self.guest;
        let language = guest.language.code();
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Err(Refused::NoTable));
        };
        let known = touched.session().person(&guest.account).await?;
        let seats = touched.seats().await?;
        if let Some(row) = seats.iter().find(|row| row.is_of(known.as_deref())) {
            touched.session().meet(&guest.account, language, &self.person).await?;
            if self.is_chosen && row.value != self.value {
                return Ok(self.choose(&mut touched, row).await?.map(|()| row.seat));
            }
            return Ok(Ok(row.seat));
        }
        if let Err(refused) = self.refuse_begun(&mut touched).await? {
            return Ok(Err(refused));
        }
        if let Some(known) = &known
            && touched.sent_away().await?.contains(known)
        {
            return Ok(Err(Refused::SentAway));
        }
        let Some(seat) = free(&touched.table, &seats).next() else { return Ok(Err(Refused::Full)) };
        if let Err(unmet) = meets_minimum(&mut touched, &guest.account, self.now).await? {
            return Ok(Err(Refused::Missed(unmet)));
        }
        // Only who sits down is known from now on.
        let person = touched.session().meet(&guest.account, language, &self.person).await?;
        for call in touched.calls().await? {
            if call.person.as_ref() == Some(&person) {
                touched.drop_call(call.number).await?;
            }
        }
        let row = SeatRow {
            seat,
            person: Some(person),
            house: None,
            name: guest.name.clone(),
            value: self.value.clone(),
            address: Some(guest.address.clone()),
            language: Some(language.to_owned()),
        };
        sit(&mut touched, &row, self.now).await?;
        Ok(Ok(seat))
    }
}

impl Joining {
    /// Refuses what can only be done before the game begins.
    async fn refuse_begun(
        &self,
        touched: &mut Touched<'_>,
    ) -> Result<Result<(), Refused>, StoreError> {
        if touched.table.stage == Stage::Forming {
            return Ok(Ok(()));
        }
        let open = touched.open_window().await?;
        let over = announced_stage(&touched.table, open.as_ref(), self.now) == Stage::Over;
        Ok(Err(if over { Refused::Over } else { Refused::Begun }))
    }

    /// Whoever sits there already brings another value: as if they stood up and sat down again.
    async fn choose(
        &self,
        touched: &mut Touched<'_>,
        row: &SeatRow,
    ) -> Result<Result<(), Refused>, StoreError> {
        if let Err(refused) = self.refuse_begun(touched).await? {
            return Ok(Err(refused));
        }
        stand_up(touched, row.seat, self.now).await?;
        let row = SeatRow { value: self.value.clone(), ..row.clone() };
        sit(touched, &row, self.now).await?;
        Ok(Ok(()))
    }
}

struct Leaving {
    code: String,
    account: String,
    now: i64,
}

impl Work for Leaving {
    type Done = Result<Seat, Refused>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Err(Refused::NoTable));
        };
        let person = touched.session().person(&self.account).await?;
        let seats = touched.seats().await?;
        let Some(row) = seats.iter().find(|row| row.is_of(person.as_deref())) else {
            return Ok(Err(Refused::NotSeated));
        };
        if touched.table.stage != Stage::Forming {
            return Ok(Err(Refused::Begun));
        }
        stand_up(&mut touched, row.seat, self.now).await?;
        Ok(Ok(row.seat))
    }
}

/// The chairs nobody sits on.
pub(super) fn free<'s>(
    table: &TableRow,
    seats: &'s [SeatRow],
) -> impl Iterator<Item = Seat> + use<'s> {
    let chairs = usize::try_from(table.chairs).unwrap_or_default();
    Seat::all(chairs).filter(|seat| seats.iter().all(|row| row.seat != *seat))
}

/// Seats somebody, and says so in the journal.
pub(super) async fn sit(
    touched: &mut Touched<'_>,
    row: &SeatRow,
    now: i64,
) -> Result<(), StoreError> {
    touched.sit(row).await?;
    touched.stir().await?;
    let (house, value) = (row.house.clone(), row.value.clone());
    record(touched, &Happened::Joined { seat: row.seat, house, value }, now).await
}

/// Frees a chair, and says so in the journal.
pub(super) async fn stand_up(
    touched: &mut Touched<'_>,
    seat: Seat,
    now: i64,
) -> Result<(), StoreError> {
    touched.stand_up(seat).await?;
    touched.stir().await?;
    record(touched, &Happened::Left { seat }, now).await
}

/// The table's host, if the account is theirs.
pub(super) async fn is_host(touched: &mut Touched<'_>, account: &str) -> Result<bool, StoreError> {
    let person = touched.session().person(account).await?;
    Ok(person.is_some_and(|person| person == touched.table.host))
}
