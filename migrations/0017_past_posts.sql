-- A post rests between two drawings, whoever draws it; also before the last one, once the next
-- window has a post of its own.
alter table tables add column drawn_at bigint not null default 0; -- when somebody last set out to draw its post, or was done

-- Posts of windows that are over, until they have been drawn so.
create table past_posts (
    code text not null references tables (code),
    message text not null,
    number bigint not null, -- the window; -1 before the first
    drawn_at bigint not null, -- as of its table's post
    primary key (code, message)
);
