-- What is remembered. One text for SQLite and PostgreSQL: times are milliseconds since 1970 (UTC),
-- flags are 0 or 1, hashes and secrets are hex digits, documents are JSON.

-- Who somebody is outside of this house. Everything else names them by a drawn id, so that an
-- account can be forgotten without touching a table.
create table people (
    person text not null primary key,
    account text not null unique, -- such as terminal:桜
    language text not null
);

create table tables (
    code text not null primary key, -- what people type
    game text not null,
    edition text not null, -- the edition of the rules that this table is played by
    data text not null, -- the hash of that edition's data files
    options text not null,
    language text not null, -- of what is public
    pace text not null,
    chairs bigint not null,
    host text not null references people (person),
    stage text not null, -- forming, playing, over
    held text, -- why it waits for its host; null if it does not
    seed text not null, -- drawn when the table is formed, secret until its end
    commitment text not null, -- the hash of the seed, known before anybody joins
    open_window bigint not null, -- the number of the open window; -1 before the first
    look_at bigint, -- when the clock has to look at it next; null if never
    touched bigint not null, -- whoever writes about a table writes here first
    entries bigint not null, -- how many entries its journal has
    chain text not null, -- the hash of the last of them
    dice text not null, -- what the table is called where its dice are keyed
    formed_at bigint not null,
    place text, -- such as discord:channel:1; null where all are written to alone
    post text, -- the message that shows how the window stands
    post_window bigint, -- of which window it is; -1 before the first
    stirred bigint not null default 0, -- grows whenever that is to look different
    shown bigint not null default 0, -- what it was when the post was last brought up to date
    count_only bigint not null default 0, -- 1 if people are told how many have sealed, and not who
    windows bigint not null default 0, -- how many there are
    held_at bigint, -- since when it waits
    oversight text not null default 'blind', -- blind: no GM sees what is sealed; open
    absence text not null default '{}', -- what its host sets about them, as JSON
    paused bigint not null default 0, -- for how long people have let it stand still, in milliseconds
    files bigint not null default 1, -- 1 if its file and its page are posted when it is over
    drawn_at bigint not null default 0, -- when somebody last set out to draw its post, or was done
    begins_when_full bigint not null default 0 -- 1 if the game begins when the last chair is taken
);

create index tables_due on tables (game, edition, data, look_at);
create index tables_host on tables (host, formed_at);
create index tables_place on tables (place) where place is not null;
create index tables_stale on tables (code) where shown < stirred;
-- Whatever is typed in a place is meant for the one table that is played there.
create unique index tables_played on tables (place) where place is not null and stage <> 'over';

create table seats (
    code text not null references tables (code),
    seat bigint not null, -- from 0
    person text references people (person), -- null for a house player
    house text, -- the policy of a house player
    name text not null, -- at this table
    value text not null, -- mixed into the seed when joining
    address text, -- where private letters go; null for a house player
    primary key (code, seat)
);

create index seats_person on seats (person);

create table windows (
    code text not null references tables (code),
    number bigint not null, -- from 0, windows within a root window counted too
    root bigint not null, -- the number of the first window of the same root window
    said text not null, -- what was said in the root window before this window opened
    asked text not null, -- the seats
    opens_at bigint not null,
    closes_at bigint not null,
    settles_at bigint, -- when it closes early, if everybody has sealed
    reminded_at bigint not null, -- up to when reminders have been given
    closed_at bigint,
    why text, -- why it closed
    awaited text, -- for whom it had waited
    follows bigint, -- the window whose end opened it; null for the first
    again bigint, -- the window whose sealings count in it, if it is resolved anew
    extended bigint not null default 0, -- by how much people have put it off, in milliseconds
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
    complete bigint not null, -- whether nothing is left open in it
    salt text, -- of the sealing
    hash text,
    late bigint not null default 0, -- 1 if it came after the close and does not count
    primary key (code, number, seat),
    foreign key (code, number) references windows (code, number)
);

