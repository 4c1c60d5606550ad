-- A reminder that has been sent is kept true: it tells what is missing by now, or that nothing is.
alter table outbox add column follows text; -- the table that it is kept true of
alter table outbox add column shown bigint not null default 0; -- how often that had been touched then

create index outbox_follows on outbox (follows) where follows is not null;
