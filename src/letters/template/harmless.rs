//! Players' own words, so that they can do no harm in a letter.

/// A text on one line in which nothing pings, formats, hides or turns around. What would do so
/// becomes its full-width twin, which reads the same in every medium and needs no escaping back.
pub(in crate::letters) fn harmless(text: &str) -> String {
    let tamed: String = text.chars().filter_map(shown).map(tame).collect();
    // What looks like an address becomes a link by itself.
    tamed.replace("://", "：//")
}

/// A text for where nothing pings or formats: every sign that has a shape stays as it is.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter_map(shown).collect()
}

fn shown(c: char) -> Option<char> {
    match c {
        '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if c.is_control() || is_unseen(c) => None,
        c => Some(c),
    }
}

fn tame(c: char) -> char {
    match c {
        // Mentions, markdown, links, and the escape that would undo an escape.
        '@' => '＠',
        '`' => '｀',
        '*' => '＊',
        '_' => '＿',
        '~' => '～',
        '|' => '｜',
        '<' => '＜',
        '>' => '＞',
        '#' => '＃',
        '[' => '［',
        ']' => '］',
        '\\' => '＼',
        c => c,
    }
}

/// Characters without a shape: zero width, and those that turn the direction of writing.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use crate::letters::template::harmless::{harmless, plain};

    #[test]
    fn what_is_harmless_stays_as_it_is() {
        let tame = harmless("@everyone **`夜`**\u{202e}x\u{200b}\n<@1> \\_");
        assert_eq!(tame, "＠everyone ＊＊｀夜｀＊＊x ＜＠1＞ ＼＿");
        assert_eq!(harmless(&tame), tame);
        assert_eq!(harmless("「夜明け」(1) 🎬"), "「夜明け」(1) 🎬");
    }

    #[test]
    fn where_nothing_formats_only_what_cannot_be_seen_is_taken_away() {
        let wild = "@a_b*\u{202e}x\u{200b}\n<1>\u{1b}[2J \\_";
        assert_eq!(plain(wild), "@a_b*x <1>[2J \\_");
    }
}
