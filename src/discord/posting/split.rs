//! The split of long letters into messages: never inside a line that fits into one, nor inside a mention or a
//! timestamp.

/// The maximum length of a message, in UTF-16 units, as Discord counts.
const MOST: usize = 2000;

/// Splits a letter into messages. Blank lines between two messages are left out.
pub(crate) fn split_into_messages(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut piece = String::new();
    for line in text.lines().flat_map(parts) {
        if long(&piece) + long(line) + 1 > MOST {
            pieces.push(std::mem::take(&mut piece));
        }
        piece.push_str(line);
        piece.push('\n');
    }
    pieces.push(piece);
    pieces
        .into_iter()
        .map(|piece| piece.trim_end().trim_start_matches('\n').to_owned())
        .filter(|piece| !piece.is_empty())
        .collect()
}

fn long(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Returns a line, or the parts of a line that is too long for a message, each ending outside of mentions,
/// and at a space if there is one.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    while long(rest) >= MOST {
        let mut units = 0;
        let fits = |c: char| {
            units += c.len_utf16();
            units < MOST
        };
        let most = rest.len() - rest.trim_start_matches(fits).len();
        let head = &rest[..most];
        let whole = match head.rfind('<') {
            Some(open) if open > 0 && !head[open..].contains('>') => open,
            _ => most,
        };
        let blank = head[..whole].rfind(' ').map_or(whole, |at| at + 1);
        let (part, after) = rest.split_at(blank);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::posting::split::*;

    #[test]
    fn a_letter_is_cut_between_lines() {
        let line = "あ".repeat(900);
        let text = format!("{line}\n{line}\n\n{line}\n");
        assert_eq!(split_into_messages(&text), [format!("{line}\n{line}"), line]);
        assert_eq!(split_into_messages(""), [""; 0]);
    }

    #[test]
    fn a_mention_is_never_cut() {
        let text = format!("{}<@1234567890>{}", "x".repeat(1995), "y".repeat(100));
        let cut = split_into_messages(&text);
        assert_eq!(cut.concat(), text);
        assert!(cut[1].starts_with("<@1234567890>"));
    }

    proptest! {
        #[test]
        fn every_piece_fits_and_nothing_is_lost(text in "([あ-んa-z🎬 <>]{0,700}\n?){0,12}") {
            let cut = split_into_messages(&text);
            prop_assert!(cut.iter().all(|piece| long(piece) <= MOST && !piece.is_empty()));
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&cut.concat()), letters(&text));
        }
    }
}
