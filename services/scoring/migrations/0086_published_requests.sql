-- Why: the file of the scores of a past day shows what each request was when its score was published.
alter table score_versions
  -- Columns of the request's row, and the day of its list; null of scores that were published before.
  add column request jsonb;
