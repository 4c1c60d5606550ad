//! The filters of templates, which turn ids into words. A filter knows its reader, and no rules.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::value::{Serde, Value, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, HtmlEscape, Output, State};

use crate::rulebook::typeset;
use crate::template::reader::seat_of;
use crate::{Beside, Moment, Reader};
use rules::text::Lang;
use rules::{Key, Seat};
use tables::time::Time;

/// Writes a value. Only strings and numbers can be written: any other kind is an error in the template.
fn write(
    out: &mut Output<'_>,
    state: &mut State<'_, '_>,
    value: &Value,
    reader: &Reader,
) -> Result<(), Error> {
    let text = match value.kind() {
        ValueKind::String if value.is_safe() => value.to_string(),
        ValueKind::String if *state.auto_escape() == AutoEscape::Html => {
            HtmlEscape(&reader.harmless(&value.to_string())).to_string()
        }
        ValueKind::String => reader.harmless(&value.to_string()),
        ValueKind::Number => value.to_string(),
        // An `if` expression without `else` ends as undefined.
        ValueKind::Undefined => String::new(),
        kind => return Err(invalid(format!("a letter cannot show a {kind}"))),
    };
    out.write_str(&text).map_err(|_| Error::from(ErrorKind::WriteFailure))
}

/// Adds the filters of one reader to an environment. Their output is escaped later unless `made` turns it
/// into a safe string.
pub(crate) fn add(env: &mut Environment<'_>, reader: &Reader, made: fn(String) -> Value) {
    env.add_global("game", reader.game.key());
    let set = reader.game.set().or_else(|| reader.game.sets()?.offered().first().copied());
    env.add_global(
        "examples",
        set.map_or_else(Value::default, |set| Value::from(Serde(&set.examples))),
    );
    env.add_global("lang", reader.lang.code());
    env.add_global("stamps", reader.stamps);
    env.add_global("plain", reader.plain);
    env.add_global("posted", reader.beside != Beside::Nothing);
    env.add_global("pictured", reader.beside == Beside::Picture);
    env.add_global("year", reader.year);
    env.add_filter("kind", kind);
    env.add_filter("chair", |seat: &Value| Ok::<_, Error>(safe(read_seat(seat)?.name())));
    // Discord mentions need ids of digits only.
    env.add_filter("ping", |id: &Value| mention("@", id));
    env.add_filter("channel", |id: &Value| mention("#", id));
    let reader = Arc::new(reader.clone());
    let writer = reader.clone();
    env.set_formatter(move |out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value| {
        write(out, state, value, &writer)
    });
    let with = |f: fn(&Reader, &Value) -> Result<String, Error>| {
        let reader = reader.clone();
        move |value: &Value| f(&reader, value).map(made)
    };
    env.add_filter("seat", with(|reader, seat| Ok(reader.seat(read_seat(seat)?))));
    env.add_filter("seats", with(|reader, all| seats(reader, all, Reader::seat)));
    env.add_filter(
        "chairs",
        with(|reader, all| seats(reader, all, |_, seat| seat.name().to_owned())),
    );
    env.add_filter("name", with(|reader, id| Ok(reader.name(string(id)?))));
    env.add_filter(
        "side",
        with(|reader, index| {
            let side = reader.words.side(usize::try_from(index.clone())?);
            Ok(side.map(|id| reader.name(id)).unwrap_or_default())
        }),
    );
    env.add_filter("names", with(offered));
    env.add_filter(
        "about",
        with(|reader, id| Ok(reader.about(string(id)?).unwrap_or_default().into())),
    );
    env.add_filter(
        "clause",
        with(|reader, id| {
            Ok(reader.clause_of(string(id)?).map(ToString::to_string).unwrap_or_default())
        }),
    );
    env.add_filter("label", with(label));
    env.add_filter("numbered", with(numbered));
    env.add_filter("part", with(part));
    env.add_filter("mark", with(mark));
    env.add_filter("value", with(value));
    env.add_filter("meaning", with(meaning));
    let (lang, plain) = (reader.lang, reader.plain);
    env.add_filter("typed", move |text: &str| safe(&typeset(text, lang, plain)));
    env.add_filter("duration", move |state: &mut State<'_, '_>, span: &Value| {
        time_text(state, lang, "duration", duration(span)?)
    });
    // The `told_by` filter writes the letter of this name about a value.
    env.add_filter("told_by", move |state: &mut State<'_, '_>, thing: Value, name: &str| {
        let letter = state.get_template(&format!("desk/{}/{name}.md", lang.code()))?;
        letter.render(thing).map(|text| Value::from_safe_string(text.trim().to_owned()))
    });
    for filter in ["when", "until"] {
        let zone = reader.zone;
        env.add_filter(filter, move |state: &mut State<'_, '_>, time: Value| {
            let at = if filter == "when" { Moment::at } else { Moment::end_at };
            time_text(state, lang, "when", moment(time, |time| at(time, zone))?)
        });
    }
}

