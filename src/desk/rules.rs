//! The rules of a game as they are read: all of them, or one clause, in one language. They stand in
//! both: what has a name has two with a stroke between them, and each paragraph is followed by its
//! translation.

use crate::games::any::AnyGame;
use crate::rules::text::{Lang, fold};

/// What opens and closes an example.
const FENCE: &str = "```";

/// The rules of a game in one language. Tables stay as they are: they say what is called how in
/// both.
pub fn rules_of(game: &dyn AnyGame, lang: Lang) -> String {
    let mut told = String::new();
    let mut lines = game.rules().lines();
    while let Some(line) = lines.next() {
        let kept = if line.starts_with(FENCE) {
            let example: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
            let example = example.join("\n");
            (lang_of(&example) == lang).then(|| format!("{FENCE}\n{example}\n{FENCE}"))
        } else if line.starts_with('#') || line.starts_with("**") {
            Some(head(line, lang))
        } else if line.starts_with('|') {
            Some(line.to_owned())
        } else if let Some((ja, en)) = line.split_once("\u{3002} / ") {
            Some(if lang == Lang::Ja { format!("{ja}\u{3002}") } else { en.to_owned() })
        } else {
            (line.is_empty() || lang_of(line) == lang).then(|| line.to_owned())
        };
        let Some(kept) = kept else { continue };
        // Where a paragraph in the other language stood there is one gap, not two.
        if !(kept.is_empty() && (told.is_empty() || told.ends_with("\n\n"))) {
            told.push_str(&kept);
            told.push('\n');
        }
    }
    told
}

/// What a clause of a game's rules says, in one language.
pub fn clause_of(game: &dyn AnyGame, clause: &str, lang: Lang) -> Option<String> {
    let wanted = format!("**{}**", fold(clause).to_uppercase());
    let mut lines = game.rules().lines().skip_while(|line| !line.contains(&wanted));
    let head = head(lines.next()?, lang);
    let first = match lang {
        Lang::Ja => 0,
        Lang::En => 1,
    };
    let said = lines.take_while(|line| !line.trim().is_empty()).skip(first).step_by(2);
    Some(std::iter::once(head.as_str()).chain(said).collect::<Vec<_>>().join("\n"))
}

/// A heading or the head of a clause in one language, behind its number.
fn head(line: &str, lang: Lang) -> String {
    let Some((ja, en)) = line.split_once("/ ") else { return line.to_owned() };
    let ja = ja.trim_end();
    let number = match ja.split_once(' ') {
        // `## E4` before a name, `**E4.2**` and `#` alone.
        Some(("##", rest)) => ja.len() - rest.split_once(' ').map_or(rest, |(_, name)| name).len(),
        Some((_, name)) => ja.len() - name.len(),
        None => 0,
    };
    match lang {
        Lang::Ja => ja.to_owned(),
        Lang::En => format!("{}{en}", &ja[..number]),
    }
}

/// In which language a text is. Either has words of the other in it.
fn lang_of(text: &str) -> Lang {
    let is_japanese = |c: &char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    let japanese = text.chars().filter(is_japanese).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    if japanese * 3 > latin { Lang::Ja } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn rules_are_told_in_one_language_and_no_clause_is_left_out() {
        for game in GAMES {
            let whole = game.rules();
            for lang in Lang::ALL {
                let told = rules_of(*game, lang);
                assert!(!told.contains("\n\n\n"), "{lang}");
                let clauses = |text: &str| text.lines().filter(|l| l.starts_with("**")).count();
                assert_eq!(clauses(&told), clauses(whole), "{} {lang}", game.key());
                let length = |text: &str| text.lines().filter(|l| l.starts_with("- ")).count();
                assert_eq!(length(&told) * 2, length(whole), "{} {lang}", game.key());
                for line in told.lines().filter(|line| !line.starts_with(['|', '#', '*', '`'])) {
                    let named = line.contains("http");
                    assert!(lang == Lang::Ja || named || lang_of(line) == lang, "{line}");
                }
            }
        }
    }
}
