-- The schema, one text for SQLite and PostgreSQL: times are milliseconds since 1970 (UTC), flags are
-- 0 or 1, hashes and secrets are hex digits, documents are JSON.

-- Accounts outside of the program. All else names a person by a drawn id, so that an account can be
-- forgotten without a change of a table.
create table people (
    person text not null primary key,
    account text not null unique, -- such as terminal:桜
    language text not null,
    settings text not null default '{}' -- zone and reminders for all of their tables, as JSON
);

-- The sets of cards that tables are bound to since their deal, by the hash of their text.
create table sets (
    hash text not null primary key,
    game text not null,
    text text not null
);

create table tables (
    code text not null primary key, -- the code that people type
    game text not null,
    edition text not null, -- the edition of the rules that this table is played by
    data text not null, -- the hash of that edition's data files
    options text not null,
    language text not null, -- of what is public
    pace text not null,
    chairs bigint not null,
    host text not null references people (person),
    stage text not null, -- forming, playing, over
    held text, -- the reason of waiting for the host; null if it does not wait
    seed text not null, -- drawn when the table is formed, secret until its end
    commitment text not null, -- the hash of the seed, known before anybody joins
    open_window bigint not null, -- the number of the open window; -1 before the first
    look_at bigint, -- the next time for the clock to look at it; null if never
    touched bigint not null, -- the first write of every transaction about the table
    entries bigint not null, -- the number of entries of its journal
    chain text not null, -- the hash of the last of them
    dice text not null, -- the name of the table in the keys of its dice
    formed_at bigint not null,
    place text, -- such as discord:channel:1; null if there are private letters only
    post text, -- the message with the state of the window
    post_window bigint, -- the window that the post shows; -1 before the first
    stirred bigint not null default 0, -- grows with each change of the post's content
    shown bigint not null default 0, -- `stirred` at the last update of the post
    windows bigint not null default 0, -- the number of windows
    held_at bigint, -- the begin of the waiting
    absence text not null default '{}', -- the host's settings about absences, as JSON
    paused bigint not null default 0, -- the total time of its pauses, in milliseconds
    drawn_at bigint not null default 0, -- the last begin or end of a drawing of its post
    settings text not null, -- the settings that are on, as JSON, such as ["files"]
    next_pace text, -- set while the game is played: the table's from the next window on
    told_at bigint not null default 0, -- the time of the journal's newest entry; none is earlier
    card_set text references sets (hash)
);

-- Tables that are due together are read in the order of their codes, in which their rows lie together.
create index tables_due on tables (game, edition, data, look_at, code);
create index tables_host on tables (host, formed_at);
create index tables_place on tables (place) where place is not null;
create index tables_stale on tables (code) where shown < stirred;
-- A line typed in a place is for the one table that is played there.
create unique index tables_played on tables (place) where place is not null and stage <> 'over';

create table seats (
    code text not null references tables (code),
    seat bigint not null, -- from 0
    person text references people (person), -- null for a house player
    house text, -- the policy of a house player
    name text not null, -- at this table, as the journal knows it
    shown_as text, -- the present name, null for `name`
    value text not null, -- mixed into the seed when joining
    address text, -- of private letters; null for a house player
    salt text, -- of the journal's hash of the person and their name
    primary key (code, seat)
);

create index seats_person on seats (person);

create table windows (
    code text not null references tables (code),
    number bigint not null, -- from 0, windows within a root window counted too
    root bigint not null, -- the number of the first window of the same root window
    said text not null, -- the declarations of the root window before this window opened
    asked text not null, -- the seats
    opens_at bigint not null,
    closes_at bigint not null,
    settles_at bigint, -- the early close, if everybody has sealed
    reminded_at bigint not null, -- reminders have been given up to here
    closed_at bigint,
    why text, -- the reason of the close
    awaited text, -- the seats that it waited for
    follows bigint, -- the window whose end opened it; null for the first
    again bigint, -- the window whose sealings count in it, if it is resolved anew
    extended bigint not null default 0, -- the total extension by people, in milliseconds
    kind text not null default 'turn', -- setup, turn, reaction, choice
    primary key (code, number)
);

-- The state at the opening of each root window.
create table snapshots (
    code text not null,
    number bigint not null, -- of the root window's first window
    state text not null,
    hash text not null,
    primary key (code, number),
    foreign key (code, number) references windows (code, number)
);

create table declarations (
    code text not null,
    number bigint not null, -- of the window
    seat bigint not null,
    answers text not null,
    sealed bigint not null, -- 0 for a draft
    complete bigint not null, -- 1 if no question is open
    salt text, -- of the sealing
    hash text,
    late bigint not null default 0, -- 1 if it came after the close and does not count
    primary key (code, number, seat),
    foreign key (code, number) references windows (code, number)
);

-- The journal of a table, each entry chained to the one before.
create table journal (
    code text not null references tables (code),
    entry bigint not null, -- from 0
    at bigint not null,
    body text not null,
    hash text not null,
    primary key (code, entry)
);

