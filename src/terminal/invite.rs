//! `shimekiri invite`: the link by which a server invites the bot, and what it asks for and why.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::{Exit, Voice, language};
use crate::discord::permissions::{INTENTS, PERMISSIONS, SCOPES, invitation, together};
use crate::rules::text::Lang;

/// The verb's word.
const VERB: &str = "invite";

/// What can be said to `shimekiri invite`.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The application's id; without it, that of the token in `DISCORD_TOKEN` or
    /// `DISCORD_TOKEN_FILE`
    pub application: Option<String>,
    /// The language: ja or en
    #[arg(long)]
    pub lang: Option<Lang>,
}

/// Shows the link. The variable is one of the environment's.
///
/// # Errors
/// If something cannot be written.
pub fn run(
    args: &Args,
    variable: impl Fn(&str) -> Option<String>,
    out: &mut dyn Write,
    complaints: &mut dyn Write,
) -> io::Result<Exit> {
    let voice = Voice::new(language(args.lang));
    match application(args.application.as_deref(), variable) {
        Ok(application) => {
            let said = voice.say(VERB, "invite", &told(application, voice.lang));
            out.write_all(said.as_bytes())?;
            Ok(Exit::Fine)
        }
        Err((why, it)) => {
            complaints.write_all(voice.say(VERB, why, &it).as_bytes())?;
            Ok(Exit::Misuse)
        }
    }
}

/// What there is to tell.
fn told(application: u64, lang: Lang) -> Json {
    let permissions = PERMISSIONS.iter().map(|permission| {
        json!({
            "name": permission.name.of(lang),
            "value": permission.value(),
            "why": permission.why.of(lang),
        })
    });
    json!({
        "link": invitation(application),
        "together": together(),
        "permissions": permissions.collect::<Json>(),
        "intents": INTENTS,
        "scopes": SCOPES,
    })
}

/// Which macro says why there is no application, and of what. It never holds a token.
type Unknown = (&'static str, Json);

/// The application: the one that is named, or the token's.
fn application(
    said: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<u64, Unknown> {
    if let Some(said) = said {
        return id(said).ok_or_else(|| ("no_id", json!({ "said": said })));
    }
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let (place, token) = match (set("DISCORD_TOKEN"), set("DISCORD_TOKEN_FILE")) {
        (Some(token), _) => ("DISCORD_TOKEN".to_owned(), token),
        (None, Some(file)) => match std::fs::read_to_string(&file) {
            Ok(token) => (file, token),
            Err(error) => {
                return Err(("no_token_file", json!({ "file": file, "why": error.to_string() })));
            }
        },
        (None, None) => return Err(("no_application", json!({}))),
    };
    of_token(&token).ok_or_else(|| ("no_token", json!({ "place": place })))
}

/// An id as Discord makes them.
fn id(said: &str) -> Option<u64> {
    let digits = said.bytes().all(|byte| byte.is_ascii_digit());
    (digits && (17..=20).contains(&said.len())).then(|| said.parse().ok()).flatten()
}

/// The id that a bot's token begins with: its first part, in base 64.
fn of_token(token: &str) -> Option<u64> {
    let token = token.trim();
    let token = token.strip_prefix("Bot ").unwrap_or(token);
    let (first, rest) = token.split_once('.')?;
    rest.split_once('.')?;
    id(&String::from_utf8(base64(first)?).ok()?)
}

/// What stands there in base 64, of whole or half filled groups.
fn base64(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        (bits, held) = (bits << 6 | u32::from(six), held + 6);
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
        bits &= (1 << held) - 1;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `123456789012345678`, in base 64, and what makes a token of it.
    const TOKEN: &str = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gx3aBc.hunter2-hunter2_hunter2";

    fn invite(
        application: Option<&str>,
        lang: Lang,
        variables: &[(&str, &str)],
    ) -> (String, String, Exit) {
        let args = Args { application: application.map(str::to_owned), lang: Some(lang) };
        let variable = |name: &str| {
            let set = variables.iter().find(|(variable, _)| *variable == name);
            set.map(|(_, value)| (*value).to_owned())
        };
        let (mut out, mut complaints) = (Vec::new(), Vec::new());
        let exit = run(&args, variable, &mut out, &mut complaints).unwrap();
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

    #[test]
    fn base64_is_read_with_and_without_its_padding() {
        for (text, bytes) in [
            ("", ""),
            ("TQ==", "M"),
            ("TWE", "Ma"),
            ("TWFu", "Man"),
            ("fn5-", "~~~"),
            ("Pz8_", "???"),
        ] {
            assert_eq!(base64(text).unwrap(), bytes.as_bytes(), "{text}");
        }
        assert_eq!(base64("T W"), None);
    }
}
