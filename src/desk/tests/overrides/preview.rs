//! Previews of a result for a game master who does not play and has opened the seals.

use crate::model::{Gm, Override};
use crate::overrides::gm_view::GmView;
use crate::tests::kit::{LATER, Table, gm, gm_called};
use crate::tests::support::{BID, DRAW, MINUTE, draft, seal};
use kit::time::{span, time};
use letters::{Letters, OverrideRefused, Reader, Refused};
use rules::text::Lang;
use tables::Announce;

async fn gm_view(table: &Table, gm: &Gm, now: i64) -> GmView {
    crate::gm_view(&table.desk, &table.code, gm, time(now)).await.unwrap()
}

/// Returns a preview, one line for each entry, and checks that it changes nothing.
async fn previewed(table: &Table, now: i64) -> (bool, Vec<String>) {
    let before = table.whole().await;
    let preview = gm_view(table, &gm(), now).await.preview().unwrap();
    assert_eq!(table.whole().await, before);
    let lines = preview.entries.iter().map(|entry| serde_json::to_string(entry).unwrap());
    (preview.is_open, lines.collect())
}

#[tokio::test]
async fn what_is_seen_before_is_what_comes() {
    let table = Table::announced_later().await;
    table.decide(Override::Open, 1).await;
    let nobody = previewed(&table, 2).await;
    for name in ["sakura", "kaede"] {
        seal(&table.desk, &table.code, name, BID, MINUTE).await;
    }
    let before = previewed(&table, MINUTE).await;
    assert!(before.0 && nobody.1 != before.1, "what is sealed counts");
    table.closes(MINUTE).await;
    assert_eq!(table.result(0).await, before.1);
    // The window has closed and waits to be announced.
    assert_eq!(previewed(&table, 2 * MINUTE).await, (false, before.1));
    // A draft is shown to nobody before its time.
    let now = MINUTE + LATER + 1;
    let without = previewed(&table, now).await;
    draft(&table.desk, &table.code, "sakura", DRAW, now + 1).await;
    assert_eq!(previewed(&table, now + 2).await, without);
}

#[tokio::test]
async fn it_is_for_who_does_not_play_and_has_opened_the_seals() {
    let table = Table::new().await;
    let refused = async |gm: &Gm| gm_view(&table, gm, 1).await.preview().unwrap_err();
    assert_eq!(refused(&gm()).await, OverrideRefused::NoPreview, "the seals are closed");
    table.decide(Override::Open, 1).await;
    assert_eq!(refused(&gm_called("sakura")).await, OverrideRefused::NoPreview, "the host plays");
    table.decide(Override::Cancel, 2).await;
    assert_eq!(gm_view(&table, &gm(), 3).await.preview().unwrap_err(), Refused::Over);
}

#[tokio::test]
async fn it_is_told_in_both_languages() {
    let table = Table::in_words(Announce::After(span(LATER))).await;
    let letters = Letters::built_in();
    let words = async |lang: Lang, now: i64| {
        let gm_view = gm_view(&table, &gm(), now).await;
        let reader: Reader = gm_view.sight.reader(lang).in_plain_text();
        gm_view.preview_words(&letters, &reader).unwrap()
    };
    for (lang, told) in [(Lang::Ja, "封を開けたGMだけ"), (Lang::En, "has opened the seals")]
    {
        assert!(words(lang, 1).await.contains(told), "{lang}");
    }
    table.decide(Override::Open, 1).await;
    for (lang, heading) in [
        (Lang::Ja, "◆今すぐ締め切った場合の結果"),
        (Lang::En, "◆ The result if the window closed now"),
    ] {
        let told = words(lang, 2).await;
        assert!(told.starts_with(heading) && told.lines().count() > 3, "{told}");
    }
}
