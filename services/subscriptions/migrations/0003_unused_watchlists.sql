-- Why: unused watchlists of a free account are deleted after some time.

alter table watchlists
  -- Whether its account was on the free plan when it last used its watchlists. Also false where that is not known yet.
  add column free boolean not null default false,
  -- Read or changed by its account, or followed by an enabled webhook; to the day.
  add column used_at timestamptz not null default now();
