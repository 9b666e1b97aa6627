-- Why: a headline that names a worldwide group is mostly the group's news, not its US company's.

alter table article_matches add column subject text not null default 'us_business' check (subject in ('us_business', 'parent'));

-- What is stored is matched again.
update names set version = version + 1;
