//! The `custom_id` of a control: the table, the window, the draft and the action; with answers and
//! changes in texts short enough for it.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString, IntoStaticStr};

use letters::panel::{Blank, PanelAction, Revision};
use rules::text::Lang;
use rules::{Answer, Declaration, Key, Seat, Value};
use tables::ids::{OverrideNumber, ProposalId, TableCode, VoteNumber, WindowNumber};
use tables::{TableSetting, text_form};

/// A `custom_id` that is not of this bot.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("no control of ours says this")]
pub(crate) struct UnknownControl;

/// A control of this bot, with all data that a press on it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A button on a table's post.
    Table { code: TableCode, button: ButtonAction },
    /// A one-press button on a table's post.
    Say {
        code: TableCode,
        window: WindowNumber,
        /// The effect of the press.
        effect: PressEffect,
        answers: PressedAnswers,
    },
    /// A button on a declaration panel.
    Panel {
        /// The draft that the panel was drawn from.
        draft: DraftReference,
        action: PanelAction,
    },
    /// A menu on a declaration panel; the picked entry holds the action.
    Menu {
        /// The draft that the panel was drawn from.
        draft: DraftReference,
        /// The index of the menu's row.
        row: usize,
    },
    /// A form opened from a declaration panel.
    Form {
        /// The draft that the panel was drawn from.
        draft: DraftReference,
        /// The input asked for.
        blank: Blank,
    },
    /// A button that opens a chapter of a game's rules.
    Rules { game: String, place: String },
    /// The button that confirms the erasure of a person's data.
    Erase,
    /// A button on the settings of a table.
    Set {
        /// The version of the settings that were drawn.
        settings_reference: SettingsReference,
        /// The change that the press makes.
        change: SettingChange,
    },
    /// A menu on the settings of a table; the picked entry holds the change.
    Settings {
        /// The version of the settings that were drawn.
        settings_reference: SettingsReference,
        /// The index of the menu's row.
        row: usize,
    },
    /// The form for a typed setting.
    Line {
        /// The version of the settings that were drawn.
        settings_reference: SettingsReference,
        line: TypedSetting,
    },
    /// The button that takes back an absence.
    NotAway,
    /// The button that dismisses a substitute.
    TakeBack { code: TableCode },
    /// The button that takes a seat for which a player is sought.
    Take { code: TableCode, seat: Seat },
    /// The button that confirms that a window closes.
    Close {
        code: TableCode,
        /// The revision of the table that was shown: [`Sight::revision`](desk::Sight::revision).
        shown: String,
    },
    /// The button that confirms that a table ends.
    End {
        code: TableCode,
        /// The revision of the table that was shown: [`Sight::revision`](desk::Sight::revision).
        shown: String,
        /// The host's reason; empty for no reason.
        reason: String,
    },
    /// The button that confirms an agreement to a draw that ends the game by one vote.
    AgreeToDraw {
        code: TableCode,
        /// The revision of the table that was shown: [`Sight::revision`](desk::Sight::revision).
        shown: String,
    },
    /// The button that makes a decision after its dry run, and the form for its reason.
    Decide {
        proposal: ProposalId,
        /// True if the decision is shown to the table.
        public: bool,
    },
    /// A button of a vote at a table.
    Vote { code: TableCode, number: VoteNumber, yes: bool },
    /// The button in a thread that opens the letter of a player who takes no direct messages.
    Letter { letter: String },
    /// The button that undoes a decision.
    Undo { code: TableCode, number: OverrideNumber },
}

text_form!(Control, ':', UnknownControl, {
    "table" => Table { code, button },
    "say" => Say { code, window, effect, answers },
    "panel" => Panel { draft, action },
    "menu" => Menu { draft, row },
    "form" => Form { draft, blank },
    "rules" => Rules { game, place },
    "erase" => Erase {},
    "set" => Set { settings_reference, change },
    "settings" => Settings { settings_reference, row },
    "line" => Line { settings_reference, line },
    "not-away" => NotAway {},
    "take-back" => TakeBack { code },
    "take" => Take { code, seat },
    "close" => Close { code, shown },
    "end" => End { code, shown, reason },
    "agree-to-draw" => AgreeToDraw { code, shown },
    "decide" => Decide { proposal, public },
    "vote" => Vote { code, number, yes },
    "letter" => Letter { letter },
    "undo" => Undo { code, number },
});

/// The version of a table's settings that were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingsReference {
    pub(crate) code: TableCode,
    /// A digest of the settings.
    pub(crate) revision: u32,
}