-- What happened at a table, each entry chained to the one before it.
create table journal (
    code text not null references tables (code),
    entry bigint not null, -- from 0
    at bigint not null,
    body text not null,
    hash text not null,
    primary key (code, entry)
);

-- Letters to be sent, written in the transaction that decided what they tell.
create table outbox (
    letter text not null primary key,
    address text not null, -- such as terminal:桜
    send_at bigint not null, -- never before; the time of the announcement
    body text not null,
    attempts bigint not null,
    attempted_at bigint,
    sent_at bigint,
    wait_until bigint, -- not to be tried before; those behind it wait as well
    arrived text, -- the message that the letter has become where it is read
    follows text, -- the table that it is kept true of
    shown bigint not null default 0, -- how often that had been touched then
    knocked text, -- where they were called; null if they were not
    read_at bigint -- when they read it there
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

-- A letter that somebody has read in one terminal is still shown in another where they sit.
create index mail_address on mail (address, code);

-- Who keeps the deadlines, and when they last said so.
create table processes (
    process text not null primary key,
    started_at bigint not null,
    beat_at bigint not null,
    beat_before bigint -- the beat before the last
);

-- When nobody kept the deadlines.
create table outages (
    began_at bigint not null primary key,
    ended_at bigint not null
);

-- What keeps letters of a table from arriving until a person mends it. Its host is told of each once.
create table obstacles (
    code text not null references tables (code),
    cause text not null, -- a word for it, and where it stands: such as gone discord:channel:1
    met_at bigint not null,
    told_at bigint, -- null until the host has been told
    primary key (code, cause)
);

create index obstacles_untold on obstacles (code) where told_at is null;

-- Where the places of tables are.
create table places (
    place text not null primary key, -- such as discord:channel:1
    above text, -- the place that it is a thread of
    server text -- such as discord:server:1
);

create index places_above on places (above);
create index places_server on places (server);

-- What people did on Discord and some process has taken on. Every process hears of it, and where
-- the answer to an acknowledgement is lost, more than one may think that it was first.
create table heard (
    interaction text not null primary key,
    heard_at bigint not null
);

create index heard_before on heard (heard_at);

-- Who may decide at a table beside its host.
create table game_masters (
    code text not null references tables (code),
    who text not null, -- an account, or a role such as discord:role:1
    primary key (code, who)
);

create table overrides (
    code text not null references tables (code),
    number bigint not null, -- from 0
    at bigint not null,
    person text not null references people (person), -- who decided
    what text not null, -- as JSON
    reason text not null,
    notice text not null, -- public, or private
    foundation text not null, -- the hash of the journal on which it was decided
    entries bigint not null, -- how many entries the journal had with it
    image text, -- what it changed, as it was before and after; null if it cannot be undone
    undone bigint, -- the number of the override that undid it
    vote bigint, -- the vote by which the table decided; null if a game master did
    shown text, -- null if nothing was shown, or somebody in it is forgotten
    primary key (code, number)
);

-- Who has sat on a seat that somebody else took.
create table former_seats (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person),
    name text not null,
    address text,
    since bigint not null, -- the first window in which they declared
    until bigint not null -- the first in which they did not any more
);

create index former_seats_person on former_seats (person);
-- Who has sat at a table is asked whenever something is told there.
create index former_seats_code on former_seats (code);

-- How each person has kept the windows of their seat. Whoever else sits there begins anew.
create table attendance (
    code text not null references tables (code),
    seat bigint not null,
    person text not null references people (person),
    misses bigint not null, -- windows missed in a row
    put_off bigint not null, -- how many windows were put off because it was missing
    inactive_at bigint, -- since when no window waits for it; null if they do
    primary key (code, seat)
);

