//! Declaring for the next window of a kind before it opens.

use crate::desk::model::desk::{Desk, NotDone, Request};
use crate::desk::person::orders::declares_for;
use crate::desk::view::see::Sight;
use crate::ids::{AccountId, TableCode, WindowNumber};
use crate::letters::{DeclarationRefused, Refused};
use crate::rules::{Declaration, Seat, WindowKind};
use crate::store::{NextDeclarationRow, Session, write_json};
use crate::tables::Stage;
use crate::time::Time;

impl Sight {
    /// For which kind of window somebody can declare beforehand: another of the kind that is open.
    /// Refused while nothing is played, where all is done at once, or where no other such window asks
    /// them the same.
    pub fn next_kind(&self) -> Result<WindowKind, Refused> {
        let seat = self.seat.ok_or(Refused::NotSeated)?;
        match (&self.play, self.stage) {
            (_, Stage::Over) => Err(Refused::Over),
            (Some(play), Stage::Playing) if play.contest.is_open_handed() => {
                Err(DeclarationRefused::NothingSealed.into())
            }
            (Some(play), Stage::Playing) => {
                let kind = play.contest.procedure().kind;
                let asks = || play.contest.interview(seat, &Declaration::default()).is_asking();
                let can = !play.contest.is_suspended() && kind != WindowKind::Setup && asks();
                can.then_some(kind).ok_or(DeclarationRefused::NoNext.into())
            }
            _ => Err(Refused::NotBegun),
        }
    }
}

impl Desk {
    /// Keeps what somebody declares for the next window of the kind of the open one, in place of what
    /// was there. It becomes a draft when that opens. An empty one takes it back.
    /// Refused as by [`Sight::next_kind`], and while no window is open.
    pub async fn declare_next(
        &self,
        sight: &Sight,
        account: &AccountId,
        declaration: &Declaration,
        now: Time,
    ) -> Result<(), NotDone> {
        let kind = sight.next_kind()?;
        let play = sight.play.as_ref().ok_or(Refused::NotBegun)?;
        let seat = sight.seat.ok_or(Refused::NotSeated)?;
        let answers = (!declaration.is_empty()).then(|| write_json(declaration)).transpose()?;
        let (code, account, number) = (sight.code.clone(), account.to_owned(), play.number);
        let declaring = DeclaringNext { code, account, seat, number, kind, answers, now };
        self.carry_out(declaring).await
    }
}

struct DeclaringNext {
    code: TableCode,
    account: AccountId,
    seat: Seat,
    /// The window that was open.
    number: WindowNumber,
    kind: WindowKind,
    /// None takes back what was there.
    answers: Option<String>,
    now: Time,
}

impl Request for DeclaringNext {
    type Done = ();

    async fn carry_out(&self, session: &mut Session) -> Result<(), NotDone> {
        let mut touched = session.touch(&self.code).await?.ok_or(Refused::NoTable)?;
        if touched.table.open_window != Some(self.number) {
            return Err(Refused::NotYet.into());
        }
        let person = declares_for(&mut touched, &self.account, self.seat, self.now).await?;
        let row = NextDeclarationRow {
            seat: self.seat,
            person,
            kind: self.kind,
            answers: self.answers.clone().unwrap_or_default(),
        };
        match &self.answers {
            Some(_) => touched.keep_next_declaration(&row).await?,
            None => touched.withdraw_next_declaration(&row).await?,
        }
        Ok(())
    }
}