impl fmt::Display for SettingsReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{:08x}", self.code, self.revision)
    }
}

impl FromStr for SettingsReference {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let (code, revision) = text.split_once('/').ok_or(UnknownControl)?;
        let revision = u32::from_str_radix(revision, 16).map_err(|_| UnknownControl)?;
        Ok(Self { code: code.into(), revision })
    }
}

/// The maximum length of a control's `custom_id`, in units of UTF-16.
pub(crate) const LONGEST: usize = 100;

/// The draft that a panel was drawn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DraftReference {
    pub(crate) code: TableCode,
    pub(crate) window: WindowNumber,
    pub(crate) keeper: DraftKeeper,
}

impl DraftReference {
    /// True if every control of the panel has room for this reference.
    pub(crate) fn fits(&self) -> bool {
        let action = PanelAction::Answer { question: u16::MAX, option: u16::MAX };
        let control = Control::Panel { draft: self.clone(), action }.to_string();
        control.encode_utf16().count() <= LONGEST
    }
}

/// The storage of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DraftKeeper {
    /// The table's draft of a declaration.
    Table(Revision),
    /// The panel alone: an immediate act as far as it is declared, and the number of acts in the window when
    /// the panel was first drawn.
    Panel(PressedAnswers, usize),
    /// The table's draft of standing orders.
    Orders(Revision),
    /// The table's draft for the next window.
    Next(Revision),
}

text_form!(DraftKeeper, ',', UnknownControl, {
    "table" => Table { 0 },
    "at-once" => Panel { 1, 0 },
    "orders" => Orders { 0 },
    "next" => Next { 0 },
});

/// The effect of a one-press button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressEffect {
    Sealed,
    /// Carried out immediately, with the number of acts in the window when the button was drawn.
    Done(usize),
    /// A panel asks for more.
    Begun,
}

text_form!(PressEffect, '-', UnknownControl, {
    "seal" => Sealed {},
    "do" => Done { 0 },
    "more" => Begun {},
});

/// The actions of buttons on a table's post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum ButtonAction {
    Join,
    Leave,
    LeaveAsHost,
    Start,
    Declare,
    Hand,
    Cards,
    Show,
    Side,
    Why,
    Always,
    Again,
    Back,
}

impl ButtonAction {
    /// Returns the action's key, also in templates.
    pub(crate) fn word(self) -> &'static str {
        self.into()
    }
}

impl Control {
    /// True if the control is used only in messages that one person sees. The message is redrawn after the
    /// press, so it must not be public.
    pub(crate) const fn is_private(&self) -> bool {
        match self {
            Self::Panel { .. }
            | Self::Menu { .. }
            | Self::Form { .. }
            | Self::Erase
            | Self::Set { .. }
            | Self::Settings { .. }
            | Self::Line { .. }
            | Self::NotAway
            | Self::TakeBack { .. }
            | Self::Close { .. }
            | Self::End { .. }
            | Self::AgreeToDraw { .. }
            | Self::Decide { .. } => true,
            Self::Table { .. }
            | Self::Rules { .. }
            | Self::Say { .. }
            | Self::Take { .. }
            | Self::Vote { .. }
            | Self::Letter { .. }
            | Self::Undo { .. } => false,
        }
    }
}

impl fmt::Display for DraftReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.code, self.window, self.keeper)
    }
}

impl FromStr for DraftReference {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let (code, draft) = text.split_once('/').ok_or(UnknownControl)?;
        let (window, keeper) = draft.split_once('/').ok_or(UnknownControl)?;
        let window = window.parse().map_err(|_| UnknownControl)?;
        Ok(Self { code: code.into(), window, keeper: keeper.parse()? })
    }
}

/// Answers given by presses: one option as `key=option`, several as `key=one+other+`, a number as `key=#3`, a
/// question that is left out as `key=-`. A key of the same part as the one before it is written without the
/// part: `act.on=P2,cards=gun+`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PressedAnswers(pub(crate) Declaration);

impl fmt::Display for PressedAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before: Option<Key> = None;
        for (key, answer) in self.0.iter() {
            let Some(answer) = pressed(answer) else { continue };
            match before.replace(key.whole()) {
                None => write!(f, "{key}={answer}")?,
                Some(part) if part == key.whole() => write!(f, ",{}={answer}", key.name)?,
                Some(_) if key.name.is_empty() => write!(f, ",{key}.={answer}")?,
                Some(_) => write!(f, ",{key}={answer}")?,
            }
        }
        Ok(())
    }
}

