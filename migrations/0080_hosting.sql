-- Whether the game begins as soon as somebody takes the last chair.
alter table tables add column begins_when_full bigint not null default 0; -- a flag

-- What the tables of a server have if their hosts say nothing else.
create table server_defaults (
    server text primary key,
    body text not null -- JSON
);
