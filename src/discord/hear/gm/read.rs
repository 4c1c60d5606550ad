//! What a game master wants, as a decision: picked arguments as they are, texts as they are read.

use super::super::{Ears, Unanswered};
use crate::desk::{Judgement as Change, Override, Sight};
use crate::discord::deed::Deed;
use crate::discord::incoming::{Incoming, Want};
use crate::letters::Refused;
use crate::rules::Seat;
use crate::rules::text::fold;

/// How a house player plays if nobody says.
const HOUSE: &str = "house";

/// What can stand between the names of several players.
const BETWEEN: [char; 4] = [' ', ',', '、', '　'];

impl Ears {
    /// The decision that is meant, or why none can be read.
    pub(super) async fn read(
        &self,
        incoming: &Incoming,
        code: &str,
        want: &Want,
    ) -> Result<Result<Override, String>, Unanswered> {
        let (sight, _) = self.see(incoming, code).await?;
        let said = |name: &str| want.said.get(name).map_or("", String::as_str);
        let seat = |name: &str| seat(&sight, said(name)).ok_or(Refused::NoSeat);
        let number = |name: &str| said(name).parse::<i64>().unwrap_or(-1);
        let what = match want.deed {
            Deed::Close => Override::Close,
            Deed::Resume => Override::Resume,
            Deed::Void => Override::Void,
            Deed::Hold => Override::Hold,
            Deed::Publish => Override::Publish,
            Deed::End => Override::End,
            Deed::Open => Override::Open,
            Deed::AcceptLate => {
                let seat = seat("seat")?;
                self.judge(&sight, said("window"), Change::AcceptLate { seat }).await?
            }
            Deed::Skip => {
                let seat = seat("seat")?;
                self.judge(&sight, said("window"), Change::Skip { seat }).await?
            }
            Deed::Unskip => {
                let seat = seat("seat")?;
                self.judge(&sight, said("window"), Change::Unskip { seat }).await?
            }
            Deed::Rule => Override::Rule { words: said("text").to_owned() },
            Deed::Say => {
                let to = seats(&sight, said("to")).ok_or(Refused::NoSeat)?;
                Override::Say { words: said("text").to_owned(), to }
            }
            Deed::Undo => Override::Undo { number: number("number") - 1 },
            Deed::Replace => Override::Replace { seat: seat("seat")? },
            Deed::House => {
                let policy = want.said.get("policy").map_or(HOUSE, String::as_str).to_owned();
                Override::House { seat: seat("seat")?, policy }
            }
            Deed::Swap => Override::Swap { a: seat("seat")?, b: seat("other")? },
            Deed::Extend
            | Deed::Pause
            | Deed::Declare
            | Deed::Return
            | Deed::Die
            | Deed::Choose
            | Deed::Edit
            | Deed::Rollback
            | Deed::Show
            | Deed::Log
            | Deed::Appoint
            | Deed::Dismiss => return Err(Refused::Unfit.into()),
        };
        Ok(Ok(what))
    }

    /// A decision about the window that is seen to be open, or the one that is named.
    async fn judge(
        &self,
        sight: &Sight,
        which: &str,
        change: Change,
    ) -> Result<Override, Unanswered> {
        let seen = sight.play.as_ref().ok_or(Refused::NotBegun)?.number;
        let mut session = self.desk.store().read().await?;
        let table = session.table(&sight.code).await?.ok_or(Refused::NoTable)?;
        let window = match which {
            "open" => table.open_window,
            "last" => {
                let open = session.window(&sight.code, table.open_window).await?;
                open.and_then(|open| open.follows).ok_or(Refused::NoWindow)?
            }
            _ => seen,
        };
        Ok(Override::Judge { window, change })
    }
}

/// The seat that is named: by its number, or by who sits there.
pub(super) fn seat(sight: &Sight, said: &str) -> Option<Seat> {
    let said = fold(said);
    Seat::all(sight.chairs).find(|seat| {
        let name = sight.names.get(seat.index()).map_or("", String::as_str);
        fold(&seat.to_string()) == said || (!name.is_empty() && fold(name) == said)
    })
}

/// The seats that are named, if all of them are known.
fn seats(sight: &Sight, said: &str) -> Option<Vec<Seat>> {
    if let Some(one) = seat(sight, said) {
        return Some(vec![one]);
    }
    let names = said.split(BETWEEN).filter(|name| !name.is_empty());
    names.map(|name| seat(sight, name)).collect()
}
