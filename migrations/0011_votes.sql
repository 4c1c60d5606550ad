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

alter table overrides add column vote bigint; -- the vote by which the table decided; null if a game master did
alter table windows add column extended bigint not null default 0; -- by how much people have put it off, in milliseconds
alter table tables add column paused bigint not null default 0; -- for how long people have let it stand still, in milliseconds
