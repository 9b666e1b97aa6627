-- alone: what is investable but for its score is listed by its score, largest first.
create index concurrently if not exists scores_eligible on scores (score_version, score desc, project_capacity_mw desc nulls last, project_id) where eligible;
