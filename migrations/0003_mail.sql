-- A letter that somebody has read in one terminal is still shown in another where they sit.
create index mail_address on mail (address, code);
drop index mail_unread;
