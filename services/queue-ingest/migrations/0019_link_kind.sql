-- Why: a plant can be known to be that of one of several requests at one point of interconnection.
alter table project_plants
  add column link_kind text not null default 'direct' check (link_kind in ('direct', 'one_of'));
