//! What somebody can hold against the house: the receipts of what they have sealed.

use super::{InteractionError, InteractionHandler};
use crate::clock;
use crate::discord::address;
use crate::discord::answer::PrivateAnswer;
use crate::discord::api::Attachment;
use crate::discord::incoming::Incoming;

/// What the file is called by which they can be computed again.
const FILE: &str = "receipts.txt";

impl InteractionHandler {
    /// Somebody's receipts at a table. Once it is over, a file tells what each is the hash of: a
    /// message would not keep every sign as it is.
    pub(super) async fn receipts(
        &self,
        incoming: &Incoming,
        code: &str,
    ) -> Result<PrivateAnswer, InteractionError> {
        let (sight, reader) = self.see(incoming, code).await?;
        let account = address::account(incoming.person.id);
        let receipts = self.desk.receipts(&sight, &account, clock::now()).await?;
        let text = receipts.written(&self.letters, &reader, sight.pace.zone)?;
        let mut answer = PrivateAnswer::words(text);
        let commands = receipts.commands();
        if !commands.is_empty() {
            let (name, kind) = (FILE.to_owned(), "text/plain");
            answer.files.push(Attachment { name, kind, bytes: commands.into_bytes() });
        }
        Ok(answer)
    }
}
