//! The picture of a board, for any font of the viewer.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_width::UnicodeWidthChar;

use letters::Typeface;

/// The font families of a picture, readable on common machines.
const FAMILIES: &str = "'BIZ UDPGothic', 'Hiragino Sans', 'Yu Gothic', Meiryo, 'Noto Sans CJK JP', \
                        'Noto Sans JP', sans-serif";

/// Letter widths for the widest fonts, as the font of a page's reader is unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roomy;

/// The width of a narrow letter, relative to its height.
const NARROW: f64 = 0.6;

impl Typeface for Roomy {
    fn width(&self, text: &str, size: f64) -> f64 {
        let width = |letter: char| match letter.width() {
            Some(0) | None => 0.0,
            Some(1) => NARROW,
            Some(_) => 1.0,
        };
        text.chars().map(width).sum::<f64>() * size
    }

    /// Drops combining marks that stay separate, as they would overlap their neighbours.
    fn drawable(&self, text: &str) -> String {
        text.nfc().filter(|letter| !is_combining_mark(*letter)).collect()
    }
}

/// Returns a picture with the font families above, and its width and height.
pub(super) fn framed(svg: &str) -> (String, [u32; 2]) {
    let frame = svg.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let mut numbers = frame.into_iter().flat_map(|(frame, _)| frame.split_whitespace()).skip(2);
    let mut next = || numbers.next().and_then(|side| side.parse().ok()).unwrap_or_default();
    let framed = svg.replacen("<svg ", &format!("<svg font-family=\"{FAMILIES}\" "), 1);
    (framed, [next(), next()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_letter_is_as_wide_as_it_is_high() {
        assert!((Roomy.width("役a", 10.0) - 16.0).abs() < 1e-9);
        assert_eq!(Roomy.drawable("e\u{301}\u{302}x"), "\u{e9}x");
    }

    #[test]
    fn a_picture_says_how_large_it_is() {
        let (svg, size) = framed("<svg viewBox=\"0 0 1280 900\" width=\"1\"/>");
        assert_eq!(size, [1280, 900]);
        assert!(svg.starts_with("<svg font-family=\"'BIZ"), "{svg}");
    }
}
