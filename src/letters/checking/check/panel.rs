//! The panel's letters, and those of what is done at once.

use serde_json::json;

use crate::letters::checking::check::Check;
use crate::letters::checking::samples;
use crate::letters::panel::{DraftView, PanelQuestion, captions};
use crate::letters::template::reader::Reader;
use crate::rules::text::{Choices, Example};
use crate::rules::{Interview, Key};

impl Check<'_> {
    /// What is told otherwise where nothing is sealed.
    pub(super) fn openly(&mut self, reader: &Reader) {
        let letters = self.letters;
        for openly in [false, true] {
            self.note(letters.help(reader, openly));
            let said = json!({ "openly": openly });
            self.note(letters.letter(reader.game, reader, "help", said));
        }
    }

    pub(super) fn panel(&mut self, reader: &Reader, interview: &Interview) {
        let letters = self.letters;
        let unread = samples::unread();
        let choices = Choices { key: Key::new("3", "card"), options: vec!["P1".into()] };
        let example = |choices| Example { text: "3B".to_owned(), choices };
        for examples in [vec![], vec![example(vec![]), example(vec![choices])]] {
            self.note(letters.acts(reader, interview, &unread, &examples));
        }
        for (sealing, at_once) in [(false, false), (true, false), (false, true)] {
            let drafted = DraftView { interview, unread: &unread, sealing, at_once };
            self.note(letters.drafted(reader, &drafted));
        }
        let shown = |asked, beside, warned, at_once| PanelQuestion {
            interview,
            asked,
            beside,
            warned,
            at_once,
        };
        for warned in [None, Some("faulty"), Some("empty")] {
            self.note(
                letters.panel_question(reader, &shown(None, warned.is_none(), warned, false)),
            );
        }
        for at_once in [false, true] {
            self.note(letters.panel_question(reader, &shown(None, false, None, at_once)));
        }
        for (asked, value) in interview.asked.iter().zip(samples::values().iter().cycle()) {
            for at_once in [true, false] {
                self.note(
                    letters.panel_question(reader, &shown(Some(asked), false, None, at_once)),
                );
            }
            self.note(letters.captions(reader, &captions(asked, value)));
        }
    }
}
