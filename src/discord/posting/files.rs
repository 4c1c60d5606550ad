//! The files posted in a thread when its table is over: the table's file and its page.

use strum::IntoStaticStr;

use crate::api::Attachment;
use crate::posting::channel::Threads;
use crate::posting::message::{Message, plain};
use desk::courier::Undelivered;
use desk::{Extent, Letter, NotDone, NotExported, clock, page};
use letters::discord::BroughtFile;
use letters::{LetterFault, Reader};
use store::StoreError;
use tables::ids::TableCode;

/// The maximum size of a file, in bytes: Discord's limit for servers without a subscription.
const MOST: usize = 10 * 1024 * 1024;

/// The reason why a file is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case", const_into_str)]
enum OmittedFile {
    /// The file is too large for Discord.
    Large,
    /// The file cannot be made.
    Failed,
    /// The place takes no files.
    Refused,
}

/// A file, or the reason why there is none.
type FileOrReason = Result<Vec<u8>, OmittedFile>;

impl Threads {
    /// Returns the files of a letter, each in a message with its description.
    pub(crate) async fn files(
        &self,
        letter: &Letter,
        reader: &Reader,
    ) -> Result<Vec<Message>, Undelivered> {
        if !letter.brings_files() {
            return Ok(Vec::new());
        }
        let (table, page) = (self.table_file(&letter.code).await?, self.page(&letter.code).await?);
        let fault = |fault: LetterFault| Undelivered::Failed(fault.to_string());
        let brought = |what, ending, kind, made| {
            let name = format!("{}.{ending}", letter.code);
            self.brought(&letter.code, reader, what, (name, kind, made)).map_err(fault)
        };
        Ok(vec![
            brought("table", "jsonl", "application/x-ndjson", table)?,
            brought("page", "html", "text/html", page)?,
        ])
    }

    /// Returns the file of a table, without names.
    async fn table_file(&self, code: &TableCode) -> Result<FileOrReason, Undelivered> {
        let extent = Extent { secrets: false, nameless: true };
        match desk::export(&self.desk, code, extent, clock::now()).await {
            Ok(text) => Ok(Ok(text.into_bytes())),
            Err(NotExported::Store(error)) => failed(error, code),
            // The table goes on after all.
            Err(error @ (NotExported::Running | NotExported::NoTable)) => {
                Err(Undelivered::Never(error.to_string()))
            }
        }
    }

    /// Returns the page of a table, rendered on a blocking thread.
    async fn page(&self, code: &TableCode) -> Result<FileOrReason, Undelivered> {
        let retold = match desk::retell(&self.desk, code, clock::now()).await {
            Ok(Some(retold)) => retold,
            Ok(None) => return Err(Undelivered::Never("the table is not over".to_owned())),
            Err(NotDone::Store(error)) => return failed(error, code),
            Err(error) => {
                tracing::warn!(table = %code, %error, "the page of a table could not be made");
                return Ok(Err(OmittedFile::Failed));
            }
        };
        let letters = self.letters.clone();
        let _one = self.drawing.lock().await;
        let write = move || page::write(&retold, &letters, retold.language);
        match tokio::task::spawn_blocking(write).await {
            Ok(Ok(page)) => return Ok(Ok(page.into_bytes())),
            Ok(Err(fault)) => tracing::error!(%fault, "the page of a table could not be written"),
            Err(fault) => tracing::error!(%fault, "the writing of a page broke down"),
        }
        Ok(Err(OmittedFile::Failed))
    }

    /// Returns a message with a file, or with the reason why it is missing.
    fn brought(
        &self,
        code: &TableCode,
        reader: &Reader,
        what: &str,
        (name, kind, made): (String, &'static str, FileOrReason),
    ) -> Result<Message, LetterFault> {
        let made = made.and_then(fitting);
        let missing = made.as_ref().err().map(OmittedFile::into_str);
        let written = |missing| {
            let file = BroughtFile { what, code, name: &name, missing };
            Ok::<_, LetterFault>(self.letters.write(reader, &file)?.trim().to_owned())
        };
        let mut message = plain(&written(missing)?);
        message.without_files = Some(written(Some(OmittedFile::Refused.into_str()))?);
        message.files.extend(made.ok().map(|bytes| Attachment { name, kind, bytes }));
        Ok(message)
    }
}

/// Returns a file if Discord accepts its size.
fn fitting(bytes: Vec<u8>) -> FileOrReason {
    if bytes.len() <= MOST { Ok(bytes) } else { Err(OmittedFile::Large) }
}

/// Leaves a file out after an error that no retry fixes, and returns other errors.
fn failed(error: StoreError, code: &TableCode) -> Result<FileOrReason, Undelivered> {
    match error {
        StoreError::Unreadable(_) | StoreError::Failed(_) => {
            tracing::error!(table = %code, %error, "a file of a table could not be made");
            Ok(Err(OmittedFile::Failed))
        }
        error => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use crate::posting::files::*;

    #[test]
    fn what_discord_would_not_take_is_left_out() {
        assert_eq!(fitting(vec![0; MOST]).map(|bytes| bytes.len()), Ok(MOST));
        assert_eq!(fitting(vec![0; MOST + 1]), Err(OmittedFile::Large));
    }

    #[test]
    fn what_is_unreadable_is_not_tried_for_ever() {
        let unreadable = StoreError::Unreadable("x".to_owned());
        assert!(matches!(failed(unreadable, &"K7Q2T".into()), Ok(Err(OmittedFile::Failed))));
        assert!(matches!(failed(StoreError::Full, &"K7Q2T".into()), Err(Undelivered::Store(_))));
    }
}
