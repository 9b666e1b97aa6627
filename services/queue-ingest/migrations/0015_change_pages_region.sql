-- alone: Why: pages of an operator's changes come in order from it, and what they pass over is passed over in it, without the rows.
create index concurrently if not exists changes_region on changes (region, seq) include (detected_at, change_type)
