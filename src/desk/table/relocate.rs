//! Moving a table to another place, because nothing may arrive at the old one any more. The pending letters
//! of the table follow.

use async_trait::async_trait;

use crate::absence::attendance::procedure_among;
use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::{Games, contest};
use crate::model::overrides::Gm;
use crate::model::people::refuse_others;
use crate::record::letter::{Letter, Part};
use crate::record::notice::Notice;
use crate::record::tell::opening_now;
use letters::Refused;
use store::{Session, StoreError, Touched, WindowRow, knocks, obstacles, posts, read_json};
use tables::Stage;
use tables::ids::{Address, TableCode};
use tables::time::{Span, Time};

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
        knocks::forward(&mut touched, &from, &self.place).await?;
        obstacles::overcome(&mut touched, &from).await?;
        let owed = knocks::owed_to(&mut touched, &self.place).await?;
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
