//! The rules of a game for readers: in one language, by chapters and clauses. The file `docs/rules/<game>.md`
//! has both languages: a name has two forms separated by a stroke, and each paragraph is followed by its
//! translation. The first chapter is a quick start.

use rules::text::{Lang, fold};

/// The separator between the two languages.
const STROKE: &str = " / ";

/// The heading of a column of code names, in two languages or in one.
const CODE: &str = "code name";
const ID: &str = "id";

/// The separator between the cells of a row.
const DASH: &str = " \u{2013} ";

/// The mark at the beginning of a row.
const DOT: char = '\u{30fb}';

/// The line that opens and closes an example.
const FENCE: &str = "```";

/// The marks around a remark on the source of a rule, which players need not read.
const REMARK: (&str, &str) = ("**[", "]**");

/// A chapter of the rules, in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chapter {
    /// The word that requests the chapter: `E3`, or its position if it has no number.
    pub(super) word: String,
    pub(super) name: String,
    /// The whole text, with the heading first.
    pub(super) text: String,
}

/// Returns the lines of the quick start, and the chapters after it.
pub(super) fn chapters_of(rules: &str, lang: Lang) -> (Vec<String>, Vec<Chapter>) {
    let text = in_one_language(rules, lang);
    let mut chapters = text.split("\n## ").skip(1);
    let start = chapters.next().unwrap_or_default().lines().skip(1);
    let start = start.filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect();
    // Chapters after the numbered ones continue the count with the same letter.
    let mut letter = String::new();
    let chapter = move |(place, text): (usize, &str)| {
        let head = text.lines().next().unwrap_or_default();
        let numbered = head.split_once(' ').filter(|(word, _)| {
            let mut signs = word.chars();
            signs.next().is_some_and(char::is_alphabetic) && signs.as_str().parse() == Ok(place)
        });
        let (word, name) = match numbered {
            Some((word, name)) => {
                letter = word.chars().take(1).collect();
                (word.to_owned(), name.to_owned())
            }
            None => (format!("{letter}{place}"), head.to_owned()),
        };
        Chapter { word, name, text: format!("## {}", text.trim_end()) }
    };
    (start, chapters.enumerate().map(chapter).collect())
}

/// Returns the clause of this number, with its name, in one language.
pub(super) fn clause_of(rules: &str, number: &str, lang: Lang) -> Option<String> {
    clause_in(&in_one_language(rules, lang), number)
}

/// Returns the clause of this number, with its name, from rules in one language.
pub(super) fn clause_in(text: &str, number: &str) -> Option<String> {
    let wanted = fold(number.trim());
    let is_it = |line: &&str| numbered(line).is_some_and(|(number, _)| fold(number) == wanted);
    let head = text.lines().position(|line| is_it(&line))?;
    let clause = text.lines().skip(head).take_while(|line| !line.is_empty());
    Some(clause.collect::<Vec<_>>().join("\n"))
}

/// Returns the number of the first clause whose name contains these words.
pub(super) fn clause_named(rules: &str, input: &str, lang: Lang) -> Option<String> {
    let input = fold(input.trim());
    let text = in_one_language(rules, lang);
    let mut clauses = text.lines().filter_map(numbered);
    clauses.find(|(_, name)| fold(name).contains(&input)).map(|(number, _)| number.to_owned())
}

/// Returns the number and the name of the clause, if the line is its head.
fn numbered(line: &str) -> Option<(&str, &str)> {
    let (number, name) = line.strip_prefix("**")?.split_once("**")?;
    Some((number, name.trim()))
}

