//! `shimekiri invite`: the link that invites the bot to a server, with the permissions and their reasons.

use super::misuse::{Console, Done, Misuse};
use super::texts::{Invitation, NoApplication, NoId, TokenMisplaced};
use discord::permissions::{INTENTS, PERMISSIONS, SCOPES, invitation, together};
use discord::{BotToken, NoToken};

/// The arguments of `shimekiri invite`.
#[derive(Clone, Debug, clap::Args)]
pub struct InviteArguments {
    /// The application's id; without it, that of the token in `DISCORD_TOKEN` or
    /// `DISCORD_TOKEN_FILE`
    pub application: Option<String>,
}

/// Writes the link. `variable` reads the environment.
pub(super) fn run(
    args: &InviteArguments,
    variable: impl Fn(&str) -> Option<String>,
    console: &mut Console<'_>,
) -> Done {
    let application = application(args.application.as_deref(), variable)?;
    console.say(&Invitation {
        link: invitation(application),
        together: together(),
        permissions: &PERMISSIONS,
        intents: &INTENTS,
        scopes: &SCOPES,
    })
}

/// Returns the named application, or that of the token.
fn application(
    input: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<u64, Misuse> {
    if let Some(input) = input {
        return id(input).ok_or_else(|| NoId { said: input }.into());
    }
    let unnamed = || Misuse::from(NoApplication {});
    match BotToken::read(variable) {
        Ok(token) => token.application().as_deref().and_then(id).ok_or_else(unnamed),
        Err(NoToken::Missing) => Err(unnamed()),
        Err(fault) => Err(TokenMisplaced { fault }.into()),
    }
}

/// Parses an id of Discord's.
fn id(input: &str) -> Option<u64> {
    let digits = input.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (17..=20).contains(&input.len())).then(|| input.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::misuse::explained;
    use crate::{Exit, TerminalText};
    use rules::text::Lang;

    /// The id `123456789012345678` in base 64, with the rest of a token.
    const TOKEN: &str = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gx3aBc.hunter2-hunter2_hunter2";

    fn invite(
        application: Option<&str>,
        lang: Lang,
        variables: &[(&str, &str)],
    ) -> (String, String, Exit) {
        let args = InviteArguments { application: application.map(str::to_owned) };
        let variable = |name: &str| {
            let set = variables.iter().find(|(variable, _)| *variable == name);
            set.map(|(_, value)| (*value).to_owned())
        };
        let (mut out, mut complaints) = (Vec::new(), Vec::new());
        let voice = &TerminalText::new(lang);
        let done = run(&args, variable, &mut Console { voice, out: &mut out });
        let exit = explained(done, voice, &mut complaints).unwrap();
        (String::from_utf8(out).unwrap(), String::from_utf8(complaints).unwrap(), exit)
    }

    #[test]
    fn the_link_asks_for_what_is_listed_and_says_why() {
        for lang in Lang::ALL {
            let named = invite(Some("123456789012345678"), lang, &[]);
            let (out, complaints, exit) = &named;
            assert_eq!((complaints.as_str(), *exit), ("", Exit::Fine));
            assert!(out.contains(&invitation(123_456_789_012_345_678)), "{out}");
            assert!(out.contains("GUILDS"), "{out}");
            for permission in PERMISSIONS.iter() {
                assert!(out.contains(permission.name.of(lang)), "{out}");
                assert!(out.contains(permission.why.of(lang)), "{out}");
                assert!(out.contains(&permission.value().to_string()), "{out}");
            }
            let of_token = invite(None, lang, &[("DISCORD_TOKEN", TOKEN)]);
            assert_eq!(of_token, named);
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), format!("Bot {TOKEN}\n")).unwrap();
            let path = file.path().to_str().unwrap();
            assert_eq!(invite(None, lang, &[("DISCORD_TOKEN_FILE", path)]), named);
        }
    }

    #[test]
    fn what_names_no_application_is_told_and_no_token_is_shown() {
        for lang in Lang::ALL {
            for (application, variables, words) in [
                (None, &[][..], "DISCORD_TOKEN_FILE"),
                (Some("shimekiri"), &[], "shimekiri"),
                (Some("1234"), &[], "1234"),
                (None, &[("DISCORD_TOKEN", "hunter2")], "DISCORD_TOKEN"),
                (None, &[("DISCORD_TOKEN", "a!b.hunter2.c")], "DISCORD_TOKEN"),
                (None, &[("DISCORD_TOKEN", "MTIz.hunter2.c")], "DISCORD_TOKEN"),
                (None, &[("DISCORD_TOKEN_FILE", "no-such-file")], "no-such-file"),
            ] {
                let (out, complaints, exit) = invite(application, lang, variables);
                assert_eq!((out.as_str(), exit), ("", Exit::Misuse), "{complaints}");
                assert!(complaints.contains(words), "{complaints}");
                assert!(!complaints.contains("hunter2"), "{complaints}");
            }
        }
    }
}