/// Turns a number of milliseconds into a moment; returns any other value unchanged.
fn moment(time: Value, at: impl Fn(Time) -> Moment) -> Result<Value, Error> {
    if time.kind() != ValueKind::Number {
        return Ok(time);
    }
    Ok(Value::from(Serde(&at(Time::from_milliseconds(i64::try_from(time)?)))))
}

/// Calls the macro of this name in `times.md` with a time or a duration.
fn time_text(
    state: &mut State<'_, '_>,
    lang: Lang,
    name: &str,
    time: Value,
) -> Result<Value, Error> {
    let file = format!("desk/{}/times.md", lang.code());
    let times = state.get_template(&file)?;
    let mut times = times.render_captured(())?;
    let text = times.with_state_mut(|state| state.call_macro(name, &[time]));
    text.map(Value::from_safe_string)
}

/// Returns the name of the macro for a value: the kind of an event or a reason, the outcome of a ruling, and
/// `barred_` or `noted_` with the game's word for an option that the game bars, or for its note.
fn kind(thing: &Value) -> Result<String, Error> {
    let word = match thing.as_str() {
        Some(word) => word.to_owned(),
        None => match field(thing, "kind")? {
            Some(kind) if matches!(kind.as_str(), Some("barred" | "noted")) => {
                format!("{kind}-{}", thing.get_attr("why")?)
            }
            Some(kind) => kind.to_string(),
            None => return Err(invalid(format!("{thing} has no kind"))),
        },
    };
    // Numbers may follow the word.
    let word = word.split(' ').next().unwrap_or_default();
    Ok(word.replace('-', "_"))
}

fn mention(mark: &str, id: &Value) -> Result<Value, Error> {
    let digits = string(id)?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid(format!("{id} is no id")));
    }
    Ok(safe(&format!("<{mark}{digits}>")))
}

fn names(reader: &Reader, ids: &Value) -> Result<String, Error> {
    let mut names = Vec::new();
    for id in ids.try_iter()?.filter(|id| !id.is_none()) {
        names.push(reader.name(string(&id)?));
    }
    Ok(names.join(comma(reader.lang)))
}

/// Returns the names in a row, each with its meaning if the name does not say it.
fn offered(reader: &Reader, ids: &Value) -> Result<String, Error> {
    let mut names = Vec::new();
    for id in ids.try_iter()?.filter(|id| !id.is_none()) {
        let id = string(&id)?;
        let name = reader.name(id);
        names.push(match (reader.words.meaning(id, reader.lang), reader.lang) {
            (None, _) => name,
            (Some(meaning), Lang::Ja) => format!("{name}（{meaning}）"),
            (Some(meaning), Lang::En) => format!("{name} ({meaning})"),
        });
    }
    Ok(names.join(comma(reader.lang)))
}

/// Returns the names of seats in a row.
fn seats(
    reader: &Reader,
    all: &Value,
    called: fn(&Reader, Seat) -> String,
) -> Result<String, Error> {
    let seats = all.try_iter()?.map(|seat| Ok(called(reader, read_seat(&seat)?)));
    Ok(seats.collect::<Result<Vec<_>, Error>>()?.join(comma(reader.lang)))
}

fn comma(lang: Lang) -> &'static str {
    match lang {
        Lang::Ja => "、",
        Lang::En => ", ",
    }
}

fn label(reader: &Reader, key: &Value) -> Result<String, Error> {
    Ok(reader.words.label(&read_key(key)?, reader.lang).to_owned())
}

