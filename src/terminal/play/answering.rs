//! The answers to what a person types, and the letters shown between.

use super::remembered::{ActsShown, LONGEST};
use super::session::{Result, TerminalSession};
use super::{acting, away, declaring, ending, gm, help, own};
use desk::commands::{Command, CommandPlace};
use desk::conversation::{ConversationError, NextStep, TypedLine, phrases};
use desk::{LetterKind, NotDone, Verb};
use games::options_line;
use letters::{
    DeclarationRefused, FinalScores, LetterFault, Moment, OwnHand, Refused, TooMuch, Unseated,
    WholeBoard, follow,
};
use rules::Round;
use rules::text;
use tables::Stage;
use tables::ids::WindowNumber;
use tables::time::Time;

/// The output after a line of input, or the end of the session.
pub(super) enum TerminalAnswer {
    Show(String),
    Leave,
}

/// Returns the first output of a session: the waiting letters and the questions.
pub(super) async fn come_in(session: &mut TerminalSession, now: Time) -> Result {
    let mut text = String::new();
    let news = news(session, now).await?;
    if let Some(news) = &news {
        follow(&mut text, news);
    }
    let first = LetterKind::Opening(WindowNumber::FIRST);
    if session.shown.iter().any(|letter| first.is_of(letter))
        && let Some(screen) = first_screen(session, now)?
    {
        return Ok(screen);
    }
    // The news may only be that a deadline has moved.
    let opens = session.shown.iter().any(|letter| is_opening(session, letter));
    if session.is_over(now) {
        if news.is_none() {
            return look_back(session);
        }
    } else if !opens
        && let Some(play) = session.sight.play.as_ref().filter(|play| play.shut.is_none())
    {
        follow(
            &mut text,
            &session.sight.opening(play, &session.letters, &session.reader, true, now)?,
        );
    }
    if let Some(shut) = session.shut()? {
        follow(&mut text, &shut);
    } else if session.sight.stage == Stage::Forming {
        follow(&mut text, &forming(session)?);
    } else if !session.draft.declared.is_empty() {
        follow(&mut text, &session.conversation(now).hand()?.written());
    } else if session.asked.is_none() {
        follow(&mut text, &ask(session, now)?.unwrap_or_default());
    }
    if let Some(waiting) = session.sight.waiting(&session.letters, &session.reader)? {
        follow(&mut text, &waiting);
    }
    Ok(text)
}

/// Returns the final scores, or the final position if there are no scores.
fn look_back(session: &TerminalSession) -> Result {
    let Some(play) = &session.sight.play else { return forming(session) };
    let report = play.contest.report(session.sight.viewer());
    Ok(match play.contest.standing() {
        Some(_) => session.write(&FinalScores { report: &report })?,
        None => session.write(&WholeBoard { report: &report, brief: false })?,
    })
}

/// Returns the letters that have arrived, the acts of others, and the questions of a newly opened window;
/// `None` if there are none.
pub(super) async fn news(session: &mut TerminalSession, now: Time) -> Result<Option<String>> {
    // No single letter opens every window for everybody.
    let is_told = !session.acts_shown.is_of(session.number()) && session.is_settled(now).await?;
    // The reason for the loss of a seat is shown before the notice.
    let is_unseated = session.unseated && session.is_settled(now).await?;
    let (address, code) = (&session.guest.address, &session.sight.code);
    let letters = session
        .mail
        .unread(address, code, session.since, &session.seen, session.reader.lang, now)
        .await?;
    let seated = session.sight.taken.clone();
    session.refresh(now).await?;
    let mut text = String::new();
    // A window may have opened since the letters were read: its questions come with its own letter.
    let number = session.number();
    let opens = letters.iter().any(|letter| is_opening(session, &letter.letter));
    if !letters.is_empty() || session.acts_shown.has_rested(now) {
        text = acting::acted(session, now).await?;
    }
    if (opens || is_told) && !session.acts_shown.is_of(number) {
        session.acts_shown = ActsShown::of_window(number);
    }
    let mut acted = false;
    for letter in letters {
        session.seen.insert(letter.letter.clone());
        // Consecutive acts are shown without blank lines.
        let goes_on = std::mem::replace(&mut acted, LetterKind::Act.is_of(&letter.letter));
        if goes_on && acted {
            text.truncate(text.trim_end().len());
            text.push('\n');
            text.push_str(&letter.text);
        } else {
            follow(&mut text, &letter.text);
        }
        session.shown.push(letter.letter);
    }
    if is_unseated {
        session.unseated = false;
    }
    // A table that is over has no more questions.
    if is_unseated && !session.is_over(now) {
        follow(&mut text, &session.write(&Unseated { code: &session.sight.code })?);
    }
    if session.sight.stage == Stage::Forming && session.sight.taken != seated {
        follow(&mut text, &forming(session)?);
    }
    if opens && let Some(questions) = ask(session, now)? {
        follow(&mut text, &questions);
    }
    Ok((!text.is_empty()).then_some(text))
}

