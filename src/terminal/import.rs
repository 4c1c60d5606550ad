//! `shimekiri import`: an exported table continues in this database.

use std::io;
use std::path::PathBuf;

use super::misuse::Misuse;
use super::services::open;
use super::table_source::bytes_of;
use super::texts::{HereAlready, Imported, NotTakenUp};
use super::why::why;
use super::{Exit, TerminalText, language, mail};
use crate::config::Config;
use desk::{Belief, Desk, NotImported, TableFile};
use discord::{self};
use games::GAMES;
use rules::text::Lang;
use store::Access;
use tables::ids::AccountId;

/// The arguments of `shimekiri import`.
#[derive(Clone, Debug, clap::Args)]
pub struct ImportArguments {
    /// An exported file
    pub file: PathBuf,
    /// The file is your own: also import where the table is posted, pending messages and punctuality
    #[arg(long)]
    pub own: bool,
    /// The language: ja or en [default: this machine's]
    #[arg(long, value_name = "LANG")]
    pub lang: Option<Lang>,
}

/// Imports the table of the file.
pub async fn run(
    args: &ImportArguments,
    config: &Config,
    out: &mut (dyn io::Write + Send),
    complaints: &mut (dyn io::Write + Send),
) -> io::Result<Exit> {
    let voice = TerminalText::new(language(args.lang.or(config.host.language)));
    let shown = args.file.display().to_string();
    let read = match bytes_of(&args.file) {
        Ok(bytes) => TableFile::read(&bytes),
        Err(error) => {
            return Misuse::unread(&shown, &error).complain(&voice, complaints);
        }
    };
    let file = match read {
        Ok(file) => file,
        Err(fault) => return Misuse::bad_file(&shown, &fault).complain(&voice, complaints),
    };
    let store = match open(config, Access::Make).await {
        Ok(store) => store,
        Err(misuse) => return misuse.complain(&voice, complaints),
    };
    let own =
        |account: &AccountId| mail::own_address(account).or_else(|| discord::own_address(account));
    let belief = if args.own { Belief::All } else { Belief::Table(own) };
    let heading = file.heading.clone();
    let taken = desk::import(&Desk::new(store.clone(), GAMES), file, belief).await;
    store.close().await;
    let code = &heading.table;
    match taken {
        Ok(left_out) => {
            let secrets = heading.secrets;
            let imported = Imported { code, file: &shown, secrets, left_out };
            out.write_all(voice.text(&imported).as_bytes())?;
            Ok(Exit::Fine)
        }
        Err(NotImported::Here) => Misuse::from(HereAlready { code }).complain(&voice, complaints),
        Err(NotImported::Fault(fault)) => {
            Misuse::bad_file(&shown, &fault).complain(&voice, complaints)
        }
        Err(NotImported::Store(error)) => {
            Misuse::from(NotTakenUp { code, why: why(&error) }).complain(&voice, complaints)
        }
    }
}
