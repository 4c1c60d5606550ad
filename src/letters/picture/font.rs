//! The one font that pictures are drawn in: found, read once, and measured.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fontdb::{Database, FaceInfo, Source, Style, Weight};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Typeface;

/// Families that Japanese reads well in, the best first. Any other that has the letters will do.
const FAMILIES: [&str; 12] = [
    "BIZ UDPGothic",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "Hiragino Sans",
    "Yu Gothic",
    "Meiryo",
    "IPAexGothic",
    "IPAPGothic",
    "IPAGothic",
    "VL PGothic",
    "VL Gothic",
];

/// Letters that a Japanese font has: U+5F79, U+6620, U+753B, and one of each syllabary.
const JAPANESE: [char; 5] = ['\u{5f79}', '\u{6620}', '\u{753b}', '\u{3048}', '\u{30a4}'];

/// What printers put in the place of a letter that they do not have, the best first.
const SUBSTITUTES: [char; 4] = ['\u{3013}', '\u{25a1}', '?', ' '];

/// Why a font cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontFault {
    /// There is no such file, or it cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// It is no font, or has no Japanese letters.
    #[error("{0} is no font with Japanese letters")]
    NotJapanese(PathBuf),
}

/// A font with Japanese letters.
#[derive(Clone)]
pub struct Font {
    face: FaceInfo,
    bytes: Arc<Vec<u8>>,
    from: PathBuf,
    substitute: char,
}

impl fmt::Debug for Font {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Font({:?} from {})", self.family(), self.from.display())
    }
}

impl Font {
    /// Reads this font.
    ///
    /// # Errors
    /// If it cannot be read, or lacks the letters.
    pub fn read(path: &Path) -> Result<Self, FontFault> {
        let unreadable = |error| FontFault::Unreadable(path.to_owned(), error);
        let bytes = Arc::new(std::fs::read(path).map_err(unreadable)?);
        let mut fonts = Database::new();
        fonts.load_font_source(Source::Binary(bytes.clone()));
        let faces = ranked(&fonts).into_iter();
        let mut read = faces.filter_map(|face| Self::of(face.clone(), bytes.clone(), path));
        read.next().ok_or_else(|| FontFault::NotJapanese(path.to_owned()))
    }

    /// The best among the fonts of this machine, if it has one.
    pub fn find() -> Option<Self> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        ranked(&fonts).into_iter().find_map(|face| {
            let Source::File(path) = &face.source else { return None };
            let bytes = Arc::new(std::fs::read(path).ok()?);
            Self::of(face.clone(), bytes, path)
        })
    }

    fn of(mut face: FaceInfo, bytes: Arc<Vec<u8>>, from: &Path) -> Option<Self> {
        face.source = Source::Binary(bytes.clone());
        let mut font = Self { face, bytes, from: from.to_owned(), substitute: ' ' };
        font.substitute = SUBSTITUTES.into_iter().find(|c| font.has(*c))?;
        JAPANESE.iter().all(|c| font.has(*c)).then_some(font)
    }

    /// The name of its family.
    pub fn family(&self) -> &str {
        self.face.families.first().map_or("", |(family, _)| family)
    }

    /// The file it was read from.
    pub fn path(&self) -> &Path {
        &self.from
    }

    pub(super) fn face(&self) -> &FaceInfo {
        &self.face
    }

    fn face_of(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, self.face.index).ok()
    }

    /// True if it has this letter.
    pub fn has(&self, letter: char) -> bool {
        self.face_of()
            .is_some_and(|face| face.charmap().map(letter).is_some_and(|glyph| glyph.to_u32() != 0))
    }
}

impl Typeface for Font {
    fn width(&self, text: &str, size: f64) -> f64 {
        let Some(face) = self.face_of() else { return 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a size of letters")]
        let metrics = face.glyph_metrics(Size::new(size as f32), LocationRef::default());
        let letters = face.charmap();
        let widths = text.chars().filter_map(|letter| letters.map(letter));
        widths.filter_map(|glyph| metrics.advance_width(glyph)).map(f64::from).sum()
    }

    /// Letters with their marks put together; marks that stay alone would climb over their
    /// neighbours, and what the font does not have becomes its substitute.
    fn drawable(&self, text: &str) -> String {
        let letters = text.nfc().filter(|letter| !is_combining_mark(*letter));
        letters.map(|letter| if self.has(letter) { letter } else { self.substitute }).collect()
    }
}

/// The upright faces by how well Japanese reads in them.
fn ranked(fonts: &Database) -> Vec<&FaceInfo> {
    let rank = |face: &FaceInfo| {
        let of = |family: &str| FAMILIES.iter().position(|best| *best == family);
        let best = face.families.iter().filter_map(|(family, _)| of(family)).min();
        let weight = face.weight.0.abs_diff(Weight::NORMAL.0);
        (best.unwrap_or(FAMILIES.len()), weight)
    };
    let mut faces: Vec<&FaceInfo> =
        fonts.faces().filter(|face| face.style == Style::Normal).collect();
    // The name decides last, so that the order of the files does not.
    faces.sort_by_key(|face| (rank(face), face.post_script_name.clone()));
    faces
}