/// Lays out a text: with the marks of lists and emphasis if the medium draws them (`plain` is false), or else
/// without.
pub(super) fn laid_out(text: &str, lang: Lang, plain: bool) -> String {
    let (mark, indent) = match lang {
        Lang::Ja => ("", "\u{3000}"),
        Lang::En => (" ", "  "),
    };
    let mut within = false;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if line == FENCE {
            within = !within;
            if plain {
                continue;
            }
        }
        let shown = if within {
            if plain { format!("{indent}{line}") } else { line.to_owned() }
        } else if let Some(head) = line.strip_prefix("## ") {
            format!("\u{25c6}{mark}{head}")
        } else if let Some(head) = line.strip_prefix("### ") {
            format!("\u{25cf}{mark}{head}")
        } else if !plain {
            line.to_owned()
        } else if let Some(item) = line.strip_prefix("- ") {
            format!("{indent}{}", typeset(item, lang, plain))
        } else {
            typeset(line, lang, plain)
        };
        lines.push(shown);
    }
    lines.join("\n")
}

/// Lays out a line. In plain text, code marks become quotation marks and emphasis is removed.
pub(super) fn typeset(line: &str, lang: Lang, plain: bool) -> String {
    if !plain {
        return line.to_owned();
    }
    let (open, close) = match lang {
        Lang::Ja => ('\u{300c}', '\u{300d}'),
        Lang::En => ('\u{201c}', '\u{201d}'),
    };
    let mut is_open = false;
    let mut shown = |sign| match sign {
        '`' => {
            is_open = !is_open;
            if is_open { open } else { close }
        }
        sign => sign,
    };
    line.replace("**", "").chars().map(&mut shown).collect()
}

/// Returns the rules in one language. Each row of a table becomes a line, as Discord and terminals draw no
/// tables.
pub(super) fn in_one_language(rules: &str, lang: Lang) -> String {
    let mut text = String::new();
    let mut lines = rules.lines();
    while let Some(line) = lines.next() {
        let shown = if line.starts_with(FENCE) {
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
            (line.is_empty() || lang_of(line) == lang).then(|| without_remarks(line))
        };
        let Some(shown) = shown else { continue };
        // A removed paragraph in the other language leaves one gap, not two.
        if !(shown.is_empty() && (text.is_empty() || text.ends_with("\n\n"))) {
            text.push_str(&shown);
            text.push('\n');
        }
    }
    text
}

/// Returns a line without the remarks on the source of its rules.
fn without_remarks(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once(REMARK.0) {
        let Some((_, behind)) = behind.split_once(REMARK.1) else { break };
        text.push_str(before.trim_end_matches(' '));
        let follows = !text.ends_with('\u{3002}');
        rest = if follows { behind } else { behind.trim_start_matches(' ') };
    }
    text + rest
}

/// Returns a table in one language: a line for each row, without the columns of code names, and with the head
/// if three or more columns are left.
fn table(rows: &[&str], lang: Lang) -> String {
    let heads = rows.first().map(|head| cells(head)).unwrap_or_default();
    let is_kept = |head: &String| {
        let in_both = head.contains(STROKE);
        if in_both { !head.ends_with(CODE) } else { head != ID && lang_of(head) == lang }
    };
    let columns: Vec<bool> = heads.iter().map(is_kept).collect();
    let line = |row: &&str| {
        let shown = cells(row).into_iter().zip(&columns).filter(|(_, is_shown)| **is_shown);
        let shown: Vec<String> = shown.map(|(cell, _)| in_one(&cell, lang)).collect();
        shown.join(DASH)
    };
    // Two columns need no head. The second row is only the rule below the head.
    let is_plain = columns.iter().filter(|is_shown| **is_shown).count() < 3;
    let mut lines: Vec<String> = rows.first().filter(|_| !is_plain).map(line).into_iter().collect();
    lines.extend(rows.iter().skip(2).map(|row| format!("{DOT}{}", line(row))));
    lines.join("\n")
}

/// Returns the cells of a row. A stroke within a cell is escaped by a backslash.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\0");
    row.split('|').map(|cell| cell.trim().replace('\0', "|")).collect()
}

/// Returns a cell in one language, if it has both.
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

