-- alone: Why: pages of one kind of change come in order from it, the newest snapshot first.
create index concurrently if not exists changes_type on changes (change_type, detected_at desc, seq desc)
