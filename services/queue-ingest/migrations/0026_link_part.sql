-- Why: a request can be for several plants, of which it is linked to the largest.
alter table project_plants drop constraint project_plants_link_kind_check,
  add constraint project_plants_link_kind_check check (link_kind in ('direct', 'one_of', 'part'));
