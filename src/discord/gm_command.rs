//! The commands of game masters.

macro_rules! gm_commands {
    ($($command:ident => $word:literal,)*) => {
        /// A game master's command.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum GmCommand { $($command,)* }

        impl GmCommand {
            /// The word for it, which is that of its command.
            pub(super) const fn word(self) -> &'static str {
                match self { $(Self::$command => $word,)* }
            }

            pub(super) fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$command),)* _ => None }
            }

            #[cfg(test)]
            const WORDS: &[&str] = &[$($word,)*];
        }
    };
}

gm_commands! {
    Show => "show",
    Extend => "extend",
    Close => "close",
    Pause => "pause",
    Resume => "resume",
    Void => "void",
    Hold => "hold",
    Publish => "publish",
    Declare => "declare",
    AcceptLate => "accept-late",
    Return => "return",
    Skip => "skip",
    Unskip => "unskip",
    Die => "die",
    Choose => "choose",
    Edit => "edit",
    Rule => "rule",
    Rollback => "rollback",
    Undo => "undo",
    End => "end",
    Cancel => "cancel",
    Say => "say",
    Open => "open",
    Log => "log",
    Replace => "replace",
    House => "house",
    Swap => "swap",
    Call => "call",
    Recall => "recall",
    Invite => "invite",
    Kick => "kick",
    Appoint => "appoint",
    Dismiss => "dismiss",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{Command, CommandPlace, Manifest};

    #[test]
    fn every_command_below_a_groups_group_has_its_deed() {
        let manifests = Command::at(CommandPlace::Discord).map(Command::manifest);
        let below = manifests.flat_map(Manifest::below);
        let words: Vec<&str> = below.map(|option| option.name.as_str()).collect();
        assert_eq!(words, GmCommand::WORDS);
    }
}
