-- Whoever takes no direct messages is called where their table is played. What they were to be told
-- is kept, and shown there to them alone.
alter table outbox add column knocked text; -- where they were called; null if they were not
alter table outbox add column read_at bigint; -- when they read it there

create index outbox_knocked on outbox (address) where knocked is not null;
