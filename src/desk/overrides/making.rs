//! The making of overrides: each gets a number, and open votes are counted again afterwards.

use crate::model::desk::NotDone;
use crate::overrides::deciding::{Deciding, Done};
use crate::overrides::vote;
use store::Touched;
use tables::ids::{OverrideNumber, PersonId};

impl Deciding {
    /// Carries out the override, stores its changes, and notifies its audience.
    pub(crate) async fn make(
        &self,
        touched: &mut Touched<'_>,
        person: &PersonId,
    ) -> Result<Done, NotDone> {
        let overrides = touched.overrides().await?;
        let number = overrides.last().map_or(OverrideNumber::FIRST, |row| row.number.next());
        let (window, undoes) = (touched.table.open_window, self.undoes(&overrides)?);
        self.refuse_over(touched).await?;
        let before = touched.seats().await?;
        let read = self.with_words_read(touched).await?;
        let numbered = Self { number, window, undoes, ..read };
        let done = numbered.make_as_numbered(touched, person).await?;
        vote::count_again(touched, self.games, &before, self.now).await?;
        Ok(done)
    }
}
