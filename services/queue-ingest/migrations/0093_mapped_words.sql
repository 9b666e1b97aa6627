-- Why: words of an operator that no adapter knows are read as the known ones that a person mapped them to, as data with author and day.
create table mapped_words (
  mapped_id integer generated always as identity primary key,
  feed text not null,
  -- As the adapter calls the column.
  field text not null,
  -- As filed.
  word text not null,
  -- As words are compared: lower case, no white space around.
  word_key text not null,
  -- A word that the adapter knows; of technologies a standard one.
  means text not null,
  author text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  ended_by text
);
create unique index mapped_words_standing on mapped_words (feed, field, word_key) where ended_at is null;

-- Those that a list was read with, so that its rows can be read again as they were: [{id, field, word, means, author, on, count}, ...]
alter table snapshot_files add column mapped_words jsonb;
