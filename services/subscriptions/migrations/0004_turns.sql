-- Why: receivers that hang, and webhooks of free accounts, must not keep others from their turn.

alter table webhooks
  -- Whether its last attempt was delivered. Also false where that is not known yet.
  add column last_delivered boolean not null default false,
  -- Whether its account was on the free plan when it last used its webhooks. Also false where that is not known yet.
  add column free boolean not null default false;
