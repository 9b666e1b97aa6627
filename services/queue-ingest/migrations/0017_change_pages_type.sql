-- alone: Why: pages of one kind of change come in order from it, and what they pass over is passed over in it, without the rows.
create index concurrently if not exists changes_type on changes (change_type, seq) include (detected_at)
