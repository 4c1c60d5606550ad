//! P1.1: the 52 cards, of which there are 96 copies.

use crate::pieces::pieces;

pieces! {
    /// A card. Copies of a card are identical.
    Card {
        /// RED LIFE (P7.3)
        RedLife => "red-life",
        /// BLUE LIFE (P7.3)
        BlueLife => "blue-life",
        /// BLACK LIFE (P7.2)
        BlackLife => "black-life",
        /// GRAY LIFE (P6.8)
        GrayLife => "gray-life",
        /// PURPLE LIFE (P7.3)
        PurpleLife => "purple-life",
        /// THE BOSS (P1.3)
        TheBoss => "the-boss",
        /// THE DON (P6.7)
        TheDon => "the-don",
        /// GANGSTER (P3.4)
        Gangster => "gangster",
        /// VANGUARD (P3.4)
        Vanguard => "vanguard",
        /// MONEY (P7.2)
        Money => "money",
        /// FAKE MONEY (P7.2)
        FakeMoney => "fake-money",
        /// SPY (P1.1)
        Spy => "spy",
        /// TRICKSTER (P6.5)
        Trickster => "trickster",
        /// NEGOTIATOR (P1.1)
        Negotiator => "negotiator",
        /// BARTENDER (P9.4)
        Bartender => "bartender",
        /// POLICE (P9.2)
        Police => "police",
        /// SNATCHER (P1.1)
        Snatcher => "snatcher",
        /// JOURNALIST (P9.2)
        Journalist => "journalist",
        /// HUSTLER (P7.5)
        Hustler => "hustler",
        /// GUNSMITH (P1.1)
        Gunsmith => "gunsmith",
        /// DETECTIVE (P1.1)
        Detective => "detective",
        /// PHANTOM (P6.5)
        Phantom => "phantom",
        /// STEALER (P1.1)
        Stealer => "stealer",
        /// UNDERTAKER (P6.1)
        Undertaker => "undertaker",
        /// TORTURER (P5.4)
        Torturer => "torturer",
        /// DOCTOR (P6.2)
        Doctor => "doctor",
        /// KILLER (P5.2)
        Killer => "killer",
        /// HERO (P5.3)
        Hero => "hero",
        /// BEAUTY (P7.5)
        Beauty => "beauty",
        /// THE CHEFISH (P6.4)
        TheChefish => "the-chefish",
        /// THE CONFIDENT (P6.7)
        TheConfident => "the-confident",
        /// THE BILLIONAIRE (P3.1)
        TheBillionaire => "the-billionaire",
        /// THE ENDORSER (P6.6)
        TheEndorser => "the-endorser",
        /// CIGAR (P9.4)
        Cigar => "cigar",
        /// PORNO (P9.6)
        Porno => "porno",
        /// DRUG (P7.5)
        Drug => "drug",
        /// ALCOHOL (P6.5)
        Alcohol => "alcohol",
        /// DUMDUM BULLET (P9.12)
        DumdumBullet => "dumdum-bullet",
        /// BULLET (P1.1)
        Bullet => "bullet",
        /// AP BULLET (P5.1)
        ApBullet => "ap-bullet",
        /// GUN (P5.1)
        Gun => "gun",
        /// KATANA (P1.1)
        Katana => "katana",
        /// SHOTGUN (P5.1)
        Shotgun => "shotgun",
        /// SNIPER RIFLE (P5.2)
        SniperRifle => "sniper-rifle",
        /// ASSAULT RIFLE (P5.1)
        AssaultRifle => "assault-rifle",
        /// MACHINEGUN (P9.14)
        Machinegun => "machinegun",
        /// MAGNUM (P1.1)
        Magnum => "magnum",
        /// ROCKET LAUNCHER (P1.1)
        RocketLauncher => "rocket-launcher",
        /// MAGAZINE (P9.10)
        Magazine => "magazine",
        /// SILENCER (P3.1)
        Silencer => "silencer",
        /// GRENADE (P4.5)
        Grenade => "grenade",
        /// FLASH BANG (P9.13)
        FlashBang => "flash-bang",
    }
}

pieces! {
    /// 種類: the category of a card, the word before CARD in its name (P0).
    Category {
        /// ライフ
        Life => "life",
        /// THE BOSS and the cards that count as one
        Boss => "boss",
        /// Cards that can be a decoy
        Gangster => "gangster",
        /// Cards that pay
        Money => "money",
        /// 青い枠
        Specialist => "specialist",
        /// Cards that are always seized
        Contraband => "contraband",
        /// 赤い枠
        Weapon => "weapon",
    }
}

pieces! {
    /// 陣営: a player's side (P0).
    Life {
        /// 革新派
        Red => "red",
        /// 保守派
        Blue => "blue",
        /// 裏切者
        Black => "black",
        /// 共謀者
        Gray => "gray",
        /// 臆病者
        Purple => "purple",
    }
}

impl Life {
    /// The side's life card.
    pub fn card(self) -> Card {
        match self {
            Self::Red => Card::RedLife,
            Self::Blue => Card::BlueLife,
            Self::Black => Card::BlackLife,
            Self::Gray => Card::GrayLife,
            Self::Purple => Card::PurpleLife,
        }
    }

    /// True if a player with this life dies when another player sees it (P6.8).
    pub fn is_shy(self) -> bool {
        matches!(self, Self::Gray | Self::Purple)
    }
}

impl Card {
    /// The card with this id.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|card| card.word() == id)
    }

    /// `None` unless the card is a life; otherwise the side of the life.
    pub fn life(self) -> Option<Life> {
        Life::ALL.iter().copied().find(|life| life.card() == self)
    }

    /// True if the card counts as THE BOSS (P6.7).
    pub fn is_boss(self) -> bool {
        matches!(self, Self::TheBoss | Self::TheDon)
    }

    /// True if the card's back is marked, so that its place is public (P9.6).
    pub fn is_marked(self) -> bool {
        self == Self::Porno
    }
}

#[cfg(test)]
mod tests {
    use super::{Card, Life};
    use crate::gangster_paradise::GangsterParadise;
    use crate::playable::GameFiles;
    use rules::Piece;
    use rules::text::Lang;

    #[test]
    fn every_card_for_sale_tells_what_it_costs() {
        for card in Card::ALL {
            let text = GangsterParadise::cards().of(card.id().as_str()).unwrap();
            for (lang, cost) in [(Lang::Ja, "コスト"), (Lang::En, "Cost ")] {
                let told = card.printed().cost.map(|printed| format!("{cost}{printed}"));
                for text in [text.short(lang), text.text(lang)] {
                    assert_eq!(text.starts_with(cost), told.is_some(), "{text}");
                    assert!(text.starts_with(&told.clone().unwrap_or_default()), "{text}");
                }
            }
        }
    }

    #[test]
    fn each_side_has_a_life_of_its_own() {
        let lives: Vec<Life> = Card::ALL.iter().filter_map(|card| card.life()).collect();
        assert_eq!(lives, Life::ALL);
        assert_eq!(Card::ALL.len(), 52);
    }
}