/// Returns the first screen of a game, in place of the letters so far, which the log shows: the aim, the
/// open window and the hand. `None` if no window is open for the viewer.
fn first_screen(session: &mut TerminalSession, now: Time) -> Result<Option<String>> {
    let (sight, letters, reader) = (&session.sight, &session.letters, &session.reader);
    let (Some(play), Some(seat)) = (&sight.play, sight.seat) else { return Ok(None) };
    if play.shut.is_some() || !sight.is_asked() {
        return Ok(None);
    }
    session.asked = Some(play.number);
    let options = options_line::chosen(sight.game, &sight.options);
    let options = options_line::line(sight.game, &options, reader.lang);
    let mut text = letters.first_lines(reader, &sight.code, seat, &sight.house, &options)?;
    follow(&mut text, &sight.opening(play, letters, reader, false, now)?);
    let report = play.contest.report(sight.viewer());
    follow(&mut text, &letters.write(reader, &OwnHand { seat, report: &report })?);
    Ok(Some(text))
}

/// Returns the questions of the open window, once, below the echo of a seal by standing orders; `None` if
/// there are none.
fn ask(session: &mut TerminalSession, now: Time) -> Result<Option<String>> {
    let Some(play) = &session.sight.play else { return Ok(None) };
    if !session.sight.is_asked() || play.shut.is_some() || session.asked == Some(play.number) {
        return Ok(None);
    }
    session.asked = Some(play.number);
    if acting::only_acts(session) {
        // The questions include the position.
        session.acts_shown = ActsShown::all(&session.sight);
    }
    let ordered =
        session.sight.has_sealed().then(|| declaring::echo(session, &[], now)).transpose()?;
    asked_now(session, ordered).map(Some)
}

/// True if a letter with this id is about the opening of the open window.
fn is_opening(session: &TerminalSession, letter: &str) -> bool {
    session.number().is_some_and(|number| LetterKind::Opening(number).is_of(letter))
}

/// Answers one line of input. A failure of the database is shown, and the session goes on.
pub(super) async fn handle_line(
    session: &mut TerminalSession,
    line: &str,
    now: Time,
) -> Result<TerminalAnswer> {
    // No valid line is that long.
    if line.chars().nth(LONGEST).is_some() {
        return Ok(TerminalAnswer::Show(session.refuse(DeclarationRefused::TooLong, "")?));
    }
    let answer = match answer(session, line.trim(), now).await {
        Err(ConversationError::NotDone(NotDone::Spent(spent))) => {
            TerminalAnswer::Show(session.write(&TooMuch { spent })?)
        }
        Err(broken) => {
            let (refused, detail) = broken.refusal()?;
            let detail = if detail.is_empty() { closed(session, refused, now)? } else { detail };
            let mut text = session.refuse(refused, &detail)?;
            if let (Refused::NotYet | Refused::Declaration(DeclarationRefused::Late), Some(shut)) =
                (refused, session.shut()?)
            {
                follow(&mut text, &shut);
            }
            if session.sight.refuse_standstill() == Err(refused) {
                text.push('\n');
                text.push_str(&session.sight.stopped_by(&session.letters, &session.reader)?);
            }
            TerminalAnswer::Show(text)
        }
        Ok(answer) => answer,
    };
    Ok(answer)
}

