-- Why: a webhook is also sent messages about the usage of its account, beside changes or instead of them.
alter table webhooks add column events text[] not null default '{changes}';