-- What was done about those who were missing when the deadline of a window came.
create table lateness (
    code text not null,
    number bigint not null, -- of the window
    absence text not null, -- what was set when it opened
    put_off bigint not null, -- by how many windows' lengths it was put off
    missed text not null, -- for which seats that were missing it was put off
    late text, -- which seats may still seal in the time of grace; null before it
    called_at bigint, -- when the last one who was waited for was told so
    primary key (code, number),
    foreign key (code, number) references windows (code, number)
);

-- When somebody is away from all of their tables.
create table away (
    person text not null primary key references people (person),
    from_at bigint not null,
    until_at bigint not null
);

-- Who declares for a seat in its player's stead, as long as that player sits there.
create table substitutes (
    code text not null references tables (code),
    seat bigint not null,
    player text not null references people (person),
    person text not null references people (person),
    address text not null, -- where their letters go
    until_at bigint not null,
    primary key (code, seat)
);

create index substitutes_person on substitutes (person);

-- What somebody has been shown that they could decide, until they decide it or let it be.
create table proposals (
    proposal text not null primary key, -- an id that is nobody else's
    code text not null references tables (code),
    account text not null, -- who was shown it
    what text not null, -- as JSON
    guest text, -- who would take a seat, as JSON
    foundation text not null, -- the hash of the journal on which it was rehearsed
    shown_at bigint not null,
    shown text
);

create index proposals_before on proposals (shown_at);

-- What a table decides by itself. Each open vote has been told to everybody who sits there.
create table votes (
    code text not null references tables (code),
    number bigint not null, -- from 0
    opened_at bigint not null,
    closes_at bigint not null,
    opened_in bigint not null, -- the window that was open: with it, the vote is over
    kind text not null, -- extend, pause, replace, draw: of each, one is open at a time
    what text not null, -- what the table would decide, as JSON
    person text not null references people (person), -- who proposed it
    about text references people (person), -- whose seat somebody else is to take
    reason text not null, -- why, in their words, if they gave any
    second bigint not null, -- 1 if one voice beside theirs is enough
    ended text, -- passed, rejected, expired or overtaken; null while it is open
    stirred bigint not null, -- grows whenever its post is to look different
    shown bigint not null, -- what it was when the post was last brought up to date
    primary key (code, number)
);

create unique index votes_open on votes (code, kind) where ended is null;
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
    number bigint not null, -- one that the table has not had before
    seat bigint, -- null before the game begins: any chair
    person text references people (person), -- the only one who may take it; null: whoever wants
    address text, -- where that one's letters go
    primary key (code, number)
);

create index calls_person on calls (person) where person is not null;

-- Who was sent away from a table, and does not sit down there again.
create table sent_away (
    code text not null references tables (code),
    person text not null references people (person),
    primary key (code, person)
);

create index sent_away_person on sent_away (person);

-- How people have kept their windows, at all of their tables.
create table reputation (
    code text not null references tables (code),
    number bigint not null, -- of the window
    seat bigint not null, -- for which they played
    person text not null references people (person), -- who declared, or should have
    kept text not null, -- early, in-time, late, missed or replaced
    at bigint, -- when it is announced how the window ended; null as long as it is open
    counts bigint not null default 1, -- 0 if the table has gone back from that window
    primary key (code, number, seat, person)
);

create index reputation_person on reputation (person, at);

-- Messages that show somebody how all of their tables stand.
create table dashboards (
    place text not null, -- where it is, such as discord:channel:1
    person text not null references people (person), -- whose
    server text, -- whose tables it shows; null for all
    language text not null,
    message text not null,
    shown text not null, -- what had happened when it was last drawn
    shown_at bigint not null,
    primary key (place, person)
);

-- Posts of windows that are over, until they have been drawn so.
create table past_posts (
    code text not null references tables (code),
    message text not null,
    number bigint not null, -- the window; -1 before the first
    drawn_at bigint not null, -- as of its table's post
    primary key (code, message)
);

-- What the tables of a server have if their hosts say nothing else.
create table server_defaults (
    server text primary key,
    body text not null -- JSON
);
