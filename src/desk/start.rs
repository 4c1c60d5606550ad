//! The start of a game: the deal, and the first window.

use super::carried::carry_on;
use super::form::{free, is_host, sit};
use super::happened::record;
use super::letter::Part;
use super::resolve::Next;
use super::{Desk, Games, Happened, NotDone, dice, draw, pace, read_json};
use crate::letters::Refused;
use crate::rules::{Seat, Viewer};
use crate::store::{SeatRow, Session, StoreError, Work};
use crate::tables::Stage;

impl Desk {
    /// Deals and opens the first window. House players who play like this sit down on the chairs
    /// that are free, and bring these values, or drawn ones.
    ///
    /// # Errors
    /// If it is not the host who asks, nobody has sat down, or the game has begun.
    pub async fn start(
        &self,
        code: &str,
        host: &str,
        house: &str,
        value: Option<[u8; 32]>,
        now: i64,
    ) -> Result<(), NotDone> {
        let drawn = || hex::encode(value.unwrap_or_else(draw::bytes));
        let starting = Starting {
            games: self.games,
            code: code.to_owned(),
            host: host.to_owned(),
            house: house.to_owned(),
            values: std::iter::repeat_with(drawn).take(crate::rules::seat::MAX_SEATS).collect(),
            now,
        };
        Ok(self.store.write(starting).await??)
    }
}

struct Starting {
    games: Games,
    code: String,
    host: String,
    house: String,
    values: Vec<String>,
    now: i64,
}

impl Work for Starting {
    type Done = Result<(), Refused>;

    async fn work(&self, session: &mut Session) -> Result<Self::Done, StoreError> {
        let Some(mut touched) = session.touch(&self.code).await? else {
            return Ok(Err(Refused::NoTable));
        };
        let game = match self.games.of(&touched.table) {
            Ok(game) => game,
            Err(refused) => return Ok(Err(refused)),
        };
        if !is_host(&mut touched, &self.host).await? {
            return Ok(Err(Refused::NotHost));
        }
        if touched.table.stage != Stage::Forming {
            return Ok(Err(Refused::Begun));
        }
        let mut seats = touched.seats().await?;
        if seats.is_empty() {
            return Ok(Err(Refused::Nobody));
        }
        for (seat, value) in free(&touched.table, &seats).zip(&self.values).collect::<Vec<_>>() {
            let row = SeatRow {
                seat,
                person: None,
                house: Some(self.house.clone()),
                name: String::new(),
                value: value.clone(),
                address: None,
                language: None,
            };
            sit(&mut touched, &row, self.now).await?;
            seats.push(row);
        }
        seats.sort_by_key(|row| row.seat);
        // Who was asked and has not come has no chair any more.
        touched.drop_calls().await?;
        carry_on(&mut touched, self.games, self.now).await?;
        let options = read_json(&touched.table.options)?;
        let dealt = game.open(&options, seats.len(), dice(&touched.table, &seats)?);
        let (contest, told) = dealt.map_err(|error| StoreError::Failed(error.to_string()))?;
        let state = hex::encode(contest.state_hash());
        let entries = told.entries(Viewer::All);
        record(&mut touched, &Happened::Dealt { number: 0, entries, state }, self.now).await?;
        let pace = pace(&touched.table)?;
        let next = Next {
            seats: &seats,
            pace: &pace,
            contest: &*contest,
            root: None,
            follows: None,
            opens: self.now,
            timing: None,
            now: self.now,
        };
        let (dice, commitment) = (touched.table.dice.clone(), touched.table.commitment.clone());
        let values: Vec<_> = seats.iter().map(|row| (row.seat, row.value.clone())).collect();
        let told = |you: Option<Seat>| {
            let entries = told.entries(you.map_or(Viewer::Public, Viewer::Seat));
            let (table, commitment, values) = (dice.clone(), commitment.clone(), values.clone());
            let welcome = Part::Welcome { you, seats: seats.len(), table, commitment, values };
            vec![welcome, Part::Result { you, entries }]
        };
        next.open(&mut touched, told).await?;
        Ok(Ok(()))
    }
}
