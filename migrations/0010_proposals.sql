-- What somebody has been shown that they could decide, until they decide it or let it be.
create table proposals (
    proposal text not null primary key, -- an id that is nobody else's
    code text not null references tables (code),
    account text not null, -- who was shown it
    what text not null, -- as JSON
    guest text, -- who would take a seat, as JSON
    foundation text not null, -- the hash of the journal on which it was rehearsed
    shown_at bigint not null
);

create index proposals_before on proposals (shown_at);
