/** SQL, generated from the fields of the contract, with which PostgreSQL writes the JSON of a request in responses and events. */
import { fieldsOfProject, type ProjectField } from "#libs/contract/records/project.ts";
import { columnTypes } from "#libs/postgres/project-columns.ts";
import { stateColumns } from "../history/write-history.ts";

const names = fieldsOfProject.map(({ name }) => name);
const isTime = (name: ProjectField): boolean => columnTypes[name] === "timestamptz";
const bodyExpression = (row: string, overrides: Partial<Record<ProjectField, string>> = {}): string => {
	const values = names.map((name) => overrides[name] ?? (isTime(name) ? `iso(${row}.${name})` : `${row}.${name}`));
	return `row_to_json(row(${values.join(", ")})::project_body)::text`;
};

/** This SQL runs after the migrations whenever it has changed, so a migration for a new field only adds its columns. */
export const projectBody = {
	name: "project body",
	text: `
		drop type if exists project_body;
		create type project_body as (${names.map((name) => `${name} ${isTime(name) ? "text" : columnTypes[name]}`).join(", ")});

		-- A single expression: a query with a row of its own takes PL/pgSQL half as much again.
		create or replace function write_project_body() returns trigger language plpgsql as $$
		begin
			new.body := ${bodyExpression("new", { listed: "listing_of(new.missing_since, new.disappeared_at)" })};
			return new;
		end
		$$;

		-- States of requests as answers name them: the same columns as those of \`projects\`.
		drop view if exists project_history cascade;
		create view project_history as
			select project_id as id, entry, version, valid_from, valid_to, snapshot_id, derived, ${stateColumns.join(", ")} from project_versions;
		create function state_body(p project_history) returns text language sql stable as $$
			select ${bodyExpression("p")}
		$$;

		update projects p set body = ${bodyExpression("p")};`,
};
