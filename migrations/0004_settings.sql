-- Whether people are told only how many have sealed, and not who.
alter table tables add column count_only bigint not null default 0; -- a flag

-- What keeps letters of a table from arriving until a person mends it. Its host is told of each once.
create table obstacles (
    code text not null references tables (code),
    cause text not null, -- a word for it, and where it stands: such as gone discord:channel:1
    met_at bigint not null,
    told_at bigint, -- null until the host has been told
    primary key (code, cause)
);

create index obstacles_untold on obstacles (code) where told_at is null;