/// Returns an answer as written after its key; `None` if no press can give it.
fn pressed(answer: &Answer) -> Option<String> {
    match answer {
        Answer::LeftOut => Some(LEFT_OUT.to_string()),
        Answer::Given(Value::Choice(option)) => Some(option.to_string()),
        Answer::Given(Value::Number(number)) => Some(format!("{NUMBER}{number}")),
        Answer::Given(Value::Picks(picks)) if picks.is_empty() => Some(PICK.to_owned()),
        Answer::Given(Value::Picks(picks)) => {
            Some(picks.iter().flat_map(|pick| [pick.as_str(), PICK]).collect())
        }
        _ => None,
    }
}

/// The value of a question that is left out.
const LEFT_OUT: char = '-';

/// The mark after each of several options.
const PICK: &str = "+";

/// The mark before a number.
const NUMBER: char = '#';

impl FromStr for PressedAnswers {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let mut declared = Declaration::default();
        let mut part: Option<Key> = None;
        for answer in text.split(',').filter(|answer| !answer.is_empty()) {
            let (name, value) = answer.split_once('=').ok_or(UnknownControl)?;
            let key = match &part {
                Some(part) if !name.contains(['.', NUMBER]) => {
                    Key { name: name.into(), ..part.clone() }
                }
                _ => name.parse().map_err(|_| UnknownControl)?,
            };
            let answer = if let Some(number) = value.strip_prefix(NUMBER) {
                Answer::Given(Value::Number(number.parse().map_err(|_| UnknownControl)?))
            } else if value.ends_with(PICK) {
                let picks = value.split(PICK).filter(|pick| !pick.is_empty());
                Answer::Given(Value::Picks(picks.map(Into::into).collect()))
            } else if value.chars().eq([LEFT_OUT]) {
                Answer::LeftOut
            } else {
                Answer::Given(Value::Choice(value.into()))
            };
            part = Some(key.whole());
            declared.set(key, answer);
        }
        Ok(Self(declared))
    }
}

/// A change of one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SettingChange {
    /// The game, by its key.
    Game(String),
    Chairs(usize),
    /// A preset pace, by its name.
    Preset(String),
    /// Opens the form of a typed setting.
    Write(TypedSetting),
    /// Opens the form of a typed setting again, with the earlier input.
    Rewrite(TypedSetting),
    /// An option of the game.
    Option {
        key: String,
        value: String,
    },
    /// The language of public letters.
    Language(Lang),
    /// A setting, turned on or off.
    Set(TableSetting, bool),
}

/// A setting that the host types as a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum TypedSetting {
    /// The pace of the windows.
    Pace,
    /// The absence policy.
    Absence,
}

