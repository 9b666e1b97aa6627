/** Keeps the copy of projects, as far as texts are matched with their names. */
import type { z } from "zod";
import { newestOfEach } from "#libs/bus/newest.ts";
import type { Reaction } from "#libs/bus/react.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { lockWriters } from "../jobs/storing.ts";
import { raiseNames } from "../names.ts";

export const copyProjects: Reaction<typeof projectChanged> = {
	service: "signals",
	name: "copy-projects",
	event: projectChanged,
	async handler(tx, events) {
		await lockWriters(tx);
		const newest = newestOfEach(events, (event) => event.project.id).map(rowOf);
		const [done] = await tx<{ copied: number; renamed: number }[]>`
			with incoming as (
				select * from json_to_recordset(${JSON.stringify(newest)}::text::json) as p (project_id text, queue_id text, name text,
					region text, state text, developer text, developer_canonical text, developer_id integer, capacity_mw float8,
					type_std text, status_std text, kind text, version bigint)),
			before as (select p.* from projects p join incoming using (project_id)),
			copied as (
				insert into projects as t (project_id, queue_id, name, region, state, developer, developer_canonical, developer_id,
					capacity_mw, type_std, status_std, kind, version)
				select project_id, queue_id, name, region, state, developer, developer_canonical, developer_id, capacity_mw, type_std,
					status_std, kind, version from incoming
				on conflict (project_id) do update set (queue_id, name, region, state, developer, developer_canonical, developer_id,
						capacity_mw, type_std, status_std, kind, version)
					= (excluded.queue_id, excluded.name, excluded.region, excluded.state, excluded.developer,
						excluded.developer_canonical, excluded.developer_id, excluded.capacity_mw, excluded.type_std,
						excluded.status_std, excluded.kind, excluded.version)
					where excluded.version > t.version
				returning *)
			select count(*) as copied,
				count(*) filter (where (b.name, b.developer_id) is distinct from (c.name, c.developer_id)) as renamed
			from copied c left join before b using (project_id)`;
		if (done === undefined || done.copied === 0) return;
		if (done.renamed > 0) await raiseNames(tx);
		await raiseDataVersion(tx);
	},
};

/** Only what is copied: what PostgreSQL is to read past costs it as much as what it keeps. */
const rowOf = ({ project, version }: z.output<typeof projectChanged.payload>) => ({
	project_id: project.id,
	queue_id: project.queue_id,
	name: project.name,
	region: project.region,
	state: project.state,
	developer: project.developer,
	developer_canonical: project.developer_canonical,
	developer_id: project.developer_id,
	capacity_mw: project.capacity_mw,
	type_std: project.type_std,
	status_std: project.status_std,
	kind: project.kind,
	version,
});
