-- alone: Why: developers_listed_capacity takes its place.
drop index concurrently if exists developers_listed