/// Returns a heading or the head of a clause in one language, with its number.
fn head(line: &str, lang: Lang) -> String {
    let Some((ja, en)) = line.split_once("/ ") else { return line.to_owned() };
    let ja = ja.trim_end();
    let number = match ja.split_once(' ') {
        // `## E4` before a name, `**E4.2**` and `#` alone.
        Some(("##", rest)) => match rest.split_once(' ') {
            Some((_, name)) => ja.len() - name.len(),
            None => "## ".len(),
        },
        Some((_, name)) => ja.len() - name.len(),
        None => 0,
    };
    match lang {
        Lang::Ja => ja.to_owned(),
        Lang::En => format!("{}{en}", &ja[..number]),
    }
}

/// Returns the language of a text. Texts of either language contain words of the other.
fn lang_of(text: &str) -> Lang {
    let is_japanese = |c: &char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    let japanese = text.chars().filter(is_japanese).count();
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    if japanese * 3 > latin { Lang::Ja } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::GAMES;

    #[test]
    fn rules_are_told_in_one_language_and_no_clause_is_left_out() {
        for game in GAMES {
            let whole = game.rules();
            for lang in Lang::ALL {
                let rules = in_one_language(whole, lang);
                assert!(!rules.contains("\n\n\n"), "{lang}");
                let clauses = |text: &str| text.lines().filter(|l| numbered(l).is_some()).count();
                assert_eq!(clauses(&rules), clauses(whole), "{} {lang}", game.key());
                let length = |text: &str| text.lines().filter(|l| l.starts_with("- ")).count();
                assert_eq!(length(&rules) * 2, length(whole), "{} {lang}", game.key());
                assert!(
                    !rules.lines().any(|line| line.starts_with('|')),
                    "a table is drawn nowhere"
                );
                assert!(!rules.contains("::"), "a name of the sources");
                for line in rules.lines().filter(|line| !line.starts_with([DOT, '#', '*', '`'])) {
                    let named = line.contains("http");
                    assert!(lang == Lang::Ja || named || lang_of(line) == lang, "{line}");
                }
            }
        }
    }

    #[test]
    fn a_game_begins_with_ten_lines_and_its_chapters_go_by_their_numbers() {
        for game in GAMES {
            for lang in Lang::ALL {
                let (start, chapters) = chapters_of(game.rules(), lang);
                assert!((8..=10).contains(&start.len()), "{} lines", start.len());
                assert!(chapters.len() >= 9);
                for (place, chapter) in chapters.iter().enumerate() {
                    let number = chapter.word.trim_start_matches(char::is_alphabetic);
                    assert_eq!(number, place.to_string(), "{}", chapter.name);
                    let text = laid_out(&chapter.text, lang, true);
                    assert!(!text.contains("**") && !text.contains('`'), "{text}");
                    assert!(!text.contains("[決") && !text.contains("[D"), "{text}");
                }
            }
        }
    }

    #[test]
    fn remarks_on_the_source_are_left_out() {
        for (line, expected) in [
            ("1〜6 **[決:出典は「任意」]** の数字。**[決]** 次", "1〜6 の数字。次"),
            (
                "any number 1–6 **[D: any]**, without cost. **[D]** Then",
                "any number 1–6, without cost. Then",
            ),
        ] {
            assert_eq!(without_remarks(line), expected);
        }
    }

    #[test]
    fn a_clause_is_found_by_its_number_and_by_its_name() {
        let rules = GAMES[0].rules();
        assert!(clause_of(rules, "ｅ４.３", Lang::En).unwrap().starts_with("**E4.3** "));
        assert_eq!(clause_of(rules, "E99", Lang::En), None);
        assert_eq!(clause_named(rules, "returned", Lang::En).as_deref(), Some("E4.5"));
        assert_eq!(clause_named(rules, "差し戻し", Lang::Ja).as_deref(), Some("E4.5"));
    }
}
