//! What a game master wants, as they would write it.

use crate::discord::gm_command::GmCommand;
use crate::discord::incoming::{GmRequest, PickedTarget};

/// What can stand between the names of several players.
const BETWEEN: [char; 4] = [' ', ',', '、', '　'];

/// The line that says the same: read by the same grammar, it is refused in the same words.
pub(super) fn line(request: &GmRequest) -> String {
    let said = |name: &str| request.said.get(name).map_or("", |said| said.trim()).to_owned();
    let whom = match &request.whom {
        Some(PickedTarget::Person { id, .. }) => id.to_string(),
        _ => String::new(),
    };
    let last = || if said("window") == "last" { said("window") } else { String::new() };
    let pieces = match request.command {
        GmCommand::Extend | GmCommand::Pause => vec![said("time")],
        GmCommand::Declare | GmCommand::Die | GmCommand::Choose => {
            vec![last(), said("seat"), said("text")]
        }
        GmCommand::Return => vec![last(), said("seat"), said("part")],
        GmCommand::AcceptLate | GmCommand::Skip | GmCommand::Unskip => vec![last(), said("seat")],
        GmCommand::Edit | GmCommand::Rule => vec![said("text")],
        GmCommand::Rollback => vec![said("window")],
        GmCommand::Undo => vec![said("number")],
        GmCommand::Say => vec![called(&said("to")), said("text")],
        GmCommand::Replace | GmCommand::Invite => vec![said("seat"), whom],
        GmCommand::Call | GmCommand::Recall | GmCommand::Kick => vec![said("seat")],
        GmCommand::House => vec![said("seat"), said("policy")],
        GmCommand::Swap => vec![said("seat"), said("other")],
        GmCommand::Close
        | GmCommand::Resume
        | GmCommand::Void
        | GmCommand::Hold
        | GmCommand::Publish
        | GmCommand::End
        | GmCommand::Cancel
        | GmCommand::Open
        | GmCommand::Show
        | GmCommand::Log
        | GmCommand::Appoint
        | GmCommand::Dismiss => Vec::new(),
    };
    let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
    pieces.fold(request.command.word().to_owned(), |line, piece| format!("{line} {piece}"))
}

/// Those who are called, each as the grammar has it.
fn called(names: &str) -> String {
    let names = names.split(BETWEEN).filter(|name| !name.is_empty());
    let called: Vec<String> =
        names.map(|name| format!("@{}", name.trim_start_matches('@'))).collect();
    called.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serenity::all::UserId;

    fn said(command: GmCommand, said: &[(&str, &str)]) -> String {
        let said = said.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let whom = PickedTarget::Person { id: UserId::new(7), name: "x".to_owned(), bot: false };
        line(&GmRequest { command, said: said.collect(), whom: Some(whom) })
    }

    #[test]
    fn a_wish_is_one_line() {
        assert_eq!(said(GmCommand::Close, &[]), "close");
        assert_eq!(said(GmCommand::Extend, &[("time", " 22:00")]), "extend 22:00");
        let skip = [("seat", "P2"), ("window", "last")];
        assert_eq!(said(GmCommand::Skip, &skip), "skip last P2");
        assert_eq!(said(GmCommand::Skip, &[("seat", "P2"), ("window", "open")]), "skip P2");
        assert_eq!(said(GmCommand::Rollback, &[("window", "3")]), "rollback 3");
        assert_eq!(said(GmCommand::Replace, &[("seat", "P2")]), "replace P2 7");
        assert_eq!(said(GmCommand::Invite, &[("seat", "P2")]), "invite P2 7");
        assert_eq!(said(GmCommand::Invite, &[]), "invite 7");
        assert_eq!(said(GmCommand::Say, &[("to", "P1、楓"), ("text", "a  b")]), "say @P1 @楓 a  b");
    }
}