-- Letters to be sent, written in the transaction that decided their content.
create table outbox (
    letter text not null primary key,
    address text not null, -- such as terminal:桜
    send_at bigint not null, -- the time of the announcement; never sent before
    body text not null,
    attempts bigint not null,
    attempted_at bigint,
    sent_at bigint,
    wait_until bigint, -- not to be tried before; later letters wait as well
    arrived text, -- the message at the address that the letter became
    follows text, -- the table whose state the message follows
    shown bigint not null default 0, -- `touched` of that table at the last update
    knocked text, -- the place of the call to the reader; null without one
    read_at bigint -- the time of the reading
);

create index outbox_due on outbox (send_at) where sent_at is null;
create index outbox_address on outbox (address) where sent_at is null;
create index outbox_follows on outbox (follows) where follows is not null;
create index outbox_knocked on outbox (address) where knocked is not null;

-- Letters that have arrived at a terminal's address.
create table mail (
    letter text not null primary key,
    address text not null,
    sequence bigint not null, -- in the order of arrival
    code text not null,
    body text not null,
    read_at bigint
);

-- A letter read in one terminal is still shown in another of the same person.
create index mail_address on mail (address, code);

-- The processes that keep the deadlines, with their heartbeats.
create table processes (
    process text not null primary key,
    started_at bigint not null,
    beat_at bigint not null,
    beat_before bigint, -- the beat before the last
    ended_at bigint -- null while the process runs, and after a crash
);

-- Times without a process that kept the deadlines.
create table outages (
    began_at bigint not null primary key,
    ended_at bigint not null
);

-- Obstacles that keep letters of a table from arriving until a person mends them. The host is told of
-- each once.
create table obstacles (
    code text not null references tables (code),
    cause text not null, -- a word and the place, such as gone discord:channel:1
    met_at bigint not null,
    told_at bigint, -- null until the host has been told
    primary key (code, cause)
);

create index obstacles_untold on obstacles (code) where told_at is null;

-- The threads and servers of places.
create table places (
    place text not null primary key, -- such as discord:channel:1
    above text, -- the place that it is a thread of
    server text -- such as discord:server:1
);

create index places_above on places (above);
create index places_server on places (server);

-- The interactions of Discord that a process has taken on. Every process receives them; if the answer to an
-- acknowledgement is lost, more than one process may believe to be first.
create table heard (
    interaction text not null primary key,
    heard_at bigint not null
);

create index heard_before on heard (heard_at);

-- Game masters of a table besides its host.
create table game_masters (
    code text not null references tables (code),
    who text not null, -- an account, or a role such as discord:role:1
    primary key (code, who)
);

create table overrides (
    code text not null references tables (code),
    number bigint not null, -- from 0
    at bigint not null,
    person text not null references people (person), -- the game master
    what text not null, -- as JSON
    reason text not null,
    notice text not null, -- public, or private
    foundation text not null, -- the hash of the journal at the decision
    entries bigint not null, -- the number of entries of the journal with it
    image text, -- the changed rows before and after; null if it cannot be undone
    undone bigint, -- the number of the override that undid it
    vote bigint, -- the vote by which the table decided; null if a game master did
    shown text, -- null if nothing was shown, or somebody in it is forgotten
    salt text, -- of the journal's hash of what was written
    primary key (code, number)
);

-- Former players of seats that were taken over.
create table former_seats (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person),
    name text not null,
    shown_as text,
    address text,
    since bigint not null, -- the first window in which they declared
    until bigint not null, -- the first in which they did not any more
    salt text -- of the journal's hash of the person and their name
);

create index former_seats_person on former_seats (person);
-- Every letter of a table asks for its former players.
create index former_seats_code on former_seats (code);

-- The attendance of each person at their seat. A new player of the seat begins anew.
create table attendance (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person),
    misses bigint not null, -- windows missed in a row
    put_off bigint not null, -- the number of windows that were put off for the seat
    inactive_at bigint, -- the time from which no window waits for the seat; null if windows do
    primary key (code, seat)
);

-- Measures about missing seats at the deadline of a window.
create table lateness (
    code text not null,
    number bigint not null, -- of the window
    absence text not null, -- the settings at the opening
    put_off bigint not null, -- the number of window lengths that it was put off
    missed text not null, -- the missing seats that it was put off for
    late text, -- the seats that may still seal in the time of grace; null before it
    called_at bigint, -- the time of the call to the last awaited seat
    primary key (code, number),
    foreign key (code, number) references windows (code, number)
);

-- Absences of a person from all of their tables.
create table away (
    person text not null primary key references people (person),
    from_at bigint not null,
    until_at bigint not null
);

-- Substitutes who declare for a seat, as long as its player sits there.
create table substitutes (
    code text not null references tables (code),
    seat bigint not null,
    player text not null references people (person),
    person text not null references people (person),
    address text not null, -- the address of their letters
    until_at bigint not null,
    primary key (code, seat)
);

