-- What a decision would change, as its game master was shown it before they made it: lines as JSON.
alter table overrides add column shown text; -- null if nothing was shown, or somebody in it is forgotten
alter table proposals add column shown text;