/// True if a line says no behind a question: a word that would withdraw the draft does so, too.
fn declines(line: &str, typed: &TypedLine<'_>) -> bool {
    phrases::says_no(line) || matches!(typed, TypedLine::Command(Command::Withdraw, ""))
}

/// Takes back the last question, if a "no" does not answer the game. True if there was a question.
fn is_undone(session: &mut TerminalSession, typed: &TypedLine<'_>) -> bool {
    let answers_game = matches!(
        typed,
        TypedLine::Declares(reading) | TypedLine::Acts(reading) if reading.is_whole()
    );
    if answers_game {
        return false;
    }
    let was_warned = std::mem::take(&mut session.draft.warned);
    let was_asked = session.asked_about.take().is_some();
    let was_pending = session.pending.take_if(|pending| !pending.is_made).is_some();
    was_warned || was_asked || was_pending
}

/// Forgets the step that waits for a line other than this one: an end is confirmed only by the very next
/// line, and so is a seal that lacks something.
fn forget_other_questions(session: &mut TerminalSession, typed: &TypedLine<'_>) {
    let ends = [Command::Vote, Command::End, Command::Close, Command::Leave];
    if !matches!(typed, TypedLine::Command(command, _) if ends.contains(command)) {
        session.asked_about = None;
    }
    if !matches!(typed, TypedLine::Command(Command::Seal, _)) {
        session.draft.warned = false;
        session.sealed = None;
    }
}

