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
    formed_at bigint not null
);

create index tables_due on tables (game, edition, data, look_at);
create index tables_host on tables (host, formed_at);

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
    sent_at bigint
);

create index outbox_due on outbox (send_at) where sent_at is null;

-- Letters that have arrived at a terminal's address.
create table mail (
    letter text not null primary key,
    address text not null,
    sequence bigint not null, -- in the order of arrival
    code text not null,
    text text not null,
    read_at bigint
);

create index mail_unread on mail (address, code) where read_at is null;

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
