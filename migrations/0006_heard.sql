-- What people did on Discord and some process has taken on. Every process hears of it, and where
-- the answer to an acknowledgement is lost, more than one may think that it was first.
create table heard (
    interaction text not null primary key,
    heard_at bigint not null
);

create index heard_before on heard (heard_at);
