-- Why: the indexes before serve the same reads; what a release before reads of past days takes longer until it has ended.
drop index project_versions_valid, project_versions_of_day, project_versions_developer, project_versions_page;
