//! The bot's token, which is secret.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::Serialize;

use letters::sampled_from;
use rules::data::Why;

/// The environment variable with the token.
const TOKEN: &str = "DISCORD_TOKEN";

/// The environment variable with the path of a file that contains the token.
const TOKEN_FILE: &str = "DISCORD_TOKEN_FILE";

/// The prefix of a token in a request, which people copy along with the token.
const PREFIX: &str = "Bot";

/// The token of a bot, secret to all but Discord.
#[derive(Clone, PartialEq, Eq)]
pub struct BotToken(String);

/// The reason why there is no token. The text never quotes the value, which may be a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoToken {
    /// Neither variable is set.
    #[error("neither {TOKEN} nor {TOKEN_FILE} is set")]
    Missing,
    /// The named file cannot be read.
    #[error("{file}: {}", why.message)]
    Unreadable { file: String, why: Why },
    /// The value is empty.
    #[error("{place} is empty")]
    Empty {
        /// The variable or the file.
        place: String,
    },
    /// The value is not a token, which has three parts with dots between them.
    #[error("{place} holds no token")]
    NotAToken {
        /// The variable or the file.
        place: String,
    },
}

impl BotToken {
    /// Reads the token from the environment: `DISCORD_TOKEN`, or else the file that `DISCORD_TOKEN_FILE`
    /// names. An empty variable counts as unset.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, NoToken> {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        if let Some(text) = set(TOKEN) {
            return Self::parse(&text, TOKEN);
        }
        let file = set(TOKEN_FILE).ok_or(NoToken::Missing)?;
        match std::fs::read_to_string(&file) {
            Ok(text) => Self::parse(&text, &file),
            Err(error) => Err(NoToken::Unreadable { file, why: Why::from(&error) }),
        }
    }

    /// Parses a token; `place` names its source for errors. White space around the token and a leading `Bot`
    /// are ignored.
    pub fn parse(text: &str, place: &str) -> Result<Self, NoToken> {
        let mut words = text.split_whitespace().peekable();
        words.next_if_eq(&PREFIX);
        let text = words.collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err(NoToken::Empty { place: place.to_owned() });
        }
        let sound = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        if text.split('.').count() == 3 && text.split('.').all(sound) {
            Ok(Self(text))
        } else {
            Err(NoToken::NotAToken { place: place.to_owned() })
        }
    }

    /// Returns the id of the token's application: its first part, decoded from base 64; `None` if that fails.
    pub fn application(&self) -> Option<String> {
        let (first, _) = self.0.split_once('.')?;
        String::from_utf8(STANDARD_NO_PAD.decode(first).ok()?).ok()
    }

    /// Returns the token with its prefix, for a request.
    pub(crate) fn with_prefix(&self) -> String {
        format!("{PREFIX} {}", self.0)
    }
}

impl fmt::Debug for BotToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BotToken({self})")
    }
}

impl fmt::Display for BotToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

sampled_from! {
    NoToken: [
        NoToken::Unreadable { file: "f".to_owned(), why: Why { is: None, message: "w".to_owned() } },
        NoToken::Empty { place: "p".to_owned() },
        NoToken::NotAToken { place: "p".to_owned() },
    ];
}

#[cfg(test)]
mod tests {
    use crate::bot::token::*;

    const SAID: &str = "MTA1.Gx3-_a.s3cr3t";

    fn read(variables: &[(&str, &str)]) -> Result<BotToken, NoToken> {
        BotToken::read(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn it_is_read_from_the_variable() {
        for given in [SAID.to_owned(), format!("  {SAID}\n"), format!("Bot {SAID}")] {
            assert_eq!(read(&[(TOKEN, &given)]).unwrap().with_prefix(), format!("Bot {SAID}"));
        }
    }

    #[test]
    fn it_is_read_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, format!("{SAID}\n")).unwrap();
        let name = file.to_str().unwrap();
        assert!(read(&[(TOKEN, ""), (TOKEN_FILE, name)]).is_ok());
        std::fs::write(&file, "\n").unwrap();
        let empty = NoToken::Empty { place: name.to_owned() };
        assert_eq!(read(&[(TOKEN_FILE, name)]), Err(empty));
        std::fs::remove_file(&file).unwrap();
        let missing = read(&[(TOKEN_FILE, name)]).unwrap_err();
        assert!(matches!(&missing, NoToken::Unreadable { file, .. } if file == name), "{missing}");
    }

    #[test]
    fn what_is_no_token_is_not_told() {
        assert_eq!(read(&[]), Err(NoToken::Missing));
        assert_eq!(read(&[(TOKEN, "Bot ")]), Err(NoToken::Empty { place: TOKEN.to_owned() }));
        for given in ["hunter2", "a.b", "a..c", "a.b.c.d", "hun ter2.a.b"] {
            let fault = read(&[(TOKEN, given)]).unwrap_err();
            assert_eq!(fault, NoToken::NotAToken { place: TOKEN.to_owned() }, "{given}");
        }
    }

    #[test]
    fn it_shows_nothing() {
        let token = read(&[(TOKEN, SAID)]).unwrap();
        assert_eq!(format!("{token} {token:?}"), "*** BotToken(***)");
    }
}
