/** The text of a request that answers and events show, as PostgreSQL writes it: made from the fields of the contract, not listed again. */
import { fieldsOfProject, type ProjectField } from "#libs/contract/records/project.ts";
import { columnTypes } from "#libs/postgres/project-columns.ts";

const names = fieldsOfProject.map(({ name }) => name);
const isTime = (name: ProjectField): boolean => columnTypes[name] === "timestamptz";
const body = (row: string, own: Partial<Record<ProjectField, string>> = {}): string => {
	const values = names.map((name) => own[name] ?? (isTime(name) ? `iso(${row}.${name})` : `${row}.${name}`));
	return `row_to_json(row(${values.join(", ")})::project_body)::text`;
};

/** Applied after the migrations, whenever it differs from what was applied before. A new field of the record needs its columns alone. */
export const projectBody = {
	name: "project body",
	text: `
		drop type if exists project_body;
		create type project_body as (${names.map((name) => `${name} ${isTime(name) ? "text" : columnTypes[name]}`).join(", ")});

		create or replace function write_project_body() returns trigger language plpgsql as $$
		begin
			new.body := ${body("new", { listed: "listing_of(new.missing_since, new.disappeared_at)" })};
			return new;
		end
		$$;

		-- A view takes further columns at its end alone.
		do $$ begin
			execute (
				select 'create or replace view project_history as select project_id as id, ' || string_agg(name, ', ' order by place)
					|| ' from project_versions'
				from (
					select attname::text as name, attnum::int as place from pg_attribute
					where attrelid = 'project_history'::regclass and attnum > 1
					union all
					select name, 10000 + place::int from unnest('{${names.join(",")}}'::text[]) with ordinality as wanted (name, place)
					where name not in (select attname from pg_attribute where attrelid = 'project_history'::regclass)) columns);
		end $$;

		create or replace function state_body(p project_history) returns text language sql stable as $$
			select ${body("p")}
		$$;

		update projects p set body = ${body("p")};`,
};
