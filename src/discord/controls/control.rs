//! The `custom_id` of a control: the table, the window, the draft and the action.

use std::fmt;
use std::str::FromStr;

use crate::controls::UnknownControl;
use crate::controls::pressed_answers::PressedAnswers;
use crate::controls::setting_change::{SettingChange, TypedSetting};
use letters::panel::{Blank, PanelAction, Revision};
use rules::Seat;
use tables::ids::{OverrideNumber, ProposalId, TableCode, VoteNumber, WindowNumber};

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
        /// The revision of the table that was shown.
        shown: ShownRevision,
    },
    /// The button that confirms that a table ends.
    End {
        code: TableCode,
        /// The revision of the table that was shown.
        shown: ShownRevision,
        /// The host's reason; empty for no reason.
        reason: String,
    },
    /// The button that confirms an agreement to a draw that ends the game by one vote.
    AgreeToDraw {
        code: TableCode,
        /// The revision of the table that was shown.
        shown: ShownRevision,
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

const PUBLIC: &str = "public";
const PRIVATE: &str = "private";

const YES: &str = "yes";
const NO: &str = "no";

/// The revision of a table that was shown: [`Sight::revision`](desk::Sight::revision).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownRevision(String);

impl ShownRevision {
    pub(crate) fn of(revision: &str) -> Self {
        Self(revision.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ShownRevision {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let is_one = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_one && !text.is_empty() { Ok(Self(text.to_owned())) } else { Err(UnknownControl) }
    }
}

/// The version of a table's settings that were drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SettingsReference {
    pub(crate) code: TableCode,
    /// A digest of the settings.
    pub(crate) revision: u32,
}

impl fmt::Display for SettingsReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:08x}", self.code, self.revision)
    }
}

impl SettingsReference {
    fn read(code: &str, revision: &str) -> Result<Self, UnknownControl> {
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

const ORDERS: &str = "orders,";
const NEXT: &str = "next,";
const AT_ONCE: &str = "at-once,";

impl fmt::Display for DraftKeeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table(revision) => revision.fmt(f),
            Self::Panel(answers, acts) => write!(f, "{AT_ONCE}{acts},{answers}"),
            Self::Orders(revision) => write!(f, "{ORDERS}{revision}"),
            Self::Next(revision) => write!(f, "{NEXT}{revision}"),
        }
    }
}

impl FromStr for DraftKeeper {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        let revision = |digits: &str| digits.parse().map_err(|_| UnknownControl);
        if let Some(panel) = text.strip_prefix(AT_ONCE) {
            let (acts, answers) = panel.split_once(',').ok_or(UnknownControl)?;
            Ok(Self::Panel(answers.parse()?, acts.parse().map_err(|_| UnknownControl)?))
        } else if let Some(orders) = text.strip_prefix(ORDERS) {
            revision(orders).map(Self::Orders)
        } else if let Some(next) = text.strip_prefix(NEXT) {
            revision(next).map(Self::Next)
        } else {
            revision(text).map(Self::Table)
        }
    }
}

/// The effect of a one-press button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PressEffect {
    Sealed,
    /// Carried out immediately, with the number of acts in the window when the button was drawn.
    Done(usize),
    /// A panel asks for more.
    Begun,
}

const SEAL: &str = "seal";
const MORE: &str = "more";
const DO: &str = "do-";

impl fmt::Display for PressEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sealed => f.write_str(SEAL),
            Self::Done(acts) => write!(f, "{DO}{acts}"),
            Self::Begun => f.write_str(MORE),
        }
    }
}

impl FromStr for PressEffect {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        match text.strip_prefix(DO) {
            Some(acts) => acts.parse().map(Self::Done).map_err(|_| UnknownControl),
            None if text == SEAL => Ok(Self::Sealed),
            None if text == MORE => Ok(Self::Begun),
            None => Err(UnknownControl),
        }
    }
}

macro_rules! button_actions {
    ($($button:ident => $word:literal,)*) => {
        /// The actions of buttons on a table's post.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ButtonAction { $($button,)* }

        impl ButtonAction {
            /// Returns the action's key, also in templates.
            pub(crate) const fn word(self) -> &'static str {
                match self { $(Self::$button => $word,)* }
            }

            fn of(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$button),)* _ => None }
            }
        }
    };
}