/// Returns the label, with the number of its occurrence from the second on.
fn numbered(reader: &Reader, key: &Value) -> Result<String, Error> {
    let key = read_key(key)?;
    let label = reader.words.label(&key, reader.lang);
    Ok(match (key.number, reader.lang) {
        (1, _) => label.to_owned(),
        (number, Lang::Ja) => format!("{label}({number})"),
        (number, Lang::En) => format!("{label} ({number})"),
    })
}

/// Returns the label of the part of a question.
fn part(reader: &Reader, key: &Value) -> Result<String, Error> {
    numbered(reader, &Value::from(read_key(key)?.whole().to_string()))
}

/// Returns the mark of the part of a question, as declarations begin it.
fn mark(reader: &Reader, key: &Value) -> Result<String, Error> {
    let key = read_key(key)?;
    let mark = reader.words.mark(&key.section, reader.lang).unwrap_or(&key.section);
    Ok(if key.number == 1 { mark.to_owned() } else { format!("{mark}#{}", key.number) })
}

/// Returns the value of an answer in the notation of declarations.
fn value(reader: &Reader, value: &Value) -> Result<String, Error> {
    if let Some(id) = field(value, "choice")? {
        return Ok(reader.name(string(&id)?));
    }
    if let Some(ids) = field(value, "picks")? {
        let picks = names(reader, &ids)?;
        return Ok(if picks.is_empty() { NOTHING.to_owned() } else { picks });
    }
    if let Some(pieces) = field(value, "payment")? {
        let mut paid = Vec::new();
        for piece in pieces.try_iter()? {
            let (id, count) = (piece.get_item_by_index(0)?, piece.get_item_by_index(1)?);
            paid.push(format!("{}×{count}", reader.name(string(&id)?)));
        }
        return Ok(if paid.is_empty() { NOTHING.to_owned() } else { paid.join(" ") });
    }
    if let Some(number) = field(value, "number")? {
        return Ok(number.to_string());
    }
    if let Some(text) = field(value, "text")? {
        return Ok(reader.harmless(string(&text)?));
    }
    Err(invalid(format!("{value} is no answer")))
}

/// Returns the meaning of an answer if its name does not say it; empty otherwise.
fn meaning(reader: &Reader, value: &Value) -> Result<String, Error> {
    let Some(id) = field(value, "choice")? else { return Ok(String::new()) };
    let meaning = reader.words.meaning(string(&id)?, reader.lang);
    Ok(meaning.unwrap_or_default().to_owned())
}

/// The notation of declarations for nothing.
const NOTHING: &str = "-";

/// Splits a duration in milliseconds into days, hours, minutes and seconds.
fn duration(milliseconds: &Value) -> Result<Value, Error> {
    let seconds = i64::try_from(milliseconds.clone())? / 1000;
    let parts = [
        ("days", seconds / 86_400),
        ("hours", seconds / 3600 % 24),
        ("minutes", seconds / 60 % 60),
        ("seconds", seconds % 60),
    ];
    Ok(Value::from(BTreeMap::from(parts)))
}

/// Returns a field of a map; `None` if it is undefined.
fn field(map: &Value, name: &str) -> Result<Option<Value>, Error> {
    if map.kind() != ValueKind::Map {
        return Err(invalid(format!("{map} has no fields")));
    }
    Ok(Some(map.get_attr(name)?).filter(|field| !field.is_undefined()))
}

fn read_seat(seat: &Value) -> Result<Seat, Error> {
    let index = usize::try_from(seat.clone()).ok();
    let seat_at = |index: usize| Seat::all(rules::seat::MAX_SEATS).nth(index);
    let found = index.and_then(seat_at).or_else(|| seat.as_str().and_then(seat_of));
    found.ok_or_else(|| invalid(format!("{seat} is no seat")))
}

fn read_key(key: &Value) -> Result<Key, Error> {
    string(key)?.parse().map_err(|error| invalid(format!("{error}")))
}

fn string(value: &Value) -> Result<&str, Error> {
    value.as_str().ok_or_else(|| invalid(format!("{value} is no word")))
}

fn safe(text: &str) -> Value {
    Value::from_safe_string(text.to_owned())
}

fn invalid(what: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, what)
}