async fn answer(session: &mut TerminalSession, line: &str, now: Time) -> Result<TerminalAnswer> {
    session.refresh(now).await?;
    let asked = session.asked_about.take_if(|asked| matches!(asked, NextStep::Act { .. }));
    if let Some(NextStep::Act { declared }) = &asked
        && phrases::says_yes(line)
        && session.sight.acting(declared).is_all_said()
    {
        return Ok(TerminalAnswer::Show(acting::do_act(session, declared, now).await?));
    }
    let typed = TypedLine::typed(line, &session.draft.declared, &session.sight);
    if declines(line, &typed) && (asked.is_some() || is_undone(session, &typed)) {
        return Ok(TerminalAnswer::Show(session.refuse(DeclarationRefused::LeftUndone, "")?));
    }
    forget_other_questions(session, &typed);
    let (command, rest) = match typed {
        TypedLine::Command(command, rest) => (command, rest),
        typed => return Ok(TerminalAnswer::Show(say(session, line, typed, now).await?)),
    };
    let text = match command {
        // Commands on Discord only.
        Command::New
        | Command::Move
        | Command::Take
        | Command::List
        | Command::Settings
        | Command::Privacy
        | Command::Export
        | Command::Erase
        | Command::Check
        | Command::Defaults
        | Command::GmWindow
        | Command::GmTurn
        | Command::GmTable
        | Command::GmSeat => declaring::declare(session, line, None, now).await?,
        Command::Declare if rest.is_empty() => declaring::declared(session, &[], now)?,
        Command::Declare => declaring::declare(session, rest, None, now).await?,
        Command::Act => acting::act(session, rest, None, now).await?,
        Command::Same => declaring::same(session, now).await?,
        Command::Seal => seal(session, now).await?,
        Command::Withdraw => declaring::withdraw(session, rest, now).await?,
        Command::Orders => session.conversation(now).orders(rest).await?.written(),
        Command::Next => session.conversation(now).next(rest).await?.written(),
        Command::Questions => questions(session, now)?,
        Command::Hand => session.conversation(now).hand()?.written(),
        Command::Show => session.conversation(now).position().await?.written(),
        Command::Log => session.conversation(now).log().await?.written(),
        Command::Why if !rest.is_empty() => {
            if let Ok(window) = text::fold(rest).parse() {
                session.conversation(now).why_in(Round::new(window)).await?.written()
            } else {
                let word = line.split_whitespace().next().unwrap_or_default();
                session.refuse(DeclarationRefused::Alone, word)?
            }
        }
        Command::Side => session.conversation(now).side(rest).await?.written(),
        Command::Why => session.conversation(now).why().await?.written(),
        Command::Receipt => session.conversation(now).receipts().await?.written(),
        Command::Verify => session.conversation(now).verify(&[]).await?.written(),
        Command::Join => own::join(session, rest, now).await?,
        Command::Card => session.conversation(now).card(rest)?.written(),
        Command::Deck => {
            let (_, cards) = rest.split_once(char::is_whitespace).unwrap_or_default();
            session.conversation(now).deck(cards)?.written()
        }
        Command::Rules => session.speaker(now).rules(rest)?.written(),
        Command::Help => help::help(session, rest)?,
        Command::Start => {
            let (code, account) = (&session.sight.code, &session.guest.account);
            desk::start(&session.desk, code, account, &session.house, now).await?;
            String::new()
        }
        Command::Leave => {
            let Some(asked) = ending::leave(session, now).await? else {
                session.stood_up = true;
                return Ok(TerminalAnswer::Leave);
            };
            asked
        }
        Command::Resume => {
            let (code, shown) = (&session.sight.code, Some(session.sight.revision.as_str()));
            desk::resume(&session.desk, code, &session.guest.account, shown, now).await?;
            String::new()
        }
        Command::Close => ending::close(session, now).await?,
        Command::End => ending::end_table(session, now).await?,
        Command::Away => away::away(session, rest, now).await?,
        Command::Back => session.speaker(now).back(None).await?.written(),
        Command::My => own::my(session, now).await?,
        Command::Me => own::me(session, rest, now).await?,
        Command::Dashboard => own::dashboard(session, now).await?,
        Command::Substitute => away::substitute(session, rest, now).await?,
        Command::Absence => away::absence(session, rest, now).await?,
        Command::Vote => ending::vote(session, rest, now).await?,
        Command::Gm => gm::decide(session, rest, now).await?,
        Command::Quit => return Ok(TerminalAnswer::Leave),
    };
    Ok(TerminalAnswer::Show(text))
}

/// Seals the draft, or shows the questions that have not been read.
async fn seal(session: &mut TerminalSession, now: Time) -> Result {
    // Immediate acts are not sealed.
    if session.sight.seat.is_some() && acting::only_acts(session) {
        return acting::act(session, "", None, now).await;
    }
    if is_unread(session) {
        session.draft.warned = true;
        let mut text = questions(session, now)?;
        follow(&mut text, &session.refuse(DeclarationRefused::Empty, "")?);
        return Ok(text);
    }
    declaring::seal(session, now).await
}

/// True if a seal right behind that of another window would submit nothing: a seal typed twice is not meant for
/// questions that have just come up.
fn is_unread(session: &TerminalSession) -> bool {
    let is_behind_another = session.sealed.is_some_and(|sealed| session.number() != Some(sealed));
    let is_empty = session.draft.declared.is_empty() && !session.sight.has_sealed();
    let is_new = is_behind_another && is_empty && !session.draft.warned;
    is_new && session.sight.form(&session.draft.declared).open().next().is_some()
}

/// Returns the open questions, below the declaration so far.
fn questions(session: &TerminalSession, now: Time) -> Result {
    let declared = (!session.draft.declared.is_empty())
        .then(|| declaring::echo(session, &[], now))
        .transpose()?;
    asked_now(session, declared)
}