button_actions! {
    Join => "join",
    Leave => "leave",
    LeaveAsHost => "leave-as-host",
    Start => "start",
    Declare => "declare",
    Hand => "hand",
    Cards => "cards",
    Show => "show",
    Side => "side",
    Why => "why",
    Always => "always",
    Again => "again",
    Back => "back",
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
        write!(f, "{}:{}:{}", self.code, self.window, self.keeper)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { code, button } => write!(f, "table:{code}:{}", button.word()),
            Self::Say { code, window, effect, answers } => {
                write!(f, "say:{code}:{window}:{effect}:{answers}")
            }
            Self::Panel { draft, action } => write!(f, "panel:{draft}:{action}"),
            Self::Menu { draft, row } => write!(f, "menu:{draft}:{row}"),
            Self::Rules { game, place } => write!(f, "rules:{game}:{place}"),
            Self::Erase => f.write_str("erase"),
            Self::Form { draft, blank } => write!(f, "form:{draft}:{}", PanelAction::Write(*blank)),
            Self::Set { settings_reference, change } => {
                write!(f, "set:{settings_reference}:{change}")
            }
            Self::Settings { settings_reference, row } => {
                write!(f, "settings:{settings_reference}:{row}")
            }
            Self::Line { settings_reference, line } => {
                write!(f, "line:{settings_reference}:{line}")
            }
            Self::NotAway => f.write_str("not-away"),
            Self::TakeBack { code } => write!(f, "take-back:{code}"),
            Self::Take { code, seat } => write!(f, "take:{code}:{seat}"),
            Self::Close { code, shown } => write!(f, "close:{code}:{}", shown.0),
            Self::End { code, shown, reason } => write!(f, "end:{code}:{}:{reason}", shown.0),
            Self::AgreeToDraw { code, shown } => write!(f, "agree-to-draw:{code}:{}", shown.0),
            Self::Decide { proposal, public } => {
                write!(f, "decide:{proposal}:{}", if *public { PUBLIC } else { PRIVATE })
            }
            Self::Vote { code, number, yes } => {
                write!(f, "vote:{code}:{number}:{}", if *yes { YES } else { NO })
            }
            Self::Letter { letter } => write!(f, "letter:{letter}"),
            Self::Undo { code, number } => write!(f, "undo:{code}:{number}"),
        }
    }
}

impl FromStr for Control {
    type Err = UnknownControl;

    fn from_str(text: &str) -> Result<Self, UnknownControl> {
        // Only the host's reason of ending a table can contain a colon.
        let most = if text.starts_with("end:") { 4 } else { usize::MAX };
        let parts: Vec<&str> = text.splitn(most, ':').collect();
        let drafted = |code: &str, window: &str, keeper: &str| {
            let window = window.parse().map_err(|_| UnknownControl)?;
            Ok(DraftReference { code: code.into(), window, keeper: keeper.parse()? })
        };
        match parts[..] {
            ["rules", game, place] => {
                Ok(Self::Rules { game: game.to_owned(), place: place.to_owned() })
            }
            ["erase"] => Ok(Self::Erase),
            ["table", code, button] => {
                let button = ButtonAction::of(button).ok_or(UnknownControl)?;
                Ok(Self::Table { code: code.into(), button })
            }
            ["say", code, window, effect, answers] => {
                let window = window.parse().map_err(|_| UnknownControl)?;
                let (effect, answers) = (effect.parse()?, answers.parse()?);
                Ok(Self::Say { code: code.into(), window, effect, answers })
            }
            ["panel", code, window, keeper, action] => {
                let action = action.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Panel { draft: drafted(code, window, keeper)?, action })
            }
            ["menu", code, window, keeper, row] => {
                let row = row.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Menu { draft: drafted(code, window, keeper)?, row })
            }
            ["form", code, window, keeper, action] => match action.parse() {
                Ok(PanelAction::Write(blank)) => {
                    Ok(Self::Form { draft: drafted(code, window, keeper)?, blank })
                }
                _ => Err(UnknownControl),
            },
            ["set", code, revision, change] => Ok(Self::Set {
                settings_reference: SettingsReference::read(code, revision)?,
                change: change.parse()?,
            }),
            ["settings", code, revision, row] => {
                let row = row.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Settings {
                    settings_reference: SettingsReference::read(code, revision)?,
                    row,
                })
            }
            ["line", code, revision, line] => Ok(Self::Line {
                settings_reference: SettingsReference::read(code, revision)?,
                line: line.parse().map_err(|_| UnknownControl)?,
            }),
            ["not-away"] => Ok(Self::NotAway),
            ["take-back", code] => Ok(Self::TakeBack { code: code.into() }),
            ["take", code, seat] => {
                let seat = seat.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Take { code: code.into(), seat })
            }
            ["close", code, shown] => Ok(Self::Close { code: code.into(), shown: shown.parse()? }),
            ["end", code, shown, reason] => {
                let (code, reason) = (code.into(), reason.to_owned());
                Ok(Self::End { code, shown: shown.parse()?, reason })
            }
            ["agree-to-draw", code, shown] => {
                Ok(Self::AgreeToDraw { code: code.into(), shown: shown.parse()? })
            }
            ["decide", proposal, audience @ (PUBLIC | PRIVATE)] => Ok(Self::Decide {
                proposal: proposal.to_owned().into(),
                public: audience == PUBLIC,
            }),
            ["vote", code, number, voice @ (YES | NO)] => {
                let number = number.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Vote { code: code.into(), number, yes: voice == YES })
            }
            ["letter", letter] => Ok(Self::Letter { letter: letter.to_owned() }),
            ["undo", code, number] => {
                let number = number.parse().map_err(|_| UnknownControl)?;
                Ok(Self::Undo { code: code.into(), number })
            }
            _ => Err(UnknownControl),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::controls::control::*;
    use rules::Declaration;

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
                change: SettingChange::CountOnly(true),
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
            Control::Close { code: "ABCDE".into(), shown: ShownRevision::of("9999-9999") },
            Control::End { code: "ABCDE".into(), shown: ShownRevision::of("-1-0"), reason },
            Control::AgreeToDraw { code: "ABCDE".into(), shown: ShownRevision::of("9999-9999") },
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
            "panel:A:1:0:seal",
            "form:A:1:00000000:seal",
            "say:ABCDE:1:shout:x=y",
            "say:ABCDE:1:do:x",
            "close:ABCDE:",
            "end:ABCDE:x:",
        ] {
            assert_eq!(text.parse::<Control>(), Err(UnknownControl), "{text}");
        }
    }
}
