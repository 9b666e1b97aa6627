-- alone: Why: projects_developer_capacity begins as it does; two of them would be written with every request.
drop index concurrently if exists projects_developer
