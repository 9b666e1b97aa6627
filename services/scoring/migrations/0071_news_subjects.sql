-- Why: what is said of a developer's worldwide parent is no sign of the developer's own distress.

alter table article_developers add column subject text not null default 'us_business' check (subject in ('us_business', 'parent'));
