//! The font of pictures: found, read once, and measured.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fontdb::{Database, FaceInfo, Source, Style, Weight};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::Typeface;

/// The preferred font families for Japanese, best first. Any other with the letters is accepted.
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

/// The letters that identify a Japanese font: U+5F79, U+6620, U+753B, and one of each syllabary.
const JAPANESE: [char; 5] = ['\u{5f79}', '\u{6620}', '\u{753b}', '\u{3048}', '\u{30a4}'];

/// The substitutes for a letter that the font lacks, best first.
const SUBSTITUTES: [char; 4] = ['\u{3013}', '\u{25a1}', '?', ' '];

/// The reason why a font cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontFault {
    /// The file does not exist or cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, #[source] std::io::Error),
    /// The file is not a font, or has no Japanese letters.
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
    /// Reads a font file.
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

    /// Returns the best Japanese font of this machine; `None` if there is none.
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

    /// Returns the name of the font's family.
    pub fn family(&self) -> &str {
        self.face.families.first().map_or("", |(family, _)| family)
    }

    /// Returns the file of the font.
    pub fn path(&self) -> &Path {
        &self.from
    }

    pub(super) fn face(&self) -> &FaceInfo {
        &self.face
    }

    fn face_of(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, self.face.index).ok()
    }

    /// True if the font has this letter.
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

    /// Composes letters with their marks; drops marks that stay alone, as they would overlap their
    /// neighbours; and replaces letters that the font lacks.
    fn drawable(&self, text: &str) -> String {
        let letters = text.nfc().filter(|letter| !is_combining_mark(*letter));
        letters.map(|letter| if self.has(letter) { letter } else { self.substitute }).collect()
    }
}

/// Returns the upright faces, best for Japanese first.
fn ranked(fonts: &Database) -> Vec<&FaceInfo> {
    let rank = |face: &FaceInfo| {
        let of = |family: &str| FAMILIES.iter().position(|best| *best == family);
        let best = face.families.iter().filter_map(|(family, _)| of(family)).min();
        let weight = face.weight.0.abs_diff(Weight::NORMAL.0);
        (best.unwrap_or(FAMILIES.len()), weight)
    };
    let mut faces: Vec<&FaceInfo> =
        fonts.faces().filter(|face| face.style == Style::Normal).collect();
    // The name is the last criterion, so that the order of files has no effect.
    faces.sort_by_key(|face| (rank(face), face.post_script_name.clone()));
    faces
}
