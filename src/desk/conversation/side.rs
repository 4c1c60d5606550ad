//! The view of a side, and lines to it.

use super::{Conversation, ConversationAnswer, ConversationError, Speaker};
use crate::person::side::write_to_side;
use crate::view::side;
use letters::{DeclarationRefused, follow};
use rules::Declaration;

/// The maximum number of a side's lines shown with other text.
pub const LINES_BESIDE: u32 = 2;

/// The maximum number of a side's lines shown in its own view.
const LINES: u32 = 30;

impl Conversation<'_> {
    /// Writes a line to the speaker's side, unless it is empty, and shows the view of the side.
    pub async fn side(&self, input: &str) -> Result<ConversationAnswer, ConversationError> {
        let Speaker { desk, account, letters, reader, now } = self.speaker;
        let input = input.trim();
        if !input.is_empty() {
            write_to_side(desk, self.sight, account, input, now).await?;
        }
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(shown) = self.side_beside(&own, LINES).await? {
            return Ok(ConversationAnswer::words(shown));
        }
        let (play, _) = self.sight.seated_in_game()?;
        // The window has closed, and nothing has been written.
        let shut = self.sight.shut(letters, reader)?.filter(|_| !play.partners.is_empty());
        Ok(ConversationAnswer::words(shut.ok_or(DeclarationRefused::NoSide)?))
    }

    /// Returns the view of the speaker's side with their draft and a limited number of lines; empty without
    /// partners.
    pub async fn side_beside(
        &self,
        own: &Declaration,
        lines: u32,
    ) -> Result<Option<String>, ConversationError> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        let Some(side) = side::side(desk, self.sight, own, lines).await? else { return Ok(None) };
        let shown = self.sight.side_shown(&side, letters, reader)?;
        Ok((!shown.is_empty()).then_some(shown))
    }

    /// Returns the result of the drafts of the speaker's side with theirs; empty without partners.
    pub async fn plan_beside(&self, own: &Declaration) -> Result<String, ConversationError> {
        let Speaker { desk, letters, reader, .. } = self.speaker;
        match side::side(desk, self.sight, own, 0).await? {
            Some(side) => Ok(side.plan_shown(letters, reader)?),
            None => Ok(String::new()),
        }
    }

    /// Returns a text with the view of the speaker's side below it.
    pub(super) async fn with_side(&self, mut text: String) -> Result<String, ConversationError> {
        let own = self.sight.play.as_ref().map(|play| play.own.clone()).unwrap_or_default();
        if let Some(side) = self.side_beside(&own, LINES_BESIDE).await? {
            follow(&mut text, &side);
        }
        Ok(text)
    }
}
