//! The rules of a game as they are read: all of them, or one clause, in one language. They stand in
//! both: what has a name has two with a stroke between them, and each paragraph is followed by its
//! translation.

use crate::games::any::AnyGame;
use crate::rules::text::{Lang, fold};

/// What stands between the two languages.
const STROKE: &str = " / ";

/// How a column is headed that says what programs call things, in two languages or in one.
const CODE: &str = "code name";
const ID: &str = "id";

/// What stands between the cells of a row.
const DASH: &str = " \u{2013} ";

/// What a row of a table begins with.
const DOT: char = '\u{30fb}';

/// What opens and closes an example.
const FENCE: &str = "```";

/// The rules of a game in one language. Of a table each row is a line: where this is read, nothing
/// draws tables.
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
            let rows = lines.clone().take_while(|line| line.starts_with('|'));
            let rows: Vec<&str> = std::iter::once(line).chain(rows).collect();
            if let Some(last) = rows.len().checked_sub(2) {
                lines.nth(last);
            }
            Some(table(&rows, lang))
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

/// A table in one language: a line for each row, without what only programs call things; and its
/// head, where that is needed.
fn table(rows: &[&str], lang: Lang) -> String {
    let heads = rows.first().map(|head| cells(head)).unwrap_or_default();
    let is_kept = |head: &String| {
        let in_both = head.contains(STROKE);
        if in_both { !head.ends_with(CODE) } else { head != ID && lang_of(head) == lang }
    };
    let kept: Vec<bool> = heads.iter().map(is_kept).collect();
    let said = |row: &&str| {
        let told = cells(row).into_iter().zip(&kept).filter(|(_, kept)| **kept);
        let told: Vec<String> = told.map(|(cell, _)| in_one(&cell, lang)).collect();
        told.join(DASH)
    };
    // Of two columns it is plain what they are. The second row is but a line.
    let is_plain = kept.iter().filter(|kept| **kept).count() < 3;
    let mut lines: Vec<String> = rows.first().filter(|_| !is_plain).map(said).into_iter().collect();
    lines.extend(rows.iter().skip(2).map(|row| format!("{DOT}{}", said(row))));
    lines.join("\n")
}

/// The cells of a row. A stroke within one is written behind a backslash.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\0");
    row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// A cell in one language, as far as it stands in both.
fn in_one(cell: &str, lang: Lang) -> String {
    let pick = |ja: &str, en: &str| if lang == Lang::Ja { ja.to_owned() } else { en.to_owned() };
    if let Some((ja, en)) = cell.split_once("\u{3002} / ") {
        return pick(&format!("{ja}\u{3002}"), en);
    }
    if let Some((before, rest)) = cell.split_once('(')
        && let Some((within, after)) = rest.split_once(')')
        && let Some((ja, en)) = within.split_once(STROKE)
    {
        return format!("{before}({}){after}", pick(ja, en));
    }
    match cell.split_once(STROKE) {
        Some((ja, en)) if lang_of(ja) == Lang::Ja && lang_of(en) == Lang::En => pick(ja, en),
        _ => cell.to_owned(),
    }
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
                assert!(
                    !told.lines().any(|line| line.starts_with('|')),
                    "a table is drawn nowhere"
                );
                assert!(!told.contains("::"), "a name of the sources");
                for line in told.lines().filter(|line| !line.starts_with([DOT, '#', '*', '`'])) {
                    let named = line.contains("http");
                    assert!(lang == Lang::Ja || named || lang_of(line) == lang, "{line}");
                }
            }
        }
    }
}
