//! Writing to one's own side.

use async_trait::async_trait;

use crate::model::desk::{Desk, NotDone, Request};
use crate::model::load::stage_shown;
use crate::person::said_ahead::declares_for;
use crate::record::letter::Part;
use crate::record::notice::Notice;
use crate::view::see::Sight;
use letters::{DeclarationRefused, Refused};
use rules::{Seat, Side};
use store::{Session, SideLine, side_lines};
use tables::Stage;
use tables::ids::{AccountId, TableCode};
use tables::time::Time;

/// The longest line, in characters.
const LONGEST: usize = 500;

/// Stores a line to the viewer's side, and notifies the partners. No letter contains the line.
/// Refused without partners, outside a game, or if the line is too long.
pub async fn write_to_side(
    desk: &Desk,
    sight: &Sight,
    account: &AccountId,
    words: &str,
    now: Time,
) -> Result<(), NotDone> {
    let (play, seat) = sight.seated_in_game()?;
    let partners = play.partners.clone();
    let side = play.contest.sides()[seat].filter(|_| !partners.is_empty());
    let side = side.ok_or(DeclarationRefused::NoSide)?;
    if words.chars().count() > LONGEST {
        return Err(DeclarationRefused::LineTooLong.into());
    }
    let line = SideLine { seat, at: now, words: words.to_owned() };
    let (code, account) = (sight.code.clone(), account.to_owned());
    desk.carry_out(WritingToSide { code, account, side, partners, line }).await
}

struct WritingToSide {
    code: TableCode,
    account: AccountId,
    side: Side,
    partners: Vec<Seat>,
    line: SideLine,
}

#[async_trait]
impl Request for WritingToSide {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let (line, now) = (&self.line, self.line.at);
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if stage_shown(&mut touched, now).await? == Stage::Over {
            return Err(Refused::Over.into());
        }
        let person = declares_for(&mut touched, &self.account, line.seat, now).await?;
        let number = side_lines::write_to_side(&mut touched, self.side, &person, line).await?;
        let seats = touched.seats().await?;
        let notice = Notice::of(&seats, format!("side-{number}-{now}"), now);
        let written = |seat: Seat| {
            let is_told = self.partners.contains(&seat);
            is_told.then_some(Part::SideLine { by: line.seat }).into_iter().collect()
        };
        Ok(notice.post_to_each(&mut touched, written).await?)
    }
}