create index substitutes_person on substitutes (person);

-- Dry runs of overrides that were shown, until they are decided or dropped.
create table proposals (
    proposal text not null primary key, -- an id that is nobody else's
    code text not null references tables (code),
    account text not null, -- the viewer
    what text not null, -- as JSON
    guest text, -- the new player of a seat, as JSON
    foundation text not null, -- the hash of the journal at the dry run
    shown_at bigint not null,
    shown text
);

create index proposals_before on proposals (shown_at);

-- Votes of a table. Each open vote has been told to everybody who sits there.
create table votes (
    code text not null references tables (code),
    number bigint not null, -- from 0
    opened_at bigint not null,
    closes_at bigint not null,
    opened_in bigint not null, -- the window that was open: with it, the vote is over
    what text not null, -- the decision if it passes, as JSON: of each kind, one is open at a time
    person text not null references people (person), -- the proposer
    about text references people (person), -- the player of the seat to be taken over
    reason text not null, -- in the proposer's words; may be empty
    second bigint not null, -- 1 if one voice beside theirs is enough
    ended text, -- passed, rejected, expired or overtaken; null while it is open
    stirred bigint not null, -- grows with each change of its post's content
    shown bigint not null, -- `stirred` at the last update of the post
    primary key (code, number)
);

create index votes_open on votes (code) where ended is null;
create index votes_due on votes (closes_at) where ended is null;
create index votes_stale on votes (code, number) where shown < stirred;

create table voices (
    code text not null,
    number bigint not null, -- of the vote
    person text not null references people (person),
    yes bigint not null, -- a flag
    primary key (code, number, person),
    foreign key (code, number) references votes (code, number)
);

create index voices_person on voices (person);

-- Seats that somebody can take: a public call for a player, or somebody who is asked.
create table calls (
    code text not null references tables (code),
    number bigint not null, -- never used twice at a table
    seat bigint, -- null before the game begins: any chair
    person text references people (person), -- the only person who may take it; null for anybody
    address text, -- the address of that person's letters
    primary key (code, number)
);

create index calls_person on calls (person) where person is not null;

-- People who were sent away from a table and may not join again.
create table sent_away (
    code text not null references tables (code),
    person text not null references people (person),
    primary key (code, person)
);

create index sent_away_person on sent_away (person);

-- The attendance of people at all of their tables, by window.
create table reputation (
    code text not null references tables (code),
    number bigint not null, -- of the window
    seat bigint not null, -- the seat that they played for
    person text not null references people (person), -- the person who declared or should have
    kept text not null, -- early, in-time, late, missed or replaced
    at bigint, -- the time of the window's announcement; null while it is open
    counts bigint not null default 1, -- 0 if the table has gone back from that window
    primary key (code, number, seat, person)
);

create index reputation_person on reputation (person);

-- Messages with the state of all tables of a person.
create table dashboards (
    place text not null, -- such as discord:channel:1
    person text not null references people (person), -- the reader
    server text, -- the server whose tables it shows; null for all
    language text not null,
    message text not null,
    shown text not null, -- the state at the last drawing
    shown_at bigint not null,
    primary key (place, person)
);

-- Posts of closed windows that still show them as open.
create table past_posts (
    code text not null references tables (code),
    message text not null,
    number bigint not null, -- the window; -1 before the first
    drawn_at bigint not null, -- as of its table's post
    primary key (code, message)
);

-- The default settings of a server's tables.
create table server_defaults (
    server text primary key,
    body text not null -- JSON
);

-- Standing orders: answers for a seat until they are withdrawn.
create table orders (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person), -- the author
    since bigint not null, -- the first window in which they count
    answers text not null, -- as JSON
    primary key (code, seat, person, since)
);

create index orders_person on orders (person);

-- Declarations for the next window of a kind, made before it opens.
create table next_declarations (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person), -- the author
    kind text not null, -- of the window: turn, reaction, choice
    answers text not null, -- as JSON
    drafted_in bigint, -- the window whose draft it became
    primary key (code, seat, person, kind)
);

create index next_declarations_person on next_declarations (person);

-- Requests that are refused until a person mends something; the retries become rarer.
create table barred (
    what text not null primary key, -- such as discord:channel:1, a message there, its files
    place text not null, -- such as discord:channel:1
    changes bigint not null, -- 1 if messages there cannot be changed; 0 if only new ones are refused
    refusals bigint not null, -- in a row
    refused_at bigint not null,
    wait_until bigint not null -- not to be tried before
);

create index barred_place on barred (place);

-- Lines of a person to their own side, until the game is over.
create table side_lines (
    code text not null references tables (code),
    number bigint not null, -- from 0, in the order in which they were written
    side bigint not null, -- the side that reads it, from 0
    seat bigint not null, -- the author's seat
    person text not null references people (person), -- the author, who may have left the seat since
    at bigint not null,
    words text not null,
    primary key (code, number)
);

create index side_lines_person on side_lines (person);