/// Returns the questions, below the hand and the declaration.
fn asked_now(session: &TerminalSession, declared: Option<String>) -> Result {
    let (play, seat) = session.sight.seated_in_game()?;
    if let Some(shut) = session.shut()? {
        return Ok(shut);
    }
    let report = play.contest.report(session.sight.viewer());
    let hand = session.write(&OwnHand { seat, report: &report })?;
    let mut text = String::new();
    // The hand is shown directly above the questions.
    if acting::only_acts(session) {
        // Others may have acted since the letter was written.
        follow(&mut text, &session.write(&WholeBoard { report: &report, brief: false })?);
        follow(&mut text, &hand);
    } else {
        let form = session.sight.form_with_orders(&session.draft.declared);
        follow(&mut text, &hand);
        follow(&mut text, &declared.unwrap_or_default());
        // A declaration with faults may leave no question open.
        if form.faults.is_empty() || form.open().next().is_some() {
            follow(&mut text, &session.letters.questions(&session.reader, &form)?);
        }
    }
    if acting::can_act(session) {
        follow(&mut text, &acting::acts(session, &[])?);
    }
    Ok(text)
}

/// Answers a line that is not a command, as a declaration or an immediate act; if it cannot be parsed, a
/// command is suggested.
async fn say(session: &mut TerminalSession, line: &str, typed: TypedLine<'_>, now: Time) -> Result {
    let meant = meant(session, line);
    match typed {
        TypedLine::Alone(word) => session.refuse(DeclarationRefused::Alone, word),
        TypedLine::Card(card) => {
            let name = session.words.lexicon().name(&card.id, session.reader.lang);
            Ok(session.conversation(now).card(name)?.written())
        }
        TypedLine::Seals(declared) => {
            let counts = declaring::read(session, declared).is_whole();
            let mut text = declaring::declare(session, declared, None, now).await?;
            // A note is read before a seal.
            if counts && session.sight.form(&session.draft.declared).notes.is_empty() {
                follow(&mut text, &declaring::seal(session, now).await?);
            }
            Ok(text)
        }
        TypedLine::Acts(_) => acting::act(session, line, meant.as_deref(), now).await,
        TypedLine::Declares(reading) if reading.is_whole() && reading.lines.is_empty() => {
            // A heading or a verb alone says nothing yet.
            let text = declaring::declare(session, line, meant.as_deref(), now).await?;
            if session.sight.is_asked() { questions(session, now) } else { Ok(text) }
        }
        TypedLine::Declares(_) | TypedLine::Command(..) => {
            declaring::declare(session, line, meant.as_deref(), now).await
        }
    }
}

/// Returns the likely meaning of an unread line: for the host of other people, a decision without its command; or the
/// command that is at least as similar to the first word as any word of the game.
fn meant(session: &TerminalSession, line: &str) -> Option<String> {
    let verb = Verb::read(line).map(|(verb, _)| verb.word(session.reader.lang));
    let is_command = |verb: &&str| Command::find(CommandPlace::Terminal, verb).is_some();
    // Alone among bots nobody means a decision of a game master.
    let leads = session.sight.is_host && session.sight.house.len() + 1 < session.sight.chairs;
    if let Some(verb) = verb.filter(|verb| leads && !is_command(verb)) {
        return Some(format!("{} {verb}", Command::Gm.manifest().called(session.reader.lang)));
    }
    let word = text::fold(line.split_whitespace().next()?);
    let meant = Command::nearest(CommandPlace::Terminal, &word)?;
    let likeness = strsim::normalized_damerau_levenshtein(&word, meant);
    (likeness >= session.words.likeness(&word)).then(|| meant.to_owned())
}

fn forming(session: &TerminalSession) -> Result {
    Ok(session.sight.forming(&session.letters, &session.reader)?)
}

/// Returns the closing time of the window if the declaration was refused as late; otherwise an empty
/// text.
fn closed(session: &TerminalSession, refused: Refused, now: Time) -> Result<String, LetterFault> {
    let closes = session.sight.play.as_ref().map(|play| play.timing.closes);
    match closes.filter(|closes| refused == DeclarationRefused::Closed && *closes <= now) {
        Some(at) => session.letters.when(&session.reader, &Moment::at(at, session.sight.zone)),
        None => Ok(String::new()),
    }
}
