-- Tables that are played in public: where their letters go, and the post there that shows how the
-- open window stands.
alter table tables add column place text; -- such as discord:channel:1; null where all are written to alone
alter table tables add column post text; -- the message that shows how the window stands
alter table tables add column post_window bigint; -- of which window it is; -1 before the first
alter table tables add column stirred bigint not null default 0; -- grows whenever that is to look different
alter table tables add column shown bigint not null default 0; -- what it was when the post was last brought up to date

create index tables_place on tables (place) where place is not null;
create index tables_stale on tables (code) where shown < stirred;

alter table outbox add column wait_until bigint; -- not to be tried before; those behind it wait as well
alter table outbox add column arrived text; -- the message that the letter has become where it is read

create index outbox_address on outbox (address) where sent_at is null;
