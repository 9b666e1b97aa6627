-- alone: Why: pages of an operator's changes come in order from it, the newest snapshot first.
create index concurrently if not exists changes_region on changes (region, detected_at desc, seq desc) include (change_type)
