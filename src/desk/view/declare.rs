//! Declaring over a table that was just looked at: its contest is not taken up again.

use std::sync::Arc;

use crate::desk::model::desk::{Desk, NotDone};
use crate::desk::view::see::Sight;
use crate::desk::window::declare::{DeclarationGround, DeclarationStatus, Filed};
use crate::rules::{Declaration, Interview};
use crate::time::Time;

impl Desk {
    /// Takes a declaration of somebody who has just looked at the table, with how it is read there.
    /// Whatever they could not know is found out as by [`Desk::declare`].
    pub async fn declare_as_seen(
        &self,
        sight: &Sight,
        account: &str,
        declaration: &Declaration,
        interview: Interview,
        said: DeclarationStatus,
        now: Time,
    ) -> Result<Filed, NotDone> {
        if let Some(ground) = sight.declaration_ground() {
            let read = (declaration, interview);
            match self.declare_on(ground, &sight.code, account, read, said, now).await {
                // Something has happened since they looked.
                Err(NotDone::Refused(_)) => {}
                declared => return declared,
            }
        }
        self.declare(&sight.code, account, declaration, said, now).await
    }
}

impl Sight {
    /// The window that is seen to be open, for whoever looks to declare in; none if they sit nowhere
    /// or the game has not begun.
    fn declaration_ground(&self) -> Option<DeclarationGround> {
        let (play, seat) = self.play.as_ref().zip(self.seat)?;
        Some(DeclarationGround {
            seat,
            is_substitute: play.is_substitute,
            number: play.number,
            said: play.said.clone(),
            contest: Arc::clone(&play.contest),
            pace: self.pace.clone(),
            among: play.among,
        })
    }
}
