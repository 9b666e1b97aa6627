-- Why: the point of interconnection that the text of a request names, under one id for all its spellings.

alter table projects add column poi_id text;
alter table project_versions add column poi_id text;