text_form!(SettingChange, '.', UnknownControl, {
    "game" => Game { 0 },
    "chairs" => Chairs { 0 },
    "pace" => Preset { 0 },
    "write" => Write { 0 },
    "rewrite" => Rewrite { 0 },
    "option" => Option { key, value },
    "language" => Language { 0 },
    "set" => Set { 0, 1 },
});

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use games::GAMES;
    use rules::Declaration;
    use tables::TableSetting;

    #[test]
    fn a_draft_that_no_control_can_bear_is_known() {
        let of = |text: &str| DraftReference {
            code: "ABCDE".into(),
            window: WindowNumber::new(12),
            keeper: DraftKeeper::Panel(text.parse().unwrap(), 99),
        };
        assert!(of("act.cards=gun+bullet+,do=trade,on=P2,wants=#1").fits());
        assert!(!of(&format!("act.cards={},do=trade", "sniper-rifle+".repeat(7))).fits());
    }

    #[test]
    fn a_control_reads_back_as_it_is_written_and_is_short() {
        let revision = Revision::of(WindowNumber::new(12), &Declaration::default());
        let of = |keeper| DraftReference {
            code: "ABCDE".into(),
            window: WindowNumber::new(u32::MAX),
            keeper,
        };
        let draft = of(DraftKeeper::Table(revision));
        let answers: PressedAnswers = "act.do=propose,act.user=P2".parse().unwrap();
        let held = [PressedAnswers::default(), answers.clone()]
            .map(|answers| of(DraftKeeper::Panel(answers, 99)));
        let say = |effect, answers| Control::Say {
            code: "ABCDE".into(),
            window: WindowNumber::new(u32::MAX),
            effect,
            answers,
        };
        let most = PanelAction::Answer { question: u16::MAX, option: u16::MAX };
        let settings_reference = SettingsReference { code: "ABCDE".into(), revision: u32::MAX };
        let reason = "締".repeat(79) + ":";
        for control in [
            Control::Erase,
            Control::Set {
                settings_reference: settings_reference.clone(),
                change: SettingChange::Set(TableSetting::CountOnly, true),
            },
            Control::Settings { settings_reference: settings_reference.clone(), row: 4 },
            Control::Line {
                settings_reference: settings_reference.clone(),
                line: TypedSetting::Pace,
            },
            Control::Line { settings_reference, line: TypedSetting::Absence },
            Control::NotAway,
            Control::TakeBack { code: "ABCDE".into() },
            Control::Take { code: "ABCDE".into(), seat: Seat::new(5) },
            Control::Close { code: "ABCDE".into(), shown: "9999-9999".into() },
            Control::End { code: "ABCDE".into(), shown: "-1-0".into(), reason },
            Control::AgreeToDraw { code: "ABCDE".into(), shown: "9999-9999".into() },
            Control::Decide { proposal: "f".repeat(32).into(), public: true },
            Control::Decide { proposal: "f".repeat(32).into(), public: false },
            Control::Undo { code: "ABCDE".into(), number: OverrideNumber::new(u32::MAX) },
            Control::Vote { code: "ABCDE".into(), number: VoteNumber::new(u32::MAX), yes: true },
            Control::Vote { code: "ABCDE".into(), number: VoteNumber::new(0), yes: false },
            Control::Letter { letter: "ABCDE-99-reminder-1795396905000-P1-substitute".to_owned() },
            Control::Table { code: "ABCDE".into(), button: ButtonAction::Again },
            Control::Panel { draft: draft.clone(), action: most },
            Control::Menu { draft: draft.clone(), row: 4 },
            Control::Panel { draft: held[0].clone(), action: most },
            Control::Menu { draft: held[1].clone(), row: 4 },
            say(PressEffect::Sealed, answers.clone()),
            say(PressEffect::Done(99), answers),
            say(PressEffect::Begun, PressedAnswers::default()),
            Control::Form { draft: draft.clone(), blank: Blank::Question(u16::MAX) },
            Control::Form { draft, blank: Blank::Whole },
        ] {
            let text = control.to_string();
            assert_eq!(text.parse(), Ok(control), "{text}");
            assert!(text.encode_utf16().count() <= LONGEST, "{text}");
        }
        for text in [
            "",
            "table:ABCDE",
            "table:ABCDE:dance",
            "panel:A/1/table,0:seal",
            "form:A/1/table,00000000:seal",
            "say:ABCDE:1:shout:x=y",
            "say:ABCDE:1:do-x:",
        ] {
            assert_eq!(text.parse::<Control>(), Err(UnknownControl), "{text}");
        }
    }

    #[test]
    fn whatever_is_pressed_reads_back_as_it_is_written() {
        for text in [
            "",
            "act.do=propose,user=P2",
            "act.cards=gun+fake-money+gun+,do=trade,on=P2,wants=#2",
            "act.cards=+,decoy=-,do=accept",
            "act=x,turn#2.card=spy,on=P3",
            "act.do=x,other.=y,way=z",
        ] {
            let answers: PressedAnswers = text.parse().unwrap();
            assert_eq!(answers.to_string(), text);
        }
        for text in ["act", "act.do=#x", "=x"] {
            assert_eq!(text.parse::<PressedAnswers>(), Err(UnknownControl), "{text}");
        }
    }

    #[test]
    fn a_pick_reads_back_as_it_is_written_and_is_short() {
        let mut picks = vec![
            SettingChange::Chairs(16),
            SettingChange::Preset("twice_a_week".to_owned()),
            SettingChange::Write(TypedSetting::Pace),
            SettingChange::Rewrite(TypedSetting::Absence),
            SettingChange::Language(Lang::Ja),
        ];
        for setting in TableSetting::iter() {
            picks.extend([true, false].map(|on| SettingChange::Set(setting, on)));
        }
        for game in GAMES {
            picks.push(SettingChange::Game(game.key().to_owned()));
            for set in game.options(&serde_json::Value::Null) {
                let key = set.option.key.to_owned();
                picks.push(SettingChange::Option { key, value: set.value });
            }
        }
        for change in picks {
            let text = change.to_string();
            assert_eq!(text.parse(), Ok(change), "{text}");
            assert!(text.len() <= 60 && !text.contains(':'), "{text}");
        }
        for text in [
            "",
            "game",
            "chairs.x",
            "language.fr",
            "set.files",
            "set.all.true",
            "option.a",
            "write.x",
        ] {
            assert_eq!(text.parse::<SettingChange>(), Err(UnknownControl), "{text}");
        }
    }
}
