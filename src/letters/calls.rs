//! Letters about seats for which players are sought.

use serde_json::json;

use crate::letters::checking::samples;
use crate::letters::template::letters::{DESK, LetterFault, Letters};
use crate::letters::template::reader::Reader;
use crate::letters::template::views::Moment;
use crate::rules::Seat;

impl Letters {
    /// The seats for which players are sought.
    pub fn sought(&self, reader: &Reader, seats: &[Seat]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "sought", json!({ "seats": seats }))
    }

    /// Who is away, and until when.
    pub fn absent(&self, reader: &Reader, away: &[(Seat, Moment)]) -> Result<String, LetterFault> {
        self.letter(DESK, reader, "absent", json!({ "away": away }))
    }

    /// Each of them, for the letters' own check.
    pub(super) fn check_calls(&self, reader: &Reader) -> Vec<Result<String, LetterFault>> {
        let (seat, closes) = (Seat::new(0), samples::moment());
        let mut letters = Vec::new();
        for reader in [reader, &reader.clone().in_plain_text()] {
            letters.push(self.sought(reader, &[seat, Seat::new(1)]));
            letters.push(
                self.absent(reader, &[(seat, closes.clone()), (Seat::new(1), closes.clone())]),
            );
        }
        letters
    }
}
