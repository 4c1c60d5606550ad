-- Whether its file and its page are posted when it is over.
alter table tables add column files bigint not null default 1; -- a flag
