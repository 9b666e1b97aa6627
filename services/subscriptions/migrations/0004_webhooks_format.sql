-- Why: every webhook has a known format.
alter table webhooks validate constraint webhooks_format;
