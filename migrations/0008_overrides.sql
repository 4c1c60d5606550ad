-- What a game master decides. Nothing that was is ever changed: a window that is asked or resolved
-- again is a window of its own.
alter table windows add column follows bigint; -- the window whose end opened it; null for the first
alter table windows add column again bigint; -- the window whose sealings count in it, if it is resolved anew
alter table tables add column windows bigint not null default 0; -- how many there are
alter table tables add column held_at bigint; -- since when it waits
alter table declarations add column late bigint not null default 0; -- 1 if it came after the close and does not count
update tables set windows = (select count(*) from windows where windows.code = tables.code);
update windows set follows = number - 1 where number > 0;
alter table tables add column oversight text not null default 'blind'; -- blind: no GM sees what is sealed; open

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
