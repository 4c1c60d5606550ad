-- What was refused until a person mends something. It is tried again ever more rarely.

create table barred (
    what text not null primary key, -- such as discord:channel:1, a message there, its files
    place text not null, -- where that is, such as discord:channel:1
    changes bigint not null, -- 1 if what stands there cannot be changed; what can may take nothing new
    refusals bigint not null, -- in a row
    refused_at bigint not null,
    wait_until bigint not null -- not to be tried before
);

create index barred_place on barred (place);
